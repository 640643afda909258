/*
 * mail_read.h - what a mail was read as (processor/commandtext/command_text.h), on one line.
 *
 * An item is compared as one line of text ("join kind=whakka-mole name=Ann"), so that a case is
 * one line and a failure shows both readings. It begins with the words of its command in small
 * letters; several are parted by "; ".
 */
#ifndef MOLEPOST_TESTS_MAIL_READ_H
#define MOLEPOST_TESTS_MAIL_READ_H

#include "processor/commandtext/command_text.h"

/* A mail that was read, and its items as text. */
struct mail_read {
	struct arena *arena;
	struct command_text text;
	struct strbuf items;
};

/* Its items. */
void command_text_add_items(struct strbuf *out, const struct command_text *l);

struct mail_read read_mail_bytes(struct span text, const char *subject);
struct mail_read read_mail(const char *text, const char *subject);
void mail_read_release(struct mail_read *r);

/* The mail is read as these items. */
void expect_items(const char *text, const char *subject, const char *items);

struct letter_case {
	const char *text, *items;
};
/* The same of every case of an array, without subject. */
void expect_all_items(const struct letter_case *cases, size_t n);
#define EXPECT_ALL(cases) expect_all_items((cases), sizeof(cases) / sizeof((cases)[0]))

#endif
