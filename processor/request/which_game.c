/*
 * which_game.c - the game a line of a mail is about: named in it, answered, or the only one.
 */
#include "processor/request/which_game.h"

#include "processor/games/registry.h"
#include "processor/request/answered_mails.h"
#include "store/press.h"

/* The game of a mail of ours to this person without a seat, if they observe it. */
static enum err game_of_mail(struct request *req, struct span message_id, int64_t *game)
{
	struct outbox_mail row;
	struct observer o;
	bool ours;

	TRY(mail_of_ours(req, message_id, &row, &ours));
	if (!ours || row.game == 0 || row.seat != 0 || row.player != req->who.player.id)
		return ERR_NONE;
	enum err rc = observer_get(req->srv->store, row.game, req->who.player.id, &o);
	if (rc == ERR_NONE)
		*game = row.game;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err request_observed_answered(struct request *req, int64_t *game)
{
	const struct span *ids;
	size_t n = req->who.player.id != 0 ? answered_ids(req, &ids) : 0;

	*game = 0;
	for (size_t i = 0; i < n && *game == 0; i++)
		TRY(game_of_mail(req, ids[i], game));
	return ERR_NONE;
}

enum err request_observed_only(struct request *req, int64_t *game)
{
	int64_t *games;
	size_t n;

	*game = 0;
	if (req->who.player.id == 0)
		return ERR_NONE;
	TRY(observer_games(req->srv->store, req->who.player.id, req->arena, &games, &n));
	if (n == 1)
		*game = games[0];
	return ERR_NONE;
}

static enum err which_game(struct request *req, const struct game *games, size_t n)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < n; i++) {
		strbuf_add_sep(&names, i, n, " and ");
		strbuf_adds(&names, game_id_text(&games[i], req->arena));
	}
	enum err rc = request_notice(
	    req, NULL, NULL, "which game?",
	    arena_printf(req->arena, "signon %s", game_id_text(&games[0], req->arena)),
	    "You play in %s, and your mail does not say which of them it is "
	    "about, so nothing was carried out. Answer the newest report of that "
	    "game, or put a line with its number above the others, such as:",
	    names.ptr);
	strbuf_release(&names);
	return rc;
}

static enum err no_game(struct request *req, const struct command *item,
                        const struct game *games, size_t playing)
{
	if (req->who.player.id == 0 && item->game == 0)
		return request_guide(req, "You have no game here yet, so your mail was not "
		                          "carried out.");
	if (item->game != 0)
		return request_notice(
		    req, NULL, NULL, "no such game", "list",
		    "There is no game %.*s%lld here. To see the open games, send:",
		    item->game_letter ? 1 : 0, &item->game_letter, (long long)item->game);
	if (playing == 0)
		return request_notice(req, NULL, NULL, "which game?", "join " EXAMPLE_KIND,
		                      "You have no seat in a running game, so \"%.*s\" could "
		                      "not be carried out. To take a seat, for example:",
		                      SPAN_ARGS(item->text));
	return which_game(req, games, playing);
}

struct seat *request_own_seat(const struct request *req, struct match *match)
{
	if (match->game.id == req->about.game && req->about.seat != 0)
		return match_seat(match, req->about.seat);
	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player != 0 && match->seats[i].player == req->who.player.id)
			return &match->seats[i];
	return NULL;
}

bool fits_letter(const struct command *item, const struct game *game)
{
	return item->game == 0 || game_has_letter(game, item->game_letter);
}

void tried_orders_clear(struct tried_orders *t)
{
	diags_release(&t->diags);
	*t = (struct tried_orders){0};
}

void request_forget_match(struct request *req)
{
	tried_orders_clear(&req->tried);
	match_release(&req->match);
	req->match = (struct match){0};
}

enum err request_match(struct request *req, int64_t game, struct match **out)
{
	enum err rc = ERR_NONE;

	if (req->match.game.id != game || game == 0) {
		request_forget_match(req);
		rc = match_load_to_read(req->srv, game, req->arena, &req->match);
	}
	if (rc != ERR_NONE)
		request_forget_match(req);
	*out = &req->match;
	return rc;
}

enum err request_game(struct request *req, const struct command *item, struct match **out,
                      struct seat **seat, bool *found)
{
	int64_t game = item->game ? item->game : req->about.game;
	struct game *games = NULL;
	struct match *match = &req->match;
	size_t playing = 0;

	*seat = NULL;
	*found = false;
	request_understood(req);
	if (game == 0)
		TRY(request_games(req, &games, &playing));
	if (game == 0)
		TRY(request_observed_answered(req, &game));
	if (game == 0 && playing == 1)
		game = games[0].id;
	if (game == 0 && playing == 0)
		TRY(request_observed_only(req, &game));
	if (game == 0)
		return no_game(req, item, games, playing);
	enum err rc = request_match(req, game, out);
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !fits_letter(item, &match->game)))
		return no_game(req, item, games, playing);
	TRY(rc);
	*seat = request_own_seat(req, match);
	if (match->game.is_private && !*seat &&
	    !report_values_observes(req->srv, match, &req->who.player) &&
	    (req->who.player.id == 0 || match->game.master != req->who.player.id))
		return request_notice(
		    req, NULL, NULL, "a private game", "list",
		    "%s is private and can be seen only by those who sit in it. To take a seat you "
		    "need the key that its creator was given. To see the open games, send:",
		    match->id);
	*found = true;
	request_note_game(req, game);
	if (*seat)
		request_note_seat(req, (*seat)->seat);
	request_note_serial(req, match->has_turn ? match->turn.serial : 0);
	return ERR_NONE;
}

enum err request_with_game(struct request *req, const struct command *item,
                           game_command_fn *act)
{
	struct match *match;
	struct seat *seat;
	bool found;
	enum err rc = request_game(req, item, &match, &seat, &found);

	if (rc == ERR_NONE && found)
		rc = act(req, item, match, seat);
	return rc;
}
