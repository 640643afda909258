/*
 * test_absences.c - when players have said they are away: the rows.
 */
#include <criterion/criterion.h>

#include "store/absences.h"
#include "tests/support/temp_store.h"

static void add(struct temp_store *t, int64_t player, int64_t from_utc, int64_t until_utc)
{
	struct absence a = {.player = player,
	                    .from_utc = from_utc,
	                    .until_utc = until_utc,
	                    .asked_utc = from_utc - 7};

	OK(t, absence_add(t->s, &a));
}

Test(store_absences, come_back_as_they_were_said)
{
	struct temp_store t;
	struct absence *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t ann = temp_player(&t, "ann@example.net"),
		bob = temp_player(&t, "bob@example.net");
	add(&t, ann, 300, 400);
	add(&t, ann, 100, 200);
	add(&t, bob, 150, 250);
	OK(&t, absence_list(t.s, ann, 0, t.arena, &list, &n));
	cr_assert_eq(n, 2);
	cr_expect(list[0].player == ann && list[0].from_utc == 100 && list[0].until_utc == 200);
	cr_expect(list[0].asked_utc == 93 && list[0].mail == 0);
	cr_expect_eq(list[1].from_utc, 300);
	OK(&t, absence_list(t.s, ann, 199, t.arena, &list, &n));
	cr_expect_eq(n, 2, "it ends after that moment");
	OK(&t, absence_list(t.s, ann, 200, t.arena, &list, &n));
	cr_expect_eq(n, 1, "the end is the first moment behind it");
	REFUSED(&t,
	        absence_add(
		    t.s, &(struct absence){.player = ann, .from_utc = 100, .until_utc = 101}),
	        ERR_EXISTS);
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}

Test(store_absences, make_room_for_another)
{
	struct temp_store t;
	struct absence *list;
	size_t n;

	temp_store_open(&t);
	OK(&t, store_begin(t.s));
	int64_t ann = temp_player(&t, "ann@example.net"),
		bob = temp_player(&t, "bob@example.net");
	add(&t, ann, 100, 200);
	add(&t, ann, 250, 260);
	add(&t, ann, 300, 400);
	add(&t, bob, 250, 260);
	OK(&t, absence_cut(t.s, ann, 150, 300));
	OK(&t, absence_list(t.s, ann, 0, t.arena, &list, &n));
	cr_assert_eq(n, 2);
	cr_expect(list[0].from_utc == 100 && list[0].until_utc == 150);
	cr_expect(list[1].from_utc == 300 && list[1].until_utc == 400);
	OK(&t, absence_list(t.s, bob, 0, t.arena, &list, &n));
	cr_expect_eq(n, 1, "it is not about others");
	OK(&t, store_commit(t.s));
	temp_store_close(&t);
}
