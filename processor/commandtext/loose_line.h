/*
 * loose_line.h - a line of what people write: its words, and what they name. Private to loose_commands.c,
 * loose_line.c and loose_command_line.c.
 */
#ifndef MOLEPOST_PROCESSOR_COMMANDTEXT_LOOSE_LINE_H
#define MOLEPOST_PROCESSOR_COMMANDTEXT_LOOSE_LINE_H

#include "processor/clauses/clauses.h"
#include "processor/commandtext/loose_commands.h"

/* What it is about. */
enum intent {
	NO_INTENT,
#define INTENT(name, command, phrases) name,
#define WORD_FOR(verb, word, phrases)
#include "processor/commandtext/command_words.inc"
#undef WORD_FOR
#undef INTENT
	INTENTS
};

/* Units of time. */
#define WORDS_OF_HOURS \
	"hour hours h stunde stunden heure heures hora horas ora ore uur godzina godziny godzin"
#define WORDS_OF_WEEKS                                                                       \
	"week weeks woche wochen semaine semaines semana semanas settimana settimane weken " \
	"tydzien tygodnie"
#define WORDS_OF_DAYS \
	"day days tag tage tagen jour jours dia dias giorno giorni dag dagen dzien dni"
#define LENGTH_UNITS WORDS_OF_HOURS " " WORDS_OF_WEEKS " " WORDS_OF_DAYS

enum { WORDS_MOST = 60, GUESTS_MOST = 8 };

/* What a line can name whose type says what it is; a bit each. */
enum named {
	NAMES_PERSON = 1,
	NAMES_ADDRESS = 2,
	NAMES_DAYS = 4,
	NAMES_HOURS = 8,
	NAMES_LENGTH = 16,
	NAMES_NUMBER = 32,
	NAMES_CHOICE = 64,
	NAMES_TEXT = 128,
	NAMES_CONDITION = 256, /* "if I forget a turn" */
	NAMES_ORDERS = 512,    /* which only a game can tell */
	NAMES_KIND = 1024
};

struct loose_line_word {
	struct span text;    /* small letters without accents or marks around it */
	struct span written; /* without marks around it */
};

/* One line and what was found in it. */
struct loose_line {
	struct loose_line_word words[WORDS_MOST];
	size_t n;
	bool taken[WORDS_MOST]; /* by the phrase or an argument */
	bool times[WORDS_MOST]; /* of a day, an hour, a length of time */
	bool spent[WORDS_MOST]; /* by an argument of the command that is being written */
	unsigned used;          /* ... its arguments, bits of enum named */
	struct span source;     /* what the words stand in, plain */
	struct clause *clauses; /* of `source` */
	size_t nclauses;
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

/* Takes corrections as they are meant; before anything is found. */
void loose_line_correct(struct loose_line *l);
/* "Game", in seven languages. */
bool loose_is_game(struct span word);

/* Fills l->game, ->item.kind, ->guests and ->person, and takes their words. */
void loose_line_find(struct loose_line *l);
/* mole_alone: the word "mole" means the game called so. */
void loose_line_find_kind(struct loose_line *l, bool mole_alone);
void loose_line_find_name_and_key(struct loose_line *l);

/* The clause that the word stands in; NULL: none. */
const struct clause *loose_line_clause(const struct loose_line *l, size_t word);

/* Whether the word stands in the text; whether the name, or "Bob's", stands at this word. */
bool loose_is_inside(struct span word, struct span text);
bool loose_is_name_at(const struct loose_line *l, size_t at, const char *name);

/* 0 = Monday ... 6 = Sunday; 7: it is none. */
unsigned loose_weekday(struct span word);
/* "3 players", "with two friends", who writes among them; 0 = not said. */
unsigned loose_line_players(const struct loose_line *l);
/* "Against the computer", "alone"; *bots: how many of them, 0 = not said. */
bool loose_line_is_solo(const struct loose_line *l, unsigned *bots);
/* "24 Dec TO 3 Jan", "TO 3 Jan", as days_read takes them, whose words are marked as spent and used; NULL: no days. */
const char *loose_line_days(struct loose_line *l);

/* Marks the words of all days, hours and lengths of time as spent. */
void loose_line_spend_times(struct loose_line *l);

/*
 * The command for it, in the arena, with its arguments spent; NULL: there is none, or it lacks what makes the phrase
 * a wish.
 */
const char *loose_command_line(struct loose_line *l, enum intent intent);
/* The words of its command, small letters, where they are several. */
bool loose_command_words(const struct loose_line *l, enum intent intent, struct span *words);
/* The command that takes the one for it back, and what that is; NULL: nothing does. */
const char *loose_command_undo(const struct loose_line *l, enum intent intent, enum verb *verb);
/* Whether it has a term of a game, as its rules have it. */
bool loose_names_term(const struct loose_line *l);

#endif
