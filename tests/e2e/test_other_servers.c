/*
 * test_other_servers.c - Courier, Cyrus and Exim, which keep their folders and refuse their mail in ways of
 * their own (tests/support/other-servers.sh).
 *
 * Both IMAP servers want folders below INBOX and know no MOVE between namespaces; of Courier there is no
 * MOVE at all. They come from Debian into folders of their own, once for all tests here; without root, mmdebstrap
 * or a network the tests are skipped.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/ports.h"
#include "tests/support/table.h"

static const char script[] = "tests/support/other-servers.sh";

/* Where the two Debians lie; skips the test where they cannot be had. */
static char *folder(void)
{
	const char *build = getenv("MOLEPOST_BUILD");
	struct strbuf path = STRBUF_INIT, command = STRBUF_INIT;

	strbuf_addf(&path, "%s/peers", build ? build : "build");
	strbuf_addf(&command, "mkdir -p '%s' && flock '%s' %s make '%s' >/dev/null 2>&1",
	            path.ptr, path.ptr, script, path.ptr);
	int status = system(command.ptr);
	strbuf_release(&command);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		strbuf_release(&path);
		cr_skip_test("Courier, Cyrus and Exim are not to be had here");
	}
	return strbuf_detach(&path);
}

struct server {
	pid_t pid;
	unsigned port;
};

static struct server start(const char *name, const char *greeting)
{
	char *where = folder(), port[16];
	struct server s;

	ports_find(&s.port, 1);
	(void)snprintf(port, sizeof(port), "%u", s.port);
	s.pid = fork();
	cr_assert(s.pid >= 0);
	if (s.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)freopen("/dev/null", "w", stdout);
		(void)freopen("/dev/null", "w", stderr);
		execl(script, script, "start", name, where, port, (char *)NULL);
		_exit(127);
	}
	free(where);
	for (int i = 0; i < 300 && !port_greets(s.port, greeting, 1000); i++)
		usleep(100000);
	cr_assert(port_greets(s.port, greeting, 5000), "%s does not answer", name);
	return s;
}

static void stop(struct server *s)
{
	kill(s->pid, SIGKILL);
	(void)waitpid(s->pid, NULL, 0);
}

/* ---- IMAP ---- */

static void put(struct testbed *s, const struct server *imap, const struct mail_written *m)
{
	struct strbuf raw = STRBUF_INIT, command = STRBUF_INIT;
	char *path = testbed_path(s, "letter");

	testbed_compose(s, m, &raw);
	(void)unlink(path);
	cr_assert_eq(file_create(path, strbuf_span(&raw), NULL), ERR_NONE);
	strbuf_addf(&command, "%s put %u '%s'", script, imap->port, path);
	cr_assert_eq(system(command.ptr), 0);
	strbuf_release(&command);
	strbuf_release(&raw);
	free(path);
}

/* "none": there is no such folder. */
static void expect_count(const struct server *imap, const char *mailbox, const char *n)
{
	struct strbuf command = STRBUF_INIT;

	strbuf_addf(&command, "[ \"$(%s count %u %s)\" = %s ]", script, imap->port, mailbox, n);
	cr_expect_eq(system(command.ptr), 0, "%s", command.ptr);
	strbuf_release(&command);
}

static void clear(const struct server *imap)
{
	struct strbuf command = STRBUF_INIT;

	strbuf_addf(&command, "%s clear %u", script, imap->port);
	cr_assert_eq(system(command.ptr), 0);
	strbuf_release(&command);
}

static struct testbed *testbed_at(const struct server *imap, const char *seed)
{
	struct testbed *s = testbed_new(seed);
	struct strbuf line = STRBUF_INIT;
	char *password = testbed_path(s, "password");

	cr_assert_eq(file_create(password, SPAN_LIT("geheim\n"), NULL), ERR_NONE);
	strbuf_addf(&line, "source = imap://moles@127.0.0.1:%u", imap->port);
	testbed_configure(s, line.ptr);
	testbed_configure(s, "password = file:password");
	testbed_configure(s, "keep_mail = 1D");
	testbed_configure(s, "unknown_senders = accept");
	testbed_configure(s, "known_senders = accept");
	strbuf_release(&line);
	free(password);
	return s;
}

/* A mail comes in, is dealt with once, lies where handled mail lies, and is gone a day later. */
static void plays(const char *name, const char *greeting)
{
	struct server imap = start(name, greeting);
	struct testbed *s = testbed_at(&imap, name);

	clear(&imap);
	expect(s, "doctor", 0, "All is well");
	put(s, &imap,
	    &(struct mail_written){.who = "ann", .text = "create whakka mole players 2"});
	put(s, &imap, &(struct mail_written){.who = "bob", .text = "join w1"});
	expect(s, "run", 0, NULL);
	testbed_collect(s);
	expect(s, "game show W1", 0, "serial 1 is open");
	expect_count(&imap, "INBOX", "0");
	expect_count(&imap, "INBOX.Processed", "2");
	expect(s, "run", 0, NULL);
	cr_expect_eq(testbed_collect(s), 0);
	put(s, &imap,
	    &(struct mail_written){
		.who = "ann", .to = testbed_last(s, "ann")->reply_to, .text = "popup 3"});
	put(s, &imap,
	    &(struct mail_written){
		.who = "bob", .to = testbed_last(s, "bob")->reply_to, .text = "popup 4"});
	expect(s, "run", 0, NULL);
	expect(s, "game show W1", 0, "serial 2 is open");
	expect_count(&imap, "INBOX.Processed", "4");
	expect(s, "doctor", 0, "All is well");
	testbed_wait(s, 2 * 86400);
	expect(s, "run", 0, NULL);
	expect_count(&imap, "INBOX.Processed", "0");
	expect_sound(s);
	stop(&imap);
	expect(s, "run", 75, "mail could not be read");
	testbed_free(s);
}

Test(other_servers, courier_is_read, .timeout = 900)
{
	plays("courier", "Courier");
}

Test(other_servers, cyrus_is_read, .timeout = 900)
{
	plays("cyrus", "Cyrus");
}

/* ---- SMTP ---- */

static size_t delivered(void)
{
	char *where = folder();
	struct strbuf command = STRBUF_INIT;
	char line[32] = "0";

	strbuf_addf(&command, "ls '%s/one/tmp/mail/new' 2>/dev/null | wc -l", where);
	FILE *out = popen(command.ptr, "r");
	cr_assert(out && fgets(line, sizeof(line), out));
	(void)pclose(out);
	strbuf_release(&command);
	free(where);
	return (size_t)strtoul(line, NULL, 10);
}

Test(other_servers, exim_takes_refuses_and_puts_off, .timeout = 900)
{
	struct server exim = start("exim", "ESMTP Exim");
	struct testbed *s = testbed_new("exim");
	size_t before = delivered();
	struct strbuf url = STRBUF_INIT;

	strbuf_addf(&url, "smtp://127.0.0.1:%u", exim.port);
	testbed_sink(s, url.ptr);
	expect(s, "doctor", 0, "All is well");
	testbed_write(s, "ann", "list");
	testbed_write(s, "later", "list");
	testbed_write(s, "refused", "list");
	/* What is refused is one mail's fault, and what is put off too. */
	expect_code(s, "run", 75);
	cr_expect_eq(delivered(), before + 1);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM outbox WHERE state = 4"), 1);
	/* A refusal counts when a mail for somebody else is taken after it. */
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM outbox WHERE state IN (2, 5)"), 2);
	expect(s, "outbox list", 0, "no such person here");
	expect(s, "outbox list", 0, "come back later");
	expect_sound(s);
	stop(&exim);
	testbed_write(s, "ann", "list");
	testbed_wait(s, 3 * 3600);
	expect_code(s, "run", 75); /* it was told above */
	strbuf_release(&url);
	testbed_free(s);
}
