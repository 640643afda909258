/*
 * lineage.h - the turns that led to the present one, those left out that were taken back.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_LINEAGE_H
#define MOLEPOST_PROCESSOR_MATCH_LINEAGE_H

#include "processor/match/match.h"

/*
 * *serials, in the match's arena: by place in the line, 0 is the set-up, 1 the first turn; the same
 * number as in "turn 4" where a game counts its turns so. *n is 0 before the start. ERR_CORRUPT.
 */
enum err lineage_load(struct server *srv, const struct match *match, unsigned **serials,
                      size_t *n) MUST_CHECK;

#endif
