/*
 * sitting.h - a speaker's seat with its open turn, ready for orders.
 *
 * Orders belong to the turn they answer: a mail that answers a turn which is over, or that came after
 * the deadline, is never applied to the next turn. Whoever sits down here may order now.
 */
#ifndef MOLEPOST_PROCESSOR_SITTING_H
#define MOLEPOST_PROCESSOR_SITTING_H

#include "processor/dealing.h"

struct sitting {
	struct hand hand;
	struct seat *seat;
	struct order_set set;
	struct span before; /* orders in force, ptr NULL if none */
	unsigned last;      /* newest revision, also of a CLEAR */
};

/*
 * Loads the seat the item is about. *ready false: the sender has been told why no orders can be taken.
 * Release in any case.
 */
enum err sit_down(struct dealing *d, const struct letter_item *item, struct sitting *s,
                  bool *ready) MUST_CHECK;
void sitting_release(struct sitting *s);

#endif
