/*
 * try_orders.c - what a game makes of some lines, before anything is done with them.
 */
#include "processor/request/try_orders.h"

#include "processor/request/request.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

static unsigned seat_there(const struct dealing *d, const struct hand *h)
{
	if (h->game.id == d->game && d->seat >= 1 && d->seat <= h->nseats)
		return d->seat;
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].player != 0 && h->seats[i].player == d->player.id)
			return h->seats[i].seat;
	return 0;
}

static void read_as_orders(struct dealing *d, const struct hand *h,
                           const struct game_state *state, unsigned seat, struct span lines)
{
	struct tried_orders *t = &d->tried;
	struct strbuf canonical = STRBUF_INIT;
	bool good = h->rules->read_orders(state, seat, SPAN_EMPTY, h->tables, lines, &canonical,
	                                  &t->diags);

	t->flawed = diags_has_errors(&t->diags);
	t->reading = good ? READING_GOOD : t->flawed ? READING_WRONG : READING_TALK;
	t->position = state == h->state ? state : NULL;
	t->seat = seat;
	t->canonical = arena_dup(d->arena, strbuf_span(&canonical));
	strbuf_release(&canonical);
}

/* Before the start, and for one who has left, any position will do. */
static enum err try_in(struct dealing *d, struct hand *h, unsigned seat, struct span lines)
{
	struct game_state *trial = NULL;

	TRY(hand_position_to_read(d->srv, h));
	if (!h->state || h->seats[seat - 1].resigned)
		trial = hand_trial_position(h);
	if (trial)
		read_as_orders(d, h, trial, seat, lines);
	else if (h->state && !h->seats[seat - 1].resigned)
		read_as_orders(d, h, h->state, seat, lines);
	if (trial)
		h->rules->free_state(trial);
	return ERR_NONE;
}

/* A mail in HTML and text is asked about several times before its orders are carried out. */
static bool was_tried(const struct dealing *d, int64_t game, struct span lines)
{
	return lines.ptr && d->kept.game.id == game && d->tried.lines.ptr == lines.ptr &&
	       d->tried.lines.len == lines.len;
}

enum err orders_try(struct dealing *d, int64_t game, struct span lines, enum reading *out)
{
	struct hand h;

	if (was_tried(d, game, lines)) {
		*out = d->tried.reading;
		return ERR_NONE;
	}
	enum err rc = dealing_hand(d, game, &h);
	unsigned seat = rc == ERR_NONE ? seat_there(d, &h) : 0;

	tried_orders_clear(&d->tried);
	if (seat != 0)
		rc = try_in(d, &h, seat, lines);
	*out = d->tried.reading;
	if (rc == ERR_NONE) {
		dealing_keep(d, &h);
		d->tried.lines = lines;
	}
	hand_release(&h);
	return rc;
}
