/*
 * inbox.h - what became of each mail that came in.
 *
 * One row per mail seen, written in the transaction that holds its effect. A mail is the same as
 * one seen before when (source, transport id) says so, or when it is the same to the byte but for
 * trace fields, or when it is from the same sender, with the same Message-ID and Date, and says the
 * same.
 */
#ifndef MOLEPOST_STORE_INBOX_H
#define MOLEPOST_STORE_INBOX_H

#include "store/engine/store.h"

/*
 * What two copies of one mail have in common. Kept as keyed digests, cut short, and never given
 * back.
 */
struct mail_identity {
	struct hash bytes; /* mail_content_hash; zero: the mail has no identity of its own */
	struct hash claim; /* whose and which it claims to be; zero: `bytes` alone count */
	struct hash words; /* what it says */
};

struct inbox_mail {
	int64_t id;
	int64_t source_id;             /* of a row read back: the number of `source` */
	struct span source;            /* source_url */
	struct span transport_id;      /* source_mail.id */
	struct mail_identity identity; /* all zero in a row read back, and for a copy */
	struct span message_id;        /* "" if none */
	int64_t arrived_utc;
	int64_t sent_utc; /* what its Date says, 0 = nothing; never used but for inbox_sent() */
	int64_t handled_utc;
	int64_t player; /* 0 = a stranger */
	int64_t game;   /* 0 = none */
	unsigned serial, seat;
	struct span verdict; /* a stable word: "orders", "command", "duplicate", "stranger",
	                             "refused", "quarantined", "late", ... */
	struct span detail;  /* a sentence for `why`; holds no order text (sealed anyway) */
	int64_t purge_utc;   /* when the handled mail may be deleted; 0 = never/gone */
};

/* The row with this transport identity, or else the first with this identity. ERR_NOT_FOUND. */
enum err inbox_find(struct store *s, struct span source, struct span transport_id,
                    const struct mail_identity *identity, struct arena *arena,
                    struct inbox_mail *out) MUST_CHECK;
/*
 * The id the next inbox_add will use. Orders and mails may name it before that row is written,
 * as long as it is written in the same transaction.
 */
enum err inbox_next_id(struct store *s, int64_t *id) MUST_CHECK;
/* m->id: as from inbox_next_id, or 0. ERR_EXISTS: seen before. Sets *id. */
enum err inbox_add(struct store *s, const struct inbox_mail *m, int64_t *id) MUST_CHECK;
/*
 * Every mail that carried this Message-ID, oldest first. Reads the whole table: for `why`, not
 * for a run.
 */
enum err inbox_by_message_id(struct store *s, struct span message_id, struct arena *arena,
                             struct inbox_mail **out, size_t *n) MUST_CHECK;
/* When this mail says it was written; 0 when it does not. ERR_NOT_FOUND. */
enum err inbox_sent(struct store *s, int64_t id, int64_t *sent_utc) MUST_CHECK;
/* As above, by the name under which it was found, in any source. */
enum err inbox_by_transport_id(struct store *s, struct span id, struct arena *arena,
                               struct inbox_mail **out, size_t *n) MUST_CHECK;
/* Handled mails whose purge_utc has come; at most max. */
enum err inbox_purge_due(struct store *s, int64_t now_utc, size_t max, struct arena *arena,
                         struct inbox_mail **out, size_t *n) MUST_CHECK;
enum err inbox_purged(struct store *s, int64_t id) MUST_CHECK;
/* It could not be done now and is due again then. */
enum err inbox_purge_later(struct store *s, int64_t id, int64_t purge_utc) MUST_CHECK;

/* What a source remembers between runs (source_note), "" when nothing; a copy in the arena. */
enum err mailbox_state_get(struct store *s, struct span source, struct arena *arena,
                           struct span *state) MUST_CHECK;
enum err mailbox_state_set(struct store *s, struct span source, struct span state,
                           int64_t now_utc) MUST_CHECK;

/* A mail set aside: raw bytes sealed, with the reason. */
enum err quarantine_add(struct store *s, int64_t inbox_id, const char *reason, struct span raw,
                        int64_t now_utc) MUST_CHECK;
enum err quarantine_count(struct store *s, unsigned *n) MUST_CHECK;
/* Only those set aside for this reason. */
enum err quarantine_count_reason(struct store *s, const char *reason, unsigned *n) MUST_CHECK;
/* The rows of the mails set aside, newest first, at most max. */
enum err quarantine_list(struct store *s, size_t max, struct arena *arena,
                         struct inbox_mail **out, size_t *n) MUST_CHECK;

/*
 * In flight: what a run has in hand, so that the next run knows after a death. One row at most, and one for
 * each machine that helps with turns; read is that of the run, if there is one.
 * `kind` "mails" or "turns"; `object` names a single object ("maildir:mail 17.M3P2.host",
 * "W17/4") or "" for a whole batch; `tries` counts deaths with this single object in hand.
 */
struct in_flight {
	bool present;
	struct span kind, object;
	unsigned tries;
	int64_t since_utc;
};
enum err in_flight_get(struct store *s, struct arena *arena, struct in_flight *out) MUST_CHECK;
enum err in_flight_set(struct store *s, const char *kind, const char *object, unsigned tries,
                       int64_t now_utc) MUST_CHECK;
enum err in_flight_clear(struct store *s) MUST_CHECK;

#endif
