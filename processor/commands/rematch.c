/*
 * rematch.c - REMATCH, and the answers to the invitations it sends.
 *
 * The first who writes REMATCH makes the new game: kind, options, clocks, number of seats, bots
 * and what JOIN asks for are those of the old one, the rules the newest of that kind. Everybody
 * else who has had a seat in the old game is asked by mail, unless mail to them comes back; they
 * join with YES in answer to that mail, with REMATCH, or with JOIN. For a week nobody else can
 * take a seat, or until one of those asked says NO. There is one rematch of a game at a time:
 * only when it was given up before it began can another be made, and then nobody is written to
 * twice in a week.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/commandtext/yes_no.h"
#include "processor/games/registry.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/unreachable.h"
#include "processor/request/join_rules.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"
#include "store/ratings.h"
#include "store/rematches.h"

static enum err refuse(struct request *req, const char *example, const char *why)
{
	request_verdict(req, "refused", "REMATCH: %s", why);
	return request_notice(req, NULL, NULL, "no rematch", example, "%s", why);
}

/* ---- the invitation answered ---- */

static enum err invited_by(struct request *req, struct span message_id, int64_t *game)
{
	struct outbox_mail row;

	if (message_id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(req->srv->store, message_id, req->arena, &row);
	if (rc == ERR_NONE && span_eq_str(row.kind, "invitation") &&
	    row.player == req->who.player.id)
		*game = row.game;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* The game somebody was asked into by the mail they answer; 0 = none. */
static enum err invitation_answered(struct request *req, int64_t *game)
{
	const struct span_list *refs = &req->mail->references;

	*game = 0;
	if (req->who.player.id == 0 || req->who.strange.len > 0 || req->about.seat != 0)
		return ERR_NONE; /* a mail to a seat speaks for that seat */
	TRY(invited_by(req, req->mail->in_reply_to, game));
	for (size_t i = refs->count; i > 0 && *game == 0; i--)
		TRY(invited_by(req, refs->items[i - 1], game));
	return ERR_NONE;
}

/* The name they had in the game that is played again, if it is free in the new one; else "". */
static enum err former_name(struct request *req, int64_t of, int64_t game, struct span *name)
{
	struct seat *old, *now;
	size_t nold, nnow;

	*name = SPAN_EMPTY;
	TRY(seat_list(req->srv->store, of, req->arena, &old, &nold));
	TRY(seat_list(req->srv->store, game, req->arena, &now, &nnow));
	for (size_t i = 0; i < nold; i++)
		if (seat_was_of(&old[i], req->who.player.id))
			*name = old[i].name;
	for (size_t i = 0; i < nnow; i++)
		if (seat_is_taken(&now[i]) && utf8_eq_folded(now[i].name, *name))
			*name = SPAN_EMPTY;
	return ERR_NONE;
}

/* A seat in a rematch that is open, whichever line has asked for it. */
static enum err join(struct request *req, const struct rematch *r)
{
	struct command seat = {.verb = CMD_JOIN, .game = r->game};

	TRY(former_name(req, r->of, r->game, &seat.name));
	return seats_join(req, &seat, r->game);
}

static enum err decline(struct request *req, int64_t game)
{
	struct game g;
	struct seat mine;

	TRY(game_get(req->srv->store, game, req->arena, &g));
	const char *id = game_id_text(&g, req->arena);
	request_note_game(req, game);
	enum err rc =
	    seat_of_player(req->srv->store, game, req->who.player.id, req->arena, &mine);
	if (rc == ERR_NONE)
		return request_notice(req, NULL, NULL, "you have a seat already",
		                      arena_printf(req->arena, "resign %s", id),
		                      "You have a seat in %s, so a NO to that mail changes "
		                      "nothing. To leave the game write:",
		                      id);
	if (rc != ERR_NOT_FOUND)
		return rc;
	TRY(invitation_set(req->srv->store, game, req->who.player.id, true));
	TRY(rematch_open(req->srv->store, game, req->srv->now_utc));
	request_verdict(req, "command", "does not want to play %s", id);
	bool open = g.status == GAME_GATHERING;
	return request_notice(
	    req, NULL, NULL, "not this time",
	    open ? arena_printf(req->arena, "join %s", id) : "list",
	    open ? "You do not play in %s, and get no mail about it; others may have the seat. "
		   "If you change your mind while one is free, write:"
		 : "You do not play in %s, and get no mail about it. To see the open games, "
		   "send:",
	    id);
}

enum err rematch_explain(struct request *req, bool *done)
{
	int64_t game;
	struct match match;

	TRY(invitation_answered(req, &game));
	*done = game != 0;
	if (game == 0)
		return ERR_NONE;
	struct said said =
	    yes_no_to_invitation(req->mail, req->srv->cfg.max_commands, req->arena);
	if (said.yes != said.no)
		return rematch_answer(
		    req, &(struct command){.verb = said.yes ? CMD_YES : CMD_NO}, done);
	request_verdict(req, "not-understood",
	                "an answer to an invitation that is neither yes nor no");
	enum err rc = match_load(req->srv, game, req->arena, &match);
	if (rc == ERR_NONE)
		rc = request_notice(
		    req, NULL, NULL, "yes or no?", "yes",
		    "You have answered the question whether you would like to play in %s, but "
		    "the answer was not understood, so nothing has changed. Write YES or NO, "
		    "and nothing else on that line; for example:",
		    match.id);
	match_release(&match);
	return rc;
}

/* ---- a new game ---- */

static unsigned bots_from_the_start(const struct match *match, unsigned *level)
{
	unsigned n = 0;

	*level = BOT_LEVEL_USUAL;
	for (size_t i = 0; i < match->nseats; i++) {
		if (!seat_was_bot(&match->seats[i]))
			continue;
		n++;
		*level = (unsigned)match->seats[i].bot_level;
	}
	return n;
}

/* False with a sentence in `why`: the rules have changed meanwhile. */
static bool same_options(struct request *req, const struct match *match, struct new_game *n,
                         struct strbuf *why)
{
	struct strbuf text = STRBUF_INIT;

	options_format(&match->options, OPTIONS_CHANGED, &text);
	bool ok = game_options(req->srv, n->rules, arena_dup(req->arena, strbuf_span(&text)),
	                       req->arena, &n->options, why);
	strbuf_release(&text);
	calendar_init(&n->calendar);
	ok = ok && calendar_parse(&n->calendar, match->game.calendar, req->arena, why);
	n->calendar.next_s = match->game.next_s;
	return ok;
}

static enum err same_terms(struct request *req, const struct match *match, struct new_game *n)
{
	*n = (struct new_game){.rules = rules_find(match->game.kind),
	                       .title = match->game.title,
	                       .players = match->game.nseats,
	                       .again = match->game.id,
	                       .is_private = match->game.is_private};
	n->bots = bots_from_the_start(match, &n->bot_level);
	TRY(press_rules_get(req->srv->store, match->game.id, &n->press));
	return entry_terms_get(req->srv->store, match->game.id, &n->terms);
}

static enum err invite(struct request *req, const struct match *old, const struct match *match,
                       const struct player *to)
{
	struct report_out out = REPORT_OUT_FOR(report_form_of(&to->form));
	struct report_game game = report_values_game(req->srv, match, NULL, to);
	const char *until = zone_human(zone_of_reader(req->srv, to),
	                               req->srv->now_utc + REMATCH_KEPT_S, req->arena);
	const char *paragraphs[] = {
	    arena_printf(req->arena,
	                 "Would you like to play %s again? %s would, and has opened %s for it, "
	                 "with the same options, clocks and number of seats. Until %s its "
	                 "seats are kept for those who played; whoever comes first has one.",
	                 old->id, match->names.names[1], match->id, until),
	    "To take a seat, reply with the first line; if you would rather not, with the "
	    "second. If you do not reply, nothing happens.",
	    NULL};

	report_notice(&(struct report_notice){.game = &game,
	                                      .subject = arena_printf(
						  req->arena, "Rematch of %s?", old->id),
	                                      .paragraphs = paragraphs,
	                                      .examples = TEXTS("yes", "no")},
	              &out);
	enum err rc = outgoing_add(
	    req->srv,
	    &(struct outgoing){.kind = "invitation",
	                       .key = arena_printf(req->arena, "to %lld", (long long)to->id),
	                       .game = &match->game,
	                       .player = to->id,
	                       .address = to->address,
	                       .form = to->form,
	                       .report = &out},
	    req->arena);
	report_out_release(&out);
	return rc;
}

/*
 * Everybody who has had a seat and is known may join; whom mail reaches is asked, unless
 * `quietly`.
 */
static enum err invite_all(struct request *req, const struct match *old,
                           const struct match *match, bool quietly)
{
	int64_t *people;
	struct player p;
	bool lost;
	size_t n;

	TRY(seat_holder_players(req->srv->store, old->game.id, req->arena, &people, &n));
	for (size_t i = 0; i < n; i++) {
		TRY(player_get(req->srv->store, people[i], req->arena, &p));
		if (p.forgotten)
			continue;
		TRY(invitation_set(req->srv->store, match->game.id, p.id, false));
		if (p.id == req->who.player.id || quietly || p.blocked || p.address.len == 0)
			continue;
		TRY(unreachable_now(req->srv, p.id, req->arena, &lost));
		if (!lost)
			TRY(invite(req, old, match, &p));
	}
	return ERR_NONE;
}

static enum err found(struct request *req, const struct match *old, bool quietly)
{
	struct new_game n;
	struct strbuf why = STRBUF_INIT;
	struct span name = SPAN_EMPTY;
	int64_t game = 0;
	enum err rc = same_terms(req, old, &n);

	if (rc == ERR_NONE && !same_options(req, old, &n, &why)) {
		strbuf_adds(&why, " So it cannot be played again as it was. A new game:");
		rc = refuse(req, "create " EXAMPLE_KIND " players 3 bots 1", why.ptr);
	} else if (rc == ERR_NONE) {
		rc = former_name(req, old->game.id, 0, &name);
		if (name.len == 0)
			name = req->who.player.name;
		if (rc == ERR_NONE)
			rc = seats_create(
			    req, &n, name,
			    arena_printf(req->arena,
			                 "This is %s once more. %s, and seats are kept for "
			                 "them for a week.",
			                 old->id,
			                 quietly
			                     ? "Those who played it may join"
			                     : "The others who played it are asked by mail"),
			    &game);
	}
	strbuf_release(&why);
	if (rc != ERR_NONE || game == 0)
		return rc;
	struct match match;
	rc = match_load(req->srv, game, req->arena, &match);
	if (rc == ERR_NONE)
		rc = invite_all(req, old, &match, quietly);
	match_release(&match);
	return rc;
}

/* ---- REMATCH ---- */

static enum err again(struct request *req, const struct match *old)
{
	struct rematch r;
	struct game g;
	enum err rc = rematch_of(req->srv->store, old->game.id, &r);

	if (rc == ERR_NOT_FOUND)
		return found(req, old, false);
	TRY(rc);
	TRY(game_get(req->srv->store, r.game, req->arena, &g));
	if (g.status == GAME_CANCELLED && g.started_utc == 0)
		return found(req, old, g.created_utc + REMATCH_KEPT_S > req->srv->now_utc);
	/* There is one already. */
	const char *id = game_id_text(&g, req->arena);
	if (g.status == GAME_GATHERING)
		return join(req, &r);
	return refuse(
	    req, g.ended_utc ? arena_printf(req->arena, "rematch %s", id) : "list",
	    arena_printf(req->arena,
	                 g.ended_utc
	                     ? "%s has been played again already, as %s. That one "
	                       "has ended too; whoever played in it can ask for another:"
	                     : "%s is being played again already, as %s, and that "
	                       "game has begun. To see the open games, send:",
	                 old->id, id));
}

/* A yes to an invitation: into that game, or, if it was given up, into another. */
static enum err accept(struct request *req, int64_t game)
{
	struct rematch r;
	struct game g;
	struct match old;

	TRY(rematch_get(req->srv->store, game, &r));
	TRY(game_get(req->srv->store, game, req->arena, &g));
	if (g.status != GAME_CANCELLED || g.started_utc != 0)
		return join(req, &r);
	enum err rc = match_load(req->srv, r.of, req->arena, &old);
	if (rc == ERR_NONE)
		rc = again(req, &old);
	match_release(&old);
	return rc;
}

enum err rematch_answer(struct request *req, const struct command *item, bool *done)
{
	int64_t game;

	TRY(invitation_answered(req, &game));
	*done = game != 0;
	if (game == 0)
		return ERR_NONE;
	request_understood(req);
	return item->verb == CMD_YES ? accept(req, game) : decline(req, game);
}

static enum err refuse_outsider(struct request *req, const struct match *match)
{
	return refuse(req,
	              arena_printf(req->arena, "create %s",
	                           join_rules_kind_words(match->rules, req->arena)),
	              arena_printf(req->arena,
	                           "Only somebody who has played %s can ask for it to be "
	                           "played again. To open a new game of that kind, send:",
	                           match->id));
}

static enum err judge(struct request *req, const struct match *match)
{
	bool played = false;
	int64_t *people;
	size_t n;

	request_note_game(req, match->game.id);
	TRY(seat_holder_players(req->srv->store, match->game.id, req->arena, &people, &n));
	for (size_t i = 0; i < n; i++)
		played = played || (req->who.player.id != 0 && people[i] == req->who.player.id);
	if (match->game.status == GAME_GATHERING) {
		struct seat mine;
		const char *next = "To take a seat in it:";
		const char *example = arena_printf(req->arena, "join %s", match->id);
		enum err rc = seat_of_player(req->srv->store, match->game.id,
		                             req->who.player.id, req->arena, &mine);

		if (rc == ERR_NONE) {
			next = "You have a seat in it. To see how it stands, send:";
			example = arena_printf(req->arena, "status %s", match->id);
		} else if (rc != ERR_NOT_FOUND) {
			return rc;
		} else if (match->game.is_private) {
			return refuse_outsider(req, match);
		}
		return refuse(
		    req, example,
		    arena_printf(req->arena,
		                 "%s has not begun yet, so there is nothing to play again. %s",
		                 match->id, next));
	}
	if (!played)
		return refuse_outsider(req, match);
	if (match->game.ended_utc == 0)
		return refuse(req, arena_printf(req->arena, "status %s", match->id),
		              arena_printf(req->arena,
		                           "%s is not over yet. Write REMATCH when it has "
		                           "ended. To see how it stands, send:",
		                           match->id));
	return again(req, match);
}

/* Named, answered, or the last one of theirs that has ended; 0 = none. */
static enum err which(struct request *req, const struct command *item, int64_t *game)
{
	unsigned ended = 1u << GAME_OVER | 1u << GAME_CANCELLED | 1u << GAME_ABANDONED;
	struct game *games;
	size_t n = 0;

	*game = item->game != 0 ? item->game : req->about.game;
	if (*game == 0)
		TRY(request_observed_answered(req, game));
	if (*game != 0 || req->who.player.id == 0)
		return ERR_NONE;
	TRY(game_list_of_player(req->srv->store, req->who.player.id, ended, req->arena, &games,
	                        &n));
	for (size_t i = 0; i < n; i++)
		if (games[i].started_utc != 0 && (*game == 0))
			*game = games[i].id;
	return ERR_NONE;
}

enum err do_rematch(struct request *req, const struct command *item)
{
	struct match match = {0};
	int64_t game;

	request_understood(req);
	TRY(invitation_answered(req, &game));
	if (game != 0 && (item->game == 0 || item->game == game))
		return accept(req, game);
	TRY(which(req, item, &game));
	enum err rc = game != 0 ? match_load(req->srv, game, req->arena, &match)
	                        : ERR_NOT_FOUND;
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !fits_letter(item, &match.game)))
		rc = refuse(req, "list",
		            item->game != 0
		                ? "There is no such game. To see the open games, send:"
		                : "You have not played a game here that has ended, so there is "
		                  "none to play again. To see the open games, send:");
	else if (rc == ERR_NONE)
		rc = judge(req, &match);
	match_release(&match);
	return rc;
}
