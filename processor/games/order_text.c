/*
 * order_text.c - from a line of a mail to clauses.
 */
#include "processor/games/order_text.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/games/decoration.h"
#include "processor/games/rules.h"

void order_reader_start(struct order_reader *r, const struct order_language *language,
                        struct span text)
{
	memset(r, 0, sizeof *r);
	r->language = language;
	r->rest = text;
	strbuf_init(&r->plain);
}

void order_reader_release(struct order_reader *r)
{
	strbuf_release(&r->plain);
	free(r->words);
	memset(r, 0, sizeof *r);
	strbuf_init(&r->plain);
}

/* How many bytes at the start of a line are a bullet or its number: "- ", "2) ". */
static size_t bullet_length(struct span line)
{
	static const char *const bullets[] = {"- ", "-- ", "\xe2\x80\xa2", "\xc2\xb7"};
	size_t digits = 0;

	for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
		if (span_starts(line, bullets[i]))
			return strlen(bullets[i]);
	while (digits < line.len && digits < 3 && ascii_is_digit(line.ptr[digits]))
		digits++;
	if (digits && line.len > digits + 1 && strchr(".)", line.ptr[digits]) &&
	    line.ptr[digits + 1] == ' ')
		return digits + 1;
	return 0;
}

static bool is_quote(char c)
{
	return c == '_' || c == '\'';
}

static void add_word(struct order_reader *r, size_t from, size_t to)
{
	struct span plain = strbuf_span(&r->plain);
	struct order_word *w;
	unsigned column;

	while (from < to && is_quote(plain.ptr[from]))
		from++;
	while (to > from && is_quote(plain.ptr[to - 1]))
		to--;
	if (from == to || (to - from == 1 && strchr("&+/", plain.ptr[from])))
		return;
	const struct order_word *before = r->count ? &r->words[r->count - 1] : NULL;
	size_t start = before ? (size_t)(before->text.ptr - plain.ptr) : 0;

	column = (before ? before->column : 1) +
	         (unsigned)utf8_width(span_slice(plain, start, from));
	r->words = xgrow(r->words, &r->cap, r->count + 1, sizeof *r->words);
	w = &r->words[r->count++];
	w->text = span_slice(plain, from, to);
	w->column = column;
}

static bool is_blank(char c)
{
	switch (c) {
	case ' ':
	case '\t':
	case ',':
	case ':':
	case '=':
	case '*':
	case '`':
	case '"':
	case '(':
	case ')':
	case '[':
	case ']':
	case '{':
	case '}':
		return true;
	default:
		return false;
	}
}

/* Quoted lines and our own example bars are nobody's orders, even if they get this far; nor is "*} Style;", code. */
static bool is_quoted(struct span plain)
{
	size_t i = 0;

	while (i < plain.len && (plain.ptr[i] == '*' || plain.ptr[i] == ' '))
		i++;
	return plain.len && (plain.ptr[0] == '>' || plain.ptr[0] == '|' ||
	                     (i < plain.len && plain.ptr[i] == '}'));
}

static void split_words(struct order_reader *r)
{
	struct span plain = strbuf_span(&r->plain);
	size_t from = r->skipped;

	from += bullet_length(span_slice(plain, from, plain.len));
	for (size_t i = from; i <= plain.len; i++) {
		bool semicolon = i < plain.len && plain.ptr[i] == ';';

		if (i < plain.len && !semicolon && !is_blank(plain.ptr[i]))
			continue;
		add_word(r, from, i);
		if (semicolon)
			add_word(r, i, i + 1);
		from = i + 1;
	}
}

/* Compares letters; hyphens inside and the full stop behind a verb do not count. */
static bool spells(const char *verb, struct span a, struct span b)
{
	const struct span parts[2] = {a, b};

	/* Asked of every word and verb: most differ in their first letter. */
	if (a.len && ascii_lower(a.ptr[0]) >= 'a' && ascii_lower(a.ptr[0]) <= 'z' &&
	    ascii_lower(a.ptr[0]) != ascii_lower(*verb))
		return false;
	for (int p = 0; p < 2; p++) {
		for (size_t i = 0; i < parts[p].len; i++) {
			char c = ascii_lower(parts[p].ptr[i]);

			if (c == '-' || c == '.' || c == '!')
				continue;
			if (*verb == '\0' || c != ascii_lower(*verb))
				return false;
			verb++;
		}
	}
	return *verb == '\0';
}

/* How many words at `at` make a verb: 0, 1, or 2 ("pop up"). */
static size_t verb_length(const struct order_reader *r, size_t at, int *verb)
{
	struct span word = r->words[at].text;

	for (size_t i = 0; i < r->language->nverbs; i++) {
		const char *v = r->language->verbs[i];

		*verb = (int)i;
		if (spells(v, word, SPAN_EMPTY))
			return 1;
		if (at + 1 < r->count && spells(v, word, r->words[at + 1].text))
			return 2;
	}
	return 0;
}

/*
 * "Popup 3, whack 5? Not sure": who asks has not made up their mind, so no part of the line counts. A
 * single order with a question mark ("popup 3?") is left to the game, which refuses it with a reason.
 */
static bool is_question(const struct order_reader *r)
{
	struct span plain = strbuf_span(&r->plain);
	size_t mark = span_find_char(plain, '?'), verbs = 0;
	int verb;

	if (mark == plain.len)
		return false;
	for (size_t i = 0; i < r->count; i++)
		verbs += verb_length(r, i, &verb) > 0;
	return mark + 1 < plain.len || verbs > 1;
}

static bool is_argument(const struct order_language *l, struct span word)
{
	return l->rows ? l->row_argument(l->rows, word) : l->is_argument(word);
}

/* Whether a word without marks around it could be a part of an order. */
static bool could_be_ordered(const void *ctx, struct span word)
{
	const struct order_language *l = ctx;

	for (size_t i = 0; i < l->nverbs; i++)
		if (spells(l->verbs[i], word, SPAN_EMPTY))
			return true;
	return is_argument(l, word);
}

static bool means_alone(const void *ctx, struct span word)
{
	const struct order_language *l = ctx;

	return l->means_alone && l->means_alone(word);
}

static bool is_name(const void *ctx, struct span word)
{
	const struct order_language *l = ctx;
	const struct order_word one = {word, 1};
	size_t which;

	for (size_t i = 0; i < l->nkept; i++)
		if (utf8_eq_folded(span_of(l->kept[i]), word))
			return true;
	return order_name_length(l, &one, 1, &which) > 0;
}

static size_t free_words(const void *ctx, struct span word)
{
	const struct order_language *l = ctx;

	if (span_eq_nocase(word, ORDER_RESIGN_TEXT)) /* final, so nothing may stand beside it */
		return (size_t)-1;
	if (l->rows)
		return l->row_free_words(l->rows, word);
	return l->free_words ? l->free_words(word) : 0;
}

/* The line in hand, plain and without decoration. */
static void make_plain(struct order_reader *r, struct span line)
{
	const struct decoration_words words = {could_be_ordered, means_alone, is_name,
	                                       free_words, r->language};
	struct span plain;

	strbuf_clear(&r->plain);
	utf8_add_plain(&r->plain, line);
	if (is_quoted(strbuf_span(&r->plain)))
		return;
	plain = without_decoration(strbuf_span(&r->plain), &words);
	strbuf_truncate(&r->plain, (size_t)(plain.ptr + plain.len - r->plain.ptr));
	r->skipped = (size_t)(plain.ptr - r->plain.ptr);
}

static bool next_line(struct order_reader *r)
{
	struct span line;

	if (!span_next_line(&r->rest, &line))
		return false;
	r->line++;
	r->count = 0;
	r->at = 0;
	r->skipped = 0;
	make_plain(r, line);
	split_words(r);
	r->asks = is_question(r);
	return true;
}

/* The verb that was probably meant at `at`, if something follows as behind a verb. */
static const char *misspelt_at(const struct order_reader *r, size_t at)
{
	struct span word = r->words[at].text;
	bool glued = word.len && ascii_is_digit(word.ptr[word.len - 1]) &&
	             !ascii_is_digit(word.ptr[0]);

	if (is_argument(r->language, word))
		return NULL;
	if (!glued && (at + 1 >= r->count || !is_argument(r->language, r->words[at + 1].text)))
		return NULL;
	return order_suggest(r->language, word);
}

/* What may stand behind the last argument without meaning anything. */
static bool is_end_mark(const struct order_word *w)
{
	return w->text.len == 1 && strchr(";.!", w->text.ptr[0]) != NULL;
}

/* Marks at the ends of a word are not kept by add_word. */
static bool same_word(struct span name_word, struct span word)
{
	unsigned char a = (unsigned char)*name_word.ptr, b = (unsigned char)*word.ptr;

	if (a < 0x80 && b < 0x80 && ascii_lower((char)a) != ascii_lower((char)b))
		return false;
	while (name_word.len && strchr("_'", name_word.ptr[name_word.len - 1]))
		name_word.len--;
	return utf8_eq_folded(name_word, word);
}

/* How many of the words spell this name: all of its words, or 0. */
static size_t spells_name(const char *name, const struct order_word *words, size_t count)
{
	struct span rest = span_of(name);
	struct span word;
	size_t n = 0;

	while (span_next_word(&rest, "", &word)) {
		if (n == count || !same_word(word, words[n].text))
			return 0;
		n++;
	}
	return n;
}

size_t order_name_length(const struct order_language *l, const struct order_word *words,
                         size_t count, size_t *which)
{
	size_t longest = 0;

	for (size_t i = 0; i < l->nnames; i++) {
		size_t n = spells_name(l->names[i], words, count);

		if (n <= longest)
			continue;
		longest = n;
		*which = i;
	}
	return longest;
}

/* Where the clause that has its arguments from `from` on ends. */
static size_t clause_end(const struct order_reader *r, size_t from)
{
	const struct order_language *l = r->language;
	size_t end = from, which;
	int verb;

	while (end < r->count) {
		size_t name =
		    order_name_length(r->language, r->words + end, r->count - end, &which);

		if (!name && verb_length(r, end, &verb)) {
			const struct order_word *args = r->words + from;

			if (!l->rows ||
			    !l->row_takes_verb(l->rows, args, end - from, l->verbs[verb]))
				break;
		} else if (!name && misspelt_at(r, end)) {
			break;
		}
		end += name ? name : 1;
	}
	return end;
}

static void finish_clause(struct order_reader *r, size_t first, size_t args,
                          struct order_clause *c)
{
	struct span plain = strbuf_span(&r->plain);
	size_t end = clause_end(r, args);
	const struct order_word *last;

	c->alone = first == 0 && end == r->count;
	r->at = end;
	while (end > args && is_end_mark(&r->words[end - 1]))
		end--;
	c->args = r->words + args;
	c->nargs = end - args;
	if (c->nargs) { /* "5." at the end is a 5; dots anywhere else are refused */
		struct span *word = &r->words[end - 1].text;

		while (word->len > 1 && word->ptr[word->len - 1] == '!')
			word->len--;
		if (word->len > 1 && word->ptr[word->len - 1] == '.' &&
		    word->ptr[word->len - 2] != '.')
			word->len--;
	}
	last = &r->words[end > first ? end - 1 : first];
	c->text = span_slice(plain, (size_t)(c->head.text.ptr - plain.ptr),
	                     (size_t)(last->text.ptr + last->text.len - plain.ptr));
}

static void take_clause(struct order_reader *r, struct order_clause *c)
{
	bool nothing = r->asks || is_quoted(strbuf_span(&r->plain));
	size_t first = r->at;
	size_t length;

	memset(c, 0, sizeof *c);
	c->line = r->line;
	length = nothing ? 0 : verb_length(r, first, &c->verb);
	c->head = r->words[first];
	if (length) {
		finish_clause(r, first, first + length, c);
		return;
	}
	c->meant = nothing ? NULL : misspelt_at(r, first);
	if (!c->meant) {
		c->verb = ORDER_PROSE;
		c->head.text = strbuf_span(&r->plain);
		c->head.column = 1;
		c->text = c->head.text;
		c->alone = true;
		r->at = r->count;
		return;
	}
	c->verb = ORDER_MISSPELT;
	finish_clause(r, first, first + 1, c);
}

bool order_next_clause(struct order_reader *r, struct order_clause *c)
{
	while (r->at >= r->count)
		if (!next_line(r))
			return false;
	take_clause(r, c);
	return true;
}

void order_take_line(struct order_reader *r, struct order_clause *c)
{
	struct span plain = strbuf_span(&r->plain);
	size_t from = (size_t)(c->head.text.ptr - plain.ptr);

	c->nargs = (size_t)(r->words + r->count - c->args);
	while (c->nargs && span_eq_str(c->args[c->nargs - 1].text, ";"))
		c->nargs--;
	while (plain.len && strchr("; ", plain.ptr[plain.len - 1]))
		plain.len--;
	c->text = span_slice(plain, from, plain.len);
	c->alone = c->head.text.ptr == r->words[0].text.ptr;
	r->at = r->count;
}

unsigned order_bystander(const struct order_language *l, struct span text, unsigned first,
                         unsigned last,
                         bool (*belongs)(const void *ctx, unsigned number, struct span line),
                         const void *ctx, struct strbuf *quoted)
{
	struct order_reader reader;
	struct order_clause c;
	unsigned found = 0;

	order_reader_start(&reader, l, text);
	while (found == 0 && order_next_clause(&reader, &c)) {
		if (c.verb != ORDER_PROSE || c.line + 1 < first || c.line > last + 1 ||
		    is_quoted(c.text) || !belongs(ctx, c.line, c.text))
			continue;
		found = c.line;
		strbuf_add_span(quoted, c.text);
	}
	order_reader_release(&reader);
	return found;
}

bool order_next_canonical(struct span *rest, struct span *clause)
{
	size_t end;

	if (!rest->len)
		return false;
	end = span_find(*rest, SPAN_LIT("; "));
	*clause = span_slice(*rest, 0, end);
	*rest = span_slice(*rest, end + 2, rest->len);
	return true;
}

const char *order_suggest(const struct order_language *l, struct span word)
{
	const char *best = NULL;
	unsigned best_distance = 3;

	while (word.len > 1 && ascii_is_digit(word.ptr[word.len - 1]))
		word.len--;
	/* "please" is no PLACE. */
	if (word.len < 3 || is_courtesy(word))
		return NULL;
	for (size_t i = 0; i < l->nverbs; i++) {
		struct span verb = span_of(l->verbs[i]);
		/* Of three letters two wrong ones are no resemblance: "for" is not FAVOR. */
		unsigned allowed = verb.len > 4 && word.len > 3 ? 2 : 1;
		unsigned d = typing_errors(word, verb, allowed);

		if (d <= allowed && d < best_distance) {
			best = l->verbs[i];
			best_distance = d;
		}
	}
	return best;
}

struct span order_quote(struct span text)
{
	enum { QUOTED_COLS = 60 };
	size_t end = text.len < ORDER_QUOTE_BYTES ? text.len : ORDER_QUOTE_BYTES;

	while (end > 0 && end < text.len && ((unsigned char)text.ptr[end] & 0xc0) == 0x80)
		end--;
	return utf8_clip(span_slice(text, 0, end), QUOTED_COLS);
}

void order_ignore(const struct order_clause *c, struct diags *diags)
{
	diags_add(diags, DIAG_IGNORED, c->line, 0, order_quote(c->text), "",
	          "This line was not read as an order.");
}

void order_tell_misspelt(const struct order_clause *c, const char *example, struct diags *diags)
{
	diags_add(diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text), example,
	          "There is no order \"%.*s\"; did you mean %s?",
	          SPAN_ARGS(order_quote(c->head.text)), c->meant);
}

bool order_resigns(const struct order_clause *c, struct diags *diags)
{
	if (c->alone && c->nargs == 0)
		return true;
	diags_add(diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text), "RESIGN",
	          "RESIGN counts only when it stands alone on its line.");
	return false;
}
