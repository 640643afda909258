/*
 * postgresql.h - databases on the PostgreSQL of a test run.
 *
 * The script tests/support/on-postgresql.sh starts one and puts its socket's folder into
 * MOLEPOST_POSTGRESQL; without that everything is on SQLite.
 */
#ifndef MOLEPOST_TESTS_POSTGRESQL_H
#define MOLEPOST_TESTS_POSTGRESQL_H

#include <stdbool.h>
#include <stdint.h>

/* Whether tests run on PostgreSQL. */
bool on_postgresql(void);
/* The URL of a new, empty database; owned by the caller. */
char *postgresql_new(void);
/* The same with what CREATE DATABASE takes behind its name. */
char *postgresql_new_with(const char *words);
/* The same with all that another has in it; nobody may be connected to that. */
char *postgresql_copy(const char *url);
/* Any SQL there, through a connection of its own. */
void postgresql_exec(const char *url, const char *sql);
/* The first column of the first row as a number. */
int64_t postgresql_number(const char *url, const char *sql);
/* Drops it; nobody may be connected. */
void postgresql_drop(const char *url);

#endif
