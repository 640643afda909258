/*
 * test_frames.c - several texts in one stream.
 */
#include <criterion/criterion.h>

#include "processor/frames/frames.h"

static struct frames frames;
static struct failure failure;

static void start(void)
{
	frames = (struct frames)FRAMES_INIT;
	failure = (struct failure)ERR_INIT;
}

static void stop(void)
{
	frames_release(&frames);
	err_release(&failure);
}

TestSuite(frames, .init = start, .fini = stop);

Test(frames, run_to_the_next_head_line)
{
	cr_assert_eq(
	    frames_read(SPAN_LIT("\n== state\na: 1\n\n== orders 2\npopup 3\n== orders 2\n"
	                         "== chance\nlast"),
	                &frames, &failure),
	    ERR_NONE);
	cr_assert_eq(frames.count, 4);
	cr_assert(span_eq_str(frames.items[0].text, "a: 1\n\n"));
	cr_assert_eq(frames.items[1].seat, 2);
	cr_assert_eq(frames.items[1].line, 5);
	cr_assert(span_eq_str(frames.items[1].text, "popup 3\n"));
	cr_assert_eq(frames.items[2].text.len, 0);
	cr_assert(span_eq_str(frames.items[3].text, "last"));
	cr_assert(span_eq_str(frames_text(&frames, "state"), "a: 1"));
	cr_assert_eq(frames_find(&frames, "orders"), &frames.items[2]);
	cr_assert_null(frames_find(&frames, "names"));
	cr_assert_eq(frames_text(&frames, "names").len, 0);
}

Test(frames, that_are_wrong_are_refused_with_the_line)
{
	cr_assert_eq(frames_read(SPAN_LIT("hello\n== state\n"), &frames, &failure),
	             ERR_INVALID);
	cr_assert_eq(frames_read(SPAN_LIT("== \n"), &frames, &failure), ERR_INVALID);
	cr_assert_eq(frames_read(SPAN_LIT("== orders 99\n"), &frames, &failure), ERR_INVALID);
	cr_assert_str_eq(failure.text.ptr, "line 1: \"99\" is no seat");
	cr_assert_eq(frames_read(SPAN_EMPTY, &frames, &failure), ERR_NONE);
	cr_assert_eq(frames.count, 0);
}
