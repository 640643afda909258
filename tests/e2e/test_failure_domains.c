/*
 * test_failure_domains.c - every class of fault for two days, and what it may not do.
 *
 * No game ends, nobody misses a turn and no address gets a point while no mail leaves or none can be read; and
 * no clock stands still for a fault that is not the server's. The table is that of molepost(1), WHEN SOMETHING
 * FAILS. Left out is the sink that may have taken a mail and does not say so (it dies, it hangs up behind the
 * dot): such a mail is repeated once and then counts as sent, see test_outbox.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "tests/support/crowd.h"
#include "tests/support/dovecot.h"
#include "tests/support/smtp_server.h"
#include "tests/support/table.h"

/* A turn that waits for somebody who cannot be reached has a day more, once. */
enum { HOUR_S = 3600, HOURS = 48, HOURS_OF_OTHERS = 72 };

/* A game of Whakka Mole of ann, bob and cy, a day a turn, in its first turn. */
struct world {
	struct testbed *s;
	struct smtp_server *server; /* NULL: the sink is another */
};

struct fault {
	const char *name;
	void (*begin)(struct world *w, const struct fault *f);
	void (*end)(struct world *w, const struct fault *f);
	bool is_servers;  /* deadlines wait */
	unsigned every_h; /* hours between runs; 0 = two */
	/* What `begin` needs of these: */
	const char *words;
	struct smtp_rule rule;
	int code;
};

/* ---- sinks ---- */

static void serve(struct world *w, const struct smtp_rule *rule)
{
	if (w->server)
		smtp_server_free(w->server);
	w->server = smtp_server_new(rule, rule ? 1 : 0, NULL);
	smtp_server_announce_pipelining(w->server);
	testbed_smtp(w->s, "", smtp_server_port(w->server), "?timeout=2");
}

static void smtp_begins(struct world *w, const struct fault *f)
{
	serve(w, &f->rule);
}

static void smtp_ends(struct world *w, const struct fault *f)
{
	(void)f;
	serve(w, NULL);
}

static void nobody_listens(struct world *w, const struct fault *f)
{
	testbed_sink(w->s, f->words);
}

static void set_program(struct world *w, const char *script)
{
	char *path = testbed_path(w->s, "program");
	struct strbuf url = STRBUF_INIT;

	(void)unlink(path);
	cr_assert_eq(file_create(path, span_of(script), NULL), ERR_NONE);
	cr_assert_eq(chmod(path, 0700), 0);
	strbuf_addf(&url, "sendmail:%s", path);
	testbed_sink(w->s, url.ptr);
	strbuf_release(&url);
	free(path);
}

static void program_begins(struct world *w, const struct fault *f)
{
	set_program(w, f->words);
}

static void program_is_gone(struct world *w, const struct fault *f)
{
	testbed_sink(w->s, f->words);
}

static void program_ends(struct world *w, const struct fault *f)
{
	(void)f;
	set_program(w, "#!/bin/sh\ncat >/dev/null\n");
}

/* ---- folders: the sink's, the source's ---- */

static void move(struct world *w, const char *from, const char *to)
{
	char *a = testbed_path(w->s, from), *b = testbed_path(w->s, to);

	cr_assert_eq(rename(a, b), 0);
	free(a);
	free(b);
}

static void set_mode(struct world *w, const char *name, mode_t mode)
{
	char *path = testbed_path(w->s, name);

	cr_assert_eq(chmod(path, mode), 0);
	free(path);
}

static void folder_goes(struct world *w, const struct fault *f)
{
	move(w, f->words, "away");
}

static void folder_comes(struct world *w, const struct fault *f)
{
	move(w, "away", f->words);
}

static void folder_is_closed(struct world *w, const struct fault *f)
{
	testbed_without_rights(w->s);
	set_mode(w, f->words, f->code ? (mode_t)f->code : 0);
}

static void folder_is_open(struct world *w, const struct fault *f)
{
	set_mode(w, f->words, 0700);
}

/* ---- sources ---- */

static void set_source(struct world *w, const char *url)
{
	char *password = testbed_path(w->s, "password");

	(void)unlink(password);
	cr_assert_eq(file_create(password, SPAN_LIT("secret\n"), NULL), ERR_NONE);
	cr_assert_eq(chmod(password, 0600), 0);
	dovecot_set(w->s, "password", "file:password");
	dovecot_set(w->s, "source", url);
	free(password);
}

static void mailbox_begins(struct world *w, const struct fault *f)
{
	set_source(w, f->words);
}

/* Somebody else answers at its port: a server of another kind. */
static void mailbox_is_another(struct world *w, const struct fault *f)
{
	struct strbuf url = STRBUF_INIT;

	w->server = smtp_server_new(NULL, 0, NULL);
	strbuf_addf(&url, "%s:%u?timeout=1", f->words, smtp_server_port(w->server));
	set_source(w, url.ptr);
	strbuf_release(&url);
}

static void mailbox_ends(struct world *w, const struct fault *f)
{
	(void)f;
	dovecot_set(w->s, "source", "maildir:mail");
}

/* ---- one mail ---- */

static void a_file_is_closed(struct world *w, const struct fault *f)
{
	struct strbuf raw = STRBUF_INIT;

	(void)f;
	testbed_compose(w->s, &(struct mail_written){.who = "cleo", .text = "list"}, &raw);
	testbed_drop(w->s, "closed", strbuf_span(&raw), w->s->now_utc);
	testbed_without_rights(w->s);
	set_mode(w, "mail/new/closed", 0);
	strbuf_release(&raw);
}

static void nothing_to_mend(struct world *w, const struct fault *f)
{
	(void)w;
	(void)f;
}

#define SMTP(where, answer)                                                                    \
	{                                                                                      \
		.name = "smtp, at " where ": " answer, .begin = smtp_begins, .end = smtp_ends, \
		.is_servers = true, .rule = {                                                  \
			.at = where,                                                           \
			.say = answer "\r\n"                                                   \
		}                                                                              \
	}
#define PROGRAM(what, script)                                                           \
	{                                                                               \
		.name = "sendmail " what, .begin = program_begins, .end = program_ends, \
		.is_servers = true, .words = "#!/bin/sh\ncat >/dev/null\n" script "\n"  \
	}
#define MAILBOX(url)                                                                  \
	{                                                                             \
		.name = "mailbox " url, .begin = mailbox_begins, .end = mailbox_ends, \
		.is_servers = true, .words = url                                      \
	}
#define ANOTHER(url)                                                                \
	{                                                                           \
		.name = "another server at " url, .begin = mailbox_is_another,      \
		.end = mailbox_ends, .is_servers = true, .every_h = 6, .words = url \
	}

static const struct fault faults[] = {
    {.name = "smtp, nobody listens",
     .begin = nobody_listens,
     .end = smtp_ends,
     .is_servers = true,
     .words = "smtp://127.0.0.1:1/"},
    {.name = "smtp, no such host",
     .begin = nobody_listens,
     .end = smtp_ends,
     .is_servers = true,
     .words = "smtps://nowhere.invalid/"},
    {.name = "smtp, hangs up",
     .begin = smtp_begins,
     .end = smtp_ends,
     .is_servers = true,
     .rule = {.at = "connect", .close = true}},
    SMTP("connect", "421 too busy"),
    SMTP("connect", "554 no service"),
    SMTP("MAIL", "451 4.3.0 try later"),
    SMTP("MAIL", "452 4.3.1 disk full"),
    SMTP("MAIL", "550 5.7.1 not allowed"),
    SMTP("MAIL", "530 5.7.0 log in first"),
    SMTP("RCPT", "421 4.7.0 too many"),
    SMTP("RCPT", "450 4.2.0 greylisted"),
    SMTP("RCPT", "451 4.3.0 try later"),
    SMTP("RCPT", "452 too many today"),
    SMTP("RCPT", "550 no"),
    SMTP("RCPT", "550 5.4.5 quota"),
    SMTP("RCPT", "554 5.7.1 account suspended"),
    SMTP("DATA", "451 later"),
    SMTP("DATA", "554 no"),
    SMTP("dot", "452 4.3.1 disk full"),
    SMTP("dot", "550 5.7.1 looks like spam"),
    SMTP("dot", "554 5.3.4 too big"),
    PROGRAM("fails", "exit 1"),
    PROGRAM("knows no service", "exit 69"),
    PROGRAM("has a fault", "exit 70"),
    PROGRAM("cannot fork", "exit 71"),
    PROGRAM("asks for later", "exit 75"),
    PROGRAM("may not", "exit 77"),
    PROGRAM("is not set up", "exit 78"),
    {.name = "sendmail is not there",
     .begin = program_is_gone,
     .end = program_ends,
     .is_servers = true,
     .words = "sendmail:/nowhere/sendmail"},
    {.name = "outbox folder gone",
     .begin = folder_goes,
     .end = folder_comes,
     .is_servers = true,
     .words = "outbox"},
    {.name = "outbox folder closed",
     .begin = folder_is_closed,
     .end = folder_is_open,
     .is_servers = true,
     .words = "outbox/tmp"},
    {.name = "outbox folder read-only",
     .begin = folder_is_closed,
     .end = folder_is_open,
     .is_servers = true,
     .words = "outbox/tmp",
     .code = 0500},
    {.name = "mail folder gone",
     .begin = folder_goes,
     .end = folder_comes,
     .is_servers = true,
     .words = "mail"},
    {.name = "new/ gone",
     .begin = folder_goes,
     .end = folder_comes,
     .is_servers = true,
     .words = "mail/new"},
    {.name = "new/ closed",
     .begin = folder_is_closed,
     .end = folder_is_open,
     .is_servers = true,
     .words = "mail/new"},
    MAILBOX("imap://moles@127.0.0.1:1"),
    MAILBOX("pop3://moles@127.0.0.1:1"),
    MAILBOX("imaps://moles@nowhere.invalid"),
    MAILBOX("pop3s://moles@nowhere.invalid"),
    ANOTHER("imap://moles@127.0.0.1"),
    ANOTHER("pop3://moles@127.0.0.1"),
    ANOTHER("imaps://moles@127.0.0.1"),
    /* Not the server's: */
    {.name = "cur/ read-only",
     .begin = folder_is_closed,
     .end = folder_is_open,
     .words = "mail/cur",
     .code = 0500},
    {.name = "one file closed", .begin = a_file_is_closed, .end = nothing_to_mend},
    {.name = "one address is none",
     .begin = smtp_begins,
     .end = smtp_ends,
     .rule = {.at = "RCPT", .with = "<bob@", .say = "550 5.1.1 no such user\r\n"}},
    {.name = "one mailbox is full",
     .begin = smtp_begins,
     .end = smtp_ends,
     .rule = {.at = "RCPT", .with = "<bob@", .say = "452 4.2.2 mailbox full\r\n"}},
    {.name = "one address is not liked",
     .begin = smtp_begins,
     .end = smtp_ends,
     .rule = {.at = "RCPT", .with = "<bob@", .say = "554 5.7.1 policy\r\n"}},
    {.name = "one mail is not liked",
     .begin = smtp_begins,
     .end = smtp_ends,
     .rule = {.at = "dot", .times = 1, .say = "554 5.6.0 bad content\r\n"}},
};

/* ---- two days ---- */

static void begin_game(struct world *w)
{
	static const char *const people[] = {"ann", "bob", "cy"};

	signal(SIGPIPE, SIG_IGN);
	w->s = testbed_new("failure domains");
	expect_code(w->s, "game new whakka mole players 3 next 1D", 0);
	for (size_t i = 0; i < 3; i++)
		testbed_write(w->s, people[i], "join W1");
	testbed_run(w->s);
}

/* A run may find that something is wrong, and no more than that. */
static void run(struct world *w, const struct fault *f)
{
	struct ran r;

	testbed_do(w->s, "run", NULL, &r);
	cr_assert(r.code == 0 || r.code == 75, "%s: %d %s", f->name, r.code, r.err.ptr);
	ran_release(&r);
}

static int64_t number(struct world *w, const char *sql)
{
	return crowd_number(w->s, sql);
}

static void expect_nobody_hurt(struct world *w, const struct fault *f)
{
	cr_expect_eq(number(w, "SELECT sum(missed) + sum(missed_all) FROM seats"), 0, "%s",
	             f->name);
	cr_expect_eq(number(w, "SELECT count(*) FROM bounced_mails"), 0, "%s", f->name);
	cr_expect_eq(number(w, "SELECT max(serial) FROM turns"), 1, "%s", f->name);
}

/* Once it is mended everything goes out, there is time again, and the game goes on. */
static void expect_game_goes_on(struct world *w, const struct fault *f)
{
	char sql[200];

	f->end(w, f);
	testbed_wait(w->s, HOUR_S);
	run(w, f);
	run(w, f);
	cr_expect_eq(number(w, "SELECT max(serial) FROM turns"), 1, "%s", f->name);
	(void)snprintf(sql, sizeof(sql), "SELECT max(deadline_utc) > %lld FROM turns",
	               (long long)w->s->now_utc + 12 * HOUR_S);
	cr_expect_eq(number(w, sql), 1, "%s: no time was given back", f->name);
	cr_expect_eq(number(w, "SELECT count(*) FROM outbox WHERE state <> 4"), 0,
	             "%s: something was not sent", f->name);
	testbed_reply(w->s, "ann", "popup 3");
	testbed_reply(w->s, "bob", "popup 4");
	testbed_reply(w->s, "cy", "popup 5");
	expect(w->s, "run", 0, NULL);
	expect(w->s, "game show W1", 0, "serial 2 is open");
}

static bool mailbox_is_there(struct world *w)
{
	char *path = testbed_path(w->s, "mail/new");
	bool yes = access(path, F_OK) == 0;

	free(path);
	return yes;
}

static void suffer(const struct fault *f)
{
	unsigned hours = f->is_servers ? HOURS : HOURS_OF_OTHERS;
	unsigned every_h = f->every_h ? f->every_h : 2;
	struct world w = {.server = NULL};

	begin_game(&w);
	f->begin(&w, f);
	for (unsigned hour = 0; hour < hours; hour += every_h) {
		if (hour % 12 == 0 && mailbox_is_there(&w)) {
			/* something to read, and to answer to two people */
			testbed_write(w.s, "ann", "status W1");
			testbed_write(w.s, "bob", "status W1");
		}
		run(&w, f);
		testbed_wait(w.s, every_h * HOUR_S);
	}
	expect(w.s, "game show W1", 0, "is open");
	if (f->is_servers) {
		expect_nobody_hurt(&w, f);
		expect_game_goes_on(&w, f);
	} else {
		cr_expect_geq(number(&w, "SELECT max(serial) FROM turns"), 2,
		              "%s: a clock stood still", f->name);
		f->end(&w, f);
	}
	expect_sound(w.s);
	if (w.server)
		smtp_server_free(w.server);
	testbed_free(w.s);
}

Test(failure_domains, hold_for_every_fault_of_the_table, .timeout = 600)
{
	testbed_use_memory();
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		suffer(&faults[i]);
}
