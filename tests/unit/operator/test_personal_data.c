/*
 * test_personal_data.c - everything stored about one person, cell by cell.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/strbuf.h"
#include "store/inbox.h"
#include "store/operator/personal_data.h"
#include "tests/support/temp_store.h"

static void begin_part(void *ctx, const char *part)
{
	strbuf_addf(ctx, "== %s\n", part);
}

static void add_row(void *ctx, const struct personal_cell *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(ctx, "%s=%s%.*s;", cells[i].name,
		            cells[i].kind == CELL_NONE ? "none" : "", SPAN_ARGS(cells[i].text));
	strbuf_addc(ctx, '\n');
}

static void read_all(struct temp_store *t, int64_t player, bool sealed, struct strbuf *out)
{
	struct personal_visitor v = {.part = begin_part, .row = add_row, .ctx = out};

	strbuf_clear(out);
	OK(t, personal_data(t->s, player, sealed, t->arena, &v));
}

static bool has(const struct strbuf *text, const char *words)
{
	return strstr(text->ptr, words) != NULL;
}

/* A sealed cell is two columns, also when there is nothing in it: what stands behind it stays in its place. */
Test(store_personal_data, a_cell_without_a_text_is_one_cell)
{
	struct temp_store t;
	struct strbuf text = STRBUF_INIT;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t ann = temp_player(&t, "ann@example.net");
	struct inbox_mail m = {.source = SPAN_LIT("maildir:x"),
	                       .transport_id = SPAN_LIT("1"),
	                       .arrived_utc = 1000,
	                       .player = ann,
	                       .verdict = SPAN_LIT("command"),
	                       .purge_utc = 77};
	OK(&t, inbox_add(t.s, &m, &id));
	m.transport_id = SPAN_LIT("2");
	m.identity.bytes = m.identity.words = hash_of(SPAN_LIT("another"));
	m.detail = SPAN_LIT("carried out");
	m.purge_utc = 88;
	OK(&t, inbox_add(t.s, &m, &id));
	OK(&t, store_commit(t.s));
	read_all(&t, ann, false, &text);
	cr_expect(has(&text, "verdict=command;detail=none;original_goes_utc=77;\n"), "%s",
	          text.ptr);
	cr_expect(has(&text, "verdict=command;detail=carried out;original_goes_utc=88;\n"),
	          "%s", text.ptr);
	strbuf_release(&text);
	temp_store_close(&t);
}

/* What others must not learn before the end of a game stays closed, unless it is asked for. */
Test(store_personal_data, orders_of_a_game_that_goes_on_are_closed)
{
	struct temp_store t;
	struct strbuf text = STRBUF_INIT;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t g = temp_game(&t, GAME_RUNNING, 2);
	temp_orders(&t, g, 1, 1, "POPUP 1\n");
	OK(&t, store_commit(t.s));
	temp_store_raw(&t, "INSERT INTO seat_holders (game, seat, serial, player)"
	                   " SELECT game, seat, 0, player FROM seats");
	int64_t player = temp_store_number(
	    &t, "SELECT player FROM seats WHERE seat = 1 ORDER BY game LIMIT 1");
	read_all(&t, player, false, &text);
	cr_expect(has(&text, "revision=1;") && has(&text, "text=none;\n"), "%s", text.ptr);
	cr_expect_not(has(&text, "POPUP 1"));
	read_all(&t, player, true, &text);
	cr_expect(has(&text, "text=POPUP 1"), "%s", text.ptr);
	strbuf_release(&text);
	temp_store_close(&t);
}
