/*
 * letters.h - what SVG and PNG have in common: the colours of fills, and where letters stand and how large.
 *
 * All is worked out from the shapes, by how many columns a text has, so that
 * both draw the same picture whatever fonts there are.
 */
#ifndef MOLEPOST_REPORTS_PICTURES_LETTERS_H
#define MOLEPOST_REPORTS_PICTURES_LETTERS_H

#include "processor/base/arena.h"
#include "processor/games/doc.h"

/* X(tone, colour as six hexadecimal digits); letters on tone DARK_TONE are white, on the others black. */
#define PICTURE_TONES(X) \
	X(1, e69f00)     \
	X(2, 56b4e9)     \
	X(3, 2bb58c)     \
	X(4, f0e442)     \
	X(5, 0067a5)     \
	X(6, e2711d)     \
	X(7, d48bb4)     \
	X(8, a0a0a0)
enum { TONES = 8, DARK_TONE = 5, LETTER_LINES = 4 };
/* A fill of 9 is that of 1. */
static inline int picture_tone(int tone)
{
	return tone >= 1 ? (tone - 1) % TONES + 1 : 0;
}

/* Of one shape. */
struct letters {
	int size;                        /* tenths of a unit; 0: it has none */
	int ground;                      /* the tone below them; 0: the paper */
	enum doc_shape_kind ground_kind; /* DOC_LABEL: they lie in nothing */
	struct span lines[LETTER_LINES];
	size_t n;
	int y; /* the middle of the first line, in tenths; each next one is `size` further down */
};

/* Whether a board has a picture at all. */
bool picture_exists(const struct doc_board *b);
/* The half side of a hexagon with this radius, whose corner is up, as boards are laid out for. */
static inline int hexagon_side(int radius)
{
	return radius * 7 / 8;
}
/*
 * For each shape of a board that has a picture; what stands in shapes of a kind and never moves has letters alike, as
 * small as the longest text there needs.
 */
const struct letters *letters_of(const struct doc_board *b, struct arena *arena);
/* Whether the colour of shape i has one meaning, its text, of which this shape is the first. */
bool picture_explains(const struct doc_board *b, size_t i);

#endif
