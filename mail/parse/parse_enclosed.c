/*
 * parse_enclosed.c - what a mail carries besides its own words: attached texts, and mails.
 *
 * Trusts: nothing. Only what decodes to clean text is kept, so a picture that calls itself a
 * text is not; sizes and numbers are bounded, and the depth by that of the walk.
 */
#include "mail/parse/private.h"

#include <strings.h>

#include "mail/text/html.h"

struct enclosed_walk {
	struct parse *p;
	struct arena *arena;
	struct span texts[MAX_ENCLOSED];
	size_t n;
	bool html_only; /* the mail has no other words: what they quote counts */
};

static bool is_html(const struct mailmime *leaf)
{
	return parse_is_text(leaf->mm_content_type, "html");
}

/* Some programs attach every file as bytes of no type. */
static bool is_bytes(const struct mailmime_content *c)
{
	return c && c->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE &&
	       c->ct_type->tp_data.tp_discrete_type->dt_type ==
	           MAILMIME_DISCRETE_TYPE_APPLICATION &&
	       strcasecmp(c->ct_subtype, "octet-stream") == 0;
}

static bool is_any_text(const struct mailmime_content *c)
{
	return !c ||
	       (c->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE &&
	        c->ct_type->tp_data.tp_discrete_type->dt_type == MAILMIME_DISCRETE_TYPE_TEXT);
}

/* Of the mail itself what parse_text.c left out; of a mail within it the words. */
static bool is_wanted(const struct enclosed_walk *w, const struct mailmime *leaf, bool inner,
                      bool attached)
{
	if (is_html(leaf))
		return w->html_only && !inner && !attached;
	return inner || attached
	           ? is_any_text(leaf->mm_content_type) || is_bytes(leaf->mm_content_type)
	           : is_bytes(leaf->mm_content_type);
}

static void take_leaf(struct enclosed_walk *w, const struct mailmime *leaf, int encoding)
{
	struct parse *p = w->p;
	struct span text = parse_transfer(p, leaf->mm_data.mm_single, encoding);
	bool guessed;

	strbuf_clear(&p->text);
	if (text.len > MAIL_ENCLOSED_MOST ||
	    !charset_decode(p->charsets, parse_parameter(leaf->mm_content_type, "charset"),
	                    text, &p->text, &guessed))
		return;
	text = strbuf_span(&p->text);
	if (is_html(leaf)) {
		strbuf_clear(&p->decoded);
		html_to_text(text, HTML_WITH_QUOTES, &p->decoded);
		text = strbuf_span(&p->decoded);
	}
	if (text.len > 0 && text.len <= MAIL_ENCLOSED_MOST)
		w->texts[w->n++] = arena_dup(w->arena, text);
}

static void visit_leaf(struct enclosed_walk *w, const struct mailmime *leaf, bool inner)
{
	const struct mailmime_data *body = leaf->mm_data.mm_single;
	struct parse_use use;
	int encoding;

	if (!body || body->dt_type != MAILMIME_DATA_TEXT || w->n == MAX_ENCLOSED)
		return;
	encoding = parse_encoding(w->p, leaf, &use);
	if (is_wanted(w, leaf, inner, use.attached))
		take_leaf(w, leaf, encoding);
}

static void visit(struct enclosed_walk *w, const struct mailmime *node, bool inner,
                  unsigned depth)
{
	clistiter *at;

	if (depth > MAX_ENCLOSED_DEPTH)
		return;
	if (node->mm_type == MAILMIME_SINGLE) {
		visit_leaf(w, node, inner);
	} else if (node->mm_type == MAILMIME_MESSAGE) {
		if (node->mm_data.mm_message.mm_msg_mime)
			visit(w, node->mm_data.mm_message.mm_msg_mime, true, depth + 1);
	} else {
		for (at = clist_begin(node->mm_data.mm_multipart.mm_mp_list); at;
		     at = clist_next(at))
			visit(w, clist_content(at), inner, depth + 1);
	}
}

void parse_enclosed(struct parse *p, const struct mailmime *root, struct arena *arena,
                    struct mail_in *out)
{
	struct enclosed_walk w = {
	    .p = p, .arena = arena, .html_only = (out->flags & MAIL_FROM_HTML) != 0};

	if (out->fault != MAIL_OK)
		return;
	visit(&w, root, false, 0);
	out->enclosed.count = w.n;
	out->enclosed.items = arena_calloc(arena, w.n, sizeof(*out->enclosed.items));
	for (size_t i = 0; i < w.n; i++)
		out->enclosed.items[i] = w.texts[i];
}
