/*
 * options.c - what a game's creator may set.
 *
 * An option is either a choice of words, a number in a range, or a number with
 * words beside it ("all", or 1 to 16). A choice may have a text of several lines in its place (a board). An option that is the digest of a table is the server's
 * to set. Values are kept as the text they are
 * archived as: one way of writing each, so that equal options are equal bytes.
 */
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/num.h"
#include "processor/games/rules.h"

static bool takes_number(const struct game_option *g)
{
	return !g->choices || g->min < g->max;
}

void options_init(struct options *o, const struct rules *r)
{
	ENSURE(r->noptions <= sizeof o->values / sizeof *o->values);
	memset(o, 0, sizeof *o);
	o->rules = r;
	for (size_t i = 0; i < r->noptions; i++)
		o->values[i] = r->options[i].default_value;
}

/* Index of the option, or noptions. */
static size_t option_index(const struct rules *r, struct span name)
{
	size_t i = 0;

	while (i < r->noptions && !span_eq_nocase(name, r->options[i].name))
		i++;
	return i;
}

/* The choice as the rules write it, or an empty span. */
static struct span find_choice(const struct game_option *g, struct span value,
                               struct arena *arena)
{
	struct span rest = span_of(g->choices);
	struct span choice;

	while (span_next_field(&rest, '|', &choice)) {
		if (span_eq_nocase(value, arena_cstr(arena, choice)))
			return choice;
	}
	return SPAN_EMPTY;
}

/* "move or stay", "all or a number from 1 to 16" */
static void add_values(const struct game_option *g, struct strbuf *out)
{
	struct span rest = span_of(g->choices ? g->choices : ""), choice;
	struct strbuf choices = STRBUF_INIT;

	while (g->choices && span_next_field(&rest, '|', &choice))
		strbuf_addf(&choices, choices.len ? " or %.*s" : "%.*s", SPAN_ARGS(choice));
	if (!takes_number(g))
		strbuf_adds(out, choices.ptr);
	else if (choices.len)
		strbuf_addf(out, "%s or a number from %lld to %lld", choices.ptr,
		            (long long)g->min, (long long)g->max);
	else
		strbuf_addf(out, "a number from %lld to %lld", (long long)g->min,
		            (long long)g->max);
	if (g->read_text)
		strbuf_adds(out, ", or below, with its lines under the command");
	strbuf_release(&choices);
}

/* Every text has several lines, and on one line a `;` between them. */
static bool is_text(struct span value)
{
	return span_find_char(value, ';') < value.len;
}

void options_text_name(struct span value, struct strbuf *out)
{
	struct strbuf hex = STRBUF_INIT;
	struct hash hash = hash_of(value);

	hash_add_hex(&hex, &hash);
	strbuf_add(out, hex.ptr, TEXT_NAME_LEN);
	strbuf_release(&hex);
}

bool options_has_text(const struct options *o, size_t i)
{
	return o->rules->options[i].read_text && is_text(span_of(o->values[i]));
}

const struct game_option *options_text_option(const struct rules *r, struct span name)
{
	size_t i = option_index(r, name);

	return i < r->noptions && r->options[i].read_text ? &r->options[i] : NULL;
}

bool options_set(struct options *o, struct span name, struct span value, struct arena *arena,
                 struct strbuf *why)
{
	size_t i = option_index(o->rules, name);
	const struct game_option *g;
	struct hash hash;
	int64_t number;

	if (i == o->rules->noptions) {
		struct strbuf names = STRBUF_INIT;

		for (size_t k = 0; k < o->rules->noptions; k++)
			if (!o->rules->options[k].hash_of)
				strbuf_addf(&names, names.len ? ", %s" : "%s",
				            o->rules->options[k].name);
		strbuf_addf(why, "%s has no option \"%.*s\"; its options are %s.",
		            o->rules->title, SPAN_ARGS(span_slice(name, 0, 40)), names.ptr);
		strbuf_release(&names);
		return false;
	}
	g = &o->rules->options[i];
	if (g->choices) {
		struct span choice = find_choice(g, value, arena);

		if (choice.len) {
			o->values[i] = arena_cstr(arena, choice);
			return true;
		}
	}
	if (g->hash_of && num_parse_hex(value, hash.bytes, HASH_LEN)) {
		o->values[i] = arena_cstr(arena, value);
		return true;
	}
	if (takes_number(g) && num_parse_i64(value, g->min, g->max, &number)) {
		bool as_written = value.ptr[0] >= '1' && value.ptr[0] <= '9';

		o->values[i] = as_written ? arena_cstr(arena, value)
		                          : arena_printf(arena, "%lld", (long long)number);
		return true;
	}
	if (g->read_text && is_text(value)) {
		struct strbuf word = STRBUF_INIT;
		bool ok = g->read_text(value, &word, why);

		if (ok)
			o->values[i] = arena_strdup(arena, word.ptr);
		strbuf_release(&word);
		return ok;
	}

	struct strbuf values = STRBUF_INIT;

	add_values(g, &values);
	strbuf_addf(why, "The option %s cannot be \"%.*s\": it takes %s.", g->name,
	            SPAN_ARGS(span_slice(value, 0, 40)), values.ptr);
	strbuf_release(&values);
	return false;
}

bool options_parse(struct options *o, struct span text, struct arena *arena, struct strbuf *why)
{
	struct span word;

	while (span_next_word(&text, "\r\n", &word)) {
		size_t equals = span_find_char(word, '=');

		if (equals == word.len) {
			strbuf_addf(why, "An option is written name=value, not \"%.*s\".",
			            SPAN_ARGS(span_slice(word, 0, 40)));
			return false;
		}
		if (!options_set(o, span_slice(word, 0, equals),
		                 span_slice(word, equals + 1, word.len), arena, why))
			return false;
	}
	return true;
}

void options_format(const struct options *o, enum options_form form, struct strbuf *out)
{
	const char *between = "";

	for (size_t i = 0; i < o->rules->noptions; i++) {
		const struct game_option *g = &o->rules->options[i];
		bool is_default = strcmp(o->values[i], g->default_value) == 0;

		if (form == OPTIONS_ALL ? g->added_later && is_default
		                        : g->hash_of || is_default)
			continue;
		strbuf_adds(out, between);
		strbuf_adds(out, g->name);
		strbuf_addc(out, '=');
		if (form == OPTIONS_SHOWN && options_has_text(o, i))
			options_text_name(span_of(o->values[i]), out);
		else
			strbuf_adds(out, o->values[i]);
		between = " ";
	}
}

void options_keep(const struct options *o, char *text, size_t size)
{
	struct strbuf all = STRBUF_INIT;

	options_format(o, OPTIONS_ALL, &all);
	ENSURE(all.len < size);
	memcpy(text, all.ptr, all.len + 1);
	strbuf_release(&all);
}

void options_tell(const struct rules *r, struct doc *out)
{
	struct strbuf values = STRBUF_INIT;

	doc_heading(out, "Options");
	doc_paragraph(out,
	              "Whoever opens a game may write some of these behind its name, each as "
	              "name=value. The value that counts without that is in "
	              "brackets.");
	for (size_t i = 0; i < r->noptions; i++) {
		const struct game_option *g = &r->options[i];

		if (g->hash_of)
			continue;
		strbuf_clear(&values);
		add_values(g, &values);
		doc_item(out, "Option %s: %s (%s); %s.", g->name, values.ptr, g->default_value,
		         g->help);
	}
	strbuf_release(&values);
}

/* The value of an option that the rules themselves ask for, so it must be there. */
static const char *value_of(const struct options *o, const char *name)
{
	size_t i = option_index(o->rules, span_of(name));

	if (i == o->rules->noptions)
		BUG("%s has no option %s", o->rules->name, name);
	return o->values[i];
}

int64_t options_number(const struct options *o, const char *name)
{
	int64_t number = 0;

	if (!num_parse_i64(span_of(value_of(o, name)), INT64_MIN, INT64_MAX, &number))
		return 0;
	return number;
}

const char *options_word(const struct options *o, const char *name)
{
	return value_of(o, name);
}

bool options_is(const struct options *o, const char *name, const char *value)
{
	return strcmp(value_of(o, name), value) == 0;
}

bool rules_use_tables(const struct rules *r)
{
	for (size_t i = 0; i < r->noptions; i++)
		if (r->options[i].hash_of)
			return true;
	return false;
}

static const struct table *find_table(const struct tables *tables, const char *name)
{
	for (size_t i = 0; tables && i < tables->count; i++)
		if (tables->items[i].text.len && strcmp(tables->items[i].name, name) == 0)
			return &tables->items[i];
	return NULL;
}

bool tables_have_all(const struct tables *tables, const struct rules *r, struct span options,
                     struct arena *arena)
{
	struct strbuf why = STRBUF_INIT;
	struct options o;

	options_init(&o, r);
	bool all = options_parse(&o, options, arena, &why);
	for (size_t i = 0; i < r->noptions && all; i++) {
		struct hash wanted;

		all = !r->options[i].hash_of;
		if (all || !hash_parse(span_of(o.values[i]), &wanted))
			continue;
		for (size_t k = 0; tables && k < tables->count && !all; k++)
			all = hash_eq(&tables->items[k].hash, &wanted);
	}
	strbuf_release(&why);
	return all;
}

bool options_bind(struct options *o, const struct tables *tables, struct arena *arena,
                  struct strbuf *why)
{
	for (size_t i = 0; i < o->rules->noptions; i++) {
		const char *named = o->rules->options[i].hash_of;
		const struct table *t = named ? find_table(tables, value_of(o, named)) : NULL;
		struct strbuf hex = STRBUF_INIT;

		if (!named)
			continue;
		if (!t) {
			strbuf_addf(
			    why,
			    "This server does not have the file that %s=%s needs. Another "
			    "%s may do, or tell whoever runs the server.",
			    named, value_of(o, named), named);
			return false;
		}
		strbuf_add_hex(&hex, t->hash.bytes, HASH_LEN);
		o->values[i] = arena_strdup(arena, hex.ptr);
		strbuf_release(&hex);
	}
	return true;
}

bool options_has(const struct options *o, const char *name, const char *value)
{
	size_t i = option_index(o->rules, span_of(name));

	return i < o->rules->noptions && strcmp(o->values[i], value) == 0;
}
