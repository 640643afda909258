/*
 * test_mailbox.c - sets of UIDs, what is remembered of an IMAP mailbox, and URLs of mailboxes.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mail/source.h"
#include "mail/source/imap_state.h"
#include "processor/base/num.h"

/* ---- sets ---- */

static void expect_set(const struct uid_set *s, const char *text)
{
	struct strbuf out = STRBUF_INIT;

	uid_set_write(s, &out);
	cr_expect_str_eq(out.ptr, text);
	strbuf_release(&out);
}

Test(uid_set, joins_what_touches)
{
	struct uid_set s = UID_SET_INIT;

	uid_set_add_range(&s, 5, 7);
	uid_set_add(&s, 1);
	uid_set_add(&s, 9);
	expect_set(&s, "1,5:7,9");
	uid_set_add(&s, 8);
	expect_set(&s, "1,5:9");
	uid_set_add_range(&s, 2, 20);
	expect_set(&s, "1:20");
	cr_expect_eq(uid_set_count(&s), 20);
	uid_set_release(&s);
}

Test(uid_set, splits_where_one_is_taken_out)
{
	struct uid_set s = UID_SET_INIT;

	uid_set_add_range(&s, 1, 5);
	uid_set_remove(&s, 3);
	uid_set_remove(&s, 1);
	uid_set_remove(&s, 17);
	expect_set(&s, "2,4:5");
	cr_expect(uid_set_has(&s, 4));
	cr_expect_not(uid_set_has(&s, 3));
	cr_expect_eq(uid_set_next(&s, 0), 2);
	cr_expect_eq(uid_set_next(&s, 2), 4);
	cr_expect_eq(uid_set_next(&s, 5), 0);
	uid_set_release(&s);
}

Test(uid_set, holds_the_last_number_there_is)
{
	struct uid_set s = UID_SET_INIT;

	uid_set_add(&s, UINT32_MAX);
	uid_set_add(&s, UINT32_MAX - 1);
	expect_set(&s, "4294967294:4294967295");
	cr_expect_eq(uid_set_next(&s, UINT32_MAX), 0);
	uid_set_remove(&s, UINT32_MAX);
	expect_set(&s, "4294967294");
	uid_set_release(&s);
}

/* Against a plain array of marks. */
Test(uid_set, does_what_an_array_of_marks_does)
{
	enum { MOST = 200 };
	struct uid_set s = UID_SET_INIT;
	bool marks[MOST + 2] = {false};
	unsigned seed = 7;

	for (unsigned i = 0; i < 20000; i++) {
		seed = seed * 1103515245u + 12345u;
		uint32_t first = 1 + (seed >> 16) % MOST, last = first + (seed >> 8) % 5;

		last = last > MOST ? MOST : last;
		for (uint32_t u = first; u <= last; u++)
			marks[u] = (seed & 64) != 0;
		if (seed & 64)
			uid_set_add_range(&s, first, last);
		for (uint32_t u = first; u <= last && !(seed & 64); u++)
			uid_set_remove(&s, u);
		for (size_t k = 1; k < s.n; k++)
			cr_assert_gt(s.items[k].first, s.items[k - 1].last + 1);
	}
	for (uint32_t u = 1; u <= MOST; u++)
		cr_assert_eq(uid_set_has(&s, u), marks[u], "%u", u);
	uid_set_release(&s);
}

Test(uid_set, reads_only_what_is_a_set)
{
	static const char *const bad[] = {"0", "1:", ":2",         "1,,2", "1:0",
	                                  "x", "1 ", "4294967296", "1,",   ","};
	struct uid_set s = UID_SET_INIT;

	cr_expect(uid_set_read(&s, SPAN_EMPTY));
	cr_expect(uid_set_read(&s, SPAN_LIT("7:5,1,2:3")));
	expect_set(&s, "1:3,5:7");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(uid_set_read(&s, span_of(bad[i])), "%s", bad[i]);
	uid_set_release(&s);
}

/* ---- what is remembered ---- */

static void expect_state(const struct imap_state *s, const char *text)
{
	struct strbuf out = STRBUF_INIT;

	imap_state_write(s, &out);
	cr_expect_str_eq(out.ptr, text);
	strbuf_release(&out);
}

Test(imap_state, comes_back_from_its_text)
{
	static const char text[] = "mailbox 17 last 210\nopen 5,9:10\ntries 9 2\n"
				   "unmoved 200:210\nkept 17 1 18 101 4\nkept 17 6 18 105 3\n";
	struct imap_state s = {0};

	cr_assert(imap_state_read(&s, SPAN_LIT("")));
	expect_state(&s, "");
	cr_assert(imap_state_read(&s, span_of(text)));
	expect_state(&s, text);
	imap_state_release(&s);
}

Test(imap_state, refuses_any_other_text)
{
	static const char *const bad[] = {
	    "mailbox 1 last", "mailbox x last 1", "open 1:", "tries 1",
	    "kept 1 2 3 4",   "kept 1 2 3 4 0",   "hello",   "\n"};
	struct imap_state s = {0};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(imap_state_read(&s, span_of(bad[i])), "%s", bad[i]);
	imap_state_release(&s);
}

Test(imap_state, keeps_open_what_was_passed_on_the_way)
{
	struct imap_state s = {.validity = 1, .last = 10};
	struct uid_set listed = UID_SET_INIT;

	uid_set_add_range(&listed, 11, 20);
	imap_state_done(&s, &listed, 14);
	expect_state(&s, "mailbox 1 last 14\nopen 11:13\n");
	uid_set_remove(&listed, 14);
	imap_state_done(&s, &listed, 12);
	cr_expect_eq(imap_state_failed(&s, &listed, 16), 1);
	cr_expect_eq(imap_state_failed(&s, &listed, 16), 2);
	expect_state(&s, "mailbox 1 last 16\nopen 11,13,15:16\ntries 16 2\n");
	imap_state_done(&s, &listed, 16);
	expect_state(&s, "mailbox 1 last 16\nopen 11,13,15\n");
	imap_state_restart(&s, 2);
	expect_state(&s, "mailbox 2 last 0\n");
	uid_set_release(&listed);
	imap_state_release(&s);
}

Test(imap_state, knows_where_moved_mail_lies)
{
	struct imap_state s = {.validity = 7};
	struct imap_place at;

	imap_state_moved(&s, SPAN_LIT("1:3,9"), 8, SPAN_LIT("101:104"));
	imap_state_moved(&s, SPAN_LIT("10:11"), 8, SPAN_LIT("105:106"));
	expect_state(&s, "mailbox 7 last 0\nkept 7 1 8 101 3\nkept 7 9 8 104 3\n");
	cr_assert(imap_state_where(&s, (struct imap_place){7, 10}, &at));
	cr_expect_eq(at.validity, 8);
	cr_expect_eq(at.uid, 105);
	cr_expect_not(imap_state_where(&s, (struct imap_place){7, 4}, &at));
	cr_assert(imap_state_origin(&s, (struct imap_place){8, 102}, &at));
	cr_expect_eq(at.uid, 2);
	imap_state_forget(&s, (struct imap_place){8, 102});
	imap_state_forget(&s, (struct imap_place){8, 104});
	imap_state_forget(&s, (struct imap_place){8, 106});
	expect_state(&s, "mailbox 7 last 0\nkept 7 1 8 101 1\nkept 7 3 8 103 1\n"
	                 "kept 7 10 8 105 1\n");
	imap_state_release(&s);
}

Test(imap_state, believes_no_server_that_moved_more_than_there_was)
{
	struct imap_state s = {.validity = 7};

	imap_state_moved(&s, SPAN_LIT("1:3"), 8, SPAN_LIT("101:104"));
	imap_state_moved(&s, SPAN_LIT("junk"), 8, SPAN_LIT("101"));
	expect_state(&s, "mailbox 7 last 0\n");
	imap_state_release(&s);
}

/* ---- URLs ---- */

static void expect_refused(const char *url, const char *words)
{
	const struct mail_settings settings = {.base = "/nowhere"};
	struct failure e = ERR_INIT;
	struct source *s;

	cr_expect_eq(source_open(url, &settings, &s, &e), ERR_CONFIG, "%s", url);
	cr_expect_not_null(strstr(e.text.ptr, words), "%s: %s", url, e.text.ptr);
	err_release(&e);
}

Test(mailbox_url, says_what_is_wrong_with_it)
{
	expect_refused("imaps://example.org", "the user is missing");
	expect_refused("imaps://u:secret@example.org", "a password may not stand here");
	expect_refused("imap://u@example.org", "does not go over the network in clear");
	expect_refused("pop3://u@192.0.2.1", "does not go over the network in clear");
	expect_refused("pop3s://u@example.org/INBOX", "POP3 has one mailbox only");
	expect_refused("pop3s://u@example.org?processed=X", "POP3 has no folders");
	expect_refused("imaps://u@example.org/INBOX?timeout=0", "from 1 to 300");
	expect_refused("imaps://u@example.org/INBOX?retry=1", "the options are processed");
	expect_refused("imaps://u@example.org/A?processed=A", "cannot go to the mailbox");
	expect_refused("imaps://u@example.org/M%C3%BCll", "plain ASCII");
}

Test(mailbox_url, is_opened_without_calling_anybody)
{
	static const char *const good[] = {
	    "imaps://u@example.invalid", "imaps://u@b.c@example.invalid:9/A/B?timeout=300",
	    "pop3s://u@example.invalid?timeout=1", "imap://u@localhost", "pop3://u@[::1]:110"};
	const struct mail_settings settings = {.base = "/nowhere"};
	struct failure e = ERR_INIT;
	struct source *s;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		cr_expect_eq(source_open(good[i], &settings, &s, &e), ERR_NONE, "%s",
		             e.text.ptr);
		source_close(s);
	}
	err_release(&e);
}

Test(mailbox_url, without_a_rule_for_its_password_says_what_to_write)
{
	const struct mail_settings settings = {.base = "/nowhere"};
	struct failure e = ERR_INIT;
	struct arena *arena = arena_new();
	struct source_mail *mails;
	struct source *s;
	bool complete;
	size_t n;

	cr_assert_eq(source_open("imap://u@localhost:1", &settings, &s, &e), ERR_NONE);
	cr_expect_eq(source_next(s, 10, arena, &mails, &n, &complete, &e), ERR_CONFIG);
	cr_expect_not_null(strstr(e.text.ptr, "password = file:password"), "%s", e.text.ptr);
	source_close(s);
	arena_free(arena);
	err_release(&e);
}
