/*
 * deadline_parts.h - between the files of deadline.h; nobody else includes this.
 */
#ifndef MOLEPOST_PROCESSOR_DEADLINE_PARTS_H
#define MOLEPOST_PROCESSOR_DEADLINE_PARTS_H

#include "processor/deadline.h"

/* "12-24..12-26,2027-04-05", "none". False, and *c may have changed, when it is no such thing. */
bool holidays_parse(struct calendar *c, struct span text);
void holidays_format(const struct calendar *c, struct strbuf *out);

#endif
