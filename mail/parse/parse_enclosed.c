/*
 * parse_enclosed.c - what a mail carries besides its own words: attached texts, and mails;
 * of other files their names.
 *
 * Trusts: nothing. Only what decodes to clean text is kept, so a picture that calls itself a
 * text is not; sizes and numbers are bounded, and the depth by that of the walk.
 */
#include "mail/parse/private.h"

#include <strings.h>

#include "mail/text/encoded_words.h"
#include "mail/text/html.h"

struct enclosed_walk {
	struct parse *p;
	struct arena *arena;
	struct span texts[MAX_ENCLOSED];
	size_t n;
	struct mail_attachment attachments[MAIL_ATTACHMENTS_MOST];
	size_t nattachments;
	bool html_only; /* the mail has no other words: what they quote counts */
	bool is_cut;
};

static void visit_leaf(struct enclosed_walk *w, const struct mailmime *leaf, bool inner)
{
	const struct mailmime_data *body = leaf->mm_data.mm_single;
	const struct mailmime_content *c = leaf->mm_content_type;
	struct parse *p = w->p;
	struct parse_use use;
	bool guessed;

	if (!body || body->dt_type != MAILMIME_DATA_TEXT)
		return;
	int encoding = parse_encoding(p, leaf, &use);
	/*
	 * Of the mail itself what parse_text.c left out; of a mail within it the words.
	 * Some programs attach every file as bytes of no type.
	 */
	int discrete = c && c->ct_type->tp_type == MAILMIME_TYPE_DISCRETE_TYPE
	                   ? c->ct_type->tp_data.tp_discrete_type->dt_type
	                   : -1;
	bool is_html = parse_is_text(c, "html"),
	     is_bytes = discrete == MAILMIME_DISCRETE_TYPE_APPLICATION &&
	                strcasecmp(c->ct_subtype, "octet-stream") == 0,
	     is_any_text = !c || discrete == MAILMIME_DISCRETE_TYPE_TEXT;
	/* By its name, else by its type; of base64 three bytes in four letters. */
	if (!inner && (use.attached || use.name.len > 0 || !is_any_text)) {
		struct span name = use.name;
		struct span data = {body->dt_data.dt_text.dt_data,
		                    body->dt_data.dt_text.dt_length};
		size_t bytes = data.len;

		if (encoding == MAILMIME_MECHANISM_BASE64)
			bytes = (bytes - span_count_char(data, '\n')) / 4 * 3;
		if (w->is_cut && data.ptr + data.len == w->p->message.ptr + w->p->message.len)
			bytes = 0;
		if (name.len == 0 && c)
			name = span_of(arena_printf(w->arena, "a %s file", c->ct_subtype));
		name = encoded_words_decode(name, w->p->charsets, w->arena);
		while (name.len > MAIL_ATTACHMENT_NAME_MOST || !charset_line_is_clean(name))
			name.len--;
		if (name.len > 0 && w->nattachments < MAIL_ATTACHMENTS_MOST)
			w->attachments[w->nattachments++] =
			    (struct mail_attachment){name, (uint32_t)bytes};
	}
	if (w->n == MAX_ENCLOSED || w->is_cut)
		return;
	if (is_html ? !w->html_only || inner || use.attached
	            : !is_bytes && !(is_any_text && (inner || use.attached)))
		return;
	struct span text = parse_transfer(p, body, encoding);
	strbuf_clear(&p->text);
	if (text.len > MAIL_ENCLOSED_MOST ||
	    !charset_decode(p->charsets, parse_parameter(c, "charset"), text, &p->text,
	                    &guessed))
		return;
	text = strbuf_span(&p->text);
	if (is_html) {
		strbuf_clear(&p->decoded);
		html_to_text(text, HTML_WITH_QUOTES, &p->decoded);
		text = strbuf_span(&p->decoded);
	}
	if (text.len > 0 && text.len <= MAIL_ENCLOSED_MOST)
		w->texts[w->n++] = arena_dup(w->arena, text);
}

static void visit(struct enclosed_walk *w, const struct mailmime *node, bool inner,
                  unsigned depth)
{
	if (depth > MAX_ENCLOSED_DEPTH)
		return;
	if (node->mm_type == MAILMIME_SINGLE) {
		visit_leaf(w, node, inner);
	} else if (node->mm_type == MAILMIME_MESSAGE) {
		if (node->mm_data.mm_message.mm_msg_mime)
			visit(w, node->mm_data.mm_message.mm_msg_mime, true, depth + 1);
	} else {
		for (clistiter *at = clist_begin(node->mm_data.mm_multipart.mm_mp_list); at;
		     at = clist_next(at))
			visit(w, clist_content(at), inner, depth + 1);
	}
}

void parse_enclosed(struct parse *p, const struct mailmime *root, bool is_cut,
                    struct arena *arena, struct mail_in *out)
{
	struct enclosed_walk w = {.p = p,
	                          .arena = arena,
	                          .html_only = (out->flags & MAIL_FROM_HTML) != 0,
	                          .is_cut = is_cut};

	visit(&w, root, false, 0);
	if (out->nattachments == 0) { /* else they were found in the whole of it */
		out->nattachments = w.nattachments;
		out->attachments =
		    arena_calloc(arena, w.nattachments, sizeof(*out->attachments));
		for (size_t i = 0; i < w.nattachments; i++)
			out->attachments[i] = w.attachments[i];
	}
	if (out->fault != MAIL_OK || is_cut)
		return;
	out->enclosed.count = w.n;
	out->enclosed.items = arena_calloc(arena, w.n, sizeof(*out->enclosed.items));
	for (size_t i = 0; i < w.n; i++)
		out->enclosed.items[i] = w.texts[i];
}
