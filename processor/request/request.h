/*
 * request.h - one mail being dealt with, shared by intake and the commands.
 *
 * dispatch.c finds out who speaks and what is answered, reads the text, and
 * calls one function per item; each returns ERR_NONE when the item has been
 * dealt with (also when it was refused with an answer), an error only when the
 * world failed: then the whole mail is rolled back.
 */
#ifndef MOLEPOST_PROCESSOR_REQUEST_REQUEST_H
#define MOLEPOST_PROCESSOR_REQUEST_REQUEST_H

#include "mail/robot.h"
#include "mail/text/auth_results.h"
#include "processor/commandtext/command_text.h"
#include "processor/match/match.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/budget.h"
#include "processor/outgoing/outgoing.h"
#include "processor/request/try_orders.h"
#include "processor/server/server.h"
#include "store/inbox.h"
#include "store/sender_counts.h"

/* Who writes. Written by identify.c alone. */
struct who {
	struct robot robot;       /* what sort of writer */
	struct player player;     /* the person speaking; id 0 = a stranger */
	bool proven;              /* by token or In-Reply-To: more than a From address */
	struct auth_verdict auth; /* `why` NULL: nobody's results are believed here */
	bool doubtful;            /* results are required and do not vouch for the sender */
	bool settled;             /* the player has said yes to this very mail, or need not */
	/* The address of a mail to a player's reply address; "" = the player's own. */
	struct span strange;
};

/*
 * What the mail is about: by its reply address or In-Reply-To, or since a SIGNON line. Written by
 * identify.c alone.
 */
struct about {
	int64_t game; /* 0 = none */
	unsigned seat, serial;
	bool has_serial; /* false: it names a game but no turn */
	unsigned digest; /* it answers this digest of the player's, 0 = none: digest.h */
	/* The seat a mail answered was sent to, when the speaker has lost it since by silence. */
	struct seat lost; /* game 0 = none */
};

/* What has been answered so far, and what became of the mail. Written by request.c alone. */
struct answer {
	bool allowed;        /* false: automatic or list mail, bounces */
	unsigned count;      /* so that each answer has its own Message-ID */
	bool understood;     /* at least one line was */
	bool seat_confirmed; /* by this mail, whatever it says */
	bool silenced;       /* an answer was not sent: there have been enough today */
	unsigned seats;      /* that it has taken */
	bool asked;          /* it has led to a question to its own writer */
	bool diags_told; /* what command_text_read had to object has been said in a receipt */
	struct inbox_mail row; /* verdict, detail, game ... filled as things go */
};

/* One mail being handled. */
/* A mail to who wrote, as they want it. */
#define REPORT_OUT_TO_SENDER(req) REPORT_OUT_FOR(report_form_of(&(req)->who.player.form))

struct request {
	/*
	 * The mail. Written by dispatch.c; a held mail takes its place in identify.c. In `mail` our
	 * words are marked (answered_mails.h); `whole` is for what may stand anywhere, quoted or not.
	 */
	struct server *srv;
	struct arena *arena;
	const struct mail_in *mail, *whole;
	bool
	    quotes_unknown; /* it answers a mail of ours whose text cannot be had. By answered_mails.c */
	const struct recipient *recipients; /* what its addresses are: reply_address.h */
	const struct command_text *text;    /* the one that was chosen; NULL before */
	int64_t inbox_id;
	/*
	 * Orders count from when the mail arrived. What takes effect for others counts from when
	 * it was sure that the mail is from the speaker: when their yes to it arrived, if they were
	 * asked, else the same moment. Nobody decides after a deadline what held before it.
	 */
	int64_t arrived_utc, sure_utc;
	int64_t sent_utc; /* the mail's Date, 0 = none */

	struct who who;
	struct about about;
	struct answer answer;
	/* Written by quota.c: the sender the mail counts for, and what came from there before on that day. */
	struct {
		bool counts, proven;
		struct span from;
		int64_t day;
		struct sender_day before;
	} quota;

	struct match match;        /* loaded: see request_match; game.id 0 = none */
	struct tried_orders tried; /* by try_orders.c, in that match */
	const char
	    *unread; /* says that a question was not understood; NULL: none. By unclear.c */
};

/* What carries out one command; of a game: with the game that the line is about, and the speaker's seat, if any. */
typedef enum err command_fn(struct request *req, const struct command *item) MUST_CHECK;
typedef enum err game_command_fn(struct request *req, const struct command *item,
                                 struct match *match, struct seat *seat) MUST_CHECK;

/* Says what became of the mail in its row: a stable word and a sentence (no order text). */
void request_verdict(struct request *req, const char *verdict, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds "; " and a further sentence to it. */
void request_add_detail(struct request *req, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* An empty answer, and the row as far as it is known before anybody has looked at the mail. */
void request_begin_answer(struct request *req, const struct inbox_mail *row);
/* What the row says the mail was about. */
void request_note_game(struct request *req, int64_t game);
void request_note_seat(struct request *req, unsigned seat);
void request_note_serial(struct request *req, unsigned serial);
/* The mail in hand as its sender made it; of a held one that said yes, the yes. */
struct proof_mail request_proof_mail(const struct request *req);
/* What it contributes to the draws of a seat (proof.h); zero in games whose draws hold no such thing. */
enum err request_contribution(struct request *req, struct match *match, unsigned seat,
                              struct hash *out) MUST_CHECK;
/* A line of it was understood; it was mere talk after all. */
void request_understood(struct request *req);
void request_not_understood(struct request *req);
enum answer_note { ANSWER_CONFIRMS_SEAT, ANSWER_ASKS, ANSWER_TELLS_DIAGS };
void request_note_answer(struct request *req, enum answer_note note);
void request_allow_answers(struct request *req, bool yes);
/* The key of the next outbox row this mail causes; in the arena. */
const char *request_next_key(struct request *req);

/* Asks the budget (outgoing/budget.h) for one more answer of this kind, and counts it. */
enum err request_may_send(struct request *req, const struct match *match,
                          const struct seat *seat, const char *kind,
                          const struct report_out *report, enum valve *out) MUST_CHECK;
/* The same for what says that a mail was not understood, or asks what it means; *out is narrowed. */
enum err request_may_say_not_understood(struct request *req, enum valve *out) MUST_CHECK;
/* What stands below the last one, and says so; NULL for the others. */
const char *request_last_words(enum valve valve);
/*
 * More than a From address: it answers a mail of ours, its writer has said yes to it, or the border server vouches. What
 * is not is counted apart, so that nonsense in a player's name does not use up what they are answered.
 */
bool request_is_sure(const struct request *req);
/* An answer is left out. */
void request_hold_back(struct request *req);
/* At the end: notes that an answer was held back, if so, and that the player has been understood. */
enum err request_note_silence(struct request *req) MUST_CHECK;

/* Whether this mail may be answered at all: not an automatic one, nor one without a return path. */
bool request_can_answer(const struct request *req);
/*
 * Posts `report` to the writer, and releases it whatever it returns: about the game in hand when match is
 * not NULL (seat may be NULL).
 */
enum err request_answer(struct request *req, const struct match *match, struct seat *seat,
                        const char *kind, struct report_out *report) MUST_CHECK;
/* The same with this notice, whose game is filled in. */
enum err request_answer_notice(struct request *req, const struct match *match,
                               struct seat *seat, const char *kind,
                               const struct report_notice *notice) MUST_CHECK;
/* request_answer of a report that asks, not released; a YES is known by this mail (store/confirmations.h). */
enum err request_ask(struct request *req, const struct match *match, struct seat *seat,
                     const char *kind, int64_t confirmation,
                     const struct report_out *report) MUST_CHECK;
/* The same, for what may wait; `carried` is how it stands in another mail. */
enum err request_answer_later(struct request *req, const struct match *match, struct seat *seat,
                              const char *kind, const struct report_out *report,
                              const struct digest_policy *keep,
                              const struct report_out *carried) MUST_CHECK;
/* request_answer for a report that need not be in words at once. The writer is released in any case. */
enum err request_answer_written(struct request *req, const struct match *match,
                                struct seat *seat, const char *kind,
                                const struct outgoing_writer *writer) MUST_CHECK;
/* A notice of one paragraph and up to one example ("" = none). */
enum err request_notice(struct request *req, const struct match *match, struct seat *seat,
                        const char *subject, const char *example, const char *fmt, ...)
    __attribute__((format(printf, 6, 7))) MUST_CHECK;

/* The first line of the mail with this command; NULL: it has none. */
const struct command *request_item(const struct request *req, enum verb verb);
/* The word that a SALT line of the mail gives, empty if none does. */
struct span request_salt(const struct request *req);
/*
 * The grammar knows no games: its examples say W17 and mail 4. Here they get the number of a game of
 * the speaker, so that they work when sent back. In the arena.
 */
enum err request_example(struct request *req, const char *example, const char **out) MUST_CHECK;
/* Orders that would do for the seat in this position, borrowed from the match; NULL: there are none. */
const char *example_orders(const struct match *match, unsigned seat);
/* Appends diagnostics with such examples. */
enum err request_add_diags(struct request *req, const struct diags *from,
                           struct diags *out) MUST_CHECK;

/* The short guide, with a sentence why. */
enum err request_guide(struct request *req, const char *reason) MUST_CHECK;
/* The games the speaker has a seat in just now (arena); none for a stranger. */
enum err request_games(struct request *req, struct game **games, size_t *n) MUST_CHECK;
/* Whether they have, or have had, a seat in any. */
enum err request_has_played(struct request *req, bool *yes) MUST_CHECK;

/*
 * Strangers: what people who have proved nothing yet get from this server, all of them together.
 *
 * A From address is anybody's to write, so each answer to one may hit somebody who never wrote here.
 * Who has answered a mail of ours once, from their address, is no stranger, nor is anybody where
 * unknown_senders = accept takes addresses as they are, once they have a seat.
 */

/* Whether the speaker is one, in this mail. */
bool is_stranger(const struct request *req);
/* Counts one more answer, by the domain of the address and for all. False in *may: that would be one too many. */
enum err strangers_may_be_answered(struct request *req, bool *may) MUST_CHECK;
/* Nobody among them, or nobody of this domain, is answered any more today. Counts nothing. */
enum err strangers_are_spent(struct request *req, bool *yes) MUST_CHECK;

#endif
