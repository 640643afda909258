/*
 * test_format.c - our formatting says what printf says.
 */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "processor/base/format.h"
#include "processor/base/strbuf.h"

/* Formats both ways and compares; `simple` is whether printf is needed at all. */
#define SAME(simple, ...)                                                         \
	do {                                                                      \
		struct strbuf ours = STRBUF_INIT;                                 \
		char theirs[256];                                                 \
		snprintf(theirs, sizeof(theirs), __VA_ARGS__);                    \
		strbuf_addf(&ours, __VA_ARGS__);                                  \
		cr_assert_str_eq(ours.ptr, theirs);                               \
		cr_assert_eq(ours.len, strlen(theirs));                           \
		cr_assert_eq(format_is_simple(first_of(__VA_ARGS__, 0)), simple); \
		strbuf_release(&ours);                                            \
	} while (0)

static const char *first_of(const char *fmt, ...)
{
	return fmt;
}

Test(base_format, numbers)
{
	SAME(true, "%u %u %u", 0u, 7u, UINT_MAX);
	SAME(true, "%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
	SAME(true, "%lld %lld", LLONG_MAX, LLONG_MIN);
	SAME(true, "%llu %zu", ULLONG_MAX, (size_t)12345);
	SAME(true, "%02u:%02u %04d-%02lld", 3u, 59u, 2026, 5LL);
	SAME(true, "%02d %03d %01d", -1, -1, -1);
	SAME(true, "%09u %02u", 1u, 1234u);
}

Test(base_format, texts)
{
	SAME(true, "plain");
	SAME(true, "%s%s|%c|%%", "a", "", 'x');
	SAME(true, "%.*s|%.*s|%.*s", 3, "abcdef", 0, "abc", 9, "abc");
	SAME(true, "%.*s", -1, "all of it");
}

Test(base_format, what_is_not_simple_goes_to_printf)
{
	SAME(false, "%5u|%-5u|%x", 42u, 42u, 255u);
	SAME(false, "%ld %hu", 5L, (unsigned short)7);
	SAME(false, "%10s|%-10s|%.2s", "right", "left", "cut");
	SAME(false, "%zd", (ssize_t)-3);
	SAME(false, "%03x %02X", 10u, 200u);
}

Test(base_format, a_text_with_a_nul_in_a_count_ends_there)
{
	SAME(true, "%.*s|", 5, "ab\0cd");
}
