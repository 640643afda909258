/*
 * date.c - the Date field of a mail as a time.
 */
#include "mail/text/date.h"

#include <stddef.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"

enum { HOUR_S = 3600, MINUTE_S = 60 };

/* The next word; comments, which may nest, count as blanks. */
static bool next_word(struct span *rest, struct span *word)
{
	size_t at = 0, start;
	unsigned depth = 0;

	for (; at < rest->len; at++) {
		char c = rest->ptr[at];

		if (c == '(')
			depth++;
		else if (c == ')' && depth > 0)
			depth--;
		else if (depth == 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n' &&
		         c != ',')
			break;
	}
	for (start = at; at < rest->len && rest->ptr[at] != ' ' && rest->ptr[at] != '\t' &&
	                 rest->ptr[at] != '\r' && rest->ptr[at] != '\n' &&
	                 rest->ptr[at] != ',' && rest->ptr[at] != '(';)
		at++;
	*word = span_slice(*rest, start, at);
	*rest = span_slice(*rest, at, rest->len);
	return word->len > 0;
}

static bool read_number(struct span word, unsigned min, unsigned max, int *out)
{
	unsigned n;

	if (!num_parse_uint(word, min, max, &n))
		return false;
	*out = (int)n;
	return true;
}

static bool read_year(struct span word, int *year)
{
	if (!read_number(word, 0, 9999, year))
		return false;
	if (word.len == 2)
		*year += *year < 50 ? 2000 : 1900;
	else if (word.len == 3)
		*year += 1900;
	return word.len >= 2 && *year >= 1970;
}

static bool read_clock(struct span word, struct utc_time *t)
{
	struct span part;

	t->second = 0;
	if (!span_next_field(&word, ':', &part) || !read_number(part, 0, 23, &t->hour) ||
	    !span_next_field(&word, ':', &part) || !read_number(part, 0, 59, &t->minute))
		return false;
	/* A leap second is the first of the next minute. */
	return word.ptr == NULL || read_number(word, 0, 60, &t->second);
}

bool date_parse(struct span field, int64_t *t_utc)
{
	static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
	                                     "jul", "aug", "sep", "oct", "nov", "dec"};
	/* From eight hours west on, without and with an hour of summer. */
	static const char *const zones[] = {"PST", "PDT", "MST", "MDT",
	                                    "CST", "CDT", "EST", "EDT"};
	struct utc_time t = {0};
	struct span word;

	if (!next_word(&field, &word))
		return false;
	if (!ascii_is_digit(word.ptr[0]) && !next_word(&field, &word))
		return false;
	if (!read_number(word, 1, 31, &t.day) || !next_word(&field, &word))
		return false;
	t.month = (int)span_index_nocase(word, months, 12) + 1;
	if (t.month > 12 || !next_word(&field, &word) || !read_year(word, &t.year) ||
	    !next_word(&field, &word) || !read_clock(word, &t))
		return false;
	struct utc_time day = {.year = t.year, .month = t.month, .day = t.day};
	if (utc_split(utc_join(&day)).day != t.day)
		return false;
	*t_utc = utc_join(&t);
	if (!next_word(&field, &word))
		return true;
	/* East of Greenwich. */
	int64_t hours = 0, minutes = 0;
	size_t zone = span_index_nocase(word, zones, 8);
	int h, m;
	if (zone < 8) {
		hours = (int64_t)(zone / 2 + zone % 2) - 8;
	} else if (word.len == 5 && (word.ptr[0] == '+' || word.ptr[0] == '-') &&
	           read_number(span_slice(word, 1, 3), 0, 23, &h) &&
	           read_number(span_slice(word, 3, 5), 0, 59, &m)) {
		hours = word.ptr[0] == '-' ? -h : h;
		minutes = word.ptr[0] == '-' ? -m : m;
	}
	*t_utc -= hours * HOUR_S + minutes * MINUTE_S;
	return true;
}
