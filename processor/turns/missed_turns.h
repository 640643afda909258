/*
 * missed_turns.h - turns in which nothing came from a seat: counted, excused, and what comes of them.
 *
 * A turn is missed when the default orders were used for a seat with a player. It is excused when mail
 * to the player comes back, for they cannot know of it, and when its deadline fell into an absence
 * that they had announced (absence.c moves deadlines, so that this is rare). Orders that came in the grace are late. Nobody learns
 * anything by either: what the others have sent stays sealed until the turn ends, and can no longer
 * be changed once the deadline has passed.
 *
 * After so many misses running as the calendar of the game says, those in an absence left out, the seat
 * becomes vacant: its player is told and loses it, and the office of master if they had it; anybody may
 * take it over (takeover.c), and until then nobody plays it, or the server.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_MISSED_TURNS_H
#define MOLEPOST_PROCESSOR_TURNS_MISSED_TURNS_H

#include "processor/match/match.h"
#include "processor/match/match_record.h"
#include "reports/report.h"
#include "store/players.h"

/*
 * Counts the turn in hand, with these orders, for every seat with a player. *excused: whose miss is;
 * bit seat-1, unless the log has it already. The record says so (standings.h), since nobody could find it
 * out later.
 */
enum err missed_turns_count(struct server *srv, struct match *match,
                            const struct order_set *set, uint32_t *excused) MUST_CHECK;
/*
 * The open turn in hand is ended before its deadline: that nothing has come so far is the fault
 * of nobody but who wanted it, seat `but` (0: they do not play), and the public log says so now. missed_turns_count
 * then goes by it.
 */
enum err missed_turns_excuse_all(struct server *srv, struct match *match,
                                 unsigned but) MUST_CHECK;
/*
 * This seat has a new player. If the open turn has ended, and only waits for this run to act on
 * it, nothing of theirs could be in time any more: the public log says that they are excused.
 */
enum err missed_turns_excuse_new(struct server *srv, const struct match *match,
                                 unsigned seat) MUST_CHECK;
/*
 * Empties the seats that have missed too often; the result has bit seat-1. Only in memory: what there
 * is to write is written by missed_turns_write and with the seats.
 */
uint32_t missed_turns_vacate(const struct server *srv, struct match *match);
/* Adds to what the record says of this turn. */
void missed_turns_add_actions(struct server *srv, const struct match *match, uint32_t excused,
                              uint32_t vacated, struct record_turn *turn);
/*
 * Logs it and makes the reply addresses void; who has lost the seat does not observe the game either,
 * unless they ask for it later. Behind the mails of the turn, before the next one opens
 * and before the seats are written.
 */
enum err missed_turns_write(struct server *srv, const struct match *match, struct seat *seats,
                            uint32_t excused, uint32_t vacated) MUST_CHECK;
/* Who plays a game does not watch it as well, nor does who has lost a seat; missed_turns_write does it too. */
enum err missed_turns_stop_watching(struct server *srv, int64_t game,
                                    int64_t player) MUST_CHECK;
/*
 * Who has had a seat of a game has seen what is hidden from the others, and who was put out by its master
 * may not come back: both hold for the person, whoever has had the seat since.
 */
struct past {
	struct seat_set seats; /* that were theirs, or are */
	bool put_out;
};
enum err missed_turns_past(struct server *srv, const struct match *match, int64_t player,
                           struct past *out) MUST_CHECK;
/* Writes down that the player of this seat has had it, and whether they were put out. */
enum err missed_turns_note_gone(struct server *srv, const struct match *match,
                                const struct seat *seat) MUST_CHECK;
struct request;
/* What somebody who has lost their seat is told. */
void missed_turns_mail(struct server *srv, const struct match *match, const struct seat *seat,
                       const struct player *was, struct report_out *out);

#endif
