/*
 * machines.h - a server that runs on several machines, as folders that share one database.
 */
#ifndef MOLEPOST_TESTS_MACHINES_H
#define MOLEPOST_TESTS_MACHINES_H

#include "tests/support/testbed.h"

/*
 * Machine n of a testbed on PostgreSQL: 0 is the testbed itself, each other one a folder beside it with the same key
 * file, configuration, mailbox, spool and outbox, and a lock of its own. To be given back with machine_release,
 * which leaves the folder.
 */
struct testbed machine_new(const struct testbed *s, unsigned n);
void machine_release(struct testbed *machine, unsigned n);

#endif
