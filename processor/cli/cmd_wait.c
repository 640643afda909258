/*
 * cmd_wait.c - `molepost wait`: starts `molepost run` when mail comes, or something is due.
 *
 * One process that holds neither key nor database. A Maildir tells of mail by inotify, an IMAP server by IDLE, to a
 * child of this process (mail/source/fetcher.h); POP3, and a server without IDLE or that cannot be reached, are
 * looked into by a run now and then, as by cron. What is due next each run says in the end.
 * Listening begins before the run that reads what has come until then, so that no mail falls in between.
 */
#include <poll.h>
#include <signal.h>
#include <string.h>

#include "mail/source.h"
#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/subprocess.h"
#include "processor/cli/command_line.h"
#include "processor/server/lock.h"
#include "processor/server/server.h"

enum {
	EVERY_S = 300,    /* runs where nobody tells of mail */
	FIRST_WAIT_S = 5, /* before a connection is tried again; then twice as long ... */
	LONGEST_WAIT_S = 600,
	AGAIN_S = 60, /* at most, after a run that failed, or has left something that is due */
	SOON_S = 5,   /* after one that found another at work */
	READ_MOST_S = 6 * 3600, /* so often all is read, whatever a server says */
	RUN_MOST_MS = 2 * 3600 * 1000
};

struct ear {
	const char *url;
	struct source *source; /* NULL: it has to be opened */
	int fd;                /* -1: it is not listened to */
	int64_t try_utc;       /* when next, if not */
	int64_t since_utc;     /* it is */
	int64_t wait_s; /* before the next try was, or the last one; 0: there was no trouble */
};

/* Whether mail has come, or it is only now listened to. */
static bool listen_to(struct ear *l, const struct mail_settings *settings, struct log *log,
                      int64_t now_utc, unsigned every_s)
{
	bool mail = false, is_new = l->fd < 0;
	struct failure e = ERR_INIT;
	enum err rc = ERR_NONE;

	if (!l->source)
		rc = source_open(l->url, settings, &l->source, &e);
	if (rc == ERR_NONE)
		rc = source_watch(l->source, every_s, &l->fd, &mail, &e);
	if (rc == ERR_NONE) {
		if (is_new)
			l->since_utc = now_utc;
		if (is_new && l->wait_s > 0)
			log_warnx(log, "%s is listened to again", l->url);
		err_release(&e);
		return mail || is_new;
	}
	/* A connection that breaks again and again is no better than none. */
	if (!is_new && now_utc - l->since_utc > LONGEST_WAIT_S)
		l->wait_s = 0;
	source_close(l->source);
	l->source = NULL;
	l->fd = -1;
	if (l->wait_s == 0)
		log_warnx(log, "%s; it is looked into now and then", e.text.ptr);
	l->wait_s = l->wait_s == 0 ? FIRST_WAIT_S : 2 * l->wait_s;
	if (l->wait_s > LONGEST_WAIT_S || rc == ERR_UNSUPPORTED)
		l->wait_s = LONGEST_WAIT_S;
	l->try_utc = rc == ERR_UNSUPPORTED ? INT64_MAX : now_utc + l->wait_s;
	err_release(&e);
	return !is_new;
}

/*
 * One run, and when the next is due at the latest. *no_mail: whether nobody has to log in for this one, and for the next
 * one if no mail comes before; that is so when it comes only because `every_s` have passed.
 */
static int64_t run_once(struct cli *cli, int64_t every_s, bool *no_mail)
{
	const char *const argv[] = {"/proc/self/exe",
	                            "-C",
	                            cli->dir,
	                            "run",
	                            RUN_TELL,
	                            *no_mail ? RUN_NO_MAIL : NULL,
	                            NULL};
	bool had_no_mail = *no_mail;
	struct strbuf said = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int64_t next_utc = 0, now_utc;
	sigset_t held, before;
	int code = 0;

	/* Who ends this ends it between two runs. */
	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGINT);
	sigprocmask(SIG_BLOCK, &held, &before);
	enum err rc = subprocess_run(argv, SPAN_EMPTY, 64, RUN_MOST_MS, &said, &code, &e);
	sigprocmask(SIG_SETMASK, &before, NULL);
	bool told = num_parse_i64(span_trim(strbuf_span(&said)), 0, INT64_MAX, &next_utc);

	if (rc != ERR_NONE)
		log_warnx(&cli->log, "%s", e.text.ptr);
	strbuf_release(&said);
	err_release(&e);
	now_utc = clock_now_utc();
	*no_mail = false;
	int64_t again_utc = now_utc + (every_s < AGAIN_S ? every_s : AGAIN_S);
	if (rc != ERR_NONE || code != EXIT_DONE)
		return again_utc;
	if (!told)
		return now_utc + SOON_S;
	*no_mail = next_utc == 0 || next_utc > now_utc + every_s;
	if (*no_mail)
		return now_utc + every_s;
	/* What is due since the machine slept is for a run that has read all mail. */
	return next_utc > now_utc || had_no_mail ? next_utc : again_utc;
}

static void wait_and_run(struct cli *cli, const struct server *srv, struct ear *ears, size_t n,
                         unsigned every_s)
{
	struct pollfd *fds = arena_calloc(srv->arena, n, sizeof(*fds));
	int64_t next_utc = 0, read_utc = 0;
	bool no_mail = false;

	for (;;) {
		int64_t now_utc = clock_now_utc();
		bool due = now_utc >= next_utc, news = false, all_tell = true;
		int64_t wake_utc;

		for (size_t i = 0; i < n; i++) {
			struct ear *l = &ears[i];

			if (l->fd < 0 ? now_utc >= l->try_utc : fds[i].revents != 0)
				news = listen_to(l, &srv->cfg.settings, &cli->log, now_utc,
				                 every_s) ||
				       news;
			all_tell = all_tell && l->fd >= 0;
		}
		no_mail = no_mail && !news && all_tell && now_utc - read_utc < READ_MOST_S;
		if ((due || news) && !no_mail)
			read_utc = now_utc;
		if (due || news)
			next_utc = run_once(cli, all_tell ? WAIT_MOST_S : every_s, &no_mail);
		wake_utc = next_utc;
		for (size_t i = 0; i < n; i++) {
			fds[i] = (struct pollfd){.fd = ears[i].fd, .events = POLLIN};
			if (ears[i].fd < 0 && ears[i].try_utc < wake_utc)
				wake_utc = ears[i].try_utc;
		}
		int64_t left_ms = (wake_utc - clock_now_utc()) * 1000;
		/* So that a clock that was set, and a machine that slept, are noticed. */
		left_ms = left_ms < every_s * 1000 ? left_ms : every_s * 1000;
		(void)poll(fds, n, left_ms > 0 ? (int)left_ms : 0);
	}
}

int cmd_wait(struct cli *cli, int argc, char **argv)
{
	unsigned every_s = EVERY_S;
	struct server srv;
	int fd = -1;

	if (argc != 1 && (argc != 3 || strcmp(argv[1], "--every") != 0 ||
	                  !num_parse_uint(span_of(argv[2]), 1, WAIT_MOST_S, &every_s)))
		return cli_usage(cli);
	enum err rc = server_open_config(cli->dir, STORE_READ_WRITE, &cli->log, &srv);
	if (rc == ERR_NONE)
		rc =
		    lock_take(arena_printf(srv.arena, "%s" WAIT_LOCK,
		                           config_path(&srv.cfg, srv.cfg.lock_file, srv.arena)),
		              srv.now_utc, &fd, &srv.fail);
	if (rc == ERR_BUSY || rc == ERR_TIMEOUT)
		rc = err_set(&srv.fail, ERR_BUSY, "molepost wait is at work here already");
	if (rc == ERR_NONE) {
		size_t n = srv.cfg.nsources + 1;
		struct ear *ears = arena_calloc(srv.arena, n, sizeof(*ears));

		for (size_t i = 0; i < n; i++)
			ears[i] = (struct ear){
			    .fd = -1,
			    .url = i + 1 < n
			               ? srv.cfg.sources[i]
			               : arena_printf(srv.arena, "maildir:%s", srv.cfg.spool)};
		wait_and_run(cli, &srv, ears, n, every_s);
	}
	log_warnx(&cli->log, "%s", server_why(&srv, rc));
	server_close(&srv);
	return err_exit_code(rc);
}
