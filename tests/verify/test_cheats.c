/*
 * test_cheats.c - a server that cheats with all it has, secret and key, and keeps a sound record of it.
 *
 * Who finds it, and with what in hand: verify alone, or the mails of the players. What nobody finds is
 * named in molepost-archive(5), WHAT IS PROVED.
 */
#include <criterion/criterion.h>
#include <stdio.h>
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
	played_cheating_game(&t->honest, rules, SEATS, TURNS, SEED,
	                     (struct cheat){.version = cheat.version});
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

	proof_add_seat(
	    &(struct seat_proof){.version = r->version,
	                         .number = 1,
	                         .game = r->game,
	                         .seat = seat,
	                         .received_utc = s->joined_utc,
	                         .person = proof_person(r->version, span_of(s->name), s->salt),
	                         .contribution = s->contribution},
	    t->honest.keys, &mail);
	expect_judged(t, strbuf_span(&mail), verdict, words);
	strbuf_release(&mail);
}

static void expect_head(const struct trial *t, size_t turn, enum evidence_verdict verdict,
                        const char *words)
{
	struct strbuf mail = STRBUF_INIT;

	played_head(&t->honest, turn, &mail);
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

/* The cheat is worth something: the game stands otherwise after that turn. */
static void expect_pays(const struct trial *t, size_t turn)
{
	cr_assert_not(
	    span_eq(t->honest.record.turns[turn].state, t->forged.record.turns[turn].state),
	    "turn %zu came out the same", turn);
}

/* The receipts that the honest server sent this seat in that turn, against the forged record. */
static void add_missing(const struct trial *t, size_t turn, unsigned seat, struct strbuf *out)
{
	const struct record_turn *at = &t->honest.record.turns[turn];
	struct evidence all[MAX_SEATS];
	const struct evidence *list[MAX_SEATS];
	size_t n = 0;

	for (size_t i = 0; i < at->nrevisions; i++)
		if (at->revisions[i].seat == seat) {
			all[n] =
			    (struct evidence){.what = EVIDENCE_RECEIPT,
			                      .game = t->honest.record.game,
			                      .is_signed = true,
			                      .receipt = archives_evidence(
						  &t->honest.record, at, &at->revisions[i])};
			list[n] = &all[n];
			n++;
		}
	evidence_missing(list, n, t->record, out);
}

/* ---- what changed no draw any more ---- */

static void join_a_second_later(struct record *r)
{
	r->seats[2].joined_utc++;
}

Test(cheats, another_second_of_the_last_join_draws_the_same_and_its_receipt_convicts)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_header = join_a_second_later});
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

	try(&t, park(), (struct cheat){.with_turn = clear_and_repeat});
	cr_assert_gt(t.honest.record.turns[CHEATED].chance.len, 0);
	cr_assert(same_draws(&t, CHEATED));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_receipt(&t, CHEATED, 1, EVIDENCE_KEPT, "was not yours, ask who sent it");
	release(&t);
}

/* The same by another mail each time: with the sender's own signature copied onto it, if need be. */
static unsigned tried;
static void clear_and_repeat_by_other_mails(struct played *p, struct record_turn *t)
{
	char text[32];
	size_t last = t->nrevisions;

	clear_and_repeat(p, t);
	if (t->serial != CHEATED)
		return;
	for (size_t i = 0; i < t->nrevisions; i++)
		if (t->revisions[i].seat == 1)
			last = i;
	snprintf(text, sizeof(text), "invented mail %u", tried);
	t->revisions[last - 1].contribution = t->revisions[last].contribution =
	    hash_of(span_of(text));
	t->used[0] = t->revisions[last];
}

/* How many outcomes the draws of that turn have in ten tries of it. */
static unsigned outcomes_of(unsigned version,
                            void (*with_turn)(struct played *p, struct record_turn *t))
{
	struct hash seen[10];
	unsigned n = 0;

	for (tried = 0; tried < 10; tried++) {
		struct trial t;
		unsigned i = 0;

		try(&t, park(), (struct cheat){.version = version, .with_turn = with_turn});
		expect_verified(&t, ARCHIVE_SIGNED, NULL);
		struct hash draws = hash_of(t.forged.record.turns[CHEATED].chance);
		while (i < n && !hash_eq(&seen[i], &draws))
			i++;
		seen[i] = draws;
		n += i == n;
		release(&t);
	}
	return n;
}

Test(cheats, invented_later_mails_paid_before_version_3_and_draw_the_same_since)
{
	struct strbuf missing = STRBUF_INIT;
	struct trial t;

	cr_assert_gt(outcomes_of(2, clear_and_repeat_by_other_mails), 1);
	cr_assert_eq(outcomes_of(3, clear_and_repeat_by_other_mails), 1);
	try(&t, park(), (struct cheat){.with_turn = clear_and_repeat_by_other_mails});
	add_missing(&t, CHEATED, 1, &missing);
	cr_assert_not_null(strstr(missing.ptr, "none of these mails holds it. If Ann has not"),
	                   "%s", missing.ptr);
	strbuf_release(&missing);
	release(&t);
}

/* A first mail for a seat that has sent something: from then on its own have numbers too large. */
static void invent_first(struct played *p, struct record_turn *t)
{
	size_t at = 0;
	char text[32];

	(void)p;
	if (t->serial != CHEATED)
		return;
	cr_assert_eq(t->revisions[at].seat, 1);
	for (size_t i = t->nrevisions++; i > at; i--)
		t->revisions[i] = t->revisions[i - 1];
	for (size_t i = at + 1; i < t->nrevisions && t->revisions[i].seat == 1; i++)
		t->revisions[i].revision++;
	snprintf(text, sizeof(text), "invented mail %u", tried);
	t->revisions[at].contribution = hash_of(span_of(text));
	t->used[0].revision++;
}

Test(cheats, an_invented_first_mail_pays_and_is_missed_by_the_player_it_was_invented_for)
{
	struct strbuf missing = STRBUF_INIT;
	struct trial t;

	cr_assert_gt(outcomes_of(3, invent_first), 1);
	try(&t, park(), (struct cheat){.with_turn = invent_first});
	expect_pays(&t, CHEATED);
	/* The player's own receipt has number 2 then; one with number 1, which the server sent, convicts. */
	expect_receipt(&t, CHEATED, 1, EVIDENCE_BROKEN, "another commitment");
	add_missing(&t, CHEATED, 1, &missing);
	cr_assert_not_null(strstr(missing.ptr, "If Ann has not sent that mail"), "%s",
	                   missing.ptr);
	strbuf_release(&missing);
	release(&t);
}

/* It is the operator's own: receipt, report and record all agree. */
static void own_first_mail(struct played *p, struct record_turn *t)
{
	char text[32];

	(void)p;
	if (t->serial != CHEATED)
		return;
	snprintf(text, sizeof(text), "my mail %u", tried);
	for (size_t i = 0; i < t->nrevisions && t->revisions[i].seat == 1; i++)
		t->revisions[i].contribution = hash_of(span_of(text));
	t->used[0].contribution = hash_of(span_of(text));
}

Test(cheats, the_first_mail_of_an_operators_own_seat_is_not_found)
{
	cr_assert_gt(outcomes_of(3, own_first_mail), 1);
}

static void choose_secret(struct record *r)
{
	r->secret = hash_of(SPAN_LIT("a better secret"));
	r->secret_hash = hash_of(hash_span(&r->secret));
}

Test(cheats, a_secret_chosen_before_anybody_else_joined_is_not_found)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_header = choose_secret});
	expect_pays(&t, 0);
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 1, EVIDENCE_KEPT, "says the same");
	release(&t);
}

/* Two mails of seat 1 that came together, before there was a receipt. */
static void drop_or_swap(struct played *p, struct record_turn *t)
{
	struct record_order *first = &t->revisions[0], *last = &t->revisions[1];
	struct hash one = hash_of(SPAN_LIT("one mail")), other = hash_of(SPAN_LIT("another"));

	if (t->serial != CHEATED)
		return;
	while (t->nrevisions > 0 && t->revisions[0].seat == 1) {
		t->nrevisions--;
		for (size_t i = 0; i < t->nrevisions; i++)
			t->revisions[i] = t->revisions[i + 1];
	}
	for (size_t i = t->nrevisions; i-- > 0;)
		t->revisions[i + 2] = t->revisions[i];
	t->nrevisions += 2;
	*first = *last = t->used[0];
	first->revision = 1;
	last->revision = 2;
	first->cleared = last->cleared = false;
	first->contribution = tried % 2 == 0 ? one : other;
	last->contribution = tried % 2 == 0 ? other : one;
	if (tried % 5 == 4) { /* neither ever came */
		struct strbuf text = STRBUF_INIT;

		p->record.rules->default_orders(p->states[p->at], 1, &text);
		for (size_t i = 2; i < t->nrevisions; i++)
			t->revisions[i - 2] = t->revisions[i];
		t->nrevisions -= 2;
		t->used[0] =
		    (struct record_order){.seat = 1,
		                          .origin = ORDER_DEFAULT,
		                          .canonical = arena_dup(p->arena, strbuf_span(&text))};
		strbuf_release(&text);
		return;
	}
	t->used[0] = *last;
}

Test(cheats, of_two_mails_without_a_receipt_there_are_three_outcomes)
{
	cr_assert_eq(outcomes_of(3, drop_or_swap), 3);
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

	try(&t, park(), (struct cheat){.with_turn = other_mail});
	expect_pays(&t, CHEATED);
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

	try(&t, park(), (struct cheat){.with_header = change_places});
	cr_assert_not(same_draws(&t, 0));
	expect_pays(&t, 0);
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

	try(&t, park(), (struct cheat){.with_header = other_join});
	expect_pays(&t, 0);
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 2, EVIDENCE_BROKEN, "names another mail");
	release(&t);
}

/* Ann, made to leave by one invented mail, and to join again by another as if it were her first. */
static void join_again(struct record *r)
{
	r->seats[1].contribution = hash_of(SPAN_LIT("a better mail"));
	r->seats[1].joined_utc += 3600;
}

Test(cheats, a_join_invented_in_the_place_of_the_first_convicts)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_header = join_again});
	expect_pays(&t, 0);
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 1, EVIDENCE_BROKEN, "names another mail as the first one of Ann");
	release(&t);
}

/* As the rules have it: the first JOIN counts, and the record counts two. */
static void count_two(struct record *r)
{
	r->seats[1].joins = 2;
}

Test(cheats, leaving_and_joining_again_by_invented_mails_draws_the_same_and_is_counted)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_header = count_two});
	cr_assert(same_draws(&t, 0));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 1, EVIDENCE_KEPT, "joined 2 times");
	release(&t);
}

/* ---- what verify finds alone ---- */

/* Every honest mail of seat 1 has its provider's signature; turn 2 has one that was invented, which has none. */
static void sign_all_but_one(struct played *p, struct record_turn *t)
{
	(void)p;
	for (size_t i = 0; i < t->nrevisions; i++) {
		struct record_order *o = &t->revisions[i];

		if (o->seat != 1 ||
		    (t->serial == CHEATED && o->revision == t->used[0].revision))
			continue;
		o->dkim = hash_of(hash_span(&o->contribution));
		o->dkim_verified = true;
	}
}

static void expect_warning(const struct trial *t, const char *words)
{
	struct archive_report report;

	archive_verify(strbuf_span(&t->text), &t->key, NULL, &report);
	cr_assert_eq(report.verdict, ARCHIVE_SIGNED, "line %u: %s", report.line,
	             report.why.ptr);
	cr_assert(words ? strstr(report.warnings.ptr, words) != NULL : report.warnings.len == 0,
	          "%s", report.warnings.ptr);
	archive_report_release(&report);
}

Test(cheats, orders_without_a_signature_where_others_have_one_are_named)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_turn = sign_all_but_one});
	expect_warning(&t, "these orders of seat 1 (serial 2, revision ");
	release(&t);
	try(&t, park(), (struct cheat){.with_turn = NULL});
	expect_warning(&t, NULL);
	release(&t);
}

/* So the server copies the signature of an older mail of Ann's onto it. */
static void copy_signature(struct played *p, struct record_turn *t)
{
	static struct hash copied;

	sign_all_but_one(p, t);
	for (size_t i = 0; i < t->nrevisions; i++) {
		if (t->revisions[i].seat != 1)
			continue;
		if (t->serial == 1)
			copied = t->revisions[i].dkim;
		if (!hash_is_zero(&t->revisions[i].dkim) || t->serial != CHEATED)
			continue;
		t->revisions[i].contribution = hash_of(SPAN_LIT("an invented mail"));
		t->revisions[i].dkim = copied;
		t->revisions[i].dkim_verified = true;
		t->used[0] = t->revisions[i];
	}
}

Test(cheats, one_signature_on_two_mails_is_found)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_turn = copy_signature});
	expect_pays(&t, CHEATED);
	expect_verified(&t, ARCHIVE_BROKEN, "one and the same signature of a provider");
	release(&t);
	try(&t, park(), (struct cheat){.version = 2, .with_turn = copy_signature});
	expect_warning(&t, "one and the same signature of a provider");
	release(&t);
}

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

	try(&t, whakka(), (struct cheat){.with_turn = steer_bot});
	expect_pays(&t, CHEATED);
	expect_verified(&t, ARCHIVE_BROKEN, "not the orders that the bot of seat 3 draws");
	release(&t);
}

/* A turn that came out badly is left out, and the next ones have its serials. */
Test(cheats, a_turn_left_out_is_found)
{
	struct trial t;
	struct record r;

	try(&t, whakka(), (struct cheat){.with_turn = NULL});
	r = t.forged.record;
	cr_assert_not(span_eq(r.turns[CHEATED - 1].state, r.turns[CHEATED].state), /* it pays */
	              "nothing came of that turn");
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

	try(&t, whakka(), (struct cheat){.with_turn = NULL});
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

	try(&t, park(), (struct cheat){.with_turn = other_mail});
	expect_pays(&t, CHEATED);
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

	try(&t, whakka(), (struct cheat){.with_turn = other_mail});
	for (size_t i = 0; i < t.honest.record.nturns; i++)
		for (size_t k = 0; k < t.forged.record.nturns; k++) {
			strbuf_clear(&ann);
			strbuf_clear(&bob);
			played_head(&t.honest, i, &ann);
			played_head(&t.forged, k, &bob);
			cr_assert_eq(contradict(&t, &ann, &bob, &why), i == k && i >= CHEATED,
			             "turns %zu, %zu: %s", i, k, why.ptr);
			strbuf_clear(&bob);
			played_head(&t.honest, k, &bob);
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

	try(&t, whakka(), (struct cheat){.with_turn = other_mail});
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

	try(&t, park(), (struct cheat){.with_header = other_secret});
	expect_pays(&t, 0);
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

	try(&t, whakka(), (struct cheat){.with_turn = in_time_after_all});
	for (size_t i = 1; i < t.honest.record.nturns; i++) {
		const struct record_turn *turn = &t.honest.record.turns[i];

		for (size_t k = 0; k < turn->nrevisions; k++)
			if (turn->revisions[k].received_utc > turn->deadline_utc &&
			    found++ == 0) {
				/* It pays: nobody counts them as late any more. */
				cr_assert(record_order_is_late(turn, &turn->revisions[k]));
				cr_assert_not(record_order_is_late(
				    &t.forged.record.turns[i],
				    &t.forged.record.turns[i].revisions[k]));
				expect_receipt(&t, i, turn->revisions[k].seat, EVIDENCE_BROKEN,
				               "another time");
			}
	}
	cr_assert_gt(found, 0, "nobody was late");
	release(&t);
}
