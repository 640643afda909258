/*
 * retention.h - what has been kept long enough: texts of mails, and rows that only tell what happened.
 *
 * Nothing that a game, an archive, a proof or a later mail needs is reached from here. A mail that was
 * taken in stays known for good (else it could be taken in twice), as does the row of each mail sent.
 */
#ifndef MOLEPOST_STORE_OPERATOR_RETENTION_H
#define MOLEPOST_STORE_OPERATOR_RETENTION_H

#include "store/outbox.h"

/*
 * Mails written before `before_utc` that will not go out any more and whose text is still here, in
 * words or in outline: after id *after, at most `max`, oldest first. *after: where to go on; *over: there
 * are no more. With a player, all that will not go out to that one, however young it is.
 */
enum err retention_texts_due(struct store *s, int64_t player, int64_t before_utc, size_t max,
                             int64_t *after, bool *over, int64_t *ids, size_t *n) MUST_CHECK;
/* The text of this mail goes; `proofs` stays. */
enum err retention_drop_text(struct store *s, const struct outbox_mail *m,
                             struct span proofs) MUST_CHECK;
/* What stayed of it, opened, in `arena`. ERR_NOT_FOUND: its text is here. */
enum err retention_proofs(struct store *s, int64_t id, struct span message_id,
                          struct arena *arena, struct span *proofs) MUST_CHECK;
/* Mails with a text, and without one. */
enum err retention_count(struct store *s, int64_t *texts, int64_t *proofs) MUST_CHECK;

/* What is older goes; INT64_MIN: nothing. */
struct retention_limits {
	int64_t inbox_utc; /* Message-ID and detail of mails taken in */
	int64_t
	    outbox_utc;    /* address of mails that will not go out any more, and what failed */
	int64_t audit_utc; /* of the server, and what is not public of games that ended */
	int64_t runs_utc;  /* the log of runs */
	int64_t quarantine_utc; /* the bytes of mails set aside, and what was not understood */
};
/* When that was last done; 0 = never. */
enum err retention_rows_last(struct store *s, int64_t *at_utc) MUST_CHECK;
/* Does it, and says so. Reads whole tables: for once a day. *n = rows that were changed or went. */
enum err retention_rows(struct store *s, const struct retention_limits *l, int64_t now_utc,
                        unsigned *n) MUST_CHECK;

/* Everything but the row itself and the record of games; see `molepost player forget`. */
struct retention_forgotten {
	unsigned texts, mails_in, originals, troubles;
};
enum err retention_forget_rows(struct store *s, int64_t player, struct span address,
                               int64_t now_utc, struct retention_forgotten *out) MUST_CHECK;

#endif
