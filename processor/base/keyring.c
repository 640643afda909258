/*
 * keyring.c - the server's keys and what is done under them (libsodium).
 *
 * Everything comes from two secrets of 32 bytes: the master, from which each
 * use gets its own subkey HMAC-SHA-256(master, use), and the seed of the
 * Ed25519 pair, which in new files is such a subkey too. Subkeys are kept, since a run seals and macs
 * thousands of times. A keyring is the newest of such pairs, with the older ones behind it.
 */
#include "processor/base/seal.h"

#include <sodium.h>
#include <string.h>

#include "processor/base/keyring_private.h"

enum {
	NONCE_LEN = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
	PURPOSE_MAX = 31, /* longer purposes work, but are worked out every time */
	PURPOSES_KEPT = 16
};

_Static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == HASH_LEN, "subkeys fit");
_Static_assert(crypto_aead_xchacha20poly1305_ietf_ABYTES == SEAL_OVERHEAD, "as promised");
_Static_assert(crypto_sign_SEEDBYTES == HASH_LEN, "the seed is read like a digest");

/* A keyed hash that has taken in its key already: half the work of a short MAC. */
struct mac_start {
	char purpose[PURPOSE_MAX + 1];
	crypto_auth_hmacsha256_state state;
};

struct mac_starts {
	size_t count;
	struct mac_start items[PURPOSES_KEPT];
};

/* One pair of keys per kind of seal: their nonces can then never meet, nor one pass for another. */
struct seal_keys {
	struct hash seal, nonce;
};

struct keyring {
	struct keyring *older; /* owned; NULL: this is the first */
	unsigned number;       /* counts from 1 */
	struct secrets secrets;
	struct seal_keys plain, padded;
	struct seal_keys once; /* as they were before they were padded: only opened */
	struct seal_keys once_padded;
	struct hash public_key;
	unsigned char sign_key[crypto_sign_SECRETKEYBYTES];
	struct mac_starts *macs; /* filled as purposes turn up; owned */
};

static const unsigned char *bytes_of(struct span s)
{
	return (const unsigned char *)s.ptr;
}

void *secret_alloc(size_t size)
{
	void *p = sodium_malloc(size);

	if (p != NULL)
		return memset(p, 0, size);
	out_of_memory();
}

static struct hash subkey(const struct secrets *s, const char *use)
{
	return hash_keyed(&s->master, span_of(use));
}

static struct keyring *keyring_from_secrets(const struct secrets *s)
{
	struct keyring *k = secret_alloc(sizeof(*k));

	k->macs = secret_alloc(sizeof(*k->macs));
	k->secrets = *s;
	k->plain.seal = subkey(s, "molepost/1 seal");
	k->plain.nonce = subkey(s, "molepost/1 seal nonce");
	k->padded.seal = subkey(s, "molepost/1 seal padded");
	k->padded.nonce = subkey(s, "molepost/1 seal padded nonce");
	k->once.seal = subkey(s, "molepost/1 seal once");
	k->once.nonce = subkey(s, "molepost/1 seal once nonce");
	k->once_padded.seal = subkey(s, "molepost/1 seal once padded");
	k->once_padded.nonce = subkey(s, "molepost/1 seal once padded nonce");
	crypto_sign_seed_keypair(k->public_key.bytes, k->sign_key, s->sign_seed.bytes);
	return k;
}

struct keyring *keyring_on_top(struct keyring *older, const struct secrets *s)
{
	struct keyring *k = keyring_from_secrets(s);

	k->older = older;
	k->number = older ? older->number + 1 : 1;
	return k;
}

struct keyring *keyring_from_seed(struct span seed)
{
	struct hash root = hash_of(seed);
	struct secrets s = {
	    .master = hash_keyed(&root, SPAN_LIT("molepost/1 seeded master")),
	    .sign_seed = hash_keyed(&root, SPAN_LIT("molepost/1 seeded sign seed")),
	};
	struct keyring *k = keyring_on_top(NULL, &s);

	sodium_memzero(&s, sizeof(s));
	return k;
}

void keyring_free(struct keyring *k)
{
	if (k == NULL)
		return;
	keyring_free(k->older);
	sodium_free(k->macs); /* sodium_free wipes */
	sodium_free(k);
}

unsigned keyring_number(const struct keyring *k)
{
	return k->number;
}

const struct keyring *keyring_numbered(const struct keyring *k, unsigned number)
{
	while (k && k->number > number)
		k = k->older;
	return k && k->number == number ? k : NULL;
}

const struct keyring *keyring_first(const struct keyring *k)
{
	return keyring_numbered(k, 1);
}

/* Sealing. */

/* The length stands first, so that no context can pass for another with a piece of the text. */
static void derive_nonce(const struct hash *key, struct span context, struct span plain,
                         unsigned char nonce[NONCE_LEN])
{
	crypto_generichash_state state;
	unsigned char len[8];

	for (int i = 0; i < 8; i++)
		len[i] = (unsigned char)((uint64_t)context.len >> (8 * i));
	crypto_generichash_init(&state, key->bytes, HASH_LEN, NONCE_LEN);
	crypto_generichash_update(&state, len, sizeof(len));
	crypto_generichash_update(&state, bytes_of(context), context.len);
	crypto_generichash_update(&state, bytes_of(plain), plain.len);
	crypto_generichash_final(&state, nonce, NONCE_LEN);
}

/* False, and nothing is appended, when it does not open. */
static bool decrypt(const struct hash *key, const unsigned char *nonce, const char *context,
                    struct span cipher, struct strbuf *out)
{
	unsigned long long len = 0;

	if (cipher.len < SEAL_OVERHEAD)
		return false;
	strbuf_grow(out, cipher.len);
	bool opens = crypto_aead_xchacha20poly1305_ietf_decrypt(
			 (unsigned char *)out->ptr + out->len, &len, NULL, bytes_of(cipher),
			 cipher.len, bytes_of(span_of(context)), strlen(context), nonce,
			 key->bytes) == 0;
	out->len += opens ? (size_t)len : 0;
	out->ptr[out->len] = '\0';
	return opens;
}

/* ---- lengths ---- */

/* The length a text of n bytes is brought to; one byte at least is added. */
static size_t padded_length(size_t n)
{
	enum { SMALL = 64, MIDDLE = 256, STEP = 1024 };

	n++;
	return n <= SMALL ? SMALL : n <= MIDDLE ? MIDDLE : (n + STEP - 1) / STEP * STEP;
}

/* Cuts the 0x80 and the zeros (ISO/IEC 7816-4) behind the text that begins at `start`. */
static void cut_padding(struct strbuf *out, size_t start)
{
	while (out->len > start && out->ptr[out->len - 1] == '\0')
		out->len--;
	strbuf_truncate(out, out->len > start ? out->len - 1 : start);
}

/* Whether so many sealed bytes can have been padded; if not they need not be tried. */
static bool could_be_padded(size_t sealed)
{
	return sealed > SEAL_OVERHEAD &&
	       padded_length(sealed - SEAL_OVERHEAD - 1) == sealed - SEAL_OVERHEAD;
}

/* ---- */

void keyring_seal(const struct keyring *k, enum seal_form form, const char *context,
                  struct span plain, struct strbuf *out)
{
	const struct seal_keys *keys = form == SEALED        ? &k->plain
	                               : form == SEALED_ONCE ? &k->once_padded
	                                                     : &k->padded;
	struct strbuf padded = STRBUF_INIT;
	unsigned char nonce[NONCE_LEN];
	unsigned long long len;

	if (form != SEALED) {
		strbuf_add_span(&padded, plain);
		strbuf_addc(&padded, (char)0x80);
		strbuf_add_repeat(&padded, '\0', padded_length(plain.len) - padded.len);
		plain = strbuf_span(&padded);
	}
	derive_nonce(&keys->nonce, span_of(context), form == SEALED_ONCE ? SPAN_EMPTY : plain,
	             nonce);
	strbuf_grow(out, NONCE_LEN + plain.len + SEAL_OVERHEAD);
	if (form != SEALED_ONCE)
		strbuf_add(out, nonce, NONCE_LEN);
	crypto_aead_xchacha20poly1305_ietf_encrypt(
	    (unsigned char *)out->ptr + out->len, &len, bytes_of(plain), plain.len,
	    bytes_of(span_of(context)), strlen(context), NULL, nonce, keys->seal.bytes);
	out->len += (size_t)len;
	out->ptr[out->len] = '\0';
	strbuf_release(&padded);
}

static bool open_padded(const struct seal_keys *keys, const unsigned char *nonce,
                        const char *context, struct span cipher, struct strbuf *out)
{
	size_t start = out->len;

	if (!could_be_padded(cipher.len) || !decrypt(&keys->seal, nonce, context, cipher, out))
		return false;
	cut_padding(out, start);
	return true;
}

static bool open_stored(const struct keyring *k, const char *context, struct span sealed,
                        struct strbuf *out)
{
	struct span cipher = span_slice(sealed, NONCE_LEN, sealed.len);

	return open_padded(&k->padded, bytes_of(sealed), context, cipher, out) ||
	       decrypt(&k->plain.seal, bytes_of(sealed), context, cipher, out);
}

static bool open_once(const struct keyring *k, const char *context, struct span sealed,
                      struct strbuf *out)
{
	unsigned char nonce[NONCE_LEN];

	derive_nonce(&k->once_padded.nonce, span_of(context), SPAN_EMPTY, nonce);
	if (open_padded(&k->once_padded, nonce, context, sealed, out))
		return true;
	derive_nonce(&k->once.nonce, span_of(context), SPAN_EMPTY, nonce);
	return decrypt(&k->once.seal, nonce, context, sealed, out);
}

enum err keyring_open(const struct keyring *k, enum seal_form form, const char *context,
                      struct span sealed, struct strbuf *out, struct failure *e)
{
	if (form != SEALED_ONCE && sealed.len < NONCE_LEN)
		return err_set(e, ERR_CORRUPT, "the seal of \"%s\" is too short", context);
	for (; k; k = k->older)
		if (form == SEALED_ONCE ? open_once(k, context, sealed, out)
		                        : open_stored(k, context, sealed, out))
			return ERR_NONE;
	return err_set(e, ERR_CORRUPT, "the seal of \"%s\" does not open", context);
}

/* Keyed hashes and tokens. */

static void start_mac(const struct keyring *k, const char *purpose,
                      crypto_auth_hmacsha256_state *state)
{
	static const char prefix[] = "molepost/1 mac ";
	struct strbuf use = STRBUF_INIT;
	struct hash key;

	strbuf_adds(&use, prefix);
	strbuf_adds(&use, purpose);
	key = subkey(&k->secrets, use.ptr);
	crypto_auth_hmacsha256_init(state, key.bytes, HASH_LEN);
	sodium_memzero(&key, sizeof(key));
	strbuf_release(&use);
}

static void started_mac(const struct keyring *k, const char *purpose,
                        crypto_auth_hmacsha256_state *state)
{
	struct mac_starts *m = k->macs;
	size_t len = strlen(purpose);

	for (size_t i = 0; i < m->count; i++) {
		if (strcmp(m->items[i].purpose, purpose) == 0) {
			*state = m->items[i].state;
			return;
		}
	}
	start_mac(k, purpose, state);
	if (m->count < PURPOSES_KEPT && len <= PURPOSE_MAX) {
		memcpy(m->items[m->count].purpose, purpose, len + 1);
		m->items[m->count++].state = *state;
	}
}

struct hash keyring_mac(const struct keyring *k, const char *purpose, struct span bytes)
{
	crypto_auth_hmacsha256_state state;
	struct hash mac;

	started_mac(k, purpose, &state);
	crypto_auth_hmacsha256_update(&state, bytes_of(bytes), bytes.len);
	crypto_auth_hmacsha256_final(&state, mac.bytes);
	sodium_memzero(&state, sizeof(state));
	return mac;
}

/* Five bits a character, the first bit of the first byte first. */
static void token_text(const struct hash *mac, char text[TOKEN_MAC_CHARS])
{
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

	for (unsigned i = 0; i < TOKEN_MAC_CHARS; i++) {
		unsigned bit = 5 * i;
		unsigned pair = (unsigned)mac->bytes[bit / 8] << 8 | mac->bytes[bit / 8 + 1];

		text[i] = alphabet[pair >> (11 - bit % 8) & 31];
	}
}

void keyring_add_token(const struct keyring *k, const char *purpose, struct span bytes,
                       struct strbuf *out)
{
	struct hash mac = keyring_mac(k, purpose, bytes);
	char text[TOKEN_MAC_CHARS];

	token_text(&mac, text);
	strbuf_add(out, text, sizeof(text));
}

bool keyring_check_token(const struct keyring *k, const char *purpose, struct span bytes,
                         struct span token)
{
	struct hash mac = keyring_mac(k, purpose, bytes);
	char text[TOKEN_MAC_CHARS], given[TOKEN_MAC_CHARS];

	if (token.len != TOKEN_MAC_CHARS)
		return false;
	token_text(&mac, text);
	for (size_t i = 0; i < TOKEN_MAC_CHARS; i++) {
		char c = token.ptr[i];

		given[i] = c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
	}
	return sodium_memcmp(text, given, TOKEN_MAC_CHARS) == 0;
}

struct hash keyring_public_key(const struct keyring *k)
{
	return k->public_key;
}

void keyring_sign(const struct keyring *k, struct span message,
                  unsigned char sig[SIGNATURE_LEN])
{
	crypto_sign_detached(sig, NULL, bytes_of(message), message.len, k->sign_key);
}
