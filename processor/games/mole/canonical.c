/*
 * canonical.c - the orders of Mole, declared; a set of them as the game writes it, and back.
 *
 *	PLACE 1 90 350; FLICK 2 TO 150 130 RANGE 300; NASDAQ 1; NASDAQ 3
 *	TAUPINIERE; FLICK M TO 150 640 AT MOST 130
 *
 * Trusts nothing: a canonical text may come out of an archive. What is parsed holds numbers
 * within TARGET_MM, coins of the side to play that are on the board, each once.
 */
#include <string.h>

#include "processor/base/num.h"
#include "processor/games/mole/orders.h"

const char *const mole_verbs[VERBS] = {"PLACE",
                                       "FLICK",
                                       "NASDAQ",
                                       "TAUPINIERE",
                                       "CONCEDE",
                                       "RESIGN",
                                       "TEST",
                                       "TAUPINI\xc3\xa8RE",
                                       "TAUPINI\xc3\x88RE"};

static const struct order_form rows[VERB_RESIGN] = {
    [VERB_PLACE] = {.form = "coin point",
                    .takes = "PLACE takes a mignette and its x and y in mm, with a point and "
                             "two decimals at most: PLACE 1 90 350.5",
                    .guide = {{"PLACE <coin> <x> <y>", "with the first mail of a round"}}},
    [VERB_FLICK] = {.form = "coin TO point [RANGE range] [AT MOST most]",
                    .takes = "FLICK takes a coin, TO, x and y in mm (a point, two decimals at "
                             "most), and perhaps RANGE and a length in mm above 0.",
                    .guide = {{"FLICK <coin> TO <x> <y>",
                               "to a point; it stops there when free"},
                              {"  ... RANGE <mm>", "only in that direction, so far"},
                              {"  ... AT MOST <mm>", "to the point, but no farther than so"}}},
    [VERB_NASDAQ] = {.form = "staying",
                     .takes = "NASDAQ takes one coin; write it once for each.",
                     .guide = {{"NASDAQ <coin>", "this coin stays (so do coins not named)"}}},
    [VERB_TAUPINIERE] = {.form = "",
                         .takes = "TAUPINIERE stands without anything behind it.",
                         .guide = {{"TAUPINIERE", "the mole's call, with its FLICK"}}},
    [VERB_CONCEDE] = {.form = "",
                      .takes = "CONCEDE stands alone.",
                      .guide = {{"CONCEDE", "give this round up"}}},
};

/* --- slots: of a struct mole_order ------------------------------------------ */

bool mole_parse_coin(struct span word, unsigned *coin)
{
	if (span_eq_nocase(word, "M")) {
		*coin = MOLE;
		return true;
	}
	return num_parse_uint(word, 1, MOLE_COINS - 1, coin);
}

static int take_coin(const struct order_place *p)
{
	struct mole_order *f = p->order;

	f->coin = MOLE;
	return p->n && (span_eq_nocase(p->words->text, "mole") ||
	                mole_parse_coin(p->words->text, &f->coin))
	           ? 1
	           : -1;
}

static void write_coin(const struct order_place *p)
{
	const struct mole_order *f = p->order;

	if (f->coin == MOLE)
		strbuf_addc(p->out, 'M');
	else
		strbuf_addf(p->out, "%u", f->coin);
}

/* A coin of the player that lies on the board. */
static const char *coin_not_now(const struct order_place *p)
{
	const struct mole_position *from = p->game;
	const struct mole_order *f = p->order;

	if ((f->coin == MOLE) != (from->side == SIDE_MOLE))
		return from->side == SIDE_MOLE
		           ? "You have the mole this round, M, and no mignette."
		           : "You have the mignettes this round, 1, 2 and 3, not the mole.";
	return from->coins.coin[f->coin].on ? NULL : "That mignette is off the board.";
}

/* Of NASDAQ: the mole needs no name. */
static int take_staying(const struct order_place *p)
{
	const struct mole_position *from = p->game;
	int used = take_coin(p);

	return used < 0 && p->n == 0 && from->side == SIDE_MOLE ? 0 : used;
}

static void write_staying(const struct order_place *p)
{
	const struct mole_order *f = p->order;

	if (f->coin != MOLE)
		write_coin(p);
}

/* "150", "150mm", "150 mm": how many words. */
static size_t take_mm(const struct order_word *words, size_t n, int64_t *nm)
{
	struct span word = n ? words->text : SPAN_EMPTY;
	size_t end = word.len > 2 ? word.len - 2 : 0;

	if (end && span_eq_nocase(span_slice(word, end, word.len), "mm"))
		return mole_parse_mm(span_slice(word, 0, end), nm);
	if (!mole_parse_mm(word, nm))
		return 0;
	return n > 1 && span_eq_nocase(words[1].text, "mm") ? 2 : 1;
}

static int take_point(const struct order_place *p)
{
	struct mole_order *f = p->order;
	size_t at = p->n && span_eq_nocase(p->words->text, "TO"), x, y = 0;

	at += at < p->n && span_eq_nocase(p->words[at].text, "AT");
	x = take_mm(p->words + at, p->n - at, &f->to.x);
	if (x)
		y = take_mm(p->words + at + x, p->n - at - x, &f->to.y);
	return y ? (int)(at + x + y) : -1;
}

static void write_point(const struct order_place *p)
{
	const struct mole_order *f = p->order;

	mole_add_mm(p->out, f->to.x);
	strbuf_addc(p->out, ' ');
	mole_add_mm(p->out, f->to.y);
}

/* `which`: AT MOST. */
static int take_range(const struct order_place *p)
{
	struct mole_order *f = p->order;
	size_t used = f->range ? 0 : take_mm(p->words, p->n, &f->range);

	f->at_most = f->at_most || p->which;
	return used && f->range > 0 ? (int)used : -1;
}

static void write_range(const struct order_place *p)
{
	const struct mole_order *f = p->order;

	if (f->range && f->at_most == p->which)
		mole_add_mm(p->out, f->range);
}

static const struct order_slot slots[] = {
    {"coin", 0, take_coin, write_coin,
     "The coin comes first: M for the mole, 1, 2 or 3 for a mignette.", coin_not_now},
    {"staying", 0, take_staying, write_staying,
     "The coin comes first: M for the mole, 1, 2 or 3 for a mignette.", coin_not_now},
    {"point", 0, take_point, write_point, NULL, NULL},
    {"range", 0, take_range, write_range, NULL, NULL},
    {"most", 1, take_range, write_range, NULL, NULL},
};

static const char *const fillers[] = {"the", "coin", "mignette"};

const struct order_forms mole_forms = {mole_verbs,
                                       rows,
                                       VERB_RESIGN,
                                       slots,
                                       sizeof slots / sizeof *slots,
                                       fillers,
                                       sizeof fillers / sizeof *fillers};

/* --- a set of orders ----------------------------------------------------------- */

static bool is_flicked(const struct mole_orders *o, unsigned coin)
{
	for (unsigned i = 0; i < o->nflicks; i++)
		if (o->flicks[i].coin == coin)
			return true;
	return false;
}

static void write_one(size_t from, enum mole_verb verb, const struct mole_order *f,
                      struct strbuf *out)
{
	strbuf_adds(out, out->len > from ? "; " : "");
	order_form_write(&mole_forms, verb, NULL, f, out);
}

/* Those that stay come last, in the order of their numbers. */
void mole_write_orders(const struct mole_orders *o, const struct mole_position *p,
                       struct strbuf *canonical)
{
	size_t from = canonical->len;

	if (o->resign || o->concede) {
		strbuf_adds(canonical, o->resign ? ORDER_RESIGN_TEXT : "CONCEDE");
		return;
	}
	if (o->taupiniere)
		write_one(from, VERB_TAUPINIERE, NULL, canonical);
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (o->placed[i])
			write_one(from, VERB_PLACE,
			          &(struct mole_order){.coin = i, .to = o->place[i]},
			          canonical);
	for (unsigned i = 0; i < o->nflicks; i++)
		write_one(from, VERB_FLICK, &o->flicks[i], canonical);
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if ((i == MOLE) == (p->side == SIDE_MOLE) && !is_flicked(o, i) &&
		    (i == MOLE || p->coins.coin[i].on))
			write_one(from, VERB_NASDAQ, &(struct mole_order){.coin = i},
			          canonical);
}

/* What is left over, or doubled, or out of order, shows when the orders are written again. */
static bool parse_one(size_t verb, const struct order_word *words, size_t n,
                      const struct mole_position *p, struct mole_orders *o)
{
	struct mole_order f;

	memset(&f, 0, sizeof f);
	if (verb > VERB_TAUPINIERE || order_form_take(&mole_forms, verb, p, &f, words, n) ||
	    (verb == VERB_PLACE && !p->first_go) ||
	    (verb == VERB_FLICK && (o->nflicks == FLICKS || is_flicked(o, f.coin))))
		return false;
	o->taupiniere = o->taupiniere || verb == VERB_TAUPINIERE;
	if (verb == VERB_PLACE) {
		o->placed[f.coin] = true;
		o->place[f.coin] = f.to;
	} else if (verb == VERB_FLICK) {
		o->flicks[o->nflicks++] = f;
	}
	return true;
}

static bool makes_sense(const struct mole_orders *o, const struct mole_board *board,
                        const struct mole_position *p)
{
	struct mole_coins coins = p->coins;

	mole_put(&coins, o);
	return (!o->taupiniere || (p->side == SIDE_MOLE && o->nflicks == 1)) &&
	       (!p->first_go || mole_places_ok(board, &coins, NULL));
}

bool mole_parse_orders(struct span canonical, const struct mole_board *board,
                       const struct mole_position *p, struct mole_orders *out)
{
	struct order_word words[ORDER_FORM_WORDS];
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical;
	size_t verb, n;
	bool ok = true;

	memset(out, 0, sizeof *out);
	out->resign = span_eq_str(canonical, ORDER_RESIGN_TEXT);
	out->concede = span_eq_str(canonical, "CONCEDE");
	if (out->resign || out->concede)
		return true;
	while (ok && order_form_next(&mole_forms, &rest, &verb, words, &n))
		ok = parse_one(verb, words, n, p, out);
	ok = ok && makes_sense(out, board, p);
	if (ok) {
		mole_write_orders(out, p, &written);
		ok = span_eq(strbuf_span(&written), canonical);
	}
	strbuf_release(&written);
	return ok;
}
