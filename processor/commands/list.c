/*
 * list.c - LIST: the open games, or one game in full.
 */
#include "processor/commands/commands.h"
#include "processor/match/fork.h"
#include "processor/match/match_clock.h"
#include "processor/match/press.h"
#include "processor/match/report_values.h"
#include "processor/request/join_rules.h"
#include "processor/request/request.h"
#include "processor/request/which_game.h"
#include "processor/server/zones.h"
#include "store/rematches.h"

enum err list_row(struct server *srv, const struct game *g, int64_t reader, struct arena *arena,
                  struct report_list_row *row, struct match *match)
{
	struct strbuf options = STRBUF_INIT;
	bool imported = g->origin == GAME_IMPORTED, runs;
	struct press_rules press;
	struct seat_set there = {0};
	const char *from;
	int64_t kept;
	bool asked;

	TRY(match_load(srv, g->id, arena, match));
	runs = match->has_turn && g->status == GAME_RUNNING && !g->held;
	TRY(game_provenance(srv, match, &from));
	TRY(press_rules_get(srv->store, g->id, &press));
	TRY(join_rules_kept_until(srv, g->id, &kept));
	TRY(invitation_exists(srv->store, g->id, reader, &asked));
	TRY(join_rules_add_options(srv, g, &options));
	strbuf_addc(&options, ' ');
	options_format(&match->options, OPTIONS_SHOWN, &options);
	press_add_options(&press, &options);
	*row = (struct report_list_row){
	    .id = match->id,
	    .kind_title = match->rules->title,
	    .title = arena_cstr(arena, g->title),
	    .status = game_status_name(g->status),
	    .options = arena_cstr(arena, span_trim(strbuf_span(&options))),
	    .next = imported ? NULL : report_values_interval(arena, g->next_s),
	    .pace = match_clock_words(srv, match),
	    .nseats = g->nseats,
	    .taken = match_taken(match),
	    .is_private = g->is_private,
	    .seats_are_kept = kept != 0 && !asked,
	    .secret_hash = g->secret_hash,
	    .label = match->has_turn && match->turn.serial > 0
	                 ? arena_cstr(arena, match->turn.label)
	                 : "",
	    .deadline_utc = runs && !imported ? match->turn.deadline_utc : 0,
	    .start_utc = g->start_utc > srv->now_utc ? g->start_utc : 0,
	    .from = from,
	};
	for (size_t i = 0; i < match->nseats; i++) {
		const struct seat *s = &match->seats[i];

		/* Confirmed: a name that anybody can have typed is nobody's yet. */
		if (s->player != 0 && s->confirmed && !s->resigned)
			there = seat_with(there, s->seat);
		row->bots += s->bot_level >= 0 && s->vacated_utc == 0;
		row->vacant += s->vacated_utc != 0;
	}
	row->there = match_names_in(match, there);
	strbuf_release(&options);
	return observer_count(srv->store, g->id, &row->observers);
}

/* What players want to know before they take a seat. */
static const char *misses_phrase(const struct calendar *c, struct arena *arena)
{
	if (c->misses == 0)
		return "Nobody loses a seat by sending nothing.";
	if (c->misses == 1)
		return c->vacant_bot
		           ? "If you send nothing for a turn, you lose your seat, and the "
		             "server plays it."
		           : "If you send nothing for a turn, you lose your seat.";
	return arena_printf(
	    arena,
	    c->vacant_bot ? "If you send nothing for %u turns running, you lose your seat, "
			    "and the server plays it."
			  : "If you send nothing for %u turns running, you lose your seat.",
	    c->misses);
}

static enum err send_list(struct request *req, const struct report_list *list)
{
	struct report_out out = REPORT_OUT_TO_SENDER(req);

	report_list(list, &out);
	return request_answer(req, NULL, NULL, "list", &out);
}

enum { LIST_MOST = 100 };

/* Those in which the speaker does not sit: they have seen them already. */
static enum err list_others(struct request *req, const struct game *games, size_t ngames,
                            const struct game *own, size_t nown, struct report_list_row *rows,
                            size_t *n)
{
	struct match match;

	for (size_t i = 0; i < ngames && *n < LIST_MOST; i++) {
		bool already = games[i].is_private;
		for (size_t k = 0; k < nown; k++)
			already = already || own[k].id == games[i].id;
		if (!already)
			TRY(list_row(req->srv, &games[i], req->who.player.id, req->arena,
			             &rows[(*n)++], &match));
	}
	return ERR_NONE;
}

/*
 * Open public games and those with a vacant seat; games of the speaker's own are shown too, private
 * or not.
 */
static enum err list_all(struct request *req)
{
	struct game *open, *own = NULL, *vacant;
	size_t nopen, nown = 0, nvacant, n = 0;
	struct report_list_row *rows = arena_calloc(req->arena, LIST_MOST, sizeof(*rows));
	struct match match;

	TRY(game_list_open(req->srv->store, LIST_MOST / 2, req->arena, &open, &nopen));
	TRY(game_list_vacant(req->srv->store, LIST_MOST / 4, req->arena, &vacant, &nvacant));
	if (req->who.player.id != 0)
		TRY(game_list_of_player(req->srv->store, req->who.player.id, GAMES_LIVE,
		                        req->arena, &own, &nown));
	for (size_t i = 0; i < nown && n < LIST_MOST / 2; i++) {
		TRY(list_row(req->srv, &own[i], req->who.player.id, req->arena, &rows[n],
		             &match));
		rows[n++].readers_own = true;
	}
	TRY(list_others(req, open, nopen, own, nown, rows, &n));
	TRY(list_others(req, vacant, nvacant, own, nown, rows, &n));
	return send_list(
	    req, &(struct report_list){.rows = rows,
	                               .nrows = n,
	                               .now_utc = req->srv->now_utc,
	                               .zone = zone_of_reader(req->srv, &req->who.player)});
}

enum err do_list(struct request *req, const struct command *item)
{
	struct match *match, listed;
	struct seat *seat;
	bool found;
	struct report_list_row row;

	request_understood(req);
	if (item->game == 0)
		return list_all(req);
	TRY(request_game(req, item, &match, &seat, &found));
	if (!found)
		return ERR_NONE;
	struct game g = match->game;
	struct press_rules press;
	TRY(game_is_vouched_for(req->srv->store, g.id, &found));
	if (!found && !seat && (g.master == 0 || g.master != req->who.player.id))
		return request_notice(
		    req, NULL, NULL, "no such game", "list",
		    "There is no game %.*s%lld here. To see the open games, send:",
		    item->game_letter ? 1 : 0, &item->game_letter, (long long)item->game);
	TRY(list_row(req->srv, &g, req->who.player.id, req->arena, &row, &listed));
	TRY(press_rules_get(req->srv->store, g.id, &press));
	row.press = g.ended_utc == 0 ? press_phrase(&press, req->arena) : NULL;
	row.misses = g.ended_utc == 0 ? misses_phrase(&listed.calendar, req->arena) : NULL;
	row.master = master_words(&listed);
	return send_list(req, &(struct report_list){
				  .rows = &row,
				  .nrows = 1,
				  .one = true,
				  .names = report_values_table(&listed, seat ? seat->seat : 0),
				  .now_utc = req->srv->now_utc,
				  .zone = zone_of_reader(req->srv, &req->who.player)});
}
