/*
 * rating.c - reliability and rating.
 */
#include "processor/match/rating.h"

#include <stdlib.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"

/* ------------------------------------------------------------- reliability */

int64_t reliability_after(int64_t share, enum mark mark)
{
	int64_t worth = mark == MARK_IN_TIME ? RATING_WHOLE
	                : mark == MARK_LATE  ? RATING_WHOLE / 2
	                                     : 0;

	return share + (worth - share) / RELIABILITY_PARTS;
}

unsigned reliability_percent(int64_t share)
{
	return (unsigned)((share + RATING_WHOLE / 200) / (RATING_WHOLE / 100));
}

/* ------------------------------------------------------------------ rating */

enum { TABLE_GAP = 50 * RATING_POINT, TABLE_LAST = 8 };

/*
 * 1 / (1 + 10^(-d/400)), in thousandths, for d = 0, 50, ... 400 points: a table, because no two
 * libraries need agree on the last digit of a power.
 */
static const int64_t expected_table[TABLE_LAST + 1] = {500, 571, 640, 703, 760,
                                                       808, 849, 882, 909};

int64_t rating_expected(int64_t ahead)
{
	int64_t gap = ahead < 0 ? -ahead : ahead;

	if (gap > TABLE_GAP * TABLE_LAST)
		gap = TABLE_GAP * TABLE_LAST;
	int64_t at = gap / TABLE_GAP, rest = gap % TABLE_GAP;
	int64_t part = expected_table[at] * 1000;
	if (rest > 0)
		part += (expected_table[at + 1] - expected_table[at]) * 1000 * rest / TABLE_GAP;
	return ahead < 0 ? RATING_WHOLE - part : part;
}

long rating_points(int64_t rating)
{
	int64_t half = rating < 0 ? -RATING_POINT / 2 : RATING_POINT / 2;

	return (long)((rating + half) / RATING_POINT);
}

void rating_game(struct rated *all, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int64_t step = all[i].games < RATING_FIRST_GAMES ? RATING_FIRST_STEP
		                                                 : RATING_STEP;
		int64_t beyond = 0;

		for (size_t k = 0; k < n; k++)
			if (k != i)
				beyond += (all[i].rank < all[k].rank    ? RATING_WHOLE
				           : all[i].rank == all[k].rank ? RATING_WHOLE / 2
				                                        : 0) -
				          rating_expected(all[i].rating - all[k].rating);
		all[i].change = n < 2 ? 0 : step * beyond / (1000 * ((int64_t)n - 1));
	}
}

/* ------------------------------------------------------------------ ladder */

struct ladder {
	struct arena *arena; /* of the kinds */
	struct rating *rows;
	size_t n, cap;
	size_t *slots; /* 1 + index into rows, 0 = free; a power of two of them */
	size_t nslots;
};

enum { LADDER_SLOTS = 64 };

struct ladder *ladder_new(void)
{
	struct ladder *l = xcalloc(1, sizeof(*l));

	l->arena = arena_new();
	l->nslots = LADDER_SLOTS;
	l->slots = xcalloc(l->nslots, sizeof(*l->slots));
	return l;
}

void ladder_free(struct ladder *l)
{
	if (l == NULL)
		return;
	arena_free(l->arena);
	free(l->rows);
	free(l->slots);
	free(l);
}

size_t ladder_count(const struct ladder *l)
{
	return l->n;
}

const struct rating *ladder_at(const struct ladder *l, size_t i)
{
	return &l->rows[i];
}

static size_t slot_of(int64_t player, struct span kind)
{
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)player;

	for (size_t i = 0; i < kind.len; i++)
		h = (h ^ (unsigned char)kind.ptr[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h >> 20);
}

/* The slot that has this row, or the free one where it belongs. */
static size_t *find_slot(const struct ladder *l, int64_t player, struct span kind)
{
	size_t at = slot_of(player, kind) & (l->nslots - 1);

	while (l->slots[at] != 0) {
		const struct rating *r = &l->rows[l->slots[at] - 1];

		if (r->player == player && span_eq(r->kind, kind))
			break;
		at = (at + 1) & (l->nslots - 1);
	}
	return &l->slots[at];
}

struct rating *ladder_row(struct ladder *l, int64_t player, struct span kind)
{
	size_t *slot = find_slot(l, player, kind);

	if (*slot != 0)
		return &l->rows[*slot - 1];
	l->rows = xgrow(l->rows, &l->cap, l->n + 1, sizeof(*l->rows));
	l->rows[l->n++] = (struct rating){.player = player,
	                                  .kind = arena_dup(l->arena, kind),
	                                  .rating = RATING_START,
	                                  .provisional = true,
	                                  .share = RELIABILITY_START};
	*slot = l->n;
	if (2 * l->n > l->nslots) {
		free(l->slots);
		l->nslots *= 2;
		l->slots = xcalloc(l->nslots, sizeof(*l->slots));
		for (size_t i = 0; i < l->n; i++)
			*find_slot(l, l->rows[i].player, l->rows[i].kind) = i + 1;
	}
	return &l->rows[l->n - 1];
}

static void add_result(struct ladder *l, const struct standings *t, struct span kind)
{
	struct rated *all = xcalloc(t->n + 1, sizeof(*all));
	size_t n = 0, ranked = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (t->places[i].rank == 0)
			continue;
		ranked = i;
		const struct rating *r = ladder_row(l, t->places[i].player, kind);
		all[n++] = (struct rated){
		    .rank = t->places[i].rank, .rating = r->rating, .games = r->games};
	}
	if (n == 1) {
		/* Who alone has a rank has lost to the others, for whom the game does not count. */
		struct rated *each = xcalloc(t->n, sizeof(*each));

		for (size_t i = 0; i < t->n; i++) {
			size_t slot = *find_slot(l, t->places[i].player, kind);

			const struct rating *r = slot != 0 ? &l->rows[slot - 1] : NULL;
			each[i] = (struct rated){.rank = i == ranked ? 2 : 1,
			                         .rating = r ? r->rating : RATING_START,
			                         .games = r ? r->games : 0};
		}
		rating_game(each, t->n);
		struct rating *r = ladder_row(l, t->places[ranked].player, kind);
		r->rating += each[ranked].change;
		r->games++;
		r->provisional = r->games < RATING_FIRST_GAMES;
		free(each);
	}
	rating_game(all, n);
	for (size_t i = 0, k = 0; i < t->n && n > 1; i++) {
		if (t->places[i].rank == 0)
			continue;
		struct rating *r = ladder_row(l, t->places[i].player, kind);
		r->rating += all[k++].change;
		r->games++;
		r->wins += t->places[i].rank == 1;
		r->provisional = r->games < RATING_FIRST_GAMES;
	}
	free(all);
}

void ladder_add(struct ladder *l, const struct standings *t)
{
	for (size_t i = 0; i < t->n; i++) {
		struct rating *r = ladder_row(l, t->places[i].player, SPAN_EMPTY);
		struct span marks = t->places[i].marks;
		for (size_t k = 0; k < marks.len; k++) {
			enum mark mark = marks.ptr[k] == MARK_IN_TIME ? MARK_IN_TIME
			                 : marks.ptr[k] == MARK_LATE  ? MARK_LATE
			                                              : MARK_MISSED;

			r->share = reliability_after(r->share, mark);
			r->turns++;
			r->late += mark == MARK_LATE;
			r->missed += mark == MARK_MISSED;
		}
	}
	add_result(l, t, t->kind);
	add_result(l, t, SPAN_EMPTY);
}
