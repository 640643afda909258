/*
 * hours.h - a game whose server runs once an hour: for tests of what clocks do when something is away.
 */
#ifndef MOLEPOST_TESTS_HOURS_H
#define MOLEPOST_TESTS_HOURS_H

#include "tests/support/table.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

/* A new site in memory, told that it runs every hour: W1 of ann, its master, and bob, at turn 1. */
struct site *hours_begin(const char *seed, const char *create);
/* So many hours go by, with a run at the end of each, which may fail. */
void run_hours(struct site *s, unsigned n);
/* Of the newest turn there is, in UTC. */
int64_t deadline_of(const struct site *s);
/* Of the turn W1 is at. */
int64_t serial_of(const struct site *s);
/* Renames a file or folder of the site: what is away cannot be read or written to. */
void site_move(const struct site *s, const char *from, const char *to);

#endif
