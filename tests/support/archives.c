/*
 * archives.c - what tests of archives share.
 */
#include "tests/support/archives.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "processor/base/env.h"
#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/games/registry.h"

bool archives_is_played(const struct rules *rules)
{
	return rules != &skeleton_1;
}

void archives_for_each_kept(void (*look)(void *context, const char *path, struct span text),
                            void *context)
{
	static const char folder[] = "tests/verify/archives";
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	if (dir == NULL)
		BUG("%s is not here", folder);
	while ((entry = readdir(dir)) != NULL) {
		struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s", folder, entry->d_name);
		if (strcmp(path.ptr + path.len - 4, ".txt") == 0 &&
		    file_read(path.ptr, 1 << 24, &text, NULL) != ERR_NONE)
			BUG("%s cannot be read", path.ptr);
		if (text.len > 0)
			look(context, path.ptr, strbuf_span(&text));
		strbuf_release(&path);
		strbuf_release(&text);
	}
	closedir(dir);
}

unsigned archives_env(const char *name, unsigned otherwise)
{
	const char *text = env_get(name);
	unsigned n;

	if (text == NULL)
		return otherwise;
	if (!num_parse_uint(span_of(text), 0, 1000000, &n))
		BUG("%s is no number", name);
	return n;
}

struct seat_proof archives_seat(const struct record *r, unsigned seat)
{
	const struct record_seat *s = &r->seats[seat];

	return (struct seat_proof){
	    .version = r->version,
	    .number = 1,
	    .game = r->game,
	    .seat = seat,
	    .received_utc = s->joined_utc,
	    .person = proof_person(r->version, span_of(s->name), s->salt),
	    .secret_hash = r->secret_hash,
	    .contribution = s->contribution};
}

struct receipt_proof archives_evidence(const struct record *r, const struct record_turn *t,
                                       const struct record_order *o)
{
	struct hash nonce = proof_nonce(&r->secret, t->serial, o->seat, o->revision);

	return (struct receipt_proof){.version = r->version,
	                              .game = r->game,
	                              .serial = t->serial,
	                              .seat = o->seat,
	                              .revision = o->revision,
	                              .received_utc = o->received_utc,
	                              .commitment = proof_commitment(&(struct committed_orders){
					  .version = r->version,
					  .game = r->game,
					  .serial = t->serial,
					  .seat = o->seat,
					  .revision = o->revision,
					  .nonce = nonce,
					  .contribution = o->contribution,
					  .salt = o->salt,
					  .canonical = o->cleared ? SPAN_EMPTY : o->canonical}),
	                              .nonce = nonce,
	                              .contribution = o->contribution};
}

void archives_quote(struct span text, struct strbuf *mail)
{
	struct span line;

	strbuf_adds(mail, "Look at this:\r\n\r\n> Receipt\r\n");
	while (span_next_line(&text, &line))
		strbuf_addf(mail, "> > %.*s\r\n", SPAN_ARGS(line));
}

void sheet_read(struct sheet *s, const struct played *p)
{
	struct strbuf text = STRBUF_INIT;
	struct archive *a = archive_new();

	archive_write(&p->record, NULL, &text);
	if (!archive_split(a, strbuf_span(&text)))
		BUG("%s", a->why.ptr);
	*s = (struct sheet){.arena = arena_new(),
	                    .version = p->record.version,
	                    .game = p->record.game,
	                    .secret = p->record.secret,
	                    .n = a->nlines};
	s->lines = xcalloc(a->nlines, sizeof(s->lines[0]));
	for (size_t i = 0; i < a->nlines; i++)
		s->lines[i] = (struct sheet_line){arena_dup(s->arena, a->lines[i].text),
		                                  a->lines[i].form == LINE_REVEALED};
	archive_free(a);
	strbuf_release(&text);
}

static void add_line(const struct sheet *s, size_t i, struct record_chain *chain,
                     struct strbuf *out)
{
	const struct sheet_line *l = &s->lines[i];
	struct strbuf printed = STRBUF_INIT;
	struct hash leaf;

	chain->lines++;
	leaf = l->hidden ? archive_hidden_leaf(&s->secret, s->game, chain->lines, l->text)
	                 : archive_leaf(l->text);
	chain->head = archive_chain(&chain->head, &leaf);
	strbuf_addf(&printed, "%s%.*s", l->hidden ? "revealed " : "", SPAN_ARGS(l->text));
	archive_add_folded(out, strbuf_span(&printed));
	strbuf_release(&printed);
}

static unsigned last_serial(const struct sheet *s)
{
	unsigned serial = 0;

	for (size_t i = sheet_find(s, 0, "turn"); i < s->n; i = sheet_find(s, i + 1, "turn"))
		if (!num_parse_uint(sheet_field(s, i, 1), 0, UINT32_MAX, &serial))
			BUG("no serial");
	return serial;
}

void sheet_write(const struct sheet *s, const struct keyring *keys, struct strbuf *out)
{
	struct record_chain chain = {0};
	unsigned char signature[SIGNATURE_LEN];

	strbuf_addf(out, "%s\n", archive_begin(s->version));
	for (size_t i = 0; i < s->n; i++)
		add_line(s, i, &chain, out);
	strbuf_addf(out, "chain %u ", chain.lines);
	hash_add_hex(out, &chain.head);
	if (keys != NULL) {
		proof_sign_head(&(struct proof_head){s->version, s->game, last_serial(s),
		                                     chain.lines, chain.head},
		                keys, signature);
		strbuf_adds(out, "\nsignature ");
		strbuf_add_hex(out, signature, SIGNATURE_LEN);
	}
	strbuf_addf(out, "\n%s\n", archive_end(s->version));
}

void sheet_release(struct sheet *s)
{
	free(s->lines);
	arena_free(s->arena);
}

size_t sheet_find(const struct sheet *s, size_t from, const char *keyword)
{
	while (from < s->n && !span_eq_str(sheet_field(s, from, 0), keyword))
		from++;
	return from;
}

struct span sheet_rest(const struct sheet *s, size_t line, unsigned i)
{
	struct span rest = s->lines[line].text;

	for (; i > 0; i--)
		rest = span_slice(rest, span_find_char(rest, ' ') + 1, rest.len);
	return rest;
}

struct span sheet_field(const struct sheet *s, size_t line, unsigned i)
{
	struct span rest = sheet_rest(s, line, i);

	return span_slice(rest, 0, span_find_char(rest, ' '));
}

void sheet_put(struct sheet *s, size_t line, struct span part, struct span text)
{
	struct span whole = s->lines[line].text;
	size_t at = (size_t)(part.ptr - whole.ptr);
	struct strbuf changed = STRBUF_INIT;

	ENSURE(at + part.len <= whole.len);
	strbuf_add_span(&changed, span_slice(whole, 0, at));
	strbuf_add_span(&changed, text);
	strbuf_add_span(&changed, span_slice(whole, at + part.len, whole.len));
	s->lines[line].text = arena_dup(s->arena, strbuf_span(&changed));
	strbuf_release(&changed);
}
