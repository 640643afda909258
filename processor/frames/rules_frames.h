/*
 * rules_frames.h - the rules opened to scripts: frames in, frames out.
 *
 * What `molepost test-new`, `test-resolve` and `test-view` stand on; the golden scenarios run
 * the same functions. Nothing here touches a store.
 *
 * Frames read (frames.h); all may be missing unless said otherwise:
 *	== options      "name=value" words; only for a new game, a state names its own
 *	== names        one a line; else Ann, Bob, Cid, ... as `== players` says
 *	== players      how many; else the names given, else the kind's usual number
 *	== state        the position; without it test-resolve starts a new game
 *	== orders SEAT  a mail's order lines; several of one seat are successive mails. Seats
 *	                that owe orders and have no good ones get default_orders
 *	== table        a name on a line, below it the text that goes by this name (rules.h)
 *	== chance       outcomes (base/chance.h); without it they are drawn from seed 1. For
 *	                test-new the set-up's, for test-resolve the turn's
 */
#ifndef MOLEPOST_PROCESSOR_FRAMES_RULES_FRAMES_H
#define MOLEPOST_PROCESSOR_FRAMES_RULES_FRAMES_H

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/strbuf.h"
#include "processor/frames/frames.h"
#include "processor/games/rules.h"

/*
 * All return ERR_INVALID with a sentence when a frame is wrong, an option or
 * state is refused, or the chance given does not fit the draws asked for.
 */

/* Free with rules->free_state. */
enum err rules_frames_new(const struct rules *r, const struct frames *f,
                          struct game_state **out, struct failure *e) MUST_CHECK;
/* The state of the frames, or a new game when there is none. */
enum err rules_frames_state(const struct rules *r, const struct frames *f,
                            struct game_state **out, struct failure *e) MUST_CHECK;
/* The tables of the frames; they live in the arena, their texts in the frames. */
enum err rules_frames_tables(const struct frames *f, struct arena *arena, struct tables *out,
                             struct failure *e) MUST_CHECK;
/*
 * One turn. Appends "== diagnostics SEAT" and "== canonical SEAT" for every seat that owed or
 * sent orders, then "== chance" and "== state".
 */
enum err rules_frames_resolve(const struct rules *r, const struct frames *f, struct strbuf *out,
                              struct failure *e) MUST_CHECK;

#endif
