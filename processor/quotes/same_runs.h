/*
 * same_runs.h - between the files of this room: which words of a text come from other texts, in their order.
 *
 * Words are compared by their letters and digits alone: capitals, punctuation, marks of quoting, bullets,
 * the ends of lines and the address that a program puts behind a link make no difference. A run is a stretch of words that stand in one of the other texts in
 * the same order, with at most a few of its words left out and whatever somebody has written between
 * them. It counts when it has twelve words, fills three lines or begins with the first of the other text; not when all of it stands in one line of
 * the other text, or in lines below each other that are marked there for copying ('|' or '>'): somebody
 * who copies a line means it.
 *
 * Trusts nothing: texts are any bytes, and the time is linear in them.
 */
#ifndef MOLEPOST_PROCESSOR_QUOTES_SAME_RUNS_H
#define MOLEPOST_PROCESSOR_QUOTES_SAME_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/span.h"

/* A word with a letter or digit in it. */
struct text_word {
	uint32_t key;     /* equal for words that are the same */
	unsigned line;    /* from 0 */
	struct span text; /* of the plain line */
	bool to_copy;     /* in another text: its line is there to be copied */
	bool same;        /* it belongs to a run that counts ... */
	unsigned at;      /* ... and this is its place among the words of all other texts */
};

struct text_words {
	struct text_word *items;
	size_t count;
};

/* Adds the words of a plain line (utf8_add_plain). Room for (plain.len + 1) / 2 more must be there. */
void text_words_add(struct text_words *words, struct span plain, unsigned line);
/* The key of a word; 0 when it has neither letter nor digit. */
uint32_t text_word_key(struct span word);
/* Sets `same` and `at` of all words. Of the other texts the first SAME_RUNS_BYTES are looked at. */
void same_runs_find(struct text_words *words, const struct span *others, size_t n,
                    struct arena *arena);
enum {
	SAME_RUNS_BYTES = 2048 * 1024,
	SAME_RUNS_LEAST = 6 /* words of a run that counts */
};

#endif
