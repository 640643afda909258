/*
 * calendar.c - from a calendar to moments: deadlines and reminders.
 *
 * Local times are counted in seconds as if they were UTC ("local_s"); zone_moment leads back.
 */
#include "processor/calendar/deadline.h"

#include "processor/base/clock.h"
#include "processor/base/num.h"

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400, DAY_MIN = 1440 };
enum {
	DAYS_MOST = 2 * 366, /* so far ahead a permitted day is looked for */
	ROUNDS_MOST = 64,    /* so often a deadline is moved out of quiet hours */
	REMIND_LAST_S = HOUR_S,
	REMIND_EARLY_S = 15 * MINUTE_S
};

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t local_of(const struct zone *z, int64_t t_utc)
{
	return z ? t_utc + zone_offset_s(z, t_utc) : t_utc;
}

int64_t zone_moment(const struct zone *z, int64_t local_s)
{
	int64_t before, first, second;

	if (!z)
		return local_s;
	before = zone_offset_s(z, local_s - DAY_S);
	first = local_s - before;
	if (zone_offset_s(z, first) == before)
		return first;
	second = local_s - zone_offset_s(z, first);
	return local_of(z, second) == local_s ? second : first;
}

/* ---- days ---- */

/* With the year left out by both: so that days can be compared by what comes first. */
static int day_number(const struct calendar_day *d, bool with_year)
{
	return (with_year ? d->year * 10000 : 0) + d->month * 100 + d->day;
}

static bool falls_in(const struct calendar_holiday *h, const struct calendar_day *today)
{
	bool dated = h->first.year != 0;
	int day = day_number(today, dated), first = day_number(&h->first, dated),
	    last = day_number(&h->last, dated);

	if (first <= last)
		return day >= first && day <= last;
	return day >= first || day <= last; /* from December into January, every year */
}

static bool day_is_free(const struct calendar *c, int64_t local_s)
{
	struct utc_time t = utc_split(local_s);
	struct calendar_day today = {t.year, t.month, t.day};

	if ((c->days >> t.weekday & 1u) == 0)
		return false;
	for (size_t i = 0; i < c->nholidays; i++)
		if (falls_in(&c->holidays[i], &today))
			return false;
	return true;
}

/*
 * The first moment from `from_utc` on that shows this minute on a permitted day; 0 when none
 * comes.
 */
static int64_t next_permitted(const struct calendar *c, const struct zone *zone, int minute,
                              int64_t from_utc)
{
	int64_t day = floor_div(local_of(zone, from_utc), DAY_S);

	for (int n = 0; n < DAYS_MOST; n++, day++) {
		int64_t local_s = day * DAY_S + (int64_t)minute * MINUTE_S;
		int64_t t = zone_moment(zone, local_s);

		if (t >= from_utc && day_is_free(c, local_s))
			return t;
	}
	return 0;
}

static int minute_of_day(const struct zone *zone, int64_t t_utc)
{
	int64_t local_s = local_of(zone, t_utc);

	return (int)((local_s - floor_div(local_s, DAY_S) * DAY_S) / MINUTE_S);
}

/* ---- phases ---- */

static bool same_word(struct span a, struct span b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.len && a.ptr[i] == '-')
			i++;
		while (k < b.len && b.ptr[k] == '-')
			k++;
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if ((a.ptr[i++] | 0x20) != (b.ptr[k++] | 0x20))
			return false;
	}
}

static bool is_of_phase(struct span name, struct span label, unsigned phase)
{
	struct span word;
	unsigned number;

	if (num_parse_uint(name, 1, UINT32_MAX, &number))
		return number == phase;
	while (span_next_word(&label, ",", &word))
		if (same_word(word, name))
			return true;
	return false;
}

int64_t calendar_length(const struct calendar *c, struct span label, unsigned phase)
{
	for (size_t i = 0; i < c->nphases; i++)
		if (is_of_phase(c->phases[i].name, label, phase))
			return c->phases[i].next_s;
	return c->next_s;
}

/* ---- quiet hours ---- */

bool quiet_is_on(const struct quiet *q)
{
	return q->from_min != q->to_min;
}

bool quiet_holds(const struct quiet *q, int64_t t_utc, int64_t *ends_utc)
{
	int64_t local_s = local_of(q->zone, t_utc), day = floor_div(local_s, DAY_S);
	int now = minute_of_day(q->zone, t_utc);
	bool wraps = q->from_min > q->to_min;

	if (!quiet_is_on(q))
		return false;
	if (wraps ? now < q->from_min && now >= q->to_min
	          : now < q->from_min || now >= q->to_min)
		return false;
	if (wraps && now >= q->from_min)
		day++;
	*ends_utc = zone_moment(q->zone, day * DAY_S + (int64_t)q->to_min * MINUTE_S);
	if (*ends_utc <= t_utc) /* the hour comes twice */
		*ends_utc = t_utc + MINUTE_S;
	return true;
}

static bool any_quiet(const struct quiet *quiet, size_t n, int64_t t_utc, int64_t *ends_utc)
{
	for (size_t i = 0; i < n; i++)
		if (quiet_holds(&quiet[i], t_utc, ends_utc))
			return true;
	return false;
}

/* ---- deadlines ---- */

static int64_t out_of_quiet(const struct calendar *c, const struct zone *zone,
                            const struct quiet *quiet, size_t n, int64_t t_utc)
{
	int minute = minute_of_day(zone, t_utc);
	int64_t t = t_utc, ends;

	for (int round = 0; round < ROUNDS_MOST; round++) {
		if (any_quiet(quiet, n, t, &ends)) {
			t = ends;
		} else if (!day_is_free(c, local_of(zone, t))) {
			t = next_permitted(c, zone, minute, t);
			if (t == 0)
				break;
		} else {
			return t;
		}
	}
	return t_utc;
}

int64_t calendar_deadline(const struct calendar *c, const struct zone *zone,
                          const struct quiet *quiet, size_t nquiet, int64_t opened_utc,
                          int64_t length_s)
{
	int64_t earliest = floor_div(opened_utc + length_s + MINUTE_S - 1, MINUTE_S) * MINUTE_S;
	int64_t t = earliest;

	if (c->at_min != CALENDAR_ANY_HOUR)
		t = next_permitted(c, zone, c->at_min, earliest);
	else if (!day_is_free(c, local_of(zone, earliest)))
		t = next_permitted(c, zone, minute_of_day(zone, earliest), earliest);
	if (t == 0)
		return earliest;
	return c->keeps_quiet ? out_of_quiet(c, zone, quiet, nquiet, t) : t;
}

/* Whoever is away then and comes back last; NULL: nobody. */
static const struct away *away_at(const struct away *away, size_t n, int64_t t_utc)
{
	const struct away *last = NULL;

	for (size_t i = 0; i < n; i++)
		if (t_utc >= away[i].from_utc && t_utc < away[i].until_utc &&
		    (!last || away[i].until_utc > last->until_utc))
			last = &away[i];
	return last;
}

int64_t calendar_behind(const struct calendar *c, const struct zone *zone,
                        const struct quiet *quiet, size_t nquiet, const struct away *away,
                        size_t naway, int64_t deadline_utc)
{
	const struct away *at;
	int64_t t = deadline_utc;

	/* Each step leaves at least one absence behind. */
	for (size_t i = 0; i <= naway && (at = away_at(away, naway, t)) != NULL; i++)
		t = calendar_deadline(c, zone, quiet, nquiet, at->until_utc, DAY_S);
	return t;
}

/* ---- reminders ---- */

/* When `at_utc` is quiet: the end of it if an hour is left then, else before it began. */
static int64_t outside_quiet(const struct quiet *q, int64_t at_utc, int64_t last_utc)
{
	int64_t ends, begins;

	if (!quiet_holds(q, at_utc, &ends))
		return at_utc;
	if (ends + REMIND_LAST_S <= last_utc)
		return ends;
	begins = ends - (int64_t)((q->to_min - q->from_min + DAY_MIN) % DAY_MIN) * MINUTE_S;
	return begins - REMIND_EARLY_S;
}

size_t reminders_plan(const struct calendar *c, const struct quiet *q, int64_t opened_utc,
                      int64_t deadline_utc, int64_t grace_utc,
                      struct reminder out[CALENDAR_REMINDERS + 1])
{
	size_t n = 0;
	int64_t ends;

	if (deadline_utc == 0)
		return 0;
	for (size_t i = 0; i < c->nreminders; i++) {
		int64_t at = deadline_utc - c->remind_s[i];

		if (at > opened_utc)
			at = outside_quiet(q, at, deadline_utc);
		if (at > opened_utc && !quiet_holds(q, at, &ends))
			out[n++] = (struct reminder){.at_utc = at, .before_s = c->remind_s[i]};
	}
	if (grace_utc > deadline_utc && c->nreminders > 0) {
		int64_t at = deadline_utc + 1;

		if (quiet_holds(q, at, &ends))
			at = ends;
		if (at + REMIND_LAST_S <= grace_utc)
			out[n++] = (struct reminder){.at_utc = at};
	}
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && out[k].at_utc < out[k - 1].at_utc; k--) {
			struct reminder r = out[k];
			out[k] = out[k - 1];
			out[k - 1] = r;
		}
	return n;
}
