/*
 * orders.c - the orders of Mole Park, declared, and a mail laid over what stands.
 *
 * A line replaces what was ordered before of its kind; all other kinds stay, the lists even
 * from round to round. What was understood is said again in words. A canonical set names every kind,
 * so it is complete; sent back as it is, it draws no remarks.
 *
 * Trusts: diagnostics speak of the text, of what is public, and of whether the sender has a mole.
 */
#include <string.h>

#include "processor/games/mole_park/park.h"

/* The Prize die costs the hand, and a bare CROWN is a bold step: neither counts behind what was not understood. */
const struct order_row park_rows[PARK_KINDS] = {
    [PARK_ROLL] = {.word = "ROLL",
                   .slot = ORDER_CHOICE,
                   .flags = ORDER_BOLD_OF_KIND,
                   .min = PARK_GLOVE,
                   .most = 1,
                   .choices = "GLOVE|PAN|MALLET|PRIZE",
                   .alone = "NONE",
                   .noun = "die",
                   .nouns = "dice",
                   .example = "ROLL PAN",
                   .guide = {{"ROLL <die>", "throw GLOVE, PAN, MALLET or PRIZE"}}},
    [PARK_ROLL_IF] = {.word = "ROLL",
                      .slot = ORDER_CHOICE,
                      .flags = ORDER_OPTIONAL,
                      .min = PARK_GLOVE,
                      .most = 1,
                      .choices = "GLOVE|PAN|MALLET|PRIZE",
                      .alone = "NONE",
                      .tail = "IF CROWN",
                      .example = "ROLL PRIZE IF CROWN",
                      .guide = {{"ROLL <die> IF CROWN",
                                 "another die if somebody goes for it"}}},
    [PARK_CLAIMS] = {.word = "CROWN",
                     .slot = ORDER_OWN,
                     .flags = ORDER_BOLD,
                     .most = 1,
                     .alone = "NONE|IF ANY=IF ANYBODY=IF ANYONE=IF SOMEBODY=IF SOMEONE|",
                     .lead = "IF",
                     .noun = "player",
                     .nouns = "players",
                     .example = "CROWN NONE",
                     .barred_why = "IF waits for another player who is still in the game.",
                     .guide = {{"CROWN", "go for it"},
                               {"CROWN IF <player>",
                                "try too if they do; IF ANY: if anybody does"},
                               {"CROWN NONE", "stay out of it"}}},
    [PARK_WISHES] = {.word = "PRIZES",
                     .slot = ORDER_CHOICE,
                     .flags = ORDER_ONCE | ORDER_LAST_ENDS,
                     .most = PARK_SHOPS + 1,
                     .choices = "CANDY=SWEETS|TOYS=TOY|INFLATION=INFL|FURRY=FUR|ACTION=ACT|"
                                "KINGS=KING|NONE",
                     .alone = "ANY",
                     .noun = "shop",
                     .nouns = "shops",
                     .twice = "A shop named twice counts once.",
                     .example = "PRIZES TOYS CANDY",
                     .guide = {{"PRIZES <shop> ...", "what you want most first, else the best"},
                               {"PRIZES <shop> ... NONE", "the same, else nothing"},
                               {"PRIZES ANY", "the best you can get"}}},
    [PARK_DISCARD] = {.word = "DISCARD",
                      .slot = ORDER_NUMBER,
                      .min = 1,
                      .max = PARK_STARS,
                      .most = ORDER_ITEMS_MOST,
                      .alone = "LOW|HIGH",
                      .noun = "value",
                      .nouns = "values",
                      .example = "DISCARD LOW",
                      .guide = {{"DISCARD LOW", "the lowest moles go first; or HIGH"},
                                {"DISCARD 2 1", "a 2 goes first, then a 1, then the lowest"}}},
    [PARK_FAVOUR] = {.word = "FAVOUR",
                     .other = "FAVOR",
                     .slot = ORDER_OWN,
                     .flags = ORDER_ONCE | ORDER_PASSED_OVER | ORDER_PASSES_BARRED,
                     .most = PARK_SEATS,
                     .alone = "NONE",
                     .noun = "player",
                     .nouns = "names of players",
                     .twice = "A player named twice counts once.",
                     .example = "FAVOUR NONE",
                     .barred_why =
                         "The King comes last in any tie, so your own name does not count.",
                     .guide = {{"FAVOUR <player> ...", "King Mole only: who wins ties"}}},
    [PARK_STYLE] = {.word = "STYLE",
                    .slot = ORDER_TEXT,
                    .flags = ORDER_PASSED_OVER,
                    .alone = "NONE",
                    .lead = "GO",
                    .nouns = "up to 30 letters, digits and blanks to the end of its line, "
                             "without words that begin an order",
                    .example = "STYLE The Old Digger",
                    .guide = {{"STYLE <text>", "King Mole only: what reports call you"},
                              {"STYLE <text> GO <text>", "and your own word for \"Go!\""}}}};

struct order_table park_table(const struct game_state *s, unsigned seat, bool judges)
{
	struct order_table t = {.count = PARK_KINDS,
	                        .fillers = "THE|MY|DIE|BOXING|FRYING|BAR|HOUSE|OF|NATION|READY|"
	                                   "FOR|FIRST|THEN|FRIENDS|AND|PLEASE|STARS|STAR|"
	                                   "MOLE'S|COLLECTION",
	                        .nnames = s->nseats,
	                        .state = s,
	                        .take = park_read_player,
	                        .write = park_write_players,
	                        .text_ok = park_style_ok};

	memcpy(t.rows, park_rows, sizeof park_rows);
	for (unsigned i = 1; i <= s->nseats; i++) {
		t.names[i - 1] = s->seats[i].name.text;
		if (i == seat || !park_plays(s, i))
			t.rows[PARK_CLAIMS].barred |= 1U << i;
	}
	t.rows[PARK_FAVOUR].barred = 1U << seat;
	if (judges && s->seats[seat].hand.count == 0)
		t.rows[PARK_CLAIMS].not_now =
		    "needs at least one mole in your hand, and you have none.";
	for (unsigned kind = PARK_FAVOUR; kind <= PARK_STYLE && seat != s->king; kind++) {
		t.rows[kind].not_now = "is read from King Mole only, and that is";
		t.rows[kind].not_now_who = s->seats[s->king].name.text;
	}
	return t;
}

void park_no_orders(const struct game_state *s, unsigned seat, struct order_set *out)
{
	memset(out, 0, sizeof *out);
	out->rows[PARK_WISHES] = s->seats[seat].wishes;
	out->rows[PARK_DISCARD] = s->seats[seat].discard;
	out->rows[PARK_FAVOUR] = s->favour;
	memcpy(out->text, s->style.text, sizeof out->text);
}

bool park_read_orders(const struct game_state *s, unsigned seat, struct span before,
                      const struct tables *tables, struct span text, struct strbuf *canonical,
                      struct diags *diags)
{
	struct order_table t = park_table(s, seat, true);
	struct order_set said, all;

	(void)tables;
	if (!before.ptr || !park_parse_orders(s, seat, before, &all) || all.resign)
		park_no_orders(s, seat, &all);
	if (!order_rows_read(&t, seat_in(park_owes(s), seat), park_plays(s, seat), false, text,
	                     &all, &said, canonical, diags))
		return false;
	if (!all.resign && !span_eq(strbuf_span(canonical), text)) {
		struct strbuf words = STRBUF_INIT;

		park_echo(s, &all, said.named, &words);
		diags_add(diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "", "%s", words.ptr);
		strbuf_release(&words);
		park_warn(s, seat, &all, diags);
	}
	return true;
}

bool park_parse_orders(const struct game_state *s, unsigned seat, struct span canonical,
                       struct order_set *out)
{
	struct order_table t = park_table(s, seat, false);

	return order_rows_parse(&t, canonical, out);
}

void park_write_orders(const struct game_state *s, unsigned seat, const struct order_set *o,
                       struct strbuf *canonical)
{
	struct order_table t = park_table(s, seat, false);

	order_rows_write(&t, o, false, canonical);
}
