/*
 * text.c - a doc as text, without knowing the game.
 */
#include <string.h>

#include "reports/parts.h"

/* Clipped, a board would be wrong. */
static bool board_fits(const struct page *p, const struct doc_board *b)
{
	for (size_t i = 0; i < b->nlines; i++)
		if (text_width(span_of(b->lines[i])) > p->form.cols)
			return false;
	return b->nlines > 0;
}

/* Drawn, or in words where the reader wants those or a line is too narrow. */
static void add_board(struct page *p, const struct doc_board *b)
{
	if (b->nlinear > 0 && (p->form.words || !board_fits(p, b))) {
		for (size_t i = 0; i < b->nlinear; i++)
			page_prose(p, "- ", span_of(b->linear[i]));
		page_gap(p);
		return;
	}
	page_prose(p, "", span_of(b->caption));
	for (size_t i = 0; i < b->nlines; i++)
		page_drawn(p, span_of(b->lines[i]));
	page_gap(p);
}

/* Entries of a list and examples stand together, an example with the "such as:" before it. */
static bool stands_apart(const struct doc_block *b, const struct doc_block *last)
{
	if (last == NULL || last->kind == DOC_HEADING)
		return false;
	if (b->kind == DOC_EXAMPLE && last->kind != DOC_EXAMPLE)
		return *last->text == '\0' || last->text[strlen(last->text) - 1] != ':';
	return b->kind != last->kind || (b->kind != DOC_ITEM && b->kind != DOC_EXAMPLE);
}

bool part_doc(struct page *p, const struct doc *d, enum doc_part part, const char *heading)
{
	const struct doc_block *last = NULL;
	for (const struct doc_block *b = d ? d->first : NULL; b; b = b->next) {
		if (b->part != part)
			continue;
		if (last == NULL && heading && b->kind != DOC_HEADING)
			page_heading(p, "%s", heading);
		if (stands_apart(b, last))
			page_gap(p);
		struct span text = span_of(b->text);
		switch (b->kind) {
		case DOC_HEADING:
			page_heading(p, "%s", b->text);
			break;
		case DOC_PARAGRAPH:
			page_prose(p, "", text);
			break;
		case DOC_ITEM:
			page_prose(p, "- ", text);
			break;
		case DOC_EXAMPLE:
			page_example(p, text);
			break;
		case DOC_TABLE:
			page_table(p, &b->table);
			break;
		case DOC_BOARD:
			add_board(p, &b->board);
			break;
		}
		last = b;
	}
	page_gap(p);
	return last != NULL;
}

void part_examples(struct page *p, const struct doc *d)
{
	for (const struct doc_block *b = d ? d->first : NULL; b; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			page_example(p, span_of(b->text));
}

static void add_doc(const struct doc *d, struct report_form form, bool fixed,
                    struct strbuf *out)
{
	struct page p;
	page_start(&p, out, form);
	p.fixed = fixed;
	for (int part = DOC_STORY; part < DOC_NPARTS; part++)
		part_doc(&p, d, (enum doc_part)part, NULL);
	page_end(&p);
}

void report_text(const struct doc *d, struct strbuf *out)
{
	add_doc(d, (struct report_form){0}, true, out);
}

void report_text_for(const struct doc *d, struct report_form form, struct strbuf *out)
{
	add_doc(d, form, false, out);
}

void report_text_board(const struct doc_block *board, struct report_form form,
                       struct strbuf *out)
{
	struct page p;

	page_start(&p, out, form);
	add_board(&p, &board->board);
	page_end(&p);
	strbuf_trim_end(out);
}
