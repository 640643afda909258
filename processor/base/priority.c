/*
 * priority.c - scheduling policies and nice values.
 */
#define _GNU_SOURCE /* SCHED_BATCH */
#include "processor/base/priority.h"

#include <sched.h>
#include <sys/resource.h>

#include "processor/base/banned.h"

enum { AHEAD_BACK = 10, BEHIND_BACK = 19 };

void priority_background(void)
{
#ifdef SCHED_BATCH
	const struct sched_param none = {0};

	if (sched_getscheduler(0) == SCHED_OTHER)
		(void)sched_setscheduler(0, SCHED_BATCH, &none);
#endif
}

static void step_back(id_t who, int by)
{
	int most = 19, now = getpriority(PRIO_PROCESS, 0); /* -1 may be an error, or true */

	(void)setpriority(PRIO_PROCESS, who, now + by < most ? now + by : most);
}

/* POSIX has one nice value for all threads of a process; under Linux each has its own. */
void priority_help(void)
{
#ifdef __linux__
	step_back(0, AHEAD_BACK);
#endif
}

void priority_follow(void)
{
#ifdef __linux__
	step_back(0, BEHIND_BACK);
#endif
}

void priority_work_ahead(pid_t child)
{
	step_back((id_t)child, AHEAD_BACK);
}
