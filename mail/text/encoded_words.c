/*
 * encoded_words.c - RFC 2047 in subjects and display names.
 */
#include "mail/text/encoded_words.h"

#include <string.h>

#include "processor/base/utf8.h"

/* RFC 2047, 2: `token`; but bytes beyond ASCII are let through, and then no charset's name. */
static bool is_token_char(char c)
{
	return ((unsigned char)c > ' ') &&
	       span_find_char(SPAN_LIT("()<>@,;:\"/[]?=\x7f"), c) == 15;
}

bool encoded_word_opens(struct span s, struct encoded_word *out)
{
	size_t n = 2;

	if (!span_starts(s, "=?"))
		return false;
	while (n < s.len && is_token_char(s.ptr[n]))
		n++;
	out->charset = span_slice(s, 2, n);
	out->charset = span_slice(out->charset, 0, span_find_char(out->charset, '*'));
	out->len = n + 3;
	s = span_slice(s, n, n + 3);
	out->base64 = span_eq_nocase(s, "?b?");
	return n > 2 && (out->base64 || span_eq_nocase(s, "?q?"));
}

struct words {
	struct charsets *charsets;
	struct span rest;
	struct strbuf *out;
	bool after_word; /* and those below are about it and the words joined to it */
	char charset[40];
	bool base64;
	unsigned bits, nbits; /* of the base64 letters that make no byte yet */
	struct strbuf bytes;
};

/* Unreadable bytes are shown as U+FFFD, never guessed at and never '?': a lone '?' asks for the guide. */
static void add_as_text(struct charsets *c, struct span charset, struct span bytes,
                        struct strbuf *out)
{
	bool guessed = false;
	uint32_t cp;

	if (bytes.len == 0 || charset_decode(c, charset, bytes, out, &guessed))
		return;
	if (!charsets_has(c, charset)) {
		utf8_add(out, 0xfffd);
		return;
	}
	while (utf8_next(&bytes, &cp))
		utf8_add(out, cp < ' ' || (cp >= 0x7f && cp <= 0x9f) ? 0xfffd : cp);
}

static void end_words(struct words *w)
{
	add_as_text(w->charsets, span_of(w->charset), strbuf_span(&w->bytes), w->out);
	strbuf_clear(&w->bytes);
	w->after_word = false;
}

/* What is no letter of it is passed over. Padding at the end: the next word begins anew. */
static void add_base64(struct words *w, struct span text)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < text.len; i++) {
		size_t value = span_find_char(SPAN_LIT(letters), text.ptr[i]);

		if (value == sizeof(letters) - 1)
			continue;
		w->bits = (w->bits << 6 | (unsigned)value) & 0xfff;
		w->nbits += 6;
		if (w->nbits >= 8) {
			w->nbits -= 8;
			strbuf_addc(&w->bytes, (char)(w->bits >> w->nbits));
		}
	}
	if (text.len > 0 && text.ptr[text.len - 1] == '=')
		w->nbits = 0;
}

/* A '=' without two digits behind it stands for itself. */
static void add_quoted(struct words *w, struct span text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '=' && i + 2 < text.len && ascii_hex_value(text.ptr[i + 1]) >= 0 &&
		    ascii_hex_value(text.ptr[i + 2]) >= 0) {
			c = (char)(ascii_hex_value(text.ptr[i + 1]) << 4 |
			           ascii_hex_value(text.ptr[i + 2]));
			i += 2;
		} else if (c == '_') {
			c = ' ';
		}
		strbuf_addc(&w->bytes, c);
	}
}

/* Takes one encoded word off rest, if it stands there. */
static bool take_word(struct words *w)
{
	struct encoded_word word;
	struct span text;

	if (!encoded_word_opens(w->rest, &word))
		return false;
	word.charset = span_slice(word.charset, 0, sizeof(w->charset) - 1);
	if (w->after_word && !span_eq_nocase(word.charset, w->charset))
		end_words(w);
	if (!w->after_word || !word.base64 || !w->base64)
		w->nbits = 0;
	memcpy(w->charset, word.charset.ptr, word.charset.len);
	w->charset[word.charset.len] = '\0';
	w->base64 = word.base64;
	w->after_word = true;
	w->rest = span_slice(w->rest, word.len, w->rest.len);
	text = span_slice(w->rest, 0, span_find(w->rest, SPAN_LIT("?=")));
	w->rest = span_slice(w->rest, text.len + 2, w->rest.len);
	if (word.base64)
		add_base64(w, text);
	else
		add_quoted(w, text);
	return true;
}

/* Up to what may be the next word. Blanks between two encoded words belong to neither. */
static void take_plain(struct words *w)
{
	size_t len = 1 + span_find(span_slice(w->rest, 1, w->rest.len), SPAN_LIT("=?"));
	struct span plain = span_slice(w->rest, 0, len);
	struct encoded_word next;

	w->rest = span_slice(w->rest, len, w->rest.len);
	if (w->after_word && span_trim(plain).len == 0 && encoded_word_opens(w->rest, &next))
		return;
	end_words(w);
	add_as_text(w->charsets, SPAN_EMPTY, plain, w->out);
}

struct span encoded_words_decode(struct span value, struct charsets *charsets,
                                 struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	struct words w = {
	    .charsets = charsets, .rest = value, .out = &out, .bytes = STRBUF_INIT};
	struct span line;

	if (span_find(value, SPAN_LIT("=?")) == value.len && charset_line_is_clean(value))
		return arena_dup(arena, span_trim(value));
	while (w.rest.len > 0)
		if (!take_word(&w))
			take_plain(&w);
	end_words(&w);
	for (size_t i = 0; i < out.len; i++)
		if ((unsigned char)out.ptr[i] < ' ')
			out.ptr[i] = ' ';
	line = arena_dup(arena, span_trim(strbuf_span(&out)));
	strbuf_release(&w.bytes);
	strbuf_release(&out);
	return line;
}
