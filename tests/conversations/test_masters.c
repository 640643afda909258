/*
 * test_masters.c - a master is told nothing that others may not know.
 *
 * Whatever a master asks for or does, with a seat or without one: orders of an open turn,
 * orders of turns that were taken back, and what a player alone may know of the position stand
 * in no mail to the master before they are everybody's to know.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/strbuf.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

static void run(struct testbed *s)
{
	testbed_wait(s, 60);
	testbed_run(s);
}

/* The mails to somebody from the n-th post on, one after another. */
static void collect(const struct testbed *s, size_t from, const char *who, struct strbuf *out)
{
	for (size_t i = from; i < s->nposts; i++)
		if (strcmp(s->posts[i]->who, who) == 0)
			strbuf_addf(out, "%s\n%s\n%s\n", s->posts[i]->subject,
			            s->posts[i]->text,
			            s->posts[i]->record ? s->posts[i]->record : "");
}

static void expect_without(const struct testbed *s, size_t from, const char *who,
                           const char *secret)
{
	struct strbuf all = STRBUF_INIT;

	collect(s, from, who, &all);
	cr_assert_gt(all.len, 0, "%s has had no mail", who);
	cr_expect_eq(strstr(all.ptr, secret), NULL, "%s has read %s:\n%s", who, secret,
	             all.ptr);
	strbuf_release(&all);
}

static void found(struct testbed *s, const char *create, bool plays)
{
	testbed_write(s, "ann", create);
	run(s);
	testbed_write(s, "bob", "join w1");
	testbed_write(s, "cy", "join w1");
	if (!plays)
		testbed_write(s, "dan", "join w1");
	run(s);
}

/* What a master may do while the orders of others lie there under seal. */
static const char *const deeds[] = {"status",        "list w1",  "summary w1", "history w1",
                                    "archive w1",    "pause",    "status",     "resume",
                                    "official: all", "status w1"};

static void do_everything(struct testbed *s)
{
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		testbed_reply(s, "ann", deeds[i]);
		run(s);
	}
	testbed_write(s, "ann", "status w1");
	run(s);
}

/* Alone, if she plays too. */
static void command(struct testbed *s, const char *line, bool alone, bool asked)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, alone ? "%s unrated" : "%s", line);
	testbed_reply(s, "ann", text.ptr);
	run(s);
	if (asked) {
		testbed_reply(s, "ann", "yes");
		run(s);
	}
	strbuf_release(&text);
}

static void rule_blindly(const char *create, bool plays)
{
	struct testbed *s = testbed_new("masters");

	found(s, create, plays);
	size_t from = s->nposts;
	testbed_reply(s, "bob", "popup 8 9; whack 3");
	testbed_reply(s, "cy", "resign");
	run(s);
	do_everything(s);
	command(s, "rollback 0", plays, true);
	do_everything(s);
	expect_without(s, from, "ann", "POPUP 8 9");
	expect_without(s, from, "ann", "left the game");
	command(s, "process 1", plays, plays);
	run(s);
	expect_without(s, from, "ann", "POPUP 8 9");
	command(s, "terminate", plays, true);
	struct strbuf end = STRBUF_INIT;
	collect(s, from, "ann", &end);
	cr_expect_neq(strstr(end.ptr, "revealed closed"), NULL);
	cr_expect_neq(strstr(end.ptr, "POPUP 8 9"), NULL, "the record opens them at the end");
	strbuf_release(&end);
	testbed_free(s);
}

Test(masters, a_master_who_plays_reads_no_orders_of_others_before_their_time)
{
	scratch_in_memory();
	rule_blindly("create whakka mole players 3 target=20", true);
}

Test(masters, a_master_without_a_seat_reads_no_orders_before_their_time)
{
	scratch_in_memory();
	rule_blindly("create whakka mole players 3 target=20 master", false);
}

Test(masters, nobody_is_written_to_more_than_twenty_times_a_day_by_a_master)
{
	struct testbed *s;
	unsigned heard = 0;

	scratch_in_memory();
	s = testbed_new("masters");
	found(s, "create whakka mole players 3", true);
	for (unsigned i = 0; i < 23; i++) {
		testbed_reply(s, "ann", "official: once more");
		run(s);
	}
	for (size_t i = 0; i < s->nposts; i++)
		heard += strcmp(s->posts[i]->who, "bob") == 0 &&
		         strstr(s->posts[i]->subject, "a message from the game master") != NULL;
	cr_expect_eq(heard, 20);
	cr_expect_neq(strstr(testbed_last(s, "ann")->text, "Please wait until tomorrow"), NULL);
	testbed_wait(s, 24 * 3600);
	testbed_reply(s, "ann", "official: a new day");
	run(s);
	cr_expect_neq(testbed_find(s, "bob", "a message from the game master"), NULL);
	cr_expect_neq(strstr(testbed_last(s, "bob")->text, "a new day"), NULL);
	testbed_free(s);
}

static int64_t processed(const struct testbed *s)
{
	return crowd_number(s, "SELECT count(*) FROM audit WHERE what LIKE 'ended turn 1 %'");
}

Test(masters, what_was_agreed_to_by_who_is_left_is_done_when_it_is_asked_again)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("masters");
	testbed_write(s, "ann", "create whakka mole players 4");
	run(s);
	testbed_write(s, "bob", "join w1");
	testbed_write(s, "cy", "join w1");
	testbed_write(s, "dan", "join w1");
	run(s);
	testbed_reply(s, "ann", "process 1");
	run(s);
	testbed_reply(s, "bob", "yes");
	run(s);
	testbed_reply(s, "ann", "process 1");
	run(s);
	cr_expect_neq(strstr(testbed_last(s, "ann")->text, "1 of 3 has said yes"), NULL, "%s",
	              testbed_last(s, "ann")->text);
	cr_expect_eq(processed(s), 0);
	command(s, "eject cy", true, true);
	command(s, "eject dan", true, true);
	cr_expect_eq(processed(s), 0);
	testbed_reply(s, "ann", "process 1");
	run(s);
	cr_expect_eq(processed(s), 1, "%s", testbed_last(s, "ann")->text);
	expect_sound(s);
	testbed_free(s);
}

static void write_and_run(struct testbed *s, const char *text)
{
	testbed_reply(s, "ann", text);
	run(s);
	run(s);
}

Test(masters, who_proposes_one_thing_after_another_is_soon_heard_by_nobody)
{
	struct testbed *s;
	unsigned heard = 0;

	scratch_in_memory();
	s = testbed_new("masters");
	found(s, "create whakka mole players 3", true);
	for (unsigned i = 0; i < 10; i++) {
		testbed_reply(s, "bob", i % 2 == 0 ? "set concede 1" : "set concede 3");
		run(s);
		cr_expect_neq(strstr(testbed_last(s, "bob")->text, "Your vote is counted"),
		              NULL);
	}
	for (size_t i = 0; i < s->nposts; i++)
		heard += strcmp(s->posts[i]->who, "cy") == 0 &&
		         strstr(s->posts[i]->subject, "a vote, ") != NULL;
	cr_expect_eq(heard, 6);
	testbed_free(s);
}

/* Alone against the server: a turn, another, back to the first, on from there, and a draw. */
static void go_back_in(const char *kind)
{
	struct testbed *s = testbed_new("back");
	struct strbuf create = STRBUF_INIT, record = STRBUF_INIT;
	/* What comes before turn 1 is a step of the set-up. */
	bool sets_up = strncmp(kind, "mole majority", 13) == 0;

	strbuf_addf(&create, "create %s players 2 bots 1", kind);
	testbed_write(s, "ann", create.ptr);
	run(s);
	write_and_run(s, "process 1");
	write_and_run(s, sets_up ? "process 1" : "process 2");
	write_and_run(s, sets_up ? "rollback 0" : "rollback 1");
	write_and_run(s, "yes");
	cr_expect_neq(testbed_find(s, "ann", "rolled back"), NULL, "%s", kind);
	write_and_run(s, sets_up ? "process 1" : "process 2");
	testbed_archive(s,
	                strncmp(kind, "mole park", 9) == 0       ? "P1"
	                : strncmp(kind, "mole majority", 9) == 0 ? "M1"
	                : strncmp(kind, "martian", 7) == 0       ? "B1"
	                                                         : "C1",
	                &record);
	cr_expect_eq(testbed_verify(s, strbuf_span(&record)), 0, "%s", kind);
	cr_expect_neq(strstr(record.ptr, "\ndropped "), NULL);
	write_and_run(s, "set draw");
	strbuf_clear(&record);
	collect(s, 0, "ann", &record);
	const char *end = strstr(record.ptr, "\nagreed 1 2\nwinners 1 2\n");
	cr_assert_not_null(end, "%s", kind);
	cr_expect_eq(
	    testbed_verify(s, span_of(strstr(record.ptr, "\n-----BEGIN MOLEPOST ARCHIVE") + 1)),
	    0, "%s", kind);
	expect_sound(s);
	strbuf_release(&create);
	strbuf_release(&record);
	testbed_free(s);
}

Test(masters, turns_are_taken_back_in_games_with_secrets_and_chance_too)
{
	scratch_in_memory();
	go_back_in("mole park");
	go_back_in("mole majority");
	go_back_in("martian boggle");
	go_back_in("mole");
}

/* The lines of what only the reader may know. */
static void own_lines(const char *text, struct strbuf *out)
{
	const char *at = strstr(text, "== For your eyes only ==");
	struct span rest, line;

	if (!at)
		return;
	rest = span_of(at);
	(void)span_next_line(&rest, &line);
	while (span_next_line(&rest, &line) && !span_starts(line, "== ") &&
	       !span_eq_str(line, "-- "))
		if (span_trim(line).len > 10)
			strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
}

/* Only what differs from player to player is a secret of one of them. */
static bool is_known_to(const struct testbed *s, const char *who, struct span line)
{
	struct strbuf all = STRBUF_INIT;

	collect(s, 0, who, &all);
	bool yes = span_find(strbuf_span(&all), line) < all.len;
	strbuf_release(&all);
	return yes;
}

static unsigned look_at(const struct testbed *s, const char *who, const char *other)
{
	struct strbuf secret = STRBUF_INIT;
	struct span rest, line;
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		if (strcmp(s->posts[i]->who, who) == 0)
			own_lines(s->posts[i]->text, &secret);
	rest = strbuf_span(&secret);
	while (span_next_line(&rest, &line)) {
		if (is_known_to(s, other, line))
			continue;
		n++;
		cr_expect_not(is_known_to(s, "ann", line), "ann knows of %s: %.*s", who,
		              SPAN_ARGS(line));
	}
	strbuf_release(&secret);
	return n;
}

Test(masters, a_master_without_a_seat_knows_no_more_of_the_position_than_everybody)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("masters");
	testbed_write(s, "ann", "create mole majority players 2 master");
	run(s);
	testbed_write(s, "bob", "join mole majority");
	testbed_write(s, "cy", "join mole majority");
	run(s);
	for (unsigned turn = 1; turn <= 4; turn++) {
		char process[32];
		testbed_reply(s, "ann", "status");
		testbed_reply(s, "ann", "history");
		testbed_reply(s, "bob", "status");
		testbed_reply(s, "cy", "status");
		run(s);
		snprintf(process, sizeof(process), "process %u", turn);
		testbed_reply(s, "ann", process);
		run(s);
		run(s);
	}
	cr_expect_gt(look_at(s, "bob", "cy"), 0, "bob has no secrets to look for");
	cr_expect_gt(look_at(s, "cy", "bob"), 0);
	testbed_free(s);
}

Test(masters, a_co_master_who_acts_alone_has_lost_the_game)
{
	struct strbuf archive = STRBUF_INIT;
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("co-master");
	table_begin(s, "ann bob cy");
	testbed_reply(s, "ann", "promote bob as co-master");
	testbed_run(s);
	testbed_reply_to(s, "bob", testbed_find(s, "bob", "[W1 turn 1]"), "process 1 unrated");
	testbed_run(s);
	cr_expect_not_null(testbed_find(s, "bob", "do you really want this?"));
	testbed_reply_to(s, "bob", testbed_find(s, "bob", "do you really"), "yes");
	testbed_run(s);
	testbed_wait(s, 3600);
	testbed_run(s);
	testbed_archive(s, "W1", &archive);
	cr_expect_not_null(strstr(archive.ptr, "bob acted alone as master"), "%s", archive.ptr);
	cr_expect_null(strstr(archive.ptr, "ann acted alone"));
	cr_expect_not_null(
	    strstr(archive.ptr, "co-master of the game, who plays as bob: ended"));
	cr_expect_eq(testbed_verify(s, strbuf_span(&archive)), 0);
	strbuf_release(&archive);
	expect_sound(s);
	testbed_free(s);
}
