/*
 * mail_texts.h - the texts of a mail as command texts, read by the child that parsed it.
 *
 * The child reads what somebody may want of a mail and adds it to its answer (mail_in.read); who wants
 * a text takes it from there. So the text of a stranger is interpreted where there is neither a key
 * nor a database. What the child did not read (a mail that was held, a line of a command) is read here.
 *
 * Trusts nothing of what a child says: numbers are bounded, texts are checked, and what does not fit
 * is as if the child had said nothing.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_MAIL_TEXTS_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_MAIL_TEXTS_H

#include "mail/parser.h"
#include "processor/base/seal.h"
#include "processor/commandtext/command_text.h"

/* So many texts of a mail are worth reading: people's have two or three. */
size_t mail_texts_to_try(const struct mail_in *mail);
/* In the child: appends them, read with so many commands each at most. A parser_read_fn. */
void mail_texts_read(const struct mail_in *mail, unsigned max_commands, struct arena *arena,
                     struct strbuf *out);
/*
 * The digest of what the child found in all of it that two copies of one mail have in common
 * (same_words.h). False: the child did not read it.
 */
bool mail_texts_same_words(const struct mail_in *mail, struct hash *digest);
/* The text with this index and the subject, as command_text_read gives it. */
void mail_text_command(const struct mail_in *mail, size_t i, unsigned max_commands,
                       struct arena *arena, struct command_text *out);

#endif
