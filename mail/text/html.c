/*
 * html.c - a tolerant reader of tags.
 *
 * Everything that could be nested is counted, not stacked: while an element is
 * left out, only tags of its own name are counted until it closes. A search that has
 * once run to the end of the text in vain is not made again.
 */
#include "mail/text/html.h"

#include <string.h>

#include "processor/base/utf8.h"

/* ---- character references, as far as mail uses them: &#233; &#xe9; &eacute; ---- */

enum { NAME_MAX_LEN = 8, REPLACEMENT = 0xfffd };

/* U+00A0 to U+00FF in order. */
static const char *const latin1_names[] = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml",
};

static const struct {
	const char *name;
	uint32_t cp;
} other_names[] = {
    {"amp", 0x26},      {"lt", 0x3c},      {"gt", 0x3e},       {"quot", 0x22},
    {"apos", 0x27},     {"OElig", 0x152},  {"oelig", 0x153},   {"Scaron", 0x160},
    {"scaron", 0x161},  {"Yuml", 0x178},   {"circ", 0x2c6},    {"tilde", 0x2dc},
    {"ensp", 0x2002},   {"emsp", 0x2003},  {"thinsp", 0x2009}, {"zwnj", 0x200c},
    {"zwj", 0x200d},    {"lrm", 0x200e},   {"rlm", 0x200f},    {"ndash", 0x2013},
    {"mdash", 0x2014},  {"lsquo", 0x2018}, {"rsquo", 0x2019},  {"sbquo", 0x201a},
    {"ldquo", 0x201c},  {"rdquo", 0x201d}, {"bdquo", 0x201e},  {"dagger", 0x2020},
    {"Dagger", 0x2021}, {"bull", 0x2022},  {"hellip", 0x2026}, {"permil", 0x2030},
    {"prime", 0x2032},  {"Prime", 0x2033}, {"lsaquo", 0x2039}, {"rsaquo", 0x203a},
    {"euro", 0x20ac},   {"trade", 0x2122}, {"minus", 0x2212},  {"larr", 0x2190},
    {"uarr", 0x2191},   {"rarr", 0x2192},  {"darr", 0x2193},   {"harr", 0x2194},
};

static uint32_t allowed(uint32_t n)
{
	if (n == '\t' || n == '\n' || n == '\r')
		return ' ';
	if (n >= 0x80 && n <= 0x9f) {
		/* What they mean to everybody: the bytes of windows-1252. */
		static const uint16_t windows[32] = {
		    0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
		    0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd,
		    0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
		    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
		};

		return windows[n - 0x80];
	}
	if (n < ' ' || n == 0x7f || n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff))
		return REPLACEMENT;
	return n;
}

/* "&#123;", "&#x7b;", the semicolon optional. */
static size_t read_number(struct span s, uint32_t *cp)
{
	unsigned base = s.len > 2 && (s.ptr[2] == 'x' || s.ptr[2] == 'X') ? 16 : 10;
	size_t start = base == 16 ? 3 : 2, i;
	uint32_t n = 0;

	for (i = start; i < s.len; i++) {
		int d = ascii_hex_value(s.ptr[i]);

		if (d < 0 || d >= (int)base)
			break;
		if (n <= 0x10ffff) /* far enough to know that it is too much */
			n = n * base + (uint32_t)d;
	}
	if (i == start)
		return 0;
	*cp = allowed(n);
	return i + (i < s.len && s.ptr[i] == ';');
}

/* Asked at every '&', of all names: most differ in their first letter. */
static bool is_name(struct span name, const char *known)
{
	return name.ptr[0] == known[0] && span_eq_str(name, known);
}

static bool find_name(struct span name, uint32_t *cp)
{
	size_t i;

	if (name.len == 0)
		return false;
	for (i = 0; i < sizeof(other_names) / sizeof(other_names[0]); i++)
		if (is_name(name, other_names[i].name)) {
			*cp = other_names[i].cp;
			return true;
		}
	for (i = 0; i < sizeof(latin1_names) / sizeof(latin1_names[0]); i++)
		if (is_name(name, latin1_names[i])) {
			*cp = 0xa0 + (uint32_t)i;
			return true;
		}
	return false;
}

/*
 * `s` stands at '&'. Returns how many bytes the reference takes and what it means, or 0 when it
 * is none. Never gives a control character: those that mean one become U+FFFD.
 */
static size_t entity_read(struct span s, uint32_t *cp)
{
	size_t n = 1;

	if (s.len > 1 && s.ptr[1] == '#')
		return read_number(s, cp);
	while (n < s.len && n <= NAME_MAX_LEN && ascii_is_alnum(s.ptr[n]))
		n++;
	if (!find_name(span_slice(s, 1, n), cp))
		return 0;
	return n + (n < s.len && s.ptr[n] == ';');
}

/* ---- tags ---- */

enum { TAG_NAME_MAX = 15 };

struct tag {
	char name[TAG_NAME_MAX + 1]; /* lower case, cut to fit: longer ones are none of ours */
	bool closing;
	bool empty; /* <x/> */
	struct span attributes;
};

struct reader {
	struct span rest;
	struct strbuf *out;
	enum html_quotes quotes;
	size_t line_start; /* offset in out */
	bool space;        /* a blank is due before the next character of this line */
	unsigned pre;      /* nested <pre> */
	char dropping[TAG_NAME_MAX + 1]; /* the element being left out, "" if none */
	size_t drop_depth;
	bool quotes_lie;   /* an attribute's quote never closed: '>' alone ends a tag now */
	bool no_more_tags; /* there is no '>' ahead */
	bool comment_open; /* a comment never closed: take "<!--" as a plain declaration */
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == ':' || c == '-';
}

static bool word_in(const char *word, const char *const *list, size_t n)
{
	while (n-- > 0)
		if (word[0] == list[n][0] && strcmp(word, list[n]) == 0)
			return true;
	return false;
}

static bool is_block(const char *name)
{
	static const char *const blocks[] = {
	    "p",        "div",     "tr",     "li",      "ul",    "ol",      "table",
	    "h1",       "h2",      "h3",     "h4",      "h5",    "h6",      "pre",
	    "hr",       "dl",      "dt",     "dd",      "body",  "header",  "footer",
	    "section",  "article", "center", "address", "form",  "caption", "tbody",
	    "thead",    "tfoot",   "main",   "nav",     "aside", "figure",  "blockquote",
	    "fieldset", "option",
	};

	return word_in(name, blocks, sizeof(blocks) / sizeof(blocks[0]));
}

static bool is_void(const char *name)
{
	static const char *const voids[] = {"br",    "hr",    "img",   "meta", "link",
	                                    "input", "wbr",   "area",  "base", "col",
	                                    "embed", "param", "source"};

	return word_in(name, voids, sizeof(voids) / sizeof(voids[0]));
}

/* The blank behind the two dashes above a signature is the one at a line's end that matters. */
static void end_blanks(struct reader *r)
{
	struct span line = span_slice(strbuf_span(r->out), r->line_start, r->out->len);

	if (r->space && span_eq_str(line, "--"))
		strbuf_addc(r->out, ' ');
	r->space = false;
}

/* Ends the line if something stands on it. */
static void end_line(struct reader *r)
{
	end_blanks(r);
	if (r->out->len > r->line_start) {
		strbuf_addc(r->out, '\n');
		r->line_start = r->out->len;
	}
}

static void break_line(struct reader *r)
{
	end_blanks(r);
	strbuf_addc(r->out, '\n');
	r->line_start = r->out->len;
}

static void put(struct reader *r, const char *bytes, size_t len)
{
	if (r->space && r->out->len > r->line_start)
		strbuf_addc(r->out, ' ');
	r->space = false;
	strbuf_add(r->out, bytes, len);
}

static void put_space(struct reader *r, char c)
{
	if (r->pre == 0)
		r->space = true;
	else if (c == '\n')
		break_line(r);
	else if (c != '\r')
		put(r, " ", 1);
}

/* Offset of the '>' that ends a tag, with quoted attribute values skipped; rest.len if none. */
static size_t find_tag_end(struct reader *r)
{
	char quote = 0;
	size_t i;

	if (r->quotes_lie)
		return span_find_char(r->rest, '>');
	for (i = 1; i < r->rest.len; i++) {
		char c = r->rest.ptr[i];

		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '>')
			return i;
		else if ((c == '"' || c == '\'') && r->rest.ptr[i - 1] == '=')
			quote = c;
	}
	r->quotes_lie = true;
	return span_find_char(r->rest, '>');
}

/* rest stands at '<' and a letter or '/'; on success it stands behind the tag. */
static bool read_tag(struct reader *r, struct tag *t)
{
	size_t end = find_tag_end(r), at = 1, n = 0;

	if (end == r->rest.len) {
		r->no_more_tags = true;
		return false;
	}
	t->closing = r->rest.ptr[at] == '/';
	at += t->closing;
	for (; at < end && is_name_char(r->rest.ptr[at]); at++)
		if (n < TAG_NAME_MAX)
			t->name[n++] = ascii_lower(r->rest.ptr[at]);
	t->name[n] = '\0';
	t->attributes = span_slice(r->rest, at, end);
	t->empty = r->rest.ptr[end - 1] == '/';
	r->rest = span_slice(r->rest, end + 1, r->rest.len);
	return true;
}

static void skip_spaces(struct span *s)
{
	while (s->len > 0 && is_space(s->ptr[0]))
		*s = span_slice(*s, 1, s->len);
}

/* Takes the next name=value off *rest; value is empty for a bare name. */
static bool next_attribute(struct span *rest, struct span *name, struct span *value)
{
	size_t n = 0;
	char quote = 0;

	while (rest->len > 0 && (is_space(rest->ptr[0]) || rest->ptr[0] == '/'))
		*rest = span_slice(*rest, 1, rest->len);
	if (rest->len == 0)
		return false;
	while (n < rest->len && !is_space(rest->ptr[n]) && rest->ptr[n] != '=')
		n++;
	*name = span_slice(*rest, 0, n);
	*rest = span_slice(*rest, n, rest->len);
	*value = SPAN_EMPTY;
	skip_spaces(rest);
	if (rest->len == 0 || rest->ptr[0] != '=')
		return true;
	*rest = span_slice(*rest, 1, rest->len);
	skip_spaces(rest);
	if (rest->len > 0 && (rest->ptr[0] == '"' || rest->ptr[0] == '\'')) {
		quote = rest->ptr[0];
		*rest = span_slice(*rest, 1, rest->len);
	}
	for (n = 0; n < rest->len && (quote ? rest->ptr[n] != quote : !is_space(rest->ptr[n]));
	     n++)
		;
	*value = span_slice(*rest, 0, n);
	*rest = span_slice(*rest, n + (quote != 0), rest->len);
	return true;
}

static bool has_word(struct span list, const char *word)
{
	struct span w;

	while (span_next_word(&list, "\r\n\f", &w))
		if (span_eq_nocase(w, word))
			return true;
	return false;
}

/* Marks that the big clients put on what they quote. */
static bool is_marked_quote(struct span attributes)
{
	struct span name, value;

	while (next_attribute(&attributes, &name, &value)) {
		if (span_eq_nocase(name, "class") && has_word(value, "gmail_quote"))
			return true;
		if (span_eq_nocase(name, "id") && span_eq_nocase(value, "divRplyFwdMsg"))
			return true;
	}
	return false;
}

/* Gmail's button for more indent makes a blockquote without a border: what stands in it is no quote. */
static bool is_indented_only(struct span attributes)
{
	struct span name, value;
	bool marked = false, borderless = false;

	while (next_attribute(&attributes, &name, &value)) {
		if (!span_eq_nocase(name, "style"))
			marked = true;
		else
			borderless = span_find(value, SPAN_LIT("border:none")) < value.len ||
			             span_find(value, SPAN_LIT("border: none")) < value.len ||
			             span_find(value, SPAN_LIT("border-width: 0")) < value.len;
	}
	return borderless && !marked;
}

static bool is_quote(const struct tag *t)
{
	return is_marked_quote(t->attributes) ||
	       (strcmp(t->name, "blockquote") == 0 && !is_indented_only(t->attributes));
}

static bool is_left_out(const struct reader *r, const struct tag *t)
{
	static const char *const left_out[] = {"style",    "script",   "title", "template",
	                                       "noscript", "textarea", "select"};

	if (word_in(t->name, left_out, sizeof(left_out) / sizeof(left_out[0])))
		return true;
	return r->quotes == HTML_WITHOUT_QUOTES && is_quote(t);
}

/* style, script and title hold raw text: tags in there are none. */
static bool skip_raw_text(struct reader *r, const struct tag *t)
{
	static const char *const raw[] = {"style", "script", "title", "textarea"};
	size_t len = strlen(t->name);

	if (!word_in(t->name, raw, sizeof(raw) / sizeof(raw[0])))
		return false;
	while (r->rest.len > 0) {
		size_t lt = span_find_char(r->rest, '<');

		r->rest = span_slice(r->rest, lt, r->rest.len);
		if (r->rest.len > len + 1 && r->rest.ptr[1] == '/' &&
		    span_starts_nocase(span_slice(r->rest, 2, r->rest.len), t->name))
			return true; /* the closing tag is read next and means nothing */
		r->rest = span_slice(r->rest, 1, r->rest.len);
	}
	return true;
}

static void count_dropped(struct reader *r, const struct tag *t)
{
	if (strcmp(t->name, r->dropping) != 0 || t->empty)
		return;
	if (!t->closing)
		r->drop_depth++;
	else if (--r->drop_depth == 0)
		r->dropping[0] = '\0';
}

static void show_tag(struct reader *r, const struct tag *t)
{
	if (strcmp(t->name, "br") == 0)
		break_line(r);
	else if (strcmp(t->name, "td") == 0 || strcmp(t->name, "th") == 0)
		r->space = true;
	else if (is_block(t->name))
		end_line(r);
	if (strcmp(t->name, "pre") == 0 && !t->closing)
		r->pre++;
	else if (strcmp(t->name, "pre") == 0 && r->pre > 0)
		r->pre--;
}

static void handle_tag(struct reader *r, const struct tag *t)
{
	if (r->dropping[0]) {
		count_dropped(r, t);
		return;
	}
	if (t->closing || t->empty || is_void(t->name) || !is_left_out(r, t)) {
		show_tag(r, t);
		return;
	}
	end_line(r);
	if (skip_raw_text(r, t))
		return;
	if (r->out->len > 0 && is_quote(t)) {
		strbuf_adds(r->out, ">\n");
		r->line_start = r->out->len;
	}
	memcpy(r->dropping, t->name, sizeof(r->dropping));
	r->drop_depth = 1;
}

/* <!-- ... -->, <!DOCTYPE ...>, <?xml ...>: nothing of it is text. */
static void skip_declaration(struct reader *r)
{
	size_t end;

	if (span_starts(r->rest, "<!--") && !r->comment_open) {
		end = span_find(r->rest, SPAN_LIT("-->"));
		if (end < r->rest.len) {
			r->rest = span_slice(r->rest, end + 3, r->rest.len);
			return;
		}
		r->comment_open = true;
	}
	end = span_find_char(r->rest, '>');
	r->rest = span_slice(r->rest, end + 1, r->rest.len);
}

/* Something behind '<' that makes it more than a less-than sign. */
static bool read_markup(struct reader *r)
{
	char next = r->rest.len > 1 ? r->rest.ptr[1] : ' ';
	struct tag t;

	if (next == '!' || next == '?') {
		skip_declaration(r);
		return true;
	}
	if (r->no_more_tags)
		return false;
	if (next != '/' && !(ascii_lower(next) >= 'a' && ascii_lower(next) <= 'z'))
		return false;
	if (!read_tag(r, &t))
		return false;
	handle_tag(r, &t);
	return true;
}

static void read_entity(struct reader *r)
{
	uint32_t cp;
	size_t len = entity_read(r->rest, &cp);
	struct strbuf utf8 = STRBUF_INIT;

	if (len == 0) {
		put(r, "&", 1);
		len = 1;
	} else if (cp == ' ' || cp == '\t' || cp == '\n') {
		put_space(r, (char)cp);
	} else {
		utf8_add(&utf8, cp);
		put(r, utf8.ptr, utf8.len);
	}
	strbuf_release(&utf8);
	r->rest = span_slice(r->rest, len, r->rest.len);
}

static bool is_special(char c)
{
	static const bool special[256] = {
	    ['<'] = true,  ['&'] = true,  [' '] = true,  ['\t'] = true,
	    ['\n'] = true, ['\r'] = true, ['\f'] = true,
	};

	return special[(unsigned char)c];
}

static void read_text(struct reader *r)
{
	struct span s = r->rest;
	size_t run = 0; /* bytes that stand for themselves: also a single blank between two */

	while (run < s.len &&
	       (!is_special(s.ptr[run]) || (run > 0 && s.ptr[run] == ' ' && run + 1 < s.len &&
	                                    !is_special(s.ptr[run + 1]))))
		run++;
	if (run > 0) {
		put(r, r->rest.ptr, run);
		r->rest = span_slice(r->rest, run, r->rest.len);
	} else if (r->rest.ptr[0] == '&') {
		read_entity(r);
	} else {
		if (r->rest.ptr[0] == '<')
			put(r, "<", 1);
		else
			put_space(r, r->rest.ptr[0]);
		r->rest = span_slice(r->rest, 1, r->rest.len);
	}
}

void html_to_text(struct span html, enum html_quotes quotes, struct strbuf *out)
{
	struct reader r = {.rest = html, .out = out, .quotes = quotes, .line_start = out->len};

	while (r.rest.len > 0) {
		if (r.rest.ptr[0] == '<' && read_markup(&r))
			continue;
		if (r.dropping[0]) {
			size_t next = span_find_char(span_slice(r.rest, 1, r.rest.len), '<');

			r.rest = span_slice(r.rest, 1 + next, r.rest.len);
			continue;
		}
		read_text(&r);
	}
	end_line(&r);
}
