/*
 * test_standing_orders.c - what is laid down, and with whom and what it goes.
 */
#include <criterion/criterion.h>

#include "store/absences.h"
#include "store/games.h"
#include "store/orders.h"
#include "store/players.h"
#include "store/standing_orders.h"
#include "store/turns.h"
#include "tests/support/temp_store.h"

static size_t count(struct temp_store *t, int64_t game)
{
	struct standing_order *list;
	size_t n;

	OK(t, standing_order_list(t->s, game, t->arena, &list, &n));
	return n;
}

static struct turn open_turn(struct temp_store *t, int64_t game)
{
	struct turn turn;

	OK(t, turn_get(t->s, game, 1, t->arena, &turn));
	return turn;
}

/* Two seats with a draft, a queue and standing orders each, and their covers. */
static int64_t fill(struct temp_store *t)
{
	int64_t game = temp_game(t, GAME_RUNNING, 3);

	for (unsigned seat = 1; seat <= 2; seat++) {
		struct standing_order p = {.game = game, .seat = seat, .number = 1, .mail = 1};
		p.text = SPAN_LIT("popup 1");
		OK(t, standing_order_set(t->s, &p));
		p.kind = STANDING_QUEUED;
		p.number = 4;
		OK(t, standing_order_set(t->s, &p));
		p.kind = STANDING_ALWAYS;
		p.number = 0;
		p.nowait = true;
		OK(t, standing_order_set(t->s, &p));
		OK(t, turn_set_covered(t->s, game, 1, seat, true));
	}
	return game;
}

Test(store_standing_orders, a_row_takes_the_place_of_its_like_and_comes_back_as_it_was)
{
	struct standing_order p = {
	    .seat = 1, .kind = STANDING_ALWAYS, .mail = 7, .received_utc = 5};
	struct standing_order *list;
	struct temp_store t;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	p.game = temp_game(&t, GAME_RUNNING, 2);
	p.text = SPAN_LIT("popup 1\nwhack 2");
	OK(&t, standing_order_set(t.s, &p));
	p.text = SPAN_LIT("popup 3");
	p.nowait = true;
	p.mail = 8;
	p.contribution = hash_of(SPAN_LIT("mail"));
	OK(&t, standing_order_set(t.s, &p));
	OK(&t, standing_order_list(t.s, p.game, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	cr_expect(hash_eq(&list[0].contribution, &p.contribution));
	cr_expect(list[0].nowait && list[0].mail == 8 && list[0].received_utc == 5);
	cr_expect(span_eq_str(list[0].text, "popup 3"));
	OK(&t, standing_order_drop(t.s, p.game, 1, STANDING_ALWAYS, 0));
	OK(&t, standing_order_drop(t.s, p.game, 1, STANDING_ALWAYS, 0));
	cr_expect_eq(count(&t, p.game), 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_standing_orders, they_go_with_who_leaves_his_seat_loses_it_or_is_forgotten)
{
	for (unsigned way = 0; way < 3; way++) {
		struct temp_store t;
		struct seat seat;

		temp_store_open(&t);
		OK(&t, store_begin(t.s));
		int64_t game = fill(&t);
		OK(&t, seat_get(t.s, game, 2, t.arena, &seat));
		int64_t player = seat.player;
		seat.resigned = way == 0;
		seat.player = way == 1 ? 0 : player;
		if (way < 2)
			OK(&t, seat_update(t.s, &seat));
		else
			OK(&t, player_forget(t.s, player));
		cr_expect_eq(count(&t, game), 3, "%u", way);
		cr_expect_eq(open_turn(&t, game).covered, 1, "%u", way);
		OK(&t, store_commit(t.s));
		temp_store_close(&t);
	}
}

Test(store_standing_orders, drafts_go_when_their_turn_is_sealed_and_all_when_the_game_ends)
{
	struct hash d = hash_of(SPAN_LIT("d"));
	struct temp_store t;
	struct game g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = fill(&t);
	cr_expect_eq(count(&t, game), 6);
	OK(&t, turn_seal(t.s, game, 1, &d, 5000));
	cr_expect_eq(count(&t, game), 4);
	OK(&t, game_get(t.s, game, t.arena, &g));
	g.status = GAME_CANCELLED;
	g.ended_utc = 5000;
	OK(&t, game_update(t.s, &g));
	cr_expect_eq(count(&t, game), 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_standing_orders, only_seats_that_owe_orders_in_an_open_turn_are_covered)
{
	struct hash d = hash_of(SPAN_LIT("d"));
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = fill(&t);
	OK(&t, turn_set_covered(t.s, game, 1, 9, true));
	cr_expect_eq(open_turn(&t, game).covered, 3);
	OK(&t, turn_set_covered(t.s, game, 1, 1, false));
	cr_expect_eq(open_turn(&t, game).covered, 2);
	OK(&t, turn_seal(t.s, game, 1, &d, 5000));
	cr_expect_eq(turn_set_covered(t.s, game, 1, 1, true), ERR_INVALID);
	cr_expect_eq(turn_set_covered(t.s, game, 7, 1, true), ERR_INVALID);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_standing_orders, a_covered_turn_is_due_at_its_deadline_whatever_the_grace)
{
	struct turn_id due;
	struct temp_store t;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = fill(&t);
	int64_t deadline = open_turn(&t, game).deadline_utc;
	OK(&t, store_commit(t.s));
	temp_store_raw(&t, "UPDATE turns SET grace_utc = deadline_utc + 3600 WHERE serial = 1");
	OK(&t, turn_due_list(t.s, DUE_SEAL, deadline, (struct turn_id){0}, 1, &due, &n));
	cr_expect_eq(n, 0, "seat 3 may still write");
	temp_store_raw(&t, "UPDATE turns SET covered = 7 WHERE serial = 1");
	OK(&t, turn_due_list(t.s, DUE_SEAL, deadline, (struct turn_id){0}, 1, &due, &n));
	cr_expect(n == 1 && due.due_utc == deadline);
	temp_store_close(&t);
}

Test(store_standing_orders, absences_make_room_for_each_other_and_go_with_the_player)
{
	struct absence a = {.asked_utc = 1, .mail = 1}, *list;
	struct temp_store t;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	a.player = temp_player(&t, "away@example.org");
	for (int64_t from = 1000; from <= 3000; from += 1000) {
		a.from_utc = from;
		a.until_utc = from + 500;
		OK(&t, absence_add(t.s, &a));
	}
	REFUSED(&t, absence_add(t.s, &a), ERR_EXISTS);
	OK(&t, absence_cut(t.s, a.player, 1200, 2500));
	OK(&t, absence_list(t.s, a.player, 0, t.arena, &list, &n));
	cr_assert_eq(n, 2);
	cr_expect(list[0].from_utc == 1000 && list[0].until_utc == 1200);
	cr_expect(list[1].from_utc == 3000 && list[1].until_utc == 3500);
	OK(&t, absence_list(t.s, a.player, 1200, t.arena, &list, &n));
	cr_expect_eq(n, 1);
	OK(&t, player_forget(t.s, a.player));
	OK(&t, absence_list(t.s, a.player, 0, t.arena, &list, &n));
	cr_expect_eq(n, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}
