/*
 * test_clauses.c - a text and the clauses it has, each with a letter for what it is.
 */
#include <criterion/criterion.h>

#include "processor/base/strbuf.h"
#include "processor/clauses/clauses.h"

static const char letters[] = {
    [CLAUSE_PLAIN] = 'p',    [CLAUSE_REPAIR] = 'r',    [CLAUSE_RETRACT] = 't',
    [CLAUSE_REJECT] = 'j',   [CLAUSE_REFERENCE] = 'f', [CLAUSE_CONDITION] = 'c',
    [CLAUSE_QUESTION] = 'q', [CLAUSE_UNREAL] = 'u'};

/* "p[up 3] r[no wait] p[4]" */
static void expect(const char *text, const char *wanted)
{
	struct arena *arena = arena_new();
	struct strbuf got = STRBUF_INIT;
	size_t n;
	const struct clause *c = clauses_split(span_of(text), arena, &n);

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&got, "%s%c[%.*s]", i ? " " : "", letters[c[i].kind],
		            SPAN_ARGS(c[i].text));
	cr_expect_str_eq(got.ptr, wanted, "%s\n  %s\n  instead of\n  %s", text, got.ptr,
	                 wanted);
	strbuf_release(&got);
	arena_free(arena);
}

Test(clauses, are_parted_by_marks_and_ends_of_lines)
{
	expect("", "");
	expect(" \n\n ", "");
	expect("up 3 and 5, hit 2", "p[up 3 and 5] p[hit 2]");
	expect("b2.6 and 3.5 don't part; this does", "p[b2.6 and 3.5 don't part] p[this does]");
	expect("up 3\nhit 2", "p[up 3] p[hit 2]");
	expect("a-b - c", "p[a-b] p[c]");
	expect("up 3 but hit nothing", "p[up 3] p[but hit nothing]");
}

Test(clauses, say_what_they_correct)
{
	expect("a4 to b4, oh no, to c4", "p[a4 to b4] r[oh no] p[to c4]");
	expect("hit 5 sorry i mean 6", "p[hit 5] r[sorry i mean 6]");
	expect("3 and 5 no 6", "p[3 and 5] r[no 6]");
	expect("up 3 and no whack", "p[up 3 and no whack]");
	expect("up 3. Scratch that: up 4", "p[up 3] t[Scratch that] p[up 4]");
	expect("hit 6 instead", "r[hit 6 instead]");
	expect("4 and 5, no, forget 5, 4 and 6", "p[4 and 5] r[no] j[forget 5] p[4 and 6]");
	expect("forget the whack", "p[forget the whack]");
	expect("if Cy hides, 6 instead", "c[if Cy hides] p[6 instead]");
	expect("c3 rather than c4", "j[c3 rather than c4]");
	expect("3 und 5, nein, 3 und 6", "p[3 und 5] r[nein] p[3 und 6]");
}

Test(clauses, of_conditions_and_of_what_is_not_so)
{
	expect("giant mallet unless Cy goes for the crown",
	       "p[giant mallet] c[unless Cy goes for the crown]");
	expect("hit 5 if you can", "p[hit 5] c[if you can]");
	expect("I would have hit 5", "u[I would have hit 5]");
	expect("last turn you hit 4, now I hit 5", "u[last turn you hit 4] p[now I hit 5]");
	expect("same as last time but hit 8", "f[same as last time] p[but hit 8]");
	expect("Comme au tour précédent, mais le 8", "f[Comme au tour précédent] p[mais le 8]");
	expect("wie in der letzten Runde", "f[wie in der letzten Runde]");
	expect("Wie war die letzte Runde?", "q[Wie war die letzte Runde]");
}

Test(clauses, that_ask_are_known_with_and_without_their_mark)
{
	expect("hit 5. what is the score", "p[hit 5] q[what is the score]");
	expect("who is winning, me or Bob? hit 5", "q[who is winning] q[me or Bob] p[hit 5]");
	expect("hit 5, right?", "p[hit 5] q[right]");
	expect("can I hit 5?", "p[can I hit 5]");
	expect("how about 3 and 5", "p[how about 3 and 5]");
	expect("up 3, hit 5 und wer gewinnt", "p[up 3] p[hit 5 und wer gewinnt]");
}

Test(clauses, are_cut_off_after_two_hundred)
{
	struct strbuf text = STRBUF_INIT;
	struct arena *arena = arena_new();
	size_t n;

	strbuf_add_repeat(&text, 'x', 1);
	for (int i = 0; i < 500; i++)
		strbuf_adds(&text, ", no wait x");
	(void)clauses_split(strbuf_span(&text), arena, &n);
	cr_expect_eq(n, 200);
	strbuf_release(&text);
	arena_free(arena);
}
