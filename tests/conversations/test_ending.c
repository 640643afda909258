/*
 * test_ending.c - the last mail of a game: what it tells, and the files that come with it.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

#define DAY_S (24 * 3600)

static void turn(struct testbed *s, const char *ann, const char *bob)
{
	testbed_reply(s, "ann", ann);
	testbed_reply(s, "bob", bob);
	testbed_run(s);
}

/* ann and bob play two turns; cy sends nothing, so the seat is free after the first. */
static struct testbed *begun(const char *seed, const char *wishes)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new(seed);
	testbed_write(s, "ann",
	              "create whakka mole players 3 turns=2 next 1D grace none misses 1");
	testbed_run(s);
	testbed_write(s, "bob", "join w1");
	testbed_write(s, "cy", "join w1");
	testbed_run(s);
	turn(s, "popup 1 2 3; whack 9", "popup 4; whack 8");
	if (wishes)
		testbed_write(s, "bob", wishes);
	testbed_wait(s, DAY_S + 60);
	testbed_run(s);
	return s;
}

static void end(struct testbed *s)
{
	turn(s, "popup 1; whack 9", "popup 4; whack 9");
	testbed_wait(s, DAY_S + 60);
	testbed_run(s);
}

static const struct post *end_mail(const struct testbed *s, const char *who)
{
	for (size_t i = s->nposts; i-- > 0;)
		if (strcmp(s->posts[i]->who, who) == 0 && s->posts[i]->record)
			return s->posts[i];
	return NULL;
}

/* The page of `molepost replay --html` of the record that came with the mail. */
static void expect_page(struct testbed *s, const struct post *p)
{
	struct failure e = ERR_INIT;
	struct ran ran;
	char *record = testbed_path(s, "record.txt"), *page = testbed_path(s, "page.html");
	struct strbuf html = STRBUF_INIT;

	cr_assert_eq(file_create(record, span_of(p->record), &e), ERR_NONE);
	testbed_exec(s, (const char *const[]){"replay", "--html", page, record, NULL}, NULL,
	             &ran);
	cr_assert_eq(ran.code, 0, "%s", ran.err.ptr);
	cr_assert_eq(file_read(page, 1 << 22, &html, &e), ERR_NONE);
	cr_assert_gt(html.len, 1000);
	cr_expect_str_eq(p->page, html.ptr, "another page than that of replay --html");
	ran_release(&ran);
	err_release(&e);
	strbuf_release(&html);
	free(record);
	free(page);
}

Test(ending, one_mail_tells_all_and_brings_page_and_record)
{
	struct testbed *s = begun("ending", NULL);

	end(s);
	const struct post *p = end_mail(s, "ann");
	cr_assert_not_null(p);
	cr_expect_not_null(strstr(p->subject, "[W1] "));
	cr_expect_str_eq(p->files, "W1-replay.html\nW1-record.txt\n");
	cr_expect_eq(testbed_verify(s, span_of(p->record)), 0);
	expect_page(s, p);
	cr_expect_not_null(strstr(p->text, "== Highlights ==\n- "));
	cr_expect_not_null(strstr(p->text, "\n  | rematch\n"));
	cr_expect_not_null(strstr(p->text, "\n  | fork W1 at 1 bots 2\n"));
	cr_expect_not_null(end_mail(s, "bob"));
	cr_expect_null(testbed_find(s, NULL, "archive of the game"), "no mail of its own");
	testbed_reply(s, "ann", "fork W1 at 1 bots 2");
	testbed_run(s);
	cr_expect_not_null(
	    strstr(testbed_last(s, "ann")->text, "goes on from W1, after turn 1."),
	    "as offered, but: %s", testbed_last(s, "ann")->text);
	expect_sound(s);
	testbed_free(s);
}

Test(ending, who_lost_a_seat_hears_how_it_ended)
{
	struct testbed *s = begun("former", NULL);

	cr_assert_not_null(strstr(testbed_last(s, "cy")->subject, "vacant"), "%s",
	                   testbed_last(s, "cy")->subject);
	end(s);
	const struct post *p = end_mail(s, "cy");
	cr_assert_not_null(p);
	cr_expect_not_null(strstr(p->text, "You had a seat in this game."));
	cr_expect_null(strstr(p->text, "rematch"), "not for who left the others");
	cr_expect_not_null(strstr(p->text, "from 90 % to 87 %."));
	testbed_free(s);
}

/* The figures are those that WHO shows once the game is counted. */
Test(ending, the_figures_are_those_that_are_counted)
{
	struct testbed *s;
	char rating[64];

	scratch_in_memory();
	s = testbed_new("figures");
	testbed_write(s, "ann", "create whakka mole players 2 turns=1");
	testbed_run(s);
	testbed_write(s, "bob", "join w1");
	testbed_run(s);
	turn(s, "popup 1 2 3; whack 9", "popup 4; whack 8");
	cr_assert_not_null(end_mail(s, "ann"), "%s", testbed_last(s, "ann")->text);
	const char *at = strstr(end_mail(s, "ann")->text, " went from 1500 to ");
	cr_assert_not_null(at, "%s", end_mail(s, "ann")->text);
	snprintf(rating, sizeof rating, "%.4s", at + strlen(" went from 1500 to "));
	cr_expect_str_neq(rating, "1500");
	testbed_write(s, "ann", "ratings whakka mole");
	testbed_run(s);
	cr_expect_not_null(strstr(testbed_last(s, "ann")->text, rating), "%s, but: %s", rating,
	                   testbed_last(s, "ann")->text);
	testbed_free(s);
}

Test(ending, comes_once_more_with_its_files)
{
	struct testbed *s = begun("again", NULL);

	end(s);
	size_t n = s->nposts;
	testbed_reply(s, "ann", "resend");
	testbed_run(s);
	cr_assert_eq(s->nposts, n + 1);
	const struct post *p = s->posts[n];
	cr_expect_not_null(strstr(p->subject, "once more"));
	cr_assert_not_null(p->record);
	cr_expect_eq(testbed_verify(s, span_of(p->record)), 0);
	testbed_free(s);
}

Test(ending, in_a_digest_there_are_no_files)
{
	struct testbed *s = begun("digest", "set mail digest at 18:00");

	end(s);
	testbed_wait(s, 2 * DAY_S);
	testbed_run(s);
	cr_expect_null(end_mail(s, "bob"));
	const struct post *p = testbed_last(s, "bob");
	cr_expect_not_null(strstr(p->text, "ann won 4-2-0"), "%s", p->text);
	cr_expect_not_null(strstr(p->text, "  | archive W1\n"));
	cr_expect_null(strstr(p->text, "files come with"));
	testbed_free(s);
}
