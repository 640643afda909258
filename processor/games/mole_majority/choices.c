/*
 * choices.c - what there is to choose from: discards to steal, moles to convert, cards in hand.
 *
 * For reports, which say what a card could do, and for refusals, which say what would have been
 * possible.
 */
#include "processor/games/mole_majority/majority.h"

bool mm_add_steals(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	bool any = false;

	for (unsigned victim = 1; victim <= s->nseats; victim++) {
		const struct mm_pile *pile = &s->seats[victim].discard;

		if (!mm_can_steal_from(s, seat, victim))
			continue;
		strbuf_addf(out, "%s%s (", any ? " or " : "", s->seats[victim].name.text);
		for (unsigned i = 0; i < MM_OPEN_DISCARDS && i < pile->count; i++)
			strbuf_addf(out, "%s%s", i ? ", " : "",
			            mm_cards[mm_pile_top(pile, i)].name);
		strbuf_addc(out, ')');
		any = true;
	}
	return any;
}

/* Whose mole stands there, if it is one of another; spaces count from 1. */
static unsigned other_on(const struct game_state *s, unsigned seat, unsigned hex,
                         unsigned space)
{
	const struct mm_hex *x = &s->hexes[hex];
	unsigned whose = space <= x->value ? x->spaces[space - 1] : 0;

	return whose == seat ? 0 : whose;
}

/* "C3.1, C3.4-6"; with names each run is of one player: "C3.1 (Bob), C3.4-6 (Cid)". */
static void add_others_on(const struct game_state *s, unsigned seat, unsigned hex, bool names,
                          struct strbuf *out)
{
	const char *between = "";
	unsigned from = 1;

	while (from <= MM_SPACES) {
		unsigned whose = other_on(s, seat, hex, from), to = from + 1;

		while (whose && other_on(s, seat, hex, to) &&
		       (!names || other_on(s, seat, hex, to) == whose))
			to++;
		if (whose) {
			strbuf_addf(out, "%s%s.%u", between, mm_hex_names[hex], from);
			if (to > from + 1)
				strbuf_addf(out, "-%u", to - 1);
			if (names)
				strbuf_addf(out, " (%s)", s->seats[whose].name.text);
			between = ", ";
		}
		from = to;
	}
}

bool mm_add_converts(const struct game_state *s, unsigned seat, bool names, struct strbuf *out)
{
	uint32_t on = mm_convert_targets(s, seat);
	const char *between = "";

	for (; on; on &= on - 1) {
		strbuf_adds(out, between);
		add_others_on(s, seat, (unsigned)__builtin_ctz(on), names, out);
		between = ", ";
	}
	return *between != '\0';
}

static void add_hand(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	const struct mm_pile *hand = &s->seats[seat].hand;
	struct strbuf cards = STRBUF_INIT;

	for (unsigned i = 0; i < hand->count; i++)
		strbuf_addf(&cards, i ? ", %s" : "%s", mm_cards[hand->cards[i]].name);
	strbuf_addf(out, "Your hand is %s.", cards.ptr);
	strbuf_release(&cards);
}

static void say_steals(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	struct strbuf from = STRBUF_INIT;

	if (mm_add_steals(s, seat, &from))
		strbuf_addf(out, "You can steal from %s.", from.ptr);
	else
		strbuf_adds(out, "Nobody has discards, so nothing can be stolen.");
	strbuf_release(&from);
}

static void say_converts(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	struct strbuf moles = STRBUF_INIT;

	if (mm_add_converts(s, seat, true, &moles))
		strbuf_addf(out, "Moles of others in your network: %s.", moles.ptr);
	else
		strbuf_adds(out, mm_supply(s, seat)
		                     ? "No mole of another is in your network."
		                     : "You have no mole left in your supply to put there.");
	strbuf_release(&moles);
}

void mm_say_choices(const struct game_state *s, unsigned seat, enum mm_choice of,
                    struct strbuf *out)
{
	switch (of) {
	case CHOICE_STEAL:
		say_steals(s, seat, out);
		break;
	case CHOICE_CONVERT:
		say_converts(s, seat, out);
		break;
	case CHOICE_CARD:
		add_hand(s, seat, out);
		break;
	}
}
