/*
 * curl_stream.h - a connection to a mail server: libcurl secures it, libetpan speaks over it.
 *
 * libetpan's own TLS checks no certificate and sends no server name; libcurl does both. So
 * libcurl is given a connected socket, verifies certificate and host name against the system's
 * authorities or those of a file, and hands over a stream of bytes; with any doubt about the server no byte is
 * sent. Private to the fetching child.
 */
#ifndef MOLEPOST_MAIL_SOURCE_CURL_STREAM_H
#define MOLEPOST_MAIL_SOURCE_CURL_STREAM_H

#include "mail/text/net_libs.h"

struct curl_stream_peer {
	const char *host;
	uint16_t port;
	bool is_tls;
	const char *ca_file; /* "" = the system's */
	unsigned timeout_s;  /* for TLS, and for each answer */
};

struct curl_stream;

/*
 * `socket` is connected to the peer, and belongs to the stream from here on, whatever is returned.
 * ERR_DENIED: the certificate is not good, or not for this host; ERR_TIMEOUT, ERR_IO, ERR_CONFIG
 * (the file of authorities cannot be read). Strings of `peer` are borrowed for the call.
 */
enum err curl_stream_open(const struct net_libs *libs, const struct curl_stream_peer *peer,
                          int socket, struct curl_stream **out, struct failure *e) MUST_CHECK;
void curl_stream_close(struct curl_stream *w); /* NULL is fine */
/* A new stream over the connection; the protocol handler that gets it frees it. */
mailstream *curl_stream_etpan(struct curl_stream *w);
/* Why reading or writing failed last. */
enum err curl_stream_why(const struct curl_stream *w, struct failure *e);

#endif
