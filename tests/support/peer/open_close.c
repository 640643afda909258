/*
 * open_close.c - the least that a process can do with the database: open it as the server does, and
 * close it. The peer of the idle bench; linked with SQLite and nothing else.
 *
 *	open_close FILE
 */
#include <sqlite3.h>
#include <stdio.h>

/* As in store/engine/db.c. */
static const char settings[] = "PRAGMA synchronous = FULL;"
			       "PRAGMA foreign_keys = ON;"
			       "PRAGMA secure_delete = ON;"
			       "PRAGMA trusted_schema = OFF;"
			       "PRAGMA cell_size_check = ON;"
			       "PRAGMA mmap_size = 0;"
			       "PRAGMA wal_autocheckpoint = 0;"
			       "PRAGMA cache_size = -24000;"
			       "PRAGMA temp_store = MEMORY;";

int main(int argc, char **argv)
{
	sqlite3 *db = NULL;
	int rc;

	if (argc != 2)
		return 64;
	rc = sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, settings, NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		fprintf(stderr, "%s: %s\n", argv[1], sqlite3_errmsg(db));
	sqlite3_close(db);
	return rc == SQLITE_OK ? 0 : 1;
}
