/*
 * master.h - who is the master of a game, and what all of his commands have in common.
 *
 * A game has at most one master: who created it, unless the configuration says otherwise, later
 * whoever was promoted. He may have a seat of his own; whatever he does says so. As master he
 * is told no more than everybody may know. Every command of his is an entry of the public log,
 * which the next report and the record show, and a mail to everybody at the table.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_MASTER_H
#define MOLEPOST_PROCESSOR_REQUEST_MASTER_H

#include "processor/match/lineage.h"
#include "processor/request/request.h"
#include "processor/request/tell_table.h"

enum { MASTER_NEWS_A_DAY = 20 }; /* commands that write to everybody, per game */

struct mastering {
	struct dealing *d;
	const struct letter_item *item;
	struct hand hand;
	struct seat *seat;  /* the master's own, NULL = none */
	struct seat *named; /* whom EJECT, PROMOTE, BECOME name; NULL for the others */
};

/*
 * "Ann, who plays too", "somebody who does not play"; NULL: there is no master.
 * In the hand's arena.
 */
const char *master_words(const struct hand *h);
/* The seat he plays; NULL: none. */
const struct seat *master_seat(const struct hand *h);
/* Whether it is a command to a game that its master gives. */
bool master_commands(enum letter_verb verb);
/*
 * Whether the item is a command to a game, `about` or the only one there is, of which the
 * speaker is the master: somebody who may only seem to be him must be asked before it is done.
 */
enum err master_is_meant(struct dealing *d, const struct letter_item *item, int64_t about,
                         bool *yes) MUST_CHECK;

/* One entry of the public log. */
enum err master_log(struct mastering *m, unsigned seat, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/*
 * What cannot be taken back is done only after a yes of the master: *go, else he has been asked
 * (or told why not). `line` is the command without its game, `effect` a sentence or two on what
 * it does.
 */
enum err master_sure(struct mastering *m, const char *line, const char *effect,
                     bool *go) MUST_CHECK;
/* Whether everybody may be written to once more today; else the master has been told. */
enum err master_may_write(struct mastering *m, bool *yes) MUST_CHECK;
/* The answer why something was not done. */
enum err master_refuse(struct mastering *m, const char *example, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/* The commands, each with the game and the right to give it found out. */
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
/*
 * The seat an item names; NULL if there is none such: the speaker, on seat `own`, has been
 * told.
 */
enum err seat_named(struct dealing *d, struct hand *h, struct seat *own,
                    const struct letter_item *item, struct seat **seat) MUST_CHECK;

#endif
