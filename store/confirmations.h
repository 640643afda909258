/*
 * confirmations.h - what the server has asked somebody by mail and waits to be told.
 *
 * A question is a row until it is answered, replaced or too old. Its kinds: may this address
 * write for the player (also), shall mail go there (address), may this mail be used (mail), did
 * you mean this (meant). The first two want a yes from both ends, the others from the player alone.
 * And whom a player wants to invite (guests), until the welcome mail of the game is answered.
 */
#ifndef MOLEPOST_STORE_CONFIRMATIONS_H
#define MOLEPOST_STORE_CONFIRMATIONS_H

#include "store/engine/store.h"

enum confirmation_kind {
	CONFIRMATION_ALSO,
	CONFIRMATION_ADDRESS,
	CONFIRMATION_MAIL,
	CONFIRMATION_MEANT,
	CONFIRMATION_GUESTS
};
const char *confirmation_kind_name(enum confirmation_kind k); /* "also", "address", ... */

struct confirmation {
	int64_t id;
	enum confirmation_kind kind;
	int64_t player;      /* who is asked */
	struct span address; /* the new one, or that of the held mail */
	int64_t game;        /* of a held mail or a "did you mean", 0 = it names none */
	unsigned serial, seat;
	bool
	    names_turn; /* serial was said by the mail; about no game it is a digest's number */
	int64_t arrived_utc; /* of the mail that led to the question */
	int64_t asked_utc;
	int64_t mail; /* inbox id of that mail */
	bool player_yes, address_yes;
	/* Of a held mail: its subject as first line, then its text; of "did you mean" an empty line,
	   then what a yes carries out; of guests their addresses. Opened. */
	struct span text;
};

/* Whether the held mail came to the reply address of a digest. */
bool confirmation_is_of_digest(const struct confirmation *q);

/* Asked anew; id is set. With the same kind, player, game and seat (mail, meant) or the same kind and
   player (the others) an older question is dropped: the newest counts. */
enum err confirmation_add(struct store *s, struct confirmation *q) MUST_CHECK;
/* Outbox row `outbox` has asked it; ERR_NOT_FOUND: it asks nothing that is still open. */
enum err confirmation_add_mail(struct store *s, int64_t confirmation,
                               int64_t outbox) MUST_CHECK;
enum err confirmation_of_mail(struct store *s, int64_t outbox,
                              int64_t *confirmation) MUST_CHECK;
/* Those open to one player, oldest first, in `arena`. */
enum err confirmation_list(struct store *s, int64_t player, struct arena *arena,
                           struct confirmation **out, size_t *n) MUST_CHECK;
/* Writes player_yes and address_yes. */
enum err confirmation_update(struct store *s, const struct confirmation *q) MUST_CHECK;
enum err confirmation_drop(struct store *s, int64_t id) MUST_CHECK;
/* Those asked before this time; their texts are gone for good. */
enum err confirmation_drop_old(struct store *s, int64_t before_utc) MUST_CHECK;
/* Of a player who is forgotten; part of player_forget(). */
enum err confirmation_drop_all(struct store *s, int64_t player) MUST_CHECK;

#endif
