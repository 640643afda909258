/*
 * guess.c - what lines that are no orders of Mole Majority may have meant.
 *
 * Words of seven languages become the verbs of the order language, small words fall away, two hexes
 * without a verb are a MOVE. When no card is named, each kind in the hand is tried.
 */
#include <string.h>

#include "processor/games/decoration.h"
#include "processor/games/loose.h"
#include "processor/games/mole_majority/clause.h"

/* The verbs are those of the rows. */
enum code {
	PLAY = VERB_PLAY,
	STACK = VERB_STACK,
	MOVE = STEP_MOVE,
	BREED = STEP_BREED,
	CONVERT = STEP_CONVERT,
	ROLL = STEP_ROLL,
	HOME = STEP_HOME,
	CAVEIN = STEP_CAVEIN,
	STEAL = STEP_STEAL,
	PLUS = STEP_PLUSROLL,
	DISCARD = VERB_DISCARD,
	PASS = VERB_PASS,
	NOUN = VERBS, /* says nothing */
	WITH,
	CW,
	CCW,
	EACH,
	CARD,   /* "hand", "cards" */
	WHOLE,  /* "all my", "the whole" */
	NUMBER, /* "the number 3" */
	KEEPER
};

static const struct loose_word words[] = {
#define WORD(word, code) {word, code},
#include "processor/games/mole_majority/words.inc"
#undef WORD
};

enum { FEW = 3, SENTENCE = 9 }; /* tokens: "ich passe.", "I'll throw my hand away" */

/* The turn as it is put together. */
struct draft {
	const struct game_state *state;
	unsigned seat;
	struct strbuf text;
	int verb;        /* of the clause in hand, -1 = none */
	unsigned places; /* in it */
	unsigned cards;  /* in it */
	unsigned clauses, all_places;
	unsigned waiting;   /* a number that belongs to the next hexes, 0 = none */
	unsigned between;   /* one that stands between two: "from b1 three to b2" */
	bool each;          /* "one mole each from b1 to a1, b2": all from the same hex */
	struct span origin; /* of the last MOVE */
	struct span source; /* the only hex that moles can leave, empty: there are several */
	bool plays;         /* a card was played */
	bool implied;       /* no word says what the clause in hand is */
	size_t begun;       /* where the clause in hand begins in the text */
	bool played_before; /* it */
	int verb_before;
};

/* A place, a card. */
static unsigned takes(struct span word)
{
	unsigned card;

	return mm_names_place(word) ? 1 : mm_card_parse(word, &card) ? 2 : 0;
}

/* "Nothing I can use, I discard", "your move": a verb that nothing follows was none. */
static void drop_bare(struct draft *d)
{
	/* "And a baby in D4", "einen in D4 züchten": a hex alone, for a move has two. */
	if (d->implied && d->verb == MOVE && d->places == 1 && d->all_places > 1) {
		struct strbuf hex = STRBUF_INIT;

		strbuf_adds(&hex, d->text.ptr + d->begun + strlen("; MOVE"));
		strbuf_truncate(&d->text, d->begun);
		strbuf_addf(&d->text, "; BREED%s", hex.ptr);
		strbuf_release(&hex);
		d->verb = BREED;
	}
	bool wants = d->verb == PLAY || d->verb == MOVE || d->verb == BREED ||
	             d->verb == CONVERT || d->verb == CAVEIN;

	if (!wants || d->cards > 0 || d->places > 0)
		return;
	strbuf_truncate(&d->text, d->begun);
	d->clauses--;
	d->plays = d->played_before;
	d->verb = d->verb_before;
}

static void begin(struct draft *d, int verb)
{
	drop_bare(d);
	d->begun = d->text.len;
	d->played_before = d->plays;
	d->verb_before = d->verb;
	strbuf_addf(&d->text, "%s%s", d->text.len ? "; " : "",
	            order_form_word(&mm_forms, (size_t)verb));
	d->verb = verb;
	d->implied = false;
	d->places = d->cards = 0;
	d->clauses++;
	d->plays = d->plays || verb == PLAY;
}

static void add_upper(struct draft *d, struct span word)
{
	strbuf_addc(&d->text, ' ');
	for (size_t i = 0; i < word.len; i++) {
		char c = word.ptr[i];
		strbuf_addc(&d->text, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
	}
}

static void add_card(struct draft *d, struct span card)
{
	bool leads = !d->plays && d->clauses > 0 && d->verb != STEAL;
	bool waits = (d->verb == PLAY || d->verb == STACK) && d->cards == 0;
	bool spent = d->verb == PLAY && d->cards == 1 && d->places == 0;

	if (d->verb == STEAL) {
		add_upper(d, card);
		return;
	}
	if (leads) { /* "move b1 b2 with N3" */
		struct strbuf steps = d->text;

		strbuf_init(&d->text);
		strbuf_adds(&d->text, "PLAY");
		add_upper(d, card);
		strbuf_addf(&d->text, "; %s", steps.ptr);
		strbuf_release(&steps);
		d->plays = true;
		return;
	}
	if (spent)
		strbuf_adds(&d->text, " WITH");
	else if (!waits)
		begin(d, d->plays ? STACK : PLAY);
	add_upper(d, card);
	d->cards++;
}

/* How many hexes a step has before the next one begins another. */
static unsigned most_places(int verb)
{
	return verb == MOVE ? 2 : verb == CAVEIN ? 4 : 1;
}

/* `leads_to`: "to" stands before it, so it is where a move ends. */
static void add_place(struct draft *d, struct span place, bool leads_to)
{
	if (d->verb < 0 || d->verb >= STEP_VERBS || d->places == most_places(d->verb)) {
		begin(d, d->verb < 0 || d->verb >= STEP_VERBS ? MOVE : d->verb);
		d->implied = true;
	}
	if (d->verb == MOVE && leads_to && d->origin.len == 0)
		d->origin = d->source;
	if (d->verb == MOVE && d->places == 0 && (d->each || leads_to) && d->origin.len > 0) {
		add_upper(d, d->origin);
		d->places = 1;
	} else if (d->verb == MOVE && d->places == 0) {
		d->origin = place;
	}
	if (d->waiting && d->verb == MOVE)
		d->between = d->waiting;
	else if (d->waiting && d->places == 0 && d->verb == BREED)
		strbuf_addf(&d->text, " %u", d->waiting);
	d->waiting = 0;
	add_upper(d, place);
	d->places++;
	d->all_places++;
	if (d->places < most_places(d->verb))
		return;
	if (d->between)
		strbuf_addf(&d->text, " %u", d->between);
	d->between = 0;
}

/* The only hex from which this seat can move, in the arena; empty: there are several. */
static struct span only_source(const struct game_state *s, unsigned seat, struct arena *arena)
{
	struct strbuf name = STRBUF_INIT;
	unsigned n = 0;

	for (unsigned hex = 0; hex < MM_HEXES; hex++)
		if (s->hexes[hex].claim == seat && mm_moles_on(&s->hexes[hex], seat) > 0) {
			strbuf_clear(&name);
			mm_add_hexes(&name, 1u << hex);
			n++;
		}
	struct span only = n == 1 ? arena_dup(arena, strbuf_span(&name)) : SPAN_EMPTY;
	strbuf_release(&name);
	return only;
}

/* "All my cards", "new cards": a hand that goes, where no card or hex is named. */
static bool gives_hand_away(const struct loose_text *text, size_t i)
{
	bool whole = false, named = false;

	for (; i > 0 && text->items[i - 1].kind != LOOSE_BREAK; i--)
		;
	for (; text->items[i].kind != LOOSE_BREAK; i++) {
		const struct loose_token *t = &text->items[i];

		whole = whole || loose_is(t, WHOLE) ||
		        (loose_is(t, BREED) && loose_is(t + 1, CARD));
		named = named || (t->kind == LOOSE_OTHER && t->slot > 0);
	}
	return whole && !named;
}

static bool stands_alone(int code)
{
	return code == PASS || code == DISCARD;
}

static void add_known(struct draft *d, const struct loose_text *text, size_t i)
{
	const struct loose_token *next = &text->items[i + 1];
	int code = text->items[i].code;

	if (code == CARD && !loose_is_turned(text, i, 3) && gives_hand_away(text, i)) {
		drop_bare(d);
		if (d->verb != DISCARD)
			begin(d, DISCARD);
		return;
	}
	if (code == KEEPER || (code == CONVERT && loose_is(next, CARD)) ||
	    (code == CAVEIN && loose_is(next, CARD))) {
		bool second = next->kind == LOOSE_NUMBER
		                  ? next->number == 2
		                  : mm_pile_count(&d->state->seats[d->seat].hand, CARD_GK1) ==
		                        0;
		add_card(d, span_of(code == CONVERT  ? "CV"
		                    : code == CAVEIN ? "CH"
		                    : second         ? "GK2"
		                                     : "GK1"));
		if (code == CAVEIN)
			begin(d, CAVEIN);
		return;
	}
	d->each = d->each || code == EACH;
	bool of_plus = code == ROLL && i > 0 && loose_is(&text->items[i - 1], PLUS);
	/* "home token", "new mole": one order each; so is "N4 spielen" */
	bool same = (d->verb == code && d->places == 0 && (d->cards == 0 || code == PLAY)) ||
	            of_plus;

	if (code == CW || code == CCW)
		strbuf_adds(&d->text, code == CW ? " CW" : " CCW");
	else if (code < VERBS && !same && !loose_is_turned(text, i, 2) &&
	         !(code == PASS && loose_is_of_rest(text, i)) &&
	         (!stands_alone(code) || loose_sentence(text, i) <= SENTENCE ||
	          text->known <= 3))
		begin(d, code);
}

static void add_number(struct draft *d, const struct loose_text *text, size_t i, unsigned n);

static void add_other(struct draft *d, const struct loose_text *text, size_t i)
{
	const struct loose_token *t = &text->items[i];
	unsigned card;

	if (mm_card_parse(t->text, &card))
		add_card(d, t->text);
	else if (mm_names_place(t->text) && t->written.len == 1 && d->verb == PLAY &&
	         d->cards == 0)
		add_number(d, text, i, (unsigned)(t->text.ptr[1] - '0')); /* "play a three" */
	else if (mm_names_place(t->text))
		add_place(d, t->text, i > 0 && leads_to(t[-1].text));
	else if (d->verb == STEAL ||
	         d->verb == CONVERT) /* else it is a signature, or "Ann passes" */
		for (unsigned seat = 1; seat <= d->state->nseats; seat++)
			if (loose_is_name(t, d->state->seats[seat].name.text))
				strbuf_addf(&d->text, " %s", d->state->seats[seat].name.text);
}

/* "x3", "3x", "twice" */
static bool read_times(struct span word, unsigned *n)
{
	static const char *const twice[] = {"twice", "zweimal", "tweemaal"};
	static const char *const thrice[] = {"thrice", "dreimal", "driemaal"};
	uint8_t count;

	*n = span_in_nocase(word, twice, sizeof twice / sizeof *twice)      ? 2
	     : span_in_nocase(word, thrice, sizeof thrice / sizeof *thrice) ? 3
	                                                                    : 0;
	if (*n > 0)
		return true;
	if (word.len != 2 || (word.ptr[0] != 'x' && word.ptr[1] != 'x'))
		return false;
	word = span_slice(word, word.ptr[0] == 'x', word.len - (word.ptr[0] != 'x'));
	*n = mm_read_count(word, &count) ? count : 0;
	return *n > 0;
}

/* Up to the next card or break. "x3" and "twice" never belong to them. */
static bool goes_with_what_follows(const struct loose_text *text, size_t i)
{
	const struct loose_token *t = &text->items[i];
	unsigned card;

	if (t->kind == LOOSE_OTHER && !(*t->text.ptr >= '0' && *t->text.ptr <= '9'))
		return false;
	for (t++; t->kind != LOOSE_BREAK && !mm_card_parse(t->text, &card); t++)
		if (mm_names_place(t->text))
			return true;
	return false;
}

static unsigned places_in(const struct loose_text *text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text->count; i++)
		n += text->items[i].kind == LOOSE_OTHER && mm_names_place(text->items[i].text);
	return n;
}

/* "MOVE B1 B2 3": it stands behind the hexes at the end of a step, else before those of the next. */
static void add_number(struct draft *d, const struct loose_text *text, size_t i, unsigned n)
{
	const struct loose_token *next = &text->items[i + 1];
	const char *card = arena_printf(text->in, "N%u", n);
	bool counts = d->verb == MOVE || d->verb == BREED;
	unsigned kind;

	/* "Play the 3", not "play 3 moles" */
	if (d->verb == PLAY && d->cards == 0 && mm_card_parse(span_of(card), &kind) &&
	    !(next->kind == LOOSE_OTHER && next->text.len >= 4)) {
		add_card(d, span_of(card));
		return;
	}
	if ((loose_is(next, CARD) || (i > 0 && loose_is(next - 2, NUMBER))) &&
	    mm_card_parse(span_of(card), &kind)) {
		add_card(d, span_of(card));
		return;
	}
	if (loose_is(next, MOVE) && places_in(text) == 2 * n) /* "two moves: ..." */
		return;
	bool ends = d->places == most_places(d->verb) && !goes_with_what_follows(text, i);

	if (d->verb == CONVERT || d->verb == ROLL || (counts && (d->places == 0 || ends)))
		strbuf_addf(&d->text, " %u", n);
	else if (d->verb == MOVE && d->places == 1)
		d->between = n;
	else
		d->waiting = n;
}

static void read_tokens(struct draft *d, const struct loose_text *text)
{
	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];
		unsigned n;

		if (t->kind == LOOSE_KNOWN)
			add_known(d, text, i);
		else if (t->kind == LOOSE_NUMBER && i > 0 && loose_is(t - 1, KEEPER))
			continue;
		else if (read_times(t->text, &n))
			add_number(d, text, i, n);
		else if (t->kind == LOOSE_OTHER && !loose_is_turned(text, i, 2))
			add_other(d, text, i);
		else if (t->kind == LOOSE_NUMBER && t->number >= 1 && t->number <= MM_SPACES)
			add_number(d, text, i, t->number);
	}
}

/* The same with each kind of card in the hand in front. */
static void try_hand(const struct game_state *s, unsigned seat, struct span turn,
                     struct order_guesses *out)
{
	const struct mm_pile *hand = &s->seats[seat].hand;

	for (unsigned card = CARD_N4; card < CARD_KINDS; card++) {
		struct strbuf text = STRBUF_INIT;

		if (mm_pile_count(hand, card) == 0)
			continue;
		strbuf_addf(&text, "PLAY %s; %.*s", mm_cards[card].name, SPAN_ARGS(turn));
		order_guess_add(out, strbuf_span(&text));
		strbuf_release(&text);
	}
}

static void guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                  struct order_guesses *out)
{
	struct draft d = {.state = s, .seat = seat, .text = STRBUF_INIT, .verb = -1};
	bool steps;

	if (s->turn == 0) {
		order_guess(&mm_setup_loose, s, seat, text->source, out);
		return;
	}
	d.source = only_source(s, seat, text->in);
	read_tokens(&d, text);
	drop_bare(&d);
	if (d.clauses == 0 && loose_declines(text))
		begin(&d, PASS);
	steps = d.clauses > 0 && !d.plays && d.verb != PASS && d.verb != DISCARD;
	bool alone = d.clauses == 1 && stands_alone(d.verb);
	out->meant = d.all_places > 0 || d.plays || alone || (d.clauses > 0 && text->count < 8);
	out->plain = !text->asks &&
	             (d.all_places > 0 || d.plays || (d.verb == PASS && text->count <= FEW) ||
	              (alone && d.verb == DISCARD));
	if (steps)
		try_hand(s, seat, strbuf_span(&d.text), out);
	else
		order_guess_add(out, strbuf_span(&d.text));
	strbuf_release(&d.text);
}

const struct loose_language mm_loose = {.words = words,
                                        .nwords = sizeof words / sizeof *words,
                                        .takes = takes,
                                        .declines = PASS,
                                        .guess = guess};
