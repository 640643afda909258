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
static enum err seat_with_game(struct request *req, const struct reply_token *t,
                               struct seat *out)
{
	struct match match;

	if (request_load_match(req, t->game, &match) !=
	    ERR_NONE) /* that may not matter to this mail */
		return seat_get(req->srv->store, t->game, t->seat, req->arena, out);
	const struct seat *seat = match_seat(&match, t->seat);
	if (seat)
		*out = *seat;
	request_keep_match(req, &match);
	return seat ? ERR_NONE : ERR_NOT_FOUND;
}

/*
 * Whoever answers is nearly always at the address that the reply address is of: then he is found by his
 * number, with a game that is needed anyway, and not among all addresses. Whether the reply address is
 * good does not matter yet; what cannot be had is asked for again, and its error told, when it is needed.
 */
static bool know_by_reply_address(struct request *req)
{
	struct reply_token token;
	struct seat seat;
	struct player p;
	bool found = false;

	for (size_t i = 0; !found && i < req->mail->recipients.count; i++)
		found = address_read(req->srv, req->mail->recipients.items[i], &token);
	if (!found || seat_with_game(req, &token, &seat) != ERR_NONE || seat.player == 0 ||
	    player_get(req->srv->store, seat.player, req->arena, &p) != ERR_NONE ||
	    !span_eq_nocase(p.address, arena_cstr(req->arena, req->mail->from)))
		return false;
	req->player = p;
	return true;
}

enum err identify_sender(struct request *req)
{
	if (req->mail->from.len == 0 || (req->strange.len == 0 && know_by_reply_address(req)))
		return ERR_NONE;
	enum err rc =
	    player_by_address(req->srv->store, req->mail->from, req->arena, &req->player);
	if (rc != ERR_NOT_FOUND)
		return rc;
	req->player = (struct player){.address = req->mail->from};
	return ERR_NONE;
}

/*
 * A reply address used from an address that is not the player's: what follows is about the player, who
 * may be asked; `strange` remembers that it is not he who speaks.
 */
static enum err strange_address(struct request *req, int64_t player)
{
	req->strange = req->mail->from;
	return player_get(req->srv->store, player, req->arena, &req->player);
}

/* The mail that said so may have gone unread. */
enum err identify_tell_of_loss(struct request *req, const struct seat *seat)
{
	static const char subject[] = "your seat is no longer yours";
	struct game g;

	TRY(game_get(req->srv->store, seat->game, req->arena, &g));
	const char *id = game_id_text(&g, req->arena);
	if (seat->put_out)
		return request_notice(
		    req, NULL, NULL, subject, "list",
		    "The master of %s has put you out of the game, so nothing in your mail was "
		    "carried out. Open games are shown by:",
		    id);
	bool vacant = seat->vacated_utc != 0 && g.status == GAME_RUNNING;
	return request_notice(
	    req, NULL, NULL, subject,
	    vacant ? arena_printf(req->arena, "takeover %s", id) : "list",
	    "Nothing had come from you in %s for too long, so you have lost your seat, "
	    "and nothing in your mail was carried out. %s",
	    id,
	    vacant
		? "Nobody has taken it over yet: you get it back with a new mail, not a reply, "
		  "with the line:"
		: "Open games are shown by:");
}

static enum err dead_token(struct request *req, const struct seat *seat, bool of_hash)
{
	request_verdict(req, "dead-token", "a reply address that is not, or no longer, valid");
	if (!req->may_answer || req->player.id == 0)
		return ERR_NONE;
	if (seat && seat->player != req->player.id && seat->former == req->player.id)
		return identify_tell_of_loss(req, seat);
	if (of_hash)
		return request_notice(
		    req, NULL, NULL, "that reply address is no longer valid", "",
		    "Your mail was sent to the reply address of a digest that is no longer "
		    "valid, so nothing in it was carried out. Please answer your newest "
		    "digest instead, or the newest mail of the game.");
	return request_notice(
	    req, NULL, NULL, "that reply address is no longer valid", "",
	    "Your mail was sent to a reply address that is no longer valid, so "
	    "nothing in it was carried out. If you still have your seat in that "
	    "game, please answer its newest mail instead.");
}

enum token_found { TOKEN_NONE, TOKEN_GOOD, TOKEN_DONE };

static enum err seat_behind(struct request *req, const struct reply_token *t, struct seat *seat,
                            enum token_found *found)
{
	enum err rc = seat_with_game(req, t, seat);

	*found = TOKEN_DONE;
	if (rc == ERR_NOT_FOUND)
		return dead_token(req, NULL, false);
	TRY(rc);
	if (!address_check(req->srv, t, seat) || seat->player == 0)
		return dead_token(req, seat, false);
	*found = TOKEN_GOOD;
	return seat->player == req->player.id ? ERR_NONE : strange_address(req, seat->player);
}

/* The reply address of a digest. */
static enum err player_behind(struct request *req, const struct digest_token *t,
                              enum token_found *found)
{
	struct player p;
	struct digest b;
	enum err rc = player_get(req->srv->store, t->player, req->arena, &p);

	*found = TOKEN_DONE;
	if (rc == ERR_NOT_FOUND ||
	    (rc == ERR_NONE && (p.forgotten || !address_check_digest(req->srv, t, &p))))
		return dead_token(req, NULL, true);
	TRY(rc);
	rc = digest_by_number(req->srv->store, p.id, t->number, &b);
	if (rc == ERR_NOT_FOUND) /* from before the server was set back to a copy */
		return dead_token(req, NULL, true);
	TRY(rc);
	*found = TOKEN_GOOD;
	req->digest = t->number;
	if (p.id != req->player.id)
		TRY(strange_address(req, p.id));
	req->proven = req->strange.len == 0;
	return ERR_NONE;
}

static enum err read_token(struct request *req, enum token_found *found)
{
	struct reply_token token;
	struct seat seat;

	*found = TOKEN_NONE;
	for (size_t i = 0; i < req->mail->recipients.count; i++) {
		struct digest_token digest;
		if (address_read_digest(req->srv, req->mail->recipients.items[i], &digest))
			return player_behind(req, &digest, found);
		if (!address_read(req->srv, req->mail->recipients.items[i], &token))
			continue;
		TRY(seat_behind(req, &token, &seat, found));
		if (*found == TOKEN_GOOD) {
			req->game = token.game;
			req->seat = token.seat;
			req->serial = token.serial;
			req->has_serial = true;
			req->proven = req->strange.len == 0;
		}
		return ERR_NONE;
	}
	return ERR_NONE;
}

/*
 * A master without a seat has no reply address; that he answers a mail about his game shows
 * that he has seen it. Whoever else got one without a seat says nothing by answering it.
 */
static enum err is_to_master(struct request *req, const struct outbox_mail *row, bool *yes)
{
	struct game game;

	TRY(game_get(req->srv->store, row->game, req->arena, &game));
	*yes = game.master == req->player.id && game.master != 0;
	return ERR_NONE;
}

static enum err row_answered(struct request *req, struct span id, struct outbox_mail *row,
                             bool *found)
{
	*found = false;
	if (id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(req->srv->store, id, req->arena, row);
	if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(rc);
	if (row->game == 0 || row->player != req->player.id)
		return ERR_NONE;
	*found = row->seat != 0;
	return *found ? ERR_NONE : is_to_master(req, row, found);
}

/* In-Reply-To, then References from the newest back. */
static enum err find_answered(struct request *req, struct outbox_mail *row, bool *direct,
                              bool *found)
{
	const struct span_list *refs = &req->mail->references;

	TRY(row_answered(req, req->mail->in_reply_to, row, found));
	*direct = *found;
	for (size_t i = refs->count; i > 0 && !*found && !req->proven; i--)
		TRY(row_answered(req, refs->items[i - 1], row, found));
	return ERR_NONE;
}

static enum err ask_which_turn(struct request *req)
{
	request_verdict(req, "ambiguous", "reply address and In-Reply-To name different turns");
	if (!req->may_answer)
		return ERR_NONE;
	return request_notice(
	    req, NULL, NULL, "which turn did you mean?", "",
	    "The address you wrote to belongs to one turn and the mail you answered "
	    "to another, so nothing was carried out. Please answer the newest report "
	    "of the game you mean, without changing the address.");
}

static void take_thread_of_master(struct request *req, const struct outbox_mail *row,
                                  bool direct)
{
	if (req->proven)
		return;
	req->game = row->game;
	req->serial = row->serial;
	req->has_serial = direct;
	req->proven = req->strange.len == 0;
}

/*
 * The turn is said by the mail answered; that mail proves something unless TOKEN NEW came after it,
 * and nothing at all once the seat is somebody else's.
 */
static enum err take_thread(struct request *req, const struct outbox_mail *row, bool direct)
{
	if (row->seat == 0) {
		take_thread_of_master(req, row, direct);
		return ERR_NONE;
	}
	bool revoked;
	struct seat seat;
	enum err rc = seat_get(req->srv->store, row->game, row->seat, req->arena, &seat);

	if (rc == ERR_NONE && seat.player != req->player.id && seat.former == req->player.id)
		req->lost = seat;
	if (rc == ERR_NOT_FOUND || (rc == ERR_NONE && seat.player != req->player.id))
		return ERR_NONE;
	TRY(rc);
	TRY(reply_is_revoked(req->srv->store, row->game, row->seat, row->id, &revoked));
	req->game = row->game;
	req->seat = row->seat;
	req->serial = row->serial;
	req->has_serial = direct;
	req->proven = !revoked && req->strange.len == 0;
	return ERR_NONE;
}

/*
 * Without reply addresses a Message-ID takes their place: who answers a mail to somebody else has seen it.
 */
static enum err read_strange_thread(struct request *req)
{
	struct outbox_mail row;
	struct seat seat;
	bool revoked;

	if (req->srv->cfg.plus_address || req->mail->in_reply_to.len == 0)
		return ERR_NONE;
	enum err rc =
	    outbox_by_message_id(req->srv->store, req->mail->in_reply_to, req->arena, &row);
	if (rc == ERR_NONE && (row.game == 0 || row.seat == 0 || row.player == req->player.id))
		return ERR_NONE;
	if (rc == ERR_NONE)
		rc = seat_get(req->srv->store, row.game, row.seat, req->arena, &seat);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	TRY(reply_is_revoked(req->srv->store, row.game, row.seat, row.id, &revoked));
	if (revoked || seat.player == 0 || seat.player != row.player)
		return ERR_NONE;
	TRY(strange_address(req, seat.player));
	return take_thread(req, &row, true);
}

/* Whether the mail that is answered is a digest; without reply addresses that says who answers, too. */
static enum err digest_answered(struct request *req, struct digest *b, bool *found)
{
	struct outbox_mail row;

	*found = false;
	if (req->mail->in_reply_to.len == 0)
		return ERR_NONE;
	enum err rc =
	    outbox_by_message_id(req->srv->store, req->mail->in_reply_to, req->arena, &row);
	if (rc == ERR_NONE)
		rc = digest_by_outbox(req->srv->store, row.id, b);
	*found = rc == ERR_NONE && (b->player == req->player.id || !req->srv->cfg.plus_address);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err take_digest(struct request *req, const struct digest *b)
{
	struct player p;

	TRY(player_get(req->srv->store, b->player, req->arena, &p));
	if (b->player != req->player.id) {
		if (b->generation != p.token_generation || p.forgotten)
			return ERR_NONE;
		TRY(strange_address(req, b->player));
	}
	req->digest = b->number;
	req->proven = req->strange.len == 0 && b->generation == p.token_generation;
	return ERR_NONE;
}

/* A reply address and the digest answered: they must be one. */
static enum err read_digest(struct request *req, bool *found, bool *done)
{
	struct digest b;

	TRY(digest_answered(req, &b, found));
	if (!*found)
		return ERR_NONE;
	if (!req->proven)
		return take_digest(req, &b);
	*done = req->digest != b.number;
	return *done ? ask_which_turn(req) : ERR_NONE;
}

/* What most orders are: the reply address and the report answered are those of one turn. */
static bool answers_report_of_turn(const struct request *req)
{
	const struct match *match = &req->kept; /* since the reply address was read */
	const struct seat *seat = match_seat(match, req->seat);

	return req->proven && req->game != 0 && match->game.id == req->game && seat &&
	       match->has_turn && match->turn.serial == req->serial &&
	       outgoing_is_report(req->srv, &match->turn, seat, req->mail->in_reply_to,
	                          req->arena);
}

static enum err read_thread(struct request *req, bool *done)
{
	struct outbox_mail row;
	bool direct = false, found = false;

	*done = false;
	if (req->strange.len > 0 || answers_report_of_turn(req))
		return ERR_NONE;
	if (req->game == 0) /* not to the reply address of a seat */
		TRY(read_digest(req, &found, done));
	if (found || req->digest != 0)
		return ERR_NONE;
	if (req->player.id != 0)
		TRY(find_answered(req, &row, &direct, &found));
	if (!found)
		return req->proven ? ERR_NONE : read_strange_thread(req);
	if (!req->proven)
		return take_thread(req, &row, direct);
	if (!direct || row.seat == 0 ||
	    (row.game == req->game && row.seat == req->seat && row.serial == req->serial))
		return ERR_NONE;
	*done = true;
	return ask_which_turn(req);
}

enum err identify_answered(struct request *req, bool *done)
{
	enum token_found token;

	TRY(read_token(req, &token));
	*done = token == TOKEN_DONE;
	return *done ? ERR_NONE : read_thread(req, done);
}
