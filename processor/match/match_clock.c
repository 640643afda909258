/*
 * match_clock.c - the clocks of a game in hand.
 */
#include "processor/match/match_clock.h"

#include "processor/server/zones.h"
#include "store/absences.h"
#include "store/audit.h"

#include "processor/base/banned.h"

enum { AWAY_MOST = 4 * MAX_SEATS, NEWS_S = 15 * 60 };

/* NULL is UTC. */
static const struct zone *zone_of(struct server *srv, const struct hand *h)
{
	return zone_named(srv, h->calendar.zone);
}

struct quiet pace_quiet(struct server *srv, const struct player *p)
{
	struct quiet q = {.from_min = p->quiet_from, .to_min = p->quiet_to};

	if (quiet_is_on(&q))
		q.zone = zone_of_reader(srv, p);
	return q;
}

const char *pace_words(struct server *srv, const struct hand *h)
{
	struct strbuf text = STRBUF_INIT;
	const struct zone *zone = zone_of(srv, h);

	if (h->game.origin == GAME_IMPORTED)
		return "";
	calendar_words(&h->calendar, zone ? zone_name(zone) : "UTC", &text);
	const char *copy = arena_strdup(h->arena, text.ptr);
	strbuf_release(&text);
	return copy;
}

static bool owes(const struct turn *t, unsigned seat)
{
	return seat_in((struct seat_set){t->owes}, seat);
}

static size_t quiet_of_all(struct server *srv, const struct hand *h,
                           const struct player *players, const struct turn *t,
                           struct quiet out[MAX_SEATS])
{
	size_t n = 0;

	for (unsigned s = 1; s <= h->nseats; s++)
		if (players[s - 1].id != 0 && owes(t, s))
			out[n++] = pace_quiet(srv, &players[s - 1]);
	return n;
}

/* The first of all of these people behind a moment. */
static int64_t first_reminder(const struct hand *h, const struct quiet *quiet, size_t n,
                              const struct turn *t, int64_t after_utc)
{
	struct reminder plan[CALENDAR_REMINDERS + 1];
	int64_t first = TURN_NO_REMINDER;

	for (size_t i = 0; i < n; i++) {
		size_t len = reminders_plan(&h->calendar, &quiet[i], t->opened_utc,
		                            t->deadline_utc, t->grace_utc, plan);
		for (size_t k = 0; k < len; k++)
			if (plan[k].at_utc > after_utc &&
			    (first == TURN_NO_REMINDER || plan[k].at_utc < first))
				first = plan[k].at_utc;
	}
	return first;
}

void pace_open(struct server *srv, const struct hand *h, const struct player *players,
               unsigned phase, struct turn *t)
{
	struct quiet quiet[MAX_SEATS];
	size_t n = quiet_of_all(srv, h, players, t, quiet);
	int64_t length_s = calendar_length(&h->calendar, t->label, phase);

	t->deadline_utc =
	    calendar_deadline(&h->calendar, zone_of(srv, h), quiet, n, t->opened_utc, length_s);
	t->grace_utc = h->calendar.grace_s > 0 ? t->deadline_utc + h->calendar.grace_s : 0;
	t->remind_utc = first_reminder(h, quiet, n, t, t->opened_utc);
}

static enum err add_absences(struct server *srv, const struct hand *h, const struct turn *t,
                             int64_t player, struct away *out, size_t most, size_t *n)
{
	struct absence *list;
	size_t nlist;

	TRY(absence_list(srv->store, player, t->opened_utc, h->arena, &list, &nlist));
	for (size_t i = 0; i < nlist && *n < most; i++)
		out[(*n)++] = (struct away){list[i].from_utc, list[i].until_utc};
	return ERR_NONE;
}

enum err pace_put_off(struct server *srv, const struct hand *h, const struct player *players,
                      struct turn *t, bool *moved)
{
	struct away away[AWAY_MOST];
	struct quiet quiet[MAX_SEATS];
	struct seat_set have = {t->have};
	size_t n = 0, nquiet = quiet_of_all(srv, h, players, t, quiet);

	*moved = false;
	for (unsigned s = 1; s <= h->nseats && t->deadline_utc != 0; s++)
		if (players[s - 1].id != 0 && owes(t, s) && !seat_in(have, s))
			TRY(add_absences(srv, h, t, players[s - 1].id, away, AWAY_MOST, &n));
	int64_t later = calendar_behind(&h->calendar, zone_of(srv, h), quiet, nquiet, away, n,
	                                t->deadline_utc);
	if (later == t->deadline_utc)
		return ERR_NONE;
	*moved = true;
	t->grace_utc += t->grace_utc > 0 ? later - t->deadline_utc : 0;
	t->deadline_utc = later;
	t->remind_utc = first_reminder(h, quiet, nquiet, t, t->opened_utc);
	return ERR_NONE;
}

static enum err log_put_off(struct server *srv, const struct hand *h)
{
	struct strbuf when = STRBUF_INIT;

	zone_format_human(&when, NULL, h->turn.deadline_utc);
	enum err rc = audit_add(
	    srv->store, h->game.id, 0, "server", true, srv->now_utc,
	    arena_printf(h->arena,
	                 "at the request of a player the deadline of %.*s was moved to %s",
	                 SPAN_ARGS(h->turn.label), when.ptr));
	strbuf_release(&when);
	return rc;
}

static enum err players_of(struct server *srv, const struct hand *h, struct player *out)
{
	for (size_t i = 0; i < h->nseats && i < MAX_SEATS; i++)
		if (h->seats[i].player != 0)
			TRY(player_get(srv->store, h->seats[i].player, h->arena, &out[i]));
	return ERR_NONE;
}

enum err pace_put_off_open(struct server *srv, struct hand *h, bool *moved)
{
	struct player players[MAX_SEATS] = {{0}};

	TRY(players_of(srv, h, players));
	TRY(pace_put_off(srv, h, players, &h->turn, moved));
	if (!*moved)
		return ERR_NONE;
	TRY(turn_set_deadline(srv->store, h->game.id, h->turn.serial, h->turn.deadline_utc));
	return log_put_off(srv, h);
}

enum err pace_was_told(struct server *srv, const struct hand *h)
{
	struct player players[MAX_SEATS] = {{0}};
	struct quiet quiet[MAX_SEATS];

	if (!h->has_turn || h->turn.state != TURN_OPEN)
		return ERR_NONE;
	TRY(players_of(srv, h, players));
	size_t n = quiet_of_all(srv, h, players, &h->turn, quiet);
	int64_t next = first_reminder(h, quiet, n, &h->turn, srv->now_utc + NEWS_S);
	if (next == TURN_NO_REMINDER || next > h->turn.deadline_utc)
		return ERR_NONE;
	return turn_set_remind(srv->store, h->game.id, h->turn.serial, next);
}

int64_t pace_moved(struct server *srv, const struct hand *h, int64_t deadline_utc)
{
	return pace_credited(srv, h, deadline_utc, h->calendar.next_s);
}

int64_t pace_credited(struct server *srv, const struct hand *h, int64_t deadline_utc,
                      int64_t seconds)
{
	return calendar_deadline(&h->calendar, zone_of(srv, h), NULL, 0, deadline_utc, seconds);
}
