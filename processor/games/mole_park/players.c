/*
 * players.c - players named in orders, and the King's style.
 *
 * A name may have several words and end in marks that readers of orders drop, so words are
 * compared without such marks, the longest name that fits wins, and a name that would not be
 * read back as that player is written as "SEAT 2".
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/order_text.h"

static struct span bare(struct span word)
{
	while (word.len && strchr("_'", word.ptr[0]))
		word = span_slice(word, 1, word.len);
	while (word.len && strchr("_'.!", word.ptr[word.len - 1]))
		word.len--;
	return word;
}

/* The next word of a name that is more than marks. */
static bool next_bare_word(struct span *rest, struct span *word)
{
	while (span_next_word(rest, "", word)) {
		*word = bare(*word);
		if (word->len)
			return true;
	}
	return false;
}

/* Most words are the same bytes, or differ in their first letter. */
static bool same_word(struct span a, struct span b)
{
	/* Where an accent follows as a character of its own, the letter is not what it seems. */
	bool ascii = a.len > 1 && b.len > 1 &&
	             ((a.ptr[0] | a.ptr[1] | b.ptr[0] | b.ptr[1]) & 0x80) == 0;

	if (span_eq(a, b))
		return true;
	if (ascii && ascii_lower(a.ptr[0]) != ascii_lower(b.ptr[0]))
		return false;
	return utf8_eq_folded(a, b);
}

/* How many of the words spell this name; 0 = they do not. */
static size_t words_of_name(struct span name, const struct order_word *words, size_t n)
{
	struct span word;
	size_t at = 0;

	while (next_bare_word(&name, &word)) {
		while (at < n && !bare(words[at].text).len)
			at++;
		if (at == n || !same_word(word, bare(words[at].text)))
			return 0;
		at++;
	}
	return at;
}

size_t park_read_player(const struct game_state *s, const struct order_word *words, size_t n,
                        unsigned *seat)
{
	size_t longest = 0;

	if (n > 1 && span_eq_nocase(words[0].text, "SEAT") &&
	    num_parse_word(words[1].text, 1, s->nseats, seat))
		return 2;
	for (unsigned i = 1; i <= s->nseats; i++) {
		size_t used = words_of_name(span_of(s->seats[i].name.text), words, n);

		if (used > longest) {
			longest = used;
			*seat = i;
		}
	}
	return longest;
}

/* The words of a list that is cut short by nothing in it; false when something does. */
static bool read_list(const struct game_state *s, const struct order_clause *c,
                      struct order_value *found)
{
	size_t at = 0;

	found->count = 0;
	while (at + 1 < c->nargs && found->count < PARK_SEATS) {
		unsigned seat = 0;
		size_t used = park_read_player(s, c->args + at, c->nargs - 1 - at, &seat);

		if (!used)
			return false;
		found->items[found->count++] = (unsigned char)seat;
		at += used;
	}
	return at + 1 == c->nargs;
}

void park_write_players(const struct game_state *s, const struct order_value *p,
                        struct strbuf *out)
{
	struct strbuf names = STRBUF_INIT;

	for (unsigned i = 0; i < p->count; i++) {
		strbuf_adds(&names, i ? " " : "");
		strbuf_adds(&names, s->seats[p->items[i]].name.text);
	}

	/*
	 * Whether the names, written one after another, are read as these seats: also when more
	 * follows, before which a name may look like a verb.
	 */
	struct strbuf line = STRBUF_INIT;
	struct order_value found;
	struct order_reader reader;
	struct order_clause c;
	struct order_table t = park_table(s, 0, false);
	const char *verbs[ORDER_VERBS_MOST];
	bool ok;

	t.nnames = 0;
	const struct order_language language = order_rows_language(&t, verbs);

	strbuf_adds(&line, "FAVOUR ");
	strbuf_add_span(&line, strbuf_span(&names));
	strbuf_adds(&line, " NONE");
	order_reader_start(&reader, &language, strbuf_span(&line));
	ok = order_next_clause(&reader, &c) && c.alone && read_list(s, &c, &found) &&
	     found.count == p->count && memcmp(found.items, p->items, p->count) == 0;
	order_reader_release(&reader);
	strbuf_release(&line);
	if (!ok) {
		strbuf_clear(&names);
		for (unsigned i = 0; i < p->count; i++)
			strbuf_addf(&names, "%sSEAT %u", i ? " " : "", p->items[i]);
	}
	strbuf_add_span(out, strbuf_span(&names));
	strbuf_release(&names);
}

static bool style_characters_ok(struct span style)
{
	struct span rest = style;
	uint32_t cp;

	while (utf8_next(&rest, &cp))
		if (cp < 0xa0 && !(cp >= '0' && cp <= '9') && !(cp >= 'A' && cp <= 'Z') &&
		    !(cp >= 'a' && cp <= 'z') &&
		    (cp == 0 || cp > 127 || !strchr("-'._ ", (int)cp)))
			return false;
	return style.len && !strchr("-'._ ", style.ptr[0]);
}

static bool is_verb(struct span word)
{
	for (size_t i = 0; i < PARK_KINDS; i++)
		if (span_eq_nocase(word, park_rows[i].word) ||
		    (park_rows[i].other && span_eq_nocase(word, park_rows[i].other)))
			return true;
	return span_eq_nocase(word, ORDER_RESIGN_TEXT);
}

bool park_style_ok(struct span style)
{
	struct strbuf plain = STRBUF_INIT;
	struct strbuf composed = STRBUF_INIT;
	struct span rest = style;
	struct span word;
	bool ok;

	if (style.len > PARK_STYLE_BYTES || !utf8_valid(style) || utf8_width(style) == 0 ||
	    utf8_width(style) > PARK_STYLE_COLS || !style_characters_ok(style))
		return false;
	utf8_add_plain(&plain, style);
	utf8_add_nfc(&composed, style);
	ok = span_eq(strbuf_span(&plain), style) && span_eq(strbuf_span(&composed), style);
	while (ok && span_next_word(&rest, "", &word))
		ok = !is_verb(word) && !span_eq_nocase(word, "NONE");
	strbuf_release(&plain);
	strbuf_release(&composed);
	return ok;
}
