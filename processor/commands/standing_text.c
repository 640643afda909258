/*
 * standing_text.c - orders that a player lays down for a time when nothing else comes.
 */
#include "processor/commands/standing_text.h"

#include "processor/commands/commands.h"

#include "processor/base/banned.h"

enum { TEXT_MOST = 4000 };

enum err laid_text_answer(struct dealing *d, struct sitting *s, const struct report_notice *n)
{
	struct letter_out out = LETTER_OUT_INIT;
	struct report_game game = brief_game(d->srv, &s->hand, s->seat, &d->player);
	struct report_notice notice = *n;

	notice.game = &game;
	report_notice(&notice, &out);
	enum err rc = dealing_answer(d, &s->hand, s->seat, "receipt", &out);
	letter_out_release(&out);
	return rc;
}

enum err laid_text_refuse(struct dealing *d, struct sitting *s, const char *subject,
                          const char *example, const char *why)
{
	dealing_verdict(d, "refused", "%s", subject);
	return dealing_notice(d, &s->hand, s->seat, subject, example, "%s", why);
}

/* ---- what the game makes of it ---- */

static enum reading read_part(const struct sitting *s, const struct game_state *state,
                              struct span text)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	enum reading r = READING_TALK;

	if (s->hand.rules->read_orders(state, s->seat->seat, SPAN_EMPTY, s->hand.tables, text,
	                               &canonical, &diags))
		r = READING_GOOD;
	else if (diags_has_errors(&diags))
		r = READING_WRONG;
	strbuf_release(&canonical);
	diags_release(&diags);
	return r;
}

static bool means_orders(const struct sitting *s, const struct game_state *state,
                         struct span lines)
{
	struct span line;

	if (read_part(s, state, lines) != READING_TALK)
		return true;
	while (span_next_line(&lines, &line))
		if (read_part(s, state, line) != READING_TALK)
			return true;
	return false;
}

/* Whether a game may take any of it for orders, now or at another time. */
static bool has_orders(const struct sitting *s, struct span lines)
{
	struct game_state *trial = hand_trial_position(&s->hand);
	bool yes = means_orders(s, s->hand.state, lines) ||
	           (trial && means_orders(s, trial, lines));

	if (trial)
		s->hand.rules->free_state(trial);
	return yes;
}

/* Every line as it was written, for what is talk to this position may be orders to another. */
static struct span tidy(struct dealing *d, struct span lines)
{
	struct strbuf kept = STRBUF_INIT;
	struct span line;

	while (span_next_line(&lines, &line)) {
		if (span_trim(line).len == 0)
			continue;
		strbuf_adds(&kept, kept.len > 0 ? "\n" : "");
		strbuf_add_span(&kept, span_trim(line));
	}
	struct span text = arena_dup(d->arena, strbuf_span(&kept));
	strbuf_release(&kept);
	return text;
}

struct laid_text laid_text_read(struct dealing *d, const struct sitting *s, struct span lines)
{
	struct laid_text t = {.diags = DIAGS_INIT};
	struct strbuf canonical = STRBUF_INIT;

	t.text = tidy(d, lines);
	if (!has_orders(s, t.text))
		t.text = SPAN_EMPTY;
	struct provision p = {.seat = s->seat->seat, .text = t.text};
	if (t.text.len > 0 && seat_in((struct seat_set){s->hand.turn.owes}, p.seat))
		t.reads = provision_reads(&s->hand, &p, &canonical, &t.diags);
	strbuf_release(&canonical);
	return t;
}

bool laid_text_is_talk(const struct sitting *s, const struct letter_item *item)
{
	struct span own = letter_own_line(item);

	return own.len > 0 && !has_orders(s, own);
}

enum err laid_text_as_orders(struct dealing *d, const struct letter_item *item)
{
	struct letter_item now = *item;

	now.verb = CMD_ORDERS;
	now.number = 0;
	return do_orders(d, &now);
}

/* ---- what is said of it ---- */

static const char *example_of(const struct sitting *s)
{
	const struct doc *examples = brief_examples(&s->hand, s->seat->seat);

	for (const struct doc_block *b = examples->first; b; b = b->next)
		if (b->kind == DOC_EXAMPLE)
			return b->text;
	return NULL;
}

const char *laid_text_example(struct dealing *d, const struct sitting *s, const char *command)
{
	const char *orders = example_of(s);

	return orders ? arena_printf(d->arena, "%s %s", command, orders) : command;
}

const char *laid_text_unfit(const struct laid_text *t)
{
	struct span rest = t->text, line;

	if (t->text.len == 0)
		return "There are no orders behind that word or on the lines below it, so "
		       "nothing was laid down and nothing has changed. Write for example:";
	if (t->text.len > TEXT_MOST)
		return "That is too long to be laid down, so nothing has changed. A shorter "
		       "example:";
	while (span_next_line(&rest, &line))
		if (span_eq_nocase(span_trim(line), ORDER_RESIGN_TEXT))
			return "To leave a game cannot be laid down for later, so nothing has "
			       "changed. Orders can, for example:";
	return NULL;
}

const char *laid_text_as_it_stands(const struct sitting *s, const struct laid_text *t)
{
	if (!seat_in((struct seat_set){s->hand.turn.owes}, s->seat->seat))
		return "Whether the game takes them is seen when orders are wanted from you.";
	if (!t->reads)
		return "In the position as it is now the game would not take them; see below. "
		       "They are kept all the same, since it will be another one.";
	return diags_has_errors(&t->diags)
	           ? "In the position as it is now the game would not take all of them; see "
	             "below."
	           : "In the position as it is now the game would take them.";
}

void laid_text_add_way_back(struct dealing *d, const struct laid_text *t, const char *until,
                            const char *const *line, struct report_notice *n, const char **last)
{
	bool objections = !t->reads && t->diags.count > 0;

	*last = objections ? arena_printf(d->arena, "%s \"%s\".", until, *line)
	                   : arena_printf(d->arena, "%s this line:", until);
	n->diags = t->reads && !diags_has_errors(&t->diags) ? NULL : &t->diags;
	n->examples = line;
	n->nexamples = objections ? 0 : 1;
}
