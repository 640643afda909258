/*
 * test_changes.c - what somebody says of orders that are stored changes one value of them, or nothing.
 */
#include <criterion/criterion.h>

#include "processor/games/loose.h"
#include "processor/games/registry.h"
#include "tests/support/play.h"

Test(changes, of_stored_orders_are_one_value_and_what_is_said_besides)
{
	static const struct {
		const char *text, *orders; /* NULL: nothing is changed */
	} rows[] = {
	    {"not 4 but 5", "POPUP 1 5; WHACK 2"},
	    {"not 4 but 5. And whack 7", "POPUP 1 5; WHACK 7"}, /* a second wish */
	    {"Please drop the mole in hole 4", "POPUP 1; WHACK 2"},
	    {"Can I swap 4 for 6?", "POPUP 1 6; WHACK 2"},
	    {"Swap 4 with 5 if you can.", "POPUP 1 5; WHACK 2"},
	    {"don't whack 2 but 7", "POPUP 1 4; WHACK 7"},
	    {"Don't replace 4 by 5", NULL},
	    {"Drop me a line at 4", NULL},
	    {"There are 4 of us, by 5 we are complete", NULL},
	    {"It's not 4 yet, is it?", NULL},
	    {"If I do not hit 4 I'll be lucky.", NULL},
	};
	static const struct tables none = {NULL, 0};
	struct play p;
	const struct rules *rules = &whakka_mole_1;

	cr_assert(play_start(&p, rules, 2, 1), "%s", p.problem.ptr);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct order_guesses out;

		order_guesses(rules, p.now, 1, SPAN_LIT("POPUP 1 4; WHACK 2"), &none,
		              span_of(rows[i].text), true, &out);
		cr_expect_eq(out.changed, rows[i].orders != NULL, "%s", rows[i].text);
		cr_expect_eq(out.count > 0, rows[i].orders != NULL, "%s: %s", rows[i].text,
		             out.count > 0 ? out.texts[0].ptr : "");
		if (rows[i].orders && out.count > 0)
			cr_expect_str_eq(out.texts[0].ptr, rows[i].orders, "%s", rows[i].text);
		order_guesses_release(&out);
	}
	play_release(&p);
}
