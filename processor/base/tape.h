/*
 * tape.h - values as bytes, and back again, by one list of their fields.
 *
 * A function goes through the fields of a struct, one call here for each. Given a tape that records,
 * that writes them down; given one that plays what was recorded, it fills them in. So the two can never
 * disagree. Pure; the bytes are the same on every machine.
 */
#ifndef MOLEPOST_BASE_TAPE_H
#define MOLEPOST_BASE_TAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct tape {
	struct strbuf *out;  /* records, at its end; NULL = plays */
	struct span in;      /* still to be played */
	struct arena *arena; /* what is played lives there */
	/* Played: what is there was not recorded like that. All that follows is empty, 0 and false. */
	bool failed;
};

struct tape tape_record(struct strbuf *out);
struct tape tape_play(struct span in, struct arena *arena);
static inline bool tape_records(const struct tape *t)
{
	return t->out != NULL;
}
/* All has been played as it was recorded. */
bool tape_is_over(const struct tape *t);

void tape_int(struct tape *t, int64_t *value);
void tape_uint(struct tape *t, unsigned *value);
void tape_bool(struct tape *t, bool *value);
void tape_digest(struct tape *t, struct digest *value);
/* NULL stays NULL; what is played ends in NUL. */
void tape_text(struct tape *t, const char **value);
void tape_span(struct tape *t, struct span *value);
/* Of things that follow, each of which takes a byte at least. */
void tape_count(struct tape *t, size_t *n);
void tape_texts(struct tape *t, const char *const **values, size_t *n);

#endif
