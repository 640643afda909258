/*
 * diag.c - the list of remarks on one mail.
 */
#include "processor/base/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/base/strbuf.h"

/* The members are const for readers; the texts were allocated in put(). */
static void free_text(const char *text)
{
	free((void *)(uintptr_t)text);
}

static void free_texts(struct diag *g)
{
	free_text(g->quoted);
	free_text(g->message);
	free_text(g->example);
}

void diags_clear(struct diags *d)
{
	for (size_t i = 0; i < d->count; i++)
		free_texts(&d->items[i]);
	d->count = 0;
}

void diags_drop_lines(struct diags *d, unsigned first)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->count; i++) {
		if (d->items[i].line < first)
			d->items[kept++] = d->items[i];
		else
			free_texts(&d->items[i]);
	}
	d->count = kept;
}

void diag_set_example(struct diag *d, const char *example)
{
	free_text(d->example);
	d->example = xstrdup(example);
}

void diags_release(struct diags *d)
{
	diags_clear(d);
	free(d->items);
	*d = (struct diags)DIAGS_INIT;
}

static char *short_text(struct span s)
{
	struct strbuf text = STRBUF_INIT;
	size_t end = s.len < DIAG_QUOTED_MAX ? s.len : DIAG_QUOTED_MAX;

	while (end < s.len && end > 0 && ((unsigned char)s.ptr[end] & 0xc0) == 0x80)
		end--;
	strbuf_add_span(&text, span_slice(s, 0, end));
	return strbuf_detach(&text);
}

/* Takes over the three texts of `item`. */
static void put(struct diags *d, struct diag item)
{
	d->items = xgrow(d->items, &d->cap, d->count + 1, sizeof(d->items[0]));
	d->items[d->count++] = item;
}

void diags_add(struct diags *d, enum diag_level level, unsigned line, unsigned column,
               struct span quoted, const char *example, const char *fmt, ...)
{
	struct strbuf message = STRBUF_INIT;
	va_list ap;

	if (d->count >= DIAGS_MOST)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&message, fmt, ap);
	va_end(ap);
	put(d, (struct diag){.level = level,
	                     .line = line,
	                     .column = column,
	                     .quoted = short_text(quoted),
	                     .message = strbuf_detach(&message),
	                     .example = xstrdup(example ? example : "")});
}

void diags_append(struct diags *d, const struct diags *from)
{
	for (size_t i = 0; i < from->count && d->count < DIAGS_MOST; i++) {
		struct diag copy = from->items[i];

		copy.quoted = xstrdup(copy.quoted);
		copy.message = xstrdup(copy.message);
		copy.example = xstrdup(copy.example);
		put(d, copy);
	}
}

size_t diags_count(const struct diags *d, enum diag_level level)
{
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++)
		n += d->items[i].level == level;
	return n;
}

bool diags_has_errors(const struct diags *d)
{
	return diags_count(d, DIAG_ERROR) > 0;
}

const char *diag_level_name(enum diag_level level)
{
	switch (level) {
	case DIAG_IGNORED:
		return "ignored";
	case DIAG_NOTE:
		return "note";
	case DIAG_WARNING:
		return "warning";
	case DIAG_ERROR:
		return "error";
	}
	BUG("no such diagnostic level: %d", (int)level);
}
