/*
 * server_counts.h - how the whole server stands, in numbers, for who watches it.
 */
#ifndef MOLEPOST_STORE_OPERATOR_SERVER_COUNTS_H
#define MOLEPOST_STORE_OPERATOR_SERVER_COUNTS_H

#include "store/engine/store.h"

/* Times are in UTC seconds, 0 = there is none. */
struct server_counts {
	int64_t run_utc;    /* the last run of which there is a note */
	int64_t unread_utc; /* since when mail cannot be read ... */
	int64_t unsent_utc; /* ... or sent; no deadline is acted on meanwhile */
	int64_t unsent, oldest_unsent_utc;
	int64_t refused; /* attempts to send that failed, in the last day */
	int64_t given_up, set_aside;
	int64_t gathering, running, paused, held,
	    ended;   /* games; held ones are counted there only */
	int64_t due; /* turns whose deadline has passed, of games that are running */
};

enum err server_counts_get(struct store *s, int64_t now_utc,
                           struct server_counts *out) MUST_CHECK;

#endif
