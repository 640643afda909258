/*
 * puzzle.c - finding a puzzle, and writing its mails.
 */
#include "processor/outgoing/puzzle.h"

#include "processor/base/step.h"
#include "processor/bots/bots.h"
#include "processor/match/match_record.h"
#include "processor/match/report_values.h"
#include "processor/outgoing/outgoing.h"
#include "processor/outgoing/unreachable.h"
#include "processor/server/word_lists.h"

enum { DAY_S = 86400, WEEK_DAYS = 7, FIRST_MONDAY = 4, FROM_HOUR_S = 6 * 3600, MOST_TRIES = 2 };
/* What is looked at in one week: a position takes a second at the most. */
enum { GAMES_MOST = 20, TURNS_OF_A_GAME = 4, POSITIONS_MOST = 16 };

int64_t puzzle_week(int64_t now_utc)
{
	return (now_utc / DAY_S - FIRST_MONDAY) / WEEK_DAYS;
}

/* ---- finding one ---- */

/* The turns of the game from the last one backwards, for every seat that owed orders. */
static enum err look_at_game(struct server *srv, struct match *match, unsigned *left,
                             struct puzzle *out)
{
	struct strbuf text = STRBUF_INIT;
	struct archive *a = NULL;
	enum err rc = record_text(srv, match, &text);

	if (rc == ERR_NONE)
		rc = archive_open(strbuf_span(&text), &a, &srv->fail);
	const struct record *r = rc == ERR_NONE ? archive_record(a) : NULL;
	for (size_t n = 1;
	     r && rc == ERR_NONE && out->game == 0 && n <= TURNS_OF_A_GAME && n < r->nturns;
	     n++) {
		/* What was taken back or broken off is no position of the game. */
		const size_t at = r->nturns - n - 1;
		if (r->turns[at].dropped_utc != 0 || r->turns[at + 1].dropped_utc != 0 ||
		    r->turns[at + 1].parent != r->turns[at].serial)
			continue;
		const struct game_state *s = archive_state(a, at, &srv->fail);
		const struct hash key = hash_of(hash_span(&r->turns[at].state_hash));
		if (!s)
			rc = ERR_CORRUPT;
		for (unsigned seat = 1;
		     s && seat <= match->game.nseats && *left > 0 && out->game == 0; seat++) {
			struct advice found = ADVICE_INIT;

			if (!seat_in(match->rules->owes(s), seat))
				continue;
			--*left;
			if (bot_puzzle(match->rules, s, seat, match->tables, &key, &found)) {
				struct strbuf position = STRBUF_INIT;

				match->rules->encode(s, &position);
				out->game = match->game.id;
				out->seat = seat;
				out->position = arena_dup(srv->arena, strbuf_span(&position));
				out->orders = arena_dup(srv->arena, strbuf_span(&found.orders));
				out->wins = found.wins;
				out->gain = found.gain;
				strbuf_release(&position);
			}
			strbuf_release(&found.orders);
		}
	}
	archive_free(a);
	strbuf_release(&text);
	return rc;
}

/* out->game stays 0 when there is none. */
static enum err find_puzzle(struct server *srv, struct puzzle *out)
{
	int64_t games[GAMES_MOST];
	unsigned left = POSITIONS_MOST;
	size_t n;

	TRY(puzzle_games(srv->store, GAMES_MOST, games, &n));
	for (size_t i = 0; i < n && out->game == 0 && left > 0; i++) {
		struct arena *arena = arena_new();
		struct match match;
		step_in_hand(SPAN_LIT("puzzle"), (unsigned)games[i]);
		enum err rc = match_load(srv, games[i], arena, &match);

		if (rc == ERR_NONE)
			rc = look_at_game(srv, &match, &left, out);
		match_release(&match);
		arena_free(arena);
		if (rc != ERR_NONE && !server_blames_game(rc))
			return rc;
	}
	return ERR_NONE;
}

/* ---- what is shown of it ---- */

enum err puzzle_open(struct server *srv, const struct puzzle *row, struct arena *arena,
                     struct puzzle_shown *out)
{
	struct strbuf why = STRBUF_INIT;

	*out = (struct puzzle_shown){.row = *row};
	enum err rc = match_load(srv, row->game, arena, &out->match);
	if (rc == ERR_NONE && !out->match.rules->decode(row->position, &out->state, &why))
		rc = err_set(&srv->fail, ERR_CORRUPT, "the puzzle of week %lld: %s",
		             (long long)row->week, why.ptr);
	strbuf_release(&why);
	return rc;
}

void puzzle_close(struct puzzle_shown *p)
{
	if (p->state)
		p->match.rules->free_state(p->state);
	p->state = NULL;
	match_release(&p->match);
}

/* Which it was, in words: "Whakka Mole, W17, turn 4". */
static const char *place_of(const struct puzzle_shown *p, struct arena *arena)
{
	struct strbuf label = STRBUF_INIT;

	p->match.rules->label(p->state, &label);
	const char *place =
	    arena_printf(arena, "%s, %s, %s", p->match.rules->title, p->match.id, label.ptr);
	strbuf_release(&label);
	return place;
}

enum err puzzle_report(struct server *srv, const struct puzzle *row,
                       const struct mail_form *form, struct arena *arena,
                       struct report_puzzle *out)
{
	struct puzzle_shown shown, before;
	struct strbuf example = STRBUF_INIT;
	struct puzzle last;

	*out = (struct report_puzzle){0};
	enum err rc = puzzle_open(srv, row, arena, &shown);
	if (rc == ERR_NONE) {
		out->place = place_of(&shown, arena);
		out->kind_title = shown.match.rules->title;
		out->seat_name =
		    arena_strdup(arena, shown.match.rules->seat_name(shown.state, row->seat));
		out->view = report_values_view(&shown.match, shown.state, row->seat, form);
		out->wins_at_once = advice_is_win(row->wins);
		shown.match.rules->default_orders(shown.state, row->seat, &example);
		out->example = arena_dup(arena, strbuf_span(&example));
		rc = puzzle_before(srv->store, row->week, arena, &last);
	}
	puzzle_close(&shown);
	strbuf_release(&example);
	if (rc != ERR_NONE || last.game == 0)
		return rc;
	rc = puzzle_open(srv, &last, arena, &before);
	if (rc == ERR_NONE) {
		out->solved = place_of(&before, arena);
		out->solution = last.orders;
		out->won_at_once = advice_is_win(last.wins);
		out->gain = last.gain;
	}
	puzzle_close(&before);
	return server_blames_game(rc) ? ERR_NONE : rc;
}

/* ---- its mails ---- */

static enum err write_to(struct server *srv, const struct puzzle *row, int64_t id,
                         struct arena *arena)
{
	struct report_puzzle r;
	struct player p;
	bool lost;

	TRY(player_get(srv->store, id, arena, &p));
	TRY(unreachable_now(srv, id, arena, &lost));
	if (lost || p.address.len == 0)
		return ERR_NONE;
	struct report_out out = REPORT_OUT_FOR(report_form_of(&p.form));
	enum err rc = puzzle_report(srv, row, &p.form, arena, &r);
	if (rc == ERR_NONE) {
		report_puzzle(&r, &out);
		rc = outgoing_add(
		    srv,
		    &(struct outgoing){.kind = PUZZLE_KIND,
		                       .key = arena_printf(arena, "%lld", (long long)row->week),
		                       .player = p.id,
		                       .address = p.address,
		                       .form = p.form,
		                       .unsubscribe = "set puzzle off",
		                       .report = &out},
		    arena);
	}
	report_out_release(&out);
	return rc;
}

static enum err write_all(struct server *srv, const struct puzzle *row, const int64_t *readers,
                          size_t n)
{
	enum err rc = puzzle_end(srv->store, row);

	for (size_t i = 0; row->game != 0 && i < n && rc == ERR_NONE; i++) {
		struct arena *arena = arena_new();

		rc = write_to(srv, row, readers[i], arena);
		arena_free(arena);
	}
	return rc;
}

enum err puzzle_send_due(struct server *srv)
{
	struct puzzle row = {.week = puzzle_week(srv->now_utc)}, there;
	const int64_t since_s = srv->now_utc -
	                        (row.week * WEEK_DAYS + FIRST_MONDAY) * (int64_t)DAY_S;
	int64_t *readers;
	size_t n;

	if (since_s < FROM_HOUR_S || since_s >= DAY_S)
		return ERR_NONE;
	TRY(puzzle_readers(srv->store, srv->arena, &readers, &n));
	if (n == 0)
		return ERR_NONE;
	enum err rc = puzzle_get(srv->store, row.week, srv->arena, &there);
	if (rc != ERR_NONE && rc != ERR_NOT_FOUND)
		return rc;
	if (rc == ERR_NONE && (there.done || there.tries >= MOST_TRIES))
		return ERR_NONE;
	/* A game over which the program dies does so twice, and there is no puzzle. */
	TRY(store_begin_relaxed(srv->store));
	TRY(store_end(srv->store, puzzle_begin(srv->store, row.week)));
	step("puzzle begun");
	TRY(find_puzzle(srv, &row));
	step("puzzle found");
	TRY(store_begin(srv->store));
	return store_end(srv->store, write_all(srv, &row, readers, n));
}
