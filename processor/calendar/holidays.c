/*
 * holidays.c - days on which no turn ends, as people write them.
 *
 * Trusts nothing in the text; what is taken are days that exist.
 */
#include "processor/calendar/private.h"

#include "processor/base/clock.h"
#include "processor/base/num.h"

enum { ANY_YEAR = 2024 }; /* a leap year: every day of every year is in it */

static bool day_exists(const struct calendar_day *d)
{
	struct utc_time t = {
	    .year = d->year ? d->year : ANY_YEAR, .month = d->month, .day = d->day};
	struct utc_time same = utc_split(utc_join(&t));

	return same.month == d->month && same.day == d->day;
}

/* "2026-12-24", or "12-24" of every year. */
static bool read_date(struct span text, struct calendar_day *out)
{
	unsigned parts[3] = {0}, n = 0;
	struct span rest = text, word;

	while (span_next_field(&rest, '-', &word))
		if (n == 3 || !num_parse_uint(word, 1, 9999, &parts[n++]))
			return false;
	if (n < 2)
		return false;
	*out = n == 3 ? (struct calendar_day){(int)parts[0], (int)parts[1], (int)parts[2]}
	              : (struct calendar_day){0, (int)parts[0], (int)parts[1]};
	return (n == 2 || parts[0] >= 2000) && out->month <= 12 && out->day <= 31 &&
	       day_exists(out);
}

static bool read_holiday(struct span word, struct calendar_holiday *h)
{
	size_t dots = span_find(word, SPAN_LIT(".."));

	if (!read_date(span_slice(word, 0, dots), &h->first))
		return false;
	h->last = h->first;
	if (dots == word.len)
		return true;
	return read_date(span_slice(word, dots + 2, word.len), &h->last) &&
	       (h->first.year == 0) == (h->last.year == 0);
}

static bool is_in_order(const struct calendar_holiday *h)
{
	const struct calendar_day *a = &h->first, *b = &h->last;

	return a->year == 0 || a->year < b->year ||
	       (a->year == b->year &&
	        (a->month < b->month || (a->month == b->month && a->day <= b->day)));
}

bool holidays_parse(struct calendar *c, struct span text)
{
	struct calendar_holiday *h = c->holidays;
	struct span rest = text, word;
	size_t n = 0;

	c->nholidays = 0;
	if (span_eq_nocase(text, "none"))
		return true;
	if (text.len == 0)
		return false;
	while (span_next_field(&rest, ',', &word)) {
		if (n == CALENDAR_HOLIDAYS || !read_holiday(word, &h[n]) || !is_in_order(&h[n]))
			return false;
		n++;
	}
	c->nholidays = n;
	return true;
}

static void format_date(const struct calendar_day *d, struct strbuf *out)
{
	if (d->year != 0)
		strbuf_addf(out, "%04d-", d->year);
	strbuf_addf(out, "%02d-%02d", d->month, d->day);
}

void holidays_format(const struct calendar *c, struct strbuf *out)
{
	if (c->nholidays == 0)
		strbuf_adds(out, "none");
	for (size_t i = 0; i < c->nholidays; i++) {
		const struct calendar_day *a = &c->holidays[i].first;
		const struct calendar_day *b = &c->holidays[i].last;

		strbuf_adds(out, i > 0 ? "," : "");
		format_date(a, out);
		if (a->year == b->year && a->month == b->month && a->day == b->day)
			continue;
		strbuf_adds(out, "..");
		format_date(b, out);
	}
}
