/*
 * story.c - the last mail as a story: each flick with whom it met and where it ended, who
 * died, and what became of the round.
 */
#include <string.h>

#include "processor/games/mole/drawing.h"

static const char *const edges[] = {"the board", "over the winning line", "off the rear",
                                    "off the left side", "off the right side"};

static const char *mole_coin_name(unsigned coin)
{
	static const char *const names[MOLE_COINS] = {"the mole", "mignette 1", "mignette 2",
	                                              "mignette 3"};

	return coin < MOLE_COINS ? names[coin] : "the wall";
}

/* As the first word of a sentence. */
static const char *subject(unsigned coin)
{
	static const char *const names[MOLE_COINS] = {"The mole", "Mignette 1", "Mignette 2",
	                                              "Mignette 3"};

	return coin < MOLE_COINS ? names[coin] : "The wall";
}

/* "(150, 220)", each number written by `add`; in the arena. */
static const char *place(struct arena *a, int64_t x, int64_t y,
                         void (*add)(struct strbuf *out, int64_t n))
{
	struct strbuf text = STRBUF_INIT;
	const char *copy;

	strbuf_addc(&text, '(');
	add(&text, x);
	strbuf_adds(&text, ", ");
	add(&text, y);
	strbuf_addc(&text, ')');
	copy = arena_strdup(a, text.ptr);
	strbuf_release(&text);
	return copy;
}

/* --- a flick ----------------------------------------------------------- */

/* "1.25 %", from ten thousandths without their sign. */
static const char *percent(struct arena *a, int64_t n)
{
	n = n < 0 ? -n : n;
	return arena_printf(a, "%lld.%02lld %%", (long long)(n / 100), (long long)(n % 100));
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
	struct mole_point from = {0, 0},
			  to = {mole_nm(rest->coin[coin].x), mole_nm(rest->coin[coin].y)};
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

/* An annulled flick is told to its end: f->after is how it was before. */
static struct mole_coins rest_of(const struct mole_flick *f)
{
	struct mole_coins rest = f->after;

	for (unsigned i = 0; f->annulled && i < MOLE_COINS; i++)
		if (f->run.fell[i] != EDGE_NONE)
			rest.coin[i].on = false;
	return rest;
}

static void tell_moved(const struct game_state *s, const struct mole_flick *f, struct arena *a,
                       struct strbuf *out)
{
	struct mole_coins rest = rest_of(f);

	const struct mole_wobble *w = &f->wobble;

	strbuf_addf(out, "%s is flicked towards %s, %lld mm far.", subject(f->order.coin),
	            place(a, f->order.to.x, f->order.to.y, mole_add_mm),
	            (long long)((f->range + MOLE_MM / 2) / MOLE_MM));
	if (w->aside || w->range) {
		strbuf_addf(out,
		            w->aside < 0 ? " The finger slips %s of the way to the right."
		                         : " The finger slips %s of the way to the left.",
		            percent(a, w->aside));
		strbuf_addf(out,
		            w->range < 0 ? " The run is %s too short."
		                         : " The run is %s too long.",
		            percent(a, w->range));
	}
	for (size_t i = 0; i < f->run.ncontacts; i++) {
		/* The flicked coin is the one that acts, else the first of the pair. */
		const struct mole_contact *c = &f->run.contacts[i];
		unsigned who = c->b == f->order.coin ? c->b : c->a;
		unsigned whom = who == c->a ? c->b : c->a;
		int64_t way = slid_on(f, &rest, i, who);

		strbuf_addf(out, c->glancing ? " %s clips %s" : " %s hits %s", subject(who),
		            mole_coin_name(whom));
		if (way >= MOLE_MM / 2)
			strbuf_addf(out, " and slides on %lld mm",
			            (long long)((way + MOLE_MM / 2) / MOLE_MM));
		strbuf_addc(out, '.');
	}
	/* Where the others lie the board says. `rest` is how it was when all had stopped, annulled or not. */
	for (unsigned i = 0; i < MOLE_COINS; i++)
		if (f->before.coin[i].on && !rest.coin[i].on)
			strbuf_addf(out, " %s falls %s.", subject(i), edges[f->run.fell[i]]);
	if (f->annulled) {
		strbuf_adds(
		    out,
		    s->last.before.first_go
			? " But the mole cannot be knocked off in the mignettes' first turn "
			  "of a round: the flick is annulled and every coin put back."
			: " But the mole cannot be knocked off while a part of it lies in "
			  "the circle or a Rosserie: the flick is annulled and every coin "
			  "put back.");
	}
}

static void tell_flick(const struct game_state *s, const struct mole_played *p, unsigned n,
                       struct doc *out)
{
	const struct mole_flick *f = &p->flicks[n];
	struct strbuf text = STRBUF_INIT;

	switch (f->did) {
	case DID_FLICK:
		tell_moved(s, f, out->arena, &text);
		doc_item(out, "%s", text.ptr);
		break;
	case DID_SKIP:
		doc_item(out, "%s had fallen before its turn came; its flick is skipped.",
		         subject(f->order.coin));
		break;
	case DID_NOT_MOVE:
		doc_item(out, "%s lay on its target already, and stays.",
		         subject(f->order.coin));
		break;
	}
	strbuf_release(&text);
}

/* "Mignettes 1 and 3 stay where they are (NASDAQ)." */
static void tell_staying(const struct game_state *s, const struct mole_played *p,
                         struct doc *out)
{
	const struct mole_last *l = &s->last;
	struct strbuf who = STRBUF_INIT;
	bool stays[MOLE_COINS];
	unsigned n = 0, done = 0;

	if (l->orders.concede || p->nflicks == FLICKS)
		return;
	if (l->before.side == SIDE_MOLE) {
		if (p->nflicks == 0)
			doc_item(out, "The mole stays where it is (NASDAQ).");
		return;
	}
	for (unsigned i = 1; i < MOLE_COINS; i++) {
		stays[i] = l->before.coins.coin[i].on;
		for (unsigned k = 0; k < l->orders.nflicks; k++)
			stays[i] = stays[i] && l->orders.flicks[k].coin != i;
		n += stays[i];
	}
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (stays[i]) {
			strbuf_add_sep(&who, done++, n, " and ");
			strbuf_addf(&who, "%u", i);
		}
	if (n > 0)
		doc_item(out,
		         n == 1 ? "Mignette %s stays where it is (NASDAQ)."
		                : "Mignettes %s stay where they are (NASDAQ).",
		         who.ptr);
	strbuf_release(&who);
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
		       "off the board or into a zone.";
	case END_KNOCKED_REAR:
		return "The mole was knocked off the rear.";
	case END_NO_MIGNETTE:
		return "No mignette is alive.";
	case END_FELL:
		return "The mole fell off the board in its own turn.";
	case END_CALL_FAILED:
		return "TAUPINIERE was called, and needs exactly two kills.";
	case END_TWO_KILLS:
		return "Two kills need the call TAUPINIERE.";
	case END_FROM_ZONE:
		return "The mole crossed the winning line out of the circle or a Rosserie, in "
		       "which it lay with its whole disc.";
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
		strbuf_addf(out, " The mole wins round %u: a point for %s, who keeps the mole.",
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

/* Whole millimetres, to the nearest. */
static long long in_mm(int64_t nm)
{
	return (long long)((nm + MOLE_MM / 2) / MOLE_MM);
}

/* How the round ended, or else what became of the mole. */
void mole_tell_news(const struct game_state *s, const struct mole_played *p, unsigned viewer,
                    struct doc *out)
{
	const struct mole_last *l = &s->last;
	unsigned seat = l->before.side == SIDE_MOLE ? l->mole_seat : mole_other(l->mole_seat);
	const char *mover = s->seats[seat].name.text;
	enum mole_end end = mole_last_end(s, p);
	struct strbuf text = STRBUF_INIT;

	tell_gain(s, end, &text);
	doc_in(out, DOC_NEWS);
	if (text.len == 0 && p->nflicks == 0)
		strbuf_addf(&text, "%s flicked nothing.", seat == viewer ? "You" : mover);
	else if (text.len == 0) {
		/* "Your 3 flicks moved the mole 51 mm: 386 mm to the line, 98 to the nearer side." */
		const char *whose = seat == viewer ? "Your"
		                                   : arena_printf(out->arena, "%s's", mover);
		const struct mole_coin *was = &s->last.before.coins.coin[MOLE],
				       *is = &p->after.coin[MOLE];
		int64_t dx = mole_nm(is->x - was->x), dy = mole_nm(is->y - was->y),
			moved = mole_root(dx * dx + dy * dy), x = mole_nm(is->x),
			left = s->setup.board.width - x;

		if (s->last.before.side == SIDE_MOLE)
			strbuf_addf(&text, "%s flick took the mole", whose);
		else
			strbuf_addf(&text,
			            p->nflicks == 1 ? "%s flick moved the mole"
			                            : "%s flicks moved the mole",
			            whose);
		strbuf_addf(&text, " %lld mm: %lld to the line, %lld to the nearer side.",
		            in_mm(moved), in_mm(s->setup.board.length - mole_nm(is->y)),
		            in_mm(x < left ? x : left));
	}
	doc_paragraph(out, "%.*s", SPAN_ARGS(span_trim(strbuf_span(&text))));
	strbuf_release(&text);
}

void mole_tell(const struct game_state *s, const struct mole_played *p, unsigned viewer,
               struct doc *out)
{
	const struct mole_last *l = &s->last;
	unsigned seat = l->before.side == SIDE_MOLE ? l->mole_seat : mole_other(l->mole_seat);
	const char *mover = s->seats[seat].name.text;
	enum mole_end end = mole_last_end(s, p);
	struct strbuf text = STRBUF_INIT;

	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (l->orders.placed[i])
			doc_item(out, "%s is placed at %s.", subject(i),
			         place(out->arena, l->orders.place[i].x, l->orders.place[i].y,
			               mole_add_mm));
	if (l->orders.taupiniere)
		doc_item(out, "%s called TAUPINIERE.", mover);
	for (unsigned i = 0; i < p->nflicks; i++)
		tell_flick(s, p, i, out);
	tell_staying(s, p, out);
	for (unsigned i = 1; i < MOLE_COINS; i++)
		if (p->died[i] != ZONE_NONE)
			doc_item(out,
			         p->died[i] == ZONE_CIRCLE
			             ? "%s rests in the %s with its whole disc: it is dead."
			             : "%s rests in %s with its whole disc: it is dead.",
			         subject(i), mole_zone_name(p->died[i]));
	tell_end(p, end, mover, &text);
	if (viewer == 0)
		tell_gain(s, end, &text);
	if (text.len)
		doc_paragraph(out, "%s", text.ptr);
	strbuf_release(&text);
}
