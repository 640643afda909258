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

/* A digest of it: of the lines of the texts, a command in the subject, and what is attached. */
struct hash same_words_digest(const struct mail_in *mail, struct arena *arena);

#endif
