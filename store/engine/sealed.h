/*
 * sealed.h - columns that are sealed, and what each seal is bound to. Private to store/.
 *
 * The associated data of a seal names the row it stands in, so that a sealed
 * value moved to another row does not open. Numbers are decimal. The words are those that tables had when the
 * first rows were sealed: a table may get another name, what a seal is bound to cannot.
 *
 *	games.sealed_secret        secret GAME
 *	games.sealed_held_reason   held GAME
 *	seats.sealed_contribution  joined GAME
 *	joins.sealed_contribution  joined GAME
 *	results.sealed_hash        digest GAME SERIAL
 *	results.sealed_state       state GAME SERIAL
 *	results.sealed_chance      chance GAME SERIAL
 *	orders.sealed_text         order GAME SERIAL SEAT REVISION HOW RECEIVED MAIL
 *	orders.sealed_drawn        drawn GAME SERIAL SEAT REVISION
 *	inbox.sealed_detail        detail SOURCE_ID TRANSPORT_ID
 *	quarantine.sealed_raw      raw INBOX_ID
 *	outbox_messages.sealed_message   mail MESSAGE_ID
 *	outbox_outlines.sealed_outline   outline MESSAGE_ID
 *	outbox_proofs.sealed_proofs      proofs MESSAGE_ID
 *	confirmations.sealed_text  question ID PLAYER MAIL
 *	imports.sealed_archive     archive GAME
 *	forks.sealed_position      position GAME
 *	press.sealed_text          press ID GAME SEAT MAIL
 *	votes.sealed_votes         votes GAME SERIAL SEAT REVISION
 *	enclosed_mails.sealed_text kept OUTBOX_ID PLAYER GAME
 *	standing_orders.sealed_text  provision GAME SEAT KIND NUMBER MAIL
 *	unread_clauses.sealed_text clause ID PLAYER
 *
 * What tells by its length how much somebody has ordered or what has been drawn is padded: orders,
 * positions, chance, and mails, which name orders. Rows of before are not, and open all the same.
 *
 * Orders use the form without a stored nonce, since their texts are shorter
 * than one. There the nonce follows from the associated data alone, which is
 * why arrival and mail are part of it: a revision that was rolled back, or lost with
 * a restored backup, and taken again from another mail gets another nonce.
 */
#ifndef MOLEPOST_STORE_ENGINE_SEALED_H
#define MOLEPOST_STORE_ENGINE_SEALED_H

#include "store/engine/db.h"

/* Each sets the scratch text s->context and returns it. */
const char *context_of_game(struct store *s, const char *what, int64_t game);
const char *context_of_turn(struct store *s, const char *what, int64_t game, unsigned serial);
struct order_key {
	int64_t game;
	unsigned serial, seat, revision, how;
	int64_t received_utc, mail;
};
const char *context_of_order(struct store *s, const struct order_key *k);
const char *context_of_drawn(struct store *s, const struct order_key *k);
const char *context_of_detail(struct store *s, int64_t source, struct span transport_id);
const char *context_of_quarantine(struct store *s, int64_t inbox);
const char *context_of_mail(struct store *s, struct span message_id);
const char *context_of_outline(struct store *s, struct span message_id);
const char *context_of_proofs(struct store *s, struct span message_id);
const char *context_of_votes(struct store *s, int64_t game, unsigned serial, unsigned seat,
                             unsigned revision);
void add_context_of_mail(struct strbuf *out, struct span message_id);
void add_context_of_outline(struct strbuf *out, struct span message_id);
const char *context_of_confirmation(struct store *s, int64_t id, int64_t player, int64_t mail);
const char *context_of_press(struct store *s, int64_t id, int64_t game, unsigned seat,
                             int64_t mail);
const char *context_of_queued(struct store *s, int64_t outbox, int64_t player, int64_t game);
const char *context_of_clause(struct store *s, int64_t id, int64_t player);
const char *context_of_standing_order(struct store *s, int64_t game, unsigned seat,
                                      unsigned kind, unsigned number, int64_t mail);

/*
 * What the mail contributes that brought orders stands behind their text, in 32 bytes; whether it
 * does, the row says. Takes it off again.
 */
void add_contribution(struct strbuf *text, const struct hash *contribution);
void take_contribution(struct span *text, struct hash *contribution);

/* Seals and binds. */
void bind_sealed(struct query *q, const char *context, struct span plain);
void bind_sealed_padded(struct query *q, const char *context, struct span plain);
void bind_sealed_once(struct query *q, const char *context, struct span plain);
/*
 * Reads the next column and appends what it opens to. Spoils the query with ERR_CORRUPT. NULL
 * gives nothing.
 */
void col_sealed(struct query *q, const char *context, struct strbuf *out);
/* The same as a copy in the arena. */
struct span col_sealed_text(struct query *q, const char *context, struct arena *arena);
struct span col_sealed_text_once(struct query *q, const char *context, struct arena *arena);
void col_sealed_hash(struct query *q, const char *context, struct hash *out);

/*
 * As col_sealed for a seal of either form (`once`: that without a stored nonce) whose context stands in the
 * query itself; an outline in words.
 */
void col_opened(struct query *q, const char *context, bool once, struct strbuf *out);

/* What was read from a column and kept as it stood there. ERR_CORRUPT. */
enum err sealed_text_open(struct store *s, const char *context, struct span sealed,
                          struct strbuf *out) MUST_CHECK;
enum err sealed_hash_open(struct store *s, const char *context, struct span sealed,
                          struct hash *out) MUST_CHECK;

/* Keyed digest of a few words, short enough for an index. */
enum { SHORT_HASH_LEN = 16 };
void short_hash(struct store *s, const char *purpose, struct span bytes,
                unsigned char out[SHORT_HASH_LEN]);

#endif
