/*
 * reading.h - which of a mail's texts is the one that speaks.
 *
 * A mail often says the same thing twice, as text and as HTML, and has a list's footer behind it.
 * The first text that is understood whole is taken, else the first that is understood at all, else
 * the first. A program that made the plain text may have run its lines together (phones) or broken
 * them (webmail), while the HTML beside it is as it was typed.
 */
#ifndef MOLEPOST_PROCESSOR_READING_H
#define MOLEPOST_PROCESSOR_READING_H

#include "mail/mail.h"
#include "processor/letter.h"

/* How much of a text was understood. */
enum speech {
	SPEECH_NONE,
	SPEECH_FLAWED, /* something, beside lines that were meant and are wrong */
	SPEECH_CLEAR
};

/* What a caller makes of a letter's orders: SPEECH_NONE when it has none of them. */
typedef enum err reading_judge_fn(void *ctx, const struct letter *l, enum speech *out);

/*
 * Reads the texts of a mail whose fault is MAIL_OK. *out is to be released with letter_release when
 * ERR_NONE comes back; *which (may be NULL) is the index of the text. `max_commands` as for
 * letter_read. A mail with one text is not judged.
 */
enum err reading_choose(const struct mail_in *mail, unsigned max_commands, struct arena *arena,
                        reading_judge_fn *judge, void *ctx, struct letter *out,
                        size_t *which) MUST_CHECK;

#endif
