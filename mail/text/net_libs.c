/*
 * net_libs.c - finding libetpan and libcurl.
 */
#include "mail/text/net_libs.h"

#include <dlfcn.h>
#include <string.h>

static const char *find_etpan(void *handle, struct net_libs *lib)
{
	const char *missing = NULL;

	NET_ETPAN_FUNCTIONS(LIBRARY_FIND)
	return missing;
}

static const char *find_curl(void *handle, struct net_libs *lib)
{
	const char *missing = NULL;

	NET_CURL_FUNCTIONS(LIBRARY_FIND)
	return missing;
}

/* RTLD_LAZY: of the large tables of these libraries only a few entries are ever used. */
enum err net_libs_load(struct net_libs *libs, struct failure *e)
{
	void *etpan, *curl = NULL;
	const char *missing;
	enum err rc =
	    library_open(library_etpan, "libetpan20", RTLD_LAZY | RTLD_LOCAL, &etpan, e);

	memset(libs, 0, sizeof(*libs));
	if (rc == ERR_NONE)
		rc = library_open(library_curl, "libcurl3-gnutls", RTLD_LAZY | RTLD_LOCAL,
		                  &curl, e);
	if (rc != ERR_NONE)
		return rc;
	missing = find_etpan(etpan, libs);
	if (!missing)
		missing = find_curl(curl, libs);
	if (missing)
		return err_set(e, ERR_UNSUPPORTED,
		               "the function %s is in neither %s 1.9 nor libcurl", missing,
		               library_etpan[0]);
	return ERR_NONE;
}
