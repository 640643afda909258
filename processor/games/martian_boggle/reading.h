/*
 * reading.h - one mail of orders while it is read; shared by orders.c and refusal.c.
 */
#ifndef MOLEPOST_GAMES_MARTIAN_BOGGLE_READING_H
#define MOLEPOST_GAMES_MARTIAN_BOGGLE_READING_H

#include "processor/games/martian_boggle/boggle.h"
#include "processor/games/order_text.h"

enum {
	BOGGLE_MOVE_TEXT = sizeof "MOVE a1 b2",
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
	const struct game_state *state;
	unsigned seat;
	const struct tables *tables;
	struct diags *diags;
	struct boggle_orders orders;
	struct boggle_place places[3]; /* of the two moves and of SPELL */
	struct boggle_place pass;
	struct boggle_lone lone[BOGGLE_LONE_WORDS];
	unsigned nlone;
	bool passed, understood, refused;
	char example[BOGGLE_MOVE_TEXT]; /* a move that is legal now, or "" */
};

/* Moves, dice, letters, list: false with an error, line and reason, in r->diags. */
bool boggle_check(struct boggle_reading *r);
/* "MOVE a1 b2" */
void boggle_write_move(const struct boggle_move *m, char text[BOGGLE_MOVE_TEXT]);

#endif
