/*
 * proof.h - what makes play checkable: nonces, commitments, digests, keys.
 *
 * Pure functions over the strings that molepost-archive(5) writes down; turn,
 * intake and archive all take them from here, so that there is one place where
 * each hashed string is put together. `game` is the id people see ("W17").
 * Numbers are decimal, digests lower-case hex, every part ends in LF.
 *
 * A game is proved as one version of the record says, from its first mail to its last. In version 1
 * draws follow from the digest of the orders. In version 2 they depend on nothing but what players fixed:
 * in this turn and those it goes back to, of each seat its orders, its salt and the contribution of the mail
 * they came in; but who may invent later mails of a player can try out as many as they like. So in
 * version 3 each seat's contribution to a turn is that of its first revision alone: what comes after it
 * draws the same, and a first one that was invented is missed by the player, who has no receipt with
 * number 1. What is left to try out is counted in molepost-archive(5).
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_PROOF_H
#define MOLEPOST_PROCESSOR_ARCHIVE_PROOF_H

#include "processor/base/seal.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

enum { RECORD_VERSION_NEWEST = 3 };

/* A mail as its sender made it: its Message-ID with <> ("" if none), its Date as it came, and
   mail_body_hash. */
struct proof_mail {
	struct span id, date;
	struct hash body;
};
/*
 * What a mail contributes to the draws: SHA-256("molepost/2 mail\n" id "\n" date "\n" body "\n"). A mail
 * without a Message-ID could be guessed from that: proof_blind of the seat, in hex, is its id then.
 */
struct hash proof_contribution(const struct proof_mail *mail, const struct hash *secret,
                               unsigned seat);
/* SHA-256("molepost/2 dkim\n" domain "\n" selector "\n" signature "\n"), as struct mail_dkim has them. */
struct hash proof_dkim(struct span domain, struct span selector, struct span signature);
/* HMAC(secret, "molepost/2 blind\n" seat "\n") */
struct hash proof_blind(const struct hash *secret, unsigned seat);

/* What one seat has fixed for the draws of a turn. */
struct proof_input {
	unsigned seat;
	struct hash contribution; /* zero: nothing (bots, defaults) */
	struct span salt;         /* of version 2; "" if none */
	struct span text;         /* canonical orders, in version 2; of the set-up the name */
};
/*
 * SHA-256("molepost/3 inputs\n" game "\n" parent "\n", then a line for each seat in order that contributes
 * something: seat, contribution). In version 2, and of the set-up in version 3 too, "molepost/2 inputs\n",
 * and a line for each seat: seat, contribution or "-", salt or "-", SHA-256 of the text; in version 3 no
 * salt. parent: that of the turn whose result the orders are for; NULL, and so "-", for the set-up. So it
 * stands for all that was ever fixed on the way, and for nothing else: not for the serial, which turns that
 * are broken off make larger.
 */
struct hash proof_inputs_hash(unsigned version, const char *game, const struct hash *parent,
                              const struct proof_input *inputs, size_t n);
/* HMAC(secret, "molepost/2 turn\n" inputs "\n"): the turn key since version 2. */
struct hash proof_inputs_key(const struct hash *secret, const struct hash *inputs);
/* HMAC(secret, "molepost/1 turn\n" game "\n" serial "\n" digest "\n"): that of version 1. */
struct hash proof_turn_key(const struct hash *secret, const char *game, unsigned serial,
                           const struct hash *orders_hash);
/* HMAC(secret, "molepost/1 bot\n" serial "\n" seat "\n") */
struct hash proof_bot_key(const struct hash *secret, unsigned serial, unsigned seat);
/* HMAC(secret, "molepost/1 nonce\n" serial "\n" seat "\n" revision "\n") */
struct hash proof_nonce(const struct hash *secret, unsigned serial, unsigned seat,
                        unsigned revision);
/* What one revision commits to. */
struct committed_orders {
	unsigned version; /* of the record */
	const char *game;
	unsigned serial, seat, revision;
	struct hash nonce;
	struct hash contribution; /* since version 2; zero = none */
	struct span salt, canonical;
};
/*
 * SHA-256("molepost/1 orders\n" game serial seat revision nonce salt-or-"-" canonical), LF after each but
 * the last; since version 2 "molepost/2 orders\n", and contribution-or-"-" behind the salt.
 */
struct hash proof_commitment(const struct committed_orders *o);

/* One line of the orders digest. */
struct proof_orders_line {
	unsigned seat;
	unsigned revision;      /* 0 = default */
	struct hash commitment; /* for defaults: SHA-256 of the canonical text */
};
/* SHA-256 over "SEAT REVISION-or-default COMMITMENT\n" in seat order. */
struct hash proof_orders_hash(const struct proof_orders_line *lines, size_t n);

/* One join, for the set-up turn of version 1. */
struct proof_join {
	const char *name;
	int64_t joined_utc;
	struct span salt; /* "" if none */
};
/* SHA-256 over one line per seat in order: seat, time in ISO UTC, salt or "-", name. */
struct hash proof_joins_hash(const struct proof_join *joins, size_t n);
/* SHA-256("molepost/1 state\n" game serial parent_hash orders_hash, then the state text) */
struct hash proof_state_hash(const char *game, unsigned serial, const struct hash *parent,
                             const struct hash *orders, struct span state_text);

/* The chain of a record after its newest turn. */
struct proof_head {
	unsigned version; /* of the record */
	const char *game; /* "W17" */
	unsigned serial;  /* of that turn, 0 if there is none; since version 2 */
	unsigned lines;
	struct hash head;
};
/*
 * Ed25519 over "molepost/1 head\n" game "\n" lines "\n" head "\n"; since version 2 over "molepost/2 head\n"
 * game "\n" serial "\n" lines "\n" head "\n", so that there is one head for each turn. It is what
 * turn reports print and archives end with. A head that was read from a report has version 1 or 2, which
 * is all that can be seen there.
 */
void proof_sign_head(const struct proof_head *h, const struct keyring *keys,
                     unsigned char sig[SIGNATURE_LEN]);
bool proof_head_is_signed(const struct proof_head *h, const struct hash *public_key,
                          const unsigned char sig[SIGNATURE_LEN]);

/* The block a receipt carries so that its owner can prove what the server acknowledged. */
struct receipt_proof {
	unsigned version; /* of the record */
	const char *game; /* "W17" */
	unsigned serial, seat, revision;
	int64_t received_utc;
	struct hash commitment, nonce;
	struct hash contribution; /* since version 2: that of the mail; zero: nothing */
};
/*
 * Appends the block: begin and end lines, fields of at most 66 columns, the signature over its
 * fields; it can still be read after quoting with "> " and with CRLF.
 */
void proof_add_receipt(const struct receipt_proof *ev, const struct keyring *keys,
                       struct strbuf *out);
/* Finds the first block in any text and checks its signature against `public_key`. */
bool proof_read_receipt(struct span text, struct arena *arena, struct receipt_proof *out,
                        const struct hash *public_key, bool *signature_ok);

/*
 * The block in the answer to JOIN: that this seat was taken, by which mail. Or that in the answer to ALWAYS,
 * QUEUE or SET FALLBACK: that this mail stored something for later turns. Since version 2, and written and
 * read like the one above.
 */
struct seat_proof {
	unsigned version;            /* of the record */
	bool stored;                 /* for later; false: joined */
	enum order_origin stored_as; /* stored: that of the orders that come of it */
	const char *game;            /* "W17" */
	unsigned seat;
	unsigned
	    number; /* joined, version 3: of the receipts this person got for a seat, from 1 */
	int64_t received_utc;
	struct hash person; /* joined: proof_person */
	struct hash
	    secret_hash; /* joined, version 3: the digest of the game's secret, as announced */
	struct hash contribution;
};
/* SHA-256(name "\n"), in version 2 SHA-256(name "\n" salt-or-"-" "\n"). */
struct hash proof_person(unsigned version, struct span name, struct span salt);
void proof_add_seat(const struct seat_proof *p, const struct keyring *keys, struct strbuf *out);
bool proof_read_seat(struct span text, struct arena *arena, struct seat_proof *out,
                     const struct hash *public_key, bool *signature_ok);

/*
 * Which orders of which seats were sealed when a receipt was written, and one digest of their
 * commitments: part_seals of reports/parts.h prints them.
 */
struct printed_seals {
	struct {
		unsigned seat, revision;
	} items[MAX_SEATS];
	size_t n; /* 0 = the text has none */
	struct hash digest;
};
/* Finds the first in any text, as proof_read_receipt does. */
void proof_read_seals(struct span text, struct printed_seals *out);

/* What a report lists before its head: of each seat how many receipts it has got, and the first of them. */
struct printed_firsts {
	struct {
		unsigned seat, receipts;
		struct hash first; /* zero: none */
	} items[MAX_SEATS];
	size_t n; /* 0 = the text has none */
};
/* Finds the first in any text, as proof_read_receipt does. */
void proof_read_firsts(struct span text, struct printed_firsts *out);

/* The head of the chain as a turn report prints it. */
struct printed_head {
	struct proof_head of; /* game "" when the text does not name one */
	bool has_signature;   /* somebody may have copied the head alone */
	unsigned char signature[SIGNATURE_LEN];
};
/* Finds the first in any text, as proof_read_receipt does; texts live in `arena`. */
bool proof_read_head(struct span text, struct arena *arena, struct printed_head *out);

#endif
