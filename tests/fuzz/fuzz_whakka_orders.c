/*
 * fuzz_whakka_orders.c - any bytes as a mail of Whakka Mole orders.
 *
 * Whatever is read must be canonical: reading it again gives the same bytes and no complaint.
 * The first byte chooses the game's options, the rest is the mail.
 */
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tables no_tables = {NULL, 0};

static struct game_state *make_game(unsigned which)
{
	static const char *const games[] = {"seats=join", "seats=join holes=16",
	                                    "seats=join holes=4", "seats=join maxtokens=2"};
	static const struct seat_names names = {.count = 3, .names = {"", "Ann", "Bob", "Cid"}};
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, &whakka_mole_1);
	ENSURE(options_parse(&options, span_of(games[which % 4]), arena, &why));
	ENSURE(whakka_mole_1.new_game(&options, &names, NULL, &s, &why));
	arena_free(arena);
	return s;
}

static void read_again(const struct game_state *s, struct span canonical)
{
	struct strbuf again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	ENSURE(
	    whakka_mole_1.read_orders(s, 1, SPAN_EMPTY, &no_tables, canonical, &again, &diags));
	ENSURE(span_eq(strbuf_span(&again), canonical));
	ENSURE(diags.count == 0);
	strbuf_release(&again);
	diags_release(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct game_state *s;
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct span text;

	if (size == 0)
		return 0;
	s = make_game(data[0]);
	text = (struct span){(const char *)data + 1, size - 1};
	if (whakka_mole_1.read_orders(s, 1, SPAN_LIT("POPUP 1 2; WHACK 3"), &no_tables, text,
	                              &canonical, &diags))
		read_again(s, strbuf_span(&canonical));
	strbuf_release(&canonical);
	diags_release(&diags);
	whakka_mole_1.free_state(s);
	return 0;
}
