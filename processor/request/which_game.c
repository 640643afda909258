/*
 * which_game.c - the game a line of a mail is about: named in it, answered, or the only one.
 */
#include "processor/request/which_game.h"

#include "processor/games/registry.h"
#include "store/press.h"

#include "processor/base/banned.h"

/* The game of a mail of ours to this person without a seat, if he observes it. */
static enum err game_of_mail(struct dealing *d, struct span message_id, int64_t *game)
{
	struct outbox_mail row;
	struct observer o;

	if (message_id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, message_id, d->arena, &row);
	if (rc == ERR_NONE && row.game != 0 && row.seat == 0 && row.player == d->player.id)
		rc = observer_get(d->srv->store, row.game, d->player.id, &o);
	else if (rc == ERR_NONE)
		return ERR_NONE;
	if (rc == ERR_NONE)
		*game = row.game;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err dealing_observed_answered(struct dealing *d, int64_t *game)
{
	const struct span_list *refs = &d->mail->references;

	*game = 0;
	if (d->player.id == 0)
		return ERR_NONE;
	TRY(game_of_mail(d, d->mail->in_reply_to, game));
	for (size_t i = refs->count; i > 0 && *game == 0; i--)
		TRY(game_of_mail(d, refs->items[i - 1], game));
	return ERR_NONE;
}

enum err dealing_observed_only(struct dealing *d, int64_t *game)
{
	int64_t *games;
	size_t n;

	*game = 0;
	if (d->player.id == 0)
		return ERR_NONE;
	TRY(observer_games(d->srv->store, d->player.id, d->arena, &games, &n));
	if (n == 1)
		*game = games[0];
	return ERR_NONE;
}

static enum err which_game(struct dealing *d, const struct game *games, size_t n)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&names, "%s%s",
		            i == 0       ? ""
		            : i + 1 == n ? " and "
		                         : ", ",
		            game_id_text(&games[i], d->arena));
	enum err rc = dealing_notice(
	    d, NULL, NULL, "which game?",
	    arena_printf(d->arena, "signon %s", game_id_text(&games[0], d->arena)),
	    "You play in %s, and your mail does not say which of them it is "
	    "about, so nothing was carried out. Answer the newest report of that "
	    "game, or put a line with its number above the others, such as:",
	    names.ptr);
	strbuf_release(&names);
	return rc;
}

static enum err no_game(struct dealing *d, const struct letter_item *item,
                        const struct game *games, size_t playing)
{
	if (d->player.id == 0 && item->game == 0)
		return dealing_guide(d, "You have no game here yet, so your mail was not "
		                        "carried out.");
	if (item->game != 0)
		return dealing_notice(
		    d, NULL, NULL, "no such game", "list",
		    "There is no game %.*s%lld here. Ask for the open games with:",
		    item->game_letter ? 1 : 0, &item->game_letter, (long long)item->game);
	if (playing == 0)
		return dealing_notice(
		    d, NULL, NULL, "which game?", "join " EXAMPLE_KIND,
		    "You have no seat in a running game, so \"%.*s\" could not be carried "
		    "out. Take a seat with a line such as:",
		    SPAN_ARGS(item->text));
	return which_game(d, games, playing);
}

static enum err private_game(struct dealing *d, const struct hand *h)
{
	return dealing_notice(
	    d, NULL, NULL, "a private game", "list",
	    "%s is private and can be seen only by those who sit in it. To take a "
	    "seat you need the key that its creator was given. Open games are shown "
	    "by:",
	    h->id);
}

static enum err own_seat(struct dealing *d, struct hand *h, struct seat **seat)
{
	*seat = NULL;
	if (h->game.id == d->game && d->seat != 0) {
		*seat = hand_seat(h, d->seat);
		return ERR_NONE;
	}
	for (size_t i = 0; i < h->nseats && !*seat; i++)
		if (h->seats[i].player != 0 && h->seats[i].player == d->player.id)
			*seat = &h->seats[i];
	return ERR_NONE;
}

bool letter_fits(const struct letter_item *item, const struct game *game)
{
	return item->game == 0 || game_has_letter(game, item->game_letter);
}

void tried_orders_clear(struct tried_orders *t)
{
	diags_release(&t->diags);
	*t = (struct tried_orders){0};
}

enum err dealing_hand(struct dealing *d, int64_t game, struct hand *h)
{
	if (d->kept.game.id != game || game == 0) {
		tried_orders_clear(&d->tried);
		return hand_load_to_read(d->srv, game, d->arena, h);
	}
	*h = d->kept;
	d->kept = (struct hand){0};
	return ERR_NONE;
}

void dealing_keep(struct dealing *d, struct hand *h)
{
	hand_release(&d->kept);
	d->kept = *h;
	*h = (struct hand){.arena = d->arena};
}

void dealing_forget(struct dealing *d)
{
	tried_orders_clear(&d->tried);
	hand_release(&d->kept);
	d->kept = (struct hand){0};
}

enum err dealing_game(struct dealing *d, const struct letter_item *item, struct hand *h,
                      struct seat **seat, bool *found)
{
	int64_t game = item->game ? item->game : d->game;
	struct game *games = NULL;
	size_t playing = 0;

	*h = (struct hand){.arena = d->arena};
	*seat = NULL;
	*found = false;
	d->understood = true;
	if (game == 0)
		TRY(dealing_games(d, &games, &playing));
	if (game == 0)
		TRY(dealing_observed_answered(d, &game));
	if (game == 0 && playing == 1)
		game = games[0].id;
	if (game == 0 && playing == 0)
		TRY(dealing_observed_only(d, &game));
	if (game == 0)
		return no_game(d, item, games, playing);
	enum err rc = dealing_hand(d, game, h);
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !letter_fits(item, &h->game)))
		return no_game(d, item, games, playing);
	TRY(rc);
	TRY(own_seat(d, h, seat));
	if (h->game.is_private && !*seat && !brief_observes(d->srv, h, &d->player) &&
	    (d->player.id == 0 || h->game.master != d->player.id))
		return private_game(d, h);
	*found = true;
	d->row.game = game;
	if (*seat)
		d->row.seat = (*seat)->seat;
	d->row.serial = h->has_turn ? h->turn.serial : 0;
	return ERR_NONE;
}

enum err dealing_with_game(struct dealing *d, const struct letter_item *item,
                           enum err (*act)(struct dealing *d, const struct letter_item *item,
                                           struct hand *h, struct seat *seat))
{
	struct hand h;
	struct seat *seat;
	bool found;
	enum err rc = dealing_game(d, item, &h, &seat, &found);

	if (rc == ERR_NONE && found)
		rc = act(d, item, &h, seat);
	hand_release(&h);
	return rc;
}
