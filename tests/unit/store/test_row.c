/*
 * test_row.c - rows written and read by their shape; and each mistake in one is found at its first use.
 */
#include <criterion/criterion.h>
#include <signal.h>

#include "store/engine/row.h"
#include "tests/support/temp_store.h"

/* As many kinds of columns as a table of the schema has that needs no others. */
struct trouble_like {
	struct span name, line;
	int64_t since_utc, told_utc;
	unsigned sent_utc;
	bool is_over;
};

static const struct row_shape shape =
    ROW_SHAPE(struct trouble_like,
              COLUMNS(struct trouble_like, name, line, since_utc, told_utc, sent_utc, is_over));

#define ALL "SELECT name, line, since_utc, told_utc, sent_utc, is_over FROM troubles"

static void open_with_rows(struct temp_store *t)
{
	static const char sql[] =
	    "INSERT INTO troubles (name, line, since_utc, told_utc, sent_utc, is_over)"
	    " VALUES (?, ?, ?, ?, ?, ?)";

	temp_store_open(t);
	OK(t, store_begin(t->s));
	for (int i = 0; i < 12; i++) {
		struct trouble_like one = {.name = span_of(arena_printf(t->arena, "n%02d", i)),
		                           .line = SPAN_LIT("so it is"),
		                           .since_utc = 5000000000 + i,
		                           .told_utc = -1,
		                           .sent_utc = (unsigned)i,
		                           .is_over = i % 2 == 1};

		OK(t, row_put(t->s, sql, &shape, &one));
	}
}

Test(row, what_is_put_is_read_again_as_one_as_a_list_and_into_an_array)
{
	struct temp_store t;
	struct trouble_like one, *all;
	int64_t times[5];
	size_t n;
	bool yes;

	open_with_rows(&t);
	OK(&t, row_list(t.s, ALL " ORDER BY name", NO_ARGS, &shape, t.arena, &all, &n));
	cr_assert_eq(n, 12);
	for (unsigned i = 0; i < n; i++) {
		cr_assert(span_eq_str(all[i].name, arena_printf(t.arena, "n%02u", i)));
		cr_assert(span_eq_str(all[i].line, "so it is"));
		cr_assert_eq(all[i].since_utc, 5000000000 + i);
		cr_assert_eq(all[i].told_utc, -1);
		cr_assert_eq(all[i].sent_utc, i);
		cr_assert_eq(all[i].is_over, i % 2 == 1);
	}
	OK(&t, row_get(t.s, ALL " WHERE name = ? AND sent_utc = ? AND is_over = ?",
	               ARGS("n03", 3, true), &shape, t.arena, &one, "such trouble"));
	cr_assert_eq(one.since_utc, 5000000003);
	OK(&t, row_fill(t.s, "SELECT since_utc FROM troubles WHERE is_over = ? ORDER BY name",
	                ARGS(false), &row_int64, times, 5, &n));
	cr_assert_eq(n, 5);
	cr_assert_eq(times[4], 5000000008);
	OK(&t, row_exists(t.s, "SELECT 1 FROM troubles WHERE name = ?", ARGS(SPAN_LIT("n11")),
	                  &yes));
	cr_assert(yes);
	temp_store_close(&t);
}

Test(row, where_there_is_none_get_says_so_and_find_gives_zeros)
{
	struct temp_store t;
	struct trouble_like one = {.since_utc = 7}, *all = &one;
	unsigned rows;
	size_t n = 7;
	bool yes = true;

	open_with_rows(&t);
	cr_assert_eq(row_get(t.s, ALL " WHERE since_utc = ?", ARGS(6), &shape, t.arena, &one,
	                     "such trouble"),
	             ERR_NOT_FOUND);
	cr_assert_str_eq(store_error(t.s)->text.ptr, "no such trouble");
	cr_assert_eq(one.since_utc, 7);
	OK(&t, row_find(t.s, ALL " WHERE since_utc = ?", ARGS(6), &shape, t.arena, &one));
	cr_assert_eq(one.since_utc, 0);
	OK(&t, row_list(t.s, ALL " WHERE since_utc = ?", ARGS(6), &shape, t.arena, &all, &n));
	cr_assert(all == NULL && n == 0);
	OK(&t, row_exists(t.s, ALL " WHERE since_utc = ?", ARGS(6), &yes));
	cr_assert_not(yes);
	OK(&t, row_do(t.s, "DELETE FROM troubles WHERE since_utc = ?", ARGS(6)));
	cr_assert_eq(row_do_one(t.s, "DELETE FROM troubles WHERE since_utc = ?", ARGS(6), "x"),
	             ERR_NOT_FOUND);
	OK(&t, row_do_count(t.s, "DELETE FROM troubles WHERE is_over = ?", ARGS(true), &rows));
	cr_assert_eq(rows, 6);
	temp_store_close(&t);
}

Test(row, null_is_zero_and_a_number_that_does_not_fit_is_damage)
{
	struct temp_store t;
	int64_t number = 7;
	unsigned small;

	open_with_rows(&t);
	OK(&t, row_do(t.s, "UPDATE players SET address = ? WHERE id = ?",
	              ARGS(row_text_or_null(SPAN_EMPTY), row_ref(0))));
	OK(&t, row_get(t.s, "SELECT min(since_utc) FROM troubles WHERE name = ?", ARGS("none"),
	               &row_int64, NULL, &number, "row"));
	cr_assert_eq(number, 0);
	cr_assert_eq(row_get(t.s, "SELECT since_utc FROM troubles WHERE name = 'n01'", NO_ARGS,
	                     &row_uint, NULL, &small, "row"),
	             ERR_CORRUPT);
	cr_assert_eq(row_get(t.s, "SELECT told_utc FROM troubles WHERE name = 'n01'", NO_ARGS,
	                     &row_uint, NULL, &small, "row"),
	             ERR_CORRUPT);
	/* Of an expression SQLite has nothing declared: there its values tell. */
	if (!store_is_url(t.path))
		cr_assert_eq(row_find(t.s, "SELECT upper(name) FROM troubles", NO_ARGS,
		                      &row_uint, NULL, &small),
		             ERR_CORRUPT);
	temp_store_close(&t);
}

/* ---------------------------------------------------------------- mistakes */

Test(row, a_parameter_too_few_is_a_bug, .signal = SIGABRT)
{
	struct temp_store t;
	bool yes;

	open_with_rows(&t);
	OK(&t, row_exists(t.s, ALL " WHERE name = ? AND line = ?", ARGS("n01"), &yes));
}

Test(row, a_parameter_too_many_is_a_bug, .signal = SIGABRT)
{
	struct temp_store t;

	open_with_rows(&t);
	OK(&t, row_do(t.s, "DELETE FROM troubles WHERE name = ?", ARGS("n01", 2)));
}

Test(row, a_column_too_few_is_a_bug_even_where_there_is_no_row, .signal = SIGABRT)
{
	struct temp_store t;
	struct trouble_like one;

	open_with_rows(&t);
	OK(&t, row_find(t.s, "SELECT name, line, since_utc FROM troubles WHERE name = 'none'",
	                NO_ARGS, &shape, t.arena, &one));
}

Test(row, a_column_too_many_is_a_bug, .signal = SIGABRT)
{
	struct temp_store t;
	unsigned n;

	open_with_rows(&t);
	OK(&t, row_find(t.s, "SELECT sent_utc, told_utc FROM troubles", NO_ARGS, &row_uint,
	                NULL, &n));
}

Test(row, a_text_read_as_a_number_is_a_bug, .signal = SIGABRT)
{
	struct temp_store t;
	unsigned n;

	open_with_rows(&t);
	OK(&t, row_find(t.s, "SELECT name FROM troubles", NO_ARGS, &row_uint, NULL, &n));
}

Test(row, a_number_read_as_a_text_is_a_bug, .signal = SIGABRT)
{
	struct temp_store t;
	struct span text;

	open_with_rows(&t);
	OK(&t,
	   row_find(t.s, "SELECT sent_utc FROM troubles", NO_ARGS, &row_text, t.arena, &text));
}

Test(row, a_place_of_another_size_is_a_bug, .signal = SIGABRT)
{
	struct temp_store t;
	int64_t n;

	open_with_rows(&t);
	OK(&t, row_find(t.s, "SELECT sent_utc FROM troubles", NO_ARGS, &row_uint, NULL, &n));
}
