/*
 * table.c - a table of a doc as aligned lines.
 *
 * Columns are as wide as their widest cell. When that is too much for a line,
 * the widest column is made narrower, again and again; when there are too
 * many columns for that, each row becomes a small list "title: value". An
 * empty cell is printed as "-", so that reading a row aloud loses nothing.
 */
#include <stdint.h>

#include "reports/layout.h"

enum { TABLE_INDENT = 2, TABLE_GAP = 2, TABLE_MAX_COLS = 24, TABLE_MIN_COL = 6 };

static struct span cell(const struct doc_table *t, size_t row, size_t col)
{
	struct span text = span_trim(span_of(t->cells[row * t->ncols + col]));
	return text.len > 0 ? text : SPAN_LIT("-");
}

/* False when the columns cannot be made narrow enough. */
static bool shrink(size_t *width, size_t n, size_t cols)
{
	size_t total = TABLE_INDENT + TABLE_GAP * (n - 1);
	for (size_t c = 0; c < n; c++)
		total += width[c];
	for (; total > cols; total--) {
		size_t widest = 0;
		for (size_t c = 1; c < n; c++)
			if (width[c] > width[widest])
				widest = c;
		if (width[widest] <= TABLE_MIN_COL)
			return false;
		width[widest]--;
	}
	return true;
}

static void add_cell(struct strbuf *line, const struct doc_table *t, size_t col,
                     const size_t *width, struct span text)
{
	strbuf_add_repeat(line, ' ', col == 0 ? TABLE_INDENT : TABLE_GAP);
	text_pad(line, text, width[col], t->columns[col].align);
}

static void add_rows(struct page *p, const struct doc_table *t, const size_t *width)
{
	struct strbuf line = STRBUF_INIT;
	for (size_t c = 0; c < t->ncols; c++)
		add_cell(&line, t, c, width, span_of(t->columns[c].title));
	page_row(p, strbuf_span(&line));
	for (size_t r = 0; r < t->nrows; r++) {
		strbuf_clear(&line);
		for (size_t c = 0; c < t->ncols; c++)
			add_cell(&line, t, c, width, cell(t, r, c));
		page_row(p, strbuf_span(&line));
	}
	strbuf_release(&line);
}

void page_table(struct page *p, const struct doc_table *t)
{
	size_t width[TABLE_MAX_COLS];
	if (t->ncols == 0)
		return;
	if (t->ncols <= TABLE_MAX_COLS) {
		for (size_t c = 0; c < t->ncols; c++) {
			width[c] = text_width(span_of(t->columns[c].title));
			for (size_t r = 0; r < t->nrows; r++) {
				size_t w = text_width(cell(t, r, c));
				if (w > width[c])
					width[c] = w;
			}
		}
		if (shrink(width, t->ncols, p->form.cols)) {
			add_rows(p, t, width);
			return;
		}
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
