/*
 * test_ratings.c - reliability and rating of games that were played by mail: they follow from the
 * archives, can be dropped and made anew, and outlive the players.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/archive/archive.h"
#include "processor/base/err.h"
#include "processor/match/ratings_update.h"
#include "processor/match/standings.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/server.h"
#include "tests/support/conversation.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { HOUR_S = 3600 };

#define RULES "turns=4 misses 2 next 1D grace 6H remind none"

static void turn(struct testbed *s, const char *const *who, unsigned hours)
{
	for (; *who; who++)
		testbed_reply(s, *who, "popup 1; whack 2");
	testbed_run(s);
	testbed_wait(s, hours * HOUR_S);
	testbed_run(s);
}

/*
 * W1: Bob sends nothing and loses his seat, Dan takes it over, Cy is late once and resigns at last.
 * W2: Ann and Bob, played to the end. W3: Eve against bots. W4: abandoned.
 */
static struct testbed *played(void)
{
	struct testbed *s;

	scratch_in_memory();
	s = testbed_new("ratings");
	testbed_write(s, "ann", "create whakka mole players 3 " RULES);
	testbed_run(s);
	testbed_write(s, "bob", "join w1");
	testbed_write(s, "cy", "join w1");
	testbed_run(s);
	turn(s, (const char *const[]){"ann", "cy", NULL}, 31);
	turn(s, (const char *const[]){"ann", "cy", NULL}, 31);
	testbed_write(s, "dan", "takeover w1");
	testbed_run(s);
	testbed_reply(s, "dan", "yes");
	testbed_run(s);
	turn(s, (const char *const[]){"ann", "dan", NULL}, 25);
	turn(s, (const char *const[]){"cy", NULL}, 1);
	testbed_reply(s, "cy", "resign");
	testbed_run(s);
	testbed_reply(s, "cy", "yes");
	turn(s, (const char *const[]){"ann", "dan", NULL}, 31);
	testbed_write(s, "ann", "create whakka mole players 2 turns=2");
	testbed_run(s);
	testbed_write(s, "bob", "join w2");
	testbed_run(s);
	turn(s, (const char *const[]){"ann", "bob", NULL}, 1);
	turn(s, (const char *const[]){"ann", "bob", NULL}, 1);
	testbed_write(s, "eve", "create whakka mole players 2 bots 1 turns=1");
	testbed_run(s);
	turn(s, (const char *const[]){"eve", NULL}, 1);
	testbed_write(s, "ann", "create whakka mole players 2 next 1D misses 9 remind none");
	testbed_run(s);
	testbed_write(s, "fay", "join w4");
	testbed_run(s);
	for (int i = 0; i < 4; i++)
		turn(s, (const char *const[]){NULL}, 26);
	return s;
}

/* The lines of a dump that begin with these words. */
static void lines_of(struct testbed *s, const char *const *tables, struct strbuf *out)
{
	struct strbuf dump = STRBUF_INIT;
	struct span rest, line;

	testbed_dump(s, &dump);
	rest = strbuf_span(&dump);
	while (span_next_line(&rest, &line))
		for (size_t i = 0; tables[i]; i++)
			if (span_starts(line, tables[i]))
				strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
	strbuf_release(&dump);
}

static const char *const figures[] = {"standings ", "ratings ", NULL};

static bool dump_has(struct strbuf *dump, const char *line)
{
	bool yes = strstr(dump->ptr, line) != NULL;

	cr_expect(yes, "not there: %s in\n%s", line, dump->ptr);
	return yes;
}

Test(ratings, what_people_did_is_what_is_counted)
{
	struct testbed *s = played();
	struct strbuf dump = STRBUF_INIT;

	lines_of(s, figures, &dump);
	/* Players by number: ann 1, bob 2, cy 3, dan 4, eve 5, fay 6. */
	cr_assert(dump_has(&dump, "standings game=1 place=1 player=1 rank=1 marks=++++\n"));
	cr_assert(dump_has(&dump, "standings game=1 place=2 player=2 rank=4 marks=--\n"));
	cr_assert(dump_has(&dump, "standings game=1 place=3 player=4 rank=0 marks=++\n"));
	cr_assert(dump_has(&dump, "standings game=1 place=4 player=3 rank=4 marks=++~\n"));
	cr_assert(dump_has(&dump, "standings game=2 place=1 player=1 rank="));
	cr_assert_null(strstr(dump.ptr, "game=3"));
	cr_assert(dump_has(&dump, "standings game=4 place=2 player=6 rank=0 marks=---\n"));
	expect_sound(s);
	strbuf_release(&dump);
	testbed_free(s);
}

Test(ratings, what_is_dropped_and_made_anew_is_the_same)
{
	struct testbed *s = played();
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct ran r;

	lines_of(s, figures, &before);
	cr_assert_gt(before.len, 500);
	testbed_do(s, "ratings rebuild", NULL, &r);
	cr_expect_eq(r.code, 0, "%s%s", r.out.ptr, r.err.ptr);
	ran_release(&r);
	lines_of(s, figures, &after);
	cr_assert_str_eq(before.ptr, after.ptr);
	expect_sound(s);
	strbuf_release(&before);
	strbuf_release(&after);
	testbed_free(s);
}

/* Of a record read from an archive: its position stands nowhere in the text. */
static void standings_of_archive(struct span text, const struct seat_holder *holders, size_t n,
                                 struct arena *arena, struct standings *out)
{
	struct failure e = ERR_INIT;
	struct archive *a;
	struct strbuf state = STRBUF_INIT;

	cr_assert_eq(archive_open(text, &a, &e), ERR_NONE);
	size_t last = archive_turn_count(a) - 1;
	struct record r = *archive_record(a);
	struct record_turn *turns = arena_calloc(arena, r.nturns, sizeof(*turns));
	memcpy(turns, r.turns, r.nturns * sizeof(*turns));
	archive_rules(a)->encode(archive_state(a, last, &e), &state);
	turns[last].state = strbuf_span(&state);
	r.turns = turns;
	cr_assert_eq(standings_record(&r, archive_rules(a), holders, n, arena, out, &e),
	             ERR_NONE);
	for (size_t i = 0; i < out->n; i++)
		out->places[i].marks = arena_dup(arena, out->places[i].marks);
	strbuf_release(&state);
	archive_free(a);
	err_release(&e);
}

static void compare_game(struct testbed *s, struct server *srv, int64_t game)
{
	struct strbuf text = STRBUF_INIT;
	struct seat_holder *holders;
	struct standings t = {.game = game};
	size_t n;
	bool same;

	testbed_archive(s, arena_printf(srv->arena, "W%d", (int)game), &text);
	cr_assert_eq(seat_holder_list(srv->store, game, srv->arena, &holders, &n), ERR_NONE);
	standings_of_archive(strbuf_span(&text), holders, n, srv->arena, &t);
	cr_assert_eq(ratings_update_agrees(srv, &t, srv->arena, &same), ERR_NONE);
	cr_expect(same, "W%d counts otherwise by its archive", (int)game);
	strbuf_release(&text);
}

Test(ratings, the_archive_of_a_game_says_all_that_is_counted)
{
	struct testbed *s = played();
	struct log log = {.out = stderr, .show = LOG_WARN};
	struct server srv;

	cr_assert_eq(server_open(s->dir, STORE_READ_ONLY, true, outgoing_words, &log, &srv),
	             ERR_NONE, "%s", server_why(&srv, ERR_INVALID));
	for (int64_t game = 1; game <= 4; game++)
		compare_game(s, &srv, game);
	server_close(&srv);
	testbed_free(s);
}

Test(ratings, who_is_forgotten_is_named_nowhere_and_the_figures_of_others_stay)
{
	static const char *const others[] = {"ratings player=1 ", "ratings player=3 ", NULL};
	struct testbed *s = played();
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct ran r;

	lines_of(s, others, &before);
	testbed_do(s, "player forget bob@example.net", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	testbed_do(s, "ratings rebuild", NULL, &r);
	cr_assert_eq(r.code, 0, "%s", r.err.ptr);
	ran_release(&r);
	lines_of(s, others, &after);
	cr_assert_str_eq(before.ptr, after.ptr);
	testbed_write(s, "ann", "who bob\nratings");
	testbed_run(s);
	cr_assert_not_null(
	    strstr(testbed_find(s, "ann", "nobody goes by that name")->text, "bob"));
	cr_assert_null(strstr(testbed_find(s, "ann", "Ratings: all games")->text, "bob"));
	expect_sound(s);
	strbuf_release(&before);
	strbuf_release(&after);
	testbed_free(s);
}

Test(ratings, a_vacant_seat_goes_only_to_whom_the_terms_let_in_but_always_back)
{
	struct testbed *s = played(); /* bob is at 85 % now, cy at 89 % */

	testbed_write(s, "ann", "create whakka mole players 2 reliability 89 misses 1 next 1D");
	testbed_run(s);
	testbed_write(s, "bob", "join w5");
	testbed_run(s);
	cr_assert(strstr(testbed_last(s, "bob")->text, "at least 89 %"), "%s",
	          testbed_last(s, "bob")->text);
	testbed_write(s, "cy", "join w5");
	testbed_run(s);
	testbed_wait(s, 26 * HOUR_S);
	testbed_run(s); /* both seats of W5 are vacant now */
	testbed_write(s, "bob", "takeover 2 w5");
	testbed_run(s);
	cr_assert(strstr(testbed_last(s, "bob")->text, "at least 89 %"), "%s",
	          testbed_last(s, "bob")->text);
	testbed_write(s, "cy", "takeover w5");
	testbed_run(s);
	cr_assert(strstr(testbed_last(s, "cy")->text, "The seat is yours"), "%s",
	          testbed_last(s, "cy")->text);
	expect_sound(s);
	testbed_free(s);
}

/* Anna's seat is lost and taken over by dan; then it is given the game, by one or by two of those who stayed. */
Test(ratings, who_concedes_has_not_beaten_whoever_left)
{
	/* Of ann, bob, cy and dan. Where nobody who began it has stayed it is not rated; where cy is given the
	   game, who left and who conceded share the last rank. */
	static const int64_t ranks[] = {0, 0, 4410};

	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		const char *whom = i == 2 ? "set concede cy" : "set concede 1";
		struct testbed *s;

		scratch_in_memory();
		s = testbed_new("conceding");
		testbed_write(s, "ann",
		              i == 0 ? "create whakka mole players 2 misses 1 next 1D"
		                     : "create whakka mole players 3 misses 1 next 1D");
		testbed_run(s);
		testbed_write(s, "bob", "join w1");
		if (i > 0)
			testbed_write(s, "cy", "join w1");
		testbed_run(s);
		turn(s,
		     i == 0 ? (const char *const[]){"bob", NULL}
		            : (const char *const[]){"bob", "cy", NULL},
		     26);
		testbed_write(s, "dan", "takeover w1");
		testbed_run(s);
		testbed_reply(s, i == 2 ? "dan" : "bob", whom);
		if (i > 0)
			testbed_reply(s, i == 2 ? "bob" : "cy", whom);
		testbed_run(s);
		cr_expect_eq(crowd_number(s, "SELECT agreed FROM games"), i == 2 ? 4 : 1);
		cr_expect_eq(crowd_number(s, "SELECT count(*) FROM standings WHERE game = 1"),
		             i == 0 ? 3 : 4);
		cr_expect_eq(
		    crowd_number(s, "SELECT sum(rank * CASE player WHEN 1 THEN 1000 WHEN 2"
		                    " THEN 100 WHEN 3 THEN 10 ELSE 1 END) FROM standings"
		                    " WHERE game = 1"),
		    ranks[i], "%zu", i);
		expect_sound(s);
		testbed_free(s);
	}
}

/* ---- runs that die over it ---- */

/* W1 of ann and bob has ended, and each run from here on dies as it is counted. */
static struct testbed *dying_over_the_count(unsigned deaths)
{
	static const char *const poison[] = {"MOLEPOST_TEST_ABORT_ON=counting/1", NULL};
	struct testbed *s;
	struct ran r;

	scratch_in_memory();
	s = testbed_new("ratings");
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	testbed_write(s, "bob", "join w1");
	testbed_run(s);
	testbed_reply(s, "ann", "set draw");
	testbed_reply(s, "bob", "set draw");
	for (; deaths > 0; deaths--) {
		testbed_do(s, "run", poison, &r);
		cr_assert_neq(r.code, 0);
		ran_release(&r);
	}
	testbed_collect(s);
	return s;
}

Test(ratings, a_game_counts_though_the_run_was_killed_while_it_was_counted)
{
	struct testbed *s = dying_over_the_count(3);

	testbed_run(s);
	cr_expect_eq(crowd_number(s, "SELECT count(*) FROM standings WHERE game = 1"), 2);
	expect_sound(s);
	testbed_free(s);
}

Test(ratings, a_game_that_kills_each_run_that_counts_it_stops_no_other)
{
	struct testbed *s = dying_over_the_count(4);

	testbed_run_noting(s);
	cr_expect(strstr(s->complaints.ptr, "counts for nobody's rating"), "%s",
	          s->complaints.ptr);
	cr_expect_eq(crowd_number(s, "SELECT counted FROM games WHERE id = 1"), 1);
	testbed_free(s);
}
