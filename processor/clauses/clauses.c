/*
 * clauses.c - text -> words -> clauses.
 */
#include "processor/clauses/clauses.h"

#include <string.h>

#include "processor/base/utf8.h"

enum where { ANYWHERE, OTHERWISE, FIRST, LAST, INSIDE, BEFORE_SLOT, SENTENCE };
enum { CLAUSES_MOST = 200, WORDS_MOST = 1200 };

#define PLAIN CLAUSE_PLAIN
#define REPAIR CLAUSE_REPAIR
#define RETRACT CLAUSE_RETRACT
#define REJECT CLAUSE_REJECT
#define REFERENCE CLAUSE_REFERENCE
#define CONDITION CLAUSE_CONDITION
#define QUESTION CLAUSE_QUESTION
#define UNREAL CLAUSE_UNREAL
static const struct mark {
	const char *words;
	enum clause_kind kind;
	enum where where;
} marks[] = {
#define MARK(words, kind, where) {words, kind, where},
#include "processor/clauses/structure_words.inc"
#undef MARK
};
/* "Forget 5" for "forget that": what is taken back is named. */
static const struct mark naming_marks[] = {
#define MARK(words, kind, where) {words, kind == RETRACT ? REJECT : kind, where},
#include "processor/clauses/structure_words.inc"
#undef MARK
};

struct word {
	struct span written, text; /* `text`: small letters without accents */
	bool ends_clause, ends_sentence,
	    asks; /* by the mark behind it, or the end of its line */
};

/* Whether a mark of punctuation stands at `i`: not in "b2.6", "3.5" or "don't". */
static bool is_break(struct span line, size_t i)
{
	char c = line.ptr[i], next;

	while (c == '.' && i + 1 < line.len && line.ptr[i + 1] == '.') /* "hang on..." */
		i++;
	next = i + 1 < line.len ? line.ptr[i + 1] : ' ';
	if (c == '-') /* a dash, not a hyphen or a sign */
		return next == ' ' && (i == 0 || line.ptr[i - 1] == ' ');
	if (c == ',' && i > 0 && ascii_is_digit(line.ptr[i - 1]) && ascii_is_digit(next))
		return false; /* "190,240" */
	return strchr(",;!?()\"|", c) != NULL || (strchr(".:", c) && next == ' ');
}

bool clauses_begin_at(struct span word)
{
	static const char *const but[] = {"but",   "aber", "mais",    "pero",   "ma",
	                                  "maar",  "ale",  "without", "ohne",   "sans",
	                                  "senza", "sin",  "bez",     "zonder", "plus"};

	return span_in_nocase(word, but, sizeof but / sizeof *but);
}

/* Words that join clauses: the first word of one may stand behind them. */
static bool joins_clauses(struct span word)
{
	static const char *const and[] = {"and",  "und", "et",   "y",    "e",  "en", "so",
	                                  "also", "oh",  "then", "dann", "ps", "btw"};

	return clauses_begin_at(word) || span_in_nocase(word, and, sizeof and / sizeof *and);
}

static size_t split_words(struct span text, struct arena *arena, struct word *words)
{
	struct span line;
	size_t n = 0;

	while (span_next_line(&text, &line)) {
		for (size_t i = 0; i < line.len && n < WORDS_MOST;) {
			size_t from = i;

			while (i < line.len && line.ptr[i] != ' ' && line.ptr[i] != '\t' &&
			       !is_break(line, i))
				i++;
			if (i > from) {
				struct span written = span_slice(line, from, i);

				words[n++] = (struct word){
				    .written = written, .text = utf8_dup_ascii(written, arena)};
				continue;
			}
			if (n > 0 && is_break(line, i)) {
				char c = line.ptr[i];

				words[n - 1].ends_clause = true;
				words[n - 1].ends_sentence = words[n - 1].ends_sentence ||
				                             strchr(".!?", c) != NULL;
				words[n - 1].asks = words[n - 1].asks || c == '?';
			}
			i++;
		}
		if (n >
		    0) /* people break long lines where it happens, and lists where they mean it */
			words[n - 1].ends_clause = true;
		if (n > 0 && span_trim(line).len == 0)
			words[n - 1].ends_sentence = true;
	}
	if (n > 0)
		words[n - 1].ends_clause = words[n - 1].ends_sentence = true;
	for (size_t i = 1; i < n; i++) {
		struct span before = words[i - 1].text;
		/* "Everything but the middle", "anything but the mallet" */
		bool whole = span_starts(before, "all") || span_starts(before, "every") ||
		             (span_starts(before, "any") && !span_eq_str(before, "anyway")) ||
		             span_eq_str(before, "nothing");
		if (clauses_begin_at(words[i].text) && !whole)
			words[i - 1].ends_clause = true;
	}
	return n;
}

static bool has_digit(struct span word)
{
	bool digit = false;

	for (size_t i = 0; i < word.len; i++)
		digit = digit || (word.ptr[i] >= '0' && word.ptr[i] <= '9');
	return digit;
}

/*
 * How many words at `at` are these, within a clause; 0 = they are not. Up to three words may stand for a star: then
 * what is before it counts.
 */
static size_t match_words(const struct word *words, size_t n, size_t at, struct span rest)
{
	struct span one;
	size_t k = 0, before = 0, skipped = 0;

	while (span_next_word(&rest, " ", &one)) {
		if (span_eq_str(one, "*")) {
			before = k;
			(void)span_next_word(&rest, " ", &one);
			while (at + k < n && !words[at + k - 1].ends_clause && skipped++ < 3 &&
			       !span_eq(words[at + k].text, one))
				k++;
		}
		if (at + k >= n || !span_eq(words[at + k].text, one) ||
		    (rest.len > 0 && words[at + k].ends_clause))
			return 0;
		k++;
	}
	return before ? before : k;
}

/* Behind a full stop, or in a new line. */
static bool begins_sentence(const struct word *words, size_t at)
{
	if (at == 0 || words[at - 1].ends_sentence)
		return true;
	for (const char *c = words[at].written.ptr; c > words[at - 1].written.ptr; c--)
		if (*c == '\n')
			return true;
	return false;
}

/* "Hang on" behind "no": how many words of a correction stand there. */
static size_t repair_at(const struct word *words, size_t n, size_t at)
{
	size_t longest = 0, k;

	for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
		if (marks[m].kind == REPAIR && marks[m].where == ANYWHERE &&
		    (k = match_words(words, n, at, span_of(marks[m].words))) > longest)
			longest = k;
	return longest;
}

bool clauses_is_turn_word(struct span word)
{
	static const char *const turns[] = {
	    "game",  "match", "spiel",  "partie", "partida", "juego", "partita",
	    "gioco", "spel",  "partij", "gra",    "grze",    "gry",   "turn",
	    "round", "zug",   "runde",  "tour",   "turno",   "beurt", "tura"};

	return span_in_nocase(word, turns, sizeof turns / sizeof *turns);
}

/* "Comme au tour précédent", "wie in der letzten Runde": how many words up to that of the turn; 0 = it is not so. */
static size_t as_in_turn(const struct word *words, size_t n, size_t at)
{
	static const char *const as[] = {"as",   "like", "wie",   "comme",
	                                 "como", "come", "zoals", "jak"};
	enum { MOST = 4 };

	if (!span_in_nocase(words[at].text, as, sizeof as / sizeof *as))
		return 0;
	for (size_t k = 1; k <= MOST && at + k < n && !words[at + k - 1].ends_clause; k++)
		if (clauses_is_turn_word(words[at + k].text))
			return words[at + k].asks ? 0 : k + 1;
	return 0;
}

/* The longest mark that stands at word `at`; `first`: a clause begins there. */
static const struct mark *mark_at(const struct word *words, size_t n, size_t at, bool first,
                                  size_t *length)
{
	static const struct mark in_turn = {"as", REFERENCE, ANYWHERE};
	const struct mark *best = NULL;

	*length = as_in_turn(words, n, at);
	if (*length > 0)
		best = &in_turn;
	/* The last two words of a clause: those of a correction may stand the other way round. */
	bool closes = at + 1 < n && words[at + 1].ends_clause && !words[at].ends_clause;
	for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
		bool same_first = *marks[m].words == *words[at].text.ptr, names = false;

		if (!same_first && !(closes && marks[m].kind == REPAIR))
			continue;
		struct span rest = span_of(marks[m].words), one, two;
		const char *last = /* before its last word */
		    !same_first || marks[m].kind == RETRACT ? strrchr(rest.ptr, ' ') : NULL;

		if (!same_first && !(last && last[1] == *words[at].text.ptr))
			continue;
		size_t k = same_first ? match_words(words, n, at, rest) : 0;

		if (k == 0 && same_first && marks[m].kind == RETRACT && last) {
			k = match_words(words, n, at,
			                (struct span){rest.ptr, (size_t)(last - rest.ptr)});
			for (size_t w = at + k; k > 0 && w < n && !words[w - 1].ends_clause;
			     w++)
				names = names || has_digit(words[w].text);
			k = names ? k : 0;
		}

		/* "4 und 7 meine ich" */
		if (k == 0 && marks[m].kind == REPAIR && closes &&
		    span_next_word(&rest, "", &one) && span_next_word(&rest, "", &two) &&
		    rest.len == 0 && span_eq(words[at].text, two) &&
		    span_eq(words[at + 1].text, one))
			k = 2;
		bool leads = first || (marks[m].kind == REPAIR && k > 0 &&
		                       words[at + k - 1].ends_clause); /* "to d3 rather" */
		if (k <= *length || (marks[m].where == FIRST && !leads) ||
		    (marks[m].where == SENTENCE && !begins_sentence(words, at)) ||
		    (marks[m].where == LAST && !words[at + k - 1].ends_clause))
			continue;
		if (marks[m].where == BEFORE_SLOT && !words[at + k - 1].ends_clause) {
			struct span next = at + k < n ? words[at + k].text : SPAN_EMPTY;
			size_t behind = at + k < n ? repair_at(words, n, at + k) : 0;

			if (!has_digit(next) && behind == 0)
				continue;
			k += behind;
		}
		best = names ? &naming_marks[m] : &marks[m];
		*length = k;
	}
	return best;
}

static struct span from_to(const struct word *first, const struct word *last)
{
	return (struct span){
	    first->written.ptr,
	    (size_t)(last->written.ptr + last->written.len - first->written.ptr)};
}

/* What ends with a question mark asks, back to the word that begins the question; "could I ..., and ...?" is a request. */
static void close_question(struct clause *clauses, size_t n, size_t sentence)
{
	size_t from = n - 1;
	bool requests = false;

	for (size_t i = sentence; i < n; i++) {
		requests = requests ||
		           (clauses[i].kind == CLAUSE_PLAIN && clauses[i].marker.len > 0);
		if (clauses[i].kind == CLAUSE_QUESTION && from == n - 1)
			from = i;
	}
	if (requests && clauses[from].kind != CLAUSE_QUESTION)
		return;
	for (size_t i = from; i < n; i++)
		if (clauses[i].kind == CLAUSE_PLAIN && clauses[i].marker.len == 0)
			clauses[i].kind = CLAUSE_QUESTION;
}

/* "If Cy goes for the crown, the pan instead" corrects nothing. `out` up to `n`: what came before it. */
static enum clause_kind kind_of(const struct mark *m, const struct clause *out, size_t n,
                                size_t sentence)
{
	bool under_condition = n > sentence && out[n - 1].kind == CLAUSE_CONDITION;

	return !m || (m->where == LAST && under_condition) ? CLAUSE_PLAIN : m->kind;
}

bool clauses_have(struct span text, enum clause_kind kind)
{
	struct arena *arena = arena_new();
	bool found = false;
	size_t n;
	const struct clause *c = clauses_split(text, arena, &n);

	for (size_t i = 0; i < n; i++)
		found = found || c[i].kind == kind;
	arena_free(arena);
	return found;
}

struct clause *clauses_split(struct span text, struct arena *arena, size_t *n)
{
	size_t most = text.len / 2 + 1; /* words, and clauses too */
	struct clause *out =
	    arena_calloc(arena, most < CLAUSES_MOST ? most : CLAUSES_MOST, sizeof *out);
	struct word *words =
	    arena_calloc(arena, most < WORDS_MOST ? most : WORDS_MOST, sizeof *words);
	size_t nwords = split_words(text, arena, words), begin = 0, sentence = 0;
	const struct mark *of = NULL; /* the clause that begins at `begin` */
	struct span marker = SPAN_EMPTY;

	*n = 0;
	for (size_t i = 0; i < nwords && *n < CLAUSES_MOST; i++) {
		size_t length;
		bool first = i == begin || (i == begin + 1 && joins_clauses(words[begin].text));
		const struct mark *m = mark_at(words, nwords, i, first, &length);
		bool inverted = m && m->kind == REPAIR && *m->words != *words[i].text.ptr;
		bool leads = m && !inverted &&
		             (m->where <= OTHERWISE || m->where == BEFORE_SLOT);

		if (leads && i > begin && !(of && of->kind == m->kind)) {
			out[*n] = (struct clause){.kind = kind_of(of, out, *n, sentence),
			                          .otherwise = of && of->where == OTHERWISE,
			                          .text = from_to(&words[begin], &words[i - 1]),
			                          .marker = marker};
			++*n;
			begin = i;
			of = NULL;
			marker = SPAN_EMPTY;
		}
		if (m && !of) {
			of = m;
			marker = from_to(&words[i], &words[i + length - 1]);
			i += length - 1;
		}
		if (!words[i].ends_clause || *n == CLAUSES_MOST)
			continue;
		out[*n] = (struct clause){.kind = kind_of(of, out, *n, sentence),
		                          .otherwise = of && of->where == OTHERWISE,
		                          .text = from_to(&words[begin], &words[i]),
		                          .marker = marker,
		                          .asks = words[i].asks,
		                          .ends_sentence = words[i].ends_sentence};
		++*n;
		if (words[i].asks)
			close_question(out, *n, sentence);
		if (words[i].ends_sentence)
			sentence = *n;
		begin = i + 1;
		of = NULL;
		marker = SPAN_EMPTY;
	}
	return out;
}
