/*
 * lineage.h - the turns that led to the present one, those left out that were taken back.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_LINEAGE_H
#define MOLEPOST_PROCESSOR_MATCH_LINEAGE_H

#include "processor/match/match.h"

enum { NO_SERIAL = -1 };
/*
 * *serials, in the match's arena: by the number that players know. That is the one in the label of the open turn
 * where that is "turn 4", and in the others going back from it: so turn 1 is number 1 however many steps the set-up
 * had, and in a game that began with turn 6 of another there are NO_SERIAL before number 5, its set-up. Where turns
 * have other labels, and in a set-up, they are counted: 0 is the set-up. The open turn is number *n - 1; *n is 0
 * before the start. ERR_CORRUPT.
 */
enum err lineage_load(struct server *srv, const struct match *match, int64_t **serials,
                      size_t *n) MUST_CHECK;

#endif
