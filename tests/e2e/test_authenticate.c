/*
 * test_authenticate.c - which commands need more than an address that anybody can write into From.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/err.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

/* With known_senders = confirm, from the address of a player of W1, in a mail that answers none of ours. */
static const struct {
	const char *text;
	bool asked;
} lines[] = {
    {"popup 3, whack 5", true},
    {"popup 99", false}, /* refused anyway */
    {"resign", true},
    {"clear", true},
    {"set wait", true},
    {"set nowait", true},
    {"token new", true},
    {"broadcast\nHello!\nendbroadcast", true},
    {"press to 2\nHello!\nendpress", true},
    {"diary\nI wonder.\nendpress", true},
    {"always popup 2, whack 3", true},
    {"always off", true},
    {"queue 3 popup 7", true},
    {"queue off", true},
    {"set fallback bot", true},
    {"nudge", true},
    {"ask for 1 day", true},
    {"set draw", true},
    {"set nodraw", true},
    {"set concede bob", true},
    {"set noconcede", true},
    {"vote resume", true},
    {"set absence today", true},
    {"set noabsence", true},
    {"takeover W2", true},
    {"invite mia@example.net", true},
    {"set deadline +1d", true}, /* as the master of the game */
    {"pause", true},
    {"create whakka mole players 2", false},
    {"create whakka mole players 2\ninvite mia@example.net", true},
    {"join W2", false},
    {"observe W2", false},
    {"rematch W1", false},
    {"status", false},
    {"list", false},
    {"help", false},
    {"history", false},
    {"set mail digest", false},
};

static int64_t questions(const struct testbed *s)
{
	return crowd_number(s, "SELECT count(*) FROM confirmations");
}

Test(authenticate, what_changes_a_game_is_asked_about_first, .timeout = 300)
{
	struct testbed *s = testbed_new("authenticate");

	testbed_configure(s, "known_senders = confirm");
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_write(s, "bob", "join W1");
	testbed_write(s, "bob", "create whakka mole players 3 bots 1");
	testbed_run(s);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct testbed *one = testbed_clone(s);
		struct strbuf text = STRBUF_INIT;

		strbuf_addf(&text, "signon W1\n%s\n", lines[i].text);
		testbed_write(one, "ann", text.ptr);
		testbed_run(one);
		cr_expect_eq(questions(one), lines[i].asked, "%s: %s", lines[i].text,
		             testbed_last(one, "ann")->text);
		testbed_free(one);
		strbuf_release(&text);
	}
	testbed_free(s);
}
