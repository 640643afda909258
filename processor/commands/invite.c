/*
 * invite.c - INVITE: one mail that asks somebody into a game. (The answer: invite_answer.c.)
 *
 * It is the only mail of ours that goes to somebody who has not written first, so it is rare: so many a day
 * of each player (invites_per_day), one for each game, address and week, three to an address in a week, no
 * links in it, and none to an address that has said SET INVITES OFF. Whether somebody already plays here is
 * told to nobody: to them it is the same mail.
 */
#include "mail/compose.h"
#include "mail/mail.h"
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/match/match_clock.h"
#include "processor/outgoing/invitation.h"
#include "processor/request/confirmation.h"
#include "processor/request/identify.h"
#include "processor/request/join_rules.h"
#include "processor/request/master.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"
#include "store/invites.h"

enum { WEEK_S = 7 * 24 * 3600, TEXT_BYTES = 300 };

/* ---- asking ---- */

struct inviting {
	struct request *req;
	struct match *match;
	struct seat *seat; /* NULL: the master without one */
	struct span to;
	struct span text;    /* plain, "" = none */
	struct player known; /* whose address it is; id 0: nobody's here */
};

static bool has_link(struct span text)
{
	static const char *const signs[] = {"http:", "https:", "www.", "@", "://"};
	bool found = false;

	for (size_t i = 0; i < text.len; i++)
		for (size_t k = 0; k < sizeof(signs) / sizeof(signs[0]); k++)
			found = found ||
			        span_starts_nocase(span_slice(text, i, text.len), signs[k]);
	return found;
}

/* NULL: nothing in the game, the text or the address speaks against it. */
static const char *objection(struct inviting *v, const char **example)
{
	struct request *req = v->req;
	const struct match *match = v->match;
	bool is_master = match_has_master(match, req->who.player.id);

	*example = "list";
	if (v->seat ? !v->seat->confirmed : is_master && !req->who.player.confirmed) {
		*example = "";
		return "Your seat is not confirmed yet, so nothing was sent. First answer the "
		       "mail that welcomed you, then write INVITE.";
	}
	if (!is_master && !v->seat)
		return "Only somebody who has a seat in a game can invite others into it, so "
		       "nothing was sent. To see the games you can join, send:";
	if (match->game.status != GAME_GATHERING)
		return arena_printf(req->arena,
		                    "%s takes no more players, so nothing was sent. To see the "
		                    "open games, send:",
		                    match->id);
	if (seats_free_seat(req->srv, match) == 0)
		return arena_printf(
		    req->arena,
		    "%s is full, so nothing was sent. To see the open games, send:", match->id);
	*example = "";
	if (req->srv->cfg.invites_per_day == 0)
		return "No invitations are sent by this server. Give the line that your first "
		       "mail of the game shows to your friends yourself.";
	if (v->text.len > TEXT_BYTES)
		return "Your text has more than 300 letters, so nothing was sent.";
	if (has_link(v->text))
		return "Your text has a link or an address in it, and these are not passed on. "
		       "Nothing was sent.";
	if (address_is_ours(req->srv, v->to))
		return "That is an address of this server, so nothing was sent.";
	if (utf8_eq_folded(v->to, req->who.player.address))
		return "That is your own address, so nothing was sent.";
	return NULL;
}

static enum err look_up(struct inviting *v)
{
	enum err rc = player_by_address(v->req->srv->store, v->to, v->req->arena, &v->known);

	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static struct span own_budget(const struct request *req)
{
	return span_of(arena_printf(req->arena, "player %lld", (long long)req->who.player.id));
}

/* What loads the game, and the limits behind it. */
static void ask_ahead(struct request *req, int64_t game, struct span to)
{
	struct inviting v = {.req = req, .to = mail_address_normalize(to, req->arena)};
	struct store *s = req->srv->store;
	struct invite before;
	bool no;

	if (game == 0 || !store_ask_ahead(s))
		return;
	match_ask_ahead(req->srv, game, 0, true, req->arena);
	store_only_asked(look_up(&v));
	store_only_asked(invites_are_refused(s, v.to, &no));
	store_only_asked(invite_to_address(s, game, v.to, &before));
	store_only_asked(budget_is_spent(req->srv, BUDGET_INVITES, own_budget(req), &no));
	store_only_asked(budget_is_spent(req->srv, BUDGET_INVITED, v.to, &no));
	store_asked_ahead(s);
}

/* The limits, the narrowest first; what is refused counts for none of those behind it. *why NULL: it may go out. */
static enum err check_limits(struct inviting *v, const char **why)
{
	struct request *req = v->req;
	struct store *s = req->srv->store;
	struct invite before;
	bool refused, allowed;

	*why = NULL;
	TRY(look_up(v));
	TRY(invites_are_refused(s, v->to, &refused));
	refused = refused || v->known.blocked;
	enum err rc = invite_to_address(s, v->match->game.id, v->to, &before);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (refused)
		*why =
		    "That address wants no invitations from this server, so nothing was sent.";
	else if (rc == ERR_NONE && before.answer == INVITE_DECLINED)
		*why = "That address has said no to this game already, so nothing was sent.";
	else if (rc == ERR_NONE && before.asked_utc + WEEK_S > req->srv->now_utc)
		*why = "That address has been invited into this game within a week, so nothing "
		       "was sent.";
	if (*why)
		return ERR_NONE;
	TRY(budget_allows(req->srv, BUDGET_INVITES, own_budget(req), &allowed));
	if (!allowed) {
		*why =
		    arena_printf(req->arena,
		                 "You have sent %u invitations within a day, and more are not "
		                 "taken. Please go on tomorrow.",
		                 req->srv->cfg.invites_per_day);
		return ERR_NONE;
	}
	TRY(budget_allows(req->srv, BUDGET_INVITED, v->to, &allowed));
	if (!allowed)
		*why =
		    "That address has had enough invitations from here this week, so nothing "
		    "was sent.";
	return ERR_NONE;
}

/* The name at the table, or of a master without a seat. */
static const char *inviter_name(const struct inviting *v)
{
	struct strbuf name = STRBUF_INIT;

	if (v->seat)
		return v->match->names.names[v->seat->seat];
	utf8_add_plain(&name, v->req->who.player.name);
	struct span copy = arena_take(v->req->arena, &name);
	return copy.len > 0 ? copy.ptr : "Somebody";
}

static enum err post(struct inviting *v, int64_t inviter, struct report_out *out)
{
	struct request *req = v->req;
	struct outbox_mail row;
	struct invite invite = {
	    .game = v->match->game.id, .player = inviter, .asked_utc = req->srv->now_utc};
	struct outgoing outgoing = {.kind = "invite",
	                            .key = request_next_key(req),
	                            .game = &v->match->game,
	                            .player = v->known.id,
	                            .address = v->to,
	                            .exactly = true,
	                            .report = out,
	                            .unsubscribe = "set invites off",
	                            .cause = req->inbox_id};

	outgoing_prepare(req->srv, &outgoing, req->arena, &row);
	TRY(outbox_add(req->srv->store, &row, &invite.outbox));
	return invite_add(req->srv->store, &invite, v->to);
}

static struct inviting inviting_of(struct request *req, struct match *match, struct seat *seat,
                                   struct span address, struct span words)
{
	struct strbuf text = STRBUF_INIT;

	utf8_add_plain(&text, words);
	return (struct inviting){.req = req,
	                         .match = match,
	                         .seat = seat,
	                         .to = mail_address_normalize(address, req->arena),
	                         .text = arena_take(req->arena, &text)};
}

/* Posts it, or says why not. */
static enum err try_to_invite(struct inviting *v, const char **why, const char **example)
{
	*why = objection(v, example);
	if (*why)
		return ERR_NONE;
	TRY(check_limits(v, why));
	if (*why)
		return ERR_NONE;
	struct report_out out = REPORT_OUT_INIT;
	invitation_write(v->req->srv, v->match, inviter_name(v), v->text, &out);
	enum err rc = post(v, v->req->who.player.id, &out);
	report_out_release(&out);
	return rc;
}

#define WHAT_FOLLOWS                                                                       \
	"You hear which, or that the mail came back; nobody else is told the address. If " \
	"all seats are taken before, the answer comes too late."

static enum err invite(struct request *req, const struct command *item, struct match *match,
                       struct seat *seat)
{
	struct inviting v = inviting_of(req, match, seat, item->name, item->topic);
	const char *example, *why;

	TRY(try_to_invite(&v, &why, &example));
	if (why) {
		request_verdict(v.req, "refused", "an invitation: %s", why);
		return request_notice(v.req, v.match, v.seat, "nobody was invited", example,
		                      "%s", why);
	}
	request_verdict(req, "command", "an invitation to %s", match->id);
	return request_notice(req, match, seat, "the invitation goes out", "",
	                      "%.*s gets a mail that asks for a yes or a no. " WHAT_FOLLOWS,
	                      SPAN_ARGS(v.to));
}

static enum err tell_of_guests(struct request *req, struct match *match, struct seat *seat,
                               const struct strbuf *asked, const struct strbuf *not_asked)
{
	request_verdict(req, "command", "invitations to %s", match->id);
	if (asked->len == 0)
		return request_notice(req, match, seat, "nobody was invited", "", "%s",
		                      not_asked->ptr);
	return request_notice(
	    req, match, seat, "the invitations go out", "",
	    not_asked->len > 0
		? "A mail that asks for a yes or a no goes to %s. " WHAT_FOLLOWS " %s"
		: "A mail that asks for a yes or a no goes to %s. " WHAT_FOLLOWS "%s",
	    asked->ptr, not_asked->len > 0 ? not_asked->ptr : "");
}

/* Nobody is written to for somebody who has proved nothing: until the welcome mail is answered. */
static enum err keep_guests(struct request *req, int64_t game, struct span guests)
{
	struct confirmation kept = {.kind = CONFIRMATION_GUESTS,
	                            .player = req->who.player.id,
	                            .address = req->mail->from,
	                            .game = game,
	                            .seat = 1,
	                            .arrived_utc = req->arrived_utc,
	                            .asked_utc = req->srv->now_utc,
	                            .mail = req->inbox_id,
	                            .text = guests};

	TRY(confirmation_drop_old(req->srv->store,
	                          req->srv->now_utc - 2 * CONFIRMATION_OPEN_S));
	return confirmation_add(req->srv->store, &kept);
}

enum err invite_kept_guests(struct request *req)
{
	struct confirmation *kept;
	size_t n;

	TRY(confirmation_list(req->srv->store, req->who.player.id, req->arena, &kept, &n));
	for (size_t i = 0; i < n; i++) {
		if (kept[i].kind != CONFIRMATION_GUESTS || kept[i].game != req->about.game)
			continue;
		TRY(confirmation_drop(req->srv->store, kept[i].id));
		TRY(invite_guests(req, kept[i].game, kept[i].text));
	}
	return ERR_NONE;
}

enum err invite_guests(struct request *req, int64_t game, struct span guests)
{
	struct strbuf asked = STRBUF_INIT, not_asked = STRBUF_INIT;
	struct span address;
	struct match match;
	const char *why, *example;
	enum err rc = match_load(req->srv, game, req->arena, &match);
	struct seat *seat = rc == ERR_NONE ? match_seat(&match, 1) : NULL;

	if (seat && seat->player != req->who.player.id)
		seat = NULL;
	if (seat && !seat->confirmed) {
		rc = keep_guests(req, game, guests);
		match_release(&match);
		return rc;
	}
	while (rc == ERR_NONE && span_next_word(&guests, "", &address)) {
		struct inviting v = inviting_of(req, &match, seat, address, SPAN_EMPTY);

		rc = try_to_invite(&v, &why, &example);
		if (rc == ERR_NONE && why)
			strbuf_addf(&not_asked, "%.*s: %s ", SPAN_ARGS(v.to), why);
		else if (rc == ERR_NONE)
			strbuf_addf(&asked, asked.len > 0 ? ", %.*s" : "%.*s", SPAN_ARGS(v.to));
	}
	if (rc == ERR_NONE)
		rc = tell_of_guests(req, &match, seat, &asked, &not_asked);
	strbuf_release(&asked);
	strbuf_release(&not_asked);
	match_release(&match);
	return rc;
}

/* ---- asking once more ---- */

static enum err repeat(struct request *req, const struct invite *invite,
                       const struct outbox_mail *old)
{
	struct report_out out = REPORT_OUT_INIT;
	struct match match;
	enum err rc = match_load(req->srv, invite->game, req->arena, &match);
	struct inviting v = {.req = req, .match = &match, .to = old->rcpt};

	strbuf_adds(&out.body, "An invitation to a game waits for your answer. Here it is once "
	                       "more;\nplease reply to this mail.\n\n");
	if (rc == ERR_NONE && !mail_read_back(old->message, &out.body))
		rc = err_set(&req->srv->fail, ERR_CORRUPT, "outbox row %lld does not read back",
		             (long long)old->id);
	if (rc == ERR_NONE)
		rc = look_up(&v);
	if (rc == ERR_NONE) {
		strbuf_addf(&out.subject, "your invitation to a game of %s",
		            match.rules->title);
		rc = post(&v, invite->player, &out);
	}
	report_out_release(&out);
	match_release(&match);
	return rc;
}

enum err invite_once_more(struct request *req, bool *done)
{
	struct store *s = req->srv->store;
	struct invite invite;
	struct outbox_mail old;
	struct game *games;
	size_t n;

	*done = false;
	TRY(request_games(req, &games, &n));
	if (n > 0 || req->about.game != 0 || !req->answer.allowed)
		return ERR_NONE;
	enum err rc = invite_open_to_address(s, req->mail->from, &invite);
	if (rc == ERR_NONE)
		rc = outbox_message(s, invite.outbox, req->arena, &old);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	if (old.is_dropped)
		return ERR_NONE;
	TRY(budget_allows(req->srv, BUDGET_INVITED_AGAIN, old.rcpt, done));
	if (!*done)
		return ERR_NONE;
	request_understood(req);
	request_verdict(req, "not-understood", "an invitation waits for this address");
	return repeat(req, &invite, &old);
}

/* ---- the commands ---- */

/* Named, answered, or the only one of the speaker's that gathers. */
static enum err gathering_game(struct request *req, const struct command *item, int64_t *game)
{
	struct game *games;
	size_t n, found = 0;

	*game = item->game ? item->game : req->about.game;
	if (*game != 0 || req->who.player.id == 0)
		return ERR_NONE;
	TRY(game_list_of_player(req->srv->store, req->who.player.id, 1u << GAME_GATHERING,
	                        req->arena, &games, &n));
	for (size_t i = 0; i < n; i++, found++)
		*game = games[i].id;
	if (found != 1)
		*game = 0;
	return ERR_NONE;
}

enum err do_invite(struct request *req, const struct command *item)
{
	struct command named = *item;

	request_understood(req);
	TRY(gathering_game(req, item, &named.game));
	if (named.game == 0 && req->who.player.id != 0)
		TRY(master_only_game(req, &named.game));
	ask_ahead(req, named.game, item->name);
	return request_with_game(req, &named, invite);
}

enum err do_set_invites(struct request *req, const struct command *item)
{
	request_understood(req);
	bool off = item->number != 2;

	TRY(invites_refuse(req->srv->store, req->mail->from, off, req->srv->now_utc));
	request_verdict(req, "command", off ? "no invitations" : "invitations again");
	return request_notice(
	    req, NULL, NULL, off ? "no invitations any more" : "invitations again",
	    off ? "set invites on" : "set invites off",
	    off ? "Nobody can have an invitation sent to %.*s from here any more. This line "
		  "undoes it:"
		: "Players here may have invitations sent to %.*s again. This line undoes "
		  "it:",
	    SPAN_ARGS(req->mail->from));
}
