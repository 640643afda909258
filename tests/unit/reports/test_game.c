/* Welcome, list, status, summary: how a game looks from outside and between turns. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/report_check.h"
#include "tests/support/report_sample.h"

static const struct doc no_rules;

static struct report_welcome welcome(const char *const *names, const struct doc *examples)
{
	struct report_welcome w = {.game = sample_game(),
	                           .seats_taken = 2,
	                           .names = names,
	                           .options = "target=30",
	                           .next = "3D",
	                           .fair = {sample_hash(1), sample_hash(2)},
	                           .about = "Grow roots. The most leaves win.",
	                           .basics = &no_rules,
	                           .examples = examples};
	w.game.label = "";
	w.game.mail_number = 1;
	return w;
}

static void check_welcome(const char *golden, const struct report_welcome *w)
{
	struct report_out out = REPORT_OUT_INIT;
	report_welcome(w, &out);
	check_golden(golden, &out);
	report_out_release(&out);
}

Test(welcome, says_what_comes_next)
{
	static const char *const names[] = {"", "Ann", "Bob (you)", NULL};
	struct arena *a = arena_new();
	struct doc examples;
	seal_start();
	sample_examples(&examples, a);
	struct report_welcome w = welcome(names, &examples);
	check_welcome("welcome-joined", &w);
	arena_free(a);
}

Test(welcome, of_a_private_game_tells_its_creator_how_to_invite)
{
	static const char *const names[] = {"", NULL, "Bob (you)", NULL};
	seal_start();
	struct report_welcome w = welcome(names, NULL);
	w.created = w.is_private = true;
	w.join_key = "walnut";
	w.options = "";
	w.seats_taken = 1;
	check_welcome("welcome-private", &w);
	w.is_private = false;
	w.join_key = NULL;
	w.next = "90M";
	check_welcome("welcome-public", &w);
}

Test(welcome, asks_a_stranger_for_confirmation_first)
{
	static const char *const names[] = {"", "Ann", "Bob (you)", "Robot Cid"};
	static const char *const notes[] = {"Robot Cid plays by itself."};
	seal_start();
	struct report_welcome w = welcome(names, NULL);
	w.waiting_confirmation = true;
	w.seats_taken = 3;
	w.bots = "Bot Ada plays at level 2 of 5.";
	w.next = "1W";
	w.notes = notes;
	w.nnotes = 1;
	check_welcome("welcome-confirm", &w);
}

static struct report_list_row row(const char *id, const char *title, unsigned taken)
{
	return (struct report_list_row){.id = id,
	                                .kind_title = "Whakka Mole",
	                                .title = title,
	                                .status = "gathering",
	                                .options = "",
	                                .next = "3D",
	                                .nseats = 3,
	                                .taken = taken,
	                                .label = "",
	                                .secret_hash = sample_hash(taken)};
}

Test(list, shows_the_open_games_and_how_to_join)
{
	struct report_out out = REPORT_OUT_INIT;
	seal_start();
	struct report_list_row rows[] = {row("W17", "Sunday moles", 1), row("W18", "", 2)};
	rows[1].bots = 1;
	rows[1].options = "target=30 holes=12";
	struct report_list r = {.rows = rows, .nrows = 2, .now_utc = SAMPLE_NOW};
	report_list(&r, &out);
	check_golden("list-open", &out);
	report_out_release(&out);
}

Test(list, tells_open_games_from_those_of_the_reader)
{
	struct report_out out = REPORT_OUT_INIT;
	seal_start();
	struct report_list_row rows[] = {row("W17", "", 3), row("W18", "", 2)};
	rows[0].status = "running";
	struct report_list r = {.rows = rows, .nrows = 2, .now_utc = SAMPLE_NOW};
	report_list(&r, &out);
	check_letter("own games", &out);
	cr_assert(strstr(out.body.ptr, "the open games, and your own"));
	cr_assert(strstr(out.body.ptr, "| join W18"));
	report_out_release(&out);
}

Test(list, of_one_game_names_its_players)
{
	static const char *const names[] = {"", "Ann", "Bob", "Cid"};
	struct report_out out = REPORT_OUT_INIT;
	seal_start();
	struct report_list_row one = row("W17", "Sunday moles", 3);
	one.status = "running";
	one.label = "turn 4";
	one.deadline_utc = SAMPLE_NOW + 93600;
	one.is_private = true;
	struct report_list r = {
	    .rows = &one, .nrows = 1, .one = true, .names = names, .now_utc = SAMPLE_NOW};
	report_list(&r, &out);
	check_golden("list-one", &out);
	report_out_release(&out);
}

Test(list, of_nothing_shows_how_to_open_a_game)
{
	struct report_out out = REPORT_OUT_INIT;
	struct report_list r = {.now_utc = SAMPLE_NOW};
	seal_start();
	report_list(&r, &out);
	check_golden("list-none", &out);
	report_out_release(&out);
}

static struct report_status status(struct doc *view, struct doc *examples, struct arena *a)
{
	static const char *const names[] = {"", "Ann", "Bob (you)", "Cid"};

	sample_view(view, a);
	sample_examples(examples, a);
	return (struct report_status){.game = sample_game(),
	                              .clock = sample_clock(1),
	                              .status = "running",
	                              .canonical = SPAN_LIT("POPUP 3; WHACK 5"),
	                              .revision = 2,
	                              .received_utc = SAMPLE_NOW - 3600,
	                              .default_orders = SPAN_LIT("POPUP NONE; WHACK NONE"),
	                              .reader_owes = true,
	                              .names = names,
	                              .view = view,
	                              .examples = examples};
}

Test(status, shows_my_orders_and_who_is_awaited)
{
	struct report_out out = REPORT_OUT_INIT;
	struct arena *a = arena_new();
	struct doc view, examples;
	seal_start();
	struct report_commitment c = {.seat_name = "Bob",
	                              .seat = 2,
	                              .revision = 2,
	                              .commitment = sample_hash(2),
	                              .origin = "sent"};
	struct report_status r = status(&view, &examples, a);
	r.commitments = &c;
	r.ncommitments = 1;
	report_status(&r, &out);
	check_golden("status-sent", &out);
	report_out_release(&out);
	arena_free(a);
}

Test(status, without_orders_says_what_would_happen)
{
	struct report_out out = REPORT_OUT_INIT;
	struct arena *a = arena_new();
	struct doc view, examples;
	seal_start();
	struct report_status r = status(&view, &examples, a);
	r.canonical = SPAN_EMPTY;
	r.clock = sample_clock(2);
	r.view = NULL;
	report_status(&r, &out);
	check_golden("status-owing", &out);
	report_out_release(&out);
	arena_free(a);
}

Test(status, of_a_game_that_has_not_begun_shows_the_seats)
{
	static const char *const names[] = {"", "Ann", "Bob (you)", NULL};
	struct report_out out = REPORT_OUT_INIT;
	struct report_status r = {.game = sample_game(), .status = "gathering", .names = names};
	seal_start();
	r.game.label = "";
	report_status(&r, &out);
	check_golden("status-gathering", &out);
	report_out_release(&out);
}

Test(summary, is_one_line_a_turn)
{
	static const char *const one[] = {NULL, "6", "0", "7"};
	static const char *const two[] = {NULL, "21", "17", "12"};
	static const struct report_summary_row rows[] = {
	    {.label = "turn 1", .sealed_utc = SAMPLE_NOW - 900000, .scores = one},
	    {.label = "turn 2", .sealed_utc = SAMPLE_NOW - 86400, .scores = two, .missed = 1},
	};
	struct report_out out = REPORT_OUT_INIT;
	struct report_summary r = {
	    .game = sample_game(), .names = sample_names, .rows = rows, .nrows = 2};
	report_summary(&r, &out);
	check_golden("summary", &out);
	report_out_release(&out);
}

Test(summary, of_eight_seats_with_long_names_fits)
{
	static const char *const names[] = {"",
	                                    "鼹鼠鼹鼠鼹鼠鼹鼠鼹鼠",
	                                    "Wolfeschlegelsteinha",
	                                    "Ann",
	                                    "Bob",
	                                    "Cid",
	                                    "Bartholomew",
	                                    "Eve",
	                                    "Zoe"};
	static const char *const scores[] = {NULL, "121", "7", "44",  "0",
	                                     "-6", "12",  "8", "1000"};
	static const struct report_summary_row rows[] = {
	    {.label = "round 2, setup of everything",
	     .sealed_utc = SAMPLE_NOW,
	     .scores = scores,
	     .missed = 8},
	    {.label = "round 12", .sealed_utc = SAMPLE_NOW, .scores = scores},
	    {.label = "turn 3", .scores = scores},
	};
	struct report_out out = REPORT_OUT_INIT;
	struct report_summary r = {
	    .game = sample_game(), .names = names, .rows = rows, .nrows = 3};
	r.game.nseats = 8;
	report_summary(&r, &out);
	check_golden("summary-eight", &out);
	report_out_release(&out);
}

Test(summary, of_a_game_without_turns_says_so)
{
	struct report_out out = REPORT_OUT_INIT;
	static const char *const names[] = {"", "Ann", NULL, NULL};
	struct report_summary r = {.game = sample_game(), .names = names};
	report_summary(&r, &out);
	check_letter("summary-none", &out);
	cr_assert(strstr(out.body.ptr, "So far no turn is over"));
	report_out_release(&out);
}
