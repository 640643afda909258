/*
 * test_quoted_lines.c - what of a text comes from a mail of ours, or from the program that quotes it.
 */
#include <criterion/criterion.h>

#include "processor/base/strbuf.h"
#include "processor/quotes/quoted_lines.h"
#include "tests/support/processor_time.h"

static const char report_text[] =
    "You scored 8 and are 2nd with 44. Cy\n"
    "hit you at hole 3.\n"
    "\n"
    "Orders for turn 4 are due Sun 15 Mar 18:03 UTC (in 3 days). Reply \n"
    "with them. For example:\n"
    "  | POPUP 1 4; WHACK 2; MOVE B1 C1; MOVE B1 A1; BREED B1; STACK GI\n"
    "  | popup 3, whack 1\n"
    "\n"
    "== The board ==\n"
    "\n"
    "          B1 6 A      B2 5 - h    B3 6 - h    B4 .\n"
    "          AAAAAA      .....       ......\n"
    "    C1 3 - h    C2 5 - h    C3 4 - h    C4 6 - h    C5 4 - h\n"
    "\n"
    "Waiting for you and Bob.\n"
    "\n"
    "-- \n"
    "Game W1, Whakka Mole, turn 4. You are Ann, seat 1 of 3.\n";

/* Sent on 12 March 2026, 18:03 UTC. */
static struct answered_mail report(void)
{
	return (struct answered_mail){.text = span_of(report_text),
	                              .subject = SPAN_LIT("[W1 turn 4] orders due Sun 15 Mar"),
	                              .to = SPAN_LIT("ann@example.net"),
	                              .date_utc = 1773338580};
}

/* Ann's answer to `n` mails, written on a telephone. */
static struct text_origin origin_of(const struct answered_mail *mails, size_t n)
{
	return (struct text_origin){.mails = mails,
	                            .nmails = n,
	                            .address = SPAN_LIT("moles@example.org"),
	                            .name = SPAN_LIT("Molepost"),
	                            .writer = SPAN_LIT("ann@example.net"),
	                            .program = SPAN_LIT("iPhone")};
}

static const struct hash key = {{7}};

static struct line_hashes hashes_of(struct span text, struct arena *arena)
{
	struct line_hashes h = {.key = key};
	struct strbuf digits = STRBUF_INIT;

	line_hashes_add(&digits, &key, text);
	line_hashes_read(strbuf_span(&digits), arena, &h);
	strbuf_release(&digits);
	return h;
}

enum kept { WHOLE, GONE, UNKNOWN };

/* The lines that are left, one behind the other. GONE: of the mail there are two bytes a line. */
static void expect_left(const char *text, const char *own, enum kept kept)
{
	struct arena *arena = arena_new();
	struct strbuf left = STRBUF_INIT;
	struct answered_mail mail = report();

	if (kept == GONE) {
		mail.lines = hashes_of(mail.text, arena);
		mail.text = SPAN_EMPTY;
	}
	struct text_origin origin = origin_of(&mail, kept == UNKNOWN ? 0 : 1);
	struct span rest = quoted_lines_mark(span_of(text), &origin, arena, NULL), line;

	while (span_next_line(&rest, &line))
		if (span_trim(line).len > 0 && line.ptr[0] != '>')
			strbuf_addf(&left, "%s%.*s", left.len ? "|" : "", SPAN_ARGS(line));
	cr_expect_str_eq(left.ptr, own, "\n%s\ngives \"%s\"", text, left.ptr);
	strbuf_release(&left);
	arena_free(arena);
}

static void expect_own(const char *text, const char *own)
{
	expect_left(text, own, WHOLE);
}

#define BOARD                                                        \
	"B1\t6 A\tB2 5 - h\tB3 6 - h\tB4 .\nAAAAAA\n.....\n......\n" \
	"C1 3 \xc2\xad- h\nC2\n5\n\xe2\x80\x93\nh\nC3 4 - h C4 6 - h C5 4 - h\n"

Test(quoted_lines, our_words_go_whatever_a_program_did_to_them)
{
	expect_own("popup 3\n\nYou scored 8 and are 2nd\nwith 44. Cy hit you at hole 3.\n",
	           "popup 3");
	expect_own("popup 3\n   you scored 8 and are 2nd with 44.\xc2\xa0"
	           "Cy hit you at hole 3.  \n",
	           "popup 3");
	expect_own("popup 3\nM> You scored 8 and are 2nd with 44.\nM> Cy hit you at hole 3.\n",
	           "popup 3");
	expect_own(BOARD "popup 3\n", "popup 3");
	expect_own("== The board ==\n" BOARD "move b1 c1\nWaiting for you and Bob.\n",
	           "move b1 c1");
	/* Broken behind '>', the rest of a line stands without it. */
	expect_own(
	    "> Orders for turn 4 are due Sun 15 Mar 18:03 UTC (in 3 days). Reply\nwith them.\n"
	    "> For example:\npopup 3\n",
	    "popup 3");
	/* Below our signature too. */
	expect_own("== The board ==\n" BOARD "\nWaiting for you and Bob.\n\n-- \n"
	           "Game W1, Whakka Mole, turn 4. You are Ann, seat 1 of 3.\n\npopup 3\n",
	           "popup 3");
}

Test(quoted_lines, what_a_writer_repeats_is_theirs)
{
	expect_own("popup 3, whack 1\n", "popup 3, whack 1");
	expect_own("popup 1 4\nwhack 2\nmove b1 c1\nmove b1 a1\nbreed b1\nstack gi\n",
	           "popup 1 4|whack 2|move b1 c1|move b1 a1|breed b1|stack gi");
	expect_own("You scored 8 and are 2nd with 44. Ha!\n",
	           "You scored 8 and are 2nd with 44. Ha!");
	expect_own("Hi,\nWaiting for you and Bob.\npopup 3\n",
	           "Hi,|Waiting for you and Bob.|popup 3");
	/* Copied in the middle of what is quoted. */
	expect_own(
	    "Orders for turn 4 are due Sun 15 Mar 18:03 UTC (in 3 days). Reply with them. For example:\n"
	    "popup 3, whack 1\n"
	    "| POPUP 1 4; WHACK 2; MOVE B1 C1; MOVE B1 A1; BREED B1; STACK GI\n"
	    "| popup 3, whack 1\n== The board ==\n" BOARD,
	    "popup 3, whack 1");
}

Test(quoted_lines, what_is_typed_into_a_line_of_ours_stays)
{
	expect_own("You scored 8 and are 2nd with 44. Cy hit you at hole 3. - whack 5\n",
	           "- whack 5");
	expect_own("popup 3 You scored 8 and are 2nd with 44. Cy hit you at hole 3.\n",
	           "popup 3");
	expect_own(
	    "You scored 8 and are 2nd with 44. whack 5 Cy hit you at hole 3. Orders for turn 4\n",
	    "whack 5");
	/* A word in the place of one of ours: the line is theirs. */
	expect_own(
	    "Orders for turn 4 are due Sun 15 Mar 18:03 UTC (in 3 days). Reply with them. For example:\n"
	    "POPUP 1 7; WHACK 2; MOVE B1 C1; MOVE B1 A1; BREED B1; STACK GI\n",
	    "POPUP 1 7; WHACK 2; MOVE B1 C1; MOVE B1 A1; BREED B1; STACK GI");
	/* What a program puts behind an address, and a letter that was lost. */
	expect_own(
	    "You scored 8 and are 2nd <https://x.example/2nd> with 44. Cy hit you at hole 3.\n",
	    "");
}

Test(quoted_lines, what_programs_write_around_is_known_by_where_it_stands)
{
#define QUOTE \
	"You scored 8 and are 2nd with 44. Cy hit you at hole 3.\n\nOrders for turn 4 are due\n"
	expect_own(
	    "popup 3\n\nV\xc3\xa1laszolt \xc3\xbczenet: Molepost <moles@example.org>\n" QUOTE,
	    "popup 3");
	expect_own(
	    "popup 3\n\n2026. 03. 12. 19:03 keltez\xc3\xa9ssel, Molepost \xc3\xadrta:\n\n" QUOTE,
	    "popup 3");
	expect_own(
	    "popup 3\n\nVon\nMolepost\n12.03.2026 19:03\nAn\nann@example.net\nKopie\n\nThema\n"
	    "[W1 turn 4] orders due Sun 15 Mar\n\n" QUOTE,
	    "popup 3|Von");
	expect_own(
	    "popup 3\n\n________________________________\nL\xc3\xa4hett\xc3\xa4j\xc3\xa4: Molepost <moles@example.org>\n"
	    "L\xc3\xa4hetetty: torstai 12. maaliskuuta 2026 20.03\nVastaanottaja: Ann\n"
	    "Aihe: [W1 turn 4] orders due Sun 15 Mar\n\n" QUOTE,
	    "popup 3");
	expect_own(
	    "popup 3\n\n-----X-----\nSubject: Re: [W1 turn 4] orders due Sun 15 Mar\n" QUOTE,
	    "popup 3");
	/* Words below such a header, and commands with an address or a time above it. */
	expect_own("From: Molepost <moles@example.org>\nSubject: x\n\nhelp\n\n" QUOTE, "help");
	expect_own("invite bob@example.com\nset start 2026-03-20 18:00\n\n" QUOTE,
	           "invite bob@example.com|set start 2026-03-20 18:00");
	expect_own("pass\n" QUOTE, "pass");
	expect_own("Orders:\n" QUOTE, "Orders:");
}

Test(quoted_lines, a_header_of_a_mail_nobody_knows_is_known_by_its_shape)
{
	struct arena *arena = arena_new();
	unsigned header;

	(void)quoted_lines_mark(
	    SPAN_LIT("popup 3\n\nFra: A <a@b.example>\nSendt: i dag\nTil: C\n\nx"), NULL, arena,
	    &header);
	cr_expect_eq(header, 3);
	(void)quoted_lines_mark(SPAN_LIT("press to: Ann\npopup: 3\nwhack: 5\n"), NULL, arena,
	                        &header);
	cr_expect_eq(header, 0);
	arena_free(arena);
}

/* Apple Mail without its marks, Outlook with names alone, Thunderbird; what was ours or the writer's is not theirs. */
Test(quoted_lines, words_below_a_header_of_another_s_mail_are_not_the_forwarder_s)
{
	expect_left("see below\n\nBegin forwarded message:\n\nFrom: Bob <bob@example.net>\n"
	            "Subject: Re: [W1 turn 4] orders due Sun 15 Mar\nDate: 11 March 2026\n"
	            "To: Ann <ann@example.net>\n\npopup 1 2 3; whack 9\n\nBob\n",
	            "see below|Begin forwarded message:", UNKNOWN);
	expect_own("see below\n\nBegin forwarded message:\n\nFrom: Bob <bob@example.net>\n"
	           "Subject: Re: [W1 turn 4] orders due Sun 15 Mar\nDate: 11 March 2026\n"
	           "To: moles@example.org\n\npopup 1 2 3; whack 9\n\n" QUOTE,
	           "see below|Begin forwarded message:");
	expect_own("popup 3\n\nVon: Bob\nGesendet: 11. M\xc3\xa4rz 2026 19:02\nAn: Cy\n"
	           "Betreff: Idee\n\nwhack 5\n",
	           "popup 3");
	expect_own(
	    "-------- Forwarded Message --------\nSubject: x\nDate: Wed, 11 Mar 2026 18:00\n"
	    "From: Bob <bob@example.net>\nTo: ann@example.net\n\nwhack 5\n",
	    "");
	/* Sent to a wrong address first. */
	expect_own(
	    "From: Ann <ann@example.net>\nSent: 11 March 2026 19:02\nTo: x@example.com\n\n"
	    "popup 3\n",
	    "popup 3");
	/* Ours, whom her address book calls otherwise, at her address elsewhere. */
	expect_own("see below\n\nFrom: Moles\nSent: Thursday, March 12, 2026 7:03 PM\n"
	           "To: ann@example.com\nSubject: [W1 turn 4] orders due Sun 15 Mar\n\n" QUOTE
	           "popup 3\n",
	           "see below|popup 3");
	/* An old mail of ours, and words below it. */
	expect_left("From: Molepost <moles@example.org>\nSent: 11 March 2026 19:02\n"
	            "To: Ann <ann@example.net>\nSubject: [W1] x\n\npopup 3\n",
	            "popup 3", UNKNOWN);
}

Test(quoted_lines, what_a_program_puts_below_is_known_by_what_it_says_elsewhere)
{
#define DUTCH                                                                             \
	"Van: Molepost\nVerzonden: donderdag 12 maart 2026 19:02\nAan: ann@example.net\n" \
	"Onderwerp: [W1 turn 4] orders due Sun 15 Mar\n\n" QUOTE "\n"
	expect_own("popup 3\n\nVerzonden vanuit Mail voor Windows\n\n" DUTCH, "popup 3");
	expect_own(DUTCH "popup 3\n\nVerzonden vanuit Mail voor Windows\n", "popup 3");
	expect_own("popup 3\n\niPhone'umdan g\xc3\xb6nderildi\n\n> x\n", "popup 3");
	expect_own("popup 3\nL\xc3\xa4hetetty iPhonesta\n", "popup 3");
	expect_own("popup 3\n\nEnviado con Delta Chat: https://delta.chat\n\n> x\n", "popup 3");
	/* Broken by another program than the rest of the text. */
#define LONG \
	"Orders for turn 4 are due Sun 15 Mar 18:03 UTC (in 3 days). Reply with them. For example:\n"
#define ORDERS(end)                                                                       \
	"I think that this time I should like to go for the moles at holes 3 and 5" end   \
	"and my hammer should fall on hole number 8 of the sheet on my left side, as" end \
	"it did the last time; should that not be possible, then take hole 2"
#define FIRM                                                                             \
	"This e-mail and any attachments are confidential and may be privileged. If\n"   \
	"you are not the intended recipient, please notify the sender immediately and\n" \
	"delete this message. Please consider the environment before printing.\n"
	expect_own("popup 3\n\n" QUOTE "\n" LONG "\n" FIRM, "popup 3");
	expect_own(QUOTE "\n" LONG "\npopup 3\n\n" FIRM, "popup 3");
	expect_own(
	    LONG
	    "\npopup 3\nwhack 5\nThen I would like to have a look at the board as it was in turn 3\n",
	    "popup 3|whack 5|Then I would like to have a look at the board as it was in turn 3");
	/* Words of people. */
	expect_own("Verzonden vanuit Mail\n\npopup 3\n\n" DUTCH,
	           "Verzonden vanuit Mail|popup 3");
	expect_own(DUTCH "verzonden 3 mollen\n", "verzonden 3 mollen");
	expect_own("\ninvite bob@example.com https://example.org\n",
	           "invite bob@example.com https://example.org");
	expect_own(DUTCH "popup low\n\npopup 3 (https://example.org/3)\n",
	           "popup low|popup 3 (https://example.org/3)");
	expect_own("iPhone says popup low\n\n" QUOTE, "iPhone says popup low");
	expect_own("Hi,\n\n" ORDERS("\n") "\n\n" QUOTE "\n" LONG, "Hi,|" ORDERS("|"));
	expect_own("my iPhone says\npopup 3\nhttps://example.org\nwhack 5\n",
	           "my iPhone says|popup 3|https://example.org|whack 5");
}

static size_t count_lines(struct span text)
{
	struct span line;
	size_t n = 0;

	while (span_next_line(&text, &line))
		n++;
	return n;
}

/* As they were sent, indented, or with soft breaks undone; what is to be copied begins with a bar, or is the writer's. */
Test(quoted_lines, of_a_mail_whose_text_is_gone_whole_lines_are_known)
{
	expect_left(
	    "popup 3\n\nFrom: Molepost <moles@example.org>\nSent: Thursday, 12 March 2026 "
	    "18:03\nTo: ann@example.net\nSubject: [W1 turn 4] orders due Sun 15 Mar\n\n"
	    "   You scored 8 and are 2nd with 44. Cy\n   hit you at hole 3.\n\n   Orders for "
	    "turn 4 are due Sun 15 Mar 18:03 UTC (in 3 days). Reply with them. For "
	    "example:\nwhack 6\n   == The board ==\n C1 3 - h C2 5 - h C3 4 - h C4 6 - h C5 "
	    "4 - h\nWaiting for you and Bob.\n",
	    "popup 3|whack 6", GONE);
	expect_left("popup 3, whack 1\nOrders for turn 4 are due\nWaiting for you and Bob.\n",
	            "popup 3, whack 1|Orders for turn 4 are due|Waiting for you and Bob.",
	            GONE);
	expect_left(
	    "hit you at hole 3.\n== The board ==\npopup 3, whack 1\nWaiting for you and "
	    "Bob.\n",
	    "popup 3, whack 1", GONE);
}

Test(quoted_lines, lines_keep_their_numbers)
{
	static const char *const texts[] = {"", "\n", "a", "a\n\n\nb", QUOTE "a" QUOTE BOARD};
	struct arena *arena = arena_new();
	struct answered_mail mail = report();
	struct text_origin origin = origin_of(&mail, 1);

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		cr_expect_eq(
		    count_lines(quoted_lines_mark(span_of(texts[i]), &origin, arena, NULL)),
		    count_lines(span_of(texts[i])));
	arena_free(arena);
}

/* The same words again and again in both, words in lines of their own, nothing but header lines. */
Test(quoted_lines, hostile_texts_take_no_longer_than_others)
{
	static const char *const pieces[] = {
	    "a b ",
	    "a\n",
	    "To: b\n",
	    "\nFrom: a@b\nSent: 12:00 2026\nTo: x\n\nSent a b\n",
	    "From: a@b 12:00 2026\n",
	    "> a:\n1:00\n",
	    "a b c d e f g h\n",
	    "M> x y\n"};
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		struct answered_mail mails[8];
		struct strbuf text = STRBUF_INIT;

		while (text.len < 64 * 1024)
			strbuf_adds(&text, pieces[i]);
		for (size_t k = 0; k < 8; k++) {
			mails[k] = report();
			mails[k].text = strbuf_span(&text);
			mails[k].lines = hashes_of(mails[k].text, arena);
		}
		struct text_origin origin = origin_of(mails, 8);
		double begun = processor_seconds();
		(void)quoted_lines_mark(strbuf_span(&text), &origin, arena, NULL);
		double s = processor_seconds() - begun;
		cr_expect_lt(s, 1.0, "piece %zu: %g s", i, s);
		strbuf_release(&text);
		arena_clear(arena);
	}
	arena_free(arena);
}
