/*
 * intake.c - from a parsed mail to commands carried out.
 */
#include "processor/intake.h"

#include "processor/address.h"
#include "processor/base/step.h"
#include "processor/dealing.h"
#include "processor/joining.h"

#include "processor/base/banned.h"

/* The command table: one row per verb. What a line means stands in letter_table.c. */
static enum err (*const verbs[])(struct dealing *, const struct letter_item *) = {
    [CMD_ORDERS] = do_orders,   [CMD_HELP] = do_help,       [CMD_LIST] = do_list,
    [CMD_JOIN] = do_join,       [CMD_SIGNON] = NULL,        [CMD_CREATE] = do_create,
    [CMD_RESIGN] = do_resign,   [CMD_STATUS] = do_status,   [CMD_CLEAR] = do_clear,
    [CMD_CHECK] = do_check,     [CMD_PREVIEW] = do_preview, [CMD_SET_WAIT] = do_wait,
    [CMD_SET_NOWAIT] = do_wait, [CMD_YES] = do_confirm,     [CMD_NO] = do_confirm,
    [CMD_TOKEN_NEW] = do_token, [CMD_SALT] = do_salt,       [CMD_HISTORY] = do_history,
    [CMD_SUMMARY] = do_summary, [CMD_ARCHIVE] = do_archive, [CMD_RESEND] = do_resend,
    [CMD_VERIFY] = do_verify,
};

/* What the speaker's address says; a stranger keeps id 0. */
static enum err know_sender(struct dealing *d)
{
	if (d->mail->from.len == 0)
		return ERR_NONE;
	enum err rc = player_by_address(d->srv->store, d->mail->from, d->arena, &d->player);
	if (rc != ERR_NOT_FOUND)
		return rc;
	d->player = (struct player){.address = d->mail->from};
	return ERR_NONE;
}

/* A reply address used from an address that is not the player's: tell the player, change nothing. */
static enum err strange_address(struct dealing *d, const struct seat *seat)
{
	struct hand h;
	struct player stranger = d->player;

	TRY(player_get(d->srv->store, seat->player, d->arena, &d->player));
	enum err rc = hand_load(d->srv, seat->game, d->arena, &h);
	if (rc == ERR_NONE && d->may_answer)
		rc = dealing_notice(
		    d, &h, hand_seat(&h, seat->seat), "mail from another address", "token new",
		    "A mail with your reply address for this game came from another "
		    "address. Nothing in it was carried out. If you wrote it, send it "
		    "again from the address this mail went to. If you did not, ask for "
		    "a new reply address by answering with the line below.");
	hand_release(&h);
	d->player = stranger;
	dealing_verdict(d, "strange-address",
	                "a reply address used from an address that is not its player's");
	return rc;
}

static enum err dead_token(struct dealing *d)
{
	dealing_verdict(d, "dead-token", "a reply address that is not, or no longer, valid");
	if (!d->may_answer || d->player.id == 0)
		return ERR_NONE;
	return dealing_notice(
	    d, NULL, NULL, "that reply address is no longer valid", "",
	    "Your mail was sent to a reply address that is no longer valid, so "
	    "nothing in it was carried out. If you still have your seat in that "
	    "game, please answer its newest mail instead.");
}

enum token_found { TOKEN_NONE, TOKEN_GOOD, TOKEN_DONE };

static enum err seat_behind(struct dealing *d, const struct reply_token *t, struct seat *seat,
                            enum token_found *found)
{
	enum err rc = seat_get(d->srv->store, t->game, t->seat, d->arena, seat);

	*found = TOKEN_DONE;
	if (rc == ERR_NOT_FOUND)
		return dead_token(d);
	TRY(rc);
	if (!address_check(d->srv, t, seat) || seat->player == 0)
		return dead_token(d);
	if (seat->player != d->player.id)
		return strange_address(d, seat);
	*found = TOKEN_GOOD;
	return ERR_NONE;
}

static enum err read_token(struct dealing *d, enum token_found *found)
{
	struct reply_token token;
	struct seat seat;

	*found = TOKEN_NONE;
	for (size_t i = 0; i < d->mail->recipients.count; i++) {
		if (!address_read(d->srv, d->mail->recipients.items[i], &token))
			continue;
		TRY(seat_behind(d, &token, &seat, found));
		if (*found == TOKEN_GOOD) {
			d->game = token.game;
			d->seat = token.seat;
			d->serial = token.serial;
			d->has_serial = d->proven = true;
		}
		return ERR_NONE;
	}
	return ERR_NONE;
}

static enum err row_answered(struct dealing *d, struct span id, struct outbox_mail *row,
                             bool *found)
{
	*found = false;
	if (id.len == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, id, d->arena, row);
	if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(rc);
	*found = row->game != 0 && row->seat != 0 && row->player == d->player.id;
	return ERR_NONE;
}

/* In-Reply-To, then References from the newest back. */
static enum err find_answered(struct dealing *d, struct outbox_mail *row, bool *direct,
                              bool *found)
{
	const struct span_list *refs = &d->mail->references;

	TRY(row_answered(d, d->mail->in_reply_to, row, found));
	*direct = *found;
	for (size_t i = refs->count; i > 0 && !*found && !d->proven; i--)
		TRY(row_answered(d, refs->items[i - 1], row, found));
	return ERR_NONE;
}

static enum err ask_which_turn(struct dealing *d, const struct outbox_mail *row)
{
	(void)row;
	dealing_verdict(d, "ambiguous", "reply address and In-Reply-To name different turns");
	if (!d->may_answer)
		return ERR_NONE;
	return dealing_notice(
	    d, NULL, NULL, "which turn did you mean?", "",
	    "The address you wrote to belongs to one turn and the mail you answered "
	    "to another, so nothing was carried out. Please answer the newest report "
	    "of the game you mean, without changing the address.");
}

static enum err read_thread(struct dealing *d, bool *done)
{
	struct outbox_mail row;
	bool direct = false, found = false;

	*done = false;
	if (d->player.id == 0)
		return ERR_NONE;
	TRY(find_answered(d, &row, &direct, &found));
	if (!found)
		return ERR_NONE;
	if (!d->proven) {
		d->game = row.game;
		d->seat = row.seat;
		d->serial = row.serial;
		d->has_serial = direct;
		d->proven = true;
		return ERR_NONE;
	}
	if (!direct || (row.game == d->game && row.seat == d->seat && row.serial == d->serial))
		return ERR_NONE;
	*done = true;
	return ask_which_turn(d, &row);
}

/* Robots are heard but never answered; ourselves not even heard. *done when nothing is left to do. */
static void sort_out_robots(struct dealing *d, bool *done)
{
	unsigned f = d->mail->flags;

	*done = true;
	if ((f & MAIL_OUR_LOOP) && span_eq_str(d->mail->instance, d->srv->cfg.instance))
		dealing_verdict(d, "loop", "one of our own mails came back");
	else if (f & (MAIL_AUTO_SUBMITTED | MAIL_OUR_LOOP))
		dealing_verdict(d, "automatic",
		                "sent by a program (Auto-Submitted); nothing was carried out");
	else if (f & (MAIL_NULL_SENDER | MAIL_REPORT))
		dealing_verdict(d, "bounce", "a delivery report; nothing was carried out");
	else if (d->mail->from.len == 0)
		dealing_verdict(d, "no-sender", "no usable From address");
	else
		*done = false;
	d->may_answer = !(f & (MAIL_BULK | MAIL_AUTO_HINT));
}

static enum err refuse_fault(struct dealing *d)
{
	dealing_verdict(d, "refused", "%s", mail_fault_name(d->mail->fault));
	if (d->player.id == 0 || !d->may_answer)
		return ERR_NONE;
	return dealing_notice(
	    d, NULL, NULL, "your mail could not be read", "popup 3, whack 5",
	    "%s Nothing in it was carried out. Please write again in plain text, "
	    "for example a line such as this one as the answer to a report:",
	    mail_fault_text(d->mail->fault));
}

static bool has_command(const struct letter *l)
{
	for (size_t i = 0; i < l->nitems; i++)
		if (l->items[i].verb != CMD_ORDERS)
			return true;
	return false;
}

/* Whether this candidate text says anything: a command, or orders the game answered understands. */
static enum err text_speaks(struct dealing *d, const struct letter *l, bool *yes)
{
	*yes = has_command(l);
	for (size_t i = 0; i < l->nitems && !*yes && d->game != 0; i++) {
		enum reading r;
		TRY(orders_try(d, d->game, l->items[i].orders, &r));
		*yes = r == READING_GOOD;
	}
	return ERR_NONE;
}

/* Tries the texts of the mail in turn; the first that speaks, else the first. */
static enum err choose_text(struct dealing *d, struct letter *out)
{
	bool yes = false;

	for (size_t i = 0; i < d->mail->ntexts; i++) {
		letter_read(d->mail->texts[i].text, d->mail->subject, d->arena, out);
		if (d->mail->ntexts == 1)
			return ERR_NONE;
		enum err rc = text_speaks(d, out, &yes);
		if (rc != ERR_NONE || yes)
			return rc;
		letter_release(out);
	}
	letter_read(d->mail->texts[0].text, d->mail->subject, d->arena, out);
	return ERR_NONE;
}

/* SIGNON: the items below are about another game; the sender's address must hold a seat there. */
static enum err sign_on(struct dealing *d, const struct letter_item *item)
{
	struct seat seat;
	enum err rc;

	d->understood = true;
	if (item->game == d->game && d->game != 0)
		return ERR_NONE;
	d->has_serial = false;
	d->game = 0;
	rc = item->seat
	         ? seat_get(d->srv->store, item->game, item->seat, d->arena, &seat)
	         : seat_of_player(d->srv->store, item->game, d->player.id, d->arena, &seat);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (rc == ERR_NONE && seat.player == d->player.id && d->player.id != 0) {
		d->game = item->game;
		d->seat = seat.seat;
		return ERR_NONE;
	}
	return dealing_notice(
	    d, NULL, NULL, "no seat there", "list",
	    "Your line \"%.*s\" names a game in which you have no seat, so the lines below it "
	    "were not carried out. Ask for the list of games with:",
	    SPAN_ARGS(item->text));
}

/* A subject such as "Re: status" may be old: beside orders it does not count. */
static enum err is_old_subject(struct dealing *d, const struct letter_item *item, bool *yes)
{
	enum reading r = READING_TALK;

	*yes = false;
	if (item->line != 0 || item->orders.len > 0 || item->verb == CMD_SIGNON || d->game == 0)
		return ERR_NONE;
	for (size_t i = 0; i < d->letter->nitems && r != READING_GOOD; i++)
		if (d->letter->items[i].verb == CMD_ORDERS)
			TRY(orders_try(d, d->game, d->letter->items[i].orders, &r));
	*yes = r == READING_GOOD;
	return ERR_NONE;
}

static enum err carry_out(struct dealing *d)
{
	bool lost = false; /* after a SIGNON that failed: nothing below may hit another game */

	for (size_t i = 0; i < d->letter->nitems; i++) {
		const struct letter_item *item = &d->letter->items[i];
		bool old;
		TRY(is_old_subject(d, item, &old));
		if (old)
			continue;
		if (item->verb != CMD_ORDERS)
			dealing_forget(d);
		if (item->verb == CMD_SIGNON) {
			TRY(sign_on(d, item));
			lost = d->game == 0;
		} else if (!lost && verbs[item->verb]) {
			TRY(verbs[item->verb](d, item));
		}
	}
	return ERR_NONE;
}

static enum err stranger_may_speak(struct dealing *d, bool *yes)
{
	*yes = d->player.id != 0 || d->srv->cfg.unknown_senders != UNKNOWN_KNOWN;
	if (d->player.blocked)
		*yes = false;
	if (!*yes)
		dealing_verdict(d, d->player.blocked ? "blocked" : "stranger",
		                "the sender is %s",
		                d->player.blocked ? "blocked" : "not a known player");
	return ERR_NONE;
}

/* Lines that were nearly commands and that no receipt has spoken of. */
static enum err tell_near_misses(struct dealing *d)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct diags diags = DIAGS_INIT;

	if (d->diags_told || !diags_has_errors(&d->letter->diags))
		return ERR_NONE;
	d->understood = true; /* an answer better than the guide */
	enum err rc = dealing_add_diags(d, &d->letter->diags, &diags);
	report_notice(
	    &(struct report_notice){
		.subject = "not everything was carried out",
		.paragraphs =
		    (const char *const[]){"These lines of your mail were not carried out."},
		.nparagraphs = 1,
		.diags = &diags,
	    },
	    &out);
	if (rc == ERR_NONE)
		rc = dealing_answer(d, NULL, NULL, "notice", &out);
	letter_out_release(&out);
	diags_release(&diags);
	return rc;
}

/* A SIGNON and nothing else: every mail gets an answer. */
static enum err nothing_below_signon(struct dealing *d)
{
	const struct letter *l = d->letter;
	struct hand h;

	if (d->item > 0 || d->game == 0 || l->nitems == 0 ||
	    l->items[l->nitems - 1].verb != CMD_SIGNON)
		return ERR_NONE;
	enum err rc = hand_load(d->srv, d->game, d->arena, &h);
	if (rc == ERR_NONE)
		rc = dealing_notice(
		    d, &h, hand_seat(&h, d->seat), "nothing stands below it",
		    arena_printf(d->arena, "status %s", h.id),
		    "Your line \"%.*s\" was understood, but nothing stands below it. Write "
		    "your orders there. How the game stands is shown by:",
		    SPAN_ARGS(l->items[l->nitems - 1].text));
	hand_release(&h);
	return rc;
}

/* Why nothing was understood, as far as that can be seen. */
static const char *why_not_understood(const struct dealing *d)
{
	if (d->player.id == 0)
		return NULL;
	if (d->letter->nbarred > 0 && d->letter->nlines == 0)
		return "Your mail arrived, but its lines begin with a bar, as our examples do, "
		       "and such "
		       "lines are not read. Nothing has changed. Write them again without the "
		       "bar.";
	if (d->letter->stopped_at_marker)
		return "Your mail arrived, but above our own line of number signs there is "
		       "nothing that "
		       "was understood, and below it nothing is read. Nothing has changed. "
		       "Write above "
		       "that line.";
	return "Your mail arrived, but no line of it was understood, so nothing has changed.";
}

static enum err nothing_understood(struct dealing *d)
{
	if (!d->seat_confirmed)
		return dealing_guide(d, why_not_understood(d));
	return dealing_notice(
	    d, NULL, NULL, "thank you", "",
	    "Your seat is confirmed. You hear from us when there is something to do.");
}

static enum err read_and_do(struct dealing *d)
{
	struct letter letter;

	TRY(choose_text(d, &letter));
	d->letter = &letter;
	enum err rc = d->proven ? joining_confirm_by_reply(d) : ERR_NONE;
	if (rc == ERR_NONE)
		rc = carry_out(d);
	if (rc == ERR_NONE && (d->player.id != 0 || d->understood))
		rc = tell_near_misses(d);
	if (rc == ERR_NONE && d->understood)
		rc = nothing_below_signon(d);
	if (rc == ERR_NONE && !d->understood)
		rc = nothing_understood(d);
	letter_release(&letter);
	d->letter = NULL;
	return rc;
}

static enum err deal(struct dealing *d)
{
	enum token_found token;
	bool done;

	sort_out_robots(d, &done);
	if (done)
		return ERR_NONE;
	TRY(know_sender(d));
	TRY(stranger_may_speak(d, &done));
	if (!done)
		return ERR_NONE;
	TRY(read_token(d, &token));
	if (token == TOKEN_DONE)
		return ERR_NONE;
	TRY(read_thread(d, &done));
	if (done)
		return ERR_NONE;
	if ((d->mail->flags & MAIL_BULK) && !d->proven) {
		dealing_verdict(d, "bulk", "list or bulk mail that answers no mail of ours");
		return ERR_NONE;
	}
	d->may_answer = d->proven || d->may_answer;
	if (d->mail->fault != MAIL_OK)
		return refuse_fault(d);
	return read_and_do(d);
}

static enum err seen_before(struct server *srv, const struct incoming *in, struct arena *arena,
                            bool *seen)
{
	struct inbox_mail old;
	int64_t id;
	enum err rc =
	    inbox_find(srv->store, in->source, in->transport_id, &in->content, arena, &old);

	*seen = rc == ERR_NONE;
	if (rc == ERR_NOT_FOUND)
		return ERR_NONE;
	TRY(rc);
	if (span_eq(old.source, in->source) && span_eq(old.transport_id, in->transport_id))
		return ERR_NONE;
	struct inbox_mail row = {.source = in->source,
	                         .transport_id = in->transport_id,
	                         .message_id = in->mail->message_id,
	                         .arrived_utc = in->arrived_utc,
	                         .handled_utc = srv->now_utc,
	                         .player = old.player,
	                         .game = old.game,
	                         .serial = old.serial,
	                         .seat = old.seat,
	                         .verdict = SPAN_LIT("duplicate"),
	                         .purge_utc = srv->now_utc + srv->cfg.keep_mail_s};
	row.detail =
	    span_of(arena_printf(arena, "the same mail as number %lld", (long long)old.id));
	return inbox_add(srv->store, &row, &id);
}

enum err intake_mail(struct server *srv, const struct incoming *in, struct arena *arena)
{
	bool seen;
	struct dealing d = {
	    .srv = srv, .arena = arena, .mail = in->mail, .arrived_utc = in->arrived_utc};

	step_in_hand(in->mail->message_id, 0);
	TRY(seen_before(srv, in, arena, &seen));
	if (seen)
		return ERR_NONE;
	d.row = (struct inbox_mail){.source = in->source,
	                            .transport_id = in->transport_id,
	                            .content = in->content,
	                            .message_id = in->mail->message_id,
	                            .arrived_utc = in->arrived_utc,
	                            .handled_utc = srv->now_utc,
	                            .purge_utc = srv->now_utc + srv->cfg.keep_mail_s};
	dealing_verdict(&d, "command", "carried out");
	TRY(inbox_next_id(srv->store, &d.inbox_id));
	enum err rc = deal(&d);
	dealing_forget(&d);
	TRY(rc);
	d.row.id = d.inbox_id;
	d.row.player = d.player.id;
	if (d.row.game == 0) {
		d.row.game = d.game;
		d.row.seat = d.seat;
		d.row.serial = d.serial;
	}
	return inbox_add(srv->store, &d.row, &d.inbox_id);
}

enum err intake_quarantine(struct server *srv, const struct incoming *in, struct span raw,
                           const char *reason)
{
	struct inbox_mail row = {.source = in->source,
	                         .transport_id = in->transport_id,
	                         .content = in->content,
	                         .message_id = in->mail->message_id,
	                         .arrived_utc = in->arrived_utc,
	                         .handled_utc = srv->now_utc,
	                         .verdict = SPAN_LIT("quarantined"),
	                         .detail = span_of(reason),
	                         .purge_utc = srv->now_utc + srv->cfg.keep_mail_s};
	int64_t id;

	TRY(inbox_next_id(srv->store, &row.id));
	TRY(inbox_add(srv->store, &row, &id));
	return quarantine_add(srv->store, id, reason, raw, srv->now_utc);
}
