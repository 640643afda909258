/*
 * absence.c - SET ABSENCE and SET NOABSENCE: deadlines that wait for somebody who is away.
 *
 * An absence counts for all games of a player, from a day's beginning to a day's end by their
 * clocks. The deadlines of turns that are open are moved here, those of later turns when they
 * open (match_clock.h). The others read in the next report that a deadline was moved, neither why nor
 * for whom. Days are limited, at a time and in any 365 days, so that nobody can stop a game.
 */
#include "processor/calendar/date_range.h"
#include "processor/commands/commands.h"
#include "processor/match/match_clock.h"
#include "processor/request/master.h"
#include "processor/request/request.h"
#include "processor/server/zones.h"
#include "store/absences.h"

enum { DAY_S = 86400, YEAR_DAYS = 365 };

static enum err refuse(struct request *req, const char *example, const char *why)
{
	request_verdict(req, "refused", "no absence was noted");
	return request_notice(req, NULL, NULL, "no absence was noted", example, "%s", why);
}

static enum err for_players_only(struct request *req)
{
	return refuse(
	    req, "list",
	    "Only somebody who plays here can be away. To see the games you can join, send:");
}

/* "Thu 24 Dec 2026" */
static const char *day_text(struct request *req, int64_t day)
{
	struct strbuf text = STRBUF_INIT;

	day_format(&text, day);
	return arena_take(req->arena, &text).ptr;
}

/* ---- how many days ---- */

/* Rounded: a day may have 23 or 25 hours. */
static unsigned days_in(int64_t from_utc, int64_t until_utc)
{
	return until_utc > from_utc ? (unsigned)((until_utc - from_utc + DAY_S / 2) / DAY_S)
	                            : 0;
}

/*
 * Of another absence, what is left of it beside this one and not more than a year before its
 * end.
 */
static unsigned days_beside(const struct absence *other, const struct absence *a)
{
	int64_t since = a->until_utc - (int64_t)YEAR_DAYS * DAY_S;
	int64_t from = other->from_utc > since ? other->from_utc : since;
	bool before = other->from_utc < a->from_utc;

	if (!before && other->from_utc < a->until_utc) /* it is replaced */
		return 0;
	return days_in(from, before && other->until_utc > a->from_utc ? a->from_utc
	                                                              : other->until_utc);
}

/* ---- open turns ---- */

static enum err move_deadline(struct request *req, struct match *match, const struct zone *zone,
                              struct strbuf *story)
{
	bool moved;

	TRY(match_clock_put_off_open(req->srv, match, &moved));
	if (!moved)
		return ERR_NONE;
	strbuf_addf(story, "%s%s, %.*s: %s", story->len > 0 ? "; " : "", match->id,
	            SPAN_ARGS(match->turn.label),
	            zone_human(zone, match->turn.deadline_utc, req->arena));
	return tell_others(
	    req, match, NULL,
	    &(struct table_news){
		.subject = "the deadline was moved",
		.heard = arena_printf(
		    req->arena, "At the request of a player the deadline of %.*s was moved.",
		    SPAN_ARGS(match->turn.label)),
		.clock = true});
}

/* A damaged game is held when it is to be played next; it stops nobody here. */
static enum err move_deadlines(struct request *req, const struct zone *zone,
                               struct strbuf *story)
{
	struct game *games;
	size_t n;

	TRY(game_list_of_player(req->srv->store, req->who.player.id, 1u << GAME_RUNNING,
	                        req->arena, &games, &n));
	for (size_t i = 0; i < n; i++) {
		struct match match;
		enum err rc = match_load(req->srv, games[i].id, req->arena, &match);

		if (rc == ERR_NONE && match.has_turn && match.turn.serial > 0 &&
		    match.turn.state == TURN_OPEN && match.turn.deadline_utc != 0 &&
		    req->sure_utc <= match.turn.deadline_utc)
			rc = move_deadline(req, &match, zone, story);
		match_release(&match);
		if (rc != ERR_NONE && !server_blames_game(rc))
			return rc;
	}
	return ERR_NONE;
}

/* ---- SET ABSENCE ---- */

static enum err tell_noted(struct request *req, const struct day_range *r, const char *place,
                           unsigned left, const char *story)
{
	unsigned n = (unsigned)(r->last - r->first + 1);
	const char *paragraphs[] = {
	    n == 1 ? arena_printf(req->arena, "You are away on %s, by the clocks of %s.",
	                          day_text(req, r->first), place)
		   : arena_printf(req->arena,
	                          "You are away from %s to %s, %u days by the clocks of %s.",
	                          day_text(req, r->first), day_text(req, r->last), n, place),
	    *story ? arena_printf(req->arena, "Deadlines that were moved for it: %s.", story)
		   : "No deadline had to be moved for it so far.",
	    "Deadlines of later turns that wait for you and would fall into that time are put "
	    "off as well, to a day or more after it, in all your games. The others read that a "
	    "deadline was moved, not why; a master who would move one into that time is told "
	    "that you are away. What comes from you is taken as ever; with QUEUE and "
	    "ALWAYS you can send orders for that time ahead.",
	    arena_printf(req->arena,
	                 "You have %u %s of absence left this year. If you come back sooner, "
	                 "this line ends it:",
	                 left, left == 1 ? "day" : "days"),
	    NULL};

	return request_answer_notice(
	    req, NULL, NULL, "receipt",
	    &(struct report_notice){.subject = "you are away",
	                            .paragraphs = paragraphs,
	                            .examples = TEXTS("set noabsence")});
}

static const char *too_long(struct request *req, unsigned days, unsigned left)
{
	const struct config *c = &req->srv->cfg;

	if (c->absence_days == 0)
		return "This server knows no absences: deadlines do not wait. With QUEUE and "
		       "ALWAYS you can send orders ahead. To see how your game stands, send:";
	if (days > c->absence_days)
		return arena_printf(req->arena,
		                    "That is %u days, and no absence may be longer than %u "
		                    "here, so nothing was noted. For example:",
		                    days, c->absence_days);
	if (days > left)
		return arena_printf(
		    req->arena,
		    "That is %u days, and of the %u that everybody has in a year you have %u "
		    "left, so nothing was noted. With QUEUE and ALWAYS you can send orders for "
		    "that time ahead. For example:",
		    days, c->absence_days_per_year, left);
	return NULL;
}

static enum err set_absence(struct request *req, const struct day_range *r,
                            const struct zone *zone)
{
	struct absence a = {.player = req->who.player.id,
	                    .from_utc = zone_moment(zone, r->first * DAY_S),
	                    .until_utc = zone_moment(zone, (r->last + 1) * DAY_S),
	                    .asked_utc = req->arrived_utc,
	                    .mail = req->inbox_id};
	unsigned most = req->srv->cfg.absence_days_per_year, taken = 0;
	unsigned days = (unsigned)(r->last - r->first + 1);
	struct absence *list;
	size_t nlist;

	/* Of the days of a year; what is announced for later counts too. */
	TRY(absence_list(req->srv->store, a.player, a.until_utc - (int64_t)YEAR_DAYS * DAY_S,
	                 req->arena, &list, &nlist));
	for (size_t i = 0; i < nlist; i++)
		taken += days_beside(&list[i], &a);
	unsigned left = taken < most ? most - taken : 0;
	const char *why = too_long(req, days, left);
	if (why)
		return refuse(req,
		              req->srv->cfg.absence_days == 0 ? "status"
		                                              : "set absence today to tomorrow",
		              why);
	struct strbuf story = STRBUF_INIT;
	TRY(absence_cut(req->srv->store, req->who.player.id, a.from_utc, a.until_utc));
	TRY(absence_add(req->srv->store, &a));
	enum err rc = move_deadlines(req, zone, &story);
	request_verdict(req, "command", "away for %u days", (unsigned)(r->last - r->first + 1));
	if (rc == ERR_NONE)
		rc = tell_noted(req, r, zone ? zone_name(zone) : "UTC", left - days, story.ptr);
	strbuf_release(&story);
	return rc;
}

enum err do_absence(struct request *req, const struct command *item)
{
	struct days days;
	struct day_range r;

	request_understood(req);
	if (req->who.player.id == 0)
		return for_players_only(req);
	switch (days_read(item->name, &days)) {
	case DAYS_AMBIGUOUS:
		return refuse(req, "set absence 5 Jun to 8 Jun",
		              "With slashes that may be two different days, as some write the "
		              "day first and others the month, so nothing was noted. Write the "
		              "name of the month, for example:");
	case DAYS_NONE:
	case DAYS_IMPOSSIBLE:
		return refuse(
		    req, "set absence 24 Dec to 3 Jan",
		    "That date does not exist, so no absence was saved. For example:");
	case DAYS_GOOD:
		break;
	}
	/* A day that has gone by: when it was to be in the past, or the year is wrong. */
	const struct zone *zone = zone_of_reader(req->srv, &req->who.player);
	int64_t today = day_of(zone, req->arrived_utc);

	if (!days_resolve(&days, today, &r))
		return refuse(req, "set absence 24 Dec to 3 Jan",
		              "The second day is before the first, so nothing was noted. Write "
		              "for example:");
	if (r.last < today)
		return refuse(
		    req, "set absence 24 Dec to 3 Jan",
		    "These days have gone by, so nothing was noted. Write for example:");
	if (r.first > today + YEAR_DAYS)
		return refuse(
		    req, "set absence 24 Dec to 3 Jan",
		    "That is more than a year ahead, so nothing was noted. Write for example:");
	if (r.first < today)
		r.first = today;
	return set_absence(req, &r, zone);
}

enum err absence_words(struct request *req, struct report_standing_order *out, size_t most,
                       size_t *n)
{
	const struct zone *zone = zone_of_reader(req->srv, &req->who.player);
	struct absence *list;
	size_t nlist;

	TRY(absence_list(req->srv->store, req->who.player.id, req->srv->now_utc, req->arena,
	                 &list, &nlist));
	for (size_t i = 0; i < nlist && *n < most; i++)
		out[(*n)++].lead = arena_printf(
		    req->arena,
		    "you are away from %s to %s, and deadlines wait for you (SET ABSENCE)",
		    day_text(req, day_of(zone, list[i].from_utc)),
		    day_text(req, day_of(zone, list[i].until_utc - 1)));
	return ERR_NONE;
}

/* ---- SET NOABSENCE ---- */

enum err do_absence_end(struct request *req, const struct command *item)
{
	struct absence *list;
	size_t n;

	(void)item;
	request_understood(req);
	if (req->who.player.id == 0)
		return for_players_only(req);
	TRY(absence_list(req->srv->store, req->who.player.id, req->arrived_utc, req->arena,
	                 &list, &n));
	if (n == 0)
		return refuse(req, "set absence 24 Dec to 3 Jan",
		              "You have not said that you are away, so nothing has changed. To "
		              "say so, for example:");
	TRY(absence_cut(req->srv->store, req->who.player.id, req->arrived_utc, INT64_MAX));
	request_verdict(req, "command", "back from an absence");
	return request_notice(
	    req, NULL, NULL, "you are back", "status",
	    "You are not away any more, and nothing is noted for later. Deadlines that have "
	    "been moved stay where they are. To see how your game stands, send:");
}
