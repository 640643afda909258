/*
 * sealed.c - between sealed columns and plain text.
 */
#include "store/engine/sealed.h"

#include <string.h>

const char *context_of_game(struct store *s, const char *what, int64_t game)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "%s %lld", what, (long long)game);
	return s->context.ptr;
}

const char *context_of_turn(struct store *s, const char *what, int64_t game, unsigned serial)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "%s %lld %u", what, (long long)game, serial);
	return s->context.ptr;
}

const char *context_of_order(struct store *s, const struct order_key *k)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "order %lld %u %u %u %u %lld %lld", (long long)k->game,
	            k->serial, k->seat, k->revision, k->how, (long long)k->received_utc,
	            (long long)k->mail);
	return s->context.ptr;
}

const char *context_of_drawn(struct store *s, const struct order_key *k)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "drawn %lld %u %u %u", (long long)k->game, k->serial, k->seat,
	            k->revision);
	return s->context.ptr;
}

const char *context_of_detail(struct store *s, int64_t source, struct span transport_id)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "detail %lld ", (long long)source);
	strbuf_add_span(&s->context, transport_id);
	return s->context.ptr;
}

const char *context_of_quarantine(struct store *s, int64_t inbox)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "raw %lld", (long long)inbox);
	return s->context.ptr;
}

const char *context_of_mail(struct store *s, struct span message_id)
{
	strbuf_clear(&s->context);
	add_context_of_mail(&s->context, message_id);
	return s->context.ptr;
}

const char *context_of_outline(struct store *s, struct span message_id)
{
	strbuf_clear(&s->context);
	add_context_of_outline(&s->context, message_id);
	return s->context.ptr;
}

const char *context_of_votes(struct store *s, int64_t game, unsigned serial, unsigned seat,
                             unsigned revision)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "votes %lld %u %u %u", (long long)game, serial, seat,
	            revision);
	return s->context.ptr;
}

const char *context_of_proofs(struct store *s, struct span message_id)
{
	strbuf_clear(&s->context);
	strbuf_adds(&s->context, "proofs ");
	strbuf_add_span(&s->context, message_id);
	return s->context.ptr;
}

void add_context_of_mail(struct strbuf *out, struct span message_id)
{
	strbuf_adds(out, "mail ");
	strbuf_add_span(out, message_id);
}

void add_context_of_outline(struct strbuf *out, struct span message_id)
{
	strbuf_adds(out, "outline ");
	strbuf_add_span(out, message_id);
}

const char *context_of_confirmation(struct store *s, int64_t id, int64_t player, int64_t mail)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "question %lld %lld %lld", (long long)id, (long long)player,
	            (long long)mail);
	return s->context.ptr;
}

const char *context_of_press(struct store *s, int64_t id, int64_t game, unsigned seat,
                             int64_t mail)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "press %lld %lld %u %lld", (long long)id, (long long)game,
	            seat, (long long)mail);
	return s->context.ptr;
}

const char *context_of_queued(struct store *s, int64_t outbox, int64_t player, int64_t game)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "kept %lld %lld %lld", (long long)outbox, (long long)player,
	            (long long)game);
	return s->context.ptr;
}

const char *context_of_clause(struct store *s, int64_t id, int64_t player)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "clause %lld %lld", (long long)id, (long long)player);
	return s->context.ptr;
}

const char *context_of_standing_order(struct store *s, int64_t game, unsigned seat,
                                      unsigned kind, unsigned number, int64_t mail)
{
	strbuf_clear(&s->context);
	strbuf_addf(&s->context, "provision %lld %u %u %u %lld", (long long)game, seat, kind,
	            number, (long long)mail);
	return s->context.ptr;
}

void bind_sealed(struct query *q, const char *context, struct span plain)
{
	struct strbuf *out = &q->s->sealed;

	strbuf_clear(out);
	keyring_seal(q->s->keys, context, plain, out);
	bind_blob_copy(q, strbuf_span(out));
}

void bind_sealed_padded(struct query *q, const char *context, struct span plain)
{
	struct strbuf *out = &q->s->sealed;

	strbuf_clear(out);
	keyring_seal_padded(q->s->keys, context, plain, out);
	bind_blob_copy(q, strbuf_span(out));
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

void bind_sealed_once(struct query *q, const char *context, struct span plain)
{
	struct strbuf *out = &q->s->sealed;

	strbuf_clear(out);
	keyring_seal_once(q->s->keys, context, plain, out);
	bind_blob_copy(q, strbuf_span(out));
}

static enum err fail_seal(struct store *s, const char *context)
{
	return db_fail(s, ERR_CORRUPT, "database %s: the seal of \"%s\" does not open", s->path,
	               context);
}

static void opened(struct query *q, enum err err, const char *context)
{
	if (err != ERR_NONE && q->err == ERR_NONE)
		q->err = fail_seal(q->s, context);
}

void col_sealed(struct query *q, const char *context, struct strbuf *out)
{
	struct failure e = ERR_INIT;
	bool none = col_is_null(q);
	struct span bytes = col_bytes(q);

	if (!none)
		opened(q, keyring_open(q->s->keys, context, bytes, out, &e), context);
	err_release(&e);
}

static void col_sealed_once(struct query *q, const char *context, struct strbuf *out)
{
	struct failure e = ERR_INIT;

	opened(q, keyring_open_once(q->s->keys, context, col_bytes(q), out, &e), context);
	err_release(&e);
}

struct span col_sealed_text(struct query *q, const char *context, struct arena *arena)
{
	struct strbuf *out = &q->s->sealed;

	strbuf_clear(out);
	col_sealed(q, context, out);
	return arena_dup(arena, strbuf_span(out));
}

struct span col_sealed_text_once(struct query *q, const char *context, struct arena *arena)
{
	struct strbuf *out = &q->s->sealed;

	strbuf_clear(out);
	col_sealed_once(q, context, out);
	return arena_dup(arena, strbuf_span(out));
}

void col_sealed_hash(struct query *q, const char *context, struct hash *out)
{
	struct strbuf *plain = &q->s->sealed;
	bool none = col_is_null(q);

	memset(out, 0, sizeof(*out));
	strbuf_clear(plain);
	col_sealed(q, context, plain);
	if (none || q->err != ERR_NONE)
		return;
	if (plain->len == HASH_LEN)
		memcpy(out->bytes, plain->ptr, HASH_LEN);
	else
		opened(q, ERR_CORRUPT, context);
}

enum err sealed_text_open(struct store *s, const char *context, struct span sealed,
                          struct strbuf *out)
{
	struct failure e = ERR_INIT;
	enum err err = keyring_open(s->keys, context, sealed, out, &e);

	err_release(&e);
	return err == ERR_NONE ? err : fail_seal(s, context);
}

enum err sealed_hash_open(struct store *s, const char *context, struct span sealed,
                          struct hash *out)
{
	strbuf_clear(&s->sealed);
	enum err err = sealed_text_open(s, context, sealed, &s->sealed);

	if (err == ERR_NONE && s->sealed.len != HASH_LEN)
		err = fail_seal(s, context);
	if (err == ERR_NONE)
		memcpy(out->bytes, s->sealed.ptr, HASH_LEN);
	return err;
}

void short_hash(struct store *s, const char *purpose, struct span bytes,
                unsigned char out[SHORT_HASH_LEN])
{
	struct hash d = keyring_mac(keyring_first(s->keys), purpose, bytes);

	memcpy(out, d.bytes, SHORT_HASH_LEN);
}

/* A mail in outline is shown in words: both are the same mail. */
static void say_outline(struct query *q, struct span message_id, struct strbuf *plain)
{
	struct strbuf words = STRBUF_INIT;

	db_spoil(q, db_words(q->s, message_id, strbuf_span(plain), &words));
	strbuf_swap(plain, &words);
	strbuf_release(&words);
}

void col_opened(struct query *q, const char *context, bool once, struct strbuf *out)
{
	static const char outline[] = "outline ";
	struct failure e = ERR_INIT;
	struct span sealed = col_bytes(q);
	const struct keyring *keys = q->s->keys;
	enum err err = once ? keyring_open_once(keys, context, sealed, out, &e)
	                    : keyring_open(keys, context, sealed, out, &e);

	if (err != ERR_NONE)
		db_spoil(
		    q, db_fail(q->s, ERR_CORRUPT, "the seal of \"%s\" does not open", context));
	else if (strncmp(context, outline, strlen(outline)) == 0)
		say_outline(q, span_of(context + strlen(outline)), out);
	err_release(&e);
}
