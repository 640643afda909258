/*
 * cmd_log.c - `molepost log`: what has happened here, line by line.
 */
#include <stdio.h>
#include <string.h>

#include "processor/base/clock.h"
#include "processor/base/utf8.h"
#include "processor/calendar/deadline.h"
#include "processor/cli/command_line.h"
#include "processor/commandtext/command_text.h"
#include "processor/match/match.h"
#include "processor/server/server.h"
#include "reports/json.h"
#include "store/games.h"
#include "store/unread_clauses.h"

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

enum { DAY_S = 24 * 3600 };

struct listing {
	struct cli *cli;
	struct server *srv;
	bool json;
	struct strbuf line;
	size_t n;
};

static void add_string(struct listing *l, const char *name, struct span value)
{
	if (value.len > 0)
		json_add_text(&l->line, name, value);
}

static enum err print(void *ctx, const struct event *e)
{
	struct listing *l = ctx;

	strbuf_clear(&l->line);
	if (l->json) {
		json_open(&l->line, NULL, '{');
		json_add_number(&l->line, "at_utc", e->at_utc);
		add_string(l, "event", span_of(event_kind_name(e->kind)));
		if (e->kind == EVENT_RUN) {
			json_add_number(&l->line, "mails_in", e->mails);
			json_add_number(&l->line, "turns", e->turns);
			json_add_number(&l->line, "mails_out", e->sent);
			json_add_number(&l->line, "failed", e->failed);
		} else if (e->kind != EVENT_TOLD) {
			json_add_number(&l->line, e->kind == EVENT_TURN ? "serial" : "id",
			                e->id);
		}
		if (e->game != 0)
			add_string(l, "game", span_of(event_game_name(l->srv, e->game)));
		if (e->seat != 0)
			json_add_number(&l->line, "seat", e->seat);
		if (e->player != 0)
			json_add_number(&l->line, "player", e->player);
		add_string(l, "by", e->kind == EVENT_NOTED ? e->name : SPAN_EMPTY);
		add_string(l, "mail", e->kind == EVENT_FAILED ? e->name : SPAN_EMPTY);
		add_string(l, "text", e->text);
		strbuf_addc(&l->line, '}');
	} else {
		utc_format_iso(&l->line, e->at_utc);
		strbuf_adds(&l->line, "  ");
		event_add_text(l->srv, e, &l->line);
	}
	l->n++;
	return fprintf(l->cli->out, "%s\n", l->line.ptr) < 0
	           ? err_set_errno(&l->srv->fail, ERR_IO, "writing the log")
	           : ERR_NONE;
}

struct log_options {
	int64_t since_s, game;
	char letter; /* of `game`; 0 = all games */
	bool json, unread;
};

/* "24h" as well as "24H". */
static bool read_since(const char *text, int64_t *seconds)
{
	struct strbuf upper = STRBUF_INIT;

	for (const char *c = text; *c; c++)
		strbuf_addc(&upper, *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
	bool ok = interval_parse(strbuf_span(&upper), seconds);
	strbuf_release(&upper);
	return ok;
}

static bool read_options(int argc, char **argv, struct log_options *o)
{
	*o = (struct log_options){.since_s = DAY_S};
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--json") == 0)
			o->json = true;
		else if (strcmp(argv[i], "--not-understood") == 0)
			o->unread = true;
		else if (strcmp(argv[i], "--since") == 0 && read_since(value, &o->since_s))
			i++;
		else if (strcmp(argv[i], "--game") == 0 &&
		         parse_game_id(span_of(value), &o->game, &o->letter))
			i++;
		else
			return false;
	}
	return true;
}

static enum err list(struct cli *cli, struct server *srv, void *ctx)
{
	const struct log_options *o = ctx;
	struct listing l = {.cli = cli, .srv = srv, .json = o->json, .line = STRBUF_INIT};

	if (o->game != 0)
		TRY(match_check_letter(srv, o->game, o->letter));
	enum err rc = event_log(srv->store, srv->now_utc - o->since_s, o->game, print, &l);
	strbuf_release(&l.line);
	if (rc == ERR_NONE && l.n == 0 && !o->json)
		fprintf(cli->out, "Nothing has happened in that time.\n");
	return rc;
}

/* What mails said of which nothing was understood; of all games. */
static enum err list_unread(struct cli *cli, struct server *srv, void *ctx)
{
	const struct log_options *o = ctx;
	struct listing l = {.cli = cli, .srv = srv, .line = STRBUF_INIT};
	struct unread_clause *rows;

	TRY(unread_clauses_since(srv->store, srv->now_utc - o->since_s, srv->arena, &rows,
	                         &l.n));
	for (size_t i = 0; i < l.n; i++) {
		strbuf_clear(&l.line);
		if (o->json) {
			json_open(&l.line, NULL, '{');
			json_add_number(&l.line, "at_utc", rows[i].at_utc);
			add_string(&l, "kind", rows[i].kind);
			add_string(&l, "text", rows[i].text);
			strbuf_addc(&l.line, '}');
		} else {
			utc_format_iso(&l.line, rows[i].at_utc);
			strbuf_addf(&l.line, "  %-14.*s  %.*s",
			            SPAN_ARGS(rows[i].kind.len ? rows[i].kind : SPAN_LIT("-")),
			            SPAN_ARGS(rows[i].text));
		}
		fprintf(cli->out, "%s\n", l.line.ptr);
	}
	strbuf_release(&l.line);
	if (l.n == 0 && !o->json)
		fprintf(cli->out, "No mail was left without an order, a command or a question "
		                  "in that time.\n");
	return ERR_NONE;
}

int cmd_log(struct cli *cli, int argc, char **argv)
{
	struct log_options o;

	return read_options(argc, argv, &o)
	           ? cli_with_server(cli, STORE_READ_ONLY, o.unread ? list_unread : list, &o)
	           : cli_usage(cli);
}
