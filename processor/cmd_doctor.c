/*
 * cmd_doctor.c - `molepost doctor`: is this server healthy, and if not, what to do.
 *
 * One line per check: "ok" or "PROBLEM" with the way to mend it. Nothing is changed.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "mail/auth_results.h"
#include "mail/sink.h"
#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/env.h"
#include "processor/base/num.h"
#include "processor/cli.h"
#include "processor/robots.h"
#include "processor/server.h"
#include "processor/tables.h"
#include "processor/zones.h"
#include "store/audit.h"
#include "store/bounces.h"
#include "store/games.h"
#include "store/inbox.h"
#include "store/outbox.h"

#include "processor/base/banned.h"

/* File systems that somebody else's disk is behind, as statfs(2) calls them. */
static const struct {
	unsigned long type;
	const char *name;
} remote[] = {
    {0x6969, "NFS"},      {0x517b, "SMB"},    {0xff534d42, "CIFS"}, {0xfe534d42, "SMB"},
    {0x65735546, "FUSE"}, {0x01021997, "9P"}, {0x00c36400, "Ceph"}, {0x5346414f, "AFS"},
};

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
	fprintf(d->cli->out, "PROBLEM  %-14s %s\n         %-14s to mend it: %s\n", what, detail,
	        "", mend);
	d->problems++;
}

static const char *path_of(struct doctor *d, const char *name)
{
	return config_path(&d->srv.cfg, name, d->srv.arena);
}

static const char *advice_for_config(enum err rc)
{
	if (rc == ERR_NOT_FOUND)
		return "give the right folder with -C DIR, or make one with: molepost init DIR";
	if (rc == ERR_CONFIG)
		return "correct that line; molepost.conf(5) explains every key";
	return "make the file readable for the user that runs molepost";
}

static const char *advice_for_keys(enum err rc)
{
	if (rc == ERR_NOT_FOUND || rc == ERR_CORRUPT || rc == ERR_INVALID)
		return "put the key file back from your copy of it; no new one opens this "
		       "database";
	return "it must be the one made with this database, yours and for nobody else: chmod "
	       "600, chown";
}

static const char *advice_for_database(enum err rc)
{
	if (rc == ERR_UNSUPPORTED)
		return "install the newer molepost that wrote this database";
	if (rc == ERR_FULL)
		return "make room on the disk";
	if (rc == ERR_DENIED)
		return "check owner and mode";
	if (rc == ERR_BUSY)
		return "another program holds it: find and end that";
	return "put it back from a backup, then: molepost run --reread";
}

/* How to mend what keeps the folder from being opened at all. */
static const char *advice_for(const struct server *srv, enum err rc)
{
	switch (srv->part) {
	case SERVER_CONFIG:
		return advice_for_config(rc);
	case SERVER_KEYS:
		return advice_for_keys(rc);
	case SERVER_DATABASE:
		return advice_for_database(rc);
	case SERVER_HOST:
		break;
	}
	return "if the server has moved and runs nowhere else: molepost run --take-over";
}

static const char maildir[] = "maildir:";

static bool is_local(const char *url)
{
	return span_starts(span_of(url), maildir);
}

/* Opening a Maildir needs no right to write, dealing with mail does. */
static const char *not_writable(struct doctor *d, const char *url)
{
	static const char *const folders[] = {"tmp", "new", "cur"};

	if (!is_local(url))
		return NULL;
	const char *dir = path_of(d, url + strlen(maildir));
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const char *path = arena_printf(d->srv.arena, "%s/%s", dir, folders[i]);
		if (faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS) != 0)
			return arena_printf(d->srv.arena,
			                    "%s: mail cannot be moved or written there", path);
	}
	return NULL;
}

/* How to mend a mailbox on another machine. */
static const char *advice_for_mailbox(enum err rc, const char *why)
{
	bool is_certificate = strstr(why, "certificate") != NULL;

	if (rc == ERR_DENIED && is_certificate)
		return "the host must be named as in its certificate, and that must be valid; "
		       "an authority of your own is named by ca_file";
	if (rc == ERR_DENIED)
		return "check the user in the source line and what the line password (or "
		       "token) "
		       "leads to; many providers want a password made for programs";
	if (rc == ERR_TIMEOUT || rc == ERR_IO)
		return "check host and port, and whether they can be reached from here; the "
		       "next "
		       "run tries again by itself";
	if (rc == ERR_NOT_FOUND)
		return "check the name of the folder behind the host, and where the password "
		       "is "
		       "kept";
	if (rc == ERR_CONFIG)
		return "correct that line; molepost.conf(5) explains every key";
	return "what stands above says what is missing";
}

static enum err look_into(struct doctor *d, struct source *s, size_t *n, bool *complete)
{
	struct source_mail *mails;
	struct span state;

	TRY(mailbox_state_get(d->srv.store, span_of(source_url(s)), d->srv.arena, &state));
	TRY(source_resume(s, state, &d->srv.fail));
	return source_next(s, 1000, d->srv.arena, &mails, n, complete, &d->srv.fail);
}

static void check_source(struct doctor *d, const char *what, const char *url, const char *mend)
{
	struct source *s = NULL;
	size_t n;
	bool complete;
	enum err rc = source_open(url, &d->srv.cfg.access, &s, &d->srv.fail);

	if (rc == ERR_NONE)
		rc = look_into(d, s, &n, &complete);
	const char *objection = not_writable(d, url);
	if (rc == ERR_NONE && objection)
		problem(d, what, objection, mend);
	else if (rc == ERR_NONE)
		ok(d, what,
		   arena_printf(d->srv.arena, "%s: %s%zu mails waiting", url,
		                complete ? "" : "at least ", n));
	else
		problem(d, what, server_why(&d->srv, rc),
		        is_local(url) ? mend : advice_for_mailbox(rc, server_why(&d->srv, rc)));
	source_close(s);
}

static void check_sources(struct doctor *d)
{
	const char *spool = arena_printf(d->srv.arena, "maildir:%s", d->srv.cfg.spool);

	for (size_t i = 0; i < d->srv.cfg.nsources; i++)
		check_source(d, "source", d->srv.cfg.sources[i],
		             "check the source line of molepost.conf and the permissions of "
		             "the mailbox");
	check_source(d, "spool", spool,
	             "make it a Maildir that the user who runs molepost may write");
}

static const char *advice_for_sink(struct doctor *d, enum err rc)
{
	if (span_starts(span_of(d->srv.cfg.sink), "maildir:"))
		return "check the sink line of molepost.conf and that the folder is writable";
	if (rc == ERR_CONFIG || rc == ERR_NOT_FOUND)
		return "correct the sink line of molepost.conf or what it needs; see "
		       "molepost.conf(5), SENDING";
	if (rc == ERR_DENIED)
		return "check user, password and ca_file; mail is not sent where it cannot be "
		       "sent safely";
	if (rc == ERR_UNSUPPORTED)
		return "install that library";
	return "wait, or check host and port; until then the mails stay as they are";
}

/* Connects and logs in where the sink is a server; nothing is sent. */
static void check_sink(struct doctor *d)
{
	struct sink *s = NULL;
	enum err rc = sink_open(d->srv.cfg.sink, &d->srv.cfg.access, &s, &d->srv.fail);

	if (rc == ERR_NONE)
		rc = sink_ready(s, &d->srv.fail);
	const char *objection = rc == ERR_NONE ? not_writable(d, d->srv.cfg.sink)
	                                       : server_why(&d->srv, rc);
	if (!objection)
		ok(d, "sink", d->srv.cfg.sink);
	else
		problem(d, "sink", objection, advice_for_sink(d, rc));
	sink_close(s);
}

static void check_private(struct doctor *d, const char *what, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		problem(d, what, arena_printf(d->srv.arena, "%s is not there", path),
		        "restore it");
	else if ((st.st_mode & 077) != 0)
		problem(d, what, arena_printf(d->srv.arena, "%s is open to other users", path),
		        arena_printf(d->srv.arena, "chmod go= %s", path));
	else
		ok(d, what, path);
}

static const char *remote_name(unsigned long type)
{
#ifdef MOLEPOST_TEST_HOOKS
	unsigned wanted;
	const char *setting = env_get("MOLEPOST_TEST_FS_TYPE");

	if (setting && num_parse_uint(span_of(setting), 0, UINT32_MAX, &wanted))
		type = wanted;
#endif
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		if (remote[i].type == (type & 0xffffffffUL))
			return remote[i].name;
	return NULL;
}

static void check_disk(struct doctor *d)
{
	const char *kind;
	struct statfs fs;
	struct statvfs vfs;
	const char *db = path_of(d, d->srv.cfg.database);

	if (statfs(db, &fs) != 0 || statvfs(db, &vfs) != 0) {
		problem(d, "disk", "the file system could not be asked",
		        "check the path of the database");
		return;
	}
	kind = remote_name((unsigned long)fs.f_type);
	if (kind)
		problem(d, "disk",
		        arena_printf(d->srv.arena,
		                     "the database lies on a network file system (%s), where "
		                     "locks and fsync cannot be relied on",
		                     kind),
		        "move the folder to a local disk");
	unsigned long long mb = (unsigned long long)vfs.f_bavail * vfs.f_frsize >> 20;
	if (mb < 100)
		problem(d, "disk", arena_printf(d->srv.arena, "only %llu MB are free", mb),
		        "make room");
	else
		ok(d, "disk", arena_printf(d->srv.arena, "%llu MB free", mb));
}

static void check_host(struct doctor *d)
{
	const char *here = server_host(d->srv.arena);

	if (strcmp(store_host(d->srv.store), here) == 0)
		ok(d, "host", here);
	else
		problem(
		    d, "host",
		    arena_printf(d->srv.arena, "the database belongs to '%s' and this is '%s'",
		                 store_host(d->srv.store), here),
		    "if the server has moved and runs nowhere else: molepost run --take-over");
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

/* Whether the border server takes forged results out can only be seen from outside. */
static void check_authentication(struct doctor *d)
{
	static const char *const levels[] = {[AUTHENTICATION_IGNORE] = "ignored",
	                                     [AUTHENTICATION_WARN] = "lead to a remark",
	                                     [AUTHENTICATION_REQUIRE] = "are required"};
	const struct config *c = &d->srv.cfg;

	ok(d, "known senders",
	   c->known_senders == KNOWN_ACCEPT
	       ? "a known From address is enough for orders"
	       : "orders without reply address or answered mail wait for the player's yes");
	if (!c->authserv_id)
		return;
	ok(d, "authentication",
	   arena_printf(d->srv.arena, "results of %s %s", c->authserv_id,
	                levels[c->authentication]));
	fprintf(d->cli->out,
	        "         %-14s to see whether that server takes forged results out, send\n"
	        "         %-14s %s from elsewhere a mail with, three times over,\n"
	        "         %-14s   Authentication-Results: %s; %s=pass\n"
	        "         %-14s and ask after the next run: molepost why MESSAGE-ID\n"
	        "         %-14s \"%s\" there means that it does\n"
	        "         %-14s not: then set authentication = ignore\n",
	        "", "", c->address, "", c->authserv_id, AUTH_TEST_METHOD, "", "",
	        AUTH_TEST_SEEN, "");
}

/* Games that need a list cannot be created without it; others do not care. */
static void check_wordlists(struct doctor *d)
{
	struct strbuf there = STRBUF_INIT, missing = STRBUF_INIT;

	for (size_t i = 0; i < d->srv.cfg.nwordlists; i++) {
		const struct config_wordlist *w = &d->srv.cfg.wordlists[i];
		enum err rc = server_table_read(&d->srv, i, &d->srv.fail);

		if (rc == ERR_NONE)
			strbuf_addf(&there, " %s", w->name);
		else if (w->usual)
			strbuf_addf(&missing, " %s", w->name);
		else
			problem(d, "word list", server_why(&d->srv, rc),
			        "check the wordlist line of molepost.conf");
	}
	if (there.len > 0)
		ok(d, "word lists", there.ptr + 1);
	if (missing.len > 0)
		ok(d, "word lists",
		   arena_printf(d->srv.arena, "not installed:%s", missing.ptr));
	strbuf_release(&there);
	strbuf_release(&missing);
}

static void check_zone(struct doctor *d)
{
	const struct zone *zone;
	const char *name = d->srv.cfg.zone;

	if (*name == '\0' || zone_load(&d->srv, span_of(name), &zone, &d->srv.fail) == ERR_NONE)
		return;
	problem(d, "time zone",
	        arena_printf(d->srv.arena, "%s is unknown here, so times are UTC", name),
	        "check the zone line of molepost.conf; install tzdata");
}

static void check_clock(struct doctor *d)
{
	struct run_log last;
	struct strbuf text = STRBUF_INIT;
	enum err rc = run_log_last(d->srv.store, &last);

	utc_format_human(&text, d->srv.now_utc);
	if (rc == ERR_NONE && last.ended_utc > d->srv.now_utc + 60)
		problem(d, "clock",
		        "the last run lies in the future: this clock is slow or was set back",
		        "set the clock (ntp); until then deadlines are wrong");
	else
		ok(d, "clock", text.ptr);
	if (rc == ERR_NOT_FOUND)
		ok(d, "runs", "no run has had anything to do yet; is `molepost run` in cron?");
	else if (rc == ERR_NONE) {
		strbuf_clear(&text);
		utc_format_human(&text, last.ended_utc);
		ok(d, "runs",
		   arena_printf(d->srv.arena, "the last one with work ended %s", text.ptr));
	}
	strbuf_release(&text);
}

/* The newest of the mails set aside, by what `molepost why` takes. */
static void check_quarantine(struct doctor *d)
{
	enum { SHOWN = 5 };
	struct inbox_mail *mails;
	unsigned all = 0;
	size_t n = 0;

	if (quarantine_count(d->srv.store, &all) != ERR_NONE || all == 0)
		return;
	problem(
	    d, "quarantine",
	    arena_printf(d->srv.arena, "%u mail%s set aside", all,
	                 all == 1 ? " was" : "s were"),
	    "the originals are among the handled mail; the reason is told by one of these:");
	if (quarantine_list(d->srv.store, SHOWN, d->srv.arena, &mails, &n) != ERR_NONE)
		n = 0;
	for (size_t i = 0; i < n; i++) {
		struct span id = mails[i].message_id.len > 0 ? mails[i].message_id
		                                             : mails[i].transport_id;
		fprintf(d->cli->out, "         %-14s molepost why '%.*s'\n", "", SPAN_ARGS(id));
	}
}

/* People whom mail does not reach, and mail of ours that goes round. */
static void check_returned(struct doctor *d)
{
	struct bounced_address *list;
	unsigned waiting, loops;
	size_t n = 0;

	if (bounce_list(d->srv.store, 0, d->srv.arena, &list, &n) != ERR_NONE)
		n = 0;
	for (size_t i = 0; i < n; i++) {
		if (bounce_waiting(d->srv.store, list[i].address, &waiting) != ERR_NONE)
			continue;
		problem(
		    d, "unreachable",
		    arena_printf(d->srv.arena,
		                 "mail to player %lld comes back (%.*s); %u mail%s",
		                 (long long)list[i].player, SPAN_ARGS(list[i].said), waiting,
		                 waiting == 1 ? " waits" : "s wait"),
		    "ask the player by another way to write; an answer to any mail ends it");
	}
	if (quarantine_count_reason(d->srv.store, robots_loop_reason, &loops) == ERR_NONE &&
	    loops > 0)
		problem(d, "loop",
		        arena_printf(d->srv.arena, "%u of our own mails came back", loops),
		        "find the forwarding or list that sends mail of this server to itself");
}

static void check_stuck(struct doctor *d)
{
	struct in_flight f;
	unsigned n = 0;

	if (in_flight_get(d->srv.store, d->srv.arena, &f) == ERR_NONE && f.present)
		problem(d, "in flight", "the last run died with work in hand",
		        "nothing: the next run goes on and isolates the cause");
	check_quarantine(d);
	check_returned(d);
	if (outbox_count_given_up(d->srv.store, &n) == ERR_NONE && n > 0)
		problem(d, "outbox",
		        arena_printf(d->srv.arena, "%u mail%s could not be delivered", n,
		                     n == 1 ? "" : "s"),
		        "molepost outbox list says why; then outbox retry, or outbox drop");
	if (outbox_count(d->srv.store, OUTBOX_RETRY, &n) == ERR_NONE && n > 0)
		problem(d, "outbox",
		        arena_printf(d->srv.arena, "%u mail%s for another attempt", n,
		                     n == 1 ? " waits" : "s wait"),
		        "nothing, unless it goes on: then see molepost outbox list");
	if (outbox_count(d->srv.store, OUTBOX_MAYBE, &n) == ERR_NONE && n > 0)
		ok(d, "outbox",
		   arena_printf(d->srv.arena,
		                "%u mail%s handed over without an answer and will be repeated "
		                "once",
		                n, n == 1 ? " was" : "s were"));
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
			        arena_printf(d->srv.arena,
			                     "when the cause is gone: molepost game resume %s",
			                     game_id_text(&games[i], d->srv.arena)));
	ok(d, "games", arena_printf(d->srv.arena, "%zu gathering or running", n));
}

static void check_all(struct doctor *d)
{
	ok(d, "configuration", d->srv.cfg.dir);
	check_private(d, "key file", path_of(d, d->srv.cfg.key_file));
	check_private(d, "database file", path_of(d, d->srv.cfg.database));
	check_disk(d);
	check_host(d);
	check_database(d);
	check_sources(d);
	check_sink(d);
	check_authentication(d);
	check_wordlists(d);
	check_clock(d);
	check_zone(d);
	check_stuck(d);
	check_held(d);
}

int cmd_doctor(struct cli *cli, int argc, char **argv)
{
	struct doctor d = {.cli = cli};

	(void)argv;
	if (argc != 1)
		return cli_usage(cli, "doctor");
	enum err rc = server_open(cli->dir, STORE_READ_ONLY, false, &cli->log, &d.srv);
	if (rc == ERR_NONE)
		check_all(&d);
	else
		problem(&d, "server", server_why(&d.srv, rc), advice_for(&d.srv, rc));
	if (d.problems == 0)
		fprintf(cli->out, "All is well.\n");
	server_close(&d.srv);
	if (rc != ERR_NONE)
		return err_exit_code(rc);
	return d.problems ? EXIT_DATA : EXIT_DONE;
}
