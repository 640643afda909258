/*
 * check_server.c - whether folder, database, clock and games are as they should be.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/step.h"
#include "processor/doctor/doctor.h"
#include "processor/outgoing/budget.h"
#include "processor/request/automatic.h"
#include "processor/server/lock.h"
#include "processor/server/word_lists.h"
#include "processor/server/zones.h"
#include "processor/turns/outage.h"
#include "store/audit.h"
#include "store/bounces.h"
#include "store/games.h"
#include "store/inbox.h"
#include "store/operator/outages.h"
#include "store/outbox.h"

/* File systems that somebody else's disk is behind, as statfs(2) calls them. */
static const struct {
	unsigned long type;
	const char *name;
} remote[] = {
    {0x6969, "NFS"},      {0x517b, "SMB"},    {0xff534d42, "CIFS"}, {0xfe534d42, "SMB"},
    {0x65735546, "FUSE"}, {0x01021997, "9P"}, {0x00c36400, "Ceph"}, {0x5346414f, "AFS"},
};

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

static const char *advice_for_database(enum err rc, const char *why)
{
	if (rc == ERR_UNSUPPORTED && strstr(why, "will bring it"))
		return "nothing: the next molepost run does it";
	if (rc == ERR_UNSUPPORTED)
		return "install the newer molepost that wrote this database";
	if (rc == ERR_FULL)
		return "make room on the disk";
	if (rc == ERR_DENIED)
		return "give it, and what lies beside it, to the user that runs molepost, by "
		       "chown";
	if (rc == ERR_BUSY)
		return "another program holds it: find and end that";
	return "molepost restore BACKUP, then: molepost run --reread";
}

const char *doctor_advice_for_store(enum err rc, const char *why)
{
	/* As libpq and the server say it; the first that is in it counts. */
	static const struct {
		const char *said, *mend;
	} known[] = {
	    {"libpq", "apt install libpq5"},
	    {"no password supplied",
	     "write HOST:PORT:DATABASE:USER:PASSWORD into ~/.pgpass, chmod "
	     "600, or a password line into molepost.conf"},
	    {"password authentication failed",
	     "give the role that password there: psql -c '\\password USER'"},
	    {"no pg_hba.conf entry",
	     "a line in pg_hba.conf there: hostssl DATABASE USER "
	     "ADDRESS-OF-THIS-MACHINE/32 scram-sha-256; then pg_ctl reload"},
	    {"does not match host name", "name the host as in its certificate"},
	    {"certificate verify failed",
	     "name the file of its authority in the URL: ?sslrootcert=/etc/ssl/authority.pem"},
	    {"root certificate file", "apt install ca-certificates, or name the file of its "
	                              "authority in the URL: ?sslrootcert=FILE"},
	    {"does not support SSL",
	     "ssl = on in postgresql.conf there; on a network of your own "
	     "?sslmode=disable behind the URL"},
	    {"role \"", "make it there: createuser -P USER"},
	    {"database \"", "make it there: createdb -O USER -E UTF8 -T template0 --locale=C "
	                    "DATABASE"},
	    {"could not translate host name", "check the host in the URL"},
	    {"Connection refused",
	     "listen_addresses = '*' in postgresql.conf there, a restart, and "
	     "port 5432 open for this machine"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strstr(why, known[i].said))
			return known[i].mend;
	if (rc == ERR_NOT_FOUND || rc == ERR_INVALID)
		return "give the line store the name of the database that molepost init "
		       "--store "
		       "or molepost store copy has made";
	if (rc == ERR_DENIED)
		return "check user and database in the line store, and what its password line "
		       "leads to; psql with the same URL says more";
	if (rc == ERR_UNSUPPORTED || rc == ERR_FULL)
		return advice_for_database(rc, why);
	return "see that it runs and can be reached from here, with psql and the same URL; the "
	       "next run tries again by itself";
}

/* How to mend what keeps the folder from being opened at all. */
const char *doctor_advice(const struct server *srv, enum err rc)
{
	switch (srv->part) {
	case SERVER_CONFIG:
		return advice_for_config(rc);
	case SERVER_KEYS:
		return advice_for_keys(rc);
	case SERVER_DATABASE:
		return store_is_url(srv->cfg.database)
		           ? doctor_advice_for_store(rc, server_why(srv, rc))
		           : advice_for_database(rc, server_why(srv, rc));
	case SERVER_HOST:
		break;
	}
	return "if the server has moved and runs nowhere else: molepost run --take-over";
}

static void check_private(struct doctor *d, const char *what, const char *path)
{
	struct stat st, folder;

	if (stat(path, &st) != 0)
		doctor_problem(d, what, "restore it", "%s is not there", path);
	else if (stat(d->srv.cfg.dir, &folder) == 0 && folder.st_uid != st.st_uid)
		doctor_problem(
		    d, what,
		    arena_printf(d->srv.arena, "chown %u %s*", (unsigned)folder.st_uid, path),
		    "%s belongs to user %u, its folder to user %u", path, (unsigned)st.st_uid,
		    (unsigned)folder.st_uid);
	else if ((st.st_mode & 077) != 0)
		doctor_problem(d, what, arena_printf(d->srv.arena, "chmod go= %s", path),
		               "%s is open to other users", path);
	else
		doctor_ok(d, what, "%s", path);
}

/* What a run makes beside the database and opens again: one by root leaves files that the owner's cannot. */
static void check_files(struct doctor *d)
{
	static const char *const made[] = {"", WAIT_LOCK, ".busy"};
	bool is_file = !store_is_url(d->srv.cfg.database);

	doctor_check_mode(d, "folder", d->srv.cfg.dir, 022);
	doctor_check_mode(d, "configuration", doctor_path(d, "molepost.conf"), 022);
	check_private(d, "key file", doctor_path(d, d->srv.cfg.key_file));
	if (is_file)
		check_private(d, "database file", doctor_path(d, d->srv.cfg.database));
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		const char *path = arena_printf(d->srv.arena, "%s%s",
		                                doctor_path(d, d->srv.cfg.lock_file), made[i]);
		if (file_exists(path))
			check_private(d, "lock", path);
	}
}

static const char *remote_name(unsigned long type)
{
	if (step_hooks)
		type = step_hooks->file_system(type);
	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		if (remote[i].type == (type & 0xffffffffUL))
			return remote[i].name;
	return NULL;
}

static void check_disk(struct doctor *d)
{
	enum { FILES_FEW = 1000 }; /* a run makes a file or two for each mail */
	const char *kind;
	struct statfs fs;
	struct statvfs vfs;
	/* Beside a database on PostgreSQL the folder holds mailboxes still. */
	const char *db = store_is_url(d->srv.cfg.database)
	                     ? d->srv.cfg.dir
	                     : doctor_path(d, d->srv.cfg.database);

	if (statfs(db, &fs) != 0 || statvfs(db, &vfs) != 0) {
		doctor_problem(d, "disk", "check the path of the database",
		               "the file system could not be asked");
		return;
	}
	kind = remote_name((unsigned long)fs.f_type);
	if (kind)
		doctor_problem(d, "disk", "move the folder to a local disk",
		               "the database lies on a network file system (%s), where "
		               "locks and fsync cannot be relied on",
		               kind);
	unsigned long long mb = (unsigned long long)vfs.f_bavail * vfs.f_frsize >> 20;
	if (vfs.f_files > 0 && vfs.f_favail < FILES_FEW) /* some file systems count none */
		doctor_problem(d, "disk", "remove files nobody needs; df -i shows what is left",
		               "only %llu files more can be made",
		               (unsigned long long)vfs.f_favail);
	if (mb < 100)
		doctor_problem(d, "disk", "make room", "only %llu MB are free", mb);
	else
		doctor_ok(d, "disk", "%llu MB free", mb);
}

static void check_host(struct doctor *d)
{
	const char *here;
	enum err rc = server_host_id(&d->srv, &here);

	if (rc != ERR_NONE)
		doctor_problem(d, "host", "write a word into that file, once for each machine",
		               "%s", server_why(&d->srv, rc));
	else if (store_is_url(d->srv.cfg.database))
		doctor_ok(d, "host",
		          "%s; machines take turns on this database, and must all "
		          "read the same mailboxes",
		          here);
	else if (strcmp(store_host(d->srv.store), here) == 0)
		doctor_ok(d, "host", "%s", here);
	else
		doctor_problem(
		    d, "host",
		    "if the server has moved and runs nowhere else: molepost run --take-over",
		    "the database belongs to '%s' and this is '%s'", store_host(d->srv.store),
		    here);
}

static void check_database(struct doctor *d)
{
	struct strbuf text = STRBUF_INIT;
	struct span rest, line;
	enum err rc = store_describe(d->srv.store, &text);

	if (rc != ERR_NONE)
		doctor_problem(d, "database", "molepost fsck says more", "%s",
		               server_why(&d->srv, rc));
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line)) {
		const char *said = arena_cstr(d->srv.arena, line);

		if (span_starts(line, "encoding: ") && !span_eq_str(line, "encoding: UTF8"))
			doctor_problem(d, "database",
			               "createdb -E UTF8 -T template0 --locale=C, and molepost "
			               "store copy into that",
			               "%s: names and texts in other letters "
			               "cannot be stored",
			               said);
		else
			doctor_ok(d, "database", "%s", said);
	}
	strbuf_release(&text);
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
			doctor_problem(d, "word list",
			               "check the wordlist line of molepost.conf", "%s",
			               server_why(&d->srv, rc));
	}
	if (there.len > 0)
		doctor_ok(d, "word lists", "%s", there.ptr + 1);
	if (missing.len > 0)
		doctor_ok(d, "word lists", "not installed:%s", missing.ptr);
	strbuf_release(&there);
	strbuf_release(&missing);
}

static const char *moment(struct doctor *d, int64_t t_utc)
{
	struct strbuf text = STRBUF_INIT;

	utc_format_human(&text, t_utc);
	return arena_take(d->srv.arena, &text).ptr;
}

/* Whether `molepost wait` is at work, which holds this lock. */
static const char *who_starts_runs(struct doctor *d)
{
	const char *path = config_path(&d->srv.cfg, d->srv.cfg.lock_file, d->srv.arena);
	int fd = open(arena_printf(d->srv.arena, "%s" WAIT_LOCK, path), O_RDONLY | O_CLOEXEC);
	bool waits = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;

	if (fd >= 0)
		close(fd);
	int64_t next_utc = 0;
	if (next_due(d->srv.store, &next_utc) != ERR_NONE || next_utc < d->srv.now_utc)
		next_utc = 0;
	return arena_printf(
	    d->srv.arena, "%s%s%s",
	    waits ? "molepost wait starts them"
		  : "molepost wait is not at work, so cron or a timer is to start them",
	    next_utc ? "; due next: " : "", next_utc ? moment(d, next_utc) : "");
}

static void check_clock(struct doctor *d)
{
	struct run_log last;
	struct pulse p; /* runs without work are only here */
	struct strbuf text = STRBUF_INIT;
	enum err rc = run_log_last(d->srv.store, &last);
	int64_t newest_utc = rc == ERR_NONE ? last.ended_utc : 0;

	utc_format_human(&text, d->srv.now_utc);
	if (pulse_get(d->srv.store, &p) == ERR_NONE && p.run_utc > newest_utc)
		newest_utc = p.run_utc;
	if (newest_utc > d->srv.now_utc + 60)
		doctor_problem(
		    d, "clock",
		    "set the clock (ntp), until then no deadline is acted on; if it is right: "
		    "molepost run --clock-is-right",
		    "the last run lies in the future: this clock is slow or was set back");
	else
		doctor_ok(d, "clock", "%s", text.ptr);
	if (rc == ERR_NOT_FOUND)
		doctor_ok(d, "runs", "none has had anything to do yet; %s", who_starts_runs(d));
	else if (rc == ERR_NONE) {
		strbuf_clear(&text);
		utc_format_human(&text, last.ended_utc);
		doctor_ok(d, "runs", "the last one with work ended %s; %s", text.ptr,
		          who_starts_runs(d));
	}
	strbuf_release(&text);
}

/* A server that answers and takes nothing looks well from outside. */
static void check_unsent(struct doctor *d, const struct pulse *p)
{
	const char *since = moment(d, p->unsent_utc);
	unsigned refused = 0;

	if (outbox_count(d->srv.store, OUTBOX_RETRY, &refused) == ERR_NONE && refused > 0)
		doctor_problem(
		    d, "deadlines",
		    "ask the provider; molepost outbox list shows what it says. What "
		    "was lost is given back",
		    refused == 1 ? "wait, since the mail server has taken nothing "
				   "from %s on; %u mail is refused"
				 : "wait, since the mail server has taken nothing "
				   "from %s on; %u mails are refused",
		    since, refused);
	else
		doctor_ok(d, "deadlines",
		          "wait, since no run could send mail from %s on; what was "
		          "lost is given back by the next one that can",
		          since);
}

/* Whether runs come, and what they could not do. */
/* More than anybody's holidays: either nobody looks after this server, or its clock is wrong. */
enum { DAY_S = 86400, CLOCK_IN_DOUBT_S = 60 * DAY_S };
/* How long work may wait before the runs are missed of which too few are known to say how often they come. */
enum { MAY_WAIT_S = 3600 };

static void check_pulse(struct doctor *d)
{
	const struct outage_rules *rules = &d->srv.cfg.outage;
	struct pulse p;

	if (pulse_get(d->srv.store, &p) != ERR_NONE)
		return;
	int64_t usual_s = rules->every_s > 0 ? rules->every_s : p.usual_s;
	if (p.run_utc > 0 && d->srv.now_utc - p.run_utc > CLOCK_IN_DOUBT_S)
		doctor_problem(
		    d, "clock",
		    "set it if it is ahead, before the next run: deadlines would pass by it",
		    "by it the last run was %lld days ago, on %s",
		    (long long)((d->srv.now_utc - p.run_utc) / DAY_S), moment(d, p.run_utc));
	int64_t due_utc = 0, wait_from_utc = d->waits_since_utc;
	if (next_due(d->srv.store, &due_utc) == ERR_NONE && due_utc > 0 &&
	    (wait_from_utc == 0 || due_utc < wait_from_utc))
		wait_from_utc = due_utc;
	const char *missed = NULL;
	if (pulse_overdue_s(&p, rules, d->srv.now_utc) > 0)
		missed = arena_printf(d->srv.arena,
		                      "none since %s, and they came every %lld minutes",
		                      moment(d, p.run_utc), (long long)((usual_s + 59) / 60));
	else if (usual_s == 0 && wait_from_utc > 0 &&
	         d->srv.now_utc - wait_from_utc > MAY_WAIT_S &&
	         d->srv.now_utc - p.run_utc > MAY_WAIT_S)
		missed = arena_printf(d->srv.arena, "%s%s, and %s %s",
		                      p.run_utc > 0 ? "none since " : "there was none yet",
		                      p.run_utc > 0 ? moment(d, p.run_utc) : "",
		                      wait_from_utc == d->waits_since_utc
		                          ? "mail has waited since"
		                          : "work has been due since",
		                      moment(d, wait_from_utc));
	if (missed)
		doctor_problem(d, "runs",
		               "see whether cron (or the timer) starts `molepost run`, and "
		               "run it once by hand to read what it says",
		               "%s", missed);
	if (p.unread_utc > 0)
		doctor_ok(d, "deadlines",
		          "wait, since no run could read mail from %s on; what was "
		          "lost is given back by the next one that can",
		          moment(d, p.unread_utc));
	if (p.unsent_utc > 0)
		check_unsent(d, &p);
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
	doctor_problem(
	    d, "quarantine",
	    "the originals are among the handled mail; one of these tells the reason:",
	    all == 1 ? "%u mail was set aside" : "%u mails were set aside", all);
	if (quarantine_list(d->srv.store, SHOWN, d->srv.arena, &mails, &n) != ERR_NONE)
		n = 0;
	for (size_t i = 0; i < n; i++) {
		struct span id = mails[i].message_id.len > 0 ? mails[i].message_id
		                                             : mails[i].transport_id;
		doctor_more(d,
		            arena_printf(d->srv.arena, "molepost why '%.*s'", SPAN_ARGS(id)));
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
		if (list[i].said.len == 0 || /* silent, and was told */
		    bounce_waiting(d->srv.store, list[i].address, &waiting) != ERR_NONE)
			continue;
		doctor_problem(
		    d, "unreachable",
		    "ask the player by another way to write; an answer to any mail ends it",
		    waiting == 1 ? "mail to player %lld comes back (%.*s); %u mail waits"
				 : "mail to player %lld comes back (%.*s); %u mails wait",
		    (long long)list[i].player, SPAN_ARGS(list[i].said), waiting);
	}
	if (quarantine_count_reason(d->srv.store, automatic_loop_reason, &loops) == ERR_NONE &&
	    loops > 0)
		doctor_problem(
		    d, "loop",
		    "find the forwarding or list that sends mail of this server to itself",
		    "%u of our own mails came back", loops);
}

static void check_stuck(struct doctor *d)
{
	struct in_flight f;
	unsigned n = 0;

	if (in_flight_get(d->srv.store, d->srv.arena, &f) == ERR_NONE && f.present)
		doctor_problem(d, "in flight",
		               "nothing: the next run goes on and isolates the cause",
		               "the last run died with work in hand");
	check_quarantine(d);
	check_returned(d);
	if (outbox_count_given_up(d->srv.store, &n) == ERR_NONE && n > 0)
		doctor_problem(
		    d, "outbox",
		    "molepost outbox list says why; then outbox retry, or outbox drop",
		    n == 1 ? "%u mail could not be delivered"
			   : "%u mails could not be delivered",
		    n);
	if (outbox_count(d->srv.store, OUTBOX_RETRY, &n) == ERR_NONE && n > 0)
		doctor_problem(d, "outbox",
		               "nothing, unless it goes on: then see molepost outbox list",
		               n == 1 ? "%u mail waits for another attempt"
		                      : "%u mails wait for another attempt",
		               n);
	if (outbox_count(d->srv.store, OUTBOX_MAYBE, &n) == ERR_NONE && n > 0)
		doctor_ok(d, "outbox",
		          n == 1 ? "%u mail was handed over without an answer and will be "
		                   "repeated once"
		                 : "%u mails were handed over without an answer and will be "
		                   "repeated once",
		          n);
}

static void check_held(struct doctor *d)
{
	struct game *games;
	size_t n;

	if (game_list(d->srv.store, GAMES_LIVE, 0, 100000, d->srv.arena, &games, &n) !=
	    ERR_NONE)
		return;
	for (size_t i = 0; i < n; i++)
		if (games[i].held)
			doctor_problem(
			    d, "game",
			    arena_printf(d->srv.arena,
			                 "when the cause is gone: molepost game resume %s",
			                 game_id_text(&games[i], d->srv.arena)),
			    "%s is held: %.*s", game_id_text(&games[i], d->srv.arena),
			    SPAN_ARGS(games[i].held_reason));
	doctor_ok(d, "games", "%zu gathering or running", n);
}

/* ---- faults that are told in one line ---- */

static const char *cannot_be_run(struct doctor *d, const char *program)
{
	return program && access(program, X_OK) != 0
	           ? arena_printf(d->srv.arena, "%s cannot be run", program)
	           : NULL;
}

static const char *alarm_fault(struct doctor *d)
{
	return cannot_be_run(d, d->srv.cfg.alarm);
}

static const char *after_game_fault(struct doctor *d)
{
	return cannot_be_run(d, d->srv.cfg.after_game);
}

/* The next run would have told it. */
static const char *announced_fault(struct doctor *d)
{
	struct game game;
	int64_t waiting;
	size_t n;

	if (!d->srv.cfg.after_game ||
	    game_list_unannounced(d->srv.store, 1, &waiting, &n) != ERR_NONE || n == 0 ||
	    game_get(d->srv.store, waiting, d->srv.arena, &game) != ERR_NONE)
		return NULL;
	return arena_printf(d->srv.arena, "has not heard yet of %s, which has ended",
	                    game_id_text(&game, d->srv.arena));
}

static const char *zone_fault(struct doctor *d)
{
	const struct zone *zone;
	const char *name = d->srv.cfg.zone;

	return *name == '\0' ||
	               zone_load(&d->srv, span_of(name), &zone, &d->srv.fail) == ERR_NONE
	           ? NULL
	           : arena_printf(d->srv.arena, "%s is unknown here, so times are UTC", name);
}

/* More than the limits of answers. */
static const char *held_back_fault(struct doctor *d)
{
	unsigned n = 0;

	if (budget_held(&d->srv, &n) != ERR_NONE || n == 0)
		return NULL;
	return arena_printf(d->srv.arena,
	                    n == 1 ? "%u was held back today, for enough had gone there"
	                           : "%u were held back today, for enough had gone there",
	                    n);
}

/* Found out here, for a server that does not answer hides it. */
static const char *authorities_fault(struct doctor *d)
{
	const char *file = d->srv.cfg.settings.ca_file;

	return file && access(doctor_path(d, file), R_OK) != 0
	           ? arena_printf(d->srv.arena, "%s cannot be read", file)
	           : NULL;
}

static const char *operator_fault(struct doctor *d)
{
	const char *who = d->srv.cfg.operator_address;

	return who && span_eq_nocase(span_of(who), d->srv.cfg.address)
	           ? "operator is the server itself: it would mail its troubles to itself"
	           : NULL;
}

/* Replies to what has been sent go where the server was then. */
static const char *address_fault(struct doctor *d)
{
	struct span old = SPAN_EMPTY;
	unsigned games = 0;

	if (outbox_left_address(d->srv.store, span_of(d->srv.cfg.address), d->srv.arena, &old,
	                        &games) != ERR_NONE ||
	    games == 0)
		return NULL;
	return arena_printf(d->srv.arena,
	                    games == 1 ? "%u game began under %.*s, and replies go there"
	                               : "%u games began under %.*s, and replies go there",
	                    games, SPAN_ARGS(old));
}

static const struct {
	const char *what;
	const char *(*find)(struct doctor *d); /* what is wrong; NULL: nothing */
	const char *mend;
	bool may_stay;
} faults[] = {
    {"ca_file", authorities_fault, "check the ca_file line of molepost.conf", false},
    {"operator", operator_fault, "name the address of a person", false},
    {"address", address_fault,
     "have mail to that come in too, by a source line or forwarded, until they have ended",
     false},
    {"alarm", alarm_fault, "check the alarm line of molepost.conf, and chmod +x", false},
    {"after_game", after_game_fault, "check the after_game line of molepost.conf, and chmod +x",
     false},
    {"after_game", announced_fault, "say molepost run, and read what it says of the program",
     false},
    {"time zone", zone_fault, "check the zone line of molepost.conf; install tzdata", false},
    {"answers", held_back_fault,
     "nothing, if the mails were forged or came from a program; else answers_per_day", true},
};

void doctor_check_all(struct doctor *d, const char *unit)
{
	struct span retired = span_of(d->srv.cfg.retired), line;

	doctor_ok(d, "configuration", "%s", d->srv.cfg.dir);
	while (span_next_line(&retired, &line))
		doctor_remark(d, "configuration", "take the line out", "%s",
		              arena_cstr(d->srv.arena, line));
	check_files(d);
	check_disk(d);
	check_host(d);
	check_database(d);
	doctor_check_sources(d);
	doctor_check_sink(d);
	doctor_check_walls(d);
	doctor_check_authentication(d);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		const char *found = faults[i].find(d);

		if (found && faults[i].may_stay)
			doctor_remark(d, faults[i].what, faults[i].mend, "%s", found);
		else if (found)
			doctor_problem(d, faults[i].what, faults[i].mend, "%s", found);
	}
	check_wordlists(d);
	check_clock(d);
	check_pulse(d);
	check_stuck(d);
	check_held(d);
	if (unit)
		doctor_check_unit(d, unit);
}
