/*
 * guess.c - what lines that are no orders of Whakka Mole may have meant.
 *
 * Most people write the word before its holes ("up 3 and 5, hit 2"), some behind them ("3 and 5 up,
 * 2 whack"), and many part the two orders with a comma. Each way is tried, and those count that leave no
 * number over.
 */
#include "processor/base/num.h"
#include "processor/games/decoration.h"
#include "processor/games/loose.h"
#include "processor/games/whakka_mole/whakka.h"

enum code {
	POPUP,
	WHACK,
	MOLE,
	HOLE,
	NONE,
	HIDDEN,
	ALL,
	FROM,
	RANGE,
	TURN,
	EXCEPT,
	TOP, /* TOP to MIDDLE: which row, column or corner */
	BOTTOM,
	LEFT,
	RIGHT,
	MIDDLE,
	ROW, /* from here on sets of holes */
	COLUMN,
	CORNER,
	EVEN,
	ODD
};

static const struct loose_word words[] = {
#define WORD(word, code) {word, code},
#include "processor/games/whakka_mole/words.inc"
#undef WORD
};

static unsigned slot_of(int code)
{
	return code == NONE || code == ALL || code >= TOP ? LOOSE_SLOT_NUMBER : 0;
}

static const struct loose_language language = {
    .words = words, .nwords = sizeof words / sizeof *words, .slot_of = slot_of};

enum { KINDS = 2 };

/* What the tokens say of POPUP and WHACK. */
struct tally {
	uint32_t holes[KINDS];
	unsigned numbers[KINDS];
	bool named[KINDS], none[KINDS];
	unsigned left_over; /* numbers that belong to neither */
};

/* "my choice: P 3+5, W 2" */
static bool both_letters_have_numbers(const struct loose_text *text)
{
	bool found[KINDS] = {false};

	for (size_t i = 0; i + 1 < text->count; i++)
		if (text->items[i].kind == LOOSE_KNOWN && text->items[i].text.len == 1 &&
		    text->items[i].code < KINDS && text->items[i + 1].kind == LOOSE_NUMBER)
			found[text->items[i].code] = true;
	return found[POPUP] && found[WHACK];
}

/* "p 3 5 w 2": letters alone are orders only in a pair, or where nothing else stands beside them. */
static bool letters_are_verbs(const struct loose_text *text)
{
	if (both_letters_have_numbers(text))
		return true;
	for (size_t i = 0; i < text->count; i++)
		if (text->items[i].kind == LOOSE_TURN ||
		    (text->items[i].kind == LOOSE_OTHER && !is_courtesy(text->items[i].text)))
			return false;
	return true;
}

/*
 * The order that a token names, or -1. "Whack the mole in 5" names one, not two: `open` is the order
 * before it that has no number yet, -1 = none.
 */
static int verb_of(const struct loose_text *text, size_t i, int open)
{
	const struct loose_token *t = &text->items[i];
	bool polish = i > 0 && loose_is(&text->items[i - 1], MOLE) && span_eq_str(t->text, "w");

	if (t->kind != LOOSE_KNOWN || polish || (t->text.len == 1 && !letters_are_verbs(text)))
		return -1;
	if (t->code == POPUP || t->code == WHACK)
		return t->code;
	return t->code == MOLE && open != WHACK ? POPUP : -1;
}

/* As it is: "garden" is nearly "geraden". */
static bool is_code(const struct loose_token *t, int from, int to)
{
	return t->kind == LOOSE_KNOWN && t->exact && t->code >= from && t->code <= to;
}

/* "The top row", "all corners", "the middle one", "even holes": those holes of a sheet; none: it is no set. */
static uint32_t holes_of_set(const struct loose_text *text, size_t i, unsigned holes)
{
	unsigned cols = holes > 9 ? 4 : 3, rows = (holes + cols - 1) / cols;
	int which = -1, set = text->items[i].code;
	uint32_t mask = 0;

	if (loose_is(&text->items[i], MIDDLE)) {
		for (size_t k = i + 1; k <= i + 2 && k < text->count; k++)
			if (is_code(&text->items[k], ROW, COLUMN))
				return 0; /* which of them */
		set = which = MIDDLE;
	} else if (!is_code(&text->items[i], ROW, ODD)) {
		return 0;
	}
	for (size_t k = i; k-- > 0 && k + 3 > i && text->items[k].kind != LOOSE_BREAK;)
		if (which < 0 && is_code(&text->items[k], TOP, MIDDLE))
			which = text->items[k].code;
	for (unsigned h = 0; h < holes; h++) {
		unsigned row = h / cols, col = h % cols;
		bool of_row = which == TOP      ? row == 0
		              : which == BOTTOM ? row == rows - 1
		                                : which == MIDDLE && 2 * row + 1 == rows;
		bool of_col = which == LEFT    ? col == 0
		              : which == RIGHT ? col == cols - 1
		                               : which == MIDDLE && 2 * col + 1 == cols;
		bool corner = (row == 0 || row == rows - 1) && (col == 0 || col == cols - 1);
		bool in = set == ROW      ? of_row
		          : set == COLUMN ? of_col
		          : set == CORNER ? corner && (which < 0 || of_row || of_col)
		          : set == MIDDLE ? of_row && of_col
		          : set == EVEN   ? h % 2 == 1
		                          : h % 2 == 0;
		mask |= (uint32_t)in << h;
	}
	return mask;
}

static void add_hole(struct tally *t, int verb, unsigned hole)
{
	if (verb < 0 || hole < 1 || hole > WHAKKA_HOLES) {
		t->left_over++;
		return;
	}
	t->holes[verb] |= 1u << (hole - 1);
	t->numbers[verb]++;
}

/* "3-5" and "3 to 5" */
static bool read_range(struct span word, unsigned *low, unsigned *high)
{
	size_t at = span_find_char(word, '-'), dots = span_find(word, SPAN_LIT(".."));

	if (dots < word.len)
		return num_parse_uint(span_slice(word, 0, dots), 1, WHAKKA_HOLES, low) &&
		       num_parse_uint(span_slice(word, dots + 2, word.len), *low, WHAKKA_HOLES,
		                      high);
	return at < word.len && num_parse_uint(span_slice(word, 0, at), 1, WHAKKA_HOLES, low) &&
	       num_parse_uint(span_slice(word, at + 1, word.len), *low, WHAKKA_HOLES, high);
}

/* "From 5 to 7": the first of them is given up. "Up from 5" is not. */
static bool is_given_up(const struct loose_text *text, size_t i)
{
	const struct loose_token *next = &text->items[i + 1];

	return i > 0 && loose_is(&text->items[i - 1], FROM) && i + 2 < text->count &&
	       next->kind != LOOSE_BREAK && !span_eq_str(next->text, "and") &&
	       !span_eq_str(next->text, "or") && text->items[i + 2].kind == LOOSE_NUMBER;
}

/* "One mole in 3", "two moles: 3 and 5": how many, where the holes stand behind it. */
static bool is_count(const struct loose_text *text, size_t i)
{
	if (is_code(&text->items[i + 1], ROW, ODD) || /* "all four corners", "the middle one" */
	    (i > 0 && loose_is(&text->items[i - 1], MIDDLE) && text->items[i].number == 1))
		return true;
	if (!loose_is(&text->items[i + 1], MOLE))
		return false;
	for (i += 2; i < text->count && text->items[i].kind != LOOSE_KNOWN; i++)
		if (text->items[i].kind == LOOSE_NUMBER)
			return true;
	return false;
}

static void add_number(const struct loose_text *text, size_t i, int verb, struct tally *t)
{
	bool replaced = is_given_up(text, i) || is_count(text, i) ||
	                (i > 0 && loose_is(&text->items[i - 1], TURN));
	bool through = i > 1 && loose_is(&text->items[i - 1], RANGE) &&
	               text->items[i - 2].kind == LOOSE_NUMBER;

	for (size_t k = i; k-- > 0 && k + 4 > i;) /* "all except hole 5" */
		if (loose_is(&text->items[k], EXCEPT) && verb == POPUP) {
			if (text->items[i].number >= 1 && text->items[i].number <= WHAKKA_HOLES)
				t->holes[verb] &= ~(1u << (text->items[i].number - 1));
			return;
		}
	if (replaced || loose_is_turned(text, i, 2))
		return;
	for (unsigned h = through ? text->items[i - 2].number + 1 : text->items[i].number;
	     h <= text->items[i].number; h++)
		add_hole(t, verb, h);
}

/* "Keep all my moles down" */
static void hide(struct tally *t, unsigned holes)
{
	if (t->numbers[POPUP] == holes)
		t->holes[POPUP] = t->numbers[POPUP] = 0;
	t->named[POPUP] = t->none[POPUP] = true;
}

static void add_other(const struct loose_text *text, size_t i, int verb, unsigned holes,
                      struct tally *t)
{
	const struct loose_token *token = &text->items[i];
	uint32_t set = holes_of_set(text, i, holes);
	unsigned low = 0, high = 0;
	bool other_set = false;

	for (size_t k = 0; k < text->count; k++)
		other_set = other_set || is_code(&text->items[k], ROW, ODD);
	for (unsigned h = 1; h <= holes; h++)
		if ((set >> (h - 1)) & 1u)
			add_hole(t, verb, h);
	if (read_range(token->text, &low, &high))
		for (unsigned h = low; h <= high; h++)
			add_hole(t, verb, h);
	else if (loose_is(token, ALL) && verb == POPUP && !t->none[POPUP] && !other_set)
		for (unsigned h = 1; h <= holes; h++)
			add_hole(t, POPUP, h);
	else if (loose_is(token, HIDDEN) && verb != WHACK)
		hide(t, holes);
	else if (loose_is(token, NONE) && verb >= 0)
		t->none[verb] = true;
}

/* A stretch between two commas or full stops. */
struct stretch {
	size_t from, to;
	int verb; /* -1: it has none */
	bool several;
};

static struct stretch next_stretch(const struct loose_text *text, size_t from)
{
	struct stretch s = {.from = from, .to = from, .verb = -1};
	int open = -1;

	for (; s.to < text->count && text->items[s.to].kind != LOOSE_BREAK; s.to++) {
		int verb = verb_of(text, s.to, open);

		if (text->items[s.to].kind == LOOSE_NUMBER)
			open = -1;
		if (verb < 0)
			continue;
		s.several = s.several || (s.verb >= 0 && verb != s.verb);
		s.verb = s.verb < 0 ? verb : s.verb;
		open = verb;
	}
	return s;
}

static bool has_number(const struct loose_text *text, struct stretch s)
{
	for (size_t i = s.from; i < s.to; i++)
		if (text->items[i].kind == LOOSE_NUMBER)
			return true;
	return false;
}

/* What stands behind a verb belongs to it, what stands before the first one to that. */
static int read_stretch(const struct loose_text *text, struct stretch s, int verb,
                        unsigned holes, struct tally *t)
{
	int open = -1;

	for (size_t i = s.from; i < s.to; i++) {
		int named = verb_of(text, i, open);

		if (named >= 0) {
			verb = open = named;
			t->named[verb] = true;
			/* "no moles", "popup 3 and no whack" */
			t->none[verb] = t->none[verb] ||
			                (loose_is_turned(text, i, 1) &&
			                 !has_number(text, (struct stretch){i, s.to, 0, 0}));
		} else if (text->items[i].kind == LOOSE_NUMBER) {
			add_number(text, i, verb, t);
			open = -1;
		} else {
			add_other(text, i, verb, holes, t);
		}
	}
	return verb;
}

/* Where numbers without a verb of their own belong. */
enum belonging { TO_VERB_BEFORE, TO_NEXT_STRETCH };

static int verb_behind(const struct loose_text *text, size_t from)
{
	while (from < text->count) {
		struct stretch s = next_stretch(text, from);

		if (s.verb >= 0)
			return s.verb;
		from = s.to + 1;
	}
	return -1;
}

static struct tally take_stretches(const struct loose_text *text, enum belonging b,
                                   unsigned holes)
{
	struct tally t = {.left_over = 0};
	struct stretch s;
	int verb = -1;

	for (size_t from = 0; from < text->count; from = s.to + 1) {
		s = next_stretch(text, from);
		int first = s.verb >= 0 && !(b == TO_VERB_BEFORE && verb >= 0 && s.several)
		                ? s.verb
		            : b == TO_VERB_BEFORE ? verb
		                                  : verb_behind(text, from);
		verb = read_stretch(text, s, first, holes, &t);
	}
	return t;
}

/* As if there were no commas: each number belongs to the verb before it, or behind it. */
static struct tally take_as_one(const struct loose_text *text, bool behind, unsigned holes)
{
	struct tally t = {.left_over = 0};
	int verb = -1, open = -1;

	for (size_t i = 0; i < text->count; i++) {
		int named = verb_of(text, i, open);

		if (named >= 0) {
			verb = open = named;
			t.named[verb] = true;
			t.none[verb] = t.none[verb] || loose_is_turned(text, i, 1);
		} else if (text->items[i].kind == LOOSE_NUMBER) {
			int of = verb;
			for (size_t k = i; behind && k < text->count; k++)
				if ((of = verb_of(text, k, -1)) >= 0)
					break;
			add_number(text, i, of, &t);
			open = -1;
		} else if (!behind) {
			add_other(text, i, verb, holes, &t);
		}
	}
	return t;
}

/* Each order named has its holes, and no number is left. */
static bool is_neat(const struct tally *t)
{
	for (int v = 0; v < KINDS; v++)
		if (t->named[v] && t->numbers[v] == 0 && !t->none[v])
			return false;
	return t->left_over == 0 &&
	       (t->holes[WHACK] & (t->holes[WHACK] - 1)) == 0 && /* one at most */
	       (t->named[POPUP] || t->named[WHACK]);
}

static void add_guess(const struct tally *t, struct order_guesses *out)
{
	static const char *const names[KINDS] = {"POPUP", "WHACK"};
	struct strbuf text = STRBUF_INIT;

	for (int v = 0; v < KINDS; v++) {
		if (t->numbers[v] == 0 && !t->none[v])
			continue;
		strbuf_addf(&text, "%s%s", text.len ? "; " : "", names[v]);
		for (unsigned h = 1; h <= WHAKKA_HOLES; h++)
			if ((t->holes[v] >> (h - 1)) & 1u)
				strbuf_addf(&text, " %u", h);
		if (t->holes[v] == 0)
			strbuf_adds(&text, " NONE");
	}
	order_guess_add(out, strbuf_span(&text));
	strbuf_release(&text);
}

/* "1 3 5" and no word at all: where to pop up, or also which one to whack; so it is in "3 5 / 2". */
static void guess_from_numbers(const struct loose_text *text, struct order_guesses *out)
{
	struct tally all = {.left_over = 0};
	bool parted = false;
	unsigned last = 0;

	for (size_t i = 0; i < text->count; i++) {
		if (text->items[i].kind == LOOSE_OTHER || text->items[i].kind == LOOSE_TURN)
			return;
		if (text->items[i].kind != LOOSE_NUMBER)
			continue;
		parted = i > 0 && text->items[i - 1].kind == LOOSE_BREAK;
		last = text->items[i].number;
		add_hole(&all, POPUP, last);
	}
	if (all.numbers[POPUP] == 0 || all.left_over)
		return;
	out->meant = out->plain = true;
	struct tally with_whack = all;
	with_whack.holes[POPUP] &= ~(1u << (last - 1));
	add_hole(&with_whack, WHACK, last);
	if (all.numbers[POPUP] > 1 && parted)
		add_guess(&with_whack, out);
	add_guess(&all, out);
	if (all.numbers[POPUP] > 1)
		add_guess(&with_whack, out);
}

static void add_if_neat(struct tally t, struct order_guesses *out)
{
	if (is_neat(&t))
		add_guess(&t, out);
}

/* "W1 popup 3, whack 2": beside the whole word its letter with a number is the name of the game. */
static void leave_game_out(struct loose_text *text)
{
	for (size_t i = 0; i + 1 < text->count; i++) {
		struct loose_token *t = &text->items[i];
		bool spelt_out = false;

		for (size_t k = 0; k < text->count; k++)
			spelt_out = spelt_out || (loose_is(&text->items[k], t->code) &&
			                          text->items[k].text.len > 1);
		if (t->kind == LOOSE_KNOWN && t->text.len == 1 && spelt_out &&
		    text->items[i + 1].written.ptr == t->written.ptr + 1)
			t->kind = text->items[i + 1].kind = LOOSE_OTHER;
	}
}

/* "3 and 5, bonk 2", "3, 5 w2": numbers without a verb before them are for the one not named. */
static struct tally take_rest(const struct loose_text *text, const struct tally *all,
                              unsigned holes)
{
	struct tally t = {.left_over = 0};
	struct stretch s;

	if (all->named[POPUP] == all->named[WHACK])
		return *all;
	int rest = all->named[POPUP] ? WHACK : POPUP;
	for (size_t from = 0; from < text->count; from = s.to + 1) {
		s = next_stretch(text, from);
		read_stretch(text, s, rest, holes, &t);
	}
	return t;
}

void whakka_guess_orders(const struct game_state *s, unsigned seat, struct span text,
                         struct order_guesses *out)
{
	static const char *const plain[] = {"popup", "whack", NULL};
	unsigned holes = s->setup.holes;
	struct loose_text loose;
	struct tally all;

	(void)seat;
	loose_read(text, &language, &loose);
	out->words = loose.known;
	out->asks = loose.asks;
	leave_game_out(&loose);
	all = take_as_one(&loose, false, holes);
	for (int v = 0; v < KINDS; v++)
		out->meant = out->meant || (all.named[v] && (all.numbers[v] || all.none[v] ||
		                                             all.left_over > 0));
	bool both = all.numbers[POPUP] > 0 && all.numbers[WHACK] > 0;
	out->plain = out->meant && !loose.asks && (both || loose_has_word(&loose, plain));
	add_if_neat(take_stretches(&loose, TO_VERB_BEFORE, holes), out);
	add_if_neat(take_stretches(&loose, TO_NEXT_STRETCH, holes), out);
	add_if_neat(take_rest(&loose, &all, holes), out);
	add_if_neat(all, out);
	add_if_neat(take_as_one(&loose, true, holes), out);
	if (!all.named[POPUP] && !all.named[WHACK])
		guess_from_numbers(&loose, out);
	loose_release(&loose);
}
