/*
 * zone.h - what the clocks of a place show: time zones of the IANA database. Pure.
 *
 * A zone is made from the bytes of a TZif file (RFC 8536; Debian has them under
 * /usr/share/zoneinfo); behind its last change the rule in its footer goes on for ever. Only
 * people see local times: everything stored, signed or compared is UTC.
 */
#ifndef MOLEPOST_BASE_ZONE_H
#define MOLEPOST_BASE_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct zone;

/* "Europe/Berlin": letters, digits, '_', '+', '-', '/' and no part that begins with a dot. */
bool zone_name_ok(struct span name);
/*
 * Everything in `arena`; `tzif` is copied. ERR_INVALID when it is no TZif file of version 2 or
 * later, or says something impossible.
 */
enum err zone_read(struct span tzif, const char *name, struct arena *arena,
                   const struct zone **out, struct failure *e) MUST_CHECK;
const char *zone_name(const struct zone *z);
/* Seconds to add to UTC, from -26 h to 26 h. */
int zone_offset_s(const struct zone *z, int64_t t_utc);
/* For people: "Thu 12 Mar 2026 19:02 Europe/Berlin"; NULL is UTC, said so. */
void zone_format_local(struct strbuf *out, const struct zone *z, int64_t t_utc);
/* The same without its year, for a time that is near. */
void zone_format_near(struct strbuf *out, const struct zone *z, int64_t t_utc);
/* What belongs beside it: "18:02 UTC", with the day of the week where it is another. */
void zone_format_utc_hour(struct strbuf *out, const struct zone *z, int64_t t_utc);
/* Both: "Thu 12 Mar 2026 19:02 Europe/Berlin (18:02 UTC)"; NULL: "Thu 12 Mar 2026 18:02 UTC". */
void zone_format_human(struct strbuf *out, const struct zone *z, int64_t t_utc);

#endif
