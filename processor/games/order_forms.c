/*
 * order_forms.c - orders of a whole turn read, written and refused by the rows that declare them.
 */
#include "processor/games/order_forms.h"

#include <string.h>

#include "processor/base/err.h"
#include "processor/base/utf8.h"

/* --- one order --------------------------------------------------------------- */

size_t order_fillers(const struct order_forms *f, const struct order_word *words, size_t n)
{
	size_t at = 0;

	while (at < n && span_in_nocase(words[at].text, f->fillers, f->nfillers))
		at++;
	return at;
}

/* The words of an order while they are taken. */
struct taking {
	const struct order_forms *f;
	struct order_place at;
	const char *why; /* the last slot could not be taken */
};

static bool is_capitals(struct span part)
{
	return part.ptr[0] >= 'A' && part.ptr[0] <= 'Z';
}

/* "[RANGE range] ..." -> "RANGE range"; false where the form does not go on with brackets. */
static bool next_group(struct span *form, struct span *group)
{
	struct span rest = span_trim(*form);
	size_t end = span_find_char(rest, ']');

	if (rest.len == 0 || rest.ptr[0] != '[')
		return false;
	*group = span_slice(rest, 1, end);
	*form = span_slice(rest, end + 1, rest.len);
	return true;
}

static const struct order_slot *find_slot(const struct order_forms *f, struct span name)
{
	for (size_t i = 0; i < f->nslots; i++)
		if (span_eq_str(name, f->slots[i].name))
			return &f->slots[i];
	BUG("no slot %.*s", SPAN_ARGS(name));
}

static void skip(struct order_place *at, size_t words)
{
	at->words += words;
	at->n -= words;
}

/* Fillers go before a slot, unless it takes them itself: a player may be called "Mole". */
static bool take_slot(struct taking *t, const struct order_slot *slot)
{
	size_t fillers = order_fillers(t->f, t->at.words, t->at.n);
	struct order_place at = t->at;
	int used;

	at.which = slot->which;
	while ((used = slot->take(&at)) < 0 && fillers-- > 0)
		skip(&at, 1);
	t->why = slot->takes;
	if (used < 0)
		return false;
	if (used > 0)
		t->at = at;
	skip(&t->at, (size_t)used);
	t->why = slot->not_now ? slot->not_now(&at) : NULL;
	return t->why == NULL;
}

static bool take_word(struct taking *t, struct span part)
{
	size_t fillers = order_fillers(t->f, t->at.words, t->at.n), at = 0;

	while (at <= fillers && at < t->at.n && !utf8_eq_folded(part, t->at.words[at].text))
		at++;
	if (at > fillers || at == t->at.n)
		return false;
	skip(&t->at, at + 1);
	return true;
}

/* All parts; `whole`: the words in capitals may not be left out. */
static bool take_parts(struct taking *t, struct span form, bool whole)
{
	struct span part;

	for (;;) {
		if (next_group(&form, &part)) {
			struct taking before = *t;

			if (!take_parts(t, part, true))
				*t = before;
		} else if (!span_next_word(&form, "", &part)) {
			return true;
		} else if (is_capitals(part) ? !take_word(t, part) && whole
		                             : !take_slot(t, find_slot(t->f, part))) {
			return false;
		}
	}
}

const char *order_form_take(const struct order_forms *f, size_t row, const void *game,
                            void *order, const struct order_word *words, size_t n)
{
	const struct order_form *form = &f->rows[row];
	struct taking t = {.f = f,
	                   .at = {.game = game, .order = order, .words = words, .n = n}};

	if (!take_parts(&t, span_of(form->form), false))
		return t.why ? t.why : form->takes;
	return order_fillers(f, t.at.words, t.at.n) == t.at.n ? NULL : form->takes;
}

/* A group is nothing without its slot. */
static void write_parts(const struct order_forms *f, struct span form, bool group,
                        struct order_place *at)
{
	size_t begin = at->out->len, before;
	struct span part;

	for (;;) {
		if (next_group(&form, &part)) {
			write_parts(f, part, true, at);
			continue;
		}
		if (!span_next_word(&form, "", &part))
			return;
		strbuf_addc(at->out, ' ');
		before = at->out->len;
		if (is_capitals(part)) {
			strbuf_add_span(at->out, part);
			continue;
		}
		const struct order_slot *slot = find_slot(f, part);
		at->which = slot->which;
		if (slot->write)
			slot->write(at);
		if (at->out->len == before)
			strbuf_truncate(at->out, group ? begin : before - 1);
	}
}

const char *order_form_word(const struct order_forms *f, size_t row)
{
	return f->rows[row].written ? f->rows[row].written : f->words[row];
}

void order_form_write(const struct order_forms *f, size_t row, const void *game,
                      const void *order, struct strbuf *out)
{
	strbuf_adds(out, order_form_word(f, row));
	write_parts(f, span_of(f->rows[row].form), false,
	            &(struct order_place){.game = game, .order = (void *)order, .out = out});
}

bool order_form_next(const struct order_forms *f, struct span *canonical, size_t *row,
                     struct order_word words[ORDER_FORM_WORDS], size_t *n)
{
	struct span order, rest;
	bool found = false;

	if (!order_next_canonical(canonical, &order))
		return false;
	for (*row = 0; *row < f->count && !found; *row += !found) {
		struct span word = span_of(order_form_word(f, *row));

		rest = span_slice(order, word.len, order.len);
		found = span_starts(order, word.ptr) && (rest.len == 0 || rest.ptr[0] == ' ');
	}
	for (*n = 0; found && span_next_word(&rest, "", &words[*n].text);)
		if (++*n == ORDER_FORM_WORDS)
			break;
	if (found && rest.len)
		*row = f->count;
	return true;
}

void order_forms_tell(const struct order_forms *f, size_t first, size_t count, struct doc *out)
{
	for (size_t i = first; i < first + count; i++)
		for (size_t k = 0; k < 6 && f->rows[i].guide[k / 2][k % 2]; k++)
			doc_cell(out, "%s", f->rows[i].guide[k / 2][k % 2]);
}

/* --- a mail ------------------------------------------------------------------- */

const char *order_mail_example(struct order_mail *m)
{
	if (m->shown.len == 0)
		m->example(m->game, &m->shown);
	return m->shown.ptr;
}

/* Of an order of this word, or of any (NULL). */
static const char *example_of(struct order_mail *m, const char *word)
{
	for (size_t i = 0; word && i < m->forms->count; i++)
		if (strcmp(word, m->forms->words[i]) == 0 && m->forms->rows[i].example)
			return m->forms->rows[i].example;
	return order_mail_example(m);
}

bool order_mail_refuse(struct order_mail *m, const struct order_clause *c, const char *why)
{
	bool order = c && c->verb >= 0;

	m->wrong = true;
	if (m->owes)
		diags_add(m->diags, DIAG_ERROR, c ? c->line : 0, c ? c->head.column : 0,
		          c ? order_quote(c->text) : SPAN_EMPTY,
		          example_of(m, order ? m->language->verbs[c->verb] : NULL), "%s", why);
	return false;
}

void order_mail_misspelt(struct order_mail *m, const struct order_clause *c)
{
	m->wrong = true;
	if (m->owes)
		order_tell_misspelt(c, example_of(m, c->meant), m->diags);
}

void order_mail_resign(struct order_mail *m, const struct order_clause *c)
{
	if (order_resigns(c, m->diags))
		m->resigned = c->line;
	else
		m->wrong = true;
}

bool order_mail_resigns(const struct order_mail *m, const char *whole)
{
	if (m->resigned && (m->said || m->wrong))
		diags_add(m->diags, DIAG_WARNING, m->resigned, 0, SPAN_EMPTY, "",
		          "RESIGN takes you out of the %s, so your other orders do not count.",
		          whole);
	return m->resigned > 0;
}

void order_mail_bystander(struct order_mail *m, struct span text,
                          bool (*belongs)(const void *ctx, unsigned number, struct span line))
{
	struct strbuf quoted = STRBUF_INIT;
	struct order_clause c = {.verb = ORDER_PROSE};

	if (m->said && !m->wrong && m->owes)
		c.line = order_bystander(m->language, text, m->first, m->last, belongs, m->game,
		                         &quoted);
	c.text = strbuf_span(&quoted);
	if (c.line > 0)
		order_mail_refuse(
		    m, &c,
		    "This line was not understood and may belong to your turn, so nothing "
		    "was played.");
	strbuf_release(&quoted);
}
