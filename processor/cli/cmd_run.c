/*
 * cmd_run.c - `molepost run`: one pass, as cron starts it.
 *
 *	lock, or help the machine that has it with its turns
 *	     -> time that was lost -> what was refused -> take in all mail
 *	     -> seats for who waits -> begin what may begin -> seal, resolve, report what is due
 *	     -> remind -> write digests -> count what has ended -> on Monday a puzzle -> old mail and texts go -> unlock
 *	     -> send -> tell a program which games have ended
 *
 * Nothing is printed unless an operator must act, and then once (operator.h).
 */
#include <stdlib.h>
#include <string.h>

#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/step.h"
#include "processor/base/subprocess.h"
#include "processor/base/syslog_line.h"
#include "processor/cli/command_line.h"
#include "processor/intake/arrivals.h"
#include "processor/intake/take_in.h"
#include "processor/match/match_record.h"
#include "processor/match/ratings_update.h"
#include "processor/outgoing/digest.h"
#include "processor/outgoing/operator.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/puzzle.h"
#include "processor/outgoing/retention.h"
#include "processor/outgoing/round_trip.h"
#include "processor/outgoing/send.h"
#include "processor/outgoing/unreachable.h"
#include "processor/request/waiting_list.h"
#include "processor/turns/outage.h"
#include "processor/turns/remind.h"
#include "processor/turns/stages.h"
#include "processor/turns/start.h"
#include "store/audit.h"
#include "store/inbox.h"
#include "store/operator/outages.h"

/* Ends the transaction that store_begin_relaxed opened: what it wrote counts if all went well. */
static enum err end_relaxed(struct server *srv, enum err rc)
{
	if (rc == ERR_NONE)
		rc = store_commit_relaxed(srv->store);
	if (rc != ERR_NONE)
		store_rollback(srv->store);
	return rc;
}

/* ---- keep_mail: handled mail that has been kept long enough ---- */

enum { PURGE_BATCH = 1000 };

/* How long mail that cannot be removed now is left alone. */
enum { TRY_AGAIN_S = 24 * 3600 };

struct purge {
	struct server *srv;
	struct arena *arena;
	struct inbox_mail *rows;
	size_t n;
	bool *failed; /* per row */
};

static enum err remove_mails(struct purge *p, struct source *s)
{
	struct span url = span_of(source_url(s)), state;

	TRY(mailbox_state_get(p->srv->store, url, p->arena, &state));
	TRY(source_resume(s, state, &p->srv->fail));
	for (size_t i = 0; i < p->n; i++)
		if (span_eq(p->rows[i].source, url))
			TRY(source_purge(s, p->rows[i].transport_id, &p->srv->fail));
	return source_sync(s, &p->srv->fail);
}

/* Records what the source remembers from now on, and what it could not remove. */
static enum err record_source(struct purge *p, struct source *s, const char *url, bool failed)
{
	struct strbuf state = STRBUF_INIT;
	enum err rc = ERR_NONE;

	for (size_t i = 0; i < p->n; i++)
		p->failed[i] = p->failed[i] || (failed && span_eq_str(p->rows[i].source, url));
	if (s && !failed)
		source_note(s, NULL, 0, &state);
	if (state.len > 0)
		rc = mailbox_state_set(p->srv->store, span_of(url), strbuf_span(&state),
		                       p->srv->now_utc);
	strbuf_release(&state);
	return rc;
}

/* A mailbox that is away today keeps its mail a day longer, which is no reason to stop. */
static enum err purge_from(struct purge *p, const char *url)
{
	struct source *source = NULL;
	struct server *srv = p->srv;
	size_t due = 0;

	for (size_t i = 0; i < p->n; i++)
		due += span_eq_str(p->rows[i].source, url);
	if (due == 0)
		return ERR_NONE;
	enum err rc = source_open(url, &srv->cfg.settings, &source, &srv->fail);
	if (rc == ERR_NONE)
		rc = remove_mails(p, source);
	if (rc != ERR_NONE)
		log_warnx(srv->log, "handled mail could not be removed: %s",
		          server_why(srv, rc));
	bool failed = rc != ERR_NONE;
	rc = store_begin_relaxed(srv->store);
	if (rc == ERR_NONE)
		rc = end_relaxed(srv, record_source(p, source, url, failed));
	source_close(source);
	return rc;
}

static enum err record(const struct purge *p)
{
	struct server *srv = p->srv;
	enum err rc = ERR_NONE;

	TRY(store_begin_relaxed(srv->store));
	for (size_t i = 0; i < p->n && rc == ERR_NONE; i++)
		rc = p->failed[i] ? inbox_purge_later(srv->store, p->rows[i].id,
		                                      srv->now_utc + TRY_AGAIN_S)
		                  : inbox_purged(srv->store, p->rows[i].id);
	return end_relaxed(srv, rc);
}

static enum err purge_batch(struct server *srv, struct arena *arena, size_t *n)
{
	struct purge p = {.srv = srv, .arena = arena};

	TRY(inbox_purge_due(srv->store, srv->now_utc, PURGE_BATCH, arena, &p.rows, n));
	if (*n == 0)
		return ERR_NONE;
	p.n = *n;
	p.failed = arena_calloc(arena, p.n, sizeof(*p.failed));
	for (size_t i = 0; i < srv->cfg.nsources; i++)
		TRY(purge_from(&p, srv->cfg.sources[i]));
	TRY(purge_from(&p, arena_printf(arena, "maildir:%s", srv->cfg.spool)));
	return record(&p);
}

/* Works from the due rows of the inbox alone: a run with none due looks into no folder. */
static enum err purge_handled(struct server *srv)
{
	struct arena *arena = arena_new();
	size_t n;
	enum err rc;

	do {
		arena_clear(arena);
		rc = purge_batch(srv, arena, &n);
	} while (rc == ERR_NONE && n == PURGE_BATCH);
	arena_free(arena);
	return rc;
}

/* ---- after_game: the program that hears of every game which has ended ---- */

enum { GAMES_A_RUN = 100, TIMEOUT_MS = 30000, HEARD_MAX = 200 };

static enum err run_program(struct server *srv, int64_t game, bool *failed)
{
	const char *program = srv->cfg.after_game;
	struct strbuf record = STRBUF_INIT, heard = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct arena *arena = arena_new();
	struct match match;
	int code = 0;
	enum err rc = match_load(srv, game, arena, &match);

	if (rc == ERR_NONE)
		rc = record_text(srv, &match, &record);
	if (rc == ERR_NONE) {
		const char *const argv[] = {program, match.id, NULL};
		enum err ran = subprocess_run(argv, strbuf_span(&record), HEARD_MAX, TIMEOUT_MS,
		                              &heard, &code, &e);

		*failed = ran != ERR_NONE || code != 0;
		if (ran != ERR_NONE)
			log_warnx(srv->log, "after_game for %s: %s", match.id, e.text.ptr);
		else if (code != 0)
			log_warnx(srv->log, "after_game for %s: %s ended with %d", match.id,
			          program, code);
	} else if (server_blames_game(rc)) {
		log_warnx(srv->log, "after_game hears nothing of game %lld: %s",
		          (long long)game, server_why(srv, rc));
	}
	match_release(&match);
	arena_free(arena);
	strbuf_release(&record);
	strbuf_release(&heard);
	err_release(&e);
	return rc;
}

static enum err mark(struct server *srv, int64_t game)
{
	TRY(store_begin_relaxed(srv->store));
	return end_relaxed(srv, game_announced(srv->store, game));
}

/*
 * Runs it for each game that it has not heard of, the oldest end first, with the game's name as
 * its only argument and its record on standard input. One that ends with 0 is written down after
 * it, so that after a kill it hears the same again. The first that ends otherwise is a warning
 * (*failed), and it and those behind it wait for the next run. Without such a program games that
 * end are marked all the same, so that one that is configured later hears of those to come.
 */
static enum err after_games(struct server *srv, bool *failed)
{
	int64_t games[GAMES_A_RUN];
	size_t n;

	*failed = false;
	TRY(game_list_unannounced(srv->store, GAMES_A_RUN, games, &n));
	if (n > 0 && !srv->cfg.after_game)
		return mark(srv, 0);
	for (size_t i = 0; i < n; i++) {
		enum err rc = run_program(srv, games[i], failed);

		if (rc != ERR_NONE && !server_blames_game(rc))
			return rc;
		if (*failed)
			return ERR_NONE;
		step("after_game ran");
		TRY(mark(srv, games[i])); /* of a game whose record cannot be made, too */
	}
	return ERR_NONE;
}

/* ---- One pass ---- */

struct run_options {
	bool dry, reread, take_over, no_send, clock_is_right;
	/* `molepost wait` starts it, and is told when the next is due; it has heard that no mailbox at a server has any. */
	bool tell, no_mail;
};

struct pass {
	struct run_log done;
	struct operator_news *news;
	int code; /* of the first trouble */
};

static enum err clear_in_flight(struct server *srv)
{
	struct in_flight f;

	TRY(in_flight_get(srv->store, srv->arena, &f));
	if (!f.present)
		return ERR_NONE;
	TRY(store_begin_relaxed(srv->store));
	return end_relaxed(srv, in_flight_clear(srv->store));
}

/* Turns played again while kept mail is reread; they are not counted. */
static enum err catch_up(struct server *srv, int64_t through_utc)
{
	struct run_limits limits = {.read_through_utc = through_utc};
	unsigned turns;

	return turns_run_all_due(srv, &limits, &turns);
}

/*
 * What can be done without it is done all the same. A mailbox or an outbox that is missing or closed
 * today may be back tomorrow, and what a mailbox, a mail server or a library cannot do says nothing
 * about our data.
 */
static void note_code(struct pass *p, enum err rc, bool outside)
{
	if (p->code != EXIT_DONE)
		return;
	p->code = err_exit_code(rc);
	if (rc == ERR_NOT_FOUND || rc == ERR_DENIED || (outside && p->code == EXIT_DATA))
		p->code = EXIT_LATER;
}

static void note_trouble(struct server *srv, enum err rc, struct pass *p)
{
	if (rc == ERR_NONE)
		return;
	log_warnx(srv->log, "%s", server_why(srv, rc));
	note_code(p, rc, false);
}

/* What lasts from run to run, and is over in a run without it. */
static void note_lasting(struct server *srv, enum lasting_trouble what, const char *words,
                         enum err rc, struct pass *p)
{
	if (rc == ERR_NONE)
		return;
	operator_warn(p->news, what,
	              arena_printf(srv->arena, "%s%s", words, server_why(srv, rc)));
	note_code(p, rc, *words != '\0');
}

static enum err play(struct server *srv, struct arrivals *from, const struct run_options *o,
                     struct pass *p)
{
	struct take_in_result in;
	struct in_flight left; /* by the last run, if it died */
	struct run_limits limits = {.left = &left};
	bool clock_stands;

	TRY(own_clock_check(srv, o->clock_is_right, &clock_stands));
	if (clock_stands)
		note_lasting(srv, TROUBLE_CLOCK, "", ERR_BUSY, p);
	else
		operator_is_over(p->news, TROUBLE_CLOCK);
	TRY(in_flight_get(srv->store, srv->arena, &left));
	/* Both come before the mail that has come since, and not in a past that is replayed. */
	if (!o->reread) {
		TRY(outage_run_begins(srv, &limits));
		TRY(delivery_failures_follow_up(srv, &left));
	}
	enum err rc = take_in(srv, from, &left, o->reread ? catch_up : NULL, &in);
	p->done.mails = in.mails;
	limits.read_through_utc = in.read_through_utc;
	if (rc == ERR_FULL || rc == ERR_BUSY)
		return rc;
	if (srv->held_back > 0)
		log_info(srv->log,
		         "%u answers were held back, for enough have gone there today",
		         srv->held_back);
	note_lasting(srv, TROUBLE_UNREAD,
	             "mail could not be read, so no deadline is acted on: ", rc, p);
	if (rc == ERR_NONE && !o->no_mail)
		operator_is_over(p->news, TROUBLE_UNREAD);
	if (!o->no_mail)
		TRY(outage_mail_was_read(srv, rc));
	TRY(outage_act_through(srv, &limits.read_through_utc));
	if (clock_stands || o->no_mail)
		limits.read_through_utc = INT64_MIN;
	unsigned reminders, hashes;
	TRY(games_start_due(srv));
	TRY(waiting_list_serve(srv));
	TRY(turns_run_all_due(srv, &limits, &p->done.turns));
	TRY(remind_all_due(srv, &limits, &reminders));
	TRY(digest_all_due(srv, &left, &hashes));
	TRY(clear_in_flight(srv));
	TRY(ratings_update_due(srv));
	if (!o->reread)
		TRY(puzzle_send_due(srv));
	if (o->reread)
		TRY(outage_forget(srv));
	if (rc != ERR_NONE)
		return ERR_NONE;
	TRY(purge_handled(srv));
	/* By a wrong clock all would be old. */
	return clock_stands ? ERR_NONE : retention_in_run(srv);
}

static enum err log_run(struct server *srv, const struct run_log *r)
{
	if (r->mails + r->turns + r->sent + r->failed == 0)
		return ERR_NONE;
	TRY(store_begin_relaxed(srv->store));
	return end_relaxed(srv, run_log_add(srv->store, r));
}

/* For -v -v, and to syslog where that is wanted: each step as `molepost log` tells it. */
static enum err show_event(void *ctx, const struct event *e)
{
	struct server *srv = ctx;
	struct strbuf line = STRBUF_INIT;

	event_add_text(srv, e, &line);
	log_debug(srv->log, "%s", line.ptr);
	if (srv->cfg.syslog)
		syslog_line(line.ptr);
	strbuf_release(&line);
	return ERR_NONE;
}

static void send(struct server *srv, struct pass *p)
{
	static const char words[] = "mail could not be sent: ";
	struct send_result sent = {0};
	enum err rc = send_due(srv, &sent);
	bool unsent = false;

	if (sent.hangs)
		note_lasting(srv, TROUBLE_UNSENT, words, ERR_TIMEOUT, p);
	note_lasting(srv, TROUBLE_UNSENT, words, rc, p);
	if (rc == ERR_NONE && sent.sent > 0 && !sent.hangs)
		operator_is_over(p->news, TROUBLE_UNSENT);
	note_trouble(srv, outage_mail_was_sent(srv, rc, sent.sent, &unsent), p);
	if ((unsent || sent.in_doubt) && p->code == EXIT_DONE)
		p->code = EXIT_LATER;
	p->done.sent = sent.sent;
	p->done.failed = sent.failed;
}

/*
 * Of a mail that was in hand when the database went away, nobody may think that it made molepost crash;
 * unless another machine is at work already.
 */
static enum err mend(struct server *srv)
{
	int64_t held_s;
	bool lost;

	TRY(store_mend(srv->store, &lost));
	if (!lost)
		return ERR_NONE;
	enum err rc = store_lock(srv->store, STORE_LOCK_RUN, &held_s);
	return rc == ERR_NONE ? clear_in_flight(srv) : rc == ERR_BUSY ? ERR_NONE : rc;
}

static void one_pass(struct server *srv, struct arrivals *from, const struct run_options *o,
                     struct pass *p, FILE *out)
{
	int64_t next_utc = 0;
	int fd = -1;
	bool failed = false;
	enum err rc = server_lock(srv, STORE_LOCK_RUN, &fd, NULL);

	/* Another run is at it, or hangs. */
	if (rc == ERR_BUSY)
		return;
	if (rc == ERR_TIMEOUT) {
		note_trouble(srv, rc, p);
		note_trouble(srv, operator_tell(p->news), p);
		return;
	}
	if (rc == ERR_NONE) {
		p->done.started_utc = srv->now_utc;
		rc = play(srv, from, o, p);
		note_trouble(srv, rc, p);
		rc = mend(srv);
		server_unlock(srv, STORE_LOCK_RUN, &fd);
	}
	note_trouble(srv, rc, p);
	note_trouble(srv, operator_tell(p->news), p); /* its mail may still go with this run */
	if (!o->no_send) {
		note_trouble(srv, round_trip_start(srv, false), p);
		send(srv, p);
		note_trouble(srv, after_games(srv, &failed), p);
	}
	if (failed && p->code == EXIT_DONE)
		p->code = EXIT_LATER;
	p->done.ended_utc = srv->now_utc;
	if (p->code == EXIT_DONE && (p->done.mails || p->done.turns || p->done.sent))
		note_trouble(srv, store_checkpoint(srv->store, STORE_WAL_REST_BYTES), p);
	if (o->tell) {
		note_trouble(srv, next_due(srv->store, &next_utc), p);
		fprintf(out, "%lld\n", (long long)next_utc);
	}
	/* Last, so that the log never stays empty: to begin one costs a sync of its own. */
	note_trouble(srv, log_run(srv, &p->done), p);
	note_trouble(srv, operator_tell(p->news), p);

	if (srv->log->show < LOG_DEBUG) /* for -v what the run came to */
		log_info(srv->log, "mails in %u, turns %u, mails out %u, failed %u",
		         p->done.mails, p->done.turns, p->done.sent, p->done.failed);
	if (srv->log->show >= LOG_DEBUG || srv->cfg.syslog)
		note_trouble(srv, event_log(srv->store, srv->now_utc, 0, show_event, srv), p);
}

static bool read_options(int argc, char **argv, struct run_options *o)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--dry-run") == 0)
			o->dry = true;
		else if (strcmp(argv[i], "--reread") == 0)
			o->reread = true;
		else if (strcmp(argv[i], "--take-over") == 0)
			o->take_over = true;
		else if (strcmp(argv[i], "--clock-is-right") == 0)
			o->clock_is_right = true;
		else if (strcmp(argv[i], "--no-send") == 0)
			o->no_send = true;
		else if (strcmp(argv[i], RUN_TELL) == 0)
			o->tell = true;
		else if (strcmp(argv[i], RUN_NO_MAIL) == 0)
			o->no_mail = true;
		else
			return false;
	}
	/* A rehearsal changes nothing, and reads no mail again. */
	return !(o->dry && (o->reread || o->take_over || o->clock_is_right));
}

int cmd_run(struct cli *cli, int argc, char **argv)
{
	struct run_options o = {0};
	struct pass p = {.code = EXIT_DONE};
	struct arrivals *from = NULL;
	struct server srv;

	if (!read_options(argc, argv, &o))
		return cli_usage(cli);
	/* Children that read strangers' bytes start while there is neither key nor database. */
	enum err rc = server_open_config(cli->dir, STORE_READ_WRITE, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc = arrivals_new(&srv, o.no_mail, &from);
	if (rc == ERR_NONE)
		rc = server_open_database(&srv, STORE_READ_WRITE, o.take_over, outgoing_words);
	srv.show_progress = cli->err_is_terminal;
	if (o.tell && srv.cfg.outage.every_s == 0)
		srv.cfg.outage.every_s = WAIT_MOST_S;
	if (rc != ERR_NONE) {
		log_warnx(&cli->log, "%s", server_why(&srv, rc));
		p.code = err_exit_code(rc);
	} else if (o.dry) {
		note_trouble(&srv, dry_run(&srv, from, cli->out), &p);
	} else {
		note_trouble(&srv, operator_new(&srv, &p.news), &p);
		one_pass(&srv, from, &o, &p, cli->out);
	}
	operator_free(p.news);
	server_progress_end(&srv);
	arrivals_free(from);
	server_close(&srv);
	return p.code;
}
