/*
 * json.h - a doc as JSON (RFC 8259), for programs that show games in their own way.
 *
 * Strings are UTF-8; bytes that are none become U+FFFD. Numbers are integers.
 */
#ifndef MOLEPOST_REPORTS_JSON_H
#define MOLEPOST_REPORTS_JSON_H

#include <stdint.h>

#include "processor/base/strbuf.h"
#include "processor/games/doc.h"

/* With its quotes. */
void json_add_string(struct strbuf *out, struct span text);
/* "name": with a comma before it unless it is the first after a bracket. */
void json_add_name(struct strbuf *out, const char *name);
void json_add_comma(struct strbuf *out);
/* A bracket of a list or an object, with its name (NULL: it has none) and comma. */
void json_open(struct strbuf *out, const char *name, char bracket);
void json_add_text(struct strbuf *out, const char *name, struct span text);
void json_add_number(struct strbuf *out, const char *name, int64_t n);
/*
 * An array of blocks: {"part":"story","kind":"heading","text":"..."}; a table has "columns"
 * and "rows", a board "caption", "lines", "linear", "width", "height", "frames" and "shapes",
 * as in games/doc.h.
 */
void json_add_doc(struct strbuf *out, const struct doc *d);

#endif
