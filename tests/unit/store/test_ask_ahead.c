/*
 * test_ask_ahead.c - what is asked ahead is what would have been read: of a file, and on a server after whatever
 * may have changed it in between.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "store/engine/db.h"
#include "store/players.h"
#include "store/turns.h"
#include "tests/support/postgresql.h"
#include "tests/support/temp_store.h"

static void ask_for(struct temp_store *t, int64_t player)
{
	struct player p;

	if (!store_ask_ahead(t->s))
		return;
	store_only_asked(player_get(t->s, player, t->arena, &p));
	store_asked_ahead(t->s);
}

static void rename_to(struct store *s, int64_t player, const char *name)
{
	struct query q = db_write(s, "UPDATE players SET name = ? WHERE id = ?");

	bind_text(&q, span_of(name));
	bind_int(&q, player);
	cr_assert_eq(db_run(&q), ERR_NONE);
}

static void expect_name(struct temp_store *t, int64_t player, const char *name)
{
	struct player p;

	OK(t, player_get(t->s, player, t->arena, &p));
	cr_expect(span_eq_str(p.name, name), "%.*s, not %s", SPAN_ARGS(p.name), name);
}

/* Two people in a committed store. */
static void open_with(struct temp_store *t, int64_t *ann, int64_t *bob)
{
	temp_store_open(t);
	OK(t, store_begin(t->s));
	*ann = temp_player(t, "ann@example.net");
	*bob = temp_player(t, "bob@example.net");
	rename_to(t->s, *ann, "Ann");
	rename_to(t->s, *bob, "Bob");
	OK(t, store_commit(t->s));
}

Test(store_ask_ahead, the_answer_is_that_of_the_question)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	ask_for(&t, ann);
	ask_for(&t, ann);
	ask_for(&t, bob);
	expect_name(&t, bob, "Bob");
	expect_name(&t, bob, "Bob");
	expect_name(&t, ann, "Ann");
	ask_for(&t, 99);
	struct player p;
	cr_expect_eq(player_get(t.s, 99, t.arena, &p), ERR_NOT_FOUND);
	temp_store_close(&t);
}

Test(store_ask_ahead, what_is_written_after_it_counts)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	OK(&t, store_begin(t.s));
	rename_to(t.s, ann, "Anna");
	ask_for(&t, ann);
	expect_name(&t, ann, "Anna");
	ask_for(&t, ann);
	rename_to(t.s, ann, "Annette");
	expect_name(&t, ann, "Annette");
	OK(&t, store_savepoint(t.s));
	rename_to(t.s, bob, "Bert");
	ask_for(&t, bob);
	store_savepoint_rollback(t.s);
	expect_name(&t, bob, "Bob");
	ask_for(&t, ann);
	store_rollback(t.s);
	expect_name(&t, ann, "Ann");
	temp_store_close(&t);
}

/* Outside a transaction others write at any time; one that is begun must not go by what was before it. */
Test(store_ask_ahead, a_transaction_reads_nothing_from_before_it_began)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	ask_for(&t, ann);
	ask_for(&t, bob);
	expect_name(&t, bob, "Bob");
	temp_store_raw(&t, "UPDATE players SET name = 'Anna'");
	OK(&t, store_begin(t.s));
	expect_name(&t, ann, "Anna");
	ask_for(&t, bob);
	OK(&t, store_commit(t.s));
	temp_store_raw(&t, "UPDATE players SET name = 'Robert'");
	expect_name(&t, bob, "Robert");
	temp_store_close(&t);
}

/* Also when many more are asked than are sent at once. */
Test(store_ask_ahead, as_many_as_one_likes)
{
	struct temp_store t;
	int64_t ids[700];

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (size_t i = 0; i < 700; i++) {
		char address[40];

		snprintf(address, sizeof address, "p%zu@example.net", i);
		ids[i] = temp_player(&t, address);
	}
	for (size_t i = 0; i < 700; i++)
		ask_for(&t, ids[i]);
	for (size_t i = 0; i < 700; i++) {
		struct player p;

		OK(&t, player_get(t.s, ids[i], t.arena, &p));
		cr_assert_eq(p.id, ids[i]);
	}
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* The error of what was written before is not lost on a question that nobody reads. */
Test(store_ask_ahead, an_error_of_before_is_still_told)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	OK(&t, store_begin(t.s));
	struct query q =
	    db_write(t.s, "UPDATE players SET address = 'bob@example.net' WHERE id = ?");
	bind_int(&q, ann);
	enum err err = db_run(&q);
	for (unsigned i = 0; i < 700 && err == ERR_NONE; i++)
		ask_for(&t, bob + i);
	cr_expect_neq(err == ERR_NONE ? store_commit(t.s) : err, ERR_NONE);
	store_rollback(t.s);
	expect_name(&t, ann, "Ann");
	expect_name(&t, bob, "Bob");
	temp_store_close(&t);
}

/* ------------------------------------------------------------- store_about */

enum { GAMES = 3 };

static void open_games(struct temp_store *t, int64_t *games)
{
	temp_store_open(t);
	OK(t, store_begin(t->s));
	for (size_t i = 0; i < GAMES; i++)
		games[i] = temp_game(t, GAME_RUNNING, 2);
	OK(t, store_commit(t->s));
}

static void ask_about_turns(struct temp_store *t, const int64_t *games)
{
	struct turn turn;

	if (!store_ask_ahead(t->s))
		return;
	for (size_t i = 0; i < GAMES; i++) {
		store_about(t->s, i + 1, games[i]);
		store_only_asked(turn_get(t->s, games[i], 1, t->arena, &turn));
	}
	store_asked_ahead(t->s);
}

static void expect_turn(struct temp_store *t, int64_t game, uint32_t have, uint32_t waiting)
{
	struct turn turn;

	OK(t, turn_get(t->s, game, 1, t->arena, &turn));
	cr_expect_eq(turn.have, have, "have %x, not %x", turn.have, have);
	cr_expect_eq(turn.waiting, waiting, "waiting %x, not %x", turn.waiting, waiting);
}

/*
 * By somebody else, so that it shows whether an answer was kept, once one of them has been read and so all are
 * here; a file lets nobody.
 */
static void wait_elsewhere(struct temp_store *t, int64_t game)
{
	char sql[80];

	snprintf(sql, sizeof sql, "UPDATE turns SET waiting = 1 WHERE game = %lld",
	         (long long)game);
	if (!on_postgresql())
		return;
	struct store *other = temp_store_second(t, STORE_READ_WRITE);
	cr_assert_eq(db_exec(other, sql), ERR_NONE);
	store_close(other);
}

static uint32_t seen_elsewhere(void)
{
	return on_postgresql() ? 1 : 0;
}

Test(store_about, orders_for_one_game_leave_the_answers_for_those_behind_it)
{
	struct temp_store t;
	int64_t games[GAMES];

	open_games(&t, games);
	OK(&t, store_begin(t.s));
	ask_about_turns(&t, games);
	store_about(t.s, 1, games[0]);
	expect_turn(&t, games[0], 0, 0);
	wait_elsewhere(&t, games[1]);
	temp_orders(&t, games[0], 1, 1, "mole A1");
	expect_turn(&t, games[0], 1, 0);
	store_about(t.s, 2, games[1]);
	expect_turn(&t, games[1], 0, 0);
	expect_turn(&t, games[1], 0, seen_elsewhere());
	store_about(t.s, 0, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_about, what_is_written_of_another_game_spoils_them)
{
	struct temp_store t;
	int64_t games[GAMES];

	open_games(&t, games);
	OK(&t, store_begin(t.s));
	ask_about_turns(&t, games);
	cr_expect(store_answers_hold(t.s));
	store_about(t.s, 1, games[0]);
	temp_orders(&t, games[1], 1, 1, "mole A1");
	cr_expect_eq(store_answers_hold(t.s), !on_postgresql());
	store_about(t.s, 2, games[1]);
	expect_turn(&t, games[1], 1, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* Nearly every player's first mail says that they write HTML. */
Test(store_about, how_the_sender_writes_leaves_them)
{
	struct temp_store t;
	int64_t games[GAMES];

	open_games(&t, games);
	OK(&t, store_begin(t.s));
	ask_about_turns(&t, games);
	store_about(t.s, 1, games[0]);
	OK(&t, player_set_writes_html(t.s, 1, true));
	cr_expect(store_answers_hold(t.s));
	store_about(t.s, 2, games[1]);
	expect_turn(&t, games[1], 0, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_about, what_is_written_of_nothing_in_particular_spoils_them)
{
	struct temp_store t;
	int64_t games[GAMES];

	open_games(&t, games);
	OK(&t, store_begin(t.s));
	ask_about_turns(&t, games);
	store_about(t.s, 1, games[0]);
	expect_turn(&t, games[0], 0, 0);
	wait_elsewhere(&t, games[2]);
	store_about(t.s, 0, 0);
	temp_orders(&t, games[0], 1, 1, "mole A1");
	store_about(t.s, 3, games[2]);
	expect_turn(&t, games[2], 0, seen_elsewhere());
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* And what was asked about nothing in particular may be of any game. */
Test(store_about, other_answers_are_spoilt_by_each)
{
	struct temp_store t;
	int64_t games[GAMES];
	struct turn turn;

	open_games(&t, games);
	OK(&t, store_begin(t.s));
	if (store_ask_ahead(t.s)) {
		store_only_asked(turn_get(t.s, games[0], 1, t.arena, &turn));
		store_about(t.s, 1, games[0]);
		store_asked_ahead(t.s);
	}
	store_about(t.s, 1, games[0]);
	temp_orders(&t, games[0], 1, 2, "mole A1");
	store_about(t.s, 0, 0);
	expect_turn(&t, games[0], 2, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* They are not dealt with in the order in which they were asked: then the answer is not believed. */
Test(store_about, a_later_one_spoils_those_before_it)
{
	struct temp_store t;
	int64_t games[GAMES];

	open_games(&t, games);
	OK(&t, store_begin(t.s));
	ask_about_turns(&t, games);
	store_about(t.s, 2, games[1]);
	expect_turn(&t, games[1], 0, 0);
	wait_elsewhere(&t, games[0]);
	temp_orders(&t, games[1], 1, 1, "mole A1");
	store_about(t.s, 1, games[0]);
	expect_turn(&t, games[0], 0, seen_elsewhere());
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* What one asking has left unread is no answer to the next. */
Test(store_about, what_was_asked_before_is_older)
{
	struct temp_store t;
	int64_t games[GAMES];

	open_games(&t, games);
	OK(&t, store_begin(t.s));
	ask_about_turns(&t, games);
	store_about(t.s, 3, games[2]);
	temp_orders(&t, games[2], 1, 1, "mole A1");
	ask_about_turns(&t, games);
	store_about(t.s, 1, games[0]);
	expect_turn(&t, games[0], 0, 0);
	store_about(t.s, 3, games[2]);
	expect_turn(&t, games[2], 1, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}
