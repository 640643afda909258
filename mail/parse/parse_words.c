/*
 * parse_words.c - RFC 2047 in subjects and display names.
 *
 * libetpan undoes the encoding of one word; which charset its bytes are in is
 * decided by charset.c, since the library's own conversion writes '?' for what it does not
 * know, and a lone '?' in a subject asks for the guide.
 */
#include "mail/parse/private.h"

#include <string.h>

#include "processor/base/utf8.h"

struct words {
	struct parse *p;
	struct span rest;
	struct strbuf *out;
	char charset[40]; /* of the bytes pending */
	/* Neighbouring words of one charset: a character may straddle two. */
	struct strbuf pending;
};

/* Unreadable bytes are shown as U+FFFD, never guessed at and never '?'. */
static void add_as_text(struct parse *p, struct span charset, struct span bytes,
                        struct strbuf *out)
{
	bool guessed = false;
	uint32_t cp;

	if (bytes.len == 0 || charset_decode(p->charsets, charset, bytes, out, &guessed))
		return;
	while (utf8_next(&bytes, &cp))
		utf8_add(out, cp < ' ' || (cp >= 0x7f && cp <= 0x9f) ? 0xfffd : cp);
}

static void flush(struct words *w)
{
	add_as_text(w->p, span_of(w->charset), strbuf_span(&w->pending), w->out);
	strbuf_clear(&w->pending);
}

static void take_word(struct words *w, const struct mailmime_encoded_word *word)
{
	struct span charset = span_of(word->wd_charset);

	/* RFC 2231 lets a language follow the charset. */
	charset = span_slice(charset, 0, span_find_char(charset, '*'));
	charset = span_slice(charset, 0, sizeof(w->charset) - 1);
	if (w->pending.len > 0 && !span_eq_nocase(charset, w->charset))
		flush(w);
	memset(w->charset, 0, sizeof(w->charset));
	if (charset.len > 0)
		memcpy(w->charset, charset.ptr, charset.len);
	strbuf_adds(&w->pending, word->wd_text);
}

/* Takes one encoded word off rest, which stands at "=?". */
static bool read_word(struct words *w)
{
	const struct etpan *lib = &w->p->lib;
	struct mailmime_encoded_word *word = NULL;
	size_t at = 0;
	int blank, unclosed;

	if (lib->mailmime_encoded_word_parse(w->rest.ptr, w->rest.len, &at, &word, &blank,
	                                     &unclosed) != MAILIMF_NO_ERROR)
		return false;
	take_word(w, word);
	lib->mailmime_encoded_word_free(word);
	w->rest = span_slice(w->rest, at, w->rest.len);
	return at > 0;
}

static void read_plain(struct words *w)
{
	struct span from_second = span_slice(w->rest, 1, w->rest.len);
	size_t len = 1 + span_find(from_second, SPAN_LIT("=?"));
	struct span plain = span_slice(w->rest, 0, len);

	/* Blanks between two encoded words belong to neither. */
	if (w->pending.len > 0 && len < w->rest.len && span_trim(plain).len == 0) {
		w->rest = span_slice(w->rest, len, w->rest.len);
		return;
	}
	flush(w);
	add_as_text(w->p, SPAN_EMPTY, plain, w->out);
	w->rest = span_slice(w->rest, len, w->rest.len);
}

/* Text decoded from a word may hold tabs and line ends. */
static void make_one_line(struct strbuf *sb)
{
	size_t i;

	for (i = 0; i < sb->len; i++)
		if ((unsigned char)sb->ptr[i] < ' ')
			sb->ptr[i] = ' ';
}

struct span parse_words(struct parse *p, struct span value, struct arena *arena)
{
	struct strbuf out = STRBUF_INIT;
	struct words w = {.p = p, .rest = value, .out = &out, .pending = STRBUF_INIT};
	struct span line;

	if (span_find(value, SPAN_LIT("=?")) == value.len && charset_line_is_clean(value))
		return arena_dup(arena, span_trim(value));
	while (w.rest.len > 0)
		if (!span_starts(w.rest, "=?") || !read_word(&w))
			read_plain(&w);
	flush(&w);
	make_one_line(&out);
	line = arena_dup(arena, span_trim(strbuf_span(&out)));
	strbuf_release(&w.pending);
	strbuf_release(&out);
	return line;
}
