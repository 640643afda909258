/*
 * test_codes.c - what makes a reply address good stands in the reply address and nowhere else.
 *
 * Whole conversations are played; then the code of every reply address that came out, for seats
 * and for questions, is looked for in every body and subject, in all that the program prints, in
 * its complaints when mail cannot go out, and in the bytes of the database.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "tests/support/conversation.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { CODE_CHARS = 26, DB_MAX = 64 << 20, MOST_CODES = 512 };

struct codes {
	char items[MOST_CODES][CODE_CHARS + 1];
	size_t n;
};

static bool is_known(const struct codes *c, const char *code)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->items[i], code) == 0)
			return true;
	return false;
}

static void gather_codes(const struct testbed *s, struct codes *c)
{
	char code[CODE_CHARS + 1];

	c->n = 0;
	for (size_t i = 0; i < s->nposts; i++) {
		const char *at = strchr(s->posts[i]->reply_to, '@');
		if (!at || at - s->posts[i]->reply_to <= CODE_CHARS)
			continue;
		snprintf(code, sizeof(code), "%.26s", at - CODE_CHARS);
		cr_assert_eq(at[-CODE_CHARS - 1], '.', "%s", s->posts[i]->reply_to);
		if (is_known(c, code))
			continue;
		cr_assert_lt(c->n, MOST_CODES);
		memcpy(c->items[c->n++], code, sizeof(code));
	}
}

static void has_no_code(const struct codes *c, struct span text, const char *where)
{
	for (size_t i = 0; i < c->n; i++)
		cr_expect_eq(span_find(text, span_of(c->items[i])), text.len,
		             "%s holds the code %s", where, c->items[i]);
}

static void command_has_none(const struct codes *c, struct testbed *s, const char *words)
{
	struct ran r;

	testbed_do(s, words, NULL, &r);
	has_no_code(c, strbuf_span(&r.out), words);
	has_no_code(c, strbuf_span(&r.err), words);
	ran_release(&r);
}

static void file_has_none(const struct codes *c, const struct testbed *s, const char *name)
{
	char *path = testbed_path(s, name);
	struct strbuf bytes = STRBUF_INIT;

	if (file_exists(path))
		cr_assert_eq(file_read(path, DB_MAX, &bytes, NULL), ERR_NONE, "%s", path);
	has_no_code(c, strbuf_span(&bytes), name);
	strbuf_release(&bytes);
	free(path);
}

static void bodies_have_none(const struct codes *c, const struct testbed *s)
{
	for (size_t i = 0; i < s->nposts; i++) {
		const struct post *p = s->posts[i];
		const char *body = strstr(p->raw, "\n\n");

		has_no_code(c, span_of(p->text), p->subject);
		has_no_code(c, span_of(p->subject), "a subject");
		has_no_code(c, span_of(body ? body : ""), p->subject);
		has_no_code(c, span_of(p->message_id), "a Message-ID");
	}
}

static void trails_have_none(const struct codes *c, struct testbed *s)
{
	char words[512];

	for (size_t i = 0; i < s->nposts; i++) {
		snprintf(words, sizeof(words), "why %s", s->posts[i]->message_id);
		command_has_none(c, s, words);
		if (*s->posts[i]->in_reply_to) {
			snprintf(words, sizeof(words), "why %s", s->posts[i]->in_reply_to);
			command_has_none(c, s, words);
		}
	}
}

/* The folder mail goes out to is gone: a run says so, and to whom, but not by which address. */
static void complaints_have_none(const struct codes *c, struct testbed *s)
{
	char *to = testbed_path(s, "outbox/tmp"), *aside = testbed_path(s, "outbox/aside");

	cr_assert_eq(rename(to, aside), 0);
	cr_assert_eq(file_create(to, SPAN_LIT("in the way"), NULL), ERR_NONE);
	testbed_write(s, "ann", "status w1\n");
	command_has_none(c, s, "run");
	command_has_none(c, s, "doctor");
	cr_assert_eq(remove(to), 0);
	cr_assert_eq(rename(aside, to), 0);
	free(to);
	free(aside);
}

static void check_site(struct testbed *s)
{
	static const char *const commands[] = {"doctor",        "fsck",          "player list",
	                                       "player show 1", "player show 2", "game list",
	                                       "game show W1"};
	struct codes *c = calloc(1, sizeof(*c));

	cr_assert(c);
	gather_codes(s, c);
	cr_assert_gt(c->n, 0);
	bodies_have_none(c, s);
	trails_have_none(c, s);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		command_has_none(c, s, commands[i]);
	file_has_none(c, s, "molepost.db");
	file_has_none(c, s, "molepost.db-wal");
	complaints_have_none(c, s);
	free(c);
}

Test(codes, no_conversation_shows_one, .timeout = 600)
{
	static const char *const names[] = {
	    "050-a-whole-game",        "080-a-reply-address-in-other-hands",
	    "641-thrown-away",         "649-a-second-address",
	    "651-mail-goes-elsewhere", "655-results-that-are-required",
	    "661-any-mail-once-more",  "231-a-message-to-all-and-who-watches",
	};
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct conversation c;

		scratch_in_memory();
		snprintf(path, sizeof(path), "tests/conversations/%s.txt", names[i]);
		conversation_play(&c, path);
		check_site(c.testbed);
		conversation_free(&c);
	}
}

/* The code in somebody's reply address, "" when there is none. */
static const char *code_of(const struct post *p, char code[CODE_CHARS + 1])
{
	const char *at = strchr(p->reply_to, '@');

	code[0] = '\0';
	if (at && at - p->reply_to > CODE_CHARS)
		snprintf(code, CODE_CHARS + 1, "%.26s", at - CODE_CHARS);
	return code;
}

/* Undecoded, so that header and body are looked at alike. */
static void others_have_none(const struct testbed *s, const struct post *of, const char *code)
{
	for (size_t i = 0; i < s->nposts; i++) {
		const struct post *p = s->posts[i];

		if (strcmp(p->who, of->who) == 0)
			continue;
		cr_expect_null(strstr(p->raw, code), "\"%s\" to %s holds the code of %s",
		               p->subject, p->who, of->who);
		cr_expect_null(strstr(p->text, code), "\"%s\" to %s holds the code of %s",
		               p->subject, p->who, of->who);
		if (*of->message_id)
			cr_expect_null(strstr(p->raw, of->message_id),
			               "\"%s\" to %s holds the id of a mail to %s", p->subject,
			               p->who, of->who);
	}
}

Test(codes, no_mail_holds_a_code_of_somebody_else, .timeout = 600)
{
	static const char *const names[] = {
	    "230-a-message-to-one",         "231-a-message-to-all-and-who-watches",
	    "234-messages-with-the-report", "237-a-hostile-message",
	    "238-a-message-without-an-end",
	};
	char path[128], code[CODE_CHARS + 1];
	unsigned codes = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct conversation c;

		scratch_in_memory();
		snprintf(path, sizeof(path), "tests/conversations/%s.txt", names[i]);
		conversation_play(&c, path);
		for (size_t k = 0; k < c.testbed->nposts; k++)
			if (*code_of(c.testbed->posts[k], code)) {
				others_have_none(c.testbed, c.testbed->posts[k], code);
				codes++;
			}
		conversation_free(&c);
	}
	cr_expect_gt(codes, 30);
}

/* Mail programs quote addresses in all kinds of places, and we quote what was not understood. */
Test(codes, one_that_was_quoted_is_not_quoted_back)
{
	struct testbed *s;
	struct codes *c = calloc(1, sizeof(*c));
	struct strbuf text = STRBUF_INIT;

	scratch_in_memory();
	s = testbed_new("quoted codes");
	table_begin(s, "ann bob");
	const char *code = testbed_last(s, "ann")->reply_to;
	strbuf_addf(&text, "On Thursday Molepost <%s> wrote:\nI wrote to %s.\n", code, code);
	testbed_reply(s, "ann", text.ptr);
	testbed_run(s);
	cr_assert(c);
	gather_codes(s, c);
	bodies_have_none(c, s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "moles+w1-1.1...."), "%s",
	          testbed_last(s, "ann")->text);
	/* The same from elsewhere, with orders, so that it is held and shown to her. */
	strbuf_adds(&text, "popup 3, whack 5\n");
	testbed_mail(s, &(struct mail_written){.who = "annwork", .to = code, .text = text.ptr});
	testbed_run(s);
	bodies_have_none(c, s);
	cr_expect(strstr(testbed_last(s, "ann")->text, "popup 3, whack 5"));
	free(c);
	strbuf_release(&text);
	testbed_free(s);
}

/* Where a quotation ends, and where a line does on a narrow screen, stands a part of one. */
Test(codes, one_that_was_quoted_is_not_shown_in_part)
{
	static const char *const mails[] = {
	    "On Thursday the server that sends all of this wrote <%s> to me",
	    "moles up in 3 and hit 5 unless a mail from that address %s says otherwise",
	    "hello %s",
	};
	struct testbed *s;
	char begin[CODE_CHARS + 1];
	unsigned quoted = 0;

	scratch_in_memory();
	for (size_t narrow = 0; narrow < 2; narrow++) {
		s = testbed_new("codes in part");
		table_begin(s, "ann bob");
		const char *to = testbed_last(s, "ann")->reply_to;
		cr_assert(*code_of(testbed_last(s, "ann"), begin));
		begin[9] = '\0';
		if (narrow) {
			testbed_reply(s, "ann", "set width 40");
			testbed_run(s);
		}
		for (size_t i = 0; i < sizeof(mails) / sizeof(mails[0]); i++) {
			struct strbuf text = STRBUF_INIT;
			struct span rest = span_of(mails[i]);
			size_t at = span_find(rest, SPAN_LIT("%s"));

			strbuf_addf(&text, "%.*s%s%s", (int)at, rest.ptr, to,
			            rest.ptr + at + 2);
			testbed_wait(s, 60);
			testbed_reply(s, "ann", text.ptr);
			testbed_run(s);
			cr_expect_null(strstr(testbed_last(s, "ann")->text, begin), "%s",
			               testbed_last(s, "ann")->text);
			quoted += strstr(testbed_last(s, "ann")->text, "moles+w1") != NULL;
			strbuf_release(&text);
		}
		testbed_free(s);
	}
	cr_expect_geq(quoted, 4);
}

static void upper(char *text)
{
	for (; *text; text++)
		if (*text >= 'a' && *text <= 'z')
			*text = (char)(*text - 'a' + 'A');
}

Test(codes, a_relay_that_changes_the_case_of_an_address_does_no_harm)
{
	struct testbed *s;
	char to[128];

	scratch_in_memory();
	s = testbed_new("case of codes");
	table_begin(s, "ann bob");
	snprintf(to, sizeof(to), "%s", testbed_last(s, "ann")->reply_to);
	upper(to);
	testbed_mail(
	    s, &(struct mail_written){.who = "ann", .to = to, .text = "popup 3, whack 5"});
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "ann")->subject, "2 orders stored"), "%s",
	          testbed_last(s, "ann")->subject);
	/* And one character of the code changed is another code. */
	char *at = strchr(to, '@');
	at[-1] = at[-1] == 'A' ? 'B' : 'A';
	testbed_mail(
	    s, &(struct mail_written){.who = "ann", .to = to, .text = "popup 4, whack 5"});
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "ann")->subject, "no longer valid"), "%s",
	          testbed_last(s, "ann")->subject);
	testbed_free(s);
}
