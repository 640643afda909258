/*
 * test_year.c - a year of a server (tests/support/year.h).
 *
 * YEAR_GAMES=800 YEAR_PLAYERS=120 YEAR_DAYS=365 SEED=1 choose another one. As it stands it is
 * meant for less than two minutes of two processors that have nothing else to do. YEAR_HABITS=2
 * leaves out nudges, more time, invitations by mail and thanks. YEAR_FOLDER=path keeps the server
 * of the last day there.
 *
 * On PostgreSQL two machines start each run together; on-postgresql.sh has this program play a small one there.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "processor/base/env.h"
#include "processor/base/num.h"
#include "tests/support/postgresql.h"
#include "tests/support/year.h"

static unsigned chosen(const char *name, unsigned usual)
{
	const char *text = env_get(name);
	unsigned n = usual;

	if (text)
		cr_assert(num_parse_uint(span_of(text), 1, 1000000, &n), "%s=%s", name, text);
	return n;
}

Test(year, nobody_is_wronged_and_no_game_is_stuck, .timeout = 2400)
{
	struct year_size size = {.games = chosen("YEAR_GAMES", 800),
	                         .players = chosen("YEAR_PLAYERS", 120),
	                         .days = chosen("YEAR_DAYS", 365),
	                         .machines = on_postgresql() ? 2 : 1,
	                         .seed = chosen("SEED", 1),
	                         .habits = chosen("YEAR_HABITS", 1) != 2,
	                         .out = stdout,
	                         .folder = env_get("YEAR_FOLDER")};
	struct year_result r;

	year_play(&size, &r);
	cr_expect_eq(r.problem.len, 0, "seed %llu:\n%s", (unsigned long long)size.seed,
	             r.problem.ptr);
	cr_expect_eq(r.games, size.games);
	/* What was to happen did. */
	cr_expect(size.days < 110 || r.credited > 0);
	cr_expect(size.games < 200 ||
	          (r.takeovers > 0 && r.rollbacks > 0 && r.ended > size.games * 95 / 100));
	cr_expect_lt(r.not_understood * 50, r.mails_in);
	cr_expect_lt(r.helped.missed * r.bare.owed, r.bare.missed * r.helped.owed);
	year_release(&r);
}
