/*
 * forks_and_imports.c - archives taken over and positions other games go on from.
 */
#include "store/forks_and_imports.h"

#include <string.h>

#include "store/engine/db.h"
#include "store/engine/sealed.h"

enum err import_add(struct store *s, const struct import *i, struct span archive)
{
	struct query q = db_write(s,
	                          "INSERT INTO imports (game, record_id, instance, key,"
	                          " imported_utc, sealed_archive) VALUES (?, ?, ?, ?, ?, ?)");

	bind_int(&q, i->game);
	bind_text(&q, i->record_id);
	bind_text(&q, i->instance);
	bind_hash(&q, &i->key);
	bind_int(&q, i->imported_utc);
	bind_sealed(&q, context_of_game(s, "archive", i->game), archive);
	return db_run(&q);
}

enum err import_get(struct store *s, int64_t game, struct arena *arena, struct import *out)
{
	struct query q = db_read(s, "SELECT game, record_id, instance, key, imported_utc"
	                            " FROM imports WHERE game = ?");
	bool found;

	memset(out, 0, sizeof(*out));
	bind_int(&q, game);
	found = db_next(&q);
	if (found) {
		out->game = col_int(&q);
		out->record_id = col_text(&q, arena);
		out->instance = col_text(&q, arena);
		col_hash(&q, &out->key);
		out->imported_utc = col_int(&q);
	}
	return db_end_found(&q, found, "archive this game was taken over from");
}

enum err import_archive(struct store *s, int64_t game, struct strbuf *out)
{
	struct query q = db_read(s, "SELECT sealed_archive FROM imports WHERE game = ?");
	bool found;

	bind_int(&q, game);
	found = db_next(&q);
	if (found)
		col_sealed(&q, context_of_game(s, "archive", game), out);
	return db_end_found(&q, found, "archive this game was taken over from");
}

enum err fork_add(struct store *s, const struct fork *f)
{
	struct query q =
	    db_write(s, "INSERT INTO forks (game, source_game, source, serial, label, instance,"
	                " key, state_hash, parent_hash, orders_hash, sealed_position)"
	                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	bind_int(&q, f->game);
	bind_int(&q, f->source_game);
	bind_text(&q, f->source);
	bind_int(&q, f->serial);
	bind_text(&q, f->label);
	bind_text(&q, f->instance);
	bind_hash(&q, &f->key);
	bind_hash(&q, &f->state_hash);
	bind_hash_or_null(&q, &f->parent_hash);
	bind_hash(&q, &f->orders_hash);
	bind_sealed_padded(&q, context_of_game(s, "position", f->game), f->position);
	return db_run(&q);
}

static void read_fork(struct query *q, struct arena *arena, struct fork *out)
{
	out->game = col_int(q);
	out->source_game = col_int(q);
	out->source = col_text(q, arena);
	out->serial = col_uint(q);
	out->label = col_text(q, arena);
	out->instance = col_text(q, arena);
	col_hash(q, &out->key);
	col_hash(q, &out->state_hash);
	col_hash(q, &out->parent_hash);
	col_hash(q, &out->orders_hash);
	out->position = col_sealed_text(q, context_of_game(q->s, "position", out->game), arena);
}

enum err fork_get(struct store *s, int64_t game, struct arena *arena, struct fork *out)
{
	struct query q = db_read(s, "SELECT game, source_game, source, serial, label, instance,"
	                            " key, state_hash, parent_hash, orders_hash,"
	                            " sealed_position FROM forks WHERE game = ?");
	bool found;

	memset(out, 0, sizeof(*out));
	bind_int(&q, game);
	found = db_next(&q);
	if (found)
		read_fork(&q, arena, out);
	return db_end_found(&q, found, "position this game goes on from");
}

enum err game_of_record(struct store *s, struct span record_id, const struct hash *secret_hash,
                        int64_t *game)
{
	struct query q =
	    db_read(s, "SELECT id FROM games g LEFT JOIN imports i ON i.game = g.id"
	               " WHERE secret_hash = ? AND coalesce(record_id, letter || id) = ?"
	               " ORDER BY id LIMIT 1");
	bool found;

	*game = 0;
	bind_hash(&q, secret_hash);
	bind_text(&q, record_id);
	found = db_next(&q);
	if (found)
		*game = col_int(&q);
	return db_end_found(&q, found, "game of this record");
}
