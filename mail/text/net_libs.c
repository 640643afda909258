/*
 * net_libs.c - finding libetpan and libcurl.
 */
#include "mail/text/net_libs.h"

#include <dlfcn.h>
#include <string.h>

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
