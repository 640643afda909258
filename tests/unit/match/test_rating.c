/*
 * test_rating.c - reliability and rating: the arithmetic, what a game comes to for whom, and that
 * figures kept game by game are those worked out from all games at once.
 */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "processor/match/ratings_update.h"
#include "processor/match/standings.h"
#include "reports/topics.h"
#include "store/engine/db.h"
#include "tests/support/play.h"
#include "tests/support/temp_store.h"

/* -------------------------------------------------------------- arithmetic */

static bool help_says(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static bool help_says(const char *fmt, ...)
{
	char number[48];
	const struct topic *t = topic_find(SPAN_LIT("ratings"));
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(number, sizeof(number), fmt, ap);
	va_end(ap);
	cr_assert_not_null(t);
	cr_expect(strstr(t->text, number), "HELP RATINGS does not say %s", number);
	return strstr(t->text, number) != NULL;
}

Test(rating, the_example_in_help_is_what_the_functions_give)
{
	struct rated game[] = {{.rank = 1, .rating = 1600000, .games = 30},
	                       {.rank = 2, .rating = 1500000, .games = 3},
	                       {.rank = 3, .rating = 1500000, .games = 30}};
	int64_t share = reliability_after(RELIABILITY_START, MARK_IN_TIME);

	cr_assert(help_says("%.4f %%", (double)share / 10000));
	cr_assert(help_says("%.4f %%", (double)reliability_after(share, MARK_MISSED) / 10000));
	rating_game(game, 3);
	for (size_t i = 0; i < 3; i++)
		cr_assert(help_says("%.3f", (double)(game[i].rating + game[i].change) / 1000));
	cr_assert(help_says("%.3f", (double)game[0].change / 1000));
	cr_assert(help_says("%.3f", (double)game[1].change / 1000));
	cr_assert(help_says("%.3f", -(double)game[2].change / 1000));
}

Test(rating, the_table_in_help_is_what_is_expected)
{
	for (int64_t d = 0; d <= 400; d += 50)
		cr_assert(help_says("%.3f", (double)rating_expected(d * 1000) / 1000000));
	cr_assert(help_says("begins at %d", RATING_START / 1000));
	cr_assert(help_says("begins with %u", reliability_percent(RELIABILITY_START)));
	cr_assert(help_says("times %d,", RATING_STEP));
	cr_assert(help_says("times %d in your first five games", RATING_FIRST_STEP));
	cr_assert_eq(RATING_FIRST_GAMES, 5);
	cr_assert_eq(RELIABILITY_PARTS, 32);
}

Test(rating, what_is_expected_of_two_is_a_whole_and_grows_with_the_difference)
{
	int64_t last = 0;

	for (int64_t d = -500000; d <= 500000; d += 777) {
		int64_t e = rating_expected(d);

		cr_assert_eq(e + rating_expected(-d), RATING_WHOLE);
		cr_assert(e >= last && e > 0 && e < RATING_WHOLE);
		last = e;
	}
	cr_assert_eq(rating_expected(0), RATING_WHOLE / 2);
	cr_assert_eq(rating_expected(25000), (500000 + 571000) / 2);
}

Test(rating, people_of_long_standing_win_what_others_lose)
{
	uint32_t seed = 7;

	for (int round = 0; round < 2000; round++) {
		struct rated game[6];
		size_t n = 2 + (size_t)round % 5;
		int64_t sum = 0;

		for (size_t i = 0; i < n; i++) {
			seed = seed * 1664525 + 1013904223;
			game[i] = (struct rated){.rank = 1 + (seed >> 8) % 4,
			                         .rating = 1200000 + (seed >> 10) % 600000,
			                         .games = 10};
		}
		rating_game(game, n);
		for (size_t i = 0; i < n; i++)
			sum += game[i].change;
		cr_assert(sum > -(int64_t)n && sum < (int64_t)n, "%lld", (long long)sum);
	}
}

Test(rating, a_share_stays_a_share_and_who_is_always_in_time_comes_to_the_whole)
{
	int64_t share = RELIABILITY_START;

	for (int i = 0; i < 1000; i++)
		share = reliability_after(share, MARK_IN_TIME);
	cr_assert_eq(reliability_percent(share), 100);
	cr_assert_leq(share, RATING_WHOLE);
	for (int i = 0; i < 1000; i++)
		share = reliability_after(share, MARK_LATE);
	cr_assert_eq(reliability_percent(share), 50);
	for (int i = 0; i < 1000; i++)
		share = reliability_after(share, MARK_MISSED);
	cr_assert_eq(reliability_percent(share), 0);
	cr_assert_geq(share, 0);
}

/* ------------------------------------------------------------ one game */

/* Rules whose position is the ranks of its seats, one digit each. */
static bool ranks_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	(void)why;
	*out = (struct game_state *)(uintptr_t)text.ptr;
	return true;
}

static void ranks_free(struct game_state *s)
{
	(void)s;
}

static void ranks_result(const struct game_state *s, struct game_result *out)
{
	const char *digits = (const char *)s;

	*out =
	    (struct game_result){.over = digits[0] != '0', .nseats = (unsigned)strlen(digits)};
	for (unsigned seat = 1; digits[seat - 1] != '\0'; seat++)
		out->ranks[seat] = (unsigned)(digits[seat - 1] - '0');
}

static const struct rules ranks_rules = {
    .name = "ranks", .decode = ranks_decode, .free_state = ranks_free, .result = ranks_result};

static struct record_order sent(unsigned seat, int64_t at_utc)
{
	return (struct record_order){.seat = seat, .revision = 1, .received_utc = at_utc};
}

static struct record_order came(unsigned seat, enum order_origin origin)
{
	return (struct record_order){
	    .seat = seat, .revision = origin == ORDER_BOT, .origin = origin};
}

/* Ann, Bob and Cy, players 11, 12 and 13; turns 1 to 3 with deadline 1000. */
struct small {
	struct record r;
	struct record_turn turns[4];
	struct record_order used[4][3];
	struct seat_holder holders[6];
	size_t nholders;
	struct arena *arena;
	struct standings t;
};

static void small_init(struct small *s, const char *ranks)
{
	static const char *const names[] = {"", "Ann", "Bob", "Cy"};

	memset(s, 0, sizeof(*s));
	s->arena = arena_new();
	s->r = (struct record){
	    .nseats = 3, .turns = s->turns, .nturns = 4, .ended = true, .end_status = "over"};
	for (unsigned i = 0; i < 4; i++) {
		s->turns[i] = (struct record_turn){.serial = i,
		                                   .parent = i == 0 ? 0 : i - 1,
		                                   .deadline_utc = 1000,
		                                   .used = s->used[i],
		                                   .nused = i == 0 ? 0 : 3,
		                                   .state = span_of(ranks)};
		for (unsigned seat = 1; seat <= 3; seat++)
			s->used[i][seat - 1] = sent(seat, 900);
	}
	for (unsigned seat = 1; seat <= 3; seat++) {
		s->r.seats[seat].name = names[seat];
		s->holders[s->nholders++] = (struct seat_holder){seat, 0, 10 + seat};
	}
}

static const struct standings *small_standings(struct small *s)
{
	struct failure e = ERR_INIT;

	cr_assert_eq(
	    standings_record(&s->r, &ranks_rules, s->holders, s->nholders, s->arena, &s->t, &e),
	    ERR_NONE);
	err_release(&e);
	return &s->t;
}

static void expect_place(struct small *s, int64_t player, int rank, const char *marks)
{
	for (size_t i = 0; i < s->t.n; i++)
		if (s->t.places[i].player == player) {
			cr_expect_eq((int)s->t.places[i].rank, rank, "player %d has rank %u",
			             (int)player, s->t.places[i].rank);
			cr_expect(span_eq_str(s->t.places[i].marks, marks),
			          "player %d has %.*s", (int)player,
			          SPAN_ARGS(s->t.places[i].marks));
			return;
		}
	cr_expect(rank < 0, "player %d has no place", (int)player);
}

Test(tally, turns_are_in_time_late_or_missed_and_excused_ones_do_not_count)
{
	static const char *const excuse[] = {
	    "2026-03-12T18:02:00Z server: Bob is excused from this turn"};
	struct small s;

	small_init(&s, "122");
	s.used[1][0] = sent(1, 1000);
	s.used[2][0] = sent(1, 1001);
	s.used[3][0] = came(1, ORDER_DEFAULT);
	s.used[2][1] = s.used[3][1] = came(2, ORDER_DEFAULT);
	s.turns[2].actions = excuse;
	s.turns[2].nactions = 1;
	s.used[1][2] = came(3, ORDER_BOT);
	small_standings(&s);
	expect_place(&s, 11, 1, "+~-");
	expect_place(&s, 12, 2, "+-");
	expect_place(&s, 13, 2, "++");
	arena_free(s.arena);
}

Test(tally, who_leaves_or_loses_the_seat_is_last_and_who_takes_it_over_is_not_rated)
{
	struct small s;

	small_init(&s, "132");
	s.used[3][0] = came(1, ORDER_RESIGNED);
	s.holders[s.nholders++] = (struct seat_holder){2, 2, 0};
	s.holders[s.nholders++] = (struct seat_holder){2, 3, 14};
	small_standings(&s);
	expect_place(&s, 11, 4, "++");
	expect_place(&s, 12, 4, "+");
	expect_place(&s, 14, 0, "+");
	expect_place(&s, 13, 2, "+++");
	arena_free(s.arena);
}

Test(tally, who_comes_back_to_his_seat_is_rated_as_if_he_had_stayed)
{
	struct small s;

	small_init(&s, "132");
	s.holders[s.nholders++] = (struct seat_holder){2, 2, 0};
	s.holders[s.nholders++] = (struct seat_holder){2, 3, 12};
	small_standings(&s);
	expect_place(&s, 12, 3, "++");
	cr_assert_eq(s.t.n, 3);
	arena_free(s.arena);
}

Test(tally, a_resignation_that_was_taken_back_has_not_happened)
{
	struct small s;

	small_init(&s, "123");
	s.used[2][0] = came(1, ORDER_RESIGNED);
	s.turns[3].parent = 1;
	small_standings(&s);
	expect_place(&s, 11, 1, "++");
	arena_free(s.arena);
}

Test(tally, what_the_players_have_agreed_on_is_the_result)
{
	struct small s;

	small_init(&s, "000");
	s.r.agreed = (struct seat_set){5};
	small_standings(&s);
	expect_place(&s, 11, 1, "+++");
	expect_place(&s, 12, 3, "+++");
	expect_place(&s, 13, 1, "+++");
	arena_free(s.arena);
}

Test(tally, nobody_is_rated_in_a_fork_or_a_game_that_was_broken_off_but_turns_count)
{
	struct small s;

	small_init(&s, "123");
	s.r.fork.game = "W3";
	small_standings(&s);
	expect_place(&s, 11, 0, "+++");
	arena_free(s.arena);
	small_init(&s, "123");
	s.r.end_status = "abandoned";
	small_standings(&s);
	expect_place(&s, 12, 0, "+++");
	arena_free(s.arena);
}

Test(tally, a_master_who_acted_alone_has_lost_and_nobody_else_is_rated)
{
	struct small s;
	const char *line;

	for (unsigned ended = 0; ended < 2; ended++) { /* played to its end, or broken off */
		small_init(&s, "123");
		s.r.end_status = ended ? "over" : "cancelled";
		line = arena_printf(s.arena, "2026-03-12T18:02:00Z server: %s",
		                    standings_alone("Ann", s.arena));
		s.turns[2].actions = &line;
		s.turns[2].nactions = 1;
		small_standings(&s);
		expect_place(&s, 11, 3, "+++");
		expect_place(&s, 12, 0, "+++");
		expect_place(&s, 13, 0, "+++");
		arena_free(s.arena);
	}
	small_init(&s, "123"); /* by somebody else than the server it is a word like others */
	line = arena_printf(s.arena, "2026-03-12T18:02:00Z master of the game: \"server: %s\"",
	                    standings_alone("Ann", s.arena));
	s.turns[2].actions = &line;
	s.turns[2].nactions = 1;
	small_standings(&s);
	expect_place(&s, 11, 1, "+++");
	expect_place(&s, 12, 2, "+++");
	arena_free(s.arena);
	small_init(&s, "123"); /* who took the seat over has not begun the game */
	s.holders[s.nholders++] = (struct seat_holder){1, 2, 14};
	line = arena_printf(s.arena, "2026-03-12T18:02:00Z server: %s",
	                    standings_alone("Ann", s.arena));
	s.turns[3].actions = &line;
	s.turns[3].nactions = 1;
	small_standings(&s);
	expect_place(&s, 11, 0, "+");
	expect_place(&s, 12, 0, "+++");
	arena_free(s.arena);
}

Test(counting, who_alone_has_a_rank_has_lost_to_the_others_whose_figures_stay)
{
	struct ladder *l = ladder_new();
	struct standings_place places[3] = {
	    {1, 0, SPAN_LIT("+")}, {2, 3, SPAN_LIT("+")}, {3, 0, SPAN_LIT("+")}};
	struct standings t = {.kind = SPAN_LIT("ranks"), .places = places, .n = 3};

	ladder_add(l, &t);
	cr_expect_eq(ladder_row(l, 2, SPAN_LIT("ranks"))->rating,
	             RATING_START - 30 * RATING_POINT);
	cr_expect_eq(ladder_row(l, 2, SPAN_LIT("ranks"))->games, 1);
	cr_expect_eq(ladder_row(l, 2, SPAN_EMPTY)->rating, RATING_START - 30 * RATING_POINT);
	cr_expect_eq(ladder_row(l, 1, SPAN_EMPTY)->rating, RATING_START);
	cr_expect_eq(ladder_row(l, 1, SPAN_EMPTY)->games, 0);
	cr_expect_eq(ladder_row(l, 1, SPAN_LIT("ranks"))->games, 0);
	ladder_free(l);
}

Test(tally, nothing_counts_against_bots_alone_and_two_seats_of_one_person_are_not_rated)
{
	struct small s;

	small_init(&s, "123");
	s.holders[1].player = s.holders[2].player = 0;
	cr_assert_eq(small_standings(&s)->n, 0);
	arena_free(s.arena);
	small_init(&s, "123");
	s.holders[2].player = 11;
	small_standings(&s);
	expect_place(&s, 12, 0, "+++");
	arena_free(s.arena);
}

/* ---------------------------------------------- game by game or all at once */

enum { PEOPLE = 12, GAMES = 150 };

/* A game of two to five people with any outcome; its end lies anywhere in a few days. */
static void random_standings(uint64_t *dice, const int64_t *people, struct arena *arena,
                             struct standings *t)
{
	static const char marks[] = "+++++~-";
	bool rated = play_draw(dice, 4) > 0;
	size_t alone = play_draw(dice, 8); /* has lost, and nobody else is rated */

	t->n = 2 + play_draw(dice, 4);
	t->kind = play_draw(dice, 2) ? SPAN_LIT("whakka-mole") : SPAN_LIT("mole-park");
	t->places = arena_calloc(arena, t->n, sizeof(*t->places));
	for (size_t i = 0, first = play_draw(dice, PEOPLE); i < t->n; i++) {
		char *text = arena_calloc(arena, 9, 1);

		for (unsigned k = 0, n = play_draw(dice, 8); k < n; k++)
			text[k] = marks[play_draw(dice, sizeof(marks) - 1)];
		t->places[i] = (struct standings_place){.player = people[(first + i) % PEOPLE],
		                                        .rank = alone < 2 ? (i == alone ? 2 : 0)
		                                                : rated ? 1 + play_draw(dice, 4)
		                                                        : 0,
		                                        .marks = span_of(text)};
	}
}

static void expect_nothing(void *ctx, int64_t player)
{
	cr_expect(false, "seed %u: the ratings of player %lld are wrong", *(unsigned *)ctx,
	          (long long)player);
}

static void play_history(struct temp_store *t, unsigned seed)
{
	struct server srv = {.store = t->s};
	int64_t people[PEOPLE];
	uint64_t dice = seed;

	OK(t, store_begin(t->s));
	for (int i = 0; i < PEOPLE; i++)
		people[i] =
		    temp_player(t, arena_printf(t->arena, "p%d-%u@example.org", i, seed));
	for (int i = 0; i < GAMES; i++) {
		struct standings one = {.game = temp_game(t, GAME_RUNNING, 2)};
		struct game g;

		random_standings(&dice, people, t->arena, &one);
		OK(t, game_get(t->s, one.game, t->arena, &g));
		/* Mostly later than all before, sometimes at the same second or before them. */
		one.ended_utc = g.ended_utc =
		    5000 + i / 4 -
		    (play_draw(&dice, 10) == 0 ? (int64_t)play_draw(&dice, 20) : 0);
		one.kind = g.kind;
		g.status = GAME_OVER;
		OK(t, game_update(t->s, &g));
		OK(t, ratings_update_add(&srv, &one, t->arena));
	}
	OK(t, ratings_update_check(&srv, expect_nothing, &seed));
	OK(t, store_commit(t->s));
}

Test(counting, figures_kept_game_by_game_are_those_of_all_games_at_once)
{
	for (unsigned seed = 1; seed <= 4; seed++) {
		struct temp_store t;

		temp_store_open(&t);
		play_history(&t, seed);
		temp_store_close(&t);
	}
}

static void count_one(struct temp_store *t, const int64_t *people, int64_t at_utc)
{
	struct server srv = {.store = t->s};
	struct standings_place places[2] = {{people[0], 1, SPAN_LIT("+-+")},
	                                    {people[1], 2, SPAN_LIT("~")}};
	struct standings one = {.game = temp_game(t, GAME_RUNNING, 2),
	                        .ended_utc = at_utc,
	                        .kind = SPAN_LIT("whakka-mole"),
	                        .places = places,
	                        .n = 2};
	struct game g;

	OK(t, game_get(t->s, one.game, t->arena, &g));
	g.status = GAME_OVER;
	g.ended_utc = at_utc;
	OK(t, game_update(t->s, &g));
	OK(t, ratings_update_add(&srv, &one, t->arena));
}

Test(counting, a_player_without_games_is_as_reliable_as_everybody_begins)
{
	struct temp_store t;
	unsigned percent;

	temp_store_open(&t);
	struct server srv = {.store = t.s};
	OK(&t, ratings_update_reliability(&srv, 0, &percent));
	cr_assert_eq(percent, 90);
	OK(&t, store_begin(t.s));
	int64_t people[2] = {temp_player(&t, "a@example.org"),
	                     temp_player(&t, "b@example.org")};
	count_one(&t, people, 5000);
	OK(&t, store_commit(t.s));
	OK(&t, ratings_update_reliability(&srv, people[1], &percent));
	cr_assert_eq(percent, 89);
	cr_assert_eq(temp_store_number(&t, "SELECT count(*) FROM ratings"), 4);
	temp_store_close(&t);
}

/* Steps of SQLite's machine since they were asked for last. */
static long steps(struct temp_store *t)
{
	long sum = 0;

	for (unsigned i = 0; i < DB_SLOTS; i++)
		if (t->s->slots[i].stmt)
			sum += sqlite3_stmt_status(t->s->slots[i].stmt,
			                           SQLITE_STMTSTATUS_VM_STEP, 1);
	return sum;
}

Test(counting, one_more_game_costs_the_same_however_many_are_stored)
{
	enum { MANY = 60 };
	struct temp_store t;
	int64_t people[MANY];
	long few, many;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < MANY; i++)
		people[i] = temp_player(&t, arena_printf(t.arena, "p%d@example.org", i));
	for (int i = 0; i < 5; i++)
		count_one(&t, people, 5000 + i);
	(void)steps(&t);
	count_one(&t, people, 5010);
	few = steps(&t);
	for (int i = 0; i < 400; i++)
		count_one(&t, people + i % (MANY - 1), 5020 + i);
	(void)steps(&t);
	count_one(&t, people, 6000);
	many = steps(&t);
	cr_assert_leq(many, few + few / 20, "%ld steps, %ld with 400 games", few, many);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}
