/*
 * canonical.c - orders as they are stored, sealed and resolved.
 *
 * One line, the cards in order, each with its steps: "PLAY N3; MOVE B2 C3 x2; STACK N2". What
 * a player left to the defaults stays so: the position it is for cannot change.
 */
#include "processor/games/mole_majority/clause.h"

enum { MOST_WORDS = 24 };

static void add_place(struct strbuf *out, unsigned hex, unsigned space)
{
	strbuf_addc(out, ' ');
	strbuf_add(out, mm_hex_names[hex], 2);
	if (!space)
		return;
	strbuf_addc(out, '.');
	state_add_uint(out, space);
}

static void add_border(struct strbuf *out, const uint8_t *two)
{
	add_place(out, two[0], 0);
	strbuf_addc(out, '-');
	strbuf_add(out, mm_hex_names[two[1]], 2);
}

static void add_word(struct strbuf *out, const char *word)
{
	strbuf_addc(out, ' ');
	strbuf_adds(out, word);
}

void mm_write_step(const struct game_state *s, const struct mm_step *step, struct strbuf *out)
{
	strbuf_adds(out, mm_written_verbs[step->verb]);
	switch ((enum mm_verb)step->verb) {
	case STEP_MOVE:
	case STEP_BREED:
		add_place(out, step->hex[0], step->space[0]);
		if (step->verb == STEP_MOVE)
			add_place(out, step->hex[1], step->space[1]);
		if (step->count > 1) {
			strbuf_adds(out, " x");
			state_add_uint(out, step->count);
		}
		break;
	case STEP_CONVERT:
		add_place(out, step->hex[0], step->space[0]);
		if (!step->space[0])
			add_word(out, s->seats[step->seat].name.text);
		break;
	case STEP_ROLL:
		add_place(out, step->hex[0], step->space[0]);
		add_word(out, step->clockwise ? "CW" : "CCW");
		break;
	case STEP_HOME:
		add_place(out, step->hex[0], 0);
		break;
	case STEP_CAVEIN:
		add_border(out, step->hex);
		add_border(out, step->hex + 2);
		break;
	case STEP_STEAL:
		add_word(out, s->seats[step->seat].name.text);
		add_word(out, mm_cards[step->card].name);
		break;
	case STEP_PLUSROLL:
	case STEP_VERBS:
		break;
	}
}

static void write_play(const struct game_state *s, const struct mm_play *p, bool first,
                       struct strbuf *out)
{
	strbuf_adds(out, first ? "PLAY" : "; STACK");
	add_word(out, mm_cards[p->card].name);
	if (p->with) {
		add_word(out, "WITH");
		add_word(out, mm_cards[p->with].name);
	}
	for (unsigned i = 0; i < p->nsteps; i++) {
		strbuf_adds(out, "; ");
		mm_write_step(s, &p->steps[i], out);
	}
}

static void write_list(const char *verb, const uint8_t *hexes, unsigned n, struct strbuf *out)
{
	strbuf_adds(out, verb);
	for (unsigned i = 0; i < n; i++)
		add_place(out, hexes[i], 0);
}

void mm_write_orders(const struct game_state *s, const struct mm_orders *o,
                     struct strbuf *canonical)
{
	switch (o->kind) {
	case ORDERS_PASS:
		strbuf_adds(canonical, "PASS");
		break;
	case ORDERS_DISCARD:
		strbuf_adds(canonical, "DISCARD");
		break;
	case ORDERS_RESIGN:
		strbuf_adds(canonical, ORDER_RESIGN_TEXT);
		break;
	case ORDERS_SETUP:
		write_list("BASE", o->bases, o->nbases, canonical);
		write_list("; TILES", o->tiles, o->ntiles, canonical);
		break;
	case ORDERS_PLAY:
		for (unsigned i = 0; i < o->nplays; i++)
			write_play(s, &o->plays[i], i == 0, canonical);
		break;
	}
}

/* Which verb a canonical clause begins with; VERBS if none. */
static int verb_of(struct span *clause)
{
	int verb = 0;

	for (; verb < VERBS; verb++) {
		struct span name = span_of(mm_written_verbs[verb]);

		if (!span_starts(*clause, name.ptr) ||
		    (clause->len > name.len && clause->ptr[name.len] != ' '))
			continue;
		*clause = span_slice(*clause, name.len, clause->len);
		break;
	}
	return verb;
}

static bool parse_clause(const struct order_language *l, struct span clause,
                         struct mm_orders *out)
{
	struct order_word words[MOST_WORDS];
	const char *why;
	size_t n = 0;
	int verb = verb_of(&clause);

	if (verb == VERBS)
		return false;
	while (n < MOST_WORDS && span_next_word(&clause, "", &words[n].text))
		n++;
	return clause.len == 0 && mm_read_clause(l, verb, words, n, out, &why);
}

bool mm_parse_orders(const struct game_state *s, struct span canonical, struct mm_orders *out)
{
	const char *names[MM_SEATS];
	struct order_language language = mm_language(s, names);
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical, clause = SPAN_EMPTY;
	unsigned n = 0;
	bool ok = true;

	*out = (struct mm_orders){.kind = ORDERS_PASS};
	for (; ok && order_next_canonical(&rest, &clause); n++)
		ok = parse_clause(&language, clause, out);
	ok = ok && n > 0;
	if (ok)
		mm_write_orders(s, out, &written);
	ok = ok && span_eq(strbuf_span(&written), canonical);
	strbuf_release(&written);
	return ok;
}
