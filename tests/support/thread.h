/*
 * thread.h - a conversation by mail as a folder of files, played and compared.
 *
 * tests/threads/NNN-NAME/ holds, besides `about` (a sentence: what it shows), steps in the order of
 * their numbers:
 *
 *	010-ann.eml   a mail of ann's; From, To, Subject, Message-ID (<010-ann@example.net>), Date
 *	              and MIME fields it lacks are added
 *	010-ann.raw   a mail as it stands
 *	020-clock     "+3D", "+90M": handles what has arrived, then moves the clock
 *	020-wait      the same without handling anything before
 *	020-run       one run of the server; a run is implied before clock and do, and at the end
 *	020-do        a command of the operator, without "molepost"
 *	021-out-ann.txt  what came of step 020: numbered on from its number
 *
 * Every mail takes the clock on by a minute. In .eml and .raw these are replaced:
 *
 *	{reply}  Reply-To of the last mail the writer got (the server's address if it has none)
 *	{id}     its Message-ID          {subject} its subject
 *	{text}   its body                {quoted}  its body behind "> "
 *	{sender} the address it was sent from, where it comes back to; {raw} all of it
 *	{reply bob}, {id 2}, {text bob 3}: the last mail of somebody else, his second, bob's third
 *
 * The file `setup`, if there is one, holds lines: `given NNN-NAME` (that conversation goes before
 * this one), `config KEY = VALUE` (of molepost.conf; {tests} in it is the folder of the tests),
 * `brief WHO` (of mails to WHO, or "*", only the header is compared), `record 1` (before any of
 * these: games are made as they were before records had version 2, and go on so).
 *
 * What a mail is compared by: To, Subject, threading, Reply-To without its MAC, and the body,
 * long hexadecimal numbers cut to eight digits, Message-IDs of the server named "mail 3 to
 * ann". UPDATE=1 in the environment writes the -out- files anew; a person reads the diff.
 */
#ifndef MOLEPOST_TESTS_THREAD_H
#define MOLEPOST_TESTS_THREAD_H

#include "tests/support/testbed.h"

struct thread {
	const char *dir;
	struct testbed *testbed;
	struct strbuf
	    problem; /* "" while all came out as written; else everything that did not */
	/* Within this file. */
	struct thread_expected *expected;
	size_t nexpected;
	struct strbuf brief; /* people, each between blanks */
	bool compares;       /* false while a given conversation is played */
	unsigned step;       /* number of the last step */
	unsigned outs;       /* outputs of that step so far */
	bool pending;
};

/* Plays the conversation in `dir`; the testbed is open afterwards. */
void thread_play(struct thread *t, const char *dir);
void thread_free(struct thread *t);

/* What differs between two runs of a sound server is cut short, Message-IDs get names. */
void thread_mask(const struct testbed *s, struct span text, struct strbuf *out);
/* Subject and text of all that came to somebody, so masked. */
void thread_mails_to(const struct testbed *s, const char *who, struct strbuf *out);
/* Every line behind "> ". */
void thread_quote(struct span text, struct strbuf *out);

#endif
