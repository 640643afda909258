/*
 * bare_rows.c - what is left of resolving turns when there are no rules, reports or seals.
 *
 * Batches of turns go through three stages of one transaction each, as in processor/play.c.
 */
#include "tests/support/bare_rows.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

#include "processor/base/banned.h"

enum { BATCH = 400, SEATS = 3, MOST_COLUMNS = 24 };

/* A row to write: the values in the order of the statement's parameters. */
struct row {
	int n;
	sqlite3_value *values[MOST_COLUMNS];
};

/* One statement of a stage. */
struct write {
	const char *select; /* finds the values in the finished database; ? = the game */
	const char *sql;
	unsigned rows;      /* per game */
};

static const struct write seal[] = {
	{ "SELECT orders_digest, sealed_utc, game FROM turns WHERE game = ? AND serial = 1",
	  "UPDATE turns SET state = 1, orders_digest = ?, sealed_utc = ?"
	  " WHERE game = ? AND serial = 1 AND state = 0", 1 },
};

static const struct write resolve[] = {
	{ "SELECT id FROM games WHERE id = ?",
	  "UPDATE turns SET state = 2 WHERE game = ? AND serial = 1 AND state = 1", 1 },
	{ "SELECT game, serial, sealed_digest, sealed_state, sealed_chance FROM results"
	  " WHERE game = ? AND serial = 1",
	  "INSERT INTO results (game, serial, sealed_digest, sealed_state, sealed_chance)"
	  " VALUES (?, ?, ?, ?, ?)", 1 },
};

static const struct write report[] = {
	{ "SELECT id FROM games WHERE id = ?",
	  "UPDATE turns SET state = 3 WHERE game = ? AND serial = 1 AND state = 2", 1 },
	{ "SELECT id, kind, game, serial, seat, player, number, rcpt, message_id, created_utc, cause,"
	  " state, attempts, next_try_utc, answer FROM outbox WHERE game = ? AND serial = 2 ORDER BY id",
	  "INSERT INTO outbox (id, kind, game, serial, seat, player, number, rcpt, message_id,"
	  " created_utc, cause, state, attempts, next_try_utc, answer)"
	  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", SEATS },
	{ "SELECT id, sealed_message FROM outbox_messages WHERE id IN"
	  " (SELECT id FROM outbox WHERE game = ? AND serial = 2) ORDER BY id",
	  "INSERT INTO outbox_messages (id, sealed_message) VALUES (?, ?)", SEATS },
	{ "SELECT player, bot_level, name, salt, confirmed, resigned, token_generation, mails, missed,"
	  " game, seat FROM seats WHERE game = ? ORDER BY seat",
	  "UPDATE seats SET player = ?, bot_level = ?, name = ?, salt = ?, confirmed = ?, resigned = ?,"
	  " token_generation = ?, mails = ?, missed = ? WHERE game = ? AND seat = ?", SEATS },
	{ "SELECT status, started_utc, ended_utc, serial, idle_turns, record_lines, record_head, id"
	  " FROM games WHERE id = ?",
	  "UPDATE games SET status = ?, started_utc = ?, ended_utc = ?, serial = ?, idle_turns = ?,"
	  " record_lines = ?, record_head = ? WHERE id = ?", 1 },
	{ "SELECT game, serial, parent, state, label, owes, opened_utc, deadline_utc, sealed_utc, stopped"
	  " FROM turns WHERE game = ? AND serial = 2",
	  "INSERT INTO turns (game, serial, parent, state, label, owes, opened_utc, deadline_utc,"
	  " sealed_utc, stopped) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", 1 },
};

static const struct stage {
	const struct write *writes;
	size_t n;
} stages[] = {
	{ seal, sizeof(seal) / sizeof(seal[0]) },
	{ resolve, sizeof(resolve) / sizeof(resolve[0]) },
	{ report, sizeof(report) / sizeof(report[0]) },
};
enum { STAGES = sizeof(stages) / sizeof(stages[0]) };

/* What is read of a game: its own row in every stage, the rest once. */
static const char read_game_row[] = "SELECT * FROM games WHERE id = ?";
static const char *const reads[] = {
	"SELECT * FROM seats WHERE game = ? ORDER BY seat",
	"SELECT * FROM turns WHERE game = ? AND serial = 1",
	"SELECT * FROM turns t JOIN results r USING (game, serial) WHERE game = ? AND serial = 0",
	"SELECT * FROM orders WHERE game = ? AND serial = 1 ORDER BY seat, revision",
};
enum { READS = sizeof(reads) / sizeof(reads[0]) };
static const char read_players[] = "SELECT p.* FROM seats s JOIN players p ON p.id = s.player"
                                   " WHERE s.game = ?";

struct bare_rows {
	unsigned games;
	struct row *rows[STAGES][8]; /* [stage][write]: games * write.rows of them */
};

static void must(sqlite3 *db, int rc)
{
	if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
		BUG("peer: %s", sqlite3_errmsg(db));
}

static sqlite3 *open_file(const char *path)
{
	sqlite3 *db = NULL;

	must(db, sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
	must(db, sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL));
	must(db, sqlite3_exec(db, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
	                          "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;"
	                          "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
	                          "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -24000;"
	                          "PRAGMA temp_store = MEMORY;", NULL, NULL, NULL));
	return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	must(db, sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL));
	return stmt;
}

/* ---- into memory ---- */

static void keep_row(sqlite3_stmt *stmt, struct row *out)
{
	out->n = sqlite3_column_count(stmt);
	ENSURE(out->n <= MOST_COLUMNS);
	for (int i = 0; i < out->n; i++)
		out->values[i] = sqlite3_value_dup(sqlite3_column_value(stmt, i));
}

static struct row *load_write(sqlite3 *db, const struct write *w, unsigned games)
{
	struct row *rows = xcalloc((size_t)games * w->rows, sizeof(*rows)), *at = rows;
	sqlite3_stmt *stmt = prepare(db, w->select);

	for (unsigned game = 1; game <= games; game++) {
		must(db, sqlite3_bind_int64(stmt, 1, game));
		for (unsigned i = 0; i < w->rows; i++) {
			if (sqlite3_step(stmt) != SQLITE_ROW)
				BUG("game %u has no row for: %s", game, w->sql);
			keep_row(stmt, at++);
		}
		sqlite3_reset(stmt);
	}
	sqlite3_finalize(stmt);
	return rows;
}

struct bare_rows *bare_rows_load(const char *database, unsigned n)
{
	struct bare_rows *r = xcalloc(1, sizeof(*r));
	sqlite3 *db = open_file(database);

	r->games = n;
	for (size_t s = 0; s < STAGES; s++)
		for (size_t w = 0; w < stages[s].n; w++)
			r->rows[s][w] = load_write(db, &stages[s].writes[w], n);
	sqlite3_close(db);
	return r;
}

void bare_rows_free(struct bare_rows *r)
{
	for (size_t s = 0; s < STAGES; s++)
		for (size_t w = 0; w < stages[s].n; w++) {
			struct row *rows = r->rows[s][w];

			for (size_t i = 0; i < (size_t)r->games * stages[s].writes[w].rows; i++)
				for (int k = 0; k < rows[i].n; k++)
					sqlite3_value_free(rows[i].values[k]);
			free(rows);
		}
	free(r);
}

/* ---- the work ---- */

struct peer {
	sqlite3 *db;
	const struct bare_rows *rows;
	sqlite3_stmt *begin, *commit, *game, *reads[READS], *players, *due;
	sqlite3_stmt *writes[STAGES][8];
};

static void run_once(struct peer *p, sqlite3_stmt *stmt)
{
	must(p->db, sqlite3_step(stmt));
	must(p->db, sqlite3_reset(stmt));
}

/* Every column of every row is looked at. */
static void read_rows(struct peer *p, sqlite3_stmt *stmt, unsigned game)
{
	must(p->db, sqlite3_bind_int64(stmt, 1, game));
	while (sqlite3_step(stmt) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(stmt); i++)
			(void)sqlite3_column_bytes(stmt, i);
	must(p->db, sqlite3_reset(stmt));
}

static void write_row(struct peer *p, sqlite3_stmt *stmt, const struct row *row)
{
	for (int i = 0; i < row->n; i++)
		must(p->db, sqlite3_bind_value(stmt, i + 1, row->values[i]));
	run_once(p, stmt);
	ENSURE(sqlite3_changes(p->db) == 1);
}

static void write_game(struct peer *p, size_t stage, unsigned game)
{
	for (size_t w = 0; w < stages[stage].n; w++) {
		unsigned per_game = stages[stage].writes[w].rows;
		const struct row *rows = p->rows->rows[stage][w] + (size_t)(game - 1) * per_game;

		for (unsigned i = 0; i < per_game; i++)
			write_row(p, p->writes[stage][w], &rows[i]);
	}
}

static void read_game(struct peer *p, size_t stage, unsigned game)
{
	read_rows(p, p->game, game);
	for (size_t i = 0; i < READS && stage == 0; i++)
		read_rows(p, p->reads[i], game);
	if (stage == STAGES - 1)
		read_rows(p, p->players, game);
}

static void run_stage(struct peer *p, size_t stage, unsigned from, unsigned to)
{
	for (unsigned game = from; game <= to; game++)
		read_game(p, stage, game);
	run_once(p, p->begin);
	for (unsigned game = from; game <= to; game++)
		write_game(p, stage, game);
	run_once(p, p->commit);
}

static void run_batch(struct peer *p, unsigned from, unsigned to)
{
	read_rows(p, p->due, 0);
	for (size_t stage = 0; stage < STAGES; stage++)
		run_stage(p, stage, from, to);
}

static void prepare_all(struct peer *p)
{
	p->begin = prepare(p->db, "BEGIN IMMEDIATE");
	p->commit = prepare(p->db, "COMMIT");
	p->due = prepare(p->db, "SELECT game, serial, due_utc FROM turns WHERE state = ? AND"
	                        " due_utc <= 0 ORDER BY due_utc, game, serial LIMIT 400");
	p->game = prepare(p->db, read_game_row);
	p->players = prepare(p->db, read_players);
	for (size_t i = 0; i < READS; i++)
		p->reads[i] = prepare(p->db, reads[i]);
	for (size_t s = 0; s < STAGES; s++)
		for (size_t w = 0; w < stages[s].n; w++)
			p->writes[s][w] = prepare(p->db, stages[s].writes[w].sql);
}

static void close_all(struct peer *p)
{
	sqlite3_stmt *stmt;

	while ((stmt = sqlite3_next_stmt(p->db, NULL)) != NULL)
		sqlite3_finalize(stmt);
	must(p->db, sqlite3_wal_checkpoint_v2(p->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL));
	ENSURE(sqlite3_close(p->db) == SQLITE_OK);
}

void bare_rows_write(const struct bare_rows *r, const char *database)
{
	struct peer p = { .db = open_file(database), .rows = r };

	prepare_all(&p);
	for (unsigned from = 1; from <= r->games; from += BATCH)
		run_batch(&p, from, from + BATCH - 1 < r->games ? from + BATCH - 1 : r->games);
	close_all(&p);
}
