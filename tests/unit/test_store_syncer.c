/*
 * test_store_syncer.c - commits that do not wait for the disk: there at once, on the disk when store_sync
 * has come back, and an error is never forgotten.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/audit.h"
#include "store/engine/syncer.h"
#include "tests/support/temp_store.h"

/* Every sync of this process passes here, SQLite's too; the ones behind the gate wait. */
static atomic_uint syncs, syncs_to_fail;
static atomic_bool gate_is_shut;

int fdatasync(int fd);

int fdatasync(int fd)
{
	while (gate_is_shut)
		usleep(1000);
	syncs++;
	if (syncs_to_fail > 0) {
		syncs_to_fail--;
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fdatasync, fd);
}

static void add(struct store *s, const char *what)
{
	cr_assert_eq(audit_add(s, 0, 0, "test", false, 1000, what), ERR_NONE);
}

static void add_beside(struct temp_store *t, const char *what)
{
	OK(t, store_begin_beside(t->s));
	add(t->s, what);
	OK(t, store_commit_beside(t->s));
}

static int64_t entries(struct temp_store *t)
{
	return temp_store_number(t, "SELECT count(*) FROM audit");
}

/* The log has its header: else SQLite syncs that. */
static void open_used(struct temp_store *t)
{
	temp_store_open(t);
	OK(t, store_begin(t->s));
	add(t->s, "before");
	OK(t, store_commit(t->s));
	syncs = 0;
}

Test(store_syncer, a_commit_beside_is_there_at_once_and_durable_after_store_sync)
{
	struct temp_store t;

	open_used(&t);
	cr_assert(store_is_synced(t.s));
	gate_is_shut = true;
	add_beside(&t, "one");
	cr_assert_eq(entries(&t), 2);
	cr_assert_not(store_is_synced(t.s));
	cr_assert_eq(syncs, 0);
	gate_is_shut = false;
	OK(&t, store_sync(t.s));
	cr_assert(store_is_synced(t.s));
	cr_assert_eq(syncs, 1);
	OK(&t, store_sync(t.s));
	cr_assert_eq(syncs, 1);
	temp_store_close(&t);
}

/* What is committed while one sync is under way is not covered by it. */
Test(store_syncer, each_commit_has_a_sync_that_began_after_it)
{
	struct temp_store t;

	open_used(&t);
	gate_is_shut = true;
	add_beside(&t, "one");
	usleep(20000); /* its sync is at the gate */
	add_beside(&t, "two");
	add_beside(&t, "three");
	gate_is_shut = false;
	OK(&t, store_sync(t.s));
	cr_assert_geq(syncs, 2);
	cr_assert_leq(syncs, 3);
	cr_assert_eq(entries(&t), 4);
	temp_store_close(&t);
}

Test(store_syncer, other_transactions_are_as_durable_as_before)
{
	struct temp_store t;

	open_used(&t);
	add_beside(&t, "one");
	OK(&t, store_sync(t.s));
	OK(&t, store_begin_beside(t.s));
	add(t.s, "taken back");
	store_rollback(t.s);
	syncs = 0;
	OK(&t, store_begin(t.s));
	add(t.s, "two");
	OK(&t, store_commit(t.s));
	cr_assert_eq(syncs, 1);
	cr_assert_eq(entries(&t), 3);
	temp_store_close(&t);
}

Test(store_syncer, an_error_is_told_from_then_on)
{
	struct temp_store t;

	open_used(&t);
	syncs_to_fail = 1;
	add_beside(&t, "one");
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(store_sync(t.s), ERR_IO);
		cr_assert(strstr(store_error(t.s)->text.ptr, "cannot sync its log"), "%s",
		          store_error(t.s)->text.ptr);
	}
	add_beside(&t, "two");
	cr_assert_eq(store_sync(t.s), ERR_IO);
	temp_store_close(&t);
}

Test(store_syncer, a_log_that_cannot_be_opened_is_an_error_too)
{
	struct failure e = ERR_INIT;
	struct syncer *y = syncer_new("/nonexistent/molepost.db");

	syncer_ask(y);
	cr_assert_eq(syncer_wait(y, &e), ERR_IO);
	cr_assert(strstr(e.text.ptr, "cannot open its log"), "%s", e.text.ptr);
	syncer_free(y);
	syncer_free(NULL);
	err_release(&e);
}

Test(store_syncer, closing_waits_for_what_was_asked_for)
{
	struct temp_store t;

	open_used(&t);
	add_beside(&t, "one");
	temp_store_reopen(&t);
	cr_assert_eq(syncs, 1);
	cr_assert_eq(entries(&t), 2);
	temp_store_close(&t);
}
