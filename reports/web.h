/*
 * web.h - a doc as part of a web page: text, tables, and boards as pictures (SVG).
 *
 * Knows no game. What it writes is well-formed XML, so that any parser can check it; all text
 * is escaped, and control and direction marks are left out of it. Nothing refers to anything
 * outside.
 */
#ifndef MOLEPOST_REPORTS_WEB_H
#define MOLEPOST_REPORTS_WEB_H

#include "processor/base/strbuf.h"
#include "processor/games/doc.h"

/* A table of more has the class many: smaller letters on a phone. */
enum { FEW_COLUMNS = 7 };
/* Between tags, and between the double quotes of an attribute. */
void web_add_text(struct strbuf *out, struct span text);
/*
 * The shapes of a board that has some; false, and nothing written, when it has none. Of a
 * board that moves each shown frame is a <g class="frame" data-frame="n">, 24 of them at most,
 * the last one among them and shown at first.
 */
bool web_add_picture(struct strbuf *out, const struct doc_board *b);
/* What the colours of that picture stand for, where shapes say so: a list, or nothing. */
void web_add_key(struct strbuf *out, const struct doc_board *b);
/*
 * All parts of the doc in the order of reports, each a <div> of the class story, position,
 * scores, own or help. A board is a <figure>: picture, key, caption, and <details> to be opened, its
 * sentences (class words).
 */
void web_add_doc(struct strbuf *out, const struct doc *d);
/* One of them; nothing when the doc has nothing there. */
void web_add_part(struct strbuf *out, const struct doc *d, enum doc_part part);
/* The same without the parts that are in `common` as they are here; false when nothing is left. */
bool web_add_doc_beside(struct strbuf *out, const struct doc *d, const struct doc *common);
/*
 * What the classes used by these look like, by day and by night: lines of CSS. The colours of a
 * page around it are its variables --paper, --ink, --soft and --rule.
 */
extern const char web_style[];

#endif
