/*
 * line_hashes.c - two bytes for each line.
 */
#include "processor/quotes/line_hashes.h"

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/quotes/same_runs.h"

enum {
	DIGITS = 4,
	LINES_LEAST = 3,   /* of a run */
	LEFT_OUT_MOST = 8, /* of the mail's, between two lines of a run */
	BETWEEN_MOST = 12, /* of the writer's */
	PLACES_MOST = 24   /* where a run may begin */
};

/* 0: the line has no words, or is one to copy. */
static uint16_t hash_line(const struct hash *key, struct span plain)
{
	struct strbuf words = STRBUF_INIT;
	struct span rest = plain, word;

	if (plain.len > 0 && (plain.ptr[0] == '|' || plain.ptr[0] == '>'))
		return 0;
	while (span_next_word(&rest, "", &word)) {
		uint32_t k = text_word_key(word);

		if (k != 0)
			strbuf_addf(&words, "%08x", k);
	}
	struct hash h = hash_keyed(key, strbuf_span(&words));
	uint16_t two = (uint16_t)(h.bytes[0] << 8 | h.bytes[1]);
	bool none = words.len == 0;
	strbuf_release(&words);
	return none ? 0 : two ? two : 1;
}

static void add(struct strbuf *out, const struct hash *key, struct span text)
{
	struct strbuf plain = STRBUF_INIT;

	utf8_add_plain(&plain, text);
	uint16_t two = hash_line(key, strbuf_span(&plain));
	if (two != 0)
		strbuf_addf(out, "%04x", two);
	strbuf_release(&plain);
}

void line_hashes_add(struct strbuf *out, const struct hash *key, struct span text)
{
	struct strbuf paragraph = STRBUF_INIT;
	struct span line;
	unsigned lines = 0;

	while (span_next_line(&text, &line)) {
		bool soft = line.len > 0 && line.ptr[line.len - 1] == ' ' &&
		            !span_eq_str(line, "-- ");

		add(out, key, line);
		strbuf_add_span(&paragraph, line);
		lines++;
		if (soft && text.len > 0)
			continue;
		if (lines > 1)
			add(out, key, strbuf_span(&paragraph));
		strbuf_clear(&paragraph);
		lines = 0;
	}
	strbuf_release(&paragraph);
}

void line_hashes_read(struct span digits, struct arena *arena, struct line_hashes *h)
{
	uint16_t *items = arena_calloc(arena, digits.len / DIGITS + 1, sizeof(*items));
	unsigned char two[2];

	h->items = items;
	for (h->count = 0; digits.len >= DIGITS &&
	                   num_parse_hex(span_slice(digits, 0, DIGITS), two, sizeof(two));
	     digits = span_slice(digits, DIGITS, digits.len))
		items[h->count++] = (uint16_t)(two[0] << 8 | two[1]);
}

/* The run that begins with line i at this place of the mail: how many lines; marks them if `same` is there. */
static size_t follow(const struct line_hashes *h, const uint16_t *lines, size_t n, size_t i,
                     size_t place, bool *same)
{
	size_t count = 0, between = 0;

	for (; i < n && between < BETWEEN_MOST; i++) {
		size_t at = place, end = place + (count ? LEFT_OUT_MOST : 1);

		if (lines[i] == 0)
			continue;
		while (at < end && at < h->count && h->items[at] != lines[i])
			at++;
		between++;
		if (at == end || at >= h->count)
			continue;
		if (same)
			same[i] = true;
		place = at + 1;
		between = 0;
		count++;
	}
	return count;
}

void line_hashes_find(const struct line_hashes *h, const struct span *lines, size_t n,
                      bool *same, struct arena *arena)
{
	uint16_t *hashes = arena_calloc(arena, n, sizeof(*hashes));

	for (size_t i = 0; i < n; i++)
		hashes[i] = hash_line(&h->key, lines[i]);
	for (size_t i = 0; i < n; i++) {
		size_t best = 0, best_at = 0, places = 0;

		for (size_t at = 0; hashes[i] != 0 && !same[i] && at < h->count; at++)
			if (h->items[at] == hashes[i] && places++ < PLACES_MOST) {
				size_t count = follow(h, hashes, n, i, at, NULL);

				best_at = count > best ? at : best_at;
				best = count > best ? count : best;
			}
		if (best >= LINES_LEAST)
			(void)follow(h, hashes, n, i, best_at, same);
	}
}
