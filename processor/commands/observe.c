/*
 * observe.c - OBSERVE, MONITOR, UNOBSERVE.
 *
 * Who observes sees what anybody may see: the position of nobody's seat, and what is written to
 * all. The mails he gets carry no reply code; an answer to one of them is known by the mail it
 * answers.
 */
#include "processor/commands/commands.h"
#include "processor/match/press.h"
#include "processor/request/authenticate.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

/* ---- which game ---- */

/* ---- OBSERVE, MONITOR ---- */

static enum err refuse(struct dealing *d, const char *example, const char *why)
{
	dealing_verdict(d, "refused", "OBSERVE: %s", why);
	return dealing_notice(d, NULL, NULL, "you do not observe it", example, "%s", why);
}

/*
 * Why this person cannot watch this game whatever the limits; NULL when nothing speaks against
 * it.
 */
static const char *objection(struct dealing *d, const struct hand *h,
                             const struct press_rules *rules, const struct letter_item *item)
{
	if (!game_key_fits(d->srv, &h->game, item->key))
		return arena_printf(d->arena,
		                    "%s is private: watching it needs the key that its creator "
		                    "was given, as in \"OBSERVE %s KEY word\". Open games are "
		                    "shown by:",
		                    h->id, h->id);
	if (hand_plays(h, d->player.id, false))
		return arena_printf(
		    d->arena,
		    "You play in %s, and your own reports tell you more than an "
		    "observer gets. Your games are shown by:",
		    h->id);
	if (h->game.ended_utc != 0)
		return arena_printf(
		    d->arena,
		    "%s has ended, so there is nothing left to watch. Open games "
		    "are shown by:",
		    h->id);
	if (rules->observers == OBSERVERS_NONE)
		return arena_printf(
		    d->arena,
		    "%s is played without observers: its creator has chosen that. "
		    "Open games are shown by:",
		    h->id);
	return NULL;
}

/* *why NULL: one more observer is no problem. *stop: a game he could leave to make room, else 0. */
static enum err check_limits(struct dealing *d, const struct hand *h, const char **why,
                             int64_t *stop)
{
	const struct config *cfg = &d->srv->cfg;
	int64_t *games = NULL;
	unsigned here;
	size_t own = 0;

	*why = NULL;
	*stop = 0;
	TRY(observer_count(d->srv->store, h->game.id, &here));
	if (d->player.id != 0)
		TRY(observer_games(d->srv->store, d->player.id, d->arena, &games, &own));
	if (games && own >= cfg->max_observed && here < cfg->max_observers)
		*stop = games[0];
	if (here >= cfg->max_observers)
		*why =
		    arena_printf(d->arena,
		                 "%s has as many observers as a game may have here: %u. Open "
		                 "games are shown by:",
		                 h->id, here);
	else if (*stop != 0)
		*why =
		    arena_printf(d->arena,
		                 "You observe as many games as one person may here: %zu. You "
		                 "stop observing with a line such as:",
		                 own);
	return ERR_NONE;
}

static const char *what_comes(const struct dealing *d, const struct hand *h,
                              const struct press_rules *rules, bool press)
{
	const char *messages = !press ? ""
	                       : rules->mode == PRESS_NONE
	                           ? " The players of this game cannot write to "
	                             "each other."
	                       : rules->waits || rules->observers == OBSERVERS_REPORT
	                           ? " What the players write to all stands in it."
	                           : " What the players write to all comes when they "
	                             "write it.";

	return arena_printf(
	    d->arena,
	    "You observe %s from now on. %s you get a report, with what anybody may "
	    "see and nothing that is hidden.%s How it stands now is shown by:",
	    h->id,
	    h->game.status == GAME_GATHERING
		? "It has not begun; when it does, and after each turn,"
		: "After each turn",
	    messages);
}

static enum err welcome(struct dealing *d, const struct hand *h,
                        const struct press_rules *rules, bool press)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, h, NULL, &d->player);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = press ? "you observe the game"
	                         : "you observe the game, reports alone",
		.paragraphs = (const char *const[]){what_comes(d, h, rules, press)},
		.nparagraphs = 1,
		.examples = (const char *const[]){arena_printf(d->arena, "status %s", h->id)},
		.nexamples = 1,
	    },
	    &out);
	enum err rc = dealing_answer(d, h, NULL, "observing", &out);
	letter_out_release(&out);
	return rc;
}

static bool is_observing(const struct letter_item *item)
{
	return item->verb == CMD_OBSERVE || item->verb == CMD_MONITOR;
}

/* Whether another line of this mail has asked already. */
static bool is_first(const struct dealing *d, const struct letter_item *item)
{
	for (const struct letter_item *i = d->letter->items; i < item; i++)
		if (is_observing(i))
			return false;
	return true;
}

/* Reports would go to an address nobody has answered from: the lines wait for a yes. */
static enum err ask_first(struct dealing *d, const struct letter_item *item)
{
	struct strbuf lines = STRBUF_INIT;
	enum err rc = ERR_NONE;

	for (size_t i = 0; i < d->letter->nitems; i++)
		if (is_observing(&d->letter->items[i]))
			strbuf_addf(&lines, "%.*s\n", SPAN_ARGS(d->letter->items[i].text));
	if (is_first(d, item))
		rc = speaker_ask(d, strbuf_span(&lines));
	strbuf_release(&lines);
	return rc;
}

static enum err observe(struct dealing *d, const struct hand *h,
                        const struct press_rules *rules, const struct letter_item *item)
{
	struct observer o = {.game = h->game.id,
	                     .press = item->verb == CMD_OBSERVE,
	                     .since_utc = d->srv->now_utc};

	if (d->player.id == 0)
		TRY(joining_make_known(d));
	if (!d->player.confirmed && !d->settled)
		return ask_first(d, item);
	if (!d->player.confirmed)
		TRY(player_set_confirmed(d->srv->store, d->player.id));
	d->player.confirmed = true;
	o.player = d->player.id;
	TRY(observer_set(d->srv->store, &o));
	d->row.game = h->game.id;
	dealing_verdict(d, "command", o.press ? "observes %s" : "monitors %s", h->id);
	return welcome(d, h, rules, o.press);
}

static enum err judge(struct dealing *d, const struct hand *h, const struct letter_item *item)
{
	struct press_rules rules;
	struct observer old;
	const char *why;
	bool known;
	int64_t stop = 0;

	TRY(press_rules_get(d->srv->store, h->game.id, &rules));
	enum err rc = observer_get(d->srv->store, h->game.id, d->player.id, &old);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	known = rc == ERR_NONE;
	why = objection(d, h, &rules, item);
	if (why)
		return refuse(d, "list", why);
	if (!known)
		TRY(check_limits(d, h, &why, &stop));
	if (why)
		return refuse(d,
		              stop ? arena_printf(d->arena, "unobserve %lld", (long long)stop)
		                   : "list",
		              why);
	return observe(d, h, &rules, item);
}

enum err do_observe(struct dealing *d, const struct letter_item *item)
{
	struct hand h;
	enum err rc = hand_load(d->srv, item->game, d->arena, &h);

	d->understood = true;
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !letter_fits(item, &h.game)))
		rc = refuse(d, "list", "There is no such game. Open games are shown by:");
	else if (rc == ERR_NONE)
		rc = judge(d, &h, item);
	hand_release(&h);
	return rc;
}

/* ---- UNOBSERVE ---- */

static enum err which(struct dealing *d, const struct letter_item *item)
{
	int64_t *games = NULL;
	size_t n = 0;
	struct game g;
	struct strbuf names = STRBUF_INIT;
	const char *first = "";

	if (d->player.id != 0)
		TRY(observer_games(d->srv->store, d->player.id, d->arena, &games, &n));
	if (n == 0 || item->game != 0)
		return dealing_notice(d, NULL, NULL, "nothing to stop", "list",
		                      item->game != 0
		                          ? "You do not observe that game, so nothing has "
		                            "changed. The open games are shown by:"
		                          : "You observe no game, so nothing has changed. The "
		                            "open games are shown by:");
	for (size_t i = 0; i < n; i++) {
		TRY(game_get(d->srv->store, games[i], d->arena, &g));
		if (i == 0)
			first = game_id_text(&g, d->arena);
		strbuf_addf(&names, "%s%s",
		            i == 0       ? ""
		            : i + 1 == n ? " and "
		                         : ", ",
		            game_id_text(&g, d->arena));
	}
	enum err rc = dealing_notice(
	    d, NULL, NULL, "which game?", arena_printf(d->arena, "unobserve %s", first),
	    "You observe %s, and your mail does not say which of them it is about, so nothing "
	    "has changed. Name the game:",
	    names.ptr);
	strbuf_release(&names);
	return rc;
}

static enum err stop(struct dealing *d, const struct letter_item *item, int64_t game)
{
	struct game g;
	enum err rc = game_get(d->srv->store, game, d->arena, &g);

	if (rc == ERR_NONE && item->game_letter != 0 && item->game_letter != g.letter)
		rc = ERR_NOT_FOUND;
	if (rc == ERR_NONE)
		rc = observer_drop(d->srv->store, game, d->player.id);
	if (rc == ERR_NOT_FOUND)
		return which(d, item);
	TRY(rc);
	const char *id = game_id_text(&g, d->arena);
	d->row.game = game;
	dealing_verdict(d, "command", "no longer observes %s", id);
	bool again = g.ended_utc == 0 && !g.is_private;
	return dealing_notice(
	    d, NULL, NULL, "you no longer observe the game",
	    again ? arena_printf(d->arena, "observe %s", id) : "list",
	    again ? "You get no more mail about %s. If you want to watch it again:"
		  : "You get no more mail about %s. Open games are shown by:",
	    id);
}

enum err do_unobserve(struct dealing *d, const struct letter_item *item)
{
	int64_t game = item->game;

	d->understood = true;
	if (game == 0)
		TRY(dealing_observed_answered(d, &game));
	if (game == 0)
		TRY(dealing_observed_only(d, &game));
	return game == 0 || d->player.id == 0 ? which(d, item) : stop(d, item, game);
}
