/*
 * fork_point.h - positions that games begin with though they are not their set-up: forks.
 *
 * What nobody but its owner could know in the position has been public since its game ended, and
 * so would be in the new game. It is therefore drawn anew, by real draws from the new game's
 * secret, when that begins: rules->resample for the public.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_FORK_POINT_H
#define MOLEPOST_PROCESSOR_ARCHIVE_FORK_POINT_H

#include "processor/games/rules.h"

/*
 * Any bytes. True when they are a position of these rules in its one form, of a game with exactly
 * these options (as options_format writes all of them) and these names on its seats, and not
 * over; *out is freed with rules->free_state. Else false with a sentence in `why`.
 */
bool fork_point_read(const struct rules *rules, struct span options,
                     const struct seat_names *names, struct span text, struct game_state **out,
                     struct strbuf *why);
/*
 * The position that a game begins with which goes on from `from`, what was hidden there drawn
 * anew. NULL with a sentence in `why` when the rules contradict themselves.
 */
struct game_state *fork_point_deal(const struct rules *rules, const struct game_state *from,
                                   struct chance *chance, struct strbuf *why);

#endif
