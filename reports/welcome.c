/*
 * welcome.c - the first mail of a game: you are in, and this is how it goes on.
 */
#include <string.h>

#include "reports/parts.h"

static void add_news(struct page *p, const struct report_welcome *w)
{
	const struct report_game *g = &w->game;

	if (w->waiting_confirmation) {
		page_say(
		    p,
		    "Seat %u of game %s is kept for you. Please confirm that you asked for it: reply "
		    "with the one word YES. If it was not you, do nothing: in two days the seat is "
		    "free again.",
		    w->game.seat, w->game.id);
		page_example(p, SPAN_LIT("yes"));
		page_gap(p);
	} else if (g->seat > 0)
		page_say(p,
		         w->created
		             ? "Your game %s is open. You are in it as %s (seat %u of %u)."
		             : "You are in %s as %s (seat %u of %u).",
		         g->id, g->seat_name, g->seat, g->nseats);
	else
		page_say(p, "Your game %s is open.", g->id);
}

static void add_start(struct page *p, const struct report_welcome *w)
{
	if (w->start_utc > 0)
		page_say(
		    p, "The game starts on %s, or when all seats are taken, if that is later.",
		    phrase_deadline(p->arena, w->game.zone, w->now_utc, w->start_utc));
	else if (w->seats_taken < w->game.nseats)
		page_say(p, "The game starts when all seats are taken: waiting for %s.",
		         phrase_count(p->arena, w->game.nseats - w->seats_taken, "more player",
		                      "more players"));
	else if (w->others_are_asked)
		page_say(p, "All seats are taken: the others are asked whether they are still "
		            "there, and then the game starts.");
	else if (w->waiting_confirmation)
		page_say(p, "The game starts when everybody has confirmed.");
	else
		page_say(p, "All seats are taken: the game starts now.");
}

static void add_next(struct page *p, const struct report_welcome *w)
{
	add_start(p, w);
	if (w->game.seat != 0)
		page_say(p, "You will get a mail with the first position: reply to it with "
		            "your orders.");
	if (w->pace && *w->pace)
		page_say(p,
		         "A turn ends when everyone has sent orders, at the latest at its "
		         "deadline: %s.",
		         w->pace);
	else
		page_say(p,
		         "A turn ends when everyone has sent orders, at the latest after %s.",
		         phrase_interval(p->arena, w->next));
	page_gap(p);
}

static void add_examples(struct page *p, const struct report_welcome *w)
{
	const struct doc_block *b = w->examples ? w->examples->first : NULL;
	while (b && b->kind != DOC_EXAMPLE)
		b = b->next;
	if (b == NULL || w->game.seat == 0)
		return;
	page_say(p, "For example, orders look like this:");
	part_examples(p, w->examples);
	page_gap(p);
}

static void add_invitation(struct page *p, const struct report_welcome *w)
{
	const char *alone = w->starts ? "start with bots"
	                    : w->alone
	                        ? w->alone
	                        : arena_printf(p->arena, "create %s players %u bots %u",
	                                       phrase_lower(p->arena, w->game.kind_title),
	                                       w->game.nseats, w->game.nseats - 1);

	if (!w->created || w->seats_are_kept || w->seats_taken >= w->game.nseats)
		return;
	page_say(
	    p, w->is_private
		   ? "The game is in no public list. To invite friends, give them this line:"
		   : "The game is in the public list. To invite friends, give them this line:");
	page_example(
	    p, span_of(arena_printf(p->arena,
	                            w->is_private && w->join_key ? "join %s key %s" : "join %s",
	                            w->game.id, w->join_key)));
	page_say(
	    p, "They send it in a new mail to the address this mail came from. Do not forward "
	       "this mail itself: replies to it count as yours.");
	page_say(p, w->starts ? "If nobody is at hand, the server can play the other seats:"
	                      : "If nobody is at hand, the server can play the other seats, "
	                        "in a new game:");
	page_example(p, span_of(alone));
	page_gap(p);
}

static void add_proof(const struct report_welcome *w, struct report_out *out)
{
	struct page p;

	part_proof_page(&p, out);
	part_fair(&p, &w->fair);
	if (w->seat_proof.len > 0)
		page_say(
		    &p,
		    "Your proof, signed by the server: which seat your mail took, and when. "
		    "What was in it goes into the chance of the set-up. Keep this mail.");
	page_gap(&p);
	page_verbatim(&p, w->seat_proof);
	page_end(&p);
}

void report_welcome(const struct report_welcome *w, struct report_out *out)
{
	struct page p;
	const struct report_game *g = &w->game;
	if (w->waiting_confirmation)
		part_subject_of_game(&out->subject, g, "%s: please confirm your seat",
		                     g->kind_title);
	else if (g->seat == 0)
		part_subject_of_game(&out->subject, g, "%s: the game is open", g->kind_title);
	else
		part_subject_of_game(&out->subject, g, "%s: you are in, seat %u of %u",
		                     g->kind_title, g->seat, g->nseats);
	page_start(&p, &out->body, out->form);
	add_news(&p, w);
	if (w->options && *w->options)
		page_say(&p, "Options: %s (all others as usual).", w->options);
	page_gap(&p);
	add_next(&p, w);
	/* "Seats: 1 Ann (you), 2 Bob, 3 free." */
	struct strbuf s = STRBUF_INIT;

	for (unsigned seat = 1; seat <= w->game.nseats; seat++) {
		const char *name = w->names ? w->names[seat] : NULL;

		strbuf_addf(&s, "%s%u %s", seat == 1 ? "" : ", ", seat, name ? name : "free");
	}
	page_say(&p,
	         w->master_is_apart ? "Seats: %s. The master of the game does not play."
	                            : "Seats: %s.",
	         s.ptr);
	if (w->bots)
		page_say(&p, "%s", w->bots);
	strbuf_release(&s);
	page_gap(&p);
	for (size_t i = 0; i < w->nnotes; i++)
		page_prose(&p, "", span_of(w->notes[i]));
	page_gap(&p);
	page_say(&p, "%s", w->about);
	page_gap(&p);
	part_doc(&p, w->basics, DOC_HELP, NULL);
	page_say(&p, "For all the rules, reply HELP %s.",
	         phrase_lower(p.arena, w->game.kind_title));
	add_examples(&p, w);
	add_invitation(&p, w);
	page_small_print(&p);
	part_footer(&p, &w->game);
	if (w->game.seat > 0 && !w->waiting_confirmation)
		page_say(&p, "To leave the game, reply RESIGN.");
	add_proof(w, out);
	part_proof(&p, out, &w->game, NULL);
	page_end(&p);
}
