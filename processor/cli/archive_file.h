/*
 * archive_file.h - where an archive's text comes from: a file or standard input.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_ARCHIVE_FILE_H
#define MOLEPOST_PROCESSOR_CLI_ARCHIVE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "processor/base/err.h"

/* NULL and "-" mean standard input. */
bool archive_is_stdin(const char *path);
/* Appends all of the file, 64 MiB at most. As file_read and file_read_fd. */
enum err archive_load_raw(const char *path, FILE *in, struct strbuf *out,
                          struct failure *e) MUST_CHECK;
/*
 * The same; but of a mail as it was saved or delivered, whose lines may be encoded, the text or
 * attachment that holds an archive. Lines count from its beginning then.
 */
enum err archive_load(const char *path, FILE *in, struct strbuf *out,
                      struct failure *e) MUST_CHECK;

#endif
