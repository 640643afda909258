/*
 * archive_file.h - where the commands get an archive's text from.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_FILE_H
#define MOLEPOST_PROCESSOR_ARCHIVE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "processor/base/err.h"

/* NULL and "-" mean standard input. */
bool archive_is_stdin(const char *path);
/* Appends all of it, 64 MiB at most. As file_read and file_read_fd. */
enum err archive_load(const char *path, FILE *in, struct strbuf *out,
                      struct failure *e) MUST_CHECK;

#endif
