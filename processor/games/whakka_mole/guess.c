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

enum { KINDS = 2, WORDS_OF_A_CLAUSE = 4, WORDS_OF_A_REFUSAL = 4 };

/* The tokens, and which order each of them names; -1 = none. */
struct reading {
	const struct loose_text *text;
	unsigned holes; /* of a sheet */
	int verbs[LOOSE_TOKENS_MOST];
};

/* What the tokens say of POPUP and WHACK. */
struct tally {
	uint32_t holes[KINDS];
	unsigned numbers[KINDS];
	bool named[KINDS], none[KINDS];
	unsigned left_over; /* numbers that belong to neither */
};

/* "p 3 5 w 2": letters alone are orders only in a pair, or where nothing else stands beside them. */
static bool letters_are_verbs(const struct loose_text *text)
{
	bool found[KINDS] = {false}, alone = true;

	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];

		if (t->kind == LOOSE_KNOWN && t->text.len == 1 && t->code < KINDS &&
		    t[1].kind == LOOSE_NUMBER)
			found[t->code] = true;
		if (t->kind == LOOSE_TURN || (t->kind == LOOSE_OTHER && !is_courtesy(t->text)))
			alone = false;
	}
	return alone || (found[POPUP] && found[WHACK]);
}

/* "Whack the mole in 5" names one order, not two: `open` is the order that has no number yet. */
static void find_verbs(struct reading *r)
{
	bool letters = letters_are_verbs(r->text);
	int open = -1;

	for (size_t i = 0; i < r->text->count; i++) {
		const struct loose_token *t = &r->text->items[i];
		bool polish = i > 0 && loose_is(&t[-1], MOLE) &&
		              span_eq_str(t->text, "w"); /* "in" */

		r->verbs[i] = -1;
		if (t->kind == LOOSE_KNOWN && !polish && (t->text.len > 1 || letters))
			r->verbs[i] = t->code < KINDS                    ? t->code
			              : t->code == MOLE && open != WHACK ? POPUP
			                                                 : -1;
		if (t->kind == LOOSE_NUMBER || t->kind == LOOSE_BREAK)
			open = -1;
		else if (r->verbs[i] >= 0)
			open = r->verbs[i];
	}
}

/* As it is: "garden" is nearly "geraden". */
static bool is_code(const struct loose_token *t, int from, int to)
{
	return t->kind == LOOSE_KNOWN && t->exact && t->code >= from && t->code <= to;
}

/* Whether line `n` of `size` is the first (called `low`), the last (`high`) or the middle one. */
static bool is_line(int which, int low, int high, unsigned n, unsigned size)
{
	return which == low    ? n == 0
	       : which == high ? n == size - 1
	                       : which == MIDDLE && 2 * n + 1 == size;
}

/* What names a place on a sheet goes on up to an order, a number of more than "one", "and", "to" or a break. */
static bool ends_place(const struct loose_text *text, size_t i)
{
	const struct loose_token *t = &text->items[i];

	return t->kind == LOOSE_BREAK || t->kind == LOOSE_TURN ||
	       (t->kind == LOOSE_KNOWN && !is_code(t, TOP, ODD) && t->code != HOLE &&
	        t->code != MOLE && t->code != ALL) ||
	       (t->kind == LOOSE_OTHER && (loose_is_and(t->text) || leads_to(t->text))) ||
	       (t->kind == LOOSE_NUMBER && t->number != 1);
}

/*
 * "The top row", "all corners", "bottom right", "the middle one of the top row", "even holes": the holes of a sheet
 * that all of its words name, at the last of them; none: it is no set.
 */
static uint32_t holes_of_set(const struct loose_text *text, size_t i, unsigned holes)
{
	unsigned cols = holes > 9 ? 4 : 3, rows = (holes + cols - 1) / cols;
	int row_word = -1, col_word = -1, set = MIDDLE;
	bool middle = false;
	uint32_t mask = 0;

	if (!is_code(&text->items[i], TOP, ODD))
		return 0;
	for (size_t k = i + 1; !ends_place(text, k); k++)
		if (is_code(&text->items[k], TOP, ODD))
			return 0;
	for (size_t k = i + 1; k-- > 0 && !ends_place(text, k);) {
		int code = text->items[k].code;

		if (is_code(&text->items[k], ROW, ODD))
			set = code;
		row_word = is_code(&text->items[k], TOP, BOTTOM) ? code : row_word;
		col_word = is_code(&text->items[k], LEFT, RIGHT) ? code : col_word;
		middle = middle || is_code(&text->items[k], MIDDLE, MIDDLE);
	}
	if (middle && row_word < 0 && set != COLUMN)
		row_word = MIDDLE;
	if (middle && col_word < 0 && (set != ROW || row_word != MIDDLE))
		col_word = MIDDLE;
	for (unsigned h = 0; h < holes; h++) {
		unsigned row = h / cols, col = h % cols;
		bool of_row = is_line(row_word, TOP, BOTTOM, row, rows);
		bool of_col = is_line(col_word, LEFT, RIGHT, col, cols);
		bool corner = (row == 0 || row == rows - 1) && (col == 0 || col == cols - 1);
		bool lies = (row_word < 0 || of_row) && (col_word < 0 || of_col);
		bool in = set == ROW      ? row_word >= 0 && lies
		          : set == COLUMN ? col_word >= 0 && lies
		          : set == MIDDLE ? of_row && of_col
		          : set == CORNER ? corner && lies
		                          : h % 2 == (set == EVEN);
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

/* "3-5", "3..5" */
static bool read_range(struct span word, unsigned *low, unsigned *high)
{
	size_t at = span_find_char(word, '-'), dots = span_find(word, SPAN_LIT(".."));
	size_t from = at < word.len ? at : dots, to = from + (at < word.len ? 1 : 2);

	return from < word.len &&
	       num_parse_uint(span_slice(word, 0, from), 1, WHAKKA_HOLES, low) &&
	       num_parse_uint(span_slice(word, to, word.len), *low, WHAKKA_HOLES, high);
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
	const struct loose_token *t = &text->items[i];

	if (is_code(&t[1], ROW, ODD) || /* "all four corners", "the middle one" */
	    (i > 0 && loose_is(&t[-1], MIDDLE) && t->number == 1) ||
	    /* "one hole further", not "the first hole" */
	    (t->number == 1 && t->text.len == 3 && loose_is(&t[1], HOLE)))
		return true;
	/* "one little mole", not "2 with moles" */
	i += t->text.len > 0 && *t->text.ptr > '9' && t[1].kind == LOOSE_OTHER &&
	     loose_is(&t[2], MOLE);
	if (!loose_is(&text->items[i + 1], MOLE))
		return false;
	for (i += 2; i < text->count; i++)
		if (text->items[i].kind == LOOSE_NUMBER || is_code(&text->items[i], TOP, ODD))
			return true;
		else if (text->items[i].kind == LOOSE_KNOWN)
			return false;
	return false;
}

static void add_number(const struct loose_text *text, size_t i, int verb, struct tally *t)
{
	bool replaced = is_given_up(text, i) || is_count(text, i);
	bool through = i > 1 && loose_is(&text->items[i - 1], RANGE) &&
	               text->items[i - 2].kind == LOOSE_NUMBER;

	if (replaced)
		return;
	bool except = loose_is_turned(text, i, 2); /* "not the 8", "all except hole 5" */
	for (size_t k = i; k-- > 0 && k + 4 > i;)
		except = except || (loose_is(&text->items[k], EXCEPT) && verb == POPUP);
	if (except) {
		if (verb >= 0 && text->items[i].number - 1 < WHAKKA_HOLES)
			t->holes[verb] &= ~(1u << (text->items[i].number - 1));
		return;
	}
	for (unsigned h = through ? text->items[i - 2].number + 1 : text->items[i].number;
	     h <= text->items[i].number; h++)
		add_hole(t, verb, h);
}

/* The order named nearest to token `i`, before (step -1) or behind it (1); -1 = none. */
static int nearest_verb(const struct reading *r, size_t i, int step, bool up_to_break)
{
	for (; i < r->text->count; i += (size_t)step) {
		if (up_to_break && r->text->items[i].kind == LOOSE_BREAK)
			return -1;
		if (r->verbs[i] >= 0)
			return r->verbs[i];
	}
	return -1;
}

/* "All my moles", "all but 4": beside an order's name, or with an exception. "Keep everything else" names no holes. */
static bool names_all(const struct reading *r, size_t i)
{
	bool except = false;

	for (size_t k = i; r->text->items[k].kind != LOOSE_BREAK; k++)
		except = except || loose_is(&r->text->items[k], EXCEPT);
	return except || nearest_verb(r, i, -1, true) >= 0 || nearest_verb(r, i, 1, true) >= 0;
}

static void add_other(const struct reading *r, size_t i, int verb, struct tally *t)
{
	const struct loose_text *text = r->text;
	const struct loose_token *token = &text->items[i];
	const unsigned holes = r->holes;
	uint32_t set = holes_of_set(text, i, holes);
	unsigned low = 0, high = 0;
	bool other_set = false;

	for (size_t k = 0; k < text->count; k++)
		other_set = other_set || is_code(&text->items[k], ROW, ODD);
	bool except = false, from = false;
	for (size_t k = i; k-- > 0 && k + 4 > i;) {
		except = except || (loose_is(&text->items[k], EXCEPT) && verb == POPUP);
		from = from || loose_is(&text->items[k], FROM);
	}
	t->left_over += set != 0 && from; /* "from top left to bottom right" */
	for (unsigned h = 1; h <= holes; h++)
		if (((set >> (h - 1)) & 1u) && except)
			t->holes[POPUP] &= ~(1u << (h - 1));
		else if ((set >> (h - 1)) & 1u)
			add_hole(t, verb, h);
	if (read_range(token->text, &low, &high))
		for (unsigned h = low; h <= high; h++)
			add_hole(t, verb, h);
	else if (loose_is(token, ALL) && verb == POPUP && names_all(r, i) && !t->none[POPUP] &&
	         !other_set && !loose_is_turned(text, i, 3))
		for (unsigned h = 1; h <= holes; h++)
			add_hole(t, POPUP, h);
	else if (loose_is(token, HIDDEN) && verb != WHACK) {
		if (t->numbers[POPUP] == holes)
			t->holes[POPUP] = t->numbers[POPUP] = 0;
		t->named[POPUP] = t->none[POPUP] = true;
	} else if (loose_is(token, NONE) && verb >= 0)
		t->none[verb] = true;
}

/* To which order an argument belongs that has no verb before it up to a comma or full stop. */
enum way {
	OTHER_CLAUSE, /* "the top row comes up and I try my luck at 9", "Moles on 6 and 9. So 4." */
	VERB_BESIDE, /* to the verb behind it up to the next comma, else to the last one before: "5 up, and 3" */
	VERB_BEHIND,   /* "3 and 5, those go up" */
	ORDER_UNNAMED, /* "3, 5 w2" */
	VERB_BEFORE,   /* "up 3, 5, hit 2" */
	ALL_BEHIND,    /* all arguments to the verb behind: "3 up 2 whack" */
	WAYS
};

/* Behind much that says nothing of the game, or in a sentence without any order's name. */
static bool is_in_other_clause(const struct reading *r, size_t i)
{
	const struct loose_token *items = r->text->items;
	size_t from = i, to = i, talk = i;

	/* "Pop 1, pop 4, thwack 8" */
	if (i > 1 && items[i - 2].kind == LOOSE_BREAK && items[i - 1].kind == LOOSE_OTHER &&
	    items[i - 1].text.len > 4 && !is_courtesy(items[i - 1].text) &&
	    !adds_meaning(items[i - 1].text))
		return true;
	while (talk > 0 &&
	       (items[talk - 1].kind == LOOSE_OTHER || loose_is(&items[talk - 1], HOLE)))
		talk--;
	while (from > 0 && !(items[from - 1].kind == LOOSE_BREAK && items[from - 1].number))
		from--;
	while (to < r->text->count && !(items[to].kind == LOOSE_BREAK && items[to].number))
		to++;
	for (size_t k = from; k < to; k++)
		if (r->verbs[k] >= 0)
			return i - talk >= WORDS_OF_A_CLAUSE;
	return true;
}

static int owner(const struct reading *r, size_t i, enum way way, int unnamed)
{
	int verb = way == ALL_BEHIND ? -1 : nearest_verb(r, i, -1, true);

	if (way == OTHER_CLAUSE && is_in_other_clause(r, i))
		return unnamed;
	if (verb < 0 && way <= VERB_BESIDE)
		verb = nearest_verb(r, i, 1, true);
	if (verb < 0 && way == ORDER_UNNAMED)
		verb = unnamed;
	else if (verb < 0)
		verb =
		    nearest_verb(r, i, way == VERB_BEHIND || way == ALL_BEHIND ? 1 : -1, false);
	return verb;
}

/* "No moles", "I don't want to hit anybody": turned, and without a number up to the next comma. */
static bool is_turned_off(const struct loose_text *text, size_t i)
{
	if (!loose_is_turned(text, i, WORDS_OF_A_REFUSAL))
		return false;
	for (; i < text->count && text->items[i].kind != LOOSE_BREAK; i++)
		if (text->items[i].kind == LOOSE_NUMBER)
			return false;
	return true;
}

static struct tally take(const struct reading *r, enum way way, int unnamed)
{
	struct tally t = {.left_over = 0};

	for (size_t i = 0; i < r->text->count; i++) {
		int verb = r->verbs[i];

		if (verb >= 0) {
			t.named[verb] = true;
			t.none[verb] = t.none[verb] || is_turned_off(r->text, i);
		} else if (r->text->items[i].kind == LOOSE_NUMBER) {
			add_number(r->text, i, owner(r, i, way, unnamed), &t);
		} else {
			add_other(r, i, owner(r, i, way, unnamed), &t);
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
static void guess_from_numbers(const struct reading *r, struct order_guesses *out)
{
	const struct loose_token *items = r->text->items;
	size_t last = 0;

	for (size_t i = 0; i < r->text->count; i++) {
		if (items[i].kind == LOOSE_OTHER || items[i].kind == LOOSE_TURN)
			return;
		last = items[i].kind == LOOSE_NUMBER ? i : last;
	}
	struct tally all = take(r, ORDER_UNNAMED, POPUP), with_whack = all;
	if (all.numbers[POPUP] == 0 || all.left_over || items[last].kind != LOOSE_NUMBER)
		return;
	out->meant = out->plain = true;
	with_whack.holes[POPUP] &= ~(1u << (items[last].number - 1));
	add_hole(&with_whack, WHACK, items[last].number);
	if (all.numbers[POPUP] > 1 && last > 0 && items[last - 1].kind == LOOSE_BREAK)
		add_guess(&with_whack, out);
	add_guess(&all, out);
	if (all.numbers[POPUP] > 1)
		add_guess(&with_whack, out);
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

static void guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                  struct order_guesses *out)
{
	static const char *const plain[] = {"popup", "whack", NULL};
	struct reading r = {.holes = s->setup.holes};

	(void)seat;
	leave_game_out(text);
	r.text = text;
	find_verbs(&r);
	struct tally all = take(&r, VERB_BEFORE, -1);
	for (int v = 0; v < KINDS; v++)
		out->meant = out->meant || (all.named[v] && (all.numbers[v] || all.none[v] ||
		                                             all.left_over > 0));
	bool both = all.numbers[POPUP] > 0 && all.numbers[WHACK] > 0;
	out->plain = out->meant && (both || loose_has_word(text, plain));
	int unnamed = all.named[POPUP] == all.named[WHACK] ? -1
	              : all.named[POPUP]                   ? WHACK
	                                                   : POPUP;
	for (enum way way = OTHER_CLAUSE; way < WAYS; way++) {
		struct tally t = take(&r, way, unnamed);

		if (is_neat(&t) &&
		    (way != OTHER_CLAUSE || (unnamed >= 0 && t.numbers[unnamed])))
			add_guess(&t, out);
	}
	if (!all.named[POPUP] && !all.named[WHACK])
		guess_from_numbers(&r, out);
}

const struct loose_language whakka_loose = {
    .words = words, .nwords = sizeof words / sizeof *words, .slot_of = slot_of, .guess = guess};
