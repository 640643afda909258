/*
 * svg.c - the shapes of a board as a picture. Their form is that of picture.c; here it is
 * exact.
 */
#include "reports/web.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/utf8.h"

enum { FRAMES_MOST = 24, TONES = 8, MARGIN_PER_MILLE = 15, LABELS_ACROSS = 40 };
enum { LINES_MOST = 4, LINE_COLUMNS = 8, KEY_COLUMNS_LEAST = 3 };

/* A board being drawn, and for each shape that never moves how large its letters may be. */
struct picture {
	const struct doc_board *board;
	struct letters {
		int size;                   /* tenths of a unit; 0: it has none */
		enum doc_shape_kind ground; /* of what they lie in; DOC_LABEL: of nothing */
	} * letters;
	int usual_size; /* of letters, in tenths; said once */
};

static bool surrounds(const struct doc_shape *s, const struct doc_shape *label)
{
	int dx = label->x - s->x, dy = label->y - s->y;

	if (s->kind == DOC_RECT)
		return dx >= 0 && dx <= s->w && dy >= 0 && dy <= s->h;
	return (s->kind == DOC_CIRCLE || s->kind == DOC_HEXAGON) &&
	       (int64_t)dx * dx + (int64_t)dy * dy <= (int64_t)s->w * s->w;
}

static int width_of(const struct doc_shape *s)
{
	return s->kind == DOC_RECT      ? s->w
	       : s->kind == DOC_HEXAGON ? 2 * (s->w * 7 / 8)
	                                : 2 * s->w;
}

/* The smallest shape that a label lies in; NULL: none. */
static const struct doc_shape *ground_of(const struct doc_board *b,
                                         const struct doc_shape *label)
{
	const struct doc_shape *ground = NULL;

	for (size_t i = 0; i < b->nshapes; i++) {
		const struct doc_shape *s = &b->shapes[i];

		if ((s->frame == 0 || s->frame == label->frame) && surrounds(s, label) &&
		    (ground == NULL || width_of(s) < width_of(ground)))
			ground = s;
	}
	return ground;
}

/* A label in lines of about eight columns, broken at blanks. */
struct lines {
	struct span items[LINES_MOST];
	size_t n;
	size_t columns; /* of the widest */
};

static bool has_height(const struct doc_shape *s)
{
	return s->kind == DOC_LABEL && s->h > 0;
}

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
static int fitting_size(const struct doc_board *b, int room, const char *text)
{
	int usual = b->width * 10 / LABELS_ACROSS * 2, fitting;
	struct lines l;

	break_label(span_of(text), &l);
	fitting = room * 14 / (l.columns > 1 ? (int)l.columns : 2);
	if (fitting > usual)
		fitting = usual;
	return fitting > 1 ? fitting : 1;
}

static struct letters letters_of(const struct doc_board *b, const struct doc_shape *s)
{
	const struct doc_shape *ground = s->kind == DOC_HEXAGON ? s : ground_of(b, s);
	int room = b->width / 4;

	if (s->kind != DOC_HEXAGON && s->kind != DOC_LABEL)
		return (struct letters){0, DOC_LABEL};
	if (has_height(s))
		return (struct letters){10 * s->h, DOC_LABEL};
	if (ground != NULL && width_of(ground) < room)
		room = width_of(ground);
	return (struct letters){fitting_size(b, room, s->text),
	                        ground != NULL ? ground->kind : DOC_LABEL};
}

/* What stands in shapes of a kind has letters alike: as small as the longest text there needs. */
static void measure(struct picture *p)
{
	const struct doc_board *b = p->board;
	int least[DOC_LABEL + 1] = {0};

	p->letters = xcalloc(b->nshapes, sizeof(p->letters[0]));
	for (size_t i = 0; i < b->nshapes; i++) {
		struct letters *l = &p->letters[i];

		if (b->shapes[i].frame != 0)
			continue;
		*l = letters_of(b, &b->shapes[i]);
		if (l->size > 0 && !has_height(&b->shapes[i]) &&
		    (least[l->ground] == 0 || l->size < least[l->ground]))
			least[l->ground] = l->size;
	}
	for (size_t i = 0; i < b->nshapes; i++)
		if (p->letters[i].size > 0 && !has_height(&b->shapes[i]))
			p->letters[i].size = least[p->letters[i].ground];
}

static int letter_size(const struct picture *p, const struct doc_shape *s)
{
	return s->frame == 0 ? p->letters[s - p->board->shapes].size
	                     : letters_of(p->board, s).size;
}

static int tone_class(int tone)
{
	return (tone - 1) % TONES + 1;
}

/* On what they stand decides the colour of letters. */
static void add_letters_class(struct strbuf *out, const struct picture *p,
                              const struct doc_shape *s)
{
	const struct doc_shape *ground = s->kind == DOC_HEXAGON ? s : ground_of(p->board, s);

	if (ground != NULL && ground->tone >= 1)
		strbuf_addf(out, " class=\"o o%d\"", tone_class(ground->tone));
}

static void add_tenths(struct strbuf *out, int n)
{
	strbuf_addf(out, n % 10 ? "%d.%d" : "%d", n / 10, n % 10);
}

/* The middle of all lines stands where the label does; tenths of a unit again. */
static void add_letters(struct strbuf *out, const struct picture *p, const struct doc_shape *s)
{
	int size = letter_size(p, s), top;
	struct lines l;

	if (has_height(s))
		l = (struct lines){.items = {span_of(s->text)}, .n = 1};
	else
		break_label(span_of(s->text), &l);
	top = s->y * 10 - (int)(l.n - 1) * size / 2;
	for (size_t i = 0; i < l.n; i++) {
		int y = top + (int)i * size;

		strbuf_addf(out, "<text x=\"%d\" y=\"%s", s->x, y < 0 ? "-" : "");
		add_tenths(out, abs(y));
		if (size != p->usual_size) {
			strbuf_adds(out, "\" font-size=\"");
			add_tenths(out, size);
		}
		strbuf_addc(out, '"');
		add_letters_class(out, p, s);
		strbuf_addc(out, '>');
		web_add_text(out, l.items[i]);
		strbuf_adds(out, "</text>");
	}
}

static void add_class(struct strbuf *out, int tone)
{
	strbuf_adds(out, " class=\"s");
	if (tone >= 1)
		strbuf_addf(out, " t%d", tone_class(tone));
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
	int side = s->w * 7 / 8, half = s->w / 2;

	strbuf_addf(out, "<path d=\"M%d %dl%d %dv%dl%d %d %d %dv%dz\"", s->x, s->y - s->w, side,
	            s->w - half, 2 * half, -side, s->w - half, -side, half - s->w, -2 * half);
	add_class(out, s->tone);
	end_shape(out, "path", s->text);
}

static bool is_dot(const struct doc_shape *s)
{
	return s->kind == DOC_CIRCLE && s->tone >= 1 && s->text[0] == '\0';
}

/* How many shapes from this one on are dots alike. */
static size_t count_dots(const struct doc_board *b, size_t i)
{
	size_t n = 0;

	while (i + n < b->nshapes && is_dot(&b->shapes[i + n]) &&
	       b->shapes[i + n].frame == b->shapes[i].frame &&
	       b->shapes[i + n].tone == b->shapes[i].tone &&
	       b->shapes[i + n].w == b->shapes[i].w)
		n++;
	return n;
}

static void add_dot_path(struct strbuf *out, const struct doc_shape *dots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "M%d %dh0", dots[i].x, dots[i].y);
	strbuf_adds(out, "\"/>\n");
}

/* Many of them, as the round ends of lines without length: short to say. First their edge, a bit wider. */
static void add_dots(struct strbuf *out, const struct doc_shape *dots, size_t n)
{
	enum { EDGED = 3 };

	if (dots->w >= EDGED) {
		strbuf_addf(out, "<path class=\"d e\" stroke-width=\"%d\" d=\"",
		            2 * dots->w + 2);
		add_dot_path(out, dots, n);
	}
	strbuf_addf(out, "<path class=\"d d%d\" stroke-width=\"%d\" d=\"",
	            tone_class(dots->tone), 2 * dots->w);
	add_dot_path(out, dots, n);
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
	       strcmp(b->shapes[i + n].text, b->shapes[i].text) == 0)
		n++;
	return n;
}

static void add_lines(struct strbuf *out, const struct doc_shape *lines, size_t n)
{
	strbuf_adds(out, "<path class=\"s l\" d=\"");
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
		else if (shown && dots >= DOTS_LEAST)
			add_dots(out, &b->shapes[i], n);
		else if (shown)
			add_shape(out, p, &b->shapes[i]);
	}
}

/* Evenly spread ones, where a board has too many. */
static void add_frames(struct strbuf *out, const struct picture *p)
{
	int all = p->board->nframes, shown = all < FRAMES_MOST ? all : FRAMES_MOST;

	for (int i = 1; i <= shown; i++) {
		strbuf_addf(out, "<g class=\"frame\" data-frame=\"%d\"%s>\n", i,
		            i < shown ? " style=\"display:none\"" : "");
		add_frame(out, p, (int)((int64_t)all * i / shown));
		strbuf_adds(out, "</g>\n");
	}
}

static bool is_drawn(const struct doc_board *b)
{
	return b->nshapes > 0 && b->width > 0 && b->height > 0;
}

bool web_add_picture(struct strbuf *out, const struct doc_board *b)
{
	int margin = b->width * MARGIN_PER_MILLE / 1000 + 1;
	struct picture p = {.board = b};

	if (!is_drawn(b))
		return false;
	measure(&p);
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
	if (b->nframes > 0)
		add_frames(out, &p);
	strbuf_adds(out, "</svg>\n");
	free(p.letters);
	return true;
}

/* A colour has one meaning when no other has its text; letters on a piece are none. */
static bool is_meaning(const struct doc_board *b, size_t i)
{
	const struct doc_shape *s = &b->shapes[i];

	if ((s->kind != DOC_RECT && s->kind != DOC_CIRCLE) || s->tone < 1 ||
	    utf8_width(span_of(s->text)) < KEY_COLUMNS_LEAST)
		return false;
	for (size_t k = 0; k < b->nshapes; k++) {
		const struct doc_shape *other = &b->shapes[k];

		if (other->tone >= 1 && strcmp(other->text, s->text) == 0 &&
		    (k < i || other->tone != s->tone))
			return false;
	}
	return true;
}

void web_add_key(struct strbuf *out, const struct doc_board *b)
{
	bool any = false;

	for (size_t i = 0; is_drawn(b) && i < b->nshapes; i++) {
		if (!is_meaning(b, i))
			continue;
		if (!any)
			strbuf_adds(out, "<ul class=\"key\">\n");
		any = true;
		strbuf_addf(
		    out,
		    "<li><svg xmlns=\"http://www.w3.org/2000/svg\" aria-hidden=\"true\" "
		    "viewBox=\"0 0 9 9\"><rect width=\"9\" height=\"9\" class=\"s t%d\"/>"
		    "</svg>",
		    tone_class(b->shapes[i].tone));
		web_add_text(out, span_of(b->shapes[i].text));
		strbuf_adds(out, "</li>\n");
	}
	if (any)
		strbuf_adds(out, "</ul>\n");
}
