/*
 * test_operator.c - what an operator looks at and decides: games, players, records, health.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/err.h"
#include "processor/base/file.h"
#include "processor/base/sanitized.h"
#include "tests/support/crowd.h"
#include "tests/support/scratch.h"
#include "tests/support/table.h"

enum { DAY_S = 24 * 3600 };

static void remove_file(struct testbed *s, const char *name)
{
	char *path = testbed_path(s, name);

	cr_assert_eq(unlink(path), 0, "%s", name);
	free(path);
}

/* ---- how it stands ---- */

static void expect_line(const char *text, const char *line)
{
	cr_expect(strstr(text, line), "%s is not in\n%s", line, text);
}

Test(status, tells_a_person_a_script_and_prometheus_the_same)
{
	struct testbed *s = testbed_new("status");
	struct strbuf text = STRBUF_INIT;
	char *path = testbed_path(s, "molepost.prom"), *said, words[400];

	table_begin(s, "ann bob");
	testbed_write(s, "cleo", "create whakka mole players 3");
	expect(s, "run --no-send", 0, NULL);
	testbed_wait(s, 4 * DAY_S);
	testbed_write(s, "ann", "status W1");
	said = output_of(s, "status");
	expect_line(said, "last run                      Thu 12 Mar 2026 18:");
	expect_line(said, "oldest mail to read           Mon 16 Mar 2026 18:");
	expect_line(said, "mails to send                 1\n");
	expect_line(said, "games that wait for players   1\n");
	expect_line(said, "games running                 1\n");
	expect_line(said, "turns due                     1\n");
	cr_expect_null(strstr(said, "no mail can be"), "%s", said);
	free(said);
	said = output_of(s, "status --json");
	expect_line(said, "{\"last_run_timestamp_seconds\":17733");
	expect_line(said, ",\"unsent_mails\":1,");
	expect_line(said, ",\"games_running\":1,\"games_paused\":0,");
	expect_line(said, ",\"turns_due\":1,");
	free(said);
	(void)snprintf(words, sizeof(words), "status --prometheus %s", path);
	for (unsigned i = 0; i < 2; i++) /* the second time it is there */
		expect(s, words, 0, NULL);
	cr_assert_eq(file_read(path, 1 << 16, &text, NULL), ERR_NONE);
	expect_line(text.ptr, "# TYPE molepost_turns_due gauge\nmolepost_turns_due 1\n");
	expect(s, "status --xml", 64, "status [--json | --prometheus FILE]");
	strbuf_release(&text);
	free(path);
	testbed_free(s);
}

/* It is asked for just when something is wrong. */
Test(status, tells_what_it_can_when_a_mailbox_is_gone)
{
	struct testbed *s = testbed_new("status without");
	char *from = testbed_path(s, "mail"), *to = testbed_path(s, "elsewhere");

	table_begin(s, "ann bob");
	expect(s, "status --json", 0, "\"closed_mailboxes\":0,");
	cr_assert_eq(rename(from, to), 0);
	expect_code(s, "run", 75);
	expect(s, "status", 0, "mailboxes that cannot be read 1\n");
	expect(s, "status", 0, "\nno mail can be read since     Thu 12 Mar 2026 18:00 UTC");
	expect(s, "status --json", 0, "\"closed_mailboxes\":1,");
	free(from);
	free(to);
	testbed_free(s);
}

/* ---- another program at the same mailbox ---- */

/* As a mail program does that has seen it and read nothing. */
static void take_out_of_new(const struct testbed *s)
{
	char *from = testbed_path(s, "mail/new"), *to = testbed_path(s, "mail/cur");
	DIR *stream = opendir(from);
	struct dirent *d;

	cr_assert_not_null(stream);
	while ((d = readdir(stream)) != NULL) {
		char old[600], new[600];

		if (*d->d_name == '.')
			continue;
		(void)snprintf(old, sizeof(old), "%s/%s", from, d->d_name);
		(void)snprintf(new, sizeof(new), "%s/%s:2,", to, d->d_name);
		cr_assert_eq(rename(old, new), 0);
	}
	closedir(stream);
	free(from);
	free(to);
}

Test(doctor, names_mail_that_another_program_has_taken_out_of_new)
{
	struct testbed *s = testbed_new("cur");

	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	expect(s, "doctor", 0, "All is well");
	testbed_write(s, "bob", "join W1");
	take_out_of_new(s);
	expect(s, "run", 0, NULL);
	expect(s, "doctor", 65, "1 mail lies in cur/ that no run has seen");
	expect(s, "run --reread", 0, NULL);
	expect(s, "doctor", 0, "All is well");
	expect(s, "game show W1", 0, "2/2 seats");
	testbed_free(s);
}

/* ---- whose folder it is ---- */

/* `sudo molepost run` would leave files that the owner's cron cannot write. */
Test(owner, another_user_than_the_folders_owner_makes_nothing)
{
	static const char *const commands[] = {
	    "run", "run --dry-run", "game new whakka mole players 2", "ratings rebuild"};
	struct testbed *s;
	char *before, *after;

	if (geteuid() != 0)
		cr_skip_test("only root can give a folder away");
	s = testbed_new("owner");
	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	cr_assert_eq(chown(s->dir, 65534, 65534), 0);
	before = fingerprint_of(s, ".");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		expect(s, commands[i], 78, "belongs to the user 'nobody' and this is 'root'");
	after = fingerprint_of(s, ".");
	cr_expect_str_eq(before, after);
	cr_assert_eq(chown(s->dir, 0, 0), 0);
	expect(s, "run", 0, NULL);
	free(before);
	free(after);
	testbed_free(s);
}

/* ---- games ---- */

Test(game, list_and_show_tell_what_is_going_on)
{
	struct testbed *s = testbed_new("list");

	expect(s, "game list", 0, NULL);
	table_begin(s, "ann bob");
	testbed_write(s, "cleo", "create whakka mole players 3 bots 1 next 12H");
	testbed_run(s);
	table_order(s, "ann");
	testbed_run(s);
	expect(s, "game list", 0, "W1     whakka-mole      running    2/2 seats  turn 1");
	expect(s, "game list", 0, "W2     whakka-mole      gathering  2/3 seats  not begun");
	expect(s, "game show w1", 0, "seat 2  bob                  plays, orders awaited");
	expect(s, "game show W1", 0, "seat 1  ann                  plays\n");
	expect(s, "game show 2", 0, "a turn lasts 12H");
	testbed_free(s);
}

Test(game, new_makes_one_that_people_join)
{
	struct testbed *s = testbed_new("new");

	expect(s, "game new whakka mole players 2 next 1D", 0, "W1 is open for 2 players");
	testbed_write(s, "ann", "join W1");
	testbed_write(s, "bob", "join W1");
	testbed_run(s);
	expect(s, "game show W1", 0, "operator: created");
	expect(s, "game show W1", 0, "serial 1 is open");
	testbed_free(s);
}

Test(game, new_private_is_joined_with_the_key_that_is_printed)
{
	struct testbed *s = testbed_new("private");
	char *said = output_of(s, "game new whakka mole players 2 private");
	char *key = word_behind(said, "join W1 key ");
	struct strbuf join = STRBUF_INIT;

	testbed_write(s, "bob", "join W1");
	strbuf_addf(&join, "join W1 key %s", key);
	testbed_write(s, "ann", join.ptr);
	testbed_run(s);
	expect(s, "game list", 0, "1/2 seats");
	cr_assert_not_null(strstr(testbed_last(s, "bob")->text, "private"));
	strbuf_release(&join);
	free(said);
	free(key);
	testbed_free(s);
}

Test(game, new_says_how_well_its_bots_play)
{
	struct testbed *s = testbed_new("levels");

	expect(s, "game new whakka mole players 4 bots 2 level 3", 0, "is open for 2 players");
	expect(s, "game new whakka mole players 4 bots 1", 0, "is open for 3 players");
	expect(s, "game new whakka mole players 4 bots 1 level 9", 65, "from 0 to 5");
	cr_assert_eq(
	    crowd_number(s, "SELECT count(*) FROM seats WHERE game = 1 AND bot_level = 3"), 2);
	cr_assert_eq(
	    crowd_number(s, "SELECT count(*) FROM seats WHERE game = 2 AND bot_level = 2"), 1);
	testbed_free(s);
}

Test(game, new_for_bots_alone_plays_to_its_end)
{
	struct testbed *s = testbed_new("bots");

	expect(s, "game new whakka mole players 3 bots 3", 0, "begins with the next run");
	cr_assert_eq(testbed_run(s), 0);
	expect(s, "game list", 0, "over");
	char *archive = output_of(s, "archive W1");
	cr_assert_eq(testbed_verify(s, span_of(archive)), 0);
	free(archive);
	testbed_free(s);
}

Test(game, held_still_takes_and_receipts_orders_and_seals_nothing)
{
	struct testbed *s = testbed_new("held");

	table_begin(s, "ann bob");
	expect(s, "game hold W1 quarrel", 0, "W1 is held");
	expect(s, "game hold W1", 65, "held already");
	expect(s, "game show W1", 0, "HELD by operator: quarrel");
	expect(s, "game list", 0, "HELD");
	expect(s, "doctor", 65, "W1 is held: quarrel");
	table_order(s, "ann bob");
	cr_assert_eq(testbed_run(s), 2);
	cr_assert_not_null(strstr(testbed_last(s, "ann")->text, "POPUP 3"));
	expect(s, "game show W1", 0, "serial 1 is open");
	/* Long after the deadline too. */
	testbed_wait(s, 10 * DAY_S);
	testbed_reply(s, "ann", "popup 4");
	cr_assert_eq(testbed_run(s), 1);
	expect(s, "game show W1", 0, "serial 1 is open");
	expect(s, "game resume W1", 0, "running again");
	expect(s, "game resume W1", 65, "not held");
	cr_assert_eq(testbed_run(s), 2);
	expect(s, "game show W1", 0, "serial 2 is open");
	expect(s, "doctor", 0, "All is well");
	/* It is a public act of the master. */
	char *archive = output_of(s, "archive W1");
	cr_assert_not_null(strstr(archive, "held: quarrel"), "%s", archive);
	cr_assert_eq(testbed_verify(s, span_of(archive)), 0);
	free(archive);
	testbed_free(s);
}

Test(game, held_with_a_reason_of_several_words)
{
	struct testbed *s = testbed_new("reason");
	const char *argv[] = {"game", "hold", "W1", "a quarrel about rules", NULL};
	struct ran r;

	table_begin(s, "ann bob");
	testbed_exec(s, argv, NULL, &r);
	cr_assert_eq(r.code, 0);
	ran_release(&r);
	expect(s, "game show W1", 0, "HELD by operator: a quarrel about rules");
	testbed_free(s);
}

/* ---- players ---- */

Test(player, list_and_show_by_address_or_number)
{
	struct testbed *s = testbed_new("players");

	expect(s, "player list", 0, NULL);
	table_begin(s, "ann bob");
	expect(s, "player list", 0, "1  ann@example.net");
	expect(s, "player show 2", 0, "bob@example.net");
	expect(s, "player show BOB@EXAMPLE.NET", 0, "W1     running");
	testbed_free(s);
}

Test(player, blocked_is_not_heard_until_unblocked)
{
	struct testbed *s = testbed_new("block");

	table_begin(s, "ann bob");
	expect(s, "player block bob@example.net", 0, "block done");
	expect(s, "player list", 0, "BLOCKED");
	table_order(s, "ann bob");
	cr_assert_eq(testbed_run(s), 1);
	cr_assert_eq(testbed_run(s), 0);
	expect(s, "game show W1", 0, "serial 1 is open");
	expect(s, "why m3@mua.example.net", 0, "blocked");
	expect(s, "player unblock 2", 0, "unblock done");
	table_order(s, "bob");
	cr_assert_eq(testbed_run(s), 2);
	testbed_free(s);
}

/* Everything that the database has on disk, log included. */
static bool database_has(struct testbed *s, const char *bytes)
{
	return file_has(s, "molepost.db", bytes) || file_has(s, "molepost.db-wal", bytes);
}

Test(player, forgotten_is_nowhere_in_the_database_and_keeps_the_seats_name_in_the_archive)
{
	struct testbed *s = testbed_new("forget");

	table_begin(s, "anneliese bob");
	testbed_run(s);
	cr_assert(database_has(s, "anneliese@example.net"));
	expect(s, "player forget anneliese@example.net", 65, "still has a seat in W1");
	cr_assert(database_has(s, "anneliese@example.net"));
	testbed_reply(s, "anneliese", "resign");
	testbed_reply(s, "bob", "popup 3");
	testbed_run(s);
	expect(s, "game list", 0, "over");
	expect(s, "player forget anneliese@example.net", 0, "forget done");
	cr_assert_not(database_has(s, "anneliese@example.net"));
	cr_assert_not(database_has(s, "anneliese@"));
	expect(s, "player list", 0, "forgotten");
	expect(s, "player show anneliese@example.net", 65, "no player");
	expect(s, "archive W1", 0, "anneliese");
	expect_sound(s);
	/* Whoever writes again is a new player. */
	testbed_write(s, "anneliese", "join whakka mole");
	testbed_run(s);
	expect(s, "player show anneliese@example.net", 0, "3  anneliese@example.net");
	testbed_free(s);
}

Test(player, forgotten_while_mail_waits_gets_none_of_it)
{
	struct testbed *s = testbed_new("forget waiting");

	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_run(s);
	testbed_reply(s, "ann", "resign");
	expect_code(s, "run --no-send", 0);
	expect(s, "player forget ann@example.net", 0, "forget done");
	cr_assert_not(database_has(s, "ann@example.net"));
	cr_assert_eq(testbed_run(s), 0);
	expect_sound(s);
	testbed_free(s);
}

/* Questions that are still open, their addresses and what has been asked, are gone as well. */
Test(player, forgotten_with_every_address_he_had)
{
	struct testbed *s = testbed_new("forget all");

	testbed_write(s, "ann", "create whakka mole players 2");
	testbed_write(s, "ann", "i am also anneliese@example.net");
	testbed_run(s);
	testbed_reply(s, "ann", "yes");
	testbed_reply(s, "anneliese", "yes");
	testbed_run(s);
	expect(s, "player show ann@example.net", 0, "also   anneliese@example.net");
	expect(s, "player show anneliese@example.net", 0, "1  ann@example.net");
	testbed_write(s, "anneliese", "set address annabel@example.net");
	testbed_write(s, "anneliese", "resign w1");
	testbed_run(s);
	cr_assert(database_has(s, "annabel@example.net"));
	expect(s, "player drop ann@example.net", 65, "only further addresses");
	expect(s, "player forget 1", 0, "forget done");
	cr_assert_not(database_has(s, "ann@"));
	cr_assert_not(database_has(s, "anneliese@"));
	cr_assert_not(database_has(s, "annabel@"));
	expect_sound(s);
	/* Whoever says yes now says it to nothing. */
	testbed_reply(s, "annabel", "yes");
	testbed_run(s);
	expect(s, "player list", 0, "forgotten");
	expect(s, "player show annabel@example.net", 65, "no player");
	testbed_free(s);
}

/* ---- records ---- */

static char *finished_game(struct testbed *s)
{
	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_run(s);
	testbed_reply(s, "ann", "popup 5");
	testbed_reply(s, "bob", "resign");
	testbed_run(s);
	expect(s, "game list", 0, "over");
	return output_of(s, "archive W1");
}

static void write_file(struct testbed *s, const char *name, struct span bytes)
{
	char *path = scratch_path(s->scratch, name);

	unlink(path);
	cr_assert_eq(file_create(path, bytes, NULL), ERR_NONE);
	free(path);
}

/* "verify --key X FILE" with the file in the scratch folder. */
static void expect_file(struct testbed *s, const char *words, const char *file, int code,
                        const char *text)
{
	struct strbuf all = STRBUF_INIT;

	strbuf_addf(&all, "%s %s/%s", words, s->scratch, file);
	expect(s, all.ptr, code, text);
	strbuf_release(&all);
}

Test(archive, of_a_finished_game_replays_and_verifies)
{
	struct testbed *s = testbed_new("archive");
	char *archive = finished_game(s);
	struct strbuf words = STRBUF_INIT;

	write_file(s, "w1.txt", span_of(archive));
	char *key = word_behind(archive, "\nkey "),
	     *head = word_behind(testbed_last(s, "ann")->proof, " head ");
	expect_file(s, "verify", "w1.txt", 0, "signed by key");
	strbuf_addf(&words, "verify --key %s", key);
	expect_file(s, words.ptr, "w1.txt", 0, "That is the key you gave");
	strbuf_clear(&words);
	strbuf_addf(&words, "verify --head %s", head);
	expect_file(s, words.ptr, "w1.txt", 0, "equal to the head you gave");
	expect_file(s, "replay", "w1.txt", 0, "=== W1");
	expect_file(s, "replay --turn 1", "w1.txt", 0, "(serial 1)");
	expect_file(s, "replay --turn 99", "w1.txt", 65, "no turn with serial 99");
	expect_file(s, "replay --seat 2 --states", "w1.txt", 0, "--- state ---");
	expect_file(s, "replay --seat 3", "w1.txt", 65, "has 2 seats");
	key[0] = key[0] == '0' ? '1' : '0';
	strbuf_clear(&words);
	strbuf_addf(&words, "verify --key %s", key);
	expect_file(s, words.ptr, "w1.txt", 65, "broken");
	strbuf_release(&words);
	free(archive);
	free(key);
	free(head);
	testbed_free(s);
}

Test(archive, with_a_changed_byte_or_no_archive_at_all_ends_with_65)
{
	struct testbed *s = testbed_new("changed");
	char *archive = finished_game(s);
	char *orders = strstr(archive, "POPUP 3");

	cr_assert_not_null(orders);
	orders[6] = '4';
	write_file(s, "bad.txt", span_of(archive));
	write_file(s, "none.txt", SPAN_LIT("no archive\n"));
	expect_file(s, "verify", "bad.txt", 65, "broken: line");
	expect_file(s, "replay", "bad.txt", 65, "does not hold");
	expect_file(s, "verify", "none.txt", 65, "broken");
	expect_file(s, "replay", "none.txt", 65, "replay");
	free(archive);
	testbed_free(s);
}

Test(archive, of_a_running_game_shows_only_the_public_view)
{
	struct testbed *s = testbed_new("running");

	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	testbed_run(s);
	char *archive = output_of(s, "archive W1");
	write_file(s, "w1.txt", span_of(archive));
	expect_file(s, "verify", "w1.txt", 0, "still running");
	expect_file(s, "replay", "w1.txt", 0, "(serial 1)");
	expect_file(s, "replay --seat 1", "w1.txt", 65, "still running");
	free(archive);
	testbed_free(s);
}

/* ---- fsck ---- */

/* Damage by hand: one statement, past all checks. */
static void damage(struct testbed *s, const char *sql)
{
	char *path = testbed_path(s, "molepost.db");
	sqlite3 *db = NULL;

	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL),
	             SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql,
	             sqlite3_errmsg(db));
	sqlite3_close(db);
	free(path);
}

Test(fsck, names_what_is_damaged_and_ends_with_65)
{
	static const char *const cases[][2] = {
	    {"UPDATE games SET record_head = zeroblob(32) WHERE id = 1",
	     "the stored chain head is that of the record: W1"},
	    {"UPDATE games SET sealed_secret = zeroblob(72) WHERE id = 1", "W1"},
	    {"DELETE FROM seats WHERE game = 1 AND seat = 1", "W1"},
	    {"UPDATE turns SET orders_hash = zeroblob(32) WHERE game = 1 AND serial = 1", "W1"},
	    {"UPDATE orders SET sealed_text = zeroblob(60)", "orders"},
	    {"UPDATE results SET sealed_state = zeroblob(60) WHERE serial = 1", "turn 1/1"},
	    {"UPDATE outbox SET player = 99 WHERE id = 1", "outbox"},
	};
	struct testbed *sound = testbed_new("fsck");

	table_begin(sound, "ann bob");
	table_order(sound, "ann bob");
	testbed_run(sound);
	expect_sound(sound);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct testbed *s = testbed_clone(sound);

		damage(s, cases[i][0]);
		expect(s, "fsck", 65, cases[i][1]);
		expect(s, "fsck", 65, "violations found");
		testbed_free(s);
	}
	testbed_free(sound);
}

/* ---- why ---- */

Test(why, tells_the_trail_of_mails_in_and_out_without_their_orders)
{
	struct testbed *s = testbed_new("why");

	table_begin(s, "ann bob"); /* mails 0 and 1 */
	table_order(s, "ann");     /* mail 2 */
	testbed_run(s);
	expect(s, "why m2@mua.example.net", 0, "orders (W1/1/1 #1)");
	expect(s, "why <m2@mua.example.net>", 0, "1 mail was sent because of it");
	expect(s, "why m2@mua.example.net", 0,
	       "receipt to ann@example.net, sent after 1 attempt,");
	expect(s, "why m1@mua.example.net", 0, "joined W1 as seat 2");
	struct strbuf words = STRBUF_INIT;
	strbuf_addf(&words, "why %s", testbed_last(s, "ann")->message_id);
	expect(s, words.ptr, 0, "sent by this server about W1, seat 1, serial 1");
	char *said = output_of(s, "why m2@mua.example.net");
	cr_assert_null(strstr(said, "popup"), "%s", said);
	free(said);
	strbuf_release(&words);
	testbed_free(s);
}

Test(why, tells_of_mail_that_was_sent_again_under_the_same_id)
{
	struct testbed *s = testbed_new("why twice");
	struct strbuf raw = STRBUF_INIT;

	testbed_compose(s, &(struct mail_written){.who = "ann", .text = "list"}, &raw);
	testbed_drop(s, "1.a", strbuf_span(&raw), s->now_utc);
	testbed_drop(s, "2.b", strbuf_span(&raw), s->now_utc);
	cr_assert_eq(testbed_run(s), 1);
	expect(s, "why m0@mua.example.net", 0, "duplicate (the same mail as number 1)");
	strbuf_release(&raw);
	testbed_free(s);
}

/* ---- doctor ---- */

Test(doctor, names_what_keeps_the_server_from_being_opened_and_how_to_mend_it)
{
	struct testbed *s = testbed_new("doctor");
	char *key = testbed_path(s, "molepost.key");

	cr_assert_eq(chmod(key, 0644), 0);
	expect(s, "doctor", 78, "is open to others (mode 644)");
	expect(s, "run", 78, "is open to others");
	cr_assert_eq(chmod(key, 0600), 0);
	struct testbed *t = testbed_clone(s);
	remove_file(t, "molepost.key");
	expect(t, "doctor", 65, "put the key file back from your copy");
	testbed_free(t);
	t = testbed_clone(s);
	remove_file(t, "molepost.db");
	expect(t, "doctor", 65, "molepost restore BACKUP, then: molepost run --reread");
	testbed_free(t);
	t = testbed_clone(s);
	testbed_configure(t, "zone = Europe/Brlin");
	expect(t, "doctor", 65, "Europe/Brlin is unknown here, so times are UTC");
	testbed_free(t);
	testbed_configure(s, "colour = red");
	expect(s, "doctor", 78, "correct that line; molepost.conf(5)");
	free(key);
	testbed_free(s);
}

static void rename_in(struct testbed *s, const char *from, const char *to)
{
	char *a = testbed_path(s, from), *b = testbed_path(s, to);

	cr_assert_eq(rename(a, b), 0, "%s", from);
	free(a);
	free(b);
}

/* Another key would refuse every reply address and hold every game: nothing starts with it. */
Test(key_file, of_another_server_is_refused_before_it_does_harm)
{
	struct testbed *s = testbed_new("mine"), *other = testbed_new("another");
	char *from = testbed_path(other, "molepost.key"), *to = testbed_path(s, "molepost.key");
	char *mine = scratch_path(s->scratch, "mine.key");

	table_begin(s, "ann bob");
	table_order(s, "ann bob");
	cr_assert_eq(rename(to, mine), 0);
	cr_assert_eq(rename(from, to), 0);
	expect(s, "run", 78, "the key file is not the one");
	expect(s, "doctor", 78, "to mend it: it must be the one made with this database");
	expect(s, "game list", 78, "the key file is not the one");
	cr_assert_eq(files_in(s, "mail/new"), 2);
	cr_assert_eq(rename(mine, to), 0);
	cr_assert_eq(testbed_run(s), 2);
	free(from);
	free(to);
	free(mine);
	testbed_free(s);
	testbed_free(other);
}

Test(doctor, says_how_to_see_whether_forged_results_are_taken_out)
{
	struct testbed *s = testbed_new("doctor results");

	expect(s, "doctor", 0, "a known From address is enough for orders");
	testbed_configure(s, "authserv_id = mx.example.org");
	testbed_configure(s, "known_senders = confirm");
	expect(s, "doctor", 0, "results of mx.example.org lead to a remark");
	expect(s, "doctor", 0, "Authentication-Results: mx.example.org; x-molepost-check=pass");
	expect(s, "doctor", 0, "wait for the player's yes");
	testbed_configure(s, "authentication = require");
	expect(s, "doctor", 0, "results of mx.example.org are required");
	testbed_free(s);
}

Test(doctor, looks_at_mailboxes_and_files)
{
	struct testbed *s = testbed_new("boxes");
	char *db = testbed_path(s, "molepost.db");

	rename_in(s, "mail", "gone");
	expect(s, "doctor", 65, "PROBLEM  source         there is no Maildir");
	expect(s, "doctor", 65, "to mend it: check the source line");
	rename_in(s, "gone", "mail");
	rename_in(s, "spool", "gone");
	expect(s, "doctor", 65, "PROBLEM  spool");
	rename_in(s, "gone", "spool");
	rename_in(s, "outbox", "gone");
	expect(s, "doctor", 65, "PROBLEM  sink");
	expect(s, "doctor", 65, "to mend it: check the sink line");
	rename_in(s, "gone", "outbox");
	cr_assert_eq(chmod(db, 0644), 0);
	expect(s, "doctor", 65, "chmod go= ");
	cr_assert_eq(chmod(db, 0600), 0);
	expect(s, "doctor", 0, "All is well");
	free(db);
	testbed_free(s);
}

Test(operator, fsck_and_doctor_say_what_they_looked_at_and_how_long_it_took)
{
	struct testbed *s = testbed_new("looked at");
	const char *const verbose[] = {"-v", "fsck", NULL};
	struct ran r;

	table_begin(s, "ann bob");
	expect(s, "doctor", 0, "All of this took less than a second; every row and seal");
	testbed_exec(s, verbose, NULL, &r);
	cr_expect_eq(r.code, 0);
	cr_expect(strstr(r.out.ptr,
	                 " seals, the records and positions of 1 game, all ratings. It "
	                 "took less than a second."),
	          "%s", r.out.ptr);
	ran_release(&r);
	testbed_free(s);
}

/* A kernel that has not all of the walls is no reason not to play. */
Test(operator, doctor_says_which_walls_stand_around_the_reading_of_mail)
{
	struct testbed *s = testbed_new("walls");

	if (IS_SANITIZED)
		cr_skip_test("a sanitizer needs what the walls forbid");
	expect(s, "doctor", 0, "is kept from new rights, ");
	expect_env(s, "doctor", "MOLEPOST_TEST_BREAK=no-cell", 0,
	           "parses mail is not kept from files by the wall made for that");
	expect_env(s, "doctor", "MOLEPOST_TEST_BREAK=no-cell", 0, "Landlock switched on");
	testbed_free(s);
}

Test(doctor, warns_of_a_network_file_system)
{
	struct testbed *s = testbed_new("network");

	expect_env(s, "doctor", "MOLEPOST_TEST_FS_TYPE=26985", 65,
	           "a network file system (NFS)");
	expect_env(s, "doctor", "MOLEPOST_TEST_FS_TYPE=4283649346", 65, "(CIFS)");
	expect_env(s, "doctor", "MOLEPOST_TEST_FS_TYPE=26985", 65,
	           "to mend it: move the folder to a local disk");
	expect_env(s, "doctor", "MOLEPOST_TEST_FS_TYPE=61267", 0, "All is well"); /* ext4 */
	testbed_free(s);
}

Test(doctor, notices_a_clock_that_was_set_back)
{
	struct testbed *s = testbed_new("clock");

	testbed_write(s, "ann", "list");
	testbed_run(s);
	expect(s, "doctor", 0, "the last one with work ended");
	testbed_wait(s, -DAY_S);
	expect(s, "doctor", 65, "was set back");
	expect(s, "doctor", 65, "to mend it: set the clock");
	testbed_free(s);
}

Test(doctor, counts_mail_that_nobody_could_deliver)
{
	struct testbed *s = testbed_new("dead");
	char *path;

	testbed_write(s, "ann", "list");
	expect_code(s, "run --no-send", 0);
	/* A file of that name with another text: the sink will never take this row. */
	struct strbuf name = STRBUF_INIT;
	char *instance = output_of(s, "game list");
	free(instance);
	char *conf = testbed_path(s, "molepost.conf");
	struct strbuf text = STRBUF_INIT;
	cr_assert_eq(file_read(conf, 1 << 20, &text, NULL), ERR_NONE);
	instance = word_behind(text.ptr, "\ninstance = ");
	strbuf_addf(&name, "outbox/new/%lld.Q1.%s", (long long)s->now_utc, instance);
	path = testbed_path(s, name.ptr);
	cr_assert_eq(file_create(path, SPAN_LIT("To: x\n\nanother\n"), NULL), ERR_NONE);
	expect_code(s, "run", 0);
	expect(s, "doctor", 65, "1 mail could not be delivered");
	expect(s, "doctor", 65, "outbox retry, or outbox drop");
	unlink(path);
	free(path);
	free(conf);
	free(instance);
	strbuf_release(&name);
	strbuf_release(&text);
	testbed_free(s);
}

Test(doctor, changes_nothing)
{
	struct testbed *s = testbed_new("looks only");

	table_begin(s, "ann bob");
	table_order(s, "ann");
	char *shm = testbed_path(s, "molepost.db-shm");
	unlink(shm);
	char *before = fingerprint_of(s, "");
	expect_code(s, "doctor", 0);
	expect_sound(s);
	expect_code(s, "game show W1", 0);
	expect_code(s, "player list", 0);
	unlink(shm);
	char *after = fingerprint_of(s, "");
	cr_assert_str_eq(before, after);
	free(before);
	free(after);
	free(shm);
	testbed_free(s);
}
