/*
 * not_understood.c - what is said when nothing, or nothing more, was made of a mail.
 */
#include "processor/request/not_understood.h"

#include "processor/commandtext/short_answers.h"
#include "processor/request/did_you_mean.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"

enum err tell_near_commands(struct request *req)
{
	struct diags diags = DIAGS_INIT;
	struct unclear u = {.match = NULL};
	bool done;

	if (req->answer.diags_told || !diags_has_errors(&req->text->diags))
		return ERR_NONE;
	request_forget_match(req);
	TRY(unclear_load_answered(req, &u));
	bool alone = !req->answer.understood;
	request_understood(req); /* an answer better than the guide */
	if (alone)
		TRY(ask_about_misspelt(req, &u, &done));
	if (alone && done)
		return ERR_NONE;
	enum err rc = request_add_diags(req, &req->text->diags, &diags);
	u.quote = unclear_line(req, &u, &diags);
	u.diags = &diags;
	if (rc == ERR_NONE)
		rc = unclear_tell(req, &u, "notice");
	diags_release(&diags);
	return rc;
}

static enum err stored_now(struct request *req, struct unclear *u)
{
	struct order_entry s = {.match = u->match, .seat = u->seat};
	struct order_set set;

	if (!u->match->has_turn || u->match->turn.state != TURN_OPEN ||
	    u->match->turn.serial == 0)
		return ERR_NONE;
	TRY(order_set_load_sent(req->srv, u->match, &set));
	TRY(standing_orders_load(req->srv, u->match, &s.standing));
	const struct seat_entry *e = &set.seats[u->seat->seat];
	if (e->acts && e->revision > 0)
		s.before = e->canonical;
	if (seat_in((struct seat_set){u->match->turn.owes}, u->seat->seat) || s.before.ptr)
		unclear_say_stored(&s, u);
	return ERR_NONE;
}

/* The first line that is no command, for those were understood; a greeting only where there is no other. */
static struct span first_line_of_none(const struct request *req)
{
	struct span greeting = SPAN_EMPTY;

	for (size_t i = 0; i < req->text->nlines; i++) {
		struct span line = req->text->lines[i].text;
		bool command = false;

		for (size_t k = 0; k < req->text->nitems; k++)
			command = command ||
			          (req->text->items[k].verb != CMD_ORDERS &&
			           req->text->items[k].line == req->text->lines[i].line);
		if (!command && !unclear_is_greeting(line))
			return line;
		if (!command && greeting.len == 0)
			greeting = line;
	}
	return greeting;
}

/* Why nothing was read at all, as far as that can be seen; NULL if it was. */
static const char *why_unread(const struct request *req)
{
	if (req->text->nlines > 0)
		return NULL;
	if (req->text->nbarred > 0)
		return "The lines of your mail begin with |, as our examples do, and such "
		       "lines are not read. Remove the | and send them again.";
	if (req->text->stopped_at_marker)
		return "There was nothing above our own line of number signs, and below it "
		       "nothing is read. Write above that line.";
	return "Your mail arrived without any words of yours.";
}

/* "Thanks, looking forward to it!": nothing was asked. */
static bool is_only_polite(struct request *req)
{
	struct willingness w = {0};

	for (size_t i = 0; i < req->text->nlines; i++)
		willingness_add(&w, req->text->lines[i].text, req->arena);
	return req->text->nlines > 0 && !w.says_more;
}

static const char *game_stands(const struct match *match)
{
	switch (match->game.status) {
	case GAME_GATHERING:
		return "The game has not begun: it waits for players. You will get a mail when "
		       "it is your turn.";
	case GAME_OVER:
	case GAME_CANCELLED:
	case GAME_ABANDONED:
		return "The game has ended.";
	case GAME_PAUSED:
	case GAME_RUNNING:
		break;
	}
	return NULL;
}

/* Who answers no mail of a game means the only one they have. */
static enum err load_only_game(struct request *req, struct unclear *u)
{
	struct game *games;
	size_t n;

	TRY(request_games(req, &games, &n));
	if (n != 1)
		return ERR_NONE;
	TRY(request_match(req, games[0].id, &u->match));
	for (size_t i = 0; i < u->match->nseats && !u->seat; i++)
		if (u->match->seats[i].player == req->who.player.id &&
		    !u->match->seats[i].resigned)
			u->seat = &u->match->seats[i];
	if (!u->seat)
		u->match = NULL;
	return u->match && u->match->has_turn ? match_position_to_read(req->srv, u->match)
	                                      : ERR_NONE;
}

enum err tell_not_understood_in_game(struct request *req, bool *done)
{
	struct unclear u = {.match = NULL};

	*done = false;
	TRY(unclear_load_answered(req, &u));
	if (!u.match && req->about.game == 0 && req->about.digest == 0)
		TRY(load_only_game(req, &u));
	if (!u.match)
		return ERR_NONE;
	*done = true;
	u.reason = why_unread(req);
	if (is_only_polite(req)) {
		u.reason =
		    "There is no order and no request in your mail, so nothing has changed.";
		u.subject = "nothing has changed";
	}
	u.quote = first_line_of_none(req);
	u.stored = game_stands(u.match);
	if (!u.stored)
		TRY(stored_now(req, &u));
	request_verdict(req, "not-understood", "no line was understood");
	return req->answer.allowed ? unclear_tell(req, &u, "notice") : ERR_NONE;
}
