/*
 * test_contract.c - what rules.h promises, for every game in the registry.
 *
 * GAMES_PER_KIND games of each kind, with each number of players as many (default 30);
 * GAMES=kind,kind chooses kinds, PLAYERS=n one number of players, SEED=n one game.
 */
#include <criterion/criterion.h>

#include "processor/base/env.h"
#include "processor/bots/bots.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

static void play_one(const struct rules *r, unsigned nseats, uint64_t seed)
{
	struct play p;

	play_start(&p, r, nseats, seed);
	while (play_goes_on(&p))
		play_turn(&p);
	play_check_end(&p);
	cr_assert_eq(p.problem.len, 0, "%s", p.problem.ptr);
	play_release(&p);
}

static void play_many(const struct rules *r)
{
	unsigned numbers = env_get("PLAYERS") ? 1 : r->max_seats - r->min_seats + 1,
		 games = (chosen_number("GAMES_PER_KIND", 30) + numbers - 1) / numbers;
	const char *seed = env_get("SEED");

	for (unsigned nseats = r->min_seats; nseats <= r->max_seats; nseats++) {
		if (!chosen_players(nseats))
			continue;
		if (seed)
			play_one(r, nseats, chosen_number("SEED", 0));
		for (unsigned i = 1; !seed && i <= games; i++)
			play_one(r, nseats, i);
	}
}

Test(contract, every_game_keeps_its_promises_in_random_play)
{
	unsigned kinds = 0;

	seal_start();
	for (size_t i = 0; i < rules_count(); i++) {
		if (!chosen_kind(rules_at(i)))
			continue;
		play_many(rules_at(i));
		kinds++;
	}
	cr_assert_gt(kinds, 0, "GAMES names no game");
}

/* Plays two games turn by turn in turns, then each alone: hidden globals would show. */
static void play_interleaved(const struct rules *a, const struct rules *b, uint64_t seed)
{
	struct play both[2], alone;

	play_start(&both[0], a, a->min_seats, seed);
	play_start(&both[1], b, b->max_seats, seed + 1);
	while (play_goes_on(&both[0]) || play_goes_on(&both[1]))
		for (int i = 0; i < 2; i++)
			if (play_goes_on(&both[i]))
				play_turn(&both[i]);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(both[i].problem.len, 0, "%s", both[i].problem.ptr);
		play_start(&alone, both[i].rules, both[i].nseats, both[i].seed);
		while (play_goes_on(&alone))
			play_turn(&alone);
		cr_assert_str_eq(alone.text.ptr, both[i].text.ptr);
		cr_assert_str_eq(alone.record.ptr, both[i].record.ptr);
		play_release(&alone);
	}
	play_release(&both[0]);
	play_release(&both[1]);
}

Test(contract, two_games_in_one_process_do_not_disturb_each_other)
{
	seal_start();
	for (size_t i = 0; i < rules_count(); i++)
		for (size_t j = chosen_long() ? 0 : i; j < rules_count(); j++)
			if (chosen_kind(rules_at(i)))
				play_interleaved(rules_at(i), rules_at(j), 1);
}

Test(contract, every_game_fills_in_its_table)
{
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *r = rules_at(i);

		if (!chosen_kind(r))
			continue;
		cr_assert(r->name && r->title && r->version);
		cr_assert(r->min_seats >= 1 && r->usual_seats >= r->min_seats);
		cr_assert(r->max_seats >= r->usual_seats && r->max_seats <= MAX_SEATS);
		cr_assert(r->max_phases && r->new_game && r->free_state && r->encode &&
		          r->decode);
		cr_assert(r->phase && r->label && r->nseats && r->seat_name && r->owes);
		cr_assert(r->read_orders && r->loose && r->default_orders && r->sample_orders &&
		          r->efforts && r->estimate && r->resample);
		cr_assert(r->resolve && r->view && r->guide && r->basics && r->result);
		cr_assert_eq(rules_find_version(span_of(r->name), r->version), r);
		cr_assert_str_eq(rules_by_letter(r->letter)->name, r->name);
	}
}

/* Records name the version of the bots that played; each goes on playing as it did. */
Test(contract, every_version_of_the_bots_is_there)
{
	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *r = rules_at(i);

		for (unsigned version = 1; version < r->bots_version; version++)
			cr_expect(r->older_bots[version - 1], "%s %u", r->name, version);
		cr_expect(bots_known(r, r->bots_version) && bots_known(r, 1));
		cr_expect(!bots_known(r, 0) && !bots_known(r, r->bots_version + 1));
	}
}

Test(contract, every_option_default_is_a_legal_value)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < rules_count(); i++) {
		struct strbuf text = STRBUF_INIT;
		struct strbuf why = STRBUF_INIT;
		struct options o, again;

		options_init(&o, rules_at(i));
		options_format(&o, OPTIONS_ALL, &text);
		options_init(&again, rules_at(i));
		cr_assert(options_parse(&again, strbuf_span(&text), arena, &why), "%s",
		          why.ptr);
		strbuf_clear(&text);
		options_format(&again, OPTIONS_CHANGED, &text);
		cr_assert_str_empty(text.ptr);
		strbuf_release(&text);
		strbuf_release(&why);
	}
	arena_free(arena);
}

Test(contract, junk_is_no_state_of_any_game)
{
	static const char *const junk[] = {"",
	                                   "\n",
	                                   "x",
	                                   ":\n",
	                                   "whakka-mole: 1\n",
	                                   "seats: 3\n",
	                                   "\xff\xfe\n",
	                                   "whakka-mole: 1\noptions: \nseats: 2\n"};

	for (size_t i = 0; i < rules_count(); i++) {
		for (size_t j = 0; j < sizeof junk / sizeof *junk; j++) {
			struct strbuf why = STRBUF_INIT;
			struct game_state *s = NULL;

			cr_assert_not(rules_at(i)->decode(span_of(junk[j]), &s, &why));
			cr_assert_gt(why.len, 0);
			strbuf_release(&why);
		}
		{
			struct strbuf why = STRBUF_INIT;
			struct game_state *s = NULL;

			cr_assert_not(rules_at(i)->decode(SPAN_EMPTY, &s, &why));
			strbuf_release(&why);
		}
	}
}
