/*
 * date_range.c - "24 Dec to 3 Jan".
 *
 * Trusts nothing: what is taken are days that exist.
 */
#include "processor/calendar/date_range.h"

#include "processor/base/clock.h"
#include "processor/base/num.h"

enum {
	DAY_S = 86400,
	YEARS_AHEAD = 8,
	FIRST_YEAR = 2000,
	LEAP_YEAR = 2024 /* every day of every year is in it */
};

static const char *const months[] = {"january",   "february", "march",    "april",
                                     "may",       "june",     "july",     "august",
                                     "september", "october",  "november", "december"};

/* ---- one day ---- */

static int64_t number_of(int year, int month, int day)
{
	struct utc_time t = {.year = year, .month = month, .day = day};

	return utc_join(&t) / DAY_S;
}

bool calendar_day_exists(const struct calendar_day *d, int year)
{
	if (d->month < 1 || d->month > 12 || d->day < 1 || d->day > 31)
		return false;
	struct utc_time same =
	    utc_split(number_of(year ? year : LEAP_YEAR, d->month, d->day) * DAY_S);
	return same.month == d->month && same.day == d->day;
}

static int month_named(struct span word)
{
	if (word.len > 0 && word.ptr[word.len - 1] == '.')
		word = span_slice(word, 0, word.len - 1);
	for (int m = 0; m < 12; m++)
		if (span_eq_nocase(word, months[m]) ||
		    (word.len == 3 &&
		     span_eq_nocase(
			 word, (const char[]){months[m][0], months[m][1], months[m][2], '\0'})))
			return m + 1;
	return 0;
}

/* "24", "24.", "24th", "24th," */
static bool read_day(struct span word, int *day)
{
	static const char *const ends[] = {",", ".", "st", "nd", "rd", "th"};
	unsigned n;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t len = span_of(ends[i]).len;

		if (word.len > len &&
		    span_eq_nocase(span_slice(word, word.len - len, word.len), ends[i]))
			word = span_slice(word, 0, word.len - len);
	}
	if (!num_parse_uint(word, 1, 31, &n))
		return false;
	*day = (int)n;
	return true;
}

/* "24 Dec 2026", "Dec 24, 2026"; the year may be missing. */
static enum days_reading read_named(struct span text, struct calendar_day *out)
{
	struct span word[4];
	unsigned year = 0;
	size_t n = 0;

	while (n < 4 && span_next_word(&text, "", &word[n]))
		n++;
	if (n < 2 || n > 3)
		return DAYS_NONE;
	bool day_first = month_named(word[1]) != 0;
	out->month = month_named(word[day_first ? 1 : 0]);
	if (out->month == 0 || !read_day(word[day_first ? 0 : 1], &out->day) ||
	    (n == 3 && !num_parse_uint(word[2], FIRST_YEAR, 9999, &year)))
		return DAYS_NONE;
	out->year = (int)year;
	return DAYS_GOOD;
}

static size_t split_numbers(struct span text, char by, unsigned parts[3])
{
	struct span word;
	size_t n = 0;

	while (span_next_field(&text, by, &word)) {
		word = span_trim(word);
		if (n == 2 && word.len == 0) /* "24.12." */
			break;
		if (n == 3 || !num_parse_uint(word, 1, 9999, &parts[n]))
			return 0;
		n++;
	}
	return n;
}

/* "2026-12-24", "24.12.2026", "24.12.", "12/24"; with slashes either number may be the day. */
static enum days_reading read_numbers(struct span text, struct calendar_day *out)
{
	for (const char *by = "-./"; *by != '\0'; by++) {
		bool iso = *by == '-';
		unsigned p[3] = {0};
		size_t n = split_numbers(text, *by, p);

		if (n < (iso ? 3 : 2) || (n == 3 && p[iso ? 0 : 2] < FIRST_YEAR))
			continue;
		if (*by == '/' && p[0] <= 12 && p[1] <= 12 && p[0] != p[1])
			return DAYS_AMBIGUOUS;
		bool day_first = *by == '.' || p[0] > 12;
		*out = iso ? (struct calendar_day){(int)p[0], (int)p[1], (int)p[2]}
		           : (struct calendar_day){(int)p[2], (int)p[day_first ? 1 : 0],
		                                   (int)p[day_first ? 0 : 1]};
		return DAYS_GOOD;
	}
	return DAYS_NONE;
}

static enum days_reading read_one(struct span text, struct calendar_day *out, int *from_today)
{
	*from_today = span_eq_nocase(text, "today")      ? 0
	              : span_eq_nocase(text, "tomorrow") ? 1
	                                                 : DAYS_DATED;
	if (*from_today != DAYS_DATED)
		return DAYS_GOOD;
	*out = (struct calendar_day){0};
	enum days_reading r = read_numbers(text, out);
	if (r == DAYS_NONE)
		r = read_named(text, out);
	return r == DAYS_GOOD && !calendar_day_exists(out, out->year) ? DAYS_IMPOSSIBLE : r;
}

/* ---- from one to another ---- */

/*
 * Where a word or mark that means "to" is in the text, its length in *len; text.len if
 * nowhere.
 */
static size_t find_to(struct span text, size_t *len)
{
	static const char *const marks[] = {" to ",      " until ", " till ",
	                                    " through ", " - ",     ".."};

	for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++) {
		struct span mark = span_of(marks[m]);
		*len = mark.len;
		for (size_t i = 0; i + mark.len <= text.len; i++)
			if (span_eq_nocase(span_slice(text, i, i + mark.len), marks[m]))
				return i;
	}
	return text.len;
}

static bool take_word(struct span *text, const char *word)
{
	struct span rest = *text, first;

	if (!span_next_word(&rest, "", &first) || !span_eq_nocase(first, word))
		return false;
	*text = span_trim(rest);
	return true;
}

enum days_reading days_read(struct span text, struct days *out)
{
	size_t len, at;

	*out = (struct days){.first_from_today = DAYS_DATED, .last_from_today = DAYS_DATED};
	text = span_trim(text);
	(void)(take_word(&text, "from") || take_word(&text, "on"));
	if (take_word(&text, "until") || take_word(&text, "till") || take_word(&text, "to")) {
		out->first_from_today = 0;
		return read_one(text, &out->last, &out->last_from_today);
	}
	at = find_to(text, &len);
	enum days_reading first =
	    read_one(span_trim(span_slice(text, 0, at)), &out->first, &out->first_from_today);
	if (at == text.len) {
		out->last = out->first;
		out->last_from_today = out->first_from_today;
		return first;
	}
	enum days_reading last = read_one(span_trim(span_slice(text, at + len, text.len)),
	                                  &out->last, &out->last_from_today);
	return first < last ? first : last; /* the worse */
}

/* ---- which days these are ---- */

/* The first such day from `not_before` on; -1 when there is none. */
static int64_t resolve(const struct calendar_day *d, int from_today, int64_t today,
                       int64_t not_before)
{
	if (from_today != DAYS_DATED)
		return today + from_today;
	if (d->year != 0)
		return number_of(d->year, d->month, d->day);
	int year = utc_split(not_before * DAY_S).year;
	for (int y = year; y <= year + YEARS_AHEAD; y++)
		if (calendar_day_exists(d, y) && number_of(y, d->month, d->day) >= not_before)
			return number_of(y, d->month, d->day);
	return -1;
}

bool days_resolve(const struct days *d, int64_t today, struct day_range *out)
{
	out->first = resolve(&d->first, d->first_from_today, today, today);
	out->last = resolve(&d->last, d->last_from_today, today, out->first);
	return out->first >= 0 && out->last >= out->first;
}

int64_t day_of(const struct zone *zone, int64_t t_utc)
{
	int64_t local_s = t_utc + (zone ? zone_offset_s(zone, t_utc) : 0);

	return local_s / DAY_S;
}

void day_format(struct strbuf *out, int64_t day)
{
	struct strbuf text = STRBUF_INIT;

	utc_format_human(&text, day * DAY_S); /* "Thu 24 Dec 2026 00:00 UTC" */
	strbuf_add_span(out,
	                span_slice(strbuf_span(&text), 0, text.len - sizeof(" 00:00 UTC") + 1));
	strbuf_release(&text);
}
