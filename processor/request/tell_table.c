/*
 * tell_table.c - what somebody's mail has changed for a whole table: one mail to each who sits there.
 */
#include "processor/request/tell_table.h"

#include "processor/outgoing/player_notice.h"
#include "processor/request/master.h"

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
		.paragraphs = (const char *const[]){text_with_moment(n->done, n->at_utc,
	                                                             game.zone, req->arena)},
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
	bool is_asked = seat && seat_in(n->asked, seat->seat);

	return player_notice_add(
	    req->srv, match, seat, player,
	    &(struct player_notice){
		.kind = n->kind,
		.key = request_next_key(req),
		.subject = n->subject,
		.text = seat && seat == n->other ? n->heard_by_other : n->heard,
		.asks = is_asked ? n->asks : NULL,
		.lines = n->answers,
		.nlines = is_asked ? n->nanswers : 0,
		.at_utc = n->at_utc,
		.clock = n->clock,
		.moved_from = seat && n->moved_from ? n->moved_from[seat->seat] : 0},
	    req->arena);
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
