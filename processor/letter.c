/*
 * letter.c - the lines of a mail, one after another, into commands and orders.
 *
 * Which lines are read at all: everything but lines quoted with '>' or '|', up to a signature, an
 * END or our own marker. Nothing is ever cut at "... wrote:", since people answer below quotes; prose is
 * simply not understood. What is neither a command nor nearly one is kept for the game.
 */
#include "processor/letter.h"

#include "processor/base/utf8.h"
#include "processor/letter_table.h"

#include "processor/base/banned.h"

const char letter_marker[] = "#####";

enum {
	MOST_LINES = 2000,    /* of text; more is not read */
	MOST_ITEMS = 50,      /* commands and sets of orders in one mail */
	MOST_PROSE = 5        /* lines of talk in a row: no command is looked for below them */
};

/* The lines collected for one set of orders. */
struct order_lines {
	size_t item;      /* index into letter.items; SIZE_MAX = no set is open */
	struct strbuf text;
	unsigned written; /* line ends so far */
};

struct reader {
	struct letter *out;
	struct arena *arena;
	struct order_lines set;
	struct strbuf plain;
	unsigned line;
	unsigned prose;   /* lines of talk in a row */
};

static void close_set(struct reader *r)
{
	if (r->set.item != SIZE_MAX)
		r->out->items[r->set.item].orders = arena_dup(r->arena, strbuf_span(&r->set.text));
	r->set.item = SIZE_MAX;
	strbuf_clear(&r->set.text);
	r->set.written = 0;
}

/* NULL when the mail holds too many already. */
static struct letter_item *add_item(struct reader *r, const struct letter_item *item,
                                    struct span echo)
{
	if (r->out->nitems == MOST_ITEMS) {
		if (r->set.item != SIZE_MAX || r->out->diags.count == 0)
			diags_add(&r->out->diags, DIAG_ERROR, r->line, 0, echo, "",
			          "Only the first %d commands of a mail are carried out.", MOST_ITEMS);
		return NULL;
	}
	struct letter_item *new = &r->out->items[r->out->nitems++];
	*new = *item;
	new->line = r->line;
	new->text = echo;
	return new;
}

/* Puts the line where it stands in the mail, so that diagnostics name the right one. */
static void add_order_line(struct reader *r, struct span line)
{
	if (r->set.item == SIZE_MAX) {
		if (!add_item(r, &(struct letter_item){ .verb = CMD_ORDERS }, line))
			return;
		r->set.item = r->out->nitems - 1;
	}
	for (; r->set.written + 1 < r->line; r->set.written++)
		strbuf_addc(&r->set.text, '\n');
	strbuf_add_span(&r->set.text, line);
	strbuf_addc(&r->set.text, '\n');
	r->set.written++;
}

static bool is_wrapped(struct span s, char c)
{
	return s.len > 2 && s.ptr[0] == c && s.ptr[s.len - 1] == c;
}

static size_t bullet_len(struct span s)
{
	size_t i = 0;

	if (span_starts(s, "\xe2\x80\xa2")) /* U+2022 */
		return 3;
	if (s.len > 1 && (s.ptr[0] == '*' || s.ptr[0] == '-') && s.ptr[1] == ' ')
		return 1;
	while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
		i++;
	return i > 0 && i < 3 && i + 1 < s.len && (s.ptr[i] == '.' || s.ptr[i] == ')') &&
	               s.ptr[i + 1] == ' '
	           ? i + 1
	           : 0;
}

/* Without the bullet, the stars of bold type and the full stop that mail programs and people add. */
static struct span undressed(struct span s)
{
	s = span_trim(span_slice(s, bullet_len(s), s.len));
	if (is_wrapped(s, '*') || is_wrapped(s, '_'))
		s = span_trim(span_slice(s, 1, s.len - 1));
	if (s.len > 1 && s.ptr[s.len - 1] == '.' && s.ptr[s.len - 2] != '.')
		s = span_slice(s, 0, s.len - 1);
	return s;
}

static enum letter_fit fit(struct reader *r, struct span line, struct letter_item *item,
                           const struct letter_row **row, const char **why)
{
	enum letter_fit f = letter_fit_line(line, r->arena, item, row, why);
	struct span bare = undressed(line);

	if (f != FIT_NO || bare.len == line.len)
		return f;
	const struct letter_row *bare_row;
	const char *bare_why;
	f = letter_fit_line(bare, r->arena, item, &bare_row, &bare_why);
	if (f != FIT_NO || !*row) {
		*row = bare_row;
		*why = bare_why;
	}
	return f;
}

static void take_command(struct reader *r, const struct letter_row *row,
                         const struct letter_item *item, struct span echo)
{
	struct span on_line = item->orders;

	if (row->flags & (ROW_TAKES_LINES | ROW_ENDS_ORDERS))
		close_set(r);
	struct letter_item *added = add_item(r, item, echo);
	if (!added || !(row->flags & ROW_TAKES_LINES))
		return;
	added->orders = SPAN_EMPTY;
	r->set.item = r->out->nitems - 1;
	if (on_line.len > 0)
		add_order_line(r, on_line);
}

/* A line that is read: a command, nearly one, or something for the game. */
static void read_line(struct reader *r, struct span line)
{
	struct letter_item item;
	const struct letter_row *row = NULL;
	const char *why = NULL;
	size_t before = r->out->diags.count;
	enum letter_fit f = FIT_NO;

	if (r->prose < MOST_PROSE)
		f = fit(r, line, &item, &row, &why);
	if (f == FIT_YES) {
		r->prose = 0;
		take_command(r, row, &item, line);
		return;
	}
	if (f == FIT_REFUSED)
		letter_refuse(row, why, r->line, line, &r->out->diags);
	else if (r->prose < MOST_PROSE)
		letter_explain(line, row, why, r->line, line, r->arena, &r->out->diags);
	r->prose = letter_is_prose(line) ? r->prose + 1 : 0;
	if (r->out->diags.count == before)
		add_order_line(r, line);
}

static bool is_signature(struct span line)
{
	return span_eq_str(line, "-- ") || span_eq_str(line, "-- \r");
}

static bool is_end_word(struct span plain)
{
	return span_eq_nocase(plain, "SIGNOFF") || span_eq_nocase(plain, "SIGN OFF") ||
	       span_eq_nocase(plain, "END");
}

static void keep_line(struct letter_line *lines, size_t *n, unsigned line, struct span text)
{
	lines[(*n)++] = (struct letter_line){ line, text };
}

/* False when the reading ends with this line. */
static bool next_line(struct reader *r, struct span raw)
{
	if (is_signature(raw)) {
		r->out->stopped_at_signature = true;
		return false;
	}
	strbuf_clear(&r->plain);
	utf8_add_plain(&r->plain, raw);
	if (r->plain.len == 0)
		return true;
	struct span plain = arena_dup(r->arena, strbuf_span(&r->plain));
	if (plain.ptr[0] == '>')
		return true;
	if (plain.ptr[0] == '|') {
		keep_line(r->out->barred, &r->out->nbarred, r->line, plain);
		return true;
	}
	if (span_starts(plain, letter_marker)) {
		r->out->stopped_at_marker = true;
		return false;
	}
	keep_line(r->out->lines, &r->out->nlines, r->line, plain);
	if (is_end_word(plain))
		return false;
	read_line(r, plain);
	return true;
}

static bool has_command(const struct letter *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i].verb != CMD_ORDERS)
			return true;
	return false;
}

/* "Re: AW: [W17] status" -> "status" */
static struct span bare_subject(struct span s)
{
	static const char *const prefixes[] = { "re:", "aw:", "fwd:", "fw:", "wg:", "antw:", "sv:" };
	bool more = true;

	while (more) {
		more = false;
		s = span_trim(s);
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]) && !more; i++) {
			more = span_starts_nocase(s, prefixes[i]);
			if (more)
				s = span_slice(s, span_find_char(s, ':') + 1, s.len);
		}
		size_t end = span_find_char(s, ']');
		if (!more && s.len > 0 && s.ptr[0] == '[' && end < s.len) {
			s = span_slice(s, end + 1, s.len);
			more = true;
		}
	}
	return s;
}

/* The subject's command comes first; one that takes lines takes those of the body. */
static void read_subject(struct reader *r, struct span subject)
{
	struct letter_item item;
	const struct letter_row *row;
	const char *why;
	struct letter *l = r->out;

	strbuf_clear(&r->plain);
	utf8_add_plain(&r->plain, subject);
	struct span plain = bare_subject(arena_dup(r->arena, strbuf_span(&r->plain)));
	r->line = 0;
	if (plain.len == 0 || fit(r, plain, &item, &row, &why) != FIT_YES)
		return;
	item.text = plain;
	if ((row->flags & ROW_TAKES_LINES) && l->nitems > 0) {
		l->items[0].verb = item.verb;
		return;
	}
	if (l->nitems == MOST_ITEMS)
		return;
	for (size_t i = l->nitems++; i > 0; i--)
		l->items[i] = l->items[i - 1];
	l->items[0] = item;
}

void letter_read(struct span text, struct span subject, struct arena *arena, struct letter *out)
{
	struct reader r = { .out = out, .arena = arena, .set = { .item = SIZE_MAX, .text = STRBUF_INIT },
		            .plain = STRBUF_INIT };
	struct span line;
	size_t nlines = 1;

	for (size_t i = 0; i < text.len; i++)
		nlines += text.ptr[i] == '\n';
	nlines = nlines < MOST_LINES ? nlines : MOST_LINES;
	*out = (struct letter){ 0 };
	out->items = arena_calloc(arena, MOST_ITEMS, sizeof(*out->items));
	out->lines = arena_calloc(arena, nlines, sizeof(*out->lines));
	out->barred = arena_calloc(arena, nlines, sizeof(*out->barred));
	for (bool go = true; go && r.line < nlines && span_next_line(&text, &line);) {
		r.line++;
		go = next_line(&r, line);
	}
	close_set(&r);
	if (!has_command(out))
		read_subject(&r, subject);
	strbuf_release(&r.set.text);
	strbuf_release(&r.plain);
}

void letter_release(struct letter *l)
{
	diags_release(&l->diags);
}
