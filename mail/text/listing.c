/*
 * listing.c - folder entries, no more than so many of them.
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

static int cmp_for_qsort(const void *a, const void *b)
{
	return listing_cmp(a, b);
}

/* When it has grown to twice what is kept, the younger half goes. */
static void keep_oldest(struct listing *l)
{
	if (l->count > 0)
		qsort(l->items, l->count, sizeof(*l->items), cmp_for_qsort);
	l->overflowed = l->overflowed || l->count > LISTING_MAX;
	while (l->count > LISTING_MAX)
		free(l->items[--l->count].name);
}

void listing_offer(struct listing *l, const struct listing_entry *entry)
{
	if (l->count == 2 * (size_t)LISTING_MAX)
		keep_oldest(l);
	if (l->overflowed && listing_cmp(entry, &l->items[LISTING_MAX - 1]) >= 0)
		return;
	l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
	l->items[l->count] = *entry;
	l->items[l->count++].name = xstrdup(entry->name);
}

void listing_sort(struct listing *l)
{
	keep_oldest(l);
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
