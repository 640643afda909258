/*
 * config_clocks.c - the clocks of games whose creators say nothing else, and lost time.
 *
 * What CREATE knows too, but for `next`, is read as CREATE reads it (deadline.h), so that the two
 * cannot differ.
 */
#include "processor/server/private.h"

const char *config_read_next(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	return interval_parse(value, &c->next_s) ? NULL : "a length of time such as 3D or 12H";
}

#define CALENDAR_KEY(key, wanted)                                                         \
	const char *config_read_##key(struct config *c, struct span value,                \
	                              struct arena *arena)                                \
	{                                                                                 \
		struct strbuf why = STRBUF_INIT;                                          \
		bool ok = calendar_set(&c->calendar, SPAN_LIT(#key), value, arena, &why); \
                                                                                          \
		strbuf_release(&why);                                                     \
		return ok ? NULL : (wanted);                                              \
	}

CALENDAR_KEY(days, "days of the week such as mon-fri or sat,sun")
CALENDAR_KEY(at, "an hour of the day such as 20:00, or any")
CALENDAR_KEY(grace, "a length of time such as 6H, or 0")
CALENDAR_KEY(delay, "a length of time such as 30M, or 0")
CALENDAR_KEY(holidays, "days such as 12-24..12-26,2027-01-01, or none")
CALENDAR_KEY(remind, "lengths of time, the longest first, such as 24H,4H, or none")
CALENDAR_KEY(misses, "a number from 0 to 100")
CALENDAR_KEY(vacant, "open or bot")

const char *config_read_outage(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	if (span_eq_str(value, "off")) {
		c->outage.least_s = 0;
		return NULL;
	}
	return interval_parse(value, &c->outage.least_s)
	           ? NULL
	           : "a length of time such as 2H, or off";
}

const char *config_read_run_every(struct config *c, struct span value, struct arena *arena)
{
	(void)arena;
	if (span_eq_str(value, "auto")) {
		c->outage.every_s = 0;
		return NULL;
	}
	return interval_parse(value, &c->outage.every_s)
	           ? NULL
	           : "a length of time such as 5M, or auto";
}
