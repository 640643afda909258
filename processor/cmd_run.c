/*
 * cmd_run.c - `molepost run`: one pass, as cron starts it.
 *
 *	lock -> take in all mail -> seal, resolve, report what is due -> unlock -> send
 *
 * Nothing is printed unless an operator must act.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/cli.h"
#include "processor/dry_run.h"
#include "processor/lock.h"
#include "processor/outbound.h"
#include "processor/play.h"
#include "processor/purge.h"
#include "processor/take_in.h"
#include "store/audit.h"

#include "processor/base/banned.h"

struct run_options {
	bool dry, reread, take_over, no_send;
};

static enum err clear_in_flight(struct server *srv)
{
	struct in_flight f;

	TRY(in_flight_get(srv->store, srv->arena, &f));
	if (!f.present)
		return ERR_NONE;
	TRY(store_begin_relaxed(srv->store));
	enum err rc = in_flight_clear(srv->store);
	if (rc == ERR_NONE)
		return store_commit_relaxed(srv->store);
	store_rollback(srv->store);
	return rc;
}

/* Sources that have not been readable for long stop every clock: the operator must know. */
static void warn_of_silence(struct server *srv, enum err rc)
{
	log_warnx(srv->log, "mail could not be read, so no deadline is acted on: %s",
	          server_why(srv, rc));
}

/* Turns played again while kept mail is reread; they are not counted. */
static enum err catch_up(struct server *srv, int64_t through_utc)
{
	struct play_limits limits = { .read_through_utc = through_utc };
	unsigned turns;

	return play_all_due(srv, &limits, &turns);
}

static enum err play(struct server *srv, const struct run_options *o, struct run_log *done)
{
	struct take_in_result in;
	struct in_flight left; /* by the last run, if it died */
	struct play_limits limits = { .left = &left };

	TRY(in_flight_get(srv->store, srv->arena, &left));
	enum err rc = take_in(srv, &left, o->reread ? catch_up : NULL, &in);
	done->mails = in.mails;
	limits.read_through_utc = in.read_through_utc;
	if (rc != ERR_NONE && (rc == ERR_FULL || rc == ERR_BUSY))
		return rc;
	if (rc != ERR_NONE)
		warn_of_silence(srv, rc);
	TRY(play_all_due(srv, &limits, &done->turns));
	TRY(clear_in_flight(srv));
	TRY(purge_handled(srv));
	return rc;
}

static enum err log_run(struct server *srv, const struct run_log *r)
{
	if (r->mails + r->turns + r->sent + r->failed == 0)
		return ERR_NONE;
	TRY(store_begin_relaxed(srv->store));
	enum err rc = run_log_add(srv->store, r);
	if (rc == ERR_NONE)
		return store_commit_relaxed(srv->store);
	store_rollback(srv->store);
	return rc;
}

static enum err one_pass(struct server *srv, const struct run_options *o)
{
	struct run_log done = { .started_utc = srv->now_utc };
	struct send_result sent = { 0 };
	int fd = -1;
	enum err rc = lock_take(config_path(&srv->cfg, srv->cfg.lock_file, srv->arena), &fd,
	                        &srv->fail);

	if (rc == ERR_BUSY)
		return ERR_NONE; /* another run is at it */
	TRY(rc);
	rc = play(srv, o, &done);
	lock_drop(&fd);
	if (!o->no_send) {
		enum err send_rc = send_due(srv, &sent);
		if (send_rc != ERR_NONE)
			log_warnx(srv->log, "sending: %s", server_why(srv, send_rc));
		rc = rc != ERR_NONE ? rc : send_rc;
	}
	done.sent = sent.sent;
	done.failed = sent.failed;
	done.ended_utc = srv->now_utc;
	enum err log_rc = log_run(srv, &done);
	if (rc == ERR_NONE && (done.mails || done.turns || done.sent))
		rc = store_checkpoint(srv->store, STORE_WAL_REST_BYTES);
	return rc != ERR_NONE ? rc : log_rc;
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
		else if (strcmp(argv[i], "--no-send") == 0)
			o->no_send = true;
		else
			return false;
	}
	return true;
}

int cmd_run(struct cli *cli, int argc, char **argv)
{
	struct run_options o = { 0 };
	struct server srv;

	if (!read_options(argc, argv, &o))
		return cli_usage(cli, "run");
	enum err rc = server_open(cli->dir, STORE_READ_WRITE, o.take_over, &cli->log, &srv);
	srv.show_progress = cli->err_is_terminal;
	if (rc == ERR_NONE)
		rc = o.dry ? dry_run(&srv, cli->out) : one_pass(&srv, &o);
	server_progress_end(&srv);
	if (rc != ERR_NONE)
		log_warnx(&cli->log, "%s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
