/*
 * imap.c - mails from Dovecot to what came of them, committed.
 *
 * Timed is the way to the commit: by a server that has no means of moving mail, so that the run
 * ends there. The limit is for lean mail of strangers, of which no more is written than that it came;
 * what orders come to depends on what they are worth to the games, and is printed beside it. Both
 * are shown for lean mails and for mails as people's programs write them, without pictures
 * (tests/support/programs.h).
 *
 * The peer is the shortest program that can be thought of: one connection in clear, one FETCH of the
 * whole mailbox, and every byte of the answer thrown away. Also counted, with a server that can
 * move mail: the commands that reading took, and the memory of the process that fetches.
 *
 * BENCH_MAILS=5000 BENCH_ROUNDS=5
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/dovecot.h"
#include "tests/support/proxy.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"
#include "tests/support/testbed_files.h"

enum { AT_ONCE = 1 << 16, KIB_MOST = 16 * 1024 };

struct tried {
	struct dovecot *server;
	struct testbed *testbed;
	unsigned mails;
	bool moves;        /* the server can move mail away */
	const char *count; /* SQL: how many mails have been dealt with */
};

/* ---- the peer ---- */

struct line {
	int fd;
	size_t got; /* bytes of the last answer */
};

static struct line call(unsigned port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	                        .sin_port = htons((uint16_t)port)};
	struct line l = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	char greeting[1024];

	ENSURE(connect(l.fd, (struct sockaddr *)&a, sizeof(a)) == 0 &&
	       read(l.fd, greeting, sizeof(greeting)) > 0);
	return l;
}

/* The answer ends in a line that begins with the tag. */
static void ask(struct line *l, const char *tag, const char *command)
{
	static char bytes[AT_ONCE + 64];
	struct strbuf out = STRBUF_INIT;
	char end[16];
	size_t kept = 0;

	snprintf(end, sizeof(end), "\n%s OK ", tag);
	strbuf_addf(&out, "%s %s\r\n", tag, command);
	ENSURE(write(l->fd, out.ptr, out.len) == (ssize_t)out.len);
	strbuf_release(&out);
	bytes[kept++] = '\n';
	for (l->got = 0;;) {
		ssize_t n = read(l->fd, bytes + kept, AT_ONCE);
		struct span all;

		ENSURE(n > 0);
		l->got += (size_t)n;
		all = (struct span){bytes, kept + (size_t)n};
		if (span_find(all, span_of(end)) < all.len)
			return;
		kept = all.len < 32 ? all.len : 32;
		memmove(bytes, bytes + all.len - kept, kept);
	}
}

static struct line log_in(const struct tried *r)
{
	struct line l = call(r->server->imap);

	ask(&l, "a", "LOGIN moles {13+}\r\n" DOVECOT_PASSWORD);
	return l;
}

static void run_peer(void *ctx)
{
	struct tried *r = ctx;
	struct line l = log_in(r);

	ask(&l, "b", "SELECT INBOX");
	ask(&l, "c", "UID FETCH 1:* (BODY.PEEK[])");
	if (l.got < (size_t)r->mails * 100)
		BUG("only %zu bytes", l.got);
	close(l.fd);
}

/* ---- ours ---- */

/* The database as it was, and every mail back in INBOX. */
static void start_again(void *ctx)
{
	struct tried *r = ctx;
	struct line l = log_in(r);

	if (r->moves && dovecot_count(r->server, ".Processed") > 0) {
		ask(&l, "b", "SELECT Processed");
		ask(&l, "c", "UID MOVE 1:* INBOX");
	}
	close(l.fd);
	ENSURE(dovecot_count(r->server, "") == r->mails);
	testbed_files_restore(r->testbed);
	testbed_files_settle();
}

static void check(struct tried *r)
{
	int64_t done = crowd_number(r->testbed, r->count);

	if (done != r->mails || dovecot_count(r->server, "") != (r->moves ? 0 : r->mails))
		BUG("%lld of %u mails were dealt with", (long long)done, r->mails);
}

static void run_molepost(void *ctx)
{
	struct tried *r = ctx;

	crowd_run(r->testbed);
}

static void set_port(struct tried *r, unsigned port)
{
	char url[64];

	snprintf(url, sizeof(url), "imap://moles@localhost:%u", port);
	dovecot_set(r->testbed, "source", url);
}

static void measure_speed(struct tried *r, unsigned rounds, const char *mails, double limit)
{
	struct bench_side peer = {.name = "peer", .prepare = start_again, .run = run_peer};
	struct bench_side ours = {
	    .name = "molepost", .prepare = start_again, .run = run_molepost};
	struct strbuf what = STRBUF_INIT;
	double theirs_s, ours_s;

	bench_pair(&peer, &ours, rounds, r);
	check(r);
	theirs_s = bench_median(&peer, rounds);
	ours_s = bench_median(&ours, rounds);
	printf("imap: %u mails %s, %.3f s (%.0f a second); a raw FETCH %.3f s\n", r->mails,
	       mails, ours_s, r->mails / ours_s, theirs_s);
	printf("imap: processor time of a mail %.0f us, without Dovecot's\n",
	       1e6 * bench_median_cpu(&ours, rounds) / r->mails);
	strbuf_addf(&what, "imap: speed against a raw FETCH, mails %s", mails);
	if (limit > 0)
		bench_at_least(what.ptr, theirs_s / ours_s, limit);
	else
		printf("%-58s %9.3f\n", what.ptr, theirs_s / ours_s);
	strbuf_release(&what);
}

/* A testbed that has nothing to do for these senders but to write down that they wrote. */
static void turn_to_strangers(struct tried *r)
{
	testbed_free(r->testbed);
	r->testbed = testbed_files_new_release();
	r->count = "SELECT count(*) FROM inbox";
	dovecot_set_login(r->testbed, r->server);
	dovecot_set(r->testbed, "unknown_senders", "known");
	set_port(r, r->server->imap);
	testbed_files_keep(r->testbed);
}

static void count_commands(struct tried *r)
{
	char *log = scratch_path(r->testbed->scratch, "heard");
	struct proxy *p = proxy_start(&(struct proxy_setup){.to = r->server->imap}, log);
	struct strbuf heard = STRBUF_INIT;
	unsigned commands = 0;

	start_again(r);
	set_port(r, p->port);
	crowd_run(r->testbed);
	check(r);
	proxy_heard(p, &heard);
	for (size_t i = 0; i < heard.len; i++)
		commands += heard.ptr[i] == '\n';
	bench_at_most("imap: commands", commands, r->mails / 100.0 + 10);
	set_port(r, r->server->imap);
	strbuf_release(&heard);
	proxy_stop(p);
	free(log);
}

static void measure_memory(struct tried *r, const char *how)
{
	const char *const argv[] = {"run", "--no-send", NULL};
	struct bench_memory peak;
	struct strbuf what = STRBUF_INIT;
	struct ran ran;
	pid_t pid;

	start_again(r);
	pid = testbed_start(r->testbed, argv, NULL);
	peak = bench_watch_memory(pid);
	testbed_finish(r->testbed, pid, &ran);
	if (ran.code != 0)
		BUG("run ended with %d: %s", ran.code, ran.err.ptr);
	check(r);
	printf("imap: peak memory %s: run %ld KiB, parser %ld KiB\n", how, peak.parent_kb,
	       peak.child_kb);
	strbuf_addf(&what, "imap: KiB of the fetching process, %s", how);
	bench_at_most(what.ptr, (double)peak.fetcher_kb, KIB_MOST);
	strbuf_release(&what);
	ran_release(&ran);
}

static struct tried *reading_new(unsigned mails, bool moves, programs_add_fn *add)
{
	static const char stays[] = "IMAP4rev1 LITERAL+ SASL-IR ENABLE IDLE NAMESPACE";

	struct tried *r = xcalloc(1, sizeof(*r));
	struct testbed *made = testbed_files_new_release();

	r->mails = mails;
	r->moves = moves;
	r->count = "SELECT count(*) FROM orders WHERE serial = 2";
	r->server =
	    dovecot_start(&(struct dovecot_setup){.imap_capability = moves ? NULL : stays});
	r->testbed = made;
	crowd_games(made, (mails + 1) / 2);
	crowd_orders(made, (mails + 1) / 2);
	crowd_run(made);
	crowd_mails(made, (mails + 1) / 2, mails, add);
	testbed_files_keep(made);
	dovecot_take_over(r->server, made);
	dovecot_set_login(made, r->server);
	set_port(r, r->server->imap);
	return r;
}

static void reading_free(struct tried *r)
{
	testbed_free(r->testbed);
	dovecot_stop(r->server);
	free(r);
}

int main(void)
{
	unsigned mails = bench_size("BENCH_MAILS", 5000),
		 rounds = bench_size("BENCH_ROUNDS", 5);
	char url[64];
	struct tried *r;

	if (!dovecot_is_installed()) {
		puts("imap: skipped, Dovecot is not installed");
		return 0;
	}
	r = reading_new(mails, false, programs_add_lean);
	measure_speed(r, rounds, "with orders", 0);
	turn_to_strangers(r);
	measure_speed(r, rounds, "of strangers", 0.25);
	reading_free(r);
	r = reading_new(mails, false, programs_add_written);
	measure_speed(r, rounds, "with orders, as written", 0);
	turn_to_strangers(r);
	measure_speed(r, rounds, "of strangers, as written", 0);
	reading_free(r);
	r = reading_new(mails, true, programs_add_lean);
	count_commands(r);
	measure_memory(r, "in clear");
	snprintf(url, sizeof(url), "imaps://moles@localhost:%u", r->server->imaps);
	dovecot_set(r->testbed, "source", url);
	measure_memory(r, "over TLS");
	reading_free(r);
	return 0;
}
