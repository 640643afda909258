/*
 * digests.h - digests that were sent: whose, and which turns were open when they were written; and
 * mails that wait for another mail to bring them.
 *
 * What a player does not want to get by itself (players.h, enum mail_mode) is added to the outbox as
 * ENCLOSED: numbered and sealed like any mail, never sent. Its text waits here until the report of its
 * game, or a digest, is written; both happen in one transaction with that mail.
 */
#ifndef MOLEPOST_STORE_DIGESTS_H
#define MOLEPOST_STORE_DIGESTS_H

#include "store/outbox.h"

struct digest {
	int64_t outbox; /* its row there */
	int64_t player;
	unsigned number;     /* the how many-th of this player's, from 1 */
	unsigned generation; /* their token_generation then */
};

enum err digest_add(struct store *s, const struct digest *b) MUST_CHECK;
/* The number of this player's newest; 0: there is none. */
enum err digest_last(struct store *s, int64_t player, unsigned *number) MUST_CHECK;
/* ERR_NOT_FOUND. */
enum err digest_by_number(struct store *s, int64_t player, unsigned number,
                          struct digest *out) MUST_CHECK;
enum err digest_by_outbox(struct store *s, int64_t outbox, struct digest *out) MUST_CHECK;
/* This turn was open when the digest was written. */
enum err digest_turn_add(struct store *s, const struct digest *b, int64_t game,
                         unsigned serial) MUST_CHECK;
/* Which was; 0: none of this game, or the player did not sit in it. */
enum err digest_turn(struct store *s, int64_t player, unsigned number, int64_t game,
                     unsigned *serial) MUST_CHECK;

struct queued_mail {
	int64_t outbox, player, game;
	struct span kind; /* of the outbox row */
	unsigned serial, seat, number;
	int64_t created_utc, due_utc;
	struct span text; /* opened */
};

/* Part of outbox_add: row `id` was just added for `m`. */
enum err digest_queue_add(struct store *s, int64_t id, const struct outbox_mail *m) MUST_CHECK;
/* What waits for a player, about one game (0: about all), by game and then in order; in `arena`. */
enum err digest_queue_list(struct store *s, int64_t player, int64_t game, struct arena *arena,
                           struct queued_mail **out, size_t *n) MUST_CHECK;
/* All of that is brought by outbox row `by`; the texts go. */
enum err digest_queue_bring(struct store *s, int64_t player, int64_t game,
                            int64_t by) MUST_CHECK;
/* Players, each once, for whom something waits that is due; who waits longest stands first. */
enum err digest_queue_due(struct store *s, int64_t now_utc, size_t max, int64_t *players,
                          size_t *n) MUST_CHECK;
/* Nothing that waits for this player is due before ... */
enum err digest_queue_put_off(struct store *s, int64_t player, int64_t until_utc) MUST_CHECK;
/* ... or after a moment. *waiting: how many there are. */
enum err digest_queue_hurry(struct store *s, int64_t player, int64_t due_utc,
                            unsigned *waiting) MUST_CHECK;
/* What waits, of one game or of all (0), goes out as mails of their own with the next run. */
enum err digest_queue_release(struct store *s, int64_t player, int64_t game) MUST_CHECK;

#endif
