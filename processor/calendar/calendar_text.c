/*
 * calendar_text.c - a calendar as people write it, and as it is stored.
 *
 * Trusts nothing: CREATE and the configuration bring anybody's words here, and what is stored
 * is read by the same rules.
 */
#include "processor/calendar/private.h"

#include "processor/base/num.h"

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

struct setting {
	struct calendar *out;
	struct arena *arena;
	struct strbuf *why;
};

static bool refuse(struct setting *s, const char *why)
{
	strbuf_adds(s->why, why);
	return false;
}

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

static bool set_days(struct setting *s, struct span value)
{
	unsigned days = 0, letters = 0;
	struct span rest = value, word;
	bool ok = value.len > 0;

	if (read_day_letters(value, &letters)) {
		days = letters;
	} else {
		while (ok && span_next_field(&rest, ',', &word))
			ok = read_day_range(word, &days);
	}
	if (!ok || days == 0)
		return refuse(s, "DAYS takes days of the week such as mon-fri, sat,sun or "
		                 "-MTWTF-.");
	s->out->days = days;
	return true;
}

static void format_days(const struct calendar *c, struct strbuf *out)
{
	const char *comma = "";

	for (unsigned d = 0; d < DAYS_OF_WEEK; d++)
		if ((c->days >> d & 1u) != 0) {
			strbuf_addf(out, "%s%s", comma, day_names[d][0]);
			comma = ",";
		}
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

static bool set_at(struct setting *s, struct span value)
{
	int minute;

	if (span_eq_nocase(value, "any")) {
		s->out->at_min = CALENDAR_ANY_HOUR;
		return true;
	}
	if (!hour_parse(value, &minute))
		return refuse(s, "AT takes an hour of the day such as 20:00.");
	s->out->at_min = minute;
	return true;
}

static void format_at(const struct calendar *c, struct strbuf *out)
{
	if (c->at_min == CALENDAR_ANY_HOUR)
		strbuf_adds(out, "any");
	else
		strbuf_addf(out, "%02d:%02d", c->at_min / HOUR_MIN, c->at_min % HOUR_MIN);
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

/* ---- holidays ---- */

static bool set_holidays(struct setting *s, struct span value)
{
	if (holidays_parse(s->out, value))
		return true;
	return refuse(s,
	              "HOLIDAYS takes days and times between days, such as "
	              "2026-12-24..2027-01-02 or, for every year, 12-24..12-26,05-01; up to 24 "
	              "of them, without blanks.");
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

static bool set_grace(struct setting *s, struct span value)
{
	if (read_length_or_none(value, &s->out->grace_s))
		return true;
	return refuse(s, "GRACE takes a length of time such as 6H, or 0 for none.");
}

static bool set_delay(struct setting *s, struct span value)
{
	if (read_length_or_none(value, &s->out->delay_s))
		return true;
	return refuse(s, "DELAY takes a length of time such as 30M, or 0 for none.");
}

static void format_length(int64_t seconds, struct strbuf *out)
{
	if (seconds == 0)
		strbuf_adds(out, "0");
	else
		interval_format(out, seconds);
}

static void format_grace(const struct calendar *c, struct strbuf *out)
{
	format_length(c->grace_s, out);
}

static void format_delay(const struct calendar *c, struct strbuf *out)
{
	format_length(c->delay_s, out);
}

static bool set_remind(struct setting *s, struct span value)
{
	struct span rest = value, word;
	int64_t list[CALENDAR_REMINDERS];
	size_t n = 0;
	bool ok = value.len > 0;

	if (span_eq_nocase(value, "none") || span_eq_str(value, "0")) {
		s->out->nreminders = 0;
		return true;
	}
	while (ok && span_next_field(&rest, ',', &word)) {
		ok = n < CALENDAR_REMINDERS && interval_parse(word, &list[n]) &&
		     (n == 0 || list[n] < list[n - 1]);
		n++;
	}
	if (!ok)
		return refuse(s, "REMIND takes up to four lengths of time before the deadline, "
		                 "the longest first, such as 24H,4H, or NONE.");
	s->out->nreminders = n;
	for (size_t i = 0; i < n; i++)
		s->out->remind_s[i] = list[i];
	return true;
}

static void format_remind(const struct calendar *c, struct strbuf *out)
{
	if (c->nreminders == 0)
		strbuf_adds(out, "none");
	for (size_t i = 0; i < c->nreminders; i++) {
		strbuf_adds(out, i > 0 ? "," : "");
		interval_format(out, c->remind_s[i]);
	}
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
static bool set_phase(struct setting *s, struct span value)
{
	struct span rest = value, word;
	bool ok = value.len > 0;

	while (ok && span_next_field(&rest, ',', &word)) {
		struct calendar_phase *p = &s->out->phases[s->out->nphases];
		size_t colon = span_find_char(word, ':');

		ok = s->out->nphases < CALENDAR_PHASES &&
		     phase_name_ok(span_slice(word, 0, colon)) && colon < word.len &&
		     interval_parse(span_slice(word, colon + 1, word.len), &p->next_s);
		if (!ok)
			break;
		p->name = arena_dup(s->arena, span_slice(word, 0, colon));
		s->out->nphases++;
	}
	return ok || refuse(s, "PHASE takes the name of a phase or the number of a turn and "
	                       "its length, such as set-up:5D; up to four of them.");
}

static void format_phase(const struct calendar *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->nphases; i++) {
		strbuf_addf(out, "%s%.*s:", i > 0 ? "," : "", SPAN_ARGS(c->phases[i].name));
		interval_format(out, c->phases[i].next_s);
	}
}

/* ---- the rest ---- */

static bool set_zone(struct setting *s, struct span value)
{
	if (value.len == 0 || !zone_name_ok(value))
		return refuse(s, "ZONE takes the name of a place such as Europe/Berlin.");
	s->out->zone = arena_dup(s->arena, value);
	return true;
}

static void format_zone(const struct calendar *c, struct strbuf *out)
{
	strbuf_add_span(out, c->zone);
}

static bool set_quiet(struct setting *s, struct span value)
{
	bool on = span_eq_nocase(value, "on");

	if (!on && !span_eq_nocase(value, "off"))
		return refuse(s, "QUIET is on or off.");
	s->out->keeps_quiet = on;
	return true;
}

static void format_quiet(const struct calendar *c, struct strbuf *out)
{
	strbuf_adds(out, c->keeps_quiet ? "on" : "off");
}

static bool set_misses(struct setting *s, struct span value)
{
	if (num_parse_word(value, 0, MISSES_MOST, &s->out->misses))
		return true;
	return refuse(s, "MISSES takes the number of turns without orders after which a seat "
	                 "becomes vacant, up to 100; 0 for never.");
}

static void format_misses(const struct calendar *c, struct strbuf *out)
{
	strbuf_addf(out, "%u", c->misses);
}

static bool set_vacant(struct setting *s, struct span value)
{
	bool bot = span_eq_nocase(value, "bot");

	if (!bot && !span_eq_nocase(value, "open"))
		return refuse(
		    s, "VACANT is BOT, so that the server plays a vacant seat, or OPEN.");
	s->out->vacant_bot = bot;
	return true;
}

static void format_vacant(const struct calendar *c, struct strbuf *out)
{
	strbuf_adds(out, c->vacant_bot ? "bot" : "open");
}

static const struct setting_row {
	const char *name;
	bool (*set)(struct setting *s, struct span value);
	void (*format)(const struct calendar *c, struct strbuf *out);
} rows[] = {
    {"days", set_days, format_days},       {"at", set_at, format_at},
    {"zone", set_zone, format_zone},       {"grace", set_grace, format_grace},
    {"delay", set_delay, format_delay},    {"holidays", set_holidays, holidays_format},
    {"phase", set_phase, format_phase},    {"quiet", set_quiet, format_quiet},
    {"remind", set_remind, format_remind}, {"misses", set_misses, format_misses},
    {"vacant", set_vacant, format_vacant},
};
enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

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
	struct setting s = {.out = &changed, .arena = arena, .why = why};

	for (size_t i = 0; i < NROWS; i++) {
		if (!span_eq_nocase(name, rows[i].name))
			continue;
		if (!rows[i].set(&s, value))
			return false;
		*c = changed;
		return true;
	}
	strbuf_addf(why, "'%.*s' is nothing of a calendar.", SPAN_ARGS(name));
	return false;
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
	for (size_t i = 0; i < NROWS; i++) {
		strbuf_clear(&value);
		strbuf_clear(&other);
		rows[i].format(c, &value);
		rows[i].format(&usual, &other);
		if (!span_eq(strbuf_span(&value), strbuf_span(&other)))
			strbuf_addf(out, "%s%s=%s", out->len > 0 ? " " : "", rows[i].name,
			            value.ptr);
	}
	strbuf_release(&value);
	strbuf_release(&other);
}
