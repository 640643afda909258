/*
 * resample.c - what a viewer cannot know, drawn anew.
 *
 * Everybody can work out which cards a player holds in hand and deck together, and which home
 * tokens lie face down somewhere; not where. So these are pools that are shuffled. For a seat
 * one draw from the chance is enough: the dice made of it are for imagined positions only. What
 * is drawn anew for the public is a position people play on from (rules.h): there each pool is a
 * shuffle of the chance's own, and nothing in it is imagined.
 */
#include "processor/games/mole_majority/majority.h"

/* One of the two. */
struct source {
	uint32_t dice;
	struct chance *deal; /* NULL: only imagined */
};

static void deal(struct chance *chance, uint8_t *items, unsigned n, const char *what,
                 unsigned seat)
{
	uint8_t before[2 * MM_DECK + MM_HOMES];
	unsigned order[2 * MM_DECK + MM_HOMES];

	for (unsigned i = 0; i < n; i++)
		before[i] = items[i];
	if (seat)
		chance_shuffle(chance, order, n, "%s of seat %u", what, seat);
	else
		chance_shuffle(chance, order, n, "%s", what);
	for (unsigned i = 0; i < n; i++)
		items[i] = before[order[i]];
}

/*
 * Sorted first: who can work out the dice, which are no secret in a preview, must not be able to
 * reckon back from where an item lies now to where it really lies.
 */
static void shuffle(uint8_t *items, unsigned n, struct source *from, const char *what,
                    unsigned seat)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned k = i; k > 0 && items[k - 1] > items[k]; k--) {
			uint8_t kept = items[k - 1];

			items[k - 1] = items[k];
			items[k] = kept;
		}
	if (from->deal) {
		deal(from->deal, items, n, what, seat);
		return;
	}
	for (; n > 1; n--) {
		unsigned at = mm_roll_dice(&from->dice, n);
		uint8_t kept = items[n - 1];

		items[n - 1] = items[at];
		items[at] = kept;
	}
}

/* Hand and deck of another; of the viewer's own the deck alone. */
static void shuffle_cards(struct mm_seat *p, unsigned seat, bool own, struct source *from)
{
	uint8_t pool[2 * MM_DECK];
	unsigned n = 0;

	for (unsigned i = 0; !own && i < p->hand.count; i++)
		pool[n++] = p->hand.cards[i];
	for (unsigned i = 0; i < p->deck.count; i++)
		pool[n++] = p->deck.cards[i];
	shuffle(pool, n, from, "hand and deck", seat);
	for (unsigned i = 0; !own && i < p->hand.count; i++)
		p->hand.cards[i] = pool[--n];
	for (unsigned i = 0; i < p->deck.count; i++)
		p->deck.cards[i] = pool[--n];
}

static void shuffle_homes(struct game_state *s, unsigned viewer, struct source *from)
{
	uint8_t *places[MM_HOMES];
	uint8_t values[MM_HOMES];
	unsigned n = 0;

	/* Every home token this viewer has not seen, as a place to take from and to put to. */
	for (unsigned h = 0; h < MM_HEXES; h++)
		if (s->hexes[h].home && !s->hexes[h].home_open)
			places[n++] = &s->hexes[h].home;
	for (unsigned i = 0; i < s->nspare; i++)
		places[n++] = &s->spare[i];
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		for (unsigned i = 0; seat != viewer && i < s->seats[seat].nhomes; i++)
			if (!s->seats[seat].homes[i].open && !mm_over(s))
				places[n++] = &s->seats[seat].homes[i].value;

	for (unsigned i = 0; i < n; i++)
		values[i] = *places[i];
	shuffle(values, n, from, "home tokens out of sight", 0);
	for (unsigned i = 0; i < n; i++)
		*places[i] = values[i];
}

struct game_state *mm_resample(const struct game_state *s, unsigned viewer,
                               struct chance *chance)
{
	struct game_state *other = xmalloc(sizeof *other);
	struct source from = {.deal = viewer == SEAT_PUBLIC ? chance : NULL};

	if (!from.deal)
		from.dice = chance_pick(chance, 1u << 30, "what seat %u cannot know", viewer) +
		            1;
	*other = *s;
	other->imagined = !from.deal && !mm_over(s);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		shuffle_cards(&other->seats[seat], seat, seat == viewer || mm_over(s), &from);
	shuffle_homes(other, viewer, &from);
	return other;
}
