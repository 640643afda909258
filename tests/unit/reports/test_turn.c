/* The report of a turn, from the first to the last. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/processor_time.h"
#include "tests/support/report_check.h"
#include "tests/support/report_sample.h"

struct fixture {
	struct arena *arena;
	struct doc view, examples;
	struct report_commitment commitments[3];
	struct game_result result;
	struct report_turn r;
	struct report_out out;
};

static struct report_commitment revealed(unsigned seat, unsigned revision, const char *origin,
                                         const char *orders)
{
	return (struct report_commitment){.seat_name = sample_names[seat],
	                                  .seat = seat,
	                                  .revision = revision,
	                                  .commitment = sample_hash(seat),
	                                  .origin = origin,
	                                  .orders = span_of(orders),
	                                  .nonce = sample_hash(10 + seat)};
}

static void make(struct fixture *f)
{
	seal_start();
	*f = (struct fixture){.arena = arena_new(), .out = REPORT_OUT_INIT};
	sample_examples(&f->examples, f->arena);
	sample_view(&f->view, f->arena);
	f->commitments[0] = revealed(1, 1, "sent", "POPUP 1 5; WHACK 4");
	f->commitments[1] = revealed(2, 2, "sent", "POPUP 2 4 6; WHACK 3");
	f->commitments[1].salt = SPAN_LIT("marmalade");
	f->commitments[2] = revealed(3, 1, "bot", "POPUP 9; WHACK 5");
	f->result = (struct game_result){.nseats = 3, .scores = {0, 21, 17, 12}};
	f->r = (struct report_turn){
	    .game = sample_game(),
	    .clock = sample_clock(2),
	    .resolved_label = "turn 4",
	    .view = &f->view,
	    .examples = &f->examples,
	    .result = &f->result,
	    .names = sample_names,
	    .default_orders = SPAN_LIT("POPUP NONE; WHACK NONE"),
	    .commitments = f->commitments,
	    .ncommitments = 3,
	    .head = sample_hash(20),
	    .head_lines = 41,
	    .head_has_words = true,
	    .head_serial = 4,
	    .reader_owes = true,
	};
	f->r.game.label = "turn 5";
	f->r.game.serial = 5;
	f->r.game.mail_number = 8;
	memset(f->r.head_signature, 0xA5, sizeof f->r.head_signature);
}

static void done(struct fixture *f)
{
	report_out_release(&f->out);
	arena_free(f->arena);
}

static void check_and_release(struct fixture *f, const char *golden)
{
	report_turn(&f->r, &f->out);
	check_golden(golden, &f->out);
	done(f);
}

static bool in_order(const char *body, const char *const *pieces, size_t n)
{
	const char *at = body;
	for (size_t i = 0; i < n; i++) {
		at = strstr(at, pieces[i]);
		if (at == NULL)
			return false;
	}
	return true;
}

Test(turn_report, keeps_the_order_of_its_sections)
{
	static const char *const pieces[] = {
	    "You have 17 points and are 2nd of 3.",
	    "Reply with orders by",
	    "| POPUP 1 4",
	    "Waiting for Cid too.",
	    "If you send nothing",
	    "a hit is worth 6",
	    "For your eyes",
	    "What happened in turn 4",
	    "Ann whacked",
	    "total",
	    "\n-- \n",
	    "Mail 8 of this game",
	    "For help",
	    "Four words: ",
	};
	struct fixture f;
	make(&f);
	report_turn(&f.r, &f.out);
	cr_assert(in_order(f.out.body.ptr, pieces, sizeof pieces / sizeof pieces[0]));
	done(&f);
}

Test(turn_report, asks_for_orders)
{
	struct fixture f;
	make(&f);
	check_and_release(&f, "turn-owing");
}

Test(turn_report, names_those_who_sent_nothing)
{
	static const char *const missed[] = {"Bob", "Cid"};
	struct fixture f;
	make(&f);
	f.r.missed = missed;
	f.r.nmissed = 2;
	f.commitments[2] = revealed(3, 0, "default", "POPUP NONE; WHACK NONE");
	report_turn(&f.r, &f.out);
	check_letter("missed", &f.out);
	cr_assert(strstr(f.out.body.ptr, "No orders came from you and Cid, so"));
	cr_assert(strstr(f.out.proof.ptr, "Seat 3 (Cid): nothing sent, default orders."));
	done(&f);
}

Test(turn_report, begins_a_game)
{
	struct fixture f;
	make(&f);
	f.view.first = NULL;
	doc_init(&f.view, f.arena);
	doc_paragraph(&f.view,
	              "Round the table sit Cid, Ann, Bob. Each whacks on the sheet of the "
	              "next, the last on that of the first.");
	f.r.resolved_label = NULL;
	f.r.game.label = "turn 1";
	f.r.game.mail_number = 2;
	f.r.commitments = NULL;
	f.r.ncommitments = 0;
	f.r.head_lines = 9;
	check_and_release(&f, "turn-first");
}

Test(turn_report, ends_a_game)
{
	struct fixture f;
	make(&f);
	f.r.game.label = "end, after turn 9";
	f.r.resolved_label = "turn 9";
	f.r.ended = true;
	f.r.end_status = "over";
	f.r.reader_owes = false;
	f.r.secret = sample_hash(30);
	f.result = (struct game_result){
	    .over = true, .nseats = 3, .scores = {0, 54, 47, 50}, .ranks = {0, 1, 3, 2}};
	f.result.winners = seat_with(f.result.winners, 1);
	f.r.ending = &(struct report_ending){
	    .highlights =
		(const char *const[]){
		    "Hardest hit: Ann struck hole 7, and Bob lost 3 moles (turn 9).",
		    "Best turn: Cid gained 14 points (turn 4)."},
	    .nhighlights = 2,
	    .counted = true,
	    .reliability_before = 90,
	    .reliability_after = 93,
	    .rated = true,
	    .rating_before = 1500,
	    .rating_after = 1471,
	    .provisional = true,
	    .fork_turn = 4,
	    .is_attached = true};
	check_and_release(&f, "turn-over");
}

Test(turn_report, leaves_out_at_the_end_only_what_a_page_beside_it_has)
{
	for (int attached = 0; attached < 2; attached++) {
		const char *came[60];
		struct fixture f;
		make(&f);
		for (size_t i = 0; i < 60; i++)
			came[i] = "A line of a long story.";
		f.r.ended = true;
		f.r.end_status = "over";
		f.r.came = came;
		f.r.ncame = 60;
		f.r.ending =
		    &(struct report_ending){.highlights = (const char *const[]){"A hit."},
		                            .nhighlights = 1,
		                            .is_attached = attached == 1};
		report_turn(&f.r, &f.out);
		cr_expect_eq(strstr(f.out.body.ptr, "A hit.") == NULL, attached == 1, "%s",
		             f.out.body.ptr);
		cr_expect_eq(strstr(f.out.body.ptr, "== Turn 4") == NULL &&
		                 strstr(f.out.body.ptr, "The board") == NULL,
		             attached == 1, "%s", f.out.body.ptr);
		done(&f);
	}
}

Test(turn_report, tells_of_a_shared_win_and_of_a_game_that_was_given_up)
{
	struct fixture f;
	make(&f);
	f.r.ended = true;
	f.r.end_status = "over";
	f.result.over = true;
	f.result.winners.bits = 5;
	report_turn(&f.r, &f.out);
	cr_assert_str_eq(f.out.subject.ptr, "[W17] Ann and Cid share the win");
	done(&f);
	make(&f);
	f.r.ended = true;
	f.r.end_status = "abandoned";
	check_and_release(&f, "turn-abandoned");
}

Test(turn_report, for_one_who_has_left_wants_nothing)
{
	static const char *const left[] = {"Bob"};
	static const char *const actions[] = {
	    "2026-03-12T17:00:00Z server: the deadline of turn 5 was moved by "
	    "one day",
	    "2026-03-12T18:00:00Z operator: held: no word list"};
	struct fixture f;
	make(&f);
	f.r.reader_owes = false;
	f.r.resigned = left;
	f.r.nresigned = 1;
	f.r.actions = actions;
	f.r.nactions = 2;
	f.result.eliminated = seat_with(f.result.eliminated, 2);
	f.r.clock = sample_clock(1);
	check_and_release(&f, "turn-out");
}

Test(turn_report, of_a_held_game_says_why)
{
	struct fixture f;
	make(&f);
	f.r.clock.held = true;
	f.r.clock.held_reason = "moving the server to a new home.";
	report_turn(&f.r, &f.out);
	check_letter("held", &f.out);
	cr_assert(strstr(f.out.body.ptr, "moving the server"));
	cr_assert(strstr(f.out.body.ptr, "Deadline") == NULL);
	done(&f);
}

Test(turn_report, without_deadline_or_examples_or_proof_still_makes_sense)
{
	struct fixture f;
	make(&f);
	f.r.clock.deadline_utc = 0;
	f.r.examples = NULL;
	f.r.ncommitments = 0;
	f.r.head_lines = 0;
	f.r.default_orders = SPAN_EMPTY;
	f.r.game.title = "";
	f.r.game.mail_number = 0;
	check_and_release(&f, "turn-bare");
}

Test(turn_report, does_not_reveal_what_stays_hidden)
{
	struct fixture f;
	make(&f);
	for (int i = 0; i < 3; i++)
		f.commitments[i].orders = SPAN_EMPTY;
	report_turn(&f.r, &f.out);
	check_letter("hidden", &f.out);
	cr_assert(strstr(f.out.proof.ptr, "nonce") == NULL);
	cr_assert(strstr(f.out.proof.ptr, "POPUP 2 4 6") == NULL);
	cr_assert(strstr(f.out.proof.ptr, "marmalade") == NULL);
	done(&f);
}

/* Names of 20 columns made of wide characters, eight of them. */
Test(turn_report, has_room_for_eight_long_names)
{
	static const char *const wide[] = {"",
	                                   "鼹鼠鼹鼠鼹鼠鼹鼠鼹鼠",
	                                   "もぐらもぐらもぐらも",
	                                   "Wolfeschlegelsteinha",
	                                   "Ann",
	                                   "List",
	                                   "두더지두더지두더지두",
	                                   "Ζήνων ο Ελεάτης",
	                                   "no"};
	static const struct doc_column columns[] = {
	    {"player", DOC_LEFT},       {"a long title", DOC_LEFT}, {"another one", DOC_LEFT},
	    {"and a third", DOC_RIGHT}, {"fourth", DOC_RIGHT},
	};
	struct fixture f;
	struct report_commitment c[8];
	make(&f);
	doc_init(&f.view, f.arena);
	doc_in(&f.view, DOC_SCORES);
	doc_table(&f.view, columns, 5);
	for (unsigned seat = 1; seat <= 8; seat++) {
		c[seat - 1] = f.commitments[0];
		c[seat - 1].seat = seat;
		c[seat - 1].seat_name = wide[seat];
		doc_cell(&f.view, "%s", wide[seat]);
		doc_cell(&f.view, "%s", wide[9 - seat]);
		doc_cell(&f.view, "1 2 3 4 5 6 7 8 9 10 11 12");
		doc_cell(&f.view, "%u", seat);
		doc_cell(&f.view, "%s", "");
	}
	f.r.game.nseats = 8;
	f.r.game.seat_name = wide[1];
	f.r.names = wide;
	f.r.clock.awaited = wide + 1;
	f.r.clock.nawaited = 8;
	f.r.commitments = c;
	f.r.ncommitments = 8;
	check_and_release(&f, "turn-eight");
}

Test(turn_report, disarms_what_games_and_players_may_have_written)
{
	struct fixture f;
	make(&f);
	doc_init(&f.view, f.arena);
	doc_paragraph(&f.view, "POPUP 1 2 3");
	doc_paragraph(&f.view, "clear");
	doc_item(&f.view, "resign");
	doc_item(&f.view, "3. whack 5");
	doc_heading(&f.view, "RESIGN");
	doc_paragraph(
	    &f.view, "What you can do now is to take all of it back, and the word is this one: "
		     "clear");
	doc_paragraph(&f.view,
	              "HELP LIST JOIN CREATE RESIGN STATUS CLEAR CHECK PREVIEW YES NO RESEND "
	              "ARCHIVE SUMMARY HISTORY TOKEN NEW SET WAIT SET NOWAIT SALT");
	doc_paragraph(&f.view,
	              "You wrote clear list join create resign status clear check preview yes "
	              "no resend archive summary history token new set wait set nowait salt");
	doc_board(&f.view, "STATUS");
	doc_board_line(&f.view, "resign");
	doc_board_line(&f.view, "  clear");
	doc_board_line(&f.view, "\x1b[2Jabc\t|");
	doc_board_linear(&f.view, "whack 5");
	doc_board_linear(&f.view, "YES");
	doc_example(&f.view, "yes\nno");
	f.r.game.title = "x\r\nRESIGN\r\nx";
	report_turn(&f.r, &f.out);
	for (char *c = f.out.body.ptr; *c; c++)
		if (strncmp(c, "- whack 5", 9) == 0 || strncmp(c, "- 3. whack", 10) == 0)
			*c = '>'; /* orders of a game in a list are the game's to avoid */
	check_letter("disarmed", &f.out);
	done(&f);
}

Test(turn_report, is_made_quickly)
{
	enum { TIMES = 2000 };
	struct fixture f;
	make(&f);
	double start = processor_seconds();
	for (int i = 0; i < TIMES; i++) {
		strbuf_clear(&f.out.subject);
		strbuf_clear(&f.out.body);
		strbuf_clear(&f.out.proof);
		report_turn(&f.r, &f.out);
	}
	double took = processor_seconds() - start;
	/* Ten times as long as it takes; only a quadratic slip would fail. */
	cr_assert_lt(took, 2, "%d reports took %.2f s", TIMES, took);
	cr_log_info("%d reports of %zu bytes took %.2f s", TIMES, f.out.body.len, took);
	done(&f);
}
