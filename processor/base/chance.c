/*
 * chance.c - named draws: derived from a key, or read from a script.
 *
 * Trusts nothing of a script but its size: each line is checked when it is
 * read, and each outcome when it is drawn.
 */
#include "processor/base/chance.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/num.h"

struct draw {
	struct span label; /* empty: an unlabelled line of a script */
	struct span outcome;
	bool is_number; /* from `least` to `most`; else a shuffle */
	unsigned least, most;
	const char *leftover; /* script: what to say if nobody asks for this line */
	bool used;
};

/* Draws in order, and an index by label: `slots` holds places + 1, 0 is free. */
struct draw_list {
	struct draw *items;
	size_t count, cap;
	size_t *slots;
	size_t slot_count; /* a power of two, at least twice the count */
};

struct chance {
	struct arena *texts;
	struct draw_list record;
	bool is_scripted;
	crypto_auth_hmacsha256_state keyed; /* derived: HMAC with the key taken in */
	struct draw_list script;
	size_t next_unlabelled;
	const char *problem;
};

/* A list of draws. */

/* FNV-1a; only finds labels, the order of draws never depends on it. */
static size_t label_hash(struct span label)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < label.len; i++)
		h = (h ^ (unsigned char)label.ptr[i]) * 1099511628211u;
	return (size_t)(h ^ h >> 32);
}

/* The slot that holds the label, or the free one where it belongs. */
static size_t *slot_for(const struct draw_list *l, struct span label)
{
	size_t at = label_hash(label) & (l->slot_count - 1);

	while (l->slots[at] != 0 && !span_eq(l->items[l->slots[at] - 1].label, label))
		at = (at + 1) & (l->slot_count - 1);
	return &l->slots[at];
}

static struct draw *find_draw(const struct draw_list *l, struct span label)
{
	size_t place = l->slot_count ? *slot_for(l, label) : 0;

	return place ? &l->items[place - 1] : NULL;
}

static void grow_index(struct draw_list *l)
{
	if (l->count * 2 < l->slot_count)
		return;
	l->slot_count = l->slot_count ? l->slot_count * 2 : 32;
	free(l->slots);
	l->slots = xcalloc(l->slot_count, sizeof(l->slots[0]));
	for (size_t i = 0; i < l->count; i++) {
		size_t *slot = slot_for(l, l->items[i].label);

		if (l->items[i].label.len > 0 && *slot == 0)
			*slot = i + 1;
	}
}

/* Of two draws with one label the first is the one found. */
static struct draw *add_draw(struct draw_list *l, struct span label, struct span outcome)
{
	size_t *slot;

	l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(l->items[0]));
	l->items[l->count++] = (struct draw){.label = label, .outcome = outcome};
	grow_index(l);
	slot = label.len > 0 ? slot_for(l, label) : NULL;
	if (slot != NULL && *slot == 0)
		*slot = l->count;
	return &l->items[l->count - 1];
}

static void release_draws(struct draw_list *l)
{
	free(l->items);
	free(l->slots);
}

/* Making one. */

static struct chance *chance_new(void)
{
	struct chance *c = xcalloc(1, sizeof(*c));

	c->texts = arena_new();
	return c;
}

struct chance *chance_from_key(const struct hash *key)
{
	struct chance *c = chance_new();

	crypto_auth_hmacsha256_init(&c->keyed, key->bytes, HASH_LEN);
	return c;
}

struct chance *chance_from_seed(uint64_t seed, const char *label)
{
	struct strbuf text = STRBUF_INIT;
	struct hash key;

	strbuf_addf(&text, "molepost/1 seed\n%llu\n%s\n", (unsigned long long)seed, label);
	key = hash_of(strbuf_span(&text));
	strbuf_release(&text);
	return chance_from_key(&key);
}

void chance_free(struct chance *c)
{
	if (c == NULL)
		return;
	release_draws(&c->record);
	release_draws(&c->script);
	arena_free(c->texts);
	sodium_memzero(c, sizeof(*c));
	free(c);
}

/* "-" is the outcome of shuffling nothing. */
static bool is_outcome(struct span text)
{
	struct span word;
	unsigned number;
	size_t words = 0;

	if (span_eq_str(text, "-"))
		return true;
	for (; span_next_word(&text, "", &word); words++)
		if (!num_parse_uint(word, 0, UINT32_MAX, &number))
			return false;
	return words > 0;
}

static bool add_script_line(struct chance *c, struct span line, unsigned number)
{
	size_t equals = span_find_char(line, '=');
	bool is_labelled = equals < line.len;
	size_t from = is_labelled ? equals + 1 : 0;
	struct span label = span_trim(span_slice(line, 0, is_labelled ? equals : 0));
	struct span outcome = span_trim(span_slice(line, from, line.len));
	struct draw *d;

	if ((is_labelled && label.len == 0) || !is_outcome(outcome))
		return false;
	d = add_draw(&c->script, arena_dup(c->texts, label), arena_dup(c->texts, outcome));
	d->leftover = arena_printf(c->texts, "line %u, \"%.*s\", was not asked for", number,
	                           SPAN_ARGS(span_trim(line)));
	return true;
}

enum err chance_from_script(struct span script, struct chance **out, struct failure *e)
{
	struct chance *c = chance_new();
	struct span line;

	*out = NULL;
	c->is_scripted = true;
	for (unsigned number = 1; span_next_line(&script, &line); number++) {
		if (span_trim(line).len == 0 || add_script_line(c, line, number))
			continue;
		chance_free(c);
		return err_set(e, ERR_INVALID,
		               "line %u is neither an outcome nor \"label = outcome\"", number);
	}
	*out = c;
	return ERR_NONE;
}

/* Derived draws. */

/* The words of one label's blocks, one after another. */
struct words {
	const struct chance *c;
	struct span label;
	unsigned next_block, next_word;
	struct hash block;
};

enum { WORD_LEN = 8, WORDS_PER_BLOCK = HASH_LEN / WORD_LEN };

static void read_block(struct words *w)
{
	crypto_auth_hmacsha256_state state = w->c->keyed;
	struct strbuf name = STRBUF_INIT;

	strbuf_add_span(&name, w->label);
	strbuf_addf(&name, "\n%u\n", w->next_block++);
	crypto_auth_hmacsha256_update(&state, (const unsigned char *)name.ptr, name.len);
	crypto_auth_hmacsha256_final(&state, w->block.bytes);
	strbuf_release(&name);
}

static uint64_t take_word(struct words *w)
{
	uint64_t word = 0;
	unsigned place = w->next_word++ % WORDS_PER_BLOCK;

	if (place == 0)
		read_block(w);
	for (unsigned i = 0; i < WORD_LEN; i++)
		word = word << 8 | w->block.bytes[place * WORD_LEN + i];
	return word;
}

static unsigned number_below(struct words *w, uint64_t n)
{
	uint64_t excess = (0 - n) % n; /* 2^64 mod n */
	uint64_t word;

	do
		word = take_word(w);
	while (excess != 0 && word >= 0 - excess);
	return (unsigned)(word % n);
}

/* Scripted draws. */

static void note_problem(struct chance *c, const char *what, struct span label)
{
	if (c->problem == NULL)
		c->problem = arena_printf(c->texts, "%s for \"%.*s\"", what, SPAN_ARGS(label));
}

static struct draw *next_unlabelled(struct chance *c)
{
	struct draw *items = c->script.items;

	while (items != NULL && c->next_unlabelled < c->script.count) {
		struct draw *d = &items[c->next_unlabelled++];

		if (d->label.len == 0)
			return d;
	}
	return NULL;
}

/* False, with the problem noted, when the script has nothing for this label. */
static bool take_line(struct chance *c, struct span label, struct span *outcome)
{
	struct draw *d = find_draw(&c->script, label);

	if (d == NULL || d->used)
		d = next_unlabelled(c);
	if (d == NULL) {
		note_problem(c, "no outcome is given", label);
		return false;
	}
	d->used = true;
	*outcome = d->outcome;
	return true;
}

static unsigned scripted_number(struct chance *c, struct span label, unsigned min, unsigned max)
{
	struct span outcome;
	unsigned value;

	if (!take_line(c, label, &outcome))
		return min;
	if (num_parse_uint(outcome, min, max, &value))
		return value;
	note_problem(c, "an impossible outcome is given", label);
	return min;
}

static bool read_permutation(struct span outcome, unsigned *order, size_t n)
{
	bool *seen = xcalloc(n, sizeof(*seen));
	struct span word;
	size_t i = 0;
	bool fits = true;

	if (n == 0 && span_eq_str(outcome, "-"))
		outcome = SPAN_EMPTY;
	for (; fits && span_next_word(&outcome, "", &word); i++) {
		fits = i < n && num_parse_uint(word, 1, (unsigned)n, &order[i]) &&
		       !seen[order[i] - 1];
		if (fits)
			seen[--order[i]] = true;
	}
	free(seen);
	return fits && i == n;
}

static void in_order(unsigned *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = (unsigned)i;
}

static void scripted_shuffle(struct chance *c, struct span label, unsigned *order, size_t n)
{
	struct span outcome;

	if (!take_line(c, label, &outcome)) {
		in_order(order, n);
	} else if (!read_permutation(outcome, order, n)) {
		note_problem(c, "an impossible outcome is given", label);
		in_order(order, n);
	}
}

/* The draws. */

/* Labels stand in archives as "label = outcome", so some would not come back as they went. */
static struct span make_label(struct chance *c, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
static struct span make_label(struct chance *c, const char *fmt, va_list ap)
{
	struct strbuf text = STRBUF_INIT;
	struct span label;

	strbuf_vaddf(&text, fmt, ap);
	label = arena_take(c->texts, &text);
	if (label.len == 0 || span_trim(label).len != label.len ||
	    span_find_char(label, '=') < label.len || span_find_char(label, '\n') < label.len)
		BUG("a draw cannot have the label \"%s\"", label.ptr);
	if (find_draw(&c->record, label) != NULL)
		BUG("two draws with the label \"%s\"", label.ptr);
	return label;
}

static unsigned draw_number(struct chance *c, struct span label, unsigned min, unsigned n)
{
	struct words w = {.c = c, .label = label};
	unsigned value;

	ENSURE(n > 0);
	if (c->is_scripted)
		value = scripted_number(c, label, min, min + (n - 1));
	else
		value = min + number_below(&w, n);
	struct draw *d =
	    add_draw(&c->record, label, span_of(arena_printf(c->texts, "%u", value)));
	d->is_number = true;
	d->least = min;
	d->most = min + (n - 1);
	return value;
}

unsigned chance_die(struct chance *c, unsigned sides, const char *label_fmt, ...)
{
	struct span label;
	va_list ap;

	va_start(ap, label_fmt);
	label = make_label(c, label_fmt, ap);
	va_end(ap);
	return draw_number(c, label, 1, sides);
}

unsigned chance_pick(struct chance *c, unsigned n, const char *label_fmt, ...)
{
	struct span label;
	va_list ap;

	va_start(ap, label_fmt);
	label = make_label(c, label_fmt, ap);
	va_end(ap);
	return draw_number(c, label, 0, n);
}

static void derived_shuffle(const struct chance *c, struct span label, unsigned *order,
                            size_t n)
{
	struct words w = {.c = c, .label = label};

	in_order(order, n);
	for (size_t k = n; k-- > 1;) {
		unsigned place = number_below(&w, (uint64_t)k + 1);
		unsigned held = order[k];

		order[k] = order[place];
		order[place] = held;
	}
}

static struct span order_text(struct chance *c, const unsigned *order, size_t n)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&text, "%s%u", i ? " " : "", order[i] + 1);
	if (n == 0)
		strbuf_addc(&text, '-');
	return arena_take(c->texts, &text);
}

void chance_shuffle(struct chance *c, unsigned *order, size_t n, const char *label_fmt, ...)
{
	struct span label;
	va_list ap;

	va_start(ap, label_fmt);
	label = make_label(c, label_fmt, ap);
	va_end(ap);
	ENSURE(n < UINT32_MAX);
	if (c->is_scripted)
		scripted_shuffle(c, label, order, n);
	else
		derived_shuffle(c, label, order, n);
	add_draw(&c->record, label, order_text(c, order, n));
}

/* What happened. */

const char *chance_problem(const struct chance *c)
{
	if (c->problem != NULL)
		return c->problem;
	for (size_t i = 0; i < c->script.count; i++)
		if (!c->script.items[i].used)
			return c->script.items[i].leftover;
	return NULL;
}

void chance_add_record(const struct chance *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->record.count; i++) {
		strbuf_add_span(out, c->record.items[i].label);
		strbuf_adds(out, " = ");
		strbuf_add_span(out, c->record.items[i].outcome);
		strbuf_addc(out, '\n');
	}
}

void chance_add_ranges(const struct chance *c, size_t from, struct strbuf *out)
{
	for (size_t i = from; i < c->record.count; i++) {
		const struct draw *d = &c->record.items[i];

		strbuf_addf(out, "%.*s = %.*s", SPAN_ARGS(d->label), SPAN_ARGS(d->outcome));
		if (d->is_number)
			strbuf_addf(out, " of %u to %u", d->least, d->most);
		strbuf_addc(out, '\n');
	}
}

size_t chance_count(const struct chance *c)
{
	return c->record.count;
}
