/*
 * event_text.c - an event as a line.
 */
#include "processor/cli/event_text.h"

#include "processor/base/utf8.h"
#include "store/games.h"

const char *event_kind_name(enum event_kind kind)
{
	static const char *const kind_names[] = {
	    [EVENT_TAKEN_IN] = "in", [EVENT_NOTED] = "note",  [EVENT_TURN] = "turn",
	    [EVENT_SENT] = "out",    [EVENT_FAILED] = "fail", [EVENT_TOLD] = "told",
	    [EVENT_RUN] = "run"};

	return kind_names[kind];
}

const char *event_game_name(struct server *srv, int64_t game)
{
	struct game g;

	return game_get(srv->store, game, srv->arena, &g) == ERR_NONE
	           ? game_id_text(&g, srv->arena)
	           : "a game that is gone";
}

static void add_game(struct server *srv, const struct event *e, const char *before,
                     struct strbuf *out)
{
	if (e->game == 0)
		return;
	strbuf_addf(out, "%s%s", before, event_game_name(srv, e->game));
	if (e->seat > 0)
		strbuf_addf(out, " seat %u", e->seat);
}

static void add_player(const struct event *e, struct strbuf *out)
{
	if (e->player != 0)
		strbuf_addf(out, "player %lld", (long long)e->player);
	else
		strbuf_adds(out, "a stranger");
}

void event_add_text(struct server *srv, const struct event *e, struct strbuf *out)
{
	strbuf_addf(out, "%-4s  ", event_kind_name(e->kind));
	switch (e->kind) {
	case EVENT_TAKEN_IN:
		strbuf_addf(out, "mail %lld of ", (long long)e->id);
		add_player(e, out);
		add_game(srv, e, ", ", out);
		strbuf_adds(out, ": ");
		utf8_add_plain(out, e->text);
		break;
	case EVENT_NOTED:
		if (e->game != 0) {
			add_game(srv, e, "", out);
			strbuf_adds(out, ", ");
		}
		utf8_add_plain(out, e->name);
		strbuf_adds(out, ": ");
		utf8_add_plain(out, e->text);
		break;
	case EVENT_TURN:
		add_game(srv, e, "", out);
		strbuf_adds(out, ", ");
		utf8_add_plain(out, e->text);
		strbuf_addf(out, " (serial %lld) is over", (long long)e->id);
		break;
	case EVENT_SENT:
	case EVENT_FAILED:
		strbuf_addf(out, "mail %lld to ", (long long)e->id);
		add_player(e, out);
		add_game(srv, e, ", ", out);
		strbuf_adds(out, ": ");
		utf8_add_plain(out, e->kind == EVENT_SENT ? e->text : e->name);
		if (e->kind == EVENT_FAILED) {
			strbuf_adds(out, ", ");
			utf8_add_plain(out, e->text);
		}
		break;
	case EVENT_TOLD:
		utf8_add_plain(out, e->text);
		break;
	case EVENT_RUN:
		strbuf_addf(out, "mails in %u, turns %u, mails out %u, failed %u", e->mails,
		            e->turns, e->sent, e->failed);
		break;
	}
}
