/*
 * curl_stream.c - libcurl's connection as a libetpan stream.
 */
#include "mail/source/curl_stream.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/clock.h"

enum { STREAM_BUFFER = 16 * 1024 };

struct curl_stream {
	const struct net_libs *libs;
	CURL *curl;
	struct libcurl_peer peer;
	int timeout_ms;
	bool timed_out;
	struct curl_slist *addresses;
	char story[CURL_ERROR_SIZE];
};

/* ---- the libraries ---- */

/* RTLD_LAZY: of the large tables of libetpan only a few entries are ever used. */
enum err net_libs_load(struct net_libs *lib, struct failure *e)
{
	void *handle;
	const char *missing = NULL;
	enum err rc =
	    library_open(library_etpan, "libetpan20", RTLD_LAZY | RTLD_LOCAL, &handle, e);

	memset(lib, 0, sizeof(*lib));
	if (rc != ERR_NONE)
		return rc;
	NET_ETPAN_FUNCTIONS(LIBRARY_FIND)
	if (missing)
		return err_set(e, ERR_UNSUPPORTED, "the function %s is not in %s 1.9", missing,
		               library_etpan[0]);
	return libcurl_load(&lib->curl, e);
}

/* ---- connecting ---- */

enum err curl_stream_open(const struct net_libs *libs, const struct curl_stream_peer *peer,
                          int socket, struct curl_stream **out, struct failure *e)
{
	struct curl_stream *w = xcalloc(1, sizeof(*w));
	const struct libcurl *lib = &libs->curl;
	CURLcode code;

	*out = NULL;
	*w = (struct curl_stream){.libs = libs,
	                          .peer = {.scheme = peer->is_tls ? "https" : "http",
	                                   .host = peer->host,
	                                   .port = peer->port,
	                                   .path = "",
	                                   .ca_file = peer->ca_file,
	                                   .socket = socket},
	                          .timeout_ms = (int)peer->timeout_s * 1000};
	w->curl = lib->curl_easy_init();
	ENSURE(w->curl);
	libcurl_use_socket(lib, w->curl, &w->peer, &w->addresses);
	lib->curl_easy_setopt(w->curl, CURLOPT_SSL_ENABLE_ALPN, 0L);
	lib->curl_easy_setopt(w->curl, CURLOPT_CONNECTTIMEOUT, (long)peer->timeout_s);
	lib->curl_easy_setopt(w->curl, CURLOPT_TIMEOUT, (long)peer->timeout_s);
	lib->curl_easy_setopt(w->curl, CURLOPT_ERRORBUFFER, w->story);
	code = lib->curl_easy_perform(w->curl);
	if (code == CURLE_OK) {
		*out = w;
		return ERR_NONE;
	}
	enum err kind = libcurl_err(code);
	const char *words = w->story[0] ? w->story : lib->curl_easy_strerror(code);
	if (kind == ERR_DENIED)
		err_set(e, kind,
		        "the certificate of %s is not accepted, so nothing was sent (no login "
		        "either): %s",
		        peer->host, words);
	else if (kind == ERR_CONFIG)
		err_set(e, kind, "ca_file %s: %s", peer->ca_file, words);
	else
		err_set(e, kind, "no connection to %s port %u: %s", peer->host,
		        (unsigned)peer->port, words);
	curl_stream_close(w);
	return kind;
}

void curl_stream_close(struct curl_stream *w)
{
	if (!w)
		return;
	w->libs->curl.curl_easy_cleanup(w->curl);
	w->libs->curl.curl_slist_free_all(w->addresses);
	free(w);
}

enum err curl_stream_why(const struct curl_stream *w, struct failure *e)
{
	if (w->timed_out)
		return err_set(e, ERR_TIMEOUT, "the server did not answer within %d s",
		               w->timeout_ms / 1000);
	return err_set(e, ERR_IO, "the connection was lost");
}

/* ---- reading and writing ---- */

/* TLS may have bytes in hand that poll() knows nothing of, so it is asked only after a try. */
static bool wait_for(struct curl_stream *w, short events)
{
	struct pollfd fd = {.fd = w->peer.socket, .events = events};
	int64_t until = clock_monotonic_ms() + w->timeout_ms;
	int n;

	do {
		int64_t left = until - clock_monotonic_ms();

		n = poll(&fd, 1, left > 0 ? (int)left : 0);
	} while (n < 0 && errno == EINTR);
	w->timed_out = n == 0;
	return n > 0;
}

static ssize_t low_read(mailstream_low *low, void *to, size_t max)
{
	struct curl_stream *w = low->data;
	size_t n = 0;
	CURLcode code;

	w->timed_out = false;
	while ((code = w->libs->curl.curl_easy_recv(w->curl, to, max, &n)) == CURLE_AGAIN)
		if (!wait_for(w, POLLIN))
			return -1;
	/* The end is an error: libetpan would ask for the rest of a text for ever. */
	return code == CURLE_OK && n > 0 ? (ssize_t)n : -1;
}

static ssize_t low_write(mailstream_low *low, const void *from, size_t len)
{
	struct curl_stream *w = low->data;
	size_t n = 0;
	CURLcode code;

	while ((code = w->libs->curl.curl_easy_send(w->curl, from, len, &n)) == CURLE_AGAIN)
		if (!wait_for(w, POLLOUT))
			return -1;
	return code == CURLE_OK ? (ssize_t)n : -1;
}

/* The connection belongs to the curl_stream, which outlives the stream. */
static int low_close(mailstream_low *low)
{
	(void)low;
	return 0;
}

static int low_fd(mailstream_low *low)
{
	const struct curl_stream *w = low->data;

	return w->peer.socket;
}

static void low_free(mailstream_low *low)
{
	free(low);
}

static void low_cancel(mailstream_low *low)
{
	(void)low;
}

static mailstream_low_driver driver = {
    .mailstream_read = low_read,
    .mailstream_write = low_write,
    .mailstream_close = low_close,
    .mailstream_get_fd = low_fd,
    .mailstream_free = low_free,
    .mailstream_cancel = low_cancel,
};

mailstream *curl_stream_etpan(struct curl_stream *w)
{
	mailstream_low *low = w->libs->mailstream_low_new(w, &driver);
	mailstream *s = low ? w->libs->mailstream_new(low, STREAM_BUFFER) : NULL;

	ENSURE(s);
	return s;
}
