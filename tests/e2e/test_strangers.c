/*
 * test_strangers.c - floods of mails whose From address nobody has proved, at a server that wants
 * addresses confirmed.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/table.h"

static struct testbed *testbed_that_asks(void)
{
	struct testbed *s;

	testbed_use_memory();
	s = testbed_new("strangers");
	testbed_configure(s, "unknown_senders = confirm");
	testbed_configure(s, "known_senders = confirm");
	return s;
}

static void write_from(struct testbed *s, const char *who, const char *domain, unsigned n,
                       const char *text)
{
	struct strbuf from = STRBUF_INIT;

	strbuf_addf(&from, "%s%u@%s", who, n, domain);
	testbed_write(s, from.ptr, text);
	strbuf_release(&from);
}

/* All mails that went out, to addresses that end so. */
static unsigned mails_to(struct testbed *s, const char *end)
{
	unsigned n = 0;

	testbed_collect(s);
	for (size_t i = 0; i < s->nposts; i++) {
		size_t len = strlen(s->posts[i]->who), tail = strlen(end);

		n += len >= tail && strcmp(s->posts[i]->who + len - tail, end) == 0;
	}
	return n;
}

/* Ann has answered a welcome: she is no stranger any more, and has a game. */
static void ann_plays(struct testbed *s)
{
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_write(s, "bob", "join W1 as Bob");
	testbed_run(s);
	testbed_reply(s, "ann", "yes");
	testbed_reply(s, "bob", "yes");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 1 is open");
}

Test(strangers, who_create_300_games_under_one_address_send_it_three_mails, .timeout = 120)
{
	static const char *const kinds[] = {"whakka mole", "mole park", "mole",
	                                    "mole majority"};
	struct testbed *s = testbed_that_asks();

	for (unsigned i = 0; i < 300; i++) {
		char text[100];

		snprintf(text, sizeof(text), "create %s players %u next %uD", kinds[i % 4],
		         2 + i % 3, 1 + i % 7);
		testbed_write(s, "victim", text);
		if (i % 50 == 0)
			testbed_run_noting(s);
	}
	testbed_run_noting(s);
	cr_expect_leq(mails_to(s, "victim"), 3);
	for (size_t i = 0; i < s->nposts && mails_to(s, "victim") > 3; i++)
		printf("%s\n", s->posts[i]->subject);
	cr_expect_geq(mails_to(s, "victim"), 1);
	char *games = output_of(s, "game list");
	cr_expect_null(strstr(games, "W3"), "%s", games);
	free(games);
	expect_sound(s);
	testbed_free(s);
}

Test(strangers, of_one_domain_share_what_it_is_answered, .timeout = 120)
{
	struct testbed *s = testbed_that_asks();

	ann_plays(s);
	for (unsigned i = 0; i < 500; i++)
		write_from(s, "u", "flood.example.com", i,
		           i % 2 ? "create whakka mole players 2" : "help");
	testbed_run_noting(s);
	cr_expect_eq(mails_to(s, "flood.example.com"), 50);
	write_from(s, "u", "other.example.com", 1, "help");
	cr_expect_eq(testbed_run(s), 1, "another domain");
	/* Who is known does not notice. */
	testbed_reply_to(s, "ann", testbed_find(s, "ann", "turn 1"), "popup 3\nwhack 5");
	testbed_write(s, "ann", "list");
	cr_expect_eq(testbed_run(s), 2);
	expect(s, "doctor", 0, "were held back today");
	expect_sound(s);
	testbed_free(s);
}

Test(strangers, all_together_have_a_limit_too, .timeout = 120)
{
	struct testbed *s = testbed_that_asks();
	struct ran r;

	testbed_configure(s, "answers_per_day = 7");
	for (unsigned i = 0; i < 60; i++) {
		char domain[40];

		snprintf(domain, sizeof(domain), "d%u.example.com", i);
		write_from(s, "u", domain, i, "create mole park players 2");
	}
	const char *const words[] = {"-v", "run", NULL};
	testbed_exec(s, words, NULL, &r);
	cr_expect_eq(r.code, 0);
	cr_expect(strstr(r.err.ptr, "39 answers were held back"), "%s", r.err.ptr);
	ran_release(&r);
	cr_expect_eq(mails_to(s, "example.com"), 21);
	testbed_wait(s, 25 * 3600);
	write_from(s, "u", "late.example.com", 1, "help");
	cr_expect_eq(testbed_run(s), 1, "tomorrow is another day");
	testbed_free(s);
}

static const char *list_for(struct testbed *s, const char *who, const char *text)
{
	testbed_wait(s, 60);
	testbed_write(s, who, text);
	testbed_run(s);
	return testbed_last(s, who)->text;
}

Test(strangers, make_nothing_public_before_their_yes)
{
	struct testbed *s = testbed_that_asks();

	ann_plays(s);
	testbed_write(s, "spammer", "join mole park as BuyNow");
	testbed_run(s);
	const struct post *welcome = testbed_last(s, "spammer");
	cr_expect_null(strstr(list_for(s, "ann", "list"), "P2"));
	cr_expect(strstr(list_for(s, "ann", "list P2"), "There is no game P2 here"), "%s",
	          testbed_last(s, "ann")->text);
	cr_expect(strstr(list_for(s, "spammer", "list P2"), "P2"), "his own");
	/* A seat in a game of others shows no name either. */
	testbed_reply_to(s, "ann", testbed_find(s, "ann", "turn 1"),
	                 "create mole park players 3 next 2D");
	testbed_run(s);
	testbed_write(s, "second", "join P3 as BuyMore");
	size_t mails = testbed_run(s);
	cr_expect_eq(mails, 1, "nobody else is written to");
	cr_expect_null(strstr(list_for(s, "bob", "list P3"), "BuyMore"));
	cr_expect(strstr(list_for(s, "bob", "list P3"), "(not confirmed yet)"), "%s",
	          testbed_last(s, "bob")->text);
	/* With his word he is one of them. */
	testbed_reply_to(s, "spammer", welcome, "yes");
	testbed_run(s);
	cr_expect(strstr(list_for(s, "ann", "list"), "P2"));
	cr_expect(strstr(list_for(s, "ann", "list P2"), "BuyNow"));
	expect_sound(s);
	testbed_free(s);
}

/* JOIN and a kind leads past what nobody stands behind. */
Test(strangers, do_not_lead_others_into_their_games)
{
	struct testbed *s = testbed_that_asks();

	testbed_write(s, "spammer", "create whakka mole players 2");
	testbed_run(s);
	testbed_write(s, "ann", "join whakka mole");
	testbed_run(s);
	expect(s, "game show W2", 0, "ann");
	testbed_free(s);
}
