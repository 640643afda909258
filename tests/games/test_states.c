/*
 * test_states.c - a state is read strictly: what is not one, however near to one, is refused.
 *
 * Of the states met in random play every neighbour is tried: each number one more, one less, 0 and the largest;
 * each line left out, twice, changed with the next; the text cut off after every byte. Each is refused with a
 * reason, or is a state: then it has exactly these bytes, and the game can be shown and played on from it.
 *
 * GAMES, PLAYERS and SEED as in test_contract.c; STATE_GAMES (1) with each number of players, of which
 * STATES (6) positions each are looked at.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/bots/bots.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

static const struct tables no_tables = {NULL, 0};

struct looked {
	const struct rules *rules;
	struct arena *arena;
	unsigned tried, taken;
	struct strbuf problem;
};

/* ---- a state that was taken ---- */

static void play_on(struct looked *l, const struct game_state *s, unsigned nseats)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct strbuf texts[MAX_SEATS + 1];
	struct strbuf why = STRBUF_INIT;
	struct chance *chance = chance_from_seed(7, "neighbour");
	struct game_state *next = NULL;

	memset(orders, 0, sizeof(orders));
	for (unsigned seat = 1; seat <= nseats; seat++) {
		strbuf_init(&texts[seat]);
		if (!seat_in(l->rules->owes(s), seat))
			continue;
		struct strbuf again = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		l->rules->default_orders(s, seat, &texts[seat]);
		if (!l->rules->read_orders(s, seat, SPAN_EMPTY, &no_tables,
		                           strbuf_span(&texts[seat]), &again, &diags) &&
		    l->problem.len == 0)
			strbuf_addf(&l->problem, "its default orders are not read: %s (%s)",
			            texts[seat].ptr, diags.count ? diags.items[0].message : "");
		orders[seat] = (struct seat_orders){.origin = ORDER_DEFAULT,
		                                    .canonical = strbuf_span(&texts[seat])};
		strbuf_release(&again);
		diags_release(&diags);
	}
	if (l->problem.len == 0 && !l->rules->resolve(s, orders, chance, &next, &why) &&
	    why.len == 0)
		strbuf_adds(&l->problem, "a turn is not resolved, and no reason is given");
	if (next)
		l->rules->free_state(next);
	for (unsigned seat = 1; seat <= nseats; seat++)
		strbuf_release(&texts[seat]);
	strbuf_release(&why);
	chance_free(chance);
}

static void use(struct looked *l, const struct game_state *s)
{
	unsigned nseats = l->rules->nseats(s);
	struct strbuf label = STRBUF_INIT;
	struct game_result result;

	l->rules->label(s, &label);
	l->rules->result(s, &result);
	for (unsigned viewer = 0; viewer <= nseats; viewer++) {
		struct doc doc;

		doc_init(&doc, l->arena);
		l->rules->view(s, viewer, &doc);
		if (viewer != SEAT_PUBLIC)
			bot_examples(l->rules, s, viewer, &doc);
	}
	arena_clear(l->arena);
	if (!result.over)
		play_on(l, s, nseats);
	strbuf_release(&label);
}

/* ---- neighbours ---- */

static void try_state(struct looked *l, struct span text, const char *what)
{
	struct strbuf why = STRBUF_INIT, again = STRBUF_INIT;
	struct game_state *s = NULL;

	l->tried++;
	if (!l->rules->decode(text, &s, &why)) {
		if (why.len == 0)
			strbuf_adds(&l->problem, "refused without a reason");
	} else {
		l->taken++;
		l->rules->encode(s, &again);
		if (!span_eq(strbuf_span(&again), text))
			strbuf_addf(&l->problem, "has other bytes then:\n%s\n", again.ptr);
		else
			use(l, s);
		l->rules->free_state(s);
	}
	cr_assert_eq(l->problem.len, 0, "%s, %s: %s\n%.*s", l->rules->name, what,
	             l->problem.ptr, SPAN_ARGS(text));
	strbuf_release(&why);
	strbuf_release(&again);
}

static void try_with(struct looked *l, struct span text, size_t from, size_t to,
                     const char *instead, const char *what)
{
	struct strbuf changed = STRBUF_INIT;

	strbuf_add(&changed, text.ptr, from);
	strbuf_adds(&changed, instead);
	strbuf_add(&changed, text.ptr + to, text.len - to);
	try_state(l, strbuf_span(&changed), what);
	strbuf_release(&changed);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void change_numbers(struct looked *l, struct span text)
{
	static const char *const largest[] = {"0",
	                                      "255",
	                                      "2147483647",
	                                      "4294967295",
	                                      "9223372036854775807",
	                                      "99999999999999999999"};

	for (size_t at = 0, end; at < text.len; at = end) {
		end = at + 1;
		if (!is_digit(text.ptr[at]))
			continue;
		while (end < text.len && is_digit(text.ptr[end]))
			end++;
		int64_t n = 0;
		for (size_t i = at; i < end && n < INT64_MAX / 100; i++)
			n = n * 10 + (text.ptr[i] - '0');
		for (int64_t by = -1; by <= 1; by += 2)
			try_with(l, text, at, end,
			         arena_printf(l->arena, "%lld", (long long)(n + by)),
			         by < 0 ? "a number one less" : "a number one more");
		for (size_t i = 0; i < sizeof(largest) / sizeof(largest[0]); i++)
			try_with(l, text, at, end, largest[i], "a number 0 or very large");
	}
}

static void change_lines(struct looked *l, struct span text)
{
	for (size_t at = 0, end; at < text.len; at = end) {
		end = at + span_find_char(span_slice(text, at, text.len), '\n');
		end += end < text.len;
		const char *line =
		    arena_printf(l->arena, "%.*s", (int)(end - at), text.ptr + at);

		try_with(l, text, at, end, "", "a line left out");
		try_with(l, text, at, at, line, "a line twice");
		size_t next = end + span_find_char(span_slice(text, end, text.len), '\n');
		next += next < text.len;
		try_with(l, text, at, next,
		         arena_printf(l->arena, "%.*s%.*s", (int)(next - end), text.ptr + end,
		                      (int)(end - at), text.ptr + at),
		         "two lines changed");
	}
}

static void try_neighbours(struct looked *l, struct span text)
{
	change_numbers(l, text);
	change_lines(l, text);
	for (size_t n = 0; n < text.len; n++)
		try_state(l, span_slice(text, 0, n), "cut off");
}

static void look_at_games(struct looked *l, unsigned nseats, uint64_t seed)
{
	unsigned states = chosen_number("STATES", 6), every = 1, n = 0;
	struct play p;

	play_start(&p, l->rules, nseats, seed);
	for (unsigned turn = 0; play_goes_on(&p) && n < states; turn++) {
		if (turn % every == 0) {
			try_neighbours(l, strbuf_span(&p.text));
			every += every / 2 + 1; /* later positions are more alike */
			n++;
		}
		play_turn(&p);
	}
	try_neighbours(l, strbuf_span(&p.text));
	cr_assert_eq(p.problem.len, 0, "%s", p.problem.ptr);
	play_release(&p);
}

Test(states, every_neighbour_of_a_state_is_refused_or_is_one)
{
	seal_start();
	for (size_t i = 0; i < rules_count(); i++) {
		struct looked l = {
		    .rules = rules_at(i), .arena = arena_new(), .problem = STRBUF_INIT};

		for (unsigned nseats = l.rules->min_seats;
		     nseats <= l.rules->max_seats && chosen_kind(l.rules); nseats++)
			for (unsigned seed = 1;
			     chosen_players(nseats) && seed <= chosen_number("STATE_GAMES", 1);
			     seed++)
				look_at_games(&l, nseats, seed);
		if (l.tried > 0)
			printf("%s: %u neighbours, %u of them states\n", l.rules->name, l.tried,
			       l.taken);
		arena_free(l.arena);
	}
}
