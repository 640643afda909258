/*
 * guess.c - what lines that are no orders of Martian Boggle may have meant.
 *
 * Squares in a row are moves, two by two; a square and steps ("a1 two up", "the leftmost piece straight ahead with the
 * bigger die") are one, too. The word to spell is what stands behind "spell" or
 * "word" in some language, else a word of five capitals, else any of five letters that the strict
 * reader would take.
 */
#include <string.h>

#include "processor/games/loose.h"
#include "processor/games/martian_boggle/reading.h"

enum code { MOVE, SPELL, PASS, BIGGER, SMALLER, MIDDLE };

static const struct loose_word words[] = {
#define WORD(word, code) {word, code},
#include "processor/games/martian_boggle/words.inc"
#undef WORD
};

/* FEW: "ich passe."; SENTENCE: "so I pass this time" */
enum { SQUARES_MOST = 4, WORDS_MOST = 6, FEW = 3, SENTENCE = 6 };

/* What the tokens say, in their order. */
struct found {
	unsigned squares[SQUARES_MOST];
	size_t nsquares;                  /* also those beyond the most */
	char spelled[BOGGLE_LETTERS + 1]; /* behind SPELL */
	char others[WORDS_MOST][BOGGLE_LETTERS + 1];
	size_t nothers;
	bool says_spell, passes;
	bool implied; /* the last square is one by letter or side: an order if more follows */
};

/* Where the piece named last is said to go. */
struct walk {
	const struct game_state *state;
	unsigned seat;
	int x, y;   /* so far */
	int dx, dy; /* a direction whose steps are not yet counted */
	int last[2];
	unsigned steps; /* 0 = not said */
	bool inwards;
};

/* "e1", "e1-b2", "e1xb2", "e1b2" */
static size_t read_squares(struct span word, unsigned found[2])
{
	struct boggle_move m;

	if (boggle_parse_square(word, &found[0]))
		return 1;
	if (!boggle_parse_pair(word, &m))
		return 0;
	found[0] = m.from;
	found[1] = m.to;
	return 2;
}

static unsigned is_squares(struct span word)
{
	unsigned two[2];

	return read_squares(word, two) > 0;
}

static bool is_capital(struct span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] < 'A' || word.ptr[i] > 'Z')
			return false;
	return true;
}

static void add_square(struct found *f, unsigned square, bool implied)
{
	bool again = f->implied && f->nsquares <= SQUARES_MOST &&
	             f->squares[f->nsquares - 1] == square;

	if (f->implied && (implied || again)) /* "my B goes from c5", where it stands */
		f->nsquares--;
	f->implied = implied;
	if (f->nsquares < SQUARES_MOST)
		f->squares[f->nsquares] = square;
	f->nsquares++;
}

static void take_steps(struct walk *w)
{
	int n = w->steps ? (int)w->steps : 1;

	if (w->dx == 0 && w->dy == 0)
		return;
	w->x += w->dx * n;
	w->y += w->dy * n;
	w->last[0] = w->dx;
	w->last[1] = w->dy;
	w->dx = w->dy = 0;
	w->steps = 0;
}

/* The piece named last, if it still waits, gets there. */
static void end_walk(struct walk *w, struct found *f)
{
	bool waits = f->nsquares % 2 == 1 && f->nsquares <= SQUARES_MOST;
	unsigned from = waits ? f->squares[f->nsquares - 1] : 0;
	int column = (int)(from % BOGGLE_SIDE), row = (int)(from / BOGGLE_SIDE),
	    middle = BOGGLE_SIDE / 2;

	take_steps(w);
	if (waits && w->inwards && w->x == 0 && w->y == 0) {
		w->dx = column < middle ? 1 : column > middle ? -1 : 0;
		w->dy = row < middle ? 1 : row > middle ? -1 : 0;
		take_steps(w);
	}
	if (waits && w->x == 0 && w->y == 0 && w->steps > 0) { /* "and the one on a1 three" */
		w->dx = w->last[0];
		w->dy = w->last[1];
		take_steps(w);
	}
	if (!waits || (w->x == 0 && w->y == 0))
		return;
	column += w->x;
	row += w->y;
	w->x = w->y = 0;
	w->inwards = false;
	/* What is off the board no strict reader takes: the square it stands on. */
	bool off = column < 0 || row < 0 || column >= BOGGLE_SIDE || row >= BOGGLE_SIDE;
	add_square(f, off ? from : (unsigned)(row * BOGGLE_SIDE + column), false);
}

static void add_squares(const struct loose_token *t, struct walk *w, struct found *f)
{
	unsigned two[2];
	size_t n = read_squares(t->text, two);

	if (boggle_square(two[0]) & w->state->seats[w->seat].pieces)
		end_walk(w, f);
	for (size_t i = 0; i < n; i++)
		add_square(f, two[i], false);
	if (f->nsquares % 2 == 0) /* "a1 straight up to a3" says it twice */
		*w = (struct walk){
		    .state = w->state, .seat = w->seat, .last = {w->last[0], w->last[1]}};
}

/* "My leftmost piece": of those not named yet; the middle one for 0. */
static void name_piece(struct walk *w, int side, struct found *f)
{
	unsigned columns[BOGGLE_PIECES], n = 0;

	for (unsigned c = 0; c < BOGGLE_SIDE; c++)
		for (unsigned q = c; q < BOGGLE_SQUARES && n < BOGGLE_PIECES; q += BOGGLE_SIDE)
			if (boggle_square(q) & w->state->seats[w->seat].pieces)
				columns[n++] = q;
	if (n > 0)
		add_square(f, columns[side < 0 ? 0 : side > 0 ? n - 1 : n / 2], true);
}

/* "The N": the only piece that stands on this letter. */
static bool name_by_letter(const struct loose_text *text, size_t i, struct walk *w,
                           struct found *f)
{
	static const char *const articles[] = {"the", "my", "der", "den", "die", "das", "mein",
	                                       "le",  "la", "el",  "il",  "mon", "de",  "mijn"};
	const struct loose_token *t = &text->items[i];
	bool blank = span_eq_str(t->text, "blank") || span_eq_str(t->text, "joker");
	unsigned n = 0, found = 0;

	if ((!blank && (t->text.len != 1 || !is_capital(t->written))) || i == 0 ||
	    !span_in_nocase(t[-1].text, articles, sizeof articles / sizeof *articles))
		return false;
	for (unsigned q = 0; q < BOGGLE_SQUARES; q++)
		if ((boggle_square(q) & w->state->seats[w->seat].pieces) &&
		    w->state->board[q] == (blank ? '?' : *t->written.ptr)) {
			n++;
			found = q;
		}
	if (n != 1)
		return false;
	end_walk(w, f);
	add_square(f, found, true);
	return true;
}

/* A number of steps or a direction. */
static bool add_to_walk(const struct loose_token *t, struct walk *w, struct found *f)
{
	unsigned low = w->state->roll[0], high = w->state->roll[1];
	bool own, waits = f->nsquares % 2 == 1;
	int dx, dy;

	if (low > high)
		low = w->state->roll[1], high = w->state->roll[0];
	if (t->kind == LOOSE_NUMBER && (loose_is(t - 1, BIGGER) || loose_is(t - 1, SMALLER)))
		return true; /* "the smaller one" */
	if (t->kind == LOOSE_NUMBER || loose_is(t, BIGGER) || loose_is(t, SMALLER)) {
		unsigned n = t->kind == LOOSE_NUMBER ? t->number
		             : t->code == BIGGER     ? high
		                                     : low;

		if (w->steps > 0)
			take_steps(w);
		w->steps = n;
		take_steps(w);
		return true;
	}
	if (loose_is(t, MIDDLE) && !waits)
		name_piece(w, 0, f);
	if (loose_is(t, MIDDLE)) {
		w->inwards = waits;
		return true;
	}
	if (!loose_direction(t->text, &dx, &dy, &own))
		return false;
	if (!waits && dx != 0 && w->x == 0 && w->y == 0 && w->dy == 0) {
		name_piece(w, dx, f);
		return true;
	}
	if (own && boggle_mover(w->state, 1) != w->seat)
		dy = -dy;
	w->dx = dx ? dx : w->dx;
	w->dy = dy ? dy : w->dy;
	return true;
}

/* Capitals first. */
static void add_word(const struct loose_token *t, struct found *f)
{
	char word[BOGGLE_LETTERS + 1];

	if (f->nothers == WORDS_MOST || !boggle_parse_word(t->text, word))
		return;
	size_t at = f->nothers++;
	if (is_capital(t->written))
		for (; at > 0; at--)
			memcpy(f->others[at], f->others[at - 1], sizeof word);
	memcpy(f->others[at], word, sizeof word);
}

/* Right behind "spell" any word is the one to spell: "spell moves", "spell shell". */
static bool could_be_spelled(const struct loose_text *text, size_t i)
{
	const struct loose_token *t = &text->items[i];

	return t->kind != LOOSE_KNOWN || !t->exact ||
	       (i > 0 && loose_is(&text->items[i - 1], SPELL));
}

static struct found look_at(const struct loose_text *text, const struct game_state *s,
                            unsigned seat)
{
	struct found f = {.nsquares = 0};
	struct walk walk = {.state = s, .seat = seat};
	unsigned two[2];
	size_t named =
	    0; /* squares; where they are all that a turn can say, the rest says it again */

	for (size_t i = 0; i < text->count; i++)
		named += read_squares(text->items[i].text, two);
	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];

		if (t->kind == LOOSE_BREAK) {
			end_walk(&walk, &f);
			f.nsquares -= f.implied;
			f.implied = false;
		}
		if (t->kind == LOOSE_BREAK || loose_is_turned(text, i, 2) ||
		    (named < SQUARES_MOST && name_by_letter(text, i, &walk, &f)))
			continue;
		if (f.says_spell && !f.spelled[0] && could_be_spelled(text, i) &&
		    boggle_parse_word(t->text, f.spelled))
			continue;
		if (loose_is(t, SPELL))
			f.says_spell = true;
		else if (loose_is(t, PASS))
			f.passes = f.passes || (loose_sentence(text, i) <= SENTENCE &&
			                        !loose_is_of_rest(text, i));
		else if (is_squares(t->text))
			add_squares(t, &walk, &f);
		else if (named >= SQUARES_MOST || !add_to_walk(t, &walk, &f))
			add_word(t, &f);
	}
	end_walk(&walk, &f);
	return f;
}

static void add_guess(const struct found *f, const char *word, struct order_guesses *out)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i + 1 < f->nsquares && i < SQUARES_MOST; i += 2) {
		strbuf_adds(&text, i ? "; MOVE " : "MOVE ");
		boggle_add_square(&text, f->squares[i]);
		strbuf_addc(&text, ' ');
		boggle_add_square(&text, f->squares[i + 1]);
	}
	if (word[0])
		strbuf_addf(&text, "%sSPELL %s", text.len ? "; " : "", word);
	order_guess_add(out, strbuf_span(&text));
	strbuf_release(&text);
}

static void guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                  struct order_guesses *out)
{
	struct found f;

	f = look_at(text, s, seat);
	f.passes = f.passes || (f.nsquares == 0 && !f.says_spell && loose_declines(text));
	out->meant = f.nsquares > 0 || f.spelled[0] || f.passes;
	out->plain = (f.nsquares > 1 || (f.passes && text->count <= FEW));
	if (f.passes && f.nsquares > 0) /* one or the other */
		f.nsquares = SQUARES_MOST + 1;
	if (f.nsquares % 2 == 0 && f.nsquares <= SQUARES_MOST) {
		if (f.spelled[0])
			add_guess(&f, f.spelled, out);
		for (size_t i = 0; i < f.nothers && !f.spelled[0]; i++)
			if (f.nsquares > 0 || f.says_spell)
				add_guess(&f, f.others[i], out);
		if (!f.spelled[0])
			add_guess(&f, "", out);
	}
	if (f.passes && f.nsquares == 0 && !f.says_spell)
		order_guess_add(out, SPAN_LIT("PASS"));
}

const struct loose_language boggle_loose = {.words = words,
                                            .nwords = sizeof words / sizeof *words,
                                            .takes = is_squares,
                                            .declines = PASS,
                                            .guess = guess};
