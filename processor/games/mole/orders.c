/*
 * orders.c - reading PLACE, FLICK, NASDAQ, TAUPINIERE and CONCEDE.
 *
 * A mail is taken as a whole: one wrong order refuses all of it, and the set in force stays.
 * Prose around the orders does no harm.
 *
 * Trusts: `text` is anybody's. Nothing a diagnostic says is hidden from anybody.
 */
#include "processor/games/mole/orders.h"

#include <string.h>

#include "processor/games/loose.h"

/* What one mail said so far. */
struct reading {
	struct order_mail mail;
	const struct game_state *state;
	const struct mole_position *from;
	struct mole_coins coins; /* with mignettes placed */
	struct mole_gad gad;
	struct mole_orders orders;
	bool named[MOLE_COINS]; /* flicked or told to stay */
};

static bool is_argument(struct span word)
{
	unsigned coin;
	int64_t nm;

	return mole_parse_coin(word, &coin) || mole_parse_mm(word, &nm);
}

static const struct order_language language = {
    .verbs = mole_verbs,
    .nverbs = VERBS,
    .is_argument = is_argument,
};

/* One order that is legal here and now. */
static void add_example(const void *game, struct strbuf *out)
{
	const struct game_state *s = game;
	struct chance *chance = chance_from_seed(s->phase, "example");

	mole_sample_orders(s, 1, 1, NULL, chance, out);
	strbuf_truncate(out, span_find_char(strbuf_span(out), ';'));
	chance_free(chance);
}

static bool refuse(struct reading *r, const struct order_clause *c, const char *why)
{
	return order_mail_refuse(&r->mail, c, why);
}

/* What stands behind the verb; false when it was refused. */
static bool take(struct reading *r, const struct order_clause *c, size_t verb,
                 struct mole_order *f)
{
	const char *why;

	memset(f, 0, sizeof *f);
	why = order_form_take(&mole_forms, verb, r->from, f, c->args, c->nargs);
	return !why || refuse(r, c, why);
}

static bool name_coin(struct reading *r, const struct order_clause *c, unsigned coin)
{
	if (r->named[coin])
		return refuse(r, c, "Each coin may be named once only.");
	return r->named[coin] = true;
}

/* --- the orders -------------------------------------------------------- */

static bool read_place(struct reading *r, const struct order_clause *c)
{
	struct mole_order f;

	if (!r->from->first_go)
		return refuse(r, c,
		              "Mignettes are placed only with the first mail of a round.");
	if (!take(r, c, VERB_PLACE, &f))
		return false;
	if (r->orders.nflicks)
		return refuse(r, c, "PLACE must stand above all FLICK orders.");
	if (r->orders.placed[f.coin])
		return refuse(r, c, "Each coin may be placed once only.");
	r->orders.placed[f.coin] = true;
	r->orders.place[f.coin] = f.to;
	mole_put(&r->coins, &r->orders);
	return true;
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
	diags_add(r->mail.diags, DIAG_WARNING, c->line, c->head.column, order_quote(c->text),
	          "", "%s can run %s mm at most; it is flicked that far, in this direction.",
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
	struct mole_order f;

	if (!take(r, c, VERB_FLICK, &f) || !aim_is_fine(r, c, &f) || !name_coin(r, c, f.coin))
		return false;
	r->orders.flicks[r->orders.nflicks++] = f;
	return true;
}

static bool read_nasdaq(struct reading *r, const struct order_clause *c)
{
	struct mole_order f;

	if (c->nargs == 0 && r->from->side == SIDE_MIGNETTES)
		return refuse(r, c, "NASDAQ names the mignette that is to stay: NASDAQ 1");
	if (!take(r, c, VERB_NASDAQ, &f))
		return false;
	if (f.coin == MOLE && r->gad.count && !r->gad.stuck)
		return refuse(r, c,
		              "You are in Gad: a mignette touches the mole, so he must be "
		              "flicked away from it.");
	return name_coin(r, c, f.coin);
}

static bool read_taupiniere(struct reading *r, const struct order_clause *c)
{
	struct mole_order f;

	if (!take(r, c, VERB_TAUPINIERE, &f))
		return false;
	if (r->from->side != SIDE_MOLE)
		return refuse(r, c, "TAUPINIERE is for the player who has the mole.");
	if (r->orders.taupiniere)
		return refuse(r, c, "TAUPINIERE is called once.");
	return r->orders.taupiniere = true;
}

static bool read_concede(struct reading *r, const struct order_clause *c)
{
	struct mole_order f;

	return take(r, c, VERB_CONCEDE, &f) && (r->orders.concede = true);
}

static bool read_test(struct reading *r, const struct order_clause *c)
{
	return refuse(r, c,
	              "TEST stands on the first line of a mail, above the orders to try.");
}

static void read_order(struct reading *r, const struct order_clause *c)
{
	static bool (*const readers[])(struct reading *, const struct order_clause *) = {
	    [VERB_PLACE] = read_place,           [VERB_FLICK] = read_flick,
	    [VERB_NASDAQ] = read_nasdaq,         [VERB_CONCEDE] = read_concede,
	    [VERB_TAUPINIERE] = read_taupiniere, [VERB_TEST] = read_test,
	    [VERB_ACCENTED] = read_taupiniere,   [VERB_ACCENTED_CAPITAL] = read_taupiniere};
	struct order_mail *m = &r->mail;

	m->first = m->first ? m->first : c->line;
	m->last = c->line;
	if (c->verb == VERB_RESIGN)
		order_mail_resign(m, c);
	else if (!m->owes || readers[c->verb](r, c))
		m->said++;
}

/* "flick" and "place" are everyday words too: "place 1: Ann", "flick through this". */
static bool is_talk(const struct order_clause *c)
{
	if (c->nargs < 2)
		return c->verb == VERB_TEST && c->nargs > 0;
	if (c->verb == VERB_PLACE)
		return c->args[1].text.len == 0 || *c->args[1].text.ptr == '\0' ||
		       !strchr("0123456789-.", *c->args[1].text.ptr);
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

/* --- a whole mail ------------------------------------------------------ */

static bool may_order(struct reading *r)
{
	const char *why = "It is not your turn to play.";

	if (r->mail.owes)
		return true;
	if (mole_over(r->state))
		why = "The match is over; it takes no more orders.";
	diags_add(r->mail.diags, DIAG_ERROR, 0, 0, SPAN_EMPTY, "", "%s", why);
	return false;
}

static bool goes_together(struct reading *r)
{
	if (r->orders.concede && r->mail.said > 1)
		return refuse(r, NULL,
		              "CONCEDE gives the round up, so it stands without any other "
		              "order.");
	if (r->orders.taupiniere && r->orders.nflicks == 0)
		return refuse(r, NULL,
		              "TAUPINIERE needs a FLICK of the mole in the same mail.");
	if (!r->from->first_go)
		return true;
	struct strbuf why = STRBUF_INIT;
	bool ok = mole_places_ok(&r->state->setup.board, &r->coins, &why);

	if (!ok)
		refuse(r, NULL, why.ptr);
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

static bool was_left_out(const void *ctx, unsigned number, struct span line)
{
	(void)ctx;
	(void)number;
	return loose_could_belong(line, &mole_loose);
}

/* True when the mail as a whole makes orders. */
static bool accept(struct reading *r)
{
	if (order_mail_resigns(&r->mail, "match")) {
		memset(&r->orders, 0, sizeof r->orders);
		return r->orders.resign = true;
	}
	if ((!r->mail.said && !r->mail.wrong) || !may_order(r))
		return false;
	if (r->mail.wrong && r->mail.said)
		diags_add(r->mail.diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
		          "In this game one wrong order refuses the whole mail.");
	if (r->mail.wrong || !goes_together(r))
		return false;
	struct strbuf names = STRBUF_INIT;
	unsigned n =
	    r->from->side == SIDE_MIGNETTES && !r->orders.concede ? add_unnamed(r, &names) : 0;

	if (n)
		diags_add(r->mail.diags, DIAG_NOTE, 0, 0, SPAN_EMPTY, "",
		          n > 1 ? "Mignettes %s: not named, so NASDAQ."
		                : "Mignette %s: not named, so NASDAQ.",
		          names.ptr);
	strbuf_release(&names);
	return true;
}

bool mole_read_orders(const struct game_state *s, unsigned seat, struct span before,
                      const struct tables *tables, struct span text, struct strbuf *canonical,
                      struct diags *diags)
{
	struct reading r = {.mail = {.forms = &mole_forms,
	                             .language = &language,
	                             .diags = diags,
	                             .owes = seat_in(mole_owes(s), seat),
	                             .example = add_example,
	                             .game = s,
	                             .shown = STRBUF_INIT},
	                    .state = s,
	                    .from = &s->now,
	                    .coins = s->now.coins,
	                    .gad = mole_gad(&s->now.coins)};
	struct order_reader reader;
	struct order_clause clause;
	bool ok;

	(void)before;
	(void)tables;
	order_reader_start(&reader, &language, text);
	while (order_next_clause(&reader, &clause)) {
		struct order_clause call = clause;

		call.meant = mole_verbs[VERB_TAUPINIERE];
		if (means_call(&clause))
			order_mail_misspelt(&r.mail, &call);
		else if (clause.verb == ORDER_PROSE || (clause.verb >= 0 && is_talk(&clause)))
			order_ignore(&clause, r.mail.diags);
		else if (clause.verb == ORDER_MISSPELT)
			order_mail_misspelt(&r.mail, &clause);
		else
			read_order(&r, &clause);
	}
	order_reader_release(&reader);
	/* A call or a coin that was not read would be lost with the turn. */
	order_mail_bystander(&r.mail, text, was_left_out);
	ok = accept(&r);
	if (ok) {
		strbuf_clear(canonical);
		mole_write_orders(&r.orders, r.from, canonical);
	}
	strbuf_release(&r.mail.shown);
	return ok;
}
