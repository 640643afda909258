/*
 * crowd.h - a server with thousands of games, and the mails of their players: for benches and
 * counts.
 *
 * The rows of players, games, seats and sealed set-ups are written directly; from there on
 * the program itself does everything (`molepost run --no-send`). Each game is Whakka Mole for
 * three, its people are <word><game>-<seat>@example.net, its turn 1 is open for days.
 */
#ifndef MOLEPOST_TESTS_CROWD_H
#define MOLEPOST_TESTS_CROWD_H

#include "tests/support/programs.h"
#include "tests/support/testbed.h"

/* Adds n games to a fresh testbed; afterwards each waits for the orders of turn 1. */
void crowd_games(struct testbed *s, unsigned n);

/*
 * Drops n mails with orders into mail/new, replies to the reports written by `add`, all with
 * the report quoted. They come from seats 1 and 2 of the first `games` games in no order; the
 * third seats keep silent, so that no turn becomes due. When there are more mails than seats,
 * people change their minds.
 */
void crowd_mails(struct testbed *s, unsigned games, unsigned n, programs_add_fn *add);

/* Stores orders for every seat of the first `games` games directly: all their turns are due. */
void crowd_orders(struct testbed *s, unsigned games);
/* The same for so many games, of which each is `step` behind the one before. */
void crowd_orders_apart(struct testbed *s, unsigned games, unsigned step);

/* Adds n players with a report of 3,000 bytes in the outbox for each. */
void crowd_reports(struct testbed *s, unsigned n);

/* `molepost run --no-send`, which must end with 0 and say nothing. */
void crowd_run(struct testbed *s);

/* Opens the testbed's database with SQLite alone and returns the first number that `sql` gives. */
int64_t crowd_number(const struct testbed *s, const char *sql);
/* Mails that have not left and stand in no other. */
int64_t crowd_unsent(const struct testbed *s);
/* Any SQL. */
void crowd_sql(const struct testbed *s, const char *sql);

#endif
