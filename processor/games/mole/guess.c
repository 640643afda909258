/*
 * guess.c - what lines that are no orders of Mole (the coin game) may have meant.
 *
 * A flick is one coin or several and two numbers, with a third one its range; who has the mole need not name it. In
 * the place of the numbers may stand the mole, "the same", or a way from where the coin lies ("40 mm to the left").
 */
#include "processor/games/decoration.h"
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
	ALL,
	REST,
	FULL, /* "as hard as you can" */
	HALF,
	SAME,
	TO_REAR,
	TO_WIN,
	WHERE /* "leave it where it is": it stays, but below orders such a line is talk */
};

static const struct loose_word words[] = {
#define WORD(word, code) {word, code},
#include "processor/games/mole/words.inc"
#undef WORD
};

enum {
	NUMBERS_MOST = 3,
	PERCENT = 100,
	SENTENCE = 8 /* words: "I concede the round" */
};

/* The turn as it is put together, one order at a time. */
struct draft {
	const struct game_state *state;
	struct strbuf text, call;      /* TAUPINIERE stands first */
	bool has_mole;                 /* whose side is to play */
	int verb;                      /* of the order in hand, -1 = none */
	unsigned coins, placed;        /* sets: named; placed last */
	unsigned used, laid;           /* of all that have an order; all placed */
	int64_t numbers[NUMBERS_MOST]; /* x, y and, without its word, the range */
	unsigned n;
	int64_t last[NUMBERS_MOST]; /* of the flick before */
	unsigned nlast;
	int64_t range_nm; /* 0 = not named */
	bool range;       /* the next number is one */
	unsigned percent; /* of the longest range; 0 = not said */
	int dx, dy;       /* the one number counts from where the coin lies */
	bool same;        /* as the flick before */
	bool aimed;       /* the numbers are those of the mole */
	unsigned orders;
	bool flicks; /* a word for FLICK or PLACE, or a coin, with what belongs to it */
	bool stay;   /* without a coin: all that have no order */
	bool astray; /* a place, and no coin for it */
};

static void add_order(struct draft *d, unsigned coin)
{
	const struct mole_coin *at = &d->state->now.coins.coin[coin];
	int64_t numbers[NUMBERS_MOST] = {d->numbers[0], d->numbers[1], d->numbers[2]};
	static const char *const between[NUMBERS_MOST] = {" ", " ", " RANGE "};
	unsigned n = d->n;

	strbuf_addf(&d->text, "%s%s ", d->text.len ? "; " : "",
	            d->verb == FLICK   ? "FLICK"
	            : d->verb == PLACE ? "PLACE"
	                               : "NASDAQ");
	if (coin == MOLE)
		strbuf_addc(&d->text, 'M');
	else
		strbuf_addf(&d->text, "%u", coin);
	d->orders++;
	if (d->verb == NASDAQ)
		return;
	if (n == 1) {
		numbers[0] = mole_nm(at->x) + d->dx * d->numbers[0];
		numbers[1] = mole_nm(at->y) + d->dy * d->numbers[0];
		n = 2;
	}
	strbuf_adds(&d->text, d->verb == FLICK ? " TO" : "");
	if (n == 2 && d->range_nm > 0)
		numbers[n++] = d->range_nm;
	for (unsigned i = 0; i < n && i < NUMBERS_MOST; i++) {
		strbuf_adds(&d->text, between[i]);
		mole_add_mm(&d->text, numbers[i]);
	}
}

static bool has_target(const struct draft *d)
{
	return d->n >= 2 || (d->n == 1 && (d->dx != 0 || d->dy != 0));
}

static void end_order(struct draft *d)
{
	bool named = d->verb >= 0 || d->coins != 0;
	int64_t most = d->state->setup.range[d->state->now.side];

	if (d->same && d->coins != 0 && d->n == 0 && d->verb != NASDAQ) {
		for (d->n = 0; d->n < d->nlast; d->n++)
			d->numbers[d->n] = d->last[d->n];
		d->verb = FLICK;
	}
	if (d->percent > 0 && d->range_nm == 0)
		d->range_nm = most / PERCENT * d->percent;
	bool aims = d->verb == FLICK || d->verb == PLACE || (d->verb < 0 && has_target(d));

	if (d->coins == 0 && d->has_mole && aims)
		d->coins = 1u << MOLE;
	if (d->coins == 0 && d->verb == FLICK) /* "place 1 at 100 350 and flick it to ..." */
		d->coins = d->placed;
	for (unsigned coin = MOLE + 1; d->verb == PLACE && d->coins == 0 && coin < MOLE_COINS;
	     coin++)
		d->coins = d->laid & 1u << coin
		               ? 0
		               : 1u << coin; /* "at 80 350, 150 350 and 220 350" */
	d->stay = d->stay || (d->verb == NASDAQ && d->coins == 0);
	if (d->verb < 0 && has_target(d))
		d->verb = FLICK;
	if ((aims && has_target(d) && d->coins != 0) || (d->verb == NASDAQ && d->coins != 0)) {
		for (unsigned coin = 0; coin < MOLE_COINS; coin++)
			if (d->coins & 1u << coin)
				add_order(d, coin);
		d->flicks = d->flicks || named;
		*(d->verb == PLACE ? &d->laid : &d->used) |= d->coins;
		if (d->verb == FLICK) {
			for (unsigned i = 0; i < NUMBERS_MOST; i++)
				d->last[i] = d->numbers[i];
			d->nlast = d->n;
			if (d->n == 2 && d->range_nm > 0)
				d->last[d->nlast++] = d->range_nm;
		}
	}
	d->astray = d->astray || (d->n >= 2 && d->coins == 0);
	d->placed = d->verb == PLACE ? d->coins : 0;
	d->verb = -1;
	d->coins = d->n = d->percent = 0;
	d->dx = d->dy = 0;
	d->range_nm = 0;
	d->range = d->same = d->aimed = false;
}

static bool is_complete(const struct draft *d)
{
	return has_target(d) || (d->verb == NASDAQ && d->coins != 0);
}

/* `joined`: by "and" to the one before, which goes the same way. */
static void name_coins(struct draft *d, unsigned coins, bool joined)
{
	if (is_complete(d) || (d->coins != 0 && !joined))
		end_order(d);
	d->coins |= coins;
}

static void add_number(struct draft *d, int64_t nm, bool behind_noun, bool joined)
{
	int64_t mm = nm / MOLE_MM;
	bool may_be_coin = !d->has_mole && nm % MOLE_MM == 0 && mm >= 1 && mm < MOLE_COINS;

	if (d->range) {
		d->range_nm = nm;
		d->range = false;
	} else if (may_be_coin && (behind_noun || joined || d->coins == 0 || is_complete(d))) {
		name_coins(d, 1u << mm, joined);
	} else {
		if (d->verb == PLACE && d->n == 2) {
			end_order(d);
			d->verb = PLACE;
		}
		d->n = d->aimed ? 0 : d->n;
		d->aimed = false;
		if (d->n < NUMBERS_MOST)
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

	struct span unit = span_slice(word, word.len > 2 ? word.len - 2 : word.len, word.len);
	bool cm = span_eq_str(unit, "cm") ||
	          (t[1].kind == LOOSE_OTHER && span_starts(t[1].text, "centim")) ||
	          span_eq_str(t[1].text, "cm");

	if (span_eq_str(unit, "mm") || span_eq_str(unit, "cm"))
		word.len -= 2;
	if (!mole_parse_mm(word, nm)) {
		if (t->kind != LOOSE_NUMBER)
			return false;
		*nm = (int64_t)t->number * MOLE_MM;
	}
	*nm *= (*before == '-' ? -1 : 1) * (cm ? 10 : 1);
	return true;
}

/* "The others": those that have no order yet; "all three". */
static unsigned coins_of(const struct draft *d, int code)
{
	unsigned set = 0;

	for (unsigned coin = MOLE + 1; coin < MOLE_COINS && !d->has_mole; coin++)
		if (d->state->now.coins.coin[coin].on &&
		    (code == ALL ||
		     !((d->used | (is_complete(d) ? d->coins : 0)) & 1u << coin)))
			set |= 1u << coin;
	return set;
}

/* "At the mole" */
static void aim_at_mole(struct draft *d)
{
	const struct mole_coin *mole = &d->state->now.coins.coin[MOLE];

	if (d->n > 0 || d->verb == PLACE || !mole->on)
		return;
	d->numbers[d->n++] = mole_nm(mole->x);
	d->numbers[d->n++] = mole_nm(mole->y);
	d->aimed = true;
}

static void add_known(struct draft *d, int code, bool joined)
{
	switch ((enum code)code) {
	case FLICK:
	case PLACE:
	case NASDAQ:
	case WHERE:
		if (is_complete(d) ? !d->aimed : d->verb >= 0)
			end_order(d);
		if (!d->aimed) /* "you are 2 down" */
			d->n = 0;
		d->verb = code == WHERE ? NASDAQ : code;
		break;
	case TAUPINIERE:
		strbuf_clear(&d->call);
		strbuf_adds(&d->call, "TAUPINIERE");
		break;
	case RANGE:
		d->range = true;
		break;
	case FULL:
	case HALF:
		d->percent = code == FULL ? PERCENT : PERCENT / 2;
		break;
	case SAME:
		if (is_complete(d))
			end_order(d);
		d->same = true;
		break;
	case ALL:
	case REST:
		if (coins_of(d, code) != 0)
			name_coins(d, coins_of(d, code), false);
		break;
	case TO_REAR:
	case TO_WIN:
		d->dx = 0;
		d->dy = code == TO_WIN ? 1 : -1;
		break;
	case THE_MOLE:
		if (d->has_mole)
			name_coins(d, 1u << MOLE, false);
		break;
	case FIRST:
	case SECOND:
	case THIRD:
		if (!d->has_mole)
			name_coins(d, 1u << (code - FIRST + 1), joined);
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

/* "Coins 1 and 3", "1, 2 and 3" */
static bool is_joined(const struct loose_text *text, size_t i)
{
	return i > 1 &&
	       (text->items[i - 1].kind == LOOSE_BREAK ||
	        loose_is_and(text->items[i - 1].text)) &&
	       text->items[i - 2].kind == LOOSE_NUMBER &&
	       text->items[i - 2].number < MOLE_COINS;
}

/* "40 to the left", of a coin that is named. */
static bool add_way(struct draft *d, const struct loose_token *t)
{
	int dx, dy;
	bool own;

	if (d->n >= 2 || !loose_direction(t->text, &dx, &dy, &own))
		return false;
	d->dx = dx;
	d->dy = own && !d->has_mole ? -dy : dy;
	return true;
}

static void read_tokens(struct draft *d, const struct loose_text *text, bool *concedes)
{
	int64_t nm, y;

	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];

		if (t->kind == LOOSE_BREAK || loose_is_turned(text, i, 2))
			continue;
		if (add_way(d, t))
			continue;
		if (d->percent && leads_to(t->text)) /* "with full force to 150 130" */
			d->range = false;
		/* "all three", "the other two", "the right side" */
		if (t->kind == LOOSE_NUMBER && i > 0 &&
		    (loose_is(t - 1, ALL) || loose_is(t - 1, REST)))
			continue;
		if (t->kind == LOOSE_NUMBER && t->written.ptr[t->written.len] == '%') {
			d->percent = t->number <= PERCENT ? t->number : 0;
			continue;
		}
		if (loose_is(t, NASDAQ) && i > 0 && loose_is(&text->items[i - 1], NASDAQ))
			continue; /* "bleibt stehen" */
		/* "First 1 to 140 150", "3 to 160 150 first" */
		if ((loose_is(t, FIRST) || span_eq_str(t->text, "first")) &&
		    (t[1].kind == LOOSE_NUMBER ||
		     (t[1].kind == LOOSE_BREAK && i > 0 && t[-1].kind == LOOSE_NUMBER)))
			continue;
		if (t->kind == LOOSE_KNOWN) {
			*concedes = *concedes ||
			            (t->code == CONCEDE && loose_sentence(text, i) < SENTENCE);
			/* "with all I have"; "max" without a number behind it */
			bool with = t->code == ALL && i > 0 && span_eq_str(t[-1].text, "with");
			bool most = t->code == RANGE && *t->text.ptr == 'm' &&
			            t[1].kind == LOOSE_BREAK;

			if (loose_is(t, THE_MOLE) && !d->has_mole && t->text.len > 1)
				aim_at_mole(d);
			bool rests = t->code == REST && i > 0 && /* "let 2 rest" */
			             t[-1].slot == LOOSE_SLOT_NAME;

			add_known(d,
			          with || most ? FULL
			          : rests      ? NASDAQ
			                       : t->code,
			          is_joined(text, i));
		} else if ((t->kind == LOOSE_NUMBER &&
		            !(*t->text.ptr >= '0' && *t->text.ptr <= '9') &&
		            t->number < MOLE_COINS) &&
		           (d->has_mole ||
		            (d->coins != 0 && !is_complete(d) && !is_joined(text, i) &&
		             !loose_is(&text->items[i - 1], COIN)))) {
			continue; /* "the big one" */
		} else if (read_mm(t, &nm)) {
			add_number(d, nm, i > 0 && loose_is(&text->items[i - 1], COIN),
			           is_joined(text, i));
		} else if (read_pair(t->text, &nm, &y)) {
			add_number(d, nm, false, false);
			add_number(d, y, false, false);
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

static void guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                  struct order_guesses *out)
{
	struct draft d = {.state = s, .text = STRBUF_INIT, .call = STRBUF_INIT, .verb = -1};
	bool concedes = false;

	(void)seat;
	d.has_mole = s->now.side == SIDE_MOLE;
	read_tokens(&d, text, &concedes);
	concedes = concedes || gives_up_round(text);
	if (d.orders == 0 && !d.astray && !concedes && !text->asks &&
	    (d.stay || loose_declines(text)))
		add_stay(&d, &s->now.coins);
	out->meant = d.orders > 0 || d.call.len > 0 || concedes;
	out->plain = (d.flicks || d.call.len > 0 || concedes);
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
}

const struct loose_language mole_loose = {.words = words,
                                          .nwords = sizeof words / sizeof *words,
                                          .names = MOLE_COINS - 1,
                                          .declines = NASDAQ,
                                          .guess = guess};
