/*
 * master.h - what the master of a game, or a vote of its players, may change.
 */
#ifndef MOLEPOST_PROCESSOR_MASTER_MASTER_H
#define MOLEPOST_PROCESSOR_MASTER_MASTER_H

#include "processor/match/votes.h"
#include "processor/request/master.h"

/* The commands themselves; rows in intake/dispatch.c. */
command_fn do_master;
game_command_fn do_vote;

/* Each with the game and the right to give it found out; master_admit: ALLOW and DENY. */
typedef enum err master_fn(struct master_request *m) MUST_CHECK;
master_fn master_set_deadline, master_set_grace, master_set_start, master_pause, master_resume,
    master_process, master_rollback, master_eject, master_promote, master_demote, master_admit,
    master_become, master_replace, master_terminate, master_force_begin, master_official;

/*
 * What a master who plays, or a player, does only with the other players: they are asked, and *go
 * only once more than half of them have agreed. *go at once where there is nobody else, where the
 * master does not play, in games of before, and, not rated any more, with UNRATED behind the
 * command. Whoever is not *go has been told why.
 */
struct decision {
	const char *line;   /* the command without its game */
	const char *effect; /* a sentence or two on what it does */
	unsigned seat;      /* that it names; 0 = none */
	int64_t at_utc;     /* the moment that it names; 0 = none */
	bool wants_yes;     /* the master is asked first where the others are not */
};
enum err master_with_others(struct master_request *m, const struct decision *decision,
                            bool *go) MUST_CHECK;
/*
 * A YES or NO to the open motion of the game; `asked_else`: another question waits for the writer, so
 * only an answer to the mail that asked for the vote is one. *answered: it was a vote, and they have been
 * told what became of it.
 */
enum err motion_answer(struct request *req, bool yes, struct match *match, struct seat *seat,
                       bool asked_else, bool *answered) MUST_CHECK;
/* The same of a mail in which nothing was understood, "Yes, please". */
enum err motion_explain(struct request *req, bool *done) MUST_CHECK;
/* ASK FOR: more time for a player whom the game waits for. What was agreed to is done, by these. */
game_command_fn do_ask_for;
enum err more_time_given(struct request *req, struct match *match, struct seat *seat,
                         const struct motion *motion, struct seat_set by) MUST_CHECK;
/* m->item, with all that it needs looked at once more; m->agreed is set. */
enum err master_carry_out(struct master_request *m) MUST_CHECK;

/*
 * Stops the clocks, or lets them go on where they stopped. No mail, no entry: by the master or
 * by a vote. They stop when the mail arrived that stops them, however late it is dealt with; the turn
 * has not ended by then. Whoever lets them go on tells everybody the deadline at once.
 */
enum err game_pause(struct server *srv, struct match *match, int64_t arrived_utc) MUST_CHECK;
enum err game_go_on(struct server *srv, struct match *match) MUST_CHECK;

/*
 * Seat `gone` has just lost its player: their votes are dropped, and what the others have voted for
 * passes if it is enough now. `d` is the mail by which it was lost, `seat` its writer's own, NULL if
 * they have none; the game may have ended then.
 */
enum err votes_without(struct request *req, struct match *match, struct seat *seat,
                       unsigned gone) MUST_CHECK;

#endif
