/*
 * test_analysis.c - chances to win in a game that has ended, of every kind of game.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/replay/analysis.h"
#include "tests/support/archives.h"
#include "tests/support/played.h"

/* A game of two to its end, opened from its archive. */
static struct archive *played_archive(const struct rules *rules, const char *options,
                                      struct played *p)
{
	struct strbuf text = STRBUF_INIT;
	struct archive *a = NULL;
	struct failure e = ERR_INIT;

	played_game_with(p, rules, options, 2, 60, 3);
	archive_write(&p->record, p->keys, &text);
	cr_assert_eq(archive_open(strbuf_span(&text), &a, &e), ERR_NONE, "%s", e.text.ptr);
	strbuf_release(&text);
	return a;
}

static void expect_whole(struct archive *a, const struct analysis *all)
{
	const struct analysis_turn *last = &all->turns[all->nturns - 1];
	struct game_result result;

	archive_rules(a)->result(archive_state(a, last->index, NULL), &result);
	for (size_t i = 0; i < all->nturns; i++) {
		const struct analysis_turn *t = &all->turns[i];
		int sum = 0;

		for (unsigned seat = 1; seat <= all->nseats; seat++) {
			cr_expect(t->chance[seat] >= 0 && t->chance[seat] <= 1000);
			sum += t->chance[seat];
			if (i > 0)
				cr_expect_eq(t->by_orders[seat] + t->by_luck[seat],
				             t->chance[seat] - all->turns[i - 1].chance[seat]);
		}
		cr_expect(sum <= 1000 && sum >= 1000 - 2 * (int)all->nseats, "turn %zu: %d", i,
		          sum);
		cr_expect_eq(t->number, all->turns[0].number + i);
	}
	for (unsigned seat = 1; seat <= all->nseats && result.over; seat++)
		cr_expect_eq(last->chance[seat] > 0, seat_in(result.winners, seat));
}

static void expect_moments(struct archive *a, const struct analysis *all, struct arena *arena)
{
	for (unsigned seat = 2; seat <= all->nseats; seat++) {
		struct analysis_moment m[ANALYSIS_MOMENTS], again[ANALYSIS_MOMENTS];
		size_t n = analysis_moments(a, all, seat, NULL, arena, m);

		cr_assert_leq(n, ANALYSIS_MOMENTS);
		cr_assert_eq(analysis_moments(a, all, seat, NULL, arena, again), n);
		for (size_t i = 0; i < n; i++) {
			cr_expect(i == 0 || m[i - 1].turn < m[i].turn);
			cr_expect(span_eq(m[i].advised, again[i].advised));
			cr_expect(m[i].gain == again[i].gain && m[i].error == again[i].error);
			cr_expect(m[i].advised.len == 0 ||
			          ((m[i].gain > m[i].error || m[i].wins >= 750) &&
			           !span_eq(m[i].advised, m[i].ordered)));
		}
	}
}

Test(analysis, of_any_game_adds_up_and_comes_out_the_same_again)
{
	static const char *const options[] = {"target=30", "", "", "target=1 lead=1 rounds=4",
	                                      ""};
	size_t kinds = 0;

	seal_start();
	for (size_t i = 0; i < rules_count(); i++) {
		struct strbuf why = STRBUF_INIT;
		struct analysis all, glance, again;
		struct played p;

		if (!archives_is_played(rules_at(i)))
			continue;
		struct arena *arena = arena_new();
		struct archive *a = played_archive(rules_at(i), options[kinds++], &p);

		cr_assert(analysis_make(a, false, arena, &all, &why), "%s", why.ptr);
		cr_assert(analysis_make(a, true, arena, &glance, &why), "%s", why.ptr);
		cr_assert(analysis_make(a, true, arena, &again, &why), "%s", why.ptr);
		cr_expect(all.games >= 10 && all.nturns > 2 && glance.nturns == all.nturns);
		cr_expect(glance.games > 0 && again.games == glance.games);
		cr_expect_leq(all.nturns, ANALYSIS_TURNS + 1);
		for (size_t t = 0; t < all.nturns; t++)
			cr_expect_arr_eq(glance.turns[t].chance, again.turns[t].chance,
			                 sizeof glance.turns[t].chance);
		expect_whole(a, &all);
		expect_whole(a, &glance);
		expect_moments(a, &all, arena);
		archive_free(a);
		played_release(&p);
		strbuf_release(&why);
		arena_free(arena);
	}
	cr_assert_eq(kinds, 5);
}

Test(analysis, of_a_game_that_goes_on_is_refused)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct archive *a = NULL;
	struct failure e = ERR_INIT;
	struct analysis all;
	struct played p;

	seal_start();
	played_game_with(&p, rules_find(SPAN_LIT("whakka mole")), "target=30", 2, 60, 3);
	struct record r = played_until(&p, 3);
	archive_write(&r, p.keys, &text);
	cr_assert_eq(archive_open(strbuf_span(&text), &a, &e), ERR_NONE, "%s", e.text.ptr);
	cr_expect_not(analysis_make(a, true, arena, &all, &why));
	cr_expect(strstr(why.ptr, "not ended"));
	archive_free(a);
	played_release(&p);
	strbuf_release(&text);
	strbuf_release(&why);
	arena_free(arena);
}
