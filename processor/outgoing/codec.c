/*
 * codec.c - numbers in groups of seven bits, the low ones first; lengths before bytes.
 */
#include "processor/outgoing/codec.h"

#include <string.h>

#include "processor/base/err.h"

static void record_number(struct strbuf *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		strbuf_addc(out, (char)(n | 0x80));
	strbuf_addc(out, (char)n);
}

static uint64_t no_number(struct codec *t)
{
	t->failed = true;
	t->in = SPAN_EMPTY;
	return 0;
}

static uint64_t play_number(struct codec *t)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64 && t->in.len > 0; shift += 7) {
		unsigned char c = (unsigned char)t->in.ptr[0];

		t->in = span_slice(t->in, 1, t->in.len);
		n |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return n;
	}
	return no_number(t);
}

/* `most`: a larger one was not recorded. */
static void number(struct codec *t, uint64_t *n, uint64_t most)
{
	if (t->out) {
		record_number(t->out, *n);
		return;
	}
	*n = play_number(t);
	if (*n > most)
		*n = no_number(t);
}

/* The sign goes into the lowest bit, so that small numbers of either sign are short. */
void codec_int(struct codec *t, int64_t *value)
{
	uint64_t n = *value < 0 ? ~((uint64_t)*value << 1) : (uint64_t)*value << 1;

	number(t, &n, UINT64_MAX);
	if (!t->out)
		*value = n & 1 ? -(int64_t)(n >> 1) - 1 : (int64_t)(n >> 1);
}

void codec_uint(struct codec *t, unsigned *value)
{
	uint64_t n = *value;

	number(t, &n, UINT32_MAX);
	*value = (unsigned)n;
}

void codec_bool(struct codec *t, bool *value)
{
	uint64_t n = *value;

	number(t, &n, 1);
	*value = n != 0;
}

void codec_count(struct codec *t, size_t *n)
{
	uint64_t count = *n;

	number(t, &count, UINT64_MAX);
	if (!t->out && count > t->in.len)
		count = no_number(t);
	*n = (size_t)count;
}

/* So many bytes, ptr NULL if they are not there. */
static struct span play_bytes(struct codec *t, uint64_t len)
{
	if (len > t->in.len) {
		(void)no_number(t);
		return SPAN_EMPTY;
	}
	struct span bytes = span_slice(t->in, 0, (size_t)len);
	t->in = span_slice(t->in, (size_t)len, t->in.len);
	return bytes;
}

void codec_hash(struct codec *t, struct hash *value)
{
	if (t->out) {
		strbuf_add_span(t->out, hash_span(value));
		return;
	}
	struct span bytes = play_bytes(t, HASH_LEN);
	*value = (struct hash){{0}};
	if (bytes.len == HASH_LEN)
		memcpy(value->bytes, bytes.ptr, HASH_LEN);
}

/* The length is raised by one, and 0 is none at all. */
void codec_span(struct codec *t, struct span *value)
{
	uint64_t n = value->ptr ? (uint64_t)value->len + 1 : 0;

	number(t, &n, UINT64_MAX);
	if (t->out) {
		strbuf_add_span(t->out, *value);
		return;
	}
	*value = SPAN_EMPTY;
	if (n > 0) {
		struct span bytes = play_bytes(t, n - 1);
		if (!t->failed)
			*value = arena_dup(t->arena, bytes);
	}
}

void codec_text(struct codec *t, const char **value)
{
	struct span s = SPAN_EMPTY;

	if (t->out && *value)
		s = span_of(*value);
	codec_span(t, &s);
	if (!t->out)
		*value = s.ptr;
}

void codec_texts(struct codec *t, const char *const **values, size_t *n)
{
	const char **list;

	codec_count(t, n);
	if (t->out) {
		for (size_t i = 0; i < *n; i++) {
			const char *text = (*values)[i];
			codec_text(t, &text);
		}
		return;
	}
	list = arena_calloc(t->arena, *n + 1, sizeof(*list));
	for (size_t i = 0; i < *n; i++)
		codec_text(t, &list[i]);
	*values = list;
}
