/*
 * tcp.c - connecting to one of the addresses of a host.
 */
#include "mail/child/tcp.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "processor/base/clock.h"

enum { ATTEMPTS_MAX = 16, HEAD_START_MS = 250 };

/* A socket on its way to that address, or -1 with errno. */
static int begin(const struct addrinfo *a)
{
	int fd =
	    socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);

	if (fd < 0 || connect(fd, a->ai_addr, a->ai_addrlen) == 0 || errno == EINPROGRESS)
		return fd;
	int cause = errno;
	close(fd);
	errno = cause;
	return -1;
}

/* The first socket to be connected; -1: none was, and errno is why. */
static int race(const struct addrinfo *next, int64_t until_ms)
{
	struct pollfd fds[ATTEMPTS_MAX];
	int64_t next_ms = 0, now_ms;
	nfds_t n = 0;
	int won = -1, cause = EADDRNOTAVAIL;

	while (won < 0 && (next || n > 0)) {
		now_ms = clock_monotonic_ms();
		if (now_ms >= until_ms) {
			cause = ETIMEDOUT;
			break;
		}
		if (next && n < ATTEMPTS_MAX && (n == 0 || now_ms >= next_ms)) {
			fds[n] = (struct pollfd){.fd = begin(next), .events = POLLOUT};
			if (fds[n].fd < 0)
				cause = errno;
			else
				n++;
			next = next->ai_next;
			next_ms = now_ms + HEAD_START_MS;
			continue;
		}
		int64_t wake_ms = next && n < ATTEMPTS_MAX && next_ms < until_ms ? next_ms
		                                                                 : until_ms;
		if (poll(fds, n, (int)(wake_ms - now_ms)) <= 0)
			continue;
		for (nfds_t i = n; i > 0 && won < 0; i--) {
			socklen_t len = sizeof(cause);
			int fd = fds[i - 1].fd;

			if (fds[i - 1].revents == 0)
				continue;
			if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &cause, &len) != 0)
				cause = errno;
			fds[i - 1] = fds[--n];
			if (cause == 0)
				won = fd;
			else
				close(fd);
			next_ms = 0;
		}
	}
	for (nfds_t i = 0; i < n; i++)
		close(fds[i].fd);
	errno = cause;
	return won;
}

enum err tcp_connect(const char *host, uint16_t port, unsigned timeout_s, int *socket,
                     struct failure *e)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	struct strbuf service = STRBUF_INIT;
	const char *why;
	int r;

	*socket = -1;
	strbuf_addf(&service, "%u", (unsigned)port);
	r = getaddrinfo(host, service.ptr, &hints, &found);
	strbuf_release(&service);
	if (r == 0)
		*socket = race(found, clock_monotonic_ms() + (int64_t)timeout_s * 1000);
	why = r != 0 ? gai_strerror(r) : strerror(errno);
	bool is_late = r == 0 && errno == ETIMEDOUT;
	if (found)
		freeaddrinfo(found);
	if (*socket >= 0)
		return ERR_NONE;
	return err_set(e, is_late ? ERR_TIMEOUT : ERR_IO, "no connection to %s port %u: %s",
	               host, (unsigned)port, why);
}
