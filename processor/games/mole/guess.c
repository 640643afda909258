/*
 * guess.c - what lines that are no orders of Mole (the coin game) may have meant.
 *
 * A flick is a coin and two numbers, with a third one its range; who has the mole need not name it.
 */
#include "processor/games/loose.h"
#include "processor/games/mole/mole.h"

enum code {
	FLICK,
	PLACE,
	NASDAQ,
	TAUPINIERE,
	CONCEDE,
	RANGE,
	THE_MOLE,
	COIN,
	UNIT,
	GIVE,
	UP,
	ROUND,
	FIRST,
	SECOND,
	THIRD,
	WHERE /* "leave it where it is": it stays, but below orders such a line is talk */
};

static const struct loose_word words[] = {
#define WORD(word, code) {word, code},
#include "processor/games/mole/words.inc"
#undef WORD
};

enum { COIN_SLOT = 2 };

static unsigned slot_of(int code)
{
	return code == THE_MOLE || (code >= FIRST && code <= THIRD) ? COIN_SLOT : 0;
}

static const struct loose_language language = {
    .words = words, .nwords = sizeof words / sizeof *words, .slot_of = slot_of};

enum {
	NUMBERS_MOST = 3,
	NO_COIN = MOLE_COINS,
	SENTENCE = 8 /* words: "I concede the round" */
};

/* The turn as it is put together, one order at a time. */
struct draft {
	struct strbuf text, call;      /* TAUPINIERE stands first */
	bool has_mole;                 /* whose side is to play */
	int verb;                      /* of the order in hand, -1 = none */
	unsigned coin, placed;         /* NO_COIN = not named; the last one that was placed */
	int64_t numbers[NUMBERS_MOST]; /* x, y and, without its word, the range */
	unsigned n;
	int64_t range_nm; /* 0 = not named */
	bool range;       /* the next number is one */
	unsigned orders;
	bool flicks; /* a word for FLICK or PLACE, or a coin, with what belongs to it */
	bool stay;   /* without a coin: all that have no order */
	bool astray; /* a place, and no coin for it */
};

static void add_numbers(struct draft *d)
{
	static const char *const between[NUMBERS_MOST] = {" ", " ", " RANGE "};

	if (d->verb == FLICK)
		strbuf_adds(&d->text, " TO");
	if (d->n == 2 && d->range_nm > 0)
		d->numbers[d->n++] = d->range_nm;
	for (unsigned i = 0; i < d->n && i < NUMBERS_MOST; i++) {
		strbuf_adds(&d->text, between[i]);
		mole_add_mm(&d->text, d->numbers[i]);
	}
	d->range_nm = 0;
}

static void end_order(struct draft *d)
{
	bool named = d->verb >= 0 || d->coin != NO_COIN;
	bool aims = d->verb == FLICK || d->verb == PLACE || (d->verb < 0 && d->n >= 2);

	if (d->coin == NO_COIN && d->has_mole && aims)
		d->coin = MOLE;
	if (d->coin == NO_COIN &&
	    d->verb == FLICK) /* "place 1 at 100 350 and flick it to ..." */
		d->coin = d->placed;
	d->stay = d->stay || (d->verb == NASDAQ && d->coin == NO_COIN);
	if (d->verb < 0 && d->n >= 2)
		d->verb = FLICK;
	if ((aims && d->n >= 2 && d->coin != NO_COIN) ||
	    (d->verb == NASDAQ && d->coin != NO_COIN)) {
		strbuf_addf(&d->text, "%s%s ", d->text.len ? "; " : "",
		            d->verb == FLICK   ? "FLICK"
		            : d->verb == PLACE ? "PLACE"
		                               : "NASDAQ");
		if (d->coin == MOLE)
			strbuf_addc(&d->text, 'M');
		else
			strbuf_addf(&d->text, "%u", d->coin);
		if (aims)
			add_numbers(d);
		d->flicks = d->flicks || named;
		d->orders++;
	}
	d->astray = d->astray || (d->n >= 2 && d->coin == NO_COIN);
	d->placed = d->verb == PLACE ? d->coin : NO_COIN;
	d->verb = -1;
	d->coin = NO_COIN;
	d->n = 0;
	d->range = false;
}

static bool is_complete(const struct draft *d)
{
	return d->n >= 2 || (d->verb == NASDAQ && d->coin != NO_COIN);
}

static void name_coin(struct draft *d, unsigned coin)
{
	if (is_complete(d) || d->coin != NO_COIN)
		end_order(d);
	d->coin = coin;
}

static void add_number(struct draft *d, int64_t nm, bool behind_noun)
{
	int64_t mm = nm / MOLE_MM;
	bool may_be_coin = !d->has_mole && nm % MOLE_MM == 0 && mm >= 1 && mm < MOLE_COINS;

	if (d->range) {
		d->range_nm = nm;
		d->range = false;
	} else if (may_be_coin && (behind_noun || d->coin == NO_COIN || is_complete(d))) {
		name_coin(d, (unsigned)mm);
	} else if (d->n < NUMBERS_MOST) {
		d->numbers[d->n++] = nm;
	}
}

/* "150x230" */
static bool read_pair(struct span word, int64_t *x, int64_t *y)
{
	size_t at = span_find_char(word, 'x');

	return at < word.len && mole_parse_mm(span_slice(word, 0, at), x) &&
	       mole_parse_mm(span_slice(word, at + 1, word.len), y);
}

/* Millimetres, with the sign that may stand before the word. */
static bool read_mm(const struct loose_token *t, int64_t *nm)
{
	struct span word = t->text;
	const char *before = t->written.ptr - 1;

	if (word.len > 2 && span_eq_str(span_slice(word, word.len - 2, word.len), "mm"))
		word.len -= 2;
	if (!mole_parse_mm(word, nm)) {
		if (t->kind != LOOSE_NUMBER)
			return false;
		*nm = (int64_t)t->number * MOLE_MM;
	}
	if (*before == '-')
		*nm = -*nm;
	return true;
}

static void add_known(struct draft *d, int code)
{
	switch ((enum code)code) {
	case FLICK:
	case PLACE:
	case NASDAQ:
	case WHERE:
		if (is_complete(d) || d->verb >= 0)
			end_order(d);
		d->n = 0; /* "you are 2 down" */
		d->verb = code == WHERE ? NASDAQ : code;
		break;
	case TAUPINIERE:
		strbuf_clear(&d->call);
		strbuf_adds(&d->call, "TAUPINIERE");
		break;
	case RANGE:
		d->range = true;
		break;
	case THE_MOLE: /* "m1" is a mignette */
		if (d->has_mole)
			name_coin(d, MOLE);
		break;
	case FIRST:
	case SECOND:
	case THIRD:
		if (!d->has_mole)
			name_coin(d, (unsigned)(code - FIRST + 1));
		break;
	case CONCEDE:
	case GIVE:
	case UP:
	case ROUND:
	case COIN:
	case UNIT:
		break;
	}
}

/* Nobody spells out a place: it is the number of a mignette, if it can be one. */
static bool is_number_word(const struct loose_token *t)
{
	return t->kind == LOOSE_NUMBER && !(*t->text.ptr >= '0' && *t->text.ptr <= '9');
}

static void read_tokens(struct draft *d, const struct loose_text *text, bool *concedes)
{
	int64_t nm, y;

	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];

		if (t->kind == LOOSE_BREAK || loose_is_turned(text, i, 2))
			continue;
		if (loose_is(t, NASDAQ) && i > 0 && loose_is(&text->items[i - 1], NASDAQ))
			continue; /* "bleibt stehen" */
		/* "First 1 to 140 150", "3 to 160 150 first" */
		if (loose_is(t, FIRST) &&
		    (t[1].kind == LOOSE_NUMBER ||
		     (t[1].kind == LOOSE_BREAK && i > 0 && t[-1].kind == LOOSE_NUMBER)))
			continue;
		if (t->kind == LOOSE_KNOWN) {
			*concedes = *concedes ||
			            (t->code == CONCEDE && loose_sentence(text, i) < SENTENCE);
			add_known(d, t->code);
		} else if (is_number_word(t) &&
		           (d->has_mole || (d->coin != NO_COIN && !is_complete(d)))) {
			continue; /* "the big one" */
		} else if (read_mm(t, &nm)) {
			add_number(d, nm, i > 0 && loose_is(&text->items[i - 1], COIN));
		} else if (read_pair(t->text, &nm, &y)) {
			add_number(d, nm, false);
			add_number(d, y, false);
		}
	}
	end_order(d);
}

/* "I give up the round": without the last word the game may be meant. */
static bool gives_up_round(const struct loose_text *text)
{
	bool found[3] = {false};

	for (size_t i = 0; i < text->count; i++) {
		for (int code = GIVE; code <= ROUND; code++)
			found[code - GIVE] = found[code - GIVE] ||
			                     loose_is(&text->items[i], code);
		if (found[0] && found[1] && found[2])
			return loose_sentence(text, i) < SENTENCE;
		if (text->items[i].kind == LOOSE_BREAK)
			found[0] = found[1] = found[2] = false;
	}
	return false;
}

/* One is named for all: the others stay, too. */
static void add_stay(struct draft *d, const struct mole_coins *coins)
{
	unsigned coin = MOLE + 1;

	while (coin < MOLE_COINS && !coins->coin[coin].on)
		coin++;
	if (d->has_mole)
		strbuf_adds(&d->text, "NASDAQ");
	else if (coin < MOLE_COINS)
		strbuf_addf(&d->text, "NASDAQ %u", coin);
	d->orders++;
}

bool mole_could_belong(struct span line)
{
	struct loose_text loose;
	bool found = false;
	int64_t nm;

	loose_read(line, &language, &loose);
	for (size_t i = 0; i < loose.count; i++) {
		const struct loose_token *t = &loose.items[i];

		found = found || (t->kind == LOOSE_KNOWN && t->exact && t->code != WHERE) ||
		        (t->kind != LOOSE_BREAK && t->kind != LOOSE_KNOWN && read_mm(t, &nm));
	}
	loose_release(&loose);
	return found;
}

void mole_guess_orders(const struct game_state *s, unsigned seat, struct span text,
                       struct order_guesses *out)
{
	struct draft d = {.text = STRBUF_INIT,
	                  .call = STRBUF_INIT,
	                  .verb = -1,
	                  .coin = NO_COIN,
	                  .placed = NO_COIN};
	struct loose_text loose;
	bool concedes = false;

	(void)seat;
	d.has_mole = s->now.side == SIDE_MOLE;
	loose_read(text, &language, &loose);
	out->words = loose.known;
	out->asks = loose.asks;
	read_tokens(&d, &loose, &concedes);
	concedes = concedes || gives_up_round(&loose);
	if (d.orders == 0 && !d.astray && !concedes && !loose.asks &&
	    (d.stay || loose_declines(&loose)))
		add_stay(&d, &s->now.coins);
	out->meant = d.orders > 0 || d.call.len > 0 || concedes;
	out->plain = !loose.asks && (d.flicks || d.call.len > 0 || concedes);
	if (d.text.len) {
		if (d.call.len) {
			strbuf_adds(&d.call, "; ");
			strbuf_add_span(&d.call, strbuf_span(&d.text));
		}
		order_guess_add(out, strbuf_span(d.call.len ? &d.call : &d.text));
	} else if (concedes) {
		order_guess_add(out, SPAN_LIT("CONCEDE"));
	}
	strbuf_release(&d.text);
	strbuf_release(&d.call);
	loose_release(&loose);
}
