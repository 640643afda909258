/*
 * test_poison.c - one mail or one turn that kills the program every time it is touched.
 *
 * The program dies by BUG() whenever the named mail or turn is in hand (step.h). It has to be found
 * and set aside by the runs that follow, without the others waiting for longer than that, and
 * nothing may be condemned for one death that somebody else caused.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mail/child/packet.h"
#include "tests/support/crowd.h"
#include "tests/support/opened.h"
#include "tests/support/table.h"

enum { EXIT_BUG_CODE = 70, MOST_RUNS = 8 };

static bool run_survives(struct testbed *s, const char *poison)
{
	const char *const env[] = {poison, NULL};
	struct ran r;
	bool survived;

	testbed_do(s, "run", env, &r);
	survived = r.code == 0;
	cr_assert(survived || r.code == EXIT_BUG_CODE, "run ended with %d: %s", r.code,
	          r.err.ptr);
	ran_release(&r);
	testbed_collect(s);
	return survived;
}

/* Runs as cron would, until one survives; returns how many died. */
static unsigned deaths(struct testbed *s, const char *poison)
{
	unsigned n = 0;

	while (!run_survives(s, poison))
		cr_assert_lt(++n, (unsigned)MOST_RUNS, "it dies again and again");
	return n;
}

static void expect_nothing_in_flight(struct testbed *s)
{
	struct ran r;

	testbed_do(s, "doctor", NULL, &r);
	cr_assert_null(strstr(r.out.ptr, "in flight"), "%s", r.out.ptr);
	ran_release(&r);
}

/* ---- mails ---- */

/* Code in it tries what mail/child/break_out.c lists, beside a run that has key and database open. */
Test(poison, that_takes_over_the_process_that_reads_it_gets_at_nothing, .timeout = 60)
{
	struct testbed *s = testbed_new("taken over");
	char *key = testbed_path(s, "molepost.key"), *db = testbed_path(s, "molepost.db");
	struct strbuf header = STRBUF_INIT;

	testbed_without_rights(s);
	strbuf_addf(&header, "X-Molepost-Test-Child: break-out %s %s %s 1 %ld\n", key, db,
	            s->dir, (long)getpid());
	testbed_mail(s, &(struct mail_written){
			    .who = "eve", .more_header = header.ptr, .text = "hello\n"});
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "W1"));
	expect_sound(s);
	free(key);
	free(db);
	strbuf_release(&header);
	testbed_free(s);
}

/* What the child says in the place of an answer; the mail itself says "hello". */
static void mail_of_liar(struct testbed *s, const struct mail_in *lie, size_t at,
                         unsigned char with)
{
	struct strbuf packet = STRBUF_INIT, header = STRBUF_INIT;

	packet_add_result(&packet, lie);
	if (at >= PACKET_HEAD && at < packet.len)
		packet.ptr[at] = (char)with;
	strbuf_adds(&header, "X-Molepost-Test-Child: say ");
	for (size_t i = 0; i < packet.len; i++)
		strbuf_addf(&header, "%02x", (unsigned char)packet.ptr[i]);
	strbuf_addc(&header, '\n');
	testbed_mail(s, &(struct mail_written){
			    .who = "eve", .more_header = header.ptr, .text = "hello\n"});
	strbuf_release(&packet);
	strbuf_release(&header);
}

/* Whoever takes the child over can say in that mail what its sender could have written into it. */
Test(poison, that_takes_over_the_process_that_reads_it_changes_its_own_words_and_nothing_else)
{
	struct testbed *s = testbed_new("lies");
	struct mail_text text = {
	    SPAN_LIT("create whakka mole players 2\nset fallback bot\nvote pause\n"), false};
	struct mail_in lie = {.from = SPAN_LIT("ann@example.net"),
	                      .auth_results = SPAN_LIT("mx; dmarc=pass"),
	                      .flags = MAIL_CHARSET_GUESSED,
	                      .subject = SPAN_LIT("list"),
	                      .report = {.kind = MAIL_REPORT_NONE},
	                      .texts = &text,
	                      .ntexts = 1};
	static const unsigned char with[] = {0x00, 0x01, 0x02, 0x7f, 0xff};
	struct strbuf packet = STRBUF_INIT;

	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	mail_of_liar(s, &lie, 0, 0);
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "eve")->text, "W2"));
	packet_add_result(&packet, &lie);
	size_t len = packet.len;
	for (size_t i = 0; i < 24; i++)
		mail_of_liar(s, &lie, PACKET_HEAD + i * 4 % len, with[i % sizeof(with)]);
	size_t before = s->nposts;
	testbed_run(s); /* which ends as it should, or this test does */
	testbed_collect(s);
	for (size_t i = before; i < s->nposts; i++)
		cr_expect_str_eq(s->posts[i]->who, "eve");
	testbed_reply(s, "ann", "resign");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "W1"));
	expect_sound(s);
	strbuf_release(&packet);
	testbed_free(s);
}

Test(poison, is_read_by_a_process_that_was_there_before_the_keys)
{
	struct testbed *s = testbed_new("order of opening");
	struct strbuf opened = STRBUF_INIT;

	opened_by_run(s, &opened);
	cr_expect(strstr(opened.ptr, "program config key database"), "nothing to read: %s",
	          opened.ptr);
	testbed_write(s, "ann", "create whakka mole players 2");
	strbuf_clear(&opened);
	opened_by_run(s, &opened);
	cr_expect(strstr(opened.ptr, "program config program key database"), "%s", opened.ptr);
	cr_expect(strstr(testbed_last(s, "ann")->text, "W1"));
	strbuf_release(&opened);
	testbed_free(s);
}

/* Mails 0 to 6 of seven people; the one with the Message-ID <m3@...> kills. */
static struct testbed *testbed_with_poisoned_mail(void)
{
	struct testbed *s = testbed_new("poison");

	for (const char *const *who = (const char *const[]){"ann", "bob", "cleo", "dag", "edda",
	                                                    "faro", "gus", NULL};
	     *who; who++)
		testbed_write(s, *who, "create whakka mole players 2");
	return s;
}

static const char mail_poison[] = "MOLEPOST_TEST_ABORT_ON=<m3@mua.example.net>";

Test(poison, a_mail_that_always_kills_is_set_aside_and_the_others_are_dealt_with)
{
	struct testbed *s = testbed_with_poisoned_mail();

	cr_assert_eq(deaths(s, mail_poison), 4); /* the batch, then three times alone */
	cr_assert_eq(files_in(s, "mail/new"), 0);
	cr_assert_eq(files_in(s, "mail/cur"), 7);
	cr_assert_eq(s->nposts, 6);
	for (size_t i = 0; i < s->nposts; i++)
		cr_assert_str_neq(s->posts[i]->who, "dag");
	expect(s, "why m3@mua.example.net", 0, "quarantined");
	expect(s, "doctor", 65, "1 mail was set aside");
	expect(s, "doctor", 65, "molepost why '<m3@mua.example.net>'");
	expect_nothing_in_flight(s);
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

Test(poison, new_mail_in_every_run_does_not_hide_the_one_that_kills)
{
	struct testbed *s = testbed_with_poisoned_mail();
	unsigned n = 0;

	while (!run_survives(s, mail_poison)) {
		cr_assert_lt(++n, (unsigned)MOST_RUNS);
		testbed_wait(s, 300);
		testbed_write(s, "hedy", "list");
	}
	cr_assert_eq(n, 4);
	cr_assert_eq(files_in(s, "mail/new"), 0);
	testbed_free(s);
}

Test(poison, mail_that_sorts_before_the_killer_does_not_reset_its_count)
{
	struct testbed *s = testbed_with_poisoned_mail();
	unsigned n = 0;

	while (!run_survives(s, mail_poison)) {
		struct strbuf raw = STRBUF_INIT, name = STRBUF_INIT;

		cr_assert_lt(++n, (unsigned)MOST_RUNS);
		testbed_compose(s, &(struct mail_written){.who = "hedy", .text = "list"}, &raw);
		strbuf_addf(&name, "0.%u.early", n);
		testbed_drop(s, name.ptr, strbuf_span(&raw), s->now_utc - 1000);
		strbuf_release(&raw);
		strbuf_release(&name);
	}
	cr_assert_eq(n, 4);
	testbed_free(s);
}

Test(poison, a_mail_whose_form_kills_its_maker_is_given_up_and_the_others_leave)
{
	struct testbed *s = testbed_with_poisoned_mail();
	size_t n = s->nposts;

	cr_assert_eq(deaths(s, "MOLEPOST_TEST_ABORT_ON=leaving/3"), 6);
	cr_assert_eq(s->nposts, n + 6, "all but one, each once: %zu", s->nposts - n);
	cr_assert_eq(testbed_run(s), 0);
	expect_nothing_in_flight(s);
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

Test(poison, a_lone_mail_that_kills_is_set_aside_as_well)
{
	struct testbed *s = testbed_new("lone");

	testbed_write(s, "ann", "list");
	cr_assert_eq(deaths(s, "MOLEPOST_TEST_ABORT_ON=<m0@mua.example.net>"), 3);
	cr_assert_eq(s->nposts, 0);
	expect(s, "why m0@mua.example.net", 0, "quarantined");
	testbed_free(s);
}

Test(poison, a_mail_may_kill_twice_and_is_then_dealt_with_if_the_fault_is_mended)
{
	struct testbed *s = testbed_with_poisoned_mail();

	cr_assert_not(run_survives(s, mail_poison));
	cr_assert_not(run_survives(s, mail_poison));
	cr_assert(run_survives(s, "MOLEPOST_TEST_ABORT_ON=nothing"));
	cr_assert_eq(s->nposts, 7);
	expect_code(s, "doctor", 0);
	testbed_free(s);
}

/* ---- turns ---- */

static const char turn_poison[] = "MOLEPOST_TEST_ABORT_ON=W2/1";

/* Three games whose first turn is due for resolving; the second one's kills. */
static struct testbed *testbed_with_poisoned_turn(void)
{
	struct testbed *s = testbed_new("poison");

	table_begin(s, "ann bob");
	table_begin(s, "cleo dag");
	table_begin(s, "edda faro");
	table_order(s, "ann bob cleo dag edda faro");
	return s;
}

static void expect_only_w2_held(struct testbed *s)
{
	expect(s, "game show W1", 0, "serial 2 is open");
	expect(s, "game show W2", 0, "HELD by server");
	expect(s, "game show W3", 0, "serial 2 is open");
	expect(s, "doctor", 65, "molepost game resume W2");
	expect_nothing_in_flight(s);
	expect_code(s, "fsck", 0);
}

Test(poison, a_turn_that_always_kills_is_held_and_the_other_games_go_on)
{
	struct testbed *s = testbed_with_poisoned_turn();

	cr_assert_eq(deaths(s, turn_poison), 4);
	expect_only_w2_held(s);
	/* The fault is mended, the operator resumes. */
	expect_code(s, "game resume W2", 0);
	testbed_run(s);
	expect(s, "game show W2", 0, "serial 2 is open");
	expect_code(s, "doctor", 0);
	testbed_free(s);
}

Test(poison, mail_and_other_games_in_every_run_do_not_hide_the_turn_that_kills)
{
	struct testbed *s = testbed_with_poisoned_turn();
	unsigned n = 0;

	while (!run_survives(s, turn_poison)) {
		cr_assert_lt(++n, (unsigned)MOST_RUNS);
		testbed_wait(s, 300);
		testbed_write(s, "hedy", "create whakka mole players 3 bots 2");
	}
	cr_assert_eq(n, 4);
	expect_only_w2_held(s);
	testbed_free(s);
}

Test(poison, orders_for_the_held_game_are_still_taken)
{
	struct testbed *s = testbed_with_poisoned_turn();

	deaths(s, turn_poison);
	testbed_reply(s, "cleo", "popup 4");
	testbed_run(s);
	cr_assert_not_null(testbed_last(s, "cleo"));
	expect(s, "game show W2", 0, "HELD");
	testbed_free(s);
}

/* ---- chance ---- */

/* Killed once at every durable boundary of a run: whatever was in hand, nothing is condemned. */
Test(poison, one_random_kill_condemns_nothing, .timeout = 600)
{
	struct testbed *start = testbed_with_poisoned_turn();
	unsigned kills = 0;

	testbed_write(start, "gus", "list");
	for (unsigned n = 1;; n += 2) {
		struct testbed *s = testbed_clone(start);
		char stop[64];
		struct ran r;

		snprintf(stop, sizeof(stop), "MOLEPOST_TEST_STOP_AT=%u", n);
		testbed_do(s, "run", (const char *const[]){stop, NULL}, &r);
		kills += r.signal != 0;
		testbed_collect(s);
		testbed_settle(s);
		expect_code(s, "doctor", 0);
		expect(s, "game show W2", 0, "serial 2 is open");
		bool over = r.signal == 0;
		ran_release(&r);
		testbed_free(s);
		if (over)
			break;
	}
	cr_assert_gt(kills, 5u);
	testbed_free(start);
}

/* ---- mails that cannot be dealt with, in a transaction of many ---- */

/* Whoever looks at these games finds a position that does not match its digest. */
static void damage(struct testbed *s)
{
	crowd_sql(s, "UPDATE results SET sealed_state = x'00' WHERE game IN (7, 590)");
}

Test(poison, mails_of_damaged_games_are_set_aside_among_a_thousand_others)
{
	enum { GAMES = 700, MAILS = 2 * GAMES, DAMAGED = 4 };
	struct testbed *s = testbed_new(NULL);
	struct ran r;

	crowd_games(s, GAMES);
	crowd_mails(s, GAMES, MAILS, programs_add_lean);
	damage(s);
	testbed_do(s, "run --no-send", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	cr_assert(strstr(r.err.ptr, "is set aside"), "%s", r.err.ptr);
	ran_release(&r);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM orders"), MAILS - DAMAGED);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM quarantine"), DAMAGED);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM inbox"), MAILS);
	cr_assert_eq(crowd_number(s, "SELECT (SELECT count(*) FROM outbox_messages)"
	                             " + (SELECT count(*) FROM outbox_outlines)"),
	             crowd_number(s, "SELECT count(*) FROM outbox"));
	/* Nothing is left, and nothing comes twice. */
	crowd_run(s);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM inbox"), MAILS);
	expect_nothing_in_flight(s);
	testbed_free(s);
}
