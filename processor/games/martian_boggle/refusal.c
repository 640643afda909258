/*
 * refusal.c - saying what is wrong with a turn, so that the next try is a good one.
 */
#include <string.h>

#include "processor/games/martian_boggle/reading.h"

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

/* `example`: a move that would work, or NULL. */
static void say(struct boggle_reading *r, unsigned place, const struct boggle_move *example,
                const struct strbuf *what)
{
	const struct boggle_place *at = &r->places[place];
	struct strbuf text = STRBUF_INIT;

	if (example)
		order_form_write(&boggle_forms, VERB_MOVE, NULL, example, &text);
	diags_add(r->mail.diags, DIAG_ERROR, at->line, at->column, span_of(at->quoted),
	          text.ptr, "%s", what->ptr);
	strbuf_release(&text);
}

/* "e1" */
struct square_name {
	char text[3];
};

static struct square_name square_name(unsigned square)
{
	return (struct square_name){{(char)('a' + (int)(square % BOGGLE_SIDE)),
	                             (char)('1' + (int)(square / BOGGLE_SIDE))}};
}

static void explain_not_yours(const struct boggle_reading *r, const struct boggle_judgement *j,
                              struct strbuf *out)
{
	const struct boggle_seat *other = &r->state->seats[boggle_other(r->seat)];
	unsigned from = r->orders.moves[j->move].from;
	const struct square_name square = square_name(from);
	struct strbuf yours = STRBUF_INIT;

	for (squares set = j->pieces; set; set &= set - 1)
		strbuf_addf(&yours, yours.len ? " %s" : "%s",
		            square_name(boggle_first(set)).text);
	if (other->pieces & boggle_square(from))
		strbuf_addf(out,
		            j->move ? "The piece on %s belongs to %s; after the first move "
		                      "yours are on %s."
		                    : "The piece on %s belongs to %s; yours are on %s.",
		            square.text, other->name.text, yours.ptr);
	else
		strbuf_addf(out,
		            j->move ? "There is no piece on %s; after the first move yours "
		                      "are on %s."
		                    : "There is no piece on %s; yours are on %s.",
		            square.text, yours.ptr);
	strbuf_release(&yours);
}

static void explain_occupied(const struct boggle_reading *r, const struct boggle_judgement *j,
                             struct strbuf *out)
{
	const struct boggle_seat *other = &r->state->seats[boggle_other(r->seat)];
	unsigned to = r->orders.moves[j->move].to;

	if (j->pieces & boggle_square(to))
		strbuf_addf(out,
		            "%s is occupied by a piece of your own; a move ends on an empty "
		            "square.",
		            square_name(to).text);
	else
		strbuf_addf(out,
		            "%s is occupied by a piece of %s; a move ends on an empty square.",
		            square_name(to).text, other->name.text);
}

/* "e1 to b2 is 3 steps" */
static void add_steps(const struct boggle_reading *r, const struct boggle_judgement *j,
                      unsigned move, struct strbuf *out)
{
	const struct boggle_move *m = &r->orders.moves[move];

	strbuf_addf(out, j->steps[move] == 1 ? "%s to %s is %u step" : "%s to %s is %u steps",
	            square_name(m->from).text, square_name(m->to).text, j->steps[move]);
}

static void explain_dice(const struct boggle_reading *r, const struct boggle_judgement *j,
                         struct strbuf *out)
{
	unsigned x = r->state->roll[0], y = r->state->roll[1];
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;

	add_steps(r, j, j->verdict == BOGGLE_DIE_TOO_FAR ? j->move : 0, &first);
	if (j->verdict == BOGGLE_TOO_FAR) {
		strbuf_addf(out, "%s; your dice %u and %u allow %u at most.", first.ptr, x, y,
		            x + y);
	} else if (j->verdict == BOGGLE_DIE_TOO_FAR) {
		strbuf_addf(out,
		            "%s; with two moves each piece has one die, and yours are %u and "
		            "%u.",
		            first.ptr, x, y);
	} else {
		add_steps(r, j, 1, &second);
		strbuf_addf(out, "%s and %s; your dice %u and %u do not allow both.", first.ptr,
		            second.ptr, x, y);
	}
	strbuf_release(&first);
	strbuf_release(&second);
}

/* Two moves of one piece made one, if that is legal; else any move that is. */
static void join_moves(const struct boggle_reading *r, struct boggle_move *example)
{
	struct boggle_orders joined = {
	    .nmoves = 1, .moves = {{r->orders.moves[0].from, r->orders.moves[1].to}}};
	struct boggle_judgement j;

	boggle_judge(r->state, r->seat, &joined, &j);
	if (j.verdict == BOGGLE_FINE)
		*example = joined.moves[0];
}

/* The piece of a single move as near to where it should go as it can get; nothing if it cannot. */
static bool find_nearest(const struct boggle_reading *r, struct boggle_move *example)
{
	const struct game_state *s = r->state;
	struct boggle_move m = r->orders.moves[0];
	squares near;
	unsigned best = BOGGLE_SQUARES;

	if (r->orders.nmoves != 1 || !(s->seats[r->seat].pieces & boggle_square(m.from)))
		return false;
	near =
	    boggle_reach(boggle_open(s), m.from, s->roll[0] + s->roll[1], s->setup.diagonals);
	for (; near; near &= near - 1) {
		unsigned to = boggle_first(near);
		unsigned dx = to % BOGGLE_SIDE, dy = to / BOGGLE_SIDE;
		unsigned ex = r->orders.moves[0].to % BOGGLE_SIDE,
			 ey = r->orders.moves[0].to / BOGGLE_SIDE;
		unsigned x = dx > ex ? dx - ex : ex - dx, y = dy > ey ? dy - ey : ey - dy;

		unsigned far = x > y ? x : y;

		if (far >= best)
			continue;
		best = far;
		m.to = to;
		*example = m;
	}
	return best < BOGGLE_SQUARES;
}

static void explain_move(struct boggle_reading *r, const struct boggle_judgement *j)
{
	struct strbuf out = STRBUF_INIT;
	struct boggle_move example;
	bool any = boggle_example_move(r->state, r->seat, &example);

	any = find_nearest(r, &example) || any;
	if (j->verdict == BOGGLE_NOT_YOURS) {
		explain_not_yours(r, j, &out);
	} else if (j->verdict == BOGGLE_OCCUPIED) {
		explain_occupied(r, j, &out);
	} else if (j->verdict == BOGGLE_SAME_PIECE) {
		strbuf_adds(&out,
		            "The two moves of a turn are for two pieces; a piece that is to "
		            "go on has one move with both dice.");
		join_moves(r, &example);
	} else if (j->verdict == BOGGLE_BOXED_IN) {
		strbuf_addf(&out, "Pieces close every way from %s to %s.",
		            square_name(r->orders.moves[j->move].from).text,
		            square_name(r->orders.moves[j->move].to).text);
	} else {
		explain_dice(r, j, &out);
	}
	say(r, j->move, any ? &example : NULL, &out);
	strbuf_release(&out);
}

static void explain_letters(const struct boggle_judgement *j, const char *word,
                            struct strbuf *out)
{
	struct strbuf letters = STRBUF_INIT;

	for (unsigned i = 0; i < BOGGLE_PIECES; i++)
		if (j->letters[i] != '.')
			strbuf_addf(&letters, letters.len ? " %c" : "%c", j->letters[i]);
	strbuf_addf(out,
	            strchr(j->letters, j->lacking)
	                ? "You have too few of the letter %c for %s: the letters under your "
	                  "pieces are then %s."
	                : "You have no %c for %s: the letters under your pieces are then %s.",
	            j->lacking, word, letters.ptr);
	strbuf_release(&letters);
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
	say(r, 2, NULL, &out);
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
	say(r, 2, NULL, &out);
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
