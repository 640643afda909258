/*
 * observe.c - OBSERVE, MONITOR, UNOBSERVE.
 *
 * Who observes sees what anybody may see: the position of nobody's seat, and what is written to
 * all. The mails they get carry no reply code; an answer to one of them is known by the mail it
 * answers.
 */
#include "processor/commands/commands.h"
#include "processor/match/press.h"
#include "processor/request/authenticate.h"
#include "processor/request/identify.h"
#include "processor/request/join_rules.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"

/* ---- which game ---- */

/* ---- OBSERVE, MONITOR ---- */

static enum err refuse(struct request *req, const char *example, const char *why)
{
	request_verdict(req, "refused", "OBSERVE: %s", why);
	return request_notice(req, NULL, NULL, "you do not observe it", example, "%s", why);
}

/*
 * Why this person cannot watch this game whatever the limits; NULL when nothing speaks against
 * it.
 */
static const char *objection(struct request *req, const struct match *match,
                             const struct press_rules *rules, const struct command *item)
{
	if (!game_key_fits(req->srv, &match->game, item->key))
		return arena_printf(
		    req->arena,
		    "%s is private: watching it needs the key that its creator was given, as "
		    "in \"OBSERVE %s KEY word\". To see the open games, send:",
		    match->id, match->id);
	if (match_plays(match, req->who.player.id, false))
		return arena_printf(req->arena,
		                    "You play in %s, and your own reports tell you more than "
		                    "an observer gets. To see your games, send:",
		                    match->id);
	if (match->game.ended_utc != 0)
		return arena_printf(req->arena,
		                    "%s has ended, so there is nothing left to watch. To see "
		                    "the open games, send:",
		                    match->id);
	if (rules->observers == OBSERVERS_NONE)
		return arena_printf(req->arena,
		                    "%s is played without observers: its creator has chosen "
		                    "that. To see the open games, send:",
		                    match->id);
	return NULL;
}

/* *why NULL: one more observer is no problem. *stop: a game they could leave to make room, else 0. */
static enum err check_limits(struct request *req, const struct match *match, const char **why,
                             int64_t *stop)
{
	const struct config *cfg = &req->srv->cfg;
	int64_t *games = NULL;
	unsigned here;
	size_t own = 0;

	*why = NULL;
	*stop = 0;
	TRY(observer_count(req->srv->store, match->game.id, &here));
	if (req->who.player.id != 0)
		TRY(observer_games(req->srv->store, req->who.player.id, req->arena, &games,
		                   &own));
	if (games && own >= cfg->max_observed && here < cfg->max_observers)
		*stop = games[0];
	if (here >= cfg->max_observers)
		*why = arena_printf(req->arena,
		                    "%s has as many observers as a game may have here: %u. To "
		                    "see the open games, send:",
		                    match->id, here);
	else if (*stop != 0)
		*why = arena_printf(req->arena,
		                    "You observe as many games as one person may here: %zu. To "
		                    "stop observing one, for example:",
		                    own);
	return ERR_NONE;
}

static const char *what_comes(const struct request *req, const struct match *match,
                              const struct press_rules *rules, bool press)
{
	const char *messages = !press ? ""
	                       : rules->mode == PRESS_NONE
	                           ? " The players of this game cannot write to "
	                             "each other."
	                       : rules->waits || rules->observers == OBSERVERS_REPORT
	                           ? " It brings what the players write to all."
	                           : " What the players write to all comes when they "
	                             "write it.";

	return arena_printf(
	    req->arena,
	    "You observe %s from now on. %s you get a report, with what anybody may see and "
	    "nothing that is hidden.%s To see how it stands now, send:",
	    match->id,
	    match->game.status == GAME_GATHERING
		? "It has not begun; when it does, and after each turn,"
		: "After each turn",
	    messages);
}

static enum err welcome(struct request *req, const struct match *match,
                        const struct press_rules *rules, bool press)
{
	return request_answer_notice(
	    req, match, NULL, "observing",
	    &(struct report_notice){
		.subject = press ? "you observe the game"
	                         : "you observe the game, reports alone",
		.paragraphs = TEXTS(what_comes(req, match, rules, press)),
		.examples = TEXTS(arena_printf(req->arena, "status %s", match->id))});
}

static bool is_observing(const struct command *item)
{
	return item->verb == CMD_OBSERVE || item->verb == CMD_MONITOR;
}

static enum err observe(struct request *req, const struct match *match,
                        const struct press_rules *rules, const struct command *item)
{
	struct observer o = {.game = match->game.id,
	                     .press = item->verb == CMD_OBSERVE,
	                     .since_utc = req->srv->now_utc};

	if (req->who.player.id == 0)
		TRY(seats_make_known(req));
	if (!req->who.player.confirmed && !req->who.settled) {
		/* Reports would go to an address nobody has answered from: the lines wait for a yes. */
		struct strbuf lines = STRBUF_INIT;
		const struct command *first = NULL; /* the others have asked with it */
		enum err rc = ERR_NONE;

		for (size_t i = 0; i < req->text->nitems; i++)
			if (is_observing(&req->text->items[i])) {
				first = first ? first : &req->text->items[i];
				strbuf_addf(&lines, "%.*s\n",
				            SPAN_ARGS(req->text->items[i].text));
			}
		if (!first || first >= item)
			rc = authenticate_ask(req, strbuf_span(&lines));
		strbuf_release(&lines);
		return rc;
	}
	if (!req->who.player.confirmed)
		TRY(player_set_confirmed(req->srv->store, req->who.player.id));
	struct player p = req->who.player;
	p.confirmed = true;
	identify_player(req, &p);
	o.player = req->who.player.id;
	TRY(observer_set(req->srv->store, &o));
	request_note_game(req, match->game.id);
	request_verdict(req, "command", o.press ? "observes %s" : "monitors %s", match->id);
	return welcome(req, match, rules, o.press);
}

static enum err judge(struct request *req, const struct match *match,
                      const struct command *item)
{
	struct press_rules rules;
	struct observer old;
	enum entry entry;
	const char *why;
	bool known;
	int64_t stop = 0;

	TRY(press_rules_get(req->srv->store, match->game.id, &rules));
	enum err rc = observer_get(req->srv->store, match->game.id, req->who.player.id, &old);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	known = rc == ERR_NONE;
	TRY(invited_entry(req, match->game.id, &entry));
	why = objection(req, match, &rules, item);
	if (!why && entry == ENTRY_DENIED)
		why = invited_kept_out(req, match->id);
	if (why)
		return refuse(req, "list", why);
	if (!known)
		TRY(check_limits(req, match, &why, &stop));
	if (why)
		return refuse(req,
		              stop ? arena_printf(req->arena, "unobserve %lld", (long long)stop)
		                   : "list",
		              why);
	return observe(req, match, &rules, item);
}

enum err do_observe(struct request *req, const struct command *item)
{
	struct match match;
	enum err rc = match_load(req->srv, item->game, req->arena, &match);

	request_understood(req);
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !fits_letter(item, &match.game)))
		rc = refuse(req, "list", "There is no such game. To see the open games, send:");
	else if (rc == ERR_NONE)
		rc = judge(req, &match, item);
	match_release(&match);
	return rc;
}

/* ---- UNOBSERVE ---- */

static enum err which(struct request *req, const struct command *item)
{
	int64_t *games = NULL;
	size_t n = 0;
	struct game g;
	struct strbuf names = STRBUF_INIT;
	const char *first = "";

	if (req->who.player.id != 0)
		TRY(observer_games(req->srv->store, req->who.player.id, req->arena, &games,
		                   &n));
	if (n == 0 || item->game != 0)
		return request_notice(
		    req, NULL, NULL, "nothing to stop", "help set mail",
		    item->game != 0
			? "You do not observe that game, so nothing has changed. A player "
			  "leaves a game with RESIGN and its name. To see how to get fewer "
			  "mails, send:"
			: "You observe no game, so nothing has changed. A player leaves a game "
			  "with RESIGN and its name. To see how to get fewer mails, send:");
	for (size_t i = 0; i < n; i++) {
		TRY(game_get(req->srv->store, games[i], req->arena, &g));
		if (i == 0)
			first = game_id_text(&g, req->arena);
		strbuf_add_sep(&names, i, n, " and ");
		strbuf_adds(&names, game_id_text(&g, req->arena));
	}
	enum err rc = request_notice(
	    req, NULL, NULL, "which game?", arena_printf(req->arena, "unobserve %s", first),
	    "You observe %s, and your mail does not say which of them it is about, so nothing "
	    "has changed. Name the game:",
	    names.ptr);
	strbuf_release(&names);
	return rc;
}

static enum err stop(struct request *req, const struct command *item, int64_t game)
{
	struct game g;
	enum err rc = game_get(req->srv->store, game, req->arena, &g);

	if (rc == ERR_NONE && item->game_letter != 0 && item->game_letter != g.letter)
		rc = ERR_NOT_FOUND;
	if (rc == ERR_NONE)
		rc = observer_drop(req->srv->store, game, req->who.player.id);
	if (rc == ERR_NOT_FOUND)
		return which(req, item);
	TRY(rc);
	const char *id = game_id_text(&g, req->arena);
	request_note_game(req, game);
	request_verdict(req, "command", "no longer observes %s", id);
	bool again = g.ended_utc == 0 && !g.is_private;
	return request_notice(
	    req, NULL, NULL, "you no longer observe the game",
	    again ? arena_printf(req->arena, "observe %s", id) : "list",
	    again ? "You get no more mail about %s. If you want to watch it again:"
		  : "You get no more mail about %s. To see the open games, send:",
	    id);
}

enum err do_unobserve(struct request *req, const struct command *item)
{
	int64_t game = item->game;

	request_understood(req);
	if (game == 0)
		TRY(request_observed_answered(req, &game));
	if (game == 0)
		TRY(request_observed_only(req, &game));
	return game == 0 || req->who.player.id == 0 ? which(req, item) : stop(req, item, game);
}
