/*
 * fuzz_park_orders.c - any bytes as a mail of Mole Park orders.
 *
 * Whatever is read must be canonical: reading it again gives the same bytes and no complaint,
 * and a round can be played with it. The first byte chooses the players' names and the seat.
 */
#include <stdint.h>
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/err.h"
#include "processor/games/mole_park/park.h"
#include "processor/games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct tables no_tables = {NULL, 0};

/* Everybody holds a mole, so that a CROWN may be read. */
static struct game_state *make_game(unsigned which)
{
	static const struct seat_names names[] = {
	    {.count = 3, .names = {"", "Ann", "Bob", "Cid"}},
	    {.count = 4, .names = {"", "Jo B", "Pri", "zes", "B"}},
	    {.count = 3, .names = {"", "Roll2", "Cro wn", "O'"}},
	    {.count = 4, .names = {"", "Ann", "Ann.", "Fawour", "\xc3\x85sa"}}};
	struct chance *chance = chance_from_seed(1, "fuzz");
	struct strbuf why = STRBUF_INIT;
	struct options options;
	struct game_state *s = NULL;

	options_init(&options, &mole_park_1);
	ENSURE(mole_park_1.new_game(&options, &names[which % 4], chance, &s, &why));
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		park_pile_put(&s->seats[seat].hand, park_pile_take(&s->deck));
	chance_free(chance);
	return s;
}

static void read_again(const struct game_state *s, unsigned seat, struct span canonical)
{
	struct strbuf again = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	ENSURE(mole_park_1.read_orders(s, seat, SPAN_EMPTY, &no_tables, canonical, &again,
	                               &diags));
	ENSURE(span_eq(strbuf_span(&again), canonical));
	ENSURE(diags.count == 0);
	strbuf_release(&again);
	diags_release(&diags);
}

static void play_round(const struct game_state *s, unsigned seat, struct span canonical)
{
	struct seat_orders orders[MAX_SEATS + 1];
	struct strbuf none[PARK_SEATS + 1];
	struct chance *chance = chance_from_seed(2, "fuzz");
	struct game_state *next = NULL;
	struct strbuf why = STRBUF_INIT;

	memset(orders, 0, sizeof orders);
	for (unsigned i = 1; i <= s->nseats; i++) {
		strbuf_init(&none[i]);
		mole_park_1.default_orders(s, i, &none[i]);
		orders[i].canonical = i == seat ? canonical : strbuf_span(&none[i]);
	}
	if (span_eq_str(canonical, ORDER_RESIGN_TEXT))
		orders[seat].origin = ORDER_RESIGNED;
	ENSURE(mole_park_1.resolve(s, orders, chance, &next, &why));
	mole_park_1.free_state(next);
	for (unsigned i = 1; i <= s->nseats; i++)
		strbuf_release(&none[i]);
	chance_free(chance);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct game_state *s;
	struct strbuf canonical = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct span text;
	unsigned seat;

	if (size == 0)
		return 0;
	seal_start();
	s = make_game(data[0]);
	seat = 1 + data[0] / 4 % s->nseats;
	text = (struct span){(const char *)data + 1, size - 1};
	if (mole_park_1.read_orders(s, seat, SPAN_EMPTY, &no_tables, text, &canonical,
	                            &diags)) {
		read_again(s, seat, strbuf_span(&canonical));
		play_round(s, seat, strbuf_span(&canonical));
	}
	strbuf_release(&canonical);
	diags_release(&diags);
	mole_park_1.free_state(s);
	return 0;
}
