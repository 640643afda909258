/*
 * test_store_copy.c - `molepost store copy`: all of a store, also when the copying was stopped before.
 *
 * Into a file; when tests run on PostgreSQL, from there and into another database there.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "store/engine/copy.h"
#include "tests/support/postgresql.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"
#include "tests/support/temp_store.h"

static void count_tables(void *ctx, unsigned done, unsigned total, const char *table)
{
	unsigned *most = ctx;

	(void)table;
	cr_assert_lt(done, total);
	*most = total;
}

/* A table that a later migration makes must not be forgotten. */
Test(store_copy, has_every_table_there_is)
{
	struct failure e = ERR_INIT;
	struct temp_store t;
	unsigned tables = 0;
	int64_t rows;

	temp_store_open(&t);
	char *to = scratch_path(t.dir, "copy");
	cr_assert_eq(store_copy(t.path, to, count_tables, &tables, &rows, &e), ERR_NONE, "%s",
	             e.text.ptr);
	cr_expect_eq(tables,
	             temp_store_number(&t, on_postgresql()
	                                       ? "SELECT count(*) FROM pg_tables WHERE"
	                                         " schemaname = 'public'"
	                                         " AND tablename <> 'molepost_schema'"
	                                       : "SELECT count(*) FROM sqlite_schema WHERE"
	                                         " type = 'table'"
	                                         " AND name NOT LIKE 'sqlite_%'"));
	free(to);
	err_release(&e);
	temp_store_close(&t);
}

/* A migration that is the same on both engines would make numbers of 32 bits there. */
Test(store_copy, numbers_have_64_bits_on_postgresql_too)
{
	struct temp_store t;

	if (!on_postgresql())
		return;
	temp_store_open(&t);
	cr_expect_eq(temp_store_number(&t,
	                               "SELECT count(*) FROM information_schema.columns WHERE"
	                               " table_schema = 'public' AND data_type = 'integer'"),
	             0);
	temp_store_close(&t);
}

static void play_a_turn(struct testbed *s)
{
	testbed_write(s, "ann", "create whakka mole players 3 bots 2\n");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 3, whack 5\n");
	testbed_run(s);
}

/* Whether the copying was over before it came so far. */
static bool copy_until(struct testbed *s, const char *from, const char *to, unsigned at)
{
	const char *argv[] = {"store", "copy", from, to, NULL};
	char stop[40];
	const char *env[] = {stop, NULL};
	struct ran r;

	snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", at);
	testbed_exec(s, argv, env, &r);
	bool over = r.signal == 0;
	cr_assert(over ? r.code == 0 : r.signal == SIGKILL, "%u: %s", at, r.err.ptr);
	ran_release(&r);
	return over;
}

static bool is_server(const char *name)
{
	struct failure e = ERR_INIT;
	struct store *store = NULL;
	enum err rc = store_open(name, STORE_READ_ONLY, NULL, &store, &e);

	store_close(store);
	err_release(&e);
	return rc == ERR_NONE;
}

/* In the place of the one it was copied from. */
static void use_copy(struct testbed *s, char *from, char *to)
{
	static const char *const logs[] = {"molepost.db-wal", "molepost.db-shm"};

	if (s->store) {
		free(testbed_use_store(s, to));
		postgresql_drop(from);
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		char *log = testbed_path(s, logs[i]);
		unlink(log);
		free(log);
	}
	cr_assert_eq(rename(to, from), 0);
	free(to);
}

/* Stopped at every seventh step: no server, or all of it; and it can be begun anew each time. */
Test(store_copy, that_was_stopped_begins_anew, .timeout = 300)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct testbed *s = testbed_new("stopped copy");
	char *from = s->store ? xstrdup(s->store) : testbed_path(s, "molepost.db");
	char *to = s->store ? postgresql_new() : scratch_path(s->scratch, "to.db");
	unsigned at = 3;

	play_a_turn(s);
	testbed_dump(s, &before);
	while (!copy_until(s, from, to, at) && !is_server(to))
		at += 7;
	cr_expect_gt(at, 100);
	use_copy(s, from, to);
	testbed_dump(s, &after);
	cr_expect_str_eq(after.ptr, before.ptr);
	expect_sound(s);
	free(from);
	strbuf_release(&before);
	strbuf_release(&after);
	testbed_free(s);
}
