/*
 * report.h - the mails people read, from plain values to text.
 *
 * Every function here is pure: values in, subject and body out. Bodies are
 * UTF-8, LF, lines of at most 72 columns, or as many as the reader wants; only proofs (SET PROOF SHOWN) may
 * be wider then. A line that ends in a blank goes on in the next (format=flowed). No line of a body may parse as a
 * command or an order when the mail comes back: examples stand behind "| ", echoes behind "> ".
 * The news comes first, then what the reader must do; what nobody has to read (which mail of which
 * game, help) stands below the signature separator, and what proves something beside the body (`proof`). Nobody's orders, names of addresses or
 * tokens appear in a body.
 */
#ifndef MOLEPOST_REPORTS_REPORT_H
#define MOLEPOST_REPORTS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/diag.h"
#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"
#include "processor/base/zone.h"
#include "processor/games/doc.h"
#include "processor/games/rules.h"

enum { REPORT_COLS = 72, REPORT_COLS_LEAST = 30 };

/* How a reader wants it. */
struct report_form {
	unsigned cols;    /* lines of prose, boards, tables; 0 = REPORT_COLS */
	bool words;       /* boards in words, not drawn */
	bool proof_shown; /* what proves something stands in the body */
};

struct report_out {
	struct strbuf subject;
	struct strbuf body;
	struct strbuf proof;     /* the text that goes beside it; empty = none */
	struct report_form form; /* set by the caller */
};
/* clang-format off */
#define REPORT_OUT_FOR(form) { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, form }
#define REPORT_OUT_INIT { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, { 0 } }
/* clang-format on */
void report_out_release(struct report_out *l);

/* What every mail about a game names. */
struct report_game {
	const char *id;         /* "W17" */
	const char *kind_title; /* "Whakka Mole" */
	const char *title;      /* name of the game, "" if none */
	const char *label;      /* "turn 4", "" before the start */
	unsigned serial;
	unsigned seat; /* the reader; 0 = nobody's */
	const char *seat_name;
	unsigned nseats;
	unsigned mail_number; /* "mail n of this game", 0 = leave out */
	bool fixed_subject;   /* "[W17] Whakka Mole" for every mail */
	bool observer;        /* the reader watches, without a seat ... */
	bool ended;           /* ... and nothing more will come */
	bool carried;         /* it is to stand inside another mail: without the small print */
	const struct zone *zone; /* times are shown in; NULL = UTC */
};

/* Who is awaited and until when. */
struct report_clock {
	int64_t now_utc;
	int64_t deadline_utc;       /* 0 = none */
	const char *const *awaited; /* names of seats that owe and have sent nothing */
	size_t nawaited;
	const char *const *holding; /* names set to wait (SET WAIT) */
	size_t nholding;
	bool reader_holds;
	bool paused; /* by its master or by a vote */
	bool held;   /* the operator holds the game */
	const char *held_reason;
	int64_t grace_utc;  /* until when the late may send orders; 0 = they may not */
	int64_t settle_utc; /* all orders are in, but may be changed till then; 0 = not so */
	const char *const *vacant; /* names of seats that can be taken over */
	size_t nvacant;
	bool undated; /* it is read later: no hours are counted */
};

struct report_commitment {
	const char *seat_name;
	unsigned seat, revision; /* revision 0: default */
	struct hash commitment;
	const char *origin; /* order_origin_name */
	/* Reveal, only in turn reports; orders.ptr NULL = not revealed. */
	struct span orders;
	struct hash nonce;
	struct span salt;
};

/* What a seat contributed to the draws of a turn, since version 3 of the record. */
struct report_first {
	unsigned seat, receipts; /* how many it has got in the turn, or to join */
	struct hash
	    first; /* commitment of the first, or contribution of the JOIN; zero = none */
};

/* A mail that waited and now stands inside another one. */
struct report_digest_item {
	const char *what;    /* "receipt", "message", "report": what the mail is */
	unsigned number;     /* "mail n of this game", 0 = it has none */
	int64_t written_utc; /* when it would have gone out */
	bool past;           /* a report of a turn that is over by now */
	bool moved; /* a report of the open turn with a deadline that no longer holds */
	struct span text, proof; /* its body, written with `carried`, and its proof */
};

/* Receipt for orders, CLEAR, SET WAIT, CHECK. */
struct report_receipt {
	struct report_game game;
	struct report_clock clock;
	enum {
		RECEIPT_STORED,
		RECEIPT_UNCHANGED,
		RECEIPT_CLEARED,
		RECEIPT_CHECKED,
		RECEIPT_REFUSED
	} what;
	const char *subject;         /* instead of what follows from `what`, NULL = none */
	unsigned revision, replaces; /* replaces 0 = first */
	int64_t received_utc;
	struct span canonical;      /* the orders now in force (or checked); empty = none */
	const char *silence;        /* part_silence; NULL = the game's default */
	struct span default_orders; /* what happens without orders */
	bool drafted;               /* RECEIPT_CHECKED: they are used if nothing else comes */
	bool not_awaited;           /* no orders are wanted from this seat in this turn */
	const struct diags *diags;
	const char *const *notes; /* further sentences: "SET WAIT noted", late, barred lines */
	size_t nnotes;
	const struct report_commitment *commitments; /* in force so far, all seats */
	size_t ncommitments;
	struct span receipt_proof;  /* proof_add_receipt, "" if none */
	const struct doc *examples; /* DOC_EXAMPLE blocks */
};
void report_receipt(const struct report_receipt *r, struct report_out *out);
/* What it says besides of the mail with the orders, "" when that was taken as it was meant; r->diags is not NULL. */
void report_receipt_remarks(const struct report_receipt *r, struct report_form form,
                            struct strbuf *out);

/*
 * What a report takes over from one that asked its reader for nothing and has waited for it: the story, and
 * its proofs. Borrowed from that one's text.
 */
struct report_earlier {
	struct span story, proofs;
};
/* From body and proof of such a report. False when there is more in it: a message, or no story. */
bool report_turn_take_over(struct span body, struct span proof, struct report_earlier *out);

/* A receipt for orders, as the report of its turn has it. */
struct report_stored {
	unsigned mail_number;
	struct span canonical;
	struct span remarks;       /* report_receipt_remarks */
	struct span receipt_proof; /* as in report_receipt */
};

/* What a player has written: to somebody, or into their diary. */
struct report_message {
	const char *from; /* a seat's name; NULL = not said */
	unsigned from_seat;
	const char *const *to; /* names of the seats; not of a diary */
	size_t nto;
	bool to_all; /* observers read it too */
	int64_t written_utc;
	struct span text; /* anything; lines end in LF */
};

/* The mail that brings a message to one reader. */
struct report_press {
	struct arena *arena;
	struct report_game game; /* of the reader */
	struct report_message message;
	bool reader_owes; /* orders, in the turn that is open */
};
void report_press(const struct report_press *r, struct report_out *out);

/* What the writer is told, once, whoever gets it. */
struct report_press_receipt {
	struct report_game game;
	struct report_message message; /* from NULL: its readers are not told who wrote it */
	bool waits;                    /* for the next report */
	unsigned entry;                /* of the diary; 0 = it is a message */
	const char *const *notes;      /* who does not get it and why, and so on */
	size_t nnotes;
};
void report_press_receipt(const struct report_press_receipt *r, struct report_out *out);

/* What the last mail of a game tells besides. */
struct report_ending {
	const char *const *highlights; /* sentences */
	size_t nhighlights;
	bool counted; /* the reader's turns count for the reliability ... */
	unsigned reliability_before, reliability_after; /* ... in percent */
	bool rated;
	long rating_before, rating_after;
	bool provisional;
	unsigned fork_turn; /* a turn from which play against bots makes sense; 0 = none */
	const char *
	    other_kinds; /* games that a reader has not played, whose first this was; NULL: it was not */
	bool had_seat;       /* the reader had a seat, but not to the end */
	bool is_attached;    /* replay page and record go with the mail */
	const char *website; /* has the page that checks the record (website.h); NULL: none */
};

/* The turn report, also the first ("turn 1 begins") and the last ("game over"). */
struct report_turn {
	struct report_game
	    game; /* label and serial of the turn that is now open, or was the last */
	struct report_clock clock;
	const char *resolved_label; /* of the turn just resolved, NULL at the start */
	const char *goes_on; /* with NULL there: a fork, and from where; a sentence or more */
	const char *master;  /* and who looks after the game, a sentence; NULL = not said */
	const char *bots;    /* and how well those of the server play; NULL = there are none */
	const struct doc *view; /* rules->view for this reader */
	const struct doc *examples;
	const struct game_result *result;
	const char *const *names;  /* of who plays now; index = seat */
	const char *const *missed; /* names of those who sent nothing this turn (NMR) */
	size_t nmissed;
	const char *const *resigned; /* who left this turn */
	size_t nresigned;
	const char *const *came; /* how orders of others than in their mails came, sentences */
	size_t ncame;
	const char *silence; /* part_silence; NULL = the game's default */
	struct span default_orders;
	struct span in_force; /* orders of the reader's that are in force already; "" = none */
	const char *in_force_as; /* "queued orders", "standing orders" */
	bool put_off;            /* the deadline is later than usual, since a player is away */
	const char *note;        /* what became of the reader's queue; NULL = nothing to say */
	const struct report_commitment *commitments; /* of the turn resolved */
	size_t ncommitments;
	const struct report_first *firsts; /* of it too, one for each seat */
	size_t nfirsts;
	struct hash head; /* archive chain */
	unsigned head_lines, head_serial;
	bool
	    head_has_words; /* record of version 2: the serial is signed too, words are printed */
	unsigned char head_signature[SIGNATURE_LEN];
	bool reader_owes; /* this reader must send orders now */
	unsigned
	    idle_turns; /* nobody sent orders so often running, and once more ends it; else 0 */
	bool ended;
	const char *end_status;     /* "over", "abandoned", "cancelled" */
	struct hash secret;         /* revealed when ended */
	const char *const *actions; /* public log entries since the last report */
	size_t nactions;
	const struct report_message *messages; /* that have waited for this report */
	size_t nmessages;
	const struct report_message *diaries; /* of all seats, when ended */
	size_t ndiaries;
	const char
	    *absences;    /* who has missed turns or was late so far, a sentence; "" = nobody */
	bool last_chance; /* nothing sent this turn, and the reader's seat is vacant */
	/*
	 * The turn that was broken off, NULL: none was. Then nothing happened in it but
	 * `actions`, and the position is that of an earlier turn, whose story has been told.
	 */
	const char *aborted_label;
	const struct report_digest_item *enclosed; /* mails that have waited for this report */
	size_t nenclosed;
	const struct report_stored *stored; /* receipts that stand in it and go out no more */
	size_t nstored;
	const struct report_earlier
	    *earlier; /* the reports before it that have waited for it */
	size_t nearlier;
	/* Set by the report itself where it would be too long: turns before these, and what else. */
	bool leaves_out, leaves_story, leaves_highlights, leaves_board;
	bool waits;               /* it asks for nothing and goes out with the next one */
	bool acted;               /* the reader, in the turn it tells of */
	const char *moving;       /* who moves now, "Bot Ada" */
	const char *tip;          /* for a beginner, a sentence or two; NULL = none */
	const struct doc *basics; /* rules->basics, in the place of a welcome; NULL = none */
	const struct report_ending *ending; /* when ended */
};
void report_turn(const struct report_turn *r, struct report_out *out);
/* Whether it is for somebody at a seat who has nothing to do: then it is as short as can be. */
static inline bool report_turn_is_idle(const struct report_turn *r)
{
	return r->game.seat > 0 && !r->reader_owes && !r->ended && !r->aborted_label;
}

/* What can be checked: shown to everybody who comes into a game. */
struct report_fair {
	struct hash secret_hash;
	struct hash public_key;
};

/* Welcome to a game: seat taken, or game created. */
struct report_welcome {
	struct report_game game;
	bool created;              /* the reader just created it ... */
	bool seats_are_kept;       /* ... for people who have been asked already */
	bool waiting_confirmation; /* answer YES first */
	bool others_are_asked;     /* whether they are still there, before it begins */
	unsigned seats_taken;
	const char *bots;         /* how well those of the server play; NULL = there are none */
	const char *const *names; /* index = seat; NULL = free; marked: "Ann (master, you)" */
	bool master_is_apart;     /* and has no seat */
	const char *options;      /* "target=30", changed ones only, "" if none */
	const char *next;         /* "3D" */
	const char *pace;         /* in words, when there is more to say than that; else "" */
	int64_t start_utc;        /* begins not before that; 0 = when it is full */
	int64_t now_utc;
	bool is_private;
	const char *join_key; /* shown to the creator of a private game, NULL otherwise */
	bool starts;          /* as the master: START WITH BOTS, else a game anew ... */
	const char *alone;    /* ... by the line that makes such a one; NULL: CREATE */
	struct report_fair fair;
	const char *about;          /* rules->about */
	const struct doc *basics;   /* rules->basics */
	const struct doc *examples; /* order examples of the kind, may be NULL */
	const char *const *notes;
	size_t nnotes;
	struct span seat_proof; /* proof_add_seat, "" if none */
};
void report_welcome(const struct report_welcome *r, struct report_out *out);

/* One row of LIST. */
struct report_list_row {
	const char *id, *kind_title, *title, *status, *options, *next;
	const char *pace; /* as in report_welcome */
	unsigned nseats, taken, bots;
	unsigned
	    vacant; /* seats of a running game that can be taken over; they count as taken */
	bool is_private;
	bool readers_own;    /* the reader sits in it: no use to tell them how to join */
	bool seats_are_kept; /* for others than the reader */
	struct hash secret_hash;
	const char *label;
	int64_t deadline_utc;
	int64_t start_utc; /* begins not before that; 0 = when it is full */
	const char *there; /* "Ann and Bob", who play; "" = nobody who is known */
	const char *from;  /* a sentence: where it comes from; NULL: from nowhere else */
	unsigned observers;
	const char *press;  /* what may be said there, a sentence; only of one game in full */
	const char *misses; /* what becomes of those who stay silent; likewise */
	const char *master; /* of one game in full; NULL = not said */
};
/* rows of all open games, or (one = true) one game in full with its seats. */
struct report_list {
	const struct report_list_row *rows;
	size_t nrows;
	bool one;
	const char *const *names; /* of the one game, index = seat */
	int64_t now_utc;
	const struct zone *zone; /* times are shown in; NULL = UTC */
};
void report_list(const struct report_list *r, struct report_out *out);
/* What it says of seats, pace and options, without a moment in it: "1 of 2 seats taken (Ann), 1 free. ..." */
void report_list_terms(const struct report_list_row *row, struct strbuf *out);

/* Something a player has stored for later: for their own eyes. */
struct report_standing_order {
	const char *lead; /* a sentence; with a text it ends in ':' */
	struct span text; /* as they wrote it; "" = none */
};

/*
 * STATUS of one game; with `subject` and `lead` also what is sent unasked with the whole position: a
 * reminder, a seat that was taken over.
 */
struct report_status {
	const char *subject;     /* instead of "how it stands"; NULL = that */
	const char *const *lead; /* paragraphs before all else */
	size_t nlead;
	bool last_chance;               /* as in report_turn */
	const char *pace;               /* as in report_welcome */
	const struct report_fair *fair; /* NULL = not shown */
	struct report_game game;
	struct report_clock clock;
	const char *status;    /* game_status_name */
	struct span canonical; /* reader's orders in force, ptr NULL = none */
	unsigned revision;
	int64_t received_utc;
	const char *silence; /* part_silence; NULL = the game's default */
	struct span default_orders;
	/* What the reader has stored for this case, default_orders, counts: it is too late for others. */
	bool stepped_in;
	const struct report_standing_order *standing; /* what the reader has stored */
	size_t nstanding;
	bool reader_owes;
	const char *const *names;
	const struct report_commitment *commitments;
	size_t ncommitments;
	const struct doc *view; /* the position, may be NULL */
	const struct doc *examples;
	unsigned turn_number;  /* of the open turn in the line of play; 0 = none */
	const char *master;    /* "Ann, who plays too"; NULL = nobody */
	bool reader_is_master; /* or a co-master */
	bool reader_is_co_master;
	bool unrated;             /* the master has acted without the others */
	const char *const *votes; /* how they stand, a sentence each */
	size_t nvotes;
};
void report_status(const struct report_status *r, struct report_out *out);

/* SUMMARY: table of turns. */
struct report_summary_row {
	const char *label;
	int64_t sealed_utc;
	const char *const *scores; /* index = seat; [0] unused */
	unsigned missed;
};
struct report_summary {
	struct report_game game;
	const char *const *names;
	const struct report_summary_row *rows;
	size_t nrows;
};
void report_summary(const struct report_summary *r, struct report_out *out);

/* ANALYSE: how the chances to win went, and what moved those of one seat most. In thousandths. */
struct report_analysis_turn {
	unsigned number; /* as FORK and PRACTICE count */
	const char *label;
	const int *chance; /* index = seat */
};
struct report_moment {
	const char *label;
	int by_orders, by_luck;       /* what came of the orders of all, and of draws */
	struct span ordered, advised; /* "": none */
	/* Thousandths: what `advised` brings more, how far that may be off, how often it wins at once. */
	unsigned gain, error, wins;
	unsigned number; /* of the turn before it, to play on from */
};
struct report_analysis {
	struct report_game game;
	const char *const *names;
	unsigned subject; /* the seat that the moments are about */
	unsigned games, margin;
	bool luck;     /* something was drawn in this game */
	bool whole;    /* from its start on; else its last turns only */
	bool wordless; /* the bots had no word list where they played on */
	const struct report_analysis_turn *turns;
	size_t nturns;
	const struct report_moment *moments;
	size_t nmoments;
};
void report_analysis(const struct report_analysis *r, struct report_out *out);

/* The puzzle of a week. */
struct report_puzzle {
	const char *kind_title, *place; /* "Whakka Mole, W17, turn 4" */
	const char *seat_name;          /* whose orders are asked for */
	const struct doc *view;         /* what that seat could see */
	struct span example;  /* orders that do nothing, and so are not the solution */
	bool wins_at_once;    /* else it is far better than most */
	const char *solved;   /* of the one before: its place, NULL = there was none, */
	struct span solution; /* what solves it, */
	bool won_at_once;     /* and what that brings */
	unsigned gain;
};
void report_puzzle(const struct report_puzzle *r, struct report_out *out);
/* The same as part of a page, well-formed XML. */
void report_puzzle_page(const struct report_puzzle *r, struct strbuf *out);

/* RATINGS: the best of one kind of game, or of all. */
struct report_rating_row {
	const char *name;
	long points;
	bool provisional; /* few games so far */
	unsigned games, wins;
	unsigned reliability; /* percent */
};
struct report_ratings {
	const char *kind_title; /* NULL = all kinds */
	const struct report_rating_row *rows;
	size_t nrows;
	size_t most;                            /* how many are shown at the most */
	unsigned first_games;                   /* so many are provisional */
	const struct report_rating_row *reader; /* NULL: has none, or is nobody */
};
void report_ratings(const struct report_ratings *r, struct report_out *out);

/* WHO: one person, or several of the same name. */
struct report_person_kind {
	const char *kind_title; /* NULL = all games */
	long points;
	bool provisional;
	unsigned games, wins;
};
struct report_person {
	const char *name;
	int64_t since_utc;
	unsigned reliability; /* percent */
	unsigned turns, missed, late;
	const struct report_person_kind *kinds; /* all games first; none = no rated game */
	size_t nkinds;
	unsigned thanked; /* so often, by others */
};
struct report_who {
	const struct report_person *people;
	size_t n;
	bool reader; /* the one person is the reader */
	const struct zone *zone;
};
void report_who(const struct report_who *r, struct report_out *out);

/* The short guide, or help on one topic. */
enum guide_topic { GUIDE_SHORT, GUIDE_COMMANDS, GUIDE_KIND, GUIDE_TOPIC };
struct report_guide {
	enum guide_topic topic;
	const char *topic_word;     /* GUIDE_TOPIC: "JOIN", "CREATE", ... */
	const struct rules *kind;   /* GUIDE_KIND; for examples, NULL = any */
	const struct doc *kind_doc; /* rules->guide */
	struct span command_table;  /* grammar_add_table */
	struct span
	    unread; /* the first lines that were not understood, echoed; "" if none. Never for strangers */
	const char *reason;  /* a sentence above it, NULL if none */
	const char *example; /* how it is written, below the reason; NULL or "" if none */
	const char *address; /* of the server */
	/* Where the reader sits, if they answer a mail of it: it stays in its thread. NULL = none. */
	const struct report_game *game;
	const struct report_clock *clock; /* of its open turn; NULL = none */
	const char *orders; /* that would do there; NULL = those of a fresh game */
};
void report_guide(const struct report_guide *r, struct report_out *out);
/* The word under which HELP explains these, in any case: "SET MAIL" of "digest"; empty if none. */
struct span report_topic(struct span words);

/* A list that NULL ends, for this block. */
#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Everything else: a few sentences, an example, and where they belong. */
struct report_notice {
	const struct report_game *game; /* NULL = none */
	const char *subject;            /* a few words, put behind the game's tag */
	const char *const *paragraphs;  /* NULL ends them, and the examples: TEXTS */
	struct span orders; /* canonical, shown behind the first paragraph, "" if none */
	struct span stored; /* the same behind the third: what is stored */
	const char *const *examples;      /* lines that work, shown behind "| "; NULL = none */
	const struct report_clock *clock; /* who is awaited until when; NULL = not said */
	struct span attachment;    /* text added verbatim at the end (an archive), "" if none */
	struct span stored_proof;  /* proof_add_seat of what was stored for later, "" if none */
	const struct diags *diags; /* may be NULL */
};
void report_notice(const struct report_notice *r, struct report_out *out);

/* One game in a digest. */
struct report_digest_game {
	unsigned seat; /* when the reader has several there, else 0 */
	const char *seat_name;
	const char *id, *kind_title, *label; /* label: of the turn that is open */
	bool owes;    /* the reader must send orders, or may change them */
	bool ordered; /* theirs are stored */
	bool held;
	int64_t deadline_utc; /* 0 = none */
	bool paused;
	const char *role; /* "you observe it"; NULL: they have a seat there */
	bool ended;
	const struct report_digest_item *enclosed;
	size_t nenclosed;
};

/* All that waited for a player, about all their games: the mail that players call a digest. */
struct report_digest {
	unsigned number; /* the how many-th of the reader's */
	const struct zone *zone;
	int64_t now_utc;
	const char *rhythm; /* a sentence: when digests come */
	const struct report_digest_game *games;
	size_t ngames;
};
/*
 * What stands above the form in it; how the line that stands for orders begins; its last line. The
 * latter two stand behind "  | ".
 */
extern const char report_form_lead[];
extern const char report_form_begin[];
extern const char report_form_end[];
void report_digest(const struct report_digest *r, struct report_out *out);

/* A doc as text, 72 columns: for replay, HISTORY and tests. */
void report_text(const struct doc *d, struct strbuf *out);
/* The same to stand in a mail. */
void report_text_for(const struct doc *d, struct report_form form, struct strbuf *out);
/* The board of a doc as it stands in such a text, its caption with it, trimmed. */
void report_text_board(const struct doc_block *board, struct report_form form,
                       struct strbuf *out);

struct mailto; /* mailto.h */
/* A picture in place of a board that a text draws. */
struct report_picture {
	struct span drawn; /* that part of the text, of whole lines */
	const struct doc_board
	    *board;      /* what it says in words is told to who does not see it */
	struct span id;  /* cid: */
	unsigned across; /* pixels of the window, where it has so many */
};
/* What a picture's words stand between: a mail that comes back may have them in its text. */
extern const char report_alt_begin[], report_alt_end[];
/*
 * A body as HTML. Each example is a link that begins an answer with it, made from `answer` (its body is not
 * looked at); so are the lines of `commands`, separated by commas, above the small print. `picture` may be NULL.
 * Well-formed XML, without script, and nothing is loaded.
 */
void report_html(struct span text, const struct mailto *answer, const char *commands,
                 const struct report_picture *picture, struct strbuf *out);

#endif
