/*
 * test_utf8.c - well-formed or not, widths, names, and the plain copy of a line.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/utf8.h"

typedef void add_fn(struct strbuf *out, struct span s);

static void expect(add_fn *add, struct span in, const char *expected)
{
	struct strbuf out = STRBUF_INIT;

	add(&out, in);
	cr_assert_str_eq(out.ptr, expected);
	strbuf_release(&out);
}

#define EXPECT(add, literal, expected) expect((add), SPAN_LIT(literal), (expected))

Test(utf8, every_code_point_survives_there_and_back)
{
	for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
		struct strbuf out = STRBUF_INIT;
		struct span rest;
		uint32_t back;

		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		utf8_add(&out, cp);
		rest = strbuf_span(&out);
		cr_assert(utf8_valid(rest));
		cr_assert(utf8_next(&rest, &back));
		cr_assert_eq(back, cp);
		cr_assert_eq(rest.len, 0);
		strbuf_release(&out);
	}
}

Test(utf8, what_is_no_code_point_is_written_as_the_replacement)
{
	struct strbuf out = STRBUF_INIT;

	utf8_add(&out, 0xD800);
	utf8_add(&out, 0x110000);
	utf8_add(&out, UINT32_MAX);
	cr_assert_str_eq(out.ptr, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	strbuf_release(&out);
}

Test(utf8, ill_formed_bytes_are_refused_and_read_as_one_replacement_each)
{
	static const char *const wrong[] = {
	    "\x80",             /* a continuation alone */
	    "\xc0\x80",         /* overlong NUL */
	    "\xc1\xbf",         /* overlong */
	    "\xe0\x80\x80",     /* overlong */
	    "\xe0\x9f\xbf",     /* overlong */
	    "\xf0\x80\x80\x80", /* overlong */
	    "\xf0\x8f\xbf\xbf", /* overlong */
	    "\xed\xa0\x80",     /* surrogate */
	    "\xed\xbf\xbf",     /* surrogate */
	    "\xf4\x90\x80\x80", /* over U+10FFFF */
	    "\xf5\x80\x80\x80", /* over U+10FFFF */
	    "\xfe",
	    "\xff",
	    "\xc3", /* cut off */
	    "\xe2\x82",
	    "\xf0\x9f\x98",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct span rest = span_of(wrong[i]);
		size_t count = 0;
		uint32_t cp;

		cr_assert_not(utf8_valid(rest), "sequence %zu", i);
		for (; utf8_next(&rest, &cp); count++)
			cr_assert_eq(cp, 0xFFFD, "sequence %zu", i);
		cr_assert_eq(count, strlen(wrong[i]), "sequence %zu", i);
	}
}

Test(utf8, reading_goes_on_behind_a_bad_byte)
{
	struct span rest = SPAN_LIT("\xc3\x61\xe2\x82\xac");
	uint32_t cp;

	cr_assert(utf8_next(&rest, &cp) && cp == 0xFFFD);
	cr_assert(utf8_next(&rest, &cp) && cp == 'a');
	cr_assert(utf8_next(&rest, &cp) && cp == 0x20AC);
	cr_assert_not(utf8_next(&rest, &cp));
}

Test(utf8, the_end_of_the_span_is_the_end_of_the_text)
{
	cr_assert_not(utf8_valid((struct span){"\xe2\x82\xac", 2}));
	cr_assert(utf8_valid(SPAN_EMPTY));
	cr_assert(utf8_valid(SPAN_LIT("a\0b")));
}

Test(utf8, widths_are_columns)
{
	cr_assert_eq(utf8_width(SPAN_LIT("mole")), 4);
	cr_assert_eq(utf8_width(SPAN_LIT("M\xc3\xbcll")), 4);
	cr_assert_eq(utf8_width(SPAN_LIT("e\xcc\x81")), 1);
	cr_assert_eq(utf8_width(SPAN_LIT("\xe6\x97\xa5\xe6\x9c\xac")), 4);
	cr_assert_eq(utf8_width(SPAN_LIT("\x01\t\x7f")), 0);
	cr_assert_eq(utf8_width(SPAN_LIT("\xe2\x80\x8b")), 0);
	cr_assert_eq(utf8_width(SPAN_LIT("a\xff z")), 4);
	cr_assert_eq(utf8_width(SPAN_EMPTY), 0);
}

Test(utf8, clipping_splits_no_character_and_keeps_its_marks)
{
	struct span wide = SPAN_LIT("\xe6\x97\xa5\xe6\x9c\xac"), marks = SPAN_LIT("e\xcc\x81x");

	cr_assert_eq(utf8_clip(wide, 0).len, 0);
	cr_assert_eq(utf8_clip(wide, 1).len, 0);
	cr_assert_eq(utf8_clip(wide, 2).len, 3);
	cr_assert_eq(utf8_clip(wide, 3).len, 3);
	cr_assert_eq(utf8_clip(wide, 9).len, 6);
	cr_assert_eq(utf8_clip(marks, 1).len, 3);
	cr_assert_eq(utf8_clip(SPAN_EMPTY, 3).len, 0);
}

Test(utf8, composes_what_was_typed_apart)
{
	EXPECT(utf8_add_nfc, "e\xcc\x81", "\xc3\xa9");
	EXPECT(utf8_add_nfc, "\xc3\xa9", "\xc3\xa9");
	EXPECT(utf8_add_nfc, "\xe2\x84\xab", "\xc3\x85");
	EXPECT(utf8_add_nfc, "Mole", "Mole");
	EXPECT(utf8_add_nfc,
	       "\xff"
	       "e\xcc\x81",
	       "\xef\xbf\xbd\xc3\xa9");
	EXPECT(utf8_add_nfc, "", "");
}

Test(utf8, names_that_people_would_call_the_same_are_equal)
{
	cr_assert(utf8_eq_folded(SPAN_LIT("Ann"), SPAN_LIT("aNN")));
	cr_assert(utf8_eq_folded(SPAN_LIT("M\xc3\x9cLL"), SPAN_LIT("mu\xcc\x88ll")));
	cr_assert(utf8_eq_folded(SPAN_LIT("Stra\xc3\x9f"
	                                  "e"),
	                         SPAN_LIT("STRASSE")));
	cr_assert(utf8_eq_folded(SPAN_LIT("\xce\xa3"), SPAN_LIT("\xcf\x82")));
	cr_assert(utf8_eq_folded(SPAN_LIT("a\xe2\x80\x8d"
	                                  "b"),
	                         SPAN_LIT("ab")));
	cr_assert_not(utf8_eq_folded(SPAN_LIT("Ann"), SPAN_LIT("Anna")));
	cr_assert_not(utf8_eq_folded(SPAN_LIT("M\xc3\xbcll"), SPAN_LIT("Mull")));
}

Test(utf8, folding_twice_changes_nothing_more)
{
	for (uint32_t cp = 0; cp <= 0x2FFFF; cp++) {
		struct strbuf in = STRBUF_INIT, once = STRBUF_INIT, twice = STRBUF_INIT;

		utf8_add(&in, cp);
		utf8_add_folded(&once, strbuf_span(&in));
		utf8_add_folded(&twice, strbuf_span(&once));
		cr_assert(span_eq(strbuf_span(&once), strbuf_span(&twice)), "U+%04X", cp);
		strbuf_release(&in);
		strbuf_release(&once);
		strbuf_release(&twice);
	}
}

Test(utf8, the_ascii_rendering_drops_accents_and_marks_what_it_cannot_say)
{
	EXPECT(utf8_add_ascii, "Zo\xc3\xab, Bj\xc3\xb8rn & Wei\xc3\x9f", "Zoe, Bjorn & Weiss");
	EXPECT(utf8_add_ascii, "\xe2\x80\x9cyes\xe2\x80\x9d \xe2\x80\x93 \xe2\x80\xa6",
	       "\"yes\" - ...");
	EXPECT(utf8_add_ascii, "\xe6\x97\xa5\xe6\x9c\xac", "??");
	EXPECT(utf8_add_ascii,
	       "a\xc2\xa0"
	       "b\nc\td",
	       "a b\nc\td");
	EXPECT(utf8_add_ascii, "\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x90\xe2\x94\x82", "+-+|");
	EXPECT(utf8_add_ascii, "\xef\xbc\xa1\xef\xbc\x91", "A1");
	EXPECT(utf8_add_ascii, "\xff", "?");
}

Test(utf8, the_ascii_rendering_of_anything_is_ascii)
{
	for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
		struct strbuf in = STRBUF_INIT, out = STRBUF_INIT;

		utf8_add(&in, cp);
		utf8_add_ascii(&out, strbuf_span(&in));
		for (size_t i = 0; i < out.len; i++)
			cr_assert_lt((unsigned char)out.ptr[i], 0x80, "U+%04X", cp);
		strbuf_release(&in);
		strbuf_release(&out);
	}
}

Test(utf8, the_plain_copy_undoes_what_mail_programs_do_to_typing)
{
	EXPECT(utf8_add_plain,
	       "popup\xc2\xa0"
	       "3",
	       "popup 3");
	EXPECT(utf8_add_plain, "popup\xe2\x80\x89\xe3\x80\x80 3", "popup 3");
	EXPECT(utf8_add_plain,
	       "pop\xc2\xad"
	       "up\xe2\x80\x8b 3\xef\xbb\xbf",
	       "popup 3");
	EXPECT(utf8_add_plain,
	       "\xe2\x80\x98"
	       "a\xe2\x80\x99 \xe2\x80\x9a"
	       "b\xe2\x80\xb2",
	       "'a' 'b'");
	EXPECT(utf8_add_plain,
	       "\xe2\x80\x9c"
	       "a\xe2\x80\x9d \xe2\x80\x9e"
	       "b\xc2\xbb \xc2\xab",
	       "\"a\" \"b\" \"");
	EXPECT(utf8_add_plain,
	       "2\xe2\x80\x93"
	       "3\xe2\x80\x94"
	       "4\xe2\x88\x92"
	       "5\xe2\x80\x90",
	       "2-3-4-5-");
	EXPECT(utf8_add_plain, "wait\xe2\x80\xa6", "wait...");
	EXPECT(utf8_add_plain,
	       "\xef\xbc\xb7\xef\xbc\xa8\xef\xbc\xa1\xef\xbc\xa3\xef\xbc\xab "
	       "\xef\xbc\x95\xef\xbc\x8c",
	       "WHACK 5,");
	EXPECT(utf8_add_plain, "  popup \t\t 3 \r\n", "popup 3");
	EXPECT(utf8_add_plain, " \t\xc2\xa0 ", "");
	EXPECT(utf8_add_plain, "", "");
	EXPECT(utf8_add_plain,
	       "a\x01\x02"
	       "b\x7f",
	       "ab");
	EXPECT(utf8_add_plain, "M\xc3\xbcll \xe6\x97\xa5", "M\xc3\xbcll \xe6\x97\xa5");
	EXPECT(utf8_add_plain,
	       "a\xff"
	       "b",
	       "a\xef\xbf\xbd"
	       "b");
}

Test(utf8, the_plain_copy_is_appended_and_its_own_blanks_only_are_trimmed)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_adds(&out, "kept ");
	utf8_add_plain(&out, SPAN_LIT("  \xc2\xa0 "));
	cr_assert_str_eq(out.ptr, "kept ");
	utf8_add_plain(&out, SPAN_LIT("  x  "));
	cr_assert_str_eq(out.ptr, "kept x");
	strbuf_release(&out);
}

Test(utf8, the_plain_copy_of_a_plain_copy_is_the_same)
{
	for (uint32_t cp = 0; cp <= 0x2FFFF; cp++) {
		struct strbuf in = STRBUF_INIT, once = STRBUF_INIT, twice = STRBUF_INIT;

		strbuf_adds(&in, " a");
		utf8_add(&in, cp);
		strbuf_adds(&in, " b ");
		utf8_add_plain(&once, strbuf_span(&in));
		utf8_add_plain(&twice, strbuf_span(&once));
		cr_assert(span_eq(strbuf_span(&once), strbuf_span(&twice)), "U+%04X", cp);
		cr_assert(utf8_valid(strbuf_span(&once)));
		strbuf_release(&in);
		strbuf_release(&once);
		strbuf_release(&twice);
	}
}

Test(utf8, what_looks_alike_is_so_in_some_case_whatever_its_script_and_punctuation)
{
	static const struct {
		const char *a, *b;
		bool alike;
	} pairs[] = {
	    {"Ann", "ann", true},
	    {"Ann", "\xd0\x90nn", true},               /* a Cyrillic A */
	    {"ann", "\xd0\xb0nn", true},               /* a small one */
	    {"Ann", "\xce\x91\xce\x9d\xce\x9d", true}, /* Greek capitals */
	    {"Ann", "\xef\xbc\xa1nn", true},           /* a full-width A */
	    {"Ann", "\xf0\x9d\x90\x80nn", true},       /* a mathematical one */
	    {"Ann", "Ann.", true},
	    {"Ann Li", "Ann-Li", true},
	    {"O'Hara", "Ohara", true},
	    {"Ian", "lan", true},
	    {"Bob1", "Bobl", true},
	    {"Arnold", "Amold", true},
	    {"Molepost", "M\xd0\xbelep\xce\xbfst", true},
	    {"Ian", "Lan", false},
	    {"Ann", "Anna", false},
	    {"Ann", "\xc3\x81nn", false}, /* an accent is seen */
	    {"Ann", "Ann-2", false},
	    {"\xe6\x9d\x8e", "\xe7\x8e\x8b", false},
	    {"-", ".", false},
	    {"", "", true},
	    {"\xff", "Ann", false},
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		cr_expect_eq(utf8_looks_alike(span_of(pairs[i].a), span_of(pairs[i].b)),
		             pairs[i].alike, "%s, %s", pairs[i].a, pairs[i].b);
		cr_expect_eq(utf8_looks_alike(span_of(pairs[i].b), span_of(pairs[i].a)),
		             pairs[i].alike, "%s, %s", pairs[i].b, pairs[i].a);
	}
}
