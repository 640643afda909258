/*
 * test_digest_form.c - the form of a digest as mail programs send it back.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/commandtext/digest_form.h"
#include "tests/support/play.h"

struct row {
	const char *sent, *read;
};

static void check(const struct row *r)
{
	struct arena *a = arena_new();
	struct span out = digest_form_read(span_of(r->sent), a);

	cr_expect(span_eq_str(out, r->read), "of\n%s\ncame\n%.*s\nand not\n%s", r->sent,
	          SPAN_ARGS(out), r->read);
	arena_free(a);
}

#define LEAD "Your orders go here, in the place of the words in brackets:\n"

Test(digest_form, as_it_was_sent_it_orders_nothing)
{
	static const struct row rows[] = {
	    {"  | SIGNON W1\n  | (your orders for W1)\n  | (end of the form)\n", "\n\n\n"},
	    {"> " LEAD
	     ">   | SIGNON W1\n>   | (your orders for W1)\n>   | SIGNON P3\n>   | (your "
	     "orders for P3)\n>   | (end of the form)\n>\n> ##### Reply\n> popup 3\n",
	     "\n\n\n\n\n\n>\n> ##### Reply\n> popup 3\n"},
	    {"| SIGNON W1\n| (your orders for W1 are stored; others may go here)\n", "\n\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

Test(digest_form, is_read_wherever_it_is_filled_in)
{
	static const struct row rows[] = {
	    /* In the place of the words in brackets, behind them, below them. */
	    {"> | SIGNON W1\n> | popup 3\n> | (end of the form)\n", "SIGNON W1\npopup 3\n\n"},
	    {"> | SIGNON W1\n> | (your orders for W1) popup 3\n", "SIGNON W1\npopup 3\n"},
	    {"> | SIGNON W1\n> | (your orders for W1)\npopup 3\nwhack 4\n> | SIGNON P3\n",
	     "SIGNON W1\n\npopup 3\nwhack 4\n\n"},
	    {"> | SIGNON W1\n> popup 3\n>\n> | SIGNON P3\n> | wait\n",
	     "SIGNON W1\npopup 3\n\nSIGNON P3\nwait\n"},
	    {"> | SIGNON 2 W1\n> | popup 3\n", "SIGNON 2 W1\npopup 3\n"},
	    /* Only what was filled in has its SIGNON. */
	    {"| SIGNON W1\n| (your orders for W1)\n| SIGNON P3\n| wait\n| (end of the form)\n",
	     "\n\nSIGNON P3\nwait\n\n"},
	    /* The header that some programs put above unmarked quotations is no talk. */
	    {"Hi\n\nFrom: x\nSent: y\nTo: z\n\n" LEAD "  | SIGNON W1\n  | popup 3\n",
	     "Hi\n\n\n\n\n\n\nSIGNON W1\npopup 3\n"},
	    {"Orders: wait\nTo: z\n  | SIGNON W1\n  | popup 3\n",
	     "Orders: wait\nTo: z\nSIGNON W1\npopup 3\n"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

Test(digest_form, is_not_looked_for_where_none_can_be)
{
	static const struct row rows[] = {
	    /* Quoted twice, below the marker, a second one, an example, one's own lines. */
	    {">> | SIGNON W1\n>> | popup 3\n", ">> | SIGNON W1\n>> | popup 3\n"},
	    {"> ##### Reply\n> | SIGNON W1\n> | popup 3\n",
	     "> ##### Reply\n> | SIGNON W1\n> | popup 3\n"},
	    {"| SIGNON W1\n| (end of the form)\n| SIGNON W2\n| popup 3\n",
	     "\n\n| SIGNON W2\n| popup 3\n"},
	    {"> | signon W1\n> | press to 2\n> | Hi\n",
	     "> | signon W1\n> | press to 2\n> | Hi\n"},
	    {"> | SIGNON 2\n> | popup 3\n", "> | SIGNON 2\n> | popup 3\n"},
	    {"signon w1\npopup 3\n", "signon w1\npopup 3\n"},
	    {"", ""},
	    {"no line end", "no line end"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(&rows[i]);
}

Test(digest_form, lines_keep_their_numbers_whatever_is_sent)
{
	static const char *const pieces[] = {
	    "> ",     "| ",  "SIGNON W1",          "(your orders for W1)",
	    "\n",     "\n",  "popup 3, whack 5",   "(end of the form)",
	    "#####",  " ",   "From: ann\nTo: b\n", "Sent: x\n> | SIGNON P3\n",
	    "signon", ") (", "\xC3\xA4",           "(your orders for "};
	enum { PIECES = sizeof(pieces) / sizeof(pieces[0]), ROUNDS = 3000, LONGEST = 40 };
	uint64_t dice = 7;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct arena *a = arena_new();
		struct strbuf text = STRBUF_INIT;
		size_t lines[2] = {0, 0};

		for (unsigned n = play_draw(&dice, LONGEST); n > 0; n--)
			strbuf_adds(&text, pieces[play_draw(&dice, PIECES)]);
		strbuf_addc(&text, '\n');
		struct span out = digest_form_read(strbuf_span(&text), a);
		for (size_t i = 0; i < text.len; i++)
			lines[0] += text.ptr[i] == '\n';
		for (size_t i = 0; i < out.len; i++)
			lines[1] += out.ptr[i] == '\n';
		cr_assert_eq(lines[0], lines[1], "of\n%s\ncame\n%.*s", text.ptr,
		             SPAN_ARGS(out));
		strbuf_release(&text);
		arena_free(a);
	}
}
