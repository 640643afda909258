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
static const char *told_at(const struct request *req, const char *text,
                           const struct report_game *game, const struct table_news *n)
{
	static const char mark[] = "{when}";
	const char *at = text && n->at_utc ? strstr(text, mark) : NULL;
	struct strbuf s = STRBUF_INIT;

	if (!at)
		return text;
	strbuf_add_span(&s, (struct span){text, (size_t)(at - text)});
	zone_format_human(&s, game->zone, n->at_utc);
	strbuf_adds(&s, at + strlen(mark));
	const char *copy = arena_strdup(req->arena, s.ptr);
	strbuf_release(&s);
	return copy;
}

static enum err answer(struct request *req, struct match *match, struct seat *seat,
                       const struct table_news *n)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_game game = report_values_game(req->srv, match, seat, &req->who.player);
	struct report_clock clock = report_values_clock(req->srv, match, seat);

	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = n->subject,
		.paragraphs = (const char *const[]){told_at(req, n->done, &game, n)},
		.nparagraphs = 1,
		.examples = (const char *const[]){n->example},
		.nexamples = n->example && *n->example,
		.clock = n->clock && match->has_turn ? &clock : NULL,
	    },
	    &out);
	enum err rc = request_answer(req, match, seat, "master", &out);
	report_out_release(&out);
	return rc;
}

static enum err tell(struct request *req, struct match *match, struct seat *seat,
                     int64_t player, const struct table_news *n)
{
	struct report_out out = REPORT_OUT_INIT;
	bool is_asked = seat && seat_in(n->asked, seat->seat);
	struct player reader;
	TRY(player_get(req->srv->store, player, req->arena, &reader));
	if (reader.forgotten || reader.address.len == 0)
		return ERR_NONE;
	out.form = report_form_of(&reader.form);
	struct report_game game = report_values_game(req->srv, match, seat, &reader);
	struct report_clock clock = report_values_clock(req->srv, match, seat);
	report_notice(
	    &(struct report_notice){
		.game = &game,
		.subject = n->subject,
		.paragraphs =
		    (const char *const[]){
			told_at(req, seat && seat == n->other ? n->heard_by_other : n->heard,
	                        &game, n),
			is_asked ? n->asks : NULL},
		.nparagraphs = is_asked ? 2 : 1,
		.examples = n->answers,
		.nexamples = is_asked ? n->nanswers : 0,
		.clock = n->clock && match->has_turn ? &clock : NULL,
	    },
	    &out);
	struct outgoing outgoing = {
	    .kind = n->kind ? n->kind : "news",
	    .key = request_next_key(req),
	    .game = &match->game,
	    .seat = seat,
	    .moved_from = seat && n->moved_from ? n->moved_from[seat->seat] : 0,
	    .serial = match->has_turn ? match->turn.serial : 0,
	    .player = reader.id,
	    .address = reader.address,
	    .form = reader.form,
	    .report = &out};
	enum err rc = outgoing_add(req->srv, &outgoing, req->arena);
	report_out_release(&out);
	return rc;
}

enum err tell_one_player(struct request *req, struct match *match, int64_t player,
                         const char *subject, const char *text)
{
	return tell(req, match, NULL, player,
	            &(struct table_news){.subject = subject, .heard = text});
}

enum err tell_table(struct request *req, struct match *match, struct seat *seat,
                    const struct table_news *n)
{
	TRY(answer(req, match, seat, n));
	return n->heard ? tell_others(req, match, seat, n) : ERR_NONE;
}

enum err tell_others(struct request *req, struct match *match, const struct seat *seat,
                     const struct table_news *n)
{
	for (size_t i = 0; i < match->nseats; i++) {
		struct seat *s = &match->seats[i];
		if (s->player != 0 && s != seat && !s->resigned &&
		    s->player != req->who.player.id)
			TRY(tell(req, match, s, s->player, n));
	}
	if (!n->players_only && match->game.master != 0 && !master_seat(match) &&
	    match->game.master != req->who.player.id)
		return tell(req, match, NULL, match->game.master, n);
	return ERR_NONE;
}
