/*
 * list.h - what LIST and the website say of a game that can be joined or watched.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_LIST_H
#define MOLEPOST_PROCESSOR_COMMANDS_LIST_H

#include "processor/match/match.h"
#include "reports/report.h"

/* For this reader, a player's id or 0 for a stranger; the game is loaded into *match. All in the arena. */
enum err list_row(struct server *srv, const struct game *g, int64_t reader, struct arena *arena,
                  struct report_list_row *row, struct match *match) MUST_CHECK;

#endif
