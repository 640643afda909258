/*
 * mole.h - the inside of Mole, the coin game: its state and what its files share.
 *
 * Two players flick coins on a board, usually of 300 by 600 mm. One has the mole (a 2p) and wants it over
 * the winning line; the other has three mignettes (1p) and wants it off a side. A phase
 * is one player's mail; a turn of a round is one of the mignettes and the one of the mole
 * after it. Nothing is hidden but how unsteady a finger will be.
 *
 * A state keeps where the coins lay before the last mail and what was ordered, not what came of
 * it: a report plays those flicks again, to the same bytes.
 *
 * Trusts: decode lets in coins near the board, targets within TARGET_MM and ranges the options
 * allow, so that physics.h cannot overflow.
 */
#ifndef MOLEPOST_GAMES_MOLE_MOLE_H
#define MOLEPOST_GAMES_MOLE_MOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/games/fields.h"
#include "processor/games/mole/physics.h"
#include "processor/games/rules.h"

enum {
	MOLE = 0, /* the coin M */
	SEATS = 2,
	FLICKS = 3, /* most in one mail */
	MOLE_TURNS = 25,
	MOLE_ROUNDS = 100,
	MOLE_TARGET = 21,
	MOLE_LEAD = 5,
	MOLE_RANGE_LEAST = 50,
	MOLE_RANGE_MOST = 600,
	MOLE_ENDLESS = 3,  /* rounds in a row that ran out, then the roles swap */
	MOLE_STEP = 10000, /* nm in 0.01 mm, the finest a player writes */
	REACH_MM = 900,    /* from a coin to where it is aimed */
	TARGET_MM = 1500,  /* no number in an order is larger: 900 mm from the board */
	BEYOND_MM = 30,    /* how far outside the board a state may have a coin */
	MOLE_GAP = 50000,  /* nm, up to which coins touch */
	MOLE_OPTIONS_BYTES = 160 + MOLE_BOARD_BYTES
};

enum mole_side { SIDE_MIGNETTES, SIDE_MOLE };

struct mole_setup {
	struct mole_board board;
	bool own_board; /* none of those with a name */
	unsigned target, lead, dexterity, rounds;
	int64_t range[2]; /* nm; index = enum mole_side */
	bool loup, paths;
	char text[MOLE_OPTIONS_BYTES]; /* as options_format writes them */
};

/* FLICK: towards a point, perhaps with a length of its own. */
struct mole_order {
	unsigned coin;
	struct mole_point to;
	int64_t range; /* nm; 0 = to the point */
	bool at_most;  /* to the point, but no further than `range` */
};

/* One player's orders. Coins not flicked stay: NASDAQ. */
struct mole_orders {
	bool resign, concede, taupiniere;
	bool placed[MOLE_COINS];
	struct mole_point place[MOLE_COINS];
	struct mole_order flicks[FLICKS];
	unsigned nflicks;
};

/* From which a player orders. */
struct mole_position {
	struct mole_coins coins;
	enum mole_side side; /* to play */
	bool first_go;       /* mignettes' first turn of a round */
};

struct mole_seat {
	struct state_name name;
	unsigned points;
	unsigned left; /* phase in which the player left, 0 = plays */
};

/* The mail played last. */
struct mole_last {
	bool any; /* none before the first, and none after a resignation */
	unsigned round, turn, mole_seat;
	struct mole_position before;
	struct mole_orders orders;
	struct mole_wobble
	    wobble[FLICKS]; /* of the flicks carried out, by their place in orders */
};

/* Flat, so that a state is copied by assignment. */
struct game_state {
	struct mole_setup setup;
	unsigned phase;       /* from 1 */
	unsigned round, turn; /* both from 1 */
	unsigned endless;     /* rounds running that came to no end */
	unsigned mole_seat;
	struct mole_position now;
	struct mole_seat seats[SEATS + 1];
	struct mole_last last;
};

/* rules.c */
bool mole_setup_read(struct mole_setup *setup, const struct options *o, struct strbuf *why);

/* state.c */
void mole_encode(const struct game_state *s, struct strbuf *out);
bool mole_decode(struct span text, struct game_state **out, struct strbuf *why);

/* position.c */
void mole_start_round(const struct mole_board *board, struct mole_position *p);
bool mole_over(const struct game_state *s);
struct seat_set mole_owes(const struct game_state *s);
unsigned mole_seat_to_play(const struct game_state *s);
static inline unsigned mole_other(unsigned seat)
{
	return SEATS + 1 - seat;
}
unsigned mole_alive(const struct mole_coins *coins); /* mignettes on the board */
/* Whether mignettes may lie so at the start of a round; else a sentence in `why`, if not NULL. */
bool mole_places_ok(const struct mole_board *board, const struct mole_coins *coins,
                    struct strbuf *why);
void mole_put(struct mole_coins *coins, const struct mole_orders *o); /* carries out PLACE */
/* Gad: mignettes that touch the mole when its turn begins. */
struct mole_gad {
	bool touches[MOLE_COINS];
	struct mole_point to[MOLE_COINS]; /* from the mole, nm */
	unsigned count;
	bool stuck; /* touched, and no direction leads away from all: NASDAQ is allowed */
	struct mole_point way; /* one that does, if not stuck */
};
struct mole_gad mole_gad(const struct mole_coins *coins);
/* Whether the mole may go along dx, dy. */
bool mole_gad_allows(const struct mole_gad *g, int64_t dx, int64_t dy);

/* canonical.c */
void mole_write_orders(const struct mole_orders *o, const struct mole_position *p,
                       struct strbuf *canonical);
/* Strict: exactly what mole_write_orders writes in this position. */
bool mole_parse_orders(struct span canonical, const struct mole_board *board,
                       const struct mole_position *p, struct mole_orders *out);

/* orders.c */
bool mole_read_orders(const struct game_state *s, unsigned seat, struct span before,
                      const struct tables *tables, struct span text, struct strbuf *canonical,
                      struct diags *diags);
/* guess.c */
extern const struct loose_language mole_loose;

/* How a round ended, or that it goes on; the order is that of the rules. */
enum mole_end {
	END_NONE,
	END_KNOCKED_OVER, /* by a mignette, over the winning line */
	END_YEKINI,       /* all dead with the mole's fall */
	END_KNOCKED_REAR,
	END_KNOCKED_OFF, /* off a side, and who caused it lives */
	END_CAUSE_DIED,
	END_NO_MIGNETTE,
	END_FELL,          /* the mole, in its own turn */
	END_CALL_FAILED,   /* TAUPINIERE without exactly two kills */
	END_TWO_KILLS,     /* without the call */
	END_FROM_ZONE,     /* over the line out of the circle or a Rosserie */
	END_FROM_LOUP,     /* over the line from behind the loup line */
	END_KILL_CROSSING, /* over the line with a kill */
	END_CROSSED,
	END_CONCEDED,
	END_ENDLESS
};
enum mole_gain { GAIN_NONE, GAIN_MOLE, GAIN_MIGNETTES, GAIN_TIE };
enum mole_gain mole_gain(enum mole_end end, enum mole_side side);

enum mole_did { DID_FLICK, DID_NOT_MOVE, DID_SKIP };

struct mole_flick {
	struct mole_order order;
	enum mole_did did; /* for the others nothing else is set but `before` and `after` */
	struct mole_wobble wobble;
	int64_t range; /* of the free run, nm, before any wobble */
	struct mole_coins before, after;
	struct mole_run run;
	bool annulled;         /* `after` is `before`; what would have been is in `fallen` */
	enum mole_edge fallen; /* the mole's edge in this flick, also when annulled */
};

/* A mail carried out. */
struct mole_played {
	struct mole_coins start; /* with mignettes placed */
	struct mole_flick flicks[FLICKS];
	unsigned nflicks;                /* those after the end of a round are not there */
	enum mole_zone died[MOLE_COINS]; /* of mignettes at rest inside one, else ZONE_NONE */
	unsigned kills;                  /* by the mole's turn */
	unsigned cause;                  /* the mignette that brought the mole down, 0 = none */
	enum mole_edge fell;             /* the mole, for good */
	struct mole_coins after;
	enum mole_end end; /* END_ENDLESS is not known here */
};

/* resolve.c */
/*
 * Carries out orders. The finger's wobble is drawn from `chance`, or, when that is NULL, taken
 * from `known` (FLICKS of them; NULL = steady). `watch` may be NULL.
 */
void mole_play(const struct mole_setup *setup, const struct mole_position *from,
               const struct mole_orders *o, struct chance *chance,
               const struct mole_wobble *known, const struct mole_watch *watch,
               struct mole_played *out);
bool mole_resolve(const struct game_state *now, const struct seat_orders *orders,
                  struct chance *chance, struct game_state **next, struct strbuf *why);
void mole_result(const struct game_state *s, struct game_result *out);
/* The last mail again, to the same bytes; s->last.any must be set. */
void mole_replay(const struct game_state *s, const struct mole_watch *watch,
                 struct mole_played *out);
/* How the round of the last mail ended with it. */
enum mole_end mole_last_end(const struct game_state *s, const struct mole_played *p);

/* sample.c */
void mole_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                        const struct tables *tables, struct chance *chance,
                        struct strbuf *canonical);
extern const struct bot_effort mole_efforts[];
void mole_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1]);

/* measures.c */
/* Where everything on the board lies, as a table. */
void mole_tell_measures(const struct mole_setup *setup, struct doc *out);

/* view.c, story.c, drawing.c, lines.c, guide.c */
void mole_view(const struct game_state *s, unsigned viewer, struct doc *out);
void mole_tell_highlight(const struct game_state *s, const struct mole_played *p,
                         struct doc *out);
void mole_tell_news(const struct game_state *s, const struct mole_played *p, unsigned viewer,
                    struct doc *out); /* one sentence, for one player */
/* All of it; what a round brought is news to who has a seat. */
void mole_tell(const struct game_state *s, const struct mole_played *p, unsigned viewer,
               struct doc *out);
void mole_guide(const struct options *o, struct doc *out);
void mole_basics(const struct options *o, struct doc *out);

#endif
