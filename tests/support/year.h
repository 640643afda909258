/*
 * year.h - a year of a server in a few minutes: a hundred players who write and answer as
 * people do, hundreds of games of all kinds, an outage, summer time, and what must hold every
 * day.
 *
 * Everything goes the way it goes in life. `molepost run` is started as a process several times
 * a day (the clock is a fake one), reads a Maildir through its parsing child and delivers into
 * another. The players know nothing but the mails they get: they answer to Reply-To with one of
 * the examples of the report, in the shapes of several mail programs; they open games, invite
 * others, ask for LIST, take over vacant seats, nudge each other, thank each other at the end.
 *
 *	punctual   answers within half of the turn
 *	late       answers around the deadline, often behind it
 *	forgetful  does not answer one report in three, but most reminders
 *	silent     one day stops answering in a game
 *	on holiday as punctual, but away for two weeks, several times
 *	bouncing   as punctual, but for some weeks his mail comes back
 *
 * Half of the games have all that helps against missed turns, half have nothing of it: the
 * shares of missed turns of both are the figures that come out.
 *
 * What is looked at:
 *	every day  all invariants between the rows (fsck), in a process beside the runs of the
 *	           next day; every week also those that go over the whole file
 *	every day  no game is stuck: no turn is left open a day behind its end, or left half-way
 *	every mail the secrecy property of year_secrets.c
 *	the end    `molepost fsck` as an operator runs it
 *
 * The same seed gives the same year. It lies in memory where there is a file system for that, some
 * 200 MB at the end. Nothing here uses Criterion.
 */
#ifndef MOLEPOST_TESTS_YEAR_H
#define MOLEPOST_TESTS_YEAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "processor/base/strbuf.h"

enum { YEAR_MOST_MACHINES = 4 };

struct year_size {
	unsigned games, players, days;
	unsigned machines; /* that start each run together; more than one only on PostgreSQL */
	uint64_t seed;
	bool
	    habits; /* nudges, more time, invitations by mail, thanks; in the helped half, but for the last */
	FILE *out; /* a line a month and a summary; NULL = nothing is printed */
	const char
	    *folder; /* where the database and its keys are put at the end; NULL = nowhere */
};

/* With and without what helps. */
struct year_share {
	int64_t owed, missed, late;
	int64_t first_owed, first_missed; /* of these, in the first turn of a game */
};

struct year_result {
	unsigned games, ended;
	unsigned mails_in, mails_out, runs, takeovers, rollbacks;
	unsigned credited;       /* clocks that got the time of the outage back */
	unsigned not_understood; /* answers that the server did not take as they were meant */
	struct year_share helped, bare;
	struct strbuf problem; /* "" while all holds; else the first few things that did not */
};

void year_play(const struct year_size *size, struct year_result *out);
void year_release(struct year_result *r);

#endif
