/*
 * hours.c - time that goes by in steps of an hour.
 */
#include "tests/support/hours.h"

#include <stdio.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"

struct site *hours_begin(const char *seed, const char *create)
{
	struct site *s;

	scratch_in_memory();
	s = site_new(seed);
	site_configure(s, "run_every = 1H");
	table_found(s, "ann bob", create);
	return s;
}

void run_hours(struct site *s, unsigned n)
{
	for (; n > 0; n--) {
		site_wait(s, HOUR_S);
		site_run_noting(s);
	}
}

int64_t deadline_of(const struct site *s)
{
	return crowd_number(s, "SELECT deadline_utc FROM turns ORDER BY serial DESC LIMIT 1");
}

int64_t serial_of(const struct site *s)
{
	return crowd_number(s, "SELECT serial FROM games WHERE id = 1");
}

void site_move(const struct site *s, const char *from, const char *to)
{
	char *a = site_path(s, from), *b = site_path(s, to);

	ENSURE(rename(a, b) == 0);
	free(a);
	free(b);
}
