/*
 * version.h - which program this is, and what it stands on.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_VERSION_H
#define MOLEPOST_PROCESSOR_CLI_VERSION_H

#include "processor/base/strbuf.h"

/* "molepost VERSION", the schema it writes, and each library with the version found on this machine. */
void version_add(struct strbuf *out);

#endif
