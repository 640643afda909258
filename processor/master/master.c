/*
 * master.c - from a line to a command of the master: the game, the right to give it, what it needs.
 */
#include "processor/master/master.h"

#include "processor/match/report_values.h"
#include "processor/request/which_game.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/due_turn.h"

static master_fn *const acts[] = {
    [CMD_SET_DEADLINE] = master_set_deadline,
    [CMD_SET_GRACE] = master_set_grace,
    [CMD_SET_START] = master_set_start,
    [CMD_PAUSE] = master_pause,
    [CMD_RESUME] = master_resume,
    [CMD_PROCESS] = master_process,
    [CMD_ROLLBACK] = master_rollback,
    [CMD_EJECT] = master_eject,
    [CMD_PROMOTE] = master_promote,
    [CMD_DEMOTE] = master_demote,
    [CMD_ALLOW] = master_admit,
    [CMD_DENY] = master_admit,
    [CMD_BECOME] = master_become,
    [CMD_REPLACE] = master_replace,
    [CMD_TERMINATE] = master_terminate,
    [CMD_FORCE_BEGIN] = master_force_begin,
    [CMD_START_WITH_BOTS] = master_force_begin,
    [CMD_OFFICIAL] = master_official,
};

static const char being_ended[] =
    "The turn is being ended already; its report follows. Nothing was done: please write again "
    "when you have it.";

/* Why the game is not one this can be done to now; NULL: it is. *example: the line it leads to. */
static const char *not_now(const struct master_request *m, unsigned needs, const char **example)
{
	const struct match *match = m->match;

	*example = "";
	if (match->game.ended_utc != 0) {
		*example = "list";
		return "The game has ended, so nothing was done. To see the open games, send:";
	}
	if (match->game.held && m->item->verb != CMD_OFFICIAL && m->item->verb != CMD_PROMOTE)
		return "The operator of the server holds this game, so nothing was done. "
		       "Please write "
		       "again when it goes on.";
	if ((needs & NEEDS_TIME) != 0 && turn_has_ended(match, m->req->sure_utc))
		return being_ended;
	if ((needs & NEEDS_TURN) == 0)
		return NULL;
	if (match->game.status == GAME_GATHERING) {
		*example = "force begin";
		return "The game has not begun, so nothing was done. To begin with those who "
		       "are there, send:";
	}
	if (match->turn.state != TURN_OPEN || match->turn.serial == 0)
		return being_ended;
	return NULL;
}

/* What of the master's a co-master cannot do; NULL: they can. */
static const char *not_as_co_master(const struct master_request *m)
{
	enum verb verb = m->item->verb;

	if (m->agreed || m->match->game.master == m->req->who.player.id)
		return NULL;
	if (verb == CMD_PROMOTE || verb == CMD_DEMOTE)
		return "You are a co-master, and only the master says who is, so nothing was "
		       "done.";
	if (verb == CMD_TERMINATE && m->match->game.status == GAME_GATHERING)
		return "You are a co-master, and only the master can cancel a game that has "
		       "not begun, so nothing was done.";
	return NULL;
}

enum err master_carry_out(struct master_request *m)
{
	unsigned needs = master_needs(m->item->verb);
	const char *example, *why = not_now(m, needs, &example);
	bool yes = true;

	if (!why && (why = not_as_co_master(m)) != NULL)
		example = "";

	if (why)
		return master_refuse(m, example, "%s", why);
	if ((needs & NEEDS_WRITING) != 0)
		TRY(master_may_write(m, &yes));
	if (yes && (needs & NEEDS_SEAT) != 0) {
		TRY(seat_named(m->req, m->match, m->seat, m->item, &m->named));
		yes = m->named != NULL;
	}
	return yes ? acts[m->item->verb](m) : ERR_NONE;
}

static enum err not_the_master(struct master_request *m)
{
	const struct match *match = m->match;

	if (m->item->verb == CMD_REPLACE && m->seat && !m->seat->resigned) /* as a vote */
		return master_carry_out(m);
	const char *who = master_words(match);
	bool may_vote = m->seat && match->game.status == GAME_RUNNING;
	const char *example = may_vote ? "vote pause" : "";

	if (!who)
		return master_refuse(
		    m, example,
		    "%s has no master, so nobody but the operator of this server can do that. "
		    "See \"HELP VOTES\" for what all players together can do.",
		    match->id);
	return master_refuse(m, example,
	                     "Only the master of %s can do that: %s. Nothing was done. See "
	                     "\"HELP VOTES\" for what the players can do together.",
	                     match->id, who);
}

static struct seat *seat_of_writer(struct master_request *m)
{
	struct match *match = m->match;
	struct request *req = m->req;

	if (match->game.id == req->about.game && req->about.seat != 0 &&
	    match_seat(match, req->about.seat) &&
	    match_seat(match, req->about.seat)->player == req->who.player.id)
		return match_seat(match, req->about.seat);
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player != 0 && match->seats[i].player == req->who.player.id)
			return &match->seats[i];
	return NULL;
}

/* "Official results are in" is talk, unless the master says it; so is "allow Bob", without a
   mail address. */
static bool may_be_talk(const struct command *item)
{
	bool names_nobody = span_find_char(item->name, '@') == item->name.len;

	return ((item->verb == CMD_ALLOW || item->verb == CMD_DENY) && names_nobody) ||
	       (item->verb == CMD_OFFICIAL && !span_starts_nocase(item->text, "official:"));
}

static enum err in_game(struct master_request *m, int64_t game, bool *done)
{
	struct request *req = m->req;
	enum err rc = match_load(req->srv, game, req->arena, m->match);

	*done = rc == ERR_NONE && fits_letter(m->item, &m->match->game);
	if (rc != ERR_NONE || !*done)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	m->seat = seat_of_writer(m);
	bool is_master = match_has_master(m->match, req->who.player.id);
	if (!is_master && may_be_talk(m->item))
		return ERR_NONE;
	if (!is_master && m->match->game.is_private && !m->seat) {
		*done = false;
		return ERR_NONE;
	}
	request_understood(req);
	request_note_game(req, game);
	request_note_seat(req, m->seat ? m->seat->seat : 0);
	request_note_serial(req, m->match->has_turn ? m->match->turn.serial : 0);
	return is_master ? master_carry_out(m) : not_the_master(m);
}

enum err do_master(struct request *req, const struct command *item)
{
	struct match loaded = {0};
	struct master_request m = {.req = req, .item = item, .match = &loaded};
	bool found, done = false;
	int64_t game;

	game = item->game ? item->game : req->about.game;
	TRY(game != 0 ? ERR_NONE : master_only_game(req, &game));
	if (game != 0) {
		enum err rc = in_game(&m, game, &done);
		match_release(&loaded);
		if (rc != ERR_NONE || done)
			return rc;
	}
	if (may_be_talk(item))
		return ERR_NONE;
	/* None, or several: the speaker is told, or it is the only one they play in. */
	TRY(request_game(req, item, &m.match, &m.seat, &found));
	return found ? not_the_master(&m) : ERR_NONE;
}
