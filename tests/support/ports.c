/*
 * ports.c - ports below the range from which the system gives them to clients: else one of those may
 * take a port before the server does.
 */
#include "tests/support/ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/span.h"

static struct sockaddr_in here(unsigned port)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	                            .sin_port = htons((uint16_t)port)};
}

static bool is_free(unsigned port)
{
	struct sockaddr_in a = here(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool yes = bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0;

	close(fd);
	return yes;
}

/* Where to begin differs from process to process and try to try. */
void ports_find(unsigned *ports, size_t n)
{
	enum { FIRST = 20000, COUNT = 12000 };
	unsigned at = (unsigned)getpid() * 41 + (unsigned)clock_monotonic_ms();
	size_t found = 0;

	for (unsigned i = 0; i < COUNT && found < n; i++) {
		unsigned port = FIRST + (at + i) % COUNT;

		if (is_free(port))
			ports[found++] = port;
	}
	if (found < n)
		BUG("no port is free");
}

bool port_greets(unsigned port, const char *mark, int wait_ms)
{
	struct sockaddr_in a = here(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	char greeting[1024];
	ssize_t n = 0;

	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0 && poll(&wait, 1, wait_ms) == 1)
		n = read(fd, greeting, sizeof(greeting));
	struct span said = {greeting, n > 0 ? (size_t)n : 0};

	close(fd);
	return said.len > 0 && span_find(said, span_of(mark)) < said.len;
}
