/*
 * message_text.h - between the files of this room: the text of a message.
 *
 * PRESS TO, BROADCAST and DIARY take the lines below them, up to an end word such as ENDPRESS, or to the
 * end of what the writer has written: quoted lines, the line above a quotation ("On Monday
 * ... wrote:"), a signature and, where there is no end word, a mail quoted without marks never belong
 * to it. Whatever stands above the end word is text, never an order.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_MESSAGE_TEXT_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_MESSAGE_TEXT_H

#include <stdbool.h>

#include "processor/commandtext/command_text.h"

struct message {
	bool open;
	struct command *item; /* NULL: the lines are taken off the mail and dropped */
	struct span *lines;   /* as written, "" between paragraphs */
	size_t nlines, room;
	size_t
	    rule; /* 1 + index of a line that may begin a mail quoted without marks; 0 = none */
};

/* The lines that follow are this item's; at most `room` of them. */
void message_open(struct message *m, struct command *item, size_t room, struct arena *arena);
void message_add(struct message *m, struct span bare, struct span clean);
/* An empty line. */
void message_add_gap(struct message *m);
/* A quotation begins: what stands right above it may only introduce it. */
void message_before_quote(struct message *m);
/* Whether a bare line is one of the end words. */
bool message_is_end_word(struct span bare);
/*
 * Fills item->message and item->ended. `ended`: by a word of the writer; `at_marker`: by the first
 * line of a mail of ours.
 */
void message_close(struct message *m, bool ended, bool at_marker, struct arena *arena);

#endif
