/*
 * line_hashes.h - two bytes for each line of a mail of ours, by which it is known again when its text is gone.
 *
 * They are of a keyed hash (HMAC-SHA-256) of the line's words as same_runs.h compares them, in the order of the
 * lines; where soft breaks (RFC 3676) join several, the paragraph has two more. Lines to copy, and lines that
 * repeat what somebody wrote ('|' or '>'), have none: so nobody who guesses can test an order, and one that is
 * copied by hand stays the writer's. Whoever lacks the key learns from the two bytes which lines are alike at most;
 * whoever has it can test a guess, and one wrong guess in 65,536 passes.
 */
#ifndef MOLEPOST_PROCESSOR_QUOTES_LINE_HASHES_H
#define MOLEPOST_PROCESSOR_QUOTES_LINE_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* A mail's; read with line_hashes_read. */
struct line_hashes {
	struct hash key; /* of this mail */
	const uint16_t *items;
	size_t count;
};

/* Appends four hexadecimal digits for each. */
void line_hashes_add(struct strbuf *out, const struct hash *key, struct span text);
/* The items, in the arena, up to the first that is none. */
void line_hashes_read(struct span digits, struct arena *arena, struct line_hashes *h);
/*
 * Sets same[i] for those of n lines, plain (utf8_add_plain), that come from the mail: runs of at least three lines,
 * unbroken but for a few of the mail's and the writer's. Linear in n while few lines of a mail are alike.
 */
void line_hashes_find(const struct line_hashes *h, const struct span *lines, size_t n,
                      bool *same, struct arena *arena);

#endif
