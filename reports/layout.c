/*
 * layout.c - pages: wrapping, echoes, examples, digests.
 *
 * Wrapping is done in the output itself. Words are appended one by one; when
 * one does not fit, a line end goes in front of it. If that word must not
 * begin a line (guard.c), the line end goes in front of an earlier word.
 *
 * Trusts nothing in the texts it is given: they are cleaned first.
 */
#include "reports/layout.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "processor/base/utf8.h"
#include "reports/report.h"

void report_out_release(struct report_out *l)
{
	strbuf_release(&l->subject);
	strbuf_release(&l->body);
	strbuf_release(&l->proof);
}

/* ---- characters ---- */

static bool is_plain(struct span s)
{
	return span_printable(s) == s.len;
}

void text_clean(struct strbuf *out, struct span s)
{
	uint32_t cp;
	while (utf8_next(&s, &cp)) {
		if (cp < ' ' || (cp >= 0x7F && cp <= 0xA0) || cp == 0x2028 || cp == 0x2029)
			strbuf_addc(out, ' ');
		else if (!(cp == 0xAD || cp == 0x61C || cp == 0x200B || cp == 0x200E ||
		           cp == 0x200F || (cp >= 0x202A && cp <= 0x202E) ||
		           (cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF))
			utf8_add(out, cp);
	}
}

/* s itself, or its clean copy in p->clean. */
static struct span clean(struct page *p, struct span s)
{
	if (is_plain(s))
		return s;
	strbuf_clear(&p->clean);
	text_clean(&p->clean, s);
	return strbuf_span(&p->clean);
}

size_t text_width(struct span s)
{
	return is_plain(s) ? s.len : utf8_width(s);
}

void text_clip(struct strbuf *out, struct span s, size_t ncols)
{
	if (text_width(s) <= ncols) {
		strbuf_add_span(out, s);
		return;
	}
	size_t dots = ncols < 8 ? 1 : 3;
	strbuf_add_span(out, utf8_clip(s, ncols - dots));
	strbuf_add_repeat(out, '.', dots);
}

void text_pad(struct strbuf *out, struct span s, size_t ncols, enum doc_align align)
{
	size_t from = out->len;
	size_t width = text_width(s);
	if (align == DOC_RIGHT && width < ncols)
		strbuf_add_repeat(out, ' ', ncols - width);
	text_clip(out, s, ncols);
	if (width > ncols)
		width = text_width(span_slice(strbuf_span(out), from, out->len));
	if (align == DOC_LEFT && width < ncols)
		strbuf_add_repeat(out, ' ', ncols - width);
}

/* ---- pages ---- */

void page_start(struct page *p, struct strbuf *out, struct report_form form)
{
	*p = (struct page){.out = out,
	                   .arena = arena_new(),
	                   .form = form,
	                   .scratch = STRBUF_INIT,
	                   .clean = STRBUF_INIT};
	if (form.cols == 0)
		p->form.cols = REPORT_COLS;
}

void page_end(struct page *p)
{
	arena_free(p->arena);
	strbuf_release(&p->scratch);
	strbuf_release(&p->clean);
}

void page_gap(struct page *p)
{
	p->gap_due = p->out->len > 0;
}

static void open_line(struct page *p)
{
	if (p->gap_due)
		strbuf_addc(p->out, '\n');
	p->gap_due = false;
}

void page_small_print(struct page *p)
{
	page_gap(p);
	open_line(p);
	strbuf_adds(p->out, "-- \n");
}

/* ---- wrapping ---- */

struct wrap {
	struct strbuf *out;
	const char *rest; /* before every line but the first */
	size_t rest_cols;
	size_t width; /* of a line */
	size_t line;  /* offset in out where the words of this line begin */
	size_t cols;  /* used on this line */
	bool marked;  /* "| " and "> " protect every line: any word may begin one */
	bool soft;    /* a line that goes on ends in a blank */
	bool whole;   /* this line must not be broken earlier than it is full */
};

static bool wrap_is_risky(const struct wrap *w, struct span text)
{
	return !w->marked && guard_line_start(text);
}

/* Inside a word nothing may come between. */
static void wrap_break(struct wrap *w, bool inside)
{
	strbuf_adds(w->out, w->soft && !inside ? " \n" : "\n");
	strbuf_adds(w->out, w->rest);
	w->line = w->out->len;
	w->cols = w->rest_cols;
	w->whole = false;
}

/* The last word of this line, but not its first, that may begin a line; 0 if none. */
static size_t wrap_harmless_word(const struct wrap *w)
{
	struct span all = strbuf_span(w->out);
	for (size_t at = all.len; at > w->line + 1; at--) {
		struct span text = span_slice(all, at, all.len);
		if (all.ptr[at - 1] == ' ' && guard_has_word(text) && !guard_line_start(text))
			return at;
	}
	return 0;
}

/* Makes room for a word of `cols` columns; `text` begins with it and goes on. */
static void wrap_new_line(struct wrap *w, size_t cols, struct span text)
{
	if (wrap_is_risky(w, text)) {
		size_t at = w->whole ? 0 : wrap_harmless_word(w);
		if (at != 0) {
			/* Ends the line in front of the word at offset `at`, which follows one blank. */
			struct strbuf tail = STRBUF_INIT;

			strbuf_add_span(&tail,
			                span_slice(strbuf_span(w->out), at, w->out->len));
			w->out->len = at - 1;
			strbuf_adds(w->out, w->soft ? " \n" : "\n");
			strbuf_adds(w->out, w->rest);
			w->line = w->out->len;
			strbuf_add_span(w->out, strbuf_span(&tail));
			strbuf_release(&tail);
			w->cols = w->rest_cols + text_width(span_slice(strbuf_span(w->out),
			                                               w->line, w->out->len));
		}
		if (at != 0 && w->cols + 1 + cols <= w->width) {
			strbuf_addc(w->out, ' ');
			w->cols++;
			return;
		}
		wrap_break(w, false);
		strbuf_adds(w->out, "... ");
		w->cols += 4;
		return;
	}
	wrap_break(w, false);
}

/* A word wider than a line is cut into pieces. */
static struct span wrap_cut_long(struct wrap *w, struct span word)
{
	while (word.len > 0) {
		struct span piece = utf8_clip(word, w->width - w->cols);
		if (piece.len == word.len || piece.len == 0)
			break;
		strbuf_add_span(w->out, piece);
		word = span_slice(word, piece.len, word.len);
		wrap_break(w, true);
	}
	if (w->out->len == w->line && wrap_is_risky(w, word)) {
		strbuf_adds(w->out, "... ");
		w->cols += 4;
	}
	return word;
}

static void wrap_clean(struct page *p, const char *first, const char *rest, struct span text)
{
	text = span_trim(text);
	if (text.len == 0)
		return;
	open_line(p);
	strbuf_adds(p->out, first);
	/* Most texts are one short line: nothing to break, and no two blanks to make one. */
	if (strlen(first) + text.len <= p->form.cols && is_plain(text) &&
	    span_find(text, SPAN_LIT("  ")) == text.len)
		strbuf_add_span(p->out, text);
	else {
		struct wrap w = {.out = p->out,
		                 .rest = rest,
		                 .rest_cols = strlen(rest),
		                 .width = p->form.cols,
		                 .soft = *rest == '\0' && !p->fixed,
		                 .line = p->out->len,
		                 .cols = strlen(first)};
		w.marked = strpbrk(rest, "|>") != NULL;
		/* "List whacked hole 4 ..." is no command because it is long: see guard.c. */
		w.whole = guard_drawn_line(text);
		for (size_t at = 0; at < text.len;) {
			size_t end = at;
			while (end < text.len && text.ptr[end] != ' ')
				end++;
			struct span word = span_slice(text, at, end);
			size_t cols = text_width(word);
			if (w.out->len > w.line) {
				if (w.cols + 1 + cols <= w.width) {
					strbuf_addc(w.out, ' ');
					w.cols++;
				} else {
					wrap_new_line(&w, cols, span_slice(text, at, text.len));
				}
			}
			if (w.cols + cols > w.width) {
				word = wrap_cut_long(&w, word);
				cols = text_width(word);
			}
			strbuf_add_span(w.out, word);
			w.cols += cols;
			while (end < text.len && text.ptr[end] == ' ')
				end++;
			at = end;
		}
	}
	strbuf_addc(p->out, '\n');
}

void page_wrap(struct page *p, const char *first, const char *rest, struct span text)
{
	wrap_clean(p, first, rest, clean(p, text));
}

/* ---- blocks ---- */

static struct span format(struct page *p, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
static struct span format(struct page *p, const char *fmt, va_list ap)
{
	strbuf_clear(&p->scratch);
	strbuf_vaddf(&p->scratch, fmt, ap);
	return strbuf_span(&p->scratch);
}

void page_rule(struct page *p)
{
	page_gap(p);
	open_line(p);
	strbuf_add_repeat(p->out, '=', p->form.cols);
	strbuf_addc(p->out, '\n');
	page_gap(p);
}

void page_heading(struct page *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	struct span text = clean(p, format(p, fmt, ap));
	va_end(ap);
	page_gap(p);
	open_line(p);
	strbuf_adds(p->out, "== ");
	/* As much of it as fits, up to a mark. */
	size_t at = text.len, most = p->form.cols - 6;
	while (at > 0 && (text_width(span_slice(text, 0, at)) > most ||
	                  (at < text.len && !strchr(",:(", text.ptr[at]))))
		at--;
	text_clip(p->out, at > 0 ? span_trim(span_slice(text, 0, at)) : text, most);
	strbuf_adds(p->out, " ==\n");
}

void page_say(struct page *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	page_wrap(p, "", "", format(p, fmt, ap));
	va_end(ap);
}

void page_item(struct page *p, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	page_wrap(p, "- ", p->fixed ? "  " : "", format(p, fmt, ap));
	va_end(ap);
}

void page_prose(struct page *p, const char *bullet, struct span text)
{
	text = clean(p, text);
	if (guard_paragraph_start(text, p->form.cols))
		wrap_clean(p, "| ", "| ", text);
	else
		wrap_clean(p, bullet, p->fixed && *bullet ? "  " : "", text);
}

void page_example(struct page *p, struct span line)
{
	struct span rest = line;
	const char *mark = "  | ";

	while (span_next_line(&rest, &line)) {
		/* Broken between two orders, if it can be: to be copied as it stands. */
		for (size_t end; text_width(line) + strlen(mark) > p->form.cols;
		     line = span_trim(span_slice(line, end, line.len))) {
			struct span most = utf8_clip(line, p->form.cols - strlen(mark));

			for (end = most.len; end > 0 && most.ptr[end - 1] != ';'; end--)
				;
			if (end == 0)
				break;
			page_wrap(p, mark, EXAMPLE_BROKEN, span_slice(line, 0, end));
			mark = EXAMPLE_BROKEN;
		}
		page_wrap(p, mark, EXAMPLE_BROKEN, line);
		mark = EXAMPLE_LINE;
	}
}

void page_orders(struct page *p, struct span canonical)
{
	struct span line;
	while (span_next_line(&canonical, &line))
		page_wrap(p, "  > ", "  >   ", line);
}

void page_quote(struct page *p, struct span text)
{
	text = span_trim(clean(p, text));
	if (text.len > 0) {
		wrap_clean(p, "  > ", "  > ", text);
		return;
	}
	open_line(p);
	strbuf_adds(p->out, "  >\n");
}

void page_echo(struct page *p, struct span line)
{
	enum { ECHO_BYTES = 512 };
	struct span text = span_trim(clean(p, span_slice(line, 0, ECHO_BYTES)));
	if (text.len == 0)
		return;
	open_line(p);
	strbuf_adds(p->out, "  > ");
	text_clip(p->out, text, p->form.cols - 4);
	strbuf_addc(p->out, '\n');
}

void page_hash(struct page *p, const char *label, const void *bytes)
{
	enum { DIGEST_LABEL_COLS = 6 };
	open_line(p);
	strbuf_addc(p->out, ' ');
	text_pad(p->out, span_of(label), DIGEST_LABEL_COLS, DOC_LEFT);
	strbuf_addc(p->out, ' ');
	strbuf_add_hex(p->out, bytes, HASH_LEN);
	strbuf_addc(p->out, '\n');
}

void page_verbatim(struct page *p, struct span text)
{
	if (text.len == 0)
		return;
	open_line(p);
	strbuf_add_span(p->out, text);
	if (text.ptr[text.len - 1] != '\n')
		strbuf_addc(p->out, '\n');
}

static struct span without_final_blanks(struct span s)
{
	while (s.len > 0 && s.ptr[s.len - 1] == ' ')
		s.len--;
	return s;
}

static void add_drawn(struct page *p, struct span line, bool guarded)
{
	size_t room = p->form.cols;
	open_line(p);
	if (guarded) {
		strbuf_adds(p->out, "| ");
		room -= 2;
		if (span_starts(line, "  "))
			line = span_slice(line, 2, line.len);
	}
	text_clip(p->out, line, room);
	strbuf_addc(p->out, '\n');
}

void page_drawn(struct page *p, struct span line)
{
	line = without_final_blanks(clean(p, line));
	add_drawn(p, line, guard_drawn_line(line));
}

void page_row(struct page *p, struct span line)
{
	line = without_final_blanks(clean(p, line));
	add_drawn(p, line, guard_drawn_line(line) || guard_paragraph_start(line, p->form.cols));
}
