/*
 * test_order_text.c - order lines fall into clauses, whoever typed them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/games/order_text.h"

static const char *const verbs[] = {"POPUP", "WHACK", "GO"};

static bool is_argument(struct span word)
{
	unsigned n;

	return span_eq_nocase(word, "NONE") || num_parse_word(word, 0, 1000, &n);
}

static const struct order_language language = {
    .verbs = verbs, .nverbs = 3, .is_argument = is_argument};

/* "POPUP(3 7) WHACK(5)"; prose is "-", a misspelt verb "?MEANT(...)". */
static void clauses(const char *text, struct strbuf *out)
{
	struct order_reader r;
	struct order_clause c;

	strbuf_clear(out);
	order_reader_start(&r, &language, span_of(text));
	while (order_next_clause(&r, &c)) {
		if (out->len)
			strbuf_addc(out, ' ');
		if (c.verb == ORDER_PROSE) {
			strbuf_addc(out, '-');
			continue;
		}
		strbuf_addf(out, "%s(", c.verb == ORDER_MISSPELT ? "?" : verbs[c.verb]);
		for (size_t i = 0; i < c.nargs; i++)
			strbuf_addf(out, "%s%.*s", i ? " " : "", SPAN_ARGS(c.args[i].text));
		strbuf_addc(out, ')');
	}
	order_reader_release(&r);
}

static void expect(const char *text, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	clauses(text, &out);
	cr_expect_str_eq(out.ptr, expected, "\"%s\" is read as %s, not %s", text, out.ptr,
	                 expected);
	strbuf_release(&out);
}

Test(order_text, a_verb_begins_a_clause_and_the_next_verb_ends_it)
{
	expect("popup 3 7 whack 5", "POPUP(3 7) WHACK(5)");
	expect("whack 5; popup 3, 7", "WHACK(5) POPUP(3 7)");
	expect("POPUP 3,7,WHACK 5;", "POPUP(3 7) WHACK(5)");
	expect("popup\nwhack", "POPUP() WHACK()");
}

Test(order_text, two_words_may_make_one_verb)
{
	expect("pop up 3", "POPUP(3)");
	expect("POP-UP 3", "POPUP(3)");
	expect("whack 5 pop up 3", "WHACK(5) POPUP(3)");
}

Test(order_text, bullets_marks_and_full_stops_do_not_count)
{
	expect("- popup 3", "POPUP(3)");
	expect("* *popup* _3_", "POPUP(3)");
	expect("\xe2\x80\xa2 popup 3", "POPUP(3)");
	expect("2) popup 3", "POPUP(3)");
	expect("1. popup 3. Whack 5!", "POPUP(3) WHACK(5)");
	expect("Popup: 3 & 7 / whack = [5].", "POPUP(3 7) WHACK(5)");
}

Test(order_text, a_line_that_asks_is_prose_as_a_whole)
{
	expect("popup 3, whack 5?", "-");
	expect("popup 3? I do not know", "-");
	expect("whack 5 ? popup 3", "-");
	expect("popup 3?", "POPUP(3?)");
}

Test(order_text, dashes_dots_and_semicolons_inside_a_list_stay)
{
	expect("popup 1 - 9", "POPUP(1 - 9)");
	expect("popup 1\xe2\x80\x93"
	       "9",
	       "POPUP(1-9)");
	expect("popup 1..9", "POPUP(1..9)");
	expect("popup 1.. 9", "POPUP(1.. 9)");
	expect("popup 3; 7", "POPUP(3 ; 7)");
	expect("popup 3?", "POPUP(3?)");
	expect("popup 3...", "POPUP(3...)");
}

Test(order_text, a_line_without_a_verb_in_front_is_prose)
{
	expect("I popup 3", "-");
	expect("see you on Monday\npopup 3", "- POPUP(3)");
	expect("\n\n  \n", "");
	expect("going 3", "-");
}

Test(order_text, quoted_lines_are_never_orders)
{
	expect("> popup 3", "-");
	expect("| popup 3", "-");
	expect(" >> whack 5", "-");
}

Test(order_text, a_misspelt_verb_is_marked_only_before_something_like_an_argument)
{
	expect("pupop 3", "?(3)");
	expect("popup 3 wack 5", "POPUP(3) ?(5)");
	expect("popup3", "?()");
	expect("wack him", "-");
	expect("popcorn 3", "-");
}

Test(order_text, the_nearest_verb_is_suggested)
{
	expect("poo 3", "-"); /* of three letters two would have to be wrong */
	cr_assert_str_eq(order_suggest(&language, SPAN_LIT("whakc")), "WHACK");
	cr_assert_str_eq(order_suggest(&language, SPAN_LIT("POPPUP")), "POPUP");
	cr_assert_null(order_suggest(&language, SPAN_LIT("go")));
	cr_assert_null(order_suggest(&language, SPAN_LIT("thanks")));
}

Test(order_text, distance_counts_typing_errors)
{
	cr_assert_eq(typing_errors(SPAN_LIT("whack"), SPAN_LIT("WHACK"), 3), 0);
	cr_assert_eq(typing_errors(SPAN_LIT("whakc"), SPAN_LIT("whack"), 3), 1);
	cr_assert_eq(typing_errors(SPAN_LIT("wack"), SPAN_LIT("whack"), 3), 1);
	cr_assert_eq(typing_errors(SPAN_LIT("abc"), SPAN_LIT("xyz"), 3), 3);
	cr_assert_eq(typing_errors(SPAN_LIT("abc"), SPAN_LIT("xyzuvw"), 2), 3);
	cr_assert_eq(typing_errors(SPAN_EMPTY, SPAN_LIT("ab"), 3), 2);
}

Test(order_text, lines_and_columns_are_those_of_the_text)
{
	struct order_reader r;
	struct order_clause c;

	order_reader_start(&r, &language, SPAN_LIT("\nhello\n popup 3, whack 5\n"));
	cr_assert(order_next_clause(&r, &c) && c.verb == ORDER_PROSE && c.line == 2);
	cr_assert(order_next_clause(&r, &c));
	cr_assert_eq(c.line, 3);
	cr_assert_eq(c.head.column, 1);
	cr_assert_not(c.alone);
	cr_assert(order_next_clause(&r, &c));
	cr_assert_eq(c.head.column, 10);
	cr_assert_eq(c.args[0].column, 16);
	cr_assert(span_eq_str(c.text, "whack 5"));
	cr_assert_not(order_next_clause(&r, &c));
	order_reader_release(&r);
}

Test(order_text, a_canonical_set_falls_apart_at_its_semicolons)
{
	struct span rest = SPAN_LIT("POPUP 3; WHACK 5");
	struct span clause;

	cr_assert(order_next_canonical(&rest, &clause) && span_eq_str(clause, "POPUP 3"));
	cr_assert(order_next_canonical(&rest, &clause) && span_eq_str(clause, "WHACK 5"));
	cr_assert_not(order_next_canonical(&rest, &clause));
}

Test(order_text, a_clause_may_take_the_rest_of_its_line)
{
	static const char *const lines[] = {"go 1; popup *my* whack 5 ; ", "popup", "popup ;"};
	static const char *const texts[] = {"popup *my* whack 5", "popup", "popup"};
	static const size_t nargs[] = {3, 0, 0};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct order_reader r;
		struct order_clause c;

		order_reader_start(&r, &language, span_of(lines[i]));
		do
			cr_assert(order_next_clause(&r, &c));
		while (c.verb != 0);
		order_take_line(&r, &c);
		cr_expect(span_eq_str(c.text, texts[i]), "%.*s", SPAN_ARGS(c.text));
		cr_expect_eq(c.nargs, nargs[i]);
		cr_expect_eq(c.alone, i > 0);
		cr_expect_not(order_next_clause(&r, &c));
		order_reader_release(&r);
	}
}

Test(order_text, a_very_long_line_is_read_in_time_that_grows_with_it)
{
	struct strbuf text = STRBUF_INIT;
	struct strbuf out = STRBUF_INIT;

	for (int i = 0; i < 20000; i++)
		strbuf_adds(&text, i % 3 ? "popip3 " : "popup 3;");
	clauses(text.ptr, &out);
	cr_assert_gt(out.len, 0);
	strbuf_release(&text);
	strbuf_release(&out);
}
