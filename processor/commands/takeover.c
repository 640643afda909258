/*
 * takeover.c - TAKEOVER: a seat whose player has gone gets another one.
 *
 * The seat stays what it is, name and position; only the person behind it changes, and with him the
 * reply addresses. What another has sent for the open turn is withdrawn, and shown to nobody. Who knows what is hidden from another seat may not have it: somebody
 * who has lost a seat can only have that one back. authenticate.h sees to it that whoever is not known yet
 * has said YES before he is shown anything.
 */
#include "processor/commands/commands.h"
#include "processor/match/match_clock.h"
#include "processor/outgoing/seat_address.h"
#include "processor/request/admission.h"
#include "processor/request/request.h"
#include "processor/request/seats.h"
#include "processor/request/take_seat.h"
#include "processor/request/which_game.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/due_turn.h"
#include "processor/turns/missed_turns.h"
#include "store/audit.h"

#include "processor/base/banned.h"

static enum err refuse(struct dealing *d, const char *why)
{
	dealing_verdict(d, "refused", "TAKEOVER: %s", why);
	return dealing_notice(d, NULL, NULL, "no seat was taken over", "list", "%s", why);
}

static bool is_vacant(const struct seat *s)
{
	return s->vacated_utc != 0;
}

static size_t vacant_in(const struct hand *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->nseats; i++)
		n += is_vacant(&h->seats[i]);
	return n;
}

/* The seat that was once the speaker's, NULL if none was. */
static struct seat *lost_seat(const struct hand *h, const struct past *past)
{
	for (size_t i = 0; i < h->nseats; i++)
		if (seat_in(past->seats, h->seats[i].seat))
			return &h->seats[i];
	return NULL;
}

static bool sits_there(const struct dealing *d, const struct hand *h)
{
	for (size_t i = 0; i < h->nseats; i++)
		if (d->player.id != 0 && h->seats[i].player == d->player.id)
			return true;
	return false;
}

/* The one that is named, else the speaker's former one, else the lowest. */
static struct seat *seat_wanted(const struct hand *h, const struct past *past, unsigned number)
{
	struct seat *lost = lost_seat(h, past);

	if (number != 0)
		return hand_seat(h, number);
	if (lost)
		return lost;
	for (size_t i = 0; i < h->nseats; i++)
		if (is_vacant(&h->seats[i]))
			return &h->seats[i];
	return NULL;
}

static const char *not_under_way(struct dealing *d, const struct hand *h)
{
	if (h->game.status == GAME_GATHERING)
		return arena_printf(
		    d->arena,
		    "%s has not begun: \"JOIN %s\" takes a seat. Open games are "
		    "shown by:",
		    h->id, h->id);
	return arena_printf(d->arena, "%s has ended. Open games are shown by:", h->id);
}

/* ... for what he has had to do with the game before, or has still. */
static const char *objection_to_past(struct dealing *d, const struct hand *h,
                                     const struct past *past, const struct seat *seat)
{
	struct seat_set others = seat ? seat_without(past->seats, seat->seat) : past->seats;

	if (sits_there(d, h))
		return arena_printf(
		    d->arena,
		    "You have a seat in %s, or have left it, and nobody may know "
		    "the secrets of two. Open games are shown by:",
		    h->id);
	if (past->put_out)
		return arena_printf(d->arena,
		                    "The master of %s has put you out of it, so no seat of it "
		                    "can be yours. Open games are shown by:",
		                    h->id);
	if (seat_count(others) > 0)
		return arena_printf(
		    d->arena,
		    "You have played another seat of %s, and nobody may know the "
		    "secrets of two. Open games are shown by:",
		    h->id);
	if (seat && !is_vacant(seat) && seat_count(past->seats) > 0)
		return arena_printf(
		    d->arena,
		    "Somebody else plays the seat of %s that was yours, and as nobody may know "
		    "the secrets of two, you cannot have another. Open games are shown by:",
		    h->id);
	return NULL;
}

/* Why this speaker cannot have this seat; NULL when nothing speaks against it. */
static const char *objection(struct dealing *d, const struct hand *h,
                             const struct letter_item *item, const struct past *past,
                             const struct seat *seat)
{
	const char *why;

	if (h->game.is_private && seat_count(past->seats) == 0 &&
	    !game_key_fits(d->srv, &h->game, item->key))
		return arena_printf(d->arena,
		                    "%s is private: its key is needed, as in \"TAKEOVER %s KEY "
		                    "word\". Open games are shown by:",
		                    h->id, h->id);
	if (h->game.status != GAME_RUNNING && h->game.status != GAME_PAUSED)
		return not_under_way(d, h);
	if (vacant_in(h) == 0)
		return arena_printf(
		    d->arena,
		    "No seat of %s is vacant, so there is none to take over. Open "
		    "games are shown by:",
		    h->id);
	why = objection_to_past(d, h, past, seat);
	if (why)
		return why;
	if (!seat || !is_vacant(seat))
		return arena_printf(
		    d->arena, "That seat of %s is not vacant. Open games are shown by:", h->id);
	if (seat_is_fixed(d, h, seat))
		return arena_printf(
		    d->arena,
		    "The deadline of %.*s has passed, and orders were sent for that seat which "
		    "count now. Please write again when the turn has ended. Open games are "
		    "shown by:",
		    SPAN_ARGS(h->turn.label));
	return NULL;
}

static const char *lead_for(struct dealing *d, const struct hand *h, const struct seat *seat,
                            bool withdrawn)
{
	const char *when = turn_has_ended(h, d->srv->now_utc)
	                       ? "The turn is just being ended; answer the next report"
	                       : "Just answer this mail";
	const char *before = withdrawn ? ": what whoever sat there before had sent for this "
	                                 "turn is withdrawn"
	                     : seat_in((struct seat_set){h->turn.have}, seat->seat)
	                         ? "; those below were given by the server and stand until then"
	                         : "";

	return arena_printf(
	    d->arena,
	    "The seat is yours. You play it as %s: the name stays, since all know "
	    "it. %s with your orders%s. What happened before is "
	    "shown by \"HISTORY %s\", as far as you may see it; earlier reply "
	    "addresses of this seat are void.",
	    h->names.names[seat->seat], when, before, h->id);
}

/* The whole position, as after a turn. */
static enum err show_position(struct dealing *d, struct hand *h, struct seat *seat,
                              bool withdrawn)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_fair fair = {h->game.secret_digest, keyring_public_key(d->srv->keys)};
	const char *lead = lead_for(d, h, seat, withdrawn);
	struct report_status s;

	TRY(status_of(d, h, seat, &s));
	s.subject = arena_printf(d->arena, "you have taken over seat %u", seat->seat);
	s.lead = &lead;
	s.nlead = 1;
	s.fair = &fair;
	report_status(&s, &out);
	enum err rc = dealing_answer(d, h, seat, "welcome", &out);
	letter_out_release(&out);
	return rc;
}

static enum err log_it(struct dealing *d, const struct hand *h, const struct past *past,
                       const struct seat *seat)
{
	const char *name = h->names.names[seat->seat];
	const char *what = seat_in(past->seats, seat->seat)
	                       ? arena_printf(d->arena, "%s is back", name)
	                       : arena_printf(d->arena, "%.*s has taken over the seat of %s",
	                                      SPAN_ARGS(d->player.name), name);

	return audit_add(d->srv->store, h->game.id, seat->seat, "server", true, d->srv->now_utc,
	                 what);
}

static enum err take_over(struct dealing *d, struct hand *h, const struct past *past,
                          struct seat *seat)
{
	bool withdrawn;

	TRY(joining_make_known(d));
	TRY(joining_stop_watching(d->srv, h->game.id, d->player.id));
	if (!d->player.confirmed && d->settled)
		TRY(player_set_confirmed(d->srv->store, d->player.id));
	TRY(log_it(d, h, past, seat));
	TRY(seat_renew_token(d->srv, seat));
	TRY(seat_fill(d, h, seat, &withdrawn));
	TRY(absence_excuse_new(d->srv, h, seat->seat));
	d->row.game = h->game.id;
	d->row.seat = seat->seat;
	dealing_verdict(d, "command", "took over seat %u of %s", seat->seat, h->id);
	TRY(show_position(d, h, seat, withdrawn));
	return seat_update(d->srv->store, seat);
}

static enum err decide(struct dealing *d, const struct letter_item *item, struct hand *h)
{
	struct past past;

	TRY(absence_past(d->srv, h, d->player.id, &past));
	struct seat *seat = seat_wanted(h, &past, item->seat);
	const char *why = objection(d, h, item, &past, seat);

	if (!why && seat_count(past.seats) == 0)
		TRY(entry_objection_to_seat(d, h, &why));
	return why ? refuse(d, why) : take_over(d, h, &past, seat);
}

enum err do_takeover(struct dealing *d, const struct letter_item *item)
{
	struct hand h;
	enum err rc = hand_load(d->srv, item->game, d->arena, &h);

	d->understood = true;
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && !letter_fits(item, &h.game)))
		rc = refuse(d, "There is no such game. Open games are shown by:");
	else if (rc == ERR_NONE)
		rc = decide(d, item, &h);
	hand_release(&h);
	return rc;
}
