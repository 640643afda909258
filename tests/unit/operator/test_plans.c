/*
 * test_plans.c - what the database does for each statement: no reading of whole tables in
 * a run, and the same work whatever else is stored.
 */
#include <criterion/criterion.h>
#include <sqlite3.h>
#include <string.h>

#include "store/addresses.h"
#include "store/audit.h"
#include "store/bounces.h"
#include "store/confirmations.h"
#include "store/digests.h"
#include "store/engine/db.h"
#include "store/inbox.h"
#include "store/operator/outages.h"
#include "store/orders.h"
#include "store/outbox.h"
#include "store/players.h"
#include "store/press.h"
#include "store/ratings.h"
#include "store/rematches.h"
#include "store/reminders.h"
#include "tests/support/temp_store.h"

/* What every run asks, even when nothing has come. */
static void idle_run(struct temp_store *t)
{
	static const struct turn_id start = {0};
	struct inbox_mail *purge;
	struct outbox_mail mail;
	struct in_flight hand;
	struct turn_id ids[10];
	int64_t players[10];
	struct outage lost;
	struct pulse pulse;
	struct standings_due due[10];
	bool yes;
	size_t n;

	OK(t, standings_due_list(t->s, 10, due, &n));
	cr_assert_eq(n, 0);
	for (int what = DUE_SEAL; what <= DUE_REPORT; what++) {
		OK(t, turn_due_list(t->s, (enum turn_due)what, 1500, start, 10, ids, &n));
		cr_assert_eq(n, 0);
	}
	OK(t, reminder_due_list(t->s, 1500, start, 10, ids, &n));
	cr_assert_eq(n, 0);
	OK(t, digest_queue_due(t->s, 1500, 10, players, &n));
	cr_assert_eq(n, 0);
	OK(t, pulse_get(t->s, &pulse));
	cr_assert_eq(outage_open(t->s, &lost), ERR_NOT_FOUND);
	OK(t, outbox_has_due(t->s, 1500, &yes));
	cr_assert_eq(outbox_next_refused(t->s, 0, t->arena, &mail), ERR_NOT_FOUND);
	OK(t, inbox_purge_due(t->s, 500, 10, t->arena, &purge, &n));
	OK(t, in_flight_get(t->s, t->arena, &hand));
}

/* And what a mail with orders, a turn and a mail to send take. */
static void read_what_failed(struct temp_store *t, const struct outbox_mail *sent)
{
	struct outbox_failure *failures;
	struct outbox_mail *mails, mail;
	unsigned count;
	size_t n;

	OK(t, outbox_add_failure(t->s, sent));
	OK(t, outbox_failures(t->s, sent->id, t->arena, &failures, &n));
	OK(t, outbox_by_id(t->s, sent->id, t->arena, &mail));
	OK(t, outbox_unsent(t->s, 0, 10, t->arena, &mails, &n));
	OK(t, outbox_count_given_up(t->s, &count));
	OK(t, outbox_refusal_done(t->s, sent->id));
	cr_assert_eq(outbox_try_again(t->s, sent->id), ERR_NOT_FOUND);
	cr_assert_eq(outbox_put_aside(t->s, sent->id), ERR_NOT_FOUND);
}

/* What a mail takes that is put into words when it is sent. */
static void busy_outline(struct temp_store *t)
{
	struct outbox_mail mail;
	unsigned times = 0;
	int64_t id = temp_outline(t, "outline", 0, 0, 0, 0);

	store_words(t->s, temp_words, &times);
	OK(t, outbox_message(t->s, id, t->arena, &mail));
	OK(t, outbox_put_words(t->s, &mail));
	mail.state = OUTBOX_SENT;
	OK(t, outbox_mark(t->s, &mail));
}

/* What players write, and what a report asks about it. */
static void busy_press(struct temp_store *t, int64_t g, int64_t player)
{
	struct press p = {.game = g, .seat = 1, .seats = 2, .mail = 1, .text = SPAN_LIT("hi")};
	struct press *list;
	struct press_rules rules;
	struct press_kept kept;
	struct observer o = {g, player, true, 1}, *observers;
	int64_t written_utc, *games;
	unsigned count;
	size_t n;

	OK(t, press_rules_get(t->s, g, &rules));
	OK(t, press_add(t->s, &p));
	OK(t, press_waiting(t->s, g, true, t->arena, &list, &n));
	OK(t, press_delivered(t->s, g, true, p.id, 5));
	OK(t, press_leave(t->s, g, 1, 5));
	OK(t, press_nth(t->s, g, 1, 1, &written_utc));
	OK(t, press_kept_of(t->s, g, 1, &kept));
	OK(t, observer_set(t->s, &o));
	OK(t, observer_get(t->s, g, player, &o));
	OK(t, observer_list(t->s, g, t->arena, &observers, &n));
	OK(t, observer_count(t->s, g, &count));
	OK(t, observer_games(t->s, player, t->arena, &games, &n));
	OK(t, observer_drop(t->s, g, player));
}

/* What mails that wait and digests take. */
static void busy_kept(struct temp_store *t, int64_t g, int64_t player)
{
	struct outbox_mail m = {.kind = SPAN_LIT("press"),
	                        .game = g,
	                        .seat = 1,
	                        .player = player,
	                        .rcpt = SPAN_LIT("somebody@example.org"),
	                        .message_id = SPAN_LIT("<kept@test>"),
	                        .message = SPAN_LIT("Subject: kept\r\n\r\nText\r\n"),
	                        .enclosed = true,
	                        .due_utc = 3000,
	                        .digest_text = SPAN_LIT("Text\n")};
	struct digest b = {.player = player, .number = 1};
	struct queued_mail *list;
	int64_t players[10];
	unsigned number;
	size_t n;

	OK(t, player_set_form(
		  t->s,
		  &(struct player){.id = player, .mail_mode = MAIL_DIGEST, .digest_min = 480}));
	OK(t, outbox_add(t->s, &m, NULL));
	OK(t, digest_queue_list(t->s, player, 0, t->arena, &list, &n));
	cr_assert_eq(n, 1);
	OK(t, digest_queue_put_off(t->s, player, 4000));
	OK(t, digest_queue_hurry(t->s, player, 3500, &number));
	cr_assert_eq(number, 1);
	OK(t, digest_queue_due(t->s, 3500, 10, players, &n));
	cr_assert(n == 1 && players[0] == player);
	OK(t, digest_last(t->s, player, &number));
	m = (struct outbox_mail){.kind = SPAN_LIT("digest"),
	                         .player = player,
	                         .rcpt = m.rcpt,
	                         .message_id = SPAN_LIT("<digest@test>"),
	                         .message = m.message};
	OK(t, outbox_add(t->s, &m, &b.outbox));
	OK(t, digest_add(t->s, &b));
	OK(t, digest_turn_add(t->s, &b, g, 1));
	OK(t, digest_queue_bring(t->s, player, 0, b.outbox));
	OK(t, digest_queue_release(t->s, player, 0));
	OK(t, digest_by_number(t->s, player, 1, &b));
	OK(t, digest_by_outbox(t->s, b.outbox, &b));
	OK(t, digest_turn(t->s, player, 1, g, &number));
	cr_assert_eq(number, 1);
}

/* What deadlines, reminders and vacant seats take. */
static void busy_clocks(struct temp_store *t, int64_t g, int64_t player)
{
	static const struct turn_id start = {0};
	struct reminder_sent r = {.game = g,
	                          .serial = 1,
	                          .seat = 2,
	                          .deadline_utc = 2000,
	                          .before_s = 60,
	                          .sent_utc = 1900};
	struct turn_id ids[10];
	struct game *games;
	int64_t before;
	size_t n;

	OK(t, turn_set_settle(t->s, g, 1, 1900));
	OK(t, turn_set_deadline(t->s, g, 1, 2000));
	OK(t, turn_set_remind(t->s, g, 1, 1800));
	OK(t, player_set_quiet(t->s, player, 1320, 420));
	OK(t, reminder_due_list(t->s, TURN_REMIND_SOON, start, 10, ids, &n));
	cr_assert(n == 1 && ids[0].game == g && ids[0].serial == 1);
	OK(t, turn_set_remind(t->s, g, 1, TURN_NO_REMINDER));
	OK(t, reminder_due_list(t->s, INT64_MAX, start, 10, ids, &n));
	cr_assert_eq(n, 0);
	cr_assert_eq(reminder_last(t->s, g, 1, 2, 2000, &before), ERR_NOT_FOUND);
	cr_assert_eq(reminder_of_turn(t->s, g, 1, 2, &before), ERR_NOT_FOUND);
	OK(t, reminder_add(t->s, &r));
	OK(t, game_list_vacant(t->s, 10, t->arena, &games, &n));
	cr_assert_eq(n, 0);
}

static void busy_outage(struct temp_store *t, int64_t g)
{
	static const struct turn_id start = {0};
	struct outage o = {.cause = OUTAGE_MAIL, .from_utc = 1000, .to_utc = 1500}, open;
	struct turn turn = {.game = g, .serial = 1, .deadline_utc = 2500, .credited_utc = 1500};
	struct turn_id ids[10];
	size_t n;

	OK(t, pulse_set(t->s, &(struct pulse){.run_utc = 1500}));
	OK(t, outage_add(t->s, &o));
	OK(t, outage_open(t->s, &open));
	OK(t, outage_turns(t->s, &open, start, 10, ids, &n));
	cr_assert(n == 1 && ids[0].game == g && ids[0].serial == 1);
	OK(t, turn_credit(t->s, &turn));
	OK(t, outage_turns(t->s, &open, start, 10, ids, &n));
	cr_assert_eq(n, 0);
	OK(t, outage_done(t->s, open.id));
	cr_assert_eq(outage_open(t->s, &open), ERR_NOT_FOUND);
}

/* What a game that ends costs, and what is asked about people. */
static void busy_ratings(struct temp_store *t, int64_t g, int64_t player)
{
	struct rating r = {.player = player, .kind = SPAN_LIT("whakka-mole"), .games = 1};
	struct rematch again = {.game = g, .of = g, .kept_utc = 5};
	struct waiter w = {.player = player, .since_utc = 1, .until_utc = 9}, *queue;
	struct rating_named *best;
	struct seat_holder *holders;
	struct player *people;
	struct standings_due last;
	struct standings tally;
	struct rating *rows;
	struct entry_terms wanted;
	int64_t *who;
	size_t n;
	bool yes;

	OK(t, seat_holder_list(t->s, g, t->arena, &holders, &n));
	OK(t, seat_holder_players(t->s, g, t->arena, &who, &n));
	OK(t, standings_last(t->s, &last));
	OK(t, standings_begin(t->s, g));
	OK(t, standings_get(t->s, g, t->arena, &tally));
	tally.places = &(struct standings_place){.player = player, .rank = 1};
	tally.n = 1;
	OK(t, standings_add(t->s, &tally));
	OK(t, rating_put(t->s, &r));
	OK(t, rating_get(t->s, player, r.kind, t->arena, &r));
	OK(t, rating_list(t->s, player, t->arena, &rows, &n));
	OK(t, rating_best(t->s, r.kind, 5, t->arena, &best, &n));
	OK(t, player_list_named(t->s, SPAN_LIT("Ann"), 5, t->arena, &people, &n));
	OK(t, entry_terms_set(t->s, g, &(struct entry_terms){.reliability = 80}));
	OK(t, entry_terms_get(t->s, g, &wanted));
	OK(t, rematch_add(t->s, &again));
	OK(t, rematch_get(t->s, g, &again));
	OK(t, rematch_of(t->s, g, &again));
	OK(t, rematch_open(t->s, g, 1));
	OK(t, invitation_set(t->s, g, player, true));
	OK(t, invitation_exists(t->s, g, player, &yes));
	OK(t, waiting_add(t->s, r.kind, &w));
	OK(t, waiting_any(t->s, &yes));
	OK(t, waiting_list_old(t->s, r.kind, 5, 5, t->arena, &queue, &n));
	OK(t, waiting_list(t->s, r.kind, 5, &w, 5, t->arena, &queue, &n));
	OK(t, waiting_before(t->s, r.kind, 5, player, &n));
	OK(t, waiting_drop(t->s, r.kind, player, &yes));
}

static void busy_run(struct temp_store *t, int64_t g, const char *name)
{
	struct inbox_mail in = {.source = SPAN_LIT("maildir:x"),
	                        .transport_id = span_of(name),
	                        .identity.bytes = hash_of(span_of(name)),
	                        .arrived_utc = 1,
	                        .verdict = SPAN_LIT("orders"),
	                        .game = g,
	                        .player = 1};
	struct hash d = hash_of(SPAN_LIT("d"));
	struct player p;
	struct game game;
	struct game_wish wish = {.kind = SPAN_LIT("whakka-mole")};
	struct seat seat, *seats;
	struct turn turn, parent, *turns;
	struct order_revision *list;
	struct outbox_mail *mails, mail;
	struct bounced_address bounced, *list_of_bounced;
	unsigned score;
	int64_t created_utc, confirmation;
	struct confirmation *confirmations;
	struct span *addresses;
	int64_t sent;
	unsigned left;
	bool yes;
	size_t n;

	cr_assert_eq(inbox_find(t->s, in.source, in.transport_id, &in.identity, t->arena, &in),
	             ERR_NOT_FOUND);
	OK(t, player_by_address(t->s, SPAN_LIT("p1@g1.example"), t->arena, &p));
	OK(t, player_get(t->s, p.id, t->arena, &p));
	OK(t, game_get(t->s, g, t->arena, &game));
	OK(t, game_secret(t->s, &game, &d));
	OK(t, seat_list(t->s, g, t->arena, &seats, &n));
	OK(t, seat_of_player(t->s, g, seats[0].player, t->arena, &seat));
	OK(t, seat_get(t->s, g, 1, t->arena, &seat));
	OK(t, seat_update(t->s, &seat));
	OK(t, turn_get(t->s, g, 1, t->arena, &turn));
	OK(t, turn_get_with_position(t->s, g, 1, t->arena, &turn, &parent));
	OK(t, turn_get_with_parent(t->s, g, 1, t->arena, &turn, &parent));
	OK(t, turn_list(t->s, g, t->arena, &turns, &n));
	busy_press(t, g, p.id);
	OK(t, inbox_next_id(t->s, &in.id));
	cr_assert_eq(inbox_sent(t->s, in.id, &sent), ERR_NOT_FOUND);
	OK(t, confirmation_list(t->s, p.id, t->arena, &confirmations, &n));
	OK(t, address_list(t->s, p.id, t->arena, &addresses, &n));
	OK(t, reply_is_revoked(t->s, g, 1, 1, &yes));
	OK(t, reply_revoke(t->s, g, 1));
	temp_orders(t, g, 1, 1, "POPUP 1\n");
	OK(t, inbox_add(t->s, &in, &in.id));
	OK(t, stranger_take(t->s, SPAN_LIT("x@y"), "guide", 900, 3, 1000, &left));
	(void)temp_mail(t, name, seats[0].player, g, 1, 1);
	OK(t, outbox_by_message_id(t->s, span_of(arena_printf(t->arena, "<%s@test>", name)),
	                           t->arena, &mail));
	OK(t, outbox_by_number(t->s, g, 1, 0, t->arena, &mail));
	OK(t, outbox_history(t->s, g, 1, "report", 0, 9, t->arena, &mails, &n));
	busy_outage(t, g);
	busy_clocks(t, g, p.id);
	busy_kept(t, g, p.id);
	busy_ratings(t, g, p.id);
	OK(t, outbox_due(t->s, 1000, 0, 10, t->arena, &mails, &n));
	busy_outline(t);
	mail.state = OUTBOX_SENT;
	OK(t, outbox_mark(t->s, &mail));
	OK(t, outbox_recover(t->s, 6));
	read_what_failed(t, &mail);
	OK(t, bounce_count(t->s, &mail, 1, 2, SPAN_LIT("no"), 0, 1, &score));
	OK(t, bounce_get(t->s, mail.rcpt, t->arena, &bounced));
	OK(t, bounce_list(t->s, mail.player, t->arena, &list_of_bounced, &n));
	OK(t, bounce_redirect(t->s, mail.rcpt, SPAN_LIT("x@y")));
	OK(t, bounce_pause(t->s, mail.rcpt, 1));
	OK(t, bounce_forgive(t->s, mail.rcpt));
	cr_assert_eq(confirmation_of_mail(t->s, mail.id, &confirmation), ERR_NOT_FOUND);
	OK(t, outbox_by_id(t->s, mail.id, t->arena, &mail));
	OK(t, outbox_nth_answer(t->s, g, 1, "report", 1, &created_utc));
	OK(t, orders_list(t->s, g, 1, t->arena, &list, &n));
	OK(t, turn_set_waiting(t->s, g, 1, 1, true));
	OK(t, turn_set_deadline(t->s, g, 1, 3000));
	OK(t, turn_seal(t->s, g, 1, &d, 1900));
	OK(t, turn_resolved(t->s, g, 1, SPAN_LIT("s"), SPAN_LIT(""), &d, NULL));
	OK(t, turn_reported(t->s, g, 1));
	turn.serial = 2;
	turn.state = TURN_OPEN;
	OK(t, turn_open(t->s, &turn));
	game.serial = 2;
	OK(t, game_update(t->s, &game));
	OK(t, game_hold(t->s, g, "r", "b", 1));
	OK(t, game_resume(t->s, g));
	cr_assert_eq(game_open_of_kind(t->s, &wish, t->arena, &game), ERR_NOT_FOUND);
}

/*
 * Tables of a row or a few, and partial indexes over what is not finished, may be read from end
 * to end.
 */
static bool may_be_scanned(const char *plan)
{
	static const char *const fine[] = {
	    "SCAN in_flight",  "SCAN server",       "outbox_new",   "outbox_given_up",
	    "outbox_waiting",  "SCAN CONSTANT ROW", "seats_vacant", "SCAN waiting",
	    "games_uncounted", "games_counted"};

	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
		if (strstr(plan, fine[i]))
			return true;
	return false;
}

static unsigned check_plan(struct temp_store *t, const char *sql)
{
	struct strbuf explain = STRBUF_INIT;
	struct query q;
	unsigned lines = 0;

	strbuf_addf(&explain, "EXPLAIN QUERY PLAN %s", sql);
	q = db_read_text(t->s, explain.ptr);
	while (db_next(&q)) {
		const char *plan;

		col_skip(&q);
		col_skip(&q);
		col_skip(&q);
		plan = arena_cstr(t->arena, col_bytes(&q));
		cr_assert(!strstr(plan, "SCAN ") || may_be_scanned(plan), "%s\nin %s", plan,
		          sql);
		/* Sorted are only the few mails that are tried again, and games with vacant seats. */
		cr_assert(!strstr(plan, "TEMP B-TREE") || strstr(sql, "UNION ALL") ||
		              strstr(sql, "vacated_utc > 0"),
		          "%s\nin %s", plan, sql);
		lines++;
	}
	OK(t, db_end(&q));
	strbuf_release(&explain);
	return lines;
}

static bool is_plannable(const char *sql)
{
	return strncmp(sql, "SELECT", 6) == 0 || strncmp(sql, "UPDATE", 6) == 0 ||
	       strncmp(sql, "DELETE", 6) == 0;
}

Test(store_plans, nothing_a_run_does_reads_a_table_from_end_to_end)
{
	struct temp_store t;
	unsigned checked = 0;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	busy_run(&t, temp_game(&t, GAME_RUNNING, 3), "one");
	OK(&t, store_commit(t.s));
	idle_run(&t);
	for (unsigned i = 0; i < DB_SLOTS; i++) {
		const char *sql = t.s->slots[i].sql;

		if (sql && is_plannable(sql))
			checked += check_plan(&t, sql) > 0;
	}
	cr_assert_gt(checked, 30);
	temp_store_close(&t);
}

static void expect_plan(struct temp_store *t, const char *sql, const char *index)
{
	struct query q = db_read_text(t->s, sql);
	bool found = false;

	while (db_next(&q)) {
		col_skip(&q);
		col_skip(&q);
		col_skip(&q);
		found = found || strstr(arena_cstr(t->arena, col_bytes(&q)), index) != NULL;
	}
	OK(t, db_end(&q));
	cr_assert(found, "%s does not use %s", sql, index);
}

Test(store_plans, due_turns_and_mails_are_found_in_partial_indexes)
{
	struct temp_store t;

	temp_store_open(&t);
	idle_run(&t);
	for (unsigned i = 0; i < DB_SLOTS; i++) {
		const char *sql = t.s->slots[i].sql;
		char *explain;

		if (!sql)
			continue;
		explain = arena_printf(t.arena, "EXPLAIN QUERY PLAN %s", sql);
		if (strstr(sql, "enclosed_mails"))
			expect_plan(&t, explain, "USING COVERING INDEX enclosed_mails_due");
		else if (strstr(sql, "due_utc <= ?"))
			expect_plan(&t, explain, "SEARCH turns USING INDEX turns_due");
		if (strstr(sql, "refused > 0"))
			expect_plan(&t, explain, "USING INDEX outbox_refused");
		else if (strstr(sql, "next_try_utc"))
			expect_plan(&t, explain, "INDEX outbox_new");
		if (strstr(sql, "purge_utc <= ?"))
			expect_plan(&t, explain, "USING INDEX inbox_purge");
	}
	temp_store_close(&t);
}

/* Steps of SQLite's machine, which do not move with the noise. */
static long work(struct temp_store *t)
{
	long steps = 0;

	for (unsigned i = 0; i < DB_SLOTS; i++)
		if (t->s->slots[i].stmt)
			(void)sqlite3_stmt_status(t->s->slots[i].stmt,
			                          SQLITE_STMTSTATUS_VM_STEP, 1);
	idle_run(t);
	for (unsigned i = 0; i < DB_SLOTS; i++)
		if (t->s->slots[i].stmt)
			steps += sqlite3_stmt_status(t->s->slots[i].stmt,
			                             SQLITE_STMTSTATUS_VM_STEP, 1);
	return steps;
}

Test(store_plans, an_idle_run_costs_the_same_whatever_is_stored, .timeout = 600)
{
	struct temp_store t;
	struct hash d = hash_of(SPAN_LIT("d"));
	long few, many;

	temp_store_open(&t);
	few = work(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 600; i++) {
		int64_t g = temp_game(&t, i % 3 == 0 ? GAME_RUNNING : GAME_OVER, 2);

		if (i % 3 != 0) {
			struct standings nothing = {.game = g};
			OK(&t, standings_add(t.s, &nothing));
		}
		if (i % 6 == 0)
			OK(&t, game_hold(t.s, g, "r", "b", 1));
		if (i % 6 == 0 && i % 4 == 0)
			OK(&t, turn_seal(t.s, g, 1, &d, 1));
	}
	OK(&t, store_commit(t.s));
	many = work(&t);
	cr_assert_leq(many, few + few / 5, "%ld steps empty, %ld with 600 games", few, many);
	temp_store_close(&t);
}

Test(store_plans, a_long_list_takes_memory_in_proportion)
{
	struct temp_store t;
	struct audit_entry *list;
	struct span what = SPAN_LIT("Something.");
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (int i = 0; i < 5000; i++)
		OK(&t, audit_add(t.s, 0, 0, "operator", false, i, "Something."));
	OK(&t, audit_list(t.s, 0, t.arena, &list, &n));
	cr_assert_eq(n, 5000);
	for (size_t i = 0; i < n; i++)
		cr_assert(list[i].at_utc == (int64_t)i && span_eq(list[i].what, what));
	store_rollback(t.s);
	temp_store_close(&t);
}

Test(store_plans, a_statement_is_prepared_once)
{
	struct temp_store t;
	struct player p;
	unsigned before;

	temp_store_open(&t);
	cr_assert_eq(player_get(t.s, 1, t.arena, &p), ERR_NOT_FOUND);
	before = t.s->nslots;
	for (int i = 0; i < 100; i++)
		cr_assert_eq(player_get(t.s, i, t.arena, &p), ERR_NOT_FOUND);
	cr_assert_eq(t.s->nslots, before);
	temp_store_close(&t);
}
