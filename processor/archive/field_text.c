/*
 * field_text.c - the small change of the archive format: text fields, folding,
 * facts, leaves.
 *
 * Trusts nothing: writing takes any bytes and gives one printable line; reading
 * takes any field and accepts only what writing would have given, which is what
 * makes every archive have exactly one form.
 */
#include "processor/archive/private.h"

#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"

enum { FOLD_WIDTH = 160 };

static void add_field(struct strbuf *out, struct span text, bool is_word)
{
	bool bad_utf8 = !utf8_valid(text);

	if (text.len == 0)
		strbuf_addc(out, '-');
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		bool last = i + 1 == text.len;

		if (c == '\n')
			strbuf_addc(out, '|');
		else if (c == '|' || c == '\\')
			strbuf_addf(out, "\\%c", c);
		else if (((c == ' ' && (is_word || last)) || (c == '-' && text.len == 1) ||
		          ((unsigned char)c >= 0x80 && bad_utf8)) ||
		         (unsigned char)c < 0x20 || c == 0x7f)
			strbuf_addf(out, "\\x%02x", (unsigned)(unsigned char)c);
		else
			strbuf_addc(out, c);
	}
}

void archive_add_text(struct strbuf *out, struct span text)
{
	add_field(out, text, false);
}

void archive_add_word(struct strbuf *out, struct span text)
{
	add_field(out, text, true);
}

/* Takes one escape or plain byte off *rest. */
static bool next_byte(struct span *rest, char *c)
{
	struct span s = *rest;
	size_t used = 1;

	*c = s.ptr[0];
	if (*c == '|') {
		*c = '\n';
	} else if (*c == '\\' && s.len >= 4 && s.ptr[1] == 'x') {
		used = 4;
		if (!num_parse_hex(span_slice(s, 2, 4), c, 1))
			return false;
	} else if (*c == '\\') {
		used = 2;
		if (s.len < 2)
			return false;
		*c = s.ptr[1];
	}
	*rest = span_slice(s, used, s.len);
	return true;
}

/* Decodes loosely and then insists that encoding gives the same field again. */
static bool read_field(struct span field, bool is_word, struct arena *arena, struct span *out)
{
	char *bytes = arena_alloc(arena, field.len + 1);
	struct strbuf again = STRBUF_INIT;
	struct span rest = field;
	size_t len = 0;
	bool same;

	while (rest.len > 0)
		if (!next_byte(&rest, &bytes[len++]))
			return false;
	if (span_eq_str(field, "-"))
		len = 0;
	*out = (struct span){bytes, len};
	add_field(&again, *out, is_word);
	same = span_eq(field, strbuf_span(&again));
	strbuf_release(&again);
	return same;
}

bool archive_read_text(struct span field, struct arena *arena, struct span *out)
{
	return read_field(field, false, arena, out);
}

bool archive_read_word(struct span field, struct arena *arena, struct span *out)
{
	return read_field(field, true, arena, out);
}

/* How many bytes the next piece takes. */
static size_t piece_len(struct span rest, size_t width)
{
	size_t len = width;

	if (rest.len <= width)
		return rest.len;
	while (len > 0 &&
	       (rest.ptr[len - 1] == ' ' || ((unsigned char)rest.ptr[len] & 0xc0) == 0x80))
		len--;
	return len > 0 ? len : width;
}

void archive_add_folded(struct strbuf *out, struct span line)
{
	size_t len = piece_len(line, FOLD_WIDTH);

	strbuf_add_span(out, span_slice(line, 0, len));
	strbuf_addc(out, '\n');
	while (line = span_slice(line, len, line.len), line.len > 0) {
		len = piece_len(line, FOLD_WIDTH - 1);
		strbuf_addc(out, '+');
		strbuf_add_span(out, span_slice(line, 0, len));
		strbuf_addc(out, '\n');
	}
}

bool archive_is_hidden(unsigned facts, unsigned hidden_by)
{
	return ((facts | FACT_ALWAYS) & hidden_by) != 0;
}

static const struct {
	unsigned fact;
	const char *name;
} fact_names[] = {
    {FACT_SIMULTANEOUS, "simultaneous"},
    {FACT_HIDDEN, "hidden"},
    {FACT_CHANCE, "chance"},
    {FACT_ORDERS_STAY_HIDDEN, "orders-stay-hidden"},
};
enum { NFACTS = sizeof(fact_names) / sizeof(fact_names[0]) };

void archive_add_facts(struct strbuf *out, unsigned facts)
{
	const char *between = "";

	for (size_t i = 0; i < NFACTS; i++)
		if (facts & fact_names[i].fact) {
			strbuf_addf(out, "%s%s", between, fact_names[i].name);
			between = " ";
		}
	if (between[0] == '\0')
		strbuf_addc(out, '-');
}

bool archive_parse_facts(struct span text, unsigned *facts)
{
	struct strbuf again = STRBUF_INIT;
	struct span rest = text, word;
	bool same;

	*facts = 0;
	while (span_next_field(&rest, ' ', &word))
		for (size_t i = 0; i < NFACTS; i++)
			if (span_eq_str(word, fact_names[i].name))
				*facts |= fact_names[i].fact;
	archive_add_facts(&again, *facts);
	same = span_eq(text, strbuf_span(&again));
	strbuf_release(&again);
	return same;
}

struct hash archive_leaf(struct span line)
{
	struct hasher h;

	hasher_start(&h);
	hasher_add(&h, (struct span){"\0", 1});
	hasher_add(&h, line);
	return hasher_end(&h);
}

struct hash archive_hidden_leaf(const struct hash *secret, const char *game, unsigned count,
                                struct span line)
{
	struct strbuf name = STRBUF_INIT;
	struct hash blind;
	struct hasher h;

	strbuf_addf(&name, "molepost/1 line\n%s\n%u\n", game, count);
	blind = hash_keyed(secret, strbuf_span(&name));
	strbuf_release(&name);

	hasher_start(&h);
	hasher_add(&h, (struct span){"\1", 1});
	hasher_add(&h, hash_span(&blind));
	hasher_add(&h, line);
	return hasher_end(&h);
}

struct hash archive_chain(const struct hash *before, const struct hash *leaf)
{
	struct hasher h;

	hasher_start(&h);
	hasher_add(&h, hash_span(before));
	hasher_add(&h, hash_span(leaf));
	return hasher_end(&h);
}
