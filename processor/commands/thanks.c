/*
 * thanks.c - after the end: THANKS to a player, and a plain answer to the last mail, which becomes a message
 * to all if its writer wants that.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/commandtext/attribution.h"
#include "processor/match/press.h"
#include "processor/request/own_words.h"
#include "processor/request/tell_table.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

static enum err refuse(struct request *req, struct match *match, struct seat *seat,
                       const char *why)
{
	request_verdict(req, "refused", "thanks: %s", why);
	return request_notice(req, match, seat, "nobody was thanked", "", "%s", why);
}

/* NULL: it can be passed on. */
static const char *why_not(struct request *req, const struct match *match,
                           const struct seat *seat, const struct seat *to)
{
	const char *name = match->names.names[to->seat];

	if (!press_after_the_end(match, req->sure_utc))
		return arena_printf(
		    req->arena,
		    "%s ended more than two weeks ago, so nothing is passed on any "
		    "more.",
		    match->id);
	if (to == seat)
		return "You cannot thank yourself; to thank another player, write THANKS and "
		       "the name.";
	if (to->bot_level >= 0)
		return arena_printf(req->arena, "%s is played by the server and reads no mail.",
		                    name);
	if (to->player == 0)
		return arena_printf(req->arena, "Nobody has the seat of %s any more.", name);
	return NULL;
}

static enum err thank(struct request *req, struct match *match, struct seat *seat,
                      struct seat *to)
{
	const char *name = match->names.names[to->seat], *why = why_not(req, match, seat, to);
	bool is_new;

	if (why)
		return refuse(req, match, seat, why);
	TRY(thanks_add(req->srv->store, match->game.id, seat->seat, to->seat, req->srv->now_utc,
	               &is_new));
	if (!is_new)
		return refuse(req, match, seat,
		              arena_printf(req->arena,
		                           "You have thanked %s for this game already.", name));
	request_verdict(req, "command", "thanks in %s", match->id);
	TRY(tell_one_player(
	    req, match, to->player,
	    arena_printf(req->arena, "%s thanks you", match->names.names[seat->seat]),
	    arena_printf(req->arena,
	                 "%s thanks you for the game %s (%s). Whoever asks with WHO how you "
	                 "stand is told how often you have been thanked.",
	                 match->names.names[seat->seat], match->id, match->rules->title)));
	return request_notice(req, match, seat, "your thanks are passed on", "",
	                      "%s is told that you say thank you.", name);
}

/* In a game that goes on, or with another name, it is what anybody may say to anybody. */
enum err do_thanks(struct request *req, const struct command *item)
{
	struct match *match;
	int64_t game = item->game ? item->game : req->about.game;

	if (game == 0 || req->who.player.id == 0)
		return ERR_NONE;
	enum err rc = request_match(req, game, &match);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	struct seat *to = match_seat_named(match, item->seat, item->name), *seat = NULL;
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player == req->who.player.id)
			seat = &match->seats[i];
	if (!seat || !to || match->game.ended_utc == 0 || !fits_letter(item, &match->game))
		return ERR_NONE;
	request_understood(req);
	return thank(req, match, seat, to);
}

/* ---- a plain answer ---- */

/* What a program has written above a quotation, or below a text, is nobody's message. */
static size_t without_programs_lines(const struct command_text *own, struct span *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < own->nlines; i++) {
		if (is_program_line(own->lines[i].text))
			continue;
		lines[n++] = own->lines[i].text;
		unsigned last = n < ATTRIBUTION_LINES ? (unsigned)n : ATTRIBUTION_LINES;
		n -= attribution_ends(lines + n - last, last);
	}
	while (n > 0 && lines[n - 1].ptr[lines[n - 1].len - 1] == ':') /* of some other kind */
		n--;
	return n;
}

/* NULL: there is nothing, or too much of it. */
static const char *own_text(struct request *req, const struct command_text *own)
{
	struct span *lines = arena_calloc(req->arena, own->nlines + 1, sizeof(*lines));
	size_t n = without_programs_lines(own, lines);
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&text, "%.*s\n", SPAN_ARGS(lines[i]));
	const char *copy = text.len > 0 ? arena_strdup(req->arena, text.ptr) : NULL;
	bool fits = text.len <= req->srv->cfg.max_press_size;
	strbuf_release(&text);
	return fits ? copy : NULL;
}

enum err ask_whether_to_tell_all(struct request *req, bool *done)
{
	struct unclear u = {.match = NULL};
	const struct command_text *own;
	struct press_rules rules;
	const char *why, *text;

	*done = false;
	if (!req->answer.allowed || !req->who.proven)
		return ERR_NONE;
	TRY(unclear_load_answered(req, &u));
	if (!u.match || u.match->game.ended_utc == 0)
		return ERR_NONE;
	TRY(press_rules_get(req->srv->store, u.match->game.id, &rules));
	TRY(own_words(req, &own));
	text = own_text(req, own);
	if (!text || !press_is_open(u.match, &rules, req->sure_utc, &why))
		return ERR_NONE;
	u.kind = "notice"; /* a program that answers everything soon hears nothing */
	u.subject = "shall everybody read this?";
	u.reason =
	    "The game has ended, so your answer was not taken for orders. Shall it go to "
	    "all who played, as a message of yours?";
	u.choice = "Answer YES if it shall. If not, you need not do anything.";
	u.proposal = arena_printf(req->arena, "broadcast\n%sendbroadcast", text);
	request_verdict(req, "asked", "an answer after the end of %s", u.match->id);
	*done = true;
	return unclear_ask(req, &u);
}
