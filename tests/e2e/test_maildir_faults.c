/*
 * test_maildir_faults.c - nothing that lies in a Maildir stops a clock for good.
 *
 * A game is open whose deadline has passed; beside it lies what a mailbox should not hold. After three
 * runs at most the turn is resolved, the mail is dealt with or set aside, and the operator has been told
 * once.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/crowd.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600, MOST_RUNS = 3 };

static struct testbed *testbed_with_turn_due(void)
{
	struct testbed *s = testbed_new("maildir faults");

	table_begin(s, "ann bob");
	testbed_reply(s, "ann", "popup 3");
	testbed_run(s);
	testbed_wait(s, 4 * DAY_S);
	return s;
}

/* Runs until one is silent; how many were not. `lines` is what they said. */
static unsigned run_until_silent(struct testbed *s, struct strbuf *lines)
{
	unsigned n = 0;
	size_t said;

	do {
		struct ran r;

		testbed_do(s, "run", NULL, &r);
		said = r.err.len;
		strbuf_add_span(lines, strbuf_span(&r.err));
		cr_assert(r.code == 0 || r.code == 75, "%d: %s", r.code, r.err.ptr);
		ran_release(&r);
		testbed_wait(s, 300);
	} while (said > 0 && ++n <= MOST_RUNS);
	return n;
}

static unsigned count(const struct strbuf *text, const char *words)
{
	unsigned n = 0;

	for (const char *at = text->ptr; (at = strstr(at, words)) != NULL; at++)
		n++;
	return n;
}

static void expect_clock_runs(struct testbed *s)
{
	expect(s, "game show W1", 0, "serial 2 is open");
	expect_sound(s);
}

static char *write_mail(struct testbed *s, const char *name)
{
	struct strbuf raw = STRBUF_INIT, path = STRBUF_INIT;

	testbed_compose(s, &(struct mail_written){.who = "cleo", .text = "list"}, &raw);
	testbed_drop(s, name, strbuf_span(&raw), s->now_utc);
	strbuf_addf(&path, "mail/new/%s", name);
	strbuf_release(&raw);
	char *whole = testbed_path(s, path.ptr);
	strbuf_release(&path);
	return whole;
}

/* There is no room for flags behind it. */
Test(maildir_faults, a_name_of_255_bytes_is_a_mail_like_others)
{
	struct testbed *s = testbed_with_turn_due();
	struct strbuf lines = STRBUF_INIT;
	char name[256];

	memset(name, 'x', 255);
	name[255] = '\0';
	free(write_mail(s, name));
	cr_expect_eq(run_until_silent(s, &lines), 0, "%s", lines.ptr);
	expect_clock_runs(s);
	cr_expect_eq(files_in(s, "mail/new"), 0);
	testbed_collect(s);
	cr_expect(testbed_find(s, "cleo", ""));
	strbuf_release(&lines);
	testbed_free(s);
}

Test(maildir_faults, a_folder_where_the_file_should_go_is_gone_round)
{
	struct testbed *s = testbed_with_turn_due();
	struct strbuf lines = STRBUF_INIT;
	char *in_the_way = testbed_path(s, "mail/cur/m1:2,S");

	free(write_mail(s, "m1"));
	cr_assert_eq(mkdir(in_the_way, 0700), 0);
	cr_expect_eq(run_until_silent(s, &lines), 0, "%s", lines.ptr);
	expect_clock_runs(s);
	cr_expect_eq(files_in(s, "mail/new"), 0);
	strbuf_release(&lines);
	free(in_the_way);
	testbed_free(s);
}

/* Not even round it: both places are taken, and the mail stays where it is, dealt with once. */
Test(maildir_faults, a_mail_that_cannot_be_moved_stays_and_is_dealt_with_once)
{
	struct testbed *s = testbed_with_turn_due();
	struct strbuf lines = STRBUF_INIT;
	char *a = testbed_path(s, "mail/cur/m1:2,S"), *b = testbed_path(s, "mail/cur/m1:2,FS");

	free(write_mail(s, "m1"));
	cr_assert_eq(mkdir(a, 0700), 0);
	cr_assert_eq(mkdir(b, 0700), 0);
	cr_expect_eq(run_until_silent(s, &lines), 1, "%s", lines.ptr);
	cr_expect_eq(count(&lines, "m1 has been dealt with and stays in new/"), 1);
	expect_clock_runs(s);
	cr_expect_eq(files_in(s, "mail/new"), 1);
	cr_assert_eq(rmdir(b), 0);
	cr_expect_eq(run_until_silent(s, &lines), 0);
	cr_expect_eq(files_in(s, "mail/new"), 0);
	testbed_collect(s);
	size_t answers = 0;
	for (size_t i = 0; i < s->nposts; i++)
		answers += strcmp(s->posts[i]->who, "cleo") == 0;
	cr_expect_eq(answers, 1);
	strbuf_release(&lines);
	free(a);
	free(b);
	testbed_free(s);
}

Test(maildir_faults, a_file_that_cannot_be_read_is_set_aside_after_three_runs)
{
	struct testbed *s = testbed_with_turn_due();
	struct strbuf lines = STRBUF_INIT;
	char *path = write_mail(s, "m1");

	testbed_without_rights(s);
	cr_assert_eq(chmod(path, 0), 0);
	expect(s, "run", 75, "cannot open mail m1: Permission denied");
	expect(s, "game show W1", 0, "serial 1 is open");
	expect(s, "run", 75, NULL);
	/* It has been told once; from here on doctor names it. */
	cr_expect_eq(run_until_silent(s, &lines), 0, "%s", lines.ptr);
	expect_clock_runs(s);
	expect(s, "doctor", 65, "molepost why 'm1'");
	expect(s, "why m1", 0, "cannot open mail m1");
	cr_expect_eq(files_in(s, "mail/new"), 0);
	strbuf_release(&lines);
	free(path);
	testbed_free(s);
}

/* It becomes readable before its time is up. */
Test(maildir_faults, a_file_that_can_be_read_again_is_a_mail_like_others)
{
	struct testbed *s = testbed_with_turn_due();
	struct strbuf lines = STRBUF_INIT;
	char *path = write_mail(s, "m1");

	testbed_without_rights(s);
	cr_assert_eq(chmod(path, 0), 0);
	expect(s, "run", 75, "in the third run that cannot read it");
	expect(s, "run", 75, NULL);
	cr_assert_eq(chmod(path, 0600), 0);
	cr_expect_eq(run_until_silent(s, &lines), 0, "%s", lines.ptr);
	expect_clock_runs(s);
	testbed_collect(s);
	cr_expect(testbed_find(s, "cleo", ""));
	strbuf_release(&lines);
	free(path);
	testbed_free(s);
}

/* What was written down of it is worth no clock. */
Test(maildir_faults, damaged_notes_of_them_are_passed_over)
{
	struct testbed *s = testbed_with_turn_due();
	struct strbuf lines = STRBUF_INIT;
	char *path = write_mail(s, "m1");

	testbed_without_rights(s);
	cr_assert_eq(chmod(path, 0), 0);
	expect(s, "run", 75, "in the third run that cannot read it");
	crowd_sql(s, "UPDATE mailbox_states SET state = 'unread x' || char(10) || 'junk'");
	expect(s, "run", 75, NULL); /* the first again */
	expect(s, "run", 75, NULL);
	cr_expect_eq(run_until_silent(s, &lines), 0, "%s", lines.ptr);
	expect_clock_runs(s);
	strbuf_release(&lines);
	free(path);
	testbed_free(s);
}

/* More than are written down: the fault of the folder, and still no reason to stop a clock. */
Test(maildir_faults, many_mails_that_cannot_be_moved_stop_no_clock, .timeout = 300)
{
	enum { MAILS = 1100 };
	struct testbed *s = testbed_with_turn_due();
	char *cur = testbed_path(s, "mail/cur");
	struct ran r;

	testbed_without_rights(s);
	for (unsigned i = 0; i < MAILS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%u", i);
		free(write_mail(s, name));
	}
	cr_assert_eq(chmod(cur, 0500), 0);
	testbed_do(s, "run", NULL, &r);
	struct strbuf said = STRBUF_INIT;
	strbuf_adds(&said, r.err.ptr);
	cr_expect_eq(r.code, 0, "%s", r.err.ptr);
	cr_expect_eq(count(&said, "stays in new/"), 1, "%s", r.err.ptr);
	expect(s, "game show W1", 0, "serial 2 is open");
	ran_release(&r);
	cr_assert_eq(chmod(cur, 0700), 0);
	testbed_do(s, "run", NULL, &r);
	ran_release(&r);
	cr_expect_eq(files_in(s, "mail/new"), 0);
	expect_sound(s);
	strbuf_release(&said);
	free(cur);
	testbed_free(s);
}

Test(maildir_faults, what_is_no_file_is_left_alone)
{
	struct testbed *s = testbed_with_turn_due();
	struct strbuf lines = STRBUF_INIT;
	char *folder = testbed_path(s, "mail/new/folder"),
	     *pipe = testbed_path(s, "mail/new/pipe"), *link = testbed_path(s, "mail/new/link"),
	     *hidden = testbed_path(s, "mail/new/.hidden"),
	     *other = testbed_path(s, "mail/.Sent");

	cr_assert_eq(mkdir(folder, 0700), 0);
	cr_assert_eq(mkdir(hidden, 0700), 0);
	cr_assert_eq(mkdir(other, 0), 0);
	cr_assert_eq(mkfifo(pipe, 0600), 0);
	cr_assert_eq(symlink("/nowhere", link), 0);
	cr_expect_eq(run_until_silent(s, &lines), 0, "%s", lines.ptr);
	expect_clock_runs(s);
	strbuf_release(&lines);
	free(folder);
	free(pipe);
	free(link);
	free(hidden);
	free(other);
	testbed_free(s);
}

/* Files that are no mails of anybody, and as many folders. */
Test(maildir_faults, a_crowded_folder_is_gone_through, .timeout = 600)
{
	enum { FILES = 20000, FOLDERS = 20000 };
	struct testbed *s;
	struct strbuf lines = STRBUF_INIT;

	testbed_use_memory();
	s = testbed_with_turn_due();
	char *dir = testbed_path(s, "mail/new");
	int at = open(dir, O_RDONLY | O_DIRECTORY);
	for (unsigned i = 0; i < FILES + FOLDERS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "n%u", i);
		if (i < FOLDERS)
			cr_assert_eq(mkdirat(at, name, 0700), 0);
		else
			close(openat(at, name, O_CREAT | O_WRONLY, 0600));
	}
	close(at);
	cr_expect_eq(run_until_silent(s, &lines), 0, "%s", lines.ptr);
	expect_clock_runs(s);
	cr_expect_eq(files_in(s, "mail/new"), FOLDERS);
	strbuf_release(&lines);
	free(dir);
	testbed_free(s);
}
