/*
 * meant_here.h - between the files of this room: whether a command is meant where it stands.
 *
 * YES, CHECK, NOTE, PAUSE and the like are words of any letter. They act only in the first block of
 * what the writer has written, where nothing but a greeting or other commands stands above them;
 * never in indented lines, never below the line that says whom they quote. A message or a note with
 * its end word is meant wherever it stands. What speaks to all players or ends something (RESIGN,
 * TERMINATE, PAUSE, RESUME, BROADCAST, OFFICIAL) acts anywhere with a colon or the id of its game;
 * without either in the first block of an answer whose subject names the game, or when it is all that
 * the writer has written. Elsewhere it is talk, and may be asked about.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_MEANT_HERE_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_MEANT_HERE_H

#include <stdbool.h>

#include "processor/commandtext/grammar.h"

/* Where a line stands. */
struct place {
	bool first_block;   /* of the writer's own words */
	bool first_line;    /* of them, greetings apart */
	bool quote_above;   /* own words, then whom they quote */
	bool indented;      /* by a tab or four blanks, as code is */
	bool in_our_thread; /* the subject is that of a mail of ours */
	struct span below;  /* the lines that follow it, as they came */
};

/* `line` is the bare line that fitted `row` as `item`. */
bool is_meant_here(const struct place *place, const struct grammar_row *row,
                   const struct command *item, struct span line, struct arena *arena);
/* "Hi Bob," above a command opens no block of its own. */
bool is_greeting(struct span bare);

#endif
