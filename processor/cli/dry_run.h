/*
 * dry_run.h - what a run would do, tried on a copy of the database.
 */
#ifndef MOLEPOST_PROCESSOR_CLI_DRY_RUN_H
#define MOLEPOST_PROCESSOR_CLI_DRY_RUN_H

#include <stdio.h>

#include "processor/intake/arrivals.h"

/*
 * Copies the database into a private file beside it, reads new mail (at most one batch)
 * without touching it, moves games on, and prints one line per mail that would go out: kind,
 * game, turn, recipient. The copy is removed again.
 */
enum err dry_run(struct server *srv, struct arrivals *from, FILE *out) MUST_CHECK;

#endif
