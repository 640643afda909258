/*
 * puzzle.c - the puzzle of the week, and the solution of the one before: as a mail, and as
 * part of a page.
 */
#include "reports/parts.h"
#include "reports/web.h"

static void add_task(struct strbuf *out, const struct report_puzzle *r)
{
	strbuf_addf(out, "%s: you are %s.", r->place, r->seat_name);
	strbuf_adds(out, r->wins_at_once
	                     ? " There are orders that win at once. Which?"
	                     : " There are orders that are far better than most. Which?");
}

static void add_solved(struct strbuf *out, const struct report_puzzle *r)
{
	strbuf_addf(out, "%s: ", r->solved);
	if (r->won_at_once)
		strbuf_adds(out, "these orders win at once.");
	else
		strbuf_addf(out, "these orders win %u games of 100 more than none.",
		            r->gain / 10);
}

void report_puzzle(const struct report_puzzle *r, struct report_out *out)
{
	struct strbuf task = STRBUF_INIT, solved = STRBUF_INIT;
	struct page p;

	strbuf_addf(&out->subject, "[puzzle] %s: what would you order?", r->kind_title);
	add_task(&task, r);
	page_start(&p, &out->body, out->form);
	page_prose(&p, "", strbuf_span(&task));
	page_gap(&p);
	page_say(&p,
	         "Reply with your orders in the place of these, and you hear whether they are "
	         "right. Nothing but honour depends on it.");
	page_example(&p, r->example);
	page_gap(&p);
	part_doc(&p, r->view, DOC_POSITION, "The board");
	part_doc(&p, r->view, DOC_SCORES, "Scores");
	part_doc(&p, r->view, DOC_OWN, "For your eyes only");
	if (r->solution.len > 0) {
		add_solved(&solved, r);
		page_heading(&p, "The puzzle before");
		page_prose(&p, "", strbuf_span(&solved));
		page_orders(&p, r->solution);
		page_gap(&p);
	}
	page_small_print(&p);
	page_say(&p,
	         "The solution comes with the next puzzle. For the rules, send HELP %s; for no "
	         "more puzzles, SET PUZZLE OFF.",
	         phrase_lower(p.arena, r->kind_title));
	page_end(&p);
	strbuf_release(&task);
	strbuf_release(&solved);
}

void report_puzzle_page(const struct report_puzzle *r, struct strbuf *out)
{
	struct strbuf text = STRBUF_INIT;

	add_task(&text, r);
	strbuf_adds(out, "<p>");
	web_add_text(out, strbuf_span(&text));
	strbuf_adds(out, "</p>\n");
	web_add_part(out, r->view, DOC_POSITION);
	web_add_part(out, r->view, DOC_SCORES);
	web_add_part(out, r->view, DOC_OWN);
	if (r->solution.len > 0) {
		strbuf_clear(&text);
		add_solved(&text, r);
		strbuf_adds(out, "<h2>The puzzle before</h2>\n<p>");
		web_add_text(out, strbuf_span(&text));
		strbuf_adds(out, "</p>\n<p>");
		web_add_text(out, r->solution);
		strbuf_adds(out, "</p>\n");
	}
	strbuf_release(&text);
}
