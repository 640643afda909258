/*
 * standing_text.c - orders that a player lays down for a time when nothing else comes.
 */
#include "processor/commands/standing_text.h"

#include "processor/commands/commands.h"

enum { TEXT_MOST = 4000 };

/* In games whose draws hold no such thing there is none. */
static enum err add_stored_proof(struct request *req, const struct order_entry *s,
                                 enum order_origin origin, struct strbuf *out)
{
	struct seat_proof p = {.version = s->match->game.record_version,
	                       .stored = true,
	                       .stored_as = origin,
	                       .game = s->match->record_id,
	                       .seat = s->seat->seat,
	                       .received_utc = req->arrived_utc};

	TRY(request_contribution(req, s->match, p.seat, &p.contribution));
	if (!hash_is_zero(&p.contribution))
		proof_add_seat(&p, match_keys(req->srv, s->match), out);
	return ERR_NONE;
}

enum err standing_text_answer(struct request *req, struct order_entry *s,
                              enum order_origin origin, const struct report_notice *n)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);
	struct report_game game =
	    report_values_game(req->srv, s->match, s->seat, &req->who.player);
	struct report_notice notice = *n;
	struct strbuf proof = STRBUF_INIT;
	enum err rc = add_stored_proof(req, s, origin, &proof);

	notice.game = &game;
	notice.stored_proof = strbuf_span(&proof);
	report_notice(&notice, &out);
	if (rc == ERR_NONE)
		rc = request_answer(req, s->match, s->seat, "receipt", &out);
	report_out_release(&out);
	strbuf_release(&proof);
	return rc;
}

enum err standing_text_refuse(struct request *req, struct order_entry *s, const char *subject,
                              const char *example, const char *why)
{
	request_verdict(req, "refused", "%s", subject);
	return request_notice(req, s->match, s->seat, subject, example, "%s", why);
}

/* ---- what the game makes of it ---- */

static enum tried read_part(const struct order_entry *s, const struct game_state *state,
                            struct span text)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	enum tried r = TRIED_TALK;

	if (s->match->rules->read_orders(state, s->seat->seat, SPAN_EMPTY, s->match->tables,
	                                 text, &canonical, &diags))
		r = TRIED_GOOD;
	else if (diags_has_errors(&diags))
		r = TRIED_WRONG;
	strbuf_release(&canonical);
	diags_release(&diags);
	return r;
}

static bool means_orders(const struct order_entry *s, const struct game_state *state,
                         struct span lines)
{
	struct span line;

	if (read_part(s, state, lines) != TRIED_TALK)
		return true;
	while (span_next_line(&lines, &line))
		if (read_part(s, state, line) != TRIED_TALK)
			return true;
	return false;
}

/* Whether a game may take any of it for orders, now or at another time. */
static bool has_orders(const struct order_entry *s, struct span lines)
{
	struct game_state *trial = match_trial_position(s->match);
	bool yes = means_orders(s, s->match->state, lines) ||
	           (trial && means_orders(s, trial, lines));

	if (trial)
		s->match->rules->free_state(trial);
	return yes;
}

/* Every line as it was written, for what is talk to this position may be orders to another. */
static struct span tidy(struct request *req, struct span lines)
{
	struct strbuf kept = STRBUF_INIT;
	struct span line;

	while (span_next_line(&lines, &line)) {
		if (span_trim(line).len == 0)
			continue;
		strbuf_adds(&kept, kept.len > 0 ? "\n" : "");
		strbuf_add_span(&kept, span_trim(line));
	}
	struct span text = arena_dup(req->arena, strbuf_span(&kept));
	strbuf_release(&kept);
	return text;
}

struct standing_text standing_text_read(struct request *req, const struct order_entry *s,
                                        struct span lines)
{
	struct standing_text t = {.diags = DIAGS_INIT};
	struct strbuf canonical = STRBUF_INIT;

	t.text = tidy(req, lines);
	if (!has_orders(s, t.text))
		t.text = SPAN_EMPTY;
	struct standing_order p = {.seat = s->seat->seat, .text = t.text};
	if (t.text.len > 0 && seat_in((struct seat_set){s->match->turn.owes}, p.seat))
		t.reads = standing_order_reads(s->match, &p, &canonical, &t.diags);
	strbuf_release(&canonical);
	for (struct span rest = t.text, one; standing_order_next(&rest, &one);)
		t.alternatives++;
	return t;
}

bool standing_text_is_talk(const struct order_entry *s, const struct command *item)
{
	struct span own = grammar_own_line(item);

	return own.len > 0 && !has_orders(s, own);
}

enum err standing_text_as_orders(struct request *req, const struct command *item)
{
	struct command now = *item;

	now.verb = CMD_ORDERS;
	now.number = 0;
	return do_orders(req, &now);
}

/* ---- what is said of it ---- */

static const char *example_of(const struct order_entry *s)
{
	const struct doc *examples = report_values_examples(s->match, s->seat->seat);

	for (const struct doc_block *b = examples->first; b; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			return b->text;
	return NULL;
}

const char *standing_text_example(struct request *req, const struct order_entry *s,
                                  const char *command)
{
	const char *orders = example_of(s);

	return orders ? arena_printf(req->arena, "%s %s", command, orders) : command;
}

const char *standing_text_unfit(const struct standing_text *t)
{
	struct span rest = t->text, line;

	if (t->text.len == 0)
		return "There are no orders behind that word or on the lines below it, so "
		       "nothing was stored and nothing has changed. Write for example:";
	if (t->text.len > TEXT_MOST)
		return "That is too long to be stored, so nothing has changed. A shorter "
		       "example:";
	for (struct span one; standing_order_next(&rest, &one);)
		while (span_next_line(&one, &line))
			if (span_eq_nocase(span_trim(line), ORDER_RESIGN_TEXT))
				return "Leaving a game cannot be stored for later, so nothing "
				       "has "
				       "changed. Orders can, for example:";
	return NULL;
}

const char *standing_text_as_it_stands(const struct order_entry *s,
                                       const struct standing_text *t)
{
	if (!seat_in((struct seat_set){s->match->turn.owes}, s->seat->seat))
		return "They are checked when your turn comes.";
	if (!t->reads)
		return "The game would not accept them in the current position; see below. "
		       "They are kept all the same, since the position will change.";
	if (t->alternatives > 1)
		return "The game would accept one of your alternatives in the current "
		       "position: the first that it takes when the time comes is used.";
	return diags_has_errors(&t->diags)
	           ? "The game would not accept all of them in the current position; see "
	             "below."
	           : "The game would accept them in the current position.";
}

void standing_text_add_way_back(struct request *req, const struct standing_text *t,
                                const char *until, const char *const *line,
                                struct report_notice *n, const char **last)
{
	bool objections = !t->reads && t->diags.count > 0;

	*last = objections ? arena_printf(req->arena, "%s \"%s\".", until, *line)
	                   : arena_printf(req->arena, "%s this line:", until);
	n->diags = t->reads && !diags_has_errors(&t->diags) ? NULL : &t->diags;
	n->examples = line;
	n->nexamples = objections ? 0 : 1;
}
