/*
 * fork.c - FORK: a new game from a position of another, by mail.
 */
#include "processor/match/fork.h"
#include "processor/commands/commands.h"
#include "processor/request/join_rules.h"
#include "processor/request/seats.h"
#include "processor/request/welcome.h"
#include "processor/request/which_game.h"

static enum err refuse(struct request *req, const char *why, const char *example)
{
	request_verdict(req, "refused", "FORK: %s", why);
	return request_notice(req, NULL, NULL, "no game was forked", example, "%s", why);
}

static enum err found(struct request *req, struct fork_plan *plan, struct strbuf *why)
{
	struct match match = {0};
	const char *key, *story;
	int64_t game;

	TRY(seats_make_known(req)); /* as with CREATE */
	plan->seats[plan->creator_seat].player = req->who.player.id;
	plan->seats[plan->creator_seat].confirmed = req->who.player.confirmed;
	TRY(game_create(req->srv, &plan->new, req->arena, &game, &key, why));
	enum err rc = match_load(req->srv, game, req->arena, &match);
	if (rc == ERR_NONE)
		rc = fork_story(req->srv, &match, &story);
	if (rc == ERR_NONE)
		rc = welcome_send(req, &match, match_seat(&match, plan->creator_seat), true,
		                  key, story);
	if (rc == ERR_NONE)
		rc = game_start_if_full(req->srv, &match);
	if (rc == ERR_NONE) {
		request_note_game(req, game);
		request_note_seat(req, plan->creator_seat);
		request_verdict(req, "command", "forked %.*s after serial %u as %s",
		                SPAN_ARGS(plan->row.source), plan->row.serial, match.id);
	}
	match_release(&match);
	return rc;
}

enum err do_fork(struct request *req, const struct command *item, struct match *match,
                 struct seat *seat)
{
	const struct create_arguments *c = &item->create;
	struct fork_wish wish = {.number = item->number,
	                         .all_bots = item->verb == CMD_PRACTICE,
	                         .says_bots = c->says_bots,
	                         .bots = c->bots,
	                         .bot_level = c->bot_level,
	                         .is_private = c->is_private,
	                         .key = c->key,
	                         .seat_name = item->name,
	                         .creator = &req->who.player,
	                         .mail = request_proof_mail(req)};
	struct strbuf why = STRBUF_INIT;
	struct fork_plan plan = {.creator_seat = 0};
	const char *example;

	(void)seat;
	if (!game_calendar(req->srv, c, &req->who.player, req->arena, &wish.calendar, &why)) {
		strbuf_adds(&why, " One that works:");
		enum err refused =
		    refuse(req, why.ptr,
		           arena_printf(req->arena, "fork %s at %u", match->id, item->number));
		strbuf_release(&why);
		return refused;
	}
	const struct entry_terms terms = {c->reliability, c->without_operator, c->ready};
	const char *refused = join_rules_terms_refused(req->srv, &terms);
	if (refused)
		return refuse(
		    req, refused,
		    arena_printf(req->arena, "fork %s at %u", match->id, item->number));
	enum err rc = fork_plan(req->srv, match, &wish, &plan, &why, &example);
	plan.new.terms = terms;
	if (rc == ERR_INVALID && why.len > 0)
		rc = refuse(req, why.ptr, example);
	else if (rc == ERR_NONE)
		rc = found(req, &plan, &why);
	strbuf_release(&why);
	return rc;
}
