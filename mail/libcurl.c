/*
 * libcurl.c - finding libcurl.
 */
#include "mail/libcurl.h"

#include <dlfcn.h>
#include <string.h>

#include "processor/base/banned.h"

static const char *const sonames[] = {"libcurl-gnutls.so.4", "libcurl.so.4"};
enum { NSONAMES = sizeof(sonames) / sizeof(sonames[0]) };

/* The bytes of a function pointer and of what dlsym gives are the same, says POSIX. */
static bool find_function(void *handle, const char *name, void *fn, size_t size)
{
	void *found = dlsym(handle, name);

	if (!found)
		return false;
	memcpy(fn, &found, size);
	return true;
}

enum err libcurl_load(struct libcurl *lib, struct failure *e)
{
	memset(lib, 0, sizeof(*lib));
	for (size_t i = 0; i < NSONAMES && !lib->handle; i++)
		lib->handle = dlopen(sonames[i], RTLD_NOW | RTLD_NODELETE);
	if (!lib->handle)
		return err_set(e, ERR_UNSUPPORTED,
		               "%s cannot be loaded (Debian: apt install libcurl3-gnutls): %s",
		               sonames[0], dlerror());
#define FIND(fn)                                                         \
	if (!find_function(lib->handle, #fn, &lib->fn, sizeof(lib->fn))) \
		return err_set(e, ERR_UNSUPPORTED, "libcurl has no function " #fn);
	LIBCURL_FUNCTIONS(FIND)
#undef FIND
	if (lib->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(e, ERR_UNSUPPORTED, "libcurl cannot be initialised");
	return ERR_NONE;
}
