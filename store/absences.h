/*
 * absences.h - when players have said they are away.
 */
#ifndef MOLEPOST_STORE_ABSENCES_H
#define MOLEPOST_STORE_ABSENCES_H

#include "store/engine/store.h"

struct absence {
	int64_t player;
	int64_t from_utc, until_utc; /* from the first moment to the first one behind it */
	int64_t asked_utc;
	int64_t mail; /* inbox id */
};

/* ERR_EXISTS when one of this player begins at the same moment. */
enum err absence_add(struct store *s, const struct absence *a) MUST_CHECK;
/*
 * Makes room for another one: an absence of the player's that begins in this time is gone, one
 * that has begun before and lasts into it ends where it begins.
 */
enum err absence_cut(struct store *s, int64_t player, int64_t from_utc,
                     int64_t until_utc) MUST_CHECK;
/* Those of one player that end after `after_utc`, in order of time; in `arena`. */
enum err absence_list(struct store *s, int64_t player, int64_t after_utc, struct arena *arena,
                      struct absence **out, size_t *n) MUST_CHECK;

#endif
