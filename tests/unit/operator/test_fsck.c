/*
 * test_fsck.c - every invariant is broken once, and found by name; dumps of equal
 * histories are equal.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "store/absences.h"
#include "store/addresses.h"
#include "store/audit.h"
#include "store/bounces.h"
#include "store/confirmations.h"
#include "store/digests.h"
#include "store/engine/fsck.h"
#include "store/forks_and_imports.h"
#include "store/inbox.h"
#include "store/operator/outages.h"
#include "store/orders.h"
#include "store/outbox.h"
#include "store/players.h"
#include "store/press.h"
#include "store/ratings.h"
#include "store/rematches.h"
#include "store/reminders.h"
#include "store/standing_orders.h"
#include "store/votes.h"
#include "tests/support/temp_store.h"

struct seen {
	const char *expected; /* NULL: nothing is */
	unsigned hits, others, steps;
	char first[160];
};

static void note(void *ctx, const char *invariant, const char *object)
{
	struct seen *seen = ctx;

	if (seen->expected && strcmp(invariant, seen->expected) == 0) {
		seen->hits++;
		return;
	}
	if (seen->others++ == 0)
		(void)snprintf(seen->first, sizeof(seen->first), "%s: %s", invariant, object);
}

static void count_steps(void *ctx, unsigned done, unsigned total, const char *name)
{
	struct seen *seen = ctx;

	cr_assert_eq(done, seen->steps);
	/* The first two look at a file. */
	cr_assert_str_eq(name, fsck_name(on_postgresql() ? done + 2 : done));
	cr_assert_lt(done, total);
	seen->steps++;
}

static struct seen check(struct temp_store *t, const char *expected)
{
	struct seen seen = {.expected = expected};
	struct fsck_hooks hooks = {.report = note, .progress = count_steps, .ctx = &seen};
	unsigned n;

	OK(t, fsck_run(t->s, FSCK_SEALS, &hooks, &n));
	cr_assert_eq(n, seen.hits + seen.others);
	return seen;
}

/*
 * One of everything, and nothing wrong: game 1 runs (seat 2 has sent two sets, seat 3 took them
 * back), game 2 gathers, game 3 is over, game 4 is held. Players 1 to 12 have the seats; 13 is
 * forgotten.
 */
static void add_finished(struct temp_store *t, int64_t id)
{
	struct hash d = hash_of(SPAN_LIT("d"));
	struct game g;

	OK(t, turn_seal(t->s, id, 1, &d, 1900));
	OK(t, turn_resolved(t->s, id, 1, SPAN_LIT("end"), SPAN_LIT(""), &d, NULL));
	OK(t, turn_reported(t->s, id, 1));
	OK(t, game_get(t->s, id, t->arena, &g));
	g.status = GAME_OVER;
	g.ended_utc = 1950;
	g.record_lines = 5;
	g.record_head = d;
	OK(t, game_update(t->s, &g));
}

static void add_mails(struct temp_store *t)
{
	struct inbox_mail in = {.source = SPAN_LIT("maildir:x"),
	                        .transport_id = SPAN_LIT("17.host"),
	                        .identity.bytes = hash_of(SPAN_LIT("c")),
	                        .arrived_utc = 1100,
	                        .handled_utc = 1200,
	                        .player = 2,
	                        .game = 1,
	                        .serial = 1,
	                        .seat = 2,
	                        .verdict = SPAN_LIT("orders"),
	                        .detail = SPAN_LIT("detail"),
	                        .purge_utc = 9000};
	struct outbox_mail *list;
	unsigned score;
	int64_t id;
	size_t n;

	OK(t, inbox_add(t->s, &in, &id));
	OK(t, quarantine_add(t->s, id, "odd", SPAN_LIT("raw"), 1300));
	(void)temp_mail(t, "m1", 1, 1, 1, 1);
	(void)temp_mail(t, "m2", 1, 1, 1, 2);
	(void)temp_mail(t, "m3", 2, 1, 2, 1);
	(void)temp_mail(t, "m4", 0, 0, 0, 0);
	OK(t, outbox_due(t->s, 0, 0, 9, t->arena, &list, &n));
	list[0].state = OUTBOX_SENT;
	list[0].attempts = 1;
	OK(t, outbox_mark(t->s, &list[0]));
	list[2].state = OUTBOX_RETRY;
	list[2].attempts = 1;
	list[2].next_try_utc = 1500;
	OK(t, outbox_mark(t->s, &list[2]));
	OK(t, bounce_count(t->s, &list[0], id, 2, SPAN_LIT("no"), 0, 1600, &score));
	OK(t, bounce_pause(t->s, list[0].rcpt, 1600));
	OK(t, unreachable_set(t->s, 1, 1, &(struct unreachable_seat){1600, 1}));
}

/* Player 1 has a second address; seat 2/1 of game 1 has new reply addresses; two questions are open. */
static void add_speakers(struct temp_store *t)
{
	struct confirmation also = {.kind = CONFIRMATION_ALSO,
	                            .player = 1,
	                            .address = SPAN_LIT("new@example.org"),
	                            .asked_utc = 1300,
	                            .mail = 1};
	struct confirmation held = {.kind = CONFIRMATION_MAIL,
	                            .player = 2,
	                            .address = SPAN_LIT("eve@example.org"),
	                            .game = 1,
	                            .serial = 1,
	                            .seat = 2,
	                            .asked_utc = 1300,
	                            .mail = 1,
	                            .text = SPAN_LIT("subject\nPOPUP 7")};
	int64_t asked;

	OK(t, address_add(t->s, 1, SPAN_LIT("second@example.org"), 1300));
	OK(t, reply_revoke(t->s, 1, 1));
	OK(t, reply_revoke(t->s, 2, 1));
	OK(t, confirmation_add(t->s, &also));
	OK(t, confirmation_add(t->s, &held));
	OK(t, outbox_add(t->s,
	                 &(struct outbox_mail){.kind = SPAN_LIT("question-mail"),
	                                       .player = 2,
	                                       .rcpt = SPAN_LIT("bob@example.org"),
	                                       .message_id = SPAN_LIT("<asked@test>"),
	                                       .message = SPAN_LIT("Subject: ?\r\n\r\n?\r\n"),
	                                       .created_utc = 1300},
	                 &asked));
	OK(t, confirmation_add_mail(t->s, held.id, asked));
}

/* Game 2 goes on from game 3, which was taken over from an archive; nobody sits in that. */
static void add_origins(struct temp_store *t)
{
	struct hash d = hash_of(SPAN_LIT("origin"));
	struct import import = {.game = 3,
	                        .record_id = SPAN_LIT("W17"),
	                        .instance = SPAN_LIT("far"),
	                        .key = d,
	                        .imported_utc = 1960};
	struct fork fork = {.game = 2,
	                    .source_game = 3,
	                    .source = SPAN_LIT("W17"),
	                    .serial = 1,
	                    .label = SPAN_LIT("turn 1"),
	                    .instance = SPAN_LIT("far"),
	                    .key = d,
	                    .state_hash = d,
	                    .parent_hash = d,
	                    .orders_hash = d,
	                    .position = SPAN_LIT("end")};

	OK(t, import_add(t->s, &import, SPAN_LIT("archive of W17")));
	OK(t, fork_add(t->s, &fork));
}

/* In game 1 a message waits for seat 3 and a diary is kept; game 2 is grey; player 1 watches game 3. */
/* One that waits, and one that a digest has brought. */
static void add_kept(struct temp_store *t)
{
	struct outbox_mail m = {.kind = SPAN_LIT("receipt"),
	                        .game = 1,
	                        .serial = 1,
	                        .seat = 1,
	                        .player = 1,
	                        .number = 7,
	                        .rcpt = SPAN_LIT("somebody@example.org"),
	                        .message_id = SPAN_LIT("<k1@test>"),
	                        .message = SPAN_LIT("Subject: kept\r\n\r\nText\r\n"),
	                        .created_utc = 1900,
	                        .enclosed = true,
	                        .due_utc = 2500,
	                        .digest_text = SPAN_LIT("Text\n")};
	struct digest b = {.player = 1, .number = 1};

	OK(t, outbox_add(t->s, &m, NULL));
	m = (struct outbox_mail){.kind = SPAN_LIT("digest"),
	                         .player = 1,
	                         .rcpt = m.rcpt,
	                         .message_id = SPAN_LIT("<d1@test>"),
	                         .message = m.message,
	                         .created_utc = 1900};
	OK(t, outbox_add(t->s, &m, &b.outbox));
	OK(t, digest_add(t->s, &b));
	OK(t, digest_turn_add(t->s, &b, 1, 1));
	OK(t, digest_queue_bring(t->s, 1, 0, b.outbox));
	m.kind = SPAN_LIT("press");
	m.game = 1;
	m.seat = 1;
	m.number = 8;
	m.message_id = SPAN_LIT("<k2@test>");
	m.enclosed = true;
	m.due_utc = 2600;
	m.digest_text = SPAN_LIT("More\n");
	OK(t, outbox_add(t->s, &m, NULL));
}

static void add_press(struct temp_store *t)
{
	struct press waits = {.game = 1,
	                      .serial = 1,
	                      .seat = 1,
	                      .seats = 4,
	                      .written_utc = 1150,
	                      .mail = 1,
	                      .text = SPAN_LIT("POPUP 8, I promise.")};
	struct press diary = waits, sent = waits;

	diary.kind = PRESS_DIARY;
	diary.seats = 0;
	sent.seats = 0;
	sent.delivered_utc = 1200;
	OK(t, press_rules_add(t->s, 1, &(struct press_rules){.waits = true}));
	OK(t, press_rules_add(t->s, 2, &(struct press_rules){.mode = PRESS_GREY}));
	OK(t, press_rules_add(t->s, 3, &(struct press_rules){0}));
	OK(t, press_add(t->s, &waits));
	OK(t, press_add(t->s, &diary));
	OK(t, press_add(t->s, &sent));
	OK(t, observer_set(t->s, &(struct observer){3, 1, true, 1300}));
}

/* Seat 2 of game 1 was reminded of its deadline. */
static void remind_seat(struct temp_store *t)
{
	struct outbox_mail m = {.kind = SPAN_LIT("reminder"),
	                        .game = 1,
	                        .serial = 1,
	                        .seat = 2,
	                        .player = 2,
	                        .number = 2,
	                        .rcpt = SPAN_LIT("p2@g1.example"),
	                        .message_id = SPAN_LIT("<m5@test>"),
	                        .message = SPAN_LIT("Subject: soon\r\n\r\nText\r\n"),
	                        .created_utc = 1150};
	struct reminder_sent r = {.game = 1,
	                          .serial = 1,
	                          .seat = 2,
	                          .deadline_utc = 2000,
	                          .before_s = 850,
	                          .sent_utc = 1150};
	int64_t before;

	OK(t, outbox_add(t->s, &m, NULL));
	cr_assert_eq(reminder_last(t->s, 1, 1, 2, 2000, &before), ERR_NOT_FOUND);
	OK(t, reminder_add(t->s, &r));
	REFUSED(t, reminder_add(t->s, &r), ERR_EXISTS);
	OK(t, reminder_last(t->s, 1, 1, 2, 2000, &before));
	OK(t, reminder_of_turn(t->s, 1, 1, 2, &before));
	cr_assert_eq(before, 850);
}

/* Game 3 has been counted, and is to be played again as game 2. */
static void add_ratings(struct temp_store *t)
{
	struct standings_place places[] = {{7, 1, SPAN_LIT("+")}, {8, 2, SPAN_LIT("-")}};
	struct standings counted = {.game = 3, .places = places, .n = 2};
	struct rating r = {.player = 7, .kind = SPAN_LIT("whakka-mole"), .games = 1, .wins = 1};
	struct rematch again = {.game = 2, .of = 3, .kept_utc = 3000};
	struct waiter w = {.player = 5, .since_utc = 1, .until_utc = 3000};

	OK(t, standings_add(t->s, &counted));
	OK(t, rating_put(t->s, &r));
	OK(t, entry_terms_set(t->s, 2, &(struct entry_terms){.reliability = 80}));
	OK(t, rematch_add(t->s, &again));
	OK(t, invitation_set(t->s, 2, 7, false));
	OK(t, waiting_add(t->s, r.kind, &w));
}

/* Seat 3 of game 1 has a draft, seat 2 standing orders, seat 1 a queue and a fallback. */
static void lay_down(struct temp_store *t)
{
	struct standing_order p = {.game = 1, .received_utc = 1300, .mail = 1};
	struct standing_order *list;
	struct absence *away;
	size_t n;

	for (unsigned kind = STANDING_DRAFT; kind <= STANDING_FALLBACK; kind++) {
		p.kind = (enum standing_order_kind)kind;
		p.seat = kind == STANDING_DRAFT ? 3 : kind == STANDING_ALWAYS ? 2 : 1;
		p.number = kind == STANDING_DRAFT ? 1 : kind == STANDING_QUEUED ? 7 : 0;
		p.text = kind == STANDING_FALLBACK ? SPAN_LIT("bot") : SPAN_LIT("popup 8");
		OK(t, standing_order_set(t->s, &p));
		OK(t, standing_order_set(t->s, &p)); /* in its own place */
	}
	OK(t, turn_set_covered(t->s, 1, 1, 3, true));
	OK(t, standing_order_list(t->s, 1, t->arena, &list, &n));
	cr_assert_eq(n, 4);
	cr_assert(span_eq_str(list[0].text, "popup 8") && list[0].number == 7);
	struct absence a = {
	    .player = 1, .from_utc = 5000, .until_utc = 6000, .asked_utc = 1300, .mail = 1};
	OK(t, absence_add(t->s, &a));
	a.from_utc = 6500;
	a.until_utc = 7600;
	OK(t, absence_add(t->s, &a));
	OK(t, absence_cut(t->s, 1, 7000, 9000));
	OK(t, absence_list(t->s, 1, 6000, t->arena, &away, &n));
	cr_assert(n == 1 && away[0].until_utc == 7000);
}

static void fill(struct temp_store *t)
{
	struct order_revision clear = {.game = 1,
	                               .serial = 1,
	                               .seat = 3,
	                               .revision = 2,
	                               .cleared = true,
	                               .received_utc = 1250};
	struct order_revision sent = {.game = 1,
	                              .serial = 1,
	                              .seat = 1,
	                              .revision = 1,
	                              .received_utc = 1150,
	                              .mail = 1,
	                              .canonical = SPAN_LIT("POPUP 5\n")};
	struct run_log run = {.started_utc = 1, .ended_utc = 2};

	OK(t, store_begin(t->s));
	(void)temp_game(t, GAME_RUNNING, 3);
	(void)temp_game(t, GAME_GATHERING, 3);
	add_finished(t, temp_game(t, GAME_RUNNING, 3));
	OK(t, game_hold(t->s, temp_game(t, GAME_RUNNING, 3), "reason", "operator", 1700));
	OK(t, player_forget(t->s, temp_player(t, "gone@example.org")));
	add_mails(t);
	OK(t, orders_append(t->s, &sent));
	temp_orders(t, 1, 1, 2, "POPUP 1\n");
	temp_orders(t, 1, 1, 2, "POPUP 2\n");
	temp_orders(t, 1, 1, 3, "POPUP 3\n");
	OK(t, orders_append(t->s, &clear));
	OK(t, audit_add(t->s, 1, 2, "operator", true, 1400, "Looked."));
	add_speakers(t);
	add_origins(t);
	add_press(t);
	add_ratings(t);
	remind_seat(t);
	OK(t, votes_put(t->s, 1, 1,
	                &(struct votes){.seat = 2, .of = {[VOTE_DRAW].stands = true}}));
	add_kept(t);
	lay_down(t);
	OK(t, in_flight_set(t->s, "mails", "", 0, 1400));
	OK(t, outage_add(t->s, &(struct outage){.from_utc = 100, .to_utc = 200}));
	OK(t, outage_add(t->s, &(struct outage){.from_utc = 200, .to_utc = 300}));
	OK(t, run_log_add(t->s, &run));
	OK(t, store_commit(t->s));
	temp_store_raw(
	    t, "UPDATE games SET origin = 1 WHERE id = 3;"
	       "UPDATE games SET origin = 2 WHERE id = 2;"
	       "UPDATE seats SET player = NULL WHERE game = 3;"
	       "INSERT INTO seat_holders VALUES (1, 1, 0, 1), (3, 1, 0, 7), (3, 2, 0, 8)");
}

Test(store_fsck, a_sound_database_has_nothing_to_report)
{
	struct temp_store t;
	struct seen seen;

	temp_store_open(&t);
	seen = check(&t, NULL);
	cr_assert_eq(seen.others, 0, "empty: %s", seen.first);
	fill(&t);
	seen = check(&t, NULL);
	cr_assert_eq(seen.others, 0, "%s", seen.first);
	/* But for two that look at a file, and the one that looks at its triggers. */
	cr_assert_null(fsck_name(seen.steps + (on_postgresql() ? 3 : 0)), "all were run");
	temp_store_close(&t);
}

/*
 * What breaks each invariant, one statement or a few. Several may break others along the way.
 */
static const struct planted {
	const char *name, *sql;
} planted[] = {
    {"the file is sound",
     "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM"
     " sqlite_schema WHERE name = 'audit_by_game') WHERE name = 'games_by_status';"
     "PRAGMA schema_version = 1000"},
    {"references lead to rows", "UPDATE seats SET player = 99 WHERE game = 2 AND seat = 1"},
    {"one row names the server", "DELETE FROM server"},
    {"a forgotten player has neither address nor name",
     "UPDATE players SET forgotten = 1 WHERE id = 12"},
    {"a forgotten player has neither address nor name",
     "UPDATE players SET name = 'Gone' WHERE id = 13"},
    {"an address belongs to one player",
     "UPDATE players SET address = 'SECOND@example.org' WHERE id = 5"},
    {"a forgotten player has no further addresses", "UPDATE player_addresses SET player = 13"},
    {"a question comes from a mail that was taken in",
     "UPDATE confirmations SET mail = 44 WHERE id = 1"},
    {"nobody who is forgotten is asked anything",
     "UPDATE confirmations SET player = 13 WHERE id = 1"},
    {"a question both ends have agreed to is no longer asked",
     "UPDATE confirmations SET player_yes = 1, address_yes = 1 WHERE id = 1"},
    {"a question both ends have agreed to is no longer asked",
     "UPDATE confirmations SET player_yes = 1 WHERE id = 2"},
    {"a held mail that names a seat names its game",
     "UPDATE confirmations SET game = NULL WHERE id = 2"},
    {"a question is asked by mails to its player and of its kind, or to its seat",
     "UPDATE confirmation_mails SET confirmation = 1"},
    {"a question is asked by mails to its player and of its kind, or to its seat",
     "UPDATE outbox SET kind = 'question-also' WHERE kind = 'question-mail'"},
    {"reply addresses are declared void up to a mail to that seat",
     "UPDATE revocations SET outbox = 3 WHERE game = 1"},
    {"a game's serial is that of its newest turn", "UPDATE games SET serial = 2 WHERE id = 1"},
    {"a game has an end exactly when it is over, cancelled or abandoned",
     "UPDATE games SET ended_utc = 0 WHERE id = 3"},
    {"a game has a start exactly when it no longer gathers",
     "UPDATE games SET started_utc = 5 WHERE id = 2"},
    {"a gathering game has no turns", "UPDATE games SET status = 0 WHERE id = 1"},
    {"a running game has exactly one turn that is not reported, its newest",
     "UPDATE turns SET state = 3 WHERE game = 1"},
    {"a running game has exactly one turn that is not reported, its newest",
     "UPDATE turns SET state = 2 WHERE game = 1 AND serial = 0"},
    {"a game that is over has no unfinished turn",
     "UPDATE turns SET state = 2 WHERE game = 3 AND serial = 1"},
    {"a game is paused exactly since some time",
     "UPDATE games SET paused_utc = 5 WHERE id = 1"},
    {"a game is paused exactly since some time", "UPDATE games SET status = 2 WHERE id = 1"},
    {"only a game that is over was ended by a vote, for seats it has",
     "UPDATE games SET agreed = 1 WHERE id = 1"},
    {"only a game that is over was ended by a vote, for seats it has",
     "UPDATE games SET agreed = 8 WHERE id = 3"},
    {"a game begins by the time it was given", "UPDATE games SET start_utc = 9 WHERE id = 1"},
    {"nobody who is forgotten is master of a game",
     "UPDATE games SET master = 13 WHERE id = 1"},
    {"a turn was broken off while it was open, and never the set-up",
     "UPDATE turns SET dropped_utc = 2000 WHERE game = 1 AND serial = 1"},
    {"a turn was broken off while it was open, and never the set-up",
     "UPDATE turns SET dropped_utc = 2000 WHERE game = 3 AND serial = 0"},
    {"nobody votes in the set-up", "UPDATE votes SET serial = 0"},
    {"the seals of votes open", "UPDATE votes SET revision = 7"},
    {"a hold has a reason and an author", "UPDATE games SET held_by = 'x' WHERE id = 1"},
    {"a hold has a reason and an author",
     "UPDATE games SET sealed_held_reason = NULL WHERE id = 4"},
    {"a record has lines exactly when it has a head",
     "UPDATE games SET record_lines = 0 WHERE id = 3"},
    {"a game has the rows that say where it comes from",
     "UPDATE games SET origin = 0 WHERE id = 2"},
    {"a game has the rows that say where it comes from",
     "UPDATE games SET origin = 1 WHERE id = 1"},
    {"a game that was taken over has ended and nobody sits in it",
     "UPDATE seats SET player = 1 WHERE game = 3 AND seat = 1"},
    {"a game that was taken over has ended and nobody sits in it",
     "UPDATE games SET status = 1, ended_utc = 0 WHERE id = 3"},
    {"a game goes on from a turn of another one that has a result",
     "UPDATE forks SET serial = 7"},
    {"the seals of archives taken over open", "UPDATE imports SET sealed_archive = x'00'"},
    {"the seals of positions that games go on from open",
     "UPDATE forks SET sealed_position = (SELECT sealed_archive FROM imports)"},
    {"only a private game has a key", "UPDATE games SET join_key = zeroblob(32) WHERE id = 2"},
    {"seats count from 1 without a gap", "DELETE FROM seats WHERE game = 2 AND seat = 1"},
    {"a game has no more seats than it is played with",
     "UPDATE games SET nseats = 2 WHERE id = 2"},
    {"every seat of a game that has begun is taken for certain",
     "UPDATE seats SET confirmed = 0 WHERE game = 1 AND seat = 1"},
    {"a bot is no player", "UPDATE seats SET bot_level = 1 WHERE game = 1 AND seat = 1"},
    {"a seat that can be taken over has no player and is in a game under way",
     "UPDATE seats SET vacated_utc = 9, former = 1 WHERE game = 1 AND seat = 1"},
    {"a seat that can be taken over has no player and is in a game under way",
     "UPDATE seats SET vacated_utc = 9, former = 1, player = NULL WHERE game = 2 AND seat = 1"},
    {"a seat in a running game has a player or a bot, or can be taken over",
     "UPDATE seats SET player = NULL WHERE game = 1 AND seat = 1"},
    {"a seat that can be taken over has been lost by somebody",
     "UPDATE seats SET vacated_utc = 9, player = NULL WHERE game = 1 AND seat = 1"},
    {"nobody is excused from more turns than they have missed",
     "UPDATE seats SET excused_all = 1 WHERE game = 1 AND seat = 1"},
    {"names in a game are different", "UPDATE seats SET name = 'Name1' WHERE game = 1"},
    {"turns count from 0 without a gap", "UPDATE turns SET serial = 5 WHERE game = 1 AND"
                                         " serial = 1"},
    {"a turn starts from an earlier one that has a result",
     "UPDATE turns SET parent = 1 WHERE game = 1 AND serial = 1"},
    {"a turn starts from an earlier one that has a result",
     "DELETE FROM results WHERE game = 1 AND serial = 0"},
    {"a turn has a digest of its orders exactly when it is no longer open",
     "UPDATE turns SET orders_hash = NULL WHERE game = 1 AND serial = 0"},
    {"a turn has a digest of its orders exactly when it is no longer open",
     "UPDATE turns SET orders_hash = zeroblob(32) WHERE game = 1 AND serial = 1"},
    {"a turn has a time of sealing exactly when it is no longer open",
     "UPDATE turns SET sealed_utc = 9 WHERE game = 1 AND serial = 1"},
    {"a turn has a result exactly when it is resolved",
     "DELETE FROM results WHERE game = 3 AND serial = 1"},
    {"the clock of a turn stands exactly when its game stands",
     "UPDATE turns SET stopped = 1 WHERE game = 1 AND serial = 1"},
    {"the clock of a turn stands exactly when its game stands",
     "UPDATE turns SET stopped = 0 WHERE game = 4 AND serial = 1"},
    {"a turn knows who has sent orders",
     "UPDATE turns SET have = 7 WHERE game = 1 AND serial = 1"},
    {"a turn knows who has sent orders",
     "UPDATE turns SET have = 1 WHERE game = 1 AND serial = 1"},
    {"a turn asks only seats that exist",
     "UPDATE turns SET owes = 15 WHERE game = 1 AND serial = 1"},
    {"grace ends after the deadline it follows",
     "UPDATE turns SET grace_utc = deadline_utc WHERE game = 1 AND serial = 1"},
    {"grace ends after the deadline it follows",
     "UPDATE turns SET grace_utc = 9999, deadline_utc = 0 WHERE game = 1 AND serial = 1"},
    {"only a turn with a deadline has reminders",
     "UPDATE turns SET remind_utc = 9 WHERE game = 1 AND serial = 0"},
    {"only a turn that was opened for orders waits for second thoughts",
     "UPDATE turns SET settle_utc = 9 WHERE game = 1 AND serial = 0"},
    {"only a turn that was opened for orders waits for second thoughts",
     "UPDATE turns SET settle_utc = opened_utc - 1 WHERE game = 1 AND serial = 1"},
    {"a reminder went to a seat that owed orders, before its time was up",
     "UPDATE turns SET owes = 1 WHERE game = 1 AND serial = 1"},
    {"a reminder went to a seat that owed orders, before its time was up",
     "UPDATE reminders SET sent_utc = deadline_utc + 1"},
    {"of a reminder there is a mail",
     "UPDATE outbox SET kind = 'notice' WHERE kind = 'reminder'"},
    {"an enclosed mail is one of the outbox, to its player and about its game, that is not sent",
     "UPDATE outbox SET state = 4 WHERE message_id = '<k1@test>'"},
    {"an enclosed mail is one of the outbox, to its player and about its game, that is not sent",
     "UPDATE enclosed_mails SET player = 2 WHERE due_utc IS NULL"},
    {"an enclosed mail is brought by a later one to the same player, its game's or a digest",
     "UPDATE enclosed_mails SET brought_by = 1 WHERE due_utc IS NULL"},
    {"nothing waits for a forgotten player",
     "UPDATE enclosed_mails SET player = 13 WHERE due_utc IS NOT NULL"},
    {"a digest is a mail to its player, and every mail of the kind is one",
     "DELETE FROM digest_turns; DELETE FROM digests"},
    {"a player's digests are counted from 1",
     "DELETE FROM digest_turns; UPDATE digests SET number = 2"},
    {"a digest comes from a generation of tokens there has been",
     "UPDATE digests SET generation = 9"},
    {"a digest shows turns of games in which its player has or had a seat",
     "UPDATE digest_turns SET game = 4"},
    {"the seals of mails that wait for others open",
     "UPDATE enclosed_mails SET sealed_text = x'00112233' WHERE due_utc IS NOT NULL"},
    {"a deadline lies after the opening",
     "UPDATE turns SET deadline_utc = 1 WHERE game = 1 AND serial = 1"},
    {"no clock is given back time from before the turn was opened",
     "UPDATE turns SET credited_utc = 1 WHERE game = 1 AND serial = 1"},
    {"revisions count from 1 without a gap",
     "DELETE FROM orders WHERE game = 1 AND seat = 2 AND revision = 1"},
    {"orders belong to a seat", "DELETE FROM seats WHERE game = 1 AND seat = 3"},
    {"nobody has orders for the set-up", "UPDATE orders SET serial = 0 WHERE game = 1"},
    {"orders contribute to the draws where the game's record says so, if a mail brought them",
     "UPDATE orders SET how = 8 WHERE seat = 1"},
    {"orders come from a mail that was taken in", "UPDATE orders SET mail = 77 WHERE seat = 1"},
    {"what is laid down for a seat is its player's, in a game under way, by a mail taken in",
     "UPDATE standing_orders SET mail = 77 WHERE kind = 2"},
    {"a draft is of the open turn of its game, and of a seat without orders",
     "UPDATE standing_orders SET number = 9 WHERE kind = 0"},
    {"only a seat that owes orders is covered, by a draft or standing orders",
     "UPDATE turns SET covered = 8 WHERE game = 1 AND serial = 1"},
    {"an open turn knows which seats nobody has",
     "UPDATE turns SET vacant = 2 WHERE game = 1 AND serial = 1"},
    {"nobody is away twice at a time",
     "UPDATE absences SET until_utc = 7500 WHERE from_utc = 5000"},
    {"an absence was asked for by a mail that was taken in, of somebody who is not forgotten",
     "UPDATE absences SET mail = 77 WHERE from_utc = 5000"},
    {"the seals of what was not understood open",
     "INSERT INTO unread_clauses VALUES (1, 5, '', 1, x'00')"},
    {"the seals of what is laid down open",
     "UPDATE standing_orders SET number = 8 WHERE kind = 1"},
    {"a mail taken in is of a mailbox, a player and a game that exist",
     "UPDATE inbox SET source = 99"},
    {"a mail taken in is of a mailbox, a player and a game that exist",
     "UPDATE inbox SET player = 99"},
    {"a mail taken in is of a mailbox, a player and a game that exist",
     "UPDATE inbox SET game = 99"},
    {"a mail to send is of a player and a game that exist",
     "UPDATE outbox SET player = 99 WHERE id = 1"},
    {"a mail to send is of a player and a game that exist",
     "UPDATE outbox SET game = 99 WHERE id = 1"},
    {"a mail about a seat is about a game", "UPDATE inbox SET game = NULL"},
    {"a mail has a name and a verdict", "UPDATE inbox SET verdict = ''"},
    {"a mail is kept no longer than from its arrival on", "UPDATE inbox SET purge_utc = 1"},
    {"a mail to send has a Message-ID", "UPDATE outbox SET message_id = '' WHERE id = 1"},
    {"a mail to send has a text", "DELETE FROM outbox_messages WHERE id = 1"},
    {"a mail in words has no outline",
     "INSERT INTO outbox_outlines SELECT * FROM outbox_messages WHERE id = 1"},
    {"a game is signed with a key there is",
     "INSERT INTO keys VALUES (1, zeroblob(32), 1); UPDATE games SET key = 7 WHERE id = 1"},
    {"keys are numbered from 1 on", "INSERT INTO keys VALUES (2, zeroblob(32), 1)"},
    {"a mail whose text is no longer kept has none, and will not go out",
     "INSERT INTO outbox_proofs SELECT * FROM outbox_messages WHERE id = 1"},
    {"a mail is tried again exactly when it is neither sent nor given up",
     "UPDATE outbox SET next_try_utc = 5 WHERE id = 1"},
    {"a mail is tried again exactly when it is neither sent nor given up",
     "UPDATE outbox SET next_try_utc = NULL WHERE id = 3"},
    {"a new mail goes out at once and was never tried",
     "UPDATE outbox SET attempts = 1 WHERE id = 4"},
    {"a mail to send has an address unless its player is forgotten",
     "UPDATE outbox SET rcpt = '' WHERE id = 2"},
    {"a forgotten player's address is nowhere", "UPDATE outbox SET player = 13 WHERE id = 4"},
    {"a mail to a seat is about a turn of its game",
     "UPDATE outbox SET serial = 2 WHERE id = 2"},
    {"a mail to a seat is about a turn of its game", "UPDATE outbox SET game = NULL"},
    {"the mails of a seat have different numbers", "UPDATE outbox SET number = 1 WHERE id = 2"},
    {"a player's mails have left in order",
     "UPDATE outbox SET state = 4, next_try_utc = NULL WHERE id = 2;"
     "UPDATE outbox SET state = 2, next_try_utc = 9, attempts = 1 WHERE id = 1"},
    {"a failed attempt is that of a mail which was tried",
     "INSERT INTO outbox_failures (mail, at_utc, state, answer) VALUES (1, 7, 2, 'no')"},
    {"what is to follow from a refusal is that of a mail to a player that was given up",
     "UPDATE outbox SET refused = 3 WHERE id = 4"},
    {"a mail that was put aside is not tried again",
     "UPDATE outbox SET decided = 1 WHERE id = 4"},
    {"a forgotten player's mails hold no answer of a server",
     "UPDATE outbox SET player = 13, answer = 'no such user' WHERE id = 4"},
    {"a mail to send answers one that was taken in",
     "UPDATE outbox SET cause = 55 WHERE id = 1"},
    {"an address that mail came back from is a player's",
     "UPDATE bounced_addresses SET player = 13"},
    {"an address that is paused has no other in its place",
     "UPDATE bounced_addresses SET instead = 'x@example.org'"},
    {"an address used in the place of another is the same player's",
     "UPDATE bounced_addresses SET paused_utc = 0, instead = 'somebody@else.example'"},
    {"a mail that came back went to a player and was reported by a mail taken in or refused",
     "UPDATE bounced_mails SET inbox = 55"},
    {"a mail that came back went to a player and was reported by a mail taken in or refused",
     "UPDATE bounced_mails SET outbox = 4"},
    {"a seat that could not be reached is in a game that has begun",
     "UPDATE unreachable_seats SET game = 2"},
    {"a message was written in a turn of its game, by a mail that was taken in",
     "UPDATE press SET serial = 2 WHERE id = 1"},
    {"a message was written in a turn of its game, by a mail that was taken in",
     "UPDATE press SET mail = 55 WHERE id = 3"},
    {"a message waits for seats that exist, and not for its writer's",
     "UPDATE press SET seats = 8 WHERE id = 1"},
    {"a message waits for seats that exist, and not for its writer's",
     "UPDATE press SET seats = 5 WHERE id = 1"},
    {"what has been delivered waits for nobody", "UPDATE press SET seats = 2 WHERE id = 3"},
    {"only grey press comes unnamed", "UPDATE press SET unnamed = 1 WHERE id = 1"},
    {"nothing waits in a game that was played to its end",
     "UPDATE press SET game = 3 WHERE id = 2"},
    {"only games that take observers have any",
     "UPDATE press_rules SET observers = 2 WHERE game = 3"},
    {"nobody who is forgotten observes a game", "UPDATE observers SET player = 13"},
    {"who sits in a game under way is the last holder of the seat",
     "UPDATE seat_holders SET player = 2 WHERE game = 1"},
    {"only a game that has ended is counted", "UPDATE games SET counted = -1 WHERE id = 1"},
    {"standings are of a game that is counted and of somebody who sat in it",
     "UPDATE standings SET player = 9 WHERE place = 1"},
    {"standings are of a game that is counted and of somebody who sat in it",
     "UPDATE games SET counted = 0 WHERE id = 3"},
    {"nobody has won more games than they have played, nor missed more turns",
     "UPDATE ratings SET wins = 2"},
    {"what is played again has ended", "UPDATE rematches SET of = 1"},
    {"nobody who is forgotten waits for a game or is asked into one",
     "UPDATE waiting SET player = 13"},
    {"nobody who is forgotten waits for a game or is asked into one",
     "UPDATE invitations SET player = 13"},
    {"only a master who has to ask has acted without the others",
     "UPDATE games SET unrated = 1 WHERE id = 1"},
    {"a motion is of a turn that there is",
     "INSERT INTO motions VALUES (1, 99, 'terminate', 0, 0, 0, 5, 1, 0)"},
    {"a nudge is of a turn and a seat that there are",
     "INSERT INTO nudges VALUES (1, 99, 1, 5)"},
    {"nobody is thanked for a game that goes on", "INSERT INTO thanks VALUES (1, 1, 2, 5)"},
    {"the triggers are those of this program",
     "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
     " replace(sql, 'player IS NOT NULL', 'plax IS NOT NULL') WHERE name = 'games_first_holders'"},
    {"only a game that gathers players asks whether they are there",
     "UPDATE games SET ready_until_utc = 5 WHERE id = 1"},
    {"a co-master has a seat", "UPDATE seats SET resigned = 1 WHERE game = 1 AND seat = 1;"
                               "UPDATE seats SET co_master = 1 WHERE game = 1 AND seat = 1"},
    {"an invitation is by the mail that asks",
     "INSERT INTO invites VALUES (1, randomblob(16), 1, 1, 5, 0)"},
    {"an entry about a seat is about a game", "UPDATE audit SET game = NULL"},
    {"a run ends after it began", "UPDATE runs SET ended_utc = 0"},
    {"an outage ends after it began", "UPDATE outages SET to_utc = from_utc WHERE id = 1"},
    {"no time is an outage of the same kind twice",
     "UPDATE outages SET to_utc = to_utc + 200 WHERE id = 1"},
    {"what is in hand is of a known kind", "UPDATE in_flight SET kind = 'cheese'"},
    {"the seals of secrets open", "UPDATE games SET secret_hash = randomblob(32) WHERE id = 1"},
    {"the seals of holds open", "UPDATE games SET sealed_held_reason = x'00' WHERE id = 4"},
    {"the seals of result digests open",
     "UPDATE results SET sealed_hash = sealed_state WHERE game = 1"},
    {"the seals of positions open",
     "UPDATE results SET sealed_state = sealed_chance WHERE game = 1"},
    {"the seals of draws open", "UPDATE results SET sealed_chance = x'00' WHERE game = 1"},
    {"the seals of what joins contribute open",
     "UPDATE seats SET sealed_contribution = x'00' WHERE game = 1 AND seat = 1"},
    {"the seals of what joins of games to come contribute open",
     "INSERT INTO joins VALUES (1, 5, 1, 1, 1, '', '', x'00')"},
    {"the seals of what bots have drawn open",
     "UPDATE orders SET sealed_drawn = x'00' WHERE seat = 1"},
    {"the seals of orders open", "UPDATE orders SET received_utc = 5 WHERE seat = 1"},
    {"the seals of mail details open", "UPDATE inbox SET sealed_detail = randomblob(60)"},
    {"the seals of quarantined mails open", "UPDATE quarantine SET sealed_raw = x''"},
    {"the seals of messages open", "UPDATE press SET seat = 2 WHERE id = 1"},
    {"the seals of held mails open", "UPDATE confirmations SET mail = 2 WHERE id = 2"},
    {"the seals of mails to send open",
     "UPDATE outbox_messages SET sealed_message ="
     " (SELECT sealed_message FROM outbox_messages WHERE id = 2) WHERE id = 1"},
    {"the seals of outlines open",
     "INSERT INTO outbox_outlines SELECT * FROM outbox_messages WHERE id = 1;"
     " DELETE FROM outbox_messages WHERE id = 1"},
    {"the seals of what is left of old mails open",
     "INSERT INTO outbox_proofs SELECT * FROM outbox_messages WHERE id = 1;"
     " DELETE FROM outbox_messages WHERE id = 1"},
};

enum { PLANTED = sizeof(planted) / sizeof(planted[0]) };

Test(store_fsck, each_planted_violation_is_found_by_name, .timeout = 600)
{
	for (size_t i = 0; i < PLANTED; i++) {
		struct temp_store t;
		struct seen seen;

		if (on_postgresql() && (strstr(planted[i].sql, "PRAGMA") ||
		                        strcmp(planted[i].name, fsck_name(1)) == 0))
			continue; /* of a file */
		temp_store_open(&t);
		fill(&t);
		temp_store_raw(&t, planted[i].sql);
		seen = check(&t, planted[i].name);
		cr_assert_gt(seen.hits, 0, "%s is not found after: %s (but: %s)",
		             planted[i].name, planted[i].sql, seen.first);
		temp_store_close(&t);
	}
}

Test(store_fsck, no_invariant_is_without_a_test)
{
	for (unsigned i = 0; fsck_name(i); i++) {
		bool tested = false;

		for (size_t k = 0; k < PLANTED; k++)
			tested = tested || strcmp(planted[k].name, fsck_name(i)) == 0;
		cr_assert(tested, "%s", fsck_name(i));
	}
}

/* -------------------------------------------------------------------- dump */

Test(store_dump, it_shows_what_is_sealed_and_hides_what_differs_by_chance)
{
	struct temp_store t;
	struct strbuf out = STRBUF_INIT;

	temp_store_open(&t);
	fill(&t);
	OK(&t, store_dump(t.s, &out));
	cr_assert(strstr(out.ptr, " text=POPUP 2\\n\n"));
	cr_assert(strstr(out.ptr, " state=position after 0\\n chance=die = 1\\n\n"));
	cr_assert(strstr(out.ptr, " held_reason=reason "));
	cr_assert(strstr(out.ptr, " detail=detail "));
	cr_assert(strstr(out.ptr, " message=Subject: mail m4\\x0d\\n"));
	cr_assert(strstr(out.ptr, " mail=17.host "));
	cr_assert(strstr(out.ptr, " archive=archive of W17\n"));
	cr_assert(strstr(out.ptr, " position=end\n"));
	cr_assert(strstr(out.ptr, " text=subject\\nPOPUP 7\n"));
	cr_assert(strstr(out.ptr, "player_addresses address=second@example.org player=1 "));
	cr_assert(strstr(out.ptr, "revocations game=1 seat=1 upto=<m2@test>\n"));
	cr_assert_null(strstr(out.ptr, "in_flight"));
	cr_assert_null(strstr(out.ptr, "attempts"));
	strbuf_release(&out);
	temp_store_close(&t);
}

Test(store_dump, the_same_history_gives_the_same_dump_however_it_was_cut)
{
	struct temp_store a, b;
	struct strbuf da = STRBUF_INIT, db = STRBUF_INIT;
	struct run_log run = {.started_utc = 5, .ended_utc = 6};
	struct outbox_mail m;

	temp_store_open(&a);
	temp_store_open(&b);
	fill(&a);
	fill(&b);
	OK(&b, store_begin(b.s));
	OK(&b, run_log_add(b.s, &run));
	OK(&b, in_flight_clear(b.s));
	OK(&b, outbox_by_message_id(b.s, SPAN_LIT("<m1@test>"), b.arena, &m));
	m.attempts = 7;
	m.answer = SPAN_LIT("busy");
	OK(&b, outbox_mark(b.s, &m));
	OK(&b, store_commit(b.s));
	OK(&a, store_dump(a.s, &da));
	OK(&b, store_dump(b.s, &db));
	cr_assert_str_eq(da.ptr, db.ptr);
	OK(&b, store_begin(b.s));
	temp_orders(&b, 1, 1, 2, "POPUP 4\n");
	OK(&b, store_commit(b.s));
	strbuf_clear(&db);
	OK(&b, store_dump(b.s, &db));
	cr_assert_str_neq(da.ptr, db.ptr);
	strbuf_release(&da);
	strbuf_release(&db);
	temp_store_close(&a);
	temp_store_close(&b);
}
