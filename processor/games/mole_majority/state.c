/*
 * state.c - the state of Mole Majority as text.
 */
#include "processor/games/mole_majority/majority.h"

char mm_letter(unsigned seat)
{
	return (char)(seat ? 'A' + (int)seat - 1 : '-');
}

static void add_number(struct strbuf *out, const char *key, unsigned number)
{
	strbuf_adds(out, key);
	state_add_uint(out, number);
	strbuf_addc(out, '\n');
}

static void add_seat_key(struct strbuf *out, unsigned seat, const char *key)
{
	strbuf_adds(out, "seat ");
	state_add_uint(out, seat);
	strbuf_adds(out, key);
}

static void add_home(struct strbuf *out, unsigned value, bool open)
{
	strbuf_addc(out, ' ');
	strbuf_addc(out, (char)(value ? '0' + (int)value : '-'));
	if (open)
		strbuf_addc(out, 'o');
}

static void encode_hex(const struct game_state *s, unsigned h, struct strbuf *out)
{
	const struct mm_hex *x = &s->hexes[h];

	strbuf_adds(out, "hex: ");
	strbuf_add(out, mm_hex_names[h], 2);
	strbuf_addc(out, ' ');
	if (!x->value) {
		strbuf_adds(out, "-\n");
		return;
	}
	strbuf_addc(out, (char)('0' + x->value));
	strbuf_addc(out, ' ');
	strbuf_addc(out, mm_letter(x->claim));
	strbuf_addc(out, ' ');
	for (unsigned i = 0; i < x->value; i++)
		strbuf_addc(out, x->spaces[i] ? mm_letter(x->spaces[i]) : '.');
	add_home(out, x->home, x->home_open);
	strbuf_addc(out, '\n');
}

static void encode_caveins(const struct game_state *s, struct strbuf *out)
{
	bool any = false;

	strbuf_adds(out, "cave-ins:");
	for (unsigned h = 0; h < MM_HEXES; h++) {
		uint32_t later = s->cave[h] >> h >> 1 << 1 << h;

		for (; later; later &= later - 1) {
			strbuf_addc(out, ' ');
			strbuf_add(out, mm_hex_names[h], 2);
			strbuf_addc(out, '-');
			strbuf_add(out, mm_hex_names[__builtin_ctz(later)], 2);
			any = true;
		}
	}
	strbuf_adds(out, any ? "\n" : " -\n");
}

static void encode_spare(const struct game_state *s, struct strbuf *out)
{
	strbuf_adds(out, "spare:");
	for (unsigned i = 0; i < s->nspare; i++)
		add_home(out, s->spare[i], false);
	strbuf_adds(out, s->nspare ? "\n" : " -\n");
}

static void encode_pile(const struct mm_pile *p, struct strbuf *out)
{
	for (unsigned i = 0; i < p->count; i++) {
		strbuf_addc(out, ' ');
		strbuf_adds(out, mm_cards[p->cards[i]].name);
	}
	strbuf_adds(out, p->count ? "\n" : " -\n");
}

static void encode_standing(const struct mm_seat *p, struct strbuf *out)
{
	static const char *const words[] = {"in", "leaving", "beaten ", "left "};

	strbuf_adds(out, words[p->standing]);
	if (p->out)
		state_add_uint(out, p->out);
	strbuf_addc(out, '\n');
}

static void encode_seat(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	const struct mm_seat *p = &s->seats[seat];

	add_seat_key(out, seat, " name: ");
	strbuf_adds(out, p->name.text);
	strbuf_addc(out, '\n');
	add_seat_key(out, seat, " standing: ");
	encode_standing(p, out);
	add_seat_key(out, seat, "");
	add_number(out, " cave-ins: ", p->caveins);
	if (s->turn == 0) {
		add_seat_key(out, seat, " tiles:");
		for (unsigned i = 0; i < p->ntiles; i++)
			add_home(out, p->tiles[i], false);
		strbuf_addc(out, '\n');
	}
	add_seat_key(out, seat, " hand:");
	encode_pile(&p->hand, out);
	add_seat_key(out, seat, " deck:");
	encode_pile(&p->deck, out);
	add_seat_key(out, seat, " discard:");
	encode_pile(&p->discard, out);
	add_seat_key(out, seat, " homes:");
	for (unsigned i = 0; i < p->nhomes; i++)
		add_home(out, p->homes[i].value, p->homes[i].open);
	strbuf_adds(out, p->nhomes ? "\n" : " -\n");
}

void mm_encode(const struct game_state *s, struct strbuf *out)
{
	unsigned ring[MM_SEATS];

	for (unsigned i = 0; i < s->nseats; i++)
		ring[i] = s->ring[i];
	strbuf_adds(out, "mole-majority: 1\noptions: ");
	strbuf_adds(out, s->setup.text);
	add_number(out, "\nseats: ", s->nseats);
	add_number(out, "turn: ", s->turn);
	add_number(out, "round: ", s->round);
	strbuf_adds(out, "order: ");
	state_add_uints(out, ring, s->nseats);
	add_number(out, "\nfirst: ", s->first);
	add_number(out, "active: ", s->active);
	add_number(out, "last: ", s->last);
	for (unsigned h = 0; h < MM_HEXES; h++)
		encode_hex(s, h, out);
	encode_caveins(s, out);
	encode_spare(s, out);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		encode_seat(s, seat, out);
	mm_encode_events(s, out);
}
