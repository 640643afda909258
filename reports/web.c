/*
 * web.c - docs as HTML. Boards are drawn in svg.c.
 */
#include "reports/web.h"

#include "processor/base/utf8.h"
#include "reports/layout.h"
#include "reports/pictures/letters.h"

#define FILL(tone, rgb) "svg .t" #tone "{fill:#" #rgb "}"
#define STROKE(tone, rgb) "svg .d" #tone "{stroke:#" #rgb "}"

const char web_style[] =
    ":root{color-scheme:light dark;--paper:#fafafa;--ink:#222;--soft:#555;--rule:#bbb;"
    "--sheet:#fff;--edge:#333}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#161618;--ink:#e6e6e6;--soft:#b0b0b0;"
    "--rule:#666;--sheet:#222226;--edge:#c8c8c8}}\n"
    "figure{margin:0 0 1rem}figcaption{color:var(--soft);font-size:.9rem;margin:.3rem 0}\n"
    "svg{display:block;max-width:42rem;max-height:34rem;width:100%;background:var(--sheet);"
    "border:1px solid var(--rule);box-sizing:border-box}\n"
    "svg .s{fill:none;stroke:var(--edge);stroke-width:1.5;vector-effect:non-scaling-stroke}\n"
    "svg .l{stroke-width:3;stroke-linecap:round}\n"
    "svg text{fill:var(--ink);text-anchor:middle;dominant-baseline:central;"
    "font-family:sans-serif;paint-order:stroke;"
    "stroke:var(--sheet);stroke-width:.15em}\n" PICTURE_TONES(
	FILL) "svg .o{fill:#111;stroke:none}svg .o5{fill:#fff}"
	      "svg .d{fill:none;stroke-linecap:round}\n"
	      "svg .e{stroke:#111}" PICTURE_TONES(
		  STROKE) "\n"
			  ".key{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1rem;"
			  "font-size:.9rem;margin:.3rem 0}\n"
			  ".key svg{display:inline-block;width:.9em;height:.9em;border:0;background:none;"
			  "vertical-align:-.1em;margin-right:.3em}\n"
			  "details{font-size:.9rem}summary{cursor:pointer;padding:.4rem 0}\n"
			  ".wide{overflow-x:auto;margin:.5rem 0}pre{overflow-x:auto}\n"
			  "table{border-collapse:collapse;font-size:.9rem}td,th{padding:.15rem .3rem;"
			  "border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}"
			  "td.r,th.r{text-align:right}\n"
			  "@media(max-width:40rem){table{font-size:.8rem}td,th{padding:.15rem .25rem}"
			  ".many{font-size:.62rem}.many td,.many th{padding:.15rem .1rem}"
			  "pre{font-size:.75rem}}\n";

static void add_element(struct strbuf *out, const char *tag, const char *text)
{
	strbuf_addf(out, "<%s>", tag);
	web_add_text(out, span_of(text));
	strbuf_addf(out, "</%s>\n", tag);
}

static void add_words(struct strbuf *out, const struct doc_board *b)
{
	if (b->nlinear == 0)
		return;
	strbuf_adds(out, "<details class=\"words\"><summary>In words</summary>\n<ul>\n");
	for (size_t i = 0; i < b->nlinear; i++)
		add_element(out, "li", b->linear[i]);
	strbuf_adds(out, "</ul>\n</details>\n");
}

static void add_block(struct strbuf *out, const struct doc_block *b)
{
	const struct doc_table *t = &b->table;

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
		/* Wider than a phone, it is moved in a box of its own, also by keyboard. */
		strbuf_addf(out,
		            "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
		            "aria-label=\"Table\">\n<table%s>\n",
		            t->ncols > FEW_COLUMNS ? " class=\"many\"" : "");
		for (size_t i = 0; i < t->ncols * (t->nrows + 1); i++) {
			const struct doc_column *c = &t->columns[i % t->ncols];
			bool title = i < t->ncols;

			strbuf_adds(out, i % t->ncols == 0 ? "<tr>" : "");
			const char *tag = title ? "th" : "td";
			strbuf_addf(out, "<%s%s>", tag,
			            c->align == DOC_RIGHT ? " class=\"r\"" : "");
			web_add_text(out,
			             span_of(title                      ? c->title
			                     : i - t->ncols < t->ncells ? t->cells[i - t->ncols]
			                                                : ""));
			strbuf_addf(out, "</%s>", tag);
			strbuf_adds(out, (i + 1) % t->ncols == 0 ? "</tr>\n" : "");
		}
		strbuf_adds(out, "</table>\n</div>\n");
		break;
	case DOC_BOARD:
		/* The picture, or what is drawn in letters; in sentences, to be opened. */
		strbuf_adds(out, "<figure>\n");
		if (web_add_picture(out, &b->board)) {
			web_add_key(out, &b->board);
			const char *caption = b->board.picture ? b->board.picture
			                                       : b->board.caption;

			if (caption && *caption)
				add_element(out, "figcaption", caption);
			add_words(out, &b->board);
		} else {
			if (b->board.caption && *b->board.caption)
				add_element(out, "figcaption", b->board.caption);
			if (b->board.nlines != 0) {
				strbuf_adds(out, "<pre tabindex=\"0\">");
				for (size_t i = 0; i < b->board.nlines; i++) {
					web_add_text(out, span_of(b->board.lines[i]));
					strbuf_addc(out, '\n');
				}
				strbuf_adds(out, "</pre>\n");
			}
			add_words(out, &b->board);
		}
		strbuf_adds(out, "</figure>\n");
		break;
	}
}

void web_add_part(struct strbuf *out, const struct doc *d, enum doc_part part)
{
	static const char *const names[DOC_NPARTS] = {[DOC_STORY] = "story",
	                                              [DOC_POSITION] = "position",
	                                              [DOC_SCORES] = "scores",
	                                              [DOC_OWN] = "own",
	                                              [DOC_HELP] = "help"};
	bool in_list = false;
	const struct doc_block *first = d->first;

	while (first && first->part != part)
		first = first->next;
	if (!first)
		return;
	strbuf_addf(out, "<div class=\"%s\">\n%s", names[part],
	            part == DOC_STORY ? "<h4>What happened</h4>\n" : "");
	for (const struct doc_block *b = first; b; b = b->next) {
		if (b->part != part)
			continue;
		if (in_list != (b->kind == DOC_ITEM))
			strbuf_adds(out, in_list ? "</ul>\n" : "<ul>\n");
		in_list = b->kind == DOC_ITEM;
		add_block(out, b);
	}
	strbuf_adds(out, in_list ? "</ul>\n</div>\n" : "</div>\n");
}

void web_add_doc(struct strbuf *out, const struct doc *d)
{
	for (int part = DOC_STORY; part < DOC_NPARTS; part++)
		web_add_part(out, d, (enum doc_part)part);
}

bool web_add_doc_beside(struct strbuf *out, const struct doc *d, const struct doc *common)
{
	size_t before = out->len;

	for (int part = DOC_STORY; part < DOC_NPARTS; part++) {
		struct strbuf own = STRBUF_INIT, shared = STRBUF_INIT;

		web_add_part(&own, d, (enum doc_part)part);
		web_add_part(&shared, common, (enum doc_part)part);
		if (!span_eq(strbuf_span(&own), strbuf_span(&shared)))
			strbuf_add_span(out, strbuf_span(&own));
		strbuf_release(&own);
		strbuf_release(&shared);
	}
	return out->len > before;
}
