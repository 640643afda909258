/*
 * layout.h - lines of at most so many columns that no robot takes for orders.
 *
 * A page is a body in the making. Text is wrapped as it is appended, once,
 * with no second pass. Two promises hold for every line, whoever wrote the
 * text: it is free of control and direction marks, and it does not begin with
 * a word that could make it a command or an order, unless it stands behind a
 * mark ("| ", "> ") that keeps readers of mail from trying it.
 *
 * Not seen outside reports/.
 */
#ifndef MOLEPOST_REPORTS_LAYOUT_H
#define MOLEPOST_REPORTS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "processor/base/seal.h"
#include "processor/base/span.h"
#include "processor/base/strbuf.h"
#include "processor/games/doc.h"
#include "reports/report.h"

struct page {
	struct strbuf *out;      /* borrowed */
	struct arena *arena;     /* phrases for it, until its end */
	struct report_form form; /* cols is never 0 */
	bool fixed;              /* no line goes on in the next: for terminals */
	struct strbuf scratch;   /* the paragraph being formatted */
	struct strbuf clean;     /* its copy without control characters */
	bool gap_due;            /* an empty line comes before whatever is next */
};

/* Starts below whatever `out` holds. End with page_end. */
void page_start(struct page *p, struct strbuf *out, struct report_form form);
void page_end(struct page *p);
/*
 * The signature separator, once: below it stands what nobody has to read (which mail of which game this
 * is, where help is, proofs), and mail programs show it in grey and leave it out of answers.
 */
void page_small_print(struct page *p);

/* One empty line before the next text; several calls give one. */
void page_gap(struct page *p);
/* A line from margin to margin. */
void page_rule(struct page *p);
void page_heading(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Our own prose, which begins with a harmless word. */
void page_say(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One entry of a list, "- ...". */
void page_item(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prose from a game or another module: goes behind "| " when it begins like an order. */
void page_prose(struct page *p, const char *bullet, struct span text);
/*
 * An order line to copy, "  | ...", what is a line of its own in it behind EXAMPLE_LINE, what did not fit
 * behind EXAMPLE_BROKEN; and orders as understood, "  > ...", in full.
 */
#define EXAMPLE_LINE "  |  "
#define EXAMPLE_BROKEN "  |   "
void page_example(struct page *p, struct span line);
void page_orders(struct page *p, struct span canonical);
/* A line somebody wrote, clipped to one line "  > ...". */
void page_echo(struct page *p, struct span line);
/* A paragraph of somebody else's, in full, every line behind "  > "; an empty one is kept. */
void page_quote(struct page *p, struct span text);
/* " label  64 hex digits", exactly 72 columns; labels of at most 6. */
void page_hash(struct page *p, const char *label, const void *bytes);
/* As it is: only for text of our own that is made of short lines (an evidence block). */
void page_verbatim(struct page *p, struct span text);
/* A drawn line: kept, but clipped at 72 columns, cleaned, and disarmed if need be. */
void page_drawn(struct page *p, struct span line);
/* A row of a table: the same, and a word in capitals at its start is disarmed as well. */
void page_row(struct page *p, struct span line);
void page_table(struct page *p, const struct doc_table *t);

/*
 * Wraps text; `first` stands before the first line, `rest` before all others. With an empty `rest` the
 * lines but the last end in a blank: they are one paragraph, to be set anew by who shows it.
 */
void page_wrap(struct page *p, const char *first, const char *rest, struct span text);

/* Columns of text; as utf8_width, with a short cut for ASCII. */
size_t text_width(struct span s);
/* Appends s clipped to `ncols` columns, "..." at the end when something is missing. */
void text_clip(struct strbuf *out, struct span s, size_t ncols);
/* s padded to exactly `ncols` columns (clipped if wider). */
void text_pad(struct strbuf *out, struct span s, size_t ncols, enum doc_align align);
/* Appends s without control characters, direction marks and line ends (blanks stand for them). */
void text_clean(struct strbuf *out, struct span s);

/*
 * Whether a line that begins with this text could be taken for a command or
 * an order: a command word, a word in capitals, a word and a number.
 */
bool guard_line_start(struct span text);
/* False for bullets and other marks alone, which hide nothing of what follows them. */
bool guard_has_word(struct span text);
/* For a whole paragraph in lines of so many columns: a word in capitals, or a command word with little behind it. */
bool guard_paragraph_start(struct span text, size_t cols);
/* Only the command words, for drawn lines. */
bool guard_drawn_line(struct span text);

#endif
