/*
 * nearest.c - the distance of two words, after Damerau (each letter takes part in one error
 * only).
 */
#include "processor/base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { WORD_MAX_LEN = 40 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Three rows of the table are alive at a time: two above, one above, and the one being
 * filled.
 */
struct rows {
	unsigned cells[3][WORD_MAX_LEN + 1];
};

static unsigned cell(const struct rows *r, struct span a, struct span b, size_t i, size_t j)
{
	const unsigned *above = r->cells[(i + 2) % 3], *row = r->cells[i % 3];
	char ca = ascii_lower(a.ptr[i - 1]), cb = ascii_lower(b.ptr[j - 1]);
	unsigned best = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (ca != cb));

	if (i > 1 && j > 1 && ca == ascii_lower(b.ptr[j - 2]) &&
	    ascii_lower(a.ptr[i - 2]) == cb) {
		unsigned swapped = r->cells[(i + 1) % 3][j - 2] + 1;

		if (swapped < best)
			best = swapped;
	}
	return best;
}

/* The letters and signs of a word, case and order forgotten. */
static uint64_t letters_of(struct span s)
{
	uint64_t set = 0;

	for (size_t i = 0; i < s.len; i++)
		set |= (uint64_t)1 << (ascii_lower(s.ptr[i]) & 63);
	return set;
}

/* One error brings in no more than one strange letter: most words are told apart by this. */
static bool has_too_many_strange(struct span a, struct span b, unsigned max)
{
	uint64_t as = letters_of(a), bs = letters_of(b);

	return (unsigned)__builtin_popcountll(as & ~bs) > max ||
	       (unsigned)__builtin_popcountll(bs & ~as) > max;
}

unsigned typing_errors(struct span a, struct span b, unsigned max)
{
	struct rows r;
	unsigned result;

	if (a.len > WORD_MAX_LEN || b.len > WORD_MAX_LEN)
		return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0 ? 0 : max + 1;
	if ((a.len > b.len ? a.len - b.len : b.len - a.len) > max)
		return max + 1;
	if (has_too_many_strange(a, b, max))
		return max + 1;
	for (size_t j = 0; j <= b.len; j++)
		r.cells[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a.len; i++) {
		r.cells[i % 3][0] = (unsigned)i;
		for (size_t j = 1; j <= b.len; j++)
			r.cells[i % 3][j] = cell(&r, a, b, i, j);
	}
	result = r.cells[a.len % 3][b.len];
	return result > max ? max + 1 : result;
}

unsigned typing_errors_allowed(size_t len)
{
	if (len < 4)
		return 0;
	return len < 7 ? 1 : 2;
}
