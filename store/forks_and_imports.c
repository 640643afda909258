/*
 * forks_and_imports.c - archives taken over and positions other games go on from.
 */
#include "store/forks_and_imports.h"

#include "store/engine/row.h"
#include "store/engine/sealed.h"

enum err import_add(struct store *s, const struct import *i, struct span archive)
{
	return row_do(s,
	              "INSERT INTO imports (game, record_id, instance, key,"
	              " imported_utc, sealed_archive) VALUES (?, ?, ?, ?, ?, ?)",
	              ARGS(i->game, i->record_id, i->instance, &i->key, i->imported_utc,
	                   row_sealed(SEALED, "archive", ARGS(i->game), archive)));
}

static const struct row_shape import_row = ROW_SHAPE(
    struct import, COLUMNS(struct import, game, record_id, instance, key, imported_utc));

enum err import_get(struct store *s, int64_t game, struct arena *arena, struct import *out)
{
	*out = (struct import){0};
	return row_get(s,
	               "SELECT game, record_id, instance, key, imported_utc"
	               " FROM imports WHERE game = ?",
	               ARGS(game), &import_row, arena, out,
	               "archive this game was taken over from");
}

enum err import_archive(struct store *s, int64_t game, struct strbuf *out)
{
	struct query q = db_read(s, "SELECT sealed_archive FROM imports WHERE game = ?");
	bool found;

	bind_int(&q, game);
	found = db_next(&q);
	if (found)
		col_sealed(&q, SEALED, seal_context(s, "archive", ARGS(game)), out);
	return db_end_found(&q, found, "archive this game was taken over from");
}

enum err fork_add(struct store *s, const struct fork *f)
{
	return row_do(s,
	              "INSERT INTO forks (game, source_game, source, serial, label, instance,"
	              " key, state_hash, parent_hash, orders_hash, sealed_position)"
	              " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	              ARGS(f->game, f->source_game, f->source, f->serial, f->label, f->instance,
	                   &f->key, &f->state_hash, row_hash_or_null(&f->parent_hash),
	                   &f->orders_hash,
	                   row_sealed(SEALED_PADDED, "position", ARGS(f->game), f->position)));
}

static const struct row_shape fork_row =
    ROW_SHAPE(struct fork,
              COLUMNS(struct fork, game, source_game, source, serial, label, instance, key,
                      state_hash, parent_hash, orders_hash),
              COLUMN_SEALED(struct fork, position, SEALED_PADDED, "position", game));

enum err fork_get(struct store *s, int64_t game, struct arena *arena, struct fork *out)
{
	*out = (struct fork){0};
	return row_get(s,
	               "SELECT game, source_game, source, serial, label, instance,"
	               " key, state_hash, parent_hash, orders_hash,"
	               " sealed_position FROM forks WHERE game = ?",
	               ARGS(game), &fork_row, arena, out, "position this game goes on from");
}

enum err game_of_record(struct store *s, struct span record_id, const struct hash *secret_hash,
                        int64_t *game)
{
	*game = 0;
	return row_get(s,
	               "SELECT id FROM games g LEFT JOIN imports i ON i.game = g.id"
	               " WHERE secret_hash = ? AND coalesce(record_id, letter || id) = ?"
	               " ORDER BY id LIMIT 1",
	               ARGS(secret_hash, record_id), &row_int64, NULL, game,
	               "game of this record");
}
