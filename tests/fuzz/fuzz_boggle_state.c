/*
 * fuzz_boggle_state.c - any bytes as a state of Martian Boggle.
 *
 * A state that is let in has exactly these bytes, can be looked at by everybody, and can be
 * played on to the end of the turn, with a pass and with what a bot would do.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct rules *const rules = &martian_boggle_1;
static const struct table list = {"american", {"stone\nspell\nquick\nabout\n", 24}, {{0}}};
static const struct tables tables = {&list, 1};

static void look(const struct game_state *s)
{
	struct arena *arena = arena_new();
	struct strbuf text = STRBUF_INIT;
	struct game_result result;
	struct doc doc;

	for (unsigned viewer = SEAT_PUBLIC; viewer <= rules->nseats(s); viewer++) {
		doc_init(&doc, arena);
		doc.tables = &tables;
		doc.draws_imagined = viewer == 2;
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

static void play_on(const struct game_state *s, unsigned level)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(level, "turn");
	struct strbuf texts[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;

	memset(orders, 0, sizeof orders);
	for (unsigned seat = 1; seat <= 2; seat++) {
		struct chance *mind = chance_from_seed(seat, "mind");

		if (seat_in(rules->owes(s), seat))
			rules->sample_orders(s, seat, level, level ? &tables : NULL, mind,
			                     &texts[seat]);
		orders[seat].canonical = strbuf_span(&texts[seat]);
		chance_free(mind);
	}
	if (rules->resolve(s, orders, chance, &next, &why)) {
		ENSURE(rules->phase(next) == rules->phase(s) + 1);
		look(next);
		rules->free_state(next);
	} else {
		ENSURE(rules->owes(s).bits == 0);
	}
	chance_free(chance);
	for (unsigned seat = 0; seat <= 2; seat++)
		strbuf_release(&texts[seat]);
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
		play_on(s, 0);
		play_on(s, 3);
		rules->free_state(s);
	} else {
		ENSURE(why.len > 0);
	}
	strbuf_release(&why);
	strbuf_release(&again);
	return 0;
}
