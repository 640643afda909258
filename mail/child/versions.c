/*
 * versions.c - libetpan, libcurl and libseccomp, asked for their versions.
 *
 * Here, above mail/text, since the cell's library is loaded in this room.
 */
#include "mail/versions.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <libetpan/libetpan_version.h>
#include <seccomp.h>

#include "processor/base/library.h"

struct versions {
	LIBRARY_MEMBER(libetpan_get_version_major)
	LIBRARY_MEMBER(libetpan_get_version_minor)
	LIBRARY_MEMBER(curl_version_info)
	LIBRARY_MEMBER(seccomp_version)
};

static bool open_one(const char *const *names, void **handle)
{
	return library_open(names, "", RTLD_LAZY | RTLD_LOCAL, handle, NULL) == ERR_NONE;
}

static void add_etpan(struct versions *lib, struct strbuf *out)
{
	const char *missing = NULL;
	void *handle;

	if (open_one(library_etpan, &handle)) {
		LIBRARY_FIND(libetpan_get_version_major)
		LIBRARY_FIND(libetpan_get_version_minor)
		if (!missing) {
			strbuf_addf(out, "libetpan  %d.%d\n", lib->libetpan_get_version_major(),
			            lib->libetpan_get_version_minor());
			return;
		}
	}
	strbuf_adds(out, "libetpan  not here\n");
}

static void add_curl(struct versions *lib, struct strbuf *out)
{
	const char *missing = NULL;
	void *handle;

	if (open_one(library_curl, &handle)) {
		LIBRARY_FIND(curl_version_info)
		if (!missing) {
			const curl_version_info_data *info =
			    lib->curl_version_info(CURLVERSION_NOW);

			strbuf_addf(out, "libcurl   %s, %s\n", info->version,
			            info->ssl_version ? info->ssl_version : "without TLS");
			return;
		}
	}
	strbuf_adds(out, "libcurl   not here\n");
}

static void add_seccomp(struct versions *lib, struct strbuf *out)
{
	static const char *const names[] = {"libseccomp.so.2", NULL};
	const char *missing = NULL;
	void *handle;

	if (open_one(names, &handle)) {
		LIBRARY_FIND(seccomp_version)
		if (!missing) {
			const struct scmp_version *v = lib->seccomp_version();

			strbuf_addf(out, "seccomp   %u.%u.%u\n", v->major, v->minor, v->micro);
			return;
		}
	}
	strbuf_adds(out, "seccomp   not here\n");
}

void mail_add_library_versions(struct strbuf *out)
{
	struct versions lib = {0};

	add_etpan(&lib, out);
	add_curl(&lib, out);
	add_seccomp(&lib, out);
}
