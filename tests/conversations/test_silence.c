/*
 * test_silence.c - somebody who watches and never writes again: after sixty mails one more says that it is the last,
 * and no more is sent until they write.
 */
#include <criterion/criterion.h>
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
