/*
 * text_line.h - one line of a mail, made readable.
 */
#ifndef MOLEPOST_PROCESSOR_QUOTES_TEXT_LINE_H
#define MOLEPOST_PROCESSOR_QUOTES_TEXT_LINE_H

#include <stdbool.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"

static inline char text_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Any bytes to trimmed UTF-8 without control characters, in the arena; otherwise as written. */
struct span text_clean_line(struct span raw, struct arena *arena);
/* A clean line with typography made plain (utf8_add_plain), or the line itself if it is so already. */
struct span text_plain(struct span clean, struct arena *arena);
/*
 * A plain line without what mail programs add: a bullet, *bold* marks, one full stop at the
 * end.
 */
struct span text_bare(struct span plain, struct arena *arena);
/* "-- ", the line above a signature; `raw` is the line untouched. */
bool is_signature(struct span raw);
/* "Sent from my iPhone", "Get Outlook for Android": what a phone adds below; the line is plain. */
bool is_program_line(struct span line);
unsigned text_count_words(struct span line);

#endif
