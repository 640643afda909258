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

void json_open(struct strbuf *out, const char *name, char bracket)
{
	if (name)
		json_add_name(out, name);
	else
		json_add_comma(out);
	strbuf_addc(out, bracket);
}

void json_add_text(struct strbuf *out, const char *name, struct span text)
{
	json_add_name(out, name);
	json_add_string(out, text);
}

void json_add_number(struct strbuf *out, const char *name, int64_t n)
{
	json_add_name(out, name);
	strbuf_addf(out, "%lld", (long long)n);
}

static void add_texts(struct strbuf *out, const char *name, const char *const *texts, size_t n)
{
	json_open(out, name, '[');
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

	json_open(out, NULL, '{');
	json_add_text(out, "kind", span_of(kinds[s->kind]));
	json_add_number(out, "frame", s->frame);
	json_add_number(out, "x", s->x);
	json_add_number(out, "y", s->y);
	json_add_number(out, "w", s->w);
	json_add_number(out, "h", s->h);
	json_add_number(out, "tone", s->tone);
	json_add_text(out, "text", span_of(s->text));
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

	json_open(out, NULL, '{');
	json_add_text(out, "part", span_of(parts[b->part]));
	json_add_text(out, "kind", span_of(kinds[b->kind]));
	if (b->kind == DOC_TABLE) {
		json_open(out, "columns", '[');
		for (size_t i = 0; i < b->table.ncols; i++) {
			json_add_comma(out);
			json_add_string(out, span_of(b->table.columns[i].title));
		}
		strbuf_addc(out, ']');
		json_open(out, "rows", '[');
		for (size_t row = 0; row < b->table.nrows; row++) {
			json_open(out, NULL, '[');
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
		json_add_text(out, "caption", span_of(b->board.caption));
		add_texts(out, "lines", b->board.lines, b->board.nlines);
		add_texts(out, "linear", b->board.linear, b->board.nlinear);
		json_add_number(out, "width", b->board.width);
		json_add_number(out, "height", b->board.height);
		json_add_number(out, "frames", b->board.nframes);
		json_open(out, "shapes", '[');
		for (size_t i = 0; i < b->board.nshapes; i++)
			add_shape(out, &b->board.shapes[i]);
		strbuf_addc(out, ']');
	} else
		json_add_text(out, "text", span_of(b->text));
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
