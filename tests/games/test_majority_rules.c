/*
 * test_majority_rules.c - Mole Majority in many random games: is every rule met, how do they end?
 *
 * RULES lists the readings of molepost-rules(7) by number, each with what shows that it was
 * exercised in a turn. A table is printed. Ten games for each of GAMES_PER_KIND are played, 1,000
 * at most; SEED=n is the first seed.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/num.h"
#include "processor/games/mole_majority/majority.h"
#include "processor/games/registry.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

SUITE_OF_KIND(majority_rules, "mole majority");

static const struct rules *const rules = &mole_majority_1;

/* One turn, seen from outside. */
struct seen {
	const struct game_state *before, *after; /* before: NULL for the first state */
	struct mm_orders o;                      /* of the active player */
	unsigned seat;
};

static unsigned event_at(const struct seen *x, unsigned kind)
{
	for (unsigned i = 0; i < x->after->nevents; i++)
		if (x->after->events[i].kind == kind)
			return i + 1;
	return 0;
}

static const struct mm_step *step_of(const struct seen *x, unsigned verb)
{
	for (unsigned i = 0; i < x->o.nplays; i++)
		for (unsigned n = 0; n < x->o.plays[i].nsteps; n++)
			if (x->o.plays[i].steps[n].verb == verb)
				return &x->o.plays[i].steps[n];
	return NULL;
}

static bool begins(const struct seen *x)
{
	return x->after->turn == 1;
}

/* ---- What shows each rule ---- */

static bool decks_of_18(const struct seen *x)
{
	const struct mm_seat *p = &x->after->seats[1];

	for (unsigned card = CARD_N4; begins(x) && card < CARD_KINDS; card++)
		if (mm_pile_count(&p->hand, card) + mm_pile_count(&p->deck, card) !=
		    mm_cards[card].in_deck)
			return false;
	return begins(x);
}

static bool all_values(const struct seen *x)
{
	unsigned values = 0;

	for (unsigned h = 0; h < MM_HEXES; h++)
		values |= 1u << x->after->hexes[h].value;
	return (values & 0x78) == 0x78;
}

static bool homes_of_24(const struct seen *x)
{
	unsigned n = x->after->nspare;

	for (unsigned h = 0; h < MM_HEXES; h++)
		n += x->after->hexes[h].home != 0;
	return begins(x) && n == 24 &&
	       x->after->nspare == 17 - 2 * x->after->nseats - x->after->setup.extra_fifth;
}

static bool board_of_two(const struct seen *x)
{
	return x->after->nseats == 2 && begins(x) &&
	       __builtin_popcount(mm_board(x->after)) == 13 + x->after->setup.extra_fifth;
}

static bool outer_places(const struct seen *x)
{
	uint32_t board = mm_board(x->after);

	for (unsigned h = 0; begins(x) && h < MM_HEXES; h++) {
		uint32_t beside = mm_beside[h] & board;

		if (x->after->hexes[h].value &&
		    (__builtin_popcount(beside) < 2 || !(beside & mm_ring)))
			return false;
		if (x->after->hexes[h].claim && !(mm_base_places & mm_bit(h)))
			return false;
	}
	return begins(x);
}

static bool ends_by(const struct seen *x, unsigned end)
{
	return mm_over(x->after) && (mm_ends(x->after) & end);
}

static bool moles_out(const struct seen *x)
{
	return ends_by(x, END_MOLES);
}

static bool not_cut_short(const struct seen *x)
{
	return mm_over(x->after) && x->o.nplays > 1;
}

static bool tokens_out(const struct seen *x)
{
	return ends_by(x, END_TOKENS);
}

static bool far_move(const struct seen *x)
{
	const struct mm_step *m = step_of(x, STEP_MOVE);

	return m && !x->after->setup.routes_free && !(mm_beside[m->hex[0]] & mm_bit(m->hex[1]));
}

static bool default_space(const struct seen *x)
{
	const struct mm_step *m = step_of(x, STEP_MOVE);

	return m && !m->space[0] && mm_moles_on(&x->before->hexes[m->hex[0]], x->seat) > 1;
}

/* He holds a Groundskeeper and CH but no number card: so he cannot play the Groundskeeper. */
static bool ch_is_no_number(const struct seen *x)
{
	const struct mm_pile *hand = &x->before->seats[x->seat].hand;
	bool keeper = mm_pile_count(hand, CARD_GK1) || mm_pile_count(hand, CARD_GK2);

	for (unsigned card = CARD_N4; card <= CARD_N2; card++)
		if (mm_pile_count(hand, card))
			return false;
	return keeper && mm_pile_count(hand, CARD_CH) && !step_of(x, STEP_ROLL);
}

static bool home_after_moves(const struct seen *x)
{
	const struct mm_step *m = step_of(x, STEP_HOME);

	return m && x->before->hexes[m->hex[0]].claim != x->seat;
}

static bool cave_in(const struct seen *x)
{
	return event_at(x, EVENT_CAVEIN) != 0;
}

static bool stacked(const struct seen *x)
{
	return x->o.nplays > 1;
}

static bool n2_as_number(const struct seen *x)
{
	return x->o.nplays && x->o.plays[0].with == CARD_N2;
}

static bool stopped_early(const struct seen *x)
{
	unsigned at = event_at(x, EVENT_ROLL);

	return at && x->after->events[at - 1].args[3] < x->after->events[at - 1].args[4];
}

static bool claim_of_another(const struct seen *x)
{
	for (unsigned i = 0; i < x->after->nevents; i++)
		if (x->after->events[i].kind == EVENT_CLAIM && x->after->events[i].args[2])
			return true;
	return false;
}

static bool claim_without_moles(const struct seen *x)
{
	for (unsigned h = 0; h < MM_HEXES; h++) {
		const struct mm_hex *hex = &x->after->hexes[h];

		if (hex->claim && !mm_moles_on(hex, hex->claim))
			return true;
	}
	return false;
}

/* The hex claimed last is full, and somebody else who is in has as many moles on it. */
static bool tie(const struct seen *x)
{
	unsigned at = event_at(x, EVENT_CLAIM);
	unsigned seat = at ? x->after->events[at - 1].args[0] : 0;
	const struct mm_hex *hex = at ? &x->after->hexes[x->after->events[at - 1].args[1]]
	                              : NULL;

	for (unsigned other = 1; at && !mm_moles_on(hex, 0) && other <= x->after->nseats;
	     other++)
		if (other != seat && mm_is_in(x->after, other) && hex->claim == seat &&
		    mm_moles_on(hex, other) == mm_moles_on(hex, seat))
			return true;
	return false;
}

static bool breed_fills(const struct seen *x)
{
	for (unsigned i = 1; i < x->after->nevents; i++)
		if (x->after->events[i].kind == EVENT_CLAIM &&
		    x->after->events[i - 1].kind == EVENT_BREED)
			return true;
	return false;
}

static bool beaten(const struct seen *x)
{
	return event_at(x, EVENT_BEATEN) != 0;
}

static bool refill(const struct seen *x)
{
	return event_at(x, EVENT_REFILL) != 0;
}

static bool steal_below_top(const struct seen *x)
{
	const struct mm_step *m = step_of(x, STEP_STEAL);

	return m && mm_pile_top(&x->before->seats[m->seat].discard, 0) != m->card;
}

static bool passed(const struct seen *x)
{
	return event_at(x, EVENT_PASS) != 0;
}

static bool final_tie(const struct seen *x)
{
	struct game_result r;

	if (!mm_over(x->after))
		return false;
	rules->result(x->after, &r);
	for (unsigned a = 1; a <= r.nseats; a++)
		for (unsigned b = 1; b < a; b++)
			if (mm_is_in(x->after, a) && mm_is_in(x->after, b) &&
			    r.scores[a] == r.scores[b])
				return true;
	return false;
}

static bool cap(const struct seen *x)
{
	return ends_by(x, END_CAP);
}

static bool first_is_drawn(const struct seen *x)
{
	return begins(x) && x->after->first != x->after->ring[0];
}

static bool deferred(const struct seen *x)
{
	const struct mm_play *p = &x->o.plays[0];

	return x->o.nplays > 1 && p->nsteps > 1 && mm_is_deferred(p, &p->steps[p->nsteps - 1]);
}

static bool gopher(const struct seen *x)
{
	const struct mm_step *m = step_of(x, STEP_STEAL);

	return m && x->after->nevents && mm_is_in(x->after, m->seat) &&
	       mm_pile_top(&x->after->seats[m->seat].discard, 0) == CARD_GI;
}

static bool left(const struct seen *x)
{
	return event_at(x, EVENT_LEFT) != 0;
}

static const struct {
	const char *what;
	bool (*shown)(const struct seen *x);
	bool at_start; /* the first state of turn 1 shows it */
} RULES[] = {
    {"18 cards each", decks_of_18, true},
    {"hexes of 3, 4, 5, 6", all_values, true},
    {"24 home tokens", homes_of_24, true},
    {"two players: 13 hexes, or 14", board_of_two, true},
    {"where outer hexes may lie", outer_places, true},
    {"the end that one list alone has", moles_out, false},
    {"no turn is cut short by the end", not_cut_short, false},
    {"a player without a token left", tokens_out, false},
    {"a move along a route", far_move, false},
    {"spaces by default", default_space, false},
    {"CH is no number card", ch_is_no_number, false},
    {"HOME counts the card's own moves", home_after_moves, false},
    {"Cave-Ins", cave_in, false},
    {"stacked cards", stacked, false},
    {"N2 as a roll number", n2_as_number, false},
    {"a roll stopped by an empty space", stopped_early, false},
    {"a claim of another taken", claim_of_another, false},
    {"a claim without own moles", claim_without_moles, false},
    {"a tie for majority", tie, false},
    {"a BREED fills a hex", breed_fills, false},
    {"out without a claim", beaten, false},
    {"discards become the deck", refill, false},
    {"a steal below the top card", steal_below_top, false},
    {"a pass", passed, false},
    {"a tie at the end", final_tie, false},
    {"the last round", cap, false},
    {"the first player is drawn", first_is_drawn, true},
    {"BREEDs that come last", deferred, false},
    {"GOPHER IT", gopher, false},
    {"a player leaves", left, false},
};
enum { NRULES = sizeof RULES / sizeof *RULES };

struct standings {
	unsigned shown[NRULES];
	unsigned games, plain, plain_caps, turns;
	unsigned cards[CARD_KINDS], stacks[CARD_KINDS], steps[STEP_VERBS];
};

static void count_orders(struct standings *t, const struct mm_orders *o)
{
	for (unsigned i = 0; i < o->nplays; i++) {
		(i ? t->stacks : t->cards)[o->plays[i].card]++;
		for (unsigned n = 0; n < o->plays[i].nsteps; n++)
			t->steps[o->plays[i].steps[n].verb]++;
	}
}

static void watch(struct standings *t, const struct game_state *before,
                  const struct game_state *after, struct span canonical)
{
	struct seen x = {.before = before, .after = after};

	if (before && before->turn) {
		x.seat = before->active;
		if (canonical.len)
			cr_assert(mm_parse_orders(before, canonical, &x.o));
		count_orders(t, &x.o);
	}
	for (unsigned i = 0; i < NRULES; i++)
		t->shown[i] += (RULES[i].at_start || x.seat) && RULES[i].shown(&x);
}

static struct game_state *play_on(struct play *p, struct standings *t)
{
	struct strbuf texts[MM_SEATS + 1] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT,
	                                     STRBUF_INIT};
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *dice = chance_from_seed(p->seed * 1000 + rules->phase(p->now), "turn");
	struct strbuf why = STRBUF_INIT;
	struct game_state *next = NULL;
	unsigned active = p->now->active;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= p->nseats; seat++) {
		struct chance *c =
		    chance_from_seed(p->seed * 1000 + rules->phase(p->now), "bot");

		if (p->resignations && play_draw(&p->dice, 60) == 0) {
			orders[seat].origin = ORDER_RESIGNED;
			strbuf_adds(&texts[seat], ORDER_RESIGN_TEXT);
		} else if (seat_in(rules->owes(p->now), seat)) {
			rules->sample_orders(p->now, seat, p->levels[seat], NULL, c,
			                     &texts[seat]);
		}
		orders[seat].canonical = strbuf_span(&texts[seat]);
		chance_free(c);
	}
	cr_assert(rules->resolve(p->now, orders, dice, &next, &why), "%s", why.ptr);
	watch(t, p->now, next, orders[active].canonical);
	for (unsigned seat = 0; seat <= MM_SEATS; seat++)
		strbuf_release(&texts[seat]);
	chance_free(dice);
	return next;
}

static void play_game(uint64_t seed, struct standings *t)
{
	struct play p;

	cr_assert(play_start(&p, rules, 2 + (unsigned)(seed % 3), seed), "%s", p.problem.ptr);
	watch(t, NULL, p.now, SPAN_EMPTY);
	while (play_goes_on(&p)) {
		struct game_state *next = play_on(&p, t);

		rules->free_state(p.now);
		p.now = next;
		t->turns++;
	}
	t->games++;
	if (seed % 2 == 0 && !p.resignations) {
		t->plain++;
		t->plain_caps += mm_ends(p.now) == END_CAP;
	}
	play_release(&p);
}

static unsigned env_number(const char *name, unsigned otherwise)
{
	unsigned n;

	return env_get(name) && num_parse_uint(span_of(env_get(name)), 0, 1000000, &n)
	           ? n
	           : otherwise;
}

Test(majority_rules, random_games_meet_every_rule_and_seldom_need_the_last_round)
{
	unsigned games = 10 * env_number("GAMES_PER_KIND", 30);
	unsigned seed = env_number("SEED", 1);
	struct standings t;

	seal_start();
	memset(&t, 0, sizeof t);
	games = games > 1000 ? 1000 : games;
	for (unsigned i = 0; i < games; i++)
		play_game(seed + i, &t);
	printf("%u games from seed %u, %u turns; turns that show a rule:\n", t.games, seed,
	       t.turns);
	for (unsigned i = 0; i < NRULES; i++)
		printf("  %2u %-34s %6u\n", i + 1, RULES[i].what, t.shown[i]);
	printf("games as usual that needed the last round: %u of %u\n", t.plain_caps, t.plain);
	fflush(stdout);
	for (unsigned i = 0; i < NRULES; i++)
		cr_expect_gt(t.shown[i], 0, "rule %u (%s) was never met, seed %u", i + 1,
		             RULES[i].what, seed);
	cr_expect_lt(10 * t.plain_caps, t.plain,
	             "%u of %u games needed the last round, seed %u", t.plain_caps, t.plain,
	             seed);
	for (unsigned card = CARD_N4; card < CARD_KINDS; card++) {
		cr_expect_gt(t.cards[card], 0, "%s is never played", mm_cards[card].name);
		cr_expect_eq(t.stacks[card] > 0, mm_cards[card].stackable,
		             "%s stacked %u times", mm_cards[card].name, t.stacks[card]);
	}
	for (unsigned verb = 0; verb < STEP_VERBS; verb++)
		cr_expect_gt(t.steps[verb], 0, "step %u is never done", verb);
}
