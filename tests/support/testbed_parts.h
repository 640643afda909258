/*
 * testbed_parts.h - what testbed.c and testbed_mail.c share.
 */
#ifndef MOLEPOST_TESTS_TESTBED_PARTS_H
#define MOLEPOST_TESTS_TESTBED_PARTS_H

#include "tests/support/testbed.h"

void post_free(struct post *p);
struct post *post_copy(const struct post *p);
/* The names in a folder without "." and "..", sorted; each and the list owned by the caller. */
char **folder_names(const char *path, size_t *n);

#endif
