/*
 * paper_words.h - 32 secret bytes as 24 words that can be written down and typed in again (BIP 39).
 *
 * Eight bits of a SHA-256 stand at the end, so that one wrong word is noticed in 255 of 256 cases, and
 * every word is known by its first four letters. Any program that reads BIP 39 gives the same bytes.
 */
#ifndef MOLEPOST_BASE_PAPER_WORDS_H
#define MOLEPOST_BASE_PAPER_WORDS_H

#include "processor/base/seal.h"

enum { PAPER_WORDS = 24 };

/* Six lines of four words, numbered. */
void paper_words_add(const struct hash *secret, struct strbuf *out);
/*
 * Takes 24 words off the front of a text; numbers and punctuation between them count as blanks, case does
 * not count, four letters of a word are enough. ERR_CORRUPT with a sentence.
 */
enum err paper_words_read(struct span *text, struct hash *secret, struct failure *e) MUST_CHECK;

/* The first 44 bits of a hash, as four of these words: "amber-otter-seven-lake". For eyes and ears. */
void paper_words_add_four(const struct hash *hash, struct strbuf *out);

#endif
