/*
 * test_access.c - network URLs, and passwords from where they are kept.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "mail/text/credentials.h"
#include "mail/text/net_url.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "tests/support/scratch.h"

static void expect_url(const char *rest, const char *user, const char *host, unsigned port,
                       const char *path)
{
	struct failure e = ERR_INIT;
	struct net_url u;

	cr_assert_eq(net_url_parse("imaps:", rest, &u, &e), ERR_NONE, "%s: %s", rest,
	             e.text.ptr);
	cr_expect_str_eq(u.user, user, "%s", rest);
	cr_expect_str_eq(u.host, host, "%s", rest);
	cr_expect_eq(u.port, port, "%s", rest);
	cr_expect_str_eq(u.path, path, "%s", rest);
	net_url_release(&u);
	err_release(&e);
}

Test(net_url, is_taken_apart)
{
	expect_url("//mail.example.org", "", "mail.example.org", 0, "");
	expect_url("//moles@mail.example.org/INBOX", "moles", "mail.example.org", 0, "INBOX");
	expect_url("//moles@example.org@mail.example.org:1993/Games/Moles", "moles@example.org",
	           "mail.example.org", 1993, "Games/Moles");
	expect_url("//moles%40example.org@[::1]:993/a%20b", "moles@example.org", "::1", 993,
	           "a b");
	expect_url("//127.0.0.1:2525", "", "127.0.0.1", 2525, "");
}

Test(net_url, has_options_behind_a_question_mark)
{
	struct net_url u;

	cr_assert_eq(net_url_parse("smtp:", "//h/?starttls=yes&connections=4", &u, NULL),
	             ERR_NONE);
	cr_expect_str_eq(net_url_option(&u, "connections"), "4");
	cr_expect_str_eq(net_url_option(&u, "starttls"), "yes");
	cr_expect_null(net_url_option(&u, "start"));
	net_url_release(&u);
}

Test(net_url, that_is_badly_written_is_refused_with_a_reason_that_holds_no_password)
{
	static const char *const bad[] = {
	    "host",         "//",        "//user@",
	    "//h:0",        "//h:65536", "//h:x",
	    "//h_st",       "//[::1",    "//[::g]",
	    "//[::1]x",     "//u%zz@h",  "//u%0a@h",
	    "//h/%0d",      "//h/?a",    "//h/?=b",
	    "//u:secret@h", "//h/?a=%1", "//u%00@h",
	    "//u%2@h",      "//h y/",    "//h/?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct failure e = ERR_INIT;
		struct net_url u;

		cr_expect_eq(net_url_parse("imaps://u:secret@h", bad[i], &u, &e), ERR_CONFIG,
		             "%s", bad[i]);
		cr_expect(e.text.len > 0 && !strstr(e.text.ptr, "secret"), "%s", e.text.ptr);
		net_url_release(&u);
		err_release(&e);
	}
}

Test(net_url, knows_this_machine)
{
	static const struct {
		const char *rest;
		bool here;
	} cases[] = {
	    {"//localhost", true},  {"//127.0.0.1", true},          {"//127.8.8.8:99", true},
	    {"//[::1]", true},      {"//localhost.example", false}, {"//10.0.0.1", false},
	    {"//[fe80::1]", false}, {"//128.0.0.1", false},         {"//127.example", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct net_url u;

		cr_assert_eq(net_url_parse("imap:", cases[i].rest, &u, NULL), ERR_NONE);
		cr_expect_eq(net_url_is_loopback(&u), cases[i].here, "%s", cases[i].rest);
		net_url_release(&u);
	}
}

/* ---- passwords ---- */

static char *root;

static void make_root(void)
{
	seal_start();
	root = scratch_new();
}

static void drop_root(void)
{
	scratch_remove(root);
}

TestSuite(access, .init = make_root, .fini = drop_root);

static void keep(const char *name, const char *text)
{
	char *path = scratch_path(root, name);

	cr_assert_eq(file_create(path, span_of(text), NULL), ERR_NONE);
	free(path);
}

/* The secret of u@h under one rule, or the sentence that refuses it. */
static enum err ask(const char *where, struct strbuf *out)
{
	struct login_rule rule = {NULL, where, false};
	struct mail_settings a = {.base = root, .logins = &rule, .nlogins = 1};
	struct failure e = ERR_INIT;
	struct login login;
	enum err err = credentials_get(&a, "u", "h", &login, &e);

	strbuf_clear(out);
	strbuf_add_span(out, strbuf_span(err == ERR_NONE ? &login.secret : &e.text));
	login_release(&login);
	err_release(&e);
	return err;
}

Test(access, reads_a_password_from_a_file_a_command_or_the_environment)
{
	struct strbuf out = STRBUF_INIT;

	keep("pw", "correct horse\nsecond line\n");
	cr_expect_eq(ask("file:pw", &out), ERR_NONE);
	cr_expect_str_eq(out.ptr, "correct horse");
	cr_expect_eq(ask("command:printf 'battery\\nstaple'", &out), ERR_NONE);
	cr_expect_str_eq(out.ptr, "battery");
	setenv("MOLEPOST_TEST_PASSWORD", "pass word", 1);
	cr_expect_eq(ask("env:MOLEPOST_TEST_PASSWORD", &out), ERR_NONE);
	cr_expect_str_eq(out.ptr, "pass word");
	strbuf_release(&out);
}

Test(access, refuses_a_password_file_that_others_can_read)
{
	struct strbuf out = STRBUF_INIT;
	char *path = scratch_path(root, "open");

	keep("open", "hush\n");
	cr_assert_eq(chmod(path, 0640), 0);
	cr_expect_eq(ask("file:open", &out), ERR_DENIED);
	cr_expect(strstr(out.ptr, "chmod 600"), "%s", out.ptr);
	cr_expect_not(strstr(out.ptr, "hush"), "%s", out.ptr);
	free(path);
	strbuf_release(&out);
}

Test(access, says_what_is_missing_and_never_the_secret)
{
	struct strbuf out = STRBUF_INIT;

	keep("empty", "\nhush\n");
	cr_expect_eq(ask("file:none", &out), ERR_NOT_FOUND);
	cr_expect_eq(ask("file:empty", &out), ERR_INVALID);
	cr_expect_not(strstr(out.ptr, "hush"), "%s", out.ptr);
	cr_expect_eq(ask("command:echo hush; exit 3", &out), ERR_DENIED);
	cr_expect(strstr(out.ptr, "ended with 3") && !strstr(out.ptr, "hush"), "%s", out.ptr);
	cr_expect_eq(ask("command:printf 'hu\\tsh'", &out), ERR_INVALID);
	cr_expect_not(strstr(out.ptr, "sh'"), "%s", out.ptr);
	cr_expect_eq(ask("env:MOLEPOST_TEST_UNSET", &out), ERR_NOT_FOUND);
	strbuf_release(&out);
}

Test(access, prefers_the_rule_that_names_the_login)
{
	static const struct login_rule rules[] = {
	    {NULL, "command:echo usual", false},
	    {"u@h", "command:echo own", true},
	    {"u@other", "command:echo foreign", false},
	};
	struct mail_settings a = {.base = root, .logins = rules, .nlogins = 3};
	struct login login;

	cr_assert_eq(credentials_get(&a, "u", "h", &login, NULL), ERR_NONE);
	cr_expect_str_eq(login.secret.ptr, "own");
	cr_expect(login.is_token);
	login_release(&login);
	cr_assert_eq(credentials_get(&a, "v", "h", &login, NULL), ERR_NONE);
	cr_expect_str_eq(login.secret.ptr, "usual");
	login_release(&login);
	a.nlogins = 0;
	cr_expect_eq(credentials_get(&a, "u", "h", &login, NULL), ERR_CONFIG);
	login_release(&login);
}
