/*
 * dispatch.c - from a parsed mail to commands carried out.
 */
#include "processor/intake/dispatch.h"

#include "mail/text/date.h"
#include "processor/base/step.h"
#include "processor/commands/commands.h"
#include "processor/commands/confirmed.h"
#include "processor/commands/rematch.h"
#include "processor/commandtext/digest_form.h"
#include "processor/request/authenticate.h"
#include "processor/request/automatic.h"
#include "processor/request/bounces.h"
#include "processor/request/choose_text.h"
#include "processor/request/identify.h"
#include "processor/request/quota.h"
#include "processor/request/request.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"

#include "processor/base/banned.h"

/* The command table: one row per verb. What a line means stands in grammar.c. */
static enum err (*const verbs[])(struct dealing *, const struct letter_item *) = {
    [CMD_ORDERS] = do_orders,
    [CMD_HELP] = do_help,
    [CMD_LIST] = do_list,
    [CMD_JOIN] = do_join,
    [CMD_SIGNON] = NULL,
    [CMD_CREATE] = do_create,
    [CMD_RESIGN] = do_resign,
    [CMD_STATUS] = do_status,
    [CMD_CLEAR] = do_clear,
    [CMD_CHECK] = do_check,
    [CMD_PREVIEW] = do_preview,
    [CMD_SET_WAIT] = do_wait,
    [CMD_SET_NOWAIT] = do_wait,
    [CMD_YES] = do_confirm,
    [CMD_NO] = do_confirm,
    [CMD_TOKEN_NEW] = do_token,
    [CMD_SALT] = do_salt,
    [CMD_HISTORY] = do_history,
    [CMD_SUMMARY] = do_summary,
    [CMD_ARCHIVE] = do_archive,
    [CMD_RESEND] = do_resend,
    [CMD_SET_ZONE] = do_zone,
    [CMD_ALSO] = do_also,
    [CMD_ADDRESS] = do_also,
    [CMD_VERIFY] = do_verify,
    [CMD_PRESS] = do_press,
    [CMD_BROADCAST] = do_press,
    [CMD_DIARY] = do_press,
    [CMD_OBSERVE] = do_observe,
    [CMD_MONITOR] = do_observe,
    [CMD_UNOBSERVE] = do_unobserve,
    [CMD_TAKEOVER] = do_takeover,
    [CMD_SET_QUIET] = do_quiet,
    [CMD_SET_MAIL] = do_mail,
    [CMD_FORK] = do_fork,
    [CMD_SET_GRACE] = do_master,
    [CMD_SET_START] = do_master,
    [CMD_SET_DEADLINE] = do_master,
    [CMD_PAUSE] = do_master,
    [CMD_RESUME] = do_master,
    [CMD_PROCESS] = do_master,
    [CMD_ROLLBACK] = do_master,
    [CMD_EJECT] = do_master,
    [CMD_PROMOTE] = do_master,
    [CMD_BECOME] = do_master,
    [CMD_TERMINATE] = do_master,
    [CMD_FORCE_BEGIN] = do_master,
    [CMD_OFFICIAL] = do_master,
    [CMD_SET_DRAW] = do_vote,
    [CMD_SET_NODRAW] = do_vote,
    [CMD_SET_CONCEDE] = do_vote,
    [CMD_SET_NOCONCEDE] = do_vote,
    [CMD_VOTE] = do_vote,
    [CMD_RATINGS] = do_ratings,
    [CMD_WHO] = do_who,
    [CMD_REMATCH] = do_rematch,
    [CMD_ALWAYS] = do_always,
    [CMD_ALWAYS_OFF] = do_always_off,
    [CMD_QUEUE] = do_queue,
    [CMD_QUEUE_OFF] = do_queue_off,
    [CMD_SET_FALLBACK] = do_fallback,
    [CMD_SET_ABSENCE] = do_absence,
    [CMD_SET_NOABSENCE] = do_absence_end,
};

/* Orders as the game that is answered takes them now; without one, a line that always works. */
static enum err example_of_his_game(struct dealing *d, const char **out)
{
	struct hand h;

	*out = "status";
	if (d->game == 0)
		return ERR_NONE;
	enum err rc = hand_load(d->srv, d->game, d->arena, &h);
	if (rc == ERR_NONE && h.has_turn && h.game.status == GAME_RUNNING)
		rc = hand_position(d->srv, &h);
	const struct doc *doc = rc == ERR_NONE ? brief_examples(&h, d->seat) : NULL;
	for (const struct doc_block *b = doc ? doc->first : NULL; b; b = b->next)
		if (b->kind == DOC_EXAMPLE) {
			*out = arena_strdup(d->arena, b->text);
			break;
		}
	hand_release(&h);
	return rc;
}

static enum err refuse_fault(struct dealing *d)
{
	struct strbuf why = STRBUF_INIT;

	dealing_verdict(d, "refused", "%s", mail_fault_name(d->mail->fault));
	if (d->player.id == 0 || !d->may_answer)
		return ERR_NONE;
	const char *example;
	enum err rc = example_of_his_game(d, &example);

	mail_fault_explain(d->mail->fault, &d->srv->cfg.limits, &why);
	if (rc == ERR_NONE)
		rc = dealing_notice(
		    d, NULL, NULL, "your mail could not be read", example,
		    "%s Nothing in it was carried out. Please write again in plain text, "
		    "for example a line such as this one as the answer to a report:",
		    why.ptr);
	strbuf_release(&why);
	return rc;
}

/* What the game answered makes of some lines. */
static enum err judge_orders(void *ctx, struct span lines, enum speech *out)
{
	struct dealing *d = ctx;
	enum reading r;

	TRY(orders_try(d, d->game, lines, &r));
	*out = r == READING_TALK    ? SPEECH_NONE
	       : r == READING_WRONG ? SPEECH_WRONG
	       : d->tried.flawed    ? SPEECH_FLAWED
	                            : SPEECH_CLEAR;
	return ERR_NONE;
}

/* `own`: the seat the speaker has in that game, 0 = none. */
static enum err no_seat_there(struct dealing *d, const struct letter_item *item,
                              const struct game *game, unsigned own)
{
	const char *id = game ? game_id_text(game, d->arena) : "";

	d->understood = true;
	if (own != 0)
		return dealing_notice(
		    d, NULL, NULL, "another seat is yours",
		    arena_printf(d->arena, "signon %s", id),
		    "Your line \"%.*s\" names seat %u, but in %s yours is seat %u, so the "
		    "lines "
		    "below it were not carried out. Send them again below this line:",
		    SPAN_ARGS(item->text), item->seat, id, own);
	return dealing_notice(
	    d, NULL, NULL, "no seat there", "list",
	    "Your line \"%.*s\" names a game in which you have no seat, so the lines below it "
	    "were not carried out. Ask for the list of games with:",
	    SPAN_ARGS(item->text));
}

static enum err master_signs_on(struct dealing *d, const struct letter_item *item,
                                const struct game *game)
{
	const char *id = game_id_text(game, d->arena);

	d->understood = true;
	return dealing_notice(
	    d, NULL, NULL, "no seat there", arena_printf(d->arena, "status %s", id),
	    "You are the master of %s and have no seat there, so the lines below your line "
	    "\"%.*s\" were not carried out. Write the number of the game behind each command "
	    "instead, for example:",
	    id, SPAN_ARGS(item->text));
}

/* SIGNON: the items below are about another game; the sender's address must hold a seat there. */
static enum err sign_on(struct dealing *d, const struct letter_item *item)
{
	struct seat seat;
	struct game game;
	enum err rc = game_get(d->srv->store, item->game, d->arena, &game);
	bool fits = rc == ERR_NONE && letter_fits(item, &game);

	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (fits && item->game == d->game && (item->seat == 0 || item->seat == d->seat))
		return ERR_NONE;
	d->has_serial = false;
	d->game = 0;
	if (d->player.id == 0 || !fits)
		return no_seat_there(d, item, NULL, 0);
	rc = seat_of_player(d->srv->store, item->game, d->player.id, d->arena, &seat);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	unsigned own = rc == ERR_NONE ? seat.seat : 0;
	if (item->seat != 0 && item->seat != own) {
		rc = seat_get(d->srv->store, item->game, item->seat, d->arena, &seat);
		if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
			return rc;
	}
	if (own == 0 && game.master == d->player.id)
		return master_signs_on(d, item, &game);
	if (rc != ERR_NONE || seat.player != d->player.id)
		return no_seat_there(d, item, own ? &game : NULL, own);
	d->game = item->game;
	d->seat = seat.seat;
	return ERR_NONE;
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

static bool stranger_may_speak(struct dealing *d)
{
	bool yes = d->player.id != 0 || d->srv->cfg.unknown_senders != UNKNOWN_KNOWN;

	if (!yes)
		dealing_verdict(d, "stranger", "the sender is not a known player");
	return yes;
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

	if (d->game == 0 || l->nitems == 0 || l->items[l->nitems - 1].verb != CMD_SIGNON)
		return ERR_NONE;
	d->understood = true;
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

/*
 * Whether there are words in the mail, and the mail it answers brought a message of another
 * player.
 */
static enum err answers_message(struct dealing *d, bool *yes)
{
	struct outbox_mail row;

	*yes = false;
	if (d->game == 0 || d->seat == 0 || d->mail->in_reply_to.len == 0 ||
	    d->letter->nlines == 0)
		return ERR_NONE;
	enum err rc = outbox_by_message_id(d->srv->store, d->mail->in_reply_to, d->arena, &row);
	*yes = rc == ERR_NONE && span_eq_str(row.kind, "press") && row.player == d->player.id;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* He has written back as one does; who is to read it must be said, though. */
static enum err tell_how_to_write_back(struct dealing *d)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct hand h;
	enum err rc = hand_load(d->srv, d->game, d->arena, &h);
	struct seat *seat = rc == ERR_NONE ? hand_seat(&h, d->seat) : NULL;

	dealing_verdict(d, "not-understood", "an answer to a message that says not to whom");
	if (seat) {
		struct report_game game = brief_game(d->srv, &h, seat, &d->player);
		report_notice(
		    &(struct report_notice){
			.game = &game,
			.subject = "nobody has read your answer",
			.paragraphs =
			    (const char *const[]){
				"You have answered a message of another player, but your "
				"text was not passed on: it does not say who is to read "
				"it, and no orders were found in it either. Put it "
				"between two lines like these, with a name or the number "
				"of a seat in the place of ALL if it is not for all:"},
			.nparagraphs = 1,
			.examples = (const char *const[]){"press to all\nYour "
		                                          "text.\nendpress"},
			.nexamples = 1,
		    },
		    &out);
		rc = dealing_answer(d, &h, seat, "notice", &out);
	}
	letter_out_release(&out);
	hand_release(&h);
	return rc;
}

static enum err nothing_understood(struct dealing *d)
{
	bool message, invitation;

	if (d->lost.game != 0)
		return sender_tell_of_loss(d, &d->lost);
	TRY(answers_message(d, &message));
	if (message)
		return tell_how_to_write_back(d);
	TRY(rematch_explain(d, &invitation));
	if (invitation)
		return ERR_NONE;
	if (!d->seat_confirmed)
		return dealing_guide(d, why_not_understood(d));
	return dealing_notice(
	    d, NULL, NULL, "thank you", "",
	    "Your seat is confirmed. You hear from us when there is something to do.");
}

static enum err do_letter(struct dealing *d)
{
	enum err rc = d->proven ? joining_confirm_by_reply(d) : ERR_NONE;

	if (rc == ERR_NONE)
		rc = carry_out(d);
	if (rc == ERR_NONE && (d->player.id != 0 || d->understood))
		rc = tell_near_misses(d);
	if (rc == ERR_NONE && !d->understood)
		rc = nothing_below_signon(d);
	if (rc == ERR_NONE && !d->understood)
		rc = nothing_understood(d);
	return rc;
}

/* In an answer to a digest its form is read. */
static void read_form(struct dealing *d)
{
	struct mail_in *mail = arena_calloc(d->arena, 1, sizeof(*mail));

	*mail = *d->mail;
	mail->texts = arena_calloc(d->arena, mail->ntexts + 1, sizeof(*mail->texts));
	for (size_t i = 0; i < mail->ntexts; i++) {
		mail->texts[i] = d->mail->texts[i];
		mail->texts[i].text = bundle_form_read(mail->texts[i].text, d->arena);
	}
	d->mail = mail;
}

static enum err read_and_do(struct dealing *d)
{
	struct letter letter;
	size_t which;
	bool ask;

	if (d->bundle != 0 && !d->settled) /* a mail that was held is kept as it was read */
		read_form(d);
	TRY(reading_choose(d->mail, d->ahead, d->srv->cfg.max_commands, d->arena,
	                   d->game != 0 ? judge_orders : NULL, d, &letter, &which));
	d->letter = &letter;
	enum err rc = speaker_must_ask(d, &ask);
	if (rc == ERR_NONE && ask)
		rc = speaker_ask(d, d->mail->texts[which].text);
	else if (rc == ERR_NONE && d->strange.len > 0)
		rc = speaker_tell_of_strange(d);
	else if (rc == ERR_NONE)
		rc = do_letter(d);
	letter_release(&letter);
	d->letter = NULL;
	return rc;
}

/* The player has said yes to a mail that waited for it. */
static enum err use_held_mail(struct dealing *d, const struct question *q)
{
	bool fits;

	TRY(speaker_take_up(d, q, &fits));
	if (fits)
		TRY(read_and_do(d));
	d->row.detail = span_of(arena_printf(d->arena, "%.*s; yes to mail %lld",
	                                     SPAN_ARGS(d->row.detail), (long long)q->mail));
	return ERR_NONE;
}

static bool is_blocked(struct dealing *d, const char *why)
{
	if (d->player.blocked)
		dealing_verdict(d, "blocked", "%s", why);
	return d->player.blocked;
}

/*
 * From elsewhere to a player's reply address; robots that say nothing of being one come here
 * too.
 */
static enum err deal_with_strange(struct dealing *d)
{
	bool done;

	if (is_blocked(d, "the player whose reply address was used is blocked"))
		return sender_know(d);
	TRY(quota_check(d, &done));
	if (!done && d->mail->fault == MAIL_OK && d->may_answer)
		TRY(read_and_do(d));
	else if (!done)
		TRY(speaker_tell_of_strange(d));
	return sender_know(d); /* for the record: whose mail it was */
}

/* More than a From address, which anybody can write, unless that is enough here. */
static bool is_surely_the_player(const struct dealing *d)
{
	return !d->doubtful && (d->proven || d->srv->cfg.known_senders == KNOWN_ACCEPT);
}

static enum err deal(struct dealing *d)
{
	const struct question *held;
	bool done;

	TRY(robots_sort_out(d, &done));
	if (done)
		return ERR_NONE;
	TRY(sender_know(d));
	if (is_blocked(d, "the sender is blocked"))
		return ERR_NONE;
	speaker_judge(d);
	TRY(answering(d, &done, &held));
	if (done)
		return held ? use_held_mail(d, held) : ERR_NONE;
	TRY(sender_find_answered(d, &done));
	if (done)
		return ERR_NONE;
	if (d->strange.len > 0)
		return deal_with_strange(d);
	if (!stranger_may_speak(d))
		return ERR_NONE;
	robots_ask_for_proof(d, &done);
	if (done)
		return ERR_NONE;
	if (is_surely_the_player(d))
		TRY(bounces_forgive(d));
	TRY(quota_check(d, &done));
	if (done)
		return ERR_NONE;
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
	struct inbox_mail row = incoming_row(srv, in);
	row.content = (struct digest){{0}}; /* that is the first one's */
	row.player = old.player;
	row.game = old.game;
	row.serial = old.serial;
	row.seat = old.seat;
	row.verdict = SPAN_LIT("duplicate");
	row.detail =
	    span_of(arena_printf(arena, "the same mail as number %lld", (long long)old.id));
	return inbox_add(srv->store, &row, &id);
}

enum err intake_mail(struct server *srv, const struct incoming *in, struct arena *arena)
{
	bool seen;
	struct dealing d = {.srv = srv,
	                    .arena = arena,
	                    .mail = in->mail,
	                    .ahead = in->letter,
	                    .arrived_utc = in->arrived_utc,
	                    .sure_utc = in->arrived_utc};

	step_in_hand(in->mail->message_id, 0);
	TRY(seen_before(srv, in, arena, &seen));
	if (!seen)
		TRY(robots_stop_loop(srv, in, &seen));
	if (seen)
		return ERR_NONE;
	d.row = incoming_row(srv, in);
	dealing_verdict(&d, "command", "carried out");
	if (!date_parse(in->mail->date, &d.sent_utc))
		d.sent_utc = 0;
	d.row.sent_utc = d.sent_utc;
	TRY(inbox_next_id(srv->store, &d.inbox_id));
	enum err rc = deal(&d);
	dealing_forget(&d);
	dealing_note_silence(&d);
	TRY(rc);
	speaker_note_results(&d);
	d.row.id = d.inbox_id;
	d.row.player = d.player.id;
	if (d.row.game == 0) {
		d.row.game = d.game;
		d.row.seat = d.seat;
		d.row.serial = d.serial;
	}
	return inbox_add(srv->store, &d.row, &d.inbox_id);
}
