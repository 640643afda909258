/*
 * calendar_words.c - a calendar in words.
 */
#include "processor/calendar/deadline.h"

enum { DAYS_OF_WEEK = 7, HOUR_MIN = 60 };

static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
static const char *const months[] = {"",    "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static bool is_on(const struct calendar *c, unsigned day)
{
	return (c->days >> day & 1u) != 0;
}

static void add_date(const struct calendar_day *d, struct strbuf *out)
{
	strbuf_addf(out, "%d %s", d->day, months[d->month]);
	if (d->year != 0)
		strbuf_addf(out, " %d", d->year);
}

static bool has_own_days(const struct calendar *c)
{
	return c->days != CALENDAR_ALL_DAYS || c->at_min != CALENDAR_ANY_HOUR;
}

/* When the deadlines are: "Mon-Fri at 18:00 Europe/Berlin, at least 2 days". */
static void add_when(const struct calendar *c, const char *place, struct strbuf *out)
{
	struct strbuf week = STRBUF_INIT, next = STRBUF_INIT;
	int hour = c->at_min / HOUR_MIN, min = c->at_min % HOUR_MIN;
	const char *comma = "";

	/* "Mon-Fri", "Sat, Sun", "Mon-Wed, Fri" */
	for (unsigned d = 0; d < DAYS_OF_WEEK; d++) {
		unsigned last = d;
		if (!is_on(c, d))
			continue;
		while (last + 1 < DAYS_OF_WEEK && is_on(c, last + 1))
			last++;
		strbuf_addf(&week, "%s%s", comma, days[d]);
		if (last > d + 1)
			strbuf_addf(&week, "-%s", days[last]);
		else if (last == d + 1)
			strbuf_addf(&week, ", %s", days[last]);
		comma = ", ";
		d = last;
	}
	interval_words(&next, c->next_s);
	/* " (turn 1: 2 days) (flicks: 12 hours)" */
	for (size_t i = 0; i < c->nphases; i++) {
		struct span name = c->phases[i].name;
		struct strbuf length = STRBUF_INIT;

		interval_words(&length, c->phases[i].next_s);
		strbuf_addf(&next,
		            name.ptr[0] >= '0' && name.ptr[0] <= '9' ? " (turn %.*s: %s)"
		                                                     : " (%.*s: %s)",
		            SPAN_ARGS(name), length.ptr);
		strbuf_release(&length);
	}
	if (!has_own_days(c))
		strbuf_addf(out, "%s after the turn opens", next.ptr);
	else if (c->at_min == CALENDAR_ANY_HOUR)
		strbuf_addf(out, "%s %s, at least %s", week.ptr, place, next.ptr);
	else if (c->days == CALENDAR_ALL_DAYS)
		strbuf_addf(out, "daily at %02d:%02d %s, at least %s", hour, min, place,
		            next.ptr);
	else
		strbuf_addf(out, "%s at %02d:%02d %s, at least %s", week.ptr, hour, min, place,
		            next.ptr);
	strbuf_release(&week);
	strbuf_release(&next);
}

void calendar_words(const struct calendar *c, const char *place, struct strbuf *out)
{
	struct strbuf part = STRBUF_INIT;

	if (!has_own_days(c) && c->nholidays + c->nphases == 0 &&
	    c->grace_s + c->delay_s == 0 && !c->keeps_quiet)
		return;
	add_when(c, place, out);
	if (c->nholidays > 0) {
		/* "24 Dec to 1 Jan and 6 Jan" */
		for (size_t i = 0; i < c->nholidays; i++) {
			const struct calendar_holiday *h = &c->holidays[i];

			strbuf_add_sep(&part, i, c->nholidays, " and ");
			add_date(&h->first, &part);
			if (h->first.year != h->last.year || h->first.month != h->last.month ||
			    h->first.day != h->last.day) {
				strbuf_adds(&part, " to ");
				add_date(&h->last, &part);
			}
		}
		strbuf_addf(out, ", not on %s", part.ptr);
	}
	if (c->keeps_quiet)
		strbuf_adds(out, ", not in a player's quiet hours");
	if (c->grace_s > 0) {
		strbuf_clear(&part);
		interval_words(&part, c->grace_s);
		strbuf_addf(out, ", then %s of grace", part.ptr);
	}
	if (c->delay_s > 0) {
		strbuf_clear(&part);
		interval_words(&part, c->delay_s);
		strbuf_addf(out, "; %s for second thoughts after the last orders", part.ptr);
	}
	strbuf_release(&part);
}
