/*
 * priority.h - who goes first when there are fewer processors than work.
 *
 * The thread of the run is the one that everything waits for, and the others work ahead of it or
 * behind it. So the others step back for it (nice(1)): what works ahead a little, since it would be
 * missed soon, and what clears up behind it, which it waits for at its end only, as far as can be. With
 * nobody to step back for, nothing changes. Where the system does not grant it, nothing is lost but time.
 */
#ifndef MOLEPOST_BASE_PRIORITY_H
#define MOLEPOST_BASE_PRIORITY_H

#include <sys/types.h>

/*
 * This process and what it starts interrupt nobody who is in the middle of something, unless the
 * operator has chosen otherwise (sched(7), SCHED_BATCH).
 */
void priority_background(void);
/* The calling thread works ahead of another. What it starts would have its priority: it starts nothing. */
void priority_help(void);
/* The calling thread clears up behind another; the same. */
void priority_follow(void);
/* That process works ahead of this one. */
void priority_work_ahead(pid_t child);

#endif
