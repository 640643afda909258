/*
 * test_boards.c - boards of the coin game that people design: judged on the command line, and open to
 * others by their name.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

static const char garden[] = "size 300 600\ncircle 150 130 30\nnichee 60 250 240 330\n"
			     "rosserie 20 250 50 300\nwall 60 400 240 400 4\n"
			     "gate 110 520 190 520 6\nramp 120 430 180 490\n";

static void put(struct testbed *s, const char *name, const char *text)
{
	struct failure e = ERR_INIT;
	char *path = scratch_path(s->scratch, name);

	cr_assert_eq(file_create(path, span_of(text), &e), ERR_NONE, "%s", e.text.ptr);
	free(path);
}

/* "board check ARGS FILE" with a file of the scratch folder. */
static void check(struct testbed *s, const char *args, const char *file, struct ran *r)
{
	char *path = scratch_path(s->scratch, file);
	const char *argv[8] = {"board", "check"};
	char *words = strdup(args), *save = NULL;
	size_t n = 2;

	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[n++] = strcmp(w, "FILE") == 0 ? path : w;
	testbed_exec(s, argv, NULL, r);
	free(words);
	free(path);
}

static void expect_said(const struct ran *r, int code, const char *what)
{
	cr_expect_eq(r->code, code, "%d: %s", r->code, r->err.ptr);
	cr_expect(strstr(code ? r->err.ptr : r->out.ptr, what), "\"%s\" is not in:\n%s%s", what,
	          r->out.ptr, r->err.ptr);
}

/* The share of rounds that the mole wins, as it is printed. */
static int share(const struct ran *r)
{
	const char *line = strstr(r->out.ptr, "the mole wins");

	cr_assert(line, "%s", r->out.ptr);
	return (int)strtol(line + strlen("the mole wins"), NULL, 10);
}

Test(boards, are_drawn_and_judged)
{
	struct testbed *s = testbed_new("judge");
	struct ran r, again, longer;

	put(s, "garden", garden);
	check(s, "--rounds 100 FILE", "garden", &r);
	expect_said(&r, 0, "  post         110         520         radius 6");
	expect_said(&r, 0,
	            "   110 |                         ''''''''       H           H       |");
	expect_said(&r, 0, "Bots of level 2 played 100 rounds on it");
	expect_said(&r, 0, "the board is called ba37f5d688c6.");
	check(s, "--rounds 100 FILE", "garden", &again);
	cr_expect_str_eq(again.out.ptr, r.out.ptr);
	check(s, "--rounds 100 FILE molerange=200", "garden", &longer);
	cr_expect(share(&longer) > share(&r) + 10, "%d %% and %d %%", share(&longer),
	          share(&r));
	ran_release(&r);
	ran_release(&again);
	ran_release(&longer);
	testbed_free(s);
}

Test(boards, that_are_none_are_refused_with_the_reason)
{
	static const struct {
		const char *args, *file;
		int code;
		const char *says;
	} cases[] = {
	    {"FILE", "word", 65, "The line \"hello 3\" of the board is none that a board has"},
	    {"FILE", "wall", 65, "no way to the winning line"},
	    {"FILE", "none", 65, "cannot open"},
	    {"FILE size=3", "garden", 65, "Mole has no option \"size\""},
	    {"FILE board", "garden", 65, "name=value"},
	    {"--rounds 0 FILE", "garden", 64, "usage"},
	    {"--level 6 FILE", "garden", 64, "usage"},
	    {"--rounds 5", "garden", 64, "usage"},
	    {"", "garden", 64, "usage"},
	};
	struct testbed *s = testbed_new("refuse");

	put(s, "garden", garden);
	put(s, "word", "hello 3\n");
	put(s, "wall",
	    "size 300 600\ncircle 150 130 30\nnichee 60 250 240 330\nwall 2 400 298 400 2\n");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ran r;

		check(s, cases[i].args, cases[i].file, &r);
		expect_said(&r, cases[i].code, cases[i].says);
		ran_release(&r);
	}
	testbed_free(s);
}

/* The name is all that another player needs. */
Test(boards, go_on_by_their_name)
{
	struct testbed *s = testbed_new("name");
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "create mole board=below as Ann\n%s", garden);
	testbed_write(s, "ann", text.ptr);
	testbed_run(s);
	testbed_write(s, "bob", "create mole board=ba37f5d688c6 players 2 bots 1 as Bob");
	testbed_run(s);
	cr_expect(strstr(testbed_last(s, "bob")->text,
	                 "wall         60 to 240   400         4 on each side"));
	expect_code(s, "fsck", 0);
	strbuf_release(&text);
	testbed_free(s);
}
