/*
 * proxy.c - relaying bytes on loopback, one connection at a time.
 */
#include "tests/support/proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"

enum { AT_ONCE = 65536, LOG_MAX = 64 << 20 };

static struct sockaddr_in loopback(unsigned port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	                            .sin_port = htons((uint16_t)port)};
}

static bool pass_on(int to, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = send(to, bytes, len, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		}
	}
	return true;
}

/* Until one side ends, or `room` bytes have come from the server. */
static void relay(int client, int server, size_t room, int log)
{
	static char bytes[AT_ONCE];
	struct pollfd fds[2] = {{.fd = client, .events = POLLIN},
	                        {.fd = server, .events = POLLIN}};
	ssize_t n;

	while (poll(fds, 2, -1) > 0) {
		if (fds[0].revents) {
			n = read(client, bytes, sizeof(bytes));
			if (n <= 0 || write(log, bytes, (size_t)n) != n ||
			    !pass_on(server, bytes, (size_t)n))
				return;
		}
		if (fds[1].revents) {
			n = read(server, bytes, sizeof(bytes) < room ? sizeof(bytes) : room);
			if (n <= 0 || !pass_on(client, bytes, (size_t)n))
				return;
			room -= (size_t)n;
			if (room == 0)
				return;
		}
	}
}

/* Says nothing until the client has had enough. */
static void be_silent(int client, int log)
{
	char bytes[4096];
	ssize_t n;

	while ((n = read(client, bytes, sizeof(bytes))) > 0)
		if (write(log, bytes, (size_t)n) != n)
			return;
}

static _Noreturn void serve(const struct proxy_setup *setup, int listener, int log)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (unsigned n = 0;; n++) {
		struct sockaddr_in to = loopback(setup->to);
		int client = accept(listener, NULL, NULL), server;

		if (client < 0)
			_exit(1);
		server = socket(AF_INET, SOCK_STREAM, 0);
		if (setup->to == 0)
			be_silent(client, log);
		else if (connect(server, (struct sockaddr *)&to, sizeof(to)) == 0)
			relay(client, server, n < setup->cuts ? setup->cut_after : SIZE_MAX,
			      log);
		close(server);
		close(client);
	}
}

struct proxy *proxy_start(const struct proxy_setup *setup, const char *log)
{
	struct proxy *p = xcalloc(1, sizeof(*p));
	struct sockaddr_in a = loopback(0);
	socklen_t len = sizeof(a);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);

	ENSURE(listener >= 0 && out >= 0 && bind(listener, (struct sockaddr *)&a, len) == 0 &&
	       listen(listener, 16) == 0 &&
	       getsockname(listener, (struct sockaddr *)&a, &len) == 0);
	p->port = ntohs(a.sin_port);
	p->log = xstrdup(log);
	p->pid = fork();
	ENSURE(p->pid >= 0);
	if (p->pid == 0)
		serve(setup, listener, out);
	close(listener);
	close(out);
	return p;
}

void proxy_stop(struct proxy *p)
{
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	free(p->log);
	free(p);
}

void proxy_heard(const struct proxy *p, struct strbuf *out)
{
	ENSURE(file_read(p->log, LOG_MAX, out, NULL) == ERR_NONE);
}
