/*
 * fuzz_mole_orders.c - any bytes as a mail of the coin game.
 *
 * Whatever is read must be canonical: reading it again gives the same bytes and no complaint;
 * and it can be carried out. The first byte chooses the position, the rest is the mail.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/mole/mole.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tables no_tables = {NULL, 0};
static const struct rules *const rules = &mole_1;

static struct game_state *make_game(void)
{
	static const struct seat_names names = {.count = 2, .names = {"", "Ann", "Bob"}};
	struct chance *chance = chance_from_seed(1, "fuzz");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	ENSURE(rules->new_game(&options, &names, chance, &s, &why));
	chance_free(chance);
	arena_free(arena);
	return s;
}

/* The start, a middle, Gad, and a mole with a mignette above and one below. */
static void choose_position(struct game_state *s, unsigned which)
{
	static const int mm[4][MOLE_COINS][2] = {
	    {{150, 130}, {90, 360}, {150, 360}, {210, 360}},
	    {{150, 300}, {60, 470}, {250, 500}, {200, 100}},
	    {{150, 300}, {150, 323}, {250, 500}, {200, 100}},
	    {{150, 300}, {150, 323}, {150, 277}, {200, 100}}};

	s->now.first_go = which % 4 == 0;
	s->now.side = which % 4 < 2 && which % 8 < 4 ? SIDE_MIGNETTES : SIDE_MOLE;
	if (s->now.first_go)
		s->now.side = SIDE_MIGNETTES;
	for (unsigned i = 0; i < MOLE_COINS; i++) {
		s->now.coins.coin[i].x = (int64_t)mm[which % 4][i][0] * MOLE_MM * MOLE_SCALE;
		s->now.coins.coin[i].y = (int64_t)mm[which % 4][i][1] * MOLE_MM * MOLE_SCALE;
	}
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

static void play(const struct game_state *s, unsigned seat, struct span canonical)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;

	memset(orders, 0, sizeof orders);
	orders[seat].canonical = canonical;
	ENSURE(rules->resolve(s, orders, NULL, &next, &why));
	rules->free_state(next);
	strbuf_release(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct game_state *s;
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct span text;
	unsigned seat;

	if (size == 0)
		return 0;
	s = make_game();
	choose_position(s, data[0]);
	seat = mole_seat_to_play(s);
	text = (struct span){(const char *)data + 1, size - 1};
	if (rules->read_orders(s, seat, SPAN_EMPTY, &no_tables, text, &canonical, &diags)) {
		read_again(s, seat, strbuf_span(&canonical));
		play(s, seat, strbuf_span(&canonical));
	}
	strbuf_release(&canonical);
	diags_release(&diags);
	rules->free_state(s);
	return 0;
}
