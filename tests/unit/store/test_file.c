/*
 * test_file.c - the database as a file: made, opened, refused, migrated, copied.
 */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "store/engine/db.h"
#include "store/engine/fsck.h"
#include "store/engine/schema.h"
#include "store/players.h"
#include "tests/support/scratch.h"
#include "tests/support/temp_store.h"

Test(store_file, a_new_database_is_private_and_knows_its_server)
{
	struct temp_store t;
	struct stat st;

	temp_store_open(&t);
	cr_assert_eq(stat(t.path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	cr_assert_str_eq(store_instance(t.s), "test");
	cr_assert_str_eq(store_host(t.s), "testhost");
	cr_assert_eq(store_keys(t.s), t.keys);
	cr_assert_eq(temp_store_number(&t, "PRAGMA application_id"), SCHEMA_APPLICATION_ID);
	cr_assert_eq(temp_store_number(&t, "PRAGMA foreign_keys"), 1);
	cr_assert_eq(temp_store_number(&t, "PRAGMA secure_delete"), 1);
	cr_assert_eq(temp_store_number(&t, "PRAGMA synchronous"), 2);
	cr_assert_eq(
	    temp_store_number(&t, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
	temp_store_close(&t);
}

Test(store_file, making_replaces_nothing_and_leaves_nothing_beside)
{
	struct temp_store t;
	struct failure e = ERR_INIT;
	char *half, *other, *log;

	temp_store_open(&t);
	cr_assert_eq(store_create(t.path, "test", "h", 1000, &e), ERR_EXISTS);
	half = scratch_path(t.dir, "db.new");
	cr_assert_not(file_exists(half));
	/* One that died half way is in nobody's way. */
	other = scratch_path(t.dir, "other");
	log = scratch_path(t.dir, "other.new");
	cr_assert_eq(file_create(log, SPAN_LIT("half a database"), &e), ERR_NONE);
	cr_assert_eq(store_create(other, "test", "h", 1000, &e), ERR_NONE, "%s", e.text.ptr);
	cr_assert_not(file_exists(log));
	err_release(&e);
	free(half);
	free(other);
	free(log);
	temp_store_close(&t);
}

Test(store_file, an_old_log_is_not_taken_for_that_of_a_new_database)
{
	struct failure e = ERR_INIT;
	char *dir = scratch_new();
	char *path = scratch_path(dir, "db");
	char *log = scratch_path(dir, "db-wal");

	cr_assert_eq(file_create(log, SPAN_LIT("old"), &e), ERR_NONE);
	cr_assert_eq(store_create(path, "test", "h", 1000, &e), ERR_EXISTS);
	cr_assert(strstr(e.text.ptr, "db-wal"));
	err_release(&e);
	free(path);
	free(log);
	scratch_remove(dir);
}

Test(store_file, what_is_no_database_of_ours_is_refused)
{
	struct temp_store t;
	struct failure e = ERR_INIT;
	struct store *s;
	char *none, *junk;

	temp_store_open(&t);
	none = scratch_path(t.dir, "none");
	junk = scratch_path(t.dir, "junk");
	cr_assert_eq(store_open(none, STORE_READ_WRITE, t.keys, &s, &e), ERR_NOT_FOUND);
	cr_assert_eq(file_create(junk,
	                         SPAN_LIT("This is a letter and no database at all, and it is "
	                                  "long enough to have a header in it, is it not?"),
	                         &e),
	             ERR_NONE);
	cr_assert_eq(store_open(junk, STORE_READ_WRITE, t.keys, &s, &e), ERR_INVALID);
	cr_assert_null(s);
	temp_store_raw(&t, "PRAGMA application_id = 7");
	cr_assert_eq(store_open(t.path, STORE_READ_WRITE, t.keys, &s, &e), ERR_INVALID);
	cr_assert(strstr(e.text.ptr, "no molepost database"));
	err_release(&e);
	free(none);
	free(junk);
	temp_store_close(&t);
}

Test(store_file, an_empty_file_is_no_database)
{
	struct failure e = ERR_INIT;
	char *dir = scratch_new();
	char *path = scratch_path(dir, "db");
	struct keyring *keys;
	struct store *s;

	seal_start();
	keys = keyring_from_seed(SPAN_LIT("x"));
	cr_assert_eq(file_create(path, SPAN_EMPTY, &e), ERR_NONE);
	cr_assert_eq(store_open(path, STORE_READ_WRITE, keys, &s, &e), ERR_INVALID);
	keyring_free(keys);
	err_release(&e);
	free(path);
	scratch_remove(dir);
}

Test(store_file, a_newer_schema_is_refused_by_name)
{
	struct temp_store t;
	struct failure e = ERR_INIT;
	struct store *s;

	temp_store_open(&t);
	temp_store_raw(&t, "PRAGMA user_version = 99");
	cr_assert_eq(store_open(t.path, STORE_READ_WRITE, t.keys, &s, &e), ERR_UNSUPPORTED);
	cr_assert(strstr(e.text.ptr, "schema 99"), "%s", e.text.ptr);
	err_release(&e);
	temp_store_close(&t);
}

enum { MIGRATIONS_MOST = 100 };

/* The migrations of today and two of tomorrow; *n is how many there are then. */
static const struct migration *later_migrations(const char *last, unsigned *n)
{
	static struct migration all[MIGRATIONS_MOST];
	const struct migration *today = migrations(n);

	cr_assert_leq(*n + 2, MIGRATIONS_MOST);
	memcpy(all, today, *n * sizeof(*all));
	all[(*n)++] = (struct migration){.name = "x-two",
	                                 .sqlite = "CREATE TABLE two (a INTEGER) STRICT;"};
	all[(*n)++] = (struct migration){.name = "x-three", .sqlite = last};
	return all;
}

Test(store_file, an_older_schema_is_brought_up_by_one_migration_after_another)
{
	struct temp_store t;
	unsigned n;
	const struct migration *all = later_migrations("INSERT INTO two VALUES (3);", &n);

	temp_store_open(&t);
	OK(&t, schema_upgrade(t.s, false, all, n));
	cr_assert_eq(temp_store_number(&t, "PRAGMA user_version"), n);
	cr_assert_eq(temp_store_number(&t, "SELECT a FROM two"), 3);
	all = later_migrations("nothing is done twice", &n);
	OK(&t, schema_upgrade(t.s, false, all, n));
	temp_store_close(&t);
}

/* A file as the first schema left it, with a player in it. */
static void make_old_file(const char *path)
{
	sqlite3 *db;
	unsigned n;
	char *more = sqlite3_mprintf(
	    "PRAGMA journal_mode = WAL; PRAGMA application_id = %d; PRAGMA user_version = 1;"
	    "INSERT INTO server (id, instance, host, created_utc) VALUES (1, 'a', 'b', 1);"
	    "INSERT INTO players (address, name, created_utc) VALUES ('ann@example.org', "
	    "'ann', 1)",
	    SCHEMA_APPLICATION_ID);

	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, migrations(&n)[0].sqlite, NULL, NULL, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, more, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_free(more);
	sqlite3_close(db);
}

Test(store_file, a_file_of_the_first_schema_is_brought_up_to_now_with_all_that_is_in_it)
{
	struct temp_store t;
	struct failure e = ERR_INIT;
	struct player p;
	struct store *s;
	unsigned n;
	char *path;

	temp_store_open(&t);
	path = scratch_path(t.dir, "old");
	make_old_file(path);
	(void)migrations(&n);
	cr_assert_eq(store_open(path, STORE_READ_WRITE, t.keys, &s, &e), ERR_NONE, "%s",
	             e.text.ptr);
	cr_assert_eq(player_by_address(s, SPAN_LIT("ann@example.org"), t.arena, &p), ERR_NONE);
	cr_expect(span_eq_str(p.name, "ann") && p.zone.len == 0);
	cr_expect_eq(p.created_utc, 1);
	store_close(s);
	free(path);
	err_release(&e);
	temp_store_close(&t);
}

Test(store_file, a_migration_that_fails_leaves_no_trace_of_itself)
{
	struct temp_store t;
	unsigned n;
	const struct migration *all = later_migrations("CREATE TABLE three (a INTEGER) STRICT;"
	                                               " INSERT INTO nowhere VALUES (1);",
	                                               &n);

	temp_store_open(&t);
	cr_assert_neq(schema_upgrade(t.s, false, all, n), ERR_NONE);
	cr_assert(strstr(store_error(t.s)->text.ptr, "x-three"));
	cr_assert_eq(temp_store_number(&t, "PRAGMA user_version"), n - 1);
	cr_assert_eq(temp_store_number(&t, "SELECT count(*) FROM sqlite_schema"
	                                   " WHERE name IN ('two', 'three')"),
	             1);
	temp_store_close(&t);
}

Test(store_file, an_older_schema_is_not_touched_by_a_reader)
{
	struct temp_store t;
	struct store *reader;
	unsigned n;
	const struct migration *all = later_migrations("", &n);

	temp_store_open(&t);
	reader = temp_store_second(&t, STORE_READ_ONLY);
	cr_assert_eq(schema_upgrade(reader, false, all, n), ERR_UNSUPPORTED);
	cr_assert_eq(store_begin(reader), ERR_DENIED);
	store_close(reader);
	temp_store_close(&t);
}

Test(store_file, the_host_can_be_changed)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	OK(&t, store_set_host(t.s, "elsewhere"));
	OK(&t, store_commit(t.s));
	temp_store_reopen(&t);
	cr_assert_str_eq(store_host(t.s), "elsewhere");
	temp_store_close(&t);
}

static void count_calls(void *ctx, int64_t done, int64_t total)
{
	unsigned *calls = ctx;

	cr_assert_leq(done, total);
	(*calls)++;
}

Test(store_file, a_backup_is_a_database_with_the_same_content)
{
	struct temp_store t;
	struct failure e = ERR_INIT;
	struct store *copy;
	struct strbuf a = STRBUF_INIT;
	struct strbuf b = STRBUF_INIT;
	struct stat st;
	unsigned calls = 0;
	char *path;

	temp_store_open(&t);
	path = scratch_path(t.dir, "backup");
	OK(&t, store_begin(t.s));
	(void)temp_game(&t, GAME_RUNNING, 3);
	OK(&t, store_commit(t.s));
	OK(&t, store_backup(t.s, path, count_calls, &calls));
	cr_assert_gt(calls, 0);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	cr_assert_eq(store_open(path, STORE_READ_WRITE, t.keys, &copy, &e), ERR_NONE, "%s",
	             e.text.ptr);
	OK(&t, store_dump(t.s, &a));
	cr_assert_eq(store_dump(copy, &b), ERR_NONE);
	cr_assert_str_eq(a.ptr, b.ptr);
	store_close(copy);
	cr_assert_eq(store_backup(t.s, path, NULL, NULL), ERR_EXISTS);
	strbuf_release(&a);
	strbuf_release(&b);
	err_release(&e);
	free(path);
	temp_store_close(&t);
}

Test(store_file, it_describes_itself)
{
	struct temp_store t;
	struct strbuf out = STRBUF_INIT, schema = STRBUF_INIT;
	unsigned n;

	temp_store_open(&t);
	(void)migrations(&n);
	strbuf_addf(&schema, "schema: %u\n", n);
	OK(&t, store_describe(t.s, &out));
	cr_assert(strstr(out.ptr, schema.ptr));
	strbuf_release(&schema);
	cr_assert(strstr(out.ptr, "games: 0\n"));
	strbuf_release(&out);
	temp_store_close(&t);
}

/* A page of the file overwritten: every way to read it says corrupt, and nothing crashes. */
Test(store_file, a_damaged_file_is_reported_as_corrupt)
{
	struct temp_store t;
	struct game *games;
	size_t n;
	int64_t root, page;
	char junk[512];

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	(void)temp_game(&t, GAME_RUNNING, 3);
	OK(&t, store_commit(t.s));
	OK(&t, store_checkpoint(t.s, 0));
	root = temp_store_number(&t, "SELECT rootpage FROM sqlite_schema WHERE name = 'games'");
	page = temp_store_number(&t, "PRAGMA page_size");
	store_close(t.s);
	memset(junk, 0xa5, sizeof(junk));
	FILE *f = fopen(t.path, "r+");
	cr_assert(f != NULL);
	cr_assert_eq(fseek(f, (long)((root - 1) * page), SEEK_SET), 0);
	cr_assert_eq(fwrite(junk, sizeof(junk), 1, f), 1);
	fclose(f);
	t.s = temp_store_second(&t, STORE_READ_WRITE);
	cr_assert_eq(game_list(t.s, ~0u, 0, 10, t.arena, &games, &n), ERR_CORRUPT);
	temp_store_close(&t);
}
