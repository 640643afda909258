/*
 * test_html_mail.c - the HTML forms of mails of every kind, read in a real browser.
 *
 * What is looked at stands in check-mail.py. SHOTS=FOLDER keeps pictures there. Without a Chromium it
 * is skipped.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

#define CHECK_MAIL "tests/e2e/check-mail.py"

static const char browser[] = "/usr/bin/chromium", games[] = "WPBCM";
enum { MOST = 1 << 24, PATIENCE_MS = 500 * 1000 };

/* The first one of the last report whose subject begins so, as tapping it does. */
static void answer_with_example(struct testbed *s, const char *who, const char *subject)
{
	const struct post *p = NULL;
	struct strbuf orders = STRBUF_INIT;

	for (size_t i = 0; i < s->nposts; i++)
		if (strcmp(s->posts[i]->who, who) == 0 &&
		    strncmp(s->posts[i]->subject, subject, strlen(subject)) == 0 &&
		    strstr(s->posts[i]->text, "\n  | "))
			p = s->posts[i];
	cr_assert_not_null(p, "%s", subject);
	struct span rest = span_of(strstr(p->text, "\n  | ") + 1), line;
	while (span_next_line(&rest, &line) && span_starts(line, "  |") &&
	       (orders.len == 0 || span_starts(line, "  |  "))) {
		strbuf_adds(&orders,
		            span_starts(line, "  |   ") || orders.len == 0 ? " " : "\n");
		strbuf_add_span(&orders, span_trim(span_slice(line, 3, line.len)));
	}
	testbed_reply_to(s, who, p, orders.ptr);
	testbed_run(s);
	strbuf_release(&orders);
}

/* Reports, receipts, refusals, questions, help, a message, a whole game to its end. */
static struct testbed *played(void)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("html-mail");
	testbed_configure(s, "html = on");
	testbed_write(s, "ann", "create whakka mole players 2 turns=2");
	testbed_run(s);
	testbed_write(s, "bob", "join w1");
	testbed_write(s, "ann", "create mole majority players 2 bots 1 setup=auto");
	testbed_write(s, "ann", "create mole park players 3 bots 2");
	testbed_write(s, "cy", "create martian boggle players 2 bots 1");
	testbed_write(s, "cy", "create mole players 2 bots 1");
	testbed_write(s, "ann", "help");
	testbed_write(s, "ann", "help press");
	testbed_write(s, "ann", "help mole majority");
	testbed_write(s, "ann", "help mole park");
	testbed_write(s, "cy", "help martian boggle");
	testbed_write(s, "cy", "help mole");
	testbed_write(s, "eve", "joim whakka");
	testbed_run(s);
	testbed_write(s, "bob", "wack 5 in w1");
	testbed_write(s, "bob", "press to ann in w1\nGood luck!\nendpress");
	testbed_write(s, "bob", "summary w1\nstatus w1\nlist\nratings");
	testbed_write(s, "ann", "signon w1\npopup 1 2; whack 3");
	testbed_run(s);
	for (unsigned turn = 1; turn <= 2; turn++) {
		testbed_reply_to(s, "ann", testbed_find(s, "ann", "[W1 turn"),
		                 "popup 1 2; whack 3");
		testbed_reply_to(s, "bob", testbed_find(s, "bob", "[W1 turn"),
		                 "popup 4; whack 2");
		testbed_run(s);
	}
	for (int turn = 0; turn < 3; turn++) {
		answer_with_example(s, "ann", "[M2 turn");
		answer_with_example(s, "ann", "[P3 round");
		answer_with_example(s, "cy", "[B4 turn");
		answer_with_example(s, "cy", "[C5 ");
	}
	return s;
}

Test(html_mail, every_kind_of_mail_is_read_on_phone_and_desk, .timeout = 600)
{
	const char *shots = env_get("SHOTS");
	struct failure e = ERR_INIT;
	struct strbuf out = STRBUF_INIT;
	struct testbed *s;
	char *dir;
	int code = -1;

	if (access(browser, X_OK) != 0)
		cr_skip_test("skipped: Chromium is not installed");
	s = played();
	dir = scratch_new();
	for (size_t i = 0; i < s->nposts; i++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%03zu.eml", dir, i);
		cr_assert_eq(file_create(path.ptr,
		                         (struct span){s->posts[i]->raw, s->posts[i]->raw_len},
		                         &e),
		             ERR_NONE);
		strbuf_release(&path);
	}
	cr_assert_geq(s->nposts, 20);
	cr_assert_eq(
	    subprocess_run((const char *const[]){CHECK_MAIL, browser, dir, shots, NULL},
	                   SPAN_EMPTY, MOST, PATIENCE_MS, &out, &code, &e),
	    ERR_NONE, "%s", e.text.ptr);
	cr_assert_eq(code, 0, "exit code %d", code);
	struct span rest = strbuf_span(&out);
	unsigned pictures[sizeof games - 1] = {0};
	for (struct span line; span_next_line(&rest, &line);) {
		size_t at = span_find(line, SPAN_LIT(" picture ["));
		for (size_t i = 0; at < line.len && i < sizeof games - 1; i++)
			pictures[i] += line.ptr[at + strlen(" picture [")] == games[i];
		if (shots)
			cr_log_warn("%.*s", SPAN_ARGS(line));
	}
	for (size_t i = 0; i < sizeof games - 1; i++)
		cr_expect_geq(pictures[i], 3, "%c: %u pictures", games[i], pictures[i]);
	strbuf_release(&out);
	err_release(&e);
	scratch_remove(dir);
	testbed_free(s);
}
