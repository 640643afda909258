/*
 * digest_queue.h - mails that wait for another mail to bring them.
 *
 * What a player does not want to get by itself (players.h, enum mail_mode) is added to the
 * outbox as KEPT: numbered and sealed like any mail, never sent. Its text waits here until the
 * report of its game, or a digest, is written; both happen in one transaction with that mail.
 */
#ifndef MOLEPOST_STORE_DIGEST_QUEUE_H
#define MOLEPOST_STORE_DIGEST_QUEUE_H

#include "store/outbox.h"

struct queued_mail {
	int64_t outbox, game;
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
