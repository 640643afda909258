/*
 * test_smtp.c - who loads libcurl, and what it gets at; mail sent through a real Postfix: a whole game,
 * certificates good and bad, greylisting, unknown users, a line that is cut behind the dot.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/sanitized.h"
#include "tests/support/crowd.h"
#include "tests/support/postfix.h"
#include "tests/support/scratch.h"
#include "tests/support/slow_line.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

enum { MIN_S = 60 };

/* Skips by name where there is no Postfix to start. */
#define NEED_POSTFIX()                                     \
	do {                                               \
		const char *why_ = postfix_is_missing();   \
		if (why_)                                  \
			cr_skip_test("skipped: %s", why_); \
		signal(SIGPIPE, SIG_IGN);                  \
	} while (0)

static int64_t in_state(struct testbed *s, const char *states)
{
	struct strbuf sql = STRBUF_INIT;
	int64_t n;

	strbuf_addf(&sql, "SELECT count(*) FROM outbox WHERE state IN (%s)", states);
	n = crowd_number(s, sql.ptr);
	strbuf_release(&sql);
	return n;
}

/* A testbed with one mail for each, on a door of the Postfix. */
static struct testbed *testbed_at(const struct postfix *p, enum postfix_door door,
                                  const char *options, const char *people)
{
	struct testbed *s = testbed_new("postfix");
	struct span rest = span_of(people), who;
	char name[32];

	testbed_smtp(s, "", postfix_port(p, door), options);
	while (span_next_word(&rest, "", &who)) {
		(void)snprintf(name, sizeof(name), "%.*s", SPAN_ARGS(who));
		testbed_write(s, name, "help");
	}
	expect_code(s, "run --no-send", 0);
	return s;
}

static void trust(struct testbed *s, const struct postfix *p)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "ca_file = %s", postfix_ca_file(p));
	testbed_configure(s, line.ptr);
	strbuf_release(&line);
}

/* ------------------------------------------------------------------ libcurl */

static bool maps_libcurl(struct testbed *s, const char *command)
{
	struct strbuf option = STRBUF_INIT, name = STRBUF_INIT, text = STRBUF_INIT;
	char *log = testbed_path(s, "loaded");
	struct ran r;
	bool found;

	strbuf_addf(&option, "LD_DEBUG_OUTPUT=%s", log);
	const char *const env[] = {"LD_DEBUG=files", option.ptr, NULL};
	const char *const argv[] = {command, NULL};
	pid_t pid = testbed_start(s, argv, env);
	strbuf_addf(&name, "%s.%ld", log, (long)pid);
	testbed_finish(s, pid, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	cr_assert_eq(file_read(name.ptr, 64 << 20, &text, NULL), ERR_NONE, "%s", name.ptr);
	cr_assert_not_null(strstr(text.ptr, "libsqlite3"));
	found = strstr(text.ptr, "libcurl") || strstr(text.ptr, "libgnutls");
	ran_release(&r);
	strbuf_release(&option);
	strbuf_release(&name);
	strbuf_release(&text);
	free(log);
	return found;
}

Test(smtp, no_process_that_has_the_database_loads_libcurl)
{
	struct smtp_server *server = smtp_server_new(NULL, 0, NULL);
	struct testbed *s = testbed_new("libcurl");

	signal(SIGPIPE, SIG_IGN);
	testbed_smtp(s, "", smtp_server_port(server), "");
	testbed_write(s, "ann", "help");
	expect_code(s, "run --no-send", 0);
	cr_expect_not(maps_libcurl(s, "run"));
	cr_expect_eq(smtp_server_taken(server), 1);
	smtp_server_free(server);
	testbed_free(s);
}

/* What code put into the sending child by its server gets through to, see tests/support/break_out.c. */
static char *broken_out(const char *without_walls)
{
	struct smtp_server *server = smtp_server_new(NULL, 0, NULL);
	struct testbed *s = testbed_new("taken over");
	char *key = testbed_path(s, "molepost.key"), *database = testbed_path(s, "molepost.db"),
	     *said;
	struct strbuf env = STRBUF_INIT;
	struct ran r;

	signal(SIGPIPE, SIG_IGN);
	testbed_smtp(s, "", smtp_server_port(server), "");
	testbed_write(s, "ann", "help");
	strbuf_addf(&env, "MOLEPOST_TEST_SEND=break-out %s %s %s %u %ld", key, database, s->dir,
	            smtp_server_port(server), (long)getpid());
	const char *const variables[] = {env.ptr, without_walls, NULL};
	testbed_do(s, "run", variables, &r);
	cr_expect_eq(r.code, 75);
	cr_expect_eq(smtp_server_taken(server), 0);
	said = xstrdup(r.err.ptr);
	ran_release(&r);
	if (!without_walls) {
		/* The mail in hand waits, as one whose connection broke. */
		testbed_wait(s, 10 * MIN_S);
		expect_code(s, "run", 0);
		cr_expect_eq(smtp_server_taken(server), 1);
		expect_sound(s);
	}
	strbuf_release(&env);
	free(key);
	free(database);
	testbed_free(s);
	smtp_server_free(server);
	return said;
}

Test(smtp, whose_library_is_taken_over_gets_at_nothing)
{
	char *said;

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer needs what the walls forbid");
	said = broken_out(NULL);
	cr_expect(strstr(said, ", got through:\n"), "%s", said);
	free(said);
	said = broken_out("MOLEPOST_TEST_BREAK=no-cell");
	cr_expect(strstr(said, " read-key") && strstr(said, " fork") &&
	              strstr(said, " connect"),
	          "without walls: %s", said);
	free(said);
}

/* ------------------------------------------------------------------ a whole game */

/* What Postfix has put into this person's Maildir goes where the testbed looks for mail sent. */
static void fetch_mails(struct testbed *s, const struct postfix *p, const char *who)
{
	char *keep, *to = testbed_path(s, "outbox/new");
	char *from = scratch_path(postfix_maildir(p, who, &keep), "new");
	DIR *dir = opendir(from);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		char *a = scratch_path(from, entry->d_name),
		     *b = scratch_path(to, entry->d_name);

		if (entry->d_name[0] != '.') {
			struct strbuf bytes = STRBUF_INIT;

			cr_assert_eq(file_read(a, 1 << 20, &bytes, NULL), ERR_NONE);
			cr_assert_eq(file_create(b, strbuf_span(&bytes), NULL), ERR_NONE);
			cr_assert_eq(unlink(a), 0);
			strbuf_release(&bytes);
		}
		free(a);
		free(b);
	}
	if (dir)
		closedir(dir);
	free(keep);
	free(to);
	free(from);
}

static void run_and_deliver(struct testbed *s, const struct postfix *p)
{
	expect(s, "run", 0, NULL);
	postfix_wait_queue(p);
	fetch_mails(s, p, "ann");
	fetch_mails(s, p, "bob");
	fetch_mails(s, p, "cy");
	(void)testbed_collect(s);
}

/* Answers the report of a turn with the first example in it, if such a report has come. */
static void answer_as_told(struct testbed *s, const char *who, unsigned turn)
{
	struct strbuf text = STRBUF_INIT;
	const struct post *report;
	const char *example;

	strbuf_addf(&text, "turn %u] orders due", turn);
	report = testbed_find(s, who, text.ptr);
	example = report ? strstr(report->text, "\n  | ") : NULL;
	strbuf_clear(&text);
	if (example) {
		strbuf_add(&text, example + 5, strcspn(example + 5, "\n"));
		testbed_reply_to(s, who, report, text.ptr);
	}
	strbuf_release(&text);
}

Test(smtp_postfix, a_whole_game_goes_out_through_postfix, .timeout = 600)
{
	struct postfix *p;
	struct testbed *s;
	unsigned turns = 0;

	NEED_POSTFIX();
	p = postfix_new(0);
	s = testbed_new("game");
	testbed_smtp(s, "", postfix_port(p, POSTFIX_STARTTLS), "?starttls=yes&connections=2");
	trust(s, p);
	testbed_write(s, "ann", "create whakka mole players 3 target=20");
	run_and_deliver(s, p);
	testbed_write(s, "bob", "join W1");
	testbed_write(s, "cy", "join W1");
	run_and_deliver(s, p);
	while (!testbed_find(s, "cy", "is over") && turns++ < 60) {
		answer_as_told(s, "ann", turns);
		answer_as_told(s, "bob", turns);
		answer_as_told(s, "cy", turns);
		run_and_deliver(s, p);
	}
	expect(s, "game list", 0, "over");
	cr_expect_eq(crowd_unsent(s), 0);
	cr_expect_eq((int64_t)s->nposts, in_state(s, "4"));
	cr_expect(testbed_mails_agree(s));
	expect(s, "doctor", 0, "All is well.");
	testbed_free(s);
	postfix_free(p);
}

/* ------------------------------------------------------------------ certificates */

static void expect_refused(const struct postfix *p, const char *scheme, const char *host,
                           enum postfix_door door, bool trusted, const char *why)
{
	struct testbed *s = testbed_at(p, POSTFIX_PLAIN, "", "ann");
	struct strbuf url = STRBUF_INIT;

	strbuf_addf(&url, "%s://moles@%s:%u/%s", scheme, host, postfix_port(p, door),
	            strcmp(scheme, "smtp") == 0 ? "?starttls=yes" : "");
	testbed_sink(s, url.ptr);
	testbed_configure(s, "password = env:HOME");
	if (trusted)
		trust(s, p);
	expect(s, "run", 75, why);
	expect(s, "doctor", 65, why);
	cr_expect_eq(in_state(s, "0"), 1, "%s", why);
	strbuf_release(&url);
	testbed_free(s);
}

Test(smtp_postfix, no_mail_goes_to_a_server_that_cannot_show_who_it_is, .timeout = 600)
{
	struct postfix *p;

	NEED_POSTFIX();
	p = postfix_new(0);
	expect_refused(p, "smtp", "127.0.0.1", POSTFIX_SELF, true, "certificate is not good");
	expect_refused(p, "smtp", "127.0.0.1", POSTFIX_SELF, false, "certificate is not good");
	expect_refused(p, "smtp", "127.0.0.1", POSTFIX_OTHER, true, "certificate is not good");
	expect_refused(p, "smtp", "127.0.0.1", POSTFIX_EXPIRED, true,
	               "certificate is not good");
	expect_refused(p, "smtp", "127.0.0.1", POSTFIX_STARTTLS, false,
	               "certificate is not good");
	expect_refused(p, "smtps", "127.0.0.1", POSTFIX_SMTPS, false,
	               "certificate is not good");
	expect_refused(p, "smtp", "127.0.0.1", POSTFIX_PLAIN, true, "does not offer STARTTLS");
	/* Nothing but greetings: no login was tried, no mail begun. */
	postfix_wait_queue(p);
	cr_expect_eq(postfix_count_mails(p, "ann"), 0);
	postfix_free(p);
}

static void expect_sent(const struct postfix *p, const char *url_format, enum postfix_door door,
                        size_t n)
{
	struct testbed *s = testbed_at(p, POSTFIX_PLAIN, "", "ann");
	struct strbuf url = STRBUF_INIT;

	strbuf_addf(&url, "%s:%u/%s", url_format, postfix_port(p, door),
	            strncmp(url_format, "smtp:", 5) == 0 ? "?starttls=yes" : "");
	testbed_sink(s, url.ptr);
	trust(s, p);
	expect(s, "doctor", 0, "All is well.");
	expect(s, "run", 0, NULL);
	cr_expect_eq(postfix_wait_mails(p, "ann", n), n);
	strbuf_release(&url);
	testbed_free(s);
}

Test(smtp_postfix, mail_goes_out_over_tls_when_the_certificate_is_good, .timeout = 600)
{
	struct postfix *p;

	NEED_POSTFIX();
	p = postfix_new(0);
	expect_sent(p, "smtp://127.0.0.1", POSTFIX_STARTTLS, 1);
	expect_sent(p, "smtp://localhost", POSTFIX_STARTTLS, 2);
	expect_sent(p, "smtps://127.0.0.1", POSTFIX_SMTPS, 3);
	postfix_free(p);
}

/* ------------------------------------------------------------------ refusals */

Test(smtp_postfix, greylisting_delays_and_an_unknown_user_is_found_out, .timeout = 600)
{
	struct greylist *g;
	struct postfix *p;
	struct testbed *s;

	NEED_POSTFIX();
	g = greylist_new();
	p = postfix_new(greylist_port(g));
	s = testbed_at(p, POSTFIX_GREY, "", "ann zed bob");
	expect_code(s, "run", 75);
	cr_expect_eq(in_state(s, "2"), 3);
	expect(s, "outbox list", 0, "Greylisted, come back");
	testbed_wait(s, 5 * MIN_S);
	expect(s, "run", 0, "550 5.1.1 <zed@example.net>: Recipient address rejected");
	cr_expect_eq(in_state(s, "4"), 2);
	cr_expect_eq(in_state(s, "5"), 1);
	expect(s, "doctor", 65, "1 mail could not be delivered");
	cr_expect_eq(postfix_wait_mails(p, "ann", 1), 1);
	cr_expect_eq(postfix_wait_mails(p, "bob", 1), 1);
	testbed_free(s);
	postfix_free(p);
	greylist_free(g);
}

/* The answer to the dot never comes back: Postfix has the mail, and gets it once more. */
Test(smtp_postfix, a_line_cut_behind_the_dot_gives_two_equal_copies, .timeout = 600)
{
	struct postfix *p;
	struct slow_line *cut;
	struct testbed *s;

	NEED_POSTFIX();
	p = postfix_new(0);
	cut = slow_line_new(postfix_port(p, POSTFIX_PLAIN), 0);
	slow_line_cut_after(cut, "\r\n.\r\n");
	s = testbed_at(p, POSTFIX_PLAIN, "", "ann");
	testbed_smtp(s, "", slow_line_port(cut), "");
	expect_code(s, "run", 75);
	cr_expect_eq(in_state(s, "3"), 1);
	cr_expect_eq(postfix_wait_mails(p, "ann", 1), 1);
	testbed_wait(s, 15 * MIN_S);
	testbed_smtp(s, "", postfix_port(p, POSTFIX_PLAIN), "");
	expect(s, "run", 0, NULL);
	cr_expect_eq(in_state(s, "4"), 1);
	cr_expect_eq(postfix_wait_mails(p, "ann", 2), 2);
	fetch_mails(s, p, "ann");
	cr_expect_eq(testbed_collect(s), 2);
	cr_expect_str_eq(s->posts[0]->message_id, s->posts[1]->message_id);
	cr_expect_str_eq(s->posts[0]->text, s->posts[1]->text);
	testbed_free(s);
	slow_line_free(cut);
	postfix_free(p);
}

/* ------------------------------------------------------------------ sendmail */

Test(smtp_postfix, mail_goes_out_through_the_sendmail_of_postfix, .timeout = 600)
{
	struct strbuf url = STRBUF_INIT;
	struct postfix *p;
	struct testbed *s;

	NEED_POSTFIX();
	p = postfix_new(0);
	s = testbed_at(p, POSTFIX_PLAIN, "", "ann bob");
	strbuf_addf(&url, "sendmail:/usr/sbin/sendmail -C %s", postfix_config(p));
	testbed_sink(s, url.ptr);
	expect(s, "doctor", 0, "All is well.");
	expect(s, "run", 0, NULL);
	cr_expect_eq(in_state(s, "4"), 2);
	cr_expect_eq(postfix_wait_mails(p, "ann", 1), 1);
	cr_expect_eq(postfix_wait_mails(p, "bob", 1), 1);
	strbuf_release(&url);
	testbed_free(s);
	postfix_free(p);
}
