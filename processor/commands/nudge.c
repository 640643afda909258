/*
 * nudge.c - NUDGE: a reminder to those whom the game waits for, because another player asks for it.
 *
 * Once a day and game, and not before half of the time for the turn is over. Only noted here:
 * turns/remind sends it, as it does the reminders before a deadline, outside quiet hours.
 */
#include <string.h>

#include "processor/base/zone.h"
#include "processor/commands/commands.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"
#include "processor/turns/due_turn.h"
#include "store/players.h"
#include "store/reminders.h"

enum { DAY_S = 24 * 3600 };

static enum err refuse(struct request *req, struct match *match, struct seat *seat,
                       const char *why)
{
	bool leads = why[strlen(why) - 1] == ':';

	request_verdict(req, "refused", "a nudge: %s", why);
	return request_notice(req, match, seat, "nobody was reminded",
	                      leads ? arena_printf(req->arena, "status %s", match->id) : "",
	                      "%s", why);
}

static bool is_awaited(const struct match *match, const struct seat *seat)
{
	return seat_in((struct seat_set){match->turn.owes & ~match->turn.have}, seat->seat);
}

/* People among them; a vacant seat hears nothing. */
static struct seat_set awaited_people(const struct match *match)
{
	struct seat_set people = {0};

	for (size_t i = 0; i < match->nseats; i++) {
		const struct seat *s = &match->seats[i];

		if (s->player != 0 && !s->resigned && is_awaited(match, s))
			people = seat_with(people, s->seat);
	}
	return people;
}

static const char *why_not(const struct request *req, const struct match *match,
                           const struct seat *seat)
{
	const struct turn *t = &match->turn;

	if (match->game.ended_utc != 0)
		return "The game has ended, so it waits for nobody. To see how it ended, send:";
	if (match->game.status == GAME_GATHERING)
		return "The game has not begun, so it waits for nobody's orders. To see who is "
		       "missing, send:";
	if (!seat || seat->resigned)
		return "You have no seat in this game, so you cannot ask for that. To see how "
		       "it "
		       "stands, send:";
	if (match->game.held || match->game.status == GAME_PAUSED)
		return "The game is paused, so nobody is in a hurry and nobody was reminded. "
		       "To "
		       "see how it stands, send:";
	if (t->state != TURN_OPEN || t->serial == 0 || turn_has_ended(match, req->sure_utc) ||
	    t->deadline_utc == 0 || match_came_after(match, req->sure_utc, t->deadline_utc))
		return "The deadline has passed, so nobody is reminded any more. To see how "
		       "the "
		       "game stands, send:";
	if (is_awaited(match, seat))
		return "The game waits for you too, so nobody was reminded. Please send your "
		       "orders first. To see how it stands, send:";
	if (seat_count(awaited_people(match)) == 0)
		return "Everybody has sent orders, so there is nobody to remind. To see how "
		       "the "
		       "game stands, send:";
	return NULL;
}

enum err do_nudge(struct request *req, const struct command *item, struct match *match,
                  struct seat *seat)
{
	const struct turn *t = &match->turn;
	const char *why = why_not(req, match, seat);
	bool allowed;

	(void)item;
	if (why)
		return refuse(req, match, seat, why);
	int64_t half_utc = t->opened_utc + (t->deadline_utc - t->opened_utc) / 2;
	if (req->sure_utc < half_utc) {
		struct strbuf when = STRBUF_INIT;

		zone_format_human(&when, zone_of_reader(req->srv, &req->who.player), half_utc);
		enum err rc =
		    refuse(req, match, seat,
		           arena_printf(
			       req->arena,
			       "Half of the time for this turn is not over yet, so nobody was "
			       "reminded. From %s on you can ask for it.",
			       when.ptr));
		strbuf_release(&when);
		return rc;
	}
	TRY(budget_allows(req->srv, BUDGET_NUDGES, span_of(match->id), &allowed));
	if (!allowed)
		return refuse(
		    req, match, seat,
		    "Somebody has asked for this within a day, so nobody was reminded "
		    "again. Please wait until tomorrow.");
	TRY(nudge_put(req->srv->store, &(struct nudge){.game = match->game.id,
	                                               .serial = t->serial,
	                                               .seat = seat->seat,
	                                               .at_utc = req->sure_utc}));
	TRY(turn_set_remind(req->srv->store, match->game.id, t->serial, TURN_REMIND_SOON));
	request_verdict(req, "command", "a nudge in %s", match->id);
	return request_notice(
	    req, match, seat, "a friendly reminder goes out", "",
	    "%s will be reminded that the game waits for them, in your name. In hours in which "
	    "somebody wants no reminders it waits until these are over; whoever has turned "
	    "reminders off gets none. Tomorrow you can ask for it again.",
	    match_names_in(match, awaited_people(match)));
}
