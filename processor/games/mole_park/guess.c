/*
 * guess.c - what lines that are no orders of Mole Park may have meant.
 *
 * A die is a ROLL, shops in a row are PRIZES, and "not the crown" is CROWN NONE.
 */
#include "processor/games/loose.h"
#include "processor/games/mole_park/park.h"

enum code {
	GLOVE,
	PAN,
	MALLET,
	PRIZE,
	DICE, /* dice first */
	CANDY = DICE,
	TOYS,
	INFLATION,
	FURRY,
	ACTION,
	KINGS,
	SHOPS_END, /* then shops */
	ROLL = SHOPS_END,
	CROWN,
	PRIZES,
	DISCARD,
	LOW,
	HIGH,
	IF,
	ANY,
	NONE,
	FAVOUR,
	STYLE
};

static const struct loose_word words[] = {
#define WORD(word, code) {word, code},
#include "processor/games/mole_park/words.inc"
#undef WORD
};

enum { DIE_SLOT = 2, SHOP_SLOT, END_SLOT };

static unsigned slot_of(int code)
{
	return code < DICE                   ? DIE_SLOT
	       : code < SHOPS_END            ? SHOP_SLOT
	       : code == LOW || code == HIGH ? END_SLOT
	                                     : 0;
}

static const struct loose_language language = {
    .words = words, .nwords = sizeof words / sizeof *words, .slot_of = slot_of};
static const char *const names[SHOPS_END] = {"GLOVE", "PAN",       "MALLET", "PRIZE",  "CANDY",
                                             "TOYS",  "INFLATION", "FURRY",  "ACTION", "KINGS"};

/* How many words back a "not" still counts, and an "if". */
enum { SENTENCE = 8, IF_WORDS = 12 };

/* What the tokens say, kind by kind. */
struct draft {
	struct strbuf rolls, crown, prizes, discard, favour;
	unsigned nrolls, nshops;
	int die; /* rolled plainly */
	bool rolls_plainly, denies_crown;
	bool says_roll;   /* in any language */
	bool contradicts; /* two dice, or the crown both ways */
};

static bool is_shop(const struct loose_token *t)
{
	return t->kind == LOOSE_KNOWN && t->code >= CANDY && t->code < SHOPS_END;
}

/*
 * Whether "if crown" stands right behind, the words of a row without what says nothing; or before it, with "if"
 * at the head of the sentence: "if somebody goes for the crown, the prize die".
 */
static bool if_crown(const struct loose_text *text, size_t i)
{
	bool found_if = false, crown = false;

	for (size_t k = i; k-- > 0 && k + IF_WORDS > i;) {
		crown = crown || loose_is(&text->items[k], CROWN);
		if (crown && loose_is(&text->items[k], IF))
			return true;
		if (text->items[k].kind == LOOSE_KNOWN && text->items[k].code < SHOPS_END)
			break;
	}

	for (i++; i < text->count && text->items[i].kind != LOOSE_BREAK; i++) {
		if (found_if && loose_is(&text->items[i], CROWN))
			return true;
		if (loose_is(&text->items[i], IF))
			found_if = true;
		else if (text->items[i].kind == LOOSE_KNOWN &&
		         !loose_is(&text->items[i], ANY) && !loose_is(&text->items[i], ROLL))
			return false;
	}
	return false;
}

/* "Prize" is a die, but "prize: toys" names what is to be won. */
static bool leads_shops(const struct loose_text *text, size_t i)
{
	while (++i < text->count)
		if (text->items[i].kind == LOOSE_KNOWN)
			return is_shop(&text->items[i]);
	return false;
}

static bool is_condition(const struct loose_text *text, size_t i)
{
	for (unsigned back = 0;
	     i-- > 0 && back < IF_WORDS && text->items[i].kind != LOOSE_BREAK; back++)
		if (loose_is(&text->items[i], IF))
			return true;
	return false;
}

static void add_die(struct draft *d, const struct loose_text *text, size_t i)
{
	if (text->items[i].code == PRIZE && leads_shops(text, i))
		return;
	int die = text->items[i].code;
	bool plainly = !if_crown(text, i);

	if (plainly && d->rolls_plainly && die == d->die) /* "the frying pan" */
		return;
	d->contradicts = d->contradicts || (plainly && d->rolls_plainly);
	d->rolls_plainly = d->rolls_plainly || plainly;
	d->die = plainly ? die : d->die;
	strbuf_addf(&d->rolls, "%sROLL %s%s", d->rolls.len ? "; " : "",
	            names[text->items[i].code], if_crown(text, i) ? " IF CROWN" : "");
	d->nrolls++;
}

static void add_crown(struct draft *d, const struct game_state *s,
                      const struct loose_text *text, size_t i)
{
	if (is_condition(text, i))
		return;
	bool denied = loose_is_turned(text, i, SENTENCE);
	d->contradicts = d->contradicts || (d->crown.len > 0 && denied != d->denies_crown);
	d->denies_crown = denied;
	strbuf_clear(&d->crown);
	strbuf_adds(&d->crown, "CROWN");
	if (denied) {
		strbuf_adds(&d->crown, " NONE");
		return;
	}
	bool found_if = false;
	for (i++; i < text->count && text->items[i].kind != LOOSE_BREAK; i++) {
		const struct loose_token *t = &text->items[i];

		found_if = found_if || loose_is(t, IF);
		if (loose_is(t, NONE))
			strbuf_adds(&d->crown, " NONE");
		if (found_if && loose_is(t, ANY))
			strbuf_adds(&d->crown, " IF ANY");
		for (unsigned seat = 1; found_if && seat <= s->nseats; seat++)
			if (span_eq_nocase(t->written, s->seats[seat].name.text))
				strbuf_addf(&d->crown, " IF %s", s->seats[seat].name.text);
		if (d->crown.len > sizeof "CROWN")
			return;
	}
}

/* The players named behind it, up to a comma. */
static void add_favour(struct draft *d, const struct game_state *s,
                       const struct loose_text *text, size_t i)
{
	strbuf_clear(&d->favour);
	for (i++; i < text->count && text->items[i].kind != LOOSE_BREAK; i++)
		for (unsigned seat = 1; seat <= s->nseats; seat++)
			if (span_eq_nocase(text->items[i].written, s->seats[seat].name.text))
				strbuf_addf(&d->favour, "%s %s", d->favour.len ? "" : "FAVOUR",
				            s->seats[seat].name.text);
}

/* A list of players, perhaps beside orders: what FAVOUR takes. A single name is a signature. */
static bool names_only(const struct loose_text *text, const struct game_state *s)
{
	unsigned players = 0;

	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];
		bool name = t->kind == LOOSE_BREAK || t->kind == LOOSE_KNOWN;

		for (unsigned seat = 1; seat <= s->nseats && !name; seat++) {
			name = span_eq_nocase(t->written, s->seats[seat].name.text);
			players += name;
		}
		if (!name)
			return false;
	}
	return players > 1;
}

/* "if crown", "crown if any" */
static bool is_of_crown(const struct loose_text *text, size_t i)
{
	for (size_t k = i + 1; k < text->count && text->items[k].kind != LOOSE_BREAK; k++)
		if (loose_is(&text->items[k], CROWN))
			return true;
	while (i-- > 0 && text->items[i].kind != LOOSE_BREAK)
		if (loose_is(&text->items[i], CROWN))
			return true;
	return false;
}

/* "If my hand is too full, drop the lowest" */
static bool is_of_discard(const struct loose_text *text, size_t i)
{
	for (size_t k = i + 1; k < text->count && k <= i + IF_WORDS; k++)
		if (text->items[k].kind == LOOSE_KNOWN && text->items[k].code >= DISCARD &&
		    text->items[k].code <= HIGH)
			return true;
	return false;
}

/* "If possible", "if I win": prizes are taken so anyway. "Let's see if luck is with me" is talk. */
static bool says_no_more_than_prizes(const struct loose_text *text, size_t i)
{
	static const char *const known[] = {"possible", "win",   "available", "there",
	                                    "gewinne",  "gagne", "gano",      "vinco"};
	size_t most = i + 3;

	if (i > 0 && span_eq_str(text->items[i - 1].text, "see")) /* "let's see if" */
		return true;
	for (i++; i <= most && text->items[i].kind != LOOSE_BREAK; i++)
		if (span_in_nocase(text->items[i].text, known, sizeof known / sizeof *known))
			return true;
	return false;
}

static void read_token(struct draft *d, const struct game_state *s,
                       const struct loose_text *text, size_t i)
{
	const struct loose_token *t = &text->items[i];

	if (t->kind != LOOSE_KNOWN)
		return;
	d->says_roll = d->says_roll || (t->code == ROLL && t->exact);
	if (t->code == IF && says_no_more_than_prizes(text, i))
		return;
	if (t->code == IF && is_of_discard(text, i)) /* it is done in no other case */
		return;
	if (t->code == IF && !is_of_crown(text, i)) {
		d->contradicts = true; /* a condition that is not known */
	} else if (t->code == NONE && d->nshops == 0 && leads_shops(text, i)) {
		d->contradicts = true;
	} else if (t->code == CROWN) {
		add_crown(d, s, text, i);
	} else if (t->code == ROLL && loose_is(t + 1, NONE)) {
		if (d->rolls.len == 0)
			strbuf_adds(&d->rolls, "ROLL NONE");
	} else if (loose_is_turned(text, i, 2)) {
		if (t->code == ROLL && d->rolls.len == 0)
			strbuf_adds(&d->rolls, "ROLL NONE");
	} else if (t->code < DICE) {
		add_die(d, text, i);
	} else if (is_shop(t)) {
		strbuf_addf(&d->prizes, "%s %s", d->prizes.len ? "" : "PRIZES", names[t->code]);
		d->nshops++;
	} else if (t->code == LOW || t->code == HIGH) {
		strbuf_clear(&d->discard);
		strbuf_adds(&d->discard, t->code == LOW ? "DISCARD LOW" : "DISCARD HIGH");
	} else if (t->code == FAVOUR) {
		add_favour(d, s, text, i);
	} else if (t->code == STYLE) {
		d->contradicts = d->contradicts || !loose_is(&text->items[i + 1], NONE);
	} else if (t->code == DISCARD) {
		for (size_t k = i + 1; k < text->count && text->items[k].kind == LOOSE_NUMBER;
		     k++)
			strbuf_addf(&d->discard, "%s %u", d->discard.len ? "" : "DISCARD",
			            text->items[k].number);
	}
}

void park_guess_orders(const struct game_state *s, unsigned seat, struct span text,
                       struct order_guesses *out)
{
	static const char *const plain[] = {"roll",   "crown", "prizes", "discard",
	                                    "favour", "favor", "style",  NULL};
	struct draft d = {.rolls = STRBUF_INIT,
	                  .crown = STRBUF_INIT,
	                  .prizes = STRBUF_INIT,
	                  .discard = STRBUF_INIT,
	                  .favour = STRBUF_INIT};
	struct strbuf all = STRBUF_INIT;
	struct loose_text loose;

	(void)seat;
	loose_read(text, &language, &loose);
	out->words = loose.known;
	out->asks = loose.asks;
	for (size_t i = 0; i < loose.count; i++)
		read_token(&d, s, &loose, i);
	const struct strbuf *const parts[] = {&d.rolls, &d.crown, &d.prizes, &d.discard,
	                                      &d.favour};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i]->len)
			strbuf_addf(&all, "%s%s", all.len ? "; " : "", parts[i]->ptr);
	out->meant = all.len > 0 || names_only(&loose, s);
	out->plain = names_only(&loose, s);
	out->plain = out->plain ||
	             (out->meant && !loose.asks &&
	              ((d.says_roll && d.nrolls > 0) || loose_has_word(&loose, plain)));
	if (!d.contradicts)
		order_guess_add(out, strbuf_span(&all));
	strbuf_release(&all);
	strbuf_release(&d.rolls);
	strbuf_release(&d.crown);
	strbuf_release(&d.prizes);
	strbuf_release(&d.discard);
	strbuf_release(&d.favour);
	loose_release(&loose);
}
