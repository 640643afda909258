/*
 * script.h - one game after another that can be played again to the byte.
 *
 * The script is recorded while it is played undisturbed: every mail with its bytes and time of
 * arrival, every step of the clock, every run. Played again on a fresh testbed with the same
 * seed, it must end in the same place whatever happens to the runs in between: that is what
 * crash tests compare.
 */
#ifndef MOLEPOST_TESTS_SCRIPT_H
#define MOLEPOST_TESTS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/strbuf.h"
#include "tests/support/testbed.h"

struct script {
	struct script_event *events;
	size_t n, cap;
	unsigned runs; /* how many of the events are runs */
};

/*
 * Plays and records. The games: W1 of ann, bob and cy, with orders, orders replaced, withdrawn,
 * held back with SET WAIT, missed and too late, a mail delivered twice, a mail of nonsense, a
 * second address, a mail from elsewhere that she says yes to, a message, a diary, an observer, a
 * pause, a turn that is taken back, and a resignation; W2 of dan against a bot, which a vote ends; W3
 * of fay and gil, who are reminded, and whose seat becomes vacant and is taken over by hal; then a draft,
 * standing orders, a queue, a fallback and an absence have their turns; W4 of kim and lee, which has a
 * master, jon, who uses all of his commands. The first two go to their end,
 * with the records mailed; W1 is to be played again, and eve waits in the queue till Bob has declined
 * that. The script goes on to the day on which handled mail is thrown away.
 */
void script_record(struct script *out);
void script_release(struct script *sc);

/* Called for each run, which it must bring to an end; n counts the runs from 0. */
typedef void script_run(void *ctx, struct testbed *s, unsigned n);
/* The n-th run, undisturbed: what a script_run does when it has done its worst. */
void script_plain_run(void *ctx, struct testbed *s, unsigned n);
/* A fresh testbed that nothing has happened to, as the script wants it. */
struct testbed *script_site(void);
/* Plays the whole script on such a testbed. */
void script_play(const struct script *sc, struct testbed *s, script_run *run, void *ctx);

/* Where a script has led to. */
struct outcome {
	struct strbuf dump;       /* the database, seals opened */
	struct strbuf mails;      /* ids and digests of all that came out */
	struct strbuf archives;   /* of all games */
	struct strbuf complaints; /* undisturbed runs, or fsck, that had something to say */
	bool mails_agree;         /* no id with two kinds of bytes */
};

/* Takes the outcome and frees the testbed. */
void outcome_take(struct testbed *s, struct outcome *out);
void outcome_release(struct outcome *o);
/* True when equal in every respect; else the first difference is appended to why. */
bool outcome_equal(const struct outcome *a, const struct outcome *b, struct strbuf *why);

#endif
