/*
 * step.h - the durable boundaries, by name.
 *
 * step() is called just after (and just before) each act that a crash must not
 * be able to split: a commit, a rename, a mail handed over. In a release build
 * it does nothing. In a test build the n-th call ends the process at once
 * (MOLEPOST_TEST_STOP_AT=n, exit by SIGKILL), and MOLEPOST_TEST_STEP_LOG names
 * a file that gets one line per call.
 */
#ifndef MOLEPOST_BASE_STEP_H
#define MOLEPOST_BASE_STEP_H

#include "processor/base/span.h"

#ifdef MOLEPOST_TEST_HOOKS
/*
 * What is being worked on: a mail by its Message-ID (serial 0), a turn by game and serial. Ends in
 * BUG() when MOLEPOST_TEST_ABORT_ON is "<the@id>" or "W17/4", as a fault that one mail or one turn
 * brings out would.
 */
void step_in_hand(struct span what, unsigned serial);
void step(const char *name);
#else
static inline void step_in_hand(struct span what, unsigned serial)
{
	(void)what;
	(void)serial;
}

static inline void step(const char *name)
{
	(void)name;
}
#endif

#endif
