/*
 * digest.c - the digest: all that waited for a player, and one form for all their orders.
 *
 * The form stands first, above the marker line, so that it can be filled in wherever a mail program puts
 * the cursor and however it quotes: processor/commandtext/digest_form.h reads it. Each of its lines is harmless
 * as it stands. Below come the games, and under each the mails that have waited.
 */
#include <string.h>

#include "reports/parts.h"

/* Nothing below it is read when the digest comes back: processor/quotes/text_line.c. */
static const char marker[] =
    "##### Reply above this line; what stands below is not read. #####";

const char report_form_lead[] = "Your orders go here, in the place of the words in brackets:";
const char report_form_begin[] = "(your orders for ";
const char report_form_end[] = "(end of the form)";

/* ---- the subject ---- */

/* In a pause orders are taken, but nobody waits for them. */
static bool wants_orders(const struct report_digest_game *g)
{
	return g->owes && !g->ordered && !g->paused;
}

/* Somebody with several seats needs its number once. */
static bool is_named_before(const struct report_digest *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (wants_orders(&r->games[k]) && strcmp(r->games[k].id, r->games[i].id) == 0)
			return true;
	return false;
}

/* `news`: "W1 waits for you until Sun 15 Mar, W4 until Wed 18 Mar"; not without deadline. */
static void add_subject(struct strbuf *subject, const struct report_digest *r,
                        struct arena *arena, struct strbuf *news)
{
	enum { NAMED = 4 };
	struct strbuf games = STRBUF_INIT;
	size_t wanted = 0;

	for (size_t i = 0; i < r->ngames; i++) {
		const struct report_digest_game *g = &r->games[i];

		if (!wants_orders(g) || is_named_before(r, i) || ++wanted > NAMED)
			continue;
		strbuf_addf(&games, games.len ? ", %s" : "%s", g->id);
		if (g->deadline_utc == 0)
			continue;
		strbuf_addf(news, news->len ? ", %s until %s" : "%s waits for you until %s",
		            g->id, phrase_day(arena, r->zone, g->deadline_utc));
	}
	if (wanted > NAMED)
		strbuf_addf(subject, "[digest %u] orders due: %s and %zu more", r->number,
		            games.ptr, wanted - NAMED);
	else if (wanted > 0)
		strbuf_addf(subject, "[digest %u] orders due: %s", r->number, games.ptr);
	else
		strbuf_addf(subject, "[digest %u] nothing to do for you", r->number);
	strbuf_release(&games);
}

/* ---- the form ---- */

static void add_form(struct page *p, const struct report_digest *r)
{
	struct strbuf s = STRBUF_INIT;

	page_say(p, "%s", report_form_lead);
	for (size_t i = 0; i < r->ngames; i++) {
		const struct report_digest_game *g = &r->games[i];
		if (!g->owes)
			continue;
		if (g->seat > 0)
			strbuf_addf(&s, "SIGNON %u %s\n", g->seat, g->id);
		else
			strbuf_addf(&s, "SIGNON %s\n", g->id);
		strbuf_addf(&s,
		            g->ordered ? "%s%s are stored; others may go here)\n" : "%s%s)\n",
		            report_form_begin, g->id);
	}
	strbuf_adds(&s, report_form_end);
	page_example(p, strbuf_span(&s)); /* one answer for all games */
	page_gap(p);
	strbuf_release(&s);
}

/* ---- the games at a glance ---- */

static const char *phrase_state(struct arena *arena, const struct report_digest *r,
                                const struct report_digest_game *g)
{
	if (g->ended)
		return "the game has ended";
	if (g->role)
		return g->role;
	if (g->held)
		return "the operator holds this game, so there is no deadline now";
	if (g->paused && g->ordered)
		return "the game is paused, so there is no deadline now; your orders are "
		       "stored and may be changed";
	if (g->paused && g->owes)
		return "the game is paused, so there is no deadline now; orders are still "
		       "taken";
	if (g->paused)
		return "the game is paused, so there is no deadline now";
	if (!g->owes || !*g->label)
		return "nothing to do for you";
	if (g->deadline_utc <= 0)
		return g->ordered ? "your orders are stored and may be changed"
		                  : "orders are due";
	/* Of an open turn of the reader: "orders are due Thu 26 Nov, 12:00 UTC (in 2 days)". */
	return arena_printf(arena,
	                    g->ordered ? "your orders are stored and may be changed until %s"
	                               : "orders are due %s",
	                    phrase_deadline(arena, r->zone, r->now_utc, g->deadline_utc));
}

/* ---- what waited ---- */

void part_enclosed(struct page *p, const struct zone *zone,
                   const struct report_digest_item *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct strbuf s = STRBUF_INIT, when = STRBUF_INIT;

		zone_format_local(&when, zone, list[i].written_utc);
		if (list[i].number > 0)
			strbuf_addf(&s, "--- A %s, mail %u of this game, of %s", list[i].what,
			            list[i].number, when.ptr);
		else
			strbuf_addf(&s, "--- A %s, of %s", list[i].what, when.ptr);
		strbuf_release(&when);
		if (list[i].past)
			strbuf_adds(&s, "; the turn it opens is over by now");
		else if (list[i].moved)
			strbuf_adds(&s,
			            "; the head of this mail has its deadline as it is now");
		page_gap(p);
		page_wrap(p, "", "    ", strbuf_span(&s));
		page_gap(p);
		strbuf_release(&s);
		page_verbatim(p, list[i].text);
	}
	page_gap(p);
}

void part_enclosed_proofs(struct page *p, const struct report_digest_item *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		page_gap(p);
		page_verbatim(p, list[i].proof);
	}
}

void report_digest(const struct report_digest *r, struct report_out *out)
{
	struct page p, proofs;
	bool form = false;

	for (size_t i = 0; i < r->ngames; i++)
		form = form || r->games[i].owes;
	struct strbuf news = STRBUF_INIT;

	page_start(&p, &out->body, out->form);
	add_subject(&out->subject, r, p.arena, &news);
	part_proof_page(&proofs, out);
	if (news.len > 0)
		page_say(&p, "%s.", news.ptr);
	page_gap(&p);
	strbuf_release(&news);
	if (form)
		add_form(&p, r);
	page_say(&p, "%s", marker);
	page_gap(&p);
	if (form) {
		page_say(
		    &p,
		    "One answer to this mail takes your orders for all games. The form above "
		    "is read as your mail program quotes it: put orders in the place of the "
		    "words in brackets, or on lines of their own there. You may also write "
		    "the SIGNON lines yourself, with orders below each. What you leave as it "
		    "is changes nothing.");
		page_gap(&p);
	}
	page_heading(&p, "Your games");
	for (size_t i = 0; i < r->ngames; i++) {
		const struct report_digest_game *g = &r->games[i];
		const char *seat =
		    g->seat > 0 ? arena_printf(p.arena, ", seat %u (%s)", g->seat, g->seat_name)
				: "";

		page_item(&p, "%s, %s%s%s%s: %s.", g->id, g->kind_title, *g->label ? ", " : "",
		          g->label, seat, phrase_state(p.arena, r, g));
	}
	page_gap(&p);
	bool brings = false;
	for (size_t i = 0; i < r->ngames; i++) {
		if (r->games[i].nenclosed != 0) {
			page_gap(&p);
			page_rule(&p);
			if (r->games[i].seat > 0)
				page_heading(&p, "%s, %s, seat %u", r->games[i].id,
				             r->games[i].kind_title, r->games[i].seat);
			else
				page_heading(&p, "%s, %s", r->games[i].id,
				             r->games[i].kind_title);
			part_enclosed(&p, r->zone, r->games[i].enclosed, r->games[i].nenclosed);
		}
		part_enclosed_proofs(&proofs, r->games[i].enclosed, r->games[i].nenclosed);
		brings = brings || r->games[i].nenclosed > 0;
	}
	page_rule(&p);
	page_say(&p, "This is digest %u. %s", r->number, r->rhythm);
	if (brings)
		page_say(
		    &p,
		    "To get one of these mails by itself, with its proofs, send RESEND with "
		    "its number and the game.");
	page_say(&p, "For help, reply HELP (the commands) or HELP SET MAIL.");
	part_proof(&p, out, NULL, NULL);
	page_end(&p);
	page_end(&proofs);
}
