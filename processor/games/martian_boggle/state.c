/*
 * state.c - the state of Martian Boggle as text; molepost-rules(7) says what each line means.
 *
 * Trusts: boggle_decode takes any bytes. What it lets through keeps every index in range, has
 * ten pieces on ten squares, no more tiles of a kind than there are, words that their tiles
 * spell in turns of their player, and a last turn that goes with them.
 */
#include <string.h>

#include "processor/games/martian_boggle/boggle.h"
#include "processor/games/registry.h"

static bool take_options(struct game_state *s, const struct options *o, struct strbuf *why)
{
	(void)why;
	boggle_setup_read(&s->setup, o);
	return true;
}

static bool row_field(struct fields *f, struct game_state *s, unsigned row)
{
	char *tiles = s->board + (row - 1) * BOGGLE_SIDE;
	struct span value = {tiles, BOGGLE_SIDE};

	if (!field_value(f, &value, "row %u", row))
		return false;
	if (value.len != BOGGLE_SIDE)
		return fields_bad(f, "a row has five tiles.");
	for (unsigned i = 0; i < BOGGLE_SIDE; i++) {
		tiles[i] = value.ptr[i];
		if (tiles[i] != '?' && tiles[i] != '.' && (tiles[i] < 'A' || tiles[i] > 'Z'))
			return fields_bad(f, "a tile is A to Z, ? or a dot for none.");
	}
	return true;
}

static bool pieces_field(struct fields *f, struct boggle_seat *p, unsigned seat)
{
	squares rest = p->pieces;
	struct span word = SPAN_EMPTY;
	unsigned square;

	if (!field_key(f, "seat %u pieces", seat))
		return false;
	for (; field_more(f, rest != 0); rest &= rest - 1) {
		if (!field_word(f, &word))
			return false;
		if (fields_writing(f))
			boggle_add_square(f->out, boggle_first(rest));
		else if (!boggle_parse_square(word, &square))
			return fields_bad(f, "a square from a1 to e5 should stand here.");
		else
			p->pieces |= boggle_square(square);
	}
	return fields_check(f, __builtin_popcount(p->pieces) == BOGGLE_PIECES,
	                    "a player has five pieces on five squares.");
}

static bool take_word(struct boggle_word *w, struct span letters, struct span tiles)
{
	if (!boggle_parse_word(letters, w->letters) || tiles.len != BOGGLE_LETTERS)
		return false;
	memcpy(w->tiles, tiles.ptr, BOGGLE_LETTERS);
	for (unsigned i = 0; i < BOGGLE_LETTERS; i++)
		if (w->tiles[i] != w->letters[i] && w->tiles[i] != '?')
			return false;
	return true;
}

/* "PHIAL PH?AL 5 3": the word, its tiles, the group, the turn. */
static bool word_field(struct fields *f, struct game_state *s, unsigned seat, unsigned i)
{
	struct boggle_seat *p = &s->seats[seat];
	struct boggle_word *w = &p->words[i];
	struct span letters = span_of(w->letters), tiles = span_of(w->tiles);

	if (!field_key(f, "seat %u word %u", seat, i + 1))
		return false;
	if (!field_word(f, &letters) || !field_word(f, &tiles) ||
	    !field_word_uint(f, &w->group, 1, BOGGLE_PIECES) ||
	    !field_word_uint(f, &w->turn, 1, 2 * BOGGLE_TURNS) ||
	    !(fields_writing(f) || take_word(w, letters, tiles)))
		return fields_bad(f,
		                  "a word, its tiles, a group and a turn should stand here.");
	if (fields_writing(f))
		return true;
	if (w->turn >= s->turn || boggle_mover(s, w->turn) != seat ||
	    (i && w->turn <= p->words[i - 1].turn))
		return fields_bad(f, "this is no turn in which this seat spelled.");
	if (boggle_word_is_used(s, seat, w->letters))
		return fields_bad(f, "this word was spelled before.");
	p->nwords = i + 1;
	return true;
}

static bool seat_fields(struct fields *f, struct game_state *s, unsigned seat)
{
	struct boggle_seat *p = &s->seats[seat];
	unsigned count = p->nwords;

	if (!field_name(f, seat, &p->name) ||
	    !field_uint(f, &p->left, 0, s->turn - 1, "seat %u left", seat) ||
	    !pieces_field(f, p, seat) ||
	    !field_uint(f, &count, 0, s->setup.words, "seat %u words", seat) ||
	    !fields_check(f, !p->left || p->left == s->turn - 1,
	                  "the game ends in the turn in which a seat leaves."))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!word_field(f, s, seat, i))
			return false;
	return true;
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

static bool all_fields(struct fields *f, struct game_state *s)
{
	if (!field_exact(f, "martian-boggle", "1") ||
	    !field_options(f, s, s->setup.text, &martian_boggle_1, take_options) ||
	    !field_uint(f, &s->first, 1, BOGGLE_SEATS, "first") ||
	    !field_uint(f, &s->turn, 1, 2 * s->setup.maxturns + 1, "turn"))
		return false;
	for (unsigned row = BOGGLE_SIDE; row > 0; row--)
		if (!row_field(f, s, row))
			return false;

	/* Whether there should be a roll and last orders is known only when all is read. */
	struct span value = s->turn == 1 ? SPAN_LIT("-") : SPAN_EMPTY;
	unsigned missed = s->missed;

	if (!field_key(f, "roll") ||
	    (field_more(f, s->roll[0] != 0) &&
	     !field_words_uint(f, s->roll, 2, 1, BOGGLE_DIE)) ||
	    !field_value(f, &value, "last"))
		return false;
	if (fields_writing(f) && s->turn > 1)
		boggle_write_orders(&s->last, f->out);
	else if (s->turn == 1 ? !span_eq_str(value, "-")
	                      : !boggle_parse_orders(value, &s->last))
		return fields_bad(f, "the orders of the turn before should stand here.");
	if (!field_uint(f, &missed, 0, 1, "missed"))
		return false;
	s->missed = missed;
	if (!fields_check(f,
	                  !missed || (s->turn > 1 && !s->last.resign && !s->last.nmoves &&
	                              !s->last.word[0]),
	                  "who sends nothing passes."))
		return false;
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++)
		if (!seat_fields(f, s, seat))
			return false;
	return fields_end(f) && (fields_writing(f) || check_state(s, f->why));
}

void boggle_encode(const struct game_state *s, struct strbuf *out)
{
	fields_encode(s, sizeof *s, all_fields, out);
}

bool boggle_decode(struct span text, struct game_state **out, struct strbuf *why)
{
	return fields_decode(text, sizeof **out, all_fields, out, why);
}
