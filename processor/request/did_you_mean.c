/*
 * did_you_mean.c - questions when a mail of a player was not understood, and the YES to them.
 */
#include "processor/request/did_you_mean.h"

#include <string.h>

#include "processor/clauses/clauses.h"
#include "processor/commandtext/loose_commands.h"
#include "processor/games/loose.h"
#include "processor/match/lineage.h"
#include "processor/match/report_values.h"
#include "processor/request/identify.h"
#include "processor/request/unclear.h"
#include "processor/request/which_game.h"
#include "store/orders.h"
#include "store/outbox.h"

/* ---- orders ---- */

static void take_guesses(struct request *req, const struct order_guesses *guesses,
                         struct unclear *u)
{
	if (guesses->unused.ptr)
		u->unused = arena_cstr(req->arena, strbuf_span(&guesses->unused));
	for (size_t i = 0; i < guesses->count; i++) {
		const char *text = arena_cstr(req->arena, strbuf_span(&guesses->texts[i]));

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
                          const struct diags *diags, const struct order_guesses *guesses)
{
	struct unclear u = {.match = s->match, .seat = s->seat, .diags = diags};
	struct span keep = good.ptr ? good : s->before;

	take_guesses(req, guesses, &u);
	u.quote = unclear_line(req, &u, diags);
	/*
	 * A seat that has finished owes orders again only when some of the mail are orders in the very
	 * language: a question or remark leaves in force what is, whatever is asked about it.
	 */
	bool reopens = keep.ptr && (good.ptr || was_ordered(req, diags)) &&
	               seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat);

	if (reopens)
		TRY(order_entry_store_draft(req, s, keep));
	unclear_say_stored(s, &u);
	request_understood(req);
	request_verdict(req, u.proposal ? "asked" : "refused",
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
	take_guesses(req, &judged, u);
	order_guesses_release(&judged);
	if (u->proposal == NULL)
		return ERR_NONE;
	*done = true;
	return unclear_ask(req, u);
}

enum err sounds_like_a_command(struct request *req, bool beside_orders, bool *yes)
{
	const struct loose_facts facts = {.game = "W1", .plays = true};

	const struct loose_command found =
	    loose_command_find(req->text, SPAN_EMPTY, &facts, req->arena);

	*yes = found.line && !(beside_orders && (found.shows || found.repeats));
	return ERR_NONE;
}

static enum err facts_of(struct request *req, const struct unclear *u,
                         struct loose_facts *facts)
{
	struct game *games;
	unsigned *line;
	size_t n;

	*facts = (struct loose_facts){.game = NULL};
	if (u->match) {
		facts->game = u->match->id;
		facts->kind = u->match->rules;
		facts->gathering = u->match->game.status == GAME_GATHERING;
		facts->names = &u->match->names;
		facts->seat = u->seat->seat;
		facts->presides = match_has_master(u->match, req->who.player.id);
		TRY(lineage_load(req->srv, u->match, &line, &n));
		facts->turn = n > 0 ? (unsigned)n - 1 : 0;
	}
	TRY(request_games(req, &games, &n));
	facts->plays = n > 0;
	facts->unknown = req->who.player.id == 0 && req->who.auth.state != AUTH_PASSED;
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
	*quote = SPAN_EMPTY;
	for (size_t i = 0; i < req->text->nlines; i++)
		if (req->text->lines[i].line == found->line)
			*quote = req->text->lines[i].text;
	if (quote->len == 0)
		return ERR_NONE;
	return request_example(req, found->example, line);
}

enum err ask_about_misspelt(struct request *req, struct unclear *u, bool *done)
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

/* The mail's clauses that ask, a line each. */
static struct command_text questions_of(struct request *req)
{
	struct command_text asked = {.nlines = 0};
	size_t most = 0;

	for (size_t i = 0; i < req->text->nlines; i++)
		most += req->text->lines[i].text.len;
	asked.lines = arena_calloc(req->arena, most + 1, sizeof *asked.lines);
	for (size_t i = 0; i < req->text->nlines; i++) {
		size_t n;
		const struct clause *c =
		    clauses_split(req->text->lines[i].text, req->arena, &n);

		for (size_t k = 0; k < n; k++)
			if (c[k].kind == CLAUSE_QUESTION)
				asked.lines[asked.nlines++] = (struct text_line){
				    req->text->lines[i].line,
				    span_of(arena_printf(req->arena, "%.*s?",
				                         SPAN_ARGS(c[k].text)))};
	}
	return asked;
}

enum err question_beside(struct request *req, const char **show)
{
	struct unclear u = {.match = NULL};
	struct loose_facts facts;

	*show = NULL;
	if (!req->answer.allowed || req->quotes_unknown || req->who.player.id == 0)
		return ERR_NONE;
	struct command_text asked = questions_of(req);
	if (asked.nlines == 0)
		return ERR_NONE;
	request_forget_match(req);
	TRY(unclear_load_answered(req, &u));
	TRY(facts_of(req, &u, &facts));
	struct loose_command found = loose_command_find(&asked, SPAN_EMPTY, &facts, req->arena);
	*show = found.shows ? found.line : NULL;
	return ERR_NONE;
}

/* "Quit", "Should I resign?" */
static enum err tell_how_to_end(struct request *req, const struct unclear *u, const char *line)
{
	request_verdict(req, "not-understood", "a word that may have meant to end a game");
	return request_notice(req, u->match, u->seat, "nothing has changed", line,
	                      "Nothing has changed: a game is ended, or left, only when a line "
	                      "says so. If you want that, send:");
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
	if (diags_has_errors(&req->text->diags))
		return ask_about_misspelt(req, &u, done);
	TRY(facts_of(req, &u, &facts));
	/* Where all is ours, the subject is ours too. */
	bool all_ours = req->text->nlines == 0 && req->mail != req->whole;
	struct loose_command found = loose_command_find(
	    req->text, all_ours ? SPAN_EMPTY : req->mail->subject, &facts, req->arena);
	if (found.line == NULL)
		return ERR_NONE;
	if (req->who.player.id !=
	    0) /* what a stranger has written may be somebody else's words */
		u.quote = found.from.text;
	request_verdict(req, "asked", "a command may have been meant");
	if (found.repeats)
		return u.seat ? ask_to_repeat(req, &u, done) : ERR_NONE;
	*done = true;
	if (found.hints)
		return tell_how_to_end(req, &u, found.line);
	if (found.shows) {
		*show = found.line;
		return ERR_NONE;
	}
	u.proposal = found.line;
	return unclear_ask(req, &u);
}

/* ---- the answer ---- */

struct said meant_said(struct request *req, const struct confirmation *q)
{
	unsigned most = req->srv->cfg.max_commands;
	struct said said = yes_no_said(req->mail, most, req->arena);

	said.named = yes_no_names(req->mail, confirmation_proposal(q), most, req->arena);
	said.yes = said.yes || said.named;
	return said;
}

bool meant_is_enough(struct request *req, const struct confirmation *q, const struct said *said)
{
	return said->named || !unclear_must_be_named(confirmation_proposal(q), req->arena);
}

/* Without what a program that quotes puts between or breaks anew. */
static void add_letters(struct strbuf *out, struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] > ' ' && !strchr(">|*", text.ptr[i]))
			strbuf_addc(out, text.ptr[i]);
}

static bool has_letters_of(struct span text, const char *wanted)
{
	struct strbuf all = STRBUF_INIT, part = STRBUF_INIT;

	add_letters(&all, text);
	add_letters(&part, span_of(wanted));
	bool found = span_find(strbuf_span(&all), strbuf_span(&part)) < all.len;
	strbuf_release(&all);
	strbuf_release(&part);
	return found;
}

/* The question stands below the answer, or in its subject. */
static bool quotes_question(struct request *req, const struct confirmation *q)
{
	struct span proposal = confirmation_proposal(q);
	const char *text = arena_printf(req->arena, "%.*s Answer YES", SPAN_ARGS(proposal));
	bool found =
	    has_letters_of(req->whole->subject,
	                   arena_printf(req->arena, "did you mean %.*s?", SPAN_ARGS(proposal)));

	for (size_t i = 0; i < req->whole->ntexts && !found; i++)
		found = has_letters_of(req->whole->texts[i].text, text);
	return found;
}

enum answered { ANSWERS_IT, ANSWERS_ANOTHER, ANSWERS_UNKNOWN };

/* Which mail of ours is answered: by its Message-ID, else by what is quoted of it. */
static enum err what_is_answered(struct request *req, const struct confirmation *q,
                                 enum answered *out)
{
	struct outbox_mail row;
	bool ours;
	int64_t asked;

	TRY(confirmation_mail_answered(req, &row, &ours));
	if (!ours || row.player != req->who.player.id) {
		*out = quotes_question(req, q) ? ANSWERS_IT : ANSWERS_UNKNOWN;
		return ERR_NONE;
	}
	enum err rc = confirmation_of_mail(req->srv->store, row.id, &asked);
	*out = rc == ERR_NONE && asked == q->id ? ANSWERS_IT : ANSWERS_ANOTHER;
	return rc == ERR_NOT_FOUND ? ERR_NONE : rc;
}

/* The question open to this seat, or where the mail is about none, the only one. */
static enum err open_question(struct request *req, const struct confirmation **out)
{
	struct confirmation *open;
	size_t n, found = 0;

	*out = NULL;
	TRY(confirmation_list(req->srv->store, req->who.player.id, req->arena, &open, &n));
	for (size_t i = 0; i < n; i++)
		if (open[i].kind == CONFIRMATION_MEANT &&
		    (req->about.seat == 0 ||
		     (open[i].game == req->about.game && open[i].seat == req->about.seat)) &&
		    open[i].asked_utc + CONFIRMATION_OPEN_S >= req->arrived_utc) {
			*out = &open[i];
			found++;
		}
	if (found > 1)
		*out = NULL;
	return ERR_NONE;
}

static enum err show_question(struct request *req, const struct confirmation *q,
                              const char *reason)
{
	struct unclear u = {.reason = reason};

	request_understood(req);
	request_verdict(req, "asked", "a yes that does not say what to; nothing was done");
	identify_game(req, q->seat ? q->game : 0, q->seat);
	TRY(unclear_load_answered(req, &u));
	return unclear_ask_again(req, &u, q);
}

enum err meant_ask_to_name(struct request *req, const struct confirmation *q)
{
	return show_question(req, q,
	                     "Nothing has changed, for your YES did not say what to. Did you "
	                     "mean this?");
}

/* Orders of a turn that is over are not asked about again. */
static enum err is_of_the_past(struct request *req, const struct confirmation *q, bool *yes)
{
	struct match *match;

	*yes = false;
	if (q->seat == 0 || !q->names_turn)
		return ERR_NONE;
	TRY(request_match(req, q->game, &match));
	*yes = !match->has_turn || match->turn.serial != q->serial;
	return ERR_NONE;
}

enum err meant_show_again(struct request *req, bool *done)
{
	const struct confirmation *q;
	bool past = false;

	*done = false;
	if (req->who.player.id == 0 || !req->answer.allowed)
		return ERR_NONE;
	TRY(open_question(req, &q));
	if (q)
		TRY(is_of_the_past(req, q, &past));
	*done = q && !past;
	return *done ? show_question(req, q,
	                             "Nothing has changed, for your YES was no answer to the "
	                             "mail that asks. Did you mean this?")
	             : ERR_NONE;
}

enum err meant_answer(struct request *req, bool *done, const struct confirmation **use)
{
	struct unclear u = {.match = NULL};
	const struct confirmation *q;
	enum answered answered;

	*done = false;
	*use = NULL;
	if (req->who.player.id == 0 || req->about.seat == 0 || !req->who.proven ||
	    req->who.strange.len > 0 || !yes_no_is_likely(req->mail))
		return ERR_NONE;
	TRY(open_question(req, &q));
	if (q == NULL)
		return ERR_NONE;
	struct said said = meant_said(req, q);
	if (said.yes == said.no)
		return ERR_NONE;
	TRY(what_is_answered(req, q, &answered));
	if (answered == ANSWERS_ANOTHER)
		return ERR_NONE;
	TRY(unclear_load_answered(req, &u));
	if (said.yes && answered == ANSWERS_UNKNOWN && !said.named)
		return u.seat && u.seat->confirmed ? meant_show_again(req, done) : ERR_NONE;
	*done = true;
	if (said.yes && !meant_is_enough(req, q, &said))
		return meant_ask_to_name(req, q);
	TRY(confirmation_drop(req->srv->store, q->id));
	request_understood(req);
	if (said.yes) {
		*use = q;
		return ERR_NONE;
	}
	request_verdict(req, "command", "no to what was proposed");
	if (!u.match)
		return ERR_NONE;
	return request_notice(req, u.match, u.seat, "nothing has changed", "status",
	                      "You said no, so nothing has changed. Send what you meant. To "
	                      "see what is stored, send:");
}
