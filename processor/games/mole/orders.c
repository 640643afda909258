/*
 * orders.c - reading PLACE, FLICK, NASDAQ, TAUPINIERE and CONCEDE.
 *
 * A mail is taken as a whole: one wrong order refuses all of it, and the set in force stays.
 * Prose around the orders does no harm.
 *
 * Trusts: `text` is anybody's. Nothing a diagnostic says is hidden from anybody.
 */
#include "processor/games/mole/mole.h"

#include <string.h>

#include "processor/games/order_text.h"

enum verb {
	VERB_PLACE,
	VERB_FLICK,
	VERB_NASDAQ,
	VERB_TAUPINIERE,
	VERB_CONCEDE,
	VERB_RESIGN,
	VERB_TEST,
	VERB_ACCENTED, /* the call as the French write it, in small letters and in capitals */
	VERB_ACCENTED_CAPITAL,
	VERBS
};

static const char *const verbs[VERBS] = {"PLACE",
                                         "FLICK",
                                         "NASDAQ",
                                         "TAUPINIERE",
                                         "CONCEDE",
                                         "RESIGN",
                                         "TEST",
                                         "TAUPINI\xc3\xa8RE",
                                         "TAUPINI\xc3\x88RE"};

/* What one mail said so far. */
struct reading {
	const struct game_state *state;
	const struct mole_position *from;
	struct diags *diags;
	struct mole_coins coins; /* with mignettes placed */
	struct mole_gad gad;
	struct mole_orders orders;
	bool owing;             /* else only RESIGN is of interest */
	bool named[MOLE_COINS]; /* flicked or told to stay */
	unsigned said;          /* good orders */
	unsigned first, last;   /* lines of orders, good or bad; 0 = none */
	bool wrong;
	unsigned resign_line; /* 0 = none */
	struct strbuf example;
};

static bool is_argument(struct span word)
{
	unsigned coin;
	int64_t nm;

	return mole_parse_coin(word, &coin) || mole_parse_mm(word, &nm);
}

static const struct order_language language = {
    .verbs = verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
};

/* A line that is legal here and now. */
static const char *example(struct reading *r)
{
	if (r->example.len == 0) {
		struct chance *chance = chance_from_seed(r->state->phase, "example");

		mole_sample_orders(r->state, 1, 1, NULL, chance, &r->example);
		/* One order of them is enough. */
		strbuf_truncate(&r->example, span_find_char(strbuf_span(&r->example), ';'));
		chance_free(chance);
	}
	return r->example.ptr;
}

/* Always false. */
static bool refuse(struct reading *r, const struct order_clause *c, const char *why)
{
	diags_add(r->diags, DIAG_ERROR, c->line, c->head.column, order_quote(c->text),
	          example(r), "%s", why);
	r->wrong = true;
	return false;
}

static bool refuse_all(struct reading *r, const char *why)
{
	diags_add(r->diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, example(r), "%s", why);
	r->wrong = true;
	return false;
}

/* --- pieces of an order ------------------------------------------------ */

/* The words of a clause, one after the other. */
struct words {
	const struct order_clause *clause;
	size_t at;
};

static bool next_word(struct words *w, struct span *word)
{
	if (w->at == w->clause->nargs)
		return false;
	*word = w->clause->args[w->at++].text;
	return true;
}

/* Takes the next word if it is this one. */
static bool take_word(struct words *w, const char *expected)
{
	if (w->at == w->clause->nargs || !span_eq_nocase(w->clause->args[w->at].text, expected))
		return false;
	w->at++;
	return true;
}

/* "150", "150mm", "150 mm" */
static bool take_mm(struct words *w, int64_t *nm)
{
	struct span word;

	if (!next_word(w, &word))
		return false;
	if (word.len > 2 && span_eq_nocase(span_slice(word, word.len - 2, word.len), "mm")) {
		word.len -= 2;
		return mole_parse_mm(word, nm);
	}
	if (!mole_parse_mm(word, nm))
		return false;
	(void)take_word(w, "mm");
	return true;
}

static bool take_point(struct words *w, struct mole_point *p)
{
	(void)take_word(w, "TO");
	(void)take_word(w, "AT");
	return take_mm(w, &p->x) && take_mm(w, &p->y);
}

static bool is_own(const struct reading *r, unsigned coin)
{
	return (coin == MOLE) == (r->from->side == SIDE_MOLE);
}

/* A coin of the player that lies on the board and has no order yet. */
static bool take_coin(struct reading *r, struct words *w, unsigned *coin)
{
	struct span word;

	(void)take_word(w, "the");
	(void)take_word(w, "coin");
	(void)take_word(w, "mignette");
	if (take_word(w, "mole"))
		*coin = MOLE;
	else if (!next_word(w, &word) || !mole_parse_coin(word, coin))
		return refuse(
		    r, w->clause,
		    "The coin comes first: M for the mole, 1, 2 or 3 for a mignette.");
	if (!is_own(r, *coin))
		return refuse(r, w->clause,
		              r->from->side == SIDE_MOLE
		                  ? "You have the mole this round, M, and no mignette."
		                  : "You have the mignettes this round, 1, 2 and 3, not the "
		                    "mole.");
	if (!r->coins.coin[*coin].on)
		return refuse(r, w->clause, "That mignette is off the board.");
	return true;
}

static bool name_coin(struct reading *r, const struct order_clause *c, unsigned coin)
{
	if (r->named[coin])
		return refuse(r, c, "Each coin may be named once only.");
	r->named[coin] = true;
	r->said++;
	return true;
}

/* --- the orders -------------------------------------------------------- */

static bool read_place(struct reading *r, const struct order_clause *c)
{
	struct words w = {c, 0};
	struct mole_point p;
	unsigned coin;

	if (!r->from->first_go)
		return refuse(r, c,
		              "Mignettes are placed only with the first mail of a round.");
	if (!take_coin(r, &w, &coin))
		return false;
	if (!take_point(&w, &p) || w.at < c->nargs)
		return refuse(r, c,
		              "PLACE takes a mignette and its x and y in mm, with a point and "
		              "two decimals at most: PLACE 1 90 350.5");
	if (r->orders.nflicks)
		return refuse(r, c, "PLACE must stand above all FLICK orders.");
	if (r->orders.placed[coin])
		return refuse(r, c, "Each coin may be placed once only.");
	r->orders.placed[coin] = true;
	r->orders.place[coin] = p;
	mole_put(&r->coins, &r->orders);
	r->said++;
	return true;
}

/* RANGE n, AT MOST n, or nothing. */
static bool take_length(struct words *w, struct mole_order *f)
{
	if (w->at == w->clause->nargs)
		return true;
	f->at_most = take_word(w, "AT");
	if (f->at_most ? !take_word(w, "MOST") : !take_word(w, "RANGE"))
		return false;
	return take_mm(w, &f->range) && f->range > 0 && w->at == w->clause->nargs;
}

/* Beyond its limit a flick is cut short; it still goes to the point if that has come near. */
static void clamp_flick(struct reading *r, const struct order_clause *c, struct mole_order *f,
                        int64_t length)
{
	int64_t limit = r->state->setup.range[r->from->side];
	struct strbuf mm = STRBUF_INIT;

	if (f->range ? f->range <= limit : length <= limit)
		return;
	if (!f->range)
		f->at_most = true;
	f->range = limit;
	mole_add_mm(&mm, limit);
	diags_add(r->diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text), "",
	          "%s can run %s mm at most; it is flicked that far, in this direction.",
	          f->coin == MOLE ? "The mole" : "A mignette", mm.ptr);
	strbuf_release(&mm);
}

static bool aim_is_fine(struct reading *r, const struct order_clause *c, struct mole_order *f)
{
	int64_t dx = f->to.x - mole_nm(r->coins.coin[f->coin].x);
	int64_t dy = f->to.y - mole_nm(r->coins.coin[f->coin].y);
	int64_t length = mole_root(dx * dx + dy * dy);

	if (length == 0)
		return refuse(r, c, "The coin lies on that very point already.");
	if (dx * dx + dy * dy > (int64_t)REACH_MM * MOLE_MM * REACH_MM * MOLE_MM)
		return refuse(r, c, "A point to aim at is within 900 mm of the coin.");
	if (f->coin == MOLE && !mole_gad_allows(&r->gad, dx, dy))
		return refuse(r, c,
		              r->gad.stuck
		                  ? "You are in Gad, and no direction leads away from all "
		                    "mignettes that touch the mole: only NASDAQ is left."
		                  : "You are in Gad: a mignette touches the mole, and he may "
		                    "only go away from it or along it.");
	clamp_flick(r, c, f, length);
	return true;
}

static bool read_flick(struct reading *r, const struct order_clause *c)
{
	struct words w = {c, 0};
	struct mole_order f;

	memset(&f, 0, sizeof f);
	if (!take_coin(r, &w, &f.coin))
		return false;
	if (!take_point(&w, &f.to) || !take_length(&w, &f))
		return refuse(r, c,
		              "FLICK takes a coin, TO, x and y in mm (a point, two decimals at "
		              "most), and perhaps RANGE and a length in mm above 0.");
	if (!aim_is_fine(r, c, &f) || !name_coin(r, c, f.coin))
		return false;
	r->orders.flicks[r->orders.nflicks++] = f;
	return true;
}

static bool read_nasdaq(struct reading *r, const struct order_clause *c)
{
	struct words w = {c, 0};
	unsigned coin = MOLE;

	if (c->nargs == 0 && r->from->side == SIDE_MIGNETTES)
		return refuse(r, c, "NASDAQ names the mignette that is to stay: NASDAQ 1");
	if (c->nargs > 0 && !take_coin(r, &w, &coin))
		return false;
	if (w.at < c->nargs)
		return refuse(r, c, "NASDAQ takes one coin; write it once for each.");
	if (coin == MOLE && r->gad.count && !r->gad.stuck)
		return refuse(r, c,
		              "You are in Gad: a mignette touches the mole, so he must be "
		              "flicked away from it.");
	return name_coin(r, c, coin);
}

static bool read_taupiniere(struct reading *r, const struct order_clause *c)
{
	if (c->nargs)
		return refuse(r, c, "TAUPINIERE stands without anything behind it.");
	if (r->from->side != SIDE_MOLE)
		return refuse(r, c, "TAUPINIERE is for the player who has the mole.");
	if (r->orders.taupiniere)
		return refuse(r, c, "TAUPINIERE is called once.");
	r->orders.taupiniere = true;
	r->said++;
	return true;
}

static bool read_concede(struct reading *r, const struct order_clause *c)
{
	if (c->nargs)
		return refuse(r, c, "CONCEDE stands alone.");
	r->orders.concede = true;
	r->said++;
	return true;
}

/* Leaving is final, so the word must stand by itself. */
static bool read_resign(struct reading *r, const struct order_clause *c)
{
	if (!order_resigns(c, r->diags)) {
		r->wrong = true;
		return false;
	}
	r->resign_line = c->line;
	return true;
}

static void explain_misspelt(struct reading *r, const struct order_clause *c)
{
	order_tell_misspelt(c, example(r), r->diags);
	r->wrong = true;
}

static void read_order(struct reading *r, const struct order_clause *c)
{
	static bool (*const readers[])(struct reading *, const struct order_clause *) = {
	    [VERB_PLACE] = read_place,           [VERB_FLICK] = read_flick,
	    [VERB_NASDAQ] = read_nasdaq,         [VERB_CONCEDE] = read_concede,
	    [VERB_TAUPINIERE] = read_taupiniere, [VERB_RESIGN] = read_resign,
	    [VERB_ACCENTED] = read_taupiniere,   [VERB_ACCENTED_CAPITAL] = read_taupiniere};

	r->first = r->first ? r->first : c->line;
	r->last = c->line;
	if (c->verb != VERB_RESIGN && !r->owing)
		r->said++;
	else if (c->verb == VERB_TEST)
		refuse(r, c,
		       "TEST stands on the first line of a mail, above the orders to try.");
	else
		readers[c->verb](r, c);
}

static bool begins_number(struct span word)
{
	return word.len > 0 && ((word.ptr[0] >= '0' && word.ptr[0] <= '9') ||
	                        word.ptr[0] == '-' || word.ptr[0] == '.');
}

/* "flick" and "place" are everyday words too: "place 1: Ann", "flick through this". */
static bool is_talk(const struct order_clause *c)
{
	if (c->nargs < 2)
		return c->verb == VERB_TEST && c->nargs > 0;
	if (c->verb == VERB_PLACE)
		return !begins_number(c->args[1].text);
	for (size_t i = 0; c->verb == VERB_FLICK && i < c->nargs; i++)
		if (is_argument(c->args[i].text))
			return false;
	return c->verb == VERB_FLICK || c->verb == VERB_TEST;
}

/*
 * A call passed over would lose the round: its word is no talk, though nothing stands behind
 * it. Quoted lines stay out of it.
 */
static bool means_call(const struct order_clause *c)
{
	const char *meant = NULL;

	if (c->verb == ORDER_PROSE && c->text.len && !strchr(">|", c->text.ptr[0]) &&
	    span_find(c->text, SPAN_LIT(" ")) == c->text.len)
		meant = order_suggest(&language, c->text);
	return meant && span_starts(span_of(meant), "TAUPIN");
}

static void read_clause(struct reading *r, const struct order_clause *c)
{
	struct order_clause call = *c;

	call.meant = verbs[VERB_TAUPINIERE];
	if (means_call(c))
		explain_misspelt(r, &call);
	else if (c->verb == ORDER_PROSE || (c->verb >= 0 && is_talk(c)))
		order_ignore(c, r->diags);
	else if (c->verb == ORDER_MISSPELT)
		explain_misspelt(r, c);
	else
		read_order(r, c);
}

/* --- a whole mail ------------------------------------------------------ */

static bool may_order(struct reading *r)
{
	const char *why = "It is not your turn to play.";

	if (r->owing)
		return true;
	if (mole_over(r->state))
		why = "The match is over; it takes no more orders.";
	diags_add(r->diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "%s", why);
	return false;
}

static bool goes_together(struct reading *r)
{
	if (r->orders.concede && r->said > 1)
		return refuse_all(r,
		                  "CONCEDE gives the round up, so it stands without any other "
		                  "order.");
	if (r->orders.taupiniere && r->orders.nflicks == 0)
		return refuse_all(r, "TAUPINIERE needs a FLICK of the mole in the same mail.");
	if (!r->from->first_go)
		return true;
	struct strbuf why = STRBUF_INIT;
	bool ok = mole_places_ok(&r->state->setup.board, &r->coins, &why);

	if (!ok)
		refuse_all(r, why.ptr);
	strbuf_release(&why);
	return ok;
}

/* "1", "1 and 3", "1, 2 and 3": mignettes that nothing was said about. */
static unsigned add_unnamed(const struct reading *r, struct strbuf *out)
{
	unsigned left = 0, n = 0;

	for (unsigned i = 1; i < MOLE_COINS; i++)
		left += r->from->coins.coin[i].on && !r->named[i];
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		if (!r->from->coins.coin[i].on || r->named[i])
			continue;
		strbuf_add_sep(out, n++, left, " and ");
		strbuf_addf(out, "%u", i);
	}
	return n;
}

static void note_unnamed(struct reading *r)
{
	struct strbuf names = STRBUF_INIT;
	unsigned n =
	    r->from->side == SIDE_MIGNETTES && !r->orders.concede ? add_unnamed(r, &names) : 0;

	if (n)
		diags_add(r->diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
		          n > 1 ? "Mignettes %s: not named, so NASDAQ."
		                : "Mignette %s: not named, so NASDAQ.",
		          names.ptr);
	strbuf_release(&names);
}

static bool was_left_out(const void *ctx, unsigned number, struct span line)
{
	(void)ctx;
	(void)number;
	return mole_could_belong(line);
}

/* A call or a coin that was not read would be lost with the turn. */
static void refuse_with_bystander(struct reading *r, struct span text)
{
	struct strbuf quoted = STRBUF_INIT;
	unsigned line = 0;

	if (r->said && !r->wrong && r->owing)
		line = order_bystander(&language, text, r->first, r->last, was_left_out, NULL,
		                       &quoted);
	if (line != 0) {
		r->wrong = true;
		diags_add(
		    r->diags, DIAG_ERROR, line, 0, order_quote(strbuf_span(&quoted)),
		    example(r),
		    "This line was not understood and may belong to your turn, so nothing "
		    "was played.");
	}
	strbuf_release(&quoted);
}

/* True when the mail as a whole makes orders. */
static bool accept(struct reading *r)
{
	if (r->resign_line) {
		if (r->said || r->wrong)
			diags_add(r->diags, DIAG_WARNING, r->resign_line, 0, SPAN_EMPTY, "",
			          "RESIGN takes you out of the match, so your other orders do "
			          "not count.");
		memset(&r->orders, 0, sizeof r->orders);
		r->orders.resign = true;
		return true;
	}
	if ((!r->said && !r->wrong) || !may_order(r))
		return false;
	if (r->wrong && r->said)
		diags_add(r->diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
		          "In this game one wrong order refuses the whole mail.");
	if (r->wrong || !goes_together(r))
		return false;
	note_unnamed(r);
	return true;
}

bool mole_read_orders(const struct game_state *s, unsigned seat, struct span before,
                      const struct tables *tables, struct span text, struct strbuf *canonical,
                      struct diags *diags)
{
	struct reading r = {.state = s,
	                    .from = &s->now,
	                    .diags = diags,
	                    .owing = seat_in(mole_owes(s), seat),
	                    .coins = s->now.coins,
	                    .gad = mole_gad(&s->now.coins),
	                    .example = STRBUF_INIT};
	struct order_reader reader;
	struct order_clause clause;
	bool ok;

	(void)before;
	(void)tables;
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause))
		read_clause(&r, &clause);
	order_reader_release(&reader);
	refuse_with_bystander(&r, text);
	ok = accept(&r);
	if (ok) {
		strbuf_clear(canonical);
		mole_write_orders(&r.orders, r.from, canonical);
	}
	strbuf_release(&r.example);
	return ok;
}
