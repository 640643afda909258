/*
 * test_senders.c - who may write, and what the configuration makes of mails in and out.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600 };

static struct testbed *testbed_with(const char *seed, const char *line)
{
	struct testbed *s = testbed_new(seed);

	testbed_configure(s, line);
	return s;
}

/* ---- unknown_senders ---- */

Test(confirm, a_stranger_holds_a_seat_until_any_reply_confirms_it)
{
	struct testbed *s = testbed_with("confirm", "unknown_senders = confirm");

	expect_code(s, "game new whakka mole players 2", 0);
	testbed_write(s, "ann", "join W1");
	testbed_write(s, "bob", "join W1");
	cr_assert_eq(testbed_run(s), 2);
	expect(s, "game show W1", 0, "seat 1  ann                  not confirmed");
	expect(s, "game list", 0, "gathering  2/2 seats");
	expect(s, "player list", 0, "not confirmed");
	testbed_reply(s, "ann", "Thanks, looking forward to it!");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 1  ann                  plays");
	expect(s, "game list", 0, "gathering");
	testbed_reply(s, "bob", "yes");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 1 is open");
	cr_assert_not_null(strstr(testbed_last(s, "ann")->text, "POPUP"));
	testbed_free(s);
}

Test(confirm, a_mail_that_is_no_reply_confirms_nothing)
{
	struct testbed *s = testbed_with("no reply", "unknown_senders = confirm");

	expect_code(s, "game new whakka mole players 2", 0);
	testbed_write(s, "ann", "join W1");
	testbed_run(s);
	testbed_write(s, "ann", "yes");
	testbed_write(s, "ann", "status W1");
	testbed_run(s);
	expect(s, "game show W1", 0, "not confirmed");
	/* Nor does a reply by somebody else, who may know the address but not read its mail. */
	testbed_mail(s, &(struct mail_written){.who = "mallory",
	                                       .to = testbed_last(s, "ann")->reply_to,
	                                       .text = "yes"});
	testbed_run(s);
	expect(s, "game show W1", 0, "not confirmed");
	testbed_free(s);
}

Test(confirm, a_seat_is_held_for_48_hours_and_then_free_for_the_next)
{
	struct testbed *s = testbed_with("48 hours", "unknown_senders = confirm");

	expect_code(s, "game new whakka mole players 2 bots 1", 0);
	testbed_write(s, "ann", "join W1");
	testbed_run(s);
	testbed_wait(s, 48 * HOUR_S - 60);
	testbed_write(s, "bob", "join W1");
	testbed_run(s);
	cr_assert_not_null(strstr(testbed_last(s, "bob")->text, "is full"), "%s",
	                   testbed_last(s, "bob")->text);
	const struct post *welcome = testbed_last(s, "ann");
	testbed_wait(s, 120);
	testbed_write(s, "bob", "join W1");
	testbed_run(s);
	expect(s, "game show W1", 0, "bob                  not confirmed");
	/* Ann answers too late: the seat is not hers any more. */
	testbed_reply_to(s, "ann", welcome, "yes");
	testbed_run(s);
	expect(s, "game show W1", 0, "bob                  not confirmed");
	testbed_reply(s, "bob", "yes");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 1 is open");
	expect_sound(s);
	testbed_free(s);
}

Test(confirm, no_gives_the_seat_back)
{
	struct testbed *s = testbed_with("no", "unknown_senders = confirm");

	expect_code(s, "game new whakka mole players 2", 0);
	testbed_write(s, "ann", "join W1");
	testbed_run(s);
	testbed_reply(s, "ann", "no");
	testbed_run(s);
	expect(s, "game list", 0, "0/2 seats");
	testbed_free(s);
}

Test(confirm, who_is_confirmed_once_need_not_confirm_again)
{
	struct testbed *s = testbed_with("once", "unknown_senders = confirm");

	expect_code(s, "game new whakka mole players 2", 0);
	expect_code(s, "game new whakka mole players 2 bots 1", 0);
	testbed_write(s, "ann", "join W1");
	testbed_run(s);
	testbed_reply(s, "ann", "ok");
	testbed_run(s);
	testbed_write(s, "ann", "join W2");
	testbed_run(s);
	expect(s, "game show W2", 0, "serial 1 is open");
	testbed_free(s);
}

Test(known, strangers_are_ignored_and_noted)
{
	struct testbed *s = testbed_with("known", "unknown_senders = accept");

	table_begin(s, "ann bob");
	char *conf = testbed_path(s, "molepost.conf");
	struct strbuf text = STRBUF_INIT;
	cr_assert_eq(file_read(conf, 1 << 20, &text, NULL), ERR_NONE);
	unlink(conf);
	char *at = strstr(text.ptr, "unknown_senders = accept\n");
	at = strstr(text.ptr, "\nunknown_senders = accept");
	cr_assert_not_null(at);
	memcpy(at + 1, "unknown_senders = known ", 24);
	cr_assert_eq(file_create(conf, strbuf_span(&text), NULL), ERR_NONE);
	strbuf_release(&text);
	free(conf);

	testbed_write(s, "cleo", "join whakka mole"); /* mail 2 */
	testbed_write(s, "cleo", "what is this?");
	cr_assert_eq(testbed_run(s), 0);
	expect(s, "why m2@mua.example.net", 0, "stranger");
	expect(s, "player show cleo@example.net", 65, "no player");
	table_order(s, "ann bob");
	cr_assert_eq(testbed_run(s), 2);
	testbed_free(s);
}

/* ---- plus_address, shared_address ---- */

Test(plus_address, off_lets_in_reply_to_carry_the_turn)
{
	struct testbed *s = testbed_with("plus off", "plus_address = off");

	table_begin(s, "ann bob");
	table_begin(s, "ann bob"); /* two games: the address alone does not say which */
	for (size_t i = 0; i < s->nposts; i++)
		cr_assert_null(strchr(s->posts[i]->reply_to, '+'), "%s", s->posts[i]->reply_to);
	const struct post *first = testbed_find(s, "ann", "W1");
	cr_assert_not_null(first);
	testbed_reply_to(s, "ann", first, "popup 3");
	testbed_reply_to(s, "bob", testbed_find(s, "bob", "W1"), "popup 4");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 2 is open");
	expect(s, "game show W2", 0, "serial 1 is open");
	/* Late, to the same old report: it is for turn 1, never for turn 2. */
	testbed_reply_to(s, "ann", first, "popup 5");
	testbed_run(s);
	cr_assert_not_null(testbed_find(s, "ann", "too late"));
	testbed_free(s);
}

Test(shared_address, on_lets_one_address_hold_two_seats)
{
	struct testbed *s = testbed_with("shared", "shared_address = on");
	const struct post *one, *two;

	expect_code(s, "game new whakka mole players 2", 0);
	testbed_write(s, "ann", "join W1 as Ann");
	testbed_write(s, "ann", "join W1 as Ben");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 2  Ben");
	cr_assert_geq(s->nposts, 4);
	one = s->posts[s->nposts - 2];
	two = s->posts[s->nposts - 1];
	cr_assert_str_neq(one->reply_to, two->reply_to);
	testbed_reply_to(s, "ann", one, "popup 3");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 1 is open");
	testbed_reply_to(s, "ann", two, "popup 4");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 2 is open");
	testbed_free(s);
}

Test(shared_address, off_refuses_a_second_seat)
{
	struct testbed *s = testbed_new("not shared");

	expect_code(s, "game new whakka mole players 2", 0);
	testbed_write(s, "ann", "join W1 as Ann");
	testbed_write(s, "ann", "join W1 as Ben");
	testbed_run(s);
	expect(s, "game list", 0, "1/2 seats");
	cr_assert_not_null(strstr(testbed_last(s, "ann")->text, "You are in W1 already"));
	testbed_free(s);
}

/* ---- subject, charset ---- */

static const char *bare_subject(const struct post *p)
{
	return strncmp(p->subject, "Re: ", 4) == 0 ? p->subject + 4 : p->subject;
}

Test(subject, fixed_keeps_one_subject_for_a_whole_game)
{
	struct testbed *s = testbed_with("fixed", "subject = fixed");

	table_begin(s, "ann bob");
	const char *subject = bare_subject(testbed_last(s, "ann"));
	for (unsigned turn = 1; turn <= 3; turn++) {
		table_order(s, "ann bob");
		testbed_run(s);
	}
	for (size_t i = 0; i < s->nposts; i++)
		cr_assert_str_eq(bare_subject(s->posts[i]), subject);
	testbed_free(s);
}

Test(charset, ascii_sends_nothing_else)
{
	struct testbed *s = testbed_with("ascii", "charset = ascii");

	expect_code(s, "game new whakka mole players 2", 0);
	testbed_write(s, "ann", "join W1 as Jörg");
	testbed_write(s, "bob", "join W1 as Zoë");
	testbed_run(s);
	table_order(s, "ann bob");
	testbed_run(s);
	cr_assert_geq(s->nposts, 6);
	for (size_t i = 0; i < s->nposts; i++)
		for (size_t k = 0; k < s->posts[i]->raw_len; k++)
			cr_assert_lt((unsigned char)s->posts[i]->raw[k], 128, "%s",
			             s->posts[i]->text);
	for (size_t i = 0; i < s->nposts; i++)
		for (const char *c = s->posts[i]->text; *c; c++)
			cr_assert_lt((unsigned char)*c, 128, "%s", s->posts[i]->text);
	testbed_free(s);
}

/* ---- several sources ---- */

/* A mail into any folder of the testbed, arrived then. */
static void drop_in(struct testbed *s, const char *folder, const char *who, int64_t arrived_utc,
                    const char *text)
{
	struct strbuf raw = STRBUF_INIT, path = STRBUF_INIT;
	struct timespec times[2] = {{.tv_sec = (time_t)arrived_utc},
	                            {.tv_sec = (time_t)arrived_utc}};

	strbuf_addf(&path, "%s/new/%u.x", folder, s->written);
	char *file = testbed_path(s, path.ptr);
	testbed_compose(s, &(struct mail_written){.who = who, .text = text}, &raw);
	s->written++;
	cr_assert_eq(file_create(file, strbuf_span(&raw), NULL), ERR_NONE);
	cr_assert_eq(utimensat(AT_FDCWD, file, times, 0), 0);
	free(file);
	strbuf_release(&path);
	strbuf_release(&raw);
}

static void make_maildir(struct testbed *s, const char *name)
{
	static const char *const parts[] = {"", "/tmp", "/new", "/cur"};

	for (size_t i = 0; i < 4; i++) {
		struct strbuf sub = STRBUF_INIT;
		strbuf_addf(&sub, "%s%s", name, parts[i]);
		char *path = testbed_path(s, sub.ptr);
		cr_assert_eq(mkdir(path, 0700), 0);
		free(path);
		strbuf_release(&sub);
	}
}

Test(sources, are_read_together_in_order_of_arrival)
{
	struct testbed *s = testbed_with("sources", "source = maildir:second");
	int64_t t = s->now_utc - 100;

	make_maildir(s, "second");
	expect_code(s, "game new whakka mole players 5", 0);
	drop_in(s, "second", "bob", t + 2, "join W1");
	drop_in(s, "mail", "edda", t + 5, "join W1");
	drop_in(s, "mail", "ann", t + 1, "join W1");
	drop_in(s, "spool", "cleo", t + 3, "join W1");
	drop_in(s, "second", "dag", t + 4, "join W1");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 1  ann");
	expect(s, "game show W1", 0, "seat 2  bob");
	expect(s, "game show W1", 0, "seat 3  cleo");
	expect(s, "game show W1", 0, "seat 4  dag");
	expect(s, "game show W1", 0, "seat 5  edda");
	cr_assert_eq(files_in(s, "second/cur"), 2);
	testbed_free(s);
}

Test(sources, the_same_mail_in_two_of_them_counts_once)
{
	struct testbed *s = testbed_with("same", "source = maildir:second");

	make_maildir(s, "second");
	drop_in(s, "mail", "ann", s->now_utc - 2, "create whakka mole players 2");
	s->written--;
	drop_in(s, "second", "ann", s->now_utc - 1, "create whakka mole players 2");
	cr_assert_eq(testbed_run(s), 1);
	cr_assert_eq(files_in(s, "second/new"), 0);
	expect(s, "why m0@mua.example.net", 0, "duplicate");
	testbed_free(s);
}

/* 2,500 mails in one source, and some in the other that arrived between them. */
Test(sources, keep_the_order_across_many_batches, .timeout = 600)
{
	struct testbed *s = testbed_with("batches", "source = maildir:second");
	int64_t t = s->now_utc - 5000;

	make_maildir(s, "second");
	expect_code(s, "game new whakka mole players 4", 0);
	for (unsigned i = 0; i < 2500; i++)
		drop_in(s, "mail", "zoe", t + 2 * i, "hello there");
	drop_in(s, "second", "dag", t + 4801, "join W1");
	drop_in(s, "second", "bob", t + 2401, "join W1");
	drop_in(s, "mail", "cleo", t + 4500, "join W1");
	drop_in(s, "mail", "ann", t + 3, "join W1");
	testbed_run(s);
	expect(s, "game show W1", 0, "seat 1  ann");
	expect(s, "game show W1", 0, "seat 2  bob");
	expect(s, "game show W1", 0, "seat 3  cleo");
	expect(s, "game show W1", 0, "seat 4  dag");
	cr_assert_eq(files_in(s, "mail/new"), 0);
	testbed_free(s);
}

Test(sources, one_that_is_gone_stops_the_clocks_of_all)
{
	struct testbed *s = testbed_new("one gone");

	table_begin(s, "ann bob");
	testbed_configure(s, "source = maildir:second");
	testbed_wait(s, 4 * 24 * HOUR_S);
	expect(s, "run", 75, "no deadline is acted on");
	expect(s, "game show W1", 0, "serial 1 is open");
	make_maildir(s, "second");
	expect(s, "run", 0, NULL);
	expect(s, "game show W1", 0, "serial 2 is open");
	testbed_free(s);
}
