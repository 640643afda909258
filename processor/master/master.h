/*
 * master.h - what the master of a game, or a vote of its players, may change.
 */
#ifndef MOLEPOST_PROCESSOR_MASTER_MASTER_H
#define MOLEPOST_PROCESSOR_MASTER_MASTER_H

#include "processor/request/master.h"

/* The commands themselves; rows in intake/dispatch.c. */
enum err do_master(struct request *req, const struct command *item) MUST_CHECK;
enum err do_vote(struct request *req, const struct command *item) MUST_CHECK;

/* Each with the game and the right to give it found out. */
enum err master_set_deadline(struct master_request *m) MUST_CHECK;
enum err master_set_grace(struct master_request *m) MUST_CHECK;
enum err master_set_start(struct master_request *m) MUST_CHECK;
enum err master_pause(struct master_request *m) MUST_CHECK;
enum err master_resume(struct master_request *m) MUST_CHECK;
enum err master_process(struct master_request *m) MUST_CHECK;
enum err master_rollback(struct master_request *m) MUST_CHECK;
enum err master_eject(struct master_request *m) MUST_CHECK;
enum err master_promote(struct master_request *m) MUST_CHECK;
enum err master_become(struct master_request *m) MUST_CHECK;
enum err master_terminate(struct master_request *m) MUST_CHECK;
enum err master_force_begin(struct master_request *m) MUST_CHECK;
enum err master_official(struct master_request *m) MUST_CHECK;

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
