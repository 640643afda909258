/*
 * identify.c - who sends the mail in hand, and what it answers.
 */
#include "processor/request/identify.h"

#include "processor/outgoing/outgoing.h"
#include "processor/request/which_game.h"
#include "processor/server/reply_address.h"
#include "store/addresses.h"
#include "store/digests.h"

#include "processor/base/banned.h"

/* With the rest of its game, which the mail is nearly always about. */
static enum err seat_with_game(struct dealing *d, const struct reply_token *t, struct seat *out)
{
	struct hand h;

	if (dealing_hand(d, t->game, &h) != ERR_NONE) /* that may not matter to this mail */
		return seat_get(d->srv->store, t->game, t->seat, d->arena, out);
	const struct seat *seat = hand_seat(&h, t->seat);
	if (seat)
		*out = *seat;
	dealing_keep(d, &h);
	return seat ? ERR_NONE : ERR_NOT_FOUND;
}

/*
 * Whoever answers is nearly always at the address that the reply address is of: then he is found by his
 * number, with a game that is needed anyway, and not among all addresses. Whether the reply address is
 * good does not matter yet; what cannot be had is asked for again, and its error told, when it is needed.
 */
static bool know_by_reply_address(struct dealing *d)
{
	struct reply_token token;
	struct seat seat;
	struct player p;
	bool found = false;

	for (size_t i = 0; !found && i < d->mail->recipients.count; i++)
		found = address_read(d->srv, d->mail->recipients.items[i], &token);
	if (!found || seat_with_game(d, &token, &seat) != ERR_NONE || seat.player == 0 ||
	    player_get(d->srv->store, seat.player, d->arena, &p) != ERR_NONE ||
	    !span_eq_nocase(p.address, arena_cstr(d->arena, d->mail->from)))
		return false;
	d->player = p;
	return true;
}

enum err sender_know(struct dealing *d)
{
	if (d->mail->from.len == 0 || (d->strange.len == 0 && know_by_reply_address(d)))
		return ERR_NONE;
	enum err rc = player_by_address(d->srv->store, d->mail->from, d->arena, &d->player);
	if (rc != ERR_NOT_FOUND)
		return rc;
	d->player = (struct player){.address = d->mail->from};
	return ERR_NONE;
}

/*
 * A reply address used from an address that is not the player's: what follows is about the player, who
 * may be asked; `strange` remembers that it is not he who speaks.
 */
static enum err strange_address(struct dealing *d, int64_t player)
{
	d->strange = d->mail->from;
	return player_get(d->srv->store, player, d->arena, &d->player);
}

/* The mail that said so may have gone unread. */
enum err sender_tell_of_loss(struct dealing *d, const struct seat *seat)
{
	static const char subject[] = "your seat is no longer yours";
	struct game g;

	TRY(game_get(d->srv->store, seat->game, d->arena, &g));
	const char *id = game_id_text(&g, d->arena);
	if (seat->put_out)
		return dealing_notice(
		    d, NULL, NULL, subject, "list",
		    "The master of %s has put you out of the game, so nothing in your mail was "
		    "carried out. Open games are shown by:",
		    id);
	bool vacant = seat->vacated_utc != 0 && g.status == GAME_RUNNING;
	return dealing_notice(
	    d, NULL, NULL, subject, vacant ? arena_printf(d->arena, "takeover %s", id) : "list",
	    "Nothing had come from you in %s for too long, so you have lost your seat, "
	    "and nothing in your mail was carried out. %s",
	    id,
	    vacant
		? "Nobody has taken it over yet: you get it back with a new mail, not a reply, "
		  "with the line:"
		: "Open games are shown by:");
}

static enum err dead_token(struct dealing *d, const struct seat *seat, bool of_digest)
{
	dealing_verdict(d, "dead-token", "a reply address that is not, or no longer, valid");
	if (!d->may_answer || d->player.id == 0)
		return ERR_NONE;
	if (seat && seat->player != d->player.id && seat->former == d->player.id)
		return sender_tell_of_loss(d, seat);
	if (of_digest)
		return dealing_notice(
		    d, NULL, NULL, "that reply address is no longer valid", "",
		    "Your mail was sent to the reply address of a digest that is no longer "
		    "valid, so nothing in it was carried out. Please answer your newest "
		    "digest instead, or the newest mail of the game.");
	return dealing_notice(
	    d, NULL, NULL, "that reply address is no longer valid", "",
	    "Your mail was sent to a reply address that is no longer valid, so "
	    "nothing in it was carried out. If you still have your seat in that "
	    "game, please answer its newest mail instead.");
}

enum token_found { TOKEN_NONE, TOKEN_GOOD, TOKEN_DONE };

static enum err seat_behind(struct dealing *d, const struct reply_token *t, struct seat *seat,
                            enum token_found *found)
{
	enum err rc = seat_with_game(d, t, seat);

	*found = TOKEN_DONE;
	if (rc == ERR_NOT_FOUND)
		return dead_token(d, NULL, false);
	TRY(rc);
	if (!address_check(d->srv, t, seat) || seat->player == 0)
		return dead_token(d, seat, false);
	*found = TOKEN_GOOD;
	return seat->player == d->player.id ? ERR_NONE : strange_address(d, seat->player);
}

/* The reply address of a digest. */
static enum err player_behind(struct dealing *d, const struct bundle_token *t,
                              enum token_found *found)
{
	struct player p;
	struct bundle b;
	enum err rc = player_get(d->srv->store, t->player, d->arena, &p);

	*found = TOKEN_DONE;
	if (rc == ERR_NOT_FOUND ||
	    (rc == ERR_NONE && (p.forgotten || !address_check_bundle(d->srv, t, &p))))
		return dead_token(d, NULL, true);
	TRY(rc);
	rc = bundle_by_number(d->srv->store, p.id, t->number, &b);
	if (rc == ERR_NOT_FOUND) /* from before the server was set back to a copy */
		return dead_token(d, NULL, true);
	TRY(rc);
	*found = TOKEN_GOOD;
	d->bundle = t->number;
	if (p.id != d->player.id)
		TRY(strange_address(d, p.id));
	d->proven = d->strange.len == 0;
	return ERR_NONE;
}

static enum err read_token(struct dealing *d, enum token_found *found)
{
	struct reply_token token;
	struct seat seat;

	*found = TOKEN_NONE;
	for (size_t i = 0; i < d->mail->recipients.count; i++) {
		struct bundle_token bundle;
		if (address_read_bundle(d->srv, d->mail->recipients.items[i], &bundle))
			return player_behind(d, &bundle, found);
		if (!address_read(d->srv, d->mail->recipients.items[i], &token))
			continue;
		TRY(seat_behind(d, &token, &seat, found));
		if (*found == TOKEN_GOOD) {
			d->game = token.game;
			d->seat = token.seat;
			d->serial = token.serial;
			d->has_serial = true;
			d->proven = d->strange.len == 0;
		}
		return ERR_NONE;
	}
	return ERR_NONE;
}

/*
 * A master without a seat has no reply address; that he answers a mail about his game shows
 * that he has seen it. Whoever else got one without a seat says nothing by answering it.
 */
static enum err is_to_master(struct dealing *d, const struct outbox_mail *row, bool *yes)
{
	struct game game;

	TRY(game_get(d->srv->store, row->game, d->arena, &game));
	*yes = game.master == d->player.id && game.master != 0;
	return ERR_NONE;
}

static enum err row_answered(struct dealing *d, struct span id, struct outbox_mail *row,
                             bool *found)
{
	*found = false;
	if (id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, id, d->arena, row);
	if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(rc);
	if (row->game == 0 || row->player != d->player.id)
		return ERR_NONE;
	*found = row->seat != 0;
	return *found ? ERR_NONE : is_to_master(d, row, found);
}

/* In-Reply-To, then References from the newest back. */
static enum err find_answered(struct dealing *d, struct outbox_mail *row, bool *direct,
                              bool *found)
{
	const struct span_list *refs = &d->mail->references;

	TRY(row_answered(d, d->mail->in_reply_to, row, found));
	*direct = *found;
	for (size_t i = refs->count; i > 0 && !*found && !d->proven; i--)
		TRY(row_answered(d, refs->items[i - 1], row, found));
	return ERR_NONE;
}

static enum err ask_which_turn(struct dealing *d)
{
	dealing_verdict(d, "ambiguous", "reply address and In-Reply-To name different turns");
	if (!d->may_answer)
		return ERR_NONE;
	return dealing_notice(
	    d, NULL, NULL, "which turn did you mean?", "",
	    "The address you wrote to belongs to one turn and the mail you answered "
	    "to another, so nothing was carried out. Please answer the newest report "
	    "of the game you mean, without changing the address.");
}

static void take_thread_of_master(struct dealing *d, const struct outbox_mail *row, bool direct)
{
	if (d->proven)
		return;
	d->game = row->game;
	d->serial = row->serial;
	d->has_serial = direct;
	d->proven = d->strange.len == 0;
}

/*
 * The turn is said by the mail answered; that mail proves something unless TOKEN NEW came after it,
 * and nothing at all once the seat is somebody else's.
 */
static enum err take_thread(struct dealing *d, const struct outbox_mail *row, bool direct)
{
	if (row->seat == 0) {
		take_thread_of_master(d, row, direct);
		return ERR_NONE;
	}
	bool revoked;
	struct seat seat;
	enum err rc = seat_get(d->srv->store, row->game, row->seat, d->arena, &seat);

	if (rc == ERR_NONE && seat.player != d->player.id && seat.former == d->player.id)
		d->lost = seat;
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && seat.player != d->player.id))
		return ERR_NONE;
	TRY(rc);
	TRY(reply_is_revoked(d->srv->store, row->game, row->seat, row->id, &revoked));
	d->game = row->game;
	d->seat = row->seat;
	d->serial = row->serial;
	d->has_serial = direct;
	d->proven = !revoked && d->strange.len == 0;
	return ERR_NONE;
}

/*
 * Without reply addresses a Message-ID takes their place: who answers a mail to somebody else has seen it.
 */
static enum err read_strange_thread(struct dealing *d)
{
	struct outbox_mail row;
	struct seat seat;
	bool revoked;

	if (d->srv->cfg.plus_address || d->mail->in_reply_to.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, d->mail->in_reply_to, d->arena, &row);
	if (rc == ERR_NONE && (row.game == 0 || row.seat == 0 || row.player == d->player.id))
		return ERR_NONE;
	if (rc == ERR_NONE)
		rc = seat_get(d->srv->store, row.game, row.seat, d->arena, &seat);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	TRY(reply_is_revoked(d->srv->store, row.game, row.seat, row.id, &revoked));
	if (revoked || seat.player == 0 || seat.player != row.player)
		return ERR_NONE;
	TRY(strange_address(d, seat.player));
	return take_thread(d, &row, true);
}

/* Whether the mail that is answered is a digest; without reply addresses that says who answers, too. */
static enum err bundle_answered(struct dealing *d, struct bundle *b, bool *found)
{
	struct outbox_mail row;

	*found = false;
	if (d->mail->in_reply_to.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, d->mail->in_reply_to, d->arena, &row);
	if (rc == ERR_NONE)
		rc = bundle_by_outbox(d->srv->store, row.id, b);
	*found = rc == ERR_NONE && (b->player == d->player.id || !d->srv->cfg.plus_address);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err take_bundle(struct dealing *d, const struct bundle *b)
{
	struct player p;

	TRY(player_get(d->srv->store, b->player, d->arena, &p));
	if (b->player != d->player.id) {
		if (b->generation != p.token_generation || p.forgotten)
			return ERR_NONE;
		TRY(strange_address(d, b->player));
	}
	d->bundle = b->number;
	d->proven = d->strange.len == 0 && b->generation == p.token_generation;
	return ERR_NONE;
}

/* A reply address and the digest answered: they must be one. */
static enum err read_bundle(struct dealing *d, bool *found, bool *done)
{
	struct bundle b;

	TRY(bundle_answered(d, &b, found));
	if (!*found)
		return ERR_NONE;
	if (!d->proven)
		return take_bundle(d, &b);
	*done = d->bundle != b.number;
	return *done ? ask_which_turn(d) : ERR_NONE;
}

/* What most orders are: the reply address and the report answered are those of one turn. */
static bool answers_report_of_turn(const struct dealing *d)
{
	const struct hand *h = &d->kept; /* since the reply address was read */
	const struct seat *seat = hand_seat(h, d->seat);

	return d->proven && d->game != 0 && h->game.id == d->game && seat && h->has_turn &&
	       h->turn.serial == d->serial &&
	       post_is_report(d->srv, &h->turn, seat, d->mail->in_reply_to, d->arena);
}

static enum err read_thread(struct dealing *d, bool *done)
{
	struct outbox_mail row;
	bool direct = false, found = false;

	*done = false;
	if (d->strange.len > 0 || answers_report_of_turn(d))
		return ERR_NONE;
	if (d->game == 0) /* not to the reply address of a seat */
		TRY(read_bundle(d, &found, done));
	if (found || d->bundle != 0)
		return ERR_NONE;
	if (d->player.id != 0)
		TRY(find_answered(d, &row, &direct, &found));
	if (!found)
		return d->proven ? ERR_NONE : read_strange_thread(d);
	if (!d->proven)
		return take_thread(d, &row, direct);
	if (!direct || row.seat == 0 ||
	    (row.game == d->game && row.seat == d->seat && row.serial == d->serial))
		return ERR_NONE;
	*done = true;
	return ask_which_turn(d);
}

enum err sender_find_answered(struct dealing *d, bool *done)
{
	enum token_found token;

	TRY(read_token(d, &token));
	*done = token == TOKEN_DONE;
	return *done ? ERR_NONE : read_thread(d, done);
}
