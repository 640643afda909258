/*
 * db_vfs.h - how SQLite's files are opened and its log is written. Private to store/.
 *
 * All is the system's own VFS ("unix") but for two things of the write-ahead log, which db_open makes
 * before SQLite looks:
 *
 * - It is opened as it is. SQLite asks for "create if missing", and would therefore sync the folder at
 *   the first commit of every process.
 * - The frames of one commit are written together. SQLite writes each page with two calls, 24 bytes and
 *   the page, none of which begins where a page of the system does; joined to pieces of up to
 *   128 KB they cost half as much.
 *
 * What waits to be written does so only within the COMMIT of this connection, whose lock keeps all other
 * writers away: it is written before the frame that makes the commit valid, before anything is read
 * back and before a sync, so an error reaches SQLite while it can still say that the commit has failed.
 * Frames written before the COMMIT, when the cache overflows, are not joined: a rollback gives the lock
 * back without a word to us, and what we wrote later could meet frames of others.
 */
#ifndef MOLEPOST_STORE_ENGINE_DB_VFS_H
#define MOLEPOST_STORE_ENGINE_DB_VFS_H

#include <stdbool.h>

struct sqlite3;

/* The name to open databases with. The first call registers it, for the life of the process. */
const char *db_vfs_name(void);
/*
 * Around a COMMIT: from here on frames are joined, or no longer. What still waits then belongs to a
 * commit that has failed and is forgotten. Without effect where there is no log.
 */
void db_vfs_join_frames(struct sqlite3 *db, bool join);

#endif
