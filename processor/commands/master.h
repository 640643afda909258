/*
 * master.h - the commands of masters, and stopping the clocks.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_MASTER_H
#define MOLEPOST_PROCESSOR_COMMANDS_MASTER_H

#include "processor/request/master.h"

/* Each with the game and the right to give it found out. */
enum err master_set_deadline(struct mastering *m) MUST_CHECK;
enum err master_set_grace(struct mastering *m) MUST_CHECK;
enum err master_set_start(struct mastering *m) MUST_CHECK;
enum err master_pause(struct mastering *m) MUST_CHECK;
enum err master_resume(struct mastering *m) MUST_CHECK;
enum err master_process(struct mastering *m) MUST_CHECK;
enum err master_rollback(struct mastering *m) MUST_CHECK;
enum err master_eject(struct mastering *m) MUST_CHECK;
enum err master_promote(struct mastering *m) MUST_CHECK;
enum err master_become(struct mastering *m) MUST_CHECK;
enum err master_terminate(struct mastering *m) MUST_CHECK;
enum err master_force_begin(struct mastering *m) MUST_CHECK;
enum err master_official(struct mastering *m) MUST_CHECK;

/*
 * Stops the clocks, or lets them go on where they stopped. No mail, no entry: by the master or
 * by a vote. They stop when the mail arrived that stops them, however late it is dealt with; the turn
 * has not ended by then. Whoever lets them go on tells everybody the deadline at once.
 */
enum err game_pause(struct server *srv, struct hand *h, int64_t arrived_utc) MUST_CHECK;
enum err game_go_on(struct server *srv, struct hand *h) MUST_CHECK;

#endif
