/*
 * receipt.c - the answer to a mail with orders.
 *
 * A player wants to know four things, in this order: what is stored now, what
 * of the mail was not understood and how to say it, what happens next, and
 * how to change it. Which receipt this is stands below the separator, and its proof beside the mail.
 */
#include "reports/parts.h"

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

static void add_subject(struct strbuf *subject, const struct report_receipt *r,
                        struct arena *arena)
{
	size_t refused = refused_lines(r->diags);
	const char *what = "nothing stored";

	switch (r->what) {
	case RECEIPT_STORED:
		what = phrase_count(arena, count_orders(r->canonical), "order stored",
		                    "orders stored");
		break;
	case RECEIPT_UNCHANGED:
		what = r->subject ? r->subject : "nothing changed";
		break;
	case RECEIPT_CLEARED:
		what = r->replaces > 0 ? "your orders are withdrawn"
		       : r->subject    ? r->subject
		                       : "nothing to withdraw";
		break;
	case RECEIPT_CHECKED:
		what = r->drafted ? "only checked, nothing sent"
		                  : "only checked, nothing stored";
		break;
	case RECEIPT_REFUSED:
		break;
	}
	part_subject(subject, &r->game, refused > 0 ? "%s, %s" : "%s", what,
	             phrase_count(arena, refused, "line refused", "lines refused"));
}

enum { LOCK_SCREEN_COLS = 44 };

static void add_orders_of_turn(struct page *p, const struct report_receipt *r, const char *lead)
{
	lead = arena_printf(p->arena, "%s %s", lead, r->game.label);
	part_orders(p, LOCK_SCREEN_COLS, lead, lead, r->canonical);
}

static void add_checked(struct page *p, const struct report_receipt *r)
{
	if (r->canonical.len == 0) {
		page_say(
		    p,
		    "Only checked, as you asked: none of these lines would be stored. What you "
		    "had stored before has not changed.");
		return;
	}
	page_say(p,
	         r->drafted
	             ? "Only checked, as you asked: the turn still waits for you. Without "
	               "\"CHECK\" your orders would be:"
	             : "Only checked, as you asked: nothing is stored. Without \"CHECK\" your "
	               "orders would be:");
	page_orders(p, r->canonical);
	if (!r->drafted)
		return;
	if (r->replaces > 0)
		page_say(
		    p,
		    "Your standing orders (#%u) no longer count for this turn: it waits for "
		    "you.",
		    r->replaces);
	page_say(
	    p,
	    "If you send nothing more by the %s, these orders are used: that is better than "
	    "none. Orders you send replace them. If they must not be used, reply CLEAR.",
	    clock_has_passed(&r->clock) ? "end of the grace" : "deadline");
}

static void add_remarks(struct page *p, const struct report_receipt *r)
{
	part_problems(p, r->diags);
	for (size_t i = 0; i < r->nnotes; i++)
		page_prose(p, "", span_of(r->notes[i]));
	part_ignored(p, r->diags);
	page_gap(p);
}

void report_receipt_remarks(const struct report_receipt *r, struct report_form form,
                            struct strbuf *out)
{
	bool any = r->nnotes > 0;
	struct page p;

	for (size_t i = 0; i < r->diags->count; i++)
		any = any || r->diags->items[i].level > DIAG_NOTE;
	if (!any)
		return;
	page_start(&p, out, form);
	add_remarks(&p, r);
	page_end(&p);
}

/* What happens next, and how to change it. */
static void add_next(struct page *p, const struct report_receipt *r)
{
	bool stored = is_in_force(r) && r->what != RECEIPT_CLEARED;
	part_clock(p, &r->game, &r->clock, false);
	/* Whoever answered this would be too late. */
	if (clock_is_over(&r->clock) || (stored && clock_ends_now(&r->clock)))
		return;
	if (stored && clock_has_passed(&r->clock) && r->received_utc <= r->clock.deadline_utc) {
		page_say(p, "Your orders were in time and can no longer be changed.");
		page_gap(p);
		return;
	}
	if (stored) {
		page_say(
		    p, "To change them, reply with new orders; to withdraw them, reply CLEAR.");
		page_gap(p);
		return;
	}
	if (r->not_awaited)
		return;
	if (r->what != RECEIPT_CHECKED)
		part_silence(p, r->silence, r->default_orders);
	part_sample_orders(p, &r->game, "To send orders, reply to this mail.", r->examples);
	page_gap(p);
}

static void add_proof(const struct report_receipt *r, struct report_out *out)
{
	struct page p;

	if (r->receipt_proof.len == 0)
		return;
	part_proof_page(&p, out);
	if (!r->game.carried && r->ncommitments > 0)
		part_seals(&p, r->commitments, r->ncommitments);
	page_say(
	    &p,
	    "Your proof, signed by the server: which orders it took from you, and when. Keep "
	    "this mail.");
	page_gap(&p);
	page_verbatim(&p, r->receipt_proof);
	page_end(&p);
}

void report_receipt(const struct report_receipt *r, struct report_out *out)
{
	struct page p;
	page_start(&p, &out->body, out->form);
	add_subject(&out->subject, r, p.arena);
	switch (r->what) {
	case RECEIPT_STORED:
		add_orders_of_turn(&p, r, "Stored for");
		break;
	case RECEIPT_UNCHANGED:
		if (is_in_force(r))
			add_orders_of_turn(
			    &p, r, r->subject ? "Stored for" : "Nothing changed. Stored for");
		else
			page_say(&p,
			         r->subject
			             ? "You have no orders stored for %s."
			             : "Nothing changed: you have no orders stored for %s.",
			         r->game.label);
		break;
	case RECEIPT_CLEARED:
		if (r->replaces > 0)
			page_say(&p, "Your orders for %s are withdrawn.", r->game.label);
		else if (r->subject)
			page_say(&p, "You have no orders stored for %s.", r->game.label);
		else
			page_say(
			    &p,
			    "You had no orders stored for %s, so there was nothing to withdraw.",
			    r->game.label);
		break;
	case RECEIPT_CHECKED:
		add_checked(&p, r);
		break;
	case RECEIPT_REFUSED:
		page_say(&p,
		         is_in_force(r) ? "Nothing was stored from this mail."
		                        : "Nothing was stored from this mail, and you have no "
		                          "orders stored for %s.",
		         r->game.label);
		if (is_in_force(r))
			add_orders_of_turn(&p, r, "Still stored for");
		break;
	}
	page_gap(&p);
	add_remarks(&p, r);
	if (!r->game.carried) { /* by then it is no news who was awaited */
		add_next(&p, r);
		page_small_print(&p);
	}
	/* "Receipt W17/4/2 #2 (replaces #1), Thu 12 Mar 2026 18:02 UTC" */
	struct strbuf s = STRBUF_INIT;
	strbuf_addf(&s, "Receipt %s/%u/%u", r->game.id, r->game.serial, r->game.seat);
	if (r->revision > 0 && r->what != RECEIPT_CHECKED && r->what != RECEIPT_REFUSED)
		strbuf_addf(&s, " #%u", r->revision);
	if (r->replaces > 0 && (r->what == RECEIPT_STORED || r->what == RECEIPT_CLEARED))
		strbuf_addf(&s, " (replaces #%u)", r->replaces);
	page_say(&p, "%s, %s", s.ptr, phrase_moment(p.arena, r->game.zone, r->received_utc));
	strbuf_release(&s);
	part_footer(&p, &r->game);
	add_proof(r, out);
	part_proof(&p, out, &r->game, NULL);
	page_end(&p);
}
