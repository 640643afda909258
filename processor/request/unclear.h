/*
 * unclear.h - the answer to a mail that was not understood, or not whole.
 *
 * It says what was read and why it does not work, what is stored, until when, and what would work now; with a
 * proposal it is a question whose YES carries that out. What is asked and told follows below.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_UNCLEAR_H
#define MOLEPOST_PROCESSOR_REQUEST_UNCLEAR_H

#include "processor/request/confirmation.h"
#include "processor/request/order_entry.h"
#include "processor/request/request.h"

/* What an answer says; the order is that of the mail. */
struct unclear {
	struct match *match;
	struct seat *seat;
	const char
	    *kind; /* of the outbox row; NULL: "receipt", of which there may be many a day */
	const char *subject;   /* NULL: as the rest of it gives */
	const char *reason;    /* the first sentence; NULL: that `quote` was not understood */
	const char *choice;    /* what to answer; NULL: as usual */
	struct span quote;     /* what was not understood */
	const char *proposal;  /* what a YES carries out; NULL: nothing is asked */
	const char *others[2]; /* further readings */
	size_t nothers;
	const char *unused; /* what of the mail the proposal leaves out; NULL or "": nothing */
	const char *stored; /* a sentence, or NULL */
	struct span stored_orders; /* behind it */
	const struct diags *diags; /* reasons, or NULL */
};

/* The game that is answered, with the speaker's seat; *u untouched when there is none. */
enum err unclear_load_answered(struct request *req, struct unclear *u) MUST_CHECK;
/* "Hi all,": of many lines the last to be quoted. */
bool unclear_is_greeting(struct span line);
/*
 * The question, with a row by which a YES finds it: by the seat it is about, else by the mail's own
 * address.
 */
enum err unclear_ask(struct request *req, const struct unclear *u) MUST_CHECK;
/* The same question once more, as it stands open, with u->reason; a YES to either mail counts. */
enum err unclear_ask_again(struct request *req, struct unclear *u,
                           const struct confirmation *q) MUST_CHECK;
/* Whether a YES must repeat it: who gives up a seat, or ends something for others, is to say so. */
bool unclear_must_be_named(struct span proposal, struct arena *arena);

/*
 * What is asked when a mail of a player was not understood.
 *
 * Orders of which a line was meant and not understood, and lines that may have meant a command, become
 * a question, "Did you mean ...? Answer YES."; a YES carries out what was proposed, once, as if it had
 * stood in that mail (meant.h). Of lines nothing can be made of, it is told what would work.
 */

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
 * when there is none. *show not NULL: a line that only shows something, or FIRST_GAME, perhaps AS a name, for the
 * caller to carry out.
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
