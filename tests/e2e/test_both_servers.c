/*
 * test_both_servers.c - games of Whakka Mole as people play them: their mail programs hand mail
 * to a real Postfix, which delivers into mailboxes of a real Dovecot; molepost reads its own by
 * IMAP and sends through Postfix with a login.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/post_office.h"
#include "tests/support/table.h"

enum { FIVE_MIN_S = 300, TURNS_MAX = 60 };

static const char *const people[] = {"ann", "bob", "cy"};
enum { NPEOPLE = sizeof(people) / sizeof(people[0]) };

/* Skips by name where one of the two cannot be started. */
#define NEED_POST_OFFICE()                                   \
	do {                                                 \
		const char *why_ = post_office_is_missing(); \
		if (why_)                                    \
			cr_skip_test("skipped: %s", why_);   \
	} while (0)

static void open_office(struct post_office *w)
{
	struct strbuf line = STRBUF_INIT;

	post_office_open(w);
	strbuf_addf(&line, "imaps://moles@localhost:%u", w->dovecot->imaps);
	dovecot_set(w->testbed, "source", line.ptr);
	strbuf_clear(&line);
	strbuf_addf(&line, "smtp://moles@localhost:%u/?starttls=yes",
	            postfix_port(w->postfix, POSTFIX_SUBMIT));
	testbed_sink(w->testbed, line.ptr);
	testbed_configure(w->testbed, "password = file:password");
	testbed_configure(w->testbed, "unknown_senders = accept");
	strbuf_release(&line);
}

static void close_office(struct post_office *w)
{
	expect_sound(w->testbed);
	post_office_close(w);
}

/* Answers the report of a turn with the first example in it, if such a report has come. */
static void answer_as_told(struct post_office *w, const char *who, unsigned turn)
{
	struct strbuf text = STRBUF_INIT;
	const struct post *report;
	const char *example;

	strbuf_addf(&text, "[W1 turn %u] orders due", turn);
	report = testbed_find(w->testbed, who, text.ptr);
	example = report ? strstr(report->text, "\n  | ") : NULL;
	strbuf_clear(&text);
	if (example) {
		strbuf_add(&text, example + 5, strcspn(example + 5, "\n"));
		strbuf_addf(&text, "\n\n> %s wrote", report->subject);
		post_office_submit(w, who, NULL, report, text.ptr);
	}
	strbuf_release(&text);
}

static void expect_records_agree(struct post_office *w)
{
	struct strbuf archive = STRBUF_INIT;

	cr_expect(testbed_mails_agree(w->testbed));
	testbed_archive(w->testbed, "W1", &archive);
	cr_expect_eq(testbed_verify(w->testbed, strbuf_span(&archive)), 0);
	strbuf_release(&archive);
}

Test(both_servers, three_people_play_a_game_from_the_first_mail_to_the_record, .timeout = 600)
{
	struct post_office w;
	unsigned turns = 0;

	NEED_POST_OFFICE();
	open_office(&w);
	post_office_submit(&w, "ann", NULL, NULL, "create whakka mole players 3 target=12");
	post_office_run(&w, 0, NULL);
	post_office_submit(&w, "bob", NULL, NULL, "join W1");
	post_office_submit(&w, "cy", NULL, NULL, "join W1");
	/* Cy's mailbox has a server in front that says "later" to whom it does not know. */
	post_office_run(&w, 0, NULL);
	expect(w.testbed, "outbox list", 0, "tried ");
	expect(w.testbed, "outbox list", 0, "Greylisted, come back");
	cr_expect_null(testbed_find(w.testbed, "cy", "W1"));
	cr_expect_not_null(testbed_find(w.testbed, "bob", "turn 1]"));
	testbed_wait(w.testbed, FIVE_MIN_S);
	post_office_run(&w, 0, NULL);
	cr_expect_not_null(testbed_find(w.testbed, "cy", "turn 1]"));
	while (!testbed_find(w.testbed, "cy", "is over") && turns++ < TURNS_MAX) {
		for (size_t i = 0; i < NPEOPLE; i++)
			answer_as_told(&w, people[i], turns);
		post_office_run(&w, 0, NULL);
	}
	expect(w.testbed, "game list", 0, "over");
	/* Every order came to a reply address and was taken from there. */
	cr_expect_eq(crowd_unsent(w.testbed), 0);
	cr_expect_eq((int64_t)w.testbed->nposts,
	             crowd_number(w.testbed, "SELECT count(*) FROM outbox WHERE state = 4"
	                                     " AND kind <> 'round-trip'"));
	cr_expect_eq(dovecot_count(w.dovecot, ""), 0);
	/* And a mail to itself. */
	cr_expect_eq(dovecot_count(w.dovecot, ".Processed"), (size_t)w.testbed->written + 1);
	cr_expect_geq(turns, 2);
	expect_records_agree(&w);
	expect(w.testbed, "doctor", 0, "All is well.");
	close_office(&w);
}

Test(both_servers, a_mail_to_itself_shows_the_way_once_a_day, .timeout = 600)
{
	static const char trips[] = "SELECT count(*) FROM inbox WHERE verdict = 'round-trip'";
	struct post_office w;
	struct ran r;

	NEED_POST_OFFICE();
	open_office(&w);
	testbed_do(w.testbed, "doctor --mail", NULL, &r);
	cr_expect_not_null(strstr(r.out.ptr, "has come to imaps://moles@localhost"), "%s%s",
	                   r.out.ptr, r.err.ptr);
	ran_release(&r);
	post_office_run(&w, 0, NULL);
	cr_expect_eq(crowd_number(w.testbed, trips), 1);
	expect(w.testbed, "doctor", 0,
	       "addresses with a + work; its envelope sender was its own, nothing said of spf");
	expect(w.testbed, "status", 0, "a mail to itself came back");
	for (unsigned day = 0; day < 3; day++) {
		for (unsigned i = 0; i < 3; i++)
			post_office_run(&w, 0, NULL);
		testbed_wait(w.testbed, 25 * 3600);
	}
	post_office_run(&w, 0, NULL);
	post_office_run(&w, 0, NULL);
	cr_expect_leq(crowd_number(w.testbed, trips), 4);
	cr_expect_geq(crowd_number(w.testbed, trips), 3);
	/* It is answered by nobody, and lies in nobody's mailbox. */
	cr_expect_eq(
	    crowd_number(w.testbed, "SELECT count(*) FROM outbox WHERE kind <> 'round-trip'"),
	    0);
	cr_expect_eq(dovecot_count(w.dovecot, ""), 0);
	close_office(&w);
}

Test(both_servers, a_mail_to_itself_is_found_among_the_spam, .timeout = 600)
{
	struct post_office w;
	struct ran r;

	NEED_POST_OFFICE();
	open_office(&w);
	testbed_do(w.testbed, "doctor --mail", NULL, &r);
	cr_expect_not_null(strstr(r.out.ptr, "has come to imaps://moles@localhost"));
	ran_release(&r);
	dovecot_call_spam(w.dovecot);
	cr_expect_eq(dovecot_count(w.dovecot, ".Junk"), 1);
	testbed_wait(w.testbed, 2 * 3600);
	expect(w.testbed, "doctor", 65, "/Junk");
	/* Until it is read, too. */
	dovecot_set(w.testbed, "sink", "maildir:outbox");
	expect(w.testbed, "doctor", 0, "All is well.");
	close_office(&w);
}

Test(both_servers, a_player_whose_mailbox_does_not_exist_is_found_out, .timeout = 600)
{
	struct post_office w;
	const struct post *told;

	NEED_POST_OFFICE();
	open_office(&w);
	post_office_submit(&w, "ann", NULL, NULL, "create whakka mole players 2");
	post_office_run(&w, 0, NULL);
	post_office_submit(&w, "zed", NULL, NULL, "join W1");
	post_office_run(
	    &w, 75, "550 5.1.1 <zed@example.net>: Recipient address rejected: User unknown");
	post_office_run(&w, 0, NULL);
	expect(w.testbed, "game show W1", 0, "zed                  plays, mail comes back");
	told = testbed_find(w.testbed, "ann", "zed cannot be reached");
	cr_assert_not_null(told);
	cr_expect_not_null(strstr(told->text, "This is done once"), "%s", told->text);
	/* The game goes on for Ann. */
	answer_as_told(&w, "ann", 1);
	post_office_run(&w, 0, NULL);
	cr_expect_not_null(testbed_find(w.testbed, "ann", "orders stored"), "%s",
	                   testbed_last(w.testbed, "ann")->subject);
	expect(w.testbed, "doctor", 65, "ask the player by another way to write");
	close_office(&w);
}

/* Whether the command line of any process on this machine holds this. */
static bool is_in_process_list(struct span words)
{
	struct strbuf text = STRBUF_INIT;
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)) != NULL) {
		char path[300];

		(void)snprintf(path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
		strbuf_clear(&text);
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    file_read(path, 1 << 20, &text, NULL) == ERR_NONE)
			found = span_find(strbuf_span(&text), words) < text.len;
	}
	if (dir)
		closedir(dir);
	strbuf_release(&text);
	return found;
}

Test(both_servers, the_password_stands_neither_in_a_process_list_nor_in_what_is_printed,
     .timeout = 600)
{
	static const char *const run[] = {"run", NULL};
	struct post_office w;
	struct ran r;
	bool found = false, looked = false;
	siginfo_t state;

	NEED_POST_OFFICE();
	open_office(&w);
	post_office_submit(&w, "ann", NULL, NULL, "help");
	pid_t pid = testbed_start(w.testbed, run, NULL);
	do {
		state.si_pid = 0;
		looked = looked || is_in_process_list(span_of(w.testbed->dir));
		found = found || is_in_process_list(SPAN_LIT(DOVECOT_PASSWORD));
	} while (waitid(P_PID, (id_t)pid, &state, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	         state.si_pid == 0);
	testbed_finish(w.testbed, pid, &r);
	cr_expect_eq(r.code, 0, "%s", r.err.ptr);
	cr_expect_not(found);
	cr_expect(looked, "the command itself was not seen");
	cr_expect_null(strstr(r.out.ptr, DOVECOT_PASSWORD));
	cr_expect_null(strstr(r.err.ptr, DOVECOT_PASSWORD));
	cr_expect_eq(postfix_wait_mails(w.postfix, "ann", 1), 1);
	ran_release(&r);
	close_office(&w);
}
