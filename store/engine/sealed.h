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

#include "store/engine/row.h"

/*
 * The word, and each value behind a blank: as they stand in the list above, 0 for who is not
 * there. Sets the scratch text s->context and returns it. Most are made where a column is read
 * (COLUMN_SEALED) or bound (row_sealed).
 */
const char *seal_context(struct store *s, const char *word, struct row_args of);

/*
 * What the mail contributes that brought orders stands behind their text, in 32 bytes; whether it
 * does, the row says. Takes it off again.
 */
void add_contribution(struct strbuf *text, const struct hash *contribution);
void take_contribution(struct span *text, struct hash *contribution);

/* Seals and binds. */
void bind_sealed(struct query *q, enum seal_form form, const char *context, struct span plain);
/*
 * Reads the next column and appends what it opens to. Spoils the query with ERR_CORRUPT. NULL
 * gives nothing.
 */
void col_sealed(struct query *q, enum seal_form form, const char *context, struct strbuf *out);
/* The same as a copy in the arena. */
struct span col_sealed_text(struct query *q, enum seal_form form, const char *context,
                            struct arena *arena);
/* The same, which was 32 bytes; NULL gives zero. */
void col_sealed_hash(struct query *q, const char *context, struct hash *out);
/* As col_sealed where the context stands in the query itself; an outline in words. */
void col_opened(struct query *q, enum seal_form form, const char *context, struct strbuf *out);

/* What was read from a column and kept as it stood there. ERR_CORRUPT. */
enum err seal_open(struct store *s, enum seal_form form, const char *context,
                   struct span sealed, struct strbuf *out) MUST_CHECK;
enum err seal_open_hash(struct store *s, const char *context, struct span sealed,
                        struct hash *out) MUST_CHECK;

/* Keyed digest of a few words, short enough for an index. */
void short_hash(struct store *s, const char *purpose, struct span bytes,
                unsigned char out[SHORT_HASH_LEN]);
/*
 * The same of an address, for a statement, with `kind` before it unless that is ""; people do
 * not notice case in addresses. Borrowed from the store until the next such call.
 */
struct row_arg row_address(struct store *s, const char *purpose, const char *kind,
                           struct span address);

#endif
