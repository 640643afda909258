/*
 * journal.h - what a power cut would take back.
 *
 * The shim reports every change before it is made and every sync after it has succeeded.
 * journal_undo() then puts the folder tree back to what had been synced:
 *
 *	written, truncated	until fsync or fdatasync of the file
 *	name made, link made	until fsync of the folder that holds it
 *	name removed		until fsync of the folder that held it
 *	renamed			until fsync of the folder renamed into; a rename is whole, so the
 *				old name is then gone too, and a file that had the new name before
 *				comes back if it is not
 *	folder made		as a name, but a folder that holds something synced stays
 *
 * Syncing a file does not sync its name. A file that comes back is a copy with another inode,
 * the same mode and the same modification time; hard links of it stay apart. One call at
 * a time. Paths are absolute and canonical. Every descriptor used here is our own.
 */
#ifndef MOLEPOST_TESTS_SHIM_JOURNAL_H
#define MOLEPOST_TESTS_SHIM_JOURNAL_H

#include <stddef.h>
#include <sys/types.h>

/* Bytes [off, off + len) of the regular file will be replaced or added. */
void journal_write(int fd, off_t off, size_t len);
/* The file will get this size. */
void journal_truncate(int fd, off_t size);
/* The name has just been made by open() or link(); path exists now. */
void journal_created(const char *path);
void journal_made_folder(const char *path);
/* These three come before the call; journal_cancel() takes the last one back if it failed. */
void journal_rename(const char *from, const char *to);
void journal_unlink(const char *path);
void journal_remove_folder(const char *path);
void journal_cancel(void);
void journal_synced_file(int fd);
void journal_synced_folder(const char *path);
/* Takes back everything that is not synced, newest first. */
void journal_undo(void);

#endif
