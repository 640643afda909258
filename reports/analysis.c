/*
 * analysis.c - ANALYSE: chances to win after each turn, and the turns that moved them most.
 */
#include <limits.h>

#include "processor/base/arena.h"
#include "reports/parts.h"

enum { COL_NAMES = 2, PERCENT = 10 /* thousandths */ };

/* To the nearest percent. */
static int percent(int thousandths)
{
	return (thousandths + (thousandths < 0 ? -PERCENT / 2 : PERCENT / 2)) / PERCENT;
}

/* The chances of all after a turn, rounded so that they add up to 100. */
static void add_up(const struct report_analysis *r, const struct report_analysis_turn *t,
                   int percents[MAX_SEATS + 1])
{
	int left = 100, sum = 0;

	for (unsigned seat = 1; seat <= r->game.nseats; seat++) {
		percents[seat] = t->chance[seat] / PERCENT;
		left -= percents[seat];
		sum += t->chance[seat];
	}
	/* Nobody wins when the last have left. */
	for (; left > 0 && sum > 0; left--) {
		unsigned most = 1;

		for (unsigned seat = 2; seat <= r->game.nseats; seat++)
			if (t->chance[seat] - PERCENT * percents[seat] >
			    t->chance[most] - PERCENT * percents[most])
				most = seat;
		percents[most]++;
	}
}

static void add_table(struct page *p, const struct report_analysis *r)
{
	struct arena *a = p->arena;
	unsigned n = r->game.nseats;
	struct doc_column columns[COL_NAMES + MAX_SEATS] = {{"turn", DOC_RIGHT},
	                                                    {"after", DOC_LEFT}};
	const char **cells = arena_calloc(a, r->nturns * (n + COL_NAMES), sizeof *cells),
		   **cell = cells;

	for (unsigned seat = 1; seat <= n; seat++)
		columns[COL_NAMES + seat - 1] =
		    (struct doc_column){r->names[seat] ? r->names[seat] : "free", DOC_RIGHT};
	for (size_t i = 0; i < r->nturns; i++) {
		int percents[MAX_SEATS + 1];

		add_up(r, &r->turns[i], percents);
		*cell++ = arena_printf(a, "%u", r->turns[i].number);
		*cell++ = r->turns[i].number == 0 ? "start" : r->turns[i].label;
		for (unsigned seat = 1; seat <= n; seat++)
			*cell++ = arena_printf(a, "%d", percents[seat]);
	}
	page_table(p, &(struct doc_table){.columns = columns,
	                                  .ncols = n + COL_NAMES,
	                                  .cells = cells,
	                                  .nrows = r->nturns});
}

/* The chance of whom it is about before a moment and after it, as the table has them. */
static void chances_at(const struct report_analysis *r, const struct report_moment *m,
                       int *before, int *after)
{
	const struct report_analysis_turn *t = r->turns;
	int percents[MAX_SEATS + 1];

	while (t->number != m->number)
		t++;
	add_up(r, t, percents);
	*before = percents[r->subject];
	add_up(r, t + 1, percents);
	*after = percents[r->subject];
}

static void add_moment(struct page *p, const struct report_analysis *r,
                       const struct report_moment *m)
{
	enum { NEARLY_ALL = 990, MOSTLY = 750 };
	const char *name = r->names[r->subject];
	bool you = r->subject == r->game.seat;
	struct strbuf label = STRBUF_INIT;
	int before, after;

	chances_at(r, m, &before, &after);
	strbuf_adds(&label, m->label);
	if (label.len > 0 && label.ptr[0] >= 'a' && label.ptr[0] <= 'z')
		label.ptr[0] = (char)(label.ptr[0] - 'a' + 'A');
	page_gap(p);
	page_item(
	    p, after < before ? "%s: from %d percent to %d." : "%s: from %d percent up to %d.",
	    label.ptr, before, after);
	strbuf_release(&label);
	/* "The orders of all took 20 percent, luck gave 5.", unless luck is no more than the error. */
	int luck = percent(m->by_luck), orders = (after - before) - luck;
	if (r->luck && (unsigned)(luck < 0 ? -m->by_luck : m->by_luck) > r->margin) {
		page_say(p,
		         orders < 0 && luck < 0
		             ? "Of that, %d came by the orders of all, %d by luck."
		         : orders >= 0 && luck < 0
		             ? "The orders of all gave %d of it, luck took %d."
		         : orders < 0 ? "The orders of all took %d of it, luck gave %d."
		                      : "Of that, %d came by the orders of all, %d by luck.",
		         orders < 0 ? -orders : orders, luck < 0 ? -luck : luck);
	}
	if (m->ordered.len == 0)
		return;
	page_say(p, you ? "You had ordered:" : "%s had ordered:", name);
	page_orders(p, m->ordered);
	if (m->advised.len == 0)
		return;
	if (m->wins >= NEARLY_ALL)
		page_say(p, "This would have won at once:");
	else if (m->wins >= MOSTLY)
		page_say(p,
		         "By all that %s could know, this would have won at once, %d times of "
		         "100:",
		         you ? "you" : name, percent((int)m->wins));
	else
		page_say(
		    p,
		    "By all that %s could know, this is better by %d percent, give or take %d:",
		    you ? "you" : name, percent((int)m->gain), 1 + (int)m->error / PERCENT);
	page_orders(p, m->advised);
}

/* The turn before the one that cost most. */
static unsigned worst(const struct report_analysis *r)
{
	unsigned number = 0;
	int least = INT_MAX;

	for (size_t i = 0; i < r->nmoments; i++) {
		int by = r->moments[i].by_orders + r->moments[i].by_luck;

		number = by < least ? r->moments[i].number : number;
		least = by < least ? by : least;
	}
	return number;
}

void report_analysis(const struct report_analysis *r, struct report_out *out)
{
	struct page p;

	part_subject_of_game(&out->subject, &r->game, "%s: who was how near to winning",
	                     r->game.kind_title);
	page_start(&p, &out->body, out->form);
	page_say(
	    &p,
	    "These are the chances to win after each turn, in percent. Bots of level 2 went on "
	    "playing from each position to the end, %u times; a number may be off by %d.",
	    r->games, percent((int)r->margin));
	if (r->wordless)
		page_say(&p, "They had no word list there, and took any letters for a word.");
	if (!r->whole)
		page_say(&p, "The game was long; these are its last %zu turns.", r->nturns - 1);
	page_gap(&p);
	add_table(&p, r);
	bool you = r->subject == r->game.seat;

	if (you)
		page_heading(&p, "What moved your chances most");
	else
		page_heading(&p, "What moved the chances of %s most", r->names[r->subject]);
	if (r->nmoments == 0)
		page_say(&p, "No turn moved them by more than such numbers can tell.");
	for (size_t i = 0; i < r->nmoments; i++)
		add_moment(&p, r, &r->moments[i]);
	page_gap(&p);
	page_say(&p, "To try it again from there, against bots and for nothing but practice:");
	page_example(&p,
	             span_of(arena_printf(p.arena, "practice %s at %u", r->game.id, worst(r))));
	page_small_print(&p);
	part_footer(&p, &r->game);
	page_end(&p);
}
