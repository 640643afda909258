/*
 * testbed_parts.h - what testbed.c and testbed_mail.c share.
 */
#ifndef MOLEPOST_TESTS_TESTBED_PARTS_H
#define MOLEPOST_TESTS_TESTBED_PARTS_H

#include "tests/support/testbed.h"

void post_free(struct post *p);
struct post *post_copy(const struct post *p);
/* All posts as files of a folder "posts" below `dir`, and back. */
void posts_write(const struct testbed *s, const char *dir);
void posts_read(struct testbed *s);
/* The names in a folder without "." and "..", sorted; each and the list owned by the caller. */
char **folder_names(const char *path, size_t *n);

#endif
