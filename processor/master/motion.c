/*
 * motion.c - what a master who plays, or a player, does only with the others: asked, agreed, done.
 *
 * A motion is open until its turn ends. The other players answer YES or NO; more than half of them
 * are needed, and who is silent has said no. With UNRATED behind the command the master acts alone:
 * then the game is rated for nobody but the master, for whom it is lost (match/standings.h).
 */
#include "processor/master/master.h"
#include "processor/match/standings.h"
#include "processor/match/votes.h"
#include "processor/request/master.h"
#include "processor/turns/abort_turn.h"
#include "processor/turns/due_turn.h"
#include "store/audit.h"

/* ---- asking ---- */

static const char *when_done(struct arena *arena, const struct match *match,
                             const struct vote_count *count, struct seat_set voters)
{
	if (count->voters == 1)
		return arena_printf(arena, "It is done as soon as the answer of %s is yes",
		                    match_names_in(match, voters));
	return arena_printf(arena, "It is done as soon as %u of the %u who can vote say yes",
	                    count->needed, count->voters);
}

static enum err tell_of_motion(struct master_request *m, const struct decision *decision,
                               const struct vote_count *count, struct seat_set voters,
                               const char *instead)
{
	struct arena *arena = m->req->arena;
	const struct motion motion = {.line = span_of(decision->line),
	                              .at_utc = decision->at_utc};
	const char *line = motion_shown(m->match, &motion);
	const char *done = when_done(arena, m->match, count, voters);
	const char *asks = arena_printf(arena,
	                                master_is_a_player(m) ? "%s proposes \"%s\". %s"
	                                : m->match->game.master == m->req->who.player.id
	                                    ? "%s is the master of the game and plays too, so "
	                                      "the others decide on \"%s\". %s"
	                                    : "%s is a co-master of the game and plays too, so "
	                                      "the others decide on \"%s\". "
	                                      "%s",
	                                m->match->names.names[m->seat->seat], line,
	                                decision->effect);

	return tell_table(
	    m->req, m->match, m->seat,
	    &(struct table_news){
		.subject = arena_printf(arena, "asked of the players: %s", line),
		.done = arena_printf(
		    arena,
		    master_is_a_player(m)
			? "%s asked about \"%s\". %s %s; if not before the turn ends, not at "
			  "all.%s"
			: "%s asked about \"%s\", since you play too. %s %s; if not before the "
			  "turn ends, not at all.%s Alone you can do it with UNRATED behind "
			  "that line: then the game is not rated for the others, and counts as "
			  "lost for you.",
		    arena_printf(arena, count->voters == 1 ? "%s was" : "%s were",
	                         match_names_in(m->match, voters)),
		    line, decision->effect, done, instead),
		.kind = "motion",
		.heard = arena_printf(arena, "%s%s", asks, instead),
		.asked = voters,
		.asks =
		    arena_printf(arena,
	                         "%s; whoever says nothing until the turn ends has said no. "
	                         "Nobody is told who "
	                         "said what before it is done. Reply with one of these lines:",
	                         count->voters == 1 ? "It is done if you say yes" : done),
		.answers = TEXTS("yes", "no"),
		.other = decision->seat > 0 ? match_seat(m->match, decision->seat) : NULL,
		.heard_by_other = arena_printf(
		    arena, "%s The other players are asked; in this you have no vote. %s.",
		    asks, done),
		.at_utc = decision->at_utc,
		.players_only = true});
}

/* The seat of a co-master; 0: the master says it. */
static unsigned proposer_of(const struct master_request *m)
{
	return m->match->game.master == m->req->who.player.id ? 0 : m->seat->seat;
}

static enum err ask_the_others(struct master_request *m, const struct decision *decision,
                               struct ballot *ballot, bool *go)
{
	struct request *req = m->req;
	struct match *match = m->match;
	struct motion *old = arena_calloc(req->arena, 1, sizeof(*old));
	struct motion motion = {.game = match->game.id,
	                        .serial = match->turn.serial,
	                        .line = span_of(decision->line),
	                        .seat = decision->seat,
	                        .proposer = proposer_of(m),
	                        .at_utc = decision->at_utc,
	                        .asked_utc = req->srv->now_utc};
	const char *instead = "";
	bool may;

	enum err rc = motion_get(req->srv->store, motion.game, motion.serial, req->arena, old);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (rc == ERR_NONE && span_eq(old->line, motion.line)) {
		/* Since somebody has left the votes may be enough by now. */
		struct vote_count count = motion_count(match, ballot, old);

		*go = count.passed;
		if (!*go)
			return master_refuse(
			    m, "",
			    "The others have been asked for \"%s\" already: %s. They were not asked "
			    "again.",
			    motion_shown(match, old), motion_count_words(match, &count));
		m->agreed = old;
		m->by = count.by;
		return motion_close(req->srv->store, match->game.id);
	}
	if (rc == ERR_NONE && master_is_a_player(m) && old->proposer != motion.proposer &&
	    motion_stands(match, old, req->sure_utc))
		return master_refuse(m, "",
		                     "The players are being asked for something else just now: "
		                     "\"%s\". Please ask when that is decided.",
		                     motion_shown(match, old));
	if (rc == ERR_NONE)
		instead = arena_printf(
		    req->arena,
		    " This takes the place of \"%s\", which nobody votes on any more.",
		    motion_shown(match, old));
	TRY(master_may_write(m, &may));
	if (!may)
		return ERR_NONE;
	TRY(ballot_forget_motion(req->srv, match, ballot));
	TRY(motion_put(req->srv->store, &motion));
	TRY(master_log(m, decision->seat, "asked the other players: %s",
	               motion_shown(match, &motion)));
	request_verdict(req, "master", "%s: the players are asked", match->id);
	struct vote_count count = motion_count(match, ballot, &motion);
	return tell_of_motion(m, decision, &count, motion_voters(match, ballot, &motion),
	                      instead);
}

/* ---- alone ---- */

static enum err act_alone(struct master_request *m, const struct decision *decision, bool *go)
{
	struct match *match = m->match;

	TRY(master_sure(m, decision->line,
	                arena_printf(m->req->arena,
	                             "%s The others have not agreed. So the game is not rated "
	                             "for them from then on, for you it counts as lost, and "
	                             "everybody is told.",
	                             decision->effect),
	                go));
	if (!*go)
		return ERR_NONE;
	match->game.unrated = true;
	TRY(audit_add(
	    m->req->srv->store, match->game.id, m->seat->seat, STANDINGS_ACTOR, true,
	    m->req->srv->now_utc,
	    standings_alone(arena_cstr(m->req->arena, m->seat->name), m->req->arena)));
	return game_update(m->req->srv->store, &match->game);
}

/* ---- whether they are asked ---- */

static bool plays_too(const struct master_request *m)
{
	const struct match *match = m->match;

	if (master_is_a_player(m))
		return true;
	return match->game.master_asks && match->game.status != GAME_GATHERING && m->seat &&
	       match->has_turn && match->turn.serial > 0;
}

enum err master_with_others(struct master_request *m, const struct decision *decision, bool *go)
{
	struct motion motion = {.seat = decision->seat};
	struct ballot ballot;

	*go = m->agreed != NULL;
	if (*go)
		return ERR_NONE;
	if (plays_too(m)) {
		motion.proposer = proposer_of(m);
		TRY(ballot_load(m->req->srv, m->match, &ballot));
		if (!seat_in(ballot.voters, m->seat->seat) && master_is_a_player(m))
			return master_refuse(
			    m, "status",
			    "You are out of this game, so you have no vote. To "
			    "see how it stands, send:");
		bool nobody = seat_count(motion_voters(m->match, &ballot, &motion)) == 0;
		motion.seat = 0;
		bool others = seat_count(motion_voters(m->match, &ballot, &motion)) > 0;

		if (others && m->item->unrated && !master_is_a_player(m))
			return act_alone(m, decision, go);
		if (others && nobody) {
			request_verdict(m->req, "refused", "%s: nobody could agree",
			                decision->line);
			if (master_is_a_player(m))
				return request_notice(
				    m->req, m->match, m->seat, "nobody could agree with you",
				    "help votes",
				    "Nobody else is there who could agree, so nothing was done. "
				    "Once that seat is vacant you can do it alone. What players "
				    "can do together is told by:");
			return request_notice(
			    m->req, m->match, m->seat, "nobody could agree with you",
			    arena_printf(m->req->arena, "%s %s unrated", decision->line,
			                 m->match->id),
			    "You play too, and nobody else is there who could agree, so nothing was done. "
			    "Alone you can do it: then the game is not rated for the others, and counts as "
			    "lost for you. That is:");
		}
		if (others && (!turn_can_be_aborted(m->match) ||
		               turn_has_ended(m->match, m->req->sure_utc)))
			return master_refuse(m, "",
			                     "The turn is just being ended, so the others were "
			                     "not asked. Please write again when you have the "
			                     "next report.");
		if (others)
			return ask_the_others(m, decision, &ballot, go);
	}
	if (decision->wants_yes && !master_is_a_player(m))
		return master_sure(m, decision->line, decision->effect, go);
	*go = true;
	return ERR_NONE;
}
