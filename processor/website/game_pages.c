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
		feed_add(&text, &srv->cfg, match->id, a);
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
