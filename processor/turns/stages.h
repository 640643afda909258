/*
 * stages.h - moving games on: seal, resolve, report, until nothing is due.
 *
 * Works through the states of store/turns.h in batches: what can be computed is
 * computed first, then one transaction writes the batch. A game whose rows do
 * not check, or whose rules refuse them, is held with the reason; the others go on.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_STAGES_H
#define MOLEPOST_PROCESSOR_TURNS_STAGES_H

#include "processor/turns/due_turn.h"

/* *turns counts reports. An error is one that stops the whole run. */
enum err turns_run_all_due(struct server *srv, const struct run_limits *limits,
                           unsigned *turns) MUST_CHECK;

#endif
