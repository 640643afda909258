/*
 * proof.h - what makes play checkable: nonces, commitments, digests, keys.
 *
 * Pure functions over the strings that molepost-archive(5) writes down; turn,
 * intake and archive all take them from here, so that there is one place where
 * each hashed string is put together. `game` is the id people see ("W17").
 * Numbers are decimal, digests lower-case hex, every part ends in LF.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_PROOF_H
#define MOLEPOST_PROCESSOR_ARCHIVE_PROOF_H

#include "processor/base/seal.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

/* HMAC(secret, "molepost/1 turn\n" game "\n" serial "\n" digest "\n") */
struct hash proof_turn_key(const struct hash *secret, const char *game, unsigned serial,
                           const struct hash *orders_hash);
/* HMAC(secret, "molepost/1 bot\n" serial "\n" seat "\n") */
struct hash proof_bot_key(const struct hash *secret, unsigned serial, unsigned seat);
/* HMAC(secret, "molepost/1 nonce\n" serial "\n" seat "\n" revision "\n") */
struct hash proof_nonce(const struct hash *secret, unsigned serial, unsigned seat,
                        unsigned revision);
/* SHA-256("molepost/1 orders\n" game serial seat revision nonce salt-or-"-" canonical), LF after each but the last */
struct hash proof_commitment(const char *game, unsigned serial, unsigned seat,
                             unsigned revision, const struct hash *nonce, struct span salt,
                             struct span canonical);

/* One line of the orders digest. */
struct proof_orders_line {
	unsigned seat;
	unsigned revision;      /* 0 = default */
	struct hash commitment; /* for defaults: SHA-256 of the canonical text */
};
/* SHA-256 over "SEAT REVISION-or-default COMMITMENT\n" in seat order. */
struct hash proof_orders_hash(const struct proof_orders_line *lines, size_t n);

/* One join, for the set-up turn. */
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

/*
 * The archive's head, Ed25519 over "molepost/1 head\n" game "\n" lines "\n" head "\n": what turn
 * reports print and archives end with.
 */
void proof_sign_head(const char *game, unsigned lines, const struct hash *head,
                     const struct keyring *keys, unsigned char sig[SIGNATURE_LEN]);
bool proof_head_is_signed(const char *game, unsigned lines, const struct hash *head,
                          const struct hash *public_key,
                          const unsigned char sig[SIGNATURE_LEN]);

/* The block a receipt carries so that its owner can prove what the server acknowledged. */
struct receipt_proof {
	const char *game; /* "W17" */
	unsigned serial, seat, revision;
	int64_t received_utc;
	struct hash commitment, nonce;
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

/* The head of the chain as a turn report prints it, and what the report says of it. */
struct printed_head {
	const char *game; /* "W17"; "" when the text does not name one */
	unsigned lines;   /* after so many lines of the record */
	struct hash head;
	bool has_signature; /* somebody may have copied the head alone */
	unsigned char signature[SIGNATURE_LEN];
};
/* Finds the first in any text, as proof_read_receipt does; texts live in `arena`. */
bool proof_read_head(struct span text, struct arena *arena, struct printed_head *out);

#endif
