/*
 * strength.c - how often a bot of one level beats bots of the level below, and how long each thinks.
 *
 * Seats change from game to game, so that nobody gains by where they sit. With two players a draw counts
 * half; with more, one of the higher level sits among others of the lower one, and the place is told as a
 * share: 1 when it is always first, 0 when always last, 0.5 when the levels do not differ. Behind each share
 * stand its error (twice the standard deviation of the mean) and the Elo points that it comes to between two.
 *
 * BENCH_GAMES=200 BENCH_KIND=0 (all; 1 is the first of the registry) BENCH_SEATS=0 (2, and 4 where they may)
 * BENCH_HIGH=0 BENCH_LOW=0 (each level against the one below) BENCH_SEED=1
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"
#include "tests/support/bench.h"

enum { LIST_MAX = 1 << 24 };
static const char list_file[] = "/usr/share/dict/american-english";

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
	bot_orders(a->rules, a->rules->bots_version, s, seat, level, &a->tables, &key, out,
	           NULL);
	took = cpu_now() - before;
	a->spent_s[level] += took;
	a->decisions[level]++;
	a->longest_s = took > a->longest_s ? took : a->longest_s;
}

static void play_turn(struct matchup *a, struct game_state **s, unsigned high_seat,
                      unsigned high, unsigned low, uint64_t seed)
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
		decide(a, *s, seat, seat == high_seat ? high : low, seed, &texts[seat]);
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

/* The mean share of the higher level, and its error; and how many turns a game took. */
struct outcome {
	double share, error, turns;
};

static struct outcome contest(struct matchup *a, unsigned high, unsigned low, unsigned games,
                              uint64_t seed)
{
	double sum = 0, squares = 0, turns = 0;

	for (unsigned g = 0; g < games; g++) {
		uint64_t of_game = (seed << 32) + g;
		struct game_state *s = begin(a, of_game);
		unsigned seat = 1 + g % a->seats;
		struct game_result result = {0};

		while (!result.over) {
			play_turn(a, &s, seat, high, low, of_game);
			a->rules->result(s, &result);
			turns++;
		}
		sum += share_of(&result, seat);
		squares += share_of(&result, seat) * share_of(&result, seat);
		a->rules->free_state(s);
	}
	const double mean = sum / games;
	return (struct outcome){mean, 2 * sqrt((squares / games - mean * mean) / games),
	                        turns / games};
}

static double elo(double share)
{
	share = share < 0.001 ? 0.001 : share > 0.999 ? 0.999 : share;
	return 400 * log10(share / (1 - share));
}

static void tell_contest(struct matchup *a, unsigned high, unsigned low, unsigned games)
{
	struct outcome o = contest(a, high, low, games, bench_size("BENCH_SEED", 1));

	printf("strength: %s, %u players, level %u against %u: %.3f +- %.3f, %+.0f Elo "
	       "(%.0f to %.0f), %.0f turns a game\n",
	       a->rules->name, a->seats, high, low, o.share, o.error, elo(o.share),
	       elo(o.share - o.error), elo(o.share + o.error), o.turns);
	fflush(stdout);
}

static void contests_of(const struct rules *rules, const struct table *list, unsigned seats,
                        unsigned games)
{
	struct matchup a = {.rules = rules, .tables = {list, 1}, .seats = seats};
	unsigned high = bench_size("BENCH_HIGH", 0);
	char line[100];

	if (high)
		tell_contest(&a, high, bench_size("BENCH_LOW", high - 1), games);
	for (unsigned level = 2; level <= BOT_LEVEL_BEST && !high; level++)
		tell_contest(&a, level, level - 1, games);
	for (unsigned level = 0; level <= BOT_LEVEL_BEST; level++)
		if (a.decisions[level])
			printf("strength: %s, %u players, a decision of level %u: %.3f ms\n",
			       rules->name, seats, level,
			       1e3 * a.spent_s[level] / a.decisions[level]);
	snprintf(line, sizeof line, "strength: %s, %u players, the longest decision in ms",
	         rules->name, seats);
	bench_at_most(line, 1e3 * a.longest_s, 200);
}

int main(void)
{
	unsigned games = bench_size("BENCH_GAMES", 200), kind = bench_size("BENCH_KIND", 0),
		 seats = bench_size("BENCH_SEATS", 0);
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
		if (seats == 0 || seats == 2)
			contests_of(r, &list, 2, games);
		if (r->max_seats >= 4 && (seats == 0 || seats == 4))
			contests_of(r, &list, 4, games);
	}
	strbuf_release(&text);
	err_release(&e);
	return 0;
}
