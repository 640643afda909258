/*
 * test_strangers.c - floods of mails whose From address nobody has proved, at a server that wants
 * addresses confirmed.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/table.h"

static struct site *site_that_asks(void)
{
	struct site *s;

	site_use_memory();
	s = site_new("strangers");
	site_configure(s, "unknown_senders = confirm");
	site_configure(s, "known_senders = confirm");
	return s;
}

static void write_from(struct site *s, const char *who, const char *domain, unsigned n,
                       const char *text)
{
	struct strbuf from = STRBUF_INIT;

	strbuf_addf(&from, "%s%u@%s", who, n, domain);
	site_write(s, from.ptr, text);
	strbuf_release(&from);
}

/* All mails that went out, to addresses that end so. */
static unsigned mails_to(struct site *s, const char *end)
{
	unsigned n = 0;

	site_collect(s);
	for (size_t i = 0; i < s->nposts; i++) {
		size_t len = strlen(s->posts[i]->who), tail = strlen(end);

		n += len >= tail && strcmp(s->posts[i]->who + len - tail, end) == 0;
	}
	return n;
}

/* Ann has answered a welcome: she is no stranger any more, and has a game. */
static void ann_plays(struct site *s)
{
	site_write(s, "ann", "create whakka mole players 2");
	site_write(s, "bob", "join W1 as Bob");
	site_run(s);
	site_reply(s, "ann", "yes");
	site_reply(s, "bob", "yes");
	site_run(s);
	expect(s, "game show W1", 0, "serial 1 is open");
}

Test(strangers, who_create_300_games_under_one_address_send_it_three_mails, .timeout = 120)
{
	static const char *const kinds[] = {"whakka mole", "mole park", "mole",
	                                    "mole majority"};
	struct site *s = site_that_asks();

	for (unsigned i = 0; i < 300; i++) {
		char text[100];

		snprintf(text, sizeof(text), "create %s players %u next %uD", kinds[i % 4],
		         2 + i % 3, 1 + i % 7);
		site_write(s, "victim", text);
		if (i % 50 == 0)
			site_run_noting(s);
	}
	site_run_noting(s);
	cr_expect_leq(mails_to(s, "victim"), 3);
	for (size_t i = 0; i < s->nposts && mails_to(s, "victim") > 3; i++)
		printf("%s\n", s->posts[i]->subject);
	cr_expect_geq(mails_to(s, "victim"), 1);
	char *games = output_of(s, "game list");
	cr_expect_null(strstr(games, "W3"), "%s", games);
	free(games);
	expect_sound(s);
	site_free(s);
}

Test(strangers, of_one_domain_share_what_it_is_answered, .timeout = 120)
{
	struct site *s = site_that_asks();

	ann_plays(s);
	for (unsigned i = 0; i < 500; i++)
		write_from(s, "u", "flood.example.com", i,
		           i % 2 ? "create whakka mole players 2" : "help");
	site_run_noting(s);
	cr_expect_eq(mails_to(s, "flood.example.com"), 50);
	write_from(s, "u", "other.example.com", 1, "help");
	cr_expect_eq(site_run(s), 1, "another domain");
	/* Who is known does not notice. */
	site_reply_to(s, "ann", site_find(s, "ann", "turn 1"), "popup 3\nwhack 5");
	site_write(s, "ann", "list");
	cr_expect_eq(site_run(s), 2);
	expect(s, "doctor", 0, "mails of strangers got no answer today");
	expect_sound(s);
	site_free(s);
}

Test(strangers, all_together_have_a_limit_too, .timeout = 120)
{
	struct site *s = site_that_asks();
	struct ran r;

	site_configure(s, "answers_to_strangers = 20");
	for (unsigned i = 0; i < 60; i++) {
		char domain[40];

		snprintf(domain, sizeof(domain), "d%u.example.com", i);
		write_from(s, "u", domain, i, "create mole park players 2");
	}
	const char *const words[] = {"-v", "run", NULL};
	site_exec(s, words, NULL, &r);
	cr_expect_eq(r.code, 0);
	cr_expect(strstr(r.err.ptr, "40 mails of strangers got no answer"), "%s", r.err.ptr);
	ran_release(&r);
	cr_expect_eq(mails_to(s, "example.com"), 20);
	site_wait(s, 25 * 3600);
	write_from(s, "u", "late.example.com", 1, "help");
	cr_expect_eq(site_run(s), 1, "tomorrow is another day");
	site_free(s);
}

static const char *list_for(struct site *s, const char *who, const char *text)
{
	site_wait(s, 60);
	site_write(s, who, text);
	site_run(s);
	return site_last(s, who)->text;
}

Test(strangers, make_nothing_public_before_their_yes)
{
	struct site *s = site_that_asks();

	ann_plays(s);
	site_write(s, "spammer", "join mole park as BuyNow");
	site_run(s);
	const struct post *welcome = site_last(s, "spammer");
	cr_expect_null(strstr(list_for(s, "ann", "list"), "P2"));
	cr_expect(strstr(list_for(s, "ann", "list P2"), "There is no game P2 here"), "%s",
	          site_last(s, "ann")->text);
	cr_expect(strstr(list_for(s, "spammer", "list P2"), "P2"), "his own");
	/* A seat in a game of others shows no name either. */
	site_reply_to(s, "ann", site_find(s, "ann", "turn 1"),
	              "create mole park players 3 next 2D");
	site_run(s);
	site_write(s, "second", "join P3 as BuyMore");
	size_t mails = site_run(s);
	cr_expect_eq(mails, 1, "nobody else is written to");
	cr_expect_null(strstr(list_for(s, "bob", "list P3"), "BuyMore"));
	cr_expect(strstr(list_for(s, "bob", "list P3"), "(not confirmed yet)"), "%s",
	          site_last(s, "bob")->text);
	/* With his word he is one of them. */
	site_reply_to(s, "spammer", welcome, "yes");
	site_run(s);
	cr_expect(strstr(list_for(s, "ann", "list"), "P2"));
	cr_expect(strstr(list_for(s, "ann", "list P2"), "BuyNow"));
	expect_sound(s);
	site_free(s);
}

/* JOIN and a kind leads past what nobody stands behind. */
Test(strangers, do_not_lead_others_into_their_games)
{
	struct site *s = site_that_asks();

	site_write(s, "spammer", "create whakka mole players 2");
	site_run(s);
	site_write(s, "ann", "join whakka mole");
	site_run(s);
	expect(s, "game show W2", 0, "ann");
	site_free(s);
}
