/*
 * chosen.c - which games a test plays.
 */
#include "tests/support/chosen.h"

#include "processor/base/env.h"
#include "processor/base/err.h"
#include "processor/base/num.h"

unsigned chosen_number(const char *variable, unsigned otherwise)
{
	const char *text = env_get(variable);
	unsigned n = otherwise;

	if (text && !num_parse_uint(span_of(text), 0, 1000000, &n))
		BUG("%s is no number", variable);
	return n;
}

bool chosen_kind(const struct rules *r)
{
	const char *text = env_get("GAMES");
	struct span rest = span_of(text ? text : ""), kind;

	if (rest.len == 0)
		return true;
	while (span_next_field(&rest, ',', &kind))
		if (rules_find(span_trim(kind)) == r)
			return true;
	return false;
}

bool chosen_players(unsigned nseats)
{
	unsigned only = chosen_number("PLAYERS", 0);

	return only == 0 || only == nseats;
}

bool chosen_long(void)
{
	return chosen_number("GAMES_PER_KIND", 30) >= CHOSEN_LONG;
}
