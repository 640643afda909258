/*
 * authenticate.c - mail whose sender may not be who they seem.
 */
#include "processor/request/authenticate.h"

#include "processor/request/seats.h"
#include "processor/request/which_game.h"

#include "processor/base/utf8.h"
#include "processor/request/master.h"

enum { SHOWN_LINES = 60, SHOWN_COLS = 400 };

/* ---- what the mail server found out ---- */

const char *authenticate_remark(struct request *req)
{
	if (!req->who.auth.why || req->who.auth.state != AUTH_FAILED || req->who.settled)
		return NULL;
	return arena_printf(
	    req->arena,
	    "Our mail server could not make sure that this mail comes from where it says (%s). "
	    "If you did not write it, reply with \"TOKEN NEW\", and then with your own orders.",
	    req->who.auth.why);
}

void authenticate_note_results(struct request *req)
{
	static const char *const said[] = {
	    [AUTH_UNSAID] = "unsaid", [AUTH_FAILED] = "failed", [AUTH_PASSED] = "passed"};

	if (req->who.auth.why)
		request_add_detail(req, "sender %s: %s", said[req->who.auth.state],
		                   req->who.auth.why);
	if (req->mail->dkim.domain.len > 0 && req->answer.row.game != 0)
		request_add_detail(req, "signed by %.*s, selector %.*s",
		                   SPAN_ARGS(req->mail->dkim.domain),
		                   SPAN_ARGS(req->mail->dkim.selector));
}

/* ---- whether to ask ---- */

static bool founds_or_joins(enum verb verb)
{
	return verb == CMD_JOIN || verb == CMD_CREATE || verb == CMD_FORK ||
	       verb == CMD_PRACTICE || verb == CMD_REMATCH;
}

static bool watches(enum verb verb)
{
	return verb == CMD_OBSERVE || verb == CMD_MONITOR;
}

static bool votes(enum verb verb)
{
	return verb == CMD_SET_DRAW || verb == CMD_SET_NODRAW || verb == CMD_SET_CONCEDE ||
	       verb == CMD_SET_NOCONCEDE || verb == CMD_VOTE || verb == CMD_REPLACE;
}

/* Commands that change what is stored. What confirms itself by mail, and what shows, is not. */
static bool is_a_change(const struct request *req, enum verb verb)
{
	if (founds_or_joins(verb) || watches(verb))
		return req->who.doubtful;
	if (verb == CMD_SALT) /* with a JOIN it is part of that */
		return !request_item(req, CMD_JOIN);
	return votes(verb) || verb == CMD_RESIGN || verb == CMD_CLEAR || verb == CMD_SET_WAIT ||
	       verb == CMD_SET_NOWAIT || verb == CMD_TOKEN_NEW || verb == CMD_PRESS ||
	       verb == CMD_BROADCAST || verb == CMD_DIARY || verb == CMD_ALWAYS ||
	       verb == CMD_ALWAYS_OFF || verb == CMD_QUEUE || verb == CMD_QUEUE_OFF ||
	       verb == CMD_SET_FALLBACK || verb == CMD_NUDGE || verb == CMD_ASK_FOR;
}

/*
 * The games an item can be about, `about` alone if that is not 0; without any it changes
 * nothing.
 */
static enum err games_meant(struct request *req, int64_t about, struct game **games, size_t *n)
{
	if (about == 0)
		return request_games(req, games, n);
	*games = arena_calloc(req->arena, 1, sizeof(**games));
	enum err rc = game_get(req->srv->store, about, req->arena, *games);
	*n = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* To somebody who has never written to us. */
static bool has_mail_sent(const struct command *item)
{
	return item->verb == CMD_INVITE ||
	       (item->verb == CMD_CREATE && item->create.guests.len > 0);
}

static enum err changes(struct request *req, const struct command *item, int64_t about,
                        bool *yes)
{
	struct game *games;
	size_t n;
	enum tried r;

	*yes = false;
	if (item->verb == CMD_TAKEOVER || item->verb == CMD_SET_ABSENCE ||
	    item->verb == CMD_SET_NOABSENCE || has_mail_sent(item)) {
		*yes = true;
		return ERR_NONE;
	}
	if (founds_or_joins(item->verb) || watches(item->verb)) {
		*yes = is_a_change(req, item->verb);
		return ERR_NONE;
	}
	if (item->verb != CMD_ORDERS && !is_a_change(req, item->verb))
		return ERR_NONE;
	TRY(games_meant(req, about, &games, &n));
	/* With several games and none named the mail only leads to the question which is meant. */
	if (n != 1 && item->game == 0 && !request_item(req, CMD_SIGNON))
		return ERR_NONE;
	*yes = item->verb != CMD_ORDERS && (n > 0 || item->game != 0);
	for (size_t i = 0; i < n && item->verb == CMD_ORDERS && !*yes; i++) {
		TRY(orders_try(req, games[i].id, item->orders, &r));
		*yes = r == TRIED_GOOD;
	}
	return ERR_NONE;
}

/* A reply address of a game speaks for that one, one of a digest for all of the player's. */
static bool is_proven_for(const struct request *req, int64_t about)
{
	return req->who.proven && (req->about.digest != 0 || about == req->about.game);
}

bool authenticate_is_sure(const struct request *req, int64_t about)
{
	/* A From address alone is enough, unless it is to be confirmed. */
	bool proven = req->srv->cfg.known_senders != KNOWN_CONFIRM || is_proven_for(req, about);

	return req->who.settled || (proven && !req->who.doubtful && req->who.strange.len == 0);
}

static enum err must_ask_about(struct request *req, const struct command *item, int64_t about,
                               bool *yes)
{
	/*
	 * What a master does concerns everybody, and an invitation somebody who has never written to us:
	 * neither is ever done on the word of an address.
	 */
	if (!is_proven_for(req, about) || req->who.doubtful) {
		TRY(master_is_meant(req, item, about, yes));
		*yes = *yes || has_mail_sent(item);
	}
	if (*yes || authenticate_is_sure(req, about))
		return ERR_NONE;
	if (req->who.strange.len == 0 || item->verb == CMD_ORDERS)
		return changes(req, item, about, yes);
	*yes = true;
	return ERR_NONE;
}

enum err authenticate_must_ask(struct request *req, bool *yes)
{
	int64_t game =
	    req->about.game; /* as SIGNON lines change it when they are carried out */

	*yes = false;
	if (req->who.settled)
		return ERR_NONE;
	/*
	 * TAKEOVER shows at once what is hidden from others: unlike with JOIN nobody can have the seat
	 * first and confirm later.
	 */
	if (request_item(req, CMD_TAKEOVER) && !req->who.player.confirmed && !req->who.proven &&
	    req->who.strange.len == 0 &&
	    (req->srv->cfg.unknown_senders != UNKNOWN_ACCEPT || req->who.doubtful)) {
		*yes = true;
		return seats_make_known(req);
	}
	if (req->who.player.id == 0)
		return ERR_NONE;
	for (size_t i = 0; i < req->text->nitems && !*yes; i++) {
		const struct command *item = &req->text->items[i];
		if (item->verb == CMD_SIGNON)
			game = item->game;
		TRY(must_ask_about(req, item, item->game != 0 ? item->game : game, yes));
	}
	return ERR_NONE;
}

/* ---- asking ---- */

/* One line with single blanks, so that nothing stands far to the right. True if it is cut. */
static bool add_shown(struct strbuf *out, const char *lead, struct span line)
{
	struct strbuf plain = STRBUF_INIT;
	struct span rest = line, word;

	while (span_next_word(&rest, " \t", &word))
		strbuf_addf(&plain, "%s%.*s", plain.len > 0 ? " " : "", SPAN_ARGS(word));
	struct span shown = utf8_clip(strbuf_span(&plain), SHOWN_COLS);
	bool cut = shown.len < plain.len;
	strbuf_addf(out, "%s%.*s%s\n", lead, SPAN_ARGS(shown), cut ? " ..." : "");
	strbuf_release(&plain);
	return cut;
}

/* What was read of the mail, for the player to recognise; when it is not all they are told. */
static struct span shown_lines(struct request *req)
{
	const struct command_text *l = req->text;
	struct strbuf text = STRBUF_INIT;
	size_t shown = 0, more = 0;
	bool cut = false;

	if (l->nitems > 0 && l->items[0].line == 0)
		cut = add_shown(&text, "Subject: ", l->items[0].text);
	for (size_t i = 0; i < l->nlines; i++) {
		if (l->lines[i].text.len == 0)
			continue;
		if (shown++ < SHOWN_LINES)
			cut |= add_shown(&text, "", l->lines[i].text);
		else
			more++;
	}
	if (more > 0)
		strbuf_addf(&text,
		            more == 1 ? "(and %zu more line)\n" : "(and %zu more lines)\n",
		            more);
	if (more > 0 || cut)
		strbuf_adds(&text,
		            "(That is not all of it; a YES carries out the rest too.)\n");
	return arena_take(req->arena, &text);
}

static const char *why_asked(struct request *req)
{
	bool codes = req->srv->cfg.plus_address;

	if (req->who.strange.len > 0)
		return arena_printf(
		    req->arena,
		    "%s came from another address, %.*s. This is what was read of it:",
		    codes ? "A mail to your reply address"
			  : "An answer to a mail that was sent to you",
		    SPAN_ARGS(req->who.strange));
	if (req->who.doubtful)
		return arena_printf(
		    req->arena,
		    "A mail came with your address as its sender, but our mail server could "
		    "not make sure that it is from there (%s). This is what was read of it:",
		    req->who.auth.why);
	if (req->who.proven)
		return codes ? "A mail to your reply address for one game has lines about "
		               "another game of yours, for which that address does not speak. "
		               "This is what was read of it:"
		             : "An answer to a mail about one game has lines about another "
		               "game of yours, of which that mail proves nothing. This is what "
		               "was read of it:";
	if (req->about.seat != 0)
		return "A mail came with your address as its sender. It answers a mail from "
		       "before your reply address was changed, which anybody may have seen. "
		       "This is what was read of it:";
	return "A mail came with your address as its sender. It was neither sent to a reply "
	       "address of yours nor an answer to a mail of ours, and anybody can write a "
	       "sender's address. This is what was read of it:";
}

/* req->sure_utc is the yes then: what takes effect for others too, and may come too late. */
static const char *what_yes_does(const struct request *req)
{
	for (size_t i = 0; i < req->text->nitems; i++) {
		enum verb verb = req->text->items[i].verb;

		if (verb == CMD_TAKEOVER || verb == CMD_PRESS || verb == CMD_BROADCAST ||
		    votes(verb) || master_needs(verb) != 0)
			return "carried out then; orders in it count as if they had come from "
			       "you when the mail arrived";
	}
	return "carried out as if it had come from you when it arrived";
}

static const char *what_no_does(struct request *req, const struct confirmation *q)
{
	const char *no =
	    q->seat == 0 && !confirmation_is_of_digest(q)
		? "If you reply NO, it is thrown away."
	    : req->srv->cfg.plus_address
		? "If you reply NO, it is thrown away and you get a new reply address, "
		  "because somebody else seems to have this one."
		: "If you reply NO, it is thrown away and answers to the mails you have "
		  "had so far are no longer taken, because somebody else seems to have "
		  "seen them.";

	return arena_printf(
	    req->arena, "Nothing of it has been carried out. If you reply YES, it is %s. %s",
	    what_yes_does(req), no);
}

static enum err send_question(struct request *req, struct match *match, struct seat *seat,
                              const struct confirmation *q)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_game game;

	if (match)
		game = report_values_game(req->srv, match, seat, &req->who.player);
	report_notice(
	    &(struct report_notice){
		.game = match ? &game : NULL,
		.subject = "is this mail from you?",
		.paragraphs = TEXTS(
		    why_asked(req), what_no_does(req, q),
		    "Without an answer it is thrown away after two days. The turn does not "
		    "wait for your answer. Answer this very mail, with the first of these "
		    "lines or the second:"),
		.orders = shown_lines(req),
		.examples = TEXTS("yes", "no")},
	    &out);
	enum err rc = confirmation_post(req, match, seat, q, CONFIRMATION_TO_PLAYER, &out);
	report_out_release(&out);
	return rc;
}

static enum err keep_and_ask(struct request *req, struct confirmation *q)
{
	struct match match = {0};
	struct seat *seat = NULL;

	TRY(confirmation_drop_old(req->srv->store,
	                          req->srv->now_utc - 2 * CONFIRMATION_OPEN_S));
	TRY(confirmation_add(req->srv->store, q));
	if (q->game == 0)
		return send_question(req, NULL, NULL, q);
	enum err rc = match_load(req->srv, q->game, req->arena, &match);
	for (size_t i = 0; rc == ERR_NONE && i < match.nseats && !seat; i++)
		if (match.seats[i].player == req->who.player.id &&
		    (q->seat == 0 || match.seats[i].seat == q->seat))
			seat = &match.seats[i];
	if (rc == ERR_NONE)
		rc = send_question(req, &match, seat, q);
	match_release(&match);
	return rc;
}

enum err authenticate_ask(struct request *req, struct span text)
{
	struct game *games;
	size_t n;
	bool allowed;
	struct confirmation q = {
	    .kind = CONFIRMATION_MAIL,
	    .player = req->who.player.id,
	    .address = req->mail->from,
	    .game = req->about.game,
	    .serial = req->about.digest != 0 ? req->about.digest : req->about.serial,
	    .seat = req->about.seat,
	    .names_turn = req->about.has_serial || req->about.digest != 0,
	    .arrived_utc = req->arrived_utc,
	    .asked_utc = req->srv->now_utc,
	    .mail = req->inbox_id,
	    .text = span_of(arena_printf(req->arena, "%.*s\n%.*s",
	                                 SPAN_ARGS(req->mail->subject), SPAN_ARGS(text))),
	};

	request_forget_match(req);
	/* About the game answered, none with a digest, else the player's only one. */
	if (q.game == 0 && req->about.digest == 0) {
		TRY(request_games(req, &games, &n));
		q.game = n == 1 ? games[0].id : 0;
	}
	TRY(confirmation_allowed(req, CONFIRMATION_MAIL, req->who.player.address, &allowed));
	request_verdict(req, allowed ? "held" : "held-flood",
	                allowed ? "waits for the player's yes"
	                        : "too many such mails today: thrown away, nobody asked");
	return allowed ? keep_and_ask(req, &q) : ERR_NONE;
}

enum err authenticate_tell_of_strange(struct request *req)
{
	struct match match;
	bool allowed;

	request_verdict(req, "strange-address",
	                "a reply address used from an address that is not its player's");
	if (!req->answer.allowed)
		return ERR_NONE;
	TRY(confirmation_allowed(req, CONFIRMATION_MAIL, req->who.player.address, &allowed));
	if (!allowed)
		return ERR_NONE;
	if (req->about.game == 0)
		return request_notice(
		    req, NULL, NULL, "mail from another address", "token new",
		    "A mail to the reply address of your digests came from another address, "
		    "%.*s. Nothing in it was understood, so nothing was carried out. If it was "
		    "not you who wrote it, ask for a new reply address by answering your "
		    "newest digest with the line below.",
		    SPAN_ARGS(req->who.strange));
	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	if (rc == ERR_NONE)
		rc = request_notice(
		    req, &match, match_seat(&match, req->about.seat),
		    "mail from another address", "token new",
		    "A mail to your reply address for this game came from another address, "
		    "%.*s. Nothing in it was understood, so nothing was carried out. If it was "
		    "not you who wrote it, ask for a new reply address by answering with the "
		    "line below.",
		    SPAN_ARGS(req->who.strange));
	match_release(&match);
	return rc;
}
