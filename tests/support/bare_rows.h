/*
 * bare_rows.h - the rows of resolved turns, read and written again with SQLite alone: the peer of
 * the resolve bench.
 *
 * What the program wrote for the first turns of many games is read into memory once; the peer then
 * makes the same statements in the same transactions, knowing all answers beforehand.
 */
#ifndef MOLEPOST_TESTS_BARE_ROWS_H
#define MOLEPOST_TESTS_BARE_ROWS_H

struct bare_rows;

/* From a database in which turn 1 of games 1 to n has been resolved and reported. */
struct bare_rows *bare_rows_load(const char *database, unsigned n);
void bare_rows_free(struct bare_rows *r);
/* The same on a database in which those turns are due. */
void bare_rows_write(const struct bare_rows *r, const char *database);

#endif
