/*
 * mail_check.c - threading, numbers and proofs of all mails of a testbed.
 *
 * What is proved is judged by the functions that VERIFY and `molepost verify` use, against the record as it is
 * when all mails are there.
 */
#include "tests/support/mail_check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "mail/text/header.h"
#include "processor/archive/evidence.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "processor/base/paper_words.h"

enum { MOST_GAMES = 16, MAC_CHARS = 26 };

struct game_known {
	const char *id; /* "W1" */
	struct archive *archive;
	struct span secret_hash; /* as the first mail had it, in hex */
};

struct mail_check {
	struct testbed *s;
	struct span came_in;
	struct strbuf *problem;
	struct arena *arena;
	struct hash key;
	struct game_known games[MOST_GAMES];
	size_t ngames;
	const struct post *mail; /* being looked at */
	size_t index;            /* of it */
};

static void say(struct mail_check *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void say(struct mail_check *c, const char *fmt, ...)
{
	va_list ap;

	strbuf_addf(c->problem, "\"%s\" to %s: ", c->mail->subject, c->mail->who);
	va_start(ap, fmt);
	strbuf_vaddf(c->problem, fmt, ap);
	va_end(ap);
	strbuf_addc(c->problem, '\n');
}

/* The record of this game; without one, of a game that has not begun, `archive` is NULL. */
static struct game_known *game_of(struct mail_check *c, const char *id)
{
	struct strbuf words = STRBUF_INIT;
	struct failure e = ERR_INIT;
	struct game_known *g;
	struct ran r;

	for (size_t i = 0; i < c->ngames; i++)
		if (strcmp(c->games[i].id, id) == 0)
			return &c->games[i];
	ENSURE(c->ngames < MOST_GAMES);
	g = &c->games[c->ngames++];
	*g = (struct game_known){.id = arena_strdup(c->arena, id)};
	strbuf_addf(&words, "archive %s", id);
	testbed_do(c->s, words.ptr, NULL, &r);
	if (r.code == 0 && archive_open(strbuf_span(&r.out), &g->archive, &e) != ERR_NONE)
		say(c, "the record of %s does not open: %s", id, e.text.ptr);
	err_release(&e);
	ran_release(&r);
	strbuf_release(&words);
	return g;
}

/* "Game W1, Whakka Mole, turn 2. You are ann, seat 1 of 3." and the line "Mail 4 of this game." */
struct place {
	struct span game, seat; /* "W1", "1" */
	unsigned number;        /* 0: it has none */
};

static struct span between(struct span text, const char *before, const char *behind)
{
	size_t from = span_find(text, span_of(before)) + strlen(before);

	text = span_slice(text, from, text.len);
	return span_slice(text, 0, span_find(text, span_of(behind)));
}

static struct place place_of(const struct post *p)
{
	struct span text = span_of(p->text), footer, number;
	struct place place = {SPAN_EMPTY, SPAN_EMPTY, 0};

	text = span_slice(text, span_find(text, SPAN_LIT("\n-- \n")), text.len);
	text = span_slice(text, span_find(text, SPAN_LIT("\nGame ")), text.len);
	footer = span_slice(text, 0, span_find(text, SPAN_LIT(" of this game.")));
	place.game = between(footer, "Game ", ",");
	place.seat = between(footer, "seat ", " of ");
	number = between(footer, "\nMail ", " ");
	if (place.seat.len == 0 || !num_parse_uint(number, 1, 99999, &place.number))
		place.number = 0;
	return place;
}

/* ---- header ---- */

static struct span field_of(struct mail_check *c, const char *name)
{
	struct header h;

	header_split((struct span){c->mail->raw, c->mail->raw_len}, c->arena, &h);
	for (size_t i = 0; i < h.count; i++)
		if (span_eq_nocase(h.fields[i].name, name))
			return header_unfold(h.fields[i].value, c->arena);
	return SPAN_EMPTY;
}

/* Somebody's other addresses begin as theirs: ann, annwork. */
static bool same_person(const struct post *a, const struct post *b)
{
	size_t n = strlen(a->who), m = strlen(b->who);

	return strncmp(a->who, b->who, n < m ? n : m) == 0;
}

/* A mail of ours that this person got, or one that went in. */
static bool is_known_id(const struct mail_check *c, struct span id)
{
	struct span rest = c->came_in, line, word;

	for (size_t i = 0; i < c->index; i++)
		if (span_eq_str(id, c->s->posts[i]->message_id))
			return same_person(c->s->posts[i], c->mail);
	while (span_next_line(&rest, &line))
		if (span_next_word(&line, "", &word) && span_eq(word, id))
			return true;
	return false;
}

/*
 * The first mail of a seat, which all others name, may not have come out by itself: then nobody else's mails name
 * it, and all of this seat do.
 */
static bool is_first_of_seat(const struct mail_check *c, struct span id)
{
	struct place here = place_of(c->mail), other;

	if (span_find(id, SPAN_LIT("@example.org>")) == id.len)
		return false;
	for (size_t i = 0; i < c->s->nposts; i++) {
		const struct post *p = c->s->posts[i];
		bool names_it = span_find((struct span){p->raw, p->raw_len}, id) < p->raw_len;

		other = place_of(p);
		if (names_it
		        ? !same_person(p, c->mail)
		        : here.number > 0 && other.number > 0 && same_person(p, c->mail) &&
		              span_eq(other.game, here.game) && span_eq(other.seat, here.seat))
			return false;
	}
	return true;
}

static void check_ids(struct mail_check *c, const char *name)
{
	struct span rest = field_of(c, name), id;

	while (span_next_word(&rest, "", &id))
		if (!is_known_id(c, id) && !is_first_of_seat(c, id))
			say(c, "%s names no mail of theirs: %.*s", name, SPAN_ARGS(id));
}

/* moles+w1-2.5.MAC@example.org, moles+y-1.MAC..., or the plain address. */
static bool is_reply_address(struct span a)
{
	struct span tag;
	size_t mac;

	if (a.len == 0 || span_eq_str(a, "moles@example.org"))
		return true;
	if (!span_starts(a, "moles+") || span_find(a, SPAN_LIT("@example.org")) + 12 != a.len)
		return false;
	tag = span_slice(a, 6, a.len - 12);
	for (mac = 0; mac < tag.len && isalnum((unsigned char)tag.ptr[tag.len - 1 - mac]);)
		mac++;
	if (mac != MAC_CHARS || tag.len < mac + 4 || tag.ptr[tag.len - mac - 1] != '.')
		return false;
	for (size_t i = 0; i < tag.len; i++)
		if (!islower((unsigned char)tag.ptr[i]) &&
		    !isdigit((unsigned char)tag.ptr[i]) && tag.ptr[i] != '-' &&
		    tag.ptr[i] != '.')
			return false;
	return true;
}

static void check_header(struct mail_check *c)
{
	struct span automatic = field_of(c, "Auto-Submitted");
	const struct post *p = c->mail;

	if (!span_eq_str(automatic, "auto-replied") &&
	    !span_eq_str(automatic, "auto-generated"))
		say(c, "Auto-Submitted is \"%.*s\"", SPAN_ARGS(automatic));
	if (span_eq_str(automatic, "auto-replied") && !*p->in_reply_to)
		say(c, "it replies to nothing");
	if (!is_reply_address(span_of(p->reply_to)))
		say(c, "Reply-To is no address of ours: %s", p->reply_to);
	check_ids(c, "In-Reply-To");
	check_ids(c, "References");
}

/* ---- numbers ---- */

/*
 * Each mail of a seat has a number of its own, unless it is one that was asked for once more. They may leave in
 * another order than they were counted in, and a few may wait in a digest: so none has to follow the one before.
 */
static void check_number(struct mail_check *c)
{
	enum { MOST_WAITING = 3 };
	struct place here = place_of(c->mail);
	unsigned before = 0;

	if (here.number == 0 || strstr(c->mail->subject, ", once more"))
		return;
	for (size_t i = 0; i < c->index; i++) {
		const struct post *p = c->s->posts[i];
		struct place other = place_of(p);

		if (!span_eq(other.game, here.game) ||
		    (!same_person(p, c->mail) && !span_eq(other.seat, here.seat)))
			continue;
		before = other.number > before ? other.number : before;
		if (span_eq(other.seat, here.seat) && same_person(p, c->mail) &&
		    other.number == here.number && !strstr(p->subject, ", once more"))
			say(c, "\"%s\" has number %u, too", p->subject, here.number);
	}
	if (before > 0 && here.number > before + 1 + MOST_WAITING)
		say(c, "it has number %u, and the last one %u", here.number, before);
}

/* ---- proofs ---- */

static void judge(struct mail_check *c, const struct evidence *e)
{
	struct evidence_finding f;
	struct game_known *g;

	if (e->what != EVIDENCE_HEAD && !e->is_signed) {
		say(c, "a receipt is not signed by the server");
		return;
	}
	g = game_of(c, e->game);
	if (!g->archive) {
		if (e->what != EVIDENCE_SEAT)
			say(c, "%s has no record", e->game);
		return;
	}
	evidence_judge(e, g->archive, &c->key, &f);
	/* A list of seals is not signed, so a wrong one breaks nothing by itself. */
	if ((f.verdict != EVIDENCE_KEPT && f.verdict != EVIDENCE_AHEAD) ||
	    strstr(f.fate.ptr, "are not those of the record"))
		say(c, "%s: %s %s", evidence_verdict_name(f.verdict), f.what.ptr, f.fate.ptr);
	evidence_finding_release(&f);
}

/* " label  VALUE" -> VALUE; false: another line. */
static bool read_labelled(struct span line, const char *label, struct span *value)
{
	struct span word;

	return span_starts(line, " ") && span_next_word(&line, "", &word) &&
	       span_eq_str(word, label) && span_next_word(&line, "", value);
}

/* Orders that a report opens: "Seat 1 (ann, you): orders #1, sent." */
struct opened {
	unsigned seat, revision; /* 0: none */
	struct strbuf text;
	struct hash commitment, nonce;
};

static bool read_opened(struct span line, struct opened *o)
{
	struct span seat, number;

	if (!span_starts(line, "Seat "))
		return false;
	seat = span_slice(line, 5, line.len);
	seat = span_slice(seat, 0, span_find_char(seat, ' '));
	number = span_slice(line, span_find(line, SPAN_LIT(": orders #")) + 10, line.len);
	number = span_slice(number, 0, span_find_char(number, ','));
	strbuf_clear(&o->text);
	o->seat = o->revision = 0;
	return num_parse_uint(seat, 1, MAX_SEATS, &o->seat) &&
	       num_parse_uint(number, 1, 9999, &o->revision);
}

static bool same_words(struct span a, struct span b)
{
	struct span x, y;

	for (bool more_a, more_b;;) {
		more_a = span_next_word(&a, "", &x);
		more_b = span_next_word(&b, "", &y);
		if (more_a != more_b || (more_a && !span_eq(x, y)))
			return false;
		if (!more_a)
			return true;
	}
}

/* The receipt of these orders, in any mail, had this commitment. */
static void check_receipts(struct mail_check *c, const char *game, unsigned serial,
                           const struct opened *o)
{
	struct evidence_list list;

	for (size_t i = 0; i <= c->index; i++) {
		const struct post *p = c->s->posts[i];

		if (!strstr(p->proof, "-BEGIN MOLEPOST RECEIPT"))
			continue;
		evidence_read(span_of(p->proof), &c->key, c->arena, &list);
		for (size_t k = 0; k < list.n; k++) {
			const struct receipt_proof *r = &list.items[k].receipt;

			if (list.items[k].what == EVIDENCE_RECEIPT &&
			    strcmp(r->game, game) == 0 && r->serial == serial &&
			    r->seat == o->seat && r->revision == o->revision &&
			    !hash_eq(&r->commitment, &o->commitment))
				say(c, "seat %u's orders #%u had another commitment in \"%s\"",
				    o->seat, o->revision, p->subject);
		}
	}
}

/* With its nonce, what is opened gives the commitment: in one turn of the record. */
static void check_opened(struct mail_check *c, const char *game, const struct opened *o)
{
	const struct archive *a = game_of(c, game)->archive;
	const struct record *r = a ? archive_record(a) : NULL;

	for (size_t i = 0; r && i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nused; k++) {
			const struct record_order *u = &r->turns[i].used[k];
			const struct committed_orders committed = {
			    r->version,      r->game,     r->turns[i].serial,
			    o->seat,         o->revision, o->nonce,
			    u->contribution, u->salt,     u->canonical};
			struct hash made = proof_commitment(&committed);

			if (u->seat != o->seat || u->revision != o->revision ||
			    !hash_eq(&made, &o->commitment))
				continue;
			if (!same_words(strbuf_span(&o->text), u->canonical))
				say(c,
				    "orders of seat %u are shown as \"%s\", and were \"%.*s\"",
				    o->seat, o->text.ptr, SPAN_ARGS(u->canonical));
			check_receipts(c, game, r->turns[i].serial, o);
			return;
		}
	if (r && r->ended)
		say(c, "what is opened of seat %u #%u does not give its commitment", o->seat,
		    o->revision);
}

static void check_words(struct mail_check *c, struct span words, const struct hash *head)
{
	struct strbuf four = STRBUF_INIT;

	paper_words_add_four(head, &four);
	if (!span_eq(words, strbuf_span(&four)))
		say(c, "the four words are %.*s, and those of the head %s", SPAN_ARGS(words),
		    four.ptr);
	strbuf_release(&four);
}

static void check_key(struct mail_check *c, struct span hex)
{
	struct hash key;

	if (!hash_parse(hex, &key) || !hash_eq(&key, &c->key))
		say(c, "the key is not the server's");
}

static void check_secret(struct mail_check *c, const char *game, struct span hex)
{
	struct strbuf made = STRBUF_INIT;
	struct hash secret, hash;

	if (hash_parse(hex, &secret)) {
		hash = hash_of(hash_span(&secret));
		hash_add_hex(&made, &hash);
	}
	if (game_of(c, game)->secret_hash.len > 0 &&
	    !span_eq(game_of(c, game)->secret_hash, strbuf_span(&made)))
		say(c, "the secret of %s is not what the first mail stood for", game);
	strbuf_release(&made);
}

static void note_secret_hash(struct mail_check *c, const char *game, struct span hex)
{
	struct game_known *g = game_of(c, game);

	if (g->secret_hash.len == 0)
		g->secret_hash = hex;
	else if (!span_eq(g->secret_hash, hex))
		say(c, "the SHA-256 of the secret of %s is another than before", game);
}

/* "Game W1, Whakka Mole ..." */
static const char *game_named(struct mail_check *c, struct span line)
{
	line = span_slice(line, 5, line.len);
	return arena_cstr(c->arena, span_slice(line, 0, span_find_char(line, ',')));
}

static void check_lines(struct mail_check *c, struct span rest)
{
	struct opened o = {.text = STRBUF_INIT};
	struct span line, value, words = SPAN_EMPTY;
	const char *game = NULL;
	struct hash head;
	bool secret = false, in_orders = false;

	while (span_next_line(&rest, &line)) {
		if (span_starts(line, "Game ") && !game)
			game = game_named(c, line);
		if (read_opened(line, &o))
			in_orders = true;
		else if (in_orders && span_starts(line, "  > ") &&
		         !span_starts(line, "  > SALT "))
			strbuf_addf(&o.text, "%.*s ", SPAN_ARGS(span_slice(line, 4, line.len)));
		else if (read_labelled(line, "commit", &value) && in_orders)
			in_orders = hash_parse(value, &o.commitment);
		else if (read_labelled(line, "nonce", &value) && in_orders && game) {
			in_orders = false;
			if (hash_parse(value, &o.nonce))
				check_opened(c, game, &o);
		} else if (read_labelled(line, "words", &value))
			words = value;
		else if (read_labelled(line, "head", &value) && words.len > 0) {
			if (hash_parse(value, &head))
				check_words(c, words, &head);
			words = SPAN_EMPTY;
		} else if (read_labelled(line, "key", &value))
			check_key(c, value);
		else if (read_labelled(line, "secret", &value) && game)
			check_secret(c, game, value);
		else if (read_labelled(line, "sha256", &value) && game && secret)
			note_secret_hash(c, game, value);
		secret = (secret && !span_starts(line, " sha256")) ||
		         span_starts(line, "All chance in this game");
	}
	strbuf_release(&o.text);
}

static void check_proofs(struct mail_check *c)
{
	struct span text = span_of(c->mail->proof);
	struct evidence_list list;

	if (text.len == 0) { /* it is shown */
		text = span_of(c->mail->text);
		text = span_slice(text, span_find(text, SPAN_LIT("\n-- \n")), text.len);
	}
	evidence_read(text, &c->key, c->arena, &list);
	for (size_t i = 0; i < list.n; i++)
		judge(c, &list.items[i]);
	check_lines(c, text);
}

static struct hash public_key(struct testbed *s)
{
	char *path = testbed_path(s, "molepost.key");
	struct failure e = ERR_INIT;
	struct keyring *keys;
	struct hash key;

	if (keyring_load(path, &keys, &e) != ERR_NONE)
		BUG("%s", e.text.ptr);
	key = keyring_public_key(keys);
	keyring_free(keys);
	err_release(&e);
	free(path);
	return key;
}

void mail_check_all(struct testbed *s, struct span came_in, struct strbuf *problem)
{
	struct mail_check c = {.s = s,
	                       .came_in = came_in,
	                       .problem = problem,
	                       .arena = arena_new(),
	                       .key = public_key(s)};

	for (c.index = 0; c.index < s->nposts; c.index++) {
		c.mail = s->posts[c.index];
		if (came_in.len > 0)
			check_header(&c);
		check_number(&c);
		check_proofs(&c);
	}
	for (size_t i = 0; i < c.ngames; i++)
		archive_free(c.games[i].archive);
	arena_free(c.arena);
}
