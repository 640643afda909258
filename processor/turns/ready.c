/*
 * ready.c - before a game begins: is everybody still there?
 */
#include "processor/turns/ready.h"

#include "processor/match/report_values.h"
#include "processor/outgoing/player_notice.h"
#include "processor/server/reply_address.h"
#include "processor/server/zones.h"
#include "store/audit.h"
#include "store/press.h"
#include "store/ratings.h"

enum { DAY_S = 24 * 3600 };

/* Who sat down within a day of being asked need not be. */
struct seat_set ready_awaited(const struct server *srv, const struct match *match)
{
	struct seat_set awaited = {0};
	int64_t asked_utc = match->game.ready_until_utc != 0
	                        ? match->game.ready_until_utc - READY_S
	                        : srv->now_utc;

	for (size_t i = 0; i < match->nseats; i++) {
		const struct seat *s = &match->seats[i];

		if (s->player != 0 && !s->ready && s->joined_utc + DAY_S <= asked_utc)
			awaited = seat_with(awaited, s->seat);
	}
	return awaited;
}

enum err ready_is_asked_for(struct server *srv, const struct match *match, bool *yes)
{
	struct entry_terms terms;

	*yes = false;
	if (seat_count(ready_awaited(srv, match)) == 0)
		return ERR_NONE;
	TRY(entry_terms_get(srv->store, match->game.id, &terms));
	*yes = terms.ready;
	return ERR_NONE;
}

/* `seat`: theirs, NULL = none any more; `lines`: what they may reply, NULL ends them. */
static enum err tell(struct server *srv, struct match *match, struct seat *seat, int64_t player,
                     const char *subject, const char *text, const char *const *lines)
{
	return player_notice_add(
	    srv, match, seat, player,
	    &(struct player_notice){
		.kind = "ready",
		.key = arena_printf(match->arena, "%s %lld", subject, (long long)srv->now_utc),
		.subject = subject,
		.text = text,
		.lines = lines},
	    match->arena);
}

enum err ready_or_ask(struct server *srv, struct match *match, bool *wait)
{
	struct seat_set awaited = ready_awaited(srv, match);

	TRY(ready_is_asked_for(srv, match, wait));
	if (!*wait || match->game.ready_until_utc != 0)
		return ERR_NONE;
	match->game.ready_until_utc = srv->now_utc + READY_S;
	TRY(game_update(srv->store, &match->game));
	for (size_t i = 0; i < match->nseats; i++)
		if (seat_in(awaited, match->seats[i].seat)) {
			struct player p;

			TRY(player_get(srv->store, match->seats[i].player, match->arena, &p));
			TRY(tell(
			    srv, match, &match->seats[i], match->seats[i].player,
			    "are you still there?",
			    arena_printf(
				match->arena,
				"All seats of %s are taken now. Before it begins everybody "
				"is asked whether they are still there: please reply with "
				"the first of these lines until %s, else the seat goes to "
				"somebody else. With the second line you give it back.",
				match->id,
				zone_human(zone_of_reader(srv, &p), match->game.ready_until_utc,
			                   match->arena)),
			    TEXTS("yes", "no")));
		}
	return ERR_NONE;
}

/* ---- too late ---- */

enum err ready_expire(struct server *srv, struct match *match)
{
	struct seat_set gone = ready_awaited(srv, match);
	const char *names = match_names_in(match, gone);

	match->game.ready_until_utc = 0;
	TRY(game_update(srv->store, &match->game));
	for (size_t i = 0; i < match->nseats; i++)
		if (seat_in(gone, match->seats[i].seat)) {
			TRY(tell(
			    srv, match, NULL, match->seats[i].player, "your seat was given up",
			    arena_printf(
				match->arena,
				"You have not said that you are still there, so your seat in "
				"%s goes to somebody else, and you get no more mail about "
				"it. As long as it is free you can take it again:",
				match->id),
			    TEXTS(arena_printf(match->arena, "join %s", match->id))));
			TRY(audit_add(srv->store, match->game.id, match->seats[i].seat,
			              "server", true, srv->now_utc,
			              arena_printf(match->arena,
			                           "%s was not there, and the seat is free",
			                           match->names.names[match->seats[i].seat])));
			match->seats[i].player = 0;
			match->seats[i].confirmed = false;
			TRY(seat_renew_token(srv, &match->seats[i]));
			TRY(seat_update(srv->store, &match->seats[i]));
			TRY(press_leave(srv->store, match->game.id, match->seats[i].seat,
			                srv->now_utc));
		}
	for (size_t i = 0; i < match->nseats && seat_count(gone) > 0; i++)
		if (match->seats[i].player != 0)
			TRY(tell(
			    srv, match, &match->seats[i], match->seats[i].player,
			    "a seat is free again",
			    arena_printf(match->arena,
			                 "%s did not say that they are still there. %s begins "
			                 "as soon as all seats are taken again.",
			                 names, match->id),
			    NULL));
	return ERR_NONE;
}
