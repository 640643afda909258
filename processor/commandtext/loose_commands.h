/*
 * loose_commands.h - commands that lines which are none may have meant.
 *
 * The strict grammar carries out a line only when it fits a command whole. Where a mail fits
 * nothing, its words are looked through for what people ask a game server, in seven languages:
 * "Could I join W1?", "I'm on holiday till 3 Jan", "undo", "when is the deadline?". What comes out
 * is a command line that the strict grammar takes. Those that only show something may be carried
 * out at once; all others are only ever asked about.
 *
 * Trusts nothing. Pure.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_LOOSE_COMMANDS_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_LOOSE_COMMANDS_H

#include "processor/commandtext/command_text.h"

/* What a wish to play comes to that names no game, of somebody who has never played here. */
#define FIRST_GAME "CREATE Whakka Mole PLAYERS 3 BOTS 2"
enum { FIRST_GAME_BOTS = 2 };

/* What is known of who writes. */
struct loose_facts {
	const char *game;         /* "W1": the game that is answered, NULL if none */
	const struct rules *kind; /* of that game */
	bool plays;               /* has a seat in some game */
	bool unknown;             /* never heard of, and nobody vouches for the address */
	bool first;               /* has never played here */
	bool newcomer;            /* plays nowhere, and answers a mail of ours */
	bool gathering;           /* that game has not begun */
	bool over;                /* ... or has ended */
	bool presides;            /* ... and its master is who writes */
	int64_t today, due; /* days since 1970-01-01; of the turn that is open, 0 = none */
	unsigned turn;      /* ... and this one is open, as PROCESS counts them; 0 = none */
	const struct seat_names *names; /* ... and these play; NULL: there is no game */
	unsigned seat;                  /* ... the writer among them, 0 = without a seat */
	bool in_force[CMD_VOTE + 1];    /* their commands that can be taken back */
};

struct loose_command {
	const char *line; /* NULL: none was found. In the arena */
	bool shows;       /* it only shows something */
	bool
	    hints; /* a word that ends something, in no sentence that says so: nothing to be asked */
	bool repeats;       /* "same as last time": the orders of the turn before; line is "" */
	const char *unused; /* what that line names and this one has not; NULL: nothing */
	enum verb verb;     /* of that line */
	struct text_line from; /* where it was found; line 0 = the subject */
};

/* The first intent of the lines (nothing else of `text` is looked at), else of the subject. */
struct loose_command loose_command_find(const struct command_text *text, struct span subject,
                                        const struct loose_facts *facts, struct arena *arena);

/*
 * Which other turns than this one, `turn`, these orders are for: "ALWAYS" or "QUEUE 4"; NULL: none is said. *rest: the
 * lines without the words that say so, in the arena. plainly: a single word such as "always" does not do.
 */
const char *loose_order_scope(struct span lines, unsigned turn, bool plainly,
                              struct arena *arena, struct span *rest);

/* "3 and 5, next turn 2 and 4": both parts, in the arena. False: nothing is ordered for the next turn. */
bool loose_next_turn_apart(struct span lines, struct arena *arena, struct span *now,
                           struct span *next);

/* The lines of a mail without what asks; or what asks, a line each. */
struct command_text loose_questions_apart(const struct command_text *text, bool that_ask,
                                          struct arena *arena);

#endif
