/*
 * picture.h - the shapes of a board as a picture made of letters, frame by frame.
 *
 * For terminals: what moves is shown moving, without knowing the game. The text has no
 * control characters, lines of at most 72 columns, and keeps the proportions of the board for
 * cells twice as high as wide.
 */
#ifndef MOLEPOST_REPORTS_PICTURES_PICTURE_H
#define MOLEPOST_REPORTS_PICTURES_PICTURE_H

#include "processor/base/strbuf.h"
#include "processor/games/doc.h"

/* The first board of a doc that has several frames, or NULL. Borrowed from the doc. */
const struct doc_board *report_moving_board(const struct doc *d);
/* Frame 1..nframes; 0: only what is always shown. Nothing for a board without a picture. */
void report_picture(const struct doc_board *b, int frame, struct strbuf *out);

#endif
