/*
 * test_subprocess.c - other programs: fed, heard, timed, never waited for in vain.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <unistd.h>

#include "processor/base/clock.h"
#include "processor/base/subprocess.h"

static enum err shell(const char *line, struct span in, size_t max, int timeout_ms,
                      struct strbuf *out, int *code)
{
	const char *const argv[] = {"sh", "-c", line, NULL};

	strbuf_clear(out);
	return subprocess_run(argv, in, max, timeout_ms, out, code, NULL);
}

Test(command, is_fed_and_heard)
{
	struct strbuf out = STRBUF_INIT;
	int code = -1;

	cr_assert_eq(shell("cat; exit 7", SPAN_LIT("to you"), 100, 10000, &out, &code),
	             ERR_NONE);
	cr_expect_str_eq(out.ptr, "to you");
	cr_expect_eq(code, 7);
	strbuf_release(&out);
}

Test(command, with_more_to_say_than_a_pipe_holds_does_not_stop_the_feeding)
{
	struct strbuf in = STRBUF_INIT, out = STRBUF_INIT;
	int code = -1;

	strbuf_add_repeat(&in, 'x', 1 << 20);
	cr_assert_eq(shell("cat", strbuf_span(&in), 2 << 20, 30000, &out, &code), ERR_NONE);
	cr_expect_eq(out.len, in.len);
	cr_assert_eq(shell("cat", strbuf_span(&in), 10, 30000, &out, &code), ERR_NONE);
	cr_expect_eq(out.len, 10);
	strbuf_release(&in);
	strbuf_release(&out);
}

Test(command, that_does_not_listen_is_no_reason_to_die)
{
	struct strbuf in = STRBUF_INIT, out = STRBUF_INIT;
	int code = -1;

	strbuf_add_repeat(&in, 'x', 1 << 20);
	cr_assert_eq(
	    shell("exec <&-; sleep 0.1; echo no", strbuf_span(&in), 100, 10000, &out, &code),
	    ERR_NONE);
	cr_expect_str_eq(out.ptr, "no\n");
	cr_expect_eq(code, 0);
	strbuf_release(&in);
	strbuf_release(&out);
}

Test(command, that_takes_too_long_is_killed_with_its_children)
{
	struct strbuf out = STRBUF_INIT;
	int64_t start = clock_monotonic_ms();
	int code;

	cr_expect_eq(shell("sleep 60 & sleep 60", SPAN_EMPTY, 100, 200, &out, &code),
	             ERR_TIMEOUT);
	cr_expect_eq(shell("exec >&- 2>&-; sleep 60", SPAN_EMPTY, 100, 200, &out, &code),
	             ERR_TIMEOUT);
	cr_expect_lt(clock_monotonic_ms() - start, 20000);
	strbuf_release(&out);
}

Test(command, that_died_of_a_signal_gives_128_and_more)
{
	struct strbuf out = STRBUF_INIT;
	int code = 0;

	cr_expect_eq(shell("kill -9 $$", SPAN_EMPTY, 100, 10000, &out, &code), ERR_NONE);
	cr_expect_eq(code, 128 + SIGKILL);
	strbuf_release(&out);
}

Test(command, that_is_not_there_is_an_error)
{
	const char *const argv[] = {"no-such-program-here", NULL};
	struct strbuf out = STRBUF_INIT;
	int code;

	cr_expect_eq(subprocess_run(argv, SPAN_EMPTY, 100, 1000, &out, &code, NULL),
	             ERR_NOT_FOUND);
	strbuf_release(&out);
}
