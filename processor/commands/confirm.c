/*
 * confirm.c - YES and NO: to a seat that waits to be confirmed, to an invitation, or to nothing.
 */
#include "processor/commands/commands.h"
#include "processor/commands/rematch.h"
#include "processor/request/confirmation.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

static enum err refuse_seat(struct dealing *d, struct hand *h, struct seat *seat)
{
	TRY(dealing_notice(
	    d, h, seat, "the seat is given back", "list",
	    "You answered NO, so your seat in %s is free again and you get no more mail about "
	    "it. If that was not what you wanted, open games are shown by:",
	    h->id));
	seat->player = 0;
	seat->token_generation++;
	TRY(seat_update(d->srv->store, seat));
	return joining_cancel_if_empty(d->srv, h, d->player.id);
}

/* A yes or no in answer to another mail than the one that asks. */
static enum err question_waits(struct dealing *d, struct hand *h, struct seat *seat,
                               bool *waits)
{
	struct question *open;
	size_t n;

	TRY(question_list(d->srv->store, d->player.id, d->arena, &open, &n));
	*waits = n > 0 && open[n - 1].asked_utc + QUESTION_OPEN_S >= d->arrived_utc;
	if (!*waits)
		return ERR_NONE;
	return dealing_notice(d, h, seat, "please answer the mail that asks", "",
	                      "A question of ours waits for your answer, but this was an "
	                      "answer to another mail, so it does not count. Please answer the "
	                      "very mail that asks. Nothing has changed.");
}

static enum err confirm(struct dealing *d, const struct letter_item *item, struct hand *h,
                        struct seat *seat)
{
	bool waits;

	if (!seat)
		return ERR_NONE;
	if (seat->confirmed && !d->seat_confirmed) {
		TRY(question_waits(d, h, seat, &waits));
		if (waits)
			return ERR_NONE;
	}
	if (item->verb == CMD_NO && !seat->confirmed && h->game.status == GAME_GATHERING)
		return refuse_seat(d, h, seat);
	if (item->verb == CMD_NO)
		return dealing_notice(d, h, seat, "nothing was waiting for a no", "resign",
		                      "Nothing was waiting for your answer, so nothing has "
		                      "changed. To leave the game write:");
	if (!seat->confirmed || d->seat_confirmed)
		return dealing_notice(d, h, seat, "thank you", "",
		                      "Your address is confirmed and your seat in %s is yours. "
		                      "You hear from us when there is something to do.",
		                      h->id);
	return dealing_notice(d, h, seat, "nothing was waiting for a yes", "status",
	                      "Nothing was waiting for your answer: your seat in %s is "
	                      "confirmed. If a turn is open and you have not sent orders yet, "
	                      "answer with them. How the game stands is shown by:",
	                      h->id);
}

enum err do_confirm(struct dealing *d, const struct letter_item *item)
{
	bool invited;

	TRY(rematch_answer(d, item, &invited));
	if (invited || !d->proven) /* a yes to nothing in particular */
		return ERR_NONE;
	return dealing_with_game(d, item, confirm);
}
