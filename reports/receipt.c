/*
 * receipt.c - the answer to a mail with orders.
 *
 * A player wants to know four things, in this order: what is stored now, what
 * of the mail was not understood and how to say it, what happens next, and
 * how to change it. What serves as proof stands last.
 */
#include "processor/base/clock.h"
#include "reports/parts.h"

#include "processor/base/banned.h"

static bool is_in_force(const struct report_receipt *r)
{
	return r->what != RECEIPT_CHECKED && r->canonical.ptr && r->revision > 0;
}

/* Several errors of one line count once; they stand together. */
static size_t refused_lines(const struct diags *d)
{
	size_t n = 0;
	unsigned last = 0;
	for (size_t i = 0; d && i < d->count; i++) {
		if (d->items[i].level != DIAG_ERROR)
			continue;
		n += d->items[i].line == 0 || d->items[i].line != last;
		last = d->items[i].line;
	}
	return n;
}

static void add_subject(struct strbuf *subject, const struct report_receipt *r, size_t orders,
                        size_t refused)
{
	struct strbuf s = STRBUF_INIT;
	switch (r->what) {
	case RECEIPT_STORED:
		phrase_count(&s, orders, "order stored", "orders stored");
		break;
	case RECEIPT_UNCHANGED:
		strbuf_adds(&s, r->subject ? r->subject : "nothing changed");
		break;
	case RECEIPT_CLEARED:
		strbuf_adds(&s, r->replaces > 0 ? "your orders are withdrawn"
		                : r->subject    ? r->subject
		                                : "nothing to withdraw");
		break;
	case RECEIPT_CHECKED:
		strbuf_adds(&s, r->drafted ? "only checked, nothing sent"
		                           : "only checked, nothing stored");
		break;
	case RECEIPT_REFUSED:
		strbuf_adds(&s, "nothing stored");
		break;
	}
	if (refused > 0) {
		strbuf_adds(&s, ", ");
		phrase_count(&s, refused, "line refused", "lines refused");
	}
	part_subject(subject, &r->game, "%s", s.ptr);
	strbuf_release(&s);
}

/* "Receipt W17/4/2 #2 (replaces #1), Thu 12 Mar 2026 18:02 UTC" */
static void add_number(struct page *p, const struct report_receipt *r)
{
	struct strbuf s = STRBUF_INIT;
	strbuf_addf(&s, "Receipt %s/%u/%u", r->game.id, r->game.serial, r->game.seat);
	if (r->revision > 0 && r->what != RECEIPT_CHECKED && r->what != RECEIPT_REFUSED)
		strbuf_addf(&s, " #%u", r->revision);
	if (r->replaces > 0 && (r->what == RECEIPT_STORED || r->what == RECEIPT_CLEARED))
		strbuf_addf(&s, " (replaces #%u)", r->replaces);
	strbuf_adds(&s, ", ");
	zone_format_human(&s, r->game.zone, r->received_utc);
	page_say(p, "%s", s.ptr);
	strbuf_release(&s);
	if (!r->game.carried)
		part_game(p, &r->game);
	page_gap(p);
}

static void add_checked(struct page *p, const struct report_receipt *r)
{
	if (r->canonical.len == 0) {
		page_say(p, "Checked only, as you asked. None of these lines would be stored; "
		            "what you had stored before is as it was.");
		return;
	}
	if (r->drafted) {
		if (r->replaces > 0)
			page_say(p,
			         "Checked only, as you asked. Your standing orders, in force "
			         "as #%u, give way to that: the turn waits for you now. Sent "
			         "without \"CHECK\", these would be your orders:",
			         r->replaces);
		else
			page_say(p, "Checked only, as you asked: the turn goes on waiting for "
			            "you. Sent without \"CHECK\", these would be your orders:");
		page_orders(p, r->canonical);
		page_say(p,
		         "They are kept as a draft: if nothing more comes from you by the "
		         "%s, they are used, for that is better than nothing. Orders you "
		         "send replace them; if they must not be used, answer with \"CLEAR\".",
		         clock_has_passed(&r->clock) ? "end of the grace" : "deadline");
		return;
	}
	page_say(p, "Checked only, as you asked: nothing was stored. Sent without \"CHECK\", "
	            "these would be your orders:");
	page_orders(p, r->canonical);
}

static void add_refused(struct page *p, const struct report_receipt *r)
{
	if (!is_in_force(r)) {
		page_say(p, "Nothing was stored from this mail, and no orders of yours are "
		            "stored for this turn.");
		return;
	}
	page_say(p, "Nothing was stored from this mail. Your orders #%u are still in force:",
	         r->revision);
	page_orders(p, r->canonical);
}

static void add_outcome(struct page *p, const struct report_receipt *r)
{
	switch (r->what) {
	case RECEIPT_STORED:
		page_say(p, "Your orders are stored:");
		page_orders(p, r->canonical);
		break;
	case RECEIPT_UNCHANGED:
		if (!is_in_force(r)) {
			page_say(p, "%s orders of yours are stored for this turn.",
			         r->subject ? "No" : "Nothing changed: no");
			break;
		}
		page_say(p, "%s #%u are in force.",
		         r->subject ? "Your orders" : "Nothing changed: your orders",
		         r->revision);
		page_orders(p, r->canonical);
		break;
	case RECEIPT_CLEARED:
		if (r->replaces > 0)
			page_say(p, "Your orders #%u for this turn are withdrawn.",
			         r->replaces);
		else if (r->subject)
			page_say(p, "No orders of yours were stored for this turn.");
		else
			page_say(p, "No orders of yours were stored for this turn, so nothing "
			            "was withdrawn.");
		break;
	case RECEIPT_CHECKED:
		add_checked(p, r);
		break;
	case RECEIPT_REFUSED:
		add_refused(p, r);
		break;
	}
	page_gap(p);
}

static void add_remarks(struct page *p, const struct report_receipt *r)
{
	part_problems(p, r->diags);
	for (size_t i = 0; i < r->nnotes; i++)
		page_prose(p, "", span_of(r->notes[i]));
	if (r->from_html)
		page_say(p, "Your mail came as a web page only (HTML) and was read as plain "
		            "text. Please check that nothing is missing.");
	part_ignored(p, r->diags);
	page_gap(p);
}

/* What happens next, and how to change it. */
static void add_next(struct page *p, const struct report_receipt *r)
{
	bool stored = is_in_force(r) && r->what != RECEIPT_CLEARED;
	part_clock(p, &r->game, &r->clock);
	/* Whoever answered this would be too late. */
	if (clock_is_over(&r->clock) || (stored && clock_ends_now(&r->clock)))
		return;
	if (stored && clock_has_passed(&r->clock) && r->received_utc <= r->clock.deadline_utc) {
		page_say(p, "Your orders came in time and cannot be changed any more.");
		page_gap(p);
		return;
	}
	if (stored) {
		page_say(p, "If you send nothing more, the orders above stand. To change them, "
		            "answer this mail; to withdraw them, answer with \"CLEAR\".");
		page_gap(p);
		return;
	}
	if (r->not_awaited)
		return;
	if (r->what != RECEIPT_CHECKED)
		part_silence(p, r->silence, r->default_orders);
	part_sample_orders(p, &r->game, "To send orders, answer this mail.", r->examples);
}

static void add_commitments(struct page *p, const struct report_receipt *r)
{
	if (r->ncommitments == 0)
		return;
	page_heading(p, "Stored so far, under seal");
	page_say(p, "Each number fixes one player's orders without showing them. Compare them "
	            "with the report of this turn.");
	part_commitments(p, &r->game, r->commitments, r->ncommitments);
}

static void add_proof(struct page *p, const struct report_receipt *r)
{
	if (r->receipt_proof.len > 0) {
		if (!r->game.carried)
			page_heading(p, "Your proof");
		page_say(p, "Keep this mail: the block below, signed by the server, proves "
		            "which orders it took from you and when.");
		page_gap(p);
		page_verbatim(p, r->receipt_proof);
	}
}

void report_receipt(const struct report_receipt *r, struct report_out *out)
{
	struct page p;
	add_subject(&out->subject, r, count_orders(r->canonical), refused_lines(r->diags));
	page_start(&p, &out->body, !r->game.carried);
	add_number(&p, r);
	add_outcome(&p, r);
	add_remarks(&p, r);
	if (!r->game.carried) /* by then it is no news who was awaited */
		add_next(&p, r);
	part_footer(&p, &r->game);
	if (!r->game.carried)
		add_commitments(&p, r);
	add_proof(&p, r);
	page_end(&p);
}
