/*
 * state.c - the state of Martian Boggle as text; molepost-rules(7) says what each line means.
 */
#include "processor/games/martian_boggle/boggle.h"

static void encode_board(const struct game_state *s, struct strbuf *out)
{
	for (unsigned row = BOGGLE_SIDE; row > 0; row--) {
		strbuf_adds(out, "row ");
		state_add_uint(out, row);
		strbuf_adds(out, ": ");
		strbuf_add(out, s->board + (row - 1) * BOGGLE_SIDE, BOGGLE_SIDE);
		strbuf_addc(out, '\n');
	}
}

static void encode_last(const struct game_state *s, struct strbuf *out)
{
	strbuf_adds(out, "roll: ");
	if (boggle_over(s))
		strbuf_addc(out, '-');
	else
		state_add_uints(out, s->roll, 2);
	strbuf_adds(out, "\nlast: ");
	if (s->turn == 1)
		strbuf_addc(out, '-');
	else
		boggle_write_orders(&s->last, out);
	strbuf_adds(out, "\nmissed: ");
	state_add_uint(out, s->missed);
	strbuf_addc(out, '\n');
}

static void add_key(struct strbuf *out, unsigned seat, const char *key)
{
	strbuf_adds(out, "seat ");
	state_add_uint(out, seat);
	strbuf_adds(out, key);
}

static void encode_word(const struct boggle_word *w, struct strbuf *out)
{
	strbuf_adds(out, w->letters);
	strbuf_addc(out, ' ');
	strbuf_adds(out, w->tiles);
	strbuf_addc(out, ' ');
	state_add_uint(out, w->group);
	strbuf_addc(out, ' ');
	state_add_uint(out, w->turn);
	strbuf_addc(out, '\n');
}

static void encode_seat(const struct game_state *s, unsigned seat, struct strbuf *out)
{
	const struct boggle_seat *p = &s->seats[seat];

	add_key(out, seat, " name: ");
	strbuf_adds(out, p->name.text);
	strbuf_addc(out, '\n');
	add_key(out, seat, " left: ");
	state_add_uint(out, p->left);
	strbuf_addc(out, '\n');
	add_key(out, seat, " pieces:");
	for (squares rest = p->pieces; rest; rest &= rest - 1) {
		strbuf_addc(out, ' ');
		boggle_add_square(out, boggle_first(rest));
	}
	strbuf_addc(out, '\n');
	add_key(out, seat, " words: ");
	state_add_uint(out, p->nwords);
	strbuf_addc(out, '\n');
	for (unsigned i = 0; i < p->nwords; i++) {
		add_key(out, seat, " word ");
		state_add_uint(out, i + 1);
		strbuf_adds(out, ": ");
		encode_word(&p->words[i], out);
	}
}

void boggle_encode(const struct game_state *s, struct strbuf *out)
{
	strbuf_adds(out, "martian-boggle: 1\noptions: ");
	strbuf_adds(out, s->setup.text);
	strbuf_adds(out, "\nfirst: ");
	state_add_uint(out, s->first);
	strbuf_adds(out, "\nturn: ");
	state_add_uint(out, s->turn);
	strbuf_addc(out, '\n');
	encode_board(s, out);
	encode_last(s, out);
	for (unsigned seat = 1; seat <= BOGGLE_SEATS; seat++)
		encode_seat(s, seat, out);
}
