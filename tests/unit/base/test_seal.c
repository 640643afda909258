/*
 * test_seal.c - hashes and signatures against published vectors, seals, tokens, keys.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/random.h"
#include "processor/base/seal.h"
#include "tests/support/scratch.h"

static void start(void)
{
	seal_start();
}

TestSuite(hash, .init = start);
TestSuite(keyring, .init = start);
TestSuite(randomness, .init = start);

static void expect_hash(struct hash d, const char *hex)
{
	struct strbuf text = STRBUF_INIT;

	hash_add_hex(&text, &d);
	cr_assert_str_eq(text.ptr, hex);
	strbuf_release(&text);
}

/* FIPS 180-4's examples. */
Test(hash, is_sha_256)
{
	struct strbuf million = STRBUF_INIT;

	strbuf_add_repeat(&million, 'a', 1000000);
	expect_hash(hash_of(SPAN_EMPTY),
	            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	expect_hash(hash_of(SPAN_LIT("abc")),
	            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	expect_hash(
	    hash_of(SPAN_LIT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
	    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	expect_hash(hash_of(strbuf_span(&million)),
	            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	strbuf_release(&million);
}

/* RFC 4231, cases 1, 2 and 3; a shorter key is the same as one filled up with zeros. */
Test(hash, with_a_key_is_hmac_sha_256)
{
	struct hash key = {{0}};
	struct strbuf data = STRBUF_INIT;

	memset(key.bytes, 0x0b, 20);
	expect_hash(hash_keyed(&key, SPAN_LIT("Hi There")),
	            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	key = (struct hash){"Jefe"};
	expect_hash(hash_keyed(&key, SPAN_LIT("what do ya want for nothing?")),
	            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(&key, 0, sizeof(key));
	memset(key.bytes, 0xaa, 20);
	strbuf_add_repeat(&data, '\xdd', 50);
	expect_hash(hash_keyed(&key, strbuf_span(&data)),
	            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
	strbuf_release(&data);
}

Test(hash, piece_by_piece_is_the_same_as_at_once)
{
	struct span text =
	    SPAN_LIT("popup 3, whack 5, and much more so that blocks are crossed: "
	             "0123456789012345678901234567890123456789012345678901234567");

	for (size_t cut = 0; cut <= text.len; cut++) {
		struct hash once = hash_of(text), pieces;
		struct hasher h;

		hasher_start(&h);
		hasher_add(&h, span_slice(text, 0, cut));
		hasher_add(&h, span_slice(text, cut, text.len));
		pieces = hasher_end(&h);
		cr_assert(hash_eq(&once, &pieces));
	}
}

Test(hash, reads_back_its_hex_and_only_lower_case_of_full_length)
{
	struct hash d = hash_of(SPAN_LIT("x")), back;
	struct strbuf hex = STRBUF_INIT;

	hash_add_hex(&hex, &d);
	cr_assert(hash_parse(strbuf_span(&hex), &back));
	cr_assert(hash_eq(&d, &back));
	back.bytes[31] ^= 1;
	cr_assert_not(hash_eq(&d, &back));
	cr_assert_not(hash_parse(span_slice(strbuf_span(&hex), 0, 63), &back));
	hex.ptr[0] = 'A';
	cr_assert_not(hash_parse(strbuf_span(&hex), &back));
	cr_assert_not(hash_is_zero(&d));
	cr_assert(hash_is_zero(&(struct hash){{0}}));
	cr_assert_eq(hash_span(&d).len, 32);
	strbuf_release(&hex);
}

static const struct seal_kind {
	enum seal_form form;
	size_t overhead;
	bool padded;
} kinds[] = {
    {SEALED, 24 + SEAL_OVERHEAD, false},
    {SEALED_ONCE, SEAL_OVERHEAD, true},
    {SEALED_PADDED, 24 + SEAL_OVERHEAD, true},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* What is written down of a text of this length. */
static size_t stored_length(const struct seal_kind *kind, size_t len)
{
	if (kind->padded)
		len = len < 64 ? 64 : len < 256 ? 256 : (len / 1024 + 1) * 1024;
	return len + kind->overhead;
}

static bool opens(const struct seal_kind *kind, const struct keyring *k, const char *context,
                  struct span sealed, struct span plain)
{
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	bool ok;

	strbuf_adds(&out, "before ");
	ok = keyring_open(k, kind->form, context, sealed, &out, &e) == ERR_NONE;
	if (ok) {
		cr_assert(span_eq(span_slice(strbuf_span(&out), 7, out.len), plain));
	} else {
		cr_assert_eq(e.code, ERR_CORRUPT);
		cr_assert_str_eq(out.ptr, "before ", "nothing of it may come out");
	}
	strbuf_release(&out);
	err_release(&e);
	return ok;
}

Test(keyring, what_is_sealed_opens_again_at_every_length)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));
	struct strbuf plain = STRBUF_INIT, sealed = STRBUF_INIT;

	for (size_t kind = 0; kind < KINDS; kind++) {
		strbuf_clear(&plain);
		for (size_t len = 0; len < 2100; len++) {
			strbuf_clear(&sealed);
			keyring_seal(k, kinds[kind].form, "order W17 4 2 1",
			             strbuf_span(&plain), &sealed);
			cr_assert_eq(sealed.len, stored_length(&kinds[kind], len));
			cr_assert(opens(&kinds[kind], k, "order W17 4 2 1",
			                strbuf_span(&sealed), strbuf_span(&plain)));
			strbuf_addc(&plain, (char)len);
		}
	}
	strbuf_release(&plain);
	strbuf_release(&sealed);
	keyring_free(k);
}

Test(keyring, a_seal_with_any_bit_changed_does_not_open)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));
	const struct span plain = SPAN_LIT("POPUP 3\nWHACK 5\n");

	for (size_t kind = 0; kind < KINDS; kind++) {
		struct strbuf sealed = STRBUF_INIT;

		keyring_seal(k, kinds[kind].form, "c", plain, &sealed);
		for (size_t bit = 0; bit < 8 * sealed.len; bit++) {
			sealed.ptr[bit / 8] ^= (char)(1 << bit % 8);
			cr_assert_not(opens(&kinds[kind], k, "c", strbuf_span(&sealed), plain));
			sealed.ptr[bit / 8] ^= (char)(1 << bit % 8);
		}
		for (size_t len = 0; len < sealed.len; len++)
			cr_assert_not(opens(&kinds[kind], k, "c",
			                    span_slice(strbuf_span(&sealed), 0, len), plain));
		cr_assert(opens(&kinds[kind], k, "c", strbuf_span(&sealed), plain));
		strbuf_addc(&sealed, '\0');
		cr_assert_not(opens(&kinds[kind], k, "c", strbuf_span(&sealed), plain));
		strbuf_release(&sealed);
	}
	keyring_free(k);
}

Test(keyring, a_seal_opens_only_in_its_context_under_its_key_and_by_its_kind)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));
	struct keyring *other = keyring_from_seed(SPAN_LIT("seed2"));
	const struct span plain = SPAN_LIT("POPUP 3\n");

	for (size_t kind = 0; kind < KINDS; kind++) {
		struct strbuf sealed = STRBUF_INIT;
		struct span s;

		keyring_seal(k, kinds[kind].form, "order W17 4 2 1", plain, &sealed);
		s = strbuf_span(&sealed);
		cr_assert_not(opens(&kinds[kind], k, "order W17 4 2 2", s, plain));
		cr_assert_not(opens(&kinds[kind], k, "order W17 4 2 ", s, plain));
		cr_assert_not(opens(&kinds[kind], k, "", s, plain));
		cr_assert_not(opens(&kinds[kind], other, "order W17 4 2 1", s, plain));
		if (kind < 2)
			cr_assert_not(opens(&kinds[1 - kind], k, "order W17 4 2 1", s, plain));
		strbuf_release(&sealed);
	}
	keyring_free(k);
	keyring_free(other);
}

/* Sealed by the program of before there was padding; one of them as long as if it were padded. */
Test(keyring, what_was_sealed_without_padding_still_opens)
{
	static const struct {
		const char *hex, *context, *plain;
		bool once;
	} old[] = {
	    {"37baa75579df3fdf957ea0b3824d965607fd375cac47b4830ec20b5c3ea1115647",
	     "order 1 2 3", "POPUP 1 3\nWHACK 5", true},
	    {"5b3356f525917ff2c7d56c0ef3bf2bc15a79f07ffbcb1f5547e867e8e98927e0"
	     "35b5e8707f3f1a08c8802316d233b632",
	     "state 1 2", "holes: 9", false},
	    {"db2bfdd1ce2d9715f7a89698bf01a1c7ca71ecc99895f31689d3f0f9be281eaf"
	     "2c7f440a18d7cb6bf3e6dd6558d597b71e8cac6d1107f7bf26f94284e833b804"
	     "178532275ba565ed51370d55b3b6a099",
	     "order 64", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\x80",
	     true},
	};
	struct keyring *k = keyring_from_seed(SPAN_LIT("old rows"));

	for (size_t i = 0; i < sizeof(old) / sizeof(old[0]); i++) {
		struct span hex = span_of(old[i].hex);
		unsigned char bytes[128];

		cr_assert(num_parse_hex(hex, bytes, hex.len / 2));
		cr_expect(opens(&kinds[old[i].once], k, old[i].context,
		                (struct span){(const char *)bytes, hex.len / 2},
		                span_of(old[i].plain)),
		          "%zu", i);
	}
	keyring_free(k);
}

Test(keyring, equal_input_gives_equal_seals_and_other_input_another_nonce)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT, c = STRBUF_INIT, d = STRBUF_INIT;

	keyring_seal(k, SEALED, "ab", SPAN_LIT("cd"), &a);
	keyring_seal(k, SEALED, "ab", SPAN_LIT("cd"), &b);
	keyring_seal(k, SEALED, "ab", SPAN_LIT("ce"), &c);
	keyring_seal(k, SEALED, "abc", SPAN_LIT("d"), &d);
	cr_assert(span_eq(strbuf_span(&a), strbuf_span(&b)));
	cr_assert_neq(memcmp(a.ptr, c.ptr, 24), 0);
	cr_assert_neq(memcmp(a.ptr, d.ptr, 24), 0);
	strbuf_release(&a);
	strbuf_release(&b);
	strbuf_release(&c);
	strbuf_release(&d);
	keyring_free(k);
}

/* RFC 4648 over the first 17 bytes, worked out by another way than the code's. */
static void reference_token(const struct hash *mac, char out[27])
{
	char bits[17 * 8 + 1] = "";

	for (size_t i = 0; i < 17 * 8; i++)
		bits[i] = mac->bytes[i / 8] & 0x80 >> i % 8 ? '1' : '0';
	for (size_t i = 0; i < 26; i++) {
		char five[6] = "";

		memcpy(five, bits + 5 * i, 5);
		out[i] = "abcdefghijklmnopqrstuvwxyz234567"[strtoul(five, NULL, 2)];
	}
	out[26] = '\0';
}

Test(keyring, a_token_is_the_base32_of_its_mac)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));

	for (unsigned i = 0; i < 200; i++) {
		struct strbuf name = STRBUF_INIT, token = STRBUF_INIT;
		struct hash mac;
		char expected[27];

		strbuf_addf(&name, "seat %u", i);
		mac = keyring_mac(k, "token", strbuf_span(&name));
		reference_token(&mac, expected);
		keyring_add_token(k, "token", strbuf_span(&name), &token);
		cr_assert_str_eq(token.ptr, expected);
		cr_assert(
		    keyring_check_token(k, "token", strbuf_span(&name), strbuf_span(&token)));
		strbuf_release(&name);
		strbuf_release(&token);
	}
	keyring_free(k);
}

Test(keyring, a_token_is_taken_in_either_case_but_with_no_character_changed)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));
	struct strbuf token = STRBUF_INIT;
	const struct span seat = SPAN_LIT("W17 2 1");

	keyring_add_token(k, "token", seat, &token);
	cr_assert_eq(token.len, TOKEN_MAC_CHARS);
	for (size_t i = 0; i < token.len; i++) {
		char kept = token.ptr[i];

		token.ptr[i] = kept == 'q' ? 'p' : 'q';
		cr_assert_not(keyring_check_token(k, "token", seat, strbuf_span(&token)));
		token.ptr[i] = kept >= 'a' ? (char)(kept - 'a' + 'A') : kept;
	}
	cr_assert(keyring_check_token(k, "token", seat, strbuf_span(&token)));
	cr_assert_not(
	    keyring_check_token(k, "token", SPAN_LIT("W17 2 2"), strbuf_span(&token)));
	cr_assert_not(keyring_check_token(k, "player", seat, strbuf_span(&token)));
	cr_assert_not(keyring_check_token(k, "token", seat, SPAN_EMPTY));
	strbuf_addc(&token, 'a');
	cr_assert_not(keyring_check_token(k, "token", seat, strbuf_span(&token)));
	strbuf_release(&token);
	keyring_free(k);
}

/* More purposes than are kept, and longer ones, give the same MACs each time round. */
Test(keyring, purposes_keep_their_macs_apart_however_many_there_are)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));
	struct hash first[40];

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < 40; i++) {
			struct strbuf purpose = STRBUF_INIT;
			struct hash mac;

			strbuf_add_repeat(&purpose, 'p', i + 1);
			mac = keyring_mac(k, purpose.ptr, SPAN_LIT("same bytes"));
			if (round == 0)
				first[i] = mac;
			cr_assert(hash_eq(&mac, &first[i]));
			for (size_t before = 0; before < i; before++)
				cr_assert_not(hash_eq(&mac, &first[before]));
			strbuf_release(&purpose);
		}
	}
	keyring_free(k);
}

Test(keyring, a_signature_holds_for_its_message_and_key_only)
{
	struct keyring *k = keyring_from_seed(SPAN_LIT("seed"));
	struct keyring *other = keyring_from_seed(SPAN_LIT("seed2"));
	struct hash public_key = keyring_public_key(k), wrong_key = keyring_public_key(other);
	unsigned char sig[SIGNATURE_LEN];

	keyring_sign(k, SPAN_LIT("receipt"), sig);
	cr_assert(signature_valid(&public_key, SPAN_LIT("receipt"), sig));
	cr_assert_not(signature_valid(&public_key, SPAN_LIT("receipT"), sig));
	cr_assert_not(signature_valid(&public_key, SPAN_EMPTY, sig));
	cr_assert_not(signature_valid(&wrong_key, SPAN_LIT("receipt"), sig));
	for (size_t bit = 0; bit < 8 * SIGNATURE_LEN; bit++) {
		sig[bit / 8] ^= (unsigned char)(1 << bit % 8);
		cr_assert_not(signature_valid(&public_key, SPAN_LIT("receipt"), sig));
		sig[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	keyring_free(k);
	keyring_free(other);
	keyring_free(NULL);
}

/* RFC 8032, 7.1, tests 1 and 2. */
Test(keyring, signatures_are_ed25519)
{
	struct hash key;
	unsigned char sig[SIGNATURE_LEN];
	size_t len;

	cr_assert(hash_parse(
	    SPAN_LIT("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"),
	    &key));
	cr_assert_eq(
	    sodium_hex2bin(sig, sizeof(sig),
	                   "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
	                   "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
	                   128, NULL, &len, NULL),
	    0);
	cr_assert(signature_valid(&key, SPAN_EMPTY, sig));
	cr_assert_not(signature_valid(&key, SPAN_LIT("r"), sig));
	cr_assert(hash_parse(
	    SPAN_LIT("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
	    &key));
	cr_assert_eq(
	    sodium_hex2bin(sig, sizeof(sig),
	                   "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
	                   "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
	                   128, NULL, &len, NULL),
	    0);
	cr_assert(signature_valid(&key, SPAN_LIT("r"), sig));
}

/* The key file. */

static struct keyring *load(const char *path, enum err expected)
{
	struct failure e = ERR_INIT;
	struct keyring *k = NULL;

	cr_assert_eq(keyring_load(path, &k, &e), expected, "%s", e.text.ptr);
	cr_assert_eq(k != NULL, expected == ERR_NONE);
	err_release(&e);
	return k;
}

static void overwrite(const char *path, struct span bytes)
{
	unlink(path);
	cr_assert_eq(file_create(path, bytes, NULL), ERR_NONE);
}

Test(keyring, a_new_key_file_is_private_loads_and_is_never_replaced)
{
	char *scratch = scratch_new(), *path = scratch_path(scratch, "key");
	struct keyring *a, *b;
	struct hash mac_a, mac_b, key_a, key_b;
	struct stat st;

	load(path, ERR_NOT_FOUND);
	cr_assert_eq(keyring_create(path, NULL), ERR_NONE);
	cr_assert_eq(keyring_create(path, NULL), ERR_EXISTS);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	a = load(path, ERR_NONE);
	b = load(path, ERR_NONE);
	mac_a = keyring_mac(a, "token", SPAN_LIT("x"));
	mac_b = keyring_mac(b, "token", SPAN_LIT("x"));
	key_a = keyring_public_key(a);
	key_b = keyring_public_key(b);
	cr_assert(hash_eq(&mac_a, &mac_b) && hash_eq(&key_a, &key_b));
	keyring_free(a);
	keyring_free(b);
	free(path);
	scratch_remove(scratch);
}

Test(keyring, a_key_file_that_others_may_read_or_write_is_refused)
{
	char *scratch = scratch_new(), *path = scratch_path(scratch, "key");
	char *other = scratch_path(scratch, "link");

	cr_assert_eq(keyring_create(path, NULL), ERR_NONE);
	for (unsigned bit = 0; bit < 6; bit++) {
		cr_assert_eq(chmod(path, 0600 | 1u << bit), 0);
		load(path, ERR_DENIED);
	}
	cr_assert_eq(chmod(path, 0400), 0);
	keyring_free(load(path, ERR_NONE));
	cr_assert_eq(symlink(path, other), 0);
	load(other, ERR_IO);
	load(scratch, ERR_IO);
	free(other);
	free(path);
	scratch_remove(scratch);
}

/* A change in the words of the comment does no harm; any other changed bit must be found. */
Test(keyring, a_damaged_key_file_is_found_when_it_is_loaded)
{
	char *scratch = scratch_new(), *path = scratch_path(scratch, "key");
	struct strbuf text = STRBUF_INIT, changed = STRBUF_INIT;
	size_t from;

	cr_assert_eq(keyring_create(path, NULL), ERR_NONE);
	cr_assert_eq(file_read(path, 4096, &text, NULL), ERR_NONE);
	from = span_find(strbuf_span(&text), SPAN_LIT("master "));
	for (size_t at = 0; at < text.len; at = at + 1 == 19 ? from : at + 1) {
		strbuf_clear(&changed);
		strbuf_add_span(&changed, strbuf_span(&text));
		changed.ptr[at] ^= 1;
		overwrite(path, strbuf_span(&changed));
		load(path, ERR_CORRUPT);
	}
	for (size_t len = 0; len + 1 < text.len; len++) {
		overwrite(path, span_slice(strbuf_span(&text), 0, len));
		load(path, ERR_CORRUPT);
	}
	strbuf_clear(&changed);
	strbuf_add_repeat(&changed, '#', 5000);
	overwrite(path, strbuf_span(&changed));
	load(path, ERR_CORRUPT);
	overwrite(path, strbuf_span(&text));
	keyring_free(load(path, ERR_NONE));
	strbuf_release(&text);
	strbuf_release(&changed);
	free(path);
	scratch_remove(scratch);
}

/* Random bytes. */

Test(randomness, a_test_seed_makes_the_bytes_an_hmac_of_label_and_counter)
{
	struct hash key = hash_of(SPAN_LIT("42"));
	struct hash block0 = hash_keyed(&key, SPAN_LIT("game secret 17\n0\n"));
	struct hash block1 = hash_keyed(&key, SPAN_LIT("game secret 17\n1\n"));
	unsigned char bytes[40], other[40];

	setenv("MOLEPOST_TEST_SEED", "42", 1);
	random_bytes("game secret 17", bytes, sizeof(bytes));
	cr_assert_eq(memcmp(bytes, block0.bytes, 32), 0);
	cr_assert_eq(memcmp(bytes + 32, block1.bytes, 8), 0);
	random_bytes("game secret 18", other, sizeof(other));
	cr_assert_neq(memcmp(bytes, other, sizeof(bytes)), 0);
}

Test(randomness, without_a_seed_no_two_draws_are_the_same)
{
	unsigned char a[32], b[32];

	unsetenv("MOLEPOST_TEST_SEED");
	random_bytes("x", a, sizeof(a));
	random_bytes("x", b, sizeof(b));
	cr_assert_neq(memcmp(a, b, sizeof(a)), 0);
	random_bytes("x", a, 0);
}
