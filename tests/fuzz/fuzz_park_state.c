/*
 * fuzz_park_state.c - any bytes as a state of Mole Park.
 *
 * A state that is let in has exactly these bytes, can be looked at and imagined by everybody,
 * and can be played on to a state that is let in as well.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct rules *const rules = &mole_park_1;
static const struct tables no_tables = {NULL, 0};

static void look(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct game_result result;
	struct doc doc;

	for (unsigned viewer = SEAT_PUBLIC; viewer <= rules->nseats(s); viewer++) {
		struct chance *chance = chance_from_seed(viewer, "fuzz");
		struct game_state *other = rules->resample(s, viewer, chance);

		doc_init(&doc, arena);
		rules->view(other, viewer, &doc);
		if (viewer != SEAT_PUBLIC)
			rules->examples(other, viewer, &doc);
		doc_dump(&doc, &text);
		rules->free_state(other);
		chance_free(chance);
	}
	rules->label(s, &text);
	rules->result(s, &result);
	ENSURE(result.over == (rules->owes(s).bits == 0));
	strbuf_release(&text);
	arena_free(arena);
}

static void decodes(const struct game_state *s)
{
	struct strbuf text = STRBUF_INIT;
	struct strbuf why = STRBUF_INIT;
	struct game_state *copy = NULL;

	rules->encode(s, &text);
	ENSURE(rules->decode(strbuf_span(&text), &copy, &why));
	rules->free_state(copy);
	strbuf_release(&text);
}

static void play_on(const struct game_state *s)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct strbuf texts[MAX_SEATS + 1];
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;
	struct chance *chance = chance_from_seed(1, "fuzz");

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= rules->nseats(s); seat++) {
		struct chance *c = chance_from_seed(seat, "fuzz");

		strbuf_init(&texts[seat]);
		rules->sample_orders(s, seat, seat % 4, &no_tables, c, &texts[seat]);
		orders[seat].canonical = strbuf_span(&texts[seat]);
		chance_free(c);
	}
	if (rules->resolve(s, orders, chance, &next, &why)) {
		ENSURE(rules->phase(next) == rules->phase(s) + 1);
		decodes(next);
		look(next);
		rules->free_state(next);
	}
	for (unsigned seat = 1; seat <= rules->nseats(s); seat++)
		strbuf_release(&texts[seat]);
	strbuf_release(&why);
	chance_free(chance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};
	struct game_state *s = NULL;
	struct strbuf why = STRBUF_INIT;
	struct strbuf again = STRBUF_INIT;

	seal_start();
	if (rules->decode(text, &s, &why)) {
		rules->encode(s, &again);
		ENSURE(span_eq(strbuf_span(&again), text));
		look(s);
		play_on(s);
		rules->free_state(s);
	} else {
		ENSURE(why.len > 0);
	}
	strbuf_release(&why);
	strbuf_release(&again);
	return 0;
}
