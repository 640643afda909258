/*
 * processor_time.c - the clock of this process.
 */
#include "tests/support/processor_time.h"

#include <time.h>

#include "processor/base/err.h"

double processor_seconds(void)
{
	struct timespec used;

	ENSURE(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}
