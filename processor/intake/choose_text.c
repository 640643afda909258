/*
 * choose_text.c - choosing among the texts of a mail, and undoing a CHECK that was none.
 */
#include "processor/intake/choose_text.h"

#include "processor/base/utf8.h"

struct chooser {
	const struct mail_in *mail;
	unsigned max_commands;
	struct arena *arena;
	judge_text_fn *judge;
	void *ctx;
};

static void read_text(const struct chooser *c, size_t i, struct command_text *out)
{
	command_text_read(c->mail->texts[i].text, c->mail->subject, c->max_commands, c->arena,
	                  out);
}

/* The orders of a text; where there are none, its commands. */
static enum err judge_text(const struct chooser *c, const struct command_text *l,
                           enum speech *out)
{
	*out = SPEECH_NONE;
	for (size_t i = 0; i < l->nitems && *out < SPEECH_FLAWED && c->judge; i++)
		if (l->items[i].orders.len > 0)
			TRY(c->judge(c->ctx, l->items[i].orders, out));
	if (*out < SPEECH_FLAWED && command_text_has_command(l))
		*out = diags_has_errors(&l->diags) ? SPEECH_FLAWED : SPEECH_CLEAR;
	return ERR_NONE;
}

/* ---- plain text broken on the way ---- */

enum { SHORTEST_BROKEN = 20, BREAKS_LOOKED_AT = 200 };

/* All lines plain, with one line end each. */
static struct span plain_text(struct span text, struct arena *arena)
{
	struct strbuf plain = STRBUF_INIT;
	struct span line, result;

	while (span_next_line(&text, &line)) {
		utf8_add_plain(&plain, line);
		strbuf_addc(&plain, '\n');
	}
	result = arena_dup(arena, strbuf_span(&plain));
	strbuf_release(&plain);
	return result;
}

/*
 * Whether two lines below each other are one line of the HTML, and orders begin the first. Most lines are quoted, and
 * the HTML is needed only if two others stand below each other.
 */
static enum err is_broken(const struct chooser *c, struct span rest, struct span html,
                          bool *yes)
{
	struct span above = SPAN_EMPTY, flat = SPAN_EMPTY, line;
	unsigned looked = 0;

	*yes = false;
	while (!*yes && looked < BREAKS_LOOKED_AT && span_next_line(&rest, &line)) {
		enum speech says = SPEECH_NONE;

		line = line.len > 0 && line.ptr[0] == '>' ? SPAN_EMPTY
		                                          : plain_text(line, c->arena);
		if (line.len > 0)
			line.len--; /* its end */
		if (above.len >= SHORTEST_BROKEN && above.ptr[0] != '>' && line.len > 0) {
			if (!flat.ptr)
				flat = plain_text(html, c->arena);
			const char *joined = arena_printf(c->arena, "%.*s %.*s",
			                                  SPAN_ARGS(above), SPAN_ARGS(line));
			if (span_find(flat, span_of(joined)) < flat.len)
				TRY(c->judge(c->ctx, above, &says));
			*yes = says > SPEECH_NONE;
			looked++;
		}
		above = line;
	}
	return ERR_NONE;
}

/* The HTML beside a plain text whose orders were broken takes its place. */
static enum err find_unbroken(const struct chooser *c, struct command_text *out, size_t *best)
{
	const struct mail_text *texts = c->mail->texts;
	bool broken = false;
	size_t i = 0;

	while (i < c->mail->ntexts && !texts[i].is_html)
		i++;
	if (!c->judge || texts[*best].is_html || i == c->mail->ntexts)
		return ERR_NONE;
	TRY(is_broken(c, texts[*best].text, texts[i].text, &broken));
	if (!broken)
		return ERR_NONE;
	command_text_release(out);
	read_text(c, i, out);
	*best = i;
	return ERR_NONE;
}

/* ---- choosing ---- */

/* The text that says most, the first of those that say the same. */
static enum err find_best(const struct chooser *c, struct command_text *out, size_t *best)
{
	size_t n = command_text_count(c->mail);
	enum speech most = SPEECH_WRONG, says;
	enum err rc;

	*best = 0;
	read_text(c, 0, out);
	rc = judge_text(c, out, &says);
	for (size_t i = 1; i < n && rc == ERR_NONE && says != SPEECH_CLEAR; i++) {
		struct command_text l;

		most = says > most ? says : most;
		read_text(c, i, &l);
		rc = judge_text(c, &l, &says);
		if (rc == ERR_NONE && says > most) {
			command_text_release(out);
			*out = l;
			*best = i;
		} else {
			command_text_release(&l);
		}
	}
	return rc;
}

/* Two sets of lines, each at its number, as one; they have no line in common. */
static struct span join_lines(struct span a, struct span b, struct arena *arena)
{
	struct strbuf all = STRBUF_INIT;
	struct span line_a, line_b, joined;
	bool more_a = true, more_b = true;

	while (more_a || more_b) {
		more_a = more_a && span_next_line(&a, &line_a);
		more_b = more_b && span_next_line(&b, &line_b);
		if (more_a)
			strbuf_add_span(&all, line_a);
		if (more_b)
			strbuf_add_span(&all, line_b);
		if (more_a || more_b)
			strbuf_addc(&all, '\n');
	}
	joined = arena_dup(arena, strbuf_span(&all));
	strbuf_release(&all);
	return joined;
}

/* The orders that those of item i belong to, or NULL. */
static struct command *orders_above(struct command_text *l, size_t i)
{
	while (i-- > 0) {
		if (l->items[i].verb == CMD_ORDERS)
			return &l->items[i];
		if (verb_ends_orders(l->items[i].verb))
			return NULL;
	}
	return NULL;
}

/* One mail gives one set: what became orders joins those it stands between. */
static void join_orders(struct command_text *l, struct arena *arena)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nitems; i++) {
		struct command *above = NULL;

		l->items[n] = l->items[i];
		if (l->items[n].verb == CMD_ORDERS)
			above = orders_above(l, n);
		if (above)
			above->orders = join_lines(above->orders, l->items[n].orders, arena);
		else
			n++;
	}
	l->nitems = n;
}

static enum err undo_talk(const struct chooser *c, struct command_text *l)
{
	bool undone = false;

	for (size_t i = 0; i < l->nitems && c->judge; i++) {
		struct command *item = &l->items[i];
		struct span words = verb_takes_orders(item->verb) ? grammar_own_line(item)
		                                                  : SPAN_EMPTY;
		enum speech says = SPEECH_WRONG;

		if (words.len > 0)
			TRY(c->judge(c->ctx, words, &says));
		if (says == SPEECH_NONE) {
			item->verb = CMD_ORDERS;
			undone = true;
		}
	}
	if (undone)
		join_orders(l, c->arena);
	return ERR_NONE;
}

enum err choose_text(const struct mail_in *mail, unsigned max_commands, struct arena *arena,
                     judge_text_fn *judge, void *ctx, struct command_text *out, size_t *which)
{
	const struct chooser c = {mail, max_commands, arena, judge, ctx};
	size_t best = 0;
	enum err rc = ERR_NONE;

	if (mail->ntexts > 1)
		rc = find_best(&c, out, &best);
	else
		read_text(&c, 0, out);
	if (rc == ERR_NONE && mail->ntexts > 1)
		rc = find_unbroken(&c, out, &best);
	if (rc == ERR_NONE)
		rc = undo_talk(&c, out);
	if (rc != ERR_NONE)
		command_text_release(out);
	if (which)
		*which = best;
	return rc;
}
