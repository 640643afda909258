/*
 * resolve.c - one turn: pop up, whack, score.
 *
 * All whacks fall at the same instant, on the sheets as they stand after every
 * mole has popped up; a player who is hit still scores for their own hit. Then each
 * sheet that was not hit scores one point a token.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/whakka_mole/whakka.h"

/* What still stands on a sheet when a turn begins. */
static void carry_over(const struct game_state *now, unsigned seat, unsigned *sheet)
{
	const struct whakka_seat *p = &now->seats[seat];
	bool empty = !now->setup.tokens_stay || now->turn == 1 ||
	             whakka_last_score(now, seat).struck != 0;

	for (unsigned h = 0; h < WHAKKA_HOLES; h++)
		sheet[h] = empty ? 0 : p->sheet[h];
}

/* Takes a playing seat's orders; a resignation is carried out as NONE, then they are gone. */
static bool take_orders(const struct game_state *now, unsigned seat,
                        const struct seat_orders *o, struct whakka_seat *p, struct strbuf *why)
{
	carry_over(now, seat, p->sheet);
	if (o->origin == ORDER_RESIGNED) {
		memset(&p->last, 0, sizeof p->last);
		p->last.resign = true;
	} else if (!whakka_parse_orders(o->canonical, now->setup.holes, &p->last)) {
		strbuf_addf(why, "The orders of seat %u are not Whakka Mole orders.", seat);
		return false;
	}
	if (p->last.resign)
		p->left = now->turn;
	for (unsigned h = 0; h < now->setup.holes; h++)
		p->sheet[h] += (p->last.popup >> h) & 1u;

	for (unsigned h = 0; h < WHAKKA_HOLES; h++) {
		p->popped[h] += (p->last.popup >> h) & 1u;
		p->whacked[h] += p->last.whack == h + 1;
	}
	return true;
}

bool whakka_resolve(const struct game_state *now, const struct seat_orders *orders,
                    struct chance *chance, struct game_state **next, struct strbuf *why)
{
	struct game_state s = *now;

	(void)chance;
	if (whakka_over(now)) {
		strbuf_adds(why, "The game is over.");
		return false;
	}
	for (unsigned seat = 1; seat <= s.nseats; seat++) {
		struct whakka_seat *p = &s.seats[seat];

		memset(&p->last, 0, sizeof p->last);
		memset(p->sheet, 0, sizeof p->sheet);
		if (whakka_plays(now, seat) && !take_orders(now, seat, &orders[seat], p, why))
			return false;
	}
	s.turn++;

	for (unsigned seat = 1; seat <= s.nseats; seat++) {
		struct whakka_score score = whakka_last_score(&s, seat);
		struct whakka_seat *p = &s.seats[seat];

		p->total += score.whack + score.moles;
		p->hits += score.hit;
		p->struck += score.struck != 0;
	}
	*next = state_copy(&s, sizeof s);
	return true;
}

/* >0 when a stands before b, 0 when they share the rank. */
static int compare(const struct game_state *s, unsigned a, unsigned b)
{
	const struct whakka_seat *p = &s->seats[a];
	const struct whakka_seat *q = &s->seats[b];

	if (p->total != q->total)
		return p->total > q->total ? 1 : -1;
	if (p->left || !s->setup.ties_by_whacks)
		return 0;
	if (p->hits != q->hits)
		return p->hits > q->hits ? 1 : -1;
	return (p->struck < q->struck) - (p->struck > q->struck);
}

void whakka_result(const struct game_state *s, struct game_result *out)
{
	memset(out, 0, sizeof *out);
	out->over = whakka_over(s);
	out->nseats = s->nseats;
	for (unsigned seat = 1; seat <= s->nseats; seat++) {
		out->scores[seat] = s->seats[seat].total;
		if (s->seats[seat].left)
			out->eliminated = seat_with(out->eliminated, seat);
	}
	result_rank(out, s, compare);
}
