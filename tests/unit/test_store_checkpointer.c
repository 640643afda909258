/*
 * test_store_checkpointer.c - the log folded beside the writer: the same database comes of it, nobody
 * waits, and small runs know nothing of it.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "store/audit.h"
#include "store/engine/checkpointer.h"
#include "store/engine/db.h"
#include "tests/support/scratch.h"
#include "tests/support/temp_store.h"

/* Every sync of this process passes here, SQLite's too. */
static atomic_uint syncs, syncs_to_fail;

int fdatasync(int fd);

int fdatasync(int fd)
{
	syncs++;
	if (syncs_to_fail > 0) {
		syncs_to_fail--;
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fdatasync, fd);
}

enum { ENTRY_BYTES = 32 * 1024, MANY = STORE_BESIDE_BYTES / ENTRY_BYTES + 1 };

static void add_entries(struct store *s, unsigned n)
{
	static char what[ENTRY_BYTES];

	memset(what, 'x', sizeof(what) - 1);
	cr_assert_eq(store_begin_relaxed(s), ERR_NONE);
	for (unsigned i = 0; i < n; i++)
		cr_assert_eq(audit_add(s, 0, 0, "test", false, 1000, what), ERR_NONE);
	cr_assert_eq(store_commit_relaxed(s), ERR_NONE);
}

/* Time in which the thread gets further, more with each round. */
enum { A_WHILE = 20 };
static void add_a_while(struct store *s, unsigned round)
{
	for (unsigned i = 0; i < round * A_WHILE; i++)
		add_entries(s, 1);
}

static void expect_whole(struct temp_store *t, int64_t entries)
{
	cr_expect_eq(temp_store_number(t, "SELECT count(*) FROM audit"), entries);
	cr_expect_eq(
	    temp_store_number(t, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"),
	    1);
}

static int64_t size_of(const char *path)
{
	struct stat st;

	cr_assert_eq(stat(path, &st), 0);
	return (int64_t)st.st_size;
}

Test(checkpointer, is_not_begun_for_a_small_log)
{
	struct temp_store t;

	temp_store_open(&t);
	add_entries(t.s, MANY / 2);
	OK(&t, store_fold(t.s));
	OK(&t, store_fold(t.s));
	cr_expect_null(t.s->checkpointer);
	OK(&t, store_checkpoint(t.s, 0));
	add_entries(t.s, MANY / 2 + 1);
	OK(&t, store_fold(t.s));
	cr_expect_null(t.s->checkpointer);
	temp_store_close(&t);
}

Test(checkpointer, is_begun_early_after_the_last_commit_of_many)
{
	enum { FEW = STORE_WAL_REST_BYTES / ENTRY_BYTES + 1 };
	struct temp_store t;

	temp_store_open(&t);
	add_entries(t.s, 1);
	store_fold_ahead(t.s);
	cr_expect_null(t.s->checkpointer, "for what a run may leave behind");
	add_entries(t.s, FEW);
	syncs = 0;
	store_fold_ahead(t.s);
	checkpointer_wait(t.s->checkpointer);
	cr_expect_eq(syncs, 2, "%u", syncs);
	store_fold_ahead(t.s); /* nothing more has been written */
	OK(&t, store_checkpoint(t.s, 0));
	cr_expect_eq(syncs, 2, "%u", syncs);
	cr_expect_eq(db_wal_size(t.s), 0);
	expect_whole(&t, 1 + FEW);
	temp_store_close(&t);
}

Test(checkpointer, leaves_nothing_to_copy_to_the_end_of_the_run)
{
	struct temp_store t;

	temp_store_open(&t);
	add_entries(t.s, MANY);
	syncs = 0;
	OK(&t, store_fold(t.s));
	checkpointer_wait(t.s->checkpointer);
	cr_expect_eq(syncs, 2, "%u", syncs);
	cr_expect_gt(size_of(t.path), STORE_BESIDE_BYTES);
	OK(&t, store_fold(t.s)); /* nothing more has been written */
	OK(&t, store_checkpoint(t.s, 0));
	cr_expect_eq(syncs, 2, "%u", syncs);
	cr_expect_eq(db_wal_size(t.s), 0);
	expect_whole(&t, MANY);
	temp_store_close(&t);
}

/* Written in one way: with folds beside or without. */
static void write_some(struct store *s, bool folding)
{
	for (unsigned round = 0; round < 3; round++) {
		add_entries(s, MANY + round);
		if (folding)
			cr_assert_eq(store_fold(s), ERR_NONE);
		for (unsigned i = 0; i < 20; i++)
			add_entries(s, 1); /* while it is being folded */
	}
	cr_assert_eq(store_checkpoint(s, 0), ERR_NONE);
	cr_assert_eq(db_wal_size(s), 0);
}

/* Of a database that nobody has open: to close a file drops the locks that SQLite holds on it. */
static void read_closed(const char *path, struct strbuf *out)
{
	cr_assert_eq(file_read(path, 256 << 20, out, NULL), ERR_NONE);
}

static struct store *open_twin(struct temp_store *t, const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	struct store *twin;

	store_close(t->s);
	t->s = NULL;
	read_closed(t->path, &bytes);
	cr_assert_eq(file_create(path, strbuf_span(&bytes), NULL), ERR_NONE);
	strbuf_release(&bytes);
	temp_store_reopen(t);
	cr_assert_eq(store_open(path, STORE_READ_WRITE, t->keys, &twin, NULL), ERR_NONE);
	return twin;
}

Test(checkpointer, makes_the_database_that_a_fold_at_the_end_makes)
{
	struct temp_store t;
	struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;

	temp_store_open(&t);
	char *path = scratch_path(t.dir, "twin");
	struct store *twin = open_twin(&t, path);

	write_some(t.s, true);
	cr_expect_not_null(t.s->checkpointer);
	write_some(twin, false);
	cr_expect_null(twin->checkpointer);
	expect_whole(&t, temp_store_number(&t, "SELECT max(id) FROM audit"));
	store_close(twin);
	store_close(t.s);
	t.s = NULL;
	read_closed(t.path, &one);
	read_closed(path, &other);
	cr_expect(span_eq(strbuf_span(&one), strbuf_span(&other)));
	strbuf_release(&one);
	strbuf_release(&other);
	free(path);
	temp_store_close(&t);
}

Test(checkpointer, takes_nothing_from_a_reader)
{
	struct temp_store t;
	struct audit_entry *list;
	size_t seen;

	temp_store_open(&t);
	add_entries(t.s, 1);
	struct store *reader = temp_store_second(&t, STORE_READ_ONLY);
	cr_assert_eq(db_exec(reader, "BEGIN; SELECT count(*) FROM audit"), ERR_NONE);
	add_entries(t.s, MANY);
	OK(&t, store_fold(t.s));
	checkpointer_wait(t.s->checkpointer);
	cr_expect_lt(size_of(t.path), STORE_BESIDE_BYTES, "more than the reader knows");
	cr_assert_eq(audit_list(reader, 0, t.arena, &list, &seen), ERR_NONE);
	cr_expect_eq(seen, 1);
	store_close(reader);
	add_entries(t.s, MANY);
	OK(&t, store_fold(t.s));
	checkpointer_wait(t.s->checkpointer);
	cr_expect_gt(size_of(t.path), 2 * STORE_BESIDE_BYTES);
	OK(&t, store_checkpoint(t.s, 0));
	cr_expect_eq(db_wal_size(t.s), 0);
	expect_whole(&t, 2 * MANY + 1);
	temp_store_close(&t);
}

Test(checkpointer, may_be_closed_at_any_moment)
{
	struct temp_store t;
	int64_t n = 0;

	temp_store_open(&t);
	for (unsigned i = 0; i < 3; i++) {
		add_entries(t.s, MANY);
		OK(&t, store_fold(t.s));
		cr_expect_not_null(t.s->checkpointer);
		add_a_while(t.s, i);
		n += MANY + i * A_WHILE;
		temp_store_reopen(&t);
		cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM audit"), n);
	}
	expect_whole(&t, n);
	temp_store_close(&t);
}

Test(checkpointer, may_be_killed_at_any_moment)
{
	struct temp_store t;
	int64_t n = 0;

	temp_store_open(&t);
	for (unsigned i = 0; i < 3; i++) {
		int status;
		pid_t child;

		store_close(t.s);
		t.s = NULL;
		child = fork();
		if (child == 0) {
			temp_store_reopen(&t);
			add_entries(t.s, MANY);
			if (store_fold(t.s) == ERR_NONE)
				add_a_while(t.s, i);
			kill(getpid(), SIGKILL);
		}
		cr_assert_eq(waitpid(child, &status, 0), child);
		cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		n += MANY + i * A_WHILE;
		temp_store_reopen(&t);
		expect_whole(&t, n);
	}
	temp_store_close(&t);
}

Test(checkpointer, what_it_could_not_sync_is_said_by_the_fold_at_the_end)
{
	struct temp_store t;

	temp_store_open(&t);
	add_entries(t.s, MANY);
	syncs_to_fail = UINT_MAX;
	OK(&t, store_fold(t.s));
	checkpointer_wait(t.s->checkpointer);
	cr_expect_eq(store_checkpoint(t.s, 0), ERR_IO);
	cr_expect_gt(db_wal_size(t.s), STORE_BESIDE_BYTES);
	syncs_to_fail = 0;
	OK(&t, store_checkpoint(t.s, 0));
	cr_expect_eq(db_wal_size(t.s), 0);
	expect_whole(&t, MANY);
	temp_store_close(&t);
}

Test(checkpointer, does_nothing_more_after_an_error)
{
	struct temp_store t;

	temp_store_open(&t);
	add_entries(t.s, MANY);
	syncs_to_fail = 1;
	OK(&t, store_fold(t.s));
	checkpointer_wait(t.s->checkpointer);
	syncs = 0;
	add_entries(t.s, MANY);
	OK(&t, store_fold(t.s));
	checkpointer_wait(t.s->checkpointer);
	cr_expect_eq(syncs, 0);
	OK(&t, store_checkpoint(t.s, 0));
	cr_expect_eq(syncs, 2);
	expect_whole(&t, 2 * MANY);
	temp_store_close(&t);
}
