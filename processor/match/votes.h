/*
 * votes.h - what the players of a game can do together: draw, concession, pause, cancel.
 *
 * Who has a vote: every player with a seat that is neither out of the game nor left; the
 * server's own seats, vacant ones and those who have gone have none. A vote holds for the turn
 * in which it is given, and is secret: others hear that somebody has proposed something, and
 * how many votes there are, never whose, until it passes. When somebody is put out of the game
 * their votes go with them, and those of the others are counted again without them.
 *
 *	SET DRAW           all           over: all who are still in it have won, and share
 *	SET CONCEDE who    all others    over: this one has won
 *	VOTE PAUSE         over half     the clocks stand
 *	VOTE RESUME        over half     they go on, whoever stopped them
 *	VOTE CANCEL        all           cancelled, nobody has won
 *
 * And what is asked of the table, by a master who plays (processor/master/motion.c): more than half of
 * all but the master and the one it is about say YES; or by a player who wants more time
 * (processor/master/more_time.c): all others whom the game waits for say YES, or if it waits for nobody
 * else any other player; the YES of a master who plays is enough.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_VOTES_H
#define MOLEPOST_PROCESSOR_MATCH_VOTES_H

#include "processor/match/match.h"
#include "store/votes.h"

struct ballot {
	struct seat_set voters; /* who has a vote */
	struct seat_set living; /* who is still in the game and played by somebody */
	struct votes of[MAX_SEATS];
	size_t n;
};

struct vote_count {
	unsigned given, needed, voters;
	struct seat_set by;
	bool passed;
	bool failed; /* of a motion: whoever answers now, it cannot pass any more */
};

/* The votes of the open turn. Needs a turn that is open; loads the position. */
enum err ballot_load(struct server *srv, struct match *match, struct ballot *out) MUST_CHECK;
/* `whom` for VOTE_CONCEDE, else 0. */
struct vote_count ballot_count(const struct ballot *b, enum vote_kind kind, unsigned whom);
/* The votes of this seat, empty ones if it has given none. */
struct votes *ballot_of_seat(struct ballot *b, unsigned seat);
/*
 * The command as people read it, in the match's arena: "EJECT 2". A moment that it names is left out,
 * for each reader is told it by their own clocks.
 */
const char *motion_shown(const struct match *match, const struct motion *motion);
/*
 * Whether a motion of this turn can still be answered: one for more time not after the deadline that it
 * would move, nor when the deadline has been moved as far without it.
 */
bool motion_stands(const struct match *match, const struct motion *motion, int64_t arrived_utc);
/* Who may answer a motion. */
struct seat_set motion_voters(const struct match *match, const struct ballot *b,
                              const struct motion *motion);
struct vote_count motion_count(const struct match *match, const struct ballot *b,
                               const struct motion *motion);
/* The next one begins with no answer to it. */
enum err ballot_forget_motion(struct server *srv, const struct match *match,
                              struct ballot *b) MUST_CHECK;
/* "1 of 3 has said yes, 2 are needed before the turn ends"; in the match's arena. */
const char *motion_count_words(const struct match *match, const struct vote_count *t);
/* "to end the game as a draw: 2 of 3 have voted for it, all are needed"; in the match's arena. */
const char *vote_count_words(const struct match *match, enum vote_kind kind, unsigned whom,
                             const struct vote_count *t);
/*
 * One such sentence for everything that has a vote, in the match's arena. `seat`: the reader's
 * own, 0 = none, is marked.
 */
enum err votes_now(struct server *srv, struct match *match, unsigned seat,
                   const char *const **out, size_t *n) MUST_CHECK;

#endif
