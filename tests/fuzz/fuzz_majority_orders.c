/*
 * fuzz_majority_orders.c - any bytes as a mail of Mole Majority orders.
 *
 * Whatever is read must be canonical: reading it again gives the same bytes and no complaint, and
 * it can be played. The first byte chooses the position, the rest is the mail.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/mole_majority/majority.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct rules *const rules = &mole_majority_1;

/* A game of three with a player who is called like an order, in the set-up or some turns on. */
static struct game_state *make_game(unsigned which)
{
	static const char *const games[] = {
	    "setup=auto", "setup=mail", "setup=auto routes=free", "setup=auto homes=reveal"};
	static const struct seat_names names = {.count = 3,
	                                        .names = {"", "Ann", "Mole", "Re Sign"}};
	struct chance *chance = chance_from_seed(which, "game");
	struct arena *arena = arena_new();
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, rules);
	ENSURE(options_parse(&options, span_of(games[which % 4]), arena, &why));
	ENSURE(rules->new_game(&options, &names, chance, &s, &why));
	chance_free(chance);
	arena_free(arena);
	return s;
}

static struct game_state *play(struct game_state *now, unsigned seat, struct span canonical)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct chance *chance = chance_from_seed(rules->phase(now), "turn");
	struct strbuf pass = STRBUF_INIT, why = STRBUF_INIT;
	struct game_state *next = NULL;

	memset(orders, 0, sizeof orders);
	rules->default_orders(now, 1, &pass);
	for (unsigned other = 1; other <= 3; other++)
		if (seat_in(rules->owes(now), other))
			orders[other].canonical = strbuf_span(&pass);
	if (canonical.len)
		orders[seat].canonical = canonical;
	ENSURE(rules->resolve(now, orders, chance, &next, &why));
	rules->free_state(now);
	chance_free(chance);
	strbuf_release(&pass);
	return next;
}

static struct game_state *some_turns_on(struct game_state *s, unsigned turns)
{
	for (unsigned i = 0; i < turns && s->turn && !mm_over(s); i++) {
		struct chance *chance = chance_from_seed(i, "bot");
		struct strbuf text = STRBUF_INIT;

		rules->sample_orders(s, s->active, 0, NULL, chance, &text);
		s = play(s, s->active, strbuf_span(&text));
		strbuf_release(&text);
		chance_free(chance);
	}
	return s;
}

static void read_again(const struct game_state *s, unsigned seat, struct span canonical)
{
	struct strbuf again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	ENSURE(rules->read_orders(s, seat, SPAN_EMPTY, NULL, canonical, &again, &diags));
	ENSURE(span_eq(strbuf_span(&again), canonical));
	ENSURE(diags.count == 0);
	strbuf_release(&again);
	diags_release(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct game_state *s;
	struct span text;
	unsigned seat;

	if (size == 0)
		return 0;
	s = some_turns_on(make_game(data[0]), data[0] / 4);
	seat = s->active ? s->active : 1;
	text = (struct span){(const char *)data + 1, size - 1};
	if (rules->read_orders(s, seat, SPAN_EMPTY, NULL, text, &canonical, &diags)) {
		read_again(s, seat, strbuf_span(&canonical));
		if (!mm_over(s))
			s = play(s, seat, strbuf_span(&canonical));
	}
	strbuf_release(&canonical);
	diags_release(&diags);
	rules->free_state(s);
	return 0;
}
