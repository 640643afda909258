/*
 * own_clock.h - the clock of this machine, seen against what the database knows.
 *
 * A clock that has been set back, or was wrong when the last run took place, must not make deadlines
 * pass or rows older than those before them. Time then stands still at the last run: mail is taken in
 * and answered as of then, and no deadline is acted on, until the clock is past it or the operator says
 * that it is right.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_OWN_CLOCK_H
#define MOLEPOST_PROCESSOR_TURNS_OWN_CLOCK_H

#include "processor/server/server.h"

/* A minute is what clocks are set back by without anybody minding. */
enum { OWN_CLOCK_SLACK_S = 60 };

/*
 * At the beginning of a run, before anything else: sets srv->now_utc. `is_right`: the operator says so;
 * what was noted in the future is then forgotten, and deadlines that it has moved are moved back. *stands: no
 * deadline is to be acted on; srv->fail has the sentence.
 */
enum err own_clock_check(struct server *srv, bool is_right, bool *stands) MUST_CHECK;

#endif
