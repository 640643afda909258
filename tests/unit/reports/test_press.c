/*
 * test_press.c - whatever a player writes, its reader sees where it begins and ends.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/report_check.h"
#include "tests/support/report_sample.h"

static const char *const bob_and_cid[] = {"Bob", "Cid"};

static struct report_press letter_with(const char *text, struct arena *arena)
{
	return (struct report_press){.arena = arena,
	                             .game = sample_game(),
	                             .message = {.from = "Ann",
	                                         .from_seat = 1,
	                                         .to = bob_and_cid,
	                                         .nto = 2,
	                                         .written_utc = SAMPLE_NOW,
	                                         .text = span_of(text)},
	                             .reader_owes = true};
}

static void write_report(const struct report_press *r, struct report_out *out)
{
	report_out_release(out);
	report_press(r, out);
	check_letter("message", out);
}

static bool holds(const struct report_out *out, const char *words)
{
	return strstr(out->body.ptr, words) || strstr(out->subject.ptr, words);
}

Test(reports_press, names_writer_and_readers)
{
	struct arena *arena = arena_new();
	struct report_press r = letter_with("Shall we?\n", arena);
	struct report_out out = REPORT_OUT_INIT;

	write_report(&r, &out);
	cr_expect(holds(&out, "[W17 turn 4] message from Ann"), "%s", out.subject.ptr);
	cr_expect(holds(&out, "A message from Ann (seat 1) to you and Cid"), "%s",
	          out.body.ptr);
	cr_expect(holds(&out, "\n  > Shall we?\n"));
	cr_expect(holds(&out, "\n  | press to 1\n"));
	report_out_release(&out);
	arena_free(arena);
}

Test(reports_press, an_unnamed_writer_is_named_nowhere)
{
	struct arena *arena = arena_new();
	struct report_press r = letter_with("Guess who.\n", arena);
	struct report_out out = REPORT_OUT_INIT;

	r.message.from = NULL;
	r.message.from_seat = 0;
	write_report(&r, &out);
	cr_expect(!holds(&out, "Ann") && !holds(&out, "seat 1"), "%s", out.body.ptr);
	cr_expect(!holds(&out, "Cid"), "who else got it may tell who wrote it");
	r.message.to_all = true;
	write_report(&r, &out);
	cr_expect(!holds(&out, "Ann") && !holds(&out, "Cid"), "%s", out.body.ptr);
	cr_expect(holds(&out, "message to all"));
	report_out_release(&out);
	arena_free(arena);
}

/* Every line between the head and our closing words stands behind the mark. */
static void text_is_marked(const struct report_out *out, const char *name)
{
	const char *from = strstr(out->body.ptr, "UTC:\n"), *to;
	struct span rest, line;

	cr_assert(from, "%s", out->body.ptr);
	to = strstr(from, "The lines behind >");
	cr_assert(to, "%s", out->body.ptr);
	rest = (struct span){from + 5, (size_t)(to - from - 5)};
	while (span_next_line(&rest, &line))
		cr_expect(line.len == 0 || span_starts(line, "  >"), "%s: \"%.*s\"", name,
		          SPAN_ARGS(line));
}

Test(reports_press, no_line_of_a_text_leaves_its_mark)
{
	static const char *const texts[] = {
	    "popup 3, whack 5\nRESIGN\n",
	    "== Now: turn 5 ==\n\nWaiting for you.\n",
	    "##### Reply above this line; what stands below is not read. #####\npopup 1\n",
	    "The lines with the marks are mine.\n",
	    "\xe2\x80\xa8popup 3\xe2\x80\xa9whack 5\x0bRESIGN\x0c\x1b[2J\n",
	    "\xe2\x80\xae"
	    "5 kcahw\xe2\x80\xac\n\xef\xbb\xbfpopup 3\n",
	    "a\xff\xfe\x80 broken\r\nline\rends\n",
	    "> quoted\n| barred\n-----BEGIN MOLEPOST RECEIPT 1-----\n",
	    "\n\n\n \n\t\n.\nFrom x\n\n\n",
	    "\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae"
	    "\xbd"
	    "\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae"
	    "\xbd"
	    "\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae"
	    "\xbd"
	    "\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae"
	    "\xbd"
	    "\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae\xbd\xe5\xae"
	    "\xbd\n",
	    "no line end",
	};
	struct arena *arena = arena_new();
	struct report_out out = REPORT_OUT_INIT;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct report_press r = letter_with(texts[i], arena);
		write_report(&r, &out);
		text_is_marked(&out, texts[i]);
	}
	report_out_release(&out);
	arena_free(arena);
}

Test(reports_press, lines_that_a_mail_program_broke_are_joined_and_verses_are_not)
{
	struct arena *arena = arena_new();
	struct report_out out = REPORT_OUT_INIT;
	struct report_press r = letter_with(
	    "This is a sentence that a mail program has broken where it thought fit\n"
	    "to break it, and it goes on.\n\nRoses are red,\nmoles are not.\n",
	    arena);

	write_report(&r, &out);
	cr_expect(
	    holds(&out,
	          "  > This is a sentence that a mail program has broken where it thought\n"
	          "  > fit to break it, and it goes on.\n"
	          "  >\n"
	          "  > Roses are red,\n"
	          "  > moles are not.\n"),
	    "%s", out.body.ptr);
	report_out_release(&out);
	arena_free(arena);
}

Test(reports_press, the_receipt_says_who_gets_it_and_when)
{
	static const char *const notes[] = {"Bot Ada is played by the server."};
	struct report_out out = REPORT_OUT_INIT;
	struct report_press_receipt r = {.game = sample_game(),
	                                 .message = {.from = "Bob",
	                                             .from_seat = 2,
	                                             .to = bob_and_cid,
	                                             .nto = 2,
	                                             .written_utc = SAMPLE_NOW,
	                                             .text = SPAN_LIT("Hi.\n")},
	                                 .notes = notes,
	                                 .nnotes = 1};

	report_press_receipt(&r, &out);
	check_letter("receipt", &out);
	cr_expect(holds(&out, "goes to Bob and Cid. It leaves at once."), "%s", out.body.ptr);
	cr_expect(holds(&out, "- Bot Ada"));
	report_out_release(&out);
	r.waits = true;
	r.message.from = NULL;
	report_press_receipt(&r, &out);
	check_letter("receipt", &out);
	cr_expect(holds(&out, "with the next turn report"), "%s", out.body.ptr);
	cr_expect(holds(&out, "does not say who wrote it"));
	report_out_release(&out);
}
