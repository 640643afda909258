/*
 * feed.c - the turns of one game as an Atom feed (RFC 4287).
 *
 * An entry keeps its id for ever (RFC 4151, from the server's address and the day on which the game
 * was made), so a reader shows each turn once, wherever the folder is served.
 */
#include "processor/archive/parsed.h"
#include "processor/base/clock.h"
#include "processor/replay/replay.h"
#include "processor/website/private.h"
#include "reports/web.h"

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
static void add_turn(struct strbuf *out, const struct config *cfg, const char *game,
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

void feed_add(struct strbuf *out, const struct config *cfg, const char *game, struct archive *a)
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
		add_turn(out, cfg, game, a, i - 1);
	strbuf_adds(out, "</feed>\n");
}
