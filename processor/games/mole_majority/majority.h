/*
 * majority.h - the inside of Mole Majority: its state and what its files share.
 *
 * Two to four players lead moles through tunnels on a board of hexes. Whoever has most
 * moles on a hex when it fills up claims it. A turn belongs to one player: one action card and
 * any number of cards stacked on it, each with its steps.
 *
 * Seats count from 1 and 0 is nobody; hexes are numbered A1, A2 ... E3 from 0; spaces of a
 * hex count from 1 in orders and from 0 in arrays. Sets of hexes are masks, bit h = hex h.
 * "Rule n" is the list of readings in molepost-rules(7).
 */
#ifndef MOLEPOST_GAMES_MOLE_MAJORITY_MAJORITY_H
#define MOLEPOST_GAMES_MOLE_MAJORITY_MAJORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/games/fields.h"
#include "processor/games/rules.h"

enum {
	MM_SEATS = 4,
	MM_HEXES = 19,
	MM_SPACES = 6,
	MM_SPACE_BYTES = 8, /* so that they are counted all at once */
	MM_MOLES = 30,
	MM_CLAIMS = 10,
	MM_CAVEINS = 4,
	MM_DECK = 18,
	MM_HAND = 6,
	MM_NEW_HAND = 5,
	MM_OF_EACH_VALUE = 6, /* hexes; values are 3 to 6 */
	MM_OF_EACH_HOME = 8,  /* home tokens; values are 1 to 3 */
	MM_HOMES = 24,
	MM_HOME_MOST = 3,
	MM_OPEN_DISCARDS = 3,
	MM_TILES = 3,
	MM_EVENTS = 96,
	MM_ROUNDS = 99,
	MM_TURNS = MM_ROUNDS * MM_SEATS + 1,
	MM_STEPS = 6,
	MM_PLAYS = MM_HAND,
	MM_OPTIONS_BYTES = 160
};

/* ---- board.c: the nineteen places ---- */

enum {
	HEX_A1,
	HEX_A2,
	HEX_A3,
	HEX_B1,
	HEX_B2,
	HEX_B3,
	HEX_B4,
	HEX_C1,
	HEX_C2,
	HEX_C3,
	HEX_C4,
	HEX_C5,
	HEX_D1,
	HEX_D2,
	HEX_D3,
	HEX_D4,
	HEX_E1,
	HEX_E2,
	HEX_E3,
	HEX_NONE
};

extern const char mm_hex_names[MM_HEXES][3];
/* By place alone, whether or not there is a hex. */
extern const uint32_t mm_beside[MM_HEXES];
extern const uint32_t mm_ring;        /* the six places round C3 */
extern const uint32_t mm_base_places; /* the six outer places that touch two of the ring */
extern const uint8_t mm_default_bases[6], mm_default_tiles[12];

static inline uint32_t mm_bit(unsigned hex)
{
	return 1u << hex;
}
/* "c3" -> HEX_C3. */
bool mm_hex_parse(struct span word, unsigned *hex);
/* "A1, B2 and C3"; "none" for the empty set. */
void mm_add_hexes(struct strbuf *out, uint32_t set);
char mm_letter(unsigned seat); /* 'A' for seat 1; '-' for nobody */

/* ---- board.c: cards ---- */

enum mm_card {
	CARD_NONE,
	CARD_N4,
	CARD_N3,
	CARD_N2,
	CARD_CH,
	CARD_CV,
	CARD_GK1,
	CARD_GK2,
	CARD_GI,
	CARD_KINDS
};

/* What a card is good for. */
struct mm_card_facts {
	const char *name;  /* in orders and states */
	const char *title; /* for people: the name, and what it says where that is more */
	unsigned in_deck;
	unsigned number; /* of a NUMBER card (rule 11), else 0 */
	unsigned steps;  /* MOVE and BREED as an action */
	unsigned bonus;  /* BREEDs after the main effect, and when stacked */
	bool stackable;
};
extern const struct mm_card_facts mm_cards[CARD_KINDS];

bool mm_card_parse(struct span word, unsigned *card);

/* Cards in order: the last is the top of a pile, the newest of a hand. */
struct mm_pile {
	uint8_t count;
	uint8_t cards[MM_DECK];
};

/* ---- The state ---- */

/* The options as values. */
struct mm_setup {
	bool routes_free, extra_fifth, moles_out, homes_reveal, second_six, auto_setup;
	bool by_deadline;
	unsigned rounds;
	char text[MM_OPTIONS_BYTES]; /* the same as options_format writes it */
};

struct mm_hex {
	uint8_t value; /* also its number of spaces; 0 = there is no hex */
	uint8_t claim; /* whose token lies here */
	uint8_t home;  /* value of the home token on it, 0 = none */
	bool home_open;
	uint8_t spaces[MM_SPACE_BYTES]; /* whose mole; 0 from `value` on */
};

/* A home token in somebody's hand. */
struct mm_home {
	uint8_t value;
	bool open;     /* everybody saw it */
	bool imagined; /* taken in an imagined turn: the value is made up. Not encoded. */
};

enum mm_standing {
	STANDING_IN,
	STANDING_LEAVING, /* resigned in the set-up: out at the end of turn 1 */
	STANDING_BEATEN,
	STANDING_LEFT
};

struct mm_seat {
	struct state_name name;
	enum mm_standing standing;
	unsigned out;                    /* turn in which they went out, 0 = in */
	uint8_t caveins;                 /* tokens left */
	uint8_t ntiles, tiles[MM_TILES]; /* set-up: values of the hexes to place, in order */
	struct mm_pile hand, deck, discard;
	uint8_t
	    imagined; /* newest cards of the hand, drawn in an imagined turn. Not encoded. */
	uint8_t nhomes;
	struct mm_home homes[MM_HOMES]; /* in the order taken */
};

enum mm_event_kind {
	EVENT_BASE,    /* seat, hex */
	EVENT_TILE,    /* seat, hex, value */
	EVENT_LEAVING, /* seat */
	EVENT_FIRST,   /* seat */
	EVENT_PASS,
	EVENT_DISCARD, /* cards */
	EVENT_PLAY,    /* card */
	EVENT_WITH,    /* card */
	EVENT_STACK,   /* card */
	EVENT_MOVE,    /* from, to, moles */
	EVENT_BREED,   /* hex, moles */
	EVENT_CONVERT, /* hex, space, whose mole */
	EVENT_ROLL,    /* hex, space, 1 = clockwise, moles gone, number rolled with */
	EVENT_STEAL,   /* seat, card */
	EVENT_HOME,    /* hex */
	EVENT_CAVEIN,  /* hex, hex */
	EVENT_TOKEN,   /* 1 = a home token was drawn, 0 = none was left */
	EVENT_CLAIM,   /* seat, hex, whose token it replaced or 0 */
	EVENT_BARE,    /* seat who has most but no token, hex, whose token went home or 0 */
	EVENT_EMPTY,   /* hex, whose token went home */
	EVENT_REVEAL,  /* hex, value of its home token */
	EVENT_REFILL,
	EVENT_DRAW,   /* cards */
	EVENT_BEATEN, /* seat */
	EVENT_LEFT,   /* seat */
	EVENT_KINDS
};
enum { EVENT_ARGS = 5 };

/* What happened last turn; all of it is public. */
struct mm_event {
	uint8_t kind;
	uint8_t args[EVENT_ARGS];
};

/* Flat, so that a state is copied by assignment. */
struct game_state {
	struct mm_setup setup;
	unsigned nseats;
	unsigned turn;  /* 0 = set-up; the turn now open; the last one + 1 when it is over */
	unsigned round; /* from 1; 0 in the set-up */
	unsigned active, first, last; /* seats; 0 = none; last: whose turn it was */
	uint8_t ring[MM_SEATS];       /* seats in order of play */
	uint8_t nspare,
	    spare[MM_HOMES]; /* values of unused home tokens; the last is drawn first */
	struct mm_hex hexes[MM_HEXES];
	uint32_t cave[MM_HEXES];            /* neighbours behind a Cave-In, both ways */
	struct mm_seat seats[MM_SEATS + 1]; /* index = seat */
	bool
	    imagined; /* made by resample: face-down values are not the real ones. Not encoded. */
	unsigned nevents;
	struct mm_event events[MM_EVENTS];
};

/* board.c, on */
unsigned mm_pile_count(const struct mm_pile *p, unsigned card);
void mm_pile_put(struct mm_pile *p, unsigned card);
/* Takes the newest of this card; false when there is none. */
bool mm_pile_take(struct mm_pile *p, unsigned card);
/* The card at `depth` below the top, CARD_NONE if there are not so many. */
unsigned mm_pile_top(const struct mm_pile *p, unsigned depth);
/* Deals `n` cards from the deck to the hand, shuffling the discard pile in when it runs out. */
void mm_draw(struct game_state *s, unsigned seat, unsigned n, struct chance *chance);
/* What happened, for the state and the story. */
void mm_note(struct game_state *s, enum mm_event_kind kind, unsigned a, unsigned b, unsigned c);

/* rules.c */
bool mm_setup_read(struct mm_setup *setup, const struct options *o, struct strbuf *why);

/* state.c */
void mm_encode(const struct game_state *s, struct strbuf *out);
bool mm_decode(struct span text, struct game_state **out, struct strbuf *why);

/* ---- position.c: questions about a position ---- */

bool mm_is_in(const struct game_state *s, unsigned seat);
uint32_t mm_board(const struct game_state *s); /* hexes there are */
uint32_t mm_claims(const struct game_state *s, unsigned seat);
uint32_t mm_with_moles(const struct game_state *s, unsigned seat);
unsigned mm_moles_on(const struct mm_hex *x, unsigned seat); /* seat 0: empty spaces */
unsigned mm_supply(const struct game_state *s, unsigned seat);
unsigned mm_tokens_left(const struct game_state *s, unsigned seat);
/* The tunnel network; for MOVE a Cave-In parts neighbours, else it does not. */
uint32_t mm_network(const struct game_state *s, unsigned seat, bool for_move);
/* Where a mole may go from `from`, which must be claimed and hold one (rule 9). */
uint32_t mm_move_targets(const struct game_state *s, unsigned seat, unsigned from);
uint32_t mm_move_sources(const struct game_state *s, unsigned seat);
uint32_t mm_breed_targets(const struct game_state *s, unsigned seat);
uint32_t mm_convert_targets(const struct game_state *s, unsigned seat);
uint32_t mm_home_targets(const struct game_state *s, unsigned seat);
/* Neighbours of `hex` to which a Cave-In may go. */
uint32_t mm_cavein_borders(const struct game_state *s, unsigned hex);
bool mm_can_steal_from(const struct game_state *s, unsigned seat, unsigned victim);
unsigned mm_next_in(const struct game_state *s, unsigned seat); /* itself when alone */

/* Why the game is over; 0 while it goes on. */
enum mm_end { END_TOKENS = 1, END_MOLES = 2, END_FULL = 4, END_ALONE = 8, END_CAP = 16 };
unsigned mm_ends(const struct game_state *s);
bool mm_over(const struct game_state *s);
struct seat_set mm_owes(const struct game_state *s);
unsigned mm_hex_points(const struct game_state *s, unsigned seat);
unsigned mm_home_points(const struct game_state *s, unsigned seat, bool hidden_too);

/* ---- Orders ---- */

enum mm_verb {
	STEP_MOVE,
	STEP_BREED,
	STEP_CONVERT,
	STEP_ROLL,
	STEP_HOME,
	STEP_CAVEIN,
	STEP_STEAL,
	STEP_PLUSROLL,
	STEP_VERBS
};

struct mm_step {
	uint8_t verb;
	uint8_t hex[4];   /* MOVE: from, to; CAVEIN: two borders; else the first */
	uint8_t space[2]; /* of hex 0 and 1; 0 = not named */
	uint8_t count;    /* moles of MOVE and BREED */
	uint8_t seat;     /* whose mole (CONVERT, if no space is named), whose pile (STEAL) */
	uint8_t card;     /* STEAL */
	bool clockwise;   /* ROLL */
	unsigned line, column;
};

struct mm_play {
	uint8_t card, with; /* with: the number card of a Groundskeeper, or none */
	uint8_t nsteps;
	struct mm_step steps[MM_STEPS];
	unsigned line, column;
};

enum mm_orders_kind { ORDERS_PASS, ORDERS_DISCARD, ORDERS_PLAY, ORDERS_SETUP, ORDERS_RESIGN };

struct mm_orders {
	enum mm_orders_kind kind;
	unsigned nplays;
	struct mm_play plays[MM_PLAYS];
	uint8_t nbases, bases[6], ntiles, tiles[12]; /* ORDERS_SETUP */
};

/* What is wrong with an order; refuse.c has a sentence for each. */
enum mm_trouble_code {
	TROUBLE_NONE,
	TROUBLE_NOT_HELD,
	TROUBLE_NOT_STACKABLE,
	TROUBLE_NEEDS_WITH,
	TROUBLE_WITH_NOTHING, /* WITH behind another card than a Groundskeeper */
	TROUBLE_NO_NUMBER,    /* WITH another card than a number card */
	TROUBLE_STEP,         /* a step that this card does not have */
	TROUBLE_TOO_MANY,
	TROUBLE_NO_MAIN,  /* CV, GK, GI as action without their effect */
	TROUBLE_ONE_STEP, /* a stacked CV with more or less than one */
	TROUBLE_LAST,     /* HOME or CAVEIN with something behind it */
	TROUBLE_THIRD,    /* N2: the third is a BREED */
	TROUBLE_NO_HEX,
	TROUBLE_NO_SPACE, /* the hex has no space of that number */
	TROUBLE_NOT_CLAIMED,
	TROUBLE_NO_MOLE,
	TROUBLE_NOT_YOURS, /* the space named holds no mole of theirs */
	TROUBLE_TAKEN,     /* the space named is not empty */
	TROUBLE_FULL,
	TROUBLE_SAME,
	TROUBLE_NETWORK,
	TROUBLE_ROUTE,
	TROUBLE_SUPPLY,
	TROUBLE_NO_OPPONENT,
	TROUBLE_NO_HOME,
	TROUBLE_NO_CAVEINS,
	TROUBLE_NOT_BESIDE,
	TROUBLE_CAVED,
	TROUBLE_TWICE,
	TROUBLE_STEAL_WHOM,
	TROUBLE_STEAL_CARD
};
struct mm_trouble {
	enum mm_trouble_code code;
	unsigned play;
	int step;        /* -1: the card itself */
	unsigned hex;    /* which hex of the step, for those that have several */
	unsigned repeat; /* moles that went well before */
};

/* Whether this step of a card belongs to the BREEDs done last (rule 28). */
bool mm_is_deferred(const struct mm_play *p, const struct mm_step *step);

/*
 * carry.c: carries a PLAY out for the active player, up to but not including the draw.
 * False with the trouble; then `s` is the position in which it went wrong.
 */
bool mm_carry_out(struct game_state *s, const struct mm_orders *o, struct mm_trouble *t);
/* steps.c: one step by `seat`; roll: the roll number. */
bool mm_do_step(struct game_state *s, unsigned seat, const struct mm_step *step, unsigned roll,
                struct mm_trouble *t);

/* orders.c */
bool mm_read_orders(const struct game_state *s, unsigned seat, struct span before,
                    const struct tables *tables, struct span text, struct strbuf *canonical,
                    struct diags *diags);
/* guess.c */
extern const struct loose_language mm_loose;
/* The same in the set-up. */
extern const struct loose_language mm_setup_loose;
void mm_default_orders(const struct game_state *s, unsigned seat, struct strbuf *canonical);

/* clause.c */
void mm_write_orders(const struct game_state *s, const struct mm_orders *o,
                     struct strbuf *canonical);
void mm_write_step(const struct game_state *s, const struct mm_step *step, struct strbuf *out);
/* The orders of a canonical text; false when it is none. Not checked against the position. */
bool mm_parse_orders(const struct game_state *s, struct span canonical, struct mm_orders *out);

/*
 * refuse.c: adds the sentence for `t`; `now`: the position the orders are for, `work`: that in
 * which they went wrong; `example`: orders that would work.
 */
void mm_refuse(const struct game_state *now, const struct game_state *work,
               const struct mm_orders *o, const struct mm_trouble *t, const char *example,
               struct diags *diags);

/* resolve.c */
void mm_default_lists(struct mm_orders *o);
void mm_place_hexes(struct game_state *s, const struct mm_orders *lists);
void mm_begin_play(struct game_state *s, struct chance *chance);
bool mm_resolve(const struct game_state *now, const struct seat_orders *orders,
                struct chance *chance, struct game_state **next, struct strbuf *why);
void mm_result(const struct game_state *s, struct game_result *out);

/* resample.c */
struct game_state *mm_resample(const struct game_state *s, unsigned viewer,
                               struct chance *chance);

/* make.c */
/*
 * A PLAY that is legal for the active player, with cards stacked or without; DISCARD when no
 * card can do anything.
 */
void mm_make_play(const struct game_state *s, uint32_t *dice, bool stacks,
                  struct mm_orders *out);
unsigned mm_roll_dice(uint32_t *dice, unsigned n); /* 0..n-1; *dice is never 0 */

/* sample.c */
sample_orders_fn mm_sample_orders_1; /* of bots version 1 */
void mm_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                      const struct tables *tables, struct chance *chance,
                      struct strbuf *canonical);
extern const struct bot_effort mm_efforts[];
void mm_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1]);

/* choices.c */
/* "Bob (N4, CV, N3) or Cid (GI)"; false, and nothing, when nobody has discards. */
bool mm_add_steals(const struct game_state *s, unsigned seat, struct strbuf *out);
/* "C3.1, D2.3-5", or "C3.1 (Bob), ..."; false, and nothing, when there is no such mole. */
bool mm_add_converts(const struct game_state *s, unsigned seat, bool names, struct strbuf *out);
enum mm_choice { CHOICE_STEAL, CHOICE_CONVERT, CHOICE_CARD };
/* One sentence: what such a step, or a card played, could name in this position. */
void mm_say_choices(const struct game_state *s, unsigned seat, enum mm_choice of,
                    struct strbuf *out);

/* reach.c */
enum { MM_REACH = 4 }; /* steps of the best number card */
/*
 * Index = so many steps of one card, MOVE or BREED; [0] is empty. Each hex was really reached or
 * claimed on a copy of the board, so a player can do the same; what could only be done in some
 * roundabout way may be missing.
 */
struct mm_reach {
	uint32_t
	    entered[MM_REACH + 1]; /* hexes, but their own full ones, that a MOVE can enter */
	uint32_t claimed[MM_REACH + 1]; /* hexes that become theirs by being filled up */
};
/* As far as `most` steps, MM_REACH at most; what lies beyond is as for `most`. */
void mm_find_reach(const struct game_state *s, unsigned seat, unsigned most,
                   struct mm_reach *out);

/* view.c, story.c, map.c, own.c, targets.c, guide.c */
void mm_view(const struct game_state *s, unsigned viewer, struct doc *out);
void mm_tell_story(const struct game_state *s, unsigned viewer, struct doc *out);
void mm_show_map(const struct game_state *s, struct doc *out);
void mm_show_own(const struct game_state *s, unsigned viewer, struct doc *out);
/* For the active player: an entry for each card in hand, with all it can be used on now. */
void mm_show_targets(const struct game_state *s, struct doc *out);
void mm_guide(const struct options *o, struct doc *out);
void mm_basics(const struct options *o, struct doc *out);

#endif
