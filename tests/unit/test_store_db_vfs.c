/*
 * test_store_db_vfs.c - frames of the log that are written together: there when a commit has come back, and an
 * error of any of the writes is the commit's.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "store/audit.h"
#include "store/engine/db.h"
#include "tests/support/scratch.h"
#include "tests/support/temp_store.h"

enum { ENTRIES = 200, TEXT = 4000, LARGEST = 1 << 24 };

/* Every write of SQLite passes here. */
static unsigned writes, fail_at; /* the n-th fails, 0 = none */
static size_t most;              /* bytes that one call writes, 0 = all */

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at);

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
	writes++;
	if (writes == fail_at) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_pwrite64, fd, bytes, most > 0 && most < n ? most : n, at);
}

static void add(struct store *s, unsigned n)
{
	static char what[TEXT];

	memset(what, 'x', sizeof(what) - 1);
	while (n-- > 0)
		cr_assert_eq(audit_add(s, 0, 0, "test", false, 1000, what), ERR_NONE);
}

static int64_t entries_of(struct store *s)
{
	struct query q = db_read_text(s, "SELECT count(*) FROM audit");
	int64_t n = db_next(&q) ? col_int(&q) : -1;

	cr_assert_eq(db_end(&q), ERR_NONE, "%s", store_error(s)->text.ptr);
	return n;
}

static void copy(const char *from, const char *to, const char *suffix)
{
	struct strbuf source = STRBUF_INIT, target = STRBUF_INIT, bytes = STRBUF_INIT;
	struct failure e = ERR_INIT;

	strbuf_addf(&source, "%s%s", from, suffix);
	strbuf_addf(&target, "%s%s", to, suffix);
	(void)unlink(target.ptr);
	cr_assert_eq(file_read(source.ptr, LARGEST, &bytes, &e), ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(file_create(target.ptr, strbuf_span(&bytes), &e), ERR_NONE, "%s",
	             e.text.ptr);
	strbuf_release(&source);
	strbuf_release(&target);
	strbuf_release(&bytes);
}

/* What a machine would find that was switched off now: no index of the log, so all of it is checked. */
static int64_t entries_in_the_files(struct temp_store *t)
{
	char *path = scratch_path(t->dir, "copy");
	struct failure e = ERR_INIT;
	struct store *s;
	int64_t n;

	copy(t->path, path, "");
	copy(t->path, path, "-wal");
	cr_assert_eq(store_open(path, STORE_READ_WRITE, t->keys, &s, &e), ERR_NONE, "%s",
	             e.text.ptr);
	n = entries_of(s);
	store_close(s);
	free(path);
	return n;
}

static int64_t entries_of_others(struct temp_store *t)
{
	struct store *s = temp_store_second(t, STORE_READ_ONLY);
	int64_t n = entries_of(s);

	store_close(s);
	return n;
}

static void must_have(struct temp_store *t, int64_t n)
{
	cr_expect_eq(entries_of(t->s), n);
	cr_expect_eq(entries_of_others(t), n);
	cr_expect_eq(entries_in_the_files(t), n);
	cr_expect_eq(temp_store_number(t, "SELECT count(*) FROM pragma_integrity_check"
	                                  " WHERE integrity_check <> 'ok'"),
	             0);
}

Test(store_db_vfs, a_commit_of_many_pages_is_written_in_few_pieces_and_all_there)
{
	struct temp_store t;
	int64_t bytes;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	add(t.s, ENTRIES);
	writes = 0;
	OK(&t, store_commit(t.s));
	bytes = db_wal_size(t.s);
	cr_assert_gt(bytes, ENTRIES / 2 * DB_PAGE_BYTES);
	cr_expect_leq(writes, bytes / 100000 + 4, "%u writes of %lld bytes", writes,
	              (long long)bytes);
	must_have(&t, ENTRIES);
	temp_store_close(&t);
}

Test(store_db_vfs, a_write_that_fails_anywhere_in_a_commit_fails_the_commit)
{
	struct temp_store t;
	enum err err = ERR_IO;
	unsigned n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	add(t.s, 1);
	OK(&t, store_commit(t.s));
	for (n = 1; err != ERR_NONE && n < 100; n++) {
		OK(&t, store_begin(t.s));
		add(t.s, ENTRIES);
		writes = 0;
		fail_at = n;
		err = store_commit(t.s);
		fail_at = 0;
		if (err != ERR_NONE) {
			cr_expect_eq(err, ERR_IO);
			cr_expect_not(store_in_transaction(t.s));
			must_have(&t, 1);
		}
	}
	cr_assert_gt(n, 7, "the commit had only %u writes", n - 2);
	must_have(&t, 1 + ENTRIES);
	temp_store_close(&t);
}

Test(store_db_vfs, what_the_system_takes_in_small_bites_is_whole_as_well)
{
	struct temp_store t;

	temp_store_open(&t);
	most = 1000;
	OK(&t, store_begin(t.s));
	add(t.s, ENTRIES);
	OK(&t, store_commit(t.s));
	most = 0;
	must_have(&t, ENTRIES);
	temp_store_close(&t);
}

/* The cache overflows: frames are written before the commit, and some once more in their place. */
Test(store_db_vfs, pages_that_change_again_after_they_were_written_are_right_in_the_log)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, db_exec(t.s, "PRAGMA cache_size = 5; PRAGMA cache_spill = 1"));
	OK(&t, store_begin(t.s));
	writes = 0;
	add(t.s, ENTRIES);
	cr_assert_gt(writes, 50, "nothing was written before the commit");
	OK(&t, db_exec(t.s, "UPDATE audit SET what = 'again ' || what WHERE id % 3 = 0"));
	OK(&t, db_exec(t.s, "UPDATE audit SET what = 'and ' || what WHERE id % 5 = 0"));
	OK(&t, store_commit(t.s));
	must_have(&t, ENTRIES);
	cr_expect_eq(
	    temp_store_number(&t, "SELECT count(*) FROM audit WHERE what LIKE 'and again x%'"),
	    ENTRIES / 15);
	temp_store_close(&t);
}

Test(store_db_vfs, what_was_taken_back_is_never_written_over_what_others_commit)
{
	struct temp_store t;
	struct store *other;

	temp_store_open(&t);
	OK(&t, db_exec(t.s, "PRAGMA cache_size = 5; PRAGMA cache_spill = 1"));
	other = temp_store_second(&t, STORE_READ_WRITE);
	for (unsigned i = 1; i <= 5; i++) {
		OK(&t, store_begin(t.s));
		add(t.s, ENTRIES);
		if (i % 2 == 0) {
			writes = 0;
			fail_at = 2; /* the commit begins to write, and ends there */
			cr_assert_neq(store_commit(t.s), ERR_NONE);
			fail_at = 0;
		}
		store_rollback(t.s);
		cr_assert_eq(store_begin(other), ERR_NONE);
		add(other, 3);
		cr_assert_eq(store_commit(other), ERR_NONE);
		must_have(&t, 3 * i);
	}
	store_close(other);
	must_have(&t, 15);
	temp_store_close(&t);
}
