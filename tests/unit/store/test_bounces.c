/*
 * test_bounces.c - mail that came back: counted once, paused, sent elsewhere, forgiven.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "store/addresses.h"
#include "store/bounces.h"
#include "store/inbox.h"
#include "store/outbox.h"
#include "store/players.h"
#include "tests/support/temp_store.h"

static const struct span ann = {"somebody@example.org", 20}; /* of temp_mail */

/* A player, a game and some mails to the player; a transaction is open. */
static void begin(struct temp_store *t)
{
	struct inbox_mail in = {.source = SPAN_LIT("maildir:x"),
	                        .transport_id = SPAN_LIT("1"),
	                        .arrived_utc = 1,
	                        .verdict = SPAN_LIT("bounce")};

	temp_store_open(t);
	OK(t, store_begin(t->s));
	OK(t, inbox_add(t->s, &in, &in.id));
	(void)temp_game(t, GAME_RUNNING, 2);
	for (unsigned i = 1; i <= 4; i++)
		(void)temp_mail(t, arena_printf(t->arena, "m%u", i), 1, 1, 1, i);
}

static unsigned count(struct temp_store *t, int64_t mail, unsigned points, int64_t now_utc)
{
	struct outbox_mail m = {.id = mail, .player = 1, .rcpt = ann};
	unsigned score;

	OK(t, bounce_count(t->s, &m, 1, points, SPAN_LIT("550 no"), now_utc - 100, now_utc,
	                   &score));
	return score;
}

static size_t due(struct temp_store *t)
{
	struct outbox_mail *list;
	bool any;
	size_t n;

	OK(t, outbox_due(t->s, 1000, 0, 9, t->arena, &list, &n));
	OK(t, outbox_has_due(t->s, 1000, &any));
	cr_assert_eq(any, n > 0);
	return n;
}

Test(store_bounces, a_mail_counts_once_for_the_most_it_was_worth)
{
	struct temp_store t;
	unsigned points;
	int64_t by;

	begin(&t);
	cr_assert_eq(count(&t, 1, 1, 1000), 1);
	cr_assert_eq(count(&t, 1, 1, 1000), 1);
	cr_assert_eq(count(&t, 1, 2, 1000), 2);
	cr_assert_eq(count(&t, 1, 1, 1000), 2);
	cr_assert_eq(count(&t, 2, 2, 1000), 4);
	OK(&t, bounce_of_mail(t.s, 1, &points, &by));
	cr_assert(points == 2 && by == 1);
	OK(&t, bounce_of_mail(t.s, 3, &points, &by));
	cr_assert(points == 0 && by == 0);
	temp_store_close(&t);
}

Test(store_bounces, old_points_do_not_count_unless_the_address_is_paused)
{
	struct temp_store t;

	begin(&t);
	cr_assert_eq(count(&t, 1, 2, 1000), 2);
	cr_assert_eq(count(&t, 2, 2, 1100), 4);
	cr_assert_eq(count(&t, 3, 1, 1201), 1);
	OK(&t, bounce_pause(t.s, ann, 1201));
	cr_assert_eq(count(&t, 4, 1, 9000), 2);
	temp_store_close(&t);
}

Test(store_bounces, mail_to_a_paused_address_waits_and_goes_out_when_it_is_forgiven)
{
	struct temp_store t;
	struct bounced_address b, *list;
	unsigned waiting;
	size_t n;

	begin(&t);
	cr_assert_eq(bounce_pause(t.s, ann, 1000), ERR_NOT_FOUND, "nothing came back from it");
	cr_assert_eq(due(&t), 4);
	(void)count(&t, 1, 2, 1000);
	cr_assert_eq(due(&t), 4);
	OK(&t, bounce_pause(t.s, SPAN_LIT("Somebody@Example.org"), 1000));
	cr_assert_eq(due(&t), 0);
	OK(&t, bounce_waiting(t.s, ann, &waiting));
	cr_assert_eq(waiting, 4);
	OK(&t, bounce_list(t.s, 0, t.arena, &list, &n));
	cr_assert(n == 1 && list[0].player == 1 && list[0].paused_utc == 1000);
	OK(&t, bounce_get(t.s, SPAN_LIT("SOMEBODY@example.org"), t.arena, &b));
	cr_assert(span_eq_str(b.said, "550 no") && b.score == 2);
	OK(&t, bounce_forgive(t.s, SPAN_LIT("bob@example.org")));
	cr_assert_eq(due(&t), 0);
	OK(&t, bounce_forgive(t.s, ann));
	cr_assert_eq(due(&t), 4);
	OK(&t, bounce_list(t.s, 0, t.arena, &list, &n));
	cr_assert_eq(n, 0);
	temp_store_close(&t);
}

Test(store_bounces, another_address_gets_what_waits_and_what_is_added)
{
	struct temp_store t;
	struct outbox_mail *list;
	int64_t id;
	size_t n;

	begin(&t);
	OK(&t, outbox_due(t.s, 1000, 0, 1, t.arena, &list, &n));
	list[0].state = OUTBOX_SENT;
	OK(&t, outbox_mark(t.s, &list[0]));
	(void)count(&t, 1, 2, 1000);
	OK(&t, bounce_redirect(t.s, ann, SPAN_LIT("ann@work.example")));
	id = temp_mail(&t, "m5", 1, 1, 1, 5);
	OK(&t, outbox_due(t.s, 1000, 0, 9, t.arena, &list, &n));
	cr_assert_eq(n, 4);
	for (size_t i = 0; i < n; i++)
		cr_assert(span_eq_str(list[i].rcpt, "ann@work.example"), "%.*s",
		          SPAN_ARGS(list[i].rcpt));
	cr_assert_eq(list[3].id, id);
	OK(&t, outbox_by_id(t.s, 1, t.arena, list));
	cr_assert(span_eq(list[0].rcpt, ann), "what has been sent keeps its address");
	OK(&t, bounce_forgive(t.s, ann));
	(void)temp_mail(&t, "m6", 1, 1, 1, 6);
	OK(&t, outbox_due(t.s, 1000, id, 9, t.arena, &list, &n));
	cr_assert(n == 1 && span_eq(list[0].rcpt, ann));
	temp_store_close(&t);
}

Test(store_bounces, what_answers_a_mail_from_a_paused_address_is_sent_all_the_same)
{
	struct temp_store t;
	struct outbox_mail *list, m = {.kind = SPAN_LIT("status"),
	                               .player = 1,
	                               .rcpt = ann,
	                               .message = SPAN_LIT("Subject: x\r\n\r\nx\r\n"),
	                               .cause = 1};
	int64_t id;
	size_t n;

	begin(&t);
	(void)count(&t, 1, 2, 1000);
	OK(&t, bounce_pause(t.s, ann, 1000));
	m.message_id = SPAN_LIT("<before@test>");
	m.created_utc = 1000;
	OK(&t, outbox_add(t.s, &m, &id));
	cr_assert_eq(due(&t), 0, "what was written before waits");
	m.message_id = SPAN_LIT("<after@test>");
	m.created_utc = 1001;
	OK(&t, outbox_add(t.s, &m, &id));
	OK(&t, outbox_due(t.s, 1001, 0, 9, t.arena, &list, &n));
	cr_assert_eq(n, 0, "another's mail was the cause");
	OK(&t, inbox_add(t.s,
	                 &(struct inbox_mail){.source = SPAN_LIT("maildir:x"),
	                                      .transport_id = SPAN_LIT("from ann"),
	                                      .identity.bytes = hash_of(SPAN_LIT("from ann")),
	                                      .verdict = SPAN_LIT("command"),
	                                      .player = 1},
	                 &m.cause));
	m.message_id = SPAN_LIT("<answer@test>");
	OK(&t, outbox_add(t.s, &m, &id));
	OK(&t, outbox_due(t.s, 1001, 0, 9, t.arena, &list, &n));
	cr_assert(n == 1 && list[0].id == id);
	temp_store_close(&t);
}

Test(store_bounces, an_address_that_stood_in_and_fails_too_hands_all_on_to_a_third)
{
	struct temp_store t;
	struct span work = SPAN_LIT("ann@work.example"), phone = SPAN_LIT("ann@phone.example");
	struct outbox_mail *list, m = {.id = 2, .player = 1, .rcpt = work};
	unsigned score;
	size_t n;

	begin(&t);
	(void)count(&t, 1, 2, 1000);
	OK(&t, bounce_redirect(t.s, ann, work));
	OK(&t, bounce_count(t.s, &m, 1, 2, SPAN_LIT("550 no"), 900, 1000, &score));
	OK(&t, bounce_redirect(t.s, work, phone));
	(void)temp_mail(&t, "m5", 1, 1, 1, 5);
	OK(&t, outbox_due(t.s, 1000, 0, 9, t.arena, &list, &n));
	cr_assert_eq(n, 5);
	for (size_t i = 0; i < n; i++)
		cr_assert(span_eq(list[i].rcpt, phone), "%.*s", SPAN_ARGS(list[i].rcpt));
	m = (struct outbox_mail){.kind = SPAN_LIT("inquiry-address"),
	                         .player = 1,
	                         .rcpt = work,
	                         .exactly = true,
	                         .message_id = SPAN_LIT("<asks@test>"),
	                         .message = SPAN_LIT("Subject: x\r\n\r\nx\r\n")};
	OK(&t, outbox_add(t.s, &m, &m.id));
	OK(&t, outbox_by_id(t.s, m.id, t.arena, &m));
	cr_assert(span_eq(m.rcpt, work), "a question to that very address");
	temp_store_close(&t);
}

Test(store_bounces, another_address_is_one_from_which_nothing_has_come_back)
{
	struct temp_store t;
	struct span other;

	begin(&t);
	cr_expect_eq(player_other_address(t.s, 1, ann, t.arena, &other), ERR_NOT_FOUND);
	OK(&t, address_add(t.s, 1, SPAN_LIT("ann@work.example"), 1000));
	OK(&t, address_add(t.s, 1, SPAN_LIT("ann@phone.example"), 1001));
	OK(&t, player_other_address(t.s, 1, ann, t.arena, &other));
	cr_expect(span_eq_str(other, "ann@work.example"));
	OK(&t, player_other_address(t.s, 1, SPAN_LIT("ANN@Work.example"), t.arena, &other));
	cr_expect(span_eq_str(other, "ann@phone.example"));
	cr_expect_eq(player_other_address(t.s, 2, ann, t.arena, &other), ERR_NOT_FOUND);
	temp_store_close(&t);
}

Test(store_bounces, a_forgotten_player_leaves_no_address)
{
	struct temp_store t;
	struct bounced_address b;

	begin(&t);
	(void)count(&t, 1, 2, 1000);
	OK(&t, player_forget(t.s, 1));
	cr_assert_eq(bounce_get(t.s, ann, t.arena, &b), ERR_NOT_FOUND);
	temp_store_close(&t);
}

Test(store_bounces, a_seat_remembers_what_was_done_for_it)
{
	struct temp_store t;
	struct unreachable_seat u;

	begin(&t);
	OK(&t, unreachable_get(t.s, 1, 2, &u));
	cr_assert(u.told_utc == 0 && u.moved_serial == 0);
	OK(&t, unreachable_set(t.s, 1, 2, &(struct unreachable_seat){1500, 1}));
	OK(&t, unreachable_get(t.s, 1, 2, &u));
	cr_assert(u.told_utc == 1500 && u.moved_serial == 1);
	OK(&t, unreachable_get(t.s, 1, 1, &u));
	cr_assert_eq(u.told_utc, 0);
	temp_store_close(&t);
}

Test(store_bounces, the_nth_last_answer_of_a_kind_to_a_seat_is_found)
{
	struct temp_store t;
	int64_t when;

	begin(&t);
	OK(&t, store_commit(t.s));
	temp_store_raw(&t,
	               "UPDATE outbox SET cause = 1, created_utc = 1000 + id WHERE id <> 2");
	OK(&t, outbox_nth_answer(t.s, 1, 1, "report", 1, &when));
	cr_assert_eq(when, 1004);
	OK(&t, outbox_nth_answer(t.s, 1, 1, "report", 3, &when));
	cr_assert_eq(when, 1001);
	OK(&t, outbox_nth_answer(t.s, 1, 1, "report", 4, &when));
	cr_assert_eq(when, INT64_MIN);
	OK(&t, outbox_nth_answer(t.s, 1, 1, "receipt", 1, &when));
	cr_assert_eq(when, INT64_MIN);
	temp_store_close(&t);
}
