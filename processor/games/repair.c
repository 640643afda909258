/*
 * repair.c - the reader's own orders, mended.
 */
#include "processor/games/repair.h"

#include <string.h>

#include "processor/base/utf8.h"
#include "processor/games/order_text.h"

/* Reading again costs time: of a long mail the game's own examples stay. */
enum { TEXT_MOST = 4096, WORDS_MOST = 10, ERRORS_MOST = 3, VERB_BYTES = 16 };

/* The order that an error is about: from `from` to `to` of the text, up to a semicolon or line end. */
struct faulty {
	struct strbuf text; /* all of the mail, made plain */
	size_t from, to;
	struct span words[WORDS_MOST];
	size_t nwords, head;   /* words[head] is the verb, well or badly spelt */
	char verb[VERB_BYTES]; /* as it should be */
	bool is_bare;          /* the verb may stand without any word */
};

/* The word that the game's example begins with. */
static bool find_verb(struct faulty *f, const char *example)
{
	struct span rest = span_of(example), word;

	if (!span_next_word(&rest, "", &word) || word.len >= VERB_BYTES)
		return false;
	memcpy(f->verb, word.ptr, word.len);
	f->verb[word.len] = '\0';
	f->is_bare = span_trim(rest).len == 0;
	return true;
}

static bool find_line(struct faulty *f, unsigned n)
{
	struct span rest = strbuf_span(&f->text), line = SPAN_EMPTY;

	for (unsigned i = 0; i < n; i++)
		if (!span_next_line(&rest, &line))
			return false;
	f->from = n == 0 ? 0 : (size_t)(line.ptr - f->text.ptr);
	f->to = f->from + line.len;
	return n > 0;
}

/* From the line to the piece between semicolons in which `quoted` stands; where that begins. */
static size_t narrow_to(struct faulty *f, struct span quoted)
{
	struct span line = span_slice(strbuf_span(&f->text), f->from, f->to);
	size_t at = span_find(line, quoted), begin = 0, end;

	if (quoted.len == 0 || at == line.len)
		at = 0;
	for (size_t i = 0; i < at; i++)
		if (line.ptr[i] == ';')
			begin = i + 1;
	end = at + span_find_char(span_slice(line, at, line.len), ';');
	f->to = f->from + end;
	f->from += begin;
	return f->from + at - begin;
}

static bool resembles(const struct faulty *f, struct span word)
{
	const char *const verbs[] = {f->verb};
	const struct order_language language = {.verbs = verbs, .nverbs = 1};

	return order_suggest(&language, word) != NULL;
}

/* The last right verb up to the fault; else what stands at the fault, if it is that verb badly spelt. */
static bool find_head(struct faulty *f, size_t fault)
{
	struct span rest = span_slice(strbuf_span(&f->text), f->from, f->to), word;
	size_t at_fault = WORDS_MOST;

	f->head = WORDS_MOST;
	for (f->nwords = 0; f->nwords < WORDS_MOST && span_next_word(&rest, ",", &word);) {
		size_t at = (size_t)(word.ptr - f->text.ptr);

		if (at <= fault && span_eq_nocase(word, f->verb))
			f->head = f->nwords;
		if (at >= fault && at_fault == WORDS_MOST)
			at_fault = f->nwords;
		f->words[f->nwords++] = word;
	}
	if (f->head == WORDS_MOST && at_fault < f->nwords && resembles(f, f->words[at_fault]))
		f->head = at_fault;
	return f->head < f->nwords && !span_next_word(&rest, ",", &word);
}

static bool is_taken(const struct order_attempt *a, struct span text, struct strbuf *canonical)
{
	struct diags diags = DIAGS_INIT;

	strbuf_clear(canonical);
	bool taken = a->rules->read_orders(a->state, a->seat, a->before, a->tables, text,
	                                   canonical, &diags) &&
	             !diags_has_errors(&diags);
	diags_release(&diags);
	return taken;
}

/* The verb with the first `n` words behind it, but not with word `left_out`. */
static void write_order(const struct faulty *f, size_t n, size_t left_out, struct strbuf *out)
{
	strbuf_clear(out);
	strbuf_adds(out, f->verb);
	for (size_t i = f->head + 1; i <= f->head + n; i++)
		if (i != left_out)
			strbuf_addf(out, " %.*s", SPAN_ARGS(f->words[i]));
}

/* The mail with `order` from the verb on; empty: without it. What stands before the verb stays. */
static void write_whole(const struct faulty *f, struct span order, struct strbuf *out)
{
	size_t begin = order.len ? (size_t)(f->words[f->head].ptr - f->text.ptr) : f->from;
	struct span all = strbuf_span(&f->text);

	strbuf_clear(out);
	strbuf_addf(out, "%.*s%.*s%.*s", SPAN_ARGS(span_slice(all, 0, begin)), SPAN_ARGS(order),
	            SPAN_ARGS(span_slice(all, f->to, all.len)));
}

static bool is_alone(const struct faulty *f)
{
	struct span all = strbuf_span(&f->text);

	return f->head == 0 && span_trim(span_slice(all, 0, f->from)).len == 0 &&
	       span_trim(span_slice(all, f->to, all.len)).len == 0;
}

/* Of the orders taken those of the verb; of one that does nothing the reader learns nothing. */
static bool add_orders_of_verb(const struct faulty *f, struct span canonical,
                               struct strbuf *example)
{
	struct span clause;

	while (order_next_canonical(&canonical, &clause)) {
		struct span rest = clause, word, last = SPAN_EMPTY;

		if (!span_next_word(&rest, "", &word) || !span_eq_nocase(word, f->verb))
			continue;
		while (span_next_word(&rest, "", &word))
			last = word;
		if (span_eq_nocase(last, "NONE"))
			return false;
		strbuf_addf(example, "%s%.*s", example->len ? "; " : "", SPAN_ARGS(clause));
	}
	return example->len > 0;
}

/* The order itself where it stands alone; else all orders of the mail with it. */
static bool try_order(const struct order_attempt *a, const struct faulty *f,
                      const struct strbuf *order, struct strbuf *example)
{
	struct strbuf whole = STRBUF_INIT, canonical = STRBUF_INIT;

	write_whole(f, strbuf_span(order), &whole);
	bool taken = is_taken(a, strbuf_span(&whole), &canonical);
	if (taken && is_alone(f))
		taken = add_orders_of_verb(f, strbuf_span(&canonical), example);
	else if (taken)
		strbuf_add_span(example, strbuf_span(&canonical));
	strbuf_release(&whole);
	strbuf_release(&canonical);
	return taken;
}

/*
 * As it was written, then without one word, then with its first words only. Never the verb alone where
 * words belong to it: a bare CROWN is another order.
 */
static bool try_words(const struct order_attempt *a, const struct faulty *f,
                      struct strbuf *example)
{
	struct strbuf order = STRBUF_INIT;
	size_t nargs = f->nwords - f->head - 1;
	bool taken = false;

	for (size_t i = nargs + 1; i > 0 && !taken; i--) {
		if (i <= nargs && nargs == 1 && !f->is_bare)
			break;
		write_order(f, nargs, f->head + i, &order);
		taken = try_order(a, f, &order, example);
	}
	for (size_t n = nargs; n-- > 1 && !taken;) {
		write_order(f, n, 0, &order);
		taken = try_order(a, f, &order, example);
	}
	strbuf_release(&order);
	return taken;
}

/* Where a mail is taken as a whole, what is left of it may be a turn; one order alone is none to show. */
static void try_without(const struct order_attempt *a, const struct faulty *f,
                        struct strbuf *example)
{
	struct strbuf whole = STRBUF_INIT, canonical = STRBUF_INIT, usual = STRBUF_INIT;

	write_whole(f, SPAN_EMPTY, &whole);
	a->rules->default_orders(a->state, a->seat, &usual);
	if (!a->ok && is_taken(a, strbuf_span(&whole), &canonical) &&
	    span_find_char(strbuf_span(&canonical), ';') < canonical.len &&
	    !span_eq(strbuf_span(&canonical), strbuf_span(&usual)))
		strbuf_add_span(example, strbuf_span(&canonical));
	strbuf_release(&whole);
	strbuf_release(&canonical);
	strbuf_release(&usual);
}

static bool has_word(struct span text, struct span wanted)
{
	struct span word;

	while (span_next_word(&text, ",;-\n", &word))
		if (utf8_eq_folded(word, wanted))
			return true;
	return false;
}

/* Whether the game itself has made a longer example of the reader's words, the verb apart. */
static bool is_own_already(const struct faulty *f, const char *example)
{
	struct span rest = span_of(example), word;
	size_t n = 0;

	while (span_next_word(&rest, ",;", &word))
		if (n++ > 0 && !has_word(strbuf_span(&f->text), word))
			return false;
	return n > 2;
}

static void repair(const struct order_attempt *a, const struct diag *d, struct strbuf *example)
{
	struct faulty f = {.text = STRBUF_INIT};

	struct span text = a->text;
	struct span line;

	while (span_next_line(&text, &line)) {
		utf8_add_plain(&f.text, line);
		strbuf_addc(&f.text, '\n');
	}
	if (!is_own_already(&f, d->example) && find_line(&f, d->line)) {
		size_t fault = narrow_to(&f, span_of(d->quoted));

		if (!find_verb(&f, d->example) || !find_head(&f, fault) ||
		    !try_words(a, &f, example))
			try_without(a, &f, example);
	}
	strbuf_release(&f.text);
}

void orders_repair_examples(const struct order_attempt *a, struct diags *diags)
{
	struct strbuf example = STRBUF_INIT;
	unsigned errors = 0;

	if (a->text.len > TEXT_MOST)
		return;
	for (size_t i = 0; i < diags->count && errors < ERRORS_MOST; i++) {
		if (diags->items[i].level != DIAG_ERROR || diags->items[i].line == 0)
			continue;
		errors++;
		strbuf_clear(&example);
		repair(a, &diags->items[i], &example);
		if (example.len > 0)
			diag_set_example(&diags->items[i], example.ptr);
	}
	strbuf_release(&example);
}
