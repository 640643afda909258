/*
 * hidden.c - a state drawn anew in all that a viewer cannot know.
 *
 * Nobody knows what lies in the deck and in the holes, and only their owners what is in
 * the hands: all these moles change places by one shuffle. So do the prizes still face
 * down in a shop. Lists that others have ordered are made up. What can be worked out from
 * memory (a mole that has been on the Mole Hill cannot be in a hand that has not changed
 * since) is not taken into account: the state keeps no memory of it.
 *
 * For a seat one number is drawn from the chance; all else follows from it by splitmix64. A
 * position imagined is never proved to anybody, so it need not cost as much as a real deal. What
 * is drawn anew for the public is one: people play on from it (rules.h), so every shuffle is the
 * chance's own, and what is nobody's to imagine, the lists, is as before the first round.
 */
#include <stdint.h>
#include <string.h>

#include "processor/games/mole_park/park.h"

struct imagination {
	uint64_t state;
	struct chance *deal; /* NULL: only imagined */
};

static struct imagination begin(struct chance *chance, unsigned viewer)
{
	if (viewer == SEAT_PUBLIC)
		return (struct imagination){.deal = chance};
	uint64_t high = chance_pick(chance, 1u << 31, "what is out of sight");
	uint64_t low = chance_pick(chance, 1u << 31, "what is out of sight, too");

	return (struct imagination){.state = high << 32 | low};
}

/* Below n; what division favours is less than one part in 2^56. */
static unsigned pick(struct imagination *im, unsigned n)
{
	uint64_t z = (im->state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ (z >> 31)) % n);
}

static void deal(struct chance *chance, unsigned char *cards, unsigned n, const char *what,
                 const char *whose)
{
	unsigned order[PARK_MOLES];
	unsigned char before[PARK_MOLES];

	memcpy(before, cards, n);
	chance_shuffle(chance, order, n, "%s%s", what, whose);
	for (unsigned i = 0; i < n; i++)
		cards[i] = before[order[i]];
}

static void mix(struct imagination *im, unsigned char *cards, unsigned n)
{
	for (unsigned left = n; left > 1; left--) {
		unsigned at = pick(im, left);
		unsigned char card = cards[at];

		cards[at] = cards[left - 1];
		cards[left - 1] = card;
	}
}

/*
 * Cards out of sight, in an order that says nothing of where they lay: the chance of a
 * preview can be guessed, and who knows how cards were exchanged knows where they were.
 */
static void shuffle_unseen(struct imagination *im, unsigned char *cards, unsigned n,
                           const char *what, const char *whose)
{
	bool in[PARK_MOLES + 1] = {false};
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++)
		in[cards[i]] = true;
	for (unsigned card = 1; card <= PARK_MOLES; card++)
		if (in[card])
			cards[found++] = (unsigned char)card;
	if (im->deal)
		deal(im->deal, cards, n, what, whose);
	else
		mix(im, cards, n);
}

static void gather(const struct park_pile *pile, struct park_pile *pool)
{
	struct park_pile copy = *pile;

	park_pile_move(&copy, pool);
}

static void hand_out(struct park_pile *pool, struct park_pile *pile)
{
	for (unsigned i = 0; i < pile->count; i++)
		pile->cards[i] = pool->cards[--pool->count];
}

static bool hides_hand(const struct game_state *s, unsigned viewer, unsigned seat)
{
	return seat != viewer && !s->seats[seat].last.finalist;
}

static void add_others(const struct park_pile *from, struct park_pile *to, unsigned most)
{
	for (unsigned i = 0; i < from->count && to->count < most; i++)
		if (!park_pile_has(to, from->cards[i]))
			park_pile_put(to, from->cards[i]);
}

static void imagine_lists(struct park_seat *p, struct imagination *im)
{
	memset(&p->wishes, 0, sizeof p->wishes);
	memset(&p->discard, 0, sizeof p->discard);
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		p->wishes.items[shop] = (unsigned char)shop;
	if (im->deal)
		return;
	mix(im, p->wishes.items, PARK_SHOPS);
	p->wishes.count = pick(im, PARK_SHOPS + 1);
	p->discard.alone = pick(im, 4) ? PARK_LOW : PARK_HIGH;
}

/* Whom the King favours is known only when they have just had to say it. */
static void imagine_favour(struct game_state *s, struct imagination *im)
{
	if (park_favour_was_used(s))
		return;
	s->favour.count = 0;
	if (im->deal || pick(im, 2) == 0)
		return;
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (seat != s->king)
			s->favour.items[s->favour.count++] = (unsigned char)seat;
	mix(im, s->favour.items, s->favour.count);
}

struct game_state *park_resample(const struct game_state *s, unsigned viewer,
                                 struct chance *chance)
{
	struct game_state *copy = xmalloc(sizeof *copy);
	struct imagination im = begin(chance, viewer);

	*copy = *s;

	struct park_pile pool = {.count = 0};

	gather(&copy->deck, &pool);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		gather(&copy->holes[hole], &pool);
	for (unsigned seat = 1; seat <= copy->nseats; seat++)
		if (hides_hand(copy, viewer, seat))
			gather(&copy->seats[seat].hand, &pool);
	shuffle_unseen(&im, pool.cards, pool.count, "moles out of sight", "");
	hand_out(&pool, &copy->deck);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++)
		hand_out(&pool, &copy->holes[hole]);
	for (unsigned seat = 1; seat <= copy->nseats; seat++) {
		struct park_seat *p = &copy->seats[seat];

		if (!hides_hand(copy, viewer, seat))
			continue;
		hand_out(&pool, &p->hand);
		park_pile_sort(&copy->setup, &p->hand);

		/*
		 * What somebody else got, they still have or had to discard. What they discarded lies out of sight now,
		 * and may have been dealt to them again: then something else out of sight stands in its place.
		 */
		struct park_pile any = p->hand;

		add_others(&p->last.dropped, &any, PARK_MOLES);
		add_others(&copy->deck, &any, p->last.got.count);
		for (unsigned hole = 0; hole < PARK_HOLES; hole++)
			add_others(&copy->holes[hole], &any, p->last.got.count);
		if (!im.deal) /* else any will do: only their owner hears of it */
			mix(&im, any.cards, any.count);
		memcpy(p->last.got.cards, any.cards, p->last.got.count);
	}
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++)
		shuffle_unseen(&im, copy->shops[shop].stock.cards,
		               copy->shops[shop].stock.count, "prizes out of sight of ",
		               park_shops[shop].key);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (seat != viewer && park_plays(s, seat))
			imagine_lists(&copy->seats[seat], &im);
	if (viewer != s->king)
		imagine_favour(copy, &im);
	return copy;
}
