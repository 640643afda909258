/*
 * unclear.h - the answer to a mail that was not understood, or not whole.
 *
 * It says what was read and why it does not work, what is stored, until when, and what would work now; with a
 * proposal it is a question whose YES carries that out. did_you_mean.c asks and tells.
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
 * The first line with an error; else of those passed over the one that says most: it speaks of orders of the game
 * in *u (if any), or is at least no greeting; else the first of all that is none.
 */
struct span unclear_line(const struct request *req, const struct unclear *u,
                         const struct diags *diags);
/* The line a diagnostic is about, as it was written; empty: it is about none. */
struct span unclear_line_at(const struct request *req, unsigned line);
/* What is stored for the seat's turn now. */
void unclear_say_stored(const struct order_entry *s, struct unclear *u);
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
/* The same as a statement; `kind` is that of the outbox row. */
enum err unclear_tell(struct request *req, const struct unclear *u,
                      const char *kind) MUST_CHECK;

#endif
