/*
 * ending.c - the end of a game, from its record.
 */
#include "processor/turns/ending.h"

#include "processor/match/ratings_update.h"

/* Places in all->turns on the line of play, the set-up first; those taken back or broken off are not. */
static size_t line_of_play(const struct record *all, size_t *line)
{
	size_t n = 0, at = all->nturns;

	while (at > 0 && all->turns[at - 1].dropped_utc != 0)
		at--;
	while (at > 0) {
		const struct record_turn *t = &all->turns[at - 1];

		line[n++] = at - 1;
		if (t->serial == 0)
			break;
		while (at > 0 && (all->turns[at - 1].serial != t->parent ||
		                  all->turns[at - 1].dropped_utc != 0))
			at--;
	}
	for (size_t i = 0; i < n / 2; i++) {
		size_t other = line[i];
		line[i] = line[n - 1 - i];
		line[n - 1 - i] = other;
	}
	return n;
}

static enum err add_position(struct server *srv, const struct match *match,
                             const struct record_turn *t, struct highlights *h,
                             struct game_result *result)
{
	struct strbuf why = STRBUF_INIT;
	struct game_state *state = NULL;
	enum err rc = ERR_NONE;

	if (match->rules->decode(t->state, &state, &why)) {
		highlights_add(h, state, arena_cstr(match->arena, t->label));
		match->rules->result(state, result);
	} else {
		rc = err_set(&srv->fail, ERR_CORRUPT, "serial %u: %s", t->serial, why.ptr);
	}
	match->rules->free_state(state);
	strbuf_release(&why);
	return rc;
}

enum err ending_load(struct server *srv, struct match *match, const struct record *all,
                     struct ending *out)
{
	struct highlights *h = highlights_new(match->rules, match->arena);
	size_t *line = arena_calloc(match->arena, all->nturns + 1, sizeof(*line));
	size_t n = line_of_play(all, line);

	*out = (struct ending){0};
	TRY(ratings_update_game(srv, match, all, &out->standings));
	for (size_t i = 0; i < n && match->game.status == GAME_OVER; i++) {
		struct game_result result = {0};

		TRY(add_position(srv, match, &all->turns[line[i]], h, &result));
		if (n > 2 && i == (n - 1) / 2 && seat_count(result.eliminated) == 0)
			out->fork_turn = (unsigned)i;
	}
	out->nhighlights = highlights_choose(h, out->highlights);
	return ERR_NONE;
}

enum err ending_told(struct server *srv, const struct match *match, const struct ending *e,
                     int64_t player, struct report_ending *out)
{
	struct rating_change change;

	TRY(ratings_update_change(srv, &e->standings, player, match->arena, &change));
	*out = (struct report_ending){.highlights = e->highlights,
	                              .nhighlights = e->nhighlights,
	                              .counted = change.counted,
	                              .reliability_before = change.reliability_before,
	                              .reliability_after = change.reliability_after,
	                              .rated = change.rated,
	                              .rating_before = rating_points(change.before.rating),
	                              .rating_after = rating_points(change.after.rating),
	                              .provisional = change.after.provisional,
	                              .fork_turn = e->fork_turn};
	return ERR_NONE;
}
