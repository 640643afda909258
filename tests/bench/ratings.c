/*
 * ratings.c - what counting one more ended game costs with few and with many games stored, and what
 * working everything out anew costs.
 *
 * Both sides count the same number of games of four people each inside one transaction; one of the
 * two databases has BENCH_GAMES games more. Only the ratio of the sides has a limit.
 *
 * BENCH_GAMES=50000 BENCH_ROUNDS=5
 */
#include <stdio.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "processor/match/ratings_update.h"
#include "tests/support/bench.h"
#include "tests/support/temp_store.h"

enum { PEOPLE = 2000, AT_A_TIME = 500, AT_TABLE = 4 };

struct stock {
	struct temp_store t;
	int64_t first_player, end_utc;
	uint32_t seed;
};

static void must(struct stock *k, enum err rc)
{
	if (rc != ERR_NONE)
		BUG("%s", store_error(k->t.s)->text.ptr);
}

static void add_people(struct stock *k)
{
	must(k, store_begin(k->t.s));
	for (int i = 0; i < PEOPLE; i++) {
		int64_t id = temp_player(&k->t, arena_printf(k->t.arena, "p%d@example.org", i));

		if (i == 0)
			k->first_player = id;
	}
	must(k, store_commit(k->t.s));
}

/* A row of a game that is over, without seats and turns: counting looks at neither. */
static void add_game(struct stock *k, struct standings *one)
{
	struct hash secret = {{1}};
	struct game g = {.letter = 'W',
	                 .kind = SPAN_LIT("whakka-mole"),
	                 .status = GAME_OVER,
	                 .nseats = AT_TABLE,
	                 .started_utc = 1,
	                 .ended_utc = ++k->end_utc,
	                 .secret_hash = secret};

	must(k, game_add(k->t.s, &g, &secret));
	*one = (struct standings){.game = g.id, .ended_utc = g.ended_utc, .kind = g.kind};
}

static void count_some(struct stock *k, unsigned n)
{
	struct server srv = {.store = k->t.s};
	struct standings_place places[AT_TABLE];

	must(k, store_begin(k->t.s));
	for (unsigned i = 0; i < n; i++) {
		struct standings one;

		k->seed = k->seed * 1664525 + 1013904223;
		for (unsigned p = 0; p < AT_TABLE; p++)
			places[p] = (struct standings_place){
			    k->first_player + ((k->seed >> 8) + p * 37) % PEOPLE, 1 + p,
			    SPAN_LIT("+++~++-++++++++")};
		add_game(k, &one);
		one.places = places;
		one.n = AT_TABLE;
		must(k, ratings_update_add(&srv, &one, k->t.arena));
	}
	must(k, store_commit(k->t.s));
	arena_clear(k->t.arena);
}

struct both {
	struct stock few, many;
};

static void run_few(void *ctx)
{
	count_some(&((struct both *)ctx)->few, AT_A_TIME);
}

static void run_many(void *ctx)
{
	count_some(&((struct both *)ctx)->many, AT_A_TIME);
}

static void open_stock(struct stock *k, unsigned games)
{
	temp_store_open(&k->t);
	add_people(k);
	for (unsigned done = 0; done < games; done += AT_A_TIME)
		count_some(k, AT_A_TIME);
}

static void never(void *ctx, int64_t player)
{
	(void)ctx;
	BUG("the ratings of player %lld are wrong", (long long)player);
}

int main(void)
{
	unsigned games = bench_size("BENCH_GAMES", 50000);
	unsigned rounds = bench_size("BENCH_ROUNDS", 5);
	struct both both = {0};
	struct bench_side few = {.name = "few", .run = run_few};
	struct bench_side many = {.name = "many", .run = run_many};

	open_stock(&both.few, 1000);
	open_stock(&both.many, games);
	bench_pair(&few, &many, rounds, &both);
	printf("a game of four, counted with 1000 stored: %.1f us, with %u: %.1f us\n",
	       bench_median(&few, rounds) * 1e6 / AT_A_TIME, games,
	       bench_median(&many, rounds) * 1e6 / AT_A_TIME);
	bench_at_most("counting a game with many stored / with few",
	              bench_median(&many, rounds) / bench_median(&few, rounds), 1.5);
	double began = bench_now();
	struct server srv = {.store = both.many.t.s};
	must(&both.many, ratings_update_check(&srv, never, NULL));
	printf("working all %u out anew and comparing: %.2f s\n", games, bench_now() - began);
	temp_store_close(&both.few.t);
	temp_store_close(&both.many.t);
	return 0;
}
