/*
 * png.c - shapes as pixels. Their form is that of svg.c.
 *
 * cairo's own way to a font goes through fontconfig, which reads the settings of the machine and is never freed whole:
 * the font is opened by FreeType from its file instead.
 */
#include "reports/pictures/png.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "processor/base/library.h"
#include "reports/pictures/letters.h"

enum {
	HIGH_MOST = 900,
	MARGIN = 6,
	INK = 0x222222,
	EDGE = 0x333333,
	SOFT = 0x555555,
	PAPER = 0xfdfcf8
};
enum { LEGEND_HIGH = 30, LEGEND_LETTERS = 22, LEGEND_BOX = 20, TENTHS = 10 };

/* As cairo.h, cairo-ft.h and freetype.h of their versions 1.16 and 2.12 have them; every handle is opaque. */
enum { CAIRO_FORMAT_RGB24 = 1, CAIRO_LINE_CAP_ROUND = 1 };
enum { FT_LOAD_NO_HINTING = 2, DONE = 0 };
typedef struct {
	double x_bearing, y_bearing, width, height, x_advance, y_advance;
} cairo_text_extents_t;
typedef int (*cairo_write_func_t)(void *closure, const unsigned char *data, unsigned length);
void *cairo_image_surface_create(int format, int width, int height);
void cairo_surface_destroy(void *surface);
int cairo_surface_write_to_png_stream(void *surface, cairo_write_func_t write, void *closure);
unsigned char *cairo_image_surface_get_data(void *surface);
int cairo_image_surface_get_stride(void *surface);
void cairo_surface_flush(void *surface);
void cairo_surface_mark_dirty(void *surface);
void *cairo_create(void *surface);
void cairo_destroy(void *cr);
int cairo_status(void *cr);
void cairo_scale(void *cr, double x, double y);
void cairo_translate(void *cr, double x, double y);
void cairo_set_source_rgb(void *cr, double red, double green, double blue);
void cairo_paint(void *cr);
void cairo_new_path(void *cr);
void cairo_move_to(void *cr, double x, double y);
void cairo_rel_line_to(void *cr, double x, double y);
void cairo_rectangle(void *cr, double x, double y, double width, double height);
void cairo_arc(void *cr, double x, double y, double radius, double from, double to);
void cairo_close_path(void *cr);
void cairo_fill_preserve(void *cr);
void cairo_stroke(void *cr);
void cairo_set_line_width(void *cr, double width);
void cairo_set_line_cap(void *cr, int cap);
void cairo_set_font_face(void *cr, void *font);
void cairo_set_font_size(void *cr, double size);
void cairo_text_extents(void *cr, const char *text, cairo_text_extents_t *extents);
void cairo_show_text(void *cr, const char *text);
void *cairo_ft_font_face_create_for_ft_face(void *face, int load_flags);
void cairo_font_face_destroy(void *font);
void cairo_debug_reset_static_data(void);
int FT_Init_FreeType(void **library);
int FT_New_Face(void *library, const char *path, long index, void **face);
int FT_Done_Face(void *face);
int FT_Done_FreeType(void *library);

#define CAIRO_FUNCTIONS(X)                       \
	X(cairo_image_surface_create)            \
	X(cairo_surface_destroy)                 \
	X(cairo_surface_write_to_png_stream)     \
	X(cairo_image_surface_get_data)          \
	X(cairo_image_surface_get_stride)        \
	X(cairo_surface_flush)                   \
	X(cairo_surface_mark_dirty)              \
	X(cairo_create)                          \
	X(cairo_destroy)                         \
	X(cairo_status)                          \
	X(cairo_scale)                           \
	X(cairo_translate)                       \
	X(cairo_set_source_rgb)                  \
	X(cairo_paint)                           \
	X(cairo_new_path)                        \
	X(cairo_move_to)                         \
	X(cairo_rel_line_to)                     \
	X(cairo_rectangle)                       \
	X(cairo_arc)                             \
	X(cairo_close_path)                      \
	X(cairo_fill_preserve)                   \
	X(cairo_stroke)                          \
	X(cairo_set_line_width)                  \
	X(cairo_set_line_cap)                    \
	X(cairo_set_font_face)                   \
	X(cairo_set_font_size)                   \
	X(cairo_text_extents)                    \
	X(cairo_show_text)                       \
	X(cairo_ft_font_face_create_for_ft_face) \
	X(cairo_font_face_destroy)               \
	X(cairo_debug_reset_static_data)
#define FREETYPE_FUNCTIONS(X) \
	X(FT_Init_FreeType)   \
	X(FT_New_Face)        \
	X(FT_Done_Face)       \
	X(FT_Done_FreeType)

struct png_painter {
	CAIRO_FUNCTIONS(LIBRARY_MEMBER)
	FREETYPE_FUNCTIONS(LIBRARY_MEMBER)
	void *library, *face, *font;
	struct strbuf shapes, png; /* of the last picture */
};

/* A picture being painted. */
struct canvas {
	const struct png_painter *lib;
	const struct doc_board *board;
	void *cr;
	double scale;      /* pixels a unit */
	double line_width; /* of edges, in units */
};

/* Where Debian, Fedora, Alpine and Arch have it. */
static void *open_font(const struct png_painter *p)
{
	static const char *const paths[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
	                                    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
	                                    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
	                                    "/usr/share/fonts/TTF/DejaVuSans.ttf"};
	void *face = NULL;

	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
		if (p->FT_New_Face(p->library, paths[i], 0, &face) == DONE)
			return face;
	return NULL;
}

static bool load(struct png_painter *lib)
{
	static const char *const cairo[] = {"libcairo.so.2", NULL}, *const freetype[] = {
									"libfreetype.so.6",
									NULL};
	const char *missing = NULL;
	void *handle;

	if (library_open(freetype, "libfreetype6", RTLD_NOW, &handle, NULL) != ERR_NONE)
		return false;
	FREETYPE_FUNCTIONS(LIBRARY_FIND)
	if (library_open(cairo, "libcairo2", RTLD_NOW, &handle, NULL) != ERR_NONE)
		return false;
	CAIRO_FUNCTIONS(LIBRARY_FIND)
	return missing == NULL;
}

struct png_painter *png_open(void)
{
	struct png_painter *p = xcalloc(1, sizeof(*p));

	strbuf_init(&p->shapes);
	strbuf_init(&p->png);
	if (!load(p) || p->FT_Init_FreeType(&p->library) != DONE) {
		free(p);
		return NULL;
	}
	p->face = open_font(p);
	if (!p->face) {
		png_close(p);
		return NULL;
	}
	p->font = p->cairo_ft_font_face_create_for_ft_face(p->face, FT_LOAD_NO_HINTING);
	return p;
}

/* cairo keeps fonts that nobody uses any more, and through them the face: they go first. */
void png_close(struct png_painter *p)
{
	if (!p)
		return;
	if (p->face) {
		p->cairo_font_face_destroy(p->font);
		p->cairo_debug_reset_static_data();
		p->FT_Done_Face(p->face);
	}
	p->FT_Done_FreeType(p->library);
	strbuf_release(&p->shapes);
	strbuf_release(&p->png);
	free(p);
}

static void set_colour(const struct canvas *c, unsigned rgb)
{
	c->lib->cairo_set_source_rgb(c->cr, (double)(rgb >> 16) / 255,
	                             (double)(rgb >> 8 & 255) / 255, (double)(rgb & 255) / 255);
}

static void set_tone(const struct canvas *c, int tone)
{
#define RGB(n, rgb) 0x##rgb,
	static const unsigned colours[] = {PAPER, PICTURE_TONES(RGB)};

	set_colour(c, colours[picture_tone(tone)]);
}

/* The path that was made, filled if it has a tone, with its edge. */
static void finish(const struct canvas *c, int tone)
{
	if (tone >= 1) {
		set_tone(c, tone);
		c->lib->cairo_fill_preserve(c->cr);
	}
	set_colour(c, EDGE);
	c->lib->cairo_set_line_width(c->cr, c->line_width);
	c->lib->cairo_stroke(c->cr);
}

/* Around x, or from there on; y is the middle of small letters with capitals. How wide it is. */
static double write_text(const struct canvas *c, struct span text, double size, double x,
                         double y, bool centred)
{
	enum { RISE_PER_CENT = 36 };
	struct strbuf terminated = STRBUF_INIT;
	cairo_text_extents_t e = {0};

	strbuf_add_span(&terminated, text);
	c->lib->cairo_set_font_size(c->cr, size);
	c->lib->cairo_text_extents(c->cr, terminated.ptr, &e);
	c->lib->cairo_move_to(c->cr, centred ? x - e.x_advance / 2 : x,
	                      y + size * RISE_PER_CENT / 100);
	c->lib->cairo_show_text(c->cr, terminated.ptr);
	c->lib->cairo_new_path(c->cr);
	strbuf_release(&terminated);
	return e.x_advance;
}

static void write_letters(const struct canvas *c, const struct doc_shape *s,
                          const struct letters *l)
{
	/* A name on the paper has a seam of it: a path may cross there. */
	enum { AROUND = 4 };
	bool seamed = s->kind == DOC_LABEL && l->ground == 0;

	for (int k = seamed ? 0 : AROUND; k <= AROUND; k++) {
		double aside = k == AROUND ? 0 : c->line_width;

		set_colour(c, k < AROUND               ? PAPER
		              : l->ground == DARK_TONE ? 0xffffff
		              : l->ground              ? 0x111111
		                                       : INK);
		for (size_t i = 0; i < l->n; i++)
			write_text(c, l->lines[i], (double)l->size / TENTHS,
			           s->x + (k & 1 ? aside : -aside),
			           (double)(l->y + (int)i * l->size) / TENTHS +
			               (k & 2 ? aside : -aside),
			           true);
	}
}

static void paint_shape(const struct canvas *c, const struct doc_shape *s,
                        const struct letters *l)
{
	const struct png_painter *lib = c->lib;
	double side = hexagon_side(s->w), half = (double)s->w / 2, whole_turn = 6.283185307;

	switch (s->kind) {
	case DOC_LINE:
		lib->cairo_move_to(c->cr, s->x, s->y);
		lib->cairo_rel_line_to(c->cr, s->w, s->h);
		set_colour(c, EDGE);
		if (s->tone >= 1)
			set_tone(c, s->tone);
		lib->cairo_set_line_width(c->cr, 2 * c->line_width);
		lib->cairo_stroke(c->cr);
		return;
	case DOC_RECT:
		lib->cairo_rectangle(c->cr, s->x, s->y, s->w, s->h);
		finish(c, s->tone);
		return;
	case DOC_CIRCLE:
		lib->cairo_arc(c->cr, s->x, s->y, s->w, 0, whole_turn);
		finish(c, s->tone);
		return;
	case DOC_HEXAGON: /* a corner up */
		lib->cairo_move_to(c->cr, s->x, s->y - s->w);
		lib->cairo_rel_line_to(c->cr, side, half);
		lib->cairo_rel_line_to(c->cr, 0, 2 * half);
		lib->cairo_rel_line_to(c->cr, -side, half);
		lib->cairo_rel_line_to(c->cr, -side, -half);
		lib->cairo_rel_line_to(c->cr, 0, -2 * half);
		lib->cairo_close_path(c->cr);
		finish(c, s->tone);
		write_letters(c, s, l);
		return;
	case DOC_LABEL:
		write_letters(c, s, l);
		return;
	}
}

static void paint_frame(const struct canvas *c, const struct letters *letters, int frame)
{
	for (size_t i = 0; i < c->board->nshapes; i++)
		if (c->board->shapes[i].frame == frame)
			paint_shape(c, &c->board->shapes[i], &letters[i]);
}

/* Where the next words below the board stand, in pixels. */
struct legend {
	double x, middle;
};

static double text_width_in(const struct canvas *c, const char *text)
{
	cairo_text_extents_t e = {0};

	c->lib->cairo_set_font_size(c->cr, LEGEND_LETTERS);
	c->lib->cairo_text_extents(c->cr, text, &e);
	return e.x_advance;
}

/* The next `wide` pixels, in a new line where this one has no room. */
static void take_room(struct legend *l, double wide)
{
	if (l->x > MARGIN && l->x + wide > PNG_ACROSS - MARGIN) {
		l->x = MARGIN;
		l->middle += LEGEND_HIGH;
	}
}

/* What the colours mean, and what the picture shows; or only where that ends. */
static int paint_legend(const struct canvas *c, int top, bool painted)
{
	struct legend l = {.x = MARGIN, .middle = top + LEGEND_HIGH / 2.0};
	struct span rest = span_of(c->board->picture ? c->board->picture : ""), word;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < c->board->nshapes; i++) {
		const struct doc_shape *s = &c->board->shapes[i];

		if (!picture_explains(c->board, i))
			continue;
		double wide = 2 * LEGEND_BOX + text_width_in(c, s->text);
		take_room(&l, wide);
		if (painted) {
			c->lib->cairo_rectangle(c->cr, l.x, l.middle - LEGEND_BOX / 2.0,
			                        LEGEND_BOX, LEGEND_BOX);
			finish(c, s->tone);
			set_colour(c, INK);
			write_text(c, span_of(s->text), LEGEND_LETTERS,
			           l.x + LEGEND_BOX + MARGIN, l.middle, false);
		}
		l.x += wide;
	}
	if (l.x > MARGIN && rest.len > 0)
		take_room(&l, PNG_ACROSS);
	while (span_next_word(&rest, "", &word)) {
		strbuf_clear(&text);
		strbuf_add_span(&text, word);
		strbuf_addc(&text, ' ');
		double wide = text_width_in(c, text.ptr);
		take_room(&l, wide);
		set_colour(c, SOFT);
		if (painted)
			write_text(c, word, LEGEND_LETTERS, l.x, l.middle, false);
		l.x += wide;
	}
	strbuf_release(&text);
	return l.x > MARGIN ? (int)l.middle + LEGEND_HIGH / 2 + MARGIN : top;
}

static int append(void *closure, const unsigned char *data, unsigned length)
{
	strbuf_add(closure, (const char *)data, length);
	return DONE;
}

/* A surface of that height, and what paints on it. */
static void *open_surface(struct canvas *c, int high)
{
	void *surface =
	    c->lib->cairo_image_surface_create(CAIRO_FORMAT_RGB24, PNG_ACROSS, high);

	c->cr = c->lib->cairo_create(surface);
	c->lib->cairo_set_font_face(c->cr, c->lib->font);
	c->lib->cairo_set_line_cap(c->cr, CAIRO_LINE_CAP_ROUND);
	c->line_width = 2;
	return surface;
}

static bool paint(const struct png_painter *p, const struct doc_board *b, struct strbuf *out)
{
	struct canvas c = {.lib = p, .board = b};
	struct arena *arena = arena_new();
	double across = (double)(PNG_ACROSS - 2 * MARGIN) / b->width;
	double down = (double)(HIGH_MOST - 2 * MARGIN) / b->height;

	c.scale = across < down ? across : down;
	int board_high = (int)(b->height * c.scale) + 2 * MARGIN;
	void *surface = open_surface(&c, 1);
	int high = paint_legend(&c, board_high, false);
	p->cairo_destroy(c.cr);
	p->cairo_surface_destroy(surface);
	surface = open_surface(&c, high);
	set_colour(&c, PAPER);
	p->cairo_paint(c.cr);
	(void)paint_legend(&c, board_high, true);
	p->cairo_translate(c.cr, (PNG_ACROSS - b->width * c.scale) / 2, MARGIN);
	p->cairo_scale(c.cr, c.scale, c.scale);
	c.line_width = c.line_width / c.scale;
	const struct letters *letters = letters_of(b, arena);
	paint_frame(&c, letters, 0);
	if (b->nframes > 0)
		paint_frame(&c, letters, b->nframes);
	/* The many colours between letters and paper are made few: that halves the bytes. */
	enum { APART = 17, HALF = APART / 2 }; /* of 256 values */
	unsigned char *row = c.lib->cairo_image_surface_get_data(surface);
	int stride = c.lib->cairo_image_surface_get_stride(surface);

	c.lib->cairo_surface_flush(surface);
	for (size_t i = 0; row && i < (size_t)stride * (size_t)high; i++)
		row[i] = (unsigned char)((row[i] + HALF) / APART * APART);
	c.lib->cairo_surface_mark_dirty(surface);
	bool done = p->cairo_status(c.cr) == DONE &&
	            p->cairo_surface_write_to_png_stream(surface, append, out) == DONE;
	p->cairo_destroy(c.cr);
	p->cairo_surface_destroy(surface);
	arena_free(arena);
	return done;
}

bool png_paint(struct png_painter *p, const struct doc_board *b, struct strbuf *out)
{
	struct strbuf shapes = STRBUF_INIT;

	if (!p || !picture_exists(b))
		return false;
	strbuf_addf(&shapes, "%d %d %d %s\n", b->width, b->height, b->nframes,
	            b->picture ? b->picture : "");
	for (size_t i = 0; i < b->nshapes; i++) {
		const struct doc_shape *s = &b->shapes[i];

		strbuf_addf(&shapes, "%d %d %d %d %d %d %d %s\n", (int)s->kind, s->frame, s->x,
		            s->y, s->w, s->h, s->tone, s->text);
	}
	if (!span_eq(strbuf_span(&shapes), strbuf_span(&p->shapes))) {
		strbuf_swap(&shapes, &p->shapes);
		strbuf_clear(&p->png);
		if (!paint(p, b, &p->png))
			strbuf_clear(&p->png);
	}
	strbuf_release(&shapes);
	strbuf_add_span(out, strbuf_span(&p->png));
	return p->png.len > 0;
}
