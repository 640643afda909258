/*
 * expected_text.c - texts compared with what is expected of them, by the cheapest way from one to the other.
 *
 * The way is found as in any diff, but that `...` takes in lines at no cost, and that a line may become
 * another that shares most of its words.
 */
#include "tests/support/expected_text.h"

#include <stdlib.h>

/* Costs. Above 0 even for lines that are alike, so that no way with a change is as cheap as one without. */
enum { SAME = 0, LIKE = 2, WRITTEN = 3, GONE = 4, NEVER = 1 << 28 };

enum move {
	MOVE_END,
	MOVE_SAME,
	MOVE_LIKE,
	MOVE_WRITTEN,
	MOVE_GONE,
	MOVE_TAKEN_IN,
	MOVE_CLOSED
};

struct lines {
	struct span *items;
	size_t n;
};

static void split(struct span text, struct lines *out)
{
	struct span line;

	out->items = xcalloc(span_count_char(text, '\n') + 1, sizeof(*out->items));
	for (out->n = 0; span_next_line(&text, &line);)
		out->items[out->n++] = line;
}

static bool is_elision(struct span line)
{
	return span_eq_str(line, "...");
}

struct span expected_text_line(struct span line)
{
	return span_starts(line, "\\") ? span_slice(line, 1, line.len) : line;
}

void expected_text_add_line(struct span line, struct strbuf *out)
{
	if (is_elision(line) || span_starts(line, "==== ") || span_starts(line, "\\"))
		strbuf_addc(out, '\\');
	strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
}

static bool same(struct span expected, struct span line)
{
	return !is_elision(expected) && span_eq(expected_text_line(expected), line);
}

/* Whether two lines share more than half of the words of the longer one. */
static bool alike(struct span a, struct span b)
{
	struct span rest = a, word, other;
	size_t na = 0, nb = 0, shared = 0;

	if (is_elision(a))
		return false;
	for (rest = b; span_next_word(&rest, "", &other);)
		nb++;
	while (span_next_word(&a, "", &word)) {
		na++;
		for (rest = b; span_next_word(&rest, "", &other);)
			if (span_eq(word, other)) {
				shared++;
				break;
			}
	}
	return 2 * shared > (na > nb ? na : nb);
}

bool expected_text_fits(struct span expected, struct span text)
{
	struct span want, line, after_elision = SPAN_EMPTY, retry = SPAN_EMPTY;
	bool elided = false;

	while (text.len > 0 || expected.len > 0) {
		struct span rest = expected, from = text;

		if (span_next_line(&rest, &want) && is_elision(want)) {
			elided = true;
			after_elision = expected = rest;
			retry = text;
			continue;
		}
		if (expected.len > 0 && span_next_line(&text, &line) && same(want, line)) {
			expected = rest;
			continue;
		}
		/* The last `...` takes in one more line. */
		text = from;
		if (!elided || !span_next_line(&retry, &line))
			return false;
		expected = after_elision;
		text = retry;
	}
	return true;
}

/* The cheapest way from line i of the expected text and line j of the other to their ends. */
struct way {
	struct lines want, got;
	unsigned *cost; /* (want.n + 1) * (got.n + 1) */
	unsigned char *move;
};

static size_t at(const struct way *w, size_t i, size_t j)
{
	return i * (w->got.n + 1) + j;
}

static void offer(struct way *w, size_t here, enum move move, unsigned cost)
{
	if (cost < w->cost[here]) {
		w->cost[here] = cost;
		w->move[here] = (unsigned char)move;
	}
}

static void find_way(struct span expected, struct span text, struct way *w)
{
	split(expected, &w->want);
	split(text, &w->got);
	w->cost = xcalloc((w->want.n + 1) * (w->got.n + 1), sizeof(*w->cost));
	w->move = xcalloc((w->want.n + 1) * (w->got.n + 1), 1);
	for (size_t i = w->want.n + 1; i-- > 0;)
		for (size_t j = w->got.n + 1; j-- > 0;) {
			size_t here = at(w, i, j);
			bool has_want = i < w->want.n, has_got = j < w->got.n;

			if (!has_want && !has_got)
				continue;
			w->cost[here] = NEVER;
			if (has_want && is_elision(w->want.items[i])) {
				offer(w, here, MOVE_CLOSED, w->cost[at(w, i + 1, j)]);
				if (has_got)
					offer(w, here, MOVE_TAKEN_IN, w->cost[at(w, i, j + 1)]);
				continue;
			}
			if (has_want && has_got && same(w->want.items[i], w->got.items[j]))
				offer(w, here, MOVE_SAME, w->cost[at(w, i + 1, j + 1)] + SAME);
			else if (has_want && has_got &&
			         alike(w->want.items[i], w->got.items[j]))
				offer(w, here, MOVE_LIKE, w->cost[at(w, i + 1, j + 1)] + LIKE);
			if (has_got)
				offer(w, here, MOVE_WRITTEN,
				      w->cost[at(w, i, j + 1)] + WRITTEN);
			if (has_want)
				offer(w, here, MOVE_GONE, w->cost[at(w, i + 1, j)] + GONE);
		}
}

static void free_way(struct way *w)
{
	free(w->want.items);
	free(w->got.items);
	free(w->cost);
	free(w->move);
}

/* One step of the way, its move returned. */
static enum move go(const struct way *w, size_t *i, size_t *j)
{
	enum move move = w->move[at(w, *i, *j)];

	*i += move == MOVE_SAME || move == MOVE_LIKE || move == MOVE_GONE ||
	      move == MOVE_CLOSED;
	*j += move == MOVE_SAME || move == MOVE_LIKE || move == MOVE_WRITTEN ||
	      move == MOVE_TAKEN_IN;
	return move;
}

void expected_text_renew(struct span old, struct span text, struct strbuf *out)
{
	struct way w;
	struct lines pending = {NULL, 0}; /* taken in by a `...` that may not stay */
	bool after_gone = false;
	enum move move;
	size_t i = 0, j = 0;

	find_way(old, text, &w);
	pending.items = xcalloc(w.got.n + 1, sizeof(*pending.items));
	while (i < w.want.n || j < w.got.n) {
		size_t line = j;

		switch (move = go(&w, &i, &j)) {
		case MOVE_TAKEN_IN:
			pending.items[pending.n++] = w.got.items[line];
			break;
		case MOVE_CLOSED:
			if (after_gone || (i < w.want.n && w.move[at(&w, i, j)] == MOVE_GONE))
				for (size_t k = 0; k < pending.n; k++)
					expected_text_add_line(pending.items[k], out);
			else
				strbuf_adds(out, "...\n");
			pending.n = 0;
			break;
		case MOVE_SAME:
		case MOVE_LIKE:
		case MOVE_WRITTEN:
			expected_text_add_line(w.got.items[line], out);
			break;
		case MOVE_GONE:
		case MOVE_END:
			break;
		}
		after_gone = move == MOVE_GONE || (after_gone && move == MOVE_TAKEN_IN);
	}
	free(pending.items);
	free_way(&w);
}

static void add_shown(const char *mark, struct span line, struct strbuf *out)
{
	strbuf_addf(out, "  %s%.*s\n", mark, SPAN_ARGS(line));
}

void expected_text_diff(struct span expected, struct span text, struct strbuf *out)
{
	struct way w;
	struct span before = SPAN_EMPTY;
	bool shows = false; /* the line before was one that differs */
	size_t i = 0, j = 0;

	find_way(expected, text, &w);
	while (i < w.want.n || j < w.got.n) {
		size_t a = i, b = j;
		enum move move = go(&w, &i, &j);
		bool differs = move == MOVE_LIKE || move == MOVE_WRITTEN || move == MOVE_GONE;

		if (move == MOVE_CLOSED)
			continue;
		if (differs && !shows && before.ptr)
			add_shown("  ", before, out);
		if (move == MOVE_LIKE || move == MOVE_GONE)
			add_shown("- ", w.want.items[a], out);
		if (move == MOVE_LIKE || move == MOVE_WRITTEN)
			add_shown("+ ", w.got.items[b], out);
		before = move == MOVE_GONE ? before : w.got.items[b];
		if (!differs && shows)
			add_shown("  ", before, out);
		shows = differs;
	}
	free_way(&w);
}
