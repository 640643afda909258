/*
 * dispatch.c - from a parsed mail to commands carried out.
 */
#include "processor/intake/dispatch.h"

#include <ctype.h>
#include <string.h>

#include "mail/text/date.h"
#include "processor/base/step.h"
#include "processor/base/utf8.h"
#include "processor/clauses/clauses.h"
#include "processor/commands/commands.h"
#include "processor/commandtext/digest_form.h"
#include "processor/commandtext/loose_commands.h"
#include "processor/intake/choose_text.h"
#include "processor/intake/newcomers.h"
#include "processor/intake/write_back.h"
#include "processor/master/master.h"
#include "processor/outgoing/round_trip.h"
#include "processor/request/answered_mails.h"
#include "processor/request/authenticate.h"
#include "processor/request/automatic.h"
#include "processor/request/confirmation.h"
#include "processor/request/identify.h"
#include "processor/request/meant.h"
#include "processor/request/request.h"
#include "processor/request/seats.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"
#include "processor/server/reply_address.h"
#include "store/sender_counts.h"
#include "store/unread_clauses.h"

/* The command table: one row per verb. What a line means stands in grammar.c. */
static const struct {
	command_fn *line;
	game_command_fn *of_game;
	order_entry_fn *of_turn, *of_seat;
} verbs[] = {
    [CMD_ORDERS] = {.line = do_orders},
    [CMD_HELP] = {.line = do_help},
    [CMD_LIST] = {.line = do_list},
    [CMD_JOIN] = {.line = do_join},
    [CMD_CREATE] = {.line = do_create},
    [CMD_RESIGN] = {.line = do_resign},
    [CMD_STATUS] = {.line = do_status},
    [CMD_MY_GAMES] = {.line = do_my_games},
    [CMD_CLEAR] = {.of_turn = do_clear},
    [CMD_CHECK] = {.of_turn = do_check},
    [CMD_PREVIEW] = {.of_turn = do_preview},
    [CMD_SET_WAIT] = {.of_turn = do_wait},
    [CMD_SET_NOWAIT] = {.of_turn = do_wait},
    [CMD_YES] = {.line = do_confirm},
    [CMD_NO] = {.line = do_confirm},
    [CMD_TOKEN_NEW] = {.line = do_token},
    [CMD_SALT] = {.line = do_salt},
    [CMD_HISTORY] = {.of_game = do_history},
    [CMD_SUMMARY] = {.of_game = do_summary},
    [CMD_ARCHIVE] = {.of_game = do_archive},
    [CMD_ANALYSE] = {.of_game = do_analyse},
    [CMD_RESEND] = {.line = do_resend},
    [CMD_SET_ZONE] = {.line = do_zone},
    [CMD_ALSO] = {.line = do_also},
    [CMD_ADDRESS] = {.line = do_also},
    [CMD_VERIFY] = {.line = do_verify},
    [CMD_PRESS] = {.of_game = do_press},
    [CMD_BROADCAST] = {.of_game = do_press},
    [CMD_DIARY] = {.of_game = do_press},
    [CMD_OBSERVE] = {.line = do_observe},
    [CMD_MONITOR] = {.line = do_observe},
    [CMD_UNOBSERVE] = {.line = do_unobserve},
    [CMD_TAKEOVER] = {.line = do_takeover},
    [CMD_SET_QUIET] = {.line = do_quiet},
    [CMD_SET_MAIL] = {.line = do_mail},
    [CMD_SET_WIDTH] = {.line = do_form},
    [CMD_SET_BOARD] = {.line = do_form},
    [CMD_SET_PROOF] = {.line = do_form},
    [CMD_SET_REMINDERS] = {.line = do_form},
    [CMD_SET_PUZZLE] = {.line = do_form},
    [CMD_INVITE] = {.line = do_invite},
    [CMD_SET_INVITES] = {.line = do_set_invites},
    [CMD_NUDGE] = {.of_game = do_nudge},
    [CMD_THANKS] = {.line = do_thanks},
    [CMD_FORK] = {.of_game = do_fork},
    [CMD_PRACTICE] = {.of_game = do_fork},
    [CMD_SET_GRACE] = {.line = do_master},
    [CMD_SET_START] = {.line = do_master},
    [CMD_SET_DEADLINE] = {.line = do_master},
    [CMD_PAUSE] = {.line = do_master},
    [CMD_RESUME] = {.line = do_master},
    [CMD_PROCESS] = {.line = do_master},
    [CMD_ROLLBACK] = {.line = do_master},
    [CMD_EJECT] = {.line = do_master},
    [CMD_PROMOTE] = {.line = do_master},
    [CMD_DEMOTE] = {.line = do_master},
    [CMD_ALLOW] = {.line = do_master},
    [CMD_DENY] = {.line = do_master},
    [CMD_BECOME] = {.line = do_master},
    [CMD_REPLACE] = {.line = do_master},
    [CMD_TERMINATE] = {.line = do_master},
    [CMD_FORCE_BEGIN] = {.line = do_master},
    [CMD_START_WITH_BOTS] = {.line = do_master},
    [CMD_OFFICIAL] = {.line = do_master},
    [CMD_SET_DRAW] = {.of_game = do_vote},
    [CMD_SET_NODRAW] = {.of_game = do_vote},
    [CMD_SET_CONCEDE] = {.of_game = do_vote},
    [CMD_SET_NOCONCEDE] = {.of_game = do_vote},
    [CMD_VOTE] = {.of_game = do_vote},
    [CMD_ASK_FOR] = {.of_game = do_ask_for},
    [CMD_RATINGS] = {.line = do_ratings},
    [CMD_WHO] = {.line = do_who},
    [CMD_REMATCH] = {.line = do_rematch},
    [CMD_ALWAYS] = {.line = do_always},
    [CMD_ALWAYS_OFF] = {.of_seat = do_always_off},
    [CMD_QUEUE] = {.line = do_queue},
    [CMD_QUEUE_OFF] = {.of_seat = do_queue_off},
    [CMD_SET_FALLBACK] = {.of_seat = do_fallback},
    [CMD_SET_ABSENCE] = {.line = do_absence},
    [CMD_SET_NOABSENCE] = {.line = do_absence_end},
};

static enum err carry_out_line(struct request *req, const struct command *item)
{
	order_entry_fn *of_turn = verbs[item->verb].of_turn,
		       *of_seat = verbs[item->verb].of_seat;
	struct order_entry s;
	bool ready;

	if (verbs[item->verb].of_game)
		return request_with_game(req, item, verbs[item->verb].of_game);
	if (verbs[item->verb].line)
		return verbs[item->verb].line(req, item);
	TRY(of_turn ? order_entry_open(req, item, &s, &ready)
	            : order_entry_open_seat(req, item, &s, &ready));
	return !ready ? ERR_NONE : of_turn ? of_turn(req, &s, item) : of_seat(req, &s, item);
}

/* Orders as the game that is answered takes them now; without one, a line that always works. */
static enum err example_of_his_game(struct request *req, const char **out)
{
	struct match match;

	*out = "status";
	if (req->about.game == 0)
		return ERR_NONE;
	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	if (rc == ERR_NONE && match.has_turn && match.game.status == GAME_RUNNING)
		rc = match_position(req->srv, &match);
	const char *orders = rc == ERR_NONE ? example_orders(&match, req->about.seat) : NULL;
	if (orders)
		*out = arena_strdup(req->arena, orders);
	match_release(&match);
	return rc;
}

static enum err refuse_fault(struct request *req)
{
	struct strbuf why = STRBUF_INIT;

	request_verdict(req, "refused", "%s", mail_fault_name(req->mail->fault));
	if (req->who.player.id == 0 || !req->answer.allowed)
		return ERR_NONE;
	const char *example;
	enum err rc = example_of_his_game(req, &example);

	if (req->mail->nattachments > 0 &&
	    (req->mail->fault == MAIL_NO_TEXT || req->mail->fault == MAIL_TOO_LARGE)) {
		strbuf_adds(&why, "Your mail brought nothing to read, only ");
		mail_add_attachments(req->mail, &why);
		strbuf_adds(&why, ", and no file is opened for orders.");
	} else {
		mail_fault_explain(req->mail->fault, &req->srv->cfg.limits, &why);
	}
	if (rc == ERR_NONE)
		rc = request_notice(
		    req, NULL, NULL, "your mail could not be read", example,
		    "%s Nothing in it was carried out. Please write again in plain text, "
		    "for example a line such as this one as the answer to a report:",
		    why.ptr);
	strbuf_release(&why);
	return rc;
}

/* What the game answered makes of some lines. */
static enum err judge_orders(void *ctx, struct span lines, enum speech *out)
{
	struct request *req = ctx;
	enum tried r;

	TRY(orders_try(req, req->about.game, lines, &r));
	*out = r == TRIED_TALK     ? SPEECH_NONE
	       : r == TRIED_WRONG  ? SPEECH_WRONG
	       : req->tried.flawed ? SPEECH_FLAWED
	                           : SPEECH_CLEAR;
	return ERR_NONE;
}

/* `own`: the seat the speaker has in that game, 0 = none. */
static enum err no_seat_there(struct request *req, const struct command *item,
                              const struct game *game, unsigned own)
{
	const char *id = game ? game_id_text(game, req->arena) : "";

	request_understood(req);
	if (own != 0)
		return request_notice(
		    req, NULL, NULL, "another seat is yours",
		    arena_printf(req->arena, "signon %s", id),
		    "Your line \"%.*s\" names seat %u, but in %s yours is seat %u, so the "
		    "lines below it were not carried out. Send them again below this line:",
		    SPAN_ARGS(item->text), item->seat, id, own);
	return request_notice(
	    req, NULL, NULL, "no seat there", "list",
	    "Your line \"%.*s\" names a game in which you have no seat, so the lines below it "
	    "were not carried out. To see the open games, send:",
	    SPAN_ARGS(item->text));
}

static enum err master_signs_on(struct request *req, const struct command *item,
                                const struct game *game)
{
	const char *id = game_id_text(game, req->arena);

	request_understood(req);
	return request_notice(
	    req, NULL, NULL, "no seat there", arena_printf(req->arena, "status %s", id),
	    "You are the master of %s and have no seat there, so the lines below your line "
	    "\"%.*s\" were not carried out. Write the number of the game behind each command "
	    "instead, for example:",
	    id, SPAN_ARGS(item->text));
}

/* SIGNON: the items below are about another game; the sender's address must hold a seat there. */
static enum err sign_on(struct request *req, const struct command *item)
{
	struct seat seat;
	struct game game;
	enum err rc = game_get(req->srv->store, item->game, req->arena, &game);
	bool fits = rc == ERR_NONE && fits_letter(item, &game);

	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (fits && item->game == req->about.game &&
	    (item->seat == 0 || item->seat == req->about.seat))
		return ERR_NONE;
	identify_signed_on(req, 0, 0);
	if (req->who.player.id == 0 || !fits)
		return no_seat_there(req, item, NULL, 0);
	rc = seat_of_player(req->srv->store, item->game, req->who.player.id, req->arena, &seat);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	unsigned own = rc == ERR_NONE ? seat.seat : 0;
	if (item->seat != 0 && item->seat != own) {
		rc = seat_get(req->srv->store, item->game, item->seat, req->arena, &seat);
		if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
			return rc;
	}
	if (own == 0 && game.master == req->who.player.id)
		return master_signs_on(req, item, &game);
	if (rc != ERR_NONE || seat.player != req->who.player.id)
		return no_seat_there(req, item, own ? &game : NULL, own);
	identify_signed_on(req, item->game, seat.seat);
	return ERR_NONE;
}

/* A subject such as "Re: status" may be old: beside orders it does not count. */
static enum err is_old_subject(struct request *req, const struct command *item, bool *yes)
{
	enum tried r = TRIED_TALK;

	*yes = false;
	if (item->line != 0 || item->orders.len > 0 || item->verb == CMD_SIGNON ||
	    req->about.game == 0)
		return ERR_NONE;
	for (size_t i = 0; i < req->text->nitems && r != TRIED_GOOD; i++)
		if (req->text->items[i].verb == CMD_ORDERS)
			TRY(orders_try(req, req->about.game, req->text->items[i].orders, &r));
	*yes = r == TRIED_GOOD;
	return ERR_NONE;
}

/* A line of ours that only shows something, in the place of one that asked for it. */
static enum err show(struct request *req, const char *line)
{
	struct command_text text;

	command_text_read(span_of(line), SPAN_EMPTY, 1, req->arena, &text);
	ENSURE(text.nitems == 1);
	request_understood(req);
	request_forget_match(req);
	enum err rc = carry_out_line(req, &text.items[0]);
	command_text_release(&text);
	return rc;
}

/* "Up 3 and 5, hit 2. Who is winning?" */
static enum err answer_question_beside(struct request *req)
{
	const char *line;

	TRY(question_beside(req, &line));
	return line ? show(req, line) : ERR_NONE;
}

static enum err carry_out(struct request *req)
{
	bool lost = false; /* after a SIGNON that failed: nothing below may hit another game */
	struct puzzle puzzle;
	unsigned commands = 0;
	bool talk, asks;

	TRY(talks_to_others(req, &talk));
	TRY(puzzle_answered(req, &puzzle));
	for (size_t i = 0; i < req->text->nitems; i++) {
		const struct command *item = &req->text->items[i];
		bool old;
		TRY(is_old_subject(req, item, &old));
		if (old || (talk && item->verb != CMD_ORDERS))
			continue;
		if (item->verb != CMD_ORDERS) /* whose reading has left the position in it */
			request_forget_match(req);
		commands += item->verb != CMD_ORDERS && item->line > 0;
		commands += item->message.len > 0; /* its questions are for others */
		if (item->verb == CMD_SIGNON) {
			TRY(sign_on(req, item));
			lost = req->about.game == 0;
		} else if (puzzle.game != 0 && item->verb == CMD_ORDERS && !lost &&
		           req->about.game == 0) {
			TRY(do_puzzle(req, item, &puzzle));
		} else if (!lost) {
			/* A question beside orders first: what is asked about them is then the last mail. */
			if (item->verb == CMD_ORDERS && req->text->nitems == 1 &&
			    span_find_char(item->orders, '?') < item->orders.len) {
				TRY(orders_are_meant(req, item, &asks));
				TRY(asks ? answer_question_beside(req) : ERR_NONE);
			}
			TRY(carry_out_line(req, item));
			request_forget_match(req); /* it may have changed the game */
		}
	}
	return commands == 1 ? answer_question_beside(req) : ERR_NONE;
}

/* A SIGNON and nothing else: every mail gets an answer. */
static enum err nothing_below_signon(struct request *req)
{
	const struct command_text *l = req->text;
	struct match match;

	if (req->about.game == 0 || l->nitems == 0 ||
	    l->items[l->nitems - 1].verb != CMD_SIGNON)
		return ERR_NONE;
	request_understood(req);
	enum err rc = match_load(req->srv, req->about.game, req->arena, &match);
	if (rc == ERR_NONE)
		rc = request_notice(
		    req, &match, match_seat(&match, req->about.seat), "nothing is below it",
		    arena_printf(req->arena, "status %s", match.id),
		    "Your line \"%.*s\" was understood, but there is nothing below it. Write "
		    "your orders there. To see how the game stands, send:",
		    SPAN_ARGS(l->items[l->nitems - 1].text));
	match_release(&match);
	return rc;
}

static bool is_word_of(struct span word, struct span name)
{
	struct span part;

	while (span_next_word(&name, " ", &part))
		if (utf8_eq_folded(word, part))
			return true;
	return false;
}

/* Addresses, reply codes and the names of those who play are nobody else's business. */
static struct span without_persons(struct request *req, const struct match *match,
                                   struct span text)
{
	struct strbuf out = STRBUF_INIT;
	struct span word;

	while (span_next_word(&text, " \t", &word)) {
		struct span bare = word;

		while (bare.len > 0 && ispunct((unsigned char)bare.ptr[bare.len - 1]))
			bare.len--;
		while (bare.len > 0 && ispunct((unsigned char)*bare.ptr))
			bare = span_slice(bare, 1, bare.len);
		bool name = is_word_of(bare, req->who.player.name);
		for (size_t i = 0; match && i < match->nseats; i++)
			name = name || is_word_of(bare, match->seats[i].name);
		strbuf_addf(&out, "%s", out.len ? " " : "");
		if (span_find_char(word, '@') < word.len)
			strbuf_adds(&out, "ADDRESS");
		else if (name)
			strbuf_adds(&out, "NAME");
		else
			strbuf_add_span(&out, word);
	}
	address_redact_codes(&out);
	struct span redacted = arena_dup(req->arena, strbuf_span(&out));
	strbuf_release(&out);
	return redacted;
}

/* For `molepost log --not-understood`. */
static enum err keep_unread(struct request *req)
{
	enum { CLAUSES_KEPT = 8, BYTES_KEPT = 300 };
	struct match *match = NULL;
	size_t kept = 0, n;

	if (req->who.player.id == 0)
		return ERR_NONE;
	if (req->about.game != 0)
		TRY(request_match(req, req->about.game, &match));
	for (size_t i = 0; i < req->text->nlines; i++) {
		const struct clause *c =
		    clauses_split(req->text->lines[i].text, req->arena, &n);

		for (size_t k = 0; k < n && kept < CLAUSES_KEPT; k++) {
			struct unread_clause row = {
			    .at_utc = req->srv->now_utc,
			    .player = req->who.player.id,
			    .kind = span_of(match ? match->rules->name : ""),
			    .text =
				without_persons(req, match, utf8_clip(c[k].text, BYTES_KEPT))};

			if (unclear_is_greeting(c[k].text))
				continue;
			TRY(unread_clause_add(req->srv->store, &row));
			kept++;
		}
	}
	return ERR_NONE;
}

/* What may have been meant, else where to go on. */
static enum err meant_something(struct request *req, bool *done)
{
	bool answered = false;
	const char *line;

	TRY(ask_about_commands(req, done, &line));
	if (!*done && !line &&
	    req->answer.count > 0) { /* "I am back!", and mail goes there again */
		*done = true;
		request_verdict(req, "not-understood",
		                "heard of again; nothing else was asked for");
		return ERR_NONE;
	}
	if (line && span_starts(span_of(line), FIRST_GAME)) {
		TRY(newcomers_first_game(req, &line));
		*done = true;
		return line ? show(req, line) : ERR_NONE;
	}
	if (line || !*done)
		TRY(newcomers_answer(req, line, &answered));
	*done = *done || answered;
	if (answered)
		return ERR_NONE;
	if (req->unread)
		TRY(keep_unread(req));
	if (line)
		return show(req, line);
	if (!*done)
		TRY(write_back_after_the_end(req, done));
	if (*done)
		return ERR_NONE;
	TRY(keep_unread(req));
	return tell_not_understood_in_game(req, done);
}

static enum err nothing_understood(struct request *req)
{
	static enum err (*const explain[])(struct request *, bool *) = {
	    write_back_to_message, rematch_explain, invite_explain, invite_once_more,
	    motion_explain,        ready_explain,   yes_explain};
	struct match *match;
	bool answered = false, meant;

	if (req->about.lost.game != 0) {
		request_verdict(req, "not-understood",
		                "it answers a mail of a seat that was lost");
		return identify_tell_of_loss(req, &req->about.lost);
	}
	for (size_t i = 0; !answered && i < sizeof(explain) / sizeof(explain[0]); i++)
		TRY(explain[i](req, &answered));
	if (answered)
		return ERR_NONE;
	if (!req->answer.seat_confirmed) {
		TRY(meant_something(req, &meant));
		if (meant)
			return ERR_NONE;
	}
	if (!req->answer.seat_confirmed)
		return request_guide(
		    req,
		    req->who.player.id == 0
			? NULL
			: "Your mail arrived, but no line of it was understood, so nothing has changed.");
	TRY(request_match(req, req->about.game, &match));
	return request_notice(req, match, match_seat(match, req->about.seat), "thank you", "",
	                      "Your seat in %s is confirmed. You will get a mail when it is "
	                      "your turn.",
	                      match->id);
}

static enum err do_command_text(struct request *req)
{
	if (req->who.proven)
		TRY(seats_confirm_by_reply(req));
	if (req->answer.seat_confirmed)
		TRY(invite_kept_guests(req));
	TRY(carry_out(req));
	if (req->who.player.id != 0 || req->answer.understood)
		TRY(tell_near_commands(req));
	if (!req->answer.understood)
		TRY(nothing_below_signon(req));
	return req->answer.understood ? ERR_NONE : nothing_understood(req);
}

/* In an answer to a digest its form is read. */
static void read_form(struct request *req)
{
	struct mail_in *mail = arena_calloc(req->arena, 1, sizeof(*mail));

	*mail = *req->mail;
	mail->texts = arena_calloc(req->arena, mail->ntexts + 1, sizeof(*mail->texts));
	for (size_t i = 0; i < mail->ntexts; i++) {
		mail->texts[i] = req->mail->texts[i];
		mail->texts[i].text = digest_form_read(mail->texts[i].text, req->arena);
	}
	req->mail = mail;
}

static enum err read_and_do(struct request *req)
{
	struct command_text text;
	size_t which;
	bool ask;

	if (req->about.digest != 0 &&
	    !req->who.settled) /* a mail that was held is kept as it was read */
		read_form(req);
	TRY(choose_text(req->mail, req->srv->cfg.max_commands, req->arena,
	                req->about.game != 0 ? judge_orders : NULL, req, &text, &which));
	req->text = &text;
	enum err rc = authenticate_must_ask(req, &ask);
	if (rc == ERR_NONE && ask)
		rc = authenticate_ask(req, req->mail->texts[which].text);
	else if (rc == ERR_NONE && req->who.strange.len > 0)
		rc = authenticate_tell_of_strange(req);
	else if (rc == ERR_NONE)
		rc = do_command_text(req);
	command_text_release(&text);
	req->text = NULL;
	return rc;
}

/*
 * ---- max_mails_per_day: of one sender, by UTC and arrival. A mail that proves a seat is counted apart from one that
 * merely says whom it is from: else anybody could use up what a player may send. ----
 */

enum { DAY_S = 86400 };

/* Told once a day; the other mails beyond the limit are recorded, no more. */
static enum err too_many(struct request *req, const struct sender_day *day, int64_t today)
{
	unsigned most = req->srv->cfg.max_mails_per_day;

	request_verdict(req, "too-many", "more than %u mails from this address on one day",
	                most);
	if (day->told || !req->answer.allowed || is_stranger(req) || req->who.strange.len > 0)
		return ERR_NONE;
	TRY(sender_mark_told(req->srv->store, req->mail->from, req->who.proven, today));
	return request_notice(
	    req, NULL, NULL, "too many mails today", "status",
	    req->who.proven
		? "You have answered our mails more than %u times today. This mail was not "
		  "carried out, and no other answer will be today; you hear no more of that "
		  "today. What you sent before still counts. The day ends at 00:00 UTC. After "
		  "that write again, for instance to see what is stored:"
		: "More than %u mails have come from your address today. This mail was not "
		  "carried out, and no other will be today; you hear no more of that today. "
		  "Answers to our mails are still carried out, and what you sent before still "
		  "counts. The day ends at 00:00 UTC. After that write again, for instance to "
		  "see what is stored:",
	    most);
}

/* At the end, so that what was asked ahead still holds. */
static enum err quota_count(struct request *req)
{
	if (!req->quota.counts)
		return ERR_NONE;
	req->quota.counts = false;
	return sender_count(req->srv->store, req->quota.from, req->quota.proven, req->quota.day,
	                    &req->quota.before);
}

/* *done: this mail is one too many; it has been judged, and answered if it is the first. */
static enum err quota_check(struct request *req, bool *done)
{
	unsigned most = req->srv->cfg.max_mails_per_day;

	req->quota.day = req->arrived_utc / DAY_S;
	req->quota.from = req->mail->from;
	req->quota.proven = req->who.proven;
	TRY(sender_day_get(req->srv->store, req->mail->from, req->who.proven, req->quota.day,
	                   &req->quota.before));
	req->quota.counts = true;
	*done = req->quota.before.mails >= most;
	if (!*done)
		return ERR_NONE;
	TRY(quota_count(req));
	return too_many(req, &req->quota.before, req->quota.day);
}

/* ---- one mail ---- */

/* The player has said yes to a mail that waited for it. */
static enum err use_held_mail(struct request *req, const struct confirmation *q)
{
	bool fits;

	TRY(identify_held_mail(req, q, &fits));
	if (fits)
		TRY(read_and_do(req));
	request_add_detail(req, "yes to mail %lld", (long long)q->mail);
	return ERR_NONE;
}

static bool is_blocked(struct request *req, const char *why)
{
	if (req->who.player.blocked)
		request_verdict(req, "blocked", "%s", why);
	return req->who.player.blocked;
}

/*
 * From elsewhere to a player's reply address; robots that say nothing of being one come here
 * too.
 */
static enum err handle_strange(struct request *req)
{
	bool done;

	if (is_blocked(req, "the player whose reply address was used is blocked"))
		return identify_sender(req);
	TRY(quota_check(req, &done));
	if (!done && req->mail->fault == MAIL_OK && req->answer.allowed) {
		TRY(answered_mails_take_out(req)); /* of the player whose seat it is */
		TRY(read_and_do(req));
	} else if (!done)
		TRY(authenticate_tell_of_strange(req));
	return identify_sender(req); /* for the record: whose mail it was */
}

/* More than a From address, which anybody can write, unless that is enough here. */
static bool is_surely_the_player(const struct request *req)
{
	return !req->who.doubtful &&
	       (req->who.proven || req->srv->cfg.known_senders == KNOWN_ACCEPT);
}

static enum err handle_request(struct request *req)
{
	const struct confirmation *held;
	bool done;

	TRY(automatic_sort_out(req, &done));
	if (done)
		return ERR_NONE;
	TRY(identify_sender(req));
	if (is_blocked(req, "the sender is blocked"))
		return ERR_NONE;
	identify_judge(req);
	TRY(answered_mails_take_out(req));
	TRY(confirmed_answer(req, &done, &held));
	if (done)
		return held ? use_held_mail(req, held) : ERR_NONE;
	TRY(identify_answered(req, &done));
	if (done)
		return ERR_NONE;
	if (req->who.strange.len > 0)
		return handle_strange(req);
	if (req->who.player.id == 0 && req->srv->cfg.unknown_senders == UNKNOWN_KNOWN) {
		request_verdict(req, "stranger", "the sender is not a known player");
		return ERR_NONE;
	}
	automatic_ask_for_proof(req, &done);
	if (done)
		return ERR_NONE;
	if (is_surely_the_player(req))
		TRY(bounces_forgive(req));
	TRY(quota_check(req, &done));
	if (done)
		return ERR_NONE;
	if (req->mail->fault == MAIL_OK)
		TRY(meant_answer(req, &done, &held));
	if (done)
		return held ? use_held_mail(req, held) : ERR_NONE;
	if (req->mail->fault != MAIL_OK)
		return refuse_fault(req);
	return read_and_do(req);
}

static enum err seen_before(struct server *srv, const struct incoming *in, struct arena *arena,
                            bool *seen)
{
	struct inbox_mail old;
	int64_t id;
	enum err rc =
	    inbox_find(srv->store, in->source, in->transport_id, &in->identity, arena, &old);

	*seen = rc == ERR_NONE;
	if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(rc);
	if (span_eq(old.source, in->source) && span_eq(old.transport_id, in->transport_id))
		return ERR_NONE;
	struct inbox_mail row = incoming_row(srv, in);
	row.identity = (struct mail_identity){0}; /* that is the first one's */
	row.player = old.player;
	row.game = old.game;
	row.serial = old.serial;
	row.seat = old.seat;
	row.verdict = SPAN_LIT("duplicate");
	row.detail =
	    span_of(arena_printf(arena, "the same mail as number %lld", (long long)old.id));
	return inbox_add(srv->store, &row, &id);
}

/*
 * As they write so they are written to, until they say SET MAIL. A mail that only claims its
 * sender changes nothing, but for a player who has not confirmed their address yet: they have
 * sent no other.
 */
static enum err note_form(struct request *req)
{
	const struct player *p = &req->who.player;
	bool writes_html = mail_has_html(req->whole);

	if (p->id == 0 || req->who.robot.class > ROBOT_LIST || req->who.strange.len > 0 ||
	    req->mail->fault != MAIL_OK || writes_html == p->form.writes_html ||
	    (p->confirmed && !is_surely_the_player(req)))
		return ERR_NONE;
	return player_set_writes_html(req->srv->store, p->id, writes_html);
}

/* The mail is new, and a row of the inbox will say what became of it. */
static enum err handle_new(struct request *req, const struct incoming *in)
{
	struct server *srv = req->srv;
	struct inbox_mail row = incoming_row(srv, in);

	row.sent_utc = req->sent_utc;
	request_begin_answer(req, &row);
	request_verdict(req, "command", "carried out");
	TRY(inbox_next_id(srv->store, &req->inbox_id));
	enum err rc = handle_request(req);
	request_forget_match(req);
	TRY(rc);
	TRY(request_note_silence(req));
	TRY(note_form(req));
	TRY(quota_count(req));
	authenticate_note_results(req);
	row = req->answer.row;
	row.id = req->inbox_id;
	row.player = req->who.player.id;
	if (row.game == 0) {
		row.game = req->about.game;
		row.seat = req->about.seat;
		row.serial = req->about.serial;
	}
	return inbox_add(srv->store, &row, &req->inbox_id);
}

/* The first seat it is written to; NULL: none. */
static const struct reply_token *seat_of(const struct incoming *in)
{
	for (size_t i = 0; i < in->mail->recipients.count; i++)
		if (in->recipients[i].kind == RECIPIENT_SEAT)
			return &in->recipients[i].seat;
	return NULL;
}

int64_t dispatch_game(const struct incoming *in)
{
	const struct reply_token *seat = seat_of(in);

	return seat ? seat->game : 0;
}

static struct request new_request(struct server *srv, const struct incoming *in,
                                  struct arena *arena)
{
	return (struct request){.srv = srv,
	                        .arena = arena,
	                        .mail = in->mail,
	                        .whole = in->mail,
	                        .recipients = in->recipients,
	                        .arrived_utc = in->arrived_utc,
	                        .sure_utc = in->arrived_utc};
}

void dispatch_ask_ahead(struct server *srv, const struct incoming *in, struct arena *arena)
{
	struct request req = new_request(srv, in, arena);
	const struct reply_token *seat = seat_of(in);
	struct store *s = srv->store;
	struct order_revision *orders;
	struct standing_order *standing;
	struct outbox_mail answered;
	struct inbox_mail seen;
	struct sender_day day;
	struct player player;
	bool spent;
	size_t n;

	store_only_asked(
	    inbox_find(srv->store, in->source, in->transport_id, &in->identity, arena, &seen));
	if (in->mail->in_reply_to.len > 0)
		store_only_asked(
		    outbox_by_message_id(srv->store, in->mail->in_reply_to, arena, &answered));
	answered_mails_ask_ahead(&req);
	store_only_asked(
	    sender_day_get(s, in->mail->from, seat != NULL, in->arrived_utc / DAY_S, &day));
	if (seat) { /* what orders for the turn that is open need */
		store_only_asked(player_at_seat(s, seat->game, seat->seat, arena, &player));
		match_ask_ahead(srv, seat->game, seat->serial, true, arena);
		store_only_asked(orders_list(s, seat->game, seat->serial, arena, &orders, &n));
		store_only_asked(standing_order_list(s, seat->game, arena, &standing, &n));
	} else { /* what CREATE and JOIN need: most of what comes to the server's own address */
		store_only_asked(player_by_address(s, in->mail->from, arena, &player));
		store_only_asked(
		    budget_is_spent(srv, BUDGET_SEATS_UNPROVEN, in->mail->from, &spent));
	}
}

enum err dispatch_mail(struct server *srv, const struct incoming *in, struct arena *arena)
{
	struct request req = new_request(srv, in, arena);
	struct robot robot;
	bool seen, ours;

	step_in_hand(in->mail->message_id, 0);
	TRY(seen_before(srv, in, arena, &seen));
	if (seen)
		return ERR_NONE;
	TRY(round_trip_end(srv, in->mail, in->recipients, in->source, in->arrived_utc, &ours));
	if (ours) {
		struct inbox_mail row = incoming_row(srv, in);
		int64_t id;

		row.verdict = SPAN_LIT("round-trip");
		TRY(inbox_next_id(srv->store, &row.id));
		return inbox_add(srv->store, &row, &id);
	}
	robot_classify(in->mail, srv->cfg.instance, &robot);
	if (robot.class == ROBOT_LOOP)
		return automatic_stop_loop(srv, in);
	identify_robot(&req, &robot);
	if (!date_parse(in->mail->date, &req.sent_utc))
		req.sent_utc = 0;
	return handle_new(&req, in);
}
