/*
 * calendar_text.c - a calendar as people write it, and as it is stored.
 *
 * Trusts nothing: CREATE and the configuration bring anybody's words here, and what is stored
 * is read by the same rules.
 */
#include "processor/base/num.h"
#include "processor/calendar/deadline.h"

enum {
	DAYS_OF_WEEK = 7,
	HOUR_MIN = 60,
	DAY_MIN = 24 * HOUR_MIN,
	MISSES_MOST = 100,
	NAME_MOST = 24
};

static const char *const day_names[][2] = {
    {"mon", "monday"}, {"tue", "tuesday"},  {"wed", "wednesday"}, {"thu", "thursday"},
    {"fri", "friday"}, {"sat", "saturday"}, {"sun", "sunday"},
};

/* ---- days of the week ---- */

static bool read_day(struct span word, unsigned *day)
{
	for (unsigned d = 0; d < DAYS_OF_WEEK; d++)
		if (span_eq_nocase(word, day_names[d][0]) ||
		    span_eq_nocase(word, day_names[d][1])) {
			*day = d;
			return true;
		}
	return false;
}

/* "fri-mon" goes round the end of the week. */
static bool read_day_range(struct span word, unsigned *days)
{
	size_t dash = span_find_char(word, '-');
	unsigned first, last;

	if (!read_day(span_slice(word, 0, dash), &first))
		return false;
	last = first;
	if (dash < word.len && !read_day(span_slice(word, dash + 1, word.len), &last))
		return false;
	*days |= 1u << first;
	for (unsigned d = first; d != last; *days |= 1u << d)
		d = (d + 1) % DAYS_OF_WEEK;
	return true;
}

/* "-MTWTF-", as other servers write it: from Sunday on, a letter or a dash for each day. */
static bool read_day_letters(struct span word, unsigned *days)
{
	static const char letters[] = "smtwtfs";

	if (word.len != DAYS_OF_WEEK)
		return false;
	for (unsigned i = 0; i < DAYS_OF_WEEK; i++) {
		if ((word.ptr[i] | 0x20) == letters[i])
			*days |= 1u << (i + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
		else if (word.ptr[i] != '-')
			return false;
	}
	return true;
}

static bool read_days(struct span value, unsigned *days)
{
	unsigned letters = 0;
	struct span rest = value, word;
	bool ok = value.len > 0;

	*days = 0;
	if (read_day_letters(value, &letters))
		*days = letters;
	else
		while (ok && span_next_field(&rest, ',', &word))
			ok = read_day_range(word, days);
	return ok && *days != 0;
}

/* ---- hours ---- */

/* "20:00", "8:30", "20"; 24:00 only as an end. */
static bool read_hour(struct span text, int *minute)
{
	size_t colon = span_find_char(text, ':');
	struct span minutes = span_slice(text, colon < text.len ? colon + 1 : colon, text.len);
	unsigned h, m = 0;

	if (!num_parse_uint(span_slice(text, 0, colon), 0, 24, &h) || colon > 2)
		return false;
	if (colon < text.len && (minutes.len != 2 || !num_parse_uint(minutes, 0, 59, &m)))
		return false;
	*minute = (int)(h * HOUR_MIN + m);
	return *minute <= DAY_MIN;
}

bool hour_parse(struct span text, int *minute)
{
	return read_hour(text, minute) && *minute < DAY_MIN;
}

bool quiet_parse(struct span text, int *from_min, int *to_min)
{
	struct span rest = text, first, second;
	int from, to;
	size_t dash = span_find_char(text, '-');

	if (dash < text.len) {
		first = span_trim(span_slice(text, 0, dash));
		second = span_trim(span_slice(text, dash + 1, text.len));
	} else {
		if (!span_next_word(&rest, "", &first) || !span_next_word(&rest, "", &second))
			return false;
		if (span_eq_nocase(second, "to") && !span_next_word(&rest, "", &second))
			return false;
		if (span_trim(rest).len > 0)
			return false;
	}
	if (!read_hour(first, &from) || !read_hour(second, &to) ||
	    from % DAY_MIN == to % DAY_MIN)
		return false;
	*from_min = from % DAY_MIN;
	*to_min = to % DAY_MIN;
	return true;
}

/* ---- holidays: what are taken are days that exist ---- */

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
	return (n == 2 || parts[0] >= 2000) && calendar_day_exists(out, out->year);
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

/* "12-24..12-26,2027-04-05", "none". */
static bool read_holidays(struct span text, struct calendar *c)
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

/* ---- lengths ---- */

static bool read_length_or_none(struct span value, int64_t *out)
{
	int64_t seconds = 0;

	if (!span_eq_nocase(value, "none") && !span_eq_str(value, "0") &&
	    !interval_parse(value, &seconds))
		return false;
	*out = seconds;
	return true;
}

static bool read_reminders(struct span value, struct calendar *c)
{
	struct span rest = value, word;
	bool ok = value.len > 0;

	c->nreminders = 0;
	if (span_eq_nocase(value, "none") || span_eq_str(value, "0"))
		return true;
	while (ok && span_next_field(&rest, ',', &word)) {
		size_t n = c->nreminders++;

		ok = n < CALENDAR_REMINDERS && interval_parse(word, &c->remind_s[n]) &&
		     (n == 0 || c->remind_s[n] < c->remind_s[n - 1]);
	}
	return ok;
}

/* ---- phases ---- */

static bool phase_name_ok(struct span name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && c != '-')
			return false;
	}
	return name.len > 0 && name.len <= NAME_MOST;
}

/* "set-up:5D", several with commas between. */
static bool read_phases(struct span value, struct calendar *c, struct arena *arena)
{
	struct span rest = value, word;
	bool ok = value.len > 0;

	while (ok && span_next_field(&rest, ',', &word)) {
		struct calendar_phase *p = &c->phases[c->nphases];
		size_t colon = span_find_char(word, ':');

		ok = c->nphases < CALENDAR_PHASES &&
		     phase_name_ok(span_slice(word, 0, colon)) && colon < word.len &&
		     interval_parse(span_slice(word, colon + 1, word.len), &p->next_s);
		if (!ok)
			break;
		p->name = arena_dup(arena, span_slice(word, 0, colon));
		c->nphases++;
	}
	return ok;
}

/* ---- all of it ---- */

enum row {
	DAYS,
	AT,
	ZONE,
	GRACE,
	DELAY,
	HOLIDAYS,
	PHASE,
	QUIET,
	REMIND,
	MISSES,
	VACANT,
	NROWS
};

static const struct {
	const char *name, *takes; /* as the sentence that refuses says it */
} rows[NROWS] = {
    [DAYS] = {"days", "DAYS takes days of the week such as mon-fri, sat,sun or -MTWTF-."},
    [AT] = {"at", "AT takes an hour of the day such as 20:00."},
    [ZONE] = {"zone", "ZONE takes the name of a place such as Europe/Berlin."},
    [GRACE] = {"grace", "GRACE takes a length of time such as 6H, or 0 for none."},
    [DELAY] = {"delay", "DELAY takes a length of time such as 30M, or 0 for none."},
    [HOLIDAYS] = {"holidays",
                  "HOLIDAYS takes days and times between days, such as "
                  "2026-12-24..2027-01-02 or, for every year, 12-24..12-26,05-01; up to 24 "
                  "of them, without blanks."},
    [PHASE] = {"phase", "PHASE takes the name of a phase or the number of a turn and its "
                        "length, such as set-up:5D; up to four of them."},
    [QUIET] = {"quiet", "QUIET is on or off."},
    [REMIND] = {"remind", "REMIND takes up to four lengths of time before the deadline, the "
                          "longest first, such as 24H,4H, or NONE."},
    [MISSES] = {"misses", "MISSES takes the number of turns without orders after which a seat "
                          "becomes vacant, up to 100; 0 for never."},
    [VACANT] = {"vacant", "VACANT is BOT, so that the server plays a vacant seat, or OPEN."},
};

/* False: it is no such value, and *c may have changed. */
static bool read_value(enum row row, struct span value, struct arena *arena, struct calendar *c)
{
	switch (row) {
	case DAYS:
		return read_days(value, &c->days);
	case AT:
		c->at_min = CALENDAR_ANY_HOUR;
		return span_eq_nocase(value, "any") || hour_parse(value, &c->at_min);
	case ZONE:
		c->zone = arena_dup(arena, value);
		return value.len > 0 && zone_name_ok(value);
	case GRACE:
		return read_length_or_none(value, &c->grace_s);
	case DELAY:
		return read_length_or_none(value, &c->delay_s);
	case HOLIDAYS:
		return read_holidays(value, c);
	case PHASE:
		return read_phases(value, c, arena);
	case QUIET:
		c->keeps_quiet = span_eq_nocase(value, "on");
		return c->keeps_quiet || span_eq_nocase(value, "off");
	case REMIND:
		return read_reminders(value, c);
	case MISSES:
		return num_parse_word(value, 0, MISSES_MOST, &c->misses);
	case VACANT:
		c->vacant_bot = span_eq_nocase(value, "bot");
		return c->vacant_bot || span_eq_nocase(value, "open");
	case NROWS:
		break;
	}
	BUG("no row %d", (int)row);
}

static void format_length(int64_t seconds, struct strbuf *out)
{
	if (seconds == 0)
		strbuf_adds(out, "0");
	else
		interval_format(out, seconds);
}

static void format_date(const struct calendar_day *d, struct strbuf *out)
{
	if (d->year != 0)
		strbuf_addf(out, "%04d-", d->year);
	strbuf_addf(out, "%02d-%02d", d->month, d->day);
}

static void format_value(enum row row, const struct calendar *c, struct strbuf *out)
{
	const char *comma = "";

	switch (row) {
	case DAYS:
		for (unsigned d = 0; d < DAYS_OF_WEEK; d++)
			if ((c->days >> d & 1u) != 0) {
				strbuf_addf(out, "%s%s", comma, day_names[d][0]);
				comma = ",";
			}
		break;
	case AT:
		if (c->at_min == CALENDAR_ANY_HOUR)
			strbuf_adds(out, "any");
		else
			strbuf_addf(out, "%02d:%02d", c->at_min / HOUR_MIN,
			            c->at_min % HOUR_MIN);
		break;
	case ZONE:
		strbuf_add_span(out, c->zone);
		break;
	case GRACE:
		format_length(c->grace_s, out);
		break;
	case DELAY:
		format_length(c->delay_s, out);
		break;
	case HOLIDAYS:
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
		break;
	case PHASE:
		for (size_t i = 0; i < c->nphases; i++) {
			strbuf_addf(out, "%s%.*s:", i > 0 ? "," : "",
			            SPAN_ARGS(c->phases[i].name));
			interval_format(out, c->phases[i].next_s);
		}
		break;
	case QUIET:
		strbuf_adds(out, c->keeps_quiet ? "on" : "off");
		break;
	case REMIND:
		if (c->nreminders == 0)
			strbuf_adds(out, "none");
		for (size_t i = 0; i < c->nreminders; i++) {
			strbuf_adds(out, i > 0 ? "," : "");
			interval_format(out, c->remind_s[i]);
		}
		break;
	case MISSES:
		strbuf_addf(out, "%u", c->misses);
		break;
	case VACANT:
		strbuf_adds(out, c->vacant_bot ? "bot" : "open");
		break;
	case NROWS:
		break;
	}
}

void calendar_init(struct calendar *c)
{
	*c = (struct calendar){.days = CALENDAR_ALL_DAYS,
	                       .at_min = CALENDAR_ANY_HOUR,
	                       .remind_s = {86400, 14400},
	                       .nreminders = 2,
	                       .misses = 3};
}

bool calendar_set(struct calendar *c, struct span name, struct span value, struct arena *arena,
                  struct strbuf *why)
{
	struct calendar changed = *c;
	enum row row = 0;

	while (row < NROWS && !span_eq_nocase(name, rows[row].name))
		row++;
	if (row == NROWS) {
		strbuf_addf(why, "'%.*s' is nothing of a calendar.", SPAN_ARGS(name));
		return false;
	}
	if (!read_value(row, value, arena, &changed)) {
		strbuf_adds(why, rows[row].takes);
		return false;
	}
	*c = changed;
	return true;
}

bool calendar_parse(struct calendar *c, struct span text, struct arena *arena,
                    struct strbuf *why)
{
	struct span word;

	while (span_next_word(&text, "", &word)) {
		size_t eq = span_find_char(word, '=');
		struct span value = span_slice(word, eq < word.len ? eq + 1 : eq, word.len);

		if (!calendar_set(c, span_slice(word, 0, eq), value, arena, why))
			return false;
	}
	return true;
}

void calendar_format(const struct calendar *c, struct strbuf *out)
{
	struct calendar usual;
	struct strbuf value = STRBUF_INIT, other = STRBUF_INIT;

	calendar_init(&usual);
	for (enum row row = 0; row < NROWS; row++) {
		strbuf_clear(&value);
		strbuf_clear(&other);
		format_value(row, c, &value);
		format_value(row, &usual, &other);
		if (!span_eq(strbuf_span(&value), strbuf_span(&other)))
			strbuf_addf(out, "%s%s=%s", out->len > 0 ? " " : "", rows[row].name,
			            value.ptr);
	}
	strbuf_release(&value);
	strbuf_release(&other);
}
