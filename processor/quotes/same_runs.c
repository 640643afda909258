/*
 * same_runs.c - which words of a text come from other texts, in their order.
 *
 * Three words in a row that stand in another text begin a match, which goes on as far as it can. Matches whose
 * places there follow each other are one run: of all ways to put them together the one with most words, so
 * that an example which somebody has typed between quoted lines does not take the place of these.
 */
#include "processor/quotes/same_runs.h"

#include <stdlib.h>

#include "processor/base/strbuf.h"
#include "processor/base/utf8.h"
#include "processor/quotes/text_line.h"

enum {
	SEED_WORDS = 3,
	PLACES_MOST = 24,   /* where a match may begin */
	LEFT_OUT_MOST = 24, /* words of the other text that a run may lack in one place */
	MATCHES_BACK = 32,  /* between two matches of a run */
	CHANCE_WORDS = 64,  /* no longer match is one by chance */
	PART_WORDS = 4,
	RUN_WORDS = 12,
	RUN_LINES = 3
};

static const size_t NOWHERE = (size_t)-1;

/* ---- words ---- */

uint32_t text_word_key(struct span word)
{
	uint32_t key = 2166136261u, cp; /* FNV-1a */
	bool any = false;

	while (word.len > 0) {
		cp = (unsigned char)word.ptr[0];
		if (cp < 0x80 || !utf8_next(&word, &cp))
			word = span_slice(word, 1, word.len);
		if (cp >= 'A' && cp <= 'Z')
			cp += 'a' - 'A';
		/* Neither bullets nor dots nor other signs. */
		if (!((cp >= '0' && cp <= '9') || (cp >= 'a' && cp <= 'z') ||
		      (cp >= 0xc0 && (cp < 0x2000 || cp > 0x2bff) && cp != 0xfffd)))
			continue;
		any = true;
		key = (key ^ cp) * 16777619u;
	}
	return !any ? 0 : key ? key : 1;
}

/* "5<mailto:...>", "5](mailto:...)": where the address of a link begins, which nobody has typed. */
static size_t find_link(struct span word)
{
	size_t at = span_find_char(word, '<'), end = at + 1;

	while (end < word.len && text_upper(word.ptr[end]) >= 'A' &&
	       text_upper(word.ptr[end]) <= 'Z')
		end++;
	return end < word.len && word.ptr[end] == ':' ? at : span_find(word, SPAN_LIT("]("));
}

void text_words_add(struct text_words *words, struct span plain, unsigned line)
{
	bool begun = false, links = span_find_char(plain, '<') < plain.len ||
	                            span_find(plain, SPAN_LIT("](")) < plain.len;
	struct span word;

	while (span_next_word(&plain, "", &word)) {
		/* "M>", "Ann>" */
		bool mark = !begun && word.ptr[word.len - 1] == '>';
		if (links)
			word = span_slice(word, 0, find_link(word));
		uint32_t key = mark ? 0 : text_word_key(word);

		begun = begun || !mark;
		if (key != 0)
			words->items[words->count++] =
			    (struct text_word){.key = key, .line = line, .text = word};
	}
}

/* ---- the other texts ---- */

struct other_words {
	/* Keys are 0 between two texts, and above their signatures; lines to copy that stand below each other count as one. */
	struct text_word *items;
	size_t count;
	uint32_t *first, *next; /* by the hash of three words, in their order */
	size_t mask;
};

static size_t slot_of(const struct text_word *words, size_t mask)
{
	uint32_t h = words[0].key;

	for (size_t i = 1; i < SEED_WORDS; i++)
		h = (h ^ (h >> 15)) * 2654435761u + words[i].key;
	return (h ^ (h >> 16)) & mask;
}

static void add_other(struct text_words *words, struct span text, unsigned *line)
{
	struct strbuf plain = STRBUF_INIT;
	bool marked = false;
	struct span raw;

	while (span_next_line(&text, &raw)) {
		strbuf_clear(&plain);
		utf8_add_plain(&plain, raw);
		bool was_marked = marked;
		marked = plain.ptr[0] == '|' || plain.ptr[0] == '>';
		if (!marked || !was_marked)
			(*line)++;
		size_t from = words->count;
		text_words_add(words, strbuf_span(&plain), *line);
		if (span_eq_str(strbuf_span(&plain), "--"))
			words->items[words->count++] = (struct text_word){.key = 0};
		for (size_t i = from; i < words->count; i++)
			words->items[i].to_copy = marked;
	}
	words->items[words->count++] = (struct text_word){.key = 0};
	strbuf_release(&plain);
}

static void read_others(struct other_words *o, const struct span *texts, size_t n,
                        struct arena *arena)
{
	size_t bytes = 0, left = SAME_RUNS_BYTES, slots = 64;
	struct text_words words = {0};
	unsigned line = 0;

	for (size_t i = 0; i < n; i++)
		bytes += texts[i].len;
	bytes = bytes < left ? bytes : left;
	words.items = arena_alloc(arena, (bytes / 2 + 2 * n + 1) * sizeof(*words.items));
	for (size_t i = 0; i < n; i++) {
		struct span text = span_slice(texts[i], 0, left);

		add_other(&words, text, &line);
		left -= text.len;
	}
	o->items = words.items;
	o->count = words.count;
	while (slots < 2 * o->count)
		slots *= 2;
	o->mask = slots - 1;
	o->first = arena_calloc(arena, slots, sizeof(*o->first));
	o->next = arena_calloc(arena, o->count, sizeof(*o->next));
	for (size_t i = o->count; i-- > 0;) {
		if (i + SEED_WORDS > o->count || o->items[i].key == 0)
			continue;
		size_t slot = slot_of(o->items + i, o->mask);
		o->next[i] = o->first[slot];
		o->first[slot] = (uint32_t)i + 1; /* 0 = none */
	}
}

/* ---- matches ---- */

struct match_run {
	size_t from, len, at; /* words of the text; where in the other texts */
	size_t best,
	    before; /* words of the longest run that ends with it; its match before, or NOWHERE */
	bool goes_on, used;
};

static size_t length_at(const struct text_words *w, size_t i, const struct other_words *o,
                        size_t at)
{
	size_t n = 0;

	while (i + n < w->count && at + n < o->count &&
	       w->items[i + n].key == o->items[at + n].key)
		n++;
	return n;
}

static bool is_whole(const struct text_words *w, size_t from, size_t len)
{
	const struct text_word *t = w->items;

	return len > 0 && (from == 0 || t[from - 1].line != t[from].line) &&
	       (from + len == w->count || t[from + len].line != t[from + len - 1].line);
}

/* The longest match that begins with word i; `expected`: where the one before it has ended. */
static struct match_run match_at(const struct text_words *w, size_t i,
                                 const struct other_words *o, size_t expected)
{
	struct match_run m = {.from = i, .before = NOWHERE};
	size_t place = 0;

	if (i + SEED_WORDS <= w->count)
		place = o->first[slot_of(w->items + i, o->mask)];
	for (unsigned n = 0; n < PLACES_MOST && place != 0; n++, place = o->next[place - 1]) {
		size_t len = length_at(w, i, o, place - 1);

		if (len > m.len) {
			m.len = len;
			m.at = place - 1;
		}
	}
	size_t len = length_at(w, i, o, expected);
	if (len > 0 && len >= m.len) {
		m.len = len;
		m.at = expected;
	}
	if (m.len < SEED_WORDS &&
	    !(m.at == expected && is_whole(w, i, m.len) && !o->items[m.at].to_copy))
		m.len = 0;
	return m;
}

/* Short ones begin by chance before the end of a line: one that begins with the next and is longer counts. */
static void cut_short(const struct text_words *w, const struct other_words *o,
                      struct match_run *m)
{
	size_t k = 1;

	if (m->len > CHANCE_WORDS)
		return;
	while (k < m->len && w->items[m->from + k].line == w->items[m->from].line)
		k++;
	if (k < m->len && match_at(w, m->from + k, o, m->at + k).len > m->len)
		m->len = k;
}

/*
 * Words in a line of which the match holds only some are the writer's when they are few, or those of a line to
 * copy: they have written another order that begins, or ends, as that one does.
 */
static void leave_parts(const struct text_words *w, const struct other_words *o,
                        struct match_run *m)
{
	const struct text_word *t = w->items;
	size_t end = m->from + m->len, first = m->from, last = end;

	while (last > m->from && end < w->count && t[last - 1].line == t[end].line)
		last--;
	if (end - last < PART_WORDS || o->items[m->at + m->len - 1].to_copy)
		m->len = last - m->from;
	while (first < m->from + m->len && m->from > 0 && t[first].line == t[m->from - 1].line)
		first++;
	if (m->len > 0 && (first - m->from < PART_WORDS || o->items[m->at].to_copy)) {
		m->len -= first - m->from;
		m->at += first - m->from;
		m->from = first;
	}
}

static size_t find_matches(const struct text_words *w, const struct other_words *o,
                           struct match_run *matches)
{
	size_t n = 0, i = 0, expected = o->count;

	while (i < w->count) {
		struct match_run m = match_at(w, i, o, expected);

		cut_short(w, o, &m);
		i += m.len > 0 ? m.len : 1;
		if (m.len > 0)
			leave_parts(w, o, &m);
		if (m.len > 0) {
			matches[n++] = m;
			expected = m.at + m.len;
			if (expected < o->count && o->items[expected].key == 0)
				expected++; /* what stands below a signature's mark goes on with it */
		}
	}
	return n;
}

/* ---- runs ---- */

static bool follows(const struct match_run *m, const struct match_run *before)
{
	size_t end = before->at + before->len;

	return m->at >= end && m->at - end <= LEFT_OUT_MOST;
}

static int by_best(const void *a, const void *b)
{
	const struct match_run *x = *(const struct match_run *const *)a,
			       *y = *(const struct match_run *const *)b;

	if (x->best != y->best)
		return x->best > y->best ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static void take_run(struct text_words *w, const struct other_words *o, struct match_run *all,
                     size_t last)
{
	size_t words = 0, lines = 0, first = last, k = last;

	for (; k != NOWHERE && !all[k].used; first = k, k = all[k].before) {
		all[k].used = true;
		words += all[k].len;
		for (size_t i = all[k].from; i < all[k].from + all[k].len; i++)
			lines += i == 0 || w->items[i].line != w->items[i - 1].line;
	}
	size_t end = all[last].at + all[last].len;
	bool copied = o->items[all[first].at].line == o->items[end - 1].line;
	bool begins = all[first].at == 0 || o->items[all[first].at - 1].key == 0;
	bool counts = words >= SAME_RUNS_LEAST &&
	              (copied ? begins && o->items[end].key == 0
	                      : begins || lines >= RUN_LINES || words >= RUN_WORDS);
	if (!counts)
		return;
	for (k = last; k != NOWHERE; k = k == first ? NOWHERE : all[k].before)
		for (size_t i = 0; i < all[k].len; i++) {
			w->items[all[k].from + i].same = true;
			w->items[all[k].from + i].at = (unsigned)(all[k].at + i);
		}
}

void same_runs_find(struct text_words *words, const struct span *others, size_t n,
                    struct arena *arena)
{
	struct other_words o = {0};
	struct match_run *matches, **ends;
	size_t nends = 0, nmatches;

	read_others(&o, others, n, arena);
	matches = arena_calloc(arena, words->count + 1, sizeof(*matches));
	nmatches = find_matches(words, &o, matches);
	for (size_t j = 0; j < nmatches; j++) {
		size_t k = j;

		matches[j].best = matches[j].len;
		for (unsigned back = 0; back < MATCHES_BACK && k-- > 0; back++)
			if (follows(&matches[j], &matches[k]) &&
			    matches[k].best + matches[j].len > matches[j].best) {
				matches[j].best = matches[k].best + matches[j].len;
				matches[j].before = k;
			}
		if (matches[j].before != NOWHERE)
			matches[matches[j].before].goes_on = true;
	}
	ends = arena_calloc(arena, nmatches + 1, sizeof(struct match_run *));
	for (size_t i = 0; i < nmatches; i++)
		if (!matches[i].goes_on)
			ends[nends++] = &matches[i];
	qsort(ends, nends, sizeof(struct match_run *), by_best);
	for (size_t i = 0; i < nends; i++)
		take_run(words, &o, matches, (size_t)(ends[i] - matches));
}
