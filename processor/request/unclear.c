/*
 * unclear.c - the answer to a mail that was not understood, or not whole.
 */
#include "processor/request/unclear.h"

#include "processor/base/utf8.h"
#include "processor/games/loose.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/outgoing.h"
#include "processor/quotes/text_line.h"
#include "processor/request/seats.h"
#include "processor/request/strangers.h"
#include "processor/request/which_game.h"

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
	return verb == CMD_RESIGN || verb == CMD_TERMINATE || verb == CMD_EJECT ||
	       verb == CMD_ROLLBACK || verb == CMD_PROCESS;
}

/* What of the mail the proposal leaves out stands before it: then a YES is said to both. */
static const char *how_to_answer(struct request *req, const struct unclear *u)
{
	const char *unused = u->unused && u->unused[0]
	                         ? arena_printf(req->arena, "Not used: %s. ", u->unused)
	                         : "";

	if (u->choice)
		return u->choice;
	if (u->proposal == NULL)
		return unused;
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
	const char *paragraphs[6], *examples[LINES_MOST];
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

/* ---- what it is about ---- */

struct span unclear_line_at(const struct request *req, unsigned line)
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
		u->match->rules->guess_orders(u->match->state, u->seat->seat, line, &says);
	order_guesses_release(&says);
	return says.meant ? SPEAKS_OF_ORDERS : unclear_is_greeting(line) ? 1 : 2;
}

struct span unclear_line(const struct request *req, const struct unclear *u,
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

void unclear_say_stored(const struct order_entry *s, struct unclear *u)
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

enum err unclear_tell(struct request *req, const struct unclear *u, const char *kind)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);

	write_answer(req, u, &out);
	enum err rc = request_answer(req, u->match, u->seat, kind, &out);
	report_out_release(&out);
	return rc;
}
