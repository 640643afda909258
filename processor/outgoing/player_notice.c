/*
 * player_notice.c - a few sentences about a game to somebody who has not written just now.
 */
#include "processor/outgoing/player_notice.h"

#include <string.h>

#include "processor/base/zone.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/outgoing.h"

/* `text` with the moment that is told of, as the reader's clocks show it. */
const char *text_with_moment(const char *text, int64_t at_utc, const struct zone *zone,
                             struct arena *arena)
{
	static const char mark[] = "{when}";
	const char *at = text && at_utc ? strstr(text, mark) : NULL;
	struct strbuf s = STRBUF_INIT;

	if (!at)
		return text;
	strbuf_add_span(&s, (struct span){text, (size_t)(at - text)});
	zone_format_human(&s, zone, at_utc);
	strbuf_adds(&s, at + strlen(mark));
	return arena_take(arena, &s).ptr;
}

enum err player_notice_add(struct server *srv, struct match *match, struct seat *seat,
                           int64_t player, const struct player_notice *n, struct arena *arena)
{
	struct player reader;

	TRY(player_get(srv->store, player, arena, &reader));
	if (reader.forgotten || reader.address.len == 0)
		return ERR_NONE;
	struct report_out out = REPORT_OUT_FOR(report_form_of(&reader.form));
	struct report_game game = report_values_game(srv, match, seat, &reader);
	struct report_clock clock = report_values_clock(srv, match, seat);
	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = n->subject,
		.paragraphs =
		    TEXTS(text_with_moment(n->text, n->at_utc, game.zone, arena), n->asks),
		.examples = n->lines,
		.clock = n->clock && match->has_turn ? &clock : NULL,
	    },
	    &out);
	struct outgoing outgoing = {.kind = n->kind ? n->kind : "news",
	                            .key = n->key,
	                            .game = &match->game,
	                            .seat = seat,
	                            .moved_from = n->moved_from,
	                            .serial = match->has_turn ? match->turn.serial : 0,
	                            .player = reader.id,
	                            .address = reader.address,
	                            .form = reader.form,
	                            .report = &out};
	enum err rc = outgoing_add(srv, &outgoing, arena);
	report_out_release(&out);
	return rc;
}
