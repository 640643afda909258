/*
 * parse_text.c - walking the tree of parts and turning leaves into text.
 */
#include "mail/parse/private.h"

#include <string.h>
#include <strings.h>

#include "mail/text/flowed.h"
#include "mail/text/html.h"

enum { NOT_OPEN = 2 * MAX_TEXTS };

struct walk {
	struct parse *p;
	struct arena *arena;
	struct mail_in *out;
	bool html; /* which kind of leaf this pass looks for */
	struct mail_text texts[2 * MAX_TEXTS];
	size_t ntexts, most; /* of them in this pass */
	size_t open;         /* the text that goes on with the next leaf, or NOT_OPEN */
	size_t taken;        /* leaves that became text or part of one */
	bool too_deep;
};

/* Decoded UTF-8 in p->text -> the text people see, appended to p->decoded. */
static struct span readable(struct walk *w, const struct mailmime_content *type)
{
	struct parse *p = w->p;
	struct span utf8 = strbuf_span(&p->text);

	strbuf_clear(&p->decoded);
	if (w->html)
		html_to_text(utf8, HTML_WITHOUT_QUOTES, &p->decoded);
	else if (span_eq_nocase(parse_parameter(type, "format"), "flowed"))
		flowed_join(utf8, span_eq_nocase(parse_parameter(type, "delsp"), "yes"),
		            &p->decoded);
	else
		return utf8;
	return strbuf_span(&p->decoded);
}

static bool fits(const struct walk *w, struct span text)
{
	size_t lines = span_count_char(text, '\n') +
	               (text.len > 0 && text.ptr[text.len - 1] != '\n');

	return text.len <= w->p->limits.text_bytes && lines <= w->p->limits.text_lines;
}

/* As much of it as is read, whole lines if there are any. */
static struct span beginning(const struct walk *w, struct span text)
{
	struct span rest = text, line;
	unsigned lines = 0;

	while (lines < w->p->limits.text_lines && span_next_line(&rest, &line) &&
	       (size_t)(rest.ptr - text.ptr) <= w->p->limits.text_bytes)
		lines++;
	size_t end = lines == 0 ? 0 : (size_t)(rest.ptr - text.ptr);
	if (end > w->p->limits.text_bytes)
		end = (size_t)(line.ptr - text.ptr);
	if (end == 0)
		end = w->p->limits.text_bytes;
	while (end > 0 && end < text.len && ((unsigned char)text.ptr[end] & 0xc0) == 0x80)
		end--;
	return span_slice(text, 0, end);
}

/* Behind what stands there of the same text; false if that would be too long. */
static bool go_on(struct walk *w, struct span text)
{
	struct span *all = &w->texts[w->open].text;
	struct strbuf joined = STRBUF_INIT;
	bool fit;

	strbuf_add_span(&joined, *all);
	if (all->len > 0 && all->ptr[all->len - 1] != '\n')
		strbuf_addc(&joined, '\n');
	strbuf_add_span(&joined, text);
	fit = fits(w, strbuf_span(&joined));
	if (fit)
		*all = arena_dup(w->arena, strbuf_span(&joined));
	strbuf_release(&joined);
	return fit;
}

/* `part`: one of several that make one text. */
static void take_leaf(struct walk *w, const struct mailmime *leaf, int encoding, bool part)
{
	struct parse *p = w->p;
	struct span text = parse_transfer(p, leaf->mm_data.mm_single, encoding);
	bool guessed = false;

	strbuf_clear(&p->text);
	if (!charset_decode(p->charsets, parse_parameter(leaf->mm_content_type, "charset"),
	                    text, &p->text, &guessed)) {
		charset_decode_broken(p->charsets, text, &p->text);
		guessed = true;
	}
	charset_end_lines(&p->text);
	text = readable(w, leaf->mm_content_type);
	if (!fits(w, text)) {
		text = beginning(w, text);
		w->out->flags |= MAIL_TEXT_CUT;
	}
	if (guessed)
		w->out->flags |= MAIL_CHARSET_GUESSED;
	w->taken++;
	if ((part && w->open != NOT_OPEN && go_on(w, text)) || w->ntexts == w->most)
		return;
	if (part)
		w->open = w->ntexts;
	w->texts[w->ntexts++] = (struct mail_text){arena_dup(w->arena, text), w->html};
}

static void visit_leaf(struct walk *w, const struct mailmime *leaf)
{
	/* Markdown is plain text; text/enriched (RFC 1896) has tags like HTML. */
	static const char *const kinds[2][3] = {{"plain", "markdown", "x-markdown"},
	                                        {"html", "enriched", "richtext"}};
	const struct mailmime_data *body = leaf->mm_data.mm_single;
	struct parse_use use;
	bool wanted = false;

	for (size_t i = 0; i < 3; i++)
		wanted = wanted || parse_is_text(leaf->mm_content_type, kinds[w->html][i]);
	if (!wanted || !body || body->dt_type != MAILMIME_DATA_TEXT ||
	    (w->ntexts == w->most && w->open == NOT_OPEN))
		return;
	int encoding = parse_encoding(w->p, leaf, &use);
	if (!use.attached)
		take_leaf(w, leaf, encoding, use.name.len == 0);
}

static void visit(struct walk *w, const struct mailmime *node, unsigned depth);

/* Only the first that has such a text goes on with what is open; the others stand alone. */
static void visit_alternatives(struct walk *w, clist *nodes, unsigned depth)
{
	size_t open, taken = w->taken;
	clistiter *at;

	for (at = clist_begin(nodes); at && w->taken == taken; at = clist_next(at))
		visit(w, clist_content(at), depth);
	open = w->open;
	for (; at; at = clist_next(at)) {
		w->open = NOT_OPEN;
		visit(w, clist_content(at), depth);
	}
	w->open = open;
}

/*
 * message/rfc822 is somebody else's mail: not entered here. depth: multiparts around the node.
 *
 * Apple Mail and Outlook cut a text where a picture stands in it: what lies side by side is one
 * text.
 */
static void visit(struct walk *w, const struct mailmime *node, unsigned depth)
{
	clistiter *at;

	if (node->mm_type == MAILMIME_SINGLE)
		visit_leaf(w, node);
	if (node->mm_type != MAILMIME_MULTIPLE)
		return;
	w->too_deep = w->too_deep || depth == w->p->limits.depth;
	if (w->too_deep)
		return;
	clist *nodes = node->mm_data.mm_multipart.mm_mp_list;
	bool alternative = node->mm_content_type &&
	                   strcasecmp(node->mm_content_type->ct_subtype, "alternative") == 0;
	if (alternative)
		visit_alternatives(w, nodes, depth + 1);
	for (at = alternative ? NULL : clist_begin(nodes); at; at = clist_next(at))
		visit(w, clist_content(at), depth + 1);
}

static void collect_texts(struct walk *w, const struct mailmime *root)
{
	struct mail_in *out = w->out;

	for (int html = 0; html < 2; html++) { /* one pass for each kind */
		w->html = html == 1;
		w->most = w->ntexts + MAX_TEXTS;
		w->open = NOT_OPEN;
		w->taken = 0;
		visit(w, root, 0);
	}
	out->fault = w->too_deep ? MAIL_TOO_DEEP : w->ntexts == 0 ? MAIL_NO_TEXT : MAIL_OK;
	if (out->fault != MAIL_OK)
		return;
	if (w->texts[0].is_html)
		out->flags |= MAIL_FROM_HTML;
	out->ntexts = w->ntexts;
	out->texts = arena_calloc(w->arena, w->ntexts, sizeof(*out->texts));
	memcpy(out->texts, w->texts, w->ntexts * sizeof(*out->texts));
}

/* ---- one part that has no parts of its own: its type, use and encoding ---- */

struct span parse_parameter(const struct mailmime_content *type, const char *name)
{
	clistiter *at;

	if (!type || !type->ct_parameters)
		return SPAN_EMPTY;
	for (at = clist_begin(type->ct_parameters); at; at = clist_next(at)) {
		const struct mailmime_parameter *param = clist_content(at);
		struct span value = span_of(param->pa_value);

		if (strcasecmp(param->pa_name, name) != 0)
			continue;
		if (value.len >= 2 && value.ptr[0] == '"' && value.ptr[value.len - 1] == '"')
			value = span_slice(value, 1, value.len - 1);
		return span_trim(value);
	}
	return SPAN_EMPTY;
}

bool parse_is_text(const struct mailmime_content *type, const char *subtype)
{
	if (!type)
		return strcmp(subtype, "plain") == 0;
	return type->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE &&
	       type->ct_type->tp_data.tp_discrete_type->dt_type ==
	           MAILMIME_DISCRETE_TYPE_TEXT &&
	       strcasecmp(type->ct_subtype, subtype) == 0;
}

struct span parse_transfer(struct parse *p, const struct mailmime_data *body, int encoding)
{
	struct span data = {body->dt_data.dt_text.dt_data, body->dt_data.dt_text.dt_length};
	char *result = NULL;
	size_t at = 0, len = 0;

	if (encoding != MAILMIME_MECHANISM_BASE64 &&
	    encoding != MAILMIME_MECHANISM_QUOTED_PRINTABLE)
		return data;
	strbuf_clear(&p->decoded);
	if (p->lib.mailmime_part_parse(data.ptr, data.len, &at, encoding, &result, &len) !=
	    MAILIMF_NO_ERROR)
		return SPAN_EMPTY;
	strbuf_add(&p->decoded, result, len);
	p->lib.mailmime_decoded_part_free(result);
	return strbuf_span(&p->decoded);
}

int parse_encoding(struct parse *p, const struct mailmime *leaf, struct parse_use *use)
{
	struct mailmime_single_fields f;
	int encoding = leaf->mm_data.mm_single->dt_encoding;

	memset(&f, 0, sizeof(f));
	if (leaf->mm_mime_fields)
		p->lib.mailmime_single_fields_init(&f, leaf->mm_mime_fields,
		                                   leaf->mm_content_type);
	use->attached = f.fld_disposition && f.fld_disposition->dsp_type->dsp_type !=
	                                         MAILMIME_DISPOSITION_TYPE_INLINE;
	use->name = f.fld_disposition_filename ? span_of(f.fld_disposition_filename)
	                                       : parse_parameter(leaf->mm_content_type, "name");
	return f.fld_encoding ? f.fld_encoding->enc_type : encoding;
}

/* ---- what libetpan is shown ---- */

/* "multipart/mixed;; boundary=b; protected-headers" without what stands for nothing. */
static void add_type(struct strbuf *message, struct span value)
{
	bool quoted = false, first = true;
	size_t from = 0;

	for (size_t i = 0; i <= value.len; i++) {
		if (i < value.len && value.ptr[i] == '"')
			quoted = !quoted;
		if (i < value.len && (value.ptr[i] != ';' || quoted))
			continue;
		struct span piece = span_trim(span_slice(value, from, i));
		size_t equals = span_find_char(piece, '=');

		from = i + 1;
		/* The library gives up on a parameter without a value. */
		if (!first && (equals == 0 ||
		               span_trim(span_slice(piece, equals + 1, piece.len)).len == 0))
			continue;
		strbuf_addf(message, "%s%.*s", first ? "Content-Type: " : "; ",
		            SPAN_ARGS(piece));
		first = false;
	}
	strbuf_addc(message, '\n');
}

static void add_field(struct strbuf *message, const struct header *h, const char *name,
                      struct arena *arena)
{
	struct span value = header_value(h, name, arena);

	if (value.len == 0)
		return;
	strbuf_adds(message, name);
	strbuf_adds(message, ": ");
	strbuf_add_span(message, value);
	strbuf_addc(message, '\n');
}

/*
 * A header of at most three fields, those that say what the body is: the rest of the header has
 * been read already, and its surprises are kept from the library.
 */
static void build_message(struct strbuf *message, const struct header *h, struct arena *arena)
{
	strbuf_clear(message);
	strbuf_grow(message, h->body.len + 1024);
	/* "Content-Type: text" of old programs says nothing (RFC 2045, 5.2): plain text then. */
	struct span type = header_value(h, "Content-Type", arena);
	if (span_find_char(type, '/') < span_find_char(type, ';'))
		add_type(message, type);
	add_field(message, h, "Content-Transfer-Encoding", arena);
	add_field(message, h, "Content-Disposition", arena);
	strbuf_addc(message, '\n');
	strbuf_add_span(message, h->body);
	strbuf_add_repeat(message, '\0', BEHIND_MESSAGE);
	strbuf_truncate(message, message->len - BEHIND_MESSAGE);
}

/* ---- when the library finds nothing ---- */

/*
 * A part of text in a body whose structure is broken: behind a line that begins with two dashes stands
 * a header that says so. Up to the next line like the first, or the end.
 */
static bool find_text_part(struct span body, struct span *part)
{
	struct span rest = body, line, next;

	while (span_next_line(&rest, &line)) {
		struct span ahead = rest;

		if (line.len < 3 || !span_starts(line, "--") ||
		    !span_next_line(&ahead, &next) ||
		    (!span_starts_nocase(next, "content-type: text/plain") &&
		     !span_starts_nocase(next, "content-type: text/html")))
			continue;
		*part = rest;
		while (span_next_line(&ahead, &next))
			if (next.len >= line.len &&
			    span_eq(span_slice(next, 0, line.len), line)) {
				*part = (struct span){rest.ptr, (size_t)(next.ptr - rest.ptr)};
				return true;
			}
		return true;
	}
	return false;
}

/* False for a body of parts in which the line that parts them is not the one the header names. */
static bool has_its_boundary(const struct header *h, struct arena *arena)
{
	static const char name[] = "boundary=";
	struct span type = header_value(h, "Content-Type", arena), rest = type, line;
	size_t at = 0;

	while (at < type.len && !span_starts_nocase(span_slice(type, at, type.len), name))
		at++;
	if (!span_starts_nocase(type, "multipart/") || at == type.len)
		return true;
	rest = span_slice(type, at + sizeof(name) - 1, type.len);
	bool quoted = rest.len > 0 && *rest.ptr == '"';
	rest = span_slice(rest, quoted, rest.len);
	struct span boundary =
	    span_trim(span_slice(rest, 0, span_find_char(rest, quoted ? '"' : ';')));
	for (rest = h->body; span_next_line(&rest, &line);)
		if (span_starts(line, "--") && line.len >= boundary.len + 2 &&
		    span_eq(span_slice(line, 2, boundary.len + 2), boundary))
			return true;
	return false;
}

/* p->message as libetpan has it, to be freed unless NULL; *root in it: NULL = there is nothing. */
static struct mailmime *tree_of(struct parse *p, const struct mailmime **root)
{
	struct mailmime *tree = NULL;
	size_t at = 0;

	*root = NULL;
	if (p->lib.mailmime_parse(p->message.ptr, p->message.len, &at, &tree) ==
	    MAILIMF_NO_ERROR)
		*root = tree->mm_type == MAILMIME_MESSAGE ? tree->mm_data.mm_message.mm_msg_mime
		                                          : tree;
	return tree;
}

/* As texts; false when there is none in it. */
static bool read_tree(struct walk *w, bool whole)
{
	struct parse *p = w->p;
	const struct mailmime *root;
	struct mailmime *tree = tree_of(p, &root);

	if (root)
		collect_texts(w, root);
	if (root && whole) {
		parse_report(p, root, w->arena, w->out);
		parse_enclosed(p, root, false, w->arena, w->out);
	}
	if (tree)
		p->lib.mailmime_free(tree);
	return w->out->ntexts > 0;
}

void parse_texts(struct parse *p, const struct header *h, const struct header *with_rest,
                 struct arena *arena, struct mail_in *out)
{
	struct walk *w = arena_alloc(arena, sizeof(*w));
	struct header inner;
	struct span part;

	*w = (struct walk){.p = p, .arena = arena, .out = out};
	out->fault = MAIL_NO_TEXT;
	if (with_rest) {
		const struct mailmime *root;

		build_message(&p->message, with_rest, arena);
		struct mailmime *tree = tree_of(p, &root);
		if (root)
			parse_enclosed(p, root, true, arena, out);
		if (tree)
			p->lib.mailmime_free(tree);
		if (h->body.len == 0)
			return;
	}
	build_message(&p->message, h, arena);
	bool sound = has_its_boundary(h, arena);
	if (sound && (read_tree(w, true) || out->fault != MAIL_NO_TEXT))
		return;
	if (!find_text_part(h->body, &part)) {
		if (!sound)
			(void)read_tree(w, true);
		return;
	}
	header_split(part, arena, &inner);
	build_message(&p->message, &inner, arena);
	*w = (struct walk){.p = p, .arena = arena, .out = out};
	(void)read_tree(w, false);
}
