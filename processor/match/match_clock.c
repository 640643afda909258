/*
 * match_clock.c - the clocks of a game in hand.
 */
#include "processor/match/match_clock.h"

#include "processor/server/zones.h"
#include "store/absences.h"
#include "store/audit.h"

enum { AWAY_MOST = 4 * MAX_SEATS, NEWS_S = 15 * 60 };

/* NULL is UTC. */
static const struct zone *zone_of(struct server *srv, const struct match *match)
{
	return zone_named(srv, match->calendar.zone);
}

struct quiet match_clock_quiet(struct server *srv, const struct player *p)
{
	struct quiet q = {.from_min = p->quiet_from, .to_min = p->quiet_to};

	if (quiet_is_on(&q))
		q.zone = zone_of_reader(srv, p);
	return q;
}

const char *match_clock_words(struct server *srv, const struct match *match)
{
	struct strbuf text = STRBUF_INIT;
	const struct zone *zone = zone_of(srv, match);

	if (match->game.origin == GAME_IMPORTED)
		return "";
	calendar_words(&match->calendar, zone ? zone_name(zone) : "UTC", &text);
	return arena_take(match->arena, &text).ptr;
}

static bool owes(const struct turn *t, unsigned seat)
{
	return seat_in((struct seat_set){t->owes}, seat);
}

static size_t quiet_of_all(struct server *srv, const struct match *match,
                           const struct player *players, const struct turn *t,
                           struct quiet out[MAX_SEATS])
{
	size_t n = 0;

	for (unsigned s = 1; s <= match->nseats; s++)
		if (players[s - 1].id != 0 && owes(t, s))
			out[n++] = match_clock_quiet(srv, &players[s - 1]);
	return n;
}

/* The first of all of these people behind a moment. */
static int64_t first_reminder(const struct match *match, const struct quiet *quiet, size_t n,
                              const struct turn *t, int64_t after_utc)
{
	struct reminder plan[CALENDAR_REMINDERS + 1];
	int64_t first = TURN_NO_REMINDER;

	for (size_t i = 0; i < n; i++) {
		size_t len = reminders_plan(&match->calendar, &quiet[i], t->opened_utc,
		                            t->deadline_utc, t->grace_utc, plan);
		for (size_t k = 0; k < len; k++)
			if (plan[k].at_utc > after_utc &&
			    (first == TURN_NO_REMINDER || plan[k].at_utc < first))
				first = plan[k].at_utc;
	}
	return first;
}

void match_clock_open(struct server *srv, const struct match *match,
                      const struct player *players, unsigned phase, struct turn *t)
{
	struct quiet quiet[MAX_SEATS];
	size_t n = quiet_of_all(srv, match, players, t, quiet);
	int64_t length_s = calendar_length(&match->calendar, t->label, phase);

	t->deadline_utc = calendar_deadline(&match->calendar, zone_of(srv, match), quiet, n,
	                                    t->opened_utc, length_s);
	t->grace_utc = match->calendar.grace_s > 0 ? t->deadline_utc + match->calendar.grace_s
	                                           : 0;
	t->remind_utc = first_reminder(match, quiet, n, t, t->opened_utc);
}

static enum err add_absences(struct server *srv, const struct match *match,
                             const struct turn *t, int64_t player, struct away *out,
                             size_t most, size_t *n)
{
	struct absence *list;
	size_t nlist;

	TRY(absence_list(srv->store, player, t->opened_utc, match->arena, &list, &nlist));
	for (size_t i = 0; i < nlist && *n < most; i++)
		out[(*n)++] = (struct away){list[i].from_utc, list[i].until_utc};
	return ERR_NONE;
}

enum err match_clock_put_off(struct server *srv, const struct match *match,
                             const struct player *players, struct turn *t, bool *moved)
{
	struct away away[AWAY_MOST];
	struct quiet quiet[MAX_SEATS];
	struct seat_set have = {t->have};
	size_t n = 0, nquiet = quiet_of_all(srv, match, players, t, quiet);

	*moved = false;
	for (unsigned s = 1; s <= match->nseats && t->deadline_utc != 0; s++)
		if (players[s - 1].id != 0 && owes(t, s) && !seat_in(have, s))
			TRY(add_absences(srv, match, t, players[s - 1].id, away, AWAY_MOST,
			                 &n));
	int64_t later = calendar_behind(&match->calendar, zone_of(srv, match), quiet, nquiet,
	                                away, n, t->deadline_utc);
	if (later == t->deadline_utc)
		return ERR_NONE;
	*moved = true;
	t->grace_utc += t->grace_utc > 0 ? later - t->deadline_utc : 0;
	t->deadline_utc = later;
	t->remind_utc = first_reminder(match, quiet, nquiet, t, t->opened_utc);
	return ERR_NONE;
}

static enum err players_of(struct server *srv, const struct match *match, struct player *out)
{
	for (size_t i = 0; i < match->nseats && i < MAX_SEATS; i++)
		if (match->seats[i].player != 0)
			TRY(player_get(srv->store, match->seats[i].player, match->arena,
			               &out[i]));
	return ERR_NONE;
}

enum err match_clock_put_off_open(struct server *srv, struct match *match, bool *moved)
{
	struct player players[MAX_SEATS] = {{0}};

	TRY(players_of(srv, match, players));
	TRY(match_clock_put_off(srv, match, players, &match->turn, moved));
	if (!*moved)
		return ERR_NONE;
	TRY(turn_set_deadline(srv->store, match->game.id, match->turn.serial,
	                      match->turn.deadline_utc));
	return audit_add(
	    srv->store, match->game.id, 0, "server", true, srv->now_utc,
	    arena_printf(match->arena,
	                 "at the request of a player the deadline of %.*s was moved to %s",
	                 SPAN_ARGS(match->turn.label),
	                 zone_human(NULL, match->turn.deadline_utc, match->arena)));
}

enum err match_clock_away(struct server *srv, const struct match *match, int64_t t_utc,
                          struct seat_set *away)
{
	const struct seat_set have = {match->turn.have};

	*away = (struct seat_set){0};
	for (unsigned seat = 1; seat <= match->nseats; seat++) {
		struct away list[AWAY_MOST];
		size_t n = 0;
		int64_t player = match->seats[seat - 1].player;

		if (player == 0 || !owes(&match->turn, seat) || seat_in(have, seat))
			continue;
		TRY(add_absences(srv, match, &match->turn, player, list, AWAY_MOST, &n));
		for (size_t i = 0; i < n; i++)
			if (list[i].from_utc <= t_utc && t_utc < list[i].until_utc)
				*away = seat_with(*away, seat);
	}
	return ERR_NONE;
}

enum err match_clock_was_told(struct server *srv, const struct match *match)
{
	struct player players[MAX_SEATS] = {{0}};
	struct quiet quiet[MAX_SEATS];

	if (!match->has_turn || match->turn.state != TURN_OPEN)
		return ERR_NONE;
	TRY(players_of(srv, match, players));
	size_t n = quiet_of_all(srv, match, players, &match->turn, quiet);
	int64_t next = first_reminder(match, quiet, n, &match->turn, srv->now_utc + NEWS_S);
	if (next == TURN_NO_REMINDER || next > match->turn.deadline_utc)
		return ERR_NONE;
	return turn_set_remind(srv->store, match->game.id, match->turn.serial, next);
}

int64_t match_clock_credited(struct server *srv, const struct match *match,
                             int64_t deadline_utc, int64_t seconds)
{
	return calendar_deadline(&match->calendar, zone_of(srv, match), NULL, 0, deadline_utc,
	                         seconds);
}

int64_t match_clock_resumed(struct server *srv, const struct match *match, int64_t deadline_utc,
                            int64_t seconds)
{
	struct calendar any_hour = match->calendar;

	any_hour.at_min = CALENDAR_ANY_HOUR;
	return calendar_deadline(&any_hour, zone_of(srv, match), NULL, 0, deadline_utc,
	                         seconds);
}
