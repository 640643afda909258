/*
 * test_span.c - borrowed bytes and how lines, words and fields come off them.
 */
#include <criterion/criterion.h>

#include "processor/base/span.h"

static bool is(struct span s, const char *text)
{
	return span_eq_str(s, text);
}

Test(span, the_empty_span_is_safe_everywhere)
{
	struct span e = SPAN_EMPTY, rest = SPAN_EMPTY, piece;

	cr_assert(span_eq(e, SPAN_LIT("")));
	cr_assert(span_eq_str(e, "") && span_eq_nocase(e, "") && span_starts(e, ""));
	cr_assert(span_starts_nocase(e, ""));
	cr_assert(span_eq(span_of(NULL), e));
	cr_assert_eq(span_slice(e, 1, 9).len, 0);
	cr_assert_eq(span_trim(e).len, 0);
	cr_assert_eq(span_cmp(e, SPAN_LIT("")), 0);
	cr_assert_eq(span_find_char(e, 'x'), 0);
	cr_assert_eq(span_find(e, SPAN_LIT("x")), 0);
	cr_assert_not(span_next_line(&rest, &piece));
	cr_assert_not(span_next_word(&rest, ",", &piece));
	cr_assert_not(span_next_field(&rest, ',', &piece));
}

Test(span, a_slice_is_clipped_to_what_is_there)
{
	struct span s = SPAN_LIT("whack");

	cr_assert(is(span_slice(s, 1, 3), "ha"));
	cr_assert(is(span_slice(s, 3, 99), "ck"));
	cr_assert(is(span_slice(s, 9, 99), ""));
	cr_assert(is(span_slice(s, 3, 1), ""));
}

Test(span, comparisons_know_case_only_for_ascii_letters)
{
	cr_assert(span_eq_nocase(SPAN_LIT("PopUp"), "pOPuP"));
	cr_assert_not(span_eq_nocase(SPAN_LIT("popup"), "popups"));
	cr_assert_not(span_eq_nocase(SPAN_LIT("["), "{"));
	cr_assert_not(span_eq_nocase(SPAN_LIT("\xc3\xa4"), "\xc3\x84"));
	cr_assert(span_starts_nocase(SPAN_LIT("POPUP 3"), "popup"));
	cr_assert_not(span_starts_nocase(SPAN_LIT("POP"), "popup"));
	cr_assert(span_starts(SPAN_LIT("popup 3"), "popup"));
	cr_assert_not(span_starts(SPAN_LIT("Popup 3"), "popup"));
	cr_assert_not(span_eq(SPAN_LIT("a\0b"), SPAN_LIT("a\0c")));
}

Test(span, a_prefix_sorts_before_the_longer_text)
{
	cr_assert_lt(span_cmp(SPAN_LIT("mole"), SPAN_LIT("moles")), 0);
	cr_assert_gt(span_cmp(SPAN_LIT("moles"), SPAN_LIT("mole")), 0);
	cr_assert_eq(span_cmp(SPAN_LIT("mole"), SPAN_LIT("mole")), 0);
	cr_assert_gt(span_cmp(SPAN_LIT("\xff"), SPAN_LIT("a")), 0, "bytes compare unsigned");
}

Test(span, finding_gives_the_first_place_or_the_end)
{
	struct span s = SPAN_LIT("abababc");

	cr_assert_eq(span_find_char(s, 'b'), 1);
	cr_assert_eq(span_find_char(s, 'x'), s.len);
	cr_assert_eq(span_find(s, SPAN_LIT("ababc")), 2);
	cr_assert_eq(span_find(s, SPAN_LIT("c")), 6);
	cr_assert_eq(span_find(s, SPAN_LIT("")), 0);
	cr_assert_eq(span_find(s, SPAN_LIT("cc")), s.len);
	cr_assert_eq(span_find(s, SPAN_LIT("abababcd")), s.len);
}

Test(span, lines_end_with_lf_or_crlf_and_the_last_may_lack_both)
{
	struct span rest = SPAN_LIT("one\r\n\ntwo\rthree\nlast"), line;

	cr_assert(span_next_line(&rest, &line) && is(line, "one"));
	cr_assert(span_next_line(&rest, &line) && is(line, ""));
	cr_assert(span_next_line(&rest, &line) && is(line, "two\rthree"));
	cr_assert(span_next_line(&rest, &line) && is(line, "last"));
	cr_assert_not(span_next_line(&rest, &line));
	rest = SPAN_LIT("\n");
	cr_assert(span_next_line(&rest, &line) && is(line, ""));
	cr_assert_not(span_next_line(&rest, &line));
}

Test(span, words_are_split_at_blanks_and_separators)
{
	struct span rest = SPAN_LIT(" ,popup\t3;whack,,5 "), word;

	cr_assert(span_next_word(&rest, ",;", &word) && is(word, "popup"));
	cr_assert(span_next_word(&rest, ",;", &word) && is(word, "3"));
	cr_assert(span_next_word(&rest, ",;", &word) && is(word, "whack"));
	cr_assert(span_next_word(&rest, ",;", &word) && is(word, "5"));
	cr_assert_not(span_next_word(&rest, ",;", &word));
	rest = (struct span){"a\0b", 3};
	cr_assert(span_next_word(&rest, ",", &word) && word.len == 3, "NUL separates nothing");
	rest = SPAN_LIT("a,b");
	cr_assert(span_next_word(&rest, NULL, &word) && is(word, "a,b"));
}

Test(span, fields_may_be_empty_and_a_last_separator_makes_one_more)
{
	struct span rest = SPAN_LIT("a,,b,"), field;

	cr_assert(span_next_field(&rest, ',', &field) && is(field, "a"));
	cr_assert(span_next_field(&rest, ',', &field) && is(field, ""));
	cr_assert(span_next_field(&rest, ',', &field) && is(field, "b"));
	cr_assert(span_next_field(&rest, ',', &field) && is(field, ""));
	cr_assert_not(span_next_field(&rest, ',', &field));
	rest = SPAN_LIT("");
	cr_assert(span_next_field(&rest, ',', &field) && is(field, ""));
	cr_assert_not(span_next_field(&rest, ',', &field));
}

Test(span, trimming_takes_blanks_and_line_ends_from_both_ends)
{
	cr_assert(is(span_trim(SPAN_LIT(" \t a b \r\n")), "a b"));
	cr_assert(is(span_trim(SPAN_LIT(" \r\n\t ")), ""));
}

Test(span, its_bytes_of_one_kind_are_counted_wherever_they_stand)
{
	unsigned char bytes[40];
	static const char kinds[] = {'\n', '\0', 'a', (char)0x80, (char)0xff, 0x7f, 0x01};

	for (size_t k = 0; k < sizeof(kinds); k++)
		for (unsigned seed = 0; seed < 2000; seed++) {
			size_t len = seed % sizeof(bytes), n = 0;

			for (size_t i = 0; i < len; i++) {
				unsigned mixed = (seed * 2654435761u + (unsigned)i * 40503u) >>
				                 7;

				bytes[i] = (unsigned char)(mixed % 3 == 0   ? kinds[k]
				                           : mixed % 3 == 1 ? kinds[k] ^ 1
				                                            : kinds[k] ^ 0x80);
				n += bytes[i] == (unsigned char)kinds[k];
			}
			cr_assert_eq(
			    span_count_char((struct span){(char *)bytes, len}, kinds[k]), n);
		}
	cr_assert_eq(span_count_char(SPAN_EMPTY, 'a'), 0);
}
