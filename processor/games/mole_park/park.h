/*
 * park.h - the inside of Mole Park: its state and what its files share.
 *
 * Everybody whacks moles out of five holes, turns hands of moles into prizes at
 * six shops, and with many prizes goes for the crown. What lies in a hole nobody
 * knows, what is in a hand only its owner does.
 *
 * A mole is a number from 1 to 125, a prize one from 1 to 56; cards.c says what each is
 * worth, and what it is called. The text the game was taken from gives
 * no faces of dice and no worth of a card: those are house figures, as the guide says.
 *
 * Round the table means: from the seat to the left of King Mole, who comes last.
 */
#ifndef MOLEPOST_GAMES_MOLE_PARK_PARK_H
#define MOLEPOST_GAMES_MOLE_PARK_PARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/games/fields.h"
#include "processor/games/order_rows.h"

enum {
	PARK_SEATS = 8,
	PARK_HOLES = 5,
	PARK_MOLES = 125,
	PARK_STARS = 5, /* of the best mole */
	PARK_SHOPS = 6,
	PARK_SHOP_CARDS = 8,
	PARK_PRIZES = (PARK_SHOPS + 1) * PARK_SHOP_CARDS, /* the last eight are crowns */
	PARK_FACES = 6,
	PARK_CROWN = 40, /* stars that win the crown */
	PARK_HAND = 5,
	PARK_HAND_MOST = 8, /* with bags */
	PARK_ROUNDS = 99,
	PARK_STYLE_COLS = 30,
	PARK_STYLE_BYTES = ORDER_TEXT_BYTES,
	PARK_TOTAL = 999, /* no total comes near it */
	PARK_OPTIONS_BYTES = 160
};

enum park_die { PARK_NO_DIE, PARK_GLOVE, PARK_PAN, PARK_MALLET, PARK_PRIZE_DIE, PARK_DICE_END };
enum { PARK_DICE = PARK_DICE_END - 1 };

/* Cards in order, first one first. */
struct park_pile {
	unsigned count;
	unsigned char cards[PARK_MOLES];
};

struct park_setup {
	bool short_game, pyramid, powers;
	unsigned king; /* by order of joining, 0 = drawn */
	unsigned rounds;
	char text[PARK_OPTIONS_BYTES]; /* the same as options_format writes it */
};

struct park_style {
	char text[PARK_STYLE_BYTES + 1]; /* "" = none */
};

/* The orders, declared (orders.c): rows of an order_set. */
enum park_kind {
	PARK_ROLL,    /* an enum park_die */
	PARK_ROLL_IF, /* another if somebody goes for the crown */
	PARK_CLAIMS,  /* an enum park_claim, or a seat: if they go for it */
	PARK_WISHES,  /* shops, 0..5, in this order; PARK_SHOPS at the end: nothing else */
	PARK_DISCARD, /* an enum park_discard_way, or values */
	PARK_FAVOUR,  /* seats */
	PARK_STYLE,
	PARK_KINDS
};
enum park_claim { PARK_NO_CLAIM, PARK_CLAIM_IF_ANY, PARK_CLAIM };
/* Which moles leave a hand that is too full. */
enum park_discard_way { PARK_LOW, PARK_HIGH };

enum park_declared { PARK_SILENT, PARK_DECLARED, PARK_ANSWERED };

/* What a seat did in the round before this one. Only `got` is secret. */
struct park_deed {
	enum park_die die;
	unsigned face; /* 0 = X, a miss */
	bool again;    /* the first throw was an X, thrown once more (STEADY) */
	enum park_declared declared;
	struct park_pile got;     /* out of the holes */
	struct park_pile dropped; /* those beyond the hand limit, onto the Mole Hill */
	struct park_pile shown;   /* for a prize or the crown, onto the Mole Hill */
	unsigned total;           /* stars shown in all, 0 = showed nothing */
	unsigned pick;            /* whose turn it was to choose a prize, from 1; 0 = none */
	unsigned won;             /* the prize, 0 = none */
	bool finalist;
	unsigned faces[PARK_DICE_END]; /* of a finalist's four dice in the Showdown */
};

struct park_seat {
	struct state_name name;
	unsigned left; /* round in which they left, 0 = still playing */
	struct park_pile hand;
	unsigned nprizes;
	unsigned char prizes[PARK_PRIZES];  /* as they were won */
	struct order_value wishes, discard; /* as ordered */
	struct park_deed last;
};

struct park_shop {
	unsigned up; /* the card that lies open, 0 = none */
	struct park_pile stock;
};

/* Flat, so that a state is copied by assignment. */
struct game_state {
	struct park_setup setup;
	unsigned nseats;
	unsigned round;            /* the round now open; the last one + 1 when it is over */
	unsigned ring[PARK_SEATS]; /* seats as they sit: the left of each is the next */
	unsigned king;
	struct park_style style;
	struct order_value favour; /* whom the King favours, best first */
	unsigned crown;            /* the crown card */
	unsigned winner;           /* of the crown, 0 = nobody yet */
	struct park_pile deck, hill, holes[PARK_HOLES];
	unsigned had[PARK_HOLES]; /* moles in each hole before the last round's dice */
	struct park_shop shops[PARK_SHOPS];
	unsigned ngone;
	unsigned char gone[PARK_PRIZES];        /* prizes out of the game */
	struct park_seat seats[PARK_SEATS + 1]; /* index = seat */
};

/* cards.c */
struct park_shop_facts {
	const char *key, *name, *brief; /* "INFLATION", "Inflation Nation", "INFL" */
	unsigned price;
};
extern const struct park_shop_facts park_shops[PARK_SHOPS];
extern const char *const park_die_keys[PARK_DICE_END];   /* "GLOVE" */
extern const char *const park_die_names[PARK_DICE_END];  /* "Boxing Glove" */
extern const char *const park_die_labels[PARK_DICE_END]; /* "glove", of draws */
/* What face 1..6 of a die shows; 0 = X. */
unsigned park_face(enum park_die die, unsigned side);
unsigned park_mole_stars(const struct park_setup *setup, unsigned mole);
unsigned park_prize_stars(const struct park_setup *setup, unsigned prize);
unsigned park_prize_shop(unsigned prize); /* 0..5; 6 for a crown */
bool park_is_bag(const struct park_setup *setup, unsigned prize);
bool park_is_steady(const struct park_setup *setup, unsigned prize);
/* names, for ever the same */
const char *park_mole_name(unsigned mole);
const char *park_prize_name(unsigned prize);

void park_pile_put(struct park_pile *pile, unsigned card);
unsigned park_pile_take(struct park_pile *pile); /* the first one */
bool park_pile_has(const struct park_pile *pile, unsigned card);
/* All of `from` goes behind what is in `to`. */
void park_pile_move(struct park_pile *from, struct park_pile *to);
/* Best mole first, of equal ones the lower number. */
void park_pile_sort(const struct park_setup *setup, struct park_pile *pile);
unsigned park_pile_stars(const struct park_setup *setup, const struct park_pile *pile);

/* table.c: questions about a state */
bool park_plays(const struct game_state *s, unsigned seat);
unsigned park_players_left(const struct game_state *s);
bool park_over(const struct game_state *s);
struct seat_set park_owes(const struct game_state *s);
unsigned park_left_of(const struct game_state *s, unsigned seat); /* who still plays */
/* All who play or played the last round, from the King's left, the King last. */
unsigned park_round_table(const struct game_state *s, unsigned seats[static PARK_SEATS]);
unsigned park_hand_limit(const struct game_state *s, unsigned seat);
bool park_has_steady(const struct game_state *s, unsigned seat);
unsigned park_prizes_worth(const struct game_state *s, unsigned seat);
/* Stars of the best five moles of a finalist and their Prize die. */
unsigned park_showdown_total(const struct game_state *s, unsigned seat);
/* Whether a tie of the last round was for the King to break. */
bool park_favour_was_used(const struct game_state *s);
/* Smaller is better: the King's word on ties. */
unsigned park_favour_place(const struct game_state *s, unsigned seat);
unsigned park_best_shop(const struct game_state *s, unsigned total); /* PARK_SHOPS: none */
void park_result(const struct game_state *s, struct game_result *out);

/* rules.c */
void park_setup_read(struct park_setup *setup, const struct options *o);

/* state.c */
void park_encode(const struct game_state *s, struct strbuf *out);
bool park_decode(struct span text, struct game_state **out, struct strbuf *why);
/* What must hold between lines that are each in order; false with a sentence in `why`. */
bool park_state_holds(const struct game_state *s, struct strbuf *why);

/* orders.c */
extern const struct order_row park_rows[PARK_KINDS];
/* The orders of this seat; `judges`: CROWN is refused without a mole in the hand; not when a stored set is read again. */
struct order_table park_table(const struct game_state *s, unsigned seat, bool judges);
bool park_read_orders(const struct game_state *s, unsigned seat, struct span before,
                      const struct tables *tables, struct span text, struct strbuf *canonical,
                      struct diags *diags);
/* guess.c */
extern const struct loose_language park_loose;
/* What a seat has ordered that has sent nothing this round: no die, no crown, its lists. */
void park_no_orders(const struct game_state *s, unsigned seat, struct order_set *out);
/* A canonical set, as resolve gets it. False if it is none for this seat in this state. */
bool park_parse_orders(const struct game_state *s, unsigned seat, struct span canonical,
                       struct order_set *out);
void park_write_orders(const struct game_state *s, unsigned seat, const struct order_set *o,
                       struct strbuf *canonical);
/* order_words.c */
/* What a style says: how reports call King Mole, and behind a GO the King's own word for "Go!"; "" = none. */
void park_style_read(const char *style, struct park_style *title, struct park_style *go);
/* In words: what will be done, and of the lists those of the kinds in `told`. */
void park_echo(const struct game_state *s, const struct order_set *o, unsigned told,
               struct strbuf *out);
/* Only the lists, each a sentence behind a blank. */
void park_echo_lists(const struct game_state *s, const struct order_set *o, unsigned told,
                     struct strbuf *out);
void park_warn(const struct game_state *s, unsigned seat, const struct order_set *o,
               struct diags *diags);

/* players.c: players named in orders */
/* How many of the words name a player; 0 = none does. "SEAT 2" names one as well. */
size_t park_read_player(const struct game_state *s, const struct order_word *words, size_t n,
                        unsigned *seat);
void park_write_players(const struct game_state *s, const struct order_value *p,
                        struct strbuf *out);
/* 1 to 30 columns of what names are made of, without words that begin orders. */
bool park_style_ok(struct span style);

/* resolve.c: the round */
bool park_resolve(const struct game_state *now, const struct seat_orders *orders,
                  struct chance *chance, struct game_state **next, struct strbuf *why);
void park_deal_round(struct game_state *s, struct chance *chance);

/* hidden.c */
struct game_state *park_resample(const struct game_state *s, unsigned viewer,
                                 struct chance *chance);

/* sample.c */
sample_orders_fn park_sample_orders_1; /* of bots version 1 */
void park_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                        const struct tables *tables, struct chance *chance,
                        struct strbuf *canonical);
extern const struct bot_effort park_efforts[];
void park_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1]);

/* view.c, story.c, board.c, guide.c */
void park_view(const struct game_state *s, unsigned viewer, struct doc *out);
void park_tell_round(const struct game_state *s, struct doc *out);
void park_board(const struct game_state *s, struct doc *out);
void park_guide(const struct options *o, struct doc *out);
void park_basics(const struct options *o, struct doc *out);
/* "No. 41, Percy Pinstripe (1 star)" */
void park_add_mole(const struct game_state *s, unsigned mole, struct strbuf *out);

#endif
