/*
 * svg.c - the shapes of a board as a picture for pages: their form is that of picture.c, here exact. Mails have
 * the same by png.c.
 */
#include "reports/web.h"

#include <stdlib.h>
#include <string.h>

#include "reports/layout.h"
#include "reports/pictures/letters.h"

enum { FRAMES_MOST = 24, MARGIN_PER_MILLE = 15 };

/* A board being drawn. */
struct picture {
	const struct doc_board *board;
	const struct letters *letters; /* of each shape */
	int usual_size;                /* of them, in tenths; said once */
};

/* What would be read as markup is written out. */
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

static void add_tenths(struct strbuf *out, int n)
{
	strbuf_addf(out, n % 10 ? "%d.%d" : "%d", n / 10, n % 10);
}

/* On what they stand decides the colour of letters. */
static void add_letters(struct strbuf *out, const struct picture *p, const struct doc_shape *s)
{
	const struct letters *l = &p->letters[s - p->board->shapes];

	for (size_t i = 0; i < l->n; i++) {
		int y = l->y + (int)i * l->size;

		strbuf_addf(out, "<text x=\"%d\" y=\"%s", s->x, y < 0 ? "-" : "");
		add_tenths(out, abs(y));
		if (l->size != p->usual_size) {
			strbuf_adds(out, "\" font-size=\"");
			add_tenths(out, l->size);
		}
		strbuf_addc(out, '"');
		if (l->ground >= 1)
			strbuf_addf(out, " class=\"o o%d\"", l->ground);
		strbuf_addc(out, '>');
		web_add_text(out, l->lines[i]);
		strbuf_adds(out, "</text>");
	}
}

static void add_class(struct strbuf *out, int tone)
{
	strbuf_adds(out, " class=\"s");
	if (tone >= 1)
		strbuf_addf(out, " t%d", picture_tone(tone));
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
static void add_hexagon(struct strbuf *out, const struct doc_shape *s)
{
	int side = hexagon_side(s->w), half = s->w / 2;

	strbuf_addf(out, "<path d=\"M%d %dl%d %dv%dl%d %d %d %dv%dz\"", s->x, s->y - s->w, side,
	            s->w - half, 2 * half, -side, s->w - half, -side, half - s->w, -2 * half);
	add_class(out, s->tone);
	end_shape(out, "path", s->text);
}

/* How many shapes from this one on are dots alike. */
static size_t count_dots(const struct doc_board *b, size_t i)
{
	const struct doc_shape *s = &b->shapes[i], *end = b->shapes + b->nshapes, *dot = s;

	while (dot < end && dot->kind == DOC_CIRCLE && dot->tone >= 1 && !*dot->text &&
	       dot->frame == s->frame && dot->tone == s->tone && dot->w == s->w)
		dot++;
	return (size_t)(dot - s);
}

static void add_dot_path(struct strbuf *out, const struct doc_shape *dots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "M%d %dh0", dots[i].x, dots[i].y);
	strbuf_adds(out, "\"/>\n");
}

static void add_shape(struct strbuf *out, const struct picture *p, const struct doc_shape *s)
{
	switch (s->kind) {
	case DOC_LINE: /* several in one path */
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
		add_hexagon(out, s);
		add_letters(out, p, s);
		break;
	case DOC_LABEL:
		add_letters(out, p, s);
		break;
	}
	strbuf_addc(out, '\n');
}

static size_t count_lines_alike(const struct doc_board *b, size_t i)
{
	size_t n = 0;

	while (i + n < b->nshapes && b->shapes[i + n].kind == DOC_LINE &&
	       b->shapes[i + n].frame == b->shapes[i].frame &&
	       b->shapes[i + n].tone == b->shapes[i].tone &&
	       strcmp(b->shapes[i + n].text, b->shapes[i].text) == 0)
		n++;
	return n;
}

static void add_lines(struct strbuf *out, const struct doc_shape *lines, size_t n)
{
	strbuf_adds(out, "<path class=\"s l");
	if (lines->tone >= 1)
		strbuf_addf(out, " d%d", picture_tone(lines->tone));
	strbuf_adds(out, "\" d=\"");
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "M%d %dl%d %d", lines[i].x, lines[i].y, lines[i].w,
		            lines[i].h);
	strbuf_addc(out, '"');
	end_shape(out, "path", lines->text);
	strbuf_addc(out, '\n');
}

static void add_frame(struct strbuf *out, const struct picture *p, int frame)
{
	enum { DOTS_LEAST = 3 };
	const struct doc_board *b = p->board;

	for (size_t i = 0, n; i < b->nshapes; i += n) {
		size_t lines = count_lines_alike(b, i), dots = count_dots(b, i);
		bool shown = b->shapes[i].frame == frame;

		n = lines > 0 ? lines : dots >= DOTS_LEAST ? dots : 1;
		if (shown && lines > 0)
			add_lines(out, &b->shapes[i], n);
		else if (shown && dots >= DOTS_LEAST) {
			/* Round ends of lines without length; the edge first, wider. */
			enum { EDGED = 3 };

			if (b->shapes[i].w >= EDGED) {
				strbuf_addf(out, "<path class=\"d e\" stroke-width=\"%d\" d=\"",
				            2 * b->shapes[i].w + 2);
				add_dot_path(out, &b->shapes[i], n);
			}
			strbuf_addf(out, "<path class=\"d d%d\" stroke-width=\"%d\" d=\"",
			            picture_tone(b->shapes[i].tone), 2 * b->shapes[i].w);
			add_dot_path(out, &b->shapes[i], n);
		} else if (shown)
			add_shape(out, p, &b->shapes[i]);
	}
}

bool web_add_picture(struct strbuf *out, const struct doc_board *b)
{
	int margin = b->width * MARGIN_PER_MILLE / 1000 + 1;
	struct picture p = {.board = b};

	if (!picture_exists(b))
		return false;
	struct arena *arena = arena_new();
	p.letters = letters_of(b, arena);
	for (size_t i = 0; i < b->nshapes && p.usual_size == 0; i++)
		p.usual_size = p.letters[i].size;
	strbuf_addf(out,
	            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"%d %d %d "
	            "%d\" font-size=\"",
	            -margin, -margin, b->width + 2 * margin, b->height + 2 * margin);
	add_tenths(out, p.usual_size > 0 ? p.usual_size : 10);
	strbuf_adds(out, "\">\n<title>");
	web_add_text(out, span_of(b->picture                  ? b->picture
	                          : b->caption && *b->caption ? b->caption
	                                                      : "The board"));
	strbuf_adds(out, "</title>\n");
	add_frame(out, &p, 0);
	if (b->nframes > 0) {
		/* Evenly spread ones, where a board has too many. */
		int all = p.board->nframes, shown = all < FRAMES_MOST ? all : FRAMES_MOST;

		for (int i = 1; i <= shown; i++) {
			strbuf_addf(out, "<g class=\"frame\" data-frame=\"%d\"%s>\n", i,
			            i < shown ? " style=\"display:none\"" : "");
			add_frame(out, &p, (int)((int64_t)all * i / shown));
			strbuf_adds(out, "</g>\n");
		}
	}
	strbuf_adds(out, "</svg>\n");
	arena_free(arena);
	return true;
}

void web_add_key(struct strbuf *out, const struct doc_board *b)
{
	bool any = false;

	for (size_t i = 0; picture_exists(b) && i < b->nshapes; i++) {
		if (!picture_explains(b, i))
			continue;
		if (!any)
			strbuf_adds(out, "<ul class=\"key\">\n");
		any = true;
		strbuf_addf(
		    out,
		    "<li><svg xmlns=\"http://www.w3.org/2000/svg\" aria-hidden=\"true\" "
		    "viewBox=\"0 0 9 9\"><rect width=\"9\" height=\"9\" class=\"s t%d\"/>"
		    "</svg>",
		    picture_tone(b->shapes[i].tone));
		web_add_text(out, span_of(b->shapes[i].text));
		strbuf_adds(out, "</li>\n");
	}
	if (any)
		strbuf_adds(out, "</ul>\n");
}
