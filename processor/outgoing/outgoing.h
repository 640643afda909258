/*
 * outgoing.h - putting one mail of ours into the outbox.
 *
 * What it says and its Message-ID are fixed here, in the transaction that caused the mail; perhaps
 * in outline, of which the bytes are made later, always the same. All mails of one seat and game
 * form one thread: the first carries the thread's id as its Message-ID, every later one names it
 * in References.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_OUTGOING_H
#define MOLEPOST_PROCESSOR_OUTGOING_OUTGOING_H

#include "processor/outgoing/codec.h"
#include "processor/outgoing/digest_policy.h"
#include "reports/report.h"
#include "store/games.h"
#include "store/outbox.h"
#include "store/players.h"
#include "store/turns.h"

struct receipt_draft; /* receipt.h */

/* The kind of the last mail of a game: who sends it adds a page that replays the game, and its record. */
#define END_KIND "end"

/* Writes what a mail says, in words or, if it can, in outline. */
struct outgoing_writer {
	void (*write)(const void *ctx, struct report_out *out);
	void (*outline)(const void *ctx, struct codec *t); /* or in outline; records */
	void (*release)(void *ctx); /* what `ctx` holds outside the arena; NULL = nothing */
	void *ctx;
};

struct outgoing {
	const char *kind; /* of the outbox row: "receipt", "report", ... */
	const char *key;  /* with kind, game, seat and serial: what makes this mail unique */
	const struct game *game; /* NULL = about no game */
	struct seat *seat; /* NULL = to a person without a seat; its mail counter is raised */
	/* The number the seat had until now, if another: that thread goes on too. */
	unsigned moved_from;
	unsigned serial; /* the turn an answer to this mail is about */
	int64_t player;  /* 0 = a stranger */
	struct span address;
	bool exactly; /* to that address, even if another is used in its place */
	struct mail_form form;
	const struct report_out *report; /* what it says; or else the writer of it */
	struct outgoing_writer writer;
	const char *postscript;    /* a constant below all that; NULL = none */
	int64_t confirmation;      /* the one it asks, 0 = none */
	int64_t cause;             /* inbox id of the mail answered, 0 = none */
	struct span in_reply_to;   /* its Message-ID, may be empty */
	struct span references;    /* ids of its References, may be empty */
	const char *reply_to;      /* instead of the seat's reply address; NULL = that */
	const char *unsubscribe;   /* the line that stops mails like this one; NULL = none */
	bool replied;              /* an answer, not sent on our own account */
	bool resend;               /* the mail counter stays */
	struct digest_policy keep; /* whether it may wait for another mail ... */
	const struct report_out *carried; /* ... and how it stands there */
	bool brings; /* what waits for this player about this game stands in it */
	const int64_t
	    *folds; /* outbox rows of which the same is true, and that have not left yet */
	size_t nfolds;
};

/* A store_words_fn; ctx is the server. */
enum err outgoing_words(void *server, struct span message_id, struct span outline,
                        struct strbuf *message) MUST_CHECK;
/*
 * The receipt behind an outline, to be released, and the Message-ID it answers; NULL when it is none, or
 * of another program.
 */
struct receipt_draft *outgoing_receipt(struct server *srv, struct span outline,
                                       struct arena *arena, struct span *in_reply_to);
/* Body and proof of a mail of ours, for repeating it; false when it is none. */
bool outgoing_read_back(struct span message, struct report_out *out) MUST_CHECK;
/* The key of what is sent when the turn with this serial is over. */
const char *outgoing_key_after(unsigned serial, struct arena *arena);
/*
 * Whether this Message-ID is that of the report with which the turn was opened to the seat as it is now. It is
 * computed, so nothing is looked up: true is true, and false may be another mail, or the report of a turn
 * that did not follow its parent.
 */
bool outgoing_is_report(const struct server *srv, const struct turn *turn,
                        const struct seat *seat, struct span message_id, struct arena *arena);
/* The finished row, in the arena; raises seat->mails. Pure but for that. */
void outgoing_prepare(const struct server *srv, const struct outgoing *p, struct arena *arena,
                      struct outbox_mail *out);
/* The row, in outline if the writer can, and the seat's counter are written. */
enum err outgoing_add(struct server *srv, const struct outgoing *p,
                      struct arena *arena) MUST_CHECK;

#endif
