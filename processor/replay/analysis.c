/*
 * analysis.c - chances to win, by playing on.
 */
#include "processor/replay/analysis.h"

#include "processor/bots/bots.h"
#include "processor/games/registry.h"

enum { THOUSAND = 1000, GAMES_LEAST = 10, GAMES_MOST = 200, TO_THE_END = 2000 };

/* Games played on from one position. */
struct trial {
	unsigned games, work;
	uint64_t won[MAX_SEATS + 1];
};

/* Once more. `first`: the orders of the first turn, NULL: the bots'. */
static void play_on(struct archive *a, struct trial *t, size_t from,
                    const struct seat_orders *first, unsigned turns, uint64_t seed)
{
	uint32_t share[MAX_SEATS + 1];

	t->work += bot_chances(archive_rules(a), archive_state(a, from, NULL), first, turns,
	                       seed, share);
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		t->won[seat] += share[seat];
	t->games++;
}

static int chance_of(const struct trial *t, unsigned seat)
{
	return t->games ? (int)(t->won[seat] * THOUSAND / BOT_CHANCES_ALL / t->games) : 0;
}

/* The turns from the last one back to the set-up, those left out that were taken back or broken off. */
static size_t line_of_play(const struct record *r, struct arena *arena, size_t **out)
{
	size_t *line = arena_calloc(arena, r->nturns + 1, sizeof *line);
	size_t n = 0, at = r->nturns - 1;

	while (at > 0 && r->turns[at].dropped_utc != 0)
		at--;
	while (at > 0 && n < r->nturns) {
		unsigned parent = r->turns[at].parent;

		line[n++] = at;
		while (at > 0 && r->turns[at].serial != parent)
			at--;
	}
	line[n++] = 0;
	for (size_t i = 0; i < n / 2; i++) {
		size_t kept = line[i];

		line[i] = line[n - 1 - i];
		line[n - 1 - i] = kept;
	}
	*out = line;
	return n;
}

static bool positions_are_there(struct archive *a, const struct analysis *all,
                                struct strbuf *why)
{
	struct failure e = ERR_INIT;
	bool ok = true;

	for (size_t i = 0; ok && i < all->nturns; i++)
		ok = archive_state(a, all->turns[i].index, &e) != NULL;
	if (!ok)
		strbuf_adds(why, e.text.ptr);
	err_release(&e);
	return ok;
}

/* One more game from each position, and from each turn's orders where chance had a part in it. */
static unsigned play_all(struct archive *a, const struct analysis *all, unsigned turns,
                         struct trial *after, struct trial *with_orders)
{
	const struct record *r = archive_record(a);
	unsigned work = 0;

	for (size_t i = 0; i < all->nturns; i++) {
		const struct analysis_turn *t = &all->turns[i];
		const struct record_turn *turn = &r->turns[t->index];
		struct seat_orders orders[MAX_SEATS + 1] = {0};
		uint64_t seed = (uint64_t)t->index << 32 | all->games;

		play_on(a, &after[i], t->index, NULL, turns, seed);
		for (size_t k = 0; k < turn->nused; k++)
			orders[turn->used[k].seat] =
			    (struct seat_orders){turn->used[k].canonical, turn->used[k].origin};
		if (i > 0 && turn->chance.len > 0 && turns == TO_THE_END)
			play_on(a, &with_orders[i], t->parent, orders, turns, seed);
		work += after[i].work + with_orders[i].work;
	}
	return work;
}

bool analysis_make(struct archive *a, bool at_a_glance, struct arena *arena,
                   struct analysis *out, struct strbuf *why)
{
	unsigned turns = at_a_glance ? GLANCE_TURNS : TO_THE_END;
	unsigned most = at_a_glance ? GLANCE_WORK : ANALYSIS_WORK;
	const struct record *r = archive_record(a);
	size_t *line;
	unsigned done = 0;

	*out = (struct analysis){.nseats = r->nseats};
	if (!r->ended || r->nturns == 0) {
		strbuf_adds(why, r->ended ? "The game ended before it began."
		                          : "The game has not ended.");
		return false;
	}
	size_t n = line_of_play(r, arena, &line),
	       skipped = n > ANALYSIS_TURNS + 1 ? n - ANALYSIS_TURNS - 1 : 0;

	out->nturns = n - skipped;
	out->turns = arena_calloc(arena, out->nturns, sizeof *out->turns);
	for (size_t i = skipped; i < n; i++)
		out->turns[i - skipped] =
		    (struct analysis_turn){.index = line[i],
		                           .parent = i > 0 ? line[i - 1] : 0,
		                           .number = (unsigned)i,
		                           .label = arena_cstr(arena, r->turns[line[i]].label)};
	if (!positions_are_there(a, out, why))
		return false;
	struct trial *after = arena_calloc(arena, out->nturns, sizeof *after);
	struct trial *with_orders = arena_calloc(arena, out->nturns, sizeof *with_orders);

	while (out->games < GAMES_MOST &&
	       (done < most || (out->games < GAMES_LEAST && !at_a_glance))) {
		done = play_all(a, out, turns, after, with_orders);
		out->games++;
	}
	out->ahead = at_a_glance ? turns : 0;
	unsigned root = 0;
	while ((root + 1) * (root + 1) <= 100 * out->games)
		root++;
	out->margin = 10 * THOUSAND / root;
	for (size_t i = 0; i < out->nturns; i++) {
		struct analysis_turn *t = &out->turns[i];

		for (unsigned seat = 1; seat <= out->nseats; seat++) {
			t->chance[seat] = chance_of(&after[i], seat);
			if (i == 0)
				continue;
			int before = out->turns[i - 1].chance[seat];
			int ordered = with_orders[i].games ? chance_of(&with_orders[i], seat)
			                                   : t->chance[seat];

			t->by_orders[seat] = ordered - before;
			t->by_luck[seat] = t->chance[seat] - ordered;
		}
	}
	return true;
}

/* ---- moments ---- */

/* Its square, of a chance that came of so many games; as if two more had been played, one of them won. */
static uint64_t error_squared(int chance, unsigned games)
{
	uint64_t n = games + 2, of = (uint64_t)chance * games / n + THOUSAND / n;

	return 4 * of * (THOUSAND - of) / n;
}

/* By how much a turn moved the chance of a seat; 0 when that may be by luck of the games that were played on. */
static unsigned moved(const struct analysis *all, const struct analysis_turn *t, unsigned seat)
{
	int before = (t - 1)->chance[seat], by = t->chance[seat] - before;
	bool last = t == &all->turns[all->nturns - 1];

	if ((uint64_t)by * (uint64_t)by <=
	    error_squared(before, all->games) +
	        (last ? 0 : error_squared(t->chance[seat], all->games)))
		return 0;
	return (unsigned)(by < 0 ? -by : by);
}

size_t analysis_moments(struct archive *a, const struct analysis *all, unsigned seat,
                        const struct tables *tables, struct arena *arena,
                        struct analysis_moment out[ANALYSIS_MOMENTS])
{
	size_t n = 0;

	/* The largest first; those of the same size as they came. */
	for (size_t i = 1; i < all->nturns; i++) {
		const struct analysis_turn *t = &all->turns[i];
		size_t at = n;

		if (moved(all, t, seat) == 0)
			continue;
		while (at > 0 && moved(all, out[at - 1].turn, seat) < moved(all, t, seat))
			at--;
		if (at == ANALYSIS_MOMENTS)
			continue;
		n = n < ANALYSIS_MOMENTS ? n + 1 : n;
		for (size_t k = n - 1; k > at; k--)
			out[k] = out[k - 1];
		out[at] = (struct analysis_moment){.turn = t};
	}
	/* As they were played. */
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && out[k].turn < out[k - 1].turn; k--) {
			struct analysis_moment kept = out[k];

			out[k] = out[k - 1];
			out[k - 1] = kept;
		}
	for (size_t i = 0; i < n; i++) {
		const struct rules *rules = archive_rules(a);
		const struct game_state *before = archive_state(a, out[i].turn->parent, NULL);
		const struct record_turn *t = &archive_record(a)->turns[out[i].turn->index];
		const struct hash key = hash_of(hash_span(&t->state_hash));
		struct advice advice = ADVICE_INIT;

		for (size_t k = 0; k < t->nused; k++)
			if (t->used[k].seat == seat)
				out[i].ordered = t->used[k].canonical;
		if (out[i].ordered.len > 0 && seat_in(rules->owes(before), seat) &&
		    tables_have_all(tables, rules, span_of(archive_record(a)->options), arena))
			bot_advice(rules, before, seat, tables, out[i].ordered, &key, &advice);
		out[i].advised = arena_dup(arena, strbuf_span(&advice.orders));
		out[i].gain = advice.gain;
		out[i].error = advice.error;
		out[i].wins = advice.wins;
		strbuf_release(&advice.orders);
	}
	return n;
}
