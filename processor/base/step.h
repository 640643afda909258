/*
 * step.h - the durable boundaries, by name.
 *
 * step() is called just after (and just before) each act that a crash must not
 * be able to split: a commit, a rename, a mail handed over. In a release build
 * it does nothing. In a test build the n-th call ends the process at once
 * (MOLEPOST_TEST_STOP_AT=n, exit by SIGKILL), and MOLEPOST_TEST_STEP_LOG names
 * a file that gets one line per call.
 *
 * step_is_broken(how) is true when MOLEPOST_TEST_BREAK is that word: the caller then does what this
 * program must never do, so that the crash tests can show that they would notice. Never true in a
 * release build.
 */
#ifndef MOLEPOST_BASE_STEP_H
#define MOLEPOST_BASE_STEP_H

#include <stdbool.h>

#ifdef MOLEPOST_TEST_HOOKS
void step(const char *name);
bool step_is_broken(const char *how);
#else
static inline void step(const char *name)
{
	(void)name;
}

static inline bool step_is_broken(const char *how)
{
	(void)how;
	return false;
}
#endif

#endif
