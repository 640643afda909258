/*
 * missed_turns.c - turns in which nothing came from a seat.
 */
#include "processor/turns/missed_turns.h"

#include "processor/match/report_values.h"
#include "processor/match/standings.h"
#include "processor/outgoing/unreachable.h"
#include "processor/server/reply_address.h"
#include "processor/turns/due_turn.h"
#include "store/absences.h"
#include "store/audit.h"
#include "store/bounces.h"
#include "store/press.h"
#include "store/ratings.h"

static const char *excuse_of(const struct match *match, unsigned seat)
{
	return standings_excuse(match->names.names[seat], match->arena);
}

static enum err log_excuse(struct server *srv, const struct match *match, unsigned seat)
{
	return audit_add(srv->store, match->game.id, seat, STANDINGS_ACTOR, true, srv->now_utc,
	                 excuse_of(match, seat));
}

enum err missed_turns_excuse_all(struct server *srv, struct match *match, unsigned but)
{
	const struct turn *t = &match->turn;

	for (unsigned s = 1; s <= match->nseats; s++)
		if (seat_in((struct seat_set){t->owes & ~t->have & ~t->covered}, s) &&
		    match->seats[s - 1].player != 0 && s != but &&
		    !match->seats[s - 1].resigned)
			TRY(log_excuse(srv, match, s));
	return ERR_NONE;
}

static enum err was_excused(struct server *srv, const struct match *match, unsigned seat,
                            bool *yes)
{
	struct audit_entry *log;
	size_t n;

	*yes = false;
	TRY(audit_list(srv->store, match->game.id, match->arena, &log, &n));
	for (size_t i = 0; i < n; i++)
		*yes = *yes || (log[i].serial == match->turn.serial && log[i].seat == seat &&
		                span_eq_str(log[i].actor, STANDINGS_ACTOR) &&
		                span_eq_str(log[i].what, excuse_of(match, seat)));
	return ERR_NONE;
}

enum err missed_turns_excuse_new(struct server *srv, const struct match *match, unsigned seat)
{
	const struct turn *t = &match->turn;
	bool owes = seat_in((struct seat_set){t->owes & ~t->have & ~t->covered}, seat), before;

	if (!match->has_turn || t->state != TURN_OPEN || !owes ||
	    !turn_has_ended(match, srv->now_utc))
		return ERR_NONE;
	TRY(was_excused(srv, match, seat, &before));
	return before ? ERR_NONE : log_excuse(srv, match, seat);
}

static enum err count_seat(struct server *srv, struct match *match, struct seat *seat,
                           const struct seat_entry *e, uint32_t *all_excused)
{
	bool lost, away, cut_short;
	struct absence *list;
	size_t n;

	if (!seat_entry_is_silent(e)) {
		seat->missed = 0;
		seat->late_all += match->turn.deadline_utc != 0 &&
		                  e->received_utc > match->turn.deadline_utc;
		return ERR_NONE;
	}
	TRY(unreachable_now(srv, seat->player, match->arena, &lost));
	/* Said before the deadline, for a time into which that falls. */
	int64_t deadline = match->turn.deadline_utc;
	TRY(absence_list(srv->store, seat->player, deadline, match->arena, &list, &n));
	away = deadline != 0 && n > 0 && list[0].from_utc <= deadline &&
	       list[0].asked_utc <= deadline;
	TRY(was_excused(srv, match, seat->seat, &cut_short));
	seat->missed += !away && !cut_short;
	seat->missed_all++;
	seat->excused_all += lost || away || cut_short;
	if ((lost || away) && !cut_short)
		*all_excused |= seat_with((struct seat_set){0}, seat->seat).bits;
	return ERR_NONE;
}

enum err missed_turns_count(struct server *srv, struct match *match,
                            const struct order_set *set, uint32_t *excused)
{
	*excused = 0;
	for (unsigned s = 1; s <= match->nseats; s++)
		if (set->seats[s].acts && match->seats[s - 1].player != 0)
			TRY(count_seat(srv, match, &match->seats[s - 1], &set->seats[s],
			               excused));
	return ERR_NONE;
}

static bool has_gone(const struct match *match, const struct seat *seat)
{
	return seat->player != 0 && !seat->resigned && match->calendar.misses > 0 &&
	       seat->missed >= match->calendar.misses;
}

/* Who has sent orders, so that they are not about to lose their seat too; 0: there is none. */
static int64_t first_co_master(const struct match *match)
{
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].co_master && !has_gone(match, &match->seats[i]))
			return match->seats[i].player;
	return 0;
}

uint32_t missed_turns_vacate(const struct server *srv, struct match *match)
{
	uint32_t vacated = 0;

	for (size_t i = 0; i < match->nseats; i++) {
		struct seat *seat = &match->seats[i];

		if (!has_gone(match, seat))
			continue;
		vacated |= seat_with((struct seat_set){0}, seat->seat).bits;
		if (match->game.master == seat->player) /* they do not look after it either */
			match->game.master = first_co_master(match);
		seat->former = seat->player;
		seat->player = 0;
		seat->put_out = false;
		seat->vacated_utc = srv->now_utc;
		if (match->calendar.vacant_bot)
			seat->bot_level = BOT_LEVEL_USUAL;
	}
	return vacated;
}

/* The co-master who is the master now that these seats are vacant; NULL: the master has not changed so. */
static const struct seat *successor(const struct match *match)
{
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].co_master && match->seats[i].player == match->game.master)
			return &match->seats[i];
	return NULL;
}

/* And, with the first of them, who is the master instead of one of them. */
static const char *what_happened(const struct match *match, const struct seat *seat,
                                 uint32_t vacated)
{
	bool first = (vacated & (seat_with((struct seat_set){0}, seat->seat).bits - 1)) == 0;
	const struct seat *master = successor(match);
	const char *what = arena_printf(
	    match->arena,
	    seat->bot_level >= 0 ? "nothing came from %s for %s; the seat is vacant and "
				   "played by the server, and TAKEOVER %s takes it over"
				 : "nothing came from %s for %s; the seat is vacant, "
				   "and TAKEOVER %s takes it over",
	    match->names.names[seat->seat],
	    seat->missed == 1 ? "a turn"
			      : arena_printf(match->arena, "%u turns running", seat->missed),
	    match->id);

	return master && first ? arena_printf(match->arena,
	                                      "%s; %s, who was a co-master, is the master now",
	                                      what, match->names.names[master->seat])
	                       : what;
}

static bool is_among(uint32_t seats, const struct seat *seat)
{
	return seat_in((struct seat_set){seats}, seat->seat);
}

void missed_turns_add_actions(struct server *srv, const struct match *match, uint32_t excused,
                              uint32_t vacated, struct record_turn *turn)
{
	for (unsigned s = 1; s <= match->nseats; s++)
		if (seat_in((struct seat_set){excused}, s))
			record_add_action(match->arena, turn, srv->now_utc, STANDINGS_ACTOR,
			                  excuse_of(match, s));
	for (size_t i = 0; i < match->nseats; i++)
		if (is_among(vacated, &match->seats[i]))
			record_add_action(match->arena, turn, srv->now_utc, "server",
			                  what_happened(match, &match->seats[i], vacated));
}

enum err missed_turns_stop_watching(struct server *srv, int64_t game, int64_t player)
{
	enum err rc = observer_drop(srv->store, game, player);

	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err missed_turns_write(struct server *srv, const struct match *match, struct seat *seats,
                            uint32_t excused, uint32_t vacated)
{
	for (unsigned s = 1; s <= match->nseats; s++)
		if (seat_in((struct seat_set){excused}, s))
			TRY(log_excuse(srv, match, s));
	for (size_t i = 0; i < match->nseats; i++) {
		if (!is_among(vacated, &seats[i]))
			continue;
		TRY(audit_add(srv->store, match->game.id, seats[i].seat, "server", true,
		              srv->now_utc, what_happened(match, &seats[i], vacated)));
		TRY(seat_renew_token(srv, &seats[i]));
		/* Who watched before they took the seat has been told that they get no more mail of this game. */
		TRY(missed_turns_stop_watching(srv, seats[i].game, seats[i].former));
	}
	const struct seat *master = successor(match);
	if (vacated != 0 && master) {
		TRY(seat_set_co_master(srv->store, match->game.id, master->seat, false));
		seats[master->seat - 1].co_master = false;
	}
	return ERR_NONE;
}

/* ---- what somebody has had to do with the game ---- */

/* In the log that is not public: the seat forgets it when the next one loses it. */
static const char *gone_words(const struct match *match, int64_t player, bool put_out)
{
	return arena_printf(match->arena,
	                    put_out ? "player %lld was put out and may not come back"
	                            : "player %lld has had this seat",
	                    (long long)player);
}

enum err missed_turns_note_gone(struct server *srv, const struct match *match,
                                const struct seat *seat)
{
	return audit_add(srv->store, match->game.id, seat->seat, "server", false, srv->now_utc,
	                 gone_words(match, seat->player, seat->put_out));
}

enum err missed_turns_past(struct server *srv, const struct match *match, int64_t player,
                           struct past *out)
{
	const char *has_had = gone_words(match, player, false);
	const char *may_not = gone_words(match, player, true);
	struct seat_holder *all;
	struct audit_entry *log;
	size_t n;

	*out = (struct past){.put_out = false};
	if (player == 0)
		return ERR_NONE;
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].former == player) {
			out->seats = seat_with(out->seats, match->seats[i].seat);
			out->put_out = out->put_out || match->seats[i].put_out;
		}
	TRY(seat_holder_list(srv->store, match->game.id, match->arena, &all, &n));
	for (size_t i = 0; i < n; i++)
		if (all[i].player == player)
			out->seats = seat_with(out->seats, all[i].seat);
	/* Who has had a seat for less than a turn is not among its holders, but in the log. */
	TRY(audit_list(srv->store, match->game.id, match->arena, &log, &n));
	for (size_t i = 0; i < n; i++) {
		bool put_out = span_eq_str(log[i].what, may_not);

		if (log[i].is_public || !(put_out || span_eq_str(log[i].what, has_had)))
			continue;
		out->seats = seat_with(out->seats, log[i].seat);
		out->put_out = out->put_out || put_out;
	}
	return ERR_NONE;
}

void missed_turns_mail(struct server *srv, const struct match *match, const struct seat *seat,
                       const struct player *was, struct report_out *out)
{
	struct report_game game = report_values_game(srv, match, NULL, was);
	game.observer = false; /* nor that, where they were one before */
	const char *paragraphs[] = {
	    seat->missed == 1
		? "Nothing has come from you for a turn, so your seat is vacant now."
		: arena_printf(
		      match->arena,
		      "Nothing has come from you for %u turns running, so your seat is "
		      "vacant now.",
		      seat->missed),
	    seat->bot_level >= 0 ? "The server plays it until somebody takes it over."
				 : "Anybody may take it over.",
	    /* Who sat on a seat is told when the master plays it. */
	    match->game.master != 0
		? "You get no mail about this game until it ends, or its master plays your "
		  "seat. The reply addresses of your earlier mails are void."
		: "You get no mail about this game until it ends. The reply addresses of your "
		  "earlier mails are void.",
	    arena_printf(match->arena, "As long as nobody has it, you can have it back: send a "
	                               "new mail with this line to the address this mail "
	                               "came from:"),
	    NULL};
	const char *example = arena_printf(match->arena, "takeover %s", match->id);

	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = "your seat is vacant",
	                                      .paragraphs = paragraphs,
	                                      .examples = TEXTS(example)},
	              out);
}
