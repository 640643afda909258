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
#include "tests/support/archives.h"
#include "tests/support/cheats.h"

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
	played_cheating_game(&t->honest, rules, CHEATED_SEATS, CHEATED_TURNS, CHEATED_SEED,
	                     (struct cheat){.version = cheat.version});
	played_cheating_game(&t->forged, rules, CHEATED_SEATS, CHEATED_TURNS, CHEATED_SEED,
	                     cheat);
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

static void add_seat(const struct played *p, unsigned seat, struct strbuf *mail)
{
	struct seat_proof proof = archives_seat(&p->record, seat);

	proof_add_seat(&proof, p->keys, mail);
}

static void expect_seat(const struct trial *t, unsigned seat, enum evidence_verdict verdict,
                        const char *words)
{
	struct strbuf mail = STRBUF_INIT;

	add_seat(&t->honest, seat, &mail);
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

/* A cheat that is worth something: the game stands otherwise after that turn. What is invented is, until it pays. */
static void try_until_it_pays(struct trial *t, const struct rules *rules, size_t turn,
                              struct cheat cheat)
{
	enum { TRIES = 10 };

	for (cheats_tried = 0;; cheats_tried++) {
		try(t, rules, cheat);
		if (!span_eq(t->honest.record.turns[turn].state,
		             t->forged.record.turns[turn].state))
			return;
		release(t);
		cr_assert_lt(cheats_tried, TRIES, "turn %zu came out the same", turn);
	}
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

Test(cheats, another_second_of_the_last_join_draws_the_same_and_its_receipt_convicts)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_header = cheat_join_a_second_later});
	cr_assert(same_draws(&t, 0));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 2, EVIDENCE_BROKEN, "another time");
	expect_head(&t, 0, EVIDENCE_BROKEN, "another head after it");
	release(&t);
}

Test(cheats, an_invented_clear_and_the_same_orders_again_draw_the_same)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_turn = cheat_clear_and_repeat});
	cr_assert_gt(t.honest.record.turns[CHEATED].chance.len, 0);
	cr_assert(same_draws(&t, CHEATED));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_receipt(&t, CHEATED, 1, EVIDENCE_KEPT, "was not yours, ask who sent it");
	release(&t);
}

/* How many outcomes the draws of that turn have in ten tries of it. */
static unsigned outcomes_of(unsigned version,
                            void (*with_turn)(struct played *p, struct record_turn *t))
{
	struct hash seen[10];
	unsigned n = 0;

	for (cheats_tried = 0; cheats_tried < 10; cheats_tried++) {
		struct trial t;
		unsigned i = 0;

		try(&t, park(), (struct cheat){.version = version, .with_turn = with_turn});
		expect_verified(&t, ARCHIVE_SIGNED, NULL);
		struct hash draws = t.forged.inputs[CHEATED];
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

	cr_assert_gt(outcomes_of(2, cheat_clear_and_repeat_by_other_mails), 1);
	cr_assert_eq(outcomes_of(3, cheat_clear_and_repeat_by_other_mails), 1);
	try(&t, park(), (struct cheat){.with_turn = cheat_clear_and_repeat_by_other_mails});
	add_missing(&t, CHEATED, 1, &missing);
	cr_assert_not_null(strstr(missing.ptr, "none of these mails holds it. If Ann has not"),
	                   "%s", missing.ptr);
	strbuf_release(&missing);
	release(&t);
}

Test(cheats, an_invented_first_mail_pays_and_is_missed_by_the_player_it_was_invented_for)
{
	struct strbuf missing = STRBUF_INIT;
	struct trial t;

	cr_assert_gt(outcomes_of(3, cheat_invent_first), 1);
	try_until_it_pays(&t, park(), CHEATED, (struct cheat){.with_turn = cheat_invent_first});
	/* The player's own receipt has number 2 then; one with number 1, which the server sent, convicts. */
	expect_receipt(&t, CHEATED, 1, EVIDENCE_BROKEN, "another commitment");
	add_missing(&t, CHEATED, 1, &missing);
	cr_assert_not_null(strstr(missing.ptr, "If Ann has not sent that mail"), "%s",
	                   missing.ptr);
	strbuf_release(&missing);
	release(&t);
}

Test(cheats, the_first_mail_of_an_operators_own_seat_is_not_found)
{
	cr_assert_gt(outcomes_of(3, cheat_own_first_mail), 1);
}

/* Before anybody has a receipt: nobody was told of another one. */
Test(cheats, a_secret_chosen_before_anybody_else_joined_is_not_found)
{
	struct trial t;
	struct played chosen;

	try_until_it_pays(&t, park(), 0, (struct cheat){.with_header = cheat_choose_secret});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	chosen = t.honest;
	t.honest.record =
	    t.forged.record; /* whoever joins then gets the receipts of this game */
	expect_seat(&t, 1, EVIDENCE_KEPT, "says the same");
	t.honest = chosen;
	release(&t);
}

Test(cheats, a_secret_exchanged_with_its_digest_convicts_by_the_receipt_of_any_seat)
{
	struct strbuf why = STRBUF_INIT, one = STRBUF_INIT, other = STRBUF_INIT;
	struct trial t;

	try_until_it_pays(&t, park(), 0, (struct cheat){.with_header = cheat_choose_secret});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	for (unsigned seat = 1; seat <= 2; seat++)
		expect_seat(&t, seat, EVIDENCE_BROKEN, "announces another secret");
	/* Two who joined before and after need no record. */
	add_seat(&t.honest, 1, &one);
	add_seat(&t.forged, 2, &other);
	cr_assert(contradict(&t, &one, &other, &why));
	cr_assert_not_null(strstr(why.ptr, "two different secrets"), "%s", why.ptr);
	strbuf_release(&why);
	strbuf_release(&one);
	strbuf_release(&other);
	release(&t);
}

/* This seat's turn anew: of so many mails that wait, that one came first; 0: all were dropped. */
static void wait_and_choose(struct played *p, struct record_turn *t, unsigned seat, unsigned n,
                            unsigned first)
{
	struct record_order *revisions =
	    arena_calloc(p->arena, t->nrevisions + n, sizeof(*revisions));
	struct record_order *used = &t->used[seat - 1];
	size_t count = 0, k = 0;

	cr_assert_eq(used->seat, seat);
	for (; k < t->nrevisions && t->revisions[k].seat < seat; k++)
		revisions[count++] = t->revisions[k];
	for (unsigned i = 0; i < n && first > 0; i++) {
		unsigned mail[] = {seat, 1 + (first - 1 + i) % n};

		used->revision = i + 1;
		used->origin = ORDER_SENT;
		used->contribution = hash_of((struct span){(const char *)mail, sizeof(mail)});
		revisions[count++] = *used;
	}
	if (first == 0) {
		struct strbuf text = STRBUF_INIT;

		p->record.rules->default_orders(p->states[p->at], seat, &text);
		*used =
		    (struct record_order){.seat = seat,
		                          .origin = ORDER_DEFAULT,
		                          .canonical = arena_dup(p->arena, strbuf_span(&text))};
		strbuf_release(&text);
	}
	for (; k < t->nrevisions; k++)
		if (t->revisions[k].seat > seat)
			revisions[count++] = t->revisions[k];
	memcpy(t->revisions, revisions, count * sizeof(*revisions));
	t->nrevisions = count;
}

static void two_mails_wait(struct played *p, struct record_turn *t)
{
	if (t->serial == CHEATED)
		wait_and_choose(p, t, 1, 2, cheats_tried % 3);
}

static void three_mails_of_two_seats_wait(struct played *p, struct record_turn *t)
{
	if (t->serial != CHEATED)
		return;
	wait_and_choose(p, t, 1, 2, cheats_tried % 3);
	wait_and_choose(p, t, 2, 1, cheats_tried / 3 % 2);
}

Test(cheats, of_mails_without_a_receipt_each_seat_has_one_outcome_more_than_mails)
{
	cr_assert_eq(outcomes_of(3, two_mails_wait), 3);
	cr_assert_eq(outcomes_of(3, three_mails_of_two_seats_wait), 3 * 2);
}

static void send_later(struct played *p, struct record_turn *t)
{
	(void)p;
	for (size_t i = 0; i < t->nrevisions; i++)
		t->revisions[i].received_utc = t->opened_utc +
		                               (int64_t)(cheats_tried * (t->nrevisions - i));
}

Test(cheats, when_and_in_which_order_seats_sent_draws_the_same)
{
	cr_assert_eq(outcomes_of(3, send_later), 1);
}

/* ---- what convicts ---- */

Test(cheats, another_contribution_than_the_receipt_has_convicts)
{
	struct trial t;

	try_until_it_pays(&t, park(), CHEATED, (struct cheat){.with_turn = cheat_other_mail});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_receipt(&t, CHEATED, 1, EVIDENCE_BROKEN, "another commitment");
	release(&t);
}

Test(cheats, other_orders_than_the_receipt_has_convict)
{
	struct trial t;

	try_until_it_pays(&t, park(), CHEATED, (struct cheat){.with_turn = cheat_other_orders});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_receipt(&t, CHEATED, 1, EVIDENCE_BROKEN, "another commitment");
	release(&t);
}

Test(cheats, seats_that_change_places_convict)
{
	struct trial t;

	try_until_it_pays(&t, park(), 0, (struct cheat){.with_header = cheat_change_places});
	cr_assert_not(same_draws(&t, 0));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 1, EVIDENCE_BROKEN, "it is seat 2");
	release(&t);
}

Test(cheats, another_mail_for_a_seat_than_its_receipt_has_convicts)
{
	struct trial t;

	try_until_it_pays(&t, park(), 0, (struct cheat){.with_header = cheat_other_join});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 2, EVIDENCE_BROKEN, "names another mail");
	release(&t);
}

Test(cheats, a_join_invented_in_the_place_of_the_first_convicts)
{
	struct trial t;

	try_until_it_pays(&t, park(), 0, (struct cheat){.with_header = cheat_join_again});
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 1, EVIDENCE_BROKEN, "names another mail as the first one of Ann");
	release(&t);
}

Test(cheats, leaving_and_joining_again_by_invented_mails_draws_the_same_and_is_counted)
{
	struct trial t;

	try(&t, park(), (struct cheat){.with_header = cheat_count_two});
	cr_assert(same_draws(&t, 0));
	expect_verified(&t, ARCHIVE_SIGNED, NULL);
	expect_seat(&t, 1, EVIDENCE_KEPT, "joined 2 times");
	release(&t);
}

/* ---- what verify finds alone ---- */

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

	try(&t, park(), (struct cheat){.with_turn = cheat_sign_all_but_one});
	expect_warning(&t, "these orders of seat 1 (serial 2, revision ");
	release(&t);
	try(&t, park(), (struct cheat){.with_turn = NULL});
	expect_warning(&t, NULL);
	release(&t);
}

Test(cheats, one_signature_on_two_mails_is_found)
{
	struct trial t;

	try_until_it_pays(&t, park(), CHEATED,
	                  (struct cheat){.with_turn = cheat_copy_signature});
	expect_verified(&t, ARCHIVE_BROKEN, "one and the same signature of a provider");
	release(&t);
	try(&t, park(), (struct cheat){.version = 2, .with_turn = cheat_copy_signature});
	expect_warning(&t, "one and the same signature of a provider");
	release(&t);
}

Test(cheats, a_bot_with_another_key_is_found)
{
	struct trial t;

	try_until_it_pays(&t, whakka(), CHEATED, (struct cheat){.with_turn = cheat_steer_bot});
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
	cheat_leave_turn_out(&r);
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
	cheat_cut_short(&r);
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

	try_until_it_pays(&t, park(), CHEATED, (struct cheat){.with_turn = cheat_other_mail});
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

	try(&t, whakka(), (struct cheat){.with_turn = cheat_other_mail});
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

	try(&t, whakka(), (struct cheat){.with_turn = cheat_other_mail});
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

Test(cheats, another_secret_than_the_one_announced_is_found)
{
	struct trial t;

	try_until_it_pays(&t, park(), 0, (struct cheat){.with_header = cheat_other_secret});
	expect_verified(&t, ARCHIVE_BROKEN, "announced before the game began");
	release(&t);
}

Test(cheats, late_orders_called_punctual_convict)
{
	struct trial t;
	unsigned found = 0;

	try(&t, whakka(), (struct cheat){.with_turn = cheat_in_time_after_all});
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
