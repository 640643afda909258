/*
 * paper_words.c - BIP 39.
 */
#include "processor/base/paper_words.h"

#include <sodium.h>
#include <string.h>

enum { WORDS_A_LINE = 4, BITS = 11, LETTERS = 4, WORD_MAX = 8 };

static const char *const words[] = {
#include "processor/base/bip39_words.inc"
};
enum { NWORDS = sizeof(words) / sizeof(words[0]) };
_Static_assert(NWORDS == 1 << BITS, "eleven bits a word");

/* The secret and the eight bits of its check behind it. */
static void with_check(const struct hash *secret, unsigned char bytes[HASH_LEN + 1])
{
	struct hash check = hash_of(hash_span(secret));

	memcpy(bytes, secret->bytes, HASH_LEN);
	bytes[HASH_LEN] = check.bytes[0];
}

/* The word that eleven bits stand for. */
static const char *word_at(const unsigned char *bytes, unsigned i)
{
	unsigned word = 0;

	for (unsigned bit = i * BITS; bit < (i + 1) * BITS; bit++)
		word = word << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1);
	return words[word];
}

void paper_words_add_four(const struct hash *hash, struct strbuf *out)
{
	for (unsigned i = 0; i < 4; i++)
		strbuf_addf(out, "%s%s", i > 0 ? "-" : "", word_at(hash->bytes, i));
}

void paper_words_add(const struct hash *secret, struct strbuf *out)
{
	unsigned char bytes[HASH_LEN + 1];

	with_check(secret, bytes);
	for (unsigned i = 0; i < PAPER_WORDS; i++)
		if (i % WORDS_A_LINE == WORDS_A_LINE - 1)
			strbuf_addf(out, "%2u %s\n", i + 1, word_at(bytes, i));
		else
			strbuf_addf(out, "%2u %-9s ", i + 1, word_at(bytes, i));
	sodium_memzero(bytes, sizeof(bytes));
}

/* Skips what is no letter; the next word in small letters, "" at the end of the text. */
static void next_word(struct span *text, char word[WORD_MAX + 2])
{
	size_t n = 0;

	while (text->len > 0 && !ascii_is_letter(text->ptr[0]))
		*text = span_slice(*text, 1, text->len);
	while (text->len > 0 && ascii_is_letter(text->ptr[0])) {
		if (n <= WORD_MAX)
			word[n++] = (char)(text->ptr[0] | 0x20);
		*text = span_slice(*text, 1, text->len);
	}
	word[n] = '\0';
}

/* -1: none of ours. */
static int index_of(const char *word)
{
	size_t len = strlen(word);

	for (int i = 0; i < NWORDS; i++)
		if (strcmp(words[i], word) == 0 ||
		    (len >= LETTERS && strncmp(words[i], word, len) == 0))
			return i;
	return -1;
}

enum err paper_words_read(struct span *text, struct hash *secret, struct failure *e)
{
	unsigned char bytes[HASH_LEN + 1] = {0}, expected[HASH_LEN + 1];
	char word[WORD_MAX + 2];
	enum err r = ERR_NONE;

	for (unsigned i = 0; i < PAPER_WORDS && r == ERR_NONE; i++) {
		next_word(text, word);
		int index = index_of(word);

		if (word[0] == '\0')
			r = err_set(e, ERR_CORRUPT, "there are %u words, and 24 are wanted", i);
		else if (index < 0)
			r = err_set(e, ERR_CORRUPT, "word %u, \"%s\", is none of the list",
			            i + 1, word);
		for (unsigned k = 0; r == ERR_NONE && k < BITS; k++) {
			unsigned bit = i * BITS + k;

			bytes[bit / 8] |=
			    (unsigned char)((index >> (BITS - 1 - k) & 1) << (7 - bit % 8));
		}
	}
	memcpy(secret->bytes, bytes, HASH_LEN);
	with_check(secret, expected);
	if (r == ERR_NONE && bytes[HASH_LEN] != expected[HASH_LEN])
		r = err_set(e, ERR_CORRUPT,
		            "the 24 words do not belong together: one is wrong, or two have "
		            "changed places");
	sodium_memzero(bytes, sizeof(bytes));
	sodium_memzero(expected, sizeof(expected));
	sodium_memzero(word, sizeof(word));
	return r;
}
