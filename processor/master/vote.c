/*
 * vote.c - SET DRAW, SET CONCEDE, VOTE: giving a vote, taking it back, and what follows.
 */
#include <string.h>

#include "processor/master/master.h"
#include "processor/match/votes.h"
#include "processor/request/master.h"
#include "processor/request/which_game.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/due_turn.h"
#include "store/audit.h"

struct casting {
	struct request *req;
	struct match *match;
	struct seat *seat;
	enum vote_kind kind;
	unsigned whom;
	bool off;         /* taken back */
	const char *gone; /* counted again since this one no longer has a vote; else NULL */
	struct ballot ballot;
	struct vote_count count;
};

static enum err refuse(struct casting *c, const char *example, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static enum err refuse(struct casting *c, const char *example, const char *fmt, ...)
{
	struct strbuf why = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&why, fmt, ap);
	va_end(ap);
	request_verdict(c->req, "refused", "a vote: %s", why.ptr);
	enum err rc = request_notice(c->req, c->match, c->seat, "your vote was not counted",
	                             example, "%s", why.ptr);
	strbuf_release(&why);
	return rc;
}

/* ---- what passes ---- */

static const struct {
	const char *passed; /* "Ann and Bob ... ": with CONCEDE, a name behind it */
	const char *agree, *take_back;
} words_of[VOTE_MOTION] = {
    [VOTE_DRAW] = {"agreed to end the game as a draw", "SET DRAW", "SET NODRAW"},
    [VOTE_CONCEDE] = {"gave the game to", NULL, "SET NOCONCEDE"},
    [VOTE_PAUSE] = {"paused the game", "VOTE PAUSE", "VOTE NO PAUSE"},
    [VOTE_RESUME] = {"let the game go on", "VOTE RESUME", "VOTE NO RESUME"},
    [VOTE_CANCEL] = {"agreed to cancel the game", "VOTE CANCEL", "VOTE NO CANCEL"},
};

static enum err stop_or_go(struct casting *c, const char *what)
{
	bool stop = c->kind == VOTE_PAUSE;

	/* The next pause begins with no votes. */
	for (size_t i = 0; i < c->ballot.n; i++) {
		struct votes *v = &c->ballot.of[i];
		v->of[VOTE_PAUSE] = v->of[VOTE_RESUME] = (struct vote){0};
		TRY(votes_put(c->req->srv->store, c->match->game.id, c->match->turn.serial, v));
	}
	TRY(stop ? game_pause(c->req->srv, c->match, c->req->sure_utc)
	         : game_go_on(c->req->srv, c->match));
	const char *text = arena_printf(
	    c->req->arena, "The vote has passed: %s.%s", what,
	    stop ? " It goes on when its master says so, or when more than half of the players "
		   "write VOTE RESUME; whatever time was left is left then too."
		 : "");
	return tell_table(
	    c->req, c->match, c->seat,
	    &(struct table_news){.subject = stop ? "the game is paused" : "the game goes on",
	                         .done = text,
	                         .heard = text,
	                         .clock = true});
}

static enum err pass(struct casting *c)
{
	struct request *req = c->req;
	const char *by = match_names_in(c->match, c->count.by);
	const char *passed = words_of[c->kind].passed;
	const char *what = c->kind == VOTE_CONCEDE
	                       ? arena_printf(req->arena, "%s %s %s", by, passed,
	                                      c->match->names.names[c->whom])
	                       : arena_printf(req->arena, "%s %s", by, passed);

	TRY(audit_add(req->srv->store, c->match->game.id, 0, "vote", true, req->srv->now_utc,
	              what));
	if (!c->gone)
		request_verdict(req, "vote", "%s: %s", c->match->id, what);
	if (c->kind == VOTE_PAUSE || c->kind == VOTE_RESUME)
		return stop_or_go(c, what);
	TRY(tell_table(
	    req, c->match, c->seat,
	    &(struct table_news){
		.subject = "the vote has passed",
		.done = arena_printf(
		    req->arena,
		    "%s: %s. The last report and the "
		    "record follow.",
		    c->gone
			? arena_printf(req->arena,
	                               "Without %s the votes given before are enough", c->gone)
			: "Yours was the last vote that was needed",
		    what)}));
	if (c->kind == VOTE_CANCEL)
		return abort_game(req->srv, c->match, GAME_CANCELLED, (struct seat_set){0});
	return abort_game(req->srv, c->match, GAME_OVER,
	                  c->kind == VOTE_DRAW ? c->ballot.living
	                                       : seat_with((struct seat_set){0}, c->whom));
}

/* ---- giving a vote ---- */

/* Whether others have heard of it before; from now on they have. */
static bool was_seen(struct casting *c, struct vote *own)
{
	bool seen = own->was_seen && own->whom == c->whom;

	for (size_t i = 0; i < c->ballot.n; i++) {
		const struct vote *v = &c->ballot.of[i].of[c->kind];
		seen = seen || (v->was_seen && v->whom == c->whom);
	}
	return seen;
}

static const char *proposal(const struct casting *c, const char *words, const char *what_to_do)
{
	return arena_printf(c->req->arena,
	                    "A player proposes %s. %s Votes hold until the turn "
	                    "ends, and nobody is told whose they are before they pass.",
	                    words, what_to_do);
}

static enum err tell(struct casting *c, bool proposed)
{
	struct arena *arena = c->req->arena;
	const char *words = vote_count_words(c->match, c->kind, c->whom, &c->count);
	struct table_news n = {
	    .subject = arena_printf(arena, "a vote, %u of %u", c->count.given, c->count.voters),
	    .players_only = true,
	};

	n.done =
	    c->off
		? arena_printf(
		      arena,
		      "Your vote is taken back, %s. Votes hold until the turn ends, and "
		      "nobody is told whose they are before they pass.",
		      words)
		: arena_printf(arena,
	                       "Your vote is counted, %s. Votes hold until the turn ends, and "
	                       "nobody is told whose they are before they pass. To take yours "
	                       "back, reply with \"%s\".",
	                       words, words_of[c->kind].take_back);
	if (proposed)
		n.heard = proposal(
		    c, words,
		    c->kind == VOTE_CONCEDE
			? arena_printf(arena, "If you agree, reply with \"SET CONCEDE %u\".",
		                       c->whom)
			: arena_printf(arena, "If you agree, reply with \"%s\".",
		                       words_of[c->kind].agree));
	if (proposed && c->kind == VOTE_CONCEDE) {
		n.other = match_seat(c->match, c->whom);
		n.heard_by_other =
		    proposal(c, words, "That is you, so the others have to agree.");
	}
	request_verdict(c->req, "vote", "a vote in %s", c->match->id);
	return tell_table(c->req, c->match, c->seat, &n);
}

static enum err cast_vote(struct casting *c)
{
	struct votes *own = ballot_of_seat(&c->ballot, c->seat->seat);
	struct vote *v = &own->of[c->kind];

	if (c->off && c->kind == VOTE_CONCEDE)
		c->whom = v->whom;
	if (c->off && !v->stands)
		return refuse(c, "status",
		              "You have no such vote in this turn that could be taken back. To "
		              "see the votes, send:");
	bool seen = was_seen(c, v);
	*v = (struct vote){.stands = !c->off, .was_seen = true, .whom = c->whom};
	TRY(votes_put(c->req->srv->store, c->match->game.id, c->match->turn.serial, own));
	c->count = ballot_count(&c->ballot, c->kind, c->whom);
	if (!c->off && c->count.passed)
		return pass(c);
	bool proposed = !seen && !c->off;
	if (proposed) /* one thing after another is counted, but not told of any more */
		TRY(budget_allows(c->req->srv, BUDGET_VOTE_NEWS,
		                  span_of(arena_printf(c->req->arena, "%s seat %u",
		                                       c->match->id, c->seat->seat)),
		                  &proposed));
	return tell(c, proposed);
}

/* ---- whether it can be given ---- */

static const char *cannot_vote(const struct casting *c)
{
	const struct match *match = c->match;

	if (match->game.ended_utc != 0)
		return "The game has ended, so there is nothing to vote for. To see how it "
		       "stands, send:";
	if (match->game.status == GAME_GATHERING)
		return "The game has not begun, so there is nothing to vote for yet. To see "
		       "how it stands, send:";
	if (!c->seat)
		return "You have no seat in this game, so you have no vote. To see how it "
		       "stands, send:";
	if (c->seat->resigned)
		return "You have left this game, so you have no vote. To see how it stands, "
		       "send:";
	if (match->game.held)
		return "The operator of the server holds this game, so no votes are counted "
		       "now.";
	if (!turn_can_be_aborted(match) || turn_has_ended(match, c->req->sure_utc))
		return "The turn is just being ended, and votes end with it. Please vote anew "
		       "when you have the next report.";
	if (c->req->about.has_serial && c->req->about.game == match->game.id &&
	    c->req->about.serial != match->turn.serial)
		return "Your mail answers a turn that is over, and votes end with their turn. "
		       "Please answer the newest report.";
	if (c->kind == VOTE_PAUSE && match->game.status == GAME_PAUSED)
		return "The game is paused already. To let it go on write VOTE RESUME.";
	if (c->kind == VOTE_RESUME && match->game.status != GAME_PAUSED)
		return "The game is not paused. To pause it write VOTE PAUSE.";
	return NULL;
}

static enum err whom_to_concede(struct casting *c, const struct command *item, bool *ok)
{
	struct seat *whom;

	*ok = c->kind != VOTE_CONCEDE || c->off;
	if (*ok)
		return ERR_NONE;
	TRY(seat_named(c->req, c->match, c->seat, item, &whom));
	if (!whom)
		return ERR_NONE;
	c->whom = whom->seat;
	if (whom == c->seat)
		return refuse(
		    c, "set draw",
		    "You cannot give the game to yourself. What all can agree on is a draw:");
	if (!seat_in(c->ballot.living, whom->seat))
		return refuse(c, "status",
		              "%s is out of the game and cannot win it any more. To see who is "
		              "in it, send:",
		              c->match->names.names[whom->seat]);
	*ok = true;
	return ERR_NONE;
}

static enum vote_kind kind_of(const struct command *item)
{
	if (item->verb == CMD_SET_DRAW || item->verb == CMD_SET_NODRAW)
		return VOTE_DRAW;
	if (item->verb == CMD_SET_CONCEDE || item->verb == CMD_SET_NOCONCEDE)
		return VOTE_CONCEDE;
	return item->number == VOTE_FOR_PAUSE    ? VOTE_PAUSE
	       : item->number == VOTE_FOR_RESUME ? VOTE_RESUME
	                                         : VOTE_CANCEL;
}

enum err do_vote(struct request *req, const struct command *item, struct match *match,
                 struct seat *seat)
{
	struct casting c = {.req = req, .match = match, .seat = seat, .kind = kind_of(item)};
	bool ok;

	c.off = item->off || item->verb == CMD_SET_NODRAW || item->verb == CMD_SET_NOCONCEDE;
	const char *why = cannot_vote(&c);
	if (why && why[strlen(why) - 1] != ':')
		return refuse(&c, "", "%s", why);
	if (why) /* an answer of somebody without a seat is about no game in particular */
		return refuse(
		    &c, seat ? "status" : arena_printf(req->arena, "status %s", match->id),
		    "%s", why);
	TRY(ballot_load(req->srv, match, &c.ballot));
	if (!seat_in(c.ballot.voters, seat->seat))
		return refuse(&c, "status",
		              "You are out of this game, so you have no vote. To see how it "
		              "stands, send:");
	TRY(whom_to_concede(&c, item, &ok));
	return ok ? cast_vote(&c) : ERR_NONE;
}

/* ---- somebody has gone ---- */

/* The first that passes; the others end with the turn or wait for its next vote. */
static bool find_passed(struct casting *c)
{
	for (int k = 0; k < VOTE_MOTION; k++)
		for (c->whom = 0; c->whom <= c->match->nseats; c->whom++) {
			c->kind = (enum vote_kind)k;
			c->count = ballot_count(&c->ballot, c->kind, c->whom);
			if (c->count.passed &&
			    (c->kind != VOTE_PAUSE || c->match->game.status != GAME_PAUSED) &&
			    (c->kind != VOTE_RESUME || c->match->game.status == GAME_PAUSED) &&
			    (c->kind != VOTE_CONCEDE || seat_in(c->ballot.living, c->whom)))
				return true;
		}
	return false;
}

enum err votes_without(struct request *req, struct match *match, struct seat *seat,
                       unsigned gone)
{
	struct casting c = {
	    .req = req, .match = match, .seat = seat, .gone = match->names.names[gone]};
	struct motion motion;

	if (!turn_can_be_aborted(match) || turn_has_ended(match, req->sure_utc))
		return ERR_NONE;
	TRY(ballot_load(req->srv, match, &c.ballot));
	/* Else whoever takes the seat over would have voted already. */
	for (size_t i = 0; i < c.ballot.n; i++) {
		struct votes *v = &c.ballot.of[i];

		if (v->seat != gone)
			continue;
		*v = (struct votes){.seat = gone, .revision = v->revision};
		TRY(votes_put(c.req->srv->store, c.match->game.id, c.match->turn.serial, v));
	}
	if (find_passed(&c))
		return pass(&c);
	/* What is asked about that seat is asked no more. */
	enum err rc = motion_get(req->srv->store, match->game.id, match->turn.serial,
	                         req->arena, &motion);
	if (rc == ERR_NONE && motion.seat == gone)
		return motion_close(req->srv->store, match->game.id);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}
