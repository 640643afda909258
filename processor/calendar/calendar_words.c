/*
 * calendar_words.c - a calendar in words.
 */
#include "processor/calendar/deadline.h"

#include "processor/base/banned.h"

enum { DAYS_OF_WEEK = 7, HOUR_MIN = 60 };

static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
static const char *const months[] = {"",    "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static bool is_on(const struct calendar *c, unsigned day)
{
	return (c->days >> day & 1u) != 0;
}

/* "Mon-Fri", "Sat, Sun", "Mon-Wed, Fri" */
static void add_days(const struct calendar *c, struct strbuf *out)
{
	const char *comma = "";

	for (unsigned d = 0; d < DAYS_OF_WEEK; d++) {
		unsigned last = d;
		if (!is_on(c, d))
			continue;
		while (last + 1 < DAYS_OF_WEEK && is_on(c, last + 1))
			last++;
		strbuf_addf(out, "%s%s", comma, days[d]);
		if (last > d + 1)
			strbuf_addf(out, "-%s", days[last]);
		else if (last == d + 1)
			strbuf_addf(out, ", %s", days[last]);
		comma = ", ";
		d = last;
	}
}

static void add_date(const struct calendar_day *d, struct strbuf *out)
{
	strbuf_addf(out, "%d %s", d->day, months[d->month]);
	if (d->year != 0)
		strbuf_addf(out, " %d", d->year);
}

static void add_holidays(const struct calendar *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->nholidays; i++) {
		const struct calendar_holiday *h = &c->holidays[i];

		strbuf_adds(out, i == 0 ? ", not on " : i + 1 < c->nholidays ? ", " : " and ");
		add_date(&h->first, out);
		if (h->first.year != h->last.year || h->first.month != h->last.month ||
		    h->first.day != h->last.day) {
			strbuf_adds(out, " to ");
			add_date(&h->last, out);
		}
	}
}

static bool has_own_days(const struct calendar *c)
{
	return c->days != CALENDAR_ALL_DAYS || c->at_min != CALENDAR_ANY_HOUR;
}

static void add_phases(const struct calendar *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->nphases; i++) {
		char first = c->phases[i].name.ptr[0];

		strbuf_addf(out, " (%s%.*s: ", first >= '0' && first <= '9' ? "turn " : "",
		            SPAN_ARGS(c->phases[i].name));
		interval_words(out, c->phases[i].next_s);
		strbuf_addc(out, ')');
	}
}

/* When the deadlines are. */
static void add_when(const struct calendar *c, const char *place, struct strbuf *out)
{
	if (c->days != CALENDAR_ALL_DAYS)
		add_days(c, out);
	else if (c->at_min != CALENDAR_ANY_HOUR)
		strbuf_adds(out, "daily");
	if (c->at_min != CALENDAR_ANY_HOUR)
		strbuf_addf(out, " at %02d:%02d", c->at_min / HOUR_MIN, c->at_min % HOUR_MIN);
	if (has_own_days(c))
		strbuf_addf(out, " %s, at least ", place);
	interval_words(out, c->next_s);
	add_phases(c, out);
	if (!has_own_days(c))
		strbuf_adds(out, " after the turn opens");
	add_holidays(c, out);
}

void calendar_words(const struct calendar *c, const char *place, struct strbuf *out)
{
	if (!has_own_days(c) && c->nholidays + c->nphases == 0 &&
	    c->grace_s + c->delay_s == 0 && !c->keeps_quiet)
		return;
	add_when(c, place, out);
	if (c->keeps_quiet)
		strbuf_adds(out, ", not in a player's quiet hours");
	if (c->grace_s > 0) {
		strbuf_adds(out, ", then ");
		interval_words(out, c->grace_s);
		strbuf_adds(out, " of grace");
	}
	if (c->delay_s > 0) {
		strbuf_adds(out, "; ");
		interval_words(out, c->delay_s);
		strbuf_adds(out, " for second thoughts after the last orders");
	}
}
