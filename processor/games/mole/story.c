/*
 * story.c - the last mail as a story: each flick with whom it met and where it ended, who
 * died, and what became of the round.
 */
#include <string.h>

#include "processor/games/mole/drawing.h"

static const char *const coin_names[MOLE_COINS] = {"the mole", "mignette 1", "mignette 2",
                                                   "mignette 3"};
static const char *const edges[] = {"the board", "over the winning line", "off the rear",
                                    "off the left side", "off the right side"};

static const char *mole_coin_name(unsigned coin)
{
	return coin < MOLE_COINS ? coin_names[coin] : "the wall";
}

/* With a capital. */
static void add_subject(struct strbuf *out, unsigned coin)
{
	size_t at = out->len;

	strbuf_adds(out, mole_coin_name(coin));
	if (out->ptr[at] >= 'a' && out->ptr[at] <= 'z')
		out->ptr[at] = (char)(out->ptr[at] - 'a' + 'A');
}

/* "150.0", from nm: one decimal, for people. */
static void add_tenths(struct strbuf *out, int64_t nm)
{
	int64_t half = MOLE_MM / 20;
	int64_t tenths = (nm + (nm < 0 ? -half : half)) / (MOLE_MM / 10);

	if (tenths < 0) {
		strbuf_addc(out, '-');
		tenths = -tenths;
	}
	strbuf_addf(out, "%lld.%lld", (long long)(tenths / 10), (long long)(tenths % 10));
}

static void add_rest(struct strbuf *out, const struct mole_coin *c)
{
	strbuf_addc(out, '(');
	mole_add_place(out, c->x);
	strbuf_adds(out, ", ");
	mole_add_place(out, c->y);
	strbuf_addc(out, ')');
}

/* --- a flick ----------------------------------------------------------- */

/* "1.25 %", from ten thousandths without their sign. */
static void add_percent(struct strbuf *out, int64_t n)
{
	n = n < 0 ? -n : n;
	strbuf_addf(out, "%lld.%02lld %%", (long long)(n / 100), (long long)(n % 100));
}

static void tell_wobble(const struct mole_wobble *w, struct strbuf *out)
{
	strbuf_adds(out, "; the finger slips ");
	add_percent(out, w->aside);
	strbuf_addf(out, " of the way to the %s, and the run is ",
	            w->aside < 0 ? "right" : "left");
	add_percent(out, w->range);
	strbuf_addf(out, " too %s", w->range < 0 ? "short" : "long");
}

static void tell_aim(const struct mole_flick *f, struct strbuf *out)
{
	add_subject(out, f->order.coin);
	strbuf_adds(out, " is flicked towards (");
	mole_add_mm(out, f->order.to.x);
	strbuf_adds(out, ", ");
	mole_add_mm(out, f->order.to.y);
	strbuf_addf(out, "), %lld mm far", (long long)((f->range + MOLE_MM / 2) / MOLE_MM));
	if (f->wobble.aside || f->wobble.range)
		tell_wobble(&f->wobble, out);
	strbuf_adds(out, ".");
}

/* Where a coin was when it met something, by contact n; its centre. */
static bool centre_in(const struct mole_contact *c, unsigned coin, struct mole_point *at)
{
	if (c->a == coin)
		*at = (struct mole_point){c->ax, c->ay};
	else if (c->b == coin)
		*at = (struct mole_point){c->bx, c->by};
	return c->a == coin || c->b == coin;
}

/* How far the coin went from contact n on, to its next contact or to rest; -1: it fell. */
static int64_t slid_on(const struct mole_flick *f, const struct mole_coins *rest, size_t n,
                       unsigned coin)
{
	struct mole_point from, to = {mole_nm(rest->coin[coin].x), mole_nm(rest->coin[coin].y)};
	bool met = false;

	(void)centre_in(&f->run.contacts[n], coin, &from);
	for (size_t i = n + 1; i < f->run.ncontacts && !met; i++)
		met = centre_in(&f->run.contacts[i], coin, &to);
	if (!met && !rest->coin[coin].on)
		return -1;
	to.x -= from.x;
	to.y -= from.y;
	return mole_root(to.x * to.x + to.y * to.y);
}

/* The flicked coin is the one that acts, else the first of the pair. */
static void tell_contact(const struct mole_flick *f, const struct mole_coins *rest, size_t n,
                         struct strbuf *out)
{
	const struct mole_contact *c = &f->run.contacts[n];
	unsigned who = c->b == f->order.coin ? c->b : c->a;
	unsigned whom = who == c->a ? c->b : c->a;
	int64_t way = slid_on(f, rest, n, who);

	strbuf_addc(out, ' ');
	add_subject(out, who);
	strbuf_addf(out, " %s %s at (", c->glancing ? "clips" : "hits", mole_coin_name(whom));
	add_tenths(out, c->x);
	strbuf_adds(out, ", ");
	add_tenths(out, c->y);
	strbuf_addc(out, ')');
	if (way >= MOLE_MM / 2)
		strbuf_addf(out, " and slides on %lld mm",
		            (long long)((way + MOLE_MM / 2) / MOLE_MM));
	strbuf_addc(out, '.');
}

static bool has_moved(const struct mole_coin *a, const struct mole_coin *b)
{
	return a->x != b->x || a->y != b->y;
}

/* `rest` is how the coins lay when all had stopped, annulled or not. */
static void tell_rest(const struct mole_flick *f, const struct mole_coins *rest,
                      struct strbuf *out)
{
	for (unsigned i = 0; i < MOLE_COINS; i++) {
		const struct mole_coin *was = &f->before.coin[i], *is = &rest->coin[i];

		if (!was->on || (is->on && !has_moved(was, is)))
			continue;
		strbuf_addc(out, ' ');
		add_subject(out, i);
		if (is->on) {
			strbuf_adds(out, " comes to rest at ");
			add_rest(out, is);
		} else {
			strbuf_addf(out, " falls %s", edges[f->run.fell[i]]);
		}
		strbuf_addc(out, '.');
	}
}

/* An annulled flick is told to its end: f->after is how it was before. */
static struct mole_coins rest_of(const struct mole_flick *f)
{
	struct mole_coins rest = f->after;

	for (unsigned i = 0; f->annulled && i < MOLE_COINS; i++)
		if (f->run.fell[i] != EDGE_NONE)
			rest.coin[i].on = false;
	return rest;
}

static void tell_annulled(bool first_go, struct strbuf *out)
{
	strbuf_addf(
	    out,
	    " But the mole cannot be knocked off %s: the flick is annulled and every coin "
	    "put back.",
	    first_go ? "in the mignettes' first turn of a round"
		     : "while a part of him lies in the circle or a Rosserie");
}

static void tell_moved(const struct game_state *s, const struct mole_flick *f,
                       struct strbuf *out)
{
	struct mole_coins rest = rest_of(f);

	tell_aim(f, out);
	for (size_t i = 0; i < f->run.ncontacts; i++)
		tell_contact(f, &rest, i, out);
	tell_rest(f, &rest, out);
	if (f->annulled)
		tell_annulled(s->last.before.first_go, out);
}

static void tell_flick(const struct game_state *s, const struct mole_played *p, unsigned n,
                       struct doc *out)
{
	const struct mole_flick *f = &p->flicks[n];
	struct strbuf text = STRBUF_INIT;

	switch (f->did) {
	case DID_FLICK:
		tell_moved(s, f, &text);
		break;
	case DID_SKIP:
		add_subject(&text, f->order.coin);
		strbuf_adds(&text, " had fallen before its turn came; its flick is skipped.");
		break;
	case DID_NOT_MOVE:
		add_subject(&text, f->order.coin);
		strbuf_adds(&text, " lay on its target already, and stays.");
		break;
	}
	doc_item(out, "%s", text.ptr);
	strbuf_release(&text);
}

static void tell_staying(const struct game_state *s, const struct mole_played *p,
                         struct doc *out)
{
	const struct mole_last *l = &s->last;

	if (l->orders.concede || p->nflicks == FLICKS)
		return;
	if (l->before.side == SIDE_MOLE) {
		if (p->nflicks == 0)
			doc_item(out, "The mole stays where he is (NASDAQ).");
		return;
	}
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		bool named = !l->before.coins.coin[i].on;

		for (unsigned k = 0; k < l->orders.nflicks; k++)
			named = named || l->orders.flicks[k].coin == i;
		if (!named)
			doc_item(out, "Mignette %u stays where it is (NASDAQ).", i);
	}
}

static void tell_places(const struct mole_orders *o, struct doc *out)
{
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 1; i < MOLE_COINS; i++) {
		if (!o->placed[i])
			continue;
		strbuf_addf(&text, text.len ? ", %u at (" : "Mignette %u is placed at (", i);
		mole_add_mm(&text, o->place[i].x);
		strbuf_adds(&text, ", ");
		mole_add_mm(&text, o->place[i].y);
		strbuf_addc(&text, ')');
	}
	if (text.len)
		doc_item(out, "%s.", text.ptr);
	strbuf_release(&text);
}

static void tell_deaths(const struct mole_played *p, struct doc *out)
{
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (p->died[i] != ZONE_NONE)
			doc_item(out,
			         "Mignette %u rests in %s%s with its whole disc: it is dead.",
			         i, p->died[i] == ZONE_CIRCLE ? "the " : "",
			         mole_zone_name(p->died[i]));
}

/* --- what became of it ------------------------------------------------- */

/* Those that name a mignette or a player have their sentence in tell_end. */
static const char *reason(enum mole_end end)
{
	switch (end) {
	case END_KNOCKED_OVER:
		return "A mignette sent the mole over the winning line.";
	case END_YEKINI:
		return "Yekini: the mole fell, and in the same flick the last mignette went "
		       "off "
		       "the board or into a zone.";
	case END_KNOCKED_REAR:
		return "The mole was knocked off the rear.";
	case END_NO_MIGNETTE:
		return "No mignette is alive.";
	case END_FELL:
		return "The mole fell off the board in his own turn.";
	case END_CALL_FAILED:
		return "TAUPINIERE was called, and needs exactly two kills.";
	case END_TWO_KILLS:
		return "Two kills need the call TAUPINIERE.";
	case END_FROM_ZONE:
		return "The mole crossed the winning line out of the circle or a Rosserie, in "
		       "which he lay with his whole disc.";
	case END_FROM_LOUP:
		return "The mole crossed the winning line from behind the loup line.";
	case END_KILL_CROSSING:
		return "The mole crossed the winning line, but with a kill.";
	case END_CROSSED:
		return "The mole crossed the winning line.";
	case END_ENDLESS:
		return "After 25 turns nobody has won the round.";
	case END_NONE:
	case END_KNOCKED_OFF:
	case END_CAUSE_DIED:
	case END_CONCEDED:
		break;
	}
	return "";
}

static void tell_end(const struct mole_played *p, enum mole_end end, const char *mover,
                     struct strbuf *out)
{
	if (end == END_KNOCKED_OFF)
		strbuf_addf(out, "Mignette %u brought the mole down and lives.", p->cause);
	else if (end == END_CAUSE_DIED)
		strbuf_addf(out, "Mignette %u brought the mole down, but is dead itself.",
		            p->cause);
	else if (end == END_CONCEDED)
		strbuf_addf(out, "%s gives the round up.", mover);
	else
		strbuf_adds(out, reason(end));
}

static void tell_gain(const struct game_state *s, enum mole_end end, struct strbuf *out)
{
	const struct mole_last *l = &s->last;
	const char *mole = s->seats[l->mole_seat].name.text;
	const char *other = s->seats[mole_other(l->mole_seat)].name.text;

	switch (mole_gain(end, l->before.side)) {
	case GAIN_MOLE:
		strbuf_addf(out, " The mole wins round %u: a point for %s, who keeps him.",
		            l->round, mole);
		break;
	case GAIN_MIGNETTES:
		strbuf_addf(
		    out,
		    " The mignettes win round %u: no point, but %s has the mole from now on.",
		    l->round, other);
		break;
	case GAIN_TIE:
		if (s->mole_seat != l->mole_seat)
			strbuf_addf(out,
			            " That was the third such round running: no point, and %s "
			            "has the mole from now on.",
			            other);
		else
			strbuf_adds(out,
			            " A tie: the round is played again with the same roles.");
		break;
	case GAIN_NONE:
		break;
	}
}

/* How a round ended: the rarer, the better to tell. */
void mole_tell_highlight(const struct game_state *s, const struct mole_played *p,
                         struct doc *out)
{
	static const unsigned char rare[] = {
	    [END_YEKINI] = 9,      [END_KNOCKED_OVER] = 8, [END_CALL_FAILED] = 7,
	    [END_TWO_KILLS] = 7,   [END_KNOCKED_REAR] = 6, [END_KILL_CROSSING] = 6,
	    [END_CROSSED] = 5,     [END_CAUSE_DIED] = 5,   [END_KNOCKED_OFF] = 4,
	    [END_NO_MIGNETTE] = 4, [END_FROM_ZONE] = 4,    [END_FROM_LOUP] = 4,
	    [END_FELL] = 3,        [END_ENDLESS] = 1,
	};
	const struct mole_last *l = &s->last;
	unsigned seat = l->before.side == SIDE_MOLE ? l->mole_seat : mole_other(l->mole_seat);
	enum mole_end end = mole_last_end(s, p);
	struct strbuf text = STRBUF_INIT;

	if (end == END_NONE || end == END_CONCEDED)
		return;
	tell_end(p, end, s->seats[seat].name.text, &text);
	tell_gain(s, end, &text);
	doc_highlight(out, rare[end], "%s", text.ptr);
	strbuf_release(&text);
}

/* How the round ended, or else whose turn it was. */
void mole_tell_news(const struct game_state *s, const struct mole_played *p, unsigned viewer,
                    struct doc *out)
{
	const struct mole_last *l = &s->last;
	unsigned seat = l->before.side == SIDE_MOLE ? l->mole_seat : mole_other(l->mole_seat);
	const char *mover = s->seats[seat].name.text;
	enum mole_end end = mole_last_end(s, p);
	struct strbuf text = STRBUF_INIT;

	tell_end(p, end, mover, &text);
	tell_gain(s, end, &text);
	doc_in(out, DOC_NEWS);
	if (text.len > 0)
		doc_paragraph(out, "%s", text.ptr);
	else
		doc_paragraph(out, "%s played the %s.", seat == viewer ? "You" : mover,
		              l->before.side == SIDE_MOLE ? "mole" : "mignettes");
	strbuf_release(&text);
}

void mole_tell(const struct game_state *s, const struct mole_played *p, struct doc *out)
{
	const struct mole_last *l = &s->last;
	unsigned seat = l->before.side == SIDE_MOLE ? l->mole_seat : mole_other(l->mole_seat);
	const char *mover = s->seats[seat].name.text;
	enum mole_end end = mole_last_end(s, p);
	struct strbuf text = STRBUF_INIT;

	doc_paragraph(out, "%s played the %s in turn %u of round %u.", mover,
	              l->before.side == SIDE_MOLE ? "mole" : "mignettes", l->turn, l->round);
	tell_places(&l->orders, out);
	if (l->orders.taupiniere)
		doc_item(out, "%s called TAUPINIERE.", mover);
	for (unsigned i = 0; i < p->nflicks; i++)
		tell_flick(s, p, i, out);
	tell_staying(s, p, out);
	tell_deaths(p, out);
	tell_end(p, end, mover, &text);
	tell_gain(s, end, &text);
	if (text.len)
		doc_paragraph(out, "%s", text.ptr);
	strbuf_release(&text);
}
