/*
 * uid_set.c - sets of message numbers.
 */
#include "mail/text/uid_set.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/num.h"

void uid_set_release(struct uid_set *s)
{
	free(s->items);
	*s = (struct uid_set)UID_SET_INIT;
}

void uid_set_clear(struct uid_set *s)
{
	s->n = 0;
}

/* The first range that ends at or behind `uid`; s->n when there is none. */
static size_t place_of(const struct uid_set *s, uint32_t uid)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->items[middle].last < uid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct uid_set *s, size_t at, struct uid_range r)
{
	s->items = xgrow(s->items, &s->cap, s->n + 1, sizeof(*s->items));
	memmove(&s->items[at + 1], &s->items[at], (s->n - at) * sizeof(*s->items));
	s->items[at] = r;
	s->n++;
}

static void erase(struct uid_set *s, size_t at, size_t count)
{
	memmove(&s->items[at], &s->items[at + count], (s->n - at - count) * sizeof(*s->items));
	s->n -= count;
}

/* Every range from `at` on that touches r is swallowed by it. */
void uid_set_add_range(struct uid_set *s, uint32_t first, uint32_t last)
{
	struct uid_range r = {first, last};
	size_t at = last == UID_SET_END ? s->n : place_of(s, first > 1 ? first - 1 : 1),
	       end = at;

	while (end < s->n && last != UID_SET_END &&
	       (last == UINT32_MAX || s->items[end].first <= last + 1))
		end++;
	if (end > at) {
		r.first = s->items[at].first < first ? s->items[at].first : first;
		r.last = s->items[end - 1].last > last ? s->items[end - 1].last : last;
		erase(s, at, end - at);
	}
	insert(s, at, r);
}

void uid_set_add(struct uid_set *s, uint32_t uid)
{
	uid_set_add_range(s, uid, uid);
}

void uid_set_add_set(struct uid_set *s, const struct uid_set *other)
{
	for (size_t i = 0; i < other->n; i++)
		uid_set_add_range(s, other->items[i].first, other->items[i].last);
}

bool uid_set_has(const struct uid_set *s, uint32_t uid)
{
	size_t at = place_of(s, uid);

	return at < s->n && s->items[at].first <= uid;
}

void uid_set_remove(struct uid_set *s, uint32_t uid)
{
	size_t at = place_of(s, uid);
	struct uid_range r;

	if (!uid_set_has(s, uid))
		return;
	r = s->items[at];
	erase(s, at, 1);
	if (r.last > uid)
		insert(s, at, (struct uid_range){uid + 1, r.last});
	if (r.first < uid)
		insert(s, at, (struct uid_range){r.first, uid - 1});
}

uint32_t uid_set_next(const struct uid_set *s, uint32_t uid)
{
	size_t at = uid == UINT32_MAX ? s->n : place_of(s, uid + 1);

	if (at == s->n)
		return 0;
	return s->items[at].first > uid ? s->items[at].first : uid + 1;
}

void uid_set_remove_set(struct uid_set *s, const struct uid_set *other)
{
	for (uint32_t u = uid_set_next(s, 0); u != 0; u = uid_set_next(s, u))
		if (uid_set_has(other, u))
			uid_set_remove(s, u);
}

uint64_t uid_set_count(const struct uid_set *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += (uint64_t)s->items[i].last - s->items[i].first + 1;
	return n;
}

void uid_set_write(const struct uid_set *s, struct strbuf *out)
{
	for (size_t i = 0; i < s->n; i++) {
		strbuf_addf(out, "%s%u", i ? "," : "", (unsigned)s->items[i].first);
		if (s->items[i].last != s->items[i].first)
			strbuf_addf(out, ":%u", (unsigned)s->items[i].last);
	}
}

bool uid_set_read(struct uid_set *s, struct span text)
{
	struct span rest = text, part, word;

	if (text.len == 0)
		return true;
	while (span_next_field(&rest, ',', &part)) {
		unsigned first, last;

		if (!span_next_field(&part, ':', &word) ||
		    !num_parse_uint(word, 1, UINT32_MAX, &first) ||
		    !num_parse_uint(part.ptr ? part : word, 1, UINT32_MAX, &last))
			return false;
		uid_set_add_range(s, first < last ? first : last, first < last ? last : first);
	}
	return true;
}
