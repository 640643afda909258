/*
 * test_evidence.c - receipts and chain heads against archives of all games: kept, not reached
 * yet, broken by a server that rewrote the game, and forged.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/archive/evidence.h"
#include "tests/support/archives.h"

enum { TURNS = 5, SEED = 4 };

static void setup(void)
{
	seal_start();
}

TestSuite(evidence, .init = setup);

/* One game, and the archive that promises are judged by. */
struct court {
	struct played p;
	struct hash key;
	struct archive *archive;
	struct arena *arena;
};

static void sit_on_text(struct court *c, const struct record *r, const struct keyring *keys)
{
	struct strbuf text = STRBUF_INIT;
	struct failure e = ERR_INIT;

	archive_free(c->archive);
	archive_write(r, keys, &text);
	cr_assert_eq(archive_open(strbuf_span(&text), &c->archive, &e), ERR_NONE, "%s",
	             e.text.ptr);
	strbuf_release(&text);
}

static void sit_on(struct court *c, const struct record *r)
{
	sit_on_text(c, r, c->p.keys);
}

static void open_court(struct court *c, const struct rules *rules)
{
	*c = (struct court){.arena = arena_new()};
	played_game(&c->p, rules, rules->usual_seats, TURNS, SEED);
	c->key = c->p.record.public_key;
	sit_on(c, &c->p.record);
}

static void close_court(struct court *c)
{
	archive_free(c->archive);
	arena_free(c->arena);
	played_release(&c->p);
}

static void for_each_game(void (*look)(struct court *c))
{
	for (size_t i = 0; i < rules_count(); i++) {
		struct court c;

		if (!archives_is_played(rules_at(i)))
			continue;
		open_court(&c, rules_at(i));
		look(&c);
		close_court(&c);
	}
}

static enum evidence_verdict judge_text(struct court *c, struct span text,
                                        struct evidence_finding *f)
{
	struct evidence_list list;

	evidence_read(text, &c->key, c->arena, &list);
	cr_assert_eq(list.n, 1, "%.*s", SPAN_ARGS(text));
	evidence_judge(&list.items[0], c->archive, &c->key, f);
	cr_assert_gt(f->fate.len, 0);
	return f->verdict;
}

static void expect_receipt(struct court *c, const struct receipt_proof *ev,
                           enum evidence_verdict expected, const char *words)
{
	struct strbuf block = STRBUF_INIT, mail = STRBUF_INIT;
	struct evidence_finding f;

	proof_add_receipt(ev, c->p.keys, &block);
	archives_quote(strbuf_span(&block), &mail);
	cr_assert_eq(judge_text(c, strbuf_span(&mail), &f), expected, "%s: %s %s",
	             c->p.record.kind, f.what.ptr, f.fate.ptr);
	cr_assert_not_null(strstr(f.fate.ptr, words), "\"%s\" is missing: %s", words,
	                   f.fate.ptr);
	evidence_finding_release(&f);
	strbuf_release(&block);
	strbuf_release(&mail);
}

static const char *fate_of(const struct record_turn *t, size_t i)
{
	const struct record_order *o = &t->revisions[i], *last = o;

	for (; i < t->nrevisions && t->revisions[i].seat == o->seat; i++)
		last = &t->revisions[i];
	return o->cleared      ? "taken back"
	       : last->cleared ? "taken back later, with #"
	       : last != o     ? "replaced later, by #"
	                       : "last word: they were used";
}

static void every_receipt_is_kept(struct court *c)
{
	const struct record *r = &c->p.record;
	unsigned n = 0;

	for (size_t i = 1; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nrevisions; k++, n++) {
			const struct record_turn *t = &r->turns[i];
			struct receipt_proof ev = archives_evidence(r, t, &t->revisions[k]);

			expect_receipt(c, &ev, EVIDENCE_KEPT, fate_of(t, k));
			expect_receipt(c, &ev, EVIDENCE_KEPT, "opens the receipt's commitment");
		}
	cr_assert_gt(n, 4);
}

Test(evidence, every_receipt_of_a_finished_game_is_kept_and_opened)
{
	for_each_game(every_receipt_is_kept);
}

static void running_game(struct court *c)
{
	const struct record *r = &c->p.record;
	struct record shorter = played_until(&c->p, 3);

	sit_on(c, &shorter);
	for (size_t i = 1; i < r->nturns; i++)
		for (size_t k = 0; k < r->turns[i].nrevisions; k++) {
			struct receipt_proof ev =
			    archives_evidence(r, &r->turns[i], &r->turns[i].revisions[k]);

			expect_receipt(c, &ev, i < 3 ? EVIDENCE_KEPT : EVIDENCE_AHEAD,
			               i < 3 ? "says the same" : "not over in this record");
		}
}

Test(evidence, a_receipt_of_a_running_game_is_kept_as_far_as_the_record_goes)
{
	for_each_game(running_game);
}

static void changed_receipts(struct court *c)
{
	const struct record_turn *t = &c->p.record.turns[2];
	const struct receipt_proof good = archives_evidence(&c->p.record, t, &t->revisions[0]);
	struct receipt_proof ev = good;

	ev.received_utc += 60;
	expect_receipt(c, &ev, EVIDENCE_BROKEN, "another time");
	ev = good;
	ev.commitment = hash_of(SPAN_LIT("other orders"));
	expect_receipt(c, &ev, EVIDENCE_BROKEN, "another commitment");
	ev = good;
	ev.nonce = hash_of(SPAN_LIT("another nonce"));
	expect_receipt(c, &ev, EVIDENCE_BROKEN, "another nonce");
	ev = good;
	ev.revision = 9;
	expect_receipt(c, &ev, EVIDENCE_BROKEN, "no such acknowledgement");
	ev = good;
	ev.serial = 99;
	expect_receipt(c, &ev, EVIDENCE_BROKEN, "has no such turn");
	ev = good;
	ev.game = "Z9";
	expect_receipt(c, &ev, EVIDENCE_OTHER, "The record is that of ");
	ev = good;
	ev.received_utc += 60;
	expect_receipt(c, &ev, EVIDENCE_BROKEN, "signed both");
	sit_on_text(c, &c->p.record, NULL);
	expect_receipt(c, &ev, EVIDENCE_BROKEN, "nobody has signed that record");
	c->key = hash_of(SPAN_LIT("another key"));
	expect_receipt(c, &good, EVIDENCE_FORGED, "not signed by the key");
}

Test(evidence, a_signed_receipt_that_the_record_contradicts_convicts_the_server)
{
	for_each_game(changed_receipts);
}

/* As a turn report prints it; wrapped and quoted as in an answer. */
static void print_head(const struct court *c, unsigned serial, const struct record_chain *chain,
                       bool sign, struct strbuf *out)
{
	unsigned char sig[SIGNATURE_LEN];

	strbuf_addf(
	    out,
	    "> Game %s, Some Kind, turn 2. You are ann.\n> ...\n> The record of the "
	    "game\n> has %u lines up to serial %u. This number\n> stands for all of them:\n>  "
	    "head   ",
	    c->p.record.game, chain->lines, serial);
	hash_add_hex(out, &chain->head);
	proof_sign_head(&(struct proof_head){c->p.record.version, c->p.record.game, serial,
	                                     chain->lines, chain->head},
	                c->p.keys, sig);
	if (sign) {
		strbuf_adds(out, "\n>  sig 1  ");
		strbuf_add_hex(out, sig, SIGNATURE_LEN / 2);
		strbuf_adds(out, "\n>  sig 2\n> ");
		strbuf_add_hex(out, sig + SIGNATURE_LEN / 2, SIGNATURE_LEN / 2);
	}
	strbuf_adds(out, "\n> \n> == Your answer ==\n");
}

static void expect_head(struct court *c, unsigned serial, const struct record_chain *chain,
                        bool sign, enum evidence_verdict expected, const char *words)
{
	struct strbuf text = STRBUF_INIT;
	struct evidence_finding f;

	print_head(c, serial, chain, sign, &text);
	cr_assert_eq(judge_text(c, strbuf_span(&text), &f), expected, "%s: %s", f.what.ptr,
	             f.fate.ptr);
	cr_assert_not_null(strstr(f.fate.ptr, words), "\"%s\" is missing: %s", words,
	                   f.fate.ptr);
	evidence_finding_release(&f);
	strbuf_release(&text);
}

static struct record_chain chain_after(const struct record *r, size_t turns)
{
	struct record_chain chain = {0};

	archive_add_header(r, false, &chain, NULL);
	for (size_t i = 0; i < turns; i++)
		archive_add_turn(r, &r->turns[i], false, &chain, NULL);
	return chain;
}

static void heads(struct court *c)
{
	struct record shorter = played_until(&c->p, 3);
	struct record_chain old = chain_after(&c->p.record, 2), late, lie;
	unsigned serial = 0;

	for (size_t n = 0; n <= c->p.record.nturns; n++) {
		serial = n > 0 ? c->p.record.turns[n - 1].serial : 0;
		late = chain_after(&c->p.record, n);
		expect_head(c, serial, &late, true, EVIDENCE_KEPT, "just this head there");
		expect_head(c, serial, &late, false, EVIDENCE_KEPT, "just this head there");
	}
	lie = old;
	lie.lines--;
	expect_head(c, 1, &lie, true, EVIDENCE_FORGED, "the text was changed");
	lie = old;
	lie.head = hash_of(SPAN_LIT("another head"));
	expect_head(c, 1, &lie, true, EVIDENCE_BROKEN, "another head after it");
	expect_head(c, 1, &lie, false, EVIDENCE_FORGED, "as it has no signature");
	lie.lines = 1000; /* two histories of one turn, one longer than all of the record */
	expect_head(c, 1, &lie, true, EVIDENCE_BROKEN, "another head after it");
	expect_head(c, 1000, &lie, true, EVIDENCE_BROKEN, "another head after it");
	sit_on(c, &shorter);
	expect_head(c, serial, &late, true, EVIDENCE_AHEAD, "older than that mail");
	expect_head(c, 2, &lie, true, EVIDENCE_BROKEN, "another head after it");
	c->key = hash_of(SPAN_LIT("another key"));
	expect_head(c, 1, &old, true, EVIDENCE_FORGED, "not one by the key");
}

Test(evidence, a_head_is_kept_or_ahead_or_broken_or_forged)
{
	for_each_game(heads);
}

static void expect_seat(struct court *c, const struct seat_proof *seat,
                        enum evidence_verdict expected, const char *words)
{
	struct strbuf block = STRBUF_INIT, text = STRBUF_INIT;
	struct evidence_finding f;

	proof_add_seat(seat, c->p.keys, &block);
	archives_quote(strbuf_span(&block), &text);
	cr_assert_eq(judge_text(c, strbuf_span(&text), &f), expected, "%s: %s", f.what.ptr,
	             f.fate.ptr);
	cr_assert_not_null(strstr(f.fate.ptr, words), "\"%s\" is missing: %s", words,
	                   f.fate.ptr);
	evidence_finding_release(&f);
	strbuf_release(&block);
	strbuf_release(&text);
}

/* The receipt for a seat fixes what the set-up was drawn from. */
static void seats(struct court *c)
{
	const struct record *r = &c->p.record;
	const struct record_seat *s = &r->seats[2];
	const struct seat_proof good = {
	    .version = r->version,
	    .number = 1,
	    .game = r->game,
	    .seat = 2,
	    .received_utc = s->joined_utc,
	    .person = proof_person(r->version, span_of(s->name), s->salt),
	    .secret_hash = r->secret_hash,
	    .contribution = s->contribution};
	struct seat_proof other = good;

	expect_seat(c, &good, EVIDENCE_KEPT, "says the same.");
	other.contribution = hash_of(SPAN_LIT("the mail that was really sent"));
	expect_seat(c, &other, EVIDENCE_BROKEN, "names another mail");
	other = good;
	other.person = proof_person(r->version, SPAN_LIT("sugar"), s->salt);
	expect_seat(c, &other, EVIDENCE_BROKEN, "another name");
	other = good;
	other.secret_hash = hash_of(SPAN_LIT("a better secret"));
	expect_seat(c, &other, EVIDENCE_BROKEN, "announces another secret");
	other = good;
	other.received_utc++;
	expect_seat(c, &other, EVIDENCE_BROKEN, "another time");
	other = good;
	other.seat = 1; /* two seats that changed places: one of them moved up in number */
	expect_seat(c, &other, EVIDENCE_BROKEN, "it is seat 2");
	other.seat = 3;
	expect_seat(c, &other, EVIDENCE_KEPT, "a free seat before this one");
	other.received_utc += 100;
	other.contribution = hash_of(SPAN_LIT("of somebody who left before it began"));
	expect_seat(c, &other, EVIDENCE_BROKEN, "another mail as the first one of");
	other.number = 2;
	expect_seat(c, &other, EVIDENCE_BROKEN, "counts 1");
	other.number = 1;
	other.person = proof_person(r->version, SPAN_LIT("Somebody"), SPAN_EMPTY);
	expect_seat(c, &other, EVIDENCE_AHEAD, "before it began");
	c->key = hash_of(SPAN_LIT("another key"));
	expect_seat(c, &good, EVIDENCE_FORGED, "not signed by the key");
}

Test(evidence, the_receipt_for_a_seat_is_kept_or_convicts)
{
	for_each_game(seats);
}

Test(evidence, a_text_without_a_whole_receipt_or_head_holds_none)
{
	static const char *const texts[] = {
	    "", "-----BEGIN MOLEPOST RECEIPT 1-----\norders W1 turn 1\n",
	    "The record of the game has 12 lines so far.", "head abcdef",
	    "The record of the game has many lines so far. head "
	    "86ab3f3e15977f87d7ed4a377a9ce1bef81f04b0c8b0a3c1aaa387ce094af37c"};
	struct arena *arena = arena_new();
	struct hash key = hash_of(SPAN_LIT("a key"));
	struct evidence_list list;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		evidence_read(span_of(texts[i]), &key, arena, &list);
		cr_assert_eq(list.n, 0, "%s", texts[i]);
	}
	arena_free(arena);
}

/* Every stage of a game extends every earlier one. */
static void stages(struct court *c)
{
	const struct record *r = &c->p.record;

	for (size_t n = 0; n <= r->nturns; n++) {
		struct record older = played_until(&c->p, n),
			      newer = n < r->nturns ? played_until(&c->p, n + 1) : *r;
		struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
		struct archive_extension x;
		struct failure e = ERR_INIT;

		archive_write(&older, NULL, &a);
		archive_write(&newer, c->p.keys, &b);
		cr_assert_eq(archive_extends(strbuf_span(&a), strbuf_span(&b), &x, &e),
		             ERR_NONE, "%s", e.text.ptr);
		cr_assert_eq(x.kinship, ARCHIVE_EXTENDS);
		cr_assert_eq(archive_extends(strbuf_span(&b), strbuf_span(&a), &x, &e),
		             ERR_NONE);
		cr_assert_eq(x.kinship, ARCHIVE_IS_OLDER);
		strbuf_release(&a);
		strbuf_release(&b);
	}
}

Test(evidence, every_stage_of_a_game_extends_the_one_before_it)
{
	for_each_game(stages);
}
