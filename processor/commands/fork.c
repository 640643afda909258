/*
 * fork.c - FORK: a new game from a position of another, by mail.
 */
#include "processor/match/fork.h"
#include "processor/commands/commands.h"
#include "processor/request/seats.h"
#include "processor/request/welcome.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

static enum err refuse(struct dealing *d, const char *why, const char *example)
{
	dealing_verdict(d, "refused", "FORK: %s", why);
	return dealing_notice(d, NULL, NULL, "no game was forked", example, "%s", why);
}

static enum err found(struct dealing *d, struct fork_plan *plan, struct strbuf *why)
{
	struct hand h = {0};
	const char *key, *story;
	int64_t game;

	TRY(joining_make_known(d)); /* as with CREATE */
	plan->seats[plan->creator_seat].player = d->player.id;
	plan->seats[plan->creator_seat].confirmed = d->player.confirmed;
	TRY(game_found(d->srv, &plan->new, d->arena, &game, &key, why));
	enum err rc = hand_load(d->srv, game, d->arena, &h);
	if (rc == ERR_NONE)
		rc = fork_story(d->srv, &h, &story);
	if (rc == ERR_NONE)
		rc = welcome_send(d, &h, hand_seat(&h, plan->creator_seat), true, key, story);
	if (rc == ERR_NONE)
		rc = game_start_if_full(d->srv, &h);
	if (rc == ERR_NONE) {
		d->row.game = game;
		d->row.seat = plan->creator_seat;
		dealing_verdict(d, "command", "forked %.*s after serial %u as %s",
		                SPAN_ARGS(plan->row.source), plan->row.serial, h.id);
	}
	hand_release(&h);
	return rc;
}

static enum err fork_game(struct dealing *d, const struct letter_item *item, struct hand *h,
                          struct seat *seat)
{
	const struct letter_create *c = &item->create;
	struct fork_wish wish = {.number = item->number,
	                         .says_bots = c->says_bots,
	                         .bots = c->bots,
	                         .bot_level = c->bot_level,
	                         .is_private = c->is_private,
	                         .key = c->key,
	                         .seat_name = item->name,
	                         .creator = &d->player};
	struct strbuf why = STRBUF_INIT;
	struct fork_plan plan = {.creator_seat = 0};
	const char *example;

	(void)seat;
	if (!game_calendar(d->srv, c, &d->player, d->arena, &wish.calendar, &why)) {
		strbuf_adds(&why, " One that works:");
		enum err refused = refuse(
		    d, why.ptr, arena_printf(d->arena, "fork %s at %u", h->id, item->number));
		strbuf_release(&why);
		return refused;
	}
	enum err rc = fork_plan(d->srv, h, &wish, &plan, &why, &example);
	plan.new.reliability = c->reliability;
	if (rc == ERR_INVALID && why.len > 0)
		rc = refuse(d, why.ptr, example);
	else if (rc == ERR_NONE)
		rc = found(d, &plan, &why);
	strbuf_release(&why);
	return rc;
}

enum err do_fork(struct dealing *d, const struct letter_item *item)
{
	return dealing_with_game(d, item, fork_game);
}
