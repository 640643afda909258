/*
 * machines.h - a server that runs on several machines, as folders that share one database.
 */
#ifndef MOLEPOST_TESTS_MACHINES_H
#define MOLEPOST_TESTS_MACHINES_H

#include "tests/support/server.h"

/*
 * Machine n of a site on PostgreSQL: 0 is the site itself, each other one a folder beside it with the same key
 * file, configuration, mailbox, spool and outbox, and a lock of its own. To be given back with machine_release,
 * which leaves the folder.
 */
struct site machine_new(const struct site *s, unsigned n);
void machine_release(struct site *machine, unsigned n);

#endif
