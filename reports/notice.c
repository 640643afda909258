/*
 * notice.c - every other mail: a few sentences, perhaps an example.
 */
#include "reports/parts.h"

static bool has_examples(const struct report_notice *r)
{
	return r->examples && r->examples[0];
}

/* A last sentence such as "To see the open games, send:" needs no second one. */
static bool leads_to_examples(const struct report_notice *r)
{
	struct span last = SPAN_EMPTY;

	for (size_t i = 0; r->paragraphs[i]; i++)
		last = span_of(r->paragraphs[i]);
	return has_examples(r) && last.len > 0 && last.ptr[last.len - 1] == ':' &&
	       !(r->diags && r->diags->count > 0);
}

static void add_examples(struct page *p, const struct report_notice *r)
{
	if (!has_examples(r))
		return;
	if (!leads_to_examples(r)) {
		page_gap(p);
		page_say(p, !r->examples[1] ? "For example:" : "For example, one of these:");
	}
	for (size_t i = 0; r->examples[i]; i++)
		page_example(p, span_of(r->examples[i]));
}

enum { STORED_PARAGRAPH = 3 };

void report_notice(const struct report_notice *r, struct report_out *out)
{
	struct page p, proof;
	if (r->game)
		part_subject_of_game(&out->subject, r->game, "%s", r->subject);
	else
		text_clean(&out->subject, span_of(r->subject));
	page_start(&p, &out->body, out->form);
	part_proof_page(&proof, out);
	for (size_t i = 0; r->paragraphs[i]; i++) {
		page_prose(&p, "", span_of(r->paragraphs[i]));
		if (i == 0 && r->orders.len > 0)
			page_orders(&p, r->orders);
		if (i + 1 == STORED_PARAGRAPH && r->stored.len > 0)
			page_orders(&p, r->stored);
		page_gap(&p);
	}
	if (leads_to_examples(r)) {
		add_examples(&p, r);
		page_gap(&p);
	}
	part_problems(&p, r->diags);
	if (r->clock && r->game) {
		part_clock(&p, r->game, r->clock, false);
		page_gap(&p);
	}
	part_ignored(&p, r->diags);
	if (!leads_to_examples(r))
		add_examples(&p, r);
	page_gap(&p);
	page_verbatim(&p, r->attachment);
	if (!r->game || !r->game->carried)
		page_small_print(&p);
	if (r->game)
		part_footer(&p, r->game);
	else
		page_say(&p, "For help, send HELP.");
	if (r->stored_proof.len > 0) {
		page_say(&proof,
		         "Your proof, signed by the server: that your mail stored this, and "
		         "when. What was in it goes into the chance of each turn that uses "
		         "it. Keep this mail.");
		page_gap(&proof);
		page_verbatim(&proof, r->stored_proof);
	}
	page_end(&proof);
	part_proof(&p, out, r->game, NULL);
	page_end(&p);
}
