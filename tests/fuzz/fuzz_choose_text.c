/*
 * fuzz_choose_text.c - any bytes as the texts of an answer, up to the orders of a game.
 *
 * What stands before the first NUL is the plain text, what stands behind it HTML. The orders that come
 * out must read as themselves, and quoted the same texts must order nothing.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "mail/text/charset.h"
#include "mail/text/html.h"
#include "processor/base/err.h"
#include "processor/base/seal.h"
#include "tests/support/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct game_state *new_game(const struct rules *rules)
{
	const struct seat_names names = {3, {NULL, "Ann", "Bob", "Cy"}};
	struct chance *chance = chance_from_seed(1, "fuzz");
	struct strbuf why = STRBUF_INIT;
	struct game_state *state = NULL;
	struct options options;

	options_init(&options, rules);
	ENSURE(rules->new_game(&options, &names, chance, &state, &why));
	chance_free(chance);
	strbuf_release(&why);
	return state;
}

/* mail.h promises clean text. */
static bool add_clean(struct charsets *c, struct span bytes, struct strbuf *out)
{
	bool guessed = false;

	return charset_decode(c, SPAN_LIT("utf-8"), bytes, out, &guessed);
}

/* The orders of the last text that was read, one set. */
static void check_orders(const struct reader_seat *at, struct span orders)
{
	struct strbuf again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	ENSURE(at->rules->read_orders(at->state, at->seat, SPAN_EMPTY, &at->tables, orders,
	                              &again, &diags));
	ENSURE(diags.count == 0 && span_eq(strbuf_span(&again), orders));
	strbuf_release(&again);
	diags_release(&diags);
}

static void read_texts(const struct reader_seat *at, struct mail_text *texts, size_t n,
                       bool may_order)
{
	struct mail_in mail = {.fault = MAIL_OK, .texts = texts, .ntexts = n};
	struct arena *arena = arena_new();
	struct reader_result r;

	reader_read(at, &mail, arena, &r);
	ENSURE(may_order || (r.orders.len == 0 && r.commands.len == 0));
	if (r.orders.len > 0 && span_find_char(strbuf_span(&r.orders), '\n') == r.orders.len)
		check_orders(at, strbuf_span(&r.orders));
	for (size_t i = 0; i < r.remarks.count; i++)
		ENSURE(r.remarks.items[i].message[0] != '\0' ||
		       r.remarks.items[i].level == DIAG_IGNORED);
	reader_release(&r);
	arena_free(arena);
}

static void quote(struct span text, struct strbuf *out)
{
	struct span line;

	while (span_next_line(&text, &line)) {
		strbuf_adds(out, "> ");
		strbuf_add_span(out, line);
		strbuf_addc(out, '\n');
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rules *rules = rules_find(SPAN_LIT("whakka-mole"));
	struct span all = {(const char *)data, size};
	size_t nul = span_find_char(all, '\0');
	struct strbuf plain = STRBUF_INIT, source = STRBUF_INIT, html = STRBUF_INIT,
		      quoted = STRBUF_INIT;
	struct charsets *charsets = charsets_new(CHARSETS_ALL);
	struct game_state *state;

	seal_start();
	state = new_game(rules);
	if (add_clean(charsets, span_slice(all, 0, nul), &plain) &&
	    add_clean(charsets, span_slice(all, nul + 1, size), &source)) {
		const struct reader_seat at = {.rules = rules, .state = state, .seat = 1};
		struct mail_text texts[2] = {{strbuf_span(&plain), false}, {SPAN_EMPTY, true}};

		html_to_text(strbuf_span(&source), HTML_WITHOUT_QUOTES, &html);
		texts[1].text = strbuf_span(&html);
		read_texts(&at, texts, html.len > 0 ? 2 : 1, true);
		quote(texts[0].text, &quoted);
		texts[0].text = strbuf_span(&quoted);
		read_texts(&at, texts, 1, false);
	}
	rules->free_state(state);
	charsets_free(charsets);
	strbuf_release(&plain);
	strbuf_release(&source);
	strbuf_release(&html);
	strbuf_release(&quoted);
	return 0;
}
