/*
 * test_planted.c - the contract bites: mistakes that are planted in the rules of games (planted.txt) make it fail.
 *
 * How they are compiled and looked for stands in planted.py. Kinds that GAMES leaves out are left out.
 */
#include <criterion/criterion.h>

#include "processor/base/env.h"
#include "processor/base/subprocess.h"

enum { MOST = 1 << 20, PATIENCE_MS = 900 * 1000 };

Test(planted, every_mistake_in_the_rules_of_a_game_is_noticed, .timeout = 1000)
{
	const char *build = env_get("MOLEPOST_BUILD"), *clang = env_get("CLANG");
	const char *const argv[] = {"tests/games/planted.py", "tests/games/planted.txt",
	                            build ? build : "build", clang ? clang : "clang", NULL};
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = -1;

	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, MOST, PATIENCE_MS, &out, &code, &e),
	             ERR_NONE, "%s", e.text.ptr);
	cr_expect_eq(code, 0, "%s", out.ptr);
	strbuf_release(&out);
}
