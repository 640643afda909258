/*
 * order_guesses.c - which orders some lines may have meant, and what of the lines these do not use.
 */
#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/clauses/clauses.h"
#include "processor/games/decoration.h"
#include "processor/games/loose.h"
#include "processor/games/order_text.h"

enum {
	CLAUSES_MOST = 24,
	NAMED_MOST = 4,
	NAMED_COLS = 60,
	TALK_WORDS = 3,
	NEGATED_WORDS = 4,
	ITEM_WORDS = 4
};

void order_guess_add(struct order_guesses *g, struct span text)
{
	text = span_trim(text);
	if (text.len == 0 || g->count == ORDER_GUESSES_UNJUDGED)
		return;
	for (size_t i = 0; i < g->count; i++)
		if (span_eq(strbuf_span(&g->texts[i]), text))
			return;
	strbuf_init(&g->texts[g->count]);
	strbuf_add_span(&g->texts[g->count++], text);
}

void order_guesses_release(struct order_guesses *g)
{
	for (size_t i = 0; i < g->count; i++)
		strbuf_release(&g->texts[i]);
	g->count = 0;
	if (g->unused.ptr)
		strbuf_release(&g->unused);
	g->unused = (struct strbuf){0};
}

void order_guess(const struct loose_language *l, const struct game_state *s, unsigned seat,
                 struct span text, struct order_guesses *out)
{
	struct loose_text loose;

	loose_read(text, l, &loose);
	out->words = loose.known;
	out->asks = loose.asks;
	bool turns = false, argument = false;
	for (size_t i = 0; i < loose.count; i++) {
		turns = turns || loose.items[i].kind == LOOSE_TURN;
		argument = argument || loose.items[i].slot;
	}
	out->denies = turns && argument;
	l->guess(s, seat, &loose, out);
	out->plain = out->plain && !out->asks;
	loose_release(&loose);
}

/* Whose orders they are, and the text, clause by clause. */
struct reading {
	const struct rules *rules;
	const struct game_state *state;
	unsigned seat;
	struct span before;
	const struct tables *tables;
	struct arena *arena;
	struct span text;
	size_t added; /* so many bytes of it are orders that stand already */
	bool changed; /* `before` is what they become, also if nothing else is said */
	struct clause *clauses;
	size_t n;
	bool out[CLAUSES_MOST];   /* left out */
	bool meant[CLAUSES_MOST]; /* the game has words in it */
	bool maybe[CLAUSES_MOST]; /* one, and it speaks of no order */
};

static struct span text_left(const struct reading *r)
{
	struct span left = arena_dup(r->arena, r->text);

	for (size_t i = 0; i < r->n; i++)
		if (r->out[i])
			memset((char *)left.ptr + (r->clauses[i].text.ptr - r->text.ptr), ' ',
			       r->clauses[i].text.len);
	return left;
}

/* The guesses that the strict reader takes, of what is left of the text; `first`: the first of them as it was guessed. */
static void judge(const struct reading *r, struct order_guesses *out, struct span *first)
{
	struct order_guesses raw = {.count = 0};

	order_guesses_release(out);
	*first = SPAN_EMPTY;
	order_guess(r->rules->loose, r->state, r->seat, text_left(r), &raw);
	if (r->changed && raw.count == 0)
		order_guess_add(&raw, r->before);
	out->meant = raw.meant;
	out->plain = raw.plain;
	out->asks = raw.asks;
	for (size_t i = 0; i < raw.count && out->count < ORDER_GUESSES; i++) {
		struct strbuf canonical = STRBUF_INIT;
		struct diags diags = DIAGS_INIT;

		if (r->rules->read_orders(r->state, r->seat, r->before, r->tables,
		                          strbuf_span(&raw.texts[i]), &canonical, &diags) &&
		    !diags_has_errors(&diags)) {
			if (out->count == 0)
				*first = arena_dup(r->arena, strbuf_span(&raw.texts[i]));
			order_guess_add(out, strbuf_span(&canonical));
		}
		diags_release(&diags);
		strbuf_release(&canonical);
	}
	order_guesses_release(&raw);
}

/* "Play ch" beside PLAY CH; STACK N3; numbers, for which "take the 2 out again" is no order, apart. */
static bool shares_word(struct span text, struct span orders)
{
	struct span word, other, rest;

	while (span_next_word(&text, ",.:;", &word))
		for (rest = ascii_is_digit(*word.ptr) ? SPAN_EMPTY : orders;
		     span_next_word(&rest, ";", &other);)
			if (word.len == other.len && utf8_eq_folded(word, other))
				return true;
	return false;
}

/* Leaves out one clause of talk, then all without words of the game, then all that speak of no order. */
static void leave_out(struct reading *r, struct order_guesses *out, struct span *first)
{
	enum { ONE_OF_TALK, ALL_NOT_MEANT, ALL_MAYBE, WAYS };

	for (int way = 0; way < WAYS && out->count == 0; way++) {
		memset(r->out, 0, sizeof r->out);
		for (size_t i = 0; i < r->n && out->count == 0; i++) {
			struct span text = r->clauses[i].text;
			struct span word;
			unsigned n = 0, number;

			while (span_next_word(&text, ",.:;", &word))
				n += !loose_number(utf8_dup_ascii(word, r->arena), 0,
				                   UINT32_MAX, &number);
			bool talk = n >= TALK_WORDS;

			if ((r->meant[i] && !(r->maybe[i] && talk && way == ALL_MAYBE)) ||
			    (!talk && way != ALL_NOT_MEANT))
				continue;
			if (way == ONE_OF_TALK)
				memset(r->out, 0, sizeof r->out);
			r->out[i] = true;
			if (way == ONE_OF_TALK)
				judge(r, out, first);
		}
		if (way != ONE_OF_TALK)
			judge(r, out, first);
		/* "b1 to b2 ... No, leave b1 where it is" */
		for (size_t i = 0; i < r->n && way == ALL_MAYBE && out->count > 0; i++)
			if (r->out[i] && r->maybe[i] &&
			    shares_word(r->clauses[i].text, strbuf_span(&out->texts[0])))
				order_guesses_release(out);
	}
}

/* Whether the digits stand there as a number of their own. */
static bool has_number(struct span orders, struct span number)
{
	for (size_t at = 0; at + number.len <= orders.len; at++)
		if (span_eq(span_slice(orders, at, at + number.len), number) &&
		    (at == 0 || !ascii_is_digit(orders.ptr[at - 1])) &&
		    (at + number.len == orders.len ||
		     !ascii_is_digit(orders.ptr[at + number.len])))
			return true;
	return false;
}

/* Whether a word of digits stands there: these orders have numbers. */
static bool has_number_alone(struct span orders)
{
	struct span word;
	unsigned n;

	while (span_next_word(&orders, ";", &word))
		if (num_parse_word(word, 0, UINT32_MAX, &n))
			return true;
	return false;
}

/* Whether a word of the shape "b2" stands there: these orders name places so. */
static bool names_places(struct span orders)
{
	for (size_t i = 1; i < orders.len; i++)
		if (ascii_is_digit(orders.ptr[i]) && ascii_is_letter(orders.ptr[i - 1]) &&
		    (i == 1 || orders.ptr[i - 2] == ' '))
			return true;
	return false;
}

/* Whether these orders have the place or each number that is in the word. */
static bool is_used(struct span word, struct span orders)
{
	if (word.len == 2 && ascii_is_letter(*word.ptr) && names_places(orders)) {
		bool found = false;

		for (size_t at = 0; at + word.len <= orders.len; at++)
			found = found ||
			        utf8_eq_folded(span_slice(orders, at, at + word.len), word);
		return found;
	}
	for (size_t i = 0, from; i < word.len; i++) {
		for (from = i; i < word.len && ascii_is_digit(word.ptr[i]);)
			i++;
		if (i > from && !has_number(orders, span_slice(word, from, i)))
			return false;
	}
	return true;
}

/* What a question shows beside the orders: what of the mail they use, and what not. */
struct ledger {
	struct reading *r;
	struct span orders;
	struct strbuf *out;   /* names what is not used; NULL: only counts */
	bool without_players; /* they are only spoken to */
	unsigned used, left;
	bool odd;           /* "both", and nothing that is two */
	unsigned talk;      /* of what is left: hours, days, what no order could be */
	struct span number; /* the last other one, used or not; in the arena of the reading */
};

static void note(struct ledger *l, bool is_used, struct span shown)
{
	struct span before = l->out ? strbuf_span(l->out) : SPAN_EMPTY;

	l->used += is_used;
	l->left += !is_used;
	if (!is_used && l->out && span_find(before, shown) == before.len)
		strbuf_addf(l->out, "%s%.*s", l->out->len ? ", " : "", SPAN_ARGS(shown));
}

/* Whether this stands among the words of the orders, which are in capitals but for names. */
static bool has_word(struct span orders, struct span word)
{
	struct span other;

	while (span_next_word(&orders, ";", &other))
		if (utf8_eq_folded(word, other))
			return true;
	return false;
}

/* How many words from `text` on are the name of a player who is not the reader; 0 = none. *seat: whose. */
static size_t player_at(const struct reading *r, struct span text, unsigned *seat)
{
	for (*seat = r->rules->nseats(r->state); *seat > 0; --*seat) {
		struct span name = span_of(r->rules->seat_name(r->state, *seat)), part, word,
			    rest = text;
		size_t n = 0;
		bool same = *seat != r->seat;

		for (; same && span_next_word(&name, " ", &part); n++) {
			same = span_next_word(&rest, ",.:;!?()\"", &word);
			if (same && name.len == 0 && word.len > 2 &&
			    word.ptr[word.len - 2] == '\'')
				word.len -= 2; /* "Ann's" */
			same = same && utf8_eq_folded(word, part);
		}
		if (same)
			return n;
	}
	return 0;
}

/*
 * A word of the game, as it is: what it would order if it stood alone is among the orders, or not. Of the others, and
 * of verbs that order nothing alone, nothing is said; `turned`: behind "not".
 */
static void note_game_word(struct ledger *l, struct span word, bool turned)
{
	const struct reading *r = l->r;
	struct order_guesses says = {.count = 0};

	order_guess(r->rules->loose, r->state, r->seat, word, &says);
	if (says.count == 1 && says.words > 0) {
		struct span alone = strbuf_span(&says.texts[0]), one;
		bool is_used = true;

		while (span_next_word(&alone, ";", &one))
			is_used = is_used && has_word(l->orders, one);
		note(l, turned || is_used, word);
	}
	order_guesses_release(&says);
}

static size_t count_words(struct span text)
{
	struct span word;
	size_t n = 0;

	while (span_next_word(&text, "", &word))
		n++;
	return n;
}

/* Whether it is corrected by what stands behind it, or by what stands behind an "er". */
static bool is_corrected(const struct reading *r, size_t i)
{
	while (++i < r->n)
		if (r->clauses[i].kind == CLAUSE_REPAIR || r->clauses[i].kind == CLAUSE_RETRACT)
			return true;
		else if (r->meant[i] || count_words(r->clauses[i].text) > 1)
			return false;
	return false;
}

static bool was_corrected(const struct reading *r, struct span number)
{
	for (size_t i = 0; i < r->n; i++)
		if (is_corrected(r, i) && has_number(r->clauses[i].text, number))
			return true;
	return false;
}

/* An order with two arguments, or two in a row with as many. */
static bool has_pair(struct span orders)
{
	struct span order;
	size_t before = 0;

	while (order_next_canonical(&orders, &order)) {
		size_t words = count_words(order);

		if (words == 3 || words == before)
			return true;
		before = words;
	}
	return false;
}

static bool has_digit(struct span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (ascii_is_digit(word.ptr[i]))
			return true;
	return false;
}

/* The numbers, places, players and words of the game in it; "one" is said too often for other things. */
static void note_values(struct ledger *l, struct span text)
{
	struct loose_text words;
	unsigned seat, turned = 0;

	loose_read(text, &(struct loose_language){.nwords = 0}, &words);
	for (size_t i = 0; i < words.count; i++) {
		const struct loose_token *t = &words.items[i];
		struct span rest = {t->written.ptr, 0};

		if (t->kind == LOOSE_BREAK)
			continue;
		for (size_t k = i; k < words.count; k++)
			if (words.items[k].kind != LOOSE_BREAK)
				rest.len = (size_t)(words.items[k].written.ptr - rest.ptr) +
				           words.items[k].written.len;
		turned = t->kind == LOOSE_TURN ? NEGATED_WORDS : turned > 0 ? turned - 1 : 0;
		size_t name = player_at(l->r, rest, &seat);
		if (name > 0 && !l->without_players) {
			const char *player = l->r->rules->seat_name(l->r->state, seat);

			note(l, span_find(l->orders, span_of(player)) < l->orders.len,
			     span_of(player));
		}
		i += name > 0 ? name - 1 : 0;
		if (name > 0)
			continue;
		bool digits = has_digit(t->written), count = t->kind == LOOSE_NUMBER;
		if (digits || (count && t->number > 1)) {
			struct span value =
			    digits ? t->written
				   : span_of(arena_printf(words.in, "%u", t->number));
			bool used = is_used(value, l->orders) || turned > 0 ||
			            (digits && was_corrected(l->r, value));

			turned = 0;
			note(l, used, t->written);
			l->talk += !used && (t->text.len == 0 || value.len > 4 ||
			                     (value.len > 1 && *value.ptr == '0') ||
			                     (count && !has_number_alone(l->orders)));
			if (t->text.len > 0)
				l->number = arena_dup(l->r->arena, t->written);
		} else if (loose_is_both(t->text)) {
			l->odd = l->odd || !has_pair(l->orders);
		} else if (t->text.len > 0 && t->kind != LOOSE_NUMBER) {
			note_game_word(l, t->written, turned > 0);
		}
	}
	loose_release(&words);
}

static bool is_inside(struct span word, struct span text)
{
	return word.ptr >= text.ptr && word.ptr < text.ptr + text.len;
}

/* What asks, never was, is a condition with a number, or tells of another player, changes nothing: no part of such a sentence. */
static bool only_tells(const struct reading *r, const struct clause *c, size_t n,
                       struct span sentence)
{
	struct span word;
	unsigned seat;

	for (size_t i = 0; i < n; i++)
		if (is_inside(c[i].text, sentence) &&
		    (c[i].kind == CLAUSE_QUESTION || c[i].kind == CLAUSE_UNREAL ||
		     (c[i].kind == CLAUSE_CONDITION && has_digit(c[i].text))))
			return true;
	for (struct span rest = sentence; span_next_word(&rest, ",:;()\"", &word);)
		if (player_at(r, word, &seat) > 0)
			return true;
	return false;
}

/* "One more mole in 9", "leave out the 8", "as last time plus the 7": some of the orders that stand already are to stay. */
static bool changes_orders(struct span text, struct arena *arena)
{
	size_t n;
	const struct clause *c = clauses_split(text, arena, &n);
	bool said = false; /* a number, already */

	for (size_t i = 0; i < n; i++) {
		struct span rest = c[i].text, word;
		bool adds = c[i].kind == CLAUSE_REJECT, number = adds;
		unsigned ignored;

		while (span_next_word(&rest, ",.:;!", &word)) {
			struct span plain = utf8_dup_ascii(word, arena);

			adds = adds || span_eq_str(plain, "more") ||
			       span_eq_str(plain, "noch") || (!said && adds_meaning(plain));
			number = number || loose_number(plain, 0, UINT32_MAX, &ignored);
			said = said || number;
		}
		if (adds && number)
			return true;
	}
	return false;
}

/* A number, place or card, and what is said of it. */
struct value {
	struct span written, text;
	bool stored; /* it is in the orders that stand */
	bool denied; /* "not 4", "instead of 4", "drop 4" */
	bool meant;  /* "I meant 5" */
	bool led;    /* "to 5", "for 5" */
};

/* What was written from one token up to another. */
static struct span written(const struct loose_text *t, size_t from, size_t to)
{
	struct span all = SPAN_EMPTY;

	for (size_t i = from; i < to; i++) {
		const struct span one = t->items[i].written;

		if (one.len > 0)
			all = all.len > 0 ? (struct span){all.ptr,
			                                  (size_t)(one.ptr - all.ptr) + one.len}
			                  : one;
	}
	return all;
}

/* "Drop me a line at 4": a longer word that the game does not know parts a verb from a number. */
static bool is_foreign(const struct loose_language *l, const struct loose_token *t)
{
	bool known = t->kind != LOOSE_OTHER || t->slot > 0 || t->text.len <= 3;

	for (size_t i = 0; i < l->nwords && !known; i++)
		known = span_eq_str(t->text, l->words[i].word);
	return !known;
}

/* Takes the values at the head of a sentence from token *i on, two at most; how many it has in all. */
static size_t take_values(const struct reading *r, const struct loose_text *t,
                          const struct clause *c, size_t n, size_t *i, struct value v[2])
{
	static const char *const exchanges[] = {"for",   "by",   "with", "becomes", "gegen",
	                                        "durch", "wird", "par",  "por"};
	static const char *const gone[] = {"replace", "swap",   "drop", "away",
	                                   "weg",     "runter", "raus", "ersetze"};
	struct value now = {.denied = false};
	size_t found = 0;
	bool talk = false, turned = false, dropped = false, apart = false;

	for (; *i < t->count; ++*i) {
		const struct loose_token *k = &t->items[*i];

		if (k->kind == LOOSE_BREAK && k->number)
			break;
		if (k->kind == LOOSE_BREAK) /* "not much time today, 2 kids are ill" */
			now = (struct value){.meant = now.meant};
		apart = apart || k->kind == LOOSE_BREAK;
		turned = (turned && k->kind != LOOSE_BREAK && !clauses_begin_at(k->text)) ||
		         k->kind == LOOSE_TURN;
		for (size_t m = 0; m < n; m++) {
			bool here = is_inside(k->written, c[m].marker);

			now.denied = now.denied || (here && c[m].kind == CLAUSE_REJECT);
			now.meant = now.meant || (here && c[m].kind == CLAUSE_REPAIR);
		}
		bool gives_up = span_in_nocase(k->text, gone, sizeof gone / sizeof *gone);
		if (gives_up) /* "don't drop 4" */
			now.denied = !turned;
		else if (k->kind == LOOSE_TURN)
			now.denied = true;
		else if (dropped && is_foreign(r->rules->loose, k))
			now.denied = false;
		dropped = gives_up || (dropped && k->slot == 0);
		if (gives_up && found == 1) /* "the 1 away again" */
			v->denied = !turned;
		now.led =
		    now.led || leads_to(k->text) ||
		    span_in_nocase(k->text, exchanges, sizeof exchanges / sizeof *exchanges);
		talk = talk || (k->text.len == 0 && has_digit(k->written));
		if (k->slot == 0 || k->text.len == 0)
			continue;
		now.written = k->written;
		now.text = k->kind == LOOSE_NUMBER
		               ? span_of(arena_printf(t->in, "%u", k->number))
		               : k->text;
		now.stored = has_word(r->before, now.text);
		if (found == 1 && now.led && turned) /* "don't change 4 to 5" */
			v->denied = now.led = false;
		now.led = now.led && !(found == 1 && apart);
		if (found < 2)
			v[found] = now;
		found++;
		now = (struct value){.denied = false};
		apart = false;
	}
	return found == 1 && talk ? 0 : found;
}

/* `before` with `b` in the place of `a`, or without it; false: it stands in none of the orders, or in several. */
static bool exchange_value(struct span before, struct span a, struct span b, struct strbuf *out,
                           struct span *verb)
{
	struct span order, word;
	size_t changed = 0;

	while (order_next_canonical(&before, &order)) {
		size_t kept = 0;
		bool here = has_word(order, a), first = true;

		strbuf_adds(out, out->len ? "; " : "");
		changed += here;
		for (struct span rest = order; span_next_word(&rest, "", &word);
		     first = false) {
			if (first && here)
				*verb = word;
			if (here && utf8_eq_folded(word, a))
				word = b;
			kept += word.len > 0 && !first;
			if (word.len > 0)
				strbuf_addf(out, "%s%.*s", first ? "" : " ", SPAN_ARGS(word));
		}
		if (here && kept == 0)
			strbuf_adds(out, " NONE");
	}
	return changed == 1;
}

/*
 * "Not 4 but 5", "replace 4 by 9", "I meant 5 where I wrote 4", "drop hole 1": of two values at the head of a
 * sentence one stands in the orders and the other does not, or one of them is taken back. In r->before the orders so
 * changed, in r->text what is said besides. Not where the sentence orders something else by itself ("hit 4, no, 5").
 */
static bool change_stored(struct reading *r)
{
	struct loose_language values = *r->rules->loose;
	struct loose_text t;
	bool changed = false;
	size_t n;

	values.nwords = 0;
	loose_read(r->text, &values, &t);
	const struct span all = t.source;
	const struct clause *c = clauses_split(all, t.in, &n);
	for (size_t i = 0, from; i < t.count && !changed; i++) {
		struct value v[2] = {{.stored = false}, {.stored = false}};
		struct order_guesses says = {.count = 0};
		struct strbuf orders = STRBUF_INIT;
		struct span verb = SPAN_EMPTY;

		from = i;
		size_t found = take_values(r, &t, c, n, &i, v);
		const struct value *a = &v[!v[0].stored], *b = &v[v[0].stored];
		bool pair = found > 1 && a->stored && !b->stored &&
		            (a->denied || (b->meant && !b->denied) || (a == v && b->led));

		if (!pair && !(found == 1 && a->stored && a->denied))
			continue;
		struct span unit = written(&t, from, i);
		if (only_tells(r, c, n, unit))
			continue;
		if (found > 1)
			unit.len = (size_t)(v[1].written.ptr - unit.ptr) + v[1].written.len;
		order_guess(r->rules->loose, r->state, r->seat, unit, &says);
		changed = exchange_value(r->before, a->text, pair ? b->text : SPAN_EMPTY,
		                         &orders, &verb) &&
		          (says.count == 0 || has_word(strbuf_span(&says.texts[0]), verb));
		if (changed) {
			size_t at = (size_t)(unit.ptr - all.ptr);

			r->before = arena_dup(r->arena, strbuf_span(&orders));
			r->text = span_of(arena_printf(
			    r->arena, " %.*s\n%.*s", SPAN_ARGS(span_slice(all, 0, at)),
			    SPAN_ARGS(span_slice(all, at + unit.len, all.len))));
		}
		order_guesses_release(&says);
		strbuf_release(&orders);
	}
	loose_release(&t);
	return changed;
}

/* "Toys, then marbles": what goes on with a list, in few words. */
static bool goes_on(const struct reading *r, size_t i)
{
	static const char *const then[] = {"then",  "dann", "danach", "puis",
	                                   "luego", "poi",  "dan"};
	struct span rest = r->clauses[i].text, word;

	return i > 0 && !r->out[i - 1] && !r->clauses[i - 1].ends_sentence &&
	       count_words(rest) <= ITEM_WORDS && span_next_word(&rest, "", &word) &&
	       span_in_nocase(word, then, sizeof then / sizeof *then);
}

/* Leaves out each clause without which the guess is the same. */
static void leave_unused_out(struct reading *r, struct span guess)
{
	for (size_t i = 0; i < r->n; i++) {
		struct order_guesses without = {.count = 0};
		struct span says = SPAN_EMPTY;

		if (r->out[i])
			continue;
		r->out[i] = true;
		judge(r, &without, &says);
		r->out[i] = without.count > 0 && span_eq(says, guess);
		order_guesses_release(&without);
	}
}

static size_t count_orders(struct span orders)
{
	struct span one;
	size_t n = 0;

	while (order_next_canonical(&orders, &one))
		n++;
	return n;
}

static bool goes_with_used(const struct reading *r, size_t i)
{
	for (size_t k = i; k > 0 && !r->clauses[k - 1].ends_sentence; k--)
		if (!r->out[k - 1])
			return true;
	for (; i + 1 < r->n && !r->clauses[i].ends_sentence; i++)
		if (!r->out[i + 1])
			return true;
	return false;
}

static bool is_negated(struct span text, struct arena *arena)
{
	struct span word;

	while (span_next_word(&text, ",.:;!?()\"", &word))
		if (loose_is_negation(utf8_dup_ascii(word, arena)))
			return true;
	return false;
}

/* Whether it would order something by itself. */
static bool orders_something(const struct reading *r, struct span text)
{
	struct order_guesses says = {.count = 0};

	order_guess(r->rules->loose, r->state, r->seat, text, &says);
	bool orders = says.count > 0;
	order_guesses_release(&says);
	return orders;
}

/*
 * Whether a clause that the orders do not need may be one itself. It goes on with them, and has what is in none of them in
 * few words ("1 gets smashed"), or in many an order that only its default fills; or it has more than one such value; or some
 * order was not said at all, and it has a number that is an order alone. Not in brackets.
 */
static bool may_be_order(const struct reading *r, size_t i, const struct ledger *of_clause,
                         struct span guess)
{
	const struct clause *c = &r->clauses[i];
	const unsigned left = of_clause->left - of_clause->talk;
	bool filled = count_orders(of_clause->orders) > count_orders(guess);

	if (c->kind == CLAUSE_UNREAL)
		return filled;
	if (c->kind != CLAUSE_PLAIN || is_negated(c->text, r->arena) ||
	    c->text.ptr < r->text.ptr + r->added ||
	    (c->text.ptr > r->text.ptr && c->text.ptr[-1] == '('))
		return false;
	bool says = count_words(c->text) <= ITEM_WORDS
	                ? left > 0
	                : shares_word(c->text, of_clause->orders) &&
	                      !shares_word(c->text, guess);

	return goes_on(r, i) || (says && goes_with_used(r, i)) || left > 1 ||
	       (filled && orders_something(r, of_clause->number));
}

/*
 * "As before, and one mole in 6": under a reference a list is not meant to shrink to others. Whether one of `before` has
 * fewer arguments among `orders`, and none of its own.
 */
static bool shrinks(struct span before, struct span orders)
{
	struct span old, now, verb, word;

	while (order_next_canonical(&before, &old)) {
		size_t had = count_words(old) - 1, has = 0;
		bool kept = false;

		(void)span_next_word(&old, "", &verb);
		for (struct span rest = orders; order_next_canonical(&rest, &now);) {
			if (!span_next_word(&now, "", &word) || !span_eq(word, verb))
				continue;
			has += count_words(now);
			kept = kept || has_word(now, SPAN_LIT("NONE"));
			for (struct span args = old; span_next_word(&args, "", &word);)
				kept = kept || has_word(now, word);
		}
		if (!kept && has > 0 && has < had)
			return true;
	}
	return false;
}

/* What the orders heed without a word of it: what is corrected, "as last time", "not the glove" where there is none. */
static bool is_heeded(const struct reading *r, size_t i, struct span orders)
{
	const struct clause *c = &r->clauses[i];

	return is_corrected(r, i) || c->kind == CLAUSE_REJECT ||
	       c->text.ptr < r->text.ptr + r->added ||
	       (c->kind == CLAUSE_REFERENCE && r->before.len > 0) ||
	       (r->out[i] && c->kind == CLAUSE_PLAIN && is_negated(c->text, r->arena) &&
	        !has_digit(c->text) && !shares_word(c->text, orders));
}

/* Whether the orders say it too: a condition, if they have one, or if it ends a list of wishes ("otherwise nothing"). */
static bool is_expressed(const struct reading *r, size_t i, struct span orders)
{
	return !r->out[i] && (r->clauses[i].kind != CLAUSE_CONDITION ||
	                      span_find(orders, SPAN_LIT(" IF ")) < orders.len ||
	                      count_words(r->clauses[i].text) <= TALK_WORDS);
}

static void find_unused(struct reading *r, struct order_guesses *out, struct span guess)
{
	struct ledger l = {.r = r, .orders = strbuf_span(&out->texts[0]), .out = &out->unused};
	bool open = false, left_condition = false;
	size_t named = 0;

	strbuf_init(&out->unused);
	leave_unused_out(r, guess);
	for (size_t i = 0; i < r->n; i++) {
		struct ledger of_clause = {.r = r, .orders = l.orders, .without_players = true};
		const struct clause *c = &r->clauses[i];

		open = open || (c->kind == CLAUSE_REFERENCE && shrinks(r->before, l.orders));
		/* "If there is a choice the kings, or else the toys": not the toys alone. */
		open = open || (left_condition && c->otherwise && !r->out[i]);
		left_condition = c->kind == CLAUSE_CONDITION && !c->otherwise &&
		                 !is_expressed(r, i, l.orders);
		if (is_heeded(r, i, l.orders))
			continue;
		if (is_expressed(r, i, l.orders)) {
			note_values(&l, c->text);
			continue;
		}
		note_values(&of_clause, c->text);
		open = open || of_clause.odd || may_be_order(r, i, &of_clause, guess);
		if (c->kind != CLAUSE_CONDITION && of_clause.left == 0 && !goes_on(r, i) &&
		    !(r->meant[i] && count_words(c->text) > 1 && !shares_word(c->text, guess)))
			continue;
		struct span shown = utf8_clip(c->text, NAMED_COLS);

		if (named++ < NAMED_MOST)
			strbuf_addf(&out->unused, "%s\"%.*s%s\"", out->unused.len ? ", " : "",
			            SPAN_ARGS(shown), shown.len < c->text.len ? " ..." : "");
		l.left += r->meant[i] && !is_negated(c->text, r->arena);
	}
	/* More is left out than used, or what may be an order: what was meant is asked openly. */
	if (open || l.odd || (l.used > 0 && l.left > l.used))
		while (out->count > 0)
			strbuf_release(&out->texts[--out->count]);
}

void order_guesses(const struct rules *rules, const struct game_state *s, unsigned seat,
                   struct span before, const struct tables *tables, struct span text,
                   bool name_unused, struct order_guesses *out)
{
	struct arena *arena = arena_new();
	struct reading r = {.rules = rules,
	                    .state = s,
	                    .seat = seat,
	                    .before = before,
	                    .tables = tables,
	                    .arena = arena,
	                    .text = loose_plain(text, arena)};

	struct span first;

	*out = (struct order_guesses){.count = 0};
	const struct span said = r.text;
	bool changed = before.len > 0 && change_stored(&r);
	if (!changed && before.len > 0 && changes_orders(said, arena)) {
		r.added = before.len;
		r.text = span_of(
		    arena_printf(arena, "%.*s.\n%.*s", SPAN_ARGS(before), SPAN_ARGS(said)));
	}
	r.changed = changed;
	judge(&r, out, &first);
	if ((changed || r.added > 0) && out->count == 0) {
		r.added = 0;
		r.changed = false;
		r.before = before;
		r.text = said;
		judge(&r, out, &first);
	}
	/* A change of what stands is meant as orders, but "2 more days" may be a command. */
	out->changed = r.changed;
	out->meant = out->meant || r.changed;
	out->plain = (out->plain || r.changed) && r.added == 0;
	const struct order_guesses whole = *out;
	if (out->count > 0 ? name_unused : out->meant) {
		r.clauses = clauses_split(r.text, arena, &r.n);
		r.n = r.n < CLAUSES_MOST ? r.n : CLAUSES_MOST;
		for (size_t i = 0; i < r.n; i++) {
			struct order_guesses says = {.count = 0};

			order_guess(r.rules->loose, r.state, r.seat, r.clauses[i].text, &says);
			r.meant[i] = says.words > 0;
			r.maybe[i] = says.words == 1 && (!says.meant || says.count == 0);
			order_guesses_release(&says);
		}
	}
	if (out->count == 0 && r.n > 1)
		leave_out(&r, out, &first);
	out->meant = whole.meant;
	out->plain = whole.plain;
	if (out->count > 0 && name_unused)
		find_unused(&r, out, first);
	arena_free(arena);
}
