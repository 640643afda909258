/*
 * library.c - dlopen and dlsym, with sentences.
 */
#include "processor/base/library.h"

#include <dlfcn.h>
#include <string.h>

const char *const library_etpan[] = {"libetpan.so.20", NULL};
/* The flavour that libetpan-dev brings, else the one with the other TLS library. */
const char *const library_curl[] = {"libcurl-gnutls.so.4", "libcurl.so.4", NULL};
/* PostgreSQL, for who has the store there. */
const char *const library_pq[] = {"libpq.so.5", NULL};

enum err library_open(const char *const *names, const char *package, int flags, void **handle,
                      struct failure *e)
{
	*handle = NULL;
	for (size_t i = 0; names[i] && !*handle; i++)
		*handle = dlopen(names[i], flags | RTLD_NODELETE);
	if (*handle)
		return ERR_NONE;
	return err_set(e, ERR_UNSUPPORTED, "%s cannot be loaded (Debian: apt install %s): %s",
	               names[0], package, dlerror());
}

/*
 * ISO C has no way from the void * of dlsym to a function pointer; POSIX promises that the
 * bytes are the same.
 */
bool library_find(void *handle, const char *name, void *fn, size_t size)
{
	void *found = dlsym(handle, name);

	if (!found)
		return false;
	memcpy(fn, &found, size);
	return true;
}
