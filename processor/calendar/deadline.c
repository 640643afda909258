/*
 * deadline.c - the one place that decides whether a turn is waited for.
 */
#include "processor/calendar/deadline.h"

#include "processor/base/num.h"

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400, WEEK_S = 604800 };
enum { INTERVAL_MAX_S = 366 * DAY_S };

static struct deadline_answer answer(enum deadline_verdict verdict, int64_t next_look_utc)
{
	return (struct deadline_answer){verdict, next_look_utc};
}

/*
 * A mail that came in during the last second is in time, so that second must be over on every
 * source before anybody's defaults are used.
 */
static bool is_over(const struct deadline_input *in, int64_t end_utc)
{
	return end_utc != 0 && in->now_utc > end_utc && in->read_through_utc > end_utc;
}

struct deadline_answer deadline_decide(const struct deadline_input *in)
{
	uint32_t people = in->owes & ~in->vacant;
	bool all_in = ((people != 0 ? people : in->owes) & ~in->have) == 0;

	if (in->held)
		return answer(DEADLINE_WAIT, 0);
	if (all_in && (people & in->waiting) == 0) {
		/* Nobody holds the turn: at once, or when there was time to think again. */
		int64_t end_utc = in->settle_utc;

		if (in->deadline_utc != 0 && end_utc > in->deadline_utc)
			end_utc = in->deadline_utc;
		if (end_utc == 0 || is_over(in, end_utc))
			return answer(DEADLINE_SEAL, 0);
		return answer(DEADLINE_WAIT, end_utc);
	}
	if (!is_over(in, in->deadline_utc))
		return answer(DEADLINE_WAIT, in->deadline_utc);
	if (all_in)
		return answer(DEADLINE_SEAL, 0);
	bool all_covered = (people & ~in->have & ~in->covered) == 0;
	if (!all_covered && in->grace_utc > in->deadline_utc && !is_over(in, in->grace_utc))
		return answer(DEADLINE_WAIT, in->grace_utc);
	return answer(DEADLINE_DEFAULT, 0);
}

static const struct unit {
	const char *names[6];
	int64_t seconds;
} units[] = {
    {{"W", "week", "weeks", NULL}, WEEK_S},
    {{"D", "day", "days", NULL}, DAY_S},
    {{"H", "hour", "hours", "hr", "hrs", NULL}, HOUR_S},
    {{"M", "minute", "minutes", "min", "mins", NULL}, MINUTE_S},
};
enum { NUNITS = sizeof(units) / sizeof(units[0]) };

static int64_t unit_seconds(struct span name)
{
	for (size_t u = 0; u < NUNITS; u++)
		for (size_t i = 0; units[u].names[i] != NULL; i++)
			if (span_eq_nocase(name, units[u].names[i]))
				return units[u].seconds;
	return 0;
}

static size_t digits_at_start(struct span s)
{
	size_t n = 0;

	while (n < s.len && s.ptr[n] >= '0' && s.ptr[n] <= '9')
		n++;
	return n;
}

bool interval_parse(struct span text, int64_t *seconds)
{
	struct span s = span_trim(text), count, rest;
	size_t n = digits_at_start(s);
	int64_t unit_s, total;
	unsigned number;

	if (n > 0) {
		count = span_slice(s, 0, n);
		rest = span_slice(s, n, s.len);
	} else { /* "three days" */
		rest = s;
		if (!span_next_word(&rest, "", &count))
			return false;
	}
	unit_s = unit_seconds(span_trim(rest));
	if (unit_s == 0 || !num_parse_word(count, 1, INTERVAL_MAX_S / MINUTE_S, &number))
		return false;
	total = (int64_t)number * unit_s;
	if (total > INTERVAL_MAX_S)
		return false;
	*seconds = total;
	return true;
}

void interval_format(struct strbuf *out, int64_t seconds)
{
	for (size_t u = 0; u < NUNITS; u++)
		if (seconds > 0 && seconds % units[u].seconds == 0) {
			strbuf_addf(out, "%lld%s", (long long)(seconds / units[u].seconds),
			            units[u].names[0]);
			return;
		}
	/*
	 * Nothing that was parsed comes here: a length with odd seconds is given to the
	 * minute above.
	 */
	strbuf_addf(out, "%lldM", (long long)((seconds + MINUTE_S - 1) / MINUTE_S));
}

void interval_words(struct strbuf *out, int64_t seconds)
{
	long long days = (long long)(seconds / DAY_S);
	long long hours = (long long)(seconds / HOUR_S);
	long long minutes = (long long)((seconds + MINUTE_S - 1) / MINUTE_S);

	if (seconds % DAY_S == 0 && days > 1)
		strbuf_addf(out, "%lld days", days);
	else if (seconds % HOUR_S == 0)
		strbuf_addf(out, "%lld h", hours);
	else
		strbuf_addf(out, "%lld min", minutes);
}
