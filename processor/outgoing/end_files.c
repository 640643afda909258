/*
 * end_files.c - replay page and record, made when the mail is sent.
 */
#include "processor/outgoing/end_files.h"

#include "processor/match/match_record.h"
#include "processor/replay/replay.h"

static void add_file(struct end_files *f, const char *game, const char *what, const char *type,
                     const struct strbuf *text)
{
	f->files[f->n++] =
	    (struct mail_file){.name = arena_printf(f->arena, "%s-%s", game, what),
	                       .type = type,
	                       .bytes = arena_dup(f->arena, strbuf_span(text))};
}

static void add_page(struct server *srv, const char *game, const struct strbuf *record,
                     struct end_files *f)
{
	struct strbuf page = STRBUF_INIT;
	struct archive *archive = NULL;

	if (archive_open(strbuf_span(record), &archive, &srv->fail) == ERR_NONE) {
		replay_html(archive, NULL, NULL, &page);
		add_file(f, game, "replay.html", "text/html; charset=utf-8", &page);
	}
	archive_free(archive);
	strbuf_release(&page);
}

static enum err make_files(struct server *srv, int64_t game, struct end_files *f)
{
	struct strbuf record = STRBUF_INIT;
	struct match match;
	enum err rc = match_load(srv, game, f->arena, &match);

	if (rc == ERR_NONE)
		rc = record_text(srv, &match, &record);
	if (rc == ERR_NONE) {
		add_page(srv, match.id, &record, f);
		add_file(f, match.id, "record.txt", "text/plain; charset=utf-8", &record);
	}
	match_release(&match);
	strbuf_release(&record);
	return rc;
}

enum err end_files_load(struct server *srv, int64_t game, struct end_files *f)
{
	if (f->game == game)
		return ERR_NONE;
	end_files_release(f);
	f->arena = arena_new();
	f->game = game;
	enum err rc = make_files(srv, game, f);
	if (rc == ERR_NONE || !server_blames_game(rc))
		return rc;
	log_warnx(srv->log, "the end of game %lld is told without its record: %s",
	          (long long)game, server_why(srv, rc));
	f->n = 0;
	return ERR_NONE;
}

void end_files_release(struct end_files *f)
{
	arena_free(f->arena);
	*f = (struct end_files){0};
}
