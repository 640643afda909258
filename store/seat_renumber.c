/*
 * seat_renumber.c - what is known by the numbers of seats, when those change.
 */
#include "store/games.h"

#include "store/engine/row.h"
#include "store/engine/sealed.h"
#include "store/press.h"

enum { SEATS_MOST = 32 }; /* as many as a set of them has bits */

static enum err seal_anew(struct store *s, const struct press *p, unsigned seat)
{
	struct query q = db_write(s, "UPDATE press SET sealed_text = ? WHERE id = ?");

	bind_sealed(&q, context_of_press(s, p->id, p->game, seat, p->mail), p->text);
	bind_int(&q, p->id);
	return db_run(&q);
}

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
	for (size_t i = 0; i < n && err == ERR_NONE; i++)
		if (waiting[i].seat > seat)
			err = seal_anew(s, &waiting[i], waiting[i].seat - 1);
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
