/*
 * test_press.c - messages, diaries and observers in the database.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/file.h"
#include "store/players.h"
#include "store/press.h"
#include "tests/support/temp_store.h"

enum { DB_MAX = 16 << 20 };

static const char secret_words[] = "Meet me at the third molehill.";

static void write_one(struct temp_store *t, int64_t game, enum press_kind kind, uint32_t seats,
                      int64_t at_utc, struct press *out)
{
	*out = (struct press){.game = game,
	                      .seat = 1,
	                      .kind = kind,
	                      .seats = seats,
	                      .written_utc = at_utc,
	                      .mail = 7,
	                      .text = span_of(secret_words)};
	OK(t, press_add(t->s, out));
}

Test(store_press, a_game_without_rules_is_white_and_at_once)
{
	struct temp_store t;
	struct press_rules rules = {PRESS_NONE, true, OBSERVERS_NONE};

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, press_rules_get(t.s, game, &rules));
	cr_expect(rules.mode == PRESS_WHITE && !rules.waits &&
	          rules.observers == OBSERVERS_NOW);
	rules = (struct press_rules){PRESS_GREY, true, OBSERVERS_REPORT};
	OK(&t, press_rules_add(t.s, game, &rules));
	rules = (struct press_rules){0};
	OK(&t, press_rules_get(t.s, game, &rules));
	cr_expect(rules.mode == PRESS_GREY && rules.waits &&
	          rules.observers == OBSERVERS_REPORT);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_press, what_waits_comes_once_and_diaries_only_when_asked_for)
{
	struct temp_store t;
	struct press p, *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3), other = temp_game(&t, GAME_RUNNING, 3);
	write_one(&t, game, PRESS_TO_SOME, 2, 100, &p);
	write_one(&t, game, PRESS_DIARY, 0, 101, &p);
	write_one(&t, game, PRESS_TO_ALL, 6, 102, &p);
	write_one(&t, other, PRESS_TO_SOME, 2, 103, &p);
	OK(&t, press_waiting(t.s, game, false, t.arena, &list, &n));
	cr_assert_eq(n, 2);
	cr_expect(list[0].kind == PRESS_TO_SOME && list[0].seats == 2);
	cr_expect(list[1].kind == PRESS_TO_ALL && list[1].written_utc == 102);
	cr_expect(span_eq_str(list[0].text, secret_words));
	OK(&t, press_delivered(t.s, game, false, list[1].id, 200));
	OK(&t, press_waiting(t.s, game, false, t.arena, &list, &n));
	cr_expect_eq(n, 0);
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	cr_expect_eq(list[0].kind, PRESS_DIARY);
	OK(&t, press_delivered(t.s, game, true, list[0].id, 300));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_expect_eq(n, 0);
	OK(&t, store_commit(t.s));
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM press WHERE sealed_text"
	                                   " IS NOT NULL"),
	             1, "only that of the other game");
	temp_store_close(&t);
}

/* What came while the reports were being written is not lost with them. */
Test(store_press, a_message_newer_than_the_report_goes_on_waiting)
{
	struct temp_store t;
	struct press p, *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3);
	write_one(&t, game, PRESS_TO_SOME, 2, 100, &p);
	int64_t last = p.id;
	write_one(&t, game, PRESS_TO_SOME, 2, 101, &p);
	OK(&t, press_delivered(t.s, game, true, last, 200));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	cr_expect_eq(list[0].id, p.id);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_press, who_leaves_gets_nothing_and_leaves_nothing)
{
	struct temp_store t;
	struct press p, *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_GATHERING, 3);
	write_one(&t, game, PRESS_TO_SOME, 6, 100, &p);
	OK(&t, press_leave(t.s, game, 2, 150));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	cr_expect_eq(list[0].seats, 4, "seat 3 alone");
	OK(&t, press_leave(t.s, game, 1, 160));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_expect_eq(n, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_press, who_is_forgotten_leaves_nothing_that_was_not_read)
{
	struct temp_store t;
	struct press p, *list;
	struct seat seat;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3);
	write_one(&t, game, PRESS_DIARY, 0, 100, &p);
	OK(&t, seat_get(t.s, game, 2, t.arena, &seat));
	OK(&t, player_forget(t.s, seat.player));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_expect_eq(n, 1, "seat 1 has written it");
	OK(&t, seat_get(t.s, game, 1, t.arena, &seat));
	OK(&t, player_forget(t.s, seat.player));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_expect_eq(n, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_press, who_is_forgotten_after_he_has_lost_his_seat_leaves_nothing_either)
{
	struct temp_store t;
	struct press p, *list;
	struct seat seat;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3);
	write_one(&t, game, PRESS_DIARY, 0, 100, &p);
	OK(&t, seat_get(t.s, game, 1, t.arena, &seat));
	seat.former = seat.player;
	seat.player = 0;
	seat.vacated_utc = 150;
	OK(&t, seat_update(t.s, &seat));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_expect_eq(n, 1, "he may come back to it");
	OK(&t, player_forget(t.s, seat.former));
	OK(&t, press_waiting(t.s, game, true, t.arena, &list, &n));
	cr_expect_eq(n, 0);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_press, limits_can_be_counted)
{
	struct temp_store t;
	struct press p;
	struct press_kept kept;
	int64_t at;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3);
	for (int64_t i = 1; i <= 3; i++)
		write_one(&t, game, i == 3 ? PRESS_DIARY : PRESS_TO_SOME, 0, 100 * i, &p);
	OK(&t, press_nth(t.s, game, 1, 3, &at));
	cr_expect_eq(at, 100);
	OK(&t, press_nth(t.s, game, 1, 4, &at));
	cr_expect_eq(at, INT64_MIN);
	OK(&t, press_nth(t.s, game, 2, 1, &at));
	cr_expect_eq(at, INT64_MIN);
	OK(&t, press_kept_of(t.s, game, 1, &kept));
	cr_expect(kept.messages == 2 && kept.diary == 1);
	cr_expect_eq(kept.diary_size, (int64_t)strlen(secret_words));
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

static void file_is_silent(const char *path)
{
	struct strbuf bytes = STRBUF_INIT;

	if (file_exists(path))
		cr_assert_eq(file_read(path, DB_MAX, &bytes, NULL), ERR_NONE, "%s", path);
	cr_expect_eq(span_find(strbuf_span(&bytes), SPAN_LIT("molehill")), bytes.len, "%s",
	             path);
	strbuf_release(&bytes);
}

Test(store_press, a_text_that_waits_is_sealed)
{
	struct temp_store t;
	struct strbuf wal = STRBUF_INIT;
	struct press p;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3);
	write_one(&t, game, PRESS_TO_SOME, 2, 100, &p);
	write_one(&t, game, PRESS_DIARY, 0, 100, &p);
	OK(&t, store_commit(t.s));
	strbuf_addf(&wal, "%s-wal", t.path);
	file_is_silent(t.path);
	file_is_silent(wal.ptr);
	strbuf_release(&wal);
	temp_store_close(&t);
}

Test(store_press, observers_come_and_go)
{
	struct temp_store t;
	struct observer o, *list;
	int64_t *games;
	unsigned count;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 2), other = temp_game(&t, GAME_RUNNING, 2);
	int64_t eve = temp_player(&t, "eve@example.org"),
		dan = temp_player(&t, "dan@example.org");
	OK(&t, observer_set(t.s, &(struct observer){game, eve, true, 100}));
	OK(&t, observer_set(t.s, &(struct observer){game, dan, true, 101}));
	OK(&t, observer_set(t.s, &(struct observer){other, eve, true, 102}));
	OK(&t, observer_set(t.s, &(struct observer){game, eve, false, 200}));
	OK(&t, observer_get(t.s, game, eve, &o));
	cr_expect(!o.press && o.since_utc == 100, "changed in place");
	OK(&t, observer_list(t.s, game, t.arena, &list, &n));
	cr_expect_eq(n, 2);
	OK(&t, observer_count(t.s, game, &count));
	cr_expect_eq(count, 2);
	OK(&t, observer_games(t.s, eve, t.arena, &games, &n));
	cr_assert_eq(n, 2);
	cr_expect_eq(games[0], other, "newest first");
	OK(&t, observer_drop(t.s, game, dan));
	cr_expect_eq(observer_drop(t.s, game, dan), ERR_NOT_FOUND);
	OK(&t, player_forget(t.s, eve));
	OK(&t, observer_count(t.s, other, &count));
	cr_expect_eq(count, 0, "forgotten with the player");
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_press, the_writer_of_a_mail)
{
	struct temp_store t;
	struct press p;
	unsigned seat;
	bool unnamed;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t game = temp_game(&t, GAME_RUNNING, 3);
	write_one(&t, game, PRESS_DIARY, 0, 10, &p);
	cr_expect_eq(press_writer(t.s, game, 7, &seat, &unnamed), ERR_NOT_FOUND);
	cr_expect(unnamed && seat == 0);
	write_one(&t, game, PRESS_TO_SOME, 6, 10, &p);
	OK(&t, press_writer(t.s, game, 7, &seat, &unnamed));
	cr_expect(seat == 1 && !unnamed);
	cr_expect_eq(press_writer(t.s, game, 8, &seat, &unnamed), ERR_NOT_FOUND);
	cr_expect_eq(press_writer(t.s, game + 1, 7, &seat, &unnamed), ERR_NOT_FOUND);
	p = (struct press){.game = game,
	                   .seat = 1,
	                   .kind = PRESS_TO_ALL,
	                   .unnamed = true,
	                   .written_utc = 11,
	                   .mail = 7,
	                   .text = span_of(secret_words)};
	OK(&t, press_add(t.s, &p));
	OK(&t, press_writer(t.s, game, 7, &seat, &unnamed));
	cr_expect(seat == 1 && unnamed);
	store_rollback(t.s);
	temp_store_close(&t);
}
