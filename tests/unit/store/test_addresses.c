/*
 * test_addresses.c - further addresses, questions that wait, reply addresses declared void,
 * and how they come into an older database.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "store/addresses.h"
#include "store/bounces.h"
#include "store/confirmations.h"
#include "store/engine/db.h"
#include "store/engine/schema.h"
#include "store/inbox.h"
#include "store/outbox.h"
#include "tests/support/temp_store.h"

static int64_t player_of(struct temp_store *t, const char *address)
{
	struct player p;

	return player_by_address(t->s, span_of(address), t->arena, &p) == ERR_NONE ? p.id : 0;
}

Test(store_addresses, a_player_is_found_by_each_of_his_addresses)
{
	struct temp_store t;
	struct span *list;
	struct player p;
	int64_t ann, bob;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	ann = temp_player(&t, "ann@example.org");
	bob = temp_player(&t, "bob@example.org");
	OK(&t, address_add(t.s, ann, SPAN_LIT("ann@work.example"), 10));
	OK(&t, address_add(t.s, ann, SPAN_LIT("ann@home.example"), 20));
	cr_assert_eq(player_of(&t, "Ann@Work.example"), ann);
	OK(&t, player_by_address(t.s, SPAN_LIT("ann@home.example"), t.arena, &p));
	cr_assert(span_eq_str(p.address, "ann@example.org"), "mail goes on to the first");
	cr_assert_eq(address_add(t.s, bob, SPAN_LIT("ANN@work.example"), 30), ERR_EXISTS);
	cr_assert_eq(address_add(t.s, ann, SPAN_LIT("ann@work.example"), 30), ERR_EXISTS);
	cr_assert_eq(address_add(t.s, bob, SPAN_LIT("ann@example.org"), 30), ERR_EXISTS);
	REFUSED(&t, player_add(t.s, SPAN_LIT("Ann@work.example"), SPAN_LIT("x"), true, 40, &p),
	        ERR_CORRUPT);
	OK(&t, address_list(t.s, ann, t.arena, &list, &n));
	cr_assert(n == 2 && span_eq_str(list[0], "ann@work.example"));
	OK(&t, address_drop(t.s, ann, SPAN_LIT("ANN@work.example")));
	cr_assert_eq(address_drop(t.s, ann, SPAN_LIT("ann@work.example")), ERR_NOT_FOUND);
	cr_assert_eq(player_of(&t, "ann@work.example"), 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_addresses, what_has_not_left_follows_to_the_new_address)
{
	struct temp_store t;
	struct outbox_mail m;
	struct span *list;
	int64_t ann, bob;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	ann = temp_player(&t, "somebody@example.org"); /* where temp_mail sends to */
	bob = temp_player(&t, "bob@example.org");
	(void)temp_mail(&t, "one", ann, 0, 0, 0);
	(void)temp_mail(&t, "two", ann, 0, 0, 0);
	(void)temp_mail(&t, "bobs", bob, 0, 0, 0);
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<one@test>"), t.arena, &m));
	struct span before = m.rcpt;
	m.state = OUTBOX_SENT;
	m.attempts = 1;
	OK(&t, outbox_mark(t.s, &m));
	OK(&t, address_add(t.s, ann, SPAN_LIT("ann@new.example"), 10));
	OK(&t, address_replace(t.s, ann, SPAN_LIT("ann@new.example"), 20));
	cr_assert_eq(player_of(&t, "somebody@example.org"), ann, "the old one still counts");
	OK(&t, address_list(t.s, ann, t.arena, &list, &n));
	cr_assert(n == 1 && span_eq_str(list[0], "somebody@example.org"));
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<one@test>"), t.arena, &m));
	cr_assert(span_eq(m.rcpt, before), "what was sent was sent there");
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<two@test>"), t.arena, &m));
	cr_assert(span_eq_str(m.rcpt, "ann@new.example"));
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<bobs@test>"), t.arena, &m));
	cr_assert(span_eq(m.rcpt, before), "other people's mail stays where it goes");
	cr_assert_eq(address_replace(t.s, bob, SPAN_LIT("somebody@example.org"), 30),
	             ERR_EXISTS);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_addresses, one_that_is_dropped_gets_no_mail_in_the_place_of_another)
{
	struct temp_store t;
	struct span dead = SPAN_LIT("somebody@example.org"),
		    work = SPAN_LIT("ann@work.example");
	struct confirmation *open, q = {.kind = CONFIRMATION_ALSO,
	                                .player = 1,
	                                .address = SPAN_LIT("eve@example.org"),
	                                .asked_utc = 5,
	                                .mail = 1};
	struct outbox_mail *list, m = {.id = 1, .player = 1, .rcpt = dead};
	struct inbox_mail in = {.source = SPAN_LIT("maildir:x"),
	                        .transport_id = SPAN_LIT("1"),
	                        .arrived_utc = 1,
	                        .verdict = SPAN_LIT("bounce")};
	unsigned score;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	OK(&t, inbox_add(t.s, &in, &in.id));
	(void)temp_game(&t, GAME_RUNNING, 2);
	(void)temp_mail(&t, "m1", 1, 1, 1, 1);
	OK(&t, address_replace(t.s, 1, dead, 10));
	OK(&t, address_add(t.s, 1, work, 10));
	OK(&t, bounce_count(t.s, &m, in.id, 2, SPAN_LIT("550 no"), 0, 20, &score));
	OK(&t, bounce_redirect(t.s, dead, work));
	OK(&t, confirmation_add(t.s, &q));
	(void)temp_mail(&t, "m2", 1, 1, 1, 2);
	OK(&t, address_drop(t.s, 1, SPAN_LIT("Ann@Work.example")));
	(void)temp_mail(&t, "m3", 1, 1, 1, 3);
	OK(&t, outbox_due(t.s, 1000, 0, 9, t.arena, &list, &n));
	cr_assert_eq(n, 3);
	for (size_t i = 0; i < n; i++)
		cr_assert(span_eq(list[i].rcpt, dead), "%.*s", SPAN_ARGS(list[i].rcpt));
	OK(&t, confirmation_list(t.s, 1, t.arena, &open, &n));
	cr_assert_eq(n, 0, "a question may have gone to the address");
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_addresses, forgetting_takes_them_all_and_the_questions_too)
{
	struct temp_store t;
	struct confirmation *open, q = {.kind = CONFIRMATION_ALSO,
	                                .address = SPAN_LIT("ann@new.example"),
	                                .asked_utc = 5,
	                                .mail = 1};
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	q.player = temp_player(&t, "ann@example.org");
	OK(&t, address_add(t.s, q.player, SPAN_LIT("ann@work.example"), 10));
	OK(&t, confirmation_add(t.s, &q));
	OK(&t, player_forget(t.s, q.player));
	cr_assert_eq(player_of(&t, "ann@work.example"), 0);
	OK(&t, confirmation_list(t.s, q.player, t.arena, &open, &n));
	cr_assert_eq(n, 0);
	cr_assert_eq(temp_store_number(&t, "SELECT count(*) FROM player_addresses"), 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

static struct confirmation held(int64_t player, int64_t game, unsigned seat, const char *text)
{
	return (struct confirmation){.kind = CONFIRMATION_MAIL,
	                             .player = player,
	                             .address = SPAN_LIT("eve@example.org"),
	                             .game = game,
	                             .serial = 3,
	                             .seat = seat,
	                             .names_turn = true,
	                             .arrived_utc = 90,
	                             .asked_utc = 100,
	                             .mail = 7,
	                             .text = span_of(text)};
}

Test(store_questions, one_comes_back_as_it_was_asked)
{
	struct temp_store t;
	struct confirmation *open, q;
	int64_t game;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	game = temp_game(&t, GAME_RUNNING, 3);
	q = held(1, game, 2, "subject\npopup 3");
	OK(&t, confirmation_add(t.s, &q));
	OK(&t, confirmation_list(t.s, 1, t.arena, &open, &n));
	cr_assert_eq(n, 1);
	cr_assert(open->kind == CONFIRMATION_MAIL && open->player == 1 && open->game == game);
	cr_assert(open->serial == 3 && open->seat == 2 && open->names_turn);
	cr_assert(open->arrived_utc == 90 && open->asked_utc == 100);
	cr_assert(open->mail == 7 && !open->player_yes && !open->address_yes);
	cr_assert(span_eq(open->address, q.address) && span_eq(open->text, q.text));
	cr_assert_eq(
	    temp_store_number(
		&t, "SELECT instr(CAST(sealed_text AS TEXT), 'popup') FROM confirmations"),
	    0);
	OK(&t, confirmation_drop(t.s, open->id));
	cr_assert_eq(confirmation_drop(t.s, open->id), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_questions, a_mail_asks_one_question_and_nothing_once_that_is_gone)
{
	struct temp_store t;
	struct confirmation first = {.kind = CONFIRMATION_ADDRESS,
	                             .player = 1,
	                             .address = SPAN_LIT("ann@new.example"),
	                             .asked_utc = 200,
	                             .mail = 8},
			    second = first;
	int64_t mails[2], found;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	(void)temp_game(&t, GAME_RUNNING, 2);
	mails[0] = temp_mail(&t, "q1", 1, 1, 1, 1);
	mails[1] = temp_mail(&t, "q2", 1, 1, 1, 2);
	OK(&t, confirmation_add(t.s, &first));
	OK(&t, confirmation_add_mail(t.s, first.id, mails[0]));
	second.address = SPAN_LIT("eve@example.org");
	OK(&t, confirmation_add(t.s, &second));
	OK(&t, confirmation_add_mail(t.s, second.id, mails[1]));
	cr_assert_eq(confirmation_of_mail(t.s, mails[0], &found), ERR_NOT_FOUND,
	             "the second has taken its place, perhaps with its number too");
	OK(&t, confirmation_of_mail(t.s, mails[1], &found));
	cr_assert_eq(found, second.id);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_questions, the_newest_of_a_kind_and_seat_is_the_only_one)
{
	struct temp_store t;
	struct confirmation *open, q;
	int64_t game;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	game = temp_game(&t, GAME_RUNNING, 3);
	static const char *const texts[] = {"a", "b", "c", "d"};
	static const unsigned seats[] = {1, 1, 2, 0};
	for (size_t i = 0; i < 4; i++) {
		q = held(1, seats[i] ? game : 0, seats[i], texts[i]);
		OK(&t, confirmation_add(t.s, &q));
	}
	q = held(2, game, 1, "another player's");
	OK(&t, confirmation_add(t.s, &q));
	q = (struct confirmation){.kind = CONFIRMATION_ADDRESS,
	                          .player = 1,
	                          .address = SPAN_LIT("x@y"),
	                          .asked_utc = 200,
	                          .mail = 8};
	OK(&t, confirmation_add(t.s, &q));
	OK(&t, confirmation_list(t.s, 1, t.arena, &open, &n));
	cr_assert_eq(n, 4);
	cr_assert(span_eq_str(open[0].text, "b") && span_eq_str(open[1].text, "c"));
	open[3].player_yes = true;
	OK(&t, confirmation_update(t.s, &open[3]));
	OK(&t, confirmation_drop_old(t.s, 200));
	OK(&t, confirmation_list(t.s, 1, t.arena, &open, &n));
	cr_assert(n == 1 && open->kind == CONFIRMATION_ADDRESS && open->player_yes);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_revocations, mails_up_to_the_newest_prove_nothing_any_more)
{
	struct temp_store t;
	int64_t game, first, second, other;
	bool yes;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	game = temp_game(&t, GAME_RUNNING, 3);
	first = temp_mail(&t, "first", 1, game, 1, 1);
	other = temp_mail(&t, "other", 2, game, 2, 1);
	OK(&t, reply_is_revoked(t.s, game, 1, first, &yes));
	cr_assert_not(yes);
	OK(&t, reply_revoke(t.s, game, 1));
	second = temp_mail(&t, "second", 1, game, 1, 2);
	OK(&t, reply_is_revoked(t.s, game, 1, first, &yes));
	cr_assert(yes);
	OK(&t, reply_is_revoked(t.s, game, 1, second, &yes));
	cr_assert_not(yes);
	OK(&t, reply_is_revoked(t.s, game, 2, other, &yes));
	cr_assert_not(yes);
	OK(&t, reply_revoke(t.s, game, 1));
	OK(&t, reply_is_revoked(t.s, game, 1, second, &yes));
	cr_assert(yes);
	OK(&t, reply_revoke(t.s, game, 3));
	store_rollback(t.s);
	temp_store_close(&t);
}

/* The file is made anew by the first migration alone, as the foundation made it. */
static void go_back_to_the_foundation(struct temp_store *t)
{
	struct strbuf sql = STRBUF_INIT;
	unsigned n;

	store_close(t->s);
	t->s = NULL;
	cr_assert_eq(unlink(t->path), 0);
	(void)unlink(arena_printf(t->arena, "%s-wal", t->path));
	(void)unlink(arena_printf(t->arena, "%s-shm", t->path));
	strbuf_addf(&sql, "PRAGMA page_size = %d; PRAGMA journal_mode = WAL;", DB_PAGE_BYTES);
	strbuf_adds(&sql, migrations(&n)[0].sqlite);
	strbuf_addf(
	    &sql,
	    "PRAGMA application_id = %d; PRAGMA user_version = 1;"
	    " INSERT INTO server (id, instance, host, created_utc)"
	    " VALUES (1, 'test', 'testhost', 1000);"
	    " INSERT INTO sources VALUES (1, 'maildir:x');"
	    " INSERT INTO inbox (id, source, transport_id, arrived_utc, handled_utc, serial,"
	    " seat, verdict, purge_utc) VALUES (1, 1, 'old', 5, 6, 0, 0, 'orders', 7)",
	    SCHEMA_APPLICATION_ID);
	temp_store_raw(t, sql.ptr);
	strbuf_release(&sql);
}

/* Its mail stays, and says no date; what is new is there and empty. */
Test(store_speakers, a_database_of_the_foundation_is_brought_up_and_keeps_its_rows)
{
	struct temp_store t;
	struct inbox_mail m;
	struct confirmation *open;
	int64_t sent;
	unsigned n;
	size_t count;

	OF_A_FILE;
	temp_store_open(&t);
	go_back_to_the_foundation(&t);
	temp_store_reopen(&t);
	(void)migrations(&n);
	cr_assert_eq(temp_store_number(&t, "PRAGMA user_version"), n);
	OK(&t, inbox_find(t.s, SPAN_LIT("maildir:x"), SPAN_LIT("old"),
	                  &(struct mail_identity){{{0}}, {{0}}, {{0}}}, t.arena, &m));
	cr_assert(m.id == 1 && m.sent_utc == 0);
	OK(&t, inbox_sent(t.s, 1, &sent));
	cr_assert_eq(sent, 0);
	cr_assert_eq(inbox_sent(t.s, 2, &sent), ERR_NOT_FOUND);
	OK(&t, confirmation_list(t.s, 1, t.arena, &open, &count));
	cr_assert_eq(count, 0);
	temp_store_close(&t);
}
