/*
 * order_text.h - how every game reads order lines.
 *
 * A line is made plain, loses its bullet, and falls into words; a word that is
 * a verb of the game begins a clause, which runs to the next verb. So "popup 3, whack
 * five", "POP-UP 3; WHACK 5." and "* *Popup* (3) & whack 5!" are the same two
 * clauses, while a line that begins with no verb is prose and orders nothing. A
 * word that only looks like a verb is never carried out: its clause carries the
 * verb that was probably meant, for the player to read.
 *
 * What stands between two words as blank: blanks, ',' ':' '=', the marks * _ ` " and
 * brackets, and & + / alone. A semicolon is a word of its own, so that a game can
 * refuse "3; 7". A dash or dots stay, so that "1 - 9" never becomes "1 9".
 *
 * What decorates a line is cut first (decoration.h): emoji, "please", a remark behind a dash.
 *
 * A line that is quoted is prose as a whole, and so is one that asks: a question mark with more
 * behind it, or with more than one order before it.
 *
 * Trusts nothing; takes any bytes.
 */
#ifndef MOLEPOST_GAMES_ORDER_TEXT_H
#define MOLEPOST_GAMES_ORDER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/diag.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct order_word {
	struct span text; /* without marks around it; good until the next line is read */
	unsigned column;  /* in the line made plain, from 1 */
};

struct order_table;

/* Capitals, one word ("POPUP" also reads "pop up" and "pop-up"). */
struct order_language {
	const char *const *verbs;
	size_t nverbs;
	/* Of orders that are declared (order_rows.h), in the place of is_argument and free_words. */
	const struct order_table *rows;
	bool (*row_argument)(const struct order_table *rows, struct span word);
	size_t (*row_free_words)(const struct order_table *rows, struct span word);
	/* Whether the clause goes on with a verb behind these arguments, the CROWN of "ROLL PAN IF CROWN". */
	bool (*row_takes_verb)(const struct order_table *rows, const struct order_word *args,
	                       size_t n, const char *verb);
	/*
	 * Whether a word could be what follows a verb ("5", "NONE"): a misspelt verb is pointed
	 * out only before such a word, else the line is prose.
	 */
	bool (*is_argument)(struct span word);
	/*
	 * Names that may stand among arguments: their words are never taken for verbs, well or
	 * badly spelt. May be none.
	 */
	const char *const *names;
	size_t nnames;
	/* More names, which are not cut as decoration but may be taken for verbs. May be none. */
	const char *const *kept;
	size_t nkept;
	/* Of a remark of one word: whether it could belong to an order. NULL: none could. */
	bool (*means_alone)(struct span word);
	/* As in struct decoration_words; NULL when no order takes any words. */
	size_t (*free_words)(struct span word);
};

struct order_reader {
	const struct order_language *language;
	struct span rest;    /* borrowed */
	unsigned line;       /* the line in hand, from 1 */
	struct strbuf plain; /* that line, without decoration at its end */
	size_t skipped;      /* bytes of decoration at its beginning */
	bool asks;           /* ... and it is a question */
	struct order_word *words;
	size_t count, cap;
	size_t at; /* first word not yet in a clause */
};

enum { ORDER_MISSPELT = -1, ORDER_PROSE = -2 };

struct order_clause {
	int verb;          /* index into verbs, ORDER_MISSPELT, ORDER_PROSE */
	const char *meant; /* ORDER_MISSPELT: the verb it resembles */
	unsigned line;
	struct order_word head;        /* the verb as written; prose: the line */
	const struct order_word *args; /* good until the next clause is taken */
	size_t nargs;
	struct span text; /* from the verb to the last argument, for quoting */
	bool alone;       /* nothing else stands on this line */
};

void order_reader_start(struct order_reader *r, const struct order_language *language,
                        struct span text);
void order_reader_release(struct order_reader *r);
/* The next clause of the text; false at its end. Blank lines give none. */
bool order_next_clause(struct order_reader *r, struct order_clause *c);

/*
 * Stretches the clause in hand to the end of its line, verbs or not: for an order that takes
 * free text. `text` then ends with the line; a semicolon or blanks at its end are left out.
 */
void order_take_line(struct order_reader *r, struct order_clause *c);

/*
 * What every game answers to a clause that it does not carry out. Of prose, that it was not read as an order;
 * of a misspelt verb, which one was probably meant, with an order that works as `example`.
 */
void order_ignore(const struct order_clause *c, struct diags *diags);
void order_tell_misspelt(const struct order_clause *c, const char *example,
                         struct diags *diags);
/* RESIGN is final, so the word must stand alone on its line: true when it does, else there is an error. */
bool order_resigns(const struct order_clause *c, struct diags *diags);

/*
 * In games that take a mail as the whole turn nothing is carried out while a line of prose between the
 * orders, or right above or below them, could belong to them: lines `first` to `last` are the orders,
 * `belongs` says so of a line. The number of that line, 0 = there is none; its text is added to `quoted`.
 */
unsigned order_bystander(const struct order_language *l, struct span text, unsigned first,
                         unsigned last,
                         bool (*belongs)(const void *ctx, unsigned number, struct span line),
                         const void *ctx, struct strbuf *quoted);

/* So much of it as a diagnostic quotes, 60 columns, cut between characters. */
enum { ORDER_QUOTE_BYTES = 240 };
struct span order_quote(struct span text);

/* The words of a canonical set: "POPUP 3; WHACK 5" -> "POPUP 3", then "WHACK 5". */
bool order_next_canonical(struct span *rest, struct span *clause);

/*
 * How many of these words, from the first on, make one of the language's names (without
 * regard to case), and which; 0 = none. The longest name counts.
 */
size_t order_name_length(const struct order_language *l, const struct order_word *words,
                         size_t count, size_t *which);

/* The verb that a word resembles, or NULL. */
const char *order_suggest(const struct order_language *l, struct span word);

#endif
