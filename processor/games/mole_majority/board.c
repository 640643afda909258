/*
 * board.c - the nineteen places of the board: names, neighbours, where what may lie.
 *
 * Rows of 3, 4, 5, 4 and 3, each shifted by half a hex against the next.
 */
#include "processor/games/mole_majority/majority.h"

#define H(place) (1u << HEX_##place)

const char mm_hex_names[MM_HEXES][3] = {"A1", "A2", "A3", "B1", "B2", "B3", "B4",
                                        "C1", "C2", "C3", "C4", "C5", "D1", "D2",
                                        "D3", "D4", "E1", "E2", "E3"};

const uint32_t mm_beside[MM_HEXES] = {
    [HEX_A1] = H(A2) | H(B1) | H(B2),
    [HEX_A2] = H(A1) | H(A3) | H(B2) | H(B3),
    [HEX_A3] = H(A2) | H(B3) | H(B4),
    [HEX_B1] = H(A1) | H(B2) | H(C1) | H(C2),
    [HEX_B2] = H(A1) | H(A2) | H(B1) | H(B3) | H(C2) | H(C3),
    [HEX_B3] = H(A2) | H(A3) | H(B2) | H(B4) | H(C3) | H(C4),
    [HEX_B4] = H(A3) | H(B3) | H(C4) | H(C5),
    [HEX_C1] = H(B1) | H(C2) | H(D1),
    [HEX_C2] = H(B1) | H(B2) | H(C1) | H(C3) | H(D1) | H(D2),
    [HEX_C3] = H(B2) | H(B3) | H(C2) | H(C4) | H(D2) | H(D3),
    [HEX_C4] = H(B3) | H(B4) | H(C3) | H(C5) | H(D3) | H(D4),
    [HEX_C5] = H(B4) | H(C4) | H(D4),
    [HEX_D1] = H(C1) | H(C2) | H(D2) | H(E1),
    [HEX_D2] = H(C2) | H(C3) | H(D1) | H(D3) | H(E1) | H(E2),
    [HEX_D3] = H(C3) | H(C4) | H(D2) | H(D4) | H(E2) | H(E3),
    [HEX_D4] = H(C4) | H(C5) | H(D3) | H(E3),
    [HEX_E1] = H(D1) | H(D2) | H(E2),
    [HEX_E2] = H(D2) | H(D3) | H(E1) | H(E3),
    [HEX_E3] = H(D3) | H(D4) | H(E2),
};

const uint32_t mm_ring = H(B2) | H(B3) | H(C2) | H(C4) | H(D2) | H(D3);
const uint32_t mm_base_places = H(A2) | H(B1) | H(B4) | H(D1) | H(D4) | H(E2);

const uint8_t mm_default_bases[6] = {HEX_A2, HEX_E2, HEX_B1, HEX_D4, HEX_B4, HEX_D1};
const uint8_t mm_default_tiles[12] = {HEX_A1, HEX_E3, HEX_A3, HEX_E1, HEX_C1, HEX_C5,
                                      HEX_A2, HEX_B1, HEX_B4, HEX_D1, HEX_D4, HEX_E2};

bool mm_hex_parse(struct span word, unsigned *hex)
{
	if (word.len != 2)
		return false;
	for (unsigned h = 0; h < MM_HEXES; h++) {
		if ((word.ptr[0] & ~0x20) != mm_hex_names[h][0] ||
		    word.ptr[1] != mm_hex_names[h][1])
			continue;
		*hex = h;
		return true;
	}
	return false;
}

void mm_add_hexes(struct strbuf *out, uint32_t set)
{
	unsigned n = (unsigned)__builtin_popcount(set), done = 0;

	if (!n)
		strbuf_adds(out, "none");
	for (unsigned h = 0; h < MM_HEXES; h++) {
		if (!(set & mm_bit(h)))
			continue;
		strbuf_add_sep(out, done++, n, " and ");
		strbuf_add(out, mm_hex_names[h], 2);
	}
}

char mm_letter(unsigned seat)
{
	return (char)(seat ? 'A' + (int)seat - 1 : '-');
}
