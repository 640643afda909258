/*
 * test_shared_turns.c - machines that play turns together write at the same time, and nobody else then.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "store/audit.h"
#include "store/engine/db.h"
#include "store/outbox.h"
#include "tests/support/temp_store.h"

/* A run and one that helps it with its turns, each with a game of its own. */
struct pair {
	struct temp_store run, help;
	int64_t player, games[2];
};

static void open_pair(struct pair *p)
{
	int64_t held_s;

	if (!on_postgresql())
		cr_skip_test("a file has one machine");
	temp_store_open(&p->run);
	OK(&p->run, store_begin(p->run.s));
	p->player = temp_player(&p->run, "ann@example.net");
	for (size_t i = 0; i < 2; i++)
		p->games[i] = temp_game(&p->run, GAME_RUNNING, 2);
	OK(&p->run, store_commit(p->run.s));
	p->help = p->run;
	p->help.s = temp_store_second(&p->run, STORE_READ_WRITE);
	OK(&p->run, store_lock(p->run.s, STORE_LOCK_RUN, &held_s));
	OK(&p->run, store_turns(p->run.s, STORE_TURNS_OPEN));
	OK(&p->help, store_turns(p->help.s, STORE_TURNS_JOIN));
}

static void close_pair(struct pair *p)
{
	store_close(p->help.s);
	temp_store_close(&p->run);
}

/* What a turn writes of new rows; the number of its mail. */
static int64_t write_turn(struct temp_store *t, const struct pair *p, unsigned game, unsigned n)
{
	char name[40];

	snprintf(name, sizeof name, "game %u mail %u", game, n);
	OK(t, audit_add(t->s, p->games[game], 0, "server", false, 2000, name));
	return temp_mail(t, name, p->player, p->games[game], 1, n);
}

Test(shared_turns, are_written_at_the_same_time)
{
	struct pair p;

	open_pair(&p);
	OK(&p.run, store_begin(p.run.s));
	int64_t first = write_turn(&p.run, &p, 0, 1);
	OK(&p.help, store_begin(p.help.s));
	int64_t second = write_turn(&p.help, &p, 1, 1);
	temp_orders(&p.run, p.games[0], 1, 1, "mole A1");
	temp_orders(&p.help, p.games[1], 1, 1, "mole A1");
	OK(&p.help, store_commit(p.help.s));
	OK(&p.run, store_commit(p.run.s));
	cr_expect_neq(first, second);
	cr_expect_eq(temp_store_number(&p.run, "SELECT count(*) FROM outbox"), 2);
	cr_expect_eq(temp_store_number(&p.run, "SELECT count(*) FROM audit"), 2);
	cr_expect_eq(temp_store_number(&p.run, "SELECT count(*) FROM orders"), 2);
	close_pair(&p);
}

/* A sender, or a command of the operator. */
Test(shared_turns, who_plays_none_waits_until_it_is_alone)
{
	struct pair p;

	open_pair(&p);
	struct temp_store other = p.run;
	other.s = temp_store_second(&p.run, STORE_READ_WRITE);
	OK(&p.run, store_begin(p.run.s));
	int64_t first = write_turn(&p.run, &p, 0, 1);
	enum err err = store_begin(other.s);
	if (err == ERR_NONE) /* met by the first question */
		err = db_exec(other.s, "SELECT 1");
	cr_expect_eq(err, ERR_BUSY);
	store_rollback(other.s);
	OK(&p.run, store_commit(p.run.s));
	OK(&other, store_begin(other.s));
	int64_t second = write_turn(&other, &p, 0, 2);
	OK(&other, store_commit(other.s));
	OK(&p.help, store_begin(p.help.s));
	int64_t third = write_turn(&p.help, &p, 1, 1);
	OK(&p.help, store_commit(p.help.s));
	cr_expect(first < second && second < third, "%lld %lld %lld", (long long)first,
	          (long long)second, (long long)third);
	store_close(other.s);
	close_pair(&p);
}

/* Each mail of a game has a higher number than those before it, whoever wrote them. */
Test(shared_turns, numbers_of_mails_go_up, .timeout = 60)
{
	struct pair p;
	int64_t last = 0;

	open_pair(&p);
	for (unsigned round = 0; round < 3; round++) {
		struct temp_store *t = round % 2 == 0 ? &p.run : &p.help;

		OK(t, store_begin(t->s));
		for (unsigned i = 0; i < 130; i++) { /* more than a block */
			int64_t id = write_turn(t, &p, 0, 130 * round + i + 1);

			cr_assert_gt(id, last);
			last = id;
		}
		OK(t, store_commit(t->s));
	}
	OK(&p.help, store_turns(p.help.s, STORE_TURNS_LEAVE));
	OK(&p.run, store_turns(p.run.s, STORE_TURNS_CLOSE));
	OK(&p.run, store_begin(p.run.s));
	cr_assert_eq(write_turn(&p.run, &p, 0, 999), last + 1);
	OK(&p.run, store_commit(p.run.s));
	close_pair(&p);
}

/* Once they have been closed, or left, a transaction is alone again. */
Test(shared_turns, end)
{
	struct pair p;

	open_pair(&p);
	OK(&p.help, store_turns(p.help.s, STORE_TURNS_LEAVE));
	OK(&p.run, store_turns(p.run.s, STORE_TURNS_CLOSE));
	OK(&p.run, store_begin(p.run.s));
	write_turn(&p.run, &p, 0, 1);
	enum err err = store_begin(p.help.s);
	if (err == ERR_NONE)
		err = db_exec(p.help.s, "SELECT 1");
	cr_expect_eq(err, ERR_BUSY);
	store_rollback(p.help.s);
	OK(&p.run, store_commit(p.run.s));
	close_pair(&p);
}

/* As in a file, where nobody shares anything. */
Test(shared_turns, without_them_mails_are_numbered_one_after_the_other)
{
	struct temp_store t;
	int64_t player, first;

	temp_store_open(&t);
	OK(&t, store_turns(t.s, STORE_TURNS_LEAVE));
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
