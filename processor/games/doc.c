/*
 * doc.c - building a doc block by block.
 *
 * Arrays live in the arena and double in size, so a block may grow without
 * anybody saying beforehand how large it will be; what they leave behind goes
 * with the arena.
 */
#include "processor/games/doc.h"

#include <stdint.h>
#include <string.h>

#include "processor/base/err.h"

enum { FIRST_ROOM = 8, MOST_INTS = 8 };

/* Room for one more behind `count` items: the same array, or a copy twice as large. */
static void *room_for_one(struct arena *a, const void *items, size_t count, size_t size)
{
	bool full = count == 0 || (count >= FIRST_ROOM && (count & (count - 1)) == 0);
	void *wider;

	if (!full)
		return (void *)(uintptr_t)items;
	wider = arena_calloc(a, count ? 2 * count : FIRST_ROOM, size);
	if (count)
		memcpy(wider, items, count * size);
	return wider;
}

static void add_string(struct arena *a, const char *const **items, size_t *count,
                       const char *text)
{
	const char **wider = room_for_one(a, *items, *count, sizeof *wider);

	wider[(*count)++] = text;
	*items = wider;
}

/* Not through printf, as below: tables and boards are full of numbers. */
static size_t write_unsigned(char *at, unsigned number)
{
	char digits[3 * sizeof number];
	size_t from = sizeof digits;

	do {
		digits[--from] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	memcpy(at, digits + from, sizeof digits - from);
	return sizeof digits - from;
}

static size_t write_int(char *at, int number)
{
	if (number >= 0)
		return write_unsigned(at, (unsigned)number);
	*at = '-';
	return 1 + write_unsigned(at + 1, 0u - (unsigned)number);
}

static const char *digits_text(struct doc *d, const char *digits, size_t len)
{
	return arena_cstr(d->arena, (struct span){digits, len});
}

static const char *formatted(struct doc *d, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

static const char *formatted(struct doc *d, const char *fmt, va_list ap)
{
	struct strbuf text = STRBUF_INIT;
	char digits[3 * sizeof(int) + 2];
	const char *copy;

	if (strcmp(fmt, "%s") == 0)
		return arena_strdup(d->arena, va_arg(ap, const char *));
	if (strcmp(fmt, "%d") == 0)
		return digits_text(d, digits, write_int(digits, va_arg(ap, int)));
	if (strcmp(fmt, "%u") == 0)
		return digits_text(d, digits, write_unsigned(digits, va_arg(ap, unsigned)));
	strbuf_vaddf(&text, fmt, ap);
	copy = arena_cstr(d->arena, strbuf_span(&text));
	strbuf_release(&text);
	return copy;
}

static struct doc_block *add_block(struct doc *d, enum doc_block_kind kind, const char *text)
{
	struct doc_block *b = arena_alloc(d->arena, sizeof *b);

	b->part = d->part;
	b->kind = kind;
	b->text = text;
	b->weight = 0;
	b->table.columns = NULL;
	b->board.caption = "";
	b->board.picture = NULL;
	if (d->last)
		d->last->next = b;
	else
		d->first = b;
	d->last = b;
	return b;
}

void doc_init(struct doc *d, struct arena *a)
{
	d->arena = a;
	d->tables = NULL;
	d->draws_imagined = d->draws_decided = d->concerns_viewer = false;
	d->cols = DOC_COLS;
	d->part = DOC_STORY;
	d->first = NULL;
	d->last = NULL;
}

void doc_in(struct doc *d, enum doc_part part)
{
	d->part = part;
}

void doc_heading(struct doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_block(d, DOC_HEADING, formatted(d, fmt, ap));
	va_end(ap);
}

void doc_paragraph(struct doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_block(d, DOC_PARAGRAPH, formatted(d, fmt, ap));
	va_end(ap);
}

void doc_highlight(struct doc *d, unsigned weight, const char *fmt, ...)
{
	enum doc_part part = d->part;
	va_list ap;

	d->part = DOC_HIGHLIGHT;
	va_start(ap, fmt);
	add_block(d, DOC_PARAGRAPH, formatted(d, fmt, ap))->weight = weight;
	va_end(ap);
	d->part = part;
}

void doc_item(struct doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_block(d, DOC_ITEM, formatted(d, fmt, ap));
	va_end(ap);
}

void doc_example(struct doc *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_block(d, DOC_EXAMPLE, formatted(d, fmt, ap));
	va_end(ap);
}

void doc_table(struct doc *d, const struct doc_column *columns, size_t ncols)
{
	struct doc_block *b = add_block(d, DOC_TABLE, "");
	struct doc_column *copy = arena_calloc(d->arena, ncols, sizeof *copy);

	for (size_t i = 0; i < ncols; i++) {
		copy[i].title = arena_strdup(d->arena, columns[i].title);
		copy[i].align = columns[i].align;
	}
	b->table.columns = copy;
	b->table.ncols = ncols;
}

void doc_cell(struct doc *d, const char *fmt, ...)
{
	struct doc_table *t;
	va_list ap;

	ENSURE(d->last && d->last->kind == DOC_TABLE);
	t = &d->last->table;
	va_start(ap, fmt);
	add_string(d->arena, &t->cells, &t->ncells, formatted(d, fmt, ap));
	va_end(ap);
	t->nrows = (t->ncells + t->ncols - 1) / t->ncols;
}

void doc_grammar(struct doc *d, const char *const rows[][2], size_t n)
{
	static const struct doc_column columns[] = {{"you write", DOC_LEFT},
	                                            {"which means", DOC_LEFT}};

	doc_heading(d, "Orders");
	doc_table(d, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < n; i++) {
		doc_cell(d, "%s", rows[i][0]);
		doc_cell(d, "%s", rows[i][1]);
	}
}

void doc_board(struct doc *d, const char *caption)
{
	struct doc_block *b = add_block(d, DOC_BOARD, "");

	b->board.caption = arena_strdup(d->arena, caption);
}

static struct doc_board *open_board(struct doc *d)
{
	ENSURE(d->last && d->last->kind == DOC_BOARD);
	return &d->last->board;
}

void doc_board_line(struct doc *d, const char *fmt, ...)
{
	struct doc_board *b = open_board(d);
	va_list ap;

	va_start(ap, fmt);
	add_string(d->arena, &b->lines, &b->nlines, formatted(d, fmt, ap));
	va_end(ap);
}

void doc_board_linear(struct doc *d, const char *fmt, ...)
{
	struct doc_board *b = open_board(d);
	va_list ap;

	va_start(ap, fmt);
	add_string(d->arena, &b->linear, &b->nlinear, formatted(d, fmt, ap));
	va_end(ap);
}

void doc_board_shape(struct doc *d, struct doc_shape shape)
{
	struct doc_board *b = open_board(d);
	struct doc_shape *wider = room_for_one(d->arena, b->shapes, b->nshapes, sizeof *wider);

	shape.text = arena_strdup(d->arena, shape.text ? shape.text : "");
	wider[b->nshapes++] = shape;
	b->shapes = wider;
}

void doc_board_picture(struct doc *d, const char *caption)
{
	open_board(d)->picture = arena_strdup(d->arena, caption);
}

void doc_board_size(struct doc *d, int width, int height, int nframes)
{
	struct doc_board *b = open_board(d);

	b->width = width;
	b->height = height;
	b->nframes = nframes;
}

/* For tests, which dump docs all the time. Each number with a blank before it. */
static void add_ints(struct strbuf *out, const int *numbers, size_t count)
{
	char text[MOST_INTS * (3 * sizeof *numbers + 2)];
	size_t n = 0;

	ENSURE(count <= MOST_INTS);
	for (size_t i = 0; i < count; i++) {
		text[n++] = ' ';
		n += write_int(text + n, numbers[i]);
	}
	strbuf_add(out, text, n);
}

static void dump_line(struct strbuf *out, const char *what, const char *text)
{
	strbuf_adds(out, what);
	strbuf_adds(out, text);
	strbuf_addc(out, '\n');
}

static void dump_table(const struct doc_table *t, struct strbuf *out)
{
	for (size_t i = 0; i < t->ncols; i++)
		dump_line(out,
		          t->columns[i].align == DOC_RIGHT ? "\tcolumn right "
		                                           : "\tcolumn left ",
		          t->columns[i].title);
	for (size_t i = 0; t->ncols > 0 && i < t->ncells; i++) {
		const int place[] = {(int)(i / t->ncols + 1), (int)(i % t->ncols + 1)};

		strbuf_adds(out, "\tcell");
		add_ints(out, place, 2);
		dump_line(out, " ", t->cells[i]);
	}
}

static void dump_board(const struct doc_board *b, struct strbuf *out)
{
	strbuf_addf(out, "\tcaption %s\n\tsize %d %d frames %d\n", b->caption, b->width,
	            b->height, b->nframes);
	for (size_t i = 0; i < b->nlines; i++)
		dump_line(out, "\tline ", b->lines[i]);
	for (size_t i = 0; i < b->nlinear; i++)
		dump_line(out, "\tlinear ", b->linear[i]);
	for (size_t i = 0; i < b->nshapes; i++) {
		const struct doc_shape *s = &b->shapes[i];
		const int numbers[] = {(int)s->kind, s->frame, s->x, s->y, s->w, s->h, s->tone};

		strbuf_adds(out, "\tshape");
		add_ints(out, numbers, sizeof numbers / sizeof *numbers);
		dump_line(out, " ", s->text);
	}
}

void doc_dump(const struct doc *d, struct strbuf *out)
{
	static const char *const parts[] = {"highlight", "news",   "task", "story",
	                                    "position",  "scores", "own",  "help"};
	static const char *const kinds[] = {"heading", "paragraph", "item",
	                                    "example", "table",     "board"};

	_Static_assert(sizeof parts / sizeof *parts == DOC_NPARTS, "a name for each part");
	for (const struct doc_block *b = d->first; b; b = b->next) {
		strbuf_adds(out, parts[b->part]);
		strbuf_addc(out, ' ');
		strbuf_adds(out, kinds[b->kind]);
		dump_line(out, " ", b->text);
		if (b->kind == DOC_TABLE)
			dump_table(&b->table, out);
		if (b->kind == DOC_BOARD)
			dump_board(&b->board, out);
	}
}
