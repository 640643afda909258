/*
 * test_num.c - numbers from text, at their limits.
 */
#include <criterion/criterion.h>

#include "processor/base/num.h"

static bool reads_u64(const char *text, uint64_t expected)
{
	uint64_t value = expected + 1;

	return num_parse_u64(span_of(text), UINT64_MAX, &value) && value == expected;
}

static bool reads_i64(const char *text, int64_t expected)
{
	int64_t value = 0;

	return num_parse_i64(span_of(text), INT64_MIN, INT64_MAX, &value) && value == expected;
}

Test(num, reads_the_whole_range_and_no_further)
{
	uint64_t u = 7;
	int64_t i = 7;

	cr_assert(reads_u64("0", 0) && reads_u64("007", 7));
	cr_assert(reads_u64("18446744073709551615", UINT64_MAX));
	cr_assert_not(num_parse_u64(SPAN_LIT("18446744073709551616"), UINT64_MAX, &u));
	cr_assert_not(num_parse_u64(SPAN_LIT("99999999999999999999"), UINT64_MAX, &u));
	cr_assert(reads_u64("000000000000000000000000000000001", 1));
	cr_assert(reads_i64("-0", 0));
	cr_assert(reads_i64("9223372036854775807", INT64_MAX));
	cr_assert(reads_i64("-9223372036854775808", INT64_MIN));
	cr_assert(reads_i64("-9223372036854775807", -INT64_MAX));
	cr_assert_not(num_parse_i64(SPAN_LIT("9223372036854775808"), INT64_MIN, INT64_MAX, &i));
	cr_assert_not(
	    num_parse_i64(SPAN_LIT("-9223372036854775809"), INT64_MIN, INT64_MAX, &i));
	cr_assert(u == 7 && i == 7, "a refusal leaves the number alone");
}

Test(num, keeps_the_bounds_it_is_given)
{
	uint64_t u;
	int64_t i;
	unsigned n;

	cr_assert(num_parse_u64(SPAN_LIT("10"), 10, &u));
	cr_assert_not(num_parse_u64(SPAN_LIT("11"), 10, &u));
	cr_assert(num_parse_i64(SPAN_LIT("-3"), -3, 3, &i) && i == -3);
	cr_assert_not(num_parse_i64(SPAN_LIT("-4"), -3, 3, &i));
	cr_assert_not(num_parse_i64(SPAN_LIT("4"), -3, 3, &i));
	cr_assert(num_parse_uint(SPAN_LIT("4294967295"), 0, UINT32_MAX, &n) && n == UINT32_MAX);
	cr_assert_not(num_parse_uint(SPAN_LIT("4294967296"), 0, UINT32_MAX, &n));
	cr_assert_not(num_parse_uint(SPAN_LIT("1"), 2, 5, &n));
}

Test(num, takes_digits_and_nothing_else)
{
	static const char *const wrong[] = {"",    " ",   "1 ",  " 1",  "+1",
	                                    "1.0", "0x1", "1e3", "--1", "-",
	                                    "1-",  "\t1", "one", "1\n", "\xc2\xb2"};
	uint64_t u;
	int64_t i;
	unsigned n;

	for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
		cr_assert_not(num_parse_u64(span_of(wrong[k]), UINT64_MAX, &u), "%s", wrong[k]);
		cr_assert_not(num_parse_i64(span_of(wrong[k]), INT64_MIN, INT64_MAX, &i));
		cr_assert_not(num_parse_uint(span_of(wrong[k]), 0, 99, &n));
	}
	cr_assert_not(num_parse_u64(SPAN_EMPTY, UINT64_MAX, &u));
	cr_assert_not(num_parse_u64(SPAN_LIT("1\0002"), UINT64_MAX, &u));
	cr_assert_not(num_parse_u64(SPAN_LIT("-1"), UINT64_MAX, &u));
}

Test(num, reads_number_words_as_people_write_them)
{
	unsigned n = 99;

	cr_assert(num_parse_word(SPAN_LIT("Five"), 1, 9, &n) && n == 5);
	cr_assert(num_parse_word(SPAN_LIT("ZERO"), 0, 9, &n) && n == 0);
	cr_assert(num_parse_word(SPAN_LIT("twenty"), 0, 20, &n) && n == 20);
	cr_assert(num_parse_word(SPAN_LIT("17"), 0, 20, &n) && n == 17);
	cr_assert_not(num_parse_word(SPAN_LIT("ten"), 0, 9, &n));
	cr_assert_not(num_parse_word(SPAN_LIT("one"), 2, 9, &n));
	cr_assert_not(num_parse_word(SPAN_LIT("twenty-one"), 0, 99, &n));
	cr_assert_not(num_parse_word(SPAN_LIT("fiv"), 0, 99, &n));
	cr_assert_not(num_parse_word(SPAN_LIT(""), 0, 99, &n));
}

Test(num, reads_hex_of_the_very_length_only)
{
	unsigned char bytes[3] = {9, 9, 9};

	cr_assert(num_parse_hex(SPAN_LIT("00ffa5"), bytes, 3));
	cr_assert(bytes[0] == 0 && bytes[1] == 0xff && bytes[2] == 0xa5);
	cr_assert_not(num_parse_hex(SPAN_LIT("00ffa"), bytes, 3));
	cr_assert_not(num_parse_hex(SPAN_LIT("00ffa55"), bytes, 3));
	cr_assert_not(num_parse_hex(SPAN_LIT("00FFA5"), bytes, 3));
	cr_assert_not(num_parse_hex(SPAN_LIT("0xffa5"), bytes, 3));
	cr_assert_not(num_parse_hex(SPAN_LIT("00ff"), bytes, 3));
	cr_assert(num_parse_hex(SPAN_EMPTY, bytes, 0));
	cr_assert(bytes[0] == 0 && bytes[2] == 0xa5, "a refusal leaves the bytes alone");
}
