/*
 * analysis.c - chances to win, by playing on.
 */
#include "processor/replay/analysis.h"

#include <stdio.h>

#include "processor/base/chance.h"
#include "processor/bots/bots.h"
#include "processor/games/registry.h"

enum { THOUSAND = 1000, GAMES_LEAST = 10, GAMES_MOST = 200, TURNS_MOST = 2000 };
/* Up to eight winners share it, to the last. */
enum { A_GAME = 840 };

/* Games played on from one position; each gives A_GAME to share among its winners. */
struct trial {
	struct archive *archive;
	unsigned games, decisions;
	long won[MAX_SEATS + 1];
};

static struct hash key_of(size_t index, unsigned game, unsigned phase, unsigned seat)
{
	char text[96];
	int n = snprintf(text, sizeof text, "molepost/1 analysis %zu %u %u %u", index, game,
	                 phase, seat);

	return hash_of((struct span){text, (size_t)n});
}

static void give_orders(struct trial *t, const struct game_state *s, size_t index,
                        unsigned game, struct strbuf texts[MAX_SEATS + 1],
                        struct seat_orders orders[MAX_SEATS + 1])
{
	const struct rules *rules = archive_rules(t->archive);
	struct seat_set owes = rules->owes(s);

	for (unsigned seat = 1; seat <= rules->nseats(s); seat++) {
		if (!seat_in(owes, seat))
			continue;
		const struct hash key = key_of(index, game, rules->phase(s), seat);

		strbuf_clear(&texts[seat]);
		bot_orders(rules, rules->bots_version, s, seat, ANALYSIS_LEVEL, NULL, &key,
		           &texts[seat], NULL);
		orders[seat] = (struct seat_orders){strbuf_span(&texts[seat]), ORDER_BOT};
		t->decisions++;
	}
}

/*
 * From `from` to the end; `first`: the orders of the first turn, NULL: the bots'. False when the orders do
 * not fit, which an archive that holds does not have.
 */
static bool play_on(struct trial *t, const struct game_state *from, size_t index, unsigned game,
                    const struct seat_orders *first)
{
	const struct rules *rules = archive_rules(t->archive);
	struct strbuf texts[MAX_SEATS + 1], why = STRBUF_INIT;
	struct game_state *s = NULL;
	struct game_result result;
	bool ok = true;

	for (unsigned seat = 0; seat <= MAX_SEATS; seat++)
		strbuf_init(&texts[seat]);
	rules->result(from, &result);
	for (unsigned n = 0; ok && !result.over && n < TURNS_MOST; n++) {
		const struct game_state *now = s ? s : from;
		struct seat_orders orders[MAX_SEATS + 1] = {0};
		struct game_state *next = NULL;
		const struct hash key = key_of(index, game, rules->phase(now), SEAT_PUBLIC);
		struct chance *chance = chance_from_key(&key);

		if (!first || s)
			give_orders(t, now, index, game, texts, orders);
		ok = rules->resolve(now, first && !s ? first : orders, chance, &next, &why);
		chance_free(chance);
		if (ok) {
			rules->free_state(s);
			s = next;
			rules->result(s, &result);
		}
	}
	for (unsigned seat = 1; ok && seat <= result.nseats; seat++)
		if (seat_in(result.winners, seat))
			t->won[seat] += A_GAME / (long)seat_count(result.winners);
	t->games++;
	rules->free_state(s);
	for (unsigned seat = 0; seat <= MAX_SEATS; seat++)
		strbuf_release(&texts[seat]);
	strbuf_release(&why);
	return ok;
}

static int chance_of(const struct trial *t, unsigned seat)
{
	return t->games ? (int)(t->won[seat] * THOUSAND / A_GAME / (long)t->games) : 0;
}

static bool was_drawn(const struct record_turn *t)
{
	return t->chance.len > 0;
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
static void play_all(struct archive *a, const struct analysis *all, unsigned game,
                     struct trial *after, struct trial *with_orders)
{
	const struct record *r = archive_record(a);

	for (size_t i = 0; i < all->nturns; i++) {
		const struct analysis_turn *t = &all->turns[i];
		struct seat_orders orders[MAX_SEATS + 1] = {0};

		(void)play_on(&after[i], archive_state(a, t->index, NULL), t->index, game,
		              NULL);
		if (i == 0 || !was_drawn(&r->turns[t->index]))
			continue;
		const struct record_turn *turn = &r->turns[t->index];
		for (size_t k = 0; k < turn->nused; k++)
			orders[turn->used[k].seat] =
			    (struct seat_orders){turn->used[k].canonical, turn->used[k].origin};
		(void)play_on(&with_orders[i], archive_state(a, t->parent, NULL), t->index,
		              game, orders);
	}
}

static unsigned root(unsigned n)
{
	unsigned r = 0;

	while ((r + 1) * (r + 1) <= n)
		r++;
	return r;
}

static void take_chances(struct analysis *all, const struct trial *after,
                         const struct trial *with_orders)
{
	for (size_t i = 0; i < all->nturns; i++) {
		struct analysis_turn *t = &all->turns[i];

		for (unsigned seat = 1; seat <= all->nseats; seat++) {
			t->chance[seat] = chance_of(&after[i], seat);
			if (i == 0)
				continue;
			int before = all->turns[i - 1].chance[seat];
			int ordered = with_orders[i].games ? chance_of(&with_orders[i], seat)
			                                   : t->chance[seat];

			t->by_orders[seat] = ordered - before;
			t->by_luck[seat] = t->chance[seat] - ordered;
		}
	}
}

bool analysis_make(struct archive *a, unsigned decisions, struct arena *arena,
                   struct analysis *out, struct strbuf *why)
{
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

	for (size_t i = 0; i < out->nturns; i++)
		after[i].archive = with_orders[i].archive = a;
	while (out->games < GAMES_MOST && (out->games < GAMES_LEAST || done < decisions)) {
		play_all(a, out, out->games++, after, with_orders);
		done = 0;
		for (size_t i = 0; i < out->nturns; i++)
			done += after[i].decisions + with_orders[i].decisions;
	}
	out->margin = 10 * THOUSAND / root(100 * out->games);
	take_chances(out, after, with_orders);
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

static struct span ordered_by(const struct record_turn *t, unsigned seat)
{
	for (size_t i = 0; i < t->nused; i++)
		if (t->used[i].seat == seat)
			return t->used[i].canonical;
	return SPAN_EMPTY;
}

/* Orders that would have been better, as far as the seat could know then. */
static void advise(struct archive *a, unsigned seat, const struct tables *tables,
                   struct arena *arena, struct analysis_moment *m)
{
	const struct rules *rules = archive_rules(a);
	const struct game_state *before = archive_state(a, m->turn->parent, NULL);
	const struct hash key = key_of(m->turn->index, GAMES_MOST, rules->phase(before), seat);
	struct advice advice = ADVICE_INIT;

	m->ordered = ordered_by(&archive_record(a)->turns[m->turn->index], seat);
	if (m->ordered.len > 0 && seat_in(rules->owes(before), seat) &&
	    tables_have_all(tables, rules, span_of(archive_record(a)->options), arena))
		bot_advice(rules, before, seat, tables, m->ordered, &key, &advice);
	m->advised = arena_dup(arena, strbuf_span(&advice.orders));
	m->gain = advice.gain;
	m->error = advice.error;
	m->wins = advice.wins;
	strbuf_release(&advice.orders);
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
	for (size_t i = 0; i < n; i++)
		advise(a, seat, tables, arena, &out[i]);
	return n;
}
