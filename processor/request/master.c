/*
 * master.c - who is the master of a game, what all of their commands have in common, and how a
 * whole table hears what they have changed.
 */
#include "processor/request/master.h"

#include "processor/match/report_values.h"
#include "processor/outgoing/player_notice.h"
#include "processor/request/confirmation.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"
#include "store/audit.h"

/* ---- who ---- */

enum err master_only_game(struct request *req, int64_t *game)
{
	struct game *games;
	size_t n;

	*game = 0;
	if (req->who.player.id == 0)
		return ERR_NONE;
	TRY(game_list_of_master(req->srv->store, req->who.player.id, req->arena, &games, &n));
	if (n == 1)
		*game = games[0].id;
	return ERR_NONE;
}

/* ---- what they say ---- */

bool master_is_a_player(const struct master_request *m)
{
	unsigned proposer = m->agreed ? m->agreed->proposer : m->seat ? m->seat->seat : 0;

	return proposer != 0 &&
	       !match_has_master(m->match, m->match->seats[proposer - 1].player);
}

enum err master_log(struct master_request *m, unsigned seat, const char *fmt, ...)
{
	struct strbuf what = STRBUF_INIT;
	const struct match *match = m->match;
	const char *actor = "master of the game";
	va_list ap;

	const struct seat *own = master_seat(match);
	bool co_master = !m->agreed && match->game.master != m->req->who.player.id;
	if (!m->agreed && master_is_a_player(m))
		actor = match->names.names[m->seat->seat];
	else if (m->agreed && m->agreed->proposer != 0)
		actor = arena_printf(
		    m->req->arena,
		    master_is_a_player(m) ? "%s, with the votes of %s"
					  : "co-master %s, with the votes of %s",
		    match->names.names[m->agreed->proposer], match_names_in(match, m->by));
	else if (m->agreed)
		actor = arena_printf(m->req->arena, "master of the game, with the votes of %s",
		                     match_names_in(match, m->by));
	else if (co_master && m->seat)
		actor = arena_printf(m->req->arena, "co-master of the game, who plays as %s",
		                     match->names.names[m->seat->seat]);
	else if (own)
		actor = arena_printf(m->req->arena, "master of the game, who plays as %s",
		                     match->names.names[own->seat]);
	va_start(ap, fmt);
	strbuf_vaddf(&what, fmt, ap);
	va_end(ap);
	enum err rc = audit_add(m->req->srv->store, match->game.id, seat, actor, true,
	                        m->req->srv->now_utc, what.ptr);
	strbuf_release(&what);
	return rc;
}

enum err master_refuse(struct master_request *m, const char *example, const char *fmt, ...)
{
	struct strbuf why = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&why, fmt, ap);
	va_end(ap);
	request_verdict(m->req, "refused", "%.*s: %s", SPAN_ARGS(m->item->text), why.ptr);
	enum err rc = request_notice(m->req, m->match, m->seat, "nothing was done", example,
	                             "%s", why.ptr);
	strbuf_release(&why);
	return rc;
}

/* ---- whom they mean ---- */

enum err seat_named(struct request *req, struct match *match, struct seat *own,
                    const struct command *item, struct seat **seat)
{
	*seat = match_seat_named(match, item->seat, item->name);
	if (*seat)
		return ERR_NONE;
	request_verdict(req, "refused", "%.*s: no such seat", SPAN_ARGS(item->text));
	struct strbuf names = STRBUF_INIT;
	for (size_t i = 0; i < match->nseats; i++)
		strbuf_addf(&names, "%s%zu %s", i > 0 ? ", " : "", i + 1,
		            match->names.names[i + 1]);
	enum err rc = request_notice(
	    req, match, own, "nobody of that name", "",
	    "Your line \"%.*s\" names nobody at this table, so nothing was done. The seats "
	    "are: %s. Write the number of one of them, or the name.",
	    SPAN_ARGS(item->text), names.ptr);
	strbuf_release(&names);
	return rc;
}

/* ---- their commands ---- */

/* What each of their commands needs. */
static const struct {
	enum verb verb;
	unsigned needs;
} commands[] = {
    {CMD_SET_DEADLINE, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING},
    {CMD_SET_GRACE, NEEDS_WRITING},
    {CMD_SET_START, NEEDS_WRITING},
    {CMD_PAUSE, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING},
    {CMD_RESUME, NEEDS_TURN | NEEDS_WRITING},
    {CMD_PROCESS, NEEDS_TURN},
    {CMD_ROLLBACK, NEEDS_TURN | NEEDS_TIME},
    {CMD_EJECT, NEEDS_SEAT},
    {CMD_PROMOTE, NEEDS_WRITING | NEEDS_SEAT},
    {CMD_DEMOTE, NEEDS_WRITING | NEEDS_SEAT},
    {CMD_ALLOW, NEEDS_RIGHT},
    {CMD_DENY, NEEDS_RIGHT},
    {CMD_BECOME, NEEDS_TURN | NEEDS_TIME | NEEDS_WRITING | NEEDS_SEAT},
    {CMD_REPLACE, NEEDS_TURN | NEEDS_TIME | NEEDS_SEAT},
    {CMD_TERMINATE, NEEDS_TIME},
    {CMD_FORCE_BEGIN, NEEDS_WRITING},
    {CMD_START_WITH_BOTS, NEEDS_WRITING},
    {CMD_OFFICIAL, NEEDS_WRITING},
};

unsigned master_needs(enum verb verb)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (commands[i].verb == verb)
			return commands[i].needs;
	return 0;
}

enum err master_is_meant(struct request *req, const struct command *item, int64_t about,
                         bool *yes)
{
	struct game g;

	*yes = false;
	if (req->who.player.id == 0 || master_needs(item->verb) == 0)
		return ERR_NONE;
	if (about == 0)
		TRY(master_only_game(req, &about));
	if (about == 0)
		return ERR_NONE;
	enum err rc = game_get(req->srv->store, about, req->arena, &g);
	*yes = rc == ERR_NONE && g.master == req->who.player.id && g.ended_utc == 0;
	if (rc != ERR_NONE || *yes || g.ended_utc != 0)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	struct seat own;
	rc = seat_of_player(req->srv->store, about, req->who.player.id, req->arena, &own);
	*yes = rc == ERR_NONE && own.co_master;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err keep_and_ask(struct master_request *m, const char *line, const char *effect)
{
	struct request *req = m->req;
	bool allowed;
	struct confirmation q = {
	    .kind = CONFIRMATION_MAIL,
	    .player = req->who.player.id,
	    .address = req->who.player.address,
	    .game = m->match->game.id,
	    .serial = m->match->has_turn ? m->match->turn.serial : 0,
	    .names_turn = m->match->has_turn,
	    .arrived_utc = req->arrived_utc,
	    .asked_utc = req->srv->now_utc,
	    .mail = req->inbox_id,
	    .text = span_of(arena_printf(req->arena,
	                                 m->item->unrated ? "\n%s %s unrated\n" : "\n%s %s\n",
	                                 line, m->match->id)),
	};

	TRY(confirmation_allowed(req, CONFIRMATION_ADDRESS, req->who.player.address, &allowed));
	if (!allowed)
		return master_refuse(
		    m, "",
		    "You have been asked for a yes often enough today. Nothing "
		    "was done; please try again tomorrow.");
	request_verdict(req, "held", "%s waits for the master's yes", line);
	TRY(confirmation_drop_old(req->srv->store,
	                          req->srv->now_utc - 2 * CONFIRMATION_OPEN_S));
	TRY(confirmation_add(req->srv->store, &q));
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_game game =
	    report_values_game(req->srv, m->match, m->seat, &req->who.player);
	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = "do you really want this?",
		.paragraphs = TEXTS(
		    arena_printf(req->arena, "As master of %s you have written:", m->match->id),
		    effect,
		    "Nothing has been done yet. If you reply YES, it is done; if you reply "
		    "NO, or not within two days, it is not. If the game has gone on to "
		    "another turn by then, it is not done either. Reply to this very "
		    "mail, with one of these lines:"),
		.orders = m->item->text,
		.examples = TEXTS("yes", "no")},
	    &out);
	enum err rc =
	    confirmation_post(req, m->match, m->seat, &q, CONFIRMATION_TO_PLAYER, &out);
	report_out_release(&out);
	return rc;
}

enum err master_sure(struct master_request *m, const char *line, const char *effect, bool *go)
{
	struct request *req = m->req;

	*go = false;
	if (req->who.settled && req->about.has_serial && m->match->has_turn &&
	    req->about.serial != m->match->turn.serial)
		return master_refuse(
		    m, "status",
		    "You have said yes, but the game has gone on to another turn meanwhile, so "
		    "nothing was done. To see how it stands, send:");
	*go = req->who.settled;
	if (*go)
		return ERR_NONE;
	if (req->answer.asked)
		return master_refuse(
		    m, "",
		    "Your line \"%.*s\" needs a yes of yours, and so does one "
		    "above it, about which you have been asked. One at a time: "
		    "please send this one again in a mail of its own.",
		    SPAN_ARGS(m->item->text));
	request_note_answer(req, ANSWER_ASKS);
	return keep_and_ask(m, line, effect);
}

enum err master_may_write(struct master_request *m, bool *yes)
{
	struct request *req = m->req;

	*yes = m->agreed != NULL; /* what was asked for has been counted */
	if (*yes)
		return ERR_NONE;
	TRY(budget_allows(
	    req->srv, BUDGET_MASTER_NEWS,
	    span_of(master_is_a_player(m)
	                ? arena_printf(req->arena, "%s seat %u", m->match->id, m->seat->seat)
	                : m->match->id),
	    yes));
	if (*yes)
		return ERR_NONE;
	return master_refuse(m, "",
	                     "Everybody at the table has had %d such mails from you within "
	                     "a day, so nothing was done. Please wait until tomorrow.",
	                     (int)budget_limit(req->srv, BUDGET_MASTER_NEWS));
}

/* ---- what somebody's mail has changed for a whole table: one mail to each who sits there ---- */

static enum err answer(struct request *req, struct match *match, struct seat *seat,
                       const struct table_news *n)
{
	const struct zone *zone = zone_of_reader(req->srv, &req->who.player);
	struct report_clock clock = report_values_clock(req->srv, match, seat);

	return request_answer_notice(
	    req, match, seat, "master",
	    &(struct report_notice){
		.subject = n->subject,
		.paragraphs = TEXTS(text_with_moment(n->done, n->at_utc, zone, req->arena)),
		.examples = TEXTS(n->example && *n->example ? n->example : NULL),
		.clock = n->clock && match->has_turn ? &clock : NULL,
	    });
}

static enum err tell(struct request *req, struct match *match, struct seat *seat,
                     int64_t player, const struct table_news *n)
{
	bool is_asked = seat && seat_in(n->asked, seat->seat);

	return player_notice_add(
	    req->srv, match, seat, player,
	    &(struct player_notice){
		.kind = n->kind,
		.key = request_next_key(req),
		.subject = n->subject,
		.text = seat && seat == n->other ? n->heard_by_other : n->heard,
		.asks = is_asked ? n->asks : NULL,
		.lines = is_asked ? n->answers : NULL,
		.at_utc = n->at_utc,
		.clock = n->clock,
		.moved_from = seat && n->moved_from ? n->moved_from[seat->seat] : 0},
	    req->arena);
}

enum err tell_one_player(struct request *req, struct match *match, int64_t player,
                         const char *subject, const char *text)
{
	return tell(req, match, NULL, player,
	            &(struct table_news){.subject = subject, .heard = text});
}

enum err tell_table(struct request *req, struct match *match, struct seat *seat,
                    const struct table_news *n)
{
	TRY(answer(req, match, seat, n));
	return n->heard ? tell_others(req, match, seat, n) : ERR_NONE;
}

enum err tell_others(struct request *req, struct match *match, const struct seat *seat,
                     const struct table_news *n)
{
	for (size_t i = 0; i < match->nseats; i++) {
		struct seat *s = &match->seats[i];
		if (s->player != 0 && s != seat && !s->resigned &&
		    s->player != req->who.player.id)
			TRY(tell(req, match, s, s->player, n));
	}
	if (!n->players_only && match->game.master != 0 && !master_seat(match) &&
	    match->game.master != req->who.player.id)
		return tell(req, match, NULL, match->game.master, n);
	return ERR_NONE;
}
