/*
 * zones.h - the time zones people name, from the system's database (package tzdata).
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_ZONES_H
#define MOLEPOST_PROCESSOR_SERVER_ZONES_H

#include "processor/base/zone.h"
#include "processor/server/server.h"
#include "store/players.h"

enum { ZONE_MATCHES = 8 };

/*
 * The zone of this name, "" is the configuration's; NULL is UTC, and any zone that the system no
 * longer has. Lives as long as the server.
 */
const struct zone *zone_named(struct server *srv, struct span name);
/*
 * The zone in which `reader` is shown times: their own, else the configuration's; as zone_named.
 * `reader` may be NULL.
 */
const struct zone *zone_of_reader(struct server *srv, const struct player *reader);
/*
 * A moment as the clocks of a zone (NULL = UTC) show it, for people: zone_format_human in the
 * arena.
 */
const char *zone_human(const struct zone *zone, int64_t t_utc, struct arena *arena);
/*
 * The zone of exactly this name, kept until the server is closed. ERR_NOT_FOUND, ERR_INVALID,
 * ERR_IO.
 */
enum err zone_load(struct server *srv, struct span name, const struct zone **out,
                   struct failure *e) MUST_CHECK;
/*
 * The database's names for what somebody typed: a whole name, or its last part ("new york"), in any
 * case, blanks for '_'. At most ZONE_MATCHES, in the arena of the server; *n counts them. Links to
 * other names are passed over unless they are all there is.
 */
void zones_match(struct server *srv, struct span typed, const char **out, size_t *n);

#endif
