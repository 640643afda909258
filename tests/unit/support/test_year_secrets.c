/*
 * test_year_secrets.c - the watch over the mails of a year notices what it is there for.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/err.h"
#include "tests/support/year_parts.h"

#define NONCE "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define RECEIPT(received)                                                          \
	"-----BEGIN MOLEPOST RECEIPT 3-----\norders W1 turn 3 seat 1 revision 1\n" \
	"received " received "\ncommitment\nabc\nnonce\n" NONCE "\nsignature\n"

struct watch {
	struct testbed testbed;
	struct year_result result;
	struct year y;
};

static void watch_begin(struct watch *w)
{
	memset(w, 0, sizeof(*w));
	strbuf_init(&w->result.problem);
	w->y.testbed = &w->testbed;
	w->y.result = &w->result;
	w->y.secrets = year_secrets_new();
}

static void watch_end(struct watch *w)
{
	year_secrets_free(w->y.secrets);
	strbuf_release(&w->result.problem);
}

/* What is found in a mail of W1 to a player, whose answers would be for this serial. */
static const char *look(struct watch *w, unsigned player, unsigned serial, int64_t at_utc,
                        const char *text, const char *report)
{
	struct year_mail m = {.player = player,
	                      .game = 1,
	                      .serial = serial,
	                      .subject = xstrdup("[W1 turn 3] Whakka Mole"),
	                      .reminds = report != NULL,
	                      .text = STRBUF_INIT,
	                      .at_utc = at_utc};

	strbuf_clear(&w->result.problem);
	strbuf_adds(&m.text, text);
	year_secrets_look(&w->y, &m, report);
	year_mail_release(&m);
	return w->result.problem.ptr;
}

Test(year_secrets, what_opens_orders_may_be_told_to_others_from_the_report_on)
{
	struct watch w;

	watch_begin(&w);
	cr_expect_str_eq(look(&w, 1, 3, 1000, RECEIPT("1970-01-01T00:10:00Z"), NULL), "");
	cr_expect_str_eq(look(&w, 1, 3, 1000, " nonce  " NONCE "\n", NULL), "");
	cr_expect(strstr(look(&w, 2, 3, 1000, " nonce  " NONCE "\n", NULL),
	                 "what opens orders of p1 is told to p2"));
	cr_expect_str_eq(
	    look(&w, 2, 4, 2000, "== What happened in turn 3 ==\n nonce  " NONCE "\n", NULL),
	    "");
	watch_end(&w);
}

Test(year_secrets, a_salt_is_watched_like_a_nonce)
{
	struct year_mail m = {.player = 1, .game = 1, .serial = 3, .text = STRBUF_INIT};
	struct strbuf line = STRBUF_INIT;
	struct watch w;

	watch_begin(&w);
	year_secrets_add_salt(&w.y, &m, &line);
	cr_expect_str_eq(look(&w, 1, 3, 1000, line.ptr, NULL), "");
	cr_expect(strstr(look(&w, 2, 3, 1000, line.ptr, NULL), "is told to p2"));
	strbuf_release(&line);
	watch_end(&w);
}

Test(year_secrets, no_orders_are_taken_once_the_report_has_left)
{
	struct watch w;

	watch_begin(&w);
	cr_expect_str_eq(look(&w, 2, 4, 700, "== What happened in turn 3 ==\n", NULL), "");
	cr_expect_str_eq(look(&w, 1, 3, 800, RECEIPT("1970-01-01T00:11:40Z"), NULL), "");
	cr_expect(strstr(look(&w, 1, 3, 800, RECEIPT("1970-01-01T00:11:41Z"), NULL),
	                 "orders were taken after the report"));
	watch_end(&w);
}

Test(year_secrets, a_reminder_shows_what_the_report_did)
{
	static const char report[] = "Hello\n\n== Board ==\n\n[1][ ]\n\n== Now ==\n";
	struct watch w;

	watch_begin(&w);
	cr_expect_str_eq(look(&w, 1, 3, 9, "You are late\n\n== Board ==\n\n[1][ ]\n", report),
	                 "");
	cr_expect(strstr(look(&w, 1, 3, 9, "You are late\n\n== Board ==\n\n[1][2]\n", report),
	                 "a reminder shows what its report did not"));
	watch_end(&w);
}
