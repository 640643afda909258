/*
 * test_wait.c - `molepost wait`: an answer in seconds, and next to nothing while nothing comes.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "tests/support/mailbox.h"
#include "tests/support/preload.h"
#include "tests/support/proxy.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { PATIENCE_MS = 20000, PROMPT_MS = 2000, LOOK_MS = 20 };

static const char no_idle[] = "IMAP4rev1 LITERAL+ SASL-IR ENABLE NAMESPACE UIDPLUS MOVE";

TestSuite(wait, .timeout = 120);

/* Their ids, with blanks between. */
static void children_of(pid_t pid, struct strbuf *out)
{
	char path[64];

	strbuf_clear(out);
	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", (long)pid, (long)pid);
	cr_assert_eq(file_read(path, 4096, out, NULL), ERR_NONE);
}

/* Processor time of a process and its children so far, in ns. */
static unsigned long long used_ns(pid_t pid)
{
	char path[64];
	struct strbuf text = STRBUF_INIT;
	struct span rest, word;
	unsigned long long ns;

	snprintf(path, sizeof(path), "/proc/%ld/schedstat", (long)pid);
	cr_assert_eq(file_read(path, 4096, &text, NULL), ERR_NONE);
	ns = strtoull(text.ptr, NULL, 10);
	children_of(pid, &text);
	rest = strbuf_span(&text);
	while (span_next_word(&rest, " \n", &word))
		ns += used_ns((pid_t)strtol(word.ptr, NULL, 10));
	strbuf_release(&text);
	return ns;
}

static pid_t start_waiting(struct testbed *s, const char *every)
{
	return testbed_start(s, (const char *const[]){"wait", "--every", every, NULL}, NULL);
}

/* What it said; free with free(). */
static char *stop_waiting(struct testbed *s, pid_t pid)
{
	struct ran ran;

	cr_expect_eq(kill(pid, SIGTERM), 0);
	testbed_finish(s, pid, &ran);
	cr_expect_eq(ran.signal, SIGTERM, "%s", ran.err.ptr);
	char *said = strbuf_detach(&ran.err);
	ran_release(&ran);
	return said;
}

/* How long until there are so many mails in all, in ms. */
static int64_t wait_for_mails(struct testbed *s, size_t n)
{
	int64_t began = clock_monotonic_ms();

	while (files_in(s, "outbox/new") < n) {
		cr_assert_lt(clock_monotonic_ms() - began, PATIENCE_MS, "no mail %zu", n);
		usleep(LOOK_MS * 1000);
	}
	return clock_monotonic_ms() - began;
}

static void expect_soon(struct testbed *s, size_t n)
{
	int64_t ms = wait_for_mails(s, n);

	cr_expect_lt(ms, PROMPT_MS, "mail %zu after %lld ms", n, (long long)ms);
}

Test(wait, answers_what_is_delivered_to_a_maildir_within_two_seconds)
{
	struct testbed *s = testbed_new("maildir");

	s->now_utc = INT64_MIN;
	pid_t pid = start_waiting(s, "300");
	testbed_write(s, "ann", "help whakka mole");
	wait_for_mails(s, 1);
	testbed_write(s, "bob", "help mole park");
	expect_soon(s, 2);
	expect(s, "doctor", 0, "molepost wait starts them");
	expect(s, "wait", 75, "molepost wait is at work here already");
	free(stop_waiting(s, pid));
	expect(s, "doctor", 0, "cron or a timer is to start them");
	testbed_free(s);
}

/* A clock in a file, for `wait` and the runs it starts. */
struct hand_clock {
	char *path, *setting;
	const char *env[2];
};

static void hand_clock_set(struct hand_clock *c, int64_t utc)
{
	struct strbuf line = STRBUF_INIT;

	utc_format_iso(&line, utc);
	strbuf_addc(&line, '\n');
	cr_assert_eq(file_replace(c->path, strbuf_span(&line), NULL), ERR_NONE);
	strbuf_release(&line);
}

static void hand_clock_start(struct hand_clock *c, struct testbed *s, int64_t utc)
{
	struct strbuf setting = STRBUF_INIT;

	c->path = scratch_path(s->scratch, "clock");
	strbuf_addf(&setting, "MOLEPOST_TEST_NOW=@%s", c->path);
	c->env[0] = c->setting = strbuf_detach(&setting);
	c->env[1] = NULL;
	hand_clock_set(c, utc);
	s->now_utc = INT64_MIN;
	s->extra_env = c->env;
}

static void hand_clock_free(struct hand_clock *c)
{
	free(c->path);
	free(c->setting);
}

/* At the hour nothing is due yet if `early`. */
static void expect_deadline(struct testbed *s, int64_t began_utc, int64_t early_s,
                            int64_t s_after)
{
	struct hand_clock clock;

	hand_clock_start(&clock, s, began_utc);
	pid_t pid = start_waiting(s, "1");
	usleep(2500 * 1000);
	cr_expect_eq(files_in(s, "outbox/new"), 0);
	if (early_s > 0) {
		hand_clock_set(&clock, TESTBED_BEGAN_UTC + early_s);
		usleep(2500 * 1000);
		cr_expect_eq(files_in(s, "outbox/new"), 0);
	}
	hand_clock_set(&clock, TESTBED_BEGAN_UTC + s_after);
	wait_for_mails(s, 2);
	free(stop_waiting(s, pid));
	testbed_collect(s);
	cr_expect(testbed_find(s, "ann", "turn 2"));
	hand_clock_free(&clock);
	testbed_free(s);
}

Test(wait, acts_on_a_deadline_that_no_mail_announces)
{
	struct testbed *s = table_of_two("deadline", "create whakka mole players 2 next 1H");

	testbed_run(s);
	expect_deadline(s, s->now_utc, 0, 3660);
}

/* A run of every hour that reads nothing comes first: before the deadline, or, if the machine slept, behind it. */
SERVER_TEST(wait, acts_on_a_deadline_with_a_run_that_has_read_the_mailbox, 120)
{
	static const int64_t early_s[] = {3670, 0};
	struct dovecot *d = dovecot_start(NULL);
	struct strbuf url = STRBUF_INIT;

	strbuf_addf(&url, "imaps://moles@localhost:%u", d->imaps);
	for (size_t i = 0; i < 2; i++) {
		struct testbed *s =
		    table_of_two("deadline", "create whakka mole players 2 next 90M");

		testbed_run(s);
		dovecot_set(s, "source", url.ptr);
		dovecot_set_login(s, d);
		expect_deadline(s, s->now_utc, early_s[i], 5460);
	}
	strbuf_release(&url);
	dovecot_stop(d);
}

SERVER_TEST(wait, answers_what_is_delivered_to_an_imap_server_within_two_seconds, 120)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "idle", "imaps", 0, "");

	s->now_utc = INT64_MIN;
	pid_t pid = start_waiting(s, "300");
	mailbox_deliver(d, s, "ann", "help whakka mole");
	wait_for_mails(s, 1);
	for (size_t n = 2; n < 5; n++) {
		mailbox_deliver(d, s, n % 2 ? "bob" : "cy", "help mole park");
		expect_soon(s, n);
	}
	char *said = stop_waiting(s, pid);
	cr_expect_str_eq(said, "");
	free(said);
	testbed_free(s);
	dovecot_stop(d);
}

/*
 * Of the server behind a proxy, which takes one connection at a time, that of `wait`: by the time a run is started,
 * molepost.conf says otherwise. Returns when a mail has been answered.
 */
static pid_t wait_through(struct testbed *s, struct dovecot *d, const struct proxy *p)
{
	struct strbuf direct = STRBUF_INIT, heard = STRBUF_INIT;
	pid_t pid = start_waiting(s, "2");

	while (!strstr(heard.ptr, "IDLE")) {
		usleep(LOOK_MS * 1000);
		strbuf_clear(&heard);
		proxy_heard(p, &heard);
	}
	strbuf_addf(&direct, "imap://moles@localhost:%u", d->imap);
	dovecot_set(s, "source", direct.ptr);
	mailbox_deliver(d, s, "ann", "help whakka mole");
	wait_for_mails(s, 1);
	strbuf_release(&direct);
	strbuf_release(&heard);
	return pid;
}

static void is_not_trusted(const struct proxy_setup *how, int signal, const char *said_of_it)
{
	struct dovecot *d = dovecot_start(NULL);
	struct proxy_setup setup = *how;
	char *folder = scratch_new(), *log = scratch_path(folder, "heard");

	setup.to = d->imap;
	struct proxy *p = proxy_start(&setup, log);
	struct testbed *s = dovecot_site(d, "proxy", "imap", p->port, "/INBOX?timeout=1");

	s->now_utc = INT64_MIN;
	pid_t pid = wait_through(s, d, p);
	cr_assert_eq(kill(p->pid, signal), 0);
	usleep(6000 * 1000);
	cr_assert_eq(kill(p->pid, SIGCONT), 0);
	mailbox_deliver(d, s, "bob", "help mole park");
	wait_for_mails(s, 2);
	usleep(9000 * 1000); /* five seconds, then ten until it tries again */
	mailbox_deliver(d, s, "cy", "help mole park");
	expect_soon(s, 3);
	char *said = stop_waiting(s, pid);
	cr_expect(strstr(said, said_of_it), "%s", said);
	cr_expect(strstr(said, "it is looked into now and then"), "%s", said);
	cr_expect(strstr(said, "is listened to again"), "%s", said);
	free(said);
	testbed_free(s);
	proxy_stop(p);
	dovecot_stop(d);
	free(log);
	scratch_remove(folder);
}

SERVER_TEST(wait, begins_anew_when_the_connection_breaks, 120)
{
	is_not_trusted(&(struct proxy_setup){.cut_after = 1150, .cuts = 1}, SIGCONT,
	               "waiting for mail: the connection was lost");
}

SERVER_TEST(wait, does_not_trust_a_server_that_fell_asleep, 120)
{
	is_not_trusted(&(struct proxy_setup){0}, SIGSTOP,
	               "waiting for mail: the server did not answer within 1 s");
}

/* Whether the server's answer is there before or after the request for it has returned. */
SERVER_TEST(wait, looks_now_and_then_where_there_is_no_idle, 120)
{
	struct dovecot *d = dovecot_start(&(struct dovecot_setup){.imap_capability = no_idle});
	struct testbed *s = dovecot_site(d, "no-idle", "imaps", 0, "");
	struct preload late;

	s->now_utc = INT64_MIN;
	preload_init(&late, "fail_call.so", "MOLEPOST_FAIL_CALL", "sendmsg 1");
	s->extra_env = late.env;
	pid_t pid = start_waiting(s, "2");
	mailbox_deliver(d, s, "ann", "help whakka mole");
	wait_for_mails(s, 1);
	mailbox_deliver(d, s, "bob", "help mole park");
	wait_for_mails(s, 2);
	char *said = stop_waiting(s, pid);
	cr_expect(strstr(said, "has no IDLE; it is looked into now and then"), "%s", said);
	free(said);
	preload_release(&late);
	testbed_free(s);
	dovecot_stop(d);
}

SERVER_TEST(wait, listens_again_when_the_process_that_listened_has_died, 120)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *s = dovecot_site(d, "killed", "imaps", 0, "");
	struct strbuf children = STRBUF_INIT;

	s->now_utc = INT64_MIN;
	pid_t pid = start_waiting(s, "300");
	mailbox_deliver(d, s, "ann", "help whakka mole");
	wait_for_mails(s, 1);
	children_of(pid, &children);
	cr_assert_eq(kill((pid_t)strtol(children.ptr, NULL, 10), SIGKILL), 0);
	usleep(1000 * 1000);
	unsigned long long began = used_ns(pid);
	usleep(6000 * 1000); /* after five seconds it tries again */
	cr_expect_lt(used_ns(pid) - began, 1000000000ULL);
	mailbox_deliver(d, s, "bob", "help mole park");
	expect_soon(s, 2);
	char *said = stop_waiting(s, pid);
	cr_expect(strstr(said, "the process that reads the mailbox died"), "%s", said);
	cr_expect(strstr(said, "is listened to again"), "%s", said);
	free(said);
	strbuf_release(&children);
	testbed_free(s);
	dovecot_stop(d);
}

/* ---- What it costs ---- */

/* How often the file has this word. */
static size_t times_in(const char *path, const char *word)
{
	struct strbuf text = STRBUF_INIT;
	size_t n = 0;

	cr_assert_eq(file_read(path, 1 << 20, &text, NULL), ERR_NONE);
	for (const char *at = text.ptr; (at = strstr(at, word)); at++)
		n++;
	strbuf_release(&text);
	return n;
}

/*
 * A day by a clock that is moved on hour by hour; its looks, which come with each second here, and there every 300, are
 * added. All processor time is counted, that of the runs and of what they start too.
 */
static void expect_idle_day(struct testbed *s, const char *of)
{
	enum {
		LOOKS = 15,
		LOOKS_A_DAY = 86400 / 300,
		HOUR_MS = 1200,
		DAY_LOOKS = 24 * HOUR_MS / 1000
	};
	struct hand_clock clock;
	struct strbuf children = STRBUF_INIT;
	struct span rest, word;
	struct ran ran;
	unsigned long long ns, look_ns;

	hand_clock_start(&clock, s, TESTBED_BEGAN_UTC);
	pid_t pid = start_waiting(s, "1");
	usleep(3000 * 1000);
	look_ns = used_ns(pid);
	usleep(LOOKS * 1000 * 1000);
	look_ns = (used_ns(pid) - look_ns) / LOOKS;
	for (int64_t hour = 1; hour <= 24; hour++) {
		hand_clock_set(&clock, TESTBED_BEGAN_UTC + hour * 3601);
		usleep(HOUR_MS * 1000);
	}
	children_of(pid, &children);
	ns = look_ns * (LOOKS_A_DAY - LOOKS - DAY_LOOKS);
	rest = strbuf_span(&children);
	while (span_next_word(&rest, " \n", &word))
		ns += used_ns((pid_t)strtol(word.ptr, NULL, 10));
	cr_expect_eq(kill(pid, SIGTERM), 0);
	testbed_finish(s, pid, &ran);
	double day_s = (double)ns / 1e9 + (double)ran.cpu_us / 1e6;
	printf("%s: a look takes %.0f us, a day %.2f s\n", of, (double)look_ns / 1e3, day_s);
	cr_expect_str_eq(ran.err.ptr, "");
	cr_expect_lt(day_s, 1.0, "%s: %.2f s", of, day_s);
	ran_release(&ran);
	strbuf_release(&children);
	hand_clock_free(&clock);
}

SERVER_TEST(wait, takes_less_than_a_second_of_processor_time_a_day_while_nothing_comes, 240)
{
	struct dovecot *d = dovecot_start(NULL);
	struct testbed *folder = testbed_new("idle-folder");
	struct testbed *server = dovecot_site(d, "idle-server", "imaps", 0, "");

	char *log = scratch_path(d->dir, "log");

	expect_idle_day(folder, "a Maildir");
	expect_idle_day(server, "an IMAP server");
	/* Of `wait` itself, and every six hours of a run. */
	size_t logins = times_in(log, "Login: user=");
	cr_expect_geq(logins, 4);
	cr_expect_leq(logins, 6);
	free(log);
	testbed_free(folder);
	testbed_free(server);
	dovecot_stop(d);
}
