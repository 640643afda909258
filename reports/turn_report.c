/*
 * turn_report.c - the mail that carries a game from turn to turn.
 *
 * The sections stand in the same order in every game: what happened, the
 * board, the scores, what only the reader knows, messages that have waited for
 * the report, who is awaited and until when, what happens without an answer,
 * proof, examples that work now, help.
 * Whoever reads only the first lines knows what is wanted and by when.
 */
#include <string.h>

#include "processor/base/clock.h"
#include "reports/parts.h"

#include "processor/base/banned.h"

/* ---- who won ---- */

static size_t winners(const struct report_turn *r, const char **names)
{
	size_t n = 0;
	for (unsigned seat = 1; seat <= r->result->nseats && seat <= MAX_SEATS; seat++)
		if (seat_in(r->result->winners, seat))
			names[n++] = r->names[seat];
	return n;
}

/* "over: Ann wins", "over: Ann and Bob share the win", "cancelled". */
static void phrase_outcome(struct strbuf *out, const struct report_turn *r)
{
	const char *names[MAX_SEATS];
	if (!r->result || !r->result->over) {
		strbuf_adds(out, phrase_status(r->end_status ? r->end_status : "closed"));
		return;
	}
	strbuf_adds(out, "over: ");
	size_t n = winners(r, names);
	if (n == 0) {
		strbuf_adds(out, "nobody wins");
		return;
	}
	phrase_names(out, names, n, NULL);
	strbuf_adds(out, n == 1 ? " wins" : " share the win");
}

/* Behind the number of a rank; there are no more than 20. */
static const char *ordinal_end(unsigned n)
{
	static const char *const ends[] = {"th", "st", "nd", "rd"};

	return n < sizeof ends / sizeof *ends ? ends[n] : "th";
}

/* "1st", not "place 1": PLACE is an order of one of the games. */
static void add_standing(struct page *p, const struct report_turn *r)
{
	const struct game_result *res = r->result;
	if (!res || !res->over)
		return;
	page_heading(p, "Final standing");
	for (unsigned rank = 1; rank <= res->nseats; rank++)
		for (unsigned seat = 1; seat <= res->nseats && seat <= MAX_SEATS; seat++)
			if (res->ranks[seat] == rank)
				page_item(p, "%u%s: %s, %lld %s%s%s", rank, ordinal_end(rank),
				          r->names[seat], (long long)res->scores[seat],
				          res->scores[seat] == 1 ? "point" : "points",
				          seat_in(res->winners, seat) ? ", winner" : "",
				          seat == r->game.seat ? " (you)" : "");
	page_gap(p);
}

/* ---- the first lines ---- */

static void add_subject(struct strbuf *subject, const struct report_turn *r)
{
	if (r->ended) {
		struct strbuf s = STRBUF_INIT;
		phrase_outcome(&s, r);
		part_subject_of_game(subject, &r->game, "%s is %s", r->game.kind_title, s.ptr);
		strbuf_release(&s);
	} else if (r->aborted_label) {
		part_subject(subject, &r->game, "%s: turns taken back%s", r->game.kind_title,
		             r->reader_owes ? "; your orders, please" : "");
	} else if (r->reader_owes) {
		part_subject(subject, &r->game,
		             r->in_force.len > 0 ? "%s: report, your orders are in"
		                                 : "%s: your orders, please",
		             r->game.kind_title);
	} else {
		part_subject(subject, &r->game, "%s: %s%s", r->game.kind_title,
		             r->resolved_label ? "report" : "it begins",
		             r->game.observer ? "" : ", nothing to do for you");
	}
}

static bool is_out(const struct report_turn *r)
{
	return r->result && r->game.seat > 0 && seat_in(r->result->eliminated, r->game.seat);
}

static void add_wanted(struct page *p, const struct report_turn *r)
{
	struct strbuf s = STRBUF_INIT;
	if (r->ended) {
		phrase_outcome(&s, r);
		page_say(p, "The game is %s.", s.ptr);
	} else if (r->reader_owes && r->in_force.len > 0) {
		page_say(p, "Your %s are in force for this turn; they stand below.%s",
		         r->in_force_as,
		         clock_ends_now(&r->clock)
		             ? ""
		             : " You need not answer, unless you want to change "
		               "them.");
	} else if (r->reader_owes) {
		if (r->clock.deadline_utc > 0 && !r->clock.held && !r->clock.paused) {
			strbuf_adds(&s, " by ");
			phrase_clock(&s, r->game.zone, &r->clock, r->clock.deadline_utc);
		}
		page_say(p,
		         r->game.carried
		             ? "Your orders are wanted%s. Write them where the head of this "
		               "mail says; examples stand below."
		             : "Your orders are wanted%s. Answer this mail with them; examples "
		               "stand near its end.",
		         s.ptr);
	} else if (r->game.seat > 0) {
		page_say(p, is_out(r) ? "You are out of this game. You will hear how it ends."
		                      : "There is nothing for you to do this turn.");
	}
	strbuf_release(&s);
	page_gap(p);
}

/* ---- what happened ---- */

static void add_names(struct page *p, const char *before, const char *const *names, size_t n,
                      const char *reader, const char *after)
{
	if (n == 0)
		return;
	struct strbuf s = STRBUF_INIT;
	phrase_names(&s, names, n, reader);
	page_say(p, "%s %s%s.", before, s.ptr, after);
	strbuf_release(&s);
}

/* Whether the rules tell of something. */
static bool has_tale(const struct report_turn *r)
{
	for (const struct doc_block *b = r->view ? r->view->first : NULL; b; b = b->next)
		if (b->part == DOC_STORY)
			return true;
	return false;
}

static bool has_story(const struct report_turn *r)
{
	return has_tale(r) || r->nmissed + r->nresigned + r->ncame + r->nactions > 0;
}

static void add_beginning(struct page *p, const struct report_turn *r)
{
	struct strbuf s = STRBUF_INIT;
	phrase_names(&s, r->names + 1, r->game.nseats, NULL);
	page_heading(p, r->goes_on ? "The game goes on" : "The game begins");
	page_say(p, "All seats are taken. At the table: %s.", s.ptr);
	strbuf_release(&s);
	if (r->goes_on) {
		page_gap(p);
		page_say(p, "%s", r->goes_on);
		page_gap(p);
	}
}

/* An entry of the log, "TIME ACTOR: WHAT"; of what the server did itself no actor is named. */
static void add_action(struct page *p, const struct zone *zone, const char *entry)
{
	struct span what = span_of(entry), time = SPAN_EMPTY;
	struct strbuf head = STRBUF_INIT;
	int64_t at_utc;

	(void)span_next_field(&what, ' ', &time);
	if (utc_parse_iso(time, &at_utc))
		zone_format_human(&head, zone, at_utc);
	else
		strbuf_add_span(&head, time);
	size_t colon = span_find(what, SPAN_LIT(": "));
	if (colon < what.len && !span_starts(what, "server: "))
		strbuf_addf(&head, ", %.*s", (int)colon, what.ptr);
	if (colon < what.len)
		what = span_slice(what, colon + 2, what.len);
	page_item(p, "%s: %.*s", head.ptr, SPAN_ARGS(what));
	strbuf_release(&head);
}

static void add_actions(struct page *p, const struct report_turn *r)
{
	if (r->nactions > 0)
		page_say(p, "From the log of the game:");
	for (size_t i = 0; i < r->nactions; i++)
		add_action(p, r->game.zone, r->actions[i]);
}

static void add_broken_off(struct page *p, const struct report_turn *r)
{
	page_heading(p, "Broken off: %s", r->aborted_label);
	add_actions(p, r);
	page_gap(p);
	page_say(
	    p, "Orders that were sent for %s were not used; the record %s.", r->aborted_label,
	    r->ended ? "opens them with all others"
		     : "keeps them, and opens them with all others when the game has ended");
	if (!r->ended)
		page_say(p,
		         "Below stands the position from which play goes on. What was drawn up "
		         "to there stays as it was; everything after it is drawn anew.");
	page_gap(p);
}

static void add_story(struct page *p, const struct report_turn *r)
{
	if (r->aborted_label) {
		add_broken_off(p, r);
		return;
	}
	if (!r->resolved_label)
		add_beginning(p, r);
	else if (has_story(r))
		page_heading(p, "What happened in %s", r->resolved_label);
	add_names(p, "Nothing came from", r->missed, r->nmissed, r->game.seat_name,
	          ", so the default orders were used");
	add_names(p, "Gone from the game:", r->resigned, r->nresigned, r->game.seat_name, "");
	for (size_t i = 0; i < r->ncame; i++)
		page_say(p, "%s", r->came[i]);
	if (r->absences && *r->absences)
		page_say(p, "%s", r->absences);
	add_actions(p, r);
	page_gap(p);
	if (r->goes_on && has_tale(r)) {
		page_say(p, "This had happened there last:");
		page_gap(p);
	}
	part_doc(p, r->view, DOC_STORY, NULL);
}

/* ---- proof ---- */

static void add_head(struct page *p, const struct report_turn *r)
{
	if (r->head_lines == 0)
		return;
	page_gap(p);
	page_say(p,
	         "The record of the game has %u lines so far. This number stands for all of "
	         "them, and the server signs it:",
	         r->head_lines);
	page_hash(p, "head", r->head.bytes);
	page_hash(p, "sig 1", r->head_signature);
	page_hash(p, "sig 2", r->head_signature + SIGNATURE_LEN / 2);
}

static void add_proof(struct page *p, const struct report_turn *r)
{
	if (r->ncommitments == 0 && r->head_lines == 0)
		return;
	page_heading(p, "Proof");
	if (r->ncommitments > 0) {
		page_say(p,
		         "These orders were used. Each commit number was fixed when the orders "
		         "came in: compare it with the one in your earlier mails.");
		page_gap(p);
		part_commitments(p, &r->game, r->commitments, r->ncommitments);
	}
	add_head(p, r);
	page_gap(p);
}

/* ---- what comes next ---- */

static void add_next(struct page *p, const struct report_turn *r)
{
	page_heading(p, "Now: %s", r->game.label);
	part_clock(p, &r->game, &r->clock);
	if (r->put_off)
		page_say(p, "This deadline is later than usual, at the request of a player.");
	if (r->note) {
		page_gap(p);
		page_prose(p, "", span_of(r->note));
		page_gap(p);
	}
	if (r->reader_owes && r->in_force.len > 0) {
		page_say(p, "Your %s are in force:", r->in_force_as);
		page_orders(p, r->in_force);
		if (!clock_ends_now(&r->clock))
			page_say(p, "To change them, answer this mail with others; to withdraw "
			            "them, answer with \"CLEAR\".");
	}
	if (r->reader_owes && r->in_force.len == 0)
		part_silence(p, r->silence, r->default_orders);
	if (r->reader_owes && r->in_force.len == 0 && r->last_chance)
		part_last_chance(p, &r->game);
	if (r->idle_turns > 0)
		page_say(
		    p,
		    "Nobody has sent orders for %u %s running. The game is given up after the "
		    "next turn without any.",
		    r->idle_turns, r->idle_turns == 1 ? "turn" : "turns");
	page_gap(p);
}

static void add_answer(struct page *p, const struct report_turn *r)
{
	if (!r->reader_owes || (r->in_force.len > 0 && clock_ends_now(&r->clock)))
		return;
	page_heading(p, "Your answer");
	part_sample_orders(p, &r->game,
	                   r->game.carried ? "Write your orders at the head of this mail."
	                                   : "Answer this mail with your orders.",
	                   r->examples);
}

static void add_end(struct page *p, const struct report_turn *r)
{
	static const char secret[] =
	    "Below stands the secret from which all chance was drawn; the "
	    "first mails of the game gave its SHA-256.";
	struct strbuf line = STRBUF_INIT;

	page_heading(p, "Check it yourself");
	if (r->game.carried) {
		strbuf_addf(&line, "archive %s", r->game.id);
		page_say(p,
		         "The record of the whole game comes when you ask for it; anyone can "
		         "replay and check it:");
		page_example(p, strbuf_span(&line));
		page_say(p, "%s", secret);
	} else {
		page_say(
		    p,
		    "The record of the whole game follows in a mail of its own; anyone can "
		    "replay and check it. %s",
		    secret);
	}
	strbuf_release(&line);
	page_hash(p, "secret", r->secret.bytes);
	page_gap(p);
	if (r->game.seat != 0) {
		page_say(p, "To play it again with the same people, answer with one word:");
		page_example(p, SPAN_LIT("rematch"));
		page_gap(p);
	}
}

void report_turn(const struct report_turn *r, struct report_out *out)
{
	struct page p;
	struct report_game game = r->game;
	if (r->ended)
		game.label = ""; /* no turn is open any more */
	add_subject(&out->subject, r);
	page_start(&p, &out->body, !game.carried);
	part_game(&p, &game);
	add_wanted(&p, r);
	add_story(&p, r);
	part_doc(&p, r->view, DOC_POSITION, "The board");
	part_doc(&p, r->view, DOC_SCORES, "Scores");
	if (r->ended)
		add_standing(&p, r);
	part_doc(&p, r->view, DOC_OWN, "For your eyes only");
	part_messages(&p, &r->game, r->messages, r->nmessages);
	part_diaries(&p, &r->game, r->diaries, r->ndiaries);
	if (!r->ended)
		add_next(&p, r);
	add_proof(&p, r);
	if (r->ended)
		add_end(&p, r);
	else
		add_answer(&p, r);
	part_doc(&p, r->view, DOC_HELP, NULL);
	if (r->nkept > 0)
		page_heading(&p, "Waited for this report");
	part_kept(&p, r->game.zone, r->kept, r->nkept);
	part_footer(&p, &r->game);
	page_end(&p);
}
