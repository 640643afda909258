/*
 * wire.h - a connection to a mail server: libcurl opens it, libetpan speaks over it.
 *
 * libetpan's own TLS checks no certificate and sends no server name; libcurl does both. So
 * libcurl connects, verifies certificate and host name against the system's authorities or
 * those of a file, and hands over a stream of bytes; with any doubt about the server no byte is
 * sent. Private to the fetching child.
 */
#ifndef MOLEPOST_MAIL_SOURCE_WIRE_H
#define MOLEPOST_MAIL_SOURCE_WIRE_H

#include "mail/text/net_libs.h"

struct wire_peer {
	const char *host;
	uint16_t port;
	bool is_tls;
	const char *ca_file; /* "" = the system's */
	unsigned timeout_s;  /* to connect, and for each answer */
};

struct wire;

/*
 * ERR_DENIED: the certificate is not good, or not for this host; ERR_TIMEOUT, ERR_IO, ERR_CONFIG
 * (the file of authorities cannot be read). Strings of `peer` are borrowed for the call.
 */
enum err wire_open(const struct net_libs *libs, const struct wire_peer *peer, struct wire **out,
                   struct failure *e) MUST_CHECK;
void wire_close(struct wire *w); /* NULL is fine */
/* A new stream over the connection; the protocol handler that gets it frees it. */
mailstream *wire_stream(struct wire *w);
/* Why reading or writing failed last. */
enum err wire_why(const struct wire *w, struct failure *e);

#endif
