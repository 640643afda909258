/*
 * did_you_mean.c - questions and answers when a mail of a player was not understood.
 */
#include "processor/request/did_you_mean.h"

#include <string.h>

#include "processor/base/utf8.h"
#include "processor/commandtext/loose_commands.h"
#include "processor/games/loose.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/outgoing.h"
#include "processor/request/own_words.h"
#include "processor/request/seats.h"
#include "processor/request/strangers.h"
#include "processor/request/which_game.h"
#include "processor/request/yes_no.h"
#include "store/orders.h"

#include "processor/base/banned.h"

enum { QUOTED_COLS = 60, SUBJECT_COLS = 40, LINES_MOST = 4 };

/* What an answer says; the order is that of the mail. */
struct unclear {
	struct match *match;
	struct seat *seat;
	const char *reason;    /* the first sentence; NULL: that `quote` was not understood */
	struct span quote;     /* what was not understood */
	const char *proposal;  /* what a YES carries out; NULL: nothing is asked */
	const char *others[2]; /* further readings */
	size_t nothers;
	const char *stored;        /* a sentence, or NULL */
	struct span stored_orders; /* behind it */
	const struct diags *diags; /* reasons, or NULL */
};

static const char *cstr(struct request *req, struct span s)
{
	return arena_cstr(req->arena, s);
}

/* ---- the mail ---- */

/* One line, cut where a subject gets too long. */
static const char *in_subject(struct request *req, const char *text)
{
	struct span all = span_of(text), shown = utf8_clip(all, SUBJECT_COLS);

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
	return u->proposal ? arena_printf(req->arena, "%s Did you mean this?", what) : what;
}

/* Two orders that would work in this position. */
static size_t examples_of(struct request *req, const struct unclear *u, const char **lines)
{
	size_t n = 0;

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
	if (u->proposal)
		return arena_printf(req->arena, "did you mean %s?",
		                    in_subject(req, u->proposal));
	return has_reasons(u) ? "not carried out" : "not understood";
}

static void write_answer(struct request *req, const struct unclear *u, struct report_out *out)
{
	const char *paragraphs[6], *examples[LINES_MOST];
	size_t n = 0, nexamples = 0;
	struct report_game game;
	struct report_clock clock;
	struct span orders = u->proposal ? span_of(u->proposal) : SPAN_EMPTY;

	paragraphs[n++] = first_sentence(req, u);
	paragraphs[n++] = u->proposal ? "Answer YES, or send what you meant." : "";
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
		.nparagraphs = n,
		.orders = orders,
		.stored = u->stored ? u->stored_orders : SPAN_EMPTY,
		.examples = examples,
		.nexamples = nexamples,
		.clock = u->match && u->match->has_turn && u->match->turn.state == TURN_OPEN
	                     ? &clock
	                     : NULL,
		.diags = reasons ? u->diags : NULL,
	    },
	    out);
}

/* ---- the question ---- */

static enum err may_be_asked(struct request *req, bool *may)
{
	TRY(confirmation_allowed(req, CONFIRMATION_MEANT, req->who.player.address, may));
	if (*may && is_stranger(req))
		TRY(strangers_may_be_answered(req, may));
	if (!*may)
		request_add_detail(req, "the question was left out, for enough have gone there "
		                        "today");
	return ERR_NONE;
}

/* With its row, so that a YES finds it: by the seat it is about, else by the mail's own address. */
static enum err ask(struct request *req, const struct unclear *u)
{
	struct report_out out = REPORT_OUT_INIT;
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
	write_answer(req, u, &out);
	enum err rc =
	    u->seat ? request_answer(req, u->match, u->seat, "receipt", &out)
		    : confirmation_post(req, u->match, NULL, &q, CONFIRMATION_TO_PLAYER, &out);
	report_out_release(&out);
	request_asked(req);
	return rc;
}

static enum err tell(struct request *req, const struct unclear *u, const char *kind)
{
	struct report_out out = REPORT_OUT_INIT;

	write_answer(req, u, &out);
	enum err rc = request_answer(req, u->match, u->seat, kind, &out);
	report_out_release(&out);
	return rc;
}

/* ---- orders ---- */

/* The line a diagnostic is about, as it was written. */
static struct span line_at(const struct request *req, unsigned line)
{
	for (size_t i = 0; line != 0 && i < req->text->nlines; i++)
		if (req->text->lines[i].line == line)
			return req->text->lines[i].text;
	return SPAN_EMPTY;
}

/* The first line with an error, else the first one passed over, else the first of all. */
static struct span line_in_question(const struct request *req, const struct diags *diags)
{
	struct span passed_over = SPAN_EMPTY;

	for (size_t i = 0; diags && i < diags->count; i++) {
		struct span line = line_at(req, diags->items[i].line);

		if (diags->items[i].level == DIAG_ERROR && line.len > 0)
			return line;
		if (passed_over.len == 0 && diags->items[i].level == DIAG_IGNORED)
			passed_over = line;
	}
	if (passed_over.len > 0)
		return passed_over;
	return req->text->nlines > 0 ? req->text->lines[0].text : SPAN_EMPTY;
}

static void say_stored(const struct order_entry *s, struct unclear *u)
{
	struct span draft = order_entry_draft(s);

	u->stored_orders = s->before.ptr ? s->before : draft;
	u->stored = s->before.ptr ? "Stored for this turn:"
	            : draft.ptr   ? "The turn waits for you. Kept so far, and used if nothing "
	                            "more comes by the deadline:"
	                          : "Nothing is stored for this turn.";
}

static void take_guesses(struct request *req, const struct order_guesses *guesses,
                         struct unclear *u)
{
	for (size_t i = 0; i < guesses->count; i++) {
		const char *text = cstr(req, strbuf_span(&guesses->texts[i]));

		if (u->proposal == NULL)
			u->proposal = text;
		else if (u->nothers < sizeof(u->others) / sizeof(u->others[0]))
			u->others[u->nothers++] = text;
	}
}

enum err ask_about_orders(struct request *req, struct order_entry *s,
                          const struct command *item, struct span good,
                          const struct diags *diags, const struct order_guesses *guesses)
{
	struct unclear u = {.match = s->match, .seat = s->seat, .diags = diags};
	struct span keep = good.ptr ? good : s->before;

	(void)item;
	take_guesses(req, guesses, &u);
	u.quote = line_in_question(req, diags);
	/* Chatter with a word of the game in it leaves everything as it is. */
	bool serious = guesses->count > 0 || guesses->plain || diags_has_errors(diags);

	if (serious && keep.ptr &&
	    seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat))
		TRY(order_entry_store_draft(req, s, keep));
	say_stored(s, &u);
	request_understood(req);
	request_verdict(req, u.proposal ? "asked" : "refused",
	                "orders of %s/%u/%u were not understood whole%s", s->match->id,
	                s->match->turn.serial, s->seat->seat,
	                keep.ptr ? "; what was is kept unfinished" : "");
	return u.proposal ? ask(req, &u) : tell(req, &u, "receipt");
}

/* ---- commands ---- */

/* What this seat was played with in the turn before; ptr NULL when there is none. */
static enum err orders_before(struct request *req, const struct match *match, unsigned seat,
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
	take_guesses(req, &judged, u);
	order_guesses_release(&judged);
	if (u->proposal == NULL)
		return ERR_NONE;
	*done = true;
	return ask(req, u);
}

enum err sounds_like_a_command(struct request *req, bool *yes)
{
	const struct command_text *own;

	const struct loose_facts facts = {.game = "W1", .plays = true};

	TRY(own_words(req, &own));
	*yes = loose_command_find(own, SPAN_EMPTY, &facts, req->arena).line != NULL;
	return ERR_NONE;
}

/* The game that is answered, with the speaker's seat; *u untouched when there is none. */
static enum err load_answered(struct request *req, struct unclear *u)
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

static enum err facts_of(struct request *req, const struct unclear *u,
                         struct loose_facts *facts)
{
	struct game *games;
	size_t n;

	*facts = (struct loose_facts){.game = NULL};
	if (u->match) {
		facts->game = u->match->id;
		facts->kind = u->match->rules;
		facts->gathering = u->match->game.status == GAME_GATHERING;
	}
	TRY(request_games(req, &games, &n));
	facts->plays = n > 0;
	if (!u->match && n == 1) {
		facts->game = game_id_text(&games[0], req->arena);
		facts->kind = rules_find_version(games[0].kind, games[0].rules_version);
	}
	return ERR_NONE;
}

/* The only line that is wrong has a misspelt command and nothing else: the line as it was meant. */
static enum err misspelt_command(struct request *req, const char **line, struct span *quote)
{
	const struct diags *d = &req->text->diags;
	const struct diag *found = NULL;
	const struct command_text *own;

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
	TRY(own_words(req, &own));
	*quote = SPAN_EMPTY;
	for (size_t i = 0; i < own->nlines; i++)
		if (own->lines[i].line == found->line)
			*quote = own->lines[i].text;
	if (quote->len == 0)
		return ERR_NONE;
	return request_example(req, found->example, line);
}

static enum err ask_about_misspelt(struct request *req, struct unclear *u, bool *done)
{
	TRY(misspelt_command(req, &u->proposal, &u->quote));
	*done = u->proposal != NULL;
	if (!*done)
		return ERR_NONE;
	if (req->who.player.id == 0) /* it may be somebody else's words */
		u->quote = SPAN_EMPTY;
	request_verdict(req, "asked", "a command may have been meant");
	return ask(req, u);
}

enum err tell_near_commands(struct request *req)
{
	struct diags diags = DIAGS_INIT;
	struct unclear u = {.match = NULL};
	bool done;

	if (req->answer.diags_told || !diags_has_errors(&req->text->diags))
		return ERR_NONE;
	request_forget_match(req);
	TRY(load_answered(req, &u));
	bool alone = !req->answer.understood;
	request_understood(req); /* an answer better than the guide */
	if (alone)
		TRY(ask_about_misspelt(req, &u, &done));
	if (alone && done)
		return ERR_NONE;
	enum err rc = request_add_diags(req, &req->text->diags, &diags);
	u.quote = line_in_question(req, &diags);
	u.diags = &diags;
	if (rc == ERR_NONE)
		rc = tell(req, &u, "notice");
	diags_release(&diags);
	return rc;
}

enum err ask_about_commands(struct request *req, bool *done, const char **show)
{
	const struct command_text *own;
	struct unclear u = {.match = NULL};
	struct loose_facts facts;

	*done = false;
	*show = NULL;
	if (!req->answer.allowed)
		return ERR_NONE;
	TRY(load_answered(req, &u));
	/* What the grammar has a reason for is answered with the reason. */
	if (diags_has_errors(&req->text->diags))
		return ask_about_misspelt(req, &u, done);
	TRY(facts_of(req, &u, &facts));
	TRY(own_words(req, &own));
	/* Where all is ours, the subject is ours too. */
	bool all_ours = own->nlines == 0 && req->text->nlines > 0;
	struct loose_command found = loose_command_find(
	    own, all_ours ? SPAN_EMPTY : req->mail->subject, &facts, req->arena);
	if (found.line == NULL)
		return ERR_NONE;
	if (req->who.player.id !=
	    0) /* what a stranger has written may be somebody else's words */
		u.quote = found.from.text;
	request_verdict(req, "asked", "a command may have been meant");
	if (found.repeats)
		return u.seat ? ask_to_repeat(req, &u, done) : ERR_NONE;
	*done = true;
	if (found.shows) {
		*show = found.line;
		return ERR_NONE;
	}
	u.proposal = found.line;
	return ask(req, &u);
}

/* ---- nothing at all ---- */

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
		say_stored(&s, u);
	return ERR_NONE;
}

/* The first line that is no command: those were understood. */
static struct span first_line_of_none(const struct request *req)
{
	for (size_t i = 0; i < req->text->nlines; i++) {
		bool command = false;

		for (size_t k = 0; k < req->text->nitems; k++)
			command = command ||
			          (req->text->items[k].verb != CMD_ORDERS &&
			           req->text->items[k].line == req->text->lines[i].line);
		if (!command)
			return req->text->lines[i].text;
	}
	return SPAN_EMPTY;
}

/* Why nothing was read at all, as far as that can be seen; NULL if it was. */
static const char *why_unread(const struct request *req)
{
	if (req->text->nlines > 0)
		return NULL;
	if (req->text->nbarred > 0)
		return "The lines of your mail begin with |, as our examples do, and such "
		       "lines "
		       "are not read. Remove the | and send them again.";
	if (req->text->stopped_at_marker)
		return "There was nothing above our own line of number signs, and below it "
		       "nothing is read. Write above that line.";
	return "Your mail arrived without any words of yours.";
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
		return "The game has ended.";
	case GAME_PAUSED:
	case GAME_RUNNING:
		break;
	}
	return NULL;
}

enum err tell_not_understood_in_game(struct request *req, bool *done)
{
	struct unclear u = {.match = NULL};

	*done = false;
	TRY(load_answered(req, &u));
	if (!u.match)
		return ERR_NONE;
	*done = true;
	u.reason = why_unread(req);
	u.quote = first_line_of_none(req);
	u.stored = game_stands(u.match);
	if (!u.stored)
		TRY(stored_now(req, &u));
	request_verdict(req, "not-understood", "no line was understood");
	return req->answer.allowed ? tell(req, &u, "notice") : ERR_NONE;
}

/* ---- the answer ---- */

static enum err open_question(struct request *req, const struct confirmation **out)
{
	struct confirmation *open;
	size_t n;

	*out = NULL;
	TRY(confirmation_list(req->srv->store, req->who.player.id, req->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (open[i].kind == CONFIRMATION_MEANT && open[i].game == req->about.game &&
		    open[i].seat == req->about.seat &&
		    open[i].asked_utc + CONFIRMATION_OPEN_S >= req->arrived_utc)
			*out = &open[i];
	return ERR_NONE;
}

enum err meant_answer(struct request *req, bool *done, const struct confirmation **use)
{
	const struct confirmation *q;

	*done = false;
	*use = NULL;
	if (req->who.player.id == 0 || req->about.seat == 0 || !req->who.proven ||
	    req->who.strange.len > 0 || !yes_no_is_likely(req->mail))
		return ERR_NONE;
	TRY(open_question(req, &q));
	if (q == NULL)
		return ERR_NONE;
	struct said said = yes_no_said(req);
	if (said.yes == said.no)
		return ERR_NONE;
	TRY(confirmation_drop(req->srv->store, q->id));
	request_understood(req);
	*done = true;
	if (said.yes) {
		*use = q;
		return ERR_NONE;
	}
	request_verdict(req, "command", "no to what was proposed");
	struct unclear u = {.match = NULL};
	TRY(load_answered(req, &u));
	if (!u.match)
		return ERR_NONE;
	u.quote = SPAN_EMPTY;
	return request_notice(
	    req, u.match, u.seat, "nothing has changed", "status",
	    "You said no, so nothing has changed. Send what you meant. What is "
	    "stored is shown by:");
}
