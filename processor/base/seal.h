/*
 * seal.h - hashes, seals, signatures, tokens (libsodium).
 *
 * The names of the constructions and the exact strings that are hashed are
 * written down in molepost-archive(5); this file only provides the tools.
 * Hashes are SHA-256, keyed ones HMAC-SHA-256, seals XChaCha20-Poly1305,
 * signatures Ed25519.
 */
#ifndef MOLEPOST_BASE_SEAL_H
#define MOLEPOST_BASE_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/err.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum { HASH_LEN = 32, SEAL_OVERHEAD = 16, SIGNATURE_LEN = 64, TOKEN_MAC_CHARS = 26 };

struct hash {
	unsigned char bytes[HASH_LEN];
};

/* Called once by main (and by each test) before anything else here; aborts if it cannot. */
void seal_start(void);

struct hash hash_of(struct span bytes);
struct hash hash_keyed(const struct hash *key, struct span bytes);
bool hash_eq(const struct hash *a, const struct hash *b); /* constant time */
bool hash_is_zero(const struct hash *d);
void hash_add_hex(struct strbuf *out, const struct hash *d); /* 64 lower-case digits */
bool hash_parse(struct span hex, struct hash *d);
struct span hash_span(const struct hash *d);

/* Hashing piece by piece. */
struct hasher {
	_Alignas(16) unsigned char state[256];
};
void hasher_start(struct hasher *h);
void hasher_add(struct hasher *h, struct span bytes);
struct hash hasher_end(struct hasher *h);

/*
 * BLAKE2b, three times as fast and just as good, for digests of long texts that never leave the
 * server: what a player is to check must not need two kinds of hash.
 */
struct quick_hasher {
	_Alignas(64) unsigned char state[384];
};
void quick_hasher_start(struct quick_hasher *h);
void quick_hasher_add(struct quick_hasher *h, struct span bytes);
/* ASCII letters as small ones. */
void quick_hasher_add_nocase(struct quick_hasher *h, struct span text);
struct hash quick_hasher_end(struct quick_hasher *h);

/*
 * The server's keys: one 0600 file beside the database, never inside it. A keyring stands for its newest
 * key; the older ones are behind it, and every seal of theirs opens.
 */
struct keyring;
/*
 * Makes a new key file (ERR_EXISTS if there is one). From here on, and from keyring_load on, no other
 * process of this user can look into this one, and it leaves no core file.
 */
enum err keyring_create(const char *path, struct failure *e) MUST_CHECK;
/*
 * ERR_NOT_FOUND, ERR_DENIED (open to group or others, or not ours to read), ERR_CORRUPT,
 * ERR_IO (also: a link or no regular file). Free with keyring_free.
 */
enum err keyring_load(const char *path, struct keyring **out, struct failure *e) MUST_CHECK;
/* Wipes the memory. NULL is fine. */
void keyring_free(struct keyring *k);
/* Adds a key to the file, or leaves it as it was. ERR_LIMIT: there are 32. As keyring_load. */
enum err keyring_rotate(const char *path, unsigned *number, struct failure *e) MUST_CHECK;
/*
 * The secrets of the file in words for paper (paper_words.h), each key under a line of its own: 24, or, of keys
 * made before this could be done, twice 24. Appended; end with secret_release.
 */
enum err keyring_add_words(const char *path, struct strbuf *out, struct failure *e) MUST_CHECK;
/* Makes the file of such words. ERR_EXISTS, ERR_CORRUPT (a word is wrong: which). */
enum err keyring_from_words(const char *path, struct span text, struct failure *e) MUST_CHECK;
/* How many keys there are up to this one: its number, from 1 on. */
unsigned keyring_number(const struct keyring *k);
/* The key with this number, borrowed; NULL: there is none. */
const struct keyring *keyring_numbered(const struct keyring *k, unsigned number);
/* That digests are made with by which rows and mails are found again: it must stay the same for ever. */
const struct keyring *keyring_first(const struct keyring *k);
/* A key from a seed, for tests and tools that own no file. */
struct keyring *keyring_from_seed(struct span seed);

/*
 * Seals plain text under the server key. `context` is the associated data: it
 * names the object ("order W17 4 2 1"), must be unique per plain text ever
 * sealed under it, and must be given again to open. The nonce is derived from
 * context and plain text, so equal input gives equal output and nothing but
 * SEAL_OVERHEAD + 24 bytes is added: the nonce (24 bytes) stands before the cipher text.
 */
enum seal_form {
	SEALED,        /* of the length of the text */
	SEALED_PADDED, /* of its length no more is seen than which of 64, 256, 1024 and then every 1024
	                  bytes it comes under: for texts that get longer with what is secret in them */
	SEALED_ONCE /* padded, and without the stored nonce: it is derived from the context alone, which
	                  must never be used for two different plain texts (order revisions are such) */
};
void keyring_seal(const struct keyring *k, enum seal_form form, const char *context,
                  struct span plain, struct strbuf *out);
/*
 * Appends the plain text, padded or not (rows of before are not). ERR_CORRUPT: another key,
 * another context, or changed bytes.
 */
enum err keyring_open(const struct keyring *k, enum seal_form form, const char *context,
                      struct span sealed, struct strbuf *out, struct failure *e) MUST_CHECK;
/* HMAC under a subkey of this key alone; `purpose` keeps uses apart ("message-id", "token"). */
struct hash keyring_mac(const struct keyring *k, const char *purpose, struct span bytes);
/* The first 130 bits of such a MAC as 26 lower-case base32 characters (RFC 4648 alphabet). */
void keyring_add_token(const struct keyring *k, const char *purpose, struct span bytes,
                       struct strbuf *out);
/* Under this key alone. Constant time, letters in either case. */
bool keyring_check_token(const struct keyring *k, const char *purpose, struct span bytes,
                         struct span token);

/* Ed25519. Public key as 32 bytes, signature as 64. */
struct hash keyring_public_key(const struct keyring *k);
void keyring_sign(const struct keyring *k, struct span message,
                  unsigned char sig[SIGNATURE_LEN]);
bool signature_valid(const struct hash *public_key, struct span message,
                     const unsigned char sig[SIGNATURE_LEN]);

/* Wipes the whole buffer and frees it. Reserve its room before filling it: a buffer that moves leaves copies. */
void secret_release(struct strbuf *sb);

#endif
