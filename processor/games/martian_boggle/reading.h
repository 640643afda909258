/*
 * reading.h - the orders, declared, and one mail of them while it is read.
 */
#ifndef MOLEPOST_GAMES_MARTIAN_BOGGLE_READING_H
#define MOLEPOST_GAMES_MARTIAN_BOGGLE_READING_H

#include "processor/games/martian_boggle/boggle.h"
#include "processor/games/order_forms.h"

enum {
	BOGGLE_LONE_WORDS = 4 /* of a mail that are looked at */
};

/* Where something stood; the quote is cut short. */
struct boggle_place {
	unsigned line, column;
	char quoted[ORDER_QUOTE_BYTES + 1];
};

/* A word of five letters that has a line to itself. */
struct boggle_lone {
	struct boggle_place place;
	char word[BOGGLE_LETTERS + 1];
};

struct boggle_reading {
	struct order_mail mail;
	const struct game_state *state;
	unsigned seat;
	const struct tables *tables;
	struct boggle_orders orders;
	struct boggle_place places[3]; /* of the two moves and of SPELL */
	struct boggle_place pass;
	struct boggle_lone lone[BOGGLE_LONE_WORDS];
	unsigned nlone;
	bool passed;
};

enum boggle_verb { VERB_MOVE, VERB_SPELL, VERB_PASS, VERB_RESIGN, VERBS };
extern const char *const boggle_verbs[VERBS];
extern const struct order_forms boggle_forms; /* up to VERB_RESIGN; of a struct boggle_orders */
/* "e1-b2", "e1->b2", "e1xb2", "e1b2": two squares in one word. */
bool boggle_parse_pair(struct span word, struct boggle_move *move);

/* Moves, dice, letters, list: false with an error, line and reason, in r->diags. */
bool boggle_check(struct boggle_reading *r);
#endif
