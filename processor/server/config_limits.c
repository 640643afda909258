/*
 * config_limits.c - the limits of molepost.conf, and the keys about messages and observers.
 *
 * Each has the range that is safe: a parser that looks at longer headers or at more parts can be
 * made to use up its stack or its time (mail.h, struct mail_limits).
 */
#include "processor/server/private.h"

#include "processor/base/num.h"
#include "processor/calendar/deadline.h"

enum { KIB = 1024, MIB = 1024 * 1024, DAY_S = 86400, KEEP_LEAST_S = 7 * DAY_S };

static bool read_size(struct span value, unsigned min, unsigned max, unsigned *out)
{
	unsigned unit = 1, number;

	if (value.len > 0 && value.ptr[value.len - 1] == 'K')
		unit = KIB;
	else if (value.len > 0 && value.ptr[value.len - 1] == 'M')
		unit = MIB;
	if (unit != 1)
		value = span_slice(value, 0, value.len - 1);
	if (!num_parse_uint(value, (min + unit - 1) / unit, max / unit, &number))
		return false;
	*out = number * unit;
	return true;
}

const char *config_read_max_mail_size(struct config *c, struct span value, struct arena *arena)
{
	unsigned size;

	(void)arena;
	if (!read_size(value, 4 * KIB, 64 * MIB, &size))
		return "a size from 4K to 64M, such as 1M";
	c->limits.max_size = size;
	return NULL;
}

const char *config_read_max_header_size(struct config *c, struct span value,
                                        struct arena *arena)
{
	(void)arena;
	return read_size(value, KIB, 64 * KIB, &c->limits.header_bytes)
	           ? NULL
	           : "a size from 1K to 64K";
}

const char *config_read_max_text_size(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_size(value, KIB, 64 * KIB, &c->limits.text_bytes) ? NULL
	                                                              : "a size from 1K to 64K";
}

/* A key whose value is a number. The range stands twice: as numbers and in words. */
#define NUMBER_KEY(name, member, min, max)                                                 \
	const char *config_read_##name(struct config *c, struct span value,                \
	                               struct arena *arena)                                \
	{                                                                                  \
		(void)arena;                                                               \
		return num_parse_uint(value, min, max, &c->member) ? NULL                  \
		                                                   : "a number from " #min \
		                                                     " to " #max;          \
	}

/* A length of time for which something is kept. */
#define KEEP_KEY(name, member)                                                      \
	const char *config_read_##name(struct config *c, struct span value,         \
	                               struct arena *arena)                         \
	{                                                                           \
		(void)arena;                                                        \
		return read_keep(value, &c->keep.member)                            \
		           ? NULL                                                   \
		           : "a length of time from 7D on such as 180D, or always"; \
	}

/* Less would take from a player what they may still answer, or from a mail that comes back its trail. */
static bool read_keep(struct span value, int64_t *out)
{
	*out = 0;
	return span_eq_str(value, "always") ||
	       (interval_parse(value, out) && *out >= KEEP_LEAST_S);
}

KEEP_KEY(keep_texts, texts_s)
KEEP_KEY(keep_inbox, inbox_s)
KEEP_KEY(keep_outbox, outbox_s)
KEEP_KEY(keep_audit, audit_s)
KEEP_KEY(keep_runs, runs_s)
KEEP_KEY(keep_quarantine, quarantine_s)

NUMBER_KEY(max_header_fields, limits.header_fields, 10, 500)
NUMBER_KEY(max_parts, limits.parts, 1, 64)
NUMBER_KEY(max_depth, limits.depth, 1, 64)
NUMBER_KEY(max_recipients, limits.recipients, 1, 500)
NUMBER_KEY(max_text_lines, limits.text_lines, 10, 2000)
NUMBER_KEY(max_parse_seconds, max_parse_seconds, 1, 60)
NUMBER_KEY(max_commands, max_commands, 1, 1000)
NUMBER_KEY(max_mails_per_day, max_mails_per_day, 1, 100000)
NUMBER_KEY(answers_per_day, answers_per_day, 1, 10000)
NUMBER_KEY(answers_per_domain, answers_per_domain, 1, 100000)
NUMBER_KEY(answers_to_strangers, answers_to_strangers, 1, 100000)
NUMBER_KEY(receipts_per_day, receipts_per_day, 1, 10000)
NUMBER_KEY(press_per_day, press_per_day, 1, 1000)
NUMBER_KEY(invites_per_day, invites_per_day, 0, 1000)
NUMBER_KEY(max_observers, max_observers, 0, 10000)
NUMBER_KEY(absence_days, absence_days, 0, 366)
NUMBER_KEY(absence_days_per_year, absence_days_per_year, 0, 366)
NUMBER_KEY(max_observed, max_observed, 1, 10000)
NUMBER_KEY(first_game, first_game, 1, 1000000000)

const char *config_read_max_press_size(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return read_size(value, 256, 64 * KIB, &c->max_press_size) ? NULL
	                                                           : "a size from 256 to 64K";
}

const char *config_read_press(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	if (span_eq_str(value, "white"))
		c->press.mode = PRESS_WHITE;
	else if (span_eq_str(value, "grey"))
		c->press.mode = PRESS_GREY;
	else if (span_eq_str(value, "none"))
		c->press.mode = PRESS_NONE;
	else
		return "white, grey or none";
	return NULL;
}

const char *config_read_press_delivery(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	c->press.waits = span_eq_str(value, "report");
	return c->press.waits || span_eq_str(value, "now") ? NULL : "now or report";
}

const char *config_read_observers(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	if (span_eq_str(value, "now"))
		c->press.observers = OBSERVERS_NOW;
	else if (span_eq_str(value, "report"))
		c->press.observers = OBSERVERS_REPORT;
	else if (span_eq_str(value, "none"))
		c->press.observers = OBSERVERS_NONE;
	else
		return "now, report or none";
	return NULL;
}

void config_usual_limits(struct config *c)
{
	c->keep = (struct keep_rules){.texts_s = 180 * DAY_S,
	                              .inbox_s = 365 * DAY_S,
	                              .outbox_s = 365 * DAY_S,
	                              .audit_s = 365 * DAY_S,
	                              .runs_s = 365 * DAY_S,
	                              .quarantine_s = 180 * DAY_S};
	c->limits = mail_usual_limits;
	c->max_parse_seconds = 2;
	c->max_commands = 100;
	c->max_mails_per_day = 200;
	c->answers_per_day = 10;
	c->receipts_per_day = 100;
	c->max_press_size = 4 * KIB;
	c->press_per_day = 20;
	c->invites_per_day = 10;
	c->max_observers = 50;
	c->absence_days = 21;
	c->absence_days_per_year = 42;
	c->max_observed = 20;
	c->first_game = 1;
}
