/*
 * seats.c - the seats of games: who sits where, and since when.
 */
#include "store/engine/db.h"
#include "store/engine/sealed.h"
#include "store/games.h"

#define SEAT_COLUMNS                                                                         \
	"SELECT game, seat, player, bot_level, name, salt, joined_utc, confirmed, resigned," \
	" token_generation, mails, missed, missed_all, excused_all, late_all, former,"       \
	" put_out, vacated_utc, sealed_contribution, is_operator, ready,"                    \
	" co_master, played_by FROM seats "

static void read_seat(struct query *q, struct arena *arena, struct seat *out)
{
	out->game = col_int(q);
	out->seat = col_uint(q);
	out->player = col_int(q);
	out->bot_level = (int)col_int(q);
	out->name = col_text(q, arena);
	out->salt = col_text(q, arena);
	out->joined_utc = col_int(q);
	out->confirmed = col_bool(q);
	out->resigned = col_bool(q);
	out->token_generation = col_uint(q);
	out->mails = col_uint(q);
	out->missed = col_uint(q);
	out->missed_all = col_uint(q);
	out->excused_all = col_uint(q);
	out->late_all = col_uint(q);
	out->former = col_int(q);
	out->put_out = col_int(q) != 0;
	out->vacated_utc = col_int(q);
	col_sealed_hash(q, context_of_game(q->s, "joined", out->game), &out->contribution);
	out->is_operator = col_bool(q);
	out->ready = col_bool(q);
	out->co_master = col_bool(q);
	out->played_by = col_text(q, arena);
}

/* Not bound to the seat's number, which may change before the game begins. */
static void bind_contribution(struct query *q, const struct seat *seat)
{
	if (hash_is_zero(&seat->contribution))
		bind_null(q);
	else
		bind_sealed(q, context_of_game(q->s, "joined", seat->game),
		            hash_span(&seat->contribution));
}

static enum err read_one(struct query *q, struct arena *arena, struct seat *out)
{
	bool found = db_next(q);

	if (found)
		read_seat(q, arena, out);
	return db_end_found(q, found, "such seat");
}

enum err seat_add(struct store *s, const struct seat *seat)
{
	struct query q = db_write(s, "INSERT INTO seats (game, seat, player, bot_level, name, "
	                             "salt, joined_utc, confirmed,"
	                             " resigned, token_generation, mails, missed,"
	                             " sealed_contribution, is_operator)"
	                             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	bind_int(&q, seat->game);
	bind_int(&q, seat->seat);
	bind_ref(&q, seat->player);
	bind_int(&q, seat->bot_level);
	bind_text(&q, seat->name);
	bind_text(&q, seat->salt);
	bind_int(&q, seat->joined_utc);
	bind_int(&q, seat->confirmed);
	bind_int(&q, seat->resigned);
	bind_int(&q, seat->token_generation);
	bind_int(&q, seat->mails);
	bind_int(&q, seat->missed);
	bind_contribution(&q, seat);
	bind_int(&q, seat->is_operator);
	return db_run(&q);
}

enum err seat_list(struct store *s, int64_t game, struct arena *arena, struct seat **out,
                   size_t *n)
{
	struct query q = db_read(s, SEAT_COLUMNS "WHERE game = ? ORDER BY seat");
	void *items = NULL;

	bind_int(&q, game);
	*n = 0;
	while (db_next(&q))
		read_seat(&q, arena, list_add(arena, &items, n, sizeof(struct seat)));
	*out = items;
	return db_end(&q);
}

enum err seat_get(struct store *s, int64_t game, unsigned seat, struct arena *arena,
                  struct seat *out)
{
	struct query q = db_read(s, SEAT_COLUMNS "WHERE game = ? AND seat = ?");

	bind_int(&q, game);
	bind_int(&q, seat);
	return read_one(&q, arena, out);
}

enum err seat_count_unconfirmed(struct store *s, int64_t player, int64_t since_utc, unsigned *n)
{
	struct query q = db_read(s, "SELECT count(*) FROM seats WHERE player = ? AND"
	                            " confirmed = 0 AND joined_utc >= ?");

	bind_int(&q, player);
	bind_int(&q, since_utc);
	*n = db_next(&q) ? col_uint(&q) : 0;
	return db_end(&q);
}

enum err seat_of_player(struct store *s, int64_t game, int64_t player, struct arena *arena,
                        struct seat *out)
{
	struct query q = db_read(s, SEAT_COLUMNS "WHERE game = ? AND player = ?"
	                                         " ORDER BY seat LIMIT 1");

	bind_int(&q, game);
	bind_int(&q, player);
	return read_one(&q, arena, out);
}

enum err seat_update(struct store *s, const struct seat *seat)
{
	struct query q = db_write(
	    s, "UPDATE seats SET player = ?, bot_level = ?, name = ?, salt = ?,"
	       " joined_utc = ?, confirmed = ?, resigned = ?, token_generation = ?, mails = ?,"
	       " missed = ?, missed_all = ?, excused_all = ?, late_all = ?,"
	       " former = ?, put_out = ?, vacated_utc = ?, sealed_contribution = ?,"
	       " is_operator = ?, ready = ?, played_by = ? WHERE game = ? AND seat = ?");

	bind_ref(&q, seat->player);
	bind_int(&q, seat->bot_level);
	bind_text(&q, seat->name);
	bind_text(&q, seat->salt);
	bind_int(&q, seat->joined_utc);
	bind_int(&q, seat->confirmed);
	bind_int(&q, seat->resigned);
	bind_int(&q, seat->token_generation);
	bind_int(&q, seat->mails);
	bind_int(&q, seat->missed);
	bind_int(&q, seat->missed_all);
	bind_int(&q, seat->excused_all);
	bind_int(&q, seat->late_all);
	bind_ref(&q, seat->former);
	bind_int(&q, seat->put_out);
	bind_int(&q, seat->vacated_utc);
	bind_contribution(&q, seat);
	bind_int(&q, seat->is_operator);
	bind_int(&q, seat->ready);
	bind_text(&q, seat->played_by);
	bind_int(&q, seat->game);
	bind_int(&q, seat->seat);
	return db_run_expected(&q, "such seat");
}

static enum err set_one(struct store *s, const char *sql, int64_t value, int64_t game,
                        unsigned seat)
{
	struct query q = db_write_of(s, game, sql);

	bind_int(&q, value);
	bind_int(&q, game);
	bind_int(&q, seat);
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

/* ---------------------------------------------------------------- removing */

static enum err require_gathering(struct store *s, int64_t game, unsigned *nseats)
{
	struct query q = db_read(s,
	                         "SELECT status, (SELECT count(*) FROM seats WHERE game = g.id)"
	                         " FROM games g WHERE id = ?");
	int64_t status = -1;
	bool found;
	enum err err;

	bind_int(&q, game);
	found = db_next(&q);
	if (found) {
		status = col_int(&q);
		*nseats = col_uint(&q);
	}
	err = db_end_found(&q, found, "such game");
	if (err == ERR_NONE && status != GAME_GATHERING)
		return db_fail(s, ERR_INVALID, "game %lld has begun: seats stay",
		               (long long)game);
	return err;
}

static enum err delete_seat(struct store *s, int64_t game, unsigned seat)
{
	struct query q = db_write(s, "DELETE FROM seats WHERE game = ? AND seat = ?");

	bind_int(&q, game);
	bind_int(&q, seat);
	return db_run_one(&q, "such seat");
}

/*
 * Mails follow the person: RESEND must never hand one player's mails to the next in the place.
 */
static enum err move_mails(struct store *s, int64_t game, unsigned from, unsigned to)
{
	struct query q = db_write(s, "UPDATE outbox SET seat = ? WHERE game = ? AND seat = ?");

	bind_int(&q, to);
	bind_int(&q, game);
	bind_int(&q, from);
	return db_run(&q);
}

enum err seat_remove(struct store *s, int64_t game, unsigned seat)
{
	unsigned nseats = 0;
	enum err err = require_gathering(s, game, &nseats);

	if (err == ERR_NONE)
		err = delete_seat(s, game, seat);
	if (err == ERR_NONE)
		err = move_mails(s, game, seat, 0);
	for (unsigned from = seat + 1; err == ERR_NONE && from <= nseats; from++) {
		err = set_one(s, "UPDATE seats SET seat = ? WHERE game = ? AND seat = ?",
		              from - 1, game, from);
		if (err == ERR_NONE)
			err = move_mails(s, game, from, from - 1);
	}
	return err;
}
