/*
 * test_tx.c - transactions: whole or not at all, one writer at a time, and how often the
 * disk is asked.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/audit.h"
#include "store/engine/db.h"
#include "store/inbox.h"
#include "store/players.h"
#include "tests/support/temp_store.h"

/*
 * Every sync of this process passes here, SQLite's too: the dynamic linker prefers our symbol.
 */
static unsigned syncs;

int fdatasync(int fd);
int fsync(int fd);

int fdatasync(int fd)
{
	syncs++;
	return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
	syncs++;
	return (int)syscall(SYS_fsync, fd);
}

static void add(struct store *s, const char *what)
{
	cr_assert_eq(audit_add(s, 0, 0, "test", false, 1000, what), ERR_NONE);
}

static int64_t entries(struct temp_store *t)
{
	return temp_store_number(t, "SELECT count(*) FROM audit");
}

/* An answer that comes late must not be taken for that of another question, and be forgotten. */
Test(store_tx, a_row_that_was_expected_and_is_not_there_spoils_the_transaction)
{
	struct temp_store t;
	struct player p;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	struct query q = db_write(t.s, "UPDATE players SET name = 'x' WHERE id = ?");
	bind_int(&q, 99);
	enum err err = db_run_expected(&q, "such player");
	if (err == ERR_NONE) {
		cr_expect_eq(player_get(t.s, 98, t.arena, &p), ERR_CORRUPT);
		cr_expect_eq(store_commit(t.s), ERR_IO);
	} else {
		cr_expect_eq(err, ERR_CORRUPT);
		store_rollback(t.s);
	}
	OK(&t, store_begin(t.s));
	q = db_write(t.s, "UPDATE players SET name = 'x' WHERE id = ?");
	bind_int(&q, 99);
	err = db_run_expected(&q, "such player");
	cr_expect_eq(err == ERR_NONE ? store_commit(t.s) : err, ERR_CORRUPT);
	store_rollback(t.s);
	OK(&t, store_begin(t.s));
	add(t.s, "one");
	OK(&t, store_commit(t.s));
	cr_expect_eq(entries(&t), 1);
	temp_store_close(&t);
}

Test(store_tx, a_rollback_leaves_nothing)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	cr_assert(store_in_transaction(t.s));
	add(t.s, "one");
	store_rollback(t.s);
	cr_assert_not(store_in_transaction(t.s));
	store_rollback(t.s);
	cr_assert_eq(entries(&t), 0);
	OK(&t, store_begin(t.s));
	add(t.s, "two");
	OK(&t, store_commit(t.s));
	cr_assert_eq(entries(&t), 1);
	temp_store_close(&t);
}

Test(store_tx, closing_takes_back_what_is_not_committed)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	add(t.s, "one");
	temp_store_reopen(&t);
	cr_assert_eq(entries(&t), 0);
	temp_store_close(&t);
}

Test(store_tx, a_process_that_dies_inside_a_transaction_leaves_nothing)
{
	struct temp_store t;
	int status;
	pid_t child;

	temp_store_open(&t);
	child = fork();
	if (child == 0) {
		struct store *s = temp_store_second(&t, STORE_READ_WRITE);

		if (store_begin(s) == ERR_NONE)
			add(s, "never seen");
		kill(getpid(), SIGKILL);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFSIGNALED(status));
	cr_assert_eq(entries(&t), 0);
	OK(&t, store_begin(t.s));
	add(t.s, "seen");
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_tx, a_savepoint_takes_back_only_what_came_after_it)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	add(t.s, "kept");
	OK(&t, store_savepoint(t.s));
	add(t.s, "taken back");
	store_savepoint_rollback(t.s);
	store_savepoint_rollback(t.s); /* none is open: nothing happens */
	OK(&t, store_savepoint(t.s));
	add(t.s, "kept too");
	OK(&t, store_savepoint_release(t.s));
	OK(&t, store_commit(t.s));
	cr_assert_eq(entries(&t), 2);
	temp_store_close(&t);
}

/* At once, or by what is asked first. */
static void is_busy(struct store *s, enum err begun)
{
	int64_t id;

	if (begun == ERR_NONE)
		begun = inbox_next_id(s, &id);
	cr_expect_eq(begun, ERR_BUSY, "%s", store_error(s)->text.ptr);
	store_rollback(s);
}

Test(store_tx, a_second_writer_is_told_to_come_back)
{
	struct temp_store t;
	struct store *other;
	struct audit_entry *list;
	size_t n;

	temp_store_open(&t);
	other = temp_store_second(&t, STORE_READ_WRITE);
	OK(&t, store_begin(t.s));
	add(t.s, "one");
	cr_assert_eq(entries(&t), 1); /* a server has the lock with the first answer */
	is_busy(other, store_begin(other));
	cr_assert_not(store_in_transaction(other));
	is_busy(other, store_begin_relaxed(other));
	/* Readers are never in the way, and see what is committed. */
	cr_assert_eq(audit_list(other, 0, t.arena, &list, &n), ERR_NONE);
	cr_assert_eq(n, 0);
	OK(&t, store_commit(t.s));
	cr_assert_eq(store_begin(other), ERR_NONE);
	store_rollback(other);
	store_close(other);
	temp_store_close(&t);
}

/* The first of a process also syncs the folder, since SQLite may have made the log. */
Test(store_tx, one_commit_asks_the_disk_once_and_a_relaxed_one_never)
{
	struct temp_store t;

	OF_A_FILE;
	temp_store_open(&t);
	for (int run = 0; run < 3; run++) {
		OK(&t, store_begin(t.s));
		add(t.s, "the log has its header now");
		OK(&t, store_commit(t.s));
		syncs = 0;
		temp_store_reopen(&t);
		OK(&t, store_begin(t.s));
		add(t.s, "one");
		OK(&t, store_commit(t.s));
		cr_assert_eq(syncs, 2, "run %d: %u", run, syncs);
		OK(&t, store_begin_relaxed(t.s));
		add(t.s, "two");
		OK(&t, store_commit_relaxed(t.s));
		cr_assert_eq(syncs, 2);
		OK(&t, store_begin(t.s));
		add(t.s, "three");
		OK(&t, store_commit(t.s));
		cr_assert_eq(syncs, 3);
	}
	cr_assert_eq(entries(&t), 12);
	temp_store_close(&t);
}

Test(store_tx, opening_reading_and_closing_never_ask_the_disk)
{
	struct temp_store t;
	struct audit_entry *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	add(t.s, "one");
	OK(&t, store_commit(t.s));
	syncs = 0;
	for (int i = 0; i < 3; i++) {
		temp_store_reopen(&t);
		OK(&t, audit_list(t.s, 0, t.arena, &list, &n));
		OK(&t, store_checkpoint(t.s, 1 << 20));
		cr_assert_eq(n, 1);
	}
	OK(&t, store_begin(t.s)); /* a transaction that changes nothing costs nothing */
	OK(&t, store_commit(t.s));
	cr_assert_eq(syncs, 0);
	temp_store_close(&t);
}

Test(store_tx, a_checkpoint_empties_the_log_and_waits_for_nobody)
{
	struct temp_store t;
	struct store *reader;

	OF_A_FILE;
	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	add(t.s, "one");
	OK(&t, store_commit(t.s));
	cr_assert_gt(db_wal_size(t.s), 0);
	OK(&t, store_checkpoint(t.s, 1 << 20));
	cr_assert_gt(db_wal_size(t.s), 0);
	reader = temp_store_second(&t, STORE_READ_ONLY);
	cr_assert_eq(db_exec(reader, "BEGIN; SELECT count(*) FROM audit"), ERR_NONE);
	OK(&t, store_checkpoint(t.s, 0));
	store_close(reader);
	OK(&t, store_checkpoint(t.s, 0));
	cr_assert_eq(db_wal_size(t.s), 0);
	cr_assert_eq(entries(&t), 1);
	temp_store_close(&t);
}

/* Fills the log beyond what a run lets stand; returns how many entries that took. */
static int64_t fill_log(struct store *s)
{
	static char what[32 * 1024];
	int64_t n = 0;

	memset(what, 'x', sizeof(what) - 1);
	cr_assert_eq(store_begin_relaxed(s), ERR_NONE);
	for (; n * (int64_t)sizeof(what) <= STORE_WAL_BYTES; n++)
		add(s, what);
	cr_assert_eq(store_commit_relaxed(s), ERR_NONE);
	cr_assert_gt(db_wal_used(s), STORE_WAL_BYTES);
	return n;
}

static void add_committed(struct store *s, const char *what)
{
	cr_assert_eq(store_begin(s), ERR_NONE);
	add(s, what);
	cr_assert_eq(store_commit(s), ERR_NONE);
}

Test(store_tx, a_long_log_is_checkpointed_and_used_again_from_its_beginning)
{
	struct temp_store t;
	int64_t size, n;

	OF_A_FILE;
	temp_store_open(&t);
	add_committed(t.s, "short");
	syncs = 0;
	OK(&t, store_checkpoint_if_large(t.s));
	cr_assert_eq(syncs, 0, "a checkpoint of a short log");
	n = fill_log(t.s) + 1;
	size = db_wal_size(t.s);
	syncs = 0;
	OK(&t, store_checkpoint_if_large(t.s));
	cr_expect_eq(syncs, 2);
	cr_expect_eq(db_wal_used(t.s), 0);
	add_committed(t.s, "behind it");
	cr_expect_eq(syncs, 4, "%u", syncs);
	cr_expect_eq(db_wal_size(t.s), size);
	cr_expect_eq(entries(&t), n + 1);
	temp_store_reopen(&t);
	cr_expect_eq(entries(&t), n + 1);
	cr_expect_eq(
	    temp_store_number(&t, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"),
	    1);
	temp_store_close(&t);
}

Test(store_tx, a_fold_waits_for_no_reader_and_takes_nothing_from_it)
{
	struct temp_store t;
	struct store *reader;
	struct audit_entry *list;
	int64_t n;
	size_t seen;

	OF_A_FILE;
	temp_store_open(&t);
	add_committed(t.s, "seen by the reader");
	reader = temp_store_second(&t, STORE_READ_ONLY);
	cr_assert_eq(db_exec(reader, "BEGIN; SELECT count(*) FROM audit"), ERR_NONE);
	n = fill_log(t.s) + 1;
	OK(&t, store_checkpoint_if_large(t.s));
	add_committed(t.s, "behind it");
	cr_assert_eq(audit_list(reader, 0, t.arena, &list, &seen), ERR_NONE);
	cr_expect_eq(seen, 1);
	store_close(reader);
	OK(&t, store_checkpoint_if_large(t.s));
	cr_expect_eq(db_wal_used(t.s), 0);
	cr_expect_eq(entries(&t), n + 1);
	temp_store_close(&t);
}

Test(store_tx, a_process_killed_after_a_fold_loses_only_what_was_not_committed)
{
	struct temp_store t;
	int status;
	pid_t child;
	int64_t n;

	OF_A_FILE;
	temp_store_open(&t);
	n = fill_log(t.s);
	child = fork();
	if (child == 0) {
		struct store *s = temp_store_second(&t, STORE_READ_WRITE);

		if (fill_log(s) > 0 && store_checkpoint_if_large(s) == ERR_NONE) {
			add_committed(s, "kept");
			if (store_begin(s) == ERR_NONE)
				add(s, "lost");
		}
		kill(getpid(), SIGKILL);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFSIGNALED(status));
	temp_store_reopen(&t);
	cr_expect_eq(entries(&t), 2 * n + 1);
	cr_expect_eq(
	    temp_store_number(&t, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"),
	    1);
	temp_store_close(&t);
}

/* A disk that is full: SQLite ends the transaction by itself, and so must we. */
Test(store_tx, a_full_disk_is_said_so_and_nothing_is_half_done)
{
	struct temp_store t;
	char what[4000];
	enum err err = ERR_NONE;

	OF_A_FILE;
	temp_store_open(&t);
	memset(what, 'x', sizeof(what) - 1);
	what[sizeof(what) - 1] = '\0';
	OK(&t, db_exec(t.s, "PRAGMA max_page_count = 60"));
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 200 && err == ERR_NONE; i++)
		err = audit_add(t.s, 0, 0, "test", false, 1000, what);
	cr_assert_eq(err, ERR_FULL);
	cr_assert_neq(audit_add(t.s, 0, 0, "test", false, 1000, what), ERR_NONE);
	cr_assert_neq(store_commit(t.s), ERR_NONE);
	cr_assert_not(store_in_transaction(t.s));
	cr_assert_eq(entries(&t), 0);
	temp_store_close(&t);
}

static void write_outside(struct store *s)
{
	add(s, "one");
}

static void begin_twice(struct store *s)
{
	cr_assert_eq(store_begin(s), ERR_NONE);
	(void)!store_begin(s);
}

static void mix_the_pairs(struct store *s)
{
	cr_assert_eq(store_begin(s), ERR_NONE);
	(void)!store_commit_relaxed(s);
}

static void checkpoint_inside(struct store *s)
{
	cr_assert_eq(store_begin(s), ERR_NONE);
	(void)!store_checkpoint(s, 0);
}

static void release_nothing(struct store *s)
{
	cr_assert_eq(store_begin(s), ERR_NONE);
	(void)!store_savepoint_release(s);
}

Test(store_tx, what_only_a_mistake_of_ours_can_do_aborts)
{
	void (*const mistakes[])(struct store *) = {write_outside, begin_twice, mix_the_pairs,
	                                            checkpoint_inside, release_nothing};
	struct temp_store t;

	temp_store_open(&t);
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			fclose(stderr);
			mistakes[i](temp_store_second(&t, STORE_READ_WRITE));
			_exit(0);
		}
		cr_assert_eq(waitpid(child, &status, 0), child);
		cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "mistake %zu", i);
	}
	temp_store_close(&t);
}
