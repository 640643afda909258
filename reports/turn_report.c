/*
 * turn_report.c - the mail that carries a game from turn to turn.
 *
 * One page, and everything once: what happened to the reader; orders due, examples that work now and what
 * happens without an answer; the board and what only the reader knows; the story; the scores; messages that have
 * waited for the report. Who has nothing to do gets the first and the story. Below the separator: which mail of
 * which game this is. The proof goes beside the mail.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/paper_words.h"
#include "reports/parts.h"

#define STORY_HEADING "What happened in "
#define BEGINNING_HEADING "How the game began"
#define ORDERS_HEADING "Your orders"

/* Above the separator, without messages. */
enum { LINES = 55, NARROW_LINES = 65, IDLE_LINES = 10 };
/* Scores of so many players stand in the outcome. */
enum { PHRASED_SCORES = 3 };

/* ---- who won ---- */

static size_t winners(const struct report_turn *r, const char **names)
{
	size_t n = 0;
	for (unsigned seat = 1; seat <= r->result->nseats && seat <= MAX_SEATS; seat++)
		if (seat_in(r->result->winners, seat))
			names[n++] = r->names[seat];
	return n;
}

/* "Cy won 51-44", "Ann and Bob share the win", "game cancelled". */
static void phrase_outcome(struct arena *arena, const struct report_turn *r, struct strbuf *out)
{
	struct strbuf points = STRBUF_INIT;
	const char *names[MAX_SEATS];
	size_t n = r->result && r->result->over ? winners(r, names) : 0;

	/* "51-44", best first, of games of two or three; more numbers say nothing in a subject. */
	const struct game_result *res = r->result;
	char before = ' ';
	if (res && res->over && res->nseats <= PHRASED_SCORES) {
		for (unsigned rank = 1; rank <= res->nseats; rank++)
			for (unsigned seat = 1; seat <= res->nseats && seat <= MAX_SEATS;
			     seat++)
				if (res->ranks[seat] == rank) {
					strbuf_addf(&points, "%c%lld", before,
					            (long long)res->scores[seat]);
					before = '-';
				}
	}
	if (!r->result || !r->result->over)
		strbuf_addf(out, "The game is %s",
		            phrase_status(r->end_status ? r->end_status : "closed"));
	else if (n == 0)
		strbuf_adds(out, "The game is over; nobody won");
	else
		strbuf_addf(out, n == 1 ? "%s won%s" : "%s share the win%s",
		            phrase_names(arena, names, n, NULL), points.ptr);
	strbuf_release(&points);
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

static bool has_deadline(const struct report_turn *r)
{
	return r->clock.deadline_utc > 0 && !r->clock.held && !r->clock.paused;
}

static bool is_out(const struct report_turn *r)
{
	return r->result && r->game.seat > 0 && seat_in(r->result->eliminated, r->game.seat);
}

/* "You have 44 points and are 2nd of 3."; between two "Ann leads 3-1." or "It is 0-0." */
static void phrase_standing(struct strbuf *out, const struct report_turn *r)
{
	const struct game_result *res = r->result;
	unsigned rank = 1, seat = r->game.seat, shared = 0;

	if (!res || seat == 0 || is_out(r))
		return;
	long long own = (long long)res->scores[seat];
	if (res->nseats == 2) {
		long long other = (long long)res->scores[3 - seat];

		if (own == other)
			strbuf_addf(out, " It is %lld-%lld.", own, other);
		else if (own > other)
			strbuf_addf(out, " You lead %lld-%lld.", own, other);
		else
			strbuf_addf(out, " %s leads %lld-%lld.", r->names[3 - seat], other,
			            own);
		return;
	}
	for (unsigned i = 1; i <= res->nseats && i <= MAX_SEATS; i++) {
		rank += res->scores[i] > res->scores[seat];
		shared += i != seat && res->scores[i] == res->scores[seat];
	}
	strbuf_addf(out, own == 1 ? " You have %lld point" : " You have %lld points", own);
	if (res->nseats > 1)
		strbuf_addf(out,
		            shared > 0 ? " and are tied for %u%s of %u" : " and are %u%s of %u",
		            rank, ordinal_end(rank), res->nseats);
	strbuf_addc(out, '.');
}

/* The one sentence of that part, if the rules have it. */
static const char *sentence_of(const struct doc *view, enum doc_part part)
{
	const struct doc_block *b = view ? view->first : NULL;

	while (b && b->part != part)
		b = b->next;
	return b ? b->text : NULL;
}

/* Of who has never played: against whom, and the first three rules. */
static void add_first_news(struct page *p, const struct report_turn *r)
{
	enum { RULES_SHOWN = 3 };
	const char *others[MAX_SEATS];
	size_t n = 0;

	for (unsigned seat = 1; seat <= r->game.nseats; seat++)
		if (seat != r->game.seat)
			others[n++] = r->names[seat];
	page_say(p, "Your game of %s against %s has begun.", r->game.kind_title,
	         phrase_names(p->arena, others, n, NULL));
	page_gap(p);
	n = 0;
	for (const struct doc_block *b = r->basics->first; b && n < RULES_SHOWN; b = b->next)
		if (b->kind == DOC_ITEM && n++ < RULES_SHOWN)
			page_item(p, "%s", b->text);
}

/* What a lock screen shows: what happened to the reader. */
static void add_news(struct page *p, const struct report_turn *r)
{
	const char *told = sentence_of(r->view, DOC_NEWS);
	const struct game_result *res = r->result;
	unsigned reader = r->game.seat;
	struct strbuf s = STRBUF_INIT;

	if (r->ended) {
		phrase_outcome(p->arena, r, &s);
		strbuf_addc(&s, '.');
		if (res && res->over && reader > 0 && seat_count(res->winners) > 0 &&
		    !seat_in(res->winners, reader))
			strbuf_addf(&s, " You came %u%s.", res->ranks[reader],
			            ordinal_end(res->ranks[reader]));
		page_say(p, "%s", s.ptr);
		if (r->ending && r->ending->had_seat)
			page_say(p, "You had a seat in this game.");
		if (r->ending && r->ending->is_attached)
			page_say(
			    p, "Two files come with this mail: a page that replays the game in "
			       "any browser, and its record.");
	} else if (r->aborted_label) {
		page_say(p, "The game was rolled back: play goes on from an earlier turn.");
	} else if (r->basics) {
		add_first_news(p, r);
	} else if (!r->resolved_label) {
		page_say(p, r->goes_on ? "The game goes on." : "The game begins.");
	} else {
		if (told)
			strbuf_adds(&s, told);
		else
			strbuf_addf(&s, r->game.seat > 0 ? "That was %s." : "After %s:",
			            r->resolved_label);
		/* To who watches: "After turn 4: Ann 9, Ben 3, Cy 0." */
		for (unsigned seat = 1; !told && r->game.seat == 0 && seat <= r->result->nseats;
		     seat++)
			strbuf_addf(&s, seat == r->result->nseats ? " %s %lld." : " %s %lld,",
			            r->names[seat], (long long)r->result->scores[seat]);
		phrase_standing(&s, r);
		page_say(p, "%s", s.ptr);
	}
	strbuf_release(&s);
	page_gap(p);
}

/* What the reader is to do and by when, who else is awaited, and what happens without an answer. */
static void add_wanted(struct page *p, const struct report_turn *r)
{
	bool asks = r->reader_owes && r->in_force.len == 0;

	if (r->ended)
		return;
	if (asks) {
		/* "By Fri 4 Dec 10:00 UTC (in 6 days), flick your mignettes. For example:" */
		const char *task = sentence_of(r->view, DOC_TASK);
		const char *when =
		    phrase_clock(p->arena, r->game.zone, &r->clock, r->clock.deadline_utc);
		const char *what =
		    !has_deadline(r) ? arena_printf(p->arena, "There is no deadline: %s.",
		                                    task ? task : "reply with orders")
		    : task           ? arena_printf(p->arena, "By %s, %s.", when, task)
				     : arena_printf(p->arena,
                                          r->game.carried ? "Orders due %s."
		                                                    : "Reply with orders by %s.",
		                                    when);

		part_sample_orders(
		    p, &r->game,
		    r->game.carried
			? arena_printf(p->arena, "%s Write them at the top of this mail.", what)
			: what,
		    r->examples);
	} else if (r->reader_owes) {
		const char *lead = arena_printf(p->arena, "Your %s are used for %s",
		                                r->in_force_as, r->game.label);

		part_orders(p, 0, lead, lead, r->in_force);
		if (!clock_ends_now(&r->clock))
			page_say(
			    p,
			    "To change them, reply with new orders; to withdraw them, reply CLEAR.");
	}
	if (is_out(r))
		page_say(p, "You are out of this game. You will hear how it ends.");
	else if (!r->reader_owes && r->moving && r->clock.nawaited + r->clock.nholding == 0)
		page_say(p,
		         r->game.seat > 0 ? "Next: %s. The next mail asks you." : "Next: %s.",
		         r->moving);
	else
		part_clock(p, &r->game, &r->clock, asks && has_deadline(r));
	if (r->put_off)
		page_say(p, "This deadline is later than usual, at the request of a player.");
	if (asks)
		part_silence(p, r->silence, r->default_orders);
	if (asks && r->last_chance)
		part_last_chance(p, &r->game);
	if (r->idle_turns > 0)
		page_say(p,
		         r->idle_turns == 1 ? "Nobody sent orders for the last %u turn. After "
		                              "another turn without any, "
		                              "the game is given up."
		                            : "Nobody sent orders for the last %u turns. After "
		                              "another turn without any, "
		                              "the game is given up.",
		         r->idle_turns);
	page_gap(p);
	if (r->note)
		page_prose(p, "", span_of(r->note));
	page_gap(p);
	if (r->tip && asks)
		page_say(p, "A tip: %s", r->tip);
	page_gap(p);
}

/* ---- what happened ---- */

/* Whether the rules tell of something. */
static bool has_tale(const struct report_turn *r)
{
	for (const struct doc_block *b = r->view ? r->view->first : NULL; b; b = b->next)
		if (b->part == DOC_STORY)
			return true;
	return false;
}

static void add_beginning(struct page *p, const struct report_turn *r)
{
	if (!has_tale(r))
		page_say(p, "All seats are taken: %s.",
		         phrase_names(p->arena, r->names + 1, r->game.nseats, NULL));
	if (r->bots || r->master)
		page_say(p, "%s%s%s", r->bots ? r->bots : "", r->bots && r->master ? " " : "",
		         r->master ? r->master : "");
	if (r->goes_on) {
		page_gap(p);
		page_say(p, "%s", r->goes_on);
		page_gap(p);
	}
}

static void add_actions(struct page *p, const struct report_turn *r)
{
	if (r->nactions > 0)
		page_say(p, "From the log of the game:");
	for (size_t i = 0; i < r->nactions; i++) {
		/* An entry of the log, "TIME ACTOR: WHAT"; of what the server did itself no actor is named. */
		struct span what = span_of(r->actions[i]), time = SPAN_EMPTY;
		struct strbuf head = STRBUF_INIT;
		int64_t at_utc;

		(void)span_next_field(&what, ' ', &time);
		if (utc_parse_iso(time, &at_utc))
			zone_format_human(&head, r->game.zone, at_utc);
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
}

static bool is_heading(struct span line, const char *heading)
{
	return span_starts(line, "== ") && span_starts(span_slice(line, 3, line.len), heading);
}

/* The turns before, and this one, under one heading. Whether it stands there. */
static bool add_earlier(struct page *p, const struct report_turn *r)
{
	bool headed = false;

	for (size_t i = 0; i < r->nearlier; i++) {
		struct span rest = r->earlier[i].story, line;

		while (span_next_line(&rest, &line)) {
			bool heading = is_heading(line, STORY_HEADING);

			if (heading && !headed)
				page_heading(p, STORY_HEADING "%s, and before",
				             r->resolved_label);
			else if (!heading && span_starts(line, "== "))
				page_gap(p);
			if (!heading && line.len > 0)
				page_verbatim(p, line);
			headed = headed || heading;
		}
	}
	return headed;
}

static void add_story(struct page *p, const struct report_turn *r)
{
	if (r->aborted_label) {
		page_heading(p, "Broken off: %s", r->aborted_label);
		add_actions(p, r);
		page_gap(p);
		page_say(
		    p,
		    r->ended
			? "Orders for %s were not used; the record shows them with all others."
			: "Orders for %s were not used; the record will show them with all others "
			  "when the "
			  "game has ended.",
		    r->aborted_label);
		if (!r->ended)
			page_say(
			    p,
			    "Below is the position from which play goes on. Dice and cards up to there "
			    "stay as they were; those after it will be drawn again.");
		page_gap(p);
		return;
	}
	bool headed = add_earlier(p, r);
	for (size_t i = 0; i < r->nstored; i++)
		if (r->stored[i].remarks.len > 0) {
			page_heading(p, ORDERS_HEADING);
			page_verbatim(p, r->stored[i].remarks);
			page_gap(p);
		}
	if (!r->resolved_label) {
		page_heading(p, BEGINNING_HEADING);
		add_beginning(p, r);
	} else if ((has_tale(r) || r->nmissed + r->nresigned + r->ncame + r->nactions > 0) &&
	           !headed) {
		page_heading(p, STORY_HEADING "%s", r->resolved_label);
	}
	if (r->nmissed > 0)
		page_say(p, "No orders came from %s, so the default orders were used.",
		         phrase_names(p->arena, r->missed, r->nmissed, r->game.seat_name));
	if (r->nresigned > 0)
		page_say(p, "Left the game: %s.",
		         phrase_names(p->arena, r->resigned, r->nresigned, r->game.seat_name));
	for (size_t i = 0; i < r->ncame; i++)
		page_say(p, "%s", r->came[i]);
	if (r->absences && *r->absences)
		page_say(p, "%s", r->absences);
	add_actions(p, r);
	if (r->goes_on && has_tale(r)) {
		page_say(p, "What happened last there:");
		page_gap(p);
	}
	part_doc(p, r->view, DOC_STORY, NULL);
	if (r->leaves_out)
		page_say(p, "What happened before that is left out here: reply HISTORY.");
}

/* ---- proof ---- */

static void add_head(struct page *p, const struct report_turn *r)
{
	if (r->head_lines == 0)
		return;
	page_gap(p);
	if (r->head_has_words) {
		/* What players can compare by telephone. */
		struct strbuf words = STRBUF_INIT, line = STRBUF_INIT;

		paper_words_add_four(&r->head, &words);
		strbuf_addf(&line, " %-6s %s\n", "words", words.ptr);
		page_say(
		    p,
		    r->ended
			? "Four words stand for the whole game. Please compare them with the "
			  "other players: if theirs are the same, all of you were shown the "
			  "same game."
			: "Four words stand for the game so far. Whoever has the same ones in "
			  "this report was shown the same game.");
		page_verbatim(p, strbuf_span(&line));
		strbuf_release(&words);
		strbuf_release(&line);
		page_say(
		    p,
		    "The record of the game has %u lines up to serial %u. This number stands "
		    "for all of them, and the server signs it:",
		    r->head_lines, r->head_serial);
	} else {
		page_say(p,
		         "The record of the game has %u lines so far. This number stands for "
		         "all of them, and the server signs it:",
		         r->head_lines);
	}
	page_hash(p, "head", r->head.bytes);
	page_hash(p, "sig 1", r->head_signature);
	page_hash(p, "sig 2", r->head_signature + SIGNATURE_LEN / 2);
}

static void add_proof(const struct report_turn *r, struct report_out *out)
{
	struct page p;

	part_proof_page(&p, out);
	/* What the reader would have been told before, had the turn not been over by then. */
	for (size_t i = 0; i < r->nstored; i++) {
		const struct report_stored *s = &r->stored[i];

		page_gap(&p);
		page_say(&p, "Your orders, stored (mail %u of this game):", s->mail_number);
		page_orders(&p, s->canonical);
		page_say(&p,
		         "Your proof, signed by the server: which orders it took from you, and "
		         "when. Keep this mail.");
		page_gap(&p);
		page_verbatim(&p, s->receipt_proof);
	}
	if (r->ncommitments > 0) {
		page_gap(&p);
		page_say(&p, "The orders that were used. Each commit number was fixed when the "
		             "orders came in: compare it with your earlier mails.");
		page_gap(&p);
		part_commitments(&p, &r->game, r->commitments, r->ncommitments);
	}
	/* So that whoever never sent the first one sees it. */
	if (r->nfirsts != 0) {
		page_gap(&p);
		page_say(&p, "Receipts %s, seat by seat, and the first of each:",
		         r->head_serial == 0 ? "to join" : "in this turn");
		for (size_t i = 0; i < r->nfirsts; i++) {
			const struct report_first *f = &r->firsts[i];

			struct strbuf line = STRBUF_INIT;

			strbuf_addf(&line, " %u#%u ", f->seat, f->receipts);
			if (hash_is_zero(&f->first))
				strbuf_addc(&line, '-');
			else
				hash_add_hex(&line, &f->first);
			strbuf_addc(&line, '\n');
			page_verbatim(&p, strbuf_span(&line));
			strbuf_release(&line);
		}
	}
	add_head(&p, r);
	if (r->ended) {
		page_gap(&p);
		page_say(&p,
		         "All chance was drawn from this secret; the first mails of the game "
		         "gave its SHA-256:");
		page_hash(&p, "secret", r->secret.bytes);
	}
	page_gap(&p);
	for (size_t i = 0; i < r->nearlier; i++) {
		page_verbatim(&p, r->earlier[i].proofs);
		page_gap(&p);
	}
	part_enclosed_proofs(&p, r->enclosed, r->nenclosed);
	page_end(&p);
}

/* ---- the report before it ---- */

/* What such a mail says from its first story on, to the next part or the small print. */
bool report_turn_take_over(struct span body, struct span proof, struct report_earlier *out)
{
	enum { BEFORE, STORY, AFTER } at = BEFORE;
	struct span rest = body, line;
	size_t begin = 0, end = body.len;

	while (span_next_line(&rest, &line) && !span_eq_str(line, "-- ")) {
		size_t from = (size_t)(line.ptr - body.ptr);
		bool story = is_heading(line, STORY_HEADING) ||
		             is_heading(line, BEGINNING_HEADING) ||
		             is_heading(line, ORDERS_HEADING);

		if (is_heading(line, MESSAGES_HEADING) || is_heading(line, DIARIES_HEADING) ||
		    is_heading(line, ENCLOSED_HEADING))
			return false;
		if (at == BEFORE && story) {
			at = STORY;
			begin = from;
		} else if (at == STORY && !story && span_starts(line, "== ")) {
			at = AFTER;
			end = from;
		}
	}
	if (at == STORY && rest.len > 0)
		end = (size_t)(line.ptr - body.ptr);
	out->story = span_trim(span_slice(body, begin, end));
	out->proofs = proof.len > 0 ? proof : span_trim(rest);
	return at != BEFORE;
}

/* ---- the end ---- */

static void add_what_now(struct page *p, const struct report_turn *r)
{
	const char *kinds = r->ending ? r->ending->other_kinds : NULL;
	bool forks = !kinds && r->ending && r->ending->fork_turn > 0;

	if (kinds)
		page_say(p, "Also played here: %s. LIST tells of them.", kinds);
	if (r->game.seat > 0) {
		page_say(p, kinds ? "To play again, or with friends instead:"
		            : forks
		                ? "To play again with the same people, or to go on from the "
		                  "middle of it against bots:"
		                : "To play again with the same people, reply with one word:");
		page_example(p, SPAN_LIT("rematch"));
		if (kinds)
			page_example(p, SPAN_LIT("create mole park for friend@example.org"));
		else if (forks)
			page_example(p, span_of(arena_printf(p->arena, "fork %s at %u bots %u",
			                                     r->game.id, r->ending->fork_turn,
			                                     r->game.nseats - 1)));
	}
	page_say(p, r->game.seat > 0 || (r->ending && r->ending->had_seat)
	                ? "Thank you for playing."
	                : "Thank you for watching.");
	page_gap(p);
}

/* From the news to the scores, of the last report to its end. Whether that is short enough. */
static bool add_turn(struct page *p, const struct report_turn *r, size_t most)
{
	bool idle = report_turn_is_idle(r);
	size_t lines = 0, from, to;

	add_news(p, r);
	add_wanted(p, r);
	if (!idle && !r->leaves_board)
		part_doc(p, r->view, DOC_POSITION, "The board");
	if (!idle && !r->ended)
		part_doc(p, r->view, DOC_OWN, "For your eyes only");
	if (!r->leaves_story)
		add_story(p, r);
	if (!idle)
		part_doc(p, r->view, DOC_SCORES, "Scores");
	if (r->ended && r->result && r->result->nseats > PHRASED_SCORES)
		add_standing(p, r);
	if (r->ended && r->ending) {
		if (!r->leaves_highlights && r->ending->nhighlights > 0) {
			page_heading(p, "Highlights");
			for (size_t i = 0; i < r->ending->nhighlights; i++)
				page_item(p, "%s", r->ending->highlights[i]);
			page_gap(p);
		}
		/* "Your rating in Mole went from 1500 to 1530, your reliability from ..." */
		const struct report_ending *e = r->ending;

		if (e->rated)
			page_say(
			    p,
			    e->provisional
				? "Your rating in %s went from %ld to %ld (provisional), your "
				  "reliability from %u %% to %u %%."
				: "Your rating in %s went from %ld to %ld, your reliability from %u "
				  "%% to %u %%.",
			    r->game.kind_title, e->rating_before, e->rating_after,
			    e->reliability_before, e->reliability_after);
		else if (e->counted)
			page_say(
			    p,
			    "This game does not count for your rating in %s. Your reliability went "
			    "from %u %% to %u %%.",
			    r->game.kind_title, e->reliability_before, e->reliability_after);
		page_gap(p);
	}
	from = p->out->len;
	part_messages(p, &r->game, r->messages, r->nmessages);
	part_diaries(p, &r->game, r->diaries, r->ndiaries);
	to = p->out->len;
	if (r->ended)
		add_what_now(p, r);
	for (size_t i = 0; i < p->out->len; i++)
		lines += (i < from || i >= to) && p->out->ptr[i] == '\n';
	return lines <= most;
}

/*
 * One page: where it would be longer, it goes without the tip, and then without the oldest
 * turns. Who has nothing to do gets a few lines, or all that the next report is to bring; and
 * the last one is without what the replay page beside it has.
 */
static void add_page(struct page *p, const struct report_turn *r)
{
	bool idle = report_turn_is_idle(r), replayed = r->ending && r->ending->is_attached;
	size_t begin = p->out->len;
	size_t most = r->waits                              ? SIZE_MAX
	              : idle && r->acted && r->nearlier > 0 ? 2 * IDLE_LINES
	              : idle                                ? IDLE_LINES
	              : p->form.cols < REPORT_COLS          ? NARROW_LINES
	                                                    : LINES;
	struct report_turn shorter = *r;

	while (!add_turn(p, &shorter, most)) {
		if (shorter.tip) {
			shorter.tip = NULL;
		} else if (shorter.nearlier > 0) {
			shorter.leaves_out |= is_heading(shorter.earlier->story, STORY_HEADING);
			shorter.earlier++;
			shorter.nearlier--;
		} else if (idle && !shorter.leaves_story) {
			shorter.leaves_story = true;
		} else if (replayed && !shorter.leaves_highlights) {
			shorter.leaves_highlights = true;
		} else if (replayed && !shorter.leaves_board) {
			shorter.leaves_board = true;
		} else {
			return;
		}
		strbuf_truncate(p->out, begin);
		p->gap_due = begin > 0;
	}
}

void report_turn(const struct report_turn *r, struct report_out *out)
{
	struct page p;
	struct strbuf words = STRBUF_INIT;
	struct report_game game = r->game;

	if (r->ended)
		game.label = ""; /* no turn is open any more */
	struct strbuf s = STRBUF_INIT;

	page_start(&p, &out->body, out->form);
	if (r->ended) {
		phrase_outcome(p.arena, r, &s);
		part_subject_of_game(&out->subject, &r->game, "%s", s.ptr);
	} else {
		if (r->aborted_label)
			strbuf_adds(&s, r->reader_owes ? "rolled back, " : "rolled back");
		if (r->reader_owes && r->in_force.len > 0)
			strbuf_adds(&s, "report, your orders are in");
		else if (r->reader_owes) {
			strbuf_adds(&s, "orders due");
			if (has_deadline(r))
				strbuf_addf(
				    &s, " %s",
				    phrase_day(p.arena, r->game.zone, r->clock.deadline_utc));
		} else if (!r->aborted_label)
			strbuf_adds(&s, r->resolved_label
			                    ? r->game.observer ? "report"
			                                       : "report, nothing to do for you"
			                : r->game.observer
			                    ? "the game begins"
			                    : "the game begins, nothing to do for you");
		part_subject(&out->subject, &r->game, "%s", s.ptr);
	}
	strbuf_release(&s);
	if (game.carried)
		part_game(&p, &game);
	add_page(&p, r);
	if (r->nenclosed > 0)
		page_heading(&p, ENCLOSED_HEADING);
	part_enclosed(&p, r->game.zone, r->enclosed, r->nenclosed);
	if (!game.carried)
		page_small_print(&p);
	part_footer(&p, &game);
	if (r->ended) {
		page_say(
		    &p,
		    r->ending && r->ending->is_attached
			? "Anyone can replay and check the record. To get it again, or where a mail "
			  "program holds files back, send:"
			: "Anyone can replay and check the record of the whole game. To get it, send:");
		page_example(&p, span_of(arena_printf(p.arena, "archive %s", r->game.id)));
		if (r->ending && r->ending->website)
			page_say(
			    &p,
			    "A page checks that record and the mails you kept, in any browser: "
			    "%s/verify.html",
			    r->ending->website);
	}
	paper_words_add_four(&r->head, &words);
	add_proof(r, out);
	part_proof(&p, out, &game, r->head_lines > 0 && r->head_has_words ? words.ptr : NULL);
	strbuf_release(&words);
	page_end(&p);
}
