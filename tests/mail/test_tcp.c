/*
 * test_tcp.c - connecting to one of the addresses of a host.
 */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mail/child/tcp.h"
#include "processor/base/clock.h"

/* Bound to 127.0.0.1; `backlog` -1: nobody listens. */
static int bind_somewhere(int backlog, uint16_t *port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert(backlog < 0 || listen(fd, backlog) == 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

/* Where localhost is ::1 too, nobody listens there. */
Test(tcp, goes_on_to_the_address_that_answers)
{
	struct failure e = ERR_INIT;
	struct sockaddr_in peer;
	socklen_t len = sizeof(peer);
	uint16_t port;
	int listener = bind_somewhere(4, &port), fd;

	cr_assert_eq(tcp_connect("localhost", port, 5, &fd, &e), ERR_NONE, "%s", e.text.ptr);
	cr_expect_eq(getpeername(fd, (struct sockaddr *)&peer, &len), 0);
	cr_expect_eq(peer.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
	close(fd);
	close(listener);
	err_release(&e);
}

Test(tcp, says_why_nobody_answers)
{
	struct failure e = ERR_INIT;
	uint16_t port;
	int silent = bind_somewhere(-1, &port), fd;

	cr_expect_eq(tcp_connect("127.0.0.1", port, 5, &fd, &e), ERR_IO);
	cr_expect(strstr(e.text.ptr, "no connection to 127.0.0.1 port "), "%s", e.text.ptr);
	cr_expect(strstr(e.text.ptr, ": Connection refused"), "%s", e.text.ptr);
	cr_expect_eq(fd, -1);
	err_clear(&e);
	cr_expect_eq(tcp_connect("nobody.invalid", 993, 5, &fd, &e), ERR_IO);
	cr_expect(strstr(e.text.ptr, "no connection to nobody.invalid port 993: "), "%s",
	          e.text.ptr);
	close(silent);
	err_release(&e);
}

/* Nobody takes what has come: once the queue is full, the next wait. */
Test(tcp, waits_no_longer_than_it_may)
{
	struct failure e = ERR_INIT;
	uint16_t port;
	int listener = bind_somewhere(0, &port), fd = -1, n = 0;
	int64_t began_ms;
	enum err r;

	do {
		began_ms = clock_monotonic_ms();
		r = tcp_connect("127.0.0.1", port, 1, &fd, &e);
	} while (r == ERR_NONE && n++ < 10);
	cr_expect_eq(r, ERR_TIMEOUT, "%s", e.text.ptr);
	cr_expect_geq(clock_monotonic_ms() - began_ms, 1000);
	cr_expect_lt(clock_monotonic_ms() - began_ms, 3000);
	close(listener);
	err_release(&e);
}
