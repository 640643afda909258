/*
 * status.c - STATUS: my orders, who is awaited, and the position.
 */
#include "reports/parts.h"

static void add_own_orders(struct page *p, const struct report_status *r)
{
	if (r->canonical.ptr) {
		page_say(p, "Your orders (#%u, received %s):", r->revision,
		         phrase_moment(p->arena, r->game.zone, r->received_utc));
		page_orders(p, r->canonical);
		/* The deadline has passed, and the turn is open for the late only. */
		page_say(
		    p, (clock_has_passed(&r->clock) && r->received_utc <= r->clock.deadline_utc)
			   ? "They were in time and can no longer be changed."
		       : clock_is_over(&r->clock) ? "They can no longer be changed."
						  : "To change them, reply with new orders; "
						    "to withdraw them, reply CLEAR.");
	} else if (r->stepped_in) {
		page_say(p,
		         "You sent no orders for %s in time. The orders you had prepared are "
		         "used and can "
		         "no longer be changed:",
		         r->game.label);
		page_orders(p, r->default_orders);
	} else if (r->reader_owes && clock_is_over(&r->clock)) {
		page_say(p, "You have no orders stored for %s, and it is too late for any.",
		         r->game.label);
	} else if (r->reader_owes) {
		if (r->nlead == 0)
			page_say(p, "You have no orders stored for %s.", r->game.label);
		part_silence(p, r->silence, r->default_orders);
		if (r->last_chance)
			part_last_chance(p, &r->game);
	} else if (r->game.seat > 0) {
		page_say(p, "You have nothing to do this turn.");
	}
	page_gap(p);
}

static void add_master(struct page *p, const struct report_status *r)
{
	const char *who = r->reader_is_co_master ? "a co-master" : "the master";

	if (r->reader_is_master && r->game.ended)
		page_say(p, "You were the master of this game.");
	else if (r->reader_is_master && r->turn_number > 0 && r->clock.paused)
		page_say(
		    p,
		    "You are %s of this game. \"RESUME\" lets it go on. The open "
		    "turn has number %u: \"ROLLBACK %u\" begins it anew, and lower numbers "
		    "go further back. \"HELP MASTER\" tells what else you can do.",
		    who, r->turn_number, r->turn_number - 1);
	else if (r->reader_is_master && r->turn_number > 0)
		page_say(
		    p,
		    "You are %s of this game. The open turn has number %u: "
		    "\"PROCESS %u\" ends it now, \"ROLLBACK %u\" begins it anew, and lower "
		    "numbers go further back. \"HELP MASTER\" tells what else you can do.",
		    who, r->turn_number, r->turn_number, r->turn_number - 1);
	else if (r->reader_is_master)
		page_say(p, "You are %s of this game; \"HELP MASTER\" tells what you can do.",
		         who);
	else if (r->master)
		page_say(p, "Master of the game: %s.", r->master);
	if (r->unrated)
		page_say(p, "A master has acted without the others, so this game is lost for "
		            "that master, and not rated for anybody else.");
	page_gap(p);
}

void report_status(const struct report_status *r, struct report_out *out)
{
	struct page p;
	part_subject(&out->subject, &r->game, "%s: %s", r->game.kind_title,
	             r->subject ? r->subject : "how it stands");
	page_start(&p, &out->body, out->form);
	if (r->nlead == 0 || r->game.carried)
		part_game(&p, &r->game);
	for (size_t i = 0; i < r->nlead; i++) {
		page_gap(&p);
		page_say(&p, "%s", r->lead[i]);
	}
	/* Only a running game has orders and deadlines; a label means that there is a turn. */
	if (*r->game.label && (span_eq_str(span_of(r->status), "running") || r->clock.paused)) {
		page_gap(&p);
		add_own_orders(&p, r);
		part_clock(&p, &r->game, &r->clock, false);
		if (r->pace && *r->pace)
			page_say(&p, "Deadlines in this game: %s.", r->pace);
		page_gap(&p);
		if (r->nstanding != 0) {
			page_say(&p, "You have prepared:");
			for (size_t i = 0; i < r->nstanding; i++) {
				page_item(&p, "%s", r->standing[i].lead);
				if (r->standing[i].text.len > 0)
					page_orders(&p, r->standing[i].text);
			}
			page_gap(&p);
		}
		if (r->reader_owes && !r->canonical.ptr && !r->stepped_in &&
		    !clock_is_over(&r->clock)) {
			part_sample_orders(&p, &r->game,
			                   r->game.carried
			                       ? "To send orders, see the top of this mail."
			                       : "To send orders, reply to this mail.",
			                   r->examples);
			page_gap(&p);
		}
	} else {
		page_say(&p, "The game is %s.", phrase_status(r->status));
		page_gap(&p);
	}
	page_say(&p, "Seats:");
	for (unsigned seat = 1; seat <= r->game.nseats; seat++) {
		const char *name = r->names ? r->names[seat] : NULL;
		page_item(&p, "seat %u: %s", seat, name ? name : "free");
	}
	page_gap(&p);
	if (r->nvotes != 0) {
		page_say(&p, "Votes in this turn:");
		for (size_t i = 0; i < r->nvotes; i++)
			page_item(&p, "%s", r->votes[i]);
		page_gap(&p);
	}
	add_master(&p, r);
	part_doc(&p, r->view, DOC_POSITION, "The board");
	part_doc(&p, r->view, DOC_SCORES, "Scores");
	part_doc(&p, r->view, DOC_OWN, "For your eyes only");
	if (!r->game.carried)
		page_small_print(&p);
	part_footer(&p, &r->game);
	if (r->ncommitments > 0) {
		page_say(&p, "Sealed so far:");
		part_commitments(&p, &r->game, r->commitments, r->ncommitments);
		page_gap(&p);
	}
	if (r->fair)
		part_fair(&p, r->fair);
	page_end(&p);
}
