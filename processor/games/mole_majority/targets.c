/*
 * targets.c - what each card in hand can be used on now: one sentence a card, all of it legal.
 */
#include "processor/games/mole_majority/majority.h"

/* The entry being written, and what all entries need. */
struct entry {
	const struct game_state *s;
	unsigned seat;
	const struct mm_pile *hand;
	struct mm_reach reach;
	struct strbuf text;
};

static void add(struct entry *e, const char *words)
{
	strbuf_adds(&e->text, words);
}

static void add_hexes(struct entry *e, const char *before, uint32_t set)
{
	add(e, before);
	mm_add_hexes(&e->text, set);
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

/* "from B2 and C2 to another of C2, C3 and D2; from E1 to D1" */
static bool add_routes(struct entry *e)
{
	uint32_t left = mm_move_sources(e->s, e->seat);
	const char *between = "from ";

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
		add_hexes(e, between, same);
		add_hexes(e, piece & same ? " to another of " : " to ", piece);
		between = "; from ";
	}
	return *between == ';';
}

/* ---- Steps ---- */

static void add_breeds(struct entry *e)
{
	uint32_t on = mm_breed_targets(e->s, e->seat);

	if (on)
		add_hexes(e, "BREED on ", on);
	else
		add(e,
		    mm_supply(e->s, e->seat) ? "BREED (nowhere yet)" : "BREED (no mole left)");
}

/* "MOVE to D2 and D3 (then on to C2), BREED on E2; enough to claim D2" */
static void add_steps(struct entry *e, unsigned steps)
{
	uint32_t now = e->reach.entered[1], later = e->reach.entered[steps] & ~now;
	uint32_t claim = e->reach.claimed[steps];

	if (now)
		add_hexes(e, "MOVE to ", now);
	else
		add(e, "no hex to MOVE to");
	if (later) {
		add_hexes(e, " (then on to ", later);
		add(e, ")");
	}
	add(e, ", ");
	add_breeds(e);
	if (claim)
		add_hexes(
		    e, claim & (claim - 1) ? "; enough to claim any of " : "; enough to claim ",
		    claim);
}

static void add_number(struct entry *e, unsigned card)
{
	strbuf_addf(&e->text, "up to %u steps, ", mm_cards[card].steps);
	add_steps(e, mm_cards[card].steps);
	if (mm_cards[card].bonus)
		add(e, "; then one BREED more; stacked, one BREED");
}

/* ---- Cave-In or Home ---- */

static void add_homes(struct entry *e)
{
	uint32_t now = mm_home_targets(e->s, e->seat), later = e->reach.claimed[2];

	for (unsigned h = 0; h < MM_HEXES; h++)
		if (!e->s->hexes[h].home)
			later &= ~mm_bit(h);
	if (now)
		add_hexes(e, "HOME on ", now);
	if (later)
		add_hexes(e, now ? " or, once claimed, " : "HOME on what is claimed by then, ",
		          later);
	if (!now && !later)
		add(e, "no HOME possible");
}

/* "CAVEIN on two borders of E2 (D2, D3), E1 (D1)" */
static void add_caveins(struct entry *e)
{
	uint32_t claims = mm_claims(e->s, e->seat);
	const char *between = ", or CAVEIN on two borders of ";

	if (e->s->seats[e->seat].caveins < 2) {
		add(e, ", and no Cave-Ins left");
		return;
	}
	for (; claims; claims &= claims - 1) {
		unsigned h = (unsigned)__builtin_ctz(claims);
		uint32_t out = mm_cavein_borders(e->s, h);

		if (!out)
			continue;
		strbuf_addf(&e->text, "%s%s", between, mm_hex_names[h]);
		add_hexes(e, " (", out);
		add(e, ")");
		between = ", ";
	}
}

static void add_cave_or_home(struct entry *e)
{
	strbuf_addf(&e->text, "up to %u steps, ", mm_cards[CARD_CH].steps);
	add_steps(e, mm_cards[CARD_CH].steps);
	add(e, "; then ");
	add_homes(e);
	add_caveins(e);
}

/* ---- Convert ---- */

/* "CONVERT C3.1, C3.4-6, D2.2" */
static bool add_converts(struct entry *e)
{
	size_t at = e->text.len;

	add(e, "CONVERT ");
	if (mm_add_converts(e->s, e->seat, false, &e->text))
		return true;
	strbuf_truncate(&e->text, at);
	add(e, mm_supply(e->s, e->seat) ? "no mole of another is in your network"
	                                : "no mole is left for a CONVERT");
	return false;
}

static bool holds_number(const struct mm_pile *hand)
{
	return mm_pile_count(hand, CARD_N4) || mm_pile_count(hand, CARD_N3) ||
	       mm_pile_count(hand, CARD_N2);
}

static void add_convert(struct entry *e)
{
	bool any = add_converts(e);
	bool keeper = mm_pile_count(e->hand, CARD_GK1) || mm_pile_count(e->hand, CARD_GK2);

	add(e, "; stacked, one ");
	if (e->reach.entered[1])
		add_hexes(e, "MOVE to ", e->reach.entered[1]);
	else
		add(e, "MOVE (nowhere yet)");
	add(e, " or ");
	add_breeds(e);
	if (any && mm_pile_count(e->hand, CARD_CV) > 1)
		add(e, " or, on another CV, one CONVERT more");
	if (keeper && holds_number(e->hand))
		add(e, " or, on a Groundskeeper, PLUS ROLL");
}

/* ---- Groundskeeper and Gopher It ---- */

/* "STEAL from Bob (N4, CV, N3) or Cid (GI)"; false when nobody has discards. */
static bool add_steals(struct entry *e)
{
	size_t at = e->text.len;

	add(e, "STEAL from ");
	if (mm_add_steals(e->s, e->seat, &e->text))
		return true;
	strbuf_truncate(&e->text, at);
	add(e, "nobody has discards");
	return false;
}

/* False when it cannot be played now. */
static bool add_rolls(struct entry *e)
{
	uint32_t moles = 0;
	const char *between = "WITH ";

	for (unsigned card = CARD_N4; card <= CARD_N2; card++) {
		if (!mm_pile_count(e->hand, card))
			continue;
		strbuf_addf(&e->text, "%s%s", between, mm_cards[card].name);
		between = " or ";
	}
	if (*between == 'W') {
		add(e, "needs a number card, and you hold none");
		return false;
	}
	for (unsigned seat = 1; seat <= e->s->nseats; seat++)
		moles |= mm_with_moles(e->s, seat);
	add_hexes(e, ", ROLL from a mole on ", moles);
	return true;
}

static void add_bonus(struct entry *e, unsigned card, bool playable)
{
	strbuf_addf(&e->text, "; %sat the end up to %u ", playable ? "" : "stacked, ",
	            mm_cards[card].bonus);
	add_breeds(e);
	if (playable)
		add(e, "; stacked, only that");
}

/* ---- All of it ---- */

static void add_card(struct entry *e, unsigned card)
{
	strbuf_clear(&e->text);
	strbuf_addf(&e->text, "With %s (%s): ", mm_cards[card].name, mm_cards[card].title);
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
	struct entry e = {
	    .s = s, .seat = s->active, .hand = &s->seats[s->active].hand, .text = STRBUF_INIT};

	mm_find_reach(s, s->active, most_steps(e.hand), &e.reach);
	if (add_routes(&e))
		doc_item(out, "Open routes for a MOVE: %s.", e.text.ptr);
	for (unsigned card = CARD_N4; card < CARD_KINDS; card++) {
		if (!mm_pile_count(e.hand, card))
			continue;
		add_card(&e, card);
		doc_item(out, "%s.", e.text.ptr);
	}
	strbuf_release(&e.text);
}
