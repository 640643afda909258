/*
 * order_set.c - a set of orders as text: canonical, and in words.
 */
#include "processor/games/mole_park/park.h"

static void write_claim(const struct game_state *s, const struct park_orders *o,
                        struct strbuf *out)
{
	struct park_players one = {1, {(unsigned char)o->claim_seat}};

	strbuf_adds(out, "; CROWN");
	if (o->claim == PARK_NO_CLAIM)
		strbuf_adds(out, " NONE");
	else if (o->claim != PARK_CLAIM)
		strbuf_adds(out, o->claim == PARK_CLAIM_IF_ANY ? " IF ANY" : " IF ");
	if (o->claim == PARK_CLAIM_IF_SEAT)
		park_write_players(s, &one, out);
}

static void write_king(const struct game_state *s, const struct park_orders *o,
                       struct strbuf *out)
{
	strbuf_adds(out, "; FAVOUR ");
	if (o->favour.count)
		park_write_players(s, &o->favour, out);
	else
		strbuf_adds(out, "NONE");
	strbuf_addf(out, "; STYLE %s", o->style.text[0] ? o->style.text : "NONE");
}

void park_write_wishes(const struct park_wishes *w, struct strbuf *out)
{
	for (unsigned i = 0; i < w->count; i++)
		strbuf_addf(out, i ? " %s" : "%s", park_shops[w->shops[i]].key);
	if (w->nothing_else)
		strbuf_adds(out, w->count ? " NONE" : "NONE");
	else if (w->count == 0)
		strbuf_adds(out, "ANY");
}

void park_write_discard(const struct park_discard *d, struct strbuf *out)
{
	if (d->way != PARK_VALUES)
		strbuf_adds(out, d->way == PARK_HIGH ? "HIGH" : "LOW");
	else
		for (unsigned i = 0; i < d->count; i++)
			strbuf_addf(out, i ? " %u" : "%u", d->values[i]);
}

void park_write_orders(const struct game_state *s, unsigned seat, const struct park_orders *o,
                       struct strbuf *canonical)
{
	strbuf_addf(canonical, "ROLL %s", park_die_keys[o->die]);
	if (o->named & PARK_ROLL_IF)
		strbuf_addf(canonical, "; ROLL %s IF CROWN", park_die_keys[o->die_if_crown]);
	write_claim(s, o, canonical);
	strbuf_adds(canonical, "; PRIZES ");
	park_write_wishes(&o->wishes, canonical);
	strbuf_adds(canonical, "; DISCARD ");
	park_write_discard(&o->discard, canonical);
	if (seat == s->king)
		write_king(s, o, canonical);
}

/* --- in words ------------------------------------------------------------ */

static void echo_die(const struct park_orders *o, struct strbuf *out)
{
	struct strbuf change = STRBUF_INIT;

	if ((o->named & PARK_ROLL_IF) && o->die_if_crown == PARK_NO_DIE)
		strbuf_adds(&change, "; if somebody goes for the CROWN, no die at all");
	else if (o->named & PARK_ROLL_IF)
		strbuf_addf(&change, "; if somebody goes for the CROWN, the %s instead",
		            park_die_names[o->die_if_crown]);
	if (o->die == PARK_NO_DIE)
		strbuf_addf(out, "You roll no die and keep your moles%s.", change.ptr);
	else
		strbuf_addf(out, "You roll the %s%s.", park_die_names[o->die], change.ptr);
	strbuf_release(&change);
}

static void echo_claim(const struct game_state *s, const struct park_orders *o,
                       struct strbuf *out)
{
	if (o->claim != PARK_NO_CLAIM)
		strbuf_addf(out,
		            " If %s goes for the CROWN, you try for it too, with the Prize "
		            "die.",
		            o->claim == PARK_CLAIM_IF_ANY ? "anybody"
		                                          : s->seats[o->claim_seat].name.text);
}

static void echo_wishes(const struct park_wishes *w, struct strbuf *out)
{
	struct strbuf shops = STRBUF_INIT;

	for (unsigned i = 0; i < w->count; i++)
		strbuf_addf(&shops, "%s, else ", park_shops[w->shops[i]].key);
	if (w->count == 0)
		strbuf_adds(out, w->nothing_else
		                     ? " You want no prize."
		                     : " As a prize you take the best you can afford.");
	else
		strbuf_addf(out, " You would like a prize from %s%s.", shops.ptr,
		            w->nothing_else ? "none" : "the best you can afford");
	strbuf_release(&shops);
}

static void echo_discard(const struct park_discard *d, struct strbuf *out)
{
	struct strbuf values = STRBUF_INIT;

	for (unsigned i = 0; i < d->count; i++)
		strbuf_addf(&values, i ? ", then a %u" : "a %u", d->values[i]);
	if (d->way == PARK_VALUES)
		strbuf_addf(out, " If your hand is too full, %s goes, then the lowest.",
		            values.ptr);
	else
		strbuf_addf(out, " If your hand is too full, your %s moles are discarded.",
		            d->way == PARK_LOW ? "lowest" : "highest");
	strbuf_release(&values);
}

/* Who has left comes in no tie. */
static void echo_favour(const struct game_state *s, const struct park_players *p,
                        struct strbuf *out)
{
	struct strbuf names = STRBUF_INIT;

	for (unsigned i = 0; i < p->count; i++)
		if (!s->seats[p->seats[i]].left)
			strbuf_addf(&names, names.len ? ", then %s" : "%s",
			            s->seats[p->seats[i]].name.text);
	if (names.len)
		strbuf_addf(out, " In a tie you side with %s.", names.ptr);
	else
		strbuf_adds(
		    out, " In a tie you side with nobody, so the first to your left wins it.");
	strbuf_release(&names);
}

void park_echo_lists(const struct game_state *s, const struct park_orders *o, unsigned told,
                     struct strbuf *out)
{
	if (told & PARK_PRIZES_LINE)
		echo_wishes(&o->wishes, out);
	if (told & PARK_DISCARD_LINE)
		echo_discard(&o->discard, out);
	if (told & PARK_FAVOUR_LINE)
		echo_favour(s, &o->favour, out);
}

void park_echo(const struct game_state *s, const struct park_orders *o, unsigned told,
               struct strbuf *out)
{
	if (o->claim == PARK_CLAIM) {
		strbuf_adds(out, "You go for the CROWN with the Prize die.");
	} else {
		echo_die(o, out);
		echo_claim(s, o, out);
	}
	park_echo_lists(s, o, told, out);
	if ((told & PARK_STYLE_LINE) && o->style.text[0])
		strbuf_addf(out, " Reports will call you \"%s\".", o->style.text);
	else if (told & PARK_STYLE_LINE)
		strbuf_adds(out, " Reports will call you King Mole.");
}

/* --- what the sender may not have thought of ------------------------------- */

static void warn_of_crown(const struct game_state *s, unsigned seat, struct diags *diags)
{
	const struct park_seat *p = &s->seats[seat];
	unsigned moles = park_pile_stars(&s->setup, &p->hand);
	unsigned prizes = park_prizes_worth(s, seat);

	if (moles + prizes + PARK_FACES >= PARK_CROWN)
		return;
	diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "CROWN NONE",
	          "With %u of moles and %u of winnings even a 6 makes only %u stars: going for "
	          "the CROWN, which takes %u, you would lose your moles for nothing.",
	          moles, prizes, moles + prizes + PARK_FACES, (unsigned)PARK_CROWN);
}

void park_warn(const struct game_state *s, unsigned seat, const struct park_orders *o,
               struct diags *diags)
{
	bool empty = s->seats[seat].hand.count == 0;
	bool shows = o->die == PARK_PRIZE_DIE;
	bool shows_if = (o->named & PARK_ROLL_IF) && o->die_if_crown == PARK_PRIZE_DIE;

	if (o->claim != PARK_NO_CLAIM && !empty)
		warn_of_crown(s, seat, diags);
	if (o->claim != PARK_CLAIM && (shows || shows_if) && empty)
		diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY,
		          shows ? "ROLL PAN" : "ROLL PAN IF CROWN",
		          "Your hand is empty, and the Prize die wins nothing without a mole.");
	if (o->claim != PARK_CLAIM && o->die == PARK_NO_DIE && !(o->named & PARK_ROLL))
		diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "ROLL PAN",
		          "You named no die, so you throw none this round.");
	if (o->claim == PARK_CLAIM && o->die != PARK_NO_DIE && o->die != PARK_PRIZE_DIE)
		diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "CROWN NONE",
		          "Going for the CROWN stands above your %s, which stays on the table.",
		          park_die_names[o->die]);
}
