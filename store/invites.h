/*
 * invites.h - whom players have asked into a game by their mail address, who wants no such mail, and whom masters
 * let into a game or not.
 *
 * Of an address nothing is kept here but a keyed digest, whatever its case; the mail that went there has it.
 */
#ifndef MOLEPOST_STORE_INVITES_H
#define MOLEPOST_STORE_INVITES_H

#include "store/engine/store.h"

enum invite_answer { INVITE_OPEN, INVITE_ACCEPTED, INVITE_DECLINED, INVITE_BOUNCED };

struct invite {
	int64_t game;
	int64_t player; /* who has asked */
	int64_t outbox; /* the mail that asks */
	int64_t asked_utc;
	enum invite_answer answer;
};

/* In the place of an earlier one of this game to this address. */
enum err invite_add(struct store *s, const struct invite *i, struct span address) MUST_CHECK;
/* ERR_NOT_FOUND: that mail is no invitation, or another has been sent since. */
enum err invite_by_mail(struct store *s, int64_t outbox, struct invite *out) MUST_CHECK;
/* ERR_NOT_FOUND: nobody has asked this address into this game. */
enum err invite_to_address(struct store *s, int64_t game, struct span address,
                           struct invite *out) MUST_CHECK;
/* The newest without an answer to this address, into a game that has not begun; ERR_NOT_FOUND. */
enum err invite_open_to_address(struct store *s, struct span address,
                                struct invite *out) MUST_CHECK;
enum err invite_set_answer(struct store *s, int64_t outbox,
                           enum invite_answer answer) MUST_CHECK;

/* Whether this address wants no invitations; and that it does not, or does again. */
enum err invites_are_refused(struct store *s, struct span address, bool *yes) MUST_CHECK;
enum err invites_refuse(struct store *s, struct span address, bool refuse,
                        int64_t now_utc) MUST_CHECK;

/* What the master of a game has said of somebody who may want to come in. */
enum entry { ENTRY_USUAL, ENTRY_DENIED, ENTRY_ALLOWED };
/* In the place of what was said before. player: whose address that is, 0 = nobody's. */
enum err entry_set(struct store *s, int64_t game, struct span address, int64_t player,
                   bool allowed) MUST_CHECK;
enum err entry_get(struct store *s, int64_t game, struct span address,
                   enum entry *out) MUST_CHECK;

#endif
