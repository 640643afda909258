/*
 * smtp.c - reports from the outbox to a mail server, every row marked as sent.
 *
 * The peer is Postfix's own smtp-source, which reads nothing, marks nothing and sends as fast
 * as it can; the server is Postfix's smtp-sink, which throws everything away. Both send the
 * same number of mails of 3,000 bytes over as many connections. The last pair goes through a
 * proxy in this process that adds 20 ms to each round trip.
 *
 * BENCH_MAILS=10000 BENCH_ROUNDS=7 BENCH_FAR_MAILS=60
 */
#include <arpa/inet.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"
#include "tests/support/bench.h"
#include "tests/support/crowd.h"
#include "tests/support/slow_line.h"
#include "tests/support/table.h"
#include "tests/support/testbed_files.h"

static const char source_program[] = "/usr/sbin/smtp-source";
static const char sink_program[] = "/usr/sbin/smtp-sink";
enum { FAR_MS = 10, BODY_BYTES = 2700 /* and about 300 of header */ };

extern char **environ;

struct sending {
	struct testbed *testbed;
	unsigned mails, connections, port;
};

static pid_t spawn(const char *const argv[])
{
	pid_t pid;

	ENSURE(posix_spawn(&pid, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv,
	                   environ) == 0);
	return pid;
}

static unsigned free_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ENSURE(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0 &&
	       getsockname(fd, (struct sockaddr *)&a, &len) == 0);
	close(fd);
	return ntohs(a.sin_port);
}

static void wait_for(unsigned port)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_port = htons((uint16_t)port),
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	for (int i = 0; i < 500; i++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		bool there = connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0;

		close(fd);
		if (there)
			return;
		nanosleep(&pause, NULL);
	}
	BUG("%s does not listen", sink_program);
}

static pid_t start_sink(unsigned port)
{
	struct strbuf where = STRBUF_INIT;
	pid_t pid;

	strbuf_addf(&where, "inet:127.0.0.1:%u", port);
	/* As root it insists on being somebody else; timeout(1) ends it should the bench not. */
	if (geteuid() == 0)
		pid = spawn((const char *const[]){"/usr/bin/timeout", "1800", sink_program,
		                                  "-u", "nobody", where.ptr, "1000", NULL});
	else
		pid = spawn((const char *const[]){"/usr/bin/timeout", "1800", sink_program,
		                                  where.ptr, "1000", NULL});
	strbuf_release(&where);
	wait_for(port);
	return pid;
}

static void prepare(void *ctx)
{
	const struct sending *in = ctx;

	testbed_files_restore(in->testbed);
	testbed_files_settle();
}

static void run_molepost(void *ctx)
{
	const struct sending *in = ctx;

	expect(in->testbed, "run", 0, NULL);
}

static void run_source(void *ctx)
{
	const struct sending *in = ctx;
	struct strbuf where = STRBUF_INIT, mails = STRBUF_INIT, sessions = STRBUF_INIT,
		      bytes = STRBUF_INIT;
	int status;
	pid_t pid;

	strbuf_addf(&where, "inet:127.0.0.1:%u", in->port);
	strbuf_addf(&mails, "%u", in->mails);
	strbuf_addf(&sessions, "%u", in->connections);
	strbuf_addf(&bytes, "%d", BODY_BYTES);
	pid = spawn((const char *const[]){source_program, "-d", "-s", sessions.ptr, "-m",
	                                  mails.ptr, "-l", bytes.ptr, "-f", "moles@example.org",
	                                  "-t", "ann@example.net", where.ptr, NULL});
	ENSURE(waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0);
	strbuf_release(&where);
	strbuf_release(&mails);
	strbuf_release(&sessions);
	strbuf_release(&bytes);
}

static void compare(struct sending *in, unsigned rounds, const char *what, double limit)
{
	struct bench_side theirs = {
	    .name = "smtp-source", .prepare = prepare, .run = run_source};
	struct bench_side ours = {.name = "molepost", .prepare = prepare, .run = run_molepost};
	struct strbuf options = STRBUF_INIT;
	double theirs_s, ours_s;

	strbuf_addf(&options, "?connections=%u", in->connections);
	testbed_smtp(in->testbed, "", in->port, options.ptr);
	bench_pair(&theirs, &ours, rounds, in);
	if (crowd_number(in->testbed, "SELECT count(*) FROM outbox WHERE state = 4") !=
	    (int64_t)in->mails)
		BUG("not every mail was sent and marked");
	theirs_s = bench_median(&theirs, rounds);
	ours_s = bench_median(&ours, rounds);
	printf("smtp: %u mails in %.3f s (%.0f a second), smtp-source %.3f s\n", in->mails,
	       ours_s, in->mails / ours_s, theirs_s);
	bench_at_least(what, theirs_s / ours_s, limit);
	strbuf_release(&options);
}

static struct sending sending_new(unsigned mails)
{
	struct sending in = {.testbed = testbed_files_new_release(), .mails = mails};

	crowd_reports(in.testbed, mails);
	testbed_files_keep(in.testbed);
	return in;
}

int main(void)
{
	unsigned rounds = bench_size("BENCH_ROUNDS", 7), port;
	struct sending near, far;
	struct slow_line *proxy;
	pid_t sink;

	if (access(source_program, X_OK) != 0 || access(sink_program, X_OK) != 0) {
		printf("smtp: skipped, Postfix is not installed\n");
		return 0;
	}
	signal(SIGPIPE, SIG_IGN);
	near = sending_new(bench_size("BENCH_MAILS", 10000));
	far = sending_new(bench_size("BENCH_FAR_MAILS", 60));
	port = free_port();
	sink = start_sink(port);
	near.port = port;
	near.connections = 1;
	compare(&near, rounds, "smtp: one connection against smtp-source -s 1", 0.8);
	near.connections = 4;
	compare(&near, rounds, "smtp: four connections against smtp-source -s 4", 0.7);
	testbed_free(near.testbed);
	proxy = slow_line_new(port, FAR_MS);
	far.port = slow_line_port(proxy);
	far.connections = 1;
	compare(&far, rounds < 3 ? rounds : 3, "smtp: the same with 20 ms to the server", 0.95);
	testbed_free(far.testbed);
	slow_line_free(proxy);
	kill(sink, SIGTERM);
	ENSURE(waitpid(sink, NULL, 0) == sink);
	return 0;
}
