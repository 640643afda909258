/*
 * test_silence.c - somebody who watches and never writes again: after sixty mails one more says that it is the last,
 * and no more is sent until they write.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600, MOST = 60 };

static unsigned mails_to(const struct testbed *s, const char *who)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0;
	return n;
}

static void play_turns(struct testbed *s, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		testbed_wait(s, DAY_S / 2);
		table_order(s, "ann bob");
		testbed_run(s);
	}
}

static struct testbed *eve_watches(void)
{
	struct testbed *s;

	scratch_in_memory();
	s = table_of_two("silence",
	                 "create whakka mole players 2 target=999 turns=200 next 1D");
	testbed_write(s, "eve", "observe W1");
	testbed_run(s);
	return s;
}

Test(silence, ends_mail_after_sixty_and_a_word_brings_it_back)
{
	struct testbed *s = eve_watches();
	unsigned before, heard;

	play_turns(s, MOST + 8);
	const struct post *last = testbed_find(s, "eve", "nothing more until you write");
	cr_assert_not_null(last);
	cr_assert(strstr(last->text, "We have sent you 60 mails and heard nothing"), "%s",
	          last->text);
	heard = mails_to(s, "eve");
	cr_expect_leq(heard, MOST + 8);
	play_turns(s, 4);
	cr_expect_eq(mails_to(s, "eve"), heard, "nothing more goes to her");
	cr_expect(!testbed_find(s, "ann", "nothing more"), "who plays is heard of");
	testbed_write(s, "eve", "status W1");
	before = mails_to(s, "eve");
	testbed_run(s);
	cr_expect_geq(mails_to(s, "eve"), before + 2, "she is answered");
	cr_expect_not_null(testbed_find(s, "eve", "good to hear from you"));
	play_turns(s, 3);
	cr_expect_geq(mails_to(s, "eve"), before + 5, "and the reports come again");
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

Test(silence, of_one_who_writes_now_and_then_is_none)
{
	struct testbed *s = eve_watches();

	play_turns(s, MOST - 5);
	testbed_write(s, "eve", "status W1");
	testbed_run(s);
	play_turns(s, MOST - 10);
	cr_expect(!testbed_find(s, "eve", "nothing more"));
	testbed_free(s);
}

static unsigned notices(const struct testbed *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += !s->posts[i]->again &&
		     strcmp(s->posts[i]->subject, "nothing more until you write") == 0;
	return n;
}

/* The run that writes the last mail, and the one a day later that ends them, are killed wherever they can be. */
Test(silence, is_noted_once_wherever_a_run_is_killed, .timeout = 600)
{
	struct testbed *before = eve_watches();

	while (mails_to(before, "eve") < MOST)
		play_turns(before, 1);
	cr_assert_eq(notices(before), 0);
	for (int day = 0; day < 2; day++) {
		testbed_wait(before, DAY_S);
		table_order(before, "ann bob");
		for (unsigned at = 1;; at++) {
			struct testbed *s = testbed_clone(before);
			char step[40];
			struct ran r;

			(void)snprintf(step, sizeof(step), "MOLEPOST_TEST_STOP_AT=%u", at);
			testbed_do(s, "run", (const char *const[]){step, NULL}, &r);
			bool killed = r.code != 0;
			ran_release(&r);
			testbed_run_noting(s);
			cr_expect_eq(notices(s), 1, "day %d, killed at step %u", day, at);
			testbed_free(s);
			if (!killed)
				break;
		}
		testbed_run_noting(before);
	}
	unsigned heard = mails_to(before, "eve");
	play_turns(before, 2);
	cr_expect_eq(mails_to(before, "eve"), heard);
	testbed_free(before);
}

/* Outlook puts our mail below the answer without a mark. */
Test(silence, ends_by_an_answer_above_the_whole_mail)
{
	struct testbed *s = eve_watches();
	struct strbuf answer = STRBUF_INIT;

	play_turns(s, MOST + 8);
	const struct post *last = testbed_find(s, "eve", "nothing more until you write");
	cr_assert_not_null(last);
	strbuf_addf(&answer,
	            "I am still here!\n\nFrom: moles@example.org\nSent: Monday, April 6, 2026 "
	            "9:00 AM\nTo: eve <eve@example.net>\nSubject: %s\n\n%s",
	            last->subject, last->text);
	testbed_reply_to(s, "eve", last, answer.ptr);
	testbed_run(s);
	last = testbed_last(s, "eve");
	cr_expect_str_eq(last->subject, "good to hear from you", "%s", last->subject);
	strbuf_release(&answer);
	testbed_free(s);
}
