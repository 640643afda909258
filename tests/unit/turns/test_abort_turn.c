/*
 * test_abort_turn.c - which turns can be broken off.
 */
#include <criterion/criterion.h>

#include "processor/turns/abort_turn.h"

Test(abort_turn, only_a_turn_that_is_open_and_not_the_set_up)
{
	struct match match = {.game.status = GAME_RUNNING,
	                      .has_turn = true,
	                      .turn = {.serial = 1, .state = TURN_OPEN}};

	cr_expect(turn_can_be_aborted(&match));
	match.game.status = GAME_PAUSED;
	cr_expect(turn_can_be_aborted(&match));
	match.game.status = GAME_OVER;
	cr_expect_not(turn_can_be_aborted(&match));
	match.game.status = GAME_RUNNING;
	match.turn.state = TURN_SEALED;
	cr_expect_not(turn_can_be_aborted(&match));
	match.turn.state = TURN_OPEN;
	match.turn.serial = 0;
	cr_expect_not(turn_can_be_aborted(&match),
	              "a run may end before the set-up is resolved");
	match.turn.serial = 1;
	match.has_turn = false;
	cr_expect_not(turn_can_be_aborted(&match));
}
