/*
 * boggle.h - the inside of Martian Boggle: its state and what its files share.
 *
 * Two players, five pieces each on a 5x5 board of letters. The mover walks one piece by the
 * sum of two dice or two pieces by one die each, and may then spell a word with exactly the
 * five letters under their pieces; the tiles are set aside and their squares filled from the bag.
 *
 * Nothing is hidden. A tile is drawn when a square has to be filled, not before, so there is
 * no order of the bag that anybody could know; for the players that is the same as a shuffled
 * bag. The words of a list are looked up when orders are read; a canonical SPELL carries
 * the word, and the options the digest of the list.
 *
 * House figures: 40 turns a player, and the options for them and for the number of words.
 */
#ifndef MOLEPOST_GAMES_MARTIAN_BOGGLE_BOGGLE_H
#define MOLEPOST_GAMES_MARTIAN_BOGGLE_BOGGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/games/fields.h"
#include "processor/games/rules.h"

enum {
	BOGGLE_SEATS = 2,
	BOGGLE_SIDE = 5,
	BOGGLE_SQUARES = 25,
	BOGGLE_PIECES = 5,
	BOGGLE_LETTERS = 5, /* of a word */
	BOGGLE_FACES = 27,  /* A to Z and the blank */
	BOGGLE_DIE = 4,
	BOGGLE_WORDS = 9,   /* most that the option words can ask for */
	BOGGLE_TURNS = 100, /* most turns a player */
	BOGGLE_HINTS = 999,
	BOGGLE_OPTIONS_BYTES = 256,
	BOGGLE_HASH_CHARS = 64
};

/* Squares count from 0: a1, b1, ... e1, a2, ... e5. A set has bit n for square n. */
typedef uint32_t squares;

/* The options as values. */
struct boggle_setup {
	bool diagonals, craft, blanks, unique_both;
	unsigned words, maxturns, hints;
	char wordlist[16];
	char hash[BOGGLE_HASH_CHARS + 1]; /* of the list, or "none" */
	char text[BOGGLE_OPTIONS_BYTES];  /* as options_format writes them */
};

struct boggle_move {
	unsigned from, to;
};

/* One seat's orders; no move and no word is PASS. */
struct boggle_orders {
	bool resign;
	unsigned nmoves;
	struct boggle_move moves[2];
	char word[BOGGLE_LETTERS + 1]; /* capitals; "" = none */
};

struct boggle_word {
	char letters[BOGGLE_LETTERS + 1];
	char tiles[BOGGLE_LETTERS + 1]; /* the same, '?' where a blank stood */
	unsigned group;                 /* largest group of pieces when it was spelled */
	unsigned turn;
};

struct boggle_seat {
	struct state_name name;
	unsigned left; /* turn in which they resigned, 0 = still playing */
	squares pieces;
	unsigned nwords;
	struct boggle_word words[BOGGLE_WORDS];
};

/* Flat, so that a state is copied by assignment. */
struct game_state {
	struct boggle_setup setup;
	unsigned first;                 /* the seat at row 1, which moves in odd turns */
	unsigned turn;                  /* the one now open; the last one + 1 when it is over */
	char board[BOGGLE_SQUARES + 1]; /* 'A' to 'Z', '?' a blank, '.' no tile */
	unsigned roll[2];               /* of the open turn; 0 0 when the game is over */
	struct boggle_orders last;      /* of the turn before this one */
	bool missed;                    /* they were the default: nothing had come */
	struct boggle_seat seats[BOGGLE_SEATS + 1];
};

/* rules.c */
void boggle_setup_read(struct boggle_setup *setup, const struct options *o);

/* board.c: geometry and tiles. */
squares boggle_square(unsigned square); /* the set of one */
unsigned boggle_first(squares set);     /* the lowest of a set that is not empty */
void boggle_add_square(struct strbuf *out, unsigned square);
bool boggle_parse_square(struct span text, unsigned *square); /* "e1", "E1" */
/* All squares of `open` that a piece can get to from `from` in at most `steps` steps. */
squares boggle_reach(squares open, unsigned from, unsigned steps, bool diagonals);
/* Steps of the shortest way over squares of `open`; 0 = there is none. */
unsigned boggle_distance(squares open, unsigned from, unsigned to, bool diagonals);
/* Sizes of the connected groups, largest first; how many. */
unsigned boggle_groups(squares pieces, bool diagonals, unsigned sizes[BOGGLE_PIECES]);
unsigned boggle_largest_group(squares pieces, bool diagonals);
unsigned boggle_multiplier(unsigned group); /* rule 2 */
unsigned boggle_face(char tile);            /* 0..25, 26 for the blank */
char boggle_tile(unsigned face);
unsigned boggle_value(char tile); /* points on it; 0 for blanks and for no tile */
unsigned boggle_count(const struct boggle_setup *setup, unsigned face); /* in a full bag */
/* The letters under these pieces; '.' where there is no tile. Returns how many there are. */
unsigned boggle_letters(const char *board, squares pieces, char out[BOGGLE_PIECES + 1]);
/*
 * Whether the letters make the word, each used once, a blank for what is missing. Then `tiles`
 * is the word with '?' where a blank stands; else *lacking is the first letter too few.
 */
bool boggle_spells(const char *letters, const char *word, char tiles[BOGGLE_LETTERS + 1],
                   char *lacking);

/* state.c */
void boggle_encode(const struct game_state *s, struct strbuf *out);
bool boggle_decode(struct span text, struct game_state **out, struct strbuf *why);

/* turn.c: questions about a state. */
unsigned boggle_mover(const struct game_state *s, unsigned turn);
unsigned boggle_other(unsigned seat);
squares boggle_open(const struct game_state *s); /* squares without any piece */
bool boggle_over(const struct game_state *s);
struct seat_set boggle_owes(const struct game_state *s);
/* Who made the last word needed first, 0 = nobody yet; the end bonus is theirs. */
unsigned boggle_closer(const struct game_state *s);
unsigned boggle_bonus(const struct boggle_setup *setup);
unsigned boggle_points(const struct boggle_setup *setup, const struct boggle_word *w);
unsigned boggle_score(const struct game_state *s, unsigned seat);
/* Tiles left in the bag by face; the sum. False when more lie about than there are. */
bool boggle_bag(const struct game_state *s, unsigned bag[BOGGLE_FACES], unsigned *sum);
/* Whether `seat` could spell this word again, by the option unique. */
bool boggle_word_is_used(const struct game_state *s, unsigned seat, const char *word);

/* judge.c: whether orders are legal here. */
enum boggle_verdict {
	BOGGLE_FINE,
	BOGGLE_NOT_YOURS,    /* no own piece on `from` */
	BOGGLE_OCCUPIED,     /* a piece on `to` */
	BOGGLE_SAME_PIECE,   /* the second move moves the first's piece on */
	BOGGLE_BOXED_IN,     /* no way at all */
	BOGGLE_TOO_FAR,      /* more than both dice together */
	BOGGLE_DIE_TOO_FAR,  /* of two moves: more than the larger die */
	BOGGLE_DICE_DO_NOT,  /* each would do, not both */
	BOGGLE_LETTER_LACKS, /* the letters do not make the word */
	BOGGLE_USED_OWN,     /* in the own list already */
	BOGGLE_USED_OTHER    /* unique=both: in the other's */
};
struct boggle_judgement {
	enum boggle_verdict verdict;
	unsigned move;     /* the one that is wrong, from 0 */
	unsigned steps[2]; /* as far as they were counted */
	squares pieces;    /* after the moves */
	char letters[BOGGLE_PIECES + 1];
	char lacking;
	struct boggle_word word; /* when one is spelled and nothing is wrong */
};
/* Everything but whether the word is in the list. */
void boggle_judge(const struct game_state *s, unsigned seat, const struct boggle_orders *o,
                  struct boggle_judgement *j);

/* orders.c, words.c */
bool boggle_read_orders(const struct game_state *s, unsigned seat, struct span before,
                        const struct tables *tables, struct span text, struct strbuf *canonical,
                        struct diags *diags);
/* guess.c */
extern const struct loose_language boggle_loose;
void boggle_write_orders(const struct boggle_orders *o, struct strbuf *canonical);
/* Strict: exactly what boggle_write_orders writes. */
bool boggle_parse_orders(struct span canonical, struct boggle_orders *out);
/* Five letters of any case to five capitals. */
bool boggle_parse_word(struct span text, char word[BOGGLE_LETTERS + 1]);
/* One step of some own piece; false when all are boxed in. */
bool boggle_example_move(const struct game_state *s, unsigned seat, struct boggle_move *m);

/* resolve.c */
void boggle_refill(struct game_state *s, struct chance *chance);
void boggle_roll(struct game_state *s, struct chance *chance);
bool boggle_resolve(const struct game_state *now, const struct seat_orders *orders,
                    struct chance *chance, struct game_state **next, struct strbuf *why);
void boggle_result(const struct game_state *s, struct game_result *out);

/* words.c: the list. */
enum boggle_lookup { BOGGLE_LISTED, BOGGLE_UNLISTED, BOGGLE_NO_LIST };
/*
 * Where nothing at all can be looked up (no tables: an archive is read again) what was looked
 * up before is believed. BOGGLE_NO_LIST: there are tables, but not the one of this game.
 */
enum boggle_lookup boggle_look_up(const struct game_state *s, const struct tables *tables,
                                  const char *word);
/* The list of this game, or NULL. */
const struct table *boggle_list(const struct game_state *s, const struct tables *tables);
/* Takes the next five-letter lower-case word off a list, as capitals. */
bool boggle_next_word(struct span *rest, char word[BOGGLE_LETTERS + 1]);

/* finder.c: which words can be reached. */

/*
 * The best scoring of all words that the mover can reach, of equal ones the first found; false
 * when there is none. Of the list only the words are seen that `sees` accepts (NULL: all).
 */
struct boggle_sight {
	unsigned one_in; /* of so many words one is seen, the same ones for the same salt */
	unsigned salt;
};
bool boggle_find_best(const struct game_state *s, struct span list,
                      const struct boggle_sight *sight, struct boggle_orders *best);
/* How many different words can be reached; counting stops at `most`. */
unsigned boggle_count_words(const struct game_state *s, struct span list, unsigned most);
/*
 * Calls visit for every way to use the roll, moving nothing among them. The same pieces may
 * come about in several ways.
 */
typedef void boggle_visit(void *context, squares pieces, const struct boggle_orders *moves);
void boggle_each_way(const struct game_state *s, boggle_visit *visit, void *context);

/* sample.c */
void boggle_sample_orders(const struct game_state *s, unsigned seat, unsigned level,
                          const struct tables *tables, struct chance *chance,
                          struct strbuf *canonical);
extern const struct bot_effort boggle_efforts[];
void boggle_estimate(const struct game_state *s, int64_t worth[MAX_SEATS + 1]);

/* view.c, picture.c, reach.c, guide.c */
void boggle_view(const struct game_state *s, unsigned viewer, struct doc *out);
void boggle_picture(const struct game_state *s, struct doc *out);
/* Squares whose tile was drawn in the turn before this one. */
squares boggle_fresh(const struct game_state *s);
/* What helps the mover to find words without finding them. */
void boggle_show_reach(const struct game_state *s, struct doc *out);
/* "one group" or "groups of 4+1" */
void boggle_add_groups(const struct game_state *s, squares pieces, struct strbuf *out);
void boggle_guide(const struct options *o, struct doc *out);
void boggle_basics(const struct options *o, struct doc *out);

#endif
