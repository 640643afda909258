/*
 * order_entry.h - a speaker's seat with its open turn, ready for orders.
 *
 * Orders belong to the turn they answer: a mail that answers a turn which is over, or that came
 * after the deadline, is never applied to the next turn. Whoever sits down here may order now.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_ORDER_ENTRY_H
#define MOLEPOST_PROCESSOR_REQUEST_ORDER_ENTRY_H

#include "processor/match/substitute_orders.h"
#include "processor/request/request.h"

struct sitting {
	struct hand hand;
	struct seat *seat;
	struct order_set set;   /* what has come */
	struct provisions laid; /* of all seats, as the mail found them */
	struct span before;     /* orders in force, ptr NULL if none */
	unsigned last;          /* newest revision, also of a CLEAR */
};

/*
 * Loads the seat the item is about. *ready false: the sender has been told why no orders can be
 * taken. Release in any case.
 */
enum err sit_down(struct dealing *d, const struct letter_item *item, struct sitting *s,
                  bool *ready) MUST_CHECK;
/* The same for what is about no turn: any mail will do, answering whichever turn, at any time. */
enum err sit_at_table(struct dealing *d, const struct letter_item *item, struct sitting *s,
                      bool *ready) MUST_CHECK;
/* The same, and if he may he does `act` there; the seat is released. */
typedef enum err sitting_act(struct dealing *d, struct sitting *s,
                             const struct letter_item *item);
enum err sitting_at_table(struct dealing *d, const struct letter_item *item,
                          sitting_act *act) MUST_CHECK;
/* Whether the mail came after the deadline of the turn in hand. */
bool sitting_is_late(const struct dealing *d, const struct sitting *s);
/* Whether the turn in hand is open and the mail came before its deadline. */
bool sitting_in_time(const struct dealing *d, const struct sitting *s);
/*
 * One more revision of the open turn: into the store and into the set in hand. The caller fills in
 * origin, cleared, received_utc, mail, salt and canonical. A draft it overtakes is dropped.
 */
enum err sitting_store(struct dealing *d, struct sitting *s,
                       const struct order_revision *r) MUST_CHECK;
/*
 * Stores what the mail lays down for the seat (kind, number, nowait, text), or takes it back, and
 * sees anew whether the open turn has something that steps in.
 */
enum err sitting_lay_down(struct dealing *d, struct sitting *s,
                          const struct provision *p) MUST_CHECK;
enum err sitting_take_back(struct dealing *d, struct sitting *s, enum provision_kind kind,
                           unsigned number) MUST_CHECK;
void sitting_release(struct sitting *s);

#endif
