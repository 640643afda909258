/*
 * order_words.c - a set of orders in words, and what the sender may not have thought of.
 */
#include "processor/games/mole_park/park.h"

static void echo_die(const struct order_set *o, struct strbuf *out)
{
	struct strbuf change = STRBUF_INIT;
	unsigned die = o->rows[PARK_ROLL].items[0], die_if = o->rows[PARK_ROLL_IF].items[0];

	if ((o->named >> PARK_ROLL_IF & 1) && die_if == PARK_NO_DIE)
		strbuf_adds(&change, "; if somebody goes for the CROWN, no die at all");
	else if (o->named >> PARK_ROLL_IF & 1)
		strbuf_addf(&change, "; if somebody goes for the CROWN, the %s instead",
		            park_die_names[die_if]);
	if (die == PARK_NO_DIE)
		strbuf_addf(out, "You roll no die and keep your moles%s.", change.ptr);
	else
		strbuf_addf(out, "You roll the %s%s.", park_die_names[die], change.ptr);
	strbuf_release(&change);
}

static void echo_claim(const struct game_state *s, const struct order_set *o,
                       struct strbuf *out)
{
	const struct order_value *claim = &o->rows[PARK_CLAIMS];

	if (claim->count || claim->alone)
		strbuf_addf(out,
		            " If %s goes for the CROWN, you try for it too, with the Prize "
		            "die.",
		            claim->alone ? "anybody" : s->seats[claim->items[0]].name.text);
}

static void echo_wishes(const struct order_value *w, struct strbuf *out)
{
	struct strbuf shops = STRBUF_INIT;
	bool nothing_else = w->count && w->items[w->count - 1] == PARK_SHOPS;

	for (unsigned i = 0; i < w->count - nothing_else; i++)
		strbuf_addf(&shops, "%s, else ", park_shops[w->items[i]].key);
	if (!shops.len)
		strbuf_adds(
		    out,
		    nothing_else
			? " You want no prize."
			: " You take the best prize you can afford, unless you send PRIZES.");
	else
		strbuf_addf(out, " You would like a prize from %s%s.", shops.ptr,
		            nothing_else ? "none" : "the best you can afford");
	strbuf_release(&shops);
}

static void echo_discard(const struct order_value *d, struct strbuf *out)
{
	struct strbuf values = STRBUF_INIT;

	for (unsigned i = 0; i < d->count; i++)
		strbuf_addf(&values, i ? ", then a %u" : "a %u", d->items[i]);
	if (d->count)
		strbuf_addf(out, " If your hand is too full, %s goes, then the lowest.",
		            values.ptr);
	else
		strbuf_addf(out, " If your hand is too full, your %s moles are discarded.",
		            d->alone == PARK_LOW ? "lowest" : "highest");
	strbuf_release(&values);
}

/* Who has left comes in no tie. */
static void echo_favour(const struct game_state *s, const struct order_value *p,
                        struct strbuf *out)
{
	struct strbuf names = STRBUF_INIT;

	for (unsigned i = 0; i < p->count; i++)
		if (!s->seats[p->items[i]].left)
			strbuf_addf(&names, names.len ? ", then %s" : "%s",
			            s->seats[p->items[i]].name.text);
	if (names.len)
		strbuf_addf(out, " In a tie you side with %s.", names.ptr);
	else
		strbuf_adds(
		    out, " In a tie you side with nobody, so the first to your left wins it.");
	strbuf_release(&names);
}

void park_echo_lists(const struct game_state *s, const struct order_set *o, unsigned told,
                     struct strbuf *out)
{
	if (told >> PARK_WISHES & 1)
		echo_wishes(&o->rows[PARK_WISHES], out);
	if (told >> PARK_DISCARD & 1)
		echo_discard(&o->rows[PARK_DISCARD], out);
	if (told >> PARK_FAVOUR & 1)
		echo_favour(s, &o->rows[PARK_FAVOUR], out);
}

void park_style_read(const char *style, struct park_style *title, struct park_style *go)
{
	struct span name = span_of(style), rest = name, word;

	*title = *go = (struct park_style){""};
	while (go->text[0] == '\0' && span_next_word(&rest, "", &word))
		if (span_eq_str(word, "GO") && span_trim(rest).len > 0) {
			memcpy(go->text, span_trim(rest).ptr, span_trim(rest).len);
			name.len = (size_t)(word.ptr - style);
		}
	name = span_trim(name).len > 0 ? span_trim(name) : SPAN_LIT("King Mole");
	memcpy(title->text, name.ptr, name.len);
}

void park_echo(const struct game_state *s, const struct order_set *o, unsigned told,
               struct strbuf *out)
{
	if (o->rows[PARK_CLAIMS].alone == PARK_CLAIM) {
		strbuf_adds(out, "You go for the CROWN with the Prize die.");
	} else {
		echo_die(o, out);
		echo_claim(s, o, out);
	}
	park_echo_lists(s, o, told, out);
	struct park_style king, go;

	park_style_read(o->text, &king, &go);
	if (told >> PARK_STYLE & 1)
		strbuf_addf(out, " Reports will call you \"%s\".", king.text);
	if ((told >> PARK_STYLE & 1) && go.text[0])
		strbuf_addf(out, " Your word for \"Go!\" is \"%s!\"", go.text);
}

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

void park_warn(const struct game_state *s, unsigned seat, const struct order_set *o,
               struct diags *diags)
{
	bool empty = s->seats[seat].hand.count == 0;
	const struct order_value *claim = &o->rows[PARK_CLAIMS];
	unsigned die = o->rows[PARK_ROLL].items[0];
	bool shows = die == PARK_PRIZE_DIE, crown = claim->alone == PARK_CLAIM;
	bool shows_if = (o->named >> PARK_ROLL_IF & 1) &&
	                o->rows[PARK_ROLL_IF].items[0] == PARK_PRIZE_DIE;

	if ((claim->count || claim->alone) && !empty)
		warn_of_crown(s, seat, diags);
	if (!crown && (shows || shows_if) && empty)
		diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY,
		          shows ? "ROLL PAN" : "ROLL PAN IF CROWN",
		          "Your hand is empty, and the Prize die wins nothing without a mole.");
	if (!crown && die == PARK_NO_DIE && !(o->named >> PARK_ROLL & 1))
		diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "ROLL PAN",
		          "You named no die, so you throw none this round.");
	if (crown && die != PARK_NO_DIE && die != PARK_PRIZE_DIE)
		diags_add(diags, DIAG_WARNING, 0, 0, SPAN_EMPTY, "CROWN NONE",
		          "Going for the CROWN stands above your %s, which stays on the table.",
		          park_die_names[die]);
}
