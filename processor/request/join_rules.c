/*
 * join_rules.c - who is let in, and the mail in hand as the answer to an invitation.
 */
#include "processor/request/join_rules.h"

#include "processor/base/utf8.h"
#include "processor/match/ratings_update.h"
#include "processor/outgoing/invitation.h"
#include "processor/request/answered_mails.h"
#include "processor/request/seats.h"
#include "processor/server/zones.h"
#include "store/addresses.h"
#include "store/rematches.h"

/* Of a game that was asked for without whoever runs the server; NULL when nothing speaks against it. */
static const char *objection_to_operator(struct request *req, const struct match *match,
                                         const struct entry_terms *terms)
{
	if (!terms->without_operator ||
	    !config_shows_operator(&req->srv->cfg, req->who.player.address))
		return NULL;
	return arena_printf(req->arena,
	                    "You run this server, and %s was opened for a game without you. To "
	                    "see the open games, send:",
	                    match->id);
}

enum err join_rules_objection_to_seat(struct request *req, const struct match *match,
                                      const char **why)
{
	struct entry_terms terms;
	unsigned has;

	TRY(entry_terms_get(req->srv->store, match->game.id, &terms));
	*why = objection_to_operator(req, match, &terms);
	if (*why || terms.reliability == 0)
		return ERR_NONE;
	TRY(ratings_update_reliability(req->srv, req->who.player.id, &has));
	if (has < terms.reliability)
		*why = arena_printf(
		    req->arena,
		    "%s takes only people with a reliability of at least %u %%, and yours is "
		    "%u %%. It rises with every turn of other games in which your orders come "
		    "in time, and counts when a game has ended; \"HELP RATINGS\" tells how. To "
		    "see the open games, send:",
		    match->id, terms.reliability, has);
	return ERR_NONE;
}

enum err join_rules_objection(struct request *req, const struct match *match, const char **why)
{
	struct entry_terms terms;
	struct rematch r;
	struct game of;
	bool asked;

	*why = NULL;
	enum err rc = rematch_get(req->srv->store, match->game.id, &r);
	if (rc == ERR_NOT_FOUND)
		return join_rules_objection_to_seat(req, match, why);
	TRY(rc);
	TRY(invitation_exists(req->srv->store, match->game.id, req->who.player.id, &asked));
	if (asked) {
		TRY(entry_terms_get(req->srv->store, match->game.id, &terms));
		*why = objection_to_operator(req, match, &terms);
		return ERR_NONE;
	}
	if (r.kept_utc <= req->srv->now_utc)
		return join_rules_objection_to_seat(req, match, why);
	TRY(game_get(req->srv->store, r.of, req->arena, &of));
	*why = arena_printf(
	    req->arena,
	    "The seats of %s are kept for those who have played %s together. If one of them "
	    "does not want that seat, or from %s on, anybody may join. To see the open games, "
	    "send:",
	    match->id, game_id_text(&of, req->arena),
	    zone_human(zone_of_reader(req->srv, &req->who.player), r.kept_utc, req->arena));
	return ERR_NONE;
}

const char *join_rules_terms_refused(const struct server *srv, const struct entry_terms *terms)
{
	return terms->without_operator && !config_names_operator(&srv->cfg)
	           ? "This server does not show who runs it, so it cannot keep them out of a "
	             "game. Leave out WITHOUT OPERATOR."
	           : NULL;
}

enum err join_rules_kept_until(struct server *srv, int64_t game, int64_t *until_utc)
{
	struct rematch r;
	enum err rc = rematch_get(srv->store, game, &r);

	*until_utc = rc == ERR_NONE && r.kept_utc > srv->now_utc ? r.kept_utc : 0;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err join_rules_open_game_for(struct server *srv, const struct rules *kind,
                                  const struct player *player, struct arena *arena,
                                  struct game *out)
{
	struct game_wish wish = {
	    .kind = span_of(kind->name),
	    .player = player->id,
	    .is_operator = config_shows_operator(&srv->cfg, player->address),
	    .now_utc = srv->now_utc,
	    .unconfirmed_since_utc = srv->now_utc - SEAT_HELD_S};

	TRY(ratings_update_reliability(srv, player->id, &wish.reliability));
	return game_open_of_kind(srv->store, &wish, arena, out);
}

enum err join_rules_open_game(struct request *req, const struct rules *kind, struct game *out)
{
	return join_rules_open_game_for(req->srv, kind, &req->who.player, req->arena, out);
}

const char *join_rules_kind_words(const struct rules *kind, struct arena *arena)
{
	struct strbuf words = STRBUF_INIT;

	utf8_add_folded(&words, span_of(kind->title));
	return arena_take(arena, &words).ptr;
}

enum err join_rules_add_options(struct server *srv, const struct game *game, struct strbuf *out)
{
	bool usual = srv->cfg.strangers_are_asked && !game->is_private && game->nseats > 2;
	struct entry_terms terms;

	TRY(entry_terms_get(srv->store, game->id, &terms));
	if (terms.reliability > 0)
		strbuf_addf(out, " reliability=%u", terms.reliability);
	if (terms.without_operator)
		strbuf_adds(out, " operator=none");
	if (terms.ready && !usual)
		strbuf_adds(out, " ready=asked");
	return ERR_NONE;
}

/* ---- the mail in hand as the answer to an invitation ---- */

static enum err is_invitation(struct request *req, struct span id, struct outbox_mail *row,
                              struct invite *invite, bool *is)
{
	TRY(mail_of_ours(req, id, row, is));
	*is = *is && span_eq_str(row->kind, "invite") &&
	      utf8_eq_folded(row->rcpt, req->mail->from);
	if (!*is)
		return ERR_NONE;
	/* Another mail may have asked once more. */
	enum err rc = invite_to_address(req->srv->store, row->game, row->rcpt, invite);
	*is = rc == ERR_NONE;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err invited_answers(struct request *req, struct outbox_mail *row, struct invite *invite,
                         bool *is)
{
	const struct span *ids;
	size_t n = answered_ids(req, &ids);

	*is = false;
	if (req->who.doubtful || req->about.game != 0)
		return ERR_NONE;
	for (size_t i = 0; i < n && !*is; i++)
		TRY(is_invitation(req, ids[i], row, invite, is));
	return ERR_NONE;
}

enum err invited_confirm(struct request *req, int64_t game)
{
	struct outbox_mail row;
	struct invite invite;
	bool is;

	TRY(invited_answers(req, &row, &invite, &is));
	if (!is || invite.game != game)
		return ERR_NONE;
	/* They have what only they could have: the address is theirs. */
	TRY(seats_make_known(req));
	return req->who.player.confirmed ? ERR_NONE : seats_confirm_player(req);
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
	return invitation_answered(req->srv, &invite, &row, INVITE_ACCEPTED,
	                           arena_take(req->arena, &name).ptr, req->arena);
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
