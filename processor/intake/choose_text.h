/*
 * choose_text.h - what a mail says, with what only a game can know of it.
 *
 * A mail often says the same thing twice, as text and as HTML, and has a list's footer behind it.
 * The first text that is understood whole is taken, else the first that is understood at all, else
 * the first. A program that made the plain text may have run its lines together (phones) or broken
 * them (webmail), while the HTML beside it is as it was typed: where a line of orders goes on in the
 * HTML, that is read.
 *
 * And "Test drive on Monday" begins like a command, whose orders would be the lines below it. When
 * the game finds nothing in the words behind CHECK or PREVIEW it was talk, and the lines below are
 * orders like all others.
 */
#ifndef MOLEPOST_PROCESSOR_INTAKE_CHOOSE_TEXT_H
#define MOLEPOST_PROCESSOR_INTAKE_CHOOSE_TEXT_H

#include "mail/mail.h"
#include "processor/commandtext/command_text.h"

/* How much of some lines a game understands. */
enum speech {
	SPEECH_NONE,   /* talk */
	SPEECH_WRONG,  /* orders were meant; none can be carried out */
	SPEECH_FLAWED, /* some are right, beside lines that are wrong */
	SPEECH_CLEAR
};
typedef enum err judge_text_fn(void *ctx, struct span orders, enum speech *out);

/*
 * Reads a mail whose fault is MAIL_OK. `judge` is NULL when it is about no game. *out is to be
 * released with command_text_release when ERR_NONE comes back; *which (may be NULL) is the index of the
 * text. `max_commands` as for command_text_read.
 */
enum err choose_text(const struct mail_in *mail, unsigned max_commands, struct arena *arena,
                     judge_text_fn *judge, void *ctx, struct command_text *out,
                     size_t *which) MUST_CHECK;

#endif
