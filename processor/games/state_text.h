/*
 * state_text.h - reading and writing states as `key: value` lines.
 *
 * A state is read line by line in the order in which encode writes it: the
 * reader is told which key must come next. Anything else is a refusal that
 * names the line. The last word is state_decode()'s: a text that decodes but would be
 * written differently ("007", two blanks) is refused too, so that one state has
 * one text and one digest.
 *
 * Trusts nothing: a text comes out of an archive that anybody may have written.
 */
#ifndef MOLEPOST_GAMES_STATE_TEXT_H
#define MOLEPOST_GAMES_STATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/span.h"
#include "processor/base/strbuf.h"
#include "processor/games/rules.h"

struct state_reader {
	struct span rest;   /* borrowed */
	unsigned line;      /* of the line read last, from 1 */
	struct strbuf *why; /* borrowed; gets one sentence on the first failure */
};

void state_reader_start(struct state_reader *r, struct span text, struct strbuf *why);
/* Always false, so that a reader can `return state_bad(...)`; says line number and what. */
bool state_bad(struct state_reader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The next line must be "key: value", ended by a line feed. */
bool state_value(struct state_reader *r, struct span *value, const char *key_fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with exactly this value. */
bool state_exact(struct state_reader *r, const char *key, const char *value);
/* The same with one number as value. */
bool state_uint(struct state_reader *r, unsigned min, unsigned max, unsigned *out,
                const char *key_fmt, ...) __attribute__((format(printf, 5, 6)));
/* Exactly `count` numbers with blanks between; `value` came from state_value. */
bool state_uints(struct state_reader *r, struct span value, unsigned min, unsigned max,
                 size_t count, unsigned *out);
/* "options: ..." read as `rules` has them; `take` puts them into the state and may refuse them. */
bool state_options(struct state_reader *r, struct game_state *s, const struct rules *rules,
                   bool (*take)(struct game_state *s, const struct options *o,
                                struct strbuf *why));
/* "ring: 3 1 2": each of the seats 1 to nseats once, into ring[0] to ring[nseats - 1]. */
bool state_ring(struct state_reader *r, unsigned nseats, unsigned *ring);
/* Nothing may be left. */
bool state_end(struct state_reader *r);
/*
 * A game's whole decode: `read` fills a zeroed state of `size` bytes from the text and checks it, and
 * what `encode` makes of it must be the text again. False with a sentence in `why`, *out untouched.
 */
bool state_decode(struct span text, size_t size,
                  bool (*read)(struct state_reader *r, struct game_state *s),
                  void (*encode)(const struct game_state *s, struct strbuf *out),
                  struct game_state **out, struct strbuf *why);

void state_add_uint(struct strbuf *out, unsigned number);
/* "1 2 3" */
void state_add_uints(struct strbuf *out, const unsigned *numbers, size_t count);

/* For states that are one block of memory: another with the same bytes, and the end of one. */
struct game_state *state_copy(const struct game_state *s, size_t size);
void state_free(struct game_state *s);

/* A seat's name inside a state that is copied by assignment. */
struct state_name {
	char text[SEAT_NAME_BYTES + 1];
};
/* "seat N name: ...", not too long; whether all names are fit for a game is the caller's to check. */
bool state_name(struct state_reader *r, unsigned seat, struct state_name *name);
/* The name must have passed seat_name_ok. */
void state_name_set(struct state_name *n, struct span name);

#endif
