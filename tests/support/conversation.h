/*
 * conversation.h - a conversation by mail as one text file, played and compared.
 *
 * tests/conversations/NNN-NAME.txt begins with what it shows, in a sentence or two, and, below an empty line, how
 * the server is set up, a line each:
 *
 *	given NNN-NAME       that conversation goes before this one
 *	config KEY = VALUE   of molepost.conf; {tests} in it is the folder of the tests
 *	record 1             before any of these: games are made as before records had version 2, and go on so
 *
 * Then come blocks, each below a marker:
 *
 *	==== ann writes              a mail: header fields, if any, an empty line, the text. From, To, Subject,
 *	                             Message-ID, Date and MIME fields it lacks are added
 *	==== ann replies             the same; To, In-Reply-To and Subject answer the last mail ann got ...
 *	==== ann replies to bob 2    ... or bob's second
 *	==== mx sends                a mail as it stands
 *	==== run                     one run of the server; one is implied before clock and do, and at the end.
 *	                             Anything it prints stands below
 *	==== clock +3D               handles what has arrived, then moves the clock ("+90M")
 *	==== wait +3D                the same without handling anything before
 *	==== do game W1              a command of the operator, without "molepost"; what it prints stands below
 *	==== to ann: [W1] a subject  a mail that came of the step above: the names of attached files as
 *	                             "Attached: NAME", an empty line, the text down to the line "-- "
 *
 * Mails come in the order in which they are written; all have to come, and no other. In a text that came, a line
 * `...` stands for any number of lines; one without a text is compared by its subject alone; and where the line
 * "-- " is written, all below it is compared too, with the record behind it. Otherwise mail_check.h sees to that.
 * An empty line before a marker belongs to nothing. A line of a text that begins with "==== " or a backslash, and
 * a line `...` that came, stand behind a backslash.
 *
 * Every mail takes the clock on by a minute. Steps are numbered 010, 020 ...; a number before the words of a
 * marker ("==== 015 ann writes") sets it, so that the Message-IDs of those after it, <020-ann@example.net>, and
 * with them what is drawn, stay as they are when a step is put in between. In mails that go in these are replaced:
 *
 *	{reply}  Reply-To of the last mail the writer got (the server's address if it has none)
 *	{id}     its Message-ID          {subject} its subject
 *	{text}   its body                {quoted}  its body behind "> "
 *	{proof}  the text attached to it that proves something    {quoted-proof}  the same behind "> "
 *	{sender} the address it was sent from, where it comes back to; {raw} all of it
 *	{reply bob}, {id 2}, {text bob 3}: the last mail of somebody else, his second, bob's third
 *
 * In what came, long hexadecimal numbers are cut to eight digits, and Message-IDs of the server named "mail 3 to
 * ann". UPDATE=1 in the environment writes what came into the file, but keeps `...` (expected_text.h); a person
 * reads the diff.
 */
#ifndef MOLEPOST_TESTS_CONVERSATION_H
#define MOLEPOST_TESTS_CONVERSATION_H

#include "tests/support/testbed.h"

struct conversation {
	struct testbed *testbed;
	struct strbuf
	    problem; /* "" while all came out as written; else everything that did not */
	struct strbuf
	    came_in;   /* "<Message-ID> address" of each mail that went in, a line each */
	unsigned cols; /* of everybody's mails; 0: as the conversation has them */
};

/* Plays the conversation in this file; the testbed is open afterwards. */
void conversation_play(struct conversation *c, const char *path);
/*
 * The same for readers who all have lines of so many columns from their first mail on, and nothing is compared: what
 * is longer in a mail of the conversation's own is a problem. Not on PostgreSQL.
 */
void conversation_play_narrow(struct conversation *c, const char *path, unsigned cols);
void conversation_free(struct conversation *c);

/* What differs between two runs of a sound server is cut short, Message-IDs get names. */
void conversation_mask(const struct testbed *s, struct span text, struct strbuf *out);
/* Subject and text of all that came to somebody, so masked. */
void conversation_mails_to(const struct testbed *s, const char *who, struct strbuf *out);
/* Every line behind "> ". */
void conversation_quote(struct span text, struct strbuf *out);

#endif
