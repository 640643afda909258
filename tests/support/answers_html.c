/*
 * answers_html.c - tags of our HTML replaced one by one.
 */
#include "tests/support/answers_html.h"

#include <string.h>

#include "mail/compose.h"
#include "processor/base/err.h"

bool answers_our_html(const struct post *p, struct strbuf *out)
{
	const char *from = strstr(p->raw, "\nContent-Type: text/html");
	const char *to = from ? strstr(from, "\n--=_molepost_") : NULL;

	return from && to && mail_read_back((struct span){from + 1, (size_t)(to - from)}, out);
}

/* A tag, or the text up to the next. */
struct token {
	struct span all, name, href, alt; /* name: of a tag */
	bool closes;
};

static struct span attribute(struct span tag, const char *begin)
{
	tag = span_slice(tag, span_find(tag, span_of(begin)), tag.len);
	tag = span_slice(tag, strlen(begin), tag.len);
	return span_slice(tag, 0, span_find_char(tag, '"'));
}

static bool next_token(struct span *rest, struct token *t)
{
	*t = (struct token){.closes = span_starts(*rest, "</")};
	if (rest->len == 0)
		return false;
	if (rest->ptr[0] != '<') {
		t->all = span_slice(*rest, 0, span_find_char(*rest, '<'));
	} else {
		size_t name = t->closes ? 2 : 1, end = name;

		t->all = span_slice(*rest, 0, span_find_char(*rest, '>') + 1);
		while (strchr(" />", t->all.ptr[end]) == NULL)
			end++;
		t->name = span_slice(t->all, name, end);
		t->href = attribute(t->all, " href=\"");
		t->alt = attribute(t->all, " alt=\"");
	}
	*rest = span_slice(*rest, t->all.len, rest->len);
	return true;
}

static bool is(const struct token *t, const char *name)
{
	return span_eq_str(t->name, name);
}

static struct span body_of(struct span html)
{
	size_t body = span_find(html, SPAN_LIT("<body>\n"));

	return span_slice(html, body + strlen("<body>\n"),
	                  span_find(html, SPAN_LIT("</body>")));
}

/* ---- as HTML ---- */

static const struct {
	const char *name, *opens, *closes;
} word_tags[] =
    {
	{"p", "<p class=\"MsoNormal\">", "<o:p></o:p></p>"},
	{"th", "<td style=\"padding:2.25pt\"><p class=\"MsoNormal\"><b>",
         "<o:p></o:p></b></p></td>"},
	{"td", "<td style=\"padding:2.25pt\"><p class=\"MsoNormal\">", "<o:p></o:p></p></td>"},
	{"li", "<li class=\"MsoNormal\" style=\"mso-list:l0 level1 lfo1\">",
         "<o:p></o:p></li>"},
	{"h2", "<h2><span style=\"font-family:&quot;Segoe UI&quot;,sans-serif\">",
         "<o:p></o:p></span></h2>"},
	{"pre", "<pre style=\"overflow-x:auto\">", "<o:p></o:p></pre>"},
},
  flat_tags[] = {{"table", "<div>", "</div>"},    {"tr", "<div>", "</div>"},
                 {"th", "<b>", "</b> "},          {"td", "<span>", "</span> "},
                 {"ul", "<div>", "</div>"},       {"li", "<div>&bull; ", "</div>"},
                 {"h2", "<div><b>", "</b></div>"}};

static bool add_other_tag(struct strbuf *out, const struct token *t, enum html_quoting how)
{
	size_t n = how == HTML_WORD   ? sizeof word_tags / sizeof *word_tags
	           : how == HTML_FLAT ? sizeof flat_tags / sizeof *flat_tags
	                              : 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = how == HTML_WORD ? word_tags[i].name : flat_tags[i].name;
		const char *opens = how == HTML_WORD ? word_tags[i].opens : flat_tags[i].opens,
			   *closes = how == HTML_WORD ? word_tags[i].closes
		                                      : flat_tags[i].closes;

		if (is(t, name)) {
			strbuf_adds(out, t->closes ? closes : opens);
			return true;
		}
	}
	return false;
}

static bool is_block(const struct token *t)
{
	static const char *const blocks[] = {"p", "h2", "ul", "div", "pre"};

	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		if (is(t, blocks[i]))
			return true;
	return false;
}

void answers_quote_html(struct span html, enum html_quoting how, struct strbuf *out)
{
	struct span rest = body_of(html);
	bool links = false; /* in a paragraph of their own */
	struct token t;

	if (how == HTML_WHOLE) {
		size_t style = span_find(html, SPAN_LIT("<style>"));

		strbuf_add_span(
		    out, span_slice(html, style, span_find(html, SPAN_LIT("</style>")) + 8));
	}
	while (next_token(&rest, &t)) {
		if (how == HTML_WORD && is(&t, "div")) {
			if (!t.closes) {
				links = span_starts(rest, "<a");
				strbuf_adds(out,
				            links ? "<div><p class=\"MsoNormal\">" : "<div>");
			} else {
				strbuf_adds(out, links ? "<o:p></o:p></p></div>" : "</div>");
				links = false;
			}
		} else if (t.name.len == 0 || how == HTML_WHOLE) {
			strbuf_add_span(out, t.all);
		} else if (!add_other_tag(out, &t, how)) {
			strbuf_addf(out, "<%s%.*s", t.closes ? "/" : "", SPAN_ARGS(t.name));
			if (t.href.len > 0)
				strbuf_addf(out, " href=\"%.*s\"", SPAN_ARGS(t.href));
			strbuf_adds(out, ">");
		}
		if (t.closes && is_block(&t))
			strbuf_adds(out, "\n\n");
	}
}

/* ---- as plain text ---- */

static void add_unescaped(struct strbuf *out, struct span text, bool keeps)
{
	static const struct {
		const char *entity;
		char c;
	} entities[] = {
	    {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}};

	while (text.len > 0) {
		size_t n = 1;
		char c = text.ptr[0];

		for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
			if (span_starts(text, entities[i].entity)) {
				n = strlen(entities[i].entity);
				c = entities[i].c;
			}
		if (c == '\n' && !keeps)
			c = ' ';
		bool at_blank = out->len == 0 || strchr(" \n", out->ptr[out->len - 1]);
		if (keeps || c != ' ' || !at_blank)
			strbuf_addc(out, c);
		text = span_slice(text, n, text.len);
	}
}

/* At the beginning of a line, below an empty one if asked for. */
static void begin_line(struct strbuf *out, bool apart)
{
	while (out->len > 0 && strchr(" \n", out->ptr[out->len - 1]))
		strbuf_truncate(out, out->len - 1);
	if (out->len > 0)
		strbuf_adds(out, apart ? "\n\n" : "\n");
}

static void add_link(struct strbuf *out, const struct html_to_plain *how, struct span href,
                     unsigned *notes, struct strbuf *below)
{
	if (how->link == LINK_NOTE) {
		strbuf_addf(out, " [%u]", ++*notes);
		strbuf_addf(below, "[%u] ", *notes);
		add_unescaped(below, href, true);
		strbuf_addc(below, '\n');
	} else if (how->link != LINK_NONE) {
		strbuf_adds(out, how->link == LINK_SQUARE  ? "]("
		                 : how->link == LINK_APART ? " <"
		                                           : "<");
		add_unescaped(out, href, true);
		strbuf_addc(out, how->link == LINK_SQUARE ? ')' : '>');
	}
}

void answers_html_to_plain(struct span html, const struct html_to_plain *how,
                           struct strbuf *out)
{
	struct span rest = body_of(html), href = SPAN_EMPTY;
	struct strbuf below = STRBUF_INIT;
	bool pre = false, row = false;
	unsigned notes = 0;
	struct token t;

	while (next_token(&rest, &t)) {
		if (t.name.len == 0) {
			add_unescaped(out, t.all, pre);
		} else if (is(&t, "a") && t.closes) {
			add_link(out, how, href, &notes, &below);
		} else if (is(&t, "a")) {
			href = t.href;
			strbuf_adds(out, how->link == LINK_SQUARE ? "[" : "");
		} else if (is(&t, "img")) { /* the most that a program says of it */
			strbuf_adds(out, "[image: ");
			add_unescaped(out, t.alt, false);
			strbuf_addc(out, ']');
		} else if (is(&t, "br")) {
			strbuf_addc(out, '\n');
		} else if (is(&t, "li") && !t.closes) {
			begin_line(out, false);
			strbuf_add_span(out, how->item);
		} else if ((is(&t, "td") || is(&t, "th")) && !t.closes) {
			if (row && how->cell.len == 0)
				begin_line(out, false);
			else if (row)
				strbuf_add_span(out, how->cell);
			row = true;
		} else if (is(&t, "tr")) {
			begin_line(out, false);
			row = false;
		} else if (is_block(&t)) {
			begin_line(out, !is(&t, "div"));
		}
		pre = is(&t, "pre") ? !t.closes : pre;
	}
	begin_line(out, false);
	if (below.len > 0)
		strbuf_addf(out, "\nLinks:\n------\n%s", below.ptr);
	strbuf_release(&below);
}
