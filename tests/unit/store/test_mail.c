/*
 * test_mail.c - mails in, mails out, what is in hand, and the logs.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "store/audit.h"
#include "store/inbox.h"
#include "store/outbox.h"
#include "store/sender_counts.h"
#include "tests/support/temp_store.h"

static const struct hash NO_CONTENT;
static const struct mail_identity no_identity;

static struct inbox_mail mail_in(const char *transport_id, const char *content)
{
	struct inbox_mail m = {
	    .source = SPAN_LIT("maildir:mail"),
	    .transport_id = span_of(transport_id),
	    .identity.bytes = content ? hash_of(span_of(content)) : NO_CONTENT,
	    .message_id = SPAN_LIT("<a@example.org>"),
	    .arrived_utc = 1100,
	    .handled_utc = 1200,
	    .verdict = SPAN_LIT("orders"),
	    .detail = SPAN_LIT("Stored for turn 1."),
	    .purge_utc = 5000,
	};

	return m;
}

Test(store_inbox, a_mail_is_taken_once_by_place_and_by_content)
{
	struct temp_store t;
	struct inbox_mail m = mail_in("17.A.host", "text one");
	struct inbox_mail found;
	int64_t id, next;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	OK(&t, inbox_next_id(t.s, &next));
	OK(&t, inbox_add(t.s, &m, &id));
	cr_assert(id == next && id == 1);
	REFUSED(&t, inbox_add(t.s, &m, &next), ERR_EXISTS);
	m = mail_in("17.A.host", "another text");
	REFUSED(&t, inbox_add(t.s, &m, &next), ERR_EXISTS);
	m = mail_in("18.B.host", "text one");
	OK(&t, inbox_find(t.s, m.source, m.transport_id, &m.identity, t.arena, &found));
	cr_assert_eq(found.id, id);
	m = mail_in("17.A.host", NULL);
	OK(&t, inbox_find(t.s, m.source, m.transport_id, &m.identity, t.arena, &found));
	cr_assert(found.id == id && hash_is_zero(&found.identity.bytes));
	cr_assert_eq(inbox_find(t.s, SPAN_LIT("maildir:other"), m.transport_id, &no_identity,
	                        t.arena, &found),
	             ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

static struct mail_identity identity(const char *bytes, const char *claim, const char *words)
{
	struct mail_identity i = {.bytes = hash_of(span_of(bytes))};

	if (claim) {
		i.claim = hash_of(span_of(claim));
		i.words = hash_of(span_of(words));
	}
	return i;
}

/* Bytes, claim and words of a mail that comes later, and of which it is a copy. */
Test(store_inbox, a_copy_is_known_by_its_bytes_or_by_claim_and_words)
{
	static const struct {
		const char *bytes, *claim, *words;
		int64_t copy_of;
	} later[] = {{"b1", "c1", "w1", 1}, {"b1", "c1", "w2", 1}, {"b1", "c2", "w2", 0},
	             {"b2", "c1", "w1", 1}, {"b2", "c1", "w2", 0}, {"b2", "c2", "w1", 0},
	             {"b3", "c1", "w3", 2}, {"b9", "c1", "w3", 2}, {"b1", NULL, NULL, 0},
	             {"b4", NULL, NULL, 3}, {"b4", "c4", "w4", 3}, {"b5", NULL, NULL, 0}};
	struct temp_store t;
	struct inbox_mail m, found;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	m = mail_in("1", NULL);
	m.identity = identity("b1", "c1", "w1");
	OK(&t, inbox_add(t.s, &m, &id));
	m = mail_in("2", NULL); /* the same claim, and something else to say */
	m.identity = identity("b3", "c1", "w3");
	OK(&t, inbox_add(t.s, &m, &id));
	m = mail_in("3", NULL); /* as rows of before, and mails without Message-ID */
	m.identity = identity("b4", NULL, NULL);
	OK(&t, inbox_add(t.s, &m, &id));
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		struct mail_identity of =
		    identity(later[i].bytes, later[i].claim, later[i].words);
		enum err rc = inbox_find(t.s, m.source, SPAN_LIT("9"), &of, t.arena, &found);

		cr_expect_eq(rc, later[i].copy_of ? ERR_NONE : ERR_NOT_FOUND, "%zu", i);
		cr_expect(rc != ERR_NONE || found.id == later[i].copy_of, "%zu", i);
	}
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_inbox, mails_without_content_identity_are_all_different)
{
	struct temp_store t;
	struct inbox_mail a = mail_in("1", NULL), b = mail_in("2", NULL),
			  c = mail_in("1", NULL);
	int64_t id;

	temp_store_open(&t);
	c.source = SPAN_LIT("imaps:elsewhere");
	OK(&t, store_begin(t.s));
	OK(&t, inbox_add(t.s, &a, &id));
	OK(&t, inbox_add(t.s, &b, &id));
	OK(&t, inbox_add(t.s, &c, &id));
	cr_assert_eq(id, 3);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_inbox, a_row_comes_back_as_it_was_written)
{
	struct temp_store t;
	struct inbox_mail m = mail_in("17.A.host", "x"), plain = mail_in("18", "y"), *list;
	size_t n;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	m.game = temp_game(&t, GAME_RUNNING, 2);
	m.player = 2;
	m.serial = 1;
	m.seat = 2;
	m.id = 7;
	OK(&t, inbox_add(t.s, &m, &id));
	cr_assert_eq(id, 7);
	plain.detail = SPAN_EMPTY;
	plain.purge_utc = 0;
	OK(&t, inbox_add(t.s, &plain, &id));
	OK(&t, inbox_by_message_id(t.s, m.message_id, t.arena, &list, &n));
	cr_assert(n == 2 && list[0].id == 7 && list[1].id == 8);
	cr_assert(span_eq_str(list[0].source, "maildir:mail"));
	cr_assert(span_eq_str(list[0].transport_id, "17.A.host"));
	cr_assert(list[0].player == 2 && list[0].game == m.game && list[0].serial == 1);
	cr_assert(list[0].seat == 2 && list[0].arrived_utc == 1100 &&
	          list[0].handled_utc == 1200);
	cr_assert(span_eq_str(list[0].verdict, "orders"));
	cr_assert(span_eq_str(list[0].detail, "Stored for turn 1."));
	cr_assert(list[1].player == 0 && list[1].game == 0 && list[1].detail.len == 0);
	OK(&t, inbox_by_transport_id(t.s, SPAN_LIT("18"), t.arena, &list, &n));
	cr_assert(n == 1 && list[0].id == 8);
	OK(&t, inbox_by_transport_id(t.s, SPAN_LIT("19"), t.arena, &list, &n));
	cr_assert_eq(n, 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_inbox, handled_mail_is_purged_when_its_time_has_come)
{
	struct temp_store t;
	struct inbox_mail *list;
	size_t n;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 10; i++) {
		struct inbox_mail m = mail_in(arena_printf(t.arena, "%d", i), NULL);

		m.purge_utc = i == 9 ? 0 : 5000 - i;
		OK(&t, inbox_add(t.s, &m, &id));
	}
	OK(&t, inbox_purge_due(t.s, 4995, 100, t.arena, &list, &n));
	cr_assert(n == 4 && list[0].purge_utc == 4992);
	OK(&t, inbox_purge_due(t.s, 4995, 2, t.arena, &list, &n));
	cr_assert_eq(n, 2);
	OK(&t, inbox_purged(t.s, list[0].id));
	OK(&t, inbox_purge_due(t.s, 4995, 100, t.arena, &list, &n));
	cr_assert_eq(n, 3);
	cr_assert_eq(inbox_purged(t.s, 99), ERR_NOT_FOUND);
	/* One that could not be thrown away is tried again at another time, which is then due. */
	size_t due = n;
	OK(&t, inbox_purge_later(t.s, list[0].id, 6000));
	OK(&t, inbox_purge_due(t.s, 4995, 100, t.arena, &list, &n));
	cr_assert_eq(n, due - 1);
	OK(&t, inbox_purge_due(t.s, 5999, 100, t.arena, &list, &n));
	due = n;
	OK(&t, inbox_purge_due(t.s, 6000, 100, t.arena, &list, &n));
	cr_assert_eq(n, due + 1);
	cr_assert_eq(inbox_purge_later(t.s, 99, 1), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_inbox, a_mail_in_quarantine_is_kept_to_the_byte)
{
	struct temp_store t;
	struct inbox_mail m = mail_in("1", NULL);
	struct span reason, raw;
	unsigned n;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	OK(&t, inbox_add(t.s, &m, &id));
	OK(&t,
	   quarantine_add(t.s, id, "killed the parser twice", SPAN_LIT("a\0b\r\n\xff"), 1300));
	OK(&t, quarantine_count(t.s, &n));
	cr_assert_eq(n, 1);
	OK(&t, temp_quarantined(t.s, id, t.arena, &reason, &raw));
	cr_assert(span_eq_str(reason, "killed the parser twice"));
	cr_assert(span_eq(raw, SPAN_LIT("a\0b\r\n\xff")));
	cr_assert_eq(temp_quarantined(t.s, 99, t.arena, &reason, &raw), ERR_NOT_FOUND);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_inbox, the_newest_mails_in_quarantine_are_listed_first)
{
	struct temp_store t;
	struct inbox_mail *list;
	size_t n;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 1; i <= 5; i++) {
		struct inbox_mail m = mail_in(arena_printf(t.arena, "%d", i), NULL);

		OK(&t, inbox_add(t.s, &m, &id));
		if (i != 4)
			OK(&t, quarantine_add(t.s, id, "odd", SPAN_LIT("raw"), 1300));
	}
	OK(&t, quarantine_list(t.s, 3, t.arena, &list, &n));
	cr_assert_eq(n, 3);
	cr_assert(list[0].id == 5 && list[1].id == 3 && list[2].id == 2);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_inbox, one_thing_is_in_hand_at_a_time)
{
	struct temp_store t;
	struct in_flight f;

	temp_store_open(&t);
	OK(&t, in_flight_get(t.s, t.arena, &f));
	cr_assert_not(f.present);
	OK(&t, store_begin_relaxed(t.s));
	OK(&t, in_flight_set(t.s, "mails", "", 0, 1000));
	OK(&t, in_flight_set(t.s, "turns", "W17/4", 2, 1001));
	OK(&t, store_commit_relaxed(t.s));
	temp_store_reopen(&t);
	OK(&t, in_flight_get(t.s, t.arena, &f));
	cr_assert(f.present && f.tries == 2 && f.since_utc == 1001);
	cr_assert(span_eq_str(f.kind, "turns") && span_eq_str(f.object, "W17/4"));
	OK(&t, store_begin(t.s));
	OK(&t, in_flight_clear(t.s));
	OK(&t, in_flight_clear(t.s));
	OK(&t, in_flight_get(t.s, t.arena, &f));
	cr_assert_not(f.present);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* ------------------------------------------------------------------ outbox */

static size_t due(struct temp_store *t, int64_t now, struct outbox_mail **list)
{
	size_t n;

	OK(t, outbox_due(t->s, now, 0, 100, t->arena, list, &n));
	return n;
}

static bool has_due(struct temp_store *t, int64_t now)
{
	bool yes;

	OK(t, outbox_has_due(t->s, now, &yes));
	return yes;
}

static void mark(struct temp_store *t, struct outbox_mail *m, enum outbox_state state,
                 int64_t next_try_utc)
{
	m->state = state;
	m->attempts++;
	m->next_try_utc = next_try_utc;
	OK(t, outbox_mark(t->s, m));
}

Test(store_outbox, a_mail_is_listed_until_it_is_sent)
{
	struct temp_store t;
	struct outbox_mail *list, m;
	unsigned count;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	cr_assert_not(has_due(&t, INT64_MAX));
	(void)temp_mail(&t, "one", 0, 0, 0, 0);
	(void)temp_mail(&t, "two", 0, 0, 0, 0);
	cr_assert(has_due(&t, 0));
	cr_assert_eq(due(&t, 1000, &list), 2);
	cr_assert(span_eq_str(list[0].message, "Subject: mail one\r\n\r\nText\r\n"));
	cr_assert(span_eq_str(list[0].rcpt, "somebody@example.org"));
	cr_assert(span_eq_str(list[0].kind, "report") && list[0].state == OUTBOX_NEW);
	mark(&t, &list[0], OUTBOX_SENDING, 1900);
	mark(&t, &list[0], OUTBOX_SENT, 0);
	cr_assert_eq(due(&t, 9999, &list), 1);
	mark(&t, &list[0], OUTBOX_DEAD, 7);
	cr_assert_not(has_due(&t, INT64_MAX));
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<one@test>"), t.arena, &m));
	cr_assert(m.state == OUTBOX_SENT && m.attempts == 2 && m.message.len == 0);
	OK(&t, outbox_count(t.s, OUTBOX_DEAD, &count));
	cr_assert_eq(count, 1);
	cr_assert_eq(outbox_by_message_id(t.s, SPAN_LIT("<no@test>"), t.arena, &m),
	             ERR_NOT_FOUND);
	m.id = 99;
	REFUSED(&t, outbox_mark(t.s, &m), ERR_CORRUPT);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, the_same_mail_enters_once_and_another_never_under_its_name)
{
	struct temp_store t;
	struct outbox_mail m, *list;
	int64_t first, again;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	first = temp_mail(&t, "one", 0, 0, 0, 0);
	again = temp_mail(&t, "one", 0, 0, 0, 0);
	cr_assert_eq(first, again);
	cr_assert_eq(due(&t, 0, &list), 1);
	m = list[0];
	m.message = SPAN_LIT("other bytes");
	cr_assert_eq(outbox_add(t.s, &m, NULL), ERR_EXISTS);
	/* Also when it is sent already: it is not sent again. */
	mark(&t, &list[0], OUTBOX_SENT, 0);
	cr_assert_eq(temp_mail(&t, "one", 0, 0, 0, 0), first);
	cr_assert_not(has_due(&t, INT64_MAX));
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, each_player_s_mails_leave_in_order)
{
	struct temp_store t;
	struct outbox_mail *list;
	int64_t ann, bob;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	ann = temp_player(&t, "ann@example.org");
	bob = temp_player(&t, "bob@example.org");
	(void)temp_mail(&t, "a1", ann, 0, 0, 0);
	(void)temp_mail(&t, "b1", bob, 0, 0, 0);
	(void)temp_mail(&t, "a2", ann, 0, 0, 0);
	(void)temp_mail(&t, "s1", 0, 0, 0, 0);
	(void)temp_mail(&t, "s2", 0, 0, 0, 0);
	cr_assert_eq(due(&t, 1000, &list), 5);
	mark(&t, &list[0], OUTBOX_RETRY, 1300);
	mark(&t, &list[3], OUTBOX_RETRY, 1300);
	cr_assert_eq(due(&t, 1299, &list), 2, "Ann's second waits for her first");
	cr_assert(span_eq_str(list[0].message_id, "<b1@test>"));
	cr_assert(span_eq_str(list[1].message_id, "<s2@test>"), "strangers wait for nobody");
	cr_assert_eq(due(&t, 1300, &list), 5);
	for (size_t i = 1; i < 5; i++)
		cr_assert_lt(list[i - 1].id, list[i].id);
	mark(&t, &list[0], OUTBOX_DEAD, 0);
	cr_assert_eq(due(&t, 1299, &list), 3, "what is given up holds up nobody");
	store_rollback(t.s);
	temp_store_close(&t);
}

/* Where the sink knows a mail again it may be tried at once, but not by another machine while it is sent. */
Test(store_outbox, a_mail_waits_while_an_older_one_of_the_player_is_being_sent)
{
	struct temp_store t;
	struct outbox_mail *list;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t ann = temp_player(&t, "ann@example.net");
	(void)temp_mail(&t, "one", ann, 0, 0, 0);
	(void)temp_mail(&t, "two", ann, 0, 0, 0);
	cr_assert_eq(due(&t, 1300, &list), 2);
	struct outbox_mail first = list[0];
	mark(&t, &first, OUTBOX_SENDING, 1300);
	cr_expect_eq(due(&t, 1300, &list), 0);
	mark(&t, &first, OUTBOX_MAYBE, 1300);
	cr_expect_eq(due(&t, 1300, &list), 2);
	mark(&t, &first, OUTBOX_SENT, 0);
	cr_expect_eq(due(&t, 1300, &list), 1);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, pages_go_on_after_an_id)
{
	struct temp_store t;
	struct outbox_mail *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 10; i++)
		(void)temp_mail(&t, arena_printf(t.arena, "m%d", i), 0, 0, 0, 0);
	OK(&t, outbox_due(t.s, 0, 0, 4, t.arena, &list, &n));
	cr_assert(n == 4 && list[3].id == 4);
	mark(&t, &list[1], OUTBOX_RETRY, 50);
	OK(&t, outbox_due(t.s, 0, 4, 4, t.arena, &list, &n));
	cr_assert(n == 4 && list[0].id == 5);
	OK(&t, outbox_due(t.s, 60, 0, 4, t.arena, &list, &n));
	cr_assert(n == 4 && list[1].id == 2 && list[1].state == OUTBOX_RETRY);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, what_a_dead_sender_had_in_hand_may_have_gone_out)
{
	struct temp_store t;
	struct outbox_mail *list, m;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	(void)temp_mail(&t, "one", 0, 0, 0, 0);
	(void)temp_mail(&t, "two", 0, 0, 0, 0);
	(void)due(&t, 0, &list);
	mark(&t, &list[0], OUTBOX_SENDING, 1900);
	mark(&t, &list[1], OUTBOX_SENDING, 0);
	cr_assert_eq(due(&t, 9999, &list), 0, "another sender has them");
	OK(&t, outbox_recover(t.s, 6));
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<one@test>"), t.arena, &m));
	cr_assert(m.state == OUTBOX_MAYBE && m.next_try_utc == 1900);
	cr_assert_eq(due(&t, 1899, &list), 1);
	cr_assert_eq(due(&t, 1900, &list), 2);
	cr_assert(has_due(&t, 1900));
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, a_mail_its_senders_die_over_is_given_up_in_the_end)
{
	struct temp_store t;
	struct outbox_mail *list, m;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	(void)temp_mail(&t, "one", 0, 0, 0, 0);
	for (unsigned i = 0; i < 6; i++) {
		cr_assert_eq(due(&t, 5000, &list), 1, "attempt %u", i);
		mark(&t, &list[0], OUTBOX_SENDING, 1900);
		OK(&t, outbox_recover(t.s, 6));
	}
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<one@test>"), t.arena, &m));
	cr_assert_eq(m.state, OUTBOX_DEAD);
	cr_assert_eq(due(&t, 99999, &list), 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, what_failed_is_listed_with_its_answers_until_somebody_decides)
{
	struct temp_store t;
	struct outbox_mail *list, m;
	struct outbox_failure *failures;
	unsigned given_up;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t who = temp_player(&t, "ann@example.org");
	(void)temp_mail(&t, "one", who, 0, 0, 0);
	(void)temp_mail(&t, "two", 0, 0, 0, 0);
	(void)due(&t, 0, &list);
	m = list[0];
	m.tried_utc = 70;
	m.answer = SPAN_LIT("450 later");
	mark(&t, &m, OUTBOX_RETRY, 100);
	OK(&t, outbox_add_failure(t.s, &m));
	m.tried_utc = 100;
	m.answer = SPAN_LIT("550 never");
	mark(&t, &m, OUTBOX_DEAD, 0);
	OK(&t, outbox_add_failure(t.s, &m));
	mark(&t, &list[1], OUTBOX_SENT, 0);
	OK(&t, outbox_unsent(t.s, 0, 9, t.arena, &list, &n));
	cr_assert(n == 1 && list[0].id == m.id && list[0].tried_utc == 100);
	OK(&t, outbox_unsent(t.s, who, 9, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	OK(&t, outbox_unsent(t.s, who + 1, 9, t.arena, &list, &n));
	cr_assert_eq(n, 0);
	OK(&t, outbox_failures(t.s, m.id, t.arena, &failures, &n));
	cr_assert(n == 2 && failures[0].at_utc == 70 && failures[1].state == OUTBOX_DEAD);
	cr_assert(span_eq_str(failures[1].answer, "550 never"));
	OK(&t, outbox_try_again(t.s, m.id));
	cr_assert_eq(due(&t, 100, &list), 1);
	cr_assert_eq(list[0].attempts, 0);
	mark(&t, &list[0], OUTBOX_DEAD, 0);
	OK(&t, outbox_count_given_up(t.s, &given_up));
	cr_assert_eq(given_up, 1);
	OK(&t, outbox_put_aside(t.s, m.id));
	OK(&t, outbox_count_given_up(t.s, &given_up));
	cr_assert_eq(given_up, 0);
	cr_assert_eq(outbox_try_again(t.s, 2), ERR_NOT_FOUND, "it is sent");
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, mails_are_found_by_number_turn_and_cause)
{
	struct temp_store t;
	struct inbox_mail in = mail_in("1", NULL);
	struct outbox_mail m = {0}, *list;
	size_t n;
	int64_t g, other;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	other = temp_game(&t, GAME_RUNNING, 3);
	OK(&t, inbox_add(t.s, &in, &in.id));
	for (unsigned i = 1; i <= 5; i++)
		(void)temp_mail(&t, arena_printf(t.arena, "g%u", i), 1, g, 2, i);
	(void)temp_mail(&t, "other", 1, other, 2, 9);
	(void)temp_mail(&t, "uncounted", 1, g, 2, 0);
	OK(&t, outbox_by_number(t.s, g, 2, 3, t.arena, &m));
	cr_assert(span_eq_str(m.message_id, "<g3@test>") && m.message.len > 0);
	OK(&t, outbox_by_number(t.s, g, 2, 0, t.arena, &m));
	cr_assert(span_eq_str(m.message_id, "<g5@test>"));
	cr_assert_eq(outbox_by_number(t.s, g, 1, 0, t.arena, &m), ERR_NOT_FOUND);
	m = (struct outbox_mail){.kind = SPAN_LIT("receipt"),
	                         .game = g,
	                         .serial = 1,
	                         .seat = 2,
	                         .rcpt = SPAN_LIT("a@b"),
	                         .message_id = SPAN_LIT("<r@test>"),
	                         .message = SPAN_LIT("x"),
	                         .cause = in.id};
	OK(&t, outbox_add(t.s, &m, NULL));
	OK(&t, outbox_history(t.s, g, 2, "report", 0, 9, t.arena, &list, &n));
	cr_assert(n == 6 && list[0].message.len > 0);
	OK(&t, outbox_history(t.s, g, 2, "report", 1, 9, t.arena, &list, &n));
	cr_assert_eq(n, 0);
	OK(&t, outbox_by_cause(t.s, in.id, t.arena, &list, &n));
	cr_assert(n == 1 && span_eq_str(list[0].kind, "receipt") && list[0].message.len == 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

/* ---- in outline ---- */

#define WORDS "Subject: mail %s\r\n\r\nText\r\n"

/* That mail, read from an outline or not. */
static void expect_words(struct temp_store *t, const struct outbox_mail *m, const char *name,
                         bool outlined)
{
	cr_expect(span_eq_str(m->message, arena_printf(t->arena, WORDS, name)), "%s: %.*s",
	          name, SPAN_ARGS(m->message));
	cr_expect_eq(m->outlined, outlined, "%s", name);
}

static int64_t outlines(struct temp_store *t)
{
	return temp_store_number(t, "SELECT count(*) FROM outbox_outlines");
}

Test(store_outbox, an_outline_is_read_in_words_wherever_a_mail_is)
{
	struct temp_store t;
	struct outbox_mail m, *list;
	unsigned times = 0;
	int64_t g, id;
	size_t n;

	temp_store_open(&t);
	store_words(t.s, temp_words, &times);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 3);
	(void)temp_mail(&t, "first", 1, g, 2, 1);
	id = temp_outline(&t, "second", 1, g, 2, 2);
	OK(&t, outbox_message(t.s, id, t.arena, &m));
	expect_words(&t, &m, "second", true);
	OK(&t, outbox_by_number(t.s, g, 2, 2, t.arena, &m));
	expect_words(&t, &m, "second", true);
	OK(&t, outbox_by_number(t.s, g, 2, 0, t.arena, &m));
	expect_words(&t, &m, "second", true);
	OK(&t, outbox_history(t.s, g, 2, "report", 0, 9, t.arena, &list, &n));
	cr_assert_eq(n, 2);
	expect_words(&t, &list[0], "first", false);
	expect_words(&t, &list[1], "second", true);
	cr_assert_eq(due(&t, 1000, &list), 2);
	expect_words(&t, &list[0], "first", false);
	expect_words(&t, &list[1], "second", true);
	cr_expect_eq(times, 5);
	/* Where nobody asks for the words, none are made. */
	OK(&t, outbox_by_id(t.s, id, t.arena, &m));
	OK(&t, outbox_by_message_id(t.s, SPAN_LIT("<second@test>"), t.arena, &m));
	cr_expect(times == 5 && m.message.len == 0 && !m.outlined);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, an_outline_put_into_words_is_a_mail_like_others)
{
	struct temp_store t;
	struct outbox_mail m;
	unsigned times = 0;
	int64_t id, other;

	temp_store_open(&t);
	store_words(t.s, temp_words, &times);
	OK(&t, store_begin(t.s));
	other = temp_outline(&t, "other", 0, 0, 0, 0);
	id = temp_outline(&t, "one", 0, 0, 0, 0);
	OK(&t, outbox_message(t.s, id, t.arena, &m));
	OK(&t, outbox_put_words(t.s, &m));
	cr_expect_eq(outlines(&t), 1);
	OK(&t, outbox_message(t.s, id, t.arena, &m));
	expect_words(&t, &m, "one", false);
	OK(&t, store_commit(t.s));
	/* Whoever reads it from now on needs to know nothing of outlines. */
	temp_store_reopen(&t);
	OK(&t, outbox_message(t.s, id, t.arena, &m));
	expect_words(&t, &m, "one", false);
	cr_expect_eq(times, 1);
	cr_expect_eq(outbox_message(t.s, other, t.arena, &m), ERR_UNSUPPORTED);
	temp_store_close(&t);
}

Test(store_outbox, only_what_is_in_outline_can_be_put_into_words)
{
	struct temp_store t;
	struct outbox_mail m;
	int64_t id;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	id = temp_mail(&t, "one", 0, 0, 0, 0);
	OK(&t, outbox_message(t.s, id, t.arena, &m));
	REFUSED(&t, outbox_put_words(t.s, &m), ERR_EXISTS);
	store_rollback(t.s);
	temp_store_close(&t);
}

static enum err words_of_another_program(void *ctx, struct span message_id, struct span outline,
                                         struct strbuf *message)
{
	(void)ctx;
	(void)message_id;
	(void)outline;
	(void)message;
	return ERR_UNSUPPORTED;
}

Test(store_outbox, an_outline_that_nobody_can_read_is_said_and_kept)
{
	const char *sentence = "mail <one@test> has an outline that this program cannot read";
	struct temp_store t;
	struct outbox_mail m, *list;
	unsigned times = 0;
	int64_t id;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	id = temp_outline(&t, "one", 0, 0, 0, 0);
	cr_expect_eq(outbox_message(t.s, id, t.arena, &m), ERR_UNSUPPORTED);
	cr_expect_str_eq(store_error(t.s)->text.ptr, sentence);
	store_words(t.s, words_of_another_program, NULL);
	OK(&t, outbox_due(t.s, 1000, 0, 9, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	cr_expect(list[0].unreadable);
	cr_expect(span_eq_str(list[0].answer, sentence));
	cr_expect_eq(outlines(&t), 1);
	store_words(t.s, temp_words, &times);
	OK(&t, outbox_message(t.s, id, t.arena, &m));
	expect_words(&t, &m, "one", true);
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_outbox, a_mail_without_text_and_outline_is_corrupt)
{
	struct temp_store t;
	struct outbox_mail m, *list;
	unsigned times = 0;
	int64_t id;
	size_t n;

	temp_store_open(&t);
	store_words(t.s, temp_words, &times);
	OK(&t, store_begin(t.s));
	id = temp_mail(&t, "one", 0, 0, 0, 0);
	OK(&t, store_commit(t.s));
	temp_store_raw(&t, "DELETE FROM outbox_messages");
	cr_expect_eq(outbox_message(t.s, id, t.arena, &m), ERR_CORRUPT);
	cr_expect(strstr(store_error(t.s)->text.ptr, "<one@test>"), "it says which");
	OK(&t, outbox_due(t.s, 1000, 0, 9, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	cr_expect(list[0].unreadable);
	cr_expect_eq(times, 0);
	temp_store_close(&t);
}

Test(store_outbox, a_mail_in_words_and_its_outline_are_the_same_mail)
{
	struct temp_store t;
	struct outbox_mail m;
	unsigned times = 0;
	int64_t id;

	temp_store_open(&t);
	store_words(t.s, temp_words, &times);
	OK(&t, store_begin(t.s));
	id = temp_outline(&t, "one", 0, 0, 0, 0);
	cr_expect_eq(temp_mail(&t, "one", 0, 0, 0, 0), id);
	cr_expect(times == 1 && outlines(&t) == 1);
	OK(&t, outbox_message(t.s, id, t.arena, &m));
	m.message = SPAN_LIT("other words");
	cr_expect_eq(outbox_add(t.s, &m, NULL), ERR_EXISTS);
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM outbox_messages"), 0);
	store_rollback(t.s);
	temp_store_close(&t);
}

/* -------------------------------------------------------------------- logs */

Test(store_audit, entries_are_kept_in_order_by_game)
{
	struct temp_store t;
	struct audit_entry *list;
	size_t n;
	int64_t g;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	g = temp_game(&t, GAME_RUNNING, 2);
	OK(&t, audit_add(t.s, 0, 0, "operator", false, 1000, "The host was changed."));
	OK(&t, audit_add(t.s, g, 2, "seat 2", true, 1001, "Resigned."));
	OK(&t, audit_list(t.s, 0, t.arena, &list, &n));
	cr_assert(n == 2 && list[0].game == 0 && !list[0].is_public);
	OK(&t, audit_list(t.s, g, t.arena, &list, &n));
	cr_assert(n == 1 && list[0].seat == 2 && list[0].is_public && list[0].at_utc == 1001);
	cr_assert(span_eq_str(list[0].actor, "seat 2") &&
	          span_eq_str(list[0].what, "Resigned."));
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_audit, the_last_run_is_known)
{
	struct temp_store t;
	struct run_log r = {
	    .started_utc = 1, .ended_utc = 2, .mails = 3, .turns = 4, .sent = 5, .failed = 6};
	struct run_log last;

	temp_store_open(&t);
	cr_assert_eq(run_log_last(t.s, &last), ERR_NOT_FOUND);
	OK(&t, store_begin(t.s));
	OK(&t, run_log_add(t.s, &r));
	r.mails = 30;
	OK(&t, run_log_add(t.s, &r));
	OK(&t, run_log_last(t.s, &last));
	cr_assert(last.mails == 30 && last.started_utc == 1 && last.failed == 6);
	store_rollback(t.s);
	temp_store_close(&t);
}

/* Counts one, and says what there is then. */
static struct sender_day count(struct temp_store *t, struct span who, bool proven, int64_t on)
{
	struct sender_day day;

	OK(t, sender_day_get(t->s, who, proven, on, &day));
	OK(t, sender_count(t->s, who, proven, on, &day));
	OK(t, sender_day_get(t->s, who, proven, on, &day));
	return day;
}

Test(store_senders, mails_are_counted_by_address_by_day_and_by_what_they_prove)
{
	const struct span ann = SPAN_LIT("ann@example.net"), loud = SPAN_LIT("ANN@example.net");
	struct temp_store t;
	struct sender_day day;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	cr_expect_eq(count(&t, ann, true, 100).mails, 1);
	cr_expect_eq(count(&t, loud, true, 100).mails, 2,
	             "people do not notice case in addresses");
	cr_expect_eq(count(&t, ann, false, 100).mails, 1, "what is only claimed counts apart");
	cr_expect_eq(count(&t, ann, true, 101).mails, 1, "a new day");
	OK(&t, sender_mark_told(t.s, ann, true, 101));
	day = count(&t, ann, true, 101);
	cr_expect(day.told && day.mails == 2);
	cr_expect_not(count(&t, ann, false, 101).told);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_senders, past_days_are_forgotten)
{
	struct temp_store t;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int64_t d = 100; d < 110; d++)
		cr_expect_eq(count(&t, SPAN_LIT("ann@example.net"), true, d).mails, 1);
	OK(&t, store_commit(t.s));
	cr_expect_eq(temp_store_number(&t, "SELECT count(*) FROM sender_days"), 2);
	cr_expect_eq(temp_store_number(&t, "SELECT min(day) FROM sender_days"), 108);
	temp_store_close(&t);
}

Test(outbox, mails_are_numbered_one_after_the_other)
{
	struct temp_store t;
	int64_t player, first;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	player = temp_player(&t, "ann@example.net");
	first = temp_mail(&t, "one", player, 0, 0, 1);
	cr_expect_eq(temp_mail(&t, "two", player, 0, 0, 2), first + 1);
	OK(&t, store_commit(t.s));
	temp_store_reopen(&t);
	OK(&t, store_begin(t.s));
	cr_expect_eq(temp_mail(&t, "three", player, 0, 0, 3), first + 2);
	store_rollback(t.s);
	OK(&t, store_begin(t.s));
	cr_expect_eq(temp_mail(&t, "four", player, 0, 0, 4), first + 2);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}
