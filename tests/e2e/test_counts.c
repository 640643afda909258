/*
 * test_counts.c - what a run costs in things that can be counted: syncs, commits, libraries, looks
 * into folders. The times are for tests/bench; these numbers do not move with the noise.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/disk_calls.h"
#include "tests/support/preload.h"
#include "tests/support/scratch.h"
#include "tests/support/sql_log.h"
#include "tests/support/testbed_parts.h"

static struct testbed *testbed_of_games(unsigned games)
{
	struct testbed *s = testbed_new(NULL);

	crowd_games(s, games);
	return s;
}

Test(counts, a_thousand_order_mails_take_three_syncs_and_a_few_for_the_run)
{
	struct testbed *s = testbed_of_games(500);
	struct disk_calls c;

	crowd_mails(s, 500, 1000, programs_add_usual);
	int64_t begun = clock_monotonic_ms();
	disk_calls_of(s, "run --no-send", "", &c);
	unsigned seconds = (unsigned)((clock_monotonic_ms() - begun) / 1000);

	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM orders"), 1000);
	/* No transaction is open for much longer than a second: each second may end one. */
	cr_assert_leq(c.fsyncs + c.fdatasyncs, 3 + 5 + seconds,
	              "%u fsyncs, %u fdatasyncs in %u s", c.fsyncs, c.fdatasyncs, seconds);
	cr_assert_eq(c.renames, 1000);
	testbed_free(s);
}

/* Of what comes beside the mails, as many are allowed as five of them make. */
Test(counts, an_order_mail_asks_the_database_nineteen_things)
{
	enum { MAILS = 400, MOST_OF_ONE = 19 };
	struct testbed *s = testbed_of_games(MAILS / 2);
	char *name = scratch_path(s->scratch, "sql.log");
	struct preload p;
	struct ran r;

	crowd_mails(s, MAILS / 2, MAILS, programs_add_lean);
	preload_init(&p, "sql_record.so", "MOLEPOST_SQL_LOG", name);
	testbed_do(s, "run --no-send", p.env, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM orders"), MAILS);
	struct sql_log log = sql_log_open(name);
	unsigned n = sql_log_count_all(&log);
	cr_assert_leq(n, MOST_OF_ONE * (MAILS + 6), "%u statements", n);
	sql_log_close(&log);
	preload_release(&p);
	free(name);
	testbed_free(s);
}

/* The database in a folder of its own, so that the shim can tell its files from the mail. */
static void move_database(struct testbed *s)
{
	char *folder = testbed_path(s, "data"), *from = testbed_path(s, "molepost.db");
	char *to = testbed_path(s, "data/molepost.db");

	cr_assert_eq(file_mkdir(folder, NULL), ERR_NONE);
	crowd_sql(s, "PRAGMA wal_checkpoint(TRUNCATE)");
	cr_assert_eq(rename(from, to), 0);
	testbed_configure(s, "database = data/molepost.db");
	testbed_run(s);
	free(folder);
	free(from);
	free(to);
}

/* The only mail in new/, taken out into a file. */
static char *take_mail(struct testbed *s)
{
	char *folder = testbed_path(s, "mail/new"), *to = scratch_path(s->scratch, "mail");
	size_t n;
	char **names = folder_names(folder, &n);

	cr_assert_eq(n, 1);
	char *from = scratch_path(folder, names[0]);
	cr_assert_eq(rename(from, to), 0);
	free(names[0]);
	free(names);
	free(from);
	free(folder);
	return to;
}

/* SQLite syncs the folder at the first commit of a process, since it may have made the log there. */
enum { FOLDER_SYNC = 1 };

Test(counts, one_order_received_and_taken_in_is_one_sync_of_the_database_and_one_of_its_folder)
{
	struct testbed *s = testbed_of_games(1);
	struct disk_calls receive, run;
	char *mail;

	crowd_mails(s, 1, 1, programs_add_usual);
	mail = take_mail(s);
	move_database(s);
	s->input = mail;
	disk_calls_of(s, "receive", "data", &receive);
	s->input = NULL;
	disk_calls_of(s, "run --no-send", "data", &run);
	cr_assert_eq(receive.fsyncs + receive.fdatasyncs, 0);
	cr_assert_eq(run.fsyncs + run.fdatasyncs, 1 + FOLDER_SYNC, "%u fsyncs, %u fdatasyncs",
	             run.fsyncs, run.fdatasyncs);
	free(mail);
	testbed_free(s);
}

Test(counts, five_hundred_turns_are_resolved_in_ten_commits_at_most)
{
	struct testbed *s = testbed_of_games(500);
	struct disk_calls c;

	crowd_orders(s, 500);
	disk_calls_of(s, "run --no-send", "", &c);
	cr_assert_eq(
	    crowd_number(s, "SELECT count(*) FROM turns WHERE serial = 1 AND state = 3"), 500);
	cr_assert_leq(c.fsyncs + c.fdatasyncs, 10 + FOLDER_SYNC, "%u fsyncs, %u fdatasyncs",
	              c.fsyncs, c.fdatasyncs);
	testbed_free(s);
}

/* Counted is the payload of the rows of the table orders: every column, the seal included. */
Test(counts, a_stored_set_of_orders_is_at_most_three_times_its_text)
{
	struct testbed *s = testbed_of_games(200);
	int64_t text, rows;

	crowd_orders(s, 200);
	text = crowd_number(s, "SELECT sum(length(sealed_text) - 16) FROM orders");
	rows = crowd_number(s, "SELECT sum(payload) FROM dbstat WHERE name = 'orders'");
	cr_assert_leq(rows, 3 * text, "%lld bytes for %lld of text", (long long)rows,
	              (long long)text);
	testbed_free(s);
}

Test(counts, an_idle_run_writes_and_syncs_nothing)
{
	struct testbed *s = testbed_of_games(20);
	struct disk_calls c;

	testbed_run(s); /* sends the reports */
	disk_calls_of(s, "run", "", &c);
	cr_assert_eq(c.writes + c.fsyncs + c.fdatasyncs + c.renames + c.links, 0,
	             "%u writes, %u fsyncs, %u fdatasyncs, %u renames, %u links", c.writes,
	             c.fsyncs, c.fdatasyncs, c.renames, c.links);
	testbed_free(s);
}

/* Reading a folder is an access to it; opening it is none. */
static bool folder_is_read(struct testbed *s, const char *name)
{
	char *path = testbed_path(s, name);
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char events[4096];
	ssize_t n;

	cr_assert(watch >= 0 && inotify_add_watch(watch, path, IN_ACCESS) >= 0);
	testbed_run(s);
	n = read(watch, events, sizeof(events));
	close(watch);
	free(path);
	return n > 0;
}

Test(counts, an_idle_run_looks_into_new_but_not_into_cur)
{
	struct testbed *s = testbed_of_games(1);

	crowd_mails(s, 1, 2, programs_add_usual);
	testbed_run(s); /* now something lies in cur/ */
	cr_assert(folder_is_read(s, "mail/new"));
	cr_assert_not(folder_is_read(s, "mail/cur"));
	testbed_free(s);
}

/* What the dynamic linker says of the command and its children: LD_DEBUG writes a file per process. */
static void libraries_of(struct testbed *s, const char *words, struct strbuf *out)
{
	char *folder = scratch_path(s->scratch, "ld");
	struct strbuf env = STRBUF_INIT;
	struct ran r;
	size_t n;
	char **names;

	cr_assert_eq(file_mkdir(folder, NULL), ERR_NONE);
	strbuf_addf(&env, "LD_DEBUG_OUTPUT=%s/of", folder);
	testbed_do(s, words, (const char *const[]){"LD_DEBUG=files", env.ptr, NULL}, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	names = folder_names(folder, &n);
	for (size_t i = 0; i < n; i++) {
		char *path = scratch_path(folder, names[i]);

		cr_assert_eq(file_read(path, 64 << 20, out, NULL), ERR_NONE);
		unlink(path);
		free(path);
		free(names[i]);
	}
	free(names);
	free(folder);
	strbuf_release(&env);
}

Test(counts, an_idle_run_maps_neither_libetpan_nor_libcurl)
{
	struct testbed *s = testbed_of_games(1);
	struct strbuf loaded = STRBUF_INIT;

	testbed_run(s);
	libraries_of(s, "run", &loaded);
	cr_assert(strstr(loaded.ptr, "libsqlite3"), "the test does not see what is loaded");
	cr_assert_not(strstr(loaded.ptr, "libetpan"));
	cr_assert_not(strstr(loaded.ptr, "libcurl"));
	strbuf_release(&loaded);
	testbed_free(s);
}
