/*
 * tell_table.h - what somebody's mail has changed for a whole table: one mail to each who sits there.
 *
 * Part of the transaction that takes the mail in. Everybody reads times by their own clocks.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_TELL_TABLE_H
#define MOLEPOST_PROCESSOR_REQUEST_TELL_TABLE_H

#include "processor/request/request.h"

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
	const char *const *answers;
	size_t nanswers;
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
