/*
 * master.h - the commands of masters, and stopping the clocks.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_MASTER_H
#define MOLEPOST_PROCESSOR_COMMANDS_MASTER_H

#include "processor/request/master.h"

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

#endif
