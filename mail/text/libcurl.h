/*
 * libcurl.h - libcurl, loaded in the children that talk to a server, which have the socket already.
 *
 * Not linked, as library.h says: thirty shared libraries stand behind it. The GnuTLS flavour comes
 * with libetpan; the OpenSSL one has the same interface and serves where it is missing. Private to
 * mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_LIBCURL_H
#define MOLEPOST_MAIL_TEXT_LIBCURL_H

/* Its type checks are macros named like the functions, and here these are members. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/base/library.h"

#define LIBCURL_FUNCTIONS(X)  \
	X(curl_global_init)   \
	X(curl_easy_init)     \
	X(curl_easy_setopt)   \
	X(curl_easy_perform)  \
	X(curl_easy_getinfo)  \
	X(curl_easy_send)     \
	X(curl_easy_recv)     \
	X(curl_easy_cleanup)  \
	X(curl_easy_strerror) \
	X(curl_slist_append)  \
	X(curl_slist_free_all)

struct libcurl {
	LIBCURL_FUNCTIONS(LIBRARY_MEMBER)
};

/*
 * Finds and initialises it. It stays mapped for the life of the process. ERR_UNSUPPORTED: the
 * library, or one function of it, is not there.
 */
enum err libcurl_load(struct libcurl *lib, struct failure *e) MUST_CHECK;

/* ERR_DENIED: the certificate is not accepted; ERR_CONFIG: ca_file; ERR_TIMEOUT; ERR_IO: anything else. */
enum err libcurl_err(CURLcode code);

/* Whom libcurl is to talk to. */
struct libcurl_peer {
	const char *scheme, *host;
	uint16_t port;
	const char *path;     /* behind the '/' */
	const char *ca_file;  /* "" = the system's authorities */
	curl_socket_t socket; /* connected already; libcurl closes it */
};

/*
 * `easy` is to connect over that socket and to stop there: it looks up no name, verifies certificate and
 * host name, and cares for nothing that the environment says of proxies. `peer` is borrowed until
 * curl_easy_cleanup; then *addresses is for curl_slist_free_all.
 */
void libcurl_use_socket(const struct libcurl *lib, CURL *easy, const struct libcurl_peer *peer,
                        struct curl_slist **addresses);

#endif
