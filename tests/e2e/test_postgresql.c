/*
 * test_postgresql.c - a server whose store is on PostgreSQL.
 *
 * The first test starts one and has it run this program again, and those that look at everything a store
 * does; in there all the others have something to do.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/chance.h"
#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/chosen.h"
#include "tests/support/crowd.h"
#include "tests/support/postgresql.h"
#include "tests/support/scratch.h"
#include "tests/support/slow_line.h"
#include "tests/support/table.h"

/* What the script `words` prints; its exit code. Skips the test where it says that it cannot be played. */
static int script(const char *words, struct strbuf *said)
{
	char line[8192];
	FILE *out = popen(words, "r");

	cr_assert_not_null(out);
	while (fgets(line, sizeof(line), out))
		strbuf_adds(said, line);
	int status = pclose(out);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		cr_skip_test("skipped: %s",
		             said->len > 0 ? said->ptr : "there is no PostgreSQL here");
	return status;
}

Test(postgresql, what_tests_a_store_passes_there_too, .timeout = 3600)
{
	static const char *const programs[] = {
	    "e2e/test_postgresql",
	    "unit/store/test_sealed",
	    "unit/store/test_tx",
	    "unit/store/test_row",
	    "unit/store/test_ask_ahead",
	    "unit/store/test_absences",
	    "unit/operator/test_key_use",
	    "unit/operator/test_personal_data",
	    "unit/operator/test_fsck",
	    "unit/store/test_addresses",
	    "unit/store/test_bounces",
	    "unit/store/test_games",
	    "unit/store/test_mail",
	    "unit/store/test_press",
	    "unit/store/test_standing_orders",
	    "unit/store/test_turns",
	    "unit/turns/test_due_turns",
	    "unit/store/test_votes",
	    "unit/operator/test_retention",
	    "e2e/test_store_copy",
	    "conversations/test_conversations",
	    "conversations/test_seats",
	    "conversations/test_lost_orders",
	    "conversations/test_masters",
	    "conversations/test_queue",
	    "crash/test_interleavings",
	    "crash/test_poison",
	    "crash/test_steps",
	    "e2e/test_year",
	};
	struct strbuf words = STRBUF_INIT, said = STRBUF_INIT;

	if (on_postgresql())
		cr_skip_test("this is it");
	strbuf_adds(&words, "EVERY=10 ECHO_EVERY=16 YEAR_GAMES=60 YEAR_PLAYERS=30 YEAR_DAYS=65"
	                    " tests/support/on-postgresql.sh");
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		strbuf_addf(&words, " '%s/tests/%s'", env_get("MOLEPOST_BUILD"), programs[i]);
	strbuf_adds(&words, " 2>&1");
	int status = script(words.ptr, &said);
	cr_expect_eq(status, 0, "%s", said.ptr);
	strbuf_release(&words);
	strbuf_release(&said);
}

/* The SQL of the store is written once: PostgreSQL takes each statement with nothing changed but placeholders. */
Test(postgresql, prepares_every_statement_of_the_store, .timeout = 120)
{
	enum { STATEMENTS_LEAST = 500 };

	if (on_postgresql())
		cr_skip_test("it starts one of its own");
	struct strbuf said = STRBUF_INIT;
	unsigned long prepared, refused;

	int status = script("tests/support/pg-prepare.sh 2>&1", &said);
	cr_expect_eq(status, 0, "%s", said.ptr);
	const char *last = strrchr(said.ptr, '\n');
	while (last > said.ptr && last[-1] != '\n')
		last--;
	char *after;
	prepared = strtoul(last, &after, 10);
	const char *comma = strstr(after, " prepared, ");
	cr_assert(comma, "%s", last);
	refused = strtoul(comma + strlen(" prepared, "), NULL, 10);
	cr_expect_geq(prepared, STATEMENTS_LEAST);
	cr_expect_eq(refused, 0, "%s", said.ptr);
	strbuf_release(&said);
}

/* What needs no server: each leaves nothing half made, and no password in what it says. */
Test(postgresql, a_store_that_cannot_be_is_refused)
{
	static const struct {
		const char *url;
		int code;
		const char *said;
	} bad[] = {
	    {"mysql://x", 78, "postgresql://user@host/database"},
	    {"postgresql://a:secret@b/c", 78, "password = USER@HOST file:NAME"},
	    {"postgresql://a@b/c?password=secret", 78, "password = USER@HOST file:NAME"},
	    {"postgresql://a@/c?host=/nowhere", 75, "/nowhere"},
	};
	struct testbed *s = testbed_new("refused");
	char *dir = scratch_path(s->scratch, "other");

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *argv[] = {"init", "--store", bad[i].url, dir, NULL};
		struct ran r;

		testbed_exec(s, argv, NULL, &r);
		cr_expect_eq(r.code, bad[i].code, "%s: %s", bad[i].url, r.err.ptr);
		cr_expect(strstr(r.err.ptr, bad[i].said), "%s: %s", bad[i].url, r.err.ptr);
		cr_expect_null(strstr(r.err.ptr, "secret"), "%s", r.err.ptr);
		cr_expect(rmdir(dir) == 0 || errno == ENOENT, "%s", bad[i].url);
		ran_release(&r);
	}
	free(dir);
	testbed_free(s);
}

/* A game begun by one mail, and a turn of it played. */
static void play_a_turn(struct testbed *s)
{
	testbed_write(s, "ann", "create whakka mole players 3 bots 2\n");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 3, whack 5\n");
	testbed_run(s);
}

/* ---- over the network ---- */

static void write_secret(const struct testbed *s, const char *name, const char *text)
{
	char *path = testbed_path(s, name);
	FILE *f = fopen(path, "w");

	cr_assert(f && chmod(path, 0600) == 0 && fputs(text, f) >= 0 && fclose(f) == 0);
	free(path);
}

/* A run whose store is reached in this way, and what it says of it. */
static void run_by(struct testbed *s, const char *host, unsigned port, const char *options,
                   int code, const char *said)
{
	struct strbuf url = STRBUF_INIT;

	strbuf_addf(&url, "postgresql://store@%s:%u/games?%s", host, port, options);
	free(testbed_use_store(s, strbuf_detach(&url)));
	expect(s, "run", code, said);
}

/* Word by word: the blocks are read out of the page. */
Test(postgresql, two_machines_begin_with_nothing_but_readme, .timeout = 300)
{
	struct strbuf words = STRBUF_INIT, said = STRBUF_INIT;
	char *folder = scratch_new();

	if (on_postgresql())
		cr_skip_test("it starts one of its own");
	cr_assert_eq(chmod(folder, 0711), 0);
	const char *build = env_get("MOLEPOST_BUILD");
	strbuf_addf(&words,
	            "tests/support/pg-two-machines.sh \"$(realpath %s/molepost)\" %s 2>&1",
	            build ? build : "build", folder);
	cr_assert_eq(script(words.ptr, &said), 0, "%s", said.ptr);
	cr_expect_not_null(strstr(said.ptr, "server is ready."), "%s", said.ptr);
	/* A mail has made a game there, and its answer lies here. */
	cr_expect_not_null(strstr(said.ptr, "All is well.\n1\n1\n"), "%s", said.ptr);
	strbuf_release(&words);
	strbuf_release(&said);
	scratch_remove(folder);
}

/* The certificate and the name in it are verified, and the password is read from its file. */
Test(postgresql, over_the_network_it_is_tls_and_a_password_from_a_file, .timeout = 120)
{
	struct strbuf words = STRBUF_INIT, said = STRBUF_INIT, ca = STRBUF_INIT;
	struct strbuf pgpass = STRBUF_INIT;
	unsigned port = 0;

	if (on_postgresql())
		cr_skip_test("it starts one of its own");
	struct testbed *s = testbed_new("tls");
	char *folder = scratch_path(s->scratch, "postgresql");

	cr_assert_eq(chmod(s->scratch, 0711), 0); /* another user's server lives in there */
	strbuf_addf(&words, "tests/support/pg-tls.sh start '%s' %d 2>&1", folder,
	            (int)getpid());
	cr_assert_eq(script(words.ptr, &said), 0, "%s", said.ptr);
	port = (unsigned)strtoul(said.ptr, NULL, 10);
	cr_assert_gt(port, 0, "%s", said.ptr);
	strbuf_addf(&ca, "sslrootcert=%s/ca.pem", folder);
	play_a_turn(s);
	/* What init says to somebody who begins with nothing. */
	const struct {
		const char *pgpass, *options, *said, *mend;
	} zero[] = {
	    {"none", ca.ptr, "no password supplied", "into ~/.pgpass, chmod 600"},
	    {"none", "", "certificate verify failed", "?sslrootcert="},
	    {"none", "sslmode=disable", "no pg_hba.conf entry", "hostssl DATABASE USER"},
	    {"wrong", ca.ptr, "password authentication failed", "\\password USER"},
	};
	write_secret(s, "wrong", "localhost:*:games:store:another\n");
	for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
		strbuf_clear(&words);
		strbuf_clear(&pgpass);
		strbuf_addf(&words,
		            "init --store postgresql://store@localhost:%u/games?%s %s/zero",
		            port, zero[i].options, s->scratch);
		strbuf_addf(&pgpass, "PGPASSFILE=%s/%s", s->dir, zero[i].pgpass);
		expect_env(s, words.ptr, pgpass.ptr, 75, zero[i].said);
		expect_env(s, words.ptr, pgpass.ptr, 75, zero[i].mend);
	}
	strbuf_clear(&pgpass);
	testbed_configure(s, "password = store@localhost file:store-password");
	write_secret(s, "store-password", "a secret\n");
	write_secret(s, "pgpass", "localhost:*:games:store:a secret\n");
	strbuf_clear(&words);
	strbuf_addf(&words,
	            "store copy %s/molepost.db postgresql://store@localhost:%u/games?%s",
	            s->dir, port, ca.ptr);
	strbuf_addf(&pgpass, "PGPASSFILE=%s/pgpass", s->dir);
	expect_env(s, words.ptr, pgpass.ptr, 0, "");

	run_by(s, "localhost", port, ca.ptr, 0, NULL);
	testbed_reply(s, "ann", "popup 2, whack 7\n");
	cr_expect_gt(testbed_run(s), 0);
	expect_sound(s);
	run_by(s, "localhost", port, "", 75, "certificate verify failed");
	write_secret(s, "store-password", "another\n");
	run_by(s, "localhost", port, ca.ptr, 75, "password authentication failed");
	/* In clear it is let in nowhere; no password is asked for at another name. */
	run_by(s, "127.0.0.1", port, ca.ptr, 75, "does not match host name");
	strbuf_adds(&ca, "&sslmode=disable");
	run_by(s, "localhost", port, ca.ptr, 75, "no encryption");

	free(testbed_use_store(s, NULL));
	strbuf_clear(&words);
	strbuf_addf(&words, "tests/support/pg-tls.sh stop '%s'", folder);
	cr_expect_eq(script(words.ptr, &said), 0);
	free(folder);
	strbuf_release(&words);
	strbuf_release(&said);
	strbuf_release(&ca);
	strbuf_release(&pgpass);
	testbed_free(s);
}

#define ONLY_THERE                                                     \
	do {                                                           \
		if (!on_postgresql())                                  \
			cr_skip_test("another test has this one run"); \
	} while (0)

static void dump_of(struct testbed *s, struct strbuf *out)
{
	strbuf_clear(out);
	testbed_dump(s, out);
}

/* What an operator asks, and what is said. */
static void ask(struct testbed *s, struct strbuf *out)
{
	static const char *const words[] = {
	    "game list",      "game show W1",
	    "player list",    "player show 1",
	    "ratings",        "log",
	    "log --game W1",  "log --json",
	    "outbox list",    "export --log-it 1",
	    "archive W1",     "ratings rebuild",
	    "player block 1", "player unblock 1",
	    "player token 1", "fsck",
	};
	struct ran r;

	strbuf_clear(out);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		testbed_do(s, words[i], NULL, &r);
		strbuf_addf(out, "== %s: %d\n%s%s", words[i], r.code, r.out.ptr, r.err.ptr);
		ran_release(&r);
	}
}

/* `store copy` there and back: equal dumps are the proof. */
Test(postgresql, a_store_is_copied_there_and_back)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT, words = STRBUF_INIT;

	ONLY_THERE;
	struct testbed *s = testbed_new("copied");
	play_a_turn(s);
	dump_of(s, &before);
	cr_expect_gt(before.len, 1000);

	strbuf_addf(&words, "store copy %s %s/play/molepost.db", s->store, s->scratch);
	expect(s, words.ptr, 0, "rows that");
	expect(s, words.ptr, 65, "exists already");
	char *url = testbed_use_store(s, NULL);
	dump_of(s, &after);
	cr_expect_str_eq(after.ptr, before.ptr);
	expect_sound(s);
	/* And the same answers. */
	ask(s, &after);
	cr_assert_null(testbed_use_store(s, url));
	ask(s, &before);
	cr_expect_str_eq(after.ptr, before.ptr);
	url = testbed_use_store(s, NULL);
	/* And it goes on there. */
	play_a_turn(s);
	dump_of(s, &before);

	char *empty = postgresql_new();
	strbuf_clear(&words);
	strbuf_addf(&words, "store copy %s/play/molepost.db %s", s->scratch, empty);
	expect(s, words.ptr, 0, "rows that");
	expect(s, words.ptr, 65, "has a server in it already");
	cr_assert_null(testbed_use_store(s, empty));
	dump_of(s, &after);
	cr_expect_str_eq(after.ptr, before.ptr);
	expect_sound(s);
	play_a_turn(s);
	expect_sound(s);

	expect(s, "store copy /nowhere/db /nowhere/other", 65, "there is no database");
	expect(s, "store copy one", 64, "usage: molepost store copy FROM TO");
	postgresql_drop(url);
	free(url);
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&words);
	testbed_free(s);
}

enum { TOGETHER_GAMES = 25, TOGETHER_MAILS = 300 };

/* Mails of which some say the same as another, or are from somebody else than they are answered for. */
static void write_any_mail(struct testbed *s, size_t nposts, struct chance *chance, unsigned n)
{
	static const char *const texts[] = {
	    "popup 3, whack 5\n",
	    "popup 2, whack 7\n",
	    "popup 1, whack 1\nset wait\n",
	    "clear\n",
	    "status\n",
	    "i have no idea what i am doing\n",
	    "press to all\nhello\nendpress\npopup 4, whack 4\n",
	    "set absence from tomorrow for 3 days\n",
	    "signon W7\npopup 2, whack 2\n",
	    "signon W7-2\npopup 5, whack 2\n",
	    "resign\n",
	    "set zone Europe/Berlin\n",
	};
	enum { USUAL = 2, TEXTS = sizeof texts / sizeof *texts };
	const struct post *to = s->posts[chance_pick(chance, (unsigned)nposts, "whom, %u", n)];
	const struct post *other =
	    s->posts[chance_pick(chance, (unsigned)nposts, "who else, %u", n)];
	bool usual = chance_pick(chance, 3, "usual, %u", n) > 0;
	char who[16];
	const char *text = texts[chance_pick(chance, usual ? USUAL : TEXTS, "text, %u", n)];

	switch (chance_pick(chance, 20, "how, %u", n)) {
	case 0: /* somebody else's reply address */
		testbed_reply_to(s, other->who, to, text);
		break;
	case 1: /* no reply address at all */
		testbed_write(s, to->who, text);
		break;
	case 2:
		testbed_write(s, "stranger", "join W3\n");
		break;
	case 3: /* of a game that is new */
		(void)snprintf(who, sizeof who, "new%u", n % 40);
		testbed_write(
		    s, who,
		    n % 2 ? "create whakka mole players 3\n"
			  : "create martian boggle players 2\ninvite old@example.net\n");
		break;
	case 4:
		testbed_reply_to(s, to->who, to,
		                 n % 2 ? "invite a@example.net\n" : "join whakka mole wait\n");
		break;
	default:
		testbed_reply_to(s, to->who, to, text);
	}
}

static void everything_of(struct testbed *s, struct strbuf *out)
{
	strbuf_clear(out);
	testbed_run(s);
	testbed_mails(s, out);
	testbed_dump(s, out);
}

/* As in a file, where each mail is asked about by itself. SEED=n for other mails. */
Test(postgresql, mails_that_are_asked_about_together_come_to_the_same, .timeout = 300)
{
	struct strbuf there = STRBUF_INIT, file = STRBUF_INIT, words = STRBUF_INIT;
	ONLY_THERE;
	unsigned seed = chosen_number("SEED", 1);
	struct chance *chance = chance_from_seed(seed, "together");
	struct testbed *s = testbed_new("together");
	crowd_games(s, TOGETHER_GAMES);
	size_t nposts = testbed_run(s);
	cr_assert_gt(nposts, 2 * TOGETHER_GAMES);
	for (unsigned i = 0; i < TOGETHER_MAILS; i++)
		write_any_mail(s, nposts, chance, i);
	struct testbed *other = testbed_clone(s);
	strbuf_addf(&words, "store copy %s %s/play/molepost.db", other->store, other->scratch);
	expect(other, words.ptr, 0, "rows that");
	char *url = testbed_use_store(other, NULL);
	everything_of(s, &there);
	everything_of(other, &file);
	cr_expect_gt(crowd_number(s, "SELECT count(*) FROM orders"), TOGETHER_GAMES);
	cr_expect_gt(crowd_number(s, "SELECT count(*) FROM games"), TOGETHER_GAMES + 5);
	cr_expect(span_eq(strbuf_span(&there), strbuf_span(&file)), "SEED=%u", seed);
	expect_sound(s);
	postgresql_drop(url);
	free(url);
	chance_free(chance);
	strbuf_release(&there);
	strbuf_release(&file);
	strbuf_release(&words);
	testbed_free(other);
	testbed_free(s);
}

/* Row by row: the connection goes when a mail's row is written, and when all of it is to be committed. */
Test(postgresql, a_connection_that_is_lost_loses_nothing_and_doubles_nothing)
{
	static const char die[] =
	    "CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
	    " PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;";
	static const char *const moments[] = {
	    "CREATE TRIGGER die AFTER INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION die()",
	    "CREATE CONSTRAINT TRIGGER die AFTER INSERT ON inbox DEFERRABLE INITIALLY DEFERRED"
	    " FOR EACH ROW EXECUTE FUNCTION die()",
	    "CREATE TRIGGER die AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION die()",
	};
	struct ran r;

	ONLY_THERE;
	struct testbed *s = testbed_new("lost");
	postgresql_exec(s->store, die);
	testbed_write(s, "ann", "create whakka mole players 3 bots 2\n");
	for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
		postgresql_exec(s->store, moments[i]);
		testbed_do(s, "run", NULL, &r);
		cr_expect_eq(r.code, 75, "%s: %s", moments[i], r.err.ptr);
		ran_release(&r);
		postgresql_exec(s->store, i == 2 ? "DROP TRIGGER die ON outbox"
		                                 : "DROP TRIGGER die ON inbox");
		cr_expect_eq(crowd_number(s, "SELECT count(*) FROM games"), 0);
	}
	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM games"), 1);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM inbox"), 1);
	expect_sound(s);
	testbed_free(s);
}

/* What an operator may do wrong, or would do as with a file. */
/* Round trips of a run, by a line that counts how often it says something after the server has. */
static unsigned trips_of_run(struct testbed *s, const struct slow_line *line)
{
	unsigned before = slow_line_round_trips(line);

	testbed_run(s);
	return slow_line_round_trips(line) - before;
}

/* molepost(1), "What it takes". */
Test(postgresql, a_run_takes_as_many_round_trips_as_the_manual_says, .timeout = 300)
{
	enum { CREATES = 60 };
	struct strbuf path = STRBUF_INIT, url = STRBUF_INIT;

	ONLY_THERE;
	struct testbed *s = testbed_new("trips");
	const char *name = strstr(s->store, "/test_") + 1;
	strbuf_addf(&path, "%s/.s.PGSQL.5432", getenv("MOLEPOST_POSTGRESQL"));
	struct slow_line *line = slow_line_to_socket(path.ptr, 0);
	strbuf_addf(&url, "postgresql://store@127.0.0.1:%u/%.*s?sslmode=disable",
	            slow_line_port(line), (int)strcspn(name, "?"), name);
	char *near = testbed_use_store(s, strbuf_detach(&url));
	play_a_turn(s);
	unsigned idle = trips_of_run(s, line);
	testbed_reply(s, "ann", "popup 2, whack 7\n");
	unsigned move = trips_of_run(s, line);
	for (unsigned i = 0; i < CREATES; i++) {
		char who[16];

		(void)snprintf(who, sizeof who, "p%u", i);
		testbed_write(s, who, "create whakka mole players 3\n");
	}
	unsigned creates = trips_of_run(s, line);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM games"), CREATES + 1);
	for (unsigned i = 0; i < CREATES; i++) {
		char who[16], text[64];

		(void)snprintf(who, sizeof who, "p%u", i);
		(void)snprintf(text, sizeof text, "invite f%u@example.net\n", i);
		testbed_reply(s, who, text);
	}
	unsigned invites = trips_of_run(s, line);
	printf("round trips: %u idle, %u to move one game, %u for %u CREATEs, %u for as many "
	       "INVITEs\n",
	       idle, move, creates, CREATES, invites);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM invites"), CREATES);
	cr_expect_leq(idle, 36);
	cr_expect_leq(move, 75);
	cr_expect_leq(creates, 140);
	cr_expect_leq(invites, 200);
	free(testbed_use_store(s, near));
	slow_line_free(line);
	strbuf_release(&path);
	testbed_free(s);
}

/* Before anything is made in it, and with the line for who administers it. */
Test(postgresql, init_makes_nothing_where_it_would_not_work)
{
	static const struct {
		const char *with, *sql;
		int code;
		const char *said, *mend;
	} bad[] = {
	    {"TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'", NULL, 65, "is in LATIN1",
	     "createdb -O store -E UTF8 -T template0 --locale=C"},
	    {"TEMPLATE template0 ENCODING SQL_ASCII LOCALE 'C'", NULL, 65, "is in SQL_ASCII",
	     "createdb -O store"},
	    {"", "REVOKE ALL ON SCHEMA public FROM pg_database_owner, PUBLIC", 78,
	     "store may make no tables in", "OWNER TO store"},
	    {"", "DROP SCHEMA public", 78, "store may make no tables in", "OWNER TO store"},
	};

	ONLY_THERE;
	struct testbed *s = testbed_new("nowhere");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char *url = postgresql_new_with(bad[i].with);
		struct strbuf words = STRBUF_INIT;

		if (bad[i].sql)
			postgresql_exec(url, bad[i].sql);
		strbuf_addf(&words, "init --store %s %s/other", url, s->scratch);
		expect(s, words.ptr, bad[i].code, bad[i].said);
		expect(s, words.ptr, bad[i].code, bad[i].mend);
		cr_expect_eq(postgresql_number(url, "SELECT count(*) FROM pg_tables WHERE"
		                                    " schemaname = 'public'"),
		             0);
		postgresql_drop(url);
		strbuf_release(&words);
		free(url);
	}
	/* Nor does a copy. */
	char *url = postgresql_new_with("TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'");
	struct strbuf words = STRBUF_INIT;
	strbuf_addf(&words, "store copy %s %s", s->store, url);
	expect(s, words.ptr, 65, "is in LATIN1");
	expect(s, "doctor", 0, "encoding: UTF8");
	strbuf_release(&words);
	postgresql_drop(url);
	free(url);
	testbed_free(s);
}

Test(postgresql, is_clear_about_what_it_cannot)
{
	struct strbuf words = STRBUF_INIT;

	ONLY_THERE;
	struct testbed *s = testbed_new("clear");
	strbuf_addf(&words, "backup %s/copy.db", s->scratch);
	expect(s, words.ptr, 65, "pg_dump");
	expect(s, "restore /tmp/copy.db", 65, "pg_restore");
	expect(s, "run --dry-run", 65, "store copy");
	expect(s, "compact", 0, "old rows taken out.\n");
	expect(s, "doctor", 0, "postgresql: ");
	/* Another machine may do as much: what a file refuses. */
	char *name = testbed_path(s, "machine");
	cr_expect_eq(file_create(name, SPAN_LIT("elsewhere\n"), NULL), ERR_NONE);
	testbed_configure(s, "host_id = machine");
	expect(s, "run", 0, "");
	expect(s, "doctor", 0, "elsewhere; machines take turns on this database");
	free(name);
	strbuf_clear(&words);
	strbuf_addf(&words, "init --store %s %s/other", s->store, s->scratch);
	expect(s, words.ptr, 65, "has a server in it already");
	expect(s, "store copy postgresql://a:secret@b/c /tmp/x", 78, "password");
	/* Another machine's key file, or another folder's. */
	struct testbed *other = testbed_new("other");
	char *own = testbed_use_store(other, xstrdup(s->store));
	expect(other, "run", 78, "key file is not the one");
	free(testbed_use_store(other, own));
	/* Nobody listens. */
	own = testbed_use_store(s, xstrdup("postgresql://store@/x?host=/nowhere"));
	expect(s, "run", 75, "/nowhere");
	expect(s, "doctor", 75, "see that it runs and can be reached");
	free(testbed_use_store(s, own));
	strbuf_release(&words);
	testbed_free(other);
	testbed_free(s);
}
