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
 *
 * step_record_version() is that of the games that are made now: the newest, but in a test build that of
 * MOLEPOST_TEST_RECORD, since games of older versions go on and are tested too.
 */
#ifndef MOLEPOST_BASE_STEP_H
#define MOLEPOST_BASE_STEP_H

#include <stdbool.h>

#include "processor/base/span.h"

#ifdef MOLEPOST_TEST_HOOKS
/*
 * What is being worked on: a mail by its Message-ID (serial 0), a turn by game and serial. Ends in
 * BUG() when MOLEPOST_TEST_ABORT_ON is "<the@id>" or "W17/4", as a fault that one mail or one turn
 * brings out would.
 */
void step_in_hand(struct span what, unsigned serial);
void step(const char *name);
bool step_is_broken(const char *how);
unsigned step_record_version(unsigned newest);
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

static inline bool step_is_broken(const char *how)
{
	(void)how;
	return false;
}

static inline unsigned step_record_version(unsigned newest)
{
	return newest;
}
#endif

#endif
