/*
 * state.c - a state of Mole Park as text. Reading it: state_read.c.
 */
#include "processor/games/mole_park/park.h"

static void add_cards(struct strbuf *out, const unsigned char *cards, unsigned count)
{
	if (count == 0)
		strbuf_addc(out, '-');
	for (unsigned i = 0; i < count; i++) {
		if (i)
			strbuf_addc(out, ' ');
		state_add_uint(out, cards[i]);
	}
	strbuf_addc(out, '\n');
}

static void add_pile(struct strbuf *out, const char *key, const struct park_pile *pile)
{
	strbuf_adds(out, key);
	add_cards(out, pile->cards, pile->count);
}

static void add_number(struct strbuf *out, const char *key, unsigned number)
{
	strbuf_adds(out, key);
	state_add_uint(out, number);
	strbuf_addc(out, '\n');
}

static void add_face(struct strbuf *out, unsigned face)
{
	if (face)
		state_add_uint(out, face);
	else
		strbuf_addc(out, 'X');
}

void park_write_wishes(const struct park_wishes *w, struct strbuf *out)
{
	for (unsigned i = 0; i < w->count; i++) {
		if (i)
			strbuf_addc(out, ' ');
		strbuf_adds(out, park_shops[w->shops[i]].key);
	}
	if (w->nothing_else)
		strbuf_adds(out, w->count ? " NONE" : "NONE");
	else if (w->count == 0)
		strbuf_adds(out, "ANY");
}

void park_write_discard(const struct park_discard *d, struct strbuf *out)
{
	if (d->way == PARK_VALUES)
		for (unsigned i = 0; i < d->count; i++) {
			if (i)
				strbuf_addc(out, ' ');
			state_add_uint(out, d->values[i]);
		}
	else
		strbuf_adds(out, d->way == PARK_HIGH ? "HIGH" : "LOW");
}

static void encode_rolled(const struct park_deed *d, struct strbuf *out)
{
	if (d->die == PARK_NO_DIE) {
		strbuf_adds(out, "-\n");
		return;
	}
	strbuf_adds(out, park_die_keys[d->die]);
	strbuf_adds(out, d->again ? " X " : " ");
	add_face(out, d->face);
	strbuf_addc(out, '\n');
}

static void encode_showdown(const struct park_deed *d, struct strbuf *out)
{
	if (!d->finalist) {
		strbuf_adds(out, "-\n");
		return;
	}
	for (unsigned die = PARK_GLOVE; die < PARK_DICE_END; die++) {
		if (die > PARK_GLOVE)
			strbuf_addc(out, ' ');
		add_face(out, d->faces[die]);
	}
	strbuf_addc(out, '\n');
}

/* Each line of a seat begins alike. */
struct seat_lines {
	struct strbuf *out;
	char start[sizeof "seat 9 "];
};

static struct strbuf *begin(struct seat_lines *l, const char *key)
{
	strbuf_add(l->out, l->start, sizeof l->start - 1);
	strbuf_adds(l->out, key);
	return l->out;
}

static void encode_deed(const struct park_deed *d, struct seat_lines *l)
{
	static const char *const declared[] = {"-\n", "CROWN\n", "ANSWER\n"};

	encode_rolled(d, begin(l, "rolled: "));
	strbuf_adds(begin(l, "declared: "), declared[d->declared]);
	add_pile(begin(l, ""), "got: ", &d->got);
	add_pile(begin(l, ""), "dropped: ", &d->dropped);
	add_pile(begin(l, ""), "shown: ", &d->shown);
	add_number(begin(l, ""), "total: ", d->total);
	add_number(begin(l, ""), "pick: ", d->pick);
	add_number(begin(l, ""), "won: ", d->won);
	encode_showdown(d, begin(l, "showdown: "));
}

static void encode_seat(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	const struct park_seat *p = &s->seats[seat];
	struct seat_lines l = {out, "seat 0 "};

	l.start[5] = (char)('0' + seat);
	strbuf_adds(begin(&l, "name: "), p->name.text);
	strbuf_addc(out, '\n');
	add_number(begin(&l, ""), "left: ", p->left);
	add_pile(begin(&l, ""), "hand: ", &p->hand);
	add_cards(begin(&l, "prizes: "), p->prizes, p->nprizes);
	park_write_wishes(&p->wishes, begin(&l, "wishes: "));
	strbuf_addc(out, '\n');
	park_write_discard(&p->discard, begin(&l, "discard: "));
	strbuf_addc(out, '\n');
	encode_deed(&p->last, &l);
}

static void encode_table(const struct game_state *s, struct strbuf *out)
{
	strbuf_adds(out, "mole-park: 1\noptions: ");
	strbuf_adds(out, s->setup.text);
	add_number(out, "\nseats: ", s->nseats);
	add_number(out, "round: ", s->round);
	strbuf_adds(out, "ring: ");
	state_add_uints(out, s->ring, s->nseats);
	add_number(out, "\nking: ", s->king);
	strbuf_adds(out, "style: ");
	strbuf_adds(out, s->style.text[0] ? s->style.text : "-");
	strbuf_adds(out, "\nfavour: ");
	add_cards(out, s->favour.seats, s->favour.count);
	add_number(out, "crown: ", s->crown);
	add_number(out, "winner: ", s->winner);
}

void park_encode(const struct game_state *s, struct strbuf *out)
{
	encode_table(s, out);
	add_pile(out, "deck: ", &s->deck);
	add_pile(out, "hill: ", &s->hill);
	for (unsigned hole = 0; hole < PARK_HOLES; hole++) {
		strbuf_adds(out, "hole ");
		state_add_uint(out, hole + 1);
		add_pile(out, ": ", &s->holes[hole]);
	}
	strbuf_adds(out, "had: ");
	state_add_uints(out, s->had, PARK_HOLES);
	strbuf_addc(out, '\n');
	for (unsigned shop = 0; shop < PARK_SHOPS; shop++) {
		strbuf_adds(out, "shop ");
		strbuf_adds(out, park_shops[shop].key);
		add_number(out, " up: ", s->shops[shop].up);
		strbuf_adds(out, "shop ");
		strbuf_adds(out, park_shops[shop].key);
		add_pile(out, " stock: ", &s->shops[shop].stock);
	}
	strbuf_adds(out, "gone: ");
	add_cards(out, s->gone, s->ngone);
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		encode_seat(s, seat, out);
}
