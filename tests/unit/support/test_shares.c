/*
 * test_shares.c - the counts of what serves one place only: a rise is refused and says where.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/file.h"
#include "processor/base/strbuf.h"
#include "tests/support/scratch.h"

/* Runs a script in the scratch tree; what it printed goes to `out`. */
static int shell(const char *tree, const char *script, struct strbuf *out)
{
	struct strbuf words = STRBUF_INIT;
	char *said = scratch_path(tree, "said");

	strbuf_addf(&words, "cd '%s' && { %s\n} >said 2>&1", tree, script);
	int status = system(words.ptr);
	strbuf_clear(out);
	cr_assert_eq(file_read(said, 1 << 16, out, NULL), ERR_NONE);
	strbuf_release(&words);
	free(said);
	return status;
}

Test(shares, a_rise_is_refused_and_says_where)
{
	char *tree = scratch_new(), *here = realpath("tests/support/shares.sh", NULL);
	struct strbuf out = STRBUF_INIT;

	cr_assert(here);
	cr_assert_eq(setenv("SHARES", here, 1), 0);
	cr_assert_eq(
	    shell(tree,
	          "mkdir -p processor/a mail store reports tests/support\n"
	          "printf 'static int twice(int n)\\n{\\n\\treturn 2 * n;\\n}\\n\\n"
	          "int four(int n)\\n{\\n\\treturn twice(n) + twice(n);\\n}\\n' "
	          ">processor/a/four.c\n"
	          "printf 'int one(void)\\n{\\n\\treturn four(1);\\n}\\n' >processor/a/one.c\n"
	          "printf 'int two(void)\\n{\\n\\treturn four(2);\\n}\\n' >processor/a/two.c\n"
	          "git init -q . && \"$SHARES\" UPDATE && git add -A &&\n"
	          "git -c user.name=t -c user.email=t@example.net commit -qm first\n"
	          "\"$SHARES\"",
	          &out),
	    0, "%s", out.ptr);
	/* "once (" in a comment or a string is no use of it. */
	cr_assert_neq(
	    shell(
		tree,
		"printf '/* once(n) */\\nstatic int once(int n)\\n{\\n\\treturn n;\\n}\\n"
		"\\nint last(int n)\\n{\\n\\tputs(\"once(n)\");\\n\\treturn once(n);\\n}\\n' "
		">processor/a/last.c\n"
		"printf 'int five(void)\\n{\\n\\treturn last(1);\\n}\\n' >processor/a/five.c\n"
		"\"$SHARES\"",
		&out),
	    0, "%s", out.ptr);
	cr_expect(strstr(out.ptr, "processor/a/last.c: once\n"), "%s", out.ptr);
	cr_expect(strstr(out.ptr, "processor/a/last.c: last\n"), "%s", out.ptr);
	cr_expect_null(strstr(out.ptr, "four"), "%s", out.ptr);
	cr_expect_null(strstr(out.ptr, "twice"), "%s", out.ptr);
	/* A second use of each, and it is fine. */
	cr_expect_eq(
	    shell(
		tree,
		"printf 'int six(int n)\\n{\\n\\treturn last(1) + once(n);\\n}\\n' "
		">>processor/a/last.c\n"
		"printf 'int seven(void)\\n{\\n\\treturn last(1);\\n}\\n' >>processor/a/one.c\n"
		"\"$SHARES\"",
		&out),
	    0, "%s", out.ptr);
	strbuf_release(&out);
	free(here);
	scratch_remove(tree);
}
