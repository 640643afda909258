/*
 * version.c - `molepost --version`.
 */
#include "processor/cli/command_line.h"

#include <sodium.h>
#include <utf8proc.h>
#include <zlib.h>

#include "mail/versions.h"
#include "store/engine/schema.h"
#include "store/engine/store.h"

/* The Makefile says it (git describe); a file compiled by hand has none. */
#ifndef MOLEPOST_VERSION
#define MOLEPOST_VERSION "of an unknown version"
#endif

void version_add(struct strbuf *out)
{
	unsigned schema;

	(void)migrations(&schema);
	strbuf_addf(out,
	            "molepost %s\n"
	            "schema    %u\n"
	            "SQLite    %s\n"
	            "libsodium %s\n"
	            "utf8proc  %s\n"
	            "zlib      %s\n",
	            MOLEPOST_VERSION, schema, store_library_version(), sodium_version_string(),
	            utf8proc_version(), zlibVersion());
	mail_add_library_versions(out);
}
