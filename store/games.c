/*
 * games.c - games: rows, secrets, holds, lists. Their seats are in seats.c.
 */
#include "store/games.h"

#include "store/engine/row.h"
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
	enum err err = row_next_id(s, "SELECT coalesce(max(id), 0) + 1 FROM games",
	                           &s->known.next_game, id);

	*id = *id > least ? *id : least;
	return err;
}

enum err game_add(struct store *s, struct game *g, const struct hash *secret)
{
	TRY(g->id > 0 ? ERR_NONE : game_next_id(s, 1, &g->id));
	struct span letter = {&g->letter, 1};
	if (s->about != 0 && s->about_game == 0) /* what is dealt with is about it now */
		s->about_game = g->id;
	if (s->known.next_game != 0 && s->known.next_game <= g->id)
		s->known.next_game = g->id + 1;
	return row_do_of(
	    s, g->id,
	    "INSERT INTO games (id, letter, kind, rules_version, options, title, status, "
	    "nseats,"
	    " next_s, is_private, join_key, creator, created_utc, started_utc, ended_utc,"
	    " secret_hash, sealed_secret, origin, calendar, master, key,"
	    " record_version, bots_version, master_asks)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    ARGS(g->id, letter, g->kind, g->rules_version, g->options, g->title, g->status,
	         g->nseats, g->next_s, g->is_private, row_hash_or_null(&g->join_key),
	         row_ref(g->creator), g->created_utc, g->started_utc, g->ended_utc,
	         &g->secret_hash, row_sealed(SEALED, "secret", ARGS(g->id), hash_span(secret)),
	         g->origin, g->calendar, row_ref(g->master),
	         g->key ? g->key : keyring_number(s->keys),
	         g->record_version ? g->record_version : 1,
	         g->bots_version ? g->bots_version : 1, g->master_asks));
}

/* ----------------------------------------------------------------- reading */

#define GAME_COLUMNS                                                                                           \
	"SELECT g.id, letter, kind, rules_version, options, title, status, nseats, next_s,"                    \
	" is_private, join_key, creator, created_utc, started_utc, ended_utc, secret_hash,"                    \
	" serial, idle_turns, held_since_utc, held_since_utc > 0, held_by, sealed_held_reason, record_lines,"  \
	" record_head, origin, calendar, master, paused_utc, agreed, start_utc,"                               \
	" key, sealed_secret, record_version, bots_version, master_asks, unrated, ready_until_utc FROM games " \
	"g "

static void read_letter(struct query *q, struct arena *arena, void *row)
{
	struct game *out = row;
	struct span letter = col_bytes(q);

	(void)arena;
	out->letter = letter.len > 0 ? letter.ptr[0] : '?';
}

static const struct row_shape game_row = ROW_SHAPE(
    struct game, COLUMNS(struct game, id), COLUMN_READ(1, read_letter),
    COLUMNS(struct game, kind, rules_version, options, title),
    COLUMN_ENUM(struct game, status, GAME_ABANDONED),
    COLUMNS(struct game, nseats, next_s, is_private, join_key, creator, created_utc,
            started_utc, ended_utc, secret_hash, serial, idle_turns, held_since_utc, held,
            held_by),
    COLUMN_SEALED(struct game, held_reason, SEALED, "held", id),
    COLUMNS(struct game, record_lines, record_head),
    COLUMN_ENUM(struct game, origin, GAME_FORKED),
    COLUMNS(struct game, calendar, master, paused_utc, agreed, start_utc, key, sealed_secret,
            record_version, bots_version, master_asks, unrated, ready_until_utc));

enum err game_get(struct store *s, int64_t id, struct arena *arena, struct game *out)
{
	*out = (struct game){0};
	return row_get(s, GAME_COLUMNS "WHERE id = ?", ARGS(id), &game_row, arena, out,
	               "such game");
}

enum err game_secret(struct store *s, const struct game *g, struct hash *secret)
{
	return seal_open_hash(s, seal_context(s, "secret", ARGS(g->id)), g->sealed_secret,
	                      secret);
}

enum err game_oldest_key(struct store *s, unsigned *number)
{
	enum err err = row_find(s, "SELECT min(key) FROM games WHERE status < 3", NO_ARGS,
	                        &row_uint, NULL, number);

	if (*number == 0)
		*number = keyring_number(s->keys);
	return err;
}

/* ----------------------------------------------------------------- writing */

enum err game_update(struct store *s, const struct game *g)
{
	return row_do_expected(
	    s,
	    "UPDATE games SET status = ?, started_utc = ?, ended_utc = ?,"
	    " serial = ?, idle_turns = ?, record_lines = ?,"
	    " record_head = ?, nseats = ?, master = ?, paused_utc = ?,"
	    " agreed = ?, calendar = ?, start_utc = ?, unrated = ?, ready_until_utc = ?"
	    " WHERE id = ?",
	    ARGS(g->status, g->started_utc, g->ended_utc, g->serial, g->idle_turns,
	         g->record_lines, row_hash_or_null(&g->record_head), g->nseats,
	         row_ref(g->master), g->paused_utc, g->agreed, g->calendar, g->start_utc,
	         g->unrated, g->ready_until_utc, g->id),
	    "such game");
}

enum err game_hold(struct store *s, int64_t id, const char *reason, const char *by,
                   int64_t now_utc)
{
	return row_do_one(
	    s,
	    "UPDATE games SET held_since_utc = ?, held_by = ?,"
	    " sealed_held_reason = ? WHERE id = ?",
	    ARGS(now_utc, by, row_sealed(SEALED, "held", ARGS(id), span_of(reason)), id),
	    "such game");
}

enum err game_resume(struct store *s, int64_t id)
{
	return row_do_one(s,
	                  "UPDATE games SET held_since_utc = 0, held_by = '',"
	                  " sealed_held_reason = NULL WHERE id = ?",
	                  ARGS(id), "such game");
}

/* ------------------------------------------------------------------- lists */

/* One number for each status that is wanted, and one no game has for each other. */
#define STATUS(mask, status) ((mask) >> (status)&1u ? (int)(status) : -1)
#define STATUSES(mask)                                                                       \
	STATUS(mask, GAME_GATHERING), STATUS(mask, GAME_RUNNING), STATUS(mask, GAME_PAUSED), \
	    STATUS(mask, GAME_OVER), STATUS(mask, GAME_CANCELLED),                           \
	    STATUS(mask, GAME_ABANDONED)

enum err game_list(struct store *s, unsigned status_mask, int64_t after, size_t max,
                   struct arena *arena, struct game **out, size_t *n)
{
	const unsigned all = (2u << GAME_ABANDONED) - 1;

	if ((status_mask & all) == all)
		return row_list(s, GAME_COLUMNS "WHERE id > ? ORDER BY id LIMIT ?",
		                ARGS(after, max), &game_row, arena, out, n);
	return row_list(s,
	                GAME_COLUMNS "WHERE status IN (?, ?, ?, ?, ?, ?) AND id > ?"
	                             " ORDER BY id LIMIT ?",
	                ARGS(STATUSES(status_mask), after, max), &game_row, arena, out, n);
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
	return row_list(s,
	                GAME_COLUMNS "WHERE status = 0 AND is_private = 0 AND " IS_VOUCHED_FOR
	                             " ORDER BY id LIMIT ?",
	                ARGS(max), &game_row, arena, out, n);
}

enum err game_is_vouched_for(struct store *s, int64_t game, bool *yes)
{
	return row_exists(s,
	                  "SELECT 1 FROM games g WHERE id = ? AND (status > 0 OR"
	                  " " IS_VOUCHED_FOR ")",
	                  ARGS(game), yes);
}

enum err game_open_of_kind(struct store *s, const struct game_wish *wish, struct arena *arena,
                           struct game *out)
{
	*out = (struct game){0};
	return row_get(
	    s,
	    GAME_COLUMNS
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
	    " ORDER BY g.id LIMIT 1",
	    ARGS(wish->kind, wish->unconfirmed_since_utc, wish->player, wish->player,
	         wish->reliability, wish->is_operator, wish->now_utc, wish->player),
	    &game_row, arena, out, "such game");
}

enum err game_list_of_master(struct store *s, int64_t player, struct arena *arena,
                             struct game **out, size_t *n)
{
	return row_list(s,
	                GAME_COLUMNS "WHERE (master = ?1 OR id IN (SELECT game FROM seats"
	                             " WHERE player = ?1 AND co_master = 1)) AND status < 3"
	                             " ORDER BY g.id DESC",
	                ARGS(player), &game_row, arena, out, n);
}

enum err game_list_to_start(struct store *s, int64_t now_utc, size_t max, int64_t *out,
                            size_t *n)
{
	return row_fill(
	    s,
	    "SELECT id FROM games WHERE start_utc > 0 AND status = 0"
	    " AND start_utc <= ?1 AND held_since_utc = 0"
	    " UNION SELECT id FROM games WHERE ready_until_utc > 0 AND status = 0"
	    " AND ready_until_utc <= ?1 AND held_since_utc = 0 ORDER BY id LIMIT ?2",
	    ARGS(now_utc, max), &row_int64, out, max, n);
}

/* Those that never began and those that came as archives (origin 1) have nothing to tell. */
enum err game_list_unannounced(struct store *s, size_t max, int64_t *out, size_t *n)
{
	return row_fill(s,
	                "SELECT id FROM games WHERE status > 2 AND announced = 0"
	                " AND started_utc > 0 AND origin <> 1 ORDER BY ended_utc, id LIMIT ?",
	                ARGS(max), &row_int64, out, max, n);
}

enum err game_announced(struct store *s, int64_t game)
{
	return row_do(s,
	              "UPDATE games SET announced = 1"
	              " WHERE status > 2 AND announced = 0 AND (id = ?1 OR ?1 = 0)",
	              ARGS(game));
}

enum err game_list_vacant(struct store *s, size_t max, struct arena *arena, struct game **out,
                          size_t *n)
{
	return row_list(s,
	                GAME_COLUMNS
	                "WHERE g.id IN (SELECT game FROM seats WHERE vacated_utc > 0)"
	                " AND status = 1 AND is_private = 0 ORDER BY g.id LIMIT ?",
	                ARGS(max), &game_row, arena, out, n);
}

enum err game_list_sat_in(struct store *s, int64_t player, struct arena *arena,
                          struct game **out, size_t *n)
{
	return row_list(s,
	                GAME_COLUMNS
	                "WHERE g.id IN (SELECT game FROM seat_holders WHERE player = ?1"
	                " UNION SELECT game FROM seats WHERE player = ?1)"
	                " ORDER BY g.id DESC",
	                ARGS(player), &game_row, arena, out, n);
}

enum err game_list_of_player(struct store *s, int64_t player, unsigned status_mask,
                             struct arena *arena, struct game **out, size_t *n)
{
	return row_list(s,
	                GAME_COLUMNS "WHERE g.id IN (SELECT game FROM seats WHERE player = ?"
	                             " AND resigned = 0) AND status IN (?, ?, ?, ?, ?, ?)"
	                             " ORDER BY g.id DESC",
	                ARGS(player, STATUSES(status_mask)), &game_row, arena, out, n);
}

enum err option_text_keep(struct store *s, struct span kind, struct span option,
                          struct span name, struct span value, int64_t now_utc)
{
	return row_do(s,
	              "INSERT INTO option_texts (kind, option, name, value, since_utc)"
	              " VALUES (?, ?, ?, ?, ?) ON CONFLICT (kind, option, name) DO NOTHING",
	              ARGS(kind, option, name, value, now_utc));
}

enum err option_text_find(struct store *s, struct span kind, struct span option,
                          struct span name, struct arena *arena, struct span *value)
{
	*value = SPAN_EMPTY;
	return row_get(
	    s, "SELECT value FROM option_texts WHERE kind = ? AND option = ? AND name = ?",
	    ARGS(kind, option, name), &row_text, arena, value, "such text of an option");
}
