/*
 * seats.c - the seats of games: who sits where, and since when.
 */
#include "store/engine/row.h"
#include "store/engine/sealed.h"
#include "store/games.h"

#define SEAT_COLUMNS                                                                         \
	"SELECT game, seat, player, bot_level, name, salt, joined_utc, confirmed, resigned," \
	" token_generation, mails, missed, missed_all, excused_all, late_all, former,"       \
	" put_out, vacated_utc, sealed_contribution, is_operator, ready,"                    \
	" co_master, played_by, joins, first_joined_utc FROM seats "

static void read_contribution(struct query *q, struct arena *arena, void *row)
{
	struct seat *out = row;

	(void)arena;
	col_sealed_hash(q, context_of_game(q->s, "joined", out->game), &out->contribution);
}

static const struct row_shape seat_row = ROW_SHAPE(
    struct seat,
    COLUMNS(struct seat, game, seat, player, bot_level, name, salt, joined_utc, confirmed,
            resigned, token_generation, mails, missed, missed_all, excused_all, late_all,
            former, put_out, vacated_utc),
    COLUMN_READ(1, read_contribution),
    COLUMNS(struct seat, is_operator, ready, co_master, played_by, joins, first_joined_utc));

/* Not bound to the seat's number, which may change before the game begins. */
static void bind_contribution(struct query *q, int64_t game, const struct hash *contribution)
{
	if (hash_is_zero(contribution))
		bind_null(q);
	else
		bind_sealed(q, context_of_game(q->s, "joined", game), hash_span(contribution));
}

enum err seat_add(struct store *s, const struct seat *seat)
{
	struct query q = db_write_of(
	    s, seat->game,
	    "INSERT INTO seats (game, seat, player, bot_level, name, salt, joined_utc,"
	    " confirmed, resigned, token_generation, mails, missed, sealed_contribution,"
	    " is_operator, joins, first_joined_utc)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	row_bind(&q, ARGS(seat->game, seat->seat, row_ref(seat->player), seat->bot_level,
	                  seat->name, seat->salt, seat->joined_utc, seat->confirmed,
	                  seat->resigned, seat->token_generation, seat->mails, seat->missed));
	bind_contribution(&q, seat->game, &seat->contribution);
	row_bind(&q, ARGS(seat->is_operator, seat->joins, seat->first_joined_utc));
	return db_run(&q);
}

enum err seat_join_add(struct store *s, const struct seat_join *j)
{
	struct query q = db_write_of(s, j->game,
	                             "INSERT INTO joins (game, joined_utc, player, seat, "
	                             "number, name, salt, sealed_contribution)"
	                             " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");

	row_bind(&q,
	         ARGS(j->game, j->joined_utc, j->player, j->seat, j->number, j->name, j->salt));
	bind_contribution(&q, j->game, &j->contribution);
	return db_run(&q);
}

static void read_join_contribution(struct query *q, struct arena *arena, void *row)
{
	struct seat_join *out = row;

	(void)arena;
	col_sealed_hash(q, context_of_game(q->s, "joined", out->game), &out->contribution);
}

static const struct row_shape join_row =
    ROW_SHAPE(struct seat_join,
              COLUMNS(struct seat_join, game, joined_utc, player, seat, number, name, salt),
              COLUMN_READ(1, read_join_contribution));

enum err seat_join_list(struct store *s, int64_t game, struct arena *arena,
                        struct seat_join **out, size_t *n)
{
	return row_list(s,
	                "SELECT game, joined_utc, player, seat, number, name, salt,"
	                " sealed_contribution FROM joins WHERE game = ? ORDER BY joined_utc",
	                ARGS(game), &join_row, arena, out, n);
}

enum err seat_joins_drop(struct store *s, int64_t game)
{
	return row_do(s, "DELETE FROM joins WHERE game = ?", ARGS(game));
}

enum err seat_list(struct store *s, int64_t game, struct arena *arena, struct seat **out,
                   size_t *n)
{
	return row_list(s, SEAT_COLUMNS "WHERE game = ? ORDER BY seat", ARGS(game), &seat_row,
	                arena, out, n);
}

enum err seat_get(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                  struct seat *out)
{
	return row_get(s, SEAT_COLUMNS "WHERE game = ? AND seat = ?", ARGS(game, seat),
	               &seat_row, arena, out, "such seat");
}

enum err seat_count_unconfirmed(struct store *s, int64_t player, int64_t since_utc, unsigned *n)
{
	return row_find(s,
	                "SELECT count(*) FROM seats WHERE player = ? AND"
	                " confirmed = 0 AND joined_utc >= ?",
	                ARGS(player, since_utc), &row_uint, NULL, n);
}

enum err seat_of_player(struct store *s, int64_t game, int64_t player, struct arena *arena,
                        struct seat *out)
{
	return row_get(s,
	               SEAT_COLUMNS "WHERE game = ? AND player = ?"
	                            " ORDER BY seat LIMIT 1",
	               ARGS(game, player), &seat_row, arena, out, "such seat");
}

enum err seat_update(struct store *s, const struct seat *seat)
{
	struct query q = db_write(
	    s,
	    "UPDATE seats SET player = ?, bot_level = ?, name = ?, salt = ?,"
	    " joined_utc = ?, confirmed = ?, resigned = ?, token_generation = ?, mails = ?,"
	    " missed = ?, missed_all = ?, excused_all = ?, late_all = ?,"
	    " former = ?, put_out = ?, vacated_utc = ?, sealed_contribution = ?,"
	    " is_operator = ?, ready = ?, played_by = ?, joins = ?, first_joined_utc = ? WHERE game = ? AND seat = ?");

	row_bind(&q,
	         ARGS(row_ref(seat->player), seat->bot_level, seat->name, seat->salt,
	              seat->joined_utc, seat->confirmed, seat->resigned, seat->token_generation,
	              seat->mails, seat->missed, seat->missed_all, seat->excused_all,
	              seat->late_all, row_ref(seat->former), seat->put_out, seat->vacated_utc));
	bind_contribution(&q, seat->game, &seat->contribution);
	row_bind(&q, ARGS(seat->is_operator, seat->ready, seat->played_by, seat->joins,
	                  seat->first_joined_utc, seat->game, seat->seat));
	return db_run_expected(&q, "such seat");
}

static enum err set_one(struct store *s, const char *sql, int64_t value, int64_t game,
                        unsigned seat)
{
	struct query q = db_write_of(s, game, sql);

	row_bind(&q, ARGS(value, game, seat));
	return db_run_expected(&q, "such seat");
}

enum err seat_set_co_master(struct store *s, int64_t game, unsigned seat, bool is)
{
	return set_one(s, "UPDATE seats SET co_master = ? WHERE game = ? AND seat = ?", is,
	               game, seat);
}

enum err seat_count_mails(struct store *s, const struct seat *seat)
{
	return set_one(s, "UPDATE seats SET mails = ? WHERE game = ? AND seat = ?", seat->mails,
	               seat->game, seat->seat);
}
