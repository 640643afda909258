/*
 * more_time.c - ASK FOR: a player whom the game waits for asks the table for more time.
 *
 * The others whom it waits for decide, all of them, or a master who plays; where it waits for nobody
 * else, any other player. Three times in a game, a week at most at a time.
 */
#include "processor/base/clock.h"
#include "processor/master/master.h"
#include "processor/match/match_clock.h"
#include "processor/match/report_values.h"
#include "processor/match/standings.h"
#include "processor/request/which_game.h"
#include "processor/turns/abort_turn.h"
#include "store/audit.h"
#include "store/players.h"

enum { HOUR_S = 3600, WEEK_S = 7 * 24 * HOUR_S };

static enum err refuse(struct request *req, struct match *match, struct seat *seat,
                       const char *example, const char *why)
{
	request_verdict(req, "refused", "more time: %s", why);
	return request_notice(req, match, seat, "nobody was asked", example, "%s", why);
}

/* NULL: it may be asked for. */
static const char *why_not(const struct request *req, const struct match *match,
                           const struct seat *seat, int64_t length_s, const char **example)
{
	const struct turn *t = &match->turn;

	*example = "";
	if (match->game.ended_utc != 0 || match->game.status == GAME_GATHERING)
		return "No turn of this game is open, so there is no deadline to move.";
	if (!seat || seat->resigned)
		return "You have no seat in this game, so you cannot ask for that.";
	if (match->game.held || match->game.status == GAME_PAUSED)
		return "The game is paused: no clock runs, and nobody needs more time now.";
	if (!turn_can_be_aborted(match) || t->deadline_utc == 0 ||
	    match_came_after(match, req->sure_utc, t->deadline_utc))
		return "The deadline has passed, so it cannot be moved any more.";
	if (!seat_in((struct seat_set){t->owes & ~t->have}, seat->seat))
		return "The game does not wait for you, so you need no more time. Orders that "
		       "are stored can be changed until the turn ends.";
	if (match->game.master != 0 && seat->player == match->game.master) {
		*example = "set deadline +2D";
		return "You are the master of the game and can give more time to all without "
		       "asking, for example:";
	}
	if (length_s < HOUR_S || length_s > WEEK_S) {
		*example = "ask for 2 days";
		return "More time is at least an hour and at most a week. For example:";
	}
	return NULL;
}

/* A question of another is not to be pushed aside. */
static enum err other_question(struct request *req, const struct match *match,
                               const struct seat *seat, const char **why)
{
	struct motion open;
	enum err rc =
	    motion_get(req->srv->store, match->game.id, match->turn.serial, req->arena, &open);

	*why = NULL;
	if (rc == ERR_NONE && !motion_stands(match, &open, req->sure_utc))
		return ERR_NONE;
	if (rc == ERR_NONE && open.asker == seat->seat)
		*why = "You have asked for more time in this turn already, and the others can "
		       "still answer.";
	else if (rc == ERR_NONE)
		*why = arena_printf(req->arena,
		                    "The players are being asked for something else just now: "
		                    "\"%s\". Please ask when that is decided.",
		                    motion_shown(match, &open));
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* "as soon as Bob and Cy say yes, or Ann as the master does" */
static const char *when_it_moves(struct request *req, const struct match *match,
                                 struct seat_set voters, bool any)
{
	const struct seat *master = master_seat(match);
	bool has_master = master && seat_in(voters, master->seat);
	struct seat_set others = has_master ? seat_without(voters, master->seat) : voters;
	const char *names = match_names_in(match, seat_count(others) > 0 ? others : voters);

	if (any && seat_count(voters) > 1)
		return "as soon as one of them says yes";
	if (!has_master || seat_count(others) == 0)
		return arena_printf(req->arena,
		                    seat_count(voters) == 1 ? "as soon as %s says yes"
		                                            : "as soon as %s say yes",
		                    names);
	return arena_printf(req->arena,
	                    seat_count(others) == 1
	                        ? "as soon as %s says yes, or %s as the master does"
	                        : "as soon as %s say yes, or %s as the master does",
	                    names, match->names.names[master->seat]);
}

static enum err tell(struct request *req, struct match *match, struct seat *seat,
                     const struct motion *motion, const struct ballot *ballot, const char *more)
{
	const char *name = match->names.names[seat->seat];
	struct seat_set voters = motion_voters(match, ballot, motion);
	struct vote_count count = motion_count(match, ballot, motion);
	bool any = (match->turn.owes & ~match->turn.have & ~(1u << (seat->seat - 1))) == 0;
	const char *moves = when_it_moves(req, match, voters, any);

	return tell_table(
	    req, match, seat,
	    &(struct table_news){
		.subject = arena_printf(req->arena, "%s asks for more time", name),
		.done = arena_printf(req->arena,
	                             "%s asked whether %.*s may last longer, %s, until {when}. "
	                             "The deadline moves %s. Until then it is where it was.",
	                             arena_printf(req->arena,
	                                          count.voters == 1 ? "%s is" : "%s are",
	                                          match_names_in(match, voters)),
	                             SPAN_ARGS(match->turn.label), more, moves),
		.kind = "motion",
		.heard = arena_printf(req->arena,
	                              "%s asks for more time for %.*s: %s, until {when}.", name,
	                              SPAN_ARGS(match->turn.label), more),
		.asked = voters,
		.asks = arena_printf(req->arena,
	                             "The deadline moves %s. Reply with one of these "
	                             "lines; whoever says nothing has said no:",
	                             moves),
		.answers = TEXTS("yes", "no"),
		.clock = true,
		.at_utc = motion->at_utc});
}

enum err do_ask_for(struct request *req, const struct command *item, struct match *match,
                    struct seat *seat)
{
	const char *example, *why = why_not(req, match, seat, item->when.s, &example);
	struct strbuf words = STRBUF_INIT;
	struct ballot ballot;
	bool allowed;

	if (why)
		return refuse(req, match, seat, example, why);
	TRY(other_question(req, match, seat, &why));
	if (why)
		return refuse(req, match, seat, "", why);
	TRY(budget_allows(
	    req->srv, BUDGET_MORE_TIME,
	    span_of(arena_printf(req->arena, "%s %lld", match->id, (long long)seat->player)),
	    &allowed));
	if (!allowed)
		return refuse(
		    req, match, seat, "",
		    "You have asked for more time three times in this game, and more is "
		    "not possible.");
	struct motion motion = {
	    .game = match->game.id,
	    .serial = match->turn.serial,
	    .line = span_of(arena_printf(req->arena, "ask for %lldH",
	                                 (long long)(item->when.s + HOUR_S - 1) / HOUR_S)),
	    .asker = seat->seat,
	    .at_utc = match->turn.deadline_utc + item->when.s,
	    .asked_utc = req->srv->now_utc};
	interval_words(&words, item->when.s);
	const char *more = arena_take(req->arena, &words).ptr;
	TRY(ballot_load(req->srv, match, &ballot));
	TRY(ballot_forget_motion(req->srv, match, &ballot));
	TRY(motion_put(req->srv->store, &motion));
	TRY(audit_add(req->srv->store, match->game.id, seat->seat, STANDINGS_ACTOR, true,
	              req->srv->now_utc,
	              arena_printf(req->arena, "%s asked for more time, %s",
	                           match->names.names[seat->seat], more)));
	request_verdict(req, "command", "more time in %s is asked for", match->id);
	return tell(req, match, seat, &motion, &ballot, more);
}

enum err more_time_given(struct request *req, struct match *match, struct seat *seat,
                         const struct motion *motion, struct seat_set by)
{
	struct turn *t = &match->turn;
	const char *name = match->names.names[motion->asker];
	struct strbuf when = STRBUF_INIT;

	t->grace_utc += t->grace_utc > 0 ? motion->at_utc - t->deadline_utc : 0;
	t->deadline_utc = motion->at_utc;
	TRY(turn_set_deadline(req->srv->store, match->game.id, t->serial, t->deadline_utc));
	TRY(match_clock_was_told(req->srv, match));
	utc_format_human(&when, t->deadline_utc);
	enum err rc = audit_add(req->srv->store, match->game.id, motion->asker, "vote", true,
	                        req->srv->now_utc,
	                        arena_printf(req->arena,
	                                     "%s agreed to more time for %s: the deadline was "
	                                     "moved to %s",
	                                     match_names_in(match, by), name, when.ptr));
	strbuf_release(&when);
	TRY(rc);
	request_verdict(req, "vote", "%s: more time", match->id);
	return tell_table(
	    req, match, seat,
	    &(struct table_news){
		.subject = "more time",
		.done = arena_printf(
		    req->arena,
		    "Yours was the last yes that was needed: %s has more time, and "
		    "so has everybody.",
		    name),
		.heard = arena_printf(req->arena,
	                              "Everybody has more time: %s asked, %s agreed.", name,
	                              match_names_in(match, by)),
		.clock = true});
}
