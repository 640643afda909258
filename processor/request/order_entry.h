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

struct order_entry {
	struct match *match; /* req->match */
	struct seat *seat;
	struct order_set set;            /* what has come */
	struct standing_orders standing; /* of all seats, as the mail found them */
	struct span before;              /* orders in force, ptr NULL if none */
	unsigned last;                   /* newest revision, also of a CLEAR */
};

/*
 * Finds the seat the item is about. *ready false: the sender has been told why no orders can be
 * taken.
 */
enum err order_entry_open(struct request *req, const struct command *item,
                          struct order_entry *s, bool *ready) MUST_CHECK;
/* The same for what is about no turn: any mail will do, answering whichever turn, at any time. */
enum err order_entry_open_seat(struct request *req, const struct command *item,
                               struct order_entry *s, bool *ready) MUST_CHECK;
/* What is done there. */
typedef enum err order_entry_fn(struct request *req, struct order_entry *s,
                                const struct command *item) MUST_CHECK;
/*
 * What the game said of `lines`, read over `before`, with examples made from them (repair.h); `ok` is what
 * read_orders gave.
 */
void order_entry_repair(const struct order_entry *s, struct span before, struct span lines,
                        bool ok, struct diags *diags);
/* Whether the mail came after the deadline of the turn in hand. */
bool order_entry_is_late(const struct request *req, const struct order_entry *s);
/* Whether the turn in hand is open and the mail came before its deadline. */
bool order_entry_in_time(const struct request *req, const struct order_entry *s);
/*
 * One more revision of the open turn: into the store and into the set in hand. The caller fills in
 * origin, cleared, received_utc, mail, salt and canonical. A draft it overtakes is dropped.
 */
enum err order_entry_store(struct request *req, struct order_entry *s,
                           const struct order_revision *r) MUST_CHECK;
/*
 * Keeps orders as a draft of the open turn, which waits for the seat and takes them at the deadline
 * if nothing else comes. Orders in force give way to it.
 */
enum err order_entry_store_draft(struct request *req, struct order_entry *s,
                                 struct span canonical) MUST_CHECK;
/* The draft of the open turn, ptr NULL if there is none. */
struct span order_entry_draft(const struct order_entry *s);
/*
 * Stores what the mail brings for later turns of the seat (kind, number, nowait, text), or takes it back, and
 * sees anew whether the open turn has something that steps in.
 */
enum err order_entry_store_standing(struct request *req, struct order_entry *s,
                                    const struct standing_order *p) MUST_CHECK;
enum err order_entry_drop_standing(struct request *req, struct order_entry *s,
                                   enum standing_order_kind kind, unsigned number) MUST_CHECK;

/*
 * What a receipt adds about the mail it answers.
 *
 * Mails count in the order in which they arrive, whatever their Date says: a clock of the
 * sender's must not decide what stands, and whoever reads a receipt must be able to rely on it.
 * When the mails were written in the other order, the receipt says so and which orders stand, so
 * that the player can put it right with one more mail. Which mail of ours is answered is no sign:
 * people answer old mails with new orders.
 */

/*
 * Before the revision of the mail in hand is stored: a sentence when it was written before the mail
 * of the newest revision, else NULL. `clears`: it withdraws them.
 */
enum err receipt_note_overtaken(struct request *req, const struct order_entry *s, bool clears,
                                const char **out) MUST_CHECK;

#endif
