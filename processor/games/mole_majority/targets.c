/*
 * targets.c - what each card in hand can be used on now: one sentence a card, all of it legal.
 */
#include <stdarg.h>

#include "processor/games/mole_majority/majority.h"

/* The entry being written, and what all entries need. */
struct entry {
	const struct game_state *s;
	unsigned seat;
	const struct mm_pile *hand;
	struct mm_reach reach;
	struct arena *arena;
	struct strbuf text;
};

/* One more phrase of the entry. */
__attribute__((format(printf, 2, 3))) static void phrase(struct entry *e, const char *fmt, ...)
{
	va_list ap;

	strbuf_adds(&e->text, e->text.len ? "; " : "");
	va_start(ap, fmt);
	strbuf_vaddf(&e->text, fmt, ap);
	va_end(ap);
}

/* "B2, C2 and D1" */
static const char *hexes(const struct entry *e, uint32_t set)
{
	struct strbuf text = STRBUF_INIT;
	const char *copy;

	mm_add_hexes(&text, set);
	copy = arena_strdup(e->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

/* ---- Open routes ---- */

/*
 * Where a mole of `from` may end, itself among them if it has room: so that all hexes of one open
 * piece of a network have the same set.
 */
static uint32_t piece_of(const struct game_state *s, unsigned seat, unsigned from)
{
	uint32_t to = mm_move_targets(s, seat, from);

	return to && mm_moles_on(&s->hexes[from], 0) ? to | mm_bit(from) : to;
}

/* ---- Cave-In or Home, Convert ---- */

static void add_cave_or_home(struct entry *e)
{
	uint32_t now = mm_home_targets(e->s, e->seat);

	if (now)
		phrase(e, "HOME on %s", hexes(e, now));
	if (e->s->seats[e->seat].caveins < 2)
		phrase(e, "no Cave-Ins left");
}

/* "CONVERT C3.1, C3.4-6, D2.2" */
static void add_convert(struct entry *e)
{
	struct strbuf moles = STRBUF_INIT;

	if (mm_add_converts(e->s, e->seat, false, &moles))
		phrase(e, "CONVERT %s", moles.ptr);
	else
		phrase(e, mm_supply(e->s, e->seat) ? "no mole of another is in your network"
		                                   : "no mole is left for a CONVERT");
	strbuf_release(&moles);
}

/* ---- Groundskeeper and Gopher It ---- */

/* "STEAL from Bob (N4, CV, N3) or Cid (GI)" */
static void add_steals(struct entry *e)
{
	struct strbuf from = STRBUF_INIT;

	if (mm_add_steals(e->s, e->seat, &from))
		phrase(e, "STEAL from %s", from.ptr);
	else
		phrase(e, "nobody has discards");
	strbuf_release(&from);
}

/* "WITH N4 or N2, ROLL from any mole" */
static void add_rolls(struct entry *e)
{
	struct strbuf numbers = STRBUF_INIT;

	for (unsigned card = CARD_N4; card <= CARD_N2; card++)
		if (mm_pile_count(e->hand, card))
			strbuf_addf(&numbers, numbers.len ? " or %s" : "%s",
			            mm_cards[card].name);
	if (numbers.len > 0)
		phrase(e, "WITH %s, ROLL from any mole", numbers.ptr);
	else
		phrase(e, "needs a number card, and you hold none");
	strbuf_release(&numbers);
}

/* ---- All of it ---- */

/* Of one card; a stacked CV is one. */
static unsigned most_steps(const struct mm_pile *hand)
{
	unsigned most = 1;

	for (unsigned i = 0; i < hand->count; i++)
		if (mm_cards[hand->cards[i]].steps > most)
			most = mm_cards[hand->cards[i]].steps;
	return most;
}

void mm_show_targets(const struct game_state *s, struct doc *out)
{
	struct entry e = {.s = s,
	                  .seat = s->active,
	                  .hand = &s->seats[s->active].hand,
	                  .arena = out->arena,
	                  .text = STRBUF_INIT};

	mm_find_reach(s, s->active, most_steps(e.hand), &e.reach);
	uint32_t breeds = mm_breed_targets(s, s->active);
	/* "from B2 and C2 to another of C2, C3 and D2; from E1 to D1" */
	uint32_t left = mm_move_sources(e.s, e.seat);

	while (left) {
		unsigned first = (unsigned)__builtin_ctz(left);
		uint32_t piece = piece_of(e.s, e.seat, first), same = 0;

		for (uint32_t set = left; set; set &= set - 1)
			if (piece_of(e.s, e.seat, (unsigned)__builtin_ctz(set)) == piece)
				same |= set & -set;
		left &= ~same;
		if (!piece)
			continue;
		if (!(same & (same - 1)))
			piece &= ~same;
		phrase(&e, piece & same ? "from %s to another of %s" : "from %s to %s",
		       hexes(&e, same), hexes(&e, piece));
	}
	if (e.text.len == 0)
		phrase(&e, "none");
	if (breeds)
		phrase(&e, "room to BREED on %s", hexes(&e, breeds));
	doc_item(out, "Routes: %s.", e.text.ptr);
	strbuf_clear(&e.text);
	/* "with N4 B2 and C2; with N3 B2" */
	for (unsigned card = CARD_N4; card < CARD_KINDS; card++) {
		uint32_t claim = e.reach.claimed[mm_cards[card].steps];

		if (mm_cards[card].steps > 0 && mm_pile_count(e.hand, card) && claim)
			phrase(&e, "with %s %s", mm_cards[card].name, hexes(&e, claim));
	}
	if (e.text.len > 0)
		doc_item(out, "Claims within reach: %s.", e.text.ptr);
	for (unsigned card = CARD_N4; card < CARD_KINDS; card++) {
		if (!mm_pile_count(e.hand, card))
			continue;
		strbuf_clear(&e.text);
		switch ((enum mm_card)card) {
		case CARD_CH:
			add_cave_or_home(&e);
			break;
		case CARD_CV:
			add_convert(&e);
			break;
		case CARD_GK1:
		case CARD_GK2:
			add_rolls(&e);
			break;
		case CARD_GI:
			add_steals(&e);
			break;
		case CARD_N4:
		case CARD_N3:
		case CARD_N2:
		case CARD_NONE:
		case CARD_KINDS: /* what they can claim is told above */
			break;
		}
		if (e.text.len > 0)
			doc_item(out, "With %s: %s.", mm_cards[card].title, e.text.ptr);
	}
	strbuf_release(&e.text);
}
