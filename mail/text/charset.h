/*
 * charset.h - from any of the charsets of real mail to UTF-8, strictly.
 *
 * A byte that the charset does not have is never replaced by '?' or left out: the
 * charset is then the wrong one and the next is tried, declared -> UTF-8 ->
 * windows-1252. Text with control characters counts as wrong as well, since
 * that is what broken transfer encodings decode to. Names come from a fixed list; what a
 * mail says never reaches iconv_open. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_CHARSET_H
#define MOLEPOST_MAIL_TEXT_CHARSET_H

#include <stdbool.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* Conversions opened so far; opening one costs more than converting a mail with it. */
struct charsets;
/*
 * Those of one byte a character are read with tables, which the C library's iconv fills once from 128 bytes of
 * ours. For all others iconv is given what a stranger has sent, and that is for a process with nothing to lose.
 */
enum charsets_read { CHARSETS_OF_ONE_BYTE, CHARSETS_ALL };
struct charsets *charsets_new(enum charsets_read which);
/* False: it is one of those that are not read here. */
bool charsets_has(const struct charsets *c, struct span declared);
void charsets_free(struct charsets *c);
/* Those that are not yet; what is then converted needs no file any more. */
void charsets_open_all(struct charsets *c);

/*
 * Appends `bytes` as UTF-8 with LF line ends. `declared` may be empty or any nonsense.
 * False, with nothing appended, when no charset fits, or it is not read here. *guessed is set (never cleared) when the
 * text is not in the charset declared.
 */
bool charset_decode(struct charsets *c, struct span declared, struct span bytes,
                    struct strbuf *out, bool *guessed);

/*
 * For text that no charset fits: what can be read of it, as UTF-8 or windows-1252, and U+FFFD for all
 * else. No order and no command has such a character in it.
 */
void charset_decode_broken(struct charsets *c, struct span bytes, struct strbuf *out);
/* U+2028 and U+2029, with which some programs end lines, become LF. */
void charset_end_lines(struct strbuf *text);

/* Well-formed UTF-8 without control characters but tab, LF and FF. */
bool charset_text_is_clean(struct span s);
/* The same without any control character: what a header value looks like. */
bool charset_line_is_clean(struct span s);

/* How many bytes at the start are below 0x80. */
size_t charset_ascii_length(struct span s);

#endif
