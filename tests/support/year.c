/*
 * year.c - the course of the year: runs, what comes out of them, and what must hold every day.
 */
#include "tests/support/year.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/span.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/server.h"
#include "store/engine/fsck.h"
#include "tests/support/crowd.h"
#include "tests/support/machines.h"
#include "tests/support/play.h"
#include "tests/support/scratch.h"
#include "tests/support/testbed_parts.h"
#include "tests/support/year_parts.h"

enum {
	HOUR = YEAR_HOUR_S,
	DAY = YEAR_DAY_S,
	MOST_PROBLEMS = 4000, /* bytes */
	OUTAGE_DAY = 100,
	OUTAGE_S = 30 * HOUR,
	MONTH_DAYS = 30
};

/* Hours of the day at which the server runs: around the deadlines of the calendars. */
static const int64_t run_at[] = {20 * 60, 6 * HOUR + 10 * 60, 11 * HOUR + 10 * 60,
                                 16 * HOUR + 5 * 60, 20 * HOUR + 35 * 60};
enum { RUNS_A_DAY = sizeof(run_at) / sizeof(run_at[0]) };

/* ---- small things ---- */

unsigned year_draw(struct year *y, unsigned n)
{
	return play_draw(&y->dice, n);
}

int64_t year_draw_part(struct year *y, int64_t whole, unsigned from, unsigned to)
{
	return whole * (from + year_draw(y, to - from)) / 100 + year_draw(y, 600);
}

void year_problem(struct year *y, const char *fmt, ...)
{
	struct strbuf *p = &y->result->problem;
	va_list args;

	if (p->len > MOST_PROBLEMS)
		return;
	utc_format_iso(p, y->testbed->now_utc);
	strbuf_adds(p, ": ");
	va_start(args, fmt);
	strbuf_vaddf(p, fmt, args);
	va_end(args);
	strbuf_addc(p, '\n');
}

/* ---- mail out ---- */

static void deliver(void *ctx, const char *file, struct span raw)
{
	struct year *y = ctx;
	struct year_mail m;

	(void)file;
	y->result->mails_out++;
	if (year_mail_read(raw, y->testbed->now_utc, &m))
		year_people_get(y, &m);
	year_mail_release(&m);
}

/* ---- a run ---- */

static void drop_mail_until(struct year *y, int64_t until_utc)
{
	struct year_event e;

	while (year_queue_take(&y->queue, until_utc, &e)) {
		year_people_act(y, &e);
		year_event_release(&e);
	}
}

static void run_server(struct year *y, int64_t now_utc)
{
	static const char *const words[] = {"run", NULL};
	struct testbed machines[YEAR_MOST_MACHINES];
	pid_t pids[YEAR_MOST_MACHINES];
	struct ran r;

	drop_mail_until(y, now_utc);
	y->testbed->now_utc = now_utc;
	for (unsigned i = 0; i < y->size->machines; i++) {
		machines[i] = machine_new(y->testbed, i);
		pids[i] = testbed_start(&machines[i], words, NULL);
	}
	for (unsigned i = 0; i < y->size->machines; i++) {
		testbed_finish(&machines[i], pids[i], &r);
		if (r.code != 0 || r.err.len > 0 || r.out.len > 0)
			year_problem(y, "run ended with %d (signal %d) and said: %s%s", r.code,
			             r.signal, r.out.ptr, r.err.ptr);
		ran_release(&r);
		machine_release(&machines[i], i);
	}
	y->result->runs++;
	(void)testbed_take_out(y->testbed, deliver, y);
}

/* ---- every day ---- */

static void print_violation(void *ctx, const char *invariant, const char *object)
{
	FILE *out = ctx;

	fprintf(out, "%s: %s\n", invariant, object);
}

/* The child of check_begin. */
static _Noreturn void check_rows(const struct year *y, enum fsck_reach reach, const char *said)
{
	FILE *out = fopen(said, "w");
	struct log log = {.out = stderr, .show = LOG_WARN};
	struct fsck_hooks hooks = {.report = print_violation, .ctx = out};
	struct server srv;
	unsigned violations = 0;
	enum err rc =
	    server_open(y->testbed->dir, STORE_READ_ONLY, false, outgoing_words, &log, &srv);

	if (rc == ERR_NONE)
		rc = fsck_run(srv.store, reach, &hooks, &violations);
	if (rc != ERR_NONE)
		fprintf(out, "fsck did not come to its end: %s\n", server_why(&srv, rc));
	(void)fclose(out);
	_exit(rc != ERR_NONE || violations > 0);
}

/*
 * What the database looks like now is checked while the next day goes on. The log is folded
 * first: a reader that needs it would keep it from being begun afresh, all day, every day.
 */
static pid_t check_begin(const struct year *y, unsigned day, const char *said)
{
	pid_t pid;

	if (!y->testbed->store)
		crowd_sql(y->testbed, "PRAGMA wal_checkpoint(TRUNCATE)");
	pid = fork();
	ENSURE(pid >= 0);
	if (pid == 0)
		check_rows(y, day % 7 == 6 ? FSCK_FILE : FSCK_ROWS, said);
	return pid;
}

static void check_end(struct year *y, pid_t pid, const char *said)
{
	struct strbuf text = STRBUF_INIT;
	int status = 0;

	if (pid == 0)
		return;
	ENSURE(waitpid(pid, &status, 0) == pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		(void)!file_read(said, 1 << 20, &text, NULL);
		year_problem(y, "fsck: %s", text.ptr);
	}
	strbuf_release(&text);
}

/* A turn that should have ended a day ago, or stopped half-way; a game that is held. */
static int64_t count_stuck(const struct year *y)
{
	struct strbuf sql = STRBUF_INIT;
	int64_t number;

	strbuf_addf(
	    &sql,
	    "SELECT (SELECT count(*) FROM turns WHERE state < 3 AND stopped = 0"
	    " AND due_utc < %lld) + (SELECT count(*) FROM games WHERE held_since_utc > 0)",
	    (long long)(y->testbed->now_utc - DAY));
	number = crowd_number(y->testbed, sql.ptr);
	strbuf_release(&sql);
	return number;
}

/* ---- shares ---- */

#define BIT "(1 << CAST(s.seat - 1 AS INTEGER))"
#define EACH_SEAT                                                                     \
	" FROM turns t JOIN games g ON g.id = t.game JOIN seats s ON s.game = t.game" \
	" WHERE t.state = 3 AND t.serial > 0 AND t.owes & " BIT " <> 0"               \
	" AND g.calendar %s LIKE '%%remind=none%%'"

static int64_t number_of(const struct year *y, const char *what, bool helped, const char *more)
{
	struct strbuf sql = STRBUF_INIT;
	int64_t number;

	strbuf_addf(&sql, "SELECT %s" EACH_SEAT "%s", what, helped ? "NOT" : "", more);
	number = crowd_number(y->testbed, sql.ptr);
	strbuf_release(&sql);
	return number;
}

static struct year_share share_of(const struct year *y, bool helped)
{
	/* Seats that a person has, or had. */
	static const char people[] = " AND (s.player IS NOT NULL OR s.former IS NOT NULL)";

	return (struct year_share){
	    .owed = number_of(y, "count(*)", helped, people),
	    .missed =
		number_of(y, "count(*) FILTER (WHERE t.have & " BIT " = 0)", helped, people),
	    .first_owed = number_of(y, "count(*) FILTER (WHERE t.serial = 1)", helped, people),
	    .first_missed =
		number_of(y, "count(*) FILTER (WHERE t.serial = 1 AND t.have & " BIT " = 0)",
	                  helped, people),
	    .late = number_of(
		y,
		"count(*) FILTER (WHERE EXISTS (SELECT 1 FROM orders o WHERE o.game = t.game"
		" AND o.serial = t.serial AND o.seat = s.seat AND t.deadline_utc > 0"
		" AND o.received_utc > t.deadline_utc))",
		helped, people),
	};
}

static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* ---- printing ---- */

#define ROLLBACKS "SELECT count(*) FROM audit WHERE what LIKE 'went back to the end of %'"
#define TAKEOVERS "SELECT count(*) FROM audit WHERE what LIKE '%has taken over the seat%'"

static void print_month(const struct year *y, unsigned day)
{
	const struct year_result *r = y->result;
	struct year_share a, b;

	if (!y->size->out)
		return;
	a = share_of(y, true);
	b = share_of(y, false);
	fprintf(
	    y->size->out,
	    "year: day %3u: %6u mails in, %6u out, %5lld turns, %4lld missed, %4lld late, "
	    "%3lld taken over, %3lld running, %4lld ended, stuck %lld\n",
	    day, r->mails_in, r->mails_out,
	    (long long)crowd_number(
		y->testbed, "SELECT count(*) FROM turns WHERE state = 3 AND serial > 0"),
	    (long long)(a.missed + b.missed), (long long)(a.late + b.late),
	    (long long)crowd_number(y->testbed, TAKEOVERS),
	    (long long)crowd_number(y->testbed, "SELECT count(*) FROM games WHERE status = 1"),
	    (long long)crowd_number(y->testbed, "SELECT count(*) FROM games WHERE status > 2"),
	    (long long)count_stuck(y));
	(void)fflush(y->size->out);
}

static void print_share(FILE *out, const char *what, const struct year_share *s)
{
	fprintf(
	    out,
	    "year: %-38s %6lld of %6lld turns of players missed (%.1f %%), %lld late; of first "
	    "turns %.1f %%\n",
	    what, (long long)s->missed, (long long)s->owed, percent(s->missed, s->owed),
	    (long long)s->late, percent(s->first_missed, s->first_owed));
}

static void print_summary(const struct year *y)
{
	const struct year_result *r = y->result;
	FILE *out = y->size->out;

	if (!out)
		return;
	fprintf(out,
	        "year: %u games, %u ended; %u runs, %u mails in, %u out, %u not understood; "
	        "%u clocks moved by the outage\n",
	        r->games, r->ended, r->runs, r->mails_in, r->mails_out, r->not_understood,
	        r->credited);
	fprintf(
	    out,
	    "year: %lld seats vacated, %u taken over; turns taken back %u times; mail to a "
	    "seat came back %lld times; "
	    "%lld games abandoned, %lld never began\n",
	    (long long)crowd_number(
		y->testbed,
		"SELECT count(*) FROM audit WHERE what LIKE '%; the seat is vacant%'"),
	    r->takeovers, r->rollbacks,
	    (long long)crowd_number(
		y->testbed,
		"SELECT count(*) FROM audit WHERE what LIKE 'mail to %comes back%'"),
	    (long long)crowd_number(y->testbed, "SELECT count(*) FROM games WHERE status = 5"),
	    (long long)crowd_number(y->testbed, "SELECT count(*) FROM games WHERE status = 0"));
	fprintf(
	    out,
	    "year: nudges in %lld games, more time asked for %lld times and given %lld times, "
	    "%lld "
	    "invitations by mail and %lld accepted, %lld thanks; %.1f mails to a player\n",
	    (long long)crowd_number(y->testbed, "SELECT count(*) FROM nudges"),
	    (long long)crowd_number(
		y->testbed,
		"SELECT count(*) FROM audit WHERE what LIKE '% asked for more time%'"),
	    (long long)crowd_number(
		y->testbed,
		"SELECT count(*) FROM audit WHERE what LIKE '%agreed to more time%'"),
	    (long long)crowd_number(y->testbed, "SELECT count(*) FROM invites"),
	    (long long)crowd_number(y->testbed,
	                            "SELECT count(*) FROM invites WHERE answer = 1"),
	    (long long)crowd_number(y->testbed, "SELECT count(*) FROM thanks"),
	    (double)r->mails_out / y->size->players);
	print_share(out, "with reminders, standing orders, drafts:", &r->helped);
	print_share(out, "without:", &r->bare);
}

/* ---- the whole ---- */

static bool in_outage(const struct year *y, int64_t now_utc)
{
	int64_t from = y->began_utc + OUTAGE_DAY * DAY + 10 * HOUR;

	return now_utc > from && now_utc < from + OUTAGE_S;
}

static void live_day(struct year *y, unsigned day)
{
	for (unsigned i = 0; i < RUNS_A_DAY; i++) {
		int64_t now = y->began_utc + (int64_t)day * DAY + run_at[i];

		if (!in_outage(y, now))
			run_server(y, now);
	}
	if (!in_outage(y, y->testbed->now_utc) && count_stuck(y) > 0)
		year_problem(y, "%lld games are stuck", (long long)count_stuck(y));
}

static void open_site(struct year *y)
{
	char *words = realpath("tests/support/words/small", NULL);
	struct strbuf line = STRBUF_INIT;

	ENSURE(words != NULL);
	scratch_in_memory();
	y->testbed = testbed_new("year");
	strbuf_addf(&line, "wordlist = american %s", words);
	testbed_configure(y->testbed, line.ptr);
	testbed_configure(y->testbed, "run_every = 5H");
	testbed_configure(y->testbed, "keep_mail = 0");
	y->began_utc = y->testbed->now_utc - y->testbed->now_utc % DAY;
	strbuf_release(&line);
	free(words);
}

/* The server as it stands, so that one can look into it. */
static void keep_site(struct year *y, const char *folder)
{
	struct strbuf command = STRBUF_INIT;

	strbuf_addf(&command, "mkdir -p '%s' && cp '%s/molepost.'* '%s'", folder,
	            y->testbed->dir, folder);
	ENSURE(system(command.ptr) == 0);
	strbuf_release(&command);
}

static void finish(struct year *y)
{
	struct ran r;

	y->result->games = (unsigned)crowd_number(y->testbed, "SELECT count(*) FROM games");
	y->result->ended =
	    (unsigned)crowd_number(y->testbed, "SELECT count(*) FROM games WHERE status > 2");
	y->result->takeovers = (unsigned)crowd_number(y->testbed, TAKEOVERS);
	y->result->rollbacks = (unsigned)crowd_number(y->testbed, ROLLBACKS);
	y->result->credited = (unsigned)crowd_number(
	    y->testbed,
	    "SELECT count(*) FROM audit WHERE what LIKE 'this server was not running%'");
	y->result->helped = share_of(y, true);
	y->result->bare = share_of(y, false);
	testbed_do(y->testbed, "fsck", NULL, &r);
	if (r.code != 0)
		year_problem(y, "the last fsck: %s%s", r.out.ptr, r.err.ptr);
	ran_release(&r);
	if (y->size->folder)
		keep_site(y, y->size->folder);
	print_summary(y);
}

static void release(struct year *y)
{
	for (unsigned i = 0; i < y->size->games; i++)
		for (unsigned k = 0; k < y->games[i].nmembers; k++)
			free(y->games[i].members[k].report);
	year_queue_release(&y->queue);
	year_secrets_free(y->secrets);
	testbed_free(y->testbed);
	free(y->players);
	free(y->games);
	free(y->plan_of);
}

void year_play(const struct year_size *size, struct year_result *out)
{
	struct year y = {.size = size, .result = out, .dice = size->seed};
	pid_t checking = 0;
	char *said;

	*out = (struct year_result){.problem = STRBUF_INIT};
	y.players = xcalloc(size->players, sizeof(*y.players));
	y.games = xcalloc(size->games, sizeof(*y.games));
	y.plan_of = xcalloc(size->games * 2 + 2, sizeof(*y.plan_of));
	y.secrets = year_secrets_new();
	open_site(&y);
	said = scratch_path(y.testbed->scratch, "fsck-said");
	year_people_begin(&y);
	for (unsigned day = 0; day < size->days && out->problem.len < MOST_PROBLEMS; day++) {
		live_day(&y, day);
		check_end(&y, checking, said);
		checking = check_begin(&y, day, said);
		if (day % MONTH_DAYS == MONTH_DAYS - 1)
			print_month(&y, day + 1);
	}
	check_end(&y, checking, said);
	finish(&y);
	free(said);
	release(&y);
}

void year_release(struct year_result *r)
{
	strbuf_release(&r->problem);
}
