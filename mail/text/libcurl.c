/*
 * libcurl.c - finding libcurl.
 */
#include "mail/text/libcurl.h"

#include <dlfcn.h>
#include <string.h>

enum err libcurl_load(struct libcurl *lib, struct failure *e)
{
	const char *missing = NULL;
	void *handle;
	enum err rc = library_open(library_curl, "libcurl3-gnutls", RTLD_NOW, &handle, e);

	memset(lib, 0, sizeof(*lib));
	if (rc != ERR_NONE)
		return rc;
	LIBCURL_FUNCTIONS(LIBRARY_FIND)
	if (missing)
		return err_set(e, ERR_UNSUPPORTED, "libcurl has no function %s", missing);
	if (lib->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_UNSUPPORTED, "libcurl cannot be initialised");
	return ERR_NONE;
}
