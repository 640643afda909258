/*
 * sql_log.h - what a process asked of SQLite, call by call, and the same calls made again.
 *
 * preload/sql_record.c writes the log of a real run; sql_replay() makes the same statements, with the
 * same values in the same transactions, and reads the same rows, while nothing else happens
 * in between. So a bench knows what a command would cost if all but the database were free.
 */
#ifndef MOLEPOST_TESTS_SQL_LOG_H
#define MOLEPOST_TESTS_SQL_LOG_H

#include <stddef.h>
#include <stdint.h>

enum sql_op {
	SQL_EXEC,    /* bytes: SQL */
	SQL_PREPARE, /* bytes: SQL; `stmt` is a new number */
	SQL_INT,     /* parameter `param` gets `value` */
	SQL_NULL,
	SQL_TEXT, /* bytes */
	SQL_BLOB, /* bytes */
	SQL_STEP,
	SQL_RESET,
	SQL_FINALIZE,
	SQL_CHECKPOINT,
};

/* One call; `value` bytes follow where bytes are named above, filled up to a multiple of 8. */
struct sql_record {
	uint16_t op, param;
	uint32_t stmt;
	int64_t value;
};

struct sql_log {
	unsigned char *bytes;
	size_t len;
};

/* Maps a file that sql_record.so wrote; aborts when there is none. */
struct sql_log sql_log_open(const char *path);
void sql_log_close(struct sql_log *log);
/* How often a statement that begins so was carried out. */
unsigned sql_log_count(const struct sql_log *log, const char *begins);
/* How many statements were carried out, counted as they were ended. */
unsigned sql_log_count_all(const struct sql_log *log);
/* Makes all calls on this database. Statements end as they did, or it aborts. */
void sql_replay(const struct sql_log *log, const char *database);

#endif
