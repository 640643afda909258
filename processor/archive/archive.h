/*
 * archive.h - the game record: one plain-text file per game, molepost-archive(5).
 *
 * Written from plain values (struct record) that the store's rows give; read
 * back into the same values; verified by resolving everything again. Every
 * line is chained: chain(n) = SHA-256(chain(n-1) || leaf(n)), leaf of a public line
 * SHA-256(00 || line), of a hidden one SHA-256(01 || blind || line). What is hidden
 * while the game runs is printed as `hidden <leaf>`; the chain never changes. A longer
 * archive always extends a shorter one.
 */
#ifndef MOLEPOST_PROCESSOR_ARCHIVE_ARCHIVE_H
#define MOLEPOST_PROCESSOR_ARCHIVE_ARCHIVE_H

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/seal.h"
#include "processor/games/rules.h"

/* In so many turns before one a fallback looks for orders to repeat. */
enum { FALLBACK_LOOKS_BACK = 2 * MAX_SEATS };

struct record_seat {
	const char *name;
	int64_t joined_utc;
	unsigned joins; /* version 3: receipts for a seat this person has got; 0: a bot */
	/* Since version 2 (proof.h), in version 3 that of the first of these joins; zero: nothing. */
	struct hash contribution;
	struct span salt;
	bool bot;
	unsigned bot_level; /* since version 2, of a bot */
};

struct record_order {
	unsigned seat, revision; /* revision 0: the default */
	int64_t received_utc;
	enum order_origin origin;
	bool cleared;
	struct hash contribution; /* since version 2; zero: nothing, or still hidden */
	/* Since version 2, of a revision that a mail brought: */
	bool quotes_head;   /* it quoted the four words of the head before this turn */
	struct hash dkim;   /* proof_dkim of its signature; zero: it had none */
	bool dkim_verified; /* by the receiving mail server */
	bool by_operator;   /* of the server */
	struct span
	    drawn; /* since version 2, of a bot: what it drew to choose; ptr NULL: not listed */
	struct span salt;
	struct span canonical;
};

struct record_turn {
	unsigned serial, parent;
	struct span label;
	int64_t opened_utc, deadline_utc, sealed_utc;
	struct record_order *revisions; /* every revision by seat then number, bots included */
	size_t nrevisions;
	struct record_order *used; /* as resolved, by seat: those that owed or acted */
	size_t nused;
	struct span chance; /* chance_add_record of the turn */
	struct span state;  /* result, full text; archived as a digest */
	struct hash state_hash;
	/*
	 * When the turn was broken off; 0: it was not. Then nothing was used, drawn or sealed,
	 * and `state` is the position in which its orders were given.
	 */
	int64_t dropped_utc;
	const char *const *actions; /* public master actions, "2026-03-12T18:02:00Z text" */
	size_t nactions;
};

/* Where a game goes on from that did not begin with its own set-up. */
struct record_fork {
	const char *game; /* as its archive calls it; NULL: this record has no such game */
	unsigned serial;  /* of the turn whose result the position is */
	const char *instance;
	struct hash key; /* of the server it was played on */
	/* State digest of that turn, and what it covers besides the position. */
	struct hash parent, orders, state;
	struct span position; /* as text */
};

struct record {
	/* Of the record: 1, 2 with contributions and bots that can be checked, or 3, in which the
	   first revisions alone contribute. */
	unsigned version;
	const char *game; /* "W17" */
	const char *kind;
	unsigned rules_version, bots_version;
	const struct rules *rules; /* of that kind and version; NULL = look them up */
	const char *options;       /* OPTIONS_ALL */
	const char *instance;
	int64_t created_utc, started_utc;
	struct record_fork fork;
	unsigned nseats;
	struct record_seat seats[MAX_SEATS + 1];
	struct hash secret_hash;
	struct hash public_key;
	struct record_turn *turns; /* serial 0 first */
	size_t nturns;
	/* The end; only when `ended`: */
	bool ended;
	const char *end_status; /* "over", "cancelled", "abandoned" */
	struct seat_set agreed; /* who won because all agreed to it; empty: played out */
	int64_t ended_utc;
	struct hash secret; /* needed while running too, for blinds and nonces */
};

/*
 * What a game comes to that was ended by agreement: these seats win and share the first rank,
 * all others share the next; points stay what the rules make of the last position.
 */
void game_result_agree(struct game_result *r, struct seat_set agreed);

/*
 * The orders digest of serial 0, and since version 2 what the draws of a turn follow from; parent: NULL for
 * the set-up. Of r they read version, game and seats, of t serial, revisions and what was used.
 */
struct hash record_joins_hash(const struct record *r);
struct hash record_inputs_hash(const struct record *r, const struct record_turn *t,
                               const struct hash *parent);

/* The chain so far. Zero-initialised at the start of an archive. */
struct record_chain {
	unsigned lines;
	struct hash head;
};

/*
 * The three pieces an archive consists of, each extending `chain` and, when `out` is not NULL,
 * appending its lines. reveal: the game has ended, so hidden lines are printed in clear.
 * archive_add_turn reads of r only game, kind, version, seats and secret, never r->turns;
 * archive_add_end needs the state text of the last turn. The rules must be in this build (else
 * BUG): a game whose rules are gone is held before it comes here. A turn whose state digest is
 * zero was never resolved and is left out, unless it was broken off.
 */
void archive_add_header(const struct record *r, bool reveal, struct record_chain *chain,
                        struct strbuf *out);
void archive_add_turn(const struct record *r, const struct record_turn *t, bool reveal,
                      struct record_chain *chain, struct strbuf *out);
void archive_add_end(const struct record *r, struct record_chain *chain, struct strbuf *out);
/*
 * The whole file: begin line, header, turns, the end if ended, chain head with signature, end
 * line. keys may be NULL: then without signature (tests).
 */
void archive_write(const struct record *r, const struct keyring *keys, struct strbuf *out);

enum archive_verdict {
	ARCHIVE_BROKEN,     /* a line does not hold: see line and why */
	ARCHIVE_UNKNOWN,    /* the chain holds, but such rules are not here: line and why */
	ARCHIVE_CONSISTENT, /* everything inside it holds, no valid signature */
	ARCHIVE_SIGNED      /* and the head is signed by the key in the header */
};
struct archive_report {
	enum archive_verdict verdict;
	unsigned line;       /* the first that does not hold, from 1; 0 = the file */
	struct strbuf why;   /* a sentence */
	bool ended;          /* false: a running game, checked as far as it goes */
	unsigned turns;      /* turns resolved again, the set-up among them */
	unsigned all_turns;  /* turns the file has */
	struct strbuf reach; /* label of the last of them, fit for a terminal; "" if none */
	/* "W17 of demo", the game it goes on from, after which turn, with what digest; "": none */
	struct strbuf fork;
	unsigned fork_serial;
	struct hash fork_state;
	/* Orders of bots that were drawn again; and those that could not be: their version, or the
	   word list they look things up in, is not here. */
	unsigned bots, unchecked_bots;
	/* Mails with orders that quoted the four words of the report before their turn. */
	unsigned answered;
	struct strbuf warnings; /* archive_add_warnings */
	unsigned lines;         /* chained lines */
	unsigned hidden;        /* of these still hidden */
	struct hash head;       /* chain head */
	unsigned head_lines;    /* chain is expect_head after so many lines; 0 = not asked */
	struct hash key;        /* the server's public key */
};
/* Whether nothing speaks against it: consistent or signed. */
bool archive_holds(const struct archive_report *r);
void archive_report_release(struct archive_report *r);
/*
 * Strict to the byte; CRLF reads as LF; text outside begin and end lines is skipped. expect_key
 * and expect_head may be NULL; when given and not equal, that is what does not hold.
 * expect_head may be the chain after any line: an older mail's head is in every longer archive.
 */
void archive_verify(struct span file, const struct hash *expect_key,
                    const struct hash *expect_head, struct archive_report *out);
/*
 * The same with word lists at hand, which it takes to play the bots of some games again; which of them
 * a game needs is told by their hashes.
 */
void archive_verify_tables(const struct tables *tables, struct span file,
                           const struct hash *expect_key, const struct hash *expect_head,
                           struct archive_report *out);

/* Whether the newer of two archives is the older one continued: compared leaf by leaf. */
enum archive_kinship {
	ARCHIVE_SAME,     /* to the last line */
	ARCHIVE_EXTENDS,  /* all of the older one stands in the newer one */
	ARCHIVE_IS_OLDER, /* the other way round */
	ARCHIVE_DIFFERS,  /* they part at some line */
	ARCHIVE_STRANGERS /* of two games, or of two servers */
};
struct archive_extension {
	enum archive_kinship kinship;
	unsigned common;                 /* chained lines they share from the start */
	unsigned older_line, newer_line; /* the first line behind those, in each file */
};
/* Checks the form of both, and nothing else: archive_verify comes first. ERR_INVALID. */
enum err archive_extends(struct span older, struct span newer, struct archive_extension *out,
                         struct failure *e) MUST_CHECK;

/*
 * A parsed archive, for replay: resolves again turn by turn, checks nothing but the form of the
 * lines. ERR_INVALID names the line, ERR_UNSUPPORTED: no such rules here. Keeps nothing of
 * `file`.
 */
struct archive;
enum err archive_open(struct span file, struct archive **out, struct failure *e) MUST_CHECK;
void archive_free(struct archive *a);
size_t archive_turn_count(const struct archive *a);
/* Header, turns, end as read. What is still hidden is empty or zero; so are the state texts. */
const struct record *archive_record(const struct archive *a);
const struct rules *archive_rules(const struct archive *a);
/* What is odd and may be so in an archive that holds: a sentence and LF for each, of its orders and their signatures. */
void archive_add_warnings(struct archive *a, struct strbuf *out);
/* The position after turn index i (0 = the set-up), or, if that turn was broken off, the one in
   which its orders were given; owned by the archive. NULL with a sentence
   in `e` when it cannot be reached (hidden orders of a running game). */
const struct game_state *archive_state(struct archive *a, size_t i, struct failure *e);

/*
 * verify_page.c: the bytes of processor/archive/verify_page.html, of which molepost(1) has the
 * SHA-256: a page for a browser that checks records and mails of players, with no part of this
 * program and no network.
 */
struct span verify_page(void);

#endif
