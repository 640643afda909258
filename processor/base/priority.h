/*
 * priority.h - who goes first when there are fewer processors than work.
 *
 * The thread of the run is the one that everything waits for, and the others work ahead of it or
 * behind it. So the others step back for it (nice(1)): its helpers a little, the parsing children,
 * who are mostly far ahead, as far as can be. With nobody to step back for, nothing changes. Where the
 * system does not grant it, nothing is lost but time.
 */
#ifndef MOLEPOST_BASE_PRIORITY_H
#define MOLEPOST_BASE_PRIORITY_H

#include <sys/types.h>

/*
 * This process and what it starts interrupt nobody who is in the middle of something, unless the
 * operator has chosen otherwise (sched(7), SCHED_BATCH).
 */
void priority_background(void);
/* The calling thread helps another. What it starts would have its priority: it starts nothing. */
void priority_help(void);
/* That process works ahead of this one. */
void priority_work_ahead(pid_t child);

#endif
