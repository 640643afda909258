/*
 * park.c - a round of Mole Park for eight: how many a second, and what takes the time.
 *
 * Real positions of games that bots play, a round of each: the state is read, the round
 * resolved, the next state written, and a report made for each of the eight, as the server does
 * it turn by turn. Each part is also timed by itself, in turns with the whole. No disk, no
 * mail.
 *
 * BENCH_GAMES=20 BENCH_ROUNDS=15
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"
#include "tests/support/bench.h"

enum { SEATS = 8, MOST_POSITIONS = 2000 };

static const struct rules *const rules = &mole_park_1;
static const struct tables no_tables = {NULL, 0};

/* A round to be played: the position before it as text, and everybody's orders. */
struct position {
	struct strbuf text, orders[SEATS + 1];
	struct game_state *state, *next;
};

struct park {
	struct position *positions;
	unsigned count;
	struct arena *arena;
};

static struct game_state *new_game(unsigned seed)
{
	static const struct seat_names names = {
	    .count = SEATS,
	    .names = {"", "Ann", "Bob", "Cid", "Dora", "Eve", "Finn", "Gil", "Hakon"}};
	struct chance *chance = chance_from_seed(seed, "set-up");
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s;

	options_init(&options, rules);
	if (!rules->new_game(&options, &names, chance, &s, &why))
		BUG("%s", why.ptr);
	chance_free(chance);
	return s;
}

static struct game_state *resolve(const struct position *p, const struct game_state *s,
                                  unsigned seed)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(seed, "round");
	struct game_state *next;
	struct strbuf why = STRBUF_INIT;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= SEATS; seat++)
		orders[seat].canonical = strbuf_span(&p->orders[seat]);
	if (!rules->resolve(s, orders, chance, &next, &why))
		BUG("%s", why.ptr);
	chance_free(chance);
	return next;
}

static void set_position(struct position *p, const struct game_state *s, unsigned seed)
{
	strbuf_init(&p->text);
	rules->encode(s, &p->text);
	for (unsigned seat = 1; seat <= SEATS; seat++) {
		struct chance *chance = chance_from_seed(seed, "bot");

		strbuf_init(&p->orders[seat]);
		rules->sample_orders(s, seat, 1 + seat % 3, &no_tables, chance,
		                     &p->orders[seat]);
		chance_free(chance);
	}
}

static void play_game(struct park *k, unsigned seed)
{
	struct game_state *s = new_game(seed);
	unsigned round = 0;

	while (rules->owes(s).bits && k->count < MOST_POSITIONS) {
		struct position *p = &k->positions[k->count++];

		set_position(p, s, seed * 100 + round++);
		p->state = s;
		p->next = resolve(p, s, k->count);
		s = resolve(p, s, k->count);
	}
	rules->free_state(s);
}

static void decode_all(void *ctx)
{
	struct park *k = ctx;

	for (unsigned i = 0; i < k->count; i++) {
		struct strbuf why = STRBUF_INIT;
		struct game_state *s;

		if (!rules->decode(strbuf_span(&k->positions[i].text), &s, &why))
			BUG("%s", why.ptr);
		rules->free_state(s);
	}
}

static void resolve_all(void *ctx)
{
	struct park *k = ctx;

	for (unsigned i = 0; i < k->count; i++)
		rules->free_state(resolve(&k->positions[i], k->positions[i].state, i + 1));
}

static void encode_all(void *ctx)
{
	struct park *k = ctx;
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < k->count; i++) {
		strbuf_clear(&text);
		rules->encode(k->positions[i].next, &text);
	}
	strbuf_release(&text);
}

static void view_for_all(struct park *k, const struct game_state *s)
{
	for (unsigned seat = 1; seat <= SEATS; seat++) {
		struct doc doc;

		doc_init(&doc, k->arena);
		rules->view(s, seat, &doc);
		arena_clear(k->arena);
	}
}

static void view_all(void *ctx)
{
	struct park *k = ctx;

	for (unsigned i = 0; i < k->count; i++)
		view_for_all(k, k->positions[i].next);
}

static void play_all(void *ctx)
{
	struct park *k = ctx;
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < k->count; i++) {
		struct strbuf why = STRBUF_INIT;
		struct game_state *s, *next;

		if (!rules->decode(strbuf_span(&k->positions[i].text), &s, &why))
			BUG("%s", why.ptr);
		next = resolve(&k->positions[i], s, i + 1);
		strbuf_clear(&text);
		rules->encode(next, &text);
		view_for_all(k, next);
		rules->free_state(s);
		rules->free_state(next);
	}
	strbuf_release(&text);
}

static void measure(struct park *k, unsigned rounds)
{
	static const struct bench_side parts[] = {{.name = "decode", .run = decode_all},
	                                          {.name = "resolve", .run = resolve_all},
	                                          {.name = "encode", .run = encode_all},
	                                          {.name = "view for eight", .run = view_all}};
	double whole_s = 0, resolve_s = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct bench_side part = parts[i];
		struct bench_side whole = {.name = "a whole round", .run = play_all};
		double part_s;

		bench_pair(&part, &whole, rounds, k);
		part_s = bench_median(&part, rounds);
		whole_s = bench_median(&whole, rounds);
		if (part.run == resolve_all)
			resolve_s = part_s;
		printf("park: %-14s %6.1f us, %4.1f %% of a round\n", part.name,
		       part_s / k->count * 1e6, 100 * part_s / whole_s);
	}
	bench_at_least("park: rounds of eight a second, resolved only", k->count / resolve_s,
	               5000);
	bench_at_least("park: rounds of eight a second, read, resolved, written, told to all",
	               k->count / whole_s, 1500);
}

int main(void)
{
	unsigned games = bench_size("BENCH_GAMES", 20);
	struct park k = {.positions = xcalloc(MOST_POSITIONS, sizeof(struct position)),
	                 .arena = arena_new()};

	seal_start();
	for (unsigned seed = 1; seed <= games; seed++)
		play_game(&k, seed);
	measure(&k, bench_size("BENCH_ROUNDS", 15));
	for (unsigned i = 0; i < k.count; i++) {
		strbuf_release(&k.positions[i].text);
		for (unsigned seat = 1; seat <= SEATS; seat++)
			strbuf_release(&k.positions[i].orders[seat]);
		rules->free_state(k.positions[i].state);
		rules->free_state(k.positions[i].next);
	}
	arena_free(k.arena);
	free(k.positions);
	return 0;
}
