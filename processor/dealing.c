/*
 * dealing.c - answers to the mail in hand, and the game it is about.
 */
#include "processor/dealing.h"

#include <stdio.h>

#include "processor/games/registry.h"

#include "processor/base/banned.h"

void dealing_verdict(struct dealing *d, const char *verdict, const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	d->row.verdict = span_of(arena_strdup(d->arena, verdict));
	d->row.detail = arena_dup(d->arena, strbuf_span(&text));
	strbuf_release(&text);
}

static struct span joined_references(struct dealing *d)
{
	struct strbuf all = STRBUF_INIT;

	for (size_t i = 0; i < d->mail->references.count; i++) {
		strbuf_add_span(&all, d->mail->references.items[i]);
		strbuf_addc(&all, ' ');
	}
	struct span copy = arena_dup(d->arena, span_trim(strbuf_span(&all)));
	strbuf_release(&all);
	return copy;
}

enum err dealing_answer(struct dealing *d, const struct hand *h, struct seat *seat,
                        const char *kind, const struct letter_out *letter)
{
	char key[64];

	if (!d->may_answer)
		return ERR_NONE;
	snprintf(key, sizeof(key), "inbox %lld %u", (long long)d->inbox_id, ++d->item);
	struct post post = {
		.kind = kind,
		.key = key,
		.game = h ? &h->game : NULL,
		.seat = seat,
		.serial = h && h->has_turn ? h->turn.serial : 0,
		.player = d->player.id,
		.address = d->player.address,
		.ascii = d->player.ascii,
		.letter = letter,
		.cause = d->inbox_id,
		.in_reply_to = d->mail->message_id,
		.references = joined_references(d),
		.replied = true,
	};
	return post_add(d->srv, &post, d->arena);
}

enum err dealing_notice(struct dealing *d, const struct hand *h, struct seat *seat,
                        const char *subject, const char *example, const char *fmt, ...)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct strbuf text = STRBUF_INIT;
	struct report_game game;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	if (h)
		game = brief_game(d->srv, h, seat);
	report_notice(&(struct report_notice){
		.game = h ? &game : NULL,
		.subject = subject,
		.paragraphs = (const char *const[]){ text.ptr },
		.nparagraphs = 1,
		.examples = (const char *const[]){ example },
		.nexamples = *example ? 1 : 0,
	}, &out);
	enum err rc = dealing_answer(d, h, seat, "notice", &out);
	letter_out_release(&out);
	strbuf_release(&text);
	return rc;
}

enum err dealing_games(struct dealing *d, struct game **games, size_t *n)
{
	unsigned live = 1u << GAME_RUNNING | 1u << GAME_GATHERING | 1u << GAME_PAUSED;

	*n = 0;
	if (d->player.id == 0)
		return ERR_NONE;
	return game_list_of_player(d->srv->store, d->player.id, live, d->arena, games, n);
}

static enum err no_game(struct dealing *d, const struct letter_item *item, size_t playing)
{
	if (item->game != 0)
		return dealing_notice(d, NULL, NULL, "no such game", "list",
		                      "There is no game number %lld here. Ask for the open games with:",
		                      (long long)item->game);
	if (playing == 0)
		return dealing_notice(d, NULL, NULL, "which game?", "join " EXAMPLE_KIND,
		                      "You have no seat in a running game, so \"%.*s\" could not be carried "
		                      "out. Take a seat with a line such as:", SPAN_ARGS(item->text));
	return dealing_notice(d, NULL, NULL, "which game?", "signon W17",
	                      "You play in %zu games, and your mail does not say which one it is about, "
	                      "so nothing was carried out. Answer the newest report of that game, or "
	                      "put a line with its number above the others, such as:", playing);
}

static enum err private_game(struct dealing *d, const struct hand *h)
{
	return dealing_notice(d, NULL, NULL, "a private game", "list",
	                      "%s is private and can be seen only by those who sit in it. To take a "
	                      "seat you need the key that its creator was given. Open games are shown "
	                      "by:", h->id);
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

enum err dealing_game(struct dealing *d, const struct letter_item *item, struct hand *h,
                      struct seat **seat, bool *found)
{
	int64_t game = item->game ? item->game : d->game;
	struct game *games;
	size_t playing = 0;

	*h = (struct hand){ .arena = d->arena };
	*seat = NULL;
	*found = false;
	d->understood = true;
	if (game == 0)
		TRY(dealing_games(d, &games, &playing));
	if (game == 0 && playing == 1)
		game = games[0].id;
	if (game == 0)
		return no_game(d, item, playing);
	enum err rc = hand_load(d->srv, game, d->arena, h);
	if (rc == ERR_NOT_FOUND)
		return no_game(d, item, playing);
	TRY(rc);
	TRY(own_seat(d, h, seat));
	if (h->game.is_private && !*seat)
		return private_game(d, h);
	*found = true;
	d->row.game = game;
	if (*seat)
		d->row.seat = (*seat)->seat;
	d->row.serial = h->has_turn ? h->turn.serial : 0;
	return ERR_NONE;
}
