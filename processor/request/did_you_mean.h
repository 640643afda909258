/*
 * did_you_mean.h - what is asked when a mail of a player was not understood.
 *
 * Orders of which a line was meant and not understood, and lines that may have meant a command, become
 * a question, "Did you mean ...? Answer YES."; a YES carries out what was proposed, once, as if it had
 * stood in that mail (meant.h). Of lines nothing can be made of, it is told what would work.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_DID_YOU_MEAN_H
#define MOLEPOST_PROCESSOR_REQUEST_DID_YOU_MEAN_H

#include "processor/request/confirmation.h"
#include "processor/request/order_entry.h"

/*
 * Orders that were not understood whole. `good`: what of them was, ptr NULL if nothing. It is kept
 * unfinished (order_entry_store_draft), and so is what was in force when the mail tried to order in the very
 * language, so that the turn waits for the next mail; then the question goes out, with as many readings
 * as `guesses` has. `scope`: for which other turns they are (loose_order_scope), whereupon nothing is kept for this
 * one; NULL: for this one.
 */
enum err ask_about_orders(struct request *req, struct order_entry *s, struct span good,
                          const struct diags *diags, const struct order_guesses *guesses,
                          const char *scope) MUST_CHECK;
/* What this seat was played with in the turn before; ptr NULL when there is none. */
enum err orders_before(struct request *req, const struct match *match, unsigned seat,
                       struct span *out) MUST_CHECK;
/*
 * Whether some line of the mail, none of which is a command, has words that ask for one; beside orders, for one
 * that changes something: those that only show are carried out besides.
 */
enum err sounds_like_a_command(struct request *req, bool beside_orders, bool *yes) MUST_CHECK;
/*
 * Commands that lines which are none may have meant: a question about the best reading. *done false
 * when there is none. *show not NULL: a line that only shows something, or FIRST_GAME, for the caller to carry out.
 */
enum err ask_about_commands(struct request *req, bool *done, const char **show) MUST_CHECK;
/*
 * Whether the mail may be one to somebody else: it answers none of ours, names no game in its commands, and has more lines
 * beside its commands than people write who ask us for something. A line "HISTORY" in it may be a heading, and none
 * of its commands is carried out.
 */
enum err talks_to_others(struct request *req, bool *yes) MUST_CHECK;
/*
 * What a question asks for that stands in the mail beside what was understood: a line that only shows something, for
 * the caller to carry out; NULL: there is none.
 */
enum err question_beside(struct request *req, const char **show) MUST_CHECK;

/* ---- nothing, or nothing more, was made of a mail ----
 *
 * In the thread of the game, with what is stored, until when, and what would work now; the general
 * guide is for who plays nowhere.
 */

/* Lines that were nearly commands and that no receipt has spoken of. */
enum err tell_near_commands(struct request *req) MUST_CHECK;
/* The mail answers one of a game, and nothing was made of it: how to go on there. */
enum err tell_not_understood_in_game(struct request *req, bool *done) MUST_CHECK;

#endif
