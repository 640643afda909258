/*
 * word_scan.c - trying everything.
 */
#include "tests/support/word_scan.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"

struct ways {
	squares *pieces;
	size_t count, cap;
};

static void keep_way(void *context, squares pieces, const struct boggle_orders *moves)
{
	struct ways *w = context;

	(void)moves;
	w->pieces = xgrow(w->pieces, &w->cap, w->count + 1, sizeof *w->pieces);
	w->pieces[w->count++] = pieces;
}

static unsigned points_of(const struct game_state *s, const char *tiles, squares pieces)
{
	struct boggle_word w = {.group = boggle_largest_group(pieces, s->setup.diagonals)};

	memcpy(w.tiles, tiles, sizeof w.tiles);
	return boggle_points(&s->setup, &w);
}

/* Every way on which this word can be spelled. */
static bool try_word(const struct game_state *s, const struct ways *ways, const char *word,
                     struct word_scan *out)
{
	char letters[BOGGLE_PIECES + 1], tiles[BOGGLE_LETTERS + 1], lacking;
	bool found = false;

	for (size_t i = 0; i < ways->count; i++) {
		unsigned points;

		boggle_letters(s->board, ways->pieces[i], letters);
		if (!boggle_spells(letters, word, tiles, &lacking))
			continue;
		found = true;
		points = points_of(s, tiles, ways->pieces[i]);
		out->points = points > out->points ? points : out->points;
	}
	return found;
}

void word_scan(const struct game_state *s, struct span list, struct word_scan *out)
{
	struct ways ways = {NULL, 0, 0};
	char word[BOGGLE_LETTERS + 1];

	memset(out, 0, sizeof *out);
	boggle_each_way(s, keep_way, &ways);
	while (boggle_next_word(&list, word))
		if (!boggle_word_is_used(s, boggle_mover(s, s->turn), word))
			out->count += try_word(s, &ways, word, out);
	free(ways.pieces);
}

static struct game_state *first_position(uint64_t seed, const char *option_text)
{
	static const struct seat_names names = {.count = 2, .names = {"", "Ann", "Bob"}};
	struct chance *chance = chance_from_seed(seed, "set-up");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct game_state *s = NULL;
	struct options o;

	options_init(&o, &martian_boggle_1);
	if (!options_parse(&o, span_of(option_text), arena, &why) ||
	    !martian_boggle_1.new_game(&o, &names, chance, &s, &why))
		BUG("%s", why.ptr);
	chance_free(chance);
	arena_free(arena);
	return s;
}

static struct game_state *next_position(struct game_state *s, uint64_t seed,
                                        const struct tables *tables)
{
	unsigned mover = boggle_mover(s, s->turn);
	struct chance *chance = chance_from_seed(seed + s->turn, "turn");
	struct chance *mind = chance_from_seed(seed + s->turn, "mind");
	struct seat_orders orders[MAX_SEATS + 1] = {{SPAN_EMPTY, ORDER_SENT}};
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct game_state *next = NULL;

	martian_boggle_1.sample_orders(s, mover, 2, tables, mind, &text);
	orders[mover].canonical = strbuf_span(&text);
	if (!martian_boggle_1.resolve(s, orders, chance, &next, &why))
		BUG("%s", why.ptr);
	martian_boggle_1.free_state(s);
	chance_free(chance);
	chance_free(mind);
	strbuf_release(&text);
	return next;
}

struct game_state *word_scan_position(uint64_t seed, const char *options, struct span list)
{
	const struct table table = {"american", list, {{0}}};
	const struct tables tables = {&table, 1};
	struct game_state *s = first_position(seed, options);

	for (unsigned i = 0; i < seed % 6; i++)
		s = next_position(s, seed, &tables);
	return s;
}
