/*
 * replay_page.h - how the page of `molepost replay --html` looks and moves.
 */
#ifndef MOLEPOST_PROCESSOR_REPLAY_REPLAY_PAGE_H
#define MOLEPOST_PROCESSOR_REPLAY_REPLAY_PAGE_H

/* CSS; goes behind web_style, whose variables it uses. */
extern const char page_style[];
/*
 * One turn and one view at a time, by buttons and keys, and boards that move; where motion is
 * not wanted, one picture at a time. It finds by id the nav's first, previous, next, last,
 * play, auto, speed, seat and where, the overview with turns and here, and result; sections of the class turn, and in them the divs of the
 * class view with their data-seat. Says what it shows in `where`, which is read aloud.
 */
extern const char page_script[];
extern const char page_script_end[]; /* the rest of it, right behind */

#endif
