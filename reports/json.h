/*
 * json.h - a doc as JSON (RFC 8259), for programs that show games in their own way.
 *
 * Strings are UTF-8; bytes that are none become U+FFFD. Numbers are integers.
 */
#ifndef MOLEPOST_REPORTS_JSON_H
#define MOLEPOST_REPORTS_JSON_H

#include "processor/base/strbuf.h"
#include "processor/games/doc.h"

/* With its quotes. */
void json_add_string(struct strbuf *out, struct span text);
/* "name": with a comma before it unless it is the first after a bracket. */
void json_add_name(struct strbuf *out, const char *name);
void json_add_comma(struct strbuf *out);
/*
 * An array of blocks: {"part":"story","kind":"heading","text":"..."}; a table has "columns"
 * and "rows", a board "caption", "lines", "linear", "width", "height", "frames" and "shapes",
 * as in games/doc.h.
 */
void json_add_doc(struct strbuf *out, const struct doc *d);

#endif
