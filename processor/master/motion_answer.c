/*
 * motion_answer.c - YES and NO to what a master who plays asks the others for; the last YES that is needed
 * has it done.
 */
#include "processor/commandtext/yes_no.h"
#include "processor/master/master.h"
#include "processor/match/votes.h"
#include "processor/request/master.h"
#include "processor/request/which_game.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/due_turn.h"
#include "store/audit.h"
#include "store/outbox.h"

/* A line of ours, carried out for the master in the mail of who gave the last vote that was needed. */
static enum err carry_out(struct request *req, struct match *match, struct seat *seat,
                          const struct motion *motion, struct seat_set by)
{
	struct command_text text;

	TRY(motion_close(req->srv->store, match->game.id));
	if (motion->asker != 0)
		return more_time_given(req, match, seat, motion, by);
	command_text_read(motion->line, SPAN_EMPTY, 1, req->arena, &text);
	ENSURE(text.nitems == 1);
	struct master_request m = {.req = req,
	                           .item = &text.items[0],
	                           .match = match,
	                           .seat = seat,
	                           .agreed = motion,
	                           .by = by};
	enum err rc = master_carry_out(&m);
	command_text_release(&text);
	return rc;
}

static enum err failed(struct request *req, struct match *match, struct seat *seat,
                       const char *line)
{
	TRY(motion_close(req->srv->store, match->game.id));
	TRY(audit_add(req->srv->store, match->game.id, 0, "vote", true, req->srv->now_utc,
	              arena_printf(req->arena, "the players did not agree to %s", line)));
	request_verdict(req, "vote", "%s: the motion has failed", match->id);
	return tell_table(
	    req, match, seat,
	    &(struct table_news){
		.subject = "the players have not agreed",
		.done = arena_printf(req->arena,
	                             "Your NO is counted, and with it the motion has failed: "
	                             "\"%s\" is not done. Everybody is told.",
	                             line),
		.heard = arena_printf(
		    req->arena, "The players have not agreed, so \"%s\" is not done.", line),
		.players_only = true});
}

static enum err cast(struct request *req, struct match *match, struct seat *seat, bool yes,
                     const struct motion *motion)
{
	struct ballot ballot;

	TRY(ballot_load(req->srv, match, &ballot));
	const char *line = motion_shown(match, motion);
	if (!seat_in(motion_voters(match, &ballot, motion), seat->seat))
		return request_notice(req, match, seat, "your vote was not counted", "status",
		                      "You have no vote on \"%s\". To see how the game stands, "
		                      "send:",
		                      line);
	struct votes *own = ballot_of_seat(&ballot, seat->seat);
	own->of[VOTE_MOTION] = (struct vote){.stands = yes, .was_seen = true};
	TRY(votes_put(req->srv->store, match->game.id, match->turn.serial, own));
	struct vote_count count = motion_count(match, &ballot, motion);
	if (count.passed)
		return carry_out(req, match, seat, motion, count.by);
	if (count.failed)
		return failed(req, match, seat, line);
	request_verdict(req, "vote", "a vote in %s", match->id);
	return request_notice(req, match, seat, "your vote is counted", "",
	                      "Your %s to \"%s\" is counted: %s. You can change it until then "
	                      "by answering again.",
	                      yes ? "YES" : "NO", line, motion_count_words(match, &count));
}

/* The mail that is answered, if it asked for this vote. */
static enum err motion_mail(struct request *req, const struct match *match,
                            struct outbox_mail *row, bool *is)
{
	enum err rc = ERR_NOT_FOUND;

	*is = false;
	if (req->mail->in_reply_to.len > 0)
		rc = outbox_by_message_id(req->srv->store, req->mail->in_reply_to, req->arena,
		                          row);
	*is = rc == ERR_NONE && span_eq_str(row->kind, "motion") && row->game == match->game.id;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

enum err motion_answer(struct request *req, bool yes, struct match *match, struct seat *seat,
                       bool asked_else, bool *answered)
{
	struct outbox_mail row;
	struct motion motion;
	bool is_motion_mail, open;

	TRY(motion_mail(req, match, &row, &is_motion_mail));
	enum err rc = match->has_turn ? motion_get(req->srv->store, match->game.id,
	                                           match->turn.serial, req->arena, &motion)
	                              : ERR_NOT_FOUND;
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	open = rc == ERR_NONE && turn_can_be_aborted(match) && !match->game.held &&
	       !turn_has_ended(match, req->sure_utc) &&
	       motion_stands(match, &motion, req->sure_utc);
	*answered = is_motion_mail || (open && !asked_else);
	if (!*answered)
		return ERR_NONE;
	if (!open || (is_motion_mail && row.serial != match->turn.serial))
		return request_notice(
		    req, match, seat, "that vote is over", "status",
		    "What you were asked about has been decided, or its time is over, so "
		    "your answer changes nothing. To see how the game stands, send:");
	if (is_motion_mail && row.created_utc < motion.asked_utc)
		return request_notice(
		    req, match, seat, "please answer the newest question", "",
		    "Something else has been asked since that mail: \"%s\". Your "
		    "answer was not counted; please answer the newest mail.",
		    motion_shown(match, &motion));
	return cast(req, match, seat, yes, &motion);
}

enum err motion_explain(struct request *req, bool *done)
{
	struct outbox_mail row;
	struct match *match;

	*done = false;
	if (req->about.game == 0 || req->about.seat == 0 || !req->who.proven)
		return ERR_NONE;
	TRY(request_match(req, req->about.game, &match));
	struct seat *seat = match_seat(match, req->about.seat);
	TRY(motion_mail(req, match, &row, done));
	struct said said = yes_no_said(req->mail, req->srv->cfg.max_commands, req->arena);
	*done = *done && seat && seat->player == req->who.player.id && said.yes != said.no;
	if (!*done)
		return ERR_NONE;
	request_understood(req);
	return motion_answer(req, said.yes, match, seat, false, done);
}
