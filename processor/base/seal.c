/*
 * seal.c - hashes and signatures that need no key of the server (libsodium).
 */
#include "processor/base/seal.h"

#include <sodium.h>
#include <string.h>

#include "processor/base/num.h"

_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(((struct hasher *)0)->state),
               "struct hasher has no room for libsodium's state");
_Static_assert(sizeof(crypto_generichash_state) <= sizeof(((struct quick_hasher *)0)->state),
               "struct quick_hasher has no room for libsodium's state");
_Static_assert(crypto_hash_sha256_BYTES == HASH_LEN, "digests are SHA-256");
_Static_assert(crypto_auth_hmacsha256_BYTES == HASH_LEN, "keyed digests are HMAC-SHA-256");
_Static_assert(crypto_sign_BYTES == SIGNATURE_LEN, "signatures are Ed25519");
_Static_assert(crypto_sign_PUBLICKEYBYTES == HASH_LEN, "a public key fits a digest");

void seal_start(void)
{
	if (sodium_init() < 0)
		BUG("libsodium does not start");
}

static const unsigned char *bytes_of(struct span s)
{
	return (const unsigned char *)s.ptr;
}

struct hash hash_of(struct span bytes)
{
	struct hash d;

	crypto_hash_sha256(d.bytes, bytes_of(bytes), bytes.len);
	return d;
}

struct hash hash_keyed(const struct hash *key, struct span bytes)
{
	struct hash d;

	crypto_auth_hmacsha256(d.bytes, bytes_of(bytes), bytes.len, key->bytes);
	return d;
}

bool hash_eq(const struct hash *a, const struct hash *b)
{
	return sodium_memcmp(a->bytes, b->bytes, HASH_LEN) == 0;
}

bool hash_is_zero(const struct hash *d)
{
	return sodium_is_zero(d->bytes, HASH_LEN) != 0;
}

void hash_add_hex(struct strbuf *out, const struct hash *d)
{
	strbuf_add_hex(out, d->bytes, HASH_LEN);
}

bool hash_parse(struct span hex, struct hash *d)
{
	return num_parse_hex(hex, d->bytes, HASH_LEN);
}

struct span hash_span(const struct hash *d)
{
	return (struct span){(const char *)d->bytes, HASH_LEN};
}

/* The state is copied in and out: bytes must not be used as an object of another type. */
void hasher_start(struct hasher *h)
{
	crypto_hash_sha256_state state;

	crypto_hash_sha256_init(&state);
	memcpy(h->state, &state, sizeof(state));
}

void hasher_add(struct hasher *h, struct span bytes)
{
	crypto_hash_sha256_state state;

	memcpy(&state, h->state, sizeof(state));
	crypto_hash_sha256_update(&state, bytes_of(bytes), bytes.len);
	memcpy(h->state, &state, sizeof(state));
}

struct hash hasher_end(struct hasher *h)
{
	crypto_hash_sha256_state state;
	struct hash d;

	memcpy(&state, h->state, sizeof(state));
	crypto_hash_sha256_final(&state, d.bytes);
	sodium_memzero(h->state, sizeof(h->state));
	return d;
}

/* libsodium's functions want the state where it was begun, aligned as it is here. */
static crypto_generichash_state *blake(struct quick_hasher *h)
{
	return (crypto_generichash_state *)(void *)h->state;
}

void quick_hasher_start(struct quick_hasher *h)
{
	if (crypto_generichash_init(blake(h), NULL, 0, HASH_LEN) != 0)
		BUG("BLAKE2b does not start");
}

void quick_hasher_add(struct quick_hasher *h, struct span bytes)
{
	if (crypto_generichash_update(blake(h), bytes_of(bytes), bytes.len) != 0)
		BUG("BLAKE2b does not go on");
}

void quick_hasher_add_nocase(struct quick_hasher *h, struct span text)
{
	char lower[64];
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		lower[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		if (n == sizeof(lower) || i + 1 == text.len) {
			quick_hasher_add(h, (struct span){lower, n});
			n = 0;
		}
	}
}

struct hash quick_hasher_end(struct quick_hasher *h)
{
	struct hash d;

	if (crypto_generichash_final(blake(h), d.bytes, HASH_LEN) != 0)
		BUG("BLAKE2b does not end");
	return d;
}

bool signature_valid(const struct hash *public_key, struct span message,
                     const unsigned char sig[SIGNATURE_LEN])
{
	return crypto_sign_verify_detached(sig, bytes_of(message), message.len,
	                                   public_key->bytes) == 0;
}
