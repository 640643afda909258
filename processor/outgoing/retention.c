/*
 * retention.c - texts and rows that have been kept long enough.
 */
#include "processor/outgoing/retention.h"

#include <string.h>

#include "mail/compose.h"
#include "processor/outgoing/unreachable.h"
#include "store/operator/retention.h"

enum { DAY_S = 86400, BATCH = 250 };

/* ---- what stays of a mail ---- */

static bool has(struct span line, const char *words)
{
	return span_find(line, span_of(words)) < line.len;
}

void retention_add_proofs(struct strbuf *out, struct span text)
{
	enum { NOWHERE, IN_RECEIPT, IN_HEAD } at = NOWHERE;
	struct span line, game = SPAN_EMPTY;

	while (span_next_line(&text, &line)) {
		bool receipt = has(line, "BEGIN MOLEPOST RECEIPT");

		if (span_starts(line, "Game "))
			game = line;
		if (at == NOWHERE && receipt)
			at = IN_RECEIPT;
		else if (at == NOWHERE && has(line, "The record of the game"))
			at = IN_HEAD;
		if (at == NOWHERE)
			continue;
		if (game.len > 0)
			strbuf_addf(out, "%.*s\n", SPAN_ARGS(game));
		game = SPAN_EMPTY;
		strbuf_addf(out, "%.*s\n", SPAN_ARGS(line));
		if (at == IN_RECEIPT ? has(line, "END MOLEPOST RECEIPT") : line.len == 0)
			at = NOWHERE;
	}
}

/* The lines above the proofs; mails of before have none of the second kind. */
static const char digest_is[] = "sha256 ", hashes_are[] = "lines ";

static struct hash key_of(const struct server *srv, const struct outbox_mail *m)
{
	return keyring_mac(keyring_first(srv->keys), "quoted lines", m->message_id);
}

static enum err drop_text(struct server *srv, int64_t id, bool is_forgotten,
                          struct arena *arena)
{
	struct strbuf body = STRBUF_INIT, proofs = STRBUF_INIT;
	struct outbox_mail m;
	enum err rc = outbox_message(srv->store, id, arena, &m);

	/* What does not open stays as it is: fsck and doctor tell of it. */
	if (rc == ERR_CORRUPT || rc == ERR_UNSUPPORTED)
		return ERR_NONE;
	if (rc == ERR_NONE) {
		struct hash digest = hash_of(m.message);

		strbuf_adds(&proofs, digest_is);
		hash_add_hex(&proofs, &digest);
		strbuf_addc(&proofs, '\n');
		bool readable = mail_read_back(m.message, &body);
		if (readable && !is_forgotten) {
			struct hash key = key_of(srv, &m);

			strbuf_adds(&proofs, hashes_are);
			line_hashes_add(&proofs, &key, strbuf_span(&body));
			strbuf_addc(&proofs, '\n');
		}
		if (readable) {
			/* In the body they are in mails of before, and where they are shown. */
			mail_read_file(m.message, &body);
			retention_add_proofs(&proofs, strbuf_span(&body));
		}
		rc = retention_drop_text(srv->store, &m, strbuf_span(&proofs));
	}
	strbuf_release(&body);
	strbuf_release(&proofs);
	return rc;
}

enum err retention_proofs_of(struct server *srv, const struct outbox_mail *m,
                             struct arena *arena, struct span *proofs,
                             struct line_hashes *lines)
{
	struct span line;

	TRY(retention_proofs(srv->store, m->id, m->message_id, arena, proofs));
	span_next_line(proofs, &line); /* the digest */
	if (!span_starts(*proofs, hashes_are))
		return ERR_NONE;
	span_next_line(proofs, &line);
	if (lines) {
		lines->key = key_of(srv, m);
		line_hashes_read(span_slice(line, strlen(hashes_are), line.len), arena, lines);
	}
	return ERR_NONE;
}

/* ---- texts ---- */

struct texts {
	int64_t player; /* 0: by age */
	int64_t before_utc, after;
	unsigned n; /* how many went */
	bool over;
};

/* Reads only: most runs find nothing. */
static enum err find_texts(struct server *srv, struct texts *t, int64_t ids[BATCH], size_t *n)
{
	return retention_texts_due(srv->store, t->player, t->before_utc, BATCH, &t->after,
	                           &t->over, ids, n);
}

static enum err drop_texts(struct server *srv, struct texts *t, const int64_t *ids, size_t n)
{
	struct arena *arena = arena_new();
	enum err rc = ERR_NONE;

	for (size_t i = 0; rc == ERR_NONE && i < n; i++) {
		arena_clear(arena);
		rc = drop_text(srv, ids[i], t->player != 0, arena);
	}
	t->n += (unsigned)n;
	arena_free(arena);
	return rc;
}

static enum err texts_until(struct server *srv, struct texts *t, unsigned most)
{
	int64_t ids[BATCH];
	size_t n;

	while (!t->over && t->n < most) {
		TRY(find_texts(srv, t, ids, &n));
		if (n > 0) {
			TRY(store_begin_relaxed(srv->store));
			enum err rc = drop_texts(srv, t, ids, n);
			rc = store_end(srv->store, rc);
			TRY(rc == ERR_NONE ? store_checkpoint_if_large(srv->store) : rc);
		}
		if (most == UINT32_MAX)
			server_progress(srv, t->n, "texts of old mails taken out");
	}
	return ERR_NONE;
}

static struct texts old_texts(const struct server *srv)
{
	return (struct texts){.before_utc = srv->now_utc - srv->cfg.keep.texts_s,
	                      .over = srv->cfg.keep.texts_s == 0};
}

enum err retention_of_forgotten(struct server *srv, int64_t player, unsigned *texts)
{
	struct texts t = {.player = player, .before_utc = INT64_MAX};
	int64_t ids[BATCH];
	size_t n;

	while (!t.over) {
		TRY(find_texts(srv, &t, ids, &n));
		TRY(drop_texts(srv, &t, ids, n));
	}
	*texts = t.n;
	return ERR_NONE;
}

/* ---- rows ---- */

static int64_t limit(const struct server *srv, int64_t keep_s)
{
	return keep_s == 0 ? INT64_MIN : srv->now_utc - keep_s;
}

static enum err old_rows(struct server *srv, unsigned *n)
{
	const struct keep_rules *keep = &srv->cfg.keep;
	struct retention_limits limits = {.inbox_utc = limit(srv, keep->inbox_s),
	                                  .outbox_utc = limit(srv, keep->outbox_s),
	                                  .audit_utc = limit(srv, keep->audit_s),
	                                  .runs_utc = limit(srv, keep->runs_s),
	                                  .quarantine_utc = limit(srv, keep->quarantine_s)};

	TRY(store_begin_relaxed(srv->store));
	return store_end(srv->store, retention_rows(srv->store, &limits, srv->now_utc, n));
}

enum err retention_in_run(struct server *srv)
{
	struct texts t = old_texts(srv);
	int64_t last_utc;
	unsigned n;

	TRY(texts_until(srv, &t, RETENTION_PER_RUN));
	TRY(retention_rows_last(srv->store, &last_utc));
	if (srv->now_utc - last_utc < DAY_S)
		return ERR_NONE;
	TRY(silence_look(srv));
	return old_rows(srv, &n);
}

enum err retention_all(struct server *srv, unsigned *texts, unsigned *rows)
{
	struct texts t = old_texts(srv);

	TRY(texts_until(srv, &t, UINT32_MAX));
	*texts = t.n;
	return old_rows(srv, rows);
}
