/*
 * rules.h - what a game is.
 *
 * One `const struct rules` per game and version, every member set. All
 * functions are pure: const arguments in, new values out, no clock, no files,
 * no locale, no floating point; randomness only from the chance handed in.
 * The same input gives the same bytes on every machine, for ever: archives
 * depend on it. How to add a game: README.md beside this file.
 *
 * Trusts: states and canonical orders given to the functions here came out of
 * decode and read_orders of the same rules; decode and read_orders themselves
 * take any bytes. Seats count from 1.
 */
#ifndef MOLEPOST_GAMES_RULES_H
#define MOLEPOST_GAMES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processor/base/chance.h"
#include "processor/base/diag.h"
#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"
#include "processor/games/doc.h"

enum { RULES_TIPS = 3 };
enum { MAX_SEATS = 16, SEAT_PUBLIC = 0, SEAT_NAME_COLS = 20, SEAT_NAME_BYTES = 80 };

/* A set of seats: bit n-1 stands for seat n. */
struct seat_set {
	uint32_t bits;
};
static inline bool seat_in(struct seat_set s, unsigned seat)
{
	return seat >= 1 && seat <= MAX_SEATS && ((s.bits >> (seat - 1)) & 1u) != 0;
}
static inline struct seat_set seat_with(struct seat_set s, unsigned seat)
{
	s.bits |= 1u << (seat - 1);
	return s;
}
static inline struct seat_set seat_without(struct seat_set s, unsigned seat)
{
	if (seat >= 1 && seat <= MAX_SEATS)
		s.bits &= ~(1u << (seat - 1));
	return s;
}
static inline unsigned seat_count(struct seat_set s)
{
	return (unsigned)__builtin_popcount(s.bits);
}

/* What a caller may branch on; never on a game's name. */
enum rules_fact {
	FACT_SIMULTANEOUS = 1,      /* several seats owe orders at once */
	FACT_HIDDEN = 2,            /* states hold things some seats may not know */
	FACT_CHANCE = 4,            /* turns draw from chance (beyond the set-up) */
	FACT_ORDERS_STAY_HIDDEN = 8 /* orders are opened only when the game is over */
};

/* How a seat's orders came to be used; stands in the archive. */
enum order_origin {
	ORDER_SENT,     /* the player's mail */
	ORDER_DEFAULT,  /* nothing came: rules->default_orders */
	ORDER_STANDING, /* ALWAYS */
	ORDER_BOT,
	ORDER_RESIGNED, /* canonical text is RESIGN */
	ORDER_QUEUED,   /* QUEUE: sent before the turn opened */
	ORDER_DRAFT,    /* CHECK: sent to be checked, and nothing after it */
	ORDER_FALLBACK  /* nothing came: what the player has chosen in the default's place */
};
const char *order_origin_name(enum order_origin o); /* "sent", "default", ... */
bool order_origin_parse(struct span text, enum order_origin *out);

/* The canonical order that takes a seat out of any game. */
#define ORDER_RESIGN_TEXT "RESIGN"

/*
 * One option a creator may set, `name=value`. All are the game's own but one, which means the
 * same in every game that has it: with commit=deadline people's turns are held until their
 * deadline, so that orders can be replaced until then, unless SET NOWAIT lets them go.
 */
struct game_option {
	const char *name;          /* lower-case letters */
	const char *default_value; /* also the first of `choices` when there are any */
	const char *choices;       /* "move|stay", or NULL for a number */
	int64_t min, max;          /* for numbers; choices and min < max: a word or a number */
	const char *help;          /* one line for people; names house figures as such */
	/*
	 * Not there when games of this version were first begun. Their states and records lack it,
	 * which means its default: so it is written only where it has another value.
	 */
	bool added_later;
	/*
	 * Not NULL: nobody's to choose. Its value is the SHA-256 of the table that this other
	 * option names, set with options_bind when a game is made, or one of `choices`.
	 */
	const char *hash_of;
	/*
	 * Not NULL: the value may also be a text of several lines, such as a board, that somebody
	 * writes. It is read and judged here, and appended to `word` in its one form without
	 * blanks, which is what becomes the value; that form is read too. False with a sentence in `why`.
	 */
	bool (*read_text)(struct span text, struct strbuf *word, struct strbuf *why);
};

/* The options of one game: values checked against the rules' list, in its order. */
struct options {
	const struct rules *rules;
	const char *values[32]; /* borrowed; index as in rules->options */
};
/* All defaults. */
void options_init(struct options *o, const struct rules *r);
/*
 * Sets one option. The value is looked up or copied to `arena`. False with a sentence in
 * `why` (unknown name: lists the names; bad value: says the range).
 */
bool options_set(struct options *o, struct span name, struct span value, struct arena *arena,
                 struct strbuf *why);
/* Reads "name=value" words separated by blanks or line ends (as options_format writes); others stay as they are. */
bool options_parse(struct options *o, struct span text, struct arena *arena,
                   struct strbuf *why);
/*
 * "holes=9 whackpts=6 ...": all of them in order, as states and records have them (those added later
 * only with another value than the default); those that somebody has set to another value; or the same
 * to be shown, where the name of a text stands for it (options_text_name).
 */
enum options_form { OPTIONS_ALL, OPTIONS_CHANGED, OPTIONS_SHOWN };
void options_format(const struct options *o, enum options_form form, struct strbuf *out);
/* By what a text that is an option's value is known: the first TEXT_NAME_LEN hex digits of its SHA-256. */
enum { TEXT_NAME_LEN = 12 };
void options_text_name(struct span value, struct strbuf *out);
/* The option of this name if its value may be a text; else NULL. */
const struct game_option *options_text_option(const struct rules *r, struct span name);
/* Whether option i has a text as its value. */
bool options_has_text(const struct options *o, size_t i);
/* As OPTIONS_ALL, as a C string into a state of fixed size, which must have room for every choice. */
void options_keep(const struct options *o, char *text, size_t size);
/* What can be set and to what, for a guide: a heading, then an entry an option. */
void options_tell(const struct rules *r, struct doc *out);
/* 0 when the value is a word. */
int64_t options_number(const struct options *o, const char *name);
/* True when option `name` has exactly this value. */
bool options_is(const struct options *o, const char *name, const char *value);
/* The value as text, borrowed from the options. */
const char *options_word(const struct options *o, const char *name);
/* The same for an option that only some games have: false where there is none. */
bool options_has(const struct options *o, const char *name, const char *value);

struct seat_names {
	unsigned count;
	const char *names[MAX_SEATS + 1]; /* index = seat; names[0] unused; borrowed */
};
/*
 * Whether these names may sit at one table: 1 to 20 columns and at most 80 bytes, unique under
 * case folding; letters, digits, - ' . _ and single inner blanks only; no word of it a number
 * or a keyword of the order language; NFC. True, or false with a sentence in `why`.
 */
bool seat_names_ok(const struct seat_names *n, struct strbuf *why);
/* The same, and that there are as many as the game has seats. */
bool seats_fit(const struct rules *r, const struct seat_names *n, struct strbuf *why);
bool seat_name_ok(struct span name, struct strbuf *why);

/*
 * A read-only named text (a word list) with its digest; loaded by the processor. One that a
 * game names and the server does not have is there with an empty text and a digest of zero.
 */
struct table {
	const char *name;
	struct span text;
	struct hash hash;
};
/*
 * NULL or none at all: nothing can be looked up. So it is when an archive is read again; a game
 * then believes what canonical orders say was found.
 */
struct tables {
	const struct table *items;
	size_t count;
};
/* Whether all that a game with these options (OPTIONS_ALL) looks things up in are there, with the hashes named. */
bool tables_have_all(const struct tables *tables, const struct rules *r, struct span options,
                     struct arena *arena);
/* Whether a game of these rules looks things up in tables. */
bool rules_use_tables(const struct rules *r);
/* Sets the options with hash_of. False with a sentence in `why` when a table is missing. */
bool options_bind(struct options *o, const struct tables *tables, struct arena *arena,
                  struct strbuf *why);

/* One seat's orders as used by resolve. */
struct seat_orders {
	struct span canonical; /* borrowed for the call */
	enum order_origin origin;
};

struct game_result {
	bool over;
	struct seat_set winners;    /* several = shared win; empty while not over */
	struct seat_set eliminated; /* out of the game: resigned, ejected, beaten */
	unsigned nseats;
	int64_t scores[MAX_SEATS + 1];
	unsigned ranks[MAX_SEATS + 1]; /* 1 = best; equal ranks share; 0 while not over */
};

struct game_state; /* each game has its own; never looked into from outside */
/*
 * For rules->result, once scores and `eliminated` are there: ranks and winners of a game that is over.
 * Who is eliminated stands behind all who are not, and does not win. Between two of a kind compare()
 * is > 0 where seat a stands before b, 0 where they share a rank; NULL: the higher score stands before.
 */
void result_rank(struct game_result *out, const struct game_state *s,
                 int (*compare)(const struct game_state *s, unsigned a, unsigned b));
/* For rules->label: "turn 4", or "end, after turn 3"; `number` is that of the phase now open. */
void label_phase(struct strbuf *out, const char *unit, unsigned number, bool over);

/* What lines may have meant, best first: loose.h. Zeroed before use. */
enum { ORDER_GUESSES = 3, ORDER_GUESSES_UNJUDGED = 10 };
struct order_guesses {
	struct strbuf texts[ORDER_GUESSES_UNJUDGED];
	size_t count;
	bool meant; /* the lines speak of this game's orders, whether or not they make any */
	bool plain; /* ... in the very words of the order language, with what belongs to them */
	bool asks;  /* they have words of the game in questions alone */
	bool denies;  /* "not 5 but 6": they may correct what other lines say */
	bool changed; /* ... and the first text is what they have made of orders that stood */
	size_t words; /* of the game, or places, cards and the like, as they are */
	/* What the first text leaves out, "\"unless Cy hides\", 3"; only order_guesses tells. */
	struct strbuf unused;
};

/*
 * How well bots play (processor/bots); the usual one when nobody says. BOT_LEVEL_ADVICE is no bot, but what
 * looks for better orders than those of a turn that was played, nor is BOT_LEVEL_EXAMPLE, which draws what is shown
 * to a player as an example, without searching. And how sample_orders does.
 */
enum {
	BOT_LEVEL_USUAL = 2,
	BOT_LEVEL_BEST = 5,
	BOT_LEVEL_ADVICE,
	BOT_LEVEL_EXAMPLE,
	SAMPLE_LEVEL_BEST = 3
};

/* What a bot of some level does to find its orders. */
struct bot_effort {
	unsigned policy; /* the level of sample_orders that it plays, or plays on with */
	const char *
	    drawn_by; /* NULL: that is all. Else orders drawn by these levels in turn, "320", */
	unsigned draws; /* so many of them, are compared by playing on, */
	unsigned turns; /* so many turns before the estimate, */
	unsigned work;  /* so many turns in all */
	bool to_end;    /* of advice: the last two are compared without an estimate */
};

typedef void sample_orders_fn(const struct game_state *s, unsigned seat, unsigned level,
                              const struct tables *tables, struct chance *chance,
                              struct strbuf *canonical);

struct rules {
	const char *name;  /* "whakka-mole": the kind, as stored and archived */
	const char *title; /* "Whakka Mole" */
	/* What it is played with: words by which newcomers ask for it, blanks between; NULL: none. */
	const char *played_with;
	const char *about; /* two sentences: what the game is to who never heard of it */
	char letter;       /* 'W': of the game ids, unique over the registry */
	unsigned version;  /* grows when the same orders could resolve to other bytes */
	/* grows when bots could choose otherwise: by sample_orders, resample, efforts, estimate */
	unsigned bots_version;
	unsigned min_seats, max_seats, usual_seats;
	unsigned facts; /* enum rules_fact, or-ed */
	const char *tips
	    [RULES_TIPS]; /* of a friend, for the first turns of somebody's first game; NULL = none */
	const struct game_option *options;
	size_t noptions;

	/* An upper bound for phase() at the end of any game with these options. */
	unsigned (*max_phases)(const struct options *o);

	/*
	 * The first state. A seat's number is its place in join order and never changes; a
	 * game that wants a random order round the table draws it and keeps it in its state.
	 * False with one sentence for a human in `why`, and *out untouched. Free with
	 * free_state.
	 */
	bool (*new_game)(const struct options *o, const struct seat_names *names,
	                 struct chance *chance, struct game_state **out, struct strbuf *why);
	void (*free_state)(struct game_state *s); /* NULL is fine */
	/* `key: value` lines, complete; documented in molepost-rules(7). */
	void (*encode)(const struct game_state *s, struct strbuf *out);
	/* Any bytes. False with one sentence in `why`; encode gives the same bytes back. */
	bool (*decode)(struct span text, struct game_state **out, struct strbuf *why);
	/* Grows with every resolve; the first state has 1. */
	unsigned (*phase)(const struct game_state *s);
	/* The label players see: "turn 4", "round 2, setup". */
	void (*label)(const struct game_state *s, struct strbuf *out);
	/* Number of seats, and a seat's name (borrowed from the state). */
	unsigned (*nseats)(const struct game_state *s);
	const char *(*seat_name)(const struct game_state *s, unsigned seat);
	/* Who must send orders now. Empty: over, or resolve at once. */
	struct seat_set (*owes)(const struct game_state *s);

	/*
	 * Hostile text in. Wholeness is the same in every game: decoration (decoration.h) is cut
	 * before a line is judged; and a game that takes a mail as a whole turn accepts none of it
	 * while a line in it was meant and not understood, or one between, right above or right
	 * below the orders could belong to them (order_bystander). True: `canonical` holds the complete orders of this seat (previous
	 * set merged as the game's rules say) and at least one line was understood; lines that
	 * were not are in `diags` as errors, remarks as notes. False: nothing understood or the
	 * set refused as a whole; canonical is then unspecified. `before` is this seat's
	 * canonical set in force, or ptr NULL. read(NULL, canonical) gives canonical.
	 */
	bool (*read_orders)(const struct game_state *s, unsigned seat, struct span before,
	                    const struct tables *tables, struct span text,
	                    struct strbuf *canonical, struct diags *diags);
	/* What a loose reading of lines that read_orders did not understand needs: loose.h. */
	const struct loose_language *loose;
	/* What happens if nothing comes. */
	void (*default_orders)(const struct game_state *s, unsigned seat,
	                       struct strbuf *canonical);
	/* Legal orders a person might write; level 0 = careless ... SAMPLE_LEVEL_BEST. */
	sample_orders_fn *sample_orders;
	/*
	 * The same of bots_version 1, 2 and so on up to the one before this: what bots of games begun
	 * then do, and what their records are checked with. NULL if there was none.
	 */
	sample_orders_fn *const *older_bots;
	/* What bots of the present version do, by level; the last is BOT_LEVEL_EXAMPLE. */
	const struct bot_effort *efforts;
	/*
	 * Of a game that is not over: what the position is worth to each seat, in thousandths of what
	 * doubles the odds of winning. All of the state may be looked at.
	 */
	void (*estimate)(const struct game_state *s, int64_t worth[MAX_SEATS + 1]);
	/*
	 * A state that `viewer` cannot tell from s, all they cannot know drawn anew: the same from
	 * the same chance whichever of these states s is, for who knows the chance must not
	 * get back at what was hidden. So sort what is to be shuffled. For SEAT_PUBLIC it is a
	 * deal that people play on from (a fork): then every draw is a real one of `chance`,
	 * named, and no number from which more than one of them could be worked out.
	 */
	struct game_state *(*resample)(const struct game_state *s, unsigned viewer,
	                               struct chance *chance);
	/*
	 * The next state from canonical orders of every seat (index = seat; [0] unused; seats
	 * that owe nothing have an empty span, unless they resign). Never edits `now`. False
	 * with a sentence in `why` only on corrupt input, or when the game is over.
	 */
	bool (*resolve)(const struct game_state *now, const struct seat_orders *orders,
	                struct chance *chance, struct game_state **next, struct strbuf *why);
	/* All that this viewer may know (SEAT_PUBLIC: what everybody may). */
	void (*view)(const struct game_state *s, unsigned viewer, struct doc *out);
	/* All of the rules: goal, turn, grammar, worked examples, each constant, house figures. */
	void (*guide)(const struct options *o, struct doc *out);
	/* Enough of them to begin with: twelve lines of a mail at most, as paragraphs and items. */
	void (*basics)(const struct options *o, struct doc *out);
	void (*result)(const struct game_state *s, struct game_result *out);
};

/* The registry: every game and version this build can play. */
size_t rules_count(void);
const struct rules *rules_at(size_t i);
/* The newest version of a kind ("whakka-mole", "whakka mole", "WhakkaMole"), or NULL. */
const struct rules *rules_find(struct span kind);
/* Exactly this kind and version, or NULL. */
const struct rules *rules_find_version(struct span name, unsigned version);
const struct rules *rules_by_letter(char letter);

#endif
