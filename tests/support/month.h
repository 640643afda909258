/*
 * month.h - weeks in the life of a server, with players who read their mail once a day: how
 * many mails each gets, by SET MAIL, and who misses turns.
 *
 * A testbed of its own (testbed.h) is run every hour of a clock that jumps. Each player sits in
 * three games of Whakka Mole for three, reads his mail at an hour of his own and answers what
 * asks him for orders: each mail by itself, a digest with all orders in its form. Now and then
 * he writes to the others, or sends a line that is refused. A third of the players each has SET
 * MAIL ALL, ROUND and DIGEST; the tempers are spread evenly over the three.
 */
#ifndef MOLEPOST_TESTS_MONTH_H
#define MOLEPOST_TESTS_MONTH_H

#include "tests/support/testbed.h"

enum { MONTH_MODES = 3 };

struct month_plan {
	unsigned players;
	unsigned days;
	unsigned step_hours; /* between runs */
	bool all_daily;      /* everybody reads every day; else a third forgets or goes away */
	/* Is shown every mail, when set. */
	void (*each)(void *ctx, const struct post *p);
	void *ctx;
};

struct month_count {
	unsigned players;
	unsigned mails, most, least; /* all mails, of one player at most, at least */
	unsigned reminders;          /* mails that are reminders or digests with one in them */
	unsigned missed_daily;       /* turns missed by those who read every day */
	unsigned missed_others;
};

/* Plays; counts[mode] in the order ALL, ROUND, DIGEST. *turns: reported in that time. */
void month_play(const struct month_plan *plan, struct month_count counts[MONTH_MODES],
                unsigned *turns);

#endif
