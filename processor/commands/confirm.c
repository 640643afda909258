/*
 * confirm.c - YES and NO: to a seat that waits to be confirmed, to what a master asks the players for, to
 * an invitation, or to nothing.
 */
#include "processor/commands/commands.h"
#include "processor/commands/rematch.h"
#include "processor/commandtext/yes_no.h"
#include "processor/master/master.h"
#include "processor/request/confirmation.h"
#include "processor/request/meant.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"
#include "processor/turns/ready.h"

static enum err refuse_seat(struct request *req, struct match *match, struct seat *seat)
{
	TRY(request_notice(req, match, seat, "the seat is given back", "list",
	                   "You answered NO, so your seat in %s is free again and you get no "
	                   "more mail about it. To see the open games, send:",
	                   match->id));
	seat->player = 0;
	seat->token_generation++;
	TRY(seat_update(req->srv->store, seat));
	return seats_cancel_if_empty(req->srv, match, req->who.player.id);
}

/* A yes or no in answer to another mail than the one that asks. */
static enum err confirmation_waits(struct request *req, bool *waits)
{
	struct confirmation *open;
	size_t n;

	TRY(confirmation_list(req->srv->store, req->who.player.id, req->arena, &open, &n));
	*waits = false;
	for (size_t i = 0; i < n; i++)
		*waits = *waits ||
		         (open[i].kind != CONFIRMATION_MEANT &&
		          open[i].kind != CONFIRMATION_GUESTS &&
		          open[i].asked_utc + CONFIRMATION_OPEN_S >= req->arrived_utc);
	return ERR_NONE;
}

static enum err tell_which_mail(struct request *req, struct match *match, struct seat *seat)
{
	return request_notice(req, match, seat, "please answer the mail that asks", "",
	                      "A question of ours waits for your answer, but this was an "
	                      "answer to another mail, so it does not count. Please answer the "
	                      "very mail that asks. Nothing has changed.");
}

/* Whether they are still there, before the game begins (turns/ready.h). */
static bool is_asked(const struct match *match, const struct seat *seat)
{
	return seat->confirmed && match->game.status == GAME_GATHERING &&
	       match->game.ready_until_utc != 0 && !seat->ready;
}

/* YES, when all are asked before the game begins. */
static enum err is_there(struct request *req, struct match *match, struct seat *seat)
{
	seat->ready = true;
	TRY(seat_update(req->srv->store, seat));
	struct seat_set awaited = ready_awaited(req->srv, match);
	request_verdict(req, "command", "is there, in %s", match->id);
	TRY(request_notice(
	    req, match, seat, "thank you", "",
	    seat_count(awaited) == 0
		? "Everybody is there, so %s begins. The first report follows."
		: "You are there. %s begins when the others have said so too: we "
		  "wait for %s.",
	    match->id, match_names_in(match, awaited)));
	return game_start_if_full(req->srv, match);
}

static enum err confirm(struct request *req, const struct command *item, struct match *match,
                        struct seat *seat)
{
	bool waits, voted, shown;

	if (!seat)
		return ERR_NONE;
	if (is_asked(match, seat))
		return item->verb == CMD_NO ? refuse_seat(req, match, seat)
		                            : is_there(req, match, seat);
	if (seat->confirmed && !req->answer.seat_confirmed) {
		TRY(confirmation_waits(req, &waits));
		TRY(motion_answer(req, item->verb == CMD_YES, match, seat, waits, &voted));
		if (voted)
			return ERR_NONE;
		if (waits)
			return tell_which_mail(req, match, seat);
	}
	if (item->verb == CMD_NO && !seat->confirmed && match->game.status == GAME_GATHERING)
		return refuse_seat(req, match, seat);
	if (item->verb == CMD_NO)
		return request_notice(req, match, seat, "nothing was waiting for a no",
		                      "resign",
		                      "Nothing was waiting for your answer, so nothing has "
		                      "changed. To leave the game write:");
	if (seat->confirmed && !req->answer.seat_confirmed) {
		TRY(meant_show_again(req, &shown));
		if (shown)
			return ERR_NONE;
	}
	if (!seat->confirmed || req->answer.seat_confirmed)
		return request_notice(req, match, seat, "thank you", "",
		                      "Your address is confirmed and your seat in %s is yours. "
		                      "You will get a mail when it is your turn.",
		                      match->id);
	return request_notice(
	    req, match, seat, "nothing was waiting for a yes", "status",
	    "There was no open question. Your seat in %s is safe. If a turn is open and you have not sent orders yet, "
	    "reply with them. To see how the game stands, send:",
	    match->id);
}

enum err do_confirm(struct request *req, const struct command *item)
{
	bool invited;

	TRY(rematch_answer(req, item, &invited));
	if (!invited)
		TRY(invite_answer(req, item, &invited));
	if (!invited && item->verb == CMD_YES && req->about.seat == 0)
		TRY(meant_show_again(req, &invited));
	if (invited || !req->who.proven) /* a yes to nothing in particular */
		return ERR_NONE;
	return request_with_game(req, item, confirm);
}

enum err yes_explain(struct request *req, bool *done)
{
	*done = false;
	if (!yes_no_is_likely(req->mail))
		return ERR_NONE;
	struct said said = yes_no_said(req->mail, req->srv->cfg.max_commands, req->arena);
	return said.yes && !said.no ? meant_show_again(req, done) : ERR_NONE;
}

enum err ready_explain(struct request *req, bool *done)
{
	struct match *match;

	*done = false;
	if (req->about.game == 0 || req->about.seat == 0 || !req->who.proven)
		return ERR_NONE;
	TRY(request_match(req, req->about.game, &match));
	struct seat *seat = match_seat(match, req->about.seat);
	struct said said =
	    yes_no_to_invitation(req->mail, req->srv->cfg.max_commands, req->arena);
	*done = seat && seat->player == req->who.player.id && is_asked(match, seat) &&
	        said.yes != said.no;
	if (!*done)
		return ERR_NONE;
	request_understood(req);
	return said.yes ? is_there(req, match, seat) : refuse_seat(req, match, seat);
}
