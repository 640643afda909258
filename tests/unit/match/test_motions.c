/*
 * test_motions.c - when what is asked of the table has passed, and when it cannot pass any more.
 */
#include <criterion/criterion.h>

#include "processor/match/votes.h"

enum { SEATS = 4 };

/* Seats 1 to 4, of the players 11 to 14; 11 is the master. */
static struct seat seats[SEATS];

static struct match match_of(uint32_t owes, uint32_t have)
{
	for (unsigned i = 0; i < SEATS; i++)
		seats[i] = (struct seat){.seat = i + 1, .player = 11 + i};
	return (struct match){.seats = seats,
	                      .nseats = SEATS,
	                      .game = {.master = 11},
	                      .has_turn = true,
	                      .turn = {.owes = owes, .have = have}};
}

/* "y-n-": by seat; '-': no answer. */
static struct ballot answers(const char *said)
{
	struct ballot b = {.voters = {15}};

	for (unsigned seat = 1; seat <= SEATS; seat++)
		if (said[seat - 1] != '-')
			ballot_of_seat(&b, seat)->of[VOTE_MOTION] =
			    (struct vote){.stands = said[seat - 1] == 'y', .was_seen = true};
	return b;
}

static char comes_to(const struct match *match, const struct motion *motion, const char *said)
{
	struct ballot b = answers(said);
	struct vote_count t = motion_count(match, &b, motion);

	cr_expect(!t.passed || !t.failed, "%s", said);
	return t.passed ? 'y' : t.failed ? 'n' : '-';
}

Test(motions, of_the_master_need_more_than_half_of_the_others)
{
	struct match m = match_of(15, 0);
	const struct motion all = {.serial = 1}, about_two = {.serial = 1, .seat = 2};

	cr_expect_eq(comes_to(&m, &all, "----"), '-');
	cr_expect_eq(comes_to(&m, &all, "yy--"), '-', "the master's own does not count");
	cr_expect_eq(comes_to(&m, &all, "-yy-"), 'y');
	cr_expect_eq(comes_to(&m, &all, "-yn-"), '-');
	cr_expect_eq(comes_to(&m, &all, "-nn-"), 'n');
	cr_expect_eq(comes_to(&m, &about_two, "-y-y"), '-', "whom it is about has no vote");
	cr_expect_eq(comes_to(&m, &about_two, "--yy"), 'y');
	cr_expect_eq(comes_to(&m, &about_two, "--n-"), 'n', "two of two are needed");
}

Test(motions, for_more_time_need_all_others_who_are_awaited_or_the_master)
{
	struct match all = match_of(15, 0), two = match_of(15, 9), one = match_of(15, 13);
	const struct motion m = {.serial = 1, .asker = 2};

	cr_expect_eq(comes_to(&all, &m, "--yy"), 'y', "without the master, who may be silent");
	cr_expect_eq(comes_to(&all, &m, "y---"), 'y');
	cr_expect_eq(comes_to(&all, &m, "--yn"), '-', "the master may still say yes");
	cr_expect_eq(comes_to(&all, &m, "n-yn"), 'n');
	cr_expect_eq(comes_to(&all, &m, "-y--"), '-', "one's own does not count");
	cr_expect_eq(comes_to(&two, &m, "--y-"), 'y');
	cr_expect_eq(comes_to(&two, &m, "---y"), '-', "nobody waits for seat 4");
	cr_expect_eq(comes_to(&one, &m, "---y"), 'y',
	             "any of them, where nobody else is awaited");
	cr_expect_eq(comes_to(&one, &m, "--n-"), '-');
	cr_expect_eq(comes_to(&one, &m, "n-nn"), 'n');
}

Test(motions, for_more_time_need_those_who_are_awaited_where_no_master_plays)
{
	struct match m = match_of(15, 0);
	const struct motion ask = {.serial = 1, .asker = 1};

	m.game.master = 0;
	cr_expect_eq(comes_to(&m, &ask, "-yyy"), 'y');
	cr_expect_eq(comes_to(&m, &ask, "-yy-"), '-');
	cr_expect_eq(comes_to(&m, &ask, "-y-n"), 'n');
}
