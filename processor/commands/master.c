/*
 * master.c - from a line to a command of the master: the game, the right to give it, what it needs.
 */
#include "processor/commands/master.h"

#include "processor/commands/commands.h"
#include "processor/request/which_game.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/due_turn.h"

#include "processor/base/banned.h"

static enum err (*const acts[])(struct mastering *m) = {
    [CMD_SET_DEADLINE] = master_set_deadline,
    [CMD_SET_GRACE] = master_set_grace,
    [CMD_SET_START] = master_set_start,
    [CMD_PAUSE] = master_pause,
    [CMD_RESUME] = master_resume,
    [CMD_PROCESS] = master_process,
    [CMD_ROLLBACK] = master_rollback,
    [CMD_EJECT] = master_eject,
    [CMD_PROMOTE] = master_promote,
    [CMD_BECOME] = master_become,
    [CMD_TERMINATE] = master_terminate,
    [CMD_FORCE_BEGIN] = master_force_begin,
    [CMD_OFFICIAL] = master_official,
};

static const char being_ended[] =
    "The turn is being ended already; its report follows. Nothing was done: please write again "
    "when you have it.";

/* Why the game is not one this can be done to now; NULL: it is. *example: the line it leads to. */
static const char *not_now(const struct mastering *m, unsigned needs, const char **example)
{
	const struct hand *h = &m->hand;

	*example = "";
	if (h->game.ended_utc != 0) {
		*example = "list";
		return "The game has ended, so nothing was done. Open games are shown by:";
	}
	if (h->game.held && m->item->verb != CMD_OFFICIAL && m->item->verb != CMD_PROMOTE)
		return "The operator of the server holds this game, so nothing was done. "
		       "Please write "
		       "again when it goes on.";
	if ((needs & NEEDS_TIME) != 0 && turn_has_ended(h, m->d->sure_utc))
		return being_ended;
	if ((needs & NEEDS_TURN) == 0)
		return NULL;
	if (h->game.status == GAME_GATHERING) {
		*example = "force begin";
		return "The game has not begun, so nothing was done. With those who are there "
		       "it is begun by:";
	}
	if (h->turn.state != TURN_OPEN || h->turn.serial == 0)
		return being_ended;
	return NULL;
}

static enum err obey(struct mastering *m)
{
	unsigned needs = master_needs(m->item->verb);
	const char *example, *why = not_now(m, needs, &example);
	bool yes = true;

	if (why)
		return master_refuse(m, example, "%s", why);
	if ((needs & NEEDS_WRITING) != 0)
		TRY(master_may_write(m, &yes));
	if (yes && (needs & NEEDS_SEAT) != 0) {
		TRY(seat_named(m->d, &m->hand, m->seat, m->item, &m->named));
		yes = m->named != NULL;
	}
	return yes ? acts[m->item->verb](m) : ERR_NONE;
}

static enum err not_the_master(struct mastering *m)
{
	const struct hand *h = &m->hand;
	const char *who = master_words(h);
	bool may_vote = m->seat && h->game.status == GAME_RUNNING;
	const char *example = may_vote ? "vote pause" : "";

	if (!who)
		return master_refuse(
		    m, example,
		    "%s has no master, so nobody but the operator of this server can do that. "
		    "What all players together can do is told by \"HELP VOTES\".",
		    h->id);
	return master_refuse(
	    m, example,
	    "Only the master of %s can do that: %s. Nothing was done. What the players can do "
	    "together is told by \"HELP VOTES\".",
	    h->id, who);
}

static struct seat *seat_of_speaker(struct mastering *m)
{
	struct hand *h = &m->hand;
	struct dealing *d = m->d;

	if (h->game.id == d->game && d->seat != 0 && hand_seat(h, d->seat) &&
	    hand_seat(h, d->seat)->player == d->player.id)
		return hand_seat(h, d->seat);
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].player != 0 && h->seats[i].player == d->player.id)
			return &h->seats[i];
	return NULL;
}

/* "Official results are in" is talk, unless the master says it. */
static bool may_be_talk(const struct letter_item *item)
{
	return item->verb == CMD_OFFICIAL && !span_starts_nocase(item->text, "official:");
}

static enum err in_game(struct mastering *m, int64_t game, bool *done)
{
	struct dealing *d = m->d;
	enum err rc = hand_load(d->srv, game, d->arena, &m->hand);

	*done = rc == ERR_NONE && letter_fits(m->item, &m->hand.game);
	if (rc != ERR_NONE || !*done)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	m->seat = seat_of_speaker(m);
	bool is_master = d->player.id != 0 && m->hand.game.master == d->player.id;
	if (!is_master && may_be_talk(m->item))
		return ERR_NONE;
	if (!is_master && m->hand.game.is_private && !m->seat) {
		*done = false;
		return ERR_NONE;
	}
	d->understood = true;
	d->row.game = game;
	d->row.seat = m->seat ? m->seat->seat : 0;
	d->row.serial = m->hand.has_turn ? m->hand.turn.serial : 0;
	return is_master ? obey(m) : not_the_master(m);
}

/* The game named, else the one answered, else the only one the speaker is master of. */
static enum err game_meant(struct dealing *d, const struct letter_item *item, int64_t *game)
{
	*game = item->game ? item->game : d->game;
	return *game != 0 ? ERR_NONE : master_only_game(d, game);
}

enum err do_master(struct dealing *d, const struct letter_item *item)
{
	struct mastering m = {.d = d, .item = item};
	bool found, done = false;
	int64_t game;

	TRY(game_meant(d, item, &game));
	if (game != 0) {
		enum err rc = in_game(&m, game, &done);
		hand_release(&m.hand);
		if (rc != ERR_NONE || done)
			return rc;
	}
	if (may_be_talk(item))
		return ERR_NONE;
	/* None, or several: the speaker is told, or it is the only one he plays in. */
	enum err rc = dealing_game(d, item, &m.hand, &m.seat, &found);
	if (rc == ERR_NONE && found)
		rc = not_the_master(&m);
	hand_release(&m.hand);
	return rc;
}
