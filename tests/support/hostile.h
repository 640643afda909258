/*
 * hostile.h - mails made to use up time and memory: for a bench, and for tests that want to see
 * them answered.
 */
#ifndef MOLEPOST_TESTS_SUPPORT_HOSTILE_H
#define MOLEPOST_TESTS_SUPPORT_HOSTILE_H

#include "processor/base/span.h"

typedef void hostile_fn(const char *name, struct span raw, void *ctx);

/* Shows each of them, then every file of tests/mail/fixtures that is called hostile-*. */
void hostile_each(hostile_fn *show, void *ctx);

#endif
