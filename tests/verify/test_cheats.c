/*
 * test_cheats.c - a server that cheats with all it has, secret and key, and keeps a sound record of it.
 *
 * Who finds it, and with what in hand: verify alone, or the mails of the players. What nobody finds is
 * named in molepost-archive(5), WHAT IS PROVED.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/archive/evidence.h"
#include "processor/archive/one_history.h"
#include "processor/archive/private.h"
#include "processor/bots/bots.h"
#include "tests/support/archives.h"

enum { TURNS = 5, SEED = 1, SEATS = 3, CHEATED = 2 };

static void setup(void)
{
	seal_start();
}

TestSuite(cheats, .init = setup, .timeout = 100);

static const struct rules *whakka(void)
{
	return rules_find(SPAN_LIT("whakka mole"));
}

static const struct rules *park(void)
{
	return rules_find(SPAN_LIT("mole park"));
}

/* The record of a server that cheats in a game that is `honest` else. */
struct trial {
	struct played honest, forged;
	struct strbuf text;     /* the forged archive, signed */
	struct archive *record; /* as it was read */
	struct hash key;
};

static void try(struct trial *t, const struct rules *rules, struct cheat cheat)
{
	struct failure e = ERR_INIT;

	*t = (struct trial){.text = STRBUF_INIT};
	played_game(&t->honest, rules, SEATS, TURNS, SEED);
	played_cheating_game(&t->forged, rules, SEATS, TURNS, SEED, cheat);
	archive_write(&t->forged.record, t->forged.keys, &t->text);
	cr_assert_eq(archive_open(strbuf_span(&t->text), &t->record, &e), ERR_NONE, "%s",
	             e.text.ptr);
	t->key = t->honest.record.public_key;
}

static void release(struct trial *t)
{
	archive_free(t->record);
	strbuf_release(&t->text);
	played_release(&t->honest);
	played_release(&t->forged);
}

/* verify alone finds nothing wrong with it, or just this. */
static void expect_verified(const struct trial *t, enum archive_verdict verdict,
                            const char *words)
{
	struct archive_report report;

	archive_verify(strbuf_span(&t->text), &t->key, NULL, &report);
	cr_assert_eq(report.verdict, verdict, "line %u: %s", report.line, report.why.ptr);
	if (words)
		cr_assert_not_null(strstr(report.why.ptr, words), "%s", report.why.ptr);
	archive_report_release(&report);
}

static void expect_judged(const struct trial *t, struct span mail,
                          enum evidence_verdict verdict, const char *words)
{
	struct arena *arena = arena_new();
	struct evidence_finding f;
	struct evidence_list list;

	evidence_read(mail, &t->key, arena, &list);
	cr_assert_eq(list.n, 1, "%.*s", SPAN_ARGS(mail));
	evidence_judge(&list.items[0], t->record, &t->key, &f);
	cr_assert_eq(f.verdict, verdict, "%s %s", f.what.ptr, f.fate.ptr);
	cr_assert_not_null(strstr(f.fate.ptr, words), "\"%s\" is missing: %s", words,
	                   f.fate.ptr);
	evidence_finding_release(&f);
	arena_free(arena);
}

/* The last receipt that the honest server sent this seat in this turn. */
static void expect_receipt(const struct trial *t, size_t turn, unsigned seat,
                           enum evidence_verdict verdict, const char *words)
{
	const struct record *r = &t->honest.record;
	const struct record_turn *at = &r->turns[turn];
	struct strbuf mail = STRBUF_INIT;

	for (size_t i = at->nrevisions; i-- > 0;)
		if (at->revisions[i].seat == seat) {
			struct receipt_proof proof =
			    archives_evidence(r, at, &at->revisions[i]);
			proof_add_receipt(&proof, t->honest.keys, &mail);
			break;
		}
	expect_judged(t, strbuf_span(&mail), verdict, words);
	strbuf_release(&mail);
}

static void expect_seat(const struct trial *t, unsigned seat, enum evidence_verdict verdict,
                        const char *words)
{
	const struct record *r = &t->honest.record;
	const struct record_seat *s = &r->seats[seat];
	struct strbuf mail = STRBUF_INIT;

	proof_add_seat(&(struct seat_proof){.game = r->game,
	                                    .seat = seat,
	                                    .received_utc = s->joined_utc,
	                                    .person = proof_person(span_of(s->name), s->salt),
	                                    .contribution = s->contribution},
	               t->honest.keys, &mail);
	expect_judged(t, strbuf_span(&mail), verdict, words);
	strbuf_release(&mail);
}

/* What the report of that turn printed. */
static void add_head(const struct played *p, size_t turn, struct strbuf *mail)
{
	const struct record *r = &p->record;
	struct record_chain chain = {0};
	unsigned char sig[SIGNATURE_LEN];

	archive_add_header(r, false, &chain, NULL);
	for (size_t i = 0; i <= turn; i++)
		archive_add_turn(r, &r->turns[i], false, &chain, NULL);
	proof_sign_head(&(struct proof_head){r->version, r->game, r->turns[turn].serial,
	                                     chain.lines, chain.head},
	                p->keys, sig);
	strbuf_addf(mail,
	            "Game %s, Some Kind, turn 2.\nThe record of the game has %u lines up to "
	            "serial %u. More.\n head  ",
	            r->game, chain.lines, r->turns[turn].serial);
	hash_add_hex(mail, &chain.head);
	strbuf_adds(mail, "\n sig 1 ");
	strbuf_add_hex(mail, sig, SIGNATURE_LEN / 2);
	strbuf_adds(mail, "\n sig 2 ");
	strbuf_add_hex(mail, sig + SIGNATURE_LEN / 2, SIGNATURE_LEN / 2);
	strbuf_addc(mail, '\n');
}

static void expect_head(const struct trial *t, size_t turn, enum evidence_verdict verdict,
                        const char *words)
{
	struct strbuf mail = STRBUF_INIT;

	add_head(&t->honest, turn, &mail);
	expect_judged(t, strbuf_span(&mail), verdict, words);
	strbuf_release(&mail);
}

/* Of two mails, with no record at hand. */
static bool contradict(const struct trial *t, const struct strbuf *one,
                       const struct strbuf *other, struct strbuf *why)
{
	struct arena *arena = arena_new();
	struct evidence_list a, b;
	bool yes;

	evidence_read(strbuf_span(one), &t->key, arena, &a);
	evidence_read(strbuf_span(other), &t->key, arena, &b);
	cr_assert_eq(a.n + b.n, 2);
	cr_assert(evidence_is_signed(&a.items[0], &t->key));
	cr_assert(evidence_is_signed(&b.items[0], &t->key));
	strbuf_clear(why);
	yes = evidence_contradict(&a.items[0], &b.items[0], why);
	cr_assert_eq(yes, evidence_contradict(&b.items[0], &a.items[0], why));
	arena_free(arena);
	return yes;
}

static bool same_draws(const struct trial *t, size_t turn)
{
	return span_eq(t->honest.record.turns[turn].chance,
	               t->forged.record.turns[turn].chance);
}

/* ---- what changed no draw any more ---- */

static void join_a_second_later(struct record *r)
{
	r->seats[2].joined_utc++;
}

Test(cheats, another_second_of_the_last_join_draws_the_same_and_its_receipt_convicts)
{
	struct trial t;

	try(&t, park(), (struct cheat){join_a_second_later, NULL});
	cr_assert(same_draws(&t, 0));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 2, EVIDENCE_BROKEN, "another time");
	expect_head(&t, 0, EVIDENCE_BROKEN, "another head after it");
	release(&t);
}

/* Seat 1's last orders taken back, and given once more by the same mail. */
static void clear_and_repeat(struct played *p, struct record_turn *t)
{
	size_t at = 0, n = t->nrevisions;

	if (t->serial != CHEATED)
		return;
	while (at < n && t->revisions[at].seat == 1)
		at++;
	cr_assert_gt(at, 0);
	for (size_t i = n; i-- > at;)
		t->revisions[i + 2] = t->revisions[i];
	struct record_order last = t->revisions[at - 1];
	t->revisions[at] = (struct record_order){.seat = 1,
	                                         .revision = last.revision + 1,
	                                         .received_utc = last.received_utc,
	                                         .origin = ORDER_SENT,
	                                         .cleared = true,
	                                         .contribution = last.contribution};
	t->revisions[at + 1] = last;
	t->revisions[at + 1].revision = last.revision + 2;
	t->nrevisions += 2;
	t->used[0] = t->revisions[at + 1];
	(void)p;
}

Test(cheats, an_invented_clear_and_the_same_orders_again_draw_the_same)
{
	struct trial t;

	try(&t, park(), (struct cheat){NULL, clear_and_repeat});
	cr_assert(same_draws(&t, CHEATED));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_receipt(&t, CHEATED, 1, EVIDENCE_KEPT, "was not yours, ask who sent it");
	release(&t);
}

/* ---- what convicts ---- */

static void other_mail(struct played *p, struct record_turn *t)
{
	if (t->serial != CHEATED)
		return;
	for (size_t i = 0; i < t->nrevisions; i++)
		if (t->revisions[i].seat == 1)
			t->revisions[i].contribution = hash_of(SPAN_LIT("a better mail"));
	t->used[0].contribution = hash_of(SPAN_LIT("a better mail"));
	(void)p;
}

Test(cheats, another_contribution_than_the_receipt_has_convicts)
{
	struct trial t;

	try(&t, whakka(), (struct cheat){NULL, other_mail});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_receipt(&t, CHEATED, 1, EVIDENCE_BROKEN, "another commitment");
	release(&t);
}

static void change_places(struct record *r)
{
	struct record_seat first = r->seats[1];

	r->seats[1] = r->seats[2];
	r->seats[2] = first;
}

Test(cheats, seats_that_change_places_convict)
{
	struct trial t;

	try(&t, park(), (struct cheat){change_places, NULL});
	cr_assert_not(same_draws(&t, 0));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 1, EVIDENCE_BROKEN, "it is seat 2");
	release(&t);
}

static void other_join(struct record *r)
{
	r->seats[2].contribution = hash_of(SPAN_LIT("a better mail"));
}

Test(cheats, another_mail_for_a_seat_than_its_receipt_has_convicts)
{
	struct trial t;

	try(&t, park(), (struct cheat){other_join, NULL});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 2, EVIDENCE_BROKEN, "names another mail");
	release(&t);
}

/* ---- what verify finds alone ---- */

/* As a program would play it that has another key for its bots, or none. */
static void steer_bot(struct played *p, struct record_turn *t)
{
	static const struct tables none = {NULL, 0};
	const struct record *r = &p->record;
	struct hash key = hash_of(SPAN_LIT("a better key"));

	if (t->serial != CHEATED)
		return;
	for (size_t i = 0; i < t->nrevisions; i++) {
		struct record_order *o = &t->revisions[i];
		struct strbuf text = STRBUF_INIT;

		if (!r->seats[o->seat].bot)
			continue;
		bot_orders(r->rules, r->bots_version, p->states[p->at], o->seat,
		           BOT_LEVEL_USUAL, &none, &key, &text, NULL);
		cr_assert_not(span_eq(strbuf_span(&text), o->canonical));
		o->canonical = arena_dup(p->arena, strbuf_span(&text));
		for (size_t k = 0; k < t->nused; k++)
			if (t->used[k].seat == o->seat)
				t->used[k].canonical = o->canonical;
		strbuf_release(&text);
	}
}

Test(cheats, a_bot_with_another_key_is_found)
{
	struct trial t;

	try(&t, whakka(), (struct cheat){NULL, steer_bot});
	expect_verified(&t, ARCHIVE_BROKEN, "not the orders that the bot of seat 3 draws");
	release(&t);
}

/* A turn that came out badly is left out, and the next ones have its serials. */
Test(cheats, a_turn_left_out_is_found)
{
	struct trial t;
	struct record r;

	try(&t, whakka(), (struct cheat){NULL, NULL});
	r = t.forged.record;
	for (size_t i = CHEATED; i + 1 < r.nturns; i++)
		r.turns[i] = r.turns[i + 1];
	r.nturns--;
	strbuf_clear(&t.text);
	archive_write(&r, t.forged.keys, &t.text);
	expect_verified(&t, ARCHIVE_BROKEN, "a turn before this one is missing");
	t.forged.record.nturns--;
	release(&t);
}

/* A game that is called off before the turn that came out badly; version 2 has every turn ever opened. */
Test(cheats, a_history_cut_short_convicts)
{
	struct trial t;
	struct failure e = ERR_INIT;
	struct record r;

	try(&t, whakka(), (struct cheat){NULL, NULL});
	r = t.forged.record;
	r.nturns = CHEATED;
	r.end_status = "cancelled";
	strbuf_clear(&t.text);
	archive_write(&r, t.forged.keys, &t.text);
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	archive_free(t.record);
	cr_assert_eq(archive_open(strbuf_span(&t.text), &t.record, &e), ERR_NONE);
	expect_receipt(&t, CHEATED - 1, 1, EVIDENCE_KEPT, "");
	expect_receipt(&t, CHEATED, 1, EVIDENCE_BROKEN, "has no such turn");
	release(&t);
}

/* Two histories, told to two players. */
Test(cheats, two_heads_of_one_turn_convict_however_long_the_records_are)
{
	struct trial t;

	try(&t, whakka(), (struct cheat){NULL, other_mail});
	for (size_t turn = 0; turn < t.honest.record.nturns; turn++)
		if (turn < CHEATED)
			expect_head(&t, turn, EVIDENCE_KEPT, "just this head there");
		else
			expect_head(&t, turn, EVIDENCE_BROKEN, "another head after it");
	release(&t);
}

/* Ann has the reports of one history, Bob those of the other, and nobody a record. */
Test(cheats, two_players_find_two_histories_from_their_mails_alone)
{
	struct strbuf ann = STRBUF_INIT, bob = STRBUF_INIT, why = STRBUF_INIT;
	struct trial t;

	try(&t, whakka(), (struct cheat){NULL, other_mail});
	for (size_t i = 0; i < t.honest.record.nturns; i++)
		for (size_t k = 0; k < t.forged.record.nturns; k++) {
			strbuf_clear(&ann);
			strbuf_clear(&bob);
			add_head(&t.honest, i, &ann);
			add_head(&t.forged, k, &bob);
			cr_assert_eq(contradict(&t, &ann, &bob, &why), i == k && i >= CHEATED,
			             "turns %zu, %zu: %s", i, k, why.ptr);
			strbuf_clear(&bob);
			add_head(&t.honest, k, &bob);
			cr_assert_not(contradict(&t, &ann, &bob, &why), "%s", why.ptr);
		}
	strbuf_release(&ann);
	strbuf_release(&bob);
	strbuf_release(&why);
	release(&t);
}

static void add_receipt(const struct played *p, size_t turn, struct strbuf *mail)
{
	const struct record_turn *at = &p->record.turns[turn];
	struct receipt_proof proof = archives_evidence(&p->record, at, &at->revisions[0]);

	strbuf_clear(mail);
	proof_add_receipt(&proof, p->keys, mail);
}

Test(cheats, two_receipts_of_one_revision_contradict_each_other)
{
	struct strbuf one = STRBUF_INIT, other = STRBUF_INIT, why = STRBUF_INIT;
	struct trial t;

	try(&t, whakka(), (struct cheat){NULL, other_mail});
	add_receipt(&t.honest, CHEATED, &one);
	add_receipt(&t.forged, CHEATED, &other);
	cr_assert(contradict(&t, &one, &other, &why));
	cr_assert_not_null(strstr(why.ptr, "two different receipts"), "%s", why.ptr);
	add_receipt(&t.honest, CHEATED + 1, &other);
	cr_assert_not(contradict(&t, &one, &other, &why));
	cr_assert_not(contradict(&t, &one, &one, &why));
	strbuf_release(&one);
	strbuf_release(&other);
	strbuf_release(&why);
	release(&t);
}

/* The secret alone does not fit its announcement; both exchanged do not fit the welcome mails. */
static void other_secret(struct record *r)
{
	r->secret = hash_of(SPAN_LIT("a better secret"));
}

Test(cheats, another_secret_than_the_one_announced_is_found)
{
	struct trial t;

	try(&t, park(), (struct cheat){other_secret, NULL});
	expect_verified(&t, ARCHIVE_BROKEN, "announced before the game began");
	release(&t);
}

static void in_time_after_all(struct played *p, struct record_turn *t)
{
	(void)p;
	for (size_t i = 0; i < t->nrevisions; i++)
		if (t->revisions[i].received_utc > t->deadline_utc)
			t->revisions[i].received_utc = t->deadline_utc;
}

Test(cheats, late_orders_called_punctual_convict)
{
	struct trial t;
	unsigned found = 0;

	try(&t, whakka(), (struct cheat){NULL, in_time_after_all});
	for (size_t i = 1; i < t.honest.record.nturns; i++) {
		const struct record_turn *turn = &t.honest.record.turns[i];

		for (size_t k = 0; k < turn->nrevisions; k++)
			if (turn->revisions[k].received_utc > turn->deadline_utc &&
			    found++ == 0)
				expect_receipt(&t, i, turn->revisions[k].seat, EVIDENCE_BROKEN,
				               "another time");
	}
	cr_assert_gt(found, 0, "nobody was late");
	release(&t);
}
