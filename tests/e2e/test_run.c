/*
 * test_run.c - `molepost run` and `molepost receive` as cron and a mail server start them.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/subprocess.h"
#include "processor/server/lock.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"
#include "tests/support/testbed_files.h"

enum { DAY_S = 24 * 3600 };

/* ---- two at once ---- */

static int hold_lock(struct testbed *s, const char *name)
{
	char *path = testbed_path(s, name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0);
	cr_assert_eq(flock(fd, LOCK_EX), 0);
	free(path);
	return fd;
}

Test(two_runs, the_second_leaves_at_once_and_quietly)
{
	struct testbed *s = testbed_new("two");
	int fd = hold_lock(s, "molepost.db.lock");

	testbed_write(s, "ann", "list");
	expect(s, "run", 0, NULL);
	cr_assert_eq(files_in(s, "mail/new"), 1);
	cr_assert_eq(files_in(s, "outbox/new"), 0);
	close(fd);
	cr_assert_eq(testbed_run(s), 1);
	testbed_free(s);
}

Test(two_runs, mail_is_taken_in_while_another_run_still_sends)
{
	struct testbed *s = testbed_new("sending");
	int fd = hold_lock(s, "molepost.db.lock.send");

	testbed_write(s, "ann", "list");
	expect(s, "run", 0, NULL);
	cr_assert_eq(files_in(s, "mail/new"), 0);
	cr_assert_eq(files_in(s, "outbox/new"), 0);
	close(fd);
	cr_assert_eq(testbed_run(s), 1);
	testbed_free(s);
}

Test(two_runs, really_at_the_same_time_do_everything_once)
{
	struct testbed *s = testbed_new("really");
	const char *run[] = {"run", NULL};
	pid_t pids[4];
	struct ran r;

	table_begin(s, "ann bob");
	testbed_configure(s, "answers_per_day = 1000");
	for (unsigned i = 0; i < 40; i++)
		testbed_write(s, "ann", "list");
	for (unsigned i = 0; i < 4; i++)
		pids[i] = testbed_start(s, run, NULL);
	for (unsigned i = 0; i < 4; i++) {
		testbed_finish(s, pids[i], &r);
		cr_assert_eq(r.code, 0, "%s", r.err.ptr);
		ran_release(&r);
	}
	expect(s, "run", 0, NULL);
	size_t n = testbed_collect(s);
	cr_assert_eq(n, 40, "%zu", n);
	expect_sound(s);
	testbed_free(s);
}

/* ---- --dry-run and --no-send ---- */

Test(dry_run, says_what_would_go_out_and_changes_nothing)
{
	struct testbed *s = testbed_new("dry");

	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_write(s, "cleo", "list");
	char *before = fingerprint_of(s, "mail"), *after;
	char *outbox = fingerprint_of(s, "outbox"), *outbox_after;
	struct strbuf dump = STRBUF_INIT, dump_after = STRBUF_INIT;
	testbed_dump(s, &dump);
	expect(s, "run --dry-run", 0, "3 mails would be read, 1 turns reported");
	expect(s, "run --dry-run", 0, "to cleo@example.net");
	expect(s, "run --dry-run", 0, "report");
	after = fingerprint_of(s, "mail");
	outbox_after = fingerprint_of(s, "outbox");
	testbed_dump(s, &dump_after);
	cr_assert_str_eq(before, after);
	cr_assert_str_eq(outbox, outbox_after);
	cr_assert_str_eq(dump.ptr, dump_after.ptr);
	cr_assert_eq(testbed_run(s), 3); /* two reports, one list */
	strbuf_release(&dump);
	strbuf_release(&dump_after);
	free(before);
	free(after);
	free(outbox);
	free(outbox_after);
	testbed_free(s);
}

Test(dry_run, leaves_the_database_as_it_is_to_the_byte_and_nothing_beside_it)
{
	struct testbed *s = testbed_new("bytes");

	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	/* The shared-memory file is rebuilt by every reader and holds no data. */
	char *shm = testbed_path(s, "molepost.db-shm");
	unlink(shm);
	char *before = fingerprint_of(s, "");
	expect_code(s, "run --dry-run", 0);
	unlink(shm);
	char *after = fingerprint_of(s, "");
	cr_assert_str_eq(before, after);
	free(before);
	free(after);
	free(shm);
	testbed_free(s);
}

/* More than one batch: what is left out of the rehearsal is at least said. */
Test(dry_run, of_many_mails_counts_them_all_or_says_that_it_does_not)
{
	struct testbed *s = testbed_new("many");
	struct ran r;

	for (unsigned i = 0; i < 1500; i++)
		testbed_write(s, "ann", "list");
	testbed_do(s, "run --dry-run", NULL, &r);
	cr_assert_eq(r.code, 0);
	cr_assert(strstr(r.out.ptr, "1500 mails would be read") ||
	              strstr(r.out.ptr, "the others"),
	          "%s", r.out.ptr);
	ran_release(&r);
	cr_assert_eq(files_in(s, "mail/new"), 1500);
	testbed_free(s);
}

Test(no_send, leaves_mail_in_the_database_for_the_next_run)
{
	struct testbed *s = testbed_new("no send");

	testbed_write(s, "ann", "list");
	expect(s, "run --no-send", 0, NULL);
	cr_assert_eq(files_in(s, "outbox/new"), 0);
	cr_assert_eq(files_in(s, "mail/new"), 0);
	cr_assert_eq(testbed_run(s), 1);
	cr_assert_eq(testbed_run(s), 0);
	testbed_free(s);
}

/* ---- another host ---- */

/* Another machine's name, given to this process alone. False where that is not allowed. */
static bool elsewhere(struct testbed *s)
{
	struct strbuf script = STRBUF_INIT;
	char *wrapper = scratch_path(s->scratch, "elsewhere");
	struct ran r;

	strbuf_addf(&script,
	            "#!/bin/sh\nexec unshare --uts sh -c 'hostname elsewhere; exec \"$@\"' sh "
	            "%s \"$@\"\n",
	            s->program);
	cr_assert_eq(file_create(wrapper, strbuf_span(&script), NULL), ERR_NONE);
	cr_assert_eq(chmod(wrapper, 0700), 0);
	free(s->program);
	s->program = wrapper;
	testbed_do(s, "--version", NULL, &r);
	bool works = r.code == 0 && r.err.len == 0;
	ran_release(&r);
	strbuf_release(&script);
	return works;
}

Test(take_over, is_needed_once_on_another_host)
{
	struct testbed *s = testbed_new("take over");
	char *here = strdup(s->program);

	if (!elsewhere(s))
		cr_skip_test("no right to another host name");
	testbed_write(s, "ann", "list");
	expect(s, "run", 78, "--take-over");
	expect(s, "game hold W1", 78, "belongs to the host");
	expect(s, "game list", 0, NULL); /* looking is free */
	expect(s, "doctor", 65, "molepost run --take-over");
	cr_assert_eq(files_in(s, "mail/new"), 1);
	expect(s, "run --take-over", 0, NULL);
	cr_assert_eq(testbed_collect(s), 1);
	expect(s, "run", 0, NULL);
	expect_code(s, "doctor", 0);
	free(s->program);
	s->program = here;
	expect(s, "run", 78, "belongs to the host 'elsewhere'");
	testbed_free(s);
}

/* ---- sources and sinks that fail ---- */

static void rename_in(struct testbed *s, const char *from, const char *to)
{
	char *a = testbed_path(s, from), *b = testbed_path(s, to);

	cr_assert_eq(rename(a, b), 0, "%s", from);
	free(a);
	free(b);
}

Test(unreadable_source, stops_no_mail_that_is_due_but_every_deadline)
{
	struct testbed *s = testbed_new("unreadable");

	table_begin(s, "ann bob");
	testbed_reply(s, "ann", "popup 3");
	testbed_run(s);
	rename_in(s, "mail", "gone");
	testbed_wait(s, 4 * DAY_S);
	expect(s, "run", 75,
	       "mail could not be read, so no deadline is acted on: there is no Maildir");
	expect(s, "game show W1", 0, "serial 1 is open");
	cr_assert_eq(testbed_collect(s), 0);
	rename_in(s, "gone", "mail");
	cr_assert_eq(testbed_run(s), 2);
	expect(s, "game show W1", 0, "serial 2 is open");
	testbed_free(s);
}

Test(unreadable_source, is_said_once)
{
	struct testbed *s = testbed_new("once");
	struct ran r;

	rename_in(s, "mail", "gone");
	testbed_do(s, "run", NULL, &r);
	cr_assert_eq(r.out.len, 0);
	char *line_end = strchr(r.err.ptr, '\n');
	cr_assert(line_end && line_end[1] == '\0', "%s", r.err.ptr);
	ran_release(&r);
	testbed_free(s);
}

Test(unreadable_source, lets_mail_that_waits_go_out)
{
	struct testbed *s = testbed_new("goes out");

	testbed_write(s, "ann", "list");
	expect_code(s, "run --no-send", 0);
	rename_in(s, "mail", "gone");
	expect_code(s, "run", 75);
	cr_assert_eq(testbed_collect(s), 1);
	testbed_free(s);
}

Test(unreadable_source, may_also_be_one_without_rights)
{
	struct testbed *s = testbed_new("rights");
	char *path = testbed_path(s, "mail/new");

	testbed_without_rights(s);
	expect(s, "run", 0, NULL);
	cr_assert_eq(chmod(path, 0), 0);
	expect(s, "run", 75, "Permission denied");
	expect(s, "doctor", 65, "permissions of the mailbox");
	cr_assert_eq(chmod(path, 0500), 0); /* may be read, but nothing moved */
	expect(s, "run", 0, NULL);
	expect(s, "doctor", 65, "mail cannot be moved or written there");
	testbed_write(s, "ann", "list");
	expect(s, "run", 0, "has been dealt with and stays in new/");
	expect(s, "run", 0, NULL); /* said once */
	cr_assert_eq(chmod(path, 0700), 0);
	expect(s, "run", 0, NULL);
	cr_assert_eq(testbed_collect(s), 1); /* dealt with once */
	free(path);
	testbed_free(s);
}

Test(missing_sink, keeps_the_mail_and_ends_with_75)
{
	struct testbed *s = testbed_new("no sink");

	testbed_write(s, "ann", "list");
	rename_in(s, "outbox", "gone");
	expect(s, "run", 75, "mail could not be sent: there is no Maildir");
	rename_in(s, "gone", "outbox");
	testbed_wait(s, DAY_S);
	cr_assert_eq(testbed_run(s), 1);
	testbed_free(s);
}

Test(unwritable_sink, keeps_the_mail_and_says_so)
{
	struct testbed *s = testbed_new("closed sink");
	char *path = testbed_path(s, "outbox/tmp");

	testbed_without_rights(s);
	testbed_write(s, "ann", "list");
	cr_assert_eq(chmod(path, 0500), 0);
	expect(s, "run", 75, "Permission denied");
	expect(s, "doctor", 65, "outbox/tmp: mail cannot be moved or written there");
	cr_assert_eq(chmod(path, 0700), 0);
	testbed_wait(s, DAY_S);
	cr_assert_eq(testbed_run(s), 1);
	free(path);
	testbed_free(s);
}

/* ---- receive ---- */

static void receive(struct testbed *s, struct span raw, int code)
{
	char *path = scratch_path(s->scratch, "letter");

	unlink(path);
	cr_assert_eq(file_create(path, raw, NULL), ERR_NONE);
	s->input = path;
	if (code == 0)
		expect(s, "receive", code, NULL);
	else
		expect(s, "receive", code, "molepost: receive: ");
	s->input = NULL;
	free(path);
}

static void receive_from(struct testbed *s, const struct mail_written *m)
{
	struct strbuf raw = STRBUF_INIT;

	testbed_compose(s, m, &raw);
	s->written++;
	receive(s, strbuf_span(&raw), 0);
	strbuf_release(&raw);
}

Test(receive, puts_a_mail_down_that_the_next_run_deals_with)
{
	struct testbed *s = testbed_new("receive");

	receive_from(s, &(struct mail_written){.who = "ann", .text = "list"});
	cr_assert_eq(files_in(s, "spool/new"), 1);
	cr_assert_eq(testbed_run(s), 1);
	cr_assert_str_eq(s->posts[0]->who, "ann");
	cr_assert_eq(files_in(s, "spool/new"), 0);
	cr_assert_eq(files_in(s, "spool/cur"), 1);
	expect(s, "why m0@mua.example.net", 0, "by maildir:spool");
	testbed_free(s);
}

/* In time is what was received in time, whenever the next run is. */
Test(receive, keeps_the_time_at_which_it_was_called)
{
	struct testbed *s = testbed_new("in time");

	table_begin(s, "ann bob");
	testbed_reply(s, "ann", "popup 3");
	testbed_run(s);
	testbed_wait(s, 3 * DAY_S - 60);
	const struct post *report = testbed_last(s, "bob");
	receive_from(s, &(struct mail_written){.who = "bob",
	                                       .to = report->reply_to,
	                                       .in_reply_to = report->message_id,
	                                       .text = "popup 4"});
	testbed_wait(s, DAY_S);
	testbed_run(s);
	char *archive = output_of(s, "archive W1");
	cr_assert_null(strstr(archive, "default"), "%s", archive);
	free(archive);
	testbed_free(s);
}

Test(receive, needs_no_lock_and_no_database)
{
	struct testbed *s = testbed_new("no lock");
	int fd = hold_lock(s, "molepost.db.lock");

	rename_in(s, "molepost.db", "elsewhere.db");
	receive_from(s, &(struct mail_written){.who = "ann", .text = "list"});
	rename_in(s, "elsewhere.db", "molepost.db");
	close(fd);
	cr_assert_eq(testbed_run(s), 1);
	testbed_free(s);
}

/* As .forward does it: a shell, a pipe, the mail in pieces. */
Test(receive, reads_a_pipe_to_its_end_and_tells_the_shell_how_it_went)
{
	struct testbed *s = testbed_new("pipe");
	struct strbuf line = STRBUF_INIT, out = STRBUF_INIT;
	int code = -1;

	strbuf_addf(&line,
	            "{ printf 'From: ann@example.net\nSubject: hi\n'; sleep 0.2; printf "
	            "'Message-ID: <pipe@x.example>\n\nlist\n'; } | '%s' -C '%s' receive",
	            s->program, s->dir);
	const char *const argv[] = {"/bin/sh", "-c", line.ptr, NULL};
	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, 4096, 20000, &out, &code, NULL),
	             ERR_NONE);
	cr_assert_eq(code, 0);
	cr_assert_eq(files_in(s, "spool/new"), 1);
	cr_assert_eq(testbed_run(s), 1);
	cr_assert_str_eq(s->posts[0]->who, "ann");
	expect(s, "why pipe@x.example", 0, "by maildir:spool");
	testbed_configure(s, "sauce = maildir:mail");
	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, 4096, 20000, &out, &code, NULL),
	             ERR_NONE);
	cr_assert_eq(code, 75);
	strbuf_release(&line);
	strbuf_release(&out);
	testbed_free(s);
}

Test(receive, refuses_nothing_and_too_much_with_65)
{
	struct testbed *s = testbed_new("refuses");
	size_t len = (64u << 20) + 1;
	char *huge = calloc(1, len);

	receive(s, SPAN_LIT(""), 65);
	receive(s, (struct span){huge, len}, 65);
	cr_assert_eq(files_in(s, "spool/new"), 0);
	cr_assert_eq(files_in(s, "spool/tmp"), 0);
	free(huge);
	testbed_free(s);
}

Test(receive, ends_with_75_when_the_mail_server_should_keep_the_mail)
{
	struct testbed *s = testbed_new("keep it");

	rename_in(s, "spool", "gone");
	char *path = testbed_path(s, "spool");
	cr_assert_eq(file_create(path, SPAN_LIT("in the way"), NULL), ERR_NONE);
	receive(s, SPAN_LIT("From: a@b.example\n\nlist\n"), 75);
	unlink(path);
	/* A spool that is merely missing is made. */
	receive_from(s, &(struct mail_written){.who = "ann", .text = "list"});
	rename_in(s, "molepost.conf", "elsewhere.conf");
	receive(s, SPAN_LIT("From: a@b.example\n\nlist\n"), 75);
	free(path);
	testbed_free(s);
}

Test(receive, the_same_mail_twice_counts_once)
{
	struct testbed *s = testbed_new("twice");
	struct strbuf raw = STRBUF_INIT;

	testbed_compose(s, &(struct mail_written){.who = "ann", .text = "list"}, &raw);
	receive(s, strbuf_span(&raw), 0);
	receive(s, strbuf_span(&raw), 0);
	cr_assert_eq(testbed_run(s), 1);
	strbuf_release(&raw);
	testbed_free(s);
}

/* ---- many mails at once ---- */

static void add_mail(void *mails, const char *file, struct span raw)
{
	(void)file;
	strbuf_add_span(mails, raw);
}

static int64_t outlines(const struct testbed *s)
{
	return crowd_number(s, "SELECT count(*) FROM outbox_outlines");
}

/* What is sent after the mails were taken in: from then on nothing is in outline. */
static void send(struct testbed *s, struct strbuf *mails)
{
	expect(s, "run", 0, NULL);
	cr_assert_geq(testbed_take_out(s, add_mail, mails), 1);
	cr_assert_eq(outlines(s), 0);
	cr_assert_eq(crowd_number(s, "SELECT count(*) FROM outbox LEFT JOIN outbox_messages"
	                             " USING (id) WHERE sealed_message IS NULL"),
	             0);
	expect_sound(s);
}

struct outcome {
	int64_t outlines; /* before anything was sent */
	struct strbuf dump, mails;
};

/* What a run makes of the mails, from the database as it was kept. */
static struct outcome outcome_of(struct testbed *s, const char *sql)
{
	struct outcome o = {.dump = STRBUF_INIT, .mails = STRBUF_INIT};

	testbed_files_restore(s);
	testbed_files_unread(s);
	crowd_sql(s, sql);
	crowd_run(s);
	o.outlines = outlines(s);
	testbed_dump(s, &o.dump);
	send(s, &o.mails);
	return o;
}

static void outcome_release(struct outcome *o)
{
	strbuf_release(&o->dump);
	strbuf_release(&o->mails);
}

/* So many that batches are joined. A run that finds the mark of a dead one takes each mail alone. */
Test(run, mails_dealt_with_together_leave_what_they_leave_one_by_one)
{
	enum { GAMES = 200, MAILS = 650 }; /* some twice: people change their minds */
	struct testbed *s = testbed_new(NULL);

	crowd_games(s, GAMES);
	crowd_mails(s, GAMES, MAILS, programs_add_lean);
	testbed_files_keep(s);
	struct outcome together = outcome_of(s, "DELETE FROM in_flight");
	struct outcome apart =
	    outcome_of(s, "INSERT INTO in_flight (id, kind, object, tries, since_utc)"
	                  " VALUES (1, 'mails', '', 0, 1)");
	cr_assert_geq(crowd_number(s, "SELECT count(*) FROM outbox WHERE kind = 'receipt'"),
	              MAILS);
	cr_assert_geq(together.outlines, MAILS);
	cr_assert_eq(apart.outlines, together.outlines);
	cr_assert(span_eq(strbuf_span(&together.dump), strbuf_span(&apart.dump)));
	cr_assert(span_eq(strbuf_span(&together.mails), strbuf_span(&apart.mails)));
	outcome_release(&together);
	outcome_release(&apart);
	testbed_free(s);
}

/* ---- receipts in outline ---- */

static void resend_and_keep(struct testbed *s, unsigned number)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "resend %u", number);
	testbed_reply(s, "ann", text);
	expect(s, "run --no-send", 0, NULL);
}

Test(receipt, that_has_not_been_sent_is_there_in_words_for_whoever_asks)
{
	struct testbed *s = testbed_new("outline");

	table_begin(s, "ann bob cy");
	table_order(s, "ann");
	table_order(s, "bob");
	expect(s, "run --no-send", 0, NULL);
	cr_assert_eq(outlines(s), 2);
	expect(s, "run --dry-run", 0, "receipt  game 1 seat 1");
	resend_and_keep(s, (unsigned)crowd_number(s, "SELECT max(number) FROM outbox"
	                                             " WHERE kind = 'receipt' AND seat = 1"));
	cr_assert_eq(outlines(s), 2, "to read it is not to send it");
	cr_assert_eq(testbed_run(s), 3);
	const struct post *receipt = s->posts[s->nposts - 3], *again = s->posts[s->nposts - 1];
	cr_assert(strstr(receipt->text, "Stored for turn"), "%s", receipt->text);
	cr_assert(strstr(again->text, strstr(receipt->text, "Stored for turn")), "%s\n%s",
	          receipt->text, again->text);
	cr_assert_eq(outlines(s), 0);
	expect_sound(s);
	testbed_free(s);
}

/* A run that hangs: the later ones do nothing, and say so once it cannot be a long one any more. */
Test(run, one_that_hangs_is_named_after_an_hour)
{
	struct testbed *s = testbed_new("hangs");
	char *path = testbed_path(s, "molepost.db.lock");
	struct failure e = ERR_INIT;
	int fd;

	expect(s, "run", 0, NULL);
	cr_assert_eq(lock_take(path, TESTBED_BEGAN_UTC, &fd, &e), ERR_NONE, "%s", e.text.ptr);
	expect(s, "run", 0, NULL);
	testbed_wait(s, 30 * 60);
	expect(s, "run", 0, NULL);
	testbed_wait(s, 45 * 60);
	expect(s, "run", 75, "has been at work since Thu 12 Mar 2026 18:00 UTC or longer");
	testbed_wait(s, 5 * 60);
	expect(s, "run", 75, NULL); /* told once */
	lock_drop(&fd);
	expect(s, "run", 0, NULL);
	err_release(&e);
	free(path);
	testbed_free(s);
}
