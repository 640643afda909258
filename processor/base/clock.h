/*
 * clock.h - the only place that asks what time it is.
 *
 * All times are int64_t seconds since 1970-01-01 UTC, named *_utc. Broken-down
 * UTC is computed here in integers (proleptic Gregorian), so that an archive
 * prints the same on every machine. Tests stop the clock
 * (base/step.h).
 */
#ifndef MOLEPOST_BASE_CLOCK_H
#define MOLEPOST_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

int64_t clock_now_utc(void);
/* Monotonic milliseconds, for timeouts and batch lengths only. */
int64_t clock_monotonic_ms(void);

struct utc_time {
	int year, month, day;     /* month and day from 1 */
	int hour, minute, second; /* 0-23, 0-59, 0-59 */
	int weekday;              /* 0 = Monday ... 6 = Sunday */
};

/* Times outside the years 1 to 9999 give the nearest end: every form keeps its width. */
struct utc_time utc_split(int64_t t_utc);
/* weekday is ignored; day, hour, minute and second out of range carry over. */
int64_t utc_join(const struct utc_time *t);
/* "2026-03-12T18:02:00Z" */
void utc_format_iso(struct strbuf *out, int64_t t_utc);
/* Exactly that form and a date that exists; years 1970 to 9999. */
bool utc_parse_iso(struct span text, int64_t *t_utc);
/* RFC 5322: "Thu, 12 Mar 2026 18:02:00 +0000" */
void utc_format_rfc5322(struct strbuf *out, int64_t t_utc);
/* For people: "Thu 12 Mar 2026 18:02 UTC" */
void utc_format_human(struct strbuf *out, int64_t t_utc);
/*
 * A length in seconds, rounded, in the unit people count in, with its "in":
 * "in 40 min" (below two hours), "in 26 h" (below three days), "in 3 d";
 * "now" below a minute and for what is past.
 */
void duration_format_human(struct strbuf *out, int64_t seconds);

#endif
