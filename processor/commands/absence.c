/*
 * absence.c - SET ABSENCE and SET NOABSENCE: deadlines that wait for somebody who is away.
 *
 * An absence counts for all games of a player, from a day's beginning to a day's end by his
 * clocks. The deadlines of turns that are open are moved here, those of later turns when they
 * open (match_clock.h). The others read in the next report that a deadline was moved, neither why nor
 * for whom. Days are limited, at a time and in any 365 days, so that nobody can stop a game.
 */
#include "processor/calendar/date_range.h"
#include "processor/commands/commands.h"
#include "processor/match/match_clock.h"
#include "processor/request/request.h"
#include "processor/server/zones.h"
#include "store/absences.h"

#include "processor/base/banned.h"

enum { DAY_S = 86400, YEAR_DAYS = 365 };

static enum err refuse(struct dealing *d, const char *example, const char *why)
{
	dealing_verdict(d, "refused", "no absence was noted");
	return dealing_notice(d, NULL, NULL, "no absence was noted", example, "%s", why);
}

static enum err for_players_only(struct dealing *d)
{
	return refuse(
	    d, "list",
	    "Only somebody who plays here can be away. The games you can join are shown by:");
}

/* "Thu 24 Dec 2026" */
static const char *day_text(struct dealing *d, int64_t day)
{
	struct strbuf text = STRBUF_INIT;

	day_format(&text, day);
	const char *copy = arena_strdup(d->arena, text.ptr);
	strbuf_release(&text);
	return copy;
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

/* Of the days of a year; what is announced for later counts too. */
static enum err days_taken(struct dealing *d, const struct absence *a, unsigned *n)
{
	struct absence *list;
	size_t nlist;

	*n = 0;
	TRY(absence_list(d->srv->store, a->player, a->until_utc - (int64_t)YEAR_DAYS * DAY_S,
	                 d->arena, &list, &nlist));
	for (size_t i = 0; i < nlist; i++)
		*n += days_beside(&list[i], a);
	return ERR_NONE;
}

/* ---- open turns ---- */

static bool clock_runs(const struct dealing *d, const struct hand *h)
{
	return h->has_turn && h->turn.serial > 0 && h->turn.state == TURN_OPEN &&
	       h->turn.deadline_utc != 0 && d->sure_utc <= h->turn.deadline_utc;
}

static enum err move_deadline(struct dealing *d, struct hand *h, const struct zone *zone,
                              struct strbuf *story)
{
	bool moved;

	TRY(pace_put_off_open(d->srv, h, &moved));
	if (moved)
		strbuf_addf(story, "%s%s, %.*s: %s", story->len > 0 ? "; " : "", h->id,
		            SPAN_ARGS(h->turn.label),
		            zone_human(zone, h->turn.deadline_utc, d->arena));
	return ERR_NONE;
}

/* A damaged game is held when it is to be played next; it stops nobody here. */
static enum err move_deadlines(struct dealing *d, const struct zone *zone, struct strbuf *story)
{
	struct game *games;
	size_t n;

	TRY(game_list_of_player(d->srv->store, d->player.id, 1u << GAME_RUNNING, d->arena,
	                        &games, &n));
	for (size_t i = 0; i < n; i++) {
		struct hand h;
		enum err rc = hand_load(d->srv, games[i].id, d->arena, &h);

		if (rc == ERR_NONE && clock_runs(d, &h))
			rc = move_deadline(d, &h, zone, story);
		hand_release(&h);
		if (rc != ERR_NONE && !server_blames_game(rc))
			return rc;
	}
	return ERR_NONE;
}

/* ---- SET ABSENCE ---- */

static enum err tell_noted(struct dealing *d, const struct day_range *r, const char *place,
                           unsigned left, const char *story)
{
	struct letter_out out = LETTER_OUT_INIT;
	unsigned n = (unsigned)(r->last - r->first + 1);
	const char *paragraphs[] = {
	    n == 1 ? arena_printf(d->arena, "You are away on %s, by the clocks of %s.",
	                          day_text(d, r->first), place)
		   : arena_printf(d->arena,
	                          "You are away from %s to %s, %u days by the clocks of %s.",
	                          day_text(d, r->first), day_text(d, r->last), n, place),
	    *story ? arena_printf(d->arena, "Deadlines that were moved for it: %s.", story)
		   : "No deadline had to be moved for it so far.",
	    "Deadlines of later turns that wait for you and would fall into that time are put "
	    "off as well, to a day or more after it, in all your games. The others read that a "
	    "deadline was moved, not why. What comes from you is taken as ever; orders for the "
	    "time you are away can be laid down with QUEUE and ALWAYS.",
	    arena_printf(d->arena,
	                 "You have %u more such %s within a year. If you come back sooner, "
	                 "this line ends it:",
	                 left, left == 1 ? "day" : "days")};

	report_notice(
	    &(struct report_notice){.subject = "you are away",
	                            .paragraphs = paragraphs,
	                            .nparagraphs = sizeof(paragraphs) / sizeof(paragraphs[0]),
	                            .examples = (const char *const[]){"set noabsence"},
	                            .nexamples = 1},
	    &out);
	enum err rc = dealing_answer(d, NULL, NULL, "receipt", &out);
	letter_out_release(&out);
	return rc;
}

static enum err note_absence(struct dealing *d, const struct day_range *r,
                             const struct absence *a, const struct zone *zone, unsigned left)
{
	struct strbuf story = STRBUF_INIT;

	TRY(absence_cut(d->srv->store, d->player.id, a->from_utc, a->until_utc));
	TRY(absence_add(d->srv->store, a));
	enum err rc = move_deadlines(d, zone, &story);
	dealing_verdict(d, "command", "away for %u days", (unsigned)(r->last - r->first + 1));
	if (rc == ERR_NONE)
		rc = tell_noted(d, r, zone ? zone_name(zone) : "UTC", left, story.ptr);
	strbuf_release(&story);
	return rc;
}

static const char *too_long(struct dealing *d, unsigned days, unsigned left)
{
	const struct config *c = &d->srv->cfg;

	if (c->absence_days == 0)
		return "This server knows no absences: deadlines do not wait. You can lay down "
		       "orders with QUEUE and ALWAYS. How your game stands is shown by:";
	if (days > c->absence_days)
		return arena_printf(d->arena,
		                    "That is %u days, and no absence may be longer than %u "
		                    "here, so nothing was noted. For example:",
		                    days, c->absence_days);
	if (days > left)
		return arena_printf(
		    d->arena,
		    "That is %u days, and of the %u that everybody has in a year you have %u "
		    "left, so nothing was noted. Orders for the time you are away can be laid "
		    "down with QUEUE and ALWAYS. For example:",
		    days, c->absence_days_per_year, left);
	return NULL;
}

static enum err set_absence(struct dealing *d, const struct day_range *r,
                            const struct zone *zone)
{
	struct absence a = {.player = d->player.id,
	                    .from_utc = day_begins(zone, r->first),
	                    .until_utc = day_begins(zone, r->last + 1),
	                    .asked_utc = d->arrived_utc,
	                    .mail = d->inbox_id};
	unsigned most = d->srv->cfg.absence_days_per_year, taken;
	unsigned days = (unsigned)(r->last - r->first + 1);

	TRY(days_taken(d, &a, &taken));
	unsigned left = taken < most ? most - taken : 0;
	const char *why = too_long(d, days, left);
	if (why)
		return refuse(d,
		              d->srv->cfg.absence_days == 0 ? "status"
		                                            : "set absence today to tomorrow",
		              why);
	return note_absence(d, r, &a, zone, left - days);
}

/* A day that has gone by: when it was to be in the past, or the year is wrong. */
static enum err set_range(struct dealing *d, const struct days *days)
{
	const struct zone *zone = zone_of_reader(d->srv, &d->player);
	int64_t today = day_of(zone, d->arrived_utc);
	struct day_range r;

	if (!days_resolve(days, today, &r))
		return refuse(d, "set absence 24 Dec to 3 Jan",
		              "The second day is before the first, so nothing was noted. Write "
		              "for example:");
	if (r.last < today)
		return refuse(
		    d, "set absence 24 Dec to 3 Jan",
		    "These days have gone by, so nothing was noted. Write for example:");
	if (r.first > today + YEAR_DAYS)
		return refuse(
		    d, "set absence 24 Dec to 3 Jan",
		    "That is more than a year ahead, so nothing was noted. Write for example:");
	if (r.first < today)
		r.first = today;
	return set_absence(d, &r, zone);
}

enum err do_absence(struct dealing *d, const struct letter_item *item)
{
	struct days days;

	d->understood = true;
	if (d->player.id == 0)
		return for_players_only(d);
	switch (days_read(item->name, &days)) {
	case DAYS_AMBIGUOUS:
		return refuse(d, "set absence 5 Jun to 8 Jun",
		              "With slashes that may be two different days, as some write the "
		              "day first and others the month, so nothing was noted. Write the "
		              "name of the month, for example:");
	case DAYS_NONE:
	case DAYS_IMPOSSIBLE:
		return refuse(d, "set absence 24 Dec to 3 Jan",
		              "There is no such day, so nothing was noted. Write for example:");
	case DAYS_GOOD:
		break;
	}
	return set_range(d, &days);
}

enum err absence_words(struct dealing *d, struct report_provision *out, size_t most, size_t *n)
{
	const struct zone *zone = zone_of_reader(d->srv, &d->player);
	struct absence *list;
	size_t nlist;

	TRY(absence_list(d->srv->store, d->player.id, d->srv->now_utc, d->arena, &list,
	                 &nlist));
	for (size_t i = 0; i < nlist && *n < most; i++)
		out[(*n)++].lead = arena_printf(
		    d->arena,
		    "you are away from %s to %s, and deadlines wait for you (SET ABSENCE)",
		    day_text(d, day_of(zone, list[i].from_utc)),
		    day_text(d, day_of(zone, list[i].until_utc - 1)));
	return ERR_NONE;
}

/* ---- SET NOABSENCE ---- */

enum err do_absence_end(struct dealing *d, const struct letter_item *item)
{
	struct absence *list;
	size_t n;

	(void)item;
	d->understood = true;
	if (d->player.id == 0)
		return for_players_only(d);
	TRY(absence_list(d->srv->store, d->player.id, d->arrived_utc, d->arena, &list, &n));
	if (n == 0)
		return refuse(d, "set absence 24 Dec to 3 Jan",
		              "You have not said that you are away, so nothing has changed. "
		              "That is said with a line such as:");
	TRY(absence_cut(d->srv->store, d->player.id, d->arrived_utc, INT64_MAX));
	dealing_verdict(d, "command", "back from an absence");
	return dealing_notice(
	    d, NULL, NULL, "you are back", "status",
	    "You are not away any more, and nothing is noted for later. Deadlines that have "
	    "been moved stay where they are. How your game stands is shown by:");
}
