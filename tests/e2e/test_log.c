/*
 * test_log.c - `molepost log`: a day of a server, in the order in which it happened.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/preload.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600 };

/* A game that is created, joined, played for a turn, and a question of a stranger. */
static struct testbed *day_of_a_server(void)
{
	struct testbed *s = testbed_new("log");

	table_begin(s, "ann bob");
	testbed_wait(s, HOUR_S);
	testbed_reply(s, "ann", "popup 3");
	testbed_reply(s, "bob", "popup 4");
	testbed_write(s, "cleo", "what is this?");
	testbed_run(s);
	return s;
}

/* Where a text stands behind another; NULL: it does not. */
static const char *behind(const char *at, const char *text)
{
	const char *found = at ? strstr(at, text) : NULL;

	return found ? found + strlen(text) : NULL;
}

Test(log, tells_of_mails_turns_and_runs_in_order)
{
	struct testbed *s = day_of_a_server();
	char *all = output_of(s, "log");
	const char *at = all;

	at = behind(at, "2026-03-12T19:00:00Z  in    mail 3 of player 1, W1 seat 1: orders\n");
	at = behind(at, "  in    mail 4 of player 2, W1 seat 2: orders\n");
	at = behind(at, "  in    mail 5 of a stranger: ");
	at = behind(at, "  turn  W1, turn 1 (serial 1) is over\n");
	at = behind(at, "  out   mail ");
	at = behind(at, ": report\n");
	at = behind(at, "  run   mails in 3, turns 1, mails out ");
	cr_expect_not_null(at, "%s", all);
	cr_expect_null(strstr(all, "POPUP"), "orders stand in it");
	cr_expect_null(strstr(all, "example.net"), "an address stands in it");
	free(all);
	testbed_free(s);
}

Test(log, can_be_narrowed_to_a_game_and_a_time)
{
	struct testbed *s = day_of_a_server();
	char *game, *late;

	expect(s, "game new mole players 2", 0, "");
	game = output_of(s, "log --game W1");
	cr_expect_not_null(strstr(game, "W1"));
	cr_expect_null(strstr(game, "stranger"));
	cr_expect_null(strstr(game, "  run "));
	late = output_of(s, "log --since 30m");
	cr_expect_null(strstr(late, "T18:00:00Z"));
	cr_expect_not_null(strstr(late, "T19:00:00Z"));
	testbed_wait(s, 48 * HOUR_S);
	expect(s, "log", 0, "Nothing has happened in that time.");
	expect(s, "log --since 3D", 0, "(serial 1) is over");
	expect(s, "log --game W9", 65, "there is no game");
	expect(s, "log --since yesterday", 64, "usage");
	free(game);
	free(late);
	testbed_free(s);
}

/* Clauses of mails that came to nothing, without who is in them. */
Test(log, tells_what_was_not_understood)
{
	struct testbed *s = testbed_new("not understood");

	testbed_write(s, "ann", "create whakka mole players 2 seats=join");
	testbed_run(s);
	testbed_write(s, "bob", "join 1 as bob");
	testbed_run(s);
	testbed_wait(s, 60);
	testbed_reply(s, "ann", "hello\n\nthe zebra bob of cy@example.net sleeps");
	testbed_run(s);
	char *told = output_of(s, "log --not-understood");
	cr_expect_not_null(strstr(told, "the zebra NAME of ADDRESS sleeps"), "%s", told);
	cr_expect_null(strstr(told, "example.net"), "%s", told);
	cr_expect_null(strstr(told, "hello"), "%s", told);
	free(told);
	expect(s, "log --not-understood --json", 0,
	       "\"text\":\"the zebra NAME of ADDRESS sleeps\"");
	expect(s, "log --not-understood --since 1M", 0, "");
	expect(s, "export ann@example.net", 0, "zebra");
	expect(s, "fsck", 0, "");
	testbed_wait(s, 181 * 24 * HOUR_S);
	testbed_run(s);
	expect(s, "log --not-understood --since 300D", 0, "No mail was left without");
	testbed_free(s);
}

Test(log, is_told_while_it_happens_to_who_asks_twice)
{
	struct testbed *s = testbed_new("verbose");

	testbed_write(s, "ann", "help");
	expect(s, "-v run", 0, "molepost: mails in 1, turns 0, mails out 1, failed 0\n");
	testbed_write(s, "ann", "help");
	testbed_wait(s, HOUR_S);
	expect(s, "-v -v run", 0, "molepost: in    mail 2 of a stranger: command\n");
	testbed_write(s, "ann", "help");
	testbed_wait(s, HOUR_S);
	expect(s, "-vv run", 0, "molepost: out   mail 3 to a stranger: help\n");
	testbed_free(s);
}

/* One object a line. */
Test(log, can_be_read_by_programs)
{
	struct testbed *s = day_of_a_server();

	expect(s, "log --json", 0,
	       "{\"at_utc\":1773342000,\"event\":\"in\",\"id\":3,\"game\":\"W1\",\"seat\":1,"
	       "\"player\":1,\"text\":\"orders\"}\n");
	expect(s, "log --json", 0, "\"event\":\"run\",\"mails_in\":3,\"turns\":1,");
	testbed_free(s);
}

Test(log, tells_of_troubles_and_what_was_not_sent)
{
	struct testbed *s = day_of_a_server();

	testbed_sink(s, "smtp://127.0.0.1:1/");
	testbed_write(s, "ann", "status W1");
	expect(s, "run", 75, "could not be sent");
	expect(s, "log", 0, "  told  mail could not be sent: ");
	expect(s, "game hold W1 rain", 0, "");
	expect(s, "log --game W1", 0, "  note  W1, operator: ");
	testbed_free(s);
}

Test(log, goes_to_the_system_too_where_that_is_wanted)
{
	struct testbed *s = testbed_new("syslog");
	char *path = testbed_path(s, "said");
	struct strbuf said = STRBUF_INIT;
	struct preload lib;
	struct ran r;

	preload_init(&lib, "catch_syslog.so", "SYSLOG_FILE", path);
	testbed_write(s, "ann", "help");
	testbed_do(s, "run", lib.env, &r);
	cr_expect_eq(r.code, 0);
	ran_release(&r);
	cr_expect_neq(file_read(path, 1 << 20, &said, NULL), ERR_NONE,
	              "nobody has asked for it");
	testbed_configure(s, "syslog = on");
	testbed_wait(s, HOUR_S);
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_do(s, "run", lib.env, &r);
	cr_expect_eq(r.code, 0, "%s", r.err.ptr);
	cr_expect_eq(r.err.len, 0, "%s", r.err.ptr);
	ran_release(&r);
	cr_assert_eq(file_read(path, 1 << 20, &said, NULL), ERR_NONE);
	cr_expect_not_null(strstr(said.ptr, "in    mail 2 of player 1, W1 seat 1: command\n"),
	                   "%s", said.ptr);
	cr_expect_not_null(strstr(said.ptr, "out   mail "));
	cr_expect_not_null(strstr(said.ptr, "run   mails in 1, turns 0, mails out "));
	cr_expect_null(strstr(said.ptr, "mail 1 of"), "of another run");
	cr_expect_null(strstr(said.ptr, "ann@"));
	preload_release(&lib);
	strbuf_release(&said);
	free(path);
	testbed_free(s);
}
