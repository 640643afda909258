/*
 * temp_store.c - databases for tests.
 */
#include "tests/support/temp_store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "store/engine/db.h"
#include "store/engine/schema.h"
#include "store/engine/sealed.h"
#include "store/orders.h"
#include "store/outbox.h"
#include "store/players.h"
#include "tests/support/postgresql.h"
#include "tests/support/scratch.h"

enum { DATABASE_MAX = 8 << 20 };

static void must(struct temp_store *t, enum err err, const char *what)
{
	if (err != ERR_NONE)
		BUG("%s: %s", what, t->s ? store_error(t->s)->text.ptr : err_name(err));
}

#define MUST(t, call) must((t), (call), #call)

/*
 * To bring an empty database through all migrations takes longer than most tests: it is done once, and kept in
 * the build's folder under the hash of the migrations (another way to make it: `make clean`). Several tests may do
 * so at once.
 */
static void create_file(struct temp_store *t)
{
	const char *build = env_get("MOLEPOST_BUILD");
	struct strbuf text = STRBUF_INIT, kept = STRBUF_INIT, mine = STRBUF_INIT;
	const struct migration *all;
	struct hash hash;
	unsigned n;

	all = migrations(&n);
	for (unsigned i = 0; i < n; i++)
		strbuf_adds(&text, all[i].sqlite);
	hash = hash_of(strbuf_span(&text));
	strbuf_addf(&kept, "%s/tests/database-", build ? build : "build");
	hash_add_hex(&kept, &hash);
	if (!file_exists(kept.ptr)) {
		strbuf_addf(&mine, "%s+%ld", kept.ptr, (long)getpid());
		MUST(t, store_create(mine.ptr, "test", "testhost", 1000, NULL));
		ENSURE(rename(mine.ptr, kept.ptr) == 0);
	}
	strbuf_clear(&text);
	MUST(t, file_read(kept.ptr, DATABASE_MAX, &text, NULL));
	MUST(t, file_create(t->path, strbuf_span(&text), NULL));
	strbuf_release(&text);
	strbuf_release(&kept);
	strbuf_release(&mine);
}

void temp_store_open(struct temp_store *t)
{
	seal_start();
	t->dir = scratch_new();
	t->path = on_postgresql() ? postgresql_new() : scratch_path(t->dir, "db");
	t->keys = keyring_from_seed(SPAN_LIT("temp store"));
	t->arena = arena_new();
	t->s = NULL;
	if (on_postgresql())
		MUST(t, store_create(t->path, "test", "testhost", 1000, NULL));
	else
		create_file(t);
	MUST(t, store_open(t->path, STORE_READ_WRITE, t->keys, &t->s, NULL));
}

void temp_store_close(struct temp_store *t)
{
	store_close(t->s);
	arena_free(t->arena);
	keyring_free(t->keys);
	if (on_postgresql())
		postgresql_drop(t->path);
	free(t->path);
	scratch_remove(t->dir);
}

void temp_store_reopen(struct temp_store *t)
{
	store_close(t->s);
	t->s = NULL;
	MUST(t, store_open(t->path, STORE_READ_WRITE, t->keys, &t->s, NULL));
}

struct store *temp_store_second(struct temp_store *t, enum store_mode mode)
{
	struct store *second;

	MUST(t, store_open(t->path, mode, t->keys, &second, NULL));
	MUST(t, db_exec(second, on_postgresql() ? "SET lock_timeout = '1ms'"
	                                        : "PRAGMA busy_timeout = 0"));
	return second;
}

/* What SQLite has, for SQL that plants damage; and nothing is checked any more. */
static const char as_on_sqlite[] =
    "CREATE OR REPLACE FUNCTION zeroblob(bigint) RETURNS bytea LANGUAGE sql"
    " AS $$ SELECT decode(repeat('00', $1::int), 'hex') $$;"
    "CREATE OR REPLACE FUNCTION randomblob(bigint) RETURNS bytea LANGUAGE sql"
    " AS $$ SELECT decode(substr(repeat(md5(random()::text), 8), 1, 2 * $1::int), 'hex') $$;"
    "DO $$ DECLARE c record; BEGIN"
    " IF to_regtype('blob') IS NULL THEN CREATE DOMAIN blob AS bytea; END IF;"
    " FOR c IN SELECT conname, conrelid::regclass AS rel FROM pg_constraint"
    " WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace AND conrelid <> 0"
    " LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.rel, c.conname);"
    " END LOOP; END $$;";

/* x'0a' is bytea '\x0a' there. */
static void raw_on_postgresql(struct temp_store *t, const char *sql)
{
	struct strbuf text = STRBUF_INIT;

	for (const char *c = sql; *c; c++) {
		bool blob = c[0] == 'x' && c[1] == '\'' &&
		            (c == sql || c[-1] == ' ' || c[-1] == '(');

		strbuf_adds(&text, blob ? "bytea '\\x" : "");
		c += blob ? 2 : 0;
		strbuf_addc(&text, *c);
	}
	MUST(t, db_exec(t->s, as_on_sqlite));
	MUST(t, db_exec(t->s, text.ptr));
	strbuf_release(&text);
}

void temp_store_raw(struct temp_store *t, const char *sql)
{
	sqlite3 *db;
	char *message = NULL;

	if (on_postgresql()) {
		raw_on_postgresql(t, sql);
		return;
	}
	ENSURE(sqlite3_open(t->path, &db) == SQLITE_OK);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	ENSURE(sqlite3_exec(db,
	                    "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON",
	                    NULL, NULL, NULL) == SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		BUG("%s: %s", sql, message);
	sqlite3_close(db);
}

int64_t temp_store_number(struct temp_store *t, const char *sql)
{
	struct query q = db_read_text(t->s, sql);
	int64_t number = 0;

	if (db_next(&q))
		number = col_int(&q);
	MUST(t, db_end(&q));
	return number;
}

int64_t temp_player(struct temp_store *t, const char *address)
{
	struct player p;

	MUST(t, player_add(t->s, span_of(address), SPAN_LIT("Somebody"), true, 1000, &p));
	return p.id;
}

static void add_seats(struct temp_store *t, int64_t game, unsigned nseats)
{
	for (unsigned i = 1; i <= nseats; i++) {
		struct seat seat = {
		    .game = game,
		    .seat = i,
		    .player = temp_player(
			t, arena_printf(t->arena, "p%u@g%lld.example", i, (long long)game)),
		    .bot_level = -1,
		    .name = span_of(arena_printf(t->arena, "Name%u", i)),
		    .joined_utc = 1000 + i,
		    .confirmed = true,
		};

		MUST(t, seat_add(t->s, &seat));
	}
}

static void add_turns(struct temp_store *t, int64_t game, unsigned nseats)
{
	struct hash d = hash_of(SPAN_LIT("some orders"));
	struct turn setup = {.game = game,
	                     .state = TURN_SEALED,
	                     .label = SPAN_LIT("set-up"),
	                     .opened_utc = 1100,
	                     .sealed_utc = 1100,
	                     .orders_hash = d};
	struct turn first = {.game = game,
	                     .serial = 1,
	                     .label = SPAN_LIT("turn 1"),
	                     .owes = (1u << nseats) - 1,
	                     .opened_utc = 1100,
	                     .deadline_utc = 2000};

	MUST(t, turn_open(t->s, &setup));
	MUST(t, turn_resolved(t->s, game, 0, SPAN_LIT("position after 0\n"),
	                      SPAN_LIT("die = 1\n"), &d, NULL));
	MUST(t, turn_reported(t->s, game, 0));
	MUST(t, turn_open(t->s, &first));
}

int64_t temp_game(struct temp_store *t, enum game_status status, unsigned nseats)
{
	struct hash secret = hash_of(SPAN_LIT("a secret"));
	bool begun = status != GAME_GATHERING;
	struct game g = {
	    .letter = 'W',
	    .kind = SPAN_LIT("whakka-mole"),
	    .rules_version = 1,
	    .options = SPAN_LIT("size=6"),
	    .title = SPAN_LIT("Lawn"),
	    .status = status,
	    .nseats = nseats,
	    .next_s = 900,
	    .created_utc = 1000,
	    .started_utc = begun ? 1100 : 0,
	    .ended_utc = status >= GAME_OVER ? 1500 : 0,
	    .secret_hash = hash_of(hash_span(&secret)),
	};

	MUST(t, game_add(t->s, &g, &secret));
	add_seats(t, g.id, nseats);
	if (begun) {
		add_turns(t, g.id, nseats);
		g.serial = 1;
		MUST(t, game_update(t->s, &g));
	}
	return g.id;
}

void temp_orders(struct temp_store *t, int64_t game, unsigned serial, unsigned seat,
                 const char *text)
{
	struct order_revision last;
	struct order_revision r = {.game = game,
	                           .serial = serial,
	                           .seat = seat,
	                           .revision = 1,
	                           .received_utc = 1200,
	                           .canonical = span_of(text)};

	if (orders_last(t->s, game, serial, seat, t->arena, &last) == ERR_NONE)
		r.revision = last.revision + 1;
	MUST(t, orders_append(t->s, &r));
}

static struct outbox_mail mail_named(struct temp_store *t, const char *name, int64_t player,
                                     int64_t game, unsigned seat, unsigned number)
{
	return (struct outbox_mail){
	    .kind = SPAN_LIT("report"),
	    .game = game,
	    .seat = seat,
	    .player = player,
	    .number = number,
	    .rcpt = SPAN_LIT("somebody@example.org"),
	    .message_id = span_of(arena_printf(t->arena, "<%s@test>", name)),
	    .message =
		span_of(arena_printf(t->arena, "Subject: mail %s\r\n\r\nText\r\n", name)),
	    .created_utc = 1000,
	};
}

int64_t temp_mail(struct temp_store *t, const char *name, int64_t player, int64_t game,
                  unsigned seat, unsigned number)
{
	struct outbox_mail m = mail_named(t, name, player, game, seat, number);
	int64_t id;

	MUST(t, outbox_add(t->s, &m, &id));
	return id;
}

int64_t temp_outline(struct temp_store *t, const char *name, int64_t player, int64_t game,
                     unsigned seat, unsigned number)
{
	struct outbox_mail m = mail_named(t, name, player, game, seat, number);
	struct strbuf sealed = STRBUF_INIT;
	int64_t id;

	MUST(t, outbox_add_outline(t->s, &m, span_of(name), &id));
	strbuf_release(&sealed);
	return id;
}

enum err temp_words(void *ctx, struct span message_id, struct span outline,
                    struct strbuf *message)
{
	unsigned *times = ctx;

	(void)message_id;
	(*times)++;
	strbuf_addf(message, "Subject: mail %.*s\r\n\r\nText\r\n", SPAN_ARGS(outline));
	return ERR_NONE;
}

enum err temp_quarantined(struct store *s, int64_t inbox_id, struct arena *arena,
                          struct span *reason, struct span *raw)
{
	struct query q =
	    db_read(s, "SELECT reason, sealed_raw FROM quarantine WHERE inbox = ?");
	bool found;

	bind_int(&q, inbox_id);
	found = db_next(&q);
	if (found) {
		*reason = col_text(&q, arena);
		*raw =
		    col_sealed_text(&q, SEALED, seal_context(s, "raw", ARGS(inbox_id)), arena);
	}
	return db_end_found(&q, found, "such mail in quarantine");
}
