/*
 * puzzles.c - rows of puzzles.
 */
#include "store/puzzles.h"

#include "store/engine/row.h"

static const struct row_shape puzzle_row = ROW_SHAPE(
    struct puzzle,
    COLUMNS(struct puzzle, week, tries, done, game, seat, position, orders, wins, gain));

enum err puzzle_get(struct store *s, int64_t week, struct arena *arena, struct puzzle *out)
{
	return row_get(s,
	               "SELECT week, tries, done, game, seat, position, orders, wins, gain"
	               " FROM puzzles WHERE week = ?",
	               ARGS(week), &puzzle_row, arena, out, "such puzzle");
}

enum err puzzle_before(struct store *s, int64_t week, struct arena *arena, struct puzzle *out)
{
	*out = (struct puzzle){0};
	return row_find(s,
	                "SELECT week, tries, done, game, seat, position, orders, wins, gain"
	                " FROM puzzles WHERE week < ? AND game IS NOT NULL"
	                " ORDER BY week DESC LIMIT 1",
	                ARGS(week), &puzzle_row, arena, out);
}

enum err puzzle_begin(struct store *s, int64_t week)
{
	return row_do(s,
	              "INSERT INTO puzzles (week, tries) VALUES (?, 1)"
	              " ON CONFLICT (week) DO UPDATE SET tries = puzzles.tries + 1",
	              ARGS(week));
}

enum err puzzle_end(struct store *s, const struct puzzle *p)
{
	return row_do_one(
	    s,
	    "UPDATE puzzles SET done = 1, game = ?, seat = ?, position = ?,"
	    " orders = ?, wins = ?, gain = ? WHERE week = ?",
	    ARGS(row_ref(p->game), p->seat, p->position, p->orders, p->wins, p->gain, p->week),
	    "such puzzle");
}

enum err puzzle_readers(struct store *s, struct arena *arena, int64_t **out, size_t *n)
{
	return row_list(s,
	                "SELECT id FROM players WHERE puzzles = 1 AND blocked = 0"
	                " AND forgotten = 0 ORDER BY id",
	                NO_ARGS, &row_int64, arena, out, n);
}

enum err puzzle_games(struct store *s, size_t max, int64_t *out, size_t *n)
{
	return row_fill(s,
	                "SELECT id FROM games WHERE counted = 1 AND is_private = 0"
	                " AND origin = 0 AND id NOT IN (SELECT game FROM puzzles"
	                " WHERE game IS NOT NULL) ORDER BY ended_utc DESC, id DESC",
	                NO_ARGS, &row_int64, out, max, n);
}
