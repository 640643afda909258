/*
 * website.c - which games have pages, and which of them have changed.
 *
 * DIR/made-from begins with a line that says whose folder this is; then, by number, a line for each game:
 * its number, a hash of what its pages were made from, its end, and how lists name it. It is written
 * when the pages of games are there, so whoever is stopped before makes them once more.
 */
#include "processor/website/website.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "processor/base/file.h"
#include "processor/base/num.h"
#include "processor/website/private.h"
#include "store/turns.h"

enum { BATCH = 200, LIST_MAX = 1 << 30 };

struct folder {
	const char *dir, *list; /* DIR/made-from */
	int lock;
	struct strbuf text; /* of the list as it was; the lines of `was` point into it */
	struct shown_games was, is;
};

static void add_game(struct shown_games *all, const struct shown_game *g)
{
	all->games = xgrow(all->games, &all->cap, all->n + 1, sizeof(all->games[0]));
	all->games[all->n++] = *g;
}

/* ---- the folder ---- */

/* For everybody to read; one that is there stays as it is. */
static enum err make_folder(struct server *srv, const char *path)
{
	if (mkdir(path, 0700) == 0)
		return chmod(path, 0755) == 0
		           ? ERR_NONE
		           : err_set_errno(&srv->fail, ERR_IO, "cannot open up %s", path);
	return errno == EEXIST
	           ? ERR_NONE
	           : err_set_errno(&srv->fail, ERR_IO, "cannot make the folder %s", path);
}

static void add_first_line(struct strbuf *out, const struct server *srv)
{
	strbuf_addf(out, "molepost site 1 of %s\n", srv->cfg.instance);
}

static bool read_line(struct span line, struct shown_game *g)
{
	struct span id, hash, ended;

	if (!span_next_field(&line, ' ', &id) || !span_next_field(&line, ' ', &hash) ||
	    !span_next_field(&line, ' ', &ended))
		return false;
	g->line = line;
	return num_parse_i64(id, 1, INT64_MAX, &g->id) && hash_parse(hash, &g->made_from) &&
	       num_parse_i64(ended, 0, INT64_MAX, &g->ended_utc) && g->line.len > 0;
}

/* A list that is damaged behind its first line is as good as none from there on. */
static enum err read_list(struct server *srv, struct folder *f)
{
	struct strbuf first = STRBUF_INIT;
	struct shown_game g;
	struct span rest, line;
	enum err rc = file_read(f->list, LIST_MAX, &f->text, &srv->fail);

	if (rc == ERR_NOT_FOUND) {
		if (!file_exists(arena_printf(srv->arena, "%s/index.html", f->dir)))
			return ERR_NONE;
		return err_set(&srv->fail, ERR_EXISTS,
		               "%s holds an index.html that is not from here; name a folder "
		               "that is empty or not there yet",
		               f->dir);
	}
	TRY(rc);
	add_first_line(&first, srv);
	rest = strbuf_span(&f->text);
	if (!span_starts(rest, first.ptr))
		rc =
		    err_set(&srv->fail, ERR_EXISTS,
		            "%s holds the pages of another server: its file made-from does not "
		            "begin with '%.*s'",
		            f->dir, (int)first.len - 1, first.ptr);
	strbuf_release(&first);
	TRY(rc);
	(void)span_next_line(&rest, &line);
	while (span_next_line(&rest, &line) && read_line(line, &g))
		add_game(&f->was, &g);
	return ERR_NONE;
}

static enum err open_folder(struct server *srv, struct folder *f)
{
	TRY(make_folder(srv, f->dir));
	f->lock = open(f->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->lock < 0)
		return err_set_errno(&srv->fail, ERR_IO, "cannot open the folder %s", f->dir);
	if (flock(f->lock, LOCK_EX | LOCK_NB) != 0)
		return errno == EWOULDBLOCK
		           ? err_set(&srv->fail, ERR_BUSY,
		                     "the pages in %s are being written just now", f->dir)
		           : err_set_errno(&srv->fail, ERR_IO, "cannot lock %s", f->dir);
	TRY(read_list(srv, f));
	return make_folder(srv, arena_printf(srv->arena, "%s/games", f->dir));
}

static enum err write_list(struct server *srv, const struct folder *f)
{
	struct strbuf text = STRBUF_INIT;

	add_first_line(&text, srv);
	for (size_t i = 0; i < f->is.n; i++) {
		const struct shown_game *g = &f->is.games[i];

		strbuf_addf(&text, "%lld ", (long long)g->id);
		hash_add_hex(&text, &g->made_from);
		strbuf_addf(&text, " %lld ", (long long)g->ended_utc);
		strbuf_add_span(&text, g->line);
		strbuf_addc(&text, '\n');
	}
	enum err rc = span_eq(strbuf_span(&text), strbuf_span(&f->text))
	                  ? ERR_NONE
	                  : file_replace(f->list, strbuf_span(&text), &srv->fail);
	strbuf_release(&text);
	return rc;
}

/* ---- games ---- */

/* All that the pages of this game depend on. The head stands for the whole record. */
static struct hash made_from(const struct server *srv, const struct game *g, int64_t due_utc,
                             const char *made_by)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s\n%s\n%s\n%lld %d %u %lld %lld ", made_by, srv->cfg.address,
	            srv->cfg.from_name, (long long)g->id, (int)g->status, g->record_lines,
	            (long long)g->ended_utc, (long long)due_utc);
	hash_add_hex(&text, &g->record_head);
	struct hash hash = hash_of(strbuf_span(&text));
	strbuf_release(&text);
	return hash;
}

static enum err show_game(struct server *srv, struct folder *f, const struct game *g,
                          const struct shown_game *was, const char *made_by,
                          struct website_counts *counts)
{
	struct arena *arena = arena_new();
	struct shown_game now = {.id = g->id, .ended_utc = g->ended_utc};
	struct turn turn = {0};
	enum err rc = g->status == GAME_RUNNING && !g->held
	                  ? turn_get(srv->store, g->id, g->serial, arena, &turn)
	                  : ERR_NONE;

	if (rc == ERR_NONE) {
		/* As everybody is told it; 0 while the clock stands. */
		int64_t due_utc = turn.state == TURN_OPEN ? turn.deadline_utc : 0;
		now.made_from = made_from(srv, g, due_utc, made_by);
		if (was && hash_eq(&was->made_from, &now.made_from)) {
			now.line = was->line;
		} else {
			rc = game_pages_write(srv, f->dir, g->id, due_utc, arena, &now.line);
			counts->made += rc == ERR_NONE;
		}
	}
	if (rc != ERR_NONE && server_blames_game(rc)) {
		log_warnx(srv->log, "site: game %lld has no new pages: %s", (long long)g->id,
		          server_why(srv, rc));
		counts->failed++;
		rc = ERR_NONE;
		if (was)
			now = *was;
	}
	now.line = arena_dup(srv->arena, now.line);
	arena_free(arena);
	if (rc == ERR_NONE && now.line.len > 0)
		add_game(&f->is, &now);
	return rc;
}

static void remove_pages(struct server *srv, const struct folder *f, const struct shown_game *g,
                         struct website_counts *counts)
{
	static const char *const ends[] = {"html", "xml", "txt"};
	const struct span before = SPAN_LIT("<a href=\"games/");
	struct span id = g->line;

	if (!span_starts(id, before.ptr))
		return;
	id = span_slice(id, before.len, id.len);
	id = span_slice(id, 0, span_find_char(id, '.'));
	if (span_find_char(id, '/') < id.len)
		return;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		(void)unlink(arena_printf(srv->arena, "%s/games/%.*s.%s", f->dir, SPAN_ARGS(id),
		                          ends[i]));
	counts->removed++;
}

/* Both lists are by number: what the old one has and the new one has not is taken away. */
static enum err show_games(struct server *srv, struct folder *f, const char *made_by,
                           struct website_counts *counts)
{
	int64_t after = 0;
	size_t at = 0, n = BATCH;
	enum err rc = ERR_NONE;

	while (rc == ERR_NONE && n == BATCH) {
		struct arena *arena = arena_new();
		struct game *games;

		rc = game_list(srv->store, ~0u, after, BATCH, arena, &games, &n);
		for (size_t i = 0; rc == ERR_NONE && i < n; i++) {
			after = games[i].id;
			for (; at < f->was.n && f->was.games[at].id < after; at++)
				remove_pages(srv, f, &f->was.games[at], counts);
			const struct shown_game *was =
			    at < f->was.n && f->was.games[at].id == after ? &f->was.games[at]
									  : NULL;
			/* Everybody may watch it, and it has had a turn at least: its set-up. */
			if (!games[i].is_private && games[i].status != GAME_GATHERING &&
			    (games[i].record_lines > 0 || games[i].origin == GAME_IMPORTED))
				rc = show_game(srv, f, &games[i], was, made_by, counts);
			else if (was)
				remove_pages(srv, f, was, counts);
			at += was != NULL;
		}
		arena_free(arena);
	}
	for (; rc == ERR_NONE && at < f->was.n; at++)
		remove_pages(srv, f, &f->was.games[at], counts);
	return rc;
}

enum err website_write(struct server *srv, const char *dir, const char *made_by,
                       struct website_counts *out)
{
	struct folder f = {.dir = dir,
	                   .list = arena_printf(srv->arena, "%s/made-from", dir),
	                   .lock = -1,
	                   .text = STRBUF_INIT};

	*out = (struct website_counts){0};
	enum err rc = open_folder(srv, &f);
	if (rc == ERR_NONE)
		rc = show_games(srv, &f, made_by, out);
	if (rc == ERR_NONE)
		rc = write_list(srv, &f);
	out->games = (unsigned)f.is.n;
	if (rc == ERR_NONE)
		rc = list_pages_write(srv, dir, &f.is, out);
	if (f.lock >= 0)
		close(f.lock);
	free(f.was.games);
	free(f.is.games);
	strbuf_release(&f.text);
	return rc;
}
