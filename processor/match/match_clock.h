/*
 * match_clock.h - the clocks of a game in hand: its calendar, and the times of a turn that opens.
 *
 * Between deadline.h, which knows neither games nor players, and those who open turns, move
 * deadlines and tell people about them.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_MATCH_CLOCK_H
#define MOLEPOST_PROCESSOR_MATCH_MATCH_CLOCK_H

#include "processor/match/match.h"
#include "store/players.h"

/* When a player wants to be left alone. */
struct quiet match_clock_quiet(struct server *srv, const struct player *p);
/*
 * How deadlines are found, in words, in the match's arena; "" when there is only a length, or
 * when the game was taken over from an archive, which does not say.
 */
const char *match_clock_words(struct server *srv, const struct match *match);

/*
 * Sets deadline, grace and first look for reminders of a turn whose label, owes and time of opening
 * are set. players[seat - 1], id 0 where no person sits; phase as in rules.h.
 */
void match_clock_open(struct server *srv, const struct match *match,
                      const struct player *players, unsigned phase, struct turn *t);
/*
 * Moves the deadline of an open turn behind the absences of the players it waits for, grace by
 * as much, and the first look for reminders; only in memory. *moved: it did fall into one.
 * `players` as above.
 */
enum err match_clock_put_off(struct server *srv, const struct match *match,
                             const struct player *players, struct turn *t,
                             bool *moved) MUST_CHECK;
/*
 * The same for the turn that is open, and stored: with its line in the public log, which says
 * neither why nor for whom. The match shows it then.
 */
enum err match_clock_put_off_open(struct server *srv, struct match *match,
                                  bool *moved) MUST_CHECK;
/* The seats that the open turn waits for and whose players have said that they are away at `t_utc`. */
enum err match_clock_away(struct server *srv, const struct match *match, int64_t t_utc,
                          struct seat_set *away) MUST_CHECK;
/*
 * Everybody has just been told the deadline of the open turn, since it is another than before: a reminder
 * that would come now, or within minutes, is passed over if another one is to come before the deadline.
 * After what else there is to store of the turn, which has the reminders looked at anew.
 */
enum err match_clock_was_told(struct server *srv, const struct match *match) MUST_CHECK;
/*
 * The deadline that follows another one when a whole turn's time (calendar.next_s) is added to it, or the time in which
 * nobody could do anything. At a moment that the calendar allows.
 */
int64_t match_clock_credited(struct server *srv, const struct match *match,
                             int64_t deadline_utc, int64_t seconds);
/* ... or the time in which its clock stood: to the minute, whatever hour turns end at, but on a day they may. */
int64_t match_clock_resumed(struct server *srv, const struct match *match, int64_t deadline_utc,
                            int64_t seconds);

#endif
