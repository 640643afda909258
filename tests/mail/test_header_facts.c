/*
 * test_header_facts.c - our reader of headers beside the one over libetpan, before that one goes.
 *
 * All mails of the tests, and fields spoilt at random: the same sender, name, subject, recipients, ids,
 * signature and flags, or the difference is one of those below. SEED=n for others.
 *
 * Where they differ on purpose:
 * - A byte NUL in an encoded word ended the text for the library. Now nothing behind it is hidden.
 * - A '=' without two digits behind it made the library drop or invent bytes. It stands for itself.
 * - Blanks before "=?" that begins no encoded word were dropped behind one that does.
 * - "Ann ann@example.org" was annann@example.org, somebody else; it is ann@example.org. With words behind the
 *   address, or two addresses, nobody is believed.
 * - The library ended a list where it did not understand it, and the address before was believed. Empty
 *   places, ';', missing commas and angles do not end it, so that recipients are found and a second
 *   sender is not hidden: `<ann@a.org> <bob@b.org>`, `ann@a.org; bob@b.org`, `bob@b.org: ann@a.org`.
 * - It took what is in a comment behind a name for the address: `Ann (<bob@b.org>) <ann@a.org>`.
 * - It took a quoted string for the address in it: never an address now, but part of a name.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mail/header_facts.h"
#include "mail/parser.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/base/seal.h"
#include "tests/support/play.h"
#include "tests/support/testbed_parts.h"

enum { FILE_MAX = 4 << 20, SPOILT = 20000, WOUNDS = 3 };

static bool same_list(const struct span_list *a, const struct span_list *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = span_eq(a->items[i], b->items[i]);
	return same;
}

/* What is not the same, NULL for nothing. */
static const char *difference(const struct mail_in *m, const struct header_facts *f)
{
	const unsigned of_bodies = MAIL_FROM_HTML | MAIL_CHARSET_GUESSED | MAIL_TEXT_CUT |
	                           MAIL_CALENDAR;

	if (!span_eq(m->from, f->from))
		return "from";
	if (!span_eq(m->from_name, f->from_name))
		return "from_name";
	if (!span_eq(m->subject, f->subject))
		return "subject";
	if (!same_list(&m->recipients, &f->recipients))
		return "recipients";
	if (!span_eq(m->message_id, f->message_id) ||
	    !span_eq(m->in_reply_to, f->in_reply_to) ||
	    !same_list(&m->references, &f->references) ||
	    m->has_message_id_or_date != f->has_message_id_or_date)
		return "ids";
	if (!span_eq(m->date, f->date) || !span_eq(m->instance, f->instance) ||
	    !span_eq(m->auth_results, f->auth_results) ||
	    !span_eq(m->dkim.domain, f->dkim.domain) ||
	    !span_eq(m->dkim.selector, f->dkim.selector) ||
	    !span_eq(m->dkim.signature, f->dkim.signature))
		return "fields";
	if (((m->flags ^ f->flags) & ~of_bodies) != 0)
		return "flags";
	if (f->fault != MAIL_OK && f->fault != m->fault && m->fault != MAIL_HAS_NUL &&
	    m->fault != MAIL_BARE_CR && m->fault != MAIL_TOO_MANY_PARTS)
		return "fault";
	return NULL;
}

struct both {
	struct arena *arena;
	struct charsets *charsets;
	struct mail_in mail;
	struct header_facts facts;
};

static const char *read_both(struct both *b, struct span raw)
{
	arena_clear(b->arena);
	parser_parse_here(raw, &mail_usual_limits, b->arena, &b->mail);
	header_facts_read(raw, &mail_usual_limits, b->charsets, b->arena, &b->facts);
	return difference(&b->mail, &b->facts);
}

static void both_open(struct both *b)
{
	seal_start();
	b->arena = arena_new();
	b->charsets = charsets_new();
}

static void both_close(struct both *b)
{
	arena_free(b->arena);
	charsets_free(b->charsets);
}

static unsigned check_folder(struct both *b, const char *folder)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	size_t n;
	unsigned mails = 0;
	char **names = folder_names(folder, &n);

	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&path);
		strbuf_clear(&text);
		strbuf_addf(&path, "%s/%s", folder, names[i]);
		if (strstr(names[i], ".eml") || strstr(names[i], ".txt")) {
			cr_assert_eq(file_read(path.ptr, FILE_MAX, &text, NULL), ERR_NONE);
			const char *what = read_both(b, strbuf_span(&text));
			/* A NUL in the name and a lone '=' in the subject. */
			cr_expect(!what || strcmp(names[i], "words-hostile.eml") == 0, "%s: %s",
			          path.ptr, what);
			mails++;
		}
		free(names[i]);
	}
	free(names);
	strbuf_release(&path);
	strbuf_release(&text);
	return mails;
}

Test(header_facts, are_those_of_the_library_for_all_mails_there_are)
{
	static const char *const folders[] = {"tests/mail/corpus", "tests/mail/fixtures",
	                                      "tests/mail/robots", "tests/mail/prose"};
	struct strbuf path = STRBUF_INIT;
	struct both b;
	unsigned mails = 0;
	size_t n;
	char **names = folder_names("tests/threads", &n);

	both_open(&b);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		mails += check_folder(&b, folders[i]);
	for (size_t i = 0; i < n; i++) {
		strbuf_clear(&path);
		strbuf_addf(&path, "tests/threads/%s", names[i]);
		if (!strchr(names[i], '.'))
			mails += check_folder(&b, path.ptr);
		free(names[i]);
	}
	free(names);
	cr_expect_gt(mails, 2000);
	strbuf_release(&path);
	both_close(&b);
}

/* ---- spoilt fields ---- */

static const char *const fields[] = {
    "From: Ann <ann@example.org>\n",
    "From: \"Smith, Ann\" <ann@example.org>\n",
    "From: ann@example.org (Ann Smith)\n",
    "From: =?utf-8?Q?Ann_M=C3=BCller?= <ann@example.org>\n",
    "From: \"=?utf-8?B?QW5uIE3DvGxsZXI=?=\" <ann@example.org>\n",
    "From: A (home (x)) B <ann@example.org>, Bob <bob@b.org>\n",
    "From: friends: a@b.org, c@d.org;\n",
    "From: M\xfcller, Ann <a@b.org>\n",
    "To: a@b.org, \"b@c.org\" <d@e.org>, =?iso-8859-1?q?J=F6rg?= <j@k.org>, x: y@z.org, z@y.org;\n",
    "To: moles+1.5.abc@example.org\nCc: \"Moles (W1)\" <moles@example.org>, <x@y.org>\n",
    "Delivered-To: <a@b.org>\n",
    "Subject: =?utf-8?Q?one?= =?utf-8?Q?_two?= =?iso-8859-1?B?/Pw=?= three\n",
    "Subject: =?utf-8?B?4Lij4Liw4LmA?= =?utf-8?B?4Lia4Li04LiU?= x\n",
    "Subject: =?utf-8*en?Q?=E2=82?= =?utf-8?Q?=AC?= =?gb2312?B?xOO6ww==?=\n",
};
static const char *const shrapnel[] = {
    "\"", "<",  ">",   "(",          ")",   ",",       ";",   ":",          "@",
    "\\", "=?", "?=",  "=?utf-8?q?", "?",   "=",       " ",   "_",          ".",
    "[",  "]",  "\n ", "=C3",        "=41", "a@b.org", "Ann", "=?utf-8?b?", "\xfc"};

#define DRAW_OF(list) (list)[play_draw(dice, sizeof(list) / sizeof((list)[0]))]

static void spoil(struct strbuf *text, uint64_t *dice)
{
	strbuf_adds(text, DRAW_OF(fields));
	for (unsigned wounds = 1 + play_draw(dice, WOUNDS); wounds > 0; wounds--) {
		struct strbuf next = STRBUF_INIT;
		struct span all = strbuf_span(text);
		size_t at = 6 + play_draw(dice, (unsigned)all.len - 6);

		strbuf_add_span(&next, span_slice(all, 0, at));
		strbuf_adds(&next, DRAW_OF(shrapnel));
		strbuf_add_span(&next, span_slice(all, at + play_draw(dice, 4), all.len));
		strbuf_swap(text, &next);
		strbuf_release(&next);
	}
	strbuf_adds(text, "\n\nx\n");
}

Test(header_facts, of_spoilt_fields_name_no_sender_whom_the_library_does_not_find_there)
{
	uint64_t seed = 1, *dice = &seed;
	unsigned same = 0;
	struct both b;

	both_open(&b);
	cr_assert(!env_get("SEED") ||
	          num_parse_u64(span_of(env_get("SEED")), UINT64_MAX, &seed));
	cr_log_info("SEED=%llu", (unsigned long long)seed);
	for (unsigned i = 0; i < SPOILT; i++) {
		struct strbuf text = STRBUF_INIT;
		struct span raw, theirs;

		spoil(&text, dice);
		raw = strbuf_span(&text);
		same += read_both(&b, raw) == NULL;
		theirs = b.mail.from;
		/* They put words together that blanks part, or took what is before a '>' only. */
		cr_expect(
		    theirs.len == 0 || b.facts.from.len == 0 || span_eq(theirs, b.facts.from) ||
			span_find(raw, theirs) == raw.len || span_find_char(raw, '>') < raw.len,
		    "%s: %.*s, %.*s", text.ptr, SPAN_ARGS(theirs), SPAN_ARGS(b.facts.from));
		strbuf_release(&text);
	}
	cr_expect_gt(same, SPOILT / 2, "only %u are the same", same);
	both_close(&b);
}
