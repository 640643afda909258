/*
 * whakka.h - the inside of Whakka Mole: its state and what its files share.
 *
 * Everybody has a sheet of holes. In secret each player lists the holes in
 * which their moles pop up and the one hole they whack on the sheet of the player to their
 * left; all is carried out at once. Nothing is hidden between turns, so a
 * state is public as a whole.
 *
 * Numbers that no text gives are house figures: 9 holes, 2 to 8 players, 60 turns.
 */
#ifndef MOLEPOST_GAMES_WHAKKA_MOLE_WHAKKA_H
#define MOLEPOST_GAMES_WHAKKA_MOLE_WHAKKA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/games/fields.h"
#include "processor/games/order_rows.h"
#include "processor/games/rules.h"

enum {
	WHAKKA_SEATS = 8,
	WHAKKA_HOLES = 16,
	WHAKKA_POINTS = 99,
	WHAKKA_TARGET = 999,
	WHAKKA_TURNS = 200,
	/* No total can pass this: 200 turns of full sheets that nobody ever whacked. */
	WHAKKA_TOTAL = WHAKKA_TURNS * (WHAKKA_POINTS + WHAKKA_HOLES * WHAKKA_TURNS),
	WHAKKA_OPTIONS_BYTES = 160
};

/* The options as numbers. */
struct whakka_setup {
	unsigned holes, target, turns;
	unsigned whackpts;  /* for a hit; 0: one for each mole it takes */
	unsigned maxtokens; /* most holes one POPUP may list; never above holes */
	bool tokens_stay, ties_by_whacks, join_order;
	char text[WHAKKA_OPTIONS_BYTES]; /* the same as options_format writes it */
};

/* One seat's orders; what a canonical set says. */
struct whakka_orders {
	bool resign;
	uint32_t popup; /* bit h-1 = hole h */
	unsigned whack; /* 0 = none */
};

struct whakka_seat {
	struct state_name name;
	unsigned total;
	unsigned hits;   /* whacks of theirs that hit */
	unsigned struck; /* times their own sheet was hit */
	unsigned left;   /* turn in which they resigned, 0 = still playing */
	/* Habits, for all to see: turns in which they popped up in, whacked, hole h (at h-1). */
	unsigned popped[WHAKKA_HOLES], whacked[WHAKKA_HOLES];
	/* The turn before this one, if they were in it: orders, and tokens as they stood when the
	   whacks fell. */
	struct whakka_orders last;
	unsigned sheet[WHAKKA_HOLES];
};

/* Flat, so that a state is copied by assignment. */
struct game_state {
	struct whakka_setup setup;
	unsigned nseats;
	unsigned turn;               /* the turn now open; the last one + 1 when it is over */
	unsigned ring[WHAKKA_SEATS]; /* seats in order round the table; each whacks the next */
	struct whakka_seat seats[WHAKKA_SEATS + 1]; /* index = seat */
};

/* rules.c */
bool whakka_setup_read(struct whakka_setup *setup, const struct options *o, struct strbuf *why);

/* state.c */
void whakka_encode(const struct game_state *s, struct strbuf *out);
bool whakka_decode(struct span text, struct game_state **out, struct strbuf *why);
bool whakka_plays(const struct game_state *s, unsigned seat);  /* in the turn now open */
bool whakka_played(const struct game_state *s, unsigned seat); /* in the turn before it */
/* Whose sheet `seat` whacks now, whacked last turn; seat itself if nobody else is left. */
unsigned whakka_left_of(const struct game_state *s, unsigned seat);
unsigned whakka_was_left_of(const struct game_state *s, unsigned seat);
/* Who whacks, whacked the sheet of `seat`. */
unsigned whakka_right_of(const struct game_state *s, unsigned seat);
bool whakka_over(const struct game_state *s);
struct seat_set whakka_owes(const struct game_state *s);

/* What a seat's last turn came to. */
struct whakka_score {
	bool hit;        /* their whack hit */
	unsigned struck; /* the hole in which their own sheet was hit, 0 = not */
	unsigned moles;  /* tokens that scored */
	unsigned whack;  /* points of their whack */
	unsigned lost;   /* tokens lost to a whack */
};
struct whakka_score whakka_last_score(const struct game_state *s, unsigned seat);

/* orders.c: the orders, declared */
enum whakka_kind { WHAKKA_POPUP, WHAKKA_WHACK, WHAKKA_KINDS };
extern const struct order_row whakka_rows[WHAKKA_KINDS];
bool whakka_read_orders(const struct game_state *s, unsigned seat, struct span before,
                        const struct tables *tables, struct span text, struct strbuf *canonical,
                        struct diags *diags);
/* guess.c */
extern const struct loose_language whakka_loose;
void whakka_write_orders(const struct whakka_orders *o, struct strbuf *canonical);
void whakka_write_holes(uint32_t holes, struct strbuf *out); /* "1 5", "NONE" */
/* Strict: exactly what whakka_write_orders writes, for this many holes. */
bool whakka_parse_orders(struct span canonical, unsigned nholes, struct whakka_orders *out);

/* resolve.c */
bool whakka_resolve(const struct game_state *now, const struct seat_orders *orders,
                    struct chance *chance, struct game_state **next, struct strbuf *why);
void whakka_result(const struct game_state *s, struct game_result *out);

/* sample.c */
sample_orders_fn whakka_sample_orders_1; /* of bots version 1 */
void whakka_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                          const struct tables *tables, struct chance *chance,
                          struct strbuf *canonical);
extern const struct bot_effort whakka_efforts[];
void whakka_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1]);
/* How many moles pay best against whacks at random. */
unsigned whakka_best_moles(const struct whakka_setup *setup, unsigned players);

/* solution.c */
/* Whether the position is one between two that can be worked out whole. */
bool whakka_has_solution(const struct game_state *s);
/* How often `seat` puts up 0, 1, ... moles there, as weights; where, and where it whacks, is any hole. */
void whakka_solve(const struct game_state *s, unsigned seat,
                  unsigned weights[WHAKKA_HOLES + 1]);

/* view.c, guide.c */
void whakka_view(const struct game_state *s, unsigned viewer, struct doc *out);
void whakka_board(const struct game_state *s, struct doc *out); /* sheets.c */
void whakka_guide(const struct options *o, struct doc *out);
void whakka_basics(const struct options *o, struct doc *out);

#endif
