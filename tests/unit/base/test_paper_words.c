/*
 * test_paper_words.c - secrets as words: vectors of BIP 39, and what people do when they copy by hand.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "processor/base/paper_words.h"

static struct hash all(unsigned char byte)
{
	struct hash h;

	memset(h.bytes, byte, sizeof(h.bytes));
	return h;
}

/* Without numbers and line ends. */
static void expect_words(const struct hash *secret, const char *expected)
{
	struct strbuf out = STRBUF_INIT, plain = STRBUF_INIT;
	struct span rest, word;

	seal_start();
	paper_words_add(secret, &out);
	rest = strbuf_span(&out);
	while (span_next_word(&rest, " \n", &word))
		if (word.ptr[0] > '9')
			strbuf_addf(&plain, "%s%.*s", plain.len > 0 ? " " : "",
			            SPAN_ARGS(word));
	cr_expect_str_eq(plain.ptr, expected);
	strbuf_release(&plain);
	strbuf_release(&out);
}

#define TIMES_23(w)                                                                           \
	w " " w " " w " " w " " w " " w " " w " " w " " w " " w " " w " " w " " w " " w " " w \
	  " " w " " w " " w " " w " " w " " w " " w " " w

Test(paper_words, are_those_of_the_published_vectors)
{
	struct hash zero = all(0), ones = all(0xff), eighty = all(0x80);

	expect_words(&zero, TIMES_23("abandon") " art");
	expect_words(&ones, TIMES_23("zoo") " vote");
	expect_words(
	    &eighty,
	    "letter advice cage absurd amount doctor acoustic avoid letter advice cage "
	    "absurd amount doctor acoustic avoid letter advice cage absurd amount doctor "
	    "acoustic bless");
}

Test(paper_words, give_back_what_they_were_made_of)
{
	seal_start();
	for (unsigned i = 0; i < 500; i++) {
		struct hash secret = hash_of((struct span){(const char *)&i, sizeof(i)}), back;
		struct strbuf out = STRBUF_INIT;
		struct failure e = ERR_INIT;

		paper_words_add(&secret, &out);
		struct span text = strbuf_span(&out);
		cr_assert_eq(paper_words_read(&text, &back, &e), ERR_NONE, "%s", e.text.ptr);
		cr_assert(hash_eq(&secret, &back));
		strbuf_release(&out);
		err_release(&e);
	}
}

static void expect_read(const char *text, const char *why)
{
	struct span rest = span_of(text);
	struct failure e = ERR_INIT;
	struct hash secret, zero = all(0);
	enum err r = paper_words_read(&rest, &secret, &e);

	cr_expect_eq(r, why ? ERR_CORRUPT : ERR_NONE, "%s: %s", text, e.text.ptr);
	if (why)
		cr_expect_str_eq(e.text.ptr, why);
	else
		cr_expect(hash_eq(&secret, &zero));
	err_release(&e);
}

Test(paper_words, are_read_as_people_copy_them)
{
	seal_start();
	expect_read(TIMES_23("ABANDON") " Art", NULL);
	expect_read(TIMES_23("1. aban,") "\n24) art.\nkey 2", NULL);
	expect_read(TIMES_23("abandon"), "there are 23 words, and 24 are wanted");
	expect_read(TIMES_23("abandon") " zoo",
	            "the 24 words do not belong together: one is wrong, or two have changed "
	            "places");
	expect_read("abandon abanden " TIMES_23("abandon"),
	            "word 2, \"abanden\", is none of the list");
	expect_read("aba " TIMES_23("abandon"), "word 1, \"aba\", is none of the list");
	expect_read("", "there are 0 words, and 24 are wanted");
}

Test(paper_words, four_of_them_stand_for_the_first_44_bits_of_a_hash)
{
	struct strbuf text = STRBUF_INIT;
	struct hash hash = all(0);

	paper_words_add_four(&hash, &text);
	cr_expect_str_eq(text.ptr, "abandon-abandon-abandon-abandon");
	hash.bytes[0] = hash.bytes[1] = 0xff;
	hash.bytes[5] = 0x0f; /* the last four bits of it do not count */
	strbuf_clear(&text);
	paper_words_add_four(&hash, &text);
	cr_expect_str_eq(text.ptr, "zoo-way-abandon-abandon");
	hash.bytes[5] = 0x10;
	strbuf_clear(&text);
	paper_words_add_four(&hash, &text);
	cr_expect_str_eq(text.ptr, "zoo-way-abandon-ability");
	strbuf_release(&text);
}
