/*
 * test_votes.c - votes, turns that are broken off, masters: the rows.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "store/games.h"
#include "store/players.h"
#include "store/turns.h"
#include "store/votes.h"
#include "tests/support/temp_store.h"

Test(store_votes, come_back_as_they_were_given)
{
	struct temp_store t;
	struct votes list[4], mine = {.seat = 2};
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t g = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, votes_list(t.s, g, 1, list, 4, &n));
	cr_expect_eq(n, 0);
	mine.of[VOTE_CONCEDE] = (struct vote){.stands = true, .was_seen = true, .whom = 13};
	mine.of[VOTE_PAUSE] = (struct vote){.was_seen = true};
	OK(&t, votes_put(t.s, g, 1, &mine));
	OK(&t, votes_put(t.s, g, 1, &mine));
	OK(&t, votes_put(t.s, g, 1, &(struct votes){.seat = 1}));
	OK(&t, votes_list(t.s, g, 1, list, 4, &n));
	cr_assert_eq(n, 2);
	cr_expect_eq(list[0].seat, 1);
	cr_expect_eq(list[1].revision, 2);
	for (size_t k = 0; k < VOTE_KINDS; k++) {
		cr_expect_eq(list[1].of[k].stands, mine.of[k].stands);
		cr_expect_eq(list[1].of[k].was_seen, mine.of[k].was_seen);
		cr_expect_eq(list[1].of[k].whom, mine.of[k].whom);
	}
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_votes, a_turn_is_broken_off_only_while_it_is_open)
{
	struct temp_store t;
	struct turn turn;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t g = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, turn_drop(t.s, g, 1, 5000));
	OK(&t, turn_get(t.s, g, 1, t.arena, &turn));
	cr_expect_eq(turn.state, TURN_DROPPED);
	cr_expect_eq(turn.dropped_utc, 5000);
	cr_expect_str_eq(turn_state_name(turn.state), "dropped");
	cr_expect_eq(turn_drop(t.s, g, 1, 6000), ERR_INVALID);
	cr_expect_eq(turn_drop(t.s, g, 9, 6000), ERR_INVALID);
	cr_expect_eq(turn_end_at(t.s, g, 1, 6000), ERR_INVALID);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_votes, what_was_broken_off_is_never_due)
{
	struct temp_store t;
	struct turn_id due[8];
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t g = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, turn_end_at(t.s, g, 1, 1300));
	OK(&t, turn_due_list(t.s, DUE_SEAL, 1400, (struct turn_id){0}, 8, due, &n));
	cr_expect_eq(n, 1);
	OK(&t, turn_drop(t.s, g, 1, 1350));
	for (int what = DUE_SEAL; what <= DUE_REPORT; what++) {
		OK(&t, turn_due_list(t.s, (enum turn_due)what, 9000, (struct turn_id){0}, 8,
		                     due, &n));
		cr_expect_eq(n, 0);
	}
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_votes, who_is_forgotten_is_master_of_nothing)
{
	struct temp_store t;
	struct game *games, g;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t id = temp_game(&t, GAME_RUNNING, 3);
	int64_t player = temp_player(&t, "master@example.org");
	OK(&t, game_get(t.s, id, t.arena, &g));
	g.master = player;
	OK(&t, game_update(t.s, &g));
	OK(&t, game_list_of_master(t.s, player, t.arena, &games, &n));
	cr_assert_eq(n, 1);
	cr_expect_eq(games[0].id, id);
	OK(&t, player_forget(t.s, player));
	OK(&t, game_get(t.s, id, t.arena, &g));
	cr_expect_eq(g.master, 0);
	OK(&t, game_list_of_master(t.s, player, t.arena, &games, &n));
	cr_expect_eq(n, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}
