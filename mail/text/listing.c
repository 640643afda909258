/*
 * listing.c - a bounded heap of folder entries.
 */
#include "mail/text/listing.h"

#include <stdlib.h>
#include <string.h>

#include "processor/base/strbuf.h"

size_t listing_base_len(const char *name)
{
	return strcspn(name, ":");
}

int listing_cmp(const struct listing_entry *a, const struct listing_entry *b)
{
	if (a->mtime_utc != b->mtime_utc)
		return a->mtime_utc < b->mtime_utc ? -1 : 1;
	if (a->mtime_ns != b->mtime_ns)
		return a->mtime_ns < b->mtime_ns ? -1 : 1;
	return span_cmp((struct span){a->name, listing_base_len(a->name)},
	                (struct span){b->name, listing_base_len(b->name)});
}

void listing_clear(struct listing *l)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		free(l->items[i].name);
	l->count = l->left = l->first = 0;
	l->overflowed = false;
}

void listing_release(struct listing *l)
{
	listing_clear(l);
	free(l->items);
	*l = (struct listing)LISTING_INIT;
}

static void swap(struct listing_entry *a, struct listing_entry *b)
{
	struct listing_entry tmp = *a;

	*a = *b;
	*b = tmp;
}

static void sift_up(struct listing *l, size_t i)
{
	while (i > 0 && listing_cmp(&l->items[i], &l->items[(i - 1) / 2]) > 0) {
		swap(&l->items[i], &l->items[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct listing *l, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= l->count)
			return;
		if (child + 1 < l->count &&
		    listing_cmp(&l->items[child + 1], &l->items[child]) > 0)
			child++;
		if (listing_cmp(&l->items[child], &l->items[i]) <= 0)
			return;
		swap(&l->items[child], &l->items[i]);
		i = child;
	}
}

void listing_offer(struct listing *l, const struct listing_entry *entry)
{
	struct listing_entry copy = *entry;

	if (l->count == LISTING_MAX) {
		l->overflowed = true;
		if (listing_cmp(entry, &l->items[0]) >= 0)
			return;
		copy.name = xstrdup(entry->name);
		swap(&copy, &l->items[0]);
		sift_down(l, 0);
		free(copy.name);
		return;
	}
	l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	copy.name = xstrdup(entry->name);
	l->items[l->count++] = copy;
	sift_up(l, l->count - 1);
}

static int cmp_for_qsort(const void *a, const void *b)
{
	return listing_cmp(a, b);
}

void listing_sort(struct listing *l)
{
	if (l->count > 0)
		qsort(l->items, l->count, sizeof(*l->items), cmp_for_qsort);
	l->left = l->count;
}

const struct listing_entry *listing_next(const struct listing *l, size_t *at)
{
	if (*at < l->first)
		*at = l->first;
	while (*at < l->count && l->items[*at].gone)
		++*at;
	return *at < l->count ? &l->items[(*at)++] : NULL;
}

void listing_mark_gone(struct listing *l, const struct listing_entry *key)
{
	struct listing_entry *found = NULL;

	/* Mostly they go in the order in which they stand there. */
	if (l->first < l->count && listing_cmp(key, &l->items[l->first]) == 0)
		found = &l->items[l->first];
	else if (l->left > 0)
		found = bsearch(key, l->items, l->count, sizeof(*l->items), cmp_for_qsort);
	if (!found || found->gone)
		return;
	found->gone = true;
	l->left--;
	while (l->first < l->count && l->items[l->first].gone)
		l->first++;
}
