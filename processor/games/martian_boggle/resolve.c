/*
 * resolve.c - one turn: move, spell, fill the board, roll for the next.
 *
 * Draws, in this order: a tile for each empty square (a1, b1, ... e5) while the bag lasts, then
 * the two dice, unless the game is over.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/martian_boggle/boggle.h"

/* The n-th tile of the bag, counted from the As to the blanks. */
static char take_tile(unsigned bag[BOGGLE_FACES], unsigned n)
{
	for (unsigned face = 0; face < BOGGLE_FACES; face++) {
		if (n < bag[face]) {
			bag[face]--;
			return boggle_tile(face);
		}
		n -= bag[face];
	}
	BUG("the bag does not add up");
}

void boggle_refill(struct game_state *s, struct chance *chance)
{
	unsigned bag[BOGGLE_FACES];
	unsigned left;

	ENSURE(boggle_bag(s, bag, &left));
	for (unsigned square = 0; square < BOGGLE_SQUARES && left; square++) {
		if (s->board[square] != '.')
			continue;
		s->board[square] = take_tile(bag, chance_pick(chance, left, "tile for %c%u",
		                                              'a' + (int)(square % BOGGLE_SIDE),
		                                              square / BOGGLE_SIDE + 1));
		left--;
	}
}

void boggle_roll(struct game_state *s, struct chance *chance)
{
	s->roll[0] = chance_die(chance, BOGGLE_DIE, "first die");
	s->roll[1] = chance_die(chance, BOGGLE_DIE, "second die");
}

/* Takes the mover's orders; the mover may be the one who leaves. */
static bool take_orders(struct game_state *s, unsigned seat, const struct seat_orders *o,
                        struct strbuf *why)
{
	struct boggle_judgement j;

	memset(&s->last, 0, sizeof s->last);
	if (o->origin == ORDER_RESIGNED)
		s->last.resign = true;
	else if (!boggle_parse_orders(o->canonical, &s->last))
		goto bad;
	if (s->last.resign)
		return true;
	boggle_judge(s, seat, &s->last, &j);
	if (j.verdict != BOGGLE_FINE)
		goto bad;
	s->missed = o->origin == ORDER_DEFAULT;

	struct boggle_seat *p = &s->seats[seat];

	p->pieces = j.pieces;
	if (j.word.letters[0]) {
		p->words[p->nwords++] = j.word;
		for (squares rest = p->pieces; rest; rest &= rest - 1)
			s->board[boggle_first(rest)] = '.';
	}
	return true;
bad:
	strbuf_addf(why, "The orders of seat %u are no orders of this position.", seat);
	return false;
}

bool boggle_resolve(const struct game_state *now, const struct seat_orders *orders,
                    struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct game_state s = *now;
	unsigned mover = boggle_mover(now, now->turn);

	if (boggle_over(now)) {
		strbuf_adds(why, "The game is over.");
		return false;
	}
	s.missed = false;
	if (!take_orders(&s, mover, &orders[mover], why))
		return false;
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++)
		if (span_eq_str(orders[seat].canonical, ORDER_RESIGN_TEXT) ||
		    orders[seat].origin == ORDER_RESIGNED)
			s.seats[seat].left = now->turn;
	s.turn++;
	boggle_refill(&s, chance);
	memset(s.roll, 0, sizeof s.roll);
	if (!boggle_over(&s))
		boggle_roll(&s, chance);
	*next = state_copy(&s, sizeof s);
	return true;
}

void boggle_result(const struct game_state *s, struct game_result *out)
{
	memset(out, 0, sizeof *out);
	out->over = boggle_over(s);
	out->nseats = BOGGLE_SEATS;
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++) {
		out->scores[seat] = boggle_score(s, seat);
		if (s->seats[seat].left)
			out->eliminated = seat_with(out->eliminated, seat);
	}
	result_rank(out, s, NULL);
}
