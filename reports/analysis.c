/*
 * analysis.c - ANALYSE: chances to win after each turn, and the turns that moved them most.
 */
#include "processor/base/arena.h"
#include "reports/parts.h"

enum { LABEL_COLS = 28, COL_NAMES = 2, NAME_COLS = 8, PERCENT = 10 /* thousandths */ };

static const char *clipped(struct arena *a, const char *text, size_t ncols)
{
	struct strbuf s = STRBUF_INIT;
	text_clip(&s, span_of(text), ncols);
	const char *copy = arena_strdup(a, s.ptr);
	strbuf_release(&s);
	return copy;
}

/* To the nearest percent. */
static int percent(int thousandths)
{
	return (thousandths + (thousandths < 0 ? -PERCENT / 2 : PERCENT / 2)) / PERCENT;
}

static void add_table(struct page *p, const struct report_analysis *r)
{
	struct arena *a = arena_new();
	unsigned n = r->game.nseats;
	struct doc_column columns[COL_NAMES + MAX_SEATS] = {{"turn", DOC_RIGHT},
	                                                    {"", DOC_LEFT}};
	const char **cells = arena_calloc(a, r->nturns * (n + COL_NAMES), sizeof *cells),
		   **cell = cells;

	for (unsigned seat = 1; seat <= n; seat++)
		columns[COL_NAMES + seat - 1] = (struct doc_column){
		    clipped(a, r->names[seat] ? r->names[seat] : "free", NAME_COLS), DOC_RIGHT};
	for (size_t i = 0; i < r->nturns; i++) {
		*cell++ = arena_printf(a, "%u", r->turns[i].number);
		*cell++ = r->turns[i].number == 0 ? "start"
		                                  : clipped(a, r->turns[i].label, LABEL_COLS);
		for (unsigned seat = 1; seat <= n; seat++)
			*cell++ = arena_printf(a, "%d", percent(r->turns[i].chance[seat]));
	}
	page_table(p, &(struct doc_table){.columns = columns,
	                                  .ncols = n + COL_NAMES,
	                                  .cells = cells,
	                                  .nrows = r->nturns});
	arena_free(a);
}

/* "The orders of all took 20 percent, luck gave 5." */
static void say_causes(struct page *p, const struct report_analysis *r,
                       const struct report_moment *m)
{
	int orders = percent(m->by_orders), luck = percent(m->by_luck);

	if (!r->luck || luck == 0)
		return;
	page_say(p,
	         orders < 0 && luck < 0 ? "Of that, %d came by the orders of all, %d by luck."
	         : orders >= 0 && luck < 0 ? "The orders of all gave %d of it, luck took %d."
	         : orders < 0              ? "The orders of all took %d of it, luck gave %d."
	                      : "Of that, %d came by the orders of all, %d by luck.",
	         orders < 0 ? -orders : orders, luck < 0 ? -luck : luck);
}

static void add_moment(struct page *p, const struct report_analysis *r,
                       const struct report_moment *m)
{
	const char *name = r->names[r->subject];
	bool you = r->subject == r->game.seat;
	int by = percent(m->after) - percent(m->before);
	struct strbuf label = STRBUF_INIT;

	strbuf_adds(&label, m->label);
	if (label.len > 0 && label.ptr[0] >= 'a' && label.ptr[0] <= 'z')
		label.ptr[0] = (char)(label.ptr[0] - 'a' + 'A');
	page_gap(p);
	page_item(p, by < 0 ? "%s: from %d percent to %d." : "%s: from %d percent up to %d.",
	          label.ptr, percent(m->before), percent(m->after));
	strbuf_release(&label);
	say_causes(p, r, m);
	if (m->advised.len == 0)
		return;
	if (m->ordered.len > 0 && span_eq(m->ordered, m->advised)) {
		page_say(p,
		         you ? "A bot of level 5 would have ordered what you did:"
		             : "A bot of level 5 would have ordered what %s did:",
		         name);
		page_orders(p, m->ordered);
		return;
	}
	if (m->ordered.len > 0) {
		page_say(p, you ? "You had ordered:" : "%s had ordered:", name);
		page_orders(p, m->ordered);
	}
	page_say(p, "A bot of level 5 would have ordered this, for %d percent:",
	         percent(m->advised_chance));
	page_orders(p, m->advised);
}

/* The turn before the one that cost most. */
static unsigned worst(const struct report_analysis *r)
{
	const struct report_moment *most = r->moments;

	if (r->nmoments == 0)
		return 0;
	for (size_t i = 1; i < r->nmoments; i++)
		if (r->moments[i].after - r->moments[i].before < most->after - most->before)
			most = &r->moments[i];
	return most->number;
}

static void add_moments(struct page *p, const struct report_analysis *r)
{
	struct arena *a = arena_new();
	bool you = r->subject == r->game.seat;
	const char *practice;

	if (you)
		page_heading(p, "What moved your chances most");
	else
		page_heading(p, "What moved the chances of %s most", r->names[r->subject]);
	if (r->nmoments == 0)
		page_say(p, "No turn moved them by more than such numbers can tell.");
	for (size_t i = 0; i < r->nmoments; i++)
		add_moment(p, r, &r->moments[i]);
	page_gap(p);
	page_say(p, "To try it again from there, against bots and for nothing but practice:");
	practice = arena_printf(a, "practice %s at %u", r->game.id, worst(r));
	page_example(p, span_of(practice));
	arena_free(a);
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
	if (!r->whole)
		page_say(&p, "The game was long; these are its last %zu turns.", r->nturns - 1);
	page_gap(&p);
	add_table(&p, r);
	add_moments(&p, r);
	page_small_print(&p);
	part_footer(&p, &r->game);
	page_end(&p);
}
