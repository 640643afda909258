/*
 * svg.c - the shapes of a board as a picture. Their form is that of picture.c; here it is
 * exact.
 */
#include "reports/web.h"

#include <stdlib.h>

#include "processor/base/utf8.h"

#include "processor/base/banned.h"

enum { FRAMES_MOST = 24, TONES = 8, MARGIN_PER_MILLE = 15, LABELS_ACROSS = 40 };
enum { LINES_MOST = 4, LINE_COLUMNS = 10 };

/* Which shape of the board a label lies in, so that it can be made to fit; the smallest. */
static int room_of(const struct doc_board *b, const struct doc_shape *label)
{
	int room = b->width / 4;

	for (size_t i = 0; i < b->nshapes; i++) {
		const struct doc_shape *s = &b->shapes[i];
		int dx = label->x - s->x, dy = label->y - s->y, size = 0;

		if (s->frame != 0 && s->frame != label->frame)
			continue;
		if (s->kind == DOC_RECT && dx >= 0 && dx <= s->w && dy >= 0 && dy <= s->h)
			size = s->w;
		if ((s->kind == DOC_CIRCLE || s->kind == DOC_HEXAGON) &&
		    (int64_t)dx * dx + (int64_t)dy * dy <= (int64_t)s->w * s->w)
			size = 2 * s->w;
		if (size > 0 && size < room)
			room = size;
	}
	return room;
}

/* A label in lines of about ten columns, broken at blanks. */
struct lines {
	struct span items[LINES_MOST];
	size_t n;
	size_t columns; /* of the widest */
};

static void break_label(struct span rest, struct lines *l)
{
	struct span word;

	*l = (struct lines){.n = 0};
	while (span_next_word(&rest, "", &word)) {
		struct span *last = l->n > 0 ? &l->items[l->n - 1] : NULL;
		bool joins = last != NULL &&
		             (l->n == LINES_MOST ||
		              utf8_width(*last) + 1 + utf8_width(word) <= LINE_COLUMNS);

		if (joins)
			last->len = (size_t)(word.ptr + word.len - last->ptr);
		else
			l->items[l->n++] = word;
	}
	for (size_t i = 0; i < l->n; i++)
		if (utf8_width(l->items[i]) > l->columns)
			l->columns = utf8_width(l->items[i]);
}

/* In tenths of a unit, so that small boards have letters of the right size. */
static int letter_size(const struct doc_board *b, int room, size_t columns)
{
	int fitting = room * 14 / (columns > 1 ? (int)columns : 2);
	int usual = b->width * 10 / LABELS_ACROSS * 2;

	if (fitting > usual)
		fitting = usual;
	return fitting > 1 ? fitting : 1;
}

/* The middle of all lines stands where the label does; tenths of a unit again. */
static void add_letters(struct strbuf *out, const struct doc_board *b,
                        const struct doc_shape *s, int room)
{
	struct lines l;
	int size, top;

	break_label(span_of(s->text), &l);
	size = letter_size(b, room, l.columns);
	top = s->y * 10 - (int)(l.n - 1) * size / 2;
	for (size_t i = 0; i < l.n; i++) {
		int y = top + (int)i * size;

		strbuf_addf(out, "<text x=\"%d\" y=\"%s%d.%d\" font-size=\"%d.%d\">", s->x,
		            y < 0 ? "-" : "", abs(y) / 10, abs(y) % 10, size / 10, size % 10);
		web_add_text(out, l.items[i]);
		strbuf_adds(out, "</text>");
	}
}

static void add_class(struct strbuf *out, int tone)
{
	strbuf_adds(out, " class=\"s");
	if (tone >= 1)
		strbuf_addf(out, " t%d", (tone - 1) % TONES + 1);
	strbuf_addc(out, '"');
}

/* What a pointer that rests on it is told. */
static void end_shape(struct strbuf *out, const char *tag, const char *text)
{
	if (text == NULL || *text == '\0') {
		strbuf_adds(out, "/>");
		return;
	}
	strbuf_adds(out, "><title>");
	web_add_text(out, span_of(text));
	strbuf_addf(out, "</title></%s>", tag);
}

/* A corner up; its half width is 7/8 of the radius, as boards are laid out for. */
static void add_hexagon(struct strbuf *out, const struct doc_board *b,
                        const struct doc_shape *s)
{
	int side = s->w * 7 / 8, half = s->w / 2;

	strbuf_addf(out, "<polygon points=\"%d,%d %d,%d %d,%d %d,%d %d,%d %d,%d\"", s->x,
	            s->y - s->w, s->x + side, s->y - half, s->x + side, s->y + half, s->x,
	            s->y + s->w, s->x - side, s->y + half, s->x - side, s->y - half);
	add_class(out, s->tone);
	end_shape(out, "polygon", s->text);
	add_letters(out, b, s, 2 * side);
}

static void add_shape(struct strbuf *out, const struct doc_board *b, const struct doc_shape *s)
{
	switch (s->kind) {
	case DOC_LINE:
		strbuf_addf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"", s->x, s->y,
		            s->x + s->w, s->y + s->h);
		add_class(out, 0);
		end_shape(out, "line", s->text);
		break;
	case DOC_RECT:
		strbuf_addf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", s->x,
		            s->y, s->w, s->h);
		add_class(out, s->tone);
		end_shape(out, "rect", s->text);
		break;
	case DOC_CIRCLE:
		strbuf_addf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\"", s->x, s->y, s->w);
		add_class(out, s->tone);
		end_shape(out, "circle", s->text);
		break;
	case DOC_HEXAGON:
		add_hexagon(out, b, s);
		break;
	case DOC_LABEL:
		add_letters(out, b, s, room_of(b, s));
		break;
	}
	strbuf_addc(out, '\n');
}

static void add_frame(struct strbuf *out, const struct doc_board *b, int frame)
{
	for (size_t i = 0; i < b->nshapes; i++)
		if (b->shapes[i].frame == frame)
			add_shape(out, b, &b->shapes[i]);
}

/* Evenly spread ones, where a board has too many. */
static void add_frames(struct strbuf *out, const struct doc_board *b)
{
	int shown = b->nframes < FRAMES_MOST ? b->nframes : FRAMES_MOST;

	for (int i = 1; i <= shown; i++) {
		strbuf_addf(out, "<g class=\"frame\" data-frame=\"%d\"%s>\n", i,
		            i < shown ? " style=\"display:none\"" : "");
		add_frame(out, b, (int)((int64_t)b->nframes * i / shown));
		strbuf_adds(out, "</g>\n");
	}
}

bool web_add_picture(struct strbuf *out, const struct doc_board *b)
{
	int margin = b->width * MARGIN_PER_MILLE / 1000 + 1;

	if (b->nshapes == 0 || b->width <= 0 || b->height <= 0)
		return false;
	strbuf_addf(out,
	            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"%d %d %d "
	            "%d\">\n<title>",
	            -margin, -margin, b->width + 2 * margin, b->height + 2 * margin);
	web_add_text(out, span_of(b->caption && *b->caption ? b->caption : "The board"));
	strbuf_adds(out, "</title>\n");
	add_frame(out, b, 0);
	if (b->nframes > 0)
		add_frames(out, b);
	strbuf_adds(out, "</svg>\n");
	return true;
}
