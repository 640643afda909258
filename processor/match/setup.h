/*
 * setup.h - the game somebody asks for, before it is made.
 */
#ifndef MOLEPOST_PROCESSOR_MATCH_SETUP_H
#define MOLEPOST_PROCESSOR_MATCH_SETUP_H

#include "processor/archive/proof.h"
#include "processor/calendar/deadline.h"
#include "processor/games/rules.h"
#include "processor/match/press.h"
#include "store/games.h"
#include "store/players.h"
#include "store/ratings.h"

/* What CREATE and `molepost game new` ask for. */
struct new_game {
	const struct rules *rules;
	struct options options;
	struct span title;
	unsigned players, bots;
	unsigned bot_level;       /* of rules.h */
	struct calendar calendar; /* with next_s */
	bool is_private;
	struct press_rules press;
	struct entry_terms terms;     /* of those who join */
	int64_t again;                /* the game it plays again, 0 = none (rematch.c) */
	struct span key;              /* "" = one is drawn when private */
	const struct player *creator; /* takes seat 1; NULL = the operator, who takes none */
	bool presides;                /* is master of the game and takes no seat */
	struct span creator_name;
	struct proof_mail mail; /* that asked for it; unless creator is NULL */
	/* A game that goes on from another: its row but for `game`, and its seats, index = seat. */
	const struct fork *fork;
	const struct seat *fork_seats;
};

#endif
