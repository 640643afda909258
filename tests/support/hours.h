/*
 * hours.h - a game whose server runs once an hour: for tests of what clocks do when something is away.
 */
#ifndef MOLEPOST_TESTS_HOURS_H
#define MOLEPOST_TESTS_HOURS_H

#include "tests/support/table.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

/* A new testbed in memory, told that it runs every hour: W1 of ann, its master, and bob, at turn 1. */
struct testbed *hours_begin(const char *seed, const char *create);
/* So many hours go by, with a run at the end of each, which may fail. */
void run_hours(struct testbed *s, unsigned n);
/* Of the newest turn there is, in UTC. */
int64_t deadline_of(const struct testbed *s);
/* Of the turn W1 is at. */
int64_t serial_of(const struct testbed *s);
/* Renames a file or folder of the testbed: what is away cannot be read or written to. */
void testbed_move(const struct testbed *s, const char *from, const char *to);

#endif
