/*
 * test_picture.c - boards as pictures made of letters.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/utf8.h"
#include "reports/pictures/picture.h"

static void add(struct doc *d, enum doc_shape_kind kind, int frame, int x, int y, int w, int h,
                int tone, const char *text)
{
	struct doc_shape s = {.kind = kind,
	                      .frame = frame,
	                      .x = x,
	                      .y = y,
	                      .w = w,
	                      .h = h,
	                      .tone = tone,
	                      .text = text};

	doc_board_shape(d, s);
}

/* A box with a ball that rolls from the left to the right, 720 by 200. */
static void rolling_ball(struct doc *d)
{
	doc_board(d, "a still");
	doc_board_size(d, 10, 10, 1);
	doc_board(d, "a ball");
	add(d, DOC_RECT, 0, 0, 0, 710, 190, 0, "box");
	add(d, DOC_LINE, 0, 355, 0, 0, 190, 0, "middle");
	add(d, DOC_CIRCLE, 1, 100, 95, 30, 0, 1, "ball");
	add(d, DOC_LABEL, 1, 100, 95, 0, 0, 0, "B");
	add(d, DOC_CIRCLE, 2, 600, 95, 30, 0, 1, "ball");
	add(d, DOC_LABEL, 2, 600, 95, 0, 0, 0, "B");
	doc_board_size(d, 720, 200, 2);
}

static void expect_picture(const struct doc_board *b, int frame, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	report_picture(b, frame, &text);
	cr_expect_str_eq(text.ptr, expected, "frame %d is\n%s", frame, text.ptr);
	strbuf_release(&text);
}

static char *spaced(struct arena *a, const char *left, int gap, const char *right)
{
	return arena_printf(a, "%s%*s%s", left, gap, "", right);
}

Test(picture, a_frame_shows_what_stays_and_what_is_there_now)
{
	static const char rule[] =
	    "+----------------------------------+-----------------------------------+\n";
	struct arena *arena = arena_new();
	const struct doc_board *b;
	struct strbuf text = STRBUF_INIT;
	struct doc d;

	doc_init(&d, arena);
	rolling_ball(&d);
	b = report_moving_board(&d);
	cr_assert_not_null(b);
	cr_assert_str_eq(b->caption, "a ball");
	report_picture(b, 1, &text);
	cr_expect_not_null(strstr(text.ptr, spaced(arena, "|", 6, "######")), "%s", text.ptr);
	cr_expect_not_null(strstr(text.ptr, "###B##"), "%s", text.ptr);
	cr_expect(text.len > 72 && text.ptr[0] == rule[0] && text.ptr[1] == rule[1]);
	strbuf_clear(&text);
	report_picture(b, 2, &text);
	cr_expect_null(strstr(text.ptr, spaced(arena, "|", 6, "######")), "%s", text.ptr);
	cr_expect_not_null(strstr(text.ptr, "###B##"), "%s", text.ptr);
	strbuf_clear(&text);
	report_picture(b, 0, &text);
	cr_expect_null(strchr(text.ptr, 'B'), "%s", text.ptr);
	strbuf_release(&text);
	arena_free(arena);
}

Test(picture, every_shape_has_a_form)
{
	struct arena *arena = arena_new();
	struct doc d;

	doc_init(&d, arena);
	doc_board(&d, "shapes");
	add(&d, DOC_RECT, 0, 0, 0, 70, 70, 0, "");
	add(&d, DOC_LINE, 0, 100, 0, 100, 0, 0, "");
	add(&d, DOC_LINE, 0, 100, 40, 60, 60, 0, "");
	add(&d, DOC_CIRCLE, 0, 300, 60, 50, 0, 0, "");
	add(&d, DOC_CIRCLE, 0, 420, 60, 3, 0, 2, "");
	add(&d, DOC_LABEL, 0, 520, 60, 0, 0, 0, "H\xc3\xa5kon");
	add(&d, DOC_HEXAGON, 0, 650, 80, 50, 0, 0, "");
	doc_board_size(&d, 720, 160, 1);
	cr_assert_null(report_moving_board(&d));
	expect_picture(
	    &d.first->board, 0,
	    "+------+  -----------\n"
	    "|      |                  ........                              //\n"
	    "|      |  \\\\             .        .                          ///  \\\\\\\n"
	    "+------+   \\\\\\           .        .       o       H\xc3\xa5"
	    "kon     |        |\n"
	    "             \\\\          ..      ..                         |        |\n"
	    "               \\\\          ......                           |        |\n"
	    "                                                             \\\\\\  ///\n"
	    "                                                                \\\\\n"
	    "\n");
	arena_free(arena);
}

Test(picture, no_line_is_wider_than_72_columns_whatever_the_proportions)
{
	static const int sizes[][2] = {
	    {1, 1}, {1, 5000}, {5000, 1}, {300, 300}, {100000, 90000}};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct arena *arena = arena_new();
		struct strbuf text = STRBUF_INIT;
		struct span rest, line;
		struct doc d;
		unsigned n = 0;

		doc_init(&d, arena);
		doc_board(&d, "any");
		add(&d, DOC_RECT, 0, 0, 0, sizes[i][0] * 2, sizes[i][1] * 2, 3, "");
		add(&d, DOC_CIRCLE, 0, -5, -5, sizes[i][0], 0, 1, "");
		add(&d, DOC_LABEL, 0, 0, 0, 0, 0, 0,
		    "\033[31m a label that is far too long for any board, and red");
		doc_board_size(&d, sizes[i][0], sizes[i][1], 1);
		report_picture(&d.first->board, 0, &text);
		rest = strbuf_span(&text);
		for (; span_next_line(&rest, &line); n++)
			cr_expect_leq(utf8_width(line), 72, "%.*s", SPAN_ARGS(line));
		cr_expect(n >= 1 && n <= 40, "%u lines", n);
		cr_expect_null(strchr(text.ptr, '\033'));
		strbuf_release(&text);
		arena_free(arena);
	}
}
