/*
 * reach.c - how far the steps of one card lead: hexes they can enter, hexes they can claim.
 *
 * A mole on a new hex opens the hexes beside it to the next mole, so four steps lead further
 * than one. Hexes are found ring after ring, each with the position in which it was first
 * entered, and filled up from there.
 */
#include <stdlib.h>

#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"

struct search {
	unsigned seat, most;
	uint32_t seen;
	struct game_state *after[MM_HEXES]; /* once a mole has entered this hex */
	unsigned steps[MM_HEXES];           /* what that took; 0 = not entered */
};

/* The hex with most own moles from which one can go to `to`; HEX_NONE if there is none. */
static unsigned best_source(const struct game_state *s, unsigned seat, unsigned to)
{
	uint32_t from = mm_move_sources(s, seat);
	unsigned best = HEX_NONE, most = 0;

	for (; from; from &= from - 1) {
		unsigned h = (unsigned)__builtin_ctz(from);
		unsigned n = mm_moles_on(&s->hexes[h], seat);

		if (n <= most || !(mm_move_targets(s, seat, h) & mm_bit(to)))
			continue;
		best = h;
		most = n;
	}
	return best;
}

static bool enter(struct game_state *s, unsigned seat, unsigned to)
{
	struct mm_step step = {.verb = STEP_MOVE, .count = 1};
	unsigned from = best_source(s, seat, to);
	struct mm_trouble t;

	if (from == HEX_NONE)
		return false;
	step.hex[0] = (uint8_t)from;
	step.hex[1] = (uint8_t)to;
	s->nevents = 0;
	ENSURE(mm_do_step(s, seat, &step, 0, &t));
	return true;
}

static uint32_t all_targets(const struct game_state *s, unsigned seat)
{
	uint32_t from = mm_move_sources(s, seat), to = 0;

	for (; from; from &= from - 1)
		to |= mm_move_targets(s, seat, (unsigned)__builtin_ctz(from));
	return to;
}

/* Enters what is open from position `s` and not yet seen. */
static void spread(struct search *f, const struct game_state *s, unsigned steps)
{
	uint32_t fresh = all_targets(s, f->seat) & ~f->seen;

	for (; fresh; fresh &= fresh - 1) {
		unsigned h = (unsigned)__builtin_ctz(fresh);

		f->after[h] = xmalloc(sizeof *s);
		*f->after[h] = *s;
		ENSURE(enter(f->after[h], f->seat, h));
		f->steps[h] = steps;
		f->seen |= mm_bit(h);
	}
}

static void search(struct search *f, const struct game_state *s)
{
	spread(f, s, 1);
	if (f->most > 1) {
		/* A mole bred on a hex that they claim without one opens new ways too. */
		uint32_t bare = mm_breed_targets(s, f->seat) & ~mm_with_moles(s, f->seat);

		for (; bare; bare &= bare - 1) {
			struct mm_step step = {.verb = STEP_BREED, .count = 1};
			struct game_state after = *s;
			struct mm_trouble t;

			step.hex[0] = (uint8_t)__builtin_ctz(bare);
			after.nevents = 0;
			ENSURE(mm_do_step(&after, f->seat, &step, 0, &t));
			spread(f, &after, 2);
		}
	}
	for (unsigned steps = 2; steps <= f->most; steps++)
		for (unsigned h = 0; h < MM_HEXES; h++)
			if (f->steps[h] == steps - 1)
				spread(f, f->after[h], steps);
}

/* How many steps it takes to claim this hex, once entered; more than there are if it cannot be. */
static unsigned steps_to_claim(struct search *f, unsigned hex)
{
	struct game_state *s = f->after[hex];
	unsigned steps = f->steps[hex];

	while (s->hexes[hex].claim != f->seat) {
		if (steps == f->most || !mm_moles_on(&s->hexes[hex], 0) ||
		    !enter(s, f->seat, hex))
			return MM_REACH + 1;
		steps++;
	}
	return steps;
}

void mm_find_reach(const struct game_state *s, unsigned seat, unsigned most,
                   struct mm_reach *out)
{
	struct search f = {
	    .seat = seat, .most = most, .seen = mm_claims(s, seat) & ~mm_with_moles(s, 0)};

	*out = (struct mm_reach){{0}, {0}};
	search(&f, s);
	for (unsigned h = 0; h < MM_HEXES; h++) {
		if (!f.steps[h])
			continue;
		for (unsigned n = f.steps[h]; n <= MM_REACH; n++)
			out->entered[n] |= mm_bit(h);
		for (unsigned n = s->hexes[h].claim == seat ? MM_REACH + 1
		                                            : steps_to_claim(&f, h);
		     n <= MM_REACH; n++)
			out->claimed[n] |= mm_bit(h);
		free(f.after[h]);
	}
}
