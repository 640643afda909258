/*
 * test_subcommands.c - the table of subcommands, its help and its suggestions.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/nearest.h"
#include "processor/cli/command_line.h"

Test(cli, every_command_is_found_by_its_name_and_described)
{
	size_t n = 0;

	for (size_t i = 0; cli_at(i); i++, n++) {
		const struct cli_command *c = cli_at(i);

		cr_expect_eq(cli_find(c->name), c);
		cr_expect_not_null(c->run);
		cr_expect_eq(strncmp(c->usage, c->name, strlen(c->name)), 0, "%s", c->usage);
		cr_expect(c->summary == NULL ? strncmp(c->name, "test-", 5) == 0
		                             : strlen(c->name) <= 10);
	}
	cr_expect_gt(n, 10);
	cr_expect_null(cli_at(n));
	cr_expect_null(cli_find("rum"));
	cr_expect_null(cli_find(""));
}

Test(cli, a_misspelt_command_is_suggested_a_hidden_one_never)
{
	cr_expect_str_eq(cli_suggest("rnu"), "run");
	cr_expect_str_eq(cli_suggest("recieve"), "receive");
	cr_expect_str_eq(cli_suggest("docter"), "doctor");
	cr_expect_null(cli_suggest("test-dum"));
	cr_expect_null(cli_suggest("elephant"));
	cr_expect_null(cli_suggest(""));
}

Test(cli, help_of_a_command_is_printed_where_output_goes)
{
	char text[512] = "";
	struct cli cli = {.out = fmemopen(text, sizeof(text), "w"), .command = cli_find("run")};

	cr_assert_not_null(cli.out);
	cr_expect_eq(cli_help(&cli), EXIT_DONE);
	fclose(cli.out);
	cr_expect_not_null(strstr(text, "usage: molepost [-C DIR] run"));
}

static unsigned errors(const char *a, const char *b)
{
	return typing_errors(span_of(a), span_of(b), 3);
}

Test(nearest, typing_errors_are_counted)
{
	cr_expect_eq(errors("status", "STATUS"), 0);
	cr_expect_eq(errors("stauts", "status"), 1);
	cr_expect_eq(errors("statu", "status"), 1);
	cr_expect_eq(errors("statuss", "status"), 1);
	cr_expect_eq(errors("stetus", "status"), 1);
	cr_expect_eq(errors("sttaus", "status"), 1);
	cr_expect_eq(errors("satsut", "status"), 3);
	cr_expect_eq(errors("", "abc"), 3);
	cr_expect_eq(errors("", ""), 0);
	cr_expect_eq(errors("abcd", "wxyz"), 4);
	cr_expect_eq(errors("a", "abcdefgh"), 4);
	cr_expect_eq(errors("ca", "abc"), 3);
}

Test(nearest, the_distance_is_the_same_both_ways)
{
	static const char *const words[] = {"",    "a",       "ab",      "ba",
	                                    "abc", "acb",     "run",     "rnu",
	                                    "urn", "receive", "recieve", "status"};
	enum { N = sizeof(words) / sizeof(words[0]) };

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			cr_expect_eq(errors(words[i], words[j]), errors(words[j], words[i]));
}

Test(nearest, long_words_are_near_only_when_equal)
{
	static const char a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

	cr_expect_eq(errors(a, a), 0);
	cr_expect_eq(errors(a, a + 1), 4);
}
