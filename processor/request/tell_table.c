/*
 * tell_table.c - what somebody's mail has changed for a whole table: one mail to each who sits there.
 */
#include "processor/request/tell_table.h"

#include <stdio.h>
#include <string.h>

#include "processor/base/zone.h"
#include "processor/request/master.h"

#include "processor/base/banned.h"

/* `text` with the moment that is told of, as the reader's clocks show it. */
static const char *told_at(const struct dealing *d, const char *text,
                           const struct report_game *game, const struct news *n)
{
	static const char mark[] = "{when}";
	const char *at = text && n->at_utc ? strstr(text, mark) : NULL;
	struct strbuf s = STRBUF_INIT;

	if (!at)
		return text;
	strbuf_add_span(&s, (struct span){text, (size_t)(at - text)});
	zone_format_human(&s, game->zone, n->at_utc);
	strbuf_adds(&s, at + strlen(mark));
	const char *copy = arena_strdup(d->arena, s.ptr);
	strbuf_release(&s);
	return copy;
}

static enum err answer(struct dealing *d, struct hand *h, struct seat *seat,
                       const struct news *n)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, h, seat, &d->player);
	struct report_clock clock = brief_clock(d->srv, h, seat);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = n->subject,
		.paragraphs = (const char *const[]){told_at(d, n->done, &game, n)},
		.nparagraphs = 1,
		.examples = (const char *const[]){n->example},
		.nexamples = n->example && *n->example,
		.clock = n->clock && h->has_turn ? &clock : NULL,
	    },
	    &out);
	enum err rc = dealing_answer(d, h, seat, "master", &out);
	letter_out_release(&out);
	return rc;
}

static enum err tell(struct dealing *d, struct hand *h, struct seat *seat, int64_t player,
                     const struct news *n)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct player reader;
	char key[64];

	TRY(player_get(d->srv->store, player, d->arena, &reader));
	if (reader.forgotten || reader.address.len == 0)
		return ERR_NONE;
	struct report_game game = brief_game(d->srv, h, seat, &reader);
	struct report_clock clock = brief_clock(d->srv, h, seat);
	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = n->subject,
		.paragraphs = (const char *const[]){told_at(
		    d, seat && seat == n->other ? n->heard_by_other : n->heard, &game, n)},
		.nparagraphs = 1,
		.clock = n->clock && h->has_turn ? &clock : NULL,
	    },
	    &out);
	snprintf(key, sizeof(key), "inbox %lld %u", (long long)d->inbox_id, ++d->item);
	struct post post = {.kind = "news",
	                    .key = key,
	                    .game = &h->game,
	                    .seat = seat,
	                    .moved_from = seat && n->moved_from ? n->moved_from[seat->seat] : 0,
	                    .serial = h->has_turn ? h->turn.serial : 0,
	                    .player = reader.id,
	                    .address = reader.address,
	                    .ascii = reader.ascii,
	                    .letter = &out};
	enum err rc = post_add(d->srv, &post, d->arena);
	letter_out_release(&out);
	return rc;
}

enum err news_to_player(struct dealing *d, struct hand *h, int64_t player, const char *subject,
                        const char *text)
{
	return tell(d, h, NULL, player, &(struct news){.subject = subject, .heard = text});
}

enum err news_tell(struct dealing *d, struct hand *h, struct seat *seat, const struct news *n)
{
	TRY(answer(d, h, seat, n));
	if (!n->heard)
		return ERR_NONE;
	for (size_t i = 0; i < h->nseats; i++) {
		struct seat *s = &h->seats[i];
		if (s->player != 0 && s != seat && !s->resigned && s->player != d->player.id)
			TRY(tell(d, h, s, s->player, n));
	}
	if (!n->players_only && h->game.master != 0 && !master_seat(h) &&
	    h->game.master != d->player.id)
		return tell(d, h, NULL, h->game.master, n);
	return ERR_NONE;
}
