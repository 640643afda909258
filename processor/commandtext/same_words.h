/*
 * same_words.h - what two copies of one mail have in common, whatever happened to them on the way.
 *
 * Blanks, empty lines, case and typography do not count, nor what a list or a border server writes
 * below a text: from "-- " on everything, from a line of dashes, underlines or the like on what is
 * no command and could be no order. Nor does talk between the orders; but a message counts whole.
 *
 * The same in all versions of the program would be best: a digest is compared with digests stored
 * by older ones (a copy that is the same to the byte is known without it).
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_SAME_WORDS_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_SAME_WORDS_H

#include "mail/mail.h"
#include "processor/base/seal.h"
#include "processor/commandtext/command_text.h"

/* Of the lines of one text, and of the messages in it as it was read (`c`). */
void same_words_add(struct quick_hasher *h, struct span text, const struct command_text *c,
                    struct arena *arena);

#endif
