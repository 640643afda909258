/*
 * invitation.c - the mail that asks somebody into a game, and what became of it, told to who sent it.
 */
#include "processor/outgoing/invitation.h"

#include "processor/match/match_clock.h"
#include "processor/outgoing/player_notice.h"

void invitation_write(struct server *srv, const struct match *match, const char *inviter,
                      struct span text, struct report_out *out)
{
	const char *pace = match_clock_words(srv, match);
	struct strbuf length = STRBUF_INIT;

	interval_words(&length, match->game.next_s);
	const char *deadline =
	    pace && *pace ? arena_printf(match->arena, "Deadlines: %s.", pace)
			  : arena_printf(match->arena,
	                                 "A turn ends when everybody has sent orders, at the "
	                                 "latest after %s.",
	                                 length.ptr);
	report_notice(
	    &(struct report_notice){
		.subject = arena_printf(match->arena, "%s invites you to a game of %s", inviter,
	                                match->rules->title),
		.paragraphs = TEXTS(
		    arena_printf(match->arena, "%s invites you to a game of %s by e-mail, %s%s",
	                         inviter, match->rules->title,
	                         match->game.nseats == 2
	                             ? "the two of you"
	                             : arena_printf(match->arena, "%u players at most",
	                                            match->game.nseats),
	                         text.len > 0 ? ", and writes:" : "."),
		    match->rules->about,
		    arena_printf(match->arena,
	                         "There is no account and nothing to install: you write "
	                         "your orders in a mail and get the new position back. %s",
	                         deadline),
		    arena_printf(match->arena,
	                         "Answer this mail with YES to play or with NO if you do not "
	                         "want to. The third line says that you want no such mail "
	                         "from here ever again:")),
		.orders = text,
		.examples = TEXTS("yes", "no", "set invites off")},
	    out);
	strbuf_release(&length);
}

void invitation_write_question(const struct match *match, struct report_out *out)
{
	report_notice(
	    &(struct report_notice){
		.subject = "yes or no?",
		.paragraphs = TEXTS(
		    arena_printf(match->arena,
	                         "Your mail says neither yes nor no to the invitation to "
	                         "play %s by e-mail.",
	                         match->rules->title),
		    match->rules->about,
		    "There is nothing to install: you write your orders in a mail and get "
		    "the new position back. If you do not want to play, you need not "
		    "answer.",
		    "Reply with the first of these lines to play, or with the second if "
		    "you do not want to. The third stops all such mails, and the fourth "
		    "shows the rules:"),
		.examples = TEXTS("yes", "no", "set invites off",
	                          arena_printf(match->arena, "help %s", match->rules->title))},
	    out);
}

void invitation_write_declined(const struct match *match, struct report_out *out)
{
	(void)match;
	report_notice(
	    &(struct report_notice){
		.subject = "thank you for the answer",
		.paragraphs = TEXTS(
		    "You have said no, and whoever has invited you is told. No further "
		    "mail comes to you about this game; if you change your mind while a "
		    "seat is free, reply YES. If you want no invitations from here at all, "
		    "send:"),
		.examples = TEXTS("set invites off")},
	    out);
}

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

enum err invitation_answered(struct server *srv, const struct invite *invite,
                             const struct outbox_mail *mail, enum invite_answer answer,
                             const char *name, struct arena *arena)
{
	struct match match;

	if (invite->answer == answer)
		return ERR_NONE;
	TRY(invite_set_answer(srv->store, invite->outbox, answer));
	enum err rc = match_load(srv, invite->game, arena, &match);
	if (rc == ERR_NONE) {
		struct seat *seat = NULL;

		for (size_t i = 0; i < match.nseats; i++)
			if (match.seats[i].player == invite->player && !match.seats[i].resigned)
				seat = &match.seats[i];
		rc = player_notice_add(
		    srv, &match, seat, invite->player,
		    &(struct player_notice){
			.key = arena_printf(match.arena, "invitation %lld %d",
		                            (long long)mail->id, (int)answer),
			.subject = answer == INVITE_ACCEPTED   ? "your invitation was accepted"
		                   : answer == INVITE_DECLINED ? "your invitation was declined"
		                                               : "your invitation came back",
			.text = what_became(&match, mail, answer, name)},
		    match.arena);
	}
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
