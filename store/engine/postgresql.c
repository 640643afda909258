/*
 * postgresql.c - PostgreSQL by libpq, and nothing else: connection, statements, values, errors.
 *
 * The only file that sees libpq-fe.h. The library is loaded when a store is named by a URL, so a run on
 * SQLite does not pay for it.
 *
 * A statement's rows are all fetched at once: one round trip each, and others may be asked while they are
 * read. What nobody asks the outcome of, most of what writes, is sent without waiting (libpq's pipeline mode);
 * the next question brings the answers along, and an error among them is then its error. So are questions asked
 * ahead, whose answers are kept until they are read or may have changed.
 * Numbers go there and come back as text, texts and bytes as they are.
 *
 * One transaction writes at a time: begin takes an advisory lock. None is relaxed, for a standby that takes over must
 * know what has been sent. Of the machines that work on a database one at a time carries out a run, and mails leave
 * from several: for that there are locks of the connection.
 *
 * An error inside a transaction leaves it good for nothing but going back, to the savepoint or altogether; a
 * connection that is lost takes it along, and the next run starts where the last commit was, as after a power cut.
 *
 * Trusts: SQL comes from string literals of store/.
 */
#include <dlfcn.h>
#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/library.h"
#include "processor/base/utf8.h"
#include "store/engine/engine.h"
#include "store/engine/row.h"
#include "store/engine/schema.h"

enum { NUMBER_BYTES = 24, MACHINE_BYTES = 64, SENT_MOST = 2048 };

/* clang-format off */
#define LIBPQ_FUNCTIONS(X) \
	X(PQconnectdbParams) X(PQstatus) X(PQerrorMessage) X(PQfinish) X(PQreset) \
	X(PQsetNoticeProcessor) X(PQtransactionStatus) X(PQparameterStatus) X(PQexec) \
	X(PQpipelineStatus) X(PQenterPipelineMode) X(PQexitPipelineMode) X(PQpipelineSync) \
	X(PQsendPrepare) X(PQsendQueryPrepared) X(PQsendQueryParams) X(PQgetResult) \
	X(PQresultStatus) X(PQresultErrorField) \
	X(PQcmdTuples) X(PQntuples) X(PQnfields) X(PQfname) X(PQftype) X(PQgetisnull) \
	X(PQgetvalue) X(PQgetlength) X(PQclear)
/* clang-format on */

/* DEMANDS: it fails where it changes no row, so that the commit can be sent right behind it. */
enum form { AS_IT_IS, DEMANDS, FORMS };
static const char *const before_form[] = {"", "WITH changed AS ("};
static const char *const behind_form[] = {"", " RETURNING 1) SELECT 1 / count(*) FROM changed"};
#define DIVISION_BY_ZERO "22012"

/* Loaded once; what was found stays. */
static struct {
	LIBPQ_FUNCTIONS(LIBRARY_MEMBER)
} pq;

/* A question asked ahead, of a statement that is kept. */
struct ahead {
	struct ahead *next;
	struct strbuf with; /* its parameters */
	PGresult *result;   /* NULL: not answered yet */
	unsigned age;       /* the connection's when it was asked, */
	unsigned written;   /* and how much had been written then */
	unsigned about;     /* what it is about (store_about) */
};

struct connection {
	PGconn *conn;
	unsigned changes; /* rows changed by the last question */
	unsigned names;   /* statements named so far */
	/* Not answered yet: the preparation of a statement, or one that was carried out. */
	struct sent {
		bool *prepared;       /* of the statement; NULL: it is not that */
		struct ahead *ahead;  /* keeps the answer; NULL: it was not asked ahead */
		const char *expected; /* what it must change; NULL: nothing need be */
	} sent[SENT_MOST];
	unsigned nsent;
	unsigned age;     /* counts what may have changed all that was asked ahead */
	unsigned written; /* counts what may have changed ... */
	unsigned changed; /* ... what is about this (store_about), and all before it */
};

/* A statement with its parameters, and the rows it gave. */
struct statement {
	struct connection *c;
	char *sql;             /* with $1 for ? */
	char names[FORMS][16]; /* on the server; "": sent with its text each time */
	bool prepared[FORMS];  /* there, or on its way */
	int nparams;
	const char **values; /* NULL = null */
	int *lengths, *formats;
	char (*numbers)[NUMBER_BYTES];
	char **copies;       /* owned: what values[i] points to, or NULL */
	PGresult *result;    /* NULL: not carried out yet */
	int row, rows;       /* row -1: before the first */
	struct ahead *ahead; /* the oldest first */
};

/* ------------------------------------------------------------------ errors */

/* By SQLSTATE: https://www.postgresql.org/docs/15/errcodes-appendix.html */
static enum err err_of_state(const char *state)
{
	static const struct {
		const char *begins;
		enum err err;
	} states[] = {
	    {"23505", ERR_EXISTS}, {"23", ERR_INVALID},   {"08", ERR_IO},
	    {"40", ERR_BUSY},      {"55P03", ERR_BUSY},   {"57P", ERR_BUSY},
	    {"53100", ERR_FULL},   {"53300", ERR_BUSY},   {"53", ERR_IO},
	    {"28", ERR_DENIED},    {"42501", ERR_DENIED}, {"25006", ERR_DENIED},
	    {"25P02", ERR_IO},     {"54", ERR_LIMIT},     {"58", ERR_IO},
	    {"XX", ERR_CORRUPT},   {"22", ERR_CORRUPT},   {"42", ERR_CORRUPT},
	};

	for (size_t i = 0; state && i < sizeof states / sizeof *states; i++)
		if (span_starts(span_of(state), states[i].begins))
			return states[i].err;
	return ERR_IO;
}

/* Its message, which ends in a line feed and may have several lines, on one. */
static void add_message(struct strbuf *out, const char *message)
{
	struct span rest = span_of(message), word;

	while (span_next_word(&rest, "\n", &word))
		strbuf_addf(out, out->len ? " %.*s" : "%.*s", SPAN_ARGS(word));
}

static enum err fail(struct store *s, const PGresult *result)
{
	struct connection *c = s->connection;
	const char *state = result ? pq.PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
	const char *primary = result ? pq.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY)
	                             : NULL;
	struct strbuf text = STRBUF_INIT;
	enum err err = err_of_state(state);

	add_message(&text, primary ? primary : pq.PQerrorMessage(c->conn));
	db_fail(s, err, "database %s: %s", s->path, text.ptr);
	strbuf_release(&text);
	return err;
}

static bool has_state(const PGresult *result, const char *state)
{
	const char *its = result ? pq.PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;

	return its && strcmp(its, state) == 0;
}

static bool is_good(const PGresult *result)
{
	ExecStatusType status = pq.PQresultStatus(result);

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* -------------------------------------------------------------- connection */

static enum err load(struct store *s)
{
	__typeof__(&pq) lib = &pq;
	const char *missing = NULL;
	void *handle;

	if (lib->PQclear)
		return ERR_NONE;
	TRY(library_open(library_pq, "libpq5", RTLD_NOW, &handle, &s->failure));
	LIBPQ_FUNCTIONS(LIBRARY_FIND)
	return missing ? db_fail(s, ERR_UNSUPPORTED, "libpq has no function %s", missing)
	               : ERR_NONE;
}

static void no_notices(void *ctx, const char *message)
{
	(void)ctx;
	(void)message;
}

/*
 * Waits for all answers; the first error, behind which the others have been left out. The last one's result to
 * *last, if that is not NULL.
 */
static enum err collect(struct store *s, PGresult **last)
{
	struct connection *c = s->connection;
	enum err err = ERR_NONE;
	PGresult *result;
	bool lost, good;

	if (c->nsent == 0)
		return ERR_NONE;
	lost = pq.PQpipelineSync(c->conn) != 1;
	for (unsigned i = 0; i < c->nsent; i++) {
		result = lost ? NULL : pq.PQgetResult(c->conn);
		lost = !result;
		good = result && is_good(result);
		if (c->sent[i].prepared)
			*c->sent[i].prepared = good;
		if (!good && err == ERR_NONE)
			err = c->sent[i].expected && has_state(result, DIVISION_BY_ZERO)
			          ? db_fail(s, ERR_CORRUPT, "no %s", c->sent[i].expected)
			          : fail(s, result);
		if (last && i + 1 == c->nsent)
			*last = result;
		else if (good && c->sent[i].ahead)
			c->sent[i].ahead->result = result;
		else
			pq.PQclear(result);
		if (!lost) /* behind each there is NULL */
			pq.PQclear(pq.PQgetResult(c->conn));
	}
	c->nsent = 0;
	if (!lost)
		pq.PQclear(pq.PQgetResult(c->conn)); /* that of the sync */
	if (pq.PQexitPipelineMode(c->conn) != 1 && err == ERR_NONE)
		err = fail(s, NULL);
	return err;
}

/* What comes before is done; going back needs it not to have gone well. */
static enum err exec(struct store *s, const char *sql)
{
	struct connection *c = s->connection;
	enum err err = collect(s, NULL);

	c->age++;
	if (err != ERR_NONE && !span_starts(span_of(sql), "ROLLBACK"))
		return err;
	PGresult *result = pq.PQexec(c->conn, sql);
	err = is_good(result) ? ERR_NONE : fail(s, result);
	pq.PQclear(result);
	return err;
}

/* In the URL it would be seen by everybody who may list processes, and stand in each sentence below. */
static bool holds_password(const char *url)
{
	struct span rest = span_of(url), who;

	rest = span_slice(rest, span_find(rest, SPAN_LIT("://")) + 3, rest.len);
	who = span_slice(rest, 0, span_find_char(rest, '/'));
	size_t at = span_find_char(who, '@');

	return (at < who.len && span_find_char(who, ':') < at) ||
	       span_find(rest, SPAN_LIT("password=")) < rest.len;
}

/* A machine that has gone, with its locks, is noticed within a minute. */
static enum err set_up(struct store *s)
{
	static const char settings[] = "SET client_encoding = 'UTF8';"
				       "SET bytea_output = 'hex';"
				       "SET standard_conforming_strings = on;"
				       "SET lock_timeout = '60s';"
				       "SET tcp_keepalives_idle = 30;"
				       "SET tcp_keepalives_interval = 10;"
				       "SET tcp_keepalives_count = 3;";
	enum err err = exec(s, settings);

	if (err == ERR_NONE && s->read_only)
		err = exec(s, "SET default_transaction_read_only = on");
	return err;
}

/*
 * What the URL does not say: the certificate of another machine is verified, nobody waits for ever for one
 * that is gone.
 */
static enum err connect_to_server(struct store *s)
{
	const char *names[] = {
	    "sslmode", "sslrootcert", "connect_timeout", "tcp_user_timeout", "application_name",
	    "dbname",  NULL};
	char name[MACHINE_BYTES] = "";
	const char *values[] = {
	    "verify-full", "/etc/ssl/certs/ca-certificates.crt", "10", "60000", name, s->path,
	    NULL};
	struct connection *c;

	if (holds_password(s->path))
		return db_fail(
		    s, ERR_CONFIG,
		    "the name of a store holds a password, which all can see: write it "
		    "into a file that only you can read, and name that in "
		    "molepost.conf with password = USER@HOST file:NAME, or in "
		    "~/.pgpass");
	if (gethostname(name, sizeof name - 1) != 0)
		snprintf(name, sizeof name, "molepost");
	TRY(load(s));
	c = xcalloc(1, sizeof *c);
	s->connection = c;
	c->conn = pq.PQconnectdbParams(names, values, 1);
	if (!c->conn)
		out_of_memory();
	if (pq.PQstatus(c->conn) != CONNECTION_OK)
		return fail(s, NULL);
	pq.PQsetNoticeProcessor(c->conn, no_notices, NULL);
	return set_up(s);
}

static bool is_lost(const struct store *s)
{
	const struct connection *c = s->connection;

	return pq.PQstatus(c->conn) != CONNECTION_OK;
}

static enum err reconnect(struct store *s)
{
	struct connection *c = s->connection;

	c->nsent = 0;
	c->age++;
	pq.PQreset(c->conn);
	return is_lost(s) ? fail(s, NULL) : set_up(s);
}

static void disconnect(struct store *s)
{
	struct connection *c = s->connection;

	if (c && c->conn)
		pq.PQfinish(c->conn);
	free(c);
	s->connection = NULL;
}

static const char *version(const struct store *s)
{
	const struct connection *c = s->connection;
	const char *text = pq.PQparameterStatus(c->conn, "server_version");

	return text ? text : "";
}

static enum tx_state tx(const struct store *s)
{
	const struct connection *c = s->connection;

	switch (c && c->conn ? pq.PQtransactionStatus(c->conn) : PQTRANS_IDLE) {
	case PQTRANS_IDLE:
	case PQTRANS_UNKNOWN: /* the connection is lost, and the transaction with it */
		return TX_NONE;
	case PQTRANS_INERROR:
		return TX_FAILED;
	case PQTRANS_ACTIVE:
	case PQTRANS_INTRANS:
		break;
	}
	return TX_OPEN;
}

static unsigned changes(const struct store *s)
{
	return ((const struct connection *)s->connection)->changes;
}

static void run_unasked(struct query *q, const char *expected);

/* ------------------------------------------------------------------- locks */

static enum err held_elsewhere(struct store *s, enum store_lock which, int64_t *held_s)
{
	struct strbuf machine = STRBUF_INIT;
	struct query q = db_read(
	    s, "SELECT CAST(extract(epoch FROM now() - a.backend_start) AS BIGINT),"
	       " a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
	       " WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 1299147856"
	       " AND l.objid = ? AND l.objsubid = 2 AND a.datname = current_database()"
	       " ORDER BY a.backend_start LIMIT 1");

	bind_int(&q, which);
	if (db_next(&q)) {
		*held_s = col_int(&q);
		strbuf_add_span(&machine, col_bytes(&q));
	}
	enum err err = db_end(&q);
	if (err == ERR_NONE) /* no row: it has just ended */
		err = db_fail(s, ERR_BUSY, "another run is at work, on the machine %s",
		              machine.ptr);
	strbuf_release(&machine);
	return err;
}

/* What is not held is not given back, which the server only warns of. */
static void unlock(struct store *s, enum store_lock which)
{
	struct query q = db_read(s, "SELECT pg_advisory_unlock(1299147856, ?1),"
	                            " pg_advisory_unlock_shared(1299147856, ?1)");

	bind_int(&q, which);
	/* A connection that is lost had no lock any more. */
	(void)db_next(&q);
	(void)!db_end(&q);
}

static enum err lock(struct store *s, enum store_lock which, int64_t *held_s)
{
	struct query q = db_read(s, "SELECT pg_try_advisory_lock(1299147856, ?)");
	bool got = false;

	bind_int(&q, which);
	if (db_next(&q))
		got = col_bool(&q);
	enum err err = db_end(&q);
	return err == ERR_NONE && !got ? held_elsewhere(s, which, held_s) : err;
}

static enum err share(struct store *s, enum store_lock which, bool join)
{
	struct query q = join ? db_read(s, "SELECT pg_try_advisory_lock_shared(1299147856, ?)")
	                      : db_read(s,
	                                "SELECT true, pg_advisory_lock_shared(1299147856, ?1),"
	                                " pg_advisory_unlock(1299147856, ?1)");
	bool got = false;

	bind_int(&q, which);
	if (db_next(&q))
		got = col_bool(&q);
	enum err err = db_end(&q);
	return err == ERR_NONE && !got ? db_fail(s, ERR_BUSY, "another machine is at it") : err;
}

/* ------------------------------------------------------------------ schema */

static enum err schema_version(struct store *s, unsigned *version, bool *ours)
{
	struct query q = db_read_text(s, "SELECT to_regclass('molepost_schema') IS NOT NULL");
	enum err err;

	*version = 0;
	*ours = db_next(&q) && col_int(&q) == 1;
	err = db_end(&q);
	if (err != ERR_NONE || !*ours)
		return err;
	q = db_read_text(s, "SELECT version FROM molepost_schema");
	if (db_next(&q))
		*version = col_uint(&q);
	return db_end(&q);
}

static void note_schema(unsigned version, struct strbuf *sql)
{
	strbuf_addf(sql,
	            "CREATE TABLE IF NOT EXISTS molepost_schema (version bigint NOT NULL);"
	            "DELETE FROM molepost_schema; INSERT INTO molepost_schema VALUES (%u)",
	            version);
}

static const char size[] = "SELECT pg_database_size(current_database())";

static enum err bytes(struct store *s, int64_t *bytes)
{
	return row_find(s, size, NO_ARGS, &row_int64, NULL, bytes);
}

static enum err check_place(struct store *s)
{
	struct query q = db_read_text(
	    s, "SELECT current_user, current_database(), current_setting('server_encoding'),"
	       " has_database_privilege(current_database(), 'CREATE'),"
	       " coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),"
	       " EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citext'),"
	       " EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citext')");
	struct arena *a = arena_new();
	enum err err = ERR_NONE;

	if (db_next(&q)) {
		const char *user = arena_cstr(a, col_text(&q, a));
		const char *name = arena_cstr(a, col_text(&q, a));
		const char *encoding = arena_cstr(a, col_text(&q, a));
		bool may_extend = col_bool(&q), may_create = col_bool(&q);
		bool has_citext = col_bool(&q), is_installed = col_bool(&q);

		if (strcmp(encoding, "UTF8") != 0)
			err = db_fail(s, ERR_INVALID,
			              "the database %s is in %s, which has no room for most "
			              "letters; make it anew: createdb -O %s -E UTF8 -T "
			              "template0 --locale=C %s",
			              name, encoding, user, name);
		else if (!may_create)
			err = db_fail(
			    s, ERR_DENIED,
			    "%s may make no tables in %s; who administers it says: psql "
			    "-c 'ALTER DATABASE %s OWNER TO %s'",
			    user, name, name, user);
		else if (!has_citext && !is_installed)
			err = db_fail(s, ERR_UNSUPPORTED,
			              "that server has no extension citext: apt install "
			              "postgresql-contrib there");
		else if (!has_citext && !may_extend)
			err =
			    db_fail(s, ERR_DENIED,
			            "%s may not make the extension citext; who administers %s "
			            "says: psql -d %s -c 'CREATE EXTENSION citext'",
			            user, name, name);
	}
	enum err end = db_end(&q);
	arena_free(a);
	return err == ERR_NONE ? end : err;
}

static enum err describe(struct store *s, struct strbuf *out)
{
	const struct connection *c = s->connection;

	strbuf_addf(out, "postgresql: %s\nencoding: %s\n", version(s),
	            pq.PQparameterStatus(c->conn, "server_encoding"));
	enum err err =
	    db_describe_number(s, "schema", "SELECT version FROM molepost_schema", out);

	return err != ERR_NONE ? err : db_describe_number(s, "bytes", size, out);
}

/* -------------------------------------------------------------- statements */

/* ? and ?2 become $1 and $2, but for those in quotes; how many there are. */
static int number_parameters(const char *sql, struct strbuf *out)
{
	char quote = '\0';
	int most = 0, n;

	for (const char *c = sql; *c; c++) {
		if (quote == *c)
			quote = '\0';
		else if (!quote && (*c == '\'' || *c == '"'))
			quote = *c;
		if (quote || *c != '?') {
			strbuf_addc(out, *c);
			continue;
		}
		for (n = 0; c[1] >= '0' && c[1] <= '9'; c++)
			n = 10 * n + c[1] - '0';
		if (n == 0)
			n = most + 1;
		most = n > most ? n : most;
		strbuf_addf(out, "$%d", n);
	}
	return most;
}

static void reset(void *stmt)
{
	struct statement *t = stmt;

	for (int i = 0; i < t->nparams; i++) {
		free(t->copies[i]);
		t->copies[i] = NULL;
		t->values[i] = NULL;
	}
	pq.PQclear(t->result);
	t->result = NULL;
}

static void forget_ahead(struct connection *c, struct ahead *a)
{
	for (unsigned i = 0; i < c->nsent; i++)
		if (c->sent[i].ahead == a)
			c->sent[i].ahead = NULL;
	pq.PQclear(a->result);
	strbuf_release(&a->with);
	free(a);
}

static void forget_all_ahead(struct statement *t)
{
	struct ahead *next;

	for (struct ahead *a = t->ahead; a; a = next) {
		next = a->next;
		forget_ahead(t->c, a);
	}
	t->ahead = NULL;
}

static void finalize(void *stmt)
{
	struct statement *t = stmt;

	if (!t)
		return;
	for (unsigned i = 0; i < t->c->nsent; i++)
		for (int form = 0; form < FORMS; form++)
			if (t->c->sent[i].prepared == &t->prepared[form])
				t->c->sent[i].prepared = NULL;
	reset(t);
	forget_all_ahead(t);
	free(t->values);
	free(t->lengths);
	free(t->formats);
	free(t->numbers);
	free(t->copies);
	free(t->sql);
	free(t);
}

static void prepare(struct query *q, const char *sql, bool keep)
{
	struct connection *c = q->s->connection;
	struct statement *t = xcalloc(1, sizeof *t);
	struct strbuf text = STRBUF_INIT;
	size_t n;

	t->c = c;
	t->nparams = number_parameters(sql, &text);
	t->sql = strbuf_detach(&text);
	n = (size_t)t->nparams + 1;
	t->values = xcalloc(n, sizeof *t->values);
	t->lengths = xcalloc(n, sizeof *t->lengths);
	t->formats = xcalloc(n, sizeof *t->formats);
	t->numbers = xcalloc(n, sizeof *t->numbers);
	t->copies = xcalloc(n, sizeof *t->copies);
	q->stmt = t;
	for (int form = 0; keep && form < FORMS; form++)
		snprintf(t->names[form], sizeof t->names[form], "m%u", ++c->names);
}

static bool send_preparation(struct connection *c, struct statement *t, enum form form,
                             const char *text)
{
	bool sent = pq.PQsendPrepare(c->conn, t->names[form], text, 0, NULL) == 1;

	t->prepared[form] = sent;
	if (sent)
		c->sent[c->nsent++] = (struct sent){.prepared = &t->prepared[form]};
	return sent;
}

/* On its way, with its preparation the first time. */
static enum err send(struct store *s, struct statement *t, struct sent what)
{
	struct connection *c = t->c;
	enum form form = what.expected ? DEMANDS : AS_IT_IS;
	bool named = t->names[form][0] != '\0', sent = true;
	struct strbuf text = STRBUF_INIT;

	if (c->nsent + 2 > SENT_MOST) {
		enum err err = collect(s, NULL);

		if (err != ERR_NONE)
			return err;
	}
	if (pq.PQpipelineStatus(c->conn) == PQ_PIPELINE_OFF)
		sent = pq.PQenterPipelineMode(c->conn) == 1;
	if (!named || !t->prepared[form])
		strbuf_addf(&text, "%s%s%s", before_form[form], t->sql, behind_form[form]);
	if (sent && named && !t->prepared[form])
		sent = send_preparation(c, t, form, text.ptr);
	if (sent && named)
		sent = pq.PQsendQueryPrepared(c->conn, t->names[form], t->nparams, t->values,
		                              t->lengths, t->formats, 0) == 1;
	else if (sent)
		sent = pq.PQsendQueryParams(c->conn, text.ptr, t->nparams, NULL, t->values,
		                            t->lengths, t->formats, 0) == 1;
	strbuf_release(&text);
	if (!sent)
		return fail(s, NULL);
	c->sent[c->nsent++] = what;
	return ERR_NONE;
}

static void add_parameters(const struct statement *t, struct strbuf *out)
{
	for (int i = 0; i < t->nparams; i++) {
		size_t len = !t->values[i]   ? 0
		             : t->formats[i] ? (size_t)t->lengths[i]
		                             : strlen(t->values[i]);

		strbuf_addf(out, "%c%zu:", t->values[i] ? '=' : '0', len);
		if (len > 0)
			strbuf_add(out, t->values[i], len);
	}
}

static bool holds(const struct connection *c, const struct ahead *a)
{
	return a->age == c->age && (a->about > c->changed || a->written == c->written);
}

static void forget_what_has_changed(struct statement *t)
{
	struct ahead **at = &t->ahead, *a;

	while ((a = *at)) {
		if (holds(t->c, a)) {
			at = &a->next;
			continue;
		}
		*at = a->next;
		forget_ahead(t->c, a);
	}
}

/* Where the answer to what is bound now is kept, or would be. */
static struct ahead **find_ahead(struct statement *t)
{
	struct strbuf with = STRBUF_INIT;
	struct ahead **at = &t->ahead;

	forget_what_has_changed(t);
	if (*at)
		add_parameters(t, &with);
	while (*at && !span_eq(strbuf_span(&(*at)->with), strbuf_span(&with)))
		at = &(*at)->next;
	strbuf_release(&with);
	return at;
}

/* Nothing is waited for: what does not fit is not asked. */
static void ask_ahead(struct query *q)
{
	struct statement *t = q->stmt;
	struct ahead **at, *a;

	if (t->c->nsent + 2 > SENT_MOST)
		return;
	at = find_ahead(t);
	if (*at)
		return;
	a = xcalloc(1, sizeof *a);
	strbuf_init(&a->with);
	add_parameters(t, &a->with);
	a->age = t->c->age;
	a->written = t->c->written;
	a->about = q->s->about != 0 ? q->s->about : q->s->about_before;
	*at = a;
	q->err = send(q->s, t, (struct sent){.ahead = a});
}

/* What was asked ahead. NULL: it was not, or q->err. */
static PGresult *answer_ahead(struct query *q)
{
	struct statement *t = q->stmt;
	struct ahead **at = find_ahead(t), *a = *at;
	PGresult *result;

	if (!a)
		return NULL;
	if (!a->result)
		q->err = collect(q->s, NULL);
	result = a->result;
	a->result = NULL;
	*at = a->next;
	forget_ahead(t->c, a);
	return result;
}

static void note_change(struct query *q)
{
	struct statement *t = q->stmt;

	t->c->written += q->spoils != SPOILS_NOTHING;
	t->c->age += q->spoils == SPOILS_ALL;
	if (q->spoils == SPOILS_OWN)
		t->c->changed = q->s->about;
}

static enum err ask(struct query *q)
{
	struct statement *t = q->stmt;
	enum err err = send(q->s, t, (struct sent){0});

	if (q->writes || strcmp(t->sql, "COMMIT") == 0)
		note_change(q);
	return err == ERR_NONE ? collect(q->s, &t->result) : err;
}

static unsigned age(const struct store *s)
{
	return ((const struct connection *)s->connection)->age;
}

static bool next_row(struct query *q)
{
	struct statement *t = q->stmt;

	if (!t->result) {
		t->result = answer_ahead(q);
		if (q->err == ERR_NONE && !t->result)
			q->err = ask(q);
		if (q->err != ERR_NONE)
			return false;
		t->row = -1;
		t->rows = pq.PQntuples(t->result);
		t->c->changes = (unsigned)strtoul(pq.PQcmdTuples(t->result), NULL, 10);
	}
	return ++t->row < t->rows;
}

static void run_unasked(struct query *q, const char *expected)
{
	struct statement *t = q->stmt;

	note_change(q);
	q->err = send(q->s, t, (struct sent){.expected = expected});
}

static enum err run_behind(struct store *s, const char *sql)
{
	struct query q = db_read(s, sql);

	run_unasked(&q, NULL);
	return db_end(&q);
}

/* Sent along with the first question, so that nobody has the lock while a line is slow. */
static enum err begin(struct store *s)
{
	TRY(run_behind(s, "BEGIN"));
	/* SCHEMA_APPLICATION_ID */
	return run_behind(s, "SELECT pg_advisory_xact_lock(1299147856)");
}

static struct statement *parameter(struct query *q, int at)
{
	struct statement *t = q->stmt;

	if (at > t->nparams)
		BUG("parameter %d of %s", at, t->sql);
	return t;
}

static void bind_number(struct query *q, int at, int64_t v)
{
	struct statement *t = parameter(q, at);

	snprintf(t->numbers[at - 1], NUMBER_BYTES, "%lld", (long long)v);
	t->values[at - 1] = t->numbers[at - 1];
	t->formats[at - 1] = 0;
}

static void bind_nothing(struct query *q, int at)
{
	parameter(q, at)->values[at - 1] = NULL;
}

/* PostgreSQL takes no text that is not UTF-8 or has a NUL in it: such bytes are shown, each as \xHH. */
static char *as_utf8(struct span text, int *length)
{
	struct strbuf out = STRBUF_INIT;
	uint32_t cp;

	while (text.len > 0) {
		struct span rest = text;

		if (*text.ptr != '\0' && utf8_next(&rest, &cp)) {
			strbuf_add(&out, text.ptr, text.len - rest.len);
		} else {
			strbuf_addf(&out, "\\x%02x", (unsigned char)*text.ptr);
			rest = span_slice(text, 1, text.len);
		}
		text = rest;
	}
	*length = (int)out.len;
	return strbuf_detach(&out);
}

static void bind_bytes(struct query *q, int at, enum value_kind kind, struct span bytes,
                       bool copy)
{
	struct statement *t = parameter(q, at);
	int i = at - 1;

	if (!bytes.ptr)
		bytes = span_of("");
	t->values[i] = bytes.ptr;
	t->lengths[i] = (int)bytes.len;
	t->formats[i] = 1;
	free(t->copies[i]);
	t->copies[i] = NULL;
	if (kind == VALUE_TEXT &&
	    (span_find_char(bytes, '\0') < bytes.len || !utf8_valid(bytes)))
		t->copies[i] = as_utf8(bytes, &t->lengths[i]);
	else if (copy && bytes.len > 0)
		t->copies[i] = memcpy(xmalloc(bytes.len), bytes.ptr, bytes.len);
	if (t->copies[i])
		t->values[i] = t->copies[i];
}

/* ----------------------------------------------------------------- columns */

/* Of the types there are: https://www.postgresql.org/docs/15/catalog-pg-type.html */
enum {
	OID_BOOL = 16,
	OID_BYTEA = 17,
	OID_INT8 = 20,
	OID_INT2 = 21,
	OID_INT4 = 23,
	OID_NUMERIC = 1700
};

static int params(const struct query *q)
{
	return ((const struct statement *)q->stmt)->nparams;
}

static enum value_kind column_declared(const struct query *q, int at)
{
	const struct statement *t = q->stmt;

	switch (pq.PQftype(t->result, at)) {
	case OID_BOOL:
	case OID_INT2:
	case OID_INT4:
	case OID_INT8:
	case OID_NUMERIC:
		return VALUE_INT;
	case OID_BYTEA:
		return VALUE_BLOB;
	default:
		return VALUE_TEXT;
	}
}

static enum value_kind column_kind(const struct query *q, int at)
{
	const struct statement *t = q->stmt;

	return pq.PQgetisnull(t->result, t->row, at) ? VALUE_NULL : column_declared(q, at);
}

static int64_t column_int(struct query *q, int at)
{
	const struct statement *t = q->stmt;
	const char *text = pq.PQgetvalue(t->result, t->row, at);

	if (pq.PQgetisnull(t->result, t->row, at))
		return 0;
	return *text == 't' ? 1 : strtoll(text, NULL, 10);
}

/* "\x0aff", in place; it never gets longer. Asked for once a row. */
static struct span from_hex(char *text, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;

	for (size_t i = 2; i + 1 < len; i += 2) {
		const char *high = strchr(digits, text[i]), *low = strchr(digits, text[i + 1]);

		if (!high || !low || !text[i])
			break;
		text[n++] = (char)((high - digits) << 4 | (low - digits));
	}
	return (struct span){text, n};
}

static struct span column_bytes(struct query *q, int at)
{
	const struct statement *t = q->stmt;
	char *text = pq.PQgetvalue(t->result, t->row, at);
	size_t len = (size_t)pq.PQgetlength(t->result, t->row, at);

	if (pq.PQgetisnull(t->result, t->row, at))
		return SPAN_EMPTY;
	return pq.PQftype(t->result, at) == OID_BYTEA ? from_hex(text, len)
	                                              : (struct span){text, len};
}

static int column_count(const struct query *q)
{
	const struct statement *t = q->stmt;

	return pq.PQnfields(t->result);
}

static const char *column_name(const struct query *q, int at)
{
	const struct statement *t = q->stmt;

	return pq.PQfname(t->result, at);
}

const struct engine engine_postgresql = {
    .is_file = false,
    .open = connect_to_server,
    .close = disconnect,
    .is_lost = is_lost,
    .reconnect = reconnect,
    .lock = lock,
    .share = share,
    .unlock = unlock,
    .version = version,
    .bytes = bytes,
    .check_place = check_place,
    .describe = describe,
    .exec = exec,
    .begin = begin,
    .after_copy = "SELECT setval('audit_ids', max(id)) FROM audit",
    .begin_reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    .tx = tx,
    .changes = changes,
    .schema_version = schema_version,
    .note_schema = note_schema,
    .defer_references = "SET CONSTRAINTS ALL DEFERRED",
    .prepare = prepare,
    .finalize = finalize,
    .reset = reset,
    .next_row = next_row,
    .run_unasked = run_unasked,
    .ask_ahead = ask_ahead,
    .age = age,
    .bind_int = bind_number,
    .bind_null = bind_nothing,
    .bind_bytes = bind_bytes,
    .col_int = column_int,
    .col_bytes = column_bytes,
    .col_kind = column_kind,
    .params = params,
    .col_declared = column_declared,
    .col_count = column_count,
    .col_name = column_name,
};
