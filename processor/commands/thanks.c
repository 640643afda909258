/*
 * thanks.c - after the end: THANKS to a player.
 */
#include "processor/commands/commands.h"
#include "processor/match/press.h"
#include "processor/request/master.h"
#include "processor/request/which_game.h"

static enum err refuse(struct request *req, struct match *match, struct seat *seat,
                       const char *why)
{
	request_verdict(req, "refused", "thanks: %s", why);
	return request_notice(req, match, seat, "nobody was thanked", "", "%s", why);
}

/* NULL: it can be passed on. */
static const char *why_not(struct request *req, const struct match *match,
                           const struct seat *seat, const struct seat *to)
{
	const char *name = match->names.names[to->seat];

	if (!press_after_the_end(match, req->sure_utc))
		return arena_printf(
		    req->arena,
		    "%s ended more than two weeks ago, so nothing is passed on any "
		    "more.",
		    match->id);
	if (to == seat)
		return "You cannot thank yourself; to thank another player, write THANKS and "
		       "the name.";
	if (to->bot_level >= 0)
		return arena_printf(req->arena, "%s is played by the server and reads no mail.",
		                    name);
	if (to->player == 0)
		return arena_printf(req->arena, "Nobody has the seat of %s any more.", name);
	return NULL;
}

/* In a game that goes on, or with another name, it is what anybody may say to anybody. */
enum err do_thanks(struct request *req, const struct command *item)
{
	struct match *match;
	int64_t game = item->game ? item->game : req->about.game;

	if (game == 0 || req->who.player.id == 0)
		return ERR_NONE;
	enum err rc = request_match(req, game, &match);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	struct seat *to = match_seat_named(match, item->seat, item->name), *seat = NULL;
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player == req->who.player.id)
			seat = &match->seats[i];
	if (!seat || !to || match->game.ended_utc == 0 || !fits_letter(item, &match->game))
		return ERR_NONE;
	request_understood(req);
	const char *name = match->names.names[to->seat], *why = why_not(req, match, seat, to);
	bool is_new;

	if (why)
		return refuse(req, match, seat, why);
	TRY(thanks_add(req->srv->store, match->game.id, seat->seat, to->seat, req->srv->now_utc,
	               &is_new));
	if (!is_new)
		return refuse(req, match, seat,
		              arena_printf(req->arena,
		                           "You have thanked %s for this game already.", name));
	request_verdict(req, "command", "thanks in %s", match->id);
	TRY(tell_one_player(
	    req, match, to->player,
	    arena_printf(req->arena, "%s thanks you", match->names.names[seat->seat]),
	    arena_printf(req->arena,
	                 "%s thanks you for the game %s (%s). Whoever asks with WHO how you "
	                 "stand is told how often you have been thanked.",
	                 match->names.names[seat->seat], match->id, match->rules->title)));
	return request_notice(req, match, seat, "your thanks are passed on", "",
	                      "%s is told that you say thank you.", name);
}
