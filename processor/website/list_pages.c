/*
 * list_pages.c - the index, the lists of games, and the ratings.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/archive/archive.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/base/mailto.h"
#include "processor/commands/commands.h"
#include "processor/match/rating.h"
#include "processor/outgoing/puzzle.h"
#include "processor/request/join_rules.h"
#include "processor/website/private.h"
#include "reports/web.h"
#include "store/ratings.h"

enum { OPEN_MOST = 100, INDEX_MOST = 20, RATED_MOST = 100, PAGE_MAX = 64 << 20 };

static const char list_style[] =
    "body{font-family:system-ui,sans-serif;line-height:1.5;max-width:48rem;margin:0 auto;"
    "padding:0 1rem 2rem;color:var(--ink);background:var(--paper);overflow-wrap:break-word}\n"
    "h1{font-size:1.5rem;margin:.8rem 0 .2rem}h2{font-size:1.2rem;margin:1.4rem 0 .3rem}\n"
    "ul{padding-left:1.3rem}li{margin:.5rem 0}nav a{margin-right:1rem}\n"
    "a{color:inherit}small{color:var(--soft)}\n";

static void start_page(struct strbuf *out, const struct config *cfg, const char *title)
{
	strbuf_adds(
	    out, "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
		 "<head>\n<meta charset=\"utf-8\"/>\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'unsafe-inline'\"/>\n"
		 "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>");
	web_add_text(out, span_of(title));
	strbuf_adds(out, ", ");
	web_add_text(out, span_of(cfg->from_name));
	strbuf_addf(out, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<header>\n<h1>",
	            web_style, list_style);
	web_add_text(out, span_of(title));
	strbuf_adds(
	    out,
	    "</h1>\n<nav><a href=\"index.html\">Games</a> "
	    "<a href=\"ratings.html\">Ratings</a> "
	    "<a href=\"verify.html\">Did the server cheat?</a></nav>\n</header>\n<main>\n");
}

static void end_page(struct strbuf *out)
{
	strbuf_adds(out, "</main>\n</body>\n</html>\n");
}

/* Leaves alone what is there with the same bytes. */
static enum err write_page(struct server *srv, const char *dir, const char *name,
                           struct span page, struct website_counts *counts)
{
	struct strbuf there = STRBUF_INIT;
	struct failure e = ERR_INIT;
	const char *path = arena_printf(srv->arena, "%s/%s", dir, name);
	bool same = file_read(path, PAGE_MAX, &there, &e) == ERR_NONE &&
	            span_eq(strbuf_span(&there), page);

	strbuf_release(&there);
	err_release(&e);
	if (same)
		return ERR_NONE;
	counts->lists++;
	return file_replace(path, page, &srv->fail);
}

/* A link that begins a mail with this line. */
static void add_mail_link(struct strbuf *out, const struct config *cfg, const char *line,
                          const char *words)
{
	struct strbuf url = STRBUF_INIT;

	mailto_add(&url, &(struct mailto){.address = span_of(cfg->address),
	                                  .subject = span_of(line),
	                                  .body = span_of(line)});
	strbuf_adds(out, "<a href=\"");
	web_add_text(out, strbuf_span(&url));
	strbuf_addf(out, "\">%s</a>", words);
	strbuf_release(&url);
}

/* A game with a free seat, or a vacant one, in the words of LIST, and the mail that takes it. */
static void add_seat_offer(struct strbuf *out, const struct config *cfg,
                           const struct report_list_row *row)
{
	bool vacant = row->vacant > 0;
	struct strbuf terms = STRBUF_INIT, line = STRBUF_INIT, words = STRBUF_INIT;
	const struct rules *kind = rules_find(span_of(row->kind_title));

	strbuf_addf(out, "<li><b>%s, %s</b>", row->id, row->kind_title);
	if (*row->title) {
		strbuf_adds(out, " &quot;<bdi>");
		web_add_text(out, span_of(row->title));
		strbuf_adds(out, "</bdi>&quot;");
	}
	strbuf_adds(out, vacant ? ", under way: " : ": ");
	report_list_terms(row, &terms);
	web_add_text(out, strbuf_span(&terms));
	if (row->start_utc > 0) {
		strbuf_adds(out, " Begins not before ");
		utc_format_human(out, row->start_utc);
		strbuf_addc(out, '.');
	}
	strbuf_addf(&line, "%s %s", vacant ? "takeover" : "join", row->id);
	strbuf_addf(&words, vacant ? "Take a seat of %s over by mail" : "Join %s by mail",
	            row->id);
	if (!row->seats_are_kept) {
		strbuf_addc(out, ' ');
		add_mail_link(out, cfg, line.ptr, words.ptr);
	}
	if (kind)
		strbuf_addf(out, "<br/><small>%s</small>", kind->about);
	strbuf_adds(out, "</li>\n");
	strbuf_release(&terms);
	strbuf_release(&line);
	strbuf_release(&words);
}

/* Those under way, by number, then those that have ended; the last one first. */
static int compare_games(const void *left, const void *right)
{
	const struct shown_game *a = left, *b = right;

	if ((a->ended_utc == 0) != (b->ended_utc == 0))
		return a->ended_utc == 0 ? -1 : 1;
	if (a->ended_utc != b->ended_utc)
		return a->ended_utc > b->ended_utc ? -1 : 1;
	return (a->id < b->id) - (a->id > b->id);
}

/*
 * At most `most` games that are under way, or that have ended: in this year, or with year 0 in any. Returns
 * how many there are.
 */
enum which { UNDER_WAY, ENDED };
static size_t add_games(struct strbuf *out, const struct shown_games *all, enum which which,
                        int year, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct shown_game *g = &all->games[i];

		if ((g->ended_utc != 0) != (which == ENDED) ||
		    (year != 0 && utc_split(g->ended_utc).year != year) || n++ >= most)
			continue;
		strbuf_adds(out, n == 1 ? "<ul>\n<li>" : "<li>");
		strbuf_add_span(out, g->line);
		strbuf_adds(out, "</li>\n");
	}
	strbuf_adds(out, n > 0 ? "</ul>\n" : "<p>None.</p>\n");
	return n;
}

static bool has_year(const struct shown_games *all, int year)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->games[i].ended_utc != 0 &&
		    utc_split(all->games[i].ended_utc).year == year)
			return true;
	return false;
}

/* From the first to the last year in which games ended; none: from 1 to 0. `all` as sorted. */
static void years_of(const struct shown_games *all, int *from, int *until)
{
	size_t first = 0;

	while (first < all->n && all->games[first].ended_utc == 0)
		first++;
	*from = first < all->n ? utc_split(all->games[all->n - 1].ended_utc).year : 1;
	*until = first < all->n ? utc_split(all->games[first].ended_utc).year : 0;
}

static void add_years(struct strbuf *out, const struct shown_games *all)
{
	int from, until;

	years_of(all, &from, &until);
	if (from > until)
		return;
	strbuf_adds(out, "<p>All that ended:");
	for (int year = until; year >= from; year--)
		if (has_year(all, year))
			strbuf_addf(out, " <a href=\"ended-%04d.html\">%04d</a>", year, year);
	strbuf_adds(out, "</p>\n");
}

static enum err write_index(struct server *srv, const char *dir, const struct shown_games *all,
                            const struct report_list_row *rows, size_t nrows, bool puzzle,
                            struct website_counts *counts)
{
	struct strbuf page = STRBUF_INIT;
	struct arena *arena = arena_new();
	const struct rules *kind = rules_at(0);

	start_page(&page, &srv->cfg, "Games by mail");
	strbuf_adds(
	    &page,
	    "<p>Board games with hidden choices that all players make at once, played by "
	    "ordinary mail: no account, no app. Write to <a href=\"mailto:");
	web_add_text(&page, span_of(srv->cfg.address));
	strbuf_adds(&page, "?subject=help&amp;body=help\">");
	web_add_text(&page, span_of(srv->cfg.address));
	strbuf_adds(&page, "</a>, or follow a link below, which begins a mail.</p>\n");
	strbuf_adds(&page, "<h2>Games to join</h2>\n");
	if (nrows > 0)
		strbuf_adds(&page, "<ul>\n");
	for (size_t i = 0; i < nrows; i++)
		add_seat_offer(&page, &srv->cfg, &rows[i]);
	if (nrows > 0)
		strbuf_adds(&page, "</ul>\n");
	const char *create = arena_printf(arena, "create %s players %u bots 1",
	                                  join_rules_kind_words(kind, arena),
	                                  kind->usual_seats);
	strbuf_adds(&page, nrows > 0 ? "<p>Or " : "<p>No game waits for players now. ");
	add_mail_link(&page, &srv->cfg, create, nrows > 0 ? "open a game" : "Open a game");
	strbuf_adds(&page, " of your own; one seat is played by the server. Other games: ");
	add_mail_link(&page, &srv->cfg, "help", "ask for help");
	strbuf_adds(&page, ".</p>\n");
	arena_free(arena);
	if (puzzle)
		strbuf_adds(&page,
		            "<p><a href=\"puzzle.html\">The puzzle of the week</a></p>\n");
	strbuf_adds(&page, "<h2>Under way</h2>\n");
	if (add_games(&page, all, UNDER_WAY, 0, INDEX_MOST) > INDEX_MOST)
		strbuf_adds(
		    &page,
		    "<p><a href=\"running.html\">All games that are under way</a></p>\n");
	strbuf_adds(&page, "<h2>Ended</h2>\n");
	(void)add_games(&page, all, ENDED, 0, INDEX_MOST);
	add_years(&page, all);
	end_page(&page);
	enum err rc = write_page(srv, dir, "index.html", strbuf_span(&page), counts);
	strbuf_release(&page);
	return rc;
}

static enum err write_games(struct server *srv, const char *dir, const char *name,
                            const char *title, const struct shown_games *all, enum which which,
                            int year, struct website_counts *counts)
{
	struct strbuf page = STRBUF_INIT;

	start_page(&page, &srv->cfg, title);
	(void)add_games(&page, all, which, year, SIZE_MAX);
	end_page(&page);
	enum err rc = write_page(srv, dir, name, strbuf_span(&page), counts);
	strbuf_release(&page);
	return rc;
}

/* ---- ratings ---- */

static enum err add_ratings(struct strbuf *out, struct server *srv, const struct rules *kind,
                            struct arena *arena)
{
	struct rating_named *best;
	size_t n;

	TRY(rating_best(srv->store, kind ? span_of(kind->name) : SPAN_EMPTY, RATED_MOST, arena,
	                &best, &n));
	if (n == 0 && kind != NULL)
		return ERR_NONE;
	strbuf_addf(out, "<h2>%s</h2>\n", kind ? kind->title : "All games");
	if (n == 0) {
		strbuf_adds(out, "<p>Nobody has a rating yet.</p>\n");
		return ERR_NONE;
	}
	strbuf_adds(
	    out, "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Ratings\">\n"
		 "<table>\n<tr><th class=\"r\">Place</th><th>Name</th>"
		 "<th class=\"r\">Rating</th><th class=\"r\">Games</th>"
		 "<th class=\"r\">Won</th><th class=\"r\">In time</th></tr>\n");
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(out, "<tr><td class=\"r\">%zu</td><td><bdi>", i + 1);
		web_add_text(out, best[i].name);
		strbuf_addf(out,
		            "</bdi></td><td class=\"r\">%ld%s</td><td class=\"r\">%u</td>"
		            "<td class=\"r\">%u</td><td class=\"r\">%u %%</td></tr>\n",
		            rating_points(best[i].r.rating), best[i].r.provisional ? "?" : "",
		            best[i].r.games, best[i].r.wins,
		            reliability_percent(best[i].share));
	}
	strbuf_adds(out, "</table>\n</div>\n");
	return ERR_NONE;
}

static enum err write_ratings(struct server *srv, const char *dir, struct arena *arena,
                              struct website_counts *counts)
{
	struct strbuf page = STRBUF_INIT;

	start_page(&page, &srv->cfg, "Ratings");
	strbuf_addf(
	    &page,
	    "<p>From games that have ended and that at least two people began. A rating "
	    "with ? comes from fewer than %d games and may still be far off.</p>\n",
	    RATING_FIRST_GAMES);
	enum err rc = add_ratings(&page, srv, NULL, arena);
	for (size_t i = 0; rc == ERR_NONE && i < rules_count(); i++)
		rc = add_ratings(&page, srv, rules_at(i), arena);
	end_page(&page);
	if (rc == ERR_NONE)
		rc = write_page(srv, dir, "ratings.html", strbuf_span(&page), counts);
	strbuf_release(&page);
	return rc;
}

/* The newest there is; without one, or where its game cannot be read, there is no page. */
static enum err write_puzzle(struct server *srv, const char *dir, const struct puzzle *row,
                             struct arena *arena, struct website_counts *counts)
{
	struct strbuf page = STRBUF_INIT;
	struct report_puzzle r;

	if (row->game == 0)
		return ERR_NONE;
	enum err rc = puzzle_report(srv, row, &(struct mail_form){0}, arena, &r);
	if (server_blames_game(rc))
		return ERR_NONE;
	if (rc == ERR_NONE) {
		start_page(&page, &srv->cfg, "The puzzle of the week");
		report_puzzle_page(&r, &page);
		strbuf_adds(
		    &page,
		    "<p>The solution comes with the next one. By mail, with an answer to yours: ");
		add_mail_link(&page, &srv->cfg, "set puzzle on", "a puzzle on Monday");
		strbuf_adds(&page, ".</p>\n");
		end_page(&page);
		rc = write_page(srv, dir, "puzzle.html", strbuf_span(&page), counts);
	}
	strbuf_release(&page);
	return rc;
}

/* ---- all of them ---- */

/* Public games with a free or vacant seat, as LIST shows them to a stranger. */
static enum err load_offers(struct server *srv, struct arena *arena,
                            struct report_list_row **rows, size_t *n)
{
	struct game *open, *vacant;
	size_t nopen, nvacant;

	*n = 0;
	TRY(game_list_open(srv->store, OPEN_MOST, arena, &open, &nopen));
	TRY(game_list_vacant(srv->store, OPEN_MOST, arena, &vacant, &nvacant));
	*rows = arena_calloc(arena, nopen + nvacant + 1, sizeof(**rows));
	for (size_t i = 0; i < nopen + nvacant; i++) {
		struct match match;
		const struct game *g = i < nopen ? &open[i] : &vacant[i - nopen];
		enum err rc = list_row(srv, g, 0, arena, &(*rows)[*n], &match);

		match_release(&match);
		if (rc != ERR_NONE && !server_blames_game(rc))
			return rc;
		*n += rc == ERR_NONE &&
		      ((*rows)[*n].vacant > 0 || (*rows)[*n].taken < g->nseats);
	}
	return ERR_NONE;
}

enum err list_pages_write(struct server *srv, const char *dir, struct shown_games *all,
                          struct website_counts *counts)
{
	struct arena *arena = arena_new();
	struct report_list_row *rows = NULL;
	struct puzzle puzzle = {0};
	size_t nrows = 0;
	int from, until;
	enum err rc = load_offers(srv, arena, &rows, &nrows);

	if (all->n > 0)
		qsort(all->games, all->n, sizeof(all->games[0]), compare_games);
	if (rc == ERR_NONE)
		rc = puzzle_before(srv->store, INT64_MAX, arena, &puzzle);
	if (rc == ERR_NONE)
		rc = write_index(srv, dir, all, rows, nrows, puzzle.game != 0, counts);
	if (rc == ERR_NONE)
		rc = write_games(srv, dir, "running.html", "Games under way", all, UNDER_WAY, 0,
		                 counts);
	years_of(all, &from, &until);
	for (int year = from; rc == ERR_NONE && year <= until; year++)
		if (has_year(all, year))
			rc = write_games(srv, dir, arena_printf(arena, "ended-%04d.html", year),
			                 arena_printf(arena, "Games that ended in %04d", year),
			                 all, ENDED, year, counts);
	if (rc == ERR_NONE)
		rc = write_ratings(srv, dir, arena, counts);
	if (rc == ERR_NONE)
		rc = write_puzzle(srv, dir, &puzzle, arena, counts);
	if (rc == ERR_NONE)
		rc = write_page(srv, dir, "verify.html", verify_page(), counts);
	arena_free(arena);
	return rc;
}
