/*
 * test_proof.c - the hashed strings, put together again from the manual's words.
 */
#include <criterion/criterion.h>

#include "processor/archive/proof.h"
#include "processor/base/clock.h"

static struct hash some_hash(const char *text)
{
	seal_start();
	return hash_of(span_of(text));
}

static const char *hex(const struct hash *d, struct arena *arena)
{
	struct strbuf s = STRBUF_INIT;
	const char *copy;

	hash_add_hex(&s, d);
	copy = arena_cstr(arena, strbuf_span(&s));
	strbuf_release(&s);
	return copy;
}

static void expect_keyed(const struct hash *d, const struct hash *key, const char *text)
{
	struct hash expected = hash_keyed(key, span_of(text));

	cr_assert(hash_eq(d, &expected), "not the HMAC of \"%s\"", text);
}

static void expect_hash(const struct hash *d, const char *text)
{
	struct hash expected = hash_of(span_of(text));

	cr_assert(hash_eq(d, &expected), "not the SHA-256 of \"%s\"", text);
}

Test(proof, keys_and_nonces_are_what_the_manual_says)
{
	struct hash secret = some_hash("secret"), orders = some_hash("orders"), d;
	struct arena *arena = arena_new();

	d = proof_turn_key(&secret, "W17", 4, &orders);
	expect_keyed(&d, &secret,
	             arena_printf(arena, "molepost/1 turn\nW17\n4\n%s\n", hex(&orders, arena)));
	d = proof_bot_key(&secret, 0, 12);
	expect_keyed(&d, &secret, "molepost/1 bot\n0\n12\n");
	d = proof_nonce(&secret, 4294967295u, 2, 10);
	expect_keyed(&d, &secret, "molepost/1 nonce\n4294967295\n2\n10\n");
	arena_free(arena);
}

Test(proof, a_commitment_covers_game_turn_seat_revision_nonce_salt_and_orders)
{
	struct hash nonce = some_hash("nonce"), d;
	struct arena *arena = arena_new();
	struct committed_orders o = {.version = 1,
	                             .game = "W17",
	                             .serial = 4,
	                             .seat = 2,
	                             .revision = 1,
	                             .nonce = nonce,
	                             .contribution = some_hash("not in version 1"),
	                             .canonical = SPAN_LIT("POPUP 3\nWHACK 5\n")};

	d = proof_commitment(&o);
	expect_hash(&d, arena_printf(
			    arena, "molepost/1 orders\nW17\n4\n2\n1\n%s\n-\nPOPUP 3\nWHACK 5\n",
			    hex(&nonce, arena)));
	o.serial = 0;
	o.revision = 100;
	o.salt = SPAN_LIT("salz");
	o.canonical = SPAN_EMPTY;
	d = proof_commitment(&o);
	expect_hash(&d, arena_printf(arena, "molepost/1 orders\nW17\n0\n2\n100\n%s\nsalz\n",
	                             hex(&nonce, arena)));
	arena_free(arena);
}

Test(proof, in_version_2_it_covers_what_the_mail_contributes)
{
	struct hash nonce = some_hash("nonce"), mail = some_hash("mail"), d;
	struct arena *arena = arena_new();
	struct committed_orders o = {.version = 2,
	                             .game = "W17",
	                             .serial = 4,
	                             .seat = 2,
	                             .revision = 1,
	                             .nonce = nonce,
	                             .contribution = mail,
	                             .canonical = SPAN_LIT("WHACK 5\n")};

	d = proof_commitment(&o);
	expect_hash(&d,
	            arena_printf(arena, "molepost/2 orders\nW17\n4\n2\n1\n%s\n-\n%s\nWHACK 5\n",
	                         hex(&nonce, arena), hex(&mail, arena)));
	o.contribution = (struct hash){{0}};
	o.salt = SPAN_LIT("salz");
	d = proof_commitment(&o);
	expect_hash(&d, arena_printf(arena,
	                             "molepost/2 orders\nW17\n4\n2\n1\n%s\nsalz\n-\nWHACK 5\n",
	                             hex(&nonce, arena)));
	arena_free(arena);
}

Test(proof, a_mail_contributes_its_id_its_date_and_its_body)
{
	struct hash secret = some_hash("secret"), body = some_hash("body"), d;
	struct proof_mail mail = {SPAN_LIT("<1@example.net>"),
	                          SPAN_LIT("Thu, 12 Mar 2026 18:02:00 +0000"), body};
	struct arena *arena = arena_new();

	d = proof_contribution(&mail, &secret, 2);
	expect_hash(&d, arena_printf(arena,
	                             "molepost/2 mail\n<1@example.net>\n"
	                             "Thu, 12 Mar 2026 18:02:00 +0000\n%s\n",
	                             hex(&body, arena)));
	struct hash blind = proof_blind(&secret, 2);
	expect_keyed(&blind, &secret, "molepost/2 blind\n2\n");
	mail.id = mail.date = SPAN_EMPTY;
	d = proof_contribution(&mail, &secret, 2);
	expect_hash(&d, arena_printf(arena, "molepost/2 mail\n%s\n\n%s\n", hex(&blind, arena),
	                             hex(&body, arena)));
	arena_free(arena);
}

Test(proof, draws_come_from_what_each_seat_has_fixed_up_to_then)
{
	struct hash secret = some_hash("secret"), parent = some_hash("parent"),
		    mail = some_hash("mail"), pop = some_hash("POPUP 3\n"),
		    none = some_hash("POPUP NONE\n"), d, key;
	struct proof_input inputs[] = {{1, mail, SPAN_LIT("salz"), SPAN_LIT("POPUP 3\n")},
	                               {12, {{0}}, SPAN_EMPTY, SPAN_LIT("POPUP NONE\n")}};
	struct arena *arena = arena_new();

	d = proof_inputs_hash(2, "W17", &parent, inputs, 2);
	expect_hash(&d,
	            arena_printf(arena, "molepost/2 inputs\nW17\n%s\n1 %s salz %s\n12 - - %s\n",
	                         hex(&parent, arena), hex(&mail, arena), hex(&pop, arena),
	                         hex(&none, arena)));
	key = proof_inputs_key(&secret, &d);
	expect_keyed(&key, &secret,
	             arena_printf(arena, "molepost/2 turn\n%s\n", hex(&d, arena)));
	d = proof_inputs_hash(2, "W17", NULL, inputs, 0);
	expect_hash(&d, "molepost/2 inputs\nW17\n-\n");
	/* Since version 3 neither orders nor salts, and of who contributes nothing no line. */
	d = proof_inputs_hash(3, "W17", &parent, inputs, 2);
	expect_hash(&d, arena_printf(arena, "molepost/3 inputs\nW17\n%s\n1 %s\n",
	                             hex(&parent, arena), hex(&mail, arena)));
	/* But of the set-up a line for each seat, without its salt. */
	d = proof_inputs_hash(3, "W17", NULL, inputs, 2);
	expect_hash(&d, arena_printf(arena, "molepost/2 inputs\nW17\n-\n1 %s - %s\n12 - - %s\n",
	                             hex(&mail, arena), hex(&pop, arena), hex(&none, arena)));
	arena_free(arena);
}

Test(proof, the_orders_digest_has_a_line_per_seat)
{
	struct hash a = some_hash("a"), b = some_hash("b"), d;
	struct proof_orders_line lines[] = {{1, 3, a}, {12, 0, b}};
	struct arena *arena = arena_new();

	d = proof_orders_hash(lines, 2);
	expect_hash(
	    &d, arena_printf(arena, "1 3 %s\n12 default %s\n", hex(&a, arena), hex(&b, arena)));
	d = proof_orders_hash(lines, 0);
	expect_hash(&d, "");
	arena_free(arena);
}

Test(proof, the_joins_digest_has_a_line_per_seat)
{
	struct proof_join joins[] = {{"Ann", 0, SPAN_EMPTY},
	                             {"Cy van B", 1773338520, SPAN_LIT("salz")}};
	struct hash d;

	seal_start();
	d = proof_joins_hash(joins, 2);
	expect_hash(&d, "1 1970-01-01T00:00:00Z - Ann\n2 2026-03-12T18:02:00Z salz Cy van B\n");
}

Test(proof, a_state_digest_covers_parent_and_orders)
{
	struct hash parent = {{0}}, orders = some_hash("o"), d;
	struct arena *arena = arena_new();

	d = proof_state_hash("W17", 0, &parent, &orders, SPAN_LIT("turn: 1\n"));
	expect_hash(&d, arena_printf(arena, "molepost/1 state\nW17\n0\n%s\n%s\nturn: 1\n",
	                             hex(&parent, arena), hex(&orders, arena)));
	arena_free(arena);
}

static void expect_signed_head(const struct proof_head *h, const char *message)
{
	struct keyring *keys = keyring_from_seed(SPAN_LIT("k"));
	struct hash key = keyring_public_key(keys);
	unsigned char sig[SIGNATURE_LEN];
	struct proof_head other = *h;

	proof_sign_head(h, keys, sig);
	cr_assert(signature_valid(&key, span_of(message), sig), "%s", message);
	cr_assert(proof_head_is_signed(h, &key, sig));
	other.lines++;
	cr_assert_not(proof_head_is_signed(&other, &key, sig));
	other = *h;
	other.game = "W18";
	cr_assert_not(proof_head_is_signed(&other, &key, sig));
	other = *h;
	other.serial++;
	cr_assert_eq(proof_head_is_signed(&other, &key, sig), h->version == 1);
	keyring_free(keys);
}

Test(proof, the_head_is_signed_with_game_and_count_and_since_version_2_with_its_turn)
{
	struct proof_head h = {1, "W17", 7, 214, some_hash("head")};
	struct arena *arena = arena_new();

	expect_signed_head(
	    &h, arena_printf(arena, "molepost/1 head\nW17\n214\n%s\n", hex(&h.head, arena)));
	h.version = 2;
	expect_signed_head(
	    &h, arena_printf(arena, "molepost/2 head\nW17\n7\n214\n%s\n", hex(&h.head, arena)));
	arena_free(arena);
}

/* Receipts. */

static struct keyring *make_keys(const char *seed)
{
	seal_start();
	return keyring_from_seed(span_of(seed));
}

static struct receipt_proof make_receipt_proof(void)
{
	return (struct receipt_proof){.version = 2,
	                              .contribution = some_hash("mail"),
	                              .game = "W17",
	                              .serial = 4,
	                              .seat = 2,
	                              .revision = 3,
	                              .received_utc = 1773338520,
	                              .commitment = some_hash("commitment"),
	                              .nonce = some_hash("nonce")};
}

static void expect_receipt_proof(struct span text, bool expect_signed)
{
	struct receipt_proof expected = make_receipt_proof(), ev;
	struct keyring *keys = make_keys("k");
	struct hash key = keyring_public_key(keys);
	struct arena *arena = arena_new();
	bool is_signed;

	cr_assert(proof_read_receipt(text, arena, &ev, &key, &is_signed), "%.*s",
	          SPAN_ARGS(text));
	cr_assert_eq(is_signed, expect_signed);
	cr_assert_str_eq(ev.game, expected.game);
	cr_assert_eq(ev.serial, expected.serial);
	cr_assert_eq(ev.seat, expected.seat);
	cr_assert_eq(ev.revision, expected.revision);
	cr_assert_eq(ev.received_utc, expected.received_utc);
	cr_assert(hash_eq(&ev.commitment, &expected.commitment));
	cr_assert(hash_eq(&ev.nonce, &expected.nonce));
	cr_assert_eq(ev.version, 2);
	cr_assert(hash_eq(&ev.contribution, &expected.contribution));
	keyring_free(keys);
	arena_free(arena);
}

static void add_block(struct strbuf *out)
{
	struct receipt_proof ev = make_receipt_proof();
	struct keyring *keys = make_keys("k");

	proof_add_receipt(&ev, keys, out);
	keyring_free(keys);
}

Test(receipt_proof, comes_back_as_it_was_written_in_lines_of_66_columns)
{
	struct strbuf block = STRBUF_INIT;
	struct span rest, line;

	add_block(&block);
	expect_receipt_proof(strbuf_span(&block), true);
	rest = strbuf_span(&block);
	while (span_next_line(&rest, &line))
		cr_assert_leq(line.len, 66);
	strbuf_release(&block);
}

static void expect_signed_message(const struct receipt_proof *ev, const char *message)
{
	struct keyring *keys = make_keys("k");
	struct strbuf block = STRBUF_INIT, sig_hex = STRBUF_INIT;
	unsigned char sig[SIGNATURE_LEN];

	keyring_sign(keys, span_of(message), sig);
	proof_add_receipt(ev, keys, &block);
	strbuf_add_hex(&sig_hex, sig, SIGNATURE_LEN / 2);
	cr_assert_lt(span_find(strbuf_span(&block), strbuf_span(&sig_hex)), block.len, "%s",
	             block.ptr);
	strbuf_release(&sig_hex);
	strbuf_release(&block);
	keyring_free(keys);
}

Test(receipt_proof, its_signature_covers_every_field)
{
	struct receipt_proof ev = make_receipt_proof();
	struct arena *arena = arena_new();
	const char *commitment = hex(&ev.commitment, arena), *nonce = hex(&ev.nonce, arena);

	expect_signed_message(
	    &ev,
	    arena_printf(arena,
	                 "molepost/2 receipt\nW17\n4\n2\n3\n2026-03-12T18:02:00Z\n%s\n%s\n%s\n",
	                 commitment, nonce, hex(&ev.contribution, arena)));
	ev.version = 3;
	expect_signed_message(
	    &ev,
	    arena_printf(arena,
	                 "molepost/3 receipt\nW17\n4\n2\n3\n2026-03-12T18:02:00Z\n%s\n%s\n%s\n",
	                 commitment, nonce, hex(&ev.contribution, arena)));
	ev.version = 1;
	expect_signed_message(
	    &ev, arena_printf(
		     arena, "molepost/1 receipt\nW17\n4\n2\n3\n2026-03-12T18:02:00Z\n%s\n%s\n",
		     commitment, nonce));
	arena_free(arena);
}

/* The block after somebody's mail program had it: each line with a prefix and another end. */
static void quote(struct strbuf *block, const char *prefix, const char *line_end)
{
	struct strbuf quoted = STRBUF_INIT;
	struct span rest = strbuf_span(block), line;

	strbuf_addf(&quoted, "Hello,%syou wrote:%s", line_end, line_end);
	while (span_next_line(&rest, &line))
		strbuf_addf(&quoted, "%s%.*s%s", prefix, SPAN_ARGS(line), line_end);
	strbuf_swap(block, &quoted);
	strbuf_release(&quoted);
}

Test(receipt_proof, survives_quoting_and_crlf)
{
	static const char *const prefixes[] = {"> ", ">", "> > ", ">> ", "   ", "  > "};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		struct strbuf block = STRBUF_INIT;

		add_block(&block);
		quote(&block, prefixes[i], i % 2 ? "\r\n" : "\n");
		expect_receipt_proof(strbuf_span(&block), true);
		strbuf_release(&block);
	}
}

Test(receipt_proof, any_changed_byte_of_its_fields_is_found)
{
	struct keyring *keys = make_keys("k");
	struct hash key = keyring_public_key(keys);
	struct arena *arena = arena_new();
	struct strbuf block = STRBUF_INIT;

	add_block(&block);
	for (size_t i = 0; i < block.len; i++) {
		struct receipt_proof ev;
		bool is_signed = false;
		char c = block.ptr[i];

		block.ptr[i] = (char)(c ^ 1);
		if (proof_read_receipt(strbuf_span(&block), arena, &ev, &key, &is_signed))
			cr_assert_not(is_signed, "byte %zu", i);
		block.ptr[i] = c;
	}
	strbuf_release(&block);
	arena_free(arena);
	keyring_free(keys);
}

Test(receipt_proof, another_key_did_not_sign_it)
{
	struct keyring *other = make_keys("other");
	struct hash key;
	struct arena *arena = arena_new();
	struct strbuf block = STRBUF_INIT;
	struct receipt_proof ev;
	bool is_signed = true;

	add_block(&block);
	key = keyring_public_key(other);
	cr_assert(proof_read_receipt(strbuf_span(&block), arena, &ev, &key, &is_signed));
	cr_assert_not(is_signed);
	strbuf_release(&block);
	arena_free(arena);
	keyring_free(other);
}

Test(receipt_proof, text_without_a_whole_block_gives_none)
{
	static const char *const texts[] = {
	    "",
	    "hello",
	    "-----BEGIN MOLEPOST RECEIPT 1-----\n",
	    "-----BEGIN MOLEPOST RECEIPT 1-----\n-----END MOLEPOST RECEIPT 1-----\n",
	    ("-----BEGIN MOLEPOST RECEIPT 1-----\norders W17 turn 04 seat 2 revision 3\n"
	     "-----END MOLEPOST RECEIPT 1-----\n"),
	};
	struct arena *arena = arena_new();
	struct hash key = some_hash("key");

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct receipt_proof ev;
		bool is_signed = true;

		cr_assert_not(
		    proof_read_receipt(span_of(texts[i]), arena, &ev, &key, &is_signed));
		cr_assert_not(is_signed);
	}
	arena_free(arena);
}
