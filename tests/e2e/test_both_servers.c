/*
 * test_both_servers.c - games of Whakka Mole as people play them: their mail programs hand mail to a
 * real Postfix, which delivers into mailboxes of a real Dovecot; molepost reads its own by IMAP and
 * sends through Postfix with a login.
 *
 * The clock of the site stands at the real time when the test begins and is moved ahead for
 * what has to wait; mail arrives by the real one.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/dovecot.h"
#include "tests/support/postfix.h"
#include "tests/support/scratch.h"
#include "tests/support/smtp_client.h"
#include "tests/support/table.h"

enum { FIVE_MIN_S = 300, TURNS_MAX = 60 };

struct world {
	struct greylist *grey;
	struct dovecot *d;
	struct postfix *p;
	struct site *s;
};

static const char *const people[] = {"ann", "bob", "cy"};
enum { NPEOPLE = sizeof(people) / sizeof(people[0]) };

/* Both authorities in one file. */
static void trust(struct world *w)
{
	struct strbuf pem = STRBUF_INIT;
	char *path = site_path(w->s, "ca.pem");

	cr_assert_eq(file_read(w->d->ca_file, 1 << 16, &pem, NULL), ERR_NONE);
	cr_assert_eq(file_read(postfix_ca_file(w->p), 1 << 16, &pem, NULL), ERR_NONE);
	cr_assert_eq(file_create(path, strbuf_span(&pem), NULL), ERR_NONE);
	dovecot_set(w->s, "ca_file", path);
	strbuf_release(&pem);
	free(path);
}

static void open_world(struct world *w)
{
	struct strbuf line = STRBUF_INIT;

	signal(SIGPIPE, SIG_IGN);
	w->grey = greylist_new();
	w->d = dovecot_start(NULL);
	w->p = postfix_new_beside(w->d, greylist_port(w->grey));
	w->s = dovecot_site(w->d, "both", "imaps", 0, "");
	w->s->now_utc = (int64_t)time(NULL);
	trust(w);
	strbuf_addf(&line, "smtp://moles@localhost:%u/?starttls=yes",
	            postfix_port(w->p, POSTFIX_SUBMIT));
	site_sink(w->s, line.ptr);
	strbuf_release(&line);
}

static void close_world(struct world *w)
{
	expect(w->s, "fsck", 0, "");
	site_free(w->s);
	postfix_free(w->p);
	dovecot_stop(w->d);
	greylist_free(w->grey);
}

/* A mail of a person through Postfix into the mailbox of the server, however long that takes. */
static void submit(struct world *w, const char *who, const struct post *to, const char *text)
{
	struct strbuf raw = STRBUF_INIT, from = STRBUF_INIT, subject = STRBUF_INIT;
	size_t before = dovecot_count(w->d, "");
	const char *address = to && *to->reply_to ? to->reply_to : "moles@example.org";

	strbuf_addf(&from, "%s@example.net", who);
	strbuf_addf(&subject, "%s%s", to ? "Re: " : "hello", to ? to->subject : "");
	site_compose(w->s,
	             &(struct mail_written){.who = who,
	                                    .to = address,
	                                    .subject = subject.ptr,
	                                    .in_reply_to = to ? to->message_id : NULL,
	                                    .text = text},
	             &raw);
	w->s->written++;
	smtp_client_send(postfix_port(w->p, POSTFIX_PLAIN), from.ptr, address,
	                 strbuf_span(&raw));
	for (unsigned i = 0; i < 1000 && dovecot_count(w->d, "") == before; i++)
		usleep(20 * 1000);
	cr_assert_eq(dovecot_count(w->d, ""), before + 1, "Postfix did not deliver");
	strbuf_release(&raw);
	strbuf_release(&from);
	strbuf_release(&subject);
}

/* Takes out of a person's mailbox what has come. */
static void read_mailbox(struct world *w, const char *who)
{
	char *keep, *to = site_path(w->s, "outbox/new");
	char *from = scratch_path(postfix_maildir(w->p, who, &keep), "new");
	DIR *dir = opendir(from);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		char *a = scratch_path(from, entry->d_name),
		     *b = scratch_path(to, entry->d_name);
		struct strbuf bytes = STRBUF_INIT;

		if (entry->d_name[0] != '.') {
			cr_assert_eq(file_read(a, 1 << 20, &bytes, NULL), ERR_NONE);
			cr_assert_eq(file_create(b, strbuf_span(&bytes), NULL), ERR_NONE);
			cr_assert_eq(unlink(a), 0);
		}
		strbuf_release(&bytes);
		free(a);
		free(b);
	}
	if (dir)
		closedir(dir);
	free(keep);
	free(to);
	free(from);
}

/* A pass of the server, and everybody looks into his mailbox. */
static void pass(struct world *w, int code, const char *says)
{
	if (w->s->now_utc < (int64_t)time(NULL))
		w->s->now_utc = (int64_t)time(NULL);
	expect(w->s, "run", code, says);
	postfix_wait_queue(w->p);
	for (size_t i = 0; i < NPEOPLE; i++)
		read_mailbox(w, people[i]);
	(void)site_collect(w->s);
}

/* Answers the report of a turn with the first example in it, if such a report has come. */
static void answer_as_told(struct world *w, const char *who, unsigned turn)
{
	struct strbuf text = STRBUF_INIT;
	const struct post *report;
	const char *example;

	strbuf_addf(&text, "[W1 turn %u] Whakka Mole: your orders", turn);
	report = site_find(w->s, who, text.ptr);
	example = report ? strstr(report->text, "\n  | ") : NULL;
	strbuf_clear(&text);
	if (example) {
		strbuf_add(&text, example + 5, strcspn(example + 5, "\n"));
		strbuf_addf(&text, "\n\n> %s wrote", report->subject);
		submit(w, who, report, text.ptr);
	}
	strbuf_release(&text);
}

static void expect_records_agree(struct world *w)
{
	struct strbuf archive = STRBUF_INIT;

	cr_expect(site_mails_agree(w->s));
	site_archive(w->s, "W1", &archive);
	cr_expect_eq(site_verify(w->s, strbuf_span(&archive)), 0);
	strbuf_release(&archive);
}

static bool lacks_servers(void)
{
	const char *why = postfix_is_missing();

	if (!why && !dovecot_is_installed())
		why = "Dovecot is not installed";
	if (why)
		cr_skip_test("skipped: %s", why);
	return why != NULL;
}

Test(both_servers, three_people_play_a_game_from_the_first_mail_to_the_record, .timeout = 300)
{
	struct world w;
	unsigned turns = 0;

	if (lacks_servers())
		return;
	open_world(&w);
	submit(&w, "ann", NULL, "create whakka mole players 3 target=12");
	pass(&w, 0, NULL);
	submit(&w, "bob", NULL, "join W1");
	submit(&w, "cy", NULL, "join W1");
	/* Cy's mailbox has a server in front that says "later" to whom it does not know. */
	pass(&w, 0, NULL);
	expect(w.s, "outbox list", 0, "tried ");
	expect(w.s, "outbox list", 0, "Greylisted, come back");
	cr_expect_null(site_find(w.s, "cy", "W1"));
	cr_expect_not_null(site_find(w.s, "bob", "turn 1]"));
	site_wait(w.s, FIVE_MIN_S);
	pass(&w, 0, NULL);
	cr_expect_not_null(site_find(w.s, "cy", "turn 1]"));
	while (!site_find(w.s, "cy", "is over") && turns++ < TURNS_MAX) {
		for (size_t i = 0; i < NPEOPLE; i++)
			answer_as_told(&w, people[i], turns);
		pass(&w, 0, NULL);
	}
	expect(w.s, "game list", 0, "over");
	/* Every order came to a reply address and was taken from there. */
	cr_expect_eq(crowd_number(w.s, "SELECT count(*) FROM outbox WHERE state <> 4"), 0);
	cr_expect_eq((int64_t)w.s->nposts, crowd_number(w.s, "SELECT count(*) FROM outbox"));
	cr_expect_eq(dovecot_count(w.d, ""), 0);
	cr_expect_eq(dovecot_count(w.d, ".Processed"), (size_t)w.s->written);
	cr_expect_geq(turns, 2);
	expect_records_agree(&w);
	expect(w.s, "doctor", 0, "All is well.");
	close_world(&w);
}

Test(both_servers, a_player_whose_mailbox_does_not_exist_is_found_out, .timeout = 300)
{
	struct world w;
	const struct post *told;

	if (lacks_servers())
		return;
	open_world(&w);
	submit(&w, "ann", NULL, "create whakka mole players 2");
	pass(&w, 0, NULL);
	submit(&w, "zed", NULL, "join W1");
	pass(&w, 0, "550 5.1.1 <zed@example.net>: Recipient address rejected: User unknown");
	pass(&w, 0, NULL);
	expect(w.s, "game show W1", 0, "zed                  plays, mail comes back");
	told = site_find(w.s, "ann", "zed cannot be reached");
	cr_assert_not_null(told);
	cr_expect_not_null(strstr(told->text, "This is done once"), "%s", told->text);
	/* The game goes on for Ann. */
	answer_as_told(&w, "ann", 1);
	pass(&w, 0, NULL);
	cr_expect_not_null(site_find(w.s, "ann", "orders stored"), "%s",
	                   site_last(w.s, "ann")->subject);
	expect(w.s, "doctor", 65, "ask the player by another way to write");
	close_world(&w);
}
