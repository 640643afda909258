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

static void add_text(struct strbuf *out, const char *text)
{
	web_add_text(out, span_of(text));
}

/* As the subject of the last mail has it. */
void replay_add_outcome(const struct archive *a, struct strbuf *out)
{
	unsigned winners = seat_count(a->result.winners), done = 0;
	struct strbuf names = STRBUF_INIT, scores = STRBUF_INIT;

	if (!a->has_result || !a->result.over || winners == 0)
		return;
	for (unsigned seat = 1; seat <= a->record.nseats; seat++)
		if (seat_in(a->result.winners, seat)) {
			strbuf_add_sep(&names, done++, winners, " and ");
			add_text(&names, a->record.seats[seat].name);
		}
	for (unsigned rank = 1; rank <= a->record.nseats && a->record.nseats <= 4; rank++)
		for (unsigned seat = 1; seat <= a->record.nseats; seat++)
			if (a->result.ranks[seat] == rank)
				strbuf_addf(&scores, scores.len ? "-%lld" : " %lld",
				            (long long)a->result.scores[seat]);
	strbuf_addf(out, winners == 1 ? "%s won%s" : "%s share the win%s", names.ptr,
	            scores.ptr);
	strbuf_release(&names);
	strbuf_release(&scores);
}

static void add_title(struct strbuf *out, const struct archive *a)
{
	size_t before = out->len;

	replay_add_outcome(a, out);
	strbuf_adds(out, out->len > before ? ": " : "");
	add_text(out, a->record.game);
	strbuf_adds(out, ", ");
	add_text(out, a->record.rules->title);
}

static void add_links(struct strbuf *out, const struct replay_links *links)
{
	if (links == NULL)
		return;
	strbuf_adds(out, "<p>");
	if (links->games)
		strbuf_addf(out, "<a href=\"%s\">All games</a> ", links->games);
	if (links->feed)
		strbuf_addf(out, "<a href=\"%s\">New turns as a feed</a> ", links->feed);
	if (links->record)
		strbuf_addf(out, "<a href=\"%s\">Record to check</a>", links->record);
	strbuf_adds(out, "</p>\n");
}

static void add_button(struct strbuf *out, const char *id, const char *label)
{
	strbuf_addf(out, "<button type=\"button\" id=\"%s\">%s</button>\n", id, label);
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
	strbuf_adds(out, "<label>Seen by <select id=\"seat\">\n"
	                 "<option value=\"0\">everybody</option>\n");
	for (unsigned seat = 1; seat <= replay_seats(a); seat++) {
		strbuf_addf(out, "<option value=\"%u\">", seat);
		add_text(out, a->record.seats[seat].name);
		strbuf_adds(out, "</option>\n");
	}
	strbuf_adds(out, "</select></label>\n");
	add_button(out, "play", "Show move");
	add_button(out, "auto", "Play all");
	strbuf_adds(out,
	            "<label>Speed <select id=\"speed\">\n<option value=\"4000\">slow</option>\n"
	            "<option value=\"2000\" selected=\"selected\">usual</option>\n"
	            "<option value=\"800\">fast</option>\n</select></label>\n"
	            "</div>\n<small>Keys: left and right arrow, Home, End; space plays all; "
	            "<span class=\"if-seats\">s looks through other eyes; </span>"
	            "m shows a move again</small>\n</nav>\n");
}

/* ---- overview ---- */

enum { CURVE_HIGH = 120, CURVE_STEP = 12, CURVE_EDGE = 4 };

/* Points after each turn; NULL where they are hidden. Lives in the arena. */
static const struct game_result *results_of(struct archive *a, struct arena *arena)
{
	struct game_result *all = arena_calloc(arena, a->record.nturns + 1, sizeof(*all));
	struct failure e = ERR_INIT;
	bool known = true;

	for (size_t i = 0; i < a->record.nturns && known; i++) {
		const struct game_state *state = archive_state(a, i, &e);

		known = state != NULL;
		if (known)
			a->record.rules->result(state, &all[i]);
	}
	err_release(&e);
	return known ? all : NULL;
}

/* From left to right the turns. */
static void begin_curves(struct strbuf *out, const struct record *r, const char *title)
{
	strbuf_addf(out,
	            "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
	            "class=\"curve\" preserveAspectRatio=\"none\" viewBox=\"%d %d %d %d\">\n"
	            "<title>%s</title>\n",
	            -CURVE_EDGE, -CURVE_EDGE,
	            ((int)r->nturns - 1) * CURVE_STEP + 2 * CURVE_EDGE,
	            CURVE_HIGH + 2 * CURVE_EDGE, title);
}

static void begin_curve(struct strbuf *out, unsigned seat)
{
	strbuf_addf(out, "<path class=\"c d%u\" d=\"", (seat - 1) % 8 + 1);
}

static void end_curve(struct strbuf *out, const struct record *r, unsigned seat)
{
	strbuf_adds(out, "\"><title>");
	add_text(out, r->seats[seat].name);
	strbuf_adds(out, "</title></path>\n");
}

/* Behind the caption, whose line is whose. */
static void end_curves(struct strbuf *out, const struct record *r)
{
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_addf(out,
		            "%s<span class=\"who\"><svg xmlns=\"http://www.w3.org/2000/svg\" "
		            "aria-hidden=\"true\" viewBox=\"0 0 9 9\"><path class=\"c d%u\" "
		            "d=\"M0 4h9\"/></svg> <bdi>",
		            seat > 1 ? ", " : "", (seat - 1) % 8 + 1);
		add_text(out, r->seats[seat].name);
		strbuf_adds(out, "</bdi></span>");
	}
	strbuf_adds(out, "</figcaption>\n</figure>\n");
}

/* Over the curves, from each point to its turn. */
static void add_ways(struct strbuf *out, const struct record *r)
{
	for (size_t i = 0; i < r->nturns; i++) {
		strbuf_addf(out, "<a href=\"#turn-%u\"><title>", r->turns[i].serial);
		web_add_text(out, r->turns[i].label);
		strbuf_addf(out,
		            "</title><rect x=\"%d\" width=\"%d\" height=\"%d\" "
		            "fill=\"transparent\"/></a>\n",
		            (int)i * CURVE_STEP - CURVE_STEP / 2, CURVE_STEP, CURVE_HIGH);
	}
}

/* A line for each seat; nothing where nobody ever has a point. */
static void add_points(struct strbuf *out, const struct record *r,
                       const struct game_result *all)
{
	int64_t least, most;

	least = most = 0;
	for (size_t i = 0; i < r->nturns; i++)
		for (unsigned seat = 1; seat <= r->nseats; seat++) {
			least = all[i].scores[seat] < least ? all[i].scores[seat] : least;
			most = all[i].scores[seat] > most ? all[i].scores[seat] : most;
		}
	if (most == least || r->nturns < 3)
		return;
	begin_curves(out, r, "Points after each turn");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		begin_curve(out, seat);
		for (size_t i = 0; i < r->nturns; i++)
			strbuf_addf(out, "%c%d %d", i ? 'L' : 'M', (int)i * CURVE_STEP,
			            CURVE_HIGH - (int)((all[i].scores[seat] - least) *
			                               CURVE_HIGH / (most - least)));
		end_curve(out, r, seat);
	}
	add_ways(out, r);
	strbuf_addf(
	    out,
	    "<path class=\"here\" id=\"here\" data-step=\"%d\" d=\"M0 0v%d\"/>\n</svg>\n"
	    "<figcaption>Points after each turn, from %lld to %lld: ",
	    CURVE_STEP, CURVE_HIGH, (long long)least, (long long)most);
	end_curves(out, r);
}

/* The chances to win, where bots have worked them out. */
static void add_chances(struct strbuf *out, const struct record *r,
                        const struct analysis *analysis)
{
	enum { ALL = 1000, A_PERCENT = 10 };

	if (r->nturns < 3)
		return;
	begin_curves(out, r, "Chances to win after each turn");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		begin_curve(out, seat);
		for (size_t i = 0; i < analysis->nturns; i++)
			strbuf_addf(out, "%c%d %d", i ? 'L' : 'M',
			            (int)analysis->turns[i].index * CURVE_STEP,
			            CURVE_HIGH -
			                analysis->turns[i].chance[seat] * CURVE_HIGH / ALL);
		end_curve(out, r, seat);
	}
	add_ways(out, r);
	strbuf_addf(
	    out,
	    analysis->ahead > 0
		? "</svg>\n<figcaption>Chances to win after each turn, from 0 to 100 percent, as "
		  "bots see them that look %u turns ahead, %u times: "
		: "</svg>\n<figcaption>Chances to win after each turn, from 0 to 100 percent, by "
		  "bots that went on playing from there %u times (give or take %u): ",
	    analysis->ahead > 0 ? analysis->ahead : analysis->games,
	    analysis->ahead > 0 ? analysis->games : analysis->margin / A_PERCENT);
	end_curves(out, r);
}

/* What the whole game was like, and a way to each turn. */
static void add_overview(struct strbuf *out, struct archive *a, const struct analysis *analysis)
{
	struct arena *arena = arena_new();
	const struct game_result *all = results_of(a, arena);

	strbuf_adds(out, "<details id=\"overview\"><summary>All turns</summary>\n");
	if (all)
		add_points(out, &a->record, all);
	if (analysis)
		add_chances(out, &a->record, analysis);
	strbuf_adds(out, "<ol id=\"turns\" start=\"0\">\n");
	for (size_t i = 0; i < a->record.nturns; i++) {
		strbuf_addf(out, "<li><a href=\"#turn-%u\">", a->record.turns[i].serial);
		web_add_text(out, a->record.turns[i].label);
		strbuf_adds(out, "</a></li>\n");
	}
	strbuf_adds(out, "</ol>\n");
	strbuf_adds(out, "</details>\n");
	arena_free(arena);
}

static void add_fork(struct strbuf *out, const struct record_fork *f)
{
	if (f->game == NULL)
		return;
	struct strbuf game = STRBUF_INIT, instance = STRBUF_INIT;

	add_text(&game, f->game);
	add_text(&instance, f->instance);
	strbuf_addf(out, "<p>Goes on from %s of %s, after its turn with serial %u.</p>\n",
	            game.ptr, instance.ptr, f->serial);
	strbuf_release(&game);
	strbuf_release(&instance);
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

static void open_view(struct strbuf *out, const struct record *r, unsigned seat)
{
	struct strbuf who = STRBUF_INIT;

	add_text(&who, seat == 0 ? "everybody" : r->seats[seat].name);
	strbuf_addf(out, "<div class=\"view\" data-seat=\"%u\">\n<h3>As seen by %s</h3>\n",
	            seat, who.ptr);
	strbuf_release(&who);
}

/* All that everybody may see; then of each seat the parts that it saw otherwise. */
static void add_views(struct strbuf *out, struct archive *a, size_t i)
{
	struct arena *arena = arena_new();
	struct doc *all = replay_view(a, i, 0, arena);

	if (all == NULL) {
		strbuf_adds(out,
		            "<p>The position stays hidden until the game has ended.</p>\n");
	} else {
		open_view(out, &a->record, 0);
		web_add_doc(out, all);
		strbuf_adds(out, "</div>\n");
	}
	for (unsigned seat = 1; all && seat <= replay_seats(a); seat++) {
		struct strbuf own = STRBUF_INIT;

		if (web_add_doc_beside(&own, replay_view(a, i, seat, arena), all)) {
			open_view(out, &a->record, seat);
			strbuf_add_span(out, strbuf_span(&own));
			strbuf_adds(out, "</div>\n");
		}
		strbuf_release(&own);
	}
	arena_free(arena);
}

static void add_result(struct strbuf *out, const struct archive *a)
{
	const struct record *r = &a->record;
	bool is_over = strcmp(r->end_status, "over") == 0;

	struct strbuf when = STRBUF_INIT;
	utc_format_human(&when, r->ended_utc);
	if (is_over)
		strbuf_addf(out, "<h2>The end</h2>\n<p>The game was over on %s.</p>\n",
		            when.ptr);
	else
		strbuf_addf(out, "<h2>Broken off</h2>\n<p>The game was %s on %s.</p>\n",
		            r->end_status, when.ptr);
	strbuf_release(&when);
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
static void add_end(struct strbuf *out, const struct archive *a,
                    const struct replay_links *links)
{
	strbuf_adds(out, "<footer>\n<div id=\"result\">\n");
	if (a->record.ended)
		add_result(out, a);
	else
		strbuf_adds(out, "<p>This game is still running.</p>\n");
	if (!a->record.ended && links && links->due_utc != 0) {
		struct strbuf when = STRBUF_INIT;

		utc_format_human(&when, links->due_utc);
		strbuf_addf(out, "<p>Orders for the next turn are due %s.</p>\n", when.ptr);
		strbuf_release(&when);
	}
	strbuf_adds(
	    out, "</div>\n<p>This page was made from the record of the game, which was checked "
		 "first. The proofs are in the record, not here: <code>molepost verify</code> "
		 "checks it, and its manual page molepost-archive(5) says what that "
		 "proves.</p>\n</footer>\n");
}

void replay_html(struct archive *a, const struct replay_links *links,
                 const struct analysis *analysis, struct strbuf *out)
{
	strbuf_adds(
	    out, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
		 "<head>\n<meta charset=\"utf-8\"/>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
		 "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	add_title(out, a);
	strbuf_adds(out, "</title>\n");
	if (links && links->feed)
		strbuf_addf(
		    out,
		    "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"%s\"/>\n",
		    links->feed);
	strbuf_addf(out, "<style>\n%s%s</style>\n</head>\n", web_style, page_style);
	strbuf_adds(out, "<body>\n<header>\n");
	add_links(out, links);
	const struct record *r = &a->record;

	strbuf_adds(out, "<h1>");
	add_title(out, a);
	strbuf_adds(out, "</h1>\n<p>");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_addf(out, "%s<bdi>", seat > 1 ? ", " : "");
		add_text(out, r->seats[seat].name);
		strbuf_addf(out, "</bdi>%s", r->seats[seat].bot ? " (bot)" : "");
	}
	strbuf_adds(out, "</p>\n");
	add_fork(out, &a->record.fork);
	strbuf_adds(out, "</header>\n");
	add_controls(out, a);
	strbuf_adds(out, "<main>\n");
	for (size_t i = 0; i < a->record.nturns; i++) {
		const struct record_turn *t = &a->record.turns[i];

		strbuf_addf(out, "<section class=\"turn\" id=\"turn-%u\">\n<h2>", t->serial);
		web_add_text(out, t->label);
		struct strbuf when = STRBUF_INIT;
		utc_format_human(&when, t->dropped_utc != 0 ? t->dropped_utc : t->sealed_utc);
		strbuf_addf(out,
		            t->dropped_utc != 0
		                ? "</h2>\n<p class=\"sealed\">Broken off %s</p>\n"
		                : "</h2>\n<p class=\"sealed\">Sealed %s</p>\n",
		            when.ptr);
		strbuf_release(&when);
		add_orders(out, &a->record, t);
		add_views(out, a, i);
		strbuf_adds(out, "</section>\n");
	}
	strbuf_adds(out, "</main>\n");
	add_overview(out, a, analysis);
	add_end(out, a, links);
	strbuf_addf(out, "<script>\n%s%s</script>\n</body>\n</html>\n", page_script,
	            page_script_end);
}
