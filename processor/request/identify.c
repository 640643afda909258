/*
 * identify.c - who sends the mail in hand, and what it answers.
 */
#include "processor/request/identify.h"

#include "processor/base/utf8.h"
#include "processor/outgoing/outgoing.h"
#include "processor/request/answered_mails.h"
#include "processor/request/which_game.h"
#include "processor/server/reply_address.h"
#include "store/addresses.h"
#include "store/digests.h"

void identify_judge(struct request *req)
{
	const struct config *cfg = &req->srv->cfg;

	if (!cfg->authserv_id || cfg->authentication == AUTHENTICATION_IGNORE)
		return;
	req->who.auth = auth_results_judge(req->mail->auth_results, span_of(cfg->authserv_id),
	                                   req->mail->from, req->arena);
	req->who.doubtful = cfg->authentication == AUTHENTICATION_REQUIRE &&
	                    req->who.auth.state != AUTH_PASSED;
}

/* With the rest of its game, which the mail is nearly always about. */
static enum err seat_with_game(struct request *req, const struct reply_token *t,
                               struct seat *out)
{
	struct match *match;

	if (request_match(req, t->game, &match) != ERR_NONE) /* may not matter to this mail */
		return seat_get(req->srv->store, t->game, t->seat, req->arena, out);
	const struct seat *seat = match_seat(match, t->seat);
	if (seat)
		*out = *seat;
	return seat ? ERR_NONE : ERR_NOT_FOUND;
}

/*
 * Whoever answers is nearly always at the address that the reply address is of: then they are found by their
 * seat, in a game that is needed anyway, and not among all addresses. Whether the reply address is
 * good does not matter yet; what cannot be had is asked for again, and its error told, when it is needed.
 */
static bool know_by_reply_address(struct request *req)
{
	const struct recipient *to = req->recipients;
	size_t n = req->mail->recipients.count, i = 0;
	struct player p;

	while (i < n && to[i].kind != RECIPIENT_SEAT)
		i++;
	if (i == n ||
	    player_at_seat(req->srv->store, to[i].seat.game, to[i].seat.seat, req->arena, &p) !=
	        ERR_NONE ||
	    !span_eq_nocase(p.address, arena_cstr(req->arena, req->mail->from)))
		return false;
	req->who.player = p;
	return true;
}

enum err identify_sender(struct request *req)
{
	if (req->mail->from.len == 0 ||
	    (req->who.strange.len == 0 && know_by_reply_address(req)))
		return ERR_NONE;
	enum err rc =
	    player_by_address(req->srv->store, req->mail->from, req->arena, &req->who.player);
	if (rc != ERR_NOT_FOUND)
		return rc;
	req->who.player = (struct player){.address = req->mail->from};
	return ERR_NONE;
}

/*
 * A reply address used from an address that is not the player's: what follows is about the player, who
 * may be asked; `strange` remembers that it is not them who speaks.
 */
static enum err strange_address(struct request *req, int64_t player)
{
	req->who.strange = req->mail->from;
	return player_get(req->srv->store, player, req->arena, &req->who.player);
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
		    "The master of %s removed you from the game, so nothing in your mail was "
		    "carried out. To see the open games, send:",
		    id);
	bool vacant = seat->vacated_utc != 0 && g.status == GAME_RUNNING;
	return request_notice(
	    req, NULL, NULL, subject,
	    vacant ? arena_printf(req->arena, "takeover %s", id) : "list",
	    "You have lost your seat in %s, so nothing in your mail was carried out. %s", id,
	    vacant
		? "Nobody has taken it over yet: you get it back with a new mail, not a reply, "
		  "with the line:"
		: "To see the open games, send:");
}

static enum err dead_token(struct request *req, const struct seat *seat, bool of_digest)
{
	request_verdict(req, "dead-token", "a reply address that is not, or no longer, valid");
	if (!req->answer.allowed || req->who.player.id == 0)
		return ERR_NONE;
	if (seat && seat->player != req->who.player.id && seat->former == req->who.player.id)
		return identify_tell_of_loss(req, seat);
	if (of_digest)
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
	return seat->player == req->who.player.id ? ERR_NONE
	                                          : strange_address(req, seat->player);
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
	req->about.digest = t->number;
	if (p.id != req->who.player.id)
		TRY(strange_address(req, p.id));
	req->who.proven = req->who.strange.len == 0;
	return ERR_NONE;
}

static enum err read_token(struct request *req, enum token_found *found)
{
	struct seat seat;

	*found = TOKEN_NONE;
	for (size_t i = 0; i < req->mail->recipients.count; i++) {
		const struct recipient *to = &req->recipients[i];

		if (to->kind == RECIPIENT_DIGEST)
			return player_behind(req, &to->digest, found);
		if (to->kind != RECIPIENT_SEAT)
			continue;
		TRY(seat_behind(req, &to->seat, &seat, found));
		if (*found == TOKEN_GOOD) {
			req->about.game = to->seat.game;
			req->about.seat = to->seat.seat;
			req->about.serial = to->seat.serial;
			req->about.has_serial = true;
			req->who.proven = req->who.strange.len == 0;
		}
		return ERR_NONE;
	}
	return ERR_NONE;
}

static enum err row_answered(struct request *req, struct span id, struct outbox_mail *row,
                             bool *found)
{
	struct game game;

	TRY(mail_of_ours(req, id, row, found));
	*found = *found && row->game != 0 && row->player == req->who.player.id;
	if (!*found || row->seat != 0)
		return ERR_NONE;
	/*
	 * A master without a seat has no reply address; that they answer a mail about their game shows
	 * that they have seen it. Whoever else got one without a seat says nothing by answering it.
	 */
	TRY(game_get(req->srv->store, row->game, req->arena, &game));
	*found = game.master == req->who.player.id && game.master != 0;
	return ERR_NONE;
}

static enum err ask_which_turn(struct request *req)
{
	request_verdict(req, "ambiguous", "reply address and In-Reply-To name different turns");
	if (!req->answer.allowed)
		return ERR_NONE;
	return request_notice(
	    req, NULL, NULL, "which turn did you mean?", "",
	    "The address you wrote to belongs to one turn and the mail you answered "
	    "to another, so nothing was carried out. Please answer the newest report "
	    "of the game you mean, without changing the address.");
}

/*
 * The turn is said by the mail answered; that mail proves something unless TOKEN NEW came after it,
 * and nothing at all once the seat is somebody else's.
 */
static enum err take_thread(struct request *req, const struct outbox_mail *row, bool direct)
{
	bool revoked = false;

	if (row->seat != 0) {
		struct seat seat;
		enum err rc =
		    seat_get(req->srv->store, row->game, row->seat, req->arena, &seat);

		if (rc == ERR_NONE && seat.player != req->who.player.id &&
		    seat.former == req->who.player.id)
			req->about.lost = seat;
		if (rc == ERR_NOT_FOUND ||
		    (rc == ERR_NONE && seat.player != req->who.player.id))
			return ERR_NONE;
		TRY(rc);
		TRY(reply_is_revoked(req->srv->store, row->game, row->seat, row->id, &revoked));
	}
	req->about.game = row->game;
	req->about.seat = row->seat;
	req->about.serial = row->serial;
	req->about.has_serial = direct;
	req->who.proven = !revoked && req->who.strange.len == 0;
	return ERR_NONE;
}

/*
 * Without reply addresses a Message-ID takes their place: who answers a mail to somebody else has seen it.
 */
static enum err read_strange_thread(struct request *req)
{
	struct outbox_mail row;
	struct seat seat;
	bool revoked, ours;

	if (req->srv->cfg.plus_address)
		return ERR_NONE;
	TRY(mail_of_ours(req, req->mail->in_reply_to, &row, &ours));
	if (!ours || row.game == 0 || row.seat == 0 || row.player == req->who.player.id)
		return ERR_NONE;
	enum err rc = seat_get(req->srv->store, row.game, row.seat, req->arena, &seat);
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

	TRY(mail_of_ours(req, req->mail->in_reply_to, &row, found));
	if (!*found)
		return ERR_NONE;
	enum err rc = digest_by_outbox(req->srv->store, row.id, b);
	*found = rc == ERR_NONE &&
	         (b->player == req->who.player.id || !req->srv->cfg.plus_address);
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* A reply address and the digest answered: they must be one. */
static enum err read_digest(struct request *req, bool *found, bool *done)
{
	struct digest b;

	TRY(digest_answered(req, &b, found));
	if (!*found)
		return ERR_NONE;
	if (!req->who.proven) {
		struct player p;

		TRY(player_get(req->srv->store, b.player, req->arena, &p));
		if (b.player != req->who.player.id) {
			if (b.generation != p.token_generation || p.forgotten)
				return ERR_NONE;
			TRY(strange_address(req, b.player));
		}
		req->about.digest = b.number;
		req->who.proven = req->who.strange.len == 0 &&
		                  b.generation == p.token_generation;
		return ERR_NONE;
	}
	*done = req->about.digest != b.number;
	return *done ? ask_which_turn(req) : ERR_NONE;
}

/* What most orders are: the reply address and the report answered are those of one turn. */
static bool answers_report_of_turn(const struct request *req)
{
	const struct match *match = &req->match; /* since the reply address was read */
	const struct seat *seat = match_seat(match, req->about.seat);

	return req->who.proven && req->about.game != 0 && match->game.id == req->about.game &&
	       seat && match->has_turn && match->turn.serial == req->about.serial &&
	       outgoing_is_report(req->srv, &match->turn, seat, req->mail->in_reply_to,
	                          req->arena);
}

static enum err read_thread(struct request *req, bool *done)
{
	struct outbox_mail row;
	bool direct = false, found = false;

	*done = false;
	if (req->who.strange.len > 0 || answers_report_of_turn(req))
		return ERR_NONE;
	if (req->about.game == 0) /* not to the reply address of a seat */
		TRY(read_digest(req, &found, done));
	if (found || req->about.digest != 0)
		return ERR_NONE;
	const struct span *ids;
	size_t n = req->who.player.id != 0 ? answered_ids(req, &ids) : 0;
	for (size_t i = 0; i < n && !found && (i == 0 || !req->who.proven); i++) {
		TRY(row_answered(req, ids[i], &row, &found));
		direct = found && i == 0;
	}
	if (!found)
		return req->who.proven ? ERR_NONE : read_strange_thread(req);
	if (!req->who.proven)
		return take_thread(req, &row, direct);
	if (!direct || row.seat == 0 ||
	    (row.game == req->about.game && row.seat == req->about.seat &&
	     row.serial == req->about.serial))
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

/* ---- what changes while the mail is carried out ---- */

enum err identify_held_mail(struct request *req, const struct confirmation *q, bool *fits)
{
	*fits = q->seat == 0;
	if (q->seat != 0) {
		struct seat seat;
		enum err rc = seat_get(req->srv->store, q->game, q->seat, req->arena, &seat);

		*fits = rc == ERR_NONE && seat.player == req->who.player.id;
		TRY(rc == ERR_NOT_FOUND ? ERR_NONE : rc);
	}
	if (!*fits)
		return request_notice(
		    req, NULL, NULL, "your seat is no longer yours", "list",
		    "The mail you have said yes to was about a seat that is no longer yours, "
		    "so nothing was carried out. To see your games, send:");
	struct mail_in *held = arena_calloc(req->arena, 1, sizeof(*held));
	size_t end = span_find_char(q->text, '\n');

	*held = *req->mail;
	held->subject = span_slice(q->text, 0, end);
	held->texts = arena_calloc(req->arena, 1, sizeof(*held->texts));
	held->texts[0].text = span_slice(q->text, end + 1, q->text.len);
	held->ntexts = 1;
	held->fault = MAIL_OK;
	req->mail = req->whole = held;
	req->who.settled = req->who.proven = true;
	req->about.game = q->seat > 0 ? q->game : 0;
	req->about.seat = q->seat;
	req->about.digest = confirmation_is_of_digest(q) ? q->serial : 0;
	req->about.serial = confirmation_is_of_digest(q) ? 0 : q->serial;
	req->about.has_serial = q->names_turn && !confirmation_is_of_digest(q);
	req->arrived_utc = q->arrived_utc;
	return ERR_NONE;
}

void identify_robot(struct request *req, const struct robot *robot)
{
	req->who.robot = *robot;
}

void identify_settled(struct request *req)
{
	req->who.settled = true;
}

void identify_player(struct request *req, const struct player *p)
{
	req->who.player = *p;
}

void identify_game(struct request *req, int64_t game, unsigned seat)
{
	req->about.game = game;
	req->about.seat = seat;
}

void identify_signed_on(struct request *req, int64_t game, unsigned seat)
{
	identify_game(req, game, seat);
	req->about.has_serial = false;
}

void identify_digest(struct request *req, unsigned number)
{
	req->about.digest = number;
	req->who.proven = true;
}

bool address_is_ours(const struct server *srv, struct span address)
{
	size_t at = span_find_char(address, '@');
	struct span local = span_slice(address, 0, at);
	struct span domain = span_slice(address, at + 1, address.len);

	local = span_slice(local, 0, span_find_char(local, '+'));
	return utf8_eq_folded(local, address_local(&srv->cfg)) &&
	       utf8_eq_folded(domain, address_domain(&srv->cfg));
}
