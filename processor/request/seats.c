/*
 * seats.c - names, seats, confirming, leaving before the start.
 */
#include "processor/request/seats.h"

#include "processor/base/utf8.h"
#include "processor/request/identify.h"
#include "processor/request/join_rules.h"
#include "processor/request/which_game.h"
#include "processor/turns/missed_turns.h"
#include "store/bounces.h"
#include "store/orders.h"
#include "store/press.h"

/* ---- names ---- */

/*
 * Not that of this server, with a number or without, and like none at the table. One record tells two persons apart by
 * their names: nobody has one that another had there.
 */
static bool name_is_free(const struct match *match, int64_t player, struct span name)
{
	const struct span ours = SPAN_LIT("Molepost");

	if (utf8_looks_alike(name, ours) || utf8_looks_alike(utf8_clip(name, ours.len), ours))
		return false;
	for (size_t i = 0; match && i < match->njoins; i++)
		if (match->joins[i].player != player &&
		    utf8_looks_alike(match->joins[i].name, name))
			return false;
	for (size_t i = 0; match && i < match->nseats; i++)
		if (seat_is_taken(&match->seats[i]) &&
		    (utf8_looks_alike(match->seats[i].name, name) ||
		     utf8_looks_alike(match->seats[i].played_by, name)))
			return false;
	return true;
}

/* "Ann", else "Ann-2", "Ann-3" ... whatever is free and fits. */
bool seats_free_name(const struct match *match, int64_t player, struct span base,
                     struct arena *arena, struct span *name)
{
	struct strbuf why = STRBUF_INIT;
	bool ok = false;

	for (unsigned n = 1; n <= MAX_SEATS + 1 && !ok; n++) {
		struct span clipped = span_trim(utf8_clip(base, SEAT_NAME_COLS - 3));
		*name = n == 1 ? span_trim(utf8_clip(base, SEAT_NAME_COLS))
		               : span_of(arena_printf(arena, "%.*s-%u", SPAN_ARGS(clipped), n));
		strbuf_clear(&why);
		ok = seat_name_ok(*name, &why) && name_is_free(match, player, *name);
	}
	strbuf_release(&why);
	return ok;
}

static struct span first_word(struct span s)
{
	struct span word = SPAN_EMPTY;

	return span_next_word(&s, ",;\"()", &word) ? word : s;
}

/* From what the mail says: display name, its first word, local part of the address. */
static struct span name_from_mail(const struct request *req, const struct match *match)
{
	struct strbuf plain = STRBUF_INIT;
	struct span name;

	utf8_add_nfc(&plain, req->mail->from_name);
	struct span shown = arena_dup(req->arena, span_trim(strbuf_span(&plain)));
	strbuf_release(&plain);
	struct span local =
	    span_slice(req->mail->from, 0, span_find_char(req->mail->from, '@'));
	local = span_slice(local, 0, span_find_char(local, '+'));
	const struct span tries[] = {req->who.player.name, first_word(shown), shown, local,
	                             SPAN_LIT("Player")};
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (tries[i].len > 0 &&
		    seats_free_name(match, req->who.player.id, tries[i], req->arena, &name))
			return name;
	return span_of(arena_printf(req->arena, "Player-%lld", (long long)req->inbox_id));
}

bool seats_name(const struct request *req, const struct match *match, struct span asked,
                struct span *name, struct strbuf *why)
{
	struct strbuf nfc = STRBUF_INIT;

	if (asked.len == 0) {
		*name = name_from_mail(req, match);
		return true;
	}
	utf8_add_nfc(&nfc, span_trim(asked));
	*name = arena_take(req->arena, &nfc);
	struct span wanted = *name;
	int64_t player = req->who.player.id;
	bool legal = seat_name_ok(wanted, why), ours = !name_is_free(NULL, player, wanted);
	if (legal && name_is_free(match, player, wanted))
		return true;
	if (legal)
		strbuf_addf(
		    why,
		    ours
			? "\"%.*s\" looks like the name of this server."
			: "\"%.*s\" is taken at this table already, or looks like a name that is.",
		    SPAN_ARGS(wanted));
	if (!legal || !seats_free_name(match, player, wanted, req->arena, name))
		*name = legal ? name_from_mail(req, match) : SPAN_EMPTY;
	return false;
}

bool seats_wait_for_yes(const struct request *req)
{
	return req->who.player.id != 0
	           ? !req->who.player.confirmed
	           : !req->who.settled &&
	                 (req->srv->cfg.unknown_senders != UNKNOWN_ACCEPT || req->who.doubtful);
}

enum err seats_register(struct request *req, struct span name)
{
	bool confirmed = !seats_wait_for_yes(req);

	if (req->who.player.id != 0) {
		if (req->who.player.name.len == 0)
			TRY(player_set_name(req->srv->store, req->who.player.id, name));
		return ERR_NONE;
	}
	struct player p;
	TRY(player_add(req->srv->store, req->mail->from, name, confirmed, req->srv->now_utc,
	               &p));
	identify_player(req, &p);
	return ERR_NONE;
}

enum err seats_make_known(struct request *req)
{
	return seats_register(req, name_from_mail(req, NULL));
}

/* ---- seats ---- */

bool seats_seat_is_free(const struct server *srv, const struct match *match, unsigned seat)
{
	if (seat > match->nseats)
		return seat <= match->game.nseats;
	const struct seat *s = &match->seats[seat - 1];
	return !seat_is_taken(s) || (!s->confirmed && s->bot_level < 0 && s->player != 0 &&
	                             s->joined_utc + SEAT_HELD_S < srv->now_utc);
}

unsigned seats_free_seat(const struct server *srv, const struct match *match)
{
	for (size_t i = 0; i < match->nseats; i++)
		if (seats_seat_is_free(srv, match, (unsigned)i + 1))
			return (unsigned)i + 1;
	return match->nseats < match->game.nseats ? (unsigned)match->nseats + 1 : 0;
}

/*
 * Since version 2 of the record no two joins of a game have the same second, so that the receipt for a seat
 * names one join and no other, also when somebody has left in between.
 */
static int64_t time_of_join(const struct server *srv, const struct match *match)
{
	int64_t at_utc = srv->now_utc;

	for (size_t i = 0; i < match->nseats && match->game.record_version > 1; i++)
		if (match->seats[i].joined_utc >= at_utc)
			at_utc = match->seats[i].joined_utc + 1;
	for (size_t i = 0; i < match->njoins; i++)
		if (match->joins[i].joined_utc >= at_utc)
			at_utc = match->joins[i].joined_utc + 1;
	return at_utc;
}

enum err seats_take_seat(struct server *srv, const struct match *match, unsigned seat,
                         const struct player *p, struct span name, struct span salt,
                         const struct hash *contribution)
{
	struct seat *old = match_seat(match, seat);
	struct seat s = {.game = match->game.id,
	                 .seat = seat,
	                 .player = p->id,
	                 .bot_level = -1,
	                 .name = name,
	                 .salt = salt,
	                 .contribution = *contribution,
	                 .joined_utc = time_of_join(srv, match),
	                 .confirmed = p->confirmed,
	                 .is_operator = config_shows_operator(&srv->cfg, p->address),
	                 .token_generation = old ? old->token_generation + 1 : 0,
	                 .mails = old ? old->mails : 0}; /* numbers of mails are the seat's */

	TRY(match_note_join(srv, match, &s));
	TRY(missed_turns_stop_watching(srv, match->game.id, p->id));
	return old ? seat_update(srv->store, &s) : seat_add(srv->store, &s);
}

enum err seats_open_below(struct server *srv, const struct match *match, unsigned seat)
{
	for (unsigned s = (unsigned)match->nseats + 1; s < seat; s++)
		TRY(seat_add(srv->store, &(struct seat){.game = match->game.id,
		                                        .seat = s,
		                                        .bot_level = -1,
		                                        .name = span_of(arena_printf(
							    match->arena, "seat %u", s)),
		                                        .joined_utc = srv->now_utc}));
	return ERR_NONE;
}

/* ---- strangers ---- */

enum { UNCONFIRMED_SEATS = 2 };

/* Seats beget mails without end: what one mail, and one person, may begin is limited, and what nobody proved most. */
static enum err may_sit_today(struct request *req, bool *may)
{
	bool sure = request_is_sure(req);

	TRY(budget_allows(req->srv, sure ? BUDGET_SEATS : BUDGET_SEATS_UNPROVEN,
	                  req->who.player.address, may));
	*may = *may && req->answer.seats++ < GAMES_OF_A_MAIL;
	if (*may)
		return ERR_NONE;
	request_understood(req);
	request_verdict(req, "refused", "enough seats were taken today");
	return request_notice(req, NULL, NULL, "no more games today", "",
	                      sure ? "You got no further seat: one mail begins or joins %d "
	                             "games at most, and one person %u a day."
	                           : "You got no further seat, for you have had enough today "
	                             "by mails that do not show that they are yours. Answer "
	                             "a mail of this server with what you want to send: the "
	                             "limit is then %d games a mail and %u a day.",
	                      GAMES_OF_A_MAIL, budget_limit(req->srv, BUDGET_SEATS));
}

enum err seats_stranger_may_sit(struct request *req, bool *may)
{
	bool spent, tell;
	unsigned n = 0;

	*may = true;
	if (!is_stranger(req) || req->srv->cfg.unknown_senders == UNKNOWN_ACCEPT)
		return may_sit_today(req, may);
	TRY(strangers_are_spent(req, &spent));
	if (req->who.player.id != 0)
		TRY(seat_count_unconfirmed(req->srv->store, req->who.player.id,
		                           req->srv->now_utc - SEAT_HELD_S, &n));
	*may = !spent && n < UNCONFIRMED_SEATS;
	if (*may)
		return ERR_NONE;
	request_understood(req);
	if (spent) {
		request_verdict(req, "refused", "enough strangers have been answered today");
		request_hold_back(req);
		return ERR_NONE;
	}
	request_verdict(req, "refused", "seats of this address wait for its yes");
	TRY(budget_allows(req->srv, BUDGET_SEATS_WAIT, req->who.player.address, &tell));
	if (!tell)
		return ERR_NONE;
	return request_notice(
	    req, NULL, NULL, "answer the welcome first", "yes",
	    "You got no further seat: %d of yours still wait for your word that this address "
	    "is yours. Answer one of the mails that welcomed you with the line below, then "
	    "send what you wanted once more.",
	    UNCONFIRMED_SEATS);
}

/* ---- staying and leaving ---- */

enum err seats_refuse(struct request *req, const char *example, const char *why)
{
	request_verdict(req, "refused", "JOIN: %s", why);
	return request_notice(req, NULL, NULL, "you have not joined", example, "%s", why);
}

enum err seats_confirm_player(struct request *req)
{
	struct player p = req->who.player;

	p.confirmed = true;
	identify_player(req, &p);
	return player_set_confirmed(req->srv->store, p.id);
}

enum err seats_confirm_by_reply(struct request *req)
{
	struct match *match;

	if (request_item(req, CMD_NO) || req->who.player.id == 0 ||
	    (req->about.game == 0 && req->about.digest == 0 && !req->who.settled))
		return ERR_NONE;
	if (!req->who.player.confirmed)
		TRY(seats_confirm_player(req));
	if (req->about.game == 0)
		return ERR_NONE;
	TRY(request_match(req, req->about.game, &match));
	struct seat *seat = match_seat(match, req->about.seat);
	if (!seat || seat->confirmed)
		return ERR_NONE;
	seat->confirmed = true;
	request_note_answer(req, ANSWER_CONFIRMS_SEAT);
	TRY(seat_update(req->srv->store, seat));
	TRY(game_start_if_full(req->srv, match));
	request_forget_match(req);
	return ERR_NONE;
}

enum err seats_cancel_if_empty(struct server *srv, struct match *match, int64_t leaver)
{
	if (match->game.master != 0 && match->game.master != leaver)
		return ERR_NONE;
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player != 0)
			return ERR_NONE;
	match->game.status = GAME_CANCELLED;
	match->game.ended_utc = srv->now_utc;
	TRY(seat_joins_drop(srv->store, match->game.id));
	return game_update(srv->store, &match->game);
}

enum err seats_leave(struct request *req, const struct command *item, bool *gone)
{
	struct match *match;
	struct seat *seat;
	bool found;

	*gone = false;
	TRY(request_game(req, item, &match, &seat, &found));
	*gone = !found || (match->game.status == GAME_GATHERING && seat);
	if (!found || !*gone)
		return ERR_NONE;
	request_verdict(req, "command", "left %s before it began", match->id);
	TRY(request_notice(req, match, seat, "you have left", "list",
	                   "Your seat in %s is free again; you will get no more mail about "
	                   "it. To see other open games, send:",
	                   match->id));
	seat->player = 0;
	seat->confirmed = false;
	seat->token_generation++;
	TRY(seat_update(req->srv->store, seat));
	TRY(press_leave(req->srv->store, match->game.id, seat->seat, req->srv->now_utc));
	/* A further line of this mail has no seat there any more. */
	identify_game(req, 0, req->about.seat);
	return seats_cancel_if_empty(req->srv, match, req->who.player.id);
}

/* ---- where another has sat ---- */

/* Orders of the open turn that whoever sat there has given, and this player has not. */
static bool left_orders(const struct request *req, const struct match *match,
                        const struct seat *seat)
{
	return match->has_turn && match->turn.state == TURN_OPEN &&
	       seat->former != req->who.player.id && seat->bot_level < 0 &&
	       seat_in((struct seat_set){match->turn.have}, seat->seat);
}

bool seat_is_fixed(const struct request *req, const struct match *match,
                   const struct seat *seat)
{
	return left_orders(req, match, seat) &&
	       match_came_after(match, req->sure_utc, match->turn.deadline_utc);
}

static enum err withdraw_orders(struct request *req, struct match *match,
                                const struct seat *seat)
{
	struct turn *t = &match->turn;
	struct order_revision last;
	struct hash contribution;

	TRY(request_contribution(req, match, seat->seat, &contribution));
	TRY(orders_last(req->srv->store, t->game, t->serial, seat->seat, req->arena, &last));
	TRY(orders_append(req->srv->store,
	                  &(struct order_revision){.game = t->game,
	                                           .serial = t->serial,
	                                           .seat = seat->seat,
	                                           .revision = last.revision + 1,
	                                           .origin = ORDER_SENT,
	                                           .cleared = true,
	                                           .received_utc = req->sure_utc,
	                                           .mail = req->inbox_id,
	                                           .contribution = contribution}));
	t->have = seat_without((struct seat_set){t->have}, seat->seat).bits;
	return ERR_NONE;
}

enum err seat_fill(struct request *req, struct match *match, struct seat *seat, bool *withdrawn)
{
	struct server *srv = req->srv;

	*withdrawn = left_orders(req, match, seat);
	if (*withdrawn)
		TRY(withdraw_orders(req, match, seat));
	if (seat->former != req->who.player.id)
		TRY(press_leave(srv->store, seat->game, seat->seat, srv->now_utc));
	TRY(unreachable_set(srv->store, seat->game, seat->seat,
	                    &(struct unreachable_seat){0})); /* that was another person */
	seat->player = req->who.player.id;
	seat->bot_level = -1;
	seat->is_operator = config_shows_operator(&srv->cfg, req->who.player.address);
	seat->vacated_utc = 0;
	seat->missed = seat->missed_all = seat->excused_all = seat->late_all = 0;
	return ERR_NONE;
}
