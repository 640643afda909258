/*
 * guess.c - what lines that are no orders of Mole Park may have meant.
 *
 * A die is a ROLL, shops in a row are PRIZES, and "not the crown" is CROWN NONE.
 */
#include <string.h>

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

/* How many words back a "not" still counts, and an "if". */
enum { SENTENCE = 8, IF_WORDS = 12 };

enum part { ROLLS, CLAIM, WISHES, DISCARDS, FAVOURS, PARTS };

/* What the tokens say, kind by kind. */
struct draft {
	const struct game_state *state;
	const struct loose_text *text;
	struct strbuf parts[PARTS];
	int die; /* rolled plainly, -1 = none */
	bool names_die, denies_crown;
	bool says_roll;   /* in any language */
	bool wishes_end;  /* with NONE */
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
		if (loose_is(&text->items[i],
		             IF)) /* what stands before "unless" is done plainly */
			found_if = !span_eq_str(text->items[i].text, "unless");
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

/* "Kings as prize, nothing else": the last word of the game before it is a shop. */
static bool ends_shops(const struct loose_text *text, size_t i)
{
	while (i-- > 0)
		if (text->items[i].kind == LOOSE_KNOWN && text->items[i].code != PRIZE &&
		    text->items[i].code != PRIZES)
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

/* The player of whom the token is the name, 0 = none. */
static unsigned seat_of(const struct game_state *s, const struct loose_token *t)
{
	for (unsigned seat = 1; seat <= s->nseats; seat++)
		if (loose_is_name(t, s->seats[seat].name.text))
			return seat;
	return 0;
}

static void add_die(struct draft *d, size_t i)
{
	int die = d->text->items[i].code;
	bool plainly = !if_crown(d->text, i);

	if ((die == PRIZE && leads_shops(d->text, i)) ||
	    (plainly && die == d->die)) /* "the frying pan" */
		return;
	d->contradicts = d->contradicts || (plainly && d->die >= 0);
	d->die = plainly ? die : d->die;
	d->names_die = true;
	strbuf_addf(&d->parts[ROLLS], "%sROLL %s%s", d->parts[ROLLS].len ? "; " : "",
	            park_die_keys[die + 1], plainly ? "" : " IF CROWN");
}

static void add_crown(struct draft *d, size_t i)
{
	struct strbuf *claim = &d->parts[CLAIM];
	bool denied = loose_is_turned(d->text, i, SENTENCE), found_if = false;

	if (is_condition(d->text, i))
		return;
	d->contradicts = d->contradicts || (claim->len > 0 && denied != d->denies_crown);
	d->denies_crown = denied;
	strbuf_clear(claim);
	strbuf_adds(claim, denied ? "CROWN NONE" : "CROWN");
	for (i++; claim->len == strlen("CROWN") && d->text->items[i].kind != LOOSE_BREAK; i++) {
		const struct loose_token *t = &d->text->items[i];
		unsigned seat = seat_of(d->state, t);

		found_if = found_if || loose_is(t, IF);
		if (loose_is(t, NONE))
			strbuf_adds(claim, " NONE");
		else if (found_if && loose_is(t, ANY))
			strbuf_adds(claim, " IF ANY");
		else if (found_if && seat)
			strbuf_addf(claim, " IF %s", d->state->seats[seat].name.text);
	}
}

/* A list of players, perhaps beside orders: what FAVOUR takes. A single name is a signature. */
static bool names_only(const struct loose_text *text, const struct game_state *s)
{
	unsigned players = 0;

	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];

		if (t->kind == LOOSE_BREAK || t->kind == LOOSE_KNOWN)
			continue;
		if (!seat_of(s, t))
			return false;
		players++;
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

/* "If there is a prize for me, toys": what is wanted is taken in no other case. */
static bool is_of_shops(const struct loose_text *text, size_t i)
{
	for (i++; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];

		if (t->kind == LOOSE_KNOWN && t->code != PRIZE && t->code != PRIZES)
			return is_shop(t);
	}
	return false;
}

static void read_token(struct draft *d, size_t i)
{
	const struct loose_text *text = d->text;
	const struct loose_token *t = &text->items[i], *end = &text->items[text->count];
	struct strbuf *part = d->parts;

	if (t->kind != LOOSE_KNOWN)
		return;
	d->says_roll = d->says_roll || (t->code == ROLL && t->exact);
	if (t->code == IF && says_no_more_than_prizes(text, i))
		return;
	if (t->code == IF &&
	    (is_of_discard(text, i) || is_of_shops(text, i))) /* done in no other case */
		return;
	if ((t->code == PRIZE || t->code == PRIZES) && !loose_is(t + 1, ROLL) &&
	    (loose_is_turned(text, i, SENTENCE) ||
	     (i > 1 && t[-1].kind != LOOSE_BREAK && loose_is(t - 2, NONE)) ||
	     (i > 0 && loose_is(t - 1, NONE)))) { /* "I don't want any prize" */
		if (part[WISHES].len == 0)
			strbuf_adds(&part[WISHES], "PRIZES NONE");
	} else if (t->code == NONE && ends_shops(text, i)) {
		if (!d->wishes_end)
			strbuf_adds(&part[WISHES], " NONE");
		d->wishes_end = true;
	} else if ((t->code == IF &&
	            !is_of_crown(text, i)) || /* a condition that is not known */
	           (t->code == NONE && part[WISHES].len == 0 && leads_shops(text, i))) {
		d->contradicts = true;
	} else if (t->code == CROWN) {
		add_crown(d, i);
	} else if (loose_is_turned(text, i, 2) || (t->code == ROLL && loose_is(t + 1, NONE))) {
		if (t->code == ROLL && part[ROLLS].len == 0)
			strbuf_adds(&part[ROLLS], "ROLL NONE");
	} else if (t->code < DICE) {
		add_die(d, i);
	} else if (is_shop(t)) {
		strbuf_addf(&part[WISHES], "%s %s", part[WISHES].len ? "" : "PRIZES",
		            park_shops[t->code - CANDY].key);
	} else if (t->code == LOW || t->code == HIGH) {
		strbuf_clear(&part[DISCARDS]);
		strbuf_adds(&part[DISCARDS], t->code == LOW ? "DISCARD LOW" : "DISCARD HIGH");
	} else if (t->code == FAVOUR) {
		struct strbuf *favour = &d->parts[FAVOURS];

		strbuf_clear(favour);
		for (i++; d->text->items[i].kind != LOOSE_BREAK; i++) {
			unsigned seat = seat_of(d->state, &d->text->items[i]);

			if (seat)
				strbuf_addf(favour, "%s %s", favour->len ? "" : "FAVOUR",
				            d->state->seats[seat].name.text);
		}
	} else if (t->code == STYLE) {
		d->contradicts = d->contradicts || !loose_is(t + 1, NONE);
	} else if (t->code == DISCARD) {
		strbuf_clear(&part[DISCARDS]);
		for (t++; t->kind == LOOSE_NUMBER || t->kind == LOOSE_OTHER ||
		          (t->kind == LOOSE_BREAK && !t->number && t < end);
		     t++) /* "1, then 3" */
			if (t->kind == LOOSE_NUMBER)
				strbuf_addf(&part[DISCARDS], "%s %u",
				            part[DISCARDS].len ? "" : "DISCARD", t->number);
	}
}

static void guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                  struct order_guesses *out)
{
	static const char *const plain[] = {"roll",   "crown", "prizes", "discard",
	                                    "favour", "favor", "style",  NULL};
	struct draft d = {.state = s, .text = text, .die = -1};
	struct strbuf all = STRBUF_INIT;

	(void)seat;
	for (int p = 0; p < PARTS; p++)
		strbuf_init(&d.parts[p]);
	for (size_t i = 0; i < text->count; i++)
		read_token(&d, i);
	for (int p = 0; p < PARTS; p++) {
		if (d.parts[p].len)
			strbuf_addf(&all, "%s%s", all.len ? "; " : "", d.parts[p].ptr);
		strbuf_release(&d.parts[p]);
	}
	out->plain = names_only(text, s);
	out->meant = all.len > 0 || out->plain;
	out->plain = out->plain ||
	             (all.len > 0 && !text->asks &&
	              ((d.says_roll && d.names_die) || loose_has_word(text, plain)));
	if (!d.contradicts)
		order_guess_add(out, strbuf_span(&all));
	strbuf_release(&all);
}

const struct loose_language park_loose = {.words = words,
                                          .nwords = sizeof words / sizeof *words,
                                          .slot_of = slot_of,
                                          .condition = IF,
                                          .about = CROWN,
                                          .nothing = NONE,
                                          .guess = guess};
