/*
 * disk_calls.h - what a command asks of the disk, counted by the fault shim (shim/shim.c).
 */
#ifndef MOLEPOST_TESTS_DISK_CALLS_H
#define MOLEPOST_TESTS_DISK_CALLS_H

#include "tests/support/testbed.h"

struct disk_calls {
	unsigned writes, fsyncs, fdatasyncs, renames, links;
};

/*
 * Runs the words of one command line in the testbed, which must end with 0 and say nothing. Counted are
 * the calls on what lies below `below`, a name inside the testbed ("" = all of it), by all processes.
 */
void disk_calls_of(struct testbed *s, const char *words, const char *below,
                   struct disk_calls *out);

#endif
