/*
 * test_receive.c - `molepost receive` that dies, and a mail server that tries again.
 *
 * A mail server hands over the same mail until it is told 0. However often it has to, the mail
 * has its effect once; and what it was told 0 for is there, even if the power fails in the
 * next moment.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/crash.h"
#include "tests/support/scratch.h"

TestSuite(receive, .timeout = 600);

enum { MOST_STEPS = 100 };

static struct testbed *begin(void)
{
	struct strbuf raw = STRBUF_INIT;
	struct testbed *s;
	char *path;

	testbed_use_memory();
	s = testbed_new("receive");
	testbed_compose(
	    s, &(struct mail_written){.who = "ann", .text = "create whakka mole players 2"},
	    &raw);
	path = scratch_path(s->scratch, "mail.eml");
	cr_assert_eq(file_create(path, strbuf_span(&raw), NULL), ERR_NONE);
	s->input = path;
	strbuf_release(&raw);
	return s;
}

/* Runs and frees the testbed. */
static void take_mails(struct testbed *s, struct strbuf *mails)
{
	char *input = (char *)(uintptr_t)s->input;

	s->input = NULL;
	cr_assert_eq(testbed_run(s), 1);
	testbed_run(s);
	testbed_mails(s, mails);
	free(input);
	testbed_free(s);
}

static void receive_undisturbed(struct strbuf *mails)
{
	struct testbed *s = begin();
	struct ran r;

	testbed_do(s, "receive", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	take_mails(s, mails);
}

static void expect_one_effect(struct trial *t)
{
	struct strbuf want = STRBUF_INIT, got = STRBUF_INIT;
	struct ran r;

	receive_undisturbed(&want);
	for (t->at = 1, t->hit = 1; t->hit; t->at++) {
		struct testbed *s = begin();

		t->words = "receive";
		t->disturb(t, s, 0, &r);
		t->hit = r.code != 0;
		if (t->hit && t->mode &&
		    (strcmp(t->mode, "eio") == 0 || strcmp(t->mode, "enospc") == 0))
			cr_assert_eq(r.code, 75, "%s at %u: %d", t->mode, t->at, r.code);
		ran_release(&r);
		if (t->hit) {
			testbed_do(s, "receive", NULL, &r);
			cr_assert_eq(r.code, 0, "%s", r.err.ptr);
			ran_release(&r);
		}
		strbuf_clear(&got);
		take_mails(s, &got);
		cr_assert_str_eq(got.ptr, want.ptr, "disturbed at %u", t->at);
		cr_assert_lt(t->at, MOST_STEPS);
	}
	cr_assert_gt(t->at, 2, "never disturbed");
	strbuf_release(&want);
	strbuf_release(&got);
}

Test(receive, stopped_at_every_step_and_repeated_the_mail_has_one_effect)
{
	expect_one_effect(&(struct trial){.disturb = disturb_by_step});
}

Test(receive, failed_by_the_disk_and_repeated_the_mail_has_one_effect)
{
	static const char *const modes[] = {"kill", "tear", "eio", "enospc", "power"};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		expect_one_effect(
		    &(struct trial){.disturb = disturb_by_shim, .mode = modes[i]});
}

Test(receive, what_was_accepted_survives_a_power_cut)
{
	struct strbuf want = STRBUF_INIT, got = STRBUF_INIT;
	struct trial t = {.disturb = disturb_by_shim, .mode = "power:exit", .words = "receive"};
	struct testbed *s = begin();
	struct ran r;

	receive_undisturbed(&want);
	t.disturb(&t, s, 0, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	take_mails(s, &got);
	cr_assert_str_eq(got.ptr, want.ptr);
	strbuf_release(&want);
	strbuf_release(&got);
}
