/*
 * test_key_use.c - the server's keys, and how many games each has signed.
 */
#include <criterion/criterion.h>

#include "store/operator/key_use.h"
#include "tests/support/temp_store.h"

Test(store_key_use, games_are_counted_by_key)
{
	struct temp_store t;
	struct key_use *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_check_keys(t.s, 500));
	OK(&t, store_begin(t.s));
	int64_t live = temp_game(&t, GAME_RUNNING, 2);
	int64_t over = temp_game(&t, GAME_OVER, 2);
	OK(&t, store_commit(t.s));
	cr_assert_neq(live, over);
	OK(&t, key_use_list(t.s, t.arena, &list, &n));
	cr_assert_eq(n, 1);
	struct hash key = keyring_public_key(t.keys);
	cr_expect_eq(list[0].number, 1);
	cr_expect(hash_eq(&list[0].public_key, &key));
	cr_expect_eq(list[0].games, 2);
	cr_expect_eq(list[0].live, 1);
	cr_expect_eq(list[0].since_utc, 500);
	temp_store_close(&t);
}
