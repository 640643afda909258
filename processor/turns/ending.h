/*
 * ending.h - what the last mail of a game tells besides a report: highlights, and what the game changes
 * in the reader's figures.
 */
#ifndef MOLEPOST_PROCESSOR_TURNS_ENDING_H
#define MOLEPOST_PROCESSOR_TURNS_ENDING_H

#include "processor/match/match_record.h"
#include "processor/replay/highlights.h"
#include "reports/report.h"
#include "store/ratings.h"

struct ending {
	struct standings standings;
	const char *highlights[HIGHLIGHTS];
	size_t nhighlights;
	unsigned
	    fork_turn; /* in the middle of it, with everybody still in the game; 0 = none */
};

/* From the whole record, its end included; in the match's arena. */
enum err ending_load(struct server *srv, struct match *match, const struct record *all,
                     struct ending *out) MUST_CHECK;
/* As this reader hears of it. */
enum err ending_told(struct server *srv, const struct match *match, const struct ending *e,
                     int64_t player, struct report_ending *out) MUST_CHECK;

#endif
