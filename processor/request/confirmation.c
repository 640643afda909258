/*
 * confirmation.c - questions by mail, and the reply addresses that answer them.
 */
#include "processor/request/confirmation.h"

#include <stdio.h>
#include <string.h>

#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/request/answered_mails.h"
#include "processor/server/reply_address.h"

#define PURPOSE "question"
/*
 * The kinds of outbox rows: "question-also" to the player, "inquiry-also" to the address. Not told
 * by where they went, since a mail to the player may have gone to another address of theirs.
 */
static const char *const row_kinds[] = {
    [CONFIRMATION_TO_PLAYER] = "question-", [CONFIRMATION_TO_ADDRESS] = "inquiry-"};

enum { DAY_S = 24 * 3600 };

/* All that a yes to this question is a yes to. No row numbers: they differ after a restore. */
static void code_text(const struct confirmation *q, unsigned end, struct strbuf *out)
{
	struct hash text = hash_of(q->text);

	strbuf_addf(out, "%u\n%s\n%lld\n", end, confirmation_kind_name(q->kind),
	            (long long)q->player);
	utf8_add_folded(out, q->address);
	strbuf_addf(out, "\n%lld\n%u\n%u\n%lld\n", (long long)q->game, q->serial, q->seat,
	            (long long)q->arrived_utc);
	hash_add_hex(out, &text);
}

void confirmation_add_reply(const struct server *srv, const struct confirmation *q,
                            enum confirmation_end end, struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	code_text(q, end, &what);
	strbuf_add_span(out, address_local(&srv->cfg));
	strbuf_addf(out, "+y-%lld.%u.", (long long)q->player, (unsigned)end);
	keyring_add_token(srv->keys, PURPOSE, strbuf_span(&what), out);
	strbuf_addc(out, '@');
	strbuf_add_span(out, address_domain(&srv->cfg));
	strbuf_release(&what);
}

static bool code_fits(const struct server *srv, const struct confirmation *q,
                      const struct confirmation_token *tag)
{
	struct strbuf what = STRBUF_INIT;

	code_text(q, tag->end, &what);
	bool ok = address_check_code(srv, PURPOSE, strbuf_span(&what), tag->mac);
	strbuf_release(&what);
	return ok;
}

enum err confirmation_allowed(struct request *req, enum confirmation_kind kind,
                              struct span address, bool *yes)
{
	return budget_allows(req->srv,
	                     kind == CONFIRMATION_MAIL    ? BUDGET_ASK_MAIL
	                     : kind == CONFIRMATION_MEANT ? BUDGET_ASK_MEANT
	                                                  : BUDGET_ASK_ADDRESS,
	                     address, yes);
}

enum err confirmation_post(struct request *req, struct match *match, struct seat *seat,
                           const struct confirmation *q, enum confirmation_end end,
                           const struct report_out *report)
{
	struct strbuf reply = STRBUF_INIT;
	bool to_player = end == CONFIRMATION_TO_PLAYER;

	if (req->mail->flags & MAIL_NULL_PATH)
		return ERR_NONE;
	if (req->srv->cfg.plus_address)
		confirmation_add_reply(req->srv, q, end, &reply);
	struct outgoing outgoing = {
	    .kind = arena_printf(req->arena, "%s%s", row_kinds[end],
	                         confirmation_kind_name(q->kind)),
	    .key = request_next_key(req),
	    .game = match ? &match->game : NULL,
	    .seat = seat,
	    .serial = match && match->has_turn ? match->turn.serial : 0,
	    .player = req->who.player.id,
	    .address = to_player ? req->who.player.address : q->address,
	    .exactly = !to_player, /* nobody else can answer for it */
	    .form = req->who.player.form,
	    .report = report,
	    .confirmation = q->id,
	    .cause = q->mail,
	    .in_reply_to = to_player ? req->mail->message_id : SPAN_EMPTY,
	    .reply_to = reply.len > 0 ? arena_strdup(req->arena, reply.ptr) : NULL,
	    .replied = to_player,
	};
	strbuf_release(&reply);
	return outgoing_add(req->srv, &outgoing, req->arena);
}

struct span confirmation_proposal(const struct confirmation *q)
{
	return span_slice(q->text, span_find_char(q->text, '\n') + 1, q->text.len);
}

static enum err find_by_tag(struct request *req, const struct confirmation_token *tag,
                            struct confirmation *q, enum confirmation_found *found)
{
	struct confirmation *open;
	size_t n;

	*found = CONFIRMATION_CLOSED;
	TRY(confirmation_list(req->srv->store, tag->player, req->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (code_fits(req->srv, &open[i], tag)) {
			*q = open[i];
			*found = CONFIRMATION_OPEN;
		}
	return ERR_NONE;
}

/* "inquiry-also": from which end an answer to it comes. */
static bool read_row_kind(struct span kind, enum confirmation_end *end)
{
	for (size_t e = CONFIRMATION_TO_PLAYER; e <= CONFIRMATION_TO_ADDRESS; e++)
		if (span_starts(kind, row_kinds[e])) {
			*end = (enum confirmation_end)e;
			return true;
		}
	return false;
}

enum err confirmation_of_row(struct request *req, const struct outbox_mail *row,
                             struct confirmation *q, enum confirmation_end *end)
{
	struct confirmation *open;
	int64_t id;
	size_t n;

	if (!read_row_kind(row->kind, end))
		return ERR_NOT_FOUND;
	TRY(confirmation_of_mail(req->srv->store, row->id, &id));
	TRY(confirmation_list(req->srv->store, row->player, req->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (open[i].id == id) {
			*q = open[i];
			return ERR_NONE;
		}
	return ERR_NOT_FOUND;
}

static enum err find_by_thread(struct request *req, struct confirmation *q,
                               enum confirmation_end *end, enum confirmation_found *found)
{
	struct outbox_mail row;
	bool ours;

	TRY(answered_mail(req, &row, &ours));
	if (!ours || !read_row_kind(row.kind, end))
		return ERR_NONE;
	enum err rc = confirmation_of_row(req, &row, q, end);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	*found = rc == ERR_NONE ? CONFIRMATION_OPEN : CONFIRMATION_CLOSED;
	return ERR_NONE;
}

enum err confirmation_find(struct request *req, struct confirmation *q,
                           enum confirmation_end *end, enum confirmation_found *found)
{
	*found = CONFIRMATION_NONE;
	for (size_t i = 0; i < req->mail->recipients.count; i++) {
		const struct recipient *to = &req->recipients[i];

		/* To a seat's reply address: about that seat, whatever thread it stands in. */
		if (to->kind == RECIPIENT_SEAT)
			return ERR_NONE;
		if (to->kind != RECIPIENT_CONFIRMATION)
			continue;
		*end = to->confirmation.end;
		return find_by_tag(req, &to->confirmation, q, found);
	}
	return find_by_thread(req, q, end, found);
}
