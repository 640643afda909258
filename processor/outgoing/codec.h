/*
 * codec.h - values as bytes, and back again, by one list of their fields.
 *
 * A function goes through the fields of a struct, one call here for each. Given a codec that records,
 * that writes them down; given one that plays what was recorded, it fills them in. So the two can never
 * disagree. Pure; the bytes are the same on every machine.
 */
#ifndef MOLEPOST_PROCESSOR_OUTGOING_CODEC_H
#define MOLEPOST_PROCESSOR_OUTGOING_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "processor/base/arena.h"
#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"

struct codec {
	struct strbuf *out;  /* records, at its end; NULL = plays */
	struct span in;      /* still to be played */
	struct arena *arena; /* what is played lives there */
	/* Played: what is there was not recorded like that. All that follows is empty, 0 and false. */
	bool failed;
};

static inline struct codec codec_record(struct strbuf *out)
{
	return (struct codec){.out = out};
}
static inline struct codec codec_play(struct span in, struct arena *arena)
{
	return (struct codec){.in = in, .arena = arena};
}
static inline bool codec_records(const struct codec *t)
{
	return t->out != NULL;
}
/* All has been played as it was recorded. */
static inline bool codec_is_over(const struct codec *t)
{
	return !t->failed && t->in.len == 0;
}

void codec_int(struct codec *t, int64_t *value);
void codec_uint(struct codec *t, unsigned *value);
void codec_bool(struct codec *t, bool *value);
void codec_hash(struct codec *t, struct hash *value);
/* NULL stays NULL; what is played ends in NUL. */
void codec_text(struct codec *t, const char **value);
void codec_span(struct codec *t, struct span *value);
/* Of things that follow, each of which takes a byte at least. */
void codec_count(struct codec *t, size_t *n);
void codec_texts(struct codec *t, const char *const **values, size_t *n);

#endif
