/*
 * test_standing.c - whatever is sent, queued, checked and laid down in whatever order: what is
 * used follows the table in processor/match/substitute_orders.h, is told nobody before, and stands in the
 * record as it came.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/conversation.h"
#include "tests/support/play.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S, TURNS = 30, FILE_MOST = 64 << 20 };

/* What bob has done for one turn: holes he whacks, 0 = not at all. */
struct standing {
	unsigned sent, queued, draft, always, fallback, next_queued;
	bool nowait, bot;
};

/* Each way has a hole of its own, so that the report tells which was used. */
enum { SENT_HOLE = 1, QUEUED_HOLE, DRAFT_HOLE, ALWAYS_HOLE };

static void act(struct testbed *s, unsigned turn, unsigned what, struct standing *l)
{
	char text[64];

	switch (what) {
	case 0:
		testbed_reply(s, "bob", "popup none; whack 1");
		l->sent = SENT_HOLE;
		l->draft = 0;
		break;
	case 1:
		snprintf(text, sizeof(text), "queue %u whack 2", turn + 1);
		testbed_reply(s, "bob", text);
		l->next_queued = QUEUED_HOLE;
		break;
	case 2:
		testbed_reply(s, "bob", "check popup none; whack 3");
		if (l->sent == 0 && l->queued == 0)
			l->draft = DRAFT_HOLE;
		break;
	case 3:
	case 4:
		testbed_reply(s, "bob", what == 3 ? "always whack 4" : "always nowait whack 4");
		l->always = ALWAYS_HOLE;
		l->nowait = what == 4;
		break;
	case 5:
		testbed_reply(s, "bob", "always off");
		l->always = 0;
		l->nowait = false;
		break;
	case 6:
		testbed_reply(s, "bob", "clear");
		l->sent = l->queued = l->draft = 0;
		break;
	case 7:
		testbed_reply(s, "bob", "set fallback bot");
		l->fallback = 1;
		break;
	default:
		testbed_reply(s, "bob", "set fallback default");
		l->fallback = 0;
		break;
	}
	testbed_run(s);
}

static const char *origin_expected(const struct standing *l)
{
	return l->sent       ? "sent"
	       : l->queued   ? "queued before the turn opened"
	       : l->draft    ? "a draft, fixed as the turn ended"
	       : l->always   ? "standing orders"
	       : l->fallback ? "chosen in place of the default"
	                     : "nothing sent, default orders";
}

/* What stands behind bob's seat in the proof of a report, on one line. */
static void proof_of_bob(const struct post *p, struct strbuf *out)
{
	const char *at = strstr(p->proof, "Seat 2 (bob");

	cr_assert(at, "%s", p->proof);
	for (const char *c = at; *c && strncmp(c, "\n ", 2) != 0; c++)
		strbuf_addc(out, *c == '\n' ? ' ' : *c);
}

static void expect_used(const struct testbed *s, unsigned turn, const struct standing *l,
                        const struct strbuf *story)
{
	const struct post *p = testbed_last(s, "ann");
	struct strbuf proof = STRBUF_INIT;
	char title[64];

	snprintf(title, sizeof(title), "What happened in turn %u", turn);
	cr_assert(strstr(p->text, title), "%s\n%s", title, p->text);
	proof_of_bob(p, &proof);
	cr_expect(strstr(proof.ptr, origin_expected(l)), "turn %u, after%s: \"%s\" in %s", turn,
	          story->ptr, origin_expected(l), proof.ptr);
	unsigned hole = l->sent     ? l->sent
	                : l->queued ? l->queued
	                : l->draft  ? l->draft
	                            : l->always;
	snprintf(title, sizeof(title), "WHACK %u", hole);
	cr_expect(hole == 0 || strstr(strstr(p->proof, "Seat 2 (bob"), title),
	          "turn %u, after%s: %s in %s", turn, story->ptr, title, p->proof);
	strbuf_release(&proof);
}

/* Orders of ann's end the turn when bob's are in, else the deadline does. */
static void end_turn(struct testbed *s)
{
	size_t before = s->nposts;

	testbed_reply(s, "ann", "popup none; whack 9");
	testbed_run(s);
	for (size_t i = before; i < s->nposts; i++)
		if (strstr(s->posts[i]->text, "What happened"))
			return;
	testbed_wait(s, DAY_S + 7 * HOUR_S);
	testbed_run(s);
}

Test(standing, whatever_is_laid_down_the_set_used_follows_the_precedence, .timeout = 600)
{
	const char *seed_text = env_get("SEED");
	unsigned seed = 1;
	struct standing l = {0};
	struct strbuf story = STRBUF_INIT;

	cr_assert(!seed_text || num_parse_uint(span_of(seed_text), 0, UINT32_MAX, &seed));
	uint64_t dice = seed;
	struct testbed *s = table_of_two(
	    "standing", "create whakka mole players 2 next 1D grace 6H misses 0 turns=60");
	cr_log_info("SEED=%u", seed);
	for (unsigned turn = 1; turn < TURNS; turn++) {
		unsigned n = play_draw(&dice, 4);

		strbuf_clear(&story);
		for (unsigned i = 0; i < n; i++) {
			unsigned what = play_draw(&dice, 9);
			strbuf_addf(&story, " %u", what);
			act(s, turn, what, &l);
		}
		end_turn(s);
		expect_used(s, turn, &l, &story);
		l.sent = l.draft = 0;
		l.queued = l.next_queued;
		l.next_queued = 0;
	}
	expect_sound(s);
	strbuf_clear(&story);
	testbed_archive(s, "w1", &story);
	cr_expect_eq(testbed_verify(s, strbuf_span(&story)), 0);
	strbuf_release(&story);
	testbed_free(s);
}

/* ---- secrecy ---- */

static void expect_not_in_file(struct testbed *s, const char *name, const char *text)
{
	struct strbuf bytes = STRBUF_INIT;
	char *path = testbed_path(s, name);

	if (file_exists(path))
		cr_assert_eq(file_read(path, FILE_MOST, &bytes, NULL), ERR_NONE);
	cr_expect_eq(span_find(strbuf_span(&bytes), span_of(text)), bytes.len, "%s holds %s",
	             name, text);
	strbuf_release(&bytes);
	free(path);
}

Test(standing, nobody_learns_that_somebody_has_laid_down_orders_before_they_are_used)
{
	static const char *const standing[] = {
	    "status",
	    "always popup 7 8 9; whack 5",
	    "check popup 7 8 9; whack 5",
	    "queue 3 popup 7 8 9; whack 5",
	    "set fallback bot",
	    "always popup 7 8 9; whack 5\n\nset fallback repeat\n\nqueue 9 popup 7 8 9",
	};
	struct strbuf first = STRBUF_INIT, text = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(standing) / sizeof(standing[0]); i++) {
		struct testbed *s =
		    table_of_two("standing", "create whakka mole players 2 next 1D grace 6H");

		testbed_reply(s, "bob", standing[i]);
		testbed_run(s);
		testbed_write(s, "ann",
		              "status w1\nlist w1\nhistory w1\nsummary w1\narchive w1");
		testbed_run(s);
		testbed_wait(s, 21 * HOUR_S); /* ann and bob are reminded */
		testbed_run(s);
		testbed_reply(s, "ann", "popup 1; whack 2");
		testbed_write(s, "ann", "status w1");
		testbed_run(s);
		strbuf_clear(&text);
		conversation_mails_to(s, "ann", &text);
		if (i == 0)
			strbuf_add_span(&first, strbuf_span(&text));
		cr_expect_str_eq(text.ptr, first.ptr, "%s", standing[i]);
		expect_not_in_file(s, "molepost.db", "opup 7");
		expect_not_in_file(s, "molepost.db-wal", "opup 7");
		expect_sound(s);
		testbed_free(s);
	}
	strbuf_release(&first);
	strbuf_release(&text);
}

/* The others see a deadline that was moved, whoever is away and for whatever reason. */
Test(standing, an_absence_moves_deadlines_of_all_games_and_says_neither_why_nor_for_whom)
{
	struct testbed *s = table_of_two("standing", "create whakka mole players 3 next 1D");

	testbed_write(s, "cy", "join w1");
	testbed_write(s, "bob", "create whakka mole players 2 bots 1 next 1D");
	testbed_run(s);
	testbed_write(s, "bob", "set absence 13 Mar to 15 Mar");
	testbed_run(s);
	const char *told = testbed_last(s, "bob")->text;
	cr_expect(strstr(told, "W1, turn 1: Tue 17 Mar 2026 00:00 UTC"), "%s", told);
	cr_expect(strstr(told, "W2, turn 1: Tue 17 Mar 2026"), "%s", told);
	size_t before = s->nposts;
	testbed_wait(s, DAY_S + HOUR_S);
	testbed_run(s);
	cr_expect_eq(s->nposts, before, "nobody is late");
	for (const char *const *who = (const char *const[]){"ann", "cy", "bob", NULL}; *who;
	     who++)
		testbed_write(s, *who,
		              strcmp(*who, "bob") == 0 ? "signon w1\npopup 3" : "popup 1");
	testbed_run(s);
	const struct post *p = testbed_last(s, "ann");
	cr_expect(strstr(p->text, "request of\na player") ||
	              strstr(p->text, "request of a player"),
	          "%s", p->text);
	for (size_t i = 0; i < s->nposts; i++)
		if (strcmp(s->posts[i]->who, "bob") != 0)
			cr_expect(!strstr(s->posts[i]->text, "bsence") &&
			              !strstr(s->posts[i]->text, "away"),
			          "%s", s->posts[i]->text);
	expect_sound(s);
	testbed_free(s);
}

static unsigned turns_reported(const struct testbed *s, const char *who)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->nposts; i++)
		n += strcmp(s->posts[i]->who, who) == 0 &&
		     strstr(s->posts[i]->text, "What happened in turn");
	return n;
}

Test(standing, a_game_does_not_run_to_its_end_on_standing_orders_with_nobody_looking)
{
	struct testbed *s = table_of_two("standing", "create whakka mole players 2 next 1D");

	testbed_reply(s, "ann", "always nowait popup 1; whack 2");
	testbed_reply(s, "bob", "always nowait popup 3; whack 4");
	testbed_run(s);
	/* Both have written for turn 1; turn 2 follows it at once, turn 3 waits. */
	cr_expect_leq(turns_reported(s, "ann"), 2, "%u", turns_reported(s, "ann"));
	unsigned before = turns_reported(s, "ann");
	testbed_wait(s, HOUR_S);
	testbed_run(s);
	cr_expect_eq(turns_reported(s, "ann"), before);
	testbed_wait(s, DAY_S);
	testbed_run(s);
	cr_expect_eq(turns_reported(s, "ann"), before + 1);
	testbed_reply(s, "ann", "popup 9");
	testbed_run(s);
	testbed_wait(s, DAY_S + HOUR_S);
	testbed_run(s);
	cr_expect_geq(turns_reported(s, "ann"), before + 2);
	expect_sound(s);
	testbed_free(s);
}
