/*
 * cmd_doctor.c - `molepost doctor`: is this server healthy, and if not, what to do.
 *
 * One line per check: "ok" or "PROBLEM" with the way to mend it. Nothing is changed.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "mail/sink.h"
#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/cli.h"
#include "processor/server.h"
#include "store/audit.h"
#include "store/games.h"
#include "store/inbox.h"
#include "store/outbox.h"

#include "processor/base/banned.h"

enum { DAY_S = 24 * 3600, NFS_MAGIC = 0x6969, SMB_MAGIC = 0x517b, FUSE_MAGIC = 0x65735546 };

struct doctor {
	struct cli *cli;
	struct server srv;
	unsigned problems;
};

static void ok(struct doctor *d, const char *what, const char *detail)
{
	fprintf(d->cli->out, "ok       %-14s %s\n", what, detail);
}

static void problem(struct doctor *d, const char *what, const char *detail, const char *mend)
{
	fprintf(d->cli->out, "PROBLEM  %-14s %s\n         %-14s to mend it: %s\n", what, detail, "", mend);
	d->problems++;
}

static const char *path_of(struct doctor *d, const char *name)
{
	return config_path(&d->srv.cfg, name, d->srv.arena);
}

/* How to mend what keeps the folder from being opened at all. */
static const char *advice_for(enum err rc)
{
	switch (rc) {
	case ERR_CONFIG:
		return "correct that line of molepost.conf; molepost.conf(5) explains every key";
	case ERR_NOT_FOUND:
		return "give the right folder with -C DIR, or make one with: molepost init DIR";
	case ERR_DENIED:
		return "check owner and mode: the key file must be 0600 and yours; on a new host run once "
		       "with --take-over";
	case ERR_UNSUPPORTED:
		return "install the newer molepost that wrote this database";
	case ERR_CORRUPT:
	case ERR_INVALID:
		return "restore the file from a backup, then: molepost run --reread";
	case ERR_FULL:
		return "make room on the disk";
	case ERR_NONE:
	case ERR_EXISTS:
	case ERR_IO:
	case ERR_BUSY:
	case ERR_TIMEOUT:
	case ERR_LIMIT:
	case ERR_CRASHED:
		break;
	}
	return "see the message; run doctor again afterwards";
}

static void check_sources(struct doctor *d)
{
	for (size_t i = 0; i < d->srv.cfg.nsources; i++) {
		struct source *s = NULL;
		struct source_mail *mails;
		size_t n;
		bool complete;
		const char *url = d->srv.cfg.sources[i];
		enum err rc = source_open(url, d->srv.cfg.dir, &s, &d->srv.fail);
		if (rc == ERR_NONE)
			rc = source_next(s, 1000, d->srv.arena, &mails, &n, &complete, &d->srv.fail);
		if (rc == ERR_NONE)
			ok(d, "source", arena_printf(d->srv.arena, "%s: %s%zu mails waiting", url,
			                             complete ? "" : "at least ", n));
		else
			problem(d, "source", server_why(&d->srv, rc),
			        "check the source line of molepost.conf and the permissions of the mailbox");
		source_close(s);
	}
}

static void check_sink(struct doctor *d)
{
	struct sink *s = NULL;
	enum err rc = sink_open(d->srv.cfg.sink, d->srv.cfg.dir, d->srv.cfg.instance, &s, &d->srv.fail);

	if (rc == ERR_NONE)
		ok(d, "sink", d->srv.cfg.sink);
	else
		problem(d, "sink", server_why(&d->srv, rc),
		        "check the sink line of molepost.conf and that the folder is writable");
	sink_close(s);
}

static void check_private(struct doctor *d, const char *what, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		problem(d, what, arena_printf(d->srv.arena, "%s is not there", path), "restore it");
	else if ((st.st_mode & 077) != 0)
		problem(d, what, arena_printf(d->srv.arena, "%s is open to other users", path),
		        arena_printf(d->srv.arena, "chmod go= %s", path));
	else
		ok(d, what, path);
}

static void check_disk(struct doctor *d)
{
	struct statfs fs;
	struct statvfs vfs;
	const char *db = path_of(d, d->srv.cfg.database);

	if (statfs(db, &fs) != 0 || statvfs(db, &vfs) != 0) {
		problem(d, "disk", "the file system could not be asked", "check the path of the database");
		return;
	}
	unsigned long type = (unsigned long)fs.f_type & 0xffffffffUL;
	if (type == NFS_MAGIC || type == SMB_MAGIC || type == FUSE_MAGIC)
		problem(d, "disk", "the database lies on a network file system, where locks and fsync cannot "
		                   "be relied on", "move the folder to a local disk");
	unsigned long long mb = (unsigned long long)vfs.f_bavail * vfs.f_frsize >> 20;
	if (mb < 100)
		problem(d, "disk", arena_printf(d->srv.arena, "only %llu MB are free", mb), "make room");
	else
		ok(d, "disk", arena_printf(d->srv.arena, "%llu MB free", mb));
}

static void check_database(struct doctor *d)
{
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;
	enum err rc = store_describe(d->srv.store, &text);

	if (rc != ERR_NONE)
		problem(d, "database", server_why(&d->srv, rc), "molepost fsck says more");
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		ok(d, "database", arena_cstr(d->srv.arena, line));
	strbuf_release(&text);
}

static void check_clock(struct doctor *d)
{
	struct run_log last;
	struct strbuf text = STRBUF_INIT;
	enum err rc = run_log_last(d->srv.store, &last);

	utc_format_human(&text, d->srv.now_utc);
	if (rc == ERR_NONE && last.ended_utc > d->srv.now_utc + 60)
		problem(d, "clock", "the last run lies in the future: this clock is slow or was set back",
		        "set the clock (ntp); until then deadlines are wrong");
	else
		ok(d, "clock", text.ptr);
	if (rc == ERR_NOT_FOUND)
		ok(d, "runs", "no run has had anything to do yet; is `molepost run` in cron?");
	else if (rc == ERR_NONE) {
		strbuf_clear(&text);
		utc_format_human(&text, last.ended_utc);
		ok(d, "runs", arena_printf(d->srv.arena, "the last one with work ended %s", text.ptr));
	}
	strbuf_release(&text);
}

static void check_stuck(struct doctor *d)
{
	struct in_flight f;
	unsigned n = 0;

	if (in_flight_get(d->srv.store, d->srv.arena, &f) == ERR_NONE && f.present)
		problem(d, "in flight", "the last run died with work in hand",
		        "nothing: the next run goes on and isolates the cause");
	if (quarantine_count(d->srv.store, &n) == ERR_NONE && n > 0)
		problem(d, "quarantine", arena_printf(d->srv.arena, "%u mails were set aside", n),
		        "the originals are among the handled mail; `molepost why` tells the reason");
	if (outbox_count(d->srv.store, OUTBOX_DEAD, &n) == ERR_NONE && n > 0)
		problem(d, "outbox", arena_printf(d->srv.arena, "%u mails could not be delivered", n),
		        "check the sink; the players can ask again with RESEND");
	if (outbox_count(d->srv.store, OUTBOX_RETRY, &n) == ERR_NONE && n > 0)
		problem(d, "outbox", arena_printf(d->srv.arena, "%u mails wait for another attempt", n),
		        "nothing, unless it goes on: then check the sink");
}

static void check_held(struct doctor *d)
{
	struct game *games;
	size_t n;
	unsigned live = 1u << GAME_RUNNING | 1u << GAME_GATHERING | 1u << GAME_PAUSED;

	if (game_list(d->srv.store, live, 0, 100000, d->srv.arena, &games, &n) != ERR_NONE)
		return;
	for (size_t i = 0; i < n; i++)
		if (games[i].held)
			problem(d, "game",
			        arena_printf(d->srv.arena, "%s is held: %.*s",
			                     game_id_text(&games[i], d->srv.arena),
			                     SPAN_ARGS(games[i].held_reason)),
			        arena_printf(d->srv.arena, "when the cause is gone: molepost game resume %s",
			                     game_id_text(&games[i], d->srv.arena)));
	ok(d, "games", arena_printf(d->srv.arena, "%zu gathering or running", n));
}

static void check_all(struct doctor *d)
{
	ok(d, "configuration", d->srv.cfg.dir);
	check_private(d, "key file", path_of(d, d->srv.cfg.key_file));
	check_private(d, "database file", path_of(d, d->srv.cfg.database));
	check_disk(d);
	check_database(d);
	check_sources(d);
	check_sink(d);
	check_clock(d);
	check_stuck(d);
	check_held(d);
}

int cmd_doctor(struct cli *cli, int argc, char **argv)
{
	struct doctor d = { .cli = cli };

	(void)argv;
	if (argc != 1)
		return cli_usage(cli, "doctor");
	enum err rc = server_open(cli->dir, STORE_READ_ONLY, false, &cli->log, &d.srv);
	if (rc == ERR_NONE)
		check_all(&d);
	else
		problem(&d, "server", server_why(&d.srv, rc), advice_for(rc));
	if (d.problems == 0)
		fprintf(cli->out, "All is well.\n");
	server_close(&d.srv);
	if (rc != ERR_NONE)
		return err_exit_code(rc);
	return d.problems ? EXIT_DATA : EXIT_DONE;
}
