/*
 * puzzle.h - a puzzle on Monday: a position of a public game that has ended, and what its seat
 * should have ordered.
 *
 *	a Monday, somebody wants it -> games that ended, the last first -> their last turns
 *	backwards -> a position in which bots find what wins at once, or far more than doing
 *	nothing, and hardly another order does -> one row and all mails, in one transaction ->
 *	answers are judged by the same search (commands/puzzle.c) -> the mail of the next
 *	puzzle has the solution
 *
 * Nothing but what the record of that game says to everybody is in it. The work is counted in
 * positions, and the same games have the same puzzle. Without one there is no mail, and the
 * solution waits.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_PUZZLE_H
#define MOLEPOST_PROCESSOR_OUTGOING_PUZZLE_H

#include "processor/match/match.h"
#include "reports/report.h"
#include "store/players.h"
#include "store/puzzles.h"

/* The kind of its mails in the outbox; their key is the week. */
#define PUZZLE_KIND "puzzle"

/* That of a moment; what comes before the first Monday of 1970 does not occur. */
int64_t puzzle_week(int64_t now_utc);
/* Writes that of this week, if it is Monday and it is not there yet. */
enum err puzzle_send_due(struct server *srv) MUST_CHECK;

/* One that was shown, with its game and the position. */
struct puzzle_shown {
	struct puzzle row;
	struct match match;
	struct game_state *state;
};
/* ERR_CORRUPT when the position cannot be read. Release in any case. */
enum err puzzle_open(struct server *srv, const struct puzzle *row, struct arena *arena,
                     struct puzzle_shown *out) MUST_CHECK;
void puzzle_close(struct puzzle_shown *p);
/*
 * What its mail and its page show, with the solution of the newest one of an earlier week; all in the arena.
 */
enum err puzzle_report(struct server *srv, const struct puzzle *row,
                       const struct mail_form *form, struct arena *arena,
                       struct report_puzzle *out) MUST_CHECK;

#endif
