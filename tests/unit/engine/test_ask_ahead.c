/*
 * test_ask_ahead.c - what is asked ahead is what would have been read: of a file, and on a server after whatever
 * may have changed it in between.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "store/engine/db.h"
#include "store/players.h"
#include "tests/support/temp_store.h"

static void ask_for(struct temp_store *t, int64_t player)
{
	struct player p;

	if (!store_ask_ahead(t->s))
		return;
	store_only_asked(player_get(t->s, player, t->arena, &p));
	store_asked_ahead(t->s);
}

static void rename_to(struct store *s, int64_t player, const char *name)
{
	struct query q = db_write(s, "UPDATE players SET name = ? WHERE id = ?");

	bind_cstr(&q, name);
	bind_int(&q, player);
	cr_assert_eq(db_run(&q), ERR_NONE);
}

static void expect_name(struct temp_store *t, int64_t player, const char *name)
{
	struct player p;

	OK(t, player_get(t->s, player, t->arena, &p));
	cr_expect(span_eq_str(p.name, name), "%.*s, not %s", SPAN_ARGS(p.name), name);
}

/* Two people in a committed store. */
static void open_with(struct temp_store *t, int64_t *ann, int64_t *bob)
{
	temp_store_open(t);
	OK(t, store_begin(t->s));
	*ann = temp_player(t, "ann@example.net");
	*bob = temp_player(t, "bob@example.net");
	rename_to(t->s, *ann, "Ann");
	rename_to(t->s, *bob, "Bob");
	OK(t, store_commit(t->s));
}

Test(store_ask_ahead, the_answer_is_that_of_the_question)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	ask_for(&t, ann);
	ask_for(&t, ann);
	ask_for(&t, bob);
	expect_name(&t, bob, "Bob");
	expect_name(&t, bob, "Bob");
	expect_name(&t, ann, "Ann");
	ask_for(&t, 99);
	struct player p;
	cr_expect_eq(player_get(t.s, 99, t.arena, &p), ERR_NOT_FOUND);
	temp_store_close(&t);
}

Test(store_ask_ahead, what_is_written_after_it_counts)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	OK(&t, store_begin(t.s));
	rename_to(t.s, ann, "Anna");
	ask_for(&t, ann);
	expect_name(&t, ann, "Anna");
	ask_for(&t, ann);
	rename_to(t.s, ann, "Annette");
	expect_name(&t, ann, "Annette");
	OK(&t, store_savepoint(t.s));
	rename_to(t.s, bob, "Bert");
	ask_for(&t, bob);
	store_savepoint_rollback(t.s);
	expect_name(&t, bob, "Bob");
	ask_for(&t, ann);
	store_rollback(t.s);
	expect_name(&t, ann, "Ann");
	temp_store_close(&t);
}

/* Outside a transaction others write at any time; one that is begun must not go by what was before it. */
Test(store_ask_ahead, a_transaction_reads_nothing_from_before_it_began)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	ask_for(&t, ann);
	ask_for(&t, bob);
	expect_name(&t, bob, "Bob");
	temp_store_raw(&t, "UPDATE players SET name = 'Anna'");
	OK(&t, store_begin(t.s));
	expect_name(&t, ann, "Anna");
	ask_for(&t, bob);
	OK(&t, store_commit(t.s));
	temp_store_raw(&t, "UPDATE players SET name = 'Robert'");
	expect_name(&t, bob, "Robert");
	temp_store_close(&t);
}

/* Also when many more are asked than are sent at once. */
Test(store_ask_ahead, as_many_as_one_likes)
{
	struct temp_store t;
	int64_t ids[700];

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	for (size_t i = 0; i < 700; i++) {
		char address[40];

		snprintf(address, sizeof address, "p%zu@example.net", i);
		ids[i] = temp_player(&t, address);
	}
	for (size_t i = 0; i < 700; i++)
		ask_for(&t, ids[i]);
	for (size_t i = 0; i < 700; i++) {
		struct player p;

		OK(&t, player_get(t.s, ids[i], t.arena, &p));
		cr_assert_eq(p.id, ids[i]);
	}
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

/* The error of what was written before is not lost on a question that nobody reads. */
Test(store_ask_ahead, an_error_of_before_is_still_told)
{
	struct temp_store t;
	int64_t ann, bob;

	open_with(&t, &ann, &bob);
	OK(&t, store_begin(t.s));
	struct query q =
	    db_write(t.s, "UPDATE players SET address = 'bob@example.net' WHERE id = ?");
	bind_int(&q, ann);
	enum err err = db_run(&q);
	for (unsigned i = 0; i < 700 && err == ERR_NONE; i++)
		ask_for(&t, bob + i);
	cr_expect_neq(err == ERR_NONE ? store_commit(t.s) : err, ERR_NONE);
	store_rollback(t.s);
	expect_name(&t, ann, "Ann");
	expect_name(&t, bob, "Bob");
	temp_store_close(&t);
}
