/*
 * confirm.c - YES and NO: to a seat that waits to be confirmed, to what a master asks the players for, to
 * an invitation, to a question of ours by mail, or to nothing.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/commandtext/yes_no.h"
#include "processor/master/master.h"
#include "processor/outgoing/digest.h"
#include "processor/request/automatic.h"
#include "processor/request/confirmation.h"
#include "processor/request/identify.h"
#include "processor/request/meant.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"
#include "processor/turns/ready.h"
#include "store/addresses.h"
#include "store/bounces.h"

/* ---- as a command ---- */

static enum err refuse_seat(struct request *req, struct match *match, struct seat *seat)
{
	TRY(request_notice(req, match, seat, "the seat is given back", "list",
	                   "You answered NO, so your seat in %s is free again and you get no "
	                   "more mail about it. To see the open games, send:",
	                   match->id));
	seat->player = 0;
	seat->token_generation++;
	TRY(seat_update(req->srv->store, seat));
	return seats_cancel_if_empty(req->srv, match, req->who.player.id);
}

/* Whether they are still there, before the game begins (turns/ready.h). */
static bool is_asked(const struct match *match, const struct seat *seat)
{
	return seat->confirmed && match->game.status == GAME_GATHERING &&
	       match->game.ready_until_utc != 0 && !seat->ready;
}

/* YES, when all are asked before the game begins. */
static enum err is_there(struct request *req, struct match *match, struct seat *seat)
{
	seat->ready = true;
	TRY(seat_update(req->srv->store, seat));
	struct seat_set awaited = ready_awaited(req->srv, match);
	request_verdict(req, "command", "is there, in %s", match->id);
	TRY(request_notice(
	    req, match, seat, "thank you", "",
	    seat_count(awaited) == 0
		? "Everybody is there, so %s begins. The first report follows."
		: "You are there. %s begins when the others have said so too: we "
		  "wait for %s.",
	    match->id, match_names_in(match, awaited)));
	return game_start_if_full(req->srv, match);
}

static enum err confirm(struct request *req, const struct command *item, struct match *match,
                        struct seat *seat)
{
	bool waits, voted, shown;

	if (!seat)
		return ERR_NONE;
	if (is_asked(match, seat))
		return item->verb == CMD_NO ? refuse_seat(req, match, seat)
		                            : is_there(req, match, seat);
	if (seat->confirmed && !req->answer.seat_confirmed) {
		struct confirmation *open;
		size_t n;

		/* A yes or no in answer to another mail than the one that asks. */
		TRY(confirmation_list(req->srv->store, req->who.player.id, req->arena, &open,
		                      &n));
		waits = false;
		for (size_t i = 0; i < n; i++)
			waits = waits ||
			        (open[i].kind != CONFIRMATION_MEANT &&
			         open[i].kind != CONFIRMATION_GUESTS &&
			         open[i].asked_utc + CONFIRMATION_OPEN_S >= req->arrived_utc);
		TRY(motion_answer(req, item->verb == CMD_YES, match, seat, waits, &voted));
		if (voted)
			return ERR_NONE;
		if (waits)
			return request_notice(
			    req, match, seat, "please answer the mail that asks", "",
			    "A question of ours waits for your answer, but this was an "
			    "answer to another mail, so it does not count. Please answer the "
			    "very mail that asks. Nothing has changed.");
	}
	if (item->verb == CMD_NO && !seat->confirmed && match->game.status == GAME_GATHERING)
		return refuse_seat(req, match, seat);
	if (item->verb == CMD_NO)
		return request_notice(req, match, seat, "nothing was waiting for a no",
		                      "resign",
		                      "Nothing was waiting for your answer, so nothing has "
		                      "changed. To leave the game write:");
	if (seat->confirmed && !req->answer.seat_confirmed) {
		TRY(meant_show_again(req, &shown));
		if (shown)
			return ERR_NONE;
	}
	if (!seat->confirmed || req->answer.seat_confirmed)
		return request_notice(req, match, seat, "thank you", "",
		                      "Your address is confirmed and your seat in %s is yours. "
		                      "You will get a mail when it is your turn.",
		                      match->id);
	return request_notice(
	    req, match, seat, "nothing was waiting for a yes", "status",
	    seat->resigned
		? "There was no open question, and you have left %s. To see how it stands, send:"
		: "There was no open question. Your seat in %s is safe. If a turn is open and "
		  "you have not sent orders yet, reply with them. To see how the game stands, "
		  "send:",
	    match->id);
}

enum err do_confirm(struct request *req, const struct command *item)
{
	bool invited;

	TRY(rematch_answer(req, item, &invited));
	if (!invited)
		TRY(invite_answer(req, item, &invited));
	if (!invited && item->verb == CMD_YES && req->about.seat == 0)
		TRY(meant_show_again(req, &invited));
	if (invited || !req->who.proven) /* a yes to nothing in particular */
		return ERR_NONE;
	return request_with_game(req, item, confirm);
}

enum err yes_explain(struct request *req, bool *done)
{
	*done = false;
	if (!yes_no_is_likely(req->mail))
		return ERR_NONE;
	struct said said = yes_no_said(req->mail, req->srv->cfg.max_commands, req->arena);
	return said.yes && !said.no ? meant_show_again(req, done) : ERR_NONE;
}

enum err ready_explain(struct request *req, bool *done)
{
	struct match *match;

	*done = false;
	if (req->about.game == 0 || req->about.seat == 0 || !req->who.proven)
		return ERR_NONE;
	TRY(request_match(req, req->about.game, &match));
	struct seat *seat = match_seat(match, req->about.seat);
	struct said said =
	    yes_no_to_invitation(req->mail, req->srv->cfg.max_commands, req->arena);
	*done = seat && seat->player == req->who.player.id && is_asked(match, seat) &&
	        said.yes != said.no;
	if (!*done)
		return ERR_NONE;
	request_understood(req);
	return said.yes ? is_there(req, match, seat) : refuse_seat(req, match, seat);
}

/* ---- answers to our questions ---- */

/* What follows goes to this address of the player, "": theirs. */
static enum err speak_to(struct request *req, int64_t player, struct span address)
{
	struct player p;

	TRY(player_get(req->srv->store, player, req->arena, &p));
	if (address.len > 0)
		p.address = address;
	identify_player(req, &p);
	return ERR_NONE;
}

static enum err closed(struct request *req)
{
	request_verdict(req, "closed-question", "answers a question that is no longer open");
	if (req->who.player.id == 0)
		return ERR_NONE;
	return request_notice(
	    req, NULL, NULL, "that question is no longer open", "",
	    "The question you answered is no longer open: it has been answered, a newer one "
	    "has taken its place, or more than two days have gone by. Nothing was changed by "
	    "your answer. If it was about orders and their turn still runs, please send them "
	    "once more as an answer to the newest report of the game; if it was about an "
	    "address, ask anew.");
}

static enum err neither(struct request *req, const struct confirmation *q,
                        enum confirmation_end end)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);

	request_verdict(req, "not-understood", "neither yes nor no to our question");
	report_notice(
	    &(struct report_notice){
		.subject = "yes or no?",
		.paragraphs =
		    TEXTS("There was neither a YES nor a NO in your reply, so nothing has "
	                  "changed. Nothing else is read in a reply to a question; to send "
	                  "orders, reply to a report. Please reply with one of these lines:"),
		.examples = TEXTS("yes", "no")},
	    &out);
	bool allowed;
	enum err rc = confirmation_allowed(req, q->kind, req->who.player.address, &allowed);
	if (rc == ERR_NONE && allowed)
		rc = confirmation_post(req, NULL, NULL, q, end, &out);
	report_out_release(&out);
	return rc;
}

/* ---- a held mail ---- */

static enum err about_mail(struct request *req, const struct confirmation *q, bool yes,
                           const struct confirmation **use)
{
	TRY(confirmation_drop(req->srv->store, q->id));
	if (yes) {
		*use = q;
		return ERR_NONE;
	}
	request_verdict(req, "command", "no to mail %lld: thrown away%s", (long long)q->mail,
	                q->seat > 0 || confirmation_is_of_digest(q) ? ", new reply address"
	                                                            : "");
	if (q->seat > 0) {
		struct match match;
		enum err rc = match_load(req->srv, q->game, req->arena, &match);
		struct seat *seat = rc == ERR_NONE ? match_seat(&match, q->seat) : NULL;

		if (seat && seat->player == req->who.player.id)
			rc = seat_new_reply_address(req, &match, seat,
			                            "thrown away; your new reply address",
			                            "The mail has been thrown away. ");
		match_release(&match);
		return rc;
	}
	if (confirmation_is_of_digest(q)) {
		identify_digest(req, q->serial);
		return digest_new_token(req, "The mail has been thrown away. ");
	}
	return request_notice(req, NULL, NULL, "thrown away", "",
	                      "The mail has been thrown away. Nothing of it was carried out.");
}

/* ---- "did you mean" ---- */

/* Who does not answer the question has written what they meant: a mail like any other. */
static bool is_another_try(struct request *req, const struct confirmation *q)
{
	struct said said;

	if (q->kind != CONFIRMATION_MEANT)
		return false;
	said = meant_said(req, q);
	return said.yes == said.no;
}

/* ---- another address ---- */

static enum err tell(struct request *req, const struct confirmation *q,
                     enum confirmation_end end, const char *subject, const char *text)
{
	TRY(speak_to(req, q->player, end == CONFIRMATION_TO_ADDRESS ? q->address : SPAN_EMPTY));
	return request_notice(req, NULL, NULL, subject, "", "%s", text);
}

static enum confirmation_end other_end(enum confirmation_end end)
{
	return end == CONFIRMATION_TO_PLAYER ? CONFIRMATION_TO_ADDRESS : CONFIRMATION_TO_PLAYER;
}

#define ORDERS_FROM_HERE                                                            \
	"Both addresses have agreed: from now on mail from this address counts as " \
	"yours. Reports and answers go on to the address they have gone to so far."

static enum err both_agree(struct request *req, const struct confirmation *q)
{
	struct span former;

	request_verdict(req, "command", "yes from both ends to '%s'",
	                confirmation_kind_name(q->kind));
	TRY(speak_to(req, q->player, SPAN_EMPTY));
	former = req->who.player.address;
	TRY(bounce_forgive(req->srv->store, q->address)); /* its yes shows that it is good */
	if (q->kind == CONFIRMATION_ADDRESS) {
		TRY(address_replace(req->srv->store, q->player, q->address, req->srv->now_utc));
		/* The one mail that still goes to where nothing will go from now on. */
		TRY(speak_to(req, q->player, former));
		TRY(request_notice(
		    req, NULL, NULL, "your mail goes elsewhere now",
		    arena_printf(req->arena, "set address %.*s", SPAN_ARGS(former)),
		    "Both addresses have agreed: from now on everything for you is "
		    "sent to %.*s, and no longer to this address. Mail from here "
		    "still counts as yours. To change back, write from here:",
		    SPAN_ARGS(q->address)));
		return tell(req, q, CONFIRMATION_TO_PLAYER, "your mail comes here now",
		            "Both addresses have agreed: from now on everything for you is "
		            "sent to this address, and mail from here counts as yours.");
	}
	TRY(address_add(req->srv->store, q->player, q->address, req->srv->now_utc));
	TRY(tell(req, q, CONFIRMATION_TO_PLAYER, "another address of yours",
	         arena_printf(req->arena,
	                      "Both addresses have agreed: from now on mail from %.*s counts "
	                      "as yours. Reports and answers go on to this address.",
	                      SPAN_ARGS(q->address))));
	return tell(req, q, CONFIRMATION_TO_ADDRESS, "your orders from here count",
	            req->srv->cfg.plus_address ? ORDERS_FROM_HERE
	                " To send orders from here, write to the reply address of a report "
	                "that came there."
	                                       : ORDERS_FROM_HERE);
}

static enum err agree(struct request *req, struct confirmation *q, enum confirmation_end end)
{
	bool possible = false;
	struct player owner;
	struct span *others;
	size_t n;

	if (end == CONFIRMATION_TO_PLAYER)
		q->player_yes = true;
	else
		q->address_yes = true;
	if (!q->player_yes || !q->address_yes) {
		TRY(confirmation_update(req->srv->store, q));
		request_verdict(req, "command", "yes from one end to '%s'",
		                confirmation_kind_name(q->kind));
		return tell(
		    req, q, end, "one yes is here, one is missing",
		    "Thank you. The other address has been asked as well; as soon as it "
		    "says yes too, the change is made and you hear of it. Until then "
		    "nothing has changed.");
	}
	TRY(confirmation_drop(req->srv->store, q->id));
	/* Looked up before anything is written: a failed write would take the whole mail back. */
	enum err rc = player_by_address(req->srv->store, q->address, req->arena, &owner);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (rc == ERR_NOT_FOUND || (owner.id == q->player && q->kind != CONFIRMATION_ALSO)) {
		TRY(address_list(req->srv->store, q->player, req->arena, &others, &n));
		possible = n < PLAYER_ADDRESSES_MAX || rc == ERR_NONE;
	}
	if (possible)
		return both_agree(req, q);
	/* Somebody else has it by now, or it is one too many. */
	static const char subject[] = "the address was not changed";
	static const char text[] =
	    "Both addresses have agreed, but the change cannot be made: the new address "
	    "belongs to another player here, or the player has as many addresses as anybody "
	    "may have. Nothing has changed.";

	request_verdict(req, "refused", "the address is taken, or one too many");
	TRY(tell(req, q, CONFIRMATION_TO_PLAYER, subject, text));
	return tell(req, q, CONFIRMATION_TO_ADDRESS, subject, text);
}

/* ---- who answers ---- */

static enum err answered(struct request *req, struct confirmation *q, enum confirmation_end end,
                         const struct confirmation **use)
{
	struct said said = q->kind == CONFIRMATION_MEANT
	                       ? meant_said(req, q)
	                       : yes_no_said(req->mail, req->srv->cfg.max_commands, req->arena);
	struct span address = end == CONFIRMATION_TO_ADDRESS ? q->address : SPAN_EMPTY;

	if (end == CONFIRMATION_TO_PLAYER ? req->who.player.id != q->player
	                                  : !utf8_eq_folded(req->mail->from, q->address)) {
		bool allowed;

		request_verdict(req, "strange-address",
		                "an answer from another address than the one that was asked");
		TRY(speak_to(req, q->player, address));
		TRY(confirmation_allowed(req, q->kind, req->who.player.address, &allowed));
		if (!allowed)
			return ERR_NONE;
		return request_notice(
		    req, NULL, NULL, "please answer from this address", "",
		    "An answer to our question came from another address than the one the "
		    "question went to, so it does not count. If it was you, please answer "
		    "the question once more, from here. If it was not, do nothing.");
	}
	if (req->arrived_utc > q->asked_utc + CONFIRMATION_OPEN_S)
		return closed(req);
	TRY(speak_to(req, q->player, address));
	if (req->who.player.blocked) {
		request_verdict(req, "blocked", "the player who was asked is blocked");
		return ERR_NONE;
	}
	if (end == CONFIRMATION_TO_PLAYER)
		TRY(bounces_forgive(req)); /* only they could have had what they answer */
	if (said.help && !said.yes && !said.no)
		return do_help(req, said.help); /* the question stays open */
	if (said.yes == said.no)
		return neither(req, q, end);
	if (q->kind == CONFIRMATION_MAIL)
		return about_mail(req, q, said.yes, use);
	if (q->kind == CONFIRMATION_MEANT) {
		if (said.yes && !meant_is_enough(req, q, &said))
			return meant_ask_to_name(req, q);
		TRY(confirmation_drop(req->srv->store, q->id));
		if (said.yes) {
			*use = q;
			return ERR_NONE;
		}
		request_verdict(req, "command", "no to what was proposed");
		return request_notice(
		    req, NULL, NULL, "nothing has changed", "help",
		    "You said no, so nothing has changed. To see all commands, send:");
	}
	if (said.yes)
		return agree(req, q, end);
	/* The new address is not written to again unless it spoke itself. */
	TRY(confirmation_drop(req->srv->store, q->id));
	request_verdict(req, "command", "no to '%s'", confirmation_kind_name(q->kind));
	TRY(tell(req, q, end, "nothing has changed",
	         "You have said no, so nothing has changed, and the question is closed."));
	if (end == CONFIRMATION_TO_PLAYER && !q->address_yes)
		return ERR_NONE;
	if (end == CONFIRMATION_TO_PLAYER)
		return tell(req, q, other_end(end), "nothing has changed",
		            "You have said yes, but the player has said no: nothing has "
		            "changed, and the question is closed.");
	return tell(req, q, other_end(end), "the other address has said no",
	            "The other address has said no, so nothing has changed, and the question "
	            "is closed.");
}

enum err confirmed_answer(struct request *req, bool *done, const struct confirmation **use)
{
	struct confirmation *q = arena_calloc(req->arena, 1, sizeof(*q));
	enum confirmation_end end = CONFIRMATION_TO_PLAYER;
	enum confirmation_found found;

	*use = NULL;
	TRY(confirmation_find(req, q, &end, &found));
	*done = found == CONFIRMATION_CLOSED ||
	        (found == CONFIRMATION_OPEN && !is_another_try(req, q));
	if (!*done)
		return ERR_NONE;
	request_understood(req);
	request_forget_match(req); /* an answer may change the game that has been looked at */
	if (found == CONFIRMATION_CLOSED)
		return closed(req);
	request_allow_answers(req, true);
	return answered(req, q, end, use);
}
