/*
 * test_search.c - orders found by playing on: two tiny games for what must come out, the real ones for what must
 * never.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/seal.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"
#include "tests/support/play.h"

/* --- a game of one turn ------------------------------------------------ */

struct game_state {
	unsigned winner; /* 0: nobody has ordered yet */
};

static struct game_state *keep(struct game_state s)
{
	struct game_state *copy = xmalloc(sizeof *copy);

	*copy = s;
	return copy;
}

static void free_state(struct game_state *s)
{
	free(s);
}

static struct game_state *resample(const struct game_state *s, unsigned viewer,
                                   struct chance *chance)
{
	(void)viewer;
	(void)chance;
	return keep(*s);
}

static void estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1])
{
	(void)s;
	worth[1] = worth[2] = 0;
}

static void result(const struct game_state *s, struct game_result *out)
{
	*out = (struct game_result){.over = s->winner != 0, .nseats = 2};
	for (unsigned seat = 1; seat <= 2 && out->over; seat++)
		out->ranks[seat] = seat == s->winner ? 1 : 2;
	if (out->over)
		out->winners.bits = s->winner == 1 ? 1 : 2;
}

static const struct bot_effort efforts[BOT_LEVEL_EXAMPLE + 1] = {
    [BOT_LEVEL_BEST] = {0, "0", 40, 4, 600, false},
    [BOT_LEVEL_ADVICE] = {0, "0", 40, 4, 600, false},
};

/* Matching pennies: the first wins when both show the same. Who does not think shows heads three times in four. */

static struct seat_set both(const struct game_state *s)
{
	return (struct seat_set){s->winner ? 0 : 3};
}

static void show_penny(const struct game_state *s, unsigned seat, unsigned level,
                       const struct tables *tables, struct chance *chance, struct strbuf *out)
{
	(void)s;
	(void)seat;
	(void)level;
	(void)tables;
	strbuf_adds(out, chance_pick(chance, 4, "side") < 3 ? "HEADS" : "TAILS");
}

static bool match_pennies(const struct game_state *now, const struct seat_orders *orders,
                          struct chance *chance, struct game_state **next, struct strbuf *why)
{
	(void)now;
	(void)chance;
	(void)why;
	*next = keep(
	    (struct game_state){span_eq(orders[1].canonical, orders[2].canonical) ? 1 : 2});
	return true;
}

static const struct rules pennies = {
    .bots_version = 1,
    .free_state = free_state,
    .owes = both,
    .sample_orders = show_penny,
    .efforts = efforts,
    .estimate = estimate,
    .resample = resample,
    .resolve = match_pennies,
    .result = result,
};

/* A number of fifteen wins, all others lose; only the first orders. */

static struct seat_set first(const struct game_state *s)
{
	return (struct seat_set){s->winner ? 0 : 1};
}

static void draw_number(const struct game_state *s, unsigned seat, unsigned level,
                        const struct tables *tables, struct chance *chance, struct strbuf *out)
{
	(void)s;
	(void)seat;
	(void)level;
	(void)tables;
	strbuf_addf(out, "%u", chance_pick(chance, 15, "number"));
}

static bool play_number(const struct game_state *now, const struct seat_orders *orders,
                        struct chance *chance, struct game_state **next, struct strbuf *why)
{
	(void)now;
	(void)chance;
	(void)why;
	*next = keep((struct game_state){span_eq_str(orders[1].canonical, "7") ? 1 : 2});
	return true;
}

static const struct rules lottery = {
    .bots_version = 1,
    .free_state = free_state,
    .owes = first,
    .sample_orders = draw_number,
    .efforts = efforts,
    .estimate = estimate,
    .resample = resample,
    .resolve = play_number,
    .result = result,
};

/* ----------------------------------------------------------------------- */

static void setup(void)
{
	seal_start();
}

TestSuite(search, .init = setup);

static void choose(const struct rules *rules, unsigned seat, unsigned key, struct strbuf *out)
{
	const struct hash h = hash_of((struct span){(const char *)&key, sizeof key});
	const struct game_state s = {0};

	strbuf_clear(out);
	bot_orders(rules, 1, &s, seat, BOT_LEVEL_BEST, NULL, &h, out, NULL);
}

Test(search, matching_pennies_are_mixed_by_both_although_who_does_not_think_likes_heads)
{
	enum { ASKED = 200 };

	for (unsigned seat = 1; seat <= 2; seat++) {
		struct strbuf text = STRBUF_INIT;
		unsigned heads = 0;

		for (unsigned key = 0; key < ASKED; key++) {
			choose(&pennies, seat, key, &text);
			heads += span_eq_str(strbuf_span(&text), "HEADS");
		}
		cr_expect(heads > ASKED / 5 && heads < ASKED * 4 / 5, "seat %u: %u", seat,
		          heads);
		strbuf_release(&text);
	}
}

Test(search, a_win_at_once_is_taken_and_advised)
{
	const struct game_state s = {0};
	struct strbuf text = STRBUF_INIT;
	unsigned taken = 0, advised = 0;

	for (unsigned key = 0; key < 100; key++) {
		const struct hash h = hash_of((struct span){(const char *)&key, sizeof key});
		struct advice advice = ADVICE_INIT;

		choose(&lottery, 1, key, &text);
		taken += span_eq_str(strbuf_span(&text), "7");
		bot_advice(&lottery, &s, 1, NULL, SPAN_LIT("3"), &h, &advice);
		if (advice.orders.len > 0) {
			cr_expect_str_eq(advice.orders.ptr, "7");
			cr_expect(advice.wins == 1000 && advice.gain == 1000);
			advised++;
		}
		strbuf_release(&advice.orders);
		bot_advice(&lottery, &s, 1, NULL, SPAN_LIT("7"), &h, &advice);
		cr_expect_eq(advice.orders.len, 0, "nothing is better than a win");
	}
	cr_expect(taken > 90 && advised > 90, "%u, %u", taken, advised);
	strbuf_release(&text);
}

Test(search, the_real_games_get_legal_orders_and_the_same_again)
{
	static const struct tables no_tables = {NULL, 0};

	for (size_t i = 0; i < rules_count(); i++) {
		const struct rules *r = rules_at(i);
		struct play p;

		cr_assert(play_start(&p, r, r->usual_seats, 5), "%s", p.problem.ptr);
		p.resignations = false;
		for (unsigned turn = 0; turn < 4 && play_goes_on(&p); turn++) {
			for (unsigned seat = 1; seat <= p.nseats; seat++) {
				const struct hash h =
				    hash_of((struct span){(const char *)&turn, sizeof turn});
				struct strbuf text = STRBUF_INIT, again = STRBUF_INIT,
					      read = STRBUF_INIT;
				struct diags diags = DIAGS_INIT;

				if (!seat_in(r->owes(p.now), seat))
					continue;
				bot_orders(r, r->bots_version, p.now, seat, 4, &no_tables, &h,
				           &text, NULL);
				bot_orders(r, r->bots_version, p.now, seat, 4, &no_tables, &h,
				           &again, NULL);
				cr_expect_str_eq(text.ptr, again.ptr);
				cr_expect(r->read_orders(p.now, seat, (struct span){NULL, 0},
				                         &no_tables, strbuf_span(&text), &read,
				                         &diags),
				          "%s: %s", r->name, text.ptr);
				cr_expect_str_eq(read.ptr, text.ptr, "%s", r->name);
				strbuf_release(&text);
				strbuf_release(&again);
				strbuf_release(&read);
				diags_release(&diags);
			}
			cr_assert(play_turn(&p), "%s", p.problem.ptr);
		}
		play_release(&p);
	}
}
