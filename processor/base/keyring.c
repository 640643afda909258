/*
 * keyring.c - the server's keys and what is done under them (libsodium).
 *
 * Everything comes from two secrets of 32 bytes: the master, from which each
 * use gets its own subkey HMAC-SHA-256(master, use), and the seed of the
 * Ed25519 pair. Subkeys are kept, since a run seals and macs thousands of
 * times. Key memory is locked, left out of core dumps and wiped.
 *
 * Trusts: the key file is checked to the byte (form, version, check line),
 * so that a damaged key is found when it is loaded and not by a seal that
 * does not open.
 */
#include "processor/base/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/banned.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/random.h"
#include "processor/base/sanitized.h"

enum {
	NONCE_LEN = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
	KEY_FILE_MAX = 1024,
	PURPOSE_MAX = 31, /* longer purposes work, but are worked out every time */
	PURPOSES_KEPT = 16
};

_Static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == HASH_LEN, "subkeys fit");
_Static_assert(crypto_aead_xchacha20poly1305_ietf_ABYTES == SEAL_OVERHEAD, "as promised");
_Static_assert(crypto_sign_SEEDBYTES == HASH_LEN, "the seed is read like a digest");

struct secrets {
	struct hash master, sign_seed;
};

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

static void *secret_alloc(size_t size)
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

struct keyring *keyring_from_seed(struct span seed)
{
	struct hash root = hash_of(seed);
	struct secrets s = {
	    .master = hash_keyed(&root, SPAN_LIT("molepost/1 seeded master")),
	    .sign_seed = hash_keyed(&root, SPAN_LIT("molepost/1 seeded sign seed")),
	};
	struct keyring *k = keyring_from_secrets(&s);

	sodium_memzero(&s, sizeof(s));
	return k;
}

void keyring_free(struct keyring *k)
{
	if (k == NULL)
		return;
	sodium_free(k->macs); /* sodium_free wipes */
	sodium_free(k);
}

/* The key file. */

static struct hash check_of(const struct secrets *s)
{
	struct hasher h;

	hasher_start(&h);
	hasher_add(&h, SPAN_LIT("molepost/1 key file\n"));
	hasher_add(&h, hash_span(&s->master));
	hasher_add(&h, hash_span(&s->sign_seed));
	return hasher_end(&h);
}

static void add_line(struct strbuf *out, const char *name, const struct hash *d)
{
	strbuf_addf(out, "%s ", name);
	hash_add_hex(out, d);
	strbuf_addc(out, '\n');
}

/* The whole room is taken first: a buffer that moves would leave unwiped copies behind. */
static void write_key_file(struct strbuf *out, const struct secrets *s)
{
	struct hash check = check_of(s);

	strbuf_grow(out, KEY_FILE_MAX);
	strbuf_adds(out, "molepost key file 1\n"
	                 "# Whoever reads this file can open every seal of this server and\n"
	                 "# sign in its name. Keep a copy apart from the database: without\n"
	                 "# it running games are lost.\n");
	add_line(out, "master", &s->master);
	add_line(out, "sign", &s->sign_seed);
	add_line(out, "check", &check);
}

static bool take_line(struct span *rest, const char *name, struct hash *d)
{
	struct span line;

	return span_next_line(rest, &line) && span_starts(line, name) &&
	       line.len > strlen(name) && line.ptr[strlen(name)] == ' ' &&
	       hash_parse(span_slice(line, strlen(name) + 1, line.len), d);
}

static enum err read_key_file(struct span text, struct secrets *s, struct failure *e)
{
	struct hash check, expected;
	struct span line;
	bool well_formed;

	if (!span_next_line(&text, &line) || !span_eq_str(line, "molepost key file 1"))
		return err_set(e, ERR_CORRUPT, "the first line is not \"molepost key file 1\"");
	while (span_starts(text, "#"))
		(void)span_next_line(&text, &line);
	well_formed = take_line(&text, "master", &s->master) &&
	              take_line(&text, "sign", &s->sign_seed) &&
	              take_line(&text, "check", &check) && text.len == 0;
	if (!well_formed)
		return err_set(e, ERR_CORRUPT,
		               "the lines master, sign and check are not as written");
	expected = check_of(s);
	if (!hash_eq(&check, &expected))
		return err_set(e, ERR_CORRUPT, "the check line does not fit the keys");
	return ERR_NONE;
}

void secret_release(struct strbuf *sb)
{
	if (sb->cap > 0)
		sodium_memzero(sb->ptr, sb->cap);
	strbuf_release(sb);
}

/*
 * From here on no process of this user may look into ours, nor does a core file show what is in it;
 * only root may.
 */
static void hide_memory(void)
{
	struct rlimit none = {0, 0};

	if (IS_SANITIZED)
		return;
	(void)prctl(PR_SET_DUMPABLE, 0);
	(void)setrlimit(RLIMIT_CORE, &none);
}

enum err keyring_create(const char *path, struct failure *e)
{
	struct secrets s = {.master = {.bytes = {0}}};
	struct strbuf text = STRBUF_INIT;
	enum err r;

	hide_memory();
	random_bytes("keyring master", s.master.bytes, HASH_LEN);
	random_bytes("keyring sign seed", s.sign_seed.bytes, HASH_LEN);
	write_key_file(&text, &s);
	r = file_create(path, strbuf_span(&text), e);
	secret_release(&text);
	sodium_memzero(&s, sizeof(s));
	return r;
}

static enum err open_private(const char *path, int *fd, struct failure *e)
{
	struct stat st;

	*fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0 && errno == ENOENT)
		return err_set(e, ERR_NOT_FOUND, "there is no key file %s", path);
	if (*fd < 0)
		return err_set_errno(e, errno == EACCES ? ERR_DENIED : ERR_IO,
		                     "cannot open the key file %s", path);
	if (fstat(*fd, &st) != 0)
		return err_set_errno(e, ERR_IO, "cannot examine the key file %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_IO, "the key file %s is not a regular file", path);
	if ((st.st_mode & 077) != 0)
		return err_set(e, ERR_DENIED,
		               "the key file %s is open to others (mode %03o): chmod 600 it",
		               path, (unsigned)st.st_mode & 0777);
	return ERR_NONE;
}

enum err keyring_load(const char *path, struct keyring **out, struct failure *e)
{
	struct strbuf text = STRBUF_INIT;
	struct secrets s = {.master = {.bytes = {0}}};
	int fd = -1;
	enum err r = open_private(path, &fd, e);

	*out = NULL;
	if (r != ERR_NONE)
		goto out;
	hide_memory();
	strbuf_grow(&text, KEY_FILE_MAX + 1);
	r = file_read_fd(fd, KEY_FILE_MAX, &text, e);
	if (r == ERR_LIMIT)
		r = err_set(e, ERR_CORRUPT, "longer than any key file");
	if (r == ERR_NONE)
		r = read_key_file(strbuf_span(&text), &s, e);
	if (r == ERR_NONE)
		*out = keyring_from_secrets(&s);
	else
		err_context(e, "the key file %s", path);
out:
	if (fd >= 0)
		close(fd);
	secret_release(&text);
	sodium_memzero(&s, sizeof(s));
	return r;
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

static void encrypt(const struct hash *key, const unsigned char *nonce, struct span context,
                    struct span plain, struct strbuf *out)
{
	unsigned long long len;

	strbuf_grow(out, plain.len + SEAL_OVERHEAD);
	crypto_aead_xchacha20poly1305_ietf_encrypt(
	    (unsigned char *)out->ptr + out->len, &len, bytes_of(plain), plain.len,
	    bytes_of(context), context.len, NULL, nonce, key->bytes);
	out->len += (size_t)len;
	out->ptr[out->len] = '\0';
}

static enum err decrypt(const struct hash *key, const unsigned char *nonce, struct span context,
                        struct span cipher, struct strbuf *out, struct failure *e)
{
	unsigned long long len = 0;
	int r = -1;

	if (cipher.len >= SEAL_OVERHEAD) {
		strbuf_grow(out, cipher.len);
		r = crypto_aead_xchacha20poly1305_ietf_decrypt(
		    (unsigned char *)out->ptr + out->len, &len, NULL, bytes_of(cipher),
		    cipher.len, bytes_of(context), context.len, nonce, key->bytes);
		out->len += r == 0 ? (size_t)len : 0;
		out->ptr[out->len] = '\0';
	}
	if (r != 0)
		return err_set(e, ERR_CORRUPT, "the seal of \"%.*s\" does not open",
		               SPAN_ARGS(context));
	return ERR_NONE;
}

/* ---- lengths ---- */

/* The length a text of n bytes is brought to; one byte at least is added. */
static size_t padded_length(size_t n)
{
	enum { SMALL = 64, MIDDLE = 256, STEP = 1024 };

	n++;
	return n <= SMALL ? SMALL : n <= MIDDLE ? MIDDLE : (n + STEP - 1) / STEP * STEP;
}

/* 0x80 and then zeros (ISO/IEC 7816-4). */
static void add_padded(struct strbuf *out, struct span plain)
{
	size_t len = padded_length(plain.len);

	strbuf_grow(out, len);
	strbuf_add_span(out, plain);
	strbuf_addc(out, (char)0x80);
	while (len-- > plain.len + 1)
		strbuf_addc(out, '\0');
}

/* Cuts what add_padded() put behind the text that begins at `start`. */
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

static void seal_under(const struct seal_keys *keys, const char *context, struct span plain,
                       struct strbuf *out)
{
	unsigned char nonce[NONCE_LEN];

	derive_nonce(&keys->nonce, span_of(context), plain, nonce);
	strbuf_grow(out, NONCE_LEN + plain.len + SEAL_OVERHEAD);
	strbuf_add(out, nonce, NONCE_LEN);
	encrypt(&keys->seal, nonce, span_of(context), plain, out);
}

void keyring_seal(const struct keyring *k, const char *context, struct span plain,
                  struct strbuf *out)
{
	seal_under(&k->plain, context, plain, out);
}

void keyring_seal_padded(const struct keyring *k, const char *context, struct span plain,
                         struct strbuf *out)
{
	struct strbuf padded = STRBUF_INIT;

	add_padded(&padded, plain);
	seal_under(&k->padded, context, strbuf_span(&padded), out);
	strbuf_release(&padded);
}

void keyring_seal_once(const struct keyring *k, const char *context, struct span plain,
                       struct strbuf *out)
{
	unsigned char nonce[NONCE_LEN];
	struct strbuf padded = STRBUF_INIT;

	add_padded(&padded, plain);
	derive_nonce(&k->once_padded.nonce, span_of(context), SPAN_EMPTY, nonce);
	encrypt(&k->once_padded.seal, nonce, span_of(context), strbuf_span(&padded), out);
	strbuf_release(&padded);
}

static bool open_padded(const struct seal_keys *keys, const unsigned char *nonce,
                        const char *context, struct span cipher, struct strbuf *out)
{
	size_t start = out->len;

	if (!could_be_padded(cipher.len) ||
	    decrypt(&keys->seal, nonce, span_of(context), cipher, out, NULL) != ERR_NONE)
		return false;
	cut_padding(out, start);
	return true;
}

enum err keyring_open(const struct keyring *k, const char *context, struct span sealed,
                      struct strbuf *out, struct failure *e)
{
	struct span cipher = span_slice(sealed, NONCE_LEN, sealed.len);

	if (sealed.len < NONCE_LEN)
		return err_set(e, ERR_CORRUPT, "the seal of \"%s\" is too short", context);
	if (open_padded(&k->padded, bytes_of(sealed), context, cipher, out))
		return ERR_NONE;
	return decrypt(&k->plain.seal, bytes_of(sealed), span_of(context), cipher, out, e);
}

enum err keyring_open_once(const struct keyring *k, const char *context, struct span sealed,
                           struct strbuf *out, struct failure *e)
{
	unsigned char nonce[NONCE_LEN];

	derive_nonce(&k->once_padded.nonce, span_of(context), SPAN_EMPTY, nonce);
	if (open_padded(&k->once_padded, nonce, context, sealed, out))
		return ERR_NONE;
	derive_nonce(&k->once.nonce, span_of(context), SPAN_EMPTY, nonce);
	return decrypt(&k->once.seal, nonce, span_of(context), sealed, out, e);
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
