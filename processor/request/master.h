/*
 * master.h - who is the master of a game, and what all of their commands have in common.
 *
 * A game has at most one master: who created it, unless the configuration says otherwise, later
 * whoever was promoted; and the co-masters they have named among the players, who can do nearly the
 * same. They may have a seat of their own; whatever they do says so. As master they are told no more
 * than everybody may know. Every command of theirs is an entry of the public log, which the next
 * report and the record show, and a mail to everybody at the table.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_MASTER_H
#define MOLEPOST_PROCESSOR_REQUEST_MASTER_H

#include "processor/request/request.h"
#include "store/votes.h"

struct master_request {
	struct request *req;
	const struct command *item;
	struct match *match;
	struct seat *seat;  /* the master's own, NULL = none */
	struct seat *named; /* whom EJECT, PROMOTE, DEMOTE, BECOME name; NULL for the others */
	/* What the others have agreed to, and who; then req is the mail with the last vote, and seat
	   its writer's. NULL: the master says it. */
	const struct motion *agreed;
	struct seat_set by;
};

/* The game that has not ended of which the speaker is master or co-master; 0: there is none, or several. */
enum err master_only_game(struct request *req, int64_t *game) MUST_CHECK;
/* What a command of the master needs; 0: it is none of theirs. */
enum master_needs {
	NEEDS_TURN = 1,    /* the game has begun and its turn is open */
	NEEDS_WRITING = 2, /* everybody hears of it: not too often */
	NEEDS_SEAT = 4,    /* it names one */
	NEEDS_TIME = 8,    /* the end of the open turn has not come */
	NEEDS_RIGHT = 16   /* nothing but that they may */
};
unsigned master_needs(enum verb verb);
/*
 * Whether the item is a command to a game, `about` or the only one there is, of which the
 * speaker is the master: somebody who may only seem to be them must be asked before it is done.
 */
enum err master_is_meant(struct request *req, const struct command *item, int64_t about,
                         bool *yes) MUST_CHECK;

/* Whether it is a player who is no master that asks the others, as in the motion, if there is one. */
bool master_is_a_player(const struct master_request *m);
/* One entry of the public log. */
enum err master_log(struct master_request *m, unsigned seat, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/*
 * What cannot be taken back is done only after a yes of the master: *go, else they have been asked
 * (or told why not). `line` is the command without its game, `effect` a sentence or two on what
 * it does.
 */
enum err master_sure(struct master_request *m, const char *line, const char *effect,
                     bool *go) MUST_CHECK;
/* Whether everybody may be written to once more today; else the master has been told. */
enum err master_may_write(struct master_request *m, bool *yes) MUST_CHECK;
/* The answer why something was not done. */
enum err master_refuse(struct master_request *m, const char *example, const char *fmt, ...)
    __attribute__((format(printf, 3, 4))) MUST_CHECK;

/*
 * The seat an item names; NULL if there is none such: the speaker, on seat `own`, has been
 * told.
 */
enum err seat_named(struct request *req, struct match *match, struct seat *own,
                    const struct command *item, struct seat **seat) MUST_CHECK;

/*
 * What somebody's mail has changed for a whole table: one mail to each who sits there.
 *
 * Part of the transaction that takes the mail in. Everybody reads times by their own clocks.
 */

struct table_news {
	const char *subject;
	const char *done;  /* to who has written: "The game is paused." */
	const char *heard; /* to all others; NULL = they hear nothing */
	/* One seat may hear it otherwise; NULL: none does. */
	const struct seat *other;
	const char *heard_by_other;
	const char *example; /* for who has written, "" = none */
	/* Of these seats something is asked: a paragraph more, and lines they may reply with. */
	struct seat_set asked;
	const char *asks;
	const char *const *answers; /* NULL ends them */
	const char *kind;           /* of the mails to them, as in outbox.h; NULL: "news" */
	bool players_only;          /* a master without a seat hears nothing */
	bool clock;                 /* who is awaited until when goes with it */
	const unsigned *moved_from; /* as in outgoing.h, of each seat; NULL = none has */
	int64_t
	    at_utc; /* what "{when}" in the texts stands for, by each reader's clocks; 0 = none */
};
/*
 * Tells who has written, from `seat` or from none, and everybody else at the table; not those
 * who have left.
 */
enum err tell_table(struct request *req, struct match *match, struct seat *seat,
                    const struct table_news *n) MUST_CHECK;
/* The same without an answer to who has written. */
enum err tell_others(struct request *req, struct match *match, const struct seat *seat,
                     const struct table_news *n) MUST_CHECK;
/* One mail of this kind to a player, about the game and from no seat of it. */
enum err tell_one_player(struct request *req, struct match *match, int64_t player,
                         const char *subject, const char *text) MUST_CHECK;

#endif
