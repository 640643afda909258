/*
 * games.c - games: rows, secrets, holds, lists. Their seats are in seats.c.
 */
#include "store/games.h"

#include <string.h>

#include "store/engine/db.h"
#include "store/engine/sealed.h"

const char *game_status_name(enum game_status g)
{
	static const char *const names[] = {
	    [GAME_GATHERING] = "gathering", [GAME_RUNNING] = "running",
	    [GAME_PAUSED] = "paused",       [GAME_OVER] = "over",
	    [GAME_CANCELLED] = "cancelled", [GAME_ABANDONED] = "abandoned",
	};

	return names[g];
}

bool game_has_letter(const struct game *g, char letter)
{
	if (letter >= 'a' && letter <= 'z')
		letter = (char)(letter - 'a' + 'A');
	return letter == 0 || letter == g->letter;
}

const char *game_id_text(const struct game *g, struct arena *arena)
{
	return arena_printf(arena, "%c%lld", g->letter, (long long)g->id);
}

/* ------------------------------------------------------------------ adding */

enum err game_next_id(struct store *s, int64_t least, int64_t *id)
{
	/* No row is ever deleted. */
	struct query q = db_read(s, "SELECT coalesce(max(id), 0) + 1 FROM games");

	*id = 0;
	if (db_next(&q))
		*id = col_int(&q);
	*id = *id > least ? *id : least;
	return db_end(&q);
}

enum err game_add(struct store *s, struct game *g, const struct hash *secret)
{
	enum err err = g->id > 0 ? ERR_NONE : game_next_id(s, 1, &g->id);

	if (err != ERR_NONE)
		return err;
	struct query q = db_write(
	    s,
	    "INSERT INTO games (id, letter, kind, rules_version, options, title, status, "
	    "nseats,"
	    " next_s, is_private, join_key, creator, created_utc, started_utc, ended_utc,"
	    " secret_hash, sealed_secret, origin, calendar, master, key,"
	    " record_version, bots_version, master_asks)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	bind_int(&q, g->id);
	bind_text(&q, (struct span){&g->letter, 1});
	bind_text(&q, g->kind);
	bind_int(&q, g->rules_version);
	bind_text(&q, g->options);
	bind_text(&q, g->title);
	bind_int(&q, g->status);
	bind_int(&q, g->nseats);
	bind_int(&q, g->next_s);
	bind_int(&q, g->is_private);
	bind_hash_or_null(&q, &g->join_key);
	bind_ref(&q, g->creator);
	bind_int(&q, g->created_utc);
	bind_int(&q, g->started_utc);
	bind_int(&q, g->ended_utc);
	bind_hash(&q, &g->secret_hash);
	bind_sealed(&q, context_of_game(s, "secret", g->id), hash_span(secret));
	bind_int(&q, g->origin);
	bind_text(&q, g->calendar);
	bind_ref(&q, g->master);
	bind_int(&q, g->key ? g->key : keyring_number(s->keys));
	bind_int(&q, g->record_version ? g->record_version : 1);
	bind_int(&q, g->bots_version ? g->bots_version : 1);
	bind_int(&q, g->master_asks);
	return db_run(&q);
}

/* ----------------------------------------------------------------- reading */

#define GAME_COLUMNS                                                                                           \
	"SELECT g.id, letter, kind, rules_version, options, title, status, nseats, next_s,"                    \
	" is_private, join_key, creator, created_utc, started_utc, ended_utc, secret_hash,"                    \
	" serial, idle_turns, held_since_utc, held_by, sealed_held_reason, record_lines,"                      \
	" record_head, origin, calendar, master, paused_utc, agreed, start_utc,"                               \
	" key, sealed_secret, record_version, bots_version, master_asks, unrated, ready_until_utc FROM games " \
	"g "

static void read_status(struct query *q, struct game *out)
{
	unsigned status = col_uint(q);

	if (status > GAME_ABANDONED)
		db_spoil(q, db_fail(q->s, ERR_CORRUPT, "game %lld has status %u",
		                    (long long)out->id, status));
	else
		out->status = (enum game_status)status;
}

static void read_origin(struct query *q, struct game *out)
{
	unsigned origin = col_uint(q);

	if (origin > GAME_FORKED)
		db_spoil(q, db_fail(q->s, ERR_CORRUPT, "game %lld has origin %u",
		                    (long long)out->id, origin));
	else
		out->origin = (enum game_origin)origin;
}

static void read_hold(struct query *q, struct arena *arena, struct game *out)
{
	out->held_since_utc = col_int(q);
	out->held = out->held_since_utc > 0;
	out->held_by = col_text(q, arena);
	out->held_reason = col_sealed_text(q, context_of_game(q->s, "held", out->id), arena);
}

static void read_game(struct query *q, struct arena *arena, struct game *out)
{
	struct span letter;

	out->id = col_int(q);
	letter = col_bytes(q);
	out->letter = letter.len > 0 ? letter.ptr[0] : '?';
	out->kind = col_text(q, arena);
	out->rules_version = col_uint(q);
	out->options = col_text(q, arena);
	out->title = col_text(q, arena);
	read_status(q, out);
	out->nseats = col_uint(q);
	out->next_s = col_int(q);
	out->is_private = col_bool(q);
	col_hash(q, &out->join_key);
	out->creator = col_int(q);
	out->created_utc = col_int(q);
	out->started_utc = col_int(q);
	out->ended_utc = col_int(q);
	col_hash(q, &out->secret_hash);
	out->serial = col_uint(q);
	out->idle_turns = col_uint(q);
	read_hold(q, arena, out);
	out->record_lines = col_uint(q);
	col_hash(q, &out->record_head);
	read_origin(q, out);
	out->calendar = col_text(q, arena);
	out->master = col_int(q);
	out->paused_utc = col_int(q);
	out->agreed = col_uint(q);
	out->start_utc = col_int(q);
	out->key = col_uint(q);
	out->sealed_secret = col_text(q, arena);
	out->record_version = col_uint(q);
	out->bots_version = col_uint(q);
	out->master_asks = col_bool(q);
	out->unrated = col_bool(q);
	out->ready_until_utc = col_int(q);
}

static enum err read_one(struct query *q, struct arena *arena, struct game *out)
{
	bool found = db_next(q);

	memset(out, 0, sizeof(*out));
	if (found)
		read_game(q, arena, out);
	return db_end_found(q, found, "such game");
}

static enum err read_list(struct query *q, struct arena *arena, struct game **out, size_t *n)
{
	void *items = NULL;

	*n = 0;
	while (db_next(q))
		read_game(q, arena, list_add(arena, &items, n, sizeof(struct game)));
	*out = items;
	return db_end(q);
}

enum err game_get(struct store *s, int64_t id, struct arena *arena, struct game *out)
{
	struct query q = db_read(s, GAME_COLUMNS "WHERE id = ?");

	bind_int(&q, id);
	return read_one(&q, arena, out);
}

enum err game_secret(struct store *s, const struct game *g, struct hash *secret)
{
	return sealed_hash_open(s, context_of_game(s, "secret", g->id), g->sealed_secret,
	                        secret);
}

enum err game_oldest_key(struct store *s, unsigned *number)
{
	struct query q = db_read(s, "SELECT min(key) FROM games WHERE status < 3");

	*number = keyring_number(s->keys);
	if (db_next(&q) && !col_is_null(&q))
		*number = col_uint(&q);
	return db_end(&q);
}

/* ----------------------------------------------------------------- writing */

enum err game_update(struct store *s, const struct game *g)
{
	struct query q = db_write(
	    s, "UPDATE games SET status = ?, started_utc = ?, ended_utc = ?,"
	       " serial = ?, idle_turns = ?, record_lines = ?,"
	       " record_head = ?, nseats = ?, master = ?, paused_utc = ?,"
	       " agreed = ?, calendar = ?, start_utc = ?, unrated = ?, ready_until_utc = ?"
	       " WHERE id = ?");

	bind_int(&q, g->status);
	bind_int(&q, g->started_utc);
	bind_int(&q, g->ended_utc);
	bind_int(&q, g->serial);
	bind_int(&q, g->idle_turns);
	bind_int(&q, g->record_lines);
	bind_hash_or_null(&q, &g->record_head);
	bind_int(&q, g->nseats);
	bind_ref(&q, g->master);
	bind_int(&q, g->paused_utc);
	bind_int(&q, g->agreed);
	bind_text(&q, g->calendar);
	bind_int(&q, g->start_utc);
	bind_int(&q, g->unrated);
	bind_int(&q, g->ready_until_utc);
	bind_int(&q, g->id);
	return db_run_expected(&q, "such game");
}

enum err game_hold(struct store *s, int64_t id, const char *reason, const char *by,
                   int64_t now_utc)
{
	struct query q = db_write(s, "UPDATE games SET held_since_utc = ?, held_by = ?,"
	                             " sealed_held_reason = ? WHERE id = ?");

	bind_int(&q, now_utc);
	bind_cstr(&q, by);
	bind_sealed(&q, context_of_game(s, "held", id), span_of(reason));
	bind_int(&q, id);
	return db_run_one(&q, "such game");
}

enum err game_resume(struct store *s, int64_t id)
{
	struct query q = db_write(s, "UPDATE games SET held_since_utc = 0, held_by = '',"
	                             " sealed_held_reason = NULL WHERE id = ?");

	bind_int(&q, id);
	return db_run_one(&q, "such game");
}

/* ------------------------------------------------------------------- lists */

/* Binds one number per status that is wanted, and one no game has for each other. */
static void bind_statuses(struct query *q, unsigned status_mask)
{
	for (int status = GAME_GATHERING; status <= GAME_ABANDONED; status++)
		bind_int(q, (status_mask >> status) & 1u ? status : -1);
}

enum err game_list(struct store *s, unsigned status_mask, int64_t after, size_t max,
                   struct arena *arena, struct game **out, size_t *n)
{
	const unsigned all = (2u << GAME_ABANDONED) - 1;
	struct query q;

	if ((status_mask & all) == all) {
		q = db_read(s, GAME_COLUMNS "WHERE id > ? ORDER BY id LIMIT ?");
	} else {
		q = db_read(s, GAME_COLUMNS "WHERE status IN (?, ?, ?, ?, ?, ?) AND id > ?"
		                            " ORDER BY id LIMIT ?");
		bind_statuses(&q, status_mask);
	}
	bind_int(&q, after);
	bind_int(&q, (int64_t)max);
	return read_list(&q, arena, out, n);
}

/*
 * Somebody stands behind the game: a player who has confirmed their seat, a master who is known, or the
 * operator. Nobody else hears of the others.
 */
#define IS_VOUCHED_FOR                                                                         \
	"(EXISTS (SELECT 1 FROM seats WHERE game = g.id AND player IS NOT NULL AND confirmed " \
	"= 1)"                                                                                 \
	" OR (NOT EXISTS (SELECT 1 FROM seats WHERE game = g.id AND player IS NOT NULL)"       \
	" AND (g.master IS NULL OR EXISTS (SELECT 1 FROM players WHERE id = g.master"          \
	" AND confirmed = 1))))"

enum err game_list_open(struct store *s, size_t max, struct arena *arena, struct game **out,
                        size_t *n)
{
	struct query q = db_read(s, GAME_COLUMNS
	                         "WHERE status = 0 AND is_private = 0 AND " IS_VOUCHED_FOR
	                         " ORDER BY id LIMIT ?");

	bind_int(&q, (int64_t)max);
	return read_list(&q, arena, out, n);
}

enum err game_is_vouched_for(struct store *s, int64_t game, bool *yes)
{
	struct query q = db_read(s, "SELECT 1 FROM games g WHERE id = ? AND (status > 0 OR"
	                            " " IS_VOUCHED_FOR ")");

	bind_int(&q, game);
	*yes = db_next(&q);
	return db_end(&q);
}

enum err game_open_of_kind(struct store *s, const struct game_wish *wish, struct arena *arena,
                           struct game *out)
{
	struct query q = db_read(
	    s, GAME_COLUMNS
	    "WHERE kind = ? AND status = 0 AND is_private = 0 AND held_since_utc = 0"
	    " AND " IS_VOUCHED_FOR
	    " AND origin = 0 AND nseats > (SELECT count(*) FROM seats WHERE game = g.id AND"
	    " (bot_level >= 0 OR (player IS NOT NULL AND (confirmed = 1 OR joined_utc >= ?))))"
	    " AND NOT EXISTS (SELECT 1 FROM seats WHERE game = g.id AND player = ?)"
	    " AND NOT EXISTS (SELECT 1 FROM entries WHERE game = g.id AND player = ?"
	    " AND allowed = 0)"
	    " AND NOT EXISTS (SELECT 1 FROM entry_terms WHERE game = g.id"
	    " AND (reliability > ? OR without_operator = 1 AND ?))"
	    " AND NOT EXISTS (SELECT 1 FROM rematches r WHERE r.game = g.id AND kept_utc > ?"
	    " AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.game = g.id AND i.player = "
	    "?))"
	    " ORDER BY g.id LIMIT 1");

	bind_text(&q, wish->kind);
	bind_int(&q, wish->unconfirmed_since_utc);
	bind_int(&q, wish->player);
	bind_int(&q, wish->player);
	bind_int(&q, wish->reliability);
	bind_int(&q, wish->is_operator);
	bind_int(&q, wish->now_utc);
	bind_int(&q, wish->player);
	return read_one(&q, arena, out);
}

enum err game_list_of_master(struct store *s, int64_t player, struct arena *arena,
                             struct game **out, size_t *n)
{
	struct query q = db_read(s, GAME_COLUMNS
	                         "WHERE (master = ?1 OR id IN (SELECT game FROM seats"
	                         " WHERE player = ?1 AND co_master = 1)) AND status < 3"
	                         " ORDER BY g.id DESC");

	bind_int(&q, player);
	return read_list(&q, arena, out, n);
}

enum err game_list_to_start(struct store *s, int64_t now_utc, size_t max, int64_t *out,
                            size_t *n)
{
	struct query q = db_read(
	    s, "SELECT id FROM games WHERE start_utc > 0 AND status = 0"
	       " AND start_utc <= ?1 AND held_since_utc = 0"
	       " UNION SELECT id FROM games WHERE ready_until_utc > 0 AND status = 0"
	       " AND ready_until_utc <= ?1 AND held_since_utc = 0 ORDER BY id LIMIT ?2");

	bind_int(&q, now_utc);
	bind_int(&q, (int64_t)max);
	for (*n = 0; db_next(&q);)
		out[(*n)++] = col_int(&q);
	return db_end(&q);
}

enum err game_list_vacant(struct store *s, size_t max, struct arena *arena, struct game **out,
                          size_t *n)
{
	struct query q = db_read(s, GAME_COLUMNS
	                         "WHERE g.id IN (SELECT game FROM seats WHERE vacated_utc > 0)"
	                         " AND status = 1 AND is_private = 0 ORDER BY g.id LIMIT ?");

	bind_int(&q, (int64_t)max);
	return read_list(&q, arena, out, n);
}

enum err game_list_sat_in(struct store *s, int64_t player, struct arena *arena,
                          struct game **out, size_t *n)
{
	struct query q = db_read(
	    s, GAME_COLUMNS "WHERE g.id IN (SELECT game FROM seat_holders WHERE player = ?1"
			    " UNION SELECT game FROM seats WHERE player = ?1)"
			    " ORDER BY g.id DESC");

	bind_int(&q, player);
	return read_list(&q, arena, out, n);
}

enum err game_list_of_player(struct store *s, int64_t player, unsigned status_mask,
                             struct arena *arena, struct game **out, size_t *n)
{
	struct query q = db_read(s, GAME_COLUMNS
	                         "WHERE g.id IN (SELECT game FROM seats WHERE player = ?"
	                         " AND resigned = 0) AND status IN (?, ?, ?, ?, ?, ?)"
	                         " ORDER BY g.id DESC");

	bind_int(&q, player);
	bind_statuses(&q, status_mask);
	return read_list(&q, arena, out, n);
}

enum err option_text_keep(struct store *s, struct span kind, struct span option,
                          struct span name, struct span value, int64_t now_utc)
{
	struct query q =
	    db_write(s, "INSERT INTO option_texts (kind, option, name, value, since_utc)"
	                " VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, option, name) DO NOTHING");

	bind_text(&q, kind);
	bind_text(&q, option);
	bind_text(&q, name);
	bind_text(&q, value);
	bind_int(&q, now_utc);
	return db_run(&q);
}

enum err option_text_find(struct store *s, struct span kind, struct span option,
                          struct span name, struct arena *arena, struct span *value)
{
	struct query q = db_read(
	    s, "SELECT value FROM option_texts WHERE kind = ? AND option = ? AND name = ?");

	bind_text(&q, kind);
	bind_text(&q, option);
	bind_text(&q, name);
	bool found = db_next(&q);
	*value = found ? col_text(&q, arena) : SPAN_EMPTY;
	return db_end_found(&q, found, "such text of an option");
}
