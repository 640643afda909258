/*
 * file.h - files and folders, in one place.
 *
 * Everything made here is private, but for file_replace: files 0600, folders 0700. Paths are
 * NUL-ended. Nothing follows a symbolic link in its last component.
 */
#ifndef MOLEPOST_BASE_FILE_H
#define MOLEPOST_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* Appends the whole regular file. ERR_NOT_FOUND, ERR_LIMIT (over max bytes), ERR_IO. */
enum err file_read(const char *path, size_t max, struct strbuf *out,
                   struct failure *e) MUST_CHECK;
/* Appends everything from an open descriptor. ERR_LIMIT, ERR_IO. */
enum err file_read_fd(int fd, size_t max, struct strbuf *out, struct failure *e) MUST_CHECK;
/* Creates (O_EXCL) and fsyncs the file and its folder. ERR_EXISTS, ERR_FULL, ERR_IO. */
enum err file_create(const char *path, struct span bytes, struct failure *e) MUST_CHECK;
/*
 * Puts the file in the place of what is there, for everybody to read (0644); who reads it meanwhile
 * finds the old one or the new one. As file_create; PATH.new beside it is used up.
 */
enum err file_replace(const char *path, struct span bytes, struct failure *e) MUST_CHECK;
/* The same for its owner alone (0600), and durable: no power cut brings the old one back. */
enum err file_replace_private(const char *path, struct span bytes,
                              struct failure *e) MUST_CHECK;
/* All of it, restarting after EINTR and short writes. ERR_FULL, ERR_IO. */
enum err file_write_fd(int fd, struct span bytes, struct failure *e) MUST_CHECK;
/* mkdir 0700; fine when it is there already as a folder. */
enum err file_mkdir(const char *path, struct failure *e) MUST_CHECK;
enum err file_sync_dir(const char *path, struct failure *e) MUST_CHECK;
bool file_exists(const char *path);

#endif
