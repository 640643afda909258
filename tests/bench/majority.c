/*
 * majority.c - turns of Mole Majority a second, on one core, with making up the orders and without.
 *
 * A hundred games for three are played once by bots of every level and their orders kept; then the
 * same orders are resolved again, and made up again, in turns. The limit of the ratio is for the
 * generator: making up a turn may cost ten times what resolving it costs.
 *
 * BENCH_GAMES=100 BENCH_ROUNDS=11
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"
#include "tests/support/bench.h"

static const struct rules *const rules = &mole_majority_1;

/* One turn as it was played. */
struct kept {
	struct game_state *before;
	unsigned seat, level;
	uint64_t seed;
	struct strbuf orders;
};

struct majority {
	struct kept *turns;
	size_t count, cap;
};

static struct game_state *new_game(uint64_t seed)
{
	static const struct seat_names names = {.count = 3, .names = {"", "Ann", "Bob", "Cid"}};
	struct chance *chance = chance_from_seed(seed, "game");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	ENSURE(options_parse(&options, SPAN_LIT("setup=auto"), arena, &why));
	ENSURE(rules->new_game(&options, &names, chance, &s, &why));
	chance_free(chance);
	arena_free(arena);
	return s;
}

static unsigned who(const struct game_state *s)
{
	return (unsigned)__builtin_ctz(rules->owes(s).bits) + 1;
}

static void make_orders(const struct kept *k, struct strbuf *out)
{
	struct chance *chance = chance_from_seed(k->seed, "bot");

	rules->sample_orders(k->before, k->seat, k->level, NULL, chance, out);
	chance_free(chance);
}

static struct game_state *resolve(const struct kept *k)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(k->seed, "turn");
	struct strbuf why = STRBUF_INIT;
	struct game_state *next = NULL;

	memset(orders, 0, sizeof orders);
	orders[k->seat].canonical = strbuf_span(&k->orders);
	ENSURE(rules->resolve(k->before, orders, chance, &next, &why));
	chance_free(chance);
	return next;
}

static void keep_game(struct majority *m, uint64_t seed)
{
	struct game_state *s = new_game(seed);

	while (rules->owes(s).bits) {
		struct kept *k;

		m->turns = xgrow(m->turns, &m->cap, m->count + 1, sizeof *m->turns);
		k = &m->turns[m->count++];
		*k = (struct kept){.before = s,
		                   .seat = who(s),
		                   .level = (unsigned)((seed + who(s)) % 4),
		                   .seed = seed * 1000 + rules->phase(s),
		                   .orders = STRBUF_INIT};
		make_orders(k, &k->orders);
		s = resolve(k);
	}
	rules->free_state(s);
}

static void resolve_all(void *ctx)
{
	const struct majority *m = ctx;

	for (size_t i = 0; i < m->count; i++)
		rules->free_state(resolve(&m->turns[i]));
}

static void make_and_resolve_all(void *ctx)
{
	const struct majority *m = ctx;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < m->count; i++) {
		strbuf_clear(&text);
		make_orders(&m->turns[i], &text);
		ENSURE(span_eq(strbuf_span(&text), strbuf_span(&m->turns[i].orders)));
		rules->free_state(resolve(&m->turns[i]));
	}
	strbuf_release(&text);
}

int main(void)
{
	struct bench_side plain = {.name = "resolved", .run = resolve_all};
	struct bench_side made = {.name = "made up and resolved", .run = make_and_resolve_all};
	unsigned games = bench_size("BENCH_GAMES", 100),
		 rounds = bench_size("BENCH_ROUNDS", 11);
	struct majority m = {NULL, 0, 0};
	double plain_s, made_s;

	seal_start();
	for (unsigned i = 1; i <= games; i++)
		keep_game(&m, i);
	bench_pair(&plain, &made, rounds, &m);
	plain_s = bench_median(&plain, rounds);
	made_s = bench_median(&made, rounds);
	printf(
	    "majority: %zu turns of %u games; %.0f turns a second resolved, %.0f made up and "
	    "resolved\n",
	    m.count, games, (double)m.count / plain_s, (double)m.count / made_s);
	bench_at_most("majority: making up a turn against resolving it",
	              (made_s - plain_s) / plain_s, 10.0);
	for (size_t i = 0; i < m.count; i++) {
		rules->free_state(m.turns[i].before);
		strbuf_release(&m.turns[i].orders);
	}
	free(m.turns);
	return 0;
}
