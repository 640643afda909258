/*
 * test_turns.c - turns from state to state, what is due, and the orders in them.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "store/orders.h"
#include "store/turns.h"
#include "tests/support/temp_store.h"

static const struct turn_id START = {0};

static size_t due(struct temp_store *t, enum turn_due what, int64_t through,
                  struct turn_id *out)
{
	size_t n;

	OK(t, turn_due_list(t->s, what, through, START, 10, out, &n));
	return n;
}

static struct turn turn_of(struct temp_store *t, int64_t game, unsigned serial)
{
	struct turn turn;

	OK(t, turn_get(t->s, game, serial, t->arena, &turn));
	return turn;
}

Test(store_turns, a_turn_goes_through_its_states_and_no_other_way)
{
	struct temp_store t;
	struct hash set, result;
	struct strbuf state = STRBUF_INIT;
	struct strbuf chance = STRBUF_INIT;
	struct turn turn;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	set = hash_of(SPAN_LIT("set"));
	result = hash_of(SPAN_LIT("result"));
	REFUSED(&t, turn_reported(t.s, g, 1), ERR_CORRUPT);
	REFUSED(&t, turn_resolved(t.s, g, 1, SPAN_LIT("x"), SPAN_EMPTY, &result, NULL),
	        ERR_CORRUPT);
	cr_assert(strstr(store_error(t.s)->text.ptr, "no such turn that is sealed"));
	OK(&t, turn_seal(t.s, g, 1, &set, 1900));
	REFUSED(&t, turn_seal(t.s, g, 1, &set, 1900), ERR_CORRUPT);
	turn = turn_of(&t, g, 1);
	cr_assert(turn.state == TURN_SEALED && turn.sealed_utc == 1900);
	cr_assert(hash_eq(&turn.orders_hash, &set) && hash_is_zero(&turn.result_hash));
	cr_assert_eq(turn_result(t.s, g, 1, &state, NULL), ERR_NOT_FOUND);
	OK(&t, turn_resolved(t.s, g, 1, SPAN_LIT("mole: 3\n"), SPAN_LIT("die = 4\n"), &result,
	                     &set));
	turn = turn_of(&t, g, 1);
	cr_assert(turn.state == TURN_RESOLVED && hash_eq(&turn.result_hash, &result));
	cr_assert(hash_eq(&turn.inputs_hash, &set));
	OK(&t, turn_result(t.s, g, 1, &state, &chance));
	cr_assert_str_eq(state.ptr, "mole: 3\n");
	cr_assert_str_eq(chance.ptr, "die = 4\n");
	OK(&t, turn_result(t.s, g, 1, NULL, &chance));
	cr_assert_str_eq(chance.ptr, "die = 4\ndie = 4\n");
	OK(&t, turn_reported(t.s, g, 1));
	REFUSED(&t, turn_reported(t.s, g, 1), ERR_CORRUPT);
	REFUSED(&t, turn_seal(t.s, g, 7, &set, 1), ERR_CORRUPT);
	store_rollback(t.s);
	strbuf_release(&state);
	strbuf_release(&chance);
	temp_store_close(&t);
}

static bool same_turn(const struct turn *a, const struct turn *b)
{
	return a->game == b->game && a->serial == b->serial && a->parent == b->parent &&
	       a->state == b->state && span_eq(a->label, b->label) && a->owes == b->owes &&
	       a->have == b->have && a->waiting == b->waiting &&
	       a->opened_utc == b->opened_utc && a->deadline_utc == b->deadline_utc &&
	       a->sealed_utc == b->sealed_utc && a->dropped_utc == b->dropped_utc &&
	       a->grace_utc == b->grace_utc && a->settle_utc == b->settle_utc &&
	       a->remind_utc == b->remind_utc && a->credited_utc == b->credited_utc &&
	       a->covered == b->covered && hash_eq(&a->orders_hash, &b->orders_hash) &&
	       hash_eq(&a->result_hash, &b->result_hash);
}

Test(store_turns, a_turn_comes_with_the_one_it_starts_from)
{
	struct temp_store t;
	struct hash d = hash_of(SPAN_LIT("set")), result = hash_of(SPAN_LIT("result"));
	struct strbuf state = STRBUF_INIT;
	struct turn turn, parent, one;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, turn_seal(t.s, g, 1, &d, 1900));
	OK(&t, turn_resolved(t.s, g, 1, SPAN_LIT("mole: 3\n"), SPAN_EMPTY, &result, NULL));
	OK(&t, turn_reported(t.s, g, 1));
	OK(&t, turn_open(t.s, &(struct turn){.game = g,
	                                     .serial = 2,
	                                     .parent = 1,
	                                     .label = SPAN_LIT("turn 2"),
	                                     .owes = 7,
	                                     .opened_utc = 2000,
	                                     .deadline_utc = 2900}));
	OK(&t, turn_get_with_parent(t.s, g, 2, t.arena, &turn, &parent));
	one = turn_of(&t, g, 2);
	cr_assert(same_turn(&turn, &one));
	one = turn_of(&t, g, 1);
	cr_assert(same_turn(&parent, &one));
	OK(&t, turn_state_text(t.s, &parent, &state));
	OK(&t, turn_state_text(t.s, &one, &state));
	cr_assert_str_eq(state.ptr, "mole: 3\nmole: 3\n");
	cr_assert_eq(turn_state_text(t.s, &turn, &state), ERR_NOT_FOUND);
	cr_assert_eq(turn_get_with_parent(t.s, g, 7, t.arena, &turn, &parent), ERR_NOT_FOUND);
	store_rollback(t.s);
	strbuf_release(&state);
	temp_store_close(&t);
}

/* Of the one before, all that orders are read in. */
static void expect_position(struct temp_store *t, int64_t g, unsigned serial,
                            const char *position)
{
	struct strbuf state = STRBUF_INIT;
	struct turn turn, from, same, parent;

	OK(t, turn_get_with_parent(t->s, g, serial, t->arena, &same, &parent));
	OK(t, turn_get_with_position(t->s, g, serial, t->arena, &turn, &from));
	cr_assert(same_turn(&turn, &same));
	cr_assert(from.game == g && from.serial == parent.serial);
	cr_assert(span_eq(from.sealed_state, parent.sealed_state));
	cr_assert_eq(from.sealed_state.len > 0, position != NULL);
	cr_assert(from.label.len == 0 && from.opened_utc == 0);
	if (position) {
		OK(t, turn_state_text(t->s, &from, &state));
		cr_assert_str_eq(state.ptr, position);
	}
	strbuf_release(&state);
}

Test(store_turns, a_turn_comes_with_the_position_it_starts_from)
{
	struct temp_store t;
	struct hash d = hash_of(SPAN_LIT("set"));
	struct turn turn, from;
	int64_t g, other;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	other = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, turn_seal(t.s, other, 1, &d, 1900));
	OK(&t, turn_resolved(t.s, other, 1, SPAN_LIT("elsewhere\n"), SPAN_EMPTY, &d, NULL));
	expect_position(&t, g, 1, "position after 0\n");
	OK(&t, turn_seal(t.s, g, 1, &d, 1900));
	OK(&t, turn_resolved(t.s, g, 1, SPAN_LIT("mole: 3\n"), SPAN_EMPTY, &d, NULL));
	for (unsigned serial = 2; serial <= 3; serial++)
		OK(&t, turn_open(t.s, &(struct turn){.game = g,
		                                     .serial = serial,
		                                     .parent = 1,
		                                     .label = SPAN_LIT("turn 2"),
		                                     .owes = 7,
		                                     .opened_utc = 2000,
		                                     .deadline_utc = 2900}));
	expect_position(&t, g, 2, "mole: 3\n");
	expect_position(&t, g, 3, "mole: 3\n"); /* played again from there */
	expect_position(&t, g, 0, NULL);        /* it starts from nothing */
	cr_assert_eq(turn_get_with_position(t.s, g, 7, t.arena, &turn, &from), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_turns, all_turns_are_listed_oldest_first)
{
	struct temp_store t;
	struct turn *list;
	size_t n;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 2);
	OK(&t, turn_list(t.s, g, t.arena, &list, &n));
	cr_assert(n == 2 && list[0].serial == 0 && list[0].state == TURN_REPORTED);
	cr_assert(span_eq_str(list[1].label, "turn 1") && list[1].owes == 3);
	cr_assert(list[1].opened_utc == 1100 && list[1].deadline_utc == 2000);
	REFUSED(&t, turn_open(t.s, &list[1]), ERR_EXISTS);
	list[1].game = 99;
	REFUSED(&t, turn_open(t.s, &list[1]), ERR_CORRUPT);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_turns, it_is_sealed_when_all_are_in_or_the_deadline_has_passed)
{
	struct temp_store t;
	struct turn_id ids[10];
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 2);
	cr_assert_eq(due(&t, DUE_SEAL, 1999, ids), 0);
	cr_assert_eq(due(&t, DUE_SEAL, 2000, ids), 1);
	cr_assert(ids[0].game == g && ids[0].serial == 1 && ids[0].due_utc == 2000);
	temp_orders(&t, g, 1, 1, "POPUP 1\n");
	cr_assert_eq(due(&t, DUE_SEAL, 0, ids), 0);
	temp_orders(&t, g, 1, 2, "POPUP 2\n");
	cr_assert_eq(due(&t, DUE_SEAL, 0, ids), 1);
	cr_assert_eq(ids[0].due_utc, 0);
	/* Somebody waits, or takes orders back: not yet. */
	OK(&t, turn_set_waiting(t.s, g, 1, 2, true));
	cr_assert_eq(due(&t, DUE_SEAL, 1999, ids), 0);
	cr_assert_eq(due(&t, DUE_SEAL, 2000, ids), 1);
	cr_assert_eq(turn_of(&t, g, 1).waiting, 2);
	OK(&t, turn_set_waiting(t.s, g, 1, 2, false));
	cr_assert_eq(due(&t, DUE_SEAL, 0, ids), 1);
	OK(&t, turn_set_deadline(t.s, g, 1, 5000));
	cr_assert_eq(due(&t, DUE_SEAL, 0, ids), 1);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_turns, a_turn_in_which_nobody_owes_is_due_at_once)
{
	struct temp_store t;
	struct turn_id ids[10];
	struct turn turn;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_GATHERING, 2);
	turn = (struct turn){.game = g, .serial = 1, .label = SPAN_LIT("x"), .opened_utc = 1};
	OK(&t, turn_open(t.s, &turn));
	cr_assert_eq(due(&t, DUE_SEAL, 0, ids), 1);
	turn = (struct turn){.game = g, .serial = 2, .owes = 1, .label = SPAN_LIT("x")};
	OK(&t, turn_open(t.s, &turn));
	cr_assert_eq(due(&t, DUE_SEAL, INT64_MAX, ids), 1, "no deadline, no clock");
	OK(&t, turn_set_deadline(t.s, g, 2, 50));
	cr_assert_eq(due(&t, DUE_SEAL, 50, ids), 2);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_turns, what_is_sealed_is_resolved_and_then_reported)
{
	struct temp_store t;
	struct turn_id ids[10];
	struct hash d = hash_of(SPAN_LIT("d"));
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 2);
	cr_assert_eq(due(&t, DUE_RESOLVE, 0, ids), 0);
	OK(&t, turn_seal(t.s, g, 1, &d, 1900));
	cr_assert_eq(due(&t, DUE_SEAL, 9999, ids), 0);
	cr_assert_eq(due(&t, DUE_RESOLVE, 0, ids), 1);
	OK(&t, turn_resolved(t.s, g, 1, SPAN_LIT("s"), SPAN_LIT(""), &d, NULL));
	cr_assert_eq(due(&t, DUE_RESOLVE, 0, ids), 0);
	cr_assert_eq(due(&t, DUE_REPORT, 0, ids), 1);
	OK(&t, turn_reported(t.s, g, 1));
	cr_assert_eq(due(&t, DUE_REPORT, 0, ids), 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_turns, a_game_that_stands_is_never_due)
{
	struct temp_store t;
	struct turn_id ids[10];
	struct hash d = hash_of(SPAN_LIT("d"));
	struct game g;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	id = temp_game(&t, GAME_RUNNING, 2);
	OK(&t, game_get(t.s, id, t.arena, &g));
	OK(&t, game_hold(t.s, id, "r", "operator", 1500));
	cr_assert_eq(due(&t, DUE_SEAL, 9999, ids), 0);
	temp_orders(&t, id, 1, 1, "orders are still taken\n");
	temp_orders(&t, id, 1, 2, "orders are still taken\n");
	cr_assert_eq(due(&t, DUE_SEAL, 9999, ids), 0);
	OK(&t, game_resume(t.s, id));
	cr_assert_eq(due(&t, DUE_SEAL, 0, ids), 1);
	OK(&t, turn_seal(t.s, id, 1, &d, 1900));
	g.status = GAME_PAUSED;
	OK(&t, game_update(t.s, &g));
	cr_assert_eq(due(&t, DUE_RESOLVE, 0, ids), 0);
	OK(&t, game_hold(t.s, id, "r", "operator", 1500));
	g.status = GAME_RUNNING;
	OK(&t, game_update(t.s, &g));
	cr_assert_eq(due(&t, DUE_RESOLVE, 0, ids), 0);
	OK(&t, game_resume(t.s, id));
	cr_assert_eq(due(&t, DUE_RESOLVE, 0, ids), 1);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_turns, due_turns_come_in_pages_what_waited_longest_first)
{
	struct temp_store t;
	struct turn_id ids[10], after = START;
	size_t n, total = 0;
	int64_t games[25];

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 25; i++) {
		games[i] = temp_game(&t, GAME_RUNNING, 2);
		OK(&t, turn_set_deadline(t.s, games[i], 1, 3000 - i / 2));
	}
	temp_orders(&t, games[24], 1, 1, "x\n");
	temp_orders(&t, games[24], 1, 2, "x\n");
	do {
		OK(&t, turn_due_list(t.s, DUE_SEAL, 3000, after, 10, ids, &n));
		for (size_t i = 0; i < n; i++) {
			cr_assert(
			    ids[i].due_utc > after.due_utc ||
			    (ids[i].due_utc == after.due_utc && ids[i].game > after.game));
			after = ids[i];
		}
		total += n;
	} while (n == 10);
	cr_assert_eq(total, 25);
	OK(&t, turn_due_list(t.s, DUE_SEAL, 3000, START, 1, ids, &n));
	cr_assert(n == 1 && ids[0].game == games[24] && ids[0].due_utc == 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

/* ------------------------------------------------------------------ orders */

Test(store_orders, revisions_pile_up_and_the_last_counts)
{
	struct temp_store t;
	struct order_revision r, *list;
	size_t n;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	cr_assert_eq(orders_last(t.s, g, 1, 2, t.arena, &r), ERR_NOT_FOUND);
	temp_orders(&t, g, 1, 2, "POPUP 1\n");
	temp_orders(&t, g, 1, 2, "POPUP 2\n");
	temp_orders(&t, g, 1, 1, "POPUP 3\n");
	OK(&t, orders_last(t.s, g, 1, 2, t.arena, &r));
	cr_assert(r.revision == 2 && span_eq_str(r.canonical, "POPUP 2\n"));
	cr_assert(r.received_utc == 1200 && r.mail == 0 && r.origin == 0 && !r.cleared);
	cr_assert_eq(r.salt.len, 0);
	OK(&t, orders_list(t.s, g, 1, t.arena, &list, &n));
	cr_assert_eq(n, 3);
	cr_assert(list[0].seat == 1 && list[1].seat == 2 && list[2].revision == 2);
	cr_assert(span_eq_str(list[1].canonical, "POPUP 1\n"));
	cr_assert_eq(turn_of(&t, g, 1).have, 3);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_orders, everything_said_about_a_revision_is_kept)
{
	struct temp_store t;
	struct order_revision r, read;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	r = (struct order_revision){.game = g,
	                            .serial = 1,
	                            .seat = 3,
	                            .revision = 1,
	                            .origin = 3,
	                            .received_utc = 1234567890,
	                            .mail = 42,
	                            .salt = SPAN_LIT("pepper"),
	                            .canonical = SPAN_LIT("POPUP 3\nWHACK 5\n")};
	OK(&t, orders_append(t.s, &r));
	OK(&t, orders_last(t.s, g, 1, 3, t.arena, &read));
	cr_assert(read.origin == 3 && read.received_utc == 1234567890 && read.mail == 42);
	cr_assert(span_eq_str(read.salt, "pepper"));
	cr_assert(span_eq(read.canonical, r.canonical));
	cr_assert(hash_is_zero(&read.contribution));
	r = (struct order_revision){.game = g,
	                            .serial = 1,
	                            .seat = 3,
	                            .revision = 2,
	                            .cleared = true,
	                            .contribution = hash_of(SPAN_LIT("mail")),
	                            .salt = SPAN_LIT("salt")};
	OK(&t, orders_append(t.s, &r));
	OK(&t, orders_last(t.s, g, 1, 3, t.arena, &read));
	cr_assert(read.cleared && read.canonical.len == 0 && span_eq_str(read.salt, "salt"));
	cr_assert(hash_eq(&read.contribution, &r.contribution));
	r = (struct order_revision){.game = g,
	                            .serial = 1,
	                            .seat = 3,
	                            .revision = 3,
	                            .origin = 7,
	                            .contribution = hash_of(SPAN_LIT("another mail")),
	                            .canonical = SPAN_LIT("POPUP 3\n")};
	OK(&t, orders_append(t.s, &r));
	OK(&t, orders_last(t.s, g, 1, 3, t.arena, &read));
	cr_assert(read.origin == 7 && span_eq(read.canonical, r.canonical) && !read.salt.len);
	cr_assert(hash_eq(&read.contribution, &r.contribution));
	r.revision = 4;
	r.cleared = true;
	r.canonical = SPAN_EMPTY;
	OK(&t, orders_append(t.s, &r));
	cr_assert_eq(turn_of(&t, g, 1).have, 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_orders, what_does_not_follow_is_refused)
{
	struct temp_store t;
	struct hash d = hash_of(SPAN_LIT("d"));
	struct order_revision r;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	r = (struct order_revision){
	    .game = g, .serial = 1, .seat = 1, .revision = 2, .canonical = SPAN_LIT("x\n")};
	cr_assert_eq(orders_append(t.s, &r), ERR_INVALID);
	r.revision = 1;
	r.seat = 0;
	cr_assert_eq(orders_append(t.s, &r), ERR_INVALID);
	r.seat = 1;
	r.salt = SPAN_LIT("two\nlines");
	cr_assert_eq(orders_append(t.s, &r), ERR_INVALID);
	r.salt = SPAN_EMPTY;
	r.serial = 9;
	REFUSED(&t, orders_append(t.s, &r), ERR_CORRUPT);
	r.serial = 1;
	OK(&t, orders_append(t.s, &r));
	REFUSED(&t, orders_append(t.s, &r), ERR_EXISTS);
	OK(&t, turn_seal(t.s, g, 1, &d, 1900));
	r.seat = 2;
	REFUSED(&t, orders_append(t.s, &r), ERR_CORRUPT);
	r.seat = 1;
	r.revision = 2;
	cr_assert_eq(orders_append(t.s, &r), ERR_INVALID);
	cr_assert_eq(turn_set_waiting(t.s, g, 1, 1, true), ERR_INVALID);
	cr_assert_eq(turn_set_deadline(t.s, g, 1, 9), ERR_INVALID);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_orders, a_set_takes_hardly_more_than_the_shortest_length_there_is)
{
	static const char text[] = "POPUP 3\nWHACK 5\nX 1\n"; /* 20 bytes, as usual */
	enum { TEXT = 64 + SEAL_OVERHEAD, ROW = 24 };
	struct temp_store t;
	int64_t bytes, sets = 0;

	OF_A_FILE;
	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 400; i++) {
		int64_t g = temp_game(&t, GAME_RUNNING, 3);

		for (unsigned seat = 1; seat <= 3; seat++, sets++) {
			struct order_revision r = {.game = g,
			                           .serial = 1,
			                           .seat = seat,
			                           .revision = 1,
			                           .received_utc = 1700000000 + sets,
			                           .mail = sets + 1,
			                           .canonical = span_of(text)};

			OK(&t, orders_append(t.s, &r));
		}
	}
	bytes = temp_store_number(&t, "SELECT sum(payload) FROM dbstat WHERE name = 'orders'");
	cr_assert_leq(bytes, sets * (TEXT + ROW), "%lld bytes for %lld sets", (long long)bytes,
	              (long long)sets);
	store_rollback(t.s);
	temp_store_close(&t);
}
