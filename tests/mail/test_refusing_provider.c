/*
 * test_refusing_provider.c - a provider that refuses everything, whatever it says and whenever it says so, ends no game.
 *
 * One person with two bots, two people, and the 50 of ten games each write once; then nothing leaves for three
 * days, at a turn a day. Each run ends with 75, no address has anything against it, no turn is missed but those that ended
 * before the fault was an outage, and once the provider takes mail all have theirs. SWEEP_EVERY=n tries every nth of
 * all combinations only; the next n-th with SWEEP_FROM=1.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "tests/support/crowd.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600, GAMES_OF_MANY = 10, PLAYERS_OF_EACH = 5, EXITS = 256 };

static const char *const stages[] = {"MAIL", "RCPT", "DATA", "dot"};
static const unsigned codes[] = {421, 430, 432, 450, 451, 452, 454, 455, 458, 459, 500,
                                 501, 502, 503, 504, 521, 523, 530, 534, 535, 538, 541,
                                 550, 551, 552, 553, 554, 555, 556, 557, 571, 599};
enum {
	NSTAGES = 4,
	NCODES = sizeof(codes) / sizeof(codes[0]),
	SUBJECTS = 8, /* x.0 to x.7 */
	DETAILS = 10, /* x.y.0 to x.y.9 */
	NSTATUSES = 2 * SUBJECTS * DETAILS
};

static struct testbed *people(unsigned n)
{
	struct testbed *s = testbed_new("people");
	char names[80];

	for (unsigned g = 0; n > 2 && g < GAMES_OF_MANY; g++) {
		(void)snprintf(names, sizeof(names), "a%u b%u c%u d%u e%u", g, g, g, g, g);
		table_found(s, names, "create whakka mole players 5 next 1D");
	}
	if (n == 2)
		table_found(s, "a0 b0", "create whakka mole players 2 next 1D");
	else if (n == 1)
		testbed_write(s, "a0", "create whakka mole players 3 bots 2 next 1D");
	(void)testbed_run_noting(s);
	return s;
}

static unsigned number_said(const char *name, unsigned usual)
{
	unsigned n = usual;

	(void)num_parse_uint(span_of(env_get(name)), 0, 1000000, &n);
	return n;
}

static int64_t harm(const struct testbed *s)
{
	return crowd_number(s, "SELECT (SELECT count(*) FROM games WHERE status > 2)"
	                       " + (SELECT count(*) FROM bounced_mails)"
	                       " + (SELECT count(*) FROM outbox WHERE state = 5)"
	                       " + (SELECT count(*) FROM seats WHERE missed_all > 1)");
}

/* Three days in which nothing leaves. `what` names it. */
static void nothing_leaves(struct testbed *s, const char *what)
{
	static const int64_t waits_s[] = {0,           300,         HOUR_S,      5 * HOUR_S,
	                                  18 * HOUR_S, 24 * HOUR_S, 12 * HOUR_S, 12 * HOUR_S};
	unsigned told = 0;

	for (unsigned i = 0; i < sizeof(waits_s) / sizeof(waits_s[0]); i++) {
		struct ran r;

		testbed_wait(s, waits_s[i]);
		testbed_do(s, "run", NULL, &r);
		told += r.err.len > 0;
		cr_expect_eq(r.code, 75, "%s, run %u: %d %s", what, i, r.code, r.err.ptr);
		cr_expect(i > 0 || r.err.len > 0, "%s: the operator is not told", what);
		ran_release(&r);
	}
	cr_expect_leq(told, 5, "%s: told %u times", what, told);
	cr_expect_eq(harm(s), 0, "%s", what);
}

/* The sink of the copy takes everything again. */
static void all_leaves(struct testbed *s, const char *what)
{
	struct ran r;

	testbed_sink(s, "maildir:outbox");
	testbed_wait(s, 5 * HOUR_S); /* a lost answer waits */
	testbed_do(s, "run", NULL, &r);
	cr_expect_eq(r.code, 0, "%s: %d %s", what, r.code, r.err.ptr);
	ran_release(&r);
	cr_expect_eq(crowd_unsent(s), 0, "%s", what);
	cr_expect_eq(harm(s), 0, "%s", what);
}

/* Everybody who plays asks for something. */
static void all_write(struct testbed *s, unsigned n)
{
	char who[24];

	for (unsigned i = 0; i < n; i++) {
		(void)snprintf(who, sizeof(who), "%c%u", (int)('a' + i % PLAYERS_OF_EACH),
		               i / PLAYERS_OF_EACH);
		testbed_write(s, who, "my games");
	}
}

static void refuses(const struct testbed *before, unsigned n, const char *at, const char *say)
{
	const struct smtp_rule rule = {.at = at, .say = say};
	struct testbed *s = testbed_clone(before);
	struct smtp_server *server = smtp_server_new(&rule, 1, NULL);
	char what[120];

	(void)snprintf(what, sizeof(what), "%u people, %s, %.*s", n, at,
	               (int)strcspn(say, "\r"), say);
	smtp_server_announce_pipelining(server);
	testbed_smtp(s, "", smtp_server_port(server), "");
	all_write(s, n);
	nothing_leaves(s, what);
	all_leaves(s, what);
	smtp_server_free(server);
	testbed_free(s);
}

static void say_number(unsigned i, char *out, size_t size)
{
	unsigned status = i - NCODES;

	if (i < NCODES)
		(void)snprintf(out, size, "%u no\r\n", codes[i]);
	else
		(void)snprintf(out, size, "%u %u.%u.%u no\r\n", status % 2 ? 554 : 451,
		               status % 2 ? 5 : 4, status / 2 % SUBJECTS,
		               status / 2 / SUBJECTS);
}

Test(refusing_provider, whatever_it_says_nothing_ends, .timeout = 3600)
{
	unsigned every = number_said("SWEEP_EVERY", 131), from = number_said("SWEEP_FROM", 0);
	static const unsigned sizes[] = {1, 2, PLAYERS_OF_EACH * GAMES_OF_MANY};

	signal(SIGPIPE, SIG_IGN);
	testbed_use_memory();
	for (unsigned k = 0; k < 3; k++) {
		struct testbed *s = people(sizes[k]);

		/* Of many each takes as long as of ten others. */
		for (unsigned i = from; i < (NCODES + NSTATUSES) * NSTAGES;
		     i += k < 2 ? every : 3 * every) {
			char say[60];

			say_number(i / NSTAGES, say, sizeof(say));
			refuses(s, sizes[k], stages[i % NSTAGES], say);
		}
		testbed_free(s);
	}
}

Test(refusing_provider, whatever_a_program_ends_with_nothing_ends, .timeout = 3600)
{
	unsigned every = number_said("SWEEP_EVERY", 131), from = number_said("SWEEP_FROM", 0);

	testbed_use_memory();
	for (unsigned n = 1; n <= 2; n++) {
		struct testbed *before = people(n);

		for (unsigned i = 1 + from; i < EXITS; i += every) {
			struct testbed *s = testbed_clone(before);
			struct strbuf text = STRBUF_INIT;
			char *path = testbed_path(s, "program"), what[60];

			(void)snprintf(what, sizeof(what), "%u people, exit %u", n, i);
			strbuf_addf(&text, "#!/bin/sh\ncat >/dev/null\nexit %u\n", i);
			cr_assert_eq(file_create(path, strbuf_span(&text), NULL), ERR_NONE);
			cr_assert_eq(chmod(path, 0700), 0);
			strbuf_clear(&text);
			strbuf_addf(&text, "sendmail:%s", path);
			testbed_sink(s, text.ptr);
			all_write(s, n);
			nothing_leaves(s, what);
			all_leaves(s, what);
			strbuf_release(&text);
			free(path);
			testbed_free(s);
		}
		testbed_free(before);
	}
}

/* ------------------------------------------------------------------ addresses with a + */

static const struct smtp_rule no_plus = {
    .at = "MAIL",
    .with = "+b-",
    .say = "553 5.7.1 Sender address rejected: not owned by user\r\n"};

static size_t from_plus(struct smtp_server *server)
{
	size_t n = 0;

	for (size_t i = 0; i < smtp_server_taken(server); i++)
		n += strstr(smtp_server_mail(server, i)->from.ptr, "+b-") != NULL;
	return n;
}

/* Its runs end as they like; the number of those that did not end with 0. */
static unsigned runs_that_fail(struct testbed *s, unsigned n, struct strbuf *said)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < n; i++) {
		struct ran r;

		testbed_wait(s, HOUR_S);
		testbed_do(s, "run", NULL, &r);
		failed += r.code != 0;
		strbuf_adds(said, r.err.ptr);
		ran_release(&r);
	}
	return failed;
}

Test(refusing_provider, of_addresses_with_a_plus_gets_mails_from_the_own_one)
{
	struct testbed *s;
	struct smtp_server *server = smtp_server_new(&no_plus, 1, NULL);
	struct strbuf said = STRBUF_INIT;
	struct ran r;

	signal(SIGPIPE, SIG_IGN);
	testbed_use_memory();
	s = people(2);
	testbed_smtp(s, "", smtp_server_port(server), "");
	all_write(s, 2);
	cr_expect_eq(runs_that_fail(s, 2, &said), 1, "%s", said.ptr);
	cr_expect_eq(crowd_unsent(s), 0, "the second run sends what the first could not");
	all_write(s, 2);
	cr_expect_eq(runs_that_fail(s, 1, &said), 1, "tried once more: %s", said.ptr);
	cr_expect(strstr(said.ptr, "as with sender = fixed"), "%s", said.ptr);
	cr_expect_eq(runs_that_fail(s, 1, &said), 0, "%s", said.ptr);
	for (unsigned i = 0; i < 3; i++) {
		all_write(s, 2);
		cr_expect_eq(runs_that_fail(s, 1, &said), 0, "%s", said.ptr);
	}
	cr_expect_eq(crowd_unsent(s), 0);
	cr_expect_gt(smtp_server_taken(server), 4);
	cr_expect_eq(harm(s), 0);
	testbed_do(s, "doctor", NULL, &r);
	cr_expect(strstr(r.out.ptr, "sender = fixed"), "%s", r.out.ptr);
	ran_release(&r);
	smtp_server_free(server);
	strbuf_release(&said);
	testbed_free(s);
}

/* It had taken nothing for another reason. */
Test(refusing_provider, that_takes_mail_again_gets_it_from_addresses_with_a_plus)
{
	const struct smtp_rule first = {.at = "RCPT", .times = 2, .say = "554 5.2.0 no\r\n"};
	struct testbed *s;
	struct smtp_server *server = smtp_server_new(&first, 1, NULL);
	struct strbuf said = STRBUF_INIT;

	signal(SIGPIPE, SIG_IGN);
	testbed_use_memory();
	s = people(2);
	testbed_smtp(s, "", smtp_server_port(server), "");
	all_write(s, 2);
	cr_expect_eq(runs_that_fail(s, 3, &said), 1, "%s", said.ptr);
	all_write(s, 2);
	cr_expect_eq(runs_that_fail(s, 1, &said), 0, "%s", said.ptr);
	all_write(s, 2);
	cr_expect_eq(runs_that_fail(s, 1, &said), 0, "%s", said.ptr);
	cr_expect_null(strstr(said.ptr, "sender = fixed"), "%s", said.ptr);
	cr_expect_geq(from_plus(server), 4);
	smtp_server_free(server);
	strbuf_release(&said);
	testbed_free(s);
}

Test(refusing_provider, who_says_so_in_the_configuration_loses_no_run)
{
	struct testbed *s;
	struct smtp_server *server = smtp_server_new(&no_plus, 1, NULL);
	struct strbuf said = STRBUF_INIT;

	signal(SIGPIPE, SIG_IGN);
	testbed_use_memory();
	s = people(2);
	testbed_smtp(s, "", smtp_server_port(server), "");
	testbed_configure(s, "sender = fixed");
	all_write(s, 2);
	cr_expect_eq(runs_that_fail(s, 1, &said), 0, "%s", said.ptr);
	cr_expect_eq(crowd_unsent(s), 0);
	smtp_server_free(server);
	strbuf_release(&said);
	testbed_free(s);
}
