/*
 * fuzz_majority_state.c - any bytes as a state of Mole Majority.
 *
 * A state that is let in has exactly these bytes, can be looked at and resampled for everybody,
 * and can be played on, by bots and by those who resign, to states that are let in again.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct rules *const rules = &mole_majority_1;

static void look(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct game_result result;
	struct doc doc;

	for (unsigned viewer = SEAT_PUBLIC; viewer <= rules->nseats(s); viewer++) {
		struct chance *chance = chance_from_seed(viewer, "resample");

		doc_init(&doc, arena);
		rules->view(s, viewer, &doc);
		if (viewer != SEAT_PUBLIC)
			rules->examples(s, viewer, &doc);
		doc_dump(&doc, &text);
		rules->free_state(rules->resample(s, viewer, chance));
		chance_free(chance);
	}
	rules->label(s, &text);
	rules->result(s, &result);
	strbuf_release(&text);
	arena_free(arena);
}

static void let_in_again(const struct game_state *s)
{
	struct strbuf text = STRBUF_INIT, why = STRBUF_INIT;
	struct game_state *copy = NULL;

	rules->encode(s, &text);
	if (!rules->decode(strbuf_span(&text), &copy, &why))
		BUG("%s", why.ptr);
	rules->free_state(copy);
	strbuf_release(&text);
	strbuf_release(&why);
}

/* One turn; seat 1 resigns in every other try. */
static void play_on(const struct game_state *s, bool resigns)
{
	struct strbuf texts[MAX_SEATS + 1];
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(1, "turn");
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 0; seat <= MAX_SEATS; seat++) {
		struct chance *bot = chance_from_seed(seat, "bot");

		strbuf_init(&texts[seat]);
		if (resigns && seat == 1)
			orders[seat].origin = ORDER_RESIGNED;
		else if (seat_in(rules->owes(s), seat))
			rules->sample_orders(s, seat, 0, NULL, bot, &texts[seat]);
		orders[seat].canonical = strbuf_span(&texts[seat]);
		chance_free(bot);
	}
	if (rules->resolve(s, orders, chance, &next, &why)) {
		ENSURE(rules->phase(next) == rules->phase(s) + 1);
		look(next);
		let_in_again(next);
		rules->free_state(next);
	}
	for (unsigned seat = 0; seat <= MAX_SEATS; seat++)
		strbuf_release(&texts[seat]);
	chance_free(chance);
	strbuf_release(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct game_state *s = NULL;
	struct strbuf why = STRBUF_INIT;
	struct strbuf again = STRBUF_INIT;

	if (rules->decode(text, &s, &why)) {
		rules->encode(s, &again);
		ENSURE(span_eq(strbuf_span(&again), text));
		look(s);
		play_on(s, false);
		play_on(s, true);
		rules->free_state(s);
	} else {
		ENSURE(why.len > 0);
	}
	strbuf_release(&why);
	strbuf_release(&again);
	return 0;
}
