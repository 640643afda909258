/*
 * clock.c - time in whole seconds and the calendar in integers.
 */
#include "processor/base/clock.h"

#include <time.h>

#include "processor/base/err.h"
#include "processor/base/num.h"
#include "processor/base/step.h"

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

int64_t clock_now_utc(void)
{
	struct timespec ts;
	int64_t now_utc;

	if (step_hooks && step_hooks->clock(&now_utc))
		return now_utc;
	ENSURE(clock_gettime(CLOCK_REALTIME, &ts) == 0);
	return ts.tv_sec;
}

int64_t clock_monotonic_ms(void)
{
	struct timespec ts;

	ENSURE(clock_gettime(CLOCK_MONOTONIC, &ts) == 0);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/*
 * Days are counted in years that begin in March, so that the leap day is the
 * last of its year and the months before it have fixed lengths: month m of
 * such a year (0 = March) begins on day (153 m + 2) / 5.
 */
enum {
	DAYS_IN_400_YEARS = 146097,
	DAYS_BEFORE_1970 = 719468 /* from 1 March of the year 0 */
};

static int64_t days_from_date(int64_t year, int month, int64_t day)
{
	int64_t y = year - (month < 3);
	int64_t era = floor_div(y, 400);
	int64_t year_in_era = y - era * 400;
	int64_t march_month = (month + 9) % 12;
	int64_t day_in_year = (153 * march_month + 2) / 5 + day - 1;

	return era * DAYS_IN_400_YEARS + year_in_era * 365 + year_in_era / 4 -
	       year_in_era / 100 + day_in_year - DAYS_BEFORE_1970;
}

static void date_from_days(int64_t days, struct utc_time *t)
{
	int64_t shifted = days + DAYS_BEFORE_1970;
	int64_t era = floor_div(shifted, DAYS_IN_400_YEARS);
	int64_t day = shifted - era * DAYS_IN_400_YEARS;
	/* Taking the leap days out leaves 400 years of 365 days. */
	int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	int64_t march_month;

	day -= year * 365 + year / 4 - year / 100;
	march_month = (5 * day + 2) / 153;
	t->day = (int)(day - (153 * march_month + 2) / 5) + 1;
	t->month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
	t->year = (int)(year + era * 400) + (t->month < 3);
}

/* Years 1 to 9999; a time beyond them is shown as the nearest end. */
static int64_t within_calendar(int64_t t_utc)
{
	const int64_t first = -62135596800, last = 253402300799;

	return t_utc < first ? first : t_utc > last ? last : t_utc;
}

struct utc_time utc_split(int64_t t_utc)
{
	struct utc_time t;
	int64_t days, second;

	t_utc = within_calendar(t_utc);
	days = floor_div(t_utc, DAY);
	second = t_utc - days * DAY;
	date_from_days(days, &t);
	t.hour = (int)(second / HOUR);
	t.minute = (int)(second / MINUTE % 60);
	t.second = (int)(second % 60);
	t.weekday = (int)(days + 3 - floor_div(days + 3, 7) * 7); /* 1970 began on a Thursday */
	return t;
}

int64_t utc_join(const struct utc_time *t)
{
	ENSURE(t->month >= 1 && t->month <= 12);
	return days_from_date(t->year, t->month, t->day) * DAY + (int64_t)t->hour * HOUR +
	       (int64_t)t->minute * MINUTE + t->second;
}

void utc_format_iso(struct strbuf *out, int64_t t_utc)
{
	struct utc_time t = utc_split(t_utc);

	strbuf_addf(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", t.year, t.month, t.day, t.hour,
	            t.minute, t.second);
}

static bool read_part(struct span text, size_t from, size_t to, unsigned min, unsigned max,
                      int *out)
{
	unsigned value;

	if (!num_parse_uint(span_slice(text, from, to), min, max, &value))
		return false;
	*out = (int)value;
	return true;
}

static bool punctuation_fits(struct span text, const char *form)
{
	for (size_t i = 0; i < text.len; i++)
		if (form[i] != '0' && text.ptr[i] != form[i])
			return false;
	return true;
}

bool utc_parse_iso(struct span text, int64_t *t_utc)
{
	const struct span form = SPAN_LIT("0000-00-00T00:00:00Z");
	struct utc_time t = {.weekday = 0}, back;
	int64_t when;

	if (text.len != form.len || !punctuation_fits(text, form.ptr) ||
	    !read_part(text, 0, 4, 1970, 9999, &t.year) ||
	    !read_part(text, 5, 7, 1, 12, &t.month) || !read_part(text, 8, 10, 1, 31, &t.day) ||
	    !read_part(text, 11, 13, 0, 23, &t.hour) ||
	    !read_part(text, 14, 16, 0, 59, &t.minute) ||
	    !read_part(text, 17, 19, 0, 59, &t.second))
		return false;
	when = utc_join(&t);
	back = utc_split(when);
	if (back.day != t.day) /* 30 February comes back as a day in March */
		return false;
	*t_utc = when;
	return true;
}

static const char *weekday_name(int weekday)
{
	static const char *const names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

	return names[weekday];
}

static const char *month_name(int month)
{
	static const char *const names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
	                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

	return names[month - 1];
}

void utc_format_rfc5322(struct strbuf *out, int64_t t_utc)
{
	struct utc_time t = utc_split(t_utc);

	strbuf_addf(out, "%s, %d %s %04d %02d:%02d:%02d +0000", weekday_name(t.weekday), t.day,
	            month_name(t.month), t.year, t.hour, t.minute, t.second);
}

void utc_format_human(struct strbuf *out, int64_t t_utc)
{
	struct utc_time t = utc_split(t_utc);

	strbuf_addf(out, "%s %d %s %04d %02d:%02d UTC", weekday_name(t.weekday), t.day,
	            month_name(t.month), t.year, t.hour, t.minute);
}

/* Minutes below two hours, hours below three days: the unit in which people count that far. */
void duration_format_human(struct strbuf *out, int64_t seconds)
{
	int64_t minutes = seconds / MINUTE + (seconds % MINUTE >= MINUTE / 2);
	int64_t hours = seconds / HOUR + (seconds % HOUR >= HOUR / 2);
	int64_t days = seconds / DAY + (seconds % DAY >= DAY / 2);

	if (seconds < MINUTE)
		strbuf_adds(out, "now");
	else if (minutes < 120)
		strbuf_addf(out, minutes == 1 ? "in %lld minute" : "in %lld minutes",
		            (long long)minutes);
	else if (hours < 72)
		strbuf_addf(out, "in %lld hours", (long long)hours);
	else
		strbuf_addf(out, "in %lld days", (long long)days);
}
