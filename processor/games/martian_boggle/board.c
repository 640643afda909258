/*
 * board.c - the squares, the tiles, and what the pieces on them make.
 *
 * Sets of squares are bits, so that a step of all ways at once is a few shifts: the word
 * finder walks thousands of ways a turn.
 */
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/martian_boggle/boggle.h"

#define ALL_SQUARES ((squares)0x1ffffff)
#define COLUMN_A ((squares)0x0108421)
#define COLUMN_E (COLUMN_A << 4)

squares boggle_square(unsigned square)
{
	return (squares)1 << square;
}

unsigned boggle_first(squares set)
{
	return (unsigned)__builtin_ctz(set);
}

void boggle_add_square(struct strbuf *out, unsigned square)
{
	strbuf_addc(out, (char)('a' + (int)(square % BOGGLE_SIDE)));
	strbuf_addc(out, (char)('1' + (int)(square / BOGGLE_SIDE)));
}

bool boggle_parse_square(struct span text, unsigned *square)
{
	char column = text.len == 2 ? (char)(text.ptr[0] | 0x20) : '\0';

	if (column < 'a' || column > 'e' || text.ptr[1] < '1' || text.ptr[1] > '5')
		return false;
	*square = (unsigned)(text.ptr[1] - '1') * BOGGLE_SIDE + (unsigned)(column - 'a');
	return true;
}

/* A set and all squares one step from it. */
static squares spread(squares set, bool diagonals)
{
	squares row = set | ((set & ~COLUMN_E) << 1) | ((set & ~COLUMN_A) >> 1);
	squares up_and_down = diagonals ? row : set;

	return (row | up_and_down << BOGGLE_SIDE | up_and_down >> BOGGLE_SIDE) & ALL_SQUARES;
}

squares boggle_reach(squares open, unsigned from, unsigned steps, bool diagonals)
{
	squares start = boggle_square(from);
	squares reached = start;

	for (unsigned i = 0; i < steps; i++)
		reached |= spread(reached, diagonals) & open;
	return reached & ~start;
}

unsigned boggle_distance(squares open, unsigned from, unsigned to, bool diagonals)
{
	squares reached = boggle_square(from);

	if (from == to)
		return 0;
	for (unsigned steps = 1; steps < BOGGLE_SQUARES; steps++) {
		reached |= spread(reached, diagonals) & open;
		if (reached & boggle_square(to))
			return steps;
	}
	return 0;
}

/* The group of pieces that the lowest of them belongs to. */
static squares group_of_first(squares pieces, bool diagonals)
{
	squares group = pieces & -pieces;
	squares before;

	do {
		before = group;
		group |= spread(group, diagonals) & pieces;
	} while (group != before);
	return group;
}

unsigned boggle_groups(squares pieces, bool diagonals, unsigned sizes[BOGGLE_PIECES])
{
	unsigned n = 0;

	while (pieces) {
		squares group = group_of_first(pieces, diagonals);
		unsigned size = (unsigned)__builtin_popcount(group);
		unsigned at = n++;

		for (; at > 0 && sizes[at - 1] < size; at--)
			sizes[at] = sizes[at - 1];
		sizes[at] = size;
		pieces &= ~group;
	}
	return n;
}

unsigned boggle_largest_group(squares pieces, bool diagonals)
{
	unsigned largest = 0;

	while (pieces) {
		squares group = group_of_first(pieces, diagonals);
		unsigned size = (unsigned)__builtin_popcount(group);

		largest = size > largest ? size : largest;
		pieces &= ~group;
	}
	return largest;
}

unsigned boggle_multiplier(unsigned group)
{
	return group == BOGGLE_PIECES ? 3 : group == BOGGLE_PIECES - 1 ? 2 : 1;
}

unsigned boggle_face(char tile)
{
	return tile == '?' ? BOGGLE_FACES - 1 : (unsigned)(tile - 'A');
}

char boggle_tile(unsigned face)
{
	return face == BOGGLE_FACES - 1 ? '?' : (char)('A' + (int)face);
}

/* The usual English set of 100 tiles, worth 187 points; A to Z, then the blank. */
static const struct {
	unsigned char count, value;
} tile_set[BOGGLE_FACES] = {
    {9, 1}, {2, 3}, {2, 3}, {4, 2}, {12, 1}, {2, 4}, {3, 2}, {2, 4},  {9, 1},
    {1, 8}, {1, 5}, {4, 1}, {2, 3}, {6, 1},  {8, 1}, {2, 3}, {1, 10}, {6, 1},
    {4, 1}, {6, 1}, {4, 1}, {2, 4}, {2, 4},  {1, 8}, {2, 4}, {1, 10}, {2, 0},
};

unsigned boggle_value(char tile)
{
	return tile == '.' ? 0 : tile_set[boggle_face(tile)].value;
}

unsigned boggle_count(const struct boggle_setup *setup, unsigned face)
{
	return face == BOGGLE_FACES - 1 && !setup->blanks ? 0 : tile_set[face].count;
}

unsigned boggle_letters(const char *board, squares pieces, char out[BOGGLE_PIECES + 1])
{
	unsigned n = 0;
	unsigned tiles = 0;

	ENSURE(__builtin_popcount(pieces) == BOGGLE_PIECES);
	for (; pieces; pieces &= pieces - 1) {
		out[n] = board[boggle_first(pieces)];
		tiles += out[n++] != '.';
	}
	out[n] = '\0';
	return tiles;
}

bool boggle_spells(const char *letters, const char *word, char tiles[BOGGLE_LETTERS + 1],
                   char *lacking)
{
	char left[BOGGLE_PIECES + 1];

	memcpy(left, letters, sizeof left);
	for (unsigned i = 0; i < BOGGLE_LETTERS; i++) {
		char *tile = strchr(left, word[i]);

		if (!tile)
			tile = strchr(left, '?');
		if (!tile) {
			*lacking = word[i];
			return false;
		}
		tiles[i] = *tile;
		*tile = '.';
	}
	tiles[BOGGLE_LETTERS] = '\0';
	return true;
}
