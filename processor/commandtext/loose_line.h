/*
 * loose_line.h - a line of what people write: its words, and what they name. Private to loose_commands.c,
 * loose_line.c and loose_command_line.c.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_LOOSE_LINE_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_LOOSE_LINE_H

#include "processor/commandtext/loose_commands.h"

/* What it is about. */
enum intent {
	NO_INTENT,
#define INTENT(name, command, phrases) name,
#include "processor/commandtext/command_words.inc"
#undef INTENT
	INTENTS
};

enum { WORDS_MOST = 60, GUESTS_MOST = 8 };

struct loose_line_word {
	struct span text;    /* small letters without accents or marks around it */
	struct span written; /* without marks around it */
};

/* One line and what was found in it. */
struct loose_line {
	struct loose_line_word words[WORDS_MOST];
	size_t n;
	bool taken[WORDS_MOST]; /* by the phrase or an argument */
	struct arena *arena;
	const struct loose_facts *facts;
	struct command item; /* game, kind, of the line */
	const char *game;    /* "W1", or NULL */
	struct span name, key;
	struct span guests[GUESTS_MOST]; /* mail addresses */
	size_t nguests;
	bool asks;          /* a question mark is in it */
	const char *person; /* of the table, not who writes; NULL: nobody is named */
};

/* The words of `text`; l->arena and l->facts are set. */
void loose_line_split(struct loose_line *l, struct span text);
/* How many words from `at` on are this phrase, long ones with a typing error; 0 = they are not. */
size_t loose_line_phrase(const struct loose_line *l, size_t at, struct span phrase);
/* Whether this word stands in it and is not taken. */
bool loose_line_has(const struct loose_line *l, const char *word);
/* Whether the word is one of a list with blanks between. */
bool loose_is_one_of(struct span word, const char *list);

/* Each takes the words it finds, if any, and fills l->game, ->item.kind, ->guests, ->person, ->name and ->key. */
void loose_line_find_game(struct loose_line *l);
/* mole_alone: the word "mole" means the game called so. */
void loose_line_find_kind(struct loose_line *l, bool mole_alone);
void loose_line_find_guests(struct loose_line *l);
void loose_line_find_person(struct loose_line *l);
void loose_line_find_name_and_key(struct loose_line *l);

/* The first number that is not taken, 0 = none. */
unsigned loose_line_number(const struct loose_line *l, unsigned min, unsigned max);
/* "3 players"; 0 = not said. */
unsigned loose_line_players(const struct loose_line *l);
/* "Against the computer", "alone"; *bots: how many of them, 0 = not said. */
bool loose_line_is_solo(const struct loose_line *l, unsigned *bots);
/* Whether they come with people of their own. */
bool loose_line_has_company(const struct loose_line *l);
/* "24 Dec TO 3 Jan", "TO 3 Jan", as days_read takes them; NULL: no days. */
const char *loose_line_days(struct loose_line *l);

/* The command for it, in the arena; NULL: there is none. */
const char *loose_command_line(struct loose_line *l, enum intent intent);

#endif
