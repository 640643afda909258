/*
 * wins.c - how often advice (bot_advice) finds a win at once.
 *
 * Random games are played until there are enough positions in which a seat has orders that win the game at
 * once: of ASKED drawn by all levels, some win alone in at least ALMOST of WORLDS worlds that the seat cannot
 * tell from the real one, with others' orders and dice drawn anew in each, and in as many of others. The orders that
 * were "given" are careless ones that do so in less than HALF of them. Found is a win when the orders advised bring it as
 * often as the best that was drawn, but for a tenth. In Mole a match has one round.
 *
 * BENCH_POSITIONS=200 BENCH_KIND=0 (all; 1 is the first of the registry) BENCH_SEED=1
 */
#include <stdio.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"
#include "tests/support/bench.h"

enum {
	LIST_MAX = 1 << 24,
	ASKED = 150,
	WORLDS = 20,
	FRESH = 60,
	A_TENTH = 6,
	ALMOST = 16,
	HALF = 10,
	GAMES_MOST = 5000
};
static const char list_file[] = "/usr/share/dict/american-english";

static struct game_state *begin(const struct rules *rules, const struct tables *tables,
                                uint64_t seed)
{
	const struct seat_names names = {.count = 2, .names = {"", "Ann", "Bob"}};
	struct chance *chance = chance_from_seed(seed, "game");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	if (rules == &mole_1)
		ENSURE(
		    options_parse(&options, SPAN_LIT("target=1 lead=1 rounds=1"), arena, &why));
	if (!options_bind(&options, tables, arena, &why) ||
	    !rules->new_game(&options, &names, chance, &s, &why))
		BUG("no game: %s", why.ptr);
	chance_free(chance);
	arena_free(arena);
	return s;
}

static void draw(const struct rules *rules, const struct game_state *s, unsigned seat,
                 unsigned level, const struct tables *tables, uint64_t seed, struct strbuf *out)
{
	struct chance *chance = chance_from_seed(seed, "orders");

	strbuf_clear(out);
	rules->sample_orders(s, seat, level, tables, chance, out);
	chance_free(chance);
}

/* The next position; `own`: of `seat`, the others draw theirs. */
static struct game_state *play(const struct rules *rules, const struct game_state *s,
                               unsigned seat, struct span own, const struct tables *tables,
                               uint64_t seed)
{
	struct chance *chance = chance_from_seed(seed, "turn");
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct game_state *next = NULL;
	unsigned other = 3 - seat;

	if (seat_in(rules->owes(s), seat))
		orders[seat] = (struct seat_orders){own, ORDER_SENT};
	if (seat_in(rules->owes(s), other)) {
		draw(rules, s, other, 2, tables, seed, &text);
		orders[other] = (struct seat_orders){strbuf_span(&text), ORDER_SENT};
	}
	if (!rules->resolve(s, orders, chance, &next, &why))
		BUG("not resolved: %s", why.ptr);
	chance_free(chance);
	strbuf_release(&text);
	return next;
}

/* In how many of these worlds such orders win at once. */
static unsigned wins_of(const struct rules *rules, const struct game_state *s, unsigned seat,
                        struct span orders, const struct tables *tables, unsigned from,
                        unsigned worlds)
{
	unsigned wins = 0;

	for (unsigned i = from; i < from + worlds; i++) {
		struct chance *chance = chance_from_seed(i, "world");
		struct game_state *world = rules->resample(s, seat, chance),
				  *next = play(rules, world, seat, orders, tables, 1000 + i);
		struct game_result r = {0};

		rules->result(next, &r);
		wins += r.over && seat_in(r.winners, seat) && seat_count(r.winners) == 1;
		rules->free_state(next);
		rules->free_state(world);
		chance_free(chance);
	}
	return wins;
}

/* Orders that win in most worlds, and careless ones that do not. */
static bool find_position(const struct rules *rules, const struct game_state *s, unsigned seat,
                          const struct tables *tables, uint64_t seed, struct strbuf *best,
                          struct strbuf *careless)
{
	unsigned most = 0, asked = rules_use_tables(rules) ? ASKED / 10 : ASKED;
	struct strbuf text = STRBUF_INIT;
	bool given = false;

	for (unsigned i = 0; i < asked && most < WORLDS; i++) {
		draw(rules, s, seat, 3 - i % 4, tables, seed * 4096 + i, &text);
		unsigned wins = wins_of(rules, s, seat, strbuf_span(&text), tables, 0, WORLDS);

		if (wins <= most)
			continue;
		most = wins;
		strbuf_swap(best, &text);
	}
	strbuf_release(&text);
	/* Once more, for the best of many are so by luck too. */
	if (most < ALMOST || wins_of(rules, s, seat, strbuf_span(best), tables, WORLDS, FRESH) <
	                         FRESH * ALMOST / WORLDS)
		return false;
	for (unsigned i = 0; i < ASKED / 10 && !given; i++) {
		draw(rules, s, seat, 0, tables, seed * 4096 + 2048 + i, careless);
		given = wins_of(rules, s, seat, strbuf_span(careless), tables, 0, WORLDS) <
		        HALF;
	}
	return given;
}

struct tally {
	unsigned positions, found;
};

static void ask(const struct rules *rules, const struct game_state *s, unsigned seat,
                const struct tables *tables, uint64_t seed, struct tally *t)
{
	struct strbuf careless = STRBUF_INIT, best = STRBUF_INIT;

	if (find_position(rules, s, seat, tables, seed, &best, &careless)) {
		const struct hash key =
		    hash_of((struct span){(const char *)&seed, sizeof seed});
		struct advice advice = ADVICE_INIT;
		unsigned wins;

		bot_advice(rules, s, seat, tables, strbuf_span(&careless), &key, &advice);
		wins = advice.orders.len == 0
		           ? 0
		           : wins_of(rules, s, seat, strbuf_span(&advice.orders), tables,
		                     WORLDS, FRESH);
		t->positions++;
		t->found += wins + A_TENTH >=
		            wins_of(rules, s, seat, strbuf_span(&best), tables, WORLDS, FRESH);
		strbuf_release(&advice.orders);
	}
	strbuf_release(&careless);
	strbuf_release(&best);
}

static void find(const struct rules *rules, const struct tables *tables, unsigned positions)
{
	uint64_t seed = (uint64_t)bench_size("BENCH_SEED", 1) << 20;
	struct tally t = {0, 0};
	char line[100];

	for (unsigned game = 0; game < GAMES_MOST && t.positions < positions; game++) {
		struct game_state *s = begin(rules, tables, ++seed);
		struct game_result r = {0};

		while (!r.over && t.positions < positions) {
			unsigned seat = 1 + game % 2;
			struct strbuf own = STRBUF_INIT;

			if (seat_in(rules->owes(s), seat)) {
				ask(rules, s, seat, tables, ++seed, &t);
				draw(rules, s, seat, 2, tables, seed, &own);
			}
			struct game_state *next =
			    play(rules, s, seat, strbuf_span(&own), tables, ++seed);
			rules->free_state(s);
			strbuf_release(&own);
			s = next;
			rules->result(s, &r);
		}
		rules->free_state(s);
	}
	snprintf(line, sizeof line, "wins: %s, found of %u", rules->name, t.positions);
	bench_at_least(line, t.positions ? (double)t.found / t.positions : 0, 0.95);
}

int main(void)
{
	unsigned positions = bench_size("BENCH_POSITIONS", 200),
		 kind = bench_size("BENCH_KIND", 0);
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct table list = {.name = "american"};

	seal_start();
	if (file_read(list_file, LIST_MAX, &text, &e) != ERR_NONE)
		BUG("%s: %s", list_file, e.text.ptr);
	list.text = strbuf_span(&text);
	list.hash = hash_of(list.text);
	for (size_t i = 0; i < rules_count(); i++)
		if (kind == 0 || kind == i + 1)
			find(rules_at(i), &(struct tables){&list, 1}, positions);
	strbuf_release(&text);
	err_release(&e);
	return 0;
}
