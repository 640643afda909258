/*
 * order_rows.c - orders read, written and refused by the rows that declare them.
 */
#include "processor/games/order_rows.h"

#include <stdarg.h>
#include <string.h>

#include "processor/base/num.h"
#include "processor/clauses/clauses.h"
#include "processor/games/doc.h"

/* A number up to NUMBERS_READ is a wrong one; beyond, no number. Of a canonical order so many words are read. */
enum { NUMBERS_READ = 1000, ORDER_WORDS_MOST = 100, PHRASE_WORDS = 4 };

/* What one mail said so far. */
struct reading {
	const struct order_table *table;
	struct diags *diags;
	struct order_set *set;
	unsigned line[ORDER_ROWS_MOST];    /* of the order that counts, 0 = none so far */
	unsigned refused[ORDER_ROWS_MOST]; /* the last line with one that was refused */
	unsigned refused_any;              /* ... of any kind */
	unsigned
	    conditional; /* ... with a condition it cannot have: nothing of such a line counts */
	unsigned resigned; /* the line of RESIGN */
};

/* --- words ----------------------------------------------------------------- */

/* The next phrase of "A=B|C"; `which` counts those between bars and begins at (unsigned)-1. */
static bool next_phrase(const char **list, struct span *phrase, unsigned *which)
{
	if (*list == NULL)
		return false;
	*which += *which == (unsigned)-1 || (*list)[-1] == '|';
	*phrase = (struct span){*list, 0};
	while (phrase->ptr[phrase->len] && !strchr("|=", phrase->ptr[phrase->len]))
		phrase->len++;
	*list = phrase->ptr[phrase->len] ? phrase->ptr + phrase->len + 1 : NULL;
	return true;
}

/* Phrases are capitals. */
static bool spells(struct span phrase, const struct order_word *words, size_t n)
{
	struct span word;
	size_t at = 0;

	for (; span_next_word(&phrase, "", &word); at++) {
		if (at == n || words[at].text.len != word.len)
			return false;
		for (size_t i = 0; i < word.len; i++) {
			char c = words[at].text.ptr[i];

			if ((c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) != word.ptr[i])
				return false;
		}
	}
	return at == n;
}

/* Which phrase of the list these words are, all of them. */
static bool find_phrase(const char *list, const struct order_word *words, size_t n,
                        unsigned *which)
{
	struct span phrase;

	for (*which = (unsigned)-1; next_phrase(&list, &phrase, which);)
		if (spells(phrase, words, n))
			return true;
	return false;
}

static void add_phrase(const char *list, unsigned wanted, struct strbuf *out)
{
	unsigned which = (unsigned)-1;
	struct span phrase;

	while (next_phrase(&list, &phrase, &which))
		if (which == wanted) {
			strbuf_add_span(out, phrase);
			return;
		}
}

/* Says nothing, as it stands: `found`: behind an item. */
static bool is_filler(const struct order_table *t, const struct order_word *words, size_t n,
                      bool found)
{
	unsigned which;

	return find_phrase(t->fillers, words, 1, &which) ||
	       (n > 1 && (find_phrase(t->fillers_before, words, 1, &which) ||
	                  (found && span_eq_nocase(words->text, "and"))));
}

/* The first words that are no fillers; as many as PHRASE_WORDS are more than any phrase has. */
static size_t plain_words(const struct order_table *t, const struct order_word *words, size_t n,
                          struct order_word plain[PHRASE_WORDS])
{
	size_t found = 0;
	unsigned which;

	for (size_t i = 0; i < n && found < PHRASE_WORDS; i++)
		if (!find_phrase(t->fillers, &words[i], 1, &which))
			plain[found++] = words[i];
	return found;
}

static bool is_list(const struct order_row *row)
{
	return row->most > 1 || (row->flags & ORDER_SORTED);
}

static bool starts_phrase(const char *phrase, const struct order_word *word)
{
	struct span rest = span_of(phrase), first;

	return span_next_word(&rest, "", &first) && spells(first, word, 1);
}

/* How many of the words are an item of the row, and which; 0 = none. */
static size_t take_item(const struct order_table *t, const struct order_row *row,
                        const struct order_word *words, size_t n, unsigned *item)
{
	if (n == 0 || row->slot == ORDER_TEXT)
		return 0;
	if (row->slot == ORDER_OWN)
		return t->take(t->state, words, n, item);
	if (row->slot == ORDER_NUMBER)
		return num_parse_word(words->text, row->min, row->max, item);
	if (!find_phrase(row->choices, words, 1, item))
		return 0;
	*item += row->min;
	return 1;
}

static bool is_argument(const struct order_table *t, struct span word)
{
	const struct order_word words[] = {{word, 1}};
	unsigned n;

	for (size_t i = 0; i < t->count; i++) {
		const struct order_row *row = &t->rows[i];
		const char *alone = row->alone;
		unsigned which = (unsigned)-1, before = which;
		struct span phrase, part;

		if ((row->slot == ORDER_NUMBER && num_parse_word(word, 0, NUMBERS_READ, &n)) ||
		    (row->choices && find_phrase(row->choices, words, 1, &n)) ||
		    (row->lead && starts_phrase(row->lead, words)) ||
		    (row->tail && starts_phrase(row->tail, words)))
			return true;
		/* Not the words that mean the same: "anybody" is talk, too. */
		for (; next_phrase(&alone, &phrase, &which); before = which)
			while (which != before && span_next_word(&phrase, "", &part))
				if (spells(part, words, 1))
					return true;
	}
	return false;
}

static size_t free_words(const struct order_table *t, struct span word)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->rows[i].slot == ORDER_TEXT && span_eq_nocase(word, t->rows[i].word))
			return (size_t)-1;
	return 0;
}

/* "ROLL PRIZE IF CROWN": behind IF it is no order. */
static bool takes_verb(const struct order_table *t, const struct order_word *args, size_t n,
                       const char *verb)
{
	while (n > 0 && is_filler(t, args + n - 1, 1, true))
		n--;
	for (size_t i = 0; i < t->count && n > 0; i++) {
		struct span rest = t->rows[i].tail ? span_of(t->rows[i].tail) : SPAN_EMPTY,
			    first, second;

		if (span_next_word(&rest, "", &first) && span_next_word(&rest, "", &second) &&
		    span_eq_str(second, verb) && spells(first, args + n - 1, 1))
			return true;
	}
	return false;
}

/* Without those of rows with a tail, whose words stand there already. RESIGN stands last. */
struct order_language order_rows_language(const struct order_table *t,
                                          const char *verbs[ORDER_VERBS_MOST])
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->rows[i].tail == NULL)
			verbs[n++] = t->rows[i].word;
		if (t->rows[i].other)
			verbs[n++] = t->rows[i].other;
	}
	verbs[n++] = ORDER_RESIGN_TEXT;
	return (struct order_language){.verbs = verbs,
	                               .nverbs = n,
	                               .kept = t->names,
	                               .nkept = t->nnames,
	                               .rows = t,
	                               .row_argument = is_argument,
	                               .row_free_words = free_words,
	                               .row_takes_verb = takes_verb};
}

/* The row of a verb; NULL: RESIGN. */
static size_t row_of(const struct order_table *t, const char *verb)
{
	size_t i = 0;

	while (i < t->count && strcmp(t->rows[i].word, verb) != 0 &&
	       !(t->rows[i].other && strcmp(t->rows[i].other, verb) == 0))
		i++;
	return i;
}

/* As it is written behind the word of its order. */
static void add_value(const struct order_table *t, const struct order_row *row,
                      const struct order_value *v, struct strbuf *out)
{
	if (v->count == 0)
		add_phrase(row->alone, v->alone, out);
	else if (row->slot == ORDER_OWN)
		t->write(t->state, v, out);
	for (unsigned k = 0; k < v->count && row->slot != ORDER_OWN; k++) {
		strbuf_adds(out, k ? " " : "");
		if (row->slot == ORDER_NUMBER)
			strbuf_addf(out, "%u", v->items[k]);
		else
			add_phrase(row->choices, v->items[k] - row->min, out);
	}
}

static unsigned last_choice(const struct order_row *row)
{
	const char *list = row->choices;
	unsigned which = (unsigned)-1;
	struct span phrase;

	while (next_phrase(&list, &phrase, &which))
		;
	return row->min + which;
}

static bool is_barred(const struct order_row *row, unsigned item)
{
	return item < 32 && (row->barred >> item & 1);
}

static bool is_named_twice(const struct order_row *row, const struct order_value *v,
                           unsigned item)
{
	return (row->flags & (ORDER_SORTED | ORDER_ONCE)) &&
	       memchr(v->items, (int)item, v->count);
}

static void insert(struct order_value *v, unsigned item, bool sorted)
{
	unsigned at = v->count++;

	for (; sorted && at > 0 && v->items[at - 1] > item; at--)
		v->items[at] = v->items[at - 1];
	v->items[at] = (unsigned char)item;
}

/* --- what is wrong ----------------------------------------------------------- */

/* One order while it is read. */
struct order {
	struct reading *r;
	const struct order_clause *c;
	const char *verb; /* as it was written, in capitals */
	size_t index;
	const struct order_row *row;
	const char *example;
};

/* Says what is wrong at `at`; always false. */
static bool refuse(const struct order *o, const struct order_word *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse(const struct order *o, const struct order_word *at, const char *fmt, ...)
{
	struct strbuf what = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&what, fmt, args);
	va_end(args);
	diags_add(o->r->diags, DIAG_ERROR, o->c->line, at->column, order_quote(at->text),
	          o->example, "%s", what.ptr);
	strbuf_release(&what);
	o->r->refused_any = o->r->refused[o->index] = o->c->line;
	if (clauses_have(o->c->text, CLAUSE_CONDITION))
		o->r->conditional = o->c->line;
	return false;
}

/* "one hole from 1 to 9, or NONE" */
static void add_takes(const struct order_row *row, const char *one, struct strbuf *out)
{
	const char *list = row->choices, *noun = is_list(row) ? row->nouns : row->noun;
	unsigned which = (unsigned)-1, before = which;
	struct span phrase;

	one = is_list(row) ? "" : one;
	if (row->lead)
		strbuf_addf(out, "%s and a %s", row->lead, noun);
	else if (row->slot == ORDER_NUMBER)
		strbuf_addf(out, "%s%s from %u to %u", one, noun, row->min, row->max);
	else
		strbuf_addf(out, "%s%s", one, noun);
	for (; next_phrase(&list, &phrase, &which); before = which)
		if (which != before)
			strbuf_addf(out,
			            !list && row->flags & ORDER_LAST_ENDS ? "%s%.*s at the end"
			                                                  : "%s%.*s",
			            which ? ", " : ": ", SPAN_ARGS(phrase));
	list = row->alone;
	for (which = before = (unsigned)-1; next_phrase(&list, &phrase, &which); before = which)
		if (which != before)
			strbuf_addf(out, ", or %.*s",
			            SPAN_ARGS(phrase.len ? phrase : SPAN_LIT("nothing")));
}

/* "3-5", "1..9", "7-" */
static bool is_range(struct span word)
{
	bool open = span_find_char(word, '-') < word.len ||
	            span_find(word, SPAN_LIT("..")) < word.len;

	for (size_t i = 0; i < word.len; i++)
		open = open && strchr("0123456789-.", word.ptr[i]);
	return open;
}

/* Why this is no item; `ended`: it stands behind the last choice. */
static bool refuse_item(const struct order *o, const struct order_word *w, bool ended)
{
	const struct order_row *row = o->row;
	struct strbuf takes = STRBUF_INIT;
	unsigned n;

	if (ended) {
		add_phrase(row->choices, last_choice(row) - row->min, &takes);
		refuse(o, w, "%s takes %s at the end of the list only.", o->verb, takes.ptr);
	} else if (find_phrase(row->alone, w, 1, &n)) {
		add_phrase(row->alone, n, &takes);
		refuse(o, w, "%s %s stands alone, without %s.", o->verb, takes.ptr, row->nouns);
	} else if (span_eq_str(w->text, ";")) {
		refuse(o, w,
		       "%s takes %s with blanks or commas between them; a semicolon ends it.",
		       o->verb, row->nouns);
	} else if (row->slot == ORDER_NUMBER && is_list(row) && is_range(w->text)) {
		refuse(o, w, "%s takes no range: each %s is written by itself.", o->verb,
		       row->noun);
	} else if (row->slot == ORDER_NUMBER && num_parse_word(w->text, 0, NUMBERS_READ, &n)) {
		refuse(
		    o, w,
		    "There is no %s %u: %s are numbered %u to %u, so this %s does not count.",
		    row->noun, n, row->nouns, row->min, row->max, o->verb);
	} else {
		add_takes(row, "one ", &takes);
		refuse(o, w, "%s takes %s, but not \"%.*s\".", o->verb, takes.ptr,
		       SPAN_ARGS(order_quote(w->text)));
	}
	strbuf_release(&takes);
	return false;
}

/* Behind the one item something stands. */
static bool refuse_rest(struct order *o, const struct order_word *item,
                        const struct order_value *v, const struct order_word *next)
{
	const struct order_clause *c = o->c;
	struct span rest =
	    span_slice(c->text, (size_t)(next->text.ptr - c->text.ptr), c->text.len);
	struct strbuf text = STRBUF_INIT;
	unsigned n;

	strbuf_addf(&text, "%s ", o->verb);
	add_value(o->r->table, o->row, v, &text);
	o->example = text.ptr;
	if (take_item(o->r->table, o->row, next, 1, &n))
		refuse(o, next, "%s takes one %s only, and you named %.*s and %.*s.", o->verb,
		       o->row->noun, SPAN_ARGS(item->text), SPAN_ARGS(next->text));
	else
		refuse(o, &(struct order_word){rest, next->column},
		       "This was read as %s, but not \"%.*s\".", text.ptr,
		       SPAN_ARGS(order_quote(rest)));
	strbuf_release(&text);
	return false;
}

/* --- reading ------------------------------------------------------------------ */

/* "roll pan, if crown roll prize" means the other die. */
static bool stands_apart(const struct order_clause *c, const struct order_word *word)
{
	const char *at = word->text.ptr;

	while (at > c->text.ptr && at[-1] == ' ')
		at--;
	return at > c->text.ptr && at[-1] == ',';
}

/* The words behind the one item as the tail of the next row. */
static bool read_tail(struct order *o, const struct order_word *words, size_t n)
{
	const struct order_row *row = o->row;
	struct order_word plain[PHRASE_WORDS];

	o->example = row[1].example;
	if (stands_apart(o->c, words))
		return refuse(o, words, "%s takes %s right behind its %s, without a comma.",
		              o->verb, row[1].tail, row->noun);
	n = plain_words(o->r->table, words, n, plain);
	if (!spells(span_of(row[1].tail), plain, n))
		return refuse(o, words, "%s takes %s behind its %s, no more.", o->verb,
		              row[1].tail, row->noun);
	o->index++;
	o->row++;
	return true;
}

/* Takes the items from words[at] on into *v. False when it was refused. */
static bool read_items(struct order *o, const struct order_word *words, size_t n,
                       struct order_value *v, const char **once)
{
	const struct order_row *row = o->row;
	const struct order_word *item_word = NULL;
	unsigned item, named = v->count;
	bool adds = v->count > 0, found = false, ended = false;
	bool last = o->index + 1 == o->r->table->count || strcmp(row[1].word, row->word) != 0;
	const char *tail = last ? NULL : row[1].tail;

	for (size_t at = 0, used; at < n; at += used) {
		const struct order_word *w = &words[at];

		if (found && tail && starts_phrase(tail, w))
			return read_tail(o, w, n - at);
		used = take_item(o->r->table, row, w, n - at, &item);
		/* "ROLL NONE IF CROWN" */
		if (used == 0 && !found && tail && at + 1 < n && starts_phrase(tail, w + 1) &&
		    find_phrase(row->alone, w, 1, &item) && item == 0) {
			used = 1;
			found = true;
			continue;
		}
		if (used == 0 && is_filler(o->r->table, w, n - at, found)) {
			used = 1;
			continue;
		}
		if (found && !is_list(row))
			return refuse_rest(o, item_word, v, w);
		if (used == 0 || ended)
			return refuse_item(o, w, ended);
		found = true;
		item_word = w;
		bool barred = is_barred(row, item);
		if (barred && !(row->flags & ORDER_PASSES_BARRED))
			return refuse(o, w, "%s %s", o->verb, row->barred_why);
		if (barred && *once == NULL)
			*once = row->barred_why;
		if (barred)
			continue;
		ended = (row->flags & ORDER_LAST_ENDS) && item == last_choice(row);
		if (is_named_twice(row, v, item)) {
			*once = *once ? *once : row->twice;
			continue;
		}
		named++;
		if (v->count < ORDER_ITEMS_MOST)
			insert(v, item, row->flags & ORDER_SORTED);
	}
	if (!found) {
		struct strbuf takes = STRBUF_INIT;

		add_takes(o->row, "a ", &takes);
		refuse(o, &o->c->head, "%s needs %s.", o->verb, takes.ptr);
		strbuf_release(&takes);
		return false;
	}
	if (named > row->most)
		return refuse(o, &(struct order_word){o->c->text, o->c->head.column},
		              "%s may list at most %u %s in this game; this one %s %u and does "
		              "not count.",
		              o->verb, row->most, row->most == 1 ? row->noun : row->nouns,
		              adds ? "makes them" : "lists", named);
	return true;
}

static bool is_text(const struct order_table *t, struct span text)
{
	return text.len > 0 && text.len <= ORDER_TEXT_BYTES && t->text_ok(text);
}

/* All the rest of the line, without marks at its end; a lead in it as it is declared. */
static bool read_text(struct order *o, char text[ORDER_TEXT_BYTES + 1])
{
	const struct order_clause *c = o->c;
	struct span said = SPAN_EMPTY;
	unsigned which;

	if (c->nargs)
		said = span_slice(c->text, (size_t)(c->args[0].text.ptr - c->text.ptr),
		                  c->text.len);
	while (said.len && strchr("\"*`)!", said.ptr[said.len - 1]))
		said.len--;
	memset(text, 0, ORDER_TEXT_BYTES + 1);
	if (find_phrase(o->row->alone, &(struct order_word){said, 1}, 1, &which))
		return true;
	if (said.ptr == NULL || !is_text(o->r->table, said))
		return refuse(o, &c->head, "%s takes %s.", o->verb, o->row->nouns);
	memcpy(text, said.ptr, said.len);
	for (struct span rest = span_of(text), word; span_next_word(&rest, "", &word);)
		if (o->row->lead && span_eq_nocase(word, o->row->lead))
			memcpy(&text[word.ptr - text], o->row->lead, word.len);
	return true;
}

/* What the words of the order say. False when it was refused. */
static bool read_value(struct order *o, struct order_value *v, const char **once)
{
	const struct order_clause *c = o->c;
	struct order_word plain[PHRASE_WORDS];
	size_t n = plain_words(o->r->table, c->args, c->nargs, plain);
	size_t lead = o->row->lead != NULL;
	unsigned which;

	if ((n > 0) == (c->nargs > 0) && find_phrase(o->row->alone, plain, n, &which)) {
		*v = (struct order_value){.alone = (unsigned char)which};
		return true;
	}
	if (lead && c->nargs > 0 && !starts_phrase(o->row->lead, c->args))
		return refuse_item(o, c->args, false);
	return read_items(o, c->args + (c->nargs ? lead : 0), c->nargs - (c->nargs ? lead : 0),
	                  v, once);
}

static bool is_empty(const struct order_value *v)
{
	return v->count == 0 && v->alone == 0;
}

static void read_order(struct reading *r, const struct order_clause *c, const char *verb,
                       size_t i)
{
	struct order o = {.r = r, .c = c, .verb = verb, .index = i};
	struct order_value v = {.count = 0};
	char text[ORDER_TEXT_BYTES + 1] = "";
	const char *once = NULL; /* what is said once of items left out */
	bool ok;

	o.row = &r->table->rows[o.index];
	o.example = o.row->example;
	bool joins = (o.row->flags & ORDER_JOINS) && r->line[o.index] == c->line;
	bool behind = (o.row->flags & ORDER_BOLD_OF_KIND) && r->refused[o.index] == c->line;
	if (o.row->not_now && (o.row->flags & ORDER_PASSED_OVER)) {
		diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text),
		          "", "This was ignored: %s %s %s.", verb, o.row->not_now,
		          o.row->not_now_who);
		r->refused_any = c->nargs == 1 ? r->refused_any : c->line;
		return;
	}
	if (behind) {
		refuse(&o, &c->head, "%s does not count behind a %s not understood.", verb,
		       verb);
		return;
	}
	if (joins)
		v = r->set->rows[o.index];
	ok = o.row->slot == ORDER_TEXT ? read_text(&o, text) : read_value(&o, &v, &once);
	if (ok && !is_empty(&v) && (o.row->flags & ORDER_BOLD) && c->head.column > 1 &&
	    r->refused_any == c->line)
		ok = refuse(&o, &c->head,
		            "%s does not count behind words that were not understood.", verb);
	else if (ok && !is_empty(&v) && o.row->not_now)
		ok = refuse(&o, &c->head, "%s %s", verb, o.row->not_now);
	if (!ok)
		return;
	if (!joins && r->line[o.index])
		diags_add(r->diags, DIAG_NOTE, c->line, c->head.column, order_quote(c->text),
		          "", "This replaces the %s of line %u.", verb, r->line[o.index]);
	r->line[o.index] = c->line;
	r->set->named |= 1U << o.index;
	r->set->rows[o.index] = v;
	if (o.row->slot == ORDER_TEXT)
		memcpy(r->set->text, text, sizeof text);
	if (once)
		diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text),
		          "", "%s", once);
}

/* "POPUP 3 and WHACK 5": takes off the word that joins two orders and belongs to neither. */
static void drop_and(struct order_clause *c)
{
	if (c->nargs == 0 || c->alone || !span_eq_nocase(c->args[c->nargs - 1].text, "and"))
		return;
	c->nargs--;
	struct span last = c->nargs ? c->args[c->nargs - 1].text : c->head.text;
	c->text = span_slice(c->text, 0, (size_t)(last.ptr + last.len - c->text.ptr));
}

static void read_clause(struct reading *r, const struct order_language *l,
                        struct order_clause *c)
{
	const char *verb = c->verb >= 0 ? l->verbs[c->verb] : c->meant;
	size_t i = verb ? row_of(r->table, verb) : r->table->count;

	if (verb && (i == r->table->count || r->table->rows[i].slot != ORDER_TEXT))
		drop_and(c);
	if (c->verb >= 0 && i < r->table->count) {
		read_order(r, c, verb, i);
	} else if (c->verb == ORDER_MISSPELT) {
		order_tell_misspelt(c, i < r->table->count ? r->table->rows[i].example : verb,
		                    r->diags);
		r->refused_any = c->line;
	} else if (c->verb < 0) {
		order_ignore(c, r->diags);
	} else if (order_resigns(c, r->diags)) {
		r->set->resign = true;
		r->resigned = c->line;
	} else {
		r->refused_any = c->line;
	}
}

static void read_lines(struct reading *r, struct span text)
{
	const char *verbs[ORDER_VERBS_MOST];
	struct order_language language = order_rows_language(r->table, verbs);
	struct order_reader reader;
	struct order_clause c;
	struct order_set before_line = {.named = 0};
	unsigned line = 0, counts[ORDER_ROWS_MOST] = {0};

	memset(r->set, 0, sizeof *r->set);
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &c)) {
		if (c.verb >= 0 && free_words(r->table, span_of(verbs[c.verb])))
			order_take_line(&reader, &c);
		if (c.line != line) {
			before_line = *r->set;
			memcpy(counts, r->line, sizeof counts);
		}
		line = c.line;
		read_clause(r, &language, &c);
		if (r->conditional == line) {
			*r->set = before_line;
			memcpy(r->line, counts, sizeof counts);
		}
	}
	order_reader_release(&reader);
}

/* A row that the mail does not name, where the game speaks of that. */
static void tell_omitted(const struct reading *r, size_t i, bool in_force,
                         const struct order_set *all)
{
	const struct order_row *row = &r->table->rows[i];
	struct strbuf value = STRBUF_INIT;

	order_row_write(r->table, i, all, &value);
	if (row->omitted && in_force)
		diags_add(r->diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
		          "%s stays as you ordered before: %s.", row->word, value.ptr);
	else if (row->omitted)
		diags_add(r->diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, row->example, "%s",
		          row->omitted);
	strbuf_release(&value);
}

bool order_rows_read(const struct order_table *t, bool owes, bool plays, bool in_force,
                     struct span text, struct order_set *all, struct order_set *said,
                     struct strbuf *canonical, struct diags *diags)
{
	struct order_set mail;
	struct reading r = {.table = t, .diags = diags, .set = said ? said : &mail};

	read_lines(&r, text);
	strbuf_clear(canonical);
	if (!r.set->resign && !owes) {
		diags_add(diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "%s",
		          plays ? "The game is over; it takes no more orders."
		                : "You have left this game; it takes no orders from you.");
		return false;
	}
	if (!r.set->resign && !r.set->named)
		return false;
	if (r.set->resign && r.set->named)
		diags_add(
		    diags, DIAG_WARNING, r.resigned, 0, SPAN_EMPTY, "",
		    "RESIGN takes you out of the game, so your other orders do not count.");
	for (size_t i = 0; i < t->count && !r.set->resign; i++) {
		if (!(r.set->named >> i & 1))
			tell_omitted(&r, i, in_force, all);
		else if (t->rows[i].slot == ORDER_TEXT)
			memcpy(all->text, r.set->text, sizeof all->text);
		else
			all->rows[i] = r.set->rows[i];
	}
	all->named |= r.set->named;
	all->resign = r.set->resign;
	order_rows_write(t, all, false, canonical);
	return true;
}

/* --- writing -------------------------------------------------------------------- */

void order_row_write(const struct order_table *t, size_t i, const struct order_set *set,
                     struct strbuf *out)
{
	if (t->rows[i].slot == ORDER_TEXT && *set->text)
		strbuf_adds(out, set->text);
	else
		add_value(t, &t->rows[i], &set->rows[i], out);
}

void order_rows_write(const struct order_table *t, const struct order_set *set, bool only_named,
                      struct strbuf *out)
{
	size_t begin = out->len;

	if (set->resign) {
		strbuf_adds(out, ORDER_RESIGN_TEXT);
		return;
	}
	for (size_t i = 0; i < t->count; i++) {
		const struct order_row *row = &t->rows[i];
		const struct order_value *v = &set->rows[i];
		bool named = set->named >> i & 1;

		if ((!named && (only_named || (row->flags & ORDER_OPTIONAL))) ||
		    (row->not_now && (row->flags & ORDER_PASSED_OVER)))
			continue;
		strbuf_addf(out, "%s%s ", out->len > begin ? "; " : "", row->word);
		if (row->lead && v->count)
			strbuf_addf(out, "%s ", row->lead);
		order_row_write(t, i, set, out);
		if (row->tail)
			strbuf_addf(out, " %s", row->tail);
		if (out->ptr[out->len - 1] == ' ')
			strbuf_truncate(out, out->len - 1);
	}
}

/* The words of a value as it is written; what they come to is written again and compared. */
static bool parse_value(const struct order_table *t, size_t i, struct span text,
                        struct order_set *set)
{
	const struct order_row *row = &t->rows[i];
	struct order_word words[ORDER_WORDS_MOST];
	struct order_value v = {.count = 0};
	size_t n = 0, used;
	unsigned item = 0;

	set->named |= 1U << i;
	for (struct span rest = text;
	     n < ORDER_WORDS_MOST && span_next_word(&rest, "", &words[n].text);)
		n++;
	if (find_phrase(row->alone, words, n, &item)) {
		set->rows[i].alone = (unsigned char)item;
		return true;
	}
	if (row->slot == ORDER_TEXT) {
		if (!is_text(t, text))
			return false;
		memcpy(set->text, text.ptr, text.len);
		return true;
	}
	for (size_t at = row->lead != NULL; at < n; at += used) {
		bool ends = v.count > 0 && (row->flags & ORDER_LAST_ENDS) &&
		            item == last_choice(row);

		used = take_item(t, row, words + at, n - at, &item);
		if (used == 0 || ends || v.count == row->most || is_barred(row, item) ||
		    is_named_twice(row, &v, item))
			return false;
		insert(&v, item, row->flags & ORDER_SORTED);
	}
	set->rows[i] = v;
	return true;
}

bool order_rows_parse(const struct order_table *t, struct span canonical, struct order_set *out)
{
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical, order, word;
	bool ok = true;

	memset(out, 0, sizeof *out);
	out->resign = span_eq_str(canonical, ORDER_RESIGN_TEXT);
	while (ok && !out->resign && order_next_canonical(&rest, &order)) {
		size_t i = 0;

		ok = span_next_word(&order, "", &word);
		while (ok && i < t->count && !span_eq_str(word, t->rows[i].word))
			i++;
		const char *tail = ok && i + 1 < t->count ? t->rows[i + 1].tail : NULL;
		size_t at = tail ? span_find(order, span_of(tail)) : order.len;
		if (at < order.len && at + strlen(tail) == order.len) {
			order.len = at;
			i++;
		}
		ok = ok && i < t->count && parse_value(t, i, span_trim(order), out);
	}
	order_rows_write(t, out, false, &written);
	ok = ok && span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	return ok;
}

bool order_row_parse(const struct order_table *t, size_t i, struct span text,
                     struct order_value *out)
{
	struct strbuf written = STRBUF_INIT;
	struct order_set set = {.named = 0};
	bool ok = parse_value(t, i, text, &set);

	*out = set.rows[i];
	order_row_write(t, i, &set, &written);
	ok = ok && span_eq(strbuf_span(&written), text);
	strbuf_release(&written);
	return ok;
}

void order_rows_tell(const struct order_row *rows, size_t count, struct doc *out)
{
	doc_grammar(out, NULL, 0);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < 6 && rows[i].guide[k / 2][k % 2]; k++)
			doc_cell(out, "%s", rows[i].guide[k / 2][k % 2]);
}
