/*
 * doc.h - what a viewer may know, as a small tree of blocks.
 *
 * A game builds a doc in `view` and `guide`; reports/ turns it into text (and
 * later into SVG or a terminal animation) without knowing the game. Nothing in
 * a doc depends on the medium: no wrapping, no markup characters. All text is
 * UTF-8 and is copied into the doc.
 *
 * A board block carries three forms of the same thing: lines (drawn text, 72
 * columns at most), a linear list (the same facts one per line, for phones and
 * screen readers), and shapes (integer units, for pictures).
 */
#ifndef MOLEPOST_GAMES_DOC_H
#define MOLEPOST_GAMES_DOC_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

enum doc_block_kind {
	DOC_HEADING,   /* text: a title of a few words */
	DOC_PARAGRAPH, /* text: running prose, wrapped by the medium */
	DOC_ITEM,      /* text: one entry of a list */
	DOC_EXAMPLE,   /* text: an order line that is legal now; never to be read as an order */
	DOC_TABLE,     /* columns and rows */
	DOC_BOARD      /* lines, linear, shapes */
};

/*
 * Which part of a report a block belongs to. Reports print the parts in this
 * order; within a part the blocks keep the order in which they were added.
 */
enum doc_part {
	DOC_HIGHLIGHT, /* what is worth telling again when the game is over: doc_highlight */
	DOC_NEWS, /* one sentence: what the last turn brought this viewer; only reports show it */
	DOC_TASK, /* what this viewer is to do now, "flick your mignettes", where more is to be said than that orders
	             are due; only reports show it */
	DOC_STORY,    /* what happened last turn */
	DOC_POSITION, /* the board */
	DOC_SCORES,
	DOC_OWN,  /* what only this viewer knows */
	DOC_HELP, /* guide text, hints, examples */
	DOC_NPARTS
};

enum doc_align { DOC_LEFT, DOC_RIGHT };

struct doc_column {
	const char *title;
	enum doc_align align;
};

struct doc_table {
	const struct doc_column *columns;
	size_t ncols;
	const char *const *cells; /* row after row, ncols each */
	size_t nrows;             /* a row counts from its first cell on */
	size_t ncells;            /* ncols * nrows once the last row is full */
};

enum doc_shape_kind { DOC_LINE, DOC_RECT, DOC_HEXAGON, DOC_CIRCLE, DOC_LABEL };

struct doc_shape {
	enum doc_shape_kind kind;
	int frame; /* 0 = always shown; n = only in frame n of an animation */
	int x, y;  /* line: start; rect: corner; hexagon, circle, label: centre */
	/* Line: end minus start; rect: size; hexagon, circle: w = radius; label: h = height of its letters,
	   on one line; 0: as it fits. */
	int w, h;
	int tone;         /* 0 outline only; 1..8 fill number; the medium chooses colours */
	const char *text; /* label or description, "" if none */
};

struct doc_board {
	const char *caption;      /* of the drawn text */
	const char *picture;      /* of the picture, where it needs another one; else NULL */
	const char *const *lines; /* drawn text, each at most 72 columns */
	size_t nlines;
	const char *const *linear; /* the same facts as sentences */
	size_t nlinear;
	const struct doc_shape *shapes;
	size_t nshapes;
	int width, height; /* of the picture, in shape units; 0 = no picture */
	int nframes;       /* 0 or 1 = a still */
};

struct doc_block {
	enum doc_part part;
	enum doc_block_kind kind;
	const char *text;
	unsigned weight; /* of a highlight */
	struct doc_table table;
	struct doc_board board;
	struct doc_block *next;
};

enum { DOC_COLS = 72 };
struct tables; /* rules.h */

/* Made empty by doc_init; everything lives in the arena, which the caller owns. */
struct doc {
	struct arena *arena;
	/*
	 * Set by the caller after doc_init where it matters. Tables in which a game may look
	 * things up while it writes (NULL: none; borrowed). Whether what was drawn last turn is
	 * only imagined, as in a preview: a game does better not to show it.
	 */
	const struct tables *tables;
	bool draws_imagined;
	/* And how many columns a drawn board may have, DOC_COLS or fewer; a game without a form so narrow
	   draws its usual one, and only its words are shown. */
	unsigned cols;
	/* Set by a view: the last turn did something to this viewer, who need not have ordered in it. */
	bool concerns_viewer;
	/* Set by a view then: the draws decided how the orders went, and what it shows says nothing. */
	bool draws_decided;
	enum doc_part part; /* where the next block goes; starts as DOC_STORY */
	struct doc_block *first;
	struct doc_block *last;
};

void doc_init(struct doc *d, struct arena *a);
/* Blocks added from now on belong to `part`. */
void doc_in(struct doc *d, enum doc_part part);
void doc_heading(struct doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_paragraph(struct doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_item(struct doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_example(struct doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * One sentence about the last turn that everybody may read, "Best word: Ann spelled ...". The mail at the
 * end of a game tells those with the largest weight; weights are compared within one game.
 */
void doc_highlight(struct doc *d, unsigned weight, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Starts a table; then doc_cell() ncols times per row. Column titles are copied. */
void doc_table(struct doc *d, const struct doc_column *columns, size_t ncols);
void doc_cell(struct doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The heading and the table of a guide that say how orders are written: {order, meaning}, n of them. */
void doc_grammar(struct doc *d, const char *const rows[][2], size_t n);
/* Starts a board; then its lines, linear sentences and shapes in any order. */
void doc_board(struct doc *d, const char *caption);
void doc_board_line(struct doc *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doc_board_linear(struct doc *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The shape's text is copied. */
void doc_board_shape(struct doc *d, struct doc_shape shape);
/* What the picture shows, where the caption speaks of letters that it has not. */
void doc_board_picture(struct doc *d, const char *caption);
void doc_board_size(struct doc *d, int width, int height, int nframes);
/* Appends every byte of the doc as plain lines: equal docs, equal dumps. For tests. */
void doc_dump(const struct doc *d, struct strbuf *out);

#endif
