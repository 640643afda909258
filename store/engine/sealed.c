/*
 * sealed.c - between sealed columns and plain text.
 */
#include "store/engine/sealed.h"

#include <string.h>

#include "processor/base/utf8.h"

const char *seal_context(struct store *s, const char *word, struct row_args of)
{
	struct strbuf *out = &s->context;

	strbuf_clear(out);
	strbuf_adds(out, word);
	for (size_t i = 0; i < of.n; i++)
		if (of.of[i].kind == VALUE_INT) {
			strbuf_addf(out, " %lld", (long long)of.of[i].number);
		} else {
			strbuf_addc(out, ' ');
			strbuf_add_span(out, of.of[i].bytes);
		}
	return out->ptr;
}

void add_contribution(struct strbuf *text, const struct hash *contribution)
{
	if (!hash_is_zero(contribution))
		strbuf_add_span(text, hash_span(contribution));
}

void take_contribution(struct span *text, struct hash *contribution)
{
	if (text->len < HASH_LEN)
		return;
	text->len -= HASH_LEN;
	memcpy(contribution->bytes, text->ptr + text->len, HASH_LEN);
}

void bind_sealed(struct query *q, enum seal_form form, const char *context, struct span plain)
{
	struct strbuf *out = &q->s->sealed;

	strbuf_clear(out);
	keyring_seal(q->s->keys, form, context, plain, out);
	bind_blob_copy(q, strbuf_span(out));
}

static enum err fail_seal(struct store *s, const char *context)
{
	return db_fail(s, ERR_CORRUPT, "database %s: the seal of \"%s\" does not open", s->path,
	               context);
}

enum err seal_open(struct store *s, enum seal_form form, const char *context,
                   struct span sealed, struct strbuf *out)
{
	enum err err = keyring_open(s->keys, form, context, sealed, out, NULL);

	return err == ERR_NONE ? err : fail_seal(s, context);
}

enum err seal_open_hash(struct store *s, const char *context, struct span sealed,
                        struct hash *out)
{
	strbuf_clear(&s->sealed);
	TRY(seal_open(s, SEALED, context, sealed, &s->sealed));
	if (s->sealed.len != HASH_LEN)
		return fail_seal(s, context);
	memcpy(out->bytes, s->sealed.ptr, HASH_LEN);
	return ERR_NONE;
}

void col_sealed(struct query *q, enum seal_form form, const char *context, struct strbuf *out)
{
	bool none = col_is_null(q);
	struct span sealed = col_bytes(q);

	if (!none && q->err == ERR_NONE)
		db_spoil(q, seal_open(q->s, form, context, sealed, out));
}

struct span col_sealed_text(struct query *q, enum seal_form form, const char *context,
                            struct arena *arena)
{
	strbuf_clear(&q->s->sealed);
	col_sealed(q, form, context, &q->s->sealed);
	return arena_dup(arena, strbuf_span(&q->s->sealed));
}

void col_sealed_hash(struct query *q, const char *context, struct hash *out)
{
	bool none = col_is_null(q);
	struct span sealed = col_bytes(q);

	memset(out, 0, sizeof(*out));
	if (!none && q->err == ERR_NONE)
		db_spoil(q, seal_open_hash(q->s, context, sealed, out));
}

/* A mail in outline is shown in words: both are the same mail. */
void col_opened(struct query *q, enum seal_form form, const char *context, struct strbuf *out)
{
	static const char outline[] = "outline ";
	struct strbuf words = STRBUF_INIT;

	col_sealed(q, form, context, out);
	if (q->err == ERR_NONE && strncmp(context, outline, strlen(outline)) == 0) {
		db_spoil(q, db_words(q->s, span_of(context + strlen(outline)), strbuf_span(out),
		                     &words));
		strbuf_swap(out, &words);
	}
	strbuf_release(&words);
}

void short_hash(struct store *s, const char *purpose, struct span bytes,
                unsigned char out[SHORT_HASH_LEN])
{
	struct hash d = keyring_mac(keyring_first(s->keys), purpose, bytes);

	memcpy(out, d.bytes, SHORT_HASH_LEN);
}

struct row_arg row_address(struct store *s, const char *purpose, const char *kind,
                           struct span address)
{
	struct strbuf who = STRBUF_INIT;

	strbuf_addf(&who, "%s%s", kind, *kind ? "\n" : "");
	utf8_add_folded(&who, address);
	short_hash(s, purpose, strbuf_span(&who), s->address);
	strbuf_release(&who);
	return row_blob((struct span){(const char *)s->address, SHORT_HASH_LEN});
}
