/*
 * phrases.c - small pieces of English made from values.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "reports/parts.h"

enum { NEAR_S = 180 * 86400 }; /* then nobody doubts which year it is */

static bool is_reader(const char *name, const char *reader)
{
	return reader && *reader && strcmp(name, reader) == 0;
}

const char *phrase_names(struct arena *a, const char *const *names, size_t n,
                         const char *reader)
{
	struct strbuf out = STRBUF_INIT;
	size_t said = 0;

	for (size_t i = 0; i < n && said == 0; i++)
		if (is_reader(names[i], reader)) {
			strbuf_adds(&out, "you");
			said++;
		}
	for (size_t i = 0; i < n; i++) {
		if (is_reader(names[i], reader))
			continue;
		strbuf_add_sep(&out, said++, n, " and ");
		text_clean(&out, span_of(names[i]));
	}
	return arena_take(a, &out).ptr;
}

const char *phrase_count(struct arena *a, size_t n, const char *one, const char *many)
{
	return arena_printf(a, "%zu %s", n, n == 1 ? one : many);
}

const char *phrase_lower(struct arena *a, const char *text)
{
	char *lower = arena_strdup(a, text);

	for (char *c = lower; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c | 0x20) : *c;
	return lower;
}

const char *phrase_moment(struct arena *a, const struct zone *zone, int64_t at_utc)
{
	struct strbuf out = STRBUF_INIT;

	zone_format_human(&out, zone, at_utc);
	return arena_take(a, &out).ptr;
}

const char *phrase_interval(struct arena *a, const char *interval)
{
	static const struct {
		char letter;
		const char *one, *many;
	} units[] = {{'M', "minute", "minutes"},
	             {'H', "hour", "hours"},
	             {'D', "day", "days"},
	             {'W', "week", "weeks"}};
	struct span text = span_of(interval);
	unsigned n;
	if (text.len < 2 || !num_parse_uint(span_slice(text, 0, text.len - 1), 1, 1000000, &n))
		return interval;
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (units[i].letter == text.ptr[text.len - 1])
			return phrase_count(a, n, units[i].one, units[i].many);
	return interval;
}

const char *phrase_deadline(struct arena *a, const struct zone *zone, int64_t now_utc,
                            int64_t deadline_utc)
{
	struct strbuf out = STRBUF_INIT;
	bool ahead = deadline_utc > now_utc;
	int64_t away = ahead ? deadline_utc - now_utc : now_utc - deadline_utc;

	if (away < NEAR_S)
		zone_format_near(&out, zone, deadline_utc);
	else
		zone_format_local(&out, zone, deadline_utc);
	if (zone || ahead)
		strbuf_adds(&out, " (");
	if (zone)
		zone_format_utc_hour(&out, zone, deadline_utc);
	if (zone && ahead)
		strbuf_adds(&out, ", ");
	if (ahead)
		duration_format_human(&out, deadline_utc - now_utc);
	if (zone || ahead)
		strbuf_addc(&out, ')');
	return arena_take(a, &out).ptr;
}

const char *phrase_day(struct arena *a, const struct zone *zone, int64_t at_utc)
{
	struct strbuf when = STRBUF_INIT;
	struct span rest, word = SPAN_EMPTY;

	zone_format_near(&when, zone, at_utc);
	rest = strbuf_span(&when);
	for (unsigned n = 0; n < 3; n++)
		(void)span_next_word(&rest, "", &word);
	strbuf_truncate(&when, (size_t)(word.ptr + word.len - when.ptr));
	return arena_take(a, &when).ptr;
}

const char *phrase_clock(struct arena *a, const struct zone *zone, const struct report_clock *c,
                         int64_t at_utc)
{
	return phrase_deadline(a, zone, c->undated ? at_utc : c->now_utc, at_utc);
}

const char *phrase_status(const char *status)
{
	struct span word = span_of(status);
	if (span_eq_str(word, "gathering"))
		return "waiting for players";
	if (span_eq_str(word, "abandoned"))
		return "given up, since no orders came for several turns";
	return status;
}

size_t count_orders(struct span canonical)
{
	size_t n = 0;
	struct span line, order;
	while (span_next_line(&canonical, &line))
		while (span_next_field(&line, ';', &order))
			n += span_trim(order).len > 0;
	return n;
}

size_t count_lines(struct span text)
{
	size_t n = 0;
	struct span line;
	while (span_next_line(&text, &line))
		n += span_trim(line).len > 0;
	return n;
}
