/*
 * orders.c - the orders of Whakka Mole, declared: POPUP and WHACK.
 *
 * Trusts: diagnostics speak only of the text and of the options, which everybody knows.
 */
#include "processor/games/whakka_mole/whakka.h"

const struct order_row whakka_rows[WHAKKA_KINDS] = {
    {.word = "POPUP",
     .slot = ORDER_NUMBER,
     .flags = ORDER_SORTED | ORDER_JOINS,
     .min = 1,
     .alone = "NONE",
     .noun = "hole",
     .nouns = "holes",
     .twice = "A hole named twice counts once.",
     .example = "POPUP 3",
     .omitted = "You named no hole to pop up in, so this stands as POPUP NONE.",
     .guide = {{"POPUP <hole> <hole> ...", "moles pop up in these holes"},
               {"POPUP NONE", "no mole pops up"}}},
    {.word = "WHACK",
     .slot = ORDER_NUMBER,
     .min = 1,
     .most = 1,
     .alone = "NONE",
     .noun = "hole",
     .nouns = "holes",
     .example = "WHACK 3",
     .omitted = "You named no hole to whack, so this stands as WHACK NONE.",
     .guide = {{"WHACK <hole>", "whack this hole of the sheet to your left"},
               {"WHACK NONE", "do not whack"}}}};

/* On sheets of so many holes, `most` of them in a POPUP. */
static struct order_table table_of(unsigned holes, unsigned most)
{
	struct order_table t = {.rows = {whakka_rows[WHAKKA_POPUP], whakka_rows[WHAKKA_WHACK]},
	                        .count = WHAKKA_KINDS,
	                        .fillers_before = "HOLE|HOLES"};

	t.rows[WHAKKA_POPUP].max = t.rows[WHAKKA_WHACK].max = holes;
	t.rows[WHAKKA_POPUP].most = most;
	return t;
}

static struct order_set set_of(const struct whakka_orders *o)
{
	struct order_set set = {.resign = o->resign, .named = 3};

	for (unsigned h = 1; h <= WHAKKA_HOLES; h++)
		if (o->popup >> (h - 1) & 1)
			set.rows[WHAKKA_POPUP].items[set.rows[WHAKKA_POPUP].count++] =
			    (unsigned char)h;
	set.rows[WHAKKA_WHACK] =
	    (struct order_value){.count = o->whack > 0, .items = {(unsigned char)o->whack}};
	return set;
}

bool whakka_read_orders(const struct game_state *s, unsigned seat, struct span before,
                        const struct tables *tables, struct span text, struct strbuf *canonical,
                        struct diags *diags)
{
	struct order_table t = table_of(s->setup.holes, s->setup.maxtokens);
	struct order_set all = {.named = 0};
	bool had = before.ptr && order_rows_parse(&t, before, &all) && !all.resign;

	(void)tables;
	if (!had)
		all = (struct order_set){.named = 0};
	return order_rows_read(&t, seat_in(whakka_owes(s), seat), whakka_plays(s, seat), had,
	                       text, &all, NULL, canonical, diags);
}

void whakka_write_orders(const struct whakka_orders *o, struct strbuf *canonical)
{
	struct order_table t = table_of(WHAKKA_HOLES, WHAKKA_HOLES);
	struct order_set set = set_of(o);

	order_rows_write(&t, &set, false, canonical);
}

void whakka_write_holes(uint32_t holes, struct strbuf *out)
{
	struct order_table t = table_of(WHAKKA_HOLES, WHAKKA_HOLES);
	struct order_set set = set_of(&(struct whakka_orders){.popup = holes});

	order_row_write(&t, WHAKKA_POPUP, &set, out);
}

bool whakka_parse_orders(struct span canonical, unsigned nholes, struct whakka_orders *out)
{
	struct order_table t = table_of(nholes, nholes);
	struct order_set set;
	bool ok = order_rows_parse(&t, canonical, &set);
	const struct order_value *popup = &set.rows[WHAKKA_POPUP];

	*out = (struct whakka_orders){.resign = set.resign,
	                              .whack = set.rows[WHAKKA_WHACK].items[0]};
	for (unsigned i = 0; i < popup->count; i++)
		out->popup |= 1U << (popup->items[i] - 1);
	return ok;
}
