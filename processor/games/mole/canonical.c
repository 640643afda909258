/*
 * canonical.c - orders as the game writes them, and back.
 *
 *	PLACE 1 90 350; FLICK 2 TO 150 130 RANGE 300; NASDAQ 1; NASDAQ 3
 *	TAUPINIERE; FLICK M TO 150 640 AT MOST 130
 *
 * Trusts nothing: a canonical text may come out of an archive. What is parsed holds numbers
 * within TARGET_MM, coins of the side to play that are on the board, each once.
 */
#include "processor/games/mole/mole.h"

#include <string.h>

#include "processor/base/num.h"
#include "processor/games/order_text.h"

bool mole_parse_coin(struct span word, unsigned *coin)
{
	if (span_eq_nocase(word, "M")) {
		*coin = MOLE;
		return true;
	}
	return num_parse_uint(word, 1, MOLE_COINS - 1, coin);
}

/* --- writing ----------------------------------------------------------- */

static void add_coin(struct strbuf *out, unsigned coin)
{
	if (coin == MOLE)
		strbuf_addc(out, 'M');
	else
		state_add_uint(out, coin);
}

static void add_point(struct strbuf *out, struct mole_point p)
{
	mole_add_mm(out, p.x);
	strbuf_addc(out, ' ');
	mole_add_mm(out, p.y);
}

static void add_flick(struct strbuf *out, const struct mole_order *f)
{
	strbuf_adds(out, "FLICK ");
	add_coin(out, f->coin);
	strbuf_adds(out, " TO ");
	add_point(out, f->to);
	if (!f->range)
		return;
	strbuf_adds(out, f->at_most ? " AT MOST " : " RANGE ");
	mole_add_mm(out, f->range);
}

static bool is_flicked(const struct mole_orders *o, unsigned coin)
{
	for (unsigned i = 0; i < o->nflicks; i++)
		if (o->flicks[i].coin == coin)
			return true;
	return false;
}

static void add_between(struct strbuf *out, size_t from)
{
	if (out->len > from)
		strbuf_adds(out, "; ");
}

static void add_placed(const struct mole_orders *o, size_t from, struct strbuf *out)
{
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		if (!o->placed[i])
			continue;
		add_between(out, from);
		strbuf_addf(out, "PLACE %u ", i);
		add_point(out, o->place[i]);
	}
}

/* Those that stay come last, in the order of their numbers. */
static void add_staying(const struct mole_orders *o, const struct mole_position *p, size_t from,
                        struct strbuf *out)
{
	if (p->side == SIDE_MOLE && o->nflicks == 0)
		strbuf_adds(out, "NASDAQ");
	for (unsigned i = 1; p->side == SIDE_MIGNETTES && i < MOLE_COINS; i++) {
		if (!p->coins.coin[i].on || is_flicked(o, i))
			continue;
		add_between(out, from);
		strbuf_addf(out, "NASDAQ %u", i);
	}
}

void mole_write_orders(const struct mole_orders *o, const struct mole_position *p,
                       struct strbuf *canonical)
{
	size_t from = canonical->len;

	if (o->resign || o->concede) {
		strbuf_adds(canonical, o->resign ? ORDER_RESIGN_TEXT : "CONCEDE");
		return;
	}
	if (o->taupiniere)
		strbuf_adds(canonical, "TAUPINIERE");
	add_placed(o, from, canonical);
	for (unsigned i = 0; i < o->nflicks; i++) {
		add_between(canonical, from);
		add_flick(canonical, &o->flicks[i]);
	}
	add_staying(o, p, from, canonical);
}

/* --- reading ----------------------------------------------------------- */

static bool next_is(struct span *rest, const char *word)
{
	struct span got;

	return span_next_word(rest, "", &got) && span_eq_str(got, word);
}

static bool next_mm(struct span *rest, int64_t *nm)
{
	struct span word;

	return span_next_word(rest, "", &word) && mole_parse_mm(word, nm);
}

static bool next_coin(struct span *rest, const struct mole_position *p, unsigned *coin)
{
	struct span word;

	return span_next_word(rest, "", &word) && mole_parse_coin(word, coin) &&
	       (*coin == MOLE) == (p->side == SIDE_MOLE) && p->coins.coin[*coin].on;
}

static bool next_length(struct span *rest, struct mole_order *f)
{
	struct span word;

	if (!span_next_word(rest, "", &word))
		return true;
	f->at_most = span_eq_str(word, "AT");
	if (f->at_most ? !next_is(rest, "MOST") : !span_eq_str(word, "RANGE"))
		return false;
	return next_mm(rest, &f->range) && f->range > 0;
}

static bool parse_flick(struct span rest, const struct mole_position *p, struct mole_orders *o)
{
	struct mole_order *f = &o->flicks[o->nflicks];

	if (o->nflicks == FLICKS || !next_coin(&rest, p, &f->coin) || is_flicked(o, f->coin) ||
	    !next_is(&rest, "TO") || !next_mm(&rest, &f->to.x) || !next_mm(&rest, &f->to.y) ||
	    !next_length(&rest, f))
		return false;
	o->nflicks++;
	return true;
}

static bool parse_place(struct span rest, const struct mole_position *p, struct mole_orders *o)
{
	unsigned coin;

	if (!p->first_go || !next_coin(&rest, p, &coin))
		return false;
	o->placed[coin] = true;
	return next_mm(&rest, &o->place[coin].x) && next_mm(&rest, &o->place[coin].y);
}

/* What is left over, or doubled, or out of order, shows when the orders are written again. */
static bool parse_clause(struct span clause, const struct mole_position *p,
                         struct mole_orders *o)
{
	struct span rest = clause, verb;

	if (!span_next_word(&rest, "", &verb))
		return false;
	if (span_eq_str(verb, "PLACE"))
		return parse_place(rest, p, o);
	if (span_eq_str(verb, "FLICK"))
		return parse_flick(rest, p, o);
	o->taupiniere = o->taupiniere || span_eq_str(verb, "TAUPINIERE");
	return span_eq_str(verb, "TAUPINIERE") || span_eq_str(verb, "NASDAQ");
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
	struct strbuf written = STRBUF_INIT;
	struct span rest = canonical, clause;
	bool ok = true;

	memset(out, 0, sizeof *out);
	out->resign = span_eq_str(canonical, ORDER_RESIGN_TEXT);
	out->concede = span_eq_str(canonical, "CONCEDE");
	if (out->resign || out->concede)
		return true;
	while (ok && order_next_canonical(&rest, &clause))
		ok = parse_clause(clause, p, out);
	ok = ok && makes_sense(out, board, p);
	if (ok) {
		mole_write_orders(out, p, &written);
		ok = span_eq(strbuf_span(&written), canonical);
	}
	strbuf_release(&written);
	return ok;
}
