/*
 * invited.c - the mail in hand as the answer to an invitation.
 */
#include "processor/request/invited.h"

#include "processor/base/utf8.h"
#include "processor/outgoing/invitation.h"
#include "processor/request/identify.h"
#include "processor/request/seats.h"
#include "store/addresses.h"

static enum err is_invitation(struct request *req, struct span id, struct outbox_mail *row,
                              struct invite *invite, bool *is)
{
	*is = false;
	if (id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(req->srv->store, id, req->arena, row);
	if (rc == ERR_NONE &&
	    (!span_eq_str(row->kind, "invite") || !utf8_eq_folded(row->rcpt, req->mail->from)))
		return ERR_NONE;
	if (rc == ERR_NONE) /* another mail may have asked once more */
		rc = invite_to_address(req->srv->store, row->game, row->rcpt, invite);
	*is = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err invited_answers(struct request *req, struct outbox_mail *row, struct invite *invite,
                         bool *is)
{
	const struct span_list *refs = &req->mail->references;

	*is = false;
	if (req->who.doubtful || req->about.game != 0)
		return ERR_NONE;
	TRY(is_invitation(req, req->mail->in_reply_to, row, invite, is));
	for (size_t i = refs->count; i > 0 && !*is; i--)
		TRY(is_invitation(req, refs->items[i - 1], row, invite, is));
	return ERR_NONE;
}

/* They have what only they could have: the address is theirs. */
static enum err take_as_confirmed(struct request *req)
{
	TRY(seats_make_known(req));
	if (req->who.player.confirmed)
		return ERR_NONE;
	TRY(player_set_confirmed(req->srv->store, req->who.player.id));
	struct player p = req->who.player;
	p.confirmed = true;
	identify_player(req, &p);
	return ERR_NONE;
}

enum err invited_confirm(struct request *req, int64_t game)
{
	struct outbox_mail row;
	struct invite invite;
	bool is;

	TRY(invited_answers(req, &row, &invite, &is));
	return is && invite.game == game ? take_as_confirmed(req) : ERR_NONE;
}

enum err invited_has_joined(struct request *req, int64_t game)
{
	struct invite invite;
	struct outbox_mail row;
	struct seat seat;

	if (req->who.player.id == 0)
		return ERR_NONE;
	enum err rc = invite_to_address(req->srv->store, game, req->mail->from, &invite);
	if (rc == ERR_NONE)
		rc = outbox_by_id(req->srv->store, invite.outbox, req->arena, &row);
	if (rc == ERR_NONE)
		rc = seat_of_player(req->srv->store, game, req->who.player.id, req->arena,
		                    &seat);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	struct strbuf name = STRBUF_INIT;
	utf8_add_plain(&name, seat.name);
	rc = invitation_answered(req->srv, &invite, &row, INVITE_ACCEPTED,
	                         arena_strdup(req->arena, name.ptr), req->arena);
	strbuf_release(&name);
	return rc;
}

enum err invited_into(struct request *req, int64_t game, bool *yes)
{
	struct invite invite;
	enum err rc = invite_to_address(req->srv->store, game, req->mail->from, &invite);

	*yes = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err invited_entry(struct request *req, int64_t game, enum entry *entry)
{
	struct store *store = req->srv->store;
	struct span *others = NULL;
	size_t n = 0;

	TRY(entry_get(store, game, req->mail->from, entry));
	if (*entry != ENTRY_USUAL || req->who.player.id == 0)
		return ERR_NONE;
	TRY(entry_get(store, game, req->who.player.address, entry));
	TRY(address_list(store, req->who.player.id, req->arena, &others, &n));
	for (size_t i = 0; i < n && *entry == ENTRY_USUAL; i++)
		TRY(entry_get(store, game, others[i], entry));
	return ERR_NONE;
}

const char *invited_kept_out(struct request *req, const char *game_id)
{
	return arena_printf(req->arena,
	                    "The master of %s does not let you into that game. To see the open "
	                    "games, send:",
	                    game_id);
}
