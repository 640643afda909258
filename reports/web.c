/*
 * web.c - docs as HTML. Boards are drawn in svg.c.
 */
#include "reports/web.h"

#include "processor/base/utf8.h"
#include "reports/layout.h"

#include "processor/base/banned.h"

const char web_style[] =
    "svg{display:block;max-width:42rem;max-height:32rem;width:100%;background:#fff;color:#222;"
    "border:1px solid #bbb}\n"
    "svg .s{fill:none;stroke:#333;stroke-width:1.5;vector-effect:non-scaling-stroke}\n"
    "svg text{fill:#111;stroke:#fff;stroke-width:.15em;paint-order:stroke;text-anchor:middle;"
    "dominant-baseline:central;font-family:sans-serif}\n"
    "svg .t1{fill:#e69f00}svg .t2{fill:#56b4e9}svg .t3{fill:#009e73}svg .t4{fill:#f0e442}\n"
    "svg .t5{fill:#6fa8dc}svg .t6{fill:#d55e00}svg .t7{fill:#cc79a7}svg .t8{fill:#999}\n"
    "pre{overflow-x:auto}\n"
    "table{border-collapse:collapse}td,th{padding:.1rem .6rem;border-bottom:1px solid #ccc;"
    "text-align:left}.r{text-align:right}\n";

/* Tags a doc needs; the ends of table parts are written as they come. */

void web_add_text(struct strbuf *out, struct span text)
{
	struct strbuf clean = STRBUF_INIT;

	text_clean(&clean, text);
	for (size_t i = 0; i < clean.len; i++)
		switch (clean.ptr[i]) {
		case '&':
			strbuf_adds(out, "&amp;");
			break;
		case '<':
			strbuf_adds(out, "&lt;");
			break;
		case '>':
			strbuf_adds(out, "&gt;");
			break;
		case '"':
			strbuf_adds(out, "&quot;");
			break;
		default:
			strbuf_addc(out, clean.ptr[i]);
		}
	strbuf_release(&clean);
}

static void add_element(struct strbuf *out, const char *tag, const char *text)
{
	strbuf_addf(out, "<%s>", tag);
	web_add_text(out, span_of(text));
	strbuf_addf(out, "</%s>\n", tag);
}

static void add_cell(struct strbuf *out, const char *tag, const struct doc_column *c,
                     const char *text)
{
	strbuf_addf(out, "<%s%s>", tag, c->align == DOC_RIGHT ? " class=\"r\"" : "");
	web_add_text(out, span_of(text));
	strbuf_addf(out, "</%s>", tag);
}

static void add_table(struct strbuf *out, const struct doc_table *t)
{
	strbuf_adds(out, "<table>\n<tr>");
	for (size_t i = 0; i < t->ncols; i++)
		add_cell(out, "th", &t->columns[i], t->columns[i].title);
	strbuf_adds(out, "</tr>\n");
	for (size_t row = 0; row < t->nrows; row++) {
		strbuf_adds(out, "<tr>");
		for (size_t i = 0; i < t->ncols && row * t->ncols + i < t->ncells; i++)
			add_cell(out, "td", &t->columns[i], t->cells[row * t->ncols + i]);
		strbuf_adds(out, "</tr>\n");
	}
	strbuf_adds(out, "</table>\n");
}

static void add_lines(struct strbuf *out, const struct doc_board *b)
{
	strbuf_adds(out, "<pre>");
	for (size_t i = 0; i < b->nlines; i++) {
		web_add_text(out, span_of(b->lines[i]));
		strbuf_addc(out, '\n');
	}
	strbuf_adds(out, "</pre>\n");
}

/* The picture for the eyes; the drawing in letters and the sentences can be opened below it. */
static void add_board(struct strbuf *out, const struct doc_board *b)
{
	bool pictured;

	if (b->caption && *b->caption)
		add_element(out, "p", b->caption);
	pictured = web_add_picture(out, b);
	if (pictured && b->nlines + b->nlinear > 0)
		strbuf_adds(out, "<details><summary>The same in letters</summary>\n");
	if (b->nlines > 0)
		add_lines(out, b);
	if (b->nlinear > 0) {
		strbuf_adds(out, "<ul>\n");
		for (size_t i = 0; i < b->nlinear; i++)
			add_element(out, "li", b->linear[i]);
		strbuf_adds(out, "</ul>\n");
	}
	if (pictured && b->nlines + b->nlinear > 0)
		strbuf_adds(out, "</details>\n");
}

static void add_block(struct strbuf *out, const struct doc_block *b)
{
	switch (b->kind) {
	case DOC_HEADING:
		add_element(out, "h4", b->text);
		break;
	case DOC_PARAGRAPH:
		add_element(out, "p", b->text);
		break;
	case DOC_ITEM:
		add_element(out, "li", b->text);
		break;
	case DOC_EXAMPLE:
		add_element(out, "pre", b->text);
		break;
	case DOC_TABLE:
		add_table(out, &b->table);
		break;
	case DOC_BOARD:
		add_board(out, &b->board);
		break;
	}
}

static void add_part(struct strbuf *out, const struct doc *d, enum doc_part part)
{
	bool in_list = false;

	for (const struct doc_block *b = d->first; b; b = b->next) {
		if (b->part != part)
			continue;
		if (in_list != (b->kind == DOC_ITEM))
			strbuf_adds(out, in_list ? "</ul>\n" : "<ul>\n");
		in_list = b->kind == DOC_ITEM;
		add_block(out, b);
	}
	if (in_list)
		strbuf_adds(out, "</ul>\n");
}

void web_add_doc(struct strbuf *out, const struct doc *d)
{
	for (int part = DOC_STORY; part < DOC_NPARTS; part++)
		add_part(out, d, (enum doc_part)part);
}
