/*
 * fuzz_boggle_orders.c - any bytes as a mail of Martian Boggle orders.
 *
 * Whatever is read must be canonical: reading it again, without the list, gives the same bytes
 * and no complaint; and it can be resolved. The first byte chooses the game, the rest is the
 * mail.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct rules *const rules = &martian_boggle_1;
static const struct tables no_tables = {NULL, 0};

static struct game_state *make_game(unsigned which)
{
	static const char *const games[] = {"", "diagonals=off", "unique=both words=2",
	                                    "scoring=craft maxturns=1"};
	static const struct seat_names names = {.count = 2, .names = {"", "Ann", "Bob"}};
	struct arena *arena = arena_new();
	struct chance *chance = chance_from_seed(which, "fuzz");
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	ENSURE(options_parse(&options, span_of(games[which % 4]), arena, &why));
	ENSURE(rules->new_game(&options, &names, chance, &s, &why));
	chance_free(chance);
	arena_free(arena);
	return s;
}

static void play_on(const struct game_state *s, unsigned seat, struct span canonical)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(1, "turn");
	struct strbuf why = STRBUF_INIT;
	struct game_state *next = NULL;

	memset(orders, 0, sizeof orders);
	orders[seat].canonical = canonical;
	ENSURE(rules->resolve(s, orders, chance, &next, &why));
	rules->free_state(next);
	chance_free(chance);
}

static void read_again(const struct game_state *s, unsigned seat, struct span canonical)
{
	struct strbuf again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	ENSURE(rules->read_orders(s, seat, SPAN_EMPTY, &no_tables, canonical, &again, &diags));
	ENSURE(span_eq(strbuf_span(&again), canonical));
	ENSURE(diags.count == 0);
	strbuf_release(&again);
	diags_release(&diags);
}

static void read_with(const struct game_state *s, const struct tables *tables, struct span text)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	for (unsigned seat = 1; seat <= 2; seat++) {
		if (!rules->read_orders(s, seat, SPAN_EMPTY, tables, text, &canonical, &diags))
			continue;
		read_again(s, seat, strbuf_span(&canonical));
		if (seat_in(rules->owes(s), seat))
			play_on(s, seat, strbuf_span(&canonical));
	}
	strbuf_release(&canonical);
	diags_release(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct table list = {"american", {"stone\nspell\nquick\n", 18}, {{0}}};
	const struct tables tables = {&list, 1};
	struct game_state *s;
	struct span text;

	if (size == 0)
		return 0;
	s = make_game(data[0]);
	text = (struct span){(const char *)data + 1, size - 1};
	read_with(s, &no_tables, text);
	read_with(s, &tables, text);
	rules->free_state(s);
	return 0;
}
