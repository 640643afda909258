/*
 * state_text.c - `key: value` lines, read strictly.
 */
#include "processor/games/state_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/num.h"

enum { KEY_MAX = 64, UINT_DIGITS = 3 * sizeof(unsigned) };

/* Not through printf: states are written and read far more often than anything else. */
static struct span uint_text(unsigned number, char digits[static UINT_DIGITS])
{
	size_t at = UINT_DIGITS;

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return (struct span){digits + at, UINT_DIGITS - at};
}

void state_reader_start(struct state_reader *r, struct span text, struct strbuf *why)
{
	r->rest = text;
	r->line = 0;
	r->why = why;
}

bool state_bad(struct state_reader *r, const char *fmt, ...)
{
	va_list ap;

	strbuf_addf(r->why, "Line %u of the state: ", r->line);
	va_start(ap, fmt);
	strbuf_vaddf(r->why, fmt, ap);
	va_end(ap);
	return false;
}

/* The next line if a line feed ends it: a text cut off in its last line must not pass. */
static bool whole_line(struct state_reader *r, struct span *line)
{
	size_t end = span_find_char(r->rest, '\n');

	r->line++;
	if (end == r->rest.len)
		return false;
	*line = span_slice(r->rest, 0, end);
	r->rest = span_slice(r->rest, end + 1, r->rest.len);
	return true;
}

static bool value_of_key(struct state_reader *r, struct span key, struct span *value)
{
	struct span line;

	if (!whole_line(r, &line))
		return state_bad(r, "it ends where \"%.*s\" should stand.", SPAN_ARGS(key));
	if (line.len < key.len + 2 || !span_eq(span_slice(line, 0, key.len), key) ||
	    line.ptr[key.len] != ':' || line.ptr[key.len + 1] != ' ')
		return state_bad(r, "\"%.*s: ...\" should stand here.", SPAN_ARGS(key));
	*value = span_slice(line, key.len + 2, line.len);
	return true;
}

struct key {
	char text[KEY_MAX];
	size_t len;
};

/* Not through printf, as below; %u is all that keys are made of. */
static struct span make_key(struct key *k, const char *fmt, va_list ap)
{
	char digits[UINT_DIGITS];

	k->len = 0;
	for (; *fmt; fmt++) {
		ENSURE(k->len < KEY_MAX - UINT_DIGITS);
		if (*fmt != '%') {
			k->text[k->len++] = *fmt;
			continue;
		}
		ENSURE(*++fmt == 'u');
		struct span number = uint_text(va_arg(ap, unsigned), digits);
		memcpy(k->text + k->len, number.ptr, number.len);
		k->len += number.len;
	}
	return (struct span){k->text, k->len};
}

bool state_value(struct state_reader *r, struct span *value, const char *key_fmt, ...)
{
	struct key key;
	va_list ap;
	bool ok;

	va_start(ap, key_fmt);
	ok = value_of_key(r, make_key(&key, key_fmt, ap), value);
	va_end(ap);
	return ok;
}

bool state_exact(struct state_reader *r, const char *key, const char *value)
{
	struct span found = SPAN_EMPTY;

	if (!value_of_key(r, span_of(key), &found))
		return false;
	if (!span_eq_str(found, value))
		return state_bad(r, "%s should be %s.", key, value);
	return true;
}

bool state_uint(struct state_reader *r, unsigned min, unsigned max, unsigned *out,
                const char *key_fmt, ...)
{
	struct span value = SPAN_EMPTY;
	struct key key;
	va_list ap;
	bool ok;

	va_start(ap, key_fmt);
	ok = value_of_key(r, make_key(&key, key_fmt, ap), &value);
	va_end(ap);
	return ok && state_uints(r, value, min, max, 1, out);
}

bool state_uints(struct state_reader *r, struct span value, unsigned min, unsigned max,
                 size_t count, unsigned *out)
{
	struct span word;
	size_t n = 0;

	while (span_next_word(&value, "", &word)) {
		if (n == count)
			return state_bad(r, "there are more than %zu numbers.", count);
		if (!num_parse_uint(word, min, max, &out[n]))
			return state_bad(r, "a number from %u to %u should stand here.", min,
			                 max);
		n++;
	}
	if (n < count)
		return state_bad(r, "there are fewer than %zu numbers.", count);
	return true;
}

bool state_options(struct state_reader *r, struct game_state *s, const struct rules *rules,
                   bool (*take)(struct game_state *s, const struct options *o,
                                struct strbuf *why))
{
	struct arena *arena = arena_new();
	struct options o;
	struct span text = SPAN_EMPTY;
	bool ok;

	options_init(&o, rules);
	ok = state_value(r, &text, "options") && options_parse(&o, text, arena, r->why) &&
	     take(s, &o, r->why);
	arena_free(arena);
	return ok;
}

bool state_ring(struct state_reader *r, unsigned nseats, unsigned *ring)
{
	struct seat_set seen = {0};
	struct span value = SPAN_EMPTY;

	if (!state_value(r, &value, "ring") || !state_uints(r, value, 1, nseats, nseats, ring))
		return false;
	for (unsigned i = 0; i < nseats; i++)
		seen = seat_with(seen, ring[i]);
	return seat_count(seen) == nseats ||
	       state_bad(r, "each seat should be in the ring once.");
}

bool state_name(struct state_reader *r, unsigned seat, struct state_name *name)
{
	struct span value = SPAN_EMPTY;

	if (!state_value(r, &value, "seat %u name", seat))
		return false;
	if (value.len > SEAT_NAME_BYTES)
		return state_bad(r, "the name is too long.");
	state_name_set(name, value);
	return true;
}

bool state_end(struct state_reader *r)
{
	r->line++;
	if (r->rest.len)
		return state_bad(r, "nothing more should follow.");
	return true;
}

static bool same_bytes(struct span text, struct span written, struct strbuf *why)
{
	if (span_eq(text, written))
		return true;
	strbuf_adds(why, "The state is not written as this game writes it.");
	return false;
}

bool state_decode(struct span text, size_t size,
                  bool (*read)(struct state_reader *r, struct game_state *s),
                  void (*encode)(const struct game_state *s, struct strbuf *out),
                  struct game_state **out, struct strbuf *why)
{
	struct game_state *s = xcalloc(1, size);
	struct strbuf written = STRBUF_INIT;
	struct state_reader r;
	bool ok;

	state_reader_start(&r, text, why);
	ok = read(&r, s);
	if (ok) {
		strbuf_grow(&written, text.len);
		encode(s, &written);
		ok = same_bytes(text, strbuf_span(&written), why);
	}
	strbuf_release(&written);
	if (ok)
		*out = s;
	else
		free(s);
	return ok;
}

struct game_state *state_copy(const struct game_state *s, size_t size)
{
	struct game_state *copy = xmalloc(size);

	memcpy(copy, s, size);
	return copy;
}

void state_free(struct game_state *s)
{
	free(s);
}

void state_add_uint(struct strbuf *out, unsigned number)
{
	char digits[UINT_DIGITS];

	strbuf_add_span(out, uint_text(number, digits));
}

void state_add_uints(struct strbuf *out, const unsigned *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_addc(out, ' ');
		state_add_uint(out, numbers[i]);
	}
}

void state_name_set(struct state_name *n, struct span name)
{
	ENSURE(name.len < sizeof n->text);
	memset(n, 0, sizeof *n);
	memcpy(n->text, name.ptr, name.len);
}
