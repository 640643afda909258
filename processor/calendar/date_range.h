/*
 * date_range.h - days as people write them. Pure.
 *
 *	2026-12-24   24 Dec   24 December 2026   Dec 24, 2026   24.12.   24.12.2026   12/24
 *	today   tomorrow
 *
 * and two of them with TO, UNTIL, TILL, THROUGH, ".." or a dash between blanks. With slashes
 * both orders are in use: 12/24 can only be one day, 5/6 is asked back. A name of a month is
 * its English one or the first three letters of it.
 */
#ifndef MOLEPOST_PROCESSOR_CALENDAR_DATE_RANGE_H
#define MOLEPOST_PROCESSOR_CALENDAR_DATE_RANGE_H

#include "processor/calendar/deadline.h"

struct days {
	struct calendar_day first, last; /* year 0: not said */
	int first_from_today,
	    last_from_today; /* today 0, tomorrow 1; DAYS_DATED: the date above */
};

enum { DAYS_DATED = -1 };

enum days_reading {
	DAYS_NONE,       /* no days */
	DAYS_AMBIGUOUS,  /* either order of day and month would do */
	DAYS_IMPOSSIBLE, /* a day that no calendar has */
	DAYS_GOOD
};

/* One day alone is both. "UNTIL d" and "TO d" begin today. */
enum days_reading days_read(struct span text, struct days *out);

/* Numbers of days since 1970-01-01; `today` by the reader's clocks. */
struct day_range {
	int64_t first, last;
};
/*
 * Years that were not said are the next in which the days are still to come. False when they
 * are not in order.
 */
bool days_resolve(const struct days *d, int64_t today, struct day_range *out);
/* The day that a moment lies in, by the clocks of a zone (NULL = UTC). */
int64_t day_of(const struct zone *zone, int64_t t_utc);
/* "Thu 24 Dec 2026" */
void day_format(struct strbuf *out, int64_t day);

#endif
