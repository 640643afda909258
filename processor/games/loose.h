/*
 * loose.h - a second, loose reading of order lines, to ask "did you mean ...?".
 *
 * The strict reader (order_text.h) carries out only what it understands whole. Where it does not,
 * the lines are taken apart into a row of tokens: words that the game knows, in seven languages and
 * with typing errors forgiven, numbers, and all the rest. The game turns them into at most
 * ORDER_GUESSES texts such as a person could have sent, best first. What comes out here is judged
 * by the strict reader and shown in a question; it is never carried out without a YES.
 *
 * Trusts nothing; takes any bytes.
 */
#ifndef MOLEPOST_GAMES_LOOSE_H
#define MOLEPOST_GAMES_LOOSE_H

#include "processor/games/rules.h"

/* A word of a game in small letters without accents, and what it stands for there. */
struct loose_word {
	const char *word;
	int code;
};

/* What is read of a text: a sentence is looked at many times. SLOT_NAME: a number that names a piece. */
enum {
	LOOSE_TOKENS_MOST = 400,
	LOOSE_BYTES_MOST = 4000,
	LOOSE_SLOT_NUMBER = 1,
	LOOSE_SLOT_NAME = 900
};

struct loose_text;

/* What a game knows. Arguments of one kind have one number, so that a correction finds what it corrects. */
struct loose_language {
	const struct loose_word *words;
	size_t nwords;
	/* Of a word of the list: which argument it is; 0: a verb, or says nothing. NULL: none is one. */
	unsigned (*slot_of)(int code);
	/*
	 * Of a word in small letters that is a place, a card or the like: it is then LOOSE_OTHER even if it
	 * resembles a word of the list. 0: it is none. NULL: there are none.
	 */
	unsigned (*takes)(struct span word);
	/* The code of "if", which every condition that has the word `about` begins with; both 0: there is none. */
	int condition, about;
	int nothing; /* The code that ends a list of wishes, "otherwise nothing"; 0: there is none. */
	unsigned
	    names; /* numbers up to it are names of pieces, another argument than larger ones */
	bool ranks; /* orders are lists of wishes: what is meant otherwise comes behind */
	int declines; /* The code of "pass", for what says it in several words; 0: there is none. */
	/*
	 * The texts that may have been meant, not judged yet, with order_guess_add, and what the tokens are: `meant`, and
	 * `plain`, which does not count in what only asks. Zeroed before use, but for `words` and `asks`.
	 */
	void (*guess)(const struct game_state *s, unsigned seat, struct loose_text *text,
	              struct order_guesses *out);
};

enum loose_kind {
	LOOSE_OTHER, /* anything else */
	LOOSE_KNOWN, /* `code` of a word of the list */
	LOOSE_NUMBER,
	LOOSE_TURN, /* "not", "instead": what stands behind it is not meant */
	LOOSE_BREAK /* comma, semicolon, full stop (`number` 1), end of a line */
};

struct loose_token {
	enum loose_kind kind;
	int code;        /* LOOSE_KNOWN */
	unsigned number; /* LOOSE_NUMBER */
	bool exact;      /* without typing errors, or of those that the game takes */
	size_t clause;   /* its index; for loose_apply_clauses alone */
	unsigned
	    slot; /* which argument it can be: LOOSE_SLOT_NUMBER, what the language says; else 0 */
	struct span
	    text; /* small letters without accents or marks around it; of a number in talk "" */
	struct span written; /* as it was typed; one byte stands before it in memory */
};

struct loose_text {
	struct span source;
	struct loose_token *items; /* with room for one more behind the last, a LOOSE_BREAK */
	size_t count;
	size_t known;     /* words of the game, as they are, and of what `takes` knows */
	bool asks;        /* it has nothing of the game but in a question */
	struct arena *in; /* owned */
};

/*
 * Quoted lines are left out. What the writer has corrected stands in it as corrected; what they only ask,
 * would have done, or set as a condition that the game has no word for, does not (processor/clauses).
 */
void loose_read(struct span text, const struct loose_language *language,
                struct loose_text *out);
void loose_release(struct loose_text *t);
/*
 * The lines that are read, LOOSE_BYTES_MOST or little more of them, in the arena, their typography plain, a blank before each (so that a sign can be
 * looked for before any word).
 */
struct span loose_plain(struct span text, struct arena *arena);
/* The last step of loose_read: `text` is what its tokens were read from. */
void loose_apply_clauses(struct loose_text *t, const struct loose_language *language,
                         struct span text);
/* Whether the token is this word of the list. */
bool loose_is(const struct loose_token *t, int code);
/* One number, in digits or in a word of seven languages (small letters without accents). */
bool loose_number(struct span word, unsigned min, unsigned max, unsigned *out);
/*
 * "Left", "up", "ahead", small letters without accents: a step on a board drawn with the first row below, one of the
 * two -1 or 1; `own`: seen from the player's side.
 */
bool loose_direction(struct span word, int *dx, int *dy, bool *own);
/* "Not", "don't": what stands behind it is not meant. */
bool loose_is_negation(struct span word);
/* "The others stay": said of those that have no order. */
bool loose_is_of_rest(const struct loose_text *t, size_t i);
/* "Both": said of two arguments, or of the two orders before. */
bool loose_is_both(struct span word);
/* "And", in a language. */
bool loose_is_and(struct span word);
/* The name itself, or "Ann's". */
bool loose_is_name(const struct loose_token *t, const char *name);
/* How many words and numbers the sentence has in which the token stands. */
size_t loose_sentence(const struct loose_text *t, size_t i);
/* Whether one of these words (NULL-ended) stands in it as it is. */
bool loose_has_word(const struct loose_text *t, const char *const *words);
/*
 * "Don't whack 5": whether one of so many words before the token at `i`, without a break between,
 * takes it back.
 */
bool loose_is_turned(const struct loose_text *t, size_t i, unsigned words);
/*
 * A short text that says "nothing", "no flick", "I won't move", "ich bewege nicht": if there are no orders
 * besides, none are meant.
 */
bool loose_declines(const struct loose_text *t);

/* A line of which something could belong to orders: a word of the game, a place, or a number where pieces have numbers. */
bool loose_could_belong(struct span line, const struct loose_language *l);
/* What the game takes these lines for. */
void order_guess(const struct loose_language *l, const struct game_state *s, unsigned seat,
                 struct span text, struct order_guesses *out);
/* Adds a text unless it is empty, there already, or one too many. */
void order_guess_add(struct order_guesses *g, struct span text);
void order_guesses_release(struct order_guesses *g);
/*
 * What the game takes these lines for, judged: only texts that read_orders accepts without an error stay, as
 * canonical orders, none twice. `before` as for read_orders. Where the whole of them makes none, clauses are
 * left out, talk first. With `name_unused`, for a question, what the first of the texts does not need is named in
 * `unused`: each clause that could be left out and is a condition, has a number that is in none of the orders, or is
 * said in words of the game alone; and each such number elsewhere. Of more than 24 clauses the rest is not named.
 */
void order_guesses(const struct rules *r, const struct game_state *s, unsigned seat,
                   struct span before, const struct tables *tables, struct span text,
                   bool name_unused, struct order_guesses *out);

#endif
