/*
 * net_libs.c - finding libetpan and libcurl.
 */
#include "mail/net_libs.h"

#include <dlfcn.h>
#include <string.h>

static const char etpan_soname[] = "libetpan.so.20";
/* The one that libetpan-dev brings, else the one with the other TLS library. */
static const char *const curl_sonames[] = {"libcurl-gnutls.so.4", "libcurl.so.4"};

/* RTLD_LAZY: of the large tables of these libraries only a few entries are ever used. */
static void *open_library(const char *name)
{
	return dlopen(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
}

/* POSIX promises that the bytes of dlsym's void * are those of the function pointer. */
static bool find_function(void *handle, const char *name, void *fn, size_t size)
{
	void *found = dlsym(handle, name);

	if (!found)
		return false;
	memcpy(fn, &found, size);
	return true;
}

enum err net_libs_load(struct net_libs *libs, struct failure *e)
{
	void *etpan = open_library(etpan_soname), *curl = open_library(curl_sonames[0]);
	const char *missing = NULL;

	memset(libs, 0, sizeof(*libs));
	if (!curl)
		curl = open_library(curl_sonames[1]);
	if (!etpan)
		return err_set(e, ERR_UNSUPPORTED,
		               "%s cannot be loaded (Debian: apt install libetpan20)",
		               etpan_soname);
	if (!curl)
		return err_set(e, ERR_UNSUPPORTED,
		               "%s cannot be loaded (Debian: apt install libcurl3-gnutls)",
		               curl_sonames[0]);
#define FIND_ETPAN(fn)                                               \
	if (!find_function(etpan, #fn, &libs->fn, sizeof(libs->fn))) \
		missing = #fn;
#define FIND_CURL(fn)                                               \
	if (!find_function(curl, #fn, &libs->fn, sizeof(libs->fn))) \
		missing = #fn;
	NET_ETPAN_FUNCTIONS(FIND_ETPAN)
	NET_CURL_FUNCTIONS(FIND_CURL)
#undef FIND_ETPAN
#undef FIND_CURL
	if (missing)
		return err_set(e, ERR_UNSUPPORTED,
		               "the function %s is in neither %s 1.9 nor libcurl", missing,
		               etpan_soname);
	return ERR_NONE;
}
