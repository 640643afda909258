/* Pages hold their promises whatever is written on them. */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/chance.h"
#include "reports/layout.h"
#include "tests/support/report_check.h"

static const char *const vocabulary[] = {
    "clear",
    "yes",
    "No.",
    "HELP",
    "WHACK",
    "5",
    "none",
    "the",
    "a",
    "of",
    "mole",
    "and",
    "\"list\"",
    "*resign*",
    "3.",
    "--",
    "-",
    "“clear”",
    "• yes",
    "ＲＥＳＩＧＮ",
    "status,",
    "W17",
    "鼹鼠",
    "naïve",
    "\xE2\x80\xAE",
    "\xFF",
    "create",
    "POPUP",
    "(set",
    "wait)",
    "\t",
    "\x1b[0m",
    "round",
    "2",
    "sentence",
    "number",
    "antidisestablishmentarianism",
    "a-word-that-is-so-long-that-it-does-not-fit-on-any-line-of-seventy-two-columns-clear",
};

static void add_words(struct strbuf *text, struct chance *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned k = chance_pick(c, sizeof vocabulary / sizeof vocabulary[0],
		                         "word %zu", chance_count(c));
		strbuf_addf(text, "%s ", vocabulary[k]);
	}
}

Test(layout, keeps_lines_short_clean_and_harmless_whatever_is_written)
{
	seal_start();
	for (unsigned seed = 0; seed < 400; seed++) {
		unsigned cols = seed % 3 ? REPORT_COLS : REPORT_COLS_LEAST + seed / 3 % 40;
		struct chance *c = chance_from_seed(seed, "layout");
		struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
		struct page p;
		page_start(&p, &out, (struct report_form){.cols = cols});
		add_words(&text, c, 1 + seed % 60);
		page_prose(&p, "", strbuf_span(&text));
		page_prose(&p, "- ", strbuf_span(&text));
		page_say(&p, "Well: %s", text.ptr);
		page_item(&p, "well: %s", text.ptr);
		page_heading(&p, "%s", text.ptr);
		page_echo(&p, strbuf_span(&text));
		page_example(&p, strbuf_span(&text));
		page_orders(&p, strbuf_span(&text));
		/* What a game draws may begin with capitals; the game sees to it that it is no order. */
		if (!strstr(text.ptr, "POPUP") && !strstr(text.ptr, "WHACK"))
			page_drawn(&p, strbuf_span(&text));
		page_row(&p, strbuf_span(&text));
		page_end(&p);
		check_lines_of(text.ptr, strbuf_span(&out), cols);
		strbuf_release(&text);
		strbuf_release(&out);
		chance_free(c);
	}
}

static void check_wrapped(const char *text, const char *want)
{
	struct strbuf out = STRBUF_INIT;
	struct page p;
	page_start(&p, &out, (struct report_form){0});
	page_wrap(&p, "", "", span_of(text));
	page_end(&p);
	cr_assert_str_eq(out.ptr, want);
	strbuf_release(&out);
}

Test(layout, breaks_a_line_one_word_earlier_rather_than_before_a_command)
{
	check_wrapped(
	    "Nothing that stands in this line is an order, but the next word may be: clear",
	    "Nothing that stands in this line is an order, but the next word may \n"
	    "be: clear\n");
	check_wrapped(
	    "Nothing that stands in this line is an order, but the next is, in a game: "
	    "whack 5.",
	    "Nothing that stands in this line is an order, but the next is, in \n"
	    "a game: whack 5.\n");
	check_wrapped(
	    "Nothing that stands in this line is an order, and the next one is none: whack",
	    "Nothing that stands in this line is an order, and the next one is none: \n"
	    "whack\n");
}

Test(layout, wraps_a_long_text_in_one_pass)
{
	struct strbuf text = STRBUF_INIT, out = STRBUF_INIT;
	struct page p;
	while (text.len < 4000000)
		strbuf_adds(&text, "mole ");
	page_start(&p, &out, (struct report_form){0});
	page_wrap(&p, "", "", strbuf_span(&text));
	page_end(&p);
	/* A blank and a line end between lines, a line end at the end. */
	cr_assert_eq(out.len, text.len + text.len / (14 * 5) - (text.len % (14 * 5) == 0));
	strbuf_release(&text);
	strbuf_release(&out);
}

Test(layout, clips_and_pads_by_columns_not_bytes)
{
	struct strbuf s = STRBUF_INIT;
	text_pad(&s, span_of("鼹鼠"), 6, DOC_LEFT);
	strbuf_addc(&s, '|');
	text_pad(&s, span_of("鼹鼠"), 6, DOC_RIGHT);
	strbuf_addc(&s, '|');
	text_pad(&s, span_of("鼹鼠鼹鼠鼹鼠鼹鼠"), 10, DOC_LEFT);
	strbuf_addc(&s, '|');
	text_pad(&s, span_of("abcdef"), 4, DOC_RIGHT);
	strbuf_addc(&s, '|');
	cr_assert_str_eq(s.ptr, "鼹鼠  |  鼹鼠|鼹鼠鼹... |abc.|");
	strbuf_release(&s);
}

Test(layout, prints_a_hash_in_72_columns)
{
	struct hash d = {{0xAB}};
	struct strbuf out = STRBUF_INIT;
	struct page p;
	page_start(&p, &out, (struct report_form){0});
	page_hash(&p, "commit", d.bytes);
	page_end(&p);
	cr_assert_eq(out.len, 73);
	cr_assert(strncmp(out.ptr, " commit ab00", 12) == 0);
	strbuf_release(&out);
}

/* Each word is there, whatever the width; numbers stay whole, long names go on below. */
Test(layout, loses_nothing_of_a_table_on_a_narrow_screen)
{
	static const struct doc_column columns[] = {
	    {"player", DOC_LEFT}, {"what", DOC_LEFT}, {"points", DOC_RIGHT}};
	static const char *const words[] = {"Bot",     "Bart",   "the",    "Third",
	                                    "spelled", "INAPT",  "whole",  "board",
	                                    "12345",   "nobody", "passed."};

	for (unsigned cols = REPORT_COLS_LEAST; cols <= REPORT_COLS; cols++) {
		struct arena *arena = arena_new();
		struct strbuf out = STRBUF_INIT;
		struct page p;
		struct doc d;

		doc_init(&d, arena);
		doc_table(&d, columns, 3);
		doc_cell(&d, "Bot Bart the Third");
		doc_cell(&d, "spelled INAPT across the whole board");
		doc_cell(&d, "12345");
		doc_cell(&d, "nobody");
		doc_cell(&d, "passed.");
		doc_cell(&d, "0");
		page_start(&p, &out, (struct report_form){.cols = cols});
		page_table(&p, &d.first->table);
		page_end(&p);
		check_lines_of("a table", strbuf_span(&out), cols);
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
			cr_expect(strstr(out.ptr, words[i]), "%u: %s is not in\n%s", cols,
			          words[i], out.ptr);
		cr_expect_null(strstr(out.ptr, ".."), "%u: cut\n%s", cols, out.ptr);
		strbuf_release(&out);
		arena_free(arena);
	}
}
