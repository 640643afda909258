/*
 * state_read.c - a state from its text.
 *
 * Trusts: boggle_decode takes any bytes. What it lets through keeps every index in range, has
 * ten pieces on ten squares, no more tiles of a kind than there are, words that their tiles
 * spell in turns of their player, and a last turn that goes with them.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/martian_boggle/boggle.h"
#include "processor/games/registry.h"

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	(void)why;
	boggle_setup_read(&s->setup, o);
	return true;
}

static bool decode_board(struct state_reader *r, struct game_state *s)
{
	struct span value;

	for (unsigned row = BOGGLE_SIDE; row > 0; row--) {
		if (!state_value(r, &value, "row %u", row))
			return false;
		if (value.len != BOGGLE_SIDE)
			return state_bad(r, "a row has five tiles.");
		for (unsigned i = 0; i < BOGGLE_SIDE; i++) {
			char tile = value.ptr[i];

			if (tile != '?' && tile != '.' && (tile < 'A' || tile > 'Z'))
				return state_bad(r, "a tile is A to Z, ? or a dot for none.");
			s->board[(row - 1) * BOGGLE_SIDE + i] = tile;
		}
	}
	return true;
}

/* Whether there should be a roll and last orders is known only when all is read. */
static bool decode_last(struct state_reader *r, struct game_state *s)
{
	struct span value;
	unsigned missed;

	if (!state_value(r, &value, "roll") ||
	    (!span_eq_str(value, "-") && !state_uints(r, value, 1, BOGGLE_DIE, 2, s->roll)) ||
	    !state_value(r, &value, "last"))
		return false;
	if (s->turn == 1 ? !span_eq_str(value, "-") : !boggle_parse_orders(value, &s->last))
		return state_bad(r, "the orders of the turn before should stand here.");
	if (!state_uint(r, 0, 1, &missed, "missed"))
		return false;
	s->missed = missed;
	if (missed && (s->last.resign || s->last.nmoves || s->last.word[0] || s->turn == 1))
		return state_bad(r, "who sends nothing passes.");
	return true;
}

static bool decode_pieces(struct state_reader *r, unsigned seat, struct boggle_seat *p)
{
	struct span value, word;
	unsigned square;

	if (!state_value(r, &value, "seat %u pieces", seat))
		return false;
	while (span_next_word(&value, "", &word)) {
		if (!boggle_parse_square(word, &square))
			return state_bad(r, "a square from a1 to e5 should stand here.");
		p->pieces |= boggle_square(square);
	}
	if (__builtin_popcount(p->pieces) != BOGGLE_PIECES)
		return state_bad(r, "a player has five pieces on five squares.");
	return true;
}

/* "PHIAL PH?AL 5 3": the word, its tiles, the group, the turn. */
static bool parse_word(struct span value, struct boggle_word *w)
{
	struct span letters, tiles, group, turn;

	if (!span_next_word(&value, "", &letters) || !span_next_word(&value, "", &tiles) ||
	    !span_next_word(&value, "", &group) || !span_next_word(&value, "", &turn) ||
	    value.len || !boggle_parse_word(letters, w->letters) ||
	    tiles.len != BOGGLE_LETTERS ||
	    !num_parse_uint(group, 1, BOGGLE_PIECES, &w->group) ||
	    !num_parse_uint(turn, 1, 2 * BOGGLE_TURNS, &w->turn))
		return false;
	memcpy(w->tiles, tiles.ptr, BOGGLE_LETTERS);
	for (unsigned i = 0; i < BOGGLE_LETTERS; i++)
		if (w->tiles[i] != w->letters[i] && w->tiles[i] != '?')
			return false;
	return true;
}

static bool decode_word(struct state_reader *r, struct game_state *s, unsigned seat, unsigned i)
{
	struct boggle_seat *p = &s->seats[seat];
	struct boggle_word *w = &p->words[i];
	struct span value;

	if (!state_value(r, &value, "seat %u word %u", seat, i + 1))
		return false;
	if (!parse_word(value, w))
		return state_bad(r, "a word, its tiles, a group and a turn should stand here.");
	if (w->turn >= s->turn || boggle_mover(s, w->turn) != seat ||
	    (i && w->turn <= p->words[i - 1].turn))
		return state_bad(r, "this is no turn in which this seat spelled.");
	p->nwords = i;
	if (boggle_word_is_used(s, seat, w->letters))
		return state_bad(r, "this word was spelled before.");
	return true;
}

static bool decode_seat(struct state_reader *r, struct game_state *s, unsigned seat)
{
	struct boggle_seat *p = &s->seats[seat];
	unsigned count;

	if (!state_name(r, seat, &p->name) ||
	    !state_uint(r, 0, s->turn - 1, &p->left, "seat %u left", seat) ||
	    !decode_pieces(r, seat, p) ||
	    !state_uint(r, 0, s->setup.words, &count, "seat %u words", seat))
		return false;
	if (p->left && p->left != s->turn - 1)
		return state_bad(r, "the game ends in the turn in which a seat leaves.");
	for (unsigned i = 0; i < count; i++)
		if (!decode_word(r, s, seat, i))
			return false;
	p->nwords = count;
	return true;
}

static bool decode_all(struct state_reader *r, struct game_state *s)
{
	struct seat_names names = {.count = BOGGLE_SEATS};

	if (!state_exact(r, "martian-boggle", "1") ||
	    !state_options(r, s, &martian_boggle_1, take_options) ||
	    !state_uint(r, 1, BOGGLE_SEATS, &s->first, "first") ||
	    !state_uint(r, 1, 2 * s->setup.maxturns + 1, &s->turn, "turn") ||
	    !decode_board(r, s) || !decode_last(r, s))
		return false;
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++) {
		if (!decode_seat(r, s, seat))
			return false;
		names.names[seat] = s->seats[seat].name.text;
	}
	return state_end(r) && seat_names_ok(&names, r->why);
}

static bool bad(struct strbuf *why, const char *what)
{
	strbuf_adds(why, what);
	return false;
}

static bool check_tiles(const struct game_state *s, struct strbuf *why)
{
	unsigned bag[BOGGLE_FACES];
	unsigned left;

	if (!boggle_bag(s, bag, &left))
		return bad(why, "There are more tiles of one kind than the set has.");
	if (left && strchr(s->board, '.'))
		return bad(why, "A square is empty although the bag is not.");
	return true;
}

/* No turn is played after the one that ends the game. */
static bool check_end(const struct game_state *s, struct strbuf *why)
{
	struct game_state before = *s;

	if (boggle_over(s) != (s->roll[0] == 0))
		return bad(why, "There is a roll as long as the game is not over.");
	before.turn--;
	before.seats[1].left = before.seats[2].left = 0;
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++) {
		struct boggle_seat *p = &before.seats[seat];

		if (p->nwords && p->words[p->nwords - 1].turn == before.turn)
			p->nwords--;
	}
	if (s->turn > 1 && boggle_over(&before))
		return bad(why, "The game was over before its last turn.");
	return true;
}

/* What the last turn's orders say must be seen on the board and in the list of words. */
static bool check_last(const struct game_state *s, struct strbuf *why)
{
	const struct boggle_seat *p = &s->seats[boggle_mover(s, s->turn - 1)];
	const struct boggle_orders *o = &s->last;
	const struct boggle_word *w = p->nwords ? &p->words[p->nwords - 1] : NULL;
	bool spelled = w && w->turn == s->turn - 1;

	if (o->resign != (p->left != 0))
		return bad(why, "A seat leaves in the turn in which it resigns.");
	for (unsigned i = 0; i < o->nmoves; i++)
		if (!(p->pieces & boggle_square(o->moves[i].to)))
			return bad(why, "A piece moved last turn is not where it went.");
	if (spelled != (o->word[0] != '\0') || (spelled && strcmp(o->word, w->letters) != 0))
		return bad(why, "The last word and the last orders differ.");
	if (spelled && w->group != boggle_largest_group(p->pieces, s->setup.diagonals))
		return bad(why, "The group of the last word is not the one on the board.");
	return true;
}

static bool check_state(const struct game_state *s, struct strbuf *why)
{
	if (s->seats[1].pieces & s->seats[2].pieces)
		return bad(why, "Two pieces stand on one square.");
	return check_tiles(s, why) && check_end(s, why) && (s->turn == 1 || check_last(s, why));
}

static bool read_state(struct state_reader *r, struct game_state *s)
{
	return decode_all(r, s) && check_state(s, r->why);
}

bool boggle_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return state_decode(text, sizeof **out, read_state, boggle_encode, out, why);
}
