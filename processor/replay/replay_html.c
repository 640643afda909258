/*
 * replay_html.c - `molepost replay --html`: a game to leaf through in a browser.
 *
 * Every turn and every view stands in the page from the start, so that it can be read and
 * printed without a script; the script only hides what is not looked at, and lets boards move.
 * The page's own policy forbids it to load anything.
 */
#include "processor/replay/replay.h"

#include <string.h>

#include "processor/archive/parsed.h"
#include "processor/base/clock.h"
#include "processor/replay/replay_page.h"
#include "reports/web.h"

#include "processor/base/banned.h"

static void add_text(struct strbuf *out, const char *text)
{
	web_add_text(out, span_of(text));
}

static void add_head(struct strbuf *out, const struct record *r)
{
	strbuf_adds(
	    out, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
		 "<head>\n<meta charset=\"utf-8\"/>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
		 "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	add_text(out, r->game);
	strbuf_adds(out, ", ");
	add_text(out, r->rules->title);
	strbuf_addf(out, "</title>\n<style>\n%s%s</style>\n</head>\n", web_style, page_style);
}

static void add_button(struct strbuf *out, const char *id, const char *label)
{
	strbuf_addf(out, "<button type=\"button\" id=\"%s\">%s</button>\n", id, label);
}

static void add_seats(struct strbuf *out, const struct archive *a)
{
	strbuf_adds(out, "<label>Seen by <select id=\"seat\">\n"
	                 "<option value=\"0\">everybody</option>\n");
	for (unsigned seat = 1; seat <= replay_seats(a); seat++) {
		strbuf_addf(out, "<option value=\"%u\">", seat);
		add_text(out, a->record.seats[seat].name);
		strbuf_adds(out, "</option>\n");
	}
	strbuf_adds(out, "</select></label>\n");
}

/* Of no use without the script, which shows them. */
static void add_controls(struct strbuf *out, const struct archive *a)
{
	strbuf_adds(out, "<nav hidden=\"hidden\" aria-label=\"Turns\">\n<div>\n");
	add_button(out, "first", "First");
	add_button(out, "previous", "Previous");
	add_button(out, "next", "Next");
	add_button(out, "last", "Last");
	strbuf_adds(out,
	            "</div>\n<div>\n<output id=\"where\" aria-live=\"polite\"></output>\n");
	add_seats(out, a);
	add_button(out, "play", "Show move");
	strbuf_adds(out, "</div>\n<small>Keys: left and right arrow, Home, End; "
	                 "<span class=\"if-seats\">s looks through other eyes; </span>"
	                 "m shows a move again</small>\n</nav>\n");
}

static void add_players(struct strbuf *out, const struct record *r)
{
	strbuf_adds(out, "<h1>");
	add_text(out, r->game);
	strbuf_adds(out, ", ");
	add_text(out, r->rules->title);
	strbuf_adds(out, "</h1>\n<p>");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_addf(out, "%s<bdi>", seat > 1 ? ", " : "");
		add_text(out, r->seats[seat].name);
		strbuf_addf(out, "</bdi>%s", r->seats[seat].bot ? " (bot)" : "");
	}
	strbuf_adds(out, "</p>\n");
}

static void add_fork(struct strbuf *out, const struct record_fork *f)
{
	if (f->game == NULL)
		return;
	strbuf_adds(out, "<p>Goes on from ");
	add_text(out, f->game);
	strbuf_adds(out, " of ");
	add_text(out, f->instance);
	strbuf_addf(out, ", after its turn with serial %u.</p>\n", f->serial);
}

static void add_orders(struct strbuf *out, const struct record *r, const struct record_turn *t)
{
	if (t->nused + t->nactions == 0)
		return;
	strbuf_adds(out, "<div class=\"orders\">\n<h3>Orders</h3>\n<ul>\n");
	for (size_t i = 0; i < t->nactions; i++) {
		strbuf_adds(out, "<li>");
		add_text(out, t->actions[i]);
		strbuf_adds(out, "</li>\n");
	}
	for (size_t i = 0; i < t->nused; i++) {
		struct span rest = t->used[i].canonical, line;
		const char *between = "";

		strbuf_adds(out, "<li><bdi>");
		add_text(out, r->seats[t->used[i].seat].name);
		strbuf_addf(out, "</bdi> (%s): ", order_origin_name(t->used[i].origin));
		while (span_next_line(&rest, &line)) {
			strbuf_adds(out, between);
			web_add_text(out, line);
			between = "; ";
		}
		strbuf_adds(out, "</li>\n");
	}
	strbuf_adds(out, "</ul>\n</div>\n");
}

static const char *viewer(const struct record *r, unsigned seat)
{
	ENSURE(seat <= r->nseats && seat <= MAX_SEATS);
	return seat == 0 ? "everybody" : r->seats[seat].name;
}

static void add_view(struct strbuf *out, const struct record *r, unsigned seat,
                     const struct doc *doc)
{
	strbuf_addf(out, "<div class=\"view\" data-seat=\"%u\">\n<h3>As seen by ", seat);
	add_text(out, viewer(r, seat));
	strbuf_adds(out, "</h3>\n");
	web_add_doc(out, doc);
	strbuf_adds(out, "</div>\n");
}

/* Who sees no more than everybody gets no view of his own: the script shows the first then. */
static void add_views(struct strbuf *out, struct archive *a, size_t i)
{
	struct strbuf public = STRBUF_INIT, own = STRBUF_INIT;
	struct arena *arena = arena_new();

	for (unsigned seat = 0; seat <= replay_seats(a); seat++) {
		struct doc *doc = replay_view(a, i, seat, arena);

		if (doc == NULL) {
			strbuf_adds(
			    out,
			    "<p>The position stays hidden until the game has ended.</p>\n");
			break;
		}
		strbuf_clear(&own);
		doc_dump(doc, seat > 0 ? &own : &public);
		if (seat == 0 || !span_eq(strbuf_span(&own), strbuf_span(&public)))
			add_view(out, &a->record, seat, doc);
	}
	arena_free(arena);
	strbuf_release(&public);
	strbuf_release(&own);
}

static void add_turn(struct strbuf *out, struct archive *a, size_t i)
{
	const struct record_turn *t = &a->record.turns[i];

	strbuf_addf(out, "<section class=\"turn\" id=\"turn-%u\">\n<h2>", t->serial);
	web_add_text(out, t->label);
	strbuf_addf(out, "</h2>\n<p class=\"sealed\">%s ",
	            t->dropped_utc != 0 ? "Broken off" : "Sealed");
	utc_format_human(out, t->dropped_utc != 0 ? t->dropped_utc : t->sealed_utc);
	strbuf_adds(out, "</p>\n");
	add_orders(out, &a->record, t);
	add_views(out, a, i);
	strbuf_adds(out, "</section>\n");
}

static void add_result(struct strbuf *out, const struct archive *a)
{
	const struct record *r = &a->record;
	bool is_over = strcmp(r->end_status, "over") == 0;

	strbuf_addf(out, "<h2>%s</h2>\n<p>The game was %s on ",
	            is_over ? "The end" : "Broken off", is_over ? "over" : r->end_status);
	utc_format_human(out, r->ended_utc);
	strbuf_adds(out, ".</p>\n");
	if (!a->has_result)
		return;
	strbuf_adds(out, "<ul>\n");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_adds(out, "<li><bdi>");
		add_text(out, r->seats[seat].name);
		strbuf_addf(out, "</bdi>: %lld%s</li>\n", (long long)a->result.scores[seat],
		            seat_in(a->result.winners, seat) ? ", winner" : "");
	}
	strbuf_adds(out, "</ul>\n");
}

/* The result stands with the last turn only: who leafs through does not want to know yet. */
static void add_end(struct strbuf *out, const struct archive *a)
{
	strbuf_adds(out, "<footer>\n<div id=\"result\">\n");
	if (a->record.ended)
		add_result(out, a);
	else
		strbuf_adds(out, "<p>This game is still running.</p>\n");
	strbuf_adds(
	    out, "</div>\n<p>This page was made from the record of the game, which was checked "
		 "first. The proofs are in the record, not here: <code>molepost verify</code> "
		 "checks it, and its manual page molepost-archive(5) says what that "
		 "proves.</p>\n</footer>\n");
}

void replay_html(struct archive *a, struct strbuf *out)
{
	add_head(out, &a->record);
	strbuf_adds(out, "<body>\n<header>\n");
	add_players(out, &a->record);
	add_fork(out, &a->record.fork);
	strbuf_adds(out, "</header>\n");
	add_controls(out, a);
	strbuf_adds(out, "<main>\n");
	for (size_t i = 0; i < a->record.nturns; i++)
		add_turn(out, a, i);
	strbuf_adds(out, "</main>\n");
	add_end(out, a);
	strbuf_addf(out, "<script>\n%s</script>\n</body>\n</html>\n", page_script);
}
