/*
 * game_pages.c - one game: its turns as a page and as a feed, its record, and how lists name it.
 */
#include "processor/archive/parsed.h"
#include "processor/base/clock.h"
#include "processor/base/file.h"
#include "processor/match/match_record.h"
#include "processor/replay/replay.h"
#include "processor/website/private.h"
#include "reports/web.h"

/*
 * ---- The turns as an Atom feed (RFC 4287) ----
 *
 * An entry keeps its id for ever (RFC 4151, from the server's address and the day on which the game
 * was made), so a reader shows each turn once, wherever the folder is served.
 */

enum { ENTRIES_MOST = 20 };

static void add_time(struct strbuf *out, int64_t t_utc)
{
	strbuf_adds(out, "<updated>");
	utc_format_iso(out, t_utc);
	strbuf_adds(out, "</updated>\n");
}

static void add_id(struct strbuf *out, const struct config *cfg, const char *game,
                   const struct record *r, const char *entry)
{
	struct utc_time made = utc_split(r->created_utc);

	strbuf_adds(out, "<id>tag:");
	web_add_text(out, span_of(cfg->address));
	strbuf_addf(out, ",%04d-%02d-%02d:%s/%s%s</id>\n", made.year, made.month, made.day,
	            cfg->instance, game, entry);
}

static void add_title(struct strbuf *out, const char *game, struct span what)
{
	strbuf_addf(out, "<title>%s, ", game);
	web_add_text(out, what);
	strbuf_adds(out, "</title>\n");
}

/* What happened and the points, as everybody may see them. */
static void add_feed_turn(struct strbuf *out, const struct config *cfg, const char *game,
                          struct archive *a, size_t i)
{
	const struct record_turn *t = &a->record.turns[i];
	struct arena *arena = arena_new();
	const struct doc *view = replay_view(a, i, 0, arena);
	const char *entry = arena_printf(arena, "/turn-%u", t->serial);

	strbuf_adds(out, "<entry>\n");
	add_title(out, game, t->label);
	add_id(out, cfg, game, &a->record, entry);
	add_time(out, t->dropped_utc != 0 ? t->dropped_utc : t->sealed_utc);
	strbuf_addf(out, "<link href=\"%s.html#turn-%u\"/>\n", game, t->serial);
	strbuf_adds(out, "<content type=\"xhtml\"><div "
	                 "xmlns=\"http://www.w3.org/1999/xhtml\">\n");
	if (t->dropped_utc != 0) {
		strbuf_adds(out, "<p>This turn was broken off.</p>\n");
	} else if (view == NULL) {
		strbuf_adds(out,
		            "<p>The position stays hidden until the game has ended.</p>\n");
	} else {
		web_add_part(out, view, DOC_STORY);
		web_add_part(out, view, DOC_SCORES);
	}
	strbuf_adds(out, "</div></content>\n</entry>\n");
	arena_free(arena);
}

static void add_end(struct strbuf *out, const struct config *cfg, const char *game,
                    const struct archive *a)
{
	struct strbuf outcome = STRBUF_INIT;

	replay_add_outcome(a, &outcome);
	strbuf_addf(out, "<entry>\n<title>%s: %s</title>\n", game,
	            outcome.len > 0 ? outcome.ptr : "the game has ended");
	add_id(out, cfg, game, &a->record, "/end");
	add_time(out, a->record.ended_utc);
	strbuf_addf(
	    out,
	    "<link href=\"%s.html\"/>\n<summary>The game has ended, and all of it can be "
	    "looked at.</summary>\n</entry>\n",
	    game);
	strbuf_release(&outcome);
}

static void add_feed(struct strbuf *out, const struct config *cfg, const char *game,
                     struct archive *a)
{
	const struct record *r = &a->record;
	const struct record_turn *last = &r->turns[r->nturns - 1];
	int64_t newest = last->dropped_utc != 0 ? last->dropped_utc : last->sealed_utc;

	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	                 "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en\">\n");
	add_title(out, game, span_of(r->rules->title));
	add_id(out, cfg, game, r, "");
	add_time(out, r->ended ? r->ended_utc : newest);
	strbuf_adds(out, "<author><name>");
	web_add_text(out, span_of(cfg->from_name));
	strbuf_addf(out,
	            "</name></author>\n<link rel=\"self\" href=\"%s.xml\"/>\n"
	            "<link href=\"%s.html\"/>\n",
	            game, game);
	if (r->ended)
		add_end(out, cfg, game, a);
	for (size_t i = r->nturns; i > 0 && r->nturns - i < ENTRIES_MOST; i--)
		add_feed_turn(out, cfg, game, a, i - 1);
	strbuf_adds(out, "</feed>\n");
}

/* ---- the files ---- */

static void add_line(struct strbuf *out, const struct match *match, const struct archive *a,
                     int64_t due_utc)
{
	const struct record *r = &a->record;

	strbuf_addf(out, "<a href=\"games/%s.html\">%s, %s</a>", match->id, match->id,
	            match->rules->title);
	if (match->game.title.len > 0) {
		strbuf_adds(out, " &quot;<bdi>");
		web_add_text(out, match->game.title);
		strbuf_adds(out, "</bdi>&quot;");
	}
	if (!span_eq_str(span_of(match->id),
	                 r->game)) { /* its page has the name of its record */
		strbuf_adds(out, ", which was ");
		web_add_text(out, span_of(r->game));
		strbuf_adds(out, " of ");
		web_add_text(out, span_of(r->instance));
	}
	strbuf_adds(out, ": ");
	if (!r->ended) {
		web_add_text(out, match->turn.label);
		if (due_utc != 0) {
			strbuf_adds(out, ", orders due ");
			utc_format_human(out, due_utc);
		}
	} else {
		size_t before = out->len;

		replay_add_outcome(a, out);
		strbuf_adds(out, out->len > before                             ? ""
		                 : span_eq_str(span_of(r->end_status), "over") ? "no winner"
		                                                               : r->end_status);
		strbuf_adds(out, ", ");
		utc_format_human(out, r->ended_utc);
	}
	strbuf_adds(out, ". ");
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		strbuf_adds(out, seat > 1 ? ", <bdi>" : "<bdi>");
		web_add_text(out, span_of(r->seats[seat].name));
		strbuf_adds(out, r->seats[seat].bot ? "</bdi> (bot)" : "</bdi>");
	}
	strbuf_addc(out, '.');
}

static enum err write_files(struct server *srv, const char *dir, const struct match *match,
                            struct span record, struct archive *a, int64_t due_utc)
{
	struct strbuf text = STRBUF_INIT;
	struct replay_links links = {
	    .games = "../index.html",
	    .feed = arena_printf(match->arena, "%s.xml", match->id),
	    .record = arena_printf(match->arena, "%s.txt", match->id),
	    .due_utc = due_utc,
	};
	const char *path = arena_printf(match->arena, "%s/games/%s", dir, match->id);

	replay_html(a, &links, NULL, &text);
	enum err rc = file_replace(arena_printf(match->arena, "%s.html", path),
	                           strbuf_span(&text), &srv->fail);
	if (rc == ERR_NONE) {
		strbuf_clear(&text);
		add_feed(&text, &srv->cfg, match->id, a);
		rc = file_replace(arena_printf(match->arena, "%s.xml", path),
		                  strbuf_span(&text), &srv->fail);
	}
	if (rc == ERR_NONE)
		rc = file_replace(arena_printf(match->arena, "%s.txt", path), record,
		                  &srv->fail);
	strbuf_release(&text);
	return rc;
}

/* Only what `molepost verify` finds to hold is shown. */
static enum err write_checked(struct server *srv, const char *dir, const struct match *match,
                              struct span record, int64_t due_utc, struct span *line)
{
	struct archive_report report;
	struct archive *a = NULL;
	struct strbuf text = STRBUF_INIT;
	enum err rc = ERR_NONE;

	archive_verify(record, NULL, NULL, &report);
	if (!archive_holds(&report))
		rc = err_set(&srv->fail, ERR_CORRUPT, "its record does not hold, line %u: %s",
		             report.line, report.why.ptr);
	if (rc == ERR_NONE)
		rc = archive_open(record, &a, &srv->fail);
	if (rc == ERR_NONE)
		rc = write_files(srv, dir, match, record, a, due_utc);
	if (rc == ERR_NONE) {
		add_line(&text, match, a, due_utc);
		*line = arena_dup(match->arena, strbuf_span(&text));
	}
	archive_free(a);
	archive_report_release(&report);
	strbuf_release(&text);
	return rc;
}

enum err game_pages_write(struct server *srv, const char *dir, int64_t game, int64_t due_utc,
                          struct arena *arena, struct span *line)
{
	struct strbuf record = STRBUF_INIT;
	struct match match = {0};

	/* A run at work meanwhile must not be seen half way through a turn. */
	TRY(store_begin_reading(srv->store));
	enum err rc = match_load(srv, game, arena, &match);
	if (rc == ERR_NONE)
		rc = record_text(srv, &match, &record);
	store_rollback(srv->store);
	if (rc == ERR_NONE)
		rc = write_checked(srv, dir, &match, strbuf_span(&record), due_utc, line);
	match_release(&match);
	strbuf_release(&record);
	return rc;
}
