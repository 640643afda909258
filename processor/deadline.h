/*
 * deadline.h - when a turn is waited for, sealed, or filled with defaults. Pure.
 *
 * An interval is written as a number and a unit: 3D, 12H, 45M, 2W; also "3 days",
 * "90 minutes" (vocabulary: NEXT, GRACE).
 */
#ifndef MOLEPOST_PROCESSOR_DEADLINE_H
#define MOLEPOST_PROCESSOR_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum deadline_verdict {
	DEADLINE_WAIT,   /* nothing to do before `next_look_utc` */
	DEADLINE_SEAL,   /* all orders are in */
	DEADLINE_DEFAULT /* the deadline has passed: seal with defaults for the missing */
};

struct deadline_input {
	int64_t now_utc;
	int64_t read_through_utc;     /* every source has been read up to this moment */
	int64_t deadline_utc;         /* 0 = none */
	uint32_t owes, have, waiting; /* seats, bit seat-1 */
	bool held;
};

struct deadline_answer {
	enum deadline_verdict verdict;
	int64_t next_look_utc; /* 0 = only new orders can change it */
};

/*
 * Mail of the very second of the deadline is in time, so now and read_through must both be
 * later than it. SET WAIT counts only for seats that owe orders.
 */
struct deadline_answer deadline_decide(const struct deadline_input *in);
/* The deadline of a turn opened at `opened_utc`: plain interval, rounded up to the minute. */
int64_t deadline_first(int64_t opened_utc, int64_t next_s);
/* 1 minute to 366 days. False otherwise. */
bool interval_parse(struct span text, int64_t *seconds);
/* "3D", "36H": the largest unit that divides it. */
void interval_format(struct strbuf *out, int64_t seconds);

#endif
