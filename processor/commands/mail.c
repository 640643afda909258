/*
 * mail.c - SET MAIL, and what belongs to digests: RESEND and TOKEN NEW in answers to one.
 */
#include <stdio.h>

#include "mail/compose.h"
#include "processor/commands/commands.h"
#include "processor/commands/mail.h"
#include "processor/outgoing/digest.h"
#include "processor/server/reply_address.h"
#include "processor/server/zones.h"
#include "store/digest_queue.h"
#include "store/digests.h"

#include "processor/base/banned.h"

enum { HOUR_MIN = 60 };

/* ---- SET MAIL ---- */

static const char *how_it_is_set(struct dealing *d)
{
	switch (d->player.mail_mode) {
	case MAIL_ROUND:
		return "You get one mail for each turn of a game: its report. Receipts for "
		       "orders "
		       "that were taken, messages of other players and news of them wait for "
		       "it "
		       "and stand in it. At once come reminders, questions, what a vote or a "
		       "master changes, what you ask for, and everything that was not carried "
		       "out: when you hear nothing, your orders are stored.";
	case MAIL_DIGEST:
		return arena_printf(
		    d->arena,
		    "You get one mail a day for all your games, a digest, whenever there is "
		    "something new. %s Receipts for orders that were taken stand in the next "
		    "one. At once come questions, what a vote or a master changes, what you "
		    "ask for, and everything that was not carried out: when you hear nothing, "
		    "your orders are stored.",
		    bundle_rhythm(d->srv, &d->player, d->arena));
	case MAIL_ALL:
		break;
	}
	return "You get every mail at once: receipts, reports, messages, reminders.";
}

static const char *other_setting(const struct player *p)
{
	return p->mail_mode == MAIL_ALL ? "set mail digest" : "set mail all";
}

/* What waits does so no longer than he wants it to. */
static enum err settle_what_waits(struct dealing *d, unsigned *waiting)
{
	int64_t due = d->srv->now_utc;

	if (d->player.mail_mode == MAIL_ROUND)
		due += KEEPING_LONGEST_S;
	else if (d->player.mail_mode == MAIL_DIGEST)
		due = keeping_next_digest(d->srv, &d->player);
	return kept_hurry(d->srv->store, d->player.id, due, waiting);
}

static enum err change_mode(struct dealing *d, const struct letter_item *item)
{
	static const char *const subjects[] = {[MAIL_ALL] = "each mail comes at once",
	                                       [MAIL_ROUND] = "one mail for each turn",
	                                       [MAIL_DIGEST] = "one mail a day"};
	struct player *p = &d->player;
	unsigned waiting;

	p->mail_mode = (enum mail_mode)(item->number - 1);
	if (item->to)
		p->bundle_min = (int)item->from;
	TRY(player_set_mail(d->srv->store, p->id, p->mail_mode, p->bundle_min));
	TRY(settle_what_waits(d, &waiting));
	dealing_verdict(d, "command", "mail: %s", subjects[p->mail_mode]);
	return dealing_notice(
	    d, NULL, NULL, subjects[p->mail_mode], other_setting(p),
	    "%s%s Another way is chosen with a line such as:", how_it_is_set(d),
	    waiting > 0 && p->mail_mode == MAIL_ALL
		? " What has waited so far comes in a last digest."
		: "");
}

enum err do_mail(struct dealing *d, const struct letter_item *item)
{
	d->understood = true;
	if (d->player.id == 0)
		return dealing_notice(d, NULL, NULL, "for players only", "list",
		                      "Only somebody who plays here can say how his mail is to "
		                      "come. The games you can join are shown by:");
	if (item->number > 0)
		return change_mode(d, item);
	return dealing_notice(
	    d, NULL, NULL, "how your mail comes", other_setting(&d->player),
	    "%s Another way is chosen with a line such as:", how_it_is_set(d));
}

/* ---- in answers to a digest ---- */

bool bundle_is_meant(const struct dealing *d, const struct letter_item *item)
{
	return d->bundle != 0 && d->game == 0 && item->game == 0;
}

enum err bundle_new_token(struct dealing *d, const char *lead)
{
	struct letter_out out = LETTER_OUT_INIT;
	bool codes = d->srv->cfg.plus_address;
	enum valve valve;

	d->understood = true;
	TRY(dealing_may_send(d, NULL, NULL, "token", NULL, &valve));
	if (!dealing_can_answer(d) || valve == VALVE_SHUT) {
		dealing_verdict(d, "refused", "no new reply address: no mail could bring it");
		return ERR_NONE;
	}
	TRY(player_next_token(d->srv->store, d->player.id));
	d->player.token_generation++;
	dealing_verdict(d, "command", "a new reply address for digests");
	report_notice(
	    &(struct report_notice){
		.subject = codes ? "your new reply address for digests"
	                         : "older digests are no longer answered",
		.paragraphs = (const char *const[]){arena_printf(
		    d->arena,
		    "%sFrom now on answers to the digests you have had so far are no longer "
		    "taken as yours. %s",
		    lead,
		    codes ? "The next digest comes with a new reply address, and this "
			    "mail has it already. The reply addresses of your games "
			    "stay as they are."
			  : "Answers to the next one are, and so are answers to mails "
			    "about a single game.")},
		.nparagraphs = 1,
	    },
	    &out);
	enum err rc = dealing_answer(d, NULL, NULL, "token", &out);
	letter_out_release(&out);
	return rc;
}

/* The text of the newest digest, or of the one with this number, under a new Message-ID. */
static enum err repeat(struct dealing *d, unsigned number, const struct outbox_mail *old)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct strbuf reply = STRBUF_INIT;
	enum err rc = ERR_NONE;

	strbuf_addf(&out.subject, "[digest %u] once more", number);
	if (!mail_read_back(old->message, &out.body))
		rc = err_set(&d->srv->fail, ERR_CORRUPT, "outbox row %lld does not read back",
		             (long long)old->id);
	if (d->srv->cfg.plus_address)
		address_add_bundle(d->srv, &d->player, number, &reply);
	struct post post = {
	    .kind = "resend",
	    .key = arena_printf(d->arena, "inbox %lld %u", (long long)d->inbox_id, ++d->item),
	    .player = d->player.id,
	    .address = d->player.address,
	    .ascii = d->player.ascii,
	    .letter = &out,
	    .cause = d->inbox_id,
	    .in_reply_to = d->mail->message_id,
	    .reply_to = reply.len > 0 ? reply.ptr : NULL,
	    .replied = true,
	    .resend = true,
	};
	enum valve valve = VALVE_SHUT;
	if (rc == ERR_NONE && d->may_answer)
		rc = dealing_may_send(d, NULL, NULL, post.kind, &out, &valve);
	post.postscript = dealing_last_words(valve);
	if (rc == ERR_NONE && valve != VALVE_SHUT)
		rc = post_add(d->srv, &post, d->arena);
	letter_out_release(&out);
	strbuf_release(&reply);
	return rc;
}

enum err bundle_resend(struct dealing *d, const struct letter_item *item)
{
	struct bundle b;
	struct outbox_mail old;
	unsigned last;

	d->understood = true;
	TRY(bundle_last(d->srv->store, d->player.id, &last));
	unsigned number = item->number != 0 ? item->number : last;
	enum err rc = bundle_by_number(d->srv->store, d->player.id, number, &b);
	if (rc == ERR_NOT_FOUND)
		return dealing_notice(
		    d, NULL, NULL, "no such digest", "resend",
		    "The last digest you were sent has number %u; there is no "
		    "number %u. A mail about a game comes again when its number is "
		    "followed by that of the game. The last digest comes again "
		    "with:",
		    last, number);
	TRY(rc);
	TRY(outbox_message(d->srv->store, b.outbox, d->arena, &old));
	return repeat(d, number, &old);
}
