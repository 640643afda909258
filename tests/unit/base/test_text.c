/*
 * test_text.c - strbuf, the allocator and arenas.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/env.h"
#include "processor/base/strbuf.h"

Test(strbuf, starts_as_text_that_can_be_printed)
{
	struct strbuf sb = STRBUF_INIT;

	cr_assert_str_eq(sb.ptr, "");
	strbuf_clear(&sb);
	strbuf_truncate(&sb, 0);
	strbuf_add(&sb, NULL, 0);
	strbuf_add_span(&sb, SPAN_EMPTY);
	strbuf_add_repeat(&sb, 'x', 0);
	cr_assert_eq(sb.len, 0);
	strbuf_release(&sb);
	strbuf_release(&sb);
}

Test(strbuf, always_ends_in_a_nul_that_does_not_count)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < 5000; i++) {
		strbuf_addc(&sb, 'm');
		cr_assert_eq(sb.len, i + 1);
		cr_assert_eq(sb.ptr[sb.len], '\0');
	}
	strbuf_truncate(&sb, 3);
	cr_assert_str_eq(sb.ptr, "mmm");
	strbuf_add(&sb, "a\0b", 3);
	cr_assert_eq(sb.len, 6);
	cr_assert_eq(sb.ptr[6], '\0');
	strbuf_release(&sb);
	cr_assert_str_eq(sb.ptr, "");
}

Test(strbuf, formats_texts_longer_than_its_room)
{
	struct strbuf sb = STRBUF_INIT, long_text = STRBUF_INIT;

	for (size_t n = 0; n < 300; n++) {
		strbuf_clear(&long_text);
		strbuf_add_repeat(&long_text, 'y', n);
		strbuf_release(&sb);
		strbuf_addf(&sb, "<%s>%d", long_text.ptr, 7);
		cr_assert_eq(sb.len, n + 3);
		cr_assert_eq(strlen(sb.ptr), sb.len);
		cr_assert_eq(sb.ptr[sb.len - 1], '7');
	}
	strbuf_release(&sb);
	strbuf_release(&long_text);
}

Test(strbuf, writes_hex_in_lower_case)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_add_hex(&sb, "\x00\x0f\xa5\xff", 4);
	cr_assert_str_eq(sb.ptr, "000fa5ff");
	strbuf_release(&sb);
}

Test(strbuf, hands_its_text_over_and_is_empty_after)
{
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	char *text;

	strbuf_adds(&a, "mole");
	strbuf_swap(&a, &b);
	cr_assert_str_eq(b.ptr, "mole");
	cr_assert_eq(a.len, 0);
	text = strbuf_detach(&b);
	cr_assert_str_eq(text, "mole");
	free(text);
	text = strbuf_detach(&b);
	cr_assert_str_eq(text, "");
	free(text);
	cr_assert_eq(strbuf_span(&b).len, 0);
}

Test(strbuf, cutting_to_more_than_there_is_is_a_bug, .signal = SIGABRT)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_truncate(&sb, 1);
}

Test(alloc, grows_to_what_is_needed_and_keeps_what_was_there)
{
	size_t cap = 0;
	int *items = xgrow(NULL, &cap, 1, sizeof(*items));

	cr_assert_geq(cap, 1);
	for (size_t i = 0; i < 1000; i++) {
		items = xgrow(items, &cap, i + 1, sizeof(*items));
		items[i] = (int)i;
	}
	for (size_t i = 0; i < 1000; i++)
		cr_assert_eq(items[i], (int)i);
	free(items);
	free(xmalloc(0));
	free(xcalloc(0, 8));
}

Test(alloc, a_size_that_overflows_aborts, .signal = SIGABRT)
{
	size_t cap = 0;

	xgrow(NULL, &cap, SIZE_MAX / 4, 16);
}

Test(arena, gives_zeroed_aligned_memory_of_any_size)
{
	struct arena *a = arena_new();

	for (size_t size = 0; size < 6000; size += 7) {
		unsigned char *p = arena_alloc(a, size);

		cr_assert_eq((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			cr_assert_eq(p[i], 0);
		memset(p, 0xEE, size);
	}
	arena_free(a);
	arena_free(NULL);
}

Test(arena, memory_is_zero_again_after_a_clear)
{
	struct arena *a = arena_new();

	arena_clear(a);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 200; i++) {
			unsigned char *p = arena_calloc(a, 10, 13);

			for (size_t k = 0; k < 130; k++)
				cr_assert_eq(p[k], 0);
			memset(p, 0xEE, 130);
		}
		memset(arena_alloc(a, (size_t)round * 100000), 0xEE, (size_t)round * 100000);
		arena_clear(a);
	}
	arena_free(a);
}

Test(arena, objects_do_not_overlap)
{
	struct arena *a = arena_new();
	char *texts[500];

	for (int i = 0; i < 500; i++)
		texts[i] = arena_printf(a, "text %d of %s", i, "many");
	for (int i = 0; i < 500; i++) {
		struct strbuf expected = STRBUF_INIT;

		strbuf_addf(&expected, "text %d of many", i);
		cr_assert_str_eq(texts[i], expected.ptr);
		strbuf_release(&expected);
	}
	arena_free(a);
}

Test(arena, copies_end_in_nul)
{
	struct arena *a = arena_new();
	struct span copy = arena_dup(a, span_slice(SPAN_LIT("moles"), 0, 4));

	cr_assert(span_eq_str(copy, "mole"));
	cr_assert_eq(copy.ptr[4], '\0');
	cr_assert_str_eq(arena_cstr(a, SPAN_EMPTY), "");
	cr_assert_str_eq(arena_strdup(a, "mound"), "mound");
	arena_free(a);
}

Test(arena, a_count_that_overflows_aborts, .signal = SIGABRT)
{
	arena_calloc(arena_new(), SIZE_MAX / 2, 16);
}

Test(env, unset_and_empty_are_the_same)
{
	unsetenv("MOLEPOST_TEST_NOTHING");
	cr_assert_null(env_get("MOLEPOST_TEST_NOTHING"));
	setenv("MOLEPOST_TEST_NOTHING", "", 1);
	cr_assert_null(env_get("MOLEPOST_TEST_NOTHING"));
	setenv("MOLEPOST_TEST_NOTHING", "x", 1);
	cr_assert_str_eq(env_get("MOLEPOST_TEST_NOTHING"), "x");
}
