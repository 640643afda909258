/*
 * name_server.c - one thread that answers datagrams until the socket is shut.
 */
#include "tests/support/name_server.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <pthread.h>
#include <resolv.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

struct name_server {
	const struct name_record *records;
	size_t n;
	int fd;
	unsigned port;
	atomic_uint asked;
	pthread_t thread;
};

static void put16(struct strbuf *out, unsigned v)
{
	strbuf_addc(out, (char)(v >> 8));
	strbuf_addc(out, (char)v);
}

static void put_name(struct strbuf *out, const char *name)
{
	for (const char *at = name; *at; at += strcspn(at, "."), at += *at == '.') {
		size_t n = strcspn(at, ".");

		if (n == 0)
			break;
		strbuf_addc(out, (char)n);
		strbuf_add(out, at, n);
	}
	strbuf_addc(out, '\0');
}

static void put_record(struct strbuf *out, const struct name_record *r)
{
	struct strbuf data = STRBUF_INIT;

	if (r->type == NAME_MX) {
		put16(&data, 10);
		put_name(&data, r->data);
	} else if (r->type == NAME_TXT) {
		strbuf_addc(&data, (char)strlen(r->data));
		strbuf_adds(&data, r->data);
	} else if (r->type == NAME_SRV) {
		char *rest;
		unsigned long priority = strtoul(r->data, &rest, 10);

		put16(&data, (unsigned)priority);
		put16(&data, 5); /* weight */
		put16(&data, (unsigned)strtoul(rest, &rest, 10));
		put_name(&data, rest + 1);
	}
	put16(out, 0xc00c); /* the name asked for */
	put16(out, r->type);
	put16(out, ns_c_in);
	put16(out, 0);
	put16(out, 60);
	put16(out, (unsigned)data.len);
	strbuf_add(out, data.ptr, data.len);
	strbuf_release(&data);
}

/* Of a question that our own program has put together. */
static void answer(struct name_server *s, const unsigned char *ask, size_t len,
                   struct strbuf *out)
{
	char name[NS_MAXDNAME];
	int n = dn_expand(ask, ask + len, ask + NS_HFIXEDSZ, name, sizeof(name));
	unsigned type, found = 0;
	bool there = false;

	if (n < 0 || NS_HFIXEDSZ + (size_t)n + 4 > len)
		BUG("a question that is none");
	type = (unsigned)ask[NS_HFIXEDSZ + n] << 8 | ask[NS_HFIXEDSZ + n + 1];
	for (size_t i = 0; i < s->n; i++) {
		there = there || strcasecmp(s->records[i].name, name) == 0;
		found += strcasecmp(s->records[i].name, name) == 0 &&
		         s->records[i].type == type;
	}
	strbuf_add(out, (const char *)ask, 2);
	put16(out, there ? 0x8180 : 0x8183);
	put16(out, 1);
	put16(out, found);
	put16(out, 0);
	put16(out, 0);
	strbuf_add(out, (const char *)ask + NS_HFIXEDSZ, (size_t)n + 4);
	for (size_t i = 0; i < s->n; i++)
		if (strcasecmp(s->records[i].name, name) == 0 && s->records[i].type == type)
			put_record(out, &s->records[i]);
}

static void *serve(void *arg)
{
	struct name_server *s = arg;
	unsigned char ask[NS_PACKETSZ];
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	ssize_t n;

	while ((n = recvfrom(s->fd, ask, sizeof(ask), 0, (struct sockaddr *)&from, &size)) >
	       0) {
		struct strbuf out = STRBUF_INIT;

		answer(s, ask, (size_t)n, &out);
		s->asked++;
		(void)sendto(s->fd, out.ptr, out.len, 0, (struct sockaddr *)&from, size);
		strbuf_release(&out);
	}
	return NULL;
}

struct name_server *name_server_new(const struct name_record *records, size_t n)
{
	struct name_server *s = xcalloc(1, sizeof(*s));
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(a);

	s->records = records;
	s->n = n;
	s->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (bind(s->fd, (struct sockaddr *)&a, size) != 0 ||
	    getsockname(s->fd, (struct sockaddr *)&a, &size) != 0 ||
	    pthread_create(&s->thread, NULL, serve, s) != 0)
		BUG("a server of names");
	s->port = ntohs(a.sin_port);
	return s;
}

void name_server_free(struct name_server *s)
{
	/* An empty datagram ends it. */
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	                        .sin_port = htons((uint16_t)s->port)};

	(void)sendto(s->fd, "", 0, 0, (struct sockaddr *)&a, sizeof(a));
	pthread_join(s->thread, NULL);
	close(s->fd);
	free(s);
}

unsigned name_server_port(const struct name_server *s)
{
	return s->port;
}

unsigned name_server_asked(const struct name_server *s)
{
	return s->asked;
}
