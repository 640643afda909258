/*
 * test_wholeness.c - an order is taken whole or not at all, in every game.
 *
 * Legal orders of random positions, with what people write behind them; and the same orders
 * damaged, of which no game may carry out a part without saying so.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/file.h"
#include "processor/games/loose.h"
#include "processor/games/order_text.h"
#include "processor/games/registry.h"
#include "tests/support/chosen.h"
#include "tests/support/play.h"

enum { POSITIONS = 6, DAMAGED = 500, LARGEST = 65536 };

static const struct tables no_tables = {NULL, 0};

/* A position of a game and orders for one seat in it. */
struct at {
	struct play play;
	unsigned seat;
	struct strbuf orders;
};

static unsigned owing_seat(const struct play *p)
{
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		if (seat_in(p->rules->owes(p->now), seat))
			return seat;
	return 0;
}

static bool begin(struct at *at, const struct rules *rules, uint64_t seed)
{
	*at = (struct at){.orders = STRBUF_INIT};
	cr_assert(play_start(&at->play, rules, rules->usual_seats, seed), "%s",
	          at->play.problem.ptr);
	at->play.resignations = false;
	for (unsigned n = play_draw(&at->play.dice, 6); n > 0 && play_goes_on(&at->play); n--)
		play_turn(&at->play);
	at->seat = play_goes_on(&at->play) ? owing_seat(&at->play) : 0;
	if (at->seat == 0)
		return false;
	struct chance *chance = chance_from_seed(seed, "orders");
	rules->sample_orders(at->play.now, at->seat, 2, &no_tables, chance, &at->orders);
	chance_free(chance);
	return true;
}

static void end(struct at *at)
{
	strbuf_release(&at->orders);
	play_release(&at->play);
}

static bool reads(const struct at *at, struct span text, struct strbuf *canonical,
                  struct diags *diags)
{
	return at->play.rules->read_orders(at->play.now, at->seat, SPAN_EMPTY, &no_tables, text,
	                                   canonical, diags);
}

/* ---- endings ---- */

static void try_ending(const struct at *at, struct span ending)
{
	struct strbuf text = STRBUF_INIT, canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	strbuf_addf(&text, "%.*s %.*s", SPAN_ARGS(strbuf_span(&at->orders)), SPAN_ARGS(ending));
	bool ok = reads(at, strbuf_span(&text), &canonical, &diags);
	cr_expect(ok && !diags_has_errors(&diags) &&
	              span_eq(strbuf_span(&canonical), strbuf_span(&at->orders)),
	          "%s: \"%s\" is read as %s (%s)", at->play.rules->name, text.ptr,
	          ok ? canonical.ptr : "nothing", diags.count ? diags.items[0].message : "");
	strbuf_release(&text);
	strbuf_release(&canonical);
	diags_release(&diags);
}

/* Behind STYLE any words are the style. */
static bool takes_any_words(const struct at *at)
{
	return span_find(strbuf_span(&at->orders), SPAN_LIT("STYLE")) < at->orders.len;
}

Test(wholeness, an_order_with_any_ending_is_the_order)
{
	struct strbuf endings = STRBUF_INIT;
	struct failure f = ERR_INIT;

	seal_start();
	cr_assert_eq(file_read("tests/games/endings.txt", LARGEST, &endings, &f), ERR_NONE,
	             "%s", f.text.ptr);
	for (size_t i = 0; i < rules_count(); i++)
		for (uint64_t seed = 1; seed <= POSITIONS && chosen_kind(rules_at(i)); seed++) {
			struct span rest = strbuf_span(&endings), ending;
			struct at at;
			unsigned n = 0;

			if (begin(&at, rules_at(i), seed) && !takes_any_words(&at))
				for (; span_next_line(&rest, &ending); n++)
					try_ending(&at, ending);
			cr_expect(n == 0 || n >= 200, "%u endings", n);
			end(&at);
		}
	strbuf_release(&endings);
}

/* ---- damage ---- */

/* One clause of several gets a typing error, loses its verb, or turns into talk. */
static void damage(uint64_t *dice, struct span orders, struct strbuf *out)
{
	static const char *const talk[] = {"and then", "my",       "I think",
	                                   "perhaps",  "also the", "then"};
	struct span rest = orders, clause;
	unsigned n = 0, hit, at = 0;

	while (order_next_canonical(&rest, &clause))
		n++;
	hit = play_draw(dice, n);
	for (rest = orders; order_next_canonical(&rest, &clause); at++) {
		if (at > 0)
			strbuf_adds(out, play_draw(dice, 2) ? "\n" : "; ");
		if (at != hit) {
			strbuf_add_span(out, clause);
			continue;
		}
		switch (play_draw(dice, 3)) {
		case 0: /* two letters of the verb exchanged */
			strbuf_addf(out, "%c%c%c%.*s", clause.ptr[0], clause.ptr[2],
			            clause.ptr[1],
			            SPAN_ARGS(span_slice(clause, 3, clause.len)));
			break;
		case 1:
			strbuf_addf(out, "%s %.*s",
			            talk[play_draw(dice, sizeof talk / sizeof *talk)],
			            SPAN_ARGS(clause));
			break;
		default: /* without its verb */
			strbuf_add_span(
			    out, span_slice(clause, span_find_char(clause, ' '), clause.len));
		}
	}
}

/* As the server does: an error, or a line passed over that speaks of orders, keeps it unfinished. */
static bool is_whole(const struct at *at, struct span text, struct span canonical,
                     const struct diags *diags)
{
	const struct rules *rules = at->play.rules;
	struct order_guesses says = {.count = 0}, all = {.count = 0};
	struct span rest = text, line;

	if (diags_has_errors(diags))
		return false;
	for (unsigned n = 1; span_next_line(&rest, &line); n++)
		for (size_t i = 0; i < diags->count; i++)
			if (diags->items[i].level == DIAG_IGNORED &&
			    diags->items[i].line == n) {
				order_guess(rules->loose, at->play.now, at->seat, line, &says);
				order_guesses_release(&says);
			}
	if (says.plain)
		return false;
	if (!says.meant)
		return true;
	order_guesses(rules, at->play.now, at->seat, SPAN_EMPTY, &no_tables, text, false, &all);
	bool same = all.count == 0 || span_eq(strbuf_span(&all.texts[0]), canonical);
	order_guesses_release(&all);
	return same;
}

static unsigned parts_of(struct span orders)
{
	struct span part;
	unsigned n = 0;

	while (order_next_canonical(&orders, &part))
		n++;
	return n;
}

static bool try_damage(const struct at *at, uint64_t *dice)
{
	struct strbuf text = STRBUF_INIT, canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	bool part = false;

	damage(dice, strbuf_span(&at->orders), &text);
	if (reads(at, strbuf_span(&text), &canonical, &diags) &&
	    !span_eq(strbuf_span(&canonical), strbuf_span(&at->orders)))
		part = is_whole(at, strbuf_span(&text), strbuf_span(&canonical), &diags);
	cr_expect(!part, "%s: of \"%s\" this was carried out: %s", at->play.rules->name,
	          text.ptr, canonical.ptr);
	strbuf_release(&text);
	strbuf_release(&canonical);
	diags_release(&diags);
	return part;
}

Test(wholeness, of_damaged_turns_none_is_carried_out_in_part)
{
	seal_start();
	for (size_t i = 0; i < rules_count(); i++) {
		unsigned n = 0, parts = 0;

		for (uint64_t seed = 1; n < DAMAGED && seed < 4000 && chosen_kind(rules_at(i));
		     seed++) {
			struct at at;

			if (begin(&at, rules_at(i), seed) &&
			    parts_of(strbuf_span(&at.orders)) > 1)
				for (unsigned k = 0; k < 5; k++, n++)
					parts += try_damage(&at, &at.play.dice);
			end(&at);
		}
		cr_expect_eq(parts, 0, "%s: %u of %u", rules_at(i)->name, parts, n);
		fprintf(stderr, "%s: %u damaged turns, %u carried out in part\n",
		        rules_at(i)->name, n, parts);
	}
}
