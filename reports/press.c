/*
 * press.c - what players write to each other: mails that bring it, and its part of a report.
 *
 * Text of strangers to strangers. Every line of it stands behind "  > ", so that a reader sees
 * where it begins and ends whatever it says, and no reader of mail takes any of it for an
 * order.
 */
#include <ctype.h>

#include "reports/parts.h"

#include "processor/base/utf8.h"

/* ---- the text ---- */

enum { FULL_LINE_COLS = 55 };

static void add_text(struct page *p, struct span text)
{
	struct strbuf paragraph = STRBUF_INIT;
	struct span line;

	page_gap(p);
	while (span_next_line(&text, &line)) {
		char next = text.len > 0 ? text.ptr[0] : ' ';

		strbuf_add_span(&paragraph, line);
		/* The next one is the end of this, which a mail program has broken. */
		if (text_width(line) >= FULL_LINE_COLS &&
		    (isalpha((unsigned char)next) || (next & 0x80) != 0)) {
			strbuf_addc(&paragraph, ' ');
			continue;
		}
		page_quote(p, strbuf_span(&paragraph));
		strbuf_clear(&paragraph);
	}
	page_gap(p);
	strbuf_release(&paragraph);
}

/* ---- who and when ---- */

static void add_message(struct page *p, const struct report_game *g,
                        const struct report_message *m)
{
	/* "you and Bob", "all". */
	const char *to = m->to_all         ? "all"
	                 : m->from == NULL ? "you"
	                                   : phrase_names(p->arena, m->to, m->nto,
	                                                  g->seat > 0 ? g->seat_name : NULL);
	const char *when = phrase_moment(p->arena, g->zone, m->written_utc);

	if (m->from)
		page_say(p, "A message from %s (seat %u) to %s, written %s:", m->from,
		         m->from_seat, to, when);
	else
		page_say(p, "A message from a player who stays unnamed, to %s, written %s:", to,
		         when);
	add_text(p, m->text);
}

/* ---- a mail of its own ---- */

static void add_how_to_answer(struct page *p, const struct report_press *r)
{
	if (r->game.seat == 0)
		return;
	if (r->message.from == NULL)
		page_say(p, "The writer stays unnamed, so you can only answer to all:");
	else if (r->game.carried)
		page_say(p, "To write back to %s, reply like this:", r->message.from);
	else
		page_say(p,
		         "To write back to %s, just reply: you are asked whether it shall go "
		         "out. Without that question:",
		         r->message.from);
	const char *to = r->message.from
	                     ? arena_printf(r->arena, "press to %u", r->message.from_seat)
	                     : "broadcast";
	const char *text = "Your text, as many lines as you like.\nendpress";

	/* One answer, in one piece. */
	page_example(p, span_of(r->game.carried ? arena_printf(r->arena, "signon %s\n%s\n%s",
	                                                       r->game.id, to, text)
	                                        : arena_printf(r->arena, "%s\n%s", to, text)));
	if (r->reader_owes && !r->game.carried)
		page_say(p, "Orders in such a reply, above or below that or alone, count as in "
		            "one to the report.");
	page_gap(p);
}

void report_press(const struct report_press *r, struct report_out *out)
{
	const struct report_message *m = &r->message;
	struct page p;

	part_subject(&out->subject, &r->game,
	             m->to_all ? "message to all from %s" : "message from %s",
	             m->from ? m->from : "a player who stays unnamed");
	page_start(&p, &out->body, out->form);
	add_message(&p, &r->game, m);
	page_say(&p, "The lines behind > are that player's words, not the server's.");
	page_gap(&p);
	add_how_to_answer(&p, r);
	if (!r->game.carried)
		page_small_print(&p);
	part_footer(&p, &r->game);
	page_end(&p);
}

/* ---- the writer's receipt ---- */

static void add_fate(struct page *p, const struct report_press_receipt *r, const char *to)
{
	if (r->entry > 0)
		page_say(p,
		         "Your diary has a new entry, number %u. Nobody reads it before the "
		         "game ends; then it is in the last report to everybody.",
		         r->entry);
	else
		page_say(
		    p,
		    r->message.to_all
			? r->waits ? "Your message goes to all: %s. It comes with the next "
		                     "turn report, as all does that players of this game "
		                     "write."
		                   : "Your message goes to all: %s. It leaves at once."
		    : r->waits ? "Your message goes to %s. It comes with the next turn report, "
				 "as all does that players of this game write."
			       : "Your message goes to %s. It leaves at once.",
		    to);
	if (r->entry == 0)
		page_say(p, r->message.from ? "It names you as its writer."
		                            : "It does not say who wrote it.");
}

void report_press_receipt(const struct report_press_receipt *r, struct report_out *out)
{
	struct page p;

	page_start(&p, &out->body, out->form);
	const char *to = phrase_names(p.arena, r->message.to, r->message.nto, NULL);
	if (r->entry > 0)
		part_subject(&out->subject, &r->game, "entry %u is in your diary", r->entry);
	else if (r->message.to_all)
		part_subject(&out->subject, &r->game, "your message to all");
	else
		part_subject(&out->subject, &r->game, "your message to %s", to);
	add_fate(&p, r, to);
	for (size_t i = 0; i < r->nnotes; i++)
		page_prose(&p, "- ", span_of(r->notes[i]));
	page_gap(&p);
	page_say(&p, "This is the text:");
	add_text(&p, r->message.text);
	if (!r->game.carried)
		page_small_print(&p);
	part_footer(&p, &r->game);
	page_end(&p);
}

/* ---- in a report ---- */

void part_messages(struct page *p, const struct report_game *g,
                   const struct report_message *list, size_t n)
{
	if (n > 0)
		page_heading(p, MESSAGES_HEADING);
	for (size_t i = 0; i < n; i++)
		add_message(p, g, &list[i]);
}

void part_diaries(struct page *p, const struct report_game *g,
                  const struct report_message *list, size_t n)
{
	if (n == 0)
		return;
	page_heading(p, DIARIES_HEADING);
	page_say(p, "These notes were kept under seal until now.");
	page_gap(p);
	for (size_t i = 0; i < n; i++) {
		page_say(p, "From the diary of %s, written %s:", list[i].from,
		         phrase_moment(p->arena, g->zone, list[i].written_utc));
		add_text(p, list[i].text);
	}
}
