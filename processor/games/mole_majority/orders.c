/*
 * orders.c - a mail of orders: read, put together, tried on the board.
 *
 * A mail is the whole turn. It is taken as a whole or not at all: a line that is wrong, or a
 * step that the board does not allow, refuses all of it, because the steps behind it mean
 * nothing without it. The position cannot change before the turn is carried out, so what is
 * accepted here is what will happen.
 *
 * Trusts: `text` is anybody's. Diagnostics speak of the board, which everybody sees, and of the
 * hand of the one who wrote.
 */
#include "processor/games/mole_majority/clause.h"

/* What one mail said so far. */
struct reading {
	const struct game_state *state;
	unsigned seat;
	struct diags *diags;
	struct order_language language;
	struct mm_outline outline;
	struct mm_orders orders;
	unsigned clauses; /* that were orders, good or bad */
	unsigned resigns; /* line of a RESIGN */
	bool owes;
	bool whole; /* DISCARD or PASS was read */
	bool bad;
};

/* Orders that would work for this seat, for "This would work"; free with strbuf_release. */
static struct strbuf example_for(const struct game_state *s, unsigned seat)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t dice = 1;
	struct mm_orders o;

	if (s->turn == 0)
		strbuf_adds(&text, "BASE A2 E2; TILES A1 E3");
	else if (s->active != seat)
		strbuf_adds(&text, ORDER_RESIGN_TEXT);
	else {
		mm_make_play(s, &dice, false, &o);
		mm_write_orders(s, &o, &text);
	}
	return text;
}

static void complain(struct reading *r, const struct order_clause *c, const char *what)
{
	struct strbuf example;

	r->bad = true;
	if (!r->owes)
		return; /* may_order says why */
	example = example_for(r->state, r->seat);
	diags_add(r->diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text),
	          example.ptr, "%s", what);
	strbuf_release(&example);
}

/* What this verb has no place in now, or beside what went before; NULL if it has. */
static const char *out_of_place(const struct reading *r, int verb)
{
	bool lists = verb == VERB_BASE || verb == VERB_TILES;
	bool alone = verb == VERB_DISCARD || verb == VERB_PASS;

	if (r->state->turn == 0 && !lists)
		return "The board is built first: BASE and TILES say where you would like your "
		       "hexes.";
	if (r->state->turn > 0 && lists)
		return "The board is built already.";
	if (r->clauses > 1 && (alone || r->whole))
		return "DISCARD or PASS is the whole turn; nothing else may stand beside it.";
	return NULL;
}

static void note_where(struct mm_orders *o, int verb, const struct order_clause *c)
{
	struct mm_play *p = &o->plays[o->nplays ? o->nplays - 1 : 0];

	if (verb == VERB_PLAY || verb == VERB_STACK) {
		p->line = c->line;
		p->column = c->head.column;
	} else if (verb < STEP_VERBS) {
		p->steps[p->nsteps - 1].line = c->line;
		p->steps[p->nsteps - 1].column = c->head.column;
	}
}

/* For words that are only known at the table, what there is of them is said too. */
static void complain_of_words(struct reading *r, const struct order_clause *c, const char *why)
{
	static const struct {
		int verb;
		enum mm_choice of;
	} choices[] = {{STEP_STEAL, CHOICE_STEAL},
	               {STEP_CONVERT, CHOICE_CONVERT},
	               {VERB_PLAY, CHOICE_CARD},
	               {VERB_STACK, CHOICE_CARD}};
	struct strbuf what = STRBUF_INIT;
	bool lists = (c->verb == VERB_BASE || c->verb == VERB_TILES) &&
	             why == mm_usage[c->verb];

	for (size_t i = 0; i < c->nargs && lists && what.len == 0; i++) {
		struct span word = c->args[i].text;
		unsigned hex;

		if (mm_hex_parse(word, &hex)
		        ? !mm_may_lie(c->verb, hex)
		        : word.len == 2 && word.ptr[1] >= '0' && word.ptr[1] <= '9')
			strbuf_addf(&what, "%.*s is no such place. ", SPAN_ARGS(word));
	}
	strbuf_adds(&what, why);
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		if (c->verb != choices[i].verb || why != mm_usage[c->verb] || !r->owes)
			continue;
		strbuf_addc(&what, ' ');
		mm_say_choices(r->state, r->seat, choices[i].of, &what);
	}
	complain(r, c, what.ptr);
	strbuf_release(&what);
}

static void read_order(struct reading *r, const struct order_clause *c)
{
	const char *why;

	r->clauses++;
	why = out_of_place(r, c->verb);
	if (why)
		complain(r, c, why);
	else if (!mm_read_clause(&r->language, c->verb, c->args, c->nargs, &r->orders, &why))
		complain_of_words(r, c, why);
	else
		note_where(&r->orders, c->verb, c);
	r->whole = r->whole || c->verb == VERB_DISCARD || c->verb == VERB_PASS;
}

static void read_resign(struct reading *r, const struct order_clause *c)
{
	if (order_resigns(c, r->diags))
		r->resigns = c->line;
	else
		r->bad = true;
}

static void explain_misspelt(struct reading *r, const struct order_clause *c)
{
	struct strbuf example;

	r->clauses++;
	r->bad = true;
	if (!r->owes)
		return; /* may_order says why */
	example = example_for(r->state, r->seat);
	order_tell_misspelt(c, example.ptr, r->diags);
	strbuf_release(&example);
}

/* ---- Lines that are no orders ---- */

static const char *card_above(const struct reading *r)
{
	unsigned n = r->orders.nplays;

	return n ? mm_cards[r->orders.plays[n - 1].card].name : "";
}

/* The turn as far as it was read, with the step that seems to be meant; false if it will not do. */
static bool try_guess(const struct reading *r, const struct mm_step *step, struct strbuf *turn)
{
	struct mm_orders o = r->orders;
	struct game_state work = *r->state;
	struct mm_play *p = &o.plays[o.nplays ? o.nplays - 1 : 0];
	struct mm_trouble t;

	if (o.kind != ORDERS_PLAY || p->nsteps == MM_STEPS)
		return false;
	p->steps[p->nsteps++] = *step;
	work.nevents = 0;
	if (!mm_carry_out(&work, &o, &t))
		return false;
	mm_write_orders(r->state, &o, turn);
	return true;
}

static void add_guess(const struct reading *r, const struct mm_talk *talk, struct strbuf *what,
                      struct strbuf *example)
{
	struct mm_step step;

	if (!mm_guess_step(talk, &step)) {
		strbuf_adds(what, " Steps are written like MOVE B2 C3 x2 or BREED B2.");
		return;
	}
	struct strbuf meant = STRBUF_INIT;
	mm_write_step(r->state, &step, &meant);
	strbuf_addf(what, " Did you mean %s?", meant.ptr);
	strbuf_release(&meant);
	if (r->owes)
		(void)try_guess(r, &step, example);
}

/* It might change the turn, which nobody can take back: so it is asked back. */
static void ask_back(struct reading *r, const struct order_clause *c,
                     const struct mm_talk *talk)
{
	struct strbuf what = STRBUF_INIT, example = STRBUF_INIT;

	r->bad = true;
	if (!r->owes)
		return;
	if (r->outline.builds) {
		strbuf_adds(
		    &what, "This line names places but says neither BASE nor TILES, so "
			   "your lists were not taken. Put one of these before it, or leave it "
			   "out.");
	} else {
		if (r->orders.nplays)
			strbuf_addf(
			    &what,
			    r->orders.nplays == 1
				? "This line stands in your turn, below PLAY %s, but is no "
				  "step, and a turn is not played without what may be a "
				  "part of it."
				: "This line stands in your turn, below STACK %s, but is no "
				  "step, and a turn is not played without what may be a "
				  "part of it.",
			    card_above(r));
		else
			strbuf_adds(&what,
			            "This line stands in your turn but is no step, and a turn "
			            "is not played without what may be a part of it.");
		add_guess(r, talk, &what, &example);
		strbuf_adds(&what, " If it is only talk, leave it out.");
	}
	if (!example.len) {
		strbuf_release(&example);
		example = example_for(r->state, r->seat);
	}
	diags_add(r->diags, DIAG_ERROR, c->line, 0, order_quote(c->text), example.ptr, "%s",
	          what.ptr);
	strbuf_release(&what);
	strbuf_release(&example);
}

static void read_talk(struct reading *r, const struct order_reader *reader,
                      const struct order_clause *c)
{
	struct mm_talk talk = {.words = reader->words, .line = c->line};
	const struct mm_orders *o = &r->orders;
	bool quoted = c->text.len && (*c->text.ptr == '>' || *c->text.ptr == '|');

	if (c->verb != ORDER_PROSE)
		while (talk.words->text.ptr != c->head.text.ptr)
			talk.words++;
	talk.nwords = (size_t)(reader->words + reader->at - talk.words);
	talk.introduces = c->text.len && c->text.ptr[c->text.len - 1] == ':';
	talk.below_bare = o->nplays && o->plays[o->nplays - 1].nsteps == 0;
	if (quoted || !mm_is_meant(&r->outline, &talk))
		order_ignore(c, r->diags);
	else if (c->verb == ORDER_PROSE)
		ask_back(r, c, &talk);
	else
		read_order(r, c);
}

static void read_clause(struct reading *r, const struct order_reader *reader,
                        const struct order_clause *c)
{
	if (mm_is_talk(&r->language, c))
		read_talk(r, reader, c);
	else if (c->verb == ORDER_MISSPELT)
		explain_misspelt(r, c);
	else if (c->verb == VERB_RESIGN)
		read_resign(r, c);
	else
		read_order(r, c);
}

/* Whose turn it is not gets told so, once and instead of everything else. */
static bool may_order(struct reading *r)
{
	const struct game_state *s = r->state;

	if (r->owes)
		return true;
	if (mm_over(s))
		diags_add(r->diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "",
		          "The game is over; it takes no more orders.");
	else if (!mm_is_in(s, r->seat) || s->seats[r->seat].standing != STANDING_IN)
		diags_add(r->diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "",
		          "You are out of this game; it takes no orders from you.");
	else
		diags_add(r->diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "",
		          "It is the turn of %s. You will get a mail when it is yours.",
		          s->seats[s->active].name.text);
	return false;
}

static void complete_lists(struct reading *r)
{
	struct mm_orders lists;

	mm_default_lists(&lists);
	if (r->orders.nbases == 0) {
		r->orders.nbases = lists.nbases;
		for (unsigned i = 0; i < lists.nbases; i++)
			r->orders.bases[i] = lists.bases[i];
		diags_add(r->diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "BASE A2 E2",
		          "You named no place for your base, so the usual list stands.");
	}
	if (r->orders.ntiles == 0) {
		r->orders.ntiles = lists.ntiles;
		for (unsigned i = 0; i < lists.ntiles; i++)
			r->orders.tiles[i] = lists.tiles[i];
		diags_add(r->diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "TILES A1 E3",
		          "You named no place for your other hexes, so the usual list stands.");
	}
}

/* Tries it on a copy of the board. */
static bool try_play(struct reading *r)
{
	struct game_state work = *r->state;
	struct mm_trouble t;
	struct strbuf example;

	work.nevents = 0;
	if (mm_carry_out(&work, &r->orders, &t))
		return true;
	example = example_for(r->state, r->seat);
	mm_refuse(r->state, &work, &r->orders, &t, example.ptr, r->diags);
	strbuf_release(&example);
	return false;
}

/* False when the set as a whole is refused. */
static bool finish(struct reading *r)
{
	if (r->resigns) {
		if (r->clauses)
			diags_add(
			    r->diags, DIAG_WARNING, r->resigns, 0, SPAN_EMPTY, "",
			    "RESIGN takes you out of the game, so your other orders do not "
			    "count.");
		r->orders = (struct mm_orders){.kind = ORDERS_RESIGN};
		return true;
	}
	if (r->clauses == 0 || !may_order(r) || r->bad)
		return false;
	if (r->orders.kind == ORDERS_SETUP)
		complete_lists(r);
	return r->orders.kind != ORDERS_PLAY || try_play(r);
}

bool mm_read_orders(const struct game_state *s, unsigned seat, struct span before,
                    const struct tables *tables, struct span text, struct strbuf *canonical,
                    struct diags *diags)
{
	const char *names[MM_SEATS];
	struct reading r = {.state = s, .seat = seat, .diags = diags};
	struct order_reader reader;
	struct order_clause clause;
	bool ok;

	(void)before;
	(void)tables;
	r.language = mm_language(s, names);
	r.owes = seat_in(mm_owes(s), seat);
	mm_outline_mail(&r.language, text, &r.outline);
	order_reader_start(&reader, &r.language, text);
	while (order_next_clause(&reader, &clause))
		read_clause(&r, &reader, &clause);
	order_reader_release(&reader);
	ok = finish(&r);
	if (!ok)
		return false;
	strbuf_clear(canonical);
	mm_write_orders(s, &r.orders, canonical);
	return true;
}

void mm_default_orders(const struct game_state *s, unsigned seat, struct strbuf *canonical)
{
	struct mm_orders o = {.kind = ORDERS_PASS};

	(void)seat;
	if (s->turn == 0)
		mm_default_lists(&o);
	mm_write_orders(s, &o, canonical);
}
