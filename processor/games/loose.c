/*
 * loose.c - order lines taken apart into tokens, and guesses judged.
 */
#include "processor/games/loose.h"

#include <string.h>

#include "processor/base/arena.h"
#include "processor/base/nearest.h"
#include "processor/base/num.h"
#include "processor/base/utf8.h"
#include "processor/clauses/clauses.h"
#include "processor/games/decoration.h"

/* DECLINES_MOST: in a longer text "nothing" may be said of anything. */
enum { TOKENS_MOST = LOOSE_TOKENS_MOST, NUMBER_MOST = 9999, DECLINES_MOST = 8 };

/* What stands behind one of them is not meant. Small letters without accents. */
static const char *const negations[] = {
    "not",    "no",     "don't",   "dont",    "never",   "without", "instead", "nicht", "kein",
    "keine",  "keinen", "statt",   "anstatt", "ohne",    "pas",     "sans",    "nunca", "senza",
    "invece", "niet",   "geen",    "zonder",  "nie",     "bez",     "zamiast", "ne",    "non",
    "nobody", "none",   "niemand", "keiner",  "nessuno", "nadie",   "nikt"};

static const struct loose_word numbers[] = {
#define NUMBER(word, n) {word, n},
#include "processor/games/number_words.inc"
#undef NUMBER
};

static bool is_word_char(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c >= 0x80;
}

/* Inside a word: "b2.6", "n't", "a1-b2", "+roll". */
static bool joins(struct span line, size_t i)
{
	char c = line.ptr[i];
	size_t first = i > 0 && line.ptr[i - 1] == '.' ? i - 1 : i; /* of two dots: "1..9" */

	if (c == ':' && i > 0 && i + 1 < line.len && ascii_is_digit(line.ptr[i - 1]) &&
	    ascii_is_digit(line.ptr[i + 1])) /* "3:1", "19:30" */
		return true;
	if (c == '.' && first > 0 && first + 2 < line.len && line.ptr[first + 1] == '.' &&
	    ascii_is_digit(line.ptr[first - 1]) && ascii_is_digit(line.ptr[first + 2]))
		return true;
	return i > 0 && i + 1 < line.len && strchr(".'-_", c) &&
	       is_word_char((unsigned char)line.ptr[i - 1]) &&
	       is_word_char((unsigned char)line.ptr[i + 1]);
}

/* How many typing errors a word of the list may have. */
static unsigned errors_allowed(size_t len)
{
	return len < 5 ? 0 : len < 6 ? 1 : 2;
}

static const struct loose_word *find_exact(struct span word, const struct loose_word *list,
                                           size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (span_eq_str(word, list[i].word))
			return &list[i];
	return NULL;
}

/* The word of the list itself, else the one most like it. */
static const struct loose_word *find_word(struct span word, const struct loose_word *list,
                                          size_t n, bool *exact)
{
	const struct loose_word *best = find_exact(word, list, n);
	unsigned best_errors = 3;

	*exact = best != NULL;
	if (best || word.len < 4)
		return best;
	for (size_t i = 0; i < n; i++) {
		bool same_first = *list[i].word == *word.ptr;

		if (!same_first && errors_allowed(word.len) < 2)
			continue;
		struct span entry = span_of(list[i].word);
		size_t shorter = entry.len < word.len ? entry.len : word.len;
		unsigned allowed = errors_allowed(shorter);
		unsigned errors;

		if (!same_first && allowed < 2)
			continue;
		if (entry.len == 3 && word.len == 4 && span_starts(word, list[i].word))
			allowed = 1; /* "pann" */
		errors = allowed > 0 ? typing_errors(word, entry, allowed) : 1;
		if (errors > allowed || errors >= best_errors)
			continue;
		best = &list[i];
		best_errors = errors;
	}
	return best;
}

/*
 * "Preiswürfel", "Bratpfanne": the last part of a compound, as it is in the list; *head: what stands before it, also as
 * a word of the list, or NULL.
 */
static const struct loose_word *find_compound(struct span word, const struct loose_word *list,
                                              size_t n, const struct loose_word **head)
{
	enum { PART = 5 };
	const struct loose_word *best = NULL;

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(list[i].word);

		if (len < PART || word.len < len + 4 || (best && len <= strlen(best->word)) ||
		    !span_eq_str(span_slice(word, word.len - len, word.len), list[i].word))
			continue;
		best = &list[i];
		*head = find_exact(span_slice(word, 0, word.len - len), list, n);
	}
	return best;
}

/* "3rd", "3s" */
static struct span without_ordinal(struct span word)
{
	static const char *const endings[] = {"st", "nd", "rd", "th"};
	struct span end = word.len > 2 ? span_slice(word, word.len - 2, word.len) : SPAN_EMPTY;

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (span_eq_str(end, endings[i]) && ascii_is_digit(word.ptr[word.len - 3]))
			return span_slice(word, 0, word.len - 2);
	bool many = word.len == 2 && ascii_is_digit(word.ptr[0]) && word.ptr[1] == 's';
	return many ? span_slice(word, 0, 1) : word;
}

static bool read_number(struct span word, unsigned *n)
{
	if (num_parse_word(without_ordinal(word), 0, NUMBER_MOST, n))
		return true;
	const struct loose_word *w =
	    find_exact(word, numbers, sizeof numbers / sizeof *numbers);
	if (w)
		*n = (unsigned)w->code;
	return w != NULL;
}

bool loose_number(struct span word, unsigned min, unsigned max, unsigned *out)
{
	unsigned n;

	if (!read_number(word, &n) || n < min || n > max)
		return false;
	*out = n;
	return true;
}

static void add_token(struct loose_text *t, struct loose_token token)
{
	if (t->count < TOKENS_MOST)
		t->items[t->count++] = token;
}

static void add_break(struct loose_text *t, bool ends_sentence)
{
	if (t->count && t->items[t->count - 1].kind != LOOSE_BREAK)
		add_token(t,
		          (struct loose_token){.kind = LOOSE_BREAK, .number = ends_sentence});
}

bool loose_is_negation(struct span word)
{
	for (size_t i = 0; i < sizeof negations / sizeof *negations; i++)
		if (span_eq_str(word, negations[i]))
			return true;
	return span_find(word, SPAN_LIT("n't")) < word.len;
}

static void add_word(struct loose_text *t, const struct loose_language *l, struct span written)
{
	struct loose_token token = {.text = utf8_dup_ascii(written, t->in), .written = written};
	const struct loose_word *known;

	token.slot = l->takes ? l->takes(token.text) : 0;
	if (token.slot) {
		token.slot += LOOSE_SLOT_NUMBER;
		token.exact = true;
		add_token(t, token);
		return;
	}
	known = find_word(token.text, l->words, l->nwords, &token.exact);
	if (known && !token.exact &&
	    (read_number(token.text, &token.number) || turns_meaning(token.text) ||
	     is_courtesy(token.text)))
		known = NULL;
	const struct loose_word *part, *head = NULL;
	if (!known && (part = find_compound(token.text, l->words, l->nwords, &head)) != NULL) {
		known = head ? head : part;
		token.exact = true;
	}
	if (known) {
		token.kind = LOOSE_KNOWN;
		token.code = known->code;
		token.slot = l->slot_of ? l->slot_of(known->code) : 0;
	} else if (read_number(token.text,
	                       &token.number) && /* not "a three first", "the 3 un" */
	           !(t->count > 0 && t->items[t->count - 1].kind == LOOSE_NUMBER &&
	             (span_eq_str(token.text, "un") || span_eq_str(token.text, "first")))) {
		token.kind = LOOSE_NUMBER;
		token.slot = token.number > 0 && token.number <= l->names ? LOOSE_SLOT_NAME
		                                                          : LOOSE_SLOT_NUMBER;
	} else if (loose_is_negation(token.text)) {
		token.kind = LOOSE_TURN;
	}
	add_token(t, token);
}

/* "whack5" and "w2" are two words. */
static size_t letters_before_number(struct span word)
{
	size_t i = 0;

	while (i < word.len && !(word.ptr[i] >= '0' && word.ptr[i] <= '9'))
		i++;
	for (size_t k = i; k < word.len; k++)
		if (!(word.ptr[k] >= '0' && word.ptr[k] <= '9'))
			return 0;
	return i < word.len ? i : 0;
}

static void add_words(struct loose_text *t, const struct loose_language *l, struct span written)
{
	size_t letters = letters_before_number(written);
	bool exact;

	/* "In game W1, turn 2: up 3 and 5" */
	if ((letters == 1 || ascii_is_digit(*written.ptr)) &&
	    (t->count > 0 && clauses_is_turn_word(t->items[t->count - 1].text))) {
		t->count--;
		return;
	}
	/* "c5-c4" */
	size_t dash = span_find_char(written, '-');
	if (l->takes && dash + 1 < written.len &&
	    l->takes(utf8_dup_ascii(span_slice(written, 0, dash), t->in)) &&
	    l->takes(utf8_dup_ascii(span_slice(written, dash + 1, written.len), t->in))) {
		add_word(t, l, span_slice(written, 0, dash));
		written = span_slice(written, dash + 1, written.len);
	}
	if (letters && !(l->takes && l->takes(utf8_dup_ascii(written, t->in))) &&
	    find_word(utf8_dup_ascii(span_slice(written, 0, letters), t->in), l->words,
	              l->nwords, &exact)) {
		add_word(t, l, span_slice(written, 0, letters));
		written = span_slice(written, letters, written.len);
	}
	add_word(t, l, written);
}

/* "Emma (6)": of what the game does not know. */
static bool is_age(const struct loose_text *t, struct span line, size_t from, size_t to)
{
	const struct loose_token *before = t->count > 0 ? &t->items[t->count - 1] : NULL;

	return before && before->kind == LOOSE_OTHER && !before->slot && before->text.len > 2 &&
	       ascii_is_digit(line.ptr[from]) && from > 0 && line.ptr[from - 1] == '(' &&
	       to < line.len && line.ptr[to] == ')';
}

static void read_line(struct loose_text *t, const struct loose_language *l, struct span line)
{
	for (size_t i = 0; i < line.len;) {
		size_t from = i;

		while (i < line.len &&
		       (is_word_char((unsigned char)line.ptr[i]) || joins(line, i)))
			i++;
		if (i > from) {
			if (!is_age(t, line, from, i))
				add_words(t, l, span_slice(line, from, i));
			continue;
		}
		if (line.ptr[i] == '&')
			add_token(t,
			          (struct loose_token){.text = SPAN_LIT("and"),
			                               .written = span_slice(line, i, i + 1)});
		if (strchr(",;.!?/|", line.ptr[i]))
			add_break(t, strchr(".!?", line.ptr[i]) != NULL);
		i++;
	}
	add_break(t, false);
}

bool loose_is_and(struct span word)
{
	static const char *const ands[] = {"and", "und", "et", "y", "e", "en", "i"};

	return span_in_nocase(word, ands, sizeof ands / sizeof *ands);
}

/* "And also 7": talk does not add to orders with such a word, but an order may. */
static bool adds_to_orders(struct span word)
{
	return adds_meaning(word) || span_eq_str(word, "and") || span_eq_str(word, "or");
}

/* "12 meetings": what a number may count that the game does not know; not "a 1 first". */
static bool counts_it(const struct loose_token *t)
{
	unsigned n;

	return !read_number(t->text, &n) && t->kind == LOOSE_OTHER && t->text.len >= 4 &&
	       !is_courtesy(t->text) && !adds_to_orders(t->text) && !turns_meaning(t->text);
}

/* From `from` up to a break: three words of talk or more, and nothing the game knows. */
static bool is_talk(const struct loose_text *t, size_t from, size_t to)
{
	unsigned others = 0, digits = 0, counts = 0;

	for (size_t i = from; i < to; i++) {
		const struct loose_token *k = &t->items[i];

		digits += k->kind == LOOSE_NUMBER;
		counts += k->kind == LOOSE_NUMBER && i + 1 < to && counts_it(&k[1]);
		if (k->kind == LOOSE_KNOWN || k->exact ||
		    (k->kind == LOOSE_NUMBER && i > from &&
		     adds_to_orders(t->items[i - 1].text)))
			return false;
		others += k->kind == LOOSE_OTHER && !is_courtesy(k->text);
	}
	/* "I take 2, 3 and 6": a list goes on behind the comma. */
	if (digits > 0 && counts == digits)
		return true;
	return others >= 3 && !(from < to && t->items[to - 1].kind == LOOSE_NUMBER &&
	                        to + 1 < t->count && t->items[to + 1].kind == LOOSE_NUMBER);
}

static void make_other(struct loose_text *t, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (t->items[i].kind == LOOSE_NUMBER)
			t->items[i].text = SPAN_LIT("");
		if (t->items[i].kind != LOOSE_BREAK)
			t->items[i].kind = LOOSE_OTHER;
		t->items[i].slot = 0;
	}
}

/* "Put one in 8", "the one from a2": before a number or place with words between, it is none itself. */
static void leave_pronouns_out(struct loose_text *t)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct loose_token *one = &t->items[i];
		size_t k = i + 1;

		if (one->kind != LOOSE_NUMBER || one->slot == LOOSE_SLOT_NAME ||
		    one->number != 1 || one->text.len < 2 || *one->text.ptr <= '9')
			continue;
		while (k < t->count && !t->items[k].slot &&
		       (t->items[k].kind == LOOSE_TURN || /* "one mistake: not 4" */
		        (t->items[k].kind == LOOSE_OTHER && !adds_to_orders(t->items[k].text))))
			k++;
		if (k > i + 1 && k < t->count && t->items[k].slot)
			make_other(t, i, i + 1);
	}
}

/* "10 minutes late", "at 8 pm", "until 5 April" */
static bool is_unit_of_time(struct span word)
{
	static const char *const units[] = {
	    "minute",  "minutes", "min",    "mins",      "hour",     "hours",    "day",
	    "days",    "week",    "weeks",  "pm",        "uhr",      "tage",     "stunde",
	    "stunden", "minuten", "wochen", "heure",     "heures",   "jours",    "horas",
	    "dias",    "minutos", "ore",    "giorni",    "minuti",   "uur",      "dagen",
	    "godzin",  "dni",     "minut",  "january",   "february", "march",    "april",
	    "june",    "july",    "august", "september", "october",  "november", "december",
	    "januar",  "februar", "marz",   "mai",       "juni",     "juli",     "oktober",
	    "dezember"};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (span_eq_str(word, units[i]))
			return true;
	return false;
}

/*
 * "popup 3 5, whack 2, see you on Sunday at 5": behind the last word of the game a stretch of talk
 * keeps its numbers to itself, and so does one before the first.
 */
static void leave_talk_out(struct loose_text *t)
{
	size_t first = t->count, last = 0, to;

	for (size_t i = 0; i < t->count; i++)
		if (t->items[i].kind == LOOSE_KNOWN || t->items[i].exact) {
			first = first < i ? first : i;
			last = i;
		}
	if (first == t->count)
		return;
	for (size_t from = 0; from < t->count; from = to + 1) {
		for (to = from; to < t->count && t->items[to].kind != LOOSE_BREAK; to++)
			;
		if ((to <= first || from > last) && is_talk(t, from, to))
			make_other(t, from, to);
	}
}

/* "One hundred fifty", "thirty five": numbers in words that make one. */
static void join_numbers(struct loose_text *t)
{
	enum { HUNDRED = 100 };

	for (size_t i = 0; i < t->count; i++) {
		unsigned n = 0;
		size_t to = i;
		bool small = false, tens = false;

		for (; to < t->count && t->items[to].kind == LOOSE_NUMBER &&
		       t->items[to].text.len > 0 && t->items[to].text.ptr[0] > '9';
		     to++) {
			unsigned k = t->items[to].number;
			bool before_hundred = t->items[to + 1].kind == LOOSE_NUMBER &&
			                      t->items[to + 1].number == HUNDRED;

			if (k == HUNDRED && small && !tens && n < 10)
				n *= HUNDRED, small = false;
			else if (k < 10 && !small && !(before_hundred && n > 0) &&
			         (n == 0 || tens || n >= HUNDRED))
				n += k, small = true;
			else if (k >= 20 && k < HUNDRED && small && !tens &&
			         n < 10) /* "one thirty" */
				n = n * HUNDRED + k, tens = true, small = false;
			else if (k >= 10 && k < HUNDRED && !small && !tens &&
			         (n == 0 || n >= HUNDRED))
				n += k, tens = true, small = k < 20;
			else
				break;
		}
		if (to < i + 2)
			continue;
		t->items[i].number = n;
		t->items[i].text = span_of(arena_printf(t->in, "%u", n));
		for (size_t k = i + 1; k < to; k++)
			t->items[k] = (struct loose_token){.kind = LOOSE_OTHER,
			                                   .text = SPAN_LIT(""),
			                                   .written = t->items[k].written};
	}
}

/* "I sit this one out": up to three words may stand for a star. */
static void join_idioms(struct loose_text *t, const struct loose_language *l)
{
	static const char *const declines[] = {
	    "sit * out",       "sitting * out",  "sit out",          "stay where i am",
	    "keep still",      "stay put",       "setze * aus",      "setz * aus",
	    "setzen * aus",    "setzt * aus",    "setze aus",        "setzen aus",
	    "setzt aus",       "passe mon tour", "reste ou je suis", "me quedo donde estoy",
	    "resto dove sono", "salto * turno",  "sla * over",       "nie ruszam sie"};

	for (size_t i = 0; l->declines && i < t->count; i++)
		for (size_t k = 0; k < sizeof declines / sizeof *declines; k++) {
			struct span rest = span_of(declines[k]), word;
			size_t at = i, stars = 0;

			while (span_next_word(&rest, " ", &word)) {
				bool star = span_eq_str(word, "*");

				stars = star ? 3 : stars;
				while (!star && stars > 0 && at < t->count &&
				       t->items[at].kind != LOOSE_BREAK &&
				       !span_eq(t->items[at].text, word))
					stars--, at++;
				if (!star &&
				    (at >= t->count || !span_eq(t->items[at].text, word)))
					break;
				at += !star;
				if (rest.len > 0)
					continue;
				t->items[i].kind = LOOSE_KNOWN;
				t->items[i].code = l->declines;
				t->items[i].exact = true;
				t->items[i].slot = 0;
				memmove(&t->items[i + 1], &t->items[at],
				        (t->count - at) * sizeof *t->items);
				t->count -= at - i - 1;
				break;
			}
		}
}

/* "Bravo", "dee": the letter it is spelt with, 0 = none. What is a word as well ("see") is one before `spoken` numbers. */
static char letter_of(struct span word, bool spoken)
{
	static const char *const names[] = {"alpha", "alfa", "bravo",    "charlie",
	                                    "delta", "echo", "november", "bee",
	                                    "cee",   "dee",  "ee"};
	static const struct loose_word heard[] = {
	    {"see", 'c'}, {"sea", 'c'}, {"be", 'b'}, {"en", 'n'}};
	const struct loose_word *h = find_exact(word, heard, sizeof heard / sizeof *heard);

	if (word.len == 1 || span_in_nocase(word, names, sizeof names / sizeof *names))
		return *word.ptr;
	return h && spoken ? (char)h->code : 0;
}

/* "n three", "bravo one", as a telephone writes down what it hears: a place or card in two words. */
static void join_spelt(struct loose_text *t, const struct loose_language *l)
{
	for (size_t i = 0; l->takes && i + 1 < t->count; i++) {
		struct loose_token *k = &t->items[i];

		if (k[1].kind != LOOSE_NUMBER || k->text.len == 0 || k[1].text.len == 0)
			continue;
		char letter = letter_of(k->text, !ascii_is_digit(*k[1].text.ptr));
		struct span word = span_of(arena_printf(t->in, "%c%u", letter, k[1].number));
		if (!l->takes(word))
			continue;
		*k = (struct loose_token){.text = word,
		                          .written = k->written,
		                          .exact = true,
		                          .slot = l->takes(word) + LOOSE_SLOT_NUMBER};
		k[1] = (struct loose_token){.text = SPAN_LIT(""), .written = k[1].written};
	}
}

struct span loose_plain(struct span text, struct arena *arena)
{
	struct strbuf plain = STRBUF_INIT;
	struct span line;

	while (plain.len < LOOSE_BYTES_MOST && span_next_line(&text, &line)) {
		size_t begin = plain.len;

		line = span_slice(line, 0, LOOSE_BYTES_MOST);
		strbuf_addc(&plain, ' ');
		utf8_add_plain(&plain, line);
		if (plain.len > begin + 1 &&
		    (plain.ptr[begin + 1] == '>' || plain.ptr[begin + 1] == '|'))
			strbuf_truncate(&plain, begin);
		else
			strbuf_addc(&plain, '\n');
	}
	struct span all = arena_dup(arena, strbuf_span(&plain));
	strbuf_release(&plain);
	return all;
}

void loose_read(struct span text, const struct loose_language *language, struct loose_text *out)
{
	struct span line, rest;

	*out = (struct loose_text){.in = arena_new()};
	out->items = arena_calloc(out->in, TOKENS_MOST + 1, sizeof *out->items);
	out->source = text = rest = loose_plain(text, out->in);
	while (span_next_line(&rest, &line))
		if (line.len > 1)
			read_line(out, language, line);
	join_numbers(out);
	join_spelt(out, language);
	join_idioms(out, language);
	leave_pronouns_out(out);
	for (size_t i = 0; i + 1 < out->count; i++) {
		size_t unit = i + 1; /* "5. April" */

		unit += out->items[unit].kind == LOOSE_BREAK && unit + 1 < out->count;
		if (out->items[i].kind == LOOSE_NUMBER &&
		    out->items[unit].kind == LOOSE_OTHER &&
		    is_unit_of_time(out->items[unit].text))
			make_other(out, i, i + 1);
	}
	if (language->nwords > 0) /* else numbers alone are looked for */
		loose_apply_clauses(out, language, text);
	leave_talk_out(out);
	out->items[out->count] = (struct loose_token){.kind = LOOSE_BREAK};
}

void loose_release(struct loose_text *t)
{
	arena_free(t->in);
	*t = (struct loose_text){0};
}

bool loose_could_belong(struct span line, const struct loose_language *l)
{
	struct loose_text loose;
	bool found;

	loose_read(line, l, &loose);
	found = loose.known > 0;
	for (size_t i = 0; i < loose.count && l->names > 0; i++)
		found = found || (loose.items[i].written.len > 0 &&
		                  ascii_is_digit(*loose.items[i].written.ptr));
	loose_release(&loose);
	return found;
}

bool loose_is_of_rest(const struct loose_text *t, size_t i)
{
	static const char *const rest[] = {
	    "other",  "others", "rest",  "everything", "anderen", "andere",   "alles",
	    "autres", "otras",  "otros", "altre",      "altri",   "pozostale"};

	for (; i > 0 && t->items[i - 1].kind != LOOSE_BREAK; i--)
		if (span_in_nocase(t->items[i - 1].text, rest, sizeof rest / sizeof *rest))
			return true;
	return false;
}

bool loose_direction(struct span word, int *dx, int *dy, bool *own)
{
	static const struct {
		int dx, dy;
		bool own;
		const char *words;
	} ways[] = {
	    {0, 1, false, "up upwards north hoch oben rauf haut arriba su omhoog gore"},
	    {0, -1, false, "down downwards south runter unten bas abajo giu omlaag dol"},
	    {-1, 0, false,
	     "left leftmost west links linke linker gauche izquierda "
	     "sinistra lewo"},
	    {1, 0, false,
	     "right rightmost east rechts rechte rechter droite derecha "
	     "destra prawo"},
	    {0, 1, true,
	     "forward forwards ahead vor vorwarts geradeaus avant adelante "
	     "avanti vooruit przodu"},
	    {0, -1, true,
	     "back backwards zuruck arriere atras indietro achteruit "
	     "tylu"}};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct span rest = span_of(ways[i].words), one;

		while (span_next_word(&rest, " ", &one))
			if (span_eq(one, word)) {
				*dx = ways[i].dx;
				*dy = ways[i].dy;
				*own = ways[i].own;
				return true;
			}
	}
	return false;
}

bool loose_is(const struct loose_token *t, int code)
{
	return t->kind == LOOSE_KNOWN && t->code == code;
}

bool loose_is_name(const struct loose_token *t, const char *name)
{
	struct span word = t->written;

	if (word.len > 2 && span_eq_str(span_slice(word, word.len - 2, word.len), "'s"))
		word.len -= 2;
	return span_eq_nocase(word, name);
}

bool loose_has_word(const struct loose_text *t, const char *const *words)
{
	for (size_t i = 0; i < t->count; i++)
		for (const char *const *w = words; *w; w++)
			if (t->items[i].kind != LOOSE_BREAK &&
			    span_eq_str(t->items[i].text, *w))
				return true;
	return false;
}

bool loose_is_turned(const struct loose_text *t, size_t i, unsigned words)
{
	/* "Not c5 to c4": also over an argument and where it leads. */
	for (unsigned back = 0; i-- > 0 && back < words && t->items[i].kind != LOOSE_BREAK;
	     back += !leads_to(t->items[i].text))
		if (t->items[i].kind == LOOSE_TURN)
			return true;
	return false;
}

static bool means_nothing(struct span word)
{
	static const char *const words[] = {"nothing", "nichts", "rien", "nada",
	                                    "niente",  "niets",  "nic"};

	return span_in_nocase(word, words, sizeof words / sizeof *words);
}

size_t loose_sentence(const struct loose_text *t, size_t i)
{
	size_t from = i, to = i;

	while (from > 0 && t->items[from - 1].kind != LOOSE_BREAK)
		from--;
	while (t->items[to].kind != LOOSE_BREAK)
		to++;
	return to - from;
}

bool loose_declines(const struct loose_text *t)
{
	if (t->count > DECLINES_MOST)
		return false;
	for (size_t i = 0; i < t->count; i++) {
		bool ends = t->items[i].kind == LOOSE_TURN &&
		            t->items[i + 1].kind == LOOSE_BREAK;

		if (means_nothing(t->items[i].text) ||
		    (t->items[i].kind == LOOSE_KNOWN && loose_is_turned(t, i, 3)) ||
		    (ends && i > 0 && t->items[i - 1].kind == LOOSE_KNOWN))
			return true;
	}
	return false;
}
