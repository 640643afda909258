/*
 * seats.c - the seats of games: who sits where, and since when.
 */
#include "store/engine/row.h"
#include "store/games.h"
#include "store/press.h"

#define SEAT_COLUMNS                                                                         \
	"SELECT game, seat, player, bot_level, name, salt, joined_utc, confirmed, resigned," \
	" token_generation, mails, missed, missed_all, excused_all, late_all, former,"       \
	" put_out, vacated_utc, sealed_contribution, is_operator, ready,"                    \
	" co_master, played_by, joins, first_joined_utc FROM seats "

static const struct row_shape seat_row = ROW_SHAPE(
    struct seat,
    COLUMNS(struct seat, game, seat, player, bot_level, name, salt, joined_utc, confirmed,
            resigned, token_generation, mails, missed, missed_all, excused_all, late_all,
            former, put_out, vacated_utc),
    COLUMN_SEALED(struct seat, contribution, SEALED, "joined", game),
    COLUMNS(struct seat, is_operator, ready, co_master, played_by, joins, first_joined_utc));

/* Of a seat or a join. Not bound to the seat's number, which may change before the game begins. */
#define CONTRIBUTION(of)                   \
	(hash_is_zero(&(of)->contribution) \
	     ? row_null()                  \
	     : row_sealed(SEALED, "joined", ARGS((of)->game), hash_span(&(of)->contribution)))

enum err seat_add(struct store *s, const struct seat *seat)
{
	return row_do_of(
	    s, seat->game,
	    "INSERT INTO seats (game, seat, player, bot_level, name, salt, joined_utc,"
	    " confirmed, resigned, token_generation, mails, missed, sealed_contribution,"
	    " is_operator, joins, first_joined_utc)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    ARGS(seat->game, seat->seat, row_ref(seat->player), seat->bot_level, seat->name,
	         seat->salt, seat->joined_utc, seat->confirmed, seat->resigned,
	         seat->token_generation, seat->mails, seat->missed, CONTRIBUTION(seat),
	         seat->is_operator, seat->joins, seat->first_joined_utc));
}

enum err seat_join_add(struct store *s, const struct seat_join *j)
{
	return row_do_of(
	    s, j->game,
	    "INSERT INTO joins (game, joined_utc, player, seat, number, name, salt,"
	    " sealed_contribution) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	    ARGS(j->game, j->joined_utc, j->player, j->seat, j->number, j->name, j->salt,
	         CONTRIBUTION(j)));
}

static const struct row_shape join_row =
    ROW_SHAPE(struct seat_join,
              COLUMNS(struct seat_join, game, joined_utc, player, seat, number, name, salt),
              COLUMN_SEALED(struct seat_join, contribution, SEALED, "joined", game));

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
	return row_do_expected(
	    s,
	    "UPDATE seats SET player = ?, bot_level = ?, name = ?, salt = ?,"
	    " joined_utc = ?, confirmed = ?, resigned = ?, token_generation = ?, mails = ?,"
	    " missed = ?, missed_all = ?, excused_all = ?, late_all = ?,"
	    " former = ?, put_out = ?, vacated_utc = ?, sealed_contribution = ?,"
	    " is_operator = ?, ready = ?, played_by = ?, joins = ?, first_joined_utc = ? WHERE game = ? AND seat = ?",
	    ARGS(row_ref(seat->player), seat->bot_level, seat->name, seat->salt,
	         seat->joined_utc, seat->confirmed, seat->resigned, seat->token_generation,
	         seat->mails, seat->missed, seat->missed_all, seat->excused_all, seat->late_all,
	         row_ref(seat->former), seat->put_out, seat->vacated_utc, CONTRIBUTION(seat),
	         seat->is_operator, seat->ready, seat->played_by, seat->joins,
	         seat->first_joined_utc, seat->game, seat->seat),
	    "such seat");
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

/* ------------------------------------------------- when their numbers change */

enum { SEATS_MOST = 32 }; /* as many as a set of them has bits */

static enum err close_up_press(struct store *s, int64_t game, unsigned seat,
                               struct arena *arena)
{
	static const char *const steps[] = {
	    "DELETE FROM press WHERE game = ? AND seat = ?",
	    /* The bits below that of the seat stay, those above move down. */
	    ("UPDATE press SET seats = (seats & ((1 << (?2 - 1)) - 1))"
	     " | ((seats >> 1) & ~((1 << (?2 - 1)) - 1)) WHERE game = ?1"),
	    "UPDATE press SET seat = seat - 1 WHERE game = ? AND seat > ?",
	};
	struct press *waiting;
	size_t n;
	enum err err = press_waiting(s, game, true, arena, &waiting, &n);

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && err == ERR_NONE; i++)
		err = row_do(s, steps[i], ARGS(game, seat));
	for (size_t i = 0; i < n && err == ERR_NONE; i++) {
		const struct press *p = &waiting[i];

		if (p->seat > seat)
			err = row_do(s, "UPDATE press SET sealed_text = ? WHERE id = ?",
			             ARGS(row_sealed(SEALED, "press",
			                             ARGS(p->id, p->game, p->seat - 1, p->mail),
			                             p->text),
			                  p->id));
	}
	return err;
}

/* One after the other: two must never have the same number. */
static enum err close_up_revocations(struct store *s, int64_t game, unsigned seat)
{
	enum err err =
	    row_do(s, "DELETE FROM revocations WHERE game = ? AND seat = ?", ARGS(game, seat));

	for (unsigned from = seat + 1; from <= SEATS_MOST && err == ERR_NONE; from++)
		err = row_do(
		    s, "UPDATE revocations SET seat = seat - 1 WHERE game = ? AND seat = ?",
		    ARGS(game, from));
	return err;
}

struct gathering {
	unsigned status, nseats;
};
static const struct row_shape gathering_row =
    ROW_SHAPE(struct gathering, COLUMNS(struct gathering, status, nseats));

static enum err require_gathering(struct store *s, int64_t game, unsigned *nseats)
{
	struct gathering g;

	TRY(row_get(s,
	            "SELECT status, (SELECT count(*) FROM seats WHERE game = g.id)"
	            " FROM games g WHERE id = ?",
	            ARGS(game), &gathering_row, NULL, &g, "such game"));
	/* cppcheck-suppress AssignmentIntegerToAddress ; both are numbers: it loses the type behind the macros above */
	*nseats = g.nseats;
	if (g.status != GAME_GATHERING)
		return db_fail(s, ERR_INVALID, "game %lld has begun: seats stay",
		               (long long)game);
	return ERR_NONE;
}

/*
 * Mails follow the person: RESEND must never hand one player's mails to the next in the place.
 */
static enum err move_mails(struct store *s, int64_t game, unsigned from, unsigned to)
{
	return row_do(s, "UPDATE outbox SET seat = ? WHERE game = ? AND seat = ?",
	              ARGS(to, game, from));
}

enum err seat_close_up(struct store *s, int64_t game, unsigned seat, struct arena *arena)
{
	unsigned nseats = 0;

	TRY(require_gathering(s, game, &nseats));
	TRY(db_defer_references(s));
	TRY(close_up_press(s, game, seat, arena));
	TRY(close_up_revocations(s, game, seat));
	TRY(row_do(s,
	           "UPDATE confirmations SET seat = CASE WHEN seat = ?2 THEN 0"
	           " ELSE seat - 1 END WHERE game = ?1 AND seat >= ?2",
	           ARGS(game, seat)));
	TRY(row_do_one(s, "DELETE FROM seats WHERE game = ? AND seat = ?", ARGS(game, seat),
	               "such seat"));
	TRY(move_mails(s, game, seat, 0));
	for (unsigned from = seat + 1; from <= nseats; from++) {
		TRY(row_do_one(s, "UPDATE seats SET seat = ? WHERE game = ? AND seat = ?",
		               ARGS(from - 1, game, from), "such seat"));
		TRY(move_mails(s, game, from, from - 1));
	}
	return ERR_NONE;
}
