/*
 * html.h - the readable text of an HTML mail.
 *
 * A handful of rules, not a browser: block tags and <br> end a line, blanks
 * collapse, entities are resolved, what is not text (style, script, comments) and what is
 * quoted (blockquote, but for one that only indents; class gmail_quote, id divRplyFwdMsg) is left out, the latter unless it is
 * asked for, and but for a line ">" below other text; links keep their words. Never fails; time is linear in the input whatever stands
 * in it. Private to mail/.
 */
#ifndef MOLEPOST_MAIL_TEXT_HTML_H
#define MOLEPOST_MAIL_TEXT_HTML_H

#include "processor/base/span.h"
#include "processor/base/strbuf.h"

/* Appends the text of `html` (UTF-8) in lines with LF; UTF-8 without new control characters. */
enum html_quotes { HTML_WITHOUT_QUOTES, HTML_WITH_QUOTES };
void html_to_text(struct span html, enum html_quotes quotes, struct strbuf *out);

#endif
