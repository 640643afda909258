/*
 * seat_renumber.h - a seat of a game that has not begun goes, and those behind it move up.
 *
 * With a seat go the messages of whoever left it; all else that is known by the number of a seat follows
 * its person: mails, messages and diaries (whose seals are bound to the number), reply addresses that were
 * declared void, held mails. Reply addresses themselves do not: the caller renews those of all who moved,
 * or an earlier one of one person would be another's.
 */
#ifndef MOLEPOST_STORE_SEAT_RENUMBER_H
#define MOLEPOST_STORE_SEAT_RENUMBER_H

#include "store/engine/store.h"

/* Inside a transaction. ERR_INVALID when the game has begun. */
enum err seat_close_up(struct store *s, int64_t game, unsigned seat,
                       struct arena *arena) MUST_CHECK;

#endif
