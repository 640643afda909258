/*
 * standings.c - from a record and the holders of its seats to places, ranks and marks.
 */
#include "processor/match/standings.h"

#include <string.h>

#include "processor/archive/archive.h"
#include "processor/base/utf8.h"
#include "processor/match/rating.h"

struct work {
	const struct record *r;
	const struct seat_holder *holders;
	size_t nholders;
	struct arena *arena;
	struct seat_set left; /* before the end: who_left */
};

static int64_t sitter_at(const struct work *w, unsigned seat, unsigned serial)
{
	return seat_holder_player(w->holders, w->nholders, seat, serial);
}

/* Different people among those who began it; *twice: somebody had two seats. */
static unsigned beginners(const struct work *w, bool *twice)
{
	unsigned n = 0;

	*twice = false;
	for (unsigned seat = 1; seat <= w->r->nseats; seat++) {
		int64_t player = sitter_at(w, seat, 0);
		bool again = false;

		for (unsigned s = 1; s < seat; s++)
			again = again || (player != 0 && sitter_at(w, s, 0) == player);
		*twice = *twice || again;
		n += player != 0 && !again;
	}
	return n;
}

const char *standings_excuse(const char *seat_name, struct arena *arena)
{
	return arena_printf(arena, "%s is excused from this turn", seat_name);
}

const char *standings_alone(const char *seat_name, struct arena *arena)
{
	return arena_printf(
	    arena,
	    "%s acted alone as master: the game is lost for %s, and not rated for "
	    "anybody else",
	    seat_name, seat_name);
}

/* As it stands in a record: "2026-03-12T18:02:00Z server: ...". */
static bool server_says(const struct record_turn *t, const char *what)
{
	enum { TIME_COLS = 21 };
	struct strbuf line = STRBUF_INIT;
	bool found = false;

	strbuf_adds(&line, STANDINGS_ACTOR ": ");
	utf8_add_plain(&line, span_of(what));
	for (size_t i = 0; i < t->nactions && !found; i++)
		found = strlen(t->actions[i]) > TIME_COLS &&
		        strcmp(t->actions[i] + TIME_COLS, line.ptr) == 0;
	strbuf_release(&line);
	return found;
}

/* The seats whose first player did; *any: somebody did. */
static struct seat_set who_acted_alone(const struct work *w, bool *any)
{
	struct seat_set alone = {0};

	*any = false;
	for (unsigned seat = 1; seat <= w->r->nseats; seat++) {
		const char *line = standings_alone(w->r->seats[seat].name, w->arena);

		for (size_t i = 0; i < w->r->nturns; i++) {
			const struct record_turn *t = &w->r->turns[i];

			if (!server_says(t, line))
				continue;
			*any = true;
			if (sitter_at(w, seat, t->serial) == sitter_at(w, seat, 0))
				alone = seat_with(alone, seat);
		}
	}
	return alone;
}

/* '\0' when it does not count. */
static char mark_of(const struct work *w, const struct record_turn *t,
                    const struct record_order *o)
{
	if (o->origin == ORDER_RESIGNED || o->origin == ORDER_BOT)
		return '\0';
	if (o->revision == 0 || o->origin == ORDER_FALLBACK)
		return server_says(t, standings_excuse(w->r->seats[o->seat].name, w->arena))
		           ? '\0'
		           : (char)MARK_MISSED;
	return t->deadline_utc != 0 && o->received_utc > t->deadline_utc ? (char)MARK_LATE
	                                                                 : (char)MARK_IN_TIME;
}

/* What this player has sent and missed at this seat. */
static struct span marks_of(const struct work *w, unsigned seat, int64_t player)
{
	struct strbuf marks = STRBUF_INIT;

	for (size_t i = 0; i < w->r->nturns; i++) {
		const struct record_turn *t = &w->r->turns[i];

		for (size_t k = 0; k < t->nused && t->serial > 0; k++) {
			char mark = mark_of(w, t, &t->used[k]);

			if (t->used[k].seat == seat && mark != '\0' &&
			    sitter_at(w, seat, t->serial) == player)
				strbuf_addc(&marks, mark);
		}
	}
	return arena_take(w->arena, &marks);
}

static const struct record_turn *turn_with(const struct record *r, unsigned serial)
{
	for (size_t i = 0; i < r->nturns; i++)
		if (r->turns[i].serial == serial)
			return &r->turns[i];
	return NULL;
}

/* Turns that were taken back have happened to nobody. */
static struct seat_set who_resigned(const struct record *r)
{
	struct seat_set gone = {0};
	const struct record_turn *t = r->nturns > 0 ? &r->turns[r->nturns - 1] : NULL;

	for (size_t left = r->nturns; t != NULL && t->serial > 0 && left > 0; left--) {
		for (size_t k = 0; k < t->nused; k++)
			if (t->used[k].origin == ORDER_RESIGNED)
				gone = seat_with(gone, t->used[k].seat);
		t = turn_with(r, t->parent);
	}
	return gone;
}

static bool is_rated(const struct record *r)
{
	return strcmp(r->end_status, "over") == 0 && r->fork.game == NULL && r->nturns > 0;
}

/*
 * The seats whose first player was not in it to the end. Who concedes is not: the game goes to one, and without this
 * they would have beaten whoever had left that one's seat before. *any_stayed: of the people who began it.
 */
static struct seat_set who_left(const struct work *w, bool *any_stayed)
{
	struct seat_set left = who_resigned(w->r), agreed = w->r->agreed;
	bool is_conceded = seat_count(agreed) == 1;

	*any_stayed = false;
	for (unsigned seat = 1; seat <= w->r->nseats; seat++) {
		int64_t first = sitter_at(w, seat, 0);

		if (sitter_at(w, seat, UINT32_MAX) != first ||
		    (is_conceded && !seat_in(agreed, seat)))
			left = seat_with(left, seat);
		*any_stayed = *any_stayed || (first != 0 && !seat_in(left, seat));
	}
	return left;
}

static struct standings_place *place_of(struct standings *t, size_t from, int64_t player)
{
	for (size_t i = from; i < t->n; i++)
		if (t->places[i].player == player)
			return &t->places[i];
	return NULL;
}

enum err standings_record(const struct record *r, const struct rules *rules,
                          const struct seat_holder *holders, size_t n, struct arena *arena,
                          struct standings *out, struct failure *e)
{
	struct work w = {.r = r, .holders = holders, .nholders = n, .arena = arena};
	struct game_result result = {.over = false};
	bool twice, any, any_stayed;

	out->n = 0;
	out->places = arena_calloc(arena, n + 1, sizeof(*out->places));
	if (beginners(&w, &twice) < 2)
		return ERR_NONE;
	struct seat_set alone = who_acted_alone(&w, &any);
	bool rated = is_rated(r) && !twice && !any;
	bool lost = any && !twice && r->fork.game == NULL;
	if (rated) {
		struct strbuf why = STRBUF_INIT;
		struct game_state *state = NULL;
		bool ok = rules->decode(r->turns[r->nturns - 1].state, &state, &why);

		if (ok)
			rules->result(state, &result);
		if (ok && r->agreed.bits != 0)
			game_result_agree(&result, r->agreed);
		rules->free_state(state);
		enum err rc =
		    ok ? ERR_NONE
		       : err_set(e, ERR_INVALID, "the last position is none: %s", why.ptr);
		strbuf_release(&why);
		if (rc != ERR_NONE)
			return rc;
		w.left = who_left(&w, &any_stayed);
		/* Else there are no ranks, or all of them are the last. */
		rated = result.over && any_stayed;
	}
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		/* All who have had this seat, in that order; the first may be rated. */
		size_t from = out->n;

		for (size_t i = 0; i < w.nholders; i++) {
			int64_t player = w.holders[i].player;

			if (w.holders[i].seat != seat || player == 0 ||
			    place_of(out, from, player))
				continue;
			out->places[out->n++] = (struct standings_place){
			    .player = player,
			    .rank = w.holders[i].serial == 0
			                ? rated && seat_in(w.left, seat) ? r->nseats + 1
			                  : rated                        ? result.ranks[seat]
			                  : lost && seat_in(alone, seat) ? r->nseats
			                                                 : 0
			                : 0,
			    .marks = marks_of(&w, seat, player)};
		}
	}
	return ERR_NONE;
}
