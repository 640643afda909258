/*
 * test_doc.c - blocks keep what was put into them, in order.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "processor/games/doc.h"

static struct arena *arena;
static struct doc doc;

static void start(void)
{
	arena = arena_new();
	doc_init(&doc, arena);
}

static void stop(void)
{
	arena_free(arena);
}

TestSuite(doc, .init = start, .fini = stop);

Test(doc, blocks_belong_to_the_part_that_was_open)
{
	doc_paragraph(&doc, "%d moles", 3);
	doc_in(&doc, DOC_OWN);
	doc_item(&doc, "yours");
	cr_assert_eq(doc.first->part, DOC_STORY);
	cr_assert_eq(doc.first->kind, DOC_PARAGRAPH);
	cr_assert_str_eq(doc.first->text, "3 moles");
	cr_assert_eq(doc.first->next, doc.last);
	cr_assert_eq(doc.last->part, DOC_OWN);
	cr_assert_null(doc.last->next);
}

Test(doc, a_table_counts_its_rows)
{
	static const struct doc_column columns[] = {{"a", DOC_LEFT}, {"b", DOC_RIGHT}};

	doc_table(&doc, columns, 2);
	for (int i = 0; i < 99; i++)
		doc_cell(&doc, "%d", i);
	cr_assert_eq(doc.last->table.ncells, 99);
	cr_assert_eq(doc.last->table.nrows, 50);
	for (int i = 0; i < 99; i++) {
		char text[12];

		snprintf(text, sizeof text, "%d", i);
		cr_assert_str_eq(doc.last->table.cells[i], text);
	}
}

Test(doc, a_board_keeps_its_three_forms_apart)
{
	struct doc_shape shape = {.kind = DOC_CIRCLE, .x = -5, .tone = 2, .text = NULL};

	doc_board(&doc, "sheet");
	for (int i = 0; i < 40; i++) {
		doc_board_line(&doc, "line %d", i);
		doc_board_linear(&doc, "sentence %d", i);
		shape.y = i;
		doc_board_shape(&doc, shape);
	}
	doc_board_size(&doc, 10, 20, 2);
	cr_assert_eq(doc.last->board.nlines, 40);
	cr_assert_eq(doc.last->board.nlinear, 40);
	cr_assert_eq(doc.last->board.nshapes, 40);
	cr_assert_str_eq(doc.last->board.lines[39], "line 39");
	cr_assert_str_eq(doc.last->board.linear[8], "sentence 8");
	cr_assert_eq(doc.last->board.shapes[17].y, 17);
	cr_assert_str_eq(doc.last->board.shapes[0].text, "");
}

static void fill(struct doc *d, const char *caption, int x)
{
	static const struct doc_column column[] = {{"a", DOC_LEFT}};
	struct doc_shape shape = {.kind = DOC_RECT, .x = x, .text = "r"};

	doc_heading(d, "h");
	doc_example(d, "e");
	doc_table(d, column, 1);
	doc_cell(d, "c");
	doc_board(d, caption);
	doc_board_shape(d, shape);
}

Test(doc, dumps_are_equal_exactly_when_docs_are)
{
	struct strbuf dumps[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
	static const int xs[3] = {-7, -7, 7};

	for (int i = 0; i < 3; i++) {
		doc_init(&doc, arena);
		fill(&doc, "board", xs[i]);
		doc_dump(&doc, &dumps[i]);
	}
	cr_assert_str_eq(dumps[0].ptr, dumps[1].ptr);
	cr_assert_str_neq(dumps[0].ptr, dumps[2].ptr);
	cr_assert(strstr(dumps[0].ptr, " -7 "));
	for (int i = 0; i < 3; i++)
		strbuf_release(&dumps[i]);
}
