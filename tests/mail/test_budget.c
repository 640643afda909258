/*
 * test_budget.c - what one address is sent at most, whoever writes in its name and however often (outgoing/budget.h).
 *
 * Twelve people have left an away text that answers each mail of ours like a person would, for three weeks in which
 * their games go on. And each command is sent 300 times in the name of somebody else, as strangers and as a player, at
 * servers that ask and at servers that believe.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600, AWAY = 12, WEEKS_S = 21 * DAY_S, FORGED = 300, MOST_TO_VICTIM = 10 };

static const char *const away_texts[AWAY] = {
    "I am out of the office until Monday.\n",
    "Thank you for your mail. I am on holiday until 5 April. Please write to Bob.\n",
    "I'm away this week with no access to email. I will answer when I am back.\n",
    "Vielen Dank f=C3=BCr Ihre Nachricht.\n",
    "Ich bin bis zum 5. April nicht im Haus. Ihre Mail wird nicht weitergeleitet.\n",
    "Danke fuer Ihre Mail. Ab Montag bin ich wieder da.\n",
    "Je suis absent jusqu'au 5 avril. Merci de contacter le secretariat.\n",
    "Bonjour, je suis en conges jusqu'a lundi et je lirai votre message a mon retour.\n",
    "Merci pour votre message. Je reviens le 5.\n",
    "Estoy fuera de la oficina hasta el lunes.\n",
    "Gracias por su mensaje. Estare de vacaciones hasta el 5 de abril.\n",
    "No puedo leer el correo esta semana. Para cosas urgentes: 555 1234.\n",
};

static bool is_away(const struct post *p)
{
	return p->who[0] == 'z' && p->who[1] >= 'a' && p->who[1] < 'a' + AWAY;
}

Test(budget, away_texts_are_answered_three_times_a_day_and_six_times_in_all, .timeout = 600)
{
	struct testbed *s = testbed_new("away");
	size_t seen;

	testbed_use_memory();
	for (unsigned i = 0; i < AWAY; i++) {
		char names[16];

		(void)snprintf(names, sizeof(names), "y%c z%c", (int)('a' + i), (int)('a' + i));
		table_found(s, names, "create whakka mole players 2 next 1D");
	}
	seen = s->nposts;
	for (int64_t at = 0; at < WEEKS_S; at += DAY_S) {
		for (unsigned round = 0; round < 8; round++) {
			size_t until = s->nposts;

			for (; seen < until; seen++) {
				const struct post *p = s->posts[seen];

				if (is_away(p)) {
					unsigned who = (unsigned)(p->who[1] - 'a');

					testbed_reply_to(s, p->who, p, away_texts[who]);
				} else if (strstr(p->subject, "orders due")) {
					testbed_reply_to(s, p->who, p,
					                 "popup none; whack none");
				}
			}
			(void)testbed_run_noting(s);
			testbed_wait(s, 600);
		}
		testbed_wait(s, DAY_S - 4800);
	}
	/* The welcome is an answer, too. */
	cr_expect_leq(crowd_number(s, "SELECT max(n) FROM (SELECT count(*) AS n FROM outbox"
	                              " WHERE cause IS NOT NULL AND kind <> 'welcome'"
	                              " AND rcpt LIKE 'z%'"
	                              " GROUP BY rcpt, created_utc / 86400)"),
	              3, "on one day");
	cr_expect_leq(crowd_number(s, "SELECT max(n) FROM (SELECT count(*) AS n FROM outbox"
	                              " WHERE cause IS NOT NULL AND kind <> 'welcome'"
	                              " AND rcpt LIKE 'z%' GROUP BY rcpt)"),
	              6, "in all");
	cr_expect_str_empty(s->complaints.ptr ? s->complaints.ptr : "");
	expect_sound(s);
	testbed_free(s);
}

/* ------------------------------------------------------------------ bombs */

static const char *const bombs[] = {
    "create whakka mole players 2",
    "create whakka mole players 2 bots 1",
    "create whakka mole players 2 bots 1\ncreate whakka mole players 3 bots 2\n",
    "join whakka mole",
    "queue whakka mole",
    "help",
    "rules whakka mole",
    "list",
    "status",
    "my games",
    "observe W1",
    "also victim2@example.org",
    "set zone Europe/Berlin",
    "resend 1",
    "history",
    "status W1",
    "check\npopup 3; whack 5",
    "popup 3; whack 5",
    "popup 33; whack 55",
    "vote draw",
    "resign W1",
    "press to all\nhello\nendpress",
    "invite victim2@example.org",
    "joim W1",
    "hello there",
    "new token",
    "I would like to play a game",
};

static void throw(const char *config, bool plays, const char *text, const char *between)
{
	struct testbed *s = testbed_new("bomb");
	size_t before, n = 0;

	if (plays)
		table_found(s, "ann victim", "create whakka mole players 2 next 5D");
	if (*config)
		testbed_configure(s, config);
	(void)testbed_run_noting(s);
	before = s->nposts;
	for (unsigned i = 0; i < FORGED; i++) {
		char varied[400];

		/* Never the same words twice. */
		(void)snprintf(varied, sizeof(varied), "%s%s%u\n", text, between, i);
		testbed_write(s, "victim", varied);
		if (i % 100 == 99) {
			(void)testbed_run_noting(s);
			testbed_wait(s, 3600);
		}
	}
	for (size_t i = before; i < s->nposts; i++)
		n += strncmp(s->posts[i]->who, "victim", 6) == 0;
	cr_expect_leq(n, MOST_TO_VICTIM, "%s, %s: %s: %zu mails", config,
	              plays ? "a player" : "a stranger", text, n);
	testbed_free(s);
}

/* BOMBS_EVERY=1 throws each of them at each server as each of the two; else every so many. */
Test(budget, three_hundred_forged_mails_send_ten_to_the_victim, .timeout = 3600)
{
	static const char *const configs[] = {
	    "", "unknown_senders = confirm", "known_senders = confirm",
	    "unknown_senders = confirm\nknown_senders = confirm", "unknown_senders = known"};
	enum {
		NCONFIGS = sizeof(configs) / sizeof(configs[0]),
		NBOMBS = sizeof(bombs) / sizeof(bombs[0])
	};
	unsigned every = 9;

	(void)num_parse_uint(span_of(env_get("BOMBS_EVERY")), 1, 1000, &every);
	testbed_use_memory();
	for (unsigned i = 0; i < 2 * NCONFIGS * NBOMBS; i += every)
		throw(configs[i / 2 % NCONFIGS], i % 2 == 1, bombs[i / 2 / NCONFIGS],
		      "\n-- \n");
}

/* ------------------------------------------------------------------ many games */

enum { MANY_GAMES = 40, DAYS_OF_MANY = 3 };

Test(budget, a_person_who_plays_forty_games_meets_no_limit, .timeout = 600)
{
	struct testbed *s = testbed_new("forty games");
	char text[80];
	size_t seen;

	testbed_use_memory();
	for (unsigned g = 1; g <= MANY_GAMES; g++) {
		(void)snprintf(text, sizeof(text), "create whakka mole players 2 next 1D");
		char who[16];

		(void)snprintf(who, sizeof(who), "o%u", g);
		testbed_write(s, who, text);
	}
	testbed_write(s, "ann", "join w1");
	testbed_run(s);
	for (unsigned g = 2; g <= MANY_GAMES; g++) {
		(void)snprintf(text, sizeof(text), "join w%u", g);
		testbed_reply(s, "ann", text);
	}
	testbed_run(s);
	seen = 0;
	for (unsigned day = 0; day < DAYS_OF_MANY; day++) {
		size_t until = s->nposts;
		unsigned asked = 0, answered = 0;

		for (; seen < until; seen++) {
			const struct post *p = s->posts[seen];

			if (!strstr(p->subject, "orders due"))
				continue;
			asked += strcmp(p->who, "ann") == 0;
			testbed_reply_to(s, p->who, p, "popup 1; whack none");
		}
		cr_expect_geq(asked, MANY_GAMES, "day %u: %u reports", day, asked);
		until = s->nposts;
		testbed_run(s);
		for (size_t i = until; i < s->nposts; i++)
			answered += strcmp(s->posts[i]->who, "ann") == 0;
		cr_expect_geq(answered, MANY_GAMES, "day %u: %u answers", day, answered);
		testbed_reply(s, "ann", "my games");
		testbed_reply(s, "ann", "status w7");
		testbed_wait(s, DAY_S);
		testbed_run(s);
	}
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM inbox WHERE verdict = 'too-many'"),
	             0);
	struct ran r;
	testbed_do(s, "status", NULL, &r);
	cr_expect(strstr(r.out.ptr, "answers held back today       0"), "%s", r.out.ptr);
	ran_release(&r);
	testbed_free(s);
}
