/*
 * try_orders.c - what a game makes of some lines, before anything is done with them.
 */
#include "processor/request/try_orders.h"

#include "processor/games/loose.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"

static void read_as_orders(struct request *req, const struct match *match,
                           const struct game_state *state, unsigned seat, struct span lines)
{
	struct tried_orders *t = &req->tried;
	struct strbuf canonical = STRBUF_INIT;
	bool good = match->rules->read_orders(state, seat, SPAN_EMPTY, match->tables, lines,
	                                      &canonical, &t->diags);

	t->flawed = diags_has_errors(&t->diags);
	t->tried = good ? TRIED_GOOD : t->flawed ? TRIED_WRONG : TRIED_TALK;
	t->position = state == match->state ? state : NULL;
	t->seat = seat;
	t->canonical = arena_take(req->arena, &canonical);
}

/* Before the start, and for one who has left, any position will do. */
static enum err try_in(struct request *req, struct match *match, struct seat *seat,
                       struct span lines)
{
	struct game_state *trial = NULL;

	TRY(match_position_to_read(req->srv, match));
	if (!match->state || seat->resigned)
		trial = match_trial_position(match);
	if (trial)
		read_as_orders(req, match, trial, seat->seat, lines);
	else if (match->state && !seat->resigned)
		read_as_orders(req, match, match->state, seat->seat, lines);
	if (trial)
		match->rules->free_state(trial);
	return ERR_NONE;
}

enum err orders_try(struct request *req, int64_t game, struct span lines, enum tried *out)
{
	struct match *match;

	/* A mail in HTML and text is asked about several times before its orders are carried out. */
	if (lines.ptr && req->match.game.id == game && req->tried.lines.ptr == lines.ptr &&
	    req->tried.lines.len == lines.len) {
		*out = req->tried.tried;
		return ERR_NONE;
	}
	enum err rc = request_match(req, game, &match);
	struct seat *seat = rc == ERR_NONE ? request_own_seat(req, match) : NULL;

	tried_orders_clear(&req->tried);
	if (seat)
		rc = try_in(req, match, seat, lines);
	*out = req->tried.tried;
	if (rc == ERR_NONE)
		req->tried.lines = lines;
	return rc;
}

enum err orders_meant(struct request *req, int64_t game, struct span lines,
                      struct orders_meant *out)
{
	struct order_guesses g = {.count = 0};
	struct order_revision last;
	struct match *match;

	*out = (struct orders_meant){false, false, false};
	TRY(request_match(req, game, &match));
	struct seat *seat = request_own_seat(req, match);
	if (!seat || seat->resigned)
		return ERR_NONE;
	TRY(match_position_to_read(req->srv, match));
	if (!match->state)
		return ERR_NONE;
	order_guesses(match->rules, match->state, seat->seat, SPAN_EMPTY, match->tables, lines,
	              false, &g);
	out->meant = g.meant;
	out->plain = g.plain;
	out->good = g.count > 0 && !g.asks;
	order_guesses_release(&g);
	if (out->meant || !match->has_turn)
		return ERR_NONE;
	/* "Replace 4 by 9": of orders that stand. */
	enum err rc = orders_last(req->srv->store, game, match->turn.serial, seat->seat,
	                          req->arena, &last);
	if (rc == ERR_NONE && !last.cleared) {
		order_guesses(match->rules, match->state, seat->seat, last.canonical,
		              match->tables, lines, false, &g);
		out->meant = out->good = g.count > 0 &&
		                         !span_eq(strbuf_span(&g.texts[0]), last.canonical);
		out->plain = out->meant && g.plain;
		order_guesses_release(&g);
	}
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}
