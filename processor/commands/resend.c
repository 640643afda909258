/*
 * resend.c - RESEND: a mail of ours once more, about a game or a digest.
 *
 * It comes under a new Message-ID, so that no mail program hides it. Of one whose text has been kept
 * long enough (retention.h) comes what the server had signed in it.
 */
#include <stdio.h>

#include "mail/compose.h"
#include "processor/base/clock.h"
#include "processor/commands/commands.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/retention.h"
#include "processor/request/confirmation.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"
#include "processor/server/reply_address.h"
#include "store/digests.h"

/* All but the words: for whom, in which thread, how to answer it. */
static enum err post(struct request *req, struct match *match, struct outgoing *o,
                     struct report_out *out)
{
	enum valve valve = VALVE_SHUT;
	enum err rc = ERR_NONE;

	o->player = req->who.player.id;
	o->address = req->who.player.address;
	o->form = req->who.player.form;
	o->report = out;
	o->in_reply_to = req->mail->message_id;
	o->replied = true;
	o->resend = true;
	if (req->answer.allowed)
		rc = request_may_send(req, match, o->seat, o->kind, out, &valve);
	o->postscript = request_last_words(valve);
	return rc == ERR_NONE && valve != VALVE_SHUT ? outgoing_add(req->srv, o, req->arena)
	                                             : rc;
}

static enum err read_back(struct request *req, const struct outbox_mail *old,
                          struct report_out *out)
{
	if (outgoing_read_back(old->message, out))
		return ERR_NONE;
	return err_set(&req->srv->fail, ERR_CORRUPT, "outbox row %lld does not read back",
	               (long long)old->id);
}

/* ---- of which the text is gone ---- */

static enum err send_proofs(struct request *req, struct match *match, struct seat *seat,
                            const struct outbox_mail *old)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_game game = {0};
	struct strbuf day = STRBUF_INIT;
	struct span proofs;

	TRY(retention_proofs_of(req->srv, old, req->arena, &proofs, NULL));
	utc_format_human(&day, old->created_utc);
	if (match)
		game = report_values_game(req->srv, match, seat, &req->who.player);
	const char *is_gone = arena_printf(
	    req->arena,
	    proofs.len > 0
		? "The mail you asked for was written on %s, and this server does not keep the "
		  "text of a mail so long. What the server had signed in it is attached."
		: "The mail you asked for was written on %s, and this server does not keep the "
		  "text of a mail so long. It held nothing that the server had signed.",
	    day.ptr);
	const char *way = match ? "To get the positions of the game, send:"
	                        : "To see your games, send:";
	const char *instead = match ? arena_printf(req->arena, "history %s", match->id)
	                            : "status";
	report_notice(&(struct report_notice){.game = match ? &game : NULL,
	                                      .subject = "a mail that is no longer kept",
	                                      .paragraphs = TEXTS(is_gone, way),
	                                      .examples = TEXTS(instead)},
	              &out);
	strbuf_add_span(&out.proof, proofs);
	enum err rc = request_answer(req, match, seat, "record", &out);
	strbuf_release(&day);
	return rc;
}

/* ---- about a game ---- */

static enum err repeat(struct request *req, struct match *match, struct seat *seat,
                       const struct outbox_mail *old)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct strbuf reply = STRBUF_INIT;
	struct confirmation confirmation;
	enum confirmation_end end;
	enum err asks = confirmation_of_row(req, old, &confirmation, &end);

	if (asks != ERR_NONE && asks != ERR_NOT_FOUND)
		return asks;
	if (asks == ERR_NONE && req->srv->cfg.plus_address)
		confirmation_add_reply(req->srv, &confirmation, end, &reply);
	strbuf_addf(&out.subject, "[%s] mail %u, once more", match->id, old->number);
	/* A question that is still open is answered by its repetition as well. */
	bool keeps_kind = asks == ERR_NONE || span_eq_str(old->kind, END_KIND);
	struct outgoing outgoing = {
	    .kind = keeps_kind ? arena_cstr(req->arena, old->kind) : "resend",
	    .key = request_next_key(req),
	    .game = &match->game,
	    .seat = seat,
	    .serial = old->serial,
	    .confirmation = asks == ERR_NONE ? confirmation.id : 0,
	    .cause = asks == ERR_NONE ? old->cause : req->inbox_id,
	    .reply_to = reply.len > 0 ? reply.ptr : NULL,
	};
	enum err rc = read_back(req, old, &out);
	if (rc == ERR_NONE)
		rc = post(req, match, &outgoing, &out);
	report_out_release(&out);
	strbuf_release(&reply);
	return rc;
}

static enum err resend(struct request *req, const struct command *item, struct match *match,
                       struct seat *seat)
{
	struct outbox_mail old;

	if (!seat)
		return request_notice(req, match, NULL, "you have no seat there", "list",
		                      "Only mails to a seat of yours can be repeated. To see "
		                      "the open games, send:");
	enum err rc = outbox_by_number(req->srv->store, match->game.id, seat->seat,
	                               item->number, req->arena, &old);
	if (rc == ERR_NOT_FOUND)
		return request_notice(req, match, seat, "no such mail", "resend",
		                      "You have been sent %u mails in %s so far; there is no "
		                      "number %u. To get the last report again, send:",
		                      seat->mails, match->id, item->number);
	TRY(rc);
	if (old.player != req->who.player.id)
		return request_notice(req, match, seat, "no such mail", "resend",
		                      "That mail went to somebody who held your seat before "
		                      "you. To get the last report again, send:");
	return old.is_dropped ? send_proofs(req, match, seat, &old)
	                      : repeat(req, match, seat, &old);
}

/* ---- a digest ---- */

static enum err repeat_digest(struct request *req, unsigned number,
                              const struct outbox_mail *old)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct strbuf reply = STRBUF_INIT;

	strbuf_addf(&out.subject, "[digest %u] once more", number);
	if (req->srv->cfg.plus_address)
		address_add_digest(req->srv, &req->who.player, number, &reply);
	struct outgoing outgoing = {.kind = "resend",
	                            .key = request_next_key(req),
	                            .cause = req->inbox_id,
	                            .reply_to = reply.len > 0 ? reply.ptr : NULL};
	enum err rc = read_back(req, old, &out);
	if (rc == ERR_NONE)
		rc = post(req, NULL, &outgoing, &out);
	report_out_release(&out);
	strbuf_release(&reply);
	return rc;
}

enum err do_resend(struct request *req, const struct command *item)
{
	if (digest_is_meant(req, item)) {
		struct digest b;
		struct outbox_mail old;
		unsigned last;

		/* The newest, or the one with this number. */
		request_understood(req);
		TRY(digest_last(req->srv->store, req->who.player.id, &last));
		unsigned number = item->number != 0 ? item->number : last;
		enum err rc = digest_by_number(req->srv->store, req->who.player.id, number, &b);
		if (rc == ERR_NOT_FOUND)
			return request_notice(
			    req, NULL, NULL, "no such digest", "resend",
			    "The last digest you were sent has number %u; there is no number "
			    "%u. A mail about a game comes again when its number is followed "
			    "by that of the game. To get the last digest again, send:",
			    last, number);
		TRY(rc);
		TRY(outbox_message(req->srv->store, b.outbox, req->arena, &old));
		return old.is_dropped ? send_proofs(req, NULL, NULL, &old)
		                      : repeat_digest(req, number, &old);
	}
	return request_with_game(req, item, resend);
}
