/*
 * db_vfs.c - the log's file, with frames that wait to be written together.
 *
 * SQLite allots the memory of a file: here of ours, and behind it of the system's.
 */
#include "store/engine/db_vfs.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

#include "processor/base/banned.h"

enum {
	JOINED_BYTES = 0x1ffff, /* more the system's VFS does not write at once */
	/*
	 * Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log; the bytes in the frame
	 * header that are zero unless the frame is the last of a commit.
	 */
	FRAME_HEADER_BYTES = 24,
	COMMIT_AT = 4,
	COMMIT_BYTES = 4
};

struct log_file {
	sqlite3_file head;
	sqlite3_file *system;
	bool join;
	bool ending;            /* the frame that ends the commit has begun */
	unsigned char *waiting; /* JOINED_BYTES, NULL until needed */
	int n;
	sqlite3_int64 at; /* where the first of them goes */
};

static struct log_file *log_of(sqlite3_file *file)
{
	return (struct log_file *)file;
}

/* What could not be written is forgotten: the commit has failed. */
static int write_waiting(struct log_file *f)
{
	int n = f->n;

	f->n = 0;
	return n == 0 ? SQLITE_OK
	              : f->system->pMethods->xWrite(f->system, f->waiting, n, f->at);
}

static bool ends_commit(const void *bytes, int n)
{
	static const unsigned char none[COMMIT_BYTES];

	return n == FRAME_HEADER_BYTES &&
	       memcmp((const unsigned char *)bytes + COMMIT_AT, none, COMMIT_BYTES) != 0;
}

static int log_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
	struct log_file *f = log_of(file);
	int rc = SQLITE_OK;

	f->ending = f->ending || ends_commit(bytes, n);
	if (f->ending || at != f->at + f->n || f->n + n > JOINED_BYTES)
		rc = write_waiting(f);
	if (rc != SQLITE_OK)
		return rc;
	if (!f->join || f->ending || n > JOINED_BYTES)
		return f->system->pMethods->xWrite(f->system, bytes, n, at);
	if (!f->waiting)
		f->waiting = xmalloc(JOINED_BYTES);
	if (f->n == 0)
		f->at = at;
	memcpy(f->waiting + f->n, bytes, (size_t)n);
	f->n += n;
	return SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *out, int n, sqlite3_int64 at)
{
	struct log_file *f = log_of(file);
	int rc = write_waiting(f);

	return rc == SQLITE_OK ? f->system->pMethods->xRead(f->system, out, n, at) : rc;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct log_file *f = log_of(file);
	int rc = write_waiting(f);

	return rc == SQLITE_OK ? f->system->pMethods->xTruncate(f->system, size) : rc;
}

static int log_sync(sqlite3_file *file, int flags)
{
	struct log_file *f = log_of(file);
	int rc = write_waiting(f);

	return rc == SQLITE_OK ? f->system->pMethods->xSync(f->system, flags) : rc;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct log_file *f = log_of(file);
	int rc = write_waiting(f);

	return rc == SQLITE_OK ? f->system->pMethods->xFileSize(f->system, size) : rc;
}

static int log_close(sqlite3_file *file)
{
	struct log_file *f = log_of(file);

	free(f->waiting);
	f->waiting = NULL;
	return f->system->pMethods->xClose(f->system);
}

/* ---- nothing of our own ---- */

static int log_lock(sqlite3_file *file, int level)
{
	return log_of(file)->system->pMethods->xLock(log_of(file)->system, level);
}

static int log_unlock(sqlite3_file *file, int level)
{
	return log_of(file)->system->pMethods->xUnlock(log_of(file)->system, level);
}

static int log_is_reserved(sqlite3_file *file, int *out)
{
	return log_of(file)->system->pMethods->xCheckReservedLock(log_of(file)->system, out);
}

static int log_control(sqlite3_file *file, int op, void *arg)
{
	return log_of(file)->system->pMethods->xFileControl(log_of(file)->system, op, arg);
}

static int log_sector(sqlite3_file *file)
{
	return log_of(file)->system->pMethods->xSectorSize(log_of(file)->system);
}

static int log_device(sqlite3_file *file)
{
	return log_of(file)->system->pMethods->xDeviceCharacteristics(log_of(file)->system);
}

/* Of the first version: shared memory and mapped pages are matters of the database's own file. */
static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_is_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector,
    .xDeviceCharacteristics = log_device,
};

/* ---- opening ---- */

static sqlite3_vfs *system_vfs(void)
{
	return sqlite3_vfs_find("unix");
}

static int open_log(const char *name, struct log_file *f, int flags, int *got)
{
	sqlite3_vfs *system = system_vfs();
	int rc;

	*f = (struct log_file){.system = (sqlite3_file *)(f + 1)};
	f->system->pMethods = NULL;
	if (name && access(name, F_OK) == 0)
		flags &= ~SQLITE_OPEN_CREATE;
	rc = system->xOpen(system, name, f->system, flags, got);
	if (rc == SQLITE_OK)
		f->head.pMethods = &log_methods;
	return rc;
}

/* The names of all files but the log are the system's business, and so are they themselves. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *got)
{
	sqlite3_vfs *system = system_vfs();

	(void)vfs;
	return flags & SQLITE_OPEN_WAL ? open_log(name, log_of(file), flags, got)
	                               : system->xOpen(system, name, file, flags, got);
}

/* SQLite's list holds it. */
const char *db_vfs_name(void)
{
	static const char name[] = "molepost";
	sqlite3_vfs *vfs;

	(void)sqlite3_initialize();
	if (sqlite3_vfs_find(name))
		return name;
	vfs = xmalloc(sizeof(*vfs));
	*vfs = *system_vfs();
	vfs->pNext = NULL;
	vfs->zName = name;
	vfs->szOsFile += (int)sizeof(struct log_file);
	vfs->xOpen = open_file;
	if (sqlite3_vfs_register(vfs, 0) != SQLITE_OK)
		BUG("no place for a VFS");
	return name;
}

/* ---- commits ---- */

void db_vfs_join_frames(struct sqlite3 *db, bool join)
{
	sqlite3_file *file = NULL;
	struct log_file *f;

	if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) !=
	        SQLITE_OK ||
	    !file || file->pMethods != &log_methods)
		return;
	f = log_of(file);
	f->join = join;
	f->ending = false;
	f->n = 0;
}
