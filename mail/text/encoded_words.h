/*
 * encoded_words.h - text in a header that is not ASCII: RFC 2047, as real mail has it.
 *
 * Words may touch other text, stand inside quotes, hold blanks, or have no end, which is then the end of
 * the line. Neighbouring words of one charset are put together before their bytes are read, since a
 * character, or a group of four base64 letters, may straddle two. A language behind the charset (RFC 2231)
 * is left out.
 *
 * Pure. Trusts nothing: any bytes. Takes time in proportion to their number.
 */
#ifndef MOLEPOST_MAIL_TEXT_ENCODED_WORDS_H
#define MOLEPOST_MAIL_TEXT_ENCODED_WORDS_H

#include <stdbool.h>

#include "mail/text/charset.h"
#include "processor/base/arena.h"

/* How an encoded word begins: "=?charset*language?Q?" or B. */
struct encoded_word {
	struct span charset; /* without the language; borrowed from the text */
	bool base64;
	size_t len; /* of all that, in bytes */
};
/* Whether the text begins so. Whether the word has an end is not looked at. */
bool encoded_word_opens(struct span s, struct encoded_word *out);

/*
 * The value of an unfolded field with its words decoded, as one clean line of UTF-8 (charset_line_is_clean)
 * in the arena, ends trimmed. Bytes that are in no charset, and control characters, are U+FFFD, and so is a
 * whole word in a charset that is not read here (charsets_has); tabs and line ends out of a word are blanks.
 */
struct span encoded_words_decode(struct span value, struct charsets *charsets,
                                 struct arena *arena);

#endif
