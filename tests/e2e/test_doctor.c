/*
 * test_doctor.c - seventeen ways in which a server is ill, each really made, and what doctor says of it.
 *
 * Of the others: test_operator.c, test_misconfigured.c; of PostgreSQL: test_postgresql.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/name_server.h"
#include "tests/support/scratch.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600 };

/* Whatever is wrong, it ends with 65 and says this, and how to mend it. */
static void expect_mended(struct testbed *s, const char *wrong, const char *mend)
{
	expect(s, "doctor", 65, wrong);
	expect(s, "doctor", 65, mend);
}

static void set_line(struct testbed *s, const char *key, const char *value)
{
	char *path = testbed_path(s, "molepost.conf");
	struct strbuf text = STRBUF_INIT, changed = STRBUF_INIT, start = STRBUF_INIT;
	struct span rest, line;

	strbuf_addf(&start, "%s = ", key);
	cr_assert_eq(file_read(path, 1 << 20, &text, NULL), ERR_NONE);
	rest = strbuf_span(&text);
	while (span_next_line(&rest, &line))
		if (!span_starts(line, start.ptr))
			strbuf_addf(&changed, "%.*s\n", SPAN_ARGS(line));
	strbuf_addf(&changed, "%s%s\n", start.ptr, value);
	cr_assert_eq(unlink(path), 0);
	cr_assert_eq(file_create(path, strbuf_span(&changed), NULL), ERR_NONE);
	strbuf_release(&start);
	strbuf_release(&changed);
	strbuf_release(&text);
	free(path);
}

/* ---- files ---- */

Test(doctor_files, a_mail_that_cannot_be_read)
{
	struct testbed *s = testbed_new("unreadable");
	char *path = testbed_path(s, "mail/new/1.a");

	testbed_without_rights(s);
	testbed_drop(s, "1.a", SPAN_LIT("From: ann@example.net\n\nlist\n"), s->now_utc);
	cr_assert_eq(chmod(path, 0), 0);
	expect_mended(s, "1 mail there cannot be read, 1.a", "chmod u+r");
	cr_assert_eq(chmod(path, 0600), 0);
	expect(s, "doctor", 0, "All is well.");
	free(path);
	testbed_free(s);
}

Test(doctor_files, a_lock_that_belongs_to_root)
{
	struct testbed *s = testbed_new("locked");
	char *lock = testbed_path(s, "molepost.db.lock");

	if (geteuid() != 0) {
		free(lock);
		testbed_free(s);
		cr_skip_test("only root can give a file away");
	}
	testbed_without_rights(s);
	expect(s, "run", 0, NULL);
	expect(s, "doctor", 0, "All is well.");
	testbed_stays_without_rights(s);
	cr_assert_eq(chown(lock, 0, 0), 0);
	expect(s, "run", 75, "cannot open the lock file");
	expect_mended(s, "molepost.db.lock belongs to user 0, its folder to user 65534",
	              "to mend it: chown 65534 ");
	free(lock);
	testbed_free(s);
}

/* However it is spelt, and through a link. */
Test(doctor_files, the_same_maildir_under_another_spelling)
{
	struct testbed *s = testbed_new("spelling");
	char *other = testbed_path(s, "post");
	struct strbuf line = STRBUF_INIT;

	testbed_configure(s, "source = maildir:./mail");
	expect_mended(s, "maildir:mail and maildir:./mail are one mailbox",
	              "leave one of the two lines out");
	testbed_write(s, "ann", "help");
	cr_expect_eq(testbed_run(s), 1); /* once all the same */
	strbuf_addf(&line, "maildir:%s/mail", s->dir);
	set_line(s, "source", line.ptr);
	expect(s, "doctor", 0, "All is well.");
	cr_assert_eq(symlink("mail", other), 0);
	testbed_configure(s, "source = maildir:post");
	expect_mended(s, "and maildir:post are one mailbox", "leave one of the two lines out");
	strbuf_release(&line);
	free(other);
	testbed_free(s);
}

Test(doctor_files, the_same_maildir_read_by_two_servers)
{
	struct testbed *s = testbed_new("mine"), *other = testbed_new("theirs");
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "maildir:%s/mail", s->dir);
	set_line(other, "source", line.ptr);
	testbed_write(s, "ann", "help");
	expect(other, "run", 0, NULL);
	expect_mended(s, "1 mail lies in cur/ that no run has seen",
	              "give molepost a mailbox of its own");
	expect(s, "doctor", 65, "another program or server reads this mailbox");
	strbuf_release(&line);
	testbed_free(other);
	testbed_free(s);
}

Test(doctor_files, a_source_that_is_the_outbox)
{
	struct testbed *s = testbed_new("circle");

	testbed_sink(s, "maildir:./mail");
	expect_mended(s, "maildir:mail and maildir:./mail are one mailbox",
	              "name another folder in the sink line");
	testbed_free(s);
}

Test(doctor_files, what_everybody_may_write_in)
{
	static const char *const names[] = {".",        "mail",  "outbox",
	                                    "mail/new", "spool", "molepost.conf"};
	struct testbed *s = testbed_new("0777");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = testbed_path(s, names[i]);
		struct stat st;

		cr_assert_eq(stat(path, &st), 0);
		cr_assert_eq(chmod(path, 0777), 0);
		expect_mended(s, "other users may write in ", "to mend it: chmod go-w ");
		cr_assert_eq(chmod(path, st.st_mode & 07777), 0);
		expect(s, "doctor", 0, "All is well.");
		free(path);
	}
	testbed_free(s);
}

/* A file system of its own with so few files that they are soon gone; only root can make one. */
Test(doctor_files, no_inode_is_left)
{
	struct testbed *s = testbed_new("inodes");
	struct strbuf script = STRBUF_INIT;
	char *path = scratch_path(s->scratch, "small.sh");

	if (geteuid() != 0) {
		free(path);
		testbed_free(s);
		cr_skip_test("only root can mount a small file system");
	}
	strbuf_addf(
	    &script,
	    "#!/bin/sh\n"
	    "if [ -z \"$INSIDE\" ]; then INSIDE=1 exec unshare -m \"$0\" \"$@\"; fi\n"
	    "cd '%s' && mkdir -p small && mount -t tmpfs -o nr_inodes=2000 small small &&\n"
	    "cp -a play/. small && mount --bind small play || exit 99\n"
	    "while [ \"$FILL\" ] && mktemp -p play/spool/tmp >/dev/null 2>&1; do :; done\n"
	    "exec '%s' \"$@\"\n",
	    s->scratch, s->program);
	cr_assert_eq(file_create(path, strbuf_span(&script), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0755), 0);
	free(s->program);
	s->program = path;
	struct ran r;
	testbed_do(s, "doctor", NULL, &r);
	if (strstr(r.err.ptr, "unshare failed") || r.code == 99)
		cr_skip_test("nobody may mount here: %s", r.err.ptr);
	cr_expect_eq(r.code, 0, "%s", r.out.ptr);
	ran_release(&r);
	expect_env(s, "doctor", "FILL=1", 65,
	           "PROBLEM  disk           only 0 files more can be made");
	expect_env(s, "doctor", "FILL=1", 65, "to mend it: remove files nobody needs");
	strbuf_release(&script);
	testbed_free(s);
}

/* ---- time ---- */

Test(doctor_time, a_server_that_never_ran_and_whose_mail_waits)
{
	struct testbed *s = testbed_new("never");

	expect(s, "doctor", 0, "All is well.");
	testbed_write(s, "ann", "help");
	expect(s, "doctor", 0, "All is well."); /* it may come yet */
	testbed_wait(s, 2 * HOUR_S);
	expect_mended(s, "there was none yet, and mail has waited since ", "see whether cron");
	testbed_run(s);
	expect(s, "doctor", 0, "All is well.");
	testbed_free(s);
}

/* Too few for how often they come to be known. */
Test(doctor_time, cron_that_died_after_a_few_runs)
{
	struct testbed *s = testbed_new("few");

	for (int i = 0; i < 3; i++) {
		testbed_run(s);
		testbed_wait(s, 300);
	}
	testbed_write(s, "ann", "help");
	testbed_wait(s, 2 * HOUR_S);
	expect_mended(s, "none since Thu 12 Mar 2026 18:10 UTC, and mail has waited since ",
	              "see whether cron");
	testbed_run(s);
	expect(s, "doctor", 0, "All is well.");
	/* Nor does a turn end whose time is over. */
	table_begin(s, "ann bob");
	expect(s, "doctor", 0, "All is well.");
	testbed_wait(s, 30 * 24 * HOUR_S);
	expect_mended(s, "and work has been due since ", "see whether cron");
	testbed_free(s);
}

/* Runs without work are noted elsewhere than those with. */
Test(doctor_time, a_clock_that_went_back_behind_an_idle_run)
{
	struct testbed *s = testbed_new("back");

	testbed_run(s);
	testbed_wait(s, -2 * HOUR_S);
	expect_mended(s, "the last run lies in the future", "set the clock (ntp)");
	testbed_wait(s, 3 * HOUR_S);
	expect(s, "doctor", 0, "All is well.");
	testbed_free(s);
}

/* ---- what the configuration says ---- */

Test(doctor_configuration, an_address_that_was_another)
{
	struct testbed *s = testbed_new("moved");

	table_begin(s, "ann bob");
	set_line(s, "address", "moles@example.com");
	expect_mended(s, "1 game began under moles@example.org",
	              "have mail to that come in too");
	testbed_run(s);
	expect_mended(s, "1 game began under moles@example.org",
	              "have mail to that come in too");
	set_line(s, "address", "moles@example.org");
	testbed_run(s);
	expect(s, "doctor", 0, "All is well.");
	set_line(s, "address", "moles@example.com");
	testbed_run(s);
	crowd_sql(s, "UPDATE games SET status = 4");
	testbed_run(s);
	expect(s, "doctor", 0, "All is well.");
	testbed_free(s);
}

Test(doctor_configuration, authorities_that_are_not_there)
{
	struct testbed *s = testbed_new("authorities");

	testbed_configure(s, "ca_file = no-such.pem");
	expect_mended(s, "no-such.pem cannot be read", "check the ca_file line");
	testbed_free(s);
}

Test(doctor_configuration, an_operator_who_is_the_server)
{
	struct testbed *s = testbed_new("itself");

	testbed_configure(s, "operator = Moles@example.org");
	expect_mended(s, "operator is the server itself", "name the address of a person");
	testbed_free(s);
}

/* A server that greets and a command that never answers. */
Test(doctor_configuration, a_token_command_that_hangs, .timeout = 300)
{
	struct testbed *s = testbed_new("hangs");
	struct smtp_server *server = smtp_server_new(NULL, 0, "XOAUTH2");

	testbed_smtp(s, "moles@", smtp_server_port(server), "");
	testbed_configure(s, "token = command:sleep 1000");
	expect_mended(s, "the token command",
	              "run that command by hand, as the user who runs molepost");
	smtp_server_free(server);
	testbed_free(s);
}

/* ---- other machines ---- */

/* It is refused at once by its own server, or is just lost. */
Test(doctor_elsewhere, a_provider_without_plus_addresses, .timeout = 300)
{
	static const struct smtp_rule refused[] = {
	    {.at = "RCPT", .with = "+", .say = "550 5.1.1 no such user\r\n"}};

	for (size_t n = 0; n < 2; n++) {
		struct testbed *s = testbed_new("plus");
		struct smtp_server *server = smtp_server_new(refused, n, NULL);

		testbed_smtp(s, "", smtp_server_port(server), "");
		expect(s, "doctor --mail", 65, "has not come back");
		expect(s, "doctor --mail", 65, "plus_address = off");
		smtp_server_free(server);
		testbed_free(s);
	}
}

Test(doctor_elsewhere, a_domain_of_which_the_names_say_nothing)
{
	struct testbed *s = testbed_new("names");
	struct smtp_server *server = smtp_server_new(NULL, 0, NULL);
	static const struct name_record all[] =
	    {
		{"example.org", NAME_MX, "mx.example.org"},
		{"example.org", NAME_TXT, "v=spf1 mx -all"},
		{"_dmarc.example.org", NAME_TXT, "v=DMARC1; p=none"},
	    },
					none[] = {{"example.org", NAME_MX, "."}};
	struct name_server *names = name_server_new(all, 3);
	char env[64];

	/* Nobody is asked for a server whose mail somebody else sends. */
	(void)snprintf(env, sizeof(env), "MOLEPOST_TEST_NAME_SERVER=%u",
	               name_server_port(names));
	expect_env(s, "doctor", env, 0, "All is well.");
	cr_expect_eq(name_server_asked(names), 0);
	testbed_smtp(s, "", smtp_server_port(server), "");
	expect_env(s, "run", env, 0, NULL);
	cr_expect_eq(name_server_asked(names), 0, "a run asked");
	expect_env(s, "doctor", env, 0, "example.org has MX, SPF, DMARC");
	cr_expect_eq(name_server_asked(names), 3);
	name_server_free(names);
	names = name_server_new(all, 1);
	(void)snprintf(env, sizeof(env), "MOLEPOST_TEST_NAME_SERVER=%u",
	               name_server_port(names));
	expect_env(s, "doctor", env, 0,
	           "note     domain         example.org has no SPF record");
	expect_env(s, "doctor", env, 0,
	           "note     domain         example.org has no DMARC record");
	name_server_free(names);
	names = name_server_new(none, 1);
	(void)snprintf(env, sizeof(env), "MOLEPOST_TEST_NAME_SERVER=%u",
	               name_server_port(names));
	expect_env(s, "doctor", env, 65, "PROBLEM  domain         example.org takes no mail");
	name_server_free(names);
	names = name_server_new(NULL, 0);
	(void)snprintf(env, sizeof(env), "MOLEPOST_TEST_NAME_SERVER=%u",
	               name_server_port(names));
	expect_env(s, "doctor", env, 65,
	           "PROBLEM  domain         there is no domain example.org");
	name_server_free(names);
	/* Nobody answers, as behind a cable that is out. */
	expect_env(s, "doctor", "MOLEPOST_TEST_NAME_SERVER=1", 0,
	           "example.org could not be asked about");
	smtp_server_free(server);
	testbed_free(s);
}
