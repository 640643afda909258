/*
 * archive_file.c - an archive's text from a file or standard input, for verify and replay.
 */
#include "processor/archive_file.h"

#include <string.h>

#include "processor/base/file.h"

#include "processor/base/banned.h"

/* A game of 200 turns takes about 300 kB; nothing honest comes near this. */
enum { ARCHIVE_MAX_BYTES = 64 << 20 };

bool archive_is_stdin(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0;
}

enum err archive_load(const char *path, FILE *in, struct strbuf *out, struct failure *e)
{
	if (archive_is_stdin(path))
		return file_read_fd(fileno(in), ARCHIVE_MAX_BYTES, out, e);
	return file_read(path, ARCHIVE_MAX_BYTES, out, e);
}
