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

/* "from B2 and C2 to another of C2, C3 and D2; from E1 to D1"; false if there is none. */
static bool add_routes(struct entry *e)
{
	uint32_t left = mm_move_sources(e->s, e->seat);

	while (left) {
		unsigned first = (unsigned)__builtin_ctz(left);
		uint32_t piece = piece_of(e->s, e->seat, first), same = 0;

		for (uint32_t set = left; set; set &= set - 1)
			if (piece_of(e->s, e->seat, (unsigned)__builtin_ctz(set)) == piece)
				same |= set & -set;
		left &= ~same;
		if (!piece)
			continue;
		if (!(same & (same - 1)))
			piece &= ~same;
		phrase(e, piece & same ? "from %s to another of %s" : "from %s to %s",
		       hexes(e, same), hexes(e, piece));
	}
	return e->text.len > 0;
}

/* ---- Steps ---- */

/* "BREED on B2 and C2" */
static const char *breeds(const struct entry *e)
{
	uint32_t on = mm_breed_targets(e->s, e->seat);

	if (on)
		return arena_printf(e->arena, "BREED on %s", hexes(e, on));
	return mm_supply(e->s, e->seat) ? "BREED (nowhere yet)" : "BREED (no mole left)";
}

/* "up to 2 steps, MOVE to D2 and D3 (then on to C2), BREED on E2; enough to claim D2" */
static void add_steps(struct entry *e, unsigned steps)
{
	uint32_t now = e->reach.entered[1], later = e->reach.entered[steps] & ~now;
	uint32_t claim = e->reach.claimed[steps];

	if (now && later)
		phrase(e, "up to %u steps, MOVE to %s (then on to %s), %s", steps,
		       hexes(e, now), hexes(e, later), breeds(e));
	else if (now)
		phrase(e, "up to %u steps, MOVE to %s, %s", steps, hexes(e, now), breeds(e));
	else
		phrase(e, "up to %u steps, no hex to MOVE to, %s", steps, breeds(e));
	if (claim)
		phrase(e,
		       claim & (claim - 1) ? "enough to claim any of %s" : "enough to claim %s",
		       hexes(e, claim));
}

static void add_number(struct entry *e, unsigned card)
{
	add_steps(e, mm_cards[card].steps);
	if (mm_cards[card].bonus) {
		phrase(e, "then one BREED more");
		phrase(e, "stacked, one BREED");
	}
}

/* ---- Cave-In or Home ---- */

/* "HOME on C3", "HOME on what is claimed by then, D2" */
static const char *homes(const struct entry *e)
{
	uint32_t now = mm_home_targets(e->s, e->seat), later = e->reach.claimed[2];

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (!e->s->hexes[h].home)
			later &= ~mm_bit(h);
	if (now && later)
		return arena_printf(e->arena, "HOME on %s or, once claimed, %s", hexes(e, now),
		                    hexes(e, later));
	if (now)
		return arena_printf(e->arena, "HOME on %s", hexes(e, now));
	if (later)
		return arena_printf(e->arena, "HOME on what is claimed by then, %s",
		                    hexes(e, later));
	return "no HOME possible";
}

/* "E2 (D2, D3), E1 (D1)": hexes whose borders may get a Cave-In. */
static const char *cavein_places(const struct entry *e)
{
	struct strbuf text = STRBUF_INIT;
	const char *copy;

	for (uint32_t claims = mm_claims(e->s, e->seat); claims; claims &= claims - 1) {
		unsigned h = (unsigned)__builtin_ctz(claims);
		uint32_t out = mm_cavein_borders(e->s, h);

		if (out)
			strbuf_addf(&text, text.len ? ", %s (%s)" : "%s (%s)", mm_hex_names[h],
			            hexes(e, out));
	}
	copy = arena_strdup(e->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

static void add_cave_or_home(struct entry *e)
{
	const char *places = cavein_places(e);

	add_steps(e, mm_cards[CARD_CH].steps);
	if (e->s->seats[e->seat].caveins < 2)
		phrase(e, "then %s, and no Cave-Ins left", homes(e));
	else if (*places)
		phrase(e, "then %s, or CAVEIN on two borders of %s", homes(e), places);
	else
		phrase(e, "then %s", homes(e));
}

/* ---- Convert ---- */

static bool holds_number(const struct mm_pile *hand)
{
	return mm_pile_count(hand, CARD_N4) || mm_pile_count(hand, CARD_N3) ||
	       mm_pile_count(hand, CARD_N2);
}

/* "CONVERT C3.1, C3.4-6, D2.2" */
static void add_convert(struct entry *e)
{
	bool keeper = mm_pile_count(e->hand, CARD_GK1) || mm_pile_count(e->hand, CARD_GK2);
	struct strbuf moles = STRBUF_INIT;
	bool any = mm_add_converts(e->s, e->seat, false, &moles);

	if (any)
		phrase(e, "CONVERT %s", moles.ptr);
	else
		phrase(e, mm_supply(e->s, e->seat) ? "no mole of another is in your network"
		                                   : "no mole is left for a CONVERT");
	if (e->reach.entered[1])
		phrase(e, "stacked, one MOVE to %s or %s", hexes(e, e->reach.entered[1]),
		       breeds(e));
	else
		phrase(e, "stacked, one MOVE (nowhere yet) or %s", breeds(e));
	if (any && mm_pile_count(e->hand, CARD_CV) > 1)
		phrase(e, "stacked on another CV, one CONVERT more");
	if (keeper && holds_number(e->hand))
		phrase(e, "stacked on a Groundskeeper, PLUS ROLL");
	strbuf_release(&moles);
}

/* ---- Groundskeeper and Gopher It ---- */

/* "STEAL from Bob (N4, CV, N3) or Cid (GI)"; false when nobody has discards. */
static bool add_steals(struct entry *e)
{
	struct strbuf from = STRBUF_INIT;
	bool any = mm_add_steals(e->s, e->seat, &from);

	if (any)
		phrase(e, "STEAL from %s", from.ptr);
	else
		phrase(e, "nobody has discards");
	strbuf_release(&from);
	return any;
}

/* "WITH N4 or N2, ROLL from a mole on C3 and D2"; false when it cannot be played now. */
static bool add_rolls(struct entry *e)
{
	struct strbuf numbers = STRBUF_INIT;
	uint32_t moles = 0;

	for (unsigned card = CARD_N4; card <= CARD_N2; card++)
		if (mm_pile_count(e->hand, card))
			strbuf_addf(&numbers, numbers.len ? " or %s" : "%s",
			            mm_cards[card].name);
	for (unsigned seat = 1; seat <= e->s->nseats; seat++)
		moles |= mm_with_moles(e->s, seat);
	bool any = numbers.len > 0;
	if (any)
		phrase(e, "WITH %s, ROLL from a mole on %s", numbers.ptr, hexes(e, moles));
	else
		phrase(e, "needs a number card, and you hold none");
	strbuf_release(&numbers);
	return any;
}

static void add_bonus(struct entry *e, unsigned card, bool playable)
{
	if (playable) {
		phrase(e, "at the end up to %u %s", mm_cards[card].bonus, breeds(e));
		phrase(e, "stacked, only that");
	} else {
		phrase(e, "stacked, at the end up to %u %s", mm_cards[card].bonus, breeds(e));
	}
}

/* ---- All of it ---- */

static void add_card(struct entry *e, unsigned card)
{
	strbuf_clear(&e->text);
	switch ((enum mm_card)card) {
	case CARD_CH:
		add_cave_or_home(e);
		break;
	case CARD_CV:
		add_convert(e);
		break;
	case CARD_GK1:
	case CARD_GK2:
		add_bonus(e, card, add_rolls(e));
		break;
	case CARD_GI:
		add_bonus(e, card, add_steals(e));
		break;
	case CARD_N4:
	case CARD_N3:
	case CARD_N2:
	case CARD_NONE:
	case CARD_KINDS:
		add_number(e, card);
	}
}

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
	if (add_routes(&e))
		doc_item(out, "Open routes for a MOVE: %s.", e.text.ptr);
	for (unsigned card = CARD_N4; card < CARD_KINDS; card++) {
		if (!mm_pile_count(e.hand, card))
			continue;
		add_card(&e, card);
		doc_item(out, "With %s (%s): %s.", mm_cards[card].name, mm_cards[card].title,
		         e.text.ptr);
	}
	strbuf_release(&e.text);
}
