/*
 * png.h - the shapes of a board as a PNG, for mails: painted by cairo.
 *
 * Knows no game, and shows nothing but the shapes: what is always shown, and of a board that moves its last frame.
 * Ink on light paper of its own, so that it can be read on a page of either colour; below the board
 * stands what its colours mean, and what it shows. The same shapes are the same bytes, with the same versions of the libraries:
 * letters come from one font file, unhinted, whatever this machine is set to.
 *
 * Trusts: shapes are of our own games, their texts of anybody; a text is drawn, or, where the font has
 * no such letter, a box is.
 */
#ifndef MOLEPOST_REPORTS_PICTURES_PNG_H
#define MOLEPOST_REPORTS_PICTURES_PNG_H

#include "processor/base/strbuf.h"
#include "processor/games/doc.h"

struct png_painter;

/*
 * Loads cairo, FreeType and the font; NULL where one of them is missing. Close it, NULL too: cairo gives back what it
 * keeps for the whole process, so a process has one at a time.
 */
struct png_painter *png_open(void);
void png_close(struct png_painter *p);
/*
 * Appends the picture, PNG_ACROSS pixels wide, meant to be shown half as wide, where screens have two to a point. False,
 * and nothing is appended: the board has no shapes, or cairo failed. The last picture is kept: a turn tells many what all
 * may see.
 */
enum { PNG_ACROSS = 600 };
bool png_paint(struct png_painter *p, const struct doc_board *b, struct strbuf *out);

#endif
