/*
 * search.c - orders found by playing on in the head.
 *
 * Orders that a person might write are drawn, and each is tried: in worlds that the seat cannot tell from the
 * real one the turn is played with it, then a few more as its sample_orders plays, and what comes of it is
 * valued. All orders that are compared meet the same worlds, dice and answers, so that they differ by
 * nothing but themselves.
 *
 * First they are halved: all are tried a few times, the worse half goes, the rest is tried twice as often, and
 * so on. Where nobody else orders in the turn, the last one is played. Where others order too, what is best
 * depends on what they do, and they on what is done here: those that are left are played against what the
 * others may order by regret matching, in which everybody weighs an order by how much more it would have
 * brought so far than what was done. The mean of these weights is what is played, drawn; it cannot be guessed.
 *
 * The order drawn first is what would be played without any search. It stays to the end, and another is
 * played only when it was better by more than the error of what was seen.
 *
 * Hart, Mas-Colell: A simple adaptive procedure leading to correlated equilibrium (2000), with Tammelin's rule
 * that regret does not sink below zero. Karnin, Koren, Somekh: Almost optimal exploration in multi-armed
 * bandits (2013).
 */
#include "processor/bots/bots.h"

#include <limits.h>
#include <string.h>

#include "processor/base/chance.h"
#include "processor/base/err.h"

enum {
	ALL = BOT_CHANCES_ALL,
	CHOICES = 64, /* most orders that are known of a seat, ... */
	MANY = 320,   /* ... for advice */
	ANSWERS = 4,  /* orders of another seat that are weighed in a world */
	KEPT = 6,     /* orders that are left when others order too */
	THOUGHTS = 1 << 30,
	THOUSAND = 1000,
	MOSTLY = 750,   /* of a thousand: a win at once */
	DOUBLING = 1000 /* rules->estimate counts in thousandths of what doubles the odds */
};

/* Orders of one seat, and what is known of them. */
struct choice {
	struct strbuf text;
	int64_t
	    lead; /* of the shares it brought over those of the first; and the sum of its squares */
	uint64_t squares;
	uint64_t regret; /* how much more it would have brought than what was done */
	uint64_t weight; /* how often it was to be played */
};

struct choices {
	struct choice items[MANY];
	unsigned count;
};

struct search {
	const struct rules *rules;
	const struct tables *tables;
	const struct game_state *seen;
	struct game_state *drawn; /* the same where it is the search's own; else NULL */
	unsigned seat;
	struct bot_effort effort;
	uint64_t thoughts; /* all that is imagined is drawn by it */
	unsigned work;     /* turns played so far */
	bool advises;      /* only winning counts */
	bool only_now;     /* ... and that only in the first turn */
	bool at_once;      /* what was tried last ended the game in its first turn */
	struct choices of[MAX_SEATS + 1];
};

/* --- draws ------------------------------------------------------------- */

/* SplitMix64: one number for a place in what is imagined. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	uint64_t x = a + (b + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* An index by weight; all weights zero: any index. */
static unsigned draw_by_weight(const uint64_t *weights, unsigned count, uint64_t number)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < count; i++)
		total += weights[i];
	if (total == 0)
		return (unsigned)(number % count);
	number %= total;
	for (unsigned i = 0; i < count; i++) {
		if (number < weights[i])
			return i;
		number -= weights[i];
	}
	BUG("weights do not add up");
}

/* --- what a position is worth ------------------------------------------ */

/* Of a game that is over: for winning; or half for that, half for how many are behind. */
static void share_result(const struct game_result *r, bool by_rank,
                         uint32_t share[MAX_SEATS + 1])
{
	unsigned pairs = r->nseats * (r->nseats - 1) / 2, winners = seat_count(r->winners);

	winners = winners > 0 ? winners : 1;
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		unsigned halves = 0;

		for (unsigned other = 1; other <= r->nseats; other++)
			if (other != seat)
				halves += r->ranks[other] > r->ranks[seat]    ? 2
				          : r->ranks[other] == r->ranks[seat] ? 1
				                                              : 0;
		/* The analyzer does not know that result() fills all of it. NOLINTNEXTLINE(clang-analyzer-core.*) */
		halves = pairs ? ALL / 4 * halves / pairs : ALL / 2;
		share[seat] = seat_in(r->winners, seat) ? ALL / winners : 0;
		share[seat] = by_rank ? share[seat] / 2 + halves : share[seat];
	}
}

/* 2 to the power of -x / DOUBLING, in 65536ths. */
static uint32_t halved(int64_t x)
{
	/* 2^(-i/8) */
	static const uint32_t eighths[] = {65536, 60097, 55109, 50535, 46341,
	                                   42495, 38968, 35734, 32768};
	int64_t whole = x / DOUBLING, rest = x % DOUBLING * 8;

	if (whole > 15)
		return 1;
	const uint32_t *at = &eighths[rest / DOUBLING];
	return (at[0] - (uint32_t)((at[0] - at[1]) * (rest % DOUBLING) / DOUBLING)) >> whole;
}

/* Odds from what each position is worth. */
static void share_estimate(const struct rules *rules, const struct game_state *s,
                           const struct game_result *r, uint32_t share[MAX_SEATS + 1])
{
	int64_t worth[MAX_SEATS + 1] = {0}, most = INT64_MIN;
	uint64_t sum = 0;

	rules->estimate(s, worth);
	for (unsigned seat = 1; seat <= r->nseats; seat++)
		if (!seat_in(r->eliminated, seat) && worth[seat] > most)
			most = worth[seat];
	for (unsigned seat = 1; seat <= r->nseats; seat++) {
		share[seat] = seat_in(r->eliminated, seat) ? 0 : halved(most - worth[seat]);
		sum += share[seat];
	}
	for (unsigned seat = 1; seat <= r->nseats && sum; seat++)
		share[seat] = (uint32_t)(share[seat] * (uint64_t)ALL / sum);
}

/* --- playing on -------------------------------------------------------- */

static void sample(const struct search *b, const struct game_state *s, unsigned seat,
                   unsigned level, uint64_t seed, struct strbuf *out)
{
	struct chance *chance = chance_from_seed(seed, "order");

	b->rules->sample_orders(s, seat, level, b->tables, chance, out);
	chance_free(chance);
}

/* What all who owe orders draw, but `other`; they stay in `texts`. */
static void draw_orders(const struct search *b, const struct game_state *s, unsigned other,
                        uint64_t seed, struct seat_orders *orders, struct strbuf *texts)
{
	struct seat_set owes = b->rules->owes(s);

	for (unsigned seat = 1; seat <= MAX_SEATS; seat++) {
		strbuf_init(&texts[seat]);
		if (!seat_in(owes, seat) || seat == other)
			continue;
		sample(b, s, seat, b->effort.policy, mix(seed, seat), &texts[seat]);
		orders[seat] = (struct seat_orders){strbuf_span(&texts[seat]), ORDER_BOT};
	}
}

/* The next position; `s` stays. */
static struct game_state *play_turn(struct search *b, const struct game_state *s,
                                    const struct seat_orders *orders, uint64_t seed)
{
	struct chance *chance = chance_from_seed(seed, "turn");
	struct strbuf why = STRBUF_INIT;
	struct game_state *next = NULL;

	if (!b->rules->resolve(s, orders, chance, &next, &why))
		BUG("a bot imagines what cannot be: %s", why.ptr);
	b->work++;
	chance_free(chance);
	strbuf_release(&why);
	return next;
}

/* The same with what all who owe orders draw. */
static struct game_state *play_on(struct search *b, const struct game_state *s, uint64_t seed)
{
	struct seat_orders orders[MAX_SEATS + 1] = {0};
	struct strbuf texts[MAX_SEATS + 1];
	struct game_state *next;

	draw_orders(b, s, 0, seed, orders, texts);
	next = play_turn(b, s, orders, seed);
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		strbuf_release(&texts[seat]);
	return next;
}

/* What the turn with these orders (NULL: what all draw) and a few more bring to each seat. */
static void play_out(struct search *b, const struct game_state *world,
                     const struct seat_orders *orders, uint64_t seed,
                     uint32_t share[MAX_SEATS + 1])
{
	struct game_state *s = orders ? play_turn(b, world, orders, seed)
	                              : play_on(b, world, seed);
	struct game_result r = {0};

	b->rules->result(s, &r);
	b->at_once = r.over;
	for (unsigned turn = 1; turn < b->effort.turns && !r.over; turn++) {
		struct game_state *next = play_on(b, s, mix(seed, turn));

		b->rules->free_state(s);
		s = next;
		b->rules->result(s, &r);
	}
	if (r.over)
		share_result(&r, !b->advises, share);
	else if (!b->only_now)
		share_estimate(b->rules, s, &r, share);
	b->rules->free_state(s);
}

/* --- orders that may be given ------------------------------------------ */

/* The place of these orders among those known of the seat; `most` when there is no room. */
static unsigned note_choice(struct choices *of, unsigned most, struct span text)
{
	for (unsigned i = 0; i < of->count; i++)
		if (span_eq(strbuf_span(&of->items[i].text), text))
			return i;
	if (of->count == most)
		return most;
	of->items[of->count] = (struct choice){.text = STRBUF_INIT};
	strbuf_add_span(&of->items[of->count].text, text);
	return of->count++;
}

static void draw_choices(struct search *b)
{
	size_t ways = strlen(b->effort.drawn_by);
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 0; i < b->effort.draws; i++) {
		unsigned level = (unsigned)(b->effort.drawn_by[i % ways] - '0');

		strbuf_clear(&text);
		sample(b, b->seen, b->seat, level, mix(b->thoughts, i), &text);
		note_choice(&b->of[b->seat], b->advises ? MANY : CHOICES, strbuf_span(&text));
	}
	strbuf_release(&text);
}

/* A position that the seat cannot tell from the real one, and what the others order there. */
struct world {
	struct game_state *state;
	uint64_t seed;
	struct seat_orders orders[MAX_SEATS + 1];
	struct strbuf texts[MAX_SEATS + 1];
};

static void imagine(struct search *b, uint64_t nth, struct world *w)
{
	*w = (struct world){.seed = mix(~b->thoughts, nth)};
	struct chance *chance = chance_from_seed(w->seed, "world");
	w->state = b->rules->resample(b->seen, b->seat, chance);
	chance_free(chance);
	draw_orders(b, w->state, b->seat, w->seed, w->orders, w->texts);
}

static void forget(const struct search *b, struct world *w)
{
	b->rules->free_state(w->state);
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		strbuf_release(&w->texts[seat]);
}

/* What `seat` gets in that world with these of its orders. */
static uint32_t try_choice(struct search *b, struct world *w, unsigned seat,
                           const struct choice *c)
{
	struct seat_orders kept = w->orders[seat];
	uint32_t share[MAX_SEATS + 1] = {0};

	w->orders[seat] = (struct seat_orders){strbuf_span(&c->text), ORDER_BOT};
	play_out(b, w->state, w->orders, w->seed, share);
	w->orders[seat] = kept;
	return share[seat];
}

/* --- halving ----------------------------------------------------------- */

static void note_lead(struct choice *c, int64_t share, int64_t first)
{
	c->lead += share - first;
	c->squares += (uint64_t)((share - first) * (share - first));
}

/* Behind the first: best first; of equal ones the one drawn first. */
static void sort_choices(struct choices *of)
{
	for (unsigned i = 2; i < of->count; i++) {
		struct choice c = of->items[i];
		unsigned at = i;

		for (; at > 1 && of->items[at - 1].lead < c.lead; at--)
			of->items[at] = of->items[at - 1];
		of->items[at] = c;
	}
}

/* The better half of what is compared stays each time, until `left` are. `work`: of the effort, for this. */
static void halve(struct search *b, unsigned left, unsigned work)
{
	struct choices *own = &b->of[b->seat];
	unsigned rounds = 0;
	uint64_t nth = 0;

	for (unsigned n = own->count; n > left; n = (n + 1) / 2)
		rounds++;
	for (unsigned round = 1; own->count > left; round++) {
		unsigned until = (unsigned)((uint64_t)work * round / rounds), half;

		do {
			struct world w;

			imagine(b, nth++, &w);
			uint32_t first = try_choice(b, &w, b->seat, &own->items[0]);
			for (unsigned i = 1; i < own->count; i++)
				note_lead(&own->items[i],
				          try_choice(b, &w, b->seat, &own->items[i]), first);
			forget(b, &w);
		} while (b->work < until);
		sort_choices(own);
		half = (own->count + 1) / 2 > left ? (own->count + 1) / 2 : left;
		while (own->count > half)
			strbuf_release(&own->items[--own->count].text);
		/* What led to the choice is no evidence for it. */
		for (unsigned i = 1; i < own->count && own->count > left; i++)
			own->items[i].lead = 0, own->items[i].squares = 0;
	}
}

/* --- regret matching --------------------------------------------------- */

/* What a seat may order in a world, as places among what is known of it. */
struct menu {
	unsigned count, at[CHOICES];
};

static void draw_answers(struct search *b, const struct world *w, unsigned seat, struct menu *m)
{
	struct strbuf text = STRBUF_INIT;

	m->count = 0;
	for (unsigned i = 0; i < ANSWERS; i++) {
		unsigned at;
		bool there = false;

		strbuf_clear(&text);
		sample(b, w->state, seat, b->effort.policy, mix(w->seed, seat * ANSWERS + i),
		       &text);
		at = note_choice(&b->of[seat], CHOICES, strbuf_span(&text));
		for (unsigned k = 0; k < m->count; k++)
			there = there || m->at[k] == at;
		if (!there && at < CHOICES)
			m->at[m->count++] = at;
	}
	strbuf_release(&text);
}

/* Tries all on the menu of a seat against what the others do in that world, and notes what it regrets. */
static void learn(struct search *b, struct world *w, unsigned seat, const struct menu *m,
                  uint64_t turn)
{
	struct choices *of = &b->of[seat];
	uint64_t share[CHOICES], sum = 0, mean = 0;

	for (unsigned i = 0; i < m->count; i++) {
		share[i] = try_choice(b, w, seat, &of->items[m->at[i]]);
		sum += of->items[m->at[i]].regret;
	}
	for (unsigned i = 0; i < m->count; i++)
		mean += sum ? share[i] * of->items[m->at[i]].regret / sum : share[i] / m->count;
	for (unsigned i = 0; i < m->count; i++) {
		struct choice *c = &of->items[m->at[i]];

		note_lead(c, (int64_t)share[i], (int64_t)share[0]);
		c->weight += turn * (sum ? c->regret * ALL / sum : ALL / m->count);
		c->regret = c->regret + share[i] > mean ? c->regret + share[i] - mean : 0;
	}
}

/* Each world is played by the weights so far; this seat learns from it, and one of the others in turn. */
static void match(struct search *b)
{
	struct seat_set owes = b->rules->owes(b->seen);
	struct menu menus[MAX_SEATS + 1] = {0};
	struct menu *own = &menus[b->seat];

	for (; own->count < b->of[b->seat].count; own->count++)
		own->at[own->count] = own->count;
	for (uint64_t turn = 1; b->work < b->effort.work; turn++) {
		struct world w;
		unsigned other = b->seat;

		imagine(b, turn << 32, &w);
		for (unsigned seat = 1; seat <= MAX_SEATS; seat++) {
			if (!seat_in(owes, seat))
				continue;
			if (seat != b->seat)
				draw_answers(b, &w, seat, &menus[seat]);
			if (menus[seat].count == 0)
				continue;
			uint64_t weights[CHOICES] = {0};

			for (unsigned i = 0; i < menus[seat].count; i++)
				weights[i] = b->of[seat].items[menus[seat].at[i]].regret;
			unsigned at = menus[seat].at[draw_by_weight(
			    weights, menus[seat].count, mix(w.seed, MAX_SEATS + seat))];
			w.orders[seat] = (struct seat_orders){
			    strbuf_span(&b->of[seat].items[at].text), ORDER_BOT};
		}
		for (uint64_t k = 0; k < 1 + turn % (seat_count(owes) - 1); k++)
			do
				other = other % MAX_SEATS + 1;
			while (!seat_in(owes, other) || other == b->seat);
		learn(b, &w, b->seat, own, turn);
		if (menus[other].count > 1)
			learn(b, &w, other, &menus[other], turn);
		forget(b, &w);
	}
}

/* Drawn by weight among those that are better than the first by more than two standard deviations; if none is, the first. */
static unsigned draw_choice(const struct choices *own, uint64_t number)
{
	uint64_t weights[CHOICES] = {0};
	bool any = false;

	for (unsigned i = 1; i < own->count; i++) {
		const struct choice *c = &own->items[i];

		if (c->lead <= 0 || (uint64_t)c->lead <= 4 * c->squares / (uint64_t)c->lead)
			continue;
		weights[i] = 1 + c->weight;
		any = true;
	}
	return any ? draw_by_weight(weights, own->count, number) : 0;
}

static struct search search_of(const struct rules *rules, const struct game_state *seen,
                               unsigned seat, unsigned level, const struct tables *tables)
{
	return (struct search){.rules = rules,
	                       .tables = tables,
	                       .seen = seen,
	                       .seat = seat,
	                       .effort = rules->efforts[level]};
}

static void release(struct search *b)
{
	for (unsigned seat = 1; seat <= MAX_SEATS; seat++)
		for (unsigned i = 0; i < b->of[seat].count; i++)
			strbuf_release(&b->of[seat].items[i].text);
}

static void search_orders(const struct rules *rules, const struct game_state *seen,
                          unsigned seat, unsigned level, const struct tables *tables,
                          struct chance *chance, struct strbuf *canonical)
{
	struct search b = search_of(rules, seen, seat, level, tables);

	b.thoughts = chance_pick(chance, THOUGHTS, "thoughts of seat %u", seat);
	draw_choices(&b);
	if (seat_count(rules->owes(seen)) > 1) {
		halve(&b, KEPT, b.effort.work / 2);
		match(&b);
	} else {
		halve(&b, 2, b.effort.work);
	}
	const unsigned played = draw_choice(&b.of[seat], mix(b.thoughts, CHOICES));
	strbuf_add_span(canonical, strbuf_span(&b.of[seat].items[played].text));
	release(&b);
}

static unsigned root(uint64_t n)
{
	uint64_t r = 0;

	for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
		if ((r + bit) * (r + bit) <= n)
			r += bit;
	return (unsigned)r;
}

/* The orders that were given and the best of the others that are drawn, as far as a part of the work shows. */
static bool find_rival(struct search *b, struct span ordered)
{
	release(b);
	b->of[b->seat].count = 0;
	note_choice(&b->of[b->seat], MANY, ordered);
	draw_choices(b);
	b->work = 0;
	halve(b, 2, b->effort.work / 2);
	return b->of[b->seat].count == 2;
}

/*
 * Those two, in worlds that had no part in the choice; what the second did is told in `out`. 1, -1: it was better, worse,
 * by more than the error that is told; 0: neither is known.
 */
static int compare(struct search *b, struct advice *out)
{
	struct choice *best = &b->of[b->seat].items[1];
	unsigned won = 0;
	int64_t tried = 0;

	best->lead = 0;
	best->squares = 0;
	for (b->work = 0; b->work < b->effort.work / 2; tried++) {
		struct world w;

		imagine(b, ((uint64_t)1 << 32) + (uint64_t)tried, &w);
		uint32_t given = try_choice(b, &w, b->seat, &b->of[b->seat].items[0]),
			 share = try_choice(b, &w, b->seat, best);
		note_lead(best, share, given);
		won += b->at_once && share == ALL;
		forget(b, &w);
	}
	const int64_t lead = THOUSAND * best->lead / tried / ALL,
		      error = 1 + 2 * THOUSAND * (int64_t)root(best->squares) / tried / ALL;

	*out = (struct advice){out->orders, lead > 0 ? (unsigned)lead : 0, (unsigned)error,
	                       (unsigned)(THOUSAND * won / tried)};
	return (lead > error) - (-lead > error);
}

/* What advice for this seat looks at; release_advice ends it. */
static struct search advice_of(const struct rules *rules, const struct game_state *position,
                               unsigned seat, const struct tables *tables,
                               const struct hash *key)
{
	struct chance *chance = chance_from_key(key);
	struct game_state *seen = rules->resample(position, seat, chance);
	struct search b = search_of(rules, seen, seat, BOT_LEVEL_ADVICE, tables);

	b.drawn = seen;
	b.advises = true;
	b.thoughts = chance_pick(chance, THOUGHTS, "thoughts of seat %u", seat);
	chance_free(chance);
	return b;
}

static void release_advice(struct search *b)
{
	release(b);
	b->rules->free_state(b->drawn);
}

unsigned bot_chances(const struct rules *rules, const struct game_state *position,
                     const struct seat_orders *orders, unsigned turns, uint64_t seed,
                     uint32_t share[MAX_SEATS + 1])
{
	struct search b = search_of(rules, position, SEAT_PUBLIC, BOT_LEVEL_USUAL, NULL);
	struct game_result r = {0};

	memset(share, 0, (MAX_SEATS + 1) * sizeof *share);
	b.advises = true;
	b.effort.turns = turns;
	rules->result(position, &r);
	if (r.over)
		share_result(&r, false, share);
	else
		play_out(&b, position, orders, seed, share);
	return b.work;
}

bool bots_known(const struct rules *rules, unsigned version)
{
	return version >= 1 && version <= rules->bots_version;
}

/* Versions before the present one draw orders and look no further: that is what older_bots are. */
void bot_orders(const struct rules *rules, unsigned version, const struct game_state *position,
                unsigned seat, unsigned level, const struct tables *tables,
                const struct hash *key, struct strbuf *canonical, struct strbuf *drawn)
{
	ENSURE(bots_known(rules, version));
	struct chance *chance = chance_from_key(key);
	struct game_state *seen = rules->resample(position, seat, chance);
	size_t dealt = chance_count(chance);
	if (version < rules->bots_version)
		rules->older_bots[version - 1](seen, seat, level, tables, chance, canonical);
	else if (!rules->efforts[level].drawn_by)
		rules->sample_orders(seen, seat, rules->efforts[level].policy, tables, chance,
		                     canonical);
	else
		search_orders(rules, seen, seat, level, tables, chance, canonical);
	if (drawn)
		chance_add_ranges(chance, dealt, drawn);
	rules->free_state(seen);
	chance_free(chance);
}

void bot_examples(const struct rules *rules, const struct game_state *position, unsigned seat,
                  struct doc *out)
{
	enum { LINE_BYTES = 66, DRAWS = 8 };
	struct strbuf shown = STRBUF_INIT, text = STRBUF_INIT, usual = STRBUF_INIT,
		      kept = STRBUF_INIT;
	bool owes = seat_in(rules->owes(position), seat);
	unsigned n = 0;

	doc_in(out, DOC_HELP);
	if (owes)
		rules->default_orders(position, seat, &usual);
	for (unsigned i = 0; i < DRAWS && n < 2 && owes; i++) {
		uint64_t place[] = {rules->phase(position), seat, i};
		struct hash key = hash_of((struct span){(const char *)place, sizeof(place)});

		strbuf_clear(&text);
		bot_orders(rules, rules->bots_version, position, seat,
		           i < DRAWS / 2 ? BOT_LEVEL_EXAMPLE : 1, out->tables, &key, &text,
		           NULL);
		/* What nobody need write, since it is so without: clauses that the default has too, but not all. */
		struct span rest = strbuf_span(&text), clause, other;
		strbuf_clear(&kept);
		while (span_next_field(&rest, ';', &clause)) {
			struct span others = strbuf_span(&usual);
			bool same = false;

			while (!same && span_next_field(&others, ';', &other))
				same = span_eq(span_trim(clause), span_trim(other));
			if (!same)
				strbuf_addf(&kept, kept.len ? "; %.*s" : "%.*s",
				            SPAN_ARGS(span_trim(clause)));
		}
		if (kept.len > 0) {
			strbuf_clear(&text);
			strbuf_add_span(&text, strbuf_span(&kept));
		}
		/* What does not fit on one line is harder to copy. */
		if (span_eq(strbuf_span(&text), strbuf_span(&shown)) ||
		    (text.len > LINE_BYTES && i + 2 < DRAWS + n))
			continue;
		doc_example(out, "%s", text.ptr);
		strbuf_clear(&shown);
		strbuf_add_span(&shown, strbuf_span(&text));
		n++;
	}
	if (n == 1 && usual.len <= LINE_BYTES &&
	    !span_eq(strbuf_span(&usual), strbuf_span(&shown)))
		doc_example(out, "%s", usual.ptr);
	strbuf_release(&shown);
	strbuf_release(&text);
	strbuf_release(&usual);
	strbuf_release(&kept);
}

void bot_advice(const struct rules *rules, const struct game_state *position, unsigned seat,
                const struct tables *tables, struct span ordered, const struct hash *key,
                struct advice *out)
{
	struct search b = advice_of(rules, position, seat, tables, key);
	const unsigned turns = b.effort.turns;
	bool better = false;

	if (!b.effort.drawn_by)
		goto out;
	/* First a win at once, as long as it is not dearly bought: it need not be better than one that comes later. */
	b.only_now = true;
	b.effort.turns = 1;
	better = find_rival(&b, ordered) && compare(&b, out) > 0 && out->wins >= MOSTLY;
	b.only_now = false;
	b.effort.turns = b.effort.to_end ? UINT_MAX : turns;
	if (better) {
		const unsigned wins = out->wins; /* in more worlds than whole games allow */

		better = compare(&b, out) >= 0;
		out->wins = wins;
	}
	if (!better) {
		b.effort.turns = turns;
		better = find_rival(&b, ordered);
		b.effort.turns = b.effort.to_end ? UINT_MAX : turns;
		better = better && compare(&b, out) > 0;
	}
	if (better)
		strbuf_add_span(&out->orders, strbuf_span(&b.of[seat].items[1].text));
	else
		out->gain = out->error = out->wins = 0;
out:
	release_advice(&b);
}

/* Both in the same worlds, with a part of the work of advice. */
static unsigned falls_short(struct search *b, struct span best, bool at_once,
                            struct span ordered, unsigned part)
{
	const struct bot_effort usual = b->effort;
	struct advice found = ADVICE_INIT;

	b->only_now = at_once;
	b->effort.work /= part;
	if (at_once)
		b->effort.turns = 1;
	release(b);
	b->of[b->seat].count = 0;
	note_choice(&b->of[b->seat], MANY, ordered);
	note_choice(&b->of[b->seat], MANY, best);
	if (b->of[b->seat].count > 1)
		compare(b, &found);
	b->effort = usual;
	return found.gain;
}

unsigned bot_falls_short(const struct rules *rules, const struct game_state *position,
                         unsigned seat, const struct tables *tables, struct span best,
                         bool at_once, struct span ordered, const struct hash *key)
{
	struct search b = advice_of(rules, position, seat, tables, key);
	const unsigned more = falls_short(&b, best, at_once, ordered, 4);

	release_advice(&b);
	return more;
}

bool bot_puzzle(const struct rules *rules, const struct game_state *position, unsigned seat,
                const struct tables *tables, const struct hash *key, struct advice *out)
{
	enum { OTHERS = 24, MOST_AS_GOOD = 3, FAR = 250, PART = 40 };
	struct search b = advice_of(rules, position, seat, tables, key);
	struct strbuf text = STRBUF_INIT;
	unsigned as_good = 0;

	rules->default_orders(position, seat, &text);
	bot_advice(rules, position, seat, tables, strbuf_span(&text), key, out);
	const struct span best = strbuf_span(&out->orders);
	const bool wins = advice_is_win(out->wins);
	if (best.len == 0 || !(wins || out->gain >= FAR + out->error))
		as_good = OTHERS;
	for (unsigned i = 0; i < OTHERS && as_good <= MOST_AS_GOOD; i++) {
		strbuf_clear(&text);
		sample(&b, b.seen, seat, i % (BOT_LEVEL_USUAL + 1), mix(b.thoughts, i), &text);
		as_good += falls_short(&b, best, wins, strbuf_span(&text), PART) <= BOT_AS_GOOD;
	}
	release_advice(&b);
	strbuf_release(&text);
	return as_good <= MOST_AS_GOOD;
}
