/*
 * test_lengths.c - a copy of the database does not show by lengths how much somebody has ordered.
 */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/table.h"

/* Every sealed column whose text grows with orders, positions or draws. */
static const char *const lengths_of[] = {
    "SELECT group_concat(length(sealed_text)) FROM (SELECT * FROM orders ORDER BY 1, 2, 3, 4)",
    "SELECT group_concat(length(sealed_state)) FROM (SELECT * FROM results ORDER BY 1, 2)",
    "SELECT group_concat(length(sealed_chance)) FROM (SELECT * FROM results ORDER BY 1, 2)",
    "SELECT group_concat(length(sealed_outline)) FROM (SELECT * FROM outbox_outlines ORDER BY "
    "1)",
    "SELECT group_concat(length(sealed_message)) FROM (SELECT * FROM outbox_messages ORDER BY "
    "1)",
    "SELECT group_concat(length(sealed_text)) FROM (SELECT * FROM standing_orders ORDER BY 1, 2, 3)",
    "SELECT group_concat(length(sealed_detail)) FROM (SELECT * FROM inbox ORDER BY id)"};

static char *ask(struct testbed *s, const char *sql)
{
	char *path = testbed_path(s, "molepost.db"), *answer;
	sqlite3 *db;
	sqlite3_stmt *q;

	cr_assert_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK, "%s: %s", sql,
	             sqlite3_errmsg(db));
	cr_assert_eq(sqlite3_step(q), SQLITE_ROW);
	const unsigned char *text = sqlite3_column_text(q, 0);
	answer = xstrdup(text ? (const char *)text : "");
	sqlite3_finalize(q);
	sqlite3_close(db);
	free(path);
	return answer;
}

/* The receipts are made into words by the next run, and sent by it. */
static struct testbed *play(const char *orders)
{
	struct testbed *s = testbed_new("lengths");

	table_begin(s, "ann bob");
	testbed_reply(s, "ann", orders);
	testbed_reply(s, "ann", "always\npopup 1");
	testbed_run(s);
	return s;
}

Test(lengths, are_the_same_for_one_mole_and_for_many)
{
	struct testbed *few = play("popup 1\nwhack 9"),
		       *many = play("popup 1 2 3 4 5\nwhack 9");

	for (size_t i = 0; i < sizeof(lengths_of) / sizeof(lengths_of[0]); i++) {
		char *a = ask(few, lengths_of[i]), *b = ask(many, lengths_of[i]);

		cr_expect(strcmp(a, b) == 0, "%s:\n%s\n%s", lengths_of[i], a, b);
		free(a);
		free(b);
	}
	char *orders = ask(many, lengths_of[0]);
	cr_expect_str_eq(orders, "80");
	free(orders);
	testbed_free(few);
	testbed_free(many);
}
