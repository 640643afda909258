/*
 * refusal.c - saying what is wrong with a turn, so that the next try is a good one.
 */
#include <string.h>

#include "processor/games/martian_boggle/reading.h"

#include "processor/base/banned.h"

void boggle_write_move(const struct boggle_move *m, char text[BOGGLE_MOVE_TEXT])
{
	struct strbuf out = STRBUF_INIT;

	strbuf_adds(&out, "MOVE ");
	boggle_add_square(&out, m->from);
	strbuf_addc(&out, ' ');
	boggle_add_square(&out, m->to);
	memcpy(text, out.ptr, BOGGLE_MOVE_TEXT);
	strbuf_release(&out);
}

bool boggle_example_move(const struct game_state *s, unsigned seat, struct boggle_move *m)
{
	squares open = boggle_open(s);

	for (squares rest = s->seats[seat].pieces; rest; rest &= rest - 1) {
		squares near;

		m->from = boggle_first(rest);
		near = boggle_reach(open, m->from, 1, s->setup.diagonals);
		if (!near)
			continue;
		m->to = boggle_first(near);
		return true;
	}
	return false;
}

static void say(struct boggle_reading *r, unsigned place, const char *example,
                const struct strbuf *what)
{
	const struct boggle_place *at = &r->places[place];

	diags_add(r->diags, DIAG_ERROR, at->line, at->column, span_of(at->quoted), example,
	          "%s", what->ptr);
}

/* "a1 b1 c1" */
static void add_squares(struct strbuf *out, squares set)
{
	for (; set; set &= set - 1) {
		strbuf_addc(out, ' ');
		boggle_add_square(out, boggle_first(set));
	}
}

static void explain_not_yours(const struct boggle_reading *r, const struct boggle_judgement *j,
                              struct strbuf *out)
{
	unsigned other = boggle_other(r->seat);
	unsigned from = r->orders.moves[j->move].from;

	if (r->state->seats[other].pieces & boggle_square(from)) {
		strbuf_adds(out, "The piece on ");
		boggle_add_square(out, from);
		strbuf_addf(out, " belongs to %s;", r->state->seats[other].name.text);
	} else {
		strbuf_adds(out, "There is no piece on ");
		boggle_add_square(out, from);
		strbuf_addc(out, ';');
	}
	strbuf_adds(out, j->move ? " after the first move yours are on" : " yours are on");
	add_squares(out, j->pieces);
	strbuf_addc(out, '.');
}

static void explain_occupied(const struct boggle_reading *r, const struct boggle_judgement *j,
                             struct strbuf *out)
{
	unsigned to = r->orders.moves[j->move].to;

	boggle_add_square(out, to);
	if (j->pieces & boggle_square(to))
		strbuf_adds(out, " is occupied by a piece of your own;");
	else
		strbuf_addf(out, " is occupied by a piece of %s;",
		            r->state->seats[boggle_other(r->seat)].name.text);
	strbuf_adds(out, " a move ends on an empty square.");
}

/* "e1 to b2" */
static void add_way(const struct boggle_move *m, struct strbuf *out)
{
	boggle_add_square(out, m->from);
	strbuf_adds(out, " to ");
	boggle_add_square(out, m->to);
}

/* "e1 to b2 is 3 steps" */
static void add_steps(const struct boggle_reading *r, const struct boggle_judgement *j,
                      unsigned move, struct strbuf *out)
{
	add_way(&r->orders.moves[move], out);
	strbuf_addf(out, j->steps[move] == 1 ? " is %u step" : " is %u steps", j->steps[move]);
}

static void explain_dice(const struct boggle_reading *r, const struct boggle_judgement *j,
                         struct strbuf *out)
{
	unsigned x = r->state->roll[0], y = r->state->roll[1];

	if (j->verdict == BOGGLE_TOO_FAR) {
		add_steps(r, j, 0, out);
		strbuf_addf(out, "; your dice %u and %u allow %u at most.", x, y, x + y);
	} else if (j->verdict == BOGGLE_DIE_TOO_FAR) {
		add_steps(r, j, j->move, out);
		strbuf_addf(out,
		            "; with two moves each piece has one die, and yours are %u and %u.",
		            x, y);
	} else {
		add_steps(r, j, 0, out);
		strbuf_adds(out, " and ");
		add_steps(r, j, 1, out);
		strbuf_addf(out, "; your dice %u and %u do not allow both.", x, y);
	}
}

/* Two moves of one piece made one, if that is legal; else any move that is. */
static void write_joined(const struct boggle_reading *r, char example[BOGGLE_MOVE_TEXT])
{
	struct boggle_orders joined = {
	    .nmoves = 1, .moves = {{r->orders.moves[0].from, r->orders.moves[1].to}}};
	struct boggle_judgement j;

	boggle_judge(r->state, r->seat, &joined, &j);
	if (j.verdict == BOGGLE_FINE)
		boggle_write_move(&joined.moves[0], example);
}

static unsigned apart(unsigned a, unsigned b)
{
	unsigned dx = a % BOGGLE_SIDE, dy = a / BOGGLE_SIDE;
	unsigned ex = b % BOGGLE_SIDE, ey = b / BOGGLE_SIDE;
	unsigned x = dx > ex ? dx - ex : ex - dx, y = dy > ey ? dy - ey : ey - dy;

	return x > y ? x : y;
}

/* The piece of a single move as near to where it should go as it can get; nothing if it cannot. */
static void write_nearest(const struct boggle_reading *r, char example[BOGGLE_MOVE_TEXT])
{
	const struct game_state *s = r->state;
	struct boggle_move m = r->orders.moves[0];
	squares near;
	unsigned best = BOGGLE_SQUARES;

	if (r->orders.nmoves != 1 || !(s->seats[r->seat].pieces & boggle_square(m.from)))
		return;
	near =
	    boggle_reach(boggle_open(s), m.from, s->roll[0] + s->roll[1], s->setup.diagonals);
	for (; near; near &= near - 1) {
		unsigned to = boggle_first(near), far = apart(to, r->orders.moves[0].to);

		if (far >= best)
			continue;
		best = far;
		m.to = to;
		boggle_write_move(&m, example);
	}
}

static void explain_move(struct boggle_reading *r, const struct boggle_judgement *j)
{
	struct strbuf out = STRBUF_INIT;
	char example[BOGGLE_MOVE_TEXT];

	memcpy(example, r->example, sizeof example);
	write_nearest(r, example);
	if (j->verdict == BOGGLE_NOT_YOURS) {
		explain_not_yours(r, j, &out);
	} else if (j->verdict == BOGGLE_OCCUPIED) {
		explain_occupied(r, j, &out);
	} else if (j->verdict == BOGGLE_SAME_PIECE) {
		strbuf_adds(&out,
		            "The two moves of a turn are for two pieces; a piece that is to "
		            "go on has one move with both dice.");
		write_joined(r, example);
	} else if (j->verdict == BOGGLE_BOXED_IN) {
		strbuf_adds(&out, "Pieces close every way from ");
		add_way(&r->orders.moves[j->move], &out);
		strbuf_addc(&out, '.');
	} else {
		explain_dice(r, j, &out);
	}
	say(r, j->move, example, &out);
	strbuf_release(&out);
}

/* "You have no S for STONE: the letters under your pieces are then P L A I R." */
static void explain_letters(const struct boggle_judgement *j, const char *word,
                            struct strbuf *out)
{
	bool some = strchr(j->letters, j->lacking) != NULL;

	strbuf_addf(out, "You have %s %c for %s: the letters under your pieces are then",
	            some ? "too few of the letter" : "no", j->lacking, word);
	for (unsigned i = 0; i < BOGGLE_PIECES; i++)
		if (j->letters[i] != '.')
			strbuf_addf(out, " %c", j->letters[i]);
	strbuf_addc(out, '.');
}

static void explain_word(struct boggle_reading *r, const struct boggle_judgement *j)
{
	const char *word = r->orders.word;
	struct strbuf out = STRBUF_INIT;

	if (strcmp(j->letters, ".....") == 0) {
		strbuf_addf(&out,
		            "There is no tile under your pieces then, so %s cannot be made.",
		            word);
	} else if (j->verdict == BOGGLE_LETTER_LACKS) {
		explain_letters(j, word, &out);
	} else if (j->verdict == BOGGLE_USED_OWN) {
		strbuf_addf(&out,
		            "You have spelled %s before; your words must all be different.",
		            word);
	} else {
		strbuf_addf(&out,
		            "%s has spelled %s before, and in this game no word counts twice.",
		            r->state->seats[boggle_other(r->seat)].name.text, word);
	}
	say(r, 2, "", &out);
	strbuf_release(&out);
}

static bool check_list(struct boggle_reading *r)
{
	struct strbuf out = STRBUF_INIT;
	enum boggle_lookup found = boggle_look_up(r->state, r->tables, r->orders.word);

	if (found == BOGGLE_LISTED)
		return true;
	if (found == BOGGLE_UNLISTED)
		strbuf_addf(&out, "%s is not in the list.", r->orders.word);
	else
		strbuf_adds(
		    &out,
		    "The word list with which this game began is not on this server now, so "
		    "no word can be looked up. Please tell whoever runs it.");
	say(r, 2, "", &out);
	strbuf_release(&out);
	return false;
}

bool boggle_check(struct boggle_reading *r)
{
	struct boggle_judgement j;

	boggle_judge(r->state, r->seat, &r->orders, &j);
	if (j.verdict == BOGGLE_FINE)
		return !r->orders.word[0] || check_list(r);
	if (j.verdict < BOGGLE_LETTER_LACKS)
		explain_move(r, &j);
	else
		explain_word(r, &j);
	return false;
}
