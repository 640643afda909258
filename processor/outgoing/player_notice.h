/*
 * player_notice.h - a few sentences about a game to somebody who has not written just now.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_PLAYER_NOTICE_H
#define MOLEPOST_PROCESSOR_OUTGOING_PLAYER_NOTICE_H

#include "processor/match/match.h"

struct player_notice {
	const char *kind, *key; /* as in outgoing.h; kind NULL: "news" */
	const char *subject;
	const char *text;         /* a paragraph */
	const char *asks;         /* one more; NULL = none */
	const char *const *lines; /* that they may reply with; NULL ends them */
	int64_t
	    at_utc; /* what "{when}" in `text` stands for, by the reader's clocks; 0 = none */
	bool clock; /* who is awaited until when goes with it */
	unsigned moved_from; /* as in outgoing.h */
};

/* From `seat`, which is theirs, or from none: NULL. Nothing goes to who is forgotten. */
enum err player_notice_add(struct server *srv, struct match *match, struct seat *seat,
                           int64_t player, const struct player_notice *n,
                           struct arena *arena) MUST_CHECK;

/* `text` with the moment instead of its "{when}"; as it is where at_utc is 0. */
const char *text_with_moment(const char *text, int64_t at_utc, const struct zone *zone,
                             struct arena *arena);

#endif
