/*
 * test_new_game.c - `make game NAME=...`: what it makes is a game that keeps the contract from the first minute.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "processor/base/env.h"
#include "processor/base/subprocess.h"
#include "tests/support/scratch.h"

enum { MOST = 1 << 20, PATIENCE_MS = 280 * 1000 };

/* $1: a folder, $2: the build. Only rules and registry are compiled anew. */
static const char script[] =
    "set -e\n"
    "mkdir -p \"$1/processor\" && cp -r processor/games \"$1/processor\"\n"
    "tests/support/new-game.sh 'Coin toss' \"$1\"\n"
    "! tests/support/new-game.sh coin-toss \"$1\" 2>/dev/null\n"
    "! tests/support/new-game.sh 'toss 2' \"$1\" 2>/dev/null\n"
    "for f in coin_toss/rules registry; do\n"
    "	cc -I\"$1\" -I. -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE"
    " -std=c17 -Wall -Wextra -Werror -c -o \"$1/$(basename $f).o\" "
    "\"$1/processor/games/$f.c\"\n"
    "done\n"
    "cc -o \"$1/contract\" \"$1/rules.o\" \"$1/registry.o\""
    " $(cat \"$2/tests/games/test_contract.parts\") -lcriterion -lsqlite3 -lsodium -lutf8proc -lz\n"
    "env -i PATH=\"$PATH\" GAMES=coin-toss GAMES_PER_KIND=20 \"$1/contract\" 2>&1\n";

Test(new_game, keeps_the_contract_as_it_is_made, .timeout = 300)
{
	const char *build = env_get("MOLEPOST_BUILD");
	char *dir = scratch_new();
	const char *const argv[] = {"/bin/sh", "-c", script, "sh", dir, build ? build : "build",
	                            NULL};
	struct strbuf out = STRBUF_INIT;
	struct failure e = ERR_INIT;
	int code = -1;

	cr_assert_eq(subprocess_run(argv, SPAN_EMPTY, MOST, PATIENCE_MS, &out, &code, &e),
	             ERR_NONE, "%s", e.text.ptr);
	cr_expect_eq(code, 0, "%s", out.ptr);
	strbuf_release(&out);
	scratch_remove(dir);
}
