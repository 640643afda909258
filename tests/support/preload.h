/*
 * preload.h - the environment that loads one of our libraries before a program.
 */
#ifndef MOLEPOST_TESTS_PRELOAD_H
#define MOLEPOST_TESTS_PRELOAD_H

#include "processor/base/strbuf.h"

struct preload {
	struct strbuf library, setting;
	const char *env[3]; /* for testbed_exec and its like */
};

/* $MOLEPOST_BUILD/LIBRARY, which must be there, and NAME=value for it. */
void preload_init(struct preload *p, const char *library, const char *name, const char *value);
void preload_release(struct preload *p);

#endif
