/*
 * fuzz_mole_state.c - any bytes as a state of the coin game.
 *
 * A state that is let in has exactly these bytes, can be looked at by everybody, and can be
 * played on, by bots as well.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tables no_tables = {NULL, 0};
static const struct rules *const rules = &mole_1;

static void look(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct game_result result;
	struct doc doc;

	for (unsigned viewer = SEAT_PUBLIC; viewer <= rules->nseats(s); viewer++) {
		doc_init(&doc, arena);
		rules->view(s, viewer, &doc);
		if (viewer != SEAT_PUBLIC)
			rules->examples(s, viewer, &doc);
		doc_dump(&doc, &text);
	}
	rules->label(s, &text);
	rules->result(s, &result);
	ENSURE(result.over == (rules->owes(s).bits == 0));
	strbuf_release(&text);
	arena_free(arena);
}

static void play_on(const struct game_state *s)
{
	struct strbuf text[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(1, "fuzz");
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= 2; seat++) {
		if (!seat_in(rules->owes(s), seat))
			continue;
		rules->sample_orders(s, seat, 1, &no_tables, chance, &text[seat]);
		orders[seat].canonical = strbuf_span(&text[seat]);
	}
	if (rules->resolve(s, orders, chance, &next, &why)) {
		ENSURE(rules->phase(next) == rules->phase(s) + 1);
		look(next);
		rules->free_state(next);
	} else {
		ENSURE(rules->owes(s).bits == 0);
	}
	for (unsigned seat = 0; seat <= 2; seat++)
		strbuf_release(&text[seat]);
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
		play_on(s);
		rules->free_state(s);
	} else {
		ENSURE(why.len > 0);
	}
	strbuf_release(&why);
	strbuf_release(&again);
	return 0;
}
