/*
 * answers.h - the answer to a mail of ours as people's mail programs write it.
 *
 * tests/mail/answers.txt describes the programs: what they put before each line they quote, how they break or
 * flatten it, what stands above and below, charset, encoding, HTML. From that and a mail as it came out, the
 * answer is made anew each time: a change of our mails is a change of their answers.
 *
 *	program outlook-desktop-de        begins one; its name: program, form, language
 *	header X-Mailer: Outlook          any number of fields more
 *	subject AW:                       before the subject answered, "Re:" if left out
 *	body both windows-1252 quoted-printable      plain, html or both; charset (utf-8 where it lacks a letter);
 *	                                  7bit, 8bit, quoted-printable or base64; then perhaps "flowed"
 *	html outlook                      the form of the HTML
 *	prefix "> "                       before each line quoted; left out: nothing
 *	lines joined                      of the quotation: "sent", as we broke them; "joined", as long as they are;
 *	                                  "wrap 76", joined and broken anew; "break 60", what is longer gets a rest
 *	                                  on a line of its own
 *	quote flat curly ...              what else is done to the quotation: "flat", runs of blanks are one; "nbsp",
 *	                                  blanks do not break; "curly", typographic quotes and dashes; "trailing",
 *	                                  a blank at line ends; "unsigned", nothing from "-- " on; "bom", U+FEFF
 *	                                  before it; "enclosed", in quotation marks
 *	text glued                        the lines of the plain text are one
 *	ours tab glued "* "               the plain text it makes of our HTML: between cells of a table a blank, "tab", or
 *	                                  "cells", each has a line; the address of a link is left out, "glued" to it,
 *	                                  "apart", in "square" brackets, or in "notes" below; last what stands before
 *	                                  an entry of a list. "text": it shows our text, not our HTML
 *	unnamed                           without In-Reply-To and References
 *	signature Sent from my phone      below the writer's words, a line each
 *	above Von: Molepost               between the words and the quotation; "above" alone is an empty line
 *	below This e-mail is secret       below all
 *	open no number                    why a message without an end word is not read as its words alone
 *
 * {who} is the writer's address, {subject} that of the mail answered. A form of HTML:
 *
 *	form outlook
 *	begin <html>                      once
 *	line <p>{}</p>                    a line of the writer, of the signature, or of what stands below
 *	empty <p>&nbsp;</p>               an empty one
 *	above <b>{}</b><br>               a line of `above`, between `head` and `headed`
 *	open <blockquote>                 before each piece of the quotation, which ends with `close`
 *	quoted {}<br>                     a line of it, and, if it is not the same, `blank`, an empty one
 *	keeps                             runs of blanks stay, as &nbsp;
 *	tags <blockquote>{}</blockquote>  our HTML, where we sent one: "whole", "tags", "word" or "flat"
 *	                                  (answers_html.h); without such a line it is quoted as text
 *	end </html>
 */
#ifndef MOLEPOST_TESTS_SUPPORT_ANSWERS_H
#define MOLEPOST_TESTS_SUPPORT_ANSWERS_H

#include "tests/support/testbed.h"

/* Where the writer's words stand. INLINE: their first paragraph apart from the rest. UNDER_HEADER: below the attribution or the block of header fields. */
enum answer_place { ANSWER_TOP, ANSWER_BELOW, ANSWER_INLINE, ANSWER_UNDER_HEADER };
#define ANSWER_PLACES 4
extern const char *const answer_place_names[ANSWER_PLACES];

struct answers; /* the programs of the file */

/* Aborts when the file is not as above. Free with answers_free. */
struct answers *answers_read(const char *path);
void answers_free(struct answers *a);
size_t answers_count(const struct answers *a);
/* Borrowed. */
const char *answers_name(const struct answers *a, size_t program);
/* Not all of its answers are read as they should be; false: all are. */
bool answers_is_open(const struct answers *a, size_t program);

/* Of `words`, to the mail `to`. All borrowed. */
struct answer {
	const char *who; /* "ann" */
	const struct post *to;
	struct span words; /* lines end in LF */
	enum answer_place place;
	int64_t date_utc;
};

/* Appends the mail, lines ending in LF. */
void answers_write(const struct answers *a, size_t program, const struct answer *answer,
                   struct strbuf *raw);

#endif
