/*
 * report_sample.c - a game to write mails about.
 */
#include "tests/support/report_sample.h"

#include "processor/base/seal.h"

enum { DAY = 86400, HOUR = 3600 };

const char *const sample_names[] = {"", "Ann", "Bob", "Cid"};

struct report_game sample_game(void)
{
	return (struct report_game){.id = "W17",
	                            .kind_title = "Whakka Mole",
	                            .title = "Sunday moles",
	                            .label = "turn 4",
	                            .serial = 4,
	                            .seat = 2,
	                            .seat_name = "Bob",
	                            .nseats = 3,
	                            .mail_number = 7};
}

struct report_clock sample_clock(size_t awaited)
{
	static const char *const names[] = {"Cid", "Bob"};
	return (struct report_clock){.now_utc = SAMPLE_NOW,
	                             .deadline_utc = SAMPLE_NOW + 26 * HOUR - 120,
	                             .awaited = names,
	                             .nawaited = awaited};
}

struct hash sample_hash(unsigned n)
{
	struct strbuf s = STRBUF_INIT;
	strbuf_addf(&s, "sample %u", n);
	struct hash d = hash_of(strbuf_span(&s));
	strbuf_release(&s);
	return d;
}

void sample_examples(struct doc *d, struct arena *a)
{
	doc_init(d, a);
	doc_in(d, DOC_HELP);
	doc_example(d, "POPUP 1 4; WHACK 2");
	doc_example(d, "popup 3, whack 1");
}

static void add_board(struct doc *d)
{
	doc_in(d, DOC_POSITION);
	doc_heading(d, "Turn 4 (of at most 60), first to 50, a hit is worth 6");
	doc_board(d, "Each sheet's owner, and the player he whacks");
	doc_board_line(d, "Ann -> Bob            Bob -> Cid            Cid -> Ann");
	doc_board_line(d, "(1)[ ][ ]             [ ](2)[ ]             [ ][ ][ ]");
	doc_board_line(d, "[ ][X][ ]  hit at 5   [X][ ](6)  hit at 4   [ ][ ][ ]");
	doc_board_line(d, "[ ][ ][ ]             [ ][ ][ ]             [ ][ ][9]");
	doc_board_linear(d, "Sheet of Ann: moles at 1, 5; hit at 5, all lost.");
	doc_board_linear(d, "Sheet of Bob: moles at 2, 4, 6; hit at 4, all lost.");
	doc_board_linear(d, "Sheet of Cid: moles at 9; not hit.");
}

static void add_scores(struct doc *d)
{
	static const struct doc_column columns[] = {
	    {"player", DOC_LEFT}, {"popup", DOC_LEFT},  {"whack", DOC_LEFT},
	    {"moles", DOC_RIGHT}, {"whack", DOC_RIGHT}, {"turn", DOC_RIGHT},
	    {"total", DOC_RIGHT},
	};
	static const char *const cells[] = {
	    "Ann", "1 5",   "4 on Bob HIT",  "0", "6", "6", "21",
	    "Bob", "2 4 6", "3 on Cid miss", "0", "0", "0", "17",
	    "Cid", "9",     "5 on Ann HIT",  "1", "6", "7", "12",
	};
	doc_in(d, DOC_SCORES);
	doc_table(d, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
		doc_cell(d, "%s", cells[i]);
}

void sample_view(struct doc *d, struct arena *a)
{
	doc_init(d, a);
	doc_item(
	    d,
	    "Ann whacked hole 4 on the sheet of Bob and hit: 6 points, and Bob lost 3 moles.");
	doc_item(d, "Bob whacked hole 3 on the sheet of Cid and missed.");
	doc_item(
	    d,
	    "Cid whacked hole 5 on the sheet of Ann and hit: 6 points, and Ann lost 2 moles. "
	    "1 mole of Cid scored.");
	add_board(d);
	add_scores(d);
	doc_in(d, DOC_OWN);
	doc_paragraph(d, "You whack on the sheet of Cid; Ann whacks on yours.");
}

struct span sample_receipt_proof(void)
{
	return SPAN_LIT("-----BEGIN MOLEPOST EVIDENCE-----\n"
	                "W17 4 2 2 2026-03-12T18:02:00Z\n"
	                "3b9f0e6f3a1d5cc1d1a14dbb5b2b9a0c8a4a46dd5ac3f80bb3b1a4d0a3e5f6b7\n"
	                "91c4ee2b7e16d35c58e6ba1dd10be51a9d5c1e2f3a4b5c6d7e8f90a1b2c3d4e5\n"
	                "----- MOLEPOST EVIDENCE ENDS -----\n");
}
