/*
 * json.c - docs for programs.
 */
#include "reports/json.h"

#include "processor/base/utf8.h"

void json_add_string(struct strbuf *out, struct span text)
{
	uint32_t cp;

	strbuf_addc(out, '"');
	while (utf8_next(&text, &cp)) {
		if (cp == '"' || cp == '\\')
			strbuf_addf(out, "\\%c", (int)cp);
		else if (cp < 0x20 || cp == 0x7f)
			strbuf_addf(out, "\\u%04x", (unsigned)cp);
		else
			utf8_add(out, cp);
	}
	strbuf_addc(out, '"');
}

void json_add_comma(struct strbuf *out)
{
	char last = out->len > 0 ? out->ptr[out->len - 1] : '[';

	if (last != '[' && last != '{')
		strbuf_addc(out, ',');
}

void json_add_name(struct strbuf *out, const char *name)
{
	json_add_comma(out);
	json_add_string(out, span_of(name));
	strbuf_addc(out, ':');
}

static void add_text(struct strbuf *out, const char *name, const char *text)
{
	json_add_name(out, name);
	json_add_string(out, span_of(text));
}

static void add_number(struct strbuf *out, const char *name, int n)
{
	json_add_name(out, name);
	strbuf_addf(out, "%d", n);
}

static void add_texts(struct strbuf *out, const char *name, const char *const *texts, size_t n)
{
	json_add_name(out, name);
	strbuf_addc(out, '[');
	for (size_t i = 0; i < n; i++) {
		json_add_comma(out);
		json_add_string(out, span_of(texts[i]));
	}
	strbuf_addc(out, ']');
}

static void add_shape(struct strbuf *out, const struct doc_shape *s)
{
	static const char *const kinds[] = {[DOC_LINE] = "line",
	                                    [DOC_RECT] = "rect",
	                                    [DOC_HEXAGON] = "hexagon",
	                                    [DOC_CIRCLE] = "circle",
	                                    [DOC_LABEL] = "label"};

	json_add_comma(out);
	strbuf_addc(out, '{');
	add_text(out, "kind", kinds[s->kind]);
	add_number(out, "frame", s->frame);
	add_number(out, "x", s->x);
	add_number(out, "y", s->y);
	add_number(out, "w", s->w);
	add_number(out, "h", s->h);
	add_number(out, "tone", s->tone);
	add_text(out, "text", s->text);
	strbuf_addc(out, '}');
}

static void add_block(struct strbuf *out, const struct doc_block *b)
{
	static const char *const parts[] = {[DOC_STORY] = "story",
	                                    [DOC_POSITION] = "position",
	                                    [DOC_SCORES] = "scores",
	                                    [DOC_OWN] = "own",
	                                    [DOC_HELP] = "help"};
	static const char *const kinds[] = {
	    [DOC_HEADING] = "heading", [DOC_PARAGRAPH] = "paragraph", [DOC_ITEM] = "item",
	    [DOC_EXAMPLE] = "example", [DOC_TABLE] = "table",         [DOC_BOARD] = "board"};

	json_add_comma(out);
	strbuf_addc(out, '{');
	add_text(out, "part", parts[b->part]);
	add_text(out, "kind", kinds[b->kind]);
	if (b->kind == DOC_TABLE) {
		json_add_name(out, "columns");
		strbuf_addc(out, '[');
		for (size_t i = 0; i < b->table.ncols; i++) {
			json_add_comma(out);
			json_add_string(out, span_of(b->table.columns[i].title));
		}
		strbuf_addc(out, ']');
		json_add_name(out, "rows");
		strbuf_addc(out, '[');
		for (size_t row = 0; row < b->table.nrows; row++) {
			json_add_comma(out);
			strbuf_addc(out, '[');
			for (size_t i = 0;
			     i < b->table.ncols && row * b->table.ncols + i < b->table.ncells;
			     i++) {
				json_add_comma(out);
				json_add_string(
				    out, span_of(b->table.cells[row * b->table.ncols + i]));
			}
			strbuf_addc(out, ']');
		}
		strbuf_addc(out, ']');
	} else if (b->kind == DOC_BOARD) {
		add_text(out, "caption", b->board.caption);
		add_texts(out, "lines", b->board.lines, b->board.nlines);
		add_texts(out, "linear", b->board.linear, b->board.nlinear);
		add_number(out, "width", b->board.width);
		add_number(out, "height", b->board.height);
		add_number(out, "frames", b->board.nframes);
		json_add_name(out, "shapes");
		strbuf_addc(out, '[');
		for (size_t i = 0; i < b->board.nshapes; i++)
			add_shape(out, &b->board.shapes[i]);
		strbuf_addc(out, ']');
	} else
		add_text(out, "text", b->text);
	strbuf_addc(out, '}');
}

void json_add_doc(struct strbuf *out, const struct doc *d)
{
	strbuf_addc(out, '[');
	for (int part = DOC_STORY; part < DOC_NPARTS; part++)
		for (const struct doc_block *b = d->first; b; b = b->next)
			if (b->part == (enum doc_part)part)
				add_block(out, b);
	strbuf_addc(out, ']');
}
