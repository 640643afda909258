/*
 * proof.c - the one place where hashed and signed strings are put together.
 *
 * Each function here is one definition of molepost-archive(5), DERIVATION or
 * RECEIPTS; whoever changes a byte changes the format's version.
 *
 * Trusts: of proof_read_receipt nothing, it takes any text. All other
 * functions trust their caller for the values and hash what they are given.
 */
#include "processor/archive/proof.h"

#include "processor/base/clock.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"

static const char *const receipt_begin[] = {NULL, "-----BEGIN MOLEPOST RECEIPT 1-----",
                                            "-----BEGIN MOLEPOST RECEIPT 2-----",
                                            "-----BEGIN MOLEPOST RECEIPT 3-----"};
static const char *const receipt_end[] = {NULL, "-----END MOLEPOST RECEIPT 1-----",
                                          "-----END MOLEPOST RECEIPT 2-----",
                                          "-----END MOLEPOST RECEIPT 3-----"};

/* Hashed piece by piece on the stack: these run several times per turn. */
static void add_text(struct hasher *h, const char *text)
{
	hasher_add(h, span_of(text));
}

static struct span number_text(unsigned n, char digits[static 10])
{
	size_t at = 10;

	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return (struct span){digits + at, 10 - at};
}

static void add_number(struct hasher *h, unsigned n, const char *after)
{
	char digits[10];

	hasher_add(h, number_text(n, digits));
	add_text(h, after);
}

static void add_hex(struct hasher *h, const struct hash *d, const char *after)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * HASH_LEN];

	for (size_t i = 0; i < HASH_LEN; i++) {
		text[2 * i] = digits[d->bytes[i] >> 4];
		text[2 * i + 1] = digits[d->bytes[i] & 15];
	}
	hasher_add(h, (struct span){text, sizeof(text)});
	add_text(h, after);
}

static void add_hex_or_dash(struct hasher *h, const struct hash *d, const char *after)
{
	if (!hash_is_zero(d)) {
		add_hex(h, d, after);
		return;
	}
	add_text(h, "-");
	add_text(h, after);
}

static void add_salt(struct hasher *h, struct span salt, const char *after)
{
	hasher_add(h, salt.len > 0 ? salt : SPAN_LIT("-"));
	add_text(h, after);
}

/* HMAC(secret, text) of a printed string; empties the buffer. */
static struct hash keyed_text(const struct hash *secret, struct strbuf *text)
{
	struct hash d = hash_keyed(secret, strbuf_span(text));

	strbuf_release(text);
	return d;
}

static void add_hash_line(struct strbuf *out, const struct hash *h)
{
	hash_add_hex(out, h);
	strbuf_addc(out, '\n');
}

struct hash proof_blind(const struct hash *secret, unsigned seat)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_addf(&s, "molepost/2 blind\n%u\n", seat);
	return keyed_text(secret, &s);
}

struct hash proof_contribution(const struct proof_mail *mail, const struct hash *secret,
                               unsigned seat)
{
	struct hash blind = proof_blind(secret, seat);
	struct hasher h;

	hasher_start(&h);
	add_text(&h, "molepost/2 mail\n");
	if (mail->id.len > 0)
		hasher_add(&h, mail->id);
	else
		add_hex(&h, &blind, "");
	add_text(&h, "\n");
	hasher_add(&h, mail->date);
	add_text(&h, "\n");
	add_hex(&h, &mail->body, "\n");
	return hasher_end(&h);
}

struct hash proof_dkim(struct span domain, struct span selector, struct span signature)
{
	struct hasher h;

	hasher_start(&h);
	add_text(&h, "molepost/2 dkim\n");
	hasher_add(&h, domain);
	add_text(&h, "\n");
	hasher_add(&h, selector);
	add_text(&h, "\n");
	hasher_add(&h, signature);
	add_text(&h, "\n");
	return hasher_end(&h);
}

struct hash proof_inputs_hash(unsigned version, const char *game, const struct hash *parent,
                              const struct proof_input *inputs, size_t n)
{
	bool firsts = version > 2 && parent;
	struct hasher h;

	hasher_start(&h);
	add_text(&h, firsts ? "molepost/3 inputs\n" : "molepost/2 inputs\n");
	add_text(&h, game);
	add_text(&h, "\n");
	if (parent)
		add_hex(&h, parent, "\n");
	else
		add_text(&h, "-\n");
	for (size_t i = 0; i < n; i++) {
		struct hash text;

		if (firsts && hash_is_zero(&inputs[i].contribution))
			continue;
		add_number(&h, inputs[i].seat, " ");
		add_hex_or_dash(&h, &inputs[i].contribution, firsts ? "\n" : " ");
		if (firsts)
			continue;
		text = hash_of(inputs[i].text);
		add_salt(&h, version > 2 ? SPAN_EMPTY : inputs[i].salt, " ");
		add_hex(&h, &text, "\n");
	}
	return hasher_end(&h);
}

struct hash proof_inputs_key(const struct hash *secret, const struct hash *inputs)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_adds(&s, "molepost/2 turn\n");
	add_hash_line(&s, inputs);
	return keyed_text(secret, &s);
}

struct hash proof_turn_key(const struct hash *secret, const char *game, unsigned serial,
                           const struct hash *orders_hash)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_addf(&s, "molepost/1 turn\n%s\n%u\n", game, serial);
	add_hash_line(&s, orders_hash);
	return keyed_text(secret, &s);
}

struct hash proof_bot_key(const struct hash *secret, unsigned serial, unsigned seat)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_addf(&s, "molepost/1 bot\n%u\n%u\n", serial, seat);
	return keyed_text(secret, &s);
}

struct hash proof_nonce(const struct hash *secret, unsigned serial, unsigned seat,
                        unsigned revision)
{
	struct strbuf s = STRBUF_INIT;

	strbuf_addf(&s, "molepost/1 nonce\n%u\n%u\n%u\n", serial, seat, revision);
	return keyed_text(secret, &s);
}

struct hash proof_commitment(const struct committed_orders *o)
{
	struct hasher h;

	hasher_start(&h);
	add_text(&h, o->version == 1 ? "molepost/1 orders\n" : "molepost/2 orders\n");
	add_text(&h, o->game);
	add_text(&h, "\n");
	add_number(&h, o->serial, "\n");
	add_number(&h, o->seat, "\n");
	add_number(&h, o->revision, "\n");
	add_hex(&h, &o->nonce, "\n");
	add_salt(&h, o->salt, "\n");
	if (o->version > 1)
		add_hex_or_dash(&h, &o->contribution, "\n");
	hasher_add(&h, o->canonical);
	return hasher_end(&h);
}

struct hash proof_orders_hash(const struct proof_orders_line *lines, size_t n)
{
	struct hasher h;

	hasher_start(&h);
	for (size_t i = 0; i < n; i++) {
		add_number(&h, lines[i].seat, " ");
		if (lines[i].revision > 0)
			add_number(&h, lines[i].revision, " ");
		else
			add_text(&h, "default ");
		add_hex(&h, &lines[i].commitment, "\n");
	}
	return hasher_end(&h);
}

struct hash proof_joins_hash(const struct proof_join *joins, size_t n)
{
	struct strbuf when = STRBUF_INIT;
	struct hasher h;

	hasher_start(&h);
	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&when);
		utc_format_iso(&when, joins[i].joined_utc);
		add_number(&h, (unsigned)i + 1, " ");
		hasher_add(&h, strbuf_span(&when));
		add_text(&h, " ");
		add_salt(&h, joins[i].salt, " ");
		add_text(&h, joins[i].name);
		add_text(&h, "\n");
	}
	strbuf_release(&when);
	return hasher_end(&h);
}

struct hash proof_state_hash(const char *game, unsigned serial, const struct hash *parent,
                             const struct hash *orders, struct span state_text)
{
	struct hasher h;

	hasher_start(&h);
	add_text(&h, "molepost/1 state\n");
	add_text(&h, game);
	add_text(&h, "\n");
	add_number(&h, serial, "\n");
	add_hex(&h, parent, "\n");
	add_hex(&h, orders, "\n");
	hasher_add(&h, state_text);
	return hasher_end(&h);
}

static void add_head_message(struct strbuf *out, const struct proof_head *h)
{
	strbuf_addf(out, "molepost/%d head\n%s\n", h->version > 1 ? 2 : 1, h->game);
	if (h->version > 1)
		strbuf_addf(out, "%u\n", h->serial);
	strbuf_addf(out, "%u\n", h->lines);
	add_hash_line(out, &h->head);
}

void proof_sign_head(const struct proof_head *h, const struct keyring *keys,
                     unsigned char sig[SIGNATURE_LEN])
{
	struct strbuf s = STRBUF_INIT;

	add_head_message(&s, h);
	keyring_sign(keys, strbuf_span(&s), sig);
	strbuf_release(&s);
}

bool proof_head_is_signed(const struct proof_head *h, const struct hash *public_key,
                          const unsigned char sig[SIGNATURE_LEN])
{
	struct strbuf s = STRBUF_INIT;
	bool ok;

	add_head_message(&s, h);
	ok = signature_valid(public_key, strbuf_span(&s), sig);
	strbuf_release(&s);
	return ok;
}

/* What a receipt's signature covers. */
static void add_receipt_message(struct strbuf *out, const struct receipt_proof *ev)
{
	strbuf_addf(out, "molepost/%u receipt\n%s\n%u\n%u\n%u\n", ev->version, ev->game,
	            ev->serial, ev->seat, ev->revision);
	utc_format_iso(out, ev->received_utc);
	strbuf_addc(out, '\n');
	add_hash_line(out, &ev->commitment);
	add_hash_line(out, &ev->nonce);
	if (ev->version == 1)
		return;
	add_hash_line(out, &ev->contribution);
}

/* The last lines of a block. */
static void add_signature(struct strbuf *out, const unsigned char sig[static SIGNATURE_LEN],
                          unsigned version)
{
	strbuf_adds(out, "\nsignature\n");
	strbuf_add_hex(out, sig, SIGNATURE_LEN / 2);
	strbuf_addc(out, '\n');
	strbuf_add_hex(out, sig + SIGNATURE_LEN / 2, SIGNATURE_LEN / 2);
	strbuf_addf(out, "\n%s\n", receipt_end[version]);
}

void proof_add_receipt(const struct receipt_proof *ev, const struct keyring *keys,
                       struct strbuf *out)
{
	struct strbuf message = STRBUF_INIT;
	unsigned char sig[SIGNATURE_LEN];

	ENSURE(ev->version >= 1 && ev->version <= RECORD_VERSION_NEWEST);
	add_receipt_message(&message, ev);
	keyring_sign(keys, strbuf_span(&message), sig);
	strbuf_release(&message);

	strbuf_addf(out, "%s\norders %s turn %u seat %u revision %u\nreceived ",
	            receipt_begin[ev->version], ev->game, ev->serial, ev->seat, ev->revision);
	utc_format_iso(out, ev->received_utc);
	strbuf_adds(out, "\ncommitment\n");
	hash_add_hex(out, &ev->commitment);
	strbuf_adds(out, "\nnonce\n");
	hash_add_hex(out, &ev->nonce);
	if (ev->version > 1) {
		strbuf_adds(out, "\nmail\n");
		hash_add_hex(out, &ev->contribution);
	}
	add_signature(out, sig, ev->version);
}

/* A line without the marks that replies put before it. */
static struct span unquoted(struct span line)
{
	line = span_trim(line);
	while (line.len > 0 && line.ptr[0] == '>')
		line = span_trim(span_slice(line, 1, line.len));
	return line;
}

static unsigned receipt_begins(struct span line)
{
	for (unsigned version = 1; version <= RECORD_VERSION_NEWEST; version++)
		if (span_eq_str(line, receipt_begin[version]))
			return version;
	return 0;
}

/*
 * Fills `words` with all between the first begin line and its end line, blanks between. The version
 * of the block; 0: there is none.
 */
static unsigned find_block(struct span text, struct strbuf *words)
{
	struct span line;
	unsigned version = 0;

	while (span_next_line(&text, &line)) {
		line = unquoted(line);
		if (version == 0) {
			version = receipt_begins(line);
			continue;
		}
		if (span_eq_str(line, receipt_end[version]))
			return version;
		strbuf_add_span(words, line);
		strbuf_addc(words, ' ');
	}
	return 0;
}

static bool read_word(struct span *rest, const char *expected)
{
	struct span word;

	return span_next_word(rest, "", &word) && span_eq_str(word, expected);
}

/* "turn 4": a word and a number in its only form. */
static bool read_number(struct span *rest, const char *name, unsigned *out)
{
	struct span word;

	if (!read_word(rest, name) || !span_next_word(rest, "", &word) || word.len == 0 ||
	    (word.len > 1 && word.ptr[0] == '0'))
		return false;
	return num_parse_uint(word, 0, 2000000000u, out);
}

static bool read_hash(struct span *rest, const char *name, struct hash *out)
{
	struct span word;

	return read_word(rest, name) && span_next_word(rest, "", &word) &&
	       hash_parse(word, out);
}

static bool read_fields(struct span *rest, struct arena *arena, struct receipt_proof *out)
{
	struct span word;

	if (!read_word(rest, "orders") || !span_next_word(rest, "", &word))
		return false;
	out->game = arena_cstr(arena, word);
	return read_number(rest, "turn", &out->serial) &&
	       read_number(rest, "seat", &out->seat) &&
	       read_number(rest, "revision", &out->revision) && read_word(rest, "received") &&
	       span_next_word(rest, "", &word) && utc_parse_iso(word, &out->received_utc) &&
	       read_hash(rest, "commitment", &out->commitment) &&
	       read_hash(rest, "nonce", &out->nonce) &&
	       (out->version == 1 || read_hash(rest, "mail", &out->contribution));
}

static bool read_signature(struct span *rest, unsigned char sig[static SIGNATURE_LEN])
{
	struct span word;

	if (!read_word(rest, "signature"))
		return false;
	for (size_t half = 0; half < 2; half++)
		if (!span_next_word(rest, "", &word) ||
		    !num_parse_hex(word, sig + half * SIGNATURE_LEN / 2, SIGNATURE_LEN / 2))
			return false;
	return !span_next_word(rest, "", &word);
}

bool proof_read_receipt(struct span text, struct arena *arena, struct receipt_proof *out,
                        const struct hash *public_key, bool *signature_ok)
{
	struct strbuf words = STRBUF_INIT, message = STRBUF_INIT;
	unsigned char sig[SIGNATURE_LEN];
	struct span rest;
	bool ok = false;

	*signature_ok = false;
	*out = (struct receipt_proof){.version = find_block(text, &words)};
	if (out->version == 0)
		goto out;
	rest = strbuf_span(&words);
	if (!read_fields(&rest, arena, out) || !read_signature(&rest, sig))
		goto out;
	add_receipt_message(&message, out);
	*signature_ok = signature_valid(public_key, strbuf_span(&message), sig);
	ok = true;
out:
	strbuf_release(&words);
	strbuf_release(&message);
	return ok;
}

struct hash proof_person(unsigned version, struct span name, struct span salt)
{
	struct hasher h;

	hasher_start(&h);
	hasher_add(&h, name);
	add_text(&h, "\n");
	if (version == 2)
		add_salt(&h, salt, "\n");
	return hasher_end(&h);
}

static void add_seat_message(struct strbuf *out, const struct seat_proof *p)
{
	strbuf_addf(out, "molepost/%u %s\n%s\n%u\n", p->version, p->stored ? "stored" : "seat",
	            p->game, p->seat);
	if (p->stored)
		strbuf_addf(out, "%s\n", order_origin_name(p->stored_as));
	else if (p->version > 2)
		strbuf_addf(out, "%u\n", p->number);
	utc_format_iso(out, p->received_utc);
	strbuf_addc(out, '\n');
	if (!p->stored)
		add_hash_line(out, &p->person);
	if (!p->stored && p->version > 2)
		add_hash_line(out, &p->secret_hash);
	add_hash_line(out, &p->contribution);
}

void proof_add_seat(const struct seat_proof *p, const struct keyring *keys, struct strbuf *out)
{
	struct strbuf message = STRBUF_INIT;
	unsigned char sig[SIGNATURE_LEN];

	ENSURE(p->version >= 2 && p->version <= RECORD_VERSION_NEWEST);
	add_seat_message(&message, p);
	keyring_sign(keys, strbuf_span(&message), sig);
	strbuf_release(&message);
	if (p->stored)
		strbuf_addf(out, "%s\nstored %s seat %u\nas %s", receipt_begin[p->version],
		            p->game, p->seat, order_origin_name(p->stored_as));
	else if (p->version > 2)
		strbuf_addf(out, "%s\njoined %s seat %u number %u", receipt_begin[p->version],
		            p->game, p->seat, p->number);
	else
		strbuf_addf(out, "%s\njoined %s seat %u", receipt_begin[p->version], p->game,
		            p->seat);
	strbuf_adds(out, "\nreceived ");
	utc_format_iso(out, p->received_utc);
	if (!p->stored) {
		strbuf_adds(out, "\nname\n");
		hash_add_hex(out, &p->person);
	}
	if (!p->stored && p->version > 2) {
		strbuf_adds(out, "\nsecret\n");
		hash_add_hex(out, &p->secret_hash);
	}
	strbuf_adds(out, "\nmail\n");
	hash_add_hex(out, &p->contribution);
	add_signature(out, sig, p->version);
}

static bool read_seat_fields(struct span *rest, struct arena *arena, struct seat_proof *out)
{
	struct span word;

	if (!span_next_word(rest, "", &word))
		return false;
	out->stored = span_eq_str(word, "stored");
	if ((!out->stored && !span_eq_str(word, "joined")) || !span_next_word(rest, "", &word))
		return false;
	out->game = arena_cstr(arena, word);
	return read_number(rest, "seat", &out->seat) &&
	       (out->stored || out->version == 2 ||
	        read_number(rest, "number", &out->number)) &&
	       (!out->stored || (read_word(rest, "as") && span_next_word(rest, "", &word) &&
	                         order_origin_parse(word, &out->stored_as))) &&
	       read_word(rest, "received") && span_next_word(rest, "", &word) &&
	       utc_parse_iso(word, &out->received_utc) &&
	       (out->stored || read_hash(rest, "name", &out->person)) &&
	       (out->stored || out->version == 2 ||
	        read_hash(rest, "secret", &out->secret_hash)) &&
	       read_hash(rest, "mail", &out->contribution);
}

bool proof_read_seat(struct span text, struct arena *arena, struct seat_proof *out,
                     const struct hash *public_key, bool *signature_ok)
{
	struct strbuf words = STRBUF_INIT, message = STRBUF_INIT;
	unsigned char sig[SIGNATURE_LEN];
	*out = (struct seat_proof){.version = find_block(text, &words)};
	struct span rest = strbuf_span(&words);
	bool ok = out->version > 1 && read_seat_fields(&rest, arena, out) &&
	          read_signature(&rest, sig);

	*signature_ok = false;
	if (ok) {
		add_seat_message(&message, out);
		*signature_ok = signature_valid(public_key, strbuf_span(&message), sig);
	}
	strbuf_release(&words);
	strbuf_release(&message);
	return ok;
}

/*
 * All words of a text with one blank between them, marks of quoting left out. HTML mail writes several
 * blanks as hard ones.
 */
static void join_words(struct span text, struct strbuf *words)
{
	struct strbuf plain = STRBUF_INIT;
	struct span line, word;

	while (span_next_line(&text, &line)) {
		strbuf_clear(&plain);
		utf8_add_plain(&plain, line);
		line = unquoted(strbuf_span(&plain));
		while (span_next_word(&line, "", &word)) {
			strbuf_add_span(words, word);
			strbuf_addc(words, ' ');
		}
	}
	strbuf_release(&plain);
}

/* Cuts *rest behind the next `phrase`. */
static bool skip_to(struct span *rest, const char *phrase)
{
	size_t at = span_find(*rest, span_of(phrase));

	if (at == rest->len)
		return false;
	*rest = span_slice(*rest, at + span_of(phrase).len, rest->len);
	return true;
}

/* "Game W17, Whakka Mole": how every mail about a game begins. */
static const char *game_named(struct span words, struct arena *arena)
{
	struct span word;

	while (skip_to(&words, "Game ")) {
		struct span rest = words;

		if (span_next_word(&rest, "", &word) && word.len > 1 &&
		    word.ptr[word.len - 1] == ',')
			return arena_cstr(arena, span_slice(word, 0, word.len - 1));
	}
	return "";
}

static bool read_half(struct span *rest, const char *number, unsigned char *half)
{
	struct span word;

	return read_word(rest, "sig") && read_word(rest, number) &&
	       span_next_word(rest, "", &word) && num_parse_hex(word, half, SIGNATURE_LEN / 2);
}

/* "12 lines so far.", or in version 2 "12 lines up to serial 3.", each begun behind its first words. */
static bool read_extent(struct span *rest, struct proof_head *out)
{
	struct span word, ahead;

	if (!span_next_word(rest, "", &word) ||
	    !num_parse_uint(word, 1, 2000000000u, &out->lines))
		return false;
	ahead = *rest;
	out->version = 1;
	if (!read_word(&ahead, "lines") || !read_word(&ahead, "up"))
		return true;
	out->version = 2;
	if (!read_word(&ahead, "to") || !read_word(&ahead, "serial") ||
	    !span_next_word(&ahead, "", &word) || word.len < 2)
		return false;
	*rest = ahead;
	return num_parse_uint(span_slice(word, 0, word.len - 1), 0, 2000000000u, &out->serial);
}

bool proof_read_head(struct span text, struct arena *arena, struct printed_head *out)
{
	struct strbuf words = STRBUF_INIT;
	struct span rest, word;
	bool ok;

	*out = (struct printed_head){.of = {.game = ""}};
	join_words(text, &words);
	rest = strbuf_span(&words);
	ok = skip_to(&rest, "The record of the game has ") && read_extent(&rest, &out->of) &&
	     skip_to(&rest, " head ") && span_next_word(&rest, "", &word) &&
	     hash_parse(word, &out->of.head);
	if (ok) {
		out->of.game = game_named(strbuf_span(&words), arena);
		out->has_signature = read_half(&rest, "1", out->signature) &&
		                     read_half(&rest, "2", out->signature + SIGNATURE_LEN / 2);
	}
	strbuf_release(&words);
	return ok;
}

/* "1#2", the last with a full stop. */
static bool read_seal(struct span word, unsigned *seat, unsigned *revision)
{
	struct span first;

	if (word.len > 0 && word.ptr[word.len - 1] == '.')
		word.len--;
	return span_next_field(&word, '#', &first) &&
	       num_parse_uint(first, 1, MAX_SEATS, seat) &&
	       num_parse_uint(word, 0, UINT32_MAX, revision);
}

void proof_read_firsts(struct span text, struct printed_firsts *out)
{
	struct strbuf words = STRBUF_INIT;
	struct span rest, word;

	*out = (struct printed_firsts){.n = 0};
	join_words(text, &words);
	rest = strbuf_span(&words);
	if (skip_to(&rest, "seat by seat, and the first of each: "))
		while (
		    out->n < MAX_SEATS && span_next_word(&rest, "", &word) &&
		    read_seal(word, &out->items[out->n].seat, &out->items[out->n].receipts) &&
		    span_next_word(&rest, "", &word) &&
		    (span_eq_str(word, "-") || hash_parse(word, &out->items[out->n].first)))
			out->n++;
	strbuf_release(&words);
}

void proof_read_seals(struct span text, struct printed_seals *out)
{
	struct strbuf words = STRBUF_INIT;
	struct span rest, word;

	*out = (struct printed_seals){.n = 0};
	join_words(text, &words);
	rest = strbuf_span(&words);
	if (skip_to(&rest, "Sealed so far, seat by seat: "))
		while (out->n < MAX_SEATS && span_next_word(&rest, "", &word) &&
		       read_seal(word, &out->items[out->n].seat, &out->items[out->n].revision))
			out->n++;
	if (!skip_to(&rest, " seals ") || !span_next_word(&rest, "", &word) ||
	    !hash_parse(word, &out->digest))
		out->n = 0;
	strbuf_release(&words);
}
