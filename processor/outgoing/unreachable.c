/*
 * unreachable.c - from a mail that did not arrive to a seat that cannot be reached, and back.
 */
#include "processor/outgoing/unreachable.h"

#include "mail/compose.h"
#include "processor/base/step.h"
#include "processor/base/utf8.h"
#include "processor/match/match_clock.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/budget.h"
#include "processor/outgoing/invitation.h"
#include "processor/outgoing/outgoing.h"
#include "processor/server/reply_address.h"
#include "store/audit.h"
#include "store/bounces.h"
#include "store/digests.h"

enum {
	DAY_S = 24 * 3600,
	WEEK_S = 7 * DAY_S,
	MOST_TRIES = 3,
	FRESH_S = 30 * DAY_S /* points older than this are forgotten */
};

struct reach {
	struct server *srv;
	struct arena *arena;
	const struct unreached *of; /* NULL: no mail has failed just now */
	const char *key;            /* what mails to the others are named after */
	int64_t report;             /* the mail in the inbox that caused them, 0 = none */
};

/* ---- telling ---- */

/* A turn that waits for one of these seats gets the time of a whole turn more, once for each. */
static enum err move_deadline(struct reach *r, struct match *match, const struct seat *seat,
                              struct unreachable_seat *u, bool *moved)
{
	uint32_t bit = seat_with((struct seat_set){0}, seat->seat).bits;
	struct turn *t = &match->turn;

	*moved = match->has_turn && t->state == TURN_OPEN && t->deadline_utc != 0 &&
	         u->moved_serial == 0 && (t->owes & ~t->have & bit) != 0 && !match->game.held &&
	         match->game.next_s > 0;
	if (!*moved)
		return ERR_NONE;
	t->deadline_utc =
	    match_clock_credited(r->srv, match, t->deadline_utc, match->calendar.next_s);
	u->moved_serial = t->serial;
	return turn_set_deadline(r->srv->store, t->game, t->serial, t->deadline_utc);
}

static const char *what_happens_next(struct reach *r, const struct match *match,
                                     const char *name, const struct zone *zone, bool moved)
{
	const char *until = zone_human(zone, match->turn.deadline_utc, r->arena);

	if (moved)
		return arena_printf(
		    r->arena,
		    "To leave time for finding %s, the deadline of %.*s was moved "
		    "by the length of a turn, to %s. This is done once. If "
		    "nothing comes from %s by then, the default orders are used.",
		    name, SPAN_ARGS(match->turn.label), until, name);
	if (match->turn.deadline_utc == 0)
		return "The game goes on as it is.";
	return arena_printf(
	    r->arena,
	    "The deadline of %.*s stays as it is: %s. If there are no orders of "
	    "%s by then, the default orders are used.",
	    SPAN_ARGS(match->turn.label), until, name);
}

static void write_report(struct reach *r, const struct match *match, const struct seat *lost,
                         const struct report_game *game, bool moved, struct report_out *out)
{
	const char *name = match->names.names[lost->seat];
	const char *ends = r->srv->cfg.known_senders == KNOWN_ACCEPT
	                       ? "any mail to this server from the usual address"
	                       : "an answer to any mail of this game";
	const char *paragraphs[] = {
	    arena_printf(
		r->arena,
		"Mail to %s (seat %u) comes back to us, so %s may not know what happens "
		"in this game.",
		name, lost->seat, name),
	    what_happens_next(r, match, name, game->zone, moved),
	    arena_printf(
		r->arena,
		"You need not do anything. If you know %s, please pass this on: %s ends it, "
		"and all that waits is sent then. To see how the game stands, send:",
		name, ends),
	    NULL};
	const char *example = arena_printf(r->arena, "status %s", match->id);

	report_notice(
	    &(struct report_notice){
		.game = game,
		.subject = arena_printf(r->arena, "%s cannot be reached", name),
		.paragraphs = paragraphs,
		.examples = TEXTS(example),
	    },
	    out);
}

static enum err tell_one(struct reach *r, struct match *match, const struct seat *lost,
                         struct seat *reader, bool moved)
{
	struct report_out out = REPORT_OUT_INIT, carried = REPORT_OUT_INIT;
	struct player p;

	TRY(player_get(r->srv->store, reader->player, r->arena, &p));
	if (p.forgotten || p.address.len == 0)
		return ERR_NONE;
	out.form = carried.form = report_form_of(&p.form);
	struct report_game game = report_values_game(r->srv, match, reader, &p);
	struct digest_policy keep = digest_policy_of(r->srv, &p, OUTGOING_MESSAGE, 0);
	write_report(r, match, lost, &game, moved, &out);
	digest_policy_carry(&game, NULL);
	if (keep.waits)
		write_report(r, match, lost, &game, moved, &carried);
	struct outgoing outgoing = {
	    .kind = "notice",
	    .key = arena_printf(r->arena, "lost %u %s", lost->seat, r->key),
	    .game = &match->game,
	    .seat = reader,
	    .serial = match->turn.serial,
	    .player = p.id,
	    .address = p.address,
	    .form = p.form,
	    .report = &out,
	    .keep = keep,
	    .carried = &carried,
	    .cause = r->report};
	enum err rc = outgoing_add(r->srv, &outgoing, r->arena);
	report_out_release(&out);
	report_out_release(&carried);
	return rc;
}

static enum err lose_seat(struct reach *r, struct match *match, const struct seat *seat)
{
	struct unreachable_seat u;
	bool moved;

	TRY(unreachable_get(r->srv->store, match->game.id, seat->seat, &u));
	bool tell = u.told_utc == 0 || u.told_utc + WEEK_S <= r->srv->now_utc;
	TRY(move_deadline(r, match, seat, &u, &moved));
	if (tell)
		u.told_utc = r->srv->now_utc;
	TRY(unreachable_set(r->srv->store, match->game.id, seat->seat, &u));
	const char *name = match->names.names[seat->seat];
	TRY(audit_add(
	    r->srv->store, match->game.id, seat->seat, "server", true, r->srv->now_utc,
	    moved ? arena_printf(r->arena,
	                         "mail to %s comes back; the deadline was moved, "
	                         "once, to %s",
	                         name, zone_human(NULL, match->turn.deadline_utc, r->arena))
		  : arena_printf(r->arena, "mail to %s comes back", name)));
	if (!tell)
		return ERR_NONE;
	for (size_t i = 0; i < match->nseats; i++) {
		struct seat *s = &match->seats[i];
		if (s->player != 0 && s->player != seat->player && !s->resigned)
			TRY(tell_one(r, match, seat, s, moved));
	}
	return ERR_NONE;
}

/* ---- losing a player and finding them again ---- */

/* A damaged game cannot be told of anything; it is held when it is to be played next. */
static enum err open_game(struct reach *r, int64_t game, struct match *match, bool *opened)
{
	enum err rc = match_load(r->srv, game, r->arena, match);

	*opened = rc == ERR_NONE;
	return server_blames_game(rc) ? ERR_NONE : rc;
}

static enum err each_game(struct reach *r, int64_t player,
                          enum err (*act)(struct reach *r, struct match *match,
                                          const struct seat *seat))
{
	struct game *games;
	size_t n;

	TRY(game_list_of_player(r->srv->store, player, 1u << GAME_RUNNING, r->arena, &games,
	                        &n));
	for (size_t i = 0; i < n; i++) {
		struct match match;
		bool opened;
		enum err rc = open_game(r, games[i].id, &match, &opened);

		for (size_t k = 0; opened && rc == ERR_NONE && k < match.nseats; k++)
			if (match.seats[k].player == player && !match.seats[k].resigned)
				rc = act(r, &match, &match.seats[k]);
		match_release(&match);
		TRY(rc);
	}
	return ERR_NONE;
}

static enum err post_once(struct reach *r, const struct outgoing *outgoing)
{
	struct outbox_mail row, old;

	outgoing_prepare(r->srv, outgoing, r->arena, &row);
	enum err rc = outbox_by_message_id(r->srv->store, row.message_id, r->arena, &old);
	/* Found: it was sent again before, whoever reports it now. */
	return rc == ERR_NOT_FOUND ? outgoing_add(r->srv, outgoing, r->arena) : rc;
}

/* All that was in it has not arrived. */
static enum err send_digest_again(struct reach *r, const struct outbox_mail *lost,
                                  struct span to)
{
	struct report_out out = REPORT_OUT_INIT;
	struct strbuf reply = STRBUF_INIT;
	struct outbox_mail whole;
	struct digest b;
	struct player p;

	TRY(player_get(r->srv->store, lost->player, r->arena, &p));
	TRY(digest_by_outbox(r->srv->store, lost->id, &b));
	TRY(outbox_message(r->srv->store, lost->id, r->arena, &whole));
	enum err rc = ERR_NONE;
	if (outgoing_read_back(whole.message, &out)) {
		strbuf_addf(&out.subject, "[digest %u] once more", b.number);
		if (r->srv->cfg.plus_address)
			address_add_digest(r->srv, &p, b.number, &reply);
		rc = post_once(
		    r, &(struct outgoing){.kind = "resend",
		                          .key = arena_printf(r->arena, "other address %.*s",
		                                              SPAN_ARGS(lost->message_id)),
		                          .player = p.id,
		                          .address = to,
		                          .form = p.form,
		                          .report = &out,
		                          .cause = r->report,
		                          .reply_to = reply.len > 0 ? reply.ptr : NULL,
		                          .resend = true});
	}
	report_out_release(&out);
	strbuf_release(&reply);
	return rc;
}

/* The mail that did not arrive goes to the other address, as RESEND would send it; once. */
static enum err send_again(struct reach *r, const struct outbox_mail *lost, struct span to)
{
	struct report_out out = REPORT_OUT_INIT;
	struct outbox_mail whole;
	struct player p;
	struct match match;
	bool opened;

	if (span_eq_str(lost->kind, "digest"))
		return send_digest_again(r, lost, to);
	if (lost->number == 0)
		return ERR_NONE;
	TRY(player_get(r->srv->store, lost->player, r->arena, &p));
	TRY(outbox_by_number(r->srv->store, lost->game, lost->seat, lost->number, r->arena,
	                     &whole));
	enum err rc = open_game(r, lost->game, &match, &opened);
	struct seat *seat = opened ? match_seat(&match, lost->seat) : NULL;
	if (seat && seat->player == p.id && outgoing_read_back(whole.message, &out)) {
		strbuf_addf(&out.subject, "[%s] mail %u, once more", match.id, lost->number);
		struct outgoing outgoing = {.kind = "resend",
		                            .key = arena_printf(r->arena, "other address %.*s",
		                                                SPAN_ARGS(lost->message_id)),
		                            .game = &match.game,
		                            .seat = seat,
		                            .serial = lost->serial,
		                            .player = p.id,
		                            .address = to,
		                            .form = p.form,
		                            .report = &out,
		                            .cause = r->report,
		                            .resend = true};
		rc = post_once(r, &outgoing);
	}
	report_out_release(&out);
	match_release(&match);
	return rc;
}

/* Where mail to a player goes now. */
struct in_use {
	struct span main;    /* what they are known by */
	struct span address; /* that, or the one used in its place */
	int64_t paused_utc;  /* since when none is sent there; 0 = it is */
	bool silent;         /* for nothing is heard from there */
};

static enum err find_in_use(struct reach *r, int64_t player, struct in_use *out)
{
	struct bounced_address b;
	struct player p;

	TRY(player_get(r->srv->store, player, r->arena, &p));
	out->main = out->address = p.address;
	enum err rc = bounce_get(r->srv->store, p.address, r->arena, &b);
	if (rc == ERR_NONE && b.instead.len > 0) {
		out->address = b.instead;
		rc = bounce_get(r->srv->store, b.instead, r->arena, &b);
	}
	out->paused_utc = b.paused_utc;
	out->silent = b.paused_utc > 0 && b.said.len == 0;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err unreachable_now(struct server *srv, int64_t player, struct arena *arena, bool *yes)
{
	struct reach r = {.srv = srv, .arena = arena};
	struct in_use use = {.paused_utc = 0};

	TRY(find_in_use(&r, player, &use));
	*yes = use.paused_utc > 0;
	return ERR_NONE;
}

static enum err lose_address(struct reach *r, bool *redirected)
{
	const struct outbox_mail *row = r->of->mail;
	struct span other;
	struct in_use use;

	TRY(find_in_use(r, row->player, &use));
	if (!utf8_eq_folded(use.address, row->rcpt))
		return ERR_NONE; /* an address they had before */
	enum err rc =
	    player_other_address(r->srv->store, row->player, row->rcpt, r->arena, &other);

	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(audit_add(r->srv->store, 0, 0, "server", false, r->srv->now_utc,
	              arena_printf(r->arena, "mail to player %lld comes back; %s",
	                           (long long)row->player,
	                           rc == ERR_NONE ? "another address is used"
	                                          : "it waits until the player writes")));
	*redirected = rc == ERR_NONE;
	if (*redirected) {
		TRY(bounce_redirect(r->srv->store, row->rcpt, other));
		return send_again(r, row, other);
	}
	TRY(bounce_pause(r->srv->store, row->rcpt, r->srv->now_utc));
	return each_game(r, row->player, lose_seat);
}

enum err unreachable_at_start(struct server *srv, int64_t game, struct arena *arena)
{
	struct reach r = {.srv = srv, .arena = arena, .key = "at the start"};
	struct in_use use = {0};
	struct match match;
	enum err rc = match_load(srv, game, arena, &match);

	for (size_t i = 0; rc == ERR_NONE && i < match.nseats; i++) {
		if (match.seats[i].player == 0 || match.seats[i].resigned)
			continue;
		rc = find_in_use(&r, match.seats[i].player, &use);
		if (rc == ERR_NONE && use.paused_utc > 0)
			rc = lose_seat(&r, &match, &match.seats[i]);
	}
	match_release(&match);
	return rc;
}

static enum err note_found(struct reach *r, struct match *match, const struct seat *seat)
{
	struct unreachable_seat u;

	TRY(unreachable_get(r->srv->store, match->game.id, seat->seat, &u));
	if (u.told_utc == 0)
		return ERR_NONE;
	return audit_add(
	    r->srv->store, match->game.id, seat->seat, "server", true, r->srv->now_utc,
	    arena_printf(r->arena, "%s has written again", match->names.names[seat->seat]));
}

/*
 * Mail from `from` arrives here, so mail to it may arrive there. It takes the place of the
 * address in use if none is sent to that one, or if it is the one the player is known by.
 */
static enum err trust_address(struct reach *r, const struct in_use *use, struct span from)
{
	struct store *s = r->srv->store;
	bool is_main = utf8_eq_folded(from, use->main);

	TRY(bounce_forgive(s, from));
	if (utf8_eq_folded(from, use->address))
		return ERR_NONE;
	if (use->paused_utc > 0)
		return bounce_redirect(s, use->address, from);
	return is_main ? outbox_redirect(s, use->address, from) : ERR_NONE;
}

enum err unreachable_end(struct server *srv, int64_t player, struct span from,
                         struct arena *arena, struct unreachable_until_now *out)
{
	struct reach r = {.srv = srv, .arena = arena};
	struct bounced_address *list;
	struct in_use use;
	size_t n;

	*out = (struct unreachable_until_now){0};
	TRY(bounce_list(srv->store, player, arena, &list, &n));
	if (n == 0)
		return ERR_NONE;
	TRY(find_in_use(&r, player, &use));
	TRY(trust_address(&r, &use, from));
	if (use.paused_utc == 0)
		return ERR_NONE;
	out->since_utc = use.paused_utc;
	out->address = use.address;
	out->silent = use.silent;
	TRY(audit_add(srv->store, 0, 0, "server", false, srv->now_utc,
	              arena_printf(arena, "player %lld has written again", (long long)player)));
	return each_game(&r, player, note_found);
}

/* ---- counting ---- */

enum err unreachable_count(struct server *srv, const struct unreached *u, struct arena *arena,
                           struct unreached_outcome *out)
{
	struct reach r = {
	    .srv = srv, .arena = arena, .of = u, .key = u->key, .report = u->report};
	struct bounced_address before;
	unsigned counted;
	int64_t report;
	enum err rc = bounce_get(srv->store, u->mail->rcpt, arena, &before);

	*out = (struct unreached_outcome){0};
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	TRY(bounce_of_mail(srv->store, u->mail->id, &counted, &report));
	TRY(bounce_count(srv->store, u->mail, u->report, u->points, u->said,
	                 srv->now_utc - FRESH_S, srv->now_utc, &out->score));
	out->known = before.paused_utc > 0 || before.instead.len > 0;
	if (out->known) /* the mail left before the other address was used */
		return before.instead.len > 0 && !u->may_yet_arrive
		           ? send_again(&r, u->mail, before.instead)
		           : ERR_NONE;
	/* What counts nothing more may be about an address that has been written from since. */
	out->given_up = u->points > counted &&
	                (u->address_is_dead || out->score >= UNREACHABLE_SCORE);
	return out->given_up ? lose_address(&r, &out->redirected) : ERR_NONE;
}

/* ---- mail that was refused ---- */

static const char *what_follows(const struct unreached_outcome *o)
{
	if (o->known)
		return "its address was given up before";
	if (o->redirected)
		return "its address is given up, and another is used";
	return o->given_up ? "its address is given up" : "its address is used as before";
}

static enum err follow_up(struct server *srv, const struct outbox_mail *m, struct arena *arena)
{
	struct unreached_outcome o;
	struct unreached u = {
	    .mail = m,
	    .key = arena_printf(arena, "outbox %lld", (long long)m->id),
	    .points = m->refused == REFUSED_UNCLEAR ? 1 : 2,
	    .address_is_dead = m->refused == REFUSED_ADDRESS,
	    .said = m->answer,
	};

	TRY(invitation_came_back(srv, m, arena));
	if (m->player == 0 || m->rcpt.len == 0)
		return ERR_NONE;
	TRY(unreachable_count(srv, &u, arena, &o));
	return audit_add(srv->store, m->game, m->seat, "server", false, srv->now_utc,
	                 arena_printf(arena, "outbox mail %lld to player %lld was refused; %s",
	                              (long long)m->id, (long long)m->player,
	                              what_follows(&o)));
}

/* One transaction: all of it or nothing. `why`: it is left out. */
static enum err in_transaction(struct server *srv, const struct outbox_mail *m, const char *why,
                               struct arena *arena)
{
	if (why)
		log_warnx(srv->log,
		          "what follows from the refusal of mail %lld is left out: %s",
		          (long long)m->id, why);
	TRY(store_begin(srv->store));
	enum err rc = outbox_refusal_done(srv->store, m->id);
	if (rc == ERR_NONE && !why)
		rc = follow_up(srv, m, arena);
	if (rc == ERR_NONE)
		rc = in_flight_clear(srv->store);
	rc = store_end(srv->store, rc);
	if (rc == ERR_NONE)
		step("refusal followed up");
	return rc;
}

static enum err take_one(struct server *srv, const struct in_flight *left,
                         const struct outbox_mail *m, struct arena *arena)
{
	unsigned tries;

	TRY(server_mark_in_flight(srv, left, "refusals",
	                          arena_printf(arena, "%lld", (long long)m->id), &tries));
	step_in_hand(m->message_id, 0);
	if (tries > MOST_TRIES)
		return in_transaction(srv, m, "molepost crashed each time on it", arena);
	enum err rc = in_transaction(srv, m, NULL, arena);
	if (!server_blames_game(rc))
		return rc;
	return in_transaction(srv, m, arena_strdup(arena, server_why(srv, rc)), arena);
}

enum err delivery_failures_follow_up(struct server *srv, const struct in_flight *left)
{
	struct arena *arena = arena_new();
	struct outbox_mail m = {0};
	enum err rc;

	do {
		int64_t after = m.id;
		arena_clear(arena);
		rc = outbox_next_refused(srv->store, after, arena, &m);
		if (rc == ERR_NONE)
			rc = take_one(srv, left, &m, arena);
	} while (rc == ERR_NONE);
	arena_free(arena);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* ---- silence ---- */

static enum err post_last(struct server *srv, const struct player *p, unsigned most)
{
	static const char *const example = "status";
	struct report_out out = REPORT_OUT_INIT;
	const char *paragraphs[] = {
	    arena_printf(srv->arena,
	                 "We have sent you %u mails and heard nothing from you, so this is the "
	                 "last one for now. Your games go on: standing orders count, and what "
	                 "is for your seats waits here.",
	                 most),
	    "To go on getting mail, answer this one with any line, for "
	    "example:",
	    NULL};

	out.form = report_form_of(&p->form);
	report_notice(&(struct report_notice){.subject = "nothing more until you write",
	                                      .paragraphs = paragraphs,
	                                      .examples = TEXTS(example)},
	              &out);
	enum err rc = outgoing_add(
	    srv,
	    &(struct outgoing){.kind = "silence",
	                       .key = arena_printf(srv->arena, "%lld %lld", (long long)p->id,
	                                           (long long)srv->now_utc),
	                       .player = p->id,
	                       .address = p->address,
	                       .form = p->form,
	                       .report = &out},
	    srv->arena);
	report_out_release(&out);
	return rc;
}

static enum err end_mail(struct server *srv, const struct silent_player *s, unsigned most)
{
	struct player p;

	TRY(player_get(srv->store, s->player, srv->arena, &p));
	if (p.forgotten || p.address.len == 0)
		return ERR_NONE;
	if (s->reached)
		return bounce_hush(srv->store, p.address, p.id, srv->now_utc);
	return s->told ? ERR_NONE : post_last(srv, &p, most);
}

enum err silence_look(struct server *srv)
{
	unsigned most = budget_limit(srv, BUDGET_SILENCE);
	struct silent_player *list;
	size_t n;

	TRY(silent_players(srv->store, most, srv->arena, &list, &n));
	if (n == 0)
		return ERR_NONE;
	TRY(store_begin(srv->store));
	enum err rc = ERR_NONE;
	for (size_t i = 0; i < n && rc == ERR_NONE; i++)
		rc = end_mail(srv, &list[i], most);
	rc = store_end(srv->store, rc);
	if (rc == ERR_NONE)
		step("silence noted");
	return rc;
}
