/*
 * substitute_orders.h - what steps in for a seat from which nothing has come.
 *
 * The first of these that is there counts, and the archive says which it was (rules.h):
 *
 *	what                                  how it came   it takes effect
 *	orders sent for the turn              sent          at once
 *	orders sent before it opened (QUEUE)  queued        when the turn opens
 *	a draft: orders that were only        draft         at the deadline
 *	   checked, and nothing sent since
 *	standing orders (ALWAYS)              standing      at the deadline, or with NOWAIT when
 *	                                                    the turn opens
 *	what the player has chosen instead    fallback      when the turn ends, grace included
 *	   of the default (SET FALLBACK)
 *	the default of the game               default       then too
 *
 * All but the draft are read anew in each turn: what is not legal there is passed over, and the
 * next counts. What takes effect becomes a revision of the turn like orders that were sent, in
 * the transaction that opens or seals the turn; until then nobody else can see that it is
 * there. What came after the end of a turn does not count for it. Where a draft or standing
 * orders step in no grace is waited for, and as for everybody who was in time nothing can be
 * changed in it.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_SUBSTITUTE_ORDERS_H
#define MOLEPOST_PROCESSOR_MATCH_SUBSTITUTE_ORDERS_H

#include "processor/match/match.h"
#include "reports/report.h"
#include "store/standing_orders.h"

/* The standing orders of the seats of a game; in the match's arena. */
struct standing_orders {
	struct standing_order *items;
	size_t n;
};
enum err standing_orders_load(struct server *srv, const struct match *match,
                              struct standing_orders *out) MUST_CHECK;
/* NULL when there is none; `number` as in store/standing_orders.h. */
const struct standing_order *standing_order_of(const struct standing_orders *all, unsigned seat,
                                               enum standing_order_kind kind, unsigned number);

/*
 * "popup 3 | popup 4": takes the next alternative off *rest. A bar at the beginning of a line, as our
 * examples have it, divides nothing.
 */
bool standing_order_next(struct span *rest, struct span *alternative);
/*
 * Whether the game takes it in the position in hand, of several alternatives the first that it does:
 * `canonical` is what it comes to, `diags` (may be NULL) what the game has to say, if it takes none to the
 * first. RESIGN is never taken so.
 */
bool standing_order_reads(const struct match *match, const struct standing_order *p,
                          struct strbuf *canonical, struct diags *diags);

/* What counts for one seat if nothing more comes. */
struct substitute {
	enum order_origin origin; /* ORDER_DEFAULT: none of the player's choice */
	struct span canonical;    /* in the match's arena; "" with ORDER_DEFAULT */
	bool by_server;           /* a fallback that the server plays, when the turn ends */
	int64_t received_utc, mail;
	struct hash contribution; /* of the mail it came in (proof.h) */
};
/* For the open turn in hand, whose position is loaded. What a bot would do is only there when the turn `ends`. */
enum err substitute_find(struct server *srv, struct match *match,
                         const struct standing_orders *all, unsigned seat, bool ends,
                         struct substitute *out) MUST_CHECK;
/* Whether such orders, the player's own, step in at the deadline: the turn is not missed then. */
bool substitute_covers(enum order_origin origin);

/*
 * The revisions that fill up a set as the turn in hand ends; they are put into the set too. In the
 * arena, to be appended before the turn is sealed.
 */
enum err substitute_seal(struct server *srv, struct match *match, struct order_set *set,
                         struct order_revision **out, size_t *n) MUST_CHECK;

/*
 * What the server orders for a seat in the turn `serial`, which begins in that position: from
 * what the seat may know of it, and the same whenever it is asked; and what it drew (rules_bot_orders).
 * Needs match_secret.
 */
void substitute_bot(const struct match *match, const struct game_state *position,
                    unsigned serial, unsigned seat, unsigned level, struct strbuf *canonical,
                    struct strbuf *drawn);

/* Standing orders for a turn that opens. */
struct opening {
	struct order_revision
	    *revisions; /* of seats with queued orders, or with ALWAYS NOWAIT */
	size_t nrevisions;
	struct standing_order *gone; /* orders queued for turns up to this one */
	size_t ngone;
	const char *notes[MAX_SEATS + 1]; /* what a seat is told of its queue; NULL = nothing */
};
/*
 * `match` holds the turn that opens and its position, `all` what its seats have laid down. Sets `have` and
 * `covered` of the turn in hand; what is written is for the caller. Bots have ordered before. `quietly`: nobody
 * has written anything for the turn before this one. Then standing orders alone do not end this one
 * at once, or a game could run to its end with nobody looking.
 */
void substitute_open(struct match *match, const struct standing_orders *all, bool quietly,
                     struct opening *out);

/*
 * For people, in the match's arena: what is done for this seat if it sends nothing
 * (part_silence).
 */
struct silence {
	const char *lead; /* NULL: the default of the game */
	struct span orders;
	enum order_origin origin;
};
enum err substitute_silence(struct server *srv, struct match *match,
                            const struct standing_orders *all, unsigned seat,
                            struct silence *out) MUST_CHECK;
/* All standing orders of a seat, for its own eyes; with room for some `more`. */
size_t standing_orders_words(const struct match *match, const struct standing_orders *all,
                             unsigned seat, size_t more, struct report_standing_order **out);

#endif
