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

/* A line with what is said of one that can be loaded and has its functions; else "not here". */
void mail_add_library_versions(struct strbuf *out)
{
	static const char *const seccomp[] = {"libseccomp.so.2", NULL};
	const char *const *const names[] = {library_etpan, library_curl, seccomp};
	struct versions all = {0}, *lib = &all;
	void *handle;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *missing = library_open(names[i], "", RTLD_LAZY | RTLD_LOCAL,
		                                   &handle, NULL) == ERR_NONE
		                          ? NULL
		                          : names[i][0];

		if (!missing && i == 0) {
			LIBRARY_FIND(libetpan_get_version_major)
			LIBRARY_FIND(libetpan_get_version_minor)
		} else if (!missing && i == 1) {
			LIBRARY_FIND(curl_version_info)
		} else if (!missing) {
			LIBRARY_FIND(seccomp_version)
		}
		strbuf_adds(out, i == 0 ? "libetpan  " : i == 1 ? "libcurl   " : "seccomp   ");
		if (missing) {
			strbuf_adds(out, "not here\n");
		} else if (i == 0) {
			strbuf_addf(out, "%d.%d\n", lib->libetpan_get_version_major(),
			            lib->libetpan_get_version_minor());
		} else if (i == 1) {
			const curl_version_info_data *info =
			    lib->curl_version_info(CURLVERSION_NOW);

			strbuf_addf(out, "%s, %s\n", info->version,
			            info->ssl_version ? info->ssl_version : "without TLS");
		} else {
			const struct scmp_version *v = lib->seccomp_version();

			strbuf_addf(out, "%u.%u.%u\n", v->major, v->minor, v->micro);
		}
	}
}
