/*
 * match.h - one game in hand: its rows, its rules and its position, loaded and checked.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_MATCH_H
#define MOLEPOST_PROCESSOR_MATCH_MATCH_H

#include "processor/archive/proof.h"
#include "processor/calendar/deadline.h"
#include "processor/games/rules.h"
#include "processor/server/server.h"
#include "store/forks_and_imports.h"
#include "store/games.h"
#include "store/orders.h"
#include "store/turns.h"

struct match {
	struct arena *arena; /* borrowed: everything below lives there */
	struct game game;
	const char *id; /* "W17" */
	/* What record and hashes call it: `id`, or for an archive taken over the name there. */
	const char *record_id;
	const struct rules *rules;
	struct options options;
	struct calendar calendar; /* with next_s and the server's holidays */
	const struct tables
	    *tables;        /* what this game may look into; borrowed from the server */
	struct seat *seats; /* seats[i].seat == i + 1 */
	size_t nseats;      /* taken so far while gathering; game.nseats later */
	struct seat_names names;
	struct seat_join
	    *joins; /* of a game that has not begun, since version 3 of the record */
	size_t njoins;
	bool has_turn;
	struct turn turn;   /* the newest */
	struct turn parent; /* whose result that turn starts from; empty for serial 0 */
	bool to_read;       /* of the parent nothing but its position is there */
	struct game_state
	    *state;         /* that position; NULL until match_position, or for serial 0 */
	struct hash secret; /* after match_secret */
	bool has_secret;
};

/*
 * Game, seats, rules, newest turn. ERR_NOT_FOUND; ERR_UNSUPPORTED when this build lacks
 * the game's rules version. Release with match_release in any case.
 */
enum err match_load(struct server *srv, int64_t game, struct arena *arena,
                    struct match *out) MUST_CHECK;
/* The same for match_position_to_read, without the rest of the parent; match_position asks for it then. */
enum err match_load_to_read(struct server *srv, int64_t game, struct arena *arena,
                            struct match *out) MUST_CHECK;
/*
 * Asks ahead (store_ask_ahead) all that either of them reads, and what match_position does: of a game whose newest
 * turn is thought to be `serial`.
 */
void match_ask_ahead(struct server *srv, int64_t game, unsigned serial, bool to_read,
                     struct arena *arena);
void match_release(struct match *match);
/* That this game's receipts, heads and archive are signed with: the one it was made with. */
const struct keyring *match_keys(const struct server *srv, const struct match *match);
/* The position in which orders of the newest turn are given, checked against its digest.
   ERR_CORRUPT with a sentence in srv->fail. */
enum err match_position(struct server *srv, struct match *match) MUST_CHECK;
/*
 * The same to read orders in, of which there may be thousands at once: as our own seal vouches for it.
 * The digest, which links it with the turns before, is checked before anything is resolved.
 */
enum err match_position_to_read(struct server *srv, struct match *match) MUST_CHECK;
/*
 * The row of a game that goes on from a position of another; ERR_NOT_FOUND for any other game.
 * ERR_CORRUPT when the position is none; *from, if asked for, is freed with rules->free_state.
 */
enum err match_fork(struct server *srv, const struct match *match, struct fork *row,
                    struct game_state **from) MUST_CHECK;
/*
 * A made-up first position, which shows whether there can be such a game. Free it with rules->free_state;
 * NULL, with a sentence in `why`, when the options make no game with so many seats.
 */
struct game_state *trial_position(const struct rules *rules, const struct options *options,
                                  unsigned nseats, struct arena *arena, struct strbuf *why);
/* The same of a game that has not begun, for showing and trying orders. */
struct game_state *match_trial_position(const struct match *match);
/* The position that came out of turn `serial`, checked; the caller frees it with rules->free_state. */
enum err match_result(struct server *srv, const struct match *match, unsigned serial,
                      struct game_state **out) MUST_CHECK;
enum err match_secret(struct server *srv, struct match *match) MUST_CHECK;
/* ERR_NOT_FOUND with a sentence in srv->fail when `game` is one of another letter than was written. */
enum err match_check_letter(struct server *srv, int64_t game, char letter) MUST_CHECK;
/* NULL when nobody sits there. */
struct seat *match_seat(const struct match *match, unsigned seat);
/* By its number or, number 0, the name of the seat or of who plays it. NULL: there is none such. */
struct seat *match_seat_named(const struct match *match, unsigned number, struct span name);
/* Whether this person has a seat here; also one they have left, `or_did`. */
bool match_plays(const struct match *match, int64_t player, bool or_did);
/*
 * Whether a mail that arrived then is behind an end of the newest turn (0 = none, so it is not). In a
 * pause the clocks stand: whatever arrives in it comes when it began.
 */
bool match_came_after(const struct match *match, int64_t arrived_utc, int64_t end_utc);
/* Whether a person or a bot has this seat. */
bool seat_is_taken(const struct seat *s);
/* Whether it was a bot's from the start, whoever plays a vacant seat later. */
bool seat_was_bot(const struct seat *s);
/* Whether this player has it, or has lost it and nobody has it since. */
bool seat_was_of(const struct seat *s, int64_t player);
/* The names of these seats, and how many they are; in the match's arena. */
size_t match_seat_names(const struct match *match, uint32_t seats, const char *const **out);
/* "Ann, Bob and Cy", in the match's arena. */
const char *match_names_in(const struct match *match, struct seat_set seats);
/* Whether the seat has a name that counts: somebody sits there, has lost it, or sat there in an
   archive. */
bool match_seat_is_named(const struct match *match, const struct seat *s);
/* The number that players know a turn by: the first in its label; a set-up has none and is 0. */
unsigned match_turn_number(struct span label);
/* What that number counts: "turn", or "round" in games that name one first. */
const char *match_turn_unit(struct span label);
/* Seats of which that is so. */
unsigned match_taken(const struct match *match);

/*
 * The first or last JOIN of this person in a game that has not begun; NULL: there is none, or its record says
 * nothing of that. Where addresses are shared a person is an address and a name.
 */
const struct seat_join *match_join_of(const struct server *srv, const struct match *match,
                                      int64_t player, struct span name, bool last);
/*
 * Notes the JOIN that gives this seat, since version 3 of the record. What counts of a person in the set-up is
 * their first one: *s takes all over from that but its
 * number; the time as first_joined_utc.
 */
enum err match_note_join(struct server *srv, const struct match *match,
                         struct seat *s) MUST_CHECK;

/* Since version 3 a signature is that of one mail: what somebody puts under a mail of their own is not noted. */
enum err match_drop_copied_signature(struct server *srv, const struct match *match,
                                     struct order_revision *row) MUST_CHECK;
/* The receipt for a seat. Seats that no mail took, in games whose draws hold no such thing, have none. */
void match_add_seat_proof(const struct match *match, const struct seat *seat,
                          const struct keyring *keys, struct strbuf *out);

/* One seat's orders of one turn as they count. */
struct seat_entry {
	bool acts;         /* has orders in force, or owes: takes part in the digest */
	unsigned revision; /* 0 = default */
	enum order_origin origin;
	int64_t received_utc;
	struct hash contribution; /* of its mail (proof.h); zero: nothing */
	struct span salt, canonical;
	struct hash nonce; /* zero for defaults; both also while it is not proven */
	struct hash commitment;
};

/* Makes nonce and commitment of orders, from values that never change: in any thread. */
void seat_entry_prove(struct seat_entry *e, unsigned version, const struct hash *secret,
                      const char *record_id, unsigned serial, unsigned seat);

/* Of orders of the turn in hand. Needs match_secret. */
struct hash order_revision_commitment(const struct match *match,
                                      const struct order_revision *r);

/* Whether the player has said nothing for the turn: the default or a fallback was used. */
bool seat_entry_is_silent(const struct seat_entry *e);

/* All orders of one turn. */
struct order_set {
	struct order_revision *revisions; /* every one, by seat then number */
	size_t nrevisions;
	struct seat_entry seats[MAX_SEATS + 1]; /* index = seat */
};

/*
 * Reads and completes the orders of the newest turn: what is missing becomes the rules'
 * default. Needs match_position and match_secret first (does them itself).
 */
enum err order_set_load(struct server *srv, struct match *match,
                        struct order_set *out) MUST_CHECK;
/*
 * The same without defaults, and not proven: `acts` is only who has orders in force. For those who
 * take in more of them, of which there may be thousands at once.
 */
enum err order_set_load_sent(struct server *srv, struct match *match,
                             struct order_set *out) MUST_CHECK;
/* Of a game whose record is not of version 1: what the draws of the turn in hand follow from. */
struct hash order_set_inputs_hash(const struct match *match, const struct order_set *set);
/* What the seal of the turn fixes: proof_orders_hash, or of the joins for serial 0. */
struct hash order_set_hash(const struct match *match, const struct order_set *set);
/* Whether it is what the turn in hand was sealed with. */
bool order_set_is_sealed(const struct match *match, const struct order_set *set);
/*
 * Whether the orders of a set, the drafts and standing orders of the open turn are all that were stored, and the head
 * is the one it was opened after (orders_sum): rows of a damaged disk, or such as were put back, are not.
 */
enum err order_set_is_whole(struct server *srv, const struct match *match,
                            const struct order_set *set, bool *yes) MUST_CHECK;
/* How these orders came, RESIGN told apart. */
enum order_origin match_origin(const struct order_revision *r);
/* Puts one further revision in force into a loaded set, as if it had been loaded with it. */
void order_set_put_unproven(struct order_set *set, const struct order_revision *r);
void order_set_put(const struct match *match, struct order_set *set,
                   const struct order_revision *r);

/* ---- the turns that led to the present one, without those that were taken back ---- */

enum { NO_SERIAL = -1 };
/*
 * *serials, in the match's arena: by the number that players know. That is the one in the label of the open turn
 * where that is "turn 4", and in the others going back from it: so turn 1 is number 1 however many steps the set-up
 * had, and in a game that began with turn 6 of another there are NO_SERIAL before number 5, its set-up. Where turns
 * have other labels, and in a set-up, they are counted: 0 is the set-up. The open turn is number *n - 1; *n is 0
 * before the start. ERR_CORRUPT.
 */
enum err lineage_load(struct server *srv, const struct match *match, int64_t **serials,
                      size_t *n) MUST_CHECK;

#endif
