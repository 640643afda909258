/*
 * order_rows.h - the orders of a game, declared: a row of data for each.
 *
 * A row says what an order is called, what may stand behind it, how often, what stands in its place,
 * what it is in the position, an example, and its lines of the guide. From the rows come the strict
 * reader, the canonical text, both ways, and every refusal ("POPUP takes holes from 1 to 9, or NONE,
 * but not "tree"."). Each order is judged alone: one that is wrong is refused and changes nothing, a
 * good one beside it counts, the last good one of each row counts, and a mail keeps the orders of rows
 * that it does not name. Only where an order is refused with a condition beside it, nothing of its line counts.
 *
 * What a game keeps for itself is what a word of its own names (a player, `take` and `write`), what
 * is said of a whole set, and the loose reading of guess.c, which fills an order_set and has it written.
 *
 * A game copies its rows and fills in what depends on the position: numbers, `not_now`, `barred`.
 *
 * Trusts nothing: any bytes may be read. What a set holds after order_rows_parse is within the bounds of its rows.
 */
#ifndef MOLEPOST_GAMES_ORDER_ROWS_H
#define MOLEPOST_GAMES_ORDER_ROWS_H

#include "processor/games/order_text.h"
#include "processor/games/rules.h"

enum { ORDER_ROWS_MOST = 8, ORDER_ITEMS_MOST = 16, ORDER_TEXT_BYTES = 120 };

/* What stands behind the word of an order. */
enum order_slot {
	ORDER_NUMBER, /* `min` to `max` */
	ORDER_CHOICE, /* one of `choices`, as `min` + its place among them */
	ORDER_OWN,    /* as the game's `take` says: a player, a place, a card */
	ORDER_TEXT    /* the rest of the line, if the game's `text_ok` */
};

enum order_flag {
	ORDER_SORTED = 1,    /* a set: each item once, in ascending order */
	ORDER_ONCE = 2,      /* each item once, in the order in which they are named */
	ORDER_LAST_ENDS = 4, /* nothing stands behind the last of `choices` */
	ORDER_JOINS = 8,     /* a second one on its line adds to it: "popup 3, popup 5" */
	ORDER_OPTIONAL = 16, /* not written where it was not said */
	ORDER_BOLD = 32,     /* does not count behind anything on its line that was refused */
	ORDER_BOLD_OF_KIND = 64, /* ... behind an order of its own word */
	ORDER_PASSED_OVER =
	    128, /* while `not_now` it is left out, with a remark, whatever it says */
	ORDER_PASSES_BARRED =
	    256 /* a `barred` item is left out, with a remark; else it is refused */
};

struct order_row {
	const char *word, *other; /* capitals; another spelling, or NULL */
	enum order_slot slot;
	unsigned flags;
	unsigned min, max, most; /* `most` items, ORDER_ITEMS_MOST at most; 1: it is no list */
	/* "CANDY=SWEETS|TOYS=TOY": words, each with others that mean the same; the first is written. */
	const char *choices;
	/*
	 * What may stand there in place of all items, in the same form, of one word or more: "LOW|HIGH".
	 * The first is what nothing means, which is written for an empty set; an empty one the word alone.
	 */
	const char *alone;
	const char
	    *lead; /* stands before the items, "IF", or within ORDER_TEXT; NULL: nothing */
	/* Stands behind them; then the row before has the same word and items, and is what is meant without: "IF CROWN". */
	const char *tail;
	const char *noun, *nouns; /* "hole", "holes"; of ORDER_TEXT, what it takes */
	const char *twice; /* what is said where each item counts once and one is named again */
	const char *example; /* an order that works in the position */
	/* Not NULL: said where a mail names other orders, not this, and none is in force, so that it is empty. */
	const char *omitted;
	/* Of the position. Not NULL: why the order does not count now; its empty form does, if not passed over. */
	const char *not_now, *not_now_who; /* and a name behind it, of what is passed over */
	uint32_t barred;                   /* bit = an item that may not be named now */
	const char *barred_why;
	const char *guide[3][2]; /* forms of it, and what each does */
};

/* What one order says. All zero: nothing, the first of `alone`. */
struct order_value {
	unsigned count;
	unsigned char alone; /* place in `alone`; 0 with items */
	unsigned char items[ORDER_ITEMS_MOST];
};

/* The orders of one seat. Flat and without padding to speak of, so that it is copied by assignment. */
struct order_set {
	bool resign;
	unsigned named;                           /* bit = index of a row that was said */
	struct order_value rows[ORDER_ROWS_MOST]; /* index as in the table */
	char text[ORDER_TEXT_BYTES + 1];          /* of the one row with ORDER_TEXT */
};

/* The rows of a game for one seat in one position; borrowed all. */
struct order_table {
	struct order_row rows[ORDER_ROWS_MOST];
	size_t count;
	/* Words that say no more than the others do: "THE|DIE"; and such only with more behind them: "HOLE". */
	const char *fillers, *fillers_before;
	const char *names[MAX_SEATS]; /* of players, which no decoration is */
	size_t nnames;
	const struct game_state *state;
	/* How many of the words name an item of ORDER_OWN, and which; 0 = none do. */
	size_t (*take)(const struct game_state *s, const struct order_word *words, size_t n,
	               unsigned *item);
	void (*write)(const struct game_state *s, const struct order_value *v,
	              struct strbuf *out);
	bool (*text_ok)(struct span text);
};

/*
 * The orders of a mail, laid over those that stand: `all` holds them, and in the end all of the seat's. As
 * read_orders of rules.h; `in_force`: there were orders this turn. `owes`: orders are awaited, `plays`: the seat has not
 * left. `said`, if not NULL, gets what this mail says.
 */
bool order_rows_read(const struct order_table *t, bool owes, bool plays, bool in_force,
                     struct span text, struct order_set *all, struct order_set *said,
                     struct strbuf *canonical, struct diags *diags);
/* A canonical set: exactly what order_rows_write writes. */
bool order_rows_parse(const struct order_table *t, struct span canonical,
                      struct order_set *out);
/* All of them, "; " between; or those that were said. */
void order_rows_write(const struct order_table *t, const struct order_set *set, bool only_named,
                      struct strbuf *out);
/* What stands behind the word of row `i`, "1 5" or "NONE", and the way back. */
void order_row_write(const struct order_table *t, size_t i, const struct order_set *set,
                     struct strbuf *out);
bool order_row_parse(const struct order_table *t, size_t i, struct span text,
                     struct order_value *out);
/* How lines with these orders fall into clauses. `verbs` is filled. */
enum { ORDER_VERBS_MOST = 2 * ORDER_ROWS_MOST + 1 };
struct order_language order_rows_language(const struct order_table *t,
                                          const char *verbs[ORDER_VERBS_MOST]);
/* The grammar of a guide. */
void order_rows_tell(const struct order_row *rows, size_t count, struct doc *out);

#endif
