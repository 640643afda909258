/*
 * fuzz_state.c - letting states in, looking at them, playing on.
 */
#include "tests/support/fuzz_state.h"

#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/base/seal.h"
#include "processor/bots/bots.h"

struct fuzzed {
	const struct rules *rules;
	const struct tables *tables;
};

static void look_as(const struct fuzzed *f, const struct game_state *s, unsigned viewer,
                    struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	struct doc doc;

	doc_init(&doc, arena);
	doc.tables = f->tables;
	doc.draws_imagined = viewer % 2 == 0;
	f->rules->view(s, viewer, &doc);
	if (viewer != SEAT_PUBLIC)
		bot_examples(f->rules, s, viewer, &doc);
	doc_dump(&doc, &text);
	strbuf_release(&text);
}

static void look(const struct fuzzed *f, const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct game_result result;

	for (unsigned viewer = SEAT_PUBLIC; viewer <= f->rules->nseats(s); viewer++) {
		struct chance *chance = chance_from_seed(viewer, "fuzz");
		struct game_state *other = f->rules->resample(s, viewer, chance);

		look_as(f, s, viewer, arena);
		look_as(f, other, viewer, arena);
		f->rules->free_state(other);
		chance_free(chance);
	}
	f->rules->label(s, &text);
	f->rules->result(s, &result);
	ENSURE(result.over == (f->rules->owes(s).bits == 0));
	strbuf_release(&text);
	arena_free(arena);
}

static void let_in_again(const struct fuzzed *f, const struct game_state *s)
{
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct game_state *copy = NULL;

	f->rules->encode(s, &text);
	if (!f->rules->decode(strbuf_span(&text), &copy, &why))
		BUG("%s", why.ptr);
	f->rules->free_state(copy);
	strbuf_release(&text);
	strbuf_release(&why);
}

static void make_up_orders(const struct fuzzed *f, const struct game_state *s, unsigned seat,
                           unsigned level, struct strbuf *out)
{
	struct chance *chance = chance_from_seed(seat, "bot");

	if (seat_in(f->rules->owes(s), seat))
		f->rules->sample_orders(s, seat, level, f->tables, chance, out);
	chance_free(chance);
}

/* One turn; `leaver` resigns, 0 = nobody. */
static void play_on(const struct fuzzed *f, const struct game_state *s, unsigned level,
                    unsigned leaver)
{
	struct strbuf texts[MAX_SEATS + 1], why = STRBUF_INIT;
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(level, "turn");
	struct game_state *next = NULL;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 0; seat <= f->rules->nseats(s); seat++) {
		strbuf_init(&texts[seat]);
		if (seat == 0)
			continue;
		if (seat == leaver)
			strbuf_adds(&texts[seat], ORDER_RESIGN_TEXT);
		else
			make_up_orders(f, s, seat, level, &texts[seat]);
		orders[seat].origin = seat == leaver ? ORDER_RESIGNED : ORDER_SENT;
		orders[seat].canonical = strbuf_span(&texts[seat]);
	}
	if (f->rules->resolve(s, orders, chance, &next, &why)) {
		ENSURE(f->rules->phase(next) == f->rules->phase(s) + 1);
		let_in_again(f, next);
		look(f, next);
		f->rules->free_state(next);
	} else {
		ENSURE(f->rules->owes(s).bits == 0);
	}
	for (unsigned seat = 0; seat <= f->rules->nseats(s); seat++)
		strbuf_release(&texts[seat]);
	chance_free(chance);
	strbuf_release(&why);
}

static void use(const struct fuzzed *f, const struct game_state *s)
{
	look(f, s);
	for (unsigned level = 0; level <= SAMPLE_LEVEL_BEST; level++)
		play_on(f, s, level, level == 0 ? 1 : 0);
}

void fuzz_state(const struct rules *rules, const struct tables *tables, const uint8_t *data,
                size_t size)
{
	const struct fuzzed f = {rules, tables};
	struct span text = {(const char *)data, size};
	struct strbuf why = STRBUF_INIT, again = STRBUF_INIT;
	struct game_state *s = NULL;

	seal_start();
	if (rules->decode(text, &s, &why)) {
		rules->encode(s, &again);
		ENSURE(span_eq(strbuf_span(&again), text));
		use(&f, s);
		rules->free_state(s);
	} else {
		ENSURE(why.len > 0);
	}
	strbuf_release(&why);
	strbuf_release(&again);
}
