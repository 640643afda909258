/*
 * strength.c - how often a bot of one level beats bots of another, and how long each thinks.
 *
 * Seats change from game to game, so that nobody gains by where they sit. With two players a draw counts
 * half; with more, one of the higher level sits among others of the lower one, and the place is told as a
 * share: 1 when it is always first, 0 when always last, 0.5 when the levels do not differ.
 *
 * The time is of one decision, the mean over a game; its peer is a search of one ply, that is the cost of
 * level 1 in the same game.
 *
 * BENCH_GAMES=1000 BENCH_KIND=0 (all; 1 is the first of the registry) BENCH_SEED=1
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/games/registry.h"
#include "tests/support/bench.h"

enum { LIST_MAX = 1 << 24 };
static const char list_file[] = "/usr/share/dict/american-english";

/* Two levels at a table, and what is wanted of the higher one. */
struct contest {
	unsigned high, low;
	double least; /* 0: only told */
};

static const struct contest contests[] = {{3, 1, 0.9}, {3, 2, 0.7}, {2, 1, 0}, {1, 0, 0}};

struct matchup {
	const struct rules *rules;
	struct tables tables;
	unsigned seats;
	double spent_s[BOT_LEVEL_BEST + 1];
	unsigned decisions[BOT_LEVEL_BEST + 1];
	double longest_s;
};

static double cpu_now(void)
{
	struct timespec t;

	ENSURE(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct game_state *begin(const struct matchup *a, uint64_t seed)
{
	static const struct seat_names names = {
	    .names = {"", "Ann", "Bob", "Cid", "Dora", "Eve", "Finn"}};
	struct seat_names here = names;
	struct chance *chance = chance_from_seed(seed, "game");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	here.count = a->seats;
	options_init(&options, a->rules);
	if (!options_bind(&options, &a->tables, arena, &why) ||
	    !a->rules->new_game(&options, &here, chance, &s, &why))
		BUG("no game: %s", why.ptr);
	chance_free(chance);
	arena_free(arena);
	return s;
}

/* As the server asks its bots: from what the seat knows, by a key of its own. */
static void decide(struct matchup *a, const struct game_state *s, unsigned seat, unsigned level,
                   uint64_t seed, struct strbuf *out)
{
	struct hash key;
	double before = cpu_now(), took;
	char text[64];

	snprintf(text, sizeof text, "%llu %u %u", (unsigned long long)seed, a->rules->phase(s),
	         seat);
	key = hash_of(span_of(text));
	rules_bot_orders(a->rules, a->rules->bots_version, s, seat, level, &a->tables, &key,
	                 out, NULL);
	took = cpu_now() - before;
	a->spent_s[level] += took;
	a->decisions[level]++;
	a->longest_s = took > a->longest_s ? took : a->longest_s;
}

static void play_turn(struct matchup *a, struct game_state **s, unsigned high_seat,
                      const struct contest *c, uint64_t seed)
{
	struct strbuf texts[MAX_SEATS + 1];
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct strbuf why = STRBUF_INIT;
	struct game_state *next = NULL;
	struct chance *chance = chance_from_seed(seed * 4096 + a->rules->phase(*s), "turn");

	for (unsigned seat = 1; seat <= a->seats; seat++) {
		strbuf_init(&texts[seat]);
		if (!seat_in(a->rules->owes(*s), seat))
			continue;
		decide(a, *s, seat, seat == high_seat ? c->high : c->low, seed, &texts[seat]);
		orders[seat] = (struct seat_orders){strbuf_span(&texts[seat]), ORDER_BOT};
	}
	if (!a->rules->resolve(*s, orders, chance, &next, &why))
		BUG("not resolved: %s", why.ptr);
	for (unsigned seat = 1; seat <= a->seats; seat++)
		strbuf_release(&texts[seat]);
	a->rules->free_state(*s);
	*s = next;
	chance_free(chance);
	strbuf_release(&why);
}

/* 1: first of all; 0: last; those of the same place share it. */
static double share_of(const struct game_result *r, unsigned seat)
{
	double beaten = 0;

	for (unsigned other = 1; other <= r->nseats; other++)
		if (other != seat)
			beaten += r->ranks[other] > r->ranks[seat]    ? 1
			          : r->ranks[other] == r->ranks[seat] ? 0.5
			                                              : 0;
	return beaten / (r->nseats - 1);
}

static double contest(struct matchup *a, const struct contest *c, unsigned games, uint64_t seed)
{
	double sum = 0;

	for (unsigned g = 0; g < games; g++) {
		uint64_t of_game = (seed << 32) + g;
		struct game_state *s = begin(a, of_game);
		unsigned high = 1 + g % a->seats;
		struct game_result result = {0};

		while (!result.over) {
			play_turn(a, &s, high, c, of_game);
			a->rules->result(s, &result);
		}
		sum += share_of(&result, high);
		a->rules->free_state(s);
	}
	return sum / games;
}

static void contests_of(const struct rules *rules, const struct table *list, unsigned seats,
                        unsigned games, uint64_t seed)
{
	struct matchup a = {.rules = rules, .tables = {list, 1}, .seats = seats};
	char line[100];

	for (size_t i = 0; i < sizeof contests / sizeof *contests; i++) {
		const struct contest *c = &contests[i];
		double share = contest(&a, c, games, seed);

		snprintf(line, sizeof line,
		         "strength: %s, %u players, level %u against level %u", rules->name,
		         seats, c->high, c->low);
		if (c->least > 0 && seats == 2)
			bench_at_least(line, share, c->least);
		else
			printf("%s: %.3f\n", line, share);
	}
	for (unsigned level = 1; level <= BOT_LEVEL_BEST; level++)
		printf(
		    "strength: %s, %u players, a decision of level %u: %.3f ms, %.1f of level "
		    "1\n",
		    rules->name, seats, level, 1e3 * a.spent_s[level] / a.decisions[level],
		    a.spent_s[level] / a.decisions[level] * a.decisions[1] / a.spent_s[1]);
	snprintf(line, sizeof line, "strength: %s, %u players, the longest decision in ms",
	         rules->name, seats);
	bench_at_most(line, 1e3 * a.longest_s, 200);
}

int main(void)
{
	unsigned games = bench_size("BENCH_GAMES", 1000), kind = bench_size("BENCH_KIND", 0);
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct table list = {.name = "american"};

	seal_start();
	if (file_read(list_file, LIST_MAX, &text, &e) != ERR_NONE)
		BUG("%s: %s", list_file, e.text.ptr);
	list.text = strbuf_span(&text);
	list.hash = hash_of(list.text);
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *r = rules_at(i);

		if (kind != 0 && kind != i + 1)
			continue;
		contests_of(r, &list, r->min_seats > 2 ? r->min_seats : 2, games,
		            bench_size("BENCH_SEED", 1));
		if (r->max_seats >= 4)
			contests_of(r, &list, 4, games, bench_size("BENCH_SEED", 1));
	}
	strbuf_release(&text);
	err_release(&e);
	return 0;
}
