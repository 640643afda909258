/*
 * sender_counts.h - how many mails an address has sent today.
 */
#ifndef MOLEPOST_STORE_SENDER_COUNTS_H
#define MOLEPOST_STORE_SENDER_COUNTS_H

#include "store/engine/store.h"

struct sender_day {
	unsigned mails; /* counted so far */
	bool told;      /* that there were too many */
};

/* All zero: none yet. `day` in days since 1970, UTC. */
enum err sender_day_get(struct store *s, struct span address, bool proven, int64_t day,
                        struct sender_day *out) MUST_CHECK;
/*
 * Counts one mail; `before` is as sender_day_get has it. `proven` mails of an address are counted apart from
 * those that only claim to come from it. Rows of days before the one before it are deleted.
 */
enum err sender_count(struct store *s, struct span address, bool proven, int64_t day,
                      const struct sender_day *before) MUST_CHECK;
/* Remembers that the sender has been told. */
enum err sender_mark_told(struct store *s, struct span address, bool proven,
                          int64_t day) MUST_CHECK;

#endif
