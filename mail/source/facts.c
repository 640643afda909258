/*
 * facts.c - a short list.
 */
#include "mail/source/facts.h"

#include <stdlib.h>

void facts_release(struct facts *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->items[i].name);
	free(f->items);
	*f = (struct facts){0};
}

struct fact *facts_find(const struct facts *f, struct span name)
{
	for (size_t i = 0; i < f->n; i++)
		if (span_eq_str(name, f->items[i].name))
			return &f->items[i];
	return NULL;
}

struct fact *facts_need(struct facts *f, struct span name)
{
	struct fact *old = facts_find(f, name);

	if (old)
		return old;
	f->items = xgrow(f->items, &f->cap, f->n + 1, sizeof(*f->items));
	f->items[f->n] = (struct fact){.name = strndup(name.ptr, name.len)};
	return &f->items[f->n++];
}

void facts_drop(struct facts *f, struct span name)
{
	struct fact *old = facts_find(f, name);

	if (!old)
		return;
	free(old->name);
	*old = f->items[--f->n];
}

unsigned facts_count_try(struct facts *f, struct span name)
{
	struct fact *m = facts_need(f, name);

	m->tries += !m->counted;
	m->counted = true;
	return m->tries;
}

bool fact_is_of(const struct fact *f, const struct source_mail *const *done, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (span_eq_str(done[i]->id, f->name))
			return true;
	return false;
}
