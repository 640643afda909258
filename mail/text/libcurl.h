/*
 * libcurl.h - libcurl, loaded when the first connection is made.
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

#include "processor/base/err.h"
#include "processor/base/library.h"

#define LIBCURL_FUNCTIONS(X) \
	X(curl_global_init)  \
	X(curl_easy_init)    \
	X(curl_easy_setopt)  \
	X(curl_easy_perform) \
	X(curl_easy_getinfo) \
	X(curl_easy_send)    \
	X(curl_easy_recv)    \
	X(curl_easy_cleanup) \
	X(curl_easy_strerror)

struct libcurl {
	LIBCURL_FUNCTIONS(LIBRARY_MEMBER)
};

/*
 * Finds and initialises it; once more is cheap. Not while threads of ours run. It stays
 * mapped for the life of the process. ERR_UNSUPPORTED: the library, or one function of it, is
 * not there.
 */
enum err libcurl_load(struct libcurl *lib, struct failure *e) MUST_CHECK;

#endif
