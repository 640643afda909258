/*
 * test_form.c - the form of a conversation: what `...` stands for, what UPDATE=1 keeps, how a file is cut.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "processor/base/file.h"
#include "tests/support/conversation.h"
#include "tests/support/conversation_file.h"
#include "tests/support/expected_text.h"
#include "tests/support/scratch.h"

static bool fits(const char *expected, const char *text)
{
	return expected_text_fits(span_of(expected), span_of(text));
}

Test(form, an_elision_stands_for_any_number_of_lines)
{
	cr_expect(fits("a\nb\n", "a\nb\n"));
	cr_expect(fits("...\n", ""));
	cr_expect(fits("...\n", "a\nb\n"));
	cr_expect(fits("a\n...\n", "a\n"));
	cr_expect(fits("a\n...\nd\n", "a\nb\nc\nd\n"));
	cr_expect(fits("...\nb\n...\nb\nc\n", "a\nb\nb\nb\nc\n"));
	cr_expect_not(fits("a\n", "a\nb\n"));
	cr_expect_not(fits("a\nb\n", "a\n"));
	cr_expect_not(fits("a\n...\nd\n", "a\nb\nd\ne\n"));
	cr_expect_not(fits("...\nb\n...\nb\n", "a\nb\nc\n"));
	cr_expect_not(fits("", "a\n"));
}

Test(form, what_would_be_read_as_form_is_written_behind_a_backslash)
{
	cr_expect(fits("\\...\n\\==== x\n\\\\y\n", "...\n==== x\n\\y\n"));
	cr_expect_not(fits("\\...\n", "a\n"));
}

static void expect_renewed(const char *old, const char *text, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	expected_text_renew(span_of(old), span_of(text), &out);
	cr_expect_str_eq(out.ptr, want);
	cr_expect(fits(out.ptr, text));
	strbuf_release(&out);
}

Test(form, update_keeps_what_is_left_out_and_leaves_out_nothing_else)
{
	expect_renewed("a\n...\nd\n", "a\nb\nc\nd\n", "a\n...\nd\n");
	/* A sentence changes: nothing but its line. */
	expect_renewed("...\nThe game begins now.\n...\n", "one\nThe game begins today.\ntwo\n",
	               "...\nThe game begins today.\n...\n");
	/* It grows by a line that belongs to nothing left out. */
	expect_renewed("The game begins now.\n\nb\n...\n",
	               "The game begins today,\nand so on.\n\nb\nc\n",
	               "The game begins today,\nand so on.\n\nb\n...\n");
	/* It is gone: what stands in its place may be among the lines left out, which are written therefore. */
	expect_renewed("...\nThe game begins now.\n...\nz\n", "one\ntwo\nz\n", "one\ntwo\nz\n");
	/* A new line at an end. */
	expect_renewed("a\n...\nd\n", "a\nb\nd\ne\n", "a\n...\nd\ne\n");
	expect_renewed("", "...\n\\x\n==== y\n=====\n", "\\...\n\\\\x\n\\==== y\n=====\n");
}

Test(form, the_difference_shows_both_lines_and_their_neighbours)
{
	struct strbuf out = STRBUF_INIT;

	expected_text_diff(SPAN_LIT("a\n...\nThe game begins now.\nd\n"),
	                   SPAN_LIT("a\nb\nc\nThe game begins today.\nd\n"), &out);
	cr_expect_str_eq(
	    out.ptr, "    c\n  - The game begins now.\n  + The game begins today.\n    d\n");
	strbuf_release(&out);
}

static void read_text(const char *text, struct conversation_file *f)
{
	char *folder = scratch_new(), *path = scratch_path(folder, "000-x.txt");

	cr_assert(file_create(path, span_of(text), NULL) == ERR_NONE);
	conversation_file_read(path, f);
	free(path);
	scratch_remove(folder);
}

static void expect_block(const struct block *b, enum block_kind kind, unsigned number,
                         const char *who, const char *rest, const char *text)
{
	cr_expect_eq(b->kind, kind, "\"%.*s\" is of kind %d", SPAN_ARGS(b->marker),
	             (int)b->kind);
	cr_expect_eq(b->number, number, "\"%.*s\" has number %u", SPAN_ARGS(b->marker),
	             b->number);
	cr_expect(span_eq_str(b->who, who), "%.*s", SPAN_ARGS(b->who));
	cr_expect(span_eq_str(b->rest, rest), "%.*s", SPAN_ARGS(b->rest));
	cr_expect(span_eq_str(b->text, text), "\"%.*s\"", SPAN_ARGS(b->text));
}

Test(form, a_file_is_cut_at_its_markers)
{
	struct conversation_file f;
	struct span header, body;

	read_text("What it shows.\n\nrecord 1\n\n"
	          "==== ann writes\nSubject: x\n\nhello\n\n\n"
	          "==== 015 bob replies to ann 2\n\nyes\n\n"
	          "==== run\nprinted\n\n"
	          "==== to ann: [W1] a: b\nAttached: W1.txt\n\ntext\n\n"
	          "==== to bob: only this\n\n"
	          "==== clock +3D\n\n==== mx sends\nFrom: x\n",
	          &f);
	cr_expect(span_eq_str(f.setup, "What it shows.\n\nrecord 1\n"));
	cr_assert_eq(f.n, 7);
	expect_block(&f.blocks[0], BLOCK_WRITES, 10, "ann", "", "Subject: x\n\nhello\n\n");
	expect_block(&f.blocks[1], BLOCK_REPLIES, 15, "bob", "ann 2", "\nyes\n");
	expect_block(&f.blocks[2], BLOCK_RUN, 20, "", "", "printed\n");
	expect_block(&f.blocks[3], BLOCK_TO, 0, "ann", "[W1] a: b",
	             "Attached: W1.txt\n\ntext\n");
	block_split(&f.blocks[3], &header, &body);
	cr_expect(span_eq_str(header, "Attached: W1.txt\n\n"));
	cr_expect(span_eq_str(body, "text\n"));
	expect_block(&f.blocks[4], BLOCK_TO, 0, "bob", "only this", "");
	expect_block(&f.blocks[5], BLOCK_CLOCK, 30, "", "+3D", "");
	expect_block(&f.blocks[6], BLOCK_SENDS, 40, "mx", "", "From: x\n");
	conversation_file_free(&f);
}

/* Plays a conversation written here; what it says of it is taken over by the caller. */
static char *played(const char *text)
{
	char *folder = scratch_new(), *path = scratch_path(folder, "000-x.txt");
	struct conversation c;
	char *problem;

	cr_assert(file_create(path, span_of(text), NULL) == ERR_NONE);
	conversation_play(&c, path);
	problem = strbuf_detach(&c.problem);
	strbuf_init(&c.problem);
	conversation_free(&c);
	free(path);
	scratch_remove(folder);
	return problem;
}

static void expect_said(const char *below_the_run, const char *said)
{
	struct strbuf text = STRBUF_INIT;
	char *problem;

	strbuf_addf(&text,
	            "Two ask for help.\n\n==== ann writes\n\nstatus\n\n"
	            "==== bob writes\n\nlist\n\n==== run\n%s",
	            below_the_run);
	problem = played(text.ptr);
	if (*said)
		cr_expect(strstr(problem, said), "\"%s\" is not in: %s", said, problem);
	else
		cr_expect_str_empty(problem);
	free(problem);
	strbuf_release(&text);
}

static const char to_ann[] = "\n==== to ann: How to play by e-mail\n",
		  to_bob[] = "\n==== to bob: Open games: none\n";

Test(form, every_mail_has_to_come_and_no_other, .timeout = 60)
{
	struct strbuf both = STRBUF_INIT;

	scratch_in_memory();
	strbuf_addf(&both, "%s%s", to_ann, to_bob);
	expect_said(both.ptr, "");
	expect_said(to_ann, "to bob: Open games: none");
	expect_said(to_ann, "came, but is not written");
	strbuf_addf(&both, "%s", to_ann);
	expect_said(both.ptr, "did not come");
	strbuf_clear(&both);
	strbuf_addf(&both, "%s%s", to_bob, to_ann);
	expect_said(both.ptr, "came later than it is written");
	strbuf_clear(&both);
	strbuf_addf(&both, "%s\nNo such line.\n...\n%s", to_ann, to_bob);
	expect_said(both.ptr, "came otherwise");
	strbuf_release(&both);
}
