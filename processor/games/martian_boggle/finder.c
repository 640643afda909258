/*
 * finder.c - which words the mover can reach: for bots, and for the number in a hint.
 *
 * A few thousand ways to use a roll meet a few thousand words. Instead of trying each word on
 * each way, the letters of a word, sorted, become a key; a table leads from keys to words, and
 * each way needs one look into it. A blank fits any letter, so that with one blank among the
 * five letters the key of the other four is looked up; words stand in the table under these
 * shorter keys too, as far as there are blanks on the board.
 */
#include <stdlib.h>
#include <string.h>

#include "processor/base/err.h"
#include "processor/games/martian_boggle/boggle.h"

enum { KEY_BITS = 5, FIRST_SLOTS = 16384, FIRST_WORDS = 1024 };

/* Letters as numbers from 1, largest first, five bits each: one key for all anagrams. */
typedef uint32_t letter_key;

struct slot {
	letter_key key; /* 0 = free */
	unsigned word;  /* from 0 */
};

struct lexicon {
	char (*words)[BOGGLE_LETTERS + 1];
	size_t count, words_cap;
	struct slot *slots; /* a power of two, at most half of them used */
	size_t mask, used;
	unsigned blanks; /* shorter keys are there for so many */
};

static letter_key make_key(unsigned char *numbers, unsigned count)
{
	letter_key key = 0;

	for (unsigned i = 1; i < count; i++) {
		unsigned char n = numbers[i];
		unsigned at = i;

		for (; at > 0 && numbers[at - 1] < n; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = n;
	}
	for (unsigned i = 0; i < count; i++)
		key = key << KEY_BITS | numbers[i];
	return key;
}

static size_t home_of(const struct lexicon *lx, letter_key key)
{
	return (size_t)(key * 2654435761u >> 7) & lx->mask;
}

static void put_slot(struct lexicon *lx, letter_key key, unsigned word)
{
	size_t at = home_of(lx, key);

	while (lx->slots[at].key)
		at = (at + 1) & lx->mask;
	lx->slots[at] = (struct slot){key, word};
	lx->used++;
}

static void make_slots(struct lexicon *lx, size_t size)
{
	lx->slots = xcalloc(size, sizeof *lx->slots);
	lx->mask = size - 1;
	lx->used = 0;
}

static void add_slot(struct lexicon *lx, letter_key key, unsigned word)
{
	struct slot *old = lx->slots;
	size_t size = lx->mask + 1;

	if (2 * lx->used >= size) {
		make_slots(lx, 2 * size);
		for (size_t i = 0; i < size; i++)
			if (old[i].key)
				put_slot(lx, old[i].key, old[i].word);
		free(old);
	}
	put_slot(lx, key, word);
}

/* The next word that stands under a key; starts with *at = home_of(key). */
static bool next_slot(const struct lexicon *lx, letter_key key, size_t *at, unsigned *word)
{
	for (; lx->slots[*at].key; *at = (*at + 1) & lx->mask) {
		if (lx->slots[*at].key != key)
			continue;
		*word = lx->slots[*at].word;
		*at = (*at + 1) & lx->mask;
		return true;
	}
	return false;
}

static letter_key key_of(const char *letters)
{
	unsigned char numbers[BOGGLE_LETTERS];

	for (unsigned i = 0; i < BOGGLE_LETTERS; i++)
		numbers[i] = (unsigned char)(letters[i] - 'A' + 1);
	return make_key(numbers, BOGGLE_LETTERS);
}

/* A list may be two lists one behind the other. */
static bool is_known(const struct lexicon *lx, letter_key key, const char *word)
{
	size_t at = home_of(lx, key);
	unsigned known;

	while (next_slot(lx, key, &at, &known))
		if (memcmp(lx->words[known], word, BOGGLE_LETTERS) == 0)
			return true;
	return false;
}

/* Sorted numbers of a key without those at a and b (b may be past the end). */
static letter_key shorter_key(letter_key key, unsigned a, unsigned b)
{
	letter_key out = 0;

	for (unsigned i = 0; i < BOGGLE_LETTERS; i++)
		if (i != a && i != b)
			out = out << KEY_BITS |
			      ((key >> (KEY_BITS * (BOGGLE_LETTERS - 1 - i))) & 31u);
	return out;
}

/* Under all keys that blanks leave; the same key twice does no harm. */
static void add_shorter_keys(struct lexicon *lx, letter_key key, unsigned word)
{
	for (unsigned a = 0; a < BOGGLE_LETTERS && lx->blanks > 0; a++) {
		add_slot(lx, shorter_key(key, a, BOGGLE_LETTERS), word);
		for (unsigned b = a + 1; b < BOGGLE_LETTERS && lx->blanks > 1; b++)
			add_slot(lx, shorter_key(key, a, b), word);
	}
}

static void add_word(struct lexicon *lx, const char *word)
{
	letter_key key = key_of(word);

	if (is_known(lx, key, word))
		return;
	lx->words = xgrow(lx->words, &lx->words_cap, lx->count + 1, sizeof *lx->words);
	memcpy(lx->words[lx->count], word, BOGGLE_LETTERS + 1);
	add_slot(lx, key, (unsigned)lx->count);
	add_shorter_keys(lx, key, (unsigned)lx->count);
	lx->count++;
}

/* A fixed part of all words, another one for another salt. */
static bool is_seen(const struct boggle_sight *sight, const char *word)
{
	uint32_t hash = sight ? 2166136261u ^ sight->salt : 0;

	if (!sight || sight->one_in <= 1)
		return true;
	for (unsigned i = 0; i < BOGGLE_LETTERS; i++)
		hash = (hash ^ (unsigned char)word[i]) * 16777619u;
	return (hash ^ hash >> 15) % sight->one_in == 0;
}

static void read_lexicon(struct lexicon *lx, const struct game_state *s, struct span list,
                         const struct boggle_sight *sight)
{
	unsigned mover = boggle_mover(s, s->turn);
	char word[BOGGLE_LETTERS + 1];

	memset(lx, 0, sizeof *lx);
	for (const char *tile = s->board; *tile; tile++)
		lx->blanks += *tile == '?';
	lx->words = xcalloc(FIRST_WORDS, sizeof *lx->words);
	lx->words_cap = FIRST_WORDS;
	make_slots(lx, FIRST_SLOTS);
	while (boggle_next_word(&list, word))
		if (is_seen(sight, word) && !boggle_word_is_used(s, mover, word))
			add_word(lx, word);
}

static void release_lexicon(struct lexicon *lx)
{
	free(lx->words);
	free(lx->slots);
}

/* --- ways ---------------------------------------------------------------- */

/* A walk through all ways: what stands where so far, and who wants to hear of it. */
struct walk {
	const struct game_state *state;
	squares own, others;
	struct boggle_orders orders;
	boggle_visit *visit;
	void *context;
};

static squares move_piece(squares own, const struct boggle_move *m)
{
	return (own & ~boggle_square(m->from)) | boggle_square(m->to);
}

/* One more move of each of `movable` by at most `steps`; then calls `then` with it done. */
static void each_move(struct walk *w, squares movable, unsigned steps,
                      void (*then)(struct walk *w, unsigned steps), unsigned then_steps)
{
	struct boggle_move *m = &w->orders.moves[w->orders.nmoves++];
	squares own = w->own;

	for (; movable; movable &= movable - 1) {
		squares to;

		m->from = boggle_first(movable);
		to =
		    boggle_reach(~(own | w->others), m->from, steps, w->state->setup.diagonals);
		for (; to; to &= to - 1) {
			m->to = boggle_first(to);
			w->own = move_piece(own, m);
			then(w, then_steps);
		}
	}
	w->own = own;
	w->orders.nmoves--;
}

static void report_way(struct walk *w, unsigned steps)
{
	(void)steps;
	w->visit(w->context, w->own, &w->orders);
}

/* The piece moved first stays where it is. */
static void second_moves(struct walk *w, unsigned steps)
{
	each_move(w, w->own & ~boggle_square(w->orders.moves[0].to), steps, report_way, 0);
}

void boggle_each_way(const struct game_state *s, boggle_visit *visit, void *context)
{
	unsigned mover = boggle_mover(s, s->turn);
	unsigned x = s->roll[0], y = s->roll[1];
	struct walk w = {.state = s,
	                 .own = s->seats[mover].pieces,
	                 .others = s->seats[boggle_other(mover)].pieces,
	                 .visit = visit,
	                 .context = context};

	report_way(&w, 0);
	each_move(&w, w.own, x + y, report_way, 0);
	each_move(&w, w.own, x, second_moves, y);
	if (x != y)
		each_move(&w, w.own, y, second_moves, x);
}

/* --- looking ------------------------------------------------------------- */

/* The key of the letters under these pieces; false when a square has no tile. */
static bool key_under(const struct game_state *s, squares pieces, letter_key *key)
{
	unsigned char numbers[BOGGLE_PIECES];
	unsigned n = 0;

	for (; pieces; pieces &= pieces - 1) {
		char tile = s->board[boggle_first(pieces)];

		if (tile == '.')
			return false;
		if (tile != '?')
			numbers[n++] = (unsigned char)(tile - 'A' + 1);
	}
	*key = make_key(numbers, n);
	return true;
}

struct search {
	const struct game_state *state;
	const struct lexicon *lexicon;
	unsigned best; /* points */
	struct boggle_orders orders;
	unsigned char *found; /* by word, when they are counted */
	unsigned count, most;
};

static unsigned points_of(const struct game_state *s, squares pieces)
{
	unsigned times = boggle_multiplier(boggle_largest_group(pieces, s->setup.diagonals));
	unsigned sum = 0;

	for (; pieces; pieces &= pieces - 1)
		sum += boggle_value(s->board[boggle_first(pieces)]);
	return (s->setup.craft ? 1 : sum) * times;
}

static void visit_best(void *context, squares pieces, const struct boggle_orders *moves)
{
	struct search *x = context;
	unsigned points = points_of(x->state, pieces);
	letter_key key;
	unsigned word;
	size_t at;

	if (points <= x->best || !key_under(x->state, pieces, &key))
		return;
	at = home_of(x->lexicon, key);
	if (!next_slot(x->lexicon, key, &at, &word))
		return;
	x->best = points;
	x->orders = *moves;
	memcpy(x->orders.word, x->lexicon->words[word], sizeof x->orders.word);
}

static void visit_count(void *context, squares pieces, const struct boggle_orders *moves)
{
	struct search *x = context;
	letter_key key;
	unsigned word;
	size_t at;

	(void)moves;
	if (x->count >= x->most || !key_under(x->state, pieces, &key))
		return;
	at = home_of(x->lexicon, key);
	while (x->count < x->most && next_slot(x->lexicon, key, &at, &word)) {
		x->count += x->found[word] == 0;
		x->found[word] = 1;
	}
}

bool boggle_find_best(const struct game_state *s, struct span list,
                      const struct boggle_sight *sight, struct boggle_orders *best)
{
	struct lexicon lexicon;
	struct search x = {.state = s, .lexicon = &lexicon};

	read_lexicon(&lexicon, s, list, sight);
	boggle_each_way(s, visit_best, &x);
	release_lexicon(&lexicon);
	*best = x.orders;
	return x.orders.word[0] != '\0';
}

unsigned boggle_count_words(const struct game_state *s, struct span list, unsigned most)
{
	struct lexicon lexicon;
	struct search x = {.state = s, .lexicon = &lexicon, .most = most};

	read_lexicon(&lexicon, s, list, NULL);
	x.found = xcalloc(lexicon.count + 1, 1);
	boggle_each_way(s, visit_count, &x);
	free(x.found);
	release_lexicon(&lexicon);
	return x.count;
}
