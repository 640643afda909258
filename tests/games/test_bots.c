/*
 * test_bots.c - what bots of each level and version choose: records of their games must verify for ever.
 *
 * bots/KIND.txt has that for the positions of a random game of each kind, a line for each bot: "phase seat
 * version.level orders". UPDATE=1 writes it; a line that changes without a new version breaks what was promised.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "processor/base/chance.h"
#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/seal.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

enum { LARGEST = 1 << 20, SEED = 11, TURNS = 8 };

static void add_choice(const struct play *p, unsigned seat, unsigned version, unsigned level,
                       struct strbuf *out)
{
	static const struct tables no_tables = {NULL, 0};
	const struct hash key = hash_of(span_of("bot"));
	struct chance *chance = chance_from_seed(SEED, "bot");
	struct strbuf orders = STRBUF_INIT;

	if (version < p->rules->bots_version)
		p->rules->older_bots[version - 1](p->now, seat, level, &no_tables, chance,
		                                  &orders);
	else
		bot_orders(p->rules, version, p->now, seat, level, &no_tables, &key, &orders,
		           NULL);
	strbuf_addf(out, "%u %u %u.%u %s\n", p->rules->phase(p->now), seat, version, level,
	            orders.ptr);
	strbuf_release(&orders);
	chance_free(chance);
}

static void add_position(const struct play *p, struct strbuf *out)
{
	struct seat_set owing = p->rules->owes(p->now);

	for (unsigned seat = 1; seat <= p->nseats; seat++)
		for (unsigned version = 1;
		     seat_in(owing, seat) && version <= p->rules->bots_version; version++)
			for (unsigned level = 0;
			     level <= (version < p->rules->bots_version ? SAMPLE_LEVEL_BEST
			                                                : BOT_LEVEL_BEST);
			     level++)
				add_choice(p, seat, version, level, out);
}

static void check_kind(const struct rules *rules)
{
	struct strbuf path = STRBUF_INIT, text = STRBUF_INIT, out = STRBUF_INIT;
	struct failure f = ERR_INIT;
	struct play p;

	if (!chosen_kind(rules))
		return;
	cr_assert(play_start(&p, rules, rules->usual_seats, SEED), "%s", p.problem.ptr);
	p.resignations = false;
	for (int turn = 0; turn < TURNS && play_goes_on(&p); turn++) {
		add_position(&p, &out);
		cr_assert(play_turn(&p), "%s", p.problem.ptr);
	}
	strbuf_addf(&path, "tests/games/bots/%s.txt", rules->name);
	if (env_get("UPDATE")) {
		FILE *file = fopen(path.ptr, "w");

		cr_assert(file && fwrite(out.ptr, 1, out.len, file) == out.len &&
		          fclose(file) == 0);
	} else {
		cr_assert_eq(file_read(path.ptr, LARGEST, &text, &f), ERR_NONE, "%s",
		             f.text.ptr);
		cr_expect(span_eq(strbuf_span(&out), strbuf_span(&text)),
		          "%s is now (UPDATE=1 writes it):\n%s", path.ptr, out.ptr);
	}
	cr_expect_gt(out.len, 0);
	play_release(&p);
	strbuf_release(&path);
	strbuf_release(&text);
	strbuf_release(&out);
}

Test(bots, whakka_mole)
{
	check_kind(&whakka_mole_1);
}
Test(bots, mole_park)
{
	check_kind(&mole_park_1);
}
Test(bots, martian_boggle)
{
	check_kind(&martian_boggle_1);
}
Test(bots, mole)
{
	check_kind(&mole_1);
}
Test(bots, mole_majority)
{
	check_kind(&mole_majority_1);
}
