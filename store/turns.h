/*
 * turns.h - the durable heart: one row per turn ever opened.
 *
 *   state     orders                       next position        after a crash
 *   OPEN      append-only revisions, the   -                    read the mail again;
 *             last valid one per seat                           duplicates die on a
 *             counts                                            unique digest
 *   SEALED    frozen set, digest over it   -                    resolve again
 *   RESOLVED  as sealed                    written with its     the same digest must
 *                                          digest, one          come out, else the
 *                                          transaction          game is held
 *   REPORTED  as sealed                    reports in the       unsent rows go out with
 *                                          outbox and the next  the same bytes and
 *                                          turn OPEN, one       Message-ID
 *                                          transaction
 *
 *   DROPPED   as they came, never used     none                 -
 *
 * DROPPED is where an OPEN turn goes when the game ends in it, or turns are taken back.
 *
 * A turn is (game, serial). Serial 0 is the set-up: nobody sends orders, its
 * orders digest covers the joins. Each row keeps the position that came out of it
 * (result); the position in which the orders of serial n are given is the result of
 * its parent. Serials are never used again; the number players see is a label.
 */
#ifndef MOLEPOST_STORE_TURNS_H
#define MOLEPOST_STORE_TURNS_H

#include "store/engine/store.h"

/* When something may be due next that no mail brings: a turn, a reminder, a mail, the start of a game. 0: nothing. */
enum err next_due(struct store *s, int64_t *at_utc) MUST_CHECK;

enum turn_state { TURN_OPEN, TURN_SEALED, TURN_RESOLVED, TURN_REPORTED, TURN_DROPPED };
const char *turn_state_name(enum turn_state t);

enum { TURN_NO_REMINDER = 0, TURN_REMIND_SOON = 1 }; /* for remind_utc */

struct turn {
	int64_t game;
	unsigned serial;
	unsigned parent; /* serial whose result this turn starts from; 0 for 0 and 1 */
	enum turn_state state;
	struct span label; /* "turn 4" */
	uint32_t owes;     /* seats that owe orders: bit seat-1 */
	int64_t opened_utc;
	int64_t deadline_utc;    /* 0 = none (set-up, or resolve at once) */
	int64_t sealed_utc;      /* 0 while OPEN, and when DROPPED */
	int64_t dropped_utc;     /* 0 unless DROPPED */
	uint32_t have;           /* seats with orders in force: bit seat-1 */
	uint32_t waiting;        /* seats that asked to hold until the deadline (SET WAIT) */
	int64_t grace_utc;       /* until when the late may send orders; 0 = they may not */
	int64_t settle_utc;      /* open till then though all orders are in; 0 = it is not */
	int64_t remind_utc;      /* when to look for reminders */
	int64_t credited_utc;    /* lost time has been given back up to then; 0 = never */
	uint32_t covered;        /* something steps in for them at the deadline: bit seat-1 */
	uint32_t vacant;         /* while OPEN: nobody has them, no bot either; bit seat-1 */
	int64_t orders_sum;      /* see orders.h; 0 = its orders are not counted */
	struct hash orders_hash; /* zero while OPEN */
	struct hash result_hash; /* zero before RESOLVED */
	struct hash
	    inputs_hash; /* what its draws followed from; zero before RESOLVED, or none */
	struct span sealed_state; /* kept for turn_state_text; else empty */
};

enum err turn_get(struct store *s, int64_t game, unsigned serial, struct arena *arena,
                  struct turn *out) MUST_CHECK;
/*
 * A turn and the one whose result it starts from, which turn 0 has not: `parent` is then all zero. The
 * position that came out of the parent is kept for turn_state_text.
 */
enum err turn_get_with_parent(struct store *s, int64_t game, unsigned serial,
                              struct arena *arena, struct turn *out,
                              struct turn *parent) MUST_CHECK;
/*
 * A turn and the position it starts from, kept for turn_state_text: of `from` nothing is filled in but game,
 * serial and that.
 */
enum err turn_get_with_position(struct store *s, int64_t game, unsigned serial,
                                struct arena *arena, struct turn *out,
                                struct turn *from) MUST_CHECK;
/* All turns of a game, oldest first. */
enum err turn_list(struct store *s, int64_t game, struct arena *arena, struct turn **out,
                   size_t *n) MUST_CHECK;
/* Inserts the row: game, serial, parent, state OPEN or SEALED, label, owes, waiting, covered, times
   but settle_utc, orders_sum, digest. Vacant seats follow from those of the game, from here on. */
enum err turn_open(struct store *s, const struct turn *t) MUST_CHECK;
/*
 * The steps of a run from state to state, each ERR_CORRUPT without a turn in the state before, which is
 * noticed as late as other errors of what writes. OPEN -> SEALED.
 */
enum err turn_seal(struct store *s, int64_t game, unsigned serial,
                   const struct hash *orders_hash, int64_t sealed_utc) MUST_CHECK;
/*
 * SEALED -> RESOLVED with the position, the draws that led to it, and what these followed from (NULL
 * or zero: nothing that is to be kept).
 */
enum err turn_resolved(struct store *s, int64_t game, unsigned serial, struct span state_text,
                       struct span chance_text, const struct hash *result_hash,
                       const struct hash *inputs_hash) MUST_CHECK;
/* OPEN -> DROPPED; ERR_INVALID from any other state. */
enum err turn_drop(struct store *s, int64_t game, unsigned serial,
                   int64_t dropped_utc) MUST_CHECK;
/* RESOLVED -> REPORTED. */
enum err turn_reported(struct store *s, int64_t game, unsigned serial) MUST_CHECK;
/*
 * The position that came out of this turn, and its draws (either may be NULL). Does not check
 * the digest: resolve.h of the processor does, since it knows what the digest covers.
 */
enum err turn_result(struct store *s, int64_t game, unsigned serial, struct strbuf *state_text,
                     struct strbuf *chance_text) MUST_CHECK;
/* The position alone. ERR_NOT_FOUND before the turn is resolved. */
enum err turn_state_text(struct store *s, const struct turn *t, struct strbuf *out) MUST_CHECK;
/*
 * The position that came out of this turn, with the digest of its parent's result (zero for the
 * set-up, which has none): what a check of the position needs.
 */
enum err turn_position(struct store *s, const struct turn *t, struct strbuf *state_text,
                       struct hash *parent_result) MUST_CHECK;
/* While OPEN; ERR_INVALID when it is not, or there is none. */
enum err turn_set_waiting(struct store *s, int64_t game, unsigned serial, unsigned seat,
                          bool waiting) MUST_CHECK;
/*
 * Moves the deadline, its grace by as much, and has the reminders looked at anew.
 */
enum err turn_set_deadline(struct store *s, int64_t game, unsigned serial,
                           int64_t deadline_utc) MUST_CHECK;
/* The late may send orders until then; 0: they may not. While OPEN. */
enum err turn_set_grace(struct store *s, int64_t game, unsigned serial,
                        int64_t grace_utc) MUST_CHECK;
/*
 * Writes deadline_utc, grace_utc and credited_utc, and has the reminders looked at anew: time was lost
 * in which nobody could play.
 */
enum err turn_credit(struct store *s, const struct turn *t) MUST_CHECK;
/* Orders have come: the turn stays open till then. */
enum err turn_set_settle(struct store *s, int64_t game, unsigned serial,
                         int64_t settle_utc) MUST_CHECK;
/* Whether something steps in for a seat at the deadline if nothing else comes. */
enum err turn_set_covered(struct store *s, int64_t game, unsigned serial, unsigned seat,
                          bool covered) MUST_CHECK;
enum err turn_set_remind(struct store *s, int64_t game, unsigned serial,
                         int64_t remind_utc) MUST_CHECK;

/*
 * Nothing is waited for behind this moment, whoever asked to wait; what came up to it counts.
 * Moves the deadline, or the end of the grace if the deadline is past. While OPEN.
 */
enum err turn_end_at(struct store *s, int64_t game, unsigned serial, int64_t at_utc) MUST_CHECK;

/* What is to be done now, from partial indexes only; held games are left out. */
enum turn_due {
	DUE_SEAL, /* OPEN, and all owing seats have orders and nobody waits, or past its end */
	DUE_RESOLVE, /* SEALED */
	DUE_REPORT   /* RESOLVED */
};
struct turn_id {
	int64_t game;
	unsigned serial;
	int64_t due_utc; /* set by turn_due_list: 0 = at once, else the deadline */
};
/*
 * At most `max` after `after` (all zero: from the start), ordered by (due_utc, game, serial):
 * the order of the index, what has waited longest first. DUE_SEAL takes a turn whose deadline
 * is not after `read_through_utc`.
 */
enum err turn_due_list(struct store *s, enum turn_due what, int64_t read_through_utc,
                       struct turn_id after, size_t max, struct turn_id *out,
                       size_t *n) MUST_CHECK;
/* For questions of other files that give game, serial and time in this order (row.h). */
struct row_shape;
extern const struct row_shape turn_id_row;

#endif
