/*
 * decoration.h - what people write around an order and that is no part of it.
 *
 * "popup 1 3, whack 5 :-) thanks!" orders as much as "popup 1 3, whack 5". Cut from the end of a
 * line: emoji, emoticons, courtesies, a link, and a remark in brackets or behind a dash; from its
 * beginning: arrows, emoji, courtesies. A remark that holds a number, a word of the game or a
 * word such as "not" may change what the order means, so it is never cut.
 *
 * Trusts nothing; takes any bytes that utf8_add_plain has made.
 */
#ifndef MOLEPOST_GAMES_DECORATION_H
#define MOLEPOST_GAMES_DECORATION_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/span.h"

/* What only the game knows of a word (without punctuation around it). */
struct decoration_words {
	/* Whether it could be a part of an order: a verb, an argument. */
	bool (*means)(const void *ctx, struct span word);
	/* Whether it could where it stands alone, as in "c5-a3 (trend)". */
	bool (*means_alone)(const void *ctx, struct span word);
	/* Whether a player is called so: then it is no courtesy. */
	bool (*is_name)(const void *ctx, struct span word);
	/*
	 * How many words behind this one may be any words at all: 0 for most, 1 behind SPELL,
	 * (size_t)-1 behind an order that takes the rest of its line.
	 */
	size_t (*free_words)(const void *ctx, struct span word);
	const void *ctx;
};

/* The part of `line` that is left; all of it when nothing else would be. */
struct span without_decoration(struct span line, const struct decoration_words *words);
/* "please", "danke", "merci": in one of twelve languages, without regard to ASCII case. */
bool is_courtesy(struct span word);
/* A word behind which nothing means what it would without it: "not", "kein", "instead". */
bool turns_meaning(struct span word);
/* "Also", "add": what is said with it comes to what was said before. In small letters without accents. */
bool adds_meaning(struct span word);
/* "To", in a language. */
bool leads_to(struct span word);

#endif
