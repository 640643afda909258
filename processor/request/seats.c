/*
 * seats.c - names, seats, confirming, leaving before the start.
 */
#include "processor/request/seats.h"

#include "processor/base/utf8.h"
#include "processor/request/admission.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

/* ---- names ---- */

static bool name_is_free(const struct hand *h, struct span name)
{
	for (size_t i = 0; h && i < h->nseats; i++)
		if (seat_is_taken(&h->seats[i]) && utf8_eq_folded(h->seats[i].name, name))
			return false;
	return true;
}

/* "Ann", else "Ann-2", "Ann-3" ... whatever is free and fits. */
bool joining_free_name(const struct hand *h, struct span base, struct arena *arena,
                       struct span *name)
{
	struct strbuf why = STRBUF_INIT;
	bool ok = false;

	for (unsigned n = 1; n <= MAX_SEATS + 1 && !ok; n++) {
		struct span clipped = span_trim(utf8_clip(base, SEAT_NAME_COLS - 3));
		*name = n == 1 ? span_trim(utf8_clip(base, SEAT_NAME_COLS))
		               : span_of(arena_printf(arena, "%.*s-%u", SPAN_ARGS(clipped), n));
		strbuf_clear(&why);
		ok = seat_name_ok(*name, &why) && name_is_free(h, *name);
	}
	strbuf_release(&why);
	return ok;
}

static struct span first_word(struct span s)
{
	struct span word = SPAN_EMPTY;

	return span_next_word(&s, ",;\"()", &word) ? word : s;
}

/* From what the mail says: display name, its first word, local part of the address. */
static struct span name_from_mail(const struct dealing *d, const struct hand *h)
{
	struct strbuf plain = STRBUF_INIT;
	struct span name;

	utf8_add_nfc(&plain, d->mail->from_name);
	struct span shown = arena_dup(d->arena, span_trim(strbuf_span(&plain)));
	strbuf_release(&plain);
	struct span local = span_slice(d->mail->from, 0, span_find_char(d->mail->from, '@'));
	local = span_slice(local, 0, span_find_char(local, '+'));
	const struct span tries[] = {d->player.name, first_word(shown), shown, local,
	                             SPAN_LIT("Player")};
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++)
		if (tries[i].len > 0 && joining_free_name(h, tries[i], d->arena, &name))
			return name;
	return span_of(arena_printf(d->arena, "Player-%lld", (long long)d->inbox_id));
}

bool joining_name(const struct dealing *d, const struct hand *h, struct span asked,
                  struct span *name, struct strbuf *why)
{
	struct strbuf nfc = STRBUF_INIT;

	if (asked.len == 0) {
		*name = name_from_mail(d, h);
		return true;
	}
	utf8_add_nfc(&nfc, span_trim(asked));
	*name = arena_dup(d->arena, strbuf_span(&nfc));
	strbuf_release(&nfc);
	if (!seat_name_ok(*name, why))
		return false;
	if (name_is_free(h, *name))
		return true;
	strbuf_addf(why, "Somebody at this table is already called \"%.*s\".",
	            SPAN_ARGS(*name));
	return false;
}

enum err joining_register(struct dealing *d, struct span name)
{
	bool confirmed = d->srv->cfg.unknown_senders == UNKNOWN_ACCEPT && !d->doubtful;

	if (d->player.id != 0) {
		if (d->player.name.len == 0)
			TRY(player_set_name(d->srv->store, d->player.id, name));
		return ERR_NONE;
	}
	TRY(player_add(d->srv->store, d->mail->from, name, confirmed, d->srv->now_utc,
	               &d->player.id));
	return player_get(d->srv->store, d->player.id, d->arena, &d->player);
}

enum err joining_make_known(struct dealing *d)
{
	return joining_register(d, name_from_mail(d, NULL));
}

/* ---- seats ---- */

enum err joining_stop_watching(struct server *srv, int64_t game, int64_t player)
{
	enum err rc = observer_drop(srv->store, game, player);

	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static bool seat_has_lapsed(const struct server *srv, const struct seat *s)
{
	return !s->confirmed && s->bot_level < 0 && s->player != 0 &&
	       s->joined_utc + SEAT_HELD_S < srv->now_utc;
}

bool joining_seat_is_free(const struct server *srv, const struct hand *h, unsigned seat)
{
	const struct seat *s = &h->seats[seat - 1];

	return !seat_is_taken(s) || seat_has_lapsed(srv, s);
}

unsigned joining_free_seat(const struct server *srv, const struct hand *h)
{
	for (size_t i = 0; i < h->nseats; i++)
		if (joining_seat_is_free(srv, h, (unsigned)i + 1))
			return (unsigned)i + 1;
	return h->nseats < h->game.nseats ? (unsigned)h->nseats + 1 : 0;
}

enum err joining_take_seat(struct server *srv, const struct hand *h, unsigned seat,
                           const struct player *p, struct span name, struct span salt)
{
	struct seat *old = hand_seat(h, seat);
	struct seat s = {.game = h->game.id,
	                 .seat = seat,
	                 .player = p->id,
	                 .bot_level = -1,
	                 .name = name,
	                 .salt = salt,
	                 .joined_utc = srv->now_utc,
	                 .confirmed = p->confirmed,
	                 .token_generation = old ? old->token_generation + 1 : 0,
	                 .mails = old ? old->mails : 0}; /* numbers of mails are the seat's */

	TRY(joining_stop_watching(srv, h->game.id, p->id));
	return old ? seat_update(srv->store, &s) : seat_add(srv->store, &s);
}

/* ---- staying and leaving ---- */

enum err joining_refuse(struct dealing *d, const char *example, const char *why)
{
	dealing_verdict(d, "refused", "JOIN: %s", why);
	return dealing_notice(d, NULL, NULL, "you have not joined", example, "%s", why);
}

static bool says_no(const struct letter *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i].verb == CMD_NO)
			return true;
	return false;
}

enum err joining_confirm_by_reply(struct dealing *d)
{
	struct hand h;
	enum err rc;

	if (says_no(d->letter) || d->player.id == 0 || (d->game == 0 && d->bundle == 0))
		return ERR_NONE;
	if (!d->player.confirmed)
		TRY(player_set_confirmed(d->srv->store, d->player.id));
	d->player.confirmed = true;
	if (d->game == 0)
		return ERR_NONE;
	rc = dealing_hand(d, d->game, &h);
	struct seat *seat = rc == ERR_NONE ? hand_seat(&h, d->seat) : NULL;
	if (rc == ERR_NONE && (!seat || seat->confirmed)) {
		dealing_keep(d, &h);
	} else if (rc == ERR_NONE) {
		seat->confirmed = d->seat_confirmed = true;
		rc = seat_update(d->srv->store, seat);
		if (rc == ERR_NONE)
			rc = game_start_if_full(d->srv, &h);
	}
	hand_release(&h);
	return rc;
}

enum err joining_cancel_if_empty(struct server *srv, struct hand *h, int64_t leaver)
{
	if (h->game.master != 0 && h->game.master != leaver)
		return ERR_NONE;
	for (size_t i = 0; i < h->nseats; i++)
		if (h->seats[i].player != 0)
			return ERR_NONE;
	h->game.status = GAME_CANCELLED;
	h->game.ended_utc = srv->now_utc;
	return game_update(srv->store, &h->game);
}

enum err joining_leave(struct dealing *d, const struct letter_item *item, bool *gone)
{
	struct hand h;
	struct seat *seat;
	bool found;
	enum err rc;

	*gone = false;
	rc = dealing_game(d, item, &h, &seat, &found);
	if (rc != ERR_NONE || !found) {
		*gone = rc == ERR_NONE;
		goto out;
	}
	if (h.game.status != GAME_GATHERING || !seat)
		goto out;
	*gone = true;
	dealing_verdict(d, "command", "left %s before it began", h.id);
	rc = dealing_notice(d, &h, seat, "you have left", "list",
	                    "Your seat in %s is free again; you will get no more mail about "
	                    "it. Other open games are shown by:",
	                    h.id);
	if (rc != ERR_NONE)
		goto out;
	seat->player = 0;
	seat->confirmed = false;
	seat->token_generation++;
	rc = seat_update(d->srv->store, seat);
	if (rc == ERR_NONE)
		rc = press_leave(d->srv->store, h.game.id, seat->seat, d->srv->now_utc);
	if (rc == ERR_NONE)
		rc = joining_cancel_if_empty(d->srv, &h, d->player.id);
	d->game = 0; /* a further line of this mail has no seat there any more */
out:
	hand_release(&h);
	return rc;
}
