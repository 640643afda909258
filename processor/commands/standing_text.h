/*
 * standing_text.h - orders that a player lays down for a time when nothing else comes: what ALWAYS and
 * QUEUE have in common.
 *
 * They are kept as they were written and read anew when they are needed (substitute_orders.h). Here a
 * game only says what it makes of them as it stands now: nobody knows what it will look like
 * then.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDS_STANDING_TEXT_H
#define MOLEPOST_PROCESSOR_COMMANDS_STANDING_TEXT_H

#include "processor/request/order_entry.h"

/* Parts of the sentence that says who may read it. */
#define STANDING_SEAL "kept under the same seal as orders that are sent"
#define STANDING_COMMIT "they get their commit number when they become the orders of a turn."

struct standing_text {
	struct span
	    text; /* what is kept, in the arena of the mail; "" = none of it is orders */
	unsigned
	    alternatives; /* divided by bars, "popup 3 | popup 4"; the first that is taken counts */
	bool reads;       /* in the position as it is now, of which orders are wanted */
	struct diags diags; /* what the game says to it now; the caller's to release */
};

/*
 * Every line of it is kept as it was written, for what is talk to this position may be orders
 * to another.
 */
struct standing_text standing_text_read(struct request *req, const struct order_entry *s,
                                        struct span lines);
/* Why it cannot be kept at all, a sentence before an example; NULL when it can. */
const char *standing_text_unfit(const struct standing_text *t);
/*
 * "Always a pleasure!": the words behind the command are none of an order, so it is talk above
 * orders for now; they are carried out as if the command were not there.
 */
bool standing_text_is_talk(const struct order_entry *s, const struct command *item);
enum err standing_text_as_orders(struct request *req, const struct command *item) MUST_CHECK;

/* An order that would do now behind the command, else the command alone. */
const char *standing_text_example(struct request *req, const struct order_entry *s,
                                  const char *command);
/* A sentence on whether the game would take it in the position as it is now. */
const char *standing_text_as_it_stands(const struct order_entry *s,
                                       const struct standing_text *t);
/*
 * *last: the last paragraph, `until` and the line that undoes it all; that line and what the
 * game objects to go into the notice.
 */
void standing_text_add_way_back(struct request *req, const struct standing_text *t,
                                const char *until, const char *const *line,
                                struct report_notice *n, const char **last);
/*
 * Answers with this notice, whose game is filled in here, and the signed receipt for what was stored.
 * origin: of the orders that come of it.
 */
enum err standing_text_answer(struct request *req, struct order_entry *s,
                              enum order_origin origin,
                              const struct report_notice *n) MUST_CHECK;
enum err standing_text_refuse(struct request *req, struct order_entry *s, const char *subject,
                              const char *example, const char *why) MUST_CHECK;

#endif
