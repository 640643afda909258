/*
 * address.c - I AM ALSO and SET ADDRESS: asked at both ends, changed by the second yes.
 */
#include "processor/base/utf8.h"
#include "processor/commands/commands.h"
#include "processor/request/confirmation.h"
#include "processor/request/identify.h"
#include "store/addresses.h"

/* Whoever reads them there may never have heard of us: no more mails than this, whoever asks. */
static enum err refuse(struct request *req, const char *why)
{
	request_verdict(req, "refused", "an address: %s", why);
	return request_notice(req, NULL, NULL, "no address was changed", "", "%s", why);
}

static const char *objection(const struct request *req, const struct command *item,
                             struct span address, const struct span *others, size_t n)
{
	if (address_is_ours(req->srv, address))
		return "That is an address of this server itself, so it cannot be yours. "
		       "Nothing has changed.";
	if (utf8_eq_folded(address, req->who.player.address))
		return "That is the address your mail goes to already. Nothing has changed.";
	for (size_t i = 0; i < n; i++)
		if (item->verb == CMD_ALSO && utf8_eq_folded(address, others[i]))
			return "Mail from that address counts as yours already. Nothing has "
			       "changed.";
	if (n >= PLAYER_ADDRESSES_MAX)
		return "You have as many addresses as anybody may have here. Nothing has "
		       "changed. The operator of the server can take one away.";
	return NULL;
}

/* The player, or the new address, where whoever reads it may never have heard of us. */
static enum err ask_end(struct request *req, const struct confirmation *q,
                        enum confirmation_end end)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	bool also = q->kind == CONFIRMATION_ALSO, to_player = end == CONFIRMATION_TO_PLAYER;
	struct span name = req->who.player.name.len > 0 ? req->who.player.name
	                                                : SPAN_LIT("Somebody");
	const char *wish =
	    to_player
		? arena_printf(req->arena,
	                       also ? "A mail in your name asks that mail from %.*s be "
	                              "carried out as if it had come from you. Reports and "
	                              "answers would go on to this address."
	                            : "A mail in your name asks that everything for you be "
	                              "sent to %.*s from now on. Mail from this address "
	                              "would still count as yours.",
	                       SPAN_ARGS(q->address))
		: arena_printf(req->arena,
	                       also ? "At %s people play board games by mail. A player "
	                              "called %.*s asks that mail from this address be "
	                              "carried out as if that player had sent it."
	                            : "At %s people play board games by mail. A player "
	                              "called %.*s asks that everything for that player "
	                              "be sent to this address.",
	                       req->srv->cfg.address, SPAN_ARGS(name));

	report_notice(
	    &(struct report_notice){
		.subject = !to_player ? "is this address yours?"
	                   : also     ? "may another address write for you?"
	                              : "shall your mail go to another address?",
		.paragraphs = TEXTS(
		    wish, to_player
			      ? "Both addresses have been asked, and nothing changes before "
				"both have said yes. Without an answer the question is closed "
				"after two days. Answer this very mail, with the first of "
				"these lines if you agree, with the second if not:"
			      : "If it is you, reply to this mail with the first of these "
				"lines. If not, reply with the second or do nothing: then "
				"nothing happens."),
		.examples = TEXTS("yes", "no")},
	    &out);
	enum err rc = confirmation_post(req, NULL, NULL, q, end, &out);
	report_out_release(&out);
	return rc;
}

static enum err ask_if_allowed(struct request *req, const struct command *item,
                               struct span address)
{
	struct confirmation q = {
	    .kind = item->verb == CMD_ALSO ? CONFIRMATION_ALSO : CONFIRMATION_ADDRESS,
	    .player = req->who.player.id,
	    .address = address,
	    .arrived_utc = req->arrived_utc,
	    .asked_utc = req->srv->now_utc,
	    .mail = req->inbox_id,
	};
	bool here = false, there = false;

	TRY(confirmation_allowed(req, q.kind, req->who.player.address, &here));
	if (!here)
		return refuse(req,
		              "So many questions of this kind have been asked today that no "
		              "more are. Nothing has changed. Please try again tomorrow.");
	TRY(budget_allows(req->srv, BUDGET_ASKED_ADDRESS, address, &there));
	if (!there)
		return refuse(req,
		              "That address has been asked often enough this week and is not "
		              "asked again now. Nothing has changed.");
	TRY(confirmation_drop_old(req->srv->store,
	                          req->srv->now_utc - 2 * CONFIRMATION_OPEN_S));
	TRY(confirmation_add(req->srv->store, &q));
	request_verdict(req, "command", "both ends were asked about '%s'",
	                confirmation_kind_name(q.kind));
	TRY(ask_end(req, &q, CONFIRMATION_TO_PLAYER));
	return ask_end(req, &q, CONFIRMATION_TO_ADDRESS);
}

enum err do_also(struct request *req, const struct command *item)
{
	struct span *others, address = mail_address_normalize(item->name, req->arena);
	size_t n;

	if (req->who.player.id == 0)
		return ERR_NONE; /* the guide says what a stranger can do */
	request_understood(req);
	TRY(address_list(req->srv->store, req->who.player.id, req->arena, &others, &n));
	const char *why = objection(req, item, address, others, n);
	return why ? refuse(req, why) : ask_if_allowed(req, item, address);
}
