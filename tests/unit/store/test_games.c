/*
 * test_games.c - players, strangers, games and seats.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "store/forks_and_imports.h"
#include "store/games.h"
#include "store/outbox.h"
#include "store/players.h"
#include "tests/support/temp_store.h"

/* ----------------------------------------------------------------- players */

Test(store_players, a_player_is_found_by_address_in_any_case)
{
	struct temp_store t;
	struct player p, added;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	OK(&t,
	   player_add(t.s, SPAN_LIT("Ann@Example.org"), SPAN_LIT("Ann"), false, 1234, &added));
	REFUSED(&t, player_add(t.s, SPAN_LIT("ann@example.ORG"), SPAN_LIT("B"), false, 1, &p),
	        ERR_EXISTS);
	OK(&t, player_by_address(t.s, SPAN_LIT("ANN@example.org"), t.arena, &p));
	cr_assert_eq(p.id, added.id);
	cr_assert(span_eq(p.address, added.address) && span_eq(p.name, added.name) &&
	          span_eq(p.zone, added.zone));
	cr_assert_eq(p.digest_min, added.digest_min);
	cr_assert_eq(p.created_utc, added.created_utc);
	cr_assert(span_eq_str(p.address, "Ann@Example.org"));
	cr_assert(span_eq_str(p.name, "Ann"));
	cr_assert_eq(p.created_utc, 1234);
	cr_assert_not(p.confirmed || p.blocked || p.forgotten || p.form.ascii ||
	              p.fixed_subject);
	cr_assert_eq(player_by_address(t.s, SPAN_LIT("bob@example.org"), t.arena, &p),
	             ERR_NOT_FOUND);
	cr_assert_eq(player_get(t.s, 99, t.arena, &p), ERR_NOT_FOUND);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_players, each_fact_can_be_changed)
{
	struct temp_store t;
	struct player p;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	id = temp_player(&t, "ann@example.org");
	OK(&t, player_set_name(t.s, id, SPAN_LIT("Anna")));
	OK(&t, player_set_confirmed(t.s, id));
	OK(&t, player_set_blocked(t.s, id, true));
	OK(&t, player_next_token(t.s, id));
	OK(&t, player_next_token(t.s, id));
	OK(&t, player_set_form(t.s, &(struct player){.id = id,
	                                             .form = {true, 40, true, HTML_YES},
	                                             .no_reminders = true,
	                                             .fixed_subject = true,
	                                             .zone = SPAN_LIT("Asia/Tokyo")}));
	OK(&t, player_get(t.s, id, t.arena, &p));
	cr_assert(span_eq_str(p.name, "Anna"));
	cr_assert(p.confirmed && p.blocked && p.form.ascii && p.fixed_subject);
	cr_assert(p.form.cols == 40 && p.form.words_first && p.no_reminders);
	cr_assert_eq(p.form.html, HTML_YES);
	cr_assert(span_eq_str(p.zone, "Asia/Tokyo"));
	cr_assert_eq(p.token_generation, 2);
	cr_assert_eq(player_set_name(t.s, 99, SPAN_LIT("x")), ERR_NOT_FOUND);
	cr_assert_eq(player_next_token(t.s, 99), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_players, a_forgotten_one_is_nowhere_and_the_address_is_free_again)
{
	struct temp_store t;
	struct player p;
	struct outbox_mail m;
	int64_t id, new_id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	id = temp_player(&t, "ann@example.org");
	(void)temp_mail(&t, "one", id, 0, 0, 0);
	OK(&t, player_forget(t.s, id));
	OK(&t, player_forget(t.s, temp_player(&t, "bob@example.org")));
	OK(&t, player_get(t.s, id, t.arena, &p));
	cr_assert(p.forgotten && p.address.len == 0 && p.name.len == 0);
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<one@test>"), t.arena, &m));
	cr_assert_eq(m.rcpt.len, 0);
	cr_assert_eq(m.state, OUTBOX_DEAD);
	new_id = temp_player(&t, "ann@example.org");
	cr_assert_neq(new_id, id);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_players, all_are_listed_in_order)
{
	struct temp_store t;
	struct player *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 100; i++)
		(void)temp_player(&t, arena_printf(t.arena, "p%d@example.org", i));
	OK(&t, player_list(t.s, t.arena, &list, &n));
	cr_assert_eq(n, 100);
	for (size_t i = 0; i < n; i++) {
		cr_assert_eq(list[i].id, (int64_t)i + 1);
		cr_assert(
		    span_eq_str(list[i].address, arena_printf(t.arena, "p%zu@example.org", i)));
	}
	store_rollback(t.s);
	temp_store_close(&t);
}

static bool allowed(struct temp_store *t, const char *address, const char *kind, int64_t now)
{
	unsigned left;

	OK(t, stranger_take(t->s, span_of(address), kind, now - 100, 2, now, &left));
	return left > 0;
}

Test(store_players, a_stranger_gets_so_many_answers_of_a_kind_and_no_more)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	cr_assert(allowed(&t, "x@example.org", "guide", 1000));
	cr_assert(allowed(&t, "X@Example.org", "guide", 1000));
	cr_assert_not(allowed(&t, "x@example.org", "guide", 1000));
	cr_assert_not(allowed(&t, "x@example.org", "guide", 1090));
	cr_assert(allowed(&t, "y@example.org", "guide", 1000));
	cr_assert(allowed(&t, "x@example.org", "list", 1000));
	/* What no longer counts is deleted, of this kind only. */
	cr_assert(allowed(&t, "x@example.org", "guide", 1101));
	cr_assert_eq(temp_store_number(&t, "SELECT count(*) FROM strangers"), 2);
	store_rollback(t.s);
	temp_store_close(&t);
}

/* ------------------------------------------------------------------- games */

Test(store_games, a_game_comes_back_as_it_was_added)
{
	struct temp_store t;
	struct game g;
	struct hash secret, expected = hash_of(SPAN_LIT("a secret"));
	int64_t id, next;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	OK(&t, game_next_id(t.s, 1, &next));
	id = temp_game(&t, GAME_GATHERING, 3);
	cr_assert_eq(id, next);
	cr_assert_eq(id, 1);
	cr_assert_eq(temp_game(&t, GAME_RUNNING, 2), 2);
	OK(&t, game_next_id(t.s, 2, &next));
	cr_assert_eq(next, 3);
	OK(&t, game_next_id(t.s, 1001, &next));
	cr_assert_eq(next, 1001);
	OK(&t, game_get(t.s, id, t.arena, &g));
	cr_assert_str_eq(game_id_text(&g, t.arena), "W1");
	cr_assert(span_eq_str(g.kind, "whakka-mole") && span_eq_str(g.options, "size=6"));
	cr_assert(span_eq_str(g.title, "Lawn"));
	cr_assert(g.rules_version == 1 && g.nseats == 3 && g.next_s == 900 && !g.is_private);
	cr_assert(g.status == GAME_GATHERING && g.serial == 0 && g.creator == 0 && !g.held);
	cr_assert(hash_is_zero(&g.join_key) && hash_is_zero(&g.record_head));
	OK(&t, game_secret(t.s, &g, &secret));
	cr_assert(hash_eq(&secret, &expected));
	cr_assert_eq(game_get(t.s, 3, t.arena, &g), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_games, an_update_writes_the_course_of_the_game)
{
	struct temp_store t;
	struct game g, read;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	id = temp_game(&t, GAME_RUNNING, 2);
	OK(&t, game_get(t.s, id, t.arena, &g));
	g.status = GAME_OVER;
	g.ended_utc = 5000;
	g.idle_turns = 2;
	g.record_lines = 17;
	g.record_head = hash_of(SPAN_LIT("head"));
	OK(&t, game_update(t.s, &g));
	OK(&t, game_get(t.s, id, t.arena, &read));
	cr_assert(read.status == GAME_OVER && read.ended_utc == 5000 && read.idle_turns == 2);
	cr_assert(read.record_lines == 17 && hash_eq(&read.record_head, &g.record_head));
	g.id = 99;
	REFUSED(&t, game_update(t.s, &g), ERR_CORRUPT);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_games, a_hold_is_remembered_with_its_reason)
{
	struct temp_store t;
	struct game g;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	id = temp_game(&t, GAME_RUNNING, 2);
	OK(&t, game_hold(t.s, id, "the digest differs", "server", 1700));
	OK(&t, game_get(t.s, id, t.arena, &g));
	cr_assert(g.held && g.held_since_utc == 1700);
	cr_assert(span_eq_str(g.held_reason, "the digest differs"));
	cr_assert(span_eq_str(g.held_by, "server"));
	OK(&t, game_resume(t.s, id));
	OK(&t, game_get(t.s, id, t.arena, &g));
	cr_assert(!g.held && g.held_reason.len == 0 && g.held_by.len == 0);
	cr_assert_eq(game_hold(t.s, 99, "x", "y", 1), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

static size_t listed(struct temp_store *t, unsigned mask, int64_t after, size_t max,
                     int64_t *first)
{
	struct game *list;
	size_t n;

	OK(t, game_list(t->s, mask, after, max, t->arena, &list, &n));
	for (size_t i = 1; i < n; i++)
		cr_assert_lt(list[i - 1].id, list[i].id);
	*first = n > 0 ? list[0].id : 0;
	return n;
}

Test(store_games, lists_go_by_status_and_page_by_id)
{
	struct temp_store t;
	int64_t first;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 12; i++)
		(void)temp_game(&t, (enum game_status)(i % 6), 2);
	cr_assert_eq(listed(&t, ~0u, 0, 100, &first), 12);
	cr_assert_eq(listed(&t, ~0u, 5, 3, &first), 3);
	cr_assert_eq(first, 6);
	cr_assert_eq(listed(&t, 1u << GAME_RUNNING, 0, 100, &first), 2);
	cr_assert_eq(first, 2);
	cr_assert_eq(listed(&t, 1u << GAME_RUNNING | 1u << GAME_OVER, 2, 100, &first), 3);
	cr_assert_eq(first, 4);
	cr_assert_eq(listed(&t, 0, 0, 100, &first), 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

static int64_t open_game(struct temp_store *t, int64_t except)
{
	struct game g;
	struct game_wish wish = {.kind = SPAN_LIT("whakka-mole"), .player = except};
	enum err err = game_open_of_kind(t->s, &wish, t->arena, &g);

	cr_assert(err == ERR_NONE || err == ERR_NOT_FOUND);
	return err == ERR_NONE ? g.id : 0;
}

Test(store_games, joining_a_kind_finds_the_oldest_open_game_one_is_not_in)
{
	struct temp_store t;
	struct seat *seats;
	struct game g;
	size_t n;
	int64_t full, open1, open2;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	full = temp_game(&t, GAME_GATHERING, 2);
	(void)temp_game(&t, GAME_RUNNING, 2);
	cr_assert_eq(open_game(&t, 0), 0);
	open1 = temp_game(&t, GAME_GATHERING, 3);
	OK(&t, seat_close_up(t.s, open1, 3, t.arena));
	open2 = temp_game(&t, GAME_GATHERING, 3);
	OK(&t, seat_close_up(t.s, open2, 3, t.arena));
	OK(&t, seat_list(t.s, open1, t.arena, &seats, &n));
	cr_assert_eq(n, 2);
	cr_assert_eq(open_game(&t, 0), open1);
	cr_assert_eq(open_game(&t, seats[1].player), open2);
	OK(&t, game_hold(t.s, open1, "r", "b", 1));
	cr_assert_eq(open_game(&t, 0), open2);
	cr_assert_eq(
	    game_open_of_kind(t.s, &(struct game_wish){.kind = SPAN_LIT("chess")}, t.arena, &g),
	    ERR_NOT_FOUND);
	cr_assert_neq(full, open1);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_games, a_private_game_is_never_offered)
{
	struct temp_store t;
	struct hash secret = {{1}};
	struct game g = {.letter = 'W',
	                 .kind = SPAN_LIT("whakka-mole"),
	                 .nseats = 3,
	                 .is_private = true,
	                 .join_key = hash_of(SPAN_LIT("key")),
	                 .secret_hash = secret};
	struct game read;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	OK(&t, game_add(t.s, &g, &secret));
	cr_assert_eq(open_game(&t, 0), 0);
	OK(&t, game_get(t.s, g.id, t.arena, &read));
	cr_assert(read.is_private && hash_eq(&read.join_key, &g.join_key));
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_games, a_player_s_games_come_newest_first_without_those_left)
{
	struct temp_store t;
	struct game *list;
	struct seat seat;
	size_t n;
	int64_t ids[3], player;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	player = temp_player(&t, "ann@example.org");
	for (int i = 0; i < 3; i++) {
		ids[i] = temp_game(&t, i == 2 ? GAME_OVER : GAME_RUNNING, 2);
		OK(&t, seat_get(t.s, ids[i], 2, t.arena, &seat));
		seat.player = player;
		OK(&t, seat_update(t.s, &seat));
	}
	OK(&t, game_list_of_player(t.s, player, ~0u, t.arena, &list, &n));
	cr_assert(n == 3 && list[0].id == ids[2] && list[2].id == ids[0]);
	OK(&t, game_list_of_player(t.s, player, 1u << GAME_RUNNING, t.arena, &list, &n));
	cr_assert(n == 2 && list[0].id == ids[1]);
	OK(&t, seat_get(t.s, ids[1], 2, t.arena, &seat));
	seat.resigned = true;
	OK(&t, seat_update(t.s, &seat));
	OK(&t, game_list_of_player(t.s, player, 1u << GAME_RUNNING, t.arena, &list, &n));
	cr_assert(n == 1 && list[0].id == ids[0]);
	store_rollback(t.s);
	temp_store_close(&t);
}

/* ------------------------------------------------------------------- seats */

Test(store_seats, a_seat_comes_back_as_it_was_written)
{
	struct temp_store t;
	struct seat s, read;
	int64_t game;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	game = temp_game(&t, GAME_GATHERING, 2);
	OK(&t, seat_get(t.s, game, 2, t.arena, &s));
	s.player = 0;
	s.bot_level = 1;
	s.salt = SPAN_LIT("pepper");
	s.token_generation = 3;
	s.mails = 4;
	s.missed = 5;
	s.confirmed = false;
	OK(&t, seat_update(t.s, &s));
	OK(&t, seat_get(t.s, game, 2, t.arena, &read));
	cr_assert(read.player == 0 && read.bot_level == 1 && span_eq_str(read.salt, "pepper"));
	cr_assert(read.token_generation == 3 && read.mails == 4 && read.missed == 5);
	cr_assert(!read.confirmed && !read.resigned && read.joined_utc == 1002);
	REFUSED(&t, seat_add(t.s, &s), ERR_EXISTS);
	cr_assert_eq(seat_get(t.s, game, 3, t.arena, &read), ERR_NOT_FOUND);
	s.seat = 9;
	REFUSED(&t, seat_update(t.s, &s), ERR_CORRUPT);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_seats, the_lowest_seat_of_a_player_is_found)
{
	struct temp_store t;
	struct seat s, found;
	int64_t game, player;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	game = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, seat_get(t.s, game, 2, t.arena, &s));
	player = s.player;
	OK(&t, seat_get(t.s, game, 3, t.arena, &s));
	s.player = player;
	OK(&t, seat_update(t.s, &s));
	OK(&t, seat_of_player(t.s, game, player, t.arena, &found));
	cr_assert_eq(found.seat, 2);
	cr_assert_eq(seat_of_player(t.s, game, 99, t.arena, &found), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_seats, who_leaves_early_makes_room_and_takes_the_mails_along)
{
	struct temp_store t;
	struct seat *list;
	struct outbox_mail m;
	int64_t game, third;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	game = temp_game(&t, GAME_GATHERING, 3);
	OK(&t, seat_list(t.s, game, t.arena, &list, &n));
	third = list[2].player;
	(void)temp_mail(&t, "leaver", list[1].player, game, 2, 1);
	(void)temp_mail(&t, "stayer", third, game, 3, 1);
	OK(&t, seat_close_up(t.s, game, 2, t.arena));
	OK(&t, seat_list(t.s, game, t.arena, &list, &n));
	cr_assert(n == 2 && list[1].seat == 2 && list[1].player == third);
	OK(&t, outbox_by_number(t.s, game, 2, 1, t.arena, &m));
	cr_assert(span_eq_str(m.message_id, "<stayer@test>"));
	cr_assert_eq(seat_close_up(t.s, game, 3, t.arena), ERR_NOT_FOUND);
	game = temp_game(&t, GAME_RUNNING, 3);
	cr_assert_eq(seat_close_up(t.s, game, 2, t.arena), ERR_INVALID);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_games, the_game_of_a_record_is_found_by_its_secret_and_its_name)
{
	struct hash other = hash_of(SPAN_LIT("another secret"));
	struct temp_store t;
	struct game game;
	int64_t found;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t g = temp_game(&t, GAME_RUNNING, 2);
	OK(&t, game_get(t.s, g, t.arena, &game));
	struct span id = span_of(game_id_text(&game, t.arena));
	OK(&t, game_of_record(t.s, id, &game.secret_hash, &found));
	cr_expect_eq(found, g);
	cr_expect_eq(game_of_record(t.s, id, &other, &found), ERR_NOT_FOUND);
	cr_expect_eq(found, 0);
	cr_expect_eq(game_of_record(t.s, SPAN_LIT("W99"), &game.secret_hash, &found),
	             ERR_NOT_FOUND);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_games, every_status_has_a_name)
{
	cr_assert_str_eq(game_status_name(GAME_GATHERING), "gathering");
	cr_assert_str_eq(game_status_name(GAME_ABANDONED), "abandoned");
	cr_assert_str_eq(turn_state_name(TURN_OPEN), "open");
	cr_assert_str_eq(turn_state_name(TURN_REPORTED), "reported");
	cr_assert_str_eq(outbox_state_name(OUTBOX_DEAD), "dead");
}
