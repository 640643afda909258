/*
 * table.c - a table of a doc as aligned lines.
 *
 * Columns are as wide as their widest cell. When that is too much for a line,
 * the widest column is made narrower, again and again, and what does not fit stands in
 * the lines below, a word behind a hyphen; when there are too many columns for that, each
 * row becomes a small list "title: value". An empty cell is printed as "-", so that
 * reading a row aloud loses nothing, and a line with an empty place goes on with the row
 * above (mail_html.c).
 */
#include <stdint.h>

#include "processor/base/utf8.h"
#include "reports/layout.h"

enum {
	TABLE_INDENT = 2,
	TABLE_GAP = 2,
	TABLE_MAX_COLS = 24,
	TABLE_MIN_COL = 6,
	TABLE_MIN_RIGHT = 3
};

static struct span cell(const struct doc_table *t, size_t row, size_t col)
{
	struct span text = span_trim(span_of(t->cells[row * t->ncols + col]));
	return text.len > 0 ? text : SPAN_LIT("-");
}

/* False when the columns cannot be made narrow enough: numbers stay whole. */
static bool shrink(const struct doc_table *t, size_t *width, const size_t *least, size_t cols)
{
	size_t total = TABLE_INDENT + TABLE_GAP * (t->ncols - 1);

	for (size_t c = 0; c < t->ncols; c++)
		total += width[c];
	for (; total > cols; total--) {
		size_t widest = t->ncols;

		for (size_t c = 0; c < t->ncols; c++)
			if (width[c] > least[c] &&
			    (widest == t->ncols || width[c] > width[widest]))
				widest = c;
		if (widest == t->ncols)
			return false;
		width[widest]--;
	}
	return true;
}

static void add_row(struct page *p, const struct doc_table *t, const size_t *width,
                    struct span *cells)
{
	struct strbuf line = STRBUF_INIT;
	bool more = true;

	while (more) {
		more = false;
		strbuf_clear(&line);
		for (size_t c = 0; c < t->ncols; c++) {
			strbuf_add_repeat(&line, ' ', c == 0 ? TABLE_INDENT : TABLE_GAP);
			/* As much of it as has room: up to a blank, or to a hyphen of ours. */
			struct span *rest = &cells[c], piece = utf8_clip(*rest, width[c]);
			size_t at = piece.len;

			while (piece.len < rest->len && at > 0 && rest->ptr[at] != ' ')
				at--;
			bool broken = at == 0 && piece.len < rest->len;
			piece = broken ? utf8_clip(*rest, width[c] - 1)
			               : span_slice(piece, 0, at);
			text_pad(&line, piece, width[c] - (broken ? 1 : 0),
			         t->columns[c].align);
			strbuf_adds(&line, broken ? "-" : "");
			*rest = span_trim(span_slice(*rest, piece.len, rest->len));
			more = more || cells[c].len > 0;
		}
		page_row(p, strbuf_span(&line));
	}
	strbuf_release(&line);
}

void page_table(struct page *p, const struct doc_table *t)
{
	size_t width[TABLE_MAX_COLS], least[TABLE_MAX_COLS];
	if (t->ncols == 0)
		return;
	for (size_t c = 0; c < t->ncols && c < TABLE_MAX_COLS; c++) {
		bool right = t->columns[c].align == DOC_RIGHT;

		width[c] = text_width(span_of(t->columns[c].title));
		least[c] = right ? TABLE_MIN_RIGHT : TABLE_MIN_COL;
		for (size_t r = 0; r < t->nrows; r++) {
			size_t w = text_width(cell(t, r, c));

			width[c] = w > width[c] ? w : width[c];
			least[c] = right && w > least[c] ? w : least[c];
		}
	}
	if (t->ncols <= TABLE_MAX_COLS && shrink(t, width, least, p->form.cols)) {
		struct span cells[TABLE_MAX_COLS];

		for (size_t r = 0; r <= t->nrows; r++) {
			for (size_t c = 0; c < t->ncols; c++)
				cells[c] = r == 0 ? span_of(t->columns[c].title)
				                  : cell(t, r - 1, c);
			add_row(p, t, width, cells);
		}
		return;
	}
	struct strbuf line = STRBUF_INIT;
	for (size_t r = 0; r < t->nrows; r++) {
		strbuf_clear(&line);
		for (size_t c = 0; c < t->ncols; c++) {
			strbuf_addf(&line, "%s%s: ", c == 0 ? "" : ", ", t->columns[c].title);
			strbuf_add_span(&line, cell(t, r, c));
		}
		page_prose(p, "- ", strbuf_span(&line));
	}
	strbuf_release(&line);
}
