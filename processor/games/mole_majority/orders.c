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
#include "processor/games/loose.h"
#include "processor/games/mole_majority/clause.h"

/* What one mail said so far. */
struct reading {
	struct order_mail mail;
	const struct game_state *state;
	unsigned seat;
	struct order_language language;
	struct mm_outline outline;
	struct mm_orders orders;
	bool whole; /* DISCARD or PASS was read */
};

/* Only who is awaited is shown any. */
static void add_example(const void *game, struct strbuf *out)
{
	const struct game_state *s = game;
	uint32_t dice = 1;
	struct mm_orders o;

	if (s->turn == 0) {
		strbuf_adds(out, "BASE A2 E2; TILES A1 E3");
		return;
	}
	mm_make_play(s, &dice, false, &o);
	mm_write_orders(s, &o, out);
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
	if (r->mail.said > 1 && (alone || r->whole))
		return "DISCARD or PASS is the whole turn; nothing else may stand beside it.";
	return NULL;
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
	             why == mm_forms.rows[c->verb].takes;

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
		if (c->verb != choices[i].verb || why != mm_forms.rows[c->verb].takes ||
		    !r->mail.owes)
			continue;
		strbuf_addc(&what, ' ');
		mm_say_choices(r->state, r->seat, choices[i].of, &what);
	}
	order_mail_refuse(&r->mail, c, what.ptr);
	strbuf_release(&what);
}

static void read_order(struct reading *r, const struct order_clause *c)
{
	const char *why;

	r->mail.said++;
	why = out_of_place(r, c->verb);
	if (why)
		order_mail_refuse(&r->mail, c, why);
	else if ((why = mm_read_clause(&r->language, c->verb, c->args, c->nargs, &r->orders)))
		complain_of_words(r, c, why);
	else { /* where it stands */
		struct mm_play *p =
		    &r->orders.plays[r->orders.nplays ? r->orders.nplays - 1 : 0];

		if (c->verb == VERB_PLAY || c->verb == VERB_STACK) {
			p->line = c->line;
			p->column = c->head.column;
		} else if (c->verb < STEP_VERBS) {
			p->steps[p->nsteps - 1].line = c->line;
			p->steps[p->nsteps - 1].column = c->head.column;
		}
	}
	r->whole = r->whole || c->verb == VERB_DISCARD || c->verb == VERB_PASS;
}

/* ---- Lines that are no orders ---- */

/* The turn as far as it was read and this line, as guess.c reads them; nothing if that will not do. */
static void add_guess(const struct reading *r, struct span line, struct strbuf *canonical)
{
	struct strbuf turn = STRBUF_INIT;
	struct order_guesses guesses = {.count = 0};
	struct diags diags = DIAGS_INIT;

	if (r->orders.kind == ORDERS_PLAY)
		mm_write_orders(r->state, &r->orders, &turn);
	strbuf_addf(&turn, "; %.*s", SPAN_ARGS(line));
	order_guess(&mm_loose, r->state, r->seat, strbuf_span(&turn), &guesses);
	if (guesses.count)
		(void)mm_read_orders(r->state, r->seat, SPAN_EMPTY, NULL,
		                     strbuf_span(&guesses.texts[0]), canonical, &diags);
	order_guesses_release(&guesses);
	diags_release(&diags);
	strbuf_release(&turn);
}

/* It might change the turn, which nobody can take back: so it is asked back. */
static void ask_back(struct reading *r, const struct order_clause *c)
{
	unsigned n = r->orders.nplays;
	struct strbuf what = STRBUF_INIT, guess = STRBUF_INIT;

	if (r->mail.owes && !r->mail.wrong)
		add_guess(r, c->text, &guess);
	r->mail.wrong = true;
	if (!r->mail.owes)
		return;
	if (r->outline.builds) {
		strbuf_adds(
		    &what, "This line names places but says neither BASE nor TILES, so "
			   "your lists were not taken. Put one of these before it, or leave it "
			   "out.");
	} else {
		strbuf_adds(&what, "This line stands in your turn");
		if (n)
			strbuf_addf(&what, n == 1 ? ", below PLAY %s," : ", below STACK %s,",
			            mm_cards[r->orders.plays[n - 1].card].name);
		strbuf_adds(&what,
		            " but is no step, and a turn is not played without what may be a "
		            "part of it.");
		if (guess.len)
			strbuf_addf(&what, " Did you mean %s?", guess.ptr);
		else
			strbuf_adds(&what,
			            " Steps are written like MOVE B2 C3 x2 or BREED B2.");
		strbuf_adds(&what, " If it is only talk, leave it out.");
	}
	diags_add(r->mail.diags, DIAG_ERROR, c->line, 0, order_quote(c->text),
	          guess.len ? guess.ptr : order_mail_example(&r->mail), "%s", what.ptr);
	strbuf_release(&what);
	strbuf_release(&guess);
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
		order_ignore(c, r->mail.diags);
	else if (c->verb == ORDER_PROSE)
		ask_back(r, c);
	else
		read_order(r, c);
}

/* Whose turn it is not gets told so, once and instead of everything else. */
static bool may_order(struct reading *r)
{
	const struct game_state *s = r->state;

	if (r->mail.owes)
		return true;
	if (mm_over(s))
		diags_add(r->mail.diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "",
		          "The game is over; it takes no more orders.");
	else if (!mm_is_in(s, r->seat) || s->seats[r->seat].standing != STANDING_IN)
		diags_add(r->mail.diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "",
		          "You are out of this game; it takes no orders from you.");
	else
		diags_add(r->mail.diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "",
		          "It is the turn of %s. You will get a mail when it is yours.",
		          s->seats[s->active].name.text);
	return false;
}

static void complete_list(struct reading *r, const char *what, const char *example, uint8_t *n,
                          const uint8_t *usual)
{
	if (*n)
		return;
	for (unsigned i = 0; i <= *usual; i++)
		n[i] = usual[i];
	diags_add(r->mail.diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, example,
	          "You named no place for your %s, so the usual list stands.", what);
}

/* Tries it on a copy of the board. */
static bool try_play(struct reading *r)
{
	struct game_state work = *r->state;
	struct mm_trouble t;

	work.nevents = 0;
	if (mm_carry_out(&work, &r->orders, &t))
		return true;
	mm_refuse(r->state, &work, &r->orders, &t, order_mail_example(&r->mail), r->mail.diags);
	return false;
}

/* False when the set as a whole is refused. */
static bool finish(struct reading *r)
{
	struct mm_orders lists;

	if (order_mail_resigns(&r->mail, "game")) {
		r->orders = (struct mm_orders){.kind = ORDERS_RESIGN};
		return true;
	}
	if (r->mail.said == 0 || !may_order(r) || r->mail.wrong)
		return false;
	if (r->orders.kind == ORDERS_SETUP) {
		mm_default_lists(&lists);
		complete_list(r, "base", "BASE A2 E2", &r->orders.nbases, &lists.nbases);
		complete_list(r, "other hexes", "TILES A1 E3", &r->orders.ntiles,
		              &lists.ntiles);
	}
	return r->orders.kind != ORDERS_PLAY || try_play(r);
}

bool mm_read_orders(const struct game_state *s, unsigned seat, struct span before,
                    const struct tables *tables, struct span text, struct strbuf *canonical,
                    struct diags *diags)
{
	const char *names[MM_SEATS];
	struct reading r = {.mail = {.forms = &mm_forms,
	                             .diags = diags,
	                             .owes = seat_in(mm_owes(s), seat),
	                             .example = add_example,
	                             .game = s,
	                             .shown = STRBUF_INIT},
	                    .state = s,
	                    .seat = seat,
	                    .language = mm_language(s, names)};
	struct order_reader reader;
	struct order_clause clause;
	bool ok;

	(void)before;
	(void)tables;
	r.mail.language = &r.language;
	mm_outline_mail(&r.language, text, &r.outline);
	order_reader_start(&reader, &r.language, text);
	while (order_next_clause(&reader, &clause))
		if (mm_is_talk(&r.language, &clause))
			read_talk(&r, &reader, &clause);
		else if (clause.verb == VERB_RESIGN)
			order_mail_resign(&r.mail, &clause);
		else if (clause.verb != ORDER_MISSPELT)
			read_order(&r, &clause);
		else if (++r.mail.said)
			order_mail_misspelt(&r.mail, &clause);
	order_reader_release(&reader);
	ok = finish(&r);
	strbuf_release(&r.mail.shown);
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
