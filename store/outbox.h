/*
 * outbox.h - mails to be sent, written in the transaction that caused them.
 *
 *   state     meaning                                  next
 *   NEW       never tried                              SENDING
 *   SENDING   an attempt is (or was) under way         SENT RETRY DEAD MAYBE
 *   RETRY     failed for now, again at next_try_utc    SENDING
 *   MAYBE     handed over, answer lost                 SENDING once, then SENT
 *   SENT      accepted, or twice handed over without an answer
 *   DEAD      given up; doctor and `why` show it; the operator may have it tried again
 *   ENCLOSED  never goes out by itself: another mail brings it (digests.h)    NEW, if need be
 *
 * What a mail says and its Message-ID are fixed when the row enters. A row is either in words, the
 * finished bytes, or has an outline, of which the words are made by whoever reads it (store_words);
 * they are put down for good before the first attempt to send it. Each player's mails leave in
 * the order of their ids.
 */
#ifndef MOLEPOST_STORE_OUTBOX_H
#define MOLEPOST_STORE_OUTBOX_H

#include "store/engine/store.h"

enum outbox_state {
	OUTBOX_NEW,
	OUTBOX_SENDING,
	OUTBOX_RETRY,
	OUTBOX_MAYBE,
	OUTBOX_SENT,
	OUTBOX_DEAD,
	OUTBOX_ENCLOSED
};
const char *outbox_state_name(enum outbox_state o);

/* Of the operator, about a mail that did not get through. */
enum outbox_decision { DECIDED_NOTHING, DECIDED_ASIDE, DECIDED_AGAIN };

/* What a mail that was given up says of the address of its player; not followed up yet. */
enum outbox_refusal {
	REFUSED_NOTHING, /* or it has been counted */
	REFUSED_UNCLEAR, /* the attempts are used up */
	REFUSED_MAIL,    /* it will never be taken */
	REFUSED_ADDRESS  /* there is no such address */
};

struct outbox_mail {
	int64_t id;
	struct span kind;       /* "receipt", "report", "end", "welcome", "guide", ... */
	int64_t game;           /* 0 = none */
	unsigned serial, seat;  /* which turn a reply to this mail answers; seat 0 = none */
	int64_t player;         /* 0 = a stranger */
	unsigned number;        /* "mail n of this game"; 0 = not counted */
	struct span rcpt;       /* one address */
	bool exactly;           /* when added: no other is used in its place */
	struct span message_id; /* with <>, unique */
	struct span message;    /* the finished bytes; sealed at rest */
	bool outlined;          /* read: they were made just now (outbox_put_words) */
	bool is_dropped;        /* read: the text is no longer kept (retention.h) */
	bool unreadable;        /* of outbox_due: it does not open, `answer` says why */
	int64_t created_utc;
	int64_t cause; /* inbox id of the mail answered, 0 if none */
	enum outbox_state state;
	unsigned attempts;
	int64_t next_try_utc;
	int64_t tried_utc;  /* the last attempt; 0 = none yet */
	struct span answer; /* the last failure */
	enum outbox_decision decided;
	enum outbox_refusal refused;
	/* When added: */
	bool enclosed;   /* it is ENCLOSED: `digest_text` waits, until `due_utc` at most */
	int64_t due_utc; /* not 0 */
	struct span digest_text;
	bool brings; /* all that waits for this player about this game is in it */
	const int64_t
	    *folds;    /* new mails that need not go out, since what they say stands in it: */
	size_t nfolds; /* they become ENCLOSED, brought by it */
};

/* A mail that has not left yet and is still in outline. */
struct outbox_outline {
	int64_t id;
	unsigned number;
	struct span outline; /* opened */
};

/* Inserts NEW, or ENCLOSED. A row with the same message_id is left alone when its bytes are the same, else
   ERR_EXISTS; of an answer to a mail there can be none. *id may be NULL. */
enum err outbox_add(struct store *s, const struct outbox_mail *m, int64_t *id) MUST_CHECK;
/* The same for what nobody can have added, such as the reports of a turn: ERR_CORRUPT, late, if it is there. */
enum err outbox_add_new(struct store *s, const struct outbox_mail *m) MUST_CHECK;
/* So is a mail in outline, which store_words puts into words; m->message is not looked at. */
enum err outbox_add_outline(struct store *s, const struct outbox_mail *m, struct span outline,
                            int64_t *id) MUST_CHECK;
/*
 * New mails in outline to this player at this seat, among the last few of the seat, which were written in
 * this turn; in order.
 */
enum err outbox_new_outlines(struct store *s, int64_t game, unsigned serial, unsigned seat,
                             int64_t player, struct arena *arena, struct outbox_outline **out,
                             size_t *n) MUST_CHECK;
/* What was read of an outline is from now on the mail. */
enum err outbox_put_words(struct store *s, const struct outbox_mail *m) MUST_CHECK;
/* Whether anything is to be sent at `now_utc`: a look at a partial index. */
enum err outbox_has_due(struct store *s, int64_t now_utc, bool *due) MUST_CHECK;
/* The same a second later, or whether the answer to a mail was lost that is not due again yet. */
enum err outbox_is_waiting(struct store *s, int64_t now_utc, bool *yes) MUST_CHECK;
/*
 * The next rows to send, in order of id, after id `after`; rows of a player who has an earlier
 * unsent row that is not due yet are left out, unless that one is more than an hour old, and those to an address that is paused
 * (bounces.h). Messages are opened; one that does not open is no reason to keep the others waiting.
 * When a row of this list fails, the caller passes over the later ones of the same player in it.
 */
enum err outbox_due(struct store *s, int64_t now_utc, int64_t after, size_t max,
                    struct arena *arena, struct outbox_mail **out, size_t *n) MUST_CHECK;
/*
 * Writes state, attempts, next_try_utc, tried_utc, answer, refused. A row marked SENDING takes
 * along the next_try_utc it is to have should the sender die now and the row become MAYBE.
 */
enum err outbox_mark(struct store *s, const struct outbox_mail *m) MUST_CHECK;
/* What has not left yet for `from` goes to `to`. */
enum err outbox_redirect(struct store *s, struct span from, struct span to) MUST_CHECK;
/*
 * Rows a dead sender left SENDING become MAYBE; after `attempts_max` attempts DEAD, so that a
 * mail whose sending kills the sender is not tried for ever.
 */
enum err outbox_recover(struct store *s, unsigned attempts_max) MUST_CHECK;
/* The row behind a Message-ID a reply names; ERR_NOT_FOUND. `message` is left empty. */
enum err outbox_by_message_id(struct store *s, struct span message_id, struct arena *arena,
                              struct outbox_mail *out) MUST_CHECK;
/* With its message. */
enum err outbox_opened(struct store *s, struct span message_id, struct arena *arena,
                       struct outbox_mail *out) MUST_CHECK;
/* ERR_NOT_FOUND. `message` is left empty. */
enum err outbox_by_id(struct store *s, int64_t id, struct arena *arena,
                      struct outbox_mail *out) MUST_CHECK;
/* The same, opened. */
enum err outbox_message(struct store *s, int64_t id, struct arena *arena,
                        struct outbox_mail *out) MUST_CHECK;
/*
 * When the n-th last answer (n from 1) of this kind to mail about this seat was written; INT64_MIN:
 * there are fewer.
 */
enum err outbox_nth_answer(struct store *s, int64_t game, unsigned seat, const char *kind,
                           unsigned n, int64_t *created_utc) MUST_CHECK;
/*
 * Mail `number` of this seat in this game, or with number 0 its last report, as long as there is
 * none the last mail; opened.
 */
enum err outbox_by_number(struct store *s, int64_t game, unsigned seat, unsigned number,
                          struct arena *arena, struct outbox_mail *out) MUST_CHECK;
/* The last mails to a player (0 = none) and those to an address that was nobody's, the newest first; opened. */
enum err outbox_newest(struct store *s, int64_t player, struct span rcpt, size_t max,
                       struct arena *arena, struct outbox_mail **out, size_t *n) MUST_CHECK;
/* Rows of a game and seat of one kind ("report"), oldest first, serial from..to; opened. */
enum err outbox_history(struct store *s, int64_t game, unsigned seat, const char *kind,
                        unsigned from_serial, unsigned to_serial, struct arena *arena,
                        struct outbox_mail **out, size_t *n) MUST_CHECK;
/*
 * Everything sent because of inbox mail `cause` (messages left empty). Reads the whole table: for `why`, not
 * for a run.
 */
enum err outbox_by_cause(struct store *s, int64_t cause, struct arena *arena,
                         struct outbox_mail **out, size_t *n) MUST_CHECK;
enum err outbox_count(struct store *s, enum outbox_state state, unsigned *n) MUST_CHECK;
/* Mails go out through `sink` from now on, and from an address that varies if that is another one; inside a transaction. */
enum err outbox_note_sink(struct store *s, struct span sink, struct span address,
                          int64_t now_utc) MUST_CHECK;
/*
 * How many games that have not ended began while mail left from another address than this, and from which, in the
 * arena; 0: none, or no other is known.
 */
enum err outbox_left_address(struct store *s, struct span address, struct arena *arena,
                             struct span *before, unsigned *games) MUST_CHECK;
/*
 * Whether that sink has taken a mail for a player of a running game, at another address than these two, from which mail
 * does not come back.
 */
enum err outbox_has_reached_others(struct store *s, struct span rcpt, struct span rcpt2,
                                   bool *yes) MUST_CHECK;

/* ---- What did not get through; `message` is left empty in all of these ---- */

struct outbox_failure {
	int64_t at_utc;
	enum outbox_state state; /* where it left the mail */
	struct span answer;
};

/* An attempt at `mail`, just marked, that did not end as it should. */
enum err outbox_add_failure(struct store *s, const struct outbox_mail *mail) MUST_CHECK;
/* All of one mail, oldest first. */
enum err outbox_failures(struct store *s, int64_t mail, struct arena *arena,
                         struct outbox_failure **out, size_t *n) MUST_CHECK;
/* Mails of a player (0: of all) that wait or were given up and not put aside, oldest first. */
enum err outbox_unsent(struct store *s, int64_t player, size_t max, struct arena *arena,
                       struct outbox_mail **out, size_t *n) MUST_CHECK;
/* Mails that were given up and not put aside. */
enum err outbox_count_given_up(struct store *s, unsigned *n) MUST_CHECK;
/* The first mail after id `after` whose refusal is still to be followed up. ERR_NOT_FOUND. */
enum err outbox_next_refused(struct store *s, int64_t after, struct arena *arena,
                             struct outbox_mail *out) MUST_CHECK;
/* It has been. */
enum err outbox_refusal_done(struct store *s, int64_t id) MUST_CHECK;
/*
 * Given up or waiting: goes out with the next run, all attempts before it. ERR_NOT_FOUND: it
 * is sent, new or being sent.
 */
enum err outbox_try_again(struct store *s, int64_t id) MUST_CHECK;
/* The opposite: not tried any more, and not shown as a problem. ERR_NOT_FOUND as above. */
enum err outbox_put_aside(struct store *s, int64_t id) MUST_CHECK;

#endif
