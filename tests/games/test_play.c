/*
 * test_play.c - the harness itself: a game that breaks a promise is found out.
 *
 * Each test takes the null game, spoils one member, and expects random play to
 * end with a sentence about it.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/games/registry.h"
#include "tests/support/play.h"

enum { GAMES = 20 };

/* Plays until a promise is found broken, and expects these words in what is said of it. */
static void expect_found(const struct rules *broken, const char *words)
{
	bool found = false;

	seal_start();
	for (uint64_t seed = 1; seed <= GAMES && !found; seed++) {
		struct play p;

		play_start(&p, broken, 3, seed);
		while (play_goes_on(&p))
			play_turn(&p);
		play_check_end(&p);
		found = p.problem.len > 0;
		if (found)
			cr_expect(strstr(p.problem.ptr, words), "%s", p.problem.ptr);
		play_release(&p);
	}
	cr_assert(found, "%d games, and nothing was found wrong", GAMES);
}

static void leaking_view(const struct game_state *s, unsigned viewer, struct doc *out)
{
	struct strbuf all = STRBUF_INIT;

	skeleton_1.view(s, viewer, out);
	skeleton_1.encode(s, &all);
	doc_paragraph(out, "%s", all.ptr);
	strbuf_release(&all);
}

Test(play, finds_a_view_that_shows_too_much)
{
	struct rules broken = skeleton_1;

	broken.view = leaking_view;
	expect_found(&broken, "sees what it may not know");
}

static bool leaking_orders(const struct game_state *s, unsigned seat, struct span before,
                           const struct tables *tables, struct span text,
                           struct strbuf *canonical, struct diags *diags)
{
	struct strbuf all = STRBUF_INIT;
	bool ok = skeleton_1.read_orders(s, seat, before, tables, text, canonical, diags);

	skeleton_1.encode(s, &all);
	if (!ok)
		diags_add(diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "Not in %s", all.ptr);
	strbuf_release(&all);
	return ok;
}

Test(play, finds_a_diagnostic_that_says_too_much)
{
	struct rules broken = skeleton_1;

	broken.read_orders = leaking_orders;
	expect_found(&broken, "sees what it may not know");
}

static void leaking_result(const struct game_state *s, struct game_result *out)
{
	struct strbuf all = STRBUF_INIT;

	skeleton_1.result(s, out);
	skeleton_1.encode(s, &all);
	out->scores[1] = hash_of(strbuf_span(&all)).bytes[0];
	strbuf_release(&all);
}

Test(play, finds_a_score_that_counts_hidden_points)
{
	struct rules broken = skeleton_1;

	broken.result = leaking_result;
	expect_found(&broken, "sees what it may not know");
}

Test(play, finds_secrets_in_a_game_that_says_it_has_none)
{
	struct rules broken = skeleton_1;

	broken.facts = FACT_SIMULTANEOUS;
	expect_found(&broken, "without secrets");
}

static bool lax_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	struct span line = text;
	struct strbuf trimmed = STRBUF_INIT;
	bool ok;

	line = span_trim(line);
	strbuf_add_span(&trimmed, line);
	strbuf_addc(&trimmed, '\n');
	ok = skeleton_1.decode(strbuf_span(&trimmed), out, why);
	strbuf_release(&trimmed);
	return ok;
}

Test(play, finds_a_decode_that_takes_two_texts_for_one_state)
{
	struct rules broken = skeleton_1;

	broken.decode = lax_decode;
	expect_found(&broken, "decodes to other bytes");
}

static unsigned standing_phase(const struct game_state *s)
{
	(void)s;
	return 1;
}

Test(play, finds_a_phase_that_does_not_grow)
{
	struct rules broken = skeleton_1;

	broken.phase = standing_phase;
	expect_found(&broken, "did not grow");
}

static unsigned one_phase(const struct options *o)
{
	(void)o;
	return 1;
}

Test(play, finds_a_game_that_outlasts_its_promise)
{
	struct rules broken = skeleton_1;

	broken.max_phases = one_phase;
	expect_found(&broken, "past the promised");
}

static void wordy_default(const struct game_state *s, unsigned seat, struct strbuf *canonical)
{
	(void)s;
	(void)seat;
	strbuf_adds(canonical, "CALL none");
}

Test(play, finds_default_orders_that_are_not_canonical)
{
	struct rules broken = skeleton_1;

	broken.default_orders = wordy_default;
	expect_found(&broken, "is read as");
}

static bool no_resigning(const struct game_state *s, unsigned seat, struct span before,
                         const struct tables *tables, struct span text,
                         struct strbuf *canonical, struct diags *diags)
{
	return !span_eq_str(text, ORDER_RESIGN_TEXT) &&
	       skeleton_1.read_orders(s, seat, before, tables, text, canonical, diags);
}

Test(play, finds_a_game_that_nobody_may_leave)
{
	struct rules broken = skeleton_1;

	broken.read_orders = no_resigning;
	expect_found(&broken, "resignation");
}

/* Draws once more every second time: what a hidden global would do. */
static bool moody_resolve(const struct game_state *now, const struct seat_orders *orders,
                          struct chance *chance, struct game_state **next, struct strbuf *why)
{
	static unsigned calls;

	if (calls++ % 2)
		chance_pick(chance, 6, "mood");
	return skeleton_1.resolve(now, orders, chance, next, why);
}

Test(play, finds_a_resolve_that_remembers)
{
	struct rules broken = skeleton_1;

	broken.resolve = moody_resolve;
	expect_found(&broken, "resolves in two ways");
}
