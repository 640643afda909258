/*
 * utf8.h - UTF-8 without a locale (libutf8proc's tables).
 *
 * Trusts nothing: every function takes any bytes. After utf8_valid() later
 * code may rely on well-formed text (no surrogates, no overlong forms).
 */
#ifndef MOLEPOST_BASE_UTF8_H
#define MOLEPOST_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

bool utf8_valid(struct span s);
/* Takes the next code point off *rest; false at the end. Each bad byte gives one U+FFFD. */
bool utf8_next(struct span *rest, uint32_t *cp);
void utf8_add(struct strbuf *out, uint32_t cp);
/* Columns on a terminal or in a fixed-width mail: wide characters 2, combining marks 0. */
size_t utf8_width(struct span s);
/* The longest prefix of at most `ncols` columns, never splitting a character. */
struct span utf8_clip(struct span s, size_t ncols);
/* Appends s in Unicode normal form C. */
void utf8_add_nfc(struct strbuf *out, struct span s);
/* Appends s case-folded and in NFC: equal exactly when people would call the names the same. */
void utf8_add_folded(struct strbuf *out, struct span s);
bool utf8_eq_folded(struct span a, struct span b);
/*
 * Whether one can be taken for the other: equal when folded, or of one skeleton (UTS #39) as they are, in
 * small letters or in capitals. Blanks and punctuation have no look; accents do.
 */
bool utf8_looks_alike(struct span a, struct span b);
/* Appends an ASCII rendering: accents dropped, typography replaced, the rest '?'. */
void utf8_add_ascii(struct strbuf *out, struct span s);
/* The same in small letters, in the arena: to compare words as people type them. */
struct span utf8_dup_ascii(struct span s, struct arena *arena);
/*
 * The copy of a line that is parsed (the original is kept for the echo):
 * no-break and other odd spaces become ' ', invisible marks vanish, smart
 * quotes and dashes and full-width letters become ASCII, an ellipsis becomes
 * "...", runs of blanks become one, ends are trimmed. Control characters
 * vanish, bad bytes become U+FFFD.
 */
void utf8_add_plain(struct strbuf *out, struct span line);

#endif
