/*
 * proxy.h - a line between client and server that writes down, breaks and falls silent.
 */
#ifndef MOLEPOST_TESTS_PROXY_H
#define MOLEPOST_TESTS_PROXY_H

#include <stddef.h>
#include <sys/types.h>

#include "processor/base/strbuf.h"

struct proxy_setup {
	unsigned to; /* port on loopback; 0: connections are taken and nothing is ever said */
	/* The first `cuts` connections break after this many bytes from the server. */
	size_t cut_after;
	unsigned cuts;
};

struct proxy {
	pid_t pid;
	unsigned port;
	char *log; /* a file: what clients sent, one connection behind the other */
};

/* `log` is the file to write, made anew. It ends with the test. */
struct proxy *proxy_start(const struct proxy_setup *setup, const char *log);
void proxy_stop(struct proxy *p);
/* Appends what clients have sent so far. */
void proxy_heard(const struct proxy *p, struct strbuf *out);

#endif
