/*
 * fuzz_order_rows.c - any bytes as orders that are declared, whatever the rows say.
 *
 * The first bytes choose flags, bounds and what counts now, the rest is the mail. What is taken is written
 * in one form, which is read again to the same set, and draws no complaint.
 */
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/games/order_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KINDS = 5, CHOSEN = 2 * KINDS };

static const struct order_row rows[KINDS] = {
    {.word = "DIG",
     .slot = ORDER_NUMBER,
     .min = 1,
     .alone = "NONE",
     .noun = "hole",
     .nouns = "holes"},
    {.word = "THROW",
     .slot = ORDER_CHOICE,
     .min = 1,
     .most = 1,
     .choices = "PAN=POT|GLOVE",
     .alone = "NONE|TWICE"},
    {.word = "THROW",
     .slot = ORDER_CHOICE,
     .min = 1,
     .most = 1,
     .choices = "PAN=POT|GLOVE",
     .alone = "NONE",
     .tail = "IF SHOUT"},
    {.word = "SHOUT",
     .other = "CRY",
     .slot = ORDER_CHOICE,
     .choices = "A|B|C|NONE",
     .alone = "ANY|IF ANY=IF ALL|"},
    {.word = "NAME", .slot = ORDER_TEXT, .alone = "NONE", .nouns = "a name"}};

static bool is_name(struct span text)
{
	return text.len < 20 && text.ptr[0] >= 'a' && text.ptr[0] <= 'z' &&
	       span_find_char(text, ';') == text.len;
}

/* Flags that go together with each of the rows. */
static void vary(struct order_row *row, unsigned how, unsigned bounds)
{
	row->flags = how & (row->slot == ORDER_NUMBER ? ORDER_SORTED | ORDER_ONCE | ORDER_JOINS
	                                              : ORDER_ONCE);
	row->flags |= how & 64 ? ORDER_BOLD | ORDER_BOLD_OF_KIND : 0;
	row->flags |= row->tail ? ORDER_OPTIONAL : 0;
	row->most = row->most ? row->most : 1 + bounds % ORDER_ITEMS_MOST;
	row->max = row->slot == ORDER_NUMBER ? 1 + bounds / ORDER_ITEMS_MOST : 0;
	row->not_now = how & 16 ? "is not for now" : NULL;
	row->barred = how & 32 ? bounds : 0;
	row->barred_why = "takes something else.";
	row->example = row->twice = "DIG 1";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct order_table t = {
	    .count = KINDS, .fillers = "THE|MY", .fillers_before = "HOLE", .text_ok = is_name};
	struct strbuf canonical = STRBUF_INIT, again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct order_set all = {.named = 0}, parsed;

	if (size < CHOSEN)
		return 0;
	for (size_t i = 0; i < KINDS; i++) {
		t.rows[i] = rows[i];
		size_t as = rows[i].tail ? i - 1 : i; /* with a tail it takes the same */
		vary(&t.rows[i], data[2 * as], data[2 * as + 1]);
	}
	struct span text = {(const char *)data + CHOSEN, size - CHOSEN};
	if (order_rows_read(&t, true, true, false, text, &all, NULL, &canonical, &diags)) {
		diags_clear(&diags);
		ENSURE(order_rows_parse(&t, strbuf_span(&canonical), &parsed));
		all = (struct order_set){.named = 0};
		ENSURE(order_rows_read(&t, true, true, false, strbuf_span(&canonical), &all,
		                       NULL, &again, &diags));
		ENSURE(span_eq(strbuf_span(&again), strbuf_span(&canonical)));
		ENSURE(!diags_has_errors(&diags));
	}
	order_rows_parse(&t, text, &parsed);
	strbuf_release(&canonical);
	strbuf_release(&again);
	diags_release(&diags);
	return 0;
}
