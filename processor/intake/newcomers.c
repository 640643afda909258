/*
 * newcomers.c - ways into a first game, for people who have answered a mail of ours.
 */
#include "processor/intake/newcomers.h"

#include "processor/base/utf8.h"
#include "processor/commandtext/loose_commands.h"
#include "processor/games/registry.h"
#include "processor/match/match.h"
#include "processor/outgoing/budget.h"
#include "processor/request/answered_mails.h"
#include "processor/request/identify.h"
#include "processor/request/seats.h"
#include "processor/request/unclear.h"

enum {
	WAYS_MOST = 12,
	OTHERS = 2,
	QUOTED_COLS = 60,
	WISH_LINES = 3 /* with more around it, it may be a mail to somebody else */
};

/* "JOIN W1": the game that has waited longest for players; NULL: there is none. */
static enum err oldest_open(struct request *req, const char **line)
{
	struct game *open;
	size_t n;

	TRY(game_list_open(req->srv->store, 1, req->arena, &open, &n));
	*line = n > 0 ? arena_printf(req->arena, "JOIN %s", game_id_text(&open[0], req->arena))
	              : NULL;
	return ERR_NONE;
}

/* Whether it is new to them within a week; from now on it is not. */
static enum err is_new(struct request *req, const char *what, bool *yes)
{
	const char *key =
	    arena_printf(req->arena, "%.*s\n%s", SPAN_ARGS(req->mail->from), what);

	return budget_allows(req->srv, BUDGET_SHOWN, span_of(key), yes);
}

enum err newcomers_answer(struct request *req, const char *shows, bool *done)
{
	struct unclear u = {.match = NULL};
	bool fresh = false, answers;
	const char *ways[WAYS_MOST] = {NULL};
	struct game *games;
	size_t n, way = 0;

	*done = false;
	TRY(request_games(req, &games, &n));
	if (n > 0 || !req->answer.allowed || req->quotes_unknown || req->text->nlines == 0 ||
	    diags_has_errors(&req->text->diags)) /* what is wrong is told */
		return ERR_NONE;
	if (shows)
		TRY(is_new(req, shows, &fresh));
	TRY(answered_mail_is_theirs(req, &answers));
	if (fresh || !answers)
		return ERR_NONE;
	*done = true;
	/* What a YES would do, best first: the oldest open game, then each kind against bots. */
	TRY(oldest_open(req, &ways[0]));
	n = ways[0] != NULL;
	for (size_t i = 0; i < rules_count() && n < WAYS_MOST; i++) {
		const struct rules *r = rules_at(i);

		if (r == rules_find(span_of(r->name)))
			ways[n++] = arena_printf(req->arena, "CREATE %s PLAYERS %u BOTS %u",
			                         r->title, r->min_seats, r->min_seats - 1);
	}
	for (size_t i = 0; i < n && !fresh; i++) {
		TRY(is_new(req, ways[i], &fresh));
		way = fresh ? i : 0;
	}
	u.proposal = ways[way];
	for (size_t i = 1; i < n && u.nothers < OTHERS; i++)
		u.others[u.nothers++] = ways[(way + i) % n];
	for (size_t i = 0; i < req->text->nlines && u.quote.len == 0; i++)
		if (!unclear_is_greeting(req->text->lines[i].text))
			u.quote = req->text->lines[i].text;
	u.reason = "To play, you could begin like this:";
	if (!shows && u.quote.len > 0)
		u.reason = arena_printf(req->arena, "Not understood: \"%.*s\". %s",
		                        SPAN_ARGS(utf8_clip(u.quote, QUOTED_COLS)), u.reason);
	u.subject = arena_printf(req->arena, "a way to begin: %s", u.proposal);
	u.choice = "Answer YES to do that, or send what you want.";
	request_understood(req);
	request_verdict(req, "asked", "a newcomer in whose mail no wish was understood");
	return unclear_ask(req, &u);
}

/*
 * Whether it begins without a question: the border server vouches for the address, or it has had a mail of ours
 * that this one answers, and so it is confirmed; or addresses are taken as they are, and it says little else. Who
 * has seen our list and gives a name for a seat may mean one of those games.
 */
static enum err begins_at_once(struct request *req, bool named, bool *yes)
{
	bool theirs;
	unsigned said = 0;

	TRY(answered_mail_is_theirs(req, &theirs));
	bool sure = !req->who.doubtful && (theirs || req->who.auth.state == AUTH_PASSED);
	for (size_t i = 0; i < req->text->nlines; i++)
		said += !unclear_is_greeting(req->text->lines[i].text);
	*yes = req->srv->cfg.newcomers == NEWCOMERS_GAME && !(named && theirs) &&
	       (sure || (!seats_wait_for_yes(req) && said <= WISH_LINES));
	if (!*yes || !sure)
		return ERR_NONE;
	identify_settled(req);
	return seats_confirm_by_reply(req);
}

enum err newcomers_first_game(struct request *req, const char **line)
{
	struct unclear u = {
	    .proposal = *line,
	    .subject = arena_printf(req->arena, "a way to begin: %s", *line),
	    .reason = "You can play at once, against two bots: hide your moles, "
		      "and guess where your neighbour's are.",
	    .choice = "Answer YES, and it begins: the next mail shows the board and two orders "
		      "to choose from."};
	const char *name = *line + strlen(FIRST_GAME); /* " AS Zoe", or nothing */
	bool yes;

	TRY(begins_at_once(req, *name != '\0', &yes));
	if (yes)
		return ERR_NONE;
	TRY(is_new(req, *line, &yes));
	*line = yes ? NULL : "LIST";
	if (!yes)
		return ERR_NONE;
	TRY(oldest_open(req, &u.others[0]));
	u.nothers = u.others[0] != NULL;
	if (u.nothers)
		u.others[0] = arena_printf(req->arena, "%s%s", u.others[0], name);
	request_understood(req);
	request_verdict(req, "asked", "a wish to play: a first game is proposed");
	return unclear_ask(req, &u);
}
