/*
 * versions.h - the libraries for mail as they are found when they are loaded.
 */
#ifndef MOLEPOST_MAIL_VERSIONS_H
#define MOLEPOST_MAIL_VERSIONS_H

#include "processor/base/strbuf.h"

/* A line for each; "not here" for one that cannot be loaded. */
void mail_add_library_versions(struct strbuf *out);

#endif
