/*
 * test_backup.c - a copy of the database, put back after a loss and brought up to date.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600, COPY_MAX = 64 << 20 };

static void take_backup(struct testbed *s)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "backup %s/copy.db", s->scratch);
	expect(s, words.ptr, 0, "useless without the key file");
	strbuf_release(&words);
}

static void remove_file(struct testbed *s, const char *name)
{
	char *path = testbed_path(s, name);

	unlink(path);
	free(path);
}

/* What molepost(1) tells to do: the copy in its place, the log of the lost database away. */
static void put_back(struct testbed *s)
{
	struct strbuf copy = STRBUF_INIT, from = STRBUF_INIT;
	char *to = testbed_path(s, "molepost.db");

	strbuf_addf(&from, "%s/copy.db", s->scratch);
	cr_assert_eq(file_read(from.ptr, COPY_MAX, &copy, NULL), ERR_NONE);
	remove_file(s, "molepost.db");
	remove_file(s, "molepost.db-wal");
	remove_file(s, "molepost.db-shm");
	cr_assert_eq(file_create(to, strbuf_span(&copy), NULL), ERR_NONE);
	strbuf_release(&copy);
	strbuf_release(&from);
	free(to);
}

static char *archive_of(struct testbed *s, const char *game)
{
	struct strbuf text = STRBUF_INIT;

	testbed_archive(s, game, &text);
	return strbuf_detach(&text);
}

Test(backup, is_taken_while_a_run_is_at_work_and_is_sound)
{
	struct testbed *s = testbed_new("at work");
	const char *run[] = {"run", NULL};
	struct ran r;

	table_begin(s, "ann bob cleo");
	for (unsigned i = 0; i < 200; i++)
		testbed_write(s, "ann", "list");
	pid_t pid = testbed_start(s, run, NULL);
	take_backup(s);
	testbed_finish(s, pid, &r);
	cr_assert_eq(r.code, 0);
	ran_release(&r);
	put_back(s);
	expect(s, "fsck", 0, "sound");
	testbed_free(s);
}

Test(backup, does_not_overwrite_a_file)
{
	struct testbed *s = testbed_new("no overwrite");

	take_backup(s);
	struct strbuf words = STRBUF_INIT;
	strbuf_addf(&words, "backup %s/copy.db", s->scratch);
	expect(s, words.ptr, 65, "exists");
	strbuf_release(&words);
	expect_code(s, "backup", 64);
	expect_code(s, "backup --help", 0);
	testbed_free(s);
}

/* Two whole turns are played after the copy: their orders answer reports the copy does not know. */
Test(restore, replays_the_turns_played_since_and_ends_at_the_same_record)
{
	struct testbed *s = testbed_new("turns since");
	char *before, *after;

	table_begin(s, "ann bob cleo");
	table_order(s, "ann bob cleo");
	testbed_run(s);
	take_backup(s);
	for (unsigned turn = 2; turn <= 4; turn++) {
		testbed_wait(s, 3600);
		table_order(s, "ann bob cleo");
		testbed_run(s);
	}
	testbed_reply(s, "ann", "popup 5");
	testbed_run(s);
	before = archive_of(s, "W1");
	testbed_wait(s, 1800);
	put_back(s);
	expect(s, "game show W1", 0, "serial 2 is open");
	expect(s, "run --reread", 0, NULL);
	expect(s, "game show W1", 0, "serial 5 is open");
	after = archive_of(s, "W1");
	cr_assert_str_eq(before, after);
	expect(s, "fsck", 0, "sound");
	free(before);
	free(after);
	testbed_free(s);
}

static void minute_and_run(struct testbed *s)
{
	testbed_run(s);
	testbed_wait(s, 60);
}

/* The code of a question follows from what was asked, so the yes in the kept mail fits it again. */
Test(restore, replays_held_mail_with_the_yes_to_it)
{
	struct testbed *s = testbed_new("held since");
	char *before, *after;

	table_begin(s, "ann bob");
	take_backup(s);
	testbed_wait(s, 60);
	testbed_mail(s, &(struct mail_written){.who = "annwork",
	                                       .to = testbed_last(s, "ann")->reply_to,
	                                       .text = "popup 3, whack 5"});
	minute_and_run(s);
	testbed_reply(s, "ann", "yes");
	minute_and_run(s);
	testbed_write(s, "ann", "i am also annwork@example.net");
	minute_and_run(s);
	testbed_reply(s, "ann", "yes");
	testbed_reply(s, "annwork", "yes");
	minute_and_run(s);
	table_order(s, "bob");
	minute_and_run(s);
	expect(s, "game show W1", 0, "serial 2 is open");
	before = archive_of(s, "W1");
	put_back(s);
	expect(s, "run --reread", 0, NULL);
	after = archive_of(s, "W1");
	cr_assert_str_eq(before, after);
	expect(s, "player show ann@example.net", 0, "also   annwork@example.net");
	expect(s, "fsck", 0, "sound");
	free(before);
	free(after);
	testbed_free(s);
}

/* Bob has sent orders and is put out; eve has his seat from her yes on, and her orders came before. */
static struct testbed *taken_over_since(void)
{
	struct testbed *s = testbed_new("taken over since");

	table_found(s, "ann bob cy", "create whakka mole players 3 next 1d");
	testbed_configure(s, "known_senders = confirm");
	testbed_write(s, "eve", "observe w1");
	minute_and_run(s);
	table_order(s, "bob");
	minute_and_run(s);
	take_backup(s);
	testbed_reply(s, "ann", "eject bob unrated");
	minute_and_run(s);
	testbed_reply(s, "ann", "yes");
	testbed_write(s, "eve", "takeover w1\npopup 1; whack 2");
	minute_and_run(s);
	testbed_wait(s, 3600);
	testbed_reply(s, "eve", "yes");
	minute_and_run(s);
	table_order(s, "ann cy");
	minute_and_run(s);
	return s;
}

Test(restore, replays_a_seat_taken_over_with_a_yes)
{
	struct testbed *s = taken_over_since();
	char *before = archive_of(s, "W1"), *after;

	expect(s, "game show W1", 0, "serial 2 is open");
	put_back(s);
	expect(s, "run --reread", 0, NULL);
	expect(s, "game show W1", 0, "serial 2 is open");
	expect(s, "game show W1", 0, "eve");
	after = archive_of(s, "W1");
	cr_assert_str_eq(before, after);
	cr_expect_eq(testbed_verify(s, span_of(after)), 0);
	expect(s, "fsck", 0, "sound");
	free(before);
	free(after);
	testbed_free(s);
}

/* Bob misses turn 3: what was resolved by its deadline is so again. */
Test(restore, replays_a_turn_that_was_closed_by_its_deadline)
{
	struct testbed *s = testbed_new("deadline since");

	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_run(s);
	take_backup(s);
	table_order(s, "ann bob");
	testbed_run(s);
	table_order(s, "ann");
	testbed_run(s);
	testbed_wait(s, 3 * DAY_S + 600);
	testbed_run(s);
	testbed_wait(s, 60);
	testbed_reply(s, "bob", "popup 9");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 4 is open");
	put_back(s);
	expect(s, "run --reread", 0, NULL);
	expect(s, "game show W1", 0, "serial 4 is open");
	expect(s, "game show W1", 0, "seat 1  ann                  plays, orders awaited");
	char *show = output_of(s, "game show W1");
	cr_assert_null(strstr(show, "bob                  plays, orders awaited"), "%s", show);
	free(show);
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

/* Orders in a mail of their own belong to the turn that was open when they arrived. */
Test(restore, counts_orders_that_name_no_turn_for_the_turn_of_their_time)
{
	struct testbed *s = testbed_new("no turn named");

	table_begin(s, "ann bob");
	take_backup(s);
	for (unsigned turn = 1; turn <= 3; turn++) {
		testbed_wait(s, 3600);
		testbed_write(s, "ann", "signon W1\npopup 1");
		testbed_wait(s, 60);
		testbed_write(s, "bob", "signon W1\npopup 2");
		testbed_run(s);
	}
	char *before = archive_of(s, "W1");
	put_back(s);
	expect(s, "run --reread", 0, NULL);
	char *after = archive_of(s, "W1");
	cr_assert_str_eq(before, after);
	free(before);
	free(after);
	testbed_free(s);
}

Test(restore, deals_with_mail_that_came_in_meanwhile)
{
	struct testbed *s = testbed_new("meanwhile");

	table_begin(s, "ann bob");
	take_backup(s);
	table_order(s, "ann bob");
	testbed_run(s);
	testbed_wait(s, 4 * DAY_S); /* the machine is down */
	testbed_reply(s, "ann", "popup 5");
	put_back(s);
	expect(s, "run --reread", 0, NULL);
	/* It answered turn 2, which was open when ann wrote, and after its deadline. */
	testbed_collect(s);
	cr_assert_not_null(testbed_find(s, "ann", "too late"), "%s",
	                   testbed_last(s, "ann")->subject);
	expect_code(s, "fsck", 0);
	testbed_free(s);
}

Test(restore, applies_nothing_twice_when_it_is_repeated)
{
	struct testbed *s = testbed_new("repeated");

	table_begin(s, "ann bob");
	take_backup(s);
	table_order(s, "ann bob");
	testbed_run(s);
	put_back(s);
	expect(s, "run --reread", 0, NULL);
	testbed_collect(s);
	char *before = archive_of(s, "W1");
	size_t mails = s->nposts;
	expect(s, "run --reread", 0, NULL);
	cr_assert_eq(testbed_collect(s), 0);
	cr_assert_eq(s->nposts, mails);
	char *after = archive_of(s, "W1");
	cr_assert_str_eq(before, after);
	free(before);
	free(after);
	testbed_free(s);
}

Test(reread, of_a_healthy_server_changes_no_game_and_sends_nothing)
{
	struct testbed *s = testbed_new("healthy");

	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_run(s);
	table_order(s, "bob");
	testbed_run(s);
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	testbed_dump(s, &before);
	expect(s, "run --reread", 0, NULL);
	cr_assert_eq(testbed_collect(s), 0);
	testbed_dump(s, &after);
	cr_assert_str_eq(before.ptr, after.ptr);
	strbuf_release(&before);
	strbuf_release(&after);
	testbed_free(s);
}

/* keep_mail = 0: nothing to read again, which is not an error. */
Test(reread, without_kept_mail_does_nothing)
{
	struct testbed *s = testbed_new("kept nothing");

	testbed_configure(s, "keep_mail = 0");
	table_begin(s, "ann bob");
	take_backup(s);
	table_order(s, "ann bob");
	testbed_run(s);
	testbed_wait(s, 1);
	testbed_run(s);
	cr_assert_eq(files_in(s, "mail/cur"), 0);
	put_back(s);
	expect(s, "run --reread", 0, NULL);
	expect(s, "game show W1", 0, "serial 1 is open");
	testbed_free(s);
}

/* A kept mail that kills is set aside here too. */
Test(restore, sets_aside_a_kept_mail_that_kills)
{
	struct testbed *s = testbed_new("killer");
	unsigned n = 0;

	table_begin(s, "ann bob");
	take_backup(s);
	table_order(s, "ann"); /* <m2@...> */
	table_order(s, "bob");
	testbed_run(s);
	put_back(s);
	for (;; n++) {
		struct ran r;
		const char *const env[] = {"MOLEPOST_TEST_ABORT_ON=<m2@mua.example.net>", NULL};

		testbed_do(s, "run --reread", env, &r);
		int code = r.code;
		ran_release(&r);
		if (code == 0)
			break;
		cr_assert_lt(n, 6u);
	}
	cr_assert_eq(n, 3);
	expect(s, "why m2@mua.example.net", 0, "quarantined");
	char *show = output_of(s, "game show W1");
	cr_assert_null(strstr(show, "bob                  plays, orders awaited"), "%s", show);
	free(show);
	testbed_free(s);
}

/* ---- several copies, and restore ---- */

static void in_scratch(struct testbed *s, const char *before, const char *name, int code,
                       const char *text)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_addf(&words, "%s %s/%s", before, s->scratch, name);
	expect(s, words.ptr, code, text);
	strbuf_release(&words);
}

static size_t copies_in(struct testbed *s, const char *folder)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "../%s", folder);
	size_t n = files_in(s, path.ptr);
	strbuf_release(&path);
	return n;
}

Test(backup, keeps_several_in_a_folder_and_minds_none_that_was_cut_short)
{
	struct testbed *s = testbed_new("generations");
	struct strbuf name = STRBUF_INIT;

	table_begin(s, "ann bob");
	strbuf_addf(&name, "%s/copies", s->scratch);
	cr_assert_eq(file_mkdir(name.ptr, NULL), ERR_NONE);
	strbuf_adds(&name, "/molepost.new");
	cr_assert_eq(file_create(name.ptr, SPAN_LIT("half a copy"), NULL), ERR_NONE);
	strbuf_release(&name);
	for (int day = 0; day < 9; day++) {
		in_scratch(s, "backup", "copies", 0, "useless without the key file");
		testbed_wait(s, DAY_S);
	}
	cr_expect_eq(copies_in(s, "copies"), 7);
	in_scratch(s, "backup --keep 3", "copies", 0, "molepost-20260321T180000Z.db");
	cr_expect_eq(copies_in(s, "copies"), 3);
	in_scratch(s, "backup --keep 0", "copies", 64, "usage");
	in_scratch(s, "backup --keep 3", "nowhere", 64, "usage");
	testbed_free(s);
}

Test(backup, comes_back_with_one_command)
{
	struct testbed *s = testbed_new("one command");

	table_begin(s, "ann bob");
	take_backup(s);
	table_order(s, "ann bob");
	testbed_run(s);
	expect(s, "game show W1", 0, "serial 2 is open");
	in_scratch(s, "restore", "copy.db", 0, "Next: molepost doctor");
	expect(s, "game show W1", 0, "serial 1 is open");
	expect_sound(s);
	expect(s, "run --reread", 0, NULL);
	testbed_collect(s);
	expect(s, "game show W1", 0, "serial 2 is open");
	expect_sound(s);
	/* Twice, and with the present one gone. */
	in_scratch(s, "restore", "copy.db", 0, "Next");
	remove_file(s, "molepost.db");
	in_scratch(s, "restore", "copy.db", 0, "Next");
	expect(s, "game show W1", 0, "serial 1 is open");
	in_scratch(s, "restore", "no-such.db", 65, "no-such.db");
	in_scratch(s, "restore", "play/molepost.conf", 65, "molepost.conf");
	expect_sound(s);
	testbed_free(s);
}

Test(backup, of_another_server_is_refused)
{
	struct testbed *s = testbed_new("mine"), *other = testbed_new("theirs");
	struct strbuf words = STRBUF_INIT;

	take_backup(other);
	strbuf_addf(&words, "restore %s/copy.db", other->scratch);
	expect(s, words.ptr, 78, "the key file is not the one that database");
	expect_sound(s);
	strbuf_release(&words);
	testbed_free(other);
	testbed_free(s);
}

/* Killed at each step in turn: started again it is done, nothing is torn, and both databases are there. */
Test(backup, restore_can_be_killed)
{
	struct testbed *s = testbed_new("killed restore");
	struct strbuf copy = STRBUF_INIT;
	bool killed = true;
	unsigned n;

	table_begin(s, "ann bob");
	take_backup(s);
	table_order(s, "ann bob");
	testbed_run(s);
	strbuf_addf(&copy, "restore %s/copy.db", s->scratch);
	for (n = 1; killed && n < 40; n++) {
		struct testbed *c = testbed_clone(s);
		char setting[64];
		struct ran r;

		(void)snprintf(setting, sizeof(setting), "MOLEPOST_TEST_STOP_AT=%u", n);
		const char *const env[] = {setting, NULL};
		testbed_do(c, copy.ptr, env, &r);
		killed = r.signal == SIGKILL;
		ran_release(&r);
		expect(c, copy.ptr, 0, "Next: molepost doctor");
		expect(c, "game show W1", 0, "serial 1 is open");
		expect_sound(c);
		/* What was there first is still beside it. */
		char *before = testbed_path(c, "molepost.db.before");
		struct strbuf back = STRBUF_INIT;
		strbuf_addf(&back, "restore %s", before);
		expect(c, back.ptr, 0, "Next");
		expect(c, "game show W1", 0, "serial 2 is open");
		strbuf_release(&back);
		free(before);
		testbed_free(c);
	}
	cr_expect(n > 4 && n < 40, "%u steps", n);
	strbuf_release(&copy);
	testbed_free(s);
}
