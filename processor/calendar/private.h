/*
 * private.h - between the files of deadline.h; nobody else includes this.
 */
#ifndef MOLEPOST_PROCESSOR_CALENDAR_PRIVATE_H
#define MOLEPOST_PROCESSOR_CALENDAR_PRIVATE_H

#include "processor/calendar/deadline.h"

/* "12-24..12-26,2027-04-05", "none". False, and *c may have changed, when it is no such thing. */
bool holidays_parse(struct calendar *c, struct span text);
void holidays_format(const struct calendar *c, struct strbuf *out);

#endif
