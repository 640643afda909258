/*
 * mail_html.c - a finished mail as HTML, from its text.
 *
 * The text is the mail; this is another look at it, for whoever asks (SET MAIL HTML), so it is made
 * from the text alone, line by line, and a mail that was stored years ago has one too:
 *
 *	a line that ends in a blank     goes on in the next: one paragraph
 *	"== Scores =="                  a heading
 *	"- ..."                         an entry of a list
 *	"  | popup 3"                   an example: a link that begins an answer with it
 *	"  > POPUP 3"                   orders, or what somebody wrote
 *	lines with gaps between them    a table, where the gaps make columns, else a drawing
 *	"-- "                           what nobody has to read: small, in grey
 *	the board, where it is drawn    the picture of it that came along
 *
 * Mail programs know little: no script, nothing is loaded, styles that may be missing. Examples and orders
 * keep the mark before them, so that a mail that comes back with all of this in it orders nothing.
 */
#include <ctype.h>
#include <string.h>

#include "processor/base/mailto.h"
#include "processor/base/utf8.h"
#include "reports/layout.h"
#include "reports/web.h"

enum { MOST_ROWS = 200, MOST_COLS = 160, GAP = 2 };

static const char style[] =
    "body{font:16px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;margin:0 auto;"
    "padding:12px;max-width:680px;overflow-wrap:break-word;color:#1b1b1b;background:#ffffff}\n"
    "h2{font-size:18px;margin:20px 0 6px}p,ul{margin:8px 0}ul{padding-left:20px}\n"
    "pre{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;margin:8px 0}\n"
    "table{border-collapse:collapse;font-size:14px;margin:8px 0}\n"
    "td,th{padding:3px 8px;text-align:left;vertical-align:top;font-weight:normal;"
    "overflow-wrap:normal}\n"
    "th{border-bottom:1px solid #bbbbbb;color:#555555}.r{text-align:right}\n"
    "a.tap{display:inline-block;margin:4px 8px 4px 0;padding:10px 14px;border:1px solid "
    "#2f6f4f;"
    "border-radius:8px;color:#1f5a3d;background:#eef7f1;text-decoration:none;"
    "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;white-space:pre-wrap}\n"
    "img{max-width:100%;height:auto;box-sizing:border-box;"
    "border:1px solid #bbbbbb;border-radius:6px}\n"
    ".bar{color:#5c6c63}.tap .bar{font-size:0}.echo{white-space:pre-wrap;padding-left:12px}\n"
    ".small{color:#6a6a6a;font-size:13px;border-top:1px solid #dddddd;margin-top:20px}\n"
    ".small pre{font-size:11px}\n"
    "@media(max-width:480px){body{padding:8px}td,th{padding:3px 4px}.many{font-size:11px}"
    ".many td,.many th{padding:3px 2px}}\n"
    "@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#1b1b1b}"
    "th{color:#aaaaaa;border-color:#555555}"
    ".small{color:#9a9a9a;border-color:#444444}"
    "a.tap{color:#bfe8d0;background:#1f3529;border-color:#4f8f6f}.bar{color:#9db3a7}}\n";

/* The text that is left, and what stands open. */
struct look {
	struct strbuf *out;
	const struct mailto *answer;
	const struct report_picture *picture; /* NULL: none */
	struct span rest;
	bool list, small; /* small: below the separator, where proofs are kept as they are */
};

static void open_list(struct look *l, bool list)
{
	if (l->list != list)
		strbuf_adds(l->out, list ? "<ul>\n" : "</ul>\n");
	l->list = list;
}

static bool is_soft(struct span line)
{
	return line.len > 0 && line.ptr[line.len - 1] == ' ' && !span_eq_str(line, "-- ");
}

static bool peek(const struct look *l, struct span *line)
{
	struct span rest = l->rest;

	return span_next_line(&rest, line);
}

/* The words of a paragraph that began with `line`. */
static void add_rest(struct look *l, struct span line)
{
	web_add_text(l->out, line);
	while (is_soft(line) && span_next_line(&l->rest, &line))
		web_add_text(l->out, line);
}

static void add_link(struct strbuf *out, const struct mailto *answer, struct span body)
{
	struct mailto m = *answer;
	struct strbuf url = STRBUF_INIT;

	m.body = body;
	mailto_add(&url, &m);
	strbuf_adds(out, "<a class=\"tap\" href=\"");
	web_add_text(out, strbuf_span(&url));
	strbuf_adds(out, "\">");
	for (struct span line; span_next_line(&body, &line);) {
		strbuf_adds(out, "<span class=\"bar\">| </span>");
		web_add_text(out, line);
		strbuf_adds(out, body.len > 0 ? "<br/>" : "");
	}
	strbuf_adds(out, "</a>\n");
	strbuf_release(&url);
}

/* One example: its first line, those that page_example has put below it. */
static void add_example(struct look *l, struct span line)
{
	struct strbuf body = STRBUF_INIT;
	struct span mark = SPAN_LIT("  | ");

	strbuf_add_span(&body, span_slice(line, mark.len, line.len));
	while (peek(l, &line) && span_starts(line, EXAMPLE_LINE)) {
		bool broken = span_starts(line, EXAMPLE_BROKEN);

		(void)span_next_line(&l->rest, &line);
		strbuf_addc(&body, broken ? ' ' : '\n');
		strbuf_add_span(
		    &body,
		    span_slice(line, strlen(broken ? EXAMPLE_BROKEN : EXAMPLE_LINE), line.len));
	}
	strbuf_adds(l->out, "<div>");
	add_link(l->out, l->answer, strbuf_span(&body));
	strbuf_adds(l->out, "</div>\n");
	strbuf_release(&body);
}

static void add_echo(struct look *l, struct span line)
{
	const char *between = "";

	strbuf_adds(l->out, "<p class=\"echo\">");
	for (;;) {
		strbuf_adds(l->out, between);
		strbuf_adds(l->out, "<span class=\"bar\">&gt; </span>");
		web_add_text(l->out, span_slice(line, strlen("  > "), line.len));
		between = "<br/>";
		if (!peek(l, &line) || !span_starts(line, "  >"))
			break;
		(void)span_next_line(&l->rest, &line);
	}
	strbuf_adds(l->out, "</p>\n");
}

/* ---- drawings and tables ---- */

/* Lines up to an empty one. */
struct run {
	struct span lines[MOST_ROWS];
	size_t n, cols;
	bool plain; /* one byte, one column */
};

static void take_run(struct look *l, struct span line, struct run *r)
{
	*r = (struct run){.plain = true};
	for (;;) {
		r->lines[r->n++] = line;
		r->plain = r->plain && span_printable(line) == line.len;
		size_t cols = text_width(line);
		r->cols = cols > r->cols ? cols : r->cols;
		if (r->n == MOST_ROWS || !peek(l, &line) || line.len == 0 ||
		    (span_starts(line, "== ") || span_starts(line, "- ") ||
		     span_starts(line, "  | ") || span_starts(line, "  > ") ||
		     span_eq_str(line, "-- ")) ||
		    is_soft(line))
			return;
		(void)span_next_line(&l->rest, &line);
	}
}

static bool is_drawn(const struct run *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->lines[i].ptr[0] == ' ' || r->lines[i].ptr[0] == '[' ||
		    span_find(r->lines[i], SPAN_LIT("  ")) < r->lines[i].len)
			return true;
	return false;
}

static bool is_blank_column(const struct run *r, size_t col)
{
	for (size_t i = 0; i < r->n; i++)
		if (col < r->lines[i].len && r->lines[i].ptr[col] != ' ')
			return false;
	return true;
}

/* Where columns begin and end: at gaps that go through all lines. */
struct columns {
	size_t from[MOST_COLS / 2], to[MOST_COLS / 2], n;
};

static void find_columns(const struct run *r, struct columns *c)
{
	size_t col = 0;

	c->n = 0;
	while (col < r->cols && c->n < MOST_COLS / 2) {
		while (col < r->cols && is_blank_column(r, col))
			col++;
		if (col == r->cols)
			return;
		size_t from = col, blank = 0;
		while (col < r->cols && blank < GAP)
			blank = is_blank_column(r, col++) ? blank + 1 : 0;
		c->from[c->n] = from;
		c->to[c->n++] = col - (blank == GAP ? GAP : 0);
	}
}

static bool is_right_aligned(const struct run *r, const struct columns *c, size_t k)
{
	for (size_t i = 0; i < r->n; i++) {
		struct span cell = span_slice(r->lines[i], c->from[k], c->to[k]);

		if (span_trim(cell).len == 0)
			continue;
		if (cell.len < c->to[k] - c->from[k] || cell.ptr[cell.len - 1] == ' ')
			return false;
	}
	return true;
}

static struct span cell_of(const struct run *r, const struct columns *c, size_t i, size_t k)
{
	return span_trim(span_slice(r->lines[i], c->from[k], c->to[k]));
}

static bool is_full(const struct run *r, const struct columns *c, size_t i)
{
	size_t k = 0;

	while (k < c->n && cell_of(r, c, i, k).len > 0)
		k++;
	return k == c->n;
}

/*
 * Titles, and rows that begin with something; of two columns, which a drawing may have too,
 * titles are words.
 */
static bool is_table(const struct run *r, const struct columns *c)
{
	struct span titles = r->lines[0];
	bool words = true;

	for (size_t i = 0; i < titles.len; i++)
		words = words &&
		        (titles.ptr[i] == ' ' || islower((unsigned char)titles.ptr[i]));
	for (size_t i = 1; i < r->n && c->n > 0 && !words; i++)
		if (cell_of(r, c, i, 0).len == 0)
			return false;
	return r->n >= 2 && c->n >= (words ? 2 : 3) && is_full(r, c, 0);
}

static void add_table(struct look *l, const struct run *r, const struct columns *c)
{
	strbuf_adds(l->out, c->n > FEW_COLUMNS ? "<table class=\"many\">\n" : "<table>\n");
	for (size_t i = 0, end; i < r->n; i = end) {
		/* What is not full goes on with the row above (table.c). */
		for (end = i + 1; end < r->n && !is_full(r, c, end); end++)
			;
		strbuf_adds(l->out, "<tr>");
		for (size_t k = 0; k < c->n; k++) {
			const char *tag = i == 0 ? "th" : "td";

			strbuf_addf(l->out, "<%s%s>", tag,
			            is_right_aligned(r, c, k) ? " class=\"r\"" : "");
			for (size_t at = i; at < end; at++) {
				struct span cell = cell_of(r, c, at, k);
				bool broken = at + 1 < end && cell.len > 1 &&
				              cell.len == c->to[k] - c->from[k] &&
				              span_find_char(cell, ' ') == cell.len &&
				              cell.ptr[cell.len - 1] == '-' &&
				              cell_of(r, c, at + 1, k).len > 0;

				cell.len -= broken ? 1 : 0;
				web_add_text(l->out, cell);
				strbuf_adds(l->out, at + 1 < end && !broken ? " " : "");
			}
			strbuf_addf(l->out, "</%s>", tag);
		}
		strbuf_adds(l->out, "</tr>\n");
	}
	strbuf_adds(l->out, "</table>\n");
}

static void add_run(struct look *l, struct span line)
{
	struct run r;
	struct columns c = {.n = 0};

	take_run(l, line, &r);
	if (!is_drawn(&r)) {
		/* Sentences that stand one below the other. */
		strbuf_adds(l->out, "<p>");
		for (size_t i = 0; i < r.n; i++) {
			web_add_text(l->out, r.lines[i]);
			strbuf_adds(l->out, i + 1 < r.n ? "<br/>\n" : "</p>\n");
		}
		return;
	}
	if (r.plain && r.cols <= MOST_COLS && !l->small)
		find_columns(&r, &c);
	if (is_table(&r, &c)) {
		add_table(l, &r, &c);
		return;
	}
	/* 13 pixels, or as small as the lines need: a letter is 0.6 of its size wide. */
	size_t tenths = 1550 / (r.cols > 0 ? r.cols : 1);
	strbuf_addf(l->out, "<pre style=\"font-size:min(13px,%zu.%zuvw)\">", tenths / 10,
	            tenths % 10);
	for (size_t i = 0; i < r.n; i++) {
		web_add_text(l->out, r.lines[i]);
		strbuf_addc(l->out, '\n');
	}
	strbuf_adds(l->out, "</pre>\n");
}

/* ---- the whole ---- */

/* With blanks at which no program breaks a line. */
#define NB "\xc2\xa0"
const char report_alt_begin[] = "The" NB "board" NB "in" NB "words:";
const char report_alt_end[] = "(End" NB "of" NB "the" NB "board.)";

void report_html(struct span text, const struct mailto *answer, const char *commands,
                 const struct report_picture *picture, struct strbuf *out)
{
	struct look l = {.out = out, .answer = answer, .picture = picture, .rest = text};

	strbuf_addf(out,
	            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
	            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
	            "<meta name=\"color-scheme\" content=\"light dark\"/>"
	            "<meta name=\"supported-color-schemes\" content=\"light dark\"/>\n<title>");
	web_add_text(out, answer->subject);
	strbuf_addf(out, "</title>\n<style>\n%s</style></head>\n<body>\n", style);
	for (struct span line; span_next_line(&l.rest, &line);) {
		if (line.len == 0 || (l.small && span_eq_str(line, "-- ")))
			continue;
		if (picture && line.ptr == picture->drawn.ptr) {
			open_list(&l, false);
			const struct doc_board *b = l.picture->board;

			strbuf_adds(l.out, "<p><img src=\"cid:");
			web_add_text(l.out, l.picture->id);
			strbuf_addf(l.out, "\" width=\"%u\" alt=\"%s", l.picture->across,
			            report_alt_begin);
			for (size_t i = 0; i < b->nlinear; i++) {
				strbuf_addc(l.out, ' ');
				web_add_text(l.out, span_of(b->linear[i]));
			}
			strbuf_addf(l.out, " %s\"/></p>\n", report_alt_end);
			l.rest.ptr = picture->drawn.ptr + picture->drawn.len;
			l.rest.len = (size_t)(text.ptr + text.len - l.rest.ptr);
			continue;
		}
		if (span_eq_str(line, "-- ") && !l.small) {
			open_list(&l, false);
			struct span rest = span_of(commands), word;
			if (rest.len != 0) {
				strbuf_adds(l.out, "<div>");
				while (span_next_field(&rest, ',', &word))
					add_link(l.out, l.answer, word);
				strbuf_adds(l.out, "</div>\n");
			}
			l.small = true;
		}
		open_list(&l, span_starts(line, "- "));
		if (l.list) {
			strbuf_adds(l.out, "<li>");
			add_rest(&l, span_slice(line, 2, line.len));
			strbuf_adds(l.out, "</li>\n");
		} else if (span_starts(line, "== ")) {
			strbuf_adds(l.out, "<h2>");
			size_t end = span_find(line, SPAN_LIT(" =="));
			web_add_text(l.out, span_slice(line, 3, end < 3 ? line.len : end));
			strbuf_adds(l.out, "</h2>\n");
		} else if (span_eq_str(line, "-- ")) {
			strbuf_adds(l.out, "<div class=\"small\">\n");
		} else if (span_starts(line, "  | ")) {
			add_example(&l, line);
		} else if (span_starts(line, "  > ")) {
			add_echo(&l, line);
		} else if (is_soft(line)) {
			strbuf_adds(l.out, "<p>");
			add_rest(&l, line);
			strbuf_adds(l.out, "</p>\n");
		} else {
			add_run(&l, line);
		}
	}
	open_list(&l, false);
	strbuf_adds(out, l.small ? "</div>\n</body></html>\n" : "</body></html>\n");
}
