/*
 * unclear.c - the answer to a mail that was not understood, or not whole.
 */
#include "processor/request/unclear.h"

#include <string.h>

#include "processor/base/utf8.h"
#include "processor/calendar/date_range.h"
#include "processor/clauses/clauses.h"
#include "processor/commandtext/loose_commands.h"
#include "processor/commandtext/yes_no.h"
#include "processor/games/loose.h"
#include "processor/match/report_values.h"
#include "processor/match/substitute_orders.h"
#include "processor/outgoing/outgoing.h"
#include "processor/quotes/text_line.h"
#include "processor/request/answered_mails.h"
#include "processor/request/request.h"
#include "processor/request/seats.h"
#include "processor/request/which_game.h"
#include "store/absences.h"
#include "store/orders.h"
#include "store/votes.h"

enum { QUOTED_COLS = 60, SUBJECT_COLS = 40, LINES_MOST = 4, SPEAKS_OF_ORDERS = 3 };

/* ---- the mail ---- */

/* Its first line, cut where a subject gets too long. */
static const char *in_subject(struct request *req, const char *text)
{
	struct span all = span_of(text), first = SPAN_EMPTY, rest = all;

	(void)span_next_line(&rest, &first);
	struct span shown = span_trim(utf8_clip(first, SUBJECT_COLS));

	return shown.len == all.len ? text
	                            : arena_printf(req->arena, "%.*s ...", SPAN_ARGS(shown));
}

static bool has_example(const struct diags *diags)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->items[i].example[0] != '\0')
			return true;
	return false;
}

/* It was understood well enough to say why it does not work. */
static bool has_reasons(const struct unclear *u)
{
	return u->proposal == NULL && u->diags && diags_has_errors(u->diags);
}

static const char *first_sentence(struct request *req, const struct unclear *u)
{
	struct span quote = utf8_clip(u->quote, QUOTED_COLS);
	const char *dots = quote.len < u->quote.len ? " ..." : "";
	const char *lead = has_reasons(u) ? "Not carried out" : "Not understood";
	const char *what = u->quote.len == 0 ? arena_printf(req->arena, "%s: your mail.", lead)
	                                     : arena_printf(req->arena, "%s: \"%.*s%s\".", lead,
	                                                    SPAN_ARGS(quote), dots);

	if (u->reason)
		return u->reason;
	if (u->proposal && u->quote.len == 0)
		return "Did you mean this?";
	return u->proposal ? arena_printf(req->arena, "%s Did you mean this?", what) : what;
}

/* Two orders that would work in this position. */
static size_t examples_of(struct request *req, const struct unclear *u, const char **lines)
{
	size_t n = 0;

	if (u->match && u->match->game.status == GAME_GATHERING) {
		lines[n++] = "status";
		if (u->seat && u->seat->confirmed && req->srv->cfg.invites_per_day > 0)
			lines[n++] = "invite bob@example.com";
		return n;
	}
	if (u->match && u->seat && u->match->game.ended_utc != 0) {
		lines[n++] = "rematch";
		return n;
	}
	if (u->match == NULL || u->seat == NULL || u->match->state == NULL)
		return 0;
	const struct doc *doc = report_values_examples(u->match, u->seat->seat);
	for (const struct doc_block *b = doc->first; b && n < 2; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			lines[n++] = arena_strdup(req->arena, b->text);
	return n;
}

static const char *subject_of(struct request *req, const struct unclear *u)
{
	if (u->subject)
		return u->subject;
	if (u->proposal)
		return arena_printf(req->arena, "did you mean %s?",
		                    in_subject(req, u->proposal));
	return has_reasons(u) ? "not carried out" : "not understood";
}

bool unclear_must_be_named(struct span proposal, struct arena *arena)
{
	struct command_text text;
	enum verb verb = CMD_ORDERS;

	command_text_read(proposal, SPAN_EMPTY, 1, arena, &text);
	if (text.nitems == 1)
		verb = text.items[0].verb;
	command_text_release(&text);
	return verb_must_be_named(verb);
}

/* What of the mail the proposal leaves out stands before it: then a YES is said to both. */
static const char *how_to_answer(struct request *req, const struct unclear *u)
{
	const char *unused = u->unused && u->unused[0]
	                         ? arena_printf(req->arena, "Not used: %s. ", u->unused)
	                         : "";

	if (u->choice)
		return u->choice;
	if (u->proposal == NULL) /* "Not carried out" names the line already */
		return has_reasons(u) ? "" : unused;
	if (!unclear_must_be_named(span_of(u->proposal), req->arena))
		return arena_printf(req->arena, "%sAnswer YES, or send what you meant.",
		                    unused);
	return arena_printf(req->arena,
	                    "%sAnswer YES, %s, or send what you meant. A bare YES is not "
	                    "enough for this.",
	                    unused, u->proposal);
}

static void write_answer(struct request *req, const struct unclear *u, struct report_out *out)
{
	const char *paragraphs[6] = {NULL}, *examples[LINES_MOST + 1] = {NULL};
	size_t n = 0, nexamples = 0;
	struct report_game game;
	struct report_clock clock;
	struct span orders = u->proposal ? span_of(u->proposal) : SPAN_EMPTY;

	paragraphs[n++] = first_sentence(req, u);
	paragraphs[n++] = how_to_answer(req, u);
	paragraphs[n++] = u->stored ? u->stored : "";
	if (req->mail->flags & MAIL_TEXT_CUT)
		paragraphs[n++] = "Your mail is long; only its beginning was read.";
	bool reasons = has_reasons(u);
	if (u->proposal == NULL && !(reasons && has_example(u->diags)))
		nexamples = examples_of(req, u, examples);
	for (size_t i = 0; i < u->nothers; i++)
		examples[nexamples++] = u->others[i];
	if (nexamples > 0)
		paragraphs[n++] = u->proposal ? "Or did you mean one of these? Then send it:"
		                  : u->match && u->match->game.ended_utc != 0
		                      ? "To play again:"
		                      : "These would work now:";
	if (u->match) {
		game = report_values_game(req->srv, u->match, u->seat, &req->who.player);
		clock = report_values_clock(req->srv, u->match, u->seat);
	}
	report_notice(
	    &(struct report_notice){
		.game = u->match ? &game : NULL,
		.subject = subject_of(req, u),
		.paragraphs = paragraphs,
		.orders = orders,
		.stored = u->stored ? u->stored_orders : SPAN_EMPTY,
		.examples = examples,
		.clock = u->match && u->match->has_turn && u->match->turn.state == TURN_OPEN
	                     ? &clock
	                     : NULL,
		.diags = reasons ? u->diags : NULL,
	    },
	    out);
}

/* ---- what it is about ---- */

/* The line a diagnostic is about, as it was written; empty: it is about none. */
static struct span unclear_line_at(const struct request *req, unsigned line)
{
	for (size_t i = 0; line != 0 && i < req->text->nlines; i++)
		if (req->text->lines[i].line == line)
			return req->text->lines[i].text;
	return SPAN_EMPTY;
}

bool unclear_is_greeting(struct span line)
{
	return line.len > 0 && (line.ptr[line.len - 1] == ',' || text_count_words(line) < 2);
}

/* Of lines that were passed over: one that speaks of orders says more than one that does not, or greets. */
static unsigned weight_of(const struct unclear *u, struct span line)
{
	struct order_guesses says = {.count = 0};

	if (line.len == 0)
		return 0;
	if (u->match && u->match->state && u->seat)
		order_guess(u->match->rules->loose, u->match->state, u->seat->seat, line,
		            &says);
	order_guesses_release(&says);
	return says.meant ? SPEAKS_OF_ORDERS : unclear_is_greeting(line) ? 1 : 2;
}

/*
 * The first line with an error; else of those passed over the one that says most: it speaks of orders of the game
 * in *u (if any), or is at least no greeting; else the first of all that is none.
 */
static struct span unclear_line(const struct request *req, const struct unclear *u,
                                const struct diags *diags)
{
	struct span best = SPAN_EMPTY;
	unsigned most = 0;

	for (size_t i = 0; diags && i < diags->count; i++) {
		struct span line = unclear_line_at(req, diags->items[i].line);

		if (diags->items[i].level == DIAG_ERROR && line.len > 0)
			return line;
		if (diags->items[i].level != DIAG_IGNORED || most == SPEAKS_OF_ORDERS)
			continue;
		unsigned weight = weight_of(u, line);
		best = weight > most ? line : best;
		most = weight > most ? weight : most;
	}
	for (size_t i = 0; best.len == 0 && i < req->text->nlines; i++)
		if (!unclear_is_greeting(req->text->lines[i].text))
			best = req->text->lines[i].text;
	return best.len == 0 && req->text->nlines > 0 ? req->text->lines[0].text : best;
}

/* What is stored for the seat's turn now. */
static void unclear_say_stored(const struct order_entry *s, struct unclear *u)
{
	struct span draft = order_entry_draft(s);

	u->stored_orders = s->before.ptr ? s->before : draft;
	u->stored = s->before.ptr ? "Stored for this turn:"
	            : draft.ptr   ? "The turn waits for you. Kept so far, and used if nothing "
	                            "more comes by the deadline:"
	                          : "Nothing is stored for this turn.";
}

enum err unclear_load_answered(struct request *req, struct unclear *u)
{
	struct match *match;

	if (req->about.game == 0 || req->about.seat == 0)
		return ERR_NONE;
	TRY(request_match(req, req->about.game, &match));
	struct seat *seat = match_seat(match, req->about.seat);
	if (!seat || seat->player != req->who.player.id || seat->resigned)
		return ERR_NONE;
	u->match = match;
	u->seat = seat;
	return match->has_turn ? match_position_to_read(req->srv, match) : ERR_NONE;
}

/* ---- the question ---- */

static enum err may_be_asked(struct request *req, bool *may)
{
	enum valve valve = VALVE_OPEN;

	TRY(request_may_say_not_understood(req, &valve));
	*may = valve != VALVE_SHUT;
	if (*may)
		TRY(confirmation_allowed(req, CONFIRMATION_MEANT, req->who.player.address,
		                         may));
	if (*may && is_stranger(req))
		TRY(strangers_may_be_answered(req, may));
	if (!*may)
		request_hold_back(req);
	return ERR_NONE;
}

static enum err post_question(struct request *req, const struct unclear *u,
                              const struct confirmation *q)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);

	write_answer(req, u, &out);
	enum err rc =
	    u->seat ? request_ask(req, u->match, u->seat, u->kind ? u->kind : "receipt", q->id,
	                          &out)
		    : confirmation_post(req, u->match, NULL, q, CONFIRMATION_TO_PLAYER, &out);
	report_out_release(&out);
	request_note_answer(req, ANSWER_ASKS);
	return rc;
}

enum err unclear_ask_again(struct request *req, struct unclear *u, const struct confirmation *q)
{
	bool may = true;

	u->proposal = arena_cstr(req->arena, confirmation_proposal(q));
	if (!u->seat)
		TRY(may_be_asked(req, &may));
	return may ? post_question(req, u, q) : ERR_NONE;
}

enum err unclear_ask(struct request *req, const struct unclear *u)
{
	bool may = true;
	struct confirmation q = {
	    .kind = CONFIRMATION_MEANT,
	    .player = req->who.player.id,
	    .address = req->mail->from,
	    .game = u->match ? u->match->game.id : 0,
	    .serial = u->match && u->match->has_turn ? u->match->turn.serial : 0,
	    .seat = u->seat ? u->seat->seat : 0,
	    .names_turn = u->seat && u->match && u->match->has_turn,
	    .arrived_utc = req->arrived_utc,
	    .asked_utc = req->srv->now_utc,
	    .mail = req->inbox_id,
	    .text = span_of(arena_printf(req->arena, "\n%s", u->proposal)),
	};

	if (!u->seat) /* nothing but an address says where it goes */
		TRY(may_be_asked(req, &may));
	if (!may)
		return ERR_NONE;
	if (req->who.player.id == 0)
		TRY(seats_make_known(req));
	q.player = req->who.player.id;
	TRY(confirmation_drop_old(req->srv->store,
	                          req->srv->now_utc - 2 * CONFIRMATION_OPEN_S));
	TRY(confirmation_add(req->srv->store, &q));
	return post_question(req, u, &q);
}

/* The same as a statement; `kind` is that of the outbox row. */
static enum err unclear_tell(struct request *req, const struct unclear *u, const char *kind)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);

	write_answer(req, u, &out);
	return request_answer(req, u->match, u->seat, kind, &out);
}

/* ---- orders ---- */

static void take_guesses(struct request *req, const struct order_guesses *guesses,
                         const char *scope, struct unclear *u)
{
	if (guesses->unused.ptr)
		u->unused = arena_cstr(req->arena, strbuf_span(&guesses->unused));
	for (size_t i = 0; i < guesses->count; i++) {
		const char *text = arena_printf(req->arena, "%s%s%s", scope ? scope : "",
		                                scope ? " " : "", guesses->texts[i].ptr);

		if (u->proposal == NULL)
			u->proposal = text;
		else if (u->nothers < sizeof(u->others) / sizeof(u->others[0]))
			u->others[u->nothers++] = text;
	}
}

/* An order that does not work, not "whack 55?". */
static bool was_ordered(const struct request *req, const struct diags *diags)
{
	for (size_t i = 0; i < diags->count; i++) {
		struct span line = unclear_line_at(req, diags->items[i].line);

		if (diags->items[i].level == DIAG_ERROR &&
		    span_find_char(line, '?') == line.len)
			return true;
	}
	return false;
}

enum err ask_about_orders(struct request *req, struct order_entry *s, struct span good,
                          const struct diags *diags, const struct order_guesses *guesses,
                          const char *scope)
{
	struct unclear u = {.match = s->match, .seat = s->seat, .diags = diags};
	struct span keep = good.ptr ? good : s->before;

	take_guesses(req, guesses, scope, &u);
	u.quote = unclear_line(req, &u, diags);
	if (scope && !seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat))
		u.reason = "It is not your turn. Keep this for the next that is yours?";
	/*
	 * A seat that has finished owes orders again only when some of the mail are orders in the very
	 * language: a question or remark leaves in force what is, whatever is asked about it. So does a mail that
	 * answers none of ours: it may be one to somebody else.
	 */
	bool unasked;
	TRY(answered_mails_none(req, &unasked));
	bool reopens = !unasked && keep.ptr && !scope &&
	               (good.ptr || was_ordered(req, diags)) &&
	               seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat);

	if (reopens)
		TRY(order_entry_store_draft(req, s, keep));
	unclear_say_stored(s, &u);
	request_understood(req);
	/* Who gets a reason has tried to order. Without one it may be an away text: answered only so often. */
	request_verdict(req,
	                u.proposal                    ? "asked"
	                : good.ptr || has_reasons(&u) ? "refused"
	                                              : "not-understood",
	                "orders of %s/%u/%u were not understood whole%s", s->match->id,
	                s->match->turn.serial, s->seat->seat,
	                reopens ? "; what was is kept unfinished" : "");
	return u.proposal ? unclear_ask(req, &u) : unclear_tell(req, &u, "receipt");
}

/* ---- commands ---- */

enum err orders_before(struct request *req, const struct match *match, unsigned seat,
                       struct span *out)
{
	struct order_revision last;

	*out = (struct span){NULL, 0};
	if (!match->has_turn || match->turn.parent == 0 || match->turn.state != TURN_OPEN ||
	    match->game.status != GAME_RUNNING ||
	    !seat_in((struct seat_set){match->turn.owes}, seat))
		return ERR_NONE;
	enum err rc = orders_last(req->srv->store, match->game.id, match->turn.parent, seat,
	                          req->arena, &last);
	if (rc == ERR_NONE && !last.cleared)
		*out = last.canonical;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

static enum err ask_to_repeat(struct request *req, struct unclear *u, bool *done)
{
	struct order_guesses judged = {.count = 0};
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct span old;

	*done = false;
	TRY(orders_before(req, u->match, u->seat->seat, &old));
	if (!old.ptr)
		return ERR_NONE;
	TRY(match_position_to_read(req->srv, u->match));
	if (u->match->rules->read_orders(u->match->state, u->seat->seat, SPAN_EMPTY,
	                                 u->match->tables, old, &canonical, &diags) &&
	    !diags_has_errors(&diags))
		order_guess_add(&judged, strbuf_span(&canonical));
	diags_release(&diags);
	strbuf_release(&canonical);
	take_guesses(req, &judged, NULL, u);
	order_guesses_release(&judged);
	if (u->proposal == NULL)
		return ERR_NONE;
	*done = true;
	return unclear_ask(req, u);
}

/* What of the speaker's stands that they can take back. */
static enum err in_force_of(struct request *req, const struct unclear *u, bool *in_force)
{
	struct votes votes[MAX_SEATS];
	struct standing_orders standing;
	struct absence *away;
	size_t n;

	TRY(absence_list(req->srv->store, req->who.player.id, req->srv->now_utc, req->arena,
	                 &away, &n));
	in_force[CMD_SET_ABSENCE] = n > 0;
	if (!u->match || !u->match->has_turn)
		return ERR_NONE;
	in_force[CMD_SET_WAIT] =
	    seat_in((struct seat_set){u->match->turn.waiting}, u->seat->seat);
	TRY(standing_orders_load(req->srv, u->match, &standing));
	for (size_t i = 0; i < standing.n; i++)
		if (standing.items[i].seat == u->seat->seat)
			in_force[standing.items[i].kind == STANDING_QUEUED ? CMD_QUEUE
			                                                   : CMD_ALWAYS] = true;
	TRY(votes_list(req->srv->store, u->match->game.id, u->match->turn.serial, votes,
	               MAX_SEATS, &n));
	for (size_t i = 0; i < n; i++) {
		if (votes[i].seat != u->seat->seat)
			continue;
		in_force[CMD_SET_DRAW] = votes[i].of[VOTE_DRAW].stands;
		in_force[CMD_SET_CONCEDE] = votes[i].of[VOTE_CONCEDE].stands;
	}
	return ERR_NONE;
}

/* The game that a mail is about which answers none: the one it names of theirs, or the only one they have. */
static enum err load_named(struct request *req, const struct game *games, size_t n,
                           struct unclear *about)
{
	const struct game *named = n == 1 ? &games[0] : NULL;

	for (size_t i = 0; i < n * req->text->nlines; i++) {
		struct span rest = req->text->lines[i / n].text, word;
		const char *id = game_id_text(&games[i % n], req->arena);

		while (span_next_word(&rest, " \t.,:;!?()\"", &word))
			if (span_eq_nocase(word, id))
				named = &games[i % n];
	}
	if (!named)
		return ERR_NONE;
	TRY(request_match(req, named->id, &about->match));
	about->seat = request_own_seat(req, about->match);
	if (!about->seat || about->seat->resigned)
		*about = (struct unclear){.match = NULL};
	return ERR_NONE;
}

static enum err facts_of(struct request *req, const struct unclear *u,
                         struct loose_facts *facts)
{
	struct unclear about = {.match = u->match, .seat = u->seat};
	struct game *games;
	size_t n;

	*facts = (struct loose_facts){.today = day_of(NULL, req->srv->now_utc)};
	TRY(request_games(req, &games, &n));
	if (!about.match)
		TRY(load_named(req, games, n, &about));
	if (about.match) {
		facts->game = about.match->id;
		facts->kind = about.match->rules;
		facts->gathering = about.match->game.status == GAME_GATHERING;
		facts->over = about.match->game.status == GAME_OVER;
		facts->names = &about.match->names;
		facts->seat = about.seat->seat;
		facts->presides = match_has_master(about.match, req->who.player.id);
		facts->turn = match_turn_number(about.match->turn.label);
		facts->due = about.match->turn.deadline_utc / (24 * 60 * 60);
	}
	facts->plays = n > 0;
	if (n > 0)
		TRY(in_force_of(req, &about, facts->in_force));
	if (n == 0) {
		TRY(request_has_played(req, &facts->first));
		facts->first = !facts->first;
		TRY(answered_mail_is_theirs(req, &facts->newcomer));
	}
	facts->unknown = req->who.player.id == 0 && req->who.auth.state != AUTH_PASSED &&
	                 !facts->newcomer;
	return ERR_NONE;
}

enum err sounds_like_a_command(struct request *req, bool beside_orders, bool *yes)
{
	struct unclear u = {.match = NULL};
	struct loose_facts facts;

	TRY(unclear_load_answered(req, &u));
	TRY(facts_of(req, &u, &facts));
	const struct loose_command found =
	    loose_command_find(req->text, SPAN_EMPTY, &facts, req->arena);

	*yes = found.line && !(beside_orders && (found.shows || found.repeats));
	return ERR_NONE;
}

/* The only line that is wrong has a misspelt command and nothing else: the line as it was meant. */
static enum err misspelt_command(struct request *req, const char **line, struct span *quote)
{
	const struct diags *d = &req->text->diags;
	const struct diag *found = NULL;

	*line = NULL;
	for (size_t i = 0; i < d->count; i++) {
		if (d->items[i].level != DIAG_ERROR)
			continue;
		if (found || !span_starts(span_of(d->items[i].message), misspelt_message))
			return ERR_NONE;
		found = &d->items[i];
	}
	if (!found || found->example[0] == '\0')
		return ERR_NONE;
	*quote = unclear_line_at(req, found->line);
	if (quote->len == 0)
		return ERR_NONE;
	return request_example(req, found->example, line);
}

/* "Create mole park with 2 bots": a new game whose bots are named in words is asked about. */
static enum err ask_about_create(struct request *req, struct unclear *u, bool *done)
{
	struct loose_facts facts;

	TRY(facts_of(req, u, &facts));
	const struct loose_command found =
	    loose_command_find(req->text, SPAN_EMPTY, &facts, req->arena);
	*done = found.line && !found.shows && !found.unused &&
	        span_starts(span_of(found.line), "CREATE ") && strstr(found.line, " BOTS ");
	if (!*done)
		return ERR_NONE;
	u->proposal = found.line;
	u->quote = req->who.player.id != 0 ? found.from.text : SPAN_EMPTY;
	request_verdict(req, "asked", "a new game may have been meant");
	return unclear_ask(req, u);
}

/* A question about the only line that is wrong, a misspelt command, which *u gets. *done false: there is none. */
static enum err ask_about_misspelt(struct request *req, struct unclear *u, bool *done)
{
	TRY(misspelt_command(req, &u->proposal, &u->quote));
	/* No single word ends anything. */
	if (u->proposal && unclear_must_be_named(span_of(u->proposal), req->arena))
		u->proposal = NULL;
	*done = u->proposal != NULL;
	if (!*done)
		return ERR_NONE;
	if (req->who.player.id == 0) /* it may be somebody else's words */
		u->quote = SPAN_EMPTY;
	request_verdict(req, "asked", "a command may have been meant");
	return unclear_ask(req, u);
}

static bool is_command_line(const struct request *req, unsigned line)
{
	for (size_t i = 0; i < req->text->nitems; i++)
		if (req->text->items[i].verb != CMD_ORDERS && req->text->items[i].line == line)
			return true;
	return false;
}

enum err question_beside(struct request *req, const char **show)
{
	struct unclear u = {.match = NULL};
	struct loose_facts facts;

	*show = NULL;
	if (!req->answer.allowed || req->quotes_unknown || req->who.player.id == 0)
		return ERR_NONE;
	struct command_text asked = loose_questions_apart(req->text, true, req->arena);
	size_t n = asked.nlines;

	for (size_t i = asked.nlines = 0; i < n; i++) /* "HELP?" has been answered */
		if (!is_command_line(req, asked.lines[i].line))
			asked.lines[asked.nlines++] = asked.lines[i];
	if (asked.nlines == 0)
		return ERR_NONE;
	request_forget_match(req);
	TRY(unclear_load_answered(req, &u));
	TRY(facts_of(req, &u, &facts));
	struct loose_command found = loose_command_find(&asked, SPAN_EMPTY, &facts, req->arena);
	*show = found.shows ? found.line : NULL;
	return ERR_NONE;
}

enum err talks_to_others(struct request *req, bool *yes)
{
	enum { LINES_OF_TALK = 4 };
	const struct command_text *t = req->text;
	unsigned others = 0;

	TRY(answered_mails_none(req, yes));
	for (size_t i = 0; i < t->nlines; i++)
		others += !is_command_line(req, t->lines[i].line) &&
		          !unclear_is_greeting(t->lines[i].text);
	*yes = *yes && others + t->nbelow > LINES_OF_TALK;
	/* A subject that is a command is meant as one; and VERIFY is about the lines below it. */
	for (size_t i = 0; i < t->nitems; i++)
		*yes = *yes && t->items[i].line > 0 && t->items[i].verb != CMD_VERIFY &&
		       t->items[i].game == 0 && !t->items[i].kind && !t->items[i].create.kind &&
		       t->items[i].verb != CMD_SIGNON;
	return ERR_NONE;
}

/* The line that asks something, of which a sentence begins as a question or ends as one; empty: none. */
static struct span line_that_asks(const struct request *req)
{
	for (size_t i = 0; i < req->text->nlines; i++) {
		struct span line = req->text->lines[i].text;
		size_t n;
		const struct clause *c = clauses_split(line, req->arena, &n);

		for (size_t k = 0; k < n; k++)
			if (c[k].kind == CLAUSE_QUESTION &&
			    (c[k].asks || k == 0 || c[k - 1].ends_sentence))
				return line;
	}
	return SPAN_EMPTY;
}

enum err ask_about_commands(struct request *req, bool *done, const char **show)
{
	struct unclear u = {.match = NULL};
	struct loose_facts facts;

	*done = false;
	*show = NULL;
	if (!req->answer.allowed || req->quotes_unknown)
		return ERR_NONE;
	TRY(unclear_load_answered(req, &u));
	/* What the grammar has a reason for is answered with the reason. */
	if (diags_has_errors(&req->text->diags)) {
		TRY(ask_about_misspelt(req, &u, done));
		return *done ? ERR_NONE : ask_about_create(req, &u, done);
	}
	TRY(facts_of(req, &u, &facts));
	/* Where all is ours, the subject is ours too. */
	bool all_ours = req->text->nlines == 0 && req->mail != req->whole;
	struct loose_command found = loose_command_find(
	    req->text, all_ours ? SPAN_EMPTY : req->mail->subject, &facts, req->arena);
	/* Who has never been here writes more around the wish than others around a line that shows something. */
	enum { LINES_OF_TALK = 12 };
	bool talk, unasked;
	TRY(talks_to_others(req, &talk));
	TRY(answered_mails_none(req, &unasked));
	/* A question of which nothing was understood: how it stands says most that can be asked. */
	if (!found.line && u.seat && u.match->game.ended_utc == 0) {
		u.quote = line_that_asks(req);
		if (u.quote.len > 0) {
			req->unread = arena_printf(req->arena, "%s This is how it stands.",
			                           first_sentence(req, &u));
			*show = arena_printf(req->arena, "STATUS %s", u.match->id);
			*done = true;
			return ERR_NONE;
		}
	}
	bool first = found.line && span_starts(span_of(found.line), FIRST_GAME) &&
	             !found.unused;
	if (found.line == NULL || (found.shows && talk) ||
	    (first && unasked && req->text->nlines > LINES_OF_TALK))
		return ERR_NONE;
	/* What a stranger has written may be somebody else's words. */
	if (req->who.player.id != 0 || facts.newcomer)
		u.quote = found.from.text;
	request_verdict(req, "asked", "a command may have been meant");
	if (found.repeats)
		return u.seat ? ask_to_repeat(req, &u, done) : ERR_NONE;
	*done = true;
	if (found.hints) {
		request_verdict(req, "not-understood",
		                "a word that may have meant to end something");
		return request_notice(
		    req, u.match, u.seat, "nothing has changed", found.line,
		    "Nothing has changed: this takes a whole line. If you want it, send:");
	}
	if (found.shows || first) {
		*show = found.line;
		return ERR_NONE;
	}
	u.proposal = found.line;
	u.unused = found.unused;
	return unclear_ask(req, &u);
}

/* ---- nothing, or nothing more, was made of a mail ---- */

enum err tell_near_commands(struct request *req)
{
	struct diags named = DIAGS_INIT, diags = DIAGS_INIT;
	struct unclear u = {.match = NULL};
	bool done;

	if (req->answer.diags_told || !diags_has_errors(&req->text->diags))
		return ERR_NONE;
	request_forget_match(req);
	TRY(unclear_load_answered(req, &u));
	bool alone = !req->answer.understood;
	request_understood(req); /* an answer better than the guide */
	if (alone)
		request_verdict(req, "refused", "a line was nearly a command");
	if (alone)
		TRY(ask_about_misspelt(req, &u, &done));
	if (alone && done)
		return ERR_NONE;
	merge_diags(req->text, SPAN_EMPTY, NULL, &named);
	enum err rc = request_add_diags(req, &named, &diags);
	u.quote = unclear_line(req, &u, &diags);
	u.diags = &diags;
	if (rc == ERR_NONE)
		rc = unclear_tell(req, &u, "notice");
	diags_release(&named);
	diags_release(&diags);
	return rc;
}

static enum err stored_now(struct request *req, struct unclear *u)
{
	struct order_entry s = {.match = u->match, .seat = u->seat};
	struct order_set set;

	if (!u->match->has_turn || u->match->turn.state != TURN_OPEN ||
	    u->match->turn.serial == 0)
		return ERR_NONE;
	TRY(order_set_load_sent(req->srv, u->match, &set));
	TRY(standing_orders_load(req->srv, u->match, &s.standing));
	const struct seat_entry *e = &set.seats[u->seat->seat];
	if (e->acts && e->revision > 0)
		s.before = e->canonical;
	if (seat_in((struct seat_set){u->match->turn.owes}, u->seat->seat) || s.before.ptr)
		unclear_say_stored(&s, u);
	return ERR_NONE;
}

/* The first line that is no command, for those were understood; a greeting only where there is no other. */
static struct span first_line_of_none(const struct request *req)
{
	struct span greeting = SPAN_EMPTY;

	for (size_t i = 0; i < req->text->nlines; i++) {
		struct span line = req->text->lines[i].text;
		bool command = is_command_line(req, req->text->lines[i].line);

		if (!command && !unclear_is_greeting(line))
			return line;
		if (!command && greeting.len == 0)
			greeting = line;
	}
	return greeting;
}

/* Why nothing was read at all, as far as that can be seen; NULL if it was. */
static const char *why_unread(const struct request *req)
{
	struct strbuf files = STRBUF_INIT;
	const char *why = "Your mail arrived without any words of yours.";

	if (req->text->nlines > 0)
		return NULL;
	if (req->text->nbarred > 0)
		return "The lines of your mail begin with |, as our examples do, and such "
		       "lines are not read. Remove the | and send them again.";
	if (req->text->stopped_at_marker)
		return "There was nothing above our own line of number signs, and below it "
		       "nothing is read. Write above that line.";
	mail_add_attachments(req->mail, &files);
	if (files.len > 0)
		why =
		    arena_printf(req->arena,
		                 "Your mail arrived without any words of yours, only with %s, "
		                 "and no file is opened for orders.",
		                 files.ptr);
	strbuf_release(&files);
	return why;
}

/* "Thanks, looking forward to it!": nothing was asked. */
static bool is_only_polite(struct request *req)
{
	struct willingness w = {0};

	for (size_t i = 0; i < req->text->nlines; i++)
		willingness_add(&w, req->text->lines[i].text, req->arena);
	return req->text->nlines > 0 && !w.says_more;
}

static const char *game_stands(const struct match *match)
{
	switch (match->game.status) {
	case GAME_GATHERING:
		return "The game has not begun: it waits for players. You will get a mail when "
		       "it is your turn.";
	case GAME_OVER:
	case GAME_CANCELLED:
	case GAME_ABANDONED:
		return "The game is over.";
	case GAME_PAUSED:
	case GAME_RUNNING:
		break;
	}
	return NULL;
}

/* Who answers no mail of a game means the only one they have, or the last that they had. */
static enum err load_only_game(struct request *req, struct unclear *u)
{
	struct game *games;
	size_t n, past = 0;

	TRY(request_games(req, &games, &n));
	if (n == 0 && !is_stranger(req))
		TRY(game_list_of_player(req->srv->store, req->who.player.id, 1u << GAME_OVER,
		                        req->arena, &games, &past));
	if (n != 1 && past == 0)
		return ERR_NONE;
	TRY(request_match(req, games[0].id, &u->match));
	u->seat = request_own_seat(req, u->match);
	if (!u->seat || u->seat->resigned)
		*u = (struct unclear){.match = NULL};
	return u->match && u->match->has_turn ? match_position_to_read(req->srv, u->match)
	                                      : ERR_NONE;
}

enum err tell_not_understood_in_game(struct request *req, bool *done)
{
	struct unclear u = {.match = NULL};

	*done = false;
	TRY(unclear_load_answered(req, &u));
	if (!u.match && req->about.game == 0 && req->about.digest == 0)
		TRY(load_only_game(req, &u));
	if (!u.match)
		return ERR_NONE;
	*done = true;
	u.reason = why_unread(req);
	if (is_only_polite(req)) {
		u.reason =
		    "There is no order and no request in your mail, so nothing has changed.";
		u.subject = "nothing has changed";
	}
	u.quote = first_line_of_none(req);
	u.stored = game_stands(u.match);
	if (!u.stored)
		TRY(stored_now(req, &u));
	request_verdict(req, "not-understood", "no line was understood");
	return req->answer.allowed ? unclear_tell(req, &u, "notice") : ERR_NONE;
}
