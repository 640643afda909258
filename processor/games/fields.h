/*
 * fields.h - a state as `key: value` lines, written and read by one list of its fields.
 *
 * A game names the fields of its state once, in the order of their lines: a function of type
 * fields_list calls one function here for each. The same calls write the state and read it
 * strictly: the next line must have the key, what stands there must be in range. Anything else is
 * a refusal that names the line. The last word is fields_decode()'s: a text that decodes but would be
 * written differently ("007", two blanks) is refused too, so that one state has
 * one text and one digest.
 *
 *	static bool fields(struct fields *f, struct game_state *s)
 *	{
 *		return field_exact(f, "whakka-mole", "1") &&
 *		       field_uint(f, &s->turn, 1, s->setup.turns + 1, "turn") && fields_end(f);
 *	}
 *
 * Every function returns true while it writes; false means that reading failed, with a sentence
 * in `why` unless its comment says otherwise.
 *
 * Trusts nothing: a text comes out of an archive that anybody may have written.
 */
#ifndef MOLEPOST_GAMES_FIELDS_H
#define MOLEPOST_GAMES_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

struct fields {
	struct strbuf *out;      /* borrowed; writing: what is written so far. Reading: NULL */
	struct span rest;        /* reading: the lines to come; borrowed */
	struct span words;       /* reading: what is left of the line in hand */
	unsigned line;           /* of the line in hand, from 1 */
	struct strbuf *why;      /* borrowed; gets one sentence on the first failure */
	struct seat_names names; /* as they were read */
};
typedef bool fields_list(struct fields *f, struct game_state *s);

/*
 * A game's whole encode, and its whole decode into a zeroed state of `size` bytes, of which the same
 * fields must make the text again: else false with a sentence in `why`, *out untouched.
 */
void fields_encode(const struct game_state *s, size_t size, fields_list *list,
                   struct strbuf *out);
bool fields_decode(struct span text, size_t size, fields_list *list, struct game_state **out,
                   struct strbuf *why);
static inline bool fields_writing(const struct fields *f)
{
	return f->out != NULL;
}

/* ---- fields of one line; a key is made of text, %u and %s ---- */

/* Exactly this value. */
bool field_exact(struct fields *f, const char *key, const char *value);
/* The whole value; what a caller who writes adds to f->out then belongs to it too. */
bool field_value(struct fields *f, struct span *value, const char *key_fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool field_uint(struct fields *f, unsigned *number, unsigned min, unsigned max,
                const char *key_fmt, ...) __attribute__((format(printf, 5, 6)));
/* Exactly `count` numbers with blanks between. */
bool field_uints(struct fields *f, unsigned *numbers, size_t count, unsigned min, unsigned max,
                 const char *key_fmt, ...) __attribute__((format(printf, 6, 7)));
/*
 * "options: ...", kept in the state as `kept`; read as `rules` have them. `take` puts them into the
 * state, `kept` too, and may refuse them.
 */
bool field_options(struct fields *f, struct game_state *s, const char *kept,
                   const struct rules *rules,
                   bool (*take)(struct game_state *s, const struct options *o,
                                struct strbuf *why));
/* "ring: 3 1 2": each of the seats 1 to nseats once, into ring[0] to ring[nseats - 1]. */
bool field_ring(struct fields *f, unsigned nseats, unsigned *ring);
/* A seat's name inside a state that is copied by assignment. */
struct state_name {
	char text[SEAT_NAME_BYTES + 1];
};
/* The name must have passed seat_name_ok. */
void state_name_set(struct state_name *n, struct span name);
/* "seat N name: ..."; seats come in order. Whether the names are fit for a game is checked at the end. */
bool field_name(struct fields *f, unsigned seat, struct state_name *name);
/* Nothing may be left, and the names must be fit for a game. */
bool fields_end(struct fields *f);

/* ---- a line word by word: field_key, then its words, each false without a sentence ---- */

bool field_key(struct fields *f, const char *key_fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Any word, not empty when read. Who writes may pass an empty one and add it to f->out. */
bool field_word(struct fields *f, struct span *word);
bool field_word_uint(struct fields *f, unsigned *number, unsigned min, unsigned max);
/* The rest of the line: exactly `count` numbers. With a sentence. */
bool field_words_uint(struct fields *f, unsigned *numbers, size_t count, unsigned min,
                      unsigned max);
bool field_word_byte(struct fields *f, uint8_t *number, unsigned min, unsigned max);
/* One of names[0] to names[count - 1], by its number. */
bool field_word_choice(struct fields *f, const char *const *names, unsigned count,
                       unsigned *number);
/*
 * Whether the line has another word: for (i = 0; field_more(f, i < count); i++). A list that is
 * empty is written as "-".
 */
bool field_more(struct fields *f, bool another);

/* ---- what is wrong ---- */

/* Always false; says line number and what. */
bool fields_bad(struct fields *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What must hold of what was read. */
bool fields_check(struct fields *f, bool holds, const char *sentence);

/* ---- besides ---- */

void state_add_uint(struct strbuf *out, unsigned number);
/* For states that are one block of memory: another with the same bytes, and the end of one. */
struct game_state *state_copy(const struct game_state *s, size_t size);
void state_free(struct game_state *s);

#endif
