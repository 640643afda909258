/*
 * match_record.h - a game's record put together from the store's rows, for archive.h.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_MATCH_RECORD_H
#define MOLEPOST_PROCESSOR_MATCH_MATCH_RECORD_H

#include "processor/archive/archive.h"
#include "processor/match/match.h"

/* The header's values and an empty list of turns; everything in the match's arena. */
enum err record_header(struct server *srv, struct match *match, struct record *out) MUST_CHECK;
/* One turn from a loaded order set and what came out of it. */
void record_turn_of(const struct match *match, const struct turn *turn,
                    const struct order_set *set, struct span chance, struct span state,
                    const struct hash *state_hash, struct record_turn *out);
/* The public log entries that belong to this turn: "2026-03-12T18:02:00Z operator: held: ...". */
enum err record_actions(struct server *srv, const struct match *match, unsigned serial,
                        struct record_turn *out) MUST_CHECK;
/* One more, which is not in the log yet. */
void record_add_action(struct arena *arena, struct record_turn *turn, int64_t at_utc,
                       const char *actor, const char *what);
/* The whole game as far as its turns are resolved. */
enum err record_load(struct server *srv, struct match *match, struct record *out) MUST_CHECK;
/* The archive's text; of a game taken over from one, that very text. */
enum err record_text(struct server *srv, struct match *match, struct strbuf *out) MUST_CHECK;

#endif
