/*
 * hours.c - time that goes by in steps of an hour.
 */
#include "tests/support/hours.h"

#include <stdio.h>
#include <stdlib.h>

#include "processor/base/err.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"

struct testbed *hours_begin(const char *seed, const char *create)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new(seed);
	testbed_configure(s, "run_every = 1H");
	table_found(s, "ann bob", create);
	return s;
}

void run_hours(struct testbed *s, unsigned n)
{
	for (; n > 0; n--) {
		testbed_wait(s, HOUR_S);
		testbed_run_noting(s);
	}
}

int64_t deadline_of(const struct testbed *s)
{
	return crowd_number(s, "SELECT deadline_utc FROM turns ORDER BY serial DESC LIMIT 1");
}

int64_t serial_of(const struct testbed *s)
{
	return crowd_number(s, "SELECT serial FROM games WHERE id = 1");
}

void testbed_move(const struct testbed *s, const char *from, const char *to)
{
	char *a = testbed_path(s, from), *b = testbed_path(s, to);

	ENSURE(rename(a, b) == 0);
	free(a);
	free(b);
}
