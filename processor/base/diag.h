/*
 * diag.h - what a player's mail got wrong, line by line.
 *
 * A diagnostic quotes what stood there, says what was expected and shows a
 * line that would work. It must depend only on what that player may know.
 * Texts are copied into the list.
 *
 * A mail can be one line of 64 KiB with ten thousand wrong orders in it, so what is quoted is cut
 * at DIAG_QUOTED_MAX bytes, between characters, and beyond DIAGS_MOST nothing more is taken down.
 */
#ifndef MOLEPOST_BASE_DIAG_H
#define MOLEPOST_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/span.h"

enum { DIAG_QUOTED_MAX = 400, DIAGS_MOST = 4000 };

enum diag_level {
	DIAG_IGNORED, /* prose: no order was meant here, and nothing was done */
	DIAG_NOTE,    /* for information: understood, with a remark */
	DIAG_WARNING, /* understood, but perhaps not what was meant */
	DIAG_ERROR    /* this line was not carried out */
};

struct diag {
	enum diag_level level;
	unsigned line;       /* from 1, counted in the text handed to the reader; 0 = none */
	unsigned column;     /* from 1; 0 = the whole line */
	const char *quoted;  /* the piece of text it is about, "" if none */
	const char *message; /* a sentence: what is wrong and what was expected */
	const char *example; /* a line that would work, "" if none */
};

struct diags {
	struct diag *items;
	size_t count;
	size_t cap;
};

/* clang-format off */
#define DIAGS_INIT { NULL, 0, 0 }
/* clang-format on */

void diags_release(struct diags *d);
void diags_clear(struct diags *d);
/* quoted and example may be empty; message is formatted, one sentence with its full stop. */
void diags_add(struct diags *d, enum diag_level level, unsigned line, unsigned column,
               struct span quoted, const char *example, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
/* Another example in the place of the one it has; copied. */
void diag_set_example(struct diag *d, const char *example);
/* Drops those about line `first` and those below it. */
void diags_drop_lines(struct diags *d, unsigned first);
/* Appends copies of all of `from`. */
void diags_append(struct diags *d, const struct diags *from);
size_t diags_count(const struct diags *d, enum diag_level level);
bool diags_has_errors(const struct diags *d);
const char *diag_level_name(enum diag_level level); /* "ignored", "note", ... */

#endif
