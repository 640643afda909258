/*
 * invitation.c - what became of an invitation, told to who sent it.
 */
#include "processor/outgoing/invitation.h"

#include "processor/outgoing/player_notice.h"

#include "processor/base/banned.h"

static const char *what_became(const struct match *match, const struct outbox_mail *mail,
                               enum invite_answer answer, const char *name)
{
	struct span to = mail->rcpt;

	switch (answer) {
	case INVITE_ACCEPTED:
		return arena_printf(match->arena,
		                    "%.*s has accepted your invitation and plays in %s as %s.",
		                    SPAN_ARGS(to), match->id, name);
	case INVITE_DECLINED:
		return arena_printf(
		    match->arena,
		    "%.*s has said no to your invitation to %s. The seat is free "
		    "for somebody else.",
		    SPAN_ARGS(to), match->id);
	case INVITE_BOUNCED:
		return arena_printf(match->arena,
		                    "Your invitation to %.*s came back to us: no mail arrives "
		                    "there. Please look at the address once more.",
		                    SPAN_ARGS(to));
	case INVITE_OPEN:
		break;
	}
	BUG("no such answer");
}

static enum err tell(struct server *srv, struct match *match, int64_t inviter,
                     const struct outbox_mail *mail, enum invite_answer answer,
                     const char *name)
{
	struct seat *seat = NULL;

	for (size_t i = 0; i < match->nseats; i++)
		if (match->seats[i].player == inviter && !match->seats[i].resigned)
			seat = &match->seats[i];
	return player_notice_add(
	    srv, match, seat, inviter,
	    &(struct player_notice){
		.key = arena_printf(match->arena, "invitation %lld %d", (long long)mail->id,
	                            (int)answer),
		.subject = answer == INVITE_ACCEPTED   ? "your invitation was accepted"
	                   : answer == INVITE_DECLINED ? "your invitation was declined"
	                                               : "your invitation came back",
		.text = what_became(match, mail, answer, name)},
	    match->arena);
}

enum err invitation_answered(struct server *srv, const struct invite *invite,
                             const struct outbox_mail *mail, enum invite_answer answer,
                             const char *name, struct arena *arena)
{
	struct match match;

	if (invite->answer == answer)
		return ERR_NONE;
	TRY(invite_set_answer(srv->store, invite->outbox, answer));
	enum err rc = match_load(srv, invite->game, arena, &match);
	if (rc == ERR_NONE)
		rc = tell(srv, &match, invite->player, mail, answer, name);
	match_release(&match);
	return rc;
}

enum err invitation_came_back(struct server *srv, const struct outbox_mail *mail,
                              struct arena *arena)
{
	struct invite invite;

	if (!span_eq_str(mail->kind, "invite"))
		return ERR_NONE;
	enum err rc = invite_by_mail(srv->store, mail->id, &invite);
	if (rc != ERR_NONE)
		return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
	return invite.answer == INVITE_OPEN
	           ? invitation_answered(srv, &invite, mail, INVITE_BOUNCED, NULL, arena)
	           : ERR_NONE;
}
