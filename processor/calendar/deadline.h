/*
 * deadline.h - when a turn ends, and when somebody is reminded of it. Pure: every time is
 * handed in.
 *
 * A turn ends when all orders are in, at the latest at its deadline. The calendar of a game
 * says when that is: the first moment that lies NEXT or more after the opening of the turn, on
 * a day of the week and of the year on which turns may end, at the hour that is named if one
 * is. Days and hours are those of the clocks of one place. Where these are put forward or back
 * (RFC 5545, 3.3.5): an hour that is skipped counts by the clock from before, so that 02:30 is
 * the moment shown as 03:30; of an hour that comes twice the first is meant.
 *
 *	opening --- NEXT --- [first permitted moment] = deadline --- GRACE --- end
 *
 * Behind the deadline orders that were in time can no longer be changed; who has sent none may
 * still do so until the grace is over. DELAY goes the other way: after the last orders the turn
 * stays open for so long, for second thoughts, but never past the deadline.
 *
 * An interval is written as a number and a unit: 3D, 12H, 45M, 2W; also "3 days", "90 minutes".
 */
#ifndef MOLEPOST_PROCESSOR_CALENDAR_DEADLINE_H
#define MOLEPOST_PROCESSOR_CALENDAR_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"
#include "processor/base/zone.h"

/* ---- what is to be done with a turn ---- */

enum deadline_verdict {
	DEADLINE_WAIT,   /* nothing to do before `next_look_utc` */
	DEADLINE_SEAL,   /* all orders are in */
	DEADLINE_DEFAULT /* the deadline has passed: seal with defaults for the missing */
};

struct deadline_input {
	int64_t now_utc;
	int64_t read_through_utc;     /* every source has been read up to this moment */
	int64_t deadline_utc;         /* 0 = none */
	uint32_t owes, have, waiting; /* seats, bit seat-1 */
	bool held;
	int64_t grace_utc;  /* end of the grace; 0 = none */
	int64_t settle_utc; /* end of the delay after the last orders; 0 = none */
	uint32_t
	    covered; /* for them something steps in at the deadline: no grace is waited for */
	uint32_t vacant; /* nobody has them: not waited for where others owe orders too */
};

struct deadline_answer {
	enum deadline_verdict verdict;
	int64_t next_look_utc; /* 0 = only new orders can change it */
};

/*
 * Mail of the very second of the deadline is in time, so now and read_through must both be
 * later than it; so with the ends of grace and delay. SET WAIT counts only for seats that owe
 * orders. Where only vacant seats owe any, the deadline is waited for: until then somebody may take one.
 */
struct deadline_answer deadline_decide(const struct deadline_input *in);

/* ---- the calendar of a game ---- */

enum {
	CALENDAR_PHASES = 4,
	CALENDAR_HOLIDAYS = 24,
	CALENDAR_REMINDERS = 4,
	CALENDAR_ALL_DAYS = 127,
	CALENDAR_ANY_HOUR = -1
};

/* A day of a year, or (year 0) of every year. */
struct calendar_day {
	int year, month, day;
};

/* Whether that year has it, or (0) any year. */
bool calendar_day_exists(const struct calendar_day *d, int year);

struct calendar {
	int64_t next_s;
	unsigned days; /* on which turns may end: bit 0 = Monday ... bit 6 = Sunday; never 0 */
	int at_min;    /* minute of the day at which they end, or CALENDAR_ANY_HOUR */
	struct span zone; /* name of the place whose clocks count; "" = the server's */
	/* No turn ends from the first to the last day of each. */
	struct calendar_holiday {
		struct calendar_day first, last;
	} holidays[CALENDAR_HOLIDAYS];
	size_t nholidays;
	/*
	 * Turns with another NEXT: `name` is a word of the turn's label ("set-up"; dashes do not
	 * count), or a number, rules->phase.
	 */
	struct calendar_phase {
		struct span name;
		int64_t next_s;
	} phases[CALENDAR_PHASES];
	size_t nphases;
	int64_t grace_s, delay_s; /* 0 = none */
	bool keeps_quiet;         /* no deadline in the quiet hours of a player it is for */
	int64_t remind_s[CALENDAR_REMINDERS]; /* so long before the deadline, longest first */
	size_t nreminders;
	unsigned
	    misses; /* so many turns running without orders make a seat vacant; 0 = none do */
	bool vacant_bot; /* the server plays such a seat */
};

/* Turns end on any day at any hour, reminders 24 and 4 hours before, 3 misses; next_s is 0. */
void calendar_init(struct calendar *c);
/*
 * Sets one thing as CREATE and molepost.conf name them: days "mon-fri,sun" or "-MTWTF-", at
 * "20:00", zone, grace "6H" or "0", delay, holidays "2026-12-24..2027-01-02,05-01" or "none",
 * phase "set-up:5D" (one more), quiet "on" or "off", remind "24H,4H" or "none", misses, vacant
 * "bot" or "open". Spans are copied to `arena`. False with a sentence in `why`; *c is then as
 * before.
 */
bool calendar_set(struct calendar *c, struct span name, struct span value, struct arena *arena,
                  struct strbuf *why);
/* "name=value" words, as calendar_format writes them; what is not named stays. */
bool calendar_parse(struct calendar *c, struct span text, struct arena *arena,
                    struct strbuf *why);
/* All but next_s that differs from calendar_init, in a fixed order. */
void calendar_format(const struct calendar *c, struct strbuf *out);
/*
 * For people: "Mon-Fri at 20:00 Europe/Berlin, at least 24 h, then 6 h of grace"; nothing when all
 * there is to say is how long a turn lasts. `place` is what the zone is called, "UTC".
 */
void calendar_words(const struct calendar *c, const char *place, struct strbuf *out);
/* What the calendar says about the length of a turn with this label and number. */
int64_t calendar_length(const struct calendar *c, struct span label, unsigned phase);

/* Hours in which somebody wants to be left alone, by their clocks; none when both are the same. */
struct quiet {
	const struct zone *zone; /* NULL = UTC */
	int from_min, to_min;    /* minutes of the day; may pass midnight */
};
bool quiet_is_on(const struct quiet *q);
/* "20:00", "8:30", "20": minutes of the day. False when it is no such thing. */
bool hour_parse(struct span text, int *minute);
/* "22:00 to 07:00" or "22-7". False when it is no such thing. */
bool quiet_parse(struct span text, int *from_min, int *to_min);
/* Whether the moment lies in them; *ends_utc is then when they end. */
bool quiet_holds(const struct quiet *q, int64_t t_utc, int64_t *ends_utc);

/*
 * The deadline of a turn of this length, opened at `opened_utc`; to the minute. `quiet`: of the
 * players it is for, looked at when the game keeps them; where the hours of all leave no moment
 * of a day free they are passed over. A calendar without any day on which turns may end is too.
 * NULL = UTC.
 */
int64_t calendar_deadline(const struct calendar *c, const struct zone *zone,
                          const struct quiet *quiet, size_t nquiet, int64_t opened_utc,
                          int64_t length_s);
/* A time in which a player is away. */
struct away {
	int64_t from_utc, until_utc; /* the first moment behind it */
};
/*
 * A deadline that is in nobody's absence: `deadline_utc`, or the first moment that the calendar
 * allows a day or more after the return of whoever is away then. `quiet` as above.
 */
int64_t calendar_behind(const struct calendar *c, const struct zone *zone,
                        const struct quiet *quiet, size_t nquiet, const struct away *away,
                        size_t naway, int64_t deadline_utc);
/* The moment at which the clocks of a place show this; `local_s` counts as if it were UTC. */
int64_t zone_moment(const struct zone *z, int64_t local_s);

/* ---- reminders ---- */

struct reminder {
	int64_t at_utc;
	int64_t before_s; /* 0: at the deadline, when there is grace */
	bool nudged;      /* because another player has asked for it */
};
/*
 * When one player is to be reminded of one deadline, in order of time; at most
 * CALENDAR_REMINDERS + 1. None that would come no later than the opening of the turn, none in
 * quiet hours: those are put off to their end if that leaves time, else they come shortly
 * before.
 */
size_t reminders_plan(const struct calendar *c, const struct quiet *q, int64_t opened_utc,
                      int64_t deadline_utc, int64_t grace_utc,
                      struct reminder out[CALENDAR_REMINDERS + 1]);

/* ---- lengths of time ---- */

/* 1 minute to 366 days. False otherwise. */
bool interval_parse(struct span text, int64_t *seconds);
/* "3D", "36H": the largest unit that divides it. */
void interval_format(struct strbuf *out, int64_t seconds);
/* For people: "24 h", "45 min", "3 days". */
void interval_words(struct strbuf *out, int64_t seconds);

#endif
