/*
 * reply_address.h - reply addresses: who answers which turn.
 *
 *	moles+w17-2.4.MAC@example.org
 *
 * game W17, seat 2, the turn with serial 4. MAC = 26 base32 characters of an
 * HMAC under the server key over game, seat and the seat's generation; raising
 * the generation (TOKEN NEW) kills every older address. The serial is not a
 * secret and not part of the MAC: it says which turn is answered even when a
 * client drops In-Reply-To. Case does not matter: some relays lower it.
 */
#ifndef MOLEPOST_PROCESSOR_SERVER_REPLY_ADDRESS_H
#define MOLEPOST_PROCESSOR_SERVER_REPLY_ADDRESS_H

#include "mail/mail.h"
#include "processor/base/span.h"
#include "processor/server/server.h"
#include "store/games.h"
#include "store/outbox.h"
#include "store/players.h"

struct reply_token {
	int64_t game;
	unsigned seat, serial;
	struct span mac; /* borrowed from the address read */
};

/* As above, for the present generation of the seat's code; appended to `out`. */
void address_add_reply(const struct server *srv, const struct game *game,
                       const struct seat *seat, unsigned serial, struct strbuf *out);
/*
 * moles+d-7.12.MAC@example.org: the answer to digest 12 of player 7. The code is one for all of their
 * digests, until the player's generation is raised.
 */
struct digest_token {
	int64_t player;
	unsigned number;
	struct span mac; /* borrowed from the address read */
};
void address_add_digest(const struct server *srv, const struct player *p, unsigned number,
                        struct strbuf *out);
bool address_check_digest(const struct server *srv, const struct digest_token *token,
                          const struct player *p);
/* moles+y-7.1.MAC: the answer to a question, from the end asked. confirmation.h has what it covers. */
enum confirmation_end { CONFIRMATION_TO_PLAYER = 1, CONFIRMATION_TO_ADDRESS = 2 };
struct confirmation_token {
	int64_t player;
	enum confirmation_end end;
	struct span mac; /* borrowed from the address read */
};
/* moles+b-17-MAC: outbox row 17 came back. bounces.h has the rest. */
struct bounce_token {
	int64_t outbox;
	struct span mac; /* borrowed from the address read */
};
/* What one recipient of a mail is to this server. Syntax only: no MAC is checked. */
struct recipient {
	enum {
		RECIPIENT_OTHER,
		RECIPIENT_SEAT,
		RECIPIENT_DIGEST,
		RECIPIENT_CONFIRMATION,
		RECIPIENT_BOUNCE
	} kind;
	union {
		struct reply_token seat;
		struct digest_token digest;
		struct confirmation_token confirmation;
		struct bounce_token bounce;
	};
};
/* One for each address of the list, in its order; in the arena. */
const struct recipient *address_read_all(const struct server *srv, const struct span_list *to,
                                         struct arena *arena);
/*
 * Takes out of `text`, in place, the code of every address of ours that carries one, of whatever
 * kind: people's mail programs quote them, and no body or log may show one.
 */
void address_redact(const struct server *srv, struct strbuf *text);
/*
 * The same for the code alone, with or without an address around it: anything that is as long
 * as one and made of its letters. Message-IDs of ours begin with such a code.
 */
void address_redact_codes(struct strbuf *text);
/* Whether the MAC is that of this seat's present generation. Constant time. */
bool address_check(const struct server *srv, const struct reply_token *token,
                   const struct seat *seat);
/* Whether a code for a reply is one that may still be used; see reply_address.c for those of older keys. */
bool address_check_code(const struct server *srv, const char *purpose, struct span what,
                        struct span code);
/* A Message-ID of ours: opaque, a MAC over `what`, which must name the mail uniquely. */
void address_add_message_id(const struct server *srv, const char *what, struct strbuf *out);
/* "moles" and "example.org" of the configured address. */
struct span address_local(const struct config *cfg);
struct span address_domain(const struct config *cfg);

/*
 * The address a mail is sent from, so that one that comes back is known; without plus_address, and with sender = fixed,
 * the server's own.
 */
void address_add_bounce(const struct server *srv, const struct outbox_mail *m,
                        struct strbuf *out);
/* Whether the MAC is that of this mail, the row the address names. Constant time. */
bool address_check_bounce(const struct server *srv, const struct bounce_token *token,
                          const struct outbox_mail *m);

/*
 * A new reply address for this seat; what was sent to it before proves nothing any more. The
 * caller writes the seat, after the mail that brings the new address.
 */
enum err seat_renew_token(struct server *srv, struct seat *seat) MUST_CHECK;
/* What the mail that brings it says of this game. */
const char *seat_reply_address_sentence(const struct server *srv, const char *game,
                                        struct arena *arena);

#endif
