/*
 * zone.c - TZif files and the rule in their footer (RFC 8536, POSIX.1-2008 section 8.3).
 *
 * Trusts nothing in the file.
 */
#include "processor/base/zone.h"

#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/num.h"

enum {
	HEADER = 44,
	TYPE_BYTES = 6,
	MINUTE = 60,
	HOUR = 3600,
	DAY = 86400,
	OFFSET_MOST = 26 * HOUR,
	RULE_HOURS = 167,     /* RFC 8536, 3.3.1 */
	ENTRIES_MOST = 10000, /* of each table; the largest zones have some 250 */
	NAME_MOST = 64
};

/* The day and time of a change to or from summer time. */
struct change {
	char
	    form; /* 'J': day 1-365 without leap days, 'N': day 0-365, 'M': month, week, weekday */
	int day, month, week;
	int at_s; /* local time, from midnight */
};

struct zone {
	const char *name;
	/* Before the first change, and from each change on. */
	int first_offset;
	const int64_t *changes;
	const int *offsets;
	size_t n;
	/* From the last change on, when has_rule. */
	bool has_rule, has_summer;
	int winter_offset, summer_offset;
	struct change begin, end; /* of summer time */
};

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '+' || c == '-';
}

bool zone_name_ok(struct span name)
{
	bool part_begins = true;

	for (size_t i = 0; i < name.len; i++) {
		if (!is_name_byte(name.ptr[i]) && (name.ptr[i] != '/' || part_begins))
			return false;
		part_begins = name.ptr[i] == '/';
	}
	return name.len > 0 && name.len <= NAME_MOST && !part_begins;
}

const char *zone_name(const struct zone *z)
{
	return z->name;
}

/* ---- the footer ---- */

static bool take_char(struct span *s, char c)
{
	if (s->len == 0 || s->ptr[0] != c)
		return false;
	*s = span_slice(*s, 1, s->len);
	return true;
}

static bool take_number(struct span *s, unsigned max, int *out)
{
	size_t n = 0;
	unsigned value;

	while (n < s->len && s->ptr[n] >= '0' && s->ptr[n] <= '9')
		n++;
	if (!num_parse_uint(span_slice(*s, 0, n), 0, max, &value))
		return false;
	*s = span_slice(*s, n, s->len);
	*out = (int)value;
	return true;
}

/* "CET", "<+0330>" */
static bool take_abbreviation(struct span *s)
{
	size_t n = 0;

	if (take_char(s, '<')) {
		n = span_find_char(*s, '>');
		*s = span_slice(*s, n, s->len);
		return take_char(s, '>');
	}
	while (n < s->len && ((s->ptr[n] | 0x20) >= 'a' && (s->ptr[n] | 0x20) <= 'z'))
		n++;
	*s = span_slice(*s, n, s->len);
	return n >= 3;
}

/* "-1", "3:30", "+02:00:00", in seconds. */
static bool take_time(struct span *s, unsigned max_hours, int *seconds)
{
	bool minus = take_char(s, '-');
	int hours, minutes = 0, rest = 0;

	if (!minus)
		(void)take_char(s, '+');
	if (!take_number(s, max_hours, &hours))
		return false;
	if (take_char(s, ':') && !take_number(s, 59, &minutes))
		return false;
	if (take_char(s, ':') && !take_number(s, 59, &rest))
		return false;
	*seconds = (hours * HOUR + minutes * MINUTE + rest) * (minus ? -1 : 1);
	return true;
}

/* "M3.5.0", "J60", "59", each perhaps with "/3". */
static bool take_change(struct span *s, struct change *c)
{
	bool ok;

	*c = (struct change){.form = 'N', .at_s = 2 * HOUR};
	if (take_char(s, 'M')) {
		c->form = 'M';
		ok = take_number(s, 12, &c->month) && c->month >= 1 && take_char(s, '.') &&
		     take_number(s, 5, &c->week) && c->week >= 1 && take_char(s, '.') &&
		     take_number(s, 6, &c->day);
	} else if (take_char(s, 'J')) {
		c->form = 'J';
		ok = take_number(s, 365, &c->day) && c->day >= 1;
	} else {
		ok = take_number(s, 365, &c->day);
	}
	return ok && (!take_char(s, '/') || take_time(s, RULE_HOURS, &c->at_s));
}

/* "CET-1CEST,M3.5.0,M10.5.0/3"; the sign of an offset is that of the way west. */
static bool read_rule(struct zone *z, struct span s)
{
	int west;

	z->has_rule = s.len > 0;
	if (!z->has_rule)
		return true;
	if (!take_abbreviation(&s) || !take_time(&s, 24, &west))
		return false;
	z->winter_offset = -west;
	z->summer_offset = -west + HOUR;
	z->has_summer = s.len > 0;
	if (!z->has_summer)
		return true;
	if (!take_abbreviation(&s))
		return false;
	if (s.len > 0 && s.ptr[0] != ',') {
		if (!take_time(&s, 24, &west))
			return false;
		z->summer_offset = -west;
	}
	return take_char(&s, ',') && take_change(&s, &z->begin) && take_char(&s, ',') &&
	       take_change(&s, &z->end) && s.len == 0;
}

/* ---- the file ---- */

struct counts {
	size_t isut, isstd, leap, time, type, chars;
};

static uint32_t read_u32(const char *p)
{
	const unsigned char *b = (const unsigned char *)p;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static int64_t read_i64(const char *p)
{
	return (int64_t)((uint64_t)read_u32(p) << 32 | read_u32(p + 4));
}

/* Takes a header off *rest. */
static bool take_header(struct span *rest, struct counts *c)
{
	const char *p = rest->ptr;
	size_t *const fields[] = {&c->isut, &c->isstd, &c->leap, &c->time, &c->type, &c->chars};

	if (rest->len < HEADER || memcmp(p, "TZif", 4) != 0 || p[4] < '2')
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		*fields[i] = read_u32(p + 20 + 4 * i);
		if (*fields[i] > ENTRIES_MOST)
			return false;
	}
	*rest = span_slice(*rest, HEADER, rest->len);
	return c->type > 0;
}

static size_t data_bytes(const struct counts *c, size_t time_size)
{
	return c->time * (time_size + 1) + c->type * TYPE_BYTES + c->chars +
	       c->leap * (time_size + 4) + c->isstd + c->isut;
}

static bool read_offset(const char *types, size_t type, int *out)
{
	*out = (int)(int32_t)read_u32(types + type * TYPE_BYTES);
	return *out >= -OFFSET_MOST && *out <= OFFSET_MOST;
}

static bool read_tables(struct zone *z, struct span data, const struct counts *c,
                        struct arena *arena)
{
	int64_t *changes = arena_calloc(arena, c->time + 1, sizeof(*changes));
	int *offsets = arena_calloc(arena, c->time + 1, sizeof(*offsets));
	const char *indexes = data.ptr + c->time * 8, *types = indexes + c->time;

	z->changes = changes;
	z->offsets = offsets;
	z->n = c->time;
	if (!read_offset(types, 0, &z->first_offset))
		return false;
	for (size_t i = 0; i < c->time; i++) {
		size_t type = (unsigned char)indexes[i];

		changes[i] = read_i64(data.ptr + 8 * i);
		if (type >= c->type || !read_offset(types, type, &offsets[i]) ||
		    (i > 0 && changes[i] <= changes[i - 1]))
			return false;
	}
	return true;
}

/* The file holds everything twice, the first time in 32 bits: that part is passed over. */
static bool read_file(struct zone *z, struct span rest, struct arena *arena)
{
	struct counts c;
	size_t size;

	if (!take_header(&rest, &c) || rest.len < data_bytes(&c, 4))
		return false;
	rest = span_slice(rest, data_bytes(&c, 4), rest.len);
	if (!take_header(&rest, &c) || rest.len < data_bytes(&c, 8))
		return false;
	size = data_bytes(&c, 8);
	if (!read_tables(z, span_slice(rest, 0, size), &c, arena))
		return false;
	rest = span_slice(rest, size, rest.len);
	return take_char(&rest, '\n') && rest.len > 0 && rest.ptr[rest.len - 1] == '\n' &&
	       read_rule(z, span_slice(rest, 0, rest.len - 1));
}

enum err zone_read(struct span tzif, const char *name, struct arena *arena,
                   const struct zone **out, struct failure *e)
{
	struct zone *z = arena_calloc(arena, 1, sizeof(*z));

	z->name = arena_strdup(arena, name);
	if (!read_file(z, tzif, arena))
		return err_set(e, ERR_INVALID, "the time zone file of %s cannot be read", name);
	*out = z;
	return ERR_NONE;
}

/* ---- asking ---- */

static bool is_leap_year(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Midnight UTC of the day of a change, as if the place were at UTC. */
static int64_t day_of_change(const struct change *c, int year)
{
	struct utc_time t = {.year = year, .month = 1, .day = 1};
	int first;

	if (c->form == 'J')
		t.day = c->day + (is_leap_year(year) && c->day >= 60);
	else if (c->form == 'N')
		t.day = c->day + 1;
	else
		t.month = c->month;
	if (c->form != 'M')
		return utc_join(&t);
	first = (utc_split(utc_join(&t)).weekday + 1) % 7; /* Sunday = 0, as the rule counts */
	t.day = 1 + (c->day - first + 7) % 7 + (c->week - 1) * 7;
	while (utc_split(utc_join(&t)).month != c->month)
		t.day -= 7;
	return utc_join(&t);
}

static int offset_by_rule(const struct zone *z, int64_t t_utc)
{
	int year = utc_split(t_utc + z->winter_offset).year;
	int64_t begin, end;
	bool summer;

	if (!z->has_summer)
		return z->winter_offset;
	begin = day_of_change(&z->begin, year) + z->begin.at_s - z->winter_offset;
	end = day_of_change(&z->end, year) + z->end.at_s - z->summer_offset;
	if (begin < end)
		summer = t_utc >= begin && t_utc < end;
	else
		summer = t_utc >= begin || t_utc < end;
	return summer ? z->summer_offset : z->winter_offset;
}

int zone_offset_s(const struct zone *z, int64_t t_utc)
{
	size_t low = 0,
	       high = z->n; /* the changes before `low` are past, those from `high` to come */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (z->changes[middle] <= t_utc)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == z->n && z->has_rule)
		return offset_by_rule(z, t_utc);
	return low > 0 ? z->offsets[low - 1] : z->first_offset;
}

void zone_format_local(struct strbuf *out, const struct zone *z, int64_t t_utc)
{
	size_t start = out->len;

	utc_format_human(out, z ? t_utc + zone_offset_s(z, t_utc) : t_utc);
	if (!z)
		return;
	ENSURE(out->len > start + 3);
	strbuf_truncate(out, out->len - 3); /* "UTC" */
	strbuf_adds(out, z->name);
}

void zone_format_near(struct strbuf *out, const struct zone *z, int64_t t_utc)
{
	enum { BEFORE_YEAR = 3 }; /* "Thu 12 Mar" */
	struct strbuf whole = STRBUF_INIT;
	struct span rest, word;

	zone_format_local(&whole, z, t_utc);
	rest = strbuf_span(&whole);
	for (size_t n = 0; span_next_word(&rest, "", &word); n++)
		if (n != BEFORE_YEAR)
			strbuf_addf(out, "%s%.*s", n == 0 ? "" : " ", SPAN_ARGS(word));
	strbuf_release(&whole);
}

void zone_format_utc_hour(struct strbuf *out, const struct zone *z, int64_t t_utc)
{
	static const char *const weekdays[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
	struct utc_time utc = utc_split(t_utc);
	struct utc_time local = utc_split(t_utc + zone_offset_s(z, t_utc));

	if (utc.day != local.day)
		strbuf_addf(out, "%s ", weekdays[utc.weekday]);
	strbuf_addf(out, "%02d:%02d UTC", utc.hour, utc.minute);
}

void zone_format_human(struct strbuf *out, const struct zone *z, int64_t t_utc)
{
	zone_format_local(out, z, t_utc);
	if (!z)
		return;
	strbuf_adds(out, " (");
	zone_format_utc_hour(out, z, t_utc);
	strbuf_addc(out, ')');
}
