/*
 * guess_setup.c - what lines that are no BASE and TILES may have meant in the set-up of Mole Majority.
 *
 * Hexes belong to the word before them ("base B1, else A2"), or to the one behind when it says so ("B1 as base").
 */
#include <string.h>

#include "processor/clauses/clauses.h"
#include "processor/games/loose.h"
#include "processor/games/mole_majority/majority.h"

enum code { BASE, TILES, BEHIND };
enum { LISTS = 2, HEX_NAME = 2 };

static const struct loose_word words[] = {
#define WORD(word, code) {word, code},
#include "processor/games/mole_majority/setup_words.inc"
#undef WORD
};

struct lists {
	struct strbuf of[LISTS]; /* " B1 A2" */
	struct strbuf waiting;   /* behind the last word */
	struct strbuf unnamed;   /* of a clause before any word */
	int owner;               /* whose they are, -1: of the next */
};

static unsigned is_hex(struct span word)
{
	unsigned hex;

	return word.len == HEX_NAME && mm_hex_parse(word, &hex);
}

static void give(struct lists *l, int list)
{
	strbuf_add_span(list < 0 ? &l->unnamed : &l->of[list], strbuf_span(&l->waiting));
	strbuf_clear(&l->waiting);
}

static void read_lists(struct lists *l, const struct loose_text *text)
{
	bool behind = false;

	for (size_t i = 0; i < text->count; i++) {
		const struct loose_token *t = &text->items[i];

		if (t->kind == LOOSE_BREAK)
			give(l, l->owner);
		else if (is_hex(t->text) && !loose_is_turned(text, i, 2) &&
		         (i == 0 || !clauses_begin_at(t[-1].text) ||
		          loose_is_turned(text, i - 1, 2))) /* "not A2 but E2" */
			strbuf_addf(&l->waiting, " %.*s", SPAN_ARGS(t->text));
		else if (t->kind == LOOSE_KNOWN && t->code != BEHIND) {
			give(l, behind || l->owner < 0 ? t->code : l->owner);
			l->owner = t->code;
		}
		/* Up to the next hex or sentence: "for my base". */
		behind = loose_is(t, BEHIND) ||
		         (behind && t->kind == LOOSE_OTHER && !is_hex(t->text));
	}
	give(l, l->owner);
	/* "I begin at A2, tiles A1 and A3": the other list; without any word it is the bases. */
	int other = l->owner < 0              ? BASE
	            : l->of[l->owner].len > 0 ? LISTS - 1 - l->owner
	                                      : l->owner;
	if (l->of[other].len == 0)
		strbuf_add_span(&l->of[other], strbuf_span(&l->unnamed));
}

static void guess(const struct game_state *s, unsigned seat, struct loose_text *text,
                  struct order_guesses *out)
{
	struct lists l = {{STRBUF_INIT, STRBUF_INIT}, STRBUF_INIT, STRBUF_INIT, -1};
	struct strbuf orders = STRBUF_INIT;

	(void)s;
	(void)seat;
	read_lists(&l, text);
	if (l.of[BASE].len)
		strbuf_addf(&orders, "BASE%s", l.of[BASE].ptr);
	if (l.of[TILES].len)
		strbuf_addf(&orders, "%sTILES%s", orders.len ? "; " : "", l.of[TILES].ptr);
	out->meant = orders.len > 0;
	out->plain = orders.len > 0;
	order_guess_add(out, strbuf_span(&orders));
	for (size_t i = 0; i < LISTS; i++)
		strbuf_release(&l.of[i]);
	strbuf_release(&l.waiting);
	strbuf_release(&l.unnamed);
	strbuf_release(&orders);
}

const struct loose_language mm_setup_loose = {.words = words,
                                              .nwords = sizeof words / sizeof *words,
                                              .takes = is_hex,
                                              .ranks = true,
                                              .guess = guess};
