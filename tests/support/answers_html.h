/*
 * answers_html.h - the HTML form of a mail of ours as programs make it over that quote it.
 *
 * Only tags that our HTML has (reports/mail_html.c) are known.
 */
#ifndef MOLEPOST_TESTS_SUPPORT_ANSWERS_HTML_H
#define MOLEPOST_TESTS_SUPPORT_ANSWERS_HTML_H

#include "tests/support/testbed.h"

/* What is put for a tag in HTML that is quoted. */
enum html_quoting {
	HTML_WHOLE, /* all, the <style> as well */
	HTML_TAGS,  /* tags with their addresses, nothing else of them */
	HTML_WORD,  /* a paragraph for each line and each cell */
	HTML_FLAT   /* rows of tables are lines */
};

/* How a program makes plain text of HTML. */
struct html_to_plain {
	struct span item,
	    cell; /* before an entry of a list; between cells, "": each has a line of its own */
	enum { LINK_NONE, LINK_GLUED, LINK_APART, LINK_SQUARE, LINK_NOTE } link;
};

/* Appends the HTML of the mail; false: it has none. */
bool answers_our_html(const struct post *p, struct strbuf *out);
/* Appends what stands between <body> and </body>, its blocks parted by empty lines. */
void answers_quote_html(struct span html, enum html_quoting how, struct strbuf *out);
void answers_html_to_plain(struct span html, const struct html_to_plain *how,
                           struct strbuf *out);

#endif
