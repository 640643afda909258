/*
 * test_any_mails.c - any commands from anybody, in games of any state: the server stays sound.
 *
 * Six people who know each other's games by number send commands and orders in any order, in answers to any mail of
 * theirs, to any game, whether it makes sense or not. Every few mails the server runs, and the clock goes on. Each
 * run ends well, fsck finds nothing, and every record that is sent verifies. SEED=n for other mails, MAILS=n for more
 * of them.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/chance.h"
#include "tests/support/chosen.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

enum { MAILS = 400, RUN_EVERY = 4, CHECK_EVERY = 20 };

struct writing {
	struct testbed *s;
	struct chance *chance;
	unsigned n; /* of draws: their labels differ */
};

static unsigned pick(struct writing *w, unsigned n)
{
	return chance_pick(w->chance, n, "draw %u", w->n++);
}

static const char *const people[] = {"ann", "bob", "cyd", "dan", "eve", "fay"};
enum { PEOPLE = sizeof people / sizeof *people };

/* %g a game, %p a person, %n a small number. */
static const char *const openings[] = {
    "create whakka mole players %n bots 1",
    "create mole park players 2 as %p",
    "create martian boggle players 2 private",
    "create mole players 2 ready creator",
    "create mole majority players 3 bots 2",
    "create whakka mole players 2 master",
    "create whakka mole for %p@example.net",
    "create whakka mole players 3 next 1D grace 6H press grey",
    "join %g",
    "join %g as %p",
    "join whakka mole",
    "join mole wait",
    "takeover %g",
    "takeover %n %g",
    "observe %g",
    "unobserve %g",
    "practice %g at %n",
    "fork %g at %n",
    "invite %p@example.net to %g",
    "rematch %g",
};

static const char *const lines[] = {
    "popup %n, whack %n",
    "push 1 to 30 40",
    "stay",
    "no flick",
    "vote a",
    "pass",
    "clear",
    "set wait",
    "set nowait",
    "status",
    "status %g",
    "my games",
    "history",
    "summary %g",
    "archive %g",
    "analyse %g",
    "verify",
    "list",
    "list %g",
    "signon %g",
    "signon %n %g",
    "resign",
    "resign %g",
    "queue %n\npopup 1, whack 2",
    "queue off",
    "always\npopup 2, whack 3",
    "always off",
    "set fallback repeat",
    "set fallback bot",
    "set absence tomorrow to monday",
    "set noabsence",
    "set mail digest",
    "set mail all",
    "set mail round",
    "set mail html",
    "set zone Europe/Berlin",
    "set quiet 22:00 7:00",
    "set quiet off",
    "set reminders off",
    "set puzzle on",
    "nudge",
    "nudge %g",
    "resend",
    "resend %n",
    "yes",
    "no",
    "i am also %p.too@example.net",
    "set address %p.new@example.net",
    "token new",
    "press to %p\nhello\nendpress",
    "broadcast\nhello all\nendpress",
    "diary\nmine\nendpress",
    "thanks %p",
    "set draw",
    "set nodraw",
    "set concede %p",
    "set noconcede",
    "vote pause",
    "vote resume",
    "vote cancel",
    "ask for 2D",
    "set deadline tomorrow",
    "set grace 3H",
    "pause",
    "resume",
    "process 1",
    "process 2",
    "rollback %n",
    "eject %p",
    "become %n",
    "promote %p",
    "promote %p as co-master",
    "demote %p",
    "deny %p@example.net",
    "allow %p@example.net",
    "official\nso be it\nendpress",
    "force begin",
    "replace %n by bot",
    "start with bots",
    "terminate",
    "ratings",
    "who %p",
    "salt pepper",
    "form",
    "help",
    "help mole",
    "set invites off",
    "set invites on",
    "sure, sounds fun",
    "how do i join the others?",
    "check\npopup 1, whack 1",
    "preview",
};

/* Of one that a mail was about: "[W7] the record so far". */
static void add_game(struct writing *w, struct strbuf *out)
{
	for (unsigned i = 0; i < 20 && w->s->nposts > 0; i++) {
		const char *subject = w->s->posts[pick(w, (unsigned)w->s->nposts)]->subject;
		size_t end = strcspn(subject, "]");

		if (*subject == '[' && subject[end] == ']') {
			strbuf_add(out, subject + 1, end - 1);
			return;
		}
	}
	strbuf_addf(out, "W%u", pick(w, 9) + 1);
}

static void add_line(struct writing *w, const char *pattern, struct strbuf *out)
{
	for (const char *c = pattern; *c; c++) {
		if (*c != '%')
			strbuf_addc(out, *c);
		else if (*++c == 'g')
			add_game(w, out);
		else if (*c == 'p')
			strbuf_adds(out, people[pick(w, PEOPLE)]);
		else
			strbuf_addf(out, "%u", pick(w, 5) + 1);
	}
	strbuf_addc(out, '\n');
}

static const char *any_of(struct writing *w, const char *const *all, size_t n)
{
	return all[pick(w, (unsigned)n)];
}

static void add_text(struct writing *w, struct strbuf *out)
{
	unsigned n = 1 + pick(w, 3);

	for (unsigned i = 0; i < n; i++)
		if (pick(w, 8) == 0)
			add_line(w, any_of(w, openings, sizeof openings / sizeof *openings),
			         out);
		else
			add_line(w, any_of(w, lines, sizeof lines / sizeof *lines), out);
}

/* To the server, or as an answer to any mail this person got, the newest more often; now and then by another. */
static void write_mail(struct writing *w)
{
	struct testbed *s = w->s;
	const char *who = people[pick(w, PEOPLE)];
	struct strbuf text = STRBUF_INIT;
	const struct post *to = NULL;

	add_text(w, &text);
	for (size_t i = s->nposts, skip = pick(w, 2) == 0 ? 0 : pick(w, 12); i > 0 && !to; i--)
		if (strcmp(s->posts[i - 1]->who, who) == 0 && skip-- == 0)
			to = s->posts[i - 1];
	if (pick(w, 25) == 0)
		who = people[pick(w, PEOPLE)];
	if (to && pick(w, 5) > 0)
		testbed_reply_to(s, who, to, text.ptr);
	else
		testbed_write(s, who, text.ptr);
	strbuf_release(&text);
}

static void expect_records(const struct testbed *s, unsigned seed)
{
	for (size_t i = 0; i < s->nposts; i++)
		if (s->posts[i]->record)
			cr_expect_eq(
			    testbed_verify((struct testbed *)s, span_of(s->posts[i]->record)),
			    0, "SEED=%u: \"%s\" does not verify", seed, s->posts[i]->subject);
}

Test(any_mails, leave_a_sound_server, .timeout = 600)
{
	unsigned seed = chosen_number("SEED", 1), mails = chosen_number("MAILS", MAILS);
	struct writing w = {.s = testbed_new("any mails"),
	                    .chance = chance_from_seed(seed, "any")};

	testbed_configure(w.s, "max_mails_per_day = 1000");
	for (unsigned i = 0; i < 6; i++) {
		struct strbuf text = STRBUF_INIT;

		add_line(&w, openings[i], &text);
		testbed_write(w.s, people[i], text.ptr);
		strbuf_release(&text);
	}
	for (unsigned i = 1; i <= mails; i++) {
		write_mail(&w);
		if (i % RUN_EVERY == 0)
			testbed_run(w.s);
		if (pick(&w, 3) == 0)
			testbed_wait(w.s, 3600 * (1 + (int64_t)pick(&w, 30)));
		if (i % CHECK_EVERY == 0)
			expect_sound(w.s);
	}
	testbed_settle(w.s);
	expect_sound(w.s);
	expect_records(w.s, seed);
	cr_expect_gt(crowd_number(w.s, "SELECT count(*) FROM games"), 10);
	cr_expect_gt(crowd_number(w.s, "SELECT count(*) FROM turns"), 20);
	cr_expect_gt(crowd_number(w.s, "SELECT count(*) FROM orders"), 10);
	chance_free(w.chance);
	testbed_free(w.s);
}
