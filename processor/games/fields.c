/*
 * fields.c - `key: value` lines, written, and read strictly.
 */
#include "processor/games/fields.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/num.h"

enum { KEY_MAX = 64, UINT_DIGITS = 3 * sizeof(unsigned) };

bool fields_bad(struct fields *f, const char *fmt, ...)
{
	va_list ap;

	strbuf_addf(f->why, "Line %u of the state: ", f->line);
	va_start(ap, fmt);
	strbuf_vaddf(f->why, fmt, ap);
	va_end(ap);
	return false;
}

bool fields_check(struct fields *f, bool holds, const char *sentence)
{
	return holds || fields_writing(f) || fields_bad(f, "%s", sentence);
}

/* ---- keys ---- */

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

void state_add_uint(struct strbuf *out, unsigned number)
{
	char digits[UINT_DIGITS];

	strbuf_add_span(out, uint_text(number, digits));
}

/* Not through printf either; %u and %s are all that keys are made of. */
static struct span make_key(char text[static KEY_MAX], const char *fmt, va_list ap)
{
	char digits[UINT_DIGITS];
	size_t len = 0;

	while (*fmt) {
		struct span part = {fmt, span_find_char(span_of(fmt), '%')};

		if (part.len) {
			fmt += part.len;
		} else {
			ENSURE(fmt[1] == 'u' || fmt[1] == 's');
			part = fmt[1] == 'u' ? uint_text(va_arg(ap, unsigned), digits)
			                     : span_of(va_arg(ap, const char *));
			fmt += 2;
		}
		ENSURE(part.len < KEY_MAX - len);
		memcpy(text + len, part.ptr, part.len);
		len += part.len;
	}
	return (struct span){text, len};
}

/* The end of the line in hand. */
static bool end_line(struct fields *f)
{
	if (fields_writing(f)) {
		if (f->line)
			strbuf_addc(f->out, '\n');
		return true;
	}
	return f->words.len == 0 || fields_bad(f, "nothing more should follow here.");
}

/* A line feed must end it: a text cut off in its last line must not pass. */
static bool begin_line(struct fields *f, struct span key)
{
	size_t end = span_find_char(f->rest, '\n');
	struct span line = span_slice(f->rest, 0, end);

	if (!end_line(f))
		return false;
	f->line++;
	if (fields_writing(f)) {
		strbuf_add_span(f->out, key);
		strbuf_addc(f->out, ':');
		return true;
	}
	if (end == f->rest.len)
		return fields_bad(f, "it ends where \"%.*s\" should stand.", SPAN_ARGS(key));
	if (line.len < key.len + 2 || !span_eq(span_slice(line, 0, key.len), key) ||
	    line.ptr[key.len] != ':' || line.ptr[key.len + 1] != ' ')
		return fields_bad(f, "\"%.*s: ...\" should stand here.", SPAN_ARGS(key));
	f->rest = span_slice(f->rest, end + 1, f->rest.len);
	f->words = span_slice(line, key.len + 2, line.len);
	return true;
}

static bool begin_formatted(struct fields *f, const char *key_fmt, va_list ap)
{
	char text[KEY_MAX];

	return begin_line(f, make_key(text, key_fmt, ap));
}

bool field_key(struct fields *f, const char *key_fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, key_fmt);
	ok = begin_formatted(f, key_fmt, ap);
	va_end(ap);
	return ok;
}

/* ---- words ---- */

bool field_word(struct fields *f, struct span *word)
{
	if (!fields_writing(f))
		return span_next_word(&f->words, "", word);
	strbuf_addc(f->out, ' ');
	strbuf_add_span(f->out, *word);
	return true;
}

bool field_word_uint(struct fields *f, unsigned *number, unsigned min, unsigned max)
{
	char digits[UINT_DIGITS];
	struct span word = fields_writing(f) ? uint_text(*number, digits) : SPAN_EMPTY;

	return field_word(f, &word) &&
	       (fields_writing(f) || num_parse_uint(word, min, max, number));
}

bool field_word_byte(struct fields *f, uint8_t *number, unsigned min, unsigned max)
{
	unsigned n = *number;
	bool ok = field_word_uint(f, &n, min, max);

	*number = (uint8_t)n;
	return ok;
}

bool field_word_choice(struct fields *f, const char *const *names, unsigned count,
                       unsigned *number)
{
	struct span word = fields_writing(f) ? span_of(names[*number]) : SPAN_EMPTY;

	if (!field_word(f, &word))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (span_eq_str(word, names[i])) {
			*number = i;
			return true;
		}
	return false;
}

bool field_more(struct fields *f, bool another)
{
	struct span words = f->words, word = SPAN_LIT("-");

	if (!fields_writing(f)) {
		if (span_eq_str(words, "-"))
			f->words = SPAN_EMPTY;
		return span_next_word(&words, "", &word) && f->words.len;
	}
	if (!another && f->out->ptr[f->out->len - 1] == ':')
		(void)field_word(f, &word);
	return another;
}

/* ---- fields ---- */

static bool whole_value(struct fields *f, struct span *value)
{
	if (fields_writing(f))
		return field_word(f, value);
	*value = f->words;
	f->words = SPAN_EMPTY;
	return true;
}

bool field_value(struct fields *f, struct span *value, const char *key_fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, key_fmt);
	ok = begin_formatted(f, key_fmt, ap);
	va_end(ap);
	return ok && whole_value(f, value);
}

bool field_exact(struct fields *f, const char *key, const char *value)
{
	struct span found = span_of(value);

	return begin_line(f, span_of(key)) && whole_value(f, &found) &&
	       (span_eq_str(found, value) || fields_bad(f, "%s should be %s.", key, value));
}

bool field_words_uint(struct fields *f, unsigned *numbers, size_t count, unsigned min,
                      unsigned max)
{
	for (size_t i = 0; i < count; i++) {
		if (!fields_writing(f) && f->words.len == 0)
			return fields_bad(f, "there are fewer than %zu numbers.", count);
		if (!field_word_uint(f, &numbers[i], min, max))
			return fields_bad(f, "a number from %u to %u should stand here.", min,
			                  max);
	}
	return fields_writing(f) || f->words.len == 0 ||
	       fields_bad(f, "there are more than %zu numbers.", count);
}

bool field_uint(struct fields *f, unsigned *number, unsigned min, unsigned max,
                const char *key_fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, key_fmt);
	ok = begin_formatted(f, key_fmt, ap);
	va_end(ap);
	return ok && field_words_uint(f, number, 1, min, max);
}

bool field_uints(struct fields *f, unsigned *numbers, size_t count, unsigned min, unsigned max,
                 const char *key_fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, key_fmt);
	ok = begin_formatted(f, key_fmt, ap);
	va_end(ap);
	return ok && field_words_uint(f, numbers, count, min, max);
}

bool field_options(struct fields *f, struct game_state *s, const char *kept,
                   const struct rules *rules,
                   bool (*take)(struct game_state *s, const struct options *o,
                                struct strbuf *why))
{
	struct span text = span_of(kept);
	struct arena *arena;
	struct options o;
	bool ok = field_value(f, &text, "options");

	if (!ok || fields_writing(f))
		return ok;
	arena = arena_new();
	options_init(&o, rules);
	ok = options_parse(&o, text, arena, f->why) && take(s, &o, f->why);
	arena_free(arena);
	return ok;
}

bool field_ring(struct fields *f, unsigned nseats, unsigned *ring)
{
	struct seat_set seen = {0};

	if (!field_uints(f, ring, nseats, 1, nseats, "ring"))
		return false;
	for (unsigned i = 0; i < nseats; i++)
		seen = seat_with(seen, ring[i]);
	return fields_check(f, seat_count(seen) == nseats,
	                    "each seat should be in the ring once.");
}

bool field_name(struct fields *f, unsigned seat, struct state_name *name)
{
	struct span value = span_of(name->text);

	if (!field_value(f, &value, "seat %u name", seat))
		return false;
	if (fields_writing(f))
		return true;
	if (value.len > SEAT_NAME_BYTES)
		return fields_bad(f, "the name is too long.");
	state_name_set(name, value);
	f->names.names[seat] = name->text;
	f->names.count = seat;
	return true;
}

bool fields_end(struct fields *f)
{
	if (!end_line(f))
		return false;
	f->line++;
	return fields_writing(f) ||
	       ((f->rest.len == 0 || fields_bad(f, "nothing more should follow.")) &&
	        seat_names_ok(&f->names, f->why));
}

/* ---- whole states ---- */

void fields_encode(const struct game_state *s, size_t size, fields_list *list,
                   struct strbuf *out)
{
	struct fields f = {.out = out};
	struct game_state *copy =
	    state_copy(s, size); /* what can read cannot be handed a const */

	ENSURE(list(&f, copy));
	state_free(copy);
}

static bool same_bytes(struct span text, struct span written, struct strbuf *why)
{
	if (span_eq(text, written))
		return true;
	strbuf_adds(why, "The state is not written as this game writes it.");
	return false;
}

bool fields_decode(struct span text, size_t size, fields_list *list, struct game_state **out,
                   struct strbuf *why)
{
	struct game_state *s = xcalloc(1, size);
	struct strbuf written = STRBUF_INIT;
	struct fields reading = {.rest = text, .why = why}, writing = {.out = &written};
	bool ok = list(&reading, s);

	if (ok) {
		strbuf_grow(&written, text.len);
		ENSURE(list(&writing, s));
		ok = same_bytes(text, strbuf_span(&written), why);
	}
	strbuf_release(&written);
	if (ok)
		*out = s;
	else
		state_free(s);
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

void state_name_set(struct state_name *n, struct span name)
{
	ENSURE(name.len < sizeof n->text);
	memset(n, 0, sizeof *n);
	memcpy(n->text, name.ptr, name.len);
}
